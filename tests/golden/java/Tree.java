// A search tree with its whole invariant: no cycles, smaller keys to the left, greater ones to the right.
class Tree {
    static class Node { int key; /*@ nullable @*/ Node left; /*@ nullable @*/ Node right; }
    /*@ nullable @*/ Node root;
    //@ invariant (\forall Node n; \reach(root, Node, left, right).has(n); !\reach(n.left, Node, left, right).has(n) && !\reach(n.right, Node, left, right).has(n));
    //@ invariant (\forall Node n; \reach(root, Node, left, right).has(n); (\forall Node m; \reach(n.left, Node, left, right).has(m); m.key < n.key));
    //@ invariant (\forall Node n; \reach(root, Node, left, right).has(n); (\forall Node m; \reach(n.right, Node, left, right).has(m); m.key > n.key));

    //@ ensures \result <==> (\exists Node n; \reach(root, Node, left, right).has(n); n.key == key);
    boolean contains_ok(int key) {
        Node here = root;
        while (here != null) {
            if (key == here.key) return true;
            here = key < here.key ? here.left : here.right;
        }
        return false;
    }
    //@ ensures \result <==> (\exists Node n; \reach(root, Node, left, right).has(n); n.key == key);
    boolean contains_bad(int key) {
        Node here = root;
        while (here != null) {
            if (key == here.key) return true;
            here = key <= here.key - 1 ? here.left : here.left;
        }
        return false;
    }
    //@ ensures (\exists Node n; \reach(root, Node, left, right).has(n); n.key == key);
    void add_ok(int key) {
        Node fresh = new Node();
        fresh.key = key;
        if (root == null) { root = fresh; return; }
        Node here = root;
        while (true) {
            if (key == here.key) return;
            if (key < here.key) {
                if (here.left == null) { here.left = fresh; return; }
                here = here.left;
            } else {
                if (here.right == null) { here.right = fresh; return; }
                here = here.right;
            }
        }
    }
}

/** A set of numbers as an AVL tree. */
public class AvlTree {
    static class Node {
        int key;
        int height;
        /*@ nullable @*/ Node left;
        /*@ nullable @*/ Node right;
    }

    /*@ nullable @*/ Node root;

    /*@ invariant (\forall Node n; \reach(root, Node, left, right).has(n);
      @     (\forall Node m; \reach(n.left, Node, left, right).has(m); m.key < n.key)
      @     && (\forall Node m; \reach(n.right, Node, left, right).has(m); n.key < m.key));
      @*/
    /*@ invariant (\forall Node n; \reach(root, Node, left, right).has(n);
      @     n.height > 0 && (n.height == height(n.left) + 1 && height(n.right) == height(n.left)
      @     || n.height == height(n.left) + 1 && height(n.left) == height(n.right) + 1
      @     || n.height == height(n.right) + 1 && height(n.right) == height(n.left) + 1));
      @*/

    private static /*@ pure helper @*/ int height(/*@ nullable @*/ Node node) {
        return node == null ? 0 : node.height;
    }

    //@ assignable \nothing;
    //@ ensures \result <==> (\exists Node n; \reach(root, Node, left, right).has(n); n.key == key);
    boolean find(int key) {
        Node here = root;
        while (here != null) {
            if (key == here.key) return true;
            here = key < here.key ? here.left : here.right;
        }
        return false;
    }

    //@ assignable \nothing;
    //@ ensures root == null <==> \result == null;
    //@ ensures \result != null ==> \reach(root, Node, left, right).has(\result);
    //@ ensures (\forall Node n; \reach(root, Node, left, right).has(n); n.key <= \result.key);
    /*@ nullable @*/ Node findMax() {
        if (root == null) return null;
        Node here = root;
        while (here.right != null) here = here.right;
        return here;
    }

    // The keys are the old ones and this one.
    //@ ensures (\exists Node n; \reach(root, Node, left, right).has(n); n.key == key);
    //@ ensures (\forall Node n; \old(\reach(root, Node, left, right)).has(n); \reach(root, Node, left, right).has(n) && n.key == \old(n.key));
    //@ ensures (\forall Node n; \reach(root, Node, left, right).has(n); n.key == key || \old(\reach(root, Node, left, right)).has(n));
    void insert(int key) {
        root = inserted(root, key);
    }

    private /*@ helper @*/ Node inserted(/*@ nullable @*/ Node node, int key) {
        if (node == null) {
            Node fresh = new Node();
            fresh.key = key;
            fresh.height = 1;
            return fresh;
        }
        if (key == node.key) return node;
        boolean isLess = key < node.key;
        Node child = inserted(isLess ? node.left : node.right, key);
        if (isLess) {
            node.left = child;
            if (height(child) == height(node.right) + 2) {
                if (key > child.key) node.left = leftRotated(child);
                node = rightRotated(node);
            }
        } else {
            node.right = child;
            if (height(child) == height(node.left) + 2) {
                if (key < child.key) node.right = rightRotated(child);
                node = leftRotated(node);
            }
        }
        measure(node);
        return node;
    }

    private /*@ helper @*/ Node rightRotated(Node node) {
        Node child = node.left;
        node.left = child.right;
        child.right = node;
        measure(node);
        measure(child);
        return child;
    }

    private /*@ helper @*/ Node leftRotated(Node node) {
        Node child = node.right;
        node.right = child.left;
        child.left = node;
        measure(node);
        measure(child);
        return child;
    }

    private /*@ helper @*/ void measure(Node node) {
        int left = height(node.left);
        int right = height(node.right);
        node.height = (left < right ? right : left) + 1;
    }
}

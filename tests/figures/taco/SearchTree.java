/** A set of numbers as a search tree of any shape. */
public class SearchTree {
    static class Node {
        int key;
        /*@ nullable @*/ Node left;
        /*@ nullable @*/ Node right;
    }

    /*@ nullable @*/ Node root;

    /*@ invariant (\forall Node n; \reach(root, Node, left, right).has(n);
      @     (\forall Node m; \reach(n.left, Node, left, right).has(m); m.key < n.key)
      @     && (\forall Node m; \reach(n.right, Node, left, right).has(m); n.key < m.key));
      @*/

    //@ assignable \nothing;
    //@ ensures \result <==> (\exists Node n; \reach(root, Node, left, right).has(n); n.key == key);
    boolean find(int key) {
        Node here = root;
        while (here != null && here.key != key) here = key < here.key ? here.left : here.right;
        return here != null;
    }
}

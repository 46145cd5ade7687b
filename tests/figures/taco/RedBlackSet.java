/** A set of numbers as a red-black tree (TreeSet in the paper). */
public class RedBlackSet {
    static class Node {
        int key;
        boolean isBlack;
        /*@ nullable @*/ Node left;
        /*@ nullable @*/ Node right;
        /*@ nullable @*/ Node parent;
    }

    /*@ nullable @*/ Node root;
    int size;

    //@ invariant root != null ==> root.parent == null && root.isBlack;
    /*@ invariant (\forall Node n; \reach(root, Node, left, right).has(n);
      @     (n.left != null ==> n.left.parent == n) && (n.right != null ==> n.right.parent == n));
      @*/
    /*@ invariant (\forall Node n; \reach(root, Node, left, right).has(n);
      @     (\forall Node m; \reach(n.left, Node, left, right).has(m); m.key < n.key)
      @     && (\forall Node m; \reach(n.right, Node, left, right).has(m); n.key < m.key));
      @*/
    /*@ invariant (\forall Node n; \reach(root, Node, left, right).has(n) && !n.isBlack;
      @     (n.left == null || n.left.isBlack) && (n.right == null || n.right.isBlack));
      @*/
    // All nodes that lack a child have equally many black nodes above them.
    /*@ invariant (\forall Node n; \reach(root, Node, left, right).has(n) && (n.left == null || n.right == null);
      @     (\forall Node m; \reach(root, Node, left, right).has(m) && (m.left == null || m.right == null);
      @         (\num_of Node x; \reach(n, Node, parent).has(x); x.isBlack)
      @         == (\num_of Node x; \reach(m, Node, parent).has(x); x.isBlack)));
      @*/
    //@ invariant size == \reach(root, Node, left, right).int_size();

    //@ assignable \nothing;
    //@ ensures \result <==> (\exists Node n; \reach(root, Node, left, right).has(n); n.key == key);
    boolean find(int key) {
        return node(key) != null;
    }

    private /*@ helper nullable @*/ Node node(int key) {
        Node here = root;
        while (here != null && here.key != key) here = key < here.key ? here.left : here.right;
        return here;
    }

    // The keys are the old ones and this one.
    //@ ensures \result <==> !(\exists Node n; \old(\reach(root, Node, left, right)).has(n); \old(n.key) == key);
    //@ ensures (\exists Node n; \reach(root, Node, left, right).has(n); n.key == key);
    //@ ensures (\forall Node n; \old(\reach(root, Node, left, right)).has(n); \reach(root, Node, left, right).has(n) && n.key == \old(n.key));
    //@ ensures (\forall Node n; \reach(root, Node, left, right).has(n); n.key == key || \old(\reach(root, Node, left, right)).has(n));
    boolean insert(int key) {
        Node parent = null;
        Node here = root;
        while (here != null) {
            if (here.key == key) return false;
            parent = here;
            here = key < here.key ? here.left : here.right;
        }
        Node fresh = new Node();
        fresh.key = key;
        fresh.parent = parent;
        if (parent == null) {
            root = fresh;
        } else if (key < parent.key) {
            parent.left = fresh;
        } else {
            parent.right = fresh;
        }
        size++;
        repairRed(fresh);
        return true;
    }

    /** Puts right that a red node may have a red parent. */
    private /*@ helper @*/ void repairRed(Node node) {
        while (node != root && !node.parent.isBlack) {
            Node parent = node.parent;
            Node grand = parent.parent;
            if (parent == grand.left) {
                Node uncle = grand.right;
                if (uncle != null && !uncle.isBlack) {
                    parent.isBlack = true;
                    uncle.isBlack = true;
                    grand.isBlack = false;
                    node = grand;
                } else {
                    if (node == parent.right) {
                        node = parent;
                        rotateLeft(node);
                    }
                    node.parent.isBlack = true;
                    grand.isBlack = false;
                    rotateRight(grand);
                }
            } else {
                Node uncle = grand.left;
                if (uncle != null && !uncle.isBlack) {
                    parent.isBlack = true;
                    uncle.isBlack = true;
                    grand.isBlack = false;
                    node = grand;
                } else {
                    if (node == parent.left) {
                        node = parent;
                        rotateRight(node);
                    }
                    node.parent.isBlack = true;
                    grand.isBlack = false;
                    rotateLeft(grand);
                }
            }
        }
        root.isBlack = true;
    }

    // The keys are the old ones without this one.
    //@ ensures \result <==> (\exists Node n; \old(\reach(root, Node, left, right)).has(n); \old(n.key) == key);
    //@ ensures !(\exists Node n; \reach(root, Node, left, right).has(n); n.key == key);
    /*@ ensures (\forall Node n; \old(\reach(root, Node, left, right)).has(n) && \old(n.key) != key;
      @     (\exists Node m; \reach(root, Node, left, right).has(m); m.key == \old(n.key)));
      @*/
    //@ ensures size == \old(size) - (\result ? 1 : 0);
    boolean remove(int key) {
        Node node = node(key);
        if (node == null) return false;
        if (node.left != null && node.right != null) {
            Node next = node.right;
            while (next.left != null) next = next.left;
            node.key = next.key;
            node = next;
        }
        Node child = node.left != null ? node.left : node.right;
        if (child != null) {
            replace(node, child);
            if (node.isBlack) repairBlack(child);
        } else {
            if (node.isBlack) repairBlack(node);
            replace(node, null);
        }
        size--;
        return true;
    }

    private /*@ helper @*/ void replace(Node node, /*@ nullable @*/ Node child) {
        if (child != null) child.parent = node.parent;
        if (node.parent == null) {
            root = child;
        } else if (node == node.parent.left) {
            node.parent.left = child;
        } else {
            node.parent.right = child;
        }
    }

    /** Puts right that the paths through a node may have one black node too few. */
    private /*@ helper @*/ void repairBlack(Node node) {
        while (node != root && node.isBlack) {
            Node parent = node.parent;
            if (node == parent.left) {
                Node sibling = parent.right;
                if (!sibling.isBlack) {
                    sibling.isBlack = true;
                    parent.isBlack = false;
                    rotateLeft(parent);
                    sibling = parent.right;
                }
                if (isBlack(sibling.left) && isBlack(sibling.right)) {
                    sibling.isBlack = false;
                    node = parent;
                } else {
                    if (isBlack(sibling.right)) {
                        sibling.left.isBlack = true;
                        sibling.isBlack = false;
                        rotateRight(sibling);
                        sibling = parent.right;
                    }
                    sibling.isBlack = parent.isBlack;
                    parent.isBlack = true;
                    sibling.right.isBlack = true;
                    rotateLeft(parent);
                    node = root;
                }
            } else {
                Node sibling = parent.left;
                if (!sibling.isBlack) {
                    sibling.isBlack = true;
                    parent.isBlack = false;
                    rotateRight(parent);
                    sibling = parent.left;
                }
                if (isBlack(sibling.right) && isBlack(sibling.left)) {
                    sibling.isBlack = false;
                    node = parent;
                } else {
                    if (isBlack(sibling.left)) {
                        sibling.right.isBlack = true;
                        sibling.isBlack = false;
                        rotateLeft(sibling);
                        sibling = parent.left;
                    }
                    sibling.isBlack = parent.isBlack;
                    parent.isBlack = true;
                    sibling.left.isBlack = true;
                    rotateRight(parent);
                    node = root;
                }
            }
        }
        node.isBlack = true;
    }

    private static /*@ pure helper @*/ boolean isBlack(/*@ nullable @*/ Node node) {
        return node == null || node.isBlack;
    }

    private /*@ helper @*/ void rotateLeft(Node node) {
        Node child = node.right;
        node.right = child.left;
        if (child.left != null) child.left.parent = node;
        replace(node, child);
        child.left = node;
        node.parent = child;
    }

    private /*@ helper @*/ void rotateRight(Node node) {
        Node child = node.left;
        node.left = child.right;
        if (child.right != null) child.right.parent = node;
        replace(node, child);
        child.right = node;
        node.parent = child;
    }
}

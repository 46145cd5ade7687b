/** A priority queue of numbers as a binomial heap (BHeap in the paper, put right). */
public class BinomialHeap {
    static class Node {
        int key;
        int degree;
        /*@ nullable @*/ Node parent;
        /*@ nullable @*/ Node sibling;
        /*@ nullable @*/ Node child;
    }

    /*@ nullable @*/ Node nodes;
    int size;

    //@ invariant nodes != null ==> nodes.parent == null;
    /*@ invariant (\forall Node n; \reach(nodes, Node, sibling, child).has(n);
      @     (n.sibling != null ==> n.sibling.parent == n.parent)
      @     && (n.child != null ==> n.child.parent == n && n.key <= n.child.key)
      @     && (n.parent != null ==> n.parent.key <= n.key));
      @*/
    // The children of a node have all smaller degrees, falling; those of the roots rise.
    /*@ invariant (\forall Node n; \reach(nodes, Node, sibling, child).has(n);
      @     n.degree >= 0 && (n.degree == 0 <==> n.child == null)
      @     && (n.child != null ==> n.child.degree == n.degree - 1)
      @     && (n.parent != null ==> (n.degree == 0 <==> n.sibling == null))
      @     && (n.parent != null && n.sibling != null ==> n.sibling.degree == n.degree - 1)
      @     && (n.parent == null && n.sibling != null ==> n.degree < n.sibling.degree));
      @*/
    //@ invariant size == \reach(nodes, Node, sibling, child).int_size();

    //@ assignable \nothing;
    //@ ensures nodes == null <==> \result == null;
    //@ ensures \result != null ==> \reach(nodes, Node, sibling, child).has(\result);
    //@ ensures (\forall Node n; \reach(nodes, Node, sibling, child).has(n); \result.key <= n.key);
    /*@ nullable @*/ Node findMinimum() {
        Node least = nodes;
        for (Node here = nodes; here != null; here = here.sibling) {
            if (here.key < least.key) least = here;
        }
        return least;
    }

    // The same nodes. The key goes to the node or to one above it, and the keys on the way there go down by one; all
    // others stay as they were.
    //@ requires \reach(nodes, Node, sibling, child).has(node) && key <= node.key;
    //@ ensures nodes == \old(nodes) && size == \old(size);
    //@ ensures (\forall Node n; \reach(nodes, Node, sibling, child).has(n); \old(\reach(nodes, Node, sibling, child)).has(n));
    /*@ ensures (\exists Node top; \old(\reach(node, Node, parent)).has(top); top.key == key
      @     && (\forall Node n; \old(\reach(nodes, Node, sibling, child)).has(n) && n != top;
      @         n.key == (\old(\reach(node, Node, parent)).has(n) && \old(\reach(n, Node, parent)).has(top)
      @             ? \old(n.parent.key) : \old(n.key))));
      @*/
    void decreaseKey(Node node, int key) {
        node.key = key;
        Node here = node;
        while (here.parent != null && here.key < here.parent.key) {
            int above = here.parent.key;
            here.parent.key = here.key;
            here.key = above;
            here = here.parent;
        }
    }

    // The old nodes with their keys, and one more with this key.
    //@ ensures size == \old(size) + 1;
    //@ ensures (\exists Node n; \reach(nodes, Node, sibling, child).has(n) && !\old(\reach(nodes, Node, sibling, child)).has(n); n.key == key);
    /*@ ensures (\forall Node n; \old(\reach(nodes, Node, sibling, child)).has(n);
      @     \reach(nodes, Node, sibling, child).has(n) && n.key == \old(n.key));
      @*/
    void insert(int key) {
        Node fresh = new Node();
        fresh.key = key;
        unite(fresh);
        size++;
    }

    // A node with a least key is gone, and the others are there with their keys.
    //@ ensures \old(nodes) == null <==> \result == null;
    //@ ensures \result != null ==> \old(\reach(nodes, Node, sibling, child)).has(\result) && size == \old(size) - 1;
    //@ ensures \result != null ==> !\reach(nodes, Node, sibling, child).has(\result);
    /*@ ensures (\forall Node n; \old(\reach(nodes, Node, sibling, child)).has(n);
      @     n.key == \old(n.key) && \result.key <= n.key
      @     && (n != \result ==> \reach(nodes, Node, sibling, child).has(n)));
      @*/
    /*@ nullable @*/ Node extractMin() {
        if (nodes == null) return null;
        Node least = nodes;
        Node beforeLeast = null;
        Node before = null;
        for (Node here = nodes; here != null; here = here.sibling) {
            if (here.key < least.key) {
                least = here;
                beforeLeast = before;
            }
            before = here;
        }
        if (beforeLeast == null) {
            nodes = least.sibling;
        } else {
            beforeLeast.sibling = least.sibling;
        }
        Node reversed = null;
        Node child = least.child;
        while (child != null) {
            Node next = child.sibling;
            child.parent = null;
            child.sibling = reversed;
            reversed = child;
            child = next;
        }
        least.child = null;
        least.sibling = null;
        least.degree = 0;
        if (reversed != null) unite(reversed);
        size--;
        return least;
    }

    /** Adds trees, of which no two are of one degree, by rising degrees. */
    private /*@ helper @*/ void unite(Node others) {
        if (nodes == null) {
            nodes = others;
            return;
        }
        merge(others);
        Node before = null;
        Node here = nodes;
        Node next = here.sibling;
        while (next != null) {
            boolean isThird = next.sibling != null && next.sibling.degree == here.degree;
            if (here.degree != next.degree || isThird) {
                before = here;
                here = next;
            } else if (here.key <= next.key) {
                here.sibling = next.sibling;
                link(next, here);
            } else {
                if (before == null) {
                    nodes = next;
                } else {
                    before.sibling = next;
                }
                link(here, next);
                here = next;
            }
            next = here.sibling;
        }
    }

    /** Makes a tree the first child of a node of the same degree. */
    private /*@ helper @*/ void link(Node tree, Node above) {
        tree.parent = above;
        tree.sibling = above.child;
        above.child = tree;
        above.degree++;
    }

    /** Puts the roots of both lists in one, by rising degrees. */
    private /*@ helper @*/ void merge(Node others) {
        Node mine = nodes;
        Node last = null;
        while (mine != null && others != null) {
            Node next;
            if (mine.degree <= others.degree) {
                next = mine;
                mine = mine.sibling;
            } else {
                next = others;
                others = others.sibling;
            }
            if (last == null) {
                nodes = next;
            } else {
                last.sibling = next;
            }
            last = next;
        }
        last.sibling = mine != null ? mine : others;
    }
}

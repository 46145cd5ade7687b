/**
 * A sequence of objects as a circular doubly linked list that keeps removed nodes for later use (CList in the
 * paper, after the NodeCachingLinkedList of Apache's commons-collections).
 */
public class CachingSequence {
    static class Node {
        /*@ nullable @*/ Node next;
        /*@ nullable @*/ Node previous;
        /*@ nullable @*/ Object value;
    }

    Node header;
    /*@ nullable @*/ Node firstCached;
    int size;
    int cacheSize;
    int maximumCacheSize;

    /*@ invariant (\forall Node n; \reach(header, Node, next).has(n);
      @     n.next != null && n.previous != null && n.next.previous == n && n.previous.next == n);
      @*/
    //@ invariant header.value == null;
    //@ invariant size == \reach(header, Node, next).int_size() - 1;
    /*@ invariant (\forall Node n; \reach(firstCached, Node, next).has(n);
      @     n.previous == null && n.value == null && !\reach(n.next, Node, next).has(n));
      @*/
    //@ invariant cacheSize == \reach(firstCached, Node, next).int_size();
    //@ invariant cacheSize <= maximumCacheSize && maximumCacheSize <= 20;

    //@ assignable \nothing;
    //@ ensures \result <==> (\exists Node n; \reach(header, Node, next).has(n) && n != header; n.value == value);
    boolean contains(/*@ nullable @*/ Object value) {
        for (Node here = header.next; here != header; here = here.next) {
            if (here.value == value) return true;
        }
        return false;
    }

    // The old sequence with one more node behind it, which comes from the cache if there is one.
    //@ ensures !\old(\reach(header, Node, next)).has(header.previous) && header.previous.value == value && header == \old(header);
    //@ ensures \old(firstCached) != null ? header.previous == \old(firstCached) : \fresh(header.previous);
    //@ ensures size == \old(size) + 1;
    //@ ensures header.previous.previous == \old(header.previous);
    /*@ ensures (\forall Node n; \old(\reach(header, Node, next)).has(n);
      @     n.value == \old(n.value) && (\old(n.next) != header ==> n.next == \old(n.next)));
      @*/
    void insert(/*@ nullable @*/ Object value) {
        Node fresh = cached();
        if (fresh == null) fresh = new Node();
        fresh.value = value;
        fresh.next = header;
        fresh.previous = header.previous;
        header.previous.next = fresh;
        header.previous = fresh;
        size++;
    }

    // One node is gone, the others follow each other as before.
    //@ requires 0 <= index && index < size;
    /*@ ensures header == \old(header) && (\exists Node gone; \old(\reach(header, Node, next)).has(gone);
      @     gone != header && \result == \old(gone.value) && !\reach(header, Node, next).has(gone)
      @     && (\old(cacheSize) < maximumCacheSize <==> firstCached == gone)
      @     && (index == 0 ==> gone == \old(header.next)) && (index == \old(size) - 1 ==> gone == \old(header.previous))
      @     && (\forall Node n; \old(\reach(header, Node, next)).has(n) && n != gone;
      @         n.value == \old(n.value) && n.next == (\old(n.next) == gone ? \old(gone.next) : \old(n.next))));
      @*/
    //@ ensures size == \old(size) - 1 && maximumCacheSize == \old(maximumCacheSize);
    /*@ nullable @*/ Object remove(int index) {
        Node node = node(index);
        Object value = node.value;
        node.previous.next = node.next;
        node.next.previous = node.previous;
        size--;
        keep(node);
        return value;
    }

    private /*@ helper @*/ Node node(int index) {
        Node here;
        if (index < size / 2) {
            here = header.next;
            for (int at = 0; at < index; at++) here = here.next;
        } else {
            here = header;
            for (int at = size; at > index; at--) here = here.previous;
        }
        return here;
    }

    /** A node from the cache, if there is one. */
    private /*@ helper nullable @*/ Node cached() {
        if (cacheSize == 0) return null;
        Node node = firstCached;
        firstCached = node.next;
        node.next = null;
        cacheSize--;
        return node;
    }

    /** Puts a node into the cache, if there is room. */
    private /*@ helper @*/ void keep(Node node) {
        if (cacheSize >= maximumCacheSize) return;
        node.next = firstCached;
        node.previous = null;
        node.value = null;
        firstCached = node;
        cacheSize++;
    }
}

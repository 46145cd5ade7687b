/**
 * A sequence of objects as a circular doubly linked list with a header (AList in the paper, after the
 * AbstractLinkedList of Apache's commons-collections).
 */
public class CircularSequence {
    static class Node {
        Node next;
        Node previous;
        /*@ nullable @*/ Object value;
    }

    Node header;
    int size;

    /*@ invariant (\forall Node n; \reach(header, Node, next).has(n);
      @     n.next != null && n.previous != null && n.next.previous == n && n.previous.next == n);
      @*/
    //@ invariant header.value == null;
    //@ invariant size == \reach(header, Node, next).int_size() - 1;

    //@ assignable \nothing;
    //@ ensures \result <==> (\exists Node n; \reach(header, Node, next).has(n) && n != header; n.value == value);
    boolean contains(/*@ nullable @*/ Object value) {
        for (Node here = header.next; here != header; here = here.next) {
            if (here.value == value) return true;
        }
        return false;
    }

    // The old sequence with one more node behind it.
    //@ ensures \fresh(header.previous) && header.previous.value == value && header == \old(header);
    //@ ensures size == \old(size) + 1;
    //@ ensures header.previous.previous == \old(header.previous);
    /*@ ensures (\forall Node n; \old(\reach(header, Node, next)).has(n);
      @     n.value == \old(n.value) && (\old(n.next) != header ==> n.next == \old(n.next)));
      @*/
    void insert(/*@ nullable @*/ Object value) {
        Node fresh = new Node();
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
      @     gone != header && \result == gone.value && !\reach(header, Node, next).has(gone)
      @     && (index == 0 ==> gone == \old(header.next)) && (index == \old(size) - 1 ==> gone == \old(header.previous))
      @     && (\forall Node n; \old(\reach(header, Node, next)).has(n) && n != gone;
      @         n.value == \old(n.value) && n.next == (\old(n.next) == gone ? \old(gone.next) : \old(n.next))));
      @*/
    //@ ensures size == \old(size) - 1;
    /*@ nullable @*/ Object remove(int index) {
        Node node = node(index);
        node.previous.next = node.next;
        node.next.previous = node.previous;
        size--;
        return node.value;
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
}

/** A sequence of objects as a singly linked list (LList in the paper). */
public class LinkedSequence {
    static class Node {
        /*@ nullable @*/ Node next;
        /*@ nullable @*/ Object value;
    }

    /*@ nullable @*/ Node head;
    int size;

    //@ invariant (\forall Node n; \reach(head, Node, next).has(n); !\reach(n.next, Node, next).has(n));
    //@ invariant size == \reach(head, Node, next).int_size();

    //@ assignable \nothing;
    //@ ensures \result <==> (\exists Node n; \reach(head, Node, next).has(n); n.value == value);
    boolean contains(/*@ nullable @*/ Object value) {
        for (Node here = head; here != null; here = here.next) {
            if (here.value == value) return true;
        }
        return false;
    }

    // The sequence is the old one with one more node behind it.
    //@ ensures (\exists Node last; \fresh(last); last.value == value && last.next == null && \reach(head, Node, next).has(last));
    //@ ensures size == \old(size) + 1;
    //@ ensures (\forall Node n; \old(\reach(head, Node, next)).has(n); \reach(head, Node, next).has(n) && n.value == \old(n.value));
    //@ ensures (\forall Node n; \old(\reach(head, Node, next)).has(n) && \old(n.next) != null; n.next == \old(n.next));
    //@ ensures \old(head) != null ==> head == \old(head);
    void insert(/*@ nullable @*/ Object value) {
        Node fresh = new Node();
        fresh.value = value;
        if (head == null) {
            head = fresh;
        } else {
            Node last = head;
            while (last.next != null) last = last.next;
            last.next = fresh;
        }
        size++;
    }

    // The node that has `index` others before it is gone, and nothing else has changed.
    //@ requires 0 <= index && index < size;
    /*@ ensures (\exists Node gone; \old(\reach(head, Node, next)).has(gone);
      @     \old(size) - \old(\reach(gone, Node, next)).int_size() == index
      @     && \result == gone.value
      @     && \reach(head, Node, next).int_size() == \old(size) - 1 && !\reach(head, Node, next).has(gone)
      @     && head == (\old(head) == gone ? \old(gone.next) : \old(head))
      @     && (\forall Node n; \reach(head, Node, next).has(n);
      @         n.value == \old(n.value) && n.next == (\old(n.next) == gone ? \old(gone.next) : \old(n.next))));
      @*/
    /*@ nullable @*/ Object remove(int index) {
        Node before = null;
        Node here = head;
        int position = 0;
        while (position < index) {
            before = here;
            here = here.next;
            position++;
        }
        if (before == null) {
            head = here.next;
        } else {
            before.next = here.next;
        }
        size--;
        return here.value;
    }
}

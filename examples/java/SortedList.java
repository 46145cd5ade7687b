// A sorted list of numbers, with its invariant and contracts in JML. `insert` is right; `insertFirst` forgets
// that a smaller number may be there already.
public class SortedList {
    static class Node {
        int value;
        /*@ nullable @*/ Node next;
    }

    /*@ nullable @*/ Node head;

    //@ invariant !(\exists Node n; \reach(head, Node, next).has(n); \reach(n.next, Node, next).has(n));
    //@ invariant (\forall Node n; \reach(head, Node, next).has(n) && n.next != null; n.value <= n.next.value);

    //@ ensures \reach(head, Node, next).int_size() == \old(\reach(head, Node, next)).int_size() + 1;
    void insert(int value) {
        Node fresh = new Node();
        fresh.value = value;
        if (head == null || value < head.value) {
            fresh.next = head;
            head = fresh;
            return;
        }
        Node here = head;
        while (here.next != null && here.next.value <= value) here = here.next;
        fresh.next = here.next;
        here.next = fresh;
    }

    //@ ensures head.value == value;
    void insertFirst(int value) {
        Node fresh = new Node();
        fresh.value = value;
        fresh.next = head;
        head = fresh;
    }

    //@ requires head != null;
    //@ ensures \result == \old(head.value) && head == \old(head.next);
    int removeFirst() {
        int value = head.value;
        head = head.next;
        return value;
    }
}

// JML's sets and sequences as model fields, within a small scope.
class Link {
    /*@ nullable @*/ Link next;
}

class Chain {
    /*@ nullable @*/ Link head;
    int size;

    //@ model JMLObjectSet<Link> cells;
    //@ represents cells = \reach(head, Link, next);

    //@ model JMLObjectSequence<Link> items;
    /*@ represents items \such_that items.int_size() == size && (head == null <==> items.isEmpty())
      @   && (head != null ==> items.get(0) == head && items.get(size - 1).next == null)
      @   && (\forall int i; 0 <= i && i < size - 1; items.get(i).next == items.get(i + 1));
      @*/

    //@ invariant size == cells.int_size();
    //@ invariant (\forall Link l; cells.has(l); !\reach(l.next, Link, next).has(l));

    //@ requires !cells.has(link);
    //@ assignable head, size, link.next;
    //@ ensures cells.equals(\old(cells).insert(link));
    //@ ensures items.equals(\old(items).insertFront(link));
    void push_ok(Link link) {
        link.next = head;
        head = link;
        size++;
    }

    //@ requires !cells.has(link);
    //@ assignable head, size, link.next;
    //@ ensures cells.equals(\old(cells).insert(link));
    void push_bad(Link link) {
        link.next = null;
        head = link;
        size = 1;
    }

    //@ requires head != null;
    //@ assignable head, size;
    //@ ensures items.equals(\old(items).trailer());
    void pop_ok() {
        head = head.next;
        size--;
    }

    //@ requires head != null && head.next != null;
    //@ assignable head, size, head.next;
    //@ ensures items.equals(\old(items).trailer());
    void pop_bad() {
        head.next = head.next.next;
        size--;
    }

    //@ requires head != null;
    //@ ensures \result == items.first();
    Link peek_ok() { return head; }

    //@ requires head != null;
    //@ ensures \result == items.last();
    Link peek_bad() { return head; }
}

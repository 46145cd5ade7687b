// A list of cells. Below a line, `A => B` makes a mutant of it.
class Cell {
    int value;
    /*@ nullable @*/ Cell next;
}

class Cells {
    /*@ nullable @*/ Cell first;
    int size;

    //@ invariant size == \reach(first, Cell, next).int_size();
    /*@ invariant (\forall Cell c; \reach(first, Cell, next).has(c);
      @     !\reach(c.next, Cell, next).has(c));
      @*/

    //@ ensures \result <==> (\exists Cell c; \reach(first, Cell, next).has(c); c.value == v);
    //@ assignable \nothing;
    boolean contains(int v) {
        Cell c = first;
        //~ first => null
        while (c != null) {
            //~ c != null => c != null && c.next != null
            if (c.value == v) return true;
            //~ == => !=
            //~ true => false
            c = c.next;
            //~ c.next => null
        }
        return false;
        //~ false => true
    }

    //@ ensures \fresh(first) && first.value == v && first.next == \old(first);
    //@ ensures size == \old(size) + 1;
    //@ assignable first, size;
    void push(int v) {
        Cell c = new Cell();
        c.value = v;
        //~ = v => = v + 1
        c.next = first;
        //~ c.next = first; =>
        //~ = first => = c
        first = c;
        //~ first = c; =>
        size++;
        //~ ++ => --
        //~ size++; =>
    }

    //@ requires first != null;
    //@ ensures \result == \old(first.value);
    //@ ensures first == \old(first.next);
    //@ assignable first, size;
    int pop() {
        int v = first.value;
        //~ first.value => 0
        first = first.next;
        //~ first.next => null
        //~ first = first.next; =>
        size--;
        //~ size--; =>
        //~ -- => ++
        return v;
        //~ return v => return v + 1
    }

    //@ ensures \reach(first, Cell, next) == \old(\reach(first, Cell, next));
    //@ ensures \old(first) != null ==> \old(first).next == null;
    /*@ ensures (\forall Cell c; \old(\reach(first, Cell, next)).has(c) && \old(c.next) != null;
      @     \old(c.next).next == c);
      @*/
    //@ assignable first, \everything;
    void reverse() {
        Cell done = null;
        Cell rest = first;
        //~ first => null
        while (rest != null) {
            Cell next = rest.next;
            rest.next = done;
            //~ = done => = rest
            //~ rest.next = done; =>
            done = rest;
            //~ = rest => = next
            rest = next;
        }
        first = done;
        //~ first = done; =>
        //~ = done => = rest
    }
}

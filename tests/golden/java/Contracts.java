// JML: invariants, frames, nullness, pure methods, reachability, contradictions, loop invariants.
class Contracts {
    int count;
    /*@ nullable @*/ Contracts next;

    //@ invariant count >= 0;

    //@ requires count < 100;
    //@ assignable count;
    //@ ensures count == \old(count) + 1;
    void up_ok() { count++; }

    //@ assignable count;
    void down_bad() { count--; }

    //@ requires count > 0;
    //@ assignable count;
    void down_ok() { count--; }

    //@ requires true;
    //@ assignable count;
    void frame_bad() { next = null; }

    //@ requires true;
    //@ assignable next;
    void frame_ok() { next = null; }

    //@ requires x > 0 && x < 0;
    void contradiction_bad(int x) { }

    //@ ensures \result == this || \result != null;
    Contracts null_bad() { return next; }

    //@ ensures \result == this || \result != null;
    Contracts null_ok() { return next == null ? this : next; }

    /*@ pure @*/ boolean isLast() { return next == null; }

    //@ ensures \result <==> isLast();
    boolean pure_ok() { return next == null; }

    //@ ensures \result <==> isLast();
    boolean pure_bad() { return next != this; }

    //@ requires other != this;
    //@ ensures \reach(this, Contracts, next).has(other);
    void reach_ok(Contracts other) { next = other; }

    //@ requires other != this;
    //@ ensures !\reach(this, Contracts, next).has(this.next) || \reach(this, Contracts, next).int_size() > 2;
    void reach_bad(Contracts other) { next = other; }

    //@ requires 0 <= n && n <= 3;
    //@ ensures \result == 2 * n;
    int loop_ok(int n) {
        int sum = 0;
        //@ loop_invariant 0 <= i && i <= n && sum == 2 * i;
        //@ decreases n - i;
        for (int i = 0; i < n; i++) sum += 2;
        return sum;
    }

    //@ requires 0 <= n && n <= 3;
    int loop_bad(int n) {
        int sum = 0;
        //@ loop_invariant sum == i;
        for (int i = 0; i < n; i++) sum += 2;
        return sum;
    }

    //@ requires x >= 0;
    void assert_bad(int x) {
        //@ assert x > 0;
    }

    //@ requires x > 0;
    void assert_ok(int x) {
        //@ assert x > 0;
    }
}

// JML clause by clause, as far as the other files have no pair: frames of everything and nothing, helpers, what is
// public to specifications, assumptions, measures, sets of what is reached.
class Clauses {
    //@ spec_public
    private int level;
    /*@ nullable @*/ Clauses next;

    //@ invariant level >= 0;

    //@ requires level < 100;
    //@ modifies level;
    //@ ensures level > \old(level);
    void modifies_ok() { level++; }

    //@ requires level < 100;
    //@ modifies next;
    void modifies_bad() { level++; }

    //@ assignable \nothing;
    //@ ensures \result == level;
    int nothing_ok() { return level; }

    //@ assignable \nothing;
    int nothing_bad() { level = 0; return level; }

    //@ assignable \everything;
    void everything_ok(Clauses other) { other.level = 1; next = null; }

    //@ assignable \everything;
    void everything_bad(Clauses other) { other.level = -1; }

    /*@ helper @*/ private void drop() { level = level - 1; }

    //@ requires level > 0;
    //@ ensures level == \old(level) - 1;
    void helper_ok() { drop(); }

    //@ requires level >= 0;
    void helper_bad() { drop(); }

    //@ requires other.level > 3;
    //@ ensures \result > 2;
    int public_ok(Clauses other) { return other.level - 1; }

    //@ requires other.level > 3;
    //@ ensures \result > 3;
    int public_bad(Clauses other) { return other.level - 1; }

    //@ ensures \result > 0;
    int assume_ok(int x) {
        //@ assume x > 5;
        return x - 5;
    }

    //@ ensures \result > 0;
    int assume_bad(int x) {
        //@ assume x > 4;
        return x - 5;
    }

    //@ requires 0 <= n && n <= 2;
    void decreases_ok(int n) {
        //@ maintaining 0 <= n;
        //@ decreases n;
        while (n > 0) n--;
    }

    //@ requires 0 <= n && n <= 2;
    void decreases_bad(int n) {
        int i = 0;
        //@ maintaining 0 <= i && i <= n;
        //@ decreases i;
        while (i < n) i++;
    }

    //@ requires 0 <= n && n <= 2;
    void maintaining_ok(int n) {
        int i = 0;
        //@ maintaining i <= n;
        while (i < n) i++;
    }

    //@ requires 0 <= n && n <= 2;
    void maintaining_bad(int n) {
        int i = 0;
        //@ maintaining i < n;
        while (i < n) i++;
    }

    //@ requires true;
    int nullable_ok(/*@ nullable @*/ Clauses other) { return other == null ? 0 : other.level; }

    //@ requires true;
    int nullable_bad(/*@ nullable @*/ Clauses other) { return other.level; }

    //@ requires true;
    /*@ non_null @*/ Clauses result_ok() { return next == null ? this : next; }

    //@ requires true;
    /*@ non_null @*/ Clauses result_bad() { return next; }

    /*@   requires x > 0;
      @   ensures \result == 1;
      @ also
      @   requires x < 0;
      @   ensures \result == -1;
      @*/
    static int also_ok(int x) { return x > 0 ? 1 : -1; }

    /*@   requires x > 0;
      @   ensures \result == 1;
      @ also
      @   requires x < 0;
      @   ensures \result == -1;
      @*/
    static int also_bad(int x) { return x > 1 ? 1 : -1; }

    //@ signals_only IllegalStateException;
    static void only_ok(int x) { if (x == 0) throw new IllegalStateException(); }

    //@ signals_only IllegalStateException;
    static void only_bad(int x) { if (x == 0) throw new IllegalArgumentException(); }

    //@ ensures x > 3 ==> \result == 1;
    //@ ensures \result == 1 <==> x > 3;
    static int arrows_ok(int x) { return x > 3 ? 1 : 0; }

    //@ ensures x > 3 ==> \result == 1;
    //@ ensures \result == 1 <==> x > 3;
    static int arrows_bad(int x) { return x >= 3 ? 1 : 0; }

    //@ requires !\reach(other, Clauses, next).has(this);
    //@ assignable next;
    //@ ensures \reach(this, Clauses, next).equals(\reach(other, Clauses, next).insert(this));
    void sets_ok(Clauses other) { next = other; }

    //@ requires !\reach(other, Clauses, next).has(this);
    //@ assignable next;
    //@ ensures \reach(this, Clauses, next).equals(\reach(other, Clauses, next));
    void sets_bad(Clauses other) { next = other; }

    //@ requires !\reach(other, Clauses, next).has(this);
    //@ assignable next;
    //@ ensures \reach(other, Clauses, next).intersection(\reach(this, Clauses, next)).isSubset(\reach(this, Clauses, next));
    //@ ensures \reach(this, Clauses, next).difference(\reach(other, Clauses, next)).int_size() == 1;
    void difference_ok(Clauses other) { next = other; }

    //@ requires !\reach(other, Clauses, next).has(this);
    //@ assignable next;
    //@ ensures \reach(this, Clauses, next).union(\reach(other, Clauses, next)).int_size() == 2;
    void union_bad(Clauses other) { next = other; }

    //@ ensures (\exists Clauses c; \reach(this, Clauses, next).has(c); c == \result && c.next == null) || \result == null;
    /*@ nullable @*/ Clauses exists_ok() { return next == null ? this : null; }

    //@ ensures (\exists Clauses c; \reach(this, Clauses, next).has(c); c == \result && c.next == null) || \result == null;
    /*@ nullable @*/ Clauses exists_bad() { return next == null ? null : next; }

    //@ requires x > 0;
    //@ working_space 100;
    //@ measured_by x;
    //@ ensures \result == x;
    static int rest(int x) { return x; }
}

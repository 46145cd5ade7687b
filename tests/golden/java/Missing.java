// Nothing that is left out supports a finding: a clause that is not modelled leaves unknown whatever rests on it.
class Second {
    private int s;
    /*@ ensures \result <==> 0 <= x && x < 60;
        public static pure helper model boolean legal(int x);
     */
    //@ private invariant legal(s);

    //@ ensures s > 0;
    void tick() { s = s + 1; if (s >= 60) s = 1; }

    //@ ensures \result >= 0;
    int get() { return s; }

    // What does not start in such an object does not rest on it.
    //@ requires x < 100;
    //@ ensures \result > x;
    static int more_ok(int x) { return x + 1; }
}

class Guarded {
    int level;
    //@ static invariant count >= 0;
    static int count;

    //@ ensures \result >= 0;
    static int static_ok() { return count; }

    //@ ensures \result > 0;
    static int static_bad() { return count; }

    //@ public model int depth;

    //@ ensures depth == 0;
    void unrepresented() { level = 0; }

    //@ requires (\max int i; 0 <= i && i < 3; i) == x;
    //@ ensures \result > 0;
    int quantified(int x) { return x; }
}

class Grouped {
    //@ public model int state;
    private int first, second; //@ in state;
    private int other;
    //@ private represents state = first;

    //@ assignable state;
    //@ ensures state == v;
    void group_ok(int v) { first = v; second = v; }

    //@ assignable state;
    //@ ensures state == v;
    void group_bad(int v) { first = v; other = v; }

    //@ assignable objectState;
    //@ ensures first == v;
    void unknown_group(int v) { first = v; other = v; }

    //@ assignable objectState;
    //@ ensures first == v;
    void promise_bad(int v) { first = v + 1; }
}

class Owed {
    // An obligation that is not read leaves the others.
    //@ ensures (\product int i; 0 <= i && i < 3; i) == 0;
    //@ ensures \result == x;
    static int other_bad(int x) { return x + 1; }

    //@ ensures (\product int i; 0 <= i && i < 3; i) == 0;
    //@ ensures \result == x;
    static int other(int x) { return x; }

    //@ requires x > -10;
    //@ {|
    //@   requires x > 0;
    //@   ensures \result == 1;
    //@ also
    //@   requires x <= 0;
    //@   ensures \result == 0;
    //@ |}
    static int cases_ok(int x) { return x > 0 ? 1 : x <= -10 ? 7 : 0; }

    //@ requires x > -10;
    //@ {|
    //@   requires x > 0;
    //@   ensures \result == 1;
    //@ also
    //@   requires x <= 0;
    //@   ensures \result == 0;
    //@ |}
    static int cases_bad(int x) { return x > 0 ? 1 : x < -8 ? 7 : 0; }
}

class Source {
    //@ ensures (\max int i; 0 <= i && i < 3; i) <= \result;
    native int next();

    //@ ensures 0 <= \result;
    native int size();
}

class Calls {
    // The promise of `next` is not read, so its answer may be one that it excludes.
    //@ ensures \result >= 2;
    static int next(Source source) { return source.next(); }

    //@ ensures \result >= 0;
    static int size_ok(Source source, int n) { return n < 0 ? source.size() : n; }

    //@ ensures \result >= 0;
    static int size_bad(Source source, int n) { return n >= 0 ? source.size() : n; }
}

class Initial {
    //@ ghost int status = 3;

    //@ ensures status == 3;
    Initial() { }
}

class Computed {
    static final int LIMIT = compute();
    static int compute() { return 4; }

    // Initialisers of classes are not run.
    //@ ensures \result == 4;
    static int limit() { return LIMIT; }

    //@ ensures \result == 4;
    static int limit_bad(int x) { return x == 3 ? 3 : LIMIT; }
}

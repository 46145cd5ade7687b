class Shelf {
    native int size();
    native Object first();
}

// What code gives that is not there is nobody's fault here; what fails whatever it gives is.
class Foreign {
    //@ ensures \result >= 0;
    static int size(Shelf shelf) { return shelf.size(); }

    //@ ensures \result >= 0;
    static int size_bad(Shelf shelf, int n) {
        if (n < 0) return n;
        return shelf.size();
    }

    //@ ensures \result != null;
    static Object first(Shelf shelf) { return shelf.first(); }

    //@ requires s.length() < 1000;
    //@ ensures \result <= s.length();
    static int index(String s) { return s.indexOf("x"); }

    //@ requires s.length() < 1000;
    //@ ensures \result < 1000;
    static int index_bad(String s) {
        if (s.indexOf("x") < 0) return s.length();
        return 1000;
    }

    //@ requires a.length() < 1000 && b.length() < 1000;
    //@ ensures \result.length() == a.length() + b.length();
    static String join_ok(String a, String b) { return a + b; }

    //@ requires a.length() < 1000 && b.length() < 1000;
    //@ ensures \result.length() == a.length() + a.length();
    static String join_bad(String a, String b) { return a + b; }

    //@ ensures \result.length() > n.length();
    static String numbered_ok(String n, int i) { return n + i; }

    //@ ensures \result.equals(a);
    static String same_bad(String a, String b) { return a + b; }
}

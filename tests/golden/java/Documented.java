// No finding relies on an answer that the documentation of the library excludes.
class Documented {
    //@ requires i > 0;
    static void print_ok(int i) { System.out.println(i); }

    //@ requires i > 0;
    static void print_bad(int i, /*@ nullable @*/ java.io.PrintStream out) { out.println(i); }

    //@ requires true;
    static void order_ok() { assert "ab".compareTo("ac") == -1; }

    //@ requires true;
    static void order_bad() { assert "ab".compareTo("ac") == 1; }

    //@ requires true;
    static void contents_ok() { assert "abc".charAt(1) == 'b' && "abc".indexOf("c") == 2; }

    //@ requires true;
    static void contents_bad() { assert "abc".charAt(1) == 'b' && "abc".indexOf("c") == 3; }

    //@ requires true;
    static void part_ok() { assert "banana".substring(2, 4).equals("na"); }

    //@ requires true;
    static void part_bad() { assert "banana".substring(2, 4).equals("an"); }

    //@ ensures \result >= -1;
    static int index_ok(String s) { return s.indexOf('x'); }

    //@ ensures \result >= -1;
    static int index_bad(String s) {
        if (s.indexOf('x') < 0) return -2;
        return 0;
    }

    //@ requires true;
    static int unequal_ok(String a, String b) {
        if (a.compareTo(b) == 0 && !a.equals(b)) return 1 / 0;
        return 0;
    }

    //@ requires true;
    static int unequal_bad(String a, String b) {
        if (!a.equals(b)) return 1 / 0;
        return 0;
    }
}

// Heaps: classes in every order of their declaration, and objects that only an array leads to.
class Knot {
    int key;
    /*@ nullable @*/ Knot left;
}

class Heaps {
    /*@ nullable @*/ Knot root;

    // The class of the field is declared before the one that has it.
    //@ ensures root == null || root.left == null || \result;
    boolean led_bad() { return false; }

    //@ ensures root == null || root.left == null || \result;
    boolean led_ok() { return true; }

    /*@ requires a.length == 2 && a[0] != null && a[1] != null && a[0] != a[1];
      @ requires a[0].key == 5 && a[1].key == 7;
      @ ensures a[0].key + a[1].key == 12;
      @*/
    static void elements_bad(Knot[] a) {
        int key = a[0].key;
        a[0].key = a[1].key;
        a[1].key = a[0].key;
    }

    /*@ requires a.length == 2 && a[0] != null && a[1] != null && a[0] != a[1];
      @ requires a[0].key == 5 && a[1].key == 7;
      @ ensures a[0].key + a[1].key == 12;
      @*/
    static void elements_ok(Knot[] a) {
        int key = a[0].key;
        a[0].key = a[1].key;
        a[1].key = key;
    }

    // An index beyond those that are listed.
    //@ requires a.length > 9;
    //@ ensures a[9] == null;
    static void far_bad(Knot[] a) {
        if (a[8] != null) a[9] = null;
    }

    //@ requires a.length > 9;
    //@ ensures a[9] == null;
    static void far_ok(Knot[] a) {
        a[9] = null;
    }

    /*@ requires (\forall int i; 0 <= i && i < a.length; a[i] != null);
      @ ensures \result <==> (\exists int i; 0 <= i && i < a.length; a[i] == k);
      @*/
    static boolean has_bad(Knot[] a, Knot k) {
        for (int i = 1; i < a.length; i++) if (a[i] == k) return true;
        return false;
    }

    /*@ requires (\forall int i; 0 <= i && i < a.length; a[i] != null);
      @ ensures \result <==> (\exists int i; 0 <= i && i < a.length; a[i] == k);
      @*/
    static boolean has_ok(Knot[] a, Knot k) {
        for (int i = 0; i < a.length; i++) if (a[i] == k) return true;
        return false;
    }
}

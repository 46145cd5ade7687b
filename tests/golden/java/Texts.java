// More literals than the scope has objects, some of which only a callee names.
class Texts {
    //@ requires n >= 0;
    //@ ensures \result == (n < 3);
    static boolean named_ok(int n) { return !name(n).equals("more"); }

    //@ requires n >= 0;
    //@ ensures \result == (n < 2);
    static boolean named_bad(int n) { return !name(n).equals("more"); }

    static String name(int n) {
        switch (n) {
            case 0: return "none";
            case 1: return "one";
            case 2: return "two";
            default: return "more";
        }
    }
}

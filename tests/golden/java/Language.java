// What the other files use in passing, each as a pair: members of members, switches, labels, locks, patterns,
// the order of evaluation, the narrow types, exceptions of the language that are caught.
class Wrapped<T> {
    T item;
    Wrapped(T item) { this.item = item; }
    T get() { return item; }
}

class Language {
    static class Nested {
        int value = 4;
        int twice() { return 2 * value; }
    }

    class Inner {
        int own = 1;
        void up() { own++; outer++; }
    }

    interface Choice { int pick(); }

    enum Light {
        RED(1), AMBER(2), GREEN(3), OFF(4);
        final int number;
        Light(int number) { this.number = number; }
    }

    int outer;
    static int shared;

    //@ ensures \result == 8;
    static int nested_ok() { return new Nested().twice(); }

    //@ ensures \result == 4;
    static int nested_bad() { return new Nested().twice(); }

    //@ requires outer == 3;
    //@ ensures outer == 4;
    void inner_ok() { new Inner().up(); }

    //@ requires outer == 3;
    //@ ensures outer == 3;
    void inner_bad() { new Inner().up(); }

    //@ ensures \result == 9;
    static int anonymous_ok() {
        Choice nine = new Choice() { public int pick() { return 9; } };
        return nine.pick();
    }

    //@ ensures \result == 9;
    static int anonymous_bad() {
        Choice eight = new Choice() { public int pick() { return 8; } };
        return eight.pick();
    }

    //@ ensures \result;
    static boolean generics_ok(Language one) {
        Wrapped<Language> wrapped = new Wrapped<>(one);
        return wrapped.get() == one;
    }

    //@ ensures \result;
    static boolean generics_bad(Language one, Language other) {
        Wrapped<Language> wrapped = new Wrapped<>(one);
        return wrapped.get() == other;
    }

    //@ ensures \result == 1 || \result == 2;
    static int enums_ok(Light light) {
        switch (light) {
            case RED: return 1;
            case AMBER: return 1;
            case GREEN: return 2;
            case OFF: return 2;
        }
        return 0;
    }

    //@ ensures \result == 2;
    static int enums_bad(Light light) {
        int result = 2;
        switch (light) {
            case OFF: result = 1;
            default:
        }
        return result;
    }

    //@ requires shared < 100;
    //@ assignable shared;
    //@ ensures shared == \old(shared) + 1;
    static void static_ok() { shared++; }

    //@ requires shared < 100;
    //@ assignable shared;
    //@ ensures shared == \old(shared) + 1;
    static void static_bad() { Language.shared += 2; }

    //@ ensures \result == (x == 1 || x == 2 || x == 3 ? 1 : 0);
    static int rules_ok(int x) {
        return switch (x) {
            case 1, 2 -> 1;
            case 3 -> { int y = x - 2; yield y; }
            default -> 0;
        };
    }

    //@ ensures \result == (x == 1 || x == 2 || x == 3 ? 1 : 0);
    static int rules_bad(int x) {
        return switch (x) {
            case 1, 2 -> 1;
            case 3 -> { int y = x - 1; yield y; }
            default -> 0;
        };
    }

    //@ ensures \result == 12;
    static int falling_ok() {
        int sum = 0;
        switch (1) {
            case 0: sum += 1;
            case 1: sum += 2;
            case 2: sum += 10; break;
            default: sum += 100;
        }
        return sum;
    }

    //@ ensures \result == 12;
    static int falling_bad() {
        int sum = 0;
        switch (1) {
            case 0: sum += 1;
            case 1: sum += 2; break;
            case 2: sum += 10; break;
            default: sum += 100;
        }
        return sum;
    }

    //@ ensures \result == 1;
    static int do_ok() {
        int i = 0;
        do i++; while (i < 1);
        return i;
    }

    //@ ensures \result == 1;
    static int do_bad() {
        int i = 0;
        do i++; while (i <= 1);
        return i;
    }

    //@ ensures \result == 2;
    static int labels_ok() {
        int count = 0;
        outer:
        for (int i = 0; ; i++) {
            for (int j = 0; j < 2; j++) {
                if (i == 2) break outer;
                if (j == 1) continue outer;
                count++;
            }
        }
        return count;
    }

    //@ ensures \result == 2;
    static int labels_bad() {
        int count = 0;
        outer:
        for (int i = 0; ; i++) {
            for (int j = 0; j < 2; j++) {
                if (i == 3) break outer;
                if (j == 1) continue outer;
                count++;
            }
        }
        return count;
    }

    //@ requires outer < 100;
    //@ ensures outer == \old(outer) + 1;
    void locked_ok() { synchronized (this) { outer++; } }

    //@ requires true;
    void locked_bad(/*@ nullable @*/ Language lock) { synchronized (lock) { outer = 0; } }

    //@ ensures \result == (o instanceof Language && ((Language) o).outer == 3);
    static boolean pattern_ok(Object o) { return o instanceof Language l && l.outer == 3; }

    //@ ensures \result == (o instanceof Language && ((Language) o).outer == 3);
    static boolean pattern_bad(Object o) { return o instanceof Language l && l.outer >= 3; }

    //@ requires 0 <= i && i < 2 && a.length == 3;
    //@ assignable a[*];
    //@ ensures a[i] == i + 1;
    static void order_ok(int[] a, int i) { a[i] = i = i + 1; }

    //@ requires 0 <= i && i < 2 && a.length == 3;
    //@ assignable a[*];
    //@ ensures a[i] == i + 1;
    static void order_bad(int[] a, int i) { a[i++] = i++ + i; }

    //@ ensures \result == 7;
    static int increments_ok() { int i = 3; return i++ + --i + (i < 0 | i++ > 2 ? 1 : 0); }

    //@ ensures \result == 7;
    static int increments_bad() { int i = 3; return i++ + i-- + (i < 0 | i++ > 2 ? 1 : 0); }

    //@ ensures \result == 44;
    static byte compound_ok() { byte b = 100; b += 200; return b; }

    //@ ensures \result == 300;
    static int compound_bad() { byte b = 100; b += 200; return b; }

    //@ requires x >= 0;
    //@ ensures \result >= 0;
    static long wide_ok(int x) { return (long) x + x; }

    //@ requires x >= 0;
    //@ ensures \result >= 0;
    static long wide_bad(int x) { return x + x; }

    //@ ensures \result == (c == 65535 ? 0 : c + 1);
    static int char_ok(char c) { c++; return c; }

    //@ ensures \result == c + 1;
    static int char_bad(char c) { c++; return c; }

    //@ requires s != Short.MIN_VALUE;
    //@ ensures \result == -s;
    static int short_ok(short s) { return (short) -s; }

    //@ ensures \result == -s;
    static int short_bad(short s) { return (short) -s; }

    //@ ensures \result == (a != b);
    static boolean boolean_ok(boolean a, boolean b) { return a ^ b; }

    //@ ensures \result == (a != b);
    static boolean boolean_bad(boolean a, boolean b) { return a | b; }

    //@ requires a.length < 3;
    //@ ensures \result == -1;
    static int index_ok(int[] a) {
        try { return a[3]; } catch (ArrayIndexOutOfBoundsException e) { return -1; }
    }

    //@ requires a.length < 4;
    static int index_bad(int[] a) {
        try { return a[3]; } catch (NegativeArraySizeException e) { return -1; }
    }

    //@ ensures \result == (y == 0 ? -1 : x / y);
    static int divisor_ok(int x, int y) {
        try { return x / y; } catch (ArithmeticException e) { return -1; }
    }

    //@ ensures \result == (y == 0 ? -1 : x / y);
    static int divisor_bad(int x, int y) {
        try { return x / y; } catch (ArithmeticException e) { return 0; }
    }

    //@ requires n <= 3;
    //@ ensures \result == (n < 0 ? -1 : n);
    static int size_ok(int n) {
        try { return new int[n].length; } catch (NegativeArraySizeException e) { return -1; }
    }

    //@ requires n <= 3;
    static int size_bad(int n) {
        try { return new int[n].length; } catch (NullPointerException e) { return -1; }
    }

    //@ ensures \result == (o instanceof Nested ? 1 : 0);
    static int cast_ok(Object o) {
        try { Nested nested = (Nested) o; return 1; } catch (ClassCastException e) { return 0; }
    }

    //@ ensures \result == 1;
    static int cast_bad(Object o) {
        try { Nested nested = (Nested) o; return 1; } catch (ClassCastException e) { return 0; }
    }

    //@ requires x < 1000;
    //@ ensures \result == x + 1;
    static int stub(int x) { return x + 1; }

    //@ requires x < 998;
    //@ ensures \result == x + 2;
    static int called_ok(int x) { return stub(stub(x)); }

    //@ requires x < 1001;
    //@ ensures \result == x + 2;
    static int called_bad(int x) { return stub(stub(x)); }

    //@ ensures \result == 1;
    static int lambda(int x) {
        if (x > 3) { Runnable task = () -> { }; task.run(); }
        return 1;
    }

    //@ requires x == x;
    //@ ensures \result == x;
    static double real(double x) { return x * 1.0; }
}

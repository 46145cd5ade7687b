// Numbers are exact: widths, promotion, shifts, division, casts (JLS 15.15 to 15.22).
class Arithmetic {
    //@ ensures \result >= 0;
    int abs_bad(int x) { return x < 0 ? -x : x; }

    //@ requires x != Integer.MIN_VALUE;
    //@ ensures \result >= 0;
    int abs_ok(int x) { return x < 0 ? -x : x; }

    //@ ensures \result == x;
    int narrow_bad(int x) { return (byte) x; }

    //@ requires -128 <= x && x <= 127;
    //@ ensures \result == x;
    int narrow_ok(int x) { return (byte) x; }

    //@ ensures \result == 1;
    int shift_bad(int by) { return 1 << by >> by; }

    //@ ensures \result == 1;
    int shift_ok(int by) { return 1 << by >>> by; }

    int divide_bad(int a, int b) {
        if (b >= 0) return a / b;
        return 0;
    }

    int divide_ok(int a, int b) {
        if (b > 0) return a / b;
        return 0;
    }

    //@ ensures \result;
    boolean chars_ok(char c) { return c >= 0 && (short) c == (short) (int) c && c + 1 > 0; }

    //@ ensures \result == x + 2;
    int order_ok(int x) {
        int i = x;
        int j = i++ + (i = 2) - x;
        return j + (i - 2) + x;
    }

    //@ ensures \result == 3L * x;
    long compound_ok(int x) {
        long sum = 0;
        sum += x;
        sum += 2L * x;
        return sum;
    }

    //@ ensures \result == (x & 7);
    int modulo_bad(int x) { return x % 8; }

    //@ requires x >= 0;
    //@ ensures \result == (x & 7);
    int modulo_ok(int x) { return x % 8; }
}

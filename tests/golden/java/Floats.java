/** Floating-point numbers: what is exact, and what nothing depends on. */
class Floats {
    //@ requires 0 <= x && x <= 8;
    static int converted_bad(double x) {
        int[] a = new int[8];
        return a[(int) x];
    }

    //@ requires 0 <= x && x < 8;
    static int converted_ok(double x) {
        int[] a = new int[8];
        return a[(int) x];
    }

    //@ ensures \result == x;
    static double nan_bad(double x) {
        return x * 1.0;
    }

    //@ requires x == x;
    //@ ensures \result == x;
    static double nan_ok(double x) {
        return x * 1.0;
    }

    //@ requires x == x;
    //@ ensures \result > 0;
    static float square_bad(float x) {
        return x * x;
    }

    //@ requires x == x;
    //@ ensures \result >= 0;
    static float square_ok(float x) {
        return x * x;
    }

    //@ requires x > 0;
    //@ ensures \result < 2147483647;
    static int saturated_bad(float x) {
        return (int) x;
    }

    //@ requires x > 0;
    //@ ensures \result <= 2147483647;
    static int saturated_ok(float x) {
        return (int) x;
    }

    //@ ensures \result == x;
    static int rounded_bad(int x) {
        return (int) (float) x;
    }

    //@ ensures \result == x;
    static int rounded_ok(int x) {
        return (int) (double) x;
    }

    //@ requires x > 0;
    //@ ensures \result < 0;
    static double negated_bad(double x) {
        return x - x;
    }

    //@ requires x > 0;
    //@ ensures \result < 0;
    static double negated_ok(double x) {
        return -x;
    }

    //@ ensures \result >= 0;
    static int divided_bad(double x, int y) {
        double half = x / 2;
        return y;
    }

    //@ requires y >= 0;
    //@ ensures \result >= 0;
    static int divided_ok(double x, int y) {
        double half = x / 2;
        return y;
    }

    //@ requires x > 0;
    //@ ensures \result <= x;
    static double half(double x) {
        return x / 2;
    }
}

// Exceptions are control flow: caught ones are nobody's fault, `finally` runs on every way out.
class Exceptions {
    int value;

    //@ requires true;
    int caught_ok(/*@ nullable @*/ Exceptions other) {
        try {
            return other.value;
        } catch (NullPointerException e) {
            return 0;
        }
    }

    //@ requires true;
    int caught_bad(/*@ nullable @*/ Exceptions other) {
        try {
            return other.value;
        } catch (ArithmeticException e) {
            return 0;
        }
    }

    //@ requires true;
    int through_call_ok(/*@ nullable @*/ Exceptions other) {
        try {
            return read(other);
        } catch (RuntimeException e) {
            return 0;
        }
    }

    private int read(/*@ nullable @*/ Exceptions other) { return other.value; }

    //@ ensures this.value == 7;
    void finally_ok(int x) {
        try {
            if (x == 0) return;
            if (x == 1) throw new IllegalStateException();
        } catch (IllegalStateException e) {
            x = 2;
        } finally {
            value = 7;
        }
    }

    //@ ensures this.value == 7;
    void finally_bad(int x) {
        try {
            if (x == 0) return;
            value = 7;
        } finally {
            x = 2;
        }
    }

    /*@ normal_behavior
      @   requires x > 0;
      @   ensures \result == x;
      @ also exceptional_behavior
      @   requires x <= 0;
      @   signals_only IllegalArgumentException;
      @*/
    int positive_ok(int x) {
        if (x <= 0) throw new IllegalArgumentException();
        return x;
    }

    /*@ normal_behavior
      @   requires x > 0;
      @   ensures \result == x;
      @ also exceptional_behavior
      @   requires x <= 0;
      @   signals_only IllegalArgumentException;
      @*/
    int positive_bad(int x) {
        if (x < 0) throw new IllegalArgumentException();
        return x;
    }

    //@ signals (ArithmeticException e) x == 0;
    int inverse_ok(int x) { return 1 / x; }

    //@ signals (ArithmeticException e) x == 1;
    int inverse_bad(int x) { return 1 / x; }

    //@ requires true;
    Object cast_bad(Object o) { return (String) o; }

    //@ requires true;
    /*@ nullable @*/ Object cast_ok(Object o) { return o instanceof String ? (String) o : null; }

    //@ ensures \result == 1;
    int asserted_ok(int x) {
        try {
            assert x > 0;
            return 1;
        } catch (AssertionError e) {
            return 1;
        }
    }

    //@ ensures \result == 1;
    int asserted_bad(int x) {
        try {
            assert x > 0;
            return 1;
        } catch (AssertionError e) {
            return 2;
        }
    }
}

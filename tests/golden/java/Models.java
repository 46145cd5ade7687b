// JML: ghost and model fields, sums and counts, elements in frames.
class Counter {
    int[] slots = new int[2];
    int used;
    //@ ghost int calls;
    //@ model int total;
    //@ represents total = slots.length == 2 ? slots[0] + slots[1] : 0;
    //@ model int room;
    //@ represents room <- slots.length - used;

    //@ requires slots.length == 2;
    //@ assignable slots[0];
    //@ ensures total == \old(total) + 1;
    void first_ok() { slots[0]++; }

    //@ requires slots.length == 2;
    //@ assignable slots[0];
    //@ ensures total == \old(total) + 1;
    void first_bad() { slots[1]++; }

    //@ requires 0 < used && used < 100;
    //@ assignable used;
    //@ ensures room == \old(room) + 1;
    void free_ok() { used--; }

    //@ requires 0 < used && used < 100;
    //@ assignable used;
    //@ ensures room == \old(room) - 1;
    void free_bad() { used--; }

    //@ assignable calls;
    //@ ensures calls == \old(calls) + 1;
    void ghost_ok() {
        //@ set calls = calls + 1;
    }

    //@ assignable calls;
    //@ ensures calls == \old(calls) + 1;
    void ghost_bad() {
        //@ set calls = calls + 2;
    }

    //@ requires a.length <= 3;
    //@ ensures \result == (\sum int i; 0 <= i && i < a.length; a[i]);
    static int sum_ok(int[] a) {
        int sum = 0;
        for (int x : a) sum += x;
        return sum;
    }

    //@ requires a.length <= 3;
    //@ ensures \result == (\sum int i; 0 <= i && i < a.length; a[i]);
    static int sum_bad(int[] a) {
        int sum = 0;
        for (int i = 1; i < a.length; i++) sum += a[i];
        return sum;
    }

    //@ requires a.length <= 3;
    //@ ensures \result == (\num_of int i; 0 <= i && i < a.length; a[i] == x);
    static int count_ok(int[] a, int x) {
        int count = 0;
        for (int y : a) if (x == y) count++;
        return count;
    }

    //@ requires a.length <= 3;
    //@ ensures \result == (\num_of int i; 0 <= i && i < a.length; a[i] == x);
    static int count_bad(int[] a, int x) {
        for (int y : a) if (x == y) return 1;
        return 0;
    }

    //@ requires 0 <= i && i < a.length;
    //@ assignable a[i..a.length - 1];
    static void range_ok(int[] a, int i) { a[i] = 1; }

    //@ requires 0 < i && i < a.length;
    //@ assignable a[i..a.length - 1];
    static void range_bad(int[] a, int i) { a[i - 1] = 1; }

    //@ requires 0 < a.length;
    //@ assignable a[*];
    static void elements_ok(int[] a, int[] b) { a[0] = 1; }

    //@ requires 0 < a.length && 0 < b.length;
    //@ assignable a[*];
    static void elements_bad(int[] a, int[] b) { b[0] = 1; }

    //@ assignable this.*;
    void all_ok(Counter other) { used = 1; }

    //@ assignable this.*;
    void all_bad(Counter other) { other.used = 1; }
}

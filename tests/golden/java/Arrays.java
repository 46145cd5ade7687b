// Arrays: bounds, lengths, elements, quantified contracts, loops over them.
class Arrays {
    //@ requires a.length > 0;
    int last_ok(int[] a) { return a[a.length - 1]; }

    //@ requires true;
    int last_bad(int[] a) { return a[a.length - 1]; }

    //@ requires 0 <= i && i < a.length && 0 <= j && j < a.length;
    //@ ensures a[i] == \old(a[j]) && a[j] == \old(a[i]);
    void swap_ok(int[] a, int i, int j) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }

    //@ requires 0 <= i && i < a.length && 0 <= j && j < a.length;
    //@ ensures a[i] == \old(a[j]) && a[j] == \old(a[i]);
    void swap_bad(int[] a, int i, int j) {
        a[i] = a[j];
        a[j] = a[i];
    }

    //@ requires 0 <= n && n <= 3;
    //@ ensures \result.length == n && (\forall int i; 0 <= i && i < n; \result[i] == 0);
    int[] zeros_ok(int n) { return new int[n]; }

    //@ requires a.length <= 3;
    //@ ensures (\forall int i; 0 <= i && i < a.length; a[i] <= \result);
    int max_ok(int[] a) {
        int max = Integer.MIN_VALUE;
        for (int x : a) if (x > max) max = x;
        return max;
    }

    //@ requires a.length <= 3;
    //@ ensures (\forall int i; 0 <= i && i < a.length; a[i] <= \result);
    int max_bad(int[] a) {
        int max = Integer.MIN_VALUE;
        for (int x : a) if (x < max) max = x;
        return max;
    }

    //@ requires true;
    int[] make_bad(int n) { return new int[n]; }

    //@ ensures \result == 6;
    int sum_ok() {
        int[] a = {1, 2, 3};
        int sum = 0;
        for (int i = 0; i < a.length; i++) sum += a[i];
        return sum;
    }

    //@ ensures \result == 3;
    int labels_ok() {
        int count = 0;
        outer:
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                if (j == 1) continue outer;
                count++;
            }
        }
        return count;
    }
}

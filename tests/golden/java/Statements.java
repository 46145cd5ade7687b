// Iterators, arrays of arrays, resources, captured variables, copies, strings.
import java.util.Iterator;

class Bag implements Iterable<Integer> {
    int[] items = new int[0];

    public Iterator<Integer> iterator() {
        return new Iterator<Integer>() {
            int next = 0;
            public boolean hasNext() { return next < items.length; }
            public Integer next() { return items[next++]; }
            public void remove() { throw new UnsupportedOperationException(); }
        };
    }
}

class Door implements AutoCloseable {
    static int open;
    Door() { open++; }
    public void close() { open--; }
}

abstract class Shift {
    final int by;
    Shift(int by) { this.by = by; }
    abstract int apply(int x);
}

class Statements {
    //@ requires bag.items != null && bag.items.length == 2;
    //@ ensures \result == bag.items[0] + bag.items[1];
    static int iterate_ok(Bag bag) {
        int sum = 0;
        for (int item : bag) sum += item;
        return sum;
    }

    //@ requires bag.items != null && bag.items.length == 2;
    //@ ensures \result == bag.items[0] + bag.items[1];
    static int iterate_bad(Bag bag) {
        int sum = 0;
        for (int item : bag) sum = item;
        return sum;
    }

    //@ requires 0 <= i && i < 2 && 0 <= j && j < 2;
    //@ ensures \result == 0;
    static int grid_ok(int i, int j) {
        int[][] grid = new int[2][2];
        grid[1 - i][j] = 7;
        return grid[i][j];
    }

    //@ requires 0 <= i && i < 2 && 0 <= j && j < 2;
    //@ ensures \result == 0;
    static int grid_bad(int i, int j) {
        int[][] grid = new int[2][2];
        grid[1 - i][j] = 7;
        return grid[j][j];
    }

    //@ requires Door.open == 0;
    //@ ensures Door.open == 0 && \result == 1;
    static int resource_ok() {
        try (Door door = new Door()) {
            return Door.open;
        }
    }

    //@ requires Door.open == 0;
    //@ ensures Door.open == 0 && \result == 1;
    static int resource_bad() {
        Door door = new Door();
        return Door.open;
    }

    //@ requires 0 <= x && x < 100 && 0 <= y && y < 100;
    //@ ensures \result == 2 * x + y;
    static int capture_ok(int x, int y) {
        int twice = 2 * x;
        Shift shift = new Shift(y) {
            int apply(int z) { return twice + by + z; }
        };
        return shift.apply(0);
    }

    //@ requires 0 <= x && x < 100 && 0 <= y && y < 100;
    //@ ensures \result == 2 * x + y;
    static int capture_bad(int x, int y) {
        int twice = 2 * x;
        Shift shift = new Shift(x) {
            int apply(int z) { return twice + by + z; }
        };
        return shift.apply(0);
    }

    //@ requires a.length == 3;
    //@ assignable a[*];
    //@ ensures a[1] == \old(a[0]) && a[2] == \old(a[1]) && \result.length == 2;
    static int[] copy_ok(int[] a) {
        System.arraycopy(a, 0, a, 1, 2);
        return java.util.Arrays.copyOf(a, 2);
    }

    //@ requires a.length == 3;
    //@ assignable a[*];
    //@ ensures a[1] == \old(a[0]) && a[2] == \old(a[1]);
    static void copy_bad(int[] a) {
        for (int i = 0; i < 2; i++) a[i + 1] = a[i];
    }

    //@ requires 0 <= from && from <= 4 && 0 <= count && count <= 4;
    static void bounds_bad(int[] a, int[] b, int from, int count) {
        if (from + count <= a.length) System.arraycopy(a, from, b, 0, count);
    }

    //@ requires 0 <= from && from <= 4 && 0 <= count && count <= 4;
    static void bounds_ok(int[] a, int[] b, int from, int count) {
        if (from + count <= a.length && count <= b.length) System.arraycopy(a, from, b, 0, count);
    }

    //@ ensures \result <==> s == t || s.equals(t);
    static boolean same_ok(String s, String t) { return t.equals(s); }

    //@ ensures \result <==> s.equals(t);
    static boolean same_bad(String s, String t) { return s == t; }

    //@ ensures \result == 1 || \result == 2 || \result == 3;
    static int words_ok(String s) {
        switch (s) {
            case "one": return 1;
            case "two": return 2;
            default: return s.equals("one") ? 0 : 3;
        }
    }

    //@ ensures \result != 0;
    static int words_bad(String s) {
        if (s == "one") return 1;
        return s.equals("one") ? 0 : 3;
    }
}

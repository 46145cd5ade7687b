// Constant expressions have their values, and final fields those that they are declared with.
interface Limits {
    int LEAST = 1;
    int MOST = LEAST * 31;
    String NAME = "day" + MOST;
}

class Constants implements Limits {
    static final int SUM = 1 + 2;
    static final int PRODUCT = SUM * 60;
    static final int HALF = Integer.MAX_VALUE / 2;
    static final byte SMALL = (byte) 200;
    static final char NEXT = 'a' + 1;
    static final long WIDE = 1L << 40;
    static final int CHOICE = PRODUCT > 100 ? Short.MAX_VALUE : 0;
    static final int CUT = (int) 3.9;
    static final boolean NEAR = 0.1 + 0.2 > 0.3;
    static final String JOINED = "a" + SUM + NEXT;
    static final int[] TWO = {1, 2};
    static final int[] FOUR = new int[SUM + 1];
    static final Integer FIVE = 5;
    final int own = SUM * 2;

    //@ ensures \result == 180;
    static int product_ok() { return PRODUCT; }

    //@ ensures \result == 181;
    static int product_bad() { return PRODUCT; }

    //@ ensures \result > 0;
    static int half_ok() { return HALF; }

    //@ ensures \result < 0;
    static int half_bad() { return HALF; }

    //@ ensures \result == -56;
    static int small_ok() { return SMALL; }

    //@ ensures \result == 200;
    static int small_bad() { return SMALL; }

    //@ ensures \result == 'b';
    static char next_ok() { return NEXT; }

    //@ ensures \result == 'c';
    static char next_bad() { return NEXT; }

    //@ ensures \result == 1099511627776L;
    static long wide_ok() { return WIDE; }

    //@ ensures \result == 256;
    static long wide_bad() { return WIDE; }

    //@ ensures \result == 32767;
    static int choice_ok() { return CHOICE; }

    //@ ensures \result == 0;
    static int choice_bad() { return CHOICE; }

    //@ ensures \result == 3;
    static int floating_ok() { return NEAR ? CUT : 0; }

    //@ ensures \result == 4;
    static int floating_bad() { return NEAR ? CUT : 0; }

    //@ requires LEAST <= day && day <= MOST;
    //@ ensures LEAST <= \result && \result <= Limits.MOST;
    static int inherited_ok(int day) { return day == MOST ? LEAST : day + 1; }

    //@ requires LEAST <= day && day <= MOST;
    //@ ensures LEAST <= \result && \result <= Limits.MOST;
    static int inherited_bad(int day) { return day > MOST ? LEAST : day + 1; }

    //@ ensures \result == 3;
    static int joined_ok() { return JOINED.length(); }

    //@ ensures \result == 2;
    static int joined_bad() { return JOINED.length(); }

    //@ requires true;
    static void same_ok() { assert JOINED == "a" + 3 + 'b' && NAME.equals("day31"); }

    //@ requires true;
    static void same_bad() { assert JOINED == "a" + 3 + 'c' && NAME.equals("day31"); }

    //@ ensures \result == 2;
    static int array_ok() { return TWO.length; }

    //@ ensures \result == 3;
    static int array_bad() { return TWO.length; }

    //@ requires 0 <= i && i < 4;
    static int index_ok(int i) { return FOUR[i]; }

    //@ requires 0 <= i && i <= 4;
    static int index_bad(int i) { return FOUR[i]; }

    //@ ensures \result == 5;
    static int box_ok() { return FIVE; }

    //@ ensures \result == 6;
    static int box_bad() { return FIVE; }

    //@ ensures \result == 6;
    int instance_ok() { return own; }

    //@ ensures \result == 7;
    int instance_bad() { return own; }
}

// Arrays of numbers and of objects. Below a line, `A => B` makes a mutant of it.
class Rows {
    //@ requires a.length <= 3;
    //@ ensures \result >= 0 ==> \result < a.length && a[\result] == x;
    //@ ensures \result < 0 ==> (\forall int i; 0 <= i && i < a.length; a[i] != x);
    //@ assignable \nothing;
    static int find(int[] a, int x) {
        for (int i = 0; i < a.length; i++) {
            //~ = 0 => = 1
            //~ < => <=
            //~ a.length => a.length - 1
            if (a[i] == x) return i;
            //~ == => !=
            //~ return i => return i + 1
        }
        return -1;
        //~ -1 => 0
    }

    //@ requires a.length <= 3;
    //@ ensures a.length == 2 ==> a[0] == \old(a[1]) && a[1] == \old(a[0]);
    //@ ensures a.length == 3 ==> a[0] == \old(a[2]) && a[1] == \old(a[1]) && a[2] == \old(a[0]);
    //@ assignable a[*];
    static void reverse(int[] a) {
        for (int i = 0, j = a.length - 1; i < j; i++, j--) {
            //~ = 0 => = 1
            //~ - 1 => - 2
            //~ j-- => j++
            int x = a[i];
            a[i] = a[j];
            //~ a[i] = a[j]; =>
            a[j] = x;
            //~ = x => = a[i]
            //~ a[j] = x; =>
        }
    }

    //@ requires 0 < a.length && a.length <= 3;
    //@ ensures (\forall int i; 0 <= i && i < a.length; a[i] <= \result);
    //@ ensures (\exists int i; 0 <= i && i < a.length; a[i] == \result);
    //@ assignable \nothing;
    static int most(int[] a) {
        int most = a[0];
        //~ a[0] => 0
        for (int i = 1; i < a.length; i++) {
            //~ = 1 => = 2
            if (a[i] > most) most = a[i];
            //~ > => <
            //~ = a[i] => = i
        }
        return most;
        //~ return most => return a[0]
    }

    //@ requires a.length <= 3;
    //@ ensures \result <==> (\exists int i; 0 <= i && i < a.length; a[i] == null);
    //@ assignable \nothing;
    static boolean hasGap(Object[] a) {
        for (Object o : a) {
            if (o == null) return true;
            //~ == => !=
            //~ true => false
        }
        return false;
        //~ false => true
    }
}

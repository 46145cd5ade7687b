// "It's Doomed" is about Java in Table 3: the null pointer micro-benchmark of FindBugs, as in null_pointers.bpl
// beside this, without any contract. An object is null unless a test sets it, and is then used under a test
// that agrees with the first one (fp) or contradicts it (tp). In itp and ifp a helper uses it.
class NullPointers {
    int fp1(int level) {
        Object x = null;
        if (level > 0) x = new Object();
        if (level > 4) return x.hashCode();
        return 0;
    }

    int tp1(int level) {
        Object x = null;
        if (level > 0) x = new Object();
        if (level < 5) return x.hashCode();
        return 0;
    }

    int fp2(boolean b) {
        Object x = null;
        if (b) x = new Object();
        if (b) return x.hashCode();
        return 0;
    }

    int tp2(boolean b) {
        Object x = null;
        if (b) x = new Object();
        if (!b) return x.hashCode();
        return 0;
    }

    int fp3(Object x) {
        Object y = null;
        if (x != null) y = new Object();
        if (y != null) return x.hashCode() + y.hashCode();
        return 0;
    }

    int tp3(Object x) {
        Object y = null;
        if (x != null) y = new Object();
        if (y != null) return x.hashCode() + y.hashCode();
        else return x.hashCode();
    }

    int tp4(Object x) {
        if (x == null) return x.hashCode();
        return 0;
    }

    int fp4(Object x, boolean b) {
        boolean k = x != null && b;
        if (k) return x.hashCode();
        return 0;
    }

    int tp5(Object x) {
        if (x == null) {
            Object y = x;
            return y.hashCode();
        }
        return 0;
    }

    int tp6(Object x) {
        int h;
        if (x == null) h = 1; else h = x.hashCode();
        if (h == 1 && x == null) h = x.hashCode();
        return h;
    }

    static int use(Object x) { return x.hashCode(); }

    static int useIf(Object x, boolean b) { return b ? x.hashCode() : 0; }

    int itp1(boolean b) {
        Object x = null;
        if (b) x = new Object();
        return useIf(x, !b);
    }

    int ifp1(boolean b) {
        Object x = null;
        if (b) x = new Object();
        return useIf(x, b);
    }

    int itp2() { return use(null); }

    int itp3(boolean b) {
        Object x = null;
        if (b) x = new Object();
        return use(x);
    }
}

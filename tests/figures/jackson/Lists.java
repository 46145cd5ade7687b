// The list procedures of Dor, Rodeh and Sagiv (PASTE 1998), which Jackson and Vaziri check in section 4, in
// Java: each as it should be, and with an anomaly that was found in it or is like those that were.
class Cell { Cell next; int val; }

class Lists {
    @Requires("no c: l.*next | c in c.+next")
    @Ensures("no result || (result in l.*next && result.val = v)")
    static Cell search_ok(Cell l, int v) {
        while (l != null && l.val != v) l = l.next;
        return l;
    }

    @Requires("no c: l.*next | c in c.+next")
    @Ensures("no result || (result in l.*next && result.val = v)")
    static Cell search_bad(Cell l, int v) {
        while (l.val != v && l != null) l = l.next;
        return l;
    }

    @Requires("some e && no e.next && e not in l.*next && (no c: l.*next | c in c.+next)")
    @Ensures("result.*next' = l.*next + e")
    static Cell insert_ok(Cell l, Cell e) {
        if (l == null || l.val >= e.val) {
            e.next = l;
            return e;
        }
        Cell here = l;
        while (here.next != null && here.next.val < e.val) here = here.next;
        e.next = here.next;
        here.next = e;
        return l;
    }

    @Requires("some e && no e.next && e not in l.*next && (no c: l.*next | c in c.+next)")
    @Ensures("result.*next' = l.*next + e")
    static Cell insert_bad(Cell l, Cell e) {
        Cell here = l;
        while (here.next != null && here.next.val < e.val) here = here.next;
        e.next = here.next;
        here.next = e;
        return l;
    }

    @Requires("no c: l.*next | c in c.+next")
    @Ensures("result.*next' = l.*next - e")
    static Cell delete_ok(Cell l, Cell e) {
        if (l == null || e == null) return l;
        if (l == e) return l.next;
        Cell prev = l;
        while (prev.next != null && prev.next != e) prev = prev.next;
        if (prev.next == e) prev.next = e.next;
        return l;
    }

    @Requires("no c: l.*next | c in c.+next")
    @Ensures("result.*next' = l.*next - e")
    static Cell delete_bad(Cell l, Cell e) {
        if (l == null || e == null) return l;
        if (l == e) return l.next;
        Cell prev = l;
        while (prev.next != e) prev = prev.next;
        prev.next = e.next;
        return l;
    }

    @Requires("no c: l.*next | c in c.+next")
    @Ensures("all c: l.*next | no c.next'")
    static void deleteAll_ok(Cell l) {
        while (l != null) {
            Cell next = l.next;
            l.next = null;
            l = next;
        }
    }

    @Requires("no c: l.*next | c in c.+next")
    @Ensures("all c: l.*next | no c.next'")
    static void deleteAll_bad(Cell l) {
        while (l != null) {
            l.next = null;
            l = l.next;
        }
    }

    @Requires("no c: l.*next | c in c.+next")
    @Ensures("result.*next' = l.*next && (all c: l.*next | c = l || c.next'.next = c)")
    static Cell reverse_ok(Cell l) {
        Cell done = null;
        while (l != null) {
            Cell next = l.next;
            l.next = done;
            done = l;
            l = next;
        }
        return done;
    }

    @Requires("no c: l.*next | c in c.+next")
    @Ensures("result.*next' = l.*next && (all c: l.*next | c = l || c.next'.next = c)")
    static Cell reverse_bad(Cell l) {
        Cell done = null;
        while (l != null) {
            l.next = done;
            done = l;
            l = l.next;
        }
        return done;
    }

    @Requires("no c: l.*next | c in c.+next")
    @Ensures("result.*next' = l.*next && (no c: result.*next' | c in c.+next')")
    static Cell rotate_ok(Cell l) {
        if (l == null || l.next == null) return l;
        Cell last = l;
        while (last.next != null) last = last.next;
        Cell first = l.next;
        last.next = l;
        l.next = null;
        return first;
    }

    @Requires("no c: l.*next | c in c.+next")
    @Ensures("result.*next' = l.*next && (no c: result.*next' | c in c.+next')")
    static Cell rotate_bad(Cell l) {
        Cell last = l;
        while (last.next != null) last = last.next;
        Cell first = l.next;
        last.next = l;
        l.next = null;
        return first;
    }

    @Requires("no c: l.*next | c in c.+next")
    @Ensures("result.*next' = l.*next")
    static Cell swap_ok(Cell l) {
        if (l == null || l.next == null) return l;
        Cell second = l.next;
        l.next = second.next;
        second.next = l;
        return second;
    }

    @Requires("no c: l.*next | c in c.+next")
    @Ensures("result.*next' = l.*next")
    static Cell swap_bad(Cell l) {
        if (l == null) return l;
        Cell second = l.next;
        l.next = second.next;
        second.next = l;
        return second;
    }

    @Requires("0 <= n && n <= 3")
    @Ensures("#(result.*next') = n && (no c: result.*next' | c in c.+next')")
    static Cell create_ok(int n) {
        Cell l = null;
        while (n > 0) {
            Cell fresh = new Cell();
            fresh.next = l;
            l = fresh;
            n--;
        }
        return l;
    }

    @Requires("0 <= n && n <= 3")
    @Ensures("#(result.*next') = n && (no c: result.*next' | c in c.+next')")
    static Cell create_bad(int n) {
        Cell l = new Cell();
        while (n > 0) {
            Cell fresh = new Cell();
            fresh.next = l;
            l = fresh;
            n--;
        }
        return l;
    }

    @Requires("no p.*next & q.*next && (no c: p.*next + q.*next | c in c.+next)")
    @Ensures("result.*next' = p.*next + q.*next")
    static Cell append_ok(Cell p, Cell q) {
        if (p == null) return q;
        Cell last = p;
        while (last.next != null) last = last.next;
        last.next = q;
        return p;
    }

    @Requires("no p.*next & q.*next && (no c: p.*next + q.*next | c in c.+next)")
    @Ensures("result.*next' = p.*next + q.*next")
    static Cell append_bad(Cell p, Cell q) {
        Cell last = p;
        while (last.next != null) last = last.next;
        last.next = q;
        return p;
    }
}

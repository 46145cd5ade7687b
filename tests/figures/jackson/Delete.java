// Jackson and Vaziri, Finding Bugs with a Constraint Solver (ISSTA 2000), Figure 1: deleting the cells with
// value v from a list, wrongly, with the specifications of the figure, one for each copy of the procedure.
class List { List next; Val val; }
class Val { }

class Procedures {
    // 1: no cells are added.
    @Ensures("l.*next' in l.*next")
    static void delete_1(List l, Val v) {
        List prev = null;
        while (l != null)
            if (l.val == v) {
                prev.next = l.next;
                return;
            } else {
                prev = l;
                l = l.next;
            }
    }

    // 2: no cell with value v after.
    @Ensures("no c: l.*next' | c.val' = v")
    static void delete_2(List l, Val v) {
        List prev = null;
        while (l != null)
            if (l.val == v) {
                prev.next = l.next;
                return;
            } else {
                prev = l;
                l = l.next;
            }
    }

    // 3: cells with value v are removed.
    @Ensures("l.*next' = l.*next - {c | c.val = v}")
    static void delete_3(List l, Val v) {
        List prev = null;
        while (l != null)
            if (l.val == v) {
                prev.next = l.next;
                return;
            } else {
                prev = l;
                l = l.next;
            }
    }

    // 4: no cells are mutated.
    @Ensures("all c | c.val = c.val'")
    static void delete_4(List l, Val v) {
        List prev = null;
        while (l != null)
            if (l.val == v) {
                prev.next = l.next;
                return;
            } else {
                prev = l;
                l = l.next;
            }
    }

    // 5: no cycles are introduced.
    @Ensures("(no c: l.*next | c in c.+next) -> (no c: l.*next' | c in c.+next')")
    static void delete_5(List l, Val v) {
        List prev = null;
        while (l != null)
            if (l.val == v) {
                prev.next = l.next;
                return;
            } else {
                prev = l;
                l = l.next;
            }
    }

    // 2, if the first cell is not to be deleted: only the first matching cell is.
    @Requires("l.val != v")
    @Ensures("no c: l.*next' | c.val' = v")
    static void delete_2_not_first(List l, Val v) {
        List prev = null;
        while (l != null)
            if (l.val == v) {
                prev.next = l.next;
                return;
            } else {
                prev = l;
                l = l.next;
            }
    }

    // 2, if no two cells have the same value. That v is not null and that the list has an end are our
    // additions: two cells may both have no value, and a cell may be its own next.
    @Requires("l.val != v")
    @Requires("some v")
    @Requires("all x | sole cell: l.*next | cell.val = x")
    @Requires("no c: l.*next | c in c.+next")
    @Ensures("no c: l.*next' | c.val' = v")
    static void delete_2_no_duplicates(List l, Val v) {
        List prev = null;
        while (l != null)
            if (l.val == v) {
                prev.next = l.next;
                return;
            } else {
                prev = l;
                l = l.next;
            }
    }

    // 3, likewise.
    @Requires("l.val != v")
    @Requires("some v")
    @Requires("all x | sole cell: l.*next | cell.val = x")
    @Requires("no c: l.*next | c in c.+next")
    @Ensures("l.*next' = l.*next - {c | c.val = v}")
    static void delete_3_no_duplicates(List l, Val v) {
        List prev = null;
        while (l != null)
            if (l.val == v) {
                prev.next = l.next;
                return;
            } else {
                prev = l;
                l = l.next;
            }
    }
}

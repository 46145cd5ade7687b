// Formulas over relations in annotations, operator by operator.
class Item {
    Item next;
    Item back;
    int val;
}

@Invariant("no i: this.head.*next | i in i.+next")
class Chain {
    Item head;

    @Requires("some e && e not in this.head.*next && no e.next")
    @Modifies("head, next")
    @Ensures("this.head'.*next' = this.head.*next + e")
    void push_ok(Item e) {
        e.next = head;
        head = e;
    }

    @Requires("some e && e not in this.head.*next && no e.next")
    @Modifies("head, next")
    @Ensures("this.head'.*next' = this.head.*next + e")
    void push_bad(Item e) {
        head = e;
    }

    @Requires("some this.head")
    @Modifies("head")
    @Ensures("this.head'.*next = this.head.*next - this.head")
    void pop_ok() { head = head.next; }

    @Requires("some this.head")
    @Modifies("head")
    @Ensures("this.head'.*next = this.head.*next & this.head.+next")
    void meet_ok() { head = head.next; }

    @Requires("some this.head && some this.head.next")
    @Modifies("head")
    @Ensures("this.head'.*next = this.head.*next - this.head")
    void pop_bad() { head = head.next.next; }

    @Requires("some e && e in this.head.*next")
    @Modifies("next")
    @Ensures("true")
    void cycle_ok(Item e) { e.next = null; }

    @Requires("some e && e in this.head.*next")
    @Modifies("next")
    @Ensures("true")
    void cycle_bad(Item e) { e.next = head; }

    @Requires("some a")
    @Modifies("val")
    @Ensures("no next' - next")
    static void frame_ok(Item a) { a.val = 1; }

    @Requires("some a")
    @Modifies("val")
    @Ensures("true")
    static void frame_bad(Item a) { a.next = null; }
}

class Operators {
    @Requires("some a && some a.next && a.next != a")
    @Ensures("result in a.next.~next")
    static Item transpose_ok(Item a) { return a; }

    @Requires("some a && some a.next && a.next != a")
    @Ensures("result in a.~next")
    static Item transpose_bad(Item a) { return a.next; }

    @Requires("some a")
    @Ensures("one result && sole a.next && result = a")
    static Item multiplicity_ok(Item a) { return a; }

    @Requires("some a")
    @Ensures("one result")
    static Item multiplicity_bad(Item a) { return a.next; }

    @Requires("all i: a.*next | i.val = 3")
    @Ensures("no result || result.val = 3")
    static Item all_ok(Item a) { return a == null ? null : a.next; }

    @Requires("all i: a.+next | i.val = 3")
    @Ensures("no result || result.val = 3")
    static Item all_bad(Item a) { return a; }

    @Requires("no i: a.*next | i in i.+next")
    @Ensures("result in {i | i in a.*next && i.val = v} || no result")
    static Item comprehension_ok(Item a, int v) {
        while (a != null && a.val != v) a = a.next;
        return a;
    }

    @Requires("no i: a.*next | i in i.+next")
    @Ensures("result in {i | i in a.*next && i.val = v} || no result")
    static Item comprehension_bad(Item a, int v) {
        while (a != null && a.val == v) a = a.next;
        return a;
    }

    @Requires("some a && some b")
    @Modifies("next")
    @Ensures("a.next' = b && a.next' != a.next => some a.next'")
    static void primes_ok(Item a, Item b) { a.next = b; }

    @Requires("some a && some b")
    @Modifies("next")
    @Ensures("a.next' != a.next")
    static void primes_bad(Item a, Item b) { a.next = b; }
}

// Jackson and Vaziri, section 4: merging two sorted lists, after Dor, Rodeh and Sagiv. Arguments that share
// cells make a cycle.
class Node { Node next; int val; }

class Merge {
    // Table 1: the result has the cells of both.
    @Requires("no p.*next & q.*next && (no c: p.*next + q.*next | c in c.+next)")
    @Ensures("result.*next' = p.*next + q.*next")
    static Node merge(Node p, Node q) {
        if (p == null) return q;
        if (q == null) return p;
        Node head;
        if (p.val < q.val) { head = p; p = p.next; } else { head = q; q = q.next; }
        Node tail = head;
        while (p != null && q != null) {
            if (p.val < q.val) { tail.next = p; p = p.next; } else { tail.next = q; q = q.next; }
            tail = tail.next;
        }
        if (p != null) tail.next = p; else tail.next = q;
        return head;
    }

    // The anomaly that the paper found: nothing is said of shared cells.
    @Requires("no c: p.*next + q.*next | c in c.+next")
    @Ensures("no c: result.*next' | c in c.+next'")
    static Node merge_aliased(Node p, Node q) {
        if (p == null) return q;
        if (q == null) return p;
        Node head;
        if (p.val < q.val) { head = p; p = p.next; } else { head = q; q = q.next; }
        Node tail = head;
        while (p != null && q != null) {
            if (p.val < q.val) { tail.next = p; p = p.next; } else { tail.next = q; q = q.next; }
            tail = tail.next;
        }
        if (p != null) tail.next = p; else tail.next = q;
        return head;
    }

    @Requires("no p.*next & q.*next && (no c: p.*next + q.*next | c in c.+next)")
    @Requires("all c: p.*next + q.*next | no c.next || c.val <= c.next.val")
    @Ensures("all c: result.*next' | no c.next' || c.val' <= c.next'.val'")
    static Node merge_sorted(Node p, Node q) {
        if (p == null) return q;
        if (q == null) return p;
        Node head;
        if (p.val < q.val) { head = p; p = p.next; } else { head = q; q = q.next; }
        Node tail = head;
        while (p != null && q != null) {
            if (p.val < q.val) { tail.next = p; p = p.next; } else { tail.next = q; q = q.next; }
            tail = tail.next;
        }
        if (p != null) tail.next = p; else tail.next = q;
        return head;
    }
}

//! A bounded check of a procedure that reverses a linked list in place, with a mistake in it.
//!
//! The loop is unrolled once and every assignment makes a new version of the field or variable it
//! assigns, so the procedure becomes relational expressions. Its mistake: the first node should
//! come to lead to nothing and is made to lead to the third. (Torlak's demonstration of bounded
//! verification with Kodkod.)
//!
//! ```text
//! near := this.head;  mid := near.next;  far := mid.next
//! near.next := far                                    -- should be nil
//! while far != nil { mid.next := near;  near := mid;  mid := far;  far := far.next }
//! mid.next := near;  this.head := mid
//!
//! requires  a well-formed list of at least two nodes
//! ensures   a well-formed list of the same nodes, linked the other way round
//! ```

use relational::{Error, Expr, Formula, Logic};

use super::vocabulary::Vocabulary;
use super::{Expected, Problem};

/// Does the procedure fail to reverse some list of at most this many nodes? It does, of three.
///
/// # Errors
/// Never, as the universe is not empty.
pub fn list_check(logic: &Logic, nodes: usize) -> Result<Problem<'_>, Error> {
    let sorts = [("l", 1), ("n", nodes), ("s", nodes), ("nil", 1)];
    let (mut vocabulary, [l, n, s, nothing]) = Vocabulary::new(logic, sorts)?;
    let node_or_nil = n.union(&nothing)?;
    let heap = Heap {
        logic,
        list: vocabulary.at_most("List", &l)?,
        node: vocabulary.at_most("Node", &n)?,
        string: vocabulary.at_most("String", &s)?,
        this: vocabulary.at_most("this", &l)?,
        nil: vocabulary.exactly("nil", &nothing)?,
        data: vocabulary.at_most("data", &n.product(&s.union(&nothing)?)?)?,
    };
    let before = State {
        head: vocabulary.at_most("head", &l.product(&node_or_nil)?)?,
        next: vocabulary.at_most("next", &n.product(&node_or_nil)?)?,
    };
    let (after, loop_ends) = heap.reverse(before);
    let first = heap.this.join(before.head);
    let mut facts = heap.well_formed(before);
    facts.push(!first.equals(heap.nil));
    facts.push(!first.join(before.next).equals(heap.nil));
    facts.push(loop_ends);
    Ok(Problem {
        name: format!("list check, {nodes} nodes"),
        bounds: vocabulary.bounds(),
        facts,
        goal: !heap.reversed(before, after),
        expected: if nodes < 3 { Expected::Unsat } else { Expected::Sat },
        symmetry: None,
    })
}

/// What the procedure does not change.
struct Heap<'a> {
    logic: &'a Logic,
    list: Expr<'a>,
    node: Expr<'a>,
    string: Expr<'a>,
    this: Expr<'a>,
    nil: Expr<'a>,
    data: Expr<'a>,
}

/// The fields that the procedure assigns.
#[derive(Clone, Copy)]
struct State<'a> {
    head: Expr<'a>,
    next: Expr<'a>,
}

impl<'a> Heap<'a> {
    /// The state after the procedure, and the condition that one round of the loop is enough.
    fn reverse(&self, State { head, next }: State<'a>) -> (State<'a>, Formula<'a>) {
        let near = self.this.join(head);
        let mid = near.join(next);
        let far = mid.join(next);
        let next = next.override_with(near.product(far));

        let enter = !far.equals(self.nil);
        let next_inside = next.override_with(mid.product(near));
        let far_inside = far.join(next_inside);
        let next = enter.choose(next_inside, next);
        let (near, mid, far) =
            (enter.choose(mid, near), enter.choose(far, mid), enter.choose(far_inside, far));

        let next = next.override_with(mid.product(near));
        let head = head.override_with(self.this.product(mid));
        (State { head, next }, far.equals(self.nil))
    }

    /// The class invariant: fields are functions, and no list runs in a circle.
    fn well_formed(&self, State { head, next }: State<'a>) -> Vec<Formula<'a>> {
        vec![
            self.this.is_in(self.list),
            self.this.one(),
            next.is_function(self.node, self.node + self.nil),
            next.acyclic(),
            self.data.is_function(self.node, self.string + self.nil),
            head.is_function(self.list, self.node + self.nil),
        ]
    }

    /// The list holds the nodes it held, linked the other way round.
    fn reversed(&self, before: State<'a>, after: State<'a>) -> Formula<'a> {
        let nodes =
            |state: State<'a>| self.this.join(state.head).join(state.next.reflexive_closure());
        let kept = nodes(before) - self.nil;
        let links = kept.product(kept);
        self.logic.and(self.well_formed(after))
            & nodes(after).equals(nodes(before))
            & (after.next & links).equals((before.next & links).transpose())
    }
}

//! Ways: which runs have nothing to tell them apart but what the procedure trusts.
//!
//! Two runs go the same way if
//!
//! - they take the same side wherever the failing run passes a branch, time by time. How often a loop goes
//!   round is not a way of its own: whoever goes round fewer times goes the same way, and so does one who does
//!   not go round at all, if the loop does nothing to what fails ([`crate::idle`]);
//! - they have the same values where the failing run compares some to see which is less: whoever asks whether
//!   an index is greater than eight, and goes on otherwise, must expect all that is left. Of a value that also
//!   decides how often a loop goes round, or that a variable at file level holds, only what goes on by a
//!   hair's breadth is expected; where there is no room, also of one that is stored in memory of the caller, and
//!   of one that is only found to be at least some constant: tokens from 257 on are told apart from characters,
//!   and which there are other code knows; and of a parameter, if the program has a caller that knows what it
//!   passes. And of two that nothing else is known of only how they compare: whoever
//!   asks whether an index is below a length trusts the length;
//! - where a number is too large, they have the same values where the failing run masks some that do not decide
//!   how often a loop goes round: whoever keeps five bits of a hash must expect any number of five bits. But an
//!   index that is taken out of something stored or passed in is a tag, which other code keeps valid;
//! - where an assertion fails behind a loop, they go any way through the loop: the assertion says in which ways it
//!   ends;
//! - where a pointer is null, they take any side of branches that ask whether two pointers are equal: that one is equal
//!   to another does not say that it is null;
//! - where a callee dereferences a null pointer and the procedure is a callback, they take any side of branches that
//!   test its parameters only;
//! - where the life of objects decides, they have null pointers where the failing run has some.
//!
//! Branches of macros and of callees are no tests of the procedure's own; but if a callee returns null on some
//! way, and the procedure looks at what that callee returns, after this call or another, the way through it
//! counts where what it has returned is dereferenced, unless it goes there by what a callee that is not
//! followed has returned: that somebody else tests it does not make it less trusted here.

use std::collections::BTreeSet;

use circuit::{Bits, Gate, cone};
use encode::{Edge, Evaluation, Masked, Obligation, Side};
use ir::{AssertKind, BlockId, Origin, PointId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::CheckContext;
use crate::idle::Asked;
use crate::returned::is_used;
use crate::trust::{ProcedureFacts, is_about_life, is_own};

impl CheckContext<'_> {
    /// The ways that the run just found goes: narrower ones come later.
    pub(crate) fn path_classes(
        &mut self,
        failing: &Obligation,
        text: &ProcedureFacts,
    ) -> Vec<Vec<Gate>> {
        let evaluation = self.under.evaluation();
        let leads = text.flow.leads(failing.point);
        let mut way: Vec<Gate> = Vec::new();
        let returning = self.returning(failing.point, text);
        let counts = |side: &&Side| match failing.kind {
            // Where a null comes from is told by whoever returns it.
            AssertKind::NullDereference => text.supplies_null(side, &returning),
            _ => is_own(side.origin),
        };
        // An assertion behind a loop says in which ways the loop ends.
        let is_assertion = failing.kind == AssertKind::Assertion;
        let is_null = failing.kind == AssertKind::NullDereference;
        let is_in_callee = matches!(failing.origin, Origin::Inlined(_));
        let is_test = |point: PointId| {
            !(is_assertion && text.flow.is_behind_loop(point, failing.point)
                || is_null && text.flow.meets.contains(&point)
                || is_null && is_in_callee && text.is_defensive(evaluation, point))
        };
        let taken = evaluation.sides.iter().filter(counts).filter(|side| is_test(side.point));
        let taken: Vec<&Side> = taken.filter(|side| self.under.holds(side.gate)).collect();
        let is_turn = |point: &PointId| text.flow.turns.contains(point);
        let is_about_life = is_about_life(failing.kind);
        // Whoever goes round fewer times does not come by: nobody is to take the other side. But what is
        // freed twice is freed in two rounds.
        let passed = taken.iter().filter(|side| !is_turn(&side.point));
        if is_about_life {
            way.extend(passed.map(|side| side.gate));
        } else {
            let passed: FxHashMap<BlockId, bool> =
                passed.map(|side| (side.block, side.taken)).collect();
            let is_opposite =
                |other: &&Side| passed.get(&other.block).is_some_and(|taken| *taken != other.taken);
            way.extend(evaluation.sides.iter().filter(is_opposite).map(|other| !other.gate));
        }
        let mut narrow = Vec::new();
        let own = self.module.procedure(self.procedure);
        let idle = match is_about_life {
            true => FxHashSet::default(),
            false => {
                let asked = Asked::at(self.module, own, failing.point, failing.kind);
                text.flow.idle(own, failing.point, &asked)
            }
        };
        let turns = evaluation.edges.iter().filter(|edge| is_turn(&edge.point));
        for edge in turns.filter(|edge| is_test(edge.point)) {
            if idle.contains(&(edge.point, edge.taken)) {
                continue;
            }
            if self.under.holds(edge.gate) {
                way.push(edge.gate);
                if self.under.holds(edge.at_boundary) {
                    narrow.push(self.narrowed(edge, &taken));
                }
            } else if !leads(edge.point) && taken.iter().any(|side| side.point == edge.point) {
                way.push(!edge.gate);
            }
        }
        let mut fixed: Vec<Gate> = Vec::new();
        if is_about_life {
            fixed.extend(evaluation.existing());
        }
        if is_about_life || text.expects_failures {
            let made = evaluation.allocations.iter();
            let made = made.filter(|attempt| self.under.holds(attempt.reached));
            fixed.extend(made.map(|attempt| attempt.succeeds));
        }
        way.extend(fixed.into_iter().map(|gate| gate.negate_if(!self.under.holds(gate))));
        let mut ways = vec![way.clone()];
        if self.asks_for_a_sign(failing) {
            return ways;
        }
        let compared = taken.iter().filter(|side| !is_turn(&side.point));
        let asks_for_place = failing.kind == AssertKind::OutOfBounds;
        let compared = compared.filter(|side| {
            let mut words = side.compared.words.iter();
            let is_kept = words.any(|word| {
                text.counts(word)
                    || text.stands(word)
                    || asks_for_place
                        && (side.compared.from
                            || text.is_stored(word)
                            || text.is_passed(evaluation, word))
            });
            !is_kept || self.under.holds(side.at_boundary)
        });
        let compared: Vec<&Side> = compared.copied().collect();
        let bounded = bounded(evaluation, &taken);
        let (settled, loose) = settled(evaluation, compared, &bounded);
        // Of two that nothing else is known of, only how they compare is, in whichever round.
        let loose: Vec<&Side> =
            loose.into_iter().filter(|side| self.under.holds(side.at_boundary)).collect();
        let is_loose = |edge: &&Edge| loose.iter().any(|side| side.is_of(edge));
        let loose: Vec<Gate> =
            evaluation.edges.iter().filter(is_loose).map(|edge| edge.at_boundary).collect();
        if !loose.is_empty() {
            ways.push([way.as_slice(), &loose].concat());
        }
        way.extend(loose);
        let compared: Vec<&Bits> = settled.iter().flat_map(|side| &side.compared.words).collect();
        let masked = evaluation.masked.iter().filter(|masked| is_own(masked.origin));
        let asks_for_room = matches!(failing.kind, AssertKind::OutOfBounds | AssertKind::Shift);
        let is_open = |word: &Bits| !text.counts(word) && !is_among(word, &bounded);
        let masked = masked.filter(|masked| asks_for_room && is_open(&masked.value));
        let masked = masked.filter(|masked| !(asks_for_place && masked.is_tag));
        let masked: Vec<&Masked> =
            masked.filter(|masked| self.under.holds(masked.reached)).collect();
        let values = |words: Vec<&Bits>| -> BTreeSet<Gate> {
            let bits = words.into_iter().flat_map(|bits| bits.iter());
            bits.filter(|bit| bit.as_constant().is_none()).collect()
        };
        let tested: Vec<&Bits> =
            compared.iter().copied().chain(masked.iter().map(|masked| &masked.value)).collect();
        let (compared, tested) = (values(compared), values(tested));
        let narrower = [&compared, &tested].into_iter().filter(|bits| !bits.is_empty());
        for bits in narrower.take(if compared == tested { 1 } else { 2 }) {
            let values = bits.iter().map(|bit| bit.negate_if(!self.under.holds(*bit)));
            ways.push(way.iter().copied().chain(values).collect());
        }
        ways.extend(narrow.into_iter().map(|narrow| [way.as_slice(), &narrow].concat()));
        if failing.kind == AssertKind::DivisionByZero {
            // What is computed from what is not zero may be zero all the same.
            let nonzero = taken.iter().filter_map(|side| side.compared.nonzero.as_ref());
            let bits = values(nonzero.collect());
            if !bits.is_empty() {
                let values = bits.iter().map(|bit| bit.negate_if(!self.under.holds(*bit)));
                ways.push(way.iter().copied().chain(values).collect());
            }
        }
        ways
    }

    /// The calls that may have returned what is dereferenced at a point.
    fn returning(&self, at: PointId, text: &ProcedureFacts) -> FxHashSet<PointId> {
        let procedure = self.module.procedure(self.procedure);
        let returning = text.pointing.iter().filter(|(_, held)| is_used(procedure, at, held));
        returning.map(|(call, _)| *call).collect()
    }

    /// To take an edge narrowly, and to go on from there as the run just found does.
    fn narrowed(&mut self, edge: &Edge, taken: &[&Side]) -> Vec<Gate> {
        let last =
            taken.iter().rposition(|side| side.is_of(edge) && self.under.holds(side.at_boundary));
        let after = taken.iter().skip(last.map_or(taken.len(), |last| last + 1));
        let asked = after.map(|side| side.condition);
        let answers = asked.map(|gate| gate.negate_if(!self.under.holds(gate)));
        [edge.at_boundary].into_iter().chain(answers).collect()
    }
}

/// What values that are compared with others depend on, by node.
fn bounded(evaluation: &Evaluation, compared: &[&Side]) -> FxHashSet<usize> {
    let with = compared.iter().filter_map(|side| side.compared.with.as_ref()).flatten();
    let with: Vec<Gate> = with.flat_map(|word| word.iter()).collect();
    cone(&evaluation.circuit, &with).nodes().map(|(node, _)| node).collect()
}

fn is_among(word: &Bits, nodes: &FxHashSet<usize>) -> bool {
    word.iter().any(|bit| nodes.contains(&bit.node()))
}

/// The comparisons that settle which values to expect, and those that do not: of two values neither of which is
/// known, or compared with what is known.
fn settled<'s>(
    evaluation: &Evaluation,
    mut open: Vec<&'s Side>,
    bounded: &FxHashSet<usize>,
) -> (Vec<&'s Side>, Vec<&'s Side>) {
    let mut known: FxHashSet<usize> = FxHashSet::default();
    let mut settled = Vec::new();
    // Whoever asks about a sign, and then whether the value is below another, leaves the rest to that.
    open.retain(|side| {
        !side.compared.of_sign || !side.compared.words.iter().any(|word| is_among(word, bounded))
    });
    loop {
        let before = settled.len();
        open.retain(|side| {
            let is_known = |word: &Bits| {
                let bits: Vec<Gate> = word.iter().collect();
                bits.iter().all(|bit| bit.as_constant().is_some() || known.contains(&bit.node()))
                    || cone(&evaluation.circuit, &bits)
                        .inputs()
                        .all(|input| known.contains(&input.node()))
            };
            let settles = side.compared.with.as_ref().is_none_or(|with| with.iter().any(is_known));
            if settles {
                let words = side.compared.words.iter();
                known.extend(words.flat_map(|word| word.iter()).map(Gate::node));
                settled.push(*side);
            }
            !settles
        });
        if settled.len() == before {
            return (settled, open);
        }
    }
}

//! Path classes: executions that differ only in values that the procedure trusts.
//!
//! The class of a failing execution has all executions that
//!
//! - take the same side wherever the failing one passes a test: a branch in the text of the procedure, copy by copy.
//!   Some branches are not tests ([`own-text`, `trip-count`, …](crate::assumptions));
//! - have the same values where the failing one compares some to see which is less: a procedure that compares an
//!   index with eight, and continues otherwise, must expect all values that are left. Of some values only those at
//!   the boundary of the comparison are expected (`stored-value`, `known-caller`, …), and of two unknown values
//!   only how they compare (`relative-comparison`);
//! - have the same values where the failing one masks some or computes a remainder (`explicit-range`, `tag`);
//! - where freed memory is concerned, have null pointers where the failing one has some.
//!
//! A failure is reported if its whole class fails. Several classes are tried, from wide to narrow.

use std::collections::BTreeSet;

use encode::{BitVector, Condition, ConditionSet, Edge, Evaluation, Masked, Obligation, Side};
use ir::{AssertKind, BlockId, Origin, PointId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::assumptions::{NON_NEGATIVE_INDEX, OWN_TEXT, RELATIVE_COMPARISON};
use crate::context::CheckContext;
use crate::facts::{ProcedureFacts, is_about_lifetime, is_own};
use crate::idle::Dependencies;

/// An obligation that fails, and the facts that assumptions may use.
pub(crate) struct Failing<'f> {
    pub(crate) kind: AssertKind,
    pub(crate) point: PointId,
    /// Whether it is an obligation of a callee.
    pub(crate) is_in_callee: bool,
    /// Whether it is proved that every execution on this side of the branch fails.
    pub(crate) is_doomed: bool,
    pub(crate) evaluation: &'f Evaluation,
    pub(crate) facts: &'f ProcedureFacts,
}

impl CheckContext<'_> {
    /// The path classes of the execution just found, as conjunctions of conditions: narrower ones come later.
    pub(crate) fn path_classes(
        &mut self,
        obligation: &Obligation,
        facts: &ProcedureFacts,
    ) -> Vec<Vec<Condition>> {
        let evaluation = self.under.evaluation();
        let failing = Failing {
            kind: obligation.kind,
            point: obligation.point,
            is_in_callee: matches!(obligation.origin, Origin::Inlined(_)),
            is_doomed: false,
            evaluation,
            facts,
        };
        let assumptions = &self.options.policy.assumptions;
        let reaches = facts.flow.reaches(obligation.point);
        let mut class: Vec<Condition> = Vec::new();
        let returning = self.returning(obligation.point, facts);
        let is_in_text = |side: &&Side| match obligation.kind {
            _ if !assumptions.has(&OWN_TEXT) => true,
            // The callee that returns null shows where it comes from.
            AssertKind::NullDereference => facts.supplies_null(side, &returning),
            _ => is_own(side.origin),
        };
        let is_test = |point: PointId| !assumptions.ignore_branch(&failing, point);
        let mut tests: FxHashMap<PointId, bool> = FxHashMap::default();
        let mut is_test = |point: PointId| *tests.entry(point).or_insert_with(|| is_test(point));
        let taken = evaluation.sides.iter().filter(is_in_text);
        let taken: Vec<&Side> =
            taken.filter(|side| is_test(side.point) && self.under.holds(side.gate)).collect();
        let is_exit = |point: &PointId| facts.exits.contains(point);
        let is_about_lifetime = is_about_lifetime(obligation.kind);
        // An execution with fewer iterations does not come to later copies: none is to take the other side. But memory
        // that is freed twice is freed in two iterations.
        let passed = taken.iter().filter(|side| !is_exit(&side.point));
        if is_about_lifetime {
            class.extend(passed.map(|side| side.gate));
        } else {
            let passed: FxHashMap<BlockId, bool> =
                passed.map(|side| (side.block, side.taken)).collect();
            let is_opposite =
                |other: &&Side| passed.get(&other.block).is_some_and(|taken| *taken != other.taken);
            class.extend(evaluation.sides.iter().filter(is_opposite).map(|other| !other.gate));
        }
        let mut at_exits = Vec::new();
        let own = self.module.procedure(self.procedure);
        let idle = match is_about_lifetime {
            true => FxHashSet::default(),
            false => {
                let point = obligation.point;
                let values = Dependencies::at(self.module, own, point, obligation.kind);
                facts.flow.idle(own, point, &values)
            }
        };
        let exits = evaluation.edges.iter().filter(|edge| is_exit(&edge.point));
        for edge in exits {
            if idle.contains(&(edge.point, edge.taken)) || !is_test(edge.point) {
                continue;
            }
            if self.under.holds(edge.gate) {
                class.push(edge.gate);
                if self.under.holds(edge.at_boundary) {
                    at_exits.push(self.at_boundary(edge, &taken));
                }
            } else if !reaches(edge.point) && taken.iter().any(|side| side.point == edge.point) {
                class.push(!edge.gate);
            }
        }
        let mut fixed: Vec<Condition> = Vec::new();
        if is_about_lifetime {
            fixed.extend(evaluation.non_null_pointers());
        }
        if is_about_lifetime || facts.tests_allocations {
            let made = evaluation.allocations.iter();
            let made = made.filter(|attempt| self.under.holds(attempt.reached));
            fixed.extend(made.map(|attempt| attempt.succeeds));
        }
        class.extend(fixed.into_iter().map(|gate| gate.negate_if(!self.under.holds(gate))));
        let mut classes = vec![class.clone()];
        if assumptions.has(&NON_NEGATIVE_INDEX) && self.requires_only_a_sign(obligation) {
            return classes;
        }
        let compared = taken.iter().filter(|side| !is_exit(&side.point)).filter(|side| {
            let mut values = side.compared.words.iter();
            let is_boundary_expected =
                values.any(|value| assumptions.expect_boundary(&failing, side, value));
            !is_boundary_expected || self.under.holds(side.at_boundary)
        });
        let compared: Vec<&Side> = compared.copied().collect();
        let (bounded, (settled, relative)) = match assumptions.has(&RELATIVE_COMPARISON) {
            true => {
                let bounded = bounded(evaluation, &taken);
                let parts = settled(evaluation, compared, &bounded);
                (bounded, parts)
            }
            false => (ConditionSet::default(), (compared, Vec::new())),
        };
        // Of two unknown values only how they compare is expected, in whichever iteration.
        let relative: Vec<&Side> =
            relative.into_iter().filter(|side| self.under.holds(side.at_boundary)).collect();
        let is_relative = |edge: &&Edge| relative.iter().any(|side| side.is_of(edge));
        let relative: Vec<Condition> =
            evaluation.edges.iter().filter(is_relative).map(|edge| edge.at_boundary).collect();
        if !relative.is_empty() {
            classes.push([class.as_slice(), &relative].concat());
        }
        class.extend(relative);
        let compared: Vec<&BitVector> =
            settled.iter().flat_map(|side| &side.compared.words).collect();
        let masked = evaluation.masked.iter().filter(|masked| is_own(masked.origin));
        let is_open = |value: &BitVector| {
            !facts.trip_counts.contains_any(value) && !bounded.contains_any(value)
        };
        let masked = masked.filter(|masked| is_open(&masked.value));
        let masked = masked.filter(|masked| !assumptions.restrict_range(&failing, masked));
        let masked: Vec<&Masked> =
            masked.filter(|masked| self.under.holds(masked.reached)).collect();
        let bits = |values: Vec<&BitVector>| -> BTreeSet<Condition> {
            let bits = values.into_iter().flat_map(|bits| bits.iter());
            bits.filter(|bit| bit.as_constant().is_none()).collect()
        };
        let tested: Vec<&BitVector> =
            compared.iter().copied().chain(masked.iter().map(|masked| &masked.value)).collect();
        let (compared, tested) = (bits(compared), bits(tested));
        let narrower = [&compared, &tested].into_iter().filter(|bits| !bits.is_empty());
        for bits in narrower.take(if compared == tested { 1 } else { 2 }) {
            let values = bits.iter().map(|bit| bit.negate_if(!self.under.holds(*bit)));
            classes.push(class.iter().copied().chain(values).collect());
        }
        classes.extend(at_exits.into_iter().map(|exit| [class.as_slice(), &exit].concat()));
        if obligation.kind == AssertKind::DivisionByZero {
            // A product of numbers that are not zero may be zero all the same.
            let nonzero = taken.iter().filter_map(|side| side.compared.nonzero.as_ref());
            let bits = bits(nonzero.collect());
            if !bits.is_empty() {
                let values = bits.iter().map(|bit| bit.negate_if(!self.under.holds(*bit)));
                classes.push(class.iter().copied().chain(values).collect());
            }
        }
        classes
    }

    /// The calls that may have returned the pointer that is dereferenced at a point.
    fn returning(&self, at: PointId, facts: &ProcedureFacts) -> FxHashSet<PointId> {
        let procedure = self.module.procedure(self.procedure);
        let calls = facts.results.iter();
        let returning = calls.filter(|(_, copies)| copies.are_used_at(procedure, at));
        returning.map(|(call, _)| *call).collect()
    }

    /// The condition that an execution takes an edge at its boundary, and then the branches of the one just found.
    fn at_boundary(&mut self, edge: &Edge, taken: &[&Side]) -> Vec<Condition> {
        let last =
            taken.iter().rposition(|side| side.is_of(edge) && self.under.holds(side.at_boundary));
        let after = taken.iter().skip(last.map_or(taken.len(), |last| last + 1));
        let tests = after.map(|side| side.condition);
        let outcomes = tests.map(|gate| gate.negate_if(!self.under.holds(gate)));
        [edge.at_boundary].into_iter().chain(outcomes).collect()
    }
}

/// Everything that values depend on that are compared with other unknown values.
fn bounded(evaluation: &Evaluation, compared: &[&Side]) -> ConditionSet {
    let with = compared.iter().filter_map(|side| side.compared.with.as_ref()).flatten();
    let with: Vec<Condition> = with.flat_map(|value| value.iter()).collect();
    evaluation.influence(&with)
}

/// The comparisons that determine which values are expected, and those that do not: of two values neither of which is
/// known, or compared with a known one.
fn settled<'s>(
    evaluation: &Evaluation,
    mut open: Vec<&'s Side>,
    bounded: &ConditionSet,
) -> (Vec<&'s Side>, Vec<&'s Side>) {
    let mut known = ConditionSet::default();
    let mut settled = Vec::new();
    // A test of the sign leaves the rest to a comparison with another value.
    open.retain(|side| {
        !side.compared.is_sign_test
            || !side.compared.words.iter().any(|value| bounded.contains_any(value))
    });
    loop {
        let before = settled.len();
        open.retain(|side| {
            let is_known = |value: &BitVector| {
                let bits: Vec<Condition> = value.iter().collect();
                bits.iter().all(|bit| bit.as_constant().is_some() || known.contains(*bit))
                    || evaluation.inputs_of(&bits).iter().all(|input| known.contains(*input))
            };
            let settles = side.compared.with.as_ref().is_none_or(|with| with.iter().any(is_known));
            if settles {
                let values = side.compared.words.iter();
                known.extend(values.flat_map(|value| value.iter()));
                settled.push(*side);
            }
            !settles
        });
        if settled.len() == before {
            return (settled, open);
        }
    }
}

//! Inference: a summary from the state at exit (Xie & Aiken 2007, Figure 10).
//!
//! Xie & Aiken leave the choice of propositions to the checker. Here it is greedy: as long as an object may end in
//! two states under one valuation, the proposition that separates most of them is added; results come first, then
//! arguments, then memory at exit.

use std::collections::BTreeSet;

use crate::limits::{CONDITION_CANDIDATES, MODIFIED_PATHS, SUMMARY_CONDITIONS};
use crate::path::{Path, Root};
use crate::solve::Solver;
use crate::space::{Region, RegionId, Seen};
use crate::state::{State, type_of};
use crate::summary::{Allocation, Cell, Condition, Machine, Summary, Transition};
use crate::value::Value;
use crate::walk::Walk;
use circuit::Guard;
use property::ResultTest;

/// An object whose state changes, with its interface path.
struct Subject {
    number: u32,
    path: Path,
}

/// A proposition and its guard.
type Proposition = (Condition, Guard);

impl Walk<'_> {
    /// The summary of the procedure that was evaluated.
    pub(crate) fn infer(&mut self, solver: &mut Solver) -> Summary {
        let mut summary = Summary { is_partial: self.cut != Guard::NEVER, ..Summary::default() };
        let Some(exit) = self.exit.take() else { return summary };
        if !solver.may(&self.space, exit.guard) {
            self.exit = Some(exit);
            return summary;
        }
        let subjects = self.subjects(&exit);
        let mut chosen = Chosen::default();
        if !subjects.is_empty() {
            self.choose(&exit, &subjects, &mut chosen);
        }
        let gives = self.allocations(solver, &exit);
        summary.value =
            self.result(&exit).and_then(|value| self.space.shared(self.namer(), &value));
        // Of a result that is said exactly nothing more need be said.
        if summary.value.is_none() || !gives.is_empty() || !chosen.outputs.is_empty() {
            self.add_result(solver, &exit, &mut chosen, !gives.is_empty());
        }
        summary.inputs = chosen.inputs.iter().map(|(condition, _)| condition.clone()).collect();
        summary.outputs = chosen.outputs.iter().map(|(condition, _)| condition.clone()).collect();
        let inputs: Vec<Guard> = chosen.inputs.iter().map(|(_, guard)| *guard).collect();
        let outputs: Vec<Guard> = chosen.outputs.iter().map(|(_, guard)| *guard).collect();
        for bits in 0..1 << outputs.len() {
            let valuation = self.valuation(&outputs, bits);
            let guard = self.space.diagrams.and(exit.guard, valuation);
            if solver.may(&self.space, guard) {
                summary.outcomes.insert(bits);
            }
        }
        for subject in &subjects {
            let transitions =
                self.transitions(&exit, subject.number, &inputs, &outputs, &mut |s, g| {
                    solver.may(s, g)
                });
            let property = self.space.object(subject.number).property;
            let vague = exit.typestate(&self.space, subject.number).vague;
            let is_vague = self.space.diagrams.and(vague, exit.guard) != Guard::NEVER;
            summary.machines.push(Machine {
                property: self.index.properties().machines[property].name.clone(),
                object: subject.path.clone(),
                display: self.display(subject.number),
                transitions,
                is_reported: is_vague,
            });
        }
        summary.machines.sort();
        summary.modifies = self.modified(&exit);
        summary.result = self.returned(solver, &exit);
        summary.escapes = self.escapees(solver, &exit);
        summary.frees = self.freed(solver, &exit);
        for (place, given) in gives {
            let mut allocation =
                Allocation { place, outcomes: BTreeSet::new(), lacks: BTreeSet::new() };
            for bits in summary.outcomes.clone() {
                let valuation = self.valuation(&outputs, bits);
                let here = self.space.diagrams.and(exit.guard, valuation);
                let with = self.space.diagrams.and(here, given);
                let without = self.space.diagrams.and_not(here, given);
                if solver.may(&self.space, with) {
                    allocation.outcomes.insert(bits);
                }
                if solver.may(&self.space, without) {
                    allocation.lacks.insert(bits);
                }
            }
            summary.allocations.push(allocation);
        }
        self.exit = Some(exit);
        summary
    }

    /// Adds the result as an expression, if that is small.
    fn add_result(
        &mut self,
        solver: &mut Solver,
        exit: &State,
        chosen: &mut Chosen,
        is_needed: bool,
    ) {
        let propositions = self.result_propositions(exit);
        let Some((_, not_zero)) = propositions.first().cloned() else { return };
        let here = self.space.diagrams.and(exit.guard, not_zero);
        let zero = self.space.diagrams.and_not(exit.guard, not_zero);
        let is_settled = !solver.may(&self.space, here) || !solver.may(&self.space, zero);
        // A procedure that returns zero or an error code is tested for zero and for a negative value.
        let is_code = propositions.get(1).is_some_and(|(_, negative)| {
            let positive = self.space.diagrams.and_not(here, *negative);
            let negative = self.space.diagrams.and(here, *negative);
            solver.may(&self.space, negative) && !solver.may(&self.space, positive)
        });
        let count = match (is_code, is_settled || is_needed) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => 0,
        };
        for proposition in propositions.into_iter().take(count) {
            if !chosen.outputs.contains(&proposition) {
                chosen.outputs.push(proposition);
            }
        }
    }

    /// The objects with transitions that have an interface path.
    fn subjects(&self, exit: &State) -> Vec<Subject> {
        let mut subjects = Vec::new();
        for (number, typestate) in &exit.typestates {
            let object = self.space.object(*number);
            if typestate.touched != Guard::NEVER
                && let Some(path) = self.space.path(self.namer(), object.region, object.offset)
            {
                subjects.push(Subject { number: *number, path });
            }
        }
        subjects
    }

    /// The transitions of an object, under propositions at entry and exit.
    fn transitions(
        &mut self,
        exit: &State,
        number: u32,
        inputs: &[Guard],
        outputs: &[Guard],
        may: &mut dyn FnMut(&crate::space::Space, Guard) -> bool,
    ) -> BTreeSet<Transition> {
        let entry = self.space.entry(number).clone();
        let after = exit.typestate(&self.space, number);
        let mut transitions = BTreeSet::new();
        for incond in 0..1 << inputs.len() {
            let before = self.valuation(inputs, incond);
            let before = self.space.diagrams.and(before, exit.guard);
            for outcond in 0..1 << outputs.len() {
                let both = self.valuation(outputs, outcond);
                let both = self.space.diagrams.and(both, before);
                if both == Guard::NEVER {
                    continue;
                }
                for (from, &at_entry) in (0..).zip(&entry.states) {
                    let here = self.space.diagrams.and(both, at_entry);
                    for (to, &at_exit) in (0..).zip(&after.states) {
                        let guard = self.space.diagrams.and(here, at_exit);
                        if guard != Guard::NEVER && may(&self.space, guard) {
                            transitions.insert(Transition { incond, from, outcond, to });
                        }
                    }
                }
            }
        }
        transitions
    }

    /// Chooses the propositions that separate the states of objects at exit.
    fn choose(&mut self, exit: &State, subjects: &[Subject], chosen: &mut Chosen) {
        let mut ambiguity = self.ambiguity(exit, subjects, chosen);
        let result = self.result_propositions(exit);
        let passed = self.passed_propositions(exit, subjects);
        let left = self.left_propositions(exit);
        let candidates = result.into_iter().map(|p| (false, p));
        let candidates = candidates.chain(passed.into_iter().map(|p| (true, p)));
        let mut candidates: Vec<(bool, Proposition)> =
            candidates.chain(left.into_iter().map(|p| (false, p))).collect();
        while ambiguity > 0.0 {
            let mut best: Option<(f64, usize)> = None;
            for (position, (is_input, proposition)) in candidates.iter().enumerate() {
                let with = chosen.with(*is_input, proposition);
                if with.inputs.len() > SUMMARY_CONDITIONS || with.outputs.len() > SUMMARY_CONDITIONS
                {
                    continue;
                }
                let left = self.ambiguity(exit, subjects, &with);
                if left < ambiguity && best.is_none_or(|(least, _)| left < least) {
                    best = Some((left, position));
                }
            }
            let Some((left, position)) = best else { return };
            let (is_input, proposition) = candidates.remove(position);
            *chosen = chosen.with(is_input, &proposition);
            ambiguity = left;
        }
    }

    /// The average number of possible states at exit beyond one.
    fn ambiguity(&mut self, exit: &State, subjects: &[Subject], chosen: &Chosen) -> f64 {
        let inputs: Vec<Guard> = chosen.inputs.iter().map(|(_, guard)| *guard).collect();
        let outputs: Vec<Guard> = chosen.outputs.iter().map(|(_, guard)| *guard).collect();
        let mut sum = 0.0;
        for subject in subjects {
            let all = self.transitions(exit, subject.number, &inputs, &outputs, &mut |_, _| true);
            let cases: BTreeSet<(u32, u32, u32)> =
                all.iter().map(|t| (t.incond, t.from, t.outcond)).collect();
            sum += (all.len() - cases.len()) as f64 / cases.len().max(1) as f64;
        }
        sum
    }

    /// Whether the result is zero or null.
    pub(crate) fn result_proposition(&mut self, exit: &State) -> Option<Proposition> {
        let value = self.result(exit)?;
        let path = Path::root(Root::Result);
        let condition = match &value {
            Value::Word(term) => Condition::NotZero(path, self.space.width(*term)),
            Value::Pointer(_) => Condition::NotNull(path),
            Value::Truth(_) | Value::Opaque => return None,
        };
        let guard = self.outcome(&value, ResultTest::NonZero);
        Some((condition, guard))
    }

    fn result_propositions(&mut self, exit: &State) -> Vec<Proposition> {
        let mut all: Vec<Proposition> = self.result_proposition(exit).into_iter().collect();
        if let Some(value @ Value::Word(term)) = self.result(exit) {
            let width = self.space.width(term);
            let guard = self.outcome(&value, ResultTest::Negative);
            all.push((Condition::Negative(Path::root(Root::Result), width), guard));
        }
        all
    }

    /// Propositions at entry that affect the states at exit, those on parameters first.
    fn passed_propositions(&mut self, exit: &State, subjects: &[Subject]) -> Vec<Proposition> {
        let mut numbers = BTreeSet::new();
        for subject in subjects {
            for guard in exit.typestate(&self.space, subject.number).states {
                let guard = self.space.diagrams.restrict(guard, exit.guard);
                numbers.extend(self.space.diagrams.conditions(guard));
            }
        }
        let mut found = Vec::new();
        for seen in [Seen::Chosen, Seen::Found] {
            for number in numbers.iter().filter(|number| self.space.atom_seen(**number) == seen) {
                if let Some((condition, opposite)) =
                    self.space.shared_condition(self.namer(), *number)
                {
                    found.push((*number, condition, opposite));
                }
            }
        }
        found.truncate(CONDITION_CANDIDATES);
        let mut propositions = Vec::new();
        for (number, condition, opposite) in found {
            let mut guard = self.space.diagrams.literal(number);
            if opposite {
                guard = self.space.diagrams.not(guard);
            }
            propositions.push((condition, guard));
        }
        propositions
    }

    /// Propositions about places that are written in every execution.
    pub(crate) fn known_propositions(&mut self, exit: &State) -> Vec<Proposition> {
        let mut left = self.left_propositions(exit);
        left.retain(|(_, guard)| {
            let conditions = self.space.diagrams.conditions(*guard);
            conditions.into_iter().all(|number| self.space.atom_seen(number) != Seen::Found)
        });
        left
    }

    /// Propositions about places that were written.
    fn left_propositions(&mut self, exit: &State) -> Vec<Proposition> {
        let mut propositions = Vec::new();
        let cells: Vec<((RegionId, i64), Value)> =
            exit.cells.iter().map(|(place, (_, value))| (*place, value.clone())).collect();
        for ((region, offset), value) in cells {
            let Some(path) = self.space.path(self.namer(), region, offset) else { continue };
            if !matches!(path.root, Root::Parameter(_)) {
                continue;
            }
            let condition = match &value {
                Value::Word(term) => Condition::NotZero(path, self.space.width(*term)),
                Value::Pointer(_) => Condition::NotNull(path),
                Value::Truth(_) | Value::Opaque => continue,
            };
            let guard = self.outcome(&value, ResultTest::NonZero);
            propositions.push((condition, guard));
        }
        propositions.truncate(CONDITION_CANDIDATES);
        propositions
    }

    /// The places of the caller that may be modified.
    fn modified(&self, exit: &State) -> Vec<Cell> {
        let mut cells = Vec::new();
        for ((region, offset), (bytes, value)) in &exit.cells {
            if let Some(path) = self.space.path(self.namer(), *region, *offset) {
                let is_pointer = type_of(&self.space, value) == ir::Type::Ptr;
                let value = self.space.shared(self.namer(), value);
                cells.push(Cell { path, bytes: *bytes, is_pointer, value });
            }
        }
        // A write at a computed place may be anywhere in the object.
        let elements = exit.cells.keys().map(|(region, _)| *region);
        let elements =
            elements.filter(|region| matches!(self.space.get(*region), Region::Element(..)));
        let elements: BTreeSet<RegionId> =
            elements.map(|region| self.space.whole(region)).collect();
        for region in exit.overwritten.union(&elements) {
            if let Some(path) = self.space.path(self.namer(), *region, 0) {
                cells.push(Cell { path, bytes: 0, is_pointer: false, value: None });
            }
        }
        cells.sort_by(|a, b| (&a.path, a.bytes).cmp(&(&b.path, b.bytes)));
        cells.truncate(MODIFIED_PATHS);
        cells
    }

    /// The pointers of the caller that may point to new memory which has not escaped otherwise, and where.
    fn allocations(&mut self, solver: &mut Solver, exit: &State) -> Vec<(Path, Guard)> {
        let mut allocations = Vec::new();
        if self.fresh.is_empty() {
            return allocations;
        }
        let cells: Vec<((RegionId, i64), Value)> =
            exit.cells.iter().map(|(place, (_, value))| (*place, value.clone())).collect();
        for ((region, offset), value) in cells {
            let Some(path) = self.space.path(self.namer(), region, offset) else { continue };
            // An object that is stored deep in a structure belongs to the structure.
            if !matches!(path.root, Root::Parameter(_)) || path.steps != [0] {
                continue;
            }
            let mut given = Guard::NEVER;
            for fresh in self.fresh.clone() {
                for (guard, target) in crate::state::pointed_to(&value) {
                    if target == fresh.region
                        && !exit.escaped.contains_key(&fresh.region)
                        && !exit.freed.contains_key(&fresh.region)
                    {
                        let guard = self.space.diagrams.and(guard, fresh.guard);
                        given = self.space.diagrams.or(given, guard);
                    }
                }
            }
            let here = self.space.diagrams.and(exit.guard, given);
            if solver.may(&self.space, here) {
                allocations.push((path, given));
            }
        }
        allocations
    }
}

/// The propositions of a summary.
#[derive(Clone, Default)]
struct Chosen {
    inputs: Vec<Proposition>,
    outputs: Vec<Proposition>,
}

impl Chosen {
    fn with(&self, is_input: bool, proposition: &Proposition) -> Chosen {
        let mut with = self.clone();
        match is_input {
            true => with.inputs.push(proposition.clone()),
            false => with.outputs.push(proposition.clone()),
        }
        with
    }
}

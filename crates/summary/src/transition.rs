//! Transitions: the effects of an operation, declared or summarised, on the states of objects (Xie & Aiken 2007,
//! Figure 9, stage 2).

use crate::call::Call;
use crate::space::{Atom, Region, RegionId, Term};
use crate::state::{State, pointed_to};
use crate::stateful::Object;
use crate::value::{Location, Locations, Value};
use crate::walk::{Step, Walk};
use circuit::Guard;
use property::{NextState, OperationTarget};

/// A transition that is to be applied.
pub(crate) struct Change {
    pub(crate) from: u32,
    /// None if it does not happen.
    pub(crate) to: Option<u32>,
    pub(crate) rule: Option<String>,
    pub(crate) when: Guard,
}

impl Walk<'_> {
    pub(crate) fn operation(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        property: usize,
        operation: usize,
    ) {
        let index = self.index;
        let machine = &index.properties().machines[property];
        let operation = &machine.operations[operation];
        let moved = match operation.object {
            OperationTarget::Argument(number) => call.arguments.get(number as usize),
            OperationTarget::Result => call.result.as_ref(),
        };
        let Some(locations) = moved.cloned().and_then(|moved| self.named_by(&moved)) else {
            return;
        };
        if let (Some(Value::Word(result)), false) = (&call.result, operation.results.is_empty()) {
            let (result, width) = (*result, self.space.width(*result));
            let mut possible = Guard::NEVER;
            for known in &operation.results {
                let known = self.space.word(width, *known as u128);
                let here = self.space.compare(&ir::Op::Eq, result, known);
                possible = self.space.diagrams.or(possible, here);
            }
            state.guard = self.space.diagrams.and(state.guard, possible);
        }
        if let (Some(result), true) = (&call.result, call.is_ignored) {
            // A caller that does not check whether an operation has failed expects it to succeed.
            let result = result.clone();
            let mut succeeds = Guard::NEVER;
            for step in &operation.moves {
                if let (Some(when), NextState::State(to)) = (step.when, &step.to)
                    && *to != step.from
                {
                    let here = self.outcome(&result, when);
                    succeeds = self.space.diagrams.or(succeeds, here);
                }
            }
            if succeeds != Guard::NEVER {
                state.guard = self.space.diagrams.and(state.guard, succeeds);
            }
        }
        let states = machine.states.len() as u32;
        let mut changes = Vec::new();
        for step in &operation.moves {
            let when = match (step.when, &call.result) {
                (Some(outcome), Some(value)) => self.outcome(&value.clone(), outcome),
                (Some(_), None) | (None, _) => Guard::ALWAYS,
            };
            let (to, rule) = match &step.to {
                NextState::State(to) => (Some(*to), None),
                NextState::Error(rule) => (Some(states), Some(rule.clone())),
                NextState::Impossible => (None, None),
            };
            changes.push(Change { from: step.from, to, rule, when });
        }
        for &(under, location) in locations.iter() {
            if let Location::At(region, offset) = location {
                let object = Object { property, region, offset };
                let number = self.space.stateful(object, machine);
                self.change(state, call, number, under, &changes, false);
            }
        }
    }

    /// The objects that a value denotes: its targets, or, for an integer, the object with that handle, such as an
    /// open file.
    pub(crate) fn named_by(&mut self, value: &Value) -> Option<Locations> {
        match value {
            Value::Pointer(locations) => Some(locations.clone()),
            Value::Word(term) => match self.space.term(*term) {
                Term::Input(input) => {
                    let region = Region::Pointee(*input);
                    let region = self.space.region(region);
                    Some([(Guard::ALWAYS, Location::At(region, 0))].into())
                }
                Term::Constant(_) | Term::Op(..) | Term::Choice(..) => None,
            },
            Value::Truth(_) | Value::Opaque => None,
        }
    }

    /// Applies the transitions of an object where the guard holds.
    pub(crate) fn change(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        object: u32,
        under: Guard,
        changes: &[Change],
        is_total: bool,
    ) {
        let before = state.typestate(&self.space, object);
        let error = before.states.len() as u32 - 1;
        let mut after = before.clone();
        let mut enabled = before.states[error as usize];
        let mut moved = vec![Guard::NEVER; before.states.len()];
        // A callee that leaves an object unchanged may not have accessed it.
        let mut touched = Guard::constant(!is_total);
        let mut vague = before.vague;
        for from in 0..error {
            let mut left = before.states[from as usize];
            let mut here: Vec<&Change> = changes.iter().filter(|c| c.from == from).collect();
            if here.is_empty() {
                enabled = self.space.diagrams.or(enabled, left);
                moved[from as usize] = self.space.diagrams.or(moved[from as usize], left);
                continue;
            }
            here.sort_by_key(|change| change.to);
            for (position, change) in here.iter().enumerate() {
                let mut taken = self.space.diagrams.and(left, change.when);
                // Where a later change is possible too, either may be made.
                let others = here[position + 1..].iter().map(|other| other.when);
                let others = others.collect::<Vec<_>>();
                let other =
                    others.into_iter().fold(Guard::NEVER, |a, b| self.space.diagrams.or(a, b));
                let both = self.space.diagrams.and(taken, other);
                vague = self.space.diagrams.or(vague, both);
                if both != Guard::NEVER {
                    self.made += 1;
                    let choice = self.space.atom(Atom::Made(self.site, 2000 + self.made));
                    let declined = self.space.diagrams.and_not(both, choice);
                    taken = self.space.diagrams.and_not(taken, declined);
                }
                left = self.space.diagrams.and_not(left, taken);
                let Some(to) = change.to else { continue };
                let reached = &mut moved[to as usize];
                *reached = self.space.diagrams.or(*reached, taken);
                enabled = self.space.diagrams.or(enabled, taken);
                if is_total && to == from {
                    continue;
                }
                touched = self.space.diagrams.or(touched, taken);
                let guard = self.space.diagrams.and(under, taken);
                let guard = self.space.diagrams.and(guard, state.guard);
                if guard != Guard::NEVER {
                    self.steps.push(Step {
                        object,
                        site: self.site,
                        point: call.statement.point,
                        span: call.statement.span,
                        guard,
                        certain: self.space.diagrams.and_not(guard, vague),
                        from,
                        to,
                        callee: call.name.to_owned(),
                        rule: change.rule.clone(),
                    });
                }
            }
            if !is_total {
                moved[from as usize] = self.space.diagrams.or(moved[from as usize], left);
                enabled = self.space.diagrams.or(enabled, left);
            }
        }
        let error_before = before.states[error as usize];
        moved[error as usize] = self.space.diagrams.or(moved[error as usize], error_before);
        for (guard, to) in after.states.iter_mut().zip(&moved) {
            *guard = self.space.diagrams.ite(under, *to, *guard);
        }
        let touched = self.space.diagrams.and(under, touched);
        after.touched = self.space.diagrams.or(after.touched, touched);
        let vague = self.space.diagrams.and(under, vague);
        after.vague = self.space.diagrams.or(after.vague, vague);
        state.typestates.insert(object, after);
        let blocked = self.space.diagrams.and_not(under, enabled);
        state.guard = self.space.diagrams.and_not(state.guard, blocked);
    }

    /// A callee with an object and an output parameter as arguments may have changed the state of the object, and
    /// report it there.
    pub(crate) fn may_report_change(&mut self, state: &mut State, call: &Call<'_>) {
        let given: Vec<(Guard, RegionId)> = call.arguments.iter().flat_map(pointed_to).collect();
        if !given.iter().any(|(_, region)| self.is_variable(*region)) {
            return;
        }
        for number in self.space.objects() {
            let region = self.space.whole(self.space.object(number).region);
            if self.is_variable(region) {
                continue;
            }
            let here: Vec<Guard> = given
                .iter()
                .filter(|(_, of)| self.space.whole(*of) == region)
                .map(|(guard, _)| *guard)
                .collect();
            for guard in here {
                let mut typestate = state.typestate(&self.space, number);
                typestate.vague = self.space.diagrams.or(typestate.vague, guard);
                state.typestates.insert(number, typestate);
            }
        }
    }

    fn is_variable(&self, region: RegionId) -> bool {
        match self.space.get(region) {
            Region::Stack(_) => true,
            Region::Pointee(_)
            | Region::Static(_)
            | Region::External(_)
            | Region::New(..)
            | Region::Element(..) => false,
        }
    }
}

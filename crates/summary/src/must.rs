//! The must-analysis: facts that hold in every execution, whatever the conditions are that the caller cannot see.
//!
//! An effect happens under a guard. Existential quantification of the hidden conditions in the negated guard leaves
//! the executions in which the effect may be missing; in all others it must happen. The walk differs from that of the
//! may-analysis: loops are replaced by a first, an arbitrary and a last iteration, because a cut execution would hide
//! its effects; pointers may alias; and after any write the contents of external memory are unknown.

use ir::{Expr, ExprId, Op};

use crate::call::Call;
use crate::fact::{Basis, Effect, Fact};
use crate::limits::{FACT_STEPS, FACTS};
use crate::path::{Path, Root};
use crate::space::{Atom, Region, RegionId, Seen};
use crate::state::{State, mark, pointed_to};
use crate::summary::{Condition, Logic, Pointed, Shared, Summary, Word};
use crate::value::{Location, Value};
use crate::walk::Walk;
use circuit::Guard;
use property::ResultTest;

/// Where a callee must return null, and where it must not.
pub(crate) struct Nullness {
    null: Guard,
    object: Guard,
}

impl Walk<'_> {
    /// Records the pointer that is dereferenced after an obligation that it is not null.
    pub(crate) fn note_dereference(&mut self, state: &mut State, condition: ExprId) {
        let mut open = vec![condition];
        let (mut pointer, mut when) = (None, state.guard);
        while let Some(id) = open.pop() {
            match self.procedure.exprs.get(id) {
                Expr::Op(Op::Or, sides) => open.extend(sides),
                Expr::Op(Op::Not, of) => match self.procedure.exprs.get(of[0]) {
                    Expr::Op(Op::PtrSameObject, sides) => pointer = Some(sides[0]),
                    _ => return,
                },
                // The other operators are not the case.
                _ => {
                    let holds = self.truth(state, id);
                    when = self.space.diagrams.and_not(when, holds);
                }
            }
        }
        if let Some(pointer) = pointer {
            let value = self.value(state, pointer);
            mark(&mut self.space, &mut self.dereferenced, &value, when);
        }
    }

    /// Applies the facts of a callee. Returns where the result must be null, and where it must not be.
    pub(crate) fn apply_facts(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        summary: &Summary,
    ) -> Nullness {
        let mut nullness = Nullness { null: Guard::NEVER, object: Guard::NEVER };
        for fact in &summary.facts {
            let is_about_memory = matches!(fact.effect, Effect::Dereferences(_) | Effect::Frees(_));
            // Effects on memory matter to the must-analysis only.
            if matches!(fact.effect, Effect::Writes(..)) || is_about_memory && !self.space.is_must {
                continue;
            }
            // A preview must not change the state.
            let mut aside = state.clone();
            let Some(when) = self.must_hold(&mut aside, call, &fact.when) else { continue };
            let is_assumed = fact.basis == Basis::Assumed;
            match &fact.effect {
                Effect::Dereferences(path) | Effect::Frees(path) => {
                    let Some(pointer) = self.resolve_value(&mut aside, call, path) else {
                        continue;
                    };
                    if is_assumed {
                        let regions = pointed_to(&pointer).into_iter();
                        self.assumed.extend(regions.map(|(_, region)| self.space.whole(region)));
                    }
                    if let Effect::Frees(_) = fact.effect {
                        mark(&mut self.space, &mut state.must_freed, &pointer, when);
                    } else {
                        let when = self.space.diagrams.and(state.guard, when);
                        mark(&mut self.space, &mut self.dereferenced, &pointer, when);
                    }
                    continue;
                }
                Effect::NeverReturns => {
                    state.guard = self.space.diagrams.and_not(state.guard, when);
                }
                Effect::ReturnsNull => nullness.null = when,
                Effect::ReturnsObject => nullness.object = when,
                Effect::Returns(_) | Effect::Writes(..) => {}
            }
            self.rests_on_assumptions |= is_assumed;
        }
        nullness
    }

    /// Removes the executions in which the result of a callee contradicts its facts.
    pub(crate) fn settle(&mut self, state: &mut State, result: &Value, nullness: &Nullness) {
        if *result == Value::Opaque || !matches!(result, Value::Pointer(_)) {
            return;
        }
        let given = self.outcome(result, ResultTest::NonZero);
        for (when, wrong) in [(nullness.null, true), (nullness.object, false)] {
            if when != Guard::NEVER {
                let wrong = if wrong { given } else { self.space.diagrams.not(given) };
                let never = self.space.diagrams.and(when, wrong);
                state.guard = self.space.diagrams.and_not(state.guard, never);
            }
        }
    }

    /// Where a condition of a callee holds, if it exists already; none if it is ill-typed at this call.
    fn must_hold(&mut self, state: &mut State, call: &Call<'_>, logic: &Logic) -> Option<Guard> {
        let (condition, then, otherwise) = match logic {
            Logic::Constant(value) => return Some(Guard::constant(*value)),
            Logic::If(condition, then, otherwise) => (condition, then, otherwise),
        };
        let holds = match &**condition {
            // To ask whether a pointer is null would let it be null.
            Condition::NotNull(path) => {
                let Value::Pointer(locations) = self.resolve_value(state, call, path)? else {
                    return None;
                };
                let mut null = Guard::NEVER;
                for &(under, location) in locations.iter() {
                    let here = self.space.is_known_null(location);
                    let here = self.space.diagrams.and(under, here);
                    null = self.space.diagrams.or(null, here);
                }
                self.space.diagrams.not(null)
            }
            Condition::NotZero(..) | Condition::Negative(..) | Condition::Compare(..) => {
                self.conditions(state, call, std::slice::from_ref(&**condition))[0]
            }
        };
        let then = self.must_hold(state, call, then)?;
        let otherwise = self.must_hold(state, call, otherwise)?;
        Some(self.space.diagrams.ite(holds, then, otherwise))
    }

    /// The facts after the evaluation in the must-analysis.
    pub(crate) fn facts(&mut self) -> Vec<Fact> {
        let hidden: Vec<bool> = (0..self.space.atoms())
            .map(|number| {
                let seen = self.space.atom_seen(number);
                seen == Seen::Hidden || self.space.shared_condition(self.namer(), number).is_none()
            })
            .collect();
        let mut must = MustFacts { walk: self, hidden, facts: Vec::new() };
        must.dereferences();
        must.never_returns();
        if let Some(exit) = must.walk.exit.take() {
            must.frees(&exit);
            must.returns(&exit);
            must.writes(&exit);
            must.walk.exit = Some(exit);
        }
        must.facts
    }
}

/// The facts while they are collected.
struct MustFacts<'c, 'w> {
    walk: &'c mut Walk<'w>,
    /// The conditions that a caller does not see.
    hidden: Vec<bool>,
    facts: Vec<Fact>,
}

impl MustFacts<'_, '_> {
    /// Universal quantification: where a guard holds for all values of the hidden conditions.
    fn for_all_hidden(&mut self, guard: Guard) -> Guard {
        let diagrams = &mut self.walk.space.diagrams;
        let not = diagrams.not(guard);
        let hidden = &self.hidden;
        let may_fail = diagrams.forget(not, &|number| hidden.get(number as usize) != Some(&false));
        diagrams.not(may_fail)
    }

    /// Where a guard holds at every exit.
    fn at_exit(&mut self, exit: &State, guard: Guard) -> Guard {
        let diagrams = &mut self.walk.space.diagrams;
        let other = diagrams.and_not(exit.guard, guard);
        let other = diagrams.or(other, self.walk.cut);
        let not = diagrams.not(other);
        self.for_all_hidden(not)
    }

    /// Adds an effect with its guard; for some objects it may hold only without aliasing.
    fn add(&mut self, effect: Effect, when: Guard, of: Option<RegionId>) {
        if when == Guard::NEVER {
            return;
        }
        let Some(logic) = self.walk.space.shared_logic(self.walk.namer(), when) else { return };
        let is_assumed = of.is_some_and(|region| self.walk.assumed.contains(&region));
        // Another pointer may lead there too.
        let is_fleeting = matches!(effect, Effect::Writes(..));
        let is_every = !self.walk.rests_on_assumptions && !is_assumed && !is_fleeting;
        let basis = if is_every { Basis::Proved } else { Basis::Assumed };
        self.facts.push(Fact { effect, when: logic, basis });
    }

    /// The path of the pointer to an object, if it is short.
    fn pointer_to(&self, region: RegionId) -> Option<Path> {
        let Region::Pointee(input) = self.walk.space.get(region) else { return None };
        let path = self.walk.space.input_path(self.walk.namer(), input)?;
        let is_near = matches!(path.root, Root::Parameter(_)) && path.steps.len() <= FACT_STEPS;
        is_near.then_some(path)
    }

    fn dereferences(&mut self) {
        let dereferenced: Vec<(RegionId, Guard)> =
            self.walk.dereferenced.iter().map(|(region, guard)| (*region, *guard)).collect();
        for (region, guard) in dereferenced {
            let Some(path) = self.pointer_to(region) else { continue };
            // Only the case in which it is null matters.
            let guard = match self.walk.space.atom_number(&Atom::Null(region)) {
                Some(_) => {
                    let null = self.walk.space.atom(Atom::Null(region));
                    let both = self.walk.space.diagrams.and(guard, null);
                    self.walk.space.diagrams.restrict(both, null)
                }
                None => guard,
            };
            let when = self.for_all_hidden(guard);
            self.add(Effect::Dereferences(path), when, Some(region));
        }
        self.facts.sort_by_key(|fact| match &fact.effect {
            Effect::Dereferences(path) => path.steps.len(),
            _ => 0,
        });
        self.facts.truncate(FACTS);
    }

    /// Where no execution returns.
    fn never_returns(&mut self) {
        let returns = self.walk.exit.as_ref().map_or(Guard::NEVER, |exit| exit.guard);
        let ends = self.walk.space.diagrams.or(returns, self.walk.cut);
        let not = self.walk.space.diagrams.not(ends);
        let when = self.for_all_hidden(not);
        self.add(Effect::NeverReturns, when, None);
    }

    fn frees(&mut self, exit: &State) {
        for (region, guard) in exit.must_freed.iter().take(FACTS) {
            let Some(path) = self.pointer_to(*region) else { continue };
            let when = self.at_exit(exit, *guard);
            self.add(Effect::Frees(path), when, Some(*region));
        }
    }

    fn returns(&mut self, exit: &State) {
        let Some(value) = self.walk.result(exit) else { return };
        if self.walk.cut == Guard::NEVER
            && let Some(shared) = self.walk.space.shared(self.walk.namer(), &value)
            && is_plain(&shared)
        {
            self.add(Effect::Returns(shared), Guard::ALWAYS, None);
            return;
        }
        let Value::Pointer(locations) = &value else { return };
        let (mut null, mut object) = (Guard::NEVER, Guard::NEVER);
        for &(under, location) in locations.iter() {
            let space = &mut self.walk.space;
            let guard = match location {
                Location::Null => &mut null,
                Location::At(region, _) => match space.get(region) {
                    Region::Static(_)
                    | Region::External(_)
                    | Region::Stack(_)
                    | Region::New(..) => &mut object,
                    Region::Pointee(_) => {
                        let here = space.is_known_null(location);
                        let here = space.diagrams.and(under, here);
                        null = space.diagrams.or(null, here);
                        continue;
                    }
                    Region::Element(..) => continue,
                },
                Location::Number(_) => continue,
            };
            *guard = space.diagrams.or(*guard, under);
        }
        for (effect, guard) in [(Effect::ReturnsNull, null), (Effect::ReturnsObject, object)] {
            let when = self.at_exit(exit, guard);
            self.add(effect, when, None);
        }
    }

    fn writes(&mut self, exit: &State) {
        if self.walk.cut != Guard::NEVER {
            return;
        }
        let mut found = Vec::new();
        for ((region, offset), (bytes, value)) in &exit.cells {
            let Some(path) = self.walk.space.path(self.walk.namer(), *region, *offset) else {
                continue;
            };
            let is_near = matches!(path.root, Root::Parameter(_));
            let Some(shared) = self.walk.space.shared(self.walk.namer(), value) else { continue };
            if is_near && path.steps.len() == 1 && is_plain(&shared) {
                found.push(Effect::Writes(path, *bytes, shared));
            }
        }
        found.truncate(FACTS);
        for effect in found {
            self.add(effect, Guard::ALWAYS, None);
        }
    }
}

/// Whether a value depends on arguments only.
fn is_plain(shared: &Shared) -> bool {
    match shared {
        Shared::Truth(logic) => is_plain_logic(logic),
        Shared::Word(word) => is_plain_word(word),
        Shared::Pointer(targets) => targets.iter().all(|(when, pointed)| {
            is_plain_logic(when)
                && match pointed {
                    Pointed::Null => true,
                    Pointed::Behind(path, _) => is_passed(path),
                    Pointed::At(_) | Pointed::Number(_) => false,
                }
        }),
    }
}

fn is_passed(path: &Path) -> bool {
    path.steps.is_empty() && matches!(path.root, Root::Parameter(_))
}

fn is_plain_logic(logic: &Logic) -> bool {
    match logic {
        Logic::Constant(_) => true,
        Logic::If(condition, then, otherwise) => {
            let is_plain = match &**condition {
                Condition::NotNull(path)
                | Condition::NotZero(path, _)
                | Condition::Negative(path, _) => is_passed(path),
                Condition::Compare(_, a, b) => is_plain_word(a) && is_plain_word(b),
            };
            is_plain && is_plain_logic(then) && is_plain_logic(otherwise)
        }
    }
}

fn is_plain_word(word: &Word) -> bool {
    match word {
        Word::Constant(..) => true,
        Word::Place(path, _) => is_passed(path),
        Word::Address(_) => false,
        Word::Op(_, operands, _) => operands.iter().all(is_plain_word),
        Word::Choice(when, then, otherwise) => {
            is_plain_logic(when) && is_plain_word(then) && is_plain_word(otherwise)
        }
    }
}

//! Replay: the interpreter runs the procedure as a model says, and keeps the states of objects beside it.
//!
//! A finding is shown only if the run takes place: every branch follows from the values, every operation
//! is done to the object it is said to be done to, from the state that the object is in by then, and what
//! is lost at the end cannot be found from anywhere outside. Callees are not followed; their answers are
//! held against what is declared of them, or against their summaries.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use interpret::{
    Bytes, CallAnswer, CallQuestion, Ending, Inputs, Options, Oracle, Outcome, Pointer, Question,
    Value as Concrete, Wanted,
};
use ir::{AssertKind, FunctionId, GlobalId, Module, Procedure, ProcedureId, SortId, StatementKind};

use crate::call::name_of;
use crate::lift::Lift;
use crate::path::{Path, Root};
use crate::property::{Moved, To};
use crate::solve::Model;
use crate::space::{Atom, Region, RegionId, Site};
use crate::walk::Walk;

/// How many statements a run may take.
const STEPS: u64 = 200_000;

/// What a run must show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claim {
    /// That a step, by position, is made.
    Step(usize),
    /// That it returns with an object, by number, in a state.
    Ends(u32, u32),
    /// That it returns and nobody can find an object.
    Loses(RegionId),
}

/// The program with the procedure as it was walked, without what other rules look for.
pub(crate) fn stage(module: &Module, id: ProcedureId, procedure: &Procedure) -> Module {
    let mut procedure = procedure.clone();
    for block in procedure.blocks.iter_mut().flatten() {
        for statement in &mut block.statements {
            if let StatementKind::Assert { kind, .. } = &statement.kind
                && *kind != AssertKind::Assertion
            {
                // The statement stays, so that sites stay; what it asks for holds.
                let yes = procedure.exprs.push(ir::Expr::Bool(true), ir::Type::Bool);
                statement.kind =
                    StatementKind::Assume { condition: yes, reason: ir::AssumeReason::Model };
            }
        }
    }
    let mut stage = module.clone();
    stage.procedures[id.0 as usize] = procedure;
    stage
}

/// Whether the run that a model describes shows what is claimed.
pub(crate) fn replay(
    walk: &Walk<'_>,
    stage: &Module,
    id: ProcedureId,
    model: &Model,
    claim: Claim,
) -> bool {
    let lift = Lift { walk, model };
    let mut memory = Bytes::default();
    lift.fill(&mut memory, &|region, epoch| {
        epoch == 0 && !matches!(walk.space.get(walk.space.whole(region)), Region::New(..))
    });
    let inputs = Inputs {
        parameters: lift.parameters(),
        globals: BTreeMap::from([(GlobalId(0), Concrete::Bytes(memory))]),
        objects: lift.objects(),
    };
    let mut ghost = Ghost {
        lift,
        states: BTreeMap::new(),
        made: BTreeSet::new(),
        gone: BTreeSet::new(),
        freed: BTreeSet::new(),
        is_wrong: false,
    };
    let options = Options { steps: STEPS, trace: 0, ..Options::default() };
    let run = interpret::run(stage, id, &inputs, &mut ghost, &options);
    if ghost.is_wrong {
        return false;
    }
    let results = match &run.outcome {
        Outcome::Exit(Ending::Normal(results)) => Some(results),
        Outcome::Exit(_)
        | Outcome::Failed(_)
        | Outcome::Blocked { .. }
        | Outcome::Error { .. }
        | Outcome::OutOfSteps => None,
    };
    match claim {
        Claim::Step(step) => ghost.made.contains(&step),
        Claim::Ends(object, state) => results.is_some() && ghost.state(object) == state,
        Claim::Loses(region) => {
            let memory = run.globals.first().cloned().flatten();
            match (results, memory) {
                (Some(results), Some(Concrete::Bytes(memory))) => {
                    let given = results.iter().flatten().filter_map(target).collect();
                    let lost = ghost.lift.number(region);
                    !ghost.freed.contains(&lost) && !ghost.found(&memory, given).contains(&lost)
                }
                _ => false,
            }
        }
    }
}

/// An oracle that says what the model says, and keeps the states of objects.
struct Ghost<'g, 'w> {
    lift: Lift<'g, 'w>,
    states: BTreeMap<u32, u32>,
    /// The steps that were made, by position.
    made: BTreeSet<usize>,
    /// The objects that are known to others.
    gone: BTreeSet<u64>,
    /// The objects that are freed.
    freed: BTreeSet<u64>,
    is_wrong: bool,
}

fn target(value: &Concrete) -> Option<u64> {
    match value {
        Concrete::Ptr(pointer) => Some(pointer.object),
        Concrete::Bv(word) => Some(Pointer::at(word.small()?).object),
        _ => None,
    }
}

fn site(site: interpret::Site) -> Site {
    Site { block: site.block.0, statement: site.statement }
}

impl Ghost<'_, '_> {
    fn state(&self, object: u32) -> u32 {
        self.states.get(&object).copied().unwrap_or_else(|| {
            let states = &self.lift.walk.space.entry(object).states;
            states.iter().position(|guard| self.lift.truth(*guard)).unwrap_or(0) as u32
        })
    }

    /// Makes the steps that are due at a call, if they can be made.
    fn advance(&mut self, at: Site, question: &CallQuestion<'_>, result: Option<&Concrete>) {
        let walk = self.lift.walk;
        for (position, step) in walk.steps.iter().enumerate() {
            if step.site != at || !self.lift.truth(step.guard) {
                continue;
            }
            let object = walk.space.object(step.object);
            let place = self.lift.place(object.region, object.offset);
            let is_declared = walk.index.declared(&step.callee).is_some_and(|declared| {
                declared.operations.iter().any(|&(property, number)| {
                    let operation = &walk.index.properties.machines[property].operations[number];
                    let moved = match operation.object {
                        Moved::Argument(n) => question.arguments.get(n as usize),
                        Moved::Result => result,
                    };
                    let states = walk.index.properties.machines[property].states.len() as u32;
                    property == object.property
                        && moved.is_some_and(|moved| match moved {
                            Concrete::Ptr(pointer) => *pointer == place,
                            Concrete::Bv(word) => self.lift.is_number_of(object.region, word),
                            _ => false,
                        })
                        && operation.moves.iter().any(|step_of| {
                            let to = match &step_of.to {
                                To::State(to) => *to,
                                To::Error(_) => states,
                                To::Nowhere => return false,
                            };
                            step_of.from == step.from
                                && to == step.to
                                && step_of.when.is_none_or(|when| when.fits(result))
                        })
                })
            });
            let is_summarised = || {
                walk.callees.summary(&step.callee).is_some_and(|summary| {
                    let machines = summary.machines.iter();
                    let mut transitions = machines.flat_map(|machine| &machine.transitions);
                    transitions.any(|t| t.from == step.from && t.to == step.to)
                })
            };
            if self.state(step.object) != step.from || !(is_declared || is_summarised()) {
                self.is_wrong = true;
                return;
            }
            self.states.insert(step.object, step.to);
            self.made.insert(position);
        }
    }

    /// Notes what a callee takes away.
    fn take(&mut self, question: &CallQuestion<'_>, memory: Option<&Bytes>) {
        let walk = self.lift.walk;
        let name = name_of(question.module, question.callee);
        let arguments = |n: u32| question.arguments.get(n as usize).and_then(target);
        if let Some(declared) = walk.index.declared(name) {
            self.freed.extend(declared.releases.iter().filter_map(|n| arguments(*n)));
            let allocator = declared.allocator.map(|n| &walk.index.properties.allocators[n]);
            self.freed.extend(allocator.and_then(|a| a.replaces).and_then(arguments));
        } else if let Some(summary) = walk.callees.summary(name) {
            for path in &summary.escapes {
                self.gone.extend(resolve(question, memory, path).map(|pointer| pointer.object));
            }
            for path in &summary.frees {
                self.freed.extend(resolve(question, memory, path).map(|pointer| pointer.object));
            }
        } else {
            let only_looks = question.module.procedure(question.callee).contract.modifies.as_ref();
            if !only_looks.is_some_and(Vec::is_empty) {
                let given = question.arguments.iter().filter_map(target).collect();
                let found = match memory {
                    Some(memory) => reachable(memory, given),
                    None => given,
                };
                self.gone.extend(found);
            }
        }
    }

    /// The objects that can be found from outside at exit.
    fn found(&self, memory: &Bytes, mut given: BTreeSet<u64>) -> BTreeSet<u64> {
        let space = &self.lift.walk.space;
        for region in space.regions() {
            match space.get(region) {
                Region::Pointee(_) | Region::Static(_) | Region::Foreign(_) => {
                    given.insert(self.lift.number(region));
                }
                Region::Stack(_) | Region::New(..) | Region::Element(..) => {}
            }
        }
        given.extend(1..=self.lift.walk.module.objects.len() as u64);
        given.extend(&self.gone);
        reachable(memory, given)
    }
}

/// The objects that can be found from some by following what memory holds.
fn reachable(memory: &Bytes, from: BTreeSet<u64>) -> BTreeSet<u64> {
    let mut words: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    let mut bytes: BTreeMap<(u64, u64), u8> = BTreeMap::new();
    for (object, offset, byte) in memory.written() {
        bytes.insert((object, offset), byte);
    }
    for &(object, offset) in bytes.keys() {
        let word: Option<Vec<u8>> =
            (0..8).map(|n| bytes.get(&(object, offset + n)).copied()).collect();
        if let Some(word) = word.and_then(|word| <[u8; 8]>::try_from(word).ok()) {
            let target = Pointer::at(u64::from_le_bytes(word)).object;
            words.entry(object).or_default().push(target);
        }
    }
    let mut found = from.clone();
    let mut open: Vec<u64> = from.into_iter().collect();
    while let Some(object) = open.pop() {
        for target in words.get(&object).into_iter().flatten() {
            if found.insert(*target) {
                open.push(*target);
            }
        }
    }
    found
}

/// The pointer that a path leads to.
fn resolve(question: &CallQuestion<'_>, memory: Option<&Bytes>, path: &Path) -> Option<Pointer> {
    let Root::Parameter(number) = path.root else { return None };
    let Concrete::Ptr(mut pointer) = *question.arguments.get(number as usize)? else { return None };
    let (objects, time) = question.objects;
    for step in &path.steps {
        let place = pointer.moved(*step);
        match memory?.load(objects, time, place, &ir::Type::Ptr) {
            Ok(Concrete::Ptr(next)) => pointer = next,
            Ok(_) | Err(_) => return None,
        }
    }
    Some(pointer)
}

impl Oracle for Ghost<'_, '_> {
    fn value(&mut self, question: &Question<'_>) -> Option<Concrete> {
        match question.wanted {
            Wanted::Havoc(..) => {
                let value = self.lift.walk.opened.get(&site(question.site))?;
                self.lift.value(value)
            }
            Wanted::Function(..) | Wanted::Entry(..) => {
                Some(Concrete::default_of(question.ty, question.module))
            }
            Wanted::Input(_) => None,
        }
    }

    fn choose(&mut self, at: interpret::Site, ways: usize) -> Option<usize> {
        let space = &self.lift.walk.space;
        let taken = |way: &usize| {
            let number = space.atom_number(&Atom::Made(site(at), *way as u32));
            number.is_some_and(|number| self.lift.model.holds(number))
        };
        Some((0..ways).find(taken).unwrap_or(ways - 1))
    }

    fn individual(
        &mut self,
        _: interpret::Site,
        _: SortId,
        _: &dyn Fn(u64) -> bool,
    ) -> Option<u64> {
        None
    }

    fn fails(&mut self, at: interpret::Site, _: u64) -> Option<bool> {
        let number = self.lift.walk.space.atom_number(&Atom::Made(site(at), crate::walk::SUCCEEDS));
        Some(!number.is_some_and(|number| self.lift.model.holds(number)))
    }

    fn object(&mut self, at: interpret::Site) -> Option<u64> {
        let space = &self.lift.walk.space;
        let region = space
            .known_region(Region::Stack(site(at)))
            .or_else(|| space.known_region(Region::New(site(at), 0)))?;
        Some(self.lift.number(region))
    }

    fn call(&mut self, question: &CallQuestion<'_>) -> Option<CallAnswer> {
        let at = site(question.site);
        let answer = self.lift.walk.answers.get(&at)?;
        let result = answer.result.as_ref().and_then(|value| self.lift.value(value));
        let memory = match question.globals.first() {
            Some(Some(Concrete::Bytes(memory))) => Some(memory.clone()),
            _ => None,
        };
        self.take(question, memory.as_ref());
        self.advance(at, question, result.as_ref());
        let mut said = CallAnswer::default();
        let space = &self.lift.walk.space;
        for &region in &answer.new {
            said.allocates.push(self.lift.new_object(region));
        }
        if let (Some(mut memory), Some(_)) = (memory, question.places.first()) {
            for (place, bytes, value) in &answer.writes {
                if let (Some(Concrete::Ptr(to)), Some(value)) =
                    (self.lift.value(place), self.lift.value(value))
                    && let (1.., Ok(offset)) = (to.object, u64::try_from(to.offset))
                {
                    let word = match value {
                        Concrete::Ptr(pointer) => u128::from(pointer.address()),
                        Concrete::Bv(word) => word.small().unwrap_or(0).into(),
                        Concrete::Bool(value) => value.into(),
                        _ => continue,
                    };
                    memory.write(to.object, offset, &word.to_le_bytes()[..*bytes as usize]);
                }
            }
            self.lift.fill(&mut memory, &|region, epoch| {
                answer.epochs.contains(&epoch)
                    || epoch == 0 && answer.new.contains(&space.whole(region))
            });
            said.writes.push((0, Concrete::Bytes(memory)));
        }
        let ty = question.results.first();
        said.results.extend(
            ty.map(|ty| result.unwrap_or_else(|| Concrete::default_of(ty, question.module))),
        );
        Some(said)
    }

    fn individuals(&self, _: SortId) -> Option<Arc<Vec<u64>>> {
        None
    }

    fn table(&self, _: &Module, _: FunctionId) -> Option<Arc<interpret::MapValue>> {
        None
    }

    fn follows(&self, _: interpret::Site, _: usize, _: ProcedureId) -> bool {
        false
    }
}

//! Candidates: double operations, imbalances and leaks (Xie & Aiken 2007, §5.5 and §6.4).
//!
//! A candidate is a claim about one execution, or about two, with the witness of a model. Loops are abstracted and
//! calls are summaries here, so a candidate is no finding before the judge has executed the program.
//!
//! *Type A*: an operation is applied to an object in a state that it does not allow, and either the procedure itself
//! has caused this state, or the same call fails for every state of the object at entry. Xie & Aiken ask for an error
//! from each state, on any path; here the paths must agree on everything that the caller sees, so that functions
//! which do one thing or its opposite (Figure 8) are correct.
//! *Type B*: two executions with equal arguments and equal results apply operations to an object and leave it in
//! different states.

use ir::{PointId, Span};
use judge::{Claim, Proposal};
use serde::{Deserialize, Serialize};

use crate::limits::PROPOSED_PATHS;
use crate::path::Path;
use crate::solve::{Model, Solver};
use crate::space::{Atom, Input, Region, RegionId, Seen};
use crate::state::State;
use crate::value::Value;
use crate::walk::{Step, Walk};
use crate::wording::number_of;
use circuit::Guard;
use property::ResultTest;

/// A candidate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The rule.
    pub rule: String,
    /// The message.
    pub message: String,
    /// The place.
    pub span: Span,
    /// The point of the program.
    pub point: PointId,
    /// The place where the execution ends.
    pub end: Span,
    /// The callees that are involved.
    pub callees: Vec<String>,
    /// Alternatives, each with what executions have to show: one claim, or two about executions that the caller
    /// cannot distinguish.
    pub proposals: Vec<Vec<Proposal>>,
}

/// The candidates of a procedure.
#[derive(Default)]
pub(crate) struct Proposed {
    pub(crate) findings: Vec<Finding>,
    /// The objects of the candidates.
    pub(crate) reported: Vec<Path>,
}

impl Walk<'_> {
    /// The candidates. `is_exact` says that every loop was unrolled, so that a path is a path of the procedure.
    pub(crate) fn propose(&mut self, solver: &mut Solver, is_exact: bool) -> Proposed {
        let mut proposed = Proposed::default();
        for object in self.space.objects() {
            self.doubles(solver, object, is_exact, &mut proposed);
        }
        if let Some(exit) = self.exit.take() {
            for object in self.space.objects() {
                self.imbalance(solver, &exit, object, is_exact, &mut proposed);
            }
            for leak in self.leaks(solver, &exit) {
                let models = self.models(solver, leak.guard);
                if !models.is_empty() {
                    proposed.findings.push(self.leaked(&models, &leak, is_exact));
                }
            }
            self.exit = Some(exit);
        }
        proposed
    }

    /// Records that there is a candidate about an object.
    fn dispute(&self, object: u32, proposed: &mut Proposed) {
        let of = self.space.object(object);
        proposed.reported.extend(self.space.path(self.namer(), of.region, of.offset));
    }

    /// A witness, preferably one in which computed offsets are within the bounds of their objects.
    /// None if it depends on what is not modelled.
    fn model(&mut self, solver: &mut Solver, guard: Guard) -> Option<Model> {
        if self.space.depends_on_unmodelled(guard) {
            return None;
        }
        let mut within = guard;
        let regions: Vec<RegionId> = self.space.regions().collect();
        for region in regions {
            let Region::Element(of, offset) = self.space.get(region) else { continue };
            let size = match self.space.get(of) {
                Region::Static(function) => {
                    let object = self.module.object_at(function);
                    object.map_or(0, |position| self.module.objects[position].size)
                }
                Region::Pointee(_)
                | Region::External(_)
                | Region::Stack(_)
                | Region::New(..)
                | Region::Element(..) => 64,
            };
            let width = self.space.width(offset);
            let size = self.space.word(width, size.saturating_sub(7).into());
            let inside = self.space.compare(&ir::Op::BvUlt, offset, size);
            within = self.space.diagrams.and(within, inside);
            for place in self.space.looked_at(of) {
                let place = self.space.word(width, place as u64 as u128);
                let same = self.space.compare(&ir::Op::Eq, offset, place);
                within = self.space.diagrams.and_not(within, same);
            }
        }
        solver.model(&self.space, within).or_else(|| solver.model(&self.space, guard))
    }

    /// Witnesses along different paths.
    fn models(&mut self, solver: &mut Solver, guard: Guard) -> Vec<Model> {
        let mut models = Vec::new();
        let mut left = guard;
        while models.len() < PROPOSED_PATHS
            && let Some(model) = self.model(solver, left)
        {
            let path = self.path_of(&model);
            left = self.space.diagrams.and_not(left, path);
            models.push(model);
        }
        models
    }

    /// The guard of the path of a model.
    fn path_of(&mut self, model: &Model) -> Guard {
        let mut path = Guard::ALWAYS;
        for id in self.blocks_passed(model) {
            let branch = self.branches.iter().find(|(site, ..)| site.block == id.0);
            let Some(&(_, condition, _)) = branch else { continue };
            path = match self.holds(model, condition) {
                true => self.space.diagrams.and(path, condition),
                false => self.space.diagrams.and_not(path, condition),
            };
        }
        path
    }

    /// Errors that happen for every state at entry.
    fn doubles(
        &mut self,
        solver: &mut Solver,
        object: u32,
        is_exact: bool,
        proposed: &mut Proposed,
    ) {
        let here = self.steps.iter().cloned().enumerate();
        let here: Vec<(usize, Step)> = here.filter(|(_, step)| step.object == object).collect();
        if here.iter().all(|(_, step)| step.rule.is_none()) {
            return;
        }
        let mut error = Guard::NEVER;
        for (_, step) in here.iter().filter(|(_, step)| step.rule.is_some()) {
            error = self.space.diagrams.or(error, step.guard);
        }
        let entry = self.space.entry(object).states.clone();
        let mut always = Guard::ALWAYS;
        for at_entry in entry.into_iter().filter(|guard| *guard != Guard::NEVER) {
            let fails = self.space.diagrams.and(error, at_entry);
            let fails = self.known_to_caller(fails, Seen::Found, Some(object));
            always = self.space.diagrams.and(always, fails);
        }
        for (position, (_, step)) in here.iter().enumerate() {
            let Some(rule) = &step.rule else { continue };
            let (mut changed, mut failed) = (Guard::NEVER, Guard::NEVER);
            let earlier = here[..position].iter().map(|(_, earlier)| earlier);
            for earlier in earlier.filter(|earlier| earlier.site != step.site) {
                if earlier.rule.is_some() {
                    failed = self.space.diagrams.or(failed, earlier.guard);
                } else if earlier.from != earlier.to {
                    changed = self.space.diagrams.or(changed, earlier.guard);
                }
            }
            // Either the procedure has put the object into the state that is wrong by itself, or it is
            // wrong from one state here and was wrong from the others before.
            let found = self.space.entry(object).states[step.from as usize];
            let changed = match self.is_own(object) {
                true => changed,
                false => self.space.diagrams.and_not(changed, found),
            };
            let failed = self.known_to_caller(failed, Seen::Found, Some(object));
            let failed = self.space.diagrams.and(failed, always);
            let reason = self.space.diagrams.or(changed, failed);
            let guard = self.space.diagrams.and(step.certain, reason);
            let is_known = |finding: &Finding| finding.rule == *rule && finding.point == step.point;
            if proposed.findings.iter().any(is_known) || !solver.ask(&self.space, guard).is_sat() {
                continue;
            }
            let models = self.models(solver, guard);
            if let Some(model) = models.first() {
                let what = self.display(object);
                let state = self.state_name(object, step.from);
                let finding = Finding {
                    rule: rule.clone(),
                    message: format!("`{}` is called while {what} is {state}", step.callee),
                    span: step.span,
                    point: step.point,
                    end: step.span,
                    callees: self.callees_of(model, object),
                    proposals: self.alternatives(&models, is_exact, || Claim::Error {
                        rule: rule.clone(),
                        point: step.point,
                    }),
                };
                proposed.findings.push(finding);
                self.dispute(object, proposed);
            }
        }
    }

    /// The projection of a guard to the conditions that a caller sees.
    fn known_to_caller(&mut self, guard: Guard, seen: Seen, but: Option<u32>) -> Guard {
        let conditions = self.space.diagrams.conditions(guard);
        let hidden: Vec<u32> = conditions
            .into_iter()
            .filter(|number| {
                self.space.atom_seen(*number) > seen
                    || matches!(self.space.atom_of(*number), Atom::Entry(of, _) if Some(*of) == but)
            })
            .collect();
        self.space.diagrams.forget(guard, &|number| hidden.binary_search(&number).is_ok())
    }

    /// The outcomes that a caller can distinguish by the result.
    fn classes(&mut self, exit: &State) -> Vec<Guard> {
        let Some(value) = self.result(exit) else { return vec![Guard::ALWAYS] };
        match &value {
            Value::Word(_) | Value::Truth(_) => {
                let zero = self.outcome(&value, ResultTest::Zero);
                let negative = self.outcome(&value, ResultTest::Negative);
                let either = self.space.diagrams.or(zero, negative);
                let positive = self.space.diagrams.not(either);
                vec![zero, negative, positive]
            }
            Value::Pointer(locations) => {
                let null = self.outcome(&value, ResultTest::Zero);
                // A caller can distinguish error codes from other pointers.
                let number = self.space.first_error.map_or(Guard::NEVER, |first| {
                    let address = self.space.addressed(&locations.clone());
                    let first = self.space.word(ir::ADDRESS_BITS, u128::from(first));
                    self.space.compare(&ir::Op::BvUlt, first, address)
                });
                let either = self.space.diagrams.or(null, number);
                let given = self.space.diagrams.not(either);
                vec![null, number, given]
            }
            Value::Opaque => vec![Guard::ALWAYS],
        }
    }

    /// The same, distinguished by writes through parameters too.
    fn outcomes(&mut self, exit: &State) -> Vec<Guard> {
        let mut classes = self.classes(exit);
        for (_, written) in self.known_propositions(exit).into_iter().take(2) {
            let mut finer = Vec::new();
            for class in classes {
                finer.push(self.space.diagrams.and(class, written));
                finer.push(self.space.diagrams.and_not(class, written));
            }
            classes = finer;
        }
        classes.retain(|class| *class != Guard::NEVER);
        classes
    }

    fn imbalance(
        &mut self,
        solver: &mut Solver,
        exit: &State,
        object: u32,
        is_exact: bool,
        proposed: &mut Proposed,
    ) {
        let property = self.space.object(object).property;
        let Some(rule) = self.index.properties().machines[property].imbalance.clone() else {
            return;
        };
        let after = exit.typestate(&self.space, object);
        let entry = self.space.entry(object).clone();
        let states = entry.states.len() - 1;
        let touched = self.space.diagrams.and(exit.guard, after.touched);
        // The callee's own report covers what a callee leaves open.
        let touched = self.space.diagrams.and_not(touched, after.vague);
        if touched == Guard::NEVER || proposed.findings.iter().any(|known| known.rule == rule) {
            return;
        }
        let classes = self.outcomes(exit);
        for from in 0..states {
            let before = self.space.diagrams.and(touched, entry.states[from]);
            for class in &classes {
                let here = self.space.diagrams.and(before, *class);
                // Executions that restore the state are compared with those that do not.
                for (kept, lost) in
                    (0..states).filter(|lost| *lost != from).map(|lost| (from, lost))
                {
                    let lost_here = self.space.diagrams.and(here, after.states[lost]);
                    let kept_here = self.space.diagrams.and(here, after.states[kept]);
                    let lost_known = self.known_to_caller(lost_here, Seen::Chosen, None);
                    let kept_known = self.known_to_caller(kept_here, Seen::Chosen, None);
                    let common = self.space.diagrams.and(lost_known, kept_known);
                    let lost_here = self.space.diagrams.and(lost_here, common);
                    let kept_here = self.space.diagrams.and(kept_here, common);
                    if !solver.ask(&self.space, lost_here).is_sat()
                        || !solver.ask(&self.space, kept_here).is_sat()
                    {
                        continue;
                    }
                    let losing = self.models(solver, lost_here);
                    let keeping = self.models(solver, kept_here);
                    if losing.is_empty() || keeping.is_empty() {
                        continue;
                    }
                    let runs = [(&losing[..], lost), (&keeping[..], kept)];
                    proposed.findings.push(self.unbalanced(rule, object, runs, is_exact));
                    self.dispute(object, proposed);
                    return;
                }
            }
        }
    }

    fn unbalanced(
        &self,
        rule: String,
        object: u32,
        runs: [(&[Model], usize); 2],
        is_exact: bool,
    ) -> Finding {
        let what = self.display(object);
        let [(losing, lost), (keeping, kept)] = runs;
        let (losing, keeping) = (&losing[0], &keeping[0]);
        let (span, point) = self.end_of(losing);
        let [lost, kept] = [lost, kept].map(|state| self.state_name(object, state as u32));
        let message = format!(
            "returns with {what} {lost}, but another execution that looks the same to the caller returns with it {kept}"
        );
        let mut callees = self.callees_of(losing, object);
        callees.extend(self.callees_of(keeping, object));
        callees.sort();
        callees.dedup();
        let of = self.space.object(object);
        let property = self.index.properties().machines[of.property].name.clone();
        let [ones, others] = runs.map(|(models, state)| {
            let proposal = |model: &Model| Proposal {
                claim: Claim::Ends {
                    property: property.clone(),
                    subject: self.subject(model, object),
                    state: state as u32,
                },
                witness: self.witness(model, is_exact),
            };
            models.iter().map(proposal).collect::<Vec<Proposal>>()
        });
        let pairs = ones
            .iter()
            .flat_map(|one| others.iter().map(move |other| vec![one.clone(), other.clone()]));
        let proposals = pairs.collect();
        Finding { rule, message, span, point, end: span, callees, proposals }
    }

    /// The same claim about each of several executions.
    fn alternatives(
        &self,
        models: &[Model],
        is_exact: bool,
        claim: impl Fn() -> Claim,
    ) -> Vec<Vec<Proposal>> {
        let proposal =
            |model| vec![Proposal { claim: claim(), witness: self.witness(model, is_exact) }];
        models.iter().map(proposal).collect()
    }

    fn leaked(&self, models: &[Model], leak: &crate::leak::Leak, is_exact: bool) -> Finding {
        let fresh = &self.fresh[leak.fresh];
        Finding {
            rule: "memory-leak".to_owned(),
            message: format!("memory allocated by `{}` is leaked", fresh.callee),
            span: fresh.span,
            point: fresh.point,
            end: self.end_of(&models[0]).0,
            callees: vec![fresh.callee.clone()],
            proposals: self.alternatives(models, is_exact, || Claim::Loses { point: fresh.point }),
        }
    }

    /// Whether the procedure itself has created an object, so that its state at entry is known.
    fn is_own(&self, object: u32) -> bool {
        match self.space.get(self.space.whole(self.space.object(object).region)) {
            Region::Stack(_) | Region::New(..) | Region::Pointee(Input::Made { .. }) => true,
            Region::Pointee(_) | Region::Static(_) | Region::External(_) | Region::Element(..) => {
                false
            }
        }
    }

    /// An object in source syntax, or a description.
    pub(crate) fn display(&self, object: u32) -> String {
        let here = self.steps.iter().find(|step| {
            step.object == object && !self.index.is_result(&step.callee, step.from, step.to)
        });
        let place = here
            .and_then(|step| self.procedure.places.iter().find(|(point, _)| *point == step.point));
        let of = self.space.object(object);
        let property = &self.index.properties().machines[of.property];
        match (place, self.space.path(self.namer(), of.region, of.offset)) {
            (Some((_, text)), _) => format!("`{}`", text.text.trim_start_matches('&')),
            (None, Some(path)) => match number_of(self.procedure, &path) {
                Some(name) => format!("`{name}`"),
                None => format!("`{path}`"),
            },
            (None, None) => format!("the {}", property.object),
        }
    }

    fn state_name(&self, object: u32, state: u32) -> String {
        let property = &self.index.properties().machines[self.space.object(object).property];
        property.states.get(state as usize).map_or("in error".to_owned(), Clone::clone)
    }

    /// The callees with transitions of an object in an execution.
    fn callees_of(&self, model: &Model, object: u32) -> Vec<String> {
        let mut names: Vec<String> = self
            .steps
            .iter()
            .filter(|step| step.object == object && self.holds(model, step.guard))
            .map(|step| step.callee.clone())
            .collect();
        names.sort();
        names.dedup();
        names
    }
}

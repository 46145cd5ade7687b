//! From a charge to a finding: the run, told in the words of the source.

use interpret::{Cause, Event, Happening, Names, Outcome, Plain, Run, Site};
use ir::{Module, Procedure, ProcedureId, Span, TerminatorKind, Variable};
use report::{Bounds, Confirmation, Finding, Place, Related, RuleId, Step, StepKind};

use crate::case::{Charge, Evidence};
use crate::examine::Program;

/// What a charge looks like to whoever reads the source.
pub(crate) fn explain(
    program: &Program<'_>,
    procedure: ProcedureId,
    charge: &Charge,
    bounds: &Bounds,
) -> Finding {
    let module = program.module;
    let writer = Writer { program, module, procedure };
    let confirmation = match &charge.evidence {
        Evidence::Run(_) => Confirmation::ReplayedByInterpreter,
        Evidence::Proof(what) => Confirmation::ProvedWithoutRun((*what).to_owned()),
    };
    let place = writer.place(charge.span);
    let rule = RuleId(charge.rule.id.to_owned());
    let mut finding = Finding::new(rule, charge.message.clone(), place, confirmation);
    let subject = module.procedure(procedure);
    finding.detail =
        charge.kind.filter(|_| charge.rule.id == "contract").map(|kind| kind.name().to_owned());
    finding.function = Some(subject.display.clone().unwrap_or_else(|| subject.name.clone()));
    finding.bounds = bounds.clone();
    let related = charge
        .related
        .iter()
        .map(|(span, message)| Related { place: writer.place(*span), message: message.clone() });
    finding.related = related.collect();
    if let Evidence::Run(shown) = &charge.evidence {
        let (witness, run) = &**shown;
        finding.trace = writer.trace(&witness.inputs, run);
    }
    finding
}

/// Whether an initial value is worth telling: memory that is all zero is not.
fn tells_something(value: &interpret::Value) -> bool {
    match value {
        interpret::Value::Bytes(bytes) => bytes.written().any(|(_, _, byte)| byte != 0),
        _ => true,
    }
}

/// Variables by the names that the source has for them.
struct Displayed<'m>(&'m Module);

impl Names for Displayed<'_> {
    fn variable(&self, procedure: ProcedureId, variable: Variable) -> Option<String> {
        match variable {
            Variable::Local(id) => self.0.procedure(procedure).local(id).display.clone(),
            Variable::Global(id) => self.0.global(id).display.clone(),
        }
    }
}

struct Writer<'w> {
    program: &'w Program<'w>,
    module: &'w Module,
    procedure: ProcedureId,
}

impl Writer<'_> {
    fn place(&self, span: Span) -> Place {
        self.program.place(span)
    }

    fn trace(&self, inputs: &[(Variable, interpret::Value)], run: &Run) -> Vec<Step> {
        let subject = self.module.procedure(self.procedure);
        let mut entry = Step::new(StepKind::Entry, "").at(self.place(subject.span));
        for (variable, value) in inputs.iter().filter(|(_, value)| tells_something(value)) {
            let name = self.name(subject, *variable);
            entry = entry.with(name, value.show(self.module, &Plain).to_string());
        }
        let mut steps = vec![entry];
        let mut last: Option<(Site, u32)> = None;
        let left_out = run.trace.left_out();
        for (number, event) in run.trace.events().enumerate() {
            if left_out > 0 && number == run.trace.first().len() {
                let text = format!("… and so on: {left_out} steps are left out here");
                steps.push(Step::new(StepKind::Statement, text));
                last = None;
            }
            let step = self.step(event);
            match (&event.what, steps.last_mut()) {
                // What one statement does is one step.
                (Happening::Assigned(..), Some(before))
                    if last == Some((event.site, event.depth)) =>
                {
                    before.values.extend(step.values);
                }
                // Of a call that was not followed, the answer says it all.
                (Happening::Returned(_), Some(before))
                    if last == Some((event.site, event.depth)) && before.kind == StepKind::Call => {
                }
                _ => steps.push(step),
            }
            last = Some((event.site, event.depth));
        }
        match &run.outcome {
            Outcome::Failed(failure) => {
                let step = Step::new(StepKind::Failure, failure.message.clone());
                steps.push(self.at(step, failure.site));
            }
            Outcome::OutOfSteps => {
                steps.push(Step::new(StepKind::Failure, "… and so on, without end"));
            }
            Outcome::Exit(_) | Outcome::Blocked { .. } | Outcome::Error { .. } => {}
        }
        steps
    }

    fn name(&self, subject: &Procedure, variable: Variable) -> String {
        match variable {
            Variable::Local(id) => subject.display(id).to_owned(),
            Variable::Global(id) => {
                let global = self.module.global(id);
                global.display.clone().unwrap_or_else(|| global.name.clone())
            }
        }
    }

    fn step(&self, event: &Event) -> Step {
        let show = |value: &interpret::Value| value.show(self.module, &Plain).to_string();
        let step = match &event.what {
            Happening::Assigned(target, value, cause) => {
                let text = match cause {
                    Cause::Assignment | Cause::Result | Cause::Allocation => "",
                    Cause::Havoc => "chosen",
                    Cause::Effect => "changed by the callee",
                };
                let place = target
                    .show(self.module, event.site.procedure, &Displayed(self.module))
                    .to_string();
                let value = value.as_ref().map_or_else(|| "?".to_owned(), show);
                Step::new(StepKind::Statement, text).with(place, value)
            }
            Happening::Freed(pointer) => {
                Step::new(StepKind::Statement, format!("{pointer} is freed"))
            }
            Happening::Took(block) => Step::new(StepKind::Branch, self.side(event.site, *block)),
            Happening::Called(callee, _) => {
                Step::new(StepKind::Call, format!("calls {}", self.module.procedure(*callee).name))
            }
            Happening::Answered(callee, _) => {
                let name = &self.module.procedure(*callee).name;
                Step::new(StepKind::Call, format!("{name} may do this, by its contract"))
            }
            Happening::Returned(callee) => {
                let name = &self.module.procedure(*callee).name;
                Step::new(StepKind::Return, format!("{name} returns"))
            }
            Happening::Threw(callee, _) => {
                let name = &self.module.procedure(*callee).name;
                Step::new(StepKind::Return, format!("{name} throws"))
            }
        };
        self.at(step.deep(event.depth), event.site)
    }

    /// Which side of a branch was taken, in words.
    fn side(&self, site: Site, taken: ir::BlockId) -> String {
        let Some(block) = site.block(self.module) else { return String::new() };
        match &block.terminator.kind {
            TerminatorKind::Branch(_, then, _) => (*then == taken).to_string(),
            TerminatorKind::Goto(_) | TerminatorKind::Exit(_) => "goes on".to_owned(),
        }
    }

    fn at(&self, step: Step, site: Site) -> Step {
        match site.span(self.module) {
            Some(span) => step.at(self.place(span)),
            None => step,
        }
    }
}

//! From a defect to a finding: the execution that shows it, explained.

use encode::{Others, Witness, WitnessDecision, replay};
use explain::{Given, Presentation, Replay, Writer, is_nowhere, setup_of_replay};
use interpret::{Bytes, Execution, Failure, Value};
use ir::{Module, ProcedureId, Span};
use report::{Bounds, Confirmation, Finding, Place, Related, RuleId, Step, StepKind};

use crate::context::{Defect, Evidence, confirming, sentence};
use crate::examine::Program;

/// The finding of a defect.
pub(crate) fn explain(
    program: &Program<'_>,
    procedure: ProcedureId,
    defect: &Defect,
    bounds: &Bounds,
) -> Finding {
    let module = program.module;
    let subject = module.procedure(procedure);
    let confirmation = match &defect.evidence {
        Evidence::Run(_) => Confirmation::ReplayedByInterpreter,
        Evidence::Proof(what) => Confirmation::ProvedWithoutRun((*what).to_owned()),
    };
    let place = program.place(defect.span);
    let rule = RuleId(defect.rule.id.to_owned());
    let text = message(program, defect, "");
    let mut finding = Finding::new(rule, defect.kind, text, place, confirmation);
    finding.obligation = defect.obligation.map(|point| point.0);
    finding.extent = defect.extent;
    finding.detail = (defect.rule.id == "contract").then(|| defect.kind.name().to_owned());
    finding.function = Some(subject.display.clone().unwrap_or_else(|| subject.name.clone()));
    finding.bounds = bounds.clone();
    finding.assumptions = defect.assumptions.clone();
    let related = defect
        .related
        .iter()
        // A model of a library has no source text.
        .filter(|(span, _)| !is_nowhere(*span))
        .map(|(span, message)| Related { place: program.place(*span), message: message.clone() });
    finding.related = related.collect();
    if let Evidence::Run(shown) = &defect.evidence {
        let (witness, run) = &**shown;
        finding.relied = stubbed(module, witness);
        let places = |span: Span| program.place(span);
        let describe = |failure: &Failure| sentence(&failure.message, failure.kind);
        let replayed = replayed(module, procedure, witness, run);
        let writer = Writer::new(replayed, program.presentation, &places, &describe);
        if let Some(since) = writer.since(&finding.place) {
            finding.message = message(program, defect, &since);
        }
        // The place where memory was allocated or freed says more than the other related places.
        for label in writer.lifetime() {
            match finding.related.iter_mut().find(|related| related.place == label.place) {
                Some(related) => related.message = label.message,
                None if label.place != finding.place => finding.related.push(label),
                None => {}
            }
        }
        finding.trace = writer.trace();
        finding.heaps = writer.heaps();
        match program.presentation {
            Presentation::Memory => {
                let setup = setup_of_replay(&replayed, &given(witness));
                finding.setup = Some(Box::new(setup));
            }
            Presentation::Plain | Presentation::Objects => {
                let more = defect.others.as_ref();
                finding.trace.extend(
                    more.into_iter().flat_map(|more| others(&writer, program, procedure, more)),
                );
            }
        }
    }
    finding
}

/// The sentence of a defect, with what is known of it besides, and the condition under which it happens.
fn message(program: &Program<'_>, defect: &Defect, since: &str) -> String {
    match defect.condition {
        Some((span, taken)) => {
            let condition = condition(&program.place(defect.span), &program.place(span), taken);
            format!("{}{since} whenever {condition}", defect.message)
        }
        None => format!("{}{since}", defect.message),
    }
}

/// The condition of a branch, seen from a place, and what it is.
fn condition(from: &Place, branch: &Place, taken: bool) -> String {
    let line = branch.start.line;
    match from.path == branch.path {
        true => format!("the condition at line {line} is {taken}"),
        false => format!("the condition at {}:{line} is {taken}", branch.path),
    }
}

/// The callees that were replaced by stubs, by name.
fn stubbed(module: &Module, witness: &Witness) -> Vec<String> {
    let mut names = Vec::new();
    for decision in &witness.decisions {
        if let WitnessDecision::Call(number) = decision
            && let Some(call) = witness.calls.get(*number).filter(|call| call.stub.is_some())
        {
            let callee = module.procedure(call.callee);
            let name = callee.display.as_ref().unwrap_or(&callee.name);
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

/// Whether a witness is the only one of its kind, and the values of those that are like it.
fn others(
    writer: &Writer<'_>,
    program: &Program<'_>,
    procedure: ProcedureId,
    others: &Others,
) -> Vec<Step> {
    let text = match (others.witnesses.len(), others.complete) {
        (0, true) => "this is the only witness within these bounds".to_owned(),
        (0, false) => return Vec::new(),
        (count, true) => format!("there are {} witnesses within these bounds", count + 1),
        (1, false) => "this is not the only witness within these bounds".to_owned(),
        (count, false) => format!("there are more than {count} witnesses within these bounds"),
    };
    let mut steps = vec![Step::new(StepKind::Statement, text)];
    // Of two it is enough to know that the first is not the only one.
    if others.witnesses.len() < 2 && !others.complete {
        return steps;
    }
    for (number, witness) in (2..).zip(&others.witnesses) {
        let run = replay(program.module, procedure, witness, &confirming());
        let mut step = Step::new(StepKind::Statement, format!("witness {number}"));
        let replayed = replayed(program.module, procedure, witness, &run);
        for shown in writer.trace_of(&replayed) {
            step.values.extend(shown.values);
        }
        steps.push(step);
    }
    steps
}

fn replayed<'e>(
    module: &'e Module,
    procedure: ProcedureId,
    witness: &'e Witness,
    run: &'e Execution,
) -> Replay<'e> {
    Replay { module, procedure, inputs: &witness.inputs, functions: &witness.functions, run }
}

/// The inputs and decisions of an execution from a witness.
fn given(witness: &Witness) -> Given<'_> {
    let fails = witness.decisions.iter().filter_map(|decision| match decision {
        WitnessDecision::Fails(fails) => Some(*fails),
        _ => None,
    });
    Given { objects: &witness.objects, fails: fails.collect(), effects: effects(witness) }
}

/// The memory that each call without a followed body writes, in order.
fn effects(witness: &Witness) -> Vec<Option<Bytes>> {
    let mut effects = Vec::new();
    let mut decisions = witness.decisions.iter();
    while let Some(decision) = decisions.next() {
        let WitnessDecision::Call(number) = decision else { continue };
        let Some(call) = witness.calls.get(*number).filter(|call| call.stub.is_none()) else {
            continue;
        };
        let writes = call.writes.len();
        let written = decisions.clone().take(writes).find_map(|decision| match decision {
            WitnessDecision::Value(Value::Bytes(bytes)) => Some(bytes.clone()),
            _ => None,
        });
        effects.push(written);
    }
    effects
}

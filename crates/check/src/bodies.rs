//! The bodies of all files that are checked together, for judging findings in one of them.

use encode::{Witness, by_place};
use interpret::{Bytes, Execution, Inputs, Outcome, Pointer, SiteDecisions, Value};
use ir::{AssertKind, PointId, ProcedureId};

use crate::assumptions::Assumptions;
use crate::context::{CheckContext, confirming};

/// How a program calls one of its procedures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callers {
    /// By its name, and perhaps through pointers too.
    ByName,
    /// Only through pointers: it is a callback.
    ByPointer,
    /// Not at all: its callers are not part of the program.
    External,
}

/// The program that a file is part of.
pub trait Bodies: Sync {
    /// Whether a procedure has a body, in its own file or in another.
    fn has_body(&self, id: ProcedureId) -> bool;

    /// How other procedures of the program call it.
    fn callers(&self, id: ProcedureId) -> Callers;

    /// Runs a procedure with all available bodies, from inputs and with the decisions at places of its file. If it
    /// violates an obligation of this kind at this point, returns the results of functions without body that the
    /// failure relies on, in words.
    fn confirm(
        &self,
        procedure: ProcedureId,
        inputs: &Inputs,
        decisions: &SiteDecisions,
        at: (PointId, AssertKind),
    ) -> Option<Vec<String>>;
}

impl CheckContext<'_> {
    /// Judges a failing execution on the program as written. If it fails there too, returns the results of
    /// functions without body on which it relies. An execution that used a stub although a body exists counts only
    /// then.
    pub(crate) fn judged(
        &self,
        (witness, run): (&Witness, &Execution),
        at: (PointId, AssertKind),
    ) -> Option<Vec<String>> {
        let policy = &self.options.policy;
        if policy.trust_inputs && has_excluded_start(&policy.assumptions, witness, run) {
            return None;
        }
        let Some(bodies) = self.bodies else { return Some(Vec::new()) };
        let stands_for_body = witness.decisions.iter().any(|decision| match decision {
            encode::WitnessDecision::Call(number) => {
                let call = &witness.calls[*number];
                call.stub.is_some() || bodies.has_body(call.callee)
            }
            encode::WitnessDecision::Value(_)
            | encode::WitnessDecision::Goto(_)
            | encode::WitnessDecision::Atom(_)
            | encode::WitnessDecision::Fails(_)
            | encode::WitnessDecision::Object(_) => false,
        });
        let (inputs, decisions) = by_place(self.module, self.procedure, witness, &confirming());
        let confirmed = bodies.confirm(self.procedure, &inputs, &decisions, at);
        confirmed.or((!stands_for_body).then(Vec::new))
    }
}

/// Whether no caller is assumed to have the initial state from which an execution fails.
fn has_excluded_start(assumptions: &Assumptions, witness: &Witness, run: &Execution) -> bool {
    match &run.outcome {
        Outcome::Failed(failure) => assumptions.exclude_start(witness, run, failure),
        _ => false,
    }
}

/// Whether freed memory is used or freed again.
pub(crate) fn is_about_freed_memory(kind: AssertKind) -> bool {
    matches!(kind, AssertKind::UseAfterFree | AssertKind::DoubleFree)
}

/// The caller's objects that an execution frees.
pub(crate) fn freed(witness: &Witness, run: &Execution) -> impl Iterator<Item = u64> {
    let now = run.objects.now();
    witness.objects.iter().filter_map(move |object| {
        let number = object.number?;
        (object.live && !run.objects.is_live(number, now)).then_some(number)
    })
}

/// How many pointers to an object the caller has at the start: parameters, and words of memory.
pub(crate) fn references(witness: &Witness, object: u64) -> usize {
    let mut count = 0;
    for (_, value) in &witness.inputs {
        match value {
            Value::Ptr(pointer) => count += usize::from(pointer.object == object),
            Value::Bytes(memory) => {
                let aligned = memory.pointers().filter(|(_, offset, _)| offset % 8 == 0);
                count += aligned.filter(|(.., pointer)| pointer.object == object).count();
            }
            _ => {}
        }
    }
    count
}

/// Whether an object begins with a link through which the execution overwrites a pointer that leads elsewhere: a
/// list node is removed through its back link, which leads to the predecessor's link.
pub(crate) fn is_linked_back(witness: &Witness, run: &Execution, object: u64) -> bool {
    let memory = |value: &Value| match value {
        Value::Bytes(memory) => Some(memory.clone()),
        _ => None,
    };
    let before = witness.inputs.iter().find_map(|(_, value)| memory(value));
    let after = run.globals.iter().flatten().find_map(memory);
    let (Some(before), Some(after)) = (before, after) else { return false };
    let held = |memory: &Bytes, at: Pointer| {
        let bytes: Option<Vec<u8>> = (0..8)
            .map(|byte| memory.written_at(at.object, u64::try_from(at.offset).ok()? + byte))
            .collect();
        let bytes: [u8; 8] = bytes?.try_into().ok()?;
        Some(Pointer::at(u64::from_le_bytes(bytes)))
    };
    let mut links = before.pointers().filter(|(holder, offset, to)| {
        *holder == object && offset % 8 == 0 && to.object != 0 && to.object != object
    });
    links.any(|(.., to)| {
        let (was, is) = (held(&before, to), held(&after, to));
        is.is_some() && is != was && was.is_none_or(|was| was.object != object)
    })
}

//! Whoever has the bodies of all files that are checked together, to judge what is found in one of them.

use encode::{Witness, by_place};
use interpret::{Answers, Inputs};
use ir::{AssertKind, PointId, ProcedureId};

use crate::case::{Case, confirming};

/// The program that a file is part of.
pub trait Bodies: Sync {
    /// Whether a procedure has a body, in its own file or in another.
    fn has_body(&self, id: ProcedureId) -> bool;

    /// Runs a procedure with all bodies that there are, from inputs and with what was said at places of its
    /// file. If it fails an obligation of this kind at this point, the answers of functions without body that
    /// it relies on, in words.
    fn confirm(
        &self,
        procedure: ProcedureId,
        inputs: &Inputs,
        answers: &Answers,
        at: (PointId, AssertKind),
    ) -> Option<Vec<String>>;
}

impl Case<'_> {
    /// Has a failing run judged on the program as written; on which answers of functions without body it
    /// relies if it fails there too. A run in which something stood for a body that there is counts only then.
    pub(crate) fn judged(
        &self,
        witness: &Witness,
        at: (PointId, AssertKind),
    ) -> Option<Vec<String>> {
        let Some(bodies) = self.bodies else { return Some(Vec::new()) };
        let stands_for_body = witness.answers.iter().any(|answer| match answer {
            encode::Answer::Call(number) => {
                let call = &witness.calls[*number];
                call.outline.is_some() || bodies.has_body(call.callee)
            }
            encode::Answer::Value(_)
            | encode::Answer::Way(_)
            | encode::Answer::Individual(_)
            | encode::Answer::Fails(_)
            | encode::Answer::Object(_) => false,
        });
        let (inputs, answers) = by_place(self.module, self.procedure, witness, &confirming());
        let confirmed = bodies.confirm(self.procedure, &inputs, &answers, at);
        confirmed.or((!stands_for_body).then(Vec::new))
    }
}

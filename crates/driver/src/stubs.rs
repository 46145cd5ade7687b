//! What the summaries of compiled files tell those who look at procedures one by one: a stub of each callee.

use std::collections::BTreeSet;

use ir::ProcedureId;
use rayon::prelude::*;
use summary::{Stubbed, Wording, declared_facts, stub};

use crate::faults::callees;
use crate::summaries::{Shelved, Whole};
use crate::unit::Lowered;

/// Gives compiled files what stands for the procedures that they call.
pub(crate) fn give_stubs(files: &mut [(usize, Lowered)], whole: &Whole) {
    let shelf: Vec<Shelved<'_>> =
        files.iter().filter_map(|(_, lowered)| lowered.shelved()).collect();
    let stubs: Vec<Vec<(ProcedureId, Stubbed)>> =
        (0..shelf.len()).into_par_iter().map(|unit| stubs(whole, &shelf, unit)).collect();
    drop(shelf);
    for ((_, lowered), stubs) in files.iter_mut().zip(stubs) {
        lowered.stub(stubs);
    }
}

/// What stands for the procedures that a file calls.
fn stubs(whole: &Whole, shelf: &[Shelved<'_>], unit: usize) -> Vec<(ProcedureId, Stubbed)> {
    let module = shelf[unit].module;
    let mut next = module.procedures.len() as u32;
    let mut stubs = Vec::new();
    let called: BTreeSet<ProcedureId> = module.procedures.iter().flat_map(callees).collect();
    for id in called {
        let first = ProcedureId(next);
        let procedure = module.procedure(id);
        let found = match whole.summaries.links[unit][id.0 as usize] {
            Some(node) => {
                let known = &whole.summaries.known[node];
                let Ok(analysed) = &known.outcome else { continue };
                let module_of = shelf[known.unit].module;
                let wording = Wording::new(module_of, module_of.procedure(known.procedure));
                stub(module, id, &analysed.summary.facts, wording, first)
            }
            None => {
                let name = procedure.display.as_ref().unwrap_or(&procedure.name);
                let wording = Wording::new(module, procedure);
                stub(module, id, &declared_facts(&whole.index, name), wording, first)
            }
        };
        if let Some(found) = found {
            next += found.procedures.len() as u32;
            stubs.push((id, found));
        }
    }
    stubs
}

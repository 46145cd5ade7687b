//! Stubs: the facts of a summary, as a body that replaces a callee where a procedure is checked by itself.

use std::collections::BTreeSet;

use ir::ProcedureId;
use rayon::prelude::*;
use summary::{StubBody, Wording, build_stub, declared_facts};

use crate::summaries::{CompiledFile, Whole};
use crate::unit::Lowered;

/// Adds stubs of callees to compiled files.
pub(crate) fn give_stubs(files: &mut [(usize, Lowered)], whole: &Whole) {
    let compiled: Vec<CompiledFile<'_>> =
        files.iter().filter_map(|(_, lowered)| lowered.compiled_file()).collect();
    let stubs: Vec<Vec<(ProcedureId, StubBody)>> =
        (0..compiled.len()).into_par_iter().map(|unit| stubs(whole, &compiled, unit)).collect();
    drop(compiled);
    for ((_, lowered), stubs) in files.iter_mut().zip(stubs) {
        lowered.stub(stubs);
    }
}

/// The stubs of the procedures that a file calls.
fn stubs(
    whole: &Whole,
    compiled: &[CompiledFile<'_>],
    unit: usize,
) -> Vec<(ProcedureId, StubBody)> {
    let module = compiled[unit].module;
    let mut next = module.procedures.len() as u32;
    let mut stubs = Vec::new();
    let called: BTreeSet<ProcedureId> =
        module.procedures.iter().flat_map(ir::Procedure::callees).collect();
    for id in called {
        let first = ProcedureId(next);
        let procedure = module.procedure(id);
        let found = match whole.summaries.links[unit][id.0 as usize] {
            Some(node) => {
                let known = &whole.summaries.procedures[node];
                let Ok(analysed) = &known.outcome else { continue };
                let module_of = compiled[known.unit].module;
                let wording = Wording::new(module_of, module_of.procedure(known.procedure));
                build_stub(module, id, &analysed.summary.facts, wording, first)
            }
            None => {
                let name = procedure.display.as_ref().unwrap_or(&procedure.name);
                let wording = Wording::new(module, procedure);
                build_stub(module, id, &declared_facts(&whole.index, name), wording, first)
            }
        };
        if let Some(found) = found {
            next += found.procedures.len() as u32;
            stubs.push((id, found));
        }
    }
    stubs
}

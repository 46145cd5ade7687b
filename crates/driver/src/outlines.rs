//! What the summaries of compiled files tell those who look at procedures one by one: an outline of each callee.

use std::collections::BTreeSet;

use ir::{Callee, Module, ProcedureId, StatementKind};
use rayon::prelude::*;
use summary::{Outlined, Wording, outline};

use crate::options::Options;
use crate::summaries::{Shelved, Whole, known};
use crate::unit::Lowered;

/// Summarises compiled files, and gives each what stands for the procedures that it calls.
pub(crate) fn outlined(files: &mut [(usize, Lowered)], options: &Options) -> Whole {
    let shelf: Vec<Shelved<'_>> =
        files.iter().filter_map(|(_, lowered)| lowered.shelved()).collect();
    let whole = known(&shelf, options);
    let outlines: Vec<Vec<(ProcedureId, Outlined)>> =
        (0..shelf.len()).into_par_iter().map(|unit| outlines(&whole, &shelf, unit)).collect();
    drop(shelf);
    for ((_, lowered), outlines) in files.iter_mut().zip(outlines) {
        lowered.outline(outlines);
    }
    whole
}

/// What stands for the procedures that a file calls.
fn outlines(whole: &Whole, shelf: &[Shelved<'_>], unit: usize) -> Vec<(ProcedureId, Outlined)> {
    let module = shelf[unit].module;
    let mut next = module.procedures.len() as u32;
    let mut outlines = Vec::new();
    for id in called(module) {
        let first = ProcedureId(next);
        let procedure = module.procedure(id);
        let found = match whole.summaries.links[unit][id.0 as usize] {
            Some(node) => {
                let known = &whole.summaries.known[node];
                let Ok(analysed) = &known.outcome else { continue };
                let module_of = shelf[known.unit].module;
                let wording = Wording::new(module_of, module_of.procedure(known.procedure));
                outline(module, id, &analysed.summary.facts, wording, first)
            }
            None => {
                let name = procedure.display.as_ref().unwrap_or(&procedure.name);
                let wording = Wording::new(module, procedure);
                outline(module, id, &whole.index.facts(name), wording, first)
            }
        };
        if let Some(found) = found {
            next += found.procedures.len() as u32;
            outlines.push((id, found));
        }
    }
    outlines
}

/// The procedures that others of a module call.
fn called(module: &Module) -> BTreeSet<ProcedureId> {
    let mut called = BTreeSet::new();
    for block in module.procedures.iter().flat_map(|procedure| procedure.blocks.iter().flatten()) {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Call { callee: Callee::Procedure(id), .. } => {
                    called.insert(*id);
                }
                StatementKind::Call { callee: Callee::Choice(_, table), .. } => {
                    called.extend(table.iter().map(|(_, id)| *id));
                }
                _ => {}
            }
        }
    }
    called
}

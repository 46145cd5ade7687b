//! Dependencies on an axiom or a definition that was left out, or on an unsupported contract.
//!
//! A function is tainted if a left-out axiom mentions it, if its definition uses a tainted one, or if another
//! axiom mentions both: its values may depend on the missing axiom. A procedure that mentions a tainted
//! function begins with `unsupported`.

use ir::{Callee, FunctionId, ProcedureId, Statement, StatementKind};
use rustc_hash::FxHashMap;

use super::Lowering;
use super::axioms::applied;

impl Lowering<'_, '_, '_> {
    /// Puts `unsupported` at the start of procedures and before calls.
    pub(super) fn taint(&mut self) {
        let mut entries: Vec<(usize, String)> = Vec::new();
        for (index, procedure) in self.module.procedures.iter().enumerate() {
            let trouble = self.contract_trouble.get(&ProcedureId(index as u32)).cloned();
            let tainted = || {
                applied(&procedure.exprs).find_map(|function| self.tainted.get(&function)).cloned()
            };
            if let Some(what) = trouble.or_else(tainted) {
                entries.push((index, what));
            }
        }
        for (index, what) in entries {
            let span = self.module.procedures[index].span;
            let Some(blocks) = &mut self.module.procedures[index].blocks else { continue };
            let point = blocks[0].terminator.point;
            let kind = StatementKind::Unsupported { what, writes: Vec::new() };
            blocks[0].statements.insert(0, Statement::synthetic(kind, span, point));
        }
        self.taint_calls();
    }

    /// Spreads taint until nothing more is reached.
    pub(super) fn spread(&mut self) {
        if self.tainted.is_empty() {
            return;
        }
        // Each group of functions that one axiom or one definition ties together.
        let mut groups: Vec<Vec<FunctionId>> = Vec::new();
        let mut users: FxHashMap<FunctionId, Vec<usize>> = FxHashMap::default();
        for axiom in &self.module.axioms {
            groups.push(applied(&axiom.exprs).collect());
        }
        let mut definitions: Vec<(FunctionId, Vec<FunctionId>)> = Vec::new();
        for (index, function) in self.module.functions.iter().enumerate() {
            if let Some((exprs, _)) = &function.definition {
                definitions.push((FunctionId(index as u32), applied(exprs).collect()));
            }
        }
        for (index, group) in groups.iter().enumerate() {
            for function in group {
                users.entry(*function).or_default().push(index);
            }
        }
        let first_definition = groups.len();
        for (index, (_, used)) in definitions.iter().enumerate() {
            for function in used {
                users.entry(*function).or_default().push(first_definition + index);
            }
        }
        let mut open: Vec<FunctionId> = self.tainted.keys().copied().collect();
        open.sort_unstable();
        let mut seen = vec![false; first_definition + definitions.len()];
        while let Some(function) = open.pop() {
            let what = self.tainted[&function].clone();
            for user in users.get(&function).into_iter().flatten() {
                if std::mem::replace(&mut seen[*user], true) {
                    continue;
                }
                let reached = match user.checked_sub(first_definition) {
                    None => groups[*user].as_slice(),
                    Some(definition) => std::slice::from_ref(&definitions[definition].0),
                };
                for other in reached {
                    if !self.tainted.contains_key(other) {
                        self.tainted.insert(*other, what.clone());
                        open.push(*other);
                    }
                }
            }
        }
    }

    /// Calls of procedures whose contract we cannot say.
    fn taint_calls(&mut self) {
        if self.contract_trouble.is_empty() {
            return;
        }
        for procedure in &mut self.module.procedures {
            for block in procedure.blocks.iter_mut().flatten() {
                let mut statements = Vec::with_capacity(block.statements.len());
                for statement in block.statements.drain(..) {
                    if let StatementKind::Call { callee: Callee::Procedure(id), .. } =
                        &statement.kind
                        && let Some(what) = self.contract_trouble.get(id)
                    {
                        let what = format!("a call with {what}");
                        let kind = StatementKind::Unsupported { what, writes: Vec::new() };
                        let (span, point) = (statement.span, statement.point);
                        statements.push(Statement::synthetic(kind, span, point));
                    }
                    statements.push(statement);
                }
                block.statements = statements;
            }
        }
    }
}

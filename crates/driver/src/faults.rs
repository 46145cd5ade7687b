//! Faults: which procedures of a file with errors can be checked.
//!
//! A fault removes something from a program: a statement, or a precondition. A finding in the rest could be spurious,
//! so a procedure that has a fault, or may call one that has, is not checked. A fault outside of procedures affects
//! all of them.

use ir::{Diagnostic, Mode, Module, ProcedureId, Span, Violation};

use crate::limits::FAULTS;

/// A fault of a module, and the procedure that it is in, if it is in one.
pub(crate) struct Fault {
    pub(crate) message: String,
    pub(crate) span: Option<Span>,
    pub(crate) procedure: Option<ProcedureId>,
}

/// The errors of a lowering; if there are none, the violations of the module's invariants.
pub(crate) fn faults(module: &Module, diagnostics: Vec<Diagnostic>) -> Vec<Fault> {
    if diagnostics.is_empty() {
        return ir::validate(module).into_iter().map(Fault::from).collect();
    }
    let extents: Vec<Span> = module.procedures.iter().map(extent).collect();
    let around = |span: Span| {
        let position = extents.iter().position(|whole| {
            whole.file == span.file && whole.start <= span.start && span.end <= whole.end
        });
        position.map(|position| ProcedureId(position as u32))
    };
    diagnostics
        .into_iter()
        .map(|diagnostic| Fault {
            message: diagnostic.to_string(),
            span: Some(diagnostic.span),
            procedure: around(diagnostic.span),
        })
        .collect()
}

/// The source text of a procedure from the start of its declaration to the end of its body. The span
/// of a procedure is that of its first line.
pub(crate) fn extent(procedure: &ir::Procedure) -> Span {
    let mut whole = procedure.span;
    let ensures = procedure.contract.ensures.iter().map(|ensures| &ensures.clause);
    let clauses = procedure.contract.requires.iter().chain(ensures).map(|clause| clause.span);
    let body = procedure.blocks.iter().flatten().flat_map(|block| {
        let statements = block.statements.iter().map(|statement| statement.span);
        statements.chain([block.terminator.span])
    });
    // If there is a body, clauses stand before its end, or elsewhere, as invariants of a class do.
    let clauses = clauses.filter(|_| procedure.blocks.is_none());
    for span in clauses.chain(body).filter(|span| span.file == whole.file) {
        whole.end = whole.end.max(span.end);
    }
    whole
}

impl From<Violation> for Fault {
    fn from(violation: Violation) -> Self {
        let message = violation.to_string();
        Self { message, span: violation.span, procedure: violation.procedure }
    }
}

/// For each procedure of a module, whether it can be checked in spite of the faults. Bodies and contracts with faults
/// are removed, so that the rest is valid.
pub(crate) fn trusted(module: &mut Module, faults: &[Fault]) -> Vec<bool> {
    let mut trusted = vec![true; module.procedures.len()];
    if faults.is_empty() {
        return trusted;
    }
    for fault in faults {
        match fault.procedure {
            Some(id) if faults.len() <= FAULTS => trusted[id.0 as usize] = false,
            _ => return vec![false; module.procedures.len()],
        }
    }
    for (procedure, _) in
        module.procedures.iter_mut().zip(&trusted).filter(|(_, trusted)| !**trusted)
    {
        procedure.blocks = None;
        procedure.contract = ir::Contract::default();
        procedure.exprs = ir::Exprs::default();
        procedure.locals.retain(|local| matches!(local.mode, Mode::Parameter | Mode::Result));
    }
    if !ir::validate(module).is_empty() {
        return vec![false; module.procedures.len()];
    }
    spread(module, &mut trusted);
    trusted
}

/// Callers of a procedure that cannot be checked cannot be checked either.
fn spread(module: &Module, trusted: &mut [bool]) {
    let calls: Vec<Vec<ProcedureId>> =
        module.procedures.iter().map(|procedure| procedure.callees().collect()).collect();
    loop {
        let mut changed = false;
        for (caller, callees) in calls.iter().enumerate() {
            if trusted[caller] && callees.iter().any(|callee| !trusted[callee.0 as usize]) {
                trusted[caller] = false;
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

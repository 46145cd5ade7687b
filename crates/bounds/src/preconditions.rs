//! A procedure that does nothing but ask for its preconditions.

use ir::{Contract, Exit, Procedure, TerminatorKind};

/// The same procedure without its body and postconditions: an execution of it begins where one of the
/// procedure does, and ends there.
pub fn preconditions(procedure: &Procedure) -> Procedure {
    let mut asking = procedure.clone();
    asking.contract =
        Contract { requires: procedure.contract.requires.clone(), ..Contract::default() };
    if let Some(blocks) = &mut asking.blocks {
        blocks.truncate(1);
        for block in blocks {
            block.statements.clear();
            block.facts = None;
            block.terminator.kind = TerminatorKind::Exit(Exit::Normal);
        }
    }
    asking
}

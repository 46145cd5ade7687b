//! Random programs that run for a while.

use ir::generate::{Shape, module};
use ir::{Exit, Module, StatementKind, TerminatorKind};

use crate::tape::assigned_parameters;

/// A random program with calls and, if wanted, loops; every other one speaks of old states, every sixth has memory.
/// Most of what would end an execution early is taken out.
pub fn program(seed: u64, loops: bool) -> Module {
    let shape = Shape {
        procedures: 4,
        blocks: 7,
        widths: vec![1, 2],
        // Integers that are multiplied in loops have more digits than there is time for. Without
        // loops they are needed for measures.
        integers: !loops,
        exceptions: true,
        loops,
        cuts: true,
        ghosts: true,
        specifications: seed.is_multiple_of(2),
        memory: seed.is_multiple_of(6),
        functions: seed.is_multiple_of(5),
        ..Shape::runnable()
    };
    tame(module(seed, &shape), &mut fastrand::Rng::with_seed(seed))
}

/// Takes out most of what would end an execution early.
pub fn tame(mut module: Module, random: &mut fastrand::Rng) -> Module {
    module.axioms.clear();
    module.invariants.clear();
    for procedure in &mut module.procedures {
        procedure.contract.requires.retain(|_| random.u8(..8) == 0);
        // A parameter that the body assigns has another value at exit, of which the interpreter does
        // not know when the body is not run.
        let assigns = !assigned_parameters(procedure).is_empty();
        procedure.contract.ensures.retain(|_| random.u8(..3) == 0 && !assigns);
        for block in procedure.blocks.iter_mut().flatten() {
            block.statements.retain_mut(|statement| match &mut statement.kind {
                StatementKind::Assume { .. } | StatementKind::Assert { .. } => random.u8(..8) == 0,
                StatementKind::Unsupported { .. } => random.u8(..16) == 0,
                StatementKind::Havoc { condition, .. } => {
                    condition.take_if(|_| random.u8(..4) > 0);
                    true
                }
                StatementKind::Assign(_)
                | StatementKind::Allocate { .. }
                | StatementKind::Free(_) => true,
                StatementKind::Call { .. } => random.bool(),
            });
            match &mut block.terminator.kind {
                TerminatorKind::Exit(exit @ (Exit::Cut(_) | Exit::Intended(_))) => {
                    if random.u8(..8) > 0 {
                        *exit = Exit::Normal;
                    }
                }
                // Most conditions never change, so that loops would not end.
                &mut TerminatorKind::Branch(_, yes, no) => {
                    if random.u8(..3) > 0 {
                        block.terminator.kind = TerminatorKind::Goto(vec![yes, no]);
                    }
                }
                TerminatorKind::Exit(Exit::Normal | Exit::Exceptional(_))
                | TerminatorKind::Goto(_) => {}
            }
        }
    }
    module
}

//! Obligations, and exits: postconditions and invariants are obligations at the exit.

use circuit::Gate;
use ir::{AssertKind, Block, BlockId, Exit, ExitClause, Origin, PointId, Span, Variable};

use super::{EXCEPTIONAL, Here, INTENDED, NORMAL, Walk};
use crate::escape::Escape;
use crate::evaluation::Obligation;

impl Walk<'_> {
    /// Notes an obligation; executions in which it fails end here.
    pub(super) fn oblige(&mut self, condition: Gate, due: Due<'_>) {
        let c = &mut self.cx.circuit;
        let failing = self.guards.and(c, &self.here.guard, !condition);
        let reached = self.guards.gate(c, &self.here.guard);
        let fails = self.guards.gate(c, &failing);
        self.obligations.push(Obligation {
            kind: due.kind,
            message: due.message.to_owned(),
            span: due.span,
            point: due.point,
            origin: due.origin,
            place: (self.here.block, due.position),
            reached,
            condition,
            fails,
        });
        self.narrow(condition);
    }

    pub(super) fn exit(&mut self, block: &Block, exit: &Exit) {
        let slot = match exit {
            Exit::Normal => NORMAL,
            Exit::Exceptional(value) => {
                if let Some(value) = value {
                    self.eval(*value);
                }
                EXCEPTIONAL
            }
            Exit::Intended(_) => INTENDED,
            Exit::Cut(reason) => {
                self.cut(Gate::TRUE, Escape::Cut(reason.clone()));
                return;
            }
        };
        if slot != INTENDED && self.cx.scope.heaps.canonical {
            let arrival = (self.here.guard, self.here.state.clone());
            self.leaving[slot].push((self.here.block, arrival));
            return;
        }
        self.leave(block, slot);
    }

    /// Executions that leave by one kind of exit have the same obligations, whichever exit it is. Obligations about
    /// heaps are expensive, so they are evaluated once.
    pub(super) fn leave_together(&mut self) {
        for slot in [NORMAL, EXCEPTIONAL] {
            let (blocks, arrivals): (Vec<BlockId>, Vec<_>) =
                std::mem::take(&mut self.leaving[slot]).into_iter().unzip();
            let Some((guard, state)) = self.merge(arrivals) else { continue };
            let Some(&block) = blocks.last() else { continue };
            self.here = Here { block, guard, state };
            self.leave(&self.blocks[block.0 as usize], slot);
        }
    }

    /// The obligations at an exit, and that executions leave there.
    fn leave(&mut self, block: &Block, slot: usize) {
        if slot != INTENDED {
            let ensures = &self.procedure.contract.ensures;
            for ensured in ensures.iter().filter(|e| e.exceptional == (slot == EXCEPTIONAL)) {
                self.ensure(block, ensured);
            }
            let module = self.cx.module;
            for invariant in &module.invariants {
                let condition = self.value(&invariant.exprs, invariant.condition).gate();
                let due = Due {
                    kind: AssertKind::Invariant,
                    message: "",
                    span: invariant.span,
                    point: block.terminator.point,
                    origin: block.terminator.origin,
                    position: block.statements.len(),
                };
                self.oblige(condition, due);
            }
        }
        let united = self.guards.or(&mut self.cx.circuit, &self.exits[slot], &self.here.guard);
        self.exits[slot] = united;
    }

    fn ensure(&mut self, block: &Block, ensured: &ExitClause) {
        let clause = &ensured.clause;
        if clause.free {
            return;
        }
        // In a postcondition a parameter is what the caller gave, whatever the body made of it.
        let assigned = self.here.state.clone();
        for id in self.procedure.locals_with(ir::Mode::Parameter) {
            if let Some(given) = self.entry.get(Variable::Local(id)) {
                self.here.state.set(Variable::Local(id), given.clone());
            }
        }
        let condition = self.eval(clause.condition).gate();
        self.here.state = assigned;
        let due = Due {
            kind: ensured.kind(),
            message: &clause.message,
            span: clause.span,
            point: block.terminator.point,
            origin: block.terminator.origin,
            position: block.statements.len(),
        };
        self.oblige(condition, due);
    }
}

/// When and what an obligation is.
pub(super) struct Due<'d> {
    pub(super) kind: AssertKind,
    pub(super) message: &'d str,
    pub(super) span: Span,
    pub(super) point: PointId,
    pub(super) origin: Origin,
    pub(super) position: usize,
}

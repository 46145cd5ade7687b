//! The execution of a model: which branches it takes, and where it ends.

use ir::{BlockId, Exit, Mode, Origin, PointId, Span, StatementKind, TerminatorKind, Variable};

use crate::solve::Model;
use crate::walk::Walk;
use circuit::Guard;

impl Walk<'_> {
    /// Whether a guard holds in a model.
    pub(crate) fn holds(&self, model: &Model, mut guard: Guard) -> bool {
        while let Some(node) = self.space.diagrams.node(guard) {
            guard = if model.holds(node.condition) { node.high } else { node.low };
        }
        guard == Guard::ALWAYS
    }

    /// The blocks of an execution, in order.
    pub(crate) fn blocks_passed(&self, model: &Model) -> Vec<BlockId> {
        let blocks = self.procedure.blocks.as_deref().unwrap_or_default();
        let mut passed = Vec::new();
        let mut at = BlockId(0);
        while let Some(block) = blocks.get(at.0 as usize) {
            passed.push(at);
            at = match &block.terminator.kind {
                TerminatorKind::Goto(targets) => match targets[..] {
                    [only] => only,
                    _ => match self.chosen_target(model, at, targets.len()) {
                        Some(number) => targets[number],
                        None => break,
                    },
                },
                TerminatorKind::Branch(_, then, otherwise) => {
                    let taken = self.branches.iter().find(|(site, ..)| site.block == at.0);
                    match taken {
                        Some((_, condition, _)) if self.holds(model, *condition) => *then,
                        Some(_) => *otherwise,
                        None => break,
                    }
                }
                TerminatorKind::Exit(
                    Exit::Normal | Exit::Exceptional(_) | Exit::Intended(_) | Exit::Cut(_),
                ) => break,
            };
        }
        passed
    }

    fn chosen_target(&self, model: &Model, at: BlockId, targets: usize) -> Option<usize> {
        let blocks = self.procedure.blocks.as_deref()?;
        let statement = blocks[at.0 as usize].statements.len() as u32;
        let site = crate::space::Site { block: at.0, statement };
        (0..targets).find(|number| {
            *number + 1 == targets
                || self
                    .space
                    .atom_number(&crate::space::Atom::Made(site, *number as u32))
                    .is_some_and(|number| model.holds(number))
        })
    }

    /// Where an execution ends: the last statement that is in the source.
    pub(crate) fn end_of(&self, model: &Model) -> (Span, PointId) {
        let blocks = self.procedure.blocks.as_deref().unwrap_or_default();
        let mut end = (self.procedure.span, PointId(0));
        for id in self.blocks_passed(model) {
            let block = &blocks[id.0 as usize];
            for statement in &block.statements {
                if statement.origin == Origin::Source && !self.is_handover(&statement.kind) {
                    end = (statement.span, statement.point);
                }
            }
        }
        end
    }

    /// Whether a statement only copies the result, which was computed before.
    fn is_handover(&self, kind: &StatementKind) -> bool {
        kind.written().iter().any(|place| match place.variable {
            Variable::Local(id) => self.procedure.local(id).mode == Mode::Result,
            Variable::Global(_) => false,
        })
    }
}

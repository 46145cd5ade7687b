//! Calls.

use ir::{Callee, ExprId, Origin, StatementKind};

use super::Lowering;
use super::frame::Use;
use super::statement::{BodyBuilder, global_place, unsupported};
use crate::diagnostics::TextRange;
use crate::syntax::CallSyntax;
use crate::types::TypeId;

impl<'s> Lowering<'_, '_, 's> {
    pub(super) fn call(
        &mut self,
        code: &mut BodyBuilder<'_, 's>,
        call: &CallSyntax<'s>,
        at: TextRange,
    ) {
        let program = self.program;
        let Some((index, instance)) = program.meaning.calls.get(&at.start) else { return };
        let instance: Vec<TypeId> =
            instance.iter().map(|ty| self.ground(&code.frame, *ty)).collect();
        let mut arguments: Vec<ExprId> = call
            .arguments
            .iter()
            .map(|argument| self.expression(&mut code.frame, *argument, Use::Code))
            .collect();
        let results = self.places(&call.results);
        let owes = program.procedures[*index].syntax.requires.iter().any(|clause| !clause.free);
        let called = match call.unsupported {
            Some(what) => Err(what.to_owned()),
            None if call.is_free && owes => {
                let what = "a call whose preconditions are not checked";
                self.note(at, what);
                Err(what.to_owned())
            }
            None => self
                .called(*index, &instance)
                .ok_or_else(|| format!("`{}` at ever more types", call.callee.text)),
        };
        match called {
            Ok(id) => {
                self.settle(code, arguments.iter_mut(), at);
                let callee = Callee::Procedure(id);
                let kind = StatementKind::Call { results, callee, arguments, caught: None };
                code.blocks.add(kind, at, Origin::Source);
            }
            Err(what) => {
                code.frame.trouble = None;
                let changed = &program.procedures[*index].modifies;
                let mut writes = results;
                writes.extend(changed.iter().map(|global| global_place(*global)));
                unsupported(code, &what, writes, at, Origin::Source);
            }
        }
    }
}

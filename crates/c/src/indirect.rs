//! Calls through a pointer: one of the functions of the module whose address is taken and whose
//! type is that of the call.

use bitcode::{Call, Value};
use ir::{AssertKind, Callee, Expr, ExprId, Op, Type};

use crate::body::Body;

/// The most functions that a call chooses from.
const MOST: usize = 32;

impl Body<'_, '_> {
    /// A function that is called exists.
    fn may_call(&mut self, callee: Value, pointer: ExprId) {
        let null = self.null();
        let is_null = self.test(Op::PtrSameObject, &[pointer, null]);
        let condition = self.not(is_null);
        let message = match self.text(callee) {
            Some(text) => format!("`{text}` is null"),
            None => "the function that is called is null".to_owned(),
        };
        self.assert(condition, AssertKind::NullDereference, message);
    }

    pub(crate) fn indirect_call(&mut self, callee: Value, call: &Call) {
        let pointer = self.pointer(callee);
        self.may_call(callee, pointer);
        let mut choices = Vec::new();
        let takers = self.context.takers.get(&call.signature);
        let takers = takers.filter(|takers| takers.len() <= MOST).cloned();
        for id in takers.unwrap_or_default() {
            let address = self.context.functions[id.index()];
            let procedure = self.context.procedures[id.index()];
            if let (Some(address), Some(procedure)) = (address, procedure) {
                let address = self.expr(Expr::Apply(address, Vec::new()), Type::Ptr);
                choices.push((address, procedure));
            }
        }
        if choices.is_empty() {
            return self.give_up("a call through a pointer", true);
        }
        match self.arguments(call.signature, call) {
            Some(arguments) => {
                let callee = Callee::Choice(pointer, choices);
                self.run(callee, call.signature, arguments);
            }
            None => self.give_up("a call through a pointer", true),
        }
    }
}

//! Calls through a pointer: one of the functions of the module whose address is taken and whose
//! type is that of the call, or else a function of which nothing is known.

use bitcode::{Call, TypeId, Value};
use ir::{
    AssertKind, Callee, Contract, Expr, ExprId, Exprs, Local, Mode, Op, Procedure, ProcedureId,
    TerminatorKind, Type,
};

use crate::body::Body;
use crate::context::Context;
use crate::limits::INDIRECT_CALLEES;

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
        let takers = takers.filter(|takers| takers.len() <= INDIRECT_CALLEES).cloned();
        for id in takers.unwrap_or_default() {
            let address = self.context.functions[id.index()];
            let procedure = self.context.procedures[id.index()];
            if let (Some(address), Some(procedure)) = (address, procedure) {
                let address = self.expr(Expr::Apply(address, Vec::new()), Type::Ptr);
                choices.push((address, procedure));
            }
        }
        let Some(arguments) = self.arguments(call.signature, call) else {
            return self.give_up("a call through a pointer of another type", true);
        };
        let unknown = self.context.unknown_callee(call.signature);
        if choices.is_empty() {
            return self.run(Callee::Procedure(unknown), call.signature, arguments);
        }
        let mut is_known = self.test(Op::Eq, &[pointer, choices[0].0]);
        for (address, _) in &choices[1..] {
            let is_this = self.test(Op::Eq, &[pointer, *address]);
            is_known = self.test(Op::Or, &[is_known, is_this]);
        }
        self.close_all();
        let [known, other, after] = [(); 3].map(|()| self.new_block());
        self.finish(TerminatorKind::Branch(is_known, known, other));
        self.begin(known, "known");
        let chosen = Callee::Choice(pointer, choices);
        self.run(chosen, call.signature, arguments.clone());
        self.finish(TerminatorKind::Goto(vec![after]));
        self.begin(other, "other");
        self.run(Callee::Procedure(unknown), call.signature, arguments);
        self.finish(TerminatorKind::Goto(vec![after]));
        self.begin(after, "after");
    }
}

impl Context<'_> {
    /// A procedure of a type of which nothing else is known.
    fn unknown_callee(&mut self, signature: TypeId) -> ProcedureId {
        if let Some(known) = self.unknown_callees.get(&signature) {
            return *known;
        }
        let source = self.source;
        let parameters = source[signature].as_function().map(|function| &function.parameters);
        let parameter = |(position, ty)| Local {
            name: format!("argument_{position}"),
            ty,
            mode: Mode::Parameter,
            display: None,
        };
        let types: Vec<Type> = parameters.into_iter().flatten().map(|ty| self.ty(*ty)).collect();
        let mut locals: Vec<Local> = types.into_iter().enumerate().map(parameter).collect();
        let result = self.result_of(signature);
        locals.extend(result.map(|ty| Local {
            name: "result".to_owned(),
            ty,
            mode: Mode::Result,
            display: None,
        }));
        self.module.procedures.push(Procedure {
            name: self.procedure_names.plain("unknown_callee"),
            display: Some("the function that is called".to_owned()),
            span: self.nowhere(),
            locals,
            exprs: Exprs::default(),
            contract: Contract::default(),
            blocks: None,
            points: 0,
            places: Vec::new(),
            forms: Vec::new(),
        });
        let id = ProcedureId(self.module.procedures.len() as u32 - 1);
        self.unknown_callees.insert(signature, id);
        id
    }
}

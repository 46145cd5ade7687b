//! Calls of functions by name.
//!
//! A function of the module, defined or not, is a procedure. A call that does not return is an intended exit;
//! a failed `assert` is an assertion that does not hold.

use bitcode::{
    AttributeGroup, AttributeKind, BlockId as Label, Call, CallKind, ConstantKind, FunctionId,
    InstructionKind, TypeId, Value,
};
use ir::{AssertKind, Callee, Exit, ExprId, HavocReason, Memory, Op, Place, StatementKind, Type};

use crate::body::Body;
use crate::module::attributes;
use crate::promote::is_lifetime;

impl<'m> Body<'_, 'm> {
    /// Lowers a call, and returns whether the block ends there.
    pub(crate) fn call(&mut self, label: Label, call: &Call) -> bool {
        let ended = match self.resolved(call.callee) {
            Value::Function(id) => {
                let source = self.source;
                match source[id].name.strip_prefix("llvm.") {
                    Some(name) => self.intrinsic(name, call),
                    None => self.named_call(id, call),
                }
            }
            Value::InlineAsm(id) => {
                self.assembly(id, call);
                false
            }
            callee => {
                self.indirect_call(callee, call);
                self.group(call).is_some_and(|group| group.has(AttributeKind::NoReturn))
                    && self.end_on_purpose("a call that does not return")
            }
        };
        if ended {
            return true;
        }
        match &call.kind {
            CallKind::Call { .. } => false,
            // Where an exception would go is left out: C has none.
            CallKind::Invoke { normal, .. } => {
                self.jump(label, *normal);
                true
            }
            CallKind::Branch { fallthrough, targets } => {
                let all = std::iter::once(*fallthrough).chain(targets.iter().copied());
                self.go_anywhere(label, all);
                true
            }
        }
    }

    /// The function itself, if the callee is another name for it.
    fn resolved(&self, mut callee: Value) -> Value {
        for _ in 0..64 {
            callee = match callee {
                Value::Alias(id) => self.source[id].aliasee,
                Value::Constant(id) => match &self.source[id].kind {
                    ConstantKind::Cast { op: bitcode::CastOp::BitCast, operand }
                    | ConstantKind::DsoLocalEquivalent(operand)
                    | ConstantKind::NoCfi(operand) => *operand,
                    _ => return callee,
                },
                _ => return callee,
            };
        }
        callee
    }

    /// The attributes that a call has besides those of the function.
    fn group(&self, call: &Call) -> Option<&'m AttributeGroup> {
        self.source[call.attributes?].function(self.source)
    }

    fn end_on_purpose(&mut self, what: &str) -> bool {
        self.exit(Exit::Intended(what.to_owned()));
        true
    }

    fn named_call(&mut self, id: FunctionId, call: &Call) -> bool {
        let source = self.source;
        let function = &source[id];
        let group = attributes(source, function);
        let has = |kind| {
            group.is_some_and(|group| group.has(kind))
                || self.group(call).is_some_and(|group| group.has(kind))
        };
        let (returns_twice, no_return) =
            (has(AttributeKind::ReturnsTwice), has(AttributeKind::NoReturn));
        let name = &*function.name;
        if function.is_declaration && is_failed_assertion(name) {
            // The branch that leads here has asserted it; who comes here otherwise means to fail.
            return self.end_on_purpose("assert()");
        }
        if returns_twice {
            self.give_up("setjmp", true);
            return false;
        }
        let ends = no_return || function.is_declaration && ends_the_program(name);
        if ends && function.is_declaration {
            self.say_status(id, call);
            return self.end_on_purpose(&format!("{name}()"));
        }
        let Some(procedure) = self.context.procedures[id.index()] else {
            self.give_up("a call of an intrinsic", true);
            return false;
        };
        match self.arguments(function.ty, call) {
            Some(mut arguments) => {
                if name == "free" && function.is_declaration {
                    self.may_free(call.arguments[0], &arguments);
                }
                let named = arguments.len();
                let procedure = match call.arguments.get(named..) {
                    Some(further @ [_, ..]) if function.is_declaration => {
                        arguments.extend(further.iter().map(|argument| self.value(*argument)));
                        self.extended(procedure, &arguments[named..])
                    }
                    _ => procedure,
                };
                if function.is_declaration {
                    self.shows_texts(name, call, &arguments);
                }
                let pointer = call.arguments.iter().zip(&arguments);
                if let Some((pointer, _)) =
                    pointer.into_iter().find(|(_, id)| *self.exprs.ty(**id) == Type::Ptr)
                {
                    self.note_place(*pointer);
                }
                self.run(Callee::Procedure(procedure), function.ty, arguments);
            }
            None => self.give_up("a call with other arguments than the function takes", true),
        }
        ends && self.end_on_purpose(&format!("{name}()"))
    }

    /// Tells the outside what the program exits with.
    fn say_status(&mut self, id: FunctionId, call: &Call) {
        let source = self.source;
        let function = &source[id];
        if let (Some(procedure), true) =
            (self.context.procedures[id.index()], crate::library::has_status(&function.name))
            && let Some(arguments) = self.arguments(function.ty, call)
        {
            self.run(Callee::Procedure(procedure), function.ty, arguments);
        }
    }

    /// The procedure that takes further arguments of these types. A function that is defined reads
    /// them by `va_list`; of one that is not, they are all that is known.
    fn extended(&mut self, procedure: ir::ProcedureId, further: &[ExprId]) -> ir::ProcedureId {
        let types: Vec<Type> = further.iter().map(|id| self.exprs.ty(*id).clone()).collect();
        self.context.extend(procedure, types)
    }

    /// The obligations of a free, stated at the call, so that the message uses the caller's expressions; the
    /// model of `free` states them again.
    fn may_free(&mut self, argument: Value, arguments: &[ExprId]) {
        let [pointer] = *arguments else { return };
        let null = self.null();
        let is_null = self.test(Op::Eq, &[pointer, null]);
        let text = self.text(argument);
        let text = text.map_or("the pointer".to_owned(), |text| format!("`{text}`"));
        let is_live = self.test(Op::Memory(Memory::IsLive), &[pointer]);
        let live = self.test(Op::Or, &[is_null, is_live]);
        self.assert(
            live,
            AssertKind::DoubleFree,
            format!("{text} points to memory that was already freed"),
        );
        let word = Type::Bv(ir::ADDRESS_BITS);
        let offset = self.op(Op::PtrOffset, &[pointer], word);
        let zero = self.word(ir::ADDRESS_BITS, 0);
        let at_start = self.test(Op::Eq, &[offset, zero]);
        let is_heap = self.test(Op::Memory(Memory::IsHeap), &[pointer]);
        let allocated = self.test(Op::And, &[is_heap, at_start]);
        let allocated = self.test(Op::Or, &[is_null, allocated]);
        let message = format!("{text} was not returned by an allocation");
        self.assert(allocated, AssertKind::InvalidFree, message);
    }

    /// The arguments of a call as a function takes them, up to the last that it names. None if they do
    /// not fit.
    pub(crate) fn arguments(&mut self, signature: TypeId, call: &Call) -> Option<Vec<ExprId>> {
        let source = self.source;
        let parameters = &source[signature].as_function()?.parameters;
        let mut arguments = Vec::with_capacity(parameters.len());
        for (number, parameter) in (0..).zip(parameters) {
            let argument = *call.arguments.get(number as usize)?;
            if self.type_of(argument)? != *parameter {
                return None;
            }
            let ty = self.context.ty(*parameter);
            let value = self.value_as(argument, &ty);
            let by_value = call
                .attributes
                .and_then(|list| source[list].parameter(source, number))
                .and_then(|group| group.type_of(AttributeKind::ByVal));
            arguments.push(match by_value {
                Some(of) if ty == Type::Ptr => self.copy_of(argument, value, of),
                _ => value,
            });
        }
        Some(arguments)
    }

    /// A copy of an object, for a callee that may change it.
    fn copy_of(&mut self, argument: Value, pointer: ExprId, ty: TypeId) -> ExprId {
        let bytes = self.source.size_of(ty);
        self.may_access(argument, pointer, bytes);
        let size = self.word(ir::ADDRESS_BITS, bytes);
        let copy = self.new_local("copy", Type::Ptr);
        self.allocate_sized(copy, size);
        let to = self.read(copy);
        self.copy_memory(to, pointer, size);
        to
    }

    pub(crate) fn copy_memory(&mut self, to: ExprId, from: ExprId, size: ExprId) {
        let memory = self.memory();
        let copied = self.op(Op::Memory(Memory::Copy), &[memory, to, from, size], Type::Bytes);
        self.set_memory(copied);
    }

    pub(crate) fn set_memory(&mut self, value: ExprId) {
        let variable = ir::Variable::Global(crate::context::MEMORY);
        let place = Place { variable, path: Vec::new() };
        self.emit(StatementKind::Assign(vec![(place, value)]));
    }

    /// Calls a callee of this signature; its return value is the result of the current instruction, as far as
    /// the types agree.
    pub(crate) fn run(&mut self, callee: Callee, signature: TypeId, arguments: Vec<ExprId>) {
        let returned = self.context.result_of(signature);
        let wanted = self.function.instructions[self.at as usize].ty;
        let is_wanted = !matches!(self.source[wanted], bitcode::Type::Void);
        let wanted = self.context.ty(wanted);
        let result = match &returned {
            Some(ty) if is_wanted && *ty == wanted => Some(self.own_variable()),
            Some(ty) => Some(self.new_local("unused", ty.clone())),
            None => None,
        };
        let results = result.iter().map(|local| self.place(*local)).collect();
        self.emit(StatementKind::Call { results, callee, arguments, caught: None });
        self.forget_objects();
        if is_wanted && returned != Some(wanted) {
            let local = self.own_variable();
            let place = self.place(local);
            let reason = HavocReason::UnknownCallee;
            self.emit(StatementKind::Havoc { place, condition: None, reason });
        }
    }

    /// The message of the assertion that has failed where a block begins, if that is the purpose of the
    /// block.
    pub(crate) fn failed_assertion(&self, label: Label) -> Option<String> {
        let function = self.function;
        let call =
            function.block(label).iter().find_map(|instruction| match &instruction.kind {
                InstructionKind::Call(call) if is_lifetime(self.source, call.callee) => None,
                InstructionKind::Call(call) => Some(Some(call)),
                InstructionKind::GetElementPtr { .. } | InstructionKind::Cast { .. } => None,
                _ => Some(None),
            })??;
        let Value::Function(id) = self.resolved(call.callee) else { return None };
        let callee = &self.source[id];
        if !callee.is_declaration || !is_failed_assertion(&callee.name) {
            return None;
        }
        let text = call.arguments.first().and_then(|argument| self.string(*argument));
        Some(match text {
            Some(text) => format!("the assertion `{text}` fails"),
            None => "an assertion fails".to_owned(),
        })
    }

    /// The text of a string literal.
    pub(crate) fn string(&self, value: Value) -> Option<String> {
        let Value::Global(id) = self.root(value).base else { return None };
        let Value::Constant(id) = self.source[id].initializer? else { return None };
        let ConstantKind::String(bytes) = &self.source[id].kind else { return None };
        let bytes = bytes.strip_suffix(b"\0").unwrap_or(bytes);
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
}

/// The functions that `assert` calls when its condition does not hold.
fn is_failed_assertion(name: &str) -> bool {
    matches!(
        name,
        "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail" | "__assert13"
    )
}

/// Functions that do not return, whether or not they are declared so.
fn ends_the_program(name: &str) -> bool {
    matches!(
        name,
        "exit"
            | "_exit"
            | "_Exit"
            | "abort"
            | "quick_exit"
            | "__stack_chk_fail"
            | "longjmp"
            | "_longjmp"
            | "siglongjmp"
            | "__longjmp_chk"
            | "pthread_exit"
            | "err"
            | "errx"
    )
}

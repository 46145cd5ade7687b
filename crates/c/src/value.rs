//! Values: what operands are, and where results go.
//!
//! The value of an expression is that at the execution of the statement that uses it, not at its creation. A
//! value that stays an expression therefore must not outlive an assignment to a variable it reads: such
//! values are *open*, and are stored in a variable before the assignment.

use bitcode::{InstructionId, TypeId, Value};
use ir::{Expr, ExprId, LocalId, Type};

use crate::body::Body;
use crate::limits::{OPEN_VALUES, SHARED_VALUE_SIZE, VALUE_SIZE};

/// The representation of an instruction's result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InstructionResult {
    /// It has not been computed.
    Unset,
    /// An expression of the block that is being lowered.
    Here(ExprId),
    /// The value of a variable.
    Variable(LocalId),
}

/// A value that reads variables and is used again.
pub(crate) struct SharedValue {
    value: u32,
    reads: Vec<LocalId>,
}

impl Body<'_, '_> {
    /// The value of an operand.
    pub(crate) fn value(&mut self, value: Value) -> ExprId {
        match value {
            Value::Instruction(id) => match self.slots[id.index()] {
                InstructionResult::Here(expr) => {
                    if let Some(open) = self.open.iter().find(|open| open.value == id.0) {
                        self.reads.extend_from_slice(&open.reads);
                    }
                    expr
                }
                InstructionResult::Variable(local) => self.read(local),
                InstructionResult::Unset => {
                    self.unsupported("a value that is used before it is computed", false);
                    let ty = self.context.ty(self.function.instructions[id.index()].ty);
                    self.default_of(&ty)
                }
            },
            Value::Argument(number) => {
                let local = LocalId(number);
                self.reads.push(local);
                self.read(local)
            }
            Value::Constant(id) => self.constant_value(id),
            Value::Global(id) => {
                let address = self.context.globals[id.index()];
                self.constant(Expr::Apply(address, Vec::new()), Type::Ptr)
            }
            Value::Function(id) => match self.context.functions[id.index()] {
                Some(address) => self.constant(Expr::Apply(address, Vec::new()), Type::Ptr),
                None => self.null(),
            },
            Value::Ifunc(id) => {
                let address = self.context.ifuncs[id.index()];
                self.constant(Expr::Apply(address, Vec::new()), Type::Ptr)
            }
            Value::Alias(id) => self.value(self.source[id].aliasee),
            Value::InlineAsm(_) | Value::Block(_) | Value::Metadata(_) => {
                self.unsupported("an operand that is not a value", false);
                self.null()
            }
        }
    }

    /// The value of an operand that must be of this type.
    pub(crate) fn value_as(&mut self, value: Value, ty: &Type) -> ExprId {
        let expr = self.value(value);
        if self.exprs.ty(expr) == ty {
            return expr;
        }
        self.unsupported("an operand of another type", false);
        self.default_of(ty)
    }

    pub(crate) fn pointer(&mut self, value: Value) -> ExprId {
        self.value_as(value, &Type::Ptr)
    }

    /// The type of an operand.
    pub(crate) fn type_of(&self, value: Value) -> Option<TypeId> {
        self.source.type_of(value, Some(self.function))
    }

    /// The type of the current instruction's result.
    pub(crate) fn result_type(&mut self) -> Type {
        let ty = self.function.instructions[self.at as usize].ty;
        self.context.ty(ty)
    }

    /// Starts an instruction.
    pub(crate) fn start(&mut self, at: InstructionId) {
        self.at = at.0;
        self.reads.clear();
    }

    /// Notes that the instruction at hand reads a variable.
    pub(crate) fn note_read(&mut self, local: LocalId) {
        self.reads.push(local);
    }

    /// Sets the result of the instruction at hand.
    pub(crate) fn set(&mut self, value: ExprId) {
        let at = self.at as usize;
        if let InstructionResult::Variable(local) = self.slots[at] {
            self.assign(local, value);
            return;
        }
        let weight = self.weights[value.0 as usize];
        let is_heavy = weight > VALUE_SIZE || weight > SHARED_VALUE_SIZE && self.uses.count[at] > 1;
        if is_heavy {
            self.write_down(self.at, value);
            return;
        }
        self.slots[at] = InstructionResult::Here(value);
        if !self.reads.is_empty() {
            let mut reads = std::mem::take(&mut self.reads);
            reads.sort_unstable();
            reads.dedup();
            if self.open.len() == OPEN_VALUES {
                let oldest = self.open.remove(0);
                self.close(&oldest);
            }
            self.open.push(SharedValue { value: self.at, reads });
        }
    }

    /// Gives the result of the instruction at hand a variable of its own, to be assigned by the
    /// caller.
    pub(crate) fn own_variable(&mut self) -> LocalId {
        let at = self.at as usize;
        if let InstructionResult::Variable(local) = self.slots[at] {
            return local;
        }
        let ty = self.result_type();
        let local = self.variable_for(self.at, ty);
        self.slots[at] = InstructionResult::Variable(local);
        local
    }

    /// A new variable named after an instruction.
    pub(crate) fn variable_for(&mut self, instruction: u32, ty: Type) -> LocalId {
        let name = self.function.instructions[instruction as usize].name.as_deref();
        self.new_local(name.unwrap_or("t"), ty)
    }

    fn write_down(&mut self, instruction: u32, value: ExprId) {
        let ty = self.exprs.ty(value).clone();
        let local = self.variable_for(instruction, ty);
        self.assign(local, value);
        self.slots[instruction as usize] = InstructionResult::Variable(local);
    }

    fn close(&mut self, open: &SharedValue) {
        if let InstructionResult::Here(value) = self.slots[open.value as usize]
            && self.uses.last[open.value as usize] > self.at
        {
            self.write_down(open.value, value);
        }
    }

    /// Writes down all open values, as the block ends in the middle of one of LLVM's.
    pub(crate) fn close_all(&mut self) {
        for open in std::mem::take(&mut self.open) {
            self.close(&open);
        }
    }

    /// Writes down the open values that read a variable that is about to be assigned.
    pub(crate) fn settle(&mut self, local: LocalId) {
        let mut index = 0;
        while index < self.open.len() {
            if self.open[index].reads.contains(&local) {
                let open = self.open.remove(index);
                self.close(&open);
            } else {
                index += 1;
            }
        }
        self.not_null.remove(&local);
        self.live.remove(&local);
        self.inside.retain(|(pointer, _, _)| *pointer != local);
    }
}

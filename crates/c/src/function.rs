//! A function's body, block by block.

use bitcode::{BlockId, CallKind, DebugRecordKind, InstructionId, InstructionKind, Value};
use ir::{
    Allocation, LocalId, Place, Procedure, ProcedureId, StatementKind, Storage, TerminatorKind,
    Type, Variable,
};

use crate::body::Body;
use crate::context::{Context, MEMORY};
use crate::names::Names;
use crate::promote::{AllocaKind, merged_parameters};
use crate::value::InstructionResult;

impl<'m> Context<'m> {
    /// Gives a declared procedure its body.
    pub(crate) fn define(&mut self, id: ProcedureId, function: &'m bitcode::Function) {
        let procedure = &mut self.module.procedures[id.0 as usize];
        let locals = std::mem::take(&mut procedure.locals);
        let mut names = Names::default();
        for local in &locals {
            names.distinct(&local.name);
        }
        let mut body = Body::new(self, function, locals, names);
        body.lower();
        let (blocks, body) = body.into_blocks();
        let Body { exprs, locals, points, mut places, mut forms, context, .. } = body;
        forms.sort();
        forms.dedup_by_key(|(local, _)| *local);
        places.sort();
        places.dedup_by_key(|(point, _)| *point);
        let procedure = &mut context.module.procedures[id.0 as usize];
        *procedure = Procedure {
            name: std::mem::take(&mut procedure.name),
            display: procedure.display.take(),
            span: points.name,
            locals,
            exprs,
            contract: std::mem::take(&mut procedure.contract),
            blocks: Some(blocks),
            points: points.count,
            places,
            forms,
        };
    }
}

impl Body<'_, '_> {
    fn lower(&mut self) {
        self.find_variables();
        let function = self.function;
        let entry_is_target = function.blocks.iter().any(|block| {
            let last = block.instructions.end.wrapping_sub(1) as usize;
            let terminator = function.instructions.get(last);
            terminator.is_some_and(|last| last.kind.successors().contains(&BlockId(0)))
        });
        self.reserve(u32::from(entry_is_target));
        self.make_room();
        for number in 0..function.parameters.len() as u32 {
            self.note_form(LocalId(number), Value::Argument(number));
        }
        self.find_unset();
        self.assume_promises();
        self.clear_padding();
        if entry_is_target {
            let first = self.block_of(BlockId(0));
            self.finish(TerminatorKind::Goto(vec![first]));
        }
        for number in 0..function.blocks.len() as u32 {
            let label = BlockId(number);
            if number > 0 || entry_is_target {
                let name = function.blocks[label.index()].name.as_deref().unwrap_or("block");
                self.begin(self.block_of(label), name);
            }
            self.block(label);
        }
    }

    /// Finds which variables of the source live where, and names ours after them.
    fn find_variables(&mut self) {
        for (_, record) in self.function.variable_records(self.source) {
            let DebugRecordKind::Declare { address, .. } = record.kind else { continue };
            let Some(value) = self.source.metadata.value(address) else { continue };
            if let Value::Instruction(_) | Value::Argument(_) = value {
                self.variables.entry(value).or_insert(record.variable);
            }
        }
    }

    /// How the source calls the variable that lives at an address.
    pub(crate) fn variable_name(&self, value: Value) -> Option<&str> {
        let id = self.variables.get(&value)?;
        let node = self.source.metadata.local_variable(*id)?;
        Some(self.source.metadata.text(node.name)).filter(|name| !name.is_empty())
    }

    /// Records the form of a variable's value or pointee: that of the source variable at an address.
    fn note_form(&mut self, local: LocalId, value: Value) {
        let variable = self.variables.get(&value).copied();
        let ty = variable.and_then(|id| self.variable_type(id));
        if let Some(form) = ty.and_then(|ty| self.context.form(ty)) {
            self.forms.push((local, form));
        }
    }

    /// Makes the variables of promoted `alloca`s and of values that several blocks use, and the
    /// objects of other `alloca`s of the first block, which exist as long as the call does.
    fn make_room(&mut self) {
        let function = self.function;
        let merged = merged_parameters(self.source, function, &self.homes, &self.uses.parameters);
        let entry = function.blocks.first().map_or(0..0, |block| block.instructions.clone());
        for (index, instruction) in (0u32..).zip(&function.instructions) {
            let at = index as usize;
            let value = Value::Instruction(InstructionId(index));
            let is_void = matches!(self.source[instruction.ty], bitcode::Type::Void);
            match (&instruction.kind, self.homes[at]) {
                (InstructionKind::Alloca { .. }, AllocaKind::Variable(ty)) => {
                    let local = match merged.get(&index) {
                        Some(parameter) => LocalId(*parameter),
                        None => self.variable_of_source(value, index, ty),
                    };
                    self.note_form(local, value);
                    self.slots[at] = InstructionResult::Variable(local);
                }
                (InstructionKind::Alloca { allocated, count, .. }, AllocaKind::Memory) => {
                    let name = self.variable_name(value).map(str::to_owned);
                    let local = match &name {
                        Some(name) => self.new_local(&format!("{name}$at"), Type::Ptr),
                        None => self.variable_for(index, Type::Ptr),
                    };
                    self.locals[local.0 as usize].display = name.map(|name| format!("&{name}"));
                    self.note_form(local, value);
                    self.slots[at] = InstructionResult::Variable(local);
                    if let Some(count) = self.source.integer(*count)
                        && entry.contains(&index)
                        && !self.scoped.contains(&index)
                    {
                        let size = self.source.size_of(*allocated).wrapping_mul(count as u64);
                        self.allocate(local, size);
                    }
                }
                (InstructionKind::Phi { .. }, _) => {
                    let ty = self.context.ty(instruction.ty);
                    let local = self.variable_for(index, ty);
                    self.slots[at] = InstructionResult::Variable(local);
                }
                _ if self.uses.crosses[at] && !is_void => {
                    let ty = self.context.ty(instruction.ty);
                    let local = self.variable_for(index, ty);
                    self.slots[at] = InstructionResult::Variable(local);
                }
                _ => {}
            }
        }
    }

    fn variable_of_source(&mut self, value: Value, index: u32, ty: bitcode::TypeId) -> LocalId {
        let ty = self.context.ty(ty);
        let Some(name) = self.variable_name(value).map(str::to_owned) else {
            return self.variable_for(index, ty);
        };
        let local = self.new_local(&name, ty);
        self.locals[local.0 as usize].display = Some(name);
        local
    }

    pub(crate) fn allocate(&mut self, local: LocalId, size: u64) {
        let size = self.word(64, size);
        self.allocate_sized(local, size);
    }

    pub(crate) fn allocate_sized(&mut self, local: LocalId, size: ir::ExprId) {
        let allocation = Allocation::Object { size, storage: Storage::Stack, may_fail: false };
        let place = self.place(local);
        self.emit(StatementKind::Allocate { place, allocation });
    }

    fn block(&mut self, label: BlockId) {
        let function = self.function;
        let mut ended = false;
        for (id, instruction) in function.block_with_ids(label) {
            self.start(id);
            self.here = self.points.locate(self.context, instruction.location, self.here);
            ended = self.instruction(label, &instruction.kind);
            if ended {
                break;
            }
        }
        if !ended {
            let reason = ir::CutReason::Unsupported("a block without an end".to_owned());
            self.exit(ir::Exit::Cut(reason));
        }
    }

    /// Lowers an instruction, and returns whether the block ends there.
    fn instruction(&mut self, label: BlockId, kind: &InstructionKind) -> bool {
        if is_inexact(self.source, kind) {
            self.set_unmodelled();
            return false;
        }
        match kind {
            InstructionKind::Unary { op, operand, .. } => self.unary(*op, *operand),
            InstructionKind::Binary { op, left, right, flags, .. } => {
                self.binary(*op, *left, *right, *flags);
            }
            InstructionKind::Cast { op, operand, .. } => self.cast(*op, *operand),
            InstructionKind::GetElementPtr { source, base, indices, .. } => {
                self.element_pointer(*source, *base, indices);
            }
            InstructionKind::ExtractValue { aggregate, indices } => {
                self.extract_value(*aggregate, indices);
            }
            InstructionKind::InsertValue { aggregate, element, indices } => {
                self.insert_value(*aggregate, *element, indices);
            }
            InstructionKind::ExtractElement { vector, index } => {
                self.extract_element(*vector, *index);
            }
            InstructionKind::InsertElement { vector, element, index } => {
                self.insert_element(*vector, *element, *index);
            }
            InstructionKind::ShuffleVector { left, right, mask } => {
                self.shuffle(*left, *right, *mask);
            }
            InstructionKind::IntegerCompare { predicate, left, right } => {
                self.integer_compare(*predicate, *left, *right);
            }
            InstructionKind::FloatCompare { predicate, left, right, .. } => {
                self.float_compare(*predicate, *left, *right);
            }
            InstructionKind::Select { condition, yes, no, .. } => {
                self.select(*condition, *yes, *no);
            }
            // A phi is assigned where control comes from.
            InstructionKind::Phi { .. } => {}
            InstructionKind::Freeze(operand) => {
                let ty = self.result_type();
                let value = self.value_as(*operand, &ty);
                self.set(value);
            }
            InstructionKind::VaArg { .. } => self.give_up("va_arg", true),
            InstructionKind::Alloca { allocated, count, .. } => {
                self.dynamic_alloca(label, *allocated, *count);
            }
            InstructionKind::Load { pointer, volatile, atomic, .. } => {
                self.load(*pointer, *volatile || atomic.is_some());
            }
            InstructionKind::Store { pointer, value, volatile, atomic, .. } => {
                self.store(*pointer, *value, *volatile || atomic.is_some());
            }
            InstructionKind::CompareExchange { pointer, expected, replacement, .. } => {
                self.compare_exchange(*pointer, *expected, *replacement);
            }
            InstructionKind::ReadModifyWrite { op, pointer, value, .. } => {
                self.read_modify_write(*op, *pointer, *value);
            }
            InstructionKind::Fence(_) => {}
            InstructionKind::Call(call) => return self.call(label, call),
            InstructionKind::LandingPad { .. }
            | InstructionKind::CatchPad { .. }
            | InstructionKind::CleanupPad { .. } => self.give_up("exception handling", true),
            InstructionKind::Return(_)
            | InstructionKind::Branch(_)
            | InstructionKind::ConditionalBranch { .. }
            | InstructionKind::Switch { .. }
            | InstructionKind::IndirectBranch { .. }
            | InstructionKind::Resume(_)
            | InstructionKind::CleanupReturn { .. }
            | InstructionKind::CatchReturn { .. }
            | InstructionKind::CatchSwitch { .. }
            | InstructionKind::Unreachable => {
                self.terminator(label, kind);
                return true;
            }
        }
        false
    }

    /// An instruction that VIR has no word for: its result is anything.
    pub(crate) fn give_up(&mut self, what: &str, writes_memory: bool) {
        let mut writes = Vec::new();
        if writes_memory {
            writes.push(Place { variable: Variable::Global(MEMORY), path: Vec::new() });
        }
        let ty = self.function.instructions[self.at as usize].ty;
        if !matches!(self.source[ty], bitcode::Type::Void) {
            let result = self.own_variable();
            writes.push(self.place(result));
        }
        self.emit(StatementKind::Unsupported { what: what.to_owned(), writes });
        self.forget_objects();
    }
}

/// Whether flags as those of `-ffast-math` leave the result of a floating-point operation open.
fn is_inexact(source: &bitcode::Module, kind: &InstructionKind) -> bool {
    match kind {
        InstructionKind::Unary { fast_math, .. }
        | InstructionKind::Binary { fast_math, .. }
        | InstructionKind::Cast { fast_math, .. }
        | InstructionKind::FloatCompare { fast_math, .. } => !fast_math.is_exact(),
        InstructionKind::Call(call) => match (&call.kind, call.callee) {
            (CallKind::Call { fast_math, .. }, Value::Function(id)) => {
                !fast_math.is_exact() && source[id].name.starts_with("llvm.")
            }
            _ => false,
        },
        _ => false,
    }
}

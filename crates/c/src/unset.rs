//! Values that are read before anything was written.
//!
//! Reading a variable whose address is not taken is undefined until it is set (C11 6.3.2.1), whatever happens
//! to the value; `x = x`, which silences warnings, and an unused value are allowed. A flag beside the
//! variable records whether it is set. Only variables that some path may read too early get one, found by the
//! usual analysis of definite assignment over blocks.
//!
//! Memory may be copied though parts of it were never written, as padding is. So what is read from memory
//! must have been written if it decides something: a comparison, a branch, an address, a divisor, what is
//! returned. Bytes know themselves whether they were written.

use bitcode::{BinaryOp, Function, InstructionId, InstructionKind, TypeId, Value};
use ir::{AssertKind, ExprId, LocalId, Memory, Op, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::body::Body;
use crate::limits::UNSET_WORK;
use crate::operands::for_each_operand;
use crate::promote::{AllocaKind, is_scalar, lifetime_of};
use crate::value::InstructionResult;

/// The reads of possibly uninitialized variables.
#[derive(Default)]
pub(crate) struct UninitializedReads {
    /// For each variable that may be read too early, by `alloca`, whether it is set.
    flags: FxHashMap<u32, LocalId>,
    /// The reads that may come too early.
    early: Vec<bool>,
    /// The values that decide something.
    deciding: Vec<bool>,
}

impl Body<'_, '_> {
    /// Finds the reads that may come too early, and makes flags for what they read.
    pub(crate) fn find_unset(&mut self) {
        if !self.context.files.asserts_set() {
            return;
        }
        let function = self.function;
        let with_bit_fields = self.bit_fields();
        let is_watched = |&index: &u32| {
            let value = Value::Instruction(InstructionId(index));
            matches!(self.homes[index as usize], AllocaKind::Variable(_))
                && self.variable_name(value).is_some()
                && !self.is_parameter(index)
                && !with_bit_fields.contains(&value)
        };
        let watched: Vec<u32> =
            (0..function.instructions.len() as u32).filter(is_watched).collect();
        let early = early_reads(self.source, function, &watched);
        for (index, instruction) in (0u32..).zip(&function.instructions) {
            if let InstructionKind::Load { pointer: Value::Instruction(variable), .. } =
                &instruction.kind
                && early[index as usize]
                && !self.unset.flags.contains_key(&variable.0)
            {
                let name = self.variable_name(Value::Instruction(*variable)).unwrap_or("t");
                let flag = self.new_local(&format!("{name}$set"), Type::Bool);
                self.unset.flags.insert(variable.0, flag);
                let never = self.bool(false);
                self.assign(flag, never);
            }
        }
        self.unset.early = early;
        self.unset.deciding = deciding(function);
    }

    fn is_parameter(&self, index: u32) -> bool {
        let slot = self.slots[index as usize];
        matches!(slot, InstructionResult::Variable(local)
            if self.locals[local.0 as usize].mode == ir::Mode::Parameter)
    }

    /// The variables that hold bit-fields: changing one reads the word.
    fn bit_fields(&self) -> FxHashSet<Value> {
        let instructions = (0u32..).zip(&self.function.instructions);
        let read = instructions.filter_map(|(index, instruction)| match &instruction.kind {
            InstructionKind::Load { pointer, .. } if self.changes_bit_field(index) => {
                Some(*pointer)
            }
            _ => None,
        });
        read.collect()
    }

    /// Notes that a variable is set from here on, or that it is not.
    pub(crate) fn is_set(&mut self, variable: InstructionId, is_set: bool) {
        if let Some(&flag) = self.unset.flags.get(&variable.0) {
            let value = self.bool(is_set);
            self.assign(flag, value);
        }
    }

    /// The obligation of reading a variable.
    pub(crate) fn may_read_variable(&mut self, pointer: Value) {
        let Value::Instruction(variable) = pointer else { return };
        let is_early = self.unset.early.get(self.at as usize).copied().unwrap_or(false);
        let Some(&flag) = self.unset.flags.get(&variable.0).filter(|_| is_early) else { return };
        let condition = self.read(flag);
        let name = self.variable_name(pointer).unwrap_or("it");
        let message = format!("`{name}` is read before it is set");
        self.assert(condition, AssertKind::Uninitialized, message);
    }

    /// The obligation of reading a value from memory.
    pub(crate) fn may_read_memory(&mut self, pointer: Value, at: ExprId, id: TypeId) {
        let decides = self.unset.deciding.get(self.at as usize).copied().unwrap_or(false);
        let is_word = matches!(self.context.ty(id), Type::Bool | Type::Bv(_) | Type::Ptr);
        if !decides || !is_word || self.is_always_written(pointer) || self.is_bit_field() {
            return;
        }
        let bytes = self.source.layout(id).store_size();
        let memory = self.memory();
        let written = Op::Memory(Memory::IsWritten(bytes as u32));
        let condition = self.test(written, &[memory, at]);
        let message = match self.lvalue_text(pointer) {
            Some(text) => format!("`{text}` is read before it is set"),
            None => "what is read was never set".to_owned(),
        };
        self.assert(condition, AssertKind::Uninitialized, message);
    }

    /// Whether a pointer leads to what is written from the beginning, or to a structure that is read whole
    /// as words, padding included, in order to be passed.
    fn is_always_written(&self, pointer: Value) -> bool {
        match self.root(pointer).base {
            Value::Global(_) => true,
            base if base == pointer => {
                let Value::Instruction(id) = base else { return false };
                match &self.function.instructions[id.index()].kind {
                    InstructionKind::Alloca { allocated, .. } => {
                        !is_scalar(&self.source[*allocated])
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }
}

/// The reads of some variables that may come before these are set, by instruction.
fn early_reads(source: &bitcode::Module, function: &Function, watched: &[u32]) -> Vec<bool> {
    let mut early = vec![false; function.instructions.len()];
    let words = watched.len().div_ceil(64);
    if words == 0 || words * function.blocks.len() > UNSET_WORK / 64 {
        return early;
    }
    let numbers: FxHashMap<u32, usize> =
        watched.iter().enumerate().map(|(number, index)| (*index, number)).collect();
    let number = |value: Value| match value {
        Value::Instruction(id) => numbers.get(&id.0).copied(),
        _ => None,
    };
    // The variables that are definitely set where each block begins; all variables at unreached blocks.
    let mut starts = vec![vec![u64::MAX; words]; function.blocks.len()];
    starts[0] = vec![0; words];
    let mut visited = vec![false; function.blocks.len()];
    let mut pending = vec![0usize];
    while let Some(block) = pending.pop() {
        visited[block] = true;
        let mut set = starts[block].clone();
        for index in function.blocks[block].instructions.clone() {
            let kind = &function.instructions[index as usize].kind;
            match kind {
                InstructionKind::Store { pointer, .. } => {
                    if let Some(number) = number(*pointer) {
                        set[number / 64] |= 1 << (number % 64);
                    }
                }
                InstructionKind::Load { pointer, .. } => {
                    if let Some(number) = number(*pointer) {
                        let is_set = set[number / 64] >> (number % 64) & 1 == 1;
                        early[index as usize] |= !is_set && is_used(function, index);
                    }
                }
                InstructionKind::Call(call) => {
                    if let Some((true, variable)) = lifetime_of(source, call)
                        && let Some(number) = number(variable)
                    {
                        set[number / 64] &= !(1 << (number % 64));
                    }
                }
                _ => {}
            }
            for successor in kind.successors() {
                let start = &mut starts[successor.index()];
                let mut shrinks = false;
                for (there, here) in start.iter_mut().zip(&set) {
                    shrinks |= *there & !here != 0;
                    *there &= here;
                }
                if shrinks || !visited[successor.index()] {
                    pending.push(successor.index());
                }
            }
        }
    }
    early
}

/// Whether a value that is read is used, other than to be put back where it comes from.
fn is_used(function: &Function, index: u32) -> bool {
    let value = Value::Instruction(InstructionId(index));
    let InstructionKind::Load { pointer: from, .. } = &function.instructions[index as usize].kind
    else {
        return false;
    };
    let mut uses = function.instructions[index as usize + 1..].iter().filter(|instruction| {
        let mut is_user = false;
        for_each_operand(&instruction.kind, |operand| is_user |= operand == value);
        is_user
    });
    uses.any(
        |user| !matches!(&user.kind, InstructionKind::Store { pointer, .. } if pointer == from),
    )
}

/// The values that decide something, or from which something is computed that does, by instruction.
fn deciding(function: &Function) -> Vec<bool> {
    let mut deciding = vec![false; function.instructions.len()];
    let mut pending = Vec::new();
    let mut decide = |value: Value, pending: &mut Vec<usize>| {
        if let Value::Instruction(id) = value
            && !std::mem::replace(&mut deciding[id.index()], true)
        {
            pending.push(id.index());
        }
    };
    for instruction in &function.instructions {
        match &instruction.kind {
            InstructionKind::IntegerCompare { left: a, right: b, .. }
            | InstructionKind::FloatCompare { left: a, right: b, .. } => {
                decide(*a, &mut pending);
                decide(*b, &mut pending);
            }
            InstructionKind::ConditionalBranch { condition: value, .. }
            | InstructionKind::Switch { condition: value, .. }
            | InstructionKind::IndirectBranch { address: value, .. }
            | InstructionKind::Select { condition: value, .. }
            | InstructionKind::Load { pointer: value, .. }
            | InstructionKind::Store { pointer: value, .. }
            | InstructionKind::Return(Some(value)) => decide(*value, &mut pending),
            InstructionKind::Binary {
                op: BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem,
                right,
                ..
            } => decide(*right, &mut pending),
            InstructionKind::Call(call) => decide(call.callee, &mut pending),
            _ => {}
        }
    }
    while let Some(index) = pending.pop() {
        let kind = &function.instructions[index].kind;
        let is_computed = matches!(
            kind,
            InstructionKind::Binary { .. }
                | InstructionKind::Unary { .. }
                | InstructionKind::Cast { .. }
                | InstructionKind::Phi { .. }
                | InstructionKind::Select { .. }
                | InstructionKind::Freeze(_)
                | InstructionKind::GetElementPtr { .. }
        );
        if is_computed {
            for_each_operand(kind, |operand| decide(operand, &mut pending));
        }
    }
    deciding
}

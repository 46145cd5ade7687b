//! The bounds of parts: a row of a table, an array in the middle of a structure.
//!
//! An index that leaves such a part may still be within the object, but never within what the source names
//! (C11 6.5.6). It is asked where the source indexes an array by its type; a pointer that has left the
//! array behind may go wherever the object reaches. An array at the end of a structure may be as long as
//! the object is, and one past the end may be named as long as nothing is read or written there.

use bitcode::{Function, InstructionKind, TypeId, Value};
use ir::{ADDRESS_BITS, AssertKind, ExprId, Mode, Op, Type};

use crate::body::Body;
use crate::operands::for_each_operand;
use crate::promote::AllocaKind;
use crate::value::InstructionResult;

/// The addresses that are only used to read or write there, or to compute others of which that is so.
pub(crate) fn accessed(function: &Function) -> Vec<bool> {
    let mut accessed = vec![true; function.instructions.len()];
    for (index, instruction) in function.instructions.iter().enumerate().rev() {
        let leads_to_access = accessed[index];
        let mut take = |value: Value| {
            if let Value::Instruction(id) = value {
                accessed[id.index()] = false;
            }
        };
        match &instruction.kind {
            InstructionKind::Load { .. } => {}
            InstructionKind::Store { value, .. } => take(*value),
            InstructionKind::GetElementPtr { .. } if leads_to_access => {}
            other => for_each_operand(other, take),
        }
    }
    accessed
}

impl Body<'_, '_> {
    /// The obligation of indexing an array that is a part of something, or that a parameter points to.
    pub(crate) fn may_index(&mut self, source: TypeId, base: Value, indices: &[Value]) {
        let (count, first, index) = match (&self.source[source], indices) {
            (bitcode::Type::Array { count, .. }, &[first, index]) => (*count, first, index),
            (element, &[index]) if *element != bitcode::Type::Integer(8) => {
                return self.is_not_before(base, index);
            }
            _ => return,
        };
        let constant = self.source.integer(index);
        let is_inside =
            constant.is_some_and(|index| u64::try_from(index).is_ok_and(|index| index < count));
        let is_asked = self.accessed[self.at as usize]
            && count > 0
            && !is_inside
            && self.source.integer(first) == Some(0)
            && (self.is_inner(base) || self.is_inner_global(base, source));
        if !is_asked {
            return;
        }
        let Some(value) = self.index_word(index) else { return };
        let count = self.word(ADDRESS_BITS, count);
        let condition = self.test(Op::BvUlt, &[value, count]);
        let message = match self.text_here() {
            Some(text) => format!("`{text}` is out of bounds"),
            None => "the index is out of bounds".to_owned(),
        };
        self.assert(condition, AssertKind::OutOfBounds, message);
    }

    /// Nothing is before what a parameter points to, as long as that has not moved: callers hand over
    /// arrays, not places inside of them. A constant index may mean a header, and is not asked for.
    fn is_not_before(&mut self, base: Value, index: Value) {
        let is_asked = self.accessed[self.at as usize]
            && self.source.integer(index).is_none()
            && self.is_unmoved_parameter(base);
        let Some(value) = is_asked.then(|| self.index_word(index)).flatten() else { return };
        let zero = self.word(ADDRESS_BITS, 0);
        let condition = self.test(Op::BvSle, &[zero, value]);
        let message = match self.text_here() {
            Some(text) => format!("`{text}` is out of bounds: the index is negative"),
            None => "the index is negative".to_owned(),
        };
        self.assert(condition, AssertKind::OutOfBounds, message);
    }

    /// Whether a pointer is a parameter that is assigned nowhere.
    fn is_unmoved_parameter(&self, pointer: Value) -> bool {
        let Value::Instruction(id) = pointer else { return false };
        let InstructionKind::Load { pointer: Value::Instruction(variable), .. } =
            &self.function.instructions[id.index()].kind
        else {
            return false;
        };
        let InstructionResult::Variable(local) = self.slots[variable.index()] else { return false };
        let is_promoted = matches!(self.homes[variable.index()], AllocaKind::Variable(_));
        is_promoted
            && self.locals[local.0 as usize].mode == Mode::Parameter
            && self.uses.stores[variable.index()] == 1
    }

    /// How the source writes what the address at hand is of.
    fn text_here(&self) -> Option<String> {
        self.lvalue_text(Value::Instruction(bitcode::InstructionId(self.at)))
    }

    /// An index as a word of the size of an address.
    fn index_word(&mut self, index: Value) -> Option<ExprId> {
        let value = self.value(index);
        match self.exprs.ty(value) {
            Type::Bv(width) if *width < ADDRESS_BITS => {
                Some(self.op(Op::BvSignExtend(ADDRESS_BITS), &[value], Type::Bv(ADDRESS_BITS)))
            }
            Type::Bv(ADDRESS_BITS) => Some(value),
            _ => None,
        }
    }

    /// Whether a pointer leads to a part of something behind which other parts come.
    fn is_inner(&self, pointer: Value) -> bool {
        let Value::Instruction(id) = pointer else { return false };
        let InstructionKind::GetElementPtr { source, indices, .. } =
            &self.function.instructions[id.index()].kind
        else {
            return false;
        };
        let Some((last, path)) = indices[1..].split_last() else {
            // An element of an array of arrays.
            return matches!(self.source[*source], bitcode::Type::Array { .. });
        };
        match &self.source[self.part_type(*source, path).unwrap_or(*source)] {
            bitcode::Type::Struct(body) => {
                let last = self.source.integer(*last).and_then(|last| usize::try_from(last).ok());
                last.is_some_and(|last| last + 1 < body.fields.len())
            }
            bitcode::Type::Array { .. } => true,
            _ => false,
        }
    }

    /// The same for an array of some type in a global variable, for which constants may have lost the path.
    fn is_inner_global(&self, pointer: Value, array: TypeId) -> bool {
        let crate::access::PointerBase { base: Value::Global(id), offset: Some(offset) } =
            self.root(pointer)
        else {
            return false;
        };
        let Ok(mut offset) = u64::try_from(offset) else { return false };
        let (mut ty, mut is_inner) = (self.source[id].ty, false);
        while ty != array {
            match &self.source[ty] {
                bitcode::Type::Array { element, count } => {
                    let size = self.source.size_of(*element);
                    if size == 0 || offset / size >= *count {
                        return false;
                    }
                    offset %= size;
                    (ty, is_inner) = (*element, true);
                }
                bitcode::Type::Struct(body) => {
                    let starts = self.source.field_offsets(body);
                    let Some(field) = starts.iter().rposition(|start| *start <= offset) else {
                        return false;
                    };
                    offset -= starts[field];
                    (ty, is_inner) = (body.fields[field], field + 1 < body.fields.len());
                }
                _ => return false,
            }
        }
        is_inner && offset == 0
    }

    /// The type of the part that indices behind the first lead to.
    fn part_type(&self, source: TypeId, path: &[Value]) -> Option<TypeId> {
        path.iter().try_fold(source, |ty, index| match &self.source[ty] {
            bitcode::Type::Struct(body) => {
                let field = usize::try_from(self.source.integer(*index)?).ok()?;
                body.fields.get(field).copied()
            }
            bitcode::Type::Array { element, .. } => Some(*element),
            _ => None,
        })
    }
}

//! Which variables of the source become variables of VIR: those whose address is only used to read
//! and write them as a whole. The others live in memory.
//!
//! A parameter that clang copies to such a variable first thing is that variable.

use bitcode::{Call, Function, InstructionKind, TypeId, Value};
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::operands::for_each_operand;

/// The representation of an `alloca`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AllocaKind {
    /// It is not an `alloca`, or one that stays in memory.
    Memory,
    /// A variable of this type.
    Variable(TypeId),
}

/// The home of every `alloca`, by instruction.
pub(crate) fn homes(context: &mut Context<'_>, function: &Function) -> Vec<AllocaKind> {
    let source = context.source;
    // The one type that an `alloca` is accessed as; none if it must stay in memory.
    let mut access: Vec<Option<Option<TypeId>>> = vec![None; function.instructions.len()];
    for (slot, instruction) in access.iter_mut().zip(&function.instructions) {
        if let InstructionKind::Alloca { count, .. } = &instruction.kind
            && source.integer(*count) == Some(1)
        {
            *slot = Some(None);
        }
    }
    let mut agree = |value: Value, ty: Option<TypeId>| {
        let Value::Instruction(id) = value else { return };
        let slot = &mut access[id.index()];
        match (&slot, ty) {
            (Some(None), Some(_)) => *slot = Some(ty),
            (Some(Some(before)), Some(ty)) if *before == ty => {}
            (None, _) => {}
            (Some(_), _) => *slot = None,
        }
    };
    for instruction in &function.instructions {
        match &instruction.kind {
            InstructionKind::Load { pointer, volatile: false, atomic: None, .. } => {
                agree(*pointer, Some(instruction.ty));
            }
            InstructionKind::Store { pointer, value, volatile: false, atomic: None, .. } => {
                agree(*pointer, source.type_of(*value, Some(function)));
                agree(*value, None);
            }
            InstructionKind::Call(call) if is_lifetime(source, call.callee) => {}
            other => for_each_operand(other, |value| agree(value, None)),
        }
    }
    let homes = access.into_iter().zip(&function.instructions).map(|(access, instruction)| {
        let InstructionKind::Alloca { allocated, .. } = &instruction.kind else {
            return AllocaKind::Memory;
        };
        match access.map(|ty| ty.unwrap_or(*allocated)) {
            Some(ty)
                if is_scalar(&source[ty])
                    && !context.is_opaque(ty)
                    && source.layout(ty).store_size() <= source.size_of(*allocated) =>
            {
                AllocaKind::Variable(ty)
            }
            _ => AllocaKind::Memory,
        }
    });
    homes.collect()
}

/// The parameters that are the same as a variable: from the `alloca` to the number of the parameter.
pub(crate) fn merged_parameters(
    source: &bitcode::Module,
    function: &Function,
    homes: &[AllocaKind],
    uses: &[u32],
) -> FxHashMap<u32, u32> {
    let mut merged = FxHashMap::default();
    let mut touched: Vec<u32> = Vec::new();
    let Some(entry) = function.blocks.first() else { return merged };
    for index in entry.instructions.clone() {
        match &function.instructions[index as usize].kind {
            InstructionKind::Store {
                pointer: Value::Instruction(to),
                value: Value::Argument(parameter),
                ..
            } => {
                let ty = function.parameters[*parameter as usize].ty;
                let is_same = homes[to.index()] == AllocaKind::Variable(ty)
                    && uses[*parameter as usize] == 1
                    && !touched.contains(&to.0);
                if is_same {
                    merged.insert(to.0, *parameter);
                }
                touched.push(to.0);
            }
            InstructionKind::Load { pointer: Value::Instruction(id), .. }
            | InstructionKind::Store { pointer: Value::Instruction(id), .. } => touched.push(id.0),
            // Stores of parameters come before everything but the coercion of others.
            InstructionKind::Call(call) if !is_lifetime(source, call.callee) => break,
            _ => {}
        }
        if touched.len() > 64 {
            break;
        }
    }
    merged
}

pub(crate) fn is_scalar(ty: &bitcode::Type) -> bool {
    matches!(ty, bitcode::Type::Integer(_) | bitcode::Type::Pointer { .. }) || ty.is_float()
}

/// If a call marks the start or end of a variable's lifetime: whether it is the start, and the variable.
pub(crate) fn lifetime_of(source: &bitcode::Module, call: &Call) -> Option<(bool, Value)> {
    let Value::Function(id) = call.callee else { return None };
    let name = source[id].name.strip_prefix("llvm.lifetime.")?;
    Some((name.starts_with("start"), *call.arguments.last()?))
}

/// Whether a callee only marks lifetimes or serves debuggers.
pub(crate) fn is_lifetime(source: &bitcode::Module, callee: Value) -> bool {
    let Value::Function(id) = callee else { return false };
    let name = &source[id].name;
    name.starts_with("llvm.lifetime.") || name.starts_with("llvm.dbg.")
}

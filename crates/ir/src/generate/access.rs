//! Accesses to memory behind a condition, as front ends must generate them: there is a live object, and the bytes
//! lie within it.

use super::body::target;
use super::expression::{Builder, Reads};
use crate::address::ADDRESS_BITS;
use crate::assert_kind::AssertKind;
use crate::expr::{Expr, ExprId};
use crate::module::GlobalId;
use crate::op::{Memory, Op};
use crate::statement::{AssumeReason, Place, Projection, StatementKind, Variable};
use crate::types::Type;

/// A condition and the access that it allows; now and then the way from a pointer to its address and
/// back, which needs the same condition.
///
/// A memory holds either words or pointers at the start of objects, as bytes of addresses are numbers
/// that nothing should depend on.
pub(super) fn access(builder: &mut Builder<'_, '_, '_>) -> Vec<StatementKind> {
    builder.reads = Reads::CODE;
    let pointer = builder.expr(&Type::Ptr);
    let around = builder.generator.rng.u8(..5) == 0;
    let viewed = match (builder.generator.stores_pointers, builder.generator.rng.bool()) {
        (true, _) => Type::Ptr,
        (false, true) => Type::Bv(8),
        (false, false) => Type::Bv(16),
    };
    let bytes = match &viewed {
        _ if around => 0,
        Type::Bv(width) => *width / 8,
        _ => 8,
    };
    let done = match around {
        true => there_and_back(builder, pointer),
        false if builder.generator.rng.bool() => load(builder, pointer, &viewed),
        false => Some(store(builder, pointer, &viewed)),
    };
    let Some(done) = done else { return Vec::new() };
    let condition = within(builder, pointer, bytes, viewed == Type::Ptr && !around);
    let condition = match builder.generator.rng.bool() {
        true => StatementKind::Assume { condition, reason: AssumeReason::Model },
        false => {
            StatementKind::Assert { condition, kind: AssertKind::Assertion, message: String::new() }
        }
    };
    vec![condition, done]
}

/// The size of a new object that has room for a few words or pointers.
pub(super) fn room(builder: &mut Builder<'_, '_, '_>) -> ExprId {
    let few = builder.expr(&Type::Bv(2));
    let times = if builder.generator.stores_pointers { 3 } else { 0 };
    let size = match times {
        0 => few,
        _ => {
            let zeros = builder.exprs.push(Expr::Bv(times, 0.into()), Type::Bv(times));
            builder.op(Op::BvConcat, vec![few, zeros])
        }
    };
    builder.op(Op::BvZeroExtend(ADDRESS_BITS), vec![size])
}

/// Whether this many bytes at a pointer lie within a live object, at its start if that is asked for.
fn within(builder: &mut Builder<'_, '_, '_>, pointer: ExprId, bytes: u32, start: bool) -> ExprId {
    let bytes = builder.exprs.push(Expr::Bv(ADDRESS_BITS, bytes.into()), Type::Bv(ADDRESS_BITS));
    let live = builder.op(Op::Memory(Memory::IsLive), vec![pointer]);
    let size = builder.op(Op::Memory(Memory::ObjectSize), vec![pointer]);
    let offset = builder.op(Op::PtrOffset, vec![pointer]);
    let fits = builder.op(Op::BvUle, vec![bytes, size]);
    let last = builder.op(Op::BvSub, vec![size, bytes]);
    let before = builder.op(Op::BvUle, vec![offset, last]);
    let mut all = vec![fits, before];
    if start {
        let zero = builder.exprs.push(Expr::Bv(ADDRESS_BITS, 0.into()), Type::Bv(ADDRESS_BITS));
        all.push(builder.op(Op::Eq, vec![offset, zero]));
    }
    all.into_iter().fold(live, |so_far, one| builder.op(Op::And, vec![so_far, one]))
}

fn load(
    builder: &mut Builder<'_, '_, '_>,
    pointer: ExprId,
    viewed: &Type,
) -> Option<StatementKind> {
    let memory = builder.leaf(&Type::Bytes);
    let read = match (viewed, builder.generator.rng.u8(..4)) {
        (Type::Bv(width), 0) => {
            let byte = builder.op(Op::Memory(Memory::Peek), vec![memory, pointer]);
            builder.op(Op::BvZeroExtend(*width), vec![byte])
        }
        (Type::Bv(width), 1) => {
            let written = Memory::IsWritten(width / 8);
            let written = builder.op(Op::Memory(written), vec![memory, pointer]);
            let word = |builder: &mut Builder<'_, '_, '_>, value: u32| {
                builder.exprs.push(Expr::Bv(*width, value.into()), Type::Bv(*width))
            };
            let (one, zero) = (word(builder, 1), word(builder, 0));
            builder.op(Op::Ite, vec![written, one, zero])
        }
        _ => builder.op(Op::Memory(Memory::Load(viewed.clone())), vec![memory, pointer]),
    };
    let (place, value) = match viewed {
        Type::Bv(width) => {
            let widths: Vec<u32> = builder.generator.shape.widths.clone();
            let part = builder.generator.rng.choice(widths)?.min(*width);
            let (place, _) = target(builder, Some(&Type::Bv(part)))?;
            let low = builder.generator.rng.u32(..=width - part);
            (place, builder.op(Op::BvExtract { low, width: part }, vec![read]))
        }
        _ => (target(builder, Some(&Type::Ptr))?.0, read),
    };
    Some(StatementKind::Assign(vec![(place, value)]))
}

fn store(builder: &mut Builder<'_, '_, '_>, pointer: ExprId, viewed: &Type) -> StatementKind {
    let globals = &builder.generator.module.globals;
    let memory = globals.iter().position(|global| global.ty == Type::Bytes);
    let memory = GlobalId(memory.expect("there is a memory") as u32);
    builder.reads = Reads::CODE;
    let value = builder.expr(viewed);
    let mut place = Place { variable: Variable::Global(memory), path: Vec::new() };
    if builder.generator.rng.bool() {
        let ty = viewed.clone();
        place.path.push(Projection::View { pointer, ty, volatile: false });
        return StatementKind::Assign(vec![(place, value)]);
    }
    let before = builder.leaf(&Type::Bytes);
    let after = match (builder.generator.rng.u8(..3), viewed) {
        (0, Type::Bv(width)) => {
            let byte = builder.op(Op::BvExtract { low: 0, width: 8 }, vec![value]);
            let count = bytes(builder, width / 8);
            builder.op(Op::Memory(Memory::Fill), vec![before, pointer, byte, count])
        }
        (1, Type::Bv(width)) => {
            let count = bytes(builder, width / 8);
            builder.op(Op::Memory(Memory::Copy), vec![before, pointer, pointer, count])
        }
        _ => {
            let op = Op::Memory(Memory::Store(viewed.clone()));
            builder.op(op, vec![before, pointer, value])
        }
    };
    StatementKind::Assign(vec![(place, after)])
}

/// A number of bytes.
fn bytes(builder: &mut Builder<'_, '_, '_>, count: u32) -> ExprId {
    builder.exprs.push(Expr::Bv(ADDRESS_BITS, count.into()), Type::Bv(ADDRESS_BITS))
}

fn there_and_back(builder: &mut Builder<'_, '_, '_>, pointer: ExprId) -> Option<StatementKind> {
    let (place, _) = target(builder, Some(&Type::Ptr))?;
    let address = builder.op(Op::PtrToBv, vec![pointer]);
    let back = builder.op(Op::BvToPtr, vec![address]);
    Some(StatementKind::Assign(vec![(place, back)]))
}

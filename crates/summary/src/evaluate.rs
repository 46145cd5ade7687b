//! Expressions of VIR as guards, terms and location sets.

use ir::{Content, Expr, ExprId, Float, FunctionId, Memory, Op, Type, Variable};
use num_traits::ToPrimitive;

use crate::space::{Input, Region, Site};
use crate::state::State;
use crate::value::{Location, Locations, Value, pointer};
use crate::walk::Walk;
use circuit::Guard;

impl Walk<'_> {
    /// The value of an expression. An expression that is not modelled has an unconstrained value.
    pub(crate) fn value(&mut self, state: &mut State, id: ExprId) -> Value {
        if let Some(known) = &self.memo[id.0 as usize] {
            return known.clone();
        }
        let value = stacker::maybe_grow(64 << 10, 1 << 20, || self.computed(state, id));
        let value = match value {
            Value::Opaque => self.open(&self.procedure.exprs.ty(id).clone()),
            value => value,
        };
        self.memo[id.0 as usize] = Some(value.clone());
        self.known.push(id);
        value
    }

    /// The value of a condition.
    pub(crate) fn truth(&mut self, state: &mut State, id: ExprId) -> Guard {
        match self.value(state, id) {
            Value::Truth(guard) => guard,
            Value::Word(_) | Value::Pointer(_) | Value::Opaque => match self.open(&Type::Bool) {
                Value::Truth(guard) => guard,
                Value::Word(_) | Value::Pointer(_) | Value::Opaque => {
                    unreachable!("a truth value that is left open is one")
                }
            },
        }
    }

    fn computed(&mut self, state: &mut State, id: ExprId) -> Value {
        let procedure = self.procedure;
        match procedure.exprs.get(id) {
            Expr::Bool(value) => Value::Truth(Guard::constant(*value)),
            Expr::Bv(width, value) => match value.to_u128() {
                Some(value) => Value::Word(self.space.word(*width, value)),
                None => Value::Opaque,
            },
            Expr::Null(Type::Ptr) => pointer(Location::Null),
            Expr::Read(Variable::Local(id)) => match &state.locals[id.0 as usize] {
                Some(value) => value.clone(),
                None => {
                    let value = self.open(&procedure.local(*id).ty);
                    state.locals[id.0 as usize] = Some(value.clone());
                    value
                }
            },
            Expr::Apply(function, arguments) if arguments.is_empty() => self.named(*function, id),
            Expr::Op(op, operands) => self.operator(state, op, operands, procedure.exprs.ty(id)),
            Expr::Null(_)
            | Expr::Int(_)
            | Expr::Read(Variable::Global(_))
            | Expr::Bound(_)
            | Expr::Apply(..)
            | Expr::Old(_)
            | Expr::Quantified(..)
            | Expr::Lambda(..) => Value::Opaque,
        }
    }

    /// The address of a static object, or a constant.
    fn named(&mut self, function: FunctionId, id: ExprId) -> Value {
        if self.module.object_at(function).is_some() {
            return pointer(Location::At(self.space.region(Region::Static(function)), 0));
        }
        let site = Site { block: u32::MAX, statement: 0 };
        let input = Input::Made { site, number: function.0 };
        let ty = self.procedure.exprs.ty(id).clone();
        self.space.given(input, &ty)
    }

    fn operator(&mut self, state: &mut State, op: &Op, operands: &[ExprId], ty: &Type) -> Value {
        if let Op::Memory(memory) = op {
            return self.memory_operator(state, memory, operands);
        }
        let values: Vec<Value> = operands.iter().map(|id| self.value(state, *id)).collect();
        let space = &mut self.space;
        match (op, &values[..]) {
            (Op::Not, [Value::Truth(a)]) => Value::Truth(space.diagrams.not(*a)),
            (Op::And, [Value::Truth(a), Value::Truth(b)]) => {
                Value::Truth(space.diagrams.and(*a, *b))
            }
            (Op::Or, [Value::Truth(a), Value::Truth(b)]) => Value::Truth(space.diagrams.or(*a, *b)),
            (Op::Implies, [Value::Truth(a), Value::Truth(b)]) => {
                Value::Truth(space.diagrams.ite(*a, *b, Guard::ALWAYS))
            }
            (Op::Eq, [Value::Truth(a), Value::Truth(b)]) => {
                Value::Truth(space.diagrams.iff(*a, *b))
            }
            (Op::Eq, [Value::Pointer(a), Value::Pointer(b)]) => {
                Value::Truth(space.same_pointer(a, b))
            }
            (Op::Ite, [Value::Truth(guard), then, otherwise]) => {
                space.select(*guard, then, otherwise)
            }
            (
                Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle,
                [Value::Word(a), Value::Word(b)],
            ) => Value::Truth(space.compare(op, *a, *b)),
            (
                Op::Float(Float::Equal | Float::Less | Float::LessEqual),
                [Value::Word(a), Value::Word(b)],
            ) => Value::Truth(space.compare(op, *a, *b)),
            (Op::Float(Float::IsNan), [Value::Word(a)]) => Value::Truth(space.compare(op, *a, *a)),
            (Op::PtrAdd, [Value::Pointer(base), Value::Word(offset)]) => {
                Value::Pointer(space.moved(base, *offset))
            }
            (Op::PtrOffset, [Value::Pointer(of)]) => match of[..] {
                [(_, Location::At(_, offset))] => {
                    Value::Word(space.word(ir::ADDRESS_BITS, offset as u64 as u128))
                }
                _ => Value::Opaque,
            },
            (Op::PtrSameObject, [Value::Pointer(a), Value::Pointer(b)]) => {
                Value::Truth(self.same_object(a, b))
            }
            (Op::PtrToBv, [Value::Pointer(of)]) => Value::Word(space.addressed(of)),
            (Op::BvToPtr, [Value::Word(address)]) => Value::Pointer(space.located(*address)),
            _ => {
                let mut words = Vec::with_capacity(values.len());
                for value in &values {
                    let Value::Word(term) = value else { return Value::Opaque };
                    words.push(*term);
                }
                match ty {
                    Type::Bv(width) if is_word_operator(op) => {
                        Value::Word(space.compute(op, &words, *width))
                    }
                    _ => Value::Opaque,
                }
            }
        }
    }

    fn same_object(&mut self, a: &Locations, b: &Locations) -> Guard {
        let mut same = Guard::NEVER;
        for &(under_a, at) in a.iter() {
            for &(under_b, other) in b.iter() {
                let equal = match (at, other) {
                    (Location::Null, other) | (other, Location::Null) => self.space.is_null(other),
                    (Location::At(r, _), Location::At(s, _)) => {
                        Guard::constant(self.space.whole(r) == self.space.whole(s))
                    }
                    (Location::Number(_), _) | (_, Location::Number(_)) => Guard::NEVER,
                };
                let both = self.space.diagrams.and(under_a, under_b);
                let here = self.space.diagrams.and(both, equal);
                same = self.space.diagrams.or(same, here);
            }
        }
        same
    }

    fn memory_operator(&mut self, state: &mut State, op: &Memory, operands: &[ExprId]) -> Value {
        match op {
            Memory::Load(ty) => {
                let target = self.value(state, operands[1]);
                self.load(state, &target, ty)
            }
            Memory::Peek => {
                let target = self.value(state, operands[1]);
                self.load(state, &target, &Type::Bv(8))
            }
            Memory::Store(_)
            | Memory::Copy
            | Memory::Fill
            | Memory::IsWritten(_)
            | Memory::ObjectSize
            | Memory::IsLive
            | Memory::IsHeap => Value::Opaque,
        }
    }

    /// The contents of a constant object at an offset.
    pub(crate) fn constant_content(
        &mut self,
        function: FunctionId,
        offset: i64,
        ty: &Type,
        bytes: u32,
    ) -> Option<Value> {
        let object = &self.module.objects[self.module.object_at(function)?];
        let contents = object.contents.as_ref().filter(|_| object.constant)?;
        let offset = u64::try_from(offset).ok()?;
        for (start, content) in contents {
            match content {
                Content::Address(of, by) if *start == offset && *ty == Type::Ptr => {
                    let region = self.space.region(Region::Static(*of));
                    return Some(pointer(Location::At(region, *by)));
                }
                Content::Address(..) => {}
                Content::Bytes(all) => {
                    let Some(from) = offset.checked_sub(*start) else { continue };
                    let end = from + u64::from(bytes);
                    if end > all.len() as u64 {
                        continue;
                    }
                    let slice = &all[from as usize..end as usize];
                    let value =
                        slice.iter().rev().fold(0, |sum, byte| sum << 8 | u128::from(*byte));
                    return match ty {
                        Type::Bv(width) => Some(Value::Word(self.space.word(*width, value))),
                        Type::Ptr if value == 0 => Some(pointer(Location::Null)),
                        _ => None,
                    };
                }
            }
        }
        None
    }
}

/// Whether an operator computes a word from words.
fn is_word_operator(op: &Op) -> bool {
    matches!(
        op,
        Op::BvNeg
            | Op::BvNot
            | Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr
            | Op::BvConcat
            | Op::BvExtract { .. }
            | Op::BvZeroExtend(_)
            | Op::BvSignExtend(_)
            | Op::BvPopcount
            | Op::BvLeadingZeros
            | Op::BvTrailingZeros
            | Op::Float(
                Float::Add
                    | Float::Sub
                    | Float::Mul
                    | Float::FromSigned(_)
                    | Float::FromUnsigned(_)
                    | Float::ToSigned(_)
                    | Float::ToUnsigned(_)
                    | Float::Convert(_)
            )
    )
}

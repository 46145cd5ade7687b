//! Random expressions of a given type.

use std::slice;

use super::{Generator, is_listed};
use crate::address::ADDRESS_BITS;
use crate::expr::{Binder, Expr, ExprId, Exprs, Quantifier};
use crate::module::{FunctionId, GlobalId};
use crate::op::{Float, Memory, Op};
use crate::procedure::{Local, LocalId, Mode};
use crate::statement::Variable;
use crate::types::{RecordId, Type, VariantId};
use crate::typing::result_type;

/// What an expression may depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reads {
    pub(super) globals: bool,
    pub(super) parameters: bool,
    pub(super) results: bool,
    pub(super) locals: bool,
    pub(super) ghosts: bool,
    pub(super) old: bool,
    pub(super) specification: bool,
}

impl Reads {
    pub(super) const NOTHING: Reads = Reads {
        globals: false,
        parameters: false,
        results: false,
        locals: false,
        ghosts: false,
        old: false,
        specification: false,
    };
    pub(super) const CODE: Reads =
        Reads { globals: true, parameters: true, results: true, locals: true, ..Reads::NOTHING };
}

/// Builds expressions in one arena.
pub(super) struct Builder<'g, 's, 'l> {
    pub(super) generator: &'g mut Generator<'s>,
    pub(super) exprs: Exprs,
    pub(super) locals: &'l [Local],
    pub(super) reads: Reads,
    /// The bound variables in scope.
    pub(super) scope: Vec<Binder>,
    /// What may be used again here.
    pool: Vec<ExprId>,
    /// What may be used again in any statement.
    code: Vec<ExprId>,
}

impl<'g, 's, 'l> Builder<'g, 's, 'l> {
    pub(super) fn new(
        generator: &'g mut Generator<'s>,
        exprs: Exprs,
        locals: &'l [Local],
        reads: Reads,
    ) -> Self {
        Builder {
            generator,
            exprs,
            locals,
            reads,
            scope: Vec::new(),
            pool: Vec::new(),
            code: Vec::new(),
        }
    }

    /// An expression of this type that depends on what `reads` allows.
    pub(super) fn expr(&mut self, ty: &Type) -> ExprId {
        self.pool.clear();
        if self.reads.locals {
            self.pool.extend(&self.code);
        }
        let id = self.build(ty, self.generator.shape.depth);
        if self.reads == Reads::CODE {
            self.code.push(id);
        }
        id
    }

    fn build(&mut self, ty: &Type, depth: usize) -> ExprId {
        if self.generator.shape.sharing && self.generator.rng.u8(..) < 40 {
            let fitting = self.pool.iter().filter(|id| self.exprs.ty(**id) == ty);
            let fitting: Vec<ExprId> = fitting.copied().collect();
            if let Some(id) = self.generator.rng.choice(fitting) {
                return id;
            }
        }
        let id = if depth == 0 || self.generator.rng.u8(..) < 50 {
            self.leaf(ty)
        } else {
            self.general(ty, depth - 1).unwrap_or_else(|| self.special(ty, depth - 1))
        };
        self.pool.push(id);
        id
    }

    /// A variable of this type, or else a constant.
    pub(super) fn leaf(&mut self, ty: &Type) -> ExprId {
        let mut variables = Vec::new();
        for (index, local) in self.locals.iter().enumerate() {
            let allowed = match local.mode {
                Mode::Parameter => self.reads.parameters,
                Mode::Result => self.reads.results,
                Mode::Local => self.reads.locals,
                Mode::Ghost => self.reads.locals && self.reads.ghosts,
            };
            if allowed && local.ty == *ty {
                variables.push(Expr::Read(Variable::Local(LocalId(index as u32))));
            }
        }
        for (index, global) in self.generator.module.globals.iter().enumerate() {
            let allowed = self.reads.globals && (self.reads.ghosts || !global.ghost);
            if allowed && global.ty == *ty {
                variables.push(Expr::Read(Variable::Global(GlobalId(index as u32))));
            }
        }
        for binder in &self.scope {
            if self.exprs.binder(*binder).1 == ty {
                variables.push(Expr::Bound(*binder));
            }
        }
        let is_variable = *ty == Type::Bytes || self.generator.rng.u8(..) < 180;
        match self.generator.rng.choice(variables).filter(|_| is_variable) {
            Some(variable) => self.exprs.push(variable, ty.clone()),
            None => self.constant(ty),
        }
    }

    /// What gives a value of any type.
    fn general(&mut self, ty: &Type, depth: usize) -> Option<ExprId> {
        let shape = self.generator.shape;
        let holds = !matches!(ty, Type::Bytes);
        match self.generator.rng.u8(..20) {
            0 | 1 => {
                let condition = self.build(&Type::Bool, depth);
                let (yes, no) = (self.build(ty, depth), self.build(ty, depth));
                Some(self.op(Op::Ite, vec![condition, yes, no]))
            }
            2 | 3 if shape.maps && holds => {
                let mut keys = vec![self.generator.simple_type()];
                if !self.generator.can_hold(&keys, ty) {
                    keys = vec![Type::Bool];
                }
                let map = self.build(&Type::Map(keys.clone(), Box::new(ty.clone())), depth);
                let key = self.build(&keys[0], depth);
                Some(self.op(Op::Select, vec![map, key]))
            }
            4 if shape.sequences && holds => {
                let sequence = self.build(&Type::Seq(Box::new(ty.clone())), depth);
                let position = self.build(&Type::Int, depth);
                Some(self.op(Op::SeqAt, vec![sequence, position]))
            }
            5 | 6 => self.part(ty, depth),
            7 | 8 => self.application(ty, depth),
            9 if self.reads.old => {
                let reads = Reads { results: false, locals: false, old: false, ..self.reads };
                let pool = std::mem::take(&mut self.pool);
                let before = std::mem::replace(&mut self.reads, reads);
                // The state may hold no value of this type that can be read here.
                let inner = if holds { Some(self.build(ty, depth)) } else { None };
                self.reads = before;
                self.pool = pool;
                Some(self.exprs.push(Expr::Old(inner?), ty.clone()))
            }
            10 if shape.memory && !shape.guarded && self.reads.globals => {
                let is_viewable = matches!(ty, Type::Bool | Type::Ptr | Type::Bv(8 | 32 | 64));
                is_viewable.then(|| {
                    let memory = self.build(&Type::Bytes, depth);
                    let pointer = self.build(&Type::Ptr, depth);
                    let op = match ty {
                        Type::Bool => Memory::IsWritten(self.generator.rng.u32(1..=8)),
                        Type::Bv(8) if self.generator.rng.bool() => Memory::Peek,
                        _ => Memory::Load(ty.clone()),
                    };
                    self.op(Op::Memory(op), vec![memory, pointer])
                })
            }
            _ => None,
        }
    }

    /// A field or argument that has this type.
    fn part(&mut self, ty: &Type, depth: usize) -> Option<ExprId> {
        let mut parts = Vec::new();
        for (index, record) in self.generator.module.records.iter().enumerate() {
            let id = RecordId(index as u32);
            for (field, _) in record.fields.iter().enumerate().filter(|(_, f)| f.1 == *ty) {
                parts.push((Op::Field(id, field as u32), Type::Record(id)));
            }
        }
        for (index, variant) in self.generator.module.variants.iter().enumerate() {
            let id = VariantId(index as u32);
            for (constructor, (_, types)) in variant.constructors.iter().enumerate() {
                for (argument, _) in types.iter().enumerate().filter(|(_, held)| *held == ty) {
                    let op = Op::Argument(id, constructor as u32, argument as u32);
                    parts.push((op, Type::Variant(id)));
                }
            }
        }
        let (op, whole) = self.generator.rng.choice(parts)?;
        let whole = self.build(&whole, depth);
        Some(self.op(op, vec![whole]))
    }

    fn application(&mut self, ty: &Type, depth: usize) -> Option<ExprId> {
        let functions = self.generator.module.functions.iter().enumerate();
        // A definition may be a specification, which not every place allows.
        let fitting = functions.filter(|(_, function)| {
            function.result == *ty && (self.reads.specification || function.definition.is_none())
        });
        let fitting: Vec<usize> = fitting.map(|(index, _)| index).collect();
        let index = self.generator.rng.choice(fitting)?;
        let parameters = self.generator.module.functions[index].parameters.clone();
        let arguments = parameters.iter().map(|(_, ty)| self.build(ty, depth)).collect();
        let apply = Expr::Apply(FunctionId(index as u32), arguments);
        Some(self.exprs.push(apply, ty.clone()))
    }

    /// What gives values of this type in particular.
    fn special(&mut self, ty: &Type, depth: usize) -> ExprId {
        match ty {
            Type::Bool => self.truth(depth),
            Type::Int => self.integer(depth),
            Type::Bv(width) => self.word(*width, depth),
            Type::Ptr if self.generator.shape.guarded => match self.generator.rng.bool() {
                true => self.leaf(ty),
                false => {
                    let pointer = self.build(ty, depth);
                    let bytes = self.small(depth);
                    self.op(Op::PtrAdd, vec![pointer, bytes])
                }
            },
            Type::Ptr => match self.generator.rng.u8(..3) {
                0 => self
                    .of(Op::BvToPtr, &[Type::Bv(ADDRESS_BITS)], depth)
                    .unwrap_or_else(|| self.leaf(ty)),
                1 => self.leaf(ty),
                _ => self.always(Op::PtrAdd, &[Type::Ptr, Type::Bv(ADDRESS_BITS)], depth),
            },
            Type::Sort(_) => self.leaf(ty),
            Type::Map(keys, value) => self.map(keys, value, depth),
            Type::Seq(element) => match self.generator.rng.u8(..5) {
                0 => self.always(Op::SeqUnit, &[(**element).clone()], depth),
                1 | 2 => self.always(Op::SeqConcat, &[ty.clone(), ty.clone()], depth),
                3 => self.always(Op::SeqSlice, &[ty.clone(), Type::Int, Type::Int], depth),
                _ => self.always(Op::SeqReverse, slice::from_ref(ty), depth),
            },
            Type::Record(id) => {
                let fields = &self.generator.module.records[id.0 as usize].fields;
                let types: Vec<Type> = fields.iter().map(|(_, ty)| ty.clone()).collect();
                if self.generator.rng.bool() {
                    return self.always(Op::Record(*id), &types, depth);
                }
                let field = self.generator.rng.usize(..types.len());
                let op = Op::WithField(*id, field as u32);
                self.always(op, &[ty.clone(), types[field].clone()], depth)
            }
            Type::Variant(id) => {
                let constructors = &self.generator.module.variants[id.0 as usize].constructors;
                let index = self.generator.rng.usize(..constructors.len());
                let types = constructors[index].1.clone();
                self.always(Op::Construct(*id, index as u32), &types, depth)
            }
            Type::Bytes if self.generator.shape.guarded => self.leaf(ty),
            Type::Bytes if self.generator.rng.u8(..3) == 0 => {
                let count = Type::Bv(ADDRESS_BITS);
                let (op, what) = match self.generator.rng.bool() {
                    true => (Memory::Copy, Type::Ptr),
                    false => (Memory::Fill, Type::Bv(8)),
                };
                self.always(Op::Memory(op), &[Type::Bytes, Type::Ptr, what, count], depth)
            }
            Type::Bytes => {
                let viewed = [Type::Bv(8), Type::Bv(32), Type::Ptr];
                let viewed = viewed[self.generator.rng.usize(..3)].clone();
                let op = Op::Memory(Memory::Store(viewed.clone()));
                self.always(op, &[Type::Bytes, Type::Ptr, viewed], depth)
            }
        }
    }

    /// A small number of bytes, in as many bits as addresses have.
    pub(super) fn small(&mut self, depth: usize) -> ExprId {
        let few = self.build(&Type::Bv(2), depth);
        self.op(Op::BvZeroExtend(ADDRESS_BITS), vec![few])
    }

    fn truth(&mut self, depth: usize) -> ExprId {
        let shape = self.generator.shape;
        let boolean = [Type::Bool, Type::Bool];
        match self.generator.rng.u8(..16) {
            0 => return self.always(Op::Not, &[Type::Bool], depth),
            1 => return self.always(Op::And, &boolean, depth),
            2 => return self.always(Op::Or, &boolean, depth),
            3 => return self.always(Op::Implies, &boolean, depth),
            4 if shape.integers => return self.always(Op::IntLt, &[Type::Int, Type::Int], depth),
            5 if shape.integers => return self.always(Op::IntLe, &[Type::Int, Type::Int], depth),
            6..=8 if !shape.widths.is_empty() => {
                const OPS: [Op; 10] = [
                    Op::BvUlt,
                    Op::BvUle,
                    Op::BvSlt,
                    Op::BvSle,
                    Op::BvSaddOverflows,
                    Op::BvSsubOverflows,
                    Op::BvSmulOverflows,
                    Op::BvUaddOverflows,
                    Op::BvUsubOverflows,
                    Op::BvUmulOverflows,
                ];
                let word = Type::Bv(shape.widths[self.generator.rng.usize(..shape.widths.len())]);
                let op = OPS[self.generator.rng.usize(..OPS.len())].clone();
                return self.always(op, &[word.clone(), word], depth);
            }
            9 if shape.memory => {
                let ops = [
                    (Op::PtrSameObject, vec![Type::Ptr, Type::Ptr]),
                    (Op::Memory(Memory::IsLive), vec![Type::Ptr]),
                    (Op::Memory(Memory::IsHeap), vec![Type::Ptr]),
                    (Op::BvUlt, vec![Type::Bv(ADDRESS_BITS), Type::Bv(ADDRESS_BITS)]),
                ];
                let count = if shape.guarded { 4 } else { 3 };
                let (op, types) = ops[self.generator.rng.usize(..count)].clone();
                if let Some(id) = self.of(op, &types, depth) {
                    return id;
                }
            }
            10 if !self.generator.module.variants.is_empty() => {
                let count = self.generator.module.variants[0].constructors.len() as u32;
                let op = Op::IsConstructor(VariantId(0), self.generator.rng.u32(..count));
                return self.always(op, &[Type::Variant(VariantId(0))], depth);
            }
            11 if self.reads.specification && shape.relations => {
                let set = Type::set(vec![self.generator.listed_type()]);
                return self.always(Op::Subset, &[set.clone(), set], depth);
            }
            14 if shape.floats && !shape.widths.is_empty() => {
                let width = self.number_width();
                let a = self.number(width, depth);
                let op = match self.generator.rng.u8(..4) {
                    0 => return self.op(Op::Float(Float::IsNan), vec![a]),
                    1 => Float::Equal,
                    2 => Float::Less,
                    _ => Float::LessEqual,
                };
                let b = self.number(width, depth);
                return self.op(Op::Float(op), vec![a, b]);
            }
            12 | 13 if self.reads.specification => {
                let quantifier =
                    if self.generator.rng.bool() { Quantifier::All } else { Quantifier::Some };
                let types = (0..self.generator.rng.usize(1..=2))
                    .map(|_| self.generator.listed_type())
                    .collect::<Vec<_>>();
                let (binders, body) = self.binding(&types, &Type::Bool, depth);
                return self.exprs.push(Expr::Quantified(quantifier, binders, body), Type::Bool);
            }
            _ => {}
        }
        let ty = self.generator.compared_type(1);
        self.always(Op::Eq, &[ty.clone(), ty], depth)
    }

    fn integer(&mut self, depth: usize) -> ExprId {
        let shape = self.generator.shape;
        let pair = [Type::Int, Type::Int];
        match self.generator.rng.u8(..10) {
            0 => self.always(Op::IntNeg, &[Type::Int], depth),
            1 => self.always(Op::IntSub, &pair, depth),
            2 => self.always(Op::IntMul, &pair, depth),
            3 => self.always(Op::IntDiv, &pair, depth),
            4 => self.always(Op::IntMod, &pair, depth),
            5 | 6 if !shape.widths.is_empty() => {
                let word = Type::Bv(shape.widths[self.generator.rng.usize(..shape.widths.len())]);
                let op = if self.generator.rng.bool() { Op::BvToNat } else { Op::BvToInt };
                self.always(op, &[word], depth)
            }
            7 if shape.sequences => {
                let element = self.generator.simple_type();
                let sequence = Type::Seq(Box::new(element.clone()));
                match self.generator.rng.bool() {
                    true => self.always(Op::SeqLength, &[sequence], depth),
                    false => self.always(Op::SeqCount, &[sequence, element], depth),
                }
            }
            8 if self.reads.specification && shape.relations => {
                let set = Type::set(vec![self.generator.listed_type()]);
                self.always(Op::Cardinality, &[set], depth)
            }
            _ => self.always(Op::IntAdd, &pair, depth),
        }
    }

    fn word(&mut self, width: u32, depth: usize) -> ExprId {
        let shape = self.generator.shape;
        let word = Type::Bv(width);
        match self.generator.rng.u8(..12) {
            0..=1 => {
                const OPS: [Op; 5] =
                    [Op::BvNeg, Op::BvNot, Op::BvPopcount, Op::BvLeadingZeros, Op::BvTrailingZeros];
                let op = OPS[self.generator.rng.usize(..OPS.len())].clone();
                return self.always(op, &[word], depth);
            }
            2 if width > 1 => {
                let low = self.generator.rng.u32(1..width);
                return self.always(Op::BvConcat, &[Type::Bv(width - low), Type::Bv(low)], depth);
            }
            3 => {
                let low = self.generator.rng.u32(..4);
                let from = Type::Bv(width + low + self.generator.rng.u32(..4));
                return self.always(Op::BvExtract { low, width }, &[from], depth);
            }
            4 => {
                let from = Type::Bv(self.generator.rng.u32(1..=width));
                let op = if self.generator.rng.bool() {
                    Op::BvZeroExtend(width)
                } else {
                    Op::BvSignExtend(width)
                };
                return self.always(op, &[from], depth);
            }
            5 if shape.integers => return self.always(Op::IntToBv(width), &[Type::Int], depth),
            8 if shape.floats && !shape.widths.is_empty() => {
                let from = self.number_width();
                let number = self.number(from, depth);
                let op = match self.generator.rng.bool() {
                    true => Float::ToSigned(width),
                    false => Float::ToUnsigned(width),
                };
                return self.op(Op::Float(op), vec![number]);
            }
            6 | 7 if shape.memory && width == ADDRESS_BITS => {
                let ops = [Op::PtrOffset, Op::Memory(Memory::ObjectSize), Op::PtrToBv];
                let op = ops[self.generator.rng.usize(..if shape.guarded { 2 } else { 3 })].clone();
                if let Some(id) = self.of(op, &[Type::Ptr], depth) {
                    return id;
                }
            }
            _ => {}
        }
        const OPS: [Op; 13] = [
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
        ];
        let op = match shape.guarded && width == ADDRESS_BITS {
            // What is multiplied and divided at this width is hard to reason about.
            true => OPS[self.generator.rng.usize(..2)].clone(),
            false => OPS[self.generator.rng.usize(..OPS.len())].clone(),
        };
        self.always(op, &[word.clone(), word], depth)
    }

    fn number_width(&mut self) -> u32 {
        Float::WIDTHS[self.generator.rng.usize(..Float::WIDTHS.len())]
    }

    /// A floating-point number, made from words of other widths.
    fn number(&mut self, width: u32, depth: usize) -> ExprId {
        let depth = depth.saturating_sub(1);
        let op = match self.generator.rng.u8(..if depth > 0 { 10 } else { 4 }) {
            0..=3 => {
                let widths = &self.generator.shape.widths;
                let from = widths[self.generator.rng.usize(..widths.len())];
                let word = self.build(&Type::Bv(from), depth);
                let op = match self.generator.rng.bool() {
                    true => Float::FromSigned(width),
                    false => Float::FromUnsigned(width),
                };
                return self.op(Op::Float(op), vec![word]);
            }
            4 | 5 => {
                let from = self.number_width();
                let number = self.number(from, depth);
                return self.op(Op::Float(Float::Convert(width)), vec![number]);
            }
            6 => Float::Add,
            7 => Float::Sub,
            _ => Float::Mul,
        };
        let (a, b) = (self.number(width, depth), self.number(width, depth));
        self.op(Op::Float(op), vec![a, b])
    }

    fn map(&mut self, keys: &[Type], value: &Type, depth: usize) -> ExprId {
        let ty = Type::Map(keys.to_vec(), Box::new(value.clone()));
        let listed = !self.generator.shape.listed || keys.iter().all(is_listed);
        let specification = self.reads.specification && listed;
        let relational = *value == Type::Bool && specification && self.generator.shape.relations;
        if relational && self.generator.rng.bool() {
            return self.relation(keys, depth);
        }
        match self.generator.rng.u8(..4) {
            0 if specification => {
                let (binders, body) = self.binding(keys, value, depth);
                self.exprs.push(Expr::Lambda(binders, body), ty)
            }
            1 => self.always(Op::ConstMap(ty), slice::from_ref(value), depth),
            _ => {
                let mut types = vec![ty];
                types.extend_from_slice(keys);
                types.push(value.clone());
                self.always(Op::Store, &types, depth)
            }
        }
    }

    fn relation(&mut self, columns: &[Type], depth: usize) -> ExprId {
        let ty = Type::set(columns.to_vec());
        let pair = [ty.clone(), ty.clone()];
        match (self.generator.rng.u8(..8), columns) {
            (0, _) => self.always(Op::Union, &pair, depth),
            (1, _) => self.always(Op::Intersection, &pair, depth),
            (2, _) => self.always(Op::Difference, &pair, depth),
            (3, [one]) => self.always(Op::Singleton, slice::from_ref(one), depth),
            (3, [from, to]) => {
                self.always(Op::Transpose, &[Type::set(vec![to.clone(), from.clone()])], depth)
            }
            (4, [keys @ .., value]) if !keys.is_empty() => {
                let map = Type::Map(keys.to_vec(), Box::new(value.clone()));
                self.always(Op::Graph, &[map], depth)
            }
            (5, [first, rest @ ..]) if !rest.is_empty() => {
                let parts = [Type::set(vec![first.clone()]), Type::set(rest.to_vec())];
                self.always(Op::Product, &parts, depth)
            }
            (6, [from, to]) if from == to => {
                let op = if self.generator.rng.bool() { Op::Closure } else { Op::ReflexiveClosure };
                self.always(op, &[ty], depth)
            }
            _ => {
                let middle = self.generator.listed_type();
                let mut left = columns.to_vec();
                left.push(middle.clone());
                self.always(Op::Join, &[Type::set(left), Type::set(vec![middle])], depth)
            }
        }
    }

    /// A body below new bound variables.
    fn binding(&mut self, types: &[Type], body: &Type, depth: usize) -> (Vec<Binder>, ExprId) {
        let mut binders = Vec::new();
        for (index, ty) in types.iter().enumerate() {
            let name = self.generator.name("x", index as u32);
            binders.push(self.exprs.bind(name, ty.clone()));
        }
        let pooled = self.pool.len();
        self.scope.extend(&binders);
        let body = self.build(body, depth);
        self.scope.truncate(self.scope.len() - binders.len());
        self.pool.truncate(pooled);
        (binders, body)
    }

    /// An operator on operands of these types, unless it depends on objects and nothing may here.
    fn of(&mut self, op: Op, types: &[Type], depth: usize) -> Option<ExprId> {
        let allowed = self.reads.globals || !op.depends_on_objects();
        allowed.then(|| self.always(op, types, depth))
    }

    /// An operator on operands of these types.
    fn always(&mut self, op: Op, types: &[Type], depth: usize) -> ExprId {
        let operands = types.iter().map(|ty| self.build(ty, depth)).collect();
        self.op(op, operands)
    }

    pub(super) fn op(&mut self, op: Op, operands: Vec<ExprId>) -> ExprId {
        let types: Vec<&Type> = operands.iter().map(|id| self.exprs.ty(*id)).collect();
        let ty = result_type(&op, &types, &self.generator.module)
            .unwrap_or_else(|message| panic!("the generator built an ill-typed {op:?}: {message}"));
        self.exprs.push(Expr::Op(op, operands), ty)
    }
}

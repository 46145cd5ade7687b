//! Operators on symbolic values: the meaning of the table in `ir::Op` in gates. That of operators on words is in
//! `words.rs`, which `summary` shares.

use std::rc::Rc;

use circuit::{Bits, Circuit, Gate};
use ir::{Op, Type};

use crate::context::Context;
use crate::escape::Escape;
use crate::integer::{Bigs, Computation, Fitted, Integer};
use crate::relations;
use crate::sym::Sym;
use crate::words::{WordResult, word_operator};

impl Context<'_> {
    /// The result of an operator on operands of the given types.
    pub(crate) fn apply(&mut self, op: &Op, types: &[&Type], operands: &[Sym], ty: &Type) -> Sym {
        if operands.contains(&Sym::Nothing) {
            return self.beyond(ty);
        }
        let c = &mut self.circuit;
        match (op, operands) {
            (Op::Not, [a]) => Sym::Bool(!a.gate()),
            (Op::And, [a, b]) => Sym::Bool(c.and(a.gate(), b.gate())),
            (Op::Or, [a, b]) => Sym::Bool(c.or(a.gate(), b.gate())),
            (Op::Implies, [a, b]) => Sym::Bool(c.implies(a.gate(), b.gate())),
            (Op::Eq, [a, b]) => Sym::Bool(self.equal(types[0], a, b)),
            (Op::Ite, [a, b, c]) => self.select(a.gate(), b, c),

            (Op::IntNeg, [a]) => self.int_arithmetic(op, a.int(), a.int()),
            (Op::IntAdd | Op::IntSub | Op::IntMul | Op::IntDiv | Op::IntMod, [a, b]) => {
                self.int_arithmetic(op, a.int(), b.int())
            }
            (Op::IntLt, [a, b]) => Sym::Bool(self.int_less(a.int(), b.int())),
            (Op::IntLe, [a, b]) => Sym::Bool(!self.int_less(b.int(), a.int())),

            (Op::BvToNat, [a]) => {
                let wide = a.bits().zero_extend(a.bits().width() + 1);
                self.int_of(&wide)
            }
            (Op::BvToInt, [a]) => self.int_of(&a.bits().clone()),
            (Op::IntToBv(width), [a]) => self.bv_of(a.int(), *width as usize),
            (
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
                | Op::BvUlt
                | Op::BvUle
                | Op::BvSlt
                | Op::BvSle
                | Op::BvSaddOverflows
                | Op::BvSsubOverflows
                | Op::BvSmulOverflows
                | Op::BvUaddOverflows
                | Op::BvUsubOverflows
                | Op::BvUmulOverflows,
                [a, rest @ ..],
            ) => of_words(c, op, a.bits(), rest.first().map(Sym::bits)),

            (Op::Float(float), operands) => self.float_op(*float, operands),

            (Op::Select, [map, keys @ ..]) => self.read(types[0], map, keys),
            (Op::Store, [map, rest @ ..]) => {
                let (value, keys) = rest.split_last().expect("a store has a value");
                self.write(types[0], map, Gate::TRUE, keys, value)
            }
            (Op::ConstMap(ty), [value]) => self.constant_map(ty, value),
            (
                Op::Union
                | Op::Intersection
                | Op::Difference
                | Op::Subset
                | Op::Graph
                | Op::Join
                | Op::Product
                | Op::Transpose
                | Op::Closure
                | Op::ReflexiveClosure
                | Op::Singleton
                | Op::Cardinality,
                _,
            ) => relations::apply(self, op, types, operands, ty),

            (Op::SeqEmpty(_), []) => self.default(ty),
            (Op::SeqUnit, [a]) => self.seq_unit(types[0], a),
            (Op::SeqConcat, [a, b]) => self.seq_concat(a.seq(), b.seq()),
            (Op::SeqLength, [a]) => self.seq_length(a.seq()),
            (Op::SeqAt, [a, at]) => self.seq_at(ty, a.seq(), at.int()),
            (Op::SeqSlice, [a, from, count]) => {
                let Type::Seq(element) = ty else { unreachable!("a slice is a sequence") };
                self.seq_slice(element, a.seq(), from.int(), count.int())
            }
            (Op::SeqReverse, [a]) => self.seq_reverse(a.seq()),
            (Op::SeqCount, [a, value]) => self.seq_count(types[1], a.seq(), value),

            (Op::Record(_), fields) => Sym::Tuple(Rc::new(fields.to_vec())),
            (Op::Field(_, field), [a]) => a.tuple()[*field as usize].clone(),
            (Op::WithField(_, field), [a, value]) => {
                let mut fields = (**a.tuple()).clone();
                fields[*field as usize] = value.clone();
                Sym::Tuple(Rc::new(fields))
            }
            (Op::Construct(variant, constructor), arguments) => {
                let default = self.default(&Type::Variant(*variant));
                let mut parts = (**default.tuple()).clone();
                let width = parts[0].bits().width();
                parts[0] = Sym::Bits(Bits::constant(width, u128::from(*constructor)));
                let from = self.argument_offset(*variant, *constructor);
                for (number, argument) in arguments.iter().enumerate() {
                    parts[from + number] = argument.clone();
                }
                Sym::Tuple(Rc::new(parts))
            }
            (Op::IsConstructor(_, constructor), [a]) => {
                Sym::Bool(self.is_constructor(a, *constructor))
            }
            (Op::Argument(variant, constructor, number), [a]) => {
                let place = self.argument_offset(*variant, *constructor) + *number as usize;
                let there = a.tuple()[place].clone();
                let is = self.is_constructor(a, *constructor);
                let other = self.default(ty);
                self.select(is, &there, &other)
            }

            (
                Op::PtrAdd
                | Op::PtrOffset
                | Op::PtrSameObject
                | Op::PtrToBv
                | Op::BvToPtr
                | Op::Memory(_),
                _,
            ) => self.memory_op(op, operands, ty),
            (op, operands) => unreachable!("{op:?} was given {} operands", operands.len()),
        }
    }

    /// An arbitrary value of a type, for continuing after the scope was left for want of a representation.
    pub(crate) fn beyond(&mut self, ty: &Type) -> Sym {
        self.out_of_scope(Escape::Type(ty.clone()), ty)
    }

    /// Any value of a type, for an expression that has none within the scope. In an under-approximation, or if
    /// there is no way to say *any*, the execution is not followed further.
    pub(crate) fn out_of_scope(&mut self, why: Escape, ty: &Type) -> Sym {
        if !self.under()
            && let Some(value) = self.anything(ty)
        {
            return value;
        }
        self.escape(Gate::TRUE, why);
        self.default(ty)
    }

    fn is_constructor(&mut self, value: &Sym, constructor: u32) -> Gate {
        let tag = value.tuple()[0].bits().clone();
        self.circuit.equal(&tag, &Bits::constant(tag.width(), u128::from(constructor)))
    }

    /// The value of a computation, given its exact result. In an under-approximation it is not requested again.
    fn fitted(&mut self, computation: Option<Computation>, fitted: Fitted) -> Sym {
        self.escape(fitted.escapes, Escape::Integer);
        let integer = fitted.integer.named(&mut self.circuit);
        if let Some(computation) = computation {
            self.computed.insert(computation, integer.clone());
        }
        Sym::Int(integer)
    }

    /// The value of a unary operator is asked for with its operand twice.
    fn int_arithmetic(&mut self, op: &Op, a: &Integer, b: &Integer) -> Sym {
        let under = self.under();
        let computation = (!under).then(|| Computation::Of(op.clone(), a.clone(), b.clone()));
        if let Some(known) = computation.as_ref().and_then(|of| self.computed.get(of)) {
            return Sym::Int(known.clone());
        }
        let c = &mut self.circuit;
        let fitted = match op {
            Op::IntNeg => Integer::neg(c, a, under),
            Op::IntAdd => Integer::add(c, a, b, under),
            Op::IntSub => {
                let negated = Integer::neg(c, b, under);
                // −b may not fit although a − b does, so the difference is computed directly.
                let width = a.word.width();
                let exact = c.sub(&a.word.sign_extend(width + 1), &b.word.sign_extend(width + 1));
                if under {
                    Integer::fit(c, &exact, width, Gate::FALSE, Gate::FALSE, true)
                } else {
                    Integer::add(c, a, &negated.integer, false)
                }
            }
            Op::IntMul => Integer::mul(c, a, b, under),
            Op::IntDiv => {
                let [quotient, _] = Integer::div_mod(c, a, b, under);
                quotient
            }
            Op::IntMod => {
                let [_, remainder] = Integer::div_mod(c, a, b, under);
                remainder
            }
            other => unreachable!("{other:?} is no integer arithmetic"),
        };
        self.fitted(computation, fitted)
    }

    /// Whether two integers are equal.
    pub(crate) fn int_equal(&mut self, a: &Integer, b: &Integer) -> Gate {
        let (bigs, _) = self.bigs(a, b);
        Integer::equal(&mut self.circuit, a, b, bigs.equal)
    }

    /// Whether the first integer is less than the second.
    pub(crate) fn int_less(&mut self, a: &Integer, b: &Integer) -> Gate {
        if a == b {
            return Gate::FALSE;
        }
        let (bigs, swapped) = self.bigs(a, b);
        let less = self.circuit.and(!bigs.equal, bigs.less.negate_if(swapped));
        Integer::less(&mut self.circuit, a, b, less)
    }

    /// How two integers compare if both are big, and whether they have changed places.
    fn bigs(&mut self, a: &Integer, b: &Integer) -> (Bigs, bool) {
        if a.big == Gate::FALSE || b.big == Gate::FALSE {
            return (Bigs { equal: Gate::FALSE, less: Gate::FALSE }, false);
        }
        let swapped = a.order() > b.order();
        let (first, second) = if swapped { (b, a) } else { (a, b) };
        let key = (first.clone(), second.clone());
        if let Some(known) = self.compared.get(&key) {
            return (*known, swapped);
        }
        let bigs = Bigs { equal: self.circuit.input(), less: self.circuit.input() };
        self.compared.insert(key, bigs);
        (bigs, swapped)
    }

    /// A signed word of any width as an integer.
    pub(crate) fn int_of(&mut self, exact: &Bits) -> Sym {
        let (width, under) = (self.scope.int_width as usize, self.under());
        let computation = (!under).then(|| Computation::Exact(exact.clone()));
        if let Some(known) = computation.as_ref().and_then(|of| self.computed.get(of)) {
            return Sym::Int(known.clone());
        }
        let c = &mut self.circuit;
        let fitted = Integer::fit(c, exact, width, Gate::FALSE, Gate::FALSE, under);
        self.fitted(computation, fitted)
    }

    /// The word of this width that is congruent to an integer.
    fn bv_of(&mut self, integer: &Integer, width: usize) -> Sym {
        let word = &integer.word;
        let word =
            if word.width() < width { word.sign_extend(width) } else { word.extract(0..width) };
        if integer.big == Gate::FALSE {
            return Sym::Bits(word);
        }
        let unknown = self.circuit.fresh_bits(width);
        Sym::Bits(self.circuit.select(integer.big, &unknown, &word))
    }
}

/// The result of an operator on words.
pub(crate) fn of_words(c: &mut Circuit, op: &Op, a: &Bits, b: Option<&Bits>) -> Sym {
    match word_operator(c, op, a, b) {
        Some(WordResult::Word(bits)) => Sym::Bits(bits),
        Some(WordResult::Truth(gate)) => Sym::Bool(gate),
        None => unreachable!("{op:?} is an operator on words, with all its operands"),
    }
}

//! Words: built lazily, simplified where that decides a condition without a solver.
//!
//! Nothing is bit-blasted while a procedure is walked (Xie & Aiken 2007, §3.1: the encoding slices by itself).
//! Comparisons are pulled over choices between constants, because that is how C returns error codes:
//! `err = c ? -EBUSY : 0; if (err)` is the condition `c` and no other.

use circuit::{Bits, Circuit, FloatFormat};
use ir::{Float, Op};

use crate::diagram::Guard;
use crate::space::{Atom, Input, Region, Space, Term, TermId};

/// How many choices a comparison is pulled over at most.
const PULLED: u32 = 12;

impl Space {
    pub(crate) fn word(&mut self, width: u32, value: u128) -> TermId {
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        self.intern(Term::Constant(value & mask), width)
    }

    pub(crate) fn input(&mut self, input: Input, width: u32) -> TermId {
        self.intern(Term::Input(input), width)
    }

    pub(crate) fn constant(&self, id: TermId) -> Option<u128> {
        match self.term(id) {
            Term::Constant(value) => Some(*value),
            Term::Input(_) | Term::Op(..) | Term::Choice(..) => None,
        }
    }

    /// The first word where the guard holds, else the second.
    pub(crate) fn choice(&mut self, guard: Guard, then: TermId, otherwise: TermId) -> TermId {
        if guard == Guard::ALWAYS || then == otherwise {
            return then;
        }
        if guard == Guard::NEVER {
            return otherwise;
        }
        let width = self.width(then);
        self.intern(Term::Choice(guard, then, otherwise), width)
    }

    /// An operator from words to a word of this width.
    pub(crate) fn compute(&mut self, op: &Op, operands: &[TermId], width: u32) -> TermId {
        if let Some(folded) = self.fold(op, operands) {
            let value = folded.as_constant().expect("constants give constants");
            return self.word(width, value);
        }
        if let (Op::BvAdd | Op::BvSub | Op::BvOr | Op::BvXor | Op::BvShl, [a, b]) = (op, operands)
            && self.constant(*b) == Some(0)
        {
            return *a;
        }
        if let (Op::BvMul, [a, b]) = (op, operands)
            && self.constant(*b) == Some(1)
        {
            return *a;
        }
        // Widening a choice between constants keeps it one.
        if let (Op::BvZeroExtend(_) | Op::BvSignExtend(_) | Op::BvExtract { .. }, [a]) =
            (op, operands)
            && let Term::Choice(guard, then, otherwise) = *self.term(*a)
            && (self.constant(then).is_some() || self.constant(otherwise).is_some())
        {
            let then = self.compute(op, &[then], width);
            let otherwise = self.compute(op, &[otherwise], width);
            return self.choice(guard, then, otherwise);
        }
        self.intern(Term::Op(op.clone(), operands.to_vec()), width)
    }

    /// The value of an operator on constants of at most 128 bits.
    fn fold(&self, op: &Op, operands: &[TermId]) -> Option<Bits> {
        let mut constants = Vec::with_capacity(operands.len());
        for id in operands {
            let width = self.width(*id);
            if width > 128 {
                return None;
            }
            constants.push(Bits::constant(width as usize, self.constant(*id)?));
        }
        let folded = apply(&mut Circuit::new(), op, &constants)?;
        (folded.width() <= 128).then_some(folded)
    }

    /// A comparison of words.
    pub(crate) fn compare(&mut self, op: &Op, a: TermId, b: TermId) -> Guard {
        self.pulled(op, a, b, PULLED)
    }

    fn pulled(&mut self, op: &Op, a: TermId, b: TermId, deeper: u32) -> Guard {
        // A number that is compared with itself is asked whether it is NaN.
        if a == b && !matches!(op, Op::Float(_)) {
            return Guard::constant(matches!(op, Op::Eq | Op::BvUle | Op::BvSle));
        }
        if let Some(folded) = self.fold(op, &[a, b]) {
            return Guard::constant(folded.as_constant() == Some(1));
        }
        if let Some(known) = self.address_compared(op, a, b) {
            return known;
        }
        if let Some(deeper) = deeper.checked_sub(1) {
            if let Term::Choice(guard, then, otherwise) = *self.term(a)
                && self.is_worth_pulling(then, otherwise, b)
            {
                let then = self.pulled(op, then, b, deeper);
                let otherwise = self.pulled(op, otherwise, b, deeper);
                return self.diagrams.ite(guard, then, otherwise);
            }
            if let Term::Choice(guard, then, otherwise) = *self.term(b)
                && self.is_worth_pulling(then, otherwise, a)
            {
                let then = self.pulled(op, a, then, deeper);
                let otherwise = self.pulled(op, a, otherwise, deeper);
                return self.diagrams.ite(guard, then, otherwise);
            }
        }
        if let Some(narrower) = self.narrowed(op, a, b) {
            return narrower;
        }
        let (a, b) = if *op == Op::Eq && b < a { (b, a) } else { (a, b) };
        self.atom(Atom::Compare(op.clone(), a, b))
    }

    fn is_worth_pulling(&self, then: TermId, otherwise: TermId, other: TermId) -> bool {
        let settles = |id: TermId| {
            let is_choice = matches!(self.term(id), Term::Choice(..));
            id == other || self.constant(id).is_some() || is_choice || self.is_own_address(id)
        };
        self.constant(other).is_some() && (settles(then) || settles(otherwise))
            || then == other
            || otherwise == other
    }

    /// A widened word compared with a constant is the word compared with a narrower one.
    fn narrowed(&mut self, op: &Op, a: TermId, b: TermId) -> Option<Guard> {
        let (wide, value, is_first) = match (self.constant(a), self.constant(b)) {
            (None, Some(value)) => (a, value, true),
            (Some(value), None) => (b, value, false),
            (Some(_), Some(_)) | (None, None) => return None,
        };
        let Term::Op(extension @ (Op::BvZeroExtend(_) | Op::BvSignExtend(_)), operands) =
            self.term(wide)
        else {
            return None;
        };
        let (extension, narrow) = (extension.clone(), operands[0]);
        let width = self.width(narrow);
        let low = self.word(width, value);
        let back = self.compute(&extension, &[low], self.width(wide));
        let keeps_order = match extension {
            Op::BvSignExtend(_) => matches!(op, Op::BvSlt | Op::BvSle),
            _ => matches!(op, Op::BvUlt | Op::BvUle),
        };
        if self.constant(back) != Some(value) {
            return (*op == Op::Eq).then_some(Guard::NEVER);
        }
        if *op != Op::Eq && !keeps_order {
            return None;
        }
        let (a, b) = if is_first { (narrow, low) } else { (low, narrow) };
        Some(self.pulled(op, a, b, PULLED))
    }

    /// Whether a word is the address of an object of the program itself.
    fn is_own_address(&self, id: TermId) -> bool {
        match self.term(id) {
            Term::Input(Input::Address(region)) => {
                !matches!(self.get(self.whole(*region)), Region::Pointee(_))
            }
            Term::Constant(_) | Term::Input(_) | Term::Op(..) | Term::Choice(..) => false,
        }
    }

    /// Objects of the program itself lie neither at zero nor among the error codes.
    fn address_compared(&self, op: &Op, a: TermId, b: TermId) -> Option<Guard> {
        let own = |id: TermId| self.is_own_address(id);
        // Who asks for error codes may compare with the address before the first.
        let is_last =
            |value: u128| self.first_error.is_some_and(|first| value >= u128::from(first) - 1);
        match (self.constant(a), self.constant(b)) {
            (Some(value), None) if own(b) && is_last(value) => {
                matches!(op, Op::BvUlt | Op::BvUle | Op::Eq).then_some(Guard::NEVER)
            }
            (None, Some(value)) if own(a) && is_last(value) => match op {
                Op::BvUlt | Op::BvUle => Some(Guard::ALWAYS),
                Op::Eq => Some(Guard::NEVER),
                _ => None,
            },
            (Some(0), None) if own(b) && *op == Op::Eq => Some(Guard::NEVER),
            (None, Some(0)) if own(a) && *op == Op::Eq => Some(Guard::NEVER),
            _ => None,
        }
    }
}

/// The meaning of the operators on words and of their comparisons, which give one bit. None for an
/// operator that is about something else.
pub(crate) fn apply(c: &mut Circuit, op: &Op, operands: &[Bits]) -> Option<Bits> {
    let unary = operands.first()?;
    let second = operands.get(1);
    Some(match op {
        Op::BvNeg => c.neg(unary),
        Op::BvNot => !unary,
        Op::BvAdd => c.add(unary, second?),
        Op::BvSub => c.sub(unary, second?),
        Op::BvMul => c.mul(unary, second?),
        Op::BvUdiv => c.udiv(unary, second?),
        Op::BvUrem => c.urem(unary, second?),
        Op::BvSdiv => c.sdiv(unary, second?),
        Op::BvSrem => c.srem(unary, second?),
        Op::BvAnd => c.bitand(unary, second?),
        Op::BvOr => c.bitor(unary, second?),
        Op::BvXor => c.bitxor(unary, second?),
        Op::BvShl => c.shl(unary, second?),
        Op::BvLshr => c.lshr(unary, second?),
        Op::BvAshr => c.ashr(unary, second?),
        Op::BvConcat => second?.concat(unary),
        Op::BvExtract { low, width } => {
            unary.extract(*low as usize..(*low as usize + *width as usize))
        }
        Op::BvZeroExtend(width) => unary.zero_extend(*width as usize),
        Op::BvSignExtend(width) => unary.sign_extend(*width as usize),
        Op::BvPopcount => c.popcount(unary).zero_extend(unary.width()),
        Op::BvLeadingZeros => c.leading_zeros(unary).zero_extend(unary.width()),
        Op::BvTrailingZeros => c.trailing_zeros(unary).zero_extend(unary.width()),
        Op::Eq => Bits::from(c.equal(unary, second?)),
        Op::BvUlt => Bits::from(c.ult(unary, second?)),
        Op::BvUle => Bits::from(c.ule(unary, second?)),
        Op::BvSlt => Bits::from(c.slt(unary, second?)),
        Op::BvSle => Bits::from(c.sle(unary, second?)),
        Op::BvSaddOverflows => Bits::from(c.add_overflows_signed(unary, second?)),
        Op::BvSsubOverflows => Bits::from(c.sub_overflows_signed(unary, second?)),
        Op::BvSmulOverflows => Bits::from(c.mul_overflows_signed(unary, second?)),
        Op::BvUaddOverflows => Bits::from(c.add_overflows_unsigned(unary, second?)),
        Op::BvUsubOverflows => Bits::from(c.sub_overflows_unsigned(unary, second?)),
        Op::BvUmulOverflows => Bits::from(c.mul_overflows_unsigned(unary, second?)),
        Op::Float(float) => return float_applied(c, *float, unary, second),
        _ => return None,
    })
}

fn float_applied(c: &mut Circuit, float: Float, a: &Bits, b: Option<&Bits>) -> Option<Bits> {
    let from = FloatFormat::of_width(a.width());
    let to = |width: u32| FloatFormat::of_width(width as usize);
    Some(match float {
        Float::Add => c.float_add(from?, a, b?),
        Float::Sub => c.float_sub(from?, a, b?),
        Float::Mul => c.float_mul(from?, a, b?),
        Float::Equal => Bits::from(c.float_equal(from?, a, b?)),
        Float::Less => Bits::from(c.float_less(from?, a, b?)),
        Float::LessEqual => Bits::from(c.float_less_equal(from?, a, b?)),
        Float::IsNan => Bits::from(c.float_is_nan(from?, a)),
        Float::FromSigned(width) => c.float_from_int(to(width)?, a, true),
        Float::FromUnsigned(width) => c.float_from_int(to(width)?, a, false),
        Float::ToSigned(width) => c.float_to_int(from?, a, width as usize, true).0,
        Float::ToUnsigned(width) => c.float_to_int(from?, a, width as usize, false).0,
        Float::Convert(width) => c.float_convert(from?, to(width)?, a),
    })
}

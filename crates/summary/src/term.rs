//! Words: built lazily, simplified where that decides a condition without a solver.
//!
//! Constants are folded by the interpreter's table of operators, and what is left over is bit-blasted by the circuit
//! builder's (`encode::word_operator`, in `solve.rs`). Operators have no third meaning here: the simplifications below
//! are identities (x + 0, x · 1), and comparisons of addresses of objects, about which neither table says anything.
//!
//! Nothing is bit-blasted while a procedure is walked (Xie & Aiken 2007, §3.1: the encoding slices by itself).
//! Comparisons are pulled over choices between constants, because that is how C returns error codes:
//! `err = c ? -EBUSY : 0; if (err)` is the condition `c` and no other.

use interpret::{Value, Word, fold};
use ir::Op;
use num_traits::ToPrimitive as _;

use crate::limits::PULLED_CHOICES;
use crate::space::{Atom, Input, Region, Space, Term, TermId};
use circuit::Guard;

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
        if let Some(value) = self.fold(op, operands) {
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

    /// The value of an operator on constants of at most 128 bits: the interpreter's.
    fn fold(&self, op: &Op, operands: &[TermId]) -> Option<u128> {
        let mut constants = Vec::with_capacity(operands.len());
        for id in operands {
            constants.push((self.width(*id), self.constant(*id)?));
        }
        folded(op, &constants)
    }

    /// A comparison of words.
    pub(crate) fn compare(&mut self, op: &Op, a: TermId, b: TermId) -> Guard {
        self.pulled(op, a, b, PULLED_CHOICES)
    }

    fn pulled(&mut self, op: &Op, a: TermId, b: TermId, deeper: u32) -> Guard {
        // A number that is compared with itself is asked whether it is NaN.
        if a == b && !matches!(op, Op::Float(_)) {
            return Guard::constant(matches!(op, Op::Eq | Op::BvUle | Op::BvSle));
        }
        if let Some(folded) = self.fold(op, &[a, b]) {
            return Guard::constant(folded == 1);
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
        Some(self.pulled(op, a, b, PULLED_CHOICES))
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

/// The value of an operator on words of at most 128 bits, which have widths; a truth value is a word of one bit. None
/// if the result is none of these.
pub(crate) fn folded(op: &Op, words: &[(u32, u128)]) -> Option<u128> {
    if words.iter().any(|(width, _)| *width > 128) {
        return None;
    }
    let value = |&(width, bits): &(u32, u128)| match width {
        ..=64 => Value::Bv(Word::new(width, bits as u64)),
        _ => Value::Bv(Word::from_nat(width, bits.into())),
    };
    let values: Vec<Value> = words.iter().map(value).collect();
    match fold(op, &values)? {
        Value::Bool(truth) => Some(truth.into()),
        Value::Bv(word) => match word.small() {
            Some(bits) => Some(bits.into()),
            None => word.to_nat().to_u128(),
        },
        _ => None,
    }
}

//! Literals and operators, some of which work on several types.

use num_bigint::BigInt;

use super::Resolver;
use crate::diagnostics::TextRange;
use crate::limits::LITERAL_DIGITS;
use crate::syntax::{Binary, NodeId, Unary};
use crate::types::{BOOL, BROKEN, INT, REAL, Ty, TypeId};

impl Resolver<'_, '_, '_> {
    pub(super) fn integer_literal(&mut self, value: &str, at: TextRange) -> TypeId {
        if value.len() > LITERAL_DIGITS {
            self.fault(at, format!("numbers have at most {LITERAL_DIGITS} digits"));
        }
        INT
    }

    pub(super) fn word_literal(&mut self, value: &str, width: &str, at: TextRange) -> TypeId {
        let ty = self.word_type(width, at);
        if let Ty::Bv(width) = *self.types.get(ty) {
            let fits = value.len() <= LITERAL_DIGITS
                && value.parse::<BigInt>().is_ok_and(|value| value.bits() <= u64::from(width));
            if !fits {
                self.fault(at, format!("the number does not fit into {width} bits"));
            }
        }
        ty
    }

    /// The type that a float literal names behind its value.
    pub(super) fn float_type(&mut self, text: &str) -> TypeId {
        let tail = text.rsplit(|c: char| !c.is_ascii_digit() && c != 'e').next().unwrap_or("");
        let sizes = tail.split_once('e').or_else(|| text.rsplit_once('f')?.1.split_once('e'));
        let parse = |text: &str| text.parse::<u32>().ok();
        match sizes.and_then(|(a, b)| Some((parse(a)?, parse(b)?))) {
            Some((significand, exponent)) => self.types.intern(Ty::Float(significand, exponent)),
            None => self.types.intern(Ty::Float(24, 8)),
        }
    }

    pub(super) fn extract(
        &mut self,
        word: NodeId,
        end: &str,
        start: &str,
        at: TextRange,
    ) -> TypeId {
        let ty = self.type_of(word);
        let is_open = matches!(self.types.get(ty), Ty::Open(_));
        if let (true, Ok(end), Ok(start)) = (is_open, end.parse::<u32>(), start.parse::<u32>())
            && start <= end
            && self.unifier.word(&self.types, ty, end)
        {
            return self.word_type(&(end - start).to_string(), at);
        }
        let Ty::Bv(width) = *self.types.get(ty) else {
            if ty != BROKEN {
                let found = self.shown(ty);
                self.fault(self.at(word), format!("expected a word, found {found}"));
            }
            return BROKEN;
        };
        match (end.parse::<u32>(), start.parse::<u32>()) {
            (Ok(end), Ok(start)) if start <= end && end <= width => {
                self.types.intern(Ty::Bv(end - start))
            }
            _ => {
                let message = format!("there are no bits {start} to {end} in {width} bits");
                self.fault(at, message);
                BROKEN
            }
        }
    }

    pub(super) fn unary(&mut self, op: Unary, operand: NodeId) -> TypeId {
        match op {
            Unary::Not => {
                self.expect(operand, BOOL);
                BOOL
            }
            Unary::Negate => self.number(operand, "a number"),
        }
    }

    /// The type of an operand that must be a number of some kind; an integer if that is open.
    fn number(&mut self, operand: NodeId, what: &str) -> TypeId {
        let ty = self.type_of(operand);
        match self.types.get(ty) {
            Ty::Int | Ty::Real | Ty::Float(..) => ty,
            Ty::Broken => BROKEN,
            Ty::Open(_) => {
                self.expect(operand, INT);
                INT
            }
            Ty::Bool
            | Ty::Bv(_)
            | Ty::RoundingMode
            | Ty::Text
            | Ty::RegularExpression
            | Ty::Constructed(..)
            | Ty::Map(..)
            | Ty::Rigid(_)
            | Ty::Bound(..) => {
                let found = self.shown(ty);
                self.fault(self.at(operand), format!("expected {what}, found {found}"));
                BROKEN
            }
        }
    }

    /// Two numbers of the same kind.
    fn numbers(&mut self, left: NodeId, right: NodeId) -> TypeId {
        // The side whose type is known decides.
        let open = |resolver: &Self, node| {
            matches!(resolver.types.get(resolver.type_of(node)), Ty::Open(_))
        };
        let (first, second) =
            if open(self, left) && !open(self, right) { (right, left) } else { (left, right) };
        let ty = self.number(first, "a number");
        if ty == BROKEN {
            self.number(second, "a number");
            return BROKEN;
        }
        if self.expect(second, ty) { ty } else { BROKEN }
    }

    pub(super) fn binary(&mut self, op: Binary, left: NodeId, right: NodeId) -> TypeId {
        match op {
            Binary::Iff | Binary::Implies | Binary::Explies | Binary::And | Binary::Or => {
                self.expect(left, BOOL);
                self.expect(right, BOOL);
                BOOL
            }
            Binary::Eq | Binary::Ne => {
                let a = self.meaning.types[left as usize];
                let b = self.meaning.types[right as usize];
                let equal = self.unifier.unify(&mut self.types, a, b)
                    || self.unifier.could_be_equal(&mut self.types, a, b);
                if !equal {
                    let (a, b) = (self.shown(a), self.shown(b));
                    let at = self.at(left).to(self.at(right));
                    self.fault(at, format!("{a} and {b} are never equal"));
                }
                BOOL
            }
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
                self.numbers(left, right);
                BOOL
            }
            Binary::Subtype => {
                let ty = self.meaning.types[left as usize];
                self.expect(right, ty);
                BOOL
            }
            Binary::Add | Binary::Sub | Binary::Mul => self.numbers(left, right),
            Binary::Div | Binary::Mod => {
                self.expect(left, INT);
                self.expect(right, INT);
                INT
            }
            // Integers and reals may be divided by each other.
            Binary::Divide => {
                let sides = [left, right].map(|side| self.number(side, "a number"));
                match sides {
                    [BROKEN, _] | [_, BROKEN] => BROKEN,
                    [INT | REAL, INT | REAL] => REAL,
                    [ty, _] => {
                        self.expect(right, ty);
                        ty
                    }
                }
            }
            Binary::Power => {
                self.expect(left, REAL);
                self.expect(right, REAL);
                REAL
            }
            Binary::Concat => self.concatenation(left, right),
        }
    }

    /// A conversion from integers or reals, or from floats.
    pub(super) fn conversion(&mut self, operand: NodeId, from: TypeId, to: TypeId) -> TypeId {
        let is_float = matches!(self.types.get(self.type_of(operand)), Ty::Float(..));
        if !is_float {
            self.expect(operand, from);
        }
        to
    }

    fn concatenation(&mut self, left: NodeId, right: NodeId) -> TypeId {
        let mut width = Some(0_u32);
        for side in [left, right] {
            let ty = self.type_of(side);
            match *self.types.get(ty) {
                Ty::Bv(own) => width = width.map(|width| width.saturating_add(own)),
                Ty::Broken => return BROKEN,
                Ty::Open(_) if self.unifier.word(&self.types, ty, 0) => width = None,
                _ => {
                    let found = self.shown(ty);
                    self.fault(self.at(side), format!("expected a word, found {found}"));
                    return BROKEN;
                }
            }
        }
        let at = self.at(left).to(self.at(right));
        match width {
            Some(width) => self.word_type(&width.to_string(), at),
            None => {
                self.sums.push(at);
                let sides = [left, right].map(|side| self.meaning.types[side as usize]);
                self.unifier.sum(&mut self.types, sides)
            }
        }
    }
}

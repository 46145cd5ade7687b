//! Integers as two's complement words of gates.
//!
//! Every operation first computes its exact result, in as many bits as that takes. What happens
//! next is the caller's choice ([`Integers`]): keep it, so that nothing ever overflows; cut it to
//! the chosen width; or cut it and note the gate that holds where that changed the value.

use circuit::{Bits, Circuit, Gate};

use super::{Translator, grow};
use crate::error::Error;
use crate::limits::INTEGER_BITS;
use crate::logic::{AnyNode, IntComparison, IntId, IntNode, IntOp};
use crate::matrix::Matrix;
use crate::options::Integers;

impl Translator<'_> {
    pub(super) fn int(&mut self, id: IntId) -> Result<Bits, Error> {
        let exact = grow(|| self.exact(id))?;
        self.fit(exact, id)
    }

    /// The result of one operation on operands that have been made to fit.
    fn exact(&mut self, id: IntId) -> Result<Bits, Error> {
        let arena = self.arena;
        Ok(match *arena.ints.node(id.index()) {
            IntNode::Constant(value) => trim(Bits::signed_constant(65, i128::from(value))),
            IntNode::Cardinality(set) => {
                let members: Vec<Gate> = self.expr(set)?.gates().collect();
                unsigned(self.circuit.popcount(&Bits::from(members)))
            }
            IntNode::SumOf(set) => {
                let set = self.expr(set)?;
                let terms = self
                    .bounds
                    .integers()
                    .iter()
                    .map(|(&value, &atom)| {
                        let value = trim(Bits::signed_constant(65, i128::from(value)));
                        self.circuit.mask(set.gate(atom), &value)
                    })
                    .collect();
                sum(terms, self.circuit)
            }
            IntNode::Sum(ref decls, body) => {
                let mut terms = Vec::new();
                self.ground(decls, 0, Gate::TRUE, 0, &mut |this, guard, _| {
                    this.spend(1, AnyNode::Int(id))?;
                    let body = this.int(body)?;
                    terms.push(this.circuit.mask(guard, &body));
                    Ok(true)
                })?;
                sum(terms, self.circuit)
            }
            IntNode::Negate(a) => {
                let a = self.int(a)?;
                let width = a.width() + 1;
                self.circuit.neg(&a.sign_extend(width))
            }
            IntNode::Binary(op, a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                binary(op, &a, &b, self.circuit)
            }
            IntNode::Conditional(f, a, b) => {
                let condition = self.formula(f)?;
                let (a, b) = aligned(&self.int(a)?, &self.int(b)?, 0);
                self.circuit.select(condition, &a, &b)
            }
        })
    }

    /// Applies the caller's choice of width to an exact result.
    fn fit(&mut self, exact: Bits, id: IntId) -> Result<Bits, Error> {
        let exact = trim(exact);
        let is_constant = matches!(self.arena.ints.node(id.index()), IntNode::Constant(_));
        let too_wide = |width: usize| Error::IntegerWidth {
            text: crate::print::text(self.arena, AnyNode::Int(id)),
            width,
        };
        match self.integers {
            Integers::Exact if exact.width() > INTEGER_BITS => Err(too_wide(INTEGER_BITS)),
            Integers::Exact => Ok(exact),
            Integers::Wrapping(width) | Integers::Checked(width) => {
                let width = width.max(1) as usize;
                if is_constant && exact.width() > width {
                    return Err(too_wide(width));
                }
                if exact.width() <= width {
                    return Ok(exact);
                }
                if let Integers::Checked(_) = self.integers {
                    let overflow = self.circuit.truncation_loses_signed(&exact, width);
                    self.overflows.push(overflow);
                }
                Ok(trim(exact.extract(0..width)))
            }
        }
    }

    pub(super) fn compare(
        &mut self,
        comparison: IntComparison,
        a: IntId,
        b: IntId,
    ) -> Result<Gate, Error> {
        let (a, b) = aligned(&self.int(a)?, &self.int(b)?, 0);
        Ok(match comparison {
            IntComparison::Equal => self.circuit.equal(&a, &b),
            IntComparison::Less => self.circuit.slt(&a, &b),
            IntComparison::AtMost => self.circuit.sle(&a, &b),
        })
    }

    /// The singleton of the atom that represents the integer.
    pub(super) fn atom_of(&mut self, int: IntId) -> Result<Matrix, Error> {
        let int = self.int(int)?;
        let mut matrix = Matrix::new(self.atoms, 1);
        for (&value, &atom) in self.bounds.integers() {
            let value = trim(Bits::signed_constant(65, i128::from(value)));
            let (a, b) = aligned(&int, &value, 0);
            let equal = self.circuit.equal(&a, &b);
            matrix.set(&[atom], equal);
        }
        Ok(matrix)
    }
}

fn binary(op: IntOp, a: &Bits, b: &Bits, circuit: &mut Circuit) -> Bits {
    match op {
        IntOp::Add => {
            let (a, b) = aligned(a, b, 1);
            circuit.add(&a, &b)
        }
        IntOp::Subtract => {
            let (a, b) = aligned(a, b, 1);
            circuit.sub(&a, &b)
        }
        IntOp::Multiply => {
            let width = a.width() + b.width();
            circuit.mul(&a.sign_extend(width), &b.sign_extend(width))
        }
        IntOp::Divide | IntOp::Remainder => {
            // One bit more than the operands: the smallest integer divided by −1 fits.
            let (a, b) = aligned(a, b, 1);
            let (quotient, remainder) = circuit.divide_signed(&a, &b);
            let by_zero = circuit.is_zero(&b);
            if op == IntOp::Divide {
                circuit.select(by_zero, &Bits::zero(a.width()), &quotient)
            } else {
                circuit.select(by_zero, &a, &remainder)
            }
        }
    }
}

/// The exact sum of any number of signed words, pairwise to keep it shallow and narrow.
fn sum(mut terms: Vec<Bits>, circuit: &mut Circuit) -> Bits {
    while terms.len() > 1 {
        terms = terms
            .chunks(2)
            .map(|pair| match pair {
                [a, b] => trim(binary(IntOp::Add, a, b, circuit)),
                _ => pair[0].clone(),
            })
            .collect();
    }
    terms.pop().unwrap_or_else(|| Bits::zero(1))
}

/// Both words sign-extended to the same width, with room to spare.
fn aligned(a: &Bits, b: &Bits, spare: usize) -> (Bits, Bits) {
    let width = a.width().max(b.width()) + spare;
    (a.sign_extend(width), b.sign_extend(width))
}

/// An unsigned word as a signed one.
fn unsigned(word: Bits) -> Bits {
    let width = word.width() + 1;
    word.zero_extend(width)
}

/// The word without the copies of its sign bit.
fn trim(word: Bits) -> Bits {
    let gates = word.gates();
    let mut width = gates.len();
    while width > 1 && gates[width - 1] == gates[width - 2] {
        width -= 1;
    }
    word.extract(0..width)
}

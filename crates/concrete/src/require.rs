//! What follows if a formula holds: how numbers compare that are only compared.
//!
//! A formula that must hold is taken apart as far as it is known what must hold of its parts. What is left in the end is
//! comparisons of numbers whose order is not known yet, and then it is. This does not find all that follows, and
//! need not: what is not found is unknown.

use ir::{Op, Quantifier};

use crate::evaluate::Machine;
use crate::program::{NodeId, What};
use crate::value::Value;

impl Machine<'_> {
    /// Lets a formula be true or false now; whether that can be, as far as is seen.
    pub(crate) fn require(&mut self, id: NodeId, wanted: bool) -> bool {
        let program = self.program;
        match &program.nodes[id as usize].what {
            What::Op(Op::Not, operands) => self.require(operands[0], !wanted),
            What::Op(Op::And, operands) if wanted => {
                self.require(operands[0], true) && self.require(operands[1], true)
            }
            What::Op(Op::Or, operands) if !wanted => {
                self.require(operands[0], false) && self.require(operands[1], false)
            }
            What::Op(Op::Implies, operands) if !wanted => {
                self.require(operands[0], true) && self.require(operands[1], false)
            }
            What::Op(Op::And, operands) => self.one_of(operands, [false, false]),
            What::Op(Op::Or, operands) => self.one_of(operands, [true, true]),
            What::Op(Op::Implies, operands) => self.one_of(operands, [false, true]),
            What::Op(op @ (Op::Eq | Op::BvSlt | Op::IntLt | Op::BvSle | Op::IntLe), operands) => {
                let (a, b) = (self.eval(operands[0], false), self.eval(operands[1], false));
                match (&a, &b) {
                    (Value::Key(a), Value::Key(b)) => self.compare(op, *a, *b, wanted),
                    _ => self.eval(id, false).truth() != Some(!wanted),
                }
            }
            What::Quantified(quantifier, range, body)
                if wanted == (*quantifier == Quantifier::All) =>
            {
                let mut cases = self.cases(*range, false);
                cases.all(|case| self.at(*range, case, |this| this.require(*body, wanted)))
            }
            _ => self.eval(id, false).truth() != Some(!wanted),
        }
    }

    /// One of two formulas is as wanted: if the one is not, the other is.
    fn one_of(&mut self, operands: &[NodeId], wanted: [bool; 2]) -> bool {
        let first = self.eval(operands[0], false).truth();
        if first == Some(wanted[0]) {
            return true;
        }
        if first.is_some() {
            return self.require(operands[1], wanted[1]);
        }
        match self.eval(operands[1], false).truth() {
            Some(second) if second != wanted[1] => self.require(operands[0], wanted[0]),
            Some(_) | None => true,
        }
    }

    fn compare(&mut self, op: &Op, a: u8, b: u8, wanted: bool) -> bool {
        match (op, wanted) {
            (Op::Eq, true) => self.order.learn(a, b, false) && self.order.learn(b, a, false),
            (Op::Eq, false) => self.order.differ(a, b),
            (Op::BvSlt | Op::IntLt, true) => self.order.learn(a, b, true),
            (Op::BvSlt | Op::IntLt, false) => self.order.learn(b, a, false),
            (_, true) => self.order.learn(a, b, false),
            (_, false) => self.order.learn(b, a, true),
        }
    }
}

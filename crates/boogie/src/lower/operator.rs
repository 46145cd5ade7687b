//! Operators. What Boogie does with reals and floats becomes functions nothing is known of.

use ir::{Expr, ExprId, Op, Type};

use super::Lowering;
use super::frame::Frame;
use crate::diagnostics::TextRange;
use crate::syntax::{Binary, NodeId, Unary};
use crate::types::{BOOL, INT, REAL, Ty, TypeId};

impl Lowering<'_, '_, '_> {
    pub(super) fn unary(
        &mut self,
        frame: &mut Frame,
        op: Unary,
        operand: NodeId,
        at: TextRange,
    ) -> ExprId {
        let value = self.values[operand as usize];
        match op {
            Unary::Not => frame.not(value),
            Unary::Negate => {
                let ty = self.node_type(frame, operand);
                if ty == INT {
                    if let Expr::Int(number) = frame.exprs.get(value) {
                        let negative = -number.clone();
                        return frame.push(Expr::Int(negative), Type::Int, false);
                    }
                    return frame.op(Op::IntNeg, vec![value], Type::Int);
                }
                self.arithmetic(frame, "-", ty, vec![value], ty, at)
            }
        }
    }

    /// An operation on numbers that are not integers.
    fn arithmetic(
        &mut self,
        frame: &mut Frame,
        symbol: &str,
        operand: TypeId,
        values: Vec<ExprId>,
        result: TypeId,
        at: TextRange,
    ) -> ExprId {
        frame.trouble(match self.types.get(operand) {
            Ty::Float(..) => "floating-point arithmetic",
            _ => "arithmetic on reals",
        });
        let shown = self.types.show(operand);
        let name = match values.len() {
            1 => format!("{symbol} {shown}"),
            _ => format!("{shown} {symbol} {shown}"),
        };
        self.uninterpreted(frame, &name, values, result, at)
    }

    /// A function nothing is known of, applied to operands.
    pub(super) fn uninterpreted(
        &mut self,
        frame: &mut Frame,
        name: &str,
        operands: Vec<ExprId>,
        result: TypeId,
        at: TextRange,
    ) -> ExprId {
        let ty = self.ty(result);
        let function = self.unknown_function(frame, name, &operands, &ty, at);
        let specification = frame.any_specification(&operands);
        frame.push(Expr::Apply(function, operands), ty, specification)
    }

    /// A conversion between integers and reals.
    pub(super) fn conversion(
        &mut self,
        frame: &mut Frame,
        operand: NodeId,
        result: TypeId,
        at: TextRange,
    ) -> ExprId {
        frame.trouble("arithmetic on reals");
        let value = self.values[operand as usize];
        let from = self.node_type(frame, operand);
        let name = format!("{}({})", self.types.show(result), self.types.show(from));
        self.uninterpreted(frame, &name, vec![value], result, at)
    }

    pub(super) fn binary(
        &mut self,
        frame: &mut Frame,
        op: Binary,
        (left, right): (NodeId, NodeId),
        result: TypeId,
        at: TextRange,
    ) -> ExprId {
        let (a, b) = (self.values[left as usize], self.values[right as usize]);
        let ty = self.node_type(frame, left);
        match op {
            Binary::Iff => frame.relation(Op::Eq, a, b),
            Binary::Implies => frame.relation(Op::Implies, a, b),
            Binary::Explies => frame.relation(Op::Implies, b, a),
            Binary::And => frame.relation(Op::And, a, b),
            Binary::Or => frame.relation(Op::Or, a, b),
            Binary::Eq => self.equality(frame, (left, right), at),
            Binary::Ne => {
                let equal = self.equality(frame, (left, right), at);
                frame.not(equal)
            }
            Binary::Subtype => {
                frame.trouble("the partial order `<:`");
                let shown = self.types.show(ty);
                self.uninterpreted(frame, &format!("{shown} <: {shown}"), vec![a, b], BOOL, at)
            }
            Binary::Concat => self.concatenation(frame, a, b, result),
            Binary::Divide => {
                // The operands may be of different types.
                let other = self.node_type(frame, right);
                let shown = (self.types.show(ty), self.types.show(other));
                let name = format!("{} / {}", shown.0, shown.1);
                frame.trouble(match self.types.get(ty) {
                    Ty::Float(..) => "floating-point arithmetic",
                    _ => "arithmetic on reals",
                });
                self.uninterpreted(frame, &name, vec![a, b], result, at)
            }
            Binary::Power => self.arithmetic(frame, "**", REAL, vec![a, b], REAL, at),
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge if ty == INT => {
                let (op, x, y) = match op {
                    Binary::Lt => (Op::IntLt, a, b),
                    Binary::Le => (Op::IntLe, a, b),
                    Binary::Gt => (Op::IntLt, b, a),
                    _ => (Op::IntLe, b, a),
                };
                frame.relation(op, x, y)
            }
            Binary::Lt => self.arithmetic(frame, "<", ty, vec![a, b], BOOL, at),
            Binary::Le => self.arithmetic(frame, "<=", ty, vec![a, b], BOOL, at),
            Binary::Gt => self.arithmetic(frame, "<", ty, vec![b, a], BOOL, at),
            Binary::Ge => self.arithmetic(frame, "<=", ty, vec![b, a], BOOL, at),
            Binary::Add if ty == INT => frame.op(Op::IntAdd, vec![a, b], Type::Int),
            Binary::Sub if ty == INT => frame.op(Op::IntSub, vec![a, b], Type::Int),
            Binary::Mul if ty == INT => frame.op(Op::IntMul, vec![a, b], Type::Int),
            Binary::Add => self.arithmetic(frame, "+", ty, vec![a, b], ty, at),
            Binary::Sub => self.arithmetic(frame, "-", ty, vec![a, b], ty, at),
            Binary::Mul => self.arithmetic(frame, "*", ty, vec![a, b], ty, at),
            Binary::Div => frame.op(Op::IntDiv, vec![a, b], Type::Int),
            Binary::Mod => frame.op(Op::IntMod, vec![a, b], Type::Int),
        }
    }

    /// Values whose types could have been equal but are not at these type arguments are different.
    fn equality(
        &mut self,
        frame: &mut Frame,
        (left, right): (NodeId, NodeId),
        at: TextRange,
    ) -> ExprId {
        let (a, b) = (self.values[left as usize], self.values[right as usize]);
        let (these, those) = (self.node_type(frame, left), self.node_type(frame, right));
        if these != those {
            return frame.bool(false);
        }
        if let Ty::Float(..) = self.types.get(these) {
            return self.arithmetic(frame, "==", these, vec![a, b], BOOL, at);
        }
        frame.relation(Op::Eq, a, b)
    }

    fn concatenation(&mut self, frame: &mut Frame, a: ExprId, b: ExprId, result: TypeId) -> ExprId {
        match (frame.ty(a), frame.ty(b)) {
            (Type::Bv(_), Type::Bv(_)) => {
                let ty = self.ty(result);
                frame.op(Op::BvConcat, vec![a, b], ty)
            }
            // One side has no bits.
            (Type::Bv(_), _) => a,
            (_, _) => b,
        }
    }

    pub(super) fn extract(
        &mut self,
        frame: &mut Frame,
        word: NodeId,
        (end, start): (&str, &str),
    ) -> ExprId {
        let value = self.values[word as usize];
        let (end, low): (u32, u32) = (end.parse().unwrap_or(0), start.parse().unwrap_or(0));
        let width = end.saturating_sub(low);
        if width == 0 {
            return self.no_bits(frame);
        }
        frame.op(Op::BvExtract { low, width }, vec![value], Type::Bv(width))
    }
}

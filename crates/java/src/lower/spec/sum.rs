//! Sums and counts over numbers. The range bounds them; values are added up one by one, and executions in
//! which the range is longer than [`SUMMED_VALUES`] are excluded.

use ir::{Expr as Vir, ExprId, Op, Type};

use super::super::body::{Body, Val};
use super::Env;
use crate::limits::SUMMED_VALUES;
use crate::syntax::{Binary, Expr, ExprKind, Ident, Quantifier, TextRange};
use crate::types::Ty;

impl Body<'_, '_> {
    /// `(\sum int i; range; body)` or `(\num_of int i; range; body)`.
    #[expect(clippy::too_many_arguments, reason = "the parts of the expression")]
    pub(super) fn spec_sum(
        &mut self,
        quantifier: Quantifier,
        ty: &Ty,
        name: &Ident,
        range: Option<&Expr>,
        body: &Expr,
        at: TextRange,
        env: &mut Env,
    ) -> Option<Val> {
        // Without a range of its own, a count takes it from what is counted.
        let bounds = range.unwrap_or(body);
        let low = self.bound(bounds, &name.name, ty, true, env);
        let high = self.bound(bounds, &name.name, ty, false, env);
        let (Some(low), Some(high), false) = (low, high, env.is_bound) else {
            self.not_modelled("a sum or number over a range that is not plain to see", at);
            return None;
        };
        let width = ty.width()?;
        let most = self.word(width, SUMMED_VALUES);
        let end = self.op(Op::BvAdd, vec![low, most], Type::Bv(width));
        let is_short = self.op(Op::BvSle, vec![high, end], Type::Bool);
        self.limits.push(is_short);
        let mut sum: Option<Val> = None;
        for step in 0..SUMMED_VALUES {
            let step = self.word(width, step);
            let here = self.op(Op::BvAdd, vec![low, step], Type::Bv(width));
            let inside = self.op(Op::BvSlt, vec![here, high], Type::Bool);
            env.names.push((name.name.clone(), Val { id: here, ty: ty.clone() }));
            let guard = range.map(|range| self.jml(range, env));
            let value = self.jml(body, env);
            env.names.pop();
            let mut guards = vec![inside];
            if let Some(guard) = guard {
                guards.push(guard?.id);
            }
            let value = match quantifier {
                Quantifier::NumOf => {
                    guards.push(value?.id);
                    Val { id: self.word(32, 1), ty: Ty::Int }
                }
                Quantifier::Sum | Quantifier::All | Quantifier::Exists => {
                    let value = value?;
                    let ty = value.ty.promoted(&Ty::Int);
                    Val { id: self.number_as(value.id, &value.ty, &ty)?, ty }
                }
            };
            let vir = self.type_of(value.id);
            let zero = self.default(&vir);
            let counts = self.all_of(guards);
            let term = self.op(Op::Ite, vec![counts, value.id, zero], vir.clone());
            sum = Some(match sum {
                None => Val { id: term, ty: value.ty },
                Some(sum) => Val { id: self.op(Op::BvAdd, vec![sum.id, term], vir), ty: value.ty },
            });
        }
        sum
    }

    /// Where a range begins, or the first number behind it.
    fn bound(
        &mut self,
        range: &Expr,
        name: &str,
        ty: &Ty,
        is_low: bool,
        env: &mut Env,
    ) -> Option<ExprId> {
        let ExprKind::Binary(operator, a, b) = &range.kind else { return None };
        let is_name = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(known) if known == name);
        let (operator, other) = match operator {
            Binary::AndAlso | Binary::And => {
                return self
                    .bound(a, name, ty, is_low, env)
                    .or_else(|| self.bound(b, name, ty, is_low, env));
            }
            _ if is_name(a) => (*operator, b),
            Binary::Lt if is_name(b) => (Binary::Gt, a),
            Binary::Le if is_name(b) => (Binary::Ge, a),
            Binary::Gt if is_name(b) => (Binary::Lt, a),
            Binary::Ge if is_name(b) => (Binary::Le, a),
            _ => return None,
        };
        let is_strict = match (operator, is_low) {
            (Binary::Ge, true) | (Binary::Lt, false) => false,
            (Binary::Gt, true) | (Binary::Le, false) => true,
            _ => return None,
        };
        let other = self.jml(other, env)?;
        let limit = self.number_as(other.id, &other.ty, ty)?;
        let width = ty.width()?;
        Some(match is_strict {
            false => limit,
            true => {
                let one = self.word(width, 1);
                self.op(Op::BvAdd, vec![limit, one], Type::Bv(width))
            }
        })
    }

    /// A condition in executions in which all ranges are short enough: elsewhere it is true if it is an
    /// obligation, and false if it is an assumption.
    pub(super) fn within_limits(&mut self, condition: ExprId, is_owed: bool) -> ExprId {
        let limits = std::mem::take(&mut self.limits);
        if limits.is_empty() {
            return condition;
        }
        let short = self.all_of(limits);
        match is_owed {
            true => self.implies(short, condition),
            false => self.and(short, condition),
        }
    }

    /// Ranges in the pre-state are short enough there.
    pub(super) fn old_limits(&mut self, before: usize) {
        for position in before..self.limits.len() {
            let limit = self.limits[position];
            self.limits[position] = self.push(Vir::Old(limit), Type::Bool);
        }
    }
}

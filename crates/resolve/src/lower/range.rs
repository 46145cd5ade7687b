//! Sums, products and concatenations over a range of numbers, and powers, which VIR lacks: each is expanded
//! for as many numbers as the unfolding depth of definitions. Executions with longer ranges are cut.

use ir::{ExprId, Op};

use super::term::Place;
use super::{Lowerer, Unsupported};
use crate::limits::DEFINITION_DEPTH;
use crate::term::{NOWHERE, Term, TermKind};
use crate::theory::Theory;
use crate::types::Type;

impl Lowerer {
    /// The values of a function for the numbers from one to another, joined.
    pub(super) fn ranged(
        &mut self,
        function: Theory,
        arguments: &[Term],
        ty: &Type,
        place: &mut Place<'_>,
    ) -> Result<ExprId, Unsupported> {
        let [low, high, values] = arguments else { return Err("a range".to_owned()) };
        let TermKind::Lambda(binders, body) = &values.kind else {
            return Err("a range of values that are not spelt out".to_owned());
        };
        let [(name, _)] = binders.as_slice() else { return Err("a range of pairs".to_owned()) };
        let nothing = || Term::theory(Theory::EmptyString, "", Vec::new(), ty.clone());
        let (op, neutral) = match function {
            Theory::Sum => (Op::IntAdd, Term::number(0, NOWHERE)),
            Theory::Product => (Op::IntMul, Term::number(1, NOWHERE)),
            _ => (Op::SeqConcat, nothing()),
        };
        let lowered = self.ty(ty)?;
        let mut whole = self.term(&neutral, ty, place)?;
        for step in 0..i64::from(DEFINITION_DEPTH) {
            let index = Term::theory(
                Theory::Add,
                "+",
                vec![low.clone(), Term::number(step, NOWHERE)],
                Type::Int,
            );
            let value = body.replace(&|term| match &term.kind {
                TermKind::Bound(bound) if bound == name => Some(index.clone()),
                _ => None,
            });
            let is_within = Term::theory(
                Theory::LessOrEqual,
                "<=",
                vec![index.clone(), high.clone()],
                Type::Bool,
            );
            let parts = vec![is_within, value, neutral.clone()];
            let part = Term::theory(Theory::Choice, "if", parts, ty.clone());
            let part = self.term(&part, ty, place)?;
            whole = place.op(op.clone(), vec![whole, part], lowered.clone());
        }
        Ok(whole)
    }
}

/// A number multiplied with itself, as a product.
pub(super) fn power(base: &Term, exponent: &Term) -> Term {
    let ty = Type::Function(vec![Type::Int], Box::new(Type::Int));
    let binders = vec![("k'".to_owned(), Type::Int)];
    let kind = TermKind::Lambda(binders, Box::new(base.clone()));
    let values = Term { kind, ty, span: base.span };
    let arguments = vec![Term::number(1, NOWHERE), exponent.clone(), values];
    Term::theory(Theory::Product, "Product", arguments, Type::Int)
}

/// That a range is not longer than it is followed.
pub(super) fn is_short(low: &Term, high: &Term) -> Term {
    let length = Term::theory(Theory::Subtract, "-", vec![high.clone(), low.clone()], Type::Int);
    // The greatest difference, as a number that small integers have room for.
    let most = Term::number(i64::from(DEFINITION_DEPTH) - 1, NOWHERE);
    Term::theory(Theory::LessOrEqual, "<=", vec![length, most], Type::Bool)
}

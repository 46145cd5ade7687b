//! Terms over a range of numbers: sums, products and concatenations.

use ir::Span;

use super::Elaborator;
use crate::scope::Scope;
use crate::syntax::{Exp, ExpKind, Name, TypeExp};
use crate::term::{Term, TermKind};
use crate::theory::Theory;
use crate::types::Type;

/// The range of a number under a condition: the least and the greatest value, and the remaining condition.
struct Range {
    low: Term,
    high: Term,
    others: Vec<Term>,
}

impl Elaborator<'_> {
    /// `Sum i: Z where a <= i <= b, e` and the like.
    pub(super) fn iterated(
        &mut self,
        word: &str,
        binder: &(Name, TypeExp),
        condition: Option<&Exp>,
        body: &Exp,
        scope: &Scope,
        span: Span,
    ) -> Term {
        let (binders, inner) = self.bind(std::slice::from_ref(binder), scope);
        let condition = condition.map(|one| self.formula(one, &inner, &Type::Bool));
        // An older dialect has braces around what is joined.
        let body = match &body.kind {
            ExpKind::Set(items) if items.len() == 1 => self.term(&items[0], &inner),
            _ => self.term(body, &inner),
        };
        let is_number = binders[0].1.agrees(&Type::Int);
        let range = condition.as_ref().filter(|_| is_number);
        let Some(range) = range.and_then(|one| range_of(one, &binders[0].0)) else {
            let what =
                format!("a {word} over all values of a variable, but for a range of numbers,");
            return self.unsupported(span, &what);
        };
        let (function, spelt, neutral) = match word {
            "sum" => (Theory::Sum, "Sum", Term::number(0, span)),
            "product" => (Theory::Product, "Product", Term::number(1, span)),
            _ => {
                let nothing =
                    Term::theory(Theory::EmptyString, "Empty_String", Vec::new(), body.ty.clone());
                (Theory::Iterate, "Concatenation", nothing)
            }
        };
        let body = match range.others.is_empty() {
            true => body,
            false => {
                let met = Term::theory(Theory::And, "and", range.others, Type::Bool);
                self.apply(Theory::Choice, "if", vec![met, body, neutral], span)
            }
        };
        let from = vec![binders[0].1.clone()];
        let ty = Type::Function(from, Box::new(body.ty.clone()));
        let values = Term { kind: TermKind::Lambda(binders, Box::new(body)), ty, span };
        self.apply(function, spelt, vec![range.low, range.high, values], span)
    }
}

/// The range that a condition such as `a <= i and i < b` leaves of a number.
fn range_of(condition: &Term, name: &str) -> Option<Range> {
    let is_it = |term: &Term| matches!(&term.kind, TermKind::Bound(bound) if bound == name);
    let next = |term: &Term| moved(term, 1);
    let last = |term: &Term| moved(term, -1);
    let (mut low, mut high, mut others) = (None, None, Vec::new());
    for conjunct in condition.conjuncts() {
        let TermKind::Theory(function, _, sides) = &conjunct.kind else {
            others.push(conjunct.clone());
            continue;
        };
        let limit = match (function, sides.as_slice()) {
            (Theory::LessOrEqual, [limit, it]) | (Theory::GreaterOrEqual, [it, limit])
                if is_it(it) && low.is_none() =>
            {
                low = Some(limit.clone());
                limit
            }
            (Theory::Less, [limit, it]) | (Theory::Greater, [it, limit])
                if is_it(it) && low.is_none() =>
            {
                low = Some(next(limit));
                limit
            }
            (Theory::LessOrEqual, [it, limit]) | (Theory::GreaterOrEqual, [limit, it])
                if is_it(it) && high.is_none() =>
            {
                high = Some(limit.clone());
                limit
            }
            (Theory::Less, [it, limit]) | (Theory::Greater, [limit, it])
                if is_it(it) && high.is_none() =>
            {
                high = Some(last(limit));
                limit
            }
            _ => {
                others.push(conjunct.clone());
                continue;
            }
        };
        // A limit that moves with the number is none.
        let mut moves = false;
        limit.each(&mut |term| moves |= is_it(term));
        if moves {
            return None;
        }
    }
    Some(Range { low: low?, high: high?, others })
}

/// The number that is so much greater than another.
fn moved(term: &Term, by: i64) -> Term {
    if let TermKind::Number(number) = &term.kind {
        return Term { kind: TermKind::Number(number + by), ty: Type::Int, span: term.span };
    }
    let (function, spelt) = match by < 0 {
        true => (Theory::Subtract, "-"),
        false => (Theory::Add, "+"),
    };
    let by = Term::number(by.abs(), term.span);
    Term::theory(function, spelt, vec![term.clone(), by], Type::Int)
}

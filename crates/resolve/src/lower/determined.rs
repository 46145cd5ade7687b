//! Definedness: the conditions under which a term has the value that it is lowered to. Recursive definitions
//! are unfolded to a depth, and ranges to a length.
//!
//! Likewise, for the value of an implicit definition, the definition's condition.
//!
//! A part of a formula matters only where the parts before it do not decide the formula, and below a
//! quantifier for all values that its own conditions admit.

use super::Lowerer;
use super::quantify::iterated;
use super::range::is_short;
use crate::limits::DEFINITION_DEPTH;
use crate::term::{NOWHERE, Quantifier, Term, TermKind};
use crate::theory::Theory;
use crate::types::Type;

/// The kinds of conditions of a term.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ConditionKind {
    /// Under which conditions its value is determined.
    Depth,
    /// The conditions of the implicit definitions in it.
    Promise,
}

impl Lowerer {
    /// The conditions that belong to a term.
    pub(super) fn determining(&mut self, term: &Term, about: ConditionKind) -> Vec<Term> {
        let mut conditions = Vec::new();
        match &term.kind {
            TermKind::Theory(function, _, parts) => {
                conditions.extend(self.determining_theory(*function, parts, about));
            }
            TermKind::Defined(id, _, arguments) => {
                arguments.iter().for_each(|one| conditions.extend(self.determining(one, about)));
                conditions.extend(self.determining_use(*id, arguments, term, about));
            }
            TermKind::Quantified(_, binders, body) | TermKind::Lambda(binders, body) => {
                let below = self.determining(body, about);
                conditions.extend(below.into_iter().map(|one| for_all(binders, one)));
            }
            TermKind::Truth(_)
            | TermKind::Number(_)
            | TermKind::Variable(..)
            | TermKind::Bound(_)
            | TermKind::Constant(_)
            | TermKind::Field(..)
            | TermKind::Tuple(_)
            | TermKind::Unsupported(_) => {
                term.parts()
                    .into_iter()
                    .for_each(|one| conditions.extend(self.determining(one, about)));
            }
        }
        conditions
    }

    fn determining_theory(
        &mut self,
        function: Theory,
        parts: &[Term],
        about: ConditionKind,
    ) -> Vec<Term> {
        // Where a string is compared with the concatenation of a range, the range may be of any length.
        if let (Theory::Equal | Theory::NotEqual, [a, b]) = (function, parts)
            && let Some(entries) = iterated(a, b).or_else(|| iterated(b, a))
        {
            return self.determining(&entries, about);
        }
        let mut conditions = Vec::new();
        match (function, parts) {
            (Theory::And | Theory::Or | Theory::Implies, _) => {
                let mut before: Vec<Term> = Vec::new();
                for part in parts {
                    let own = self.determining(part, about);
                    conditions.extend(own.into_iter().map(|one| under(&before, one)));
                    before.push(if function == Theory::Or { part.negated() } else { part.clone() });
                }
            }
            (Theory::Choice, [condition, then, otherwise]) => {
                conditions.extend(self.determining(condition, about));
                for (side, part) in [(condition.clone(), then), (condition.negated(), otherwise)] {
                    let own = self.determining(part, about);
                    conditions
                        .extend(own.into_iter().map(|one| under(std::slice::from_ref(&side), one)));
                }
            }
            (Theory::Sum | Theory::Product | Theory::Iterate, [low, high, values]) => {
                conditions.extend((about == ConditionKind::Depth).then(|| is_short(low, high)));
                for limit in [low, high] {
                    conditions.extend(self.determining(limit, about));
                }
                if let TermKind::Lambda(binders, body) = &values.kind
                    && let [(name, ty)] = binders.as_slice()
                {
                    let number =
                        Term { kind: TermKind::Bound(name.clone()), ty: ty.clone(), span: NOWHERE };
                    let le = |a: &Term, b: &Term| {
                        Term::theory(
                            Theory::LessOrEqual,
                            "<=",
                            vec![a.clone(), b.clone()],
                            Type::Bool,
                        )
                    };
                    let within = [le(low, &number), le(&number, high)];
                    let below = self.determining(body, about);
                    let below = below.into_iter().map(|one| for_all(binders, under(&within, one)));
                    conditions.extend(below);
                }
            }
            (Theory::Power, [base, exponent]) => {
                let one = Term::number(1, NOWHERE);
                conditions
                    .extend((about == ConditionKind::Depth).then(|| is_short(&one, exponent)));
                conditions.extend(self.determining(base, about));
                conditions.extend(self.determining(exponent, about));
            }
            (_, parts) => {
                parts.iter().for_each(|one| conditions.extend(self.determining(one, about)));
            }
        }
        conditions
    }

    fn determining_use(
        &mut self,
        id: usize,
        arguments: &[Term],
        whole: &Term,
        about: ConditionKind,
    ) -> Vec<Term> {
        let of_arguments = |parameters: &[(String, Type)], term: &Term| {
            term.replace(&|term| match &term.kind {
                TermKind::Bound(name) => {
                    let position = parameters.iter().position(|(known, _)| known == name)?;
                    arguments.get(position).cloned()
                }
                _ => None,
            })
        };
        let parameters = self.definitions[id].parameters.clone();
        if about == ConditionKind::Promise
            && let Some(holds) = &self.definitions[id].holds
        {
            return vec![of_arguments(&parameters, holds)];
        }
        if self.unfold(id) {
            if about == ConditionKind::Promise {
                return Vec::new();
            }
            let condition = self.determined[&id];
            let name = self.definitions[condition].name.clone();
            let kind = TermKind::Defined(condition, name, arguments.to_vec());
            return vec![Term { kind, ty: Type::Bool, span: whole.span }];
        }
        let Some(body) = self.definitions[id].body.clone() else { return Vec::new() };
        if self.depth >= DEFINITION_DEPTH {
            return Vec::new();
        }
        // A plain definition uses others for its arguments.
        let body = of_arguments(&parameters, &body);
        self.depth += 1;
        let conditions = self.determining(&body, about);
        self.depth -= 1;
        conditions
    }
}

/// A condition that matters where others hold.
fn under(others: &[Term], condition: Term) -> Term {
    if others.is_empty() {
        return condition;
    }
    let met = Term::theory(Theory::And, "and", others.to_vec(), Type::Bool);
    // One condition over another is one.
    let (met, condition) = match condition.kind {
        TermKind::Theory(Theory::Implies, _, sides) => {
            let [inner, condition] = [sides[0].clone(), sides[1].clone()];
            (Term::theory(Theory::And, "and", vec![met, inner], Type::Bool), condition)
        }
        kind => (met, Term { kind, ..condition }),
    };
    Term::theory(Theory::Implies, "implies", vec![met, condition], Type::Bool)
}

/// A condition for all values of the variables that it mentions.
fn for_all(binders: &[(String, Type)], condition: Term) -> Term {
    let mut mentioned = false;
    condition.each(&mut |term| {
        mentioned |= matches!(&term.kind, TermKind::Bound(name) if binders.iter().any(|(known, _)| known == name));
    });
    if !mentioned {
        return condition;
    }
    let span = condition.span;
    let kind = TermKind::Quantified(Quantifier::All, binders.to_vec(), Box::new(condition));
    Term { kind, ty: Type::Bool, span }
}

//! Definitions. One that is defined by induction becomes one that is defined in terms of itself.

use super::Elaborator;
use crate::scope::{MathDefinition, Meaning, Scope};
use crate::syntax::{Body, Definition, Exp, ExpKind};
use crate::term::{Term, TermKind};
use crate::theory::Theory;
use crate::types::Type;

/// When a pattern matches, and the meaning of its names then.
type Match = (Vec<Term>, Vec<(String, Term)>);

impl Elaborator<'_> {
    /// Adds a definition to a scope.
    pub(crate) fn define(&mut self, definition: &Definition, scope: &mut Scope) {
        let mut inner = scope.clone();
        let mut parameters = Vec::new();
        for (name, ty) in &definition.parameters {
            let ty = self.math_type(ty, scope);
            inner.values.insert(name.text.clone(), Meaning::Bound(ty.clone()));
            parameters.push((name.text.clone(), ty));
        }
        let result = self.math_type(&definition.result, scope);
        let id = self.definitions.len();
        let name = definition.name.text.clone();
        self.definitions.push(MathDefinition {
            name: name.clone(),
            parameters: parameters.clone(),
            result: result.clone(),
            body: None,
            holds: None,
            span: definition.name.span,
        });
        scope.values.insert(name.clone(), Meaning::Defined(id));
        inner.values.insert(name, Meaning::Defined(id));
        let body = match &definition.body {
            Body::Open => None,
            Body::Implicit(condition) => {
                let condition = self.formula(condition, &inner, &Type::Bool);
                self.definitions[id].holds = Some(condition);
                None
            }
            Body::Is(body) => Some(self.formula(body, &inner, &result)),
            Body::Inductive(cases) => self.induction(cases, &parameters, &inner),
        };
        self.definitions[id].body = body;
    }

    /// Cases `f(x, 0) = a` and `f(x, n + 1) = b`, or `f(Empty_String) = a` and `f(<x> o s) = b`, as one
    /// value.
    fn induction(
        &mut self,
        cases: &[Exp],
        parameters: &[(String, Type)],
        scope: &Scope,
    ) -> Option<Term> {
        let mut value: Option<Term> = None;
        for case in cases.iter().rev() {
            let ExpKind::Binary(operator, head, body) = &case.kind else { return self.odd(case) };
            let ExpKind::Call(_, arguments) = &head.kind else { return self.odd(case) };
            if operator != "=" || arguments.len() != parameters.len() {
                return self.odd(case);
            }
            let mut inner = scope.clone();
            let mut conditions = Vec::new();
            let mut bindings: Vec<(String, Term)> = Vec::new();
            for (argument, (name, ty)) in arguments.iter().zip(parameters) {
                let parameter =
                    Term { kind: TermKind::Bound(name.clone()), ty: ty.clone(), span: case.span };
                match self.pattern(argument, &parameter, scope) {
                    Some((condition, names)) => {
                        conditions.extend(condition);
                        for (name, term) in names {
                            inner.values.insert(name.clone(), Meaning::Bound(term.ty.clone()));
                            bindings.push((name, term));
                        }
                    }
                    None => return self.odd(argument),
                }
            }
            let body = self.term(body, &inner).replace(&|term| match &term.kind {
                TermKind::Bound(name) => {
                    bindings.iter().find(|(known, _)| known == name).map(|(_, term)| term.clone())
                }
                _ => None,
            });
            value = Some(match (value, conditions.len()) {
                // Nothing may be relied on where no case applies; the last case covers it.
                (None, _) | (_, 0) => body,
                (Some(otherwise), _) => {
                    let condition = Term::theory(Theory::And, "and", conditions, Type::Bool);
                    let ty = body.ty.meet(&otherwise.ty);
                    Term::theory(Theory::Choice, "if", vec![condition, body, otherwise], ty)
                }
            });
        }
        value
    }

    fn odd(&mut self, exp: &Exp) -> Option<Term> {
        self.diagnostics.note(
            exp.span,
            "this case of an induction is not understood, so the definition is open",
        );
        None
    }

    /// When an argument of the head of a case matches a parameter, and the meaning of its names then.
    fn pattern(&mut self, argument: &Exp, parameter: &Term, scope: &Scope) -> Option<Match> {
        let span = argument.span;
        let number = |value: i64| Term::number(value, span);
        let names = |name: &str, term: Term| vec![(name.to_owned(), term)];
        let before =
            || Term::theory(Theory::Subtract, "-", vec![parameter.clone(), number(1)], Type::Nat);
        let between = |from: Term, to: Term| {
            let arguments = vec![from, to, parameter.clone()];
            Term::theory(Theory::Between, "Prt_Btwn", arguments, parameter.ty.clone())
        };
        let length = || Term::theory(Theory::Length, "| |", vec![parameter.clone()], Type::Nat);
        let entry = |string: Term| {
            let ty = match &parameter.ty {
                Type::Str(entry) => (**entry).clone(),
                _ => Type::Unknown,
            };
            Term::theory(Theory::Entry, "DeString", vec![string], ty)
        };
        match &argument.kind {
            ExpKind::Number(_) => {
                let value = self.term(argument, scope);
                Some((vec![Term::equal(parameter.clone(), value)], Vec::new()))
            }
            ExpKind::Name(name) if crate::theory::constant(name).is_some() => {
                let value = self.term(argument, scope);
                Some((vec![Term::equal(parameter.clone(), value)], Vec::new()))
            }
            ExpKind::Name(name) => Some((Vec::new(), names(name, parameter.clone()))),
            // `n + 1`, `suc(n)`.
            ExpKind::Binary(plus, left, right) if plus == "+" => match (&left.kind, &right.kind) {
                (ExpKind::Name(name), ExpKind::Number(one))
                | (ExpKind::Number(one), ExpKind::Name(name))
                    if one == "1" =>
                {
                    Some((Vec::new(), names(name, before())))
                }
                _ => None,
            },
            // `<x> o s` and `s o <x>`.
            ExpKind::Binary(_, left, right) => match (&left.kind, &right.kind) {
                (ExpKind::Sequence(first), ExpKind::Name(rest)) => {
                    let ExpKind::Name(first) = &first.first()?.kind else { return None };
                    let mut all = names(first, entry(between(number(0), number(1))));
                    all.extend(names(rest, between(number(1), length())));
                    Some((Vec::new(), all))
                }
                (ExpKind::Name(rest), ExpKind::Sequence(last)) => {
                    let ExpKind::Name(last) = &last.first()?.kind else { return None };
                    let end =
                        Term::theory(Theory::Subtract, "-", vec![length(), number(1)], Type::Nat);
                    let mut all = names(last, entry(between(end.clone(), length())));
                    all.extend(names(rest, between(number(0), end)));
                    Some((Vec::new(), all))
                }
                _ => None,
            },
            ExpKind::Call(callee, arguments) => {
                let ExpKind::Name(callee) = &callee.kind else { return None };
                match (callee.to_lowercase().as_str(), arguments.as_slice()) {
                    ("suc", [one]) => {
                        let ExpKind::Name(name) = &one.kind else { return None };
                        Some((Vec::new(), names(name, before())))
                    }
                    ("ext", [rest, last]) => {
                        let ExpKind::Name(rest) = &rest.kind else { return None };
                        let ExpKind::Name(last) = &last.kind else { return None };
                        let end = Term::theory(
                            Theory::Subtract,
                            "-",
                            vec![length(), number(1)],
                            Type::Nat,
                        );
                        let mut all = names(last, entry(between(end.clone(), length())));
                        all.extend(names(rest, between(number(0), end)));
                        Some((Vec::new(), all))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

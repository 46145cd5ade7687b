//! Functions that no module declares: abbreviations of what theories have, and functions of which nothing
//! is known, whose types are those of the places where they stand.

use ir::Span;

use super::Elaborator;
use crate::scope::{MathDefinition, Scope};
use crate::syntax::{Exp, ExpKind, Name, TypeExp};
use crate::term::{Quantifier, Term, TermKind};
use crate::theory::{self, Theory};
use crate::types::Type;

/// Whether a function of this name and number of arguments is an abbreviation.
pub(super) fn is_abbreviation(name: &str, arguments: usize) -> bool {
    matches!(
        (name.to_lowercase().as_str(), arguments),
        ("substring", 3) | ("element_at", 2) | ("suc" | "is_even" | "is_odd", 1)
    )
}

impl Elaborator<'_> {
    /// The arguments of an unknown function. An unknown name among them is likely one of its theory.
    pub(super) fn arguments_of_unknown(&mut self, arguments: &[Exp], scope: &Scope) -> Vec<Term> {
        let one = |exp: &Exp| match &exp.kind {
            ExpKind::Name(name)
                if !scope.values.contains_key(name) && theory::constant(name).is_none() =>
            {
                let message =
                    format!("nothing is known of `{name}`, and what needs it is not decided");
                self.diagnostics.note(exp.span, message);
                let kind = TermKind::Unsupported(format!("`{name}`"));
                Term { kind, ty: Type::Unknown, span: exp.span }
            }
            _ => self.term(exp, scope),
        };
        arguments.iter().map(one).collect()
    }

    /// The definition of a theory function in terms of others. `Substring(s, from, count)` counts from zero,
    /// `Element_At(i, s)` from one.
    pub(super) fn abbreviated(
        &mut self,
        name: &str,
        arguments: &[Term],
        span: Span,
    ) -> Option<Term> {
        let one = Term::number(1, span);
        match (name.to_lowercase().as_str(), arguments) {
            ("substring", [string, from, count]) => {
                let to = self.apply(Theory::Add, "+", vec![from.clone(), count.clone()], span);
                let arguments = vec![from.clone(), to, string.clone()];
                Some(self.apply(Theory::Between, "Prt_Btwn", arguments, span))
            }
            ("element_at", [at, string]) => {
                let before = self.apply(Theory::Subtract, "-", vec![at.clone(), one], span);
                let arguments = vec![before, at.clone(), string.clone()];
                let part = self.apply(Theory::Between, "Prt_Btwn", arguments, span);
                Some(self.apply(Theory::Entry, "DeString", vec![part], span))
            }
            ("suc", [number]) => {
                Some(self.apply(Theory::Add, "+", vec![number.clone(), one], span))
            }
            ("is_even" | "is_odd", [number]) => {
                let two = Term::number(2, span);
                let rest = self.apply(Theory::Modulo, "mod", vec![number.clone(), two], span);
                let wanted = if name.eq_ignore_ascii_case("is_odd") { 1 } else { 0 };
                let wanted = Term::number(wanted, span);
                Some(self.apply(Theory::Equal, "=", vec![rest, wanted], span))
            }
            _ => None,
        }
    }

    /// There are values of which something holds, and it holds of no others.
    pub(super) fn unique(
        &mut self,
        binders: &[(Name, TypeExp)],
        body: &Exp,
        span: Span,
        scope: &Scope,
    ) -> Term {
        let (binders, inner) = self.bind(binders, scope);
        let body = self.formula(body, &inner, &Type::Bool);
        let other = |name: &str| format!("{name}'");
        let bound =
            |name: String, ty: &Type| Term { kind: TermKind::Bound(name), ty: ty.clone(), span };
        let others = body.replace(&|term| match &term.kind {
            TermKind::Bound(name) if binders.iter().any(|(known, _)| known == name) => {
                Some(bound(other(name), &term.ty))
            }
            _ => None,
        });
        let same = binders
            .iter()
            .map(|(name, ty)| Term::equal(bound(other(name), ty), bound(name.clone(), ty)));
        let same = Term::theory(Theory::And, "and", same.collect(), Type::Bool);
        let only = Term::theory(Theory::Implies, "implies", vec![others, same], Type::Bool);
        let renamed = binders.iter().map(|(name, ty)| (other(name), ty.clone())).collect();
        let quantified = |quantifier: Quantifier, binders: Vec<(String, Type)>, body: Term| Term {
            kind: TermKind::Quantified(quantifier, binders, Box::new(body)),
            ty: Type::Bool,
            span,
        };
        let only = quantified(Quantifier::All, renamed, only);
        let body = Term::theory(Theory::And, "and", vec![body, only], Type::Bool);
        quantified(Quantifier::Some, binders, body)
    }

    /// A function of which nothing is known: one for each choice of the types of its arguments.
    pub(super) fn any_function(&mut self, name: &str, arguments: Vec<Term>, span: Span) -> Term {
        let message = format!("nothing is known of the function `{name}`, so it may be any");
        self.diagnostics.note(span, message);
        let parameters: Vec<(String, Type)> = arguments
            .iter()
            .enumerate()
            .map(|(number, argument)| (format!("x{number}"), argument.ty.clone()))
            .collect();
        let known = self.definitions.iter().position(|defined| {
            defined.name == name && defined.body.is_none() && defined.parameters == parameters
        });
        let id = known.unwrap_or_else(|| {
            // A name that reads like a predicate is one.
            let is_question = name.starts_with("Is_") || name.starts_with("Are_");
            let result = if is_question { Type::Bool } else { Type::Unknown };
            self.definitions.push(MathDefinition {
                name: name.to_owned(),
                parameters,
                result,
                body: None,
                holds: None,
                span,
            });
            self.definitions.len() - 1
        });
        let ty = self.definitions[id].result.clone();
        Term { kind: TermKind::Defined(id, name.to_owned(), arguments), ty, span }
    }

    /// Gives a function of which nothing is known the type that is wanted where it stands.
    pub(super) fn settle(&mut self, term: &mut Term, wanted: &Type) {
        let TermKind::Defined(id, _, _) = &term.kind else { return };
        if term.ty == Type::Unknown {
            let result = &mut self.definitions[*id].result;
            *result = result.meet(wanted);
            term.ty = result.clone();
        }
    }

    /// Gives such functions among the arguments of a function of a theory the types that it wants.
    pub(super) fn settle_all(&mut self, function: Theory, arguments: &mut [Term]) {
        use Theory as T;
        match function {
            T::And | T::Or | T::Not | T::Implies | T::Iff => {
                arguments.iter_mut().for_each(|one| self.settle(one, &Type::Bool));
            }
            T::Less
            | T::LessOrEqual
            | T::Greater
            | T::GreaterOrEqual
            | T::Add
            | T::Subtract
            | T::Negate
            | T::Multiply
            | T::Divide
            | T::Modulo
            | T::Power
            | T::Absolute
            | T::Maximum
            | T::Minimum => arguments.iter_mut().for_each(|one| self.settle(one, &Type::Int)),
            T::Equal
            | T::NotEqual
            | T::Concatenate
            | T::Union
            | T::Intersection
            | T::Difference
            | T::Subset
            | T::NotSubset
            | T::IsPermutation
            | T::IsPrefix
            | T::IsSuffix
            | T::IsSubstring
            | T::IsNotSubstring => {
                let joined = arguments.iter().fold(Type::Unknown, |all, one| all.meet(&one.ty));
                let name = arguments.iter().find_map(|one| match &one.kind {
                    TermKind::Defined(_, name, _) => Some(name.clone()),
                    _ => None,
                });
                // Values that are only compared with each other need only be distinguishable.
                let wanted = match (joined, name, function) {
                    (Type::Unknown, Some(name), T::Equal | T::NotEqual) => {
                        Type::Atom(format!("{name} value"))
                    }
                    (joined, _, _) => joined,
                };
                arguments.iter_mut().for_each(|one| self.settle(one, &wanted));
            }
            T::StringOf
            | T::EmptyString
            | T::Length
            | T::Reverse
            | T::Between
            | T::Entry
            | T::Iterate
            | T::Sum
            | T::Product
            | T::Occurrences
            | T::SetOf
            | T::EmptySet
            | T::Member
            | T::NotMember
            | T::Cardinality
            | T::Choice
            | T::Apply
            | T::Changed
            | T::IsTotalPreordering
            | T::IsConformal
            | T::IsUniversallyRelated => {}
        }
    }
}

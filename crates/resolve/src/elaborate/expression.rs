//! Expressions of specifications.

use ir::Span;
use num_bigint::BigInt;

use super::{Elaborator, function};
use crate::scope::{Meaning, Scope};
use crate::syntax::{Exp, ExpKind, Name, TypeExp};
use crate::term::{Term, TermKind, TimePoint};
use crate::theory::{self, Theory};
use crate::types::Type;

impl Elaborator<'_> {
    /// A term that has to have a type.
    pub(crate) fn formula(&mut self, exp: &Exp, scope: &Scope, wanted: &Type) -> Term {
        let mut term = self.term(exp, scope);
        self.settle(&mut term, wanted);
        if !term.ty.agrees(wanted) {
            let message = format!("expected {wanted}, found {}", term.ty);
            self.diagnostics.error(exp.span, message);
        }
        term
    }

    /// A term.
    pub(crate) fn term(&mut self, exp: &Exp, scope: &Scope) -> Term {
        let span = exp.span;
        match &exp.kind {
            ExpKind::Name(name) => self.named(name, span, scope, TimePoint::Now),
            ExpKind::Qualified(facility, name) => {
                let name = format!("{}::{}", facility.text, name.text);
                self.named(&name, span, scope, TimePoint::Now)
            }
            ExpKind::Old(inner) => match &inner.kind {
                ExpKind::Name(name) => self.named(name, span, scope, TimePoint::Old),
                ExpKind::Qualified(facility, name) => self.named(
                    &format!("{}::{}", facility.text, name.text),
                    span,
                    scope,
                    TimePoint::Old,
                ),
                _ => self.unsupported(span, "the incoming value of what is no variable"),
            },
            ExpKind::Number(digits) => {
                let value: BigInt = digits.parse().unwrap_or_default();
                Term { kind: TermKind::Number(value), ty: Type::Nat, span }
            }
            ExpKind::Text(text) => {
                let ty = if text.chars().count() == 1 { "Character" } else { "Char_Str" };
                let ty = scope.types.get(ty).map_or(Type::Unknown, |ty| ty.model.clone());
                Term { kind: TermKind::Constant(format!("\"{text}\"")), ty, span }
            }
            ExpKind::Unary(operator, inner) => {
                let inner = self.term(inner, scope);
                let function = if *operator == "-" { Theory::Negate } else { Theory::Not };
                self.apply(function, operator, vec![inner], span)
            }
            ExpKind::Binary(operator, left, right) => {
                let (left, right) = (self.term(left, scope), self.term(right, scope));
                self.combine(operator, left, right, span)
            }
            ExpKind::Length(inner) => {
                let inner = self.term(inner, scope);
                let function = match inner.ty {
                    Type::Set(_) => Theory::Cardinality,
                    Type::Int | Type::Nat => Theory::Absolute,
                    _ => Theory::Length,
                };
                self.apply(function, "| |", vec![inner], span)
            }
            ExpKind::Norm(inner) => {
                let inner = self.term(inner, scope);
                let is_string = matches!(inner.ty, Type::Str(_));
                let function = if is_string { Theory::Length } else { Theory::Cardinality };
                self.apply(function, "|| ||", vec![inner], span)
            }
            ExpKind::Sequence(items) => {
                let items = self.terms(items, scope);
                self.apply(Theory::StringOf, "< >", items, span)
            }
            ExpKind::Set(items) => {
                let items = self.terms(items, scope);
                let function = if items.is_empty() { Theory::EmptySet } else { Theory::SetOf };
                self.apply(function, "{ }", items, span)
            }
            ExpKind::Tuple(items) => {
                let items = self.terms(items, scope);
                let parts = items.iter().enumerate();
                let ty = parts.map(|(number, item)| ((number + 1).to_string(), item.ty.clone()));
                Term { ty: Type::Product(ty.collect()), kind: TermKind::Tuple(items), span }
            }
            ExpKind::Call(callee, arguments) => self.call(callee, arguments, span, scope),
            ExpKind::Field(inner, name) => self.field(inner, name, span, scope),
            ExpKind::Index(inner, index) => {
                let arguments = vec![self.term(inner, scope), self.term(index, scope)];
                self.apply(Theory::Apply, "", arguments, span)
            }
            ExpKind::If(condition, then, otherwise) => {
                let condition = self.formula(condition, scope, &Type::Bool);
                let then = self.term(then, scope);
                match otherwise {
                    None => self.combine("implies", condition, then, span),
                    Some(otherwise) => {
                        let otherwise = self.term(otherwise, scope);
                        self.apply(Theory::Choice, "if", vec![condition, then, otherwise], span)
                    }
                }
            }
            ExpKind::Cases(cases, otherwise) => {
                let mut value = match otherwise {
                    Some(otherwise) => self.term(otherwise, scope),
                    None => self.unsupported(span, "cases without `otherwise`"),
                };
                for (then, condition) in cases.iter().rev() {
                    let condition = self.formula(condition, scope, &Type::Bool);
                    let then = self.term(then, scope);
                    value = self.apply(Theory::Choice, "if", vec![condition, then, value], span);
                }
                value
            }
            ExpKind::Quantified(quantifier, binders, body) => {
                let (binders, inner) = self.bind(binders, scope);
                let body = self.formula(body, &inner, &Type::Bool);
                let kind = TermKind::Quantified(*quantifier, binders, Box::new(body));
                Term { kind, ty: Type::Bool, span }
            }
            ExpKind::Lambda(binders, body) => {
                let (binders, inner) = self.bind(binders, scope);
                let body = self.term(body, &inner);
                let from = binders.iter().map(|(_, ty)| ty.clone()).collect();
                let ty = Type::Function(from, Box::new(body.ty.clone()));
                Term { kind: TermKind::Lambda(binders, Box::new(body)), ty, span }
            }
            ExpKind::Comprehension(binders, condition) => {
                let (binders, inner) = self.bind(binders, scope);
                let body = self.formula(condition, &inner, &Type::Bool);
                let entry = binders.first().map_or(Type::Unknown, |(_, ty)| ty.clone());
                let ty = Type::Set(Box::new(entry));
                Term { kind: TermKind::Lambda(binders, Box::new(body)), ty, span }
            }
            ExpKind::Unique(binders, body) => self.unique(binders, body, span, scope),
            ExpKind::Iterated(word, binder, condition, body) => {
                self.iterated(word, binder, condition.as_deref(), body, scope, span)
            }
        }
    }

    fn terms(&mut self, exps: &[Exp], scope: &Scope) -> Vec<Term> {
        exps.iter().map(|exp| self.term(exp, scope)).collect()
    }

    pub(super) fn bind(
        &mut self,
        binders: &[(Name, TypeExp)],
        scope: &Scope,
    ) -> (Vec<(String, Type)>, Scope) {
        let mut inner = scope.clone();
        let mut bound = Vec::new();
        for (name, ty) in binders {
            let ty = self.math_type(ty, scope);
            inner.values.insert(name.text.clone(), Meaning::Bound(ty.clone()));
            bound.push((name.text.clone(), ty));
        }
        (bound, inner)
    }

    /// A function of a theory, its types checked.
    pub(crate) fn apply(
        &mut self,
        function: Theory,
        spelt: &str,
        mut arguments: Vec<Term>,
        span: Span,
    ) -> Term {
        self.settle_all(function, &mut arguments);
        let types: Vec<Type> = arguments.iter().map(|argument| argument.ty.clone()).collect();
        let ty = theory::result(function, &types).unwrap_or_else(|message| {
            self.diagnostics.error(span, message);
            Type::Unknown
        });
        Term { kind: TermKind::Theory(function, spelt.to_owned(), arguments), ty, span }
    }

    pub(crate) fn combine(&mut self, operator: &str, left: Term, right: Term, span: Span) -> Term {
        match theory::operator(operator, &left.ty, &right.ty) {
            Some(function) => self.apply(function, operator, vec![left, right], span),
            None => self.unsupported(span, &format!("the operator `{operator}`")),
        }
    }

    /// Something that is read but has no meaning here. It is noted, and what rests on it is not decided.
    pub(crate) fn unsupported(&mut self, span: Span, what: &str) -> Term {
        self.diagnostics
            .note(span, format!("{what} is not supported, and what needs it is not decided"));
        Term { kind: TermKind::Unsupported(what.to_owned()), ty: Type::Unknown, span }
    }

    fn named(&mut self, name: &str, span: Span, scope: &Scope, when: TimePoint) -> Term {
        match scope.values.get(name) {
            Some(Meaning::Variable(ty)) => Term::variable(name, when, ty.model.clone(), span),
            Some(Meaning::Bound(ty)) => {
                Term { kind: TermKind::Bound(name.to_owned()), ty: ty.clone(), span }
            }
            Some(Meaning::Constant(ty)) => {
                Term { kind: TermKind::Constant(name.to_owned()), ty: ty.clone(), span }
            }
            Some(Meaning::Is(term)) => Term { span, ..term.clone() },
            Some(Meaning::Defined(id)) => {
                let defined = &self.definitions[*id];
                let kind = TermKind::Defined(*id, defined.name.clone(), Vec::new());
                let ty = match defined.parameters.as_slice() {
                    [] => defined.result.clone(),
                    parameters => {
                        let from = parameters.iter().map(|(_, ty)| ty.clone()).collect();
                        Type::Function(from, Box::new(defined.result.clone()))
                    }
                };
                Term { kind, ty, span }
            }
            None => self.unknown_name(name, span),
        }
    }

    fn unknown_name(&mut self, name: &str, span: Span) -> Term {
        match name.to_lowercase().as_str() {
            "true" => return Term::truth(span),
            "false" => return Term { kind: TermKind::Truth(false), ..Term::truth(span) },
            _ => {}
        }
        if let Some(constant) = theory::constant(name) {
            return self.apply(constant, name, Vec::new(), span);
        }
        self.diagnostics.error(span, format!("unknown name `{name}`"));
        Term { kind: TermKind::Constant(name.to_owned()), ty: Type::Unknown, span }
    }

    fn call(&mut self, callee: &Exp, arguments: &[Exp], span: Span, scope: &Scope) -> Term {
        // `Entry.Is_Initial(x)` states of a value what holds of declared variables.
        if let ExpKind::Field(ty, field) = &callee.kind
            && let ExpKind::Name(name) = &ty.kind
            && field.text.eq_ignore_ascii_case("is_initial")
            && let Some(ty) = scope.types.get(name).cloned()
        {
            let arguments = self.terms(arguments, scope);
            let Some(value) = arguments.into_iter().next() else {
                return self.unsupported(span, "`Is_Initial` without a value");
            };
            let begins = ty.begins(&value);
            return match begins.len() {
                0 => Term::truth(span),
                _ => Term { span, ..Term::theory(Theory::And, "and", begins, Type::Bool) },
            };
        }
        let name = match &callee.kind {
            ExpKind::Name(name) => Some(name.clone()),
            ExpKind::Qualified(_, name) => Some(name.text.clone()),
            _ => None,
        };
        if let Some(name) = name
            && !scope.values.contains_key(&name)
        {
            return self.call_theory(&name, arguments, span, scope);
        }
        let function = self.term(callee, scope);
        let mut arguments = self.terms(arguments, scope);
        if let TermKind::Defined(id, name, given) = &function.kind
            && given.is_empty()
            && let Type::Function(from, to) = &function.ty
        {
            if from.len() != arguments.len() {
                let message =
                    format!("`{name}` takes {} arguments, not {}", from.len(), arguments.len());
                self.diagnostics.error(span, message);
            } else if let Some((argument, wanted)) =
                arguments.iter().zip(from).find(|(argument, wanted)| !argument.ty.agrees(wanted))
            {
                let message = format!("expected {wanted}, found {}", argument.ty);
                self.diagnostics.error(argument.span, message);
            }
            let kind = TermKind::Defined(*id, name.clone(), arguments);
            return Term { kind, ty: (**to).clone(), span };
        }
        arguments.insert(0, function);
        self.apply(Theory::Apply, "", arguments, span)
    }

    fn call_theory(&mut self, name: &str, arguments: &[Exp], span: Span, scope: &Scope) -> Term {
        let is_known = theory::function(name, arguments.len()).is_some()
            || function::is_abbreviation(name, arguments.len());
        let arguments = match is_known {
            true => self.terms(arguments, scope),
            false => self.arguments_of_unknown(arguments, scope),
        };
        if let Some(function) = theory::function(name, arguments.len()) {
            return self.apply(function, name, arguments, span);
        }
        if let Some(part) = self.abbreviated(name, &arguments, span) {
            return part;
        }
        self.any_function(name, arguments, span)
    }

    fn field(&mut self, inner: &Exp, name: &Name, span: Span, scope: &Scope) -> Term {
        // `Conc.S` is the abstract value of a realized variable; `Fac.Name` is the facility's name.
        if let ExpKind::Name(qualifier) = &inner.kind {
            let whole = format!("{qualifier}.{}", name.text);
            let facility = format!("{qualifier}::{}", name.text);
            for known in [&whole, &facility] {
                if scope.values.contains_key(known) {
                    return self.named(known, span, scope, TimePoint::Now);
                }
            }
        }
        let inner = self.term(inner, scope);
        match (inner.ty.field(&name.text), &inner.ty) {
            (Some((number, ty)), _) => {
                let ty = ty.clone();
                Term { kind: TermKind::Field(Box::new(inner), number), ty, span }
            }
            (None, Type::Unknown) => Term {
                kind: TermKind::Unsupported(format!("`.{}`", name.text)),
                ty: Type::Unknown,
                span,
            },
            (None, ty) => {
                let message = format!("{ty} has no part `{}`", name.text);
                self.diagnostics.error(name.span, message);
                Term { kind: TermKind::Unsupported(name.text.clone()), ty: Type::Unknown, span }
            }
        }
    }
}

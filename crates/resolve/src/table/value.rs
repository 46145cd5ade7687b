//! Expressions of programs in the current state, and what is assigned or swapped.

use std::collections::BTreeSet;

use ir::{AssertKind, Span};

use super::AssumptionReason;
use super::build::Builder;
use super::call::operation_name;
use super::loops::at_state;
use crate::scope::{Meaning, ProgramType};
use crate::syntax::{Exp, ExpKind};
use crate::term::{Term, TermKind};
use crate::theory::Theory;
use crate::types::Type;

/// A variable, or a part of its value.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) variable: String,
    pub(super) steps: Vec<Step>,
}

/// One step into a value.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Field(usize),
    Index(Term),
}

impl Builder<'_, '_> {
    /// A condition, over the state that is current.
    pub(super) fn condition(&mut self, exp: &Exp) -> Term {
        let term = self.value(exp);
        if !term.ty.agrees(&Type::Bool) {
            self.elaborator
                .diagnostics
                .error(exp.span, format!("expected a truth value, found {}", term.ty));
        }
        term
    }

    /// The value of an expression in the current state. What it calls is confirmed to be allowed.
    pub(super) fn value(&mut self, exp: &Exp) -> Term {
        let span = exp.span;
        match &exp.kind {
            ExpKind::Name(name)
                if matches!(self.scope.values.get(name), Some(Meaning::Variable(_))) =>
            {
                self.at(name, self.state, span)
            }
            ExpKind::Call(callee, arguments) => {
                let name = operation_name(callee);
                match name.filter(|name| self.scope.operations.contains_key(name)) {
                    Some(name) => self.function_value(&name, arguments, span),
                    None => self.mathematics(exp),
                }
            }
            ExpKind::Binary(operator, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                if matches!(operator.as_str(), "/" | "div" | "mod" | "rem") {
                    let zero = Term::number(0, span);
                    let arguments = vec![right.clone(), zero];
                    let nonzero = Term::theory(Theory::NotEqual, "/=", arguments, Type::Bool);
                    self.confirm(&nonzero, AssertKind::DivisionByZero, "the divisor", span);
                }
                self.elaborator.combine(operator, left, right, span)
            }
            ExpKind::Unary(operator, inner) => {
                let inner = self.value(inner);
                let function = if *operator == "-" { Theory::Negate } else { Theory::Not };
                self.elaborator.apply(function, operator, vec![inner], span)
            }
            ExpKind::Index(inner, index) => {
                let array = self.value(inner);
                let index = self.value(index);
                if let Some((low, high)) = self.indices(inner) {
                    self.owe_index(&index, low, high, span);
                }
                self.elaborator.apply(Theory::Apply, "", vec![array, index], span)
            }
            _ => self.mathematics(exp),
        }
    }

    /// An expression without calls, over the state that is current.
    fn mathematics(&mut self, exp: &Exp) -> Term {
        let scope = self.scope.clone();
        let term = self.elaborator.term(exp, &scope);
        at_state(&term, self.state, self.remembered)
    }

    /// The program type of a variable or a part of one.
    fn program_type_of(&self, exp: &Exp) -> Option<std::rc::Rc<ProgramType>> {
        match &exp.kind {
            ExpKind::Name(name) => {
                self.variables.iter().find(|(known, _)| known == name).map(|(_, ty)| ty.clone())
            }
            ExpKind::Field(inner, field) => {
                let ty = self.program_type_of(inner)?;
                let (number, _) = ty.model.field(&field.text)?;
                ty.parts.get(number).cloned()
            }
            ExpKind::Index(inner, _) => self.program_type_of(inner)?.parts.first().cloned(),
            _ => None,
        }
    }

    /// The indices of an array in the current state.
    fn indices(&self, exp: &Exp) -> Option<(Term, Term)> {
        self.program_type_of(exp)?.indices.clone()
    }

    fn owe_index(&mut self, index: &Term, low: Term, high: Term, span: Span) {
        for sides in [vec![low, index.clone()], vec![index.clone(), high]] {
            let within = Term::theory(Theory::LessOrEqual, "<=", sides, Type::Bool);
            self.confirm(&within, AssertKind::OutOfBounds, "the bound of the index", span);
        }
    }

    /// The lvalue of an expression, if it is one.
    pub(super) fn target(&mut self, exp: &Exp) -> Option<Target> {
        match &exp.kind {
            ExpKind::Name(name) => {
                let is_variable = self.variables.iter().any(|(known, _)| known == name);
                is_variable.then(|| Target { variable: name.clone(), steps: Vec::new() })
            }
            ExpKind::Field(inner, field) => {
                let mut target = self.target(inner)?;
                let ty = self.program_type_of(inner)?;
                target.steps.push(Step::Field(ty.model.field(&field.text)?.0));
                Some(target)
            }
            ExpKind::Index(inner, index) => {
                let mut target = self.target(inner)?;
                target.steps.push(Step::Index(self.value(index)));
                Some(target)
            }
            _ => None,
        }
    }

    /// Assumes that a part of a variable has a new value and the rest of it its old one.
    pub(super) fn assume_written(
        &mut self,
        target: &Target,
        (before, after): (u32, u32),
        value: Term,
        span: Span,
    ) {
        let old = self.at(&target.variable, before, span);
        let new = self.at(&target.variable, after, span);
        let whole = written(&old, &target.steps, value);
        self.assume_same(new, whole);
    }

    /// Assumes that a variable has a value; of a product that is spelt out, part by part.
    fn assume_same(&mut self, variable: Term, value: Term) {
        match (&value.kind, &variable.ty) {
            (TermKind::Tuple(parts), Type::Product(fields)) => {
                for (number, (part, (_, ty))) in parts.iter().zip(fields).enumerate() {
                    let kind = TermKind::Field(Box::new(variable.clone()), number);
                    let field = Term { kind, ty: ty.clone(), span: variable.span };
                    self.assume(Term::equal(field, part.clone()), AssumptionReason::Stated);
                }
            }
            _ => self.assume(Term::equal(variable, value), AssumptionReason::Stated),
        }
    }

    pub(super) fn assign(
        &mut self,
        target: &Exp,
        value: &Exp,
        text: &str,
        span: Span,
    ) -> Option<usize> {
        let value = self.value(value);
        let place = self.place(target)?;
        let wanted = self.value(target).ty;
        if !value.ty.agrees(&wanted) {
            self.elaborator
                .diagnostics
                .error(span, format!("expected {wanted}, found {}", value.ty));
        }
        let before = self.state;
        let changes = BTreeSet::from([place.variable.clone()]);
        let row = self.advance(text, &changes, span);
        let after = self.state;
        self.assume_written(&place, (before, after), value, span);
        Some(row)
    }

    pub(super) fn swap(
        &mut self,
        left: &Exp,
        right: &Exp,
        text: &str,
        span: Span,
    ) -> Option<usize> {
        let (value_left, value_right) = (self.value(left), self.value(right));
        let (place_left, place_right) = (self.place(left)?, self.place(right)?);
        if !value_left.ty.agrees(&value_right.ty) {
            let message = format!("{} and {} cannot be swapped", value_left.ty, value_right.ty);
            self.elaborator.diagnostics.error(span, message);
        }
        let before = self.state;
        let changes = BTreeSet::from([place_left.variable.clone(), place_right.variable.clone()]);
        let row = self.advance(text, &changes, span);
        let after = self.state;
        if place_left.variable == place_right.variable {
            let old = self.at(&place_left.variable, before, span);
            let new = self.at(&place_left.variable, after, span);
            let once = written(&old, &place_left.steps, value_right);
            let twice = written(&once, &place_right.steps, value_left);
            self.assume_same(new, twice);
        } else {
            self.assume_written(&place_left, (before, after), value_right, span);
            self.assume_written(&place_right, (before, after), value_left, span);
        }
        Some(row)
    }

    fn place(&mut self, exp: &Exp) -> Option<Target> {
        let place = self.target(exp);
        if place.is_none() {
            self.elaborator.diagnostics.error(exp.span, "expected a variable");
            self.unsupported("a value that goes nowhere", exp.span);
        }
        place
    }
}

/// A value with a part of it changed.
fn written(old: &Term, steps: &[Step], value: Term) -> Term {
    match steps {
        [] => value,
        [Step::Field(field), rest @ ..] => {
            let Type::Product(fields) = &old.ty else { return value };
            let part = |number: usize| match &old.kind {
                TermKind::Tuple(parts) => parts[number].clone(),
                _ => Term {
                    kind: TermKind::Field(Box::new(old.clone()), number),
                    ty: fields[number].1.clone(),
                    span: old.span,
                },
            };
            let mut parts: Vec<Term> = (0..fields.len()).map(part).collect();
            parts[*field] = written(&parts[*field], rest, value);
            Term { kind: TermKind::Tuple(parts), ty: old.ty.clone(), span: old.span }
        }
        [Step::Index(index), rest @ ..] => {
            let entry = match &old.ty {
                Type::Function(_, to) => (**to).clone(),
                _ => Type::Unknown,
            };
            let at = Term::theory(Theory::Apply, "", vec![old.clone(), index.clone()], entry);
            let value = written(&at, rest, value);
            let arguments = vec![old.clone(), index.clone(), value];
            Term::theory(Theory::Changed, "", arguments, old.ty.clone())
        }
    }
}

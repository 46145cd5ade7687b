//! Calls: the requires of the callee is confirmed before, its ensures is assumed after, and nothing else
//! is known of it. A recursive call is a call like any other, but for the metric.

use std::collections::BTreeSet;
use std::rc::Rc;

use ir::{AssertKind, Span};

use super::AssumptionReason;
use super::build::Builder;
use super::value::Target;
use crate::scope::{Contract, Formal};
use crate::subject::Role;
use crate::syntax::{Exp, ExpKind, Mode};
use crate::term::{Term, TermKind, TimePoint};
use crate::theory::Theory;
use crate::types::Type;

/// An argument: its value before the call, and where its new value goes.
pub(super) struct Argument {
    pub(super) before: Term,
    target: Option<Target>,
}

impl Builder<'_, '_> {
    /// A call as a statement. The number of the row behind it.
    pub(super) fn call(&mut self, call: &Exp, text: &str, span: Span) -> Option<usize> {
        let (name, arguments) = match &call.kind {
            ExpKind::Call(callee, arguments) => (operation_name(callee), arguments.as_slice()),
            ExpKind::Name(name) => (Some(name.clone()), &[][..]),
            _ => (None, &[][..]),
        };
        let Some(name) = name else {
            self.elaborator.diagnostics.error(span, "expected a statement");
            self.unsupported("a construct that is no statement", span);
            return None;
        };
        let arguments = self.arguments(arguments);
        let contract = self.callee(&name, &arguments, span)?;
        self.owe_requires(&contract, &arguments, span);

        let mut changes: BTreeSet<String> = contract.affects.iter().cloned().collect();
        for (formal, argument) in contract.parameters.iter().zip(&arguments) {
            match (&argument.target, formal.mode.changes()) {
                (Some(target), true) => {
                    if !changes.insert(target.variable.clone()) {
                        let message = format!("`{}` is given to this call twice", target.variable);
                        self.elaborator.diagnostics.error(span, message);
                    }
                }
                // An unknown name was reported already.
                (None, true) if argument.before.ty == Type::Unknown => {}
                (None, true) => {
                    let message = format!("`{}` of `{name}` has to be a variable", formal.name);
                    self.elaborator.diagnostics.error(argument.before.span, message);
                }
                (_, false) => {}
            }
        }
        let before = self.state;
        let row = self.advance(text, &changes, span);
        let after = self.state;
        let mut values: Vec<Term> = Vec::new();
        for (formal, argument) in contract.parameters.iter().zip(&arguments) {
            values.push(self.after(&contract, formal, argument, (before, after), span));
        }
        let ensures = contract.ensures.clone();
        for term in ensures.iter().flat_map(Term::conjuncts) {
            let term = said(term, &contract, &arguments, Some(&values), (before, after), None);
            self.assume(term, AssumptionReason::Stated);
        }
        Some(row)
    }

    /// The value of an argument behind a call, with what its mode and type say of it.
    fn after(
        &mut self,
        contract: &Contract,
        formal: &Formal,
        argument: &Argument,
        (before, after): (u32, u32),
        span: Span,
    ) -> Term {
        let Some(target) = argument.target.as_ref().filter(|_| formal.mode.changes()) else {
            return argument.before.clone();
        };
        let value = if target.steps.is_empty() {
            self.at(&target.variable, after, span)
        } else {
            // The value that is put into a part of a variable has a name of its own.
            let name = format!("{}.{}", contract.name, formal.name);
            if self.variables.iter().all(|(known, _)| *known != name) {
                self.conceptual.push((name.clone(), formal.ty.clone()));
            }
            let value = Term::variable(&name, TimePoint::At(after), formal.ty.model.clone(), span);
            self.assume_written(target, (before, after), value.clone(), span);
            value
        };
        let value = match self.realized(&formal.ty) {
            Some(realized) => {
                self.assume_representation(&realized, &target.variable, after, span);
                let name = format!("Conc.{}", target.variable);
                Term::variable(&name, TimePoint::At(after), formal.ty.model.clone(), span)
            }
            None => value,
        };
        for term in formal.ty.constrains(&value) {
            self.assume(term, AssumptionReason::Typing);
        }
        if formal.mode == Mode::Clears {
            for term in formal.ty.begins(&value) {
                self.assume(term, AssumptionReason::Stated);
            }
        }
        value
    }

    pub(super) fn arguments(&mut self, exps: &[Exp]) -> Vec<Argument> {
        exps.iter()
            .map(|exp| {
                let target = self.target(exp);
                let before = self.value(exp);
                Argument { before, target }
            })
            .collect()
    }

    /// The operation that is meant by a name and arguments of some types.
    pub(super) fn callee(
        &mut self,
        name: &str,
        arguments: &[Argument],
        span: Span,
    ) -> Option<Rc<Contract>> {
        let candidates = self.scope.operations.get(name).cloned().unwrap_or_default();
        let fits = |contract: &&Rc<Contract>| {
            contract.parameters.len() == arguments.len()
                && contract.parameters.iter().zip(arguments).all(|(formal, argument)| {
                    let represented = self.realized(&formal.ty);
                    formal.ty.model.agrees(&argument.before.ty)
                        || represented
                            .is_some_and(|one| one.represented.model == argument.before.ty)
                })
        };
        // Types of programs may share a model: the one that a variable was declared with comes first.
        let is_declared = |contract: &&Rc<Contract>| {
            contract.parameters.iter().zip(arguments).all(|(formal, argument)| {
                let target = argument.target.as_ref().filter(|target| target.steps.is_empty());
                let declared = target.and_then(|target| {
                    self.variables.iter().find(|(name, _)| *name == target.variable)
                });
                declared.is_none_or(|(_, ty)| ty.name == formal.ty.name)
            })
        };
        let fitting = || candidates.iter().filter(fits);
        if let Some(found) = fitting().find(is_declared).or_else(|| fitting().next()) {
            return Some(found.clone());
        }
        let given: Vec<String> =
            arguments.iter().map(|argument| argument.before.ty.to_string()).collect();
        let message = match candidates.is_empty() {
            true => format!("there is no operation `{name}` here"),
            false => format!("no operation `{name}` takes ({})", given.join(", ")),
        };
        self.elaborator.diagnostics.error(span, message);
        self.unsupported("a call of an unknown method", span);
        None
    }

    /// Confirms the requires of a callee, and that the metric gets smaller if it calls itself.
    pub(super) fn owe_requires(&mut self, contract: &Contract, arguments: &[Argument], span: Span) {
        let state = self.state;
        for (formal, argument) in contract.parameters.iter().zip(arguments) {
            if let (Some(realized), Some(target)) = (self.realized(&formal.ty), &argument.target) {
                if let Some(convention) = &realized.convention {
                    let term = self.about_realized(convention, &realized, &target.variable, state);
                    let source = format!("the convention of {}", realized.name);
                    self.confirm(&term, AssertKind::Invariant, &source, span);
                }
                if state > 0 {
                    self.assume_correspondence(&realized, &target.variable, state, span);
                }
            }
        }
        let arguments: Vec<Argument> = self.conceptual_arguments(contract, arguments, state, span);
        if let Some(requires) = &contract.requires {
            let term = said(requires, contract, &arguments, None, (state, state), None);
            let source = format!("the requires of {}", contract.name);
            self.confirm(&term, AssertKind::Precondition, &source, span);
        }
        let is_recursive = self.subject.role == Role::Procedure
            // Another component may have an operation of the same name.
            && contract.name == self.subject.contract.name
            && contract.span == self.subject.contract.span;
        if is_recursive && self.metric.is_none() {
            self.report_unmeasured();
        }
        if is_recursive && let Some(metric) = self.metric.clone() {
            let own = Contract { name: contract.name.clone(), ..self.subject.contract.clone() };
            let now = said(&metric, &own, &arguments, None, (state, state), None);
            let first = self.in_state(&metric, 0);
            self.owe_progress(now, first, span);
        }
    }

    /// For an argument of a represented type, a contract concerns its abstract value.
    fn conceptual_arguments(
        &self,
        contract: &Contract,
        arguments: &[Argument],
        state: u32,
        span: Span,
    ) -> Vec<Argument> {
        let one = |(formal, argument): (&Formal, &Argument)| {
            let before = match (self.realized(&formal.ty), &argument.target) {
                (Some(_), Some(target)) => {
                    let name = format!("Conc.{}", target.variable);
                    Term::variable(&name, TimePoint::At(state), formal.ty.model.clone(), span)
                }
                _ => argument.before.clone(),
            };
            Argument { before, target: argument.target.clone() }
        };
        contract.parameters.iter().zip(arguments).map(one).collect()
    }

    /// Confirms that a metric is smaller than before, and was not negative.
    pub(super) fn owe_progress(&mut self, now: Term, before: Term, span: Span) {
        if before.ty != Type::Nat {
            let zero = Term::number(0, before.span);
            let bounded =
                Term::theory(Theory::LessOrEqual, "<=", vec![zero, before.clone()], Type::Bool);
            self.confirm(&bounded, AssertKind::Progress, "the progress metric", span);
        }
        let smaller = Term::theory(Theory::Less, "<", vec![now, before], Type::Bool);
        self.confirm(&smaller, AssertKind::Progress, "the progress metric", span);
    }

    /// The value of a call of a function.
    pub(super) fn function_value(&mut self, name: &str, exps: &[Exp], span: Span) -> Term {
        let arguments = self.arguments(exps);
        let Some(contract) = self.callee(name, &arguments, span) else {
            return Term {
                kind: TermKind::Unsupported(format!("`{name}`")),
                ty: Type::Unknown,
                span,
            };
        };
        let Some(result) = contract.result.clone() else {
            self.elaborator.diagnostics.error(span, format!("`{name}` has no result"));
            return Term {
                kind: TermKind::Unsupported(format!("`{name}`")),
                ty: Type::Unknown,
                span,
            };
        };
        if contract.parameters.iter().any(|formal| formal.mode.changes()) {
            self.unsupported("a function that changes its arguments", span);
        }
        self.owe_requires(&contract, &arguments, span);
        let state = self.state;
        let arguments = self.conceptual_arguments(&contract, &arguments, state, span);
        let conjuncts: Vec<Term> =
            contract.ensures.iter().flat_map(Term::conjuncts).cloned().collect();
        // `F = e` defines the value.
        if let [only] = conjuncts.as_slice()
            && let TermKind::Theory(Theory::Equal | Theory::Iff, _, sides) = &only.kind
            && matches!(&sides[0].kind, TermKind::Variable(own, TimePoint::Now) if *own == contract.name)
            && !mentions(&sides[1], &contract.name)
        {
            let value = said(&sides[1], &contract, &arguments, None, (state, state), None);
            return Term { span, ..value };
        }
        // Otherwise it is any value that the ensures allows.
        let own = format!("{}'{}", contract.name, self.answers);
        self.answers += 1;
        self.conceptual.push((own.clone(), result.clone()));
        let value = Term::variable(&own, TimePoint::At(state), result.model.clone(), span);
        for term in result.constrains(&value) {
            self.assume(term, AssumptionReason::Typing);
        }
        for term in &conjuncts {
            let term = said(term, &contract, &arguments, None, (state, state), Some(&value));
            self.assume(term, AssumptionReason::Stated);
        }
        value
    }
}

fn mentions(term: &Term, name: &str) -> bool {
    let mut found = false;
    term.each(&mut |term| {
        found |= matches!(&term.kind, TermKind::Variable(other, _) if other == name);
    });
    found
}

/// The name by which an operation is called.
pub(super) fn operation_name(callee: &Exp) -> Option<String> {
    match &callee.kind {
        ExpKind::Name(name) => Some(name.clone()),
        ExpKind::Qualified(facility, name) => Some(format!("{}::{}", facility.text, name.text)),
        ExpKind::Field(inner, name) => match &inner.kind {
            ExpKind::Name(facility) => Some(format!("{facility}::{}", name.text)),
            _ => None,
        },
        _ => None,
    }
}

/// A condition of a contract, applied to arguments: `#x` is the value before a call, `x` the one after it
/// where there is one.
fn said(
    term: &Term,
    contract: &Contract,
    arguments: &[Argument],
    after: Option<&[Term]>,
    (state_before, state_after): (u32, u32),
    result: Option<&Term>,
) -> Term {
    term.replace(&|term| {
        let TermKind::Variable(name, when) = &term.kind else { return None };
        if let Some(position) = contract.parameters.iter().position(|formal| formal.name == *name) {
            return Some(match (when, after) {
                (TimePoint::Now, Some(after)) => after[position].clone(),
                _ => arguments[position].before.clone(),
            });
        }
        if *name == contract.name
            && let Some(result) = result
        {
            return Some(result.clone());
        }
        let state = match when {
            TimePoint::Now => state_after,
            TimePoint::Old => state_before,
            TimePoint::At(state) => *state,
        };
        Some(Term::variable(name, TimePoint::At(state), term.ty.clone(), term.span))
    })
}

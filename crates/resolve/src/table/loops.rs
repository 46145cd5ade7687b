//! Loops, by their invariants: established before, maintained by any one iteration, and all that is known
//! behind. They are not unrolled.

use std::collections::BTreeSet;

use ir::{AssertKind, Span};

use super::build::Builder;
use super::{AssumptionReason, Flow};
use crate::syntax::{Exp, ExpKind, Loop, Statement, StatementKind};
use crate::term::{Term, TermKind, TimePoint};
use crate::types::Type;

impl Builder<'_, '_> {
    pub(super) fn repetition(&mut self, one: &Loop, span: Span, flow: &mut Vec<Flow>) {
        let changes = self.changes(one, span);
        let scope = self.scope.clone();
        let invariant =
            one.maintaining.as_ref().map(|exp| self.elaborator.formula(exp, &scope, &Type::Bool));
        let metric =
            one.decreasing.as_ref().map(|exp| self.elaborator.formula(exp, &scope, &Type::Int));
        if metric.is_none() {
            self.elaborator
                .diagnostics
                .note(span, "this loop has no `decreasing`, so termination is not checked");
        }
        let before = self.state;
        let head = one.condition.span;
        if let Some(invariant) = &invariant {
            let term = at_state(invariant, before, self.remembered);
            let source = "the maintaining clause before the loop";
            self.confirm(&term, AssertKind::LoopInvariant, source, invariant.span);
        }

        // Any one iteration.
        let text = format!("While ({}) do", self.excerpt(head));
        let outer = self.here.clone();
        let row = self.advance(&text, &changes, head);
        let first = self.state;
        self.assume_invariant(invariant.as_ref(), &changes, first, span);
        let condition = self.condition(&one.condition);
        self.path.push(condition.clone());
        self.rows[row].path.push(condition);
        let mut inner = vec![Flow::Row(row)];
        self.statements(&one.body, &mut inner);
        let last = self.state;
        if let Some(invariant) = &invariant {
            let term = at_state(invariant, last, self.remembered);
            let source = "the maintaining clause after an iteration";
            self.confirm(&term, AssertKind::LoopInvariant, source, invariant.span);
        }
        if let Some(metric) = &metric {
            let began = self.remembered;
            let (from, to) = (at_state(metric, first, began), at_state(metric, last, began));
            self.owe_progress(to, from, metric.span);
        }
        self.path.pop();
        flow.push(Flow::Loop(inner));

        // Behind the loop.
        (self.state, self.here) = (before, outer);
        let row = self.advance("end;", &changes, one.end);
        let behind = self.state;
        self.assume_invariant(invariant.as_ref(), &changes, behind, span);
        let condition = self.condition(&one.condition).negated();
        for term in condition.conjuncts() {
            self.assume(term.clone(), AssumptionReason::Stated);
        }
        flow.push(Flow::Row(row));
    }

    fn assume_invariant(
        &mut self,
        invariant: Option<&Term>,
        changes: &BTreeSet<String>,
        state: u32,
        span: Span,
    ) {
        for name in changes {
            let ty =
                self.variables.iter().find(|(known, _)| known == name).map(|(_, ty)| ty.clone());
            for term in ty.map_or(Vec::new(), |ty| ty.constrains(&self.at(name, state, span))) {
                self.assume(term, AssumptionReason::Typing);
            }
        }
        for term in invariant.iter().flat_map(|invariant| invariant.conjuncts()) {
            let term = at_state(term, state, self.remembered);
            self.assume(term, AssumptionReason::Stated);
        }
    }

    /// The variables that a loop changes: its list, which has to cover all changes of its body.
    fn changes(&mut self, one: &Loop, span: Span) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        self.changed_by(&one.body, &mut found);
        let Some(listed) = &one.changing else { return found };
        let mut changes = BTreeSet::new();
        for name in listed {
            if self.variables.iter().any(|(known, _)| *known == name.text) {
                changes.insert(name.text.clone());
            } else {
                let message = format!("there is no variable `{}` here", name.text);
                self.elaborator.diagnostics.error(name.span, message);
            }
        }
        let missing: Vec<String> = found.difference(&changes).cloned().collect();
        if !missing.is_empty() {
            let head = Span { end: one.condition.span.end, ..span };
            let message = format!(
                "the loop changes `{}`, which it does not list; it is taken as changed all the same",
                missing.join("`, `")
            );
            self.elaborator.diagnostics.note(head, message);
        }
        changes.extend(found);
        changes
    }

    /// The variables that statements may change.
    fn changed_by(&mut self, statements: &[Statement], found: &mut BTreeSet<String>) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Call(call) => {
                    let ExpKind::Call(callee, arguments) = &call.kind else { continue };
                    let Some(name) = super::call::operation_name(callee) else { continue };
                    let candidates = self.scope.operations.get(&name).cloned().unwrap_or_default();
                    let given: Vec<Type> =
                        arguments.iter().map(|exp| self.type_without_diagnostics(exp)).collect();
                    let chosen = candidates.iter().find(|contract| {
                        contract.parameters.len() == given.len()
                            && contract.parameters.iter().zip(&given).all(|(formal, ty)| {
                                formal.ty.model.agrees(ty) || self.realized(&formal.ty).is_some()
                            })
                    });
                    if let Some(contract) = chosen {
                        found.extend(contract.affects.iter().cloned());
                        for (formal, argument) in contract.parameters.iter().zip(arguments) {
                            if formal.mode.changes() {
                                found.extend(root(argument));
                            }
                        }
                    }
                }
                StatementKind::Swap(left, right) => {
                    found.extend(root(left).into_iter().chain(root(right)));
                }
                StatementKind::Assign(target, _) => found.extend(root(target)),
                StatementKind::If(_, then, otherwise) => {
                    self.changed_by(then, found);
                    self.changed_by(otherwise, found);
                }
                StatementKind::While(inner) => self.changed_by(&inner.body, found),
                StatementKind::Assume(_)
                | StatementKind::Confirm(_)
                | StatementKind::Remember(_)
                | StatementKind::Skipped(_) => {}
            }
        }
        found.retain(|name| self.variables.iter().any(|(known, _)| known == name));
    }

    /// The type of an argument, without saying anything about it.
    fn type_without_diagnostics(&self, exp: &Exp) -> Type {
        match &exp.kind {
            ExpKind::Name(name) => {
                let variable = self.variables.iter().find(|(known, _)| known == name);
                variable.map_or(Type::Unknown, |(_, ty)| ty.model.clone())
            }
            _ => Type::Unknown,
        }
    }
}

/// The variable that an argument is a part of.
fn root(exp: &Exp) -> Option<String> {
    match &exp.kind {
        ExpKind::Name(name) => Some(name.clone()),
        ExpKind::Field(inner, _) | ExpKind::Index(inner, _) => root(inner),
        _ => None,
    }
}

/// A condition over a state: `#x` is the value in the state that is remembered.
pub(super) fn at_state(term: &Term, state: u32, remembered: u32) -> Term {
    term.replace(&|term| match &term.kind {
        TermKind::Variable(name, TimePoint::Now) => {
            Some(Term::variable(name, TimePoint::At(state), term.ty.clone(), term.span))
        }
        TermKind::Variable(name, TimePoint::Old) => {
            Some(Term::variable(name, TimePoint::At(remembered), term.ty.clone(), term.span))
        }
        _ => None,
    })
}

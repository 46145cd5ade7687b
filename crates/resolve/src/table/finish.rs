//! The first and the last state: the assumptions and obligations of a procedure.

use ir::{AssertKind, Span};

use super::AssumptionReason;
use super::build::Builder;
use crate::scope::RealizedType;
use crate::subject::Role;
use crate::syntax::Mode;
use crate::term::{Term, TermKind, TimePoint};

impl Builder<'_, '_> {
    /// Preconditions, constraints of types, conventions, initial values.
    pub(super) fn assume_at_start(&mut self) {
        let subject = self.subject;
        let span = subject.span;
        for formal in &subject.contract.parameters {
            let value = self.at(&formal.name, 0, span);
            if let Some(realized) = self.realized(&formal.ty) {
                self.assume_representation(&realized, &formal.name, 0, span);
                let name = format!("Conc.{}", formal.name);
                let value = Term::variable(&name, TimePoint::At(0), formal.ty.model.clone(), span);
                for term in formal.ty.constrains(&value) {
                    self.assume(term, AssumptionReason::Typing);
                }
            } else {
                for term in formal.ty.constrains(&value) {
                    self.assume(term, AssumptionReason::Typing);
                }
            }
        }
        if let Some(requires) = &subject.contract.requires {
            for term in requires.conjuncts() {
                let term = self.in_state(term, 0);
                self.assume(term, AssumptionReason::Stated);
            }
        }
        // Client code begins with any values, everything else with initial ones.
        if subject.role == Role::Code {
            let all = self.variables.clone();
            for (name, ty) in all {
                for term in ty.constrains(&self.at(&name, 0, span)) {
                    self.assume(term, AssumptionReason::Typing);
                }
            }
            return;
        }
        let is_formal = |name: &str| subject.contract.parameters.iter().any(|one| one.name == name);
        let own: Vec<_> =
            self.variables.iter().filter(|(name, _)| !is_formal(name)).cloned().collect();
        for (name, ty) in own {
            if self.scope.shared.contains(&name) {
                continue;
            }
            for term in ty.begins(&self.at(&name, 0, span)) {
                self.assume(term, AssumptionReason::Initial);
            }
        }
    }

    /// Assumes the convention and the correspondence of a represented value.
    pub(super) fn assume_representation(
        &mut self,
        realized: &RealizedType,
        name: &str,
        state: u32,
        span: Span,
    ) {
        if let Some(convention) = &realized.convention {
            for term in convention.conjuncts() {
                let term = self.about_realized(term, realized, name, state);
                self.assume(term, AssumptionReason::Stated);
            }
        }
        self.assume_correspondence(realized, name, state, span);
    }

    pub(super) fn assume_correspondence(
        &mut self,
        realized: &RealizedType,
        name: &str,
        state: u32,
        span: Span,
    ) {
        if let Some(modeled) = &realized.modeled {
            let known = format!("Conc.{name}");
            if self.variables.iter().all(|(other, _)| *other != known) {
                self.conceptual.push((known, modeled.clone()));
            }
        }
        match &realized.correspondence {
            Some(correspondence) => {
                let term = self.about_realized(correspondence, realized, name, state);
                self.assume(term, AssumptionReason::Stated);
            }
            None => {
                let what = format!("`{}` without a correspondence", realized.name);
                self.unsupported(&what, span);
            }
        }
    }

    /// A condition on a representation and its abstract value, applied to a variable in a state.
    pub(super) fn about_realized(
        &self,
        term: &Term,
        realized: &RealizedType,
        name: &str,
        state: u32,
    ) -> Term {
        let conceptual = format!("Conc.{}", realized.exemplar);
        term.replace(&|term| match &term.kind {
            TermKind::Variable(other, TimePoint::Now) if *other == realized.exemplar => {
                Some(Term::variable(name, TimePoint::At(state), term.ty.clone(), term.span))
            }
            TermKind::Variable(other, TimePoint::Now) if *other == conceptual => {
                let name = format!("Conc.{name}");
                Some(Term::variable(&name, TimePoint::At(state), term.ty.clone(), term.span))
            }
            TermKind::Variable(other, TimePoint::Now) => {
                Some(Term::variable(other, TimePoint::At(state), term.ty.clone(), term.span))
            }
            _ => None,
        })
    }

    /// Postconditions, conventions, what modes promise.
    pub(super) fn finish(&mut self) {
        let subject = self.subject;
        let end = subject.procedure.span;
        let span = Span { start: end.end.saturating_sub(1), ..end };
        let (state, name) = (self.state, subject.contract.name.clone());
        if let Role::Initialization(ty) = &subject.role {
            let found = self.scope.realized.iter().find(|one| one.name == *ty).cloned();
            if let Some(realized) = found {
                let exemplar = realized.exemplar.clone();
                self.owe_representation(&realized, &exemplar, subject.span);
                if let Some(modeled) = realized.modeled {
                    let conceptual = format!("Conc.{exemplar}");
                    let value = Term::variable(
                        &conceptual,
                        TimePoint::At(state),
                        modeled.model.clone(),
                        span,
                    );
                    for term in modeled.begins(&value) {
                        let source = format!("the initialization ensures of {ty}");
                        self.confirm(&term, AssertKind::Postcondition, &source, subject.span);
                    }
                }
            }
            return;
        }
        if let Role::Instance(facility) = &subject.role {
            for owed in self.scope.owed.clone() {
                if owed.facility.as_ref().is_some_and(|name| name.text == *facility) {
                    let source = format!("the requires of {}", owed.module);
                    let kind = AssertKind::Precondition;
                    self.confirm(&owed.condition, kind, &source, subject.span);
                }
            }
            return;
        }
        // A representation is not used after its finalization.
        let is_kept = subject.role != Role::Finalization;
        for formal in subject.contract.parameters.iter().filter(|_| is_kept) {
            if let Some(realized) = self.realized(&formal.ty) {
                self.owe_representation(&realized, &formal.name, span);
            }
        }
        for formal in subject.contract.parameters.clone() {
            let conceptual = self.realized(&formal.ty).is_some();
            let value = |state: u32| match conceptual {
                true => {
                    let name = format!("Conc.{}", formal.name);
                    Term::variable(&name, TimePoint::At(state), formal.ty.model.clone(), span)
                }
                false => Term::variable(
                    &formal.name,
                    TimePoint::At(state),
                    formal.ty.model.clone(),
                    span,
                ),
            };
            let source = |mode: &str| format!("`{mode} {}` of {name}", formal.name);
            match formal.mode {
                Mode::Restores | Mode::Preserves => {
                    if self.changed.contains(&formal.name) {
                        let term = Term::equal(value(state), value(0));
                        let word =
                            if formal.mode == Mode::Restores { "restores" } else { "preserves" };
                        self.confirm(&term, AssertKind::Postcondition, &source(word), span);
                    }
                }
                Mode::Clears => {
                    for term in formal.ty.begins(&value(state)) {
                        self.confirm(&term, AssertKind::Postcondition, &source("clears"), span);
                    }
                }
                Mode::Alters | Mode::Updates | Mode::Replaces | Mode::Evaluates => {}
            }
        }
        if let Some(ensures) = &subject.contract.ensures {
            let term = self.in_state(ensures, state);
            let source = format!("the ensures of {name}");
            self.confirm(&term, AssertKind::Postcondition, &source, span);
        }
    }

    /// The obligations at the end: the convention holds, and the abstract value belongs to the type.
    fn owe_representation(&mut self, realized: &RealizedType, name: &str, span: Span) {
        let state = self.state;
        if let Some(convention) = &realized.convention {
            let term = self.about_realized(convention, realized, name, state);
            let source = format!("the convention of {}", realized.name);
            self.confirm(&term, AssertKind::Invariant, &source, span);
        }
        if state != 0 || self.conceptual.iter().all(|(known, _)| *known != format!("Conc.{name}")) {
            self.assume_correspondence(realized, name, state, span);
        }
        if let Some(modeled) = &realized.modeled {
            let conceptual = format!("Conc.{name}");
            let value =
                Term::variable(&conceptual, TimePoint::At(state), modeled.model.clone(), span);
            for term in modeled.constrains(&value) {
                let source =
                    format!("the constraint of {} under the correspondence", realized.name);
                self.confirm(&term, AssertKind::Invariant, &source, span);
            }
        }
    }
}

//! From a procedure to its table, statement by statement.

use std::collections::BTreeSet;
use std::rc::Rc;

use ir::{AssertKind, Span};

use super::{Assumption, AssumptionReason, Flow, Obligation, Row, State, Table};
use crate::elaborate::Elaborator;
use crate::scope::{InstanceObligation, Meaning, ProgramType, Scope};
use crate::subject::{Role, Subject, shared};
use crate::syntax::{Mode, Statement, StatementKind};
use crate::term::{Term, TermKind, TimePoint};
use crate::types::Type;

/// A table as it grows.
pub(super) struct Builder<'b, 'l> {
    pub(super) elaborator: &'b mut Elaborator<'l>,
    pub(super) subject: &'b Subject,
    /// The meaning of names in the code.
    pub(super) scope: Scope,
    pub(super) variables: Vec<(String, Rc<ProgramType>)>,
    pub(super) rows: Vec<Row>,
    /// The number of the current state, and its rows.
    pub(super) state: u32,
    pub(super) here: Vec<usize>,
    /// The number of the next state.
    pub(super) next: u32,
    /// The state that `#` refers to in the code: the first, or the one that is to be remembered.
    pub(super) remembered: u32,
    /// The path condition of the current code.
    pub(super) path: Vec<Term>,
    /// The variables that something has changed.
    pub(super) changed: BTreeSet<String>,
    pub(super) unsupported: Vec<(usize, String, Span)>,
    /// The progress metric of the procedure, as a term over its parameters.
    pub(super) metric: Option<Term>,
    /// Names for values that no variable of the program has: abstract values, results.
    pub(super) conceptual: Vec<(String, Rc<ProgramType>)>,
    /// How many results of functions have names.
    pub(super) answers: u32,
}

/// The table of a subject.
pub(crate) fn build(elaborator: &mut Elaborator<'_>, subject: &Subject, scope: &Scope) -> Table {
    let mut builder = Builder {
        elaborator,
        subject,
        scope: scope.clone(),
        variables: Vec::new(),
        rows: Vec::new(),
        state: 0,
        here: vec![0],
        next: 1,
        remembered: 0,
        path: Vec::new(),
        changed: BTreeSet::new(),
        unsupported: Vec::new(),
        metric: None,
        conceptual: Vec::new(),
        answers: 0,
    };
    builder.begin();
    let mut flow = vec![Flow::Row(0)];
    builder.statements(&subject.procedure.body, &mut flow);
    builder.finish();
    let Builder { rows, mut variables, conceptual, unsupported, .. } = builder;
    variables.extend(conceptual);
    let mut table = Table {
        name: subject.contract.name.clone(),
        span: subject.span,
        facts: super::live::relevant(&reliable(subject, scope), &rows),
        rows,
        is_faulty: false,
        flow,
        variables,
        unsupported,
    };
    super::live::prune(&mut table);
    table
}

/// The facts that a subject may rely on: all except the obligations of the instance itself or a later one.
fn reliable(subject: &Subject, scope: &Scope) -> Vec<Term> {
    let Role::Instance(facility) = &subject.role else { return scope.facts.clone() };
    let is_this = |owed: &&InstanceObligation| {
        owed.facility.as_ref().is_some_and(|name| name.text == *facility)
    };
    let from = scope.owed.iter().position(|owed| is_this(&owed)).unwrap_or(scope.owed.len());
    let open: Vec<&Term> = scope.owed[from..].iter().flat_map(|owed| &owed.open).collect();
    scope.facts.iter().filter(|fact| !open.contains(fact)).cloned().collect()
}

impl Builder<'_, '_> {
    /// Declares the variables and opens the first state.
    fn begin(&mut self) {
        let subject = self.subject;
        for (name, ty) in shared(&self.scope) {
            self.variables.push((name, ty));
        }
        for formal in &subject.contract.parameters {
            let ty = self.scope.types.get(&formal.ty.name).cloned();
            // Of a represented type the code sees the representation.
            let is_represented = self.realized(&formal.ty).is_some();
            let ty = ty.filter(|_| is_represented).unwrap_or_else(|| formal.ty.clone());
            self.declare(&formal.name, ty);
        }
        let name = subject.contract.name.clone();
        if let Some(result) = &subject.contract.result {
            self.declare(&name, result.clone());
        }
        for (names, ty) in &subject.procedure.variables {
            let ty = self.elaborator.program_type(ty, &self.scope.clone());
            for name in names {
                self.declare(&name.text, ty.clone());
            }
        }
        if let Role::Initialization(name) = &subject.role
            && let Some(realized) = self.scope.realized.iter().find(|one| one.name == *name)
        {
            let (exemplar, ty) = (realized.exemplar.clone(), realized.represented.clone());
            self.declare(&exemplar, ty);
        }
        self.metric = subject.procedure.decreasing.as_ref().map(|metric| {
            let scope = self.scope.clone();
            self.elaborator.formula(metric, &scope, &Type::Int)
        });
        if subject.procedure.recursive && self.metric.is_none() {
            self.report_unmeasured();
        }
        let state = State { number: 0, part: None };
        self.rows.push(Row {
            state,
            statement: None,
            path: Vec::new(),
            assume: Vec::new(),
            confirm: Vec::new(),
            span: subject.span,
        });
        self.assume_at_start();
        // The relation between shared variables and those of the concept is unknown.
        if let Some(span) = self.scope.unrelated.filter(|_| subject.role != Role::Code) {
            self.unsupported("what shared variables stand for", span);
        }
    }

    /// Reports, once, that a recursive procedure has no termination measure.
    pub(super) fn report_unmeasured(&mut self) {
        let name = &self.subject.contract.name;
        let message =
            format!("`{name}` calls itself without `decreasing`, so termination is not checked");
        self.elaborator.diagnostics.note(self.subject.span, message);
    }

    pub(super) fn declare(&mut self, name: &str, ty: Rc<ProgramType>) {
        self.scope.values.insert(name.to_owned(), Meaning::Variable(ty.clone()));
        self.variables.retain(|(other, _)| other != name);
        self.variables.push((name.to_owned(), ty));
    }

    /// A variable in a state.
    pub(super) fn at(&self, name: &str, state: u32, span: Span) -> Term {
        let ty = self.variables.iter().find(|(known, _)| known == name);
        let ty = ty.map_or(Type::Unknown, |(_, ty)| ty.model.clone());
        Term::variable(name, TimePoint::At(state), ty, span)
    }

    /// Adds an assumption in the current state.
    pub(super) fn assume(&mut self, term: Term, why: AssumptionReason) {
        for &row in &self.here {
            self.rows[row].assume.push(Assumption { term: term.clone(), why });
        }
    }

    /// Adds an obligation in the current state, one for each conjunct.
    pub(super) fn confirm(&mut self, term: &Term, kind: AssertKind, source: &str, span: Span) {
        for conjunct in term.conjuncts() {
            let obligation = Obligation {
                term: conjunct.clone(),
                kind,
                source: source.to_owned(),
                span,
                point: None,
            };
            for &row in &self.here {
                self.rows[row].confirm.push(obligation.clone());
            }
        }
    }

    /// Opens the next state behind a statement that may change some variables.
    pub(super) fn advance(
        &mut self,
        statement: &str,
        changes: &BTreeSet<String>,
        span: Span,
    ) -> usize {
        let number = self.next;
        self.next += 1;
        let row =
            self.open(State { number, part: None }, Some(statement), self.state, changes, span);
        self.state = number;
        self.here = vec![row];
        self.changed.extend(changes.iter().cloned());
        row
    }

    /// Adds a row in which variables that are not changed have the values of another state.
    pub(super) fn open(
        &mut self,
        state: State,
        statement: Option<&str>,
        from: u32,
        changes: &BTreeSet<String>,
        span: Span,
    ) -> usize {
        let kept = self.variables.iter().filter(|(name, _)| !changes.contains(name));
        let carried = kept.map(|(name, _)| {
            let term = Term::equal(self.at(name, state.number, span), self.at(name, from, span));
            Assumption { term, why: AssumptionReason::Carried }
        });
        let assume = carried.collect();
        let statement = statement.map(str::to_owned);
        let path = self.path.clone();
        self.rows.push(Row { state, statement, path, assume, confirm: Vec::new(), span });
        self.rows.len() - 1
    }

    pub(super) fn statements(&mut self, statements: &[Statement], flow: &mut Vec<Flow>) {
        for statement in statements {
            self.statement(statement, flow);
        }
    }

    fn statement(&mut self, statement: &Statement, flow: &mut Vec<Flow>) {
        let span = statement.span;
        let text = self.elaborator.loader.excerpt(span);
        match &statement.kind {
            StatementKind::Call(call) => {
                let row = self.call(call, &text, span);
                flow.extend(row.map(Flow::Row));
            }
            StatementKind::Swap(left, right) => {
                let row = self.swap(left, right, &text, span);
                flow.extend(row.map(Flow::Row));
            }
            StatementKind::Assign(target, value) => {
                let row = self.assign(target, value, &text, span);
                flow.extend(row.map(Flow::Row));
            }
            StatementKind::If(condition, then, otherwise) => {
                let condition = self.condition(condition);
                let branch = self.choice(condition, then, otherwise, span);
                flow.push(branch);
            }
            StatementKind::While(one) => self.repetition(one, span, flow),
            StatementKind::Assume(condition) => {
                let term = self.condition(condition);
                for term in term.conjuncts() {
                    self.assume(term.clone(), AssumptionReason::Stated);
                }
            }
            StatementKind::Confirm(condition) => {
                let term = self.condition(condition);
                self.confirm(&term, AssertKind::Assertion, "what is confirmed", span);
            }
            StatementKind::Remember(is_now) => {
                self.remembered = if *is_now { self.state } else { 0 };
            }
            StatementKind::Skipped(what) => self.unsupported(what, span),
        }
    }

    /// A condition as it is written, without parentheses around it.
    pub(super) fn excerpt(&self, span: Span) -> String {
        let text = self.elaborator.loader.excerpt(span);
        let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        // The first parenthesis has to be closed by the last.
        let is_whole = inside.is_some_and(|inside| {
            let mut depth = 0;
            inside.chars().all(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth >= 0
            })
        });
        inside.filter(|_| is_whole).map_or(text.clone(), |inside| inside.trim().to_owned())
    }

    /// From here on nothing is known.
    pub(super) fn unsupported(&mut self, what: &str, span: Span) {
        for &row in &self.here {
            self.unsupported.push((row, what.to_owned(), span));
        }
    }

    fn choice(
        &mut self,
        condition: Term,
        then: &[Statement],
        otherwise: &[Statement],
        span: Span,
    ) -> Flow {
        let (before, rows_before) = (self.state, self.here.clone());
        let nothing = BTreeSet::new();
        let head = format!("if ({}) then", self.excerpt(condition.span));
        let (test, negated) = (condition.clone(), condition.negated());
        let mut flows = [Vec::new(), Vec::new()];

        self.path.push(condition.clone());
        flows[0].push(Flow::Row(self.advance(&head, &nothing, condition.span)));
        self.statements(then, &mut flows[0]);
        let after_then = self.state;
        self.path.pop();

        (self.state, self.here) = (before, rows_before);
        self.path.push(negated.clone());
        if !otherwise.is_empty() {
            flows[1].push(Flow::Row(self.advance("else", &nothing, condition.span)));
            self.statements(otherwise, &mut flows[1]);
        }
        let after_otherwise = self.state;
        self.path.pop();

        // Ways are numbered by the states they come from.
        let mut branches = [(after_then, 0, condition), (after_otherwise, 1, negated)];
        branches.sort_by_key(|branch| branch.0);
        let number = self.next;
        self.next += 1;
        self.here.clear();
        let end = Span { start: span.end.saturating_sub(1), ..span };
        for (part, (from, side, condition)) in (1..).zip(branches) {
            self.path.push(condition);
            let statement = (part == 1).then_some("end;");
            let row = self.open(State { number, part: Some(part) }, statement, from, &nothing, end);
            self.path.pop();
            flows[side].push(Flow::Row(row));
            self.here.push(row);
        }
        self.state = number;
        let [then, otherwise] = flows;
        Flow::Branch(test, then, otherwise, span)
    }

    /// The type that this module represents, if it is the one that clients know.
    pub(super) fn realized(&self, ty: &ProgramType) -> Option<crate::scope::RealizedType> {
        let found = self
            .scope
            .realized
            .iter()
            .find(|one| one.modeled.as_ref().is_some_and(|modeled| **modeled == *ty));
        found.cloned()
    }

    /// The subject's contract in terms of the first and another state, with `Conc` values for what is
    /// represented.
    pub(super) fn in_state(&self, term: &Term, state: u32) -> Term {
        let formals = &self.subject.contract.parameters;
        term.replace(&|term| match &term.kind {
            TermKind::Variable(name, when) => {
                let number = match when {
                    TimePoint::Now => state,
                    TimePoint::Old => 0,
                    TimePoint::At(_) => return None,
                };
                let formal = formals.iter().find(|formal| formal.name == *name);
                let represented = formal.filter(|formal| self.realized(&formal.ty).is_some());
                let value_kept = formal.is_some_and(|formal| formal.mode == Mode::Evaluates);
                let number = if value_kept { 0 } else { number };
                Some(match represented {
                    Some(formal) => {
                        let name = format!("Conc.{name}");
                        Term::variable(
                            &name,
                            TimePoint::At(number),
                            formal.ty.model.clone(),
                            term.span,
                        )
                    }
                    None => Term::variable(name, TimePoint::At(number), term.ty.clone(), term.span),
                })
            }
            _ => None,
        })
    }
}

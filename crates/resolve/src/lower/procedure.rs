//! A table as a procedure of VIR.

use std::collections::BTreeMap;

use ir::{
    AssumeReason, Clause, Contract, CutReason, Exit, Exprs, Local, LocalId, Mode, Origin,
    Place as Spot, PointId, Procedure, StatementKind,
};

use super::body::{Body, spot};
use super::determined::ConditionKind;
use super::term::Place;
use super::uses::Uses;
use super::{Lowerer, Unsupported};
use crate::limits::DEFINITION_DEPTH;
use crate::print::in_state;
use crate::table::{AssumptionReason, Flow, Obligation, Row, Table};
use crate::term::{Term, TermKind};
use crate::theory::Theory;
use crate::types::Type;

impl Lowerer {
    pub(super) fn procedure(&mut self, table: &Table) -> Vec<(usize, usize, PointId)> {
        let mut name = table.name.clone();
        let mut number = 2;
        while self.module.find_procedure(&name).is_some() {
            name = format!("{}#{number}", table.name);
            number += 1;
        }
        let procedure = Procedure {
            name,
            display: Some(table.name.clone()),
            span: table.span,
            locals: Vec::new(),
            exprs: Exprs::default(),
            contract: Contract::default(),
            blocks: None,
            points: 0,
            places: Vec::new(),
            forms: Vec::new(),
        };
        let types =
            table.variables.iter().map(|(name, ty)| (name.clone(), ty.model.clone())).collect();
        let variables = BTreeMap::new();
        let mut body = Body {
            table,
            procedure,
            blocks: Vec::new(),
            here: 0,
            variables,
            types,
            path: Vec::new(),
            followed: Vec::new(),
            uses: Uses::new(),
            used: Vec::new(),
            asserted: Vec::new(),
        };
        body.block("start", table.span);
        if table.is_faulty {
            body.unsupported("faulty source", table.span);
        } else {
            self.declare_variables(&mut body);
            self.contract(&mut body);
            self.flow(&table.flow, &mut body);
        }
        let Body { mut procedure, blocks, asserted, .. } = body;
        procedure.blocks = Some(blocks);
        self.module.procedures.push(procedure);
        asserted
    }

    /// Gives every variable in every state that a row mentions a variable of VIR. Those of the first state
    /// are parameters.
    fn declare_variables(&mut self, body: &mut Body<'_>) {
        let mut all: Vec<(String, u32)> = Vec::new();
        for row in &body.table.rows {
            let owed = row.confirm.iter().map(|owed| &owed.term);
            let assumed = row.assume.iter().map(|assumption| &assumption.term);
            for term in row.path.iter().chain(assumed).chain(owed) {
                all.extend(term.variables());
            }
        }
        let facts: Vec<Term> = body.table.facts.iter().map(at_start).collect();
        all.extend(facts.iter().flat_map(Term::variables));
        all.sort_by_key(|(name, state)| {
            let position = body.table.variables.iter().position(|(known, _)| known == name);
            (*state, position, name.clone())
        });
        all.dedup();
        body.uses = self.declare_uses(body.table, &facts, &mut body.procedure.locals);
        // Parameters come first.
        for is_first in [true, false] {
            for (name, state) in all.iter().filter(|(_, state)| (*state == 0) == is_first) {
                let Some(Ok(ty)) = body.types.get(name).map(|ty| self.ty(ty)) else { continue };
                let shown = in_state(name, *state);
                let mode = if is_first { Mode::Parameter } else { Mode::Local };
                let local = Local { name: body.fresh(&shown), ty, mode, display: Some(shown) };
                body.procedure.locals.push(local);
                let id = LocalId(body.procedure.locals.len() as u32 - 1);
                body.variables.insert((name.clone(), *state), id);
            }
        }
    }

    /// The assumptions of the first state are the precondition.
    fn contract(&mut self, body: &mut Body<'_>) {
        let mut conditions: Vec<Term> = Vec::new();
        if let Some(first) = body.table.rows.first() {
            conditions.extend(self.natural(first, body));
            conditions.extend(first.assume.iter().map(|assumption| assumption.term.clone()));
        }
        conditions.extend(body.table.facts.iter().map(at_start));
        for condition in &conditions {
            self.follow(condition, body);
            match self.lower_in(condition, body) {
                Ok(lowered) => body.procedure.contract.requires.push(Clause {
                    condition: lowered,
                    free: false,
                    message: format!("{condition} does not hold"),
                    span: condition.span,
                }),
                Err(what) => body.unsupported(&what, condition.span),
            }
        }
    }

    fn lower_in(&mut self, term: &Term, body: &mut Body<'_>) -> Result<ir::ExprId, Unsupported> {
        let mut place = Place {
            exprs: &mut body.procedure.exprs,
            variables: Some(&body.variables),
            bound: Vec::new(),
            uses: Some(&body.uses),
        };
        self.term(term, &term.ty, &mut place)
    }

    /// That the values of a state that are natural numbers are not negative.
    fn natural(&self, row: &Row, body: &Body<'_>) -> Vec<Term> {
        let mut conditions = Vec::new();
        for (name, state) in body.variables.keys().filter(|(_, state)| *state == row.state.number) {
            let Some(ty) = body.types.get(name) else { continue };
            let value =
                Term::variable(name, crate::term::TimePoint::At(*state), ty.clone(), row.span);
            match ty {
                Type::Nat => conditions.push(super::quantify::natural(&value)),
                Type::Product(parts) => {
                    for (number, (_, part)) in
                        parts.iter().enumerate().filter(|(_, part)| part.1 == Type::Nat)
                    {
                        let kind = TermKind::Field(Box::new(value.clone()), number);
                        let part = Term { kind, ty: part.clone(), span: row.span };
                        conditions.push(super::quantify::natural(&part));
                    }
                }
                _ => {}
            }
        }
        conditions
    }

    fn flow(&mut self, flow: &[Flow], body: &mut Body<'_>) {
        for one in flow {
            match one {
                Flow::Row(number) => self.row(*number, body),
                Flow::Branch(condition, then, otherwise, span) => {
                    let branches = body.fork(&["then", "else"], *span);
                    let join = body.reserve("join", *span);
                    let negated = condition.negated();
                    for (branch, (condition, side)) in
                        branches.into_iter().zip([(condition.clone(), then), (negated, otherwise)])
                    {
                        body.here = branch;
                        let known = (body.followed.len(), body.used.len());
                        self.assume(&condition, AssumeReason::Branch, body);
                        body.path.push(condition);
                        self.flow(side, body);
                        body.forget(known);
                        body.path.pop();
                        body.go(join, *span);
                    }
                    body.here = join;
                }
                Flow::Loop(inner) => {
                    let span = body.table.span;
                    let branches = body.fork(&["iteration", "behind"], span);
                    body.here = branches[0];
                    let outer = body.path.len();
                    let known = (body.followed.len(), body.used.len());
                    self.flow(inner, body);
                    body.path.truncate(outer);
                    body.forget(known);
                    body.stop(Exit::Normal, span);
                    body.here = branches[1];
                }
            }
        }
    }

    /// Excludes executions in which a term unfolds definitions deeper than the limit, and values that
    /// implicit definitions exclude.
    fn follow(&mut self, term: &Term, body: &mut Body<'_>) {
        let known = self
            .determining(term, ConditionKind::Promise)
            .into_iter()
            .chain(body.congruences(term));
        for condition in known.collect::<Vec<_>>() {
            if body.followed.contains(&condition) {
                continue;
            }
            match self.lower_in(&condition, body) {
                Ok(lowered) => {
                    let reason = AssumeReason::Model;
                    let kind = StatementKind::Assume { condition: lowered, reason };
                    body.push(kind, term.span, Origin::Synthetic);
                }
                Err(what) => body.unsupported(&what, term.span),
            }
            body.followed.push(condition);
        }
        for condition in self.determining(term, ConditionKind::Depth) {
            if body.followed.contains(&condition) {
                continue;
            }
            let lowered = match self.lower_in(&condition, body) {
                Ok(lowered) => lowered,
                Err(what) => {
                    body.unsupported(&what, term.span);
                    continue;
                }
            };
            let branches = body.fork(&["within", "beyond"], term.span);
            body.here = branches[1];
            let negated = condition.negated();
            if let Ok(condition) = self.lower_in(&negated, body) {
                let kind = StatementKind::Assume { condition, reason: AssumeReason::Model };
                body.push(kind, term.span, Origin::Synthetic);
            }
            body.stop(Exit::Cut(CutReason::Unrolling(DEFINITION_DEPTH)), term.span);
            body.here = branches[0];
            let kind = StatementKind::Assume { condition: lowered, reason: AssumeReason::Model };
            body.push(kind, term.span, Origin::Synthetic);
            body.followed.push(condition);
        }
    }

    fn assume(&mut self, condition: &Term, reason: AssumeReason, body: &mut Body<'_>) {
        self.follow(condition, body);
        match self.lower_in(condition, body) {
            Ok(lowered) => {
                let kind = StatementKind::Assume { condition: lowered, reason };
                body.push(kind, condition.span, Origin::Synthetic);
            }
            Err(what) => body.unsupported(&what, condition.span),
        }
    }

    fn row(&mut self, number: usize, body: &mut Body<'_>) {
        let row = &body.table.rows[number];
        if row.state.number > 0 {
            self.values(row, body);
            for condition in self.natural(row, body) {
                self.assume(&condition, AssumeReason::Contract, body);
            }
            for assumption in row.assume.iter().filter(|one| one.why != AssumptionReason::Carried) {
                self.assume(&assumption.term, AssumeReason::Contract, body);
            }
            // The condition of a loop holds where its body executes.
            for condition in &row.path {
                if !body.path.contains(condition) {
                    self.assume(condition, AssumeReason::Branch, body);
                    body.path.push(condition.clone());
                }
            }
        }
        let lost = body.table.unsupported.iter().filter(|(at, _, _)| *at == number);
        for (_, what, span) in lost.cloned().collect::<Vec<_>>() {
            body.unsupported(&what, span);
        }
        if row.confirm.is_empty() {
            return;
        }
        let branches = body.fork(&["confirm", "on"], row.span);
        body.here = branches[0];
        let known = (body.followed.len(), body.used.len());
        self.confirm(row, body);
        body.forget(known);
        body.stop(Exit::Normal, row.span);
        body.here = branches[1];
    }

    /// Gives the variables of a state their values: those that are carried over, and any others.
    fn values(&mut self, row: &Row, body: &mut Body<'_>) {
        let state = row.state.number;
        let mut own: Vec<(String, LocalId)> = Vec::new();
        for (name, _) in &body.table.variables {
            if let Some(local) = body.variables.get(&(name.clone(), state)) {
                own.push((name.clone(), *local));
            }
        }
        let mut pairs = Vec::new();
        for (name, local) in own {
            let carried = row.assume.iter().find_map(|assumption| {
                match (&assumption.why, &assumption.term.kind) {
                    (AssumptionReason::Carried, TermKind::Theory(Theory::Equal, _, sides)) => {
                        let is_this =
                            matches!(&sides[0].kind, TermKind::Variable(other, _) if *other == name);
                        is_this.then(|| sides[1].clone())
                    }
                    _ => None,
                }
            });
            let value = match carried.map(|term| self.lower_in(&term, body)) {
                Some(Ok(value)) => value,
                _ => body.anything(local, row.span),
            };
            pairs.push((spot(local), value));
        }
        if !pairs.is_empty() {
            body.push(StatementKind::Assign(pairs), row.span, Origin::Source);
        }
    }

    /// Shows both sides of an obligation, and asserts it, conjunct by conjunct.
    fn confirm(&mut self, row: &Row, body: &mut Body<'_>) {
        let mut shown: Vec<(Spot, ir::ExprId)> = Vec::new();
        let mut seen: Vec<String> = Vec::new();
        for owed in &row.confirm {
            for side in sides(&owed.term) {
                let text = side.to_string();
                if seen.contains(&text) {
                    continue;
                }
                if !is_shown(&side.ty) {
                    continue;
                }
                if let (Ok(ty), Ok(value)) = (self.ty(&side.ty), self.lower_in(&side, body)) {
                    let name = body.fresh(&text);
                    let mode = Mode::Ghost;
                    let display = Some(text.clone());
                    body.procedure.locals.push(Local { name, ty, mode, display });
                    let local = LocalId(body.procedure.locals.len() as u32 - 1);
                    shown.push((spot(local), value));
                    seen.push(text);
                }
            }
        }
        if !shown.is_empty() {
            let span = row.confirm[0].span;
            body.push(StatementKind::Assign(shown), span, Origin::Source);
        }
        let position = body.table.rows.iter().position(|known| std::ptr::eq(known, row));
        for (number, owed) in row.confirm.iter().enumerate() {
            self.follow(&owed.term, body);
            match self.lower_in(&owed.term, body) {
                Ok(condition) => {
                    let message = message(row, owed);
                    let kind = StatementKind::Assert { condition, kind: owed.kind, message };
                    let point = body.push(kind, owed.span, Origin::Source);
                    body.asserted.extend(position.map(|row| (row, number, point)));
                }
                Err(what) => body.unsupported(&what, owed.span),
            }
        }
    }
}

/// The message of a failing obligation.
fn message(row: &Row, owed: &Obligation) -> String {
    format!("state {}: {} does not hold: {}", row.state, owed.source, owed.term)
}

/// The sides of a condition whose values say why it fails.
fn sides(term: &Term) -> Vec<Term> {
    let TermKind::Theory(function, _, parts) = &term.kind else { return Vec::new() };
    match function {
        Theory::Equal
        | Theory::NotEqual
        | Theory::Less
        | Theory::LessOrEqual
        | Theory::Greater
        | Theory::GreaterOrEqual
        | Theory::IsPermutation
        | Theory::IsPrefix
        | Theory::IsSuffix
        | Theory::Member
        | Theory::NotMember => {
            let is_plain = |part: &&Term| {
                !matches!(
                    part.kind,
                    TermKind::Number(_)
                        | TermKind::Truth(_)
                        | TermKind::Variable(..)
                        | TermKind::Constant(_)
                ) && part.ty.is_known()
            };
            parts.iter().filter(is_plain).cloned().collect()
        }
        Theory::Not | Theory::Or | Theory::Implies | Theory::And => {
            parts.iter().flat_map(sides).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a value of a type can be shown: a set of values that cannot be listed has no representation.
fn is_shown(ty: &Type) -> bool {
    match ty {
        Type::Set(member) => super::quantify::is_listable(member),
        Type::Str(entry) => is_shown(entry),
        Type::Product(parts) => parts.iter().all(|(_, part)| is_shown(part)),
        Type::Bool | Type::Int | Type::Nat | Type::Atom(_) | Type::Function(..) => true,
        Type::Unknown => false,
    }
}

/// The facts about constants and shared variables, in the first state.
fn at_start(fact: &Term) -> Term {
    fact.replace(&|term| match &term.kind {
        TermKind::Variable(name, _) => {
            Some(Term::variable(name, crate::term::TimePoint::At(0), term.ty.clone(), term.span))
        }
        _ => None,
    })
}

//! Statements. Values that only specifications may have reach code through a variable: `havoc tmp;
//! assume tmp == e`.

use ir::{
    AssertKind, AssumeReason, BlockId, Exit, ExprId, GlobalId, HavocReason, LocalId, LoopFacts,
    Mode, Op, Origin, Place, StatementKind, TerminatorKind,
};

use super::Lowering;
use super::blocks::Blocks;
use super::frame::{Frame, Use};
use crate::diagnostics::TextRange;
use crate::program::Variable;
use crate::syntax::{
    BodySyntax, ClauseSyntax, ExprSyntax, GuardSyntax, Name, NodeKind, SequenceId,
    StatementKindSyntax, StatementSyntax,
};

/// A body that is being lowered.
pub(super) struct BodyBuilder<'b, 's> {
    pub(super) frame: Frame,
    /// How many locals there are without those that lowering makes up.
    pub(super) contract_locals: usize,
    pub(super) blocks: Blocks<'s>,
    pub(super) syntax: &'b BodySyntax<'s>,
    /// The globals that may change.
    pub(super) modifies: &'b [usize],
    /// The `where` clause of each local.
    pub(super) conditions: Vec<Option<ExprSyntax>>,
    /// The places where variables with a `where` clause change, and the clause.
    pub(super) changes: Vec<(u32, ExprSyntax)>,
    /// The enclosing statements: their labels, whether they are loops, and what comes after.
    pub(super) exits: Vec<(Vec<&'s str>, bool, BlockId)>,
}

impl<'s> Lowering<'_, '_, 's> {
    pub(super) fn sequence(&mut self, code: &mut BodyBuilder<'_, 's>, id: SequenceId) {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || {
            let syntax = code.syntax;
            let mut labels: Vec<&'s str> = Vec::new();
            for statement in &syntax.sequences[id as usize] {
                if let StatementKindSyntax::Label(name) = statement.kind {
                    labels.push(name.text);
                    let block = code.blocks.labelled(name.text);
                    code.blocks.go_on(block, statement.at);
                    continue;
                }
                code.blocks.next_point();
                self.statement(code, statement, std::mem::take(&mut labels));
            }
        });
    }

    fn statement(
        &mut self,
        code: &mut BodyBuilder<'_, 's>,
        statement: &StatementSyntax<'s>,
        labels: Vec<&'s str>,
    ) {
        let at = statement.at;
        match &statement.kind {
            StatementKindSyntax::Label(_) => {}
            StatementKindSyntax::Assert(condition, message, known) => {
                let stated = self.stated_condition(code, *condition, at);
                let known: Vec<ExprId> =
                    known.iter().map(|known| self.stated_condition(code, *known, at)).collect();
                let mut condition = stated;
                if !known.is_empty() {
                    let known = code.frame.all(Op::And, &known);
                    condition = code.frame.relation(Op::Or, known, stated);
                }
                let (kind, message) = (AssertKind::Assertion, message.clone());
                let kind = StatementKind::Assert { condition, kind, message };
                code.blocks.add(kind, at, Origin::Source);
                if condition != stated {
                    let reason = AssumeReason::Model;
                    let kind = StatementKind::Assume { condition: stated, reason };
                    code.blocks.add(kind, at, Origin::Synthetic);
                }
            }
            StatementKindSyntax::Assume(condition) => {
                let condition = self.stated_condition(code, *condition, at);
                let kind = StatementKind::Assume { condition, reason: AssumeReason::Model };
                code.blocks.add(kind, at, Origin::Source);
            }
            StatementKindSyntax::Havoc(names) => self.havoc(code, names, at),
            StatementKindSyntax::Assign(targets, values) => {
                self.assignment(code, targets, values, at);
            }
            StatementKindSyntax::Unpack(constructor, names, value) => {
                self.unpack(code, *constructor, names, *value, at);
            }
            StatementKindSyntax::Call(call) => self.call(code, call, at),
            StatementKindSyntax::If(guard, yes, no) => {
                let after = code.blocks.new_block("after");
                let yes_block = code.blocks.new_block("then");
                let no_block = match no {
                    Some(_) => code.blocks.new_block("else"),
                    None => after,
                };
                self.guard(code, guard, (yes_block, no_block));
                code.exits.push((labels, false, after));
                code.blocks.enter(yes_block);
                self.sequence(code, *yes);
                code.blocks.lead(after, at);
                if let Some(no) = no {
                    code.blocks.enter(no_block);
                    self.sequence(code, *no);
                    code.blocks.lead(after, at);
                }
                code.exits.pop();
                code.blocks.enter(after);
            }
            StatementKindSyntax::While(guard, invariants, body) => {
                self.repetition(code, guard, invariants, *body, labels, at);
            }
            StatementKindSyntax::Break(label) => {
                let exit = code.exits.iter().rev().find(|(labels, is_loop, _)| match label {
                    Some(label) => labels.contains(&label.text),
                    None => *is_loop,
                });
                let kind = match exit {
                    Some((_, _, after)) => TerminatorKind::Goto(vec![*after]),
                    // The label of a plain statement: what comes after it is what follows here.
                    None => return,
                };
                code.blocks.end(kind, at, Origin::Source);
            }
            StatementKindSyntax::Return => {
                code.blocks.end(TerminatorKind::Exit(Exit::Normal), at, Origin::Source);
            }
            StatementKindSyntax::Goto(names) => {
                let mut targets: Vec<BlockId> = Vec::new();
                for name in names {
                    let target = code.blocks.labelled(name.text);
                    if !targets.contains(&target) {
                        targets.push(target);
                    }
                }
                code.blocks.end(TerminatorKind::Goto(targets), at, Origin::Source);
            }
            StatementKindSyntax::Unsupported(what, results) => {
                let mut writes = self.places(results);
                writes.extend(code.modifies.iter().map(|global| global_place(*global)));
                unsupported(code, what, writes, at, Origin::Source);
            }
        }
    }

    /// The whole variables that names mean.
    pub(super) fn places(&self, names: &[Name<'_>]) -> Vec<Place> {
        names
            .iter()
            .filter_map(|name| self.program.meaning.variables.get(&name.at.start))
            .map(|variable| place_of(*variable))
            .collect()
    }

    /// A condition that is stated, not computed.
    fn stated_condition(
        &mut self,
        code: &mut BodyBuilder<'_, 's>,
        condition: ExprSyntax,
        at: TextRange,
    ) -> ExprId {
        let condition = self.expression(&mut code.frame, condition, Use::Specification);
        self.report_unsupported(code, at);
        condition
    }

    /// Puts `unsupported` here if what was just lowered is in trouble.
    pub(super) fn report_unsupported(&mut self, code: &mut BodyBuilder<'_, 's>, at: TextRange) {
        if let Some(what) = code.frame.trouble.take() {
            self.note(at, &what);
            unsupported(code, &what, Vec::new(), at, Origin::Synthetic);
        }
    }

    /// Makes values ready for code: those that only specifications may have go through variables.
    pub(super) fn settle<'v>(
        &mut self,
        code: &mut BodyBuilder<'_, 's>,
        values: impl Iterator<Item = &'v mut ExprId>,
        at: TextRange,
    ) {
        self.report_unsupported(code, at);
        for value in values {
            if !code.frame.is_specification(*value) {
                continue;
            }
            let ty = code.frame.ty(*value);
            let name = format!("value {}", code.frame.locals.len());
            let local = code.frame.new_local(name, ty, Mode::Local);
            let place = Frame::whole(ir::Variable::Local(local));
            let reason = HavocReason::Choice;
            let kind = StatementKind::Havoc { place, condition: None, reason };
            code.blocks.add(kind, at, Origin::Synthetic);
            let read = code.frame.read(local);
            let condition = code.frame.relation(Op::Eq, read, *value);
            let kind = StatementKind::Assume { condition, reason: AssumeReason::Model };
            code.blocks.add(kind, at, Origin::Synthetic);
            *value = code.frame.read(local);
        }
    }

    fn guard(
        &mut self,
        code: &mut BodyBuilder<'_, 's>,
        guard: &GuardSyntax,
        (yes, no): (BlockId, BlockId),
    ) {
        let kind = match guard.condition {
            None => TerminatorKind::Goto(vec![yes, no]),
            Some(condition) => {
                let mut condition = self.expression(&mut code.frame, condition, Use::Code);
                self.settle(code, std::iter::once(&mut condition), guard.at);
                TerminatorKind::Branch(condition, yes, no)
            }
        };
        code.blocks.end(kind, guard.at, Origin::Source);
    }

    fn repetition(
        &mut self,
        code: &mut BodyBuilder<'_, 's>,
        guard: &GuardSyntax,
        invariants: &[ClauseSyntax],
        body: SequenceId,
        labels: Vec<&'s str>,
        at: TextRange,
    ) {
        let head = code.blocks.new_block("loop");
        let body_block = code.blocks.new_block("body");
        let after = code.blocks.new_block("done");
        let mut trouble = None;
        // In Boogie the variables that a loop changes are arbitrary at the start of an iteration, except for
        // their `where` clauses.
        let mut facts: Vec<ir::Clause> = Vec::new();
        for condition in self.conditions_of(code, at) {
            facts.push(self.assumed(&mut code.frame, condition, &mut trouble));
        }
        let stated = invariants.iter();
        facts.extend(stated.map(|clause| self.clause(&mut code.frame, clause, &mut trouble)));
        let facts = LoopFacts { invariants: facts, decreases: None };
        // Invariants that cannot be expressed are neither checked before the loop nor assumed in it.
        if let Some(what) = &trouble {
            unsupported(code, what, Vec::new(), guard.at, Origin::Synthetic);
        }
        code.blocks.go_on(head, guard.at);
        code.blocks.set_facts(facts);
        if let Some(what) = &trouble {
            unsupported(code, what, Vec::new(), guard.at, Origin::Synthetic);
        }
        if self.is_literally_true(guard) {
            // Only `break` and the like lead out.
            code.blocks.end(TerminatorKind::Goto(vec![body_block]), guard.at, Origin::Source);
        } else {
            self.guard(code, guard, (body_block, after));
        }
        code.exits.push((labels, true, after));
        code.blocks.enter(body_block);
        self.sequence(code, body);
        code.blocks.lead(head, at);
        code.exits.pop();
        code.blocks.enter(after);
    }

    fn is_literally_true(&self, guard: &GuardSyntax) -> bool {
        let root = guard.condition.map(|condition| condition.root as usize);
        root.is_some_and(|root| {
            matches!(self.program.syntax.nodes[root].kind, NodeKind::Bool(true))
        })
    }

    /// The `where` clauses of the variables that a range of the text changes, each once.
    fn conditions_of(&self, code: &BodyBuilder<'_, 's>, at: TextRange) -> Vec<ExprSyntax> {
        let first = code.changes.partition_point(|(start, _)| *start < at.start);
        let changes = code.changes[first..].iter().take_while(|(start, _)| *start < at.end);
        let mut conditions: Vec<ExprSyntax> = changes.map(|(_, condition)| *condition).collect();
        conditions.sort_unstable_by_key(|condition| condition.root);
        conditions.dedup_by_key(|condition| condition.root);
        conditions
    }

    /// The places in a body at which a variable with a condition changes, and the condition.
    pub(super) fn changes(
        &self,
        body: &BodySyntax<'s>,
        conditions: &[Option<ExprSyntax>],
    ) -> Vec<(u32, ExprSyntax)> {
        let program = self.program;
        let condition = |variable: Variable| match variable {
            Variable::Global(index) => program.globals[index].condition,
            Variable::Local(index) => conditions.get(index).copied().flatten(),
        };
        let is_any = conditions.iter().any(Option::is_some)
            || program.globals.iter().any(|global| global.condition.is_some());
        let mut changes = Vec::new();
        for statement in body.sequences.iter().flatten().filter(|_| is_any) {
            let names: Vec<&Name<'s>> = match &statement.kind {
                StatementKindSyntax::Havoc(names)
                | StatementKindSyntax::Unpack(_, names, _)
                | StatementKindSyntax::Unsupported(_, names) => names.iter().collect(),
                StatementKindSyntax::Assign(targets, _) => {
                    targets.iter().map(|target| &target.variable).collect()
                }
                StatementKindSyntax::Call(call) => {
                    if let Some((callee, _)) = program.meaning.calls.get(&statement.at.start) {
                        let modified = program.procedures[*callee].modifies.iter();
                        let found = modified.filter_map(|index| program.globals[*index].condition);
                        changes.extend(found.map(|condition| (statement.at.start, condition)));
                    }
                    call.results.iter().collect()
                }
                StatementKindSyntax::Label(_)
                | StatementKindSyntax::Assert(..)
                | StatementKindSyntax::Assume(_)
                | StatementKindSyntax::If(..)
                | StatementKindSyntax::While(..)
                | StatementKindSyntax::Break(_)
                | StatementKindSyntax::Return
                | StatementKindSyntax::Goto(_) => Vec::new(),
            };
            for name in names {
                let variable = program.meaning.variables.get(&name.at.start);
                if let Some(condition) = variable.and_then(|variable| condition(*variable)) {
                    changes.push((name.at.start, condition));
                }
            }
        }
        changes.sort_by_key(|(start, condition)| (*start, condition.root));
        changes
    }

    fn havoc(&mut self, code: &mut BodyBuilder<'_, 's>, names: &[Name<'s>], at: TextRange) {
        let variables: Vec<Variable> = names
            .iter()
            .filter_map(|name| self.program.meaning.variables.get(&name.at.start).copied())
            .collect();
        for variable in &variables {
            let (place, reason) = (place_of(*variable), HavocReason::Choice);
            let kind = StatementKind::Havoc { place, condition: None, reason };
            code.blocks.add(kind, at, Origin::Source);
        }
        self.assume_conditions(code, variables.into_iter(), at);
    }

    /// Assumes the `where` clauses of variables.
    pub(super) fn assume_conditions(
        &mut self,
        code: &mut BodyBuilder<'_, 's>,
        variables: impl Iterator<Item = Variable>,
        at: TextRange,
    ) {
        let mut conditions: Vec<ExprSyntax> = Vec::new();
        for variable in variables {
            let condition = match variable {
                Variable::Global(index) => self.program.globals[index].condition,
                Variable::Local(index) => code.conditions.get(index).copied().flatten(),
            };
            if let Some(condition) = condition
                && conditions.last().is_none_or(|last| last.root != condition.root)
            {
                conditions.push(condition);
            }
        }
        for condition in conditions {
            let condition = self.stated_condition(code, condition, at);
            let kind = StatementKind::Assume { condition, reason: AssumeReason::Model };
            code.blocks.add(kind, at, Origin::Synthetic);
        }
    }
}

/// Adds an `unsupported`.
pub(super) fn unsupported(
    code: &mut BodyBuilder<'_, '_>,
    what: &str,
    writes: Vec<Place>,
    at: TextRange,
    origin: Origin,
) {
    let kind = StatementKind::Unsupported { what: what.to_owned(), writes };
    code.blocks.add(kind, at, origin);
}

pub(super) fn global_place(index: usize) -> Place {
    Frame::whole(ir::Variable::Global(GlobalId(index as u32)))
}

/// A whole variable.
pub(super) fn place_of(variable: Variable) -> Place {
    match variable {
        Variable::Global(index) => global_place(index),
        Variable::Local(index) => Frame::whole(ir::Variable::Local(LocalId(index as u32))),
    }
}

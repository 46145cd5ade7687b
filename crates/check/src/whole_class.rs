//! Failures of whole path classes: the findings in a procedure without a contract.
//!
//! A procedure without a contract relies on unwritten preconditions, and a failure that any of them may exclude is
//! not reported. So inputs, and results of unknown functions, are trusted until the procedure itself tests them: a
//! failure is reported if every execution of its [path class](crate::path_class) fails. The list of
//! [assumptions](crate::assumptions) defines the trust.

use std::collections::BTreeSet;

use encode::{Condition, Cut, Obligation, ObligationGroup, QueryAnswer, SolverReason};
use ir::{AssertKind, Expr, ExprId, Memory, Op, Origin, PointId, StatementKind, Variable};

use crate::assumptions::{CALLEE_TESTS, NON_NEGATIVE_INDEX, UNTESTED_INPUT};
use crate::context::{CheckContext, LoopModel, is_nowhere};
use crate::doom::{Where, gate_of};
use crate::facts::{ProcedureFacts, is_own};
use crate::limits::CLASSED_EXECUTIONS;
use crate::rule::Rule;

impl<'c> CheckContext<'c> {
    /// Reports every obligation of the selected kinds whose failure has a whole path class, each once.
    pub(crate) fn report_whole_classes(
        &mut self,
        rule: &Rule,
        selected: impl Fn(AssertKind) -> bool,
    ) {
        let evaluation = self.under.evaluation();
        let facts = self.facts();
        for group in &evaluation.groups {
            let Obligation { point, kind, .. } = evaluation.obligations[group.copies[0]];
            if !selected(kind) || self.reported.contains(&(point, kind)) {
                continue;
            }
            if self.under.is_spent() {
                self.note_unanswered(&SolverReason::ConflictLimit);
                break;
            }
            if self.can_fail(kind, group.fails, &[])
                && let Some(failing) = self.fails_on_whole_class(group, &facts)
                && !self.is_reported_already(failing)
            {
                self.report_replayed(rule, failing);
            }
        }
    }

    /// Whether the execution just found passes a reported obligation about the size of the same variable's object: a
    /// correction of that one concerns this one too.
    fn is_reported_already(&mut self, failing: &Obligation) -> bool {
        let evaluation = self.under.evaluation();
        let Some(wanted) = self.sized_variable(failing.point, failing.kind) else { return false };
        let first = |group: &ObligationGroup| &evaluation.obligations[group.copies[0]];
        let reported = evaluation.groups.iter().filter(|group| {
            let Obligation { point, kind, .. } = *first(group);
            kind == failing.kind && point != failing.point && self.reported.contains(&(point, kind))
        });
        let reached: Vec<Condition> = reported
            .filter(|group| self.sized_variable(first(group).point, failing.kind) == Some(wanted))
            .map(|group| group.reached)
            .collect();
        reached.into_iter().any(|gate| self.under.holds(gate))
    }

    /// Whether an obligation requires no more than that an index is not negative.
    pub(crate) fn requires_only_a_sign(&self, obligation: &Obligation) -> bool {
        let exprs = &self.module.procedure(self.procedure).exprs;
        let is_zero = |id: ExprId| matches!(exprs.get(id), Expr::Bv(_, value) if value.bits() == 0);
        if obligation.kind != AssertKind::OutOfBounds {
            return false;
        }
        let asserted = self.asserted(obligation.point, obligation.kind, Some(&obligation.message));
        asserted.is_some_and(|condition| match exprs.get(condition) {
            Expr::Op(Op::BvSle, operands) => is_zero(operands[0]),
            _ => false,
        })
    }

    /// Whether no values are expected of what a group of obligations depends on: a negative index is reported only if
    /// it is negative in every execution on some path.
    fn expects_no_values(&self, group: &ObligationGroup) -> bool {
        let first = &self.under.evaluation().obligations[group.copies[0]];
        self.options.policy.assumptions.has(&NON_NEGATIVE_INDEX) && self.requires_only_a_sign(first)
    }

    /// The assertion of the procedure's own text at a point.
    fn asserted(&self, point: PointId, kind: AssertKind, wanted: Option<&str>) -> Option<ExprId> {
        let blocks = self.module.procedure(self.procedure).blocks.iter().flatten();
        let mut asserted =
            blocks.flat_map(|block| &block.statements).filter(|statement| statement.point == point);
        asserted.find_map(|statement| match &statement.kind {
            StatementKind::Assert { condition, kind: found, message }
                if *found == kind && wanted.is_none_or(|wanted| wanted == message) =>
            {
                Some(*condition)
            }
            _ => None,
        })
    }

    /// The variable whose object an obligation of the procedure's own text asks the size of.
    fn sized_variable(&self, point: PointId, kind: AssertKind) -> Option<Variable> {
        let procedure = self.module.procedure(self.procedure);
        let condition = self.asserted(point, kind, None)?;
        let mut pending = vec![condition];
        while let Some(id) = pending.pop() {
            let expr = procedure.exprs.get(id);
            match expr {
                Expr::Op(Op::Memory(Memory::ObjectSize), of) => match procedure.exprs.get(of[0]) {
                    Expr::Read(variable) => return Some(*variable),
                    _ => return None,
                },
                _ => pending.extend(expr.operands()),
            }
        }
        None
    }

    /// The copy that fails in the whole path class of some execution, beginning with the one just found.
    fn fails_on_whole_class(
        &mut self,
        group: &ObligationGroup,
        facts: &ProcedureFacts,
    ) -> Option<&'c Obligation> {
        if !self.options.policy.assumptions.has(&UNTESTED_INPUT) {
            return self.failing_copy(group);
        }
        // Executions that take another side of a branch on whose inputs the obligation depends: on other paths, inputs
        // are as trusted as in the first class.
        let mut untaken = match self.expects_no_values(group) {
            // If every execution on some path fails, the path is doomed.
            true => Vec::new(),
            false => self.tests(group),
        };
        for _ in 0..CLASSED_EXECUTIONS {
            untaken.retain(|&gate| !self.under.holds(gate));
            let failing = self.failing_copy(group)?;
            let classes = self.path_classes(failing, facts);
            if let Some(class) = classes.iter().find(|class| self.fails_always(group, class)) {
                let is_found = self.finds_simple(group, failing, &classes[0], facts)
                    // Other queries have been asked since.
                    || self.can_fail(failing.kind, failing.fails, class);
                return is_found.then_some(failing);
            }
            let further = self.under_assumptions(failing.kind, &[group.fails]);
            if self.query_any(&further, &untaken) != QueryAnswer::Sat {
                break;
            }
        }
        None
    }

    /// Looks for an execution of a class in which no values are fixed that fails as certainly as the one just found and
    /// has simple numbers.
    fn finds_simple(
        &mut self,
        group: &ObligationGroup,
        failing: &Obligation,
        class: &[Condition],
        facts: &ProcedureFacts,
    ) -> bool {
        let failing_in = |class: &[Condition]| [&[failing.fails], class].concat();
        let query = self.under_assumptions(failing.kind, &failing_in(class));
        if !self.query_plainly(&query) {
            return false;
        }
        let classes = self.path_classes(failing, facts);
        let whole = classes.iter().find(|class| self.fails_always(group, class));
        whole.is_some_and(|class| {
            let query = self.under_assumptions(failing.kind, &failing_in(class));
            self.query_plainly(&query)
        })
    }

    /// The copy that fails in the execution just found.
    fn failing_copy(&mut self, group: &ObligationGroup) -> Option<&'c Obligation> {
        let evaluation = self.under.evaluation();
        let mut copies = group.copies.iter().map(|&copy| &evaluation.obligations[copy]);
        copies.find(|copy| self.under.holds(copy.fails))
    }

    /// Sides of branches in the procedure's own text that share inputs with an obligation, and taking them at the
    /// boundary.
    fn tests(&self, group: &ObligationGroup) -> Vec<Condition> {
        let evaluation = self.under.evaluation();
        let copies = group.copies.iter().map(|&copy| &evaluation.obligations[copy]);
        let conditions: Vec<Condition> = copies.map(|copy| copy.condition).collect();
        let dependents = evaluation.dependents(evaluation.inputs_of(&conditions));
        let tests = evaluation.sides.iter().filter(|side| dependents.contains(side.condition));
        let tests: BTreeSet<PointId> = tests.map(|side| side.point).collect();
        let edges = evaluation.edges.iter().filter(|edge| is_own(edge.origin));
        let edges = edges.filter(|edge| tests.contains(&edge.point));
        let gates = edges.flat_map(|edge| [edge.gate, edge.at_boundary]);
        gates.filter(|&gate| gate != Condition::FALSE).collect()
    }

    /// Whether something fails in some execution in which the conditions hold, under the assumptions.
    fn can_fail(&mut self, kind: AssertKind, fails: Condition, gates: &[Condition]) -> bool {
        let query = self.under_assumptions(kind, &[&[fails], gates].concat());
        self.query(&query) == QueryAnswer::Sat
    }

    /// The conditions, and that no execution meets what the assumptions exclude.
    fn under_assumptions(&self, kind: AssertKind, gates: &[Condition]) -> Vec<Condition> {
        let excluded = self.facts.as_deref().map_or_else(Vec::new, |facts| {
            self.options.policy.assumptions.excluded(self.under.evaluation(), facts, kind)
        });
        gates.iter().copied().chain(excluded.into_iter().map(|gate| !gate)).collect()
    }

    /// Whether no execution in which the conditions hold gets past the obligation.
    fn fails_always(&mut self, group: &ObligationGroup, gates: &[Condition]) -> bool {
        let past = [self.arrives(group), !group.fails];
        let query: Vec<Condition> = past.into_iter().chain(gates.iter().copied()).collect();
        self.query(&query) == QueryAnswer::Unsat && !self.may_exceed_bounds(group, gates)
    }

    /// The condition under which an execution reaches an obligation, or to the call of the procedure that has it:
    /// other tests of a callee are trusted to prevent the failure.
    fn arrives(&self, group: &ObligationGroup) -> Condition {
        let evaluation = self.under.evaluation();
        let Obligation { origin, point, span, .. } = evaluation.obligations[group.copies[0]];
        match origin {
            Origin::Inlined(_)
                if !is_nowhere(span) && self.options.policy.assumptions.has(&CALLEE_TESTS) =>
            {
                gate_of(evaluation, Where::Point(point)).unwrap_or(group.reached)
            }
            _ => group.reached,
        }
    }

    /// Whether an execution in which the conditions hold may exceed the bound of a loop: in a callee, where a pointer is
    /// concerned, since the callee's result is then unknown, and anywhere within the least bounds.
    fn may_exceed_bounds(&mut self, group: &ObligationGroup, gates: &[Condition]) -> bool {
        let evaluation = self.under.evaluation();
        let is_least = self.loop_model == LoopModel::Least;
        let kind = evaluation.obligations[group.copies[0]].kind;
        if !is_least && kind != AssertKind::NullDereference {
            return false;
        }
        let facts = self.facts();
        let is_cut = |cut: &&Cut| match cut.origin {
            Origin::Inlined(call) => is_least || facts.pointer_calls.contains(&call),
            Origin::Source | Origin::Macro(_) | Origin::Synthetic => is_least,
        };
        let cuts = evaluation.cuts.iter().filter(|cut| cut.why.is_bound());
        let lost: Vec<Condition> = cuts.filter(is_cut).map(|cut| cut.gate).collect();
        // An execution that is cut has only begun: which edges it has not taken is known, not which it would take.
        let taken: BTreeSet<Condition> =
            evaluation.edges.iter().flat_map(|edge| [edge.gate, edge.at_boundary]).collect();
        let begun: Vec<Condition> =
            gates.iter().copied().filter(|gate| !taken.contains(gate)).collect();
        let is_cut = !lost.is_empty() && self.query_any(&begun, &lost) != QueryAnswer::Unsat;
        if is_cut && is_least {
            self.note_least();
        }
        is_cut
    }
}

//! Trust: which failures are charged where nobody says what callers promise.
//!
//! A procedure without a contract relies on promises that are not written down, and a failure that any of
//! them may exclude is no charge. So inputs, and what callees that are not followed do, are trusted until the
//! procedure itself tests them: a failure is charged if every run fails that goes the same [way](crate::path_class)
//! through the procedure's own text.
//!
//! In the failing run that is shown, callees that are not followed write only what was handed to them.

use std::collections::BTreeSet;
use std::rc::Rc;

use circuit::{Bits, Fan, Gate, cone, fan};
use encode::{Cut, Edge, Evaluation, Obligation, ObligationGroup, QueryAnswer, Side};
use ir::{AssertKind, Expr, ExprId, Memory, Op, Origin, PointId, StatementKind, Variable};
use report::ReasonClass;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bodies::Callers;
use crate::context::{CheckContext, LoopModel, is_nowhere};
use crate::doom::{Where, gate_of};
use crate::evidence::EvidenceMap;
use crate::flow::Flow;
use crate::returned::{giving, pointing};
use crate::rule::Rule;

/// So many branches, and so many allocations, are looked at to see whether a procedure expects allocations to
/// fail.
const MOST_EDGES: usize = 64;
const MOST_ALLOCATIONS: usize = 8;

/// Of so many failing runs the ways are looked at, for one obligation.
const RUNS: usize = 8;

/// The bits of a byte.
const BYTE: usize = 8;

/// What is to be known of the procedure's own text.
pub(crate) struct ProcedureFacts {
    pub(crate) flow: Flow,
    /// What those branches ask that decide how often a loop goes round depends on these gates, by node.
    counting: FxHashSet<usize>,
    /// Whether it asks whether an allocation has failed.
    pub(crate) expects_failures: bool,
    /// Its calls of those whose results it looks at, here or elsewhere, and that are pointers, with the variables
    /// that hold them.
    pub(crate) pointing: FxHashMap<PointId, FxHashSet<Variable>>,
    /// Its calls of those of the program that return pointers.
    giving: FxHashSet<PointId>,
    /// What variables at file level hold when a run begins, by node.
    standing: FxHashSet<usize>,
    /// What memory holds when a run begins, by node.
    stored: FxHashSet<usize>,
    /// How the program calls the procedure.
    callers: Callers,
    /// The parameters, by node.
    parameters: FxHashSet<usize>,
    /// What depends on what callees return that are not followed, those of the library aside, and on whether
    /// allocations fail, if that is not expected.
    answered: Fan,
    /// Under which conditions runs take a side that is not written.
    omitted: Vec<Gate>,
}

impl ProcedureFacts {
    /// Whether a side of a branch is one that nobody has written.
    pub(crate) fn is_omitted(&self, branch: PointId, taken: bool) -> bool {
        self.flow.is_omitted(branch, taken)
    }

    /// Whether a word decides how often a loop goes round.
    pub(crate) fn counts(&self, word: &Bits) -> bool {
        word.iter().any(|bit| self.counting.contains(&bit.node()))
    }

    /// Whether a word is what a variable at file level holds when a run begins.
    pub(crate) fn stands(&self, word: &Bits) -> bool {
        let mut open = word.iter().filter(|bit| bit.as_constant().is_none()).peekable();
        open.peek().is_some() && open.all(|bit| self.standing.contains(&bit.node()))
    }

    /// Whether a word is what memory holds when a run begins, and more than a byte: those are data.
    pub(crate) fn is_stored(&self, word: &Bits) -> bool {
        let open: FxHashSet<usize> =
            word.iter().filter(|bit| bit.as_constant().is_none()).map(Gate::node).collect();
        open.len() > BYTE && open.is_subset(&self.stored)
    }

    /// Whether a word is computed from parameters alone, and a caller in the program passes them by name: that caller
    /// knows their values.
    pub(crate) fn is_passed(&self, evaluation: &Evaluation, word: &Bits) -> bool {
        let bits: Vec<Gate> = word.iter().filter(|bit| bit.as_constant().is_none()).collect();
        self.callers == Callers::ByName && self.is_of_parameters(evaluation, &bits)
    }

    /// Whether a branch of a callback tests its parameters only. Such a test is often defensive: the type of the
    /// callback admits null, but those who call this one do not pass it. So the test is no evidence that a callee
    /// is passed null.
    pub(crate) fn is_defensive(&self, evaluation: &Evaluation, branch: PointId) -> bool {
        if self.callers != Callers::ByPointer {
            return false;
        }
        let tests = evaluation.sides.iter().filter(|side| side.point == branch);
        let conditions: Vec<Gate> = tests.map(|side| side.condition).collect();
        !conditions.is_empty() && self.is_of_parameters(evaluation, &conditions)
    }

    fn is_of_parameters(&self, evaluation: &Evaluation, gates: &[Gate]) -> bool {
        cone(&evaluation.circuit, gates)
            .inputs()
            .all(|input| self.parameters.contains(&input.node()))
    }

    /// Whether a branch tells where a null comes from: one of the procedure's own, or of one of the callees that
    /// may have returned it.
    pub(crate) fn supplies_null(&self, side: &Side, returning: &FxHashSet<PointId>) -> bool {
        match side.origin {
            Origin::Source => true,
            Origin::Inlined(call) => {
                !is_nowhere(side.span)
                    && returning.contains(&call)
                    && !self.answered.contains(side.condition)
            }
            Origin::Macro(_) | Origin::Synthetic => false,
        }
    }
}

impl<'c> CheckContext<'c> {
    /// Charges every obligation of the selected kinds that fails whatever the inputs, each once.
    pub(crate) fn report_untrusted(&mut self, rule: &Rule, selected: impl Fn(AssertKind) -> bool) {
        let evaluation = self.under.evaluation();
        let text = self.facts();
        for group in &evaluation.groups {
            let Obligation { point, kind, .. } = evaluation.obligations[group.copies[0]];
            if !selected(kind) || self.reported.contains(&(point, kind)) || !self.has_evidence(group) {
                continue;
            }
            if self.under.is_spent() {
                self.undecided
                    .insert((ReasonClass::Budget, sat::Reason::ConflictLimit.to_string()));
                break;
            }
            if self.can_fail(kind, group.fails, &[])
                && let Some(failing) = self.fails_on_whole_class(group, &text)
                && !self.is_told_already(failing)
            {
                self.report_replayed(rule, failing);
            }
        }
    }

    /// Whether the policy could report some copy of an obligation.
    fn has_evidence(&self, group: &ObligationGroup) -> bool {
        let evaluation = self.under.evaluation();
        let has = |map: &EvidenceMap| {
            group.copies.iter().any(|&copy| map.has(evaluation.obligations[copy].place))
        };
        self.with_evidence.as_ref().is_none_or(has)
    }

    /// Whether the run just found passes something that was charged and asks for room in what the same
    /// variable points to: whoever mends that comes by here.
    fn is_told_already(&mut self, failing: &Obligation) -> bool {
        let evaluation = self.under.evaluation();
        let Some(wanted) = self.room_of(failing.point, failing.kind) else { return false };
        let first = |group: &ObligationGroup| &evaluation.obligations[group.copies[0]];
        let charged = evaluation.groups.iter().filter(|group| {
            let Obligation { point, kind, .. } = *first(group);
            kind == failing.kind && point != failing.point && self.reported.contains(&(point, kind))
        });
        let reached: Vec<Gate> = charged
            .filter(|group| self.room_of(first(group).point, failing.kind) == Some(wanted))
            .map(|group| group.reached)
            .collect();
        reached.into_iter().any(|gate| self.under.holds(gate))
    }

    /// Whether an obligation asks no more than that an index is not negative. Whoever asks whether it is less
    /// than a count does not expect it to be so.
    pub(crate) fn asks_for_a_sign(&self, obligation: &Obligation) -> bool {
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

    fn is_about_a_sign(&self, group: &ObligationGroup) -> bool {
        self.asks_for_a_sign(&self.under.evaluation().obligations[group.copies[0]])
    }

    /// What the procedure's own text asserts at a point.
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
    fn room_of(&self, point: PointId, kind: AssertKind) -> Option<Variable> {
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

    /// The copy that fails in every run that goes the way of some run, beginning with the one just found.
    fn fails_on_whole_class(
        &mut self,
        group: &ObligationGroup,
        text: &ProcedureFacts,
    ) -> Option<&'c Obligation> {
        // Runs that take another side of a branch that asks about what the obligation depends on: along
        // others, inputs are as trusted as on the first way.
        let mut untaken = match self.is_about_a_sign(group) {
            // If every run on some way fails that, the way is doomed.
            true => Vec::new(),
            false => self.tests(group),
        };
        for _ in 0..RUNS {
            untaken.retain(|&gate| !self.under.holds(gate));
            let failing = self.failing_copy(group)?;
            let ways = self.path_classes(failing, text);
            if let Some(way) = ways.iter().find(|way| self.fails_always(group, way)) {
                let is_found = self.is_found_plainly(group, failing, &ways[0], text)
                    // Other questions have been asked since.
                    || self.can_fail(failing.kind, failing.fails, way);
                return is_found.then_some(failing);
            }
            let further = self.under_assumptions(failing.kind, &[group.fails]);
            if self.query_any(&further, &untaken) != QueryAnswer::Sat {
                break;
            }
        }
        None
    }

    /// Looks for a run that takes a way on which no values are settled, fails as certainly as the one just found,
    /// and has plain numbers.
    fn is_found_plainly(
        &mut self,
        group: &ObligationGroup,
        failing: &Obligation,
        way: &[Gate],
        text: &ProcedureFacts,
    ) -> bool {
        let failing_so = |way: &[Gate]| [&[failing.fails], way].concat();
        let question = self.under_assumptions(failing.kind, &failing_so(way));
        if !self.query_plainly(&question) {
            return false;
        }
        let ways = self.path_classes(failing, text);
        let certain = ways.iter().find(|way| self.fails_always(group, way));
        certain.is_some_and(|way| {
            let question = self.under_assumptions(failing.kind, &failing_so(way));
            self.query_plainly(&question)
        })
    }

    /// The copy that fails in the run just found.
    fn failing_copy(&mut self, group: &ObligationGroup) -> Option<&'c Obligation> {
        let evaluation = self.under.evaluation();
        let mut copies = group.copies.iter().map(|&copy| &evaluation.obligations[copy]);
        copies.find(|copy| self.under.holds(copy.fails))
    }

    /// Sides of branches in the procedure's own text that ask about what an obligation depends on, and taking
    /// them narrowly.
    fn tests(&self, group: &ObligationGroup) -> Vec<Gate> {
        let evaluation = self.under.evaluation();
        let copies = group.copies.iter().map(|&copy| &evaluation.obligations[copy]);
        let conditions: Vec<Gate> = copies.map(|copy| copy.condition).collect();
        let inputs = cone(&evaluation.circuit, &conditions);
        let fan = fan(&evaluation.circuit, inputs.inputs());
        let asking = evaluation.sides.iter().filter(|side| fan.contains(side.condition));
        let asking: BTreeSet<PointId> = asking.map(|side| side.point).collect();
        let edges = evaluation.edges.iter().filter(|edge| is_own(edge.origin));
        let edges = edges.filter(|edge| asking.contains(&edge.point));
        let gates = edges.flat_map(|edge| [edge.gate, edge.at_boundary]);
        gates.filter(|&gate| gate != Gate::FALSE).collect()
    }

    /// Whether something fails in some run in which the gates hold and callees are quiet.
    fn can_fail(&mut self, kind: AssertKind, fails: Gate, gates: &[Gate]) -> bool {
        let question = self.under_assumptions(kind, &[&[fails], gates].concat());
        self.query(&question) == QueryAnswer::Sat
    }

    /// The gates, and that callees are quiet, sizes can be those of something, numbers are not NaN unless the
    /// procedure tests for that, and one of several questions is answered.
    fn under_assumptions(&self, kind: AssertKind, gates: &[Gate]) -> Vec<Gate> {
        let Evaluation { noise, oversized, strange, .. } = self.under.evaluation();
        let omitted = self.facts.iter().flat_map(|text| &text.omitted);
        // Whoever asks for values that were never set means those too that are set in each answer.
        let omitted = omitted.filter(|_| kind != AssertKind::Uninitialized);
        let unexpected = noise.iter().chain(oversized).chain(strange).chain(omitted);
        let unexpected = unexpected.map(|&gate| !gate);
        gates.iter().copied().chain(unexpected).collect()
    }

    /// Whether no run in which the gates hold gets past the obligation.
    fn fails_always(&mut self, group: &ObligationGroup, gates: &[Gate]) -> bool {
        let past = [self.arrives(group), !group.fails];
        let question: Vec<Gate> = past.into_iter().chain(gates.iter().copied()).collect();
        self.query(&question) == QueryAnswer::Unsat && !self.may_be_lost(group, gates)
    }

    /// Under which condition a run gets to an obligation, or to the call of whom in the source it binds: what
    /// else a callee asks before it comes to that is trusted to keep it from failing.
    fn arrives(&self, group: &ObligationGroup) -> Gate {
        let evaluation = self.under.evaluation();
        let Obligation { origin, point, span, .. } = evaluation.obligations[group.copies[0]];
        match origin {
            Origin::Inlined(_) if !is_nowhere(span) => {
                gate_of(evaluation, Where::Point(point)).unwrap_or(group.reached)
            }
            _ => group.reached,
        }
    }

    /// Whether a run in which the gates hold may go round a loop more often than is followed: in a callee, where a
    /// pointer is at stake, as what the callee returns then is not known, and anywhere if loops are hardly
    /// followed.
    fn may_be_lost(&mut self, group: &ObligationGroup, gates: &[Gate]) -> bool {
        let evaluation = self.under.evaluation();
        let is_least = self.loop_model == LoopModel::Least;
        let kind = evaluation.obligations[group.copies[0]].kind;
        if !is_least && kind != AssertKind::NullDereference {
            return false;
        }
        let text = self.facts();
        let is_lost = |cut: &&Cut| match cut.origin {
            Origin::Inlined(call) => is_least || text.giving.contains(&call),
            Origin::Source | Origin::Macro(_) | Origin::Synthetic => is_least,
        };
        let cuts = evaluation.cuts.iter().filter(|cut| cut.why.is_bound());
        let lost: Vec<Gate> = cuts.filter(is_lost).map(|cut| cut.gate).collect();
        // Of a way, a run that is lost on it has only begun: what it has not taken is known, not what it would take.
        let taken: BTreeSet<Gate> =
            evaluation.edges.iter().flat_map(|edge| [edge.gate, edge.at_boundary]).collect();
        let begun: Vec<Gate> = gates.iter().copied().filter(|gate| !taken.contains(gate)).collect();
        let is_lost = !lost.is_empty() && self.query_any(&begun, &lost) != QueryAnswer::Unsat;
        if is_lost && is_least {
            self.note_least();
        }
        is_lost
    }

    /// What is to be known of the text, which all rules want to know.
    pub(crate) fn facts(&mut self) -> Rc<ProcedureFacts> {
        if let Some(text) = &self.facts {
            return text.clone();
        }
        let flow = Flow::of(self.module.procedure(self.procedure));
        let evaluation = self.under.evaluation();
        let asked = evaluation.sides.iter().filter(|side| flow.turns.contains(&side.point));
        let asked: Vec<Gate> = asked.map(|side| side.condition).collect();
        let counting = cone(&evaluation.circuit, &asked).nodes().map(|(node, _)| node).collect();
        let answers = evaluation.answers.iter().filter(|(span, _)| !is_nowhere(*span));
        let answers = answers.flat_map(|(_, bits)| bits.iter());
        let expects_failures = self.expects_failures();
        let attempts = evaluation.allocations.iter().map(|attempt| attempt.succeeds);
        let attempts = attempts.filter(|_| !expects_failures);
        let answered = fan(&evaluation.circuit, answers.chain(attempts));
        let is_omitted = |edge: &&Edge| flow.is_omitted(edge.point, edge.taken);
        let omitted = evaluation.edges.iter().filter(|edge| is_own(edge.origin)).filter(is_omitted);
        let omitted = omitted.map(|edge| edge.gate).collect();
        let callers = self.bodies.map(|bodies| bodies.callers(self.procedure));
        let text = ProcedureFacts {
            callers: callers.unwrap_or(Callers::External),
            parameters: evaluation.passed().map(Gate::node).collect(),
            omitted,
            flow,
            counting,
            expects_failures,
            pointing: pointing(self.module.procedure(self.procedure)),
            giving: giving(self.module, self.module.procedure(self.procedure)),
            standing: evaluation.standing().map(Gate::node).collect(),
            stored: evaluation.stored().map(Gate::node).collect(),
            answered,
        };
        self.facts.insert(Rc::new(text)).clone()
    }

    /// Whether the procedure itself asks whether an allocation has failed, so that it expects others to fail
    /// as well.
    fn expects_failures(&mut self) -> bool {
        let evaluation = self.under.evaluation();
        let own = evaluation.edges.iter().filter(|edge| is_own(edge.origin));
        let own: Vec<Gate> = own.map(|edge| edge.gate).take(MOST_EDGES).collect();
        evaluation.allocations.iter().take(MOST_ALLOCATIONS).any(|attempt| {
            own.iter().any(|&edge| {
                self.query(&[edge, attempt.succeeds]) == QueryAnswer::Unsat
                    && self.query(&[edge]) == QueryAnswer::Sat
            })
        })
    }
}

/// Whether a branch stands in the text of the procedure itself.
pub(crate) fn is_own(origin: Origin) -> bool {
    match origin {
        Origin::Source => true,
        Origin::Macro(_) | Origin::Inlined(_) | Origin::Synthetic => false,
    }
}

/// Whether the life of objects decides about an obligation. That a pointer is null is no excuse then.
pub(crate) fn is_about_life(kind: AssertKind) -> bool {
    matches!(kind, AssertKind::UseAfterFree | AssertKind::DoubleFree | AssertKind::InvalidFree)
}

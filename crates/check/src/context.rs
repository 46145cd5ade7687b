//! A check context: one procedure, the queries that can be asked about it, and the defects reported so far.

use std::collections::BTreeSet;
use std::rc::Rc;

use encode::{
    Condition, Escape, Obligation, Others, QueryAnswer, QuerySession, SolverReason, Witness,
    others, replay, run_on,
};
use interpret::{Execution, Failure, Options, Outcome};
use ir::{AssertKind, CutReason, Module, Origin, PointId, ProcedureId, Span, StatementKind};
use passes::Prepared;
use report::{Extent, FailureKind, Limit, Reason, ReasonClass};

use crate::assumptions::UNTESTED_INPUT;
use crate::blame::Subject;
use crate::bodies::Bodies;
use crate::checkers::{Checker, failure_of};
use crate::clear::Open;
use crate::facts::ProcedureFacts;
use crate::limits::{FAILING_MODELS, FOLLOWED_BEYOND, FOLLOWED_EVENTS, FOLLOWED_STEPS};
use crate::options::{CheckOptions, Proofs};
use crate::rule::Rule;

/// A defect: a rule that the procedure breaks, with the execution that shows it.
#[derive(Clone, Debug)]
pub struct Defect {
    /// The rule that is broken.
    pub rule: Rule,
    /// The kind of failure.
    pub kind: FailureKind,
    /// The obligation that failed, if it is one of the procedure's own.
    pub obligation: Option<PointId>,
    /// The message, in a sentence.
    pub message: String,
    /// The place.
    pub span: Span,
    /// Related places, each with its role.
    pub related: Vec<(Span, String)>,
    /// The evidence: a replayed execution, or a proof if there is none.
    pub evidence: Evidence,
    /// Other executions with the same failure, if the caller wants them.
    pub others: Option<Others>,
    /// The results of functions without body that the execution relies on, in words.
    pub assumptions: Vec<String>,
    /// Which executions fail.
    pub extent: Extent,
    /// The condition under which all executions fail, and its value then, if that is the reason.
    pub condition: Option<(Span, bool)>,
}

/// The evidence of a defect.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// This execution, which the interpreter confirmed, and its witness.
    Run(Box<(Witness, Execution)>),
    /// A proof of this statement.
    Proof(&'static str),
}

/// How loops are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LoopModel {
    /// Loops are unrolled, for the first time or deeper than before.
    Unrolled {
        /// Whether this is the first attempt.
        first: bool,
    },
    /// Loops are abstracted.
    Open,
    /// Loops are unrolled as little as possible, because anything else is too expensive. Executions that pass a
    /// failure may take more iterations, so only values are reported that are never set, whatever the number of
    /// iterations.
    Least,
}

/// The session of the over-approximation, its body, and the properties to decide.
pub(crate) struct OverSession<'c> {
    pub(crate) session: QuerySession<'c>,
    pub(crate) body: &'c Prepared,
    pub(crate) open: &'c Open,
}

/// One procedure under check, for the checkers to query.
pub struct CheckContext<'c> {
    pub(crate) module: &'c Module,
    pub(crate) procedure: ProcedureId,
    /// The under-approximation: every execution of it is an execution of the program.
    pub(crate) under: QuerySession<'c>,
    /// The over-approximation: it contains every execution of the program. It is empty if nothing is to be proved.
    pub(crate) over: QuerySession<'c>,
    /// The properties that are to be proved or refuted for all executions.
    pub(crate) open: &'c Open,
    /// The body of the over-approximation.
    pub(crate) over_body: &'c Prepared,
    pub(crate) options: &'c CheckOptions,
    pub(crate) loop_model: LoopModel,
    /// The program that the procedure's file is part of.
    pub(crate) bodies: Option<&'c dyn Bodies>,
    pub(crate) defects: Vec<Defect>,
    /// Obligations that are already reported.
    pub(crate) reported: BTreeSet<(PointId, AssertKind)>,
    /// Why some query was not decided.
    pub(crate) undecided: BTreeSet<Reason>,
    /// A failure that was not reported because external code decides it.
    pub(crate) external: Option<String>,
    /// The number of models that the interpreter did not confirm.
    pub(crate) unconfirmed: usize,
    /// Facts about the procedure's own text, computed on demand.
    pub(crate) facts: Option<Rc<ProcedureFacts>>,
    /// The executions that leave the scope, followed to their ends, computed on demand.
    beyond: Option<Vec<(Witness, Execution)>>,
}

impl<'c> CheckContext<'c> {
    pub(crate) fn new(
        module: &'c Module,
        procedure: ProcedureId,
        under: QuerySession<'c>,
        described: OverSession<'c>,
        options: &'c CheckOptions,
        loop_model: LoopModel,
    ) -> CheckContext<'c> {
        let OverSession { session: over, body: over_body, open } = described;
        CheckContext {
            module,
            procedure,
            under,
            over,
            open,
            over_body,
            options,
            loop_model,
            bodies: None,
            defects: Vec::new(),
            reported: BTreeSet::new(),
            undecided: BTreeSet::new(),
            external: None,
            unconfirmed: 0,
            facts: None,
            beyond: None,
        }
    }

    /// Reports every obligation of the checker's kinds that some execution violates, each once.
    pub(crate) fn report_failing(&mut self, checker: &dyn Checker) {
        let rule = &checker.rule();
        let selected = |kind: AssertKind| checker.kinds().contains(&kind);
        let policy = &self.options.policy;
        if policy.trust_inputs {
            // If only failures of every execution are reported, inputs are trusted even if they are tested.
            if !policy.definite || !policy.assumptions.has(&UNTESTED_INPUT) {
                self.report_whole_classes(rule, selected);
            }
            return;
        }
        let evaluation = self.under.evaluation();
        // Where heaps make queries hard, one query about all obligations comes first.
        let is_hard = self.options.strategy.symmetry;
        let is_settled = is_hard && self.under.ask(&[evaluation.fails]) == QueryAnswer::Unsat;
        for obligation in evaluation.obligations.iter().filter(|_| !is_settled) {
            let key = (obligation.point, obligation.kind);
            let is_known = self.reported.contains(&key) || self.is_of_known_loop(obligation);
            if !selected(obligation.kind) || is_known {
                continue;
            }
            if self.under.is_spent() {
                self.note_unanswered(&SolverReason::ConflictLimit);
                break;
            }
            if self.query(&[obligation.fails]) == QueryAnswer::Sat
                && self.fails_by_itself(obligation)
            {
                self.report_replayed(rule, obligation);
            }
        }
        // If nothing is to be proved, larger bounds are still to come; and failures beyond the bounds may depend on
        // results of external code.
        let beyond = match self.options.state.proofs {
            Proofs::Full if evaluation.external.is_empty() => self.beyond().to_vec(),
            Proofs::Full | Proofs::PreCheck | Proofs::Off => Vec::new(),
        };
        for (witness, run) in beyond {
            let Outcome::Failed(failure) = &run.outcome else { continue };
            let Some((point, span)) = self.site(failure) else { continue };
            let key = (point, failure.kind);
            if selected(failure.kind) && !self.reported.contains(&key) {
                let Some(assumptions) = self.judged((&witness, &run), key) else {
                    self.unconfirmed += 1;
                    continue;
                };
                let message = sentence(&failure.message, failure.kind);
                let evidence = Evidence::Run(Box::new((witness, run)));
                self.report_obligation(rule, key, message, span, (evidence, assumptions));
            }
        }
    }

    /// Whether an obligation is an invariant of a loop that is known to fail in every execution: the checks before
    /// the loop and after an iteration are two points.
    fn is_of_known_loop(&self, obligation: &Obligation) -> bool {
        let is_around = |defect: &Defect| {
            let (outer, inner) = (defect.span, obligation.span);
            defect.extent.is_every()
                && defect.kind == FailureKind::LoopInvariant
                && outer.file == inner.file
                && outer.start <= inner.start
                && inner.end <= outer.end
        };
        obligation.kind == AssertKind::LoopInvariant && self.defects.iter().any(is_around)
    }

    /// Whether the obligation that fails in the execution just found, simplified, fails from the same inputs
    /// whatever external code returns. If not, the search continues for an execution in which it does. Undecided
    /// cases are noted.
    fn fails_by_itself(&mut self, obligation: &Obligation) -> bool {
        let evaluation = self.under.evaluation();
        let external = &evaluation.external;
        let others: Vec<Condition> =
            evaluation.inputs().filter(|input| !external.contains(input)).collect();
        let edges = evaluation.edges.iter().filter(|edge| edge.origin == Origin::Source);
        let own: Vec<Condition> = edges.map(|edge| edge.gate).collect();
        let mut failing = vec![obligation.fails];
        for _ in 0..FAILING_MODELS {
            self.under.simplify(&failing);
            if external.is_empty() {
                return true;
            }
            let inputs = self.under.same(others.iter().copied());
            let own: Vec<Condition> = self.under.same(own.iter().copied());
            let given = self.under.same(external.iter().copied());
            let passes = [&inputs[..], &[obligation.reached, obligation.condition]].concat();
            let known = match self.under.ask(&passes) {
                QueryAnswer::Unsat => self.is_avoided(obligation, &own, &inputs),
                known => known,
            };
            match known {
                QueryAnswer::Unsat => {
                    let found = [inputs, given, vec![obligation.fails]].concat();
                    return self.query(&found) == QueryAnswer::Sat;
                }
                QueryAnswer::Unknown(_) => break,
                QueryAnswer::Sat => {}
            }
            // An obligation that fails with the present results does not fail for want of them.
            failing = self.under.same(external.iter().copied());
            failing.push(obligation.fails);
            if self.query(&failing) != QueryAnswer::Sat {
                break;
            }
        }
        let what = sentence(&obligation.message, obligation.kind);
        self.external.get_or_insert_with(|| format!("whether {what} depends on external code"));
        false
    }

    /// Whether an execution from the same inputs takes the same sides of the procedure's own branches and does not
    /// fail: then external code decides, on a branch of a callee.
    fn is_avoided(
        &mut self,
        obligation: &Obligation,
        own: &[Condition],
        inputs: &[Condition],
    ) -> QueryAnswer {
        let evaluation = self.under.evaluation();
        let avoiding = [inputs, own, &[!obligation.fails]].concat();
        self.under.ask_any(&avoiding, &[evaluation.ends, evaluation.fails])
    }

    /// Whether gates that hold in the execution just found hold whatever the results of unmodelled operations are,
    /// all else being equal. If so, the execution is found again; if not, that is noted.
    pub(crate) fn is_independent(&mut self, failing: &[Condition], what: &str) -> bool {
        let evaluation = self.under.evaluation();
        let unmodelled = &evaluation.unmodelled;
        let reads = || evaluation.inputs_of(failing).iter().any(|it| unmodelled.contains(it));
        if unmodelled.is_empty() || !reads() {
            return true;
        }
        let others = evaluation.inputs().filter(|input| !unmodelled.contains(input));
        let others = self.under.same(others);
        let given = self.under.same(unmodelled.iter().copied());
        let spared: Vec<Condition> = failing.iter().map(|&gate| !gate).collect();
        let is_independent = self.under.ask_any(&others, &spared) == QueryAnswer::Unsat
            && self.query(&[&others[..], &given, failing].concat()) == QueryAnswer::Sat;
        if !is_independent {
            let why = format!("whether {what} depends on an operation that is not modelled");
            self.undecided.insert(Reason::new(ReasonClass::Unmodelled).because(why));
        }
        is_independent
    }

    /// Reports an obligation that fails in the execution just found, if the failure does not depend on unmodelled
    /// operations and the interpreter confirms it.
    pub(crate) fn report_replayed(&mut self, rule: &Rule, obligation: &Obligation) {
        let what = sentence(&obligation.message, obligation.kind);
        if !self.is_independent(&[obligation.fails], &what) {
            return;
        }
        let mut witness = self.under.witness();
        let run = match self.loop_model {
            // Whether a value was set depends on the procedure alone. Everything else may depend on the effects of
            // callees that are hardly followed.
            LoopModel::Least if !self.is_sure_of(obligation) => {
                self.note_least();
                return;
            }
            LoopModel::Unrolled { .. } | LoopModel::Least => {
                replay(self.module, self.procedure, &witness, &confirming())
            }
            // Its decisions on the path to the failure are those of the abstraction.
            LoopModel::Open => {
                witness.decisions.clear();
                self.run_on(&witness)
            }
        };
        match &run.outcome {
            Outcome::Failed(failure) if failure.kind == obligation.kind => {
                let key = (obligation.point, obligation.kind);
                let Some(assumptions) = self.judged((&witness, &run), key) else {
                    self.unconfirmed += 1;
                    return;
                };
                let message = sentence(&obligation.message, obligation.kind);
                let others = self.others(obligation, &witness);
                // The procedure violates an invariant, not the place where the invariant is written.
                let is_invariant = obligation.kind == AssertKind::Invariant;
                let exit = failure.site.span(self.module).filter(|_| is_invariant);
                let evidence = Evidence::Run(Box::new((witness, run)));
                let call = match obligation.origin {
                    Origin::Inlined(call) => self.call_at(call),
                    Origin::Source | Origin::Macro(_) | Origin::Synthetic => None,
                };
                let span = call.or(exit).unwrap_or(obligation.span);
                self.report_obligation(rule, key, message, span, (evidence, assumptions));
                let Some(defect) = self.defects.last_mut() else { return };
                defect.others = others;
                if call.is_some() && !is_nowhere(obligation.span) {
                    defect.related.push((obligation.span, "fails here".to_owned()));
                } else if exit.is_some_and(|exit| exit != obligation.span) {
                    defect.related.push((obligation.span, "this invariant".to_owned()));
                }
            }
            _ => self.unconfirmed += 1,
        }
    }

    /// Whether a failure within the least bounds can be reported.
    fn is_sure_of(&self, obligation: &Obligation) -> bool {
        let (trust_inputs, inline) = (self.options.policy.trust_inputs, self.options.bounds.inline);
        trust_inputs && inline > 0 && obligation.kind == AssertKind::Uninitialized
    }

    /// Notes that something fails in executions that are not followed far enough to be certain.
    pub(crate) fn note_least(&mut self) {
        let why = "something fails within the least bounds only";
        let limit = Limit::Inline(self.options.bounds.inline);
        self.undecided.insert(Reason::new(ReasonClass::Budget).because(why).limited_by(limit));
    }

    /// The text of the call at a point.
    fn call_at(&self, point: PointId) -> Option<Span> {
        let blocks = self.module.procedure(self.procedure).blocks.iter().flatten();
        let mut statements = blocks.flat_map(|block| &block.statements);
        let call = statements.find(|statement| {
            statement.point == point && matches!(statement.kind, StatementKind::Call { .. })
        })?;
        Some(call.span)
    }

    /// Other confirmed executions in which an obligation fails, if they are wanted.
    fn others(&self, obligation: &Obligation, first: &Witness) -> Option<Others> {
        if self.options.policy.others == 0 {
            return None;
        }
        let (evaluation, most) = (self.under.evaluation(), self.options.policy.others);
        let (solver, limits) = (self.options.solver.options(), self.options.solver.of_query());
        let found = others(self.module, evaluation, obligation.fails, first, most, solver, limits);
        let mut found = found.ok().flatten()?;
        found.witnesses.retain(|witness| {
            let run = replay(self.module, self.procedure, witness, &confirming());
            matches!(&run.outcome, Outcome::Failed(failure) if failure.kind == obligation.kind)
        });
        Some(found)
    }

    /// Reports preconditions that no execution satisfies, all of them once.
    pub(crate) fn report_contradiction(&mut self, rule: &Rule) {
        if !self.open.beginning
            || self.over.ask(&[self.over.evaluation().begins]) != QueryAnswer::Unsat
        {
            return;
        }
        let core = self.core(&Subject::Start, &[]);
        let mut clauses = core.into_iter().flat_map(|core| core.places);
        let Some((span, _)) = clauses.next() else {
            let why = "they contradict each other";
            self.undecided.insert(Reason::new(ReasonClass::Axioms).because(why));
            return;
        };
        let related: Vec<(Span, String)> =
            clauses.map(|(span, _)| (span, "this contradicts it".to_owned())).collect();
        let message = match related.len() {
            0 => "no input satisfies the precondition",
            _ => "no input satisfies the preconditions: they contradict each other",
        };
        self.defects.push(Defect {
            rule: *rule,
            kind: FailureKind::Precondition,
            obligation: None,
            message: message.to_owned(),
            span,
            related,
            evidence: Evidence::Proof("no input meets the preconditions"),
            others: None,
            assumptions: Vec::new(),
            extent: Extent::SomeExecution,
            condition: None,
        });
    }

    fn report_obligation(
        &mut self,
        rule: &Rule,
        key: (PointId, AssertKind),
        message: String,
        span: Span,
        (evidence, assumptions): (Evidence, Vec<String>),
    ) {
        self.reported.insert(key);
        let (rule, kind, related) = (*rule, failure_of(key.1), Vec::new());
        self.defects.push(Defect {
            rule,
            kind,
            obligation: Some(key.0),
            message,
            span,
            related,
            evidence,
            others: None,
            assumptions,
            extent: Extent::SomeExecution,
            condition: None,
        });
    }

    /// The place where an execution of the procedure itself failed.
    pub(crate) fn site(&self, failure: &Failure) -> Option<(PointId, Span)> {
        if failure.site.procedure != self.procedure {
            return None;
        }
        Some((failure.site.point(self.module)?, failure.site.span(self.module)?))
    }

    /// Asks a query about executions of the program; if the solver gives up, that is noted.
    pub(crate) fn query(&mut self, gates: &[Condition]) -> QueryAnswer {
        self.query_any(gates, &[Condition::TRUE])
    }

    /// Whether there is such an execution; if so, the search for simple numbers follows.
    pub(crate) fn query_plainly(&mut self, gates: &[Condition]) -> bool {
        let is_found = self.query(gates) == QueryAnswer::Sat;
        if is_found {
            self.under.simplify(gates);
        }
        is_found
    }

    /// Asks a query in which one of the others has to hold as well.
    pub(crate) fn query_any(&mut self, gates: &[Condition], others: &[Condition]) -> QueryAnswer {
        let known = self.under.ask_any(gates, others);
        if let QueryAnswer::Unknown(reason) = &known {
            self.note_unanswered(reason);
        }
        known
    }

    /// Notes why the solver did not answer.
    pub(crate) fn note_unanswered(&mut self, why: &SolverReason) {
        let solver = &self.options.solver;
        let limit = match why {
            SolverReason::ConflictLimit => Some(Limit::Budget(solver.conflicts)),
            SolverReason::Deadline => solver.time_limit(),
            SolverReason::Interrupted | SolverReason::Uncertified(_) => None,
        };
        let reason = Reason::new(ReasonClass::Budget).because(why.to_string());
        self.undecided.insert(Reason { limit, ..reason });
    }

    /// Some executions that exceed the bound of a loop or of calls, followed to their ends.
    pub(crate) fn beyond(&mut self) -> &[(Witness, Execution)] {
        if self.beyond.is_none() {
            let mut runs = Vec::new();
            for cut in &self.under.evaluation().cuts {
                if runs.len() == FOLLOWED_BEYOND {
                    break;
                }
                if cut.why.is_bound() && self.under.ask(&[cut.gate]) == QueryAnswer::Sat {
                    let witness = self.under.witness();
                    let run = self.run_on(&witness);
                    runs.push((witness, run));
                }
            }
            self.beyond = Some(runs);
        }
        self.beyond.as_deref().unwrap_or_default()
    }

    /// Runs a witness to its end, even beyond the bounds.
    pub(crate) fn run_on(&self, witness: &Witness) -> Execution {
        let options = Options {
            coverage: true,
            steps: FOLLOWED_STEPS,
            trace: FOLLOWED_EVENTS,
            ..confirming()
        };
        run_on(self.module, self.procedure, witness, &options)
    }

    /// Notes that the formula is incomplete within the bounds.
    pub(crate) fn note_size(&mut self) {
        let evaluation = self.under.evaluation();
        if evaluation.cuts.iter().any(|cut| cut.why == Escape::Size) {
            let limit = Limit::Gates(self.options.solver.gates);
            let reason = Reason::new(ReasonClass::Budget).because(Escape::Size.to_string());
            self.undecided.insert(reason.limited_by(limit));
        }
    }

    /// Why the procedure does not count as decided: a construct without meaning lies on a path that executions
    /// take.
    pub(crate) fn unsupported(&mut self) -> Option<String> {
        let evaluation = self.under.evaluation();
        let cuts = evaluation.cuts.iter().filter(|cut| has_no_meaning(&cut.why));
        let mut met = cuts.filter(|cut| self.under.ask(&[cut.gate]) != QueryAnswer::Unsat);
        met.next().map(|cut| cut.why.to_string())
    }
}

/// Whether an execution is cut off at a construct without meaning, and not because it exceeds a bound.
pub(crate) fn has_no_meaning(why: &Escape) -> bool {
    match why {
        Escape::Cut(CutReason::Unrolling(_) | CutReason::Inlining(_))
        | Escape::Integer
        | Escape::Sequence
        | Escape::Column
        | Escape::Atoms
        | Escape::Torn
        | Escape::Undefined
        | Escape::Size => false,
        Escape::Cut(CutReason::Unsupported(_))
        | Escape::UnboundedMaps
        | Escape::UnboundedQuantifier
        | Escape::Type(_)
        | Escape::Operation(_)
        | Escape::Recursion => true,
    }
}

/// Whether there is no source text: the models of libraries have none.
pub(crate) fn is_nowhere(span: Span) -> bool {
    span.start == 0 && span.end == 0
}

/// The options for confirming a defect: all specifications are evaluated.
pub(crate) fn confirming() -> Options {
    Options { facts: true, ..Options::default() }
}

/// The message of a failed obligation that has none of its own.
pub fn sentence(message: &str, kind: AssertKind) -> String {
    if !message.is_empty() {
        return message.to_owned();
    }
    failure_of(kind).sentence().to_owned()
}

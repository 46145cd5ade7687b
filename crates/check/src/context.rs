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
use report::{Extent, Limit, Reason, ReasonClass};

use crate::assumptions::UNTESTED_INPUT;
use crate::blame::Subject;
use crate::bodies::Bodies;
use crate::checkers::{Checker, kind_of};
use crate::clear::Open;
use crate::evidence::EvidenceMap;
use crate::facts::ProcedureFacts;
use crate::options::{CheckOptions, Proofs};
use crate::rule::Rule;

/// How many runs that leave the scope are followed to their ends.
const BEYOND: usize = 4;

/// How many statements such a run may execute: loops that go round a hundred thousand times come to an
/// end.
const BEYOND_STEPS: u64 = 500_000;

/// How many events of such a run are kept to be told.
const BEYOND_EVENTS: usize = 400;

/// So many runs are looked at to find one that fails whatever external code does.
const GUESSES: usize = 8;

/// A defect: a rule that the procedure breaks, with the execution that shows it.
#[derive(Clone, Debug)]
pub struct Defect {
    /// The rule that is broken.
    pub rule: Rule,
    /// Which obligation failed, if one did.
    pub kind: Option<AssertKind>,
    /// What is wrong, in a sentence.
    pub message: String,
    /// Where.
    pub span: Span,
    /// Other places that have to do with it, and how.
    pub related: Vec<(Span, String)>,
    /// Why it is so, in place of a run if there is none.
    pub evidence: Evidence,
    /// Further runs that fail alike, if somebody wants to know.
    pub others: Option<Others>,
    /// The answers of functions without body that the run relies on, in words.
    pub assumptions: Vec<String>,
    /// Which executions fail.
    pub extent: Extent,
    /// The condition under which all do, and what it is then, if that is the reason.
    pub condition: Option<(Span, bool)>,
}

/// The evidence of a defect.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// This run, which the interpreter has confirmed, and what it started from.
    Run(Box<(Witness, Execution)>),
    /// A proof of what is said here.
    Proof(&'static str),
}

/// How the runs of a case came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LoopModel {
    /// Loops are unrolled, for the first time or deeper than before.
    Unrolled {
        /// Whether nobody has looked before.
        first: bool,
    },
    /// Loops are left open.
    Open,
    /// Loops are unrolled as little as can be, because all else is too dear. What gets past a failure may go
    /// round more often, so only values are reported that are never set however often loops go round.
    Least,
}

/// What can be asked about all runs, in which body, and what of that is to be asked.
pub(crate) struct Described<'c> {
    pub(crate) inquiry: QuerySession<'c>,
    pub(crate) body: &'c Prepared,
    pub(crate) open: &'c Open,
}

/// Everything that checkers may ask about a procedure.
pub struct CheckContext<'c> {
    pub(crate) module: &'c Module,
    pub(crate) procedure: ProcedureId,
    /// The evaluation in which every run is a run of the program.
    pub(crate) under: QuerySession<'c>,
    /// The evaluation in which every run of the program is described; of nothing if nothing is to be proved.
    pub(crate) over: QuerySession<'c>,
    /// What is to be proved or refuted of all runs.
    pub(crate) open: &'c Open,
    /// The body that the latter evaluates.
    pub(crate) over_body: &'c Prepared,
    pub(crate) options: &'c CheckOptions,
    pub(crate) loop_model: LoopModel,
    /// The obligations that the policy could report, where inputs are trusted.
    pub(crate) with_evidence: Option<EvidenceMap>,
    /// The program that the procedure's file is part of.
    pub(crate) bodies: Option<&'c dyn Bodies>,
    pub(crate) defects: Vec<Defect>,
    /// Obligations that are reported already.
    pub(crate) reported: BTreeSet<(PointId, AssertKind)>,
    /// Why some question was not decided.
    pub(crate) undecided: BTreeSet<Reason>,
    /// What was not reported because external code decides it.
    pub(crate) external: Option<String>,
    /// How many models the interpreter did not confirm.
    pub(crate) unconfirmed: usize,
    /// What is to be known of the procedure's own text, once somebody has asked for it.
    pub(crate) facts: Option<Rc<ProcedureFacts>>,
    /// The runs that leave the scope, followed to their ends, once somebody has asked for them.
    beyond: Option<Vec<(Witness, Execution)>>,
}

impl<'c> CheckContext<'c> {
    pub(crate) fn new(
        module: &'c Module,
        procedure: ProcedureId,
        under: QuerySession<'c>,
        described: Described<'c>,
        options: &'c CheckOptions,
        loop_model: LoopModel,
    ) -> CheckContext<'c> {
        let Described { inquiry: over, body: over_body, open } = described;
        CheckContext {
            module,
            procedure,
            under,
            over,
            open,
            over_body,
            options,
            loop_model,
            with_evidence: None,
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

    /// Charges every obligation of the checker's kinds that some run does not meet, each once.
    pub(crate) fn report_failing(&mut self, checker: &dyn Checker) {
        let rule = &checker.rule();
        let selected = |kind: AssertKind| checker.kinds().iter().any(|one| one.kind == kind);
        let policy = &self.options.policy;
        if policy.trust_inputs {
            // Where only what fails in every execution is reported, inputs are trusted even if they are tested.
            if !policy.definite || !policy.assumptions.has(&UNTESTED_INPUT) {
                self.report_whole_classes(rule, selected);
            }
            return;
        }
        let evaluation = self.under.evaluation();
        // Where heaps make questions hard, one that is about everything comes first.
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
        // Larger bounds are still to come if nothing is to be proved; and what code gives that is not there could be
        // to blame for what is found there.
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

    /// Whether an obligation is an invariant of a loop of which it is known that it fails in every execution: before
    /// the loop and after an iteration are two points.
    fn is_of_known_loop(&self, obligation: &Obligation) -> bool {
        let is_around = |defect: &Defect| {
            let (outer, inner) = (defect.span, obligation.span);
            defect.extent.is_every()
                && defect.kind == Some(AssertKind::LoopInvariant)
                && outer.file == inner.file
                && outer.start <= inner.start
                && inner.end <= outer.end
        };
        obligation.kind == AssertKind::LoopInvariant && self.defects.iter().any(is_around)
    }

    /// Whether an obligation that fails in the run just found, of which a plain one is made, fails from the same inputs
    /// whatever is given by code that is not there; if not, a run is looked for that does. What cannot be told is
    /// noted.
    fn fails_by_itself(&mut self, obligation: &Obligation) -> bool {
        let evaluation = self.under.evaluation();
        let external = &evaluation.external;
        let others: Vec<Condition> =
            evaluation.inputs().filter(|input| !external.contains(input)).collect();
        let edges = evaluation.edges.iter().filter(|edge| edge.origin == Origin::Source);
        let own: Vec<Condition> = edges.map(|edge| edge.gate).collect();
        let mut failing = vec![obligation.fails];
        for _ in 0..GUESSES {
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
            // What fails with what was just given does not fail for want of that.
            failing = self.under.same(external.iter().copied());
            failing.push(obligation.fails);
            if self.query(&failing) != QueryAnswer::Sat {
                break;
            }
        }
        let what = sentence(&obligation.message, obligation.kind);
        self.external.get_or_insert_with(|| format!("external code decides whether {what}"));
        false
    }

    /// Whether there is a run from the same inputs that takes the same sides of the procedure's own branches and yet
    /// does not fail: then code that is not there decides, on a branch of a callee.
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

    /// Whether gates that hold in the run just found hold whatever is given by operations that are not modelled,
    /// all else being as it is. If so, the run is found again; if not, that is noted.
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
            let why = format!("an operation that is not modelled decides whether {what}");
            self.undecided.insert(Reason::new(ReasonClass::Unmodelled).because(why));
        }
        is_independent
    }

    /// Charges an obligation that fails in the run just found, if that does not depend on what is not modelled and
    /// the interpreter confirms it.
    pub(crate) fn report_replayed(&mut self, rule: &Rule, obligation: &Obligation) {
        let what = sentence(&obligation.message, obligation.kind);
        if !self.is_independent(&[obligation.fails], &what) {
            return;
        }
        let mut witness = self.under.witness();
        let run = match self.loop_model {
            // Whether a value was set is the procedure's own business; all else may be up to what callees do that
            // are hardly followed.
            LoopModel::Least if !self.is_sure_of(obligation) => {
                self.note_least();
                return;
            }
            LoopModel::Unrolled { .. } | LoopModel::Least => {
                replay(self.module, self.procedure, &witness, &confirming())
            }
            // Its decisions on the path to the failure are those of the abstraction.
            LoopModel::Open => {
                witness.answers.clear();
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
                // An invariant is broken by the procedure, not where it is written.
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
                    defect.related.push((obligation.span, "this fails".to_owned()));
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

    /// Notes that something fails in runs that are not followed far enough to be sure.
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

    /// Other runs in which an obligation fails, each confirmed, if they are asked for.
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

    /// Charges preconditions that no run meets, all together once.
    pub(crate) fn report_contradiction(&mut self, rule: &Rule) {
        if !self.open.beginning
            || self.over.ask(&[self.over.evaluation().begins]) != QueryAnswer::Unsat
        {
            return;
        }
        let core = self.core(&Subject::Beginning, &[]);
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
            kind: Some(AssertKind::Precondition),
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
        let (rule, kind, related) = (*rule, Some(key.1), Vec::new());
        self.defects.push(Defect {
            rule,
            kind,
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

    /// Where a run of the procedure itself failed.
    pub(crate) fn site(&self, failure: &Failure) -> Option<(PointId, Span)> {
        if failure.site.procedure != self.procedure {
            return None;
        }
        Some((failure.site.point(self.module)?, failure.site.span(self.module)?))
    }

    /// What is known of a question about runs of the program; that the solver gave up is noted.
    pub(crate) fn query(&mut self, gates: &[Condition]) -> QueryAnswer {
        self.query_any(gates, &[Condition::TRUE])
    }

    /// Whether there is such a run; then one with plain numbers is found.
    pub(crate) fn query_plainly(&mut self, gates: &[Condition]) -> bool {
        let is_found = self.query(gates) == QueryAnswer::Sat;
        if is_found {
            self.under.simplify(gates);
        }
        is_found
    }

    /// What is known of a question and of one of the others holding as well.
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

    /// Some runs that go round a loop, or call, more often than the bounds allow, followed to their ends.
    pub(crate) fn beyond(&mut self) -> &[(Witness, Execution)] {
        if self.beyond.is_none() {
            let mut runs = Vec::new();
            for cut in &self.under.evaluation().cuts {
                if runs.len() == BEYOND {
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

    /// Runs a witness to its end, wherever that is.
    pub(crate) fn run_on(&self, witness: &Witness) -> Execution {
        let options =
            Options { coverage: true, steps: BEYOND_STEPS, trace: BEYOND_EVENTS, ..confirming() };
        run_on(self.module, self.procedure, witness, &options)
    }

    /// Notes if the formula does not say all there is to say within the bounds.
    pub(crate) fn note_size(&mut self) {
        let evaluation = self.under.evaluation();
        if evaluation.cuts.iter().any(|cut| cut.why == Escape::Size) {
            let limit = Limit::Gates(self.options.solver.gates);
            let reason = Reason::new(ReasonClass::Budget).because(Escape::Size.to_string());
            self.undecided.insert(reason.limited_by(limit));
        }
    }

    /// Why the procedure does not count as decided: something that has no meaning here lies on a
    /// path that runs take.
    pub(crate) fn unsupported(&mut self) -> Option<String> {
        let evaluation = self.under.evaluation();
        let cuts = evaluation.cuts.iter().filter(|cut| has_no_meaning(&cut.why));
        let mut met = cuts.filter(|cut| self.under.ask(&[cut.gate]) != QueryAnswer::Unsat);
        met.next().map(|cut| cut.why.to_string())
    }
}

/// Whether a run is left because something has no meaning here, and not because it goes too far.
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

/// Whether there is no text there: nobody wrote what a model of a library does.
pub(crate) fn is_nowhere(span: Span) -> bool {
    span.start == 0 && span.end == 0
}

/// How a defect is confirmed: everything that must hold is evaluated.
pub(crate) fn confirming() -> Options {
    Options { facts: true, ..Options::default() }
}

/// What to say of a failed obligation that came without a message.
pub fn sentence(message: &str, kind: AssertKind) -> String {
    if !message.is_empty() {
        return message.to_owned();
    }
    kind_of(kind).failure.to_owned()
}

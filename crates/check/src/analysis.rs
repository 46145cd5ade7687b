//! The analysis of one procedure: prepare, evaluate, ask every query, with loops unrolled further and further
//! (`search/unrolling.rs`).
//!
//! [`Analysis::run`] is the inner search. It keeps one description of all executions, the over-approximation, for all its
//! steps, and one list of results.

use std::collections::BTreeSet;

use encode::{Direction, Escape, Evaluation, QuerySession, Scope, evaluate};
use ir::{AssertKind, CutReason, PointId, Procedure, ProcedureId};
use passes::Prepared;
use report::{Finding, Limit, Reason};

use crate::checkers::Checker;
use crate::clear::{Open, left_open};
use crate::context::{CheckContext, LoopModel, OverSession};
use crate::examine::{Effort, Program};
use crate::explain::explain;
use crate::limits::{FRUITLESS_PRE_CHECKS, LONG_ARRAY_GATES};
use crate::options::{CheckOptions, Proofs};
use crate::search::{self, UnrollOutcome, UnrollStep, Unrolling};
use crate::vacuity::{Missed, Spot, missed, watch};

/// A procedure under analysis.
pub(crate) struct Analysis<'p> {
    pub(crate) program: &'p Program<'p>,
    pub(crate) procedure: ProcedureId,
    pub(crate) checkers: &'p [&'p dyn Checker],
    pub(crate) results: Results,
}

/// The results so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Results {
    pub(crate) findings: Vec<Finding>,
    reported: BTreeSet<(PointId, AssertKind)>,
    /// Why some query was not answered.
    pub(crate) undecided: BTreeSet<Reason>,
    /// An unsupported construct on some path.
    pub(crate) unsupported: Option<String>,
    /// How many models the interpreter did not confirm.
    pub(crate) unconfirmed: usize,
    pub(crate) effort: Effort,
    /// Whether bounded executions leave nothing open about all executions.
    pub(crate) is_clear: bool,
    /// Whether the bounds cut some execution.
    pub(crate) is_cut: bool,
    /// The techniques that reduced the initial heaps.
    pub(crate) techniques: Vec<String>,
    /// Why.
    pub(crate) cut: Option<String>,
    /// By which limit.
    pub(crate) limit: Option<Limit>,
    /// A failure that was not reported because an unknown function decides it.
    pub(crate) external: Option<String>,
    /// Whether some execution ends, or may.
    pub(crate) ends: bool,
    /// The places that executions reach.
    reached: BTreeSet<Spot>,
    /// The places that no execution is known to reach, within the largest bounds so far.
    pub(crate) missed: Vec<Missed>,
}

/// The outcome of checking one evaluation.
#[derive(Clone, Copy, Default)]
pub(crate) struct Checked {
    gates: usize,
    /// Whether the bounds cut a loop that may be unrolled further.
    is_cut: bool,
    /// Whether the budget is exhausted.
    is_spent: bool,
    /// Whether every query was answered.
    is_decided: bool,
}

/// The description of all executions. It can be expensive, so it is made only if something is to be proved.
pub(crate) struct OverApproximation {
    body: Prepared,
    evaluation: Evaluation,
    /// The properties to be proved or refuted.
    open: Open,
}

impl Results {
    /// Notes why the bounds cut some execution, if they do.
    pub(crate) fn note_cut(&mut self, cut: Option<(String, Option<Limit>)>) {
        self.is_cut |= cut.is_some();
        (self.cut, self.limit) = match cut {
            Some((why, limit)) => (Some(why), limit),
            None => (None, None),
        };
    }

    /// The reasons for which something is unknown, and the details.
    fn unknown(&self) -> (BTreeSet<Reason>, Option<String>) {
        (self.undecided.clone(), self.unsupported.clone())
    }
}

impl Analysis<'_> {
    /// The queries about all executions that bounded executions leave open.
    fn left_open(&self, bounded: &mut QuerySession<'_>, options: &CheckOptions) -> Open {
        if !self.checkers.iter().any(|checker| checker.asks_about_all_runs()) {
            let begins = bounded.evaluation().begins;
            let beginning = bounded.ask(&[begins]) != encode::QueryAnswer::Sat;
            return Open { beginning, ..Open::default() };
        }
        let patience = if options.bounds.unrolls_further() { FRUITLESS_PRE_CHECKS } else { 1 };
        left_open(bounded, self.program.module.procedure(self.procedure), patience)
    }

    /// Describes all executions, as far as something is to be proved of them.
    pub(crate) fn over_approximation(
        &self,
        open: Open,
        options: &CheckOptions,
    ) -> OverApproximation {
        let body = match open.is_empty() {
            true => nothing(self.program.module.procedure(self.procedure)),
            false => self.prepared(options, Direction::Over),
        };
        let evaluation = evaluation(self.program, &body, options, Direction::Over);
        OverApproximation { body, evaluation, open }
    }

    /// Checks the procedure within growing numbers of iterations, and returns the bounds within which every query was
    /// answered, or else the last.
    pub(crate) fn run(
        &mut self,
        options: &CheckOptions,
        observer: &mut dyn FnMut(&QuerySession<'_>),
    ) -> Result<CheckOptions, encode::SolverError> {
        let program = self.program;
        let body = self.prepared(options, Direction::Under);
        let mut scope = options.strategy.scope(program.module, &body.procedure, options);
        self.results.techniques = techniques(&scope);
        if let Some(shapes) = self.shapes(&body, &scope, options)? {
            self.results.techniques.extend(match shapes.len() {
                0 => None,
                1 => Some("1 shape".to_owned()),
                count => Some(format!("{count} shapes")),
            });
            return self.check_each_shape(&shapes, &body, &scope, options, observer);
        }
        self.tighten(&body, &mut scope, options)?;
        let evaluation = evaluate(program.module, &body.procedure, &body.calls, &scope);
        let mut bounded = session(program, &evaluation, options)?;
        if self.reports_vacuity(options) {
            watch(&mut bounded, program.module.procedure(self.procedure));
        }
        if options.strategy.symmetry {
            self.results.note_cut(cut_by(&mut bounded, options));
            self.results.ends = ends(&mut bounded);
            if self.results.is_cut && options.state.defer_if_cut {
                return Ok(options.clone());
            }
        }
        let open = match options.state.proofs {
            Proofs::Off => Open::default(),
            Proofs::PreCheck => {
                self.results.is_clear = self.left_open(&mut bounded, options).is_empty();
                Open::default()
            }
            Proofs::Full => self.left_open(&mut bounded, options),
        };
        let over = self.over_approximation(open, options);
        let has_longer = evaluation.cuts.iter().any(|cut| {
            cut.why == Escape::Column && bounded.ask(&[cut.gate]) != encode::QueryAnswer::Unsat
        });

        let mut first = Some(bounded);
        let mut statements = body.size();
        let schedule = search::run(Unrolling::new(options), |step: &UnrollStep| {
            let UnrollStep { options, loops } = step;
            if let Some(bounded) = first.take() {
                let checked = self.check_evaluation(bounded, &over, options, *loops, observer)?;
                if has_longer {
                    self.check_longer_arrays(&body, &over, options, observer)?;
                }
                return Ok(self.outcome(checked, statements));
            }
            self.check_step(step, &over, &mut statements, observer)
        })?;
        Ok(schedule.reached)
    }

    /// Takes a step after the first. If it has no answer, what was unknown before stays as it was.
    fn check_step(
        &mut self,
        step: &UnrollStep,
        over: &OverApproximation,
        statements: &mut usize,
        observer: &mut dyn FnMut(&QuerySession<'_>),
    ) -> Result<UnrollOutcome, encode::SolverError> {
        let UnrollStep { options, loops } = step;
        let direction = match loops {
            LoopModel::Unrolled { .. } | LoopModel::Least => Direction::Under,
            LoopModel::Open => Direction::Over,
        };
        let body = self.prepared(options, direction);
        let before = std::mem::replace(statements, body.size());
        match loops {
            LoopModel::Unrolled { .. } => {
                let unknown = self.results.unknown();
                let checked = self.check_body(&body, over, options, *loops, observer)?;
                if !checked.is_decided {
                    (self.results.undecided, self.results.unsupported) = unknown;
                }
                Ok(self.outcome(checked, *statements))
            }
            LoopModel::Open => {
                let checked = self.check_body(&body, over, options, *loops, &mut |_| {})?;
                Ok(self.outcome(checked, *statements))
            }
            // The same body has the same answer.
            LoopModel::Least if body.size() == before => {
                Ok(self.outcome(Checked::default(), *statements))
            }
            LoopModel::Least => {
                let checked = self.check_body(&body, over, options, *loops, observer)?;
                Ok(self.outcome(checked, *statements))
            }
        }
    }

    fn outcome(&self, checked: Checked, statements: usize) -> UnrollOutcome {
        let Checked { gates, is_cut, is_spent, is_decided } = checked;
        let has_findings = !self.results.findings.is_empty();
        UnrollOutcome { statements, gates, is_cut, is_spent, is_decided, has_findings }
    }

    /// Checks arrays that are longer than the scope lists, unless the formula is too large.
    fn check_longer_arrays(
        &mut self,
        body: &Prepared,
        over: &OverApproximation,
        options: &CheckOptions,
        observer: &mut dyn FnMut(&QuerySession<'_>),
    ) -> Result<(), encode::SolverError> {
        let longer = evaluation(self.program, body, options, Direction::Under);
        if longer.size() > LONG_ARRAY_GATES {
            self.results.cut.get_or_insert_with(|| Escape::Column.to_string());
        } else {
            let mut longer = session(self.program, &longer, options)?;
            self.results.ends |= ends(&mut longer);
            let unknown = self.results.unknown();
            self.check_evaluation(
                longer,
                over,
                options,
                LoopModel::Unrolled { first: false },
                observer,
            )?;
            (self.results.undecided, self.results.unsupported) = unknown;
        }
        Ok(())
    }

    /// Whether to report what no execution reaches. Where heaps are checked by their sizes, or one by one, no single
    /// step knows.
    fn reports_vacuity(&self, options: &CheckOptions) -> bool {
        options.policy.vacuity && !options.strategy.symmetry
    }

    fn prepared(&self, options: &CheckOptions, direction: Direction) -> Prepared {
        let (module, effects) = (self.program.module, &self.program.effects);
        match direction {
            Direction::Under => {
                passes::for_under(module, effects, self.procedure, &options.depth())
            }
            Direction::Over => passes::for_over(module, effects, self.procedure, &options.depth()),
        }
    }

    /// Asks all queries about a prepared body.
    fn check_body(
        &mut self,
        body: &Prepared,
        over: &OverApproximation,
        options: &CheckOptions,
        loop_model: LoopModel,
        observer: &mut dyn FnMut(&QuerySession<'_>),
    ) -> Result<Checked, encode::SolverError> {
        let evaluation = evaluation(self.program, body, options, Direction::Under);
        let bounded = session(self.program, &evaluation, options)?;
        self.check_evaluation(bounded, over, options, loop_model, observer)
    }

    /// Asks all queries about one evaluation.
    pub(crate) fn check_evaluation(
        &mut self,
        bounded: QuerySession<'_>,
        over: &OverApproximation,
        options: &CheckOptions,
        loop_model: LoopModel,
        observer: &mut dyn FnMut(&QuerySession<'_>),
    ) -> Result<Checked, encode::SolverError> {
        let module = self.program.module;
        let subject = module.procedure(self.procedure);
        let mut bounded = bounded;
        let reports_vacuity = self.reports_vacuity(options);
        if reports_vacuity {
            watch(&mut bounded, subject);
        }
        let under = bounded.evaluation();
        let described = OverSession {
            session: session(self.program, &over.evaluation, options)?,
            body: &over.body,
            open: &over.open,
        };
        let mut context =
            CheckContext::new(module, self.procedure, bounded, described, options, loop_model);
        context.bodies = self.program.bodies;
        context.reported = std::mem::take(&mut self.results.reported);
        for checker in self.checkers {
            checker.check(&mut context);
        }
        context.note_size();
        let bounds = options.bounds.stated();
        let defects = context.defects.iter();
        let findings = defects.map(|defect| explain(self.program, self.procedure, defect, &bounds));
        self.results.findings.extend(findings);
        let checked = Checked {
            gates: under.size(),
            is_cut: options.bounds.unrolls_further() && is_cut(&mut context),
            is_spent: context.under.is_spent(),
            is_decided: context.undecided.is_empty(),
        };
        match loop_model {
            LoopModel::Unrolled { .. } if reports_vacuity => {
                self.results.missed =
                    missed(&mut context.under, subject, &mut self.results.reached);
            }
            LoopModel::Unrolled { .. } | LoopModel::Open | LoopModel::Least => {}
        }
        match loop_model {
            LoopModel::Unrolled { .. } | LoopModel::Least => {
                self.results.unsupported = context.unsupported();
                self.results.external = context.external.take().or(self.results.external.take());
                self.results.undecided = std::mem::take(&mut context.undecided);
                self.results.unconfirmed += context.unconfirmed;
            }
            LoopModel::Open => {}
        }
        self.results.reported = std::mem::take(&mut context.reported);
        observer(&context.under);
        observer(&context.over);
        let points = under.points.len().max(over.evaluation.points.len());
        self.results.effort.points = points + under.edges.len().max(over.evaluation.edges.len());
        let mut tally = context.under.tally();
        tally += context.over.tally();
        self.results.effort.queries += tally.asked();
        self.results.effort.solved += tally.solved();
        Ok(checked)
    }
}

/// Why the bounds cut some execution, if they do, and the bound that does it.
pub(crate) fn cut_by(
    bounded: &mut QuerySession<'_>,
    options: &CheckOptions,
) -> Option<(String, Option<Limit>)> {
    let evaluation = bounded.evaluation();
    if bounded.ask(&[evaluation.goes_on]) == encode::QueryAnswer::Unsat {
        return None;
    }
    let mut cuts = evaluation.cuts.iter().filter(|cut| cut.why.is_bound());
    let cut = cuts.find(|cut| bounded.ask(&[cut.gate]) != encode::QueryAnswer::Unsat);
    let Some(cut) = cut else {
        return Some(("the execution goes beyond the bounds".to_owned(), None));
    };
    let limit = match &cut.why {
        Escape::Cut(CutReason::Unrolling(_)) => Some(Limit::Unroll(options.bounds.unroll)),
        Escape::Cut(CutReason::Inlining(_)) => Some(Limit::Inline(options.bounds.inline)),
        _ => None,
    };
    Some((cut.why.to_string(), limit))
}

/// Whether some execution may end, or fail.
pub(crate) fn ends(bounded: &mut QuerySession<'_>) -> bool {
    let evaluation = bounded.evaluation();
    let mut may = |gate| bounded.ask(&[gate]) != encode::QueryAnswer::Unsat;
    may(evaluation.ends) || may(evaluation.fails)
}

/// Evaluates a prepared procedure within the bounds, or beyond them.
fn evaluation(
    program: &Program<'_>,
    body: &Prepared,
    options: &CheckOptions,
    direction: Direction,
) -> Evaluation {
    evaluate(program.module, &body.procedure, &body.calls, &options.scope(direction))
}

pub(crate) fn session<'e>(
    program: &Program<'e>,
    evaluation: &'e Evaluation,
    options: &CheckOptions,
) -> Result<QuerySession<'e>, encode::SolverError> {
    let solver = &options.solver;
    QuerySession::new(program.module, evaluation, solver.options(), solver.of_query())
}

/// Whether the bounds cut a loop.
fn is_cut(context: &mut CheckContext<'_>) -> bool {
    let cuts = context.under.evaluation().cuts.iter();
    let mut cuts = cuts.filter(|cut| matches!(cut.why, Escape::Cut(CutReason::Unrolling(_))));
    cuts.any(|cut| context.under.ask(&[cut.gate]) != encode::QueryAnswer::Unsat)
}

/// A procedure of the same signature that does nothing.
fn nothing(procedure: &Procedure) -> Prepared {
    let contract = ir::Contract::default();
    let procedure = Procedure { contract, ..bounds::preconditions(procedure) };
    Prepared { procedure, calls: Vec::new(), notes: Vec::new() }
}

/// The techniques that reduce the initial heaps of a scope, by name.
fn techniques(scope: &Scope) -> Vec<String> {
    let heaps = &scope.heaps;
    let used = [
        ("symmetry", heaps.canonical),
        ("order", !heaps.compared.is_empty()),
        ("links", heaps.links),
    ];
    used.into_iter().filter(|(_, is_used)| *is_used).map(|(name, _)| name.to_owned()).collect()
}

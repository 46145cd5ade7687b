//! The inquest into one procedure: its loops are followed further and further, until all is known that can
//! be, or it costs too much.
//!
//! Few iterations come first, so that what is found is told with few. Where runs are cut because they go
//! round more often, more are followed, as far as the limits allow. What is behind a loop that goes round
//! more often than that is looked at with the loop left open (paper 2, §6.6): what it may have changed has
//! any value. A failure found so is a guess, and counts if a run of the program, from the same inputs, comes
//! to it.

use std::collections::BTreeSet;

use encode::{Direction, Escape, Evaluation, QuerySession, evaluate};
use ir::{AssertKind, CutReason, PointId, Procedure, ProcedureId};
use passes::Prepared;
use report::{Finding, ReasonClass};

use crate::checkers::Checker;
use crate::clear::{Open, left_open};
use crate::context::{CheckContext, Described, LoopModel};
use crate::examine::{Effort, Program};
use crate::explain::explain;
use crate::options::{CheckOptions, Proofs};
use crate::vacuity::{Missed, Spot, missed, watch};

/// Each time so many times as many iterations are followed.
const STEP: u32 = 3;

/// Where the formula has more gates, loops are not followed further.
const LARGE: usize = 20_000;

/// Where procedures are many, so many questions about bounded runs may be in vain before all runs are
/// described.
const PATIENCE: usize = 6;

/// A procedure under examination.
pub(crate) struct Analysis<'p> {
    pub(crate) program: &'p Program<'p>,
    pub(crate) procedure: ProcedureId,
    pub(crate) checkers: &'p [&'p dyn Checker],
    pub(crate) known: Known,
}

/// What is known so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub(crate) findings: Vec<Finding>,
    reported: BTreeSet<(PointId, AssertKind)>,
    /// Why some question was not decided.
    pub(crate) undecided: BTreeSet<(ReasonClass, String)>,
    /// What on some path has no meaning here.
    pub(crate) unsupported: Option<String>,
    /// How many models the interpreter did not confirm.
    pub(crate) unconfirmed: usize,
    pub(crate) effort: Effort,
    /// Whether bounded runs that end leave nothing to be asked about all runs.
    pub(crate) is_clear: bool,
    /// Whether some run goes further than it is followed.
    pub(crate) goes_on: bool,
    /// What was done to look at fewer initial heaps.
    pub(crate) ways: Vec<String>,
    /// Why it is not followed.
    pub(crate) cut: Option<String>,
    /// What was not charged because code that is not there decides it.
    pub(crate) external: Option<String>,
    /// Whether some run comes to an end, or may.
    pub(crate) ends: bool,
    /// What runs reach.
    reached: BTreeSet<Spot>,
    /// What none is known to reach, within the largest bounds so far.
    pub(crate) missed: Vec<Missed>,
}

/// What was seen at one depth.
pub(crate) struct Seen {
    gates: usize,
    /// Whether runs go round a loop more often, and may be followed.
    is_cut: bool,
    /// Whether the budget is used up.
    is_spent: bool,
    /// Whether every question was answered.
    is_decided: bool,
}

/// The description of all runs, which can be dear, so that it is made only if something is to be proved.
pub(crate) struct All {
    body: Prepared,
    evaluation: Evaluation,
    /// What is to be proved or refuted.
    open: Open,
}

impl Analysis<'_> {
    /// What bounded runs leave open of what is asked about all runs.
    fn left_open(&self, bounded: &mut QuerySession<'_>, options: &CheckOptions) -> Open {
        if !self.checkers.iter().any(|checker| checker.asks_about_all_runs()) {
            let begins = bounded.evaluation().begins;
            let beginning = bounded.ask(&[begins]) != encode::QueryAnswer::Sat;
            return Open { beginning, ..Open::default() };
        }
        let patience = if options.bounds.unrolls_further() { PATIENCE } else { 1 };
        left_open(bounded, self.program.module.procedure(self.procedure), patience)
    }

    /// Describes all runs, as far as something is to be proved of them.
    pub(crate) fn all(&self, open: Open, options: &CheckOptions) -> All {
        let body = match open.is_empty() {
            true => nothing(self.program.module.procedure(self.procedure)),
            false => self.prepared(options, Direction::Over),
        };
        let evaluation = evaluation(self.program, &body, options, Direction::Over);
        All { body, evaluation, open }
    }

    /// Looks deeper and deeper, and says within which bounds everything was answered, or else within which
    /// it was not.
    pub(crate) fn hold(
        &mut self,
        options: &CheckOptions,
        audience: &mut dyn FnMut(&QuerySession<'_>),
    ) -> Result<CheckOptions, encode::SolverError> {
        let program = self.program;
        let mut body = self.prepared(options, Direction::Under);
        let mut scope = options.strategy.scope(program.module, &body.procedure, options);
        if scope.heaps.canonical {
            self.known.ways.push("symmetry".to_owned());
        }
        if !scope.heaps.compared.is_empty() {
            self.known.ways.push("order".to_owned());
        }
        if scope.heaps.links {
            self.known.ways.push("links".to_owned());
        }
        if let Some(shapes) = self.shapes(&body, &scope, options)? {
            self.known.ways.extend(match shapes.len() {
                0 => None,
                1 => Some("1 shape".to_owned()),
                count => Some(format!("{count} shapes")),
            });
            return self.hold_for_each(&shapes, &body, &scope, options, audience);
        }
        self.tighten(&body, &mut scope, options)?;
        let first = evaluate(program.module, &body.procedure, &body.calls, &scope);
        let is_unrolling = options.bounds.unrolls_further();
        let mut bounded = inquiry(program, &first, options)?;
        if self.looks_for_vacuity(options) {
            watch(&mut bounded, program.module.procedure(self.procedure));
        }
        if options.strategy.symmetry {
            self.known.cut = cut_by(&mut bounded);
            self.known.goes_on = self.known.cut.is_some();
            self.known.ends = ends(&mut bounded);
            if self.known.goes_on && options.state.defer_if_cut {
                return Ok(options.clone());
            }
        }
        let open = match options.state.proofs {
            Proofs::Off => Open::default(),
            Proofs::PreCheck => {
                self.known.is_clear = self.left_open(&mut bounded, options).is_empty();
                Open::default()
            }
            Proofs::Full => self.left_open(&mut bounded, options),
        };
        let all = self.all(open, options);
        let has_longer = first.cuts.iter().any(|cut| {
            cut.why == Escape::Column && bounded.ask(&[cut.gate]) != encode::QueryAnswer::Unsat
        });

        let mut options = options.clone();
        let mut reached = options.clone();
        let mut size = 0;
        let mut seen =
            self.look(bounded, &all, &options, LoopModel::Unrolled { first: true }, audience)?;
        if has_longer {
            self.look_at_longer(&body, &all, &options, audience)?;
        }
        if is_unrolling && !seen.is_decided && self.known.findings.is_empty() {
            let mut least = options;
            while least.bounds.unroll > 1 || least.bounds.inline > 0 {
                least = least.reduced();
                let lesser = self.prepared(&least, Direction::Under);
                if lesser.size() == body.size() {
                    continue;
                }
                body = lesser;
                if self.look_at(&body, &all, &least, LoopModel::Least, audience)?.is_decided {
                    break;
                }
            }
            return Ok(least);
        }
        while seen.is_cut {
            let deeper = options.bounds.unroll.saturating_mul(STEP).min(options.bounds.deepest);
            let grows = std::mem::replace(&mut size, body.size()) < body.size();
            if seen.is_spent || seen.gates > LARGE || deeper == options.bounds.unroll || !grows {
                let open = self.prepared(&options, Direction::Over);
                self.look_at(&open, &all, &options, LoopModel::Open, &mut |_| {})?;
                break;
            }
            options.bounds.unroll = deeper;
            body = self.prepared(&options, Direction::Under);
            let known = (self.known.undecided.clone(), self.known.unsupported.clone());
            seen = self.look_at(
                &body,
                &all,
                &options,
                LoopModel::Unrolled { first: false },
                audience,
            )?;
            if seen.is_decided {
                reached = options.clone();
            } else {
                (self.known.undecided, self.known.unsupported) = known;
            }
        }
        Ok(reached)
    }

    /// Looks at arrays that are longer than the scope lists, if not too much is to be said of them.
    fn look_at_longer(
        &mut self,
        body: &Prepared,
        all: &All,
        options: &CheckOptions,
        audience: &mut dyn FnMut(&QuerySession<'_>),
    ) -> Result<(), encode::SolverError> {
        let longer = evaluation(self.program, body, options, Direction::Under);
        if longer.size() > LARGE {
            self.known.cut.get_or_insert_with(|| Escape::Column.to_string());
        } else {
            let mut longer = inquiry(self.program, &longer, options)?;
            self.known.ends |= ends(&mut longer);
            let known = (self.known.undecided.clone(), self.known.unsupported.clone());
            self.look(longer, all, options, LoopModel::Unrolled { first: false }, audience)?;
            (self.known.undecided, self.known.unsupported) = known;
        }
        Ok(())
    }

    /// Whether it is to be told what no run reaches. Where heaps are looked at by their sizes, or one by one, no
    /// single look can tell.
    fn looks_for_vacuity(&self, options: &CheckOptions) -> bool {
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

    /// Asks everything there is to ask about runs of a prepared body.
    fn look_at(
        &mut self,
        body: &Prepared,
        all: &All,
        options: &CheckOptions,
        loop_model: LoopModel,
        audience: &mut dyn FnMut(&QuerySession<'_>),
    ) -> Result<Seen, encode::SolverError> {
        let evaluation = evaluation(self.program, body, options, Direction::Under);
        let bounded = inquiry(self.program, &evaluation, options)?;
        self.look(bounded, all, options, loop_model, audience)
    }

    /// Asks everything there is to ask at one depth.
    pub(crate) fn look(
        &mut self,
        bounded: QuerySession<'_>,
        all: &All,
        options: &CheckOptions,
        loop_model: LoopModel,
        audience: &mut dyn FnMut(&QuerySession<'_>),
    ) -> Result<Seen, encode::SolverError> {
        let module = self.program.module;
        let subject = module.procedure(self.procedure);
        let mut bounded = bounded;
        let looks_for_vacuity = self.looks_for_vacuity(options);
        if looks_for_vacuity {
            watch(&mut bounded, subject);
        }
        let (under, over) = (bounded.evaluation(), &all.evaluation);
        let described = Described {
            inquiry: inquiry(self.program, over, options)?,
            body: &all.body,
            open: &all.open,
        };
        let mut context =
            CheckContext::new(module, self.procedure, bounded, described, options, loop_model);
        context.bodies = self.program.bodies;
        context.reported = std::mem::take(&mut self.known.reported);
        for checker in self.checkers {
            checker.check(&mut context);
        }
        context.note_size();
        let bounds = options.bounds.stated();
        let told = context.defects.iter();
        let told = told.map(|charge| explain(self.program, self.procedure, charge, &bounds));
        self.known.findings.extend(told);
        let seen = Seen {
            gates: under.size(),
            is_cut: options.bounds.unrolls_further() && is_cut(&mut context),
            is_spent: context.under.is_spent(),
            is_decided: context.undecided.is_empty(),
        };
        match loop_model {
            LoopModel::Unrolled { .. } if looks_for_vacuity => {
                self.known.missed = missed(&mut context.under, subject, &mut self.known.reached);
            }
            LoopModel::Unrolled { .. } | LoopModel::Open | LoopModel::Least => {}
        }
        match loop_model {
            LoopModel::Unrolled { .. } | LoopModel::Least => {
                self.known.unsupported = context.unsupported();
                self.known.external = context.external.take().or(self.known.external.take());
                self.known.undecided = std::mem::take(&mut context.undecided);
                self.known.unconfirmed += context.unconfirmed;
            }
            LoopModel::Open => {}
        }
        self.known.reported = std::mem::take(&mut context.reported);
        audience(&context.under);
        audience(&context.over);
        let points = under.points.len().max(over.points.len());
        self.known.effort.points = points + under.edges.len().max(over.edges.len());
        let mut tally = context.under.tally();
        tally += context.over.tally();
        self.known.effort.questions += tally.asked();
        self.known.effort.solved += tally.solved();
        Ok(seen)
    }
}

/// Why some run is not followed further, if there is one.
pub(crate) fn cut_by(bounded: &mut QuerySession<'_>) -> Option<String> {
    let evaluation = bounded.evaluation();
    if bounded.ask(&[evaluation.goes_on]) == encode::QueryAnswer::Unsat {
        return None;
    }
    let mut cuts = evaluation.cuts.iter().filter(|cut| cut.why.is_bound());
    let cut = cuts.find(|cut| bounded.ask(&[cut.gate]) != encode::QueryAnswer::Unsat);
    Some(cut.map_or_else(|| "it goes on".to_owned(), |cut| cut.why.to_string()))
}

/// Whether some run may come to an end, or fail.
pub(crate) fn ends(bounded: &mut QuerySession<'_>) -> bool {
    let evaluation = bounded.evaluation();
    let mut may = |gate| bounded.ask(&[gate]) != encode::QueryAnswer::Unsat;
    may(evaluation.ends) || may(evaluation.fails)
}

/// What a prepared procedure does within the limits, or beyond them.
fn evaluation(
    program: &Program<'_>,
    body: &Prepared,
    options: &CheckOptions,
    direction: Direction,
) -> Evaluation {
    evaluate(program.module, &body.procedure, &body.calls, &options.scope(direction))
}

pub(crate) fn inquiry<'e>(
    program: &Program<'e>,
    evaluation: &'e Evaluation,
    options: &CheckOptions,
) -> Result<QuerySession<'e>, encode::SolverError> {
    let solver = &options.solver;
    QuerySession::new(program.module, evaluation, solver.options(), solver.of_query())
}

/// Whether runs go round a loop more often than is followed.
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

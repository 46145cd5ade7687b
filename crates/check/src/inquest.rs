//! The inquest into one procedure: its loops are followed further and further, until all is known that can
//! be, or it costs too much.
//!
//! Few iterations come first, so that what is found is told with few. Where runs are cut because they go
//! round more often, more are followed, as far as the limits allow. What is behind a loop that goes round
//! more often than that is looked at with the loop left open (paper 2, §6.6): what it may have changed has
//! any value. A failure found so is a guess, and counts if a run of the program, from the same inputs, comes
//! to it.

use std::collections::BTreeSet;

use encode::{Direction, Escape, Evaluation, Inquiry, evaluate};
use ir::{AssertKind, CutReason, PointId, ProcedureId};
use passes::Prepared;
use report::Finding;

use crate::case::{Case, Means};
use crate::checkers::Checker;
use crate::examine::{Effort, Limits, Program};
use crate::explain::explain;

/// Each time so many times as many iterations are followed.
const STEP: u32 = 3;

/// Where the formula has more gates, loops are not followed further.
const LARGE: usize = 60_000;

/// A procedure under examination.
pub(crate) struct Inquest<'p> {
    pub(crate) program: &'p Program<'p>,
    pub(crate) procedure: ProcedureId,
    pub(crate) checkers: &'p [&'p dyn Checker],
    pub(crate) known: Known,
}

/// What is known so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub(crate) findings: Vec<Finding>,
    charged: BTreeSet<(PointId, AssertKind)>,
    /// Why some question was not decided.
    pub(crate) undecided: BTreeSet<(&'static str, String)>,
    /// What on some path has no meaning here.
    pub(crate) unsupported: Option<String>,
    /// How many models the interpreter did not confirm.
    pub(crate) unconfirmed: usize,
    pub(crate) effort: Effort,
}

/// What was seen at one depth.
struct Seen {
    gates: usize,
    /// Whether runs go round a loop more often.
    is_cut: bool,
    /// Whether there is budget left.
    is_spent: bool,
}

impl Inquest<'_> {
    /// Looks deeper and deeper, and says how far.
    pub(crate) fn hold(
        &mut self,
        limits: &Limits,
        audience: &mut dyn FnMut(&Inquiry<'_>),
    ) -> Result<Limits, sat::Error> {
        let over_body = self.prepared(limits, Direction::Over);
        let module = self.program.module;
        let scope = limits.scope(Direction::Over);
        let over = evaluate(module, &over_body.procedure, &over_body.calls, &scope);
        self.known.effort.points = over.points.len() + over.edges.len();

        let mut limits = limits.clone();
        let mut means = Means::Unrolled { first: true };
        let mut size = 0;
        loop {
            let body = self.prepared(&limits, Direction::Under);
            let seen = self.look(&body, (&over_body, &over), &limits, means, audience)?;
            if !seen.is_cut || limits.deepest <= limits.unroll {
                return Ok(limits);
            }
            let deeper = limits.unroll.saturating_mul(STEP).min(limits.deepest);
            let grows = std::mem::replace(&mut size, body.size()) < body.size();
            if seen.is_spent || seen.gates > LARGE || deeper == limits.unroll || !grows {
                self.look(&over_body, (&over_body, &over), &limits, Means::Open, &mut |_| {})?;
                return Ok(limits);
            }
            limits.unroll = deeper;
            means = Means::Unrolled { first: false };
        }
    }

    fn prepared(&self, limits: &Limits, direction: Direction) -> Prepared {
        let (module, effects) = (self.program.module, &self.program.effects);
        let Limits { unroll, inline, .. } = *limits;
        let depth = passes::Limits { unroll, inline, ..passes::Limits::default() };
        match direction {
            Direction::Under => passes::for_under(module, effects, self.procedure, &depth),
            Direction::Over => passes::for_over(module, effects, self.procedure, &depth),
        }
    }

    /// Asks everything there is to ask at one depth.
    fn look(
        &mut self,
        body: &Prepared,
        (over_body, over): (&Prepared, &Evaluation),
        limits: &Limits,
        means: Means,
        audience: &mut dyn FnMut(&Inquiry<'_>),
    ) -> Result<Seen, sat::Error> {
        let module = self.program.module;
        let scope = limits.scope(Direction::Under);
        let under = evaluate(module, &body.procedure, &body.calls, &scope);
        let ask =
            |evaluation| Inquiry::new(module, evaluation, limits.solver(), limits.questions());
        let (asked_under, asked_over) = (ask(&under)?, ask(over)?);
        let mut case =
            Case::new(module, self.procedure, asked_under, asked_over, over_body, limits, means);
        case.charged = std::mem::take(&mut self.known.charged);
        for checker in self.checkers {
            checker.check(&mut case);
        }
        let bounds = limits.bounds();
        let told = case.charges.iter();
        let told = told.map(|charge| explain(self.program, self.procedure, charge, &bounds));
        self.known.findings.extend(told);
        let seen = Seen {
            gates: under.circuit.len(),
            is_cut: is_cut(&mut case),
            is_spent: case.under.is_spent(),
        };
        if let Means::Unrolled { .. } = means {
            self.known.unsupported = case.unsupported();
            self.known.undecided = std::mem::take(&mut case.undecided);
            self.known.unconfirmed += case.unconfirmed;
        }
        self.known.charged = std::mem::take(&mut case.charged);
        audience(&case.under);
        audience(&case.over);
        let mut tally = case.under.tally();
        tally += case.over.tally();
        self.known.effort.questions += tally.asked();
        self.known.effort.solved += tally.solved();
        Ok(seen)
    }
}

/// Whether runs go round a loop more often than is followed.
fn is_cut(case: &mut Case<'_>) -> bool {
    let cuts = case.under.evaluation().cuts.iter();
    let mut cuts = cuts.filter(|cut| matches!(cut.why, Escape::Cut(CutReason::Unrolling(_))));
    cuts.any(|cut| case.under.ask(&[cut.gate]) != encode::Known::Never)
}

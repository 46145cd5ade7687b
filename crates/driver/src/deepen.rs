//! Iterative deepening: from small bounds to those that were asked for.
//!
//! Small heaps and short loops come first, so that a finding is shown with the smallest run that shows
//! it. What is charged is what the last round charges, which alone looks for what every run does and knows
//! what that explains. If the last rounds use up their budget, what the ones before have found out still
//! stands, and the verdict states their bounds.

use check::{CheckOptions, Effort, Examined, Proofs, SearchBounds, SearchState};
use report::{Finding, Procedure, ReasonClass, Verdict};

/// Examines a procedure within larger and larger bounds, up to the options.
///
/// # Errors
/// If one of the examinations fails.
pub(crate) fn deepen<E>(
    options: &CheckOptions,
    examine: &mut dyn FnMut(&CheckOptions) -> Result<Examined, E>,
) -> Result<Examined, E> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut effort = Effort::default();
    let mut decided: Option<Procedure> = None;
    let mut undecided: Option<Procedure> = None;
    for round in rounds(options) {
        let examined = examine(&round)?;
        effort.points = effort.points.max(examined.effort.points);
        effort.questions += examined.effort.questions;
        effort.solved += examined.effort.solved;
        let known: Vec<Finding> = examined
            .findings
            .into_iter()
            .map(|finding| shown_smaller(&findings, finding))
            .collect();
        match examined.procedure.verdict {
            Verdict::Findings | Verdict::NoneWithinBounds | Verdict::Skipped(_) => {
                findings = known;
                decided = Some(examined.procedure);
            }
            Verdict::Unknown(_) => {
                undecided = Some(examined.procedure);
                // More of what could not be decided cannot be decided either.
                break;
            }
        }
    }
    // A procedure that no round decided, or that something unsupported keeps from it, is unknown.
    let has_findings = !findings.is_empty();
    let procedure = match (undecided, decided) {
        (Some(undecided), Some(decided)) if !is_budget(&undecided) && !has_findings => {
            Procedure { bounds: decided.bounds, ..undecided }
        }
        (_, Some(decided)) => decided,
        (Some(undecided), None) => undecided,
        (None, None) => return examine(options),
    };
    let verdict = if has_findings { Verdict::Findings } else { procedure.verdict };
    let procedure = Procedure { verdict, ..procedure };
    Ok(Examined { findings, procedure, effort, is_clear: false, goes_on: false, ends: true })
}

/// The rounds before the bounds that are asked for, and these.
fn rounds(options: &CheckOptions) -> Vec<CheckOptions> {
    let most = options.bounds.scope.max(options.bounds.unroll).max(1);
    (1..=most)
        .map(|round| CheckOptions {
            bounds: SearchBounds {
                unroll: options.bounds.unroll.min(round),
                ..options.bounds.with_at_most(round)
            },
            state: SearchState {
                proofs: if round == most { options.state.proofs } else { Proofs::Off },
                ..options.state
            },
            ..options.clone()
        })
        .collect()
}

/// Whether the solver gave up, so that smaller bounds still say something.
pub(crate) fn is_budget(procedure: &Procedure) -> bool {
    match &procedure.verdict {
        Verdict::Unknown(reason) => reason.class == ReasonClass::Budget,
        Verdict::Findings | Verdict::NoneWithinBounds | Verdict::Skipped(_) => false,
    }
}

/// A finding with the run that smaller bounds have shown, if they have.
pub(crate) fn shown_smaller(known: &[Finding], finding: Finding) -> Finding {
    match known.iter().find(|known| is_same(known, &finding)) {
        Some(smaller) => {
            let Finding { extent, related, .. } = finding;
            // What is proved of every execution holds within any bounds.
            let bounds = if extent.is_every() { finding.bounds } else { smaller.bounds.clone() };
            Finding { extent, related, bounds, ..smaller.clone() }
        }
        None => finding,
    }
}

/// Whether two findings charge the same thing.
pub(crate) fn is_same(a: &Finding, b: &Finding) -> bool {
    a.place == b.place && a.rule == b.rule && a.detail == b.detail && a.message == b.message
}

#[cfg(test)]
mod tests {
    use check::{CheckOptions, SearchBounds};

    use super::rounds;

    #[test]
    fn bounds_grow_together_up_to_those_that_are_asked_for() {
        let bounds = SearchBounds { scope: 2, unroll: 4, ..SearchBounds::default() };
        let options = CheckOptions { bounds, ..CheckOptions::default() };
        let pairs: Vec<(u32, u32)> = rounds(&options)
            .iter()
            .map(|round| (round.bounds.scope, round.bounds.unroll))
            .collect();
        assert_eq!(pairs, [(1, 1), (2, 2), (2, 3), (2, 4)]);
        assert_eq!(rounds(&options).last(), Some(&options));
    }
}

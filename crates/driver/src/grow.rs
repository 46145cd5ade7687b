//! From a small scope to a large one, step by step: what is found first is small, and where nothing is
//! found the verdict names the largest scope that was finished (Jackson's small scope hypothesis, as the
//! paper on the humane bugfinder uses it, §4.3).

use std::time::Instant;

use check::{CheckOptions, Examined, SearchBounds};
use report::{Reason, ReasonClass, Verdict};

/// In the first step integers have so many bits, and one more in each further step.
const NARROWEST: u32 = 4;

/// Examines a procedure in larger and larger scopes, up to the options.
///
/// # Errors
/// If one of the examinations fails.
pub(crate) fn grow<E>(
    options: &CheckOptions,
    examine: &mut dyn FnMut(&CheckOptions) -> Result<Examined, E>,
) -> Result<Examined, E> {
    let start = Instant::now();
    let mut finished: Option<Examined> = None;
    for step in steps(options) {
        let left = options.solver.time.map(|time| time.saturating_sub(start.elapsed()));
        if let (Some(left), Some(finished)) = (left, &finished)
            && left.is_zero()
        {
            let why = format!("out of time; nothing was found up to {}", finished.procedure.bounds);
            let mut given_up = finished.clone();
            given_up.procedure.verdict =
                Verdict::Unknown(Reason::new(ReasonClass::Time).because(why));
            return Ok(given_up);
        }
        let mut step = step;
        step.solver.time = left;
        let mut examined = examine(&step)?;
        only_scope(&mut examined);
        match &mut examined.procedure.verdict {
            Verdict::NoneWithinBounds => finished = Some(examined),
            Verdict::Unknown(reason) => {
                if let Some(finished) = &finished {
                    let known = format!("nothing was found up to {}", finished.procedure.bounds);
                    *reason = reason.clone().because(match &reason.detail {
                        Some(why) => format!("{why}; {known}"),
                        None => known,
                    });
                }
                return Ok(examined);
            }
            Verdict::Findings | Verdict::Skipped(_) => return Ok(examined),
        }
    }
    match finished {
        Some(finished) => Ok(finished),
        None => examine(options),
    }
}

/// Loops are not unrolled and calls are not followed here, so verdicts state the scope alone.
fn only_scope(examined: &mut Examined) {
    let findings = examined.findings.iter_mut().map(|finding| &mut finding.bounds);
    for bounds in findings.chain([&mut examined.procedure.bounds]) {
        bounds.0.retain(|bound| bound.name != "unroll" && bound.name != "inline");
    }
}

/// The scopes on the way to the options, which are the last of them.
fn steps(options: &CheckOptions) -> Vec<CheckOptions> {
    let others = options.policy.others.max(1);
    let largest = options.bounds.scope.max(options.bounds.sequence).max(1);
    let mut steps: Vec<CheckOptions> = (1..largest)
        .map(|size| CheckOptions {
            bounds: SearchBounds {
                sequence: options.bounds.sequence.min(size),
                int_width: options.bounds.int_width.min(NARROWEST - 1 + size),
                ..options.bounds.with_at_most(size)
            },
            ..options.clone()
        })
        .collect();
    steps.push(options.clone());
    for step in &mut steps {
        (step.policy.null_counts, step.policy.others) = (true, others);
    }
    steps
}

#[cfg(test)]
mod tests {
    use check::{CheckOptions, SearchBounds};

    use super::steps;

    #[test]
    fn scopes_grow_to_the_limits() {
        let bounds =
            SearchBounds { scope: 2, sequence: 4, int_width: 8, ..SearchBounds::default() };
        let options = CheckOptions { bounds, ..CheckOptions::default() };
        let sizes: Vec<(u32, u32, u32)> = steps(&options)
            .iter()
            .map(|step| &step.bounds)
            .map(|bounds| (bounds.scope, bounds.sequence, bounds.int_width))
            .collect();
        assert_eq!(sizes, [(1, 1, 4), (2, 2, 5), (2, 3, 6), (2, 4, 8)]);
    }
}

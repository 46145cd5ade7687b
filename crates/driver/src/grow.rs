//! From a small scope to a large one, step by step: what is found first is small, and where nothing is
//! found the verdict names the largest scope that was finished (Jackson's small scope hypothesis, as the
//! paper on the humane bugfinder uses it, §4.3).

use std::time::Instant;

use check::{Examined, Limits};
use report::{Reason, ReasonClass, Verdict};

/// In the first step integers have so many bits, and one more in each further step.
const NARROWEST: u32 = 4;

/// Examines a procedure in larger and larger scopes, up to the limits.
///
/// # Errors
/// If one of the examinations fails.
pub(crate) fn grow<E>(
    limits: &Limits,
    examine: &mut dyn FnMut(&Limits) -> Result<Examined, E>,
) -> Result<Examined, E> {
    let start = Instant::now();
    let mut finished: Option<Examined> = None;
    for step in steps(limits) {
        let left = limits.time.map(|time| time.saturating_sub(start.elapsed()));
        if let (Some(left), Some(finished)) = (left, &finished)
            && left.is_zero()
        {
            let why = format!("out of time; nothing was found up to {}", finished.procedure.bounds);
            let mut given_up = finished.clone();
            given_up.procedure.verdict =
                Verdict::Unknown(Reason::new(ReasonClass::Time).because(why));
            return Ok(given_up);
        }
        let mut examined = examine(&Limits { time: left, ..step })?;
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
        None => examine(limits),
    }
}

/// Loops are not unrolled and calls are not followed here, so verdicts state the scope alone.
fn only_scope(examined: &mut Examined) {
    let findings = examined.findings.iter_mut().map(|finding| &mut finding.bounds);
    for bounds in findings.chain([&mut examined.procedure.bounds]) {
        bounds.0.retain(|bound| bound.name != "unroll" && bound.name != "inline");
    }
}

/// The scopes on the way to the limits, which are the last of them.
fn steps(limits: &Limits) -> Vec<Limits> {
    let others = limits.others.max(1);
    let largest = limits.scope.max(limits.sequence).max(1);
    let mut steps: Vec<Limits> = (1..largest)
        .map(|size| Limits {
            sequence: limits.sequence.min(size),
            int_width: limits.int_width.min(NARROWEST - 1 + size),
            ..limits.no_more_than(size)
        })
        .collect();
    steps.push(limits.clone());
    for step in &mut steps {
        (step.null_counts, step.others) = (true, others);
    }
    steps
}

#[cfg(test)]
mod tests {
    use check::Limits;

    use super::steps;

    #[test]
    fn scopes_grow_to_the_limits() {
        let limits = Limits { scope: 2, sequence: 4, int_width: 8, ..Limits::default() };
        let sizes: Vec<(u32, u32, u32)> =
            steps(&limits).iter().map(|step| (step.scope, step.sequence, step.int_width)).collect();
        assert_eq!(sizes, [(1, 1, 4), (2, 2, 5), (2, 3, 6), (2, 4, 8)]);
    }
}

//! Exhausting sizes: heaps of one object, of two, and so on, each with loops followed to their ends.
//!
//! A heap is looked at once. Where those of a size have been looked at to the ends of all loops and calls, the
//! next round leaves them out (exact sizes); and loops are followed further only where it has been shown
//! that a run goes further, so that the verdict, where that is shown to be impossible, is not one about
//! few iterations. What every run does is asked last, and only if the small heaps do not answer it:
//! runs that end acquit whatever they pass.

use check::{CheckOptions, Effort, Examined, Proofs, SearchBounds, SearchState};
use report::{Finding, Note, Reason, ReasonClass, Severity, Verdict};

use crate::deepen::{is_budget, is_same, shown_smaller};

/// Calls are followed so much deeper than loops.
const CALLS: u32 = 2;

/// Examines a procedure from heaps of every size up to the options.
///
/// # Errors
/// If one of the examinations fails.
pub(crate) fn exhaust<E>(
    options: &CheckOptions,
    examine: &mut dyn FnMut(&CheckOptions) -> Result<Examined, E>,
) -> Result<Examined, E> {
    let mut found: Option<Examined> = None;
    let mut effort = Effort::default();
    let mut is_clear = options.state.proofs == Proofs::Off;
    let (mut cut, mut ends, mut is_given_up) = (None, false, false);
    let mut round = Round { size: 1, depth: 1, before: None };
    loop {
        let is_last_depth = round.depth >= deepest(options);
        let is_last_size = round.size >= largest(options);
        let mut bounds = round.options(options);
        bounds.state.proofs = if is_clear { Proofs::Off } else { Proofs::PreCheck };
        bounds.state.defer_if_cut = round.size > 1 && !is_last_depth;
        let mut examined = examine(&bounds)?;
        add(&mut effort, examined.effort);
        is_clear |= examined.is_clear;
        if examined.goes_on && bounds.state.defer_if_cut {
            round.depth += 1;
            continue;
        }
        let is_decided = match &examined.procedure.verdict {
            Verdict::Findings | Verdict::NoneWithinBounds | Verdict::Skipped(_) => true,
            Verdict::Unknown(_) => false,
        };
        let goes_on = examined.goes_on;
        // Where small heaps are looked at again, what was cut before may now be followed.
        cut = examined.procedure.cut.take().or(cut.filter(|_| bounds.state.exhausted.is_some()));
        ends |= examined.ends;
        if !is_decided && is_budget(&examined.procedure) && found.is_some() {
            // What smaller heaps have shown still stands.
            is_given_up = true;
            break;
        }
        let known = found.take().map_or(Vec::new(), |found| found.findings);
        examined.findings = united(known, examined.findings);
        found = Some(examined);
        let is_enough =
            options.policy.stop_at_first && found.as_ref().is_some_and(|f| !f.findings.is_empty());
        if !is_decided || is_enough {
            break;
        }
        if goes_on && !is_last_depth {
            round = Round {
                size: (round.size + 1).min(largest(options)),
                depth: round.depth + 1,
                before: None,
            };
        } else if !is_last_size {
            round = Round { size: round.size + 1, before: Some(round.size), ..round };
        } else {
            break;
        }
    }
    let mut found = match found {
        Some(found) => found,
        None => return examine(options),
    };
    let is_decided = !matches!(found.procedure.verdict, Verdict::Unknown(_));
    let is_enough = options.policy.stop_at_first && !found.findings.is_empty();
    if !is_clear && is_decided && !is_enough {
        let round = Round { before: None, ..round };
        let mut last = round.options(options);
        last.state.proofs = Proofs::Full;
        let last = examine(&last)?;
        add(&mut effort, last.effort);
        if !matches!(last.procedure.verdict, Verdict::Unknown(_)) {
            // It has looked at everything, and knows what is explained by what every run does.
            let is_whole = !last.goes_on && round.size >= largest(options);
            let smaller = |mut finding: Finding| {
                if is_whole {
                    finding.bounds = options.bounds.stated();
                }
                shown_smaller(&found.findings, finding)
            };
            let findings = last.findings.iter().cloned().map(smaller).collect();
            let manner = found.procedure.manner.take();
            found = Examined { findings, ..last };
            found.procedure.manner = manner.or(found.procedure.manner);
        }
    }
    if !found.findings.is_empty() {
        found.procedure.verdict = Verdict::Findings;
    }
    if !found.goes_on && round.size >= largest(options) && !is_given_up {
        // No run goes further, so what is known holds within all the bounds that were asked for.
        found.procedure.bounds = options.bounds.stated();
    }
    if !ends && found.procedure.verdict == Verdict::NoneWithinBounds {
        let why = match &cut {
            Some(why) => format!("every run is cut: {why}"),
            None => "within them no input satisfies what is required and assumed".to_owned(),
        };
        found.procedure.verdict = Verdict::Unknown(Reason::new(ReasonClass::Bounds).because(why));
    }
    if let Some(manner) = &mut found.procedure.manner {
        manner.ends &= cut.is_none();
    }
    found.procedure.cut = cut;
    Ok(Examined { effort, ..found })
}

/// What to say where no object of any class may exist: little is looked at then.
pub(crate) fn without_objects(options: &CheckOptions) -> Option<Note> {
    let mut named = options.bounds.scopes.iter().map(|(_, count)| *count);
    let message = "a scope of 0 lets no object exist: references are null, and methods of objects have no \
                   runs";
    (options.bounds.scope == 0 && named.all(|count| count == 0)).then(|| Note {
        severity: Severity::Warning,
        message: message.to_owned(),
        place: None,
    })
}

/// A step on the way: heaps of a size, loops and calls followed to a depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Round {
    size: u32,
    depth: u32,
    /// Heaps of up to this size have been looked at to this depth or to the ends of their runs.
    before: Option<u32>,
}

impl Round {
    fn options(&self, options: &CheckOptions) -> CheckOptions {
        CheckOptions {
            bounds: SearchBounds {
                unroll: options.bounds.unroll.min(self.depth),
                inline: options.bounds.inline.min(self.depth + CALLS),
                ..options.bounds.with_at_most(self.size)
            },
            state: SearchState { exhausted: self.before, ..options.state },
            ..options.clone()
        }
    }
}

fn deepest(options: &CheckOptions) -> u32 {
    options.bounds.unroll.max(options.bounds.inline.saturating_sub(CALLS)).max(1)
}

fn largest(options: &CheckOptions) -> u32 {
    options.bounds.largest_scope().max(1)
}

/// What was known and what has been found besides.
fn united(mut known: Vec<Finding>, more: Vec<Finding>) -> Vec<Finding> {
    for finding in more {
        if !known.iter().any(|known| is_same(known, &finding)) {
            known.push(finding);
        }
    }
    known
}

fn add(effort: &mut Effort, more: Effort) {
    effort.points = effort.points.max(more.points);
    effort.questions += more.questions;
    effort.solved += more.solved;
}

#[cfg(test)]
mod tests {
    use check::{CheckOptions, Effort, Examined, SearchBounds};
    use report::{Procedure, Reason, ReasonClass, Verdict};

    use super::exhaust;

    #[test]
    fn a_verdict_states_the_largest_bounds_that_were_finished() {
        let bounds = SearchBounds { scope: 3, ..SearchBounds::default() };
        let options = CheckOptions { bounds, ..CheckOptions::default() };
        let mut examine = |bounds: &CheckOptions| {
            let verdict = match bounds.bounds.scope {
                3.. => Verdict::Unknown(Reason::new(ReasonClass::Budget)),
                _ => Verdict::NoneWithinBounds,
            };
            Ok::<Examined, ()>(Examined {
                findings: Vec::new(),
                procedure: Procedure::new("p", verdict, bounds.bounds.stated()),
                effort: Effort::default(),
                is_clear: true,
                goes_on: false,
                ends: true,
            })
        };
        let found = exhaust(&options, &mut examine).expect("it does not fail").procedure;
        assert_eq!(found.verdict, Verdict::NoneWithinBounds);
        let scope = found.bounds.0.iter().find(|bound| bound.name == "scope");
        assert_eq!(scope.map(|bound| bound.value), Some(2));
    }
}

//! Exhausting sizes: heaps of one object, of two, and so on, each with loops followed to their ends.
//!
//! A heap is looked at once. Where those of a size have been looked at to the ends of all loops and calls, the
//! next round leaves them out (exact sizes); and loops are followed further only where it has been shown
//! that a run goes further, so that the verdict, where that is shown to be impossible, is not one about
//! few iterations. What every run does is asked last, and only if the small heaps do not answer it:
//! runs that end acquit whatever they pass.

use check::{Effort, Examined, Limits, Proofs};
use report::{Finding, Note, Reason, ReasonClass, Severity, Verdict};

use crate::deepen::{is_budget, is_same, shown_smaller};

/// Calls are followed so much deeper than loops.
const CALLS: u32 = 2;

/// Examines a procedure from heaps of every size up to the limits.
///
/// # Errors
/// If one of the examinations fails.
pub(crate) fn exhaust<E>(
    limits: &Limits,
    examine: &mut dyn FnMut(&Limits) -> Result<Examined, E>,
) -> Result<Examined, E> {
    let mut found: Option<Examined> = None;
    let mut effort = Effort::default();
    let mut is_clear = limits.proofs == Proofs::NotAsked;
    let (mut cut, mut ends, mut is_given_up) = (None, false, false);
    let mut round = Round { size: 1, depth: 1, before: None };
    loop {
        let is_last_depth = round.depth >= deepest(limits);
        let is_last_size = round.size >= largest(limits);
        let bounds = Limits {
            proofs: if is_clear { Proofs::NotAsked } else { Proofs::Spared },
            ends_first: round.size > 1 && !is_last_depth,
            ..round.limits(limits)
        };
        let mut examined = examine(&bounds)?;
        add(&mut effort, examined.effort);
        is_clear |= examined.is_clear;
        if examined.goes_on && bounds.ends_first {
            round.depth += 1;
            continue;
        }
        let is_decided = match &examined.procedure.verdict {
            Verdict::Findings | Verdict::NoneWithinBounds | Verdict::Skipped(_) => true,
            Verdict::Unknown(_) => false,
        };
        let goes_on = examined.goes_on;
        // Where small heaps are looked at again, what was cut before may now be followed.
        cut = examined.procedure.cut.take().or(cut.filter(|_| bounds.beyond.is_some()));
        ends |= examined.ends;
        if !is_decided && is_budget(&examined.procedure) && found.is_some() {
            // What smaller heaps have shown still stands.
            is_given_up = true;
            break;
        }
        let known = found.take().map_or(Vec::new(), |found| found.findings);
        examined.findings = united(known, examined.findings);
        found = Some(examined);
        let is_enough = limits.stops && found.as_ref().is_some_and(|f| !f.findings.is_empty());
        if !is_decided || is_enough {
            break;
        }
        if goes_on && !is_last_depth {
            round = Round {
                size: (round.size + 1).min(largest(limits)),
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
        None => return examine(limits),
    };
    let is_decided = !matches!(found.procedure.verdict, Verdict::Unknown(_));
    let is_enough = limits.stops && !found.findings.is_empty();
    if !is_clear && is_decided && !is_enough {
        let round = Round { before: None, ..round };
        let last = examine(&Limits { proofs: Proofs::Sought, ..round.limits(limits) })?;
        add(&mut effort, last.effort);
        if !matches!(last.procedure.verdict, Verdict::Unknown(_)) {
            // It has looked at everything, and knows what is explained by what every run does.
            let is_whole = !last.goes_on && round.size >= largest(limits);
            let smaller = |mut finding: Finding| {
                if is_whole {
                    finding.bounds = limits.bounds();
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
    if !found.goes_on && round.size >= largest(limits) && !is_given_up {
        // No run goes further, so what is known holds within all the bounds that were asked for.
        found.procedure.bounds = limits.bounds();
    }
    if !ends && found.procedure.verdict == Verdict::NoneWithinBounds {
        let why = match &cut {
            Some(why) => format!("every execution is cut off: {why}"),
            None => {
                "no input within the bounds satisfies the preconditions and assumptions".to_owned()
            }
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
pub(crate) fn without_objects(limits: &Limits) -> Option<Note> {
    let mut named = limits.scopes.iter().map(|(_, count)| *count);
    let message = "a scope of 0 lets no object exist: references are null, and methods of objects have no \
                   runs";
    (limits.scope == 0 && named.all(|count| count == 0)).then(|| Note {
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
    fn limits(&self, limits: &Limits) -> Limits {
        Limits {
            unroll: limits.unroll.min(self.depth),
            inline: limits.inline.min(self.depth + CALLS),
            beyond: self.before,
            ..limits.no_more_than(self.size)
        }
    }
}

fn deepest(limits: &Limits) -> u32 {
    limits.unroll.max(limits.inline.saturating_sub(CALLS)).max(1)
}

fn largest(limits: &Limits) -> u32 {
    let named = limits.scopes.iter().map(|(_, count)| *count);
    named.chain([limits.scope]).max().unwrap_or(0).max(1)
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
    use check::{Effort, Examined, Limits};
    use report::{Procedure, Reason, ReasonClass, Verdict};

    use super::exhaust;

    #[test]
    fn a_verdict_states_the_largest_bounds_that_were_finished() {
        let limits = Limits { scope: 3, ..Limits::default() };
        let mut examine = |bounds: &Limits| {
            let verdict = match bounds.scope {
                3.. => Verdict::Unknown(Reason::new(ReasonClass::Budget)),
                _ => Verdict::NoneWithinBounds,
            };
            Ok::<Examined, ()>(Examined {
                findings: Vec::new(),
                procedure: Procedure::new("p", verdict, bounds.bounds()),
                effort: Effort::default(),
                is_clear: true,
                goes_on: false,
                ends: true,
            })
        };
        let found = exhaust(&limits, &mut examine).expect("it does not fail").procedure;
        assert_eq!(found.verdict, Verdict::NoneWithinBounds);
        let scope = found.bounds.0.iter().find(|bound| bound.name == "scope");
        assert_eq!(scope.map(|bound| bound.value), Some(2));
    }
}

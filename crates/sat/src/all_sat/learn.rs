//! Learning: the clause that a conflict shows, with one literal of the last level (Marques-Silva and Sakallah,
//! *GRASP*, 1999). Literals that follow from the others are left out.

use super::AllSat;
use super::clauses::{ClauseId, literal};
use crate::Lit;

/// Buffers that every conflict reuses.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    /// By variable: whether it is in the clause, or was resolved away.
    seen: Vec<bool>,
    /// All that have been seen.
    marked: Vec<Lit>,
    learnt: Vec<Lit>,
    levels: Vec<usize>,
}

impl Scratch {
    pub(super) fn new(num_vars: usize) -> Scratch {
        let (marked, learnt, levels) = Default::default();
        Scratch { seen: vec![false; num_vars], marked, learnt, levels }
    }
}

impl AllSat {
    /// Learns from a falsified clause with a literal of the last level. The new clause begins with its only
    /// literal of that level, and is returned with the level at which it would have been asserting.
    pub(super) fn learn(&mut self, conflict: ClauseId) -> (ClauseId, usize) {
        let mut scratch = std::mem::replace(&mut self.scratch, Scratch::new(0));
        self.resolve_to_one(conflict, &mut scratch);
        self.minimise(&mut scratch);
        scratch.marked.drain(..).for_each(|lit| scratch.seen[lit.var().index()] = false);
        let learnt = &mut scratch.learnt;
        let level = |lit: &Lit| self.trail.level_of(lit.var());
        // The other watch must be the last to become open again.
        let mut back = 0;
        for position in 1..learnt.len() {
            if level(&learnt[position]) > back {
                back = level(&learnt[position]);
                learnt.swap(1, position);
            }
        }
        scratch.levels.clear();
        scratch.levels.extend(learnt.iter().map(level));
        scratch.levels.sort_unstable();
        scratch.levels.dedup();
        let id = self.clauses.learn(learnt, scratch.levels.len() as u32);
        self.queue.decay();
        self.scratch = scratch;
        (id, back)
    }

    /// Resolves a clause that is false with the reasons of its literals, the last first, until one literal of
    /// the last level is left.
    fn resolve_to_one(&mut self, conflict: ClauseId, scratch: &mut Scratch) {
        let Scratch { seen, marked, learnt, .. } = scratch;
        let last = self.trail.level();
        learnt.clear();
        // The place of the one literal of the last level.
        learnt.push(!self.trail.order[0]);
        let (mut open, mut at) = (0, self.trail.order.len());
        let mut reason = conflict;
        loop {
            for &code in self.clauses.literals(reason) {
                let lit = literal(code);
                let (var, level) = (lit.var(), self.trail.level_of(lit.var()));
                if level == 0 || seen[var.index()] {
                    continue;
                }
                seen[var.index()] = true;
                marked.push(lit);
                self.queue.bump(var);
                if level == last {
                    open += 1;
                } else {
                    learnt.push(lit);
                }
            }
            let implied = loop {
                at -= 1;
                let lit = self.trail.order[at];
                if seen[lit.var().index()] && self.trail.level_of(lit.var()) == last {
                    break lit;
                }
            };
            open -= 1;
            match self.trail.reason(implied.var()) {
                Some(next) if open > 0 => reason = next,
                _ => {
                    assert_eq!(
                        open, 0,
                        "the decision of a level is before all that follows from it"
                    );
                    learnt[0] = !implied;
                    return;
                }
            }
        }
    }

    /// Leaves out literals whose reasons have no others than are in the clause.
    fn minimise(&self, scratch: &mut Scratch) {
        let Scratch { seen, learnt, .. } = scratch;
        let follows = |lit: &Lit| {
            let Some(reason) = self.trail.reason(lit.var()) else { return false };
            self.clauses.literals(reason).iter().all(|code| {
                let var = literal(*code).var();
                seen[var.index()] || self.trail.level_of(var) == 0
            })
        };
        let first = learnt[0];
        learnt.retain(|lit| *lit == first || !follows(lit));
    }
}

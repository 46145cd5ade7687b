//! Which literals are true, since when and why.

use super::clauses::{ClauseId, Clauses, Watch, literal};
use crate::{Lit, Var};

/// Literals that are true, in the order in which they became so.
///
/// Invariants: `truth` is the value of each literal whose variable is in `order`; an implied literal comes
/// after all other literals of its reason clause, and its level is none of a later one.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    /// By code of the literal.
    truth: Vec<Truth>,
    /// By variable: the level and the clause of those that have values.
    level: Vec<u32>,
    reason: Vec<ClauseId>,
    pub(super) order: Vec<Lit>,
    /// How many of them have been propagated.
    head: usize,
    levels: Vec<Level>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Truth {
    Open,
    True,
    False,
}

/// A decision and what follows from it.
#[derive(Clone, Copy, Debug)]
struct Level {
    start: usize,
    what: DecisionTarget,
    /// The last level up to here that is the other side of a decision.
    bound: usize,
}

/// The target of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DecisionTarget {
    /// A literal that is shown, by position; its negation is still to come.
    Shown(usize),
    /// The negation of a literal that is shown: all models with the literal have been found.
    Flipped(usize),
    /// A variable that is not shown.
    Hidden,
}

impl Trail {
    pub(super) fn new(num_vars: usize) -> Trail {
        Trail {
            truth: vec![Truth::Open; 2 * num_vars],
            level: vec![0; num_vars],
            reason: vec![ClauseId::NONE; num_vars],
            order: Vec::new(),
            head: 0,
            levels: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn is_true(&self, lit: Lit) -> bool {
        self.truth[lit.code()] == Truth::True
    }

    #[inline]
    pub(super) fn is_false(&self, lit: Lit) -> bool {
        self.truth[lit.code()] == Truth::False
    }

    #[inline]
    pub(super) fn is_open(&self, lit: Lit) -> bool {
        self.truth[lit.code()] == Truth::Open
    }

    /// How many decisions there are.
    pub(super) fn level(&self) -> usize {
        self.levels.len()
    }

    /// The last level that is the other side of a decision, or none. Below it nothing may be given up before all
    /// models above it have been found.
    pub(super) fn bound(&self) -> usize {
        self.levels.last().map_or(0, |level| level.bound)
    }

    /// The level since which a literal is true or false.
    pub(super) fn level_of(&self, var: Var) -> usize {
        self.level[var.index()] as usize
    }

    /// The clause from which the value of a variable follows, if it is not decided.
    pub(super) fn reason(&self, var: Var) -> Option<ClauseId> {
        Some(self.reason[var.index()]).filter(|id| *id != ClauseId::NONE)
    }

    /// The target of the last decision.
    pub(super) fn what(&self) -> Option<DecisionTarget> {
        self.levels.last().map(|level| level.what)
    }

    /// The last shown literal that was decided and whose negation is still to come, its level and position.
    pub(super) fn last_shown(&self) -> Option<(Lit, usize, usize)> {
        let numbered = self.levels.iter().enumerate().rev();
        let mut shown = numbered.filter_map(|(number, level)| match level.what {
            DecisionTarget::Shown(position) => {
                Some((self.order[level.start], number + 1, position))
            }
            DecisionTarget::Flipped(_) | DecisionTarget::Hidden => None,
        });
        shown.next()
    }

    /// Begins a level by making a literal true.
    pub(super) fn decide(&mut self, lit: Lit, what: DecisionTarget) {
        let bound = match what {
            DecisionTarget::Flipped(_) => self.levels.len() + 1,
            DecisionTarget::Shown(_) | DecisionTarget::Hidden => self.bound(),
        };
        self.levels.push(Level { start: self.order.len(), what, bound });
        self.imply(lit, ClauseId::NONE);
    }

    /// Makes a literal true that follows from a clause.
    #[inline]
    pub(super) fn imply(&mut self, lit: Lit, reason: ClauseId) {
        self.truth[lit.code()] = Truth::True;
        self.truth[(!lit).code()] = Truth::False;
        let var = lit.var().index();
        self.level[var] = self.levels.len() as u32;
        self.reason[var] = reason;
        self.order.push(lit);
    }

    /// Takes back everything above a level, the latest first.
    pub(super) fn cancel(&mut self, to: usize, undone: &mut dyn FnMut(Lit)) {
        let Some(level) = self.levels.get(to) else { return };
        let start = level.start;
        for lit in self.order.drain(start..).rev() {
            self.truth[lit.code()] = Truth::Open;
            self.truth[(!lit).code()] = Truth::Open;
            undone(lit);
        }
        self.levels.truncate(to);
        self.head = start;
    }

    /// Whether what is true follows from a clause.
    pub(super) fn is_reason(&self, id: ClauseId, literals: &[u32]) -> bool {
        let implied = literals.iter().take(2).map(|code| literal(*code));
        implied.into_iter().any(|lit| self.is_true(lit) && self.reason[lit.var().index()] == id)
    }

    /// Clauses have moved.
    pub(super) fn rename(&mut self, now: &dyn Fn(ClauseId) -> ClauseId) {
        for lit in &self.order {
            let reason = &mut self.reason[lit.var().index()];
            if *reason != ClauseId::NONE {
                *reason = now(*reason);
            }
        }
    }

    /// Makes true whatever follows from one clause, until nothing more does, or a clause is false.
    pub(super) fn propagate(&mut self, clauses: &mut Clauses) -> Option<ClauseId> {
        while self.head < self.order.len() {
            let falsified = !self.order[self.head];
            self.head += 1;
            let mut watches = std::mem::take(&mut clauses.watches[falsified.code()]);
            let conflict = self.visit(falsified, &mut watches, clauses);
            clauses.watches[falsified.code()] = watches;
            if conflict.is_some() {
                self.head = self.order.len();
                return conflict;
            }
        }
        None
    }

    /// Looks at the clauses that a literal watches which has become false.
    fn visit(
        &mut self,
        falsified: Lit,
        watches: &mut Vec<Watch>,
        clauses: &mut Clauses,
    ) -> Option<ClauseId> {
        let (mut kept, mut conflict) = (0, None);
        let mut at = 0;
        while at < watches.len() {
            let mut watch = watches[at];
            at += 1;
            let other = self.truth[watch.other.code()];
            if other != Truth::True && !watch.is_binary {
                let literals = clauses.literals_mut(watch.clause);
                if literals[0] == falsified.code() as u32 {
                    literals.swap(0, 1);
                }
                let first = literal(literals[0]);
                if watch.other != first {
                    watch.other = first;
                }
                if !self.is_true(first) {
                    let next = literals[2..]
                        .iter()
                        .position(|code| self.truth[*code as usize] != Truth::False);
                    if let Some(next) = next {
                        literals.swap(1, next + 2);
                        let to = literals[1] as usize;
                        clauses.watches[to].push(watch);
                        continue;
                    }
                }
            }
            watches[kept] = watch;
            kept += 1;
            match self.truth[watch.other.code()] {
                Truth::True => {}
                Truth::Open => self.imply(watch.other, watch.clause),
                Truth::False => {
                    conflict = Some(watch.clause);
                    break;
                }
            }
        }
        watches.copy_within(at.., kept);
        let length = watches.len() - (at - kept);
        watches.truncate(length);
        conflict
    }
}

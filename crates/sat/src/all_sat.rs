//! All-SAT enumeration: all models of a formula, projected to chosen literals, one by one.
//!
//! A solver that is called in a loop, each time with one more clause that blocks the last model, starts each search
//! at the root. This search never restarts: after a model it flips the last decision on a projected literal and
//! continues from there, so that consecutive models share their common prefix, and no blocking clauses are needed
//! (Grumberg, Schuster and Yadgar, *Memory Efficient All-Solutions SAT Solver*, FMCAD 2004). Literals are decided in
//! the order in which they are passed. Conflicts are analysed as usual (`learn.rs`), but the search backjumps no
//! further than to the last flipped decision: the models before that have been found already.
//!
//! A learnt clause may therefore be asserting at an earlier level than the one at which it is asserted. The search
//! records it, and asserts it again when it leaves the later level.

mod clauses;
mod learn;
mod queue;
mod trail;

use crate::interrupt::StopCheck;
use crate::limits::{LEARNT_CLAUSES, MORE_LEARNT_CLAUSES, STEPS_PER_CHECK};
use crate::{Cnf, Interrupt, Limits, Lit, Reason, Statistics, Var};
use clauses::{ClauseId, Clauses};
use queue::Queue;
use trail::{DecisionTarget, Trail};

/// Enumerates the models of a formula, projected to chosen literals: each assignment of these once.
///
/// ```
/// use sat::{Cnf, AllSat, Limits, Lit, Next};
///
/// let mut cnf = Cnf::new();
/// let [a, b, c] = [(); 3].map(|()| Lit::from(cnf.new_var()));
/// cnf.add_clause(&[a, b]);
/// cnf.add_clause(&[!b, c]);
/// // Whatever `c` is, `a` and `b` are one of three pairs.
/// let mut models = AllSat::new(&cnf, &[a, b], &[c.var()]);
/// let mut pairs = Vec::new();
/// while models.advance(&Limits::none()) == Next::Found {
///     if models.complete(&Limits::none()) == Next::Found {
///         pairs.push((models.value(a), models.value(b)));
///     }
/// }
/// let (yes, no) = (Some(true), Some(false));
/// assert_eq!(pairs, [(yes, yes), (yes, no), (no, yes)]);
/// ```
#[derive(Debug)]
pub struct AllSat {
    clauses: Clauses,
    trail: Trail,
    queue: Queue,
    projected: Vec<Lit>,
    /// Clauses that were asserted later than where they follow, and the level of the latter.
    late: Vec<(ClauseId, usize)>,
    /// A clause that turned out to be false when it was asserted again.
    clash: Option<ClauseId>,
    /// The negation of a shown literal that is to be decided next, and the literal's position.
    flipped: Option<(Lit, usize)>,
    state: SearchState,
    /// How many learnt clauses are too many.
    most_learnt: usize,
    scratch: learn::Scratch,
    watch: StopCheck,
    statistics: Statistics,
}

/// The result of a search step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// A model or assignment.
    Found,
    /// There is none, or no more.
    None,
    /// Nothing is claimed, for the reason given; the search can go on from here.
    Unknown(Reason),
}

/// Where the search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SearchState {
    /// Some literals that are shown have no values.
    Between,
    /// All that are shown have values since this level.
    Shown(usize),
    /// There are no more models.
    Over,
}

/// The goal of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Shown,
    Model,
}

impl AllSat {
    /// The models of a formula, of which some literals are shown. These are decided in the order given, true first,
    /// and then the others, which are to be enough to decide everything: if they and the shown literals have values,
    /// and nothing that follows from one clause after another is a contradiction, there is a model. All variables
    /// are always enough; of a circuit, the inputs are.
    ///
    /// # Panics
    ///
    /// If a variable is not of the formula.
    #[must_use]
    pub fn new(cnf: &Cnf, shown: &[Lit], others: &[Var]) -> AllSat {
        let num_vars = cnf.num_vars();
        let all = shown.iter().map(|lit| lit.var()).chain(others.iter().copied());
        assert!(all.into_iter().all(|var| var.index() < num_vars), "a variable does not exist");
        let mut models = AllSat {
            clauses: Clauses::new(num_vars),
            trail: Trail::new(num_vars),
            queue: Queue::new(num_vars, others.iter().copied()),
            projected: shown.to_vec(),
            late: Vec::new(),
            clash: None,
            flipped: None,
            state: SearchState::Between,
            most_learnt: LEARNT_CLAUSES,
            scratch: learn::Scratch::new(num_vars),
            watch: StopCheck::default(),
            statistics: Statistics::default(),
        };
        for clause in cnf.clauses() {
            models.add_clause(clause);
        }
        models
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        clause.dedup();
        if clause.windows(2).any(|pair| pair[0] == !pair[1]) {
            return;
        }
        match clause[..] {
            [] => self.state = SearchState::Over,
            [unit] if self.trail.is_false(unit) => self.state = SearchState::Over,
            [unit] if self.trail.is_true(unit) => {}
            [unit] => self.trail.imply(unit, ClauseId::NONE),
            _ => {
                self.clauses.give(&clause);
            }
        }
    }

    /// Finds the next assignment of the projected literals that unit propagation does not refute.
    /// [`AllSat::complete`] decides whether it is part of a model.
    pub fn advance(&mut self, limits: &Limits) -> Next {
        if let SearchState::Shown(_) = self.state {
            self.state = SearchState::Between;
            if !self.turn() {
                self.state = SearchState::Over;
            }
        }
        self.search(Goal::Shown, limits)
    }

    /// Gives values to the others, if there is a model in which the shown literals are as they are. If there is none,
    /// or none that can be found, [`AllSat::advance`] goes on.
    ///
    /// # Panics
    ///
    /// If the shown literals have no values.
    pub fn complete(&mut self, limits: &Limits) -> Next {
        assert!(matches!(self.state, SearchState::Shown(_)), "nothing is found to be completed");
        self.search(Goal::Model, limits)
    }

    /// The value of a literal, if it has one. After [`AllSat::advance`] it has one in all models in which the
    /// shown literals are as they are.
    #[must_use]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        (!self.trail.is_open(lit)).then(|| self.trail.is_true(lit))
    }

    /// A hint to try a value first, if the literal's variable is one of the others.
    pub fn prefer(&mut self, lit: Lit) {
        self.queue.prefer(lit);
    }

    /// The handle that stops a search from another thread.
    #[must_use]
    pub fn interrupt(&self) -> Interrupt {
        self.watch.interrupt()
    }

    /// The work done so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    fn search(&mut self, goal: Goal, limits: &Limits) -> Next {
        self.statistics.queries += 1;
        self.watch.begin(limits);
        let first = self.statistics.conflicts;
        for step in 0_u64.. {
            if step.is_multiple_of(STEPS_PER_CHECK) && self.watch.stop() {
                let reason = self.watch.reason();
                return Next::Unknown(reason.expect("who stops has a reason"));
            }
            match self.state {
                SearchState::Over => return Next::None,
                // The shown literals had to be given up: they are in no model.
                SearchState::Between if goal == Goal::Model => return Next::None,
                SearchState::Between | SearchState::Shown(_) => {}
            }
            let before = self.trail.order.len();
            let conflict = self.clash.take().or_else(|| self.trail.propagate(&mut self.clauses));
            self.statistics.propagations += (self.trail.order.len() - before) as u64;
            if let Some(conflict) = conflict {
                self.statistics.conflicts += 1;
                if !self.resolve(conflict) {
                    self.state = SearchState::Over;
                } else if let SearchState::Shown(level) = self.state
                    && (self.trail.level() < level || self.flipped.is_some())
                {
                    self.state = SearchState::Between;
                }
                let spent = self.statistics.conflicts - first;
                if limits.conflicts.is_some_and(|most| spent > most) {
                    return Next::Unknown(Reason::ConflictLimit);
                }
            } else if !self.decide(goal) {
                return Next::Found;
            }
        }
        unreachable!("steps do not run out")
    }

    /// Decides one more literal. Says whether there was one to decide.
    fn decide(&mut self, goal: Goal) -> bool {
        self.statistics.decisions += 1;
        if let Some((lit, position)) = self.flipped.take() {
            // It may follow already; then all models on this side are those from here on.
            if self.trail.is_open(lit) {
                self.trail.decide(lit, DecisionTarget::Flipped(position));
                return true;
            }
            if self.trail.is_false(lit) {
                // The other side is empty.
                if !self.turn() {
                    self.state = SearchState::Over;
                }
                return true;
            }
        }
        if self.clauses.count_learnt() > self.most_learnt {
            self.reduce();
        }
        if self.state == SearchState::Between {
            let from = match self.trail.what() {
                Some(DecisionTarget::Shown(position) | DecisionTarget::Flipped(position)) => {
                    position + 1
                }
                Some(DecisionTarget::Hidden) | None => 0,
            };
            for position in from..self.projected.len() {
                let lit = self.projected[position];
                if self.trail.is_open(lit) {
                    self.trail.decide(lit, DecisionTarget::Shown(position));
                    return true;
                }
            }
            self.state = SearchState::Shown(self.trail.level());
        }
        if goal == Goal::Shown {
            return false;
        }
        while let Some(lit) = self.queue.take() {
            if self.trail.is_open(lit) {
                self.trail.decide(lit, DecisionTarget::Hidden);
                return true;
            }
        }
        false
    }

    /// Learns from a clause that is false, and goes back. Says whether there is anything left.
    fn resolve(&mut self, conflict: ClauseId) -> bool {
        self.flipped = None;
        let literals = self.clauses.literals(conflict);
        let levels = literals.iter().map(|code| self.trail.level_of(clauses::literal(*code).var()));
        let top = levels.max().unwrap_or(0);
        if top == 0 {
            return false;
        }
        self.cancel(top);
        let bound = self.trail.bound();
        let (learnt, back) = self.learn(conflict);
        self.late.push((learnt, back));
        if bound == top {
            return self.turn();
        }
        self.cancel(back.max(bound));
        true
    }

    /// Goes back to the last shown literal whose negation is still to come. Says whether there was one.
    fn turn(&mut self) -> bool {
        let Some((lit, level, position)) = self.trail.last_shown() else { return false };
        self.cancel(level - 1);
        self.flipped = Some((!lit, position));
        true
    }

    /// Undoes everything above a level, and asserts again the literals that are implied at an earlier level.
    fn cancel(&mut self, to: usize) {
        let queue = &mut self.queue;
        self.trail.cancel(to, &mut |lit| {
            queue.prefer(lit);
            queue.insert(lit.var());
        });
        self.clash = None;
        let (trail, clauses, clash) = (&mut self.trail, &self.clauses, &mut self.clash);
        self.late.retain(|&(id, level)| {
            if level > to {
                return false;
            }
            let lit = clauses::literal(clauses.literals(id)[0]);
            if trail.is_open(lit) {
                trail.imply(lit, id);
            } else if trail.is_false(lit) {
                *clash = Some(id);
            }
            level < to
        });
    }

    /// Gives up learnt clauses that are of little use.
    fn reduce(&mut self) {
        self.most_learnt += MORE_LEARNT_CLAUSES;
        let (trail, late) = (&self.trail, &self.late);
        let renamed = self.clauses.reduce(&|id, literals| {
            trail.is_reason(id, literals) || late.iter().any(|(late, _)| *late == id)
        });
        self.trail.rename(&|id| renamed.now(id));
        for (id, _) in &mut self.late {
            *id = renamed.now(*id);
        }
    }
}

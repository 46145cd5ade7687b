//! The interface of a SAT solver as a back end, and its answers.

use std::fmt;
use std::time::{Duration, Instant};

use crate::{Interrupt, Lit, Var};

/// A SAT solver as a back end of a [`Session`](crate::Session).
///
/// The trait is small on purpose: the session does everything that is common to all solvers (its own copy of
/// the clauses, the check of models, the state of the last answer). The conformance suite in
/// `tests/conformance.rs` states, and tests, what an implementation must do.
///
/// A back end need not be [`Send`]: create it on the thread that uses it. Only its [`Interrupt`]
/// crosses threads.
pub trait Solver {
    /// Creates the next variable: the first has index zero, each later one the next index.
    fn new_var(&mut self) -> Var;

    /// Adds a clause over variables that exist. A literal may occur twice, a literal and its
    /// negation may both occur, and the clause may be empty.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Decides whether the clauses have a model in which all the assumptions hold, as far as the
    /// limits allow. Literals may be assumed twice, and contradictory assumptions are `Unsat`.
    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Answer;

    /// The value of a variable in the model found. May be called only after `Sat` and before the
    /// next change of the formula; every existing variable has a value, mentioned or not.
    fn value(&mut self, var: Var) -> bool;

    /// Whether an assumption is in the core. May be called only after `Unsat` and before the next change of
    /// the formula, for the assumptions of that call: those for which it returns true are together
    /// inconsistent with the clauses.
    fn failed(&mut self, assumption: Lit) -> bool;

    /// A hint: where the solver is free to choose, it may try this literal first. Answers do not
    /// depend on it, but models may.
    fn prefer(&mut self, _literal: Lit) {}

    /// The handle that stops this solver from another thread.
    fn interrupt(&self) -> Interrupt;

    /// The work done since the solver was created.
    fn statistics(&self) -> Statistics;
}

/// The answer of a solver for a formula under assumptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model, and it has been found.
    Sat,
    /// There is no model in which the assumptions hold.
    Unsat,
    /// Nothing is claimed, for the reason given.
    Unknown(Reason),
}

/// Why an answer is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The allowed number of conflicts was used up.
    ConflictLimit,
    /// The wall clock passed the deadline. Unlike a conflict limit this is not reproducible.
    Deadline,
    /// An [`Interrupt`] was raised.
    Interrupted,
    /// The solver's answer was `Unsat`, but its proof was rejected, for the reason in the string.
    Uncertified(String),
}

impl Answer {
    /// Whether the answer is `Sat`.
    #[must_use]
    pub fn is_sat(&self) -> bool {
        *self == Answer::Sat
    }

    /// Whether the answer is `Unsat`.
    #[must_use]
    pub fn is_unsat(&self) -> bool {
        *self == Answer::Unsat
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Sat => f.write_str("satisfiable"),
            Answer::Unsat => f.write_str("unsatisfiable"),
            Answer::Unknown(reason) => write!(f, "unknown: {reason}"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::ConflictLimit => f.write_str("the conflict limit was reached"),
            Reason::Deadline => f.write_str("the deadline passed"),
            Reason::Interrupted => f.write_str("the solver was interrupted"),
            Reason::Uncertified(why) => write!(f, "the proof was refused: {why}"),
        }
    }
}

/// How much one call of the solver may cost. The default is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The number of conflicts allowed, which is reproducible and so the limit to prefer. Some
    /// solvers count in 31 bits; more than that is the same as 2³¹ − 1.
    pub conflicts: Option<u64>,
    /// The deadline, checked now and then: a fail-safe, not a budget.
    pub deadline: Option<Instant>,
}

impl Limits {
    /// No limit.
    #[must_use]
    pub fn none() -> Limits {
        Limits::default()
    }

    /// At most this many conflicts.
    #[must_use]
    pub fn conflicts(conflicts: u64) -> Limits {
        Limits { conflicts: Some(conflicts), ..Limits::default() }
    }

    /// The same limits, and a deadline this far from now; none if that is beyond the clock's range.
    #[must_use]
    pub fn within(self, time: Duration) -> Limits {
        Limits { deadline: Instant::now().checked_add(time), ..self }
    }
}

/// The work a solver has done since it was created. No figure ever decreases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Calls of `solve`.
    pub queries: u64,
    /// Conflicts in the search.
    pub conflicts: u64,
    /// Decisions taken in the search.
    pub decisions: u64,
    /// Literals assigned by propagation in the search.
    pub propagations: u64,
    /// Proof steps checked; zero unless answers are certified.
    pub proof_steps: u64,
}

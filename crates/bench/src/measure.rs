//! Runs a problem and measures it.

use std::time::{Duration, Instant};

use relational::{Error, Finder, Options, Solution, Statistics};

use crate::problems::{Expected, Problem};

/// The measurement of a problem.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The problem's name.
    pub problem: String,
    /// The size of the formula, and the time of its translation and of the solver.
    pub statistics: Statistics,
    /// The time from the relational formula to the answer. Besides translating and solving it includes
    /// checking an instance by the evaluator, which Kodkod does not do.
    pub total: Duration,
    /// The answer.
    pub verdict: Verdict,
    /// The answer it should have been.
    pub expected: Expected,
}

/// The answer to a problem, without the instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is an instance.
    Sat,
    /// There is none.
    Unsat,
    /// There is none, and the translation alone has shown it.
    TriviallyUnsat,
    /// It is not known, for the reason given.
    Unknown(String),
}

impl Verdict {
    /// Whether this is the expected answer.
    pub fn is(&self, expected: Expected) -> bool {
        match self {
            Verdict::Sat => expected == Expected::Sat,
            Verdict::Unsat | Verdict::TriviallyUnsat => expected == Expected::Unsat,
            Verdict::Unknown(_) => false,
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::Sat => f.write_str("sat"),
            Verdict::Unsat => f.write_str("unsat"),
            Verdict::TriviallyUnsat => f.write_str("trivially unsat"),
            Verdict::Unknown(why) => write!(f, "unknown: {why}"),
        }
    }
}

/// Asks for one instance of the problem.
///
/// # Errors
/// If the problem has no meaning or the solver cannot be set up.
pub fn measure(problem: &Problem<'_>, options: &Options) -> Result<Measurement, Error> {
    let options = problem.options(options);
    let formulas = problem.formulas();
    let start = Instant::now();
    let mut finder = Finder::new(&problem.bounds, &formulas, &options)?;
    let answer = finder.next();
    let total = start.elapsed();
    Ok(Measurement {
        problem: problem.name.clone(),
        statistics: finder.statistics(),
        total,
        verdict: match answer {
            Solution::Instance(_) => Verdict::Sat,
            Solution::Unsatisfiable { trivially: false } => Verdict::Unsat,
            Solution::Unsatisfiable { trivially: true } => Verdict::TriviallyUnsat,
            Solution::Unknown(reason) => Verdict::Unknown(reason.to_string()),
        },
        expected: problem.expected,
    })
}

/// Solves `times` times, at least once, and keeps the measurement with the least total time. Each is a new
/// problem: nothing learnt is reused.
///
/// # Errors
/// As for [`measure`].
pub fn fastest(
    problem: &Problem<'_>,
    options: &Options,
    repeat: usize,
) -> Result<Measurement, Error> {
    let mut best = measure(problem, options)?;
    for _ in 1..repeat {
        let next = measure(problem, options)?;
        if next.total < best.total {
            best = next;
        }
    }
    Ok(best)
}

//! Refutations as files: the text format of LRAT.
//!
//! A line `n l₁ … lₖ 0 h₁ … hₘ 0` derives clause `n` from the clauses that the hints name; a line `n d m₁ …
//! mₖ 0` deletes clauses. The clauses of the formula have the numbers of their lines in its DIMACS file, from
//! one. So any LRAT checker can check a formula and its proof, and [`check`] is one.

use std::fmt;

use crate::lrat::{Checker, ClauseId, LratError};
use crate::{Cnf, Lit};

#[cfg(feature = "cadical")]
pub use write::refute;

#[cfg(feature = "cadical")]
mod write {
    use std::cell::RefCell;
    use std::collections::HashMap;
    use std::fmt::Write as _;
    use std::rc::Rc;

    use cadical::{ClauseId, Tracer};

    use crate::backend::Cadical;
    use crate::{Answer, Cnf, Error, Limits, Profile, Solver as _};

    /// Solves a formula in a new session and writes the proof as the solver finds it. The text is a proof if
    /// the answer is `Unsat`, and of no use otherwise.
    ///
    /// # Errors
    ///
    /// If the solver cannot work in this environment.
    pub fn refute(cnf: &Cnf, limits: &Limits) -> Result<(Answer, String), Error> {
        let text = ProofText { newest: cnf.num_clauses() as ClauseId, ..ProofText::default() };
        let text = Rc::new(RefCell::new(text));
        let solver = Cadical::traced(Profile::Incremental, Rc::clone(&text));
        let mut solver = solver.map_err(|error| Error::Unusable(error.to_string()))?;
        for _ in 0..cnf.num_vars() {
            solver.new_var();
        }
        cnf.clauses().for_each(|clause| solver.add_clause(clause));
        let answer = solver.solve(&[], limits);
        drop(solver);
        Ok((answer, text.take().lines))
    }

    /// The proof so far. A solver may derive clauses before it has seen all of the formula, so its numbers
    /// are not those of the lines.
    #[derive(Default)]
    struct ProofText {
        lines: String,
        /// Our numbers for those of the solver.
        numbers: HashMap<ClauseId, ClauseId>,
        /// How many clauses of the formula the solver has seen.
        seen: ClauseId,
        /// The number of the newest derived clause, by which deletions are dated.
        newest: ClauseId,
    }

    impl ProofText {
        fn number(&self, id: ClauseId) -> ClauseId {
            self.numbers.get(&id).copied().unwrap_or(id)
        }
    }

    impl Tracer for ProofText {
        fn original(&mut self, id: ClauseId, _: &[i32]) {
            self.seen += 1;
            self.numbers.insert(id, self.seen);
        }

        fn derived(&mut self, id: ClauseId, clause: &[i32], _: i32, antecedents: &[ClauseId]) {
            self.newest += 1;
            self.numbers.insert(id, self.newest);
            let _ = write!(self.lines, "{}", self.newest);
            for literal in clause {
                let _ = write!(self.lines, " {literal}");
            }
            self.lines.push_str(" 0");
            for hint in antecedents {
                let _ = write!(self.lines, " {}", self.number(*hint));
            }
            self.lines.push_str(" 0\n");
        }

        fn deleted(&mut self, id: ClauseId) {
            let _ = writeln!(self.lines, "{} d {} 0", self.newest, self.number(id));
        }

        // A formula that is solved once restores nothing and assumes nothing.
        fn weakened(&mut self, _: ClauseId) {}
        fn restored(&mut self, _: ClauseId, _: &[i32]) {}
        fn failed_assumptions(&mut self, _: ClauseId, _: &[i32], _: &[ClauseId]) {}
        fn concluded(&mut self, _: &[ClauseId]) {}
    }
}

/// Checks that a text is a proof that a formula has no model.
///
/// ```
/// let cnf = sat::dimacs::parse("p cnf 2 3\n1 2 0\n1 -2 0\n-1 0\n")?;
/// assert_eq!(sat::proof::check(&cnf, "4 1 0 1 2 0\n5 0 4 3 0\n"), Ok(()));
/// assert!(sat::proof::check(&cnf, "4 1 0 1 2 0\n").is_err());
/// # Ok::<(), sat::dimacs::Error>(())
/// ```
///
/// # Errors
///
/// The first line that is no step of a proof, or that the proof ends without a contradiction.
pub fn check(cnf: &Cnf, text: &str) -> Result<(), ProofError> {
    let mut checker = Checker::new();
    for (id, clause) in (1..).zip(cnf.clauses()) {
        checker.axiom(id, clause).map_err(|fault| ProofError::Formula(id, fault))?;
    }
    for (number, line) in (1..).zip(text.lines()) {
        let step = Step::parse(line).ok_or(ProofError::Unreadable(number))?;
        let taken = match step {
            Step::Derive(id, clause, hints) => checker.derive(id, &clause, &hints),
            Step::Delete(ids) => ids.into_iter().try_for_each(|id| checker.delete(id)),
        };
        taken.map_err(|fault| ProofError::Step(number, fault))?;
    }
    if checker.is_refuted() { Ok(()) } else { Err(ProofError::Unfinished) }
}

/// Why a proof is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofError {
    /// A clause of the formula, by number, is refused.
    Formula(ClauseId, LratError),
    /// This line is not in the format.
    Unreadable(usize),
    /// The step on this line does not follow.
    Step(usize, LratError),
    /// The proof ends without the empty clause.
    Unfinished,
}

enum Step {
    Derive(ClauseId, Vec<Lit>, Vec<ClauseId>),
    Delete(Vec<ClauseId>),
}

impl Step {
    fn parse(line: &str) -> Option<Step> {
        let mut words = line.split_ascii_whitespace();
        let id: ClauseId = words.next()?.parse().ok()?;
        let mut words = words.peekable();
        if words.next_if_eq(&"d").is_some() {
            return Some(Step::Delete(numbers(&mut words)?));
        }
        let clause = numbers(&mut words)?;
        let clause = clause.into_iter().map(|number| Lit::from_dimacs(i32::try_from(number).ok()?));
        Some(Step::Derive(id, clause.collect::<Option<_>>()?, numbers(&mut words)?))
    }
}

/// The numbers up to a zero.
fn numbers<'t>(words: &mut impl Iterator<Item = &'t str>) -> Option<Vec<ClauseId>> {
    let mut numbers = Vec::new();
    loop {
        match words.next()?.parse().ok()? {
            0 => return Some(numbers),
            number => numbers.push(number),
        }
    }
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofError::Formula(id, fault) => write!(f, "clause {id} of the formula: {fault}"),
            ProofError::Unreadable(line) => write!(f, "line {line} of the proof is no step"),
            ProofError::Step(line, fault) => write!(f, "line {line} of the proof: {fault}"),
            ProofError::Unfinished => f.write_str("the proof ends without the empty clause"),
        }
    }
}

impl std::error::Error for ProofError {}

#[cfg(all(test, feature = "cadical"))]
mod tests {
    use super::{check, refute};
    use crate::{Answer, Cnf, Limits, Lit};

    /// One pigeon more than holes.
    fn pigeons(holes: usize) -> Cnf {
        let mut cnf = Cnf::new();
        let mut sits: Vec<Vec<Lit>> = Vec::new();
        for _ in 0..=holes {
            let places: Vec<Lit> = (0..holes).map(|_| cnf.new_var().positive()).collect();
            cnf.add_clause(&places);
            for other in &sits {
                for (&a, &b) in places.iter().zip(other) {
                    cnf.add_clause(&[!a, !b]);
                }
            }
            sits.push(places);
        }
        cnf
    }

    #[test]
    fn what_is_written_is_a_proof_and_half_of_it_is_not() {
        let cnf = pigeons(6);
        let (answer, text) = refute(&cnf, &Limits::none()).expect("the environment is clean");
        assert_eq!(answer, Answer::Unsat);
        assert_eq!(check(&cnf, &text), Ok(()));
        let lines: Vec<&str> = text.lines().collect();
        let half = lines[..lines.len() / 2].join("\n");
        assert!(check(&cnf, &half).is_err());
        let without_first = lines[1..].join("\n");
        assert!(check(&cnf, &without_first).is_err());
    }

    #[cfg(feature = "cadical")]
    #[test]
    fn clauses_that_follow_while_a_formula_is_read_have_numbers_of_their_own() {
        let text = "p cnf 3 5\n-1 0\n1 2 0\n1 3 0\n-2 -3 0\n1 -2 3 0\n";
        let cnf = crate::dimacs::parse(text).expect("it is a formula");
        let (answer, text) = refute(&cnf, &Limits::none()).expect("the environment is clean");
        assert!(answer.is_unsat());
        assert_eq!(check(&cnf, &text), Ok(()), "{text}");
    }
}

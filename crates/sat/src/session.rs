//! A growing formula, and queries about it.

use std::fmt;
use std::io::{self, Write};

use crate::model::Model;
use crate::{
    Answer, Cnf, Interrupt, Limits, Lit, Reason, Solver, Statistics, Var, backend, dimacs,
};

/// A growing formula and a solver that answers queries about it.
///
/// The session keeps its own copy of the clauses. Every model that the solver finds is checked against that
/// copy and the assumptions before the session returns it; with [`Options::certify`] every refutation is
/// checked too. A wrong model is a bug of this program, and a panic; a proof that does not check is
/// [`Reason::Uncertified`].
///
/// A session stays on the thread that made it.
pub struct Session {
    solver: Box<dyn Solver>,
    interrupt: Interrupt,
    cnf: Cnf,
    last: LastAnswer,
    /// The model of the last answer, if that was `Sat`.
    model: Model,
    /// The core of the last answer, if that was `Unsat`.
    core: Vec<Lit>,
}

/// The last answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastAnswer {
    Sat,
    Unsat,
    Neither,
}

/// How to make a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The solver to use.
    pub backend: Backend,
    /// The use to tune the solver for.
    pub profile: Profile,
    /// Whether to check a proof of every `Unsat` answer. Only CaDiCaL produces proofs.
    pub certify: bool,
}

/// The solvers to choose from. Which of them are built in is decided by the features of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// CaDiCaL, in C++: fast, and produces proofs.
    Cadical,
    /// Batsat, in Rust: no proofs.
    Batsat,
}

/// The purpose of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Many related queries, most of them easy.
    #[default]
    Incremental,
    /// One query, hard or easy, or a few variations of it. For Batsat both profiles are the same.
    OneShot,
}

/// Why a session could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// This program was built without the solver asked for.
    NotBuilt(Backend),
    /// The requested solver produces no proofs.
    NoProofs(Backend),
    /// The solver cannot work here, for the reason given.
    Unusable(String),
}

impl Session {
    /// A session with an empty formula.
    ///
    /// # Errors
    ///
    /// If the options request a solver that is not built in, certificates from a solver that produces no
    /// proofs, or a solver that cannot work in this environment.
    pub fn new(options: Options) -> Result<Session, Error> {
        Ok(Session::with_solver(backend::new(&options)?))
    }

    /// A session on top of any solver, which must be empty.
    #[must_use]
    pub fn with_solver(solver: Box<dyn Solver>) -> Session {
        Session {
            interrupt: solver.interrupt(),
            solver,
            cnf: Cnf::new(),
            last: LastAnswer::Neither,
            model: Model::default(),
            core: Vec::new(),
        }
    }

    /// Creates the next variable.
    pub fn new_var(&mut self) -> Var {
        let (ours, theirs) = (self.cnf.new_var(), self.solver.new_var());
        assert_eq!(ours, theirs, "the solver must number variables as the session does");
        ours
    }

    /// Creates this many variables, with consecutive indices.
    pub fn new_vars(&mut self, count: usize) -> Vec<Var> {
        (0..count).map(|_| self.new_var()).collect()
    }

    /// Adds a clause. Literals may repeat or contradict each other; the empty clause makes the
    /// formula unsatisfiable.
    ///
    /// # Panics
    ///
    /// If a literal's variable is not of this session.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.cnf.add_clause(clause);
        self.solver.add_clause(clause);
    }

    /// Whether the formula has a model in which the assumptions hold.
    ///
    /// # Panics
    ///
    /// As [`Session::solve_limited`].
    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.solve_limited(assumptions, &Limits::none())
    }

    /// Whether the formula has a model in which the assumptions hold, as far as can be found out
    /// within the limits.
    ///
    /// # Panics
    ///
    /// If an assumption's variable is not of this session, or if the solver's model is wrong.
    pub fn solve_limited(&mut self, assumptions: &[Lit], limits: &Limits) -> Answer {
        for lit in assumptions {
            assert!(
                lit.var().index() < self.cnf.num_vars(),
                "{lit} is assumed, but only {} variables exist",
                self.cnf.num_vars()
            );
        }
        self.last = LastAnswer::Neither;
        // Solvers check the clock and the interrupt rarely, and not at all if the query is easy.
        if self.interrupt.is_raised() {
            return Answer::Unknown(Reason::Interrupted);
        }
        if limits.deadline.is_some_and(|deadline| std::time::Instant::now() >= deadline) {
            return Answer::Unknown(Reason::Deadline);
        }
        let answer = self.solver.solve(assumptions, limits);
        match answer {
            Answer::Sat => {
                let solver = &mut self.solver;
                self.model.assign(self.cnf.num_vars(), &mut |var| solver.value(var));
                self.check_model(assumptions);
                self.last = LastAnswer::Sat;
            }
            Answer::Unsat => {
                self.core.clear();
                let failed = assumptions.iter().filter(|&&lit| self.solver.failed(lit));
                self.core.extend(failed);
                self.core.sort_unstable();
                self.core.dedup();
                self.last = LastAnswer::Unsat;
            }
            Answer::Unknown(_) => {}
        }
        answer
    }

    /// A hint to look for models in which this literal holds, from now on.
    ///
    /// # Panics
    ///
    /// If the literal's variable is not of this session.
    pub fn prefer(&mut self, literal: Lit) {
        let known = literal.var().index() < self.cnf.num_vars();
        assert!(known, "{literal} is preferred, but has no variable");
        self.solver.prefer(literal);
    }

    /// The value of a literal in the model found by the last call of `solve`. The model stays until
    /// the next call, also when clauses are added that it does not satisfy.
    ///
    /// # Panics
    ///
    /// If the last answer was not `Sat`, or if the literal's variable was created after it.
    #[must_use]
    pub fn value(&self, lit: Lit) -> bool {
        assert!(self.last == LastAnswer::Sat, "a value is read though the last answer was not Sat");
        assert!(
            lit.var().index() < self.model.num_vars(),
            "variable {} is newer than the last answer and has no value",
            lit.var()
        );
        self.model.value(lit)
    }

    /// The assumptions that the last call of `solve` found inconsistent with the formula: sorted,
    /// each once, not always as few as possible, and none if the formula itself is known to be
    /// unsatisfiable. With [`Options::certify`] this is what the proof showed.
    ///
    /// # Panics
    ///
    /// If the last answer was not `Unsat`.
    #[must_use]
    pub fn core(&self) -> &[Lit] {
        assert!(
            self.last == LastAnswer::Unsat,
            "a core is read though the last answer was not Unsat"
        );
        &self.core
    }

    /// The number of variables.
    #[must_use]
    pub fn num_vars(&self) -> usize {
        self.cnf.num_vars()
    }

    /// The number of clauses added.
    #[must_use]
    pub fn num_clauses(&self) -> usize {
        self.cnf.num_clauses()
    }

    /// The formula as it was added.
    #[must_use]
    pub fn cnf(&self) -> &Cnf {
        &self.cnf
    }

    /// The work the solver has done so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }

    /// The handle that stops this session from another thread.
    #[must_use]
    pub fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// Writes the formula in DIMACS format.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_dimacs(&self, out: impl Write) -> io::Result<()> {
        dimacs::write(&self.cnf, out)
    }

    fn check_model(&self, assumptions: &[Lit]) {
        if let Some(index) = self.model.first_falsified(&self.cnf) {
            let clause = self.cnf.clause(index);
            panic!("the solver's model is wrong: it falsifies clause {index}, {clause:?}");
        }
        if let Some(lit) = assumptions.iter().find(|&&lit| !self.model.value(lit)) {
            panic!("the solver's model is wrong: it falsifies the assumption {lit}");
        }
    }
}

impl Default for Backend {
    /// CaDiCaL if it is built in.
    fn default() -> Backend {
        if cfg!(feature = "cadical") { Backend::Cadical } else { Backend::Batsat }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("num_vars", &self.num_vars())
            .field("num_clauses", &self.num_clauses())
            .field("statistics", &self.statistics())
            .finish_non_exhaustive()
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Backend::Cadical => "CaDiCaL",
            Backend::Batsat => "Batsat",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotBuilt(backend) => write!(f, "this program was built without {backend}"),
            Error::NoProofs(backend) => {
                write!(
                    f,
                    "{backend} gives no proofs, so its answers cannot be certified; use CaDiCaL"
                )
            }
            Error::Unusable(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}

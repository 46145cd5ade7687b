//! The solver.

use std::fmt;

use cadical_sys::{CaDiCal, State, Status, Terminator};

use crate::Tracer;
use crate::tracer::TracerAdapter;

/// A CaDiCaL solver over DIMACS literals: nonzero integers, negative for negation.
///
/// Variables need not be declared. The solver is incremental: clauses may be added and `solve`
/// called again, under other assumptions, any number of times.
pub struct Solver {
    inner: CaDiCal,
}

/// A preset of CaDiCaL's options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Configuration {
    /// CaDiCaL's defaults, with preprocessing and inprocessing: best for incremental use and for
    /// hard formulas.
    #[default]
    Default,
    /// No preprocessing and inprocessing: best for many small formulas, each solved once.
    Plain,
    /// Tuned for satisfiable formulas.
    Sat,
    /// Tuned for unsatisfiable formulas.
    Unsat,
}

/// The outcome of a call of [`Solver::solve`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is a model, to be read with [`Solver::value`].
    Satisfiable,
    /// There is no model under the assumptions; [`Solver::failed`] names the contradicting ones.
    Unsatisfiable,
    /// The conflict limit was reached or the terminator stopped the search.
    Unknown,
}

/// The work done since the solver was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Conflicts in the search.
    pub conflicts: u64,
    /// Decisions taken in the search.
    pub decisions: u64,
    /// Literals assigned by propagation in the search.
    pub propagations: u64,
    /// Estimated cache lines touched by propagation in the search.
    pub ticks: u64,
}

/// Why a solver could not be made or set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The environment asks CaDiCaL, through the variable named here, to write a proof file of its
    /// own; it then aborts the process when a second solver is made.
    Environment(&'static str),
    /// CaDiCaL has no option of this name.
    NoSuchOption(String),
    /// The option would add clauses that are not implied by the formula.
    Forbidden(&'static str),
    /// Options and tracers must be set before the first clause is added.
    TooLate,
}

/// The variables that make CaDiCaL open a proof file by itself.
const TRACE_VARIABLES: [&str; 2] = ["CADICAL_LIDRUP_TRACE", "CADICALLIDRUPTRACE"];

impl Solver {
    /// An empty solver with the options of a configuration, whatever the environment.
    ///
    /// # Errors
    ///
    /// [`Error::Environment`] if the environment asks for a proof file.
    pub fn new(configuration: Configuration) -> Result<Solver, Error> {
        for variable in TRACE_VARIABLES {
            if std::env::var_os(variable).is_some() {
                return Err(Error::Environment(variable));
            }
        }
        let mut inner = CaDiCal::new();
        for name in ["default", configuration.name()] {
            let known = inner.configure(name);
            assert!(known, "CaDiCaL has lost its configuration '{name}'");
        }
        // A configuration leaves the checking options as the environment set them.
        for name in ["check", "checkfrozen", "factor"] {
            let known = inner.set(name, 0);
            assert!(known, "CaDiCaL has lost its option '{name}'");
        }
        Ok(Solver { inner })
    }

    /// Sets one of CaDiCaL's options. A value out of range is brought into it.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchOption`], [`Error::Forbidden`] for `factor`, or [`Error::TooLate`] if a
    /// clause has been added.
    pub fn set_option(&mut self, name: &str, value: i32) -> Result<(), Error> {
        if name == "factor" && value != 0 {
            return Err(Error::Forbidden("factor"));
        }
        self.require_fresh()?;
        if self.inner.set(name, value) { Ok(()) } else { Err(Error::NoSuchOption(name.to_owned())) }
    }

    /// Reports every proof step, with the antecedents that justify it, to a tracer.
    ///
    /// # Errors
    ///
    /// [`Error::TooLate`] if a clause has been added: the proof would lack it.
    pub fn connect_tracer(&mut self, tracer: impl Tracer + 'static) -> Result<(), Error> {
        self.require_fresh()?;
        self.inner.connect_proof_tracer1(TracerAdapter(tracer), true, false);
        Ok(())
    }

    /// Calls a predicate regularly during the search and stops when it returns true. A second terminator
    /// replaces the first.
    pub fn terminate_when(&mut self, stop: impl FnMut() -> bool + 'static) {
        self.inner.connect_terminator(Stop(stop));
    }

    /// Adds a clause.
    ///
    /// # Panics
    ///
    /// If a literal is zero or `i32::MIN`.
    pub fn add_clause(&mut self, clause: &[i32]) {
        self.inner.clause6(clause);
    }

    /// Looks for a model in which the assumptions hold.
    ///
    /// # Panics
    ///
    /// If an assumption is zero or `i32::MIN`.
    pub fn solve(&mut self, assumptions: &[i32]) -> Outcome {
        for &lit in assumptions {
            self.inner.assume(lit);
        }
        match self.inner.solve() {
            Status::SATISFIABLE => Outcome::Satisfiable,
            Status::UNSATISFIABLE => Outcome::Unsatisfiable,
            Status::UNKNOWN => Outcome::Unknown,
        }
    }

    /// Allows the next call of [`Solver::solve`], and no later one, this many conflicts.
    pub fn limit_conflicts(&mut self, conflicts: u32) {
        let limit = i32::try_from(conflicts).unwrap_or(i32::MAX);
        let known = self.inner.limit("conflicts", limit);
        assert!(known, "CaDiCaL has lost its limit 'conflicts'");
    }

    /// Whether a literal is true in the model found. A variable that occurs nowhere is false.
    ///
    /// # Panics
    ///
    /// If the last call of `solve` did not find a model, if the formula has changed since, or if
    /// the literal is zero or `i32::MIN`.
    pub fn value(&mut self, lit: i32) -> bool {
        self.inner.val(lit) == lit
    }

    /// Whether an assumption is in the core: a set of assumptions, not always a smallest one, that
    /// cannot hold together.
    ///
    /// # Panics
    ///
    /// If the last call of `solve` did not end as unsatisfiable, if the formula has changed since,
    /// or if the literal is zero or `i32::MIN`.
    pub fn failed(&mut self, lit: i32) -> bool {
        self.inner.failed(lit)
    }

    /// Tries this literal first wherever its variable is decided.
    ///
    /// # Panics
    ///
    /// If the literal is zero or `i32::MIN`.
    pub fn phase(&mut self, lit: i32) {
        self.inner.phase(lit);
    }

    /// The work done since the solver was created.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let figure = |name| {
            let value = self.inner.get_statistic_value(name);
            u64::try_from(value)
                .unwrap_or_else(|_| panic!("CaDiCaL has lost its statistic '{name}'"))
        };
        Statistics {
            conflicts: figure("conflicts"),
            decisions: figure("decisions"),
            propagations: figure("propagations"),
            ticks: figure("ticks"),
        }
    }

    fn require_fresh(&self) -> Result<(), Error> {
        if self.inner.state() == State::CONFIGURING { Ok(()) } else { Err(Error::TooLate) }
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("statistics", &self.statistics()).finish_non_exhaustive()
    }
}

impl Configuration {
    fn name(self) -> &'static str {
        match self {
            Configuration::Default => "default",
            Configuration::Plain => "plain",
            Configuration::Sat => "sat",
            Configuration::Unsat => "unsat",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Environment(variable) => {
                write!(f, "CaDiCaL cannot be used while the environment sets {variable}; unset it")
            }
            Error::NoSuchOption(name) => write!(f, "CaDiCaL has no option named '{name}'"),
            Error::Forbidden(name) => {
                write!(f, "CaDiCaL's option '{name}' is not allowed: its proofs cannot be checked")
            }
            Error::TooLate => {
                f.write_str("CaDiCaL must be set up before the first clause is added")
            }
        }
    }
}

impl std::error::Error for Error {}

/// A closure as CaDiCaL's terminator.
struct Stop<F>(F);

impl<F: FnMut() -> bool> Terminator for Stop<F> {
    fn terminated(&mut self) -> bool {
        (self.0)()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    /// Adds the clauses that say: each of `holes + 1` pigeons has one of `holes` holes to itself.
    fn add_pigeons(solver: &mut Solver, holes: i32) {
        let sits = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
        for pigeon in 0..=holes {
            solver.add_clause(&(0..holes).map(|hole| sits(pigeon, hole)).collect::<Vec<_>>());
            for other in 0..pigeon {
                for hole in 0..holes {
                    solver.add_clause(&[-sits(pigeon, hole), -sits(other, hole)]);
                }
            }
        }
    }

    #[test]
    fn every_configuration_refutes_the_pigeons() {
        for configuration in
            [Configuration::Default, Configuration::Plain, Configuration::Sat, Configuration::Unsat]
        {
            let mut solver = Solver::new(configuration).expect("the environment is clean");
            add_pigeons(&mut solver, 6);
            assert_eq!(solver.solve(&[]), Outcome::Unsatisfiable, "{configuration:?}");
            let statistics = solver.statistics();
            assert!(statistics.conflicts > 0 && statistics.propagations > 0);
            assert!(statistics.decisions > 0 && statistics.ticks > 0);
        }
    }

    #[test]
    fn a_conflict_limit_holds_for_one_call() {
        let mut solver = Solver::new(Configuration::Default).expect("the environment is clean");
        add_pigeons(&mut solver, 7);
        solver.limit_conflicts(5);
        assert_eq!(solver.solve(&[]), Outcome::Unknown);
        assert_eq!(solver.solve(&[]), Outcome::Unsatisfiable);
    }

    #[test]
    fn a_terminator_stops_the_search_and_the_search_can_go_on() {
        let mut solver = Solver::new(Configuration::Plain).expect("the environment is clean");
        add_pigeons(&mut solver, 7);
        let stop = Rc::new(Cell::new(true));
        let asked = Rc::clone(&stop);
        solver.terminate_when(move || asked.get());
        assert_eq!(solver.solve(&[]), Outcome::Unknown);
        stop.set(false);
        assert_eq!(solver.solve(&[]), Outcome::Unsatisfiable);
    }

    #[test]
    fn options_are_set_early_by_their_names_and_never_factor() {
        let mut solver = Solver::new(Configuration::Default).expect("the environment is clean");
        assert_eq!(solver.set_option("seed", 7), Ok(()));
        assert_eq!(solver.set_option("sed", 7), Err(Error::NoSuchOption("sed".to_owned())));
        assert_eq!(solver.set_option("factor", 1), Err(Error::Forbidden("factor")));
        solver.add_clause(&[1]);
        assert_eq!(solver.set_option("seed", 8), Err(Error::TooLate));
    }
}

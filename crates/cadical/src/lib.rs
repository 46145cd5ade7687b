//! The SAT solver CaDiCaL, as little of it as we use.
//!
//! This crate is the only one that touches native code. It wraps CaDiCaL 3.0.1, built from source
//! by `cadical-sys`, in a [`Solver`] that speaks DIMACS integers, and turns the solver's many proof
//! events into the few of [`Tracer`]. It knows nothing of our literals, sessions or certificates.
//! Start reading at [`Solver`].
//!
//! Armin Biere, Tobias Faller, Katalin Fazekas, Mathias Fleury, Nils Froleyks, Florian Pollitt:
//! *CaDiCaL 2.0*, CAV 2024.
//!
//! ```
//! use cadical::{Configuration, Outcome, Solver};
//!
//! let mut solver = Solver::new(Configuration::Default)?;
//! solver.add_clause(&[1, 2]);
//! solver.add_clause(&[-1, 2]);
//! assert_eq!(solver.solve(&[]), Outcome::Satisfiable);
//! assert!(solver.value(2));
//! assert_eq!(solver.solve(&[1, -2]), Outcome::Unsatisfiable);
//! assert!(solver.failed(-2));
//! # Ok::<(), cadical::Error>(())
//! ```
//!
//! # What to know about CaDiCaL
//!
//! - A solver is not [`Send`]: create it on the thread that uses it.
//! - A panic in a callback (a terminator or a tracer) cannot unwind through C++; it aborts the
//!   process. Callbacks must therefore not panic.
//! - CaDiCaL reads options from environment variables named `CADICAL_…`. [`Solver::new`] resets them, so that
//!   an answer does not depend on the caller's environment, and fails under the one that it cannot reset.
//! - Bounded variable addition (the option `factor`) is kept off: it adds clauses that are not
//!   implied by the formula, only equisatisfiable with it, and so needs stronger proofs than the
//!   reverse unit propagation (RUP) steps we check.

mod solver;
mod tracer;

pub use solver::{Configuration, Error, Outcome, Solver, Statistics};
pub use tracer::{ClauseId, Tracer};

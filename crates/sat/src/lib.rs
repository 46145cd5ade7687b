//! SAT: formulas, solvers, and checked answers.
//!
//! A [`Session`] holds a formula in conjunctive normal form that grows clause by clause, and decides whether
//! it has a model under given assumptions. No answer is trusted: a model is checked against the session's own
//! copy of the clauses, and with [`Options::certify`] our own proof checker checks a refutation while the
//! solver produces it.
//!
//! This crate knows nothing about where formulas come from: no circuits, no relations, no programs.
//!
//! Start reading at [`Session`]. [`Solver`] specifies a back end; `backend/` holds those that exist, behind
//! the features `cadical` (on by default) and `batsat`. [`lrat`] is the proof checker, `certificate.rs` puts
//! it between the solver and the session, and [`proof`] reads and writes proofs.
//!
//! # Example
//!
//! Three people sit on two chairs, one each. That is unsatisfiable, and the core of the refutation lists the
//! contradicting assumptions.
//!
//! ```
//! use sat::{Answer, Lit, Options, Session};
//!
//! let mut session = Session::new(Options { certify: true, ..Options::default() })?;
//! // `seats[p][c]`: person p sits on chair c. `present[p]`: person p sits anywhere.
//! let seats: Vec<Vec<Lit>> =
//!     (0..3).map(|_| session.new_vars(2).into_iter().map(Lit::from).collect()).collect();
//! let present: Vec<Lit> = session.new_vars(3).into_iter().map(Lit::from).collect();
//! for p in 0..3 {
//!     session.add_clause(&[!present[p], seats[p][0], seats[p][1]]);
//!     for q in 0..p {
//!         for c in 0..2 {
//!             session.add_clause(&[!seats[p][c], !seats[q][c]]);
//!         }
//!     }
//! }
//!
//! assert_eq!(session.solve(&[present[0], present[2]]), Answer::Sat);
//! assert!(session.value(seats[0][0]) != session.value(seats[2][0]));
//!
//! assert_eq!(session.solve(&present), Answer::Unsat);
//! assert_eq!(session.core(), present);
//! # Ok::<(), sat::Error>(())
//! ```

mod all_sat;
mod backend;
#[cfg(feature = "cadical")]
mod certificate;
mod cnf;
pub mod dimacs;
mod interrupt;
mod limits;
mod lit;
pub mod lrat;
mod model;
pub mod proof;
mod session;
mod solver;

pub use all_sat::{AllSat, Next};
pub use cnf::Cnf;
pub use interrupt::Interrupt;
pub use lit::{Lit, Var};
pub use model::Model;
pub use session::{Backend, Error, Options, Profile, Session};
pub use solver::{Answer, Limits, Reason, Solver, Statistics};

//! A relational model finder: first-order relational logic over finite bounds, solved by SAT.
//!
//! A problem is a [`Universe`] of atoms, [`Bounds`] that determine which tuples each relation must and may
//! contain, and formulas. A [`Finder`] translates the formulas into a circuit, the circuit into clauses,
//! calls a solver, and returns [`Instance`]s that the evaluator has checked, or that there are none. The
//! approach is that of Kodkod (Torlak and Jackson, TACAS 2007).
//!
//! This crate knows nothing about programs. Formulas are built in a [`Logic`] through copyable
//! handles; see [`face`] for how they read, [`Finder`] for a worked example, and `translate.rs`
//! for how a formula becomes gates.

mod algebra;
mod bounds;
mod core;
mod error;
mod evaluate;
pub mod face;
mod finder;
mod instance;
mod limits;
mod logic;
mod matrix;
mod options;
mod print;
mod problem;
mod symmetry;
mod translate;
mod tuples;
mod typing;
mod universe;

pub use bounds::Bounds;
pub use core::Core;
pub use error::Error;
pub use face::{
    Expr, Formula, Int, Variable, all, all_disjoint, comprehension, lone, no, one, some,
    some_disjoint, sum,
};
pub use finder::{Finder, Reason, Solution, Statistics};
pub use instance::Instance;
pub use logic::Logic;
pub use matrix::Matrix;
pub use options::{Integers, Options};
pub use translate::translate;
pub use tuples::TupleSet;
pub use universe::Universe;

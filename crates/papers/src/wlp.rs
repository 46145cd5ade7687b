//! Weakest liberal preconditions: a loop-free procedure as definitions, and for each of its points a
//! condition that is valid if and only if no execution that passes the point succeeds.
//!
//! This implements Hoenicke, Leino, Podelski, Schäf and Wies, *It's Doomed; We Can Prove It* (FM 2009), §§
//! 4–6, to inspect ([`Formulas::display`]) and to pass to other solvers ([`Formulas::smt`]). The checker of
//! doomed points does not use it: it asks the same query of a circuit. A test compares the two.
//!
//! [`formulas()`] reads like the paper. Reachability variables are set (`reach.rs`), the body is made
//! passive (`passes::passify`), and each block `ℓ` gets a truth value with the definition
//!
//! ```text
//! B_ℓ ≡ wlp.S.(B_ℓ₁ ∧ … ∧ B_ℓₙ)
//! ```
//!
//! This module knows no solver, no checker and no source language. Start reading at `formulas.rs`.

mod formulas;
mod notation;
mod print;
mod reach;
mod shared;
mod smt;

pub use formulas::{Condition, Definition, Formulas, formulas};
pub use print::FormulaText;
pub use reach::Site;
pub use smt::Inexpressible;

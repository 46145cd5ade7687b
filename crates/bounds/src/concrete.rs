//! Concrete executions of loop-free procedures from known heaps.
//!
//! Where an invariant admits few heaps, each is analysed separately, and then there is nothing to solve: an
//! execution from a known heap is known too, up to whether it satisfies the contract. What remains is to
//! evaluate expressions, most of them about reachability, and quickly, as there are millions of them. So
//! atoms are small numbers, sets of them words, relations rows of words. An unknown is a value too
//! ([`Value::Unknown`], sets with possible members): a formula is then true, false or unknown.
//!
//! Whatever cannot be represented is unknown, and the caller needs another method. No finding depends on this
//! module alone; it only shows for which executions no query is needed.
//!
//! This module knows nothing of gates, solvers, checkers and source languages. Start reading at `program.rs`,
//! which prepares expressions, and `run.rs`.

mod apply;
mod evaluate;
mod program;
mod run;
mod value;

pub use evaluate::Machine;
pub use program::Program;
pub use run::Outcome;
pub use value::{MOST, Set, Value};

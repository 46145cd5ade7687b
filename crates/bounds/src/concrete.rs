//! Runs of loop-free procedures from heaps that are known.
//!
//! Where an invariant leaves few heaps, each is looked at by itself, and then there is nothing to solve: a run from a
//! heap that is known is known too, up to whether it keeps the contract. What is left is to evaluate
//! expressions, most of them about reachability, and quickly, as there are millions of them. So atoms are small
//! numbers, sets of them words, relations rows of words. What is not known is a value too ([`Value::Unknown`], sets
//! with members that may be there): a formula then holds, does not, or may.
//!
//! Whatever cannot be represented is unknown, and whoever asks has to ask somebody else. Nothing is charged on the word
//! of this module; it only says of which runs nothing need be asked.
//!
//! This module knows nothing of gates, solvers, checkers and source languages. Start reading at `program.rs`, which
//! makes expressions ready, and `run.rs`.

mod apply;
mod evaluate;
mod program;
mod run;
mod value;

pub use evaluate::Machine;
pub use program::Program;
pub use run::Outcome;
pub use value::{MOST, Set, Value};

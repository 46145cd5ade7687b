//! Passes from VIR to VIR: they remove loops, calls and what no query depends on.
//!
//! The evaluator needs a body without loops and calls. [`for_under`] and [`for_over`] produce one, in the two
//! directions of approximation: the first keeps executions of the program and cuts the rest, the second
//! describes every execution and more. Both are composed of passes that can be used alone, each in a file of
//! its own:
//!
//! | pass | does | keeps |
//! | --- | --- | --- |
//! | [`split()`] | gives every loop one entry by copying | all executions, or cuts entries |
//! | [`unroll()`] | copies every loop a number of times | executions with few iterations; cuts the rest |
//! | [`havoc()`] | first, arbitrary and last iteration | all executions, and adds some |
//! | [`inline()`] | puts bodies in the place of calls | executions with few nested calls |
//! | [`by_contract`] | puts contracts in the place of calls | all executions in which contracts are kept |
//! | [`relax()`] | lets only some statements mean something | all executions, and adds some |
//! | [`spell_out()`] | puts the contract into the body | all executions, failures of the contract included |
//! | [`passify()`] | puts assumptions in the place of assignments | all executions, and adds some where memory is allocated |
//! | [`slice()`] | takes away what is not asked about | whether the obligations asked about fail |
//!
//! Copies keep the source point of the original; statements of an inlined callee get the point of the call. A
//! pass reports a [`Limitation`] where it did less than it was asked to.
//!
//! This crate knows no checker and no formula. It looks at statements only; what an expression means
//! is not its business. Start reading at `prepare.rs`, then `product.rs`, on which the treatments of
//! loops rest, and `calls.rs`, on which those of calls do.

mod calls;
mod contract;
mod copy;
mod effects;
pub mod graph;
mod havoc;
mod inline;
mod limits;
mod link;
mod live;
mod measure;
mod names;
mod note;
mod passify;
mod prepare;
mod product;
mod relax;
mod slice;
mod spell_out;
mod split;
mod unroll;

pub use contract::{ContractCall, ExitKind, Write, by_contract};
pub use effects::{Effect, Effects};
pub use havoc::havoc;
pub use inline::{CallFallback, Inlining, Stubs, inline};
pub use link::{Linked, Symbol, link};
pub use note::{Limitation, Replacement};
pub use passify::passify;
pub use prepare::{Limits, Prepared, for_over, for_under};
pub use relax::{Constraint, relax};
pub use slice::{NOT_ASKED, slice};
pub use spell_out::spell_out;
pub use split::{SEVERAL_ENTRIES, split};
pub use unroll::{Unrolling, unroll};

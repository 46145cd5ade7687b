//! Bounds on initial heaps, which depend on the preconditions alone.
//!
//! [`shapes`] enumerates the canonical heaps of a scope that satisfy the preconditions of a procedure, up to
//! the numbers and objects in them that their structure does not determine; [`tighten`] finds for each field
//! which edges occur in some such heap (Galeotti et al., ISSTA 2010, §3.2). Both produce
//! [`encode::Feasible`], from which an evaluation starts, and both can be cached in a [`Store`]. For a known
//! heap, [`concrete`] evaluates formulas and executes procedures without a solver.
//!
//! This crate knows nothing of checkers and of source languages, and its results about initial heaps do not
//! depend on the bodies of procedures. Start reading at `shapes.rs`.

mod beginning;
pub mod concrete;
mod edges;
mod follows;
mod limits;
mod preconditions;
mod shapes;
mod store;
mod text;
mod tighten;

pub use beginning::{beginning, value};
pub use preconditions::preconditions;
pub use shapes::{Shapes, shapes};
pub use store::{HeapQuery, Key, MemoryStore, Store};
pub use tighten::{TightBounds, tighten};

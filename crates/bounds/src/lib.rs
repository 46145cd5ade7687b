//! What initial heaps can be, before any method runs: the preconditions alone decide it.
//!
//! [`shapes`] enumerates the canonical heaps of a scope that meet the preconditions of a procedure, up to
//! the numbers and objects in them that are not settled by how the objects lead to each other;
//! [`tighten`] finds for each field which edges are in some such heap (Galeotti et al., ISSTA 2010,
//! §3.2). Both are [`encode::Feasible`], with which an evaluation begins, and both are cached
//! ([`Cache`]). Where a heap is known, [`concrete`] evaluates formulas and follows runs from it without a solver.
//!
//! This crate knows nothing of checkers and of source languages, and what it says of initial heaps does not depend on
//! what procedures do with them. Start reading at `shapes.rs`.

mod beginning;
mod cached;
pub mod concrete;
mod edges;
mod follows;
mod preconditions;
mod shapes;
mod text;
mod tighten;

pub use beginning::{beginning, value};
pub use cached::HeapQuery;
pub use preconditions::preconditions;
pub use shapes::{Shapes, shapes};
pub use store::Cache;
pub use tighten::{TightBounds, tighten};

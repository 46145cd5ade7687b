//! Code as a relational formula, as Jackson and Vaziri extract it (*Finding Bugs with a Constraint Solver*,
//! ISSTA 2000, §3): a second, literal encoder, to inspect and to compare with the first one.
//!
//! A procedure of their subset of Java ([`java::subset`]) becomes a computation graph ([`graph()`], Figure 5),
//! whose nodes get labels for each state component ([`label`], Figure 6); from both the formula is extracted
//! ([`extract`], Figures 7 and 8), and a model of it, with the negation of the specification, is a trace that
//! breaks it ([`Extract::ask`], Figure 2). This module knows nothing of VIR, of the evaluator in `encode`, and of
//! checkers; no finding depends on it.

mod ask;
mod expression;
mod extract;
mod graph;
mod label;
mod model;
mod nulls;
mod print;
mod show;
mod translate;

pub use ask::{CheckResult, FixedValue, ProblemSize};
pub use extract::{Extract, extract};
pub use graph::{Action, Edge, Graph, graph};
pub use label::{Component, Labels, label};
pub use model::Model;
pub use nulls::Nulls;

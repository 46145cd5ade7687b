//! Checkers: the queries about a procedure, and the findings and verdicts that follow from the answers.
//!
//! [`examine`] takes one procedure from the lowered program to findings and a verdict: prepare, evaluate, ask,
//! lift, replay, explain. A checker ([`Checker`]) only decides which queries are asked. Nothing here knows a source
//! language or a solver.

mod analysis;
mod assumptions;
mod blame;
mod bodies;
mod checkers;
mod clear;
mod context;
mod doom;
mod examine;
mod explain;
mod facts;
mod flow;
mod idle;
mod initial;
mod left_out;
mod limits;
mod narrow;
mod options;
mod path_class;
mod quick_check;
mod relevant;
mod returned;
mod rule;
mod runs;
mod search;
mod strategy;
mod vacuity;
mod whole_class;

pub use assumptions::{ASSUMPTIONS, Assumption, Assumptions, Principle};
pub use bodies::{Bodies, Callers};
pub use checkers::{ALL, Checker, find, rule_of};
pub use context::{CheckContext, Defect, Evidence, sentence};
pub use encode::{Direction, QueryAnswer, QuerySession};
pub use examine::{Effort, Examined, Program, examine, is_checked};
pub use initial::{Instances, chart, instances};
pub use options::{CheckOptions, Policy, Proofs, SearchBounds, SearchState, SolverLimits};
pub use relevant::RelevantBounds;
pub use rule::Rule;
pub use search::{Search, search};
pub use strategy::Strategy;

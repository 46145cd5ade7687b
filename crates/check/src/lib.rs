//! Checkers: which questions are asked of a procedure, and what is said of the answers.
//!
//! [`examine`] is the whole way of one procedure, from the program as it was lowered to findings and
//! a verdict: prepare, evaluate, ask, lift, replay, explain. A checker ([`Checker`]) only decides
//! what is asked. Nothing here knows a source language or a solver.

mod analysis;
mod assumptions;
mod atoms;
mod blame;
mod blocks;
mod bodies;
mod checkers;
mod clear;
mod context;
mod doom;
mod entry;
mod evidence;
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
mod setup;
mod steps;
mod strategy;
mod telling;
mod vacuity;
mod whole_class;
mod written;

pub use assumptions::{ASSUMPTIONS, Assumption, Assumptions, Principle};
pub use bodies::{Bodies, Callers};
pub use checkers::{ALL, Checker, Kind, find, rule_of};
pub use context::{CheckContext, Defect, Evidence, sentence};
pub use encode::{Direction, QueryAnswer, QuerySession};
pub use examine::{Effort, Examined, Program, examine, is_checked};
pub use initial::{Instances, chart, instances};
pub use options::{CheckOptions, Policy, Proofs, SearchBounds, SearchState, SolverLimits};
pub use relevant::RelevantBounds;
pub use rule::Rule;
pub use search::{Search, search};
pub use setup::{Recorded, Reply, setup};
pub use strategy::Strategy;
pub use telling::Telling;

//! Reports: findings and verdicts as plain data, and the renderers that turn them into bytes.
//!
//! A [`Report`] holds findings with their evidence, a verdict for each procedure, and notes on files that could not
//! be read in full. A renderer turns it into bytes, one file each: [`text`] for people, [`json`] for programs,
//! [`sarif`] for code scanning services, [`page`] for one finding in a browser, and [`tables`] for files with
//! reasoning tables.
//!
//! This crate knows nothing of intermediate representations, formulas or solvers. It does not touch
//! the file system, the environment or a terminal: source text comes through [`Sources`], bytes go to
//! a [`std::io::Write`], and the command line decides about colour and width. The same report gives
//! the same bytes, and no report makes a renderer panic: places beyond the end of a file, missing
//! files and broken text only make it show less.
//!
//! Start reading at [`Finding`], then `text.rs`.
//!
//! # Example
//!
//! ```
//! use std::collections::BTreeMap;
//! use report::{Bounds, Confirmation, FailureKind, Finding, LineIndex, Place, Procedure, Report, Verdict};
//!
//! let code = "int f(void) {\n    int *p = 0;\n    return *p;\n}\n";
//! let index = LineIndex::new(code);
//! let bounds = Bounds::new().with("unroll", 3);
//! let finding = Finding::new(
//!     "null-dereference",
//!     FailureKind::NullDereference,
//!     "`p` is null where it is dereferenced",
//!     Place::of_offsets("f.c", &index, 41, 43),
//!     Confirmation::ReplayedByInterpreter,
//! );
//! let procedure = Procedure::new("f", Verdict::Findings, bounds.clone());
//! let report = Report::new(vec![finding], vec![procedure], vec![], bounds, None);
//!
//! let sources = BTreeMap::from([("f.c".to_owned(), code.to_owned())]);
//! let mut out = Vec::new();
//! report::text::render(&report, &sources, &report::text::Options::default(), &mut out)?;
//! let text = String::from_utf8(out).unwrap();
//! assert!(text.starts_with("error[null-dereference]: `p` is null where it is dereferenced\n"));
//! assert!(text.contains("3 |     return *p;\n"));
//! assert!(text.ends_with("1 finding; 1 procedure analysed, 0 unknown, 0 skipped; unroll 3\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod chart;
pub mod fingerprint;
pub mod gallery;
pub mod json;
mod limits;
pub mod page;
pub mod pages;
pub mod sarif;
pub mod tables;
pub mod text;
pub mod why;

mod execution;
mod failure;
mod finding;
mod headline;
mod heap;
mod limit;
mod reason;
mod rule;
pub mod setup;
mod sources;
mod states;
mod summary;
mod verdict;

pub use chart::Chart;
pub use execution::{Execution, Observer, Obstacle, Refutation, Unobservable};
pub use failure::FailureKind;
pub use finding::{
    Binding, Confirmation, Extent, Finding, Place, Position, Related, RuleId, Step, StepKind,
};
pub use heap::{Heap, Object};
pub use limit::Limit;
pub use reason::{Reason, ReasonClass};
pub use rule::{Example, Level, Rule};
pub use setup::Setup;
pub use sources::{LineIndex, Sources};
pub use states::{State, states};
pub use summary::{Note, Report, Severity, Summary, Tool};
pub use verdict::{Bound, Bounds, Procedure, SearchTechniques, Unreached, UnreachedKind, Verdict};

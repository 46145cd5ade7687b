//! From files to a report: the common part of all front doors of Indict, before anything is printed.
//!
//! [`run`] reads like the table in the house style, top to bottom: gather files, read, lower, examine each
//! procedure, apply suppressions, report. A problem with one file or procedure becomes a note or a verdict, and the
//! rest is still checked.
//!
//! This crate touches no terminal, no environment, no process but through [`Compiler`] and no disk but through
//! [`Files`]; a language server or a test passes its own. It knows languages by a table ([`Language`]) and checkers
//! by theirs ([`check::ALL`]), and of formulas only that there are some ([`formula()`]). Output does not depend on
//! the number of threads. Types of other crates that are part of its interface are exported from here, so that a
//! front door need not know those crates.
//!
//! Start reading at `run.rs`, then `unit.rs`, which has the stages of one file.
//!
//! # Example
//!
//! ```
//! use std::path::Path;
//! use driver::{MemoryFiles, NoCompiler, Options, Silent};
//!
//! let text = "proc half(n: int) returns (h: int)\n{\n  entry:\n    assert n != 7 \"seven has no half\";\n    h := n div 2;\n    exit;\n}\n";
//! let files = MemoryFiles::new([("half.vir", text)]);
//! let paths = [Path::new("half.vir")];
//! let outcome = driver::run(&paths, &files, &NoCompiler, &Options::default(), &Silent);
//! assert_eq!(outcome.report.findings[0].message, "seven has no half");
//! ```

mod assumptions;
mod cache;
mod checked_tables;
mod compiler;
mod config;
mod contain;
mod content;
mod faults;
mod files;
mod formula;
mod gather;
mod heaps;
mod jar;
mod judged;
mod language;
mod limits;
mod models;
mod mutate;
mod nearest;
mod options;
mod overlay;
mod packages;
mod part;
mod program;
mod rules;
mod run;
mod search_path;
mod source;
mod stubs;
mod summaries;
mod suppress;
mod tables;
mod trace;
mod unit;
mod why;

pub use assumptions::{assumption, assumptions_manual};
pub use check::{
    ASSUMPTIONS, Assumption, Direction, Effort, Instances, QueryAnswer, QuerySession, Rule, Search,
    Strategy,
};
pub use checked_tables::checked_tables;
pub use compiler::{Compiled, Compiler, Complaint, NoCompiler};
pub use config::{Config, KEYS, NAME, find};
pub use contain::{Panic, contain, record_panics};
pub use files::{Disk, Entry, Files, Kind, MemoryFiles, plain};
pub use formula::{NoFormula, formula};
pub use gather::{Exclude, Gathered, gather};
pub use heaps::{HeapClass, NoHeaps, chart, instances};
pub use ir::{Module, ProcedureId, print as vir};
pub use java::{MutationOperator, Nullness};
pub use language::{FromBitcode, FromSources, LANGUAGES, Language, Lower, of_path};
pub use mutate::{MutantStatus, NoTrial, Tried, mutate};
pub use nearest::nearest;
pub use options::{Classes, Options, Settings, range, scope};
pub use papers::computation::{CheckResult, Nulls};
pub use part::{Changes, Selection};
pub use program::{Execution, NoProgram, ProgramEnd, execute};
pub use resolve::{
    BooleanHypothesis, Hypothesis, Scope as FormulaScope, Table, escape, hypotheses,
};
pub use resolve::{html as table_html, markdown as table_markdown, text as table_text};
pub use rules::{Registry, Rules, UnknownRule};
pub use run::{Observer, Outcome, Silent, Suppressed, Timing, run};
pub use summaries::{Documented, SummaryText, summaries};
pub use tables::{NoTables, readable, tables};
pub use trace::{TraceQuery, Traced, trace};
pub use why::why;

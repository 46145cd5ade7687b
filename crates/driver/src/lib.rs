//! From files to a report: what every door of Indict does before it prints.
//!
//! [`run`] reads like the table in the house style, top to bottom: gather files, read, lower, examine
//! each procedure, suppress what the source says is to be suppressed, report. What goes wrong with one
//! file or procedure becomes a note or a verdict, and the rest goes on.
//!
//! This crate touches no terminal, no environment, no process but through [`Compiler`] and no disk but
//! through [`Files`]; a language server or a test hands in its own. It knows languages by a table ([`Language`]) and checkers by theirs
//! ([`check::ALL`]), and of formulas only that there are some ([`formula()`]). Output does not depend on the number of threads.
//! Types of other crates that are part of its interface are exported from here, so that a door need not know those crates.
//!
//! Start reading at `run.rs`, then `unit.rs`, which has the stages of one file.
//!
//! # Example
//!
//! ```
//! use std::path::Path;
//! use driver::{Memory, NoCompiler, Options, Silent};
//!
//! let text = "proc half(n: int) returns (h: int)\n{\n  entry:\n    assert n != 7 \"seven has no half\";\n    h := n div 2;\n    exit;\n}\n";
//! let files = Memory::new([("half.vir", text)]);
//! let paths = [Path::new("half.vir")];
//! let outcome = driver::run(&paths, &files, &NoCompiler, &Options::default(), &Silent);
//! assert_eq!(outcome.report.findings[0].message, "seven has no half");
//! ```

mod assumptions;
mod cache;
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
mod lesson;
mod limits;
mod marks;
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
mod trace;
mod unit;
mod why;

pub use assumptions::{assumption, assumptions_manual};
pub use check::{
    ASSUMPTIONS, Assumption, Direction, Effort, Instances, QueryAnswer, QuerySession, Rule, Search,
    Strategy,
};
pub use compiler::{Compiled, Compiler, Complaint, NoCompiler};
pub use config::{Config, KEYS, NAME, find};
pub use contain::{Panic, contain, record_panics};
pub use files::{Disk, Entry, Files, Kind, Memory, plain};
pub use formula::{NoFormula, formula};
pub use gather::{Exclude, Gathered, gather};
pub use heaps::{NoHeaps, Subject, chart, instances};
pub use ir::{Module, ProcedureId, print as vir};
pub use java::{MutationOperator, Nullness};
pub use language::{FromBitcode, FromSources, LANGUAGES, Language, Lower, of_path};
pub use lesson::{NoLesson, readable, tables};
pub use marks::lessons;
pub use mutate::{Fate, NoTrial, Tried, mutate};
pub use nearest::nearest;
pub use options::{Classes, Options, Settings, range, scope};
pub use papers::computation::{CheckResult, Nulls};
pub use part::{Changes, Part};
pub use program::{Ended, Execution, NoProgram, execute};
pub use resolve::{
    BooleanHypothesis, Hypothesis, Scope as FormulaScope, Table, escape, hypotheses,
};
pub use resolve::{html as table_html, markdown as table_markdown, text as table_text};
pub use rules::{Registry, Rules, UnknownRule};
pub use run::{Observer, Outcome, Silent, Suppressed, Timing, run};
pub use summaries::{Described, Documented, summaries};
pub use trace::{Question, Traced, trace};
pub use why::why;

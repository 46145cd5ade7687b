//! From a build of C to bitcode: how files are compiled, and clang, which compiles them once more for us.
//!
//! A [`Command`] says how the user's build compiles one file. Commands come from a
//! `compile_commands.json` ([`database`]), from a build that is watched ([`capture`]), or from the flags
//! that the user names. A [`Compiler`] turns a command into bitcode: it drops what only matters for
//! code generation, drops what clang does not know by clang's own word, and keeps what it made in a
//! [`store::Cache`], by the content of what goes into it.
//!
//! This crate starts processes and touches the disk; it knows nothing of what bitcode is, nor of what is
//! done with it.

pub mod capture;
mod command;
mod compiler;
pub mod database;
mod inputs;
mod response;

pub use command::{Command, Flags, is_source};
pub use compiler::{Bitcode, ClangDiagnostic, Compiler, Error, MINIMUM};

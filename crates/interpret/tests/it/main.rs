//! Runs of programs in VIR text.

mod cells;
mod contracts;
mod enumerating;
mod errors;
mod fixture;
mod list;
mod maps;
mod memory;
mod random;
mod reverse;
mod specifications;
mod statements;

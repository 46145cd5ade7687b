//! Differential tests of the judge: random programs with calls, loops, locks and allocations.
//!
//! - `machine.rs`: monitors see in an execution what error-checking mutexes and a scan of memory see in an
//!   execution of the compiled program with the same decisions.
//! - `exhaustive.rs`: each finding of the analysis is shown by one of all executions, and failures of executions
//!   are found.
//! - `inlined.rs`: the findings of a function are those that it has with its callees' bodies in place of calls.
//!
//! `INDICT_DIFFERENTIAL=10` runs ten times as many programs. The tests need the clang that Indict needs.

mod exhaustive;
mod fixture;
mod generate;
mod inlined;
mod machine;

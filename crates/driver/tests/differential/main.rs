//! Differential tests of the judge: random programs with calls, loops, locks and allocations.
//!
//! - `machine.rs`: observers see in a run what error-checking mutexes and a scan of memory see in a run of the
//!   compiled program that is told the same.
//! - `exhaustive.rs`: what the analysis finds is shown by one of all runs, and what runs show is found.
//! - `inlined.rs`: the findings of a function are those that it has with its callees' bodies in place of calls.
//!
//! `INDICT_DIFFERENTIAL=10` runs ten times as many programs. The tests need the clang that Indict needs.

mod exhaustive;
mod fixture;
mod generate;
mod inlined;
mod machine;

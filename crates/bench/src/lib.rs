//! Benchmarks: what the logic half is asked, what others need for the same, and how whole procedures
//! fare.
//!
//! [`problems`] states ten relational problems as Kodkod's own example programs state them, and [`kodkod`]
//! holds Kodkod's figures on them. The binaries run them: `relational` prints a table against those figures,
//! `circuits` measures queries on circuits and the cost of certificates, `oracle` lets an SMT solver check
//! our answers, `procedures` examines programs, `boogie` compares our verdicts with the published output of
//! Boogie's own test programs ([`expectation`]).
//!
//! Nothing depends on this crate.
//!
//! Start reading at [`Problem`](problems::Problem), then at a small problem such as
//! [`pigeonhole`](problems::pigeonhole()).

pub mod circuits;
pub mod expectation;
pub mod kodkod;
pub mod measure;
pub mod problems;
pub mod random;
pub mod smt;
pub mod table;

use std::fmt::Display;
use std::process::ExitCode;

/// How a binary ends: well, with a figure that should have been better, or with a message.
pub fn conclude<E: Display>(outcome: Result<bool, E>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(2),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

//! The bounds of the analysis, as flags.

use std::time::Duration;

use clap::{Args as Arguments, value_parser};
use driver::range;

/// The bounds, which every verdict states.
#[derive(Arguments, Debug)]
#[command(next_help_heading = "Bounds")]
pub(crate) struct Bounds {
    /// Unroll each loop at most K times [default: 4]
    #[arg(long, value_name = "K", value_parser = value_parser!(u32).range(range::UNROLL))]
    pub(crate) unroll: Option<u32>,

    /// Inline calls at most D levels deep [default: 3]
    ///
    /// With 0, a call is replaced by the callee's contract. Otherwise contracts are used for procedures
    /// without a body, and beyond the bound where all executions are over-approximated.
    #[arg(long, value_name = "D", value_parser = value_parser!(u32).range(range::INLINE))]
    pub(crate) inline: Option<u32>,

    /// Maximum number of objects per class in the initial state [default: 3]
    ///
    /// In Boogie and VIR: atoms per sort. It limits the nodes of lists, trees and other structures before
    /// the first statement. Classes and sorts may have bounds of their own: --scope 3,Node=5
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = PerSort::parse)]
    pub(crate) scope: Vec<PerSort>,

    /// Width of mathematical integers in bits [default: 8]
    ///
    /// Executions that need wider integers are cut. Machine integers are exact.
    #[arg(long, value_name = "W", value_parser = value_parser!(u32).range(range::INT_BITS))]
    pub(crate) int_bits: Option<u32>,

    /// Maximum length of sequences [default: 4]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(range::SEQUENCE))]
    pub(crate) sequence: Option<u32>,

    /// Solver conflicts per procedure before giving up [default: 200000]
    ///
    /// The verdict is then "unknown". Unlike a time limit, this does not depend on the machine.
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub(crate) budget: Option<u64>,

    /// Time limit per procedure in seconds [default: none]
    ///
    /// Fractions are allowed. Findings may then depend on the machine; the verdicts affected say so.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,

    /// Check an LRAT proof of every UNSAT answer
    #[arg(long)]
    pub(crate) certify: bool,
}

/// A number of objects, of one class or sort or of all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PerSort {
    pub(crate) sort: Option<String>,
    pub(crate) count: u32,
}

impl PerSort {
    /// Reads `N` or `SORT=N`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (sort, count) = driver::scope(text)?;
        Ok(Self { sort, count })
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| range::TIME_LIMIT.contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected a number of seconds".to_owned())
}

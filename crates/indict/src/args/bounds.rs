//! How far to look: the bounds, as flags.

use std::time::Duration;

use clap::{Args as Arguments, value_parser};
use driver::range;

/// How far to look. All of it is stated with every verdict.
#[derive(Arguments, Debug)]
#[command(next_help_heading = "How far to look")]
pub(crate) struct Bounds {
    /// Follow each loop for so many iterations [default: 4]
    #[arg(long, value_name = "K", value_parser = value_parser!(u32).range(range::UNROLL))]
    pub(crate) unroll: Option<u32>,

    /// Follow calls so many bodies deep [default: 3]
    ///
    /// With 0, calls do what their contracts say. Otherwise contracts speak only for procedures that have no
    /// body, and for what is beyond the bound where every run is to be described.
    #[arg(long, value_name = "D", value_parser = value_parser!(u32).range(range::INLINE))]
    pub(crate) inline: Option<u32>,

    /// Give each sort so many individuals [default: 3]
    ///
    /// Lists, trees and other structures have so many nodes when a run begins. Sorts and classes may have
    /// bounds of their own: --scope 3,Node=5.
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = PerSort::parse)]
    pub(crate) scope: Vec<PerSort>,

    /// Give mathematical integers so many bits [default: 8]
    ///
    /// Runs in which one would need more are not looked at. Words of a fixed width are exact anyway.
    #[arg(long, value_name = "W", value_parser = value_parser!(u32).range(range::INT_BITS))]
    pub(crate) int_bits: Option<u32>,

    /// Give sequences at most so many elements [default: 4]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(range::SEQUENCE))]
    pub(crate) sequence: Option<u32>,

    /// Give up a procedure after so many conflicts of the solver [default: 200000]
    ///
    /// Its procedure is "unknown" then. This does not depend on the machine, as a time limit does.
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub(crate) budget: Option<u64>,

    /// Give up a procedure after so many seconds, which may be a fraction [default: none]
    ///
    /// A fail-safe: what is found may then depend on the machine, and verdicts say so.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,

    /// Have the solver prove what it refutes, and check each proof
    #[arg(long)]
    pub(crate) certify: bool,
}

/// A number of individuals, of one sort or of all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PerSort {
    pub(crate) sort: Option<String>,
    pub(crate) count: u32,
}

impl PerSort {
    /// Reads `N` or `SORT=N`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (sort, number) = match text.split_once('=') {
            Some((sort, number)) => (Some(sort.trim().to_owned()), number),
            None => (None, text),
        };
        let count = number.trim().parse::<i64>().ok().filter(|n| range::SCOPE.contains(n));
        let count = count.and_then(|count| u32::try_from(count).ok());
        let count = count.ok_or_else(|| {
            let (least, most) = (range::SCOPE.start(), range::SCOPE.end());
            format!("a number from {least} to {most} is expected, or SORT=N")
        })?;
        Ok(Self { sort, count })
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| range::TIME_LIMIT.contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "a number of seconds is expected".to_owned())
}

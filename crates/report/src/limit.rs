//! The limits that end an analysis before it has an answer.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A limit that cut an analysis off. It prints as its number and the setting that changes it, if there is one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// The conflicts of one query of the solver.
    Budget(u64),
    /// The time for one procedure, in milliseconds.
    TimeLimit(u64),
    /// The iterations of each loop.
    Unroll(u32),
    /// The depth to which calls are inlined.
    Inline(u32),
    /// The gates of one formula.
    Gates(usize),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Budget(conflicts) => write!(f, "{conflicts} conflicts, --budget"),
            Limit::TimeLimit(milliseconds) => {
                write!(f, "{} s, --time-limit", *milliseconds as f64 / 1000.0)
            }
            Limit::Unroll(1) => f.write_str("1 iteration, --unroll"),
            Limit::Unroll(iterations) => write!(f, "{iterations} iterations, --unroll"),
            Limit::Inline(1) => f.write_str("1 level of calls, --inline"),
            Limit::Inline(depth) => write!(f, "{depth} levels of calls, --inline"),
            Limit::Gates(gates) => write!(f, "{gates} gates"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Limit;

    #[test]
    fn a_limit_prints_as_a_number_and_the_setting_that_changes_it() {
        assert_eq!(Limit::Budget(2000).to_string(), "2000 conflicts, --budget");
        assert_eq!(Limit::TimeLimit(1500).to_string(), "1.5 s, --time-limit");
        assert_eq!(Limit::TimeLimit(60_000).to_string(), "60 s, --time-limit");
        assert_eq!(Limit::Unroll(4).to_string(), "4 iterations, --unroll");
        assert_eq!(Limit::Inline(1).to_string(), "1 level of calls, --inline");
        assert_eq!(Limit::Gates(300_000).to_string(), "300000 gates");
    }
}

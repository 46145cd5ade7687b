//! The limits that end an analysis before it has an answer.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A limit that cut an analysis off. It prints as the setting that changes it, or as what was limited where users
/// cannot set it.
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
            Limit::Budget(conflicts) => write!(f, "--budget {conflicts}"),
            Limit::TimeLimit(milliseconds) => {
                write!(f, "--time-limit {}", *milliseconds as f64 / 1000.0)
            }
            Limit::Unroll(iterations) => write!(f, "--unroll {iterations}"),
            Limit::Inline(depth) => write!(f, "--inline {depth}"),
            Limit::Gates(gates) => write!(f, "{gates} gates"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Limit;

    #[test]
    fn a_limit_prints_as_the_setting_that_changes_it() {
        assert_eq!(Limit::Budget(2000).to_string(), "--budget 2000");
        assert_eq!(Limit::TimeLimit(1500).to_string(), "--time-limit 1.5");
        assert_eq!(Limit::TimeLimit(60_000).to_string(), "--time-limit 60");
        assert_eq!(Limit::Unroll(4).to_string(), "--unroll 4");
        assert_eq!(Limit::Gates(300_000).to_string(), "300000 gates");
    }
}

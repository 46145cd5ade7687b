//! Why an obligation is not reported: the answers of `indict why`, as text and as JSON.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use serde::Serialize;

use crate::{Bounds, Place};

/// The version of the JSON format.
pub const VERSION: u32 = 1;

/// An obligation on a line, and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Explained {
    /// Its place.
    pub place: Place,
    /// The procedure in which it is, under its source name.
    pub function: String,
    /// The rule that is broken if it fails.
    pub rule: String,
    /// The message of a failure.
    pub message: String,
    /// Its status.
    #[serde(flatten)]
    pub status: Status,
}

/// Why an obligation is or is not reported.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Status {
    /// It is reported.
    Reported {
        /// The message of the finding.
        finding: String,
    },
    /// A comment in the source suppresses the finding.
    Suppressed {
        /// The reason that the comment gives.
        reason: String,
    },
    /// It may fail, and these assumptions together exclude that.
    Assumed {
        /// The assumptions.
        assumptions: Vec<Trusted>,
    },
    /// No execution within the bounds fails, even without assumptions.
    Proved {
        /// The bounds.
        bounds: Bounds,
    },
    /// It is unknown.
    Unknown {
        /// Why.
        reason: String,
    },
    /// Its rule is not checked.
    RuleOff,
}

/// An assumption that keeps an obligation silent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Trusted {
    /// Its name.
    pub name: String,
    /// The sentence about the obligation.
    pub sentence: String,
}

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, function, rule, message, status } = self;
        writeln!(f, "{place}: {rule} in {function}(), if {message}")?;
        match status {
            Status::Reported { finding } => writeln!(f, "    reported: {finding}"),
            Status::Suppressed { reason } => {
                writeln!(f, "    suppressed by a comment in the source: {reason}")
            }
            Status::Assumed { assumptions } => {
                for Trusted { name, sentence } in assumptions {
                    writeln!(f, "    not reported because of the assumption {name}: {sentence}")?;
                }
                let flags = assumptions.iter().map(|one| format!("--assume -{}", one.name));
                let flags: Vec<String> = flags.collect();
                writeln!(f, "    to report it: {}", flags.join(" "))
            }
            Status::Proved { bounds } if bounds.0.is_empty() => {
                writeln!(f, "    no execution fails")
            }
            Status::Proved { bounds } => {
                writeln!(f, "    no execution within the bounds fails: {bounds}")
            }
            Status::Unknown { reason } => writeln!(f, "    unknown: {reason}"),
            Status::RuleOff => writeln!(f, "    not checked; to check it: --rule +{rule}"),
        }
    }
}

/// The obligations as text.
pub fn text(explained: &[Explained]) -> String {
    let mut text = String::new();
    for one in explained {
        let _ = write!(text, "{one}");
    }
    text
}

/// Writes the obligations as one JSON object, indented, with a line feed at the end.
///
/// # Errors
/// If the bytes cannot be written.
pub fn json(explained: &[Explained], out: &mut dyn Write) -> io::Result<()> {
    let document = Document { version: VERSION, obligations: explained };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    obligations: &'a [Explained],
}

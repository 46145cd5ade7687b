//! Verdicts: what is known of a procedure, and within which bounds.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Limit, Place, Reason};

/// A procedure and what became of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Procedure {
    /// Its source name.
    pub name: String,
    /// The place of its definition.
    pub place: Option<Place>,
    /// Its verdict.
    pub verdict: Verdict,
    /// The bounds within which that is known. They are part of every verdict.
    pub bounds: Bounds,
    /// How it was found out, where there was a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manner: Option<SearchTechniques>,
    /// Why some executions were not followed to their ends, if that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<String>,
    /// The limit at which they were cut, where one did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// The code that no execution within the bounds reaches, where nothing is found and the user asked for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreached: Vec<Unreached>,
}

/// Something that no execution within the bounds reaches, so that nothing was checked there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unreached {
    /// Its kind.
    pub kind: UnreachedKind,
    /// Its place; for code, the first place on each line.
    pub place: Place,
    /// Whether it is proved that no execution gets there; otherwise the budget ended before that was decided.
    pub proved: bool,
}

/// The kinds of things that executions may reach.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnreachedKind {
    /// A precondition: no input satisfies all of them.
    Precondition,
    /// A postcondition: no execution ends where it is checked.
    Postcondition,
    /// Code.
    Code,
}

impl fmt::Display for UnreachedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Precondition => "no input satisfies this precondition",
            Self::Postcondition => "no execution reaches this postcondition",
            Self::Code => "no execution gets here",
        })
    }
}

/// The techniques of the search, where there is a choice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchTechniques {
    /// The techniques, each in a few words.
    #[serde(rename = "ways")]
    pub techniques: Vec<String>,
    /// Whether it was shown that no execution exceeds the bound of a loop or of calls.
    pub ends: bool,
}

impl SearchTechniques {
    /// The techniques, and whether all executions end; that some are cut is left out where the verdict says so
    /// already.
    pub(crate) fn text(&self, is_cut_shown: bool) -> Option<String> {
        let ends = match self.ends {
            true => Some("all executions end"),
            false => Some("some executions are cut off").filter(|_| !is_cut_shown),
        };
        let parts: Vec<&str> = self.techniques.iter().map(String::as_str).chain(ends).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

impl Procedure {
    /// A procedure without a place.
    pub fn new(name: impl Into<String>, verdict: Verdict, bounds: Bounds) -> Self {
        Self {
            name: name.into(),
            place: None,
            verdict,
            bounds,
            manner: None,
            cut: None,
            limit: None,
            unreached: Vec::new(),
        }
    }

    /// The same procedure with its place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }
}

/// The verdict on a procedure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "is", content = "because", rename_all = "kebab-case")]
pub enum Verdict {
    /// It has at least one finding.
    Findings,
    /// It has none within the bounds.
    NoneWithinBounds,
    /// It was analysed and could not be decided.
    Unknown(Reason),
    /// It was not analysed.
    Skipped(Reason),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Findings => f.write_str("findings"),
            Self::NoneWithinBounds => f.write_str("none within bounds"),
            Self::Unknown(reason) => write!(f, "unknown: {reason}"),
            Self::Skipped(reason) => write!(f, "skipped: {reason}"),
        }
    }
}

/// A list of bounds, in the order in which they should be read. It prints as
/// `unroll 3, inline 2, scope Ref 4`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bounds(pub Vec<Bound>);

/// A bound: `unroll 3`, `scope Ref 4`, `int width 8`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bound {
    /// The name of the bound.
    pub name: String,
    /// By how much.
    pub value: u64,
}

impl Bounds {
    /// No bounds: what is said holds without any.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same bounds and one more at the end.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: u64) -> Self {
        self.0.push(Bound { name: name.into(), value });
        self
    }

    /// The bounds that others do not have, or have with another value.
    pub(crate) fn besides(&self, others: &Bounds) -> Bounds {
        Bounds(self.0.iter().filter(|bound| !others.0.contains(bound)).cloned().collect())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Bound { name, value }) in self.0.iter().enumerate() {
            let separator = if i == 0 { "" } else { ", " };
            write!(f, "{separator}{name} {value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, Reason, Verdict};
    use crate::ReasonClass;

    #[test]
    fn bounds_print_in_order() {
        let bounds = Bounds::new().with("unroll", 3).with("scope Ref", 4).with("int width", 8);
        assert_eq!(bounds.to_string(), "unroll 3, scope Ref 4, int width 8");
        assert_eq!(Bounds::new().to_string(), "");
    }

    #[test]
    fn verdicts_print_their_reason() {
        let unknown =
            Verdict::Unknown(Reason::new(ReasonClass::Unsupported).because("inline assembly"));
        assert_eq!(unknown.to_string(), "unknown: unsupported (inline assembly)");
        assert_eq!(
            Verdict::Skipped(Reason::new(ReasonClass::NoBody)).to_string(),
            "skipped: no body"
        );
    }
}

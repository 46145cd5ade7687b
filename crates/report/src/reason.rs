//! Reasons why procedures were not decided, or not analysed.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::limit::Limit;

/// Why a procedure was not decided. The summary counts procedures by `class`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Reason {
    /// The class of the reason.
    pub class: ReasonClass,
    /// The detail here, such as `inline assembly on line 12`.
    pub detail: Option<String>,
    /// The limit without which there would be an answer, or more of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}

/// A class of reasons, in the order of their names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum ReasonClass {
    /// The axioms contradict each other.
    Axioms,
    /// No execution comes to an end within the bounds.
    Bounds,
    /// A query, or what it takes to ask it, costs too much.
    Budget,
    /// Something rests on a clause that was left out.
    ClauseLeftOut,
    /// Another file has the same procedure, and it is analysed there.
    Duplicate,
    /// The source has errors.
    FaultySource,
    /// A bug of Indict.
    InternalError,
    /// The procedure is a model of a library function.
    Library,
    /// The procedure is only declared.
    NoBody,
    /// The user asked for others.
    NotAskedFor,
    /// No execution confirms the proposal.
    NotConfirmed,
    /// The machine or the JVM has refuted a finding.
    RefutedByExecution,
    /// The solver failed.
    Solver,
    /// The time limit.
    Time,
    /// The procedure is as it was at this revision.
    UnchangedSince(String),
    /// An unmodelled value.
    Unmodelled,
    /// A construct that is not supported.
    Unsupported,
}

/// The beginning of the name of [`ReasonClass::UnchangedSince`].
const UNCHANGED: &str = "unchanged since ";

impl ReasonClass {
    const NAMED: [ReasonClass; 16] = [
        ReasonClass::Axioms,
        ReasonClass::Bounds,
        ReasonClass::Budget,
        ReasonClass::ClauseLeftOut,
        ReasonClass::Duplicate,
        ReasonClass::FaultySource,
        ReasonClass::InternalError,
        ReasonClass::Library,
        ReasonClass::NoBody,
        ReasonClass::NotAskedFor,
        ReasonClass::NotConfirmed,
        ReasonClass::RefutedByExecution,
        ReasonClass::Solver,
        ReasonClass::Time,
        ReasonClass::Unmodelled,
        ReasonClass::Unsupported,
    ];
}

impl fmt::Display for ReasonClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ReasonClass::Axioms => "axioms",
            ReasonClass::Bounds => "bounds",
            ReasonClass::Budget => "budget",
            ReasonClass::ClauseLeftOut => "clause left out",
            ReasonClass::Duplicate => "duplicates of functions in headers",
            ReasonClass::FaultySource => "faulty source",
            ReasonClass::InternalError => "internal error",
            ReasonClass::Library => "library",
            ReasonClass::NoBody => "no body",
            ReasonClass::NotAskedFor => "not asked for",
            ReasonClass::NotConfirmed => "not confirmed",
            ReasonClass::RefutedByExecution => "refuted by execution",
            ReasonClass::Solver => "solver",
            ReasonClass::Time => "time",
            ReasonClass::UnchangedSince(revision) => return write!(f, "{UNCHANGED}{revision}"),
            ReasonClass::Unmodelled => "unmodelled",
            ReasonClass::Unsupported => "unsupported",
        })
    }
}

impl From<ReasonClass> for String {
    fn from(class: ReasonClass) -> String {
        class.to_string()
    }
}

impl TryFrom<String> for ReasonClass {
    type Error = String;

    /// The class of a name, as reports that were kept have it.
    fn try_from(name: String) -> Result<ReasonClass, String> {
        if let Some(revision) = name.strip_prefix(UNCHANGED) {
            return Ok(ReasonClass::UnchangedSince(revision.to_owned()));
        }
        let named = ReasonClass::NAMED.into_iter().find(|class| class.to_string() == name);
        named.ok_or_else(|| format!("there is no class of reasons `{name}`"))
    }
}

impl Reason {
    /// A reason that needs no detail.
    pub fn new(class: ReasonClass) -> Self {
        Self { class, detail: None, limit: None }
    }

    /// The same reason with a detail.
    #[must_use]
    pub fn because(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The same reason with the limit that it is about.
    #[must_use]
    pub fn limited_by(mut self, limit: Limit) -> Self {
        self.limit = Some(limit);
        self
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.class)?;
        match (&self.detail, &self.limit) {
            (Some(detail), Some(limit)) => write!(f, " ({detail}; {limit})"),
            (Some(detail), None) => write!(f, " ({detail})"),
            (None, Some(limit)) => write!(f, " ({limit})"),
            (None, None) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ReasonClass;

    #[test]
    fn classes_are_read_as_they_are_written_and_in_the_order_of_their_names() {
        let mut all = ReasonClass::NAMED.to_vec();
        all.insert(14, ReasonClass::UnchangedSince("HEAD~1".to_owned()));
        assert!(all.is_sorted());
        let names: Vec<String> = all.iter().map(ToString::to_string).collect();
        assert!(names.is_sorted(), "{names:?}");
        for (class, name) in all.into_iter().zip(names) {
            assert_eq!(ReasonClass::try_from(name), Ok(class));
        }
        assert!(ReasonClass::try_from("other".to_owned()).is_err());
    }
}

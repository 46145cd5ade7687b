//! Files with reasoning tables, and the results of their obligations. The driver fills them in; [`page()`] draws
//! one for a browser, [`csv()`] lists the obligations of all, for grading a folder of submissions.

mod csv;
mod page;

pub use csv::csv;
pub use page::page;

use crate::{Bounds, Finding, Note, Verdict};

/// A file with tables.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckedTables {
    /// Its path.
    pub path: String,
    /// The notes on its text.
    pub notes: Vec<Note>,
    /// Whether its procedures were examined, and it was not only referred to.
    pub is_examined: bool,
    /// Its operations, in the order of the text.
    pub operations: Vec<TableOperation>,
}

/// An operation, and what became of it.
#[derive(Clone, PartialEq, Debug)]
pub struct TableOperation {
    /// Its name.
    pub name: String,
    /// The verdict on its procedure and the bounds of that, if it was examined.
    pub verdict: Option<(Verdict, Bounds)>,
    /// Its reasoning table, in HTML.
    pub table: String,
    /// Its obligations.
    pub obligations: Vec<TableObligation>,
    /// Its error hypotheses.
    pub hypotheses: Vec<ErrorHypothesis>,
    /// The numbers of its states, each once.
    pub states: Vec<u32>,
    /// Its variables.
    pub variables: Vec<TableVariable>,
}

/// An obligation, and what became of it.
#[derive(Clone, PartialEq, Debug)]
pub struct TableObligation {
    /// The state in which it has to hold.
    pub state: String,
    /// Its source, in words.
    pub source: String,
    /// The condition.
    pub condition: String,
    /// Whether it holds.
    pub status: ObligationStatus,
}

/// Whether an obligation holds.
#[derive(Clone, PartialEq, Debug)]
pub enum ObligationStatus {
    /// It fails, as this finding shows.
    Fails(Box<Finding>),
    /// It holds within the bounds.
    Holds,
    /// It is not known; these words say why.
    Unknown(String),
}

/// The condition under which an obligation fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErrorHypothesis {
    /// The state in which the obligation has to hold.
    pub state: String,
    /// The sources of the obligations, in words.
    pub sources: Vec<String>,
    /// The hypothesis, in lines.
    pub text: String,
}

/// A variable of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableVariable {
    /// Its name.
    pub name: String,
    /// Its name in each of the states of a trace.
    pub in_states: Vec<String>,
}

impl TableObligation {
    /// The finding that shows that it fails.
    pub(crate) fn finding(&self) -> Option<&Finding> {
        match &self.status {
            ObligationStatus::Fails(finding) => Some(finding),
            ObligationStatus::Holds | ObligationStatus::Unknown(_) => None,
        }
    }

    /// The status, in words.
    pub(crate) fn verdict(&self) -> &str {
        match &self.status {
            ObligationStatus::Fails(_) => "fails",
            ObligationStatus::Holds => "holds",
            ObligationStatus::Unknown(why) => why,
        }
    }
}

//! Lessons: files with reasoning tables, and what became of what the tables owe. The driver fills them in; [`page()`] draws
//! one for a browser, [`csv()`] lists the obligations of all, for grading a folder of submissions.

mod csv;
mod page;

pub use csv::csv;
pub use page::page;

use crate::{Bounds, Finding, Note, Verdict};

/// A file with tables.
#[derive(Clone, PartialEq, Debug)]
pub struct Lesson {
    /// Its path.
    pub path: String,
    /// What there is to say about its text.
    pub notes: Vec<Note>,
    /// Whether its procedures were examined, and it was not only referred to.
    pub is_examined: bool,
    /// Its operations, in the order of the text.
    pub operations: Vec<Operation>,
}

/// An operation, and what became of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Operation {
    /// Its name.
    pub name: String,
    /// The verdict on its procedure and the bounds of that, if it was examined.
    pub verdict: Option<(Verdict, Bounds)>,
    /// Its reasoning table, in HTML.
    pub table: String,
    /// What it owes.
    pub marks: Vec<Mark>,
    /// Its error hypotheses.
    pub hypotheses: Vec<Hypothesis>,
    /// The numbers of its states, each once.
    pub states: Vec<u32>,
    /// Its variables.
    pub variables: Vec<Variable>,
}

/// An obligation, and what became of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Mark {
    /// The state in which it is owed.
    pub state: String,
    /// Where it comes from, in words.
    pub source: String,
    /// The condition.
    pub condition: String,
    /// Whether it holds.
    pub fate: Fate,
}

/// Whether an obligation holds.
#[derive(Clone, PartialEq, Debug)]
pub enum Fate {
    /// It fails, as this finding shows.
    Fails(Box<Finding>),
    /// It holds within the bounds.
    Holds,
    /// It is not known; these words say why.
    Open(String),
}

/// What would have to hold for an obligation to fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hypothesis {
    /// The state in which it is owed.
    pub state: String,
    /// What the obligations come from, in words.
    pub sources: Vec<String>,
    /// The hypothesis, in lines.
    pub text: String,
}

/// A variable of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What a trace calls it in each of the states.
    pub in_states: Vec<String>,
}

impl Mark {
    /// The finding that shows that it fails.
    pub(crate) fn finding(&self) -> Option<&Finding> {
        match &self.fate {
            Fate::Fails(finding) => Some(finding),
            Fate::Holds | Fate::Open(_) => None,
        }
    }

    /// What became of it, in words.
    pub(crate) fn verdict(&self) -> &str {
        match &self.fate {
            Fate::Fails(_) => "fails",
            Fate::Holds => "holds",
            Fate::Open(why) => why,
        }
    }
}

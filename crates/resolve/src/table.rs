//! The reasoning table: for each state of a procedure, its path condition, its assumptions, and its obligations
//! (the paper's §4.1 and Figure 5).
//!
//! A variable's value in a state is named by the variable and the number of the state. A variable that a statement
//! does not change is carried over to the next state, if it is used later; a variable that a call may change is
//! known only by the contract of the callee.

mod build;
mod call;
mod finish;
mod live;
mod loops;
mod value;
mod write;

use std::fmt;
use std::rc::Rc;

use ir::{AssertKind, PointId, Span};

use crate::scope::ProgramType;
use crate::term::Term;

pub(crate) use build::build;
pub use write::{escape, html, markdown, text};

/// The reasoning table of one procedure.
#[derive(Clone, Debug)]
pub struct Table {
    /// The name of the operation.
    pub name: String,
    /// Where it is.
    pub span: Span,
    /// The rows, in the order of the states.
    pub rows: Vec<Row>,
    /// Facts about constants, in every state.
    pub facts: Vec<Term>,
    /// Whether there are errors in what it was made of.
    pub is_faulty: bool,
    /// How control passes the rows.
    pub(crate) flow: Vec<Flow>,
    /// All variables that have values in states.
    pub(crate) variables: Vec<(String, Rc<ProgramType>)>,
    /// The unsupported constructs, with their places.
    pub(crate) unsupported: Vec<(usize, String, Span)>,
}

/// One state, or one path to it.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which state.
    pub state: State,
    /// The statement that leads there, if it is printed above this row.
    pub statement: Option<String>,
    /// Under which conditions it is reached.
    pub path: Vec<Term>,
    /// The assumptions.
    pub assume: Vec<Assumption>,
    /// The obligations.
    pub confirm: Vec<Obligation>,
    /// The text of the statement that leads there.
    pub span: Span,
}

/// A state, or one of several paths to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    /// The number of the state.
    pub number: u32,
    /// The number of the path, if there are several.
    pub part: Option<u32>,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            Some(part) => write!(f, "{}.{part}", self.number),
            None => write!(f, "{}", self.number),
        }
    }
}

/// Something that may be assumed.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// What.
    pub term: Term,
    /// Why.
    pub why: AssumptionReason,
}

/// Why something may be assumed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssumptionReason {
    /// A specification states it.
    Stated,
    /// A variable is left alone.
    Carried,
    /// A variable has an initial value.
    Initial,
    /// A value belongs to its type. Tables print that in the first state only.
    Typing,
}

/// Something that has to be confirmed.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What.
    pub term: Term,
    /// Which obligation it is.
    pub kind: AssertKind,
    /// Its source.
    pub source: String,
    /// Where it is due.
    pub span: Span,
    /// The source point of the assertion that it is lowered to, in the procedure of the table; none if it has no
    /// meaning in VIR.
    pub point: Option<PointId>,
}

/// How control passes rows.
#[derive(Clone, Debug)]
pub(crate) enum Flow {
    /// Through a row, by number.
    Row(usize),
    /// One of two paths.
    Branch(Term, Vec<Flow>, Vec<Flow>, Span),
    /// Once through the body of a loop and no further, or past it.
    Loop(Vec<Flow>),
}

impl Table {
    /// The names of the variables that have values in states.
    pub fn names(&self) -> Vec<String> {
        self.variables.iter().map(|(name, _)| name.clone()).collect()
    }
}

impl Row {
    /// The assumptions that a table prints.
    pub fn assumptions(&self) -> Vec<&Term> {
        let is_assumed = |assumption: &&Assumption| match assumption.why {
            AssumptionReason::Stated | AssumptionReason::Carried | AssumptionReason::Initial => {
                true
            }
            AssumptionReason::Typing => self.state.number == 0,
        };
        self.assume.iter().filter(is_assumed).map(|assumption| &assumption.term).collect()
    }
}

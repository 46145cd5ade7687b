//! A finding: one bug, with its place, its evidence and its confirmation.
//!
//! All of it is plain data with public fields. Its serialised form is the format that [`crate::json`]
//! writes and `docs/json.md` describes, so a renamed field is a new version of that format.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Bounds, Execution, FailureKind, Heap, Level, LineIndex, Setup};

/// One bug, reported once, at the place where it would be fixed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The rule that is broken.
    pub rule: RuleId,
    /// The kind of failure at the end of the execution.
    pub kind: FailureKind,
    /// The sub-kind within the rule, such as `postcondition` within `contract`.
    pub detail: Option<String>,
    /// One sentence, without a full stop, in source names.
    pub message: String,
    /// The place where it would be fixed.
    pub place: Place,
    /// The procedure in which it happens, under its source name.
    pub function: Option<String>,
    /// The execution that shows it, first step first. Empty when a proof takes the place of an execution.
    pub trace: Vec<Step>,
    /// The steps of another execution with which the first is compared, if the finding is about two: it looks the same
    /// to the caller and ends in another state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counterpart: Vec<Step>,
    /// The heap that the execution begins and the one it ends with, where the program has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heaps: Vec<Heap>,
    /// Other places that a reader has to look at.
    pub related: Vec<Related>,
    /// The bounds within which it was looked for.
    pub bounds: Bounds,
    /// The answers of functions without body that the execution relies on: "`work()` returns 0".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// Why we believe it.
    pub confirmation: Confirmation,
    /// The executions that fail.
    #[serde(default)]
    pub extent: Extent,
    /// How bad it is, which the rule says.
    #[serde(default)]
    pub level: Level,
    /// The outcome of running the program itself, if that was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<Execution>,
    /// The start state and the decisions of the execution, byte by byte, if it works on memory. They are for replay
    /// on the machine, and not part of any format.
    #[serde(skip)]
    pub setup: Option<Box<Setup>>,
    /// The callees whose bodies were not followed in the execution but replaced by stubs. The driver adds their
    /// summaries to the related places; this is not part of any format.
    #[serde(skip)]
    pub relied: Vec<String>,
    /// The source point of the obligation that fails, by number. The driver finds the obligation by it; this is not
    /// part of any format.
    #[serde(skip)]
    pub obligation: Option<u32>,
    /// The words, besides rule, path, function and the text of the line, that distinguish this finding from its
    /// neighbours and survive an edit elsewhere. Input of [`crate::fingerprint`].
    pub identity: Vec<String>,
}

impl Finding {
    /// A finding with neither trace nor related places, bounds unstated.
    pub fn new(
        rule: impl Into<RuleId>,
        kind: FailureKind,
        message: impl Into<String>,
        place: Place,
        confirmation: Confirmation,
    ) -> Self {
        Self {
            rule: rule.into(),
            kind,
            detail: None,
            message: message.into(),
            place,
            function: None,
            trace: Vec::new(),
            counterpart: Vec::new(),
            heaps: Vec::new(),
            related: Vec::new(),
            bounds: Bounds::new(),
            assumptions: Vec::new(),
            confirmation,
            extent: Extent::SomeExecution,
            level: Level::Error,
            execution: None,
            setup: None,
            relied: Vec::new(),
            obligation: None,
            identity: Vec::new(),
        }
    }

    /// The step at which the execution fails: the last one of kind [`StepKind::Failure`] or [`StepKind::Endless`].
    pub fn failure(&self) -> Option<&Step> {
        self.trace.iter().rev().find(|step| step.kind.is_failure())
    }

    /// Whether the execution fails by never coming to an end.
    pub fn is_endless(&self) -> bool {
        self.failure().is_some_and(|step| step.kind == StepKind::Endless)
    }

    /// Every place that the finding mentions, its own first.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        let steps =
            self.trace.iter().chain(&self.counterpart).filter_map(|step| step.place.as_ref());
        let related = self.related.iter().map(|related| &related.place);
        std::iter::once(&self.place).chain(steps).chain(related)
    }

    /// The order of findings in every report: by place, then rule, then message.
    pub(crate) fn key(&self) -> impl Ord + '_ {
        (
            (&self.place.path, self.place.start.line, self.place.start.column),
            (&self.rule, &self.message, &self.detail, &self.function, &self.identity),
        )
    }
}

/// The name of a rule, such as `null-dereference`. Names are for ever.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RuleId(pub String);

impl RuleId {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for RuleId {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl From<String> for RuleId {
    fn from(name: String) -> Self {
        Self(name)
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A stretch of source text. Nothing is promised: the file may be missing, the positions may lie
/// beyond its end or in the wrong order. Renderers show what they can.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The path as the user gave it, with `/` between its parts.
    pub path: String,
    /// The first character.
    pub start: Position,
    /// One past the last character.
    pub end: Position,
}

impl Place {
    /// The place of the bytes from `start` to `end`, the last one excluded.
    pub fn of_offsets(
        path: impl Into<String>,
        index: &LineIndex<'_>,
        start: u32,
        end: u32,
    ) -> Self {
        let (start, end) = (index.position(start), index.position(end.max(start)));
        Self { path: path.into(), start, end }
    }

    /// The place of the word or operator that begins at a line and a column counted in bytes, both
    /// from 1: what debug information has instead of spans.
    pub fn of_token(
        path: impl Into<String>,
        index: &LineIndex<'_>,
        line: u32,
        byte_column: u32,
    ) -> Self {
        let (start, end) = index.token(line, byte_column);
        Self { path: path.into(), start, end }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.path, self.start.line, self.start.column)
    }
}

/// A point between two characters of a file. Line and column are what renderers go by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Position {
    /// The line, from 1. Lines end with a line feed, with or without a carriage return before it.
    pub line: u32,
    /// The column, from 1, in Unicode characters (scalar values).
    pub column: u32,
    /// The bytes before it, from 0.
    pub offset: u32,
}

/// One step of an execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The kind of step.
    pub kind: StepKind,
    /// The place, if it has one in the source.
    pub place: Option<Place>,
    /// The event, in a few words; empty if the source line is enough.
    pub text: String,
    /// The values that matter, in the order in which they should be read.
    pub values: Vec<Binding>,
    /// How many calls deep, 0 in the procedure where the execution begins.
    pub depth: u32,
}

impl Step {
    /// A step with neither place nor values, at depth 0.
    pub fn new(kind: StepKind, text: impl Into<String>) -> Self {
        Self { kind, place: None, text: text.into(), values: Vec::new(), depth: 0 }
    }

    /// The same step at a place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// The same step with one more value.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.values.push(Binding { name: name.into(), value: value.into() });
        self
    }

    /// The same step at a call depth.
    #[must_use]
    pub fn deep(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }
}

/// The event and the values that matter: `returns: p = null, n = 3`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        let colon = if self.text.is_empty() { "" } else { ": " };
        for (i, binding) in self.values.iter().enumerate() {
            write!(f, "{}{binding}", if i == 0 { colon } else { ", " })?;
        }
        Ok(())
    }
}

/// The kind of a step of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepKind {
    /// The execution begins, with these inputs.
    Entry,
    /// A statement is executed.
    Statement,
    /// A condition decides where the execution continues; the text is its value.
    Branch,
    /// The execution continues at one of several places, without a condition.
    Choice,
    /// A procedure is called.
    Call,
    /// A procedure returns.
    Return,
    /// The execution fails.
    Failure,
    /// The execution never ends.
    Endless,
    /// Steps are left out here. The text says which, the values are those that they leave behind.
    Elided,
}

impl StepKind {
    /// Whether what is wrong happens here.
    pub fn is_failure(self) -> bool {
        matches!(self, StepKind::Failure | StepKind::Endless)
    }
}

/// A source name and the value it has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Binding {
    /// A name or expression of the source.
    pub name: String,
    /// Its value, printed as the source language would write it.
    pub value: String,
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A value that only points somewhere has no equals sign.
        let sign = if self.value.starts_with('→') { "" } else { "= " };
        write!(f, "{} {sign}{}", self.name, self.value)
    }
}

/// Another place to look at, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Related {
    /// The place.
    pub place: Place,
    /// Its role in the finding, in a few words.
    pub message: String,
}

/// The executions of a procedure that fail.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// The one that is shown; others may fail too.
    #[default]
    SomeExecution,
    /// Every execution that takes one side of a branch, which the message names, whatever the inputs and however many
    /// iterations loops have (Hoenicke et al. 2009).
    EveryExecutionOfBranch,
    /// Every execution that gets there.
    EveryExecution,
}

impl Extent {
    /// Whether it is proved of all executions, rather than shown by one.
    pub fn is_every(self) -> bool {
        match self {
            Self::SomeExecution => false,
            Self::EveryExecutionOfBranch | Self::EveryExecution => true,
        }
    }

    /// The remark that follows the message, if there is one.
    pub(crate) fn remark(self) -> Option<&'static str> {
        match self {
            Self::SomeExecution => None,
            Self::EveryExecutionOfBranch => Some("every execution that takes this branch fails"),
            Self::EveryExecution => Some("every execution that gets here fails"),
        }
    }
}

/// How a finding was confirmed. There is no variant for "the solver said so".
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "how", content = "by", rename_all = "kebab-case")]
pub enum Confirmation {
    /// The concrete interpreter ran the trace and met the failure.
    ReplayedByInterpreter,
    /// The program itself was run; the text names the machine and the observation.
    ConfirmedByExecution(String),
    /// No execution could show it, a proof does; the text says what was proved.
    ProvedWithoutRun(String),
}

impl fmt::Display for Confirmation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReplayedByInterpreter => f.write_str("replayed by the interpreter"),
            Self::ConfirmedByExecution(by) => write!(f, "confirmed by execution: {by}"),
            Self::ProvedWithoutRun(what) => write!(f, "proved: {what}"),
        }
    }
}

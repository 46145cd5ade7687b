//! Traces: the events of an execution, as data for explaining it.

use std::collections::VecDeque;

use ir::{BlockId, GlobalId, LocalId, ProcedureId, RecordId, Type, Variable};

use crate::memory::Pointer;
use crate::run::Site;
use crate::value::{Key, Value};

/// The events of an execution, in order. The middle of a long execution is left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    first: Vec<Event>,
    last: VecDeque<Event>,
    /// How many events of the middle are left out.
    left_out: u64,
    limit: usize,
}

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// How many statements and ends of blocks were executed before.
    pub step: u64,
    /// How many calls were open; zero in the entry procedure.
    pub depth: u32,
    /// The statement or end of block that did it; its source point follows from it.
    pub site: Site,
    /// The kind of event.
    pub kind: EventKind,
    /// The locations that the statement had read by then.
    pub reads: Vec<Location>,
}

/// A location that a statement reads, as fine as dependences are followed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Location {
    /// A local variable of the procedure with this number of open calls around it.
    Local(u32, LocalId),
    /// A state variable that is neither a map nor memory.
    Global(GlobalId),
    /// An entry of a state variable that is a map.
    Entry(GlobalId, Key),
    /// This many bytes of memory from here on.
    Memory(Pointer, u64),
    /// Whether an object of memory is live, and of which size.
    Object(u64),
}

/// The kinds of events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// A place got a value; none if it is undefined from now on.
    Assigned(Target, Option<Value>, Cause),
    /// An object ceased to be live.
    Freed(Pointer),
    /// A block was entered after a branch or a nondeterministic choice.
    Entered(BlockId),
    /// A procedure was called with these arguments, and its body is executed.
    Called(ProcedureId, Vec<Value>),
    /// An unknown function was called with these arguments.
    UnknownCall(ProcedureId, Vec<Value>),
    /// A procedure returned to its caller.
    Returned(ProcedureId),
    /// A procedure left by an exception, with its value if it has one.
    Threw(ProcedureId, Option<Value>),
}

/// Why a place got its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// By assignment.
    Assignment,
    /// By the oracle.
    Havoc,
    /// By allocation.
    Allocation,
    /// As a result of a call, or as the note that it exited exceptionally.
    Result,
    /// An effect of an unknown function.
    Effect,
}

/// A place with its keys and pointers computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The variable; a local one is of the procedure where the event happened.
    pub variable: Variable,
    /// The path to the part, outermost step first.
    pub path: Vec<Step>,
}

/// One computed step into a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A field of a record.
    Field(RecordId, u32),
    /// The value of a map at these keys.
    Index(Key),
    /// A typed view of byte memory at the pointer.
    View(Pointer, Type),
}

impl Trace {
    /// An empty trace that will keep this many events.
    pub fn new(limit: usize) -> Trace {
        Trace { first: Vec::new(), last: VecDeque::new(), left_out: 0, limit }
    }

    /// Whether events are kept at all.
    pub(crate) fn is_on(&self) -> bool {
        self.limit > 0
    }

    /// Adds an event.
    pub(crate) fn push(&mut self, event: Event) {
        let half = self.limit.div_ceil(2);
        if self.first.len() < half {
            self.first.push(event);
            return;
        }
        self.last.push_back(event);
        if self.last.len() > self.limit - half {
            self.last.pop_front();
            self.left_out += 1;
        }
    }

    /// The events that were kept, in order.
    pub fn events(&self) -> impl Iterator<Item = &Event> + '_ {
        self.first.iter().chain(&self.last)
    }

    /// The events of the start, up to where some are left out.
    pub fn first(&self) -> &[Event] {
        &self.first
    }

    /// The events of the end, from where some are left out.
    pub fn last(&self) -> impl Iterator<Item = &Event> + '_ {
        self.last.iter()
    }

    /// How many events between [`first`](Trace::first) and [`last`](Trace::last) are left out.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}

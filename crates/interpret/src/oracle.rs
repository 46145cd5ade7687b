//! Oracles: whoever decides what a program leaves open.
//!
//! A run asks one question at a time and in the same order for the same answers, so a list of
//! answers is a run ([`Recorded`]), random answers are a random run ([`Seeded`]), and all answers
//! are all runs ([`Enumerating`]).

mod enumerating;
mod keyed;
mod recorded;
mod scope;
mod seeded;

use std::sync::Arc;

use ir::{AssertKind, FunctionId, HavocReason, Module, Place, ProcedureId, SortId, Type, Variable};

use crate::memory::{NewObject, Objects, Pointer, Time};
use crate::run::Site;
use crate::value::{MapValue, Value};

pub use enumerating::{Enumerating, enumerate};
pub use keyed::{DecisionKind, Keyed, SiteDecision, SiteDecisions};
pub use recorded::{Decision, Recorded, Recording};
pub use scope::Scope;
pub use seeded::Seeded;

/// Decides what a program leaves open. No answer ends the run as an error.
pub trait Oracle {
    /// A value of the type that is asked for.
    fn value(&mut self, request: &ValueRequest<'_>) -> Option<Value>;

    /// Which of several ways to go, by number.
    fn choose(&mut self, site: Site, ways: usize) -> Option<usize>;

    /// The atom that an allocation gives, one that is fresh: nothing the run has been told of
    /// refers to it.
    fn atom(&mut self, site: Site, sort: SortId, is_fresh: &dyn Fn(u64) -> bool) -> Option<u64>;

    /// Whether an allocation of this many bytes that may fail does.
    fn fails(&mut self, site: Site, size: u64) -> Option<bool>;

    /// The number of the object that an allocation makes; the next if nobody cares.
    fn object(&mut self, _site: Site) -> Option<u64> {
        None
    }

    /// What a callee that is not followed does.
    fn call(&mut self, call: &UnknownCall<'_>) -> Option<CallResult>;

    /// Whether a run goes on behind an obligation that fails for the sake of a pointer, as if it were met.
    fn assumes_valid(&self, _kind: AssertKind, _pointer: Pointer) -> bool {
        false
    }

    /// Whether [`memory`](Oracle::memory) is asked.
    fn completes(&self) -> bool {
        false
    }

    /// What an object that the run did not make holds at a place that nobody has written, when it is
    /// first read; zero if nobody cares.
    fn memory(&mut self, _question: &MemoryRequest<'_>) -> Option<Completion> {
        None
    }

    /// A call begins, with so many calls open around it.
    fn called(&mut self, _site: Site, _depth: usize, _callee: ProcedureId) {}

    /// A branch goes one way, with so many calls open around it. The run ends as an error if it is not to
    /// go on.
    fn branched(&mut self, _site: Site, _depth: usize, _taken: bool) -> bool {
        true
    }

    /// An object was made: by the statement or call at `site`, while the entry procedure was at `root`.
    fn allocated(&mut self, _object: u64, _site: Site, _root: Site) {}

    /// The atoms of a sort other than `null`, ascending and the same throughout the run, if
    /// quantifiers and sets are to range over them.
    fn atoms(&self, sort: SortId) -> Option<Arc<Vec<u64>>>;

    /// A function without definition as a map from arguments to values, if all of it is settled: then
    /// [`value`](Oracle::value) says the same.
    fn table(&self, _module: &Module, _function: FunctionId) -> Option<Arc<MapValue>> {
        None
    }

    /// What is run in the place of a callee, when so many calls are open, if anything is.
    fn stub(&mut self, _depth: usize, _callee: ProcedureId) -> Option<ProcedureId> {
        None
    }

    /// Whether a callee that has a body is run, when so many calls are open; one that has none never
    /// is.
    fn executes_body(&self, _site: Site, _depth: usize, _callee: ProcedureId) -> bool {
        true
    }
}

/// A question for a value.
#[derive(Debug)]
pub struct ValueRequest<'q> {
    /// The declarations.
    pub module: &'q Module,
    /// Where the run is.
    pub site: Site,
    /// What is asked for.
    pub open: OpenValue<'q>,
    /// Of which type the answer must be.
    pub ty: &'q Type,
}

/// A question for what memory holds that the run did not make.
#[derive(Debug)]
pub struct MemoryRequest<'q> {
    /// The declarations.
    pub module: &'q Module,
    /// Where the run is.
    pub site: Site,
    /// The place.
    pub at: Pointer,
    /// Of which type the answer must be.
    pub ty: &'q Type,
    /// The number of the next object of the environment, if one is made.
    pub next_given: u64,
}

/// What memory holds that the run did not make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// The value.
    pub value: Value,
    /// The object of the environment that the value points to, if it was not there before.
    pub object: Option<NewObject>,
}

/// What a value is asked for.
#[derive(Clone, Copy, Debug)]
pub enum OpenValue<'q> {
    /// A parameter of the entry procedure or a state variable that the inputs leave out, when it is
    /// first read. Maps are asked for entry by entry.
    Input(Variable),
    /// A map at keys where nothing is known of it yet.
    Entry(MapSource, &'q [Value]),
    /// A function without definition at arguments.
    Function(FunctionId, &'q [Value]),
    /// A place that is havocked.
    Havoc(&'q Place, HavocReason),
}

/// Where a map that is not known everywhere comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapSource {
    /// It is the initial value of a variable, or part of it.
    Input(Variable),
    /// It is part of an answer to a question asked here.
    Answer(Site),
    /// It is part of a value of a function.
    Function(FunctionId),
}

/// A question for what a callee that is not followed does.
#[derive(Debug)]
pub struct UnknownCall<'q> {
    /// The declarations.
    pub module: &'q Module,
    /// Where the call is.
    pub site: Site,
    /// Where the entry procedure is.
    pub root: Site,
    /// Who is called.
    pub callee: ProcedureId,
    /// The arguments.
    pub arguments: &'q [Value],
    /// The types of the results, in order.
    pub results: &'q [Type],
    /// The types of the places that may be written: those of the contract's `modifies`, in order,
    /// or all state variables if it has none.
    pub places: &'q [Type],
    /// Whether the places are those of a contract.
    pub has_modifies: bool,
    /// Whether an exceptional exit is expected: the contract speaks of one, or the call catches it.
    pub may_throw: bool,
    /// The type of the value that an exceptional exit is to have, if whoever catches it, the call or
    /// one that it is inside of, has a place for it.
    pub exception: Option<&'q Type>,
    /// The state variables at the call; none for one that is undefined or was never looked at.
    pub globals: &'q [Option<Value>],
    /// The objects of memory, and the moment of the call.
    pub objects: (&'q Objects, Time),
    /// The number of the next object of memory, if one is made.
    pub next_object: u64,
}

/// What a callee that is not followed does. The parts happen in the order in which they stand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallResult {
    /// The objects of memory that it makes.
    pub allocates: Vec<NewObject>,
    /// The objects of memory that it frees, by number.
    pub frees: Vec<u64>,
    /// The places that it writes, by their position in the request, and their new values.
    pub writes: Vec<(usize, Value)>,
    /// The objects of the run that it sets where nobody has written before, by number: from now on the oracle says what
    /// they hold there.
    pub opens: Vec<u64>,
    /// Those among them that it sets anew, whatever was written before.
    pub resets: Vec<u64>,
    /// The results; none are needed if the exit is exceptional.
    pub results: Vec<Value>,
    /// For an exceptional exit, its value if it has one.
    pub throws: Option<Option<Value>>,
}

//! Oracles decide what a program leaves open.
//!
//! An execution makes one request at a time, and the same requests for the same decisions. So a list of
//! decisions determines an execution ([`Recorded`]), random decisions a random execution ([`Seeded`]), and
//! all decisions all executions ([`Enumerating`]).

mod enumerating;
mod keyed;
mod recorded;
mod scope;
mod seeded;

use std::sync::Arc;

use ir::{
    AssertKind, FunctionId, HavocReason, Module, Op, Place, ProcedureId, SortId, Type, Variable,
};

use crate::memory::{NewObject, Objects, Pointer, Time};
use crate::run::Site;
use crate::value::{MapValue, Value};

pub use enumerating::{Enumerating, enumerate};
pub use keyed::{DecisionKind, Keyed, SiteDecision, SiteDecisions};
pub use recorded::{Decision, Recorded, Recording};
pub use scope::Scope;
pub use seeded::Seeded;

/// Decides what a program leaves open. An execution ends as an error where the oracle makes no decision.
pub trait Oracle {
    /// A value of the type that is asked for.
    fn value(&mut self, request: &ValueRequest<'_>) -> Option<Value>;

    /// The target of a nondeterministic `goto`, by number.
    fn choose(&mut self, site: Site, targets: usize) -> Option<usize>;

    /// The atom that an allocation returns. It is fresh: nothing known to the execution refers to it.
    fn atom(&mut self, site: Site, sort: SortId, is_fresh: &dyn Fn(u64) -> bool) -> Option<u64>;

    /// Whether an allocation of this many bytes that may fail does.
    fn fails(&mut self, site: Site, size: u64) -> Option<bool>;

    /// The number of the object that an allocation creates; the next one by default.
    fn object(&mut self, _site: Site) -> Option<u64> {
        None
    }

    /// The effects and results of an unknown function.
    fn call(&mut self, call: &UnknownCall<'_>) -> Option<CallResult>;

    /// Whether the execution continues after an obligation that fails because of this pointer, as if it held.
    fn assumes_valid(&self, _kind: AssertKind, _pointer: Pointer) -> bool {
        false
    }

    /// Whether [`memory`](Oracle::memory) is asked.
    fn completes(&self) -> bool {
        false
    }

    /// The contents, at first read, of an object that the execution did not create, where nothing was
    /// written; zero by default.
    fn memory(&mut self, _request: &MemoryRequest<'_>) -> Option<Completion> {
        None
    }

    /// A call begins at a depth, the number of enclosing calls.
    fn called(&mut self, _site: Site, _depth: usize, _callee: ProcedureId) {}

    /// A branch is taken at a depth, the number of enclosing calls. The execution ends as an error if this
    /// returns `false`.
    fn branched(&mut self, _site: Site, _depth: usize, _taken: bool) -> bool {
        true
    }

    /// Whether [`compared`](Oracle::compared) is called.
    fn wants_comparisons(&self) -> bool {
        false
    }

    /// Two words or pointers are compared, or one word masks another.
    fn compared(&mut self, _site: Site, _op: &Op, _left: &Value, _right: &Value) {}

    /// An object was made: by the statement or call at `site`, while the entry procedure was at `root`.
    fn allocated(&mut self, _object: u64, _site: Site, _root: Site) {}

    /// The atoms of a sort other than `null`, ascending and the same throughout the execution, if quantifiers
    /// and sets range over them.
    fn atoms(&self, sort: SortId) -> Option<Arc<Vec<u64>>>;

    /// A function without definition as a map from arguments to values, if all of it is decided: then
    /// [`value`](Oracle::value) returns the same values.
    fn table(&self, _module: &Module, _function: FunctionId) -> Option<Arc<MapValue>> {
        None
    }

    /// The stub that is executed instead of a callee, at a depth, if there is one.
    fn stub(&mut self, _depth: usize, _callee: ProcedureId) -> Option<ProcedureId> {
        None
    }

    /// Whether a callee with a body is executed, at a depth; one without a body never is.
    fn executes_body(&self, _site: Site, _depth: usize, _callee: ProcedureId) -> bool {
        true
    }
}

/// A request for a value.
#[derive(Debug)]
pub struct ValueRequest<'q> {
    /// The declarations.
    pub module: &'q Module,
    /// The current site.
    pub site: Site,
    /// Which value.
    pub open: OpenValue<'q>,
    /// Its type.
    pub ty: &'q Type,
}

/// A request for the contents of memory that the execution did not create.
#[derive(Debug)]
pub struct MemoryRequest<'q> {
    /// The declarations.
    pub module: &'q Module,
    /// The current site.
    pub site: Site,
    /// The place.
    pub at: Pointer,
    /// The type of the value.
    pub ty: &'q Type,
    /// The number of the next object of the environment, if one is made.
    pub next_given: u64,
}

/// The contents of memory that the execution did not create.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// The value.
    pub value: Value,
    /// The new object of the environment that the value points to, if it points to one.
    pub object: Option<NewObject>,
}

/// The values that an oracle decides.
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
    /// It is part of a decision at this site.
    Answer(Site),
    /// It is part of a value of a function.
    Function(FunctionId),
}

/// A call of an unknown function.
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
    /// Whether an exceptional exit is expected: the contract mentions one, or the call catches it.
    pub may_throw: bool,
    /// The type of the value of an exceptional exit, if the call that catches it, this one or an enclosing
    /// one, has a place for it.
    pub exception: Option<&'q Type>,
    /// The state variables at the call; none for one that is undefined or was never read.
    pub globals: &'q [Option<Value>],
    /// The objects of memory, and the moment of the call.
    pub objects: (&'q Objects, Time),
    /// The number of the next object of memory, if one is made.
    pub next_object: u64,
}

/// The effects and results of an unknown function, in the order in which they happen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallResult {
    /// The objects of memory that it makes.
    pub allocates: Vec<NewObject>,
    /// The objects of memory that it frees, by number.
    pub frees: Vec<u64>,
    /// The places that it writes, by their position in the request, and their new values.
    pub writes: Vec<(usize, Value)>,
    /// The objects of the execution whose unwritten bytes it sets, by number: from now on the oracle decides
    /// their contents.
    pub opens: Vec<u64>,
    /// Those among them that it sets anew, whatever was written before.
    pub resets: Vec<u64>,
    /// The results; none are needed if the exit is exceptional.
    pub results: Vec<Value>,
    /// For an exceptional exit, its value if it has one.
    pub throws: Option<Option<Value>>,
}

//! The result of an evaluation: a circuit, and the gates of everything that can be asked about it.

use circuit::{Arrays, Bits, Circuit, Gate};
use ir::{AssertKind, BlockId, FunctionId, LocalId, Origin, PointId, Span, Type, Variable};
use passes::ContractCall;
use rustc_hash::FxHashMap;

use crate::escape::Escape;
use crate::heap::Initial;
use crate::memory::{Addresses, Given, Memories};
use crate::scope::Scope;
use crate::sym::Sym;

/// A procedure as a circuit over its inputs.
pub struct Evaluation {
    /// The circuit.
    pub circuit: Circuit,
    /// The constraints on inputs that follow from their types, and the axioms.
    pub constraints: Vec<Gate>,
    /// The scope it was evaluated in.
    pub scope: Scope,
    /// The condition under which an execution begins: axioms and preconditions hold.
    pub begins: Gate,
    /// The points of the source, in order.
    pub points: Vec<Point>,
    /// For each branch and side, the condition under which an execution takes that side of a copy of it.
    pub edges: Vec<Edge>,
    /// The same for each copy of a branch by itself, where tests are recorded.
    pub sides: Vec<Side>,
    /// The masked values, if tests are recorded.
    pub masked: Vec<Masked>,
    /// Allocations that may fail.
    pub allocations: Vec<Attempt>,
    /// The pointers of the environment's that were left open.
    pub(crate) pointers: Vec<Bits>,
    /// Everything that must hold.
    pub obligations: Vec<Obligation>,
    /// The same by what the source says, where tests are recorded.
    pub groups: Vec<ObligationGroup>,
    /// The condition under which some obligation fails.
    pub fails: Gate,
    /// The condition under which an execution exits normally.
    pub normal: Gate,
    /// The condition under which an execution exits by an exception.
    pub exceptional: Gate,
    /// The condition under which an execution ends on purpose.
    pub intended: Gate,
    /// The condition under which an execution exits at all.
    pub ends: Gate,
    /// The places where executions are not followed further.
    pub cuts: Vec<Cut>,
    /// The condition under which an execution exceeds the bound of a loop or of calls.
    pub goes_on: Gate,
    /// The condition under which an execution ends otherwise than in a failed obligation or a blocked assumption:
    /// by any exit or any cut.
    pub survives: Gate,
    /// The condition under which an execution survives or reaches an assertion that is literally false, which marks
    /// a deliberate failure.
    pub admissible: Gate,
    pub(crate) arrays: Arrays,
    /// For some types, the representative of all keys that the procedure does not mention.
    pub(crate) elsewhere: Vec<(Type, Bits)>,
    pub(crate) entry: Vec<(Variable, Sym)>,
    /// The parts of the initial state, if its numbering is canonical.
    pub(crate) initial: Vec<Initial>,
    pub(crate) functions: Vec<(FunctionId, Sym)>,
    pub(crate) blocks: Vec<BlockRecord>,
    pub(crate) memories: Memories,
    pub(crate) addresses: Addresses,
    pub(crate) given: Given,
    /// Under which conditions inputs are unusual.
    pub unusual: Unusual,
    /// The results of such callees, each with the text of the call.
    pub answers: Vec<(Span, Bits)>,
    /// The inputs that come from external code and of which nothing is promised.
    pub external: Vec<Gate>,
    /// The inputs that an operation gives that VIR does not model.
    pub unmodelled: Vec<Gate>,
    /// The successors of each block.
    pub(crate) graph: Vec<Vec<BlockId>>,
    /// The static objects that matter, by position in the module.
    pub(crate) statics: Vec<usize>,
    /// How many atoms besides `null` each sort has.
    pub(crate) atoms: Vec<u32>,
    pub(crate) calls: Vec<ContractCall>,
    pub(crate) parameter_types: FxHashMap<LocalId, Type>,
}

/// Conditions under which inputs, or results of unknown functions, have values that are possible and seldom occur. All but
/// the first are recorded only where the scope says so.
#[derive(Clone, Default, Debug)]
pub struct Unusual {
    /// An unknown function writes memory that was not passed to it.
    pub writes: Vec<Gate>,
    /// A compared value with the width of sizes is larger than any object.
    pub sizes: Vec<Gate>,
    /// A compared distance of two pointers is negative.
    pub distances: Vec<Gate>,
    /// An unknown function returns a greater number than the size of the buffer that was passed to it.
    pub counts: Vec<Gate>,
    /// A floating-point number is out of range for the integer type to which it is converted.
    pub conversions: Vec<Gate>,
    /// An input that is read as a floating-point number is NaN, and no test asks for that.
    pub nan_inputs: Vec<Gate>,
}

/// A point of the source.
#[derive(Clone, Debug)]
pub struct Point {
    /// Which.
    pub id: PointId,
    /// The text it stands for.
    pub span: Span,
    /// How it came to be.
    pub origin: Origin,
    /// The blocks that hold copies of it.
    pub blocks: Vec<BlockId>,
    /// The condition under which an execution passes a copy of it.
    pub gate: Gate,
}

/// One side of a branch of the source.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The branch.
    pub point: PointId,
    /// The text of the branch.
    pub span: Span,
    /// How it came to be.
    pub origin: Origin,
    /// The blocks that hold copies of it.
    pub blocks: Vec<BlockId>,
    /// Whether this is the side on which the condition holds.
    pub taken: bool,
    /// The condition under which an execution takes it narrowly: by a comparison that the next greater or lesser
    /// value would not have passed.
    pub at_boundary: Gate,
    /// The condition under which an execution takes it.
    pub gate: Gate,
}

/// One side of a copy of a branch.
#[derive(Clone, Debug)]
pub struct Side {
    /// The branch.
    pub point: PointId,
    /// The text of the branch.
    pub span: Span,
    /// How it came to be.
    pub origin: Origin,
    /// The block that it ends.
    pub block: BlockId,
    /// Whether this is the side on which the condition holds.
    pub taken: bool,
    /// The condition under which an execution takes it.
    pub gate: Gate,
    /// The condition of the branch.
    pub condition: Gate,
    /// The condition under which an execution takes it narrowly, or by asking for one of several values.
    pub at_boundary: Gate,
    /// The compared values, if the branch compares which is less.
    pub compared: Comparison,
}

impl Side {
    /// Whether it is a copy of this side of a branch of the source.
    pub fn is_of(&self, edge: &Edge) -> bool {
        self.point == edge.point && self.taken == edge.taken
    }
}

/// The values that a branch compares.
#[derive(Clone, Default, Debug)]
pub struct Comparison {
    /// The words that are compared, constants aside, and the terms of those that are sums.
    pub words: Vec<Bits>,
    /// The two that are compared, if neither is a constant.
    pub with: Option<[Bits; 2]>,
    /// Whether no more is asked than whether something is negative.
    pub is_sign_test: bool,
    /// Whether the words are found to be at least a constant above zero.
    pub has_floor: bool,
    /// The distances of pointers among what is compared, unless no more is asked than which lies before the other.
    pub distances: Vec<Bits>,
    /// The word that is not zero, if that is what is asked.
    pub nonzero: Option<Bits>,
    /// Whether the words are compared without a sign.
    pub unsigned: bool,
}

/// A value of which only the low bits are kept, or what is left when it is divided by a constant.
#[derive(Clone, Debug)]
pub struct Masked {
    /// How that came to be.
    pub origin: Origin,
    /// The condition under which an execution does so.
    pub reached: Gate,
    /// The remaining value.
    pub value: Bits,
    /// Whether it is taken out of something that the procedure does not compute itself.
    pub is_tag: bool,
}

/// An allocation that may fail.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    /// The condition under which an execution reaches it.
    pub reached: Gate,
    /// The condition under which it does not fail.
    pub succeeds: Gate,
}

/// Something that must hold where an execution reaches it.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// The kind of obligation.
    pub kind: AssertKind,
    /// The message of a failure.
    pub message: String,
    /// The text that states it.
    pub span: Span,
    /// The source point at which it is due.
    pub point: PointId,
    /// How it came to be.
    pub origin: Origin,
    /// The block, and the position in it, at which it is due; exits come after all statements.
    pub place: (BlockId, usize),
    /// The condition under which an execution reaches it.
    pub reached: Gate,
    /// The condition that must hold.
    pub condition: Gate,
    /// The condition under which an execution reaches it and it does not hold.
    pub fails: Gate,
}

/// An obligation of the source, which passes may have copied.
#[derive(Clone, Debug)]
pub struct ObligationGroup {
    /// The copies, by position among the obligations; there is at least one.
    pub copies: Vec<usize>,
    /// The condition under which an execution reaches a copy.
    pub reached: Gate,
    /// The condition under which an execution reaches a copy that does not hold.
    pub fails: Gate,
}

/// A place at which executions are not followed further.
#[derive(Clone, Debug)]
pub struct Cut {
    /// Why.
    pub why: Escape,
    /// The block in which it happens.
    pub block: BlockId,
    /// How the end of that block came to be.
    pub origin: Origin,
    /// The condition under which an execution is cut here.
    pub gate: Gate,
}

/// The data for following an execution through a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockRecord {
    /// The open choices of this block, in order.
    pub(crate) events: Vec<Event>,
    /// The blocks it leads to, each with the condition under which an execution goes there.
    pub(crate) successors: Vec<(BlockId, Gate)>,
}

/// A choice that the program leaves open.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// A value was chosen for a place.
    Havoc { value: Sym, ty: Type },
    /// An atom was allocated.
    Atom(Sym),
    /// An object with this number was allocated; if that might have failed, where the gate holds.
    Object(u32, Option<Gate>),
    /// The effects of a call under its contract begin here; the call by number.
    Call(usize),
    /// A nondeterministic jump went to one of several blocks, by number.
    Goto(Bits),
}

impl Evaluation {
    /// The bits that are read from the module's static objects in the initial state, where they are open.
    pub fn initial_statics(&self) -> impl Iterator<Item = Gate> + '_ {
        let is_static = |at| {
            let object = self.addresses.get(at).object.as_constant();
            object.is_some_and(|object| 0 < object && object < self.addresses.first_own.into())
        };
        let read = self.memories.read_at_entry().filter(move |(at, _)| is_static(*at));
        read.flat_map(|(_, cells)| cells.iter()).filter(|bit| bit.as_constant().is_none())
    }

    /// The bits that are read from memory in the initial state, where they are open.
    pub fn initial_memory(&self) -> impl Iterator<Item = Gate> + '_ {
        let read = self.memories.read_at_entry().flat_map(|(_, cells)| cells.iter());
        read.filter(|bit| bit.as_constant().is_none())
    }

    /// The words that are passed as parameters.
    pub fn parameters(&self) -> impl Iterator<Item = Gate> + '_ {
        let parameters =
            self.entry.iter().filter_map(|(variable, value)| match (variable, value) {
                (Variable::Local(_), Sym::Bits(bits)) => Some(bits),
                _ => None,
            });
        parameters.flat_map(|bits| bits.iter()).filter(|bit| bit.as_constant().is_none())
    }

    /// Under which conditions pointers that come from the environment are not `null`.
    pub fn non_null_pointers(&self) -> impl Iterator<Item = Gate> + '_ {
        self.pointers.iter().map(Bits::msb)
    }

    /// For each block, whether control can get there from one of these, whatever the state.
    pub fn reached_from(&self, blocks: &[BlockId]) -> Vec<bool> {
        passes::graph::reached(&self.graph, blocks)
    }
}

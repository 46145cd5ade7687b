//! Instructions: what each does and on which operands.

use crate::function::DebugLocation;
use crate::id::{AttributeListId, BlockId, TypeId};
use crate::operation::{
    Align, BinaryOp, CastOp, FastMath, FloatPredicate, IntegerPredicate, Ordering, OverflowFlags,
    PointerFlags, RmwOp, UnaryOp,
};
use crate::value::Value;

mod operands;

/// One instruction of a function.
///
/// Its debug records and metadata attachments are kept by the function: see
/// [`Function::debug_records`](crate::Function::debug_records) and
/// [`Function::attachments`](crate::Function::attachments).
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// Its kind and operands.
    pub kind: InstructionKind,
    /// The type of its result; `void` if it has none.
    pub ty: TypeId,
    /// The name of its result, if the file has one.
    pub name: Option<Box<str>>,
    /// Where in the source it comes from.
    pub location: Option<DebugLocation>,
}

/// The kinds of instructions.
#[derive(Debug, Clone, PartialEq)]
pub enum InstructionKind {
    /// A unary operation.
    Unary {
        /// Which.
        op: UnaryOp,
        /// On what.
        operand: Value,
        /// With which liberties.
        fast_math: FastMath,
    },
    /// A binary operation.
    Binary {
        /// Which.
        op: BinaryOp,
        /// Left operand.
        left: Value,
        /// Right operand.
        right: Value,
        /// Under which promises, for integers.
        flags: OverflowFlags,
        /// With which liberties, for floats.
        fast_math: FastMath,
    },
    /// A conversion to the instruction's type.
    Cast {
        /// Which.
        op: CastOp,
        /// On what.
        operand: Value,
        /// Under which promises.
        flags: OverflowFlags,
        /// With which liberties, for floats.
        fast_math: FastMath,
    },
    /// The address of a part of an object.
    GetElementPtr {
        /// The type the first index counts.
        source: TypeId,
        /// The address to start from.
        base: Value,
        /// The indices.
        indices: Box<[Value]>,
        /// Under which promises.
        flags: PointerFlags,
    },
    /// A member of a structure or array held in a register.
    ExtractValue {
        /// The aggregate.
        aggregate: Value,
        /// The path to the member.
        indices: Box<[u32]>,
    },
    /// An aggregate with one member replaced.
    InsertValue {
        /// The aggregate.
        aggregate: Value,
        /// The new member.
        element: Value,
        /// The path to the member.
        indices: Box<[u32]>,
    },
    /// One element of a vector.
    ExtractElement {
        /// The vector.
        vector: Value,
        /// The position.
        index: Value,
    },
    /// A vector with one element replaced.
    InsertElement {
        /// The vector.
        vector: Value,
        /// The new element.
        element: Value,
        /// The position.
        index: Value,
    },
    /// Elements picked from two vectors.
    ShuffleVector {
        /// The first vector.
        left: Value,
        /// The second vector.
        right: Value,
        /// A constant vector of positions, counted through both.
        mask: Value,
    },
    /// A comparison of integers or pointers.
    IntegerCompare {
        /// Which.
        predicate: IntegerPredicate,
        /// Left operand.
        left: Value,
        /// Right operand.
        right: Value,
    },
    /// A comparison of floating-point numbers.
    FloatCompare {
        /// Which.
        predicate: FloatPredicate,
        /// Left operand.
        left: Value,
        /// Right operand.
        right: Value,
        /// With which liberties.
        fast_math: FastMath,
    },
    /// `condition ? yes : no`, without a branch.
    Select {
        /// The condition.
        condition: Value,
        /// The value if true.
        yes: Value,
        /// The value if false.
        no: Value,
        /// With which liberties.
        fast_math: FastMath,
    },
    /// The value that belongs to the block control came from.
    Phi {
        /// Value and predecessor.
        incoming: Box<[(Value, BlockId)]>,
        /// With which liberties.
        fast_math: FastMath,
    },
    /// The operand, with undefined and poison made into some fixed value.
    Freeze(Value),
    /// The next variadic argument, of the instruction's type.
    VaArg {
        /// The `va_list`.
        list: Value,
    },

    /// Memory on the stack.
    Alloca {
        /// The type of an element.
        allocated: TypeId,
        /// How many elements.
        count: Value,
        /// The alignment.
        align: Option<Align>,
        /// Whether it holds the arguments of a call (Windows).
        in_alloca: bool,
        /// Whether it is Swift's error variable.
        swift_error: bool,
    },
    /// A read of the instruction's type.
    Load {
        /// From where.
        pointer: Value,
        /// The alignment promised.
        align: Option<Align>,
        /// Whether it must happen as written.
        volatile: bool,
        /// Whether, and how, it is atomic.
        atomic: Option<Atomic>,
    },
    /// A write.
    Store {
        /// To where.
        pointer: Value,
        /// Of what.
        value: Value,
        /// The alignment promised.
        align: Option<Align>,
        /// Whether it must happen as written.
        volatile: bool,
        /// Whether, and how, it is atomic.
        atomic: Option<Atomic>,
    },
    /// If memory holds `expected`, store `replacement`; returns the old value and whether it matched.
    CompareExchange {
        /// The memory.
        pointer: Value,
        /// The value looked for.
        expected: Value,
        /// The value to store.
        replacement: Value,
        /// The alignment promised.
        align: Option<Align>,
        /// Whether it must happen as written.
        volatile: bool,
        /// Whether it may fail without reason.
        weak: bool,
        /// The ordering on success, and the scope.
        success: Atomic,
        /// The ordering on failure.
        failure: Ordering,
    },
    /// Combine memory with a value; returns the old value.
    ReadModifyWrite {
        /// How.
        op: RmwOp,
        /// The memory.
        pointer: Value,
        /// The value.
        value: Value,
        /// The alignment promised.
        align: Option<Align>,
        /// Whether it must happen as written.
        volatile: bool,
        /// The ordering and scope.
        atomic: Atomic,
    },
    /// An ordering between memory accesses.
    Fence(Atomic),

    /// A call, in any of its forms.
    Call(Box<Call>),
    /// Where an exception arrives.
    LandingPad {
        /// Whether to stop even if no clause matches.
        cleanup: bool,
        /// The caught or filtered types.
        clauses: Box<[Clause]>,
    },
    /// Where an exception arrives, on Windows: catch.
    CatchPad {
        /// The `catchswitch`.
        parent: Value,
        /// The arguments of the personality routine.
        arguments: Box<[Value]>,
    },
    /// Where an exception arrives, on Windows: cleanup.
    CleanupPad {
        /// The enclosing pad.
        parent: Value,
        /// The arguments of the personality routine.
        arguments: Box<[Value]>,
    },

    /// Return.
    Return(Option<Value>),
    /// Go on with a block.
    Branch(BlockId),
    /// Go on with one of two blocks.
    ConditionalBranch {
        /// The condition.
        condition: Value,
        /// The block if true.
        yes: BlockId,
        /// The block if false.
        no: BlockId,
    },
    /// Go on with the block of a matching case.
    Switch {
        /// The value that is tested.
        condition: Value,
        /// The block if no case matches.
        default: BlockId,
        /// Constants and their blocks.
        cases: Box<[(Value, BlockId)]>,
    },
    /// Go on with the block at an address.
    IndirectBranch {
        /// The address.
        address: Value,
        /// The blocks it may be.
        targets: Box<[BlockId]>,
    },
    /// Go on with unwinding.
    Resume(Value),
    /// Leave a cleanup pad.
    CleanupReturn {
        /// The pad.
        pad: Value,
        /// Where to go on unwinding; the caller if absent.
        unwind: Option<BlockId>,
    },
    /// Leave a catch pad.
    CatchReturn {
        /// The pad.
        pad: Value,
        /// Where to go on.
        target: BlockId,
    },
    /// Choose among catch pads.
    CatchSwitch {
        /// The enclosing pad.
        parent: Value,
        /// The blocks of the pads.
        handlers: Box<[BlockId]>,
        /// Where to go on unwinding; the caller if absent.
        unwind: Option<BlockId>,
    },
    /// Control does not come here.
    Unreachable,
}

/// How an access is atomic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Atomic {
    /// The ordering.
    pub ordering: Ordering,
    /// With respect to whom; [`Module::sync_scope`](crate::Module::sync_scope) names it.
    pub scope: u32,
}

/// A call.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The callee.
    pub callee: Value,
    /// The signature of the call, which a C program may make differ from the callee's.
    pub signature: TypeId,
    /// The arguments.
    pub arguments: Box<[Value]>,
    /// The attributes of the call, its result and its arguments.
    pub attributes: Option<AttributeListId>,
    /// LLVM's number of the calling convention; 0 is C.
    pub convention: u32,
    /// Further operands.
    pub bundles: Box<[Bundle]>,
    /// Where it goes on.
    pub kind: CallKind,
}

/// How a call goes on.
#[derive(Debug, Clone, PartialEq)]
pub enum CallKind {
    /// With the next instruction.
    Call {
        /// Whether it is a tail call.
        tail: TailCall,
        /// With which liberties.
        fast_math: FastMath,
    },
    /// With one of two blocks (C++, Rust).
    Invoke {
        /// After a return.
        normal: BlockId,
        /// After an exception.
        unwind: BlockId,
    },
    /// With one of several blocks (`asm goto`).
    Branch {
        /// If the assembly falls through.
        fallthrough: BlockId,
        /// Where else it may jump.
        targets: Box<[BlockId]>,
    },
}

/// Whether a call is a tail call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TailCall {
    /// An ordinary call.
    None,
    /// `tail`: it may be made one.
    Tail,
    /// `musttail`: it must be.
    Must,
    /// `notail`: it must not be.
    Never,
}

/// Operands of a call with a meaning named by a tag.
#[derive(Debug, Clone, PartialEq)]
pub struct Bundle {
    /// The tag's number; [`Module::bundle_tag`](crate::Module::bundle_tag) names it.
    pub tag: u32,
    /// The operands.
    pub operands: Box<[Value]>,
}

/// A clause of a landing pad.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Clause {
    /// Catch exceptions of this type.
    Catch(Value),
    /// Stop exceptions of types other than these.
    Filter(Value),
}

//! Operands and constants.

use crate::id::{
    AliasId, BlockId, ConstantId, FunctionId, GlobalId, IfuncId, InlineAsmId, InstructionId,
    MetadataId, TypeId,
};
use crate::operation::{
    BinaryOp, CastOp, FloatPredicate, IntegerPredicate, OverflowFlags, PointerFlags, UnaryOp,
};

/// An operand.
///
/// [`Module::type_of`](crate::Module::type_of) returns its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A constant other than the address of a global.
    Constant(ConstantId),
    /// The address of a global variable.
    Global(GlobalId),
    /// The address of a function.
    Function(FunctionId),
    /// The address of an alias.
    Alias(AliasId),
    /// The address of an indirect function.
    Ifunc(IfuncId),
    /// Inline assembly, as a callee.
    InlineAsm(InlineAsmId),
    /// A parameter of the function, counted from zero.
    Argument(u32),
    /// The result of an instruction of the function.
    Instruction(InstructionId),
    /// A basic block, as an argument to inline assembly.
    Block(BlockId),
    /// Metadata, as an argument of an intrinsic.
    Metadata(MetadataId),
}

/// A constant and its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// The type of the value.
    pub ty: TypeId,
    /// The value.
    pub kind: ConstantKind,
}

/// A constant's value, or the expression that computes it.
///
/// Operands are constants, globals, functions, aliases or indirect functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConstantKind {
    /// The zero of any type.
    Null,
    /// Any bits, chosen at each use.
    Undef,
    /// The result of an operation whose conditions were violated.
    Poison,
    /// An integer of at most 64 bits, sign-extended.
    Integer(i64),
    /// A wider integer: little-endian words; missing ones are zero.
    WideInteger(Box<[u64]>),
    /// The bits of a floating-point number.
    Float(u128),
    /// A structure, array or vector of constants.
    Aggregate(Box<[Value]>),
    /// An array of bytes, including the final NUL if there is one.
    String(Box<[u8]>),
    /// An array or vector of integers or floats, as their bits.
    Data(Box<[u64]>),
    /// A unary operation.
    Unary {
        /// Which.
        op: UnaryOp,
        /// On what.
        operand: Value,
    },
    /// A binary operation.
    Binary {
        /// Which.
        op: BinaryOp,
        /// Under which promises.
        flags: OverflowFlags,
        /// Left operand.
        left: Value,
        /// Right operand.
        right: Value,
    },
    /// A conversion to the constant's type.
    Cast {
        /// Which.
        op: CastOp,
        /// On what.
        operand: Value,
    },
    /// The address of a part of an object.
    GetElementPtr {
        /// The type the first index counts.
        source: TypeId,
        /// Under which promises.
        flags: PointerFlags,
        /// The address to start from.
        base: Value,
        /// The indices.
        indices: Box<[Value]>,
    },
    /// `condition ? yes : no`.
    Select {
        /// The condition.
        condition: Value,
        /// The value if true.
        yes: Value,
        /// The value if false.
        no: Value,
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
        /// Which elements, counted through both.
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
    },
    /// The address of a basic block (GNU C's `&&label`).
    BlockAddress {
        /// The function that holds the block.
        function: FunctionId,
        /// The block; it may be missing from `function` in a corrupt file.
        block: BlockId,
    },
    /// A function's address, or that of a local equivalent.
    DsoLocalEquivalent(Value),
    /// A function's address, exempt from control-flow integrity.
    NoCfi(Value),
    /// A signed pointer: pointer, key, discriminator, address discriminator.
    PtrAuth([Value; 4]),
}

impl ConstantKind {
    /// Call `visit` on every operand.
    pub(crate) fn for_each_operand(&mut self, mut visit: impl FnMut(&mut Value)) {
        match self {
            ConstantKind::Null
            | ConstantKind::Undef
            | ConstantKind::Poison
            | ConstantKind::Integer(_)
            | ConstantKind::WideInteger(_)
            | ConstantKind::Float(_)
            | ConstantKind::String(_)
            | ConstantKind::Data(_)
            | ConstantKind::BlockAddress { .. } => {}
            ConstantKind::Aggregate(values) => values.iter_mut().for_each(visit),
            ConstantKind::PtrAuth(values) => values.iter_mut().for_each(visit),
            ConstantKind::Unary { operand, .. }
            | ConstantKind::Cast { operand, .. }
            | ConstantKind::DsoLocalEquivalent(operand)
            | ConstantKind::NoCfi(operand) => visit(operand),
            ConstantKind::Binary { left, right, .. }
            | ConstantKind::IntegerCompare { left, right, .. }
            | ConstantKind::FloatCompare { left, right, .. } => {
                visit(left);
                visit(right);
            }
            ConstantKind::GetElementPtr { base, indices, .. } => {
                visit(base);
                indices.iter_mut().for_each(visit);
            }
            ConstantKind::Select { condition: a, yes: b, no: c }
            | ConstantKind::InsertElement { vector: a, element: b, index: c }
            | ConstantKind::ShuffleVector { left: a, right: b, mask: c } => {
                visit(a);
                visit(b);
                visit(c);
            }
            ConstantKind::ExtractElement { vector, index } => {
                visit(vector);
                visit(index);
            }
        }
    }

    /// The operands.
    pub fn operands(&self) -> Vec<Value> {
        match self {
            ConstantKind::Null
            | ConstantKind::Undef
            | ConstantKind::Poison
            | ConstantKind::Integer(_)
            | ConstantKind::WideInteger(_)
            | ConstantKind::Float(_)
            | ConstantKind::String(_)
            | ConstantKind::Data(_)
            | ConstantKind::BlockAddress { .. } => Vec::new(),
            ConstantKind::Aggregate(values) => values.to_vec(),
            ConstantKind::PtrAuth(values) => values.to_vec(),
            ConstantKind::Unary { operand, .. }
            | ConstantKind::Cast { operand, .. }
            | ConstantKind::DsoLocalEquivalent(operand)
            | ConstantKind::NoCfi(operand) => vec![*operand],
            ConstantKind::Binary { left, right, .. }
            | ConstantKind::IntegerCompare { left, right, .. }
            | ConstantKind::FloatCompare { left, right, .. } => vec![*left, *right],
            ConstantKind::GetElementPtr { base, indices, .. } => {
                std::iter::once(*base).chain(indices.iter().copied()).collect()
            }
            ConstantKind::Select { condition: a, yes: b, no: c }
            | ConstantKind::InsertElement { vector: a, element: b, index: c }
            | ConstantKind::ShuffleVector { left: a, right: b, mask: c } => vec![*a, *b, *c],
            ConstantKind::ExtractElement { vector, index } => vec![*vector, *index],
        }
    }
}

/// Inline assembly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlineAsm {
    /// Its type as a callee: a pointer.
    pub ty: TypeId,
    /// Its signature; absent in files of LLVM 13 and earlier.
    pub signature: Option<TypeId>,
    /// The text, with `$0` for operands.
    pub text: Box<str>,
    /// The constraints, as LLVM writes them.
    pub constraints: Box<str>,
    /// Whether it does more than compute its outputs.
    pub side_effects: bool,
    /// Whether the stack must be aligned for it.
    pub align_stack: bool,
    /// Whether the text is in Intel's syntax.
    pub intel: bool,
    /// Whether it may unwind.
    pub unwinds: bool,
}

//! Operators: the one table of what can be computed.
//!
//! Every operator is total. Where the source language leaves a result undefined, the operator's documentation
//! states its value; the front end puts an `assert` before it. The interpreter and the evaluator both
//! implement the meaning written here, and a property test runs every operator through both.

use serde::{Deserialize, Serialize};

use crate::types::{RecordId, Type, VariantId};

/// An operator. `a`, `b` … are its operands in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Op {
    /// `¬a`.
    Not,
    /// `a ∧ b`.
    And,
    /// `a ∨ b`.
    Or,
    /// `a ⇒ b`.
    Implies,
    /// `a = b`, at any type but `Bytes`. Maps are equal if they agree on all keys.
    Eq,
    /// `b` if `a` holds, else `c`, at any type.
    Ite,

    /// `−a` on integers.
    IntNeg,
    /// `a + b` on integers.
    IntAdd,
    /// `a − b` on integers.
    IntSub,
    /// `a · b` on integers.
    IntMul,
    /// The quotient that makes the remainder non-negative (Boogie's `div`); zero if `b` is.
    IntDiv,
    /// The non-negative remainder (Boogie's `mod`); `a` if `b` is zero.
    IntMod,
    /// `a < b` on integers.
    IntLt,
    /// `a ≤ b` on integers.
    IntLe,

    /// `−a` modulo 2ⁿ.
    BvNeg,
    /// `a + b` modulo 2ⁿ.
    BvAdd,
    /// `a − b` modulo 2ⁿ.
    BvSub,
    /// `a · b` modulo 2ⁿ.
    BvMul,
    /// Unsigned quotient; all ones if `b` is zero.
    BvUdiv,
    /// Unsigned remainder; `a` if `b` is zero.
    BvUrem,
    /// Signed quotient, truncated; if `b` is zero, −1 for `a ≥ 0` and 1 for `a < 0`.
    BvSdiv,
    /// Signed remainder, with the sign of `a`; `a` if `b` is zero.
    BvSrem,
    /// Bitwise complement.
    BvNot,
    /// Bitwise conjunction.
    BvAnd,
    /// Bitwise disjunction.
    BvOr,
    /// Bitwise exclusive disjunction.
    BvXor,
    /// `a` shifted left by `b`, read unsigned; zero if `b` is the width or more.
    BvShl,
    /// `a` shifted right by `b`, zeros entering.
    BvLshr,
    /// `a` shifted right by `b`, copies of the sign entering.
    BvAshr,
    /// `a < b`, unsigned.
    BvUlt,
    /// `a ≤ b`, unsigned.
    BvUle,
    /// `a < b`, signed.
    BvSlt,
    /// `a ≤ b`, signed.
    BvSle,
    /// `a` as the high bits, `b` as the low bits.
    BvConcat,
    /// Bits `low..low + width` of `a`.
    BvExtract {
        /// The lowest bit taken.
        low: u32,
        /// How many bits are taken.
        width: u32,
    },
    /// `a` widened to this width by zeros.
    BvZeroExtend(u32),
    /// `a` widened to this width by copies of its sign.
    BvSignExtend(u32),
    /// The number of ones in `a`, at the width of `a`, modulo 2ⁿ.
    BvPopcount,
    /// The number of zeros above the highest one of `a`, at the width of `a`, modulo 2ⁿ.
    BvLeadingZeros,
    /// The number of zeros below the lowest one of `a`, at the width of `a`, modulo 2ⁿ.
    BvTrailingZeros,
    /// Whether `a + b` leaves the signed range.
    BvSaddOverflows,
    /// Whether `a − b` leaves the signed range.
    BvSsubOverflows,
    /// Whether `a · b` leaves the signed range.
    BvSmulOverflows,
    /// Whether `a + b` leaves the unsigned range.
    BvUaddOverflows,
    /// Whether `a − b` leaves the unsigned range.
    BvUsubOverflows,
    /// Whether `a · b` leaves the unsigned range.
    BvUmulOverflows,
    /// The integer that `a` is, read unsigned.
    BvToNat,
    /// The integer that `a` is, read signed.
    BvToInt,
    /// The word of this width that is congruent to the integer `a`.
    IntToBv(u32),

    /// An operation on floating-point numbers.
    Float(Float),

    /// The pointer `b` bytes, read signed, behind the pointer `a`; `b` has 64 bits. Moving `null` yields a
    /// pointer into object zero.
    PtrAdd,
    /// The offset of `a`, in 64 bits.
    PtrOffset,
    /// Whether `a` and `b` point into the same object.
    PtrSameObject,
    /// The address of `a`, in 64 bits: of an object's bytes distinct addresses, of `null` zero.
    PtrToBv,
    /// The pointer whose address is `a`, in 64 bits; a pointer into object zero if there is none.
    BvToPtr,

    /// The value of map `a` at the keys `b …`.
    Select,
    /// Map `a` changed at the keys `b …` to the last operand.
    Store,
    /// The map of this type that is `a` everywhere.
    ConstMap(Type),

    /// The union of two relations of the same type.
    Union,
    /// The intersection of two relations of the same type.
    Intersection,
    /// The tuples of `a` that are not in `b`.
    Difference,
    /// Whether every tuple of `a` is in `b`.
    Subset,
    /// The relation of each key to its value, `null` values left out: from `[K]V` to `[K, V]bool`.
    Graph,
    /// Relational join: the last column of `a` matched against the first of `b`.
    Join,
    /// Every concatenation of a tuple of `a` and one of `b`.
    Product,
    /// The pairs of `a` turned around.
    Transpose,
    /// The transitive closure of a relation between a type and itself.
    Closure,
    /// The transitive closure together with the identity.
    ReflexiveClosure,
    /// The set that holds `a` alone.
    Singleton,
    /// The number of tuples of a relation, an integer.
    Cardinality,

    /// The empty sequence of this element type.
    SeqEmpty(Type),
    /// The sequence of the one element `a`.
    SeqUnit,
    /// `a` followed by `b`.
    SeqConcat,
    /// The number of elements of `a`, an integer.
    SeqLength,
    /// The element of `a` at the integer position `b`, from zero; the default of its type outside.
    SeqAt,
    /// The elements of `a` from position `b` on, zero if that is negative, and at most `c` of them,
    /// none if that is negative.
    SeqSlice,
    /// The elements of `a` in the opposite order.
    SeqReverse,
    /// The number of positions at which `a` has the element `b`, an integer.
    SeqCount,

    /// The record of this type with the operands as fields.
    Record(RecordId),
    /// This field of record `a`.
    Field(RecordId, u32),
    /// Record `a` with this field changed to `b`.
    WithField(RecordId, u32),
    /// The value of this union with this constructor and the operands as its arguments.
    Construct(VariantId, u32),
    /// Whether `a` was made by this constructor.
    IsConstructor(VariantId, u32),
    /// This argument (second number) of constructor (first number) in `a`; the default of its type
    /// if `a` was made by another constructor.
    Argument(VariantId, u32, u32),

    /// An operation on memory or on what is known of objects.
    Memory(Memory),
}

/// Operators on floating-point numbers: words of 32 or 64 bits that are read as IEEE 754's binary32 or
/// binary64. Results are rounded to nearest, ties to even; a result that is NaN is the positive quiet NaN
/// without payload. The sign is the highest bit: negation, absolute value and the classes of numbers are
/// operators on words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Float {
    /// `a + b`.
    Add,
    /// `a − b`.
    Sub,
    /// `a · b`.
    Mul,
    /// `a = b`: zeros are equal whatever their signs; NaN is equal to nothing.
    Equal,
    /// `a < b`; false if either is NaN.
    Less,
    /// `a ≤ b`; false if either is NaN.
    LessEqual,
    /// Whether `a` is NaN.
    IsNan,
    /// The number of this width, 32 or 64, nearest to the word `a` of at most 128 bits, read signed.
    FromSigned(u32),
    /// The number of this width, 32 or 64, nearest to the word `a` of at most 128 bits, read unsigned.
    FromUnsigned(u32),
    /// The signed word of this width, at most 128, that is left of `a` without its fraction; the least or
    /// greatest one if that is out of range, zero if `a` is NaN.
    ToSigned(u32),
    /// The unsigned word of this width, at most 128, that is left of `a` without its fraction; the least or
    /// greatest one if that is out of range, zero if `a` is NaN.
    ToUnsigned(u32),
    /// The number of this width, 32 or 64, nearest to `a`.
    Convert(u32),
}

/// Operators on byte memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Memory {
    /// The value of the given type that memory `a` holds at pointer `b`, lowest byte first. Reading a byte
    /// that was never written is an error of the execution, not a value.
    Load(Type),
    /// The byte that memory `a` holds at pointer `b`; zero if it was never written.
    Peek,
    /// Whether memory `a` is written in each of N bytes from pointer `b` on.
    IsWritten(u32),
    /// Memory `a` with a value, operand `c`, of the given type written at pointer `b`.
    Store(Type),
    /// Memory `a` after copying `d` bytes (64 bits) from pointer `c` to pointer `b`, all read before any is
    /// written. Bytes that were never written are not written afterwards either.
    Copy,
    /// Memory `a` after writing the byte `c` `d` times (64 bits) from pointer `b` on.
    Fill,
    /// The size in bytes of the object that `a` points into, 64 bits; zero for no object.
    ObjectSize,
    /// Whether the object that `a` points into is allocated and not freed.
    IsLive,
    /// Whether the object that `a` points into was allocated on the heap.
    IsHeap,
}

/// The state that an operator depends on besides its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Depends {
    Nothing,
    /// Which objects there are.
    Objects,
    /// All tuples of a relation, which makes it one for specifications.
    Tuples,
}

impl Op {
    /// The table: the name of each operator, what it depends on, and its numbers.
    fn entry(&self) -> (&'static str, Depends, Vec<u32>) {
        let pure = |name| (name, Depends::Nothing, Vec::new());
        let numbered = |name, numbers| (name, Depends::Nothing, numbers);
        let state = |name| (name, Depends::Objects, Vec::new());
        let specification = |name| (name, Depends::Tuples, Vec::new());
        match self {
            Op::Not => pure("!"),
            Op::And => pure("&&"),
            Op::Or => pure("||"),
            Op::Implies => pure("==>"),
            Op::Eq => pure("=="),
            Op::Ite => pure("if"),
            Op::IntNeg | Op::BvNeg => pure("-"),
            Op::IntAdd | Op::BvAdd => pure("+"),
            Op::IntSub | Op::BvSub => pure("-"),
            Op::IntMul | Op::BvMul => pure("*"),
            Op::IntDiv => pure("div"),
            Op::IntMod => pure("mod"),
            Op::IntLt => pure("<"),
            Op::IntLe => pure("<="),
            Op::BvUdiv => pure("udiv"),
            Op::BvUrem => pure("urem"),
            Op::BvSdiv => pure("sdiv"),
            Op::BvSrem => pure("srem"),
            Op::BvNot => pure("bvnot"),
            Op::BvAnd => pure("bvand"),
            Op::BvOr => pure("bvor"),
            Op::BvXor => pure("bvxor"),
            Op::BvShl => pure("shl"),
            Op::BvLshr => pure("lshr"),
            Op::BvAshr => pure("ashr"),
            Op::BvUlt => pure("ult"),
            Op::BvUle => pure("ule"),
            Op::BvSlt => pure("slt"),
            Op::BvSle => pure("sle"),
            Op::BvConcat => pure("concat"),
            Op::BvExtract { low, width } => numbered("extract", vec![*low, *width]),
            Op::BvZeroExtend(width) => numbered("zext", vec![*width]),
            Op::BvSignExtend(width) => numbered("sext", vec![*width]),
            Op::BvPopcount => pure("popcount"),
            Op::BvLeadingZeros => pure("clz"),
            Op::BvTrailingZeros => pure("ctz"),
            Op::BvSaddOverflows => pure("saddo"),
            Op::BvSsubOverflows => pure("ssubo"),
            Op::BvSmulOverflows => pure("smulo"),
            Op::BvUaddOverflows => pure("uaddo"),
            Op::BvUsubOverflows => pure("usubo"),
            Op::BvUmulOverflows => pure("umulo"),
            Op::BvToNat => pure("nat"),
            Op::BvToInt => pure("int"),
            Op::IntToBv(width) => numbered("bv", vec![*width]),
            Op::Float(float) => match float {
                Float::Add => pure("fadd"),
                Float::Sub => pure("fsub"),
                Float::Mul => pure("fmul"),
                Float::Equal => pure("feq"),
                Float::Less => pure("flt"),
                Float::LessEqual => pure("fle"),
                Float::IsNan => pure("fnan"),
                Float::FromSigned(width) => numbered("sitofp", vec![*width]),
                Float::FromUnsigned(width) => numbered("uitofp", vec![*width]),
                Float::ToSigned(width) => numbered("fptosi", vec![*width]),
                Float::ToUnsigned(width) => numbered("fptoui", vec![*width]),
                Float::Convert(width) => numbered("fptofp", vec![*width]),
            },
            Op::PtrAdd => pure("ptradd"),
            Op::PtrOffset => pure("offset"),
            Op::PtrSameObject => pure("sameobject"),
            Op::PtrToBv => state("address"),
            Op::BvToPtr => state("pointer"),
            Op::Select => pure("[]"),
            Op::Store => pure("[:=]"),
            Op::ConstMap(_) => pure("const"),
            Op::Union => specification("union"),
            Op::Intersection => specification("inter"),
            Op::Difference => specification("diff"),
            Op::Subset => specification("subset"),
            Op::Graph => specification("graph"),
            Op::Join => specification("join"),
            Op::Product => specification("product"),
            Op::Transpose => specification("transpose"),
            Op::Closure => specification("closure"),
            Op::ReflexiveClosure => specification("rclosure"),
            Op::Singleton => specification("single"),
            Op::Cardinality => specification("card"),
            Op::SeqEmpty(_) | Op::SeqUnit => pure("seq"),
            Op::SeqConcat => pure("++"),
            Op::SeqLength => pure("len"),
            Op::SeqAt => pure("[]"),
            Op::SeqSlice => pure("slice"),
            Op::SeqReverse => pure("reverse"),
            Op::SeqCount => pure("count"),
            Op::Record(_) => pure("{}"),
            Op::Field(..) => pure("."),
            Op::WithField(..) => pure("with"),
            Op::Construct(..) => pure("::"),
            Op::IsConstructor(..) => pure("is"),
            Op::Argument(..) => pure("!"),
            Op::Memory(memory) => match memory {
                Memory::Load(_) => pure("{as}"),
                Memory::Peek => pure("peek"),
                Memory::IsWritten(bytes) => numbered("written", vec![*bytes]),
                Memory::Store(_) => pure("{as:=}"),
                Memory::Copy => pure("copy"),
                Memory::Fill => pure("fill"),
                Memory::ObjectSize => state("size"),
                Memory::IsLive => state("live"),
                Memory::IsHeap => state("heap"),
            },
        }
    }

    /// Its name: a symbol if the text form writes it between or around its operands, else the word
    /// that the text form writes before them, as in `udiv(a, b)`.
    pub fn name(&self) -> &'static str {
        self.entry().0
    }

    /// Whether only specifications may use it: it ranges over all tuples of a relation.
    pub fn is_specification(&self) -> bool {
        self.entry().1 == Depends::Tuples
    }

    /// Whether its value depends on which objects there are, as well as on its operands.
    pub fn depends_on_objects(&self) -> bool {
        self.entry().1 == Depends::Objects
    }

    /// The numbers that are part of the operator and that call syntax writes after the operands.
    pub fn numbers(&self) -> Vec<u32> {
        self.entry().2
    }

    /// How many operands call syntax writes before the numbers.
    pub(crate) fn numbered_operands(&self) -> usize {
        if matches!(self, Op::Memory(Memory::IsWritten(_))) { 2 } else { 1 }
    }

    /// The operators that the text form writes as calls, any numbers being zero.
    pub const CALLED: [Op; 71] = [
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvNot,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::BvUlt,
        Op::BvUle,
        Op::BvSlt,
        Op::BvSle,
        Op::BvConcat,
        Op::BvExtract { low: 0, width: 0 },
        Op::BvZeroExtend(0),
        Op::BvSignExtend(0),
        Op::BvPopcount,
        Op::BvLeadingZeros,
        Op::BvTrailingZeros,
        Op::BvSaddOverflows,
        Op::BvSsubOverflows,
        Op::BvSmulOverflows,
        Op::BvUaddOverflows,
        Op::BvUsubOverflows,
        Op::BvUmulOverflows,
        Op::BvToNat,
        Op::BvToInt,
        Op::IntToBv(0),
        Op::Float(Float::Add),
        Op::Float(Float::Sub),
        Op::Float(Float::Mul),
        Op::Float(Float::Equal),
        Op::Float(Float::Less),
        Op::Float(Float::LessEqual),
        Op::Float(Float::IsNan),
        Op::Float(Float::FromSigned(0)),
        Op::Float(Float::FromUnsigned(0)),
        Op::Float(Float::ToSigned(0)),
        Op::Float(Float::ToUnsigned(0)),
        Op::Float(Float::Convert(0)),
        Op::PtrAdd,
        Op::PtrOffset,
        Op::PtrSameObject,
        Op::PtrToBv,
        Op::BvToPtr,
        Op::Union,
        Op::Intersection,
        Op::Difference,
        Op::Subset,
        Op::Graph,
        Op::Join,
        Op::Product,
        Op::Transpose,
        Op::Closure,
        Op::ReflexiveClosure,
        Op::Singleton,
        Op::Cardinality,
        Op::SeqLength,
        Op::SeqSlice,
        Op::SeqReverse,
        Op::Memory(Memory::Peek),
        Op::Memory(Memory::IsWritten(0)),
        Op::SeqCount,
        Op::Memory(Memory::Copy),
        Op::Memory(Memory::Fill),
        Op::Memory(Memory::ObjectSize),
        Op::Memory(Memory::IsLive),
        Op::Memory(Memory::IsHeap),
    ];

    /// The operator that call syntax names, any numbers being zero.
    pub fn called(name: &str) -> Option<Op> {
        Op::CALLED.into_iter().find(|op| op.name() == name)
    }

    /// This operator with these numbers, if it has as many.
    pub fn with_numbers(self, numbers: &[u32]) -> Option<Op> {
        match (self, numbers) {
            (Op::BvExtract { .. }, &[low, width]) => Some(Op::BvExtract { low, width }),
            (Op::BvZeroExtend(_), &[width]) => Some(Op::BvZeroExtend(width)),
            (Op::BvSignExtend(_), &[width]) => Some(Op::BvSignExtend(width)),
            (Op::IntToBv(_), &[width]) => Some(Op::IntToBv(width)),
            (Op::Float(float), &[width]) => float.with_width(width).map(Op::Float),
            (Op::Memory(Memory::IsWritten(_)), &[bytes]) => {
                Some(Op::Memory(Memory::IsWritten(bytes)))
            }
            (op, []) if op.numbers().is_empty() => Some(op),
            _ => None,
        }
    }
}

impl Float {
    /// The formats: the widths of the words that are numbers.
    pub const WIDTHS: [u32; 2] = [32, 64];

    /// The widest word that is converted to a number or from one.
    pub const WIDEST: u32 = 128;

    /// This operator with another width, if it has one.
    fn with_width(self, width: u32) -> Option<Float> {
        match self {
            Float::FromSigned(_) => Some(Float::FromSigned(width)),
            Float::FromUnsigned(_) => Some(Float::FromUnsigned(width)),
            Float::ToSigned(_) => Some(Float::ToSigned(width)),
            Float::ToUnsigned(_) => Some(Float::ToUnsigned(width)),
            Float::Convert(_) => Some(Float::Convert(width)),
            Float::Add
            | Float::Sub
            | Float::Mul
            | Float::Equal
            | Float::Less
            | Float::LessEqual
            | Float::IsNan => None,
        }
    }
}

//! The small vocabularies of instructions: operators, predicates, orderings, flags.

use std::num::NonZeroU8;

macro_rules! names {
    ($(#[$doc:meta])* $enum:ident { $($(#[$item_doc:meta])* $item:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $enum {
            $($(#[$item_doc])* #[doc = concat!("`", $text, "`")] $item,)*
        }

        impl $enum {
            /// The name in LLVM's assembly language.
            pub fn name(self) -> &'static str {
                match self {
                    $($enum::$item => $text,)*
                }
            }
        }
    };
}

names! {
    /// An operation on one operand.
    UnaryOp { FNeg = "fneg", }
}

names! {
    /// An operation on two operands of the same type.
    BinaryOp {
        Add = "add", FAdd = "fadd", Sub = "sub", FSub = "fsub", Mul = "mul", FMul = "fmul",
        UDiv = "udiv", SDiv = "sdiv", FDiv = "fdiv", URem = "urem", SRem = "srem", FRem = "frem",
        Shl = "shl", LShr = "lshr", AShr = "ashr", And = "and", Or = "or", Xor = "xor",
    }
}

names! {
    /// A conversion.
    CastOp {
        Trunc = "trunc", ZExt = "zext", SExt = "sext", FpToUi = "fptoui", FpToSi = "fptosi",
        UiToFp = "uitofp", SiToFp = "sitofp", FpTrunc = "fptrunc", FpExt = "fpext",
        PtrToInt = "ptrtoint", IntToPtr = "inttoptr", BitCast = "bitcast",
        AddrSpaceCast = "addrspacecast",
    }
}

names! {
    /// A comparison of integers or pointers.
    IntegerPredicate {
        Eq = "eq", Ne = "ne", Ugt = "ugt", Uge = "uge", Ult = "ult", Ule = "ule", Sgt = "sgt",
        Sge = "sge", Slt = "slt", Sle = "sle",
    }
}

names! {
    /// A comparison of floating-point numbers; `u…` is also true if one is not a number.
    FloatPredicate {
        False = "false", Oeq = "oeq", Ogt = "ogt", Oge = "oge", Olt = "olt", Ole = "ole",
        One = "one", Ord = "ord", Uno = "uno", Ueq = "ueq", Ugt = "ugt", Uge = "uge", Ult = "ult",
        Ule = "ule", Une = "une", True = "true",
    }
}

names! {
    /// The operation of an atomic read-modify-write.
    RmwOp {
        Xchg = "xchg", Add = "add", Sub = "sub", And = "and", Nand = "nand", Or = "or", Xor = "xor",
        Max = "max", Min = "min", UMax = "umax", UMin = "umin", FAdd = "fadd", FSub = "fsub",
        FMax = "fmax", FMin = "fmin", UIncWrap = "uinc_wrap", UDecWrap = "udec_wrap",
        USubCond = "usub_cond", USubSat = "usub_sat",
    }
}

names! {
    /// The memory ordering of an atomic access.
    Ordering {
        Unordered = "unordered", Monotonic = "monotonic", Acquire = "acquire", Release = "release",
        AcqRel = "acq_rel", SeqCst = "seq_cst",
    }
}

/// Guarantees about an arithmetic operation or a conversion; violating one yields poison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct OverflowFlags {
    /// `nuw`: the unsigned result does not wrap.
    pub no_unsigned_wrap: bool,
    /// `nsw`: the signed result does not wrap.
    pub no_signed_wrap: bool,
    /// `exact`: no bits are lost by the division or shift.
    pub exact: bool,
    /// `disjoint`: the operands of `or` share no bits.
    pub disjoint: bool,
    /// `nneg`: the operand is not negative.
    pub non_negative: bool,
}

/// Promises about an address computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PointerFlags {
    /// `inbounds`: every step stays within an allocated object.
    pub inbounds: bool,
    /// `nusw`: adding a signed offset does not wrap.
    pub no_unsigned_signed_wrap: bool,
    /// `nuw`: adding an unsigned offset does not wrap.
    pub no_unsigned_wrap: bool,
}

/// Liberties that floating-point operations may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FastMath(pub(crate) u8);

impl FastMath {
    const LEGACY_FAST: u8 = 1;
    const ALL: u8 = 0xfe;

    /// The flags as LLVM's assembly language names them, in its order; `fast` alone for all.
    pub fn names(self) -> Vec<&'static str> {
        if self.0 & Self::LEGACY_FAST != 0 || self.0 & Self::ALL == Self::ALL {
            return vec!["fast"];
        }
        let flags = [
            (1 << 7, "reassoc"),
            (1 << 1, "nnan"),
            (1 << 2, "ninf"),
            (1 << 3, "nsz"),
            (1 << 4, "arcp"),
            (1 << 5, "contract"),
            (1 << 6, "afn"),
        ];
        flags.iter().filter(|(bit, _)| self.0 & bit != 0).map(|&(_, name)| name).collect()
    }

    /// Whether the result is that of IEEE 754: there are no flags.
    pub fn is_exact(self) -> bool {
        self.0 == 0
    }

    /// Whether results may be assumed to be numbers.
    pub fn no_nans(self) -> bool {
        self.0 & (1 << 1 | Self::LEGACY_FAST) != 0
    }

    /// Whether results may be assumed to be finite.
    pub fn no_infinities(self) -> bool {
        self.0 & (1 << 2 | Self::LEGACY_FAST) != 0
    }
}

/// An alignment: a power of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Align(NonZeroU8);

impl Align {
    /// From the form in which bitcode stores it: the logarithm plus one, or zero for none.
    pub(crate) fn decode(stored: u64) -> Option<Align> {
        // An exponent above 62 could not be given in bytes.
        u8::try_from(stored).ok().filter(|&n| n <= 63).and_then(NonZeroU8::new).map(Align)
    }

    /// The alignment in bytes.
    pub fn bytes(self) -> u64 {
        1 << (self.0.get() - 1)
    }
}

//! Attributes: what the compiler promises about a function, its result or a parameter.

use crate::id::TypeId;
use crate::module::Module;

macro_rules! kinds {
    ($($name:ident = $code:literal $text:literal,)*) => {
        /// The kind of an attribute that LLVM knows.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum AttributeKind {
            $(#[doc = concat!("`", $text, "`")] $name,)*
            /// A kind newer than this decoder, by its number.
            Other(u32),
        }

        impl AttributeKind {
            pub(crate) fn from_code(code: u64) -> AttributeKind {
                match code {
                    $($code => AttributeKind::$name,)*
                    _ => AttributeKind::Other(u32::try_from(code).unwrap_or(u32::MAX)),
                }
            }

            /// The name in LLVM's assembly language.
            pub fn name(self) -> &'static str {
                match self {
                    $(AttributeKind::$name => $text,)*
                    AttributeKind::Other(_) => "unknown",
                }
            }
        }
    };
}

kinds! {
    Align = 1 "align", AlwaysInline = 2 "alwaysinline", ByVal = 3 "byval", InlineHint = 4 "inlinehint",
    InReg = 5 "inreg", MinSize = 6 "minsize", Naked = 7 "naked", Nest = 8 "nest", NoAlias = 9 "noalias",
    NoBuiltin = 10 "nobuiltin", NoCapture = 11 "nocapture", NoDuplicate = 12 "noduplicate",
    NoImplicitFloat = 13 "noimplicitfloat", NoInline = 14 "noinline", NonLazyBind = 15 "nonlazybind",
    NoRedZone = 16 "noredzone", NoReturn = 17 "noreturn", NoUnwind = 18 "nounwind",
    OptSize = 19 "optsize", ReadNone = 20 "readnone", ReadOnly = 21 "readonly",
    Returned = 22 "returned", ReturnsTwice = 23 "returns_twice", SignExt = 24 "signext",
    AlignStack = 25 "alignstack", Ssp = 26 "ssp", SspReq = 27 "sspreq", SspStrong = 28 "sspstrong",
    StructRet = 29 "sret", SanitizeAddress = 30 "sanitize_address", SanitizeThread = 31 "sanitize_thread",
    SanitizeMemory = 32 "sanitize_memory", UwTable = 33 "uwtable", ZeroExt = 34 "zeroext",
    Builtin = 35 "builtin", Cold = 36 "cold", OptNone = 37 "optnone", InAlloca = 38 "inalloca",
    NonNull = 39 "nonnull", JumpTable = 40 "jumptable", Dereferenceable = 41 "dereferenceable",
    DereferenceableOrNull = 42 "dereferenceable_or_null", Convergent = 43 "convergent",
    SafeStack = 44 "safestack", ArgMemOnly = 45 "argmemonly", SwiftSelf = 46 "swiftself",
    SwiftError = 47 "swifterror", NoRecurse = 48 "norecurse",
    InaccessibleMemOnly = 49 "inaccessiblememonly",
    InaccessibleMemOrArgMemOnly = 50 "inaccessiblemem_or_argmemonly", AllocSize = 51 "allocsize",
    WriteOnly = 52 "writeonly", Speculatable = 53 "speculatable", StrictFp = 54 "strictfp",
    SanitizeHwAddress = 55 "sanitize_hwaddress", NoCfCheck = 56 "nocf_check",
    OptForFuzzing = 57 "optforfuzzing", ShadowCallStack = 58 "shadowcallstack",
    SpeculativeLoadHardening = 59 "speculative_load_hardening", ImmArg = 60 "immarg",
    WillReturn = 61 "willreturn", NoFree = 62 "nofree", NoSync = 63 "nosync",
    SanitizeMemTag = 64 "sanitize_memtag", Preallocated = 65 "preallocated", NoMerge = 66 "nomerge",
    NullPointerIsValid = 67 "null_pointer_is_valid", NoUndef = 68 "noundef", ByRef = 69 "byref",
    MustProgress = 70 "mustprogress", NoCallback = 71 "nocallback", Hot = 72 "hot",
    NoProfile = 73 "noprofile", VscaleRange = 74 "vscale_range", SwiftAsync = 75 "swiftasync",
    NoSanitizeCoverage = 76 "nosanitize_coverage", ElementType = 77 "elementtype",
    DisableSanitizerInstrumentation = 78 "disable_sanitizer_instrumentation",
    NoSanitizeBounds = 79 "nosanitize_bounds", AllocAlign = 80 "allocalign",
    AllocatedPointer = 81 "allocptr", AllocKind = 82 "allockind",
    PresplitCoroutine = 83 "presplitcoroutine", FnRetThunkExtern = 84 "fn_ret_thunk_extern",
    SkipProfile = 85 "skipprofile", Memory = 86 "memory", NoFpClass = 87 "nofpclass",
    OptDebug = 88 "optdebug", Writable = 89 "writable",
    CoroOnlyDestroyWhenComplete = 90 "coro_only_destroy_when_complete",
    DeadOnUnwind = 91 "dead_on_unwind", Range = 92 "range",
    SanitizeNumericalStability = 93 "sanitize_numerical_stability", Initializes = 94 "initializes",
    HybridPatchable = 95 "hybrid_patchable",
}

/// One attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attribute {
    /// A promise without a parameter, such as `noreturn`.
    Plain(AttributeKind),
    /// One with a number, such as `align` or `dereferenceable`.
    Integer(AttributeKind, u64),
    /// One with a type, such as `byval`.
    Type(AttributeKind, Option<TypeId>),
    /// One with a half-open range of integers of this width.
    Range(AttributeKind, u32, [i64; 2]),
    /// One with several ranges, or with one too wide to hold here.
    Ranges(AttributeKind, u32, Box<[[i64; 2]]>),
    /// One that LLVM passes on without knowing it, such as `"frame-pointer"="all"`.
    Text(Box<str>, Box<str>),
}

/// The attributes of one function, result or parameter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AttributeGroup {
    /// The attributes, in LLVM's order.
    pub attributes: Vec<Attribute>,
}

/// The attributes of a function or call: indices into
/// [`Module::attribute_groups`](crate::Module::attribute_groups).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AttributeList {
    /// Those of the function itself.
    pub function: Option<u32>,
    /// Those of its result.
    pub result: Option<u32>,
    /// Those of parameters, sorted by the parameter's number.
    pub parameters: Vec<(u32, u32)>,
}

/// How memory of some kind may be accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Access {
    /// Whether it may be read.
    pub reads: bool,
    /// Whether it may be written.
    pub writes: bool,
}

/// Which memory a function may access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemoryEffects {
    /// The memory that its arguments point to.
    pub arguments: Access,
    /// Memory that the program cannot access otherwise.
    pub inaccessible: Access,
    /// All other memory.
    pub other: Access,
}

/// The behaviour of an allocation function; the decoded form of `allockind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct AllocKind {
    /// It returns new memory.
    pub alloc: bool,
    /// It resizes the memory of its `allocptr` argument.
    pub realloc: bool,
    /// It frees the memory of its `allocptr` argument.
    pub free: bool,
    /// The memory's content is undefined.
    pub uninitialized: bool,
    /// The memory's content is zero.
    pub zeroed: bool,
    /// The memory has the alignment of its `allocalign` argument.
    pub aligned: bool,
}

/// The parameters whose product is the size of the memory returned; the form of `allocsize`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AllocSize {
    /// The parameter with the size of an element.
    pub element_size: u32,
    /// The parameter with their number.
    pub count: Option<u32>,
}

impl AttributeGroup {
    /// Whether there is an attribute of that kind.
    pub fn has(&self, kind: AttributeKind) -> bool {
        self.attributes.iter().any(|attribute| match attribute {
            Attribute::Plain(of)
            | Attribute::Integer(of, _)
            | Attribute::Type(of, _)
            | Attribute::Range(of, ..)
            | Attribute::Ranges(of, ..) => *of == kind,
            Attribute::Text(..) => false,
        })
    }

    /// The number that goes with an attribute of that kind.
    pub fn integer(&self, kind: AttributeKind) -> Option<u64> {
        self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::Integer(of, value) if *of == kind => Some(*value),
            _ => None,
        })
    }

    /// The type that goes with an attribute of that kind.
    pub fn type_of(&self, kind: AttributeKind) -> Option<TypeId> {
        self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::Type(of, ty) if *of == kind => *ty,
            _ => None,
        })
    }

    /// The value of a textual attribute.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::Text(of, value) if &**of == key => Some(&**value),
            _ => None,
        })
    }

    /// The behaviour of an allocation function.
    pub fn alloc_kind(&self) -> Option<AllocKind> {
        let bits = self.integer(AttributeKind::AllocKind)?;
        let bit = |n: u32| bits >> n & 1 == 1;
        Some(AllocKind {
            alloc: bit(0),
            realloc: bit(1),
            free: bit(2),
            uninitialized: bit(3),
            zeroed: bit(4),
            aligned: bit(5),
        })
    }

    /// Which parameters determine the size of the returned memory.
    pub fn alloc_size(&self) -> Option<AllocSize> {
        let packed = self.integer(AttributeKind::AllocSize)?;
        let (element_size, count) = ((packed >> 32) as u32, packed as u32);
        Some(AllocSize { element_size, count: (count != u32::MAX).then_some(count) })
    }

    /// Which memory a function may access, from `memory` (LLVM 16 and later) or from `readonly`,
    /// `argmemonly` and the like (LLVM 15).
    pub fn memory_effects(&self) -> MemoryEffects {
        const ANY: Access = Access { reads: true, writes: true };
        const NONE: Access = Access { reads: false, writes: false };
        if let Some(bits) = self.integer(AttributeKind::Memory) {
            let at =
                |n: u32| Access { reads: bits >> n & 1 == 1, writes: bits >> (n + 1) & 1 == 1 };
            return MemoryEffects { arguments: at(0), inaccessible: at(2), other: at(4) };
        }
        let access = if self.has(AttributeKind::ReadNone) {
            NONE
        } else if self.has(AttributeKind::ReadOnly) {
            Access { reads: true, writes: false }
        } else if self.has(AttributeKind::WriteOnly) {
            Access { reads: false, writes: true }
        } else {
            ANY
        };
        let (arguments, inaccessible) = if self.has(AttributeKind::ArgMemOnly) {
            (access, NONE)
        } else if self.has(AttributeKind::InaccessibleMemOnly) {
            (NONE, access)
        } else if self.has(AttributeKind::InaccessibleMemOrArgMemOnly) {
            (access, access)
        } else {
            return MemoryEffects { arguments: access, inaccessible: access, other: access };
        };
        MemoryEffects { arguments, inaccessible, other: NONE }
    }
}

impl AttributeList {
    /// The attributes of the function itself.
    pub fn function<'m>(&self, module: &'m Module) -> Option<&'m AttributeGroup> {
        module.attribute_groups.get(self.function? as usize)
    }

    /// The attributes of the result.
    pub fn result<'m>(&self, module: &'m Module) -> Option<&'m AttributeGroup> {
        module.attribute_groups.get(self.result? as usize)
    }

    /// The attributes of a parameter, counted from zero.
    pub fn parameter<'m>(&self, module: &'m Module, number: u32) -> Option<&'m AttributeGroup> {
        let found = self.parameters.binary_search_by_key(&number, |&(of, _)| of).ok()?;
        module.attribute_groups.get(self.parameters[found].1 as usize)
    }
}

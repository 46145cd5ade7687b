//! What a finding says that goes wrong, and the errors by which that shows.

use report::{Finding, Unobservable};

/// What goes wrong at the end of the run of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    Assertion,
    Null,
    Bounds,
    UseAfterFree,
    DoubleFree,
    InvalidFree,
    Division,
    Overflow,
    Shift,
    /// Whatever dooms a point: every run fails, in one way or another.
    Any,
    /// An operation that the state of a lock, or of another object, does not allow.
    Lock,
    /// An object that is left in different states by runs that look the same.
    Imbalance,
    Leak,
    Uninitialized,
    /// Something that no sanitizer looks for.
    Other,
}

/// Whether a failure is always seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seen {
    Always,
    NotAlways(Unobservable),
}

impl Fault {
    /// That of a finding, by the name of its rule.
    pub(crate) fn of(finding: &Finding) -> Fault {
        if finding.setup.as_ref().is_some_and(|setup| setup.violates.is_some()) {
            return Fault::Lock;
        }
        match finding.rule.as_str() {
            "assertion" => Fault::Assertion,
            "null-dereference" => Fault::Null,
            "out-of-bounds" => Fault::Bounds,
            "use-after-free" => Fault::UseAfterFree,
            "double-free" => Fault::DoubleFree,
            "invalid-free" => Fault::InvalidFree,
            "division-by-zero" => Fault::Division,
            "overflow" => Fault::Overflow,
            "shift" => Fault::Shift,
            "doomed" => Fault::Any,
            "double-lock" | "double-unlock" => Fault::Lock,
            "lock-imbalance" => Fault::Imbalance,
            "memory-leak" | "resource-leak" | "leak" => Fault::Leak,
            "uninitialized" => Fault::Uninitialized,
            _ => Fault::Other,
        }
    }

    /// Whether the observers of a run always see it.
    pub(crate) fn seen(self) -> Seen {
        match self {
            Fault::Assertion
            | Fault::Null
            | Fault::DoubleFree
            | Fault::InvalidFree
            | Fault::Division
            | Fault::Overflow
            | Fault::Shift => Seen::Always,
            Fault::Bounds => Seen::NotAlways(Unobservable::OutOfBounds),
            Fault::UseAfterFree => Seen::NotAlways(Unobservable::FreedPointer),
            Fault::Lock => Seen::NotAlways(Unobservable::LockState),
            Fault::Imbalance => Seen::NotAlways(Unobservable::TwoRuns),
            Fault::Leak => Seen::NotAlways(Unobservable::Leak),
            Fault::Uninitialized => Seen::NotAlways(Unobservable::UninitializedRead),
            // What dooms a point may be one of those that are not always seen.
            Fault::Any | Fault::Other => Seen::NotAlways(Unobservable::NoObserver),
        }
    }

    /// Whether an error is what it looks like.
    pub(crate) fn shows(self, error: ErrorKind) -> bool {
        use ErrorKind as Kind;
        match self {
            Fault::Assertion => matches!(error, Kind::Assertion | Kind::Abort),
            // A member or an element of what is not there can be far from the null pointer, on either side.
            Fault::Null => matches!(error, Kind::NullPointer | Kind::Crash { .. }),
            Fault::Bounds => matches!(
                error,
                Kind::Bounds | Kind::ParameterRanges | Kind::Crash { is_near: false }
            ),
            Fault::UseAfterFree => error == Kind::UseAfterFree,
            Fault::DoubleFree => error == Kind::DoubleFree,
            Fault::InvalidFree => matches!(error, Kind::InvalidFree | Kind::Crash { .. }),
            Fault::Division => matches!(error, Kind::Division | Kind::Arithmetic),
            Fault::Overflow => error == Kind::Overflow,
            Fault::Shift => error == Kind::Shift,
            Fault::Any => !matches!(error, Kind::Memory | Kind::Unrelated),
            Fault::Lock => error == Kind::Lock,
            Fault::Imbalance | Fault::Leak | Fault::Uninitialized | Fault::Other => false,
        }
    }
}

/// What kind of error was reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ErrorKind {
    Assertion,
    Abort,
    NullPointer,
    /// An access to memory that is not there: near the null pointer, or elsewhere.
    Crash {
        is_near: bool,
    },
    Bounds,
    /// Blocks that a library function is given are of impossible sizes, or overlap as those of nearly all memory do.
    ParameterRanges,
    UseAfterFree,
    DoubleFree,
    InvalidFree,
    Division,
    /// The signal of the processor for arithmetic.
    Arithmetic,
    Overflow,
    Shift,
    Lock,
    /// There is no memory left, or no stack.
    Memory,
    /// Undefined behaviour that no rule is about.
    Unrelated,
}

/// Addresses below are those of parts of what is not there.
const NULL_PAGE: u64 = 1 << 16;

/// The kind of error that AddressSanitizer reports, from the first words of its report.
pub(crate) fn of_address_sanitizer(report: &str) -> ErrorKind {
    let starts = |start: &str| report.starts_with(start);
    let first = report.split([' ', ':']).next().unwrap_or_default();
    match first {
        "SEGV" | "BUS" => {
            let is_near = crash(report).is_some_and(|address| address < NULL_PAGE);
            ErrorKind::Crash { is_near }
        }
        "FPE" => ErrorKind::Arithmetic,
        "ABRT" => ErrorKind::Abort,
        "attempting" if starts("attempting double-free") => ErrorKind::DoubleFree,
        "attempting" | "bad-free" | "alloc-dealloc-mismatch" => ErrorKind::InvalidFree,
        "heap-use-after-free" | "stack-use-after-return" | "stack-use-after-scope" => {
            ErrorKind::UseAfterFree
        }
        "heap-buffer-overflow"
        | "stack-buffer-overflow"
        | "stack-buffer-underflow"
        | "dynamic-stack-buffer-overflow"
        | "global-buffer-overflow"
        | "container-overflow"
        | "unknown-crash" => ErrorKind::Bounds,
        "stack-overflow" | "requested" | "out-of-memory" | "allocator" | "calloc-overflow" => {
            ErrorKind::Memory
        }
        _ if first.ends_with("-param-overlap") || first == "negative-size-param" => {
            ErrorKind::ParameterRanges
        }
        _ => ErrorKind::Unrelated,
    }
}

/// The kind of error that UndefinedBehaviorSanitizer reports, from its own name for it.
pub(crate) fn of_undefined_behaviour(kind: &str) -> ErrorKind {
    match kind {
        "null-pointer-use" | "null-pointer-use-with-nullability" | "invalid-null-argument" => {
            ErrorKind::NullPointer
        }
        "out-of-bounds-index"
        | "insufficient-object-size"
        | "pointer-overflow"
        | "local-out-of-bounds" => ErrorKind::Bounds,
        "integer-divide-by-zero" | "float-divide-by-zero" => ErrorKind::Division,
        "signed-integer-overflow" | "unsigned-integer-overflow" => ErrorKind::Overflow,
        "invalid-shift-base" | "invalid-shift-exponent" => ErrorKind::Shift,
        _ => ErrorKind::Unrelated,
    }
}

/// The address at which the program crashed.
fn crash(report: &str) -> Option<u64> {
    let (_, at) = report.split_once("on unknown address")?;
    let digits = at.trim_start().strip_prefix("0x")?.split_whitespace().next()?;
    u64::from_str_radix(digits, 16).ok()
}

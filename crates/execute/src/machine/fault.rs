//! The errors of sanitizers and signals by which a failure shows.

use report::{FailureKind, Unobservable};

/// Whether a failure is always seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seen {
    Always,
    NotAlways(Unobservable),
}

/// Whether the observers of an execution always see a failure.
pub(crate) fn seen(failure: FailureKind) -> Seen {
    use FailureKind as Kind;
    match failure {
        Kind::Assertion
        | Kind::NullDereference
        | Kind::DoubleFree
        | Kind::InvalidFree
        | Kind::DivisionByZero
        | Kind::Overflow
        | Kind::Shift => Seen::Always,
        Kind::OutOfBounds => Seen::NotAlways(Unobservable::OutOfBounds),
        Kind::UseAfterFree => Seen::NotAlways(Unobservable::FreedPointer),
        Kind::ObjectState => Seen::NotAlways(Unobservable::LockState),
        Kind::StateImbalance => Seen::NotAlways(Unobservable::TwoRuns),
        Kind::MemoryLeak => Seen::NotAlways(Unobservable::Leak),
        Kind::Uninitialized => Seen::NotAlways(Unobservable::UninitializedRead),
        // A failure that nothing observes is neither confirmed nor refuted.
        _ => Seen::NotAlways(Unobservable::NoObserver),
    }
}

/// Whether an error is what a failure looks like.
pub(crate) fn shows(failure: FailureKind, error: ErrorKind) -> bool {
    match failure {
        FailureKind::Assertion => matches!(error, ErrorKind::Assertion | ErrorKind::Abort),
        // A member or an element of an object at null can be far from the null pointer, on either side.
        FailureKind::NullDereference => {
            matches!(error, ErrorKind::NullPointer | ErrorKind::Crash { .. })
        }
        FailureKind::OutOfBounds => matches!(
            error,
            ErrorKind::Bounds | ErrorKind::ParameterRanges | ErrorKind::Crash { is_near: false }
        ),
        FailureKind::UseAfterFree => error == ErrorKind::UseAfterFree,
        FailureKind::DoubleFree => error == ErrorKind::DoubleFree,
        FailureKind::InvalidFree => {
            matches!(error, ErrorKind::InvalidFree | ErrorKind::Crash { .. })
        }
        FailureKind::DivisionByZero => {
            matches!(error, ErrorKind::Division | ErrorKind::Arithmetic)
        }
        FailureKind::Overflow => error == ErrorKind::Overflow,
        FailureKind::Shift => error == ErrorKind::Shift,
        FailureKind::ObjectState => error == ErrorKind::Lock,
        // No error shows any other failure.
        _ => false,
    }
}

/// The kind of a reported error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ErrorKind {
    Assertion,
    Abort,
    NullPointer,
    /// An access to unmapped memory: near the null pointer, or elsewhere.
    Crash {
        is_near: bool,
    },
    Bounds,
    /// Blocks passed to a library function have impossible sizes, or overlap as blocks of nearly all memory do.
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

/// Addresses below are those of members of objects at the null pointer.
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

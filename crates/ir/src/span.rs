//! Where things come from: source places, source points and origins.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

/// A source file of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A file that spans refer to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// The path as the user gave it.
    pub path: String,
}

/// How many bytes each line of a file has in spans, if its text cannot be read: offset
/// `(line - 1) * RULED + column - 1` then is a line and a column, and so it is the same in all modules that
/// mention the file.
pub const RULED: NonZeroU32 = NonZeroU32::new(1 << 10).unwrap();

/// A stretch of source text, in bytes; see [`RULED`] for files without text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A point of the source program. Copies of a statement that unrolling, inlining or node splitting
/// makes keep the point of the original, so that what is said of a point is said of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PointId(pub u32);

/// How a statement came to be; it decides what may be reported of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// The user wrote it.
    Source,
    /// It comes from a macro used at this place.
    Macro(Span),
    /// It is a copy of a callee's statement, made at the call with this point.
    Inlined(PointId),
    /// A front end or pass made it up.
    Synthetic,
}

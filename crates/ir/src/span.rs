//! Source locations, source points and origins.

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

/// The number of bytes that each line of a file has in spans if its text is not available. Then offset
/// `(line - 1) * RULED + column - 1` denotes a line and a column, so it is the same in all modules that
/// mention the file.
pub const RULED: NonZeroU32 = NonZeroU32::new(1 << 10).unwrap();

/// A range of source text, in bytes; see [`RULED`] for files without text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A point of the source program. Copies of a statement that unrolling, inlining or node splitting makes keep
/// the point of the original, so that a result about a point is a result about the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PointId(pub u32);

/// The origin of a statement; it decides what may be reported about it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// The user wrote it.
    Source,
    /// It comes from a macro that is expanded at this place.
    Macro(Span),
    /// It is a copy of a callee's statement, made at the call with this point.
    Inlined(PointId),
    /// A front end or pass generated it.
    Synthetic,
}

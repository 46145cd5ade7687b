//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Events that a trace shows as they are; a longer trace is shortened to what the failure depends on.
pub(crate) const SHORT_TRACE: usize = 28;

/// Events that a shortened trace shows one by one; beyond them the first and the last of each statement are shown.
pub(crate) const LONG_TRACE: usize = 60;

/// Iterations of a loop, and recursive calls, that a long trace shows as they are.
pub(crate) const FEW_ITERATIONS: usize = 3;

/// Events of elided iterations that stay because nothing like them is shown elsewhere.
pub(crate) const IRREGULAR_EVENTS: usize = 8;

/// Events between two that are shown which are shown as well, since a line for the gap would be as long.
pub(crate) const SMALL_GAP: usize = 2;

/// Blocks of a procedure whose control dependences are computed; the branches of a larger one are not followed.
pub(crate) const CONTROLLED_BLOCKS: usize = 400;

/// Values that are shown of a function without definition.
pub(crate) const FUNCTION_VALUES: usize = 4;

/// Elements that are shown of an array in a heap of objects.
pub(crate) const ARRAY_ELEMENTS: u64 = 8;

/// Objects that are shown of a heap.
pub(crate) const HEAP_OBJECTS: usize = 200;

/// Objects of C memory that are named by the pointers that lead to them; further ones have numbers.
pub(crate) const NAMED_OBJECTS: usize = 64;

/// Characters of the name of an object of C memory; an object with a longer one has a number.
pub(crate) const OBJECT_NAME: usize = 60;

/// Bytes of the longest string literal that is shown as text.
pub(crate) const LITERAL_BYTES: usize = 1 << 16;

/// Elements up to which a pointer into an array of unknown length is shown by its index.
pub(crate) const INDEXED_ELEMENTS: u64 = 1000;

/// Parts that are shown of an object of C memory at entry.
pub(crate) const OBJECT_PARTS: usize = 12;

/// Bytes that are shown of a text.
pub(crate) const TEXT_BYTES: usize = 40;

/// Bytes that are read of a text which a pointer leads to.
pub(crate) const POINTED_TEXT: usize = 200;

/// Bytes of an object that a replaying program makes as it is; of a larger one it makes a part.
pub(crate) const WHOLE_OBJECT: u64 = 1 << 20;

/// Bytes that a replaying program makes before the needed part of a larger object.
pub(crate) const BYTES_BEFORE: u64 = 4096;

/// Bytes that a replaying program makes after the needed part of a larger object.
pub(crate) const BYTES_AFTER: u64 = 1 << 20;

/// Bytes that a replaying program makes of a larger object in all.
pub(crate) const PARTIAL_OBJECT: u64 = 1 << 26;

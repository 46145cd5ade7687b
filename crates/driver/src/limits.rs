//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Errors of a module beyond which none of its procedures is checked: a parser has probably lost track.
pub(crate) const FAULTS: usize = 50;

/// File types that the note on skipped files lists; the others are counted.
pub(crate) const SKIPPED_TYPES: usize = 5;

/// Bytes of an entry of an archive; a longer one is ignored.
pub(crate) const ARCHIVE_ENTRY_BYTES: usize = 16 << 20;

/// Events of an interpreted program that are kept to locate a library call; older ones are dropped.
pub(crate) const PROGRAM_EVENTS: usize = 1_000;

/// Directories of a library that are searched; further ones are ignored.
pub(crate) const LIBRARY_DIRECTORIES: usize = 10_000;

/// Bytes of a source file; a larger one is refused.
pub(crate) const SOURCE_BYTES: u64 = 64 << 20;

/// Bytes of the stack of each thread, enough for expressions of any depth that parsers accept.
pub(crate) const STACK_BYTES: usize = 64 << 20;

/// Files that are lowered at a time, so that memory does not grow with the number of files.
pub(crate) const LOWERED_FILES: usize = 64;

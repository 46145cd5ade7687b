//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Number of a metadata kind; a file with a greater one is refused.
pub(crate) const METADATA_KINDS: u64 = 1 << 16;

/// Scopes or typedefs that are followed from one to the next; the walk ends there, as the graph of a corrupt file may
/// be cyclic.
pub(crate) const METADATA_CHAIN: usize = 4096;

/// Depth to which lists of metadata are printed inside each other; deeper ones are printed as references.
pub(crate) const PRINTED_LISTS: u32 = 4;

/// Abbreviations that a BLOCKINFO block shares with one kind of block; a file with more is refused.
pub(crate) const SHARED_ABBREVIATIONS: usize = 256;

/// Operands of one abbreviation; a file with more is refused.
pub(crate) const ABBREVIATION_OPERANDS: u64 = 128;

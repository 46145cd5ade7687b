//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Characters of a line that the fingerprint of a finding depends on.
pub(crate) const FINGERPRINT_CHARACTERS: usize = 100;

/// Lines that are searched for the head of a procedure; beyond them it is not shown.
pub(crate) const HEADLINE_LINES: u32 = 200;

/// Lines of source that a page shows before and after those of the trace.
pub(crate) const LINES_AROUND: u32 = 3;

/// Lines between two lines of the trace that a page shows; a longer gap is left out.
pub(crate) const SHOWN_GAP: u32 = 12;

/// Objects of C memory that a text report shows; the others are counted.
pub(crate) const MEMORY_OBJECTS: usize = 24;

/// Columns of the name of an object in a text report; a longer one is cut.
pub(crate) const OBJECT_NAME_COLUMNS: usize = 24;

/// Lines between a finding and a related place that share a snippet; places further away have their own.
pub(crate) const SNIPPET_DISTANCE: u32 = 40;

/// Lines of a place that a snippet marks; of a longer place only the first line is marked.
pub(crate) const MARKED_LINES: u32 = 6;

/// Column up to which a source line is shown; places further right have no snippet.
pub(crate) const SNIPPET_COLUMNS: u32 = 5_000;

/// Columns of a label in a snippet; a longer one is cut.
pub(crate) const LABEL_COLUMNS: usize = 60;

/// Objects that a page draws over all steps; the steps in the middle are not drawn.
pub(crate) const DRAWN_OBJECTS: usize = 6_000;

/// Open calls with variables of their own in a trace; deeper calls share them.
pub(crate) const STATE_CALLS: u32 = 64;

/// Objects of a heap that a text report shows; the others are counted.
pub(crate) const HEAP_OBJECTS: usize = 24;

/// Columns of a value that stays on the line of its name; a longer one may be wrapped.
pub(crate) const UNBROKEN_COLUMNS: usize = 24;

/// Columns of source beside the values of a step; with fewer, source and values are on separate lines.
pub(crate) const READABLE_COLUMNS: usize = 36;

/// Columns of the values of one step of a trace; the rest is cut.
pub(crate) const STEP_COLUMNS: usize = 400;

/// Characters of a source line in a trace; the rest is cut.
pub(crate) const SOURCE_CHARACTERS: usize = 5_000;

/// Calls that indent a trace; deeper ones are not indented further.
pub(crate) const INDENTED_CALLS: u32 = 8;

/// Values that changed within elided steps and are shown; the others are not.
pub(crate) const ELIDED_VALUES: usize = 4;

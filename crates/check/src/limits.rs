//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Levels of calls that a step inlines beyond the number of iterations it unrolls.
pub(crate) const CALLS_BEYOND_LOOPS: u32 = 2;

/// Bits of integers in the first step of a growing scope; each further step adds one.
pub(crate) const FIRST_INT_WIDTH: u32 = 4;

/// Factor by which each step unrolls loops further.
pub(crate) const UNROLL_FACTOR: u32 = 3;

/// Gates of a formula beyond which loops are not unrolled further but left open.
pub(crate) const UNROLLED_GATES: usize = 20_000;

/// Gates of the formula about arrays longer than the scope; a larger one is not solved, and the verdict says so.
pub(crate) const LONG_ARRAY_GATES: usize = 20_000;

/// Queries of the pre-check for doomed points that find no execution, in a program with many procedures; then the
/// over-approximation decides the rest.
pub(crate) const FRUITLESS_PRE_CHECKS: usize = 6;

/// Relaxed procedures that are evaluated to explain a contradiction; beyond them the explanation is coarser.
pub(crate) const RELAXED_PROCEDURES: u32 = 80;

/// Statements of all relaxed procedures together; beyond them the explanation is coarser.
pub(crate) const RELAXED_STATEMENTS: usize = 400_000;

/// Gates of all relaxed procedures together; beyond them the explanation is coarser.
pub(crate) const RELAXED_GATES: usize = 4_000_000;

/// Queries of the pre-check for doomed points; the over-approximation decides the rest.
pub(crate) const PRE_CHECKS: usize = 48;

/// Executions that leave the scope and are followed to their ends by the interpreter.
pub(crate) const FOLLOWED_BEYOND: usize = 4;

/// Statements of such an execution; beyond them its end is unknown.
pub(crate) const FOLLOWED_STEPS: u64 = 500_000;

/// Events of such an execution that a trace shows; the others are left out.
pub(crate) const FOLLOWED_EVENTS: usize = 10_000;

/// Models of a failure that are tried to find one that does not depend on unknown functions; further ones are not
/// tried.
pub(crate) const FAILING_MODELS: usize = 8;

/// Bits of integers that a procedure gets for its constants; greater constants are cut.
pub(crate) const INT_WIDTH: u32 = 160;

/// Statements of a procedure after unrolling and inlining, in a program with many procedures; beyond them loops are
/// unrolled less and calls are not inlined.
pub(crate) const PROCEDURE_STATEMENTS: usize = 4_000;

/// Gates of the formula of a procedure in such a program; beyond them executions are cut.
pub(crate) const PROCEDURE_GATES: usize = 300_000;

/// Objects of the smallest heaps for which tight bounds are computed; smaller ones are checked directly.
pub(crate) const TIGHTENED_OBJECTS: u32 = 4;

/// Conflicts of one query about tight bounds; beyond them the edge stays possible.
pub(crate) const TIGHTENING_CONFLICTS: u64 = 2_000;

/// Objects of a heap up to which the number of shapes that are checked one by one grows.
pub(crate) const SHAPED_OBJECTS: u32 = 18;

/// Objects of the smallest heaps whose shapes and bounds are cached; smaller ones are computed again.
pub(crate) const CACHED_OBJECTS: u32 = 5;

/// Shapes that are checked in full once something is found; the others are skipped.
pub(crate) const SUSPECT_SHAPES: usize = 64;

/// Combinations of numbers for one shape that are executed one by one; more are solved as a formula.
pub(crate) const NUMBERED_EXECUTIONS: usize = 128;

/// Conflicts of one query about reachability; beyond them the point is reported as undecided.
pub(crate) const REACHABILITY_CONFLICTS: u64 = 500;

/// Queries about reachability in one procedure; further points are reported as undecided.
pub(crate) const REACHABILITY_QUERIES: usize = 64;

/// Branches that are examined to see whether a procedure tests an allocation; further ones count as no test.
pub(crate) const TESTED_BRANCHES: usize = 64;

/// Allocations that are examined to see whether a procedure tests one; further ones count as untested.
pub(crate) const TESTED_ALLOCATIONS: usize = 8;

/// Failing executions of one obligation whose path classes are examined; then it is not reported.
pub(crate) const CLASSED_EXECUTIONS: usize = 8;

/// Failing obligations that are examined to find one that no execution gets past.
pub(crate) const DOOMED_FAILURES: usize = 16;

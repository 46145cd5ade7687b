//! Executions: their inputs, limits, and outcomes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ir::{
    AssertKind, AssumeReason, Block, BlockId, CutReason, GlobalId, Module, PointId, ProcedureId,
    Span, TerminatorKind,
};

use crate::error::EvalError;
use crate::machine::Machine;
use crate::memory::{Bytes, NewObject, Objects, Pointer};
use crate::oracle::{Oracle, Scope};
use crate::trace::{Location, Trace};
use crate::value::Value;

/// A place in a module: a statement of a block, or the block's end, which counts as one more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Site {
    /// The procedure.
    pub procedure: ProcedureId,
    /// The block.
    pub block: BlockId,
    /// The position of the statement.
    pub statement: u32,
}

impl Site {
    /// The source point of the statement or end of block; none if there is no such place.
    pub fn point(self, module: &Module) -> Option<PointId> {
        let block = self.block(module)?;
        let statement = block.statements.get(self.statement as usize);
        Some(statement.map_or(block.terminator.point, |statement| statement.point))
    }

    /// The source text of the statement or end of block; none if there is no such place.
    pub fn span(self, module: &Module) -> Option<Span> {
        let block = self.block(module)?;
        let statement = block.statements.get(self.statement as usize);
        Some(statement.map_or(block.terminator.span, |statement| statement.span))
    }

    /// The block, if there is such a one.
    pub fn block(self, module: &Module) -> Option<&Block> {
        let blocks = module.procedures.get(self.procedure.0 as usize)?.blocks.as_ref()?;
        blocks.get(self.block.0 as usize)
    }

    /// Whether it is the exit of a procedure.
    pub fn is_exit(self, module: &Module) -> bool {
        self.block(module).is_some_and(|block| {
            block.statements.len() == self.statement as usize
                && matches!(block.terminator.kind, TerminatorKind::Exit(_))
        })
    }
}

/// The inputs of an execution. The oracle decides a missing one when it is first read; it is undefined if the
/// oracle makes no decision.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// The parameters of the entry procedure, in order.
    pub parameters: Vec<Option<Value>>,
    /// The state variables.
    pub globals: BTreeMap<GlobalId, Value>,
    /// The objects of memory that are there, numbered as objects of the environment in this order unless
    /// they have numbers.
    pub objects: Vec<NewObject>,
}

impl Inputs {
    /// Inputs with all parameters and no state variable.
    pub fn new(parameters: impl IntoIterator<Item = Value>) -> Inputs {
        let parameters = parameters.into_iter().map(Some).collect();
        Inputs { parameters, ..Inputs::default() }
    }

    /// The same with a state variable.
    #[must_use]
    pub fn with(mut self, global: GlobalId, value: Value) -> Inputs {
        self.globals.insert(global, value);
        self
    }

    /// The same with an object of memory more.
    #[must_use]
    pub fn with_object(mut self, object: NewObject) -> Inputs {
        self.objects.push(object);
        self
    }
}

/// The limits of an execution, and what it checks and records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// How many statements and ends of blocks may be executed.
    pub steps: u64,
    /// How many expressions may be computed, cases of quantifiers and tuples of relations included.
    pub work: u64,
    /// How many calls may be open at a time.
    pub depth: usize,
    /// How many events the trace keeps, half of them from the start and half from the end.
    pub trace: usize,
    /// Whether loop invariants and measures are checked.
    pub facts: bool,
    /// Whether the execution records the points that it passes and the branch edges that it takes.
    pub coverage: bool,
    /// Whether the axioms of the module are checked first; an execution in which one is false is blocked.
    pub axioms: bool,
    /// Whether static objects hold at the start what they hold when the program starts; those that
    /// are constant always do.
    pub statics: bool,
    /// Whether the invariants of the module are assumed at entry and checked at exit.
    pub invariants: bool,
    /// If given, expressions are evaluated within it: an execution that computes an integer or a sequence
    /// beyond it, in any case of a quantifier, ends there as an error.
    pub scope: Option<Scope>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            steps: 1_000_000,
            work: 100_000_000,
            depth: 1_000_000,
            trace: 10_000,
            facts: false,
            coverage: false,
            axioms: true,
            statics: false,
            invariants: true,
            scope: None,
        }
    }
}

/// The statement or end of a block at which an execution ended. It need not be an event of the trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LastStatement {
    /// Where it is.
    pub site: Site,
    /// The number of open calls around it.
    pub depth: u32,
    /// The locations that it read, if there is a trace.
    pub reads: Vec<Location>,
}

/// A finished execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// How it ended.
    pub outcome: Outcome,
    /// How many statements and ends of blocks were executed.
    pub steps: u64,
    /// The trace.
    pub trace: Trace,
    /// The statement at which it ended.
    pub last: LastStatement,
    /// The state variables at the end; none for one that is undefined or was never read.
    pub globals: Vec<Option<Value>>,
    /// The objects of memory that there were.
    pub objects: Objects,
    /// The points that were passed, if they are recorded. A statement is passed when it is reached, whether
    /// or not it ends the execution.
    pub passed: BTreeSet<(ProcedureId, PointId)>,
    /// The sides of branches that were taken, if they were to be noted.
    pub taken: BTreeSet<(ProcedureId, PointId, bool)>,
    /// The clauses of contracts of unknown functions that could not be evaluated, and why; they are assumed
    /// to hold.
    pub unchecked_clauses: Vec<UncheckedClause>,
    /// The oracle's completion of memory that the execution did not create.
    pub completed: Bytes,
    /// The objects of the environment that the oracle's completion created.
    pub found: Vec<NewObject>,
}

/// A clause that the oracle's call result was not checked against.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UncheckedClause {
    /// Where the call is.
    pub site: Site,
    /// Who was called.
    pub callee: ProcedureId,
    /// The postcondition, by position in the contract.
    pub clause: usize,
    /// Why it could not be evaluated.
    pub fault: EvalError,
}

/// How an execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It left the entry procedure, or was ended on purpose.
    Exit(Ending),
    /// An obligation failed.
    Failed(Failure),
    /// An assumption did not hold; this is no failure of the program.
    Blocked {
        /// Where.
        site: Site,
        /// The assumption.
        by: FailedAssumption,
    },
    /// The execution cannot continue: a value is undefined, or the oracle makes no decision.
    Error {
        /// Where.
        site: Site,
        /// Why.
        fault: EvalError,
    },
    /// The budget was used up.
    OutOfSteps,
}

/// How an execution left the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By returning, with the results in order; one that was never set is left out.
    Normal(Vec<Option<Value>>),
    /// By an exception, with its value if it has one.
    Exceptional(Option<Value>),
    /// By an intended exit.
    Intended(String),
    /// Because we stop following it.
    Cut(CutReason),
}

/// An obligation that failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Where: the assertion, the call, the exit, or the jump to the loop's header.
    pub site: Site,
    /// The kind of the obligation.
    pub kind: AssertKind,
    /// The message of the finding.
    pub message: String,
    /// Which obligation.
    pub obligation: Obligation,
    /// The pointer that should lead to an object, if that is what was asserted.
    pub pointer: Option<Pointer>,
}

/// Which obligation of those at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Obligation {
    /// The assertion that stands there.
    Assertion,
    /// A precondition of the callee, by position in its contract.
    Requires(ProcedureId, usize),
    /// A postcondition of the procedure, by position in its contract.
    Ensures(usize),
    /// An invariant of the module, by position.
    Invariant(usize),
    /// A loop invariant of the block, by position.
    LoopInvariant(BlockId, usize),
    /// The measure of the loop with this header.
    LoopMeasure(BlockId),
    /// The measure of a procedure that is called again.
    Measure(ProcedureId),
}

/// An assumption that did not hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FailedAssumption {
    /// An `assume`.
    Assume(AssumeReason),
    /// The condition of a `havoc`.
    Where,
    /// A precondition of the entry procedure, or one of a callee that is only ever assumed.
    Requires(ProcedureId, usize),
    /// A loop invariant that is only ever assumed.
    LoopInvariant(BlockId, usize),
    /// An axiom of the module, by position.
    Axiom(usize),
    /// An invariant of the module at entry, by position.
    Invariant(usize),
}

impl Outcome {
    /// Whether no such execution exists: an assumption does not hold, or the oracle's call result violates
    /// the contract of the callee.
    pub fn is_infeasible(&self) -> bool {
        match self {
            Outcome::Blocked { .. } | Outcome::Error { fault: EvalError::Contract(..), .. } => true,
            Outcome::Exit(_) | Outcome::Failed(_) | Outcome::Error { .. } | Outcome::OutOfSteps => {
                false
            }
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Exit(Ending::Normal(_)) => write!(out, "exits normally"),
            Outcome::Exit(Ending::Exceptional(_)) => write!(out, "exits exceptionally"),
            Outcome::Exit(Ending::Intended(reason)) => write!(out, "ends on purpose: {reason}"),
            Outcome::Exit(Ending::Cut(reason)) => write!(out, "is cut: {reason:?}"),
            Outcome::Failed(failure) => {
                write!(out, "fails ({:?}): {}", failure.kind, failure.message)
            }
            Outcome::Blocked { by, .. } => write!(out, "is blocked: {by:?}"),
            Outcome::Error { fault, .. } => write!(out, "cannot go on: {fault}"),
            Outcome::OutOfSteps => write!(out, "is out of steps"),
        }
    }
}

/// Executes a procedure.
///
/// The module must be valid. Preconditions of the entry procedure are assumed and its postconditions are
/// checked. A callee with a body is executed; its preconditions are checked and its postconditions are not.
/// For an unknown function the oracle decides effects and results, which are checked against its
/// postconditions.
pub fn run(
    module: &Module,
    procedure: ProcedureId,
    inputs: &Inputs,
    oracle: &mut dyn Oracle,
    options: &Options,
) -> Execution {
    Machine::new(module, procedure, inputs, oracle, options).run()
}

//! The options of a check, in five parts with one meaning each: the bounds that a user sets, the state of the search
//! through them, the policy on reports, the limits of the solver, and the enumeration of initial heaps.
//!
//! A verdict states the bounds ([`SearchBounds::stated`]). The search (`search.rs`) changes bounds and state from step
//! to step; policy and strategy stay as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use encode::{Direction, Environment, Scope};
use ir::{Expr, ExprId, Module, ProcedureId, SortId, Type, Variable};
use report::{Bounds, Limit};

use crate::assumptions::Assumptions;
use crate::examine::{Program, is_checked};
use crate::limits::{INT_WIDTH, PROCEDURE_GATES, PROCEDURE_STATEMENTS};
use crate::relevant::RelevantBounds;
use crate::strategy::Strategy;

/// All options of a check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CheckOptions {
    /// The bounds of the under-approximation.
    pub bounds: SearchBounds,
    /// The state of the search through these bounds.
    pub state: SearchState,
    /// Which failures are reported, and how.
    pub policy: Policy,
    /// The resources of one query, and of one formula.
    pub solver: SolverLimits,
    /// The techniques that reduce the initial heaps.
    pub strategy: Strategy,
}

/// The bounds of the under-approximation. All of them are part of the verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchBounds {
    /// The number of iterations of each loop.
    pub unroll: u32,
    /// The number of iterations up to which unrolling continues where [`SearchBounds::unroll`] cuts an execution,
    /// if it is greater. A finding that few iterations show is shown with few.
    pub deepest: u32,
    /// The depth to which calls are inlined.
    pub inline: u32,
    /// The number of objects or atoms of each sort in the initial state.
    pub scope: u32,
    /// The sorts that have another number, by name.
    pub scopes: Vec<(String, u32)>,
    /// The width in bits within which mathematical integers are exact. A procedure with greater constants gets the
    /// width that these need.
    pub int_width: u32,
    /// The maximum length of a sequence.
    pub sequence: u32,
    /// Which of them matter, and are stated.
    pub relevant: RelevantBounds,
}

/// The state of a search: what one step of it sets for the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchState {
    /// The size up to which all initial heaps have been analysed; only larger ones count.
    pub exhausted: Option<u32>,
    /// Whether to ask nothing where a loop or call bound cuts an execution, because a later step has larger bounds.
    pub defer_if_cut: bool,
    /// Whether to ask what holds in every execution.
    pub proofs: Proofs,
}

/// Whether to ask what holds in every execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Proofs {
    /// Do not ask.
    Off,
    /// Ask the under-approximation only: an execution that ends refutes that what it passes is doomed.
    PreCheck,
    /// Ask the over-approximation what the under-approximation does not refute.
    #[default]
    Full,
}

/// Which failures are reported, and how.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Policy {
    /// Whether inputs are trusted until they are tested: a failure is reported only if every execution of its path
    /// fails. A procedure with a contract trusts nothing: every input counts that the contract admits.
    pub trust_inputs: bool,
    /// The assumptions under which inputs are trusted.
    pub assumptions: Assumptions,
    /// Where inputs are trusted, whether only failures in every execution are reported. A test of a variable says
    /// little where objects have unwritten invariants.
    pub definite: bool,
    /// Whether `null` is one of the atoms of a sort, as in languages without `null`.
    pub null_counts: bool,
    /// The rules under which nothing is reported, not even what fails in every execution.
    pub denied: BTreeSet<String>,
    /// Whether the search stops at the first step with findings.
    pub stop_at_first: bool,
    /// The number of further failing executions that are enumerated for each finding.
    pub others: usize,
    /// Whether to report what no execution within the bounds reaches, where nothing is found.
    pub vacuity: bool,
}

/// The resources of one query, and of one formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverLimits {
    /// The number of conflicts of one query.
    pub conflicts: u64,
    /// The time for one procedure, a fail-safe.
    pub time: Option<Duration>,
    /// Whether the proof of every refutation is checked.
    pub certify: bool,
    /// The number of statements after unrolling and inlining. Beyond it loops are unrolled less, and calls are not
    /// inlined.
    pub statements: usize,
    /// The number of gates of one formula. Beyond it executions are cut.
    pub gates: usize,
}

impl Default for SearchBounds {
    fn default() -> SearchBounds {
        SearchBounds {
            unroll: 4,
            deepest: 0,
            inline: 3,
            scope: 3,
            scopes: Vec::new(),
            int_width: 8,
            sequence: 4,
            relevant: RelevantBounds::ALL,
        }
    }
}

impl Default for SolverLimits {
    fn default() -> SolverLimits {
        SolverLimits {
            conflicts: 200_000,
            time: None,
            certify: false,
            statements: passes::Limits::default().size,
            gates: Scope::default().gates,
        }
    }
}

impl SearchBounds {
    /// The same bounds with at most this number of objects of any sort.
    #[must_use]
    pub fn with_at_most(&self, objects: u32) -> SearchBounds {
        let scopes = self.scopes.iter();
        let scopes = scopes.map(|(sort, count)| (sort.clone(), *count.min(&objects)));
        SearchBounds { scope: self.scope.min(objects), scopes: scopes.collect(), ..self.clone() }
    }

    /// The bounds as verdicts state them: those that matter.
    pub fn stated(&self) -> Bounds {
        let RelevantBounds { unroll, inline, scope, int_width, sequence } = self.relevant;
        let with = |bounds: Bounds, name: &str, value: u32, is_relevant: bool| match is_relevant {
            true => bounds.with(name, u64::from(value)),
            false => bounds,
        };
        let bounds = with(Bounds::new(), "unroll", self.unroll, unroll);
        let bounds = with(bounds, "inline", self.inline, inline);
        let bounds = with(bounds, "scope", self.scope, scope);
        let named = self.scopes.iter();
        let bounds = named.fold(bounds, |bounds, (sort, count)| {
            with(bounds, &format!("scope of {sort}"), *count, scope)
        });
        let bounds = with(bounds, "int bits", self.int_width, int_width);
        with(bounds, "sequence", self.sequence, sequence)
    }

    /// The same bounds, of which those are stated that matter for a procedure.
    pub(crate) fn stated_for(&self, program: &Program<'_>, procedure: ProcedureId) -> SearchBounds {
        SearchBounds { relevant: program.relevant(procedure), ..self.clone() }
    }

    /// The maximum number of objects of a sort.
    pub fn largest_scope(&self) -> u32 {
        self.scopes.iter().map(|(_, count)| *count).chain([self.scope]).max().unwrap_or(0)
    }

    /// Whether loops are unrolled further where the bounds cut an execution.
    pub(crate) fn unrolls_further(&self) -> bool {
        self.deepest > self.unroll
    }

    /// The same bounds, with at least as many atoms of each sort as a procedure names.
    fn with_named_atoms(&self, module: &Module, subject: &ir::Procedure) -> SearchBounds {
        let mut bounds = self.clone();
        for (sort, least) in named_atoms(module, subject) {
            let name = &module.sorts[sort.0 as usize];
            match bounds.scopes.iter_mut().find(|(known, _)| known == name) {
                Some((_, count)) => *count = (*count).max(least),
                None if bounds.scope < least => bounds.scopes.push((name.clone(), least)),
                None => {}
            }
        }
        bounds
    }

    /// The same bounds, with integers wide enough for constants of this number of bits and their neighbours.
    fn with_integers_of(&self, bits: u64) -> SearchBounds {
        let needed = u32::try_from(bits + 2).unwrap_or(u32::MAX).min(INT_WIDTH);
        SearchBounds { int_width: self.int_width.max(needed), ..self.clone() }
    }
}

impl CheckOptions {
    /// The options for programs with many procedures and no contracts. Loops often have a constant number of
    /// iterations there, so they are unrolled further; each procedure gets less of everything else.
    #[must_use]
    pub fn for_many_procedures(self) -> CheckOptions {
        let CheckOptions { bounds, solver, .. } = self;
        let deepest = bounds.unroll.saturating_mul(9);
        let conflicts = solver.conflicts.div_ceil(10);
        let (statements, gates) = (PROCEDURE_STATEMENTS, PROCEDURE_GATES);
        CheckOptions {
            bounds: SearchBounds { deepest, ..bounds },
            solver: SolverLimits { conflicts, statements, gates, ..solver },
            ..self
        }
    }

    /// The next smaller bounds for a procedure that is too large for these: one iteration of each loop and one level
    /// of calls, then no calls.
    pub(crate) fn reduced(&self) -> CheckOptions {
        let (SearchBounds { unroll, inline, .. }, statements) =
            (self.bounds.clone(), self.solver.statements);
        let (unroll, inline, statements) = match unroll > 1 || inline > 1 {
            true => (unroll.min(1), inline.min(1), statements / 4),
            false => (unroll, 0, statements),
        };
        CheckOptions {
            bounds: SearchBounds { unroll, inline, ..self.bounds.clone() },
            solver: SolverLimits { statements, ..self.solver.clone() },
            ..self.clone()
        }
    }

    /// The limits of unrolling and inlining.
    pub(crate) fn depth(&self) -> passes::Limits {
        let SearchBounds { unroll, inline, .. } = self.bounds;
        let otherwise = match self.policy.trust_inputs {
            // The effects of a callee are trusted as well, so that the code after the call is analysed.
            true => passes::CallFallback::Anything,
            false => passes::CallFallback::Cut,
        };
        let size = self.solver.statements;
        passes::Limits { unroll, inline, size, otherwise, ..passes::Limits::default() }
    }

    /// The options that a procedure needs: enough atoms and bits for its constants, and no trust where it has a
    /// contract.
    pub(crate) fn for_procedure(
        &self,
        program: &Program<'_>,
        procedure: ProcedureId,
    ) -> CheckOptions {
        let subject = program.module.procedure(procedure);
        let bits = program.integer_bits.max(subject.exprs.integer_bits());
        let bounds = self.bounds.with_integers_of(bits).with_named_atoms(program.module, subject);
        let bounds = bounds.stated_for(program, procedure);
        let trust_inputs = self.policy.trust_inputs && !is_checked(subject);
        let policy = Policy { trust_inputs, ..self.policy.clone() };
        CheckOptions { bounds, policy, ..self.clone() }
    }

    /// The scope of an evaluation.
    pub(crate) fn scope(&self, direction: Direction) -> Scope {
        let bounds = &self.bounds;
        let besides_null = |count: u32| count.saturating_sub(u32::from(self.policy.null_counts));
        let named = bounds.scopes.iter().map(|(sort, count)| (sort.clone(), besides_null(*count)));
        Scope {
            direction,
            atoms: match direction {
                Direction::Under => besides_null(bounds.scope),
                // Enough to distinguish all atoms that a procedure of any size can mention.
                Direction::Over => 1 << 12,
            },
            named: match direction {
                Direction::Under => named.collect(),
                Direction::Over => Vec::new(),
            },
            int_width: bounds.int_width,
            sequence: bounds.sequence,
            environment: match self.policy.trust_inputs {
                true => self.policy.assumptions.environment(),
                false => Environment::default(),
            },
            records_tests: self.policy.trust_inputs,
            gates: self.solver.gates,
            ..Scope::default()
        }
    }
}

impl SolverLimits {
    /// The options of the solver.
    pub(crate) fn options(&self) -> encode::SolverOptions {
        encode::SolverOptions { certify: self.certify, ..encode::SolverOptions::default() }
    }

    /// The time limit as a verdict states it.
    pub(crate) fn time_limit(&self) -> Option<Limit> {
        let milliseconds = u64::try_from(self.time?.as_millis()).unwrap_or(u64::MAX);
        Some(Limit::TimeLimit(milliseconds))
    }

    /// The limits of one query.
    pub(crate) fn of_query(&self) -> encode::QueryLimits {
        let limits = encode::QueryLimits::conflicts(self.conflicts);
        match self.time {
            Some(time) => limits.within(time),
            None => limits,
        }
    }
}

/// The number of atoms of each sort that a procedure names: constants, and variables that hold constants of another
/// kind ([`Module::least`]).
fn named_atoms(module: &Module, subject: &ir::Procedure) -> BTreeMap<SortId, u32> {
    let (mut constants, mut read) = (BTreeSet::new(), BTreeSet::new());
    for expr in (0..subject.exprs.len() as u32).map(|id| subject.exprs.get(ExprId(id))) {
        match expr {
            Expr::Read(Variable::Global(id)) => {
                if let Type::Sort(sort) = module.global(*id).ty {
                    read.insert(sort);
                }
            }
            Expr::Apply(id, arguments) if arguments.is_empty() => {
                let function = module.function(*id);
                if let (Type::Sort(sort), None) = (&function.result, &function.definition) {
                    constants.insert((*sort, *id));
                }
            }
            _ => {}
        }
    }
    let mut counts = BTreeMap::new();
    for (sort, _) in constants {
        *counts.entry(sort).or_insert(0) += 1;
    }
    for (sort, least) in module.least.iter().filter(|(sort, _)| read.contains(sort)) {
        *counts.entry(*sort).or_insert(0) += least;
    }
    counts
}

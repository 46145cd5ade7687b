//! The way of one procedure, top to bottom: prepare, evaluate, ask, replay, explain.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bounds::Cache;
use encode::{Direction, QuerySession, Scope};
use ir::{Expr, ExprId, Module, ProcedureId, SortId, Span, Type, Variable};
use passes::Effects;
use report::{Bounds, Finding, LineIndex, Place, Procedure, Reason, ReasonClass, Sources, Verdict};

use crate::analysis::{Analysis, Known};
use crate::bodies::Bodies;
use crate::checkers::Checker;
use crate::strategy::Strategy;
use crate::telling::Telling;

/// Integers are not made wider than this for the sake of constants.
const WIDEST: u32 = 160;

/// Procedures that are many may have so many statements, once loops and calls are followed.
const MANY_STATEMENTS: usize = 4_000;

/// And their formulas so many gates.
const MANY_GATES: usize = 300_000;

/// How far to look. All of it is part of the verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many iterations of each loop are followed.
    pub unroll: u32,
    /// How many are followed at most, if that is more, where fewer are not all there are. What is found with
    /// few is told with few.
    pub deepest: u32,
    /// How many calls deep bodies are followed.
    pub inline: u32,
    /// How many individuals each sort has at first.
    pub scope: u32,
    /// Sorts that have another number, by name.
    pub scopes: Vec<(String, u32)>,
    /// The width in bits within which mathematical integers are exact; where a procedure has
    /// greater constants, what these need.
    pub int_width: u32,
    /// The greatest length of a sequence.
    pub sequence: u32,
    /// How many conflicts one question may cost the solver.
    pub budget: u64,
    /// A fail-safe against the wall clock, for one procedure.
    pub time: Option<Duration>,
    /// Whether the proof of every refutation is checked.
    pub certify: bool,
    /// Whether inputs are trusted until they are tested: a failure is charged only if every run along
    /// its path fails. Where there are no contracts to say what callers promise, anything else would
    /// be noise. Of a procedure that has a contract every input counts that it admits.
    pub trust_inputs: bool,
    /// Where inputs are trusted, whether only that is charged which every run fails that gets there: a test of a
    /// variable says little where objects keep promises that nobody has written down.
    pub definite: bool,
    /// Whether `null` is one of the individuals that a sort has, as in languages that know no `null`.
    pub null_counts: bool,
    /// How many further runs that fail alike are looked for, to be told with the one that is shown.
    pub others: usize,
    /// How many statements a procedure may have once loops and calls are followed: beyond that loops are
    /// followed less far, and calls not at all.
    pub size: usize,
    /// How many gates the formula may have before runs are not followed further.
    pub gates: usize,
    /// Whether it is also looked for what every run does.
    pub proofs: Proofs,
    /// Whether nothing is asked where runs go round a loop, or call, more often than is followed, because
    /// they will then be followed further.
    pub ends_first: bool,
    /// Whether no larger heaps are looked at once something is found.
    pub stops: bool,
    /// Whether it is also told what no run within the bounds reaches, where nothing is found.
    pub vacuity: bool,
    /// The rules under which nothing is reported, not even what fails in every execution.
    pub denied: BTreeSet<String>,
    /// How initial heaps are looked for.
    pub strategy: Strategy,
    /// If heaps with at most so many individuals of each sort have been looked at before, only the others
    /// count.
    pub beyond: Option<u32>,
}

/// Whether it is looked for what every run does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proofs {
    /// It is not asked.
    NotAsked,
    /// Bounded runs that end are looked for that leave nothing to be asked.
    Spared,
    /// Where there are none, all runs are described.
    Sought,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            unroll: 4,
            deepest: 0,
            inline: 3,
            scope: 3,
            scopes: Vec::new(),
            int_width: 8,
            sequence: 4,
            budget: 200_000,
            time: None,
            certify: false,
            trust_inputs: false,
            definite: false,
            null_counts: false,
            others: 0,
            proofs: Proofs::Sought,
            ends_first: false,
            stops: false,
            vacuity: false,
            denied: BTreeSet::new(),
            strategy: Strategy::default(),
            beyond: None,
            size: passes::Limits::default().size,
            gates: Scope::default().gates,
        }
    }
}

impl Limits {
    /// The same for procedures that are many and have no contracts: loops, which often go round a known
    /// number of times, are followed further, and each procedure costs less.
    #[must_use]
    pub fn unrolling(self) -> Limits {
        let deepest = self.unroll.saturating_mul(9);
        let (size, gates) = (MANY_STATEMENTS, MANY_GATES);
        Limits { deepest, budget: self.budget.div_ceil(10), size, gates, ..self }
    }

    /// The lesser bounds within which to look where these are too dear: one round of each loop and one call
    /// deep, then no call at all.
    pub(crate) fn lesser(&self) -> Limits {
        let (unroll, inline, size) = match self.unroll > 1 || self.inline > 1 {
            true => (self.unroll.min(1), self.inline.min(1), self.size / 4),
            false => (self.unroll, 0, self.size),
        };
        Limits { unroll, inline, size, ..self.clone() }
    }

    /// How far loops and calls are followed.
    pub(crate) fn depth(&self) -> passes::Limits {
        let Limits { unroll, inline, size, .. } = *self;
        let otherwise = match self.trust_inputs {
            // What a callee does is trusted as well, so that what is behind the call is looked at.
            true => passes::Otherwise::Anything,
            false => passes::Otherwise::Cut,
        };
        passes::Limits { unroll, inline, size, otherwise, ..passes::Limits::default() }
    }

    /// The same with no more than so many individuals of any sort.
    #[must_use]
    pub fn no_more_than(&self, individuals: u32) -> Limits {
        let scopes = self.scopes.iter();
        let scopes = scopes.map(|(sort, count)| (sort.clone(), *count.min(&individuals)));
        Limits { scope: self.scope.min(individuals), scopes: scopes.collect(), ..self.clone() }
    }

    /// The bounds as verdicts state them.
    pub fn bounds(&self) -> Bounds {
        let bounds = Bounds::new()
            .with("unroll", u64::from(self.unroll))
            .with("inline", u64::from(self.inline))
            .with("scope", u64::from(self.scope));
        let named = self.scopes.iter();
        let bounds = named.fold(bounds, |bounds, (sort, count)| {
            bounds.with(format!("scope of {sort}"), u64::from(*count))
        });
        bounds
            .with("int bits", u64::from(self.int_width))
            .with("sequence", u64::from(self.sequence))
    }

    /// The most individuals that a sort has.
    pub(crate) fn largest(&self) -> u32 {
        self.scopes.iter().map(|(_, count)| *count).chain([self.scope]).max().unwrap_or(0)
    }

    /// The same, with as many individuals as there have to be if a procedure speaks of them.
    fn peopled(&self, module: &Module, subject: &ir::Procedure) -> Limits {
        let mut limits = self.clone();
        for (sort, least) in spoken_of(module, subject) {
            let name = &module.sorts[sort.0 as usize];
            match limits.scopes.iter_mut().find(|(known, _)| known == name) {
                Some((_, count)) => *count = (*count).max(least),
                None if limits.scope < least => limits.scopes.push((name.clone(), least)),
                None => {}
            }
        }
        limits
    }

    /// The same, as a procedure needs them.
    pub(crate) fn suited(&self, program: &Program<'_>, procedure: ProcedureId) -> Limits {
        let subject = program.module.procedure(procedure);
        let limits = self.wide_enough(program.integer_bits.max(subject.exprs.integer_bits()));
        let trust_inputs = limits.trust_inputs && !is_checked(subject);
        Limits { trust_inputs, ..limits.peopled(program.module, subject) }
    }

    /// The same, with integers wide enough for constants of so many bits and what is near them.
    fn wide_enough(&self, bits: u64) -> Limits {
        let needed = u32::try_from(bits + 2).unwrap_or(u32::MAX).min(WIDEST);
        Limits { int_width: self.int_width.max(needed), ..self.clone() }
    }

    pub(crate) fn scope(&self, direction: Direction) -> Scope {
        let besides_null = |count: u32| count.saturating_sub(u32::from(self.null_counts));
        let named = self.scopes.iter().map(|(sort, count)| (sort.clone(), besides_null(*count)));
        Scope {
            direction,
            individuals: match direction {
                Direction::Under => besides_null(self.scope),
                // Enough to tell apart whatever a procedure of any size can mention.
                Direction::Over => 1 << 12,
            },
            named: match direction {
                Direction::Under => named.collect(),
                Direction::Over => Vec::new(),
            },
            int_width: self.int_width,
            sequence: self.sequence,
            roomy: self.trust_inputs,
            gates: self.gates,
            ..Scope::default()
        }
    }

    pub(crate) fn solver(&self) -> sat::Options {
        sat::Options { certify: self.certify, ..sat::Options::default() }
    }

    pub(crate) fn questions(&self) -> sat::Limits {
        let limits = sat::Limits::conflicts(self.budget);
        match self.time {
            Some(time) => limits.within(time),
            None => limits,
        }
    }
}

/// What is known of a procedure after it has been examined.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The findings, each confirmed.
    pub findings: Vec<Finding>,
    /// The verdict.
    pub procedure: Procedure,
    /// What it took.
    pub effort: Effort,
    /// Whether bounded runs that end leave nothing to be asked about all runs.
    pub is_clear: bool,
    /// Whether some run goes round a loop, or calls, more often than is followed.
    pub goes_on: bool,
    /// Whether some run comes to an end within the bounds.
    pub ends: bool,
}

/// What it took to examine a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// How many points of the source and sides of branches there are.
    pub points: usize,
    /// How many questions were asked.
    pub questions: u64,
    /// How many of them reached the solver.
    pub solved: u64,
}

/// A module, and what is found out about it once for all its procedures.
pub struct Program<'m> {
    pub(crate) module: &'m Module,
    pub(crate) effects: Effects,
    /// The bits of the greatest integer in axioms and definitions.
    integer_bits: u64,
    /// Where the lines of each file begin.
    lines: Vec<LineIndex<'m>>,
    /// How state is told.
    pub(crate) telling: Telling,
    /// Where what is known of initial heaps is kept.
    pub(crate) cache: Option<&'m dyn Cache>,
    /// The program that the module is part of.
    pub(crate) bodies: Option<&'m dyn Bodies>,
}

impl<'m> Program<'m> {
    /// Looks a valid module over.
    pub fn new(module: &'m Module, sources: &'m dyn Sources) -> Program<'m> {
        let ruled = || LineIndex::ruled(ir::RULED);
        let lines = module.files.iter().map(|file| sources.text(&file.path));
        let lines = lines.map(|text| text.map_or_else(ruled, LineIndex::new)).collect();
        let definitions =
            module.functions.iter().filter_map(|function| function.definition.as_ref());
        let integer_bits = definitions
            .map(|(exprs, _)| exprs)
            .chain(module.axioms.iter().chain(&module.invariants).map(|axiom| &axiom.exprs))
            .map(|exprs| exprs.integer_bits())
            .max()
            .unwrap_or(0);
        let effects = Effects::of(module);
        let telling = Telling::Plain;
        Program { module, effects, integer_bits, lines, telling, cache: None, bodies: None }
    }

    /// The same, as part of a program whose bodies judge what is found.
    #[must_use]
    pub fn within(self, bodies: Option<&'m dyn Bodies>) -> Program<'m> {
        Program { bodies, ..self }
    }

    /// The same, with state told in another way.
    #[must_use]
    pub fn told(self, telling: Telling) -> Program<'m> {
        Program { telling, ..self }
    }

    /// The same, with what is known of initial heaps kept somewhere.
    #[must_use]
    pub fn with_cache(self, cache: Option<&'m dyn Cache>) -> Program<'m> {
        Program { cache, ..self }
    }

    /// The place of a stretch of source text.
    pub(crate) fn place(&self, span: Span) -> Place {
        let number = span.file.0 as usize;
        let path = self.module.files.get(number).map_or("", |file| &file.path);
        match self.lines.get(number) {
            Some(lines) => Place::of_offsets(path, lines, span.start, span.end),
            None => Place::of_offsets(path, &LineIndex::new(""), span.start, span.end),
        }
    }
}

/// Examines one procedure.
///
/// # Errors
/// If the solver cannot be had as asked.
pub fn examine(
    program: &Program<'_>,
    procedure: ProcedureId,
    checkers: &[&dyn Checker],
    limits: &Limits,
) -> Result<Examined, sat::Error> {
    examine_before(program, procedure, checkers, limits, &mut |_| {})
}

/// Examines one procedure before an audience, which is shown each evaluation once all has been asked.
///
/// # Errors
/// If the solver cannot be had as asked.
pub fn examine_before(
    program: &Program<'_>,
    procedure: ProcedureId,
    checkers: &[&dyn Checker],
    limits: &Limits,
    audience: &mut dyn FnMut(&QuerySession<'_>),
) -> Result<Examined, sat::Error> {
    let module = program.module;
    let subject = module.procedure(procedure);
    let limits = &limits.suited(program, procedure);
    let name = subject.display.clone().unwrap_or_else(|| subject.name.clone());
    let told = |verdict, limits: &Limits| {
        Procedure::new(name.clone(), verdict, limits.bounds()).at(program.place(subject.span))
    };
    if subject.blocks.is_none() {
        let procedure = told(Verdict::Skipped(Reason::new(ReasonClass::NoBody)), limits);
        let (findings, effort) = (Vec::new(), Effort::default());
        return Ok(Examined {
            findings,
            procedure,
            effort,
            is_clear: true,
            goes_on: false,
            ends: true,
        });
    }

    if let Some(verdict) = program.unknown_start(procedure) {
        return Ok(Examined {
            findings: Vec::new(),
            procedure: told(verdict, limits),
            effort: Effort::default(),
            is_clear: true,
            goes_on: false,
            ends: true,
        });
    }

    let mut inquest = Analysis { program, procedure, checkers, known: Known::default() };
    let reached = inquest.hold(limits, audience)?;
    let manner = inquest.manner(&reached);
    let Known { findings, undecided, unsupported, unconfirmed, effort, is_clear, .. } =
        inquest.known;
    let Known { goes_on, cut, foreign, ends, missed, .. } = inquest.known;
    let verdict = if !findings.is_empty() {
        Verdict::Findings
    } else if let Some((class, why)) = undecided.first() {
        Verdict::Unknown(Reason::new(class.clone()).because(why.clone()))
    } else if let Some(why) = unsupported {
        Verdict::Unknown(Reason::new(ReasonClass::Unsupported).because(why))
    } else if unconfirmed > 0 {
        Verdict::Unknown(Reason::new(ReasonClass::NotConfirmed))
    } else {
        Verdict::NoneWithinBounds
    };
    let unreached = match verdict {
        Verdict::NoneWithinBounds => crate::vacuity::told(program, &missed),
        Verdict::Findings | Verdict::Unknown(_) | Verdict::Skipped(_) => Vec::new(),
    };
    let cut = cut.or(foreign);
    let procedure = Procedure { cut, manner, unreached, ..told(verdict, &reached) };
    Ok(Examined { findings, procedure, effort, is_clear, goes_on, ends })
}

/// How many individuals of each sort a procedure speaks of: constants, and what variables hold that are
/// constants of another kind ([`Module::least`]).
fn spoken_of(module: &Module, subject: &ir::Procedure) -> BTreeMap<SortId, u32> {
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

/// Whether a contract says which inputs count or what is owed.
pub fn is_checked(procedure: &ir::Procedure) -> bool {
    let contract = &procedure.contract;
    let ensures = contract.ensures.iter().map(|ensures| &ensures.clause);
    contract.requires.iter().chain(ensures).any(|clause| !clause.free)
}

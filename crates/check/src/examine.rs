//! The way of one procedure, top to bottom: prepare, evaluate, ask, replay, explain.

use bounds::Cache;
use encode::QuerySession;
use ir::{Module, ProcedureId, Span};
use passes::Effects;
use report::{Finding, LineIndex, Place, Procedure, Reason, ReasonClass, Sources, Verdict};

use crate::analysis::{Analysis, Known};
use crate::bodies::Bodies;
use crate::checkers::Checker;
use crate::options::CheckOptions;
use crate::telling::Telling;

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
    pub(crate) integer_bits: u64,
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
    options: &CheckOptions,
) -> Result<Examined, encode::SolverError> {
    examine_before(program, procedure, checkers, options, &mut |_| {})
}

/// Examines one procedure before an audience, which is shown each evaluation once all has been asked.
///
/// # Errors
/// If the solver cannot be had as asked.
pub fn examine_before(
    program: &Program<'_>,
    procedure: ProcedureId,
    checkers: &[&dyn Checker],
    options: &CheckOptions,
    audience: &mut dyn FnMut(&QuerySession<'_>),
) -> Result<Examined, encode::SolverError> {
    let module = program.module;
    let subject = module.procedure(procedure);
    let options = &options.for_procedure(program, procedure);
    let name = subject.display.clone().unwrap_or_else(|| subject.name.clone());
    let told = |verdict, options: &CheckOptions| {
        Procedure::new(name.clone(), verdict, options.bounds.stated())
            .at(program.place(subject.span))
    };
    if subject.blocks.is_none() {
        let procedure = told(Verdict::Skipped(Reason::new(ReasonClass::NoBody)), options);
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
            procedure: told(verdict, options),
            effort: Effort::default(),
            is_clear: true,
            goes_on: false,
            ends: true,
        });
    }

    let mut inquest = Analysis { program, procedure, checkers, known: Known::default() };
    let reached = inquest.hold(options, audience)?;
    let manner = inquest.manner(&reached);
    let Known { findings, undecided, unsupported, unconfirmed, effort, is_clear, .. } =
        inquest.known;
    let Known { goes_on, cut, external, ends, missed, .. } = inquest.known;
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
    let cut = cut.or(external);
    let procedure = Procedure { cut, manner, unreached, ..told(verdict, &reached) };
    Ok(Examined { findings, procedure, effort, is_clear, goes_on, ends })
}

/// Whether a contract says which inputs count or what is owed.
pub fn is_checked(procedure: &ir::Procedure) -> bool {
    let contract = &procedure.contract;
    let ensures = contract.ensures.iter().map(|ensures| &ensures.clause);
    contract.requires.iter().chain(ensures).any(|clause| !clause.free)
}

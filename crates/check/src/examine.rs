//! Checking one procedure within fixed bounds: prepare, evaluate, ask, replay, explain.

use bounds::Store;
use encode::QuerySession;
use ir::{Module, ProcedureId, Span};
use passes::Effects;
use report::{Finding, LineIndex, Place, Procedure, Reason, ReasonClass, Sources, Verdict};

use crate::analysis::{Analysis, Results};
use crate::bodies::Bodies;
use crate::checkers::Checker;
use crate::evidence::endless;
use crate::options::CheckOptions;
use crate::relevant::RelevantBounds;
use crate::telling::Telling;

/// The result of checking a procedure.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The findings, each confirmed.
    pub findings: Vec<Finding>,
    /// The verdict.
    pub procedure: Procedure,
    /// The effort it took.
    pub effort: Effort,
    /// Whether bounded executions leave nothing open about all executions.
    pub is_clear: bool,
    /// Whether the bounds cut some execution in a loop or at a call.
    pub is_cut: bool,
    /// Whether some execution ends within the bounds.
    pub ends: bool,
}

/// The effort of checking a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// The number of source points and branch edges.
    pub points: usize,
    /// The number of queries.
    pub queries: u64,
    /// The number of queries that reached the solver.
    pub solved: u64,
}

/// A module, with what all its procedures share.
pub struct Program<'m> {
    pub(crate) module: &'m Module,
    pub(crate) effects: Effects,
    /// The bounds that matter, by procedure.
    relevant: Vec<RelevantBounds>,
    /// Whether a loop may be infinite, by procedure.
    endless: Vec<bool>,
    /// The bits of the greatest integer in axioms and definitions.
    pub(crate) integer_bits: u64,
    /// The line starts of each file.
    lines: Vec<LineIndex<'m>>,
    /// How states are shown.
    pub(crate) telling: Telling,
    /// The cache of shapes and bounds of initial heaps.
    pub(crate) store: Option<&'m dyn Store>,
    /// The program that the module is part of.
    pub(crate) bodies: Option<&'m dyn Bodies>,
}

impl<'m> Program<'m> {
    /// Prepares a valid module.
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
        let relevant = RelevantBounds::of(module);
        let endless = endless(module);
        let telling = Telling::Plain;
        Program {
            module,
            effects,
            relevant,
            endless,
            integer_bits,
            lines,
            telling,
            store: None,
            bodies: None,
        }
    }

    /// The same, as part of a program whose bodies confirm findings.
    #[must_use]
    pub fn within(self, bodies: Option<&'m dyn Bodies>) -> Program<'m> {
        Program { bodies, ..self }
    }

    /// The same, with states shown in another way.
    #[must_use]
    pub fn told(self, telling: Telling) -> Program<'m> {
        Program { telling, ..self }
    }

    /// The same, with a cache of shapes and bounds of initial heaps.
    #[must_use]
    pub fn keeping(self, store: Option<&'m dyn Store>) -> Program<'m> {
        Program { store, ..self }
    }

    /// Whether a procedure, or one that it calls, has a loop whose exit condition nothing in the loop changes.
    pub(crate) fn may_be_endless(&self, procedure: ProcedureId) -> bool {
        self.endless[procedure.0 as usize]
    }

    /// The bounds that matter for a procedure.
    pub(crate) fn relevant(&self, procedure: ProcedureId) -> RelevantBounds {
        self.relevant[procedure.0 as usize]
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

/// Checks one procedure within fixed bounds.
///
/// # Errors
/// If the solver cannot be started.
pub fn examine(
    program: &Program<'_>,
    procedure: ProcedureId,
    checkers: &[&dyn Checker],
    options: &CheckOptions,
) -> Result<Examined, encode::SolverError> {
    examine_observed(program, procedure, checkers, options, &mut |_| {})
}

/// Checks one procedure within fixed bounds. The observer sees each evaluation after its queries.
///
/// # Errors
/// If the solver cannot be started.
pub(crate) fn examine_observed(
    program: &Program<'_>,
    procedure: ProcedureId,
    checkers: &[&dyn Checker],
    options: &CheckOptions,
    observer: &mut dyn FnMut(&QuerySession<'_>),
) -> Result<Examined, encode::SolverError> {
    let module = program.module;
    let subject = module.procedure(procedure);
    let options = &options.for_procedure(program, procedure);
    let name = subject.display.clone().unwrap_or_else(|| subject.name.clone());
    let with = |verdict, options: &CheckOptions| {
        Procedure::new(name.clone(), verdict, options.bounds.stated())
            .at(program.place(subject.span))
    };
    let unexamined = match &subject.blocks {
        None => Some(Verdict::Skipped(Reason::new(ReasonClass::NoBody))),
        Some(_) => program.unknown_start(procedure),
    };
    if let Some(verdict) = unexamined {
        return Ok(Examined {
            findings: Vec::new(),
            procedure: with(verdict, options),
            effort: Effort::default(),
            is_clear: true,
            is_cut: false,
            ends: true,
        });
    }

    let mut analysis = Analysis { program, procedure, checkers, results: Results::default() };
    let reached = analysis.run(options, observer)?;
    let manner = analysis.manner(&reached);
    let Results { findings, undecided, unsupported, unconfirmed, effort, is_clear, .. } =
        analysis.results;
    let Results { is_cut, cut, limit, external, ends, missed, .. } = analysis.results;
    let verdict = if !findings.is_empty() {
        Verdict::Findings
    } else if let Some(reason) = undecided.into_iter().next() {
        Verdict::Unknown(reason)
    } else if let Some(why) = unsupported {
        Verdict::Unknown(Reason::new(ReasonClass::Unsupported).because(why))
    } else if unconfirmed > 0 {
        Verdict::Unknown(Reason::new(ReasonClass::NotConfirmed))
    } else {
        Verdict::NoneWithinBounds
    };
    let unreached = match verdict {
        Verdict::NoneWithinBounds => crate::vacuity::described(program, &missed),
        Verdict::Findings | Verdict::Unknown(_) | Verdict::Skipped(_) => Vec::new(),
    };
    let cut = cut.or(external);
    let procedure = Procedure { cut, limit, manner, unreached, ..with(verdict, &reached) };
    Ok(Examined { findings, procedure, effort, is_clear, is_cut, ends })
}

/// Whether a contract restricts the inputs or states an obligation.
pub fn is_checked(procedure: &ir::Procedure) -> bool {
    let contract = &procedure.contract;
    let ensures = contract.ensures.iter().map(|ensures| &ensures.clause);
    contract.requires.iter().chain(ensures).any(|clause| !clause.free)
}

//! Contracts, blocks and statements.

use rustc_hash::FxHashMap;

use super::NamedType;
use super::expression::Expressions;
use crate::address::ADDRESS_BITS;
use crate::module::ProcedureId;
use crate::procedure::{Block, BlockId, Clause, Contract, ExitClause, LoopFacts, Mode};
use crate::span::{Origin, PointId, Span};
use crate::statement::{
    Allocation, Callee, CutReason, Exit, Place, Statement, StatementKind, Terminator,
    TerminatorKind,
};
use crate::text::diagnostics::TextRange;
use crate::text::syntax::{
    Annotation, BlockSyntax, BodySyntax, CallSyntax, CalleeSyntax, ClauseSyntax, ContractSyntax,
    ExprSyntax, FactsSyntax, Name, StatementKindSyntax, StatementSyntax, TerminatorKindSyntax,
};
use crate::types::Type;

/// The description of text with syntax errors.
const UNREADABLE: &str = "text that could not be read";

type Labels<'a> = FxHashMap<&'a str, BlockId>;

impl<'a, 's> Expressions<'_, 'a, 's, '_> {
    pub(super) fn contract(&mut self, syntax: &ContractSyntax) -> Contract {
        let requires = self.clauses(&syntax.requires);
        let mut ensures = Vec::new();
        for (exceptional, invariant, clause) in &syntax.ensures {
            let (exceptional, invariant) = (*exceptional, *invariant);
            let clause = self.clause(clause);
            ensures.extend(clause.map(|clause| ExitClause { exceptional, invariant, clause }));
        }
        let mut modifies = None;
        if let Some(places) = &syntax.modifies {
            let places = places.iter().filter_map(|place| Some(self.place(*place)?.0));
            modifies = Some(places.collect());
        }
        let decreases = syntax.decreases.and_then(|measure| self.value(measure, &Type::Int));
        let (external, left_out) = (syntax.external, Vec::new());
        Contract { requires, ensures, modifies, decreases, external, missing_clauses: left_out }
    }

    fn clauses(&mut self, clauses: &[ClauseSyntax]) -> Vec<Clause> {
        clauses.iter().filter_map(|clause| self.clause(clause)).collect()
    }

    fn clause(&mut self, syntax: &ClauseSyntax) -> Option<Clause> {
        let condition = self.value(syntax.condition, &Type::Bool)?;
        let span = self.resolver.span(syntax.annotation, syntax.at);
        Some(Clause { condition, free: syntax.free, message: syntax.message.clone(), span })
    }

    /// The blocks of a body, and the number of its points.
    pub(super) fn body(&mut self, syntax: &'a BodySyntax<'s>, points: u32) -> (Vec<Block>, u32) {
        let mut labels = Labels::default();
        for (index, block) in syntax.blocks.iter().enumerate() {
            if labels.insert(&block.label.text, BlockId(index as u32)).is_some() {
                self.resolver.twice(&block.label);
            }
        }
        let mut points = Points { next: points };
        let mut blocks: Vec<Block> = Vec::with_capacity(syntax.blocks.len());
        for block in &syntax.blocks {
            blocks.push(self.block(block, &labels, &mut points));
        }
        (blocks, points.next)
    }

    fn block(
        &mut self,
        syntax: &'a BlockSyntax<'s>,
        labels: &Labels<'a>,
        points: &mut Points,
    ) -> Block {
        let facts = syntax.facts.as_ref().map(|facts| self.facts(facts));
        let mut statements = Vec::with_capacity(syntax.statements.len());
        for statement in &syntax.statements {
            let unreadable =
                || StatementKind::Unsupported { what: UNREADABLE.to_owned(), writes: Vec::new() };
            let kind = self.statement(statement).unwrap_or_else(unreadable);
            let (span, point, origin) =
                self.place_in_source(statement.annotation, statement.at, points);
            statements.push(Statement { kind, span, point, origin });
        }
        let (kind, annotation, at) = match &syntax.terminator {
            Some(terminator) => {
                (self.terminator(&terminator.kind, labels), terminator.annotation, terminator.at)
            }
            None => (None, Annotation::default(), syntax.label.at),
        };
        let unreadable =
            || TerminatorKind::Exit(Exit::Cut(CutReason::Unsupported(UNREADABLE.to_owned())));
        let kind = kind.unwrap_or_else(unreadable);
        let (span, point, origin) = self.place_in_source(annotation, at, points);
        let terminator = Terminator { kind, span, point, origin };
        Block { label: syntax.label.text.to_string(), statements, terminator, facts }
    }

    fn place_in_source(
        &mut self,
        annotation: Annotation,
        at: TextRange,
        points: &mut Points,
    ) -> (Span, PointId, Origin) {
        let span = self.resolver.span(annotation, at);
        let point = points.take(annotation.point);
        (span, point, annotation.origin.unwrap_or(Origin::Source))
    }

    fn facts(&mut self, syntax: &FactsSyntax) -> LoopFacts {
        let invariants = self.clauses(&syntax.invariants);
        let decreases = syntax.decreases.and_then(|measure| self.value(measure, &Type::Int));
        LoopFacts { invariants, decreases }
    }

    fn statement(&mut self, syntax: &'a StatementSyntax<'s>) -> Option<StatementKind> {
        Some(match &syntax.kind {
            StatementKindSyntax::Assign(places, values) => {
                let places: Vec<_> = places.iter().map(|place| self.place(*place)).collect();
                let mut assigned = Vec::with_capacity(places.len());
                for (place, value) in places.into_iter().zip(values) {
                    assigned.push(match place {
                        Some((place, ty)) => self.value(*value, &ty).map(|value| (place, value)),
                        None => {
                            self.run(value.first, value.root + 1);
                            None
                        }
                    });
                }
                StatementKind::Assign(assigned.into_iter().collect::<Option<_>>()?)
            }
            StatementKindSyntax::Havoc(place, condition, reason) => {
                let place = self.place(*place);
                let condition = match condition {
                    Some(condition) => Some(self.value(*condition, &Type::Bool)?),
                    None => None,
                };
                StatementKind::Havoc { place: place?.0, condition, reason: *reason }
            }
            StatementKindSyntax::Assume(condition, reason) => {
                let condition = self.value(*condition, &Type::Bool)?;
                StatementKind::Assume { condition, reason: *reason }
            }
            StatementKindSyntax::Assert(condition, kind, message) => {
                let condition = self.value(*condition, &Type::Bool)?;
                StatementKind::Assert { condition, kind: *kind, message: message.clone() }
            }
            StatementKindSyntax::New(place, sort) => {
                let Some(NamedType::Sort(id)) = self.resolver.types.get(&*sort.text).copied()
                else {
                    self.resolver.unknown("sort", sort);
                    return None;
                };
                let place = self.place_of(*place, &Type::Sort(id))?;
                StatementKind::Allocate { place, allocation: Allocation::Atom(id) }
            }
            StatementKindSyntax::Allocate(place, size, storage, may_fail) => {
                let place = self.place_of(*place, &Type::Ptr);
                let size = self.value(*size, &Type::Bv(ADDRESS_BITS))?;
                let allocation =
                    Allocation::Object { size, storage: *storage, may_fail: *may_fail };
                StatementKind::Allocate { place: place?, allocation }
            }
            StatementKindSyntax::Free(pointer) => {
                StatementKind::Free(self.value(*pointer, &Type::Ptr)?)
            }
            StatementKindSyntax::Call(call) => self.call_statement(call, syntax.at)?,
            StatementKindSyntax::Unsupported(what, writes) => {
                let writes = self.places(writes)?.into_iter().map(|(place, _)| place).collect();
                StatementKind::Unsupported { what: what.clone(), writes }
            }
            StatementKindSyntax::Broken => return None,
        })
    }

    fn call_statement(&mut self, call: &'a CallSyntax<'s>, at: TextRange) -> Option<StatementKind> {
        let results = self.places(&call.results);
        let (callee, procedure) = match &call.callee {
            CalleeSyntax::Procedure(name) => {
                let id = self.procedure_named(name);
                (id.map(Callee::Procedure), id)
            }
            CalleeSyntax::Choice(chosen_by, table) => self.choice(*chosen_by, table, at),
        };
        let signature = procedure.map(|id| self.signature(id));
        let arguments = match &signature {
            Some((parameters, _)) if parameters.len() == call.arguments.len() => {
                let pairs = call.arguments.iter().zip(parameters);
                let values: Vec<_> = pairs.map(|(value, ty)| self.value(*value, ty)).collect();
                values.into_iter().collect::<Option<Vec<_>>>()
            }
            Some((parameters, _)) => {
                let (takes, given) = (parameters.len(), call.arguments.len());
                self.fault(at, format!("the procedure takes {takes} arguments, not {given}"));
                None
            }
            None => None,
        };
        let caught = match &call.caught {
            Some((thrown, value)) => {
                let thrown = self.place_of(*thrown, &Type::Bool);
                let value = match value {
                    Some(value) => Some(self.place(*value)?.0),
                    None => None,
                };
                Some((thrown?, value))
            }
            None => None,
        };
        let (results, (_, types)) = (results?, signature?);
        if results.len() != types.len() {
            let message = format!("the procedure returns {} results", types.len());
            self.fault(at, format!("{message}, not {}", results.len()));
            return None;
        }
        for ((syntax, (_, found)), expected) in call.results.iter().zip(&results).zip(&types) {
            self.fits(syntax.root, found, expected)?;
        }
        let results: Vec<Place> = results.into_iter().map(|(place, _)| place).collect();
        Some(StatementKind::Call { results, callee: callee?, arguments: arguments?, caught })
    }

    fn procedure_named(&mut self, name: &Name<'_>) -> Option<ProcedureId> {
        let id = self.resolver.procedures.get(&*name.text).copied();
        if id.is_none() {
            self.resolver.unknown("procedure", name);
        }
        id
    }

    /// An indirect call, and a procedure that has the signature of all candidates.
    fn choice(
        &mut self,
        chosen_by: ExprSyntax,
        table: &'a [(ExprSyntax, Name<'s>)],
        at: TextRange,
    ) -> (Option<Callee>, Option<ProcedureId>) {
        let chosen_by = self.any(chosen_by);
        let ty = chosen_by.map(|id| self.exprs.ty(id).clone());
        let mut entries = Vec::new();
        for (value, name) in table {
            let value = match &ty {
                Some(ty) => self.value(*value, ty),
                None => None,
            };
            entries.push((value, self.procedure_named(name)));
        }
        let Some(first) = entries.first() else {
            self.fault(at, "an indirect call names at least one procedure");
            return (None, None);
        };
        let procedure = first.1;
        let entries = entries.into_iter().map(|(value, procedure)| Some((value?, procedure?)));
        let entries: Option<Vec<_>> = entries.collect();
        let callee = chosen_by.zip(entries).map(|(by, entries)| Callee::Choice(by, entries));
        (callee, procedure)
    }

    /// The types of parameters and results.
    fn signature(&self, id: ProcedureId) -> (Vec<Type>, Vec<Type>) {
        let procedure = self.resolver.module.procedure(id);
        let types = |mode| {
            procedure.locals_with(mode).map(|local| procedure.local(local).ty.clone()).collect()
        };
        (types(Mode::Parameter), types(Mode::Result))
    }

    fn terminator(
        &mut self,
        syntax: &TerminatorKindSyntax<'s>,
        labels: &Labels<'a>,
    ) -> Option<TerminatorKind> {
        let exit = match syntax {
            TerminatorKindSyntax::Goto(targets) => {
                let targets: Vec<_> =
                    targets.iter().map(|target| self.target(target, labels)).collect();
                return Some(TerminatorKind::Goto(targets.into_iter().collect::<Option<_>>()?));
            }
            TerminatorKindSyntax::Branch(condition, yes, no) => {
                let condition = self.value(*condition, &Type::Bool);
                let (yes, no) = (self.target(yes, labels), self.target(no, labels));
                return Some(TerminatorKind::Branch(condition?, yes?, no?));
            }
            TerminatorKindSyntax::Exit => Exit::Normal,
            TerminatorKindSyntax::Exceptional(None) => Exit::Exceptional(None),
            TerminatorKindSyntax::Exceptional(Some(value)) => {
                Exit::Exceptional(Some(self.any(*value)?))
            }
            TerminatorKindSyntax::Intended(reason) => Exit::Intended(reason.clone()),
            TerminatorKindSyntax::CutUnrolling(times) => Exit::Cut(CutReason::Unrolling(*times)),
            TerminatorKindSyntax::CutInlining(depth) => Exit::Cut(CutReason::Inlining(*depth)),
            TerminatorKindSyntax::CutUnsupported(what) => {
                Exit::Cut(CutReason::Unsupported(what.clone()))
            }
        };
        Some(TerminatorKind::Exit(exit))
    }

    fn target(&mut self, name: &Name<'_>, labels: &Labels<'a>) -> Option<BlockId> {
        let target = labels.get(&*name.text).copied();
        if target.is_none() {
            self.resolver.unknown("block", name);
        }
        target
    }
}

/// Gives out points: those that are annotated, else fresh ones.
struct Points {
    next: u32,
}

impl Points {
    fn take(&mut self, annotated: Option<PointId>) -> PointId {
        match annotated {
            Some(point) => {
                self.next = self.next.max(point.0.saturating_add(1));
                point
            }
            None => {
                self.next = self.next.saturating_add(1);
                PointId(self.next - 1)
            }
        }
    }
}

//! Procedures: variables, contracts, blocks.

use super::arena::{Arena, Traits};
use super::{Rule, Validator};
use crate::procedure::{BlockId, Clause, Mode, Procedure};
use crate::span::{Origin, PointId};
use crate::statement::TerminatorKind;
use crate::types::Type;
use crate::visit;

pub(super) fn check(validator: &mut Validator<'_>, procedure: &Procedure) {
    validator.enter(procedure.span);
    validator.distinct("variables", procedure.locals.iter().map(|local| &*local.name));
    let rank = |mode| match mode {
        Mode::Parameter => 0,
        Mode::Result => 1,
        Mode::Local | Mode::Ghost => 2,
    };
    let sorted = procedure.locals.is_sorted_by_key(|local| rank(local.mode));
    let message = || "parameters come first, then results, then other variables".to_owned();
    validator.require(sorted, Rule::Variables, message);
    let has_others = procedure.locals.iter().any(|local| rank(local.mode) == 2);
    let needs_body = procedure.blocks.is_none() && has_others;
    validator.require(!needs_body, Rule::Variables, || {
        "a procedure without a body has parameters and results only".to_owned()
    });
    let roots = visit::roots(procedure);
    let checked = Arena::check(validator, &procedure.exprs, &procedure.locals, &roots, 0);
    let Some(arena) = checked else { return };
    check_contract(validator, procedure, &arena);
    check_blocks(validator, procedure, &arena);
    validator.span = None;
}

fn check_contract(validator: &mut Validator<'_>, procedure: &Procedure, arena: &Arena<'_>) {
    let contract = &procedure.contract;
    let at_entry = Traits::GLOBAL | Traits::GHOST | Traits::PARAMETER | Traits::SPECIFICATION;
    for clause in &contract.requires {
        validator.clause(clause, arena, at_entry, "a precondition");
    }
    for ensures in &contract.ensures {
        let results = if ensures.exceptional { Traits::default() } else { Traits::RESULT };
        let at_exit = at_entry | Traits::OLD | results;
        validator.clause(&ensures.clause, arena, at_exit, "a postcondition");
    }
    validator.span = Some(procedure.span);
    for place in contract.modifies.iter().flatten() {
        let is_global = matches!(place.variable, crate::Variable::Global(_));
        validator
            .require(is_global, Rule::Places, || "`modifies` lists places of globals".to_owned());
        validator.place(procedure, arena, place, at_entry);
    }
    if let Some(measure) = contract.decreases {
        validator.root(arena, measure, Some(&Type::Int), at_entry, "a measure");
    }
}

fn check_blocks(validator: &mut Validator<'_>, procedure: &Procedure, arena: &Arena<'_>) {
    let Some(blocks) = &procedure.blocks else { return };
    validator.require(!blocks.is_empty(), Rule::Blocks, || "a body has a block".to_owned());
    validator.distinct("blocks", blocks.iter().map(|block| &*block.label));
    for block in blocks {
        if let Some(facts) = &block.facts {
            for clause in &facts.invariants {
                validator.clause(clause, arena, Traits::ANY, "a loop invariant");
            }
            if let Some(measure) = facts.decreases {
                validator.root(arena, measure, Some(&Type::Int), Traits::ANY, "a measure");
            }
        }
        for statement in &block.statements {
            validator.enter(statement.span);
            check_source(validator, procedure, statement.point, statement.origin);
            validator.statement(procedure, arena, &statement.kind);
        }
        let terminator = &block.terminator;
        validator.enter(terminator.span);
        check_source(validator, procedure, terminator.point, terminator.origin);
        match &terminator.kind {
            TerminatorKind::Goto(targets) => {
                let leads = !targets.is_empty();
                validator.require(leads, Rule::Blocks, || "a goto leads nowhere".to_owned());
                check_targets(validator, targets, blocks.len());
            }
            TerminatorKind::Branch(condition, yes, no) => {
                let what = "the condition of a branch";
                validator.root(arena, *condition, Some(&Type::Bool), Traits::CODE, what);
                check_targets(validator, &[*yes, *no], blocks.len());
            }
            TerminatorKind::Exit(exit) => validator.exit(arena, exit),
        }
    }
}

fn check_targets(validator: &mut Validator<'_>, targets: &[BlockId], count: usize) {
    for target in targets {
        let exists = (target.0 as usize) < count;
        validator.require(exists, Rule::Blocks, || format!("there is no block {}", target.0));
        validator.require(target.0 > 0, Rule::Blocks, || {
            "nothing leads back to the first block".to_owned()
        });
    }
}

fn check_source(
    validator: &mut Validator<'_>,
    procedure: &Procedure,
    point: PointId,
    origin: Origin,
) {
    let inlined_at = match origin {
        Origin::Inlined(point) => Some(point),
        Origin::Macro(span) => {
            validator.check_span(span);
            None
        }
        Origin::Source | Origin::Synthetic => None,
    };
    for point in [Some(point), inlined_at].into_iter().flatten() {
        validator.require(point.0 < procedure.points, Rule::Sources, || {
            format!("there is no point {} in {}", point.0, procedure.name)
        });
    }
}

impl Validator<'_> {
    fn clause(&mut self, clause: &Clause, arena: &Arena<'_>, allowed: Traits, what: &str) {
        self.enter(clause.span);
        self.root(arena, clause.condition, Some(&Type::Bool), allowed, what);
    }
}

//! Bodies: blocks and statements.

use super::access::{access, room};
use super::expression::{Builder, Reads};
use super::procedure::clause;
use crate::address::ADDRESS_BITS;
use crate::assert_kind::AssertKind;
use crate::expr::{Expr, ExprId};
use crate::module::{GlobalId, ProcedureId, SortId};
use crate::procedure::{Block, BlockId, LocalId, LoopFacts, Mode};
use crate::span::{Origin, PointId};
use crate::statement::{
    Allocation, AssumeReason, Callee, CutReason, Exit, HavocReason, Place, Projection, Statement,
    StatementKind, Storage, Terminator, TerminatorKind, Variable,
};
use crate::types::Type;

/// The blocks of a body and the number of its points. Without loops a procedure calls only later
/// ones, so that runs end.
pub(super) fn body(builder: &mut Builder<'_, '_, '_>, own: u32) -> (Option<Vec<Block>>, u32) {
    let shape = builder.generator.shape;
    let count = builder.generator.rng.usize(1..=shape.blocks);
    let mut points = 0;
    let mut blocks = Vec::new();
    for index in 0..count {
        let mut facts = None;
        if shape.loops && index > 0 && builder.generator.rng.u8(..) < 60 {
            facts = Some(loop_facts(builder));
        }
        let mut kinds = Vec::new();
        if index == 0 && shape.initialised {
            kinds.extend(initialisation(builder));
        }
        for _ in 0..builder.generator.rng.usize(0..=shape.statements) {
            if shape.guarded && builder.generator.rng.u8(..) < 100 {
                kinds.extend(access(builder));
            } else {
                kinds.push(statement(builder, own));
            }
        }
        let mut statements = Vec::new();
        for kind in kinds {
            let (point, origin) = source(builder, &mut points);
            statements.push(Statement { kind, span: builder.generator.span(), point, origin });
        }
        let kind = terminator(builder, index, count);
        let (point, origin) = source(builder, &mut points);
        let terminator = Terminator { kind, span: builder.generator.span(), point, origin };
        let label = match index {
            0 => "entry".to_owned(),
            _ => builder.generator.name("b", index as u32),
        };
        blocks.push(Block { label, statements, terminator, facts });
    }
    (Some(blocks), points + u32::from(shape.strange))
}

fn source(builder: &mut Builder<'_, '_, '_>, points: &mut u32) -> (PointId, Origin) {
    let generator = &mut *builder.generator;
    if generator.shape.strange && *points > 0 && generator.rng.u8(..) < 60 {
        let point = PointId(generator.rng.u32(..*points));
        let origin = match generator.rng.u8(..3) {
            0 => Origin::Synthetic,
            1 => Origin::Inlined(PointId(generator.rng.u32(..*points))),
            _ => Origin::Macro(generator.span()),
        };
        return (point, origin);
    }
    *points += 1;
    (PointId(*points - 1), Origin::Source)
}

fn loop_facts(builder: &mut Builder<'_, '_, '_>) -> LoopFacts {
    let mut facts = LoopFacts::default();
    if builder.generator.shape.specifications {
        let reads = anything(builder);
        for _ in 0..builder.generator.rng.usize(0..=2) {
            facts.invariants.push(clause(builder, reads));
        }
        if builder.generator.shape.integers && builder.generator.rng.bool() {
            builder.reads = reads;
            facts.decreases = Some(builder.expr(&Type::Int));
        }
    }
    facts
}

/// Each variable but the parameters gets a constant.
fn initialisation(builder: &mut Builder<'_, '_, '_>) -> Vec<StatementKind> {
    let mut kinds = Vec::new();
    for (index, local) in builder.locals.iter().enumerate() {
        if local.mode != Mode::Parameter && local.ty != Type::Bytes {
            let variable = Variable::Local(LocalId(index as u32));
            let value = builder.constant(&local.ty);
            kinds.push(StatementKind::Assign(vec![(Place { variable, path: Vec::new() }, value)]));
        }
    }
    kinds
}

/// What may stand in an assertion.
fn anything(builder: &Builder<'_, '_, '_>) -> Reads {
    let specifications = builder.generator.shape.specifications;
    let reads = Reads { ghosts: true, old: specifications, ..Reads::CODE };
    builder.generator.specification(reads)
}

fn statement(builder: &mut Builder<'_, '_, '_>, own: u32) -> StatementKind {
    let shape = builder.generator.shape;
    match builder.generator.rng.u8(..16) {
        0 | 1 => condition(builder, true),
        2 => condition(builder, false),
        3 if shape.choices => havoc(builder),
        4 | 5 if shape.memory || shape.sorts => {
            allocation(builder).unwrap_or_else(|| assignment(builder))
        }
        6 if shape.memory => {
            builder.reads = Reads::CODE;
            StatementKind::Free(builder.expr(&Type::Ptr))
        }
        7 | 8 if shape.calls => call(builder, own).unwrap_or_else(|| assignment(builder)),
        9 if shape.cuts => {
            let writes = (0..builder.generator.rng.usize(0..=2))
                .filter_map(|_| target(builder, None))
                .map(|(place, _)| place)
                .collect();
            StatementKind::Unsupported { what: "inline \"assembly\"".to_owned(), writes }
        }
        _ => assignment(builder),
    }
}

fn condition(builder: &mut Builder<'_, '_, '_>, asserted: bool) -> StatementKind {
    builder.reads = anything(builder);
    let condition = builder.expr(&Type::Bool);
    let generator = &mut *builder.generator;
    if asserted {
        let kind = AssertKind::ALL[generator.rng.usize(..AssertKind::ALL.len())];
        let kind = if generator.rng.bool() { AssertKind::Assertion } else { kind };
        return StatementKind::Assert { condition, kind, message: generator.message() };
    }
    let reason = AssumeReason::ALL[generator.rng.usize(..AssumeReason::ALL.len())];
    StatementKind::Assume { condition, reason }
}

fn havoc(builder: &mut Builder<'_, '_, '_>) -> StatementKind {
    let Some((place, _)) = target(builder, None) else { return assignment(builder) };
    let reason = HavocReason::ALL[builder.generator.rng.usize(..HavocReason::ALL.len())];
    let mut condition = None;
    if builder.generator.rng.bool() {
        builder.reads = Reads { ghosts: is_ghost(builder, place.variable), ..anything(builder) };
        condition = Some(builder.expr(&Type::Bool));
    }
    StatementKind::Havoc { place, condition, reason }
}

fn allocation(builder: &mut Builder<'_, '_, '_>) -> Option<StatementKind> {
    let shape = builder.generator.shape;
    if shape.sorts && (!shape.memory || builder.generator.rng.bool()) {
        let sort = SortId(builder.generator.rng.u32(..2));
        let (place, _) = target(builder, Some(&Type::Sort(sort)))?;
        return Some(StatementKind::Allocate { place, allocation: Allocation::Atom(sort) });
    }
    let (place, _) = target(builder, Some(&Type::Ptr))?;
    builder.reads = Reads::CODE;
    let size = match shape.guarded {
        true => room(builder),
        false => builder.expr(&Type::Bv(ADDRESS_BITS)),
    };
    let storage = Storage::ALL[builder.generator.rng.usize(..4)];
    let may_fail = builder.generator.rng.bool();
    let allocation = Allocation::Object { size, storage, may_fail };
    Some(StatementKind::Allocate { place, allocation })
}

fn call(builder: &mut Builder<'_, '_, '_>, own: u32) -> Option<StatementKind> {
    let first = if builder.generator.shape.loops { 0 } else { own + 1 };
    let candidates: Vec<u32> = (first..builder.generator.module.procedures.len() as u32).collect();
    let id = builder.generator.rng.choice(candidates.clone())?;
    let types = |builder: &Builder<'_, '_, '_>, id: u32, mode: Mode| -> Vec<Type> {
        let procedure = builder.generator.module.procedure(ProcedureId(id));
        procedure.locals_with(mode).map(|local| procedure.local(local).ty.clone()).collect()
    };
    let (parameters, returned) =
        (types(builder, id, Mode::Parameter), types(builder, id, Mode::Result));
    let mut results = Vec::new();
    for ty in &returned {
        results.push(target(builder, Some(ty))?.0);
    }
    builder.reads = Reads::CODE;
    let arguments: Vec<ExprId> = parameters.iter().map(|ty| builder.expr(ty)).collect();
    let alike = candidates.into_iter().filter(|other| {
        types(builder, *other, Mode::Parameter) == parameters
            && types(builder, *other, Mode::Result) == returned
    });
    let alike: Vec<u32> = alike.collect();
    let mut callee = Callee::Procedure(ProcedureId(id));
    let shape = builder.generator.shape;
    let by = match shape.integers {
        true => Some(Type::Int),
        // Of few procedures every one has a number at the smallest width but one.
        false => shape.widths.iter().find(|width| **width > 1).map(|width| Type::Bv(*width)),
    };
    if let Some(by) = by.filter(|_| builder.generator.rng.bool()) {
        let chosen_by = builder.expr(&by);
        let mut table = Vec::new();
        for (index, id) in alike.iter().enumerate().take(4) {
            let value = match by {
                Type::Bv(width) => Expr::Bv(width, index.into()),
                _ => Expr::Int(index.into()),
            };
            let value = builder.exprs.push(value, by.clone());
            table.push((value, ProcedureId(*id)));
        }
        callee = Callee::Choice(chosen_by, table);
    }
    let mut caught = None;
    if let Some(exception) = builder.generator.exception.clone()
        && builder.generator.rng.bool()
    {
        let thrown = target(builder, Some(&Type::Bool))?.0;
        let value =
            if builder.generator.rng.bool() { target(builder, Some(&exception)) } else { None };
        caught = Some((thrown, value.map(|(place, _)| place)));
    }
    Some(StatementKind::Call { results, callee, arguments, caught })
}

fn assignment(builder: &mut Builder<'_, '_, '_>) -> StatementKind {
    let mut pairs = Vec::new();
    for _ in 0..builder.generator.rng.usize(1..=2) {
        let Some((place, ty)) = target(builder, None) else { continue };
        builder.reads =
            if is_ghost(builder, place.variable) { anything(builder) } else { Reads::CODE };
        let value = builder.expr(&ty);
        pairs.push((place, value));
    }
    if pairs.is_empty() {
        return condition(builder, true);
    }
    StatementKind::Assign(pairs)
}

fn is_ghost(builder: &Builder<'_, '_, '_>, variable: Variable) -> bool {
    match variable {
        Variable::Global(id) => builder.generator.module.global(id).ghost,
        Variable::Local(id) => builder.locals[id.0 as usize].mode == Mode::Ghost,
    }
}

/// A place to be written, of a given type if there is any such.
pub(super) fn target(
    builder: &mut Builder<'_, '_, '_>,
    ty: Option<&Type>,
) -> Option<(Place, Type)> {
    let globals = builder.generator.module.globals.len() as u32;
    let globals = (0..globals).map(|id| Variable::Global(GlobalId(id)));
    let locals = (0..builder.locals.len() as u32).map(|id| Variable::Local(LocalId(id)));
    let mut variables: Vec<Variable> = globals.chain(locals).collect();
    builder.generator.rng.shuffle(&mut variables);
    for variable in variables {
        let whole = match variable {
            Variable::Global(id) => builder.generator.module.global(id).ty.clone(),
            Variable::Local(id) => builder.locals[id.0 as usize].ty.clone(),
        };
        if ty.is_some_and(|ty| whole == *ty) {
            return Some((Place { variable, path: Vec::new() }, whole));
        }
        if whole == Type::Bytes && builder.generator.shape.guarded {
            continue;
        }
        let ghost = is_ghost(builder, variable);
        builder.reads = if ghost { anything(builder) } else { Reads::CODE };
        let (place, found) = place(builder, variable);
        if ty.is_none_or(|ty| found == *ty) {
            return Some((place, found));
        }
    }
    None
}

/// A place of a variable, and its type.
pub(super) fn place(builder: &mut Builder<'_, '_, '_>, variable: Variable) -> (Place, Type) {
    let mut ty = match variable {
        Variable::Global(id) => builder.generator.module.global(id).ty.clone(),
        Variable::Local(id) => builder.locals[id.0 as usize].ty.clone(),
    };
    let mut path = Vec::new();
    while builder.generator.rng.u8(..) < 180 {
        let (projection, next) = match &ty {
            Type::Map(keys, value) => {
                let keys = keys.iter().map(|key| builder.expr(key)).collect();
                (Projection::Index(keys), (**value).clone())
            }
            Type::Record(id) => {
                let fields = &builder.generator.module.records[id.0 as usize].fields;
                let index = builder.generator.rng.usize(..fields.len());
                (Projection::Field(*id, index as u32), fields[index].1.clone())
            }
            Type::Bytes => {
                let pointer = builder.expr(&Type::Ptr);
                let viewed = [Type::Bv(8), Type::Bv(32), Type::Ptr];
                let viewed = viewed[builder.generator.rng.usize(..3)].clone();
                let volatile = builder.generator.shape.strange && builder.generator.rng.bool();
                (Projection::View { pointer, ty: viewed.clone(), volatile }, viewed)
            }
            Type::Bool
            | Type::Bv(_)
            | Type::Int
            | Type::Sort(_)
            | Type::Ptr
            | Type::Seq(_)
            | Type::Variant(_) => break,
        };
        path.push(projection);
        ty = next;
    }
    (Place { variable, path }, ty)
}

fn terminator(builder: &mut Builder<'_, '_, '_>, index: usize, count: usize) -> TerminatorKind {
    let shape = builder.generator.shape;
    let first = if shape.loops { 1 } else { index + 1 };
    let targets: Vec<BlockId> = (first..count).map(|index| BlockId(index as u32)).collect();
    builder.reads = Reads::CODE;
    let leads_on = index + 1 < count || builder.generator.rng.u8(..) < 60;
    if leads_on && !targets.is_empty() {
        let mut pick = || targets[builder.generator.rng.usize(..targets.len())];
        let (a, b) = (pick(), pick());
        if builder.generator.rng.u8(..) < 150 {
            return TerminatorKind::Branch(builder.expr(&Type::Bool), a, b);
        }
        let several = shape.choices && builder.generator.rng.bool();
        return TerminatorKind::Goto(if several { vec![a, b] } else { vec![a] });
    }
    TerminatorKind::Exit(match builder.generator.rng.u8(..8) {
        0 | 1 if shape.exceptions => {
            let exception = builder.generator.exception.clone();
            let exception = exception.filter(|_| builder.generator.rng.bool());
            Exit::Exceptional(exception.map(|ty| builder.expr(&ty)))
        }
        2 if shape.cuts => Exit::Intended("abort()".to_owned()),
        3 if shape.cuts => Exit::Cut(CutReason::Unrolling(3)),
        4 if shape.cuts => Exit::Cut(CutReason::Inlining(0)),
        5 if shape.cuts => Exit::Cut(CutReason::Unsupported("longjmp".to_owned())),
        _ => Exit::Normal,
    })
}

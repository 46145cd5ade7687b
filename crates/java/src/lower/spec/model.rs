//! Model fields: specification values that other fields determine.
//!
//! If a `represents` clause defines the value, the clause replaces the field. If it only restricts the
//! values, the field is an input with one of them, and at the end of the method another: so a method is
//! reported if some possible value violates its obligation.

use ir::{
    ClauseRole, Expr as Vir, ExprId, HavocReason, Op, Origin, Place, Quantifier, StatementKind,
    Type,
};

use super::super::body::{Body, Val};
use super::super::heap::HeapMap;
use super::Env;
use crate::limits::PURE_CALLS;
use crate::program::{FieldId, SpecType};
use crate::spec::Represents;
use crate::syntax::TextRange;
use crate::types::Ty;

/// A model field of an object that the contract mentions, at the start or at the end.
#[derive(Clone, Debug)]
pub(in super::super) struct Relied {
    field: FieldId,
    object: Val,
    at_entry: bool,
    at_exit: bool,
}

/// The `represents` clause of a field, for an object of a class.
fn clause<'p>(
    program: &'p crate::program::Program<'p>,
    field: FieldId,
    of: &Ty,
) -> Option<(crate::program::ClassId, &'p Represents)> {
    let name = &program.field(field).name;
    program.lineage(of).into_iter().find_map(|(class, _)| {
        let all = &program.class(class).spec.represents;
        all.iter().find(|(known, _)| known == name).map(|(_, found)| (class, found))
    })
}

impl<'p> Body<'_, 'p> {
    /// The definition of a model field of an object, and its environment; none if only the possible values
    /// are specified.
    pub(super) fn represented(
        &mut self,
        field: FieldId,
        object: &Val,
        env: &Env,
    ) -> Option<(&'p crate::syntax::Expr, Env)> {
        let program = self.cx.program;
        match clause(program, field, &object.ty) {
            Some((class, Represents::Value(value))) if env.depth < PURE_CALLS => {
                let inner = Env {
                    names: Vec::new(),
                    this: Some(object.clone()),
                    class,
                    is_closed: true,
                    depth: env.depth + 1,
                    ..env.clone()
                };
                Some((value, inner))
            }
            Some((_, Represents::Value(_))) => {
                self.not_modelled(
                    "a model field that is represented by itself",
                    TextRange::default(),
                );
                None
            }
            Some((_, Represents::SuchThat(_))) => {
                self.rely_on(field, object, env);
                None
            }
            None => {
                let name = &self.cx.program.field(field).name;
                let what = format!("the model field `{name}` without `represents`");
                self.not_modelled(&what, TextRange::default());
                None
            }
        }
    }

    /// Records that the contract mentions a model field of which only the possible values are specified.
    fn rely_on(&mut self, field: FieldId, object: &Val, env: &Env) {
        let exprs = &self.procedure.exprs;
        let (at_entry, at_exit) = (env.is_before || !env.is_post, !env.is_before);
        let is_same = |id: ExprId| exprs.get(id) == exprs.get(object.id);
        let mut known = self.model_fields.iter_mut();
        if let Some(known) = known.find(|known| known.field == field && is_same(known.object.id)) {
            known.at_entry |= at_entry;
            known.at_exit |= at_exit;
            return;
        }
        if env.is_bound && !matches!(exprs.get(object.id), Vir::Read(_)) {
            return self.not_modelled("a model field of many objects", TextRange::default());
        }
        self.model_fields.push(Relied { field, object: object.clone(), at_entry, at_exit });
    }

    /// The value of a field of the specification that is one of Java.
    pub(super) fn model_value(
        &mut self,
        field: FieldId,
        object: &Val,
        ty: Ty,
        env: &Env,
    ) -> Option<Val> {
        if self.cx.program.field(field).is_model() {
            if let Some((value, mut inner)) = self.represented(field, object, env) {
                let value = self.jml(value, &mut inner)?;
                let id = self.spec_convert(&value, &ty)?;
                return Some(Val { id, ty });
            }
            // Only the possible values are specified, or the clause is unsupported.
            if self.unsupported_reason.is_some() {
                return None;
            }
        }
        Some(Val { id: self.field_value(field, object.id), ty })
    }

    /// Whether an object has a value of a model field that is possible; nothing if all are.
    fn is_possible(&mut self, field: FieldId, object: &Val) -> Option<ExprId> {
        let program = self.cx.program;
        let (class, Represents::SuchThat(condition)) = clause(program, field, &object.ty)? else {
            return None;
        };
        let mut env = Env::of_object(object.clone(), class);
        let Some(holds) = self.condition_in(condition, &mut env) else {
            self.leave_out(ClauseRole::Assumption, &condition.text, condition.at);
            return None;
        };
        let is_null = self.is_null(object.id);
        Some(self.or(is_null, holds))
    }

    /// At the start, the model fields that the contract relies on have possible values.
    pub(in super::super) fn begin_models(&mut self) -> Vec<ExprId> {
        let relied = self.model_fields.clone();
        let relied = relied.iter().filter(|relied| relied.at_entry);
        relied.filter_map(|relied| self.is_possible(relied.field, &relied.object)).collect()
    }

    /// At the end, they have others.
    pub(in super::super) fn end_models(&mut self, at: TextRange) {
        let relied = self.model_fields.clone();
        let mut fields: Vec<FieldId> = relied.iter().map(|relied| relied.field).collect();
        fields.sort_unstable();
        fields.dedup();
        for field in fields {
            let globals = match self.cx.program.field(field).shape() {
                SpecType::Plain => vec![self.cx.field(field)],
                SpecType::Set => vec![self.cx.map(HeapMap::Members(field))],
                SpecType::Sequence => {
                    vec![self.cx.map(HeapMap::Count(field)), self.cx.map(HeapMap::Item(field))]
                }
            };
            for global in globals {
                let place = Place { variable: ir::Variable::Global(global), path: Vec::new() };
                let reason = HavocReason::Choice;
                let kind = StatementKind::Havoc { place, condition: None, reason };
                self.emit(kind, at, Origin::Synthetic);
            }
            let maps = match self.cx.program.field(field).shape() {
                SpecType::Plain => Vec::new(),
                SpecType::Set => vec![HeapMap::Members(field)],
                SpecType::Sequence => vec![HeapMap::Count(field), HeapMap::Item(field)],
            };
            // Other objects do not matter.
            let mut conditions = Vec::new();
            for relied in relied.iter().filter(|relied| relied.field == field && relied.at_exit) {
                for map in &maps {
                    conditions.extend(self.spec_map_holds(map, Some(relied.object.id)));
                }
                conditions.extend(self.is_possible(field, &relied.object));
            }
            for condition in conditions {
                self.assume(condition, at);
            }
        }
    }

    /// The facts about sets and sequences in model fields, of one object or of all: lengths are not negative,
    /// and members exist.
    pub(in super::super) fn spec_map_holds(
        &mut self,
        map: &HeapMap,
        object: Option<ExprId>,
    ) -> Vec<ExprId> {
        let global = self.cx.map(map.clone());
        let whole = self.global(global);
        let Type::Map(keys, _) = self.type_of(whole) else { return Vec::new() };
        let mut binders = Vec::new();
        let mut bound: Vec<ExprId> = object.into_iter().collect();
        for key in &keys[bound.len()..] {
            let binder = self.procedure.exprs.bind("k", key.clone());
            binders.push(binder);
            bound.push(self.push(Vir::Bound(binder), key.clone()));
        }
        let value = self.select(whole, bound.clone());
        let condition = match map {
            HeapMap::Count(_) => {
                let (zero, most) = (self.word(32, 0), self.word(32, 1 << 16));
                let least = self.op(Op::BvSle, vec![zero, value], Type::Bool);
                let most = self.op(Op::BvSle, vec![value, most], Type::Bool);
                self.and(least, most)
            }
            HeapMap::Item(field) => {
                let ty = self.cx.program.field(*field).ty.clone();
                let exists = self.exists(value, &ty);
                let is_null = self.is_null(value);
                self.or(is_null, exists)
            }
            HeapMap::Members(field) => {
                let ty = self.cx.program.field(*field).ty.clone();
                let exists = self.exists(bound[1], &ty);
                self.implies(value, exists)
            }
            HeapMap::Length(_) | HeapMap::Elements(..) | HeapMap::Class(_) => return Vec::new(),
        };
        if binders.is_empty() {
            return vec![condition];
        }
        vec![self.push(Vir::Quantified(Quantifier::All, binders, condition), Type::Bool)]
    }
}

//! Whether an expression of a specification denotes a set or a sequence, or a value of Java.

use ir::ExprId;

use super::super::body::{Body, Val};
use super::Env;
use crate::program::{FieldId, SpecType};
use crate::syntax::{Expr, ExprKind, Receiver, Spec};
use crate::types::Ty;

/// Methods that make a set of a set.
const SETS: [&str; 5] = ["union", "intersection", "difference", "insert", "remove"];

/// Methods that make a sequence of a sequence.
const SEQUENCES: [&str; 8] = [
    "insertBack",
    "insertFront",
    "concat",
    "header",
    "trailer",
    "removeItemAt",
    "prefix",
    "removePrefix",
];

impl Body<'_, '_> {
    /// The type of an expression's values.
    pub(super) fn shape(&self, expr: &Expr, env: &Env) -> SpecType {
        match &expr.kind {
            ExprKind::Spec(Spec::Reach { .. }) => SpecType::Set,
            ExprKind::Spec(Spec::Old(inner)) => self.shape(inner, env),
            ExprKind::Name(_) | ExprKind::Field(..) => {
                let field = self.spec_field_named(expr, env);
                field.map_or(SpecType::Plain, |field| self.cx.program.field(field).shape())
            }
            ExprKind::Call { receiver: Receiver::Expr(receiver), name, .. } => {
                let names: &[&str] = match self.shape(receiver, env) {
                    SpecType::Plain => return SpecType::Plain,
                    SpecType::Set => &SETS,
                    SpecType::Sequence => &SEQUENCES,
                };
                match names.contains(&name.name.as_str()) {
                    true => self.shape(receiver, env),
                    false => SpecType::Plain,
                }
            }
            _ => SpecType::Plain,
        }
    }

    /// The field that a name or the part of an object means.
    fn spec_field_named(&self, expr: &Expr, env: &Env) -> Option<FieldId> {
        let (owner, name) = match &expr.kind {
            ExprKind::Name(name) => {
                let is_variable = env.names.iter().any(|(known, _)| known == name)
                    || (!env.is_closed && self.find(name).is_some());
                let own = env.this.as_ref().map(|this| this.ty.clone());
                let own = own.unwrap_or(Ty::Class(env.class, Vec::new()));
                (Some(own).filter(|_| !is_variable)?, name)
            }
            ExprKind::Field(object, field) => (self.spec_type_of(object, env)?, &field.name),
            _ => return None,
        };
        self.cx.program.find_field(&owner, name).map(|(field, _)| field)
    }

    /// The type of an expression, as far as it is plain to see.
    fn spec_type_of(&self, expr: &Expr, env: &Env) -> Option<Ty> {
        match &expr.kind {
            ExprKind::This => env.this.as_ref().map(|this| this.ty.clone()),
            ExprKind::Name(name) => {
                let bound = env.names.iter().rev().find(|(known, _)| known == name);
                let local = || self.find(name).filter(|_| !env.is_closed).map(|(_, ty)| ty);
                bound.map(|(_, value)| value.ty.clone()).or_else(local).or_else(|| {
                    let field = self.spec_field_named(expr, env)?;
                    Some(self.cx.program.field(field).ty.clone())
                })
            }
            ExprKind::Field(..) => {
                let field = self.spec_field_named(expr, env)?;
                Some(self.cx.program.field(field).ty.clone())
            }
            ExprKind::Spec(Spec::Old(inner)) => self.spec_type_of(inner, env),
            ExprKind::Spec(Spec::Result) => self.result.as_ref().map(|(_, ty)| ty.clone()),
            ExprKind::Cast(ty, _) => self.cx.program.find_type(ty, self.scope()),
            _ => None,
        }
    }

    /// The field that an expression means, and its object.
    pub(in super::super) fn spec_place(
        &mut self,
        expr: &Expr,
        env: &mut Env,
    ) -> Option<(FieldId, Val)> {
        let field = self.spec_field_named(expr, env)?;
        let object = match &expr.kind {
            ExprKind::Field(object, _) => self.jml(object, env)?,
            _ => match env.this.clone() {
                Some(this) => this,
                None => {
                    self.fault("no object exists here in a specification", expr.at);
                    return None;
                }
            },
        };
        Some((field, object))
    }

    /// Whether two sets or two sequences are the same; nothing if they are neither.
    pub(super) fn same_whole(&mut self, a: &Expr, b: &Expr, env: &mut Env) -> Option<ExprId> {
        match (self.shape(a, env), self.shape(b, env)) {
            (SpecType::Set, SpecType::Set) => {
                let (a, b) = (self.set_of(a, env)?, self.set_of(b, env)?);
                self.cx.unify(&a.ty, &b.ty);
                Some(self.equal(a.id, b.id))
            }
            (SpecType::Sequence, SpecType::Sequence) => {
                let (a, b) = (self.sequence_of(a, env)?, self.sequence_of(b, env)?);
                Some(self.same_sequence(&a, &b))
            }
            _ => None,
        }
    }
}

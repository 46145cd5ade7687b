//! Sets of objects: reachability through fields, and JML's sets.

use ir::{Expr as Vir, ExprId, Op, Type};

use super::super::body::{Body, Val};
use super::super::heap::HeapMap;
use super::Env;
use crate::syntax::{Expr, ExprKind, Ident, Receiver, Spec};
use crate::types::Ty;

impl Body<'_, '_> {
    pub(super) fn size_of(&mut self, set: ExprId) -> Val {
        let count = self.op(Op::Cardinality, vec![set], Type::Int);
        Val { id: self.op(Op::IntToBv(32), vec![count], Type::Bv(32)), ty: Ty::Int }
    }

    /// A set of objects; its type is that of its members.
    pub(super) fn set_of(&mut self, expr: &Expr, env: &mut Env) -> Option<Val> {
        match &expr.kind {
            ExprKind::Spec(Spec::Reach { from, ty, fields }) => {
                let from = self.jml(from, env)?;
                let ty = self.spec_type(ty)?;
                self.reach(&from, &ty, fields)
            }
            ExprKind::Spec(Spec::Old(inner)) => {
                let mut before = env.clone();
                before.is_before = true;
                before.this = before.this.filter(|_| !self.makes_this());
                let set = self.set_of(inner, &mut before)?;
                let ty = self.type_of(set.id);
                let old = self.push(Vir::Old(set.id), ty);
                if let Some(&class) = self.reached.get(&set.id) {
                    self.reached.insert(old, class);
                }
                Some(Val { id: old, ty: set.ty })
            }
            ExprKind::Call { receiver: Receiver::Expr(receiver), name, arguments } => {
                let set = self.set_of(receiver, env)?;
                let vir = self.type_of(set.id);
                let op = match name.name.as_str() {
                    "union" => Op::Union,
                    "intersection" => Op::Intersection,
                    "difference" => Op::Difference,
                    "insert" | "remove" => {
                        let object = self.jml(arguments.first()?, env)?;
                        let single = self.op(Op::Singleton, vec![object.id], vir.clone());
                        let is_insert = name.name == "insert";
                        let op = if is_insert { Op::Union } else { Op::Difference };
                        return Some(Val {
                            id: self.op(op, vec![set.id, single], vir),
                            ty: set.ty,
                        });
                    }
                    _ => {
                        self.not_modelled(&format!("`{}` of a set", name.name), expr.at);
                        return None;
                    }
                };
                let other = self.set_of(arguments.first()?, env)?;
                Some(Val { id: self.op(op, vec![set.id, other.id], vir), ty: set.ty })
            }
            ExprKind::Name(_) | ExprKind::Field(..) => {
                let (field, object) = self.spec_place(expr, env)?;
                if self.cx.program.field(field).is_model()
                    && let Some((value, mut inner)) = self.represented(field, &object, env)
                {
                    return self.set_of(value, &mut inner);
                }
                if self.unsupported_reason.is_some() {
                    return None;
                }
                let members = self.cx.map(HeapMap::Members(field));
                let members = self.global(members);
                let ty = self.cx.program.field(field).ty.clone();
                let (owner, member) = (self.type_of(object.id), self.cx.vir(&ty));
                let single = self.op(Op::Singleton, vec![object.id], Type::set(vec![owner]));
                let joined = Type::set(vec![member]);
                Some(Val { id: self.op(Op::Join, vec![single, members], joined), ty })
            }
            _ => {
                self.not_modelled("this set", expr.at);
                None
            }
        }
    }

    /// The objects reachable from an object through fields, the object included, null not.
    pub(super) fn reach(&mut self, from: &Val, ty: &Ty, fields: &[Ident]) -> Option<Val> {
        self.cx.unify(&from.ty, ty);
        let sort = self.cx.vir(ty);
        let relation = Type::set(vec![sort.clone(), sort.clone()]);
        let mut whole: Option<ExprId> = None;
        let mut is_declared = from.ty.class() == ty.class();
        for field in fields {
            let Some((id, field_type)) = self.cx.program.find_field(ty, &field.name) else {
                let message = format!("in a specification, there is no field `{}`", field.name);
                self.fault(&message, field.at);
                return None;
            };
            if !field_type.is_reference() {
                self.fault("the field is no reference in a specification", field.at);
                return None;
            }
            self.cx.unify(&field_type, ty);
            is_declared &= field_type.class() == ty.class();
            let global = self.cx.field(id);
            let map = self.global(global);
            let graph = self.op(Op::Graph, vec![map], relation.clone());
            whole = Some(match whole {
                None => graph,
                Some(before) => self.op(Op::Union, vec![before, graph], relation.clone()),
            });
        }
        let set = Type::set(vec![sort]);
        let single = self.non_null_single(from.id, &set);
        let Some(whole) = whole else { return Some(Val { id: single, ty: ty.clone() }) };
        let closure = self.op(Op::ReflexiveClosure, vec![whole], relation);
        let reached = self.op(Op::Join, vec![single, closure], set);
        if let (Some(class), true) = (ty.class(), is_declared) {
            self.reached.insert(reached, class);
        }
        Some(Val { id: reached, ty: ty.clone() })
    }

    /// The set of one object, or of none if it is null.
    pub(in super::super) fn non_null_single(&mut self, object: ExprId, set: &Type) -> ExprId {
        let ty = self.type_of(object);
        let single = self.op(Op::Singleton, vec![object], set.clone());
        let null = self.null(ty);
        let nothing = self.op(Op::Singleton, vec![null], set.clone());
        self.op(Op::Difference, vec![single, nothing], set.clone())
    }
}

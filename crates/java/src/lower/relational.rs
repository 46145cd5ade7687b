//! Formulas over relations (Jackson and Vaziri §3.2).
//!
//! An expression that denotes at most one object is kept as a reference, with null for none; that is
//! smaller than a set, and exact for numbers. Other sets and relations are those of VIR.

mod infer;
mod quantify;

use ir::{Expr as Vir, ExprId, Op, Type};

use super::body::{Body, Val};
use super::spec::Env;
use crate::alloy::{Comparison, Formula, Relation, RelationKind};
use crate::program::FieldId;
use crate::syntax::TextRange;
use crate::types::Ty;

/// The representation of a relation.
#[derive(Clone, Debug)]
enum Rel {
    /// At most one object, or a number or truth value.
    Scalar(Val),
    /// A set; the type is that of its members.
    Set(ExprId, Ty),
    /// A binary relation, with the types of its columns.
    Binary(ExprId, Ty, Ty),
    /// A field, which may be joined without being made a relation: its value before or after.
    Field(FieldId, bool),
    Empty,
}

impl Body<'_, '_> {
    pub(super) fn alloy(&mut self, formula: &Formula, env: &mut Env) -> Option<ExprId> {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.alloy_formula(formula, env))
    }

    fn alloy_formula(&mut self, formula: &Formula, env: &mut Env) -> Option<ExprId> {
        Some(match formula {
            Formula::True => self.truth(true),
            Formula::Not(inner) => {
                let inner = self.alloy(inner, env)?;
                self.not(inner)
            }
            Formula::And(a, b) => {
                let (a, b) = (self.alloy(a, env)?, self.alloy(b, env)?);
                self.and(a, b)
            }
            Formula::Or(a, b) => {
                let (a, b) = (self.alloy(a, env)?, self.alloy(b, env)?);
                self.or(a, b)
            }
            Formula::Implies(a, b) => {
                let (a, b) = (self.alloy(a, env)?, self.alloy(b, env)?);
                self.implies(a, b)
            }
            Formula::Iff(a, b) => {
                let (a, b) = (self.alloy(a, env)?, self.alloy(b, env)?);
                self.equal(a, b)
            }
            Formula::Compare(comparison, a, b) => self.compare(*comparison, a, b, env)?,
            Formula::Count(multiplicity, relation) => self.count(*multiplicity, relation, env)?,
            Formula::Quantified(multiplicity, variables, body) => {
                self.alloy_quantified(*multiplicity, variables, body, env)?
            }
        })
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        a: &Relation,
        b: &Relation,
        env: &mut Env,
    ) -> Option<ExprId> {
        let at = a.at.to(b.at);
        let (left, right) = (self.relation(a, env)?, self.relation(b, env)?);
        match comparison {
            Comparison::Equal => self.equal_relations(left, right, at),
            Comparison::Unequal => {
                let equal = self.equal_relations(left, right, at)?;
                Some(self.not(equal))
            }
            Comparison::In => self.within(left, right, at),
            Comparison::NotIn => {
                let within = self.within(left, right, at)?;
                Some(self.not(within))
            }
            Comparison::Less
            | Comparison::LessOrEqual
            | Comparison::Greater
            | Comparison::GreaterOrEqual => {
                let (Rel::Scalar(a), Rel::Scalar(b)) = (left, right) else {
                    self.fault("only numbers can be compared so in a specification", at);
                    return None;
                };
                use crate::syntax::Binary;
                let operator = match comparison {
                    Comparison::Less => Binary::Lt,
                    Comparison::LessOrEqual => Binary::Le,
                    Comparison::Greater => Binary::Gt,
                    _ => Binary::Ge,
                };
                let value = self.binary(operator, &a, &b);
                if value.is_none() {
                    self.fault("only numbers can be compared so in a specification", at);
                }
                value.map(|value| value.id)
            }
        }
    }

    fn equal_relations(&mut self, a: Rel, b: Rel, at: TextRange) -> Option<ExprId> {
        match (a, b) {
            (Rel::Scalar(a), Rel::Scalar(b)) => match a.ty.is_reference() && b.ty.is_reference() {
                true => Some(self.same(&a, &b).id),
                false => {
                    let equal = self.binary(crate::syntax::Binary::Eq, &a, &b);
                    if equal.is_none() {
                        self.fault("incompatible operands of an equality in a specification", at);
                    }
                    equal.map(|value| value.id)
                }
            },
            (Rel::Scalar(value), Rel::Empty) | (Rel::Empty, Rel::Scalar(value)) => {
                Some(self.is_null(value.id))
            }
            (Rel::Empty, Rel::Empty) => Some(self.truth(true)),
            (a, b) => {
                let (a, b) = self.alike(a, b, at)?;
                Some(self.equal(a, b))
            }
        }
    }

    fn within(&mut self, a: Rel, b: Rel, at: TextRange) -> Option<ExprId> {
        match (a, b) {
            (Rel::Empty, _) => Some(self.truth(true)),
            (Rel::Scalar(a), Rel::Set(set, ty)) => {
                if !a.ty.is_reference() {
                    self.fault("a number is no member of a set of objects in a specification", at);
                    return None;
                }
                self.unify_types(&a.ty, &ty, at)?;
                let is_null = self.is_null(a.id);
                let member = self.select(set, vec![a.id]);
                Some(self.or(is_null, member))
            }
            (Rel::Scalar(a), Rel::Scalar(b)) => {
                let same = self.equal_relations(Rel::Scalar(a.clone()), Rel::Scalar(b), at)?;
                match a.ty.is_reference() {
                    true => {
                        let is_null = self.is_null(a.id);
                        Some(self.or(is_null, same))
                    }
                    false => Some(same),
                }
            }
            (a, b) => {
                let (a, b) = self.alike(a, b, at)?;
                Some(self.op(Op::Subset, vec![a, b], Type::Bool))
            }
        }
    }

    /// Two relations of one type.
    fn alike(&mut self, a: Rel, b: Rel, at: TextRange) -> Option<(ExprId, ExprId)> {
        let (a, b) = (self.plain(a)?, self.plain(b)?);
        match (a, b) {
            (Rel::Set(a, t), Rel::Set(b, u)) => {
                self.unify_types(&t, &u, at)?;
                Some((a, b))
            }
            (Rel::Binary(a, t, u), Rel::Binary(b, v, w)) => {
                self.unify_types(&t, &v, at)?;
                self.unify_types(&u, &w, at)?;
                Some((a, b))
            }
            (Rel::Empty, Rel::Set(b, ty)) => Some((self.empty_set(&ty), b)),
            (Rel::Set(a, ty), Rel::Empty) => Some((a, self.empty_set(&ty))),
            _ => {
                self.fault("incompatible operands in a specification", at);
                None
            }
        }
    }

    /// Values of both types are compared: objects, or numbers of the same type.
    fn unify_types(&mut self, a: &Ty, b: &Ty, at: TextRange) -> Option<()> {
        if a == b {
            return Some(());
        }
        if !a.is_reference() || !b.is_reference() {
            self.fault("numbers and objects are incompatible in a specification", at);
            return None;
        }
        self.cx.unify(a, b);
        Some(())
    }

    fn set_type(&mut self, ty: &Ty) -> Type {
        Type::set(vec![self.cx.vir(ty)])
    }

    fn empty_set(&mut self, ty: &Ty) -> ExprId {
        let set = self.set_type(ty);
        let no = self.truth(false);
        self.op(Op::ConstMap(set.clone()), vec![no], set)
    }

    /// A relation as VIR has it: an object as a set, a field as a binary relation.
    fn plain(&mut self, relation: Rel) -> Option<Rel> {
        Some(match relation {
            Rel::Scalar(value) if value.ty == Ty::Null => Rel::Empty,
            Rel::Scalar(value) if value.ty.is_reference() => {
                let set = self.set_type(&value.ty);
                Rel::Set(self.non_null_single(value.id, &set), value.ty)
            }
            Rel::Field(field, is_old) => {
                let declared = self.cx.program.field(field);
                let (owner, ty) = (Ty::Class(declared.class, Vec::new()), declared.ty.clone());
                let map = self.field_map(field, is_old);
                let relation = self.relation_type(&owner, &ty);
                Rel::Binary(self.op(Op::Graph, vec![map], relation), owner, ty)
            }
            other => other,
        })
    }

    fn relation_type(&mut self, a: &Ty, b: &Ty) -> Type {
        Type::set(vec![self.cx.vir(a), self.cx.vir(b)])
    }

    fn field_map(&mut self, field: FieldId, is_old: bool) -> ExprId {
        let global = self.cx.field(field);
        let map = self.global(global);
        let ty = self.type_of(map);
        if is_old { self.push(Vir::Old(map), ty) } else { map }
    }

    fn relation(&mut self, relation: &Relation, env: &mut Env) -> Option<Rel> {
        let at = relation.at;
        match &relation.kind {
            RelationKind::Empty => Some(Rel::Empty),
            RelationKind::Number(number) => {
                Some(Rel::Scalar(Val { id: self.word(32, *number), ty: Ty::Int }))
            }
            RelationKind::Name(name, has_prime) => self.alloy_name(name, *has_prime, at, env),
            RelationKind::Union(a, b) => self.combine(Op::Union, a, b, at, env),
            RelationKind::Difference(a, b) => self.combine(Op::Difference, a, b, at, env),
            RelationKind::Intersection(a, b) => self.combine(Op::Intersection, a, b, at, env),
            RelationKind::Join(a, b) => self.join(a, b, at, env),
            RelationKind::Transpose(inner) => {
                let (id, a, b) = self.binary_relation(inner, env)?;
                let ty = self.relation_type(&b, &a);
                Some(Rel::Binary(self.op(Op::Transpose, vec![id], ty), b, a))
            }
            RelationKind::Closure(inner) => self.closure(Op::Closure, inner, env),
            RelationKind::ReflexiveClosure(inner) => self.closure(Op::ReflexiveClosure, inner, env),
            RelationKind::Comprehension(variables, body) => {
                self.comprehension(variables, body, at, env)
            }
            RelationKind::Size(inner) => {
                let inner = self.relation(inner, env)?;
                let id = match self.plain(inner)? {
                    Rel::Set(id, _) | Rel::Binary(id, ..) => id,
                    Rel::Empty => {
                        return Some(Rel::Scalar(Val { id: self.word(32, 0), ty: Ty::Int }));
                    }
                    Rel::Scalar(_) | Rel::Field(..) => {
                        self.fault("only sets have a size in a specification", at);
                        return None;
                    }
                };
                let count = self.op(Op::Cardinality, vec![id], Type::Int);
                let id = self.op(Op::IntToBv(32), vec![count], Type::Bv(32));
                Some(Rel::Scalar(Val { id, ty: Ty::Int }))
            }
        }
    }

    fn combine(
        &mut self,
        op: Op,
        a: &Relation,
        b: &Relation,
        at: TextRange,
        env: &mut Env,
    ) -> Option<Rel> {
        let (left, right) = (self.relation(a, env)?, self.relation(b, env)?);
        if let (Rel::Scalar(a), Rel::Scalar(b)) = (&left, &right)
            && a.ty.is_numeric()
        {
            let operator = match op {
                Op::Union => crate::syntax::Binary::Add,
                _ => crate::syntax::Binary::Sub,
            };
            return self.binary(operator, a, b).map(Rel::Scalar);
        }
        let (left, right) = (self.plain(left)?, self.plain(right)?);
        match (&left, &right) {
            (Rel::Empty, _) => {
                return Some(if op == Op::Union { right } else { Rel::Empty });
            }
            (_, Rel::Empty) => {
                return Some(if op == Op::Intersection { Rel::Empty } else { left });
            }
            _ => {}
        }
        let kind = left.clone();
        let (a, b) = self.alike(left, right, at)?;
        let ty = self.type_of(a);
        let id = self.op(op, vec![a, b], ty);
        Some(match kind {
            Rel::Binary(_, t, u) => Rel::Binary(id, t, u),
            Rel::Set(_, ty) => Rel::Set(id, ty),
            Rel::Scalar(_) | Rel::Field(..) | Rel::Empty => return None,
        })
    }

    fn binary_relation(&mut self, inner: &Relation, env: &mut Env) -> Option<(ExprId, Ty, Ty)> {
        let relation = self.relation(inner, env)?;
        match self.plain(relation)? {
            Rel::Binary(id, a, b) => Some((id, a, b)),
            Rel::Scalar(_) | Rel::Set(..) | Rel::Field(..) | Rel::Empty => {
                self.fault("expected a relation in a specification", inner.at);
                None
            }
        }
    }

    fn closure(&mut self, op: Op, inner: &Relation, env: &mut Env) -> Option<Rel> {
        let (id, a, b) = self.binary_relation(inner, env)?;
        self.unify_types(&a, &b, inner.at)?;
        let ty = self.relation_type(&a, &a);
        Some(Rel::Binary(self.op(op, vec![id], ty), a.clone(), a))
    }

    fn join(&mut self, a: &Relation, b: &Relation, at: TextRange, env: &mut Env) -> Option<Rel> {
        let left = self.relation(a, env)?;
        // A field is looked up from what it is joined to.
        let right = match (&b.kind, &left) {
            (
                RelationKind::Name(name, has_prime),
                Rel::Scalar(Val { ty, .. }) | Rel::Set(_, ty),
            ) => {
                let found = self.cx.program.find_field(ty, name).map(|(id, _)| id);
                match found.or_else(|| self.relation_field(Some(ty), name)) {
                    Some(field) => Rel::Field(field, env.is_post && !has_prime),
                    None => {
                        let message = format!("in a specification, there is no field `{name}`");
                        self.fault(&message, b.at);
                        return None;
                    }
                }
            }
            _ => self.relation(b, env)?,
        };
        match (left, right) {
            (Rel::Empty, _) => Some(Rel::Empty),
            (Rel::Scalar(object), Rel::Field(field, is_old)) => {
                let declared = self.cx.program.field(field);
                let (owner, ty) = (Ty::Class(declared.class, Vec::new()), declared.ty.clone());
                self.unify_types(&object.ty, &owner, at)?;
                let map = self.field_map(field, is_old);
                Some(Rel::Scalar(Val { id: self.select(map, vec![object.id]), ty }))
            }
            (left, right) => {
                let (left, right) = (self.plain(left)?, self.plain(right)?);
                match (left, right) {
                    (Rel::Set(set, ty), Rel::Binary(relation, from, to)) => {
                        self.unify_types(&ty, &from, at)?;
                        let result = self.set_type(&to);
                        Some(Rel::Set(self.op(Op::Join, vec![set, relation], result), to))
                    }
                    (Rel::Binary(relation, from, to), Rel::Set(set, ty)) => {
                        self.unify_types(&ty, &to, at)?;
                        let result = self.set_type(&from);
                        Some(Rel::Set(self.op(Op::Join, vec![relation, set], result), from))
                    }
                    (Rel::Binary(a, from, middle), Rel::Binary(b, other, to)) => {
                        self.unify_types(&middle, &other, at)?;
                        let result = self.relation_type(&from, &to);
                        Some(Rel::Binary(self.op(Op::Join, vec![a, b], result), from, to))
                    }
                    _ => {
                        self.fault("incompatible operands of a join in a specification", at);
                        None
                    }
                }
            }
        }
    }

    /// A variable, `this`, the result, a field or a class.
    fn alloy_name(&mut self, name: &str, has_prime: bool, at: TextRange, env: &Env) -> Option<Rel> {
        if has_prime && !env.is_post {
            self.fault("no post-state here in a specification", at);
            return None;
        }
        if let Some((_, value)) = env.names.iter().rev().find(|(known, _)| known == name) {
            return Some(Rel::Scalar(value.clone()));
        }
        if name == "null" {
            return Some(Rel::Empty);
        }
        if let ("result" | "return" | "returned", Some((local, ty)), true) =
            (name, self.result.clone(), env.is_post)
        {
            return Some(Rel::Scalar(Val { id: self.read(local), ty }));
        }
        if name == "this"
            && let Some(this) = &env.this
        {
            return Some(Rel::Scalar(this.clone()));
        }
        if let Some((local, ty)) = self.find(name) {
            return Some(Rel::Scalar(Val { id: self.read(local), ty }));
        }
        if let Some(field) = self.relation_field(None, name) {
            return Some(Rel::Field(field, env.is_post && !has_prime));
        }
        if let Some(class) = self.cx.program.find_class(name, env.class) {
            let ty = Ty::Class(class, Vec::new());
            return Some(Rel::Set(self.all_objects(&ty), ty));
        }
        self.fault(&format!("unknown name `{name}` in a specification"), at);
        None
    }

    /// The set of all objects of a type.
    fn all_objects(&mut self, ty: &Ty) -> ExprId {
        let vir = self.cx.vir(ty);
        let binder = self.procedure.exprs.bind("o", vir.clone());
        let object = self.push(Vir::Bound(binder), vir.clone());
        let exists = self.exists(object, ty);
        self.push(Vir::Lambda(vec![binder], exists), Type::set(vec![vir]))
    }

    /// The field of a name: of this class if it has one, else of the first class of the file that has.
    pub(super) fn relation_field(&self, _of: Option<&Ty>, name: &str) -> Option<FieldId> {
        let program = self.cx.program;
        if let Some((id, _)) = program.find_field(&self.own_type(self.class), name) {
            return Some(id).filter(|id| !program.field(*id).is_static);
        }
        let mut own = program.class_ids().filter(|id| {
            let class = program.class(*id);
            class.file == self.file && !class.is_opaque
        });
        own.find_map(|class| {
            let fields = program.class(class).fields.iter().copied();
            fields.into_iter().find(|id| program.field(*id).name == name)
        })
    }
}

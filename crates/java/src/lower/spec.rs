//! Expressions of JML: pure and total. What Java would throw at, such as the field of null, has some value.

mod call;
mod model;
mod sequence;
mod set;
mod shape;
mod sum;

use ir::{Binder, Expr as Vir, ExprId, Limit, Op, Type};

use super::body::{Body, Val};
use crate::program::{ClassId, FieldId, SpecType};
use crate::spec::{Condition, Formula};
use crate::syntax::{Binary, Expr, ExprKind, Ident, Quantifier, Spec, TextRange, TypeRef};
use crate::types::Ty;

pub(super) use model::Relied;

/// The meaning of names besides the variables of the body.
#[derive(Clone, Debug)]
pub(super) struct Env {
    /// Bound variables, and parameters of pure methods that are followed.
    pub(super) names: Vec<(String, Val)>,
    pub(super) this: Option<Val>,
    pub(super) class: ClassId,
    /// Whether there is a state before, which names without a prime refer to.
    pub(super) is_post: bool,
    /// Whether the state is the one before, in which nothing has been returned or made.
    is_before: bool,
    /// Whether the variables of the body are not meant.
    is_closed: bool,
    /// Whether bound variables are in scope, so that the condition concerns many values.
    pub(super) is_bound: bool,
    /// Whether the condition is an obligation, rather than an assumption.
    pub(super) is_owed: bool,
    depth: usize,
}

impl Env {
    /// The environment of a static invariant.
    pub(super) fn of_class(class: ClassId) -> Env {
        Env {
            names: Vec::new(),
            this: None,
            class,
            is_post: false,
            is_before: false,
            is_closed: true,
            is_bound: false,
            is_owed: false,
            depth: 0,
        }
    }

    /// The environment of an invariant of an object.
    pub(super) fn of_object(object: Val, class: ClassId) -> Env {
        Env {
            names: Vec::new(),
            this: Some(object),
            class,
            is_post: false,
            is_before: false,
            is_closed: true,
            is_bound: false,
            is_owed: false,
            depth: 0,
        }
    }
}

impl Body<'_, '_> {
    pub(super) fn env(&mut self, is_post: bool) -> Env {
        let this = self.this_value();
        let (names, class) = (Vec::new(), self.class);
        Env {
            names,
            this,
            class,
            is_post,
            is_before: false,
            is_closed: false,
            is_bound: false,
            is_owed: is_post,
            depth: 0,
        }
    }

    /// The environment of a precondition: a constructor has no object yet.
    pub(super) fn env_before(&mut self) -> Env {
        let env = self.env(false);
        Env { this: env.this.filter(|_| !self.makes_this()), is_before: true, ..env }
    }

    /// Whether the body creates this object.
    fn makes_this(&self) -> bool {
        let result = |this| self.procedure.local(this).mode == ir::Mode::Result;
        self.this.is_some_and(result)
    }

    /// A condition where a statement stands.
    pub(super) fn formula(&mut self, condition: &Condition, is_owed: bool) -> Option<ExprId> {
        let mut env = Env { is_owed, ..self.env(false) };
        self.condition_in(condition, &mut env)
    }

    pub(super) fn spec_value(&mut self, expr: &Expr) -> Option<Val> {
        self.unsupported_reason = None;
        let mut env = self.env(false);
        self.jml(expr, &mut env)
    }

    /// A condition in either notation. If it is unsupported, [`Body::unsupported_reason`] has the reason, and
    /// the caller records a missing clause.
    pub(super) fn condition_in(&mut self, condition: &Condition, env: &mut Env) -> Option<ExprId> {
        self.unsupported_reason = None;
        self.limits.clear();
        match &condition.formula {
            Formula::Jml(expr) => {
                let value = self.jml(expr, env)?;
                match value.ty {
                    Ty::Boolean => Some(self.within_limits(value.id, env.is_owed)),
                    _ => {
                        self.fault("expected a truth value in a specification", expr.at);
                        None
                    }
                }
            }
            Formula::Alloy(formula) => self.alloy(formula, env),
        }
    }

    pub(super) fn not_modelled(&mut self, what: &str, at: TextRange) {
        self.cx.diagnostics.file = self.file;
        self.cx.diagnostics.note(at, format!("{what} is not modelled in a specification"));
        self.unsupported_reason.get_or_insert(format!("{what} is not modelled"));
    }

    pub(super) fn jml(&mut self, expr: &Expr, env: &mut Env) -> Option<Val> {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.jml_kind(expr, env))
    }

    fn jml_kind(&mut self, expr: &Expr, env: &mut Env) -> Option<Val> {
        let at = expr.at;
        match &expr.kind {
            ExprKind::Literal(crate::syntax::Literal::Float(..)) => {
                self.not_modelled("this literal", at);
                None
            }
            ExprKind::Literal(crate::syntax::Literal::String(text)) => {
                Some(self.text_constant(text))
            }
            ExprKind::Literal(literal) => Some(self.literal(literal, at)),
            ExprKind::This => {
                if env.this.is_none() {
                    self.fault("no object exists here in a specification", at);
                }
                env.this.clone()
            }
            ExprKind::Name(name) => self.spec_name(name, at, env),
            ExprKind::Field(object, field) => self.spec_field(object, field, at, env),
            ExprKind::Index(array, index) => {
                let array = self.jml(array, env)?;
                let index = self.jml(index, env)?;
                let index = self.number_as(index.id, &index.ty, &Ty::Int)?;
                match array.ty {
                    Ty::Array(_) => Some(self.element_value(&array, index)),
                    _ => {
                        self.fault("not an array in a specification", at);
                        None
                    }
                }
            }
            ExprKind::Unary(operator, operand) => {
                let operand = self.jml(operand, env)?;
                self.unary(*operator, &operand)
            }
            ExprKind::Binary(operator, a, b) => self.spec_binary(*operator, a, b, at, env),
            ExprKind::Conditional(condition, a, b) => {
                let condition = self.jml(condition, env)?;
                let (a, b) = (self.jml(a, env)?, self.jml(b, env)?);
                let ty = self.common_type(&a.ty, &b.ty);
                let a = self.spec_convert(&a, &ty)?;
                let b = self.spec_convert(&b, &ty)?;
                let vir = self.type_of(a);
                Some(Val { id: self.op(Op::Ite, vec![condition.id, a, b], vir), ty })
            }
            ExprKind::Cast(ty, value) => {
                let to = self.spec_type(ty)?;
                let value = self.jml(value, env)?;
                let id = self.spec_convert(&value, &to)?;
                Some(Val { id, ty: to })
            }
            ExprKind::InstanceOf(value, ty, _) => {
                let of = self.spec_type(ty)?;
                let value = self.jml(value, env)?;
                self.cx.unify(&value.ty, &of);
                let is_null = self.is_null(value.id);
                let exists = self.not(is_null);
                let fits = self.is_instance(value.id, &value.ty, &of);
                Some(Val { id: self.and(exists, fits), ty: Ty::Boolean })
            }
            ExprKind::Call { receiver, name, arguments } => {
                self.spec_call(receiver, name, arguments, at, env)
            }
            ExprKind::Spec(spec) => self.spec_own(spec, at, env),
            ExprKind::OuterThis(_)
            | ExprKind::New { .. }
            | ExprKind::NewArray { .. }
            | ExprKind::Elements(_)
            | ExprKind::Update { .. }
            | ExprKind::Assign(..)
            | ExprKind::Switch(..)
            | ExprKind::ClassLiteral(_)
            | ExprKind::Unknown(_) => {
                self.not_modelled("this expression", at);
                None
            }
        }
    }

    fn spec_type(&mut self, ty: &TypeRef) -> Option<Ty> {
        let known = self.cx.program.find_type(ty, self.scope());
        if known.is_none() {
            self.fault("unknown type in a specification", ty.at);
        }
        known
    }

    pub(super) fn spec_convert(&mut self, value: &Val, to: &Ty) -> Option<ExprId> {
        match (&value.ty, to) {
            (Ty::Null, to) if to.is_reference() => {
                let vir = self.cx.vir(to);
                Some(self.null(vir))
            }
            (from, to) if from.is_numeric() && to.is_numeric() => {
                self.number_as(value.id, from, to)
            }
            (from, to) if from == to || (from.is_reference() && to.is_reference()) => {
                self.cx.unify(from, to);
                Some(value.id)
            }
            _ => None,
        }
    }

    fn spec_name(&mut self, name: &str, at: TextRange, env: &Env) -> Option<Val> {
        if let Some((_, value)) = env.names.iter().rev().find(|(known, _)| known == name) {
            return Some(value.clone());
        }
        if !env.is_closed
            && let Some((local, ty)) = self.find(name)
        {
            return Some(Val { id: self.read(local), ty });
        }
        let own = match &env.this {
            Some(this) => this.ty.clone(),
            None => Ty::Class(env.class, Vec::new()),
        };
        match self.cx.program.find_field(&own, name) {
            Some((id, ty)) if self.cx.program.field(id).is_static => self.static_value(id, ty, at),
            Some((id, ty)) => {
                let Some(object) = env.this.clone() else {
                    self.fault("no object exists here in a specification", at);
                    return None;
                };
                self.spec_member(id, &object, ty, at, env)
            }
            None => {
                self.fault(&format!("unknown name `{name}` in a specification"), at);
                None
            }
        }
    }

    fn spec_field(
        &mut self,
        object: &Expr,
        field: &Ident,
        at: TextRange,
        env: &mut Env,
    ) -> Option<Val> {
        let is_variable = matches!(&object.kind, ExprKind::Name(name)
            if env.names.iter().any(|(known, _)| known == name));
        if !is_variable && let Some(class) = self.class_named(object) {
            let found = self.cx.program.find_field(&Ty::Class(class, Vec::new()), &field.name);
            if let Some((id, ty)) = found
                && self.cx.program.field(id).is_static
            {
                return self.static_value(id, ty, at);
            }
        }
        let object = self.jml(object, env)?;
        if matches!(object.ty, Ty::Array(_)) && field.name == "length" {
            return Some(self.length(&object));
        }
        match self.cx.program.find_field(&object.ty, &field.name) {
            Some((id, ty)) => {
                let owner = Ty::Class(self.cx.program.field(id).class, Vec::new());
                self.cx.unify(&object.ty, &owner);
                let declared = self.cx.program.field(id).ty.clone();
                self.cx.unify(&declared, &ty);
                self.spec_member(id, &object, ty, at, env)
            }
            None => {
                let message = format!("in a specification, there is no field `{}`", field.name);
                self.fault(&message, at);
                None
            }
        }
    }

    /// The value of a field of an object.
    fn spec_member(
        &mut self,
        id: FieldId,
        object: &Val,
        ty: Ty,
        at: TextRange,
        env: &Env,
    ) -> Option<Val> {
        match self.cx.program.field(id).shape() {
            SpecType::Plain => self.model_value(id, object, ty, env),
            SpecType::Set | SpecType::Sequence => {
                self.not_modelled("a set or sequence as a value", at);
                None
            }
        }
    }

    fn static_value(&mut self, id: FieldId, ty: Ty, at: TextRange) -> Option<Val> {
        if self.cx.program.field(id).is_model() {
            self.not_modelled("a static model field", at);
            return None;
        }
        if let Some(constant) = self.constant(id, at, false) {
            return Some(constant);
        }
        let global = self.cx.field(id);
        Some(Val { id: self.global(global), ty })
    }

    fn spec_binary(
        &mut self,
        operator: Binary,
        a: &Expr,
        b: &Expr,
        at: TextRange,
        env: &mut Env,
    ) -> Option<Val> {
        let is_equality = matches!(operator, Binary::Eq | Binary::Ne);
        let negate = |body: &mut Self, id| match operator {
            Binary::Ne => body.not(id),
            _ => id,
        };
        if is_equality && let Some(equal) = self.same_whole(a, b, env) {
            return Some(Val { id: negate(self, equal), ty: Ty::Boolean });
        }
        let (a, b) = (self.jml(a, env)?, self.jml(b, env)?);
        if is_equality && a.ty.is_reference() && b.ty.is_reference() {
            let same = self.same(&a, &b);
            return Some(Val { id: negate(self, same.id), ty: Ty::Boolean });
        }
        match self.binary(operator, &a, &b) {
            Some(value) => Some(value),
            None => {
                self.not_modelled("this operation", at);
                None
            }
        }
    }

    fn spec_own(&mut self, spec: &Spec, at: TextRange, env: &mut Env) -> Option<Val> {
        match spec {
            Spec::Result => match self.result.clone().filter(|_| !env.is_before) {
                Some((local, ty)) => Some(Val { id: self.read(local), ty }),
                None => {
                    self.fault("the method has no result, in a specification", at);
                    None
                }
            },
            Spec::Old(inner) => {
                let mut before = env.clone();
                before.is_before = true;
                before.this = before.this.filter(|_| !self.makes_this());
                let limits = self.limits.len();
                let value = self.jml(inner, &mut before)?;
                self.old_limits(limits);
                let ty = self.type_of(value.id);
                Some(Val { id: self.push(Vir::Old(value.id), ty), ty: value.ty })
            }
            Spec::Fresh(objects) => {
                let mut all = Vec::new();
                for object in objects {
                    let object = self.jml(object, env)?;
                    if !object.ty.is_reference() {
                        self.fault("only objects are fresh in a specification", at);
                        return None;
                    }
                    let is_null = self.is_null(object.id);
                    all.push(self.not(is_null));
                    match self.class_before(&object) {
                        Some(is_new) => all.push(is_new),
                        None => all.push(self.truth(false)),
                    }
                }
                Some(Val { id: self.all_of(all), ty: Ty::Boolean })
            }
            Spec::Quantified { quantifier, ty, names, range, body } => {
                self.spec_quantified(*quantifier, ty, names, range.as_deref(), body, at, env)
            }
            Spec::Reach { .. } => {
                self.not_modelled("a set as a value", at);
                None
            }
        }
    }

    /// Whether an object did not exist when the method began.
    fn class_before(&mut self, object: &Val) -> Option<ExprId> {
        let group = self.cx.group(&object.ty);
        if !group.is_numbered {
            return None;
        }
        let map = super::heap::HeapMap::Class(group.sort);
        let global = self.cx.map(map);
        let map = self.global(global);
        let ty = self.type_of(map);
        let before = self.push(Vir::Old(map), ty);
        let class = self.select(before, vec![object.id]);
        Some(self.is_nothing(class))
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of the expression")]
    fn spec_quantified(
        &mut self,
        quantifier: Quantifier,
        ty: &TypeRef,
        names: &[Ident],
        range: Option<&Expr>,
        body: &Expr,
        at: TextRange,
        env: &mut Env,
    ) -> Option<Val> {
        let ty = self.spec_type(ty)?;
        let is_counted = matches!(quantifier, Quantifier::NumOf | Quantifier::Sum);
        if let ([name], true, true) = (names, is_counted, ty.is_integral()) {
            return self.spec_sum(quantifier, &ty, name, range, body, at, env);
        }
        let vir = self.cx.vir(&ty);
        let outer = (env.names.len(), env.is_bound);
        env.is_bound = true;
        let mut binders = Vec::new();
        let mut values = Vec::new();
        for name in names {
            let binder = self.procedure.exprs.bind(name.name.clone(), vir.clone());
            let value = self.push(Vir::Bound(binder), vir.clone());
            binders.push(binder);
            values.push(value);
            env.names.push((name.name.clone(), Val { id: value, ty: ty.clone() }));
        }
        let range = range.map(|range| self.jml(range, env));
        let inner = self.jml(body, env);
        env.names.truncate(outer.0);
        env.is_bound = outer.1;
        let range = match range {
            Some(range) => Some(range?.id),
            None => None,
        };
        let mut guards = Vec::new();
        for (&binder, &value) in binders.iter().zip(&values) {
            if ty.is_reference() && !range.is_some_and(|range| self.is_among(range, binder, &ty)) {
                guards.push(self.exists(value, &ty));
            }
        }
        guards.extend(range);
        let (guard, inner) = (self.all_of(guards), inner?);
        let (quantifier, inner) = match quantifier {
            Quantifier::All => (ir::Quantifier::All, self.implies(guard, inner.id)),
            Quantifier::Exists => (ir::Quantifier::Some, self.and(guard, inner.id)),
            Quantifier::NumOf if ty.is_reference() => {
                let member = self.and(guard, inner.id);
                let set_type = Type::set(vec![vir; binders.len()]);
                let set = self.push(Vir::Lambda(binders, member), set_type);
                return Some(self.size_of(set));
            }
            Quantifier::NumOf | Quantifier::Sum => {
                self.not_modelled("a sum over what are no numbers", at);
                return None;
            }
        };
        let id = self.push(Vir::Quantified(quantifier, binders, inner), Type::Bool);
        Some(Val { id, ty: Ty::Boolean })
    }

    /// Whether a range implies that a bound variable is a member of a set whose members exist and are of its
    /// type.
    fn is_among(&self, range: ExprId, binder: Binder, ty: &Ty) -> bool {
        let exprs = &self.procedure.exprs;
        let mut conditions = Vec::new();
        exprs.conjuncts(range, &mut conditions);
        conditions.into_iter().any(|condition| match exprs.limit(condition, binder) {
            Some((Limit::Member, set)) => {
                self.reached.get(&set).is_some_and(|class| ty.class() == Some(*class))
            }
            _ => false,
        })
    }

    /// Whether an object is one: not null, of its type, and made already.
    pub(super) fn exists(&mut self, object: ExprId, ty: &Ty) -> ExprId {
        let is_null = self.is_null(object);
        let exists = self.not(is_null);
        match self.class_of(object, ty).is_some() {
            true => {
                let fits = self.is_instance(object, ty, ty);
                self.and(exists, fits)
            }
            false => exists,
        }
    }
}

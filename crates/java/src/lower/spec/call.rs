//! Calls in specifications: of sets and sequences, and of pure methods, which are followed.

use ir::Op;

use super::super::body::{Body, Val, kind_is};
use super::super::sorts::Kind;
use super::Env;
use crate::limits::PURE_CALLS;
use crate::program::{MethodId, SpecType};
use crate::syntax::{Expr, ExprKind, Ident, Receiver, StmtKind, TextRange};
use crate::types::Ty;

impl Body<'_, '_> {
    pub(super) fn spec_call(
        &mut self,
        receiver: &Receiver,
        name: &Ident,
        arguments: &[Expr],
        at: TextRange,
        env: &mut Env,
    ) -> Option<Val> {
        if let Receiver::Expr(whole) = receiver
            && self.shape(whole, env) == SpecType::Sequence
        {
            let sequence = self.sequence_of(whole, env)?;
            return self.sequence_call(&sequence, name, arguments, env);
        }
        if let Receiver::Expr(set) = receiver
            && self.shape(set, env) == SpecType::Set
        {
            let set = self.set_of(set, env)?;
            return match (name.name.as_str(), arguments) {
                ("has" | "contains", [object]) => {
                    let object = self.jml(object, env)?;
                    self.cx.unify(&object.ty, &set.ty);
                    let object = self.spec_convert(&object, &set.ty)?;
                    Some(Val { id: self.select(set.id, vec![object]), ty: Ty::Boolean })
                }
                ("int_size" | "size", []) => Some(self.size_of(set.id)),
                ("isEmpty", []) => {
                    let size = self.size_of(set.id);
                    let zero = self.word(32, 0);
                    Some(Val { id: self.equal(size.id, zero), ty: Ty::Boolean })
                }
                ("equals" | "isSubset", [other]) => {
                    let other = self.set_of(other, env)?;
                    self.cx.unify(&set.ty, &other.ty);
                    let vir = self.type_of(set.id);
                    let joint = self.op(Op::Intersection, vec![set.id, other.id], vir);
                    let id = match name.name == "equals" {
                        true => self.equal(set.id, other.id),
                        false => self.equal(set.id, joint),
                    };
                    Some(Val { id, ty: Ty::Boolean })
                }
                _ => {
                    self.not_modelled(&format!("`{}` of a set", name.name), at);
                    None
                }
            };
        }
        let (object, seen) = match receiver {
            Receiver::None | Receiver::Super => {
                let this = env.this.clone();
                let seen =
                    this.as_ref().map_or(Ty::Class(env.class, Vec::new()), |this| this.ty.clone());
                (this, seen)
            }
            Receiver::Expr(receiver) => match self.class_named(receiver) {
                Some(class) => (None, Ty::Class(class, Vec::new())),
                None => {
                    let value = self.jml(receiver, env)?;
                    let ty = value.ty.clone();
                    (Some(value), ty)
                }
            },
        };
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.jml(argument, env)?);
        }
        let candidates = self.methods_named(&seen, &name.name);
        let lineage = self.cx.program.lineage(&seen);
        let is_model = lineage.iter().any(|(class, _)| {
            self.cx.program.class(*class).spec.model_methods.contains(&name.name)
        });
        let Some(method) = self.most_specific(&candidates, &values) else {
            if is_model {
                self.not_modelled(&format!("the model method `{}`", name.name), at);
                return None;
            }
            self.fault(&format!("unknown method `{}` in a specification", name.name), at);
            return None;
        };
        self.follow(method, object, values, at, env)
    }

    /// The value of a pure method: what its one statement returns.
    pub(super) fn follow(
        &mut self,
        method: MethodId,
        object: Option<Val>,
        values: Vec<Val>,
        at: TextRange,
        env: &Env,
    ) -> Option<Val> {
        let program = self.cx.program;
        let method = match &object {
            Some(object) if !program.method(method).is_static => {
                let group = self.cx.group(&object.ty).clone();
                let fits = group.classes.iter().filter(|kind| kind_is(program, kind, &object.ty));
                let mut implementations = fits.map(|kind| match kind {
                    Kind::Class(class) => program.implementation(*class, method),
                    Kind::Array(_) => method,
                });
                let first = implementations.next().unwrap_or(method);
                if implementations.any(|implementation| implementation != first) {
                    self.not_modelled("a method that several classes have", at);
                    return None;
                }
                first
            }
            _ => method,
        };
        let declared = program.method(method);
        if Some(declared.class) == program.object() && declared.name == "equals" {
            return Some(self.same(&object?, values.first()?));
        }
        let returned = match declared.body {
            Some([only]) => match &only.kind {
                StmtKind::Return(Some(value)) => Some(value),
                _ => None,
            },
            _ => None,
        };
        let Some(returned) = returned.filter(|_| env.depth < PURE_CALLS) else {
            let what = format!("a call of `{}`, which is more than one `return`,", declared.name);
            self.not_modelled(&what, at);
            return None;
        };
        if returned.has_effects()
            && !returned.any(&|part| matches!(part.kind, ExprKind::Call { .. }))
        {
            self.not_modelled("a call of a method that is not pure", at);
            return None;
        }
        let mut names = Vec::new();
        for (parameter, value) in declared.parameters.iter().zip(&values) {
            let id = self.spec_convert(value, &parameter.ty)?;
            names.push((parameter.name.clone(), Val { id, ty: parameter.ty.clone() }));
        }
        if let Some(object) = &object {
            self.cx.unify(&object.ty, &Ty::Class(declared.class, Vec::new()));
        }
        let mut inner = Env {
            names,
            this: object,
            class: declared.class,
            is_post: env.is_post,
            is_before: env.is_before,
            is_closed: true,
            is_bound: env.is_bound,
            is_owed: env.is_owed,
            depth: env.depth + 1,
        };
        let value = self.jml(returned, &mut inner)?;
        let id = self.spec_convert(&value, &declared.result)?;
        Some(Val { id, ty: declared.result.clone() })
    }
}

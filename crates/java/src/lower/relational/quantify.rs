//! Quantifiers, comprehensions, and how many there are of something.

use ir::{Expr as Vir, ExprId, Op, Type};

use super::super::body::{Body, Val};
use super::super::spec::Env;
use super::Rel;
use crate::alloy::{Formula, Multiplicity, Relation, Variable};
use crate::syntax::TextRange;
use crate::types::Ty;

impl Body<'_, '_> {
    pub(super) fn count(
        &mut self,
        multiplicity: Multiplicity,
        relation: &Relation,
        env: &mut Env,
    ) -> Option<ExprId> {
        let found = self.relation(relation, env)?;
        if let Rel::Scalar(value) = &found {
            let is_null = self.is_null(value.id);
            return Some(match multiplicity {
                Multiplicity::No => is_null,
                Multiplicity::Some | Multiplicity::One => self.not(is_null),
                Multiplicity::Sole | Multiplicity::All => self.truth(true),
            });
        }
        let id = match self.plain(found)? {
            Rel::Set(id, _) | Rel::Binary(id, ..) => id,
            Rel::Scalar(_) | Rel::Field(..) | Rel::Empty => {
                let is_fine = matches!(multiplicity, Multiplicity::No | Multiplicity::Sole);
                return Some(self.truth(is_fine));
            }
        };
        let count = self.op(Op::Cardinality, vec![id], Type::Int);
        let number = |body: &mut Self, value: i64| body.push(Vir::Int(value.into()), Type::Int);
        Some(match multiplicity {
            Multiplicity::No => {
                let zero = number(self, 0);
                self.equal(count, zero)
            }
            Multiplicity::Some | Multiplicity::All => {
                let zero = number(self, 0);
                self.op(Op::IntLt, vec![zero, count], Type::Bool)
            }
            Multiplicity::One => {
                let one = number(self, 1);
                self.equal(count, one)
            }
            Multiplicity::Sole => {
                let one = number(self, 1);
                self.op(Op::IntLe, vec![count, one], Type::Bool)
            }
        })
    }

    /// Declares variables; what limits each, and its type.
    pub(super) fn bind(
        &mut self,
        variables: &[Variable],
        body: &Formula,
        env: &mut Env,
    ) -> Option<(Vec<ir::Binder>, Vec<ExprId>, Vec<Ty>)> {
        let (mut binders, mut guards, mut types) = (Vec::new(), Vec::new(), Vec::new());
        for variable in variables {
            let within = match &variable.within {
                Some(within) => {
                    let found = self.relation(within, env)?;
                    Some(self.plain(found)?)
                }
                None => None,
            };
            let (ty, set) = match within {
                Some(Rel::Set(set, ty)) => (ty, Some(set)),
                Some(Rel::Empty) => {
                    let object = self.cx.program.library_type("java.lang.Object");
                    let empty = self.empty_set(&object);
                    (object, Some(empty))
                }
                Some(Rel::Scalar(_) | Rel::Binary(..) | Rel::Field(..)) => {
                    self.fault("expected a set in a specification", variable.at);
                    return None;
                }
                None => match self.inferred(&variable.name, body, env) {
                    Some(ty) => (ty, None),
                    None => {
                        let message = format!(
                            "in a specification, it is not clear what `{}` ranges over; write \
                             `{}: Class`",
                            variable.name, variable.name
                        );
                        self.fault(&message, variable.at);
                        return None;
                    }
                },
            };
            let vir = self.cx.vir(&ty);
            let binder = self.procedure.exprs.bind(variable.name.clone(), vir.clone());
            let value = self.push(Vir::Bound(binder), vir);
            binders.push(binder);
            if ty.is_reference() {
                guards.push(match set {
                    Some(set) => self.select(set, vec![value]),
                    None => self.exists(value, &ty),
                });
            }
            env.names.push((variable.name.clone(), Val { id: value, ty: ty.clone() }));
            types.push(ty);
        }
        Some((binders, guards, types))
    }

    pub(super) fn alloy_quantified(
        &mut self,
        multiplicity: Multiplicity,
        variables: &[Variable],
        body: &Formula,
        env: &mut Env,
    ) -> Option<ExprId> {
        let outer = env.names.len();
        let bound = self.bind(variables, body, env);
        let inner = bound.and_then(|bound| Some((bound, self.alloy(body, env)?)));
        env.names.truncate(outer);
        let ((binders, guards, _), inner) = inner?;
        let guard = self.all_of(guards);
        let quantified = |body: &mut Self, quantifier, binders, condition| {
            body.push(Vir::Quantified(quantifier, binders, condition), Type::Bool)
        };
        Some(match multiplicity {
            Multiplicity::All => {
                let condition = self.implies(guard, inner);
                quantified(self, ir::Quantifier::All, binders, condition)
            }
            Multiplicity::Some => {
                let condition = self.and(guard, inner);
                quantified(self, ir::Quantifier::Some, binders, condition)
            }
            Multiplicity::No => {
                let condition = self.and(guard, inner);
                let some = quantified(self, ir::Quantifier::Some, binders, condition);
                self.not(some)
            }
            Multiplicity::One | Multiplicity::Sole => {
                let member = self.and(guard, inner);
                let keys = binders.iter().map(|b| self.procedure.exprs.binder(*b).1.clone());
                let set = Type::set(keys.collect());
                let set = self.push(Vir::Lambda(binders, member), set);
                let count = self.op(Op::Cardinality, vec![set], Type::Int);
                let one = self.push(Vir::Int(1.into()), Type::Int);
                match multiplicity {
                    Multiplicity::One => self.equal(count, one),
                    _ => self.op(Op::IntLe, vec![count, one], Type::Bool),
                }
            }
        })
    }

    pub(super) fn comprehension(
        &mut self,
        variables: &[Variable],
        body: &Formula,
        at: TextRange,
        env: &mut Env,
    ) -> Option<Rel> {
        let outer = env.names.len();
        let bound = self.bind(variables, body, env);
        let inner = bound.and_then(|bound| Some((bound, self.alloy(body, env)?)));
        env.names.truncate(outer);
        let ((binders, guards, types), inner) = inner?;
        let guard = self.all_of(guards);
        let member = self.and(guard, inner);
        let [ty] = &types[..] else {
            self.fault("a set comprehension has one variable in a specification", at);
            return None;
        };
        let set = self.set_type(ty);
        Some(Rel::Set(self.push(Vir::Lambda(binders, member), set), ty.clone()))
    }
}

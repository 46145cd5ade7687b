//! Terms as expressions of VIR.

use std::collections::BTreeMap;

use ir::{Binder, Expr, ExprId, Exprs, LocalId, Op, Variable};

use super::uses::Uses;
use super::{Lowerer, Unsupported};
use crate::term::{Term, TermKind, TimePoint};
use crate::types::Type;

/// Where an expression goes, and what variables mean there.
pub(crate) struct Place<'p> {
    pub(crate) exprs: &'p mut Exprs,
    /// The variables of all states.
    pub(crate) variables: Option<&'p BTreeMap<(String, u32), LocalId>>,
    pub(crate) bound: Vec<(String, Binder, Type)>,
    /// The uses of functions that have variables.
    pub(crate) uses: Option<&'p Uses>,
}

impl<'p> Place<'p> {
    /// A place in which there are no variables.
    pub(crate) fn closed(exprs: &'p mut Exprs) -> Self {
        Self { exprs, variables: None, bound: Vec::new(), uses: None }
    }

    pub(crate) fn op(&mut self, op: Op, operands: Vec<ExprId>, ty: ir::Type) -> ExprId {
        self.exprs.push(Expr::Op(op, operands), ty)
    }

    pub(crate) fn truth(&mut self, truth: bool) -> ExprId {
        self.exprs.push(Expr::Bool(truth), ir::Type::Bool)
    }

    pub(crate) fn int(&mut self, value: i64) -> ExprId {
        self.exprs.push(Expr::Int(value.into()), ir::Type::Int)
    }
}

impl Lowerer {
    /// An expression for a term, of the type that is wanted where the term itself does not know.
    pub(crate) fn term(
        &mut self,
        term: &Term,
        wanted: &Type,
        place: &mut Place<'_>,
    ) -> Result<ExprId, Unsupported> {
        let ty = term.ty.meet(wanted);
        match &term.kind {
            TermKind::Truth(truth) => Ok(place.truth(*truth)),
            TermKind::Number(number) => {
                Ok(place.exprs.push(Expr::Int(number.clone()), ir::Type::Int))
            }
            TermKind::Variable(name, when) => {
                let TimePoint::At(state) = when else { return Err(format!("`{name}` at no time")) };
                let local = place.variables.and_then(|all| all.get(&(name.clone(), *state)));
                let local = *local.ok_or_else(|| format!("`{name}` in state {state}"))?;
                let ty = self.ty(&ty)?;
                Ok(place.exprs.push(Expr::Read(Variable::Local(local)), ty))
            }
            TermKind::Bound(name) => {
                let found = place.bound.iter().rev().find(|(bound, _, _)| bound == name);
                let (_, binder, ty) = found.cloned().ok_or_else(|| format!("`{name}`"))?;
                let ty = self.ty(&ty)?;
                Ok(place.exprs.push(Expr::Bound(binder), ty))
            }
            TermKind::Constant(name) => {
                let id = self.constant(name, &ty, term.span)?;
                let ty = self.ty(&ty)?;
                Ok(place.exprs.push(Expr::Apply(id, Vec::new()), ty))
            }
            TermKind::Theory(function, _, arguments) => {
                self.theory(*function, arguments, &ty, place)
            }
            TermKind::Defined(id, name, arguments) => {
                let uses = place.uses.filter(|uses| !uses.is_empty());
                if let Some((_, local)) = uses.and_then(|uses| uses.get(&term.to_string())) {
                    let ty = self.ty(&self.definitions[*id].result.clone())?;
                    return Ok(place.exprs.push(Expr::Read(Variable::Local(*local)), ty));
                }
                self.application(*id, name, arguments, place)
            }
            TermKind::Field(inner, field) => {
                let record = self.record(&inner.ty)?;
                let value = self.term(inner, &Type::Unknown, place)?;
                let ty = self.ty(&ty)?;
                Ok(place.op(Op::Field(record, *field as u32), vec![value], ty))
            }
            TermKind::Tuple(parts) => {
                let Type::Product(fields) = &ty else { return Err("a tuple".to_owned()) };
                let record = self.record(&ty)?;
                let mut values = Vec::new();
                for (part, (_, field)) in parts.iter().zip(fields) {
                    values.push(self.term(part, field, place)?);
                }
                Ok(place.op(Op::Record(record), values, ir::Type::Record(record)))
            }
            TermKind::Quantified(quantifier, binders, body) => {
                self.quantified(*quantifier, binders, body, place)
            }
            TermKind::Lambda(binders, body) => {
                let to = match &ty {
                    Type::Function(_, to) => (**to).clone(),
                    Type::Set(_) => Type::Bool,
                    _ => body.ty.clone(),
                };
                let depth = place.bound.len();
                let bound = self.bind(binders, place)?;
                let body = self.term(body, &to, place);
                place.bound.truncate(depth);
                let ty = self.ty(&ty)?;
                Ok(place.exprs.push(Expr::Lambda(bound, body?), ty))
            }
            TermKind::Unsupported(what) => Err(what.clone()),
        }
    }

    /// Declares bound variables.
    pub(super) fn bind(
        &mut self,
        binders: &[(String, Type)],
        place: &mut Place<'_>,
    ) -> Result<Vec<Binder>, Unsupported> {
        let mut bound = Vec::new();
        for (name, ty) in binders {
            let lowered = self.ty(ty)?;
            let binder = place.exprs.bind(name.clone(), lowered);
            place.bound.push((name.clone(), binder, ty.clone()));
            bound.push(binder);
        }
        Ok(bound)
    }

    fn application(
        &mut self,
        id: usize,
        name: &str,
        arguments: &[Term],
        place: &mut Place<'_>,
    ) -> Result<ExprId, Unsupported> {
        let function = self.defined(id)?;
        let parameters = self.definitions[id].parameters.clone();
        let result = self.definitions[id].result.clone();
        if parameters.len() != arguments.len() {
            return Err(format!("`{name}` as a value"));
        }
        let mut values = Vec::new();
        for (argument, (_, ty)) in arguments.iter().zip(&parameters) {
            values.push(self.term(argument, ty, place)?);
        }
        let result = self.ty(&result)?;
        Ok(place.exprs.push(Expr::Apply(function, values), result))
    }
}

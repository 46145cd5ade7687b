//! Back links.
//!
//! In a doubly linked list, or a tree whose nodes know their parents, one field inverts others. Let *R* be all
//! atoms that fields *f* lead to from a set *S*, and let a field *g* be a back link: `g[f[n]] == n` for all *n* in
//! *R* and all these *f*, where `f[n]` is not null. Then *g* does not leave *R*: an atom in *R* but not in *S* is
//! `f[m]` of some *m* in *R*, and *g* leads from there to *m*. If there is one *f* only, and it is nowhere null,
//! that holds in *S* too: *f* is injective on *R*, which is finite, so every atom in *R* is `f[m]` of some *m* in
//! it.
//!
//! A solver that has only the closure derives this by counting, as in the pigeonhole problem. So the lemma is added
//! wherever preconditions have this form.

use std::collections::BTreeSet;

use circuit::Gate;
use ir::{Binder, Expr, ExprId, Exprs, Limit, Op, Procedure, Quantifier, Type, Variable};
use rustc_hash::FxHashSet;

use crate::context::Context;
use crate::expr::Reader;
use crate::sym::Sym;

/// Whether the preconditions of a procedure say that links lead back.
pub fn leads_back(procedure: &Procedure) -> bool {
    !links(procedure).is_empty()
}

/// A field that leads back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Link {
    /// Everybody that others lead to.
    reached: ExprId,
    /// The set where they begin, if the link may lead out of it.
    start: Option<ExprId>,
    /// The field.
    back: Variable,
}

/// The fields that lead back wherever the preconditions of a procedure hold.
fn links(procedure: &Procedure) -> Vec<Link> {
    let exprs = &procedure.exprs;
    let mut all: Vec<Said<'_>> = Vec::new();
    for clause in &procedure.contract.requires {
        for condition in conjuncts(exprs, clause.condition) {
            let Some((set, conditions)) = said(exprs, condition) else { continue };
            match all.iter_mut().find(|said| is_same(exprs, said.set, set)) {
                Some(said) => said.conditions.extend(conditions),
                None => all.push(Said { exprs, set, conditions }),
            }
        }
    }
    all.iter().flat_map(Said::links).collect()
}

/// The conditions on a bound variable that a condition states for all members of a set of atoms.
fn said(exprs: &Exprs, condition: ExprId) -> Option<(ExprId, Vec<(Binder, ExprId)>)> {
    let Expr::Quantified(Quantifier::All, binders, body) = exprs.get(condition) else {
        return None;
    };
    let (&[binder], (Op::Implies, &[range, inner])) = (&binders[..], operator(exprs, *body)?)
    else {
        return None;
    };
    let (Limit::Member, set) = exprs.limit(range, binder)? else { return None };
    let is_of_atoms = matches!(exprs.binder(binder).1, Type::Sort(_));
    if !is_of_atoms || exprs.mentions(set, &[binder]) {
        return None;
    }
    Some((set, conjuncts(exprs, inner).into_iter().map(|inner| (binder, inner)).collect()))
}

/// Whether two expressions are made of the same variables by the same operators.
fn is_same(exprs: &Exprs, a: ExprId, b: ExprId) -> bool {
    let mut open = vec![(a, b)];
    let mut seen = FxHashSet::default();
    while let Some((a, b)) = open.pop() {
        if a == b || !seen.insert((a, b)) {
            continue;
        }
        match (exprs.get(a), exprs.get(b)) {
            (Expr::Op(op, ours), Expr::Op(other, theirs)) => {
                if op != other || ours.len() != theirs.len() {
                    return false;
                }
                open.extend(ours.iter().copied().zip(theirs.iter().copied()));
            }
            (one, other) if one == other => {}
            _ => return false,
        }
    }
    true
}

/// From where, and along which fields, everybody in a set is reached.
fn closed(exprs: &Exprs, set: ExprId) -> Option<(ExprId, Vec<Variable>)> {
    let (Op::Join, &[start, closure]) = operator(exprs, set)? else { return None };
    let (Op::ReflexiveClosure, &[relation]) = operator(exprs, closure)? else { return None };
    let mut fields = Vec::new();
    let mut open = vec![relation];
    while let Some(relation) = open.pop() {
        match operator(exprs, relation)? {
            (Op::Union, both) => open.extend(both),
            (Op::Graph, &[map]) => fields.push(variable(exprs, map)?),
            _ => return None,
        }
    }
    Some((start, fields))
}

/// A condition on all members of a set.
struct Said<'e> {
    exprs: &'e Exprs,
    set: ExprId,
    /// Conditions on a bound variable, which is any of them.
    conditions: Vec<(Binder, ExprId)>,
}

impl Said<'_> {
    /// The fields that lead back, if the set is all that others lead to.
    fn links(&self) -> Vec<Link> {
        let Some((start, fields)) = closed(self.exprs, self.set) else { return Vec::new() };
        let [first, others @ ..] = &fields[..] else { return Vec::new() };
        let leads_out = !others.is_empty() || !self.is_never_null(*first);
        let mut backs = self.backs(*first);
        backs.retain(|back| others.iter().all(|field| self.backs(*field).contains(back)));
        let start = leads_out.then_some(start);
        backs.into_iter().map(|back| Link { reached: self.set, start, back }).collect()
    }

    fn is_never_null(&self, field: Variable) -> bool {
        self.conditions.iter().any(|&(of, condition)| self.is_not_null(of, condition, field))
    }

    /// Whether a condition is that a field is not null.
    fn is_not_null(&self, of: Binder, condition: ExprId, field: Variable) -> bool {
        let Some((Op::Not, &[is_null])) = operator(self.exprs, condition) else { return false };
        let Some((Op::Eq, &[a, b])) = operator(self.exprs, is_null) else { return false };
        let is_null = |id| matches!(self.exprs.get(id), Expr::Null(_));
        let leads = |id| self.is_end(id, of, &[field]);
        (leads(a) && is_null(b)) || (leads(b) && is_null(a))
    }

    /// The fields that lead back from where this one leads to.
    fn backs(&self, field: Variable) -> BTreeSet<Variable> {
        let mut backs = BTreeSet::new();
        for &(of, condition) in &self.conditions {
            match operator(self.exprs, condition) {
                Some((Op::Implies, &[guard, inner])) if self.is_not_null(of, guard, field) => {
                    let inner = conjuncts(self.exprs, inner).into_iter();
                    backs.extend(inner.filter_map(|condition| self.back(of, condition, field)));
                }
                _ => backs.extend(self.back(of, condition, field)),
            }
        }
        backs
    }

    /// The field that leads back from where another leads to, if a condition says so.
    fn back(&self, of: Binder, condition: ExprId, field: Variable) -> Option<Variable> {
        let (Op::Eq, &[a, b]) = operator(self.exprs, condition)? else { return None };
        let there = match (self.is_end(a, of, &[]), self.is_end(b, of, &[])) {
            (true, false) => b,
            (false, true) => a,
            _ => return None,
        };
        let (Op::Select, &[map, from]) = operator(self.exprs, there)? else { return None };
        let back = variable(self.exprs, map)?;
        self.is_end(from, of, &[field]).then_some(back)
    }

    /// Whether an expression is where fields lead to from a bound variable.
    fn is_end(&self, id: ExprId, of: Binder, fields: &[Variable]) -> bool {
        match (self.exprs.get(id), fields) {
            (Expr::Bound(binder), []) => *binder == of,
            (Expr::Op(Op::Select, operands), [before @ .., last]) => {
                let &[map, from] = &operands[..] else { return false };
                variable(self.exprs, map) == Some(*last) && self.is_end(from, of, before)
            }
            _ => false,
        }
    }
}

fn conjuncts(exprs: &Exprs, condition: ExprId) -> Vec<ExprId> {
    let mut conditions = Vec::new();
    exprs.conjuncts(condition, &mut conditions);
    conditions
}

fn operator(exprs: &Exprs, id: ExprId) -> Option<(&Op, &[ExprId])> {
    match exprs.get(id) {
        Expr::Op(op, operands) => Some((op, operands)),
        _ => None,
    }
}

fn variable(exprs: &Exprs, id: ExprId) -> Option<Variable> {
    match exprs.get(id) {
        Expr::Read(variable) => Some(*variable),
        _ => None,
    }
}

impl<'m> Context<'m> {
    /// The lemmas that follow from preconditions about back links, evaluated in the initial state.
    pub(crate) fn follows_of_links(
        &mut self,
        reader: &mut Reader<'_, 'm>,
        procedure: &Procedure,
    ) -> Gate {
        let facts: Vec<Gate> =
            links(procedure).into_iter().map(|link| self.stays(reader, link)).collect();
        self.circuit.and_all(facts)
    }

    /// The lemma that a link does not leave the reached set.
    fn stays(&mut self, reader: &mut Reader<'_, 'm>, link: Link) -> Gate {
        let Type::Map(keys, _) = reader.exprs.ty(link.reached) else {
            unreachable!("a set is a map to truth values")
        };
        let reached = self.eval(reader, link.reached);
        let start = link.start.map(|start| self.eval(reader, start));
        let back = reader.state.get(link.back).expect("a field has a value").clone();
        let inside: Vec<Gate> = reached.table().iter().map(Sym::gate).collect();
        let mut facts = Vec::new();
        for (row, to) in back.table().iter().enumerate() {
            let begins = start.as_ref().map_or(Gate::FALSE, |start| start.table()[row].gate());
            for (number, &is_inside) in inside.iter().enumerate() {
                let other = self.value(&keys[0], number);
                let leads = self.equal(&keys[0], to, &other);
                facts.push(self.circuit.or_all([!inside[row], begins, !leads, is_inside]));
            }
        }
        self.circuit.and_all(facts)
    }
}

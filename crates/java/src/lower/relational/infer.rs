//! The range of a variable without a set, inferred from its uses.

use super::super::body::Body;
use super::super::spec::Env;
use crate::alloy::{Formula, Relation, RelationKind};
use crate::types::Ty;

impl Body<'_, '_> {
    /// The type of a variable without a set, from how it is used.
    pub(super) fn inferred(&mut self, name: &str, body: &Formula, env: &Env) -> Option<Ty> {
        let mut open = vec![body];
        while let Some(formula) = open.pop() {
            match formula {
                Formula::True => {}
                Formula::Not(a) => open.push(a),
                Formula::And(a, b)
                | Formula::Or(a, b)
                | Formula::Implies(a, b)
                | Formula::Iff(a, b) => open.extend([&**b, &**a]),
                Formula::Count(_, relation) => {
                    if let Some(ty) = self.used_as(name, relation) {
                        return Some(ty);
                    }
                }
                Formula::Quantified(_, variables, body) => {
                    let within = variables.iter().filter_map(|v| v.within.as_ref());
                    let used = within.into_iter().find_map(|within| self.used_as(name, within));
                    if used.is_some() {
                        return used;
                    }
                    open.push(body);
                }
                Formula::Compare(_, a, b) => {
                    let used = self.used_as(name, a).or_else(|| self.used_as(name, b));
                    if used.is_some() {
                        return used;
                    }
                    let is_it = |r: &Relation| matches!(&r.kind, RelationKind::Name(known, _) if known == name);
                    let other = if is_it(a) { Some(b) } else { is_it(b).then_some(a) };
                    if let Some(ty) = other.and_then(|other| self.static_type(other, env)) {
                        return Some(ty);
                    }
                }
            }
        }
        None
    }

    /// The class whose field is read of a variable somewhere in a relation.
    fn used_as(&self, name: &str, relation: &Relation) -> Option<Ty> {
        match &relation.kind {
            RelationKind::Join(a, b) => {
                if let RelationKind::Name(known, _) = &a.kind
                    && known == name
                {
                    let field = self.relation_field(None, innermost(b)?)?;
                    return Some(Ty::Class(self.cx.program.field(field).class, Vec::new()));
                }
                self.used_as(name, a).or_else(|| self.used_as(name, b))
            }
            RelationKind::Union(a, b)
            | RelationKind::Difference(a, b)
            | RelationKind::Intersection(a, b) => {
                self.used_as(name, a).or_else(|| self.used_as(name, b))
            }
            RelationKind::Transpose(a)
            | RelationKind::Closure(a)
            | RelationKind::ReflexiveClosure(a)
            | RelationKind::Size(a) => self.used_as(name, a),
            RelationKind::Name(..)
            | RelationKind::Number(_)
            | RelationKind::Empty
            | RelationKind::Comprehension(..) => None,
        }
    }

    /// The type of the members of a relation, as far as names determine it.
    fn static_type(&self, relation: &Relation, env: &Env) -> Option<Ty> {
        match &relation.kind {
            RelationKind::Name(name, _) => {
                let bound = env.names.iter().rev().find(|(known, _)| known == name);
                let local = || self.find(name).map(|(_, ty)| ty);
                bound.map(|(_, value)| value.ty.clone()).or_else(local)
            }
            RelationKind::Join(_, b) => {
                let field = self.relation_field(None, innermost(b)?)?;
                Some(self.cx.program.field(field).ty.clone())
            }
            RelationKind::Union(a, b)
            | RelationKind::Difference(a, b)
            | RelationKind::Intersection(a, b) => {
                self.static_type(a, env).or_else(|| self.static_type(b, env))
            }
            RelationKind::Number(_) | RelationKind::Size(_) => Some(Ty::Int),
            RelationKind::Transpose(_)
            | RelationKind::Closure(_)
            | RelationKind::ReflexiveClosure(_)
            | RelationKind::Empty
            | RelationKind::Comprehension(..) => None,
        }
    }
}

/// The name below closures.
fn innermost(relation: &Relation) -> Option<&str> {
    match &relation.kind {
        RelationKind::Name(name, _) => Some(name),
        RelationKind::Closure(inner)
        | RelationKind::ReflexiveClosure(inner)
        | RelationKind::Transpose(inner) => innermost(inner),
        _ => None,
    }
}

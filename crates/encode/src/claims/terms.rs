//! Terms: the values that claims are instantiated at.

use std::collections::BTreeSet;

use circuit::Gate;
use ir::{Binder, Expr, ExprId, Exprs, FunctionId, Limit, Op, Type};
use rustc_hash::FxHashSet;

use super::Scene;
use super::elsewhere::Side;
use crate::context::Context;
use crate::expr::Reader;
use crate::limits::{MATCHED_DEFINITIONS, MATCHED_TERMS};
use crate::sym::Sym;

/// A place in which terms stand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Place {
    /// The argument of a function at a position.
    Argument(FunctionId, usize),
    /// The key of a map with these keys at a position.
    Key(Vec<Type>, usize),
}

/// A value, and the condition under which an execution computes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Term {
    pub(super) value: Sym,
    pub(super) reached: Gate,
    /// The representatives of unmentioned keys, by number, from which it is computed.
    pub(super) from: BTreeSet<usize>,
}

impl<'m> Context<'m> {
    /// Whether instances at values of the type say something.
    pub(crate) fn has_terms(&self, ty: &Type) -> bool {
        match ty {
            Type::Bool | Type::Bv(_) | Type::Int | Type::Sort(_) => true,
            Type::Record(_) | Type::Variant(_) => {
                self.parts(ty).iter().all(|part| self.has_terms(part))
            }
            Type::Ptr | Type::Map(..) | Type::Seq(_) | Type::Bytes => false,
        }
    }

    /// Notes that a function is applied to arguments.
    pub(crate) fn note_arguments(&mut self, function: FunctionId, types: &[Type], values: &[Sym]) {
        self.note(types, values, |position| Place::Argument(function, position));
    }

    /// Notes that a map is used at keys.
    pub(crate) fn note_keys(&mut self, types: &[Type], keys: &[Sym]) {
        self.note(types, keys, |position| Place::Key(types.to_vec(), position));
    }

    fn note(&mut self, types: &[Type], values: &[Sym], place: impl Fn(usize) -> Place) {
        if !self.claims.expected {
            return;
        }
        for (position, (ty, value)) in types.iter().zip(values).enumerate() {
            let is_elsewhere = self.claims.elsewhere.iter().any(|other| other.value == *value);
            if is_elsewhere || !self.has_terms(ty) {
                continue;
            }
            // A number or a word is one on any path.
            let reached = match self.has_atoms(ty) {
                true => self.circuit.and(self.claims.reached, self.relevant),
                false => Gate::TRUE,
            };
            let place = place(position);
            if !self.claims.terms.contains_key(&place) {
                self.claims.places.push(place.clone());
            }
            let terms = self.claims.terms.entry(place).or_default();
            if let Some(known) = terms.iter_mut().find(|term| term.value == *value) {
                known.reached = self.circuit.or(known.reached, reached);
                known.from.retain(|number| self.claims.from.contains(number));
            } else if terms.len() < MATCHED_TERMS {
                let from = self.claims.from.clone();
                terms.push(Term { value: value.clone(), reached, from });
            }
        }
    }

    fn has_atoms(&self, ty: &Type) -> bool {
        match ty {
            Type::Sort(_) => true,
            Type::Record(_) | Type::Variant(_) => {
                self.parts(ty).iter().any(|part| self.has_atoms(part))
            }
            Type::Bool
            | Type::Bv(_)
            | Type::Int
            | Type::Ptr
            | Type::Map(..)
            | Type::Seq(_)
            | Type::Bytes => false,
        }
    }

    /// The terms for a bound variable: what its body compares it with, and the terms of the places
    /// in which it stands, or of all places if there are none.
    pub(super) fn terms_for(
        &mut self,
        scene: &Scene<'m>,
        binder: Binder,
        ty: &Type,
        from: &BTreeSet<usize>,
    ) -> Vec<Term> {
        let mut compared = Vec::new();
        let mut places = Vec::new();
        for id in parts(scene.exprs, scene.body) {
            if let Some((Limit::Equal | Limit::Below { .. } | Limit::Above { .. }, by)) =
                scene.exprs.limit(id, binder)
                && scene.is_closed(by)
            {
                compared.push(by);
            }
        }
        self.places_of(scene.exprs, scene.body, binder, 0, &mut places);
        let mut reader = Reader::inside(scene.exprs, &scene.state, &scene.entry, scene.depth);
        reader.binders.clone_from(&scene.outer);
        let mut first = Vec::new();
        for by in compared {
            let value = self.aside(&mut reader, by);
            if self.under() && matches!(ty, Type::Int | Type::Bv(_)) {
                for side in [Side::Less, Side::Greater] {
                    first.push(self.elsewhere(ty, Some((value.clone(), side))));
                }
            }
            // It is compared wherever the claim is made, as far as that matters.
            first.push(Term { value, reached: Gate::TRUE, from: from.clone() });
        }
        self.candidates(ty, first, &places)
    }

    /// Terms of a type: the first ones, and those of some places, or of all if there are none.
    pub(super) fn candidates(
        &mut self,
        ty: &Type,
        first: Vec<Term>,
        places: &[Place],
    ) -> Vec<Term> {
        if let Some(count) = self.values(ty) {
            let all = (0..count).map(|number| self.value(ty, number));
            let term = |value| Term { value, reached: Gate::TRUE, from: BTreeSet::new() };
            return all.map(term).collect();
        }
        let mut terms = Vec::new();
        if self.under() {
            terms.push(self.elsewhere(ty, None));
        }
        terms.extend(first);
        if places.is_empty() {
            terms.extend(self.terms_of(ty));
        }
        for place in places {
            terms.extend(self.claims.terms.get(place).into_iter().flatten().cloned());
        }
        let mut distinct: Vec<Term> = Vec::new();
        for term in terms {
            if !distinct.iter().any(|known| known.value == term.value) {
                distinct.push(term);
            }
        }
        distinct
    }

    /// The places in which a bound variable stands.
    fn places_of(
        &self,
        exprs: &Exprs,
        body: ExprId,
        binder: Binder,
        depth: usize,
        places: &mut Vec<Place>,
    ) {
        let is_binder = |id: &ExprId| *exprs.get(*id) == Expr::Bound(binder);
        for id in parts(exprs, body) {
            match exprs.get(id) {
                Expr::Op(Op::Select | Op::Store, operands) => {
                    let Type::Map(keys, _) = exprs.ty(operands[0]) else { continue };
                    let used = operands[1..].iter().take(keys.len()).enumerate();
                    for (position, _) in used.filter(|(_, key)| is_binder(key)) {
                        places.push(Place::Key(keys.clone(), position));
                    }
                }
                Expr::Apply(function, arguments) => {
                    let definition = &self.module.function(*function).definition;
                    for (position, argument) in arguments.iter().enumerate() {
                        match definition {
                            _ if !is_binder(argument) => {}
                            None => places.push(Place::Argument(*function, position)),
                            Some((exprs, body)) if depth < MATCHED_DEFINITIONS => {
                                let parameter = Binder(position as u32);
                                self.places_of(exprs, *body, parameter, depth + 1, places);
                            }
                            Some(_) => {}
                        }
                    }
                }
                Expr::Op(..)
                | Expr::Bool(_)
                | Expr::Bv(..)
                | Expr::Int(_)
                | Expr::Null(_)
                | Expr::Read(_)
                | Expr::Bound(_)
                | Expr::Old(_)
                | Expr::Quantified(..)
                | Expr::Lambda(..) => {}
            }
        }
    }

    /// The terms of a type, wherever they stand.
    pub(super) fn terms_of(&self, ty: &Type) -> Vec<Term> {
        let mut terms: Vec<Term> = Vec::new();
        for place in self.claims.places.iter().filter(|place| self.place_type(place) == ty) {
            for term in self.claims.terms.get(place).into_iter().flatten() {
                if !terms.iter().any(|known| known.value == term.value) {
                    terms.push(term.clone());
                }
            }
        }
        terms
    }

    fn place_type<'p>(&self, place: &'p Place) -> &'p Type
    where
        'm: 'p,
    {
        match place {
            Place::Argument(function, position) => {
                &self.module.function(*function).parameters[*position].1
            }
            Place::Key(types, position) => &types[*position],
        }
    }
}

/// An expression and all its parts, users first.
pub(super) fn parts(exprs: &Exprs, id: ExprId) -> Vec<ExprId> {
    let mut parts = vec![id];
    let mut seen = FxHashSet::from_iter([id]);
    let mut next = 0;
    while let Some(&id) = parts.get(next) {
        let operands = exprs.get(id).operands();
        parts.extend(operands.iter().filter(|&&operand| seen.insert(operand)));
        next += 1;
    }
    parts
}

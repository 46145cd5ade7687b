//! Quantifiers, comprehensions and equalities of maps.
//!
//! Where the values of the bound variables can be listed, or the formula's own guards leave few of
//! them, a quantifier is a conjunction or a disjunction, and a comprehension a table. Anywhere else
//! they are [claims](crate::claims).

use std::rc::Rc;

use circuit::{Bits, Gate};
use ir::{Binder, ExprId, Limit, Order, Quantifier, Type};

use crate::claims::What;
use crate::context::Context;
use crate::escape::Escape;
use crate::expr::Reader;
use crate::integer::Integer;
use crate::limits::{QUANTIFIED_BITS, QUANTIFIER_CASES};
use crate::sym::Sym;

impl<'m> Context<'m> {
    pub(crate) fn quantified(
        &mut self,
        reader: &mut Reader<'_, 'm>,
        quantifier: Quantifier,
        binders: &'m [Binder],
        body: ExprId,
    ) -> Gate {
        if let Some(cases) = self.cases(reader, quantifier, binders, body) {
            let values = self.at_all(reader, binders, body, cases);
            let gates = values.iter().map(Sym::gate);
            return match quantifier {
                Quantifier::All => self.circuit.and_all(gates),
                Quantifier::Some => self.circuit.or_all(gates),
            };
        }
        if !binders.iter().all(|&binder| self.has_terms(reader.exprs.binder(binder).1)) {
            if self.under() {
                self.escape(Gate::TRUE, Escape::UnboundedQuantifier);
                return Gate::FALSE;
            }
            return self.circuit.input();
        }
        let truth = self.circuit.input();
        let scene = reader.scene(binders, body);
        self.claim(What::Quantified { quantifier, truth, scene });
        truth
    }

    pub(crate) fn lambda(
        &mut self,
        reader: &mut Reader<'_, 'm>,
        binders: &'m [Binder],
        body: ExprId,
        ty: &'m Type,
    ) -> Sym {
        let Type::Map(keys, value) = ty else { unreachable!("{ty:?} is no map type") };
        if self.keys(keys).is_some() {
            let cases = self.listed(keys);
            let mut guards = Vec::new();
            if **value == Type::Bool {
                reader.exprs.conjuncts(body, &mut guards);
            }
            let may = self.may_hold(reader, &guards, binders, &cases);
            let looked_at = cases.into_iter().zip(&may).filter(|(_, may)| **may);
            let looked_at = looked_at.map(|(case, _)| case).collect();
            let mut values = self.at_all(reader, binders, body, looked_at).into_iter();
            let each = may.iter().map(|may| match may {
                true => values.next().expect("each case has a value"),
                false => Sym::Bool(Gate::FALSE),
            });
            return Sym::Table(Rc::new(each.collect()));
        }
        let Some((index, word)) = self.word_widths(keys, value) else { return self.beyond(ty) };
        if !keys.iter().all(|key| self.has_terms(key)) {
            return self.beyond(ty);
        }
        let array = Sym::Array(self.arrays.unknown(index, word));
        let scene = reader.scene(binders, body);
        self.claim(What::Lambda { array: array.clone(), ty, scene });
        array
    }

    /// Whether two maps with keys that cannot be listed, and that are not one and the same array, are
    /// equal.
    pub(crate) fn equal_maps(&mut self, ty: &Type, a: &Sym, b: &Sym) -> Gate {
        let Type::Map(keys, _) = ty else { unreachable!("{ty:?} is no map type") };
        if !keys.iter().all(|key| self.has_terms(key)) {
            return self.beyond(&Type::Bool).gate();
        }
        let truth = self.circuit.input();
        self.claim(What::Equal { truth, ty: ty.clone(), maps: [a.clone(), b.clone()] });
        truth
    }

    /// The values of an expression at some values of bound variables.
    fn at_all(
        &mut self,
        reader: &mut Reader<'_, 'm>,
        binders: &[Binder],
        body: ExprId,
        cases: Vec<Vec<Sym>>,
    ) -> Vec<Sym> {
        let bound = binders.iter().map(|binder| reader.binders.get(binder).cloned());
        let outer: Vec<Option<Sym>> = bound.collect();
        let mut values = Vec::with_capacity(cases.len());
        for case in cases {
            reader.binders.extend(binders.iter().copied().zip(case));
            values.push(self.eval(reader, body));
        }
        for (binder, outer) in binders.iter().zip(outer) {
            match outer {
                Some(value) => reader.binders.insert(*binder, value),
                None => reader.binders.remove(binder),
            };
        }
        values
    }

    /// The cases that may satisfy all guards: without atoms that are certainly not members of a required set. Where
    /// a heap is known, that excludes most of them.
    fn may_hold(
        &mut self,
        reader: &mut Reader<'_, 'm>,
        guards: &[ExprId],
        binders: &[Binder],
        cases: &[Vec<Sym>],
    ) -> Vec<bool> {
        let mut may = vec![true; cases.len()];
        if !self.under() || self.claims.expected {
            return may;
        }
        for (position, &binder) in binders.iter().enumerate() {
            for &guard in guards {
                let Some((Limit::Member, set)) = reader.exprs.limit(guard, binder) else {
                    continue;
                };
                let mentioned = self.mentioned_in(reader.exprs, set);
                if mentioned.iter().any(|binder| binders.contains(binder)) {
                    continue;
                }
                let Sym::Table(members) = self.aside(reader, set) else { continue };
                for (may, case) in may.iter_mut().zip(cases) {
                    let Sym::Bits(atom) = &case[position] else { continue };
                    let number = atom.as_constant().map(|number| number as usize);
                    let member = number.and_then(|number| members.get(number));
                    *may &= member != Some(&Sym::Bool(Gate::FALSE));
                }
            }
        }
        may
    }

    /// The cases that decide a quantified formula, if they can be listed.
    fn cases(
        &mut self,
        reader: &mut Reader<'_, 'm>,
        quantifier: Quantifier,
        binders: &[Binder],
        body: ExprId,
    ) -> Option<Vec<Vec<Sym>>> {
        let types: Vec<Type> =
            binders.iter().map(|&binder| reader.exprs.binder(binder).1.clone()).collect();
        let guards = reader.exprs.guards(quantifier, body);
        if self.keys(&types).is_some() {
            let cases = self.listed(&types);
            let may = self.may_hold(reader, &guards, binders, &cases);
            let cases = cases.into_iter().zip(may).filter(|(_, may)| *may);
            return Some(cases.map(|(case, _)| case).collect());
        }
        let mut cases = vec![Vec::new()];
        for (position, ty) in types.iter().enumerate() {
            let values = match self.values(ty) {
                Some(count) => (0..count).map(|number| self.value(ty, number)).collect(),
                None => match self.indexed(reader, &guards, binders, binders[position], body) {
                    Some(listed) => listed,
                    None => self.guarded(reader, &guards, &binders[position..], binders, ty)?,
                },
            };
            if cases.len() * values.len() > QUANTIFIER_CASES {
                return None;
            }
            cases = cases
                .iter()
                .flat_map(|case: &Vec<Sym>| {
                    values.iter().map(|value| case.iter().cloned().chain([value.clone()]).collect())
                })
                .collect();
        }
        Some(cases)
    }

    /// The values that guards leave of a bound variable, the first of those that are `open`.
    fn guarded(
        &mut self,
        reader: &mut Reader<'_, 'm>,
        guards: &[ExprId],
        open: &[Binder],
        all: &[Binder],
        ty: &Type,
    ) -> Option<Vec<Sym>> {
        let limits: Vec<(Limit, ExprId)> = guards
            .iter()
            .filter_map(|&guard| reader.exprs.limit(guard, open[0]))
            .filter(|&(_, by)| !reader.exprs.mentions(by, open))
            .collect();
        let is_fixed = |by: ExprId| !reader.exprs.mentions(by, all);
        if let Some(&(_, by)) =
            limits.iter().find(|(limit, by)| *limit == Limit::Equal && is_fixed(*by))
        {
            return Some(vec![self.aside(reader, by)]);
        }
        let (mut least, mut greatest) = match ty {
            Type::Bv(width) if *width <= QUANTIFIED_BITS => (Some(0), Some((1_i128 << *width) - 1)),
            Type::Bv(_) => (Some(0), None),
            Type::Int => (None, None),
            _ => return None,
        };
        for (limit, by) in limits {
            let (order, strict, below) = match limit {
                Limit::Below { order, strict } => (order, strict, true),
                Limit::Above { order, strict } => (order, strict, false),
                Limit::Equal | Limit::Member => continue,
            };
            if order == Order::Signed {
                continue;
            }
            let number = match is_fixed(by) {
                true => {
                    let value = self.aside(reader, by);
                    constant(&value).or_else(|| greatest_possible(&value).filter(|_| below))
                }
                false => None,
            };
            // In an under-approximation, every limit is an integer of the scope.
            let half = 1_i128 << (self.scope.int_width - 1);
            let number = match (number, order) {
                (Some(number), _) => number + i128::from(strict) * if below { -1 } else { 1 },
                (None, Order::Integers) if self.under() => {
                    if below {
                        half - 1
                    } else {
                        -half
                    }
                }
                (None, _) => continue,
            };
            let bound = if below { &mut greatest } else { &mut least };
            *bound = Some(match *bound {
                Some(known) if below => known.min(number),
                Some(known) => known.max(number),
                None => number,
            });
        }
        let (least, greatest) = (least?, greatest?);
        if greatest.saturating_sub(least) >= QUANTIFIER_CASES as i128 {
            return None;
        }
        (least..=greatest).map(|number| self.number(ty, number)).collect()
    }

    /// The value of an expression, whether it leaves the scope or not.
    pub(crate) fn aside(&mut self, reader: &mut Reader<'_, 'm>, id: ExprId) -> Sym {
        let before = std::mem::take(&mut self.escapes);
        let value = self.eval(reader, id);
        self.escapes = before;
        value
    }

    /// An integer or a word that is this number, if there is one within the scope.
    fn number(&mut self, ty: &Type, number: i128) -> Option<Sym> {
        match ty {
            Type::Bv(width) => {
                let number = u128::try_from(number).ok()?;
                Some(Sym::Bits(Bits::constant(*width as usize, number)))
            }
            _ => {
                let width = self.scope.int_width as usize;
                let half = 1_i128 << (width - 1);
                let fits = (-half..half).contains(&number);
                fits.then(|| Sym::Int(Integer::small(Bits::signed_constant(width, number))))
            }
        }
    }
}

/// A number that an integer is not greater than whatever the inputs: it has as many bits as are not
/// certainly zero.
fn greatest_possible(value: &Sym) -> Option<i128> {
    let Sym::Int(integer) = value else { return None };
    if integer.big != Gate::FALSE {
        return None;
    }
    let open = integer.word.iter().collect::<Vec<_>>();
    let bits = open.iter().rposition(|&bit| bit != Gate::FALSE).map_or(0, |last| last + 1);
    (bits < open.len()).then(|| (1_i128 << bits) - 1)
}

/// The number that an integer or a word certainly is.
fn constant(value: &Sym) -> Option<i128> {
    match value {
        Sym::Bits(bits) => i128::try_from(bits.as_constant()?).ok(),
        Sym::Int(integer) if integer.big == Gate::FALSE => {
            let width = integer.word.width();
            let number = integer.word.as_constant()? as i128;
            let negative = number >> (width - 1) & 1 == 1;
            Some(if negative { number - (1 << width) } else { number })
        }
        _ => None,
    }
}

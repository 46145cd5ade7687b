//! Representatives of the keys of a map that the procedure does not mention.
//!
//! A witness has maps with finitely many exceptions to a default, and a claim about all keys must hold for the
//! default too. So, in an under-approximation, each type has a key that is no term, and two more beside each value
//! with which a bound variable is compared. Claims are instantiated at them. Every unknown array holds the same
//! value at all of them, which is its default.
//!
//! A value computed from such a key is a term like any other, but may be the key itself: `i - 1` at `k + 1`.

use std::collections::BTreeSet;

use circuit::{Bits, Gate};
use ir::Type;

use super::terms::Term;
use crate::context::Context;
use crate::sym::Sym;

/// A value that is no term.
#[derive(Clone)]
pub(super) struct Elsewhere {
    pub(super) ty: Type,
    pub(super) value: Sym,
    /// If given, the value that it is less or greater than, so that on this side of it there is such a
    /// value too.
    pub(super) beside: Option<(Sym, Side)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Less,
    Greater,
}

impl Context<'_> {
    /// The value of a type that stands for all that are no terms, or for those beside another value.
    pub(super) fn elsewhere(&mut self, ty: &Type, beside: Option<(Sym, Side)>) -> Term {
        let same = |known: &Elsewhere| known.ty == *ty && known.beside == beside;
        let known = self.claims.elsewhere.iter().position(same);
        let number = known.unwrap_or_else(|| {
            let value = self.fresh(ty);
            self.claims.elsewhere.push(Elsewhere { ty: ty.clone(), value, beside });
            self.claims.elsewhere.len() - 1
        });
        let value = self.claims.elsewhere[number].value.clone();
        Term { value, reached: Gate::TRUE, from: BTreeSet::from([number]) }
    }

    /// Says that the values that stand for all that are no terms are none, where the type has values
    /// enough, and that every unknown array holds the same at all of them. Gives one for each type.
    pub(super) fn settle_elsewhere(&mut self) -> Vec<(Type, Bits)> {
        let all = std::mem::take(&mut self.claims.elsewhere);
        let mut words: Vec<Bits> = Vec::new();
        let mut settled = Vec::new();
        for (number, Elsewhere { ty, value, beside }) in all.into_iter().enumerate() {
            let terms = self.terms_of(&ty);
            let room = match &beside {
                None => {
                    let width = self.word_width(&ty).unwrap_or(0);
                    Gate::constant(width >= 32 || terms.len() <= (1 << width) / 2)
                }
                Some((other, side)) => self.room(other, *side, terms.len()),
            };
            let others = terms.iter().filter(|term| !term.from.contains(&number));
            let mut conditions: Vec<Gate> =
                others.map(|term| !self.equal(&ty, &term.value, &value)).collect();
            match beside {
                None => settled.push((ty.clone(), self.pack(&value))),
                Some((other, Side::Less)) => conditions.push(self.is_less(&value, &other)),
                Some((other, Side::Greater)) => conditions.push(self.is_less(&other, &value)),
            }
            let apart = self.circuit.and_all(conditions);
            let follows = self.circuit.implies(room, apart);
            self.constrain(follows);
            words.push(self.pack(&value));
        }
        for (array, ..) in self.unknowns.clone() {
            let known: Vec<Bits> = self.arrays.cells(array).map(|(at, _)| at.clone()).collect();
            let mut first = None;
            for word in words.iter().filter(|word| known.contains(word)) {
                let there = self.arrays.read(&mut self.circuit, array, word);
                let first = first.get_or_insert_with(|| there.clone());
                let same = self.circuit.equal(first, &there);
                self.constrain(same);
            }
        }
        settled
    }

    /// Whether there are more values than this on one side of an integer or a word.
    fn room(&mut self, value: &Sym, side: Side, count: usize) -> Gate {
        let (word, ones) = match value {
            // As a natural number, an integer is moved up by half the range.
            Sym::Int(integer) => {
                let mut gates = integer.word.gates().to_vec();
                let sign = gates.len() - 1;
                gates[sign] = !gates[sign];
                (Bits::from(gates), integer.word.width())
            }
            value => (value.bits().clone(), value.bits().width()),
        };
        if ones < 32 && count + 1 >= 1 << ones {
            return Gate::FALSE;
        }
        let count = Bits::constant(ones, count as u128);
        match side {
            Side::Less => self.circuit.ult(&count, &word),
            Side::Greater => self.circuit.ult(&count, &!&word),
        }
    }

    /// Whether an integer is less than another, or a word as a natural number.
    fn is_less(&mut self, a: &Sym, b: &Sym) -> Gate {
        match (a, b) {
            (Sym::Int(a), Sym::Int(b)) => self.int_less(a, b),
            (a, b) => self.circuit.ult(a.bits(), b.bits()),
        }
    }
}

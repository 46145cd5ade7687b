//! Symmetry of the initial state: one numbering of atoms instead of all.
//!
//! Nothing in a program names an atom, so a renumbering of those that exist at the start changes
//! nothing that can be asked. Of all numberings only those are kept in which atoms are met in
//! order: reading parameters first, then row by row the maps from atoms to atoms, a value is
//! at most one more than the greatest that has been read, or than the row it is read in. Every state
//! has such a numbering: number what is met in the order in which it is met, and where nothing more is
//! met take any of the rest. For lists and trees that is breadth-first order (Galeotti et al., ISSTA
//! 2010, §3.1, number heaps so).

use circuit::{Bits, Circuit};
use ir::{SortId, Type};

use crate::context::Context;
use crate::sym::Sym;

impl Context<'_> {
    /// Lets the initial values of variables be numbered in order. There is nothing to break in an
    /// over-approximation, where atoms are not listed.
    pub(crate) fn break_symmetry(&mut self, variables: &[(Type, Sym)]) {
        if !self.under() {
            return;
        }
        let mut met: Vec<Bits> = (0..self.module.sorts.len())
            .map(|sort| {
                let width = crate::sym::bits_for(self.atoms[sort] + 1);
                Bits::constant(width, 0)
            })
            .collect();
        for (ty, value) in variables {
            if let (Type::Sort(sort), Sym::Bits(value)) = (ty, value) {
                self.meet(&mut met[sort.0 as usize], value);
            }
        }
        for sort in 0..self.module.sorts.len() {
            for row in 1..=self.initial(SortId(sort as u32)) {
                let number = Bits::constant(met[sort].width(), u128::from(row));
                met[sort] = greater(&mut self.circuit, &met[sort].clone(), &number);
                for (ty, value) in variables {
                    let (Type::Map(keys, to), Sym::Table(values)) = (ty, value) else { continue };
                    let ([Type::Sort(from)], Type::Sort(to)) = (&keys[..], &**to) else { continue };
                    if from.0 as usize != sort {
                        continue;
                    }
                    if let Some(Sym::Bits(value)) = values.get(row as usize) {
                        self.meet(&mut met[to.0 as usize], value);
                    }
                }
            }
        }
    }

    /// A value is read: it has been met, or is the next.
    fn meet(&mut self, met: &mut Bits, value: &Bits) {
        let one = Bits::constant(met.width(), 1);
        let next = self.circuit.add(met, &one);
        // The greatest number of all has no next one, and none is needed.
        let is_fine = self.circuit.ule(value, &next);
        let is_last = self.circuit.ult(&next, met);
        let is_fine = self.circuit.or(is_fine, is_last);
        self.constrain(is_fine);
        *met = greater(&mut self.circuit, met, value);
    }
}

fn greater(circuit: &mut Circuit, a: &Bits, b: &Bits) -> Bits {
    let is_less = circuit.ult(a, b);
    circuit.select(is_less, b, a)
}

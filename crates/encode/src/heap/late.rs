//! Objects that are passed beside a structure: they are numbered after all objects that the structure leads to.
//!
//! A method of a heap receives one of its nodes. If that node were the first, the heap would be numbered from
//! there, in as many ways as it has nodes, and tight bounds would be needed for each. As the last one it is a node
//! that is numbered already, or the next.

use circuit::{Bits, Circuit, Gate};
use ir::{SortId, Type, Variable};

use super::feasible::Part;
use super::numbering::{Standing, State};
use crate::context::Context;
use crate::sym::Sym;

/// A parameter that is numbered late.
pub(super) struct Late {
    pub(super) sort: SortId,
    pub(super) word: Bits,
}

/// Whether a variable that holds an atom of a sort is met after all that other sorts lead to.
pub(super) fn is_late(variable: Variable, sort: SortId, sorts: &[Standing]) -> bool {
    let is_parameter = matches!(variable, Variable::Local(_));
    let mut standing = sorts.iter().filter(|standing| standing.sort == sort);
    is_parameter && standing.any(|standing| standing.is_led_to && standing.is_alone)
}

impl Context<'_> {
    /// The content of a variable that is numbered late.
    pub(super) fn late_part(&mut self, variable: Variable, sort: SortId, state: &mut State) -> Sym {
        let part = Part { variable, row: None };
        let feasible = self.scope.heaps.feasible.as_ref();
        let content = feasible.and_then(|feasible| feasible.parts.get(&part)).cloned();
        let value = self.unmet(content, None, &Type::Sort(sort), Gate::TRUE);
        state.parts.push((variable, None, Gate::TRUE, Type::Sort(sort), value.clone()));
        value
    }

    /// The next atom. If nothing else has led to it, it may be the next late parameter: then all atoms before it
    /// have been reached, and the earlier late parameters are among them.
    pub(super) fn meet_late(
        &mut self,
        late: &[Late],
        sort: SortId,
        row: u32,
        met: &mut [Vec<Gate>],
    ) {
        let (row, met) = (row as usize, &mut met[sort.0 as usize]);
        if row == 0 {
            return;
        }
        let mut before: Vec<&Bits> = Vec::new();
        for Late { word, .. } in late.iter().filter(|late| late.sort == sort) {
            let is = is(&mut self.circuit, word, row);
            if row > 1 {
                let in_order = self.circuit.implies(is, met[row - 1]);
                self.constrain(in_order);
            }
            let is_first = self.circuit.and(is, !met[row]);
            for earlier in &before {
                let less: Vec<Gate> =
                    (0..row).map(|number| self::is(&mut self.circuit, earlier, number)).collect();
                let is_less = self.circuit.or_all(less);
                let in_order = self.circuit.implies(is_first, is_less);
                self.constrain(in_order);
            }
            met[row] = self.circuit.or(met[row], is);
            before.push(word);
        }
    }
}

fn is(circuit: &mut Circuit, word: &Bits, number: usize) -> Gate {
    circuit.equal(word, &Bits::constant(word.width(), number as u128))
}

//! Values of operations that VIR does not model, such as floating-point divisions, on which no finding may depend;
//! and tests for NaN, without which an input is assumed not to be NaN.

use ir::{Float, Op};
use rustc_hash::FxHashSet;

use crate::space::{Atom, Space, Term, TermId};
use circuit::Guard;

impl Space {
    /// Whether a guard depends on a value that is not modelled.
    pub(crate) fn depends_on_unmodelled(&self, guard: Guard) -> bool {
        if self.unmodelled.is_empty() {
            return false;
        }
        let (mut guards, mut terms) = (vec![guard], Vec::new());
        let (mut seen_atoms, mut seen_terms) = (FxHashSet::default(), FxHashSet::default());
        loop {
            if let Some(guard) = guards.pop() {
                for number in self.diagrams.conditions(guard) {
                    if !seen_atoms.insert(number) {
                        continue;
                    }
                    match self.atom_of(number) {
                        Atom::Compare(_, a, b) => terms.extend([*a, *b]),
                        Atom::Input(input) if self.unmodelled.contains(input) => return true,
                        Atom::Null(_)
                        | Atom::Entry(..)
                        | Atom::Made(..)
                        | Atom::Input(_)
                        | Atom::Same(..) => {}
                    }
                }
                continue;
            }
            let Some(id) = terms.pop() else { return false };
            if !seen_terms.insert(id) {
                continue;
            }
            match self.term(id) {
                Term::Constant(_) => {}
                Term::Input(input) if self.unmodelled.contains(input) => return true,
                Term::Input(_) => {}
                Term::Op(_, operands) => terms.extend(operands),
                Term::Choice(guard, then, otherwise) => {
                    guards.push(*guard);
                    terms.extend([*then, *otherwise]);
                }
            }
        }
    }

    /// Whether some condition tests whether a word is NaN.
    pub(crate) fn is_tested(&self, id: TermId) -> bool {
        let tests = [Float::IsNan, Float::Equal];
        tests.iter().any(|test| self.has_atom(&Atom::Compare(Op::Float(*test), id, id)))
    }
}

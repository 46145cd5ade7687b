//! Symmetry: atoms that are interchangeable under the bounds, and predicates that keep one of many instances
//! that differ only in the names of such atoms.
//!
//! Two atoms are *interchangeable* if swapping them maps every bound to itself. This is an
//! equivalence (two swaps with a common atom compose to the third), so the universe falls into
//! classes, and every permutation within the classes maps instances to instances: no formula can
//! name an atom. For each pair of neighbours in a class a lex-leader predicate asks that the
//! instance, read as a bit string, is not smaller than its image under the swap (Crawford et al.,
//! *Symmetry-Breaking Predicates for Search Problems*, KR 1996; Torlak's thesis §3). The largest
//! image of an instance satisfies all of these at once, so no isomorphism class is lost.

use circuit::{Circuit, Gate};

use crate::bounds::{Bound, Bounds};
use crate::logic::{Arena, TotalOrder};
use crate::matrix::Matrix;
use crate::tuples::{TupleSet, atoms_of, number_of};

/// The classes of interchangeable atoms, each in order, singletons left out.
pub(crate) fn classes(bounds: &Bounds<'_>) -> Vec<Vec<usize>> {
    let n = bounds.universe().size();
    let mut pinned = vec![false; n];
    let mut sets: Vec<&TupleSet> = Vec::new();
    for (_, bound) in bounds.iter() {
        match bound {
            Bound::Between { lower, upper } => {
                sets.push(upper);
                if lower != upper && !lower.is_empty() {
                    sets.push(lower);
                }
            }
            // Nothing is known of the function that the gates compute.
            Bound::Gates(matrix) => {
                matrix.iter().flat_map(|(tuple, _)| tuple).for_each(|atom| pinned[atom] = true);
            }
        }
    }
    bounds.integers().values().for_each(|&atom| pinned[atom] = true);
    sets.sort_by_key(|set| (set.arity(), set.len()));
    let sets: Vec<Incidence<'_>> = sets.into_iter().map(Incidence::new).collect();
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for atom in (0..n).filter(|&atom| !pinned[atom]) {
        let class = classes
            .iter_mut()
            .find(|class| sets.iter().all(|set| set.invariant_under_swap(class[0], atom)));
        match class {
            Some(class) => class.push(atom),
            None => classes.push(vec![atom]),
        }
    }
    classes.retain(|class| class.len() > 1);
    classes
}

/// A set of tuples, with the tuples in which each atom occurs.
struct Incidence<'s> {
    set: &'s TupleSet,
    tuples: Vec<Vec<usize>>,
}

impl<'s> Incidence<'s> {
    fn new(set: &'s TupleSet) -> Incidence<'s> {
        let mut tuples = vec![Vec::new(); set.universe().size()];
        for &tuple in set.numbers() {
            let mut atoms = atoms_of(tuple, set.arity(), set.universe().size());
            atoms.sort_unstable();
            atoms.dedup();
            atoms.into_iter().for_each(|atom| tuples[atom].push(tuple));
        }
        Incidence { set, tuples }
    }

    fn invariant_under_swap(&self, a: usize, b: usize) -> bool {
        self.tuples[a].len() == self.tuples[b].len()
            && [a, b].iter().all(|&atom| {
                self.tuples[atom].iter().all(|&tuple| {
                    let n = self.set.universe().size();
                    self.set.has_number(swapped(tuple, self.set.arity(), n, a, b))
                })
            })
    }
}

/// The tuple with two atoms exchanged.
fn swapped(tuple: usize, arity: usize, n: usize, a: usize, b: usize) -> usize {
    let mut atoms = atoms_of(tuple, arity, n);
    for atom in &mut atoms {
        *atom = match *atom {
            x if x == a => b,
            x if x == b => a,
            x => x,
        };
    }
    number_of(&atoms, n)
}

/// Lex-leader predicates for the given classes of atoms: gates that hold in at least one of any
/// set of instances that differ by permuting the atoms of a class. An instance is read as a bit
/// string by listing the free cells of the given matrices, in this order. At most `length` pairs of
/// cells are compared for each pair of neighbours.
pub(crate) fn lex_leader<'m>(
    circuit: &mut Circuit,
    classes: &[Vec<usize>],
    order: impl Iterator<Item = &'m Matrix> + Clone,
    length: usize,
) -> Vec<Gate> {
    let mut predicates = Vec::new();
    for pair in classes.iter().flat_map(|class| class.windows(2)) {
        let compared = order.clone().flat_map(|matrix| images(matrix, pair[0], pair[1]));
        let mut equal = Gate::TRUE;
        for (cell, image) in compared.take(length) {
            let not_smaller = circuit.implies(image, cell);
            predicates.push(circuit.implies(equal, not_smaller));
            // Under the predicates so far, the prefixes agree exactly if none is larger.
            let not_larger = circuit.implies(cell, image);
            equal = circuit.and(equal, not_larger);
        }
    }
    predicates
}

/// The free cells of a matrix with their images under a swap, each pair once and none with itself.
/// The bounds are invariant under the swap, so a cell without an image can only be false, though
/// the circuit did not notice: it need not be compared.
fn images(matrix: &Matrix, a: usize, b: usize) -> impl Iterator<Item = (Gate, Gate)> + '_ {
    matrix.cells().iter().filter_map(move |&(tuple, here)| {
        let image = swapped(tuple, matrix.arity(), matrix.atoms(), a, b);
        if image <= tuple || here.as_constant().is_some() {
            return None;
        }
        let there = matrix.gate(image);
        there.as_constant().is_none().then_some((here, there))
    })
}

/// Fixes a total order to the order of the universe if its atoms are interchangeable: any order
/// of them is then as good as any other. Says whether it did.
pub(crate) fn fix_total_order(arena: &Arena, bounds: &mut Bounds<'_>, order: TotalOrder) -> bool {
    let parts = [order.next, order.ordered, order.first, order.last];
    let Some(parts) =
        parts.map(|part| arena.as_relation(part)).into_iter().collect::<Option<Vec<_>>>()
    else {
        return false;
    };
    let mut uppers = Vec::new();
    for &part in &parts {
        match bounds.get(part) {
            Some(Bound::Between { lower, upper }) if lower == upper || lower.is_empty() => {
                uppers.push((upper.clone(), lower == upper));
            }
            Some(Bound::Between { .. } | Bound::Gates(_)) | None => return false,
        }
    }
    let (ordered, exact) = &uppers[1];
    let atoms = ordered.numbers();
    let (Some(&first), Some(&last)) = (atoms.first(), atoms.last()) else { return false };
    let interchangeable = atoms.len() == 1
        || classes(bounds).iter().any(|class| atoms.iter().all(|atom| class.contains(atom)));
    if !exact || !interchangeable {
        return false;
    }
    let universe = bounds.universe().clone();
    let n = universe.size();
    let chain = atoms.windows(2).map(|pair| pair[0] * n + pair[1]).collect();
    let chain = TupleSet::from_sorted(universe.clone(), 2, chain);
    let [first, last] = [first, last].map(|a| TupleSet::from_sorted(universe.clone(), 1, vec![a]));
    let values = [(0, chain), (2, first), (3, last)];
    if values.iter().any(|(part, value)| !value.is_subset(&uppers[*part].0)) {
        return false;
    }
    for (part, value) in values {
        bounds.fix(parts[part], value);
    }
    true
}

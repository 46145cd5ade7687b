//! The algebra of relations on concrete tuple sets.
//!
//! These are the operations with which the evaluator judges instances, so they follow the
//! textbook definitions and nothing else. They trust their caller: operands share a universe and
//! have the arities the operation needs.

use crate::tuples::{TupleSet, number_of};
use crate::universe::Universe;

fn sorted(like: &TupleSet, arity: usize, mut tuples: Vec<usize>) -> TupleSet {
    tuples.sort_unstable();
    tuples.dedup();
    TupleSet::from_sorted(like.universe().clone(), arity, tuples)
}

fn filter(set: &TupleSet, keep: impl Fn(usize) -> bool) -> TupleSet {
    let tuples = set.numbers().iter().copied().filter(|&tuple| keep(tuple)).collect();
    TupleSet::from_sorted(set.universe().clone(), set.arity(), tuples)
}

/// The number of tuples of one less arity than the set's.
fn stride(set: &TupleSet) -> usize {
    set.universe().size().pow(set.arity() as u32 - 1)
}

/// The tuples whose first atom is `atom`.
fn row(set: &TupleSet, atom: usize) -> &[usize] {
    let stride = stride(set);
    let start = set.numbers().partition_point(|&tuple| tuple < atom * stride);
    let end = set.numbers().partition_point(|&tuple| tuple < (atom + 1) * stride);
    &set.numbers()[start..end]
}

pub(crate) fn union(a: &TupleSet, b: &TupleSet) -> TupleSet {
    sorted(a, a.arity(), a.numbers().iter().chain(b.numbers()).copied().collect())
}

pub(crate) fn intersection(a: &TupleSet, b: &TupleSet) -> TupleSet {
    filter(a, |tuple| b.has_number(tuple))
}

pub(crate) fn difference(a: &TupleSet, b: &TupleSet) -> TupleSet {
    filter(a, |tuple| !b.has_number(tuple))
}

pub(crate) fn product(a: &TupleSet, b: &TupleSet) -> TupleSet {
    let stride = a.universe().size().pow(b.arity() as u32);
    let pairs = |&left: &usize| b.numbers().iter().map(move |&right| left * stride + right);
    let tuples = a.numbers().iter().flat_map(pairs).collect();
    TupleSet::from_sorted(a.universe().clone(), a.arity() + b.arity(), tuples)
}

pub(crate) fn join(a: &TupleSet, b: &TupleSet) -> TupleSet {
    let n = a.universe().size();
    let stride = stride(b);
    let mut tuples = Vec::new();
    for &left in a.numbers() {
        tuples.extend(row(b, left % n).iter().map(|&right| left / n * stride + right % stride));
    }
    sorted(a, a.arity() + b.arity() - 2, tuples)
}

pub(crate) fn transpose(a: &TupleSet) -> TupleSet {
    let n = a.universe().size();
    sorted(a, 2, a.numbers().iter().map(|&pair| pair % n * n + pair / n).collect())
}

pub(crate) fn closure(a: &TupleSet) -> TupleSet {
    let mut closure = a.clone();
    loop {
        let larger = union(&closure, &join(&closure, a));
        if larger.len() == closure.len() {
            return closure;
        }
        closure = larger;
    }
}

pub(crate) fn identity(universe: &Universe) -> TupleSet {
    let n = universe.size();
    TupleSet::from_sorted(universe.clone(), 2, (0..n).map(|atom| atom * n + atom).collect())
}

/// `b`, and what of `a` starts with an atom that starts no tuple of `b`.
pub(crate) fn override_with(a: &TupleSet, b: &TupleSet) -> TupleSet {
    let stride = stride(a);
    union(&filter(a, |tuple| row(b, tuple / stride).is_empty()), b)
}

pub(crate) fn restrict_domain(domain: &TupleSet, a: &TupleSet) -> TupleSet {
    let stride = stride(a);
    filter(a, |tuple| domain.has_number(tuple / stride))
}

pub(crate) fn restrict_range(a: &TupleSet, range: &TupleSet) -> TupleSet {
    let n = a.universe().size();
    filter(a, |tuple| range.has_number(tuple % n))
}

/// The tuples rebuilt from the given columns, which may repeat or be left out.
pub(crate) fn project(a: &TupleSet, columns: &[usize]) -> TupleSet {
    let n = a.universe().size();
    let tuples =
        a.iter().map(|tuple| number_of(columns.iter().map(|&column| &tuple[column]), n)).collect();
    sorted(a, columns.len(), tuples)
}

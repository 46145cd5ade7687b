//! Sparse matrices of gates: the value of a relational expression under all instances at once.
//!
//! The cell of a tuple is a gate that holds in exactly the instances in which the tuple belongs
//! to the expression's value (Torlak and Jackson, *Kodkod: A Relational Model Finder*, TACAS
//! 2007, §4). Cells that are constantly false are not stored, so bounds make matrices small.

use circuit::{Circuit, Gate};

use crate::tuples::{TupleSet, atoms_of, number_of};

/// A relation whose membership is computed by gates.
///
/// Invariants: cells are sorted by tuple number, each tuple at most once, none constantly false.
/// Operations trust that their operands have one universe and the arities that the operation needs.
///
/// ```
/// use circuit::{Circuit, Gate};
/// use relational::Matrix;
/// let mut circuit = Circuit::new();
/// let x = circuit.input();
/// let mut next = Matrix::new(3, 2);
/// next.set(&[0, 1], Gate::TRUE);
/// next.set(&[1, 2], x);
/// let reached = next.closure(&mut circuit);
/// assert_eq!(reached.get(&[0, 2]), x);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    atoms: usize,
    arity: usize,
    cells: Vec<(usize, Gate)>,
}

impl Matrix {
    /// The empty relation of this arity over a universe of this many atoms.
    pub fn new(atoms: usize, arity: usize) -> Matrix {
        Matrix { atoms, arity, cells: Vec::new() }
    }

    /// A matrix from cells in order of their tuples; false cells are left out.
    pub(crate) fn from_sorted(
        atoms: usize,
        arity: usize,
        cells: impl IntoIterator<Item = (usize, Gate)>,
    ) -> Matrix {
        let cells: Vec<_> = cells.into_iter().filter(|&(_, gate)| gate != Gate::FALSE).collect();
        debug_assert!(cells.windows(2).all(|w| w[0].0 < w[1].0), "cells must be sorted");
        Matrix { atoms, arity, cells }
    }

    /// The constant matrix of a set of tuples.
    pub(crate) fn constant(set: &TupleSet) -> Matrix {
        let cells = set.numbers().iter().map(|&tuple| (tuple, Gate::TRUE));
        Matrix::from_sorted(set.universe().size(), set.arity(), cells)
    }

    pub(crate) fn singleton(atoms: usize, arity: usize, tuple: usize) -> Matrix {
        Matrix { atoms, arity, cells: vec![(tuple, Gate::TRUE)] }
    }

    /// The number of atoms of the universe.
    pub fn atoms(&self) -> usize {
        self.atoms
    }

    /// The number of columns of the relation.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// The number of tuples that may be in the relation.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether the relation is constantly empty.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Sets the gate of a tuple of atom positions.
    ///
    /// # Panics
    /// If the tuple has another arity or an atom outside the universe.
    pub fn set(&mut self, tuple: &[usize], gate: Gate) {
        assert_eq!(tuple.len(), self.arity, "the tuple has another arity than the matrix");
        assert!(tuple.iter().all(|&atom| atom < self.atoms), "an atom is outside the universe");
        let number = number_of(tuple, self.atoms);
        match self.cells.binary_search_by_key(&number, |cell| cell.0) {
            Ok(place) if gate == Gate::FALSE => drop(self.cells.remove(place)),
            Ok(place) => self.cells[place].1 = gate,
            Err(_) if gate == Gate::FALSE => {}
            Err(place) => self.cells.insert(place, (number, gate)),
        }
    }

    /// The gate of a tuple of atom positions.
    pub fn get(&self, tuple: &[usize]) -> Gate {
        self.gate(number_of(tuple, self.atoms))
    }

    /// The cells that are not constantly false, as atom positions and gates.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Vec<usize>, Gate)> + '_ {
        self.cells.iter().map(|&(tuple, gate)| (atoms_of(tuple, self.arity, self.atoms), gate))
    }

    pub(crate) fn cells(&self) -> &[(usize, Gate)] {
        &self.cells
    }

    pub(crate) fn gates(&self) -> impl Iterator<Item = Gate> + '_ {
        self.cells.iter().map(|cell| cell.1)
    }

    pub(crate) fn gate(&self, tuple: usize) -> Gate {
        match self.cells.binary_search_by_key(&tuple, |cell| cell.0) {
            Ok(place) => self.cells[place].1,
            Err(_) => Gate::FALSE,
        }
    }

    /// The number of tuples of one less arity: the distance between the rows of two atoms.
    fn stride(&self) -> usize {
        self.atoms.pow(self.arity as u32 - 1)
    }

    /// The cells whose tuples start with this atom.
    fn row(&self, atom: usize) -> &[(usize, Gate)] {
        let stride = self.stride();
        let start = self.cells.partition_point(|cell| cell.0 < atom * stride);
        let rest = &self.cells[start..];
        &rest[..rest.partition_point(|cell| cell.0 < (atom + 1) * stride)]
    }

    fn like(&self, cells: impl IntoIterator<Item = (usize, Gate)>) -> Matrix {
        Matrix::from_sorted(self.atoms, self.arity, cells)
    }

    /// Cells in any order, a tuple possibly several times: its gates are united.
    fn gather(
        circuit: &mut Circuit,
        atoms: usize,
        arity: usize,
        mut cells: Vec<(usize, Gate)>,
    ) -> Matrix {
        cells.sort_unstable();
        let groups = cells.chunk_by(|a, b| a.0 == b.0);
        let united: Vec<(usize, Gate)> = groups
            .map(|group| match *group {
                [cell] => cell,
                _ => (group[0].0, circuit.or_all(group.iter().map(|cell| cell.1))),
            })
            .collect();
        Matrix::from_sorted(atoms, arity, united)
    }

    /// The cells of both matrices, in order; a missing cell is false.
    fn merge<'m>(&'m self, other: &'m Matrix) -> impl Iterator<Item = (usize, Gate, Gate)> + 'm {
        let (mut left, mut right) = (self.cells.iter().peekable(), other.cells.iter().peekable());
        std::iter::from_fn(move || {
            let (l, r) = (left.peek().map(|c| c.0), right.peek().map(|c| c.0));
            let tuple = match (l, r) {
                (None, None) => return None,
                (Some(only), None) | (None, Some(only)) => only,
                (Some(l), Some(r)) => l.min(r),
            };
            let a = if l == Some(tuple) {
                left.next().map_or(Gate::FALSE, |c| c.1)
            } else {
                Gate::FALSE
            };
            let b = if r == Some(tuple) {
                right.next().map_or(Gate::FALSE, |c| c.1)
            } else {
                Gate::FALSE
            };
            Some((tuple, a, b))
        })
    }

    /// The tuples of either relation.
    pub fn union(&self, other: &Matrix, circuit: &mut Circuit) -> Matrix {
        self.like(self.merge(other).map(|(tuple, a, b)| (tuple, circuit.or(a, b))))
    }

    /// The tuples of both relations.
    pub fn intersection(&self, other: &Matrix, circuit: &mut Circuit) -> Matrix {
        self.like(self.merge(other).map(|(tuple, a, b)| (tuple, circuit.and(a, b))))
    }

    /// The tuples of this relation that the other lacks.
    pub fn difference(&self, other: &Matrix, circuit: &mut Circuit) -> Matrix {
        self.like(self.merge(other).map(|(tuple, a, b)| (tuple, circuit.and(a, !b))))
    }

    pub(crate) fn ite(&self, other: &Matrix, condition: Gate, circuit: &mut Circuit) -> Matrix {
        self.like(self.merge(other).map(|(tuple, a, b)| (tuple, circuit.ite(condition, a, b))))
    }

    /// Every concatenation of a tuple of this relation and one of the other.
    pub fn product(&self, other: &Matrix, circuit: &mut Circuit) -> Matrix {
        let stride = other.stride() * other.atoms;
        let mut cells = Vec::with_capacity(self.len() * other.len());
        for &(left, a) in &self.cells {
            for &(right, b) in &other.cells {
                cells.push((left * stride + right, circuit.and(a, b)));
            }
        }
        Matrix::from_sorted(self.atoms, self.arity + other.arity, cells)
    }

    /// The relational join: the last column of this relation against the first of the other.
    pub fn join(&self, other: &Matrix, circuit: &mut Circuit) -> Matrix {
        let stride = other.stride();
        let arity = self.arity + other.arity - 2;
        let mut cells = Vec::new();
        for &(left, a) in &self.cells {
            let base = left / self.atoms * stride;
            for &(right, b) in other.row(left % self.atoms) {
                let gate = circuit.and(a, b);
                if gate != Gate::FALSE {
                    cells.push((base + right % stride, gate));
                }
            }
        }
        Matrix::gather(circuit, self.atoms, arity, cells)
    }

    /// How many pairs of cells a join with the other matrix looks at.
    pub(crate) fn join_size(&self, other: &Matrix) -> usize {
        if self.len().saturating_mul(other.len()) < 1 << 16 {
            return self.len() * other.len();
        }
        let rows: Vec<usize> = (0..self.atoms).map(|atom| other.row(atom).len()).collect();
        self.cells.iter().map(|cell| rows[cell.0 % self.atoms]).sum()
    }

    /// The pairs of this binary relation, turned around.
    pub fn transpose(&self) -> Matrix {
        let n = self.atoms;
        let mut cells: Vec<_> =
            self.cells.iter().map(|&(pair, gate)| (pair % n * n + pair / n, gate)).collect();
        cells.sort_unstable();
        self.like(cells)
    }

    /// The transitive closure.
    pub fn closure(&self, circuit: &mut Circuit) -> Matrix {
        self.clone().squared(self.longest_path(), circuit)
    }

    /// The reflexive transitive closure: the diagonal is known and costs nothing.
    pub fn reflexive_closure(&self, circuit: &mut Circuit) -> Matrix {
        let reflexive = self.union(&Matrix::identity(self.atoms), circuit);
        reflexive.squared(self.longest_path(), circuit)
    }

    /// No simple path or cycle is longer than the number of atoms that some pair starts with.
    fn longest_path(&self) -> usize {
        self.cells.chunk_by(|a, b| a.0 / self.atoms == b.0 / self.atoms).count()
    }

    /// The pairs connected by paths of at most this length, by repeated squaring: after `k` rounds the paths
    /// of length `2ᵏ` are in.
    fn squared(self, longest: usize, circuit: &mut Circuit) -> Matrix {
        let mut paths = self;
        let mut length = 1;
        while length < longest {
            let twice = paths.with_square(circuit);
            if twice == paths {
                break;
            }
            paths = twice;
            length *= 2;
        }
        paths
    }

    /// This binary relation united with its join with itself. A step from an atom to itself adds
    /// nothing to the other step, which the relation holds already, so it is left out.
    fn with_square(&self, circuit: &mut Circuit) -> Matrix {
        let n = self.atoms;
        let mut cells = self.cells.clone();
        for &(left, a) in &self.cells {
            let (from, through) = (left / n, left % n);
            if from == through {
                continue;
            }
            for &(right, b) in self.row(through) {
                let to = right % n;
                let known = to == through || self.gate(from * n + to) == Gate::TRUE;
                let gate = if known { Gate::FALSE } else { circuit.and(a, b) };
                if gate != Gate::FALSE {
                    cells.push((from * n + to, gate));
                }
            }
        }
        Matrix::gather(circuit, n, 2, cells)
    }

    pub(crate) fn identity(atoms: usize) -> Matrix {
        let cells = (0..atoms).map(|atom| (atom * atoms + atom, Gate::TRUE));
        Matrix::from_sorted(atoms, 2, cells)
    }

    /// Keeps each cell under a gate that depends on its tuple.
    fn guard(&self, circuit: &mut Circuit, gate: impl Fn(&mut Circuit, usize) -> Gate) -> Matrix {
        self.like(self.cells.iter().map(|&(tuple, cell)| {
            let kept = gate(circuit, tuple);
            (tuple, circuit.and(cell, kept))
        }))
    }

    pub(crate) fn override_with(&self, other: &Matrix, circuit: &mut Circuit) -> Matrix {
        let stride = self.stride();
        let absent: Vec<Gate> = (0..self.atoms)
            .map(|atom| circuit.and_all(other.row(atom).iter().map(|cell| !cell.1)))
            .collect();
        let kept = self.guard(circuit, |_, tuple| absent[tuple / stride]);
        kept.union(other, circuit)
    }

    pub(crate) fn restrict_domain(&self, domain: &Matrix, circuit: &mut Circuit) -> Matrix {
        let stride = self.stride();
        self.guard(circuit, |_, tuple| domain.gate(tuple / stride))
    }

    pub(crate) fn restrict_range(&self, range: &Matrix, circuit: &mut Circuit) -> Matrix {
        self.guard(circuit, |_, tuple| range.gate(tuple % self.atoms))
    }

    pub(crate) fn project(&self, columns: &[usize], circuit: &mut Circuit) -> Matrix {
        let project =
            |tuple: Vec<usize>| number_of(columns.iter().map(|&column| &tuple[column]), self.atoms);
        let cells = self.iter().map(|(tuple, gate)| (project(tuple), gate)).collect();
        Matrix::gather(circuit, self.atoms, columns.len(), cells)
    }

    /// Every tuple of this relation is in the other.
    pub fn subset(&self, other: &Matrix, circuit: &mut Circuit) -> Gate {
        let gates: Vec<Gate> =
            self.cells.iter().map(|&(tuple, a)| circuit.implies(a, other.gate(tuple))).collect();
        circuit.and_all(gates)
    }

    /// Both relations hold the same tuples.
    pub fn equal(&self, other: &Matrix, circuit: &mut Circuit) -> Gate {
        let gates: Vec<Gate> = self.merge(other).map(|(_, a, b)| circuit.iff(a, b)).collect();
        circuit.and_all(gates)
    }

    pub(crate) fn some(&self, circuit: &mut Circuit) -> Gate {
        circuit.or_all(self.gates())
    }

    pub(crate) fn lone(&self, circuit: &mut Circuit) -> Gate {
        let gates: Vec<Gate> = self.gates().collect();
        circuit.at_most_one(&gates)
    }
}

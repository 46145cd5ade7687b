//! Which variable to decide next among those that are not shown: the one that was in conflicts most, and most
//! recently (Moskewicz et al., *Chaff*, DAC 2001), and the value that it had last.

use crate::{Lit, Var};

/// Conflicts count so much more than those before them.
const GROWTH: f64 = 1.0 / 0.95;
const LARGEST: f64 = 1e100;

/// Variables by how often they were in conflicts: a heap.
///
/// Invariants: `place` is the position of each variable in `heap`; no variable has a higher activity than its
/// parent.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    worth: Vec<f64>,
    value: Vec<bool>,
    heap: Vec<u32>,
    place: Vec<Place>,
    step: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// It is never decided.
    Nowhere,
    /// It has been taken.
    Out,
    At(u32),
}

impl Queue {
    /// A queue of these variables out of `num_vars`.
    pub(super) fn new(num_vars: usize, vars: impl IntoIterator<Item = Var>) -> Queue {
        let mut queue = Queue {
            worth: vec![0.0; num_vars],
            value: vec![false; num_vars],
            heap: Vec::new(),
            place: vec![Place::Nowhere; num_vars],
            step: 1.0,
        };
        for var in vars {
            if queue.place[var.index()] == Place::Nowhere {
                queue.place[var.index()] = Place::Out;
                queue.insert(var);
            }
        }
        queue
    }

    /// The value to try first.
    pub(super) fn prefer(&mut self, lit: Lit) {
        self.value[lit.var().index()] = lit.is_positive();
    }

    /// Takes the most important variable, with the value to try first.
    pub(super) fn take(&mut self) -> Option<Lit> {
        let first = *self.heap.first()?;
        let last = self.heap.pop().expect("there is a first");
        self.place[first as usize] = Place::Out;
        if last != first {
            self.put(0, last);
            self.sink(0);
        }
        Some(Var::new(first as usize).lit(self.value[first as usize]))
    }

    /// Puts a variable back that was taken.
    pub(super) fn insert(&mut self, var: Var) {
        if self.place[var.index()] == Place::Out {
            self.heap.push(var.index() as u32);
            self.rise(self.heap.len() - 1);
        }
    }

    /// A variable was in a conflict.
    pub(super) fn bump(&mut self, var: Var) {
        if self.place[var.index()] == Place::Nowhere {
            return;
        }
        self.worth[var.index()] += self.step;
        if self.worth[var.index()] > LARGEST {
            self.worth.iter_mut().for_each(|worth| *worth /= LARGEST);
            self.step /= LARGEST;
        }
        if let Place::At(at) = self.place[var.index()] {
            self.rise(at as usize);
        }
    }

    /// A conflict is over.
    pub(super) fn decay(&mut self) {
        self.step *= GROWTH;
    }

    fn put(&mut self, at: usize, var: u32) {
        self.heap[at] = var;
        self.place[var as usize] = Place::At(at as u32);
    }

    fn is_worth_more(&self, a: u32, b: u32) -> bool {
        let (x, y) = (self.worth[a as usize], self.worth[b as usize]);
        // Equals in the order of their numbers.
        x > y || x == y && a < b
    }

    fn rise(&mut self, mut at: usize) {
        let var = self.heap[at];
        while at > 0 && self.is_worth_more(var, self.heap[(at - 1) / 2]) {
            self.put(at, self.heap[(at - 1) / 2]);
            at = (at - 1) / 2;
        }
        self.put(at, var);
    }

    fn sink(&mut self, mut at: usize) {
        let var = self.heap[at];
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let Some(&a) = self.heap.get(left) else { break };
            let below = match self.heap.get(right) {
                Some(&b) if self.is_worth_more(b, a) => right,
                _ => left,
            };
            if !self.is_worth_more(self.heap[below], var) {
                break;
            }
            self.put(at, self.heap[below]);
            at = below;
        }
        self.put(at, var);
    }
}

//! Guards: decision diagrams over named conditions (Xie & Aiken 2007, §3.3), hash-consed.
//!
//! A summary compares thousands of guards, so they are numbers here: equal guards have equal numbers,
//! copies cost nothing, and every operation is remembered. What a condition means is not known in this
//! file; [`crate::atom`] does, and a solver is asked only about guards that no diagram decides.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

/// A condition on the inputs of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Guard(u32);

impl Guard {
    pub(crate) const NEVER: Guard = Guard(0);
    pub(crate) const ALWAYS: Guard = Guard(1);

    pub(crate) fn constant(value: bool) -> Guard {
        if value { Guard::ALWAYS } else { Guard::NEVER }
    }

    fn is_constant(self) -> bool {
        self.0 < 2
    }
}

/// A node: which condition is looked at, and what is left if it does not hold and if it does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Node {
    pub(crate) condition: u32,
    pub(crate) low: Guard,
    pub(crate) high: Guard,
}

/// The diagrams of one procedure.
///
/// Invariants: nodes 0 and 1 are the constants; below a node only later conditions are looked at; no
/// node has equal sides, no two nodes are equal.
pub(crate) struct Diagrams {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Guard>,
    chosen: FxHashMap<(Guard, Guard, Guard), Guard>,
    restricted: FxHashMap<(Guard, Guard), Guard>,
    limit: usize,
}

impl Diagrams {
    /// No diagrams but the constants, and room for so many nodes.
    pub(crate) fn new(limit: usize) -> Diagrams {
        let constant = |guard| Node { condition: u32::MAX, low: guard, high: guard };
        Diagrams {
            nodes: vec![constant(Guard::NEVER), constant(Guard::ALWAYS)],
            unique: FxHashMap::default(),
            chosen: FxHashMap::default(),
            restricted: FxHashMap::default(),
            limit,
        }
    }

    /// Whether there were more nodes than there is room for; guards mean nothing from then on.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.nodes.len() > self.limit
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, guard: Guard) -> Option<Node> {
        (!guard.is_constant()).then(|| self.nodes[guard.0 as usize])
    }

    fn make(&mut self, condition: u32, low: Guard, high: Guard) -> Guard {
        if low == high || self.is_exhausted() {
            return low;
        }
        let node = Node { condition, low, high };
        *self.unique.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            Guard(self.nodes.len() as u32 - 1)
        })
    }

    /// The guard that holds where the condition with this number does.
    pub(crate) fn literal(&mut self, condition: u32) -> Guard {
        self.make(condition, Guard::NEVER, Guard::ALWAYS)
    }

    fn split(&self, guard: Guard, condition: u32) -> (Guard, Guard) {
        let node = self.nodes[guard.0 as usize];
        if node.condition == condition { (node.low, node.high) } else { (guard, guard) }
    }

    /// `then` where the guard holds, `otherwise` elsewhere.
    pub(crate) fn ite(&mut self, guard: Guard, then: Guard, otherwise: Guard) -> Guard {
        if guard == Guard::ALWAYS || then == otherwise {
            return then;
        }
        if guard == Guard::NEVER {
            return otherwise;
        }
        if then == Guard::ALWAYS && otherwise == Guard::NEVER {
            return guard;
        }
        if let Some(&known) = self.chosen.get(&(guard, then, otherwise)) {
            return known;
        }
        let condition = [guard, then, otherwise].map(|g| self.nodes[g.0 as usize].condition);
        let first = condition.into_iter().min().expect("there are three");
        let [(g0, g1), (t0, t1), (o0, o1)] =
            [guard, then, otherwise].map(|guard| self.split(guard, first));
        let low = self.ite(g0, t0, o0);
        let high = self.ite(g1, t1, o1);
        let result = self.make(first, low, high);
        self.chosen.insert((guard, then, otherwise), result);
        result
    }

    pub(crate) fn not(&mut self, guard: Guard) -> Guard {
        self.ite(guard, Guard::NEVER, Guard::ALWAYS)
    }

    pub(crate) fn and(&mut self, a: Guard, b: Guard) -> Guard {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.ite(a, b, Guard::NEVER)
    }

    pub(crate) fn or(&mut self, a: Guard, b: Guard) -> Guard {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.ite(a, Guard::ALWAYS, b)
    }

    pub(crate) fn and_not(&mut self, a: Guard, b: Guard) -> Guard {
        let not = self.not(b);
        self.and(a, not)
    }

    pub(crate) fn iff(&mut self, a: Guard, b: Guard) -> Guard {
        let not = self.not(b);
        self.ite(a, b, not)
    }

    /// A guard that agrees with the given one wherever `care` holds, and looks at less: what both sides
    /// of a branch have in common says nothing about which side was taken.
    pub(crate) fn restrict(&mut self, guard: Guard, care: Guard) -> Guard {
        if care.is_constant() || guard.is_constant() {
            return guard;
        }
        if guard == care {
            return Guard::ALWAYS;
        }
        if let Some(&known) = self.restricted.get(&(guard, care)) {
            return known;
        }
        let (g, c) = (self.nodes[guard.0 as usize], self.nodes[care.0 as usize]);
        let result = if c.condition < g.condition {
            let care = self.or(c.low, c.high);
            self.restrict(guard, care)
        } else {
            let (c0, c1) = self.split(care, g.condition);
            if c0 == Guard::NEVER {
                self.restrict(g.high, c1)
            } else if c1 == Guard::NEVER {
                self.restrict(g.low, c0)
            } else {
                let low = self.restrict(g.low, c0);
                let high = self.restrict(g.high, c1);
                self.make(g.condition, low, high)
            }
        };
        self.restricted.insert((guard, care), result);
        result
    }

    /// The guard that holds where the conditions to forget can be chosen such that the given one does.
    pub(crate) fn forget(&mut self, guard: Guard, forgotten: &dyn Fn(u32) -> bool) -> Guard {
        self.project(guard, &mut FxHashMap::default(), forgotten)
    }

    fn project(
        &mut self,
        guard: Guard,
        done: &mut FxHashMap<Guard, Guard>,
        forgotten: &dyn Fn(u32) -> bool,
    ) -> Guard {
        let Some(node) = self.node(guard) else { return guard };
        if let Some(&known) = done.get(&guard) {
            return known;
        }
        let low = self.project(node.low, done, forgotten);
        let high = self.project(node.high, done, forgotten);
        let result = match forgotten(node.condition) {
            true => self.or(low, high),
            false => self.make(node.condition, low, high),
        };
        done.insert(guard, result);
        result
    }

    /// The conditions that a guard looks at.
    pub(crate) fn conditions(&self, guard: Guard) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![guard];
        while let Some(guard) = open.pop() {
            if let Some(node) = self.node(guard)
                && seen.insert(guard)
            {
                found.insert(node.condition);
                open.extend([node.low, node.high]);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{Diagrams, Guard};

    #[test]
    fn guards_are_functions_of_conditions() {
        let mut d = Diagrams::new(1000);
        let [a, b, c] = [0, 1, 2].map(|number| d.literal(number));
        let not_a = d.not(a);
        assert_eq!(d.or(a, not_a), Guard::ALWAYS);
        let (ab, ac) = (d.and(a, b), d.and(not_a, c));
        let either = d.or(ab, ac);
        assert_eq!(either, d.ite(a, b, c));
        assert_eq!(d.restrict(ab, a), b);
        let forgotten = d.forget(either, &|number| number == 0);
        assert_eq!(forgotten, d.or(b, c));
        assert_eq!(d.conditions(either).into_iter().collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn room_is_limited() {
        let mut d = Diagrams::new(3);
        for number in 0..5 {
            d.literal(number);
        }
        assert!(d.is_exhausted());
    }
}

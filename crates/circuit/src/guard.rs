//! Guards: binary decision diagrams over numbered conditions (Bryant 1986), hash-consed.
//!
//! A guard says under which conditions an execution gets somewhere. What a branch contributes disappears where its
//! sides join again: `c ∨ ¬c` is true, whatever `c` is (Xie & Aiken 2007, §3.3). Equal guards are equal numbers, a copy
//! costs nothing, and the results of operations are cached. What a condition means is not known here: for `encode` it is
//! a gate, for `summary` a comparison or a free choice.
//!
//! One table of nodes serves all guards of a procedure. Nodes are never freed; [`Guards::is_exhausted`] says when there
//! are more than the user wants to pay for.
//!
//! ```
//! use circuit::{Guard, Guards};
//! let mut guards = Guards::new(1000);
//! let (a, b) = (guards.literal(0), guards.literal(1));
//! let then = guards.and(a, b);
//! let otherwise = guards.and_not(a, b);
//! assert_eq!(guards.or(then, otherwise), a);
//! ```

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

/// A diagram, by its number in a table of [`Guards`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Guard(u32);

impl Guard {
    /// It never holds.
    pub const NEVER: Guard = Guard(0);
    /// It always holds.
    pub const ALWAYS: Guard = Guard(1);

    /// The guard that always or never holds.
    pub fn constant(value: bool) -> Guard {
        if value { Guard::ALWAYS } else { Guard::NEVER }
    }

    fn is_constant(self) -> bool {
        self.0 < 2
    }
}

/// A node: the condition that it tests, and the guards that remain if the condition does not hold and if it does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GuardNode {
    /// The condition.
    pub condition: u32,
    /// The guard where the condition does not hold.
    pub low: Guard,
    /// The guard where it holds.
    pub high: Guard,
}

/// A table of diagrams.
///
/// Invariants: nodes 0 and 1 are the constants; below a node only later conditions are tested; no node has equal sides,
/// no two nodes are equal. So two guards are equal as functions only if they are equal as numbers.
#[derive(Debug)]
pub struct Guards {
    nodes: Vec<GuardNode>,
    /// For each node, an upper bound of the number of nodes below it, itself included.
    sizes: Vec<u32>,
    unique: FxHashMap<GuardNode, Guard>,
    chosen: FxHashMap<(Guard, Guard, Guard), Guard>,
    restricted: FxHashMap<(Guard, Guard), Guard>,
    limit: usize,
}

impl Guards {
    /// A table with the constants only, of at most this many nodes.
    pub fn new(limit: usize) -> Guards {
        let constant = |guard| GuardNode { condition: u32::MAX, low: guard, high: guard };
        Guards {
            nodes: vec![constant(Guard::NEVER), constant(Guard::ALWAYS)],
            sizes: vec![0, 0],
            unique: FxHashMap::default(),
            chosen: FxHashMap::default(),
            restricted: FxHashMap::default(),
            limit,
        }
    }

    /// Whether there are more nodes than allowed; guards have no meaning from then on.
    pub fn is_exhausted(&self) -> bool {
        self.nodes.len() > self.limit
    }

    /// The number of nodes, including the constants.
    #[allow(clippy::len_without_is_empty, reason = "the constants are always there")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The root of a guard; none if it is constant.
    pub fn node(&self, guard: Guard) -> Option<GuardNode> {
        (!guard.is_constant()).then(|| self.nodes[guard.0 as usize])
    }

    fn make(&mut self, condition: u32, low: Guard, high: Guard) -> Guard {
        if low == high || self.is_exhausted() {
            return low;
        }
        let node = GuardNode { condition, low, high };
        *self.unique.entry(node).or_insert_with(|| {
            let size = |guard: Guard| self.sizes[guard.0 as usize];
            self.sizes.push(size(low).saturating_add(size(high)).saturating_add(1));
            self.nodes.push(node);
            Guard(self.nodes.len() as u32 - 1)
        })
    }

    /// The guard that holds where the condition with this number does.
    pub fn literal(&mut self, condition: u32) -> Guard {
        self.make(condition, Guard::NEVER, Guard::ALWAYS)
    }

    fn split(&self, guard: Guard, condition: u32) -> (Guard, Guard) {
        let node = self.nodes[guard.0 as usize];
        if node.condition == condition { (node.low, node.high) } else { (guard, guard) }
    }

    /// `then` where the guard holds, `otherwise` elsewhere.
    pub fn ite(&mut self, guard: Guard, then: Guard, otherwise: Guard) -> Guard {
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

    /// `¬a`.
    pub fn not(&mut self, guard: Guard) -> Guard {
        self.ite(guard, Guard::NEVER, Guard::ALWAYS)
    }

    /// `a ∧ b`.
    pub fn and(&mut self, a: Guard, b: Guard) -> Guard {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.ite(a, b, Guard::NEVER)
    }

    /// `a ∨ b`.
    pub fn or(&mut self, a: Guard, b: Guard) -> Guard {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.ite(a, Guard::ALWAYS, b)
    }

    /// `a ∧ ¬b`.
    pub fn and_not(&mut self, a: Guard, b: Guard) -> Guard {
        let not = self.not(b);
        self.and(a, not)
    }

    /// `a ⇔ b`.
    pub fn iff(&mut self, a: Guard, b: Guard) -> Guard {
        let not = self.not(b);
        self.ite(a, b, not)
    }

    /// A guard that agrees with the given one wherever `care` holds, and tests fewer conditions (the *restrict* of
    /// Coudert & Madre 1990).
    pub fn restrict(&mut self, guard: Guard, care: Guard) -> Guard {
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

    /// Existential quantification: the guard that holds where the given one does for some values of the conditions to
    /// forget.
    pub fn forget(&mut self, guard: Guard, forgotten: &dyn Fn(u32) -> bool) -> Guard {
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

    /// Whether a guard has more than this many nodes, constants left out.
    pub fn is_larger(&self, guard: Guard, than: usize) -> bool {
        if self.sizes[guard.0 as usize] as usize <= than {
            return false;
        }
        let mut seen = FxHashSet::default();
        let mut open = vec![guard];
        while let Some(guard) = open.pop() {
            if let Some(node) = self.node(guard)
                && seen.insert(guard)
            {
                if seen.len() > than {
                    return true;
                }
                open.extend([node.low, node.high]);
            }
        }
        false
    }

    /// The conditions that a guard tests.
    pub fn conditions(&self, guard: Guard) -> BTreeSet<u32> {
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
    use super::{Guard, Guards};

    #[test]
    fn guards_are_functions_of_conditions() {
        let mut d = Guards::new(1000);
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
    fn size_counts_shared_nodes_once() {
        let mut d = Guards::new(1000);
        let [a, b, c] = [0, 1, 2].map(|number| d.literal(number));
        let both = d.iff(a, b);
        let all = d.iff(both, c);
        assert!(
            d.is_larger(all, 4) && !d.is_larger(all, 5),
            "an exclusive or has two nodes a level"
        );
        assert!(!d.is_larger(Guard::ALWAYS, 0));
    }

    #[test]
    fn room_is_limited() {
        let mut d = Guards::new(3);
        for number in 0..5 {
            d.literal(number);
        }
        assert!(d.is_exhausted());
    }
}

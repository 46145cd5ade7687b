//! All heaps of a few nodes, and their canonical forms.

use std::collections::BTreeSet;

/// A heap: where the root leads, and for each node where its fields do. Zero is null, nodes are numbered
/// from one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Heap {
    pub(crate) root: usize,
    pub(crate) fields: Vec<Vec<usize>>,
}

impl Heap {
    /// The nodes that some node leads to, itself included, in the order in which they are met.
    fn reached_from(&self, start: usize) -> Vec<usize> {
        let mut reached = Vec::new();
        let mut next = vec![start];
        let mut done = 0;
        while done < next.len() {
            let node = next[done];
            done += 1;
            if node != 0 && !reached.contains(&node) {
                reached.push(node);
                next.extend(&self.fields[node - 1]);
            }
        }
        reached
    }

    pub(crate) fn is_acyclic(&self) -> bool {
        self.reached_from(self.root).iter().all(|&node| {
            self.fields[node - 1].iter().all(|&to| !self.reached_from(to).contains(&node))
        })
    }

    /// Whether no node is led to by two fields of nodes above it.
    pub(crate) fn is_unshared(&self) -> bool {
        self.reached_from(self.root).iter().all(|&node| {
            let [left, right] = self.fields[node - 1][..] else { return false };
            let left = self.reached_from(left);
            !self.reached_from(right).iter().any(|node| left.contains(node))
        })
    }

    pub(crate) fn is_ring(&self) -> bool {
        self.root != 0
            && self.reached_from(self.root).iter().all(|&node| {
                let (next, previous) = (self.fields[node - 1][0], self.fields[node - 1][1]);
                next != 0
                    && previous != 0
                    && self.fields[next - 1][1] == node
                    && self.fields[previous - 1][0] == node
            })
    }

    /// The heap without what nothing leads to, numbered in the order in which nodes are met.
    fn canonical(&self) -> Heap {
        self.numbered(&self.reached_from(self.root))
    }

    /// The heap of these nodes, numbered in this order.
    fn numbered(&self, order: &[usize]) -> Heap {
        let number = |node: usize| order.iter().position(|&met| met == node).map_or(0, |at| at + 1);
        let fields =
            order.iter().map(|&node| self.fields[node - 1].iter().map(|&to| number(to)).collect());
        Heap { root: number(self.root), fields: fields.collect() }
    }
}

/// The canonical forms of all heaps of at most `nodes` nodes that satisfy a condition.
pub(crate) fn heaps(nodes: usize, fields: usize, holds: fn(&Heap) -> bool) -> BTreeSet<Heap> {
    let mut found = BTreeSet::new();
    let cells = nodes * fields + 1;
    for mut number in 0..(nodes + 1).pow(cells as u32) {
        let mut digit = || {
            let digit = number % (nodes + 1);
            number /= nodes + 1;
            digit
        };
        let root = digit();
        let fields = (0..nodes).map(|_| (0..fields).map(|_| digit()).collect()).collect();
        let heap = Heap { root, fields };
        if holds(&heap) {
            found.insert(heap.canonical());
        }
    }
    found
}

/// The same of heaps with one of their nodes, which comes after what the root leads to: the number of the node,
/// and the heap.
pub(crate) fn heaps_and_nodes(
    nodes: usize,
    fields: usize,
    holds: fn(&Heap) -> bool,
) -> BTreeSet<(usize, Heap)> {
    let mut found = BTreeSet::new();
    let mut open = vec![Heap { root: 0, fields: Vec::new() }];
    // All heaps, field by field.
    while let Some(heap) = open.pop() {
        let cells: usize = heap.fields.iter().map(Vec::len).sum();
        if cells < nodes * fields {
            for to in 0..=nodes {
                let mut heap = heap.clone();
                if cells.is_multiple_of(fields) {
                    heap.fields.push(Vec::new());
                }
                heap.fields.last_mut().expect("there is one").push(to);
                open.push(heap);
            }
            continue;
        }
        for (root, node) in (0..=nodes).flat_map(|root| (0..=nodes).map(move |node| (root, node))) {
            let heap = Heap { root, ..heap.clone() };
            if !holds(&heap) {
                continue;
            }
            let mut order = heap.reached_from(root);
            for met in heap.reached_from(node) {
                if !order.contains(&met) {
                    order.push(met);
                }
            }
            let number = order.iter().position(|met| *met == node).map_or(0, |at| at + 1);
            found.insert((number, heap.numbered(&order)));
        }
    }
    found
}

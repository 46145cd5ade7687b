//! Edges: everything that may be the case of a part of a heap, one by one.

use circuit::{Bits, Circuit, Gate};
use encode::{Content, Feasible, Held, Part};

/// Something that may be the case of a part.
#[derive(Clone)]
pub(crate) struct Edge {
    pub(crate) part: Part,
    pub(crate) target: EdgeTarget,
    pub(crate) gate: Gate,
    /// Whether it is the case of some heap, if that has been decided.
    pub(crate) known: Option<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EdgeTarget {
    /// It leads to this atom.
    Leads(u32),
    /// It is made by this constructor.
    Made(u32),
    /// It is this truth value.
    Is(bool),
    /// It needs more bits than this.
    Exceeds(u32),
}

impl Edge {
    /// Whether the heaps of a shape have it, as far as the shape determines that.
    pub(crate) fn is_of(&self, shape: &Feasible) -> bool {
        match (self.target, shape.parts.get(&self.part)) {
            (EdgeTarget::Leads(number), Some(Content::Atoms(numbers)))
            | (EdgeTarget::Made(number), Some(Content::Constructors(numbers))) => {
                numbers[..] == [number]
            }
            (EdgeTarget::Is(truth), Some(Content::Truth(known))) => truth == *known,
            (EdgeTarget::Exceeds(width), Some(Content::Number(number))) => {
                // All bits but the last of those that hold it are its sign's.
                number >> (width - 1) != number >> 127
            }
            _ => false,
        }
    }
}

/// Everything that may be the case of parts that are there.
pub(crate) fn edges(circuit: &mut Circuit, parts: &[(Part, Gate, Held)]) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (part, present, held) in parts {
        let mut add = |circuit: &mut Circuit, says, gate| {
            let gate = circuit.and(*present, gate);
            edges.push(Edge { part: *part, target: says, gate, known: None });
        };
        match held {
            Held::Atom(is) => {
                for (number, &gate) in is.iter().enumerate() {
                    add(circuit, EdgeTarget::Leads(number as u32), gate);
                }
            }
            Held::Constructor(is) => {
                for (number, &gate) in is.iter().enumerate() {
                    add(circuit, EdgeTarget::Made(number as u32), gate);
                }
            }
            Held::Truth(gate) => {
                add(circuit, EdgeTarget::Is(false), !*gate);
                add(circuit, EdgeTarget::Is(true), *gate);
            }
            Held::Number(word) => {
                for width in 1..word.width() as u32 {
                    let exceeds = exceeds(circuit, word, width);
                    add(circuit, EdgeTarget::Exceeds(width), exceeds);
                }
            }
        }
    }
    edges
}

/// Whether a number needs more than `bits` bits.
fn exceeds(circuit: &mut Circuit, word: &Bits, width: u32) -> Gate {
    let kept = word.extract(0..width as usize).sign_extend(word.width());
    !circuit.equal(word, &kept)
}

/// The feasible contents of parts, for which all edges are decided.
pub(crate) fn feasible(edges: &[Edge]) -> Feasible {
    let mut feasible = Feasible::default();
    for edge in edges {
        learn(&mut feasible, edge);
    }
    feasible
}

fn learn(feasible: &mut Feasible, edge: &Edge) {
    let can = edge.known != Some(false);
    match edge.target {
        EdgeTarget::Leads(number) => {
            let content = feasible.parts.entry(edge.part);
            let content = content.or_insert_with(|| Content::Atoms(Vec::new()));
            if let (Content::Atoms(numbers), true) = (content, can) {
                numbers.push(number);
            }
        }
        EdgeTarget::Made(number) => {
            let content = feasible.parts.entry(edge.part);
            let content = content.or_insert_with(|| Content::Constructors(Vec::new()));
            if let (Content::Constructors(numbers), true) = (content, can) {
                numbers.push(number);
            }
        }
        EdgeTarget::Is(truth) => {
            if !can {
                feasible.parts.insert(edge.part, Content::Truth(!truth));
            }
        }
        EdgeTarget::Exceeds(width) => {
            if !can && !feasible.parts.contains_key(&edge.part) {
                feasible.parts.insert(edge.part, Content::Width(width));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use circuit::Gate;
    use encode::{Content, Feasible, Part};
    use ir::{LocalId, Variable};

    use super::{Edge, EdgeTarget};

    #[test]
    fn an_edge_is_of_a_shape_that_says_so() {
        let part = Part { variable: Variable::Local(LocalId(0)), row: None };
        let is_of = |says, content: Content| {
            let edge = Edge { part, target: says, gate: Gate::TRUE, known: None };
            edge.is_of(&Feasible { parts: [(part, content)].into() })
        };
        assert!(is_of(EdgeTarget::Leads(2), Content::Atoms(vec![2])));
        assert!(!is_of(EdgeTarget::Leads(2), Content::Atoms(vec![1])));
        assert!(!is_of(EdgeTarget::Leads(2), Content::Atoms(vec![1, 2])));
        assert!(is_of(EdgeTarget::Is(false), Content::Truth(false)));
        assert!(!is_of(EdgeTarget::Is(false), Content::Truth(true)));
        for (number, bits) in [(0, 1), (-1, 1), (1, 2), (-2, 2), (3, 3), (-4, 3), (17, 6)] {
            let exceeded: Vec<u32> = (1..8)
                .filter(|&width| is_of(EdgeTarget::Exceeds(width), Content::Number(number)))
                .collect();
            assert_eq!(exceeded, (1..bits).collect::<Vec<u32>>(), "{number}");
        }
        assert!(!is_of(EdgeTarget::Exceeds(1), Content::UpTo(9)));
    }
}

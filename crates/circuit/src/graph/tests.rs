//! The rewriting rules against truth tables.

use super::*;

/// Truth tables over three inputs.
fn table(circuit: &Circuit, gate: Gate) -> u8 {
    let mut tables = Vec::new();
    let value = |tables: &[u8], gate: Gate| {
        tables[gate.node()] ^ if gate.is_negated() { u8::MAX } else { 0 }
    };
    for index in 0..=gate.node() {
        tables.push(match circuit.node(index) {
            Node::False => 0,
            Node::Input(number) => [0xaa, 0xcc, 0xf0][number],
            Node::And(a, b) => value(&tables, a) & value(&tables, b),
        });
    }
    value(&tables, gate)
}

/// Every conjunction of two conjunctions of two literals or constants, all signs: the whole
/// domain of the two-level rules.
#[test]
fn two_level_formulas_mean_what_they_say() {
    let literals = |c: &Circuit| -> Vec<Gate> {
        let inputs = c.inputs().flat_map(|gate| [gate, !gate]);
        inputs.chain([Gate::FALSE, Gate::TRUE]).collect()
    };
    let mut c = Circuit::new();
    c.fresh(3);
    let leaves = literals(&c);
    let mut inner = leaves.clone();
    for &a in &leaves {
        for &b in &leaves {
            let both = c.and(a, b);
            assert_eq!(table(&c, both), table(&c, a) & table(&c, b));
            inner.extend([both, !both]);
        }
    }
    for &a in &inner {
        for &b in &inner {
            let before = c.len();
            let both = c.and(a, b);
            assert!(c.len() <= before + 1, "rewriting {a} ∧ {b} made the graph grow");
            assert_eq!(both, c.and(b, a));
            assert_eq!(table(&c, both), table(&c, a) & table(&c, b));
        }
    }
}

#[test]
fn connectives_mean_what_they_say() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut c = Circuit::new();
    let mut gates = c.fresh(3);
    gates.push(Gate::TRUE);
    for _ in 0..2000 {
        let mut pick = || {
            let gate = random.choice(&gates).unwrap().negate_if(random.bool());
            (gate, table(&c, gate))
        };
        let ((a, x), (b, y), (d, z)) = (pick(), pick(), pick());
        let (gate, meaning) = match random.u8(0..7) {
            0 => (c.and(a, b), x & y),
            1 => (c.or(a, b), x | y),
            2 => (c.xor(a, b), x ^ y),
            3 => (c.iff(a, b), !(x ^ y)),
            4 => (c.implies(a, b), !x | y),
            5 => (c.and_all([a, b, d]), x & y & z),
            6.. => (c.ite(a, b, d), x & y | !x & z),
        };
        assert_eq!(table(&c, gate), meaning);
        if gates.len() < 60 {
            gates.push(gate);
        }
    }
}

#[test]
fn nodes_keep_their_invariants() {
    let mut random = fastrand::Rng::with_seed(2);
    let mut c = Circuit::new();
    let mut gates = c.fresh(6);
    for _ in 0..500 {
        let a = random.choice(&gates).unwrap().negate_if(random.bool());
        let b = random.choice(&gates).unwrap().negate_if(random.bool());
        gates.push(c.xor(a, b));
        gates.push(c.and(a, b));
    }
    let mut seen = std::collections::HashSet::new();
    for index in 0..c.len() {
        if let Node::And(a, b) = c.node(index) {
            assert!(a < b && a.abs() != b.abs() && b.node() < index && a.node() > 0);
            assert!(seen.insert((a, b)));
        }
    }
}

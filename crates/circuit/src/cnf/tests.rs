//! The encoder against brute force: random circuits over few inputs, both encodings, roots assumed and
//! asserted in random order.

use super::*;

/// Random gates over `inputs` inputs, biased towards recent operands so that the graph is deep.
fn random_circuit(random: &mut fastrand::Rng, inputs: usize, gates: usize) -> (Circuit, Vec<Gate>) {
    let mut circuit = Circuit::new();
    let mut pool = circuit.fresh(inputs);
    for _ in 0..gates {
        let mut pick = || {
            let recent = random.bool() && pool.len() > 6;
            let from = if recent { pool.len() - 6 } else { 0 };
            pool[random.usize(from..pool.len())].negate_if(random.bool())
        };
        let (a, b, c) = (pick(), pick(), pick());
        match random.u8(0..6) {
            0 => pool.push(circuit.and(a, b)),
            1 => pool.push(circuit.or(a, b)),
            2 => pool.push(circuit.xor(a, b)),
            3 => pool.push(circuit.ite(a, b, c)),
            4 => pool.push(circuit.and_all([a, b, c])),
            5.. => pool.extend([circuit.and(a, b), circuit.xor(a, b)]),
        }
    }
    (circuit, pool)
}

/// The truth table of every node, one bit per assignment of at most six inputs.
fn truth_tables(circuit: &Circuit) -> Vec<u64> {
    const COLUMNS: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    let mut tables = Vec::new();
    for index in 0..circuit.len() {
        tables.push(match circuit.node(index) {
            crate::Node::False => 0,
            crate::Node::Input(number) => COLUMNS[number],
            crate::Node::And(a, b) => table(&tables, a) & table(&tables, b),
        });
    }
    tables
}

fn table(tables: &[u64], gate: Gate) -> u64 {
    tables[gate.node()] ^ if gate.is_negated() { u64::MAX } else { 0 }
}

/// Satisfiability by unit propagation and splitting: a solver simple enough to be trusted.
fn satisfiable(cnf: &sat::Cnf, values: &mut Vec<Option<bool>>) -> bool {
    let mut trail = Vec::new();
    let mut open;
    let consistent = loop {
        let mut conflict = false;
        let mut changed = false;
        open = None;
        for clause in cnf.clauses() {
            let value = |lit: Lit| values[lit.var().index()].map(|v| v == lit.is_positive());
            if clause.iter().any(|&lit| value(lit) == Some(true)) {
                continue;
            }
            let mut free = clause.iter().filter(|&&lit| value(lit).is_none());
            match (free.next().copied(), free.next()) {
                (None, _) => conflict = true,
                (Some(lit), None) => {
                    values[lit.var().index()] = Some(lit.is_positive());
                    trail.push(lit);
                    changed = true;
                }
                (Some(lit), Some(_)) => open = Some(lit),
            }
        }
        if conflict || !changed {
            break !conflict;
        }
    };
    let satisfied = consistent
        && match open {
            None => true,
            Some(lit) => [true, false].into_iter().any(|value| {
                values[lit.var().index()] = Some(value == lit.is_positive());
                let satisfied = satisfiable(cnf, values);
                values[lit.var().index()] = None;
                satisfied
            }),
        };
    for lit in trail {
        values[lit.var().index()] = None;
    }
    satisfied
}

fn solve(cnf: &sat::Cnf, assumptions: &[Lit]) -> bool {
    let mut values = vec![None; cnf.num_vars()];
    for lit in assumptions {
        let value = values[lit.var().index()].get_or_insert(lit.is_positive());
        if *value != lit.is_positive() {
            return false;
        }
    }
    satisfiable(cnf, &mut values)
}

#[test]
fn random_circuits_agree_with_brute_force() {
    let mut random = fastrand::Rng::with_seed(1);
    for round in 0..1500 {
        let inputs = random.usize(2..=6);
        let gates = random.usize(1..60);
        let (mut circuit, mut pool) = random_circuit(&mut random, inputs, gates);
        let encoding = [Encoding::Polarity, Encoding::Full][round % 2];
        let mut encoder = Encoder::new(encoding).redundant_multiplexers(round % 3 == 0);
        let mut cnf = sat::Cnf::new();
        let mut permanent = u64::MAX;
        for step in 0..12 {
            if step == 6 {
                let (a, b) = (random.choice(&pool).unwrap(), random.choice(&pool).unwrap());
                let grown = circuit.xor(*a, *b);
                pool.push(grown);
            }
            let tables = truth_tables(&circuit);
            let count = random.usize(0..4);
            let roots: Vec<Gate> = (0..count)
                .map(|_| random.choice(&pool).unwrap().negate_if(random.bool()))
                .collect();
            let truth = roots.iter().fold(u64::MAX, |all, &gate| all & table(&tables, gate));
            match random.u8(0..4) {
                0 if permanent & truth != 0 || step > 8 => {
                    encoder.assert_all(&circuit, &roots, &mut cnf);
                    permanent &= truth;
                    assert_eq!(permanent != 0, solve(&cnf, &[]), "asserted, round {round}");
                }
                1 => {
                    let lits: Vec<Lit> = roots
                        .iter()
                        .map(|&gate| encoder.literal(&circuit, gate, &mut cnf))
                        .collect();
                    assert_eq!(permanent & truth != 0, solve(&cnf, &lits), "round {round}");
                }
                _ => {
                    let lits = encoder.literals(&circuit, &roots, &mut cnf);
                    assert_eq!(permanent & truth != 0, solve(&cnf, &lits), "round {round}");
                }
            }
        }
        assert!(encoder.slots.iter().all(|slot| slot.flags & (QUEUED | FACT) == 0));
    }
}

fn size(build: impl FnOnce(&mut Circuit, &[Gate]) -> Gate, assert: bool) -> (usize, usize) {
    let mut circuit = Circuit::new();
    let inputs = circuit.fresh(8);
    let root = build(&mut circuit, &inputs);
    let mut cnf = sat::Cnf::new();
    let mut encoder = Encoder::new(Encoding::Polarity);
    if assert {
        encoder.assert_all(&circuit, &[root], &mut cnf);
    } else {
        encoder.literal(&circuit, root, &mut cnf);
    }
    (cnf.num_vars(), cnf.num_clauses())
}

#[test]
fn a_multiplexer_over_an_encoded_node_has_its_leaves_defined() {
    let mut circuit = Circuit::new();
    let x = circuit.fresh(3);
    let leaf = circuit.and(x[1], x[2]);
    let both = circuit.and(x[0], leaf);
    let differ = circuit.xor(x[0], leaf);
    let (mut cnf, mut encoder) = (sat::Cnf::new(), Encoder::new(Encoding::Polarity));
    // The first query absorbs the leaf; the second must not use it as if it were defined.
    for gate in [both, !both] {
        encoder.literal(&circuit, gate, &mut cnf);
    }
    let values = [x[0], x[1], x[2], differ];
    let literals = encoder.literals(&circuit, &values, &mut cnf);
    assert!(!solve(&cnf, &literals));
}

#[test]
fn asserted_gates_need_no_output() {
    assert_eq!(size(|c, x| c.and_all(x.iter().copied()), true), (8, 8));
    assert_eq!(size(|c, x| c.or_all(x.iter().copied()), true), (8, 1));
    assert_eq!(size(|c, x| c.ite(x[0], x[1], x[2]), true), (3, 2));
    assert_eq!(size(|c, x| !c.ite(x[0], x[1], x[2]), true), (3, 2));
    assert_eq!(size(|c, x| c.xor(x[0], x[1]), true), (2, 2));
    assert_eq!(size(|c, x| c.iff(x[0], x[1]), true), (2, 2));
    assert_eq!(size(|_, _| Gate::TRUE, true), (0, 0));
    assert_eq!(size(|_, _| Gate::FALSE, true), (0, 1));
}

#[test]
fn structure_is_recognised() {
    assert_eq!(size(|c, x| c.and_all(x.iter().copied()), false), (9, 8));
    assert_eq!(size(|c, x| c.or_all(x.iter().copied()), false), (9, 1));
    assert_eq!(size(|c, x| c.ite(x[0], x[1], x[2]), false), (4, 2));
    assert_eq!(size(|c, x| c.xor(x[0], x[1]), false), (3, 2));
}

#[test]
fn prefixes_of_a_conjunction_stay_linear() {
    let mut circuit = Circuit::new();
    let mut guards = vec![Gate::TRUE];
    for _ in 0..1000 {
        let condition = circuit.input();
        let guard = circuit.and(condition, guards[guards.len() - 1]);
        guards.push(guard);
    }
    let mut cnf = sat::Cnf::new();
    let mut encoder = Encoder::new(Encoding::Full);
    for &guard in guards.iter().rev() {
        encoder.literal(&circuit, guard, &mut cnf);
    }
    assert!(cnf.num_literals() < 15_000, "{} literals", cnf.num_literals());
}

#[test]
fn a_million_deep_graph_does_not_overflow_the_stack() {
    let mut circuit = Circuit::new();
    let inputs = circuit.fresh(50);
    let mut gate = inputs[0];
    for step in 0..1_000_000 {
        gate = circuit.ite(inputs[step % 50], !gate, inputs[(step * 7 + 3) % 50]);
    }
    let mut cnf = sat::Cnf::new();
    Encoder::new(Encoding::Full).literal(&circuit, gate, &mut cnf);
    assert!(cnf.num_vars() > 900_000);
}

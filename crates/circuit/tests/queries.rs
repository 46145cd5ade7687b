//! Queries against brute force: few inputs, many queries, constraints asserted on the way.

use circuit::{Answer, Bits, Circuit, Gate, Queries, Valuation};
use sat::{Limits, Options, Reason};

/// All assignments of the inputs that satisfy the gates.
fn solutions(circuit: &Circuit, gates: &[Gate]) -> Vec<Vec<bool>> {
    let inputs = circuit.inputs().len();
    let assignments = (0..1u32 << inputs)
        .map(|number| (0..inputs).map(|input| number >> input & 1 == 1).collect::<Vec<bool>>());
    assignments
        .filter(|inputs| {
            let mut values = Valuation::new(inputs.clone());
            gates.iter().all(|&gate| values.value(circuit, gate))
        })
        .collect()
}

/// Asks, and checks the answer, the witness and the core.
fn check(queries: &mut Queries, circuit: &Circuit, asserted: &[Gate], gates: &[Gate]) {
    let all = [asserted, gates].concat();
    let expected = solutions(circuit, &all);
    match queries.ask(circuit, gates) {
        Answer::Sat => {
            let witness = queries.witness(circuit);
            assert!(expected.contains(&witness), "{witness:?} is no witness of {gates:?}");
            let mut values = Valuation::new(witness);
            for &gate in gates {
                assert_eq!(queries.value(gate), values.value(circuit, gate));
            }
        }
        Answer::Unsat => {
            assert!(expected.is_empty(), "{:?} satisfies {gates:?}", expected[0]);
            let core = queries.core();
            assert!(core.iter().all(|gate| gates.contains(gate)), "{core:?} ⊄ {gates:?}");
            let all = [asserted, core].concat();
            assert!(solutions(circuit, &all).is_empty(), "{core:?} is no core of {gates:?}");
        }
        Answer::Unknown(reason) => panic!("unknown because {reason:?}"),
    }
}

#[test]
fn random_queries_agree_with_brute_force() {
    let mut random = fastrand::Rng::with_seed(11);
    for _ in 0..150 {
        let mut circuit = Circuit::new();
        let mut pool = circuit.fresh(4);
        pool.push(Gate::TRUE);
        let mut queries = Queries::new(Options::default()).unwrap();
        let mut asserted = Vec::new();
        for step in 0..30 {
            let mut pick = || random.choice(&pool).unwrap().negate_if(random.bool());
            let (a, b, c) = (pick(), pick(), pick());
            match random.u8(0..6) {
                0 if step < 20 => pool.push(circuit.xor(a, b)),
                1 if step < 20 => pool.push(circuit.ite(a, b, c)),
                2 if step < 20 => pool.push(circuit.and(a, b)),
                3 if step % 10 == 9 && circuit.inputs().len() < 7 => pool.push(circuit.input()),
                4 if step % 4 == 3 => {
                    let either = circuit.or_all([a, b, c]);
                    queries.assert(&circuit, either);
                    asserted.push(either);
                }
                0..=5 => check(&mut queries, &circuit, &asserted, &[a, b, c][..random.usize(0..4)]),
                6.. => unreachable!("the dice has six faces"),
            }
        }
    }
}

#[test]
fn narrow_targets_need_the_solver_once() {
    let mut circuit = Circuit::new();
    let (x, y) = (circuit.fresh_bits(32), circuit.fresh_bits(32));
    let sum = circuit.add(&x, &y);
    let target = circuit.equal(&sum, &Bits::constant(32, 0xdead_beef));
    let mut queries = Queries::new(Options::default()).unwrap();
    for _ in 0..3 {
        assert_eq!(queries.ask(&circuit, &[target]), Answer::Sat);
        assert_eq!((queries.word(&x) + queries.word(&y)) & 0xffff_ffff, 0xdead_beef);
    }
    let tally = queries.tally();
    assert_eq!((tally.satisfied, tally.recycled), (1, 2));
    queries.assert(&circuit, !target);
    assert_eq!(queries.ask(&circuit, &[target]), Answer::Unsat);
    assert_eq!(queries.core(), [target]);
    assert_eq!(queries.ask(&circuit, &[]), Answer::Sat);
}

#[test]
fn contradictory_assertions_leave_an_empty_core() {
    let mut circuit = Circuit::new();
    let (x, y) = (circuit.input(), circuit.input());
    let mut queries = Queries::new(Options::default()).unwrap();
    queries.assert(&circuit, x);
    queries.assert(&circuit, !x);
    assert_eq!(queries.ask(&circuit, &[y]), Answer::Unsat);
    assert!(queries.core().is_empty());
}

#[test]
fn limits_end_in_unknown() {
    let mut circuit = Circuit::new();
    let words: Vec<Bits> = (0..3).map(|_| circuit.fresh_bits(16)).collect();
    let left = circuit.mul(&words[0], &words[1]);
    let left = circuit.mul(&left, &words[2]);
    let right = circuit.mul(&words[1], &words[2]);
    let right = circuit.mul(&words[0], &right);
    let equal = circuit.equal(&left, &right);
    let mut queries = Queries::new(Options::default()).unwrap();
    let answer = queries.ask_limited(&circuit, &[!equal], &Limits::conflicts(100));
    assert_eq!(answer, Answer::Unknown(Reason::ConflictLimit));
    assert_eq!(queries.tally().unknown, 1);
}

#[test]
fn answers_repeat_from_run_to_run() {
    let run = || {
        let mut random = fastrand::Rng::with_seed(4);
        let mut circuit = Circuit::new();
        let words: Vec<Bits> = (0..4).map(|_| circuit.fresh_bits(8)).collect();
        let mut conditions = Vec::new();
        for _ in 0..30 {
            let (a, b) = (random.choice(&words).unwrap(), random.choice(&words).unwrap());
            let product = circuit.mul(a, b);
            conditions.push(circuit.equal(&product, random.choice(&words).unwrap()));
        }
        let mut queries = Queries::new(Options::default()).unwrap();
        let mut seen = Vec::new();
        for _ in 0..100 {
            let gates =
                [(); 3].map(|()| random.choice(&conditions).unwrap().negate_if(random.bool()));
            match queries.ask(&circuit, &gates) {
                Answer::Sat => seen.push(queries.witness(&circuit)),
                Answer::Unsat => seen.push(Vec::new()),
                Answer::Unknown(reason) => panic!("unknown because {reason:?}"),
            }
        }
        (seen, queries.tally())
    };
    assert_eq!(run(), run());
}

/// Arithmetic through encoder and solver: `f(a, b) = r` has exactly the one solution for `r`.
#[test]
fn the_solver_computes_what_the_machine_computes() {
    type Build = fn(&mut Circuit, &Bits, &Bits) -> Bits;
    type Meaning = fn(u32, u32) -> u32;
    let operations: [(Build, Meaning); 9] = [
        (Circuit::add, u32::wrapping_add),
        (Circuit::sub, u32::wrapping_sub),
        (Circuit::mul, u32::wrapping_mul),
        (Circuit::udiv, |a, b| a / b),
        (Circuit::urem, |a, b| a % b),
        (Circuit::sdiv, |a, b| (a as i32).wrapping_div(b as i32) as u32),
        (Circuit::srem, |a, b| (a as i32).wrapping_rem(b as i32) as u32),
        (Circuit::shl, |a, b| a.checked_shl(b).unwrap_or(0)),
        (Circuit::lshr, |a, b| a.checked_shr(b).unwrap_or(0)),
    ];
    let mut random = fastrand::Rng::with_seed(6);
    for (build, meaning) in operations {
        let mut circuit = Circuit::new();
        let (a, b) = (circuit.fresh_bits(32), circuit.fresh_bits(32));
        let result = build(&mut circuit, &a, &b);
        let mut queries = Queries::new(Options::default()).unwrap();
        for _ in 0..4 {
            let (x, y) = (random.u32(..), random.u32(1..) >> random.u32(0..31) | 1);
            let is_x = circuit.equal(&a, &Bits::constant(32, x.into()));
            let is_y = circuit.equal(&b, &Bits::constant(32, y.into()));
            assert_eq!(queries.ask(&circuit, &[is_x, is_y]), Answer::Sat);
            assert_eq!(queries.word(&result), meaning(x, y).into());
            let right = circuit.equal(&result, &Bits::constant(32, meaning(x, y).into()));
            assert_eq!(queries.ask(&circuit, &[is_x, is_y, !right]), Answer::Unsat);
        }
    }
}

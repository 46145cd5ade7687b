//! Cores, certificates, relations bound to gates, limits: what a finder can say beside instances.

use crate::sample::{Builder, Generator, Setting};
use circuit::Circuit;
use fastrand::Rng;
use relational::{
    Bounds, Error, Expr, Finder, Formula, Integers, Logic, Matrix, Options, Reason, Solution,
    Universe, all, some,
};

fn satisfiable<'a>(bounds: &Bounds<'a>, formulas: &[Formula<'a>]) -> bool {
    let mut finder = Finder::new(bounds, formulas, &Options::default()).expect("well typed");
    match finder.next() {
        Solution::Instance(_) => true,
        Solution::Unsatisfiable { .. } => false,
        Solution::Unknown(reason) => panic!("no limit was set, but: {reason:?}"),
    }
}

#[test]
fn cores_are_unsatisfiable_and_minimal() {
    let mut cores = 0;
    for seed in 0..400 {
        let mut rng = Rng::with_seed(seed);
        let setting = Setting::random(&mut rng, 7);
        let logic = Logic::new();
        let mut builder = Builder::new(&logic);
        let formulas: Vec<Formula<'_>> = (0..5)
            .map(|_| {
                let sample = Generator { rng: &mut rng, scope: vec![] }.formula(2);
                builder.formula(&sample)
            })
            .collect();
        let bounds = setting.bounds(&logic, &builder.relations);
        let finder = Finder::new(&bounds, &formulas, &Options::default()).expect("well typed");
        let core = finder.core().expect("well typed");
        assert_eq!(core.is_none(), satisfiable(&bounds, &formulas), "seed {seed}");
        let Some(core) = core else { continue };
        cores += 1;
        assert!(core.minimal);
        assert!(!satisfiable(&bounds, &core.formulas), "seed {seed}: {core:?} is satisfiable");
        for left_out in 0..core.formulas.len() {
            let mut rest = core.formulas.clone();
            let needless = rest.remove(left_out);
            assert!(satisfiable(&bounds, &rest), "seed {seed}: {core:?} does not need {needless}");
        }
    }
    assert!(cores > 50, "only {cores} samples were unsatisfiable");
}

/// Nodes `n0 …` and a binary relation over them, free within the bounds.
fn graph<'a>(logic: &'a Logic, size: usize) -> (Bounds<'a>, Expr<'a>, Expr<'a>) {
    let universe = Universe::new((0..size).map(|i| format!("n{i}"))).expect("distinct names");
    let (node, next) = (logic.relation("Node", 1), logic.relation("next", 2));
    let mut bounds = Bounds::new(logic, &universe);
    let pairs = universe.all().product(&universe.all()).expect("pairs of a small universe");
    bounds.exactly(node, &universe.all()).expect("a set of nodes");
    bounds.at_most(next, &pairs).expect("a set of pairs");
    (bounds, node, next)
}

#[test]
fn a_core_drops_a_total_order_that_is_not_needed() {
    let logic = Logic::new();
    let (mut bounds, node, next) = graph(&logic, 3);
    let (first, last) = (logic.relation("first", 1), logic.relation("last", 1));
    let nodes = bounds.universe().all();
    bounds.at_most(first, &nodes).expect("a set");
    bounds.at_most(last, &nodes).expect("a set");
    let order = next.total_order(node, first, last);
    let mark = logic.relation("mark", 1);
    bounds.at_most(mark, &nodes).expect("a set");
    let needless = [order, mark.some(), mark.no()];
    let finder = Finder::new(&bounds, &needless, &Options::default()).expect("well typed");
    let core = finder.core().expect("well typed").expect("mark is empty and is not");
    assert_eq!(core.formulas, [mark.some(), mark.no()]);
    let needed = [order, first.equals(last), node.some()];
    let finder = Finder::new(&bounds, &needed, &Options::default()).expect("well typed");
    let core = finder.core().expect("well typed").expect("three nodes need two ends");
    assert_eq!(core.formulas, [order, first.equals(last)]);
}

#[test]
fn unsatisfiable_answers_can_be_certified() {
    let logic = Logic::new();
    let (bounds, node, next) = graph(&logic, 4);
    // A relation that leads everywhere from everywhere has no dead end.
    let connected = all([("n", node)], |[n]| node.is_in(n.join(next.closure())));
    let dead_end = some([("n", node)], |[n]| n.join(next).no());
    let mut options = Options::default();
    options.session.certify = true;
    let mut finder = Finder::new(&bounds, &[connected, dead_end], &options).expect("well typed");
    assert!(matches!(finder.next(), Solution::Unsatisfiable { trivially: false }));
}

#[test]
fn a_formula_can_be_false_without_a_solver() {
    let logic = Logic::new();
    let (bounds, node, next) = graph(&logic, 2);
    let mut finder =
        Finder::new(&bounds, &[next.some(), node.no()], &Options::default()).expect("well typed");
    assert!(matches!(finder.next(), Solution::Unsatisfiable { trivially: true }));
    let core = finder.core().expect("well typed").expect("nodes exist");
    assert_eq!(core.formulas, [node.no()]);
}

#[test]
fn relations_bound_to_gates_follow_them() {
    let logic = Logic::new();
    let (mut bounds, _, next) = graph(&logic, 3);
    let field = logic.relation("field", 2);
    let mut circuit = Circuit::new();
    let (x, y) = (circuit.input(), circuit.input());
    let mut matrix = Matrix::new(3, 2);
    matrix.set(&[0, 1], x);
    matrix.set(&[1, 2], circuit.and(x, y));
    matrix.set(&[2, 0], !x);
    bounds.gates(field, matrix).expect("a binary matrix over three atoms");
    let formula = next.equals(field.closure()) & next.some();
    let options = Options { symmetry: 0, ..Options::default() };
    let mut finder =
        Finder::in_circuit(&circuit, &[], &bounds, &[formula], &options).expect("well typed");
    let mut found = Vec::new();
    while let Solution::Instance(instance) = finder.next() {
        found.push(instance.get(next).expect("bound").to_string());
    }
    found.sort();
    // y matters only where x holds.
    assert_eq!(found, ["{n0→n1, n0→n2, n1→n2}", "{n0→n1}", "{n2→n0}"]);
    let mut constrained =
        Finder::in_circuit(&circuit, &[!x], &bounds, &[formula], &options).expect("well typed");
    let Solution::Instance(only) = constrained.next() else { panic!("n2 leads to n0") };
    assert_eq!(only.get(field).expect("bound").to_string(), "{n2→n0}");
    assert!(matches!(constrained.next(), Solution::Unsatisfiable { .. }));
}

#[test]
fn a_limit_gives_unknown_and_its_reason() {
    let logic = Logic::new();
    let universe = Universe::new((0..21).map(|i| format!("x{i}"))).expect("distinct names");
    let hole = logic.relation("hole", 2);
    let pigeons = universe.range(0..11).expect("eleven pigeons");
    let holes = universe.range(11..21).expect("ten holes");
    let (pigeon, place) = (logic.relation("Pigeon", 1), logic.relation("Hole", 1));
    let mut bounds = Bounds::new(&logic, &universe);
    bounds.exactly(pigeon, &pigeons).expect("a set");
    bounds.exactly(place, &holes).expect("a set");
    bounds.at_most(hole, &pigeons.product(&holes).expect("pairs")).expect("pairs");
    let formula = hole.is_function(pigeon, place) & all([("h", place)], |[h]| hole.join(h).lone());
    let limits = sat::Limits::conflicts(10);
    let options = Options { symmetry: 0, limits, ..Options::default() };
    let mut finder = Finder::new(&bounds, &[formula], &options).expect("well typed");
    let Solution::Unknown(reason) = finder.next() else { panic!("ten conflicts are too few") };
    assert_eq!(reason, Reason::Solver(sat::Reason::ConflictLimit));
}

#[test]
fn integers_that_do_not_fit_are_never_silently_wrong() {
    let logic = Logic::new();
    let (bounds, node, next) = graph(&logic, 3);
    // Nine pairs, and three bits hold at most three.
    let full = next.count().equals(logic.int(9));
    let ask = |integers| {
        let options = Options { integers, ..Options::default() };
        Finder::new(&bounds, &[full], &options).map(|mut finder| finder.next())
    };
    assert!(matches!(ask(Integers::Exact), Ok(Solution::Instance(_))));
    let Err(error) = ask(Integers::Checked(3)) else { panic!("9 does not fit in 3 bits") };
    assert!(matches!(&error, Error::IntegerWidth { text, width: 3 } if text == "9"), "{error}");
    let triple = (next.count() + node.count()).greater(node.count() + node.count());
    let options = Options { integers: Integers::Checked(4), ..Options::default() };
    let all_pairs = node.product(node).is_in(next);
    let mut finder = Finder::new(&bounds, &[triple, all_pairs], &options).expect("well typed");
    let Solution::Unknown(reason) = finder.next() else { panic!("12 does not fit in 4 bits") };
    assert_eq!(reason, Reason::Overflow { width: 4 });
}

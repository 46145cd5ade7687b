//! The finder against exhaustive enumeration, over random formulas with every operator.

use std::collections::BTreeSet;

use crate::sample::meaning::{Meaning, Width};
use crate::sample::{Builder, F, Generator, Setting, Value, tuples, value_of};
use fastrand::Rng;
use relational::{
    Bounds, Expr, Finder, Formula, Instance, Integers, Logic, Options, Reason, Solution,
};

/// The values of the sample relations in an instance.
fn values(instance: &Instance, relations: &[Expr<'_>]) -> Vec<Value> {
    relations.iter().map(|&r| value_of(instance.get(r).expect("every relation is bound"))).collect()
}

/// All instances a finder gives, none twice.
fn enumerate<'a>(
    bounds: &Bounds<'a>,
    formula: Formula<'a>,
    relations: &[Expr<'a>],
    options: &Options,
) -> (BTreeSet<Vec<Value>>, Option<Reason>) {
    let mut finder = Finder::new(bounds, &[formula], options).expect("samples are well typed");
    let mut found = BTreeSet::new();
    loop {
        match finder.next() {
            Solution::Instance(instance) => {
                let new = found.insert(values(&instance, relations));
                assert!(new, "the finder repeated an instance of {formula}");
            }
            Solution::Unsatisfiable { .. } => return (found, None),
            Solution::Unknown(reason) => return (found, Some(reason)),
        }
    }
}

/// Fails with the first difference, if there is one.
fn assert_same(
    found: &BTreeSet<Vec<Value>>,
    expected: &BTreeSet<Vec<Value>>,
    seed: u64,
    formula: Formula<'_>,
) {
    let wrong = found.difference(expected).next();
    assert!(wrong.is_none(), "seed {seed}: {formula} does not hold in {wrong:?}");
    let lost = expected.difference(found).next();
    assert!(lost.is_none(), "seed {seed}: {formula} holds in {lost:?}, which was not found");
}

fn meaning<'m>(setting: &'m Setting, relations: &'m [Value], width: Width) -> Meaning<'m> {
    Meaning { setting, relations, variables: vec![], width }
}

fn satisfying(setting: &Setting, sample: &F, width: Width) -> BTreeSet<Vec<Value>> {
    let holds = |i: &Vec<Value>| meaning(setting, i, width).holds(sample);
    setting.instances().into_iter().filter(holds).collect()
}

/// A random problem, as a sample and as the library has it.
struct Case<'a> {
    setting: Setting,
    sample: F,
    bounds: Bounds<'a>,
    formula: Formula<'a>,
    relations: Vec<Expr<'a>>,
}

impl<'a> Case<'a> {
    fn random(logic: &'a Logic, seed: u64) -> Case<'a> {
        let mut rng = Rng::with_seed(seed);
        let setting = Setting::random(&mut rng, 7);
        let sample = Generator { rng: &mut rng, scope: vec![] }.formula(4);
        let mut builder = Builder::new(logic);
        let formula = builder.formula(&sample);
        let relations = builder.relations;
        let bounds = setting.bounds(logic, &relations);
        Case { setting, sample, bounds, formula, relations }
    }
}

#[test]
fn enumeration_finds_exactly_the_instances_that_brute_force_finds() {
    let mut satisfiable = 0;
    for seed in 0..1500 {
        let logic = Logic::new();
        let Case { setting, sample, bounds, formula, relations } = Case::random(&logic, seed);
        let options = Options { symmetry: 0, ..Options::default() };
        let (found, unknown) = enumerate(&bounds, formula, &relations, &options);
        assert_eq!(unknown, None);
        let expected = satisfying(&setting, &sample, Width::Exact);
        assert_same(&found, &expected, seed, formula);
        satisfiable += usize::from(!expected.is_empty());
    }
    assert!((300..1450).contains(&satisfiable), "{satisfiable} satisfiable: a lopsided sample");
}

#[test]
fn symmetry_breaking_keeps_one_instance_of_every_isomorphism_class() {
    let mut removed = 0;
    for seed in 0..1200 {
        let logic = Logic::new();
        let Case { setting, sample, bounds, formula, relations } = Case::random(&logic, seed);
        let (found, _) = enumerate(&bounds, formula, &relations, &Options::default());
        let expected = satisfying(&setting, &sample, Width::Exact);
        assert!(found.is_subset(&expected), "seed {seed}: {formula}");
        for instance in &expected {
            let kept =
                permutations(setting.atoms).iter().any(|p| found.contains(&renamed(instance, p)));
            assert!(kept, "seed {seed}: {formula} lost {instance:?}\n{bounds}");
        }
        removed += expected.len() - found.len();
    }
    assert!(removed > 500, "only {removed} instances were saved: symmetry breaking does nothing");
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    tuples(n, n).into_iter().filter(|p| p.iter().collect::<BTreeSet<_>>().len() == n).collect()
}

fn renamed(instance: &[Value], permutation: &[usize]) -> Vec<Value> {
    let tuple = |t: &Vec<usize>| t.iter().map(|&atom| permutation[atom]).collect();
    instance.iter().map(|value| value.iter().map(tuple).collect()).collect()
}

#[test]
fn wrapping_integers_are_modular() {
    for seed in 0..300 {
        let logic = Logic::new();
        let Case { setting, sample, bounds, formula, relations } = Case::random(&logic, seed);
        let integers = Integers::Wrapping(4);
        let options = Options { symmetry: 0, integers, ..Options::default() };
        let (found, _) = enumerate(&bounds, formula, &relations, &options);
        let expected = satisfying(&setting, &sample, Width::Wrapping(4));
        assert_same(&found, &expected, seed, formula);
    }
}

#[test]
fn checked_integers_never_lie() {
    let mut unknowns = 0;
    for seed in 0..800 {
        let logic = Logic::new();
        let Case { setting, sample, bounds, formula, relations } = Case::random(&logic, seed);
        let integers = Integers::Checked(4);
        let options = Options { symmetry: 0, integers, ..Options::default() };
        let (found, unknown) = enumerate(&bounds, formula, &relations, &options);
        let exact = satisfying(&setting, &sample, Width::Exact);
        assert!(found.is_subset(&exact), "seed {seed}: {formula} has a false instance");
        if unknown.is_none() {
            assert_same(&found, &exact, seed, formula);
        } else {
            unknowns += 1;
        }
    }
    assert!(unknowns > 10, "only {unknowns} samples overflow: the policy is not exercised");
}

#[test]
fn the_evaluator_agrees_with_the_definition_on_every_instance() {
    for seed in 0..300 {
        let logic = Logic::new();
        let Case { setting, sample, bounds, formula, relations } = Case::random(&logic, seed);
        let options = Options { symmetry: 0, ..Options::default() };
        let mut finder = Finder::new(&bounds, &[logic.truth()], &options).expect("well typed");
        while let Solution::Instance(instance) = finder.next() {
            let values = values(&instance, &relations);
            let expected = meaning(&setting, &values, Width::Exact).holds(&sample);
            assert_eq!(instance.holds(formula), Ok(expected), "seed {seed}: {formula}\n{instance}");
        }
    }
}

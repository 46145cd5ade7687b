//! Ill-typed and unrepresentable problems are errors that name the offending expression.

use relational::{Bounds, Error, Expr, Finder, Formula, Logic, Options, Universe, all};

fn refusal<'a>(bounds: &Bounds<'a>, formula: Formula<'a>) -> String {
    match Finder::new(bounds, &[formula], &Options::default()) {
        Ok(_) => panic!("{formula} was accepted"),
        Err(error) => error.to_string(),
    }
}

/// A set `a` and a binary relation `r`, bounded over two atoms.
fn bounded(logic: &Logic) -> (Bounds<'_>, Expr<'_>, Expr<'_>) {
    let universe = Universe::new(["x", "y"]).expect("two atoms");
    let (a, r) = (logic.relation("a", 1), logic.relation("r", 2));
    let mut bounds = Bounds::new(logic, &universe);
    bounds.at_most(a, &universe.all()).expect("a set");
    let pairs = universe.all().product(&universe.all()).expect("pairs");
    bounds.at_most(r, &pairs).expect("pairs");
    (bounds, a, r)
}

#[test]
fn arity_mismatches_name_the_smallest_offender() {
    let logic = Logic::new();
    let (bounds, a, r) = bounded(&logic);
    let cases = [
        ((a + r).some(), "the operands have arities 1 and 2\n  in `a + r`"),
        (a.join(a).no(), "the join of two sets has no columns left\n  in `a.a`"),
        (a.closure().some(), "the operand must be binary, it has arity 1\n  in `^a`"),
        (a.is_in(r), "the operands have arities 1 and 2\n  in `a in r`"),
        (r.project(&[2]).some(), "column 2 of an expression of arity 2\n  in `r[2]`"),
        (r.restrict_domain(r).some(), "the restricting operand must be a set"),
        (r.sum().equals(logic.int(0)), "only the atoms of a set can be summed"),
        (logic.relation("z", 0).some(), "an expression has at least one column\n  in `z`"),
        (r.total_order(a, a, a - a), "a total order is stated of relations"),
    ];
    for (formula, why) in cases {
        let nested = all([("x", a)], |[x]| x.some() & !formula);
        let message = refusal(&bounds, nested);
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn relations_without_bounds_are_named() {
    let logic = Logic::new();
    let (bounds, a, _) = bounded(&logic);
    let stranger = logic.relation("stranger", 1);
    assert_eq!(refusal(&bounds, (a & stranger).some()), "relation `stranger` has no bounds");
}

#[test]
fn free_variables_are_named() {
    let logic = Logic::new();
    let (bounds, a, _) = bounded(&logic);
    let x = logic.variable("x", 1);
    let message = refusal(&bounds, x.expr().is_in(a));
    assert_eq!(message, "variable `x` is free\n  in `x in a`");
}

#[test]
fn bounds_must_fit_the_relation_and_the_universe() {
    let logic = Logic::new();
    let (mut bounds, a, r) = bounded(&logic);
    let universe = bounds.universe().clone();
    let elsewhere = Universe::new(["p", "q"]).expect("two atoms");
    assert_eq!(bounds.at_most(a, &elsewhere.all()), Err(Error::UniverseMismatch));
    let error = bounds.at_most(r, &universe.all()).expect_err("r is binary");
    assert_eq!(error.to_string(), "`r` has arity 2, its bound has arity 1");
    let error = bounds.at_most(a + a, &universe.all()).expect_err("a + a is no relation");
    assert_eq!(error.to_string(), "only a relation can be bounded, not `a + a`");
    let (x, y) = (universe.set(["x"]).expect("x"), universe.set(["y"]).expect("y"));
    let error = bounds.between(a, &x, &y).expect_err("x is not in {y}");
    assert_eq!(error.to_string(), "the lower bound of `a` holds x, which its upper bound lacks");
    assert_eq!(universe.set(["z"]), Err(Error::NoSuchAtom("z".into())));
    assert_eq!(universe.range(1..3), Err(Error::NoSuchAtom("#2".into())));
}

#[test]
fn universes_must_be_sensible() {
    assert_eq!(Universe::new(Vec::<String>::new()).err(), Some(Error::EmptyUniverse));
    assert_eq!(Universe::new(["a", "a"]).err(), Some(Error::DuplicateAtom("a".into())));
}

#[test]
fn what_is_too_large_is_refused_before_it_is_built() {
    let logic = Logic::new();
    let universe = Universe::new((0..3000).map(|i| format!("x{i}"))).expect("many atoms");
    let a = logic.relation("a", 1);
    let mut bounds = Bounds::new(&logic, &universe);
    bounds.at_most(a, &universe.all()).expect("a set");
    let cube = a.product(a).product(a);
    assert_eq!(
        refusal(&bounds, cube.some()),
        "`a -> a -> a` is too large over a universe of 3000 atoms"
    );
    let sixth = cube.product(cube);
    assert!(refusal(&bounds, sixth.some()).contains("is too large"));
    assert!(universe.none(6).is_err());
}

#[test]
fn deep_nesting_neither_overflows_the_stack_nor_is_printed_whole() {
    let logic = Logic::new();
    let (bounds, a, r) = bounded(&logic);
    let deep = (0..50_000).fold(a, |e, _| e.join(r));
    let mut finder = Finder::new(&bounds, &[deep.some()], &Options::default()).expect("accepted");
    assert!(matches!(finder.next(), relational::Solution::Instance(_)));
    assert!(deep.to_string().len() < 500);
    let not = (0..50_000).fold(a.some(), |f, _| !f);
    Finder::new(&bounds, &[not], &Options::default()).expect("accepted");
    let deeper = (0..300_000).fold(a, |e, _| e.join(r));
    assert!(refusal(&bounds, deeper.some()).contains("nested 300001 deep"));
}

#[test]
fn formulas_of_another_logic_are_refused() {
    let (here, there) = (Logic::new(), Logic::new());
    let (bounds, _, _) = bounded(&here);
    let error = Finder::new(&bounds, &[there.truth()], &Options::default()).err();
    assert_eq!(error, Some(Error::LogicMismatch));
}

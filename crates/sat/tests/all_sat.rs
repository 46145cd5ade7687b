//! All models, one by one, against brute force and against a solver with blocking clauses.

mod families;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use families::Rng;
use sat::{AllSat, Answer, Cnf, Limits, Lit, Model, Next, Options, Reason, Session, Var};

/// The ways in which the shown literals are found to be true and false, in the order in which they are found.
fn found(cnf: &Cnf, shown: &[Lit], others: &[Var]) -> Vec<Vec<bool>> {
    let mut models = AllSat::new(cnf, shown, others);
    let mut projections = Vec::new();
    loop {
        match models.advance(&Limits::none()) {
            Next::Found => {}
            Next::None => return projections,
            Next::Unknown(reason) => panic!("there is no limit, but {reason}"),
        }
        if models.complete(&Limits::none()) == Next::Found {
            let value = |lit: &Lit| models.value(*lit).expect("it is shown");
            let model = Model::from_fn(cnf.num_vars(), |var| {
                models.value(var.positive()).expect("all are decided")
            });
            assert_eq!(model.first_falsified(cnf), None);
            projections.push(shown.iter().map(value).collect());
        }
    }
}

/// The same by asking a solver again and again.
fn asked(cnf: &Cnf, shown: &[Lit]) -> BTreeSet<Vec<bool>> {
    let mut session = Session::new(Options::default()).expect("it is built in");
    session.new_vars(cnf.num_vars());
    cnf.clauses().for_each(|clause| session.add_clause(clause));
    let mut projections = BTreeSet::new();
    while session.solve(&[]) == Answer::Sat {
        let projection: Vec<bool> = shown.iter().map(|lit| session.value(*lit)).collect();
        let other = |(lit, value): (&Lit, &bool)| if *value { !*lit } else { *lit };
        let others: Vec<Lit> = shown.iter().zip(&projection).map(other).collect();
        session.add_clause(&others);
        assert!(projections.insert(projection), "the solver found the same twice");
    }
    projections
}

fn vars(cnf: &Cnf) -> Vec<Var> {
    (0..cnf.num_vars()).map(Var::new).collect()
}

/// A formula of clauses of up to four literals.
fn random(rng: &mut Rng, num_vars: usize, num_clauses: usize) -> Cnf {
    let mut cnf = Cnf::new();
    let vars: Vec<Var> = (0..num_vars).map(|_| cnf.new_var()).collect();
    for _ in 0..num_clauses {
        let length = if rng.below(12) == 0 { 1 } else { 2 + rng.below(3) };
        let clause: Vec<Lit> =
            (0..length).map(|_| vars[rng.below(num_vars)].lit(rng.coin())).collect();
        cnf.add_clause(&clause);
    }
    cnf
}

/// Some literals in some order, a few of them twice or with both signs.
fn some(rng: &mut Rng, num_vars: usize) -> Vec<Lit> {
    let count = rng.below(num_vars + 1);
    (0..count).map(|_| Var::new(rng.below(num_vars)).lit(rng.coin())).collect()
}

fn agree(cnf: &Cnf, shown: &[Lit], expected: &BTreeSet<Vec<bool>>) {
    let projections = found(cnf, shown, &vars(cnf));
    let distinct: BTreeSet<Vec<bool>> = projections.iter().cloned().collect();
    assert_eq!(
        distinct.len(),
        projections.len(),
        "a projection is found twice: {shown:?} of {cnf:?}"
    );
    assert_eq!(&distinct, expected, "{shown:?} of {cnf:?}");
}

#[test]
fn small_formulas_agree_with_brute_force() {
    let mut rng = Rng(1);
    for _ in 0..3_000 {
        let num_vars = 1 + rng.below(8);
        let num_clauses = rng.below(4 * num_vars);
        let cnf = random(&mut rng, num_vars, num_clauses);
        let shown = some(&mut rng, num_vars);
        let models = (0..1_u32 << num_vars)
            .map(|bits| Model::from_fn(num_vars, |var| bits >> var.index() & 1 == 1))
            .filter(|model| model.first_falsified(&cnf).is_none());
        let projection = |model: Model| shown.iter().map(|lit| model.value(*lit)).collect();
        agree(&cnf, &shown, &models.map(projection).collect());
    }
}

#[test]
fn larger_formulas_agree_with_a_solver() {
    let mut rng = Rng(2);
    for round in 0..60 {
        let num_vars = 30 + rng.below(30);
        let num_clauses = num_vars * (2 + round % 3);
        let cnf = random(&mut rng, num_vars, num_clauses);
        let shown: Vec<Lit> = some(&mut rng, num_vars).into_iter().take(9).collect();
        agree(&cnf, &shown, &asked(&cnf, &shown));
    }
}

#[test]
fn hard_formulas_agree_with_a_solver() {
    // Near the ratio where most formulas are neither easy to satisfy nor to refute, clauses are learnt and given up.
    for seed in 0..6 {
        let cnf = families::random_3sat(120, 480, seed);
        let shown: Vec<Lit> = vars(&cnf).iter().take(12).map(|var| var.positive()).collect();
        agree(&cnf, &shown, &asked(&cnf, &shown));
    }
}

#[test]
fn programs_agree_with_a_solver() {
    for seed in 0..4 {
        let (cnf, conditions) = families::program(12, seed);
        let shown: Vec<Lit> = conditions.into_iter().take(7).collect();
        agree(&cnf, &shown, &asked(&cnf, &shown));
    }
    let never = families::commutativity(3);
    assert!(found(&never, &[Var::new(0).positive()], &vars(&never)).is_empty());
}

#[test]
fn without_shown_literals_there_is_one_way_or_none() {
    let mut cnf = Cnf::new();
    let a = cnf.new_var();
    assert_eq!(found(&cnf, &[], &[a]), [Vec::new()]);
    cnf.add_clause(&[a.positive()]);
    assert_eq!(found(&cnf, &[], &[a]), [Vec::new()]);
    assert_eq!(found(&cnf, &[a.negative()], &[]), [vec![false]]);
    cnf.add_clause(&[a.negative()]);
    assert!(found(&cnf, &[], &[a]).is_empty());
    let mut empty = Cnf::new();
    empty.add_clause(&[]);
    assert!(found(&empty, &[], &[]).is_empty());
}

#[test]
fn the_order_is_that_of_the_literals_true_first() {
    let mut cnf = Cnf::new();
    let [a, b] = [cnf.new_var(), cnf.new_var()];
    let shown = [b.positive(), a.negative()];
    let projections = found(&cnf, &shown, &[]);
    assert_eq!(projections, [[true, true], [true, false], [false, true], [false, false]]);
}

#[test]
fn limits_interrupts_and_deadlines_stop_the_search_which_can_go_on() {
    let cnf = families::pigeons(7);
    let mut models = AllSat::new(&cnf, &[], &vars(&cnf));
    let limits = Limits::conflicts(5);
    assert_eq!(models.advance(&limits), Next::Found);
    assert_eq!(models.complete(&limits), Next::Unknown(Reason::ConflictLimit));
    models.interrupt().raise();
    assert_eq!(models.complete(&Limits::none()), Next::Unknown(Reason::Interrupted));
    models.interrupt().clear();
    let over = Limits { deadline: Some(Instant::now()), ..Limits::none() };
    assert_eq!(models.complete(&over), Next::Unknown(Reason::Deadline));
    let enough = Limits::none().within(Duration::from_secs(600));
    assert_eq!(models.complete(&enough), Next::None);
    assert_eq!(models.advance(&enough), Next::None);
}

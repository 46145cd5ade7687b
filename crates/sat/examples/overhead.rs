//! Measures what the solvers cost, and what checking them costs.
//!
//! ```text
//! cargo run --release -p sat --example overhead            the built-in families
//! cargo run --release -p sat --example overhead FILE…      formulas in DIMACS format
//! ```

#[path = "../tests/families/mod.rs"]
mod families;

use std::error::Error;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use families::Rng;
use sat::{Answer, Backend, Cnf, Lit, Options, Profile, Session, dimacs};

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    println!("{:26} {:>9} {:>9} {:>6}  {:>9}", "", "CaDiCaL", "certified", "ratio", "Batsat");
    for file in &files {
        let cnf = dimacs::parse(&std::fs::read_to_string(file)?)?;
        compare(file, &cnf, &[Vec::new()])?;
    }
    if files.is_empty() {
        families()?;
    }
    Ok(())
}

fn families() -> Result<(), Box<dyn Error>> {
    for holes in [8, 9, 10] {
        compare(&format!("pigeons {holes}"), &families::pigeons(holes), &[Vec::new()])?;
    }
    for seed in [1, 2, 3, 4] {
        let cnf = families::random_3sat(220, 937, seed);
        compare(&format!("random 3-SAT 220, seed {seed}"), &cnf, &[Vec::new()])?;
    }
    for bits in [5, 6, 7] {
        let cnf = families::commutativity(bits);
        compare(&format!("multiplier {bits} bits"), &cnf, &[Vec::new()])?;
    }
    for (operations, queries) in [(40, 20_000), (160, 20_000), (320, 5_000)] {
        let (cnf, conditions) = families::program(operations, 5);
        let mut rng = Rng(operations as u64);
        let queries: Vec<Vec<Lit>> = (0..queries)
            .map(|_| {
                let mut pick = || conditions[rng.below(conditions.len())];
                vec![pick(), !pick(), pick()]
            })
            .collect();
        compare(&format!("program {operations}, {} queries", queries.len()), &cnf, &queries)?;
        let (check, models) = model_check(&cnf, &queries)?;
        println!(
            "    {} variables, {} clauses; {models} models, each checked in {check:.1?}",
            cnf.num_vars(),
            cnf.num_clauses()
        );
    }
    Ok(())
}

/// Prints the time taken by CaDiCaL without and with certificates, and by Batsat: the best of three
/// runs each, taken in turn, since a machine is not equally fast at all times.
fn compare(name: &str, cnf: &Cnf, queries: &[Vec<Lit>]) -> Result<(), Box<dyn Error>> {
    let plain = Options::default();
    let certified = Options { certify: true, ..Options::default() };
    let batsat = Options { backend: Backend::Batsat, ..Options::default() };
    let mut best = [Duration::MAX; 3];
    let mut unsat = None;
    for round in 0..3 {
        for (best, options) in best.iter_mut().zip([&plain, &certified, &batsat]) {
            // Long runs are measured once, and not at all where they do not end.
            let long = *best > Duration::from_secs(5) && round > 0;
            if long || options == &batsat && name == "pigeons 10" {
                continue;
            }
            let (time, count) = time(cnf, queries, options.clone())?;
            *best = time.min(*best);
            assert_eq!(count, *unsat.get_or_insert(count), "all must give the same answers");
        }
    }
    let [plain, certified, batsat] = best.map(|time| time.as_secs_f64());
    let ratio = certified / plain;
    let batsat = if batsat < 1e6 { format!("{batsat:.3}s") } else { "-".to_owned() };
    let unsat = unsat.unwrap_or_default();
    println!(
        "{name:26} {plain:8.3}s {certified:8.3}s {ratio:6.2} {batsat:>10}   {unsat} of {} unsat",
        queries.len()
    );
    Ok(())
}

/// The processor time of all queries in one session, and how many of them are unsatisfiable.
fn time(
    cnf: &Cnf,
    queries: &[Vec<Lit>],
    options: Options,
) -> Result<(Duration, usize), sat::Error> {
    let start = processor_time();
    let mut session = load(cnf, options)?;
    let unsat = queries.iter().filter(|query| session.solve(query) == Answer::Unsat).count();
    Ok((processor_time() - start, unsat))
}

/// The time this thread has spent on a processor where Linux tells, else the time that has passed.
fn processor_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let linux = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = linux.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// The time that one check of a model takes, and how many models there are.
fn model_check(cnf: &Cnf, queries: &[Vec<Lit>]) -> Result<(Duration, usize), sat::Error> {
    let options = Options { profile: Profile::OneShot, ..Options::default() };
    let mut session = load(cnf, options)?;
    let mut models = Vec::new();
    for query in queries.iter().take(1000) {
        if session.solve(query) == Answer::Sat {
            models.push(sat::Model::from_fn(cnf.num_vars(), |var| session.value(var.positive())));
        }
    }
    let start = Instant::now();
    let wrong = models.iter().filter(|model| model.first_falsified(cnf).is_some()).count();
    assert_eq!(wrong, 0, "every model must satisfy the formula");
    Ok((start.elapsed() / models.len().max(1) as u32, models.len()))
}

fn load(cnf: &Cnf, options: Options) -> Result<Session, sat::Error> {
    let mut session = Session::new(options)?;
    session.new_vars(cnf.num_vars());
    for clause in cnf.clauses() {
        session.add_clause(clause);
    }
    Ok(session)
}

//! Kodkod's figures for the problems that we state as it does.
//!
//! Torlak and Jackson, *Kodkod: A Relational Model Finder*, TACAS 2007. The figures were measured
//! with MiniSat on the two-core machine that ours are measured on; the time to start the Java
//! virtual machine is left out.

use std::time::Duration;

use relational::{Error, Logic};

use crate::problems::{self, Problem};

/// Kodkod's figures on one problem.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// The variables of the formula for the SAT solver.
    pub variables: usize,
    /// The clauses of that formula.
    pub clauses: usize,
    /// The time from the relational formula to its clauses.
    pub translate: Duration,
    /// The time the SAT solver took.
    pub solve: Duration,
}

impl Figures {
    /// The time of translating and solving together.
    pub fn total(&self) -> Duration {
        self.translate + self.solve
    }
}

/// One problem at the size that Kodkod's figures are for.
#[derive(Clone, Copy, Debug)]
pub struct Benchmark {
    /// The word that names the benchmark on the command line.
    pub key: &'static str,
    /// States the problem.
    pub state: fn(&Logic) -> Result<Problem<'_>, Error>,
    /// Kodkod's figures.
    pub kodkod: Figures,
}

/// The ten benchmarks, in the order of the table.
pub const BENCHMARKS: [Benchmark; 10] = [
    benchmark("ring", |logic| problems::ring_election(logic, 7, 14), [38_248, 118_655, 360, 1_640]),
    benchmark(
        "dijkstra",
        |logic| problems::dijkstra(logic, 10, 10, 10),
        [38_658, 139_556, 610, 110],
    ),
    benchmark("hotel", |logic| problems::hotel(logic, 6), [37_625, 98_792, 220, 880]),
    benchmark("handshake", |logic| problems::handshake(logic, 10), [4_913, 11_313, 100, 640]),
    benchmark("lists", |logic| problems::lists(logic, 20), [98_725, 267_887, 450, 30]),
    benchmark("filesystem", |logic| problems::file_system(logic, 15), [34_370, 83_801, 340, 70]),
    benchmark("pigeonhole", |logic| problems::pigeonhole(logic, 30, 29), [22_332, 41_351, 220, 10]),
    benchmark(
        "ceilings",
        |logic| problems::ceilings_and_floors(logic, 8, 8),
        [4_171, 7_661, 90, 40],
    ),
    benchmark("trees", |logic| problems::trees(logic, 5), [46_716, 50_767, 360, 130]),
    benchmark("listcheck", |logic| problems::list_check(logic, 20), [111_828, 409_000, 730, 3_350]),
];

/// The figures are variables, clauses, and milliseconds of translating and of solving.
const fn benchmark(
    key: &'static str,
    state: fn(&Logic) -> Result<Problem<'_>, Error>,
    [variables, clauses, translate, solve]: [usize; 4],
) -> Benchmark {
    let translate = Duration::from_millis(translate as u64);
    let solve = Duration::from_millis(solve as u64);
    Benchmark { key, state, kodkod: Figures { variables, clauses, translate, solve } }
}

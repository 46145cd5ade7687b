//! Random procedures over domains in which the evaluator is exact.

use ir::ProcedureId;
use ir::generate::{Shape, module};
use passes::Limits;

use crate::programs::{tamed, words};
use crate::solve::{Met, compare};

/// Compares many, or `TIMES` as many if that is set; gives how many procedures, sites and doomed sites there were.
fn compare_all(shape: &Shape, seeds: std::ops::Range<u64>) -> [usize; 3] {
    let mut sum = [0; 3];
    let limits = Limits { inline: 2, ..Limits::default() };
    let times = std::env::var("TIMES").map_or(1, |times| times.parse().unwrap());
    for seed in seeds.start..seeds.start + (seeds.end - seeds.start) * times {
        let module = tamed(module(seed, shape), seed);
        if module.procedures[0].blocks.is_none() {
            continue;
        }
        match compare(&module, ProcedureId(0), &limits) {
            Ok(Met { sites, doomed }) => {
                sum = [sum[0] + 1, sum[1] + sites, sum[2] + doomed];
            }
            Err(difference) => panic!("seed {seed}: {difference}\n{}", ir::print(&module)),
        }
    }
    println!("{} procedures, {} sites, {} of them doomed", sum[0], sum[1], sum[2]);
    sum
}

#[test]
fn without_loops() {
    let [procedures, sites, doomed] = compare_all(&words(), 0..800);
    assert!(procedures >= 500 && sites > 5_000 && doomed > 500, "{procedures} {sites} {doomed}");
}

#[test]
fn with_functions() {
    let shape = Shape { functions: true, ..words() };
    let [procedures, sites, doomed] = compare_all(&shape, 0..150);
    assert!(procedures >= 100 && sites > 1_000 && doomed > 100, "{procedures} {sites} {doomed}");
}

#[test]
fn with_loops_and_cuts() {
    let shape = Shape { loops: true, cuts: true, ..words() };
    let [procedures, sites, doomed] = compare_all(&shape, 10_000..10_300);
    assert!(procedures >= 200 && sites > 2_000 && doomed > 200, "{procedures} {sites} {doomed}");
}

#[test]
fn with_calls() {
    let shape = Shape { procedures: 3, calls: true, bodiless: true, statements: 2, ..words() };
    let [procedures, sites, doomed] = compare_all(&shape, 20_000..20_250);
    assert!(procedures >= 150 && sites > 1_000 && doomed > 50, "{procedures} {sites} {doomed}");
}

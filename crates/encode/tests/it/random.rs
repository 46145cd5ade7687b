//! Random procedures: what the evaluator says exists is exactly what enumerating all executions with the
//! interpreter finds, and what it says is doomed is never survived.
//!
//! What has to be equal. Both sides look at the executions *within a scope*: values from outside (inputs, havocs,
//! results of callees without bodies) are words, integers of the scope's width, sequences up to its length, atoms
//! of the initial state, and pointers to the start of the environment's objects. Every sort has, besides the
//! initial atoms, one for each statement that allocates. An execution is *cut*, which is no failure and survives,
//! where it computes an integer or a sequence beyond the scope, in an operand that matters (a connective's second
//! one where the first does not decide, the chosen side of a conditional) or in any case of a quantifier; where it
//! reads a byte that was never written; and where the program or a pass says so. The interpreter is told to stop
//! by its `scope` option, or by itself. Then these are equal:
//!
//! - the obligations that fail in some execution, by point and kind; each is also replayed, without scope, on the
//!   procedure as it was written;
//! - how runs exit, which points they pass, and which sides of branches they take;
//! - the points that an execution passes and survives, and passes and exits.
//!
//! Doom is asked of the over-approximation. A point that it says is doomed is passed by no execution that exits,
//! integers beyond the scope included. Without loops, cuts and whatever is not finite the converse holds too.

mod census;
mod comparison;
mod enumeration;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use encode::{Scope, evaluate};
use ir::generate::{Shape, module};
use ir::{Module, ProcedureId};
use passes::{Effects, Limits, for_under};

use census::Census;
use comparison::{Family, Met, compare, existing, reached, shrunk};

/// Words, maps, records, unions, choices, contracts, exceptions.
fn words() -> Shape {
    Shape {
        procedures: 1,
        widths: vec![1, 2],
        integers: false,
        sorts: false,
        specifications: true,
        exceptions: true,
        calls: false,
        listed: true,
        blocks: 5,
        statements: 4,
        variables: 3,
        ..Shape::runnable()
    }
}

fn families() -> Vec<Family> {
    let scope = Scope { atoms: 2, int_width: 3, sequence: 2, objects: 0, ..Scope::default() };
    let family = |name, shape, seeds: u64, least| Family {
        name,
        shape,
        scope: scope.clone(),
        as_written: false,
        complete: false,
        runs: 3_000,
        seeds: 0..seeds,
        least,
    };
    let integers = Shape { integers: true, ..words() };
    // With few types most expressions find a variable of theirs.
    let sequences = Shape {
        sequences: true,
        widths: vec![1],
        maps: false,
        records: false,
        variants: false,
        ..integers.clone()
    };
    let sorts = Shape { sorts: true, relations: true, ..integers.clone() };
    let calls = Shape { procedures: 3, calls: true, bodiless: true, ..words() };
    // Likewise most procedures find places for the results of others.
    let plain = Shape {
        widths: vec![2],
        maps: false,
        records: false,
        variants: false,
        blocks: 2,
        statements: 6,
        ..calls.clone()
    };
    let memory = Shape {
        memory: true,
        guarded: true,
        specifications: false,
        maps: false,
        records: false,
        variants: false,
        statements: 5,
        variables: 3,
        ..words()
    };
    let everything = Shape {
        blocks: 4,
        statements: 2,
        integers: true,
        sequences: true,
        sorts: true,
        ghosts: true,
        relations: true,
        loops: true,
        cuts: true,
        ..calls.clone()
    };
    let cuts = Shape { cuts: true, ghosts: true, ..words() };
    let loops = Shape { loops: true, ..cuts.clone() };
    let functions = Shape { functions: true, ..words() };
    let floats = Shape { floats: true, ..words() };
    let as_written = |family| Family { as_written: true, complete: true, ..family };
    vec![
        Family { complete: true, ..family("words", words(), 2_500, [1_900, 600, 800]) },
        family("cuts", cuts, 1_500, [1_100, 250, 400]),
        family("loops", loops, 2_500, [1_900, 400, 700]),
        family("functions", functions, 3_000, [2_200, 700, 800]),
        family("floats", floats, 600, [400, 100, 150]),
        family("integers", integers, 2_000, [1_500, 200, 500]),
        family("sequences", sequences, 2_000, [1_500, 150, 500]),
        family("sorts", sorts, 2_500, [1_900, 300, 500]),
        as_written(family("calls", plain, 2_500, [1_900, 600, 600])),
        as_written(family("contracts", calls, 2_500, [1_900, 600, 700])),
        family("memory", memory.clone(), 2_500, [2_300, 900, 1_500]),
        Family {
            scope: Scope { objects: 1, object_size: 1, ..scope.clone() },
            runs: 20_000,
            ..family("environment", Shape { statements: 3, ..memory }, 400, [350, 100, 200])
        },
        family("everything", everything, 1_500, [900, 80, 150]),
    ]
}

/// What came of a family's procedures.
#[derive(Debug, Default)]
struct Tally {
    /// How many were compared and have runs at all, fail somewhere, have a doomed point.
    met: [usize; 3],
    census: Census,
}

fn random_module(family: &Family, seed: u64) -> Module {
    let mut module = module(seed, &family.shape);
    // A loop invariant that is only assumed may be false, and excuse what is not excused here.
    let bodies = module.procedures.iter_mut().flat_map(|procedure| &mut procedure.blocks);
    for block in bodies.flatten() {
        block.facts = None;
    }
    // Random assumptions contradict each other more often than not.
    if !seed.is_multiple_of(4) {
        module.axioms.clear();
        module.invariants.clear();
        module.procedures[0].contract.requires.clear();
    }
    module
}

fn compare_all(family: &Family, seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let module = random_module(family, seed);
        if module.procedures[0].blocks.is_none() {
            continue;
        }
        match compare(family, &module) {
            Ok(None) | Ok(Some(Met { passes: false, .. })) => {}
            Ok(Some(met)) => {
                let met = [true, met.fails, met.doomed].map(usize::from);
                tally.met = std::array::from_fn(|index| tally.met[index] + met[index]);
                for id in reached(&module) {
                    tally.census.add(&module, module.procedure(id));
                }
            }
            Err(difference) => {
                let (module, difference) = shrunk(family, module, difference);
                let text = ir::print_brief(&module);
                panic!("{} {seed}: {difference}\n{text}", family.name);
            }
        }
    }
    tally
}

#[test]
fn random_procedures_behave_as_enumerated() {
    const CHUNK: u64 = 50;
    let families = families();
    let tasks: Vec<(usize, std::ops::Range<u64>)> = (0..)
        .zip(&families)
        .flat_map(|(number, family)| {
            let starts = family.seeds.clone().step_by(CHUNK as usize);
            let end = family.seeds.end;
            starts.map(move |start| (number, start..end.min(start + CHUNK)))
        })
        .collect();
    let tallies: Mutex<Vec<Tally>> =
        Mutex::new(families.iter().map(|_| Tally::default()).collect());
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((number, seeds)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let tally = compare_all(&families[*number], seeds.clone());
                    let mut tallies = tallies.lock().expect("no other thread has failed");
                    let sum = &mut tallies[*number];
                    sum.met = std::array::from_fn(|index| sum.met[index] + tally.met[index]);
                    sum.census.add_all(tally.census);
                }
            });
        }
    });
    let mut census = Census::default();
    let mut compared = 0;
    for (family, tally) in families.iter().zip(tallies.into_inner().expect("no thread has failed"))
    {
        println!("{:12} running, failing, doomed: {:?}", family.name, tally.met);
        let enough = tally.met.iter().zip(family.least).all(|(met, least)| *met >= least);
        assert!(enough, "{}: only {:?} of {:?}", family.name, tally.met, family.least);
        compared += tally.met[0];
        census.add_all(tally.census);
    }
    assert!(compared >= 5_000, "only {compared} were compared");
    let rare = census.rare(10);
    assert!(rare.is_empty(), "these hardly occur: {rare:?}");
}

/// Examines the procedures of many modules; gives how many obligations fail. Each failure has been
/// replayed.
fn replayed(seeds: std::ops::Range<u64>, shape: &Shape) -> usize {
    let limits = Limits { facts: false, ..Limits::default() };
    let scope = Scope { atoms: 2, sequence: 2, ..Scope::default() };
    let mut failing = 0;
    for seed in seeds {
        let module = module(seed, shape);
        let effects = Effects::of(&module);
        for number in 0..module.procedures.len() as u32 {
            let procedure = ProcedureId(number);
            if module.procedure(procedure).blocks.is_some() {
                let prepared = for_under(&module, &effects, procedure, &limits);
                let evaluation = evaluate(&module, &prepared.procedure, &prepared.calls, &scope);
                match existing(&module, procedure, &evaluation) {
                    Ok(behaviour) => failing += behaviour.fails.len(),
                    Err(why) => panic!("seed {seed}: {why}\n{}", ir::print_brief(&module)),
                }
            }
        }
    }
    failing
}

#[test]
fn what_is_found_where_much_is_approximated_replays() {
    let programs = Shape {
        sequences: true,
        ghosts: true,
        bodiless: true,
        exceptions: true,
        loops: true,
        cuts: true,
        widths: vec![1, 3, 8, 64],
        ..Shape::runnable()
    };
    // Random axioms and invariants contradict each other more often than not.
    let specified =
        Shape { functions: true, specifications: true, relations: true, ..programs.clone() };
    let failing = [replayed(20_000..21_500, &programs), replayed(30_000..31_500, &specified)];
    assert!(failing[0] > 200 && failing[1] > 10, "only {failing:?} obligations fail");
}

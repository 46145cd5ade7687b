//! Thousands of generated functions return the same in the interpreter as on the machine, and leave
//! the same behind in the global variables.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use clang::Compiler;
use interpret::{Ending, Execution, Inputs, Options, Outcome, Recorded, Value, Word, run};

use crate::compile::{Source, compiler};
use crate::generate::{FEATURES, Feature, Unit, VECTORS};

/// How many files there are, and how many functions each has besides those that they call.
const UNITS: u64 = 30;
const FUNCTIONS: usize = 100;

/// The least number of functions in which each feature of C occurs.
const LEAST: usize = 100;

/// What a function returned for the word pairs, or how its run ended otherwise.
fn interpreted(module: &ir::Module, name: &str) -> Vec<Result<u64, String>> {
    let procedure = module.find_procedure(name).expect("the function was lowered");
    let options = Options { statics: true, trace: 0, ..Options::default() };
    let word = |value| Value::Bv(Word::new(64, value));
    let returned = |run: Execution| match run.outcome {
        Outcome::Exit(Ending::Normal(results)) => match results.first() {
            Some(Some(Value::Bv(word))) => Ok(word.small().expect("it has 64 bits")),
            _ => Err("returns nothing".to_owned()),
        },
        other => Err(other.to_string()),
    };
    let result = |(a, b): (u64, u64)| {
        let inputs = Inputs::new([word(a), word(b)]);
        // Nothing is left open: a request would end the execution.
        returned(run(module, procedure, &inputs, &mut Recorded::default(), &options))
    };
    VECTORS.into_iter().map(result).collect()
}

/// The differences between the interpreter and the machine in one file.
fn differences(compiler: &Compiler, unit: &Unit) -> Vec<String> {
    let flags: &[&str] = if unit.wraps { &["-fwrapv"] } else { &[] };
    let source = Source::new(&format!("unit_{}", unit.seed), unit.program(), flags);
    // What is undefined shows where code is optimised, which takes longer.
    let level = if unit.seed % 15 < 2 { "-O2" } else { "-O0" };
    let (printed, status) = source.printed(compiler, level);
    assert_eq!(status, Some(0), "unit {} runs on the machine", unit.seed);
    let module = source.lowered(compiler);
    let mut native = printed.lines().map(|line| line.parse::<u64>().expect("it prints numbers"));
    let mut wrong = Vec::new();
    for function in &unit.functions {
        let ours = interpreted(&module, &function.entry);
        for (ours, vector) in ours.into_iter().zip(VECTORS) {
            let native = native.next().expect("it prints a number for each call");
            if ours != Ok(native) {
                let call = format!("unit {}: {}{vector:?}", unit.seed, function.entry);
                wrong.push(format!("{call} is {native}, not {ours:?}"));
            }
        }
    }
    assert_eq!(native.next(), None);
    wrong
}

#[test]
fn generated_functions_do_the_same_as_on_the_machine() {
    let compiler = compiler();
    let next = AtomicU64::new(0);
    let wrong = Mutex::new(Vec::new());
    let census = Mutex::new((0, BTreeMap::<Feature, usize>::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from).min(8) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= UNITS {
                        break;
                    }
                    let unit = Unit::generate(seed, FUNCTIONS);
                    let differences = differences(&compiler, &unit);
                    wrong.lock().unwrap().extend(differences);
                    let mut census = census.lock().unwrap();
                    census.0 += unit.functions.len();
                    for feature in unit.functions.iter().flat_map(|function| &function.features) {
                        *census.1.entry(*feature).or_default() += 1;
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    let sample: Vec<_> = wrong.iter().take(20).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} results differ:\n{}", wrong.len(), sample.join("\n"));
    let (functions, census) = census.into_inner().unwrap();
    assert!(functions >= 3_000, "{functions} functions");
    for feature in FEATURES {
        let count = census.get(feature).copied().unwrap_or(0);
        assert!(count >= LEAST, "{feature:?} occurs in {count} functions only: {census:?}");
    }
}

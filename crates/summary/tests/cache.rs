//! Cached results are those of an analysis, and after an edit only what may have changed is analysed again.

use std::collections::BTreeSet;

use ir::Module;
use property::{Index, shipped};
use store::{Cache, InMemory, NoCache};
use summary::{Analysed, Budget, Digest, Unit, analyse_program};

/// A sequence of numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }
}

const FILES: usize = 3;
const FUNCTIONS: usize = 8;

/// What a function of the program does: one of a few things, and which others it calls.
#[derive(Clone, Copy)]
struct Body {
    does: usize,
    calls: [usize; 2],
}

fn text(number: usize, body: Body) -> String {
    let [a, b] = body.calls.map(|callee| format!("call f{callee}(l, n);"));
    let inner = match body.does {
        0 => format!("  entry:\n    call spin_lock(l);\n    {a}\n    exit;\n"),
        1 => format!("  entry:\n    {a}\n    call spin_unlock(l);\n    exit;\n"),
        2 => format!(
            "  entry:\n    branch n != 0bv32 ? yes : no;\n  yes:\n    call spin_lock(l);\n    \
             goto end;\n  no:\n    {b}\n    goto end;\n  end:\n    exit;\n"
        ),
        3 => format!("  entry:\n    {a}\n    {b}\n    exit;\n"),
        4 => "  entry:\n    call spin_lock(l);\n    call spin_unlock(l);\n    exit;\n".to_owned(),
        _ => format!(
            "  entry:\n    call spin_lock(own);\n    {a}\n    call spin_unlock(own);\n    exit;\n"
        ),
    };
    format!("proc f{number}(l: ptr, n: bv32)\n{{\n{inner}}}\n")
}

/// The files: function `n` is in file `n % FILES`, and calls only greater ones, or itself.
fn program(bodies: &[Body]) -> Vec<(Module, Vec<Option<Digest>>)> {
    let file = |number: usize| {
        let mut all = "var memory: bytes;\nproc spin_lock(l: ptr);\nproc spin_unlock(l: ptr);\n\
                       object own: 8 { 0: \"0000000000000000\" };\n"
            .to_owned();
        let mut digests = vec![None; 2];
        for (n, body) in bodies.iter().enumerate() {
            if n % FILES == number {
                let text = text(n, *body);
                digests.push(Some(*blake3::hash(text.as_bytes()).as_bytes()));
                all += &text;
            } else {
                digests.push(None);
                all += &format!("proc f{n}(l: ptr, n: bv32);\n");
            }
        }
        let (module, diagnostics) = ir::parse("test.vir", &all);
        assert!(diagnostics.is_empty(), "{diagnostics:?}\n{all}");
        (module, digests)
    };
    (0..FILES).map(file).collect()
}

/// The summaries of a program, without the time.
fn known(bodies: &[Body], cache: &dyn Cache) -> Vec<(Result<Analysed, String>, Vec<usize>)> {
    let program = program(bodies);
    let names: Vec<String> = (0..FILES).map(|number| format!("{number}.c")).collect();
    let units = program.iter().zip(&names);
    let units: Vec<Unit<'_>> =
        units.map(|((module, bodies), name)| Unit { module, name, same: &[], bodies }).collect();
    let known =
        analyse_program(&units, &Index::new(shipped()), &Budget::default(), cache).procedures;
    known
        .into_iter()
        .map(|known| (known.outcome.map_err(|why| format!("{why:?}")), known.callees))
        .collect()
}

/// The functions that call one, directly or not, and itself.
fn callers(bodies: &[Body], of: usize) -> BTreeSet<usize> {
    let mut all = BTreeSet::from([of]);
    for (number, body) in bodies.iter().enumerate().rev() {
        if body.calls.iter().any(|callee| all.contains(callee)) {
            all.insert(number);
        }
    }
    all
}

#[test]
fn an_incremental_run_is_a_full_run() {
    let mut dice = Dice(7);
    let mut findings = 0;
    for _ in 0..10 {
        let body = |number: usize, dice: &mut Dice| Body {
            does: dice.roll(6),
            calls: [0, 1].map(|_| number + dice.roll(FUNCTIONS - number)),
        };
        let mut bodies: Vec<Body> = (0..FUNCTIONS).map(|n| body(n, &mut dice)).collect();
        let cache = InMemory::default();
        assert_eq!(known(&bodies, &cache), known(&bodies, &NoCache));
        let kept = cache.len();
        assert_eq!(known(&bodies, &cache), known(&bodies, &NoCache));
        assert_eq!(cache.len(), kept, "nothing has changed, nothing is new");
        for _ in 0..4 {
            let edited = dice.roll(FUNCTIONS);
            let before = callers(&bodies, edited);
            bodies[edited] = body(edited, &mut dice);
            let kept = cache.len();
            let full = known(&bodies, &NoCache);
            assert_eq!(known(&bodies, &cache), full);
            let new = cache.len() - kept;
            assert!(new <= before.len(), "{new} are new, though only {before:?} can differ");
            findings +=
                full.iter().flat_map(|known| &known.0.as_ref().expect("small").findings).count();
        }
    }
    assert!(findings > 20, "there was something to find: {findings}");
}

//! What becomes of real C: lowers bitcode files and counts what VIR has no word for.
//!
//! `cargo run --release -p c --example census -- FILE.bc…`; with `--print NAME` the procedure of that
//! name is printed, with `--no-validate` the modules are not validated.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use ir::{CutReason, Exit, StatementKind, TerminatorKind};

struct Texts(BTreeMap<String, String>);

impl c::Sources for Texts {
    fn text(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }
}

#[derive(Default)]
struct Census {
    files: usize,
    functions: usize,
    lowered: usize,
    clean: usize,
    violations: usize,
    statements: usize,
    /// Assertions whose message does not name what it is about, and all.
    wordless: (usize, usize),
    /// By reason: how many statements, and how many functions that have no other.
    reasons: BTreeMap<String, (usize, usize, usize)>,
    instructions: usize,
    decoding: Duration,
    lowering: Duration,
    /// Of files whose functions are small on average: functions, and how long lowering took.
    small: (usize, Duration),
}

/// A function is small that has fewer instructions.
const SMALL: usize = 30;

fn main() {
    let mut census = Census::default();
    let mut shown = None;
    let mut validates = true;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match &*argument {
            "--print" => shown = arguments.next(),
            "--no-validate" => validates = false,
            path => census.take(path, shown.as_deref(), validates),
        }
    }
    census.report();
}

impl Census {
    fn take(&mut self, path: &str, shown: Option<&str>, validates: bool) {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => return eprintln!("{path}: {error}"),
        };
        let start = Instant::now();
        let module = match bitcode::decode(&bytes) {
            Ok(module) => module,
            Err(error) => return eprintln!("{path}: {error}"),
        };
        self.decoding += start.elapsed();
        let start = Instant::now();
        let (lowered, _) = c::lower(&module, &Texts(BTreeMap::new()));
        let lowering = start.elapsed();
        self.lowering += lowering;
        self.files += 1;
        let defined = module.functions.iter().filter(|function| !function.is_declaration);
        let (functions, instructions) = defined
            .fold((0, 0), |(all, sum), function| (all + 1, sum + function.instructions.len()));
        self.functions += functions;
        self.instructions += instructions;
        if instructions < SMALL * functions {
            self.small = (self.small.0 + functions, self.small.1 + lowering);
        }
        if validates {
            let violations = ir::validate(&lowered);
            for violation in violations.iter().take(3) {
                let name = violation.procedure.map(|id| &*lowered.procedure(id).name);
                eprintln!("{path}: {:?} in {name:?}: {violation}", violation.rule);
            }
            self.violations += violations.len();
        }
        for function in module.functions.iter().filter(|f| !f.is_declaration) {
            let id = lowered.find_procedure(&function.name);
            let Some(procedure) = id.map(|id| lowered.procedure(id)) else { continue };
            self.count(procedure);
        }
        if let Some(name) = shown {
            let mut only = lowered.clone();
            only.procedures.retain(|p| name == "all" || p.name == name || p.blocks.is_none());
            if only.procedures.iter().any(|p| p.blocks.is_some()) {
                println!("{}", ir::print_brief(&lowered));
            }
        }
    }

    fn count(&mut self, procedure: &ir::Procedure) {
        let Some(blocks) = &procedure.blocks else { return };
        self.lowered += 1;
        let mut reasons = BTreeMap::new();
        for block in blocks {
            self.statements += block.statements.len() + 1;
            for statement in &block.statements {
                if let StatementKind::Assert { message, .. } = &statement.kind {
                    self.wordless.0 += usize::from(!message.contains('`'));
                    self.wordless.1 += 1;
                }
                if let StatementKind::Unsupported { what, .. } = &statement.kind {
                    *reasons.entry(what.clone()).or_insert(0) += 1;
                }
            }
            if let TerminatorKind::Exit(Exit::Cut(CutReason::Unsupported(what))) =
                &block.terminator.kind
            {
                *reasons.entry(what.clone()).or_insert(0) += 1;
            }
        }
        self.clean += usize::from(reasons.is_empty());
        let alone = usize::from(reasons.len() == 1);
        for (reason, count) in reasons {
            let entry = self.reasons.entry(reason).or_default();
            *entry = (entry.0 + count, entry.1 + 1, entry.2 + alone);
        }
    }

    fn report(&self) {
        let share = |part: usize| 100.0 * part as f64 / self.functions.max(1) as f64;
        println!("{} files, {} functions", self.files, self.functions);
        println!("lowered: {} ({:.2} %)", self.lowered, share(self.lowered));
        println!("without anything unsupported: {} ({:.2} %)", self.clean, share(self.clean));
        println!("violations: {}", self.violations);
        println!("statements: {}", self.statements);
        println!("assertions: {}, {} without the source's words", self.wordless.1, self.wordless.0);
        let seconds = self.lowering.as_secs_f64();
        let a_second = |count: usize, seconds: f64| count as f64 / seconds.max(1e-9);
        println!(
            "decoding {:.2} s, lowering {seconds:.2} s: {:.0} functions, {:.0} instructions a second",
            self.decoding.as_secs_f64(),
            a_second(self.functions, seconds),
            a_second(self.instructions, seconds),
        );
        println!(
            "files with fewer than {SMALL} instructions a function: {} functions, {:.0} a second",
            self.small.0,
            a_second(self.small.0, self.small.1.as_secs_f64()),
        );
        println!("{:>9} {:>9} {:>9}  reason", "places", "functions", "alone");
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(reason, (_, functions, _))| (std::cmp::Reverse(*functions), *reason));
        for (reason, (places, functions, alone)) in reasons.into_iter().take(60) {
            println!("{places:>9} {functions:>9} {alone:>9}  {reason}");
        }
    }
}

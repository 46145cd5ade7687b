//! Monitors against the machine: an execution in the interpreter, and one of the compiled program with the same
//! decisions.
//!
//! The interpreter chooses what unknown functions return, whether locking succeeds and which allocations
//! fail; the machine follows. There mutexes are of the kind that checks for errors: `EDEADLK` is a double
//! lock, `EPERM` a double unlock. Leaks are found by a scan of the caller's memory, static variables and the
//! result, word by word, as docs/summaries.md defines them: for one run LeakSanitizer would take stale words on
//! the stack for pointers. LeakSanitizer is asked once, at the end, whether all that was lost in all runs is
//! lost; AddressSanitizer ends a program that uses memory wrongly.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fastrand::Rng;
use interpret::{Ending, Outcome};
use ir::{AssertKind, ProcedureId};
use judge::{Choice, Observation, Scalar, Sight, TrackedObject, Witness};
use property::Index;

use crate::fixture::{BLOCK, BOX, Clang, NODE, Source, address, index, number, scale};
use crate::generate::{Group, Shape, group, text};

const FILES: usize = 13;
const GROUPS: usize = 20;
const SHAPE: Shape = Shape { functions: 4, statements: 10, has_loops: true };

/// How many inputs each function is given, and how often it runs from each.
const INPUTS: usize = 2;
const RUNS: usize = 3;

#[test]
fn observers_see_what_the_machine_sees() {
    let clang = Clang::find();
    let Some(compiler) = with_sanitizers(clang.0.program()) else {
        eprintln!(
            "no compiler here has AddressSanitizer: observers are not compared with the machine"
        );
        return;
    };
    let index = index();
    let mut rng = Rng::with_seed(2100);
    let mut seen = Seen::default();
    for file in 0..FILES * scale() {
        let groups: Vec<Group> = (0..GROUPS).map(|n| group(&mut rng, n, SHAPE)).collect();
        let source = Source::new(&clang, &format!("machine-{file}"), text(&groups));
        let program = compiled(&compiler, &source, &groups);
        let (mut script, mut expected, mut names) = (String::new(), Vec::new(), Vec::new());
        let functions =
            groups.iter().flat_map(|group| group.functions.iter().map(move |f| (group, f)));
        for (position, (group, function)) in functions.enumerate() {
            seen.functions += 1;
            let bench = Bench::new(&source, &index, group.number, source.function(&function.name));
            for _ in 0..INPUTS {
                bench.runs(&mut rng, position, &mut |line, story| {
                    script += &line;
                    names.push(format!("{}, printed {line}", function.name));
                    expected.push(story);
                });
            }
        }
        let (printed, lost) = executed(&program, &script);
        assert_eq!(printed.len(), expected.len(), "{}: every run ends", source.file.display());
        for ((printed, expected), name) in printed.iter().zip(&expected).zip(&names) {
            seen.note(expected);
            assert_eq!(
                printed,
                expected,
                "machine and observers, {} of {}",
                name,
                source.file.display()
            );
        }
        seen.lost += lost;
    }
    eprintln!("{seen:?}");
    assert!(seen.functions >= 1000, "{seen:?}");
    for (what, least) in [
        (seen.double_locks, 100),
        (seen.double_unlocks, 100),
        (seen.losing, 500),
        (seen.double_frees, 50),
        (seen.held, 500),
    ] {
        assert!(what >= least, "there was something to see: {seen:?}");
    }
}

/// What was seen in all runs.
#[derive(Debug, Default)]
struct Seen {
    functions: usize,
    runs: usize,
    double_locks: usize,
    double_unlocks: usize,
    double_frees: usize,
    /// Runs that lose a block, and the blocks that are lost.
    losing: usize,
    lost: usize,
    /// Runs that return with a mutex held.
    held: usize,
}

impl Seen {
    fn note(&mut self, story: &str) {
        self.runs += 1;
        self.double_locks += usize::from(story.contains("double-lock"));
        self.double_unlocks += usize::from(story.contains("double-unlock"));
        self.double_frees += usize::from(story.contains("double-free"));
        self.losing += usize::from(story.contains("loses"));
        self.held +=
            usize::from(story.split("returns").nth(1).is_some_and(|end| end.contains('1')));
    }
}

/// A function, and where its objects are.
struct Bench<'b> {
    source: &'b Source,
    index: &'b Index,
    function: ProcedureId,
    own: u64,
    kept: usize,
    mode: usize,
    /// The size of a mutex.
    mutex: u64,
}

impl<'b> Bench<'b> {
    fn new(source: &'b Source, index: &'b Index, group: usize, function: ProcedureId) -> Bench<'b> {
        let object = |name: &str| source.object(&format!("{name}{group}"));
        let [own, kept, mode] = ["own", "kept", "mode"].map(object);
        let mutexes = source
            .module
            .objects
            .iter()
            .find(|object| source.module.function(object.address).name.starts_with("own"));
        Bench {
            source,
            index,
            function,
            own: own.map_or(0, |own| own as u64 + 1),
            kept: kept.unwrap_or(usize::MAX),
            mode: mode.unwrap_or(usize::MAX),
            mutex: mutexes.expect("some function uses its own mutex").size,
        }
    }

    /// Executions from some input: the decisions for the machine, and the expected events.
    fn runs(&self, rng: &mut Rng, position: usize, tell: &mut dyn FnMut(String, String)) {
        let [a, b] = [0, 1].map(|_| rng.i32(0..4));
        let [n, mode] = [0, 1].map(|_| rng.i64(-1..2));
        let has_data = rng.bool();
        let after = 2 * self.mutex;
        let mut memory = vec![
            (BOX, after, n.to_le_bytes().to_vec()),
            (BOX, after + 8, if has_data { address(BLOCK) } else { vec![0; 8] }),
            (BLOCK, 0, vec![0; NODE as usize]),
        ];
        let objects = &self.source.module.objects;
        for (place, value) in [(self.kept, 0), (self.mode, mode)] {
            if objects.get(place).is_some_and(|object| !object.constant) {
                memory.push((place as u64 + 1, 0, value.to_le_bytes().to_vec()));
            }
        }
        let witness = Witness {
            parameters: vec![Some(Scalar::Pointer(BOX, 0)), number(a), number(b)],
            memory,
            objects: vec![(BOX, after + 16), (BLOCK, NODE)],
            ..Witness::default()
        };
        let mut left = RUNS;
        self.source.observe(self.index, self.function, &witness, &mut |run| {
            let (held, story) = self.story(&run);
            let mut line = format!("{position} {a} {b} {n} {} {mode}", u8::from(has_data));
            let answers = run.observed.iter().map(|call| match call.result {
                Some(Scalar::Word(width, bits)) => {
                    assert_eq!(width, 32, "{}", call.callee);
                    i64::from(bits as u32 as i32)
                }
                other => panic!("{} returns {other:?}", call.callee),
            });
            let answers: Vec<i64> = answers.collect();
            let _ = write!(line, " {} {} {} {}", held[0], held[1], held[2], answers.len());
            answers.iter().for_each(|answer| {
                let _ = write!(line, " {answer}");
            });
            let _ = write!(line, " {}", run.failed.len());
            run.failed.iter().for_each(|fails| {
                let _ = write!(line, " {}", u8::from(*fails));
            });
            tell(line + "\n", story);
            left -= 1;
            let choices = (0..64).map(|_| {
                let chosen = if rng.bool() { 0 } else { rng.usize(..4) };
                Choice::among(4, chosen)
            });
            (left > 0).then(|| choices.collect())
        });
    }

    fn mutex(&self, subject: TrackedObject) -> usize {
        match subject {
            TrackedObject::At(BOX, 0) => 0,
            TrackedObject::At(BOX, offset) if offset == self.mutex as i64 => 1,
            TrackedObject::At(object, 0) if object == self.own => 2,
            other => panic!("an unknown mutex: {other:?}"),
        }
    }

    /// The states of mutexes at entry, and what the machine has to tell.
    fn story(&self, run: &Observation) -> ([u32; 3], String) {
        let mut story = String::new();
        assert!(!run.is_infeasible);
        for seen in &run.seen {
            let line = self.source.line(self.function, seen.point);
            let _ = match &seen.sight {
                Sight::Branch(_) => Ok(()),
                Sight::Moved { subject, from, to, .. } => {
                    let moved = match (from, to) {
                        (0, 1) => "locks",
                        (1, 0) => "unlocks",
                        _ => "keeps",
                    };
                    write!(story, "{line} {moved} {};", self.mutex(*subject))
                }
                Sight::Error { subject, rule, .. } => {
                    write!(story, "{line} {rule} {};", self.mutex(*subject))
                }
                Sight::Allocated { .. } => write!(story, "{line} allocates;"),
            };
        }
        let (mut held, mut end) = ([0; 3], [0; 3]);
        for touched in &run.states {
            let mutex = self.mutex(touched.subject);
            (held[mutex], end[mutex]) = (touched.entry, touched.end);
        }
        match &run.outcome {
            Outcome::Exit(Ending::Normal(_)) => {
                for point in run.lost.iter().flatten() {
                    let _ = write!(story, "{} loses;", self.source.line(self.function, *point));
                }
                let _ = write!(story, "returns {} {} {}", end[0], end[1], end[2]);
            }
            Outcome::Failed(failure) if failure.kind == AssertKind::DoubleFree => {
                story += "double-free";
            }
            other => panic!("the run has to end: {other:?}"),
        }
        (held, story)
    }
}

/// A compiler that can make programs with AddressSanitizer, if there is one.
fn with_sanitizers(clang: &Path) -> Option<PathBuf> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (file, program) = (directory.join("probe.c"), directory.join("probe"));
    fs::write(&file, "int main(void) { return 0; }\n").expect("the directory can be written");
    [clang, Path::new("gcc"), Path::new("cc")].into_iter().find_map(|compiler| {
        let mut command = Command::new(compiler);
        command.arg("-fsanitize=address").arg(&file).arg("-o").arg(&program);
        let made = command.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        let runs = made && Command::new(&program).status().is_ok_and(|status| status.success());
        runs.then(|| compiler.to_owned())
    })
}

/// The program that runs functions with given decisions. The text keeps its lines.
fn compiled(compiler: &Path, source: &Source, groups: &[Group]) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential");
    let (mut macros, mut entries) = (String::new(), String::new());
    for group in groups {
        let n = group.number;
        for function in &group.functions {
            let name = &function.name;
            let _ = writeln!(macros, "#define {name}(...) CALL({name}, __VA_ARGS__)");
            let field = if function.is_pointer { "pointer" } else { "number" };
            let _ = writeln!(entries, "\t{{ .{field} = {name}, OF({n}) }},");
        }
    }
    let header = fs::read_to_string(here.join("machine.h")).expect("the header is there");
    let main = fs::read_to_string(here.join("machine_main.c")).expect("the main program is there");
    let text = format!(
        "{header}{macros}#line 1\n{}struct entry {{\n\tint (*number)(struct box *, int, int);\n\t\
         struct node *(*pointer)(struct box *, int, int);\n\tpthread_mutex_t *own;\n\t\
         struct node **kept;\n\tlong *mode;\n}};\n\
         #define OF(n) .own = &own##n, .kept = &kept##n, .mode = &mode##n\nstatic const struct entry entries[] = {{\n\
         {entries}}};\n{main}",
        source.text
    );
    let (file, program) =
        (source.file.with_extension("machine.c"), source.file.with_extension("machine"));
    fs::write(&file, text).expect("the directory can be written");
    let status = Command::new(compiler)
        .args(["-w", "-O0", "-fsanitize=address", "-pthread", "-o"])
        .arg(&program)
        .arg(&file)
        .status();
    assert!(status.expect("the compiler starts").success(), "{} is compiled", file.display());
    program
}

/// What a program tells of each run, and how many blocks it lost.
fn executed(program: &Path, script: &str) -> (Vec<String>, usize) {
    let mut child = Command::new(program)
        .env("ASAN_OPTIONS", "detect_leaks=1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("it reads");
    let script = script.to_owned();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the script is written").expect("the script is read");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let said = String::from_utf8_lossy(&output.stderr);
    let last = lines.pop().unwrap_or_default();
    let lost = last.strip_prefix("end ").and_then(|lost| lost.parse().ok());
    let lost: usize = lost.unwrap_or_else(|| panic!("{}: {last}\n{said}", program.display()));
    // Where processes may not be traced, LeakSanitizer cannot run.
    let total = said.lines().find_map(|line| {
        let (_, count) = line.strip_prefix("SUMMARY: ")?.split_once(" leaked in ")?;
        count.split(' ').next()?.parse::<usize>().ok()
    });
    match total {
        Some(total) => {
            assert!(total <= lost && total * 20 >= lost * 19, "{total} of {lost}: {said}");
        }
        None => eprintln!("LeakSanitizer does not run here: {said}"),
    }
    (lines, lost)
}

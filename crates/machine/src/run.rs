//! A compiler that has sanitizers: compiling a program, and running it.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::Program;

/// The compilers that are tried, in order.
const NAMES: [&str; 8] =
    ["gcc", "clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "cc"];

/// A program that has not ended after so long will not.
const PATIENCE: Duration = Duration::from_secs(10);

/// A compiler that takes longer is stopped.
const COMPILING: Duration = Duration::from_secs(300);

/// What is added to the flags of the source. Pointers of a run are aligned or not as it comes, functions are
/// called by the types that the machine knows, and what a run does not call need not be there.
const OURS: &[&str] = &[
    "-w",
    "-g",
    "-O0",
    "-fsanitize=address,undefined",
    "-fno-sanitize=alignment",
    "-fno-omit-frame-pointer",
    "-no-pie",
    "-Wl,--unresolved-symbols=ignore-all",
];

/// A compiler whose sanitizers work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compiler {
    program: PathBuf,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By itself; what was printed.
    Said(String),
    /// It was ended; what was printed.
    StillRunning(String),
}

/// Why there is no run.
#[derive(Debug)]
pub enum Trouble {
    /// The disk or a process does not do what it should.
    World(std::io::Error),
    /// The compiler does not accept the source or the program: its first complaint.
    Refused(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::World(error) => write!(f, "{error}"),
            Trouble::Refused(why) => write!(f, "the compiler refuses it: {why}"),
        }
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Trouble {
        Trouble::World(error)
    }
}

impl Compiler {
    /// The first on the path whose sanitizers work, tried out in a folder.
    pub fn find(path: &OsStr, scratch: &Path) -> Option<Compiler> {
        let on_path = |name: &&str| {
            std::env::split_paths(path).map(|folder| folder.join(name)).find(|file| file.is_file())
        };
        NAMES.iter().filter_map(on_path).map(|program| Compiler { program }).find(|compiler| {
            let trial =
                Program { text: "int main(void) { return 0; }".to_owned(), wrapped: Vec::new() };
            let built = compiler.compile(&trial, &[], Path::new("."), &scratch.join("trial"));
            let runs = built.and_then(|binary| compiler.run(&binary, 0));
            matches!(runs, Ok(Ended::Said(said)) if said.trim().is_empty())
        })
    }

    /// What it is called.
    pub fn name(&self) -> String {
        let name = self.program.file_name().unwrap_or(self.program.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// The words of the command that compiles a program, besides where it is and where it goes.
    pub fn words(&self, program: &Program, flags: &[OsString]) -> Vec<OsString> {
        let mut words = vec![self.program.clone().into_os_string()];
        words.extend(flags.iter().cloned());
        words.extend(OURS.iter().map(OsString::from));
        words.extend(program.wrapped.iter().map(|name| format!("-Wl,--wrap={name}").into()));
        words
    }

    /// Compiles a program, with the flags of the source and where that is compiled, to a file.
    ///
    /// # Errors
    /// If that could not be done.
    pub fn compile(
        &self,
        program: &Program,
        flags: &[OsString],
        directory: &Path,
        to: &Path,
    ) -> Result<PathBuf, Trouble> {
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let text = to.with_extension("c");
        std::fs::write(&text, &program.text)?;
        let words = self.words(program, flags);
        let mut compile = Command::new(&words[0]);
        compile.args(&words[1..]).arg(&text).arg("-o").arg(to).arg("-lm").current_dir(directory);
        match run(&mut compile, COMPILING)? {
            (Some(true), _) => Ok(to.to_owned()),
            (_, said) => {
                let complaint = said.lines().find(|line| line.contains("error"));
                Err(Trouble::Refused(complaint.unwrap_or(said.trim()).to_owned()))
            }
        }
    }

    /// Runs the case of a number.
    ///
    /// # Errors
    /// If the binary cannot be started.
    pub fn run(&self, binary: &Path, case: usize) -> Result<Ended, Trouble> {
        let mut command = Command::new(binary);
        command.arg(case.to_string());
        command.env(
            "ASAN_OPTIONS",
            "detect_stack_use_after_return=1:detect_leaks=0:allocator_may_return_null=1",
        );
        command.env("UBSAN_OPTIONS", "print_stacktrace=1:halt_on_error=0");
        Ok(match run(&mut command, PATIENCE)? {
            (Some(_), said) => Ended::Said(said),
            (None, said) => Ended::StillRunning(said),
        })
    }
}

/// Whether a command succeeded, none if it was ended; and all it printed.
fn run(command: &mut Command, patience: Duration) -> Result<(Option<bool>, String), Trouble> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let mut streams: Vec<Box<dyn Read + Send>> = Vec::new();
    streams.extend(child.stdout.take().map(|out| Box::new(out) as Box<dyn Read + Send>));
    streams.extend(child.stderr.take().map(|out| Box::new(out) as Box<dyn Read + Send>));
    let readers: Vec<_> = streams
        .into_iter()
        .map(|mut stream| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                // What could not be read is as if it were not said.
                let _ = stream.by_ref().take(MOST).read_to_end(&mut bytes);
                String::from_utf8_lossy(&bytes).into_owned()
            })
        })
        .collect();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status.success());
        }
        if start.elapsed() > patience {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let said = readers.into_iter().map(|reader| reader.join().unwrap_or_default());
    Ok((status, said.collect::<Vec<_>>().join("\n")))
}

/// So many bytes of what is printed are kept.
const MOST: u64 = 1 << 20;

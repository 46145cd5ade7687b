//! `javac` and `java`: compiling a program together with its source, and running it.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Program, annotations};

/// A program that has not ended after so long will not.
const PATIENCE: Duration = Duration::from_secs(20);

/// A Java virtual machine and its compiler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Jvm {
    javac: PathBuf,
    java: PathBuf,
}

/// What a replay came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// What is charged happens; how, in a few words.
    Confirmed(String),
    /// It does not; why not.
    Refuted(String),
}

/// Why a replay did not come to anything.
#[derive(Debug)]
pub enum Trouble {
    /// The disk or a process does not do what it should.
    World(std::io::Error),
    /// The source, or the program, is not accepted by the compiler: its first complaint.
    Refused(String),
    /// The program ended in a way that says nothing: its last words.
    Silent(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::World(error) => write!(f, "{error}"),
            Trouble::Refused(why) => write!(f, "javac refuses it: {why}"),
            Trouble::Silent(why) => write!(f, "the replay ended without an answer: {why}"),
        }
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Trouble {
        Trouble::World(error)
    }
}

impl Jvm {
    /// The one on the path, if there is one.
    pub fn find(path: &std::ffi::OsStr) -> Option<Jvm> {
        let find = |name: &str| {
            std::env::split_paths(path).map(|folder| folder.join(name)).find(|file| file.is_file())
        };
        Some(Jvm { javac: find("javac")?, java: find("java")? })
    }

    /// Compiles programs with the source they are about into a folder.
    ///
    /// # Errors
    /// If that could not be done.
    pub fn compile(
        &self,
        programs: &[&Program],
        path: &Path,
        source: &str,
        folder: &Path,
    ) -> Result<(), Trouble> {
        std::fs::create_dir_all(folder)?;
        let mut files = vec![path.to_owned()];
        let texts =
            programs.iter().map(|program| (format!("{}.java", program.name), program.text.clone()));
        for (name, text) in texts.chain(annotations(source)) {
            let file = folder.join(name);
            std::fs::write(&file, text)?;
            files.push(file);
        }
        let mut compile = Command::new(&self.javac);
        compile.args(["-nowarn", "-proc:none", "-Xlint:none", "-d"]).arg(folder).args(&files);
        let (is_fine, said) = run(&mut compile)?;
        if is_fine {
            return Ok(());
        }
        let complaint = said.lines().find(|line| line.contains("error:"));
        Err(Trouble::Refused(complaint.unwrap_or(said.trim()).to_owned()))
    }

    /// Runs a program that was compiled into a folder.
    ///
    /// # Errors
    /// If it has no answer.
    pub fn run(&self, program: &Program, folder: &Path) -> Result<Answer, Trouble> {
        let mut java = Command::new(&self.java);
        java.args(["-ea", "-XX:TieredStopAtLevel=1", "-Xss4m", "-cp"]).arg(folder);
        let (_, said) = run(java.arg(&program.name))?;
        let answer = said.lines().find_map(|line| {
            if let Some(how) = line.strip_prefix("CONFIRMED ") {
                return Some(Answer::Confirmed(how.to_owned()));
            }
            line.strip_prefix("REFUTED ").map(|why| Answer::Refuted(why.to_owned()))
        });
        answer.ok_or_else(|| {
            let words = said.lines().find(|line| !line.trim().is_empty());
            Trouble::Silent(words.unwrap_or("nothing was printed").to_owned())
        })
    }
}

/// Whether a command succeeded, and all it printed. One that does not end is ended.
fn run(command: &mut Command) -> Result<(bool, String), Trouble> {
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
                // What could be read before an error is all there is to say.
                let _ = stream.read_to_end(&mut bytes);
                String::from_utf8_lossy(&bytes).into_owned()
            })
        })
        .collect();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            break child.wait()?;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let said: Vec<String> = readers.into_iter().filter_map(|reader| reader.join().ok()).collect();
    Ok((status.success(), said.join("\n")))
}

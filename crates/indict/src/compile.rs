//! C for the driver: clang and the compile commands of a project, as the arguments and the environment have them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use clang::{Bitcode, Command, Flags, database};
use driver::{Compiled, Complaint};
use report::{Note, Severity};
use store::Cache;

use crate::Failure;
use crate::args::Compile;
use crate::limits::{COMPILER_MESSAGES, DATABASE_FAULTS};

/// A clang that is looked for when it is needed, and how files are compiled.
pub(crate) struct Clang {
    program: Option<PathBuf>,
    cache: Option<Arc<dyn Cache>>,
    found: OnceLock<Result<clang::Compiler, String>>,
    flags: Flags,
    /// Directories of models, which no project lists.
    models: Vec<PathBuf>,
    project: Option<Project>,
    remarks: Mutex<Remarks>,
}

/// A compilation database.
struct Project {
    commands: Vec<Command>,
    /// The numbers of the commands, by the files that they compile.
    by_file: BTreeMap<PathBuf, usize>,
    /// The files that the user has named, besides.
    named: BTreeSet<PathBuf>,
    faults: Vec<String>,
    cpp: usize,
    /// Its path.
    path: String,
}

/// The notes at the end of a run.
#[derive(Default)]
struct Remarks {
    /// Flags that clang does not know.
    dropped: BTreeSet<String>,
    /// Files that were named and are not in the database.
    unlisted: BTreeSet<String>,
    /// The files that were found in directories and are not in the database.
    left_out: BTreeSet<PathBuf>,
    /// The dependencies of the files that have been compiled.
    fingerprints: BTreeMap<PathBuf, [u8; 32]>,
}

impl Clang {
    /// Compiles as the arguments say, where `paths` are those to check.
    ///
    /// # Errors
    /// If there is no database where one is named.
    pub(crate) fn new(
        args: &Compile,
        cache: Option<Arc<dyn Cache>>,
        paths: &[PathBuf],
    ) -> Result<Self, Failure> {
        let project = args.database.as_deref().map(|path| Project::read(path, paths));
        let project = project.transpose()?;
        let flags = Flags::of(&args.flags);
        let models = args.models.clone();
        Ok(Self { project, models, ..Self::plain(args.clang.clone(), cache, flags) })
    }

    /// Compiles files with these flags.
    pub(crate) fn plain(
        program: Option<PathBuf>,
        cache: Option<Arc<dyn Cache>>,
        flags: Flags,
    ) -> Self {
        let (found, remarks) = (OnceLock::new(), Mutex::default());
        Self { program, cache, found, flags, models: Vec::new(), project: None, remarks }
    }

    /// The files of the database, as seen from a directory.
    pub(crate) fn files(&self, working: &Path) -> Vec<PathBuf> {
        let commands = self.project.iter().flat_map(|project| &project.commands);
        let seen = |command: &Command| {
            let path = command.path();
            let plain = driver::plain(&working.join(&path));
            let plain = plain.strip_prefix(working).map(Path::to_owned).unwrap_or(plain);
            // If a directory is a symbolic link, `..` leads elsewhere.
            if plain.exists() { plain } else { path }
        };
        commands.map(seen).collect()
    }

    /// The directory and the flags with which a file is compiled.
    pub(crate) fn flags_of(&self, path: &Path) -> (PathBuf, Vec<OsString>) {
        let number = self
            .project
            .as_ref()
            .and_then(|project| Some(&project.commands[*project.by_file.get(&identity(path))?]));
        match number {
            Some(command) => {
                let flags = command.flags.and(&self.flags);
                (command.directory.clone(), flags.get().to_vec())
            }
            None => (PathBuf::from("."), self.flags.get().to_vec()),
        }
    }

    /// The notes at the end of a run.
    pub(crate) fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        let mut note = |severity, message| notes.push(Note { severity, message, place: None });
        let Remarks { dropped, unlisted, left_out, .. } = &*self.remarks();
        if !dropped.is_empty() {
            let flags: Vec<&str> = dropped.iter().map(String::as_str).collect();
            let flags = flags.join(" ");
            note(
                Severity::Note,
                format!("clang does not know these flags, which were dropped: {flags}"),
            );
        }
        let refused = self.refused();
        if !refused.is_empty() {
            let flags: Vec<&str> = refused.iter().map(String::as_str).collect();
            note(
                Severity::Note,
                format!(
                    "these flags load code into a compiler or have it run programs, and were dropped: {}",
                    flags.join(" ")
                ),
            );
        }
        if let Some(Project { path, faults, cpp, commands, .. }) = &self.project {
            for file in unlisted {
                note(
                    Severity::Note,
                    format!("`{file}` is not in {path}; it was compiled with the flags after `--`"),
                );
            }
            if !left_out.is_empty() {
                let files = files(left_out.len());
                note(Severity::Note, format!("left out, as not in {path}: {files} of C"));
            }
            for fault in faults.iter().take(DATABASE_FAULTS) {
                note(Severity::Warning, format!("{path}: {fault}"));
            }
            if faults.len() > DATABASE_FAULTS {
                let more = faults.len() - DATABASE_FAULTS;
                note(Severity::Warning, format!("{path}: {more} more entries like that"));
            }
            if *cpp > 0 {
                let files = files(*cpp);
                note(Severity::Note, format!("{path}: {files} of C++, which is not C, left out"));
            }
            if commands.is_empty() {
                note(Severity::Error, format!("{path} has no C file that could be checked"));
            }
        }
        notes
    }

    /// The flags that are passed to no compiler, since they would load code into it, or make it run programs.
    fn refused(&self) -> BTreeSet<String> {
        let commands = self.project.iter().flat_map(|project| &project.commands);
        let flags = commands.map(|command| &command.flags).chain([&self.flags]);
        let refused = flags.flat_map(|flags| flags.refused());
        refused.map(|flag| flag.to_string_lossy().into_owned()).collect()
    }

    /// The program that compiles, if there is one.
    pub(crate) fn program(&self) -> Option<&Path> {
        self.compiler().ok().map(clang::Compiler::program)
    }

    /// clang, which is looked for once.
    fn compiler(&self) -> Result<&clang::Compiler, &String> {
        let found = self.found.get_or_init(|| {
            let found = clang::Compiler::find(self.program.as_deref(), self.cache.clone());
            found.map_err(|error| error.to_string())
        });
        found.as_ref()
    }

    fn remarks(&self) -> MutexGuard<'_, Remarks> {
        self.remarks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How a file is compiled; not at all if it was found in a directory and is not in the database.
    fn command(&self, path: &Path) -> Option<Command> {
        let is_model =
            path.parent().is_some_and(|parent| self.models.iter().any(|at| at == parent));
        if let Some(project) = self.project.as_ref().filter(|_| !is_model) {
            let file = identity(path);
            if let Some(&number) = project.by_file.get(&file) {
                let command = project.commands[number].clone();
                return Some(Command { flags: command.flags.and(&self.flags), ..command });
            }
            if !project.named.contains(&file) {
                self.remarks().left_out.insert(file);
                return None;
            }
            self.remarks().unlisted.insert(path.to_string_lossy().into_owned());
        }
        Some(Command::plain(path, &self.flags))
    }
}

impl driver::Compiler for Clang {
    fn compile(&self, path: &Path) -> Result<Compiled, Vec<Complaint>> {
        let Some(command) = self.command(path) else { return Err(Vec::new()) };
        let error = |message, place| Complaint { severity: Severity::Error, message, place };
        let compiler = self.compiler().map_err(|why| vec![error(why.clone(), None)])?;
        match compiler.compile(&command) {
            Ok(Bitcode { bytes, dropped, fingerprint }) => {
                let mut remarks = self.remarks();
                remarks.dropped.extend(dropped);
                remarks.fingerprints.extend(fingerprint.map(|of| (path.to_owned(), of)));
                Ok(Compiled { bytes, directory: command.directory })
            }
            Err(clang::Error::Refused(_, complaints)) => {
                let shown = path.display();
                let more = complaints.len().saturating_sub(COMPILER_MESSAGES);
                let notes = complaints.into_iter().take(COMPILER_MESSAGES).map(|complaint| {
                    let clang::ClangDiagnostic { message, place } = complaint;
                    let message = format!("clang refuses `{shown}`: {message}");
                    let place = place
                        .map(|(file, line, column)| (command.directory.join(file), line, column));
                    error(message, place)
                });
                let rest = format!("clang refuses `{shown}`: {more} more errors");
                Err(notes.chain((more > 0).then(|| error(rest, None))).collect())
            }
            Err(other) => Err(vec![error(other.to_string(), None)]),
        }
    }

    fn fingerprint(&self, path: &Path) -> Option<Vec<u8>> {
        // A file that is not compiled depends on nothing.
        let Some(command) = self.command(path) else { return Some(Vec::new()) };
        let known = self.remarks().fingerprints.get(path).copied();
        let mut all = match known {
            Some(of) => of.to_vec(),
            None => {
                let (of, dropped) = self.compiler().ok()?.fingerprint(&command)?;
                self.remarks().dropped.extend(dropped);
                of.to_vec()
            }
        };
        // Paths in bitcode are relative to it.
        all.extend(command.directory.as_os_str().as_encoded_bytes());
        Some(all)
    }
}

impl Project {
    fn read(path: &Path, named: &[PathBuf]) -> Result<Self, Failure> {
        let database::Database { commands, cpp, faults } =
            database::read(path).map_err(|error| Failure(error.to_string()))?;
        let by_file = commands.iter().map(|command| identity(&command.path())).zip(0..).collect();
        let named = named.iter().map(|path| identity(path)).collect();
        let path = if path.is_dir() { path.join("compile_commands.json") } else { path.to_owned() };
        Ok(Self { commands, by_file, named, faults, cpp, path: path.display().to_string() })
    }
}

/// The same for two paths to the same file.
fn identity(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn files(number: usize) -> String {
    if number == 1 { "1 file".to_owned() } else { format!("{number} files") }
}

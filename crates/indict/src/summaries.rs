//! `indict summaries`: what functions do to locks and memory, as their callers know it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use driver::{Disk, Documented, Files, Options, SummaryText};
use report::Severity;
use store::Cache;

use crate::args::{Compile, Summaries};
use crate::cache::notes as notes_of;
use crate::check::configured;
use crate::compile::Clang;
use crate::limits::PROPERTY_BYTES;
use crate::output::{complain, print};
use crate::{Ending, Failure};

/// Prints summaries.
pub(crate) fn summaries(asked: &Summaries) -> Result<Ending, Failure> {
    let (config, mut options) = configured(None, &asked.properties)?;
    let cache = asked.cache.open(config.as_ref());
    options.cache = cache.clone().map(|cache| cache as Arc<dyn Cache>);
    let (functions, given): (Vec<PathBuf>, Vec<PathBuf>) =
        asked.given.iter().cloned().partition(|given| is_function(given));
    let contains = asked.function.iter().map(|text| format!("*{text}*"));
    let named: Vec<String> =
        functions.iter().map(|name| name.display().to_string()).chain(contains).collect();
    options.models.splice(0..0, asked.compile.models.iter().cloned());
    let models = options.models.clone();
    let compile = Compile { models, ..asked.compile.clone() };
    let clang = Clang::new(&compile, options.cache.clone(), &given)?;
    let listed = if given.is_empty() { clang.files(&options.working) } else { Vec::new() };
    let paths: Vec<&Path> = given.iter().chain(&listed).map(|path| &**path).collect();
    let Documented { procedures: described, statistics, notes } =
        driver::summaries(&paths, &Disk, &clang, &options);
    let mut has_failed = false;
    for note in notes.into_iter().chain(clang.notes()).chain(notes_of(cache.as_deref())) {
        if note.severity == Severity::Error {
            complain(&note.message);
            has_failed = true;
        }
    }
    let is_named = |name: &str| named.iter().any(|pattern| fits(name, pattern));
    for pattern in &named {
        if !described.iter().any(|of| fits(&of.name, pattern)) {
            complain(&format!("there is no function `{pattern}` in the summarized files"));
            has_failed = true;
        }
    }
    let wanted = |of: &&SummaryText| match named.is_empty() {
        false => is_named(&of.name),
        true => of.has_states || asked.all,
    };
    let mut text = String::new();
    for of in described.iter().filter(wanted) {
        let _ = writeln!(text, "{}\n{}", of.heading, of.text);
        if !named.is_empty() {
            let callers = described.iter().filter(|other| other.callees.contains(&of.name));
            let callers: Vec<&str> = callers.map(|other| &*other.name).collect();
            for (label, names) in [
                ("calls", of.callees.iter().map(String::as_str).collect::<Vec<_>>()),
                ("is called by", callers),
            ] {
                if !names.is_empty() {
                    let _ = writeln!(text, "  {label} {}", names.join(", "));
                }
            }
            text.push('\n');
        }
    }
    let _ = write!(text, "{statistics}");
    print(text.as_bytes())?;
    Ok(if has_failed { Ending::Failure } else { Ending::Clean })
}

/// Whether an argument names a function: it is no file, and does not look like one.
fn is_function(given: &Path) -> bool {
    let text = given.to_string_lossy();
    !given.exists() && !text.contains(['/', '.'])
}

/// Whether a name is what a pattern says, in which `*` stands for anything.
fn fits(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        None => name == pattern,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            let starts = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            starts.into_iter().any(|at| fits(&rest[at..], after))
        }),
    }
}

/// Adds the properties of files to those that come with the program.
pub(crate) fn read_properties(paths: &[PathBuf], options: &mut Options) -> Result<(), Failure> {
    for path in paths {
        let shown = path.display();
        let bytes = Disk.read(path, PROPERTY_BYTES);
        let bytes = bytes.map_err(|error| Failure(format!("cannot read {shown}: {error}")))?;
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| Failure(format!("{shown} is not UTF-8")))?;
        let faults = options.add_properties(&text);
        if let [first, ..] = &faults[..] {
            let rest = match faults.len() {
                1 => String::new(),
                2 => " (and 1 more error)".to_owned(),
                more => format!(" (and {} more errors)", more - 1),
            };
            return Err(Failure(format!("{shown}:{}: {}{rest}", first.line, first.message)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_star_stands_for_anything() {
        for (name, pattern, is_one) in [
            ("spin_lock", "spin_lock", true),
            ("spin_lock", "spin", false),
            ("spin_lock", "spin*", true),
            ("spin_lock", "*lock", true),
            ("spin_unlock", "*_lock", false),
            ("spin_lock", "*", true),
            ("", "*", true),
            ("spin_trylock", "s*try*k", true),
        ] {
            assert_eq!(fits(name, pattern), is_one, "{name} {pattern}");
        }
    }
}

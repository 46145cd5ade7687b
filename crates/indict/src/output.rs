//! Output: to standard output, which may have been closed, or to a file, which is complete or absent.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::Failure;

/// The destination of a report.
pub(crate) struct Output(Option<PathBuf>);

impl Output {
    /// To a file if there is a path, to standard output otherwise. A path that cannot work is refused
    /// now, before anybody waits for the report.
    pub(crate) fn new(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self(None)) };
        let shown = path.display();
        if path.is_dir() {
            return Err(Failure(format!("cannot write to {shown}: it is a directory")));
        }
        if !directory(path).is_dir() {
            let directory = directory(path).display();
            return Err(Failure(format!(
                "cannot write to {shown}: there is no directory {directory}"
            )));
        }
        // The file that a link leads to is replaced, not the link.
        Ok(Self(Some(path.canonicalize().unwrap_or_else(|_| path.to_owned()))))
    }

    /// Writes the report.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        let Some(path) = &self.0 else { return print(bytes) };
        let written = match fs::metadata(path) {
            // A device or pipe cannot be replaced.
            Ok(metadata) if !metadata.is_file() => fs::write(path, bytes),
            _ => replace(path, bytes),
        };
        written.map_err(|error| Failure(format!("cannot write to {}: {error}", path.display())))
    }
}

/// Writes to standard output. A closed pipe is no error.
pub(crate) fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes to standard error. A failure to do so is ignored.
pub(crate) fn print_error(bytes: &[u8]) {
    let _ = io::stderr().lock().write_all(bytes);
}

/// Standard output, for what is written as it is made.
pub(crate) fn stream() -> impl Write {
    io::BufWriter::new(io::stdout().lock())
}

/// Tells something on standard error that is not part of what was asked for.
pub(crate) fn tell(what: &str) {
    // A failure to write to standard error is ignored.
    let _ = writeln!(io::stderr(), "indict: {what}");
}

/// Tells on standard error why a command failed.
pub(crate) fn complain(why: &str) {
    // A failure to write to standard error is ignored.
    let _ = writeln!(io::stderr(), "error: {why}");
}

/// Writes a file beside the one to be replaced, then puts it in its place in one step.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = directory(path).join(format!(".{name}.{}.tmp", std::process::id()));
    let written = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// The directory that a file is in.
fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

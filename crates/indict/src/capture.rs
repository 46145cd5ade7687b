//! `indict capture`: a build is watched, and how it compiles its files is written down.

use std::ffi::{OsStr, OsString};
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;

use crate::args::Capture;
use crate::output::tell;
use crate::{Ending, Failure};

/// Runs a build and writes its compile commands.
pub(crate) fn capture(args: &Capture) -> Result<Ending, Failure> {
    let us = std::env::current_exe()
        .map_err(|error| Failure(format!("this program cannot be found again: {error}")))?;
    let scratch = Scratch::new().map_err(|error| {
        Failure(format!("no directory for temporary files can be made: {error}"))
    })?;
    let captured = clang::capture::capture(&us, &args.build, &scratch.0, &args.output);
    let captured = captured.map_err(|error| {
        let build = args.build.join(OsStr::new(" "));
        Failure(format!("`{}` could not be watched: {error}", build.to_string_lossy()))
    })?;
    let database = args.output.display();
    let summary = match captured.files {
        0 => format!("no file was captured, and {database} was not written\n{NONE}"),
        1 => format!("1 file captured; to check it: indict check -p {database}"),
        files => format!("{files} files captured; to check them: indict check -p {database}"),
    };
    tell(&summary);
    if captured.nameless > 0 {
        let files = captured.nameless;
        tell(&format!(
            "left out, as JSON cannot name what is not UTF-8: files of C, {files} in all"
        ));
    }
    Ok(Ending::Code(u8::try_from(captured.code).unwrap_or(u8::MAX)))
}

const NONE: &str = "\
- if everything was up to date, clean it first, for instance with `make clean`
- a compiler that is started by its full path is not seen: name it without, as in `make CC=gcc`
- ccache need not start a compiler: set CCACHE_DISABLE=1
- only compilers of C are watched: cc, gcc, clang, with a target before or a version after the name";

/// If this program is called as `indict wrap-compiler NAME ARGUMENTS`, which the build does through the wrappers on
/// its PATH: records the compiler's command line, and becomes the compiler. Users do not call it, and arguments
/// that look like ours are the compiler's. Returns a failure if the compiler cannot be started.
pub(crate) fn stand_in(arguments: impl Iterator<Item = OsString>) -> Option<Failure> {
    let mut arguments = arguments.skip(1);
    if arguments.next()? != "wrap-compiler" {
        return None;
    }
    let name = arguments.next()?;
    let arguments: Vec<OsString> = arguments.collect();
    Some(Failure(clang::capture::wrap(&name, &arguments).to_string()))
}

/// A directory of our own that is gone in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("indict-capture-{}", std::process::id()));
        // A directory of another user is not used.
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Remaining files are in a directory for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

//! `indict run`: a program of one file, in the interpreter.

use std::os::unix::ffi::OsStrExt as _;

use clang::Flags;
use driver::{Disk, Execution, ProgramEnd};

use crate::args::Run;
use crate::compile::Clang;
use crate::output::{complain, print, print_error};
use crate::{Ending, Failure};

/// Runs a program, prints what it writes and how it ended.
pub(crate) fn run(asked: &Run) -> Result<Ending, Failure> {
    let cache = asked.cache.open(None).map(|cache| cache as _);
    let clang = Clang::plain(asked.clang.clone(), cache, Flags::of(&asked.flags));
    let arguments: Vec<Vec<u8>> =
        asked.arguments.iter().map(|argument| argument.as_bytes().to_vec()).collect();
    let working = std::env::current_dir()
        .map_err(|error| Failure(format!("the working directory cannot be found: {error}")))?;
    let execution = driver::execute(&asked.file, &arguments, asked.steps, &Disk, &clang, &working);
    let Execution { output, errors, ended, .. } =
        execution.map_err(|why| Failure(why.to_string()))?;
    print(&output)?;
    print_error(&errors);
    let at = |place: Option<String>| place.map_or(String::new(), |place| format!("{place}: "));
    match ended {
        ProgramEnd::Exit(status) => Ok(Ending::Code(status)),
        ProgramEnd::Purpose(why) => {
            complain(&format!("the program ended itself: {why}"));
            Ok(Ending::Failure)
        }
        ProgramEnd::Failed(kind, message, place) => {
            complain(&format!("{}{message} ({})", at(place), kind.name()));
            Ok(Ending::Findings)
        }
        ProgramEnd::Stopped(why, place) => {
            Err(Failure(format!("{}the program cannot be followed further: {why}", at(place))))
        }
    }
}

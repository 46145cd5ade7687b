//! The events that a replay program prints to the third file, line by line. Only lines that begin with the word of
//! the execution count.

use report::Observer;

use crate::machine::fault::{ErrorKind, of_address_sanitizer, of_undefined_behaviour};

/// The events of an execution.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Events {
    /// Whether the call was made, from the state that the witness has.
    pub(crate) started: bool,
    /// The part of memory that differs from the witness.
    pub(crate) differs: Option<String>,
    /// The errors, in order.
    pub(crate) errors: Vec<Error>,
    /// A callee that was called more often than in the witness, first of all.
    pub(crate) beyond: Option<String>,
    /// Whether the call returned, or ended the program by `exit`.
    pub(crate) returned: bool,
}

/// Something that went wrong, as it was reported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Error {
    /// Who reports it.
    pub(crate) by: Observer,
    pub(crate) kind: ErrorKind,
    /// The reporter's words, without addresses, which differ between runs.
    pub(crate) what: String,
    /// The calls that led there, innermost first: files, less their folders, and lines.
    pub(crate) frames: Vec<Frame>,
}

/// A call on the way to an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    /// The path, if the compiler knows the source.
    pub(crate) path: Option<String>,
    pub(crate) line: u32,
}

/// The events that are printed under a word.
pub(crate) fn events(printed: &str, word: &str) -> Events {
    let mut events = Events::default();
    let mut lines = printed.lines();
    while let Some(line) = lines.next() {
        let Some(rest) = line.strip_prefix(word).and_then(|rest| rest.strip_prefix(' ')) else {
            continue;
        };
        let mut parts = rest.splitn(3, ' ');
        let (kind, number) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let what = parts.next().unwrap_or_default();
        match kind {
            "start" => events.started = true,
            "returned" | "exited" => events.returned = true,
            "differs" => events.differs = Some(what.to_owned()),
            "beyond" => events.beyond = events.beyond.or(Some(what.to_owned())),
            "asan" => {
                let end = format!("{word} end ");
                let report: Vec<&str> =
                    lines.by_ref().take_while(|line| !line.starts_with(&end)).collect();
                events.errors.extend(address_sanitizer(&report));
            }
            "ubsan" => events.errors.push(Error {
                by: Observer::UndefinedBehaviorSanitizer,
                kind: of_undefined_behaviour(what),
                what: what.to_owned(),
                frames: Vec::new(),
            }),
            "assert" => events.errors.push(Error {
                by: Observer::Assertion,
                kind: ErrorKind::Assertion,
                what: what.to_owned(),
                frames: Vec::new(),
            }),
            "lock" => events.errors.push(Error {
                by: Observer::LockStub,
                kind: ErrorKind::Lock,
                what: what.to_owned(),
                frames: Vec::new(),
            }),
            "what" => {
                if let Some(error) = events.errors.last_mut() {
                    what.clone_into(&mut error.what);
                }
            }
            "at" => {
                if let (Some(error), Ok(line)) = (events.errors.last_mut(), number.parse()) {
                    error.frames.push(Frame { path: Some(what.to_owned()), line });
                }
            }
            _ => {}
        }
    }
    // A stub of a lock aborts the program, and AddressSanitizer knows where.
    let lock = events.errors.iter().position(|error| error.kind == ErrorKind::Lock);
    if let Some(lock) = lock
        && events.errors.get(lock + 1).is_some_and(|next| next.kind == ErrorKind::Abort)
    {
        let abort = events.errors.remove(lock + 1);
        events.errors[lock].frames = abort.frames;
    }
    events
}

/// The error of a report of AddressSanitizer.
fn address_sanitizer(report: &[&str]) -> Option<Error> {
    const HEAD: &str = "ERROR: AddressSanitizer: ";
    let head = report.iter().position(|line| line.contains(HEAD))?;
    let (_, what) = report[head].split_once(HEAD)?;
    let kind = of_address_sanitizer(what);
    // Who jumped to nowhere cannot be found out.
    let is_lost = what.contains("(pc 0x000000000000 ");
    let ends =
        [" (pc ", " at pc ", " on address ", " on unknown address", ": memory ranges ", " on 0x"];
    let end = ends.iter().filter_map(|end| what.find(end)).min();
    let short = end.map_or(what, |end| &what[..end]).to_owned();
    // The frames of the error are those up to the first empty line.
    let lines = report[head + 1..].iter().take_while(|line| !line.trim().is_empty());
    let frames = lines.filter(|line| line.trim_start().starts_with('#')).map(|line| frame(line));
    let frames = if is_lost { Vec::new() } else { frames.collect() };
    Some(Error { by: Observer::AddressSanitizer, kind, what: short, frames })
}

/// The frame of `#0 0x5 in f /x/a.c:3:9`.
fn frame(line: &str) -> Frame {
    let place = line.rsplit(' ').next().and_then(location);
    match place {
        Some((path, line)) => Frame { path: Some(path), line },
        None => Frame { path: None, line: 0 },
    }
}

/// The file and line of `path:line` or `path:line:column`.
fn location(text: &str) -> Option<(String, u32)> {
    let mut parts = text.rsplitn(3, ':');
    let (last, middle, first) = (parts.next()?, parts.next()?, parts.next());
    let (path, line) = match (first, middle.parse::<u32>()) {
        (Some(path), Ok(line)) => (path, line),
        _ => (middle, last.parse().ok()?),
    };
    Some((path.to_owned(), line))
}

//! The way of one file, top to bottom: read, lower, judge its faults, examine its procedures.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use check::{Checker, Effort, Inquiry, Limits, Program, examine_before};
use ir::{Module, ProcedureId, Span};
use rayon::prelude::*;
use report::{Finding, LineIndex, Note, Place, Procedure, Reason, Severity, Verdict};

use crate::contain::contain;
use crate::faults::{extent, faults, trusted};
use crate::files::{Files, shown};
use crate::gather::unreadable;
use crate::language::{Language, of_path};
use crate::run::{Observer, Timing};
use crate::suppress::{Suppression, suppressions};

/// What a file comes to.
#[derive(Default)]
pub(crate) struct Unit {
    pub(crate) findings: Vec<Finding>,
    pub(crate) procedures: Vec<Procedure>,
    pub(crate) notes: Vec<Note>,
    pub(crate) timings: Vec<Timing>,
    pub(crate) suppressions: Vec<Suppression>,
    /// Where the procedures are that could not be decided.
    pub(crate) undecided: Vec<Place>,
    /// The texts of the files that places may mention.
    pub(crate) texts: BTreeMap<String, String>,
}

/// What a file is checked with.
pub(crate) struct Bench<'b> {
    pub(crate) files: &'b dyn Files,
    pub(crate) checkers: &'b [&'static dyn Checker],
    pub(crate) limits: &'b Limits,
    pub(crate) observer: &'b dyn Observer,
}

/// Checks a file.
pub(crate) fn check(path: &Path, bench: &Bench<'_>) -> Unit {
    let mut unit = Unit::default();
    let Some(language) = of_path(path) else { return unit };
    let text = match read(path, bench.files) {
        Ok(text) => text,
        Err(note) => {
            unit.notes.push(note);
            return unit;
        }
    };
    let path = shown(path);
    match contain(|| (language.lower)(&path, &text)) {
        Err(panic) => unit.notes.push(Note {
            severity: Severity::Error,
            message: format!("`{path}` could not be lowered: {panic}; {OUR_BUG}"),
            place: None,
        }),
        Ok((module, diagnostics)) => {
            bench.observer.lowered(&path, &module);
            unit.texts = texts(&path, text, &module, bench.files);
            unit.suppressed_in(&path, language);
            unit.examined(module, diagnostics, bench);
        }
    }
    unit
}

const OUR_BUG: &str = "this is a bug of Indict, please report it with the file";

impl Unit {
    fn suppressed_in(&mut self, path: &str, language: &Language) {
        let (found, notes) = suppressions(path, &self.texts[path], language.quotes);
        self.suppressions = found;
        self.notes.extend(notes);
    }

    /// Examines all procedures, each on whichever thread is free, and collects what is said of them
    /// in the order of the source.
    fn examined(
        &mut self,
        mut module: Module,
        diagnostics: Vec<ir::Diagnostic>,
        bench: &Bench<'_>,
    ) {
        let (errors, remarks): (Vec<_>, Vec<_>) = diagnostics
            .into_iter()
            .partition(|diagnostic| diagnostic.severity == ir::Severity::Error);
        let faults = faults(&module, errors);
        let extents: Vec<Span> = module.procedures.iter().map(extent).collect();
        let trusted = trusted(&mut module, &faults);
        let atlas = Atlas::new(&module, &self.texts);
        let place = |span: Span| atlas.place(span);
        self.notes.extend(faults.iter().map(|fault| Note {
            severity: Severity::Error,
            message: fault.message.clone(),
            place: fault.span.and_then(place),
        }));
        self.notes.extend(remarks.iter().map(|remark| Note {
            severity: Severity::Note,
            message: remark.to_string(),
            place: place(remark.span),
        }));
        bench.observer.found(module.procedures.len());
        let program =
            trusted.contains(&true).then(|| contain(|| Program::new(&module, &self.texts)));
        let (program, why_not) = match program.transpose() {
            Ok(program) => (program, "faulty source"),
            Err(panic) => {
                let message = format!("the procedures could not be examined: {panic}; {OUR_BUG}");
                self.notes.push(Note { severity: Severity::Error, message, place: None });
                (None, "internal error")
            }
        };
        let examined: Vec<Examined> = (0..module.procedures.len())
            .into_par_iter()
            .map(|number| {
                let id = ProcedureId(number as u32);
                let subject = subject(&module, id, &atlas, bench.limits);
                let examined = match &program {
                    Some(program) if trusted[number] => one(program, id, subject, bench),
                    _ => Examined::skipped(subject, why_not),
                };
                bench.observer.examined(&examined.timing);
                examined
            })
            .collect();
        for (examined, extent) in examined.into_iter().zip(extents) {
            match examined.procedure.verdict {
                Verdict::Findings | Verdict::NoneWithinBounds => {}
                Verdict::Unknown(_) | Verdict::Skipped(_) => {
                    self.undecided.extend(atlas.place(extent));
                }
            }
            self.findings.extend(examined.findings);
            self.procedures.push(examined.procedure);
            self.notes.extend(examined.note);
            self.timings.push(examined.timing);
        }
    }
}

/// What a procedure comes to.
struct Examined {
    findings: Vec<Finding>,
    procedure: Procedure,
    note: Option<Note>,
    timing: Timing,
}

impl Examined {
    fn without_findings(procedure: Procedure, note: Option<Note>, time: Duration) -> Self {
        let timing = Timing::new(&procedure, time, Effort::default());
        Self { findings: Vec::new(), procedure, note, timing }
    }

    fn skipped(subject: Procedure, why: &str) -> Self {
        let verdict = Verdict::Skipped(Reason::new(why));
        Self::without_findings(Procedure { verdict, ..subject }, None, Duration::ZERO)
    }
}

/// Examines one procedure. If the solver cannot be had, or if we are wrong, that is its verdict.
fn one(program: &Program<'_>, id: ProcedureId, subject: Procedure, bench: &Bench<'_>) -> Examined {
    let start = Instant::now();
    let outcome = contain(|| {
        let mut audience = |inquiry: &Inquiry<'_>| bench.observer.asked(id, inquiry);
        examine_before(program, id, bench.checkers, bench.limits, &mut audience)
    });
    let time = start.elapsed();
    let (class, why, message) = match outcome {
        Ok(Ok(check::Examined { findings, procedure, effort })) => {
            let timing = Timing::new(&procedure, time, effort);
            return Examined { findings, procedure, note: None, timing };
        }
        Ok(Err(error)) => ("solver", error.to_string(), format!("the solver failed: {error}")),
        Err(panic) => {
            let message = format!("`{}` could not be examined: {panic}; {OUR_BUG}", subject.name);
            ("internal error", panic.to_string(), message)
        }
    };
    let note = Note { severity: Severity::Error, message, place: subject.place.clone() };
    let verdict = Verdict::Unknown(Reason::new(class).because(why));
    Examined::without_findings(Procedure { verdict, ..subject }, Some(note), time)
}

/// A procedure of which nothing is known yet.
fn subject(module: &Module, id: ProcedureId, atlas: &Atlas<'_>, limits: &Limits) -> Procedure {
    let subject = module.procedure(id);
    let name = subject.display.clone().unwrap_or_else(|| subject.name.clone());
    let verdict = Verdict::Unknown(Reason::new("internal error"));
    let place = atlas.place(subject.span);
    Procedure { name, place, verdict, bounds: limits.bounds() }
}

/// The files of a module, indexed.
struct Atlas<'t> {
    files: Vec<(String, LineIndex<'t>)>,
}

impl<'t> Atlas<'t> {
    fn new(module: &Module, texts: &'t BTreeMap<String, String>) -> Self {
        let files = module.files.iter().map(|file| {
            let text = texts.get(&file.path).map_or("", String::as_str);
            (file.path.clone(), LineIndex::new(text))
        });
        Self { files: files.collect() }
    }

    fn place(&self, span: Span) -> Option<Place> {
        let (path, index) = self.files.get(span.file.0 as usize)?;
        Some(Place::of_offsets(&**path, index, span.start, span.end))
    }
}

/// A file may have as many bytes. What is larger was not written by a person.
const LARGEST: u64 = 64 << 20;

/// The text of a file, or why it cannot be checked.
fn read(path: &Path, files: &dyn Files) -> Result<String, Note> {
    let error = |message| Note { severity: Severity::Error, message, place: None };
    let bytes = files.read(path, LARGEST + 1).map_err(|why| error(unreadable(path, &why)))?;
    let path = shown(path);
    if bytes.len() as u64 > LARGEST {
        let limit = LARGEST >> 20;
        return Err(error(format!(
            "`{path}` has more than {limit} MB; split it to have it checked"
        )));
    }
    if bytes.contains(&0) {
        return Err(error(format!(
            "`{path}` is a binary file; name the source it was made from, or leave it out with \
             `exclude` in indict.toml"
        )));
    }
    match String::from_utf8(bytes) {
        // A byte order mark says nothing in UTF-8.
        Ok(text) => Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)),
        Err(why) => {
            let valid = &why.as_bytes()[..why.utf8_error().valid_up_to()];
            let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
            Err(error(format!(
                "`{path}` is not UTF-8 on line {line}; convert it, for instance with \
                 `iconv -f latin1 -t utf-8`"
            )))
        }
    }
}

/// The texts that places in a module may mention: the file's own, and of those that it stands for, as
/// far as they can be had.
fn texts(path: &str, text: String, module: &Module, files: &dyn Files) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::from([(path.to_owned(), text)]);
    for file in &module.files {
        if !texts.contains_key(&file.path)
            && let Ok(text) = read(Path::new(&file.path), files)
        {
            texts.insert(file.path.clone(), text);
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, Ordering};

    use check::{Case, Checker, Limits, Rule};

    use super::{Bench, check};
    use crate::files::Memory;
    use crate::run::Silent;

    /// A checker that is wrong about the first procedure it sees.
    struct Wrong;

    static IS_FIRST: AtomicBool = AtomicBool::new(true);

    impl Checker for Wrong {
        fn rule(&self) -> Rule {
            Rule { id: "wrong", default_on: true, manual: "A test." }
        }

        fn check(&self, _: &mut Case<'_>) {
            assert!(!IS_FIRST.swap(false, Ordering::SeqCst), "we did not think of this");
        }
    }

    #[test]
    fn a_panic_is_the_verdict_on_one_procedure_and_the_rest_goes_on() {
        let procedure = |name: &str| format!("proc {name}()\n{{\n  entry:\n    exit;\n}}\n");
        let files = Memory::new([("a.vir", procedure("f") + &procedure("g"))]);
        let limits = Limits::default();
        let bench =
            Bench { files: &files, checkers: &[&Wrong], limits: &limits, observer: &Silent };
        let unit = check(Path::new("a.vir"), &bench);
        let mut verdicts: Vec<String> =
            unit.procedures.iter().map(|procedure| procedure.verdict.to_string()).collect();
        verdicts.sort();
        assert_eq!(verdicts[0], "none within bounds");
        assert!(verdicts[1].starts_with("unknown: internal error (we did not think of this"));
        let [note] = unit.notes.as_slice() else { panic!("{:?}", unit.notes) };
        assert!(note.message.contains("could not be examined: we did not think of this"));
        assert!(note.message.ends_with("please report it with the file"));
        assert!(note.place.is_some());
    }
}

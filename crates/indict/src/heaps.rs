//! `indict bounds` and `indict instances`: what the invariant of a class admits.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use driver::{Disk, HeapClass, Instances, NoHeaps, Options, Strategy};

use crate::args::{Charted, Drawn, InstancesOf, PerSort};
use crate::cache::notes;
use crate::check::configured;
use crate::output::{Output, tell};
use crate::{Ending, Failure, terminal};

/// Shows what fields can hold.
pub(crate) fn bounds(asked: &Charted) -> Result<Ending, Failure> {
    let output = Output::new(asked.output.as_deref())?;
    let mut options = options(&asked.scope)?;
    let cache = asked.cache.open(None);
    options.cache = cache.clone().map(|cache| cache as _);
    let class = asked.class.as_deref();
    let shown = driver::chart(&asked.file, class, &Disk, &options);
    let (subject, chart) = shown.map_err(failed)?;
    remark(&subject);
    for note in notes(cache.as_deref()) {
        tell(&note.message);
    }
    let text = match asked.format {
        Drawn::Text => chart.text(),
        Drawn::Html => chart.html(),
        Drawn::Json => json(&chart)?,
    };
    output.write(text.as_bytes())?;
    Ok(if chart.is_satisfiable { Ending::Clean } else { Ending::Findings })
}

/// Shows the objects that meet an invariant.
pub(crate) fn instances(asked: &InstancesOf) -> Result<Ending, Failure> {
    let output = Output::new(asked.output.as_deref())?;
    let options = options(&asked.scope)?;
    let (class, most) = (asked.class.as_deref(), asked.most as usize);
    let shown = driver::instances(&asked.file, class, &Disk, &options, most);
    let (subject, found) = shown.map_err(failed)?;
    remark(&subject);
    if found.unconfirmed > 0 {
        tell(&format!("{} more were not confirmed by the interpreter", found.unconfirmed));
    }
    let headline = headline(&subject, &found, &options);
    if let Some(folder) = &asked.emit_test {
        emit(folder, &subject, &found)?;
    }
    let text = match asked.format {
        Drawn::Text => {
            let layout = report::text::Options {
                color: asked.output.is_none() && terminal::has_color(),
                width: terminal::width(),
                ..report::text::Options::default()
            };
            let mut bytes = Vec::new();
            let written = report::text::gallery(&found.heaps, &layout, &mut bytes);
            written.map_err(|error| Failure(format!("they could not be written: {error}")))?;
            format!("{headline}\n\n{}", String::from_utf8_lossy(&bytes))
        }
        Drawn::Html => {
            let title = format!("Objects that meet the invariant of {}", subject.class);
            report::gallery::page(&title, &headline, &found.heaps)
        }
        Drawn::Json => json(&found.heaps)?,
    };
    output.write(text.as_bytes())?;
    Ok(if found.heaps.is_empty() { Ending::Findings } else { Ending::Clean })
}

/// The options with a scope, and everything done that makes heaps fewer.
fn options(scope: &[PerSort]) -> Result<Options, Failure> {
    let (_, mut options) = configured(None, &[])?;
    let check = &mut options.check;
    check.strategy = Strategy::ALL;
    for PerSort { sort, count } in scope {
        match sort {
            Some(sort) => {
                check.bounds.scopes.retain(|(other, _)| other != sort);
                check.bounds.scopes.push((sort.clone(), *count));
            }
            None => check.bounds.scope = *count,
        }
    }
    Ok(options)
}

fn remark(subject: &HeapClass) {
    for note in &subject.notes {
        tell(&format!("{note}; more may be shown than the invariant admits"));
    }
    if !subject.has_invariant {
        let class = &subject.class;
        tell(&format!("{class} has no invariant: any object that Java can make is one"));
    }
}

/// The result, in a line.
fn headline(subject: &HeapClass, found: &Instances, options: &Options) -> String {
    let (class, scope) = (&subject.class, options.check.bounds.scope);
    match (found.heaps.len(), found.is_all) {
        (0, true) => {
            format!("{class}: no object meets the invariant within scope {scope}")
        }
        (1, true) => format!("{class}: 1 shape within scope {scope}"),
        (count, true) => format!("{class}: {count} shapes within scope {scope}"),
        (count, false) => {
            format!("{class}: the first {count} shapes within scope {scope}; --most shows more")
        }
    }
}

/// Writes the objects as test inputs.
fn emit(folder: &Path, subject: &HeapClass, found: &Instances) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure(format!("cannot write the inputs to {}: {error}", folder.display()))
    };
    fs::create_dir_all(folder).map_err(failed)?;
    let program = execute::jvm::inputs(&found.heaps, "Instances", &subject.text);
    let path = folder.join(format!("{}.java", program.name));
    fs::write(path, program.text).map_err(failed)
}

fn json<T: serde::Serialize>(value: &T) -> Result<String, Failure> {
    let mut text = serde_json::to_string_pretty(value)
        .map_err(|error| Failure(format!("it could not be written: {error}")))?;
    let _ = writeln!(text);
    Ok(text)
}

fn failed(why: NoHeaps) -> Failure {
    Failure(why.to_string())
}

//! JML: specifications in comments (Leavens et al., *JML Reference Manual*), and the annotations that carry
//! formulas over relations.
//!
//! A comment is a list of clauses and modifiers. What is not modelled is read as far as its semicolon and
//! noted; of a faulty clause the fault is told, with its place in the comment.

mod expression;
mod lexer;
mod reader;

use crate::alloy;
use crate::faults::Faults;
use crate::spec::{Case, ClassSpec, Condition, Formula, Location, MethodSpec, Remark};
use crate::syntax::{Annotation, At, Comment, Modifiers};

use reader::{Found, Reader};

/// Reads what comments and annotations say of a class.
pub(crate) fn class(
    comments: &[Comment],
    modifiers: &Modifiers,
    spec: &mut ClassSpec,
    faults: &mut Faults,
) {
    let found = read(comments, faults);
    if !comments.is_empty() {
        keep_for_class(found, spec, faults);
    }
    for annotation in modifiers.annotations.iter().filter(|known| known.name == "Invariant") {
        spec.invariants.extend(conditions(annotation, faults));
    }
}

/// Reads what comments say of a field: the words that are modifiers.
pub(crate) fn field(
    comments: &[Comment],
    spec: &mut ClassSpec,
    faults: &mut Faults,
) -> Vec<String> {
    let mut found = read(comments, faults);
    let words = std::mem::take(&mut found.words);
    if !comments.is_empty() {
        keep_for_class(found, spec, faults);
    }
    words
}

/// Reads what comments and annotations say of a method.
pub(crate) fn method(
    comments: &[Comment],
    modifiers: &Modifiers,
    class: &mut ClassSpec,
    faults: &mut Faults,
) -> MethodSpec {
    let mut spec = MethodSpec::default();
    if !comments.is_empty() {
        let mut found = Found::default();
        for comment in comments {
            let before = found.cases.clone();
            Reader::new(comment, faults).all(&mut found);
            if found.cases != before {
                spec.start.get_or_insert(comment.start);
            }
        }
        for word in &found.words {
            match word.as_str() {
                "pure" | "strictly_pure" => spec.is_pure = true,
                "helper" => spec.is_helper = true,
                "nullable" => spec.nullable_result = Some(true),
                "non_null" => spec.nullable_result = Some(false),
                _ => {}
            }
        }
        spec.cases = std::mem::take(&mut found.cases);
        keep_for_class(found, class, faults);
    }
    let mut annotated = Case::default();
    for annotation in &modifiers.annotations {
        match annotation.name.as_str() {
            "Requires" => annotated.requires.extend(conditions(annotation, faults)),
            "Ensures" => annotated.ensures.extend(conditions(annotation, faults)),
            "Modifies" => {
                let listed = annotation.texts.iter().flat_map(|(text, at)| {
                    let names = text.split([',', ' ']).map(str::trim);
                    let names = names.filter(|name| !name.is_empty());
                    names.map(|name| location(name, *at)).collect::<Vec<_>>()
                });
                annotated.assignable.get_or_insert_default().extend(listed);
            }
            "Pure" => spec.is_pure = true,
            "Helper" => spec.is_helper = true,
            "Nullable" => spec.nullable_result = Some(true),
            "NonNull" => spec.nullable_result = Some(false),
            _ => {}
        }
    }
    if annotated != Case::default() {
        // Annotations add to the one case that comments make, if that is all there is.
        match &mut spec.cases[..] {
            [only] => {
                only.requires.append(&mut annotated.requires);
                only.ensures.append(&mut annotated.ensures);
                only.assignable = only.assignable.take().or(annotated.assignable);
            }
            _ => spec.cases.push(annotated),
        }
    }
    spec
}

/// What comments say that belong together.
fn read(comments: &[Comment], faults: &mut Faults) -> Found {
    let mut found = Found::default();
    for comment in comments {
        Reader::new(comment, faults).all(&mut found);
    }
    found
}

/// `f` for a field of all objects; `nothing` for none.
fn location(name: &str, at: At) -> (Location, At) {
    let name = name.rsplit('.').next().unwrap_or(name);
    match name {
        "nothing" | "none" => (Location::Nothing, at),
        name => (Location::Field(name.to_owned(), at), at),
    }
}

fn conditions(annotation: &Annotation, faults: &mut Faults) -> Vec<Condition> {
    let read = |(text, at): &(String, At)| {
        let formula = alloy::parse(text, at.start, faults)?;
        Some(Condition { formula: Formula::Alloy(formula), at: *at, text: one_line(text) })
    };
    annotation.texts.iter().filter_map(read).collect()
}

fn keep_for_class(found: Found, spec: &mut ClassSpec, faults: &mut Faults) {
    spec.is_jml = true;
    spec.invariants.extend(found.invariants);
    spec.fields.extend(found.fields);
    spec.represents.extend(found.represents);
    spec.nullable_by_default |= found.words.iter().any(|word| word == "nullable_by_default");
    if let Some((what, at)) = found.unsupported {
        faults.note(at, format!("{what} is not modelled and left out"));
    }
}

/// Reads a specification that stands between statements.
pub(crate) fn remarks(comment: &Comment, faults: &mut Faults) -> Vec<Remark> {
    read(std::slice::from_ref(comment), faults).remarks
}

/// A text with each stretch of blanks made one.
pub(crate) fn one_line(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| *word != "@");
    words.collect::<Vec<_>>().join(" ")
}

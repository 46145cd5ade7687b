//! JML: specifications in comments (Leavens et al., *JML Reference Manual*), and the annotations that carry
//! formulas over relations.
//!
//! A comment is a list of clauses and modifiers. An unmodelled clause is skipped up to its semicolon and
//! noted; an error in a clause is reported with its position in the comment.

mod cursor;
mod expression;
mod keywords;
mod lexer;
mod location;
mod reader;

use crate::alloy;
use crate::diagnostics::Diagnostics;
use crate::spec::{
    ClassSpec, Condition, Formula, Location, MethodSpec, MissingClause, MissingClauseRole,
    SpecCase, SpecStatement,
};
use crate::syntax::{Annotation, Comment, Modifiers, TextRange};

use keywords::is_of_method;
use reader::{ParsedSpec, Reader};

/// Reads what comments and annotations say of a class.
pub(crate) fn class(
    comments: &[Comment],
    modifiers: &Modifiers,
    spec: &mut ClassSpec,
    diagnostics: &mut Diagnostics,
) {
    let found = read(comments, diagnostics);
    if !comments.is_empty() {
        keep_for_class(found, spec, diagnostics);
    }
    for annotation in modifiers.annotations.iter().filter(|known| known.name == "Invariant") {
        let (conditions, gaps) = conditions(annotation, MissingClauseRole::Invariant, diagnostics);
        spec.invariants.extend(conditions);
        spec.left_out.extend(gaps);
    }
}

/// Reads what comments say of a field: the words that are modifiers.
pub(crate) fn field(
    comments: &[Comment],
    spec: &mut ClassSpec,
    diagnostics: &mut Diagnostics,
) -> Vec<String> {
    let mut found = read(comments, diagnostics);
    let words = std::mem::take(&mut found.words);
    if !comments.is_empty() {
        keep_for_class(found, spec, diagnostics);
    }
    words
}

/// Reads what comments and annotations say of a method.
pub(crate) fn method(
    comments: &[Comment],
    modifiers: &Modifiers,
    class: &mut ClassSpec,
    diagnostics: &mut Diagnostics,
) -> MethodSpec {
    let mut spec = MethodSpec::default();
    if !comments.is_empty() {
        let mut found = ParsedSpec::default();
        for comment in comments {
            let before = found.cases.clone();
            Reader::new(comment, diagnostics).all(&mut found);
            if found.cases.is_empty() {
                spec.start = None;
            } else if found.cases != before {
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
        let left_out = std::mem::take(&mut found.missing).into_iter();
        (spec.missing, found.missing) = left_out.partition(|gap| is_of_method(gap.role));
        keep_for_class(found, class, diagnostics);
    }
    let mut annotated = SpecCase::default();
    for annotation in &modifiers.annotations {
        match annotation.name.as_str() {
            "Requires" => {
                let (conditions, gaps) =
                    conditions(annotation, MissingClauseRole::Requires, diagnostics);
                annotated.requires.extend(conditions);
                spec.missing.extend(gaps);
            }
            "Ensures" => {
                let (conditions, gaps) =
                    conditions(annotation, MissingClauseRole::Ensures, diagnostics);
                annotated.ensures.extend(conditions);
                spec.missing.extend(gaps);
            }
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
    if annotated != SpecCase::default() {
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

/// Parses comments that belong together.
fn read(comments: &[Comment], diagnostics: &mut Diagnostics) -> ParsedSpec {
    let mut found = ParsedSpec::default();
    for comment in comments {
        Reader::new(comment, diagnostics).all(&mut found);
    }
    found
}

/// `f` for a field of all objects; `nothing` for none.
fn location(name: &str, at: TextRange) -> (Location, TextRange) {
    let name = name.rsplit('.').next().unwrap_or(name);
    match name {
        "nothing" | "none" => (Location::Nothing, at),
        name => (Location::Field(name.to_owned(), at), at),
    }
}

/// The conditions of an annotation, and those that cannot be read.
fn conditions(
    annotation: &Annotation,
    role: MissingClauseRole,
    diagnostics: &mut Diagnostics,
) -> (Vec<Condition>, Vec<MissingClause>) {
    let (mut conditions, mut gaps) = (Vec::new(), Vec::new());
    for (text, at) in &annotation.texts {
        let (at, line) = (*at, one_line(text));
        match alloy::parse(text, at.start, diagnostics) {
            Some(formula) => {
                let formula = Formula::Alloy(formula);
                conditions.push(Condition { formula, at, text: line });
            }
            None => gaps.push(MissingClause { role, text: line, at }),
        }
    }
    (conditions, gaps)
}

fn keep_for_class(found: ParsedSpec, spec: &mut ClassSpec, diagnostics: &mut Diagnostics) {
    spec.is_jml = true;
    spec.invariants.extend(found.invariants);
    spec.static_invariants.extend(found.static_invariants);
    spec.left_out.extend(found.missing);
    spec.model_methods.extend(found.model_methods);
    spec.groups.extend(found.groups);
    spec.fields.extend(found.fields);
    spec.represents.extend(found.represents);
    spec.nullable_by_default |= found.words.iter().any(|word| word == "nullable_by_default");
    for (what, at) in found.unsupported {
        diagnostics.note(at, format!("{what} is not modelled and left out"));
    }
}

/// Reads a specification that stands between statements.
pub(crate) fn spec_statements(
    comment: &Comment,
    diagnostics: &mut Diagnostics,
) -> Vec<SpecStatement> {
    read(std::slice::from_ref(comment), diagnostics).statements
}

/// A text with each stretch of blanks made one.
pub(crate) fn one_line(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| *word != "@");
    words.collect::<Vec<_>>().join(" ")
}

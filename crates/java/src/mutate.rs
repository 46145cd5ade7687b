//! Mutants: a method with one operator, reference or statement changed, as text.
//!
//! A specification is as strong as the mutants it kills. The mutation operators are the classic ones
//! (DeMillo, Lipton and Sayward, *Hints on Test Data Selection*, 1978, with the operators of muJava): each
//! changes one place of the body of a method and nothing else, so that a mutant is a file like any other and
//! is parsed, lowered and checked like one. Types are checked only as far as needed to omit mutants that no
//! compiler would accept (`kinds.rs`).

mod kinds;
mod operators;

use crate::diagnostics::Diagnostics;
use crate::read::read;
use crate::syntax::{Member, Method, TextRange, TypeDecl};
use kinds::MethodScope;

/// The mutation operators.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MutationOperator {
    /// Another arithmetic operator, or `--` for `++`.
    Arithmetic,
    /// Another comparison.
    Relation,
    /// `||` for `&&`, or a condition that is always or never true.
    Condition,
    /// Another operator on bits.
    Bits,
    /// A sign, a negation, `++` or `--` put before or behind.
    Unary,
    /// A statement left out.
    Deletion,
    /// Another variable, or `null`.
    Reference,
    /// Another field.
    Field,
}

impl MutationOperator {
    /// The name by which the literature knows it.
    pub fn code(self) -> &'static str {
        match self {
            MutationOperator::Arithmetic => "AOR",
            MutationOperator::Relation => "ROR",
            MutationOperator::Condition => "COR",
            MutationOperator::Bits => "LOR",
            MutationOperator::Unary => "UOI",
            MutationOperator::Deletion => "SDL",
            MutationOperator::Reference => "RVR",
            MutationOperator::Field => "FRR",
        }
    }
}

/// A change of one place of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// The mutation operator.
    pub operator: MutationOperator,
    /// Where the place begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The replacement text.
    pub replacement: String,
}

impl Mutant {
    /// The text with the change. Lines stay where they are unless a statement of several is left out.
    pub fn text(&self, original: &str) -> String {
        let mut text = original.to_owned();
        text.replace_range(self.start..self.end, &self.replacement);
        text
    }
}

/// Why there are no mutants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoMutants {
    /// There is no such method; these there are, as `Class.method`.
    NoMethod(Vec<String>),
    /// The method has no body.
    NoBody,
}

/// The name that reports have for a method, and its mutants in the order of the text. Of methods that share the
/// name, all are mutated.
///
/// # Errors
/// If there is no such method, or none with a body.
pub fn mutants(text: &str, name: &str) -> Result<(String, Vec<Mutant>), NoMutants> {
    let unit = read(text, &mut Diagnostics::default());
    let mut known = Vec::new();
    for decl in &unit.types {
        methods(decl, "", &mut known);
    }
    let named = known.iter().find(|(full, ..)| is_called(full, name));
    let Some((name, ..)) = named else {
        return Err(NoMutants::NoMethod(known.into_iter().map(|(full, ..)| full).collect()));
    };
    let mut found = Vec::new();
    let mut has_body = false;
    for (_, decl, method) in known.iter().filter(|(full, ..)| full == name) {
        let Some(body) = &method.body else { continue };
        has_body = true;
        let kinds = MethodScope::new(&unit.types, decl, method);
        found.extend(operators::mutants(text, body, &kinds));
    }
    if !has_body {
        return Err(NoMutants::NoBody);
    }
    found.sort_by_key(|mutant| (mutant.start, mutant.end));
    Ok((name.clone(), found))
}

/// Whether a full name is meant by one that may lack its outer classes.
fn is_called(full: &str, name: &str) -> bool {
    full == name || full.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'))
}

/// The methods of a class and of those in it, with their full names.
fn methods<'u>(
    decl: &'u TypeDecl,
    within: &str,
    found: &mut Vec<(String, &'u TypeDecl, &'u Method)>,
) {
    let own = match within {
        "" => decl.name.name.clone(),
        _ => format!("{within}.{}", decl.name.name),
    };
    for member in &decl.members {
        match member {
            Member::Method(method) => {
                found.push((format!("{own}.{}", method.name.name), decl, method));
            }
            Member::Type(inner) => methods(inner, &own, found),
            Member::Field(_) | Member::Initializer { .. } => {}
        }
    }
}

/// A change of a place.
fn change(mistake: MutationOperator, at: TextRange, replacement: impl Into<String>) -> Mutant {
    let (start, end) = (at.start as usize, at.end as usize);
    Mutant { operator: mistake, start, end, replacement: replacement.into() }
}

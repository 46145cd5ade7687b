//! Bare heaps: a method that asks for the invariant of a class and does nothing.
//!
//! To enumerate the objects that an invariant admits, a procedure is needed that begins with one of them and
//! with nothing else. It is inserted into the text of the class, as its user could.

use crate::diagnostics::Diagnostics;
use crate::read::read;
use crate::syntax::{Comment, Member, TypeDecl, TypeKind};

/// The name of the method, which cannot clash.
const NAME: &str = "indict$bare";

/// A text with a bare method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvariantMethod {
    /// The text. What was there before stays where it is.
    pub text: String,
    /// The class, by its full name.
    pub class: String,
    /// How the names of the method's procedure end.
    pub method: &'static str,
    /// Whether something in the class looks like an invariant.
    pub has_invariant: bool,
}

/// Gives a class a bare method: the one with this name, or else the first that has an invariant, or the first.
///
/// # Errors
/// If there is no such class; the names of those that there are.
pub fn with_invariant_method(
    text: &str,
    class: Option<&str>,
) -> Result<InvariantMethod, Vec<String>> {
    let unit = read(text, &mut Diagnostics::default());
    let mut classes = Vec::new();
    for decl in &unit.types {
        gather(decl, "", &mut classes);
    }
    let found = match class {
        Some(class) => {
            let is_meant = |full: &str| {
                full == class || full.strip_suffix(class).is_some_and(|rest| rest.ends_with('.'))
            };
            classes.iter().find(|(full, _)| is_meant(full))
        }
        None => {
            let specified = classes.iter().find(|(_, decl)| has_invariant(decl));
            specified.or(classes.first())
        }
    };
    let Some((full, decl)) = found else {
        return Err(classes.into_iter().map(|(full, _)| full).collect());
    };
    let end = (decl.at.end as usize).saturating_sub(1);
    let (class, has_invariant) = (full.clone(), has_invariant(decl));
    let mut text = text.to_owned();
    text.insert_str(end, &format!(" void {NAME}() {{}} "));
    Ok(InvariantMethod { text, class, method: NAME, has_invariant })
}

/// The classes of a declaration, outer ones first, by their full names.
fn gather<'u>(decl: &'u TypeDecl, within: &str, found: &mut Vec<(String, &'u TypeDecl)>) {
    let own = match within {
        "" => decl.name.name.clone(),
        _ => format!("{within}.{}", decl.name.name),
    };
    if matches!(decl.kind, TypeKind::Class | TypeKind::Record) {
        found.push((own.clone(), decl));
    }
    for member in &decl.members {
        if let Member::Type(inner) = member {
            gather(inner, &own, found);
        }
    }
}

/// Whether the specification of a class has an invariant of its objects.
fn has_invariant(decl: &TypeDecl) -> bool {
    let speaks =
        |comments: &[Comment]| comments.iter().any(|comment| comment.text.contains("invariant"));
    let in_member = |member: &Member| match member {
        Member::Field(field) => speaks(&field.comments),
        Member::Method(method) => speaks(&method.comments),
        Member::Initializer { .. } | Member::Type(_) => false,
    };
    let is_annotated = decl.modifiers.annotations.iter().any(|known| known.name == "Invariant");
    speaks(&decl.comments) || is_annotated || decl.members.iter().any(in_member)
}

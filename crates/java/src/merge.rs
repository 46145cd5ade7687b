//! Specifications that stand in a file of their own: a file of declarations without bodies, whose comments and
//! annotations count as if they stood at the declarations of the same names in the source.

use crate::diagnostics::Diagnostics;
use crate::syntax::{
    BEHIND, Comment, Field, Member, Method, Modifiers, Parameter, TextRange, TypeDecl, TypeRef,
    TypeRefKind, Unit,
};

/// Adds the specifications of a file to those of the source that it specifies. Errors have their positions in
/// the file after that of the source.
pub(crate) fn merge(unit: &mut Unit, specification: Unit, diagnostics: &mut Diagnostics) {
    for decl in specification.types {
        class(&mut unit.types.iter_mut().collect::<Vec<_>>(), decl, diagnostics);
    }
}

fn class(known: &mut [&mut TypeDecl], from: TypeDecl, diagnostics: &mut Diagnostics) {
    let Some(to) = known.iter_mut().find(|known| known.name.name == from.name.name) else {
        let message = format!("there is no class `{}` that this could specify", from.name.name);
        return diagnostics.error(behind(from.name.at), message);
    };
    to.comments.extend(moved(from.comments));
    annotate(&mut to.modifiers, from.modifiers);
    for member in from.members {
        match member {
            Member::Field(from) => field(to, from, diagnostics),
            Member::Method(from) => method(to, from, diagnostics),
            Member::Type(from) => {
                let inner = to.members.iter_mut().filter_map(|member| match member {
                    Member::Type(inner) => Some(inner),
                    Member::Field(_) | Member::Method(_) | Member::Initializer { .. } => None,
                });
                class(&mut inner.collect::<Vec<_>>(), from, diagnostics);
            }
            Member::Initializer { .. } => {}
        }
    }
}

fn field(class: &mut TypeDecl, from: Field, diagnostics: &mut Diagnostics) {
    let found = class.members.iter_mut().find_map(|member| match member {
        Member::Field(to) if to.name.name == from.name.name => Some(to),
        _ => None,
    });
    match found {
        Some(to) => {
            to.comments.extend(moved(from.comments));
            annotate(&mut to.modifiers, from.modifiers);
        }
        None => {
            let message = format!("there is no field `{}` that this could specify", from.name.name);
            diagnostics.error(behind(from.name.at), message);
        }
    }
}

fn method(class: &mut TypeDecl, from: Method, diagnostics: &mut Diagnostics) {
    let found = class.members.iter_mut().find_map(|member| match member {
        Member::Method(to) if is_same(to, &from) => Some(to),
        _ => None,
    });
    let Some(to) = found else {
        let name = &from.name.name;
        let message = format!("there is no method `{name}` with these parameters");
        return diagnostics.error(behind(from.name.at), message);
    };
    to.comments.extend(moved(from.comments));
    annotate(&mut to.modifiers, from.modifiers);
    for (to, from) in to.parameters.iter_mut().zip(from.parameters) {
        // Specifications use their own names of parameters.
        to.modifiers.words.extend(from.modifiers.words);
        to.alias = Some(from.name.name).filter(|name| *name != to.name.name);
    }
}

/// Whether two declarations are of the same method: their names and the types of their parameters are.
fn is_same(a: &Method, b: &Method) -> bool {
    let same = |(a, b): (&Parameter, &Parameter)| is_same_type(&a.ty, &b.ty);
    a.name.name == b.name.name
        && a.result.is_some() == b.result.is_some()
        && a.parameters.len() == b.parameters.len()
        && a.parameters.iter().zip(&b.parameters).all(same)
}

fn is_same_type(a: &TypeRef, b: &TypeRef) -> bool {
    let simple = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    match (&a.kind, &b.kind) {
        (TypeRefKind::Named(a, _), TypeRefKind::Named(b, _)) => simple(a) == simple(b),
        (TypeRefKind::Array(a), TypeRefKind::Array(b)) => is_same_type(a, b),
        _ => false,
    }
}

fn annotate(to: &mut Modifiers, from: Modifiers) {
    for mut annotation in from.annotations {
        for (_, at) in &mut annotation.texts {
            *at = behind(*at);
        }
        to.annotations.push(annotation);
    }
}

fn moved(comments: Vec<Comment>) -> impl Iterator<Item = Comment> {
    comments.into_iter().map(|comment| Comment { start: comment.start | BEHIND, ..comment })
}

fn behind(at: TextRange) -> TextRange {
    TextRange { start: at.start | BEHIND, end: at.end | BEHIND }
}

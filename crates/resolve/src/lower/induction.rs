//! Definitions in terms of themselves, which VIR has not: each is followed to a depth.
//!
//! The definition becomes a chain of functions, each in terms of the next; the last one is unconstrained.
//! Beside it is a chain of conditions that state whether a value is determined before the last one is
//! reached. Executions in which it is not are cut, so that results about the others are right.

use super::Lowerer;
use crate::limits::DEFINITION_DEPTH;
use crate::scope::MathDefinition;
use crate::term::{NOWHERE, Term, TermKind};
use crate::theory::Theory;
use crate::types::Type;

impl Lowerer {
    /// Puts a chain in the place of a definition that uses itself, once. Whether it is such a one.
    pub(super) fn unfold(&mut self, id: usize) -> bool {
        if self.determined.contains_key(&id) {
            return true;
        }
        let defined = self.definitions[id].clone();
        let Some(body) = defined.body.clone().filter(|body| uses(body, id)) else { return false };
        let plain = |term: &Term| !under_binder(term, id);
        if !plain(&body) {
            return false;
        }
        let first = self.definitions.len();
        let depth = DEFINITION_DEPTH as usize;
        // The functions behind the first, then the conditions, both down to the last.
        let function = |level: usize| if level == 0 { id } else { first + level - 1 };
        let condition = |level: usize| first + depth + level;
        for level in 0..=depth {
            let next = body.replace(&|term| match &term.kind {
                TermKind::Defined(own, name, arguments) if *own == id && !arguments.is_empty() => {
                    let arguments = arguments
                        .iter()
                        .map(|one| redirect(one, id, function(level + 1)))
                        .collect();
                    let kind = TermKind::Defined(function(level + 1), name.clone(), arguments);
                    Some(Term { kind, ty: term.ty.clone(), span: term.span })
                }
                _ => None,
            });
            let body = if level < depth { Some(next) } else { anything(&defined.result) };
            match level {
                0 => self.definitions[id].body = body,
                _ => {
                    let name = format!("{}'{level}", defined.name);
                    self.definitions.push(MathDefinition { name, body, ..defined.clone() });
                }
            }
        }
        for level in 0..=depth {
            let mut conditions = Vec::new();
            duties(&body, id, condition(level + 1), &mut Vec::new(), &mut conditions);
            let body = match level < depth {
                true => Term::theory(Theory::And, "and", conditions, Type::Bool),
                false => Term { kind: TermKind::Truth(false), ty: Type::Bool, span: defined.span },
            };
            let name = format!("{} is determined'{level}", defined.name);
            let (result, body) = (Type::Bool, Some(body));
            self.definitions.push(MathDefinition { name, result, body, ..defined.clone() });
        }
        self.determined.insert(id, condition(0));
        true
    }
}

/// Some value of a type, on which nothing depends.
fn anything(ty: &Type) -> Option<Term> {
    let none = |function: Theory| Term::theory(function, "", Vec::new(), ty.clone());
    match ty {
        Type::Bool => Some(Term { kind: TermKind::Truth(false), ty: Type::Bool, span: NOWHERE }),
        Type::Int | Type::Nat => Some(Term::number(0, NOWHERE)),
        Type::Str(_) => Some(none(Theory::EmptyString)),
        Type::Set(_) => Some(none(Theory::EmptySet)),
        Type::Atom(_) | Type::Product(_) | Type::Function(..) | Type::Unknown => None,
    }
}

/// Whether a term uses a definition.
fn uses(term: &Term, id: usize) -> bool {
    let mut found = false;
    term.each(&mut |term| {
        found |= matches!(&term.kind, TermKind::Defined(own, _, _) if *own == id);
    });
    found
}

/// Whether a definition is used of a variable of a quantifier within a term.
fn under_binder(term: &Term, id: usize) -> bool {
    let mut found = false;
    term.each(&mut |term| {
        if let TermKind::Quantified(_, _, body) | TermKind::Lambda(_, body) = &term.kind {
            found |= uses(body, id);
        }
    });
    found
}

/// A term in which one definition replaces another.
fn redirect(term: &Term, from: usize, to: usize) -> Term {
    term.replace(&|term| match &term.kind {
        TermKind::Defined(own, name, arguments) if *own == from => {
            let arguments = arguments.iter().map(|one| redirect(one, from, to)).collect();
            let kind = TermKind::Defined(to, name.clone(), arguments);
            Some(Term { kind, ty: term.ty.clone(), span: term.span })
        }
        _ => None,
    })
}

/// That each use of a definition within a term is determined, where it matters.
fn duties(term: &Term, id: usize, condition: usize, path: &mut Vec<Term>, found: &mut Vec<Term>) {
    if let TermKind::Theory(Theory::Choice, _, parts) = &term.kind {
        duties(&parts[0], id, condition, path, found);
        for (side, part) in [(parts[0].clone(), &parts[1]), (parts[0].negated(), &parts[2])] {
            path.push(side);
            duties(part, id, condition, path, found);
            path.pop();
        }
        return;
    }
    for part in term.parts() {
        duties(part, id, condition, path, found);
    }
    if let TermKind::Defined(own, _, arguments) = &term.kind
        && *own == id
    {
        let kind = TermKind::Defined(condition, "is determined".to_owned(), arguments.clone());
        let determined = Term { kind, ty: Type::Bool, span: term.span };
        found.push(match path.is_empty() {
            true => determined,
            false => {
                let met = Term::theory(Theory::And, "and", path.clone(), Type::Bool);
                Term::theory(Theory::Implies, "implies", vec![met, determined], Type::Bool)
            }
        });
    }
}

//! Types: of mathematics, and of programs.

use std::rc::Rc;

use super::Elaborator;
use crate::scope::{ProgramType, Scope};
use crate::syntax::{TypeExp, TypeKind};
use crate::term::{NOWHERE, Term, TermKind, TimePoint};
use crate::theory::Theory;
use crate::types::Type;

impl Elaborator<'_> {
    /// The type of a program that is written somewhere, if it is one and not mathematics.
    pub(crate) fn declared_type(&mut self, ty: &TypeExp, scope: &Scope) -> Option<Rc<ProgramType>> {
        let TypeKind::Name(facility, name) = &ty.kind else { return None };
        let is_mathematics = facility.is_none() && built_in(&name.text).is_some();
        (!is_mathematics).then(|| self.program_type(ty, scope))
    }

    /// A type of mathematics.
    pub(crate) fn math_type(&mut self, ty: &TypeExp, scope: &Scope) -> Type {
        match &ty.kind {
            TypeKind::Name(facility, name) => {
                if facility.is_none()
                    && let Some(built_in) = built_in(&name.text)
                {
                    return built_in;
                }
                self.program_type(ty, scope).model.clone()
            }
            TypeKind::Apply(name, arguments) => {
                let parts: Vec<Type> =
                    arguments.iter().map(|part| self.math_type(part, scope)).collect();
                let boxed = |part: &Type| Box::new(part.clone());
                match (name.text.to_lowercase().as_str(), parts.as_slice()) {
                    ("str" | "string" | "sstr", [entry]) => Type::Str(boxed(entry)),
                    ("powerset" | "set" | "finite_set" | "finite_powerset", [entry]) => {
                        Type::Set(boxed(entry))
                    }
                    _ => {
                        let message = format!("nothing is known of the type `{}`", name.text);
                        self.diagnostics.note(ty.span, message);
                        Type::Unknown
                    }
                }
            }
            TypeKind::Function(from, to) => {
                let from = from.iter().map(|part| self.math_type(part, scope)).collect();
                Type::Function(from, Box::new(self.math_type(to, scope)))
            }
            TypeKind::Product(fields) => {
                let parts = fields
                    .iter()
                    .map(|(name, part)| (name.text.clone(), self.math_type(part, scope)));
                Type::Product(parts.collect())
            }
            TypeKind::Array(..) => self.program_type(ty, scope).model.clone(),
        }
    }

    /// A type of programs.
    pub(crate) fn program_type(&mut self, ty: &TypeExp, scope: &Scope) -> Rc<ProgramType> {
        match &ty.kind {
            TypeKind::Name(facility, name) => {
                let known = facility.as_ref().map_or_else(
                    || name.text.clone(),
                    |facility| format!("{}::{}", facility.text, name.text),
                );
                if let Some(known) = scope.types.get(&known) {
                    return known.clone();
                }
                if let Some(built_in) = built_in(&name.text) {
                    return Rc::new(ProgramType::plain(&name.text, built_in));
                }
                if name.text != "?" {
                    let message = format!("there is no type `{}` here", name.text);
                    self.diagnostics.error(ty.span, message);
                }
                Rc::new(ProgramType::plain(&name.text, Type::Unknown))
            }
            TypeKind::Array(low, high, entry) => {
                let entry = self.program_type(entry, scope);
                let low = self.formula(low, scope, &Type::Int);
                let high = self.formula(high, scope, &Type::Int);
                let model = Type::Function(vec![Type::Int], Box::new(entry.model.clone()));
                let initial = initial_array(&entry, &model);
                Rc::new(ProgramType {
                    indices: Some((low, high)),
                    exemplar: "A".to_owned(),
                    initial,
                    parts: vec![entry],
                    ..ProgramType::plain("Array", model)
                })
            }
            TypeKind::Product(fields) => {
                let parts: Vec<Rc<ProgramType>> =
                    fields.iter().map(|(_, part)| self.program_type(part, scope)).collect();
                let named = fields.iter().map(|(name, _)| name.text.clone());
                let model = named.zip(parts.iter().map(|part| part.model.clone())).collect();
                let plain = ProgramType::plain("Record", Type::Product(model));
                Rc::new(ProgramType { parts, ..plain })
            }
            TypeKind::Apply(..) | TypeKind::Function(..) => {
                let model = self.math_type(ty, scope);
                Rc::new(ProgramType::plain(&model.to_string(), model))
            }
        }
    }
}

/// All entries of a new array have initial values.
fn initial_array(entry: &ProgramType, model: &Type) -> Option<Term> {
    let array = Term::variable("A", TimePoint::Now, model.clone(), NOWHERE);
    let index = Term { kind: TermKind::Bound("i".to_owned()), ty: Type::Int, span: NOWHERE };
    let value = Term::theory(Theory::Apply, "", vec![array, index], entry.model.clone());
    let begins = entry.begins(&value);
    if begins.is_empty() {
        return None;
    }
    let body = Term::theory(Theory::And, "and", begins, Type::Bool);
    let binders = vec![("i".to_owned(), Type::Int)];
    let kind = TermKind::Quantified(crate::term::Quantifier::All, binders, Box::new(body));
    Some(Term { kind, ty: Type::Bool, span: NOWHERE })
}

/// The types of mathematics that every module knows.
fn built_in(name: &str) -> Option<Type> {
    match name {
        "B" => Some(Type::Bool),
        "Z" => Some(Type::Int),
        "N" => Some(Type::Nat),
        "SSet" | "MType" | "Entity" | "El" => Some(Type::Unknown),
        _ => None,
    }
}

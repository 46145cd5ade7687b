//! From types as they are written to types as terms.

use rustc_hash::FxHashMap;

use super::{NamedType, Resolver, Synonym};
use crate::diagnostics::TextRange;
use crate::program::TypeConstructor;
use crate::syntax::{Name, TypeDeclarationKind, TypeSyntax};
use crate::types::{BOOL, BROKEN, INT, REAL, Ty, TypeId};

impl<'s> Resolver<'_, 's, '_> {
    pub(super) fn declare_types(&mut self) {
        let syntax = self.syntax;
        for (index, declaration) in syntax.types.iter().enumerate() {
            let name = declaration.name;
            if self.type_names.contains_key(name.text) {
                self.twice("types", name.text, name.at);
                continue;
            }
            if is_word_type(name.text) {
                self.fault(name.at, format!("`{}` is a type of words", name.text));
                continue;
            }
            if matches!(declaration.kind, TypeDeclarationKind::Datatype(_)) {
                self.distinct("type parameters", &declaration.parameters);
            }
            let named = match &declaration.kind {
                TypeDeclarationKind::Synonym(_) => {
                    self.synonyms.push(Synonym::New(index));
                    NamedType::Synonym(self.synonyms.len() - 1)
                }
                TypeDeclarationKind::Opaque { .. } | TypeDeclarationKind::Datatype(_) => {
                    let constructors = match &declaration.kind {
                        TypeDeclarationKind::Opaque { datatype: false, .. } => None,
                        TypeDeclarationKind::Opaque { datatype: true, .. }
                        | TypeDeclarationKind::Datatype(_)
                        | TypeDeclarationKind::Synonym(_) => Some(Vec::new()),
                    };
                    let rigid = match &constructors {
                        Some(_) => declaration
                            .parameters
                            .iter()
                            .map(|name| self.types.new_rigid(name.text).0)
                            .collect(),
                        None => Vec::new(),
                    };
                    self.types.names.push(name.text.to_owned());
                    let is_sequence = declaration.parameters.len() == 1
                        && matches!(
                            declaration.kind,
                            TypeDeclarationKind::Opaque { sequence: true, .. }
                        );
                    self.declared.push(TypeConstructor { constructors, rigid, is_sequence });
                    NamedType::Declared(self.declared.len() - 1, declaration.parameters.len())
                }
            };
            self.type_names.insert(name.text, named);
        }
        for index in 0..self.synonyms.len() {
            self.synonym(index);
        }
    }

    pub(super) fn distinct(&mut self, what: &str, names: &[Name<'s>]) {
        let mut seen = rustc_hash::FxHashSet::default();
        for name in names {
            if !seen.insert(name.text) {
                self.twice(what, name.text, name.at);
            }
        }
    }

    /// Makes names mean type parameters until they are left; their numbers.
    pub(super) fn enter_types(&mut self, names: &[Name<'s>]) -> Vec<u32> {
        let new: Vec<(u32, TypeId)> =
            names.iter().map(|name| self.types.new_rigid(name.text)).collect();
        for (name, (_, ty)) in names.iter().zip(&new) {
            let is_taken = self.type_scope.get(name.text).is_some_and(|scopes| !scopes.is_empty());
            if is_taken {
                self.twice("type parameters", name.text, name.at);
            }
            self.type_scope.entry(name.text).or_default().push(*ty);
        }
        new.into_iter().map(|(number, _)| number).collect()
    }

    /// Makes names mean type parameters that there are already.
    pub(super) fn enter_known_types(&mut self, names: &[Name<'s>], rigid: &[u32]) {
        for (name, number) in names.iter().zip(rigid) {
            let ty = self.types.intern(Ty::Rigid(*number));
            self.type_scope.entry(name.text).or_default().push(ty);
        }
    }

    pub(super) fn leave_types(&mut self, names: &[Name<'s>]) {
        for name in names {
            if let Some(scopes) = self.type_scope.get_mut(name.text) {
                scopes.pop();
            }
        }
    }

    fn synonym(&mut self, index: usize) -> TypeId {
        match &self.synonyms[index] {
            Synonym::Known(_, ty) => *ty,
            Synonym::Open => BROKEN,
            Synonym::New(declaration) => {
                let declaration = &self.syntax.types[*declaration];
                let TypeDeclarationKind::Synonym(body) = &declaration.kind else { return BROKEN };
                self.synonyms[index] = Synonym::Open;
                // A synonym means the same wherever it is used.
                let outside = std::mem::take(&mut self.type_scope);
                let rigid = self.enter_types(&declaration.parameters);
                let ty = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.ty(body));
                self.type_scope = outside;
                self.synonyms[index] = Synonym::Known(rigid, ty);
                ty
            }
        }
    }

    /// The type that is written.
    pub(super) fn ty(&mut self, syntax: &TypeSyntax<'s>) -> TypeId {
        let (ty, at) = match syntax {
            TypeSyntax::Bool => return BOOL,
            TypeSyntax::Int => return INT,
            TypeSyntax::Real => return REAL,
            TypeSyntax::Named(name, arguments) => (self.named_type(*name, arguments), name.at),
            TypeSyntax::Map(parameters, keys, value, at) => {
                let rigid = self.enter_types(parameters);
                let keys: Vec<TypeId> = keys.iter().map(|key| self.ty(key)).collect();
                let value = self.ty(value);
                self.leave_types(parameters);
                let occurring: Vec<TypeId> = keys.iter().copied().chain([value]).collect();
                self.must_occur(parameters, &rigid, &occurring, "a map");
                (self.map_type(&rigid, &keys, value), *at)
            }
        };
        if self.types.is_too_large(ty) {
            self.fault(at, "this type is too large");
            return BROKEN;
        }
        ty
    }

    /// Reports type parameters that nothing can determine.
    pub(super) fn must_occur(
        &mut self,
        names: &[Name<'s>],
        rigid: &[u32],
        types: &[TypeId],
        what: &str,
    ) {
        let mut found = Vec::new();
        for ty in types {
            self.rigid_in(*ty, &mut found);
        }
        let is_broken = types.iter().any(|ty| self.types.is_broken(*ty));
        for (name, number) in names.iter().zip(rigid) {
            let is_lone = names.iter().filter(|other| other.text == name.text).count() == 1;
            if !found.contains(number) && !is_broken && is_lone {
                let message =
                    format!("the type parameter `{}` does not occur in {what}", name.text);
                self.fault(name.at, message);
            }
        }
    }

    /// The rigid variables of a type, each once, in order.
    pub(super) fn rigid_in(&self, id: TypeId, found: &mut Vec<u32>) {
        if !self.types.has_rigid(id) {
            return;
        }
        match self.types.get(id) {
            Ty::Rigid(number) if !found.contains(number) => found.push(*number),
            Ty::Constructed(_, arguments) => {
                arguments.iter().for_each(|argument| self.rigid_in(*argument, found));
            }
            Ty::Map(_, keys, value) => {
                keys.iter().for_each(|key| self.rigid_in(*key, found));
                self.rigid_in(*value, found);
            }
            Ty::Broken
            | Ty::Bool
            | Ty::Int
            | Ty::Real
            | Ty::Bv(_)
            | Ty::Float(..)
            | Ty::RoundingMode
            | Ty::Text
            | Ty::RegularExpression
            | Ty::Rigid(_)
            | Ty::Open(_)
            | Ty::Bound(..) => {}
        }
    }

    /// A map type whose parameters are numbered as they occur, so that their names and order do
    /// not matter.
    pub(super) fn map_type(&mut self, rigid: &[u32], keys: &[TypeId], value: TypeId) -> TypeId {
        if rigid.is_empty() {
            return self.types.intern(Ty::Map(0, keys.into(), value));
        }
        let mut order = Vec::new();
        keys.iter().chain([&value]).for_each(|part| self.rigid_in(*part, &mut order));
        order.retain(|number| rigid.contains(number));
        let keys = keys.iter().map(|key| self.bind(*key, 0, &order)).collect();
        let value = self.bind(value, 0, &order);
        self.types.intern(Ty::Map(order.len() as u32, keys, value))
    }

    /// Turns rigid variables into parameters of a polymorphic map.
    fn bind(&mut self, id: TypeId, depth: u32, order: &[u32]) -> TypeId {
        if !self.types.has_rigid(id) {
            return id;
        }
        match self.types.get(id).clone() {
            Ty::Rigid(number) => match order.iter().position(|other| *other == number) {
                Some(index) => self.types.intern(Ty::Bound(depth, index as u32)),
                None => id,
            },
            Ty::Constructed(name, arguments) => {
                let arguments = arguments.iter().map(|part| self.bind(*part, depth, order));
                let arguments = arguments.collect();
                self.types.intern(Ty::Constructed(name, arguments))
            }
            Ty::Map(parameters, keys, value) => {
                let depth = depth + u32::from(parameters > 0);
                let keys = keys.iter().map(|key| self.bind(*key, depth, order)).collect();
                let value = self.bind(value, depth, order);
                self.types.intern(Ty::Map(parameters, keys, value))
            }
            Ty::Broken
            | Ty::Bool
            | Ty::Int
            | Ty::Real
            | Ty::Bv(_)
            | Ty::Float(..)
            | Ty::RoundingMode
            | Ty::Text
            | Ty::RegularExpression
            | Ty::Open(_)
            | Ty::Bound(..) => id,
        }
    }

    fn named_type(&mut self, name: Name<'s>, arguments: &[TypeSyntax<'s>]) -> TypeId {
        let parameter = self.type_scope.get(name.text).and_then(|scopes| scopes.last()).copied();
        if let Some(parameter) = parameter {
            self.takes(name, 0, arguments.len());
            return parameter;
        }
        match self.type_names.get(name.text).copied() {
            Some(NamedType::Declared(index, arity)) => {
                if !self.takes(name, arity, arguments.len()) {
                    return BROKEN;
                }
                let arguments = arguments.iter().map(|argument| self.ty(argument)).collect();
                self.types.intern(Ty::Constructed(index, arguments))
            }
            Some(NamedType::Synonym(index)) => {
                if matches!(self.synonyms[index], Synonym::Open) {
                    self.fault(name.at, format!("the type `{}` stands for itself", name.text));
                    return BROKEN;
                }
                let ty = self.synonym(index);
                let Synonym::Known(rigid, _) = &self.synonyms[index] else { return BROKEN };
                let rigid = rigid.clone();
                if !self.takes(name, rigid.len(), arguments.len()) {
                    return BROKEN;
                }
                let arguments: Vec<TypeId> =
                    arguments.iter().map(|argument| self.ty(argument)).collect();
                let new: FxHashMap<u32, TypeId> = rigid.into_iter().zip(arguments).collect();
                self.types.substitute(ty, &new)
            }
            None => match self.builtin_type(name.text, name.at) {
                Some(ty) => {
                    self.takes(name, 0, arguments.len());
                    ty
                }
                None => {
                    let names: Vec<&str> = self.type_names.keys().copied().collect();
                    self.unknown("type", name.text, name.at, names.into_iter());
                    BROKEN
                }
            },
        }
    }

    /// Reports a wrong number of type arguments.
    fn takes(&mut self, name: Name<'s>, arity: usize, given: usize) -> bool {
        if arity != given {
            let message =
                format!("the type `{}` takes {arity} type arguments, not {given}", name.text);
            self.fault(name.at, message);
        }
        arity == given
    }

    /// `bv32`, `float24e8` and other builtin types.
    fn builtin_type(&mut self, name: &str, at: TextRange) -> Option<TypeId> {
        if is_word_type(name) {
            return Some(self.word_type(&name[2..], at));
        }
        if let Some((significand, exponent)) =
            name.strip_prefix("float").and_then(|rest| rest.split_once('e'))
            && let (Ok(significand), Ok(exponent)) = (significand.parse(), exponent.parse())
        {
            return Some(self.types.intern(Ty::Float(significand, exponent)));
        }
        let ty = match name {
            "rmode" => Ty::RoundingMode,
            "string" => Ty::Text,
            "regex" => Ty::RegularExpression,
            _ => return None,
        };
        Some(self.types.intern(ty))
    }

    pub(super) fn word_type(&mut self, width: &str, at: TextRange) -> TypeId {
        match width.parse::<u32>() {
            Ok(width) if width <= ir::Type::MAX_WIDTH => self.types.intern(Ty::Bv(width)),
            _ => {
                self.fault(at, format!("words have at most {} bits", ir::Type::MAX_WIDTH));
                BROKEN
            }
        }
    }
}

/// Whether a name is that of a type of words, as `bv32`.
fn is_word_type(name: &str) -> bool {
    name.strip_prefix("bv")
        .is_some_and(|width| !width.is_empty() && width.bytes().all(|byte| byte.is_ascii_digit()))
}

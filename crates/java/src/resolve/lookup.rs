//! Resolution of type names (JLS §6.5).

use crate::program::{Class, ClassId, Program, VarId};
use crate::syntax::{TypeKind, TypeRef, TypeRefKind};
use crate::types::Ty;

/// Where a type is written.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'v> {
    pub(crate) class: ClassId,
    /// The type variables of the method.
    pub(crate) vars: &'v [VarId],
}

impl Program<'_> {
    /// The type that is written somewhere. What is not known becomes a class of which nothing is.
    pub(crate) fn type_of(&mut self, written: &TypeRef, scope: Scope<'_>) -> Ty {
        match self.find_type(written, scope) {
            Some(ty) => ty,
            None => self.opaque(written, scope),
        }
    }

    /// The type that is written somewhere, if it is declared.
    pub(crate) fn find_type(&self, written: &TypeRef, scope: Scope<'_>) -> Option<Ty> {
        match &written.kind {
            TypeRefKind::Array(element) => {
                Some(Ty::Array(Box::new(self.find_type(element, scope)?)))
            }
            TypeRefKind::Named(name, arguments) => {
                if let Some(primitive) = Ty::primitive(name) {
                    return Some(primitive);
                }
                if let Some(var) = self.variable(name, scope) {
                    return Some(Ty::Var(var));
                }
                let id = self.find_class(name, scope.class)?;
                let object = self.library_type("java.lang.Object");
                let arguments = arguments.iter();
                let arguments = arguments
                    .map(|argument| self.find_type(argument, scope).unwrap_or(object.clone()));
                Some(Ty::Class(id, arguments.collect()))
            }
        }
    }

    fn opaque(&mut self, written: &TypeRef, scope: Scope<'_>) -> Ty {
        match &written.kind {
            TypeRefKind::Array(element) => Ty::Array(Box::new(self.type_of(element, scope))),
            TypeRefKind::Named(name, _) => {
                let file = self.class(scope.class).file;
                let known = self.names.get(&format!("?{name}"));
                if let Some(id) = known {
                    return Ty::Class(*id, Vec::new());
                }
                let id = ClassId(self.classes.len() as u32);
                self.names.insert(format!("?{name}"), id);
                self.classes.push(Class {
                    superclass: self.object().map(|id| Ty::Class(id, Vec::new())),
                    is_library: true,
                    is_opaque: true,
                    ..Class::new(name.clone(), TypeKind::Class, file)
                });
                Ty::Class(id, Vec::new())
            }
        }
    }

    fn variable(&self, name: &str, scope: Scope<'_>) -> Option<VarId> {
        let named =
            |vars: &[VarId]| vars.iter().copied().find(|var| self.vars[var.0 as usize].0 == name);
        if let Some(var) = named(scope.vars) {
            return Some(var);
        }
        let mut class = Some(scope.class);
        while let Some(id) = class {
            if let Some(var) = named(&self.class(id).vars) {
                return Some(var);
            }
            class = self.class(id).outer;
        }
        None
    }

    /// The class that a name means within a class (JLS §6.5).
    pub(crate) fn find_class(&self, name: &str, within: ClassId) -> Option<ClassId> {
        let (first, rest) = name.split_once('.').map_or((name, None), |(a, b)| (a, Some(b)));
        let found = self.find_simple(first, within);
        match (found, rest) {
            (Some(id), None) => Some(id),
            (Some(id), Some(rest)) => {
                let mut id = id;
                for part in rest.split('.') {
                    id = self.member_type(id, part)?;
                }
                Some(id)
            }
            (None, _) => {
                let full = self.names.get(name).or_else(|| self.names.get(&format!("?{name}")));
                full.copied()
            }
        }
    }

    fn find_simple(&self, name: &str, within: ClassId) -> Option<ClassId> {
        let mut class = Some(within);
        while let Some(id) = class {
            let own = &self.class(id).name;
            if own.rsplit('.').next() == Some(name) {
                return Some(id);
            }
            if let Some(found) = self.member_type(id, name) {
                return Some(found);
            }
            class = self.class(id).outer;
        }
        let (package, imports) = &self.imports[self.class(within).file as usize];
        let qualified = |package: &str| match package {
            "" => name.to_owned(),
            package => format!("{package}.{name}"),
        };
        let lookup = |full: String| self.names.get(&full).copied();
        let imported = imports.iter().find(|import| import.rsplit('.').next() == Some(name));
        imported
            .and_then(|import| lookup(import.clone()))
            .or_else(|| lookup(qualified(package)))
            .or_else(|| {
                let stars = imports.iter().filter_map(|import| import.strip_suffix(".*"));
                stars.into_iter().find_map(|package| lookup(qualified(package)))
            })
            .or_else(|| lookup(qualified("java.lang")))
    }

    /// A type declared in a class or one above it.
    fn member_type(&self, id: ClassId, name: &str) -> Option<ClassId> {
        let lineage = self.lineage(&Ty::Class(id, Vec::new()));
        lineage.iter().find_map(|(class, _)| self.class(*class).types.get(name).copied())
    }
}

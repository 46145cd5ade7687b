//! From syntax to a program: what is declared where, and what the types in declarations mean.

mod lookup;

use crate::capture::{Captures, captures};
use crate::diagnostics::Diagnostics;
use crate::jml;
use crate::program::{
    Class, ClassId, Field, FieldId, InitializerStep, Method, MethodId, Parameter, Program,
    SpecKind, SpecType, VarId,
};
use crate::sources::Nullness;
use crate::spec::{ClassSpec, MethodSpec, MissingClause, MissingClauseRole, SpecField};
use crate::syntax::{
    Member, Modifiers, TextRange, TypeDecl, TypeKind, TypeRef, TypeRefKind, TypeVariable, Unit,
};
use crate::types::Ty;
use crate::walk;

pub(crate) use lookup::Scope;

/// A file of a program.
pub(crate) struct File {
    pub(crate) unit: Unit,
    /// Whether it only has signatures of ours.
    pub(crate) is_library: bool,
}

/// Resolves the declarations of files.
pub(crate) fn resolve<'s>(
    files: &'s [File],
    nullness: Nullness,
    diagnostics: &mut Diagnostics,
) -> Program<'s> {
    let captures = files.iter().map(|file| captures(&file.unit)).collect();
    let bundled = files.len().saturating_sub(crate::LIBRARY.len()) as u32;
    let program = Program { nullness, bundled, ..Program::default() };
    let mut resolver = Resolver { program, decls: Vec::new(), captures };
    for (number, file) in files.iter().enumerate() {
        let unit = &file.unit;
        resolver.program.imports.push((unit.package.clone(), unit.imports.clone()));
        for decl in &unit.types {
            // A file's own declarations take precedence over the library.
            let full = format!("{}.{}", unit.package, decl.name.name);
            if file.is_library && resolver.program.names.contains_key(&full) {
                continue;
            }
            resolver.declare(decl, None, number as u32, file.is_library, false);
        }
    }
    let decls = std::mem::take(&mut resolver.decls);
    for (id, decl) in &decls {
        diagnostics.file = resolver.program.class(*id).file;
        resolver.supertypes(*id, decl);
    }
    for (id, decl) in &decls {
        diagnostics.file = resolver.program.class(*id).file;
        resolver.members(*id, decl, diagnostics);
    }
    resolver.program
}

struct Resolver<'s> {
    program: Program<'s>,
    decls: Vec<(ClassId, &'s TypeDecl)>,
    /// The captured variables of classes in bodies, file by file.
    captures: Vec<Captures>,
}

impl<'s> Resolver<'s> {
    fn declare(
        &mut self,
        decl: &'s TypeDecl,
        outer: Option<ClassId>,
        file: u32,
        is_library: bool,
        is_local: bool,
    ) -> ClassId {
        let id = ClassId(self.program.classes.len() as u32);
        let simple = match decl.name.name.as_str() {
            // Such classes are counted by the class around them, as compilers do.
            "" => format!("{}", self.unnamed_in(outer) + 1),
            name => name.to_owned(),
        };
        let name = match outer {
            Some(outer) if decl.name.name.is_empty() => {
                format!("{}${simple}", self.program.class(outer).name)
            }
            Some(outer) => format!("{}.{simple}", self.program.class(outer).name),
            None => simple.clone(),
        };
        let package = &self.program.imports[file as usize].0;
        let full = match package.as_str() {
            "" => name.clone(),
            package => format!("{package}.{name}"),
        };
        self.program.names.entry(full).or_insert(id);
        let is_interface = matches!(decl.kind, TypeKind::Interface | TypeKind::Annotation);
        self.program.classes.push(Class {
            is_abstract: is_interface || decl.modifiers.has("abstract"),
            outer,
            is_library,
            ..Class::new(name, decl.kind, file)
        });
        if is_local {
            self.program.inner.insert((file, decl.at.start), id);
        }
        if let Some(outer) = outer {
            self.program.classes[outer.0 as usize].types.entry(simple).or_insert(id);
        }
        self.decls.push((id, decl));
        for member in &decl.members {
            let mut inner = Vec::new();
            match member {
                Member::Type(decl) => {
                    self.declare(decl, Some(id), file, is_library, false);
                }
                Member::Field(field) => {
                    if let Some(value) = &field.value {
                        walk::declared_in(value, &mut inner);
                    }
                }
                Member::Method(method) => {
                    inner = method.body.as_deref().map(walk::declared).unwrap_or_default();
                }
                Member::Initializer { body, .. } => inner = walk::declared(body),
            }
            for decl in inner {
                self.declare(decl, Some(id), file, is_library, true);
            }
        }
        id
    }

    /// How many classes without a name a class has so far.
    fn unnamed_in(&self, outer: Option<ClassId>) -> usize {
        let decls = self.decls.iter().filter(|(_, decl)| decl.name.name.is_empty());
        decls.filter(|(id, _)| self.program.class(*id).outer == outer).count()
    }

    /// Fields for the variables of the body around a class that it uses.
    fn captured(&mut self, id: ClassId, decl: &'s TypeDecl) {
        let file = self.program.class(id).file as usize;
        let scope = Scope { class: id, vars: &[] };
        let object = self.program.library_type("java.lang.Object");
        for (name, ty) in self.captures[file].remove(&decl.at.start).unwrap_or_default() {
            let ty = self.program.find_type(&ty, scope).unwrap_or_else(|| object.clone());
            let field = self.field(id, &format!("val${name}"), ty, decl.name.at);
            let known = &mut self.program.fields[field.0 as usize];
            (known.is_final, known.nullable) = (true, Some(true));
            self.program.classes[id.0 as usize].captured.push((name, field));
        }
    }

    fn variables(&mut self, variables: &[TypeVariable], scope: Scope<'_>) -> Vec<VarId> {
        let object = self.program.library_type("java.lang.Object");
        let first = self.program.vars.len() as u32;
        for variable in variables {
            self.program.vars.push((variable.name.clone(), object.clone()));
        }
        let vars: Vec<VarId> = (first..first + variables.len() as u32).map(VarId).collect();
        for (var, variable) in vars.iter().zip(variables) {
            if let Some(bound) = &variable.bound {
                let all: Vec<VarId> = scope.vars.iter().chain(&vars).copied().collect();
                let bound = self.program.type_of(bound, Scope { vars: &all, ..scope });
                // A variable that is its own bound, or that of one before, has no more to say.
                let is_plain = !matches!(bound, Ty::Var(inner) if inner.0 >= var.0);
                if is_plain && bound != Ty::Unknown {
                    self.program.vars[var.0 as usize].1 = bound;
                }
            }
        }
        vars
    }

    fn supertypes(&mut self, id: ClassId, decl: &'s TypeDecl) {
        let scope = Scope { class: id, vars: &[] };
        let vars = self.variables(&decl.variables, scope);
        self.program.classes[id.0 as usize].vars = vars;
        let resolve = |program: &mut Program<'s>, types: &[TypeRef]| -> Vec<Ty> {
            types.iter().map(|ty| program.type_of(ty, scope)).collect()
        };
        let mut extends = resolve(&mut self.program, &decl.extends);
        let mut interfaces = resolve(&mut self.program, &decl.implements);
        // A class without a name may implement an interface that it seems to extend.
        let is_interface = |program: &Program<'_>, ty: &Ty| {
            program.class_of(ty).is_some_and(|id| program.class(id).kind == TypeKind::Interface)
        };
        if decl.name.name.is_empty()
            && let Some(first) = extends.first()
            && is_interface(&self.program, first)
        {
            interfaces.push(extends.remove(0));
        }
        let above = match decl.kind {
            TypeKind::Enum => self.program.library_type("java.lang.Enum"),
            TypeKind::Class | TypeKind::Interface | TypeKind::Record | TypeKind::Annotation => {
                self.program.library_type("java.lang.Object")
            }
        };
        let superclass = extends.into_iter().next().or(Some(above));
        let superclass = superclass.filter(|ty| {
            // A class that extends itself extends nothing.
            *ty != Ty::Unknown
                && self.program.class_of(ty).is_some_and(|above| {
                    !self.program.is_subclass(above, id)
                        || above == self.program.object().unwrap_or(above) && above != id
                })
        });
        let class = &mut self.program.classes[id.0 as usize];
        class.superclass = superclass;
        class.interfaces = interfaces.into_iter().filter(|ty| *ty != Ty::Unknown).collect();
    }

    fn members(&mut self, id: ClassId, decl: &'s TypeDecl, diagnostics: &mut Diagnostics) {
        let scope = Scope { class: id, vars: &[] };
        let is_interface = self.program.class(id).kind == TypeKind::Interface;
        let is_nested = self.program.class(id).outer.filter(|_| {
            let is_static = decl.modifiers.has("static")
                || decl.kind != TypeKind::Class
                || self
                    .program
                    .class(id)
                    .outer
                    .is_some_and(|outer| self.program.class(outer).kind == TypeKind::Interface);
            !is_static
        });
        if let Some(outer) = is_nested {
            let field = self.field(id, "this$0", Ty::Class(outer, Vec::new()), decl.name.at);
            self.program.fields[field.0 as usize].is_final = true;
            self.program.classes[id.0 as usize].outer_field = Some(field);
        }
        self.captured(id, decl);
        let mut spec = ClassSpec::default();
        jml::class(&decl.comments, &decl.modifiers, &mut spec, diagnostics);
        for (number, constant) in decl.constants.iter().enumerate() {
            let ty = Ty::Class(id, Vec::new());
            let field = self.field(id, &constant.name.name, ty, constant.name.at);
            let field = &mut self.program.fields[field.0 as usize];
            (field.is_static, field.is_final, field.constant) = (true, true, Some(number));
        }
        for component in &decl.components {
            let ty = self.program.type_of(&component.ty, scope);
            let field = self.field(id, &component.name.name, ty, component.name.at);
            self.program.fields[field.0 as usize].is_final = true;
        }
        let mut has_constructor = false;
        for member in &decl.members {
            match member {
                Member::Field(field) => {
                    let ty = self.program.type_of(&field.ty, scope);
                    let new = self.field(id, &field.name.name, ty, field.name.at);
                    let is_static = is_interface || field.modifiers.has("static");
                    let words = jml::field(&field.comments, &mut spec, diagnostics);
                    let known = &mut self.program.fields[new.0 as usize];
                    known.is_static = is_static;
                    known.is_final = is_interface || field.modifiers.has("final");
                    known.value = field.value.as_ref();
                    known.nullable = nullable(&field.modifiers, &words);
                    if let (Some(value), false) = (&field.value, is_static) {
                        let class = &mut self.program.classes[id.0 as usize];
                        class.initial.push(InitializerStep::Field(new, value));
                    }
                }
                Member::Initializer { is_static: false, body, .. } => {
                    self.program.classes[id.0 as usize].initial.push(InitializerStep::Block(body));
                }
                Member::Initializer { is_static: true, .. } | Member::Type(_) => {}
                Member::Method(method) => {
                    has_constructor |= method.result.is_none();
                    self.method(id, method, is_interface, &mut spec, diagnostics);
                }
            }
        }
        if !has_constructor && !is_interface {
            self.default_constructor(id, decl);
        }
        for field in &spec.fields {
            self.spec_field(id, field);
        }
        for (at, groups) in std::mem::take(&mut spec.groups) {
            self.belongs(id, decl, at, &groups, &mut spec);
        }
        self.program.classes[id.0 as usize].spec = spec;
    }

    /// `in groups;` behind the declaration of a field, the nearest before it, and of those declared with it.
    fn belongs(
        &mut self,
        class: ClassId,
        decl: &TypeDecl,
        at: TextRange,
        groups: &[String],
        spec: &mut ClassSpec,
    ) {
        let own: Vec<FieldId> = self.program.class(class).fields.clone();
        let start = |id: &FieldId| self.program.field(*id).at.start;
        let before = own.iter().copied().filter(|id| start(id) < at.start);
        let Some(nearest) = before.max_by_key(start) else {
            let text = format!("in {}", groups.join(", "));
            spec.left_out.push(MissingClause { role: MissingClauseRole::Group, text, at });
            return;
        };
        let written = |name: u32| {
            decl.members.iter().find_map(|member| match member {
                Member::Field(field) if field.name.at.start == name => Some(field.ty.at),
                _ => None,
            })
        };
        let declared = written(start(&nearest));
        let is_with =
            |id: &FieldId| *id == nearest || (declared.is_some() && written(start(id)) == declared);
        let all: Vec<FieldId> = own.into_iter().filter(is_with).collect();
        for field in all {
            self.program.fields[field.0 as usize].groups.extend_from_slice(groups);
        }
    }

    /// A ghost or model field. Sets and sequences are of objects.
    fn spec_field(&mut self, class: ClassId, field: &SpecField) {
        let scope = Scope { class, vars: &[] };
        let shape = SpecType::of(&field.ty);
        let arguments = match &field.ty.kind {
            TypeRefKind::Named(_, arguments) => arguments.first(),
            TypeRefKind::Array(_) => None,
        };
        let ty = match (shape, arguments) {
            (SpecType::Plain, _) => self.program.type_of(&field.ty, scope),
            (SpecType::Set | SpecType::Sequence, Some(of)) => self.program.type_of(of, scope),
            (SpecType::Set | SpecType::Sequence, None) => {
                self.program.library_type("java.lang.Object")
            }
        };
        let id = self.field(class, &field.name.name, ty, field.name.at);
        let known = &mut self.program.fields[id.0 as usize];
        known.is_static = field.is_static;
        known.nullable = Some(true);
        known.spec = Some(SpecKind { is_model: field.is_model, shape });
    }

    fn field(&mut self, class: ClassId, name: &str, ty: Ty, at: TextRange) -> FieldId {
        let id = FieldId(self.program.fields.len() as u32);
        self.program.fields.push(Field {
            class,
            name: name.to_owned(),
            ty,
            is_static: false,
            is_final: false,
            constant: None,
            value: None,
            nullable: None,
            spec: None,
            groups: Vec::new(),
            at,
        });
        self.program.classes[class.0 as usize].fields.push(id);
        id
    }

    fn method(
        &mut self,
        class: ClassId,
        method: &'s crate::syntax::Method,
        is_interface: bool,
        class_spec: &mut ClassSpec,
        diagnostics: &mut Diagnostics,
    ) {
        let outer = Scope { class, vars: &[] };
        let vars = self.variables(&method.variables, outer);
        let scope = Scope { class, vars: &vars };
        let spec = jml::method(&method.comments, &method.modifiers, class_spec, diagnostics);
        let parameters = method.parameters.iter().map(|parameter| Parameter {
            name: parameter.name.name.clone(),
            alias: parameter.alias.clone(),
            ty: self.program.type_of(&parameter.ty, scope),
            nullable: nullable(&parameter.modifiers, &[]),
        });
        let parameters = parameters.collect();
        let result = match &method.result {
            Some(ty) => self.program.type_of(ty, scope),
            None => Ty::Void,
        };
        let is_constructor = method.result.is_none();
        let start = spec.start.map_or(method.at.start, |start| start.min(method.at.start));
        self.push_method(Method {
            class,
            name: if is_constructor { "<init>".to_owned() } else { method.name.name.clone() },
            is_static: method.modifiers.has("static"),
            is_constructor,
            is_private: method.modifiers.has("private") && !is_interface,
            is_native: method.modifiers.has("native"),
            is_variadic: method.parameters.iter().any(|parameter| parameter.is_variadic),
            vars,
            parameters,
            result,
            body: method.body.as_deref(),
            spec,
            at: TextRange { start, ..method.at },
        });
    }

    /// The constructor that a class has if it declares none. A record's sets its components.
    fn default_constructor(&mut self, class: ClassId, decl: &'s TypeDecl) {
        let scope = Scope { class, vars: &[] };
        let parameters = decl.components.iter().map(|component| Parameter {
            name: component.name.name.clone(),
            alias: None,
            ty: self.program.type_of(&component.ty, scope),
            nullable: None,
        });
        let parameters = parameters.collect();
        self.push_method(Method {
            class,
            name: "<init>".to_owned(),
            is_static: false,
            is_constructor: true,
            is_private: false,
            is_native: false,
            is_variadic: false,
            vars: Vec::new(),
            parameters,
            result: Ty::Void,
            body: Some(&[]),
            spec: MethodSpec::default(),
            at: TextRange { start: decl.name.at.start, end: decl.name.at.start },
        });
    }

    fn push_method(&mut self, method: Method<'s>) {
        let id = MethodId(self.program.methods.len() as u32);
        self.program.classes[method.class.0 as usize].methods.push(id);
        self.program.methods.push(method);
    }
}

/// Whether annotations say that `null` is allowed.
fn nullable(modifiers: &Modifiers, words: &[String]) -> Option<bool> {
    let names = modifiers.annotations.iter().map(|annotation| annotation.name.as_str());
    let words = modifiers.words.iter().chain(words).map(String::as_str);
    words.chain(names).find_map(|word| match word.trim_matches('@') {
        "nullable" | "Nullable" | "CheckForNull" => Some(true),
        "non_null" | "NonNull" | "NotNull" | "Nonnull" => Some(false),
        _ => None,
    })
}

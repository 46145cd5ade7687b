//! A program whose declarations are resolved: classes with their members, by number.
//!
//! Bodies and specifications are still syntax; what names in them mean is found out where they are
//! lowered. Library classes are classes like others, read from signatures of our own.

use std::collections::BTreeMap;

use crate::sources::Nullness;
use crate::spec::{ClassSpec, MethodSpec};
use crate::syntax::{Expr, Stmt, TextRange, TypeDecl, TypeKind, TypeRef, TypeRefKind};
use crate::types::Ty;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ClassId(pub(crate) u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct FieldId(pub(crate) u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct MethodId(pub(crate) u32);

/// A type variable of a class or method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct VarId(pub(crate) u32);

/// A class, interface, enumeration or record.
#[derive(Clone, Debug)]
pub(crate) struct Class<'s> {
    /// As the source writes it outside: `Outer.Inner`.
    pub(crate) name: String,
    pub(crate) kind: TypeKind,
    pub(crate) is_abstract: bool,
    pub(crate) outer: Option<ClassId>,
    /// The field that holds the object of the outer class, if there is one.
    pub(crate) outer_field: Option<FieldId>,
    /// The variables of the body around it that it uses, and the fields that hold their values.
    pub(crate) captured: Vec<(String, FieldId)>,
    pub(crate) superclass: Option<Ty>,
    pub(crate) interfaces: Vec<Ty>,
    pub(crate) vars: Vec<VarId>,
    pub(crate) fields: Vec<FieldId>,
    pub(crate) methods: Vec<MethodId>,
    /// The types declared within.
    pub(crate) types: BTreeMap<String, ClassId>,
    /// The initializers that execute when an object is created, in order.
    pub(crate) initial: Vec<InitializerStep<'s>>,
    pub(crate) spec: ClassSpec,
    pub(crate) file: u32,
    pub(crate) is_library: bool,
    /// Whether nothing is known of it but its name.
    pub(crate) is_opaque: bool,
}

impl Class<'_> {
    /// A class of which nothing is known yet but its name.
    pub(crate) fn new(name: String, kind: TypeKind, file: u32) -> Self {
        Class {
            name,
            kind,
            is_abstract: false,
            outer: None,
            outer_field: None,
            captured: Vec::new(),
            superclass: None,
            interfaces: Vec::new(),
            vars: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            types: BTreeMap::new(),
            initial: Vec::new(),
            spec: ClassSpec::default(),
            file,
            is_library: false,
            is_opaque: false,
        }
    }
}

/// An initializer that executes when an object is created.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InitializerStep<'s> {
    Field(FieldId, &'s Expr),
    Block(&'s [Stmt]),
}

#[derive(Clone, Debug)]
pub(crate) struct Field<'s> {
    pub(crate) class: ClassId,
    pub(crate) name: String,
    pub(crate) ty: Ty,
    pub(crate) is_static: bool,
    pub(crate) is_final: bool,
    /// Whether it is a constant of an enumeration, and which.
    pub(crate) constant: Option<usize>,
    pub(crate) value: Option<&'s Expr>,
    /// Whether `null` is among its values, if a specification declares it.
    pub(crate) nullable: Option<bool>,
    /// Its specification type, if it is a ghost or model field.
    pub(crate) spec: Option<SpecKind>,
    /// The groups of fields that it belongs to, by name.
    pub(crate) groups: Vec<String>,
    pub(crate) at: TextRange,
}

impl Field<'_> {
    /// Whether its value follows from that of other fields.
    pub(crate) fn is_model(&self) -> bool {
        self.spec.is_some_and(|spec| spec.is_model)
    }

    pub(crate) fn shape(&self) -> SpecType {
        self.spec.map_or(SpecType::Plain, |spec| spec.shape)
    }
}

/// A ghost or model field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SpecKind {
    /// Whether its value follows from that of other fields.
    pub(crate) is_model: bool,
    pub(crate) shape: SpecType,
}

/// The types of specification expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SpecType {
    /// Those of a Java type.
    Plain,
    /// Sets of objects.
    Set,
    /// Sequences of objects.
    Sequence,
}

impl SpecType {
    /// The shape of the values of a type that is written so.
    pub(crate) fn of(ty: &TypeRef) -> SpecType {
        let TypeRefKind::Named(name, _) = &ty.kind else { return SpecType::Plain };
        match name.rsplit('.').next().unwrap_or(name) {
            "JMLObjectSet" | "JMLEqualsSet" | "JMLValueSet" => SpecType::Set,
            "JMLObjectSequence" | "JMLEqualsSequence" | "JMLValueSequence" => SpecType::Sequence,
            _ => SpecType::Plain,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Method<'s> {
    pub(crate) class: ClassId,
    pub(crate) name: String,
    pub(crate) is_static: bool,
    pub(crate) is_constructor: bool,
    pub(crate) is_private: bool,
    pub(crate) is_native: bool,
    pub(crate) is_variadic: bool,
    pub(crate) vars: Vec<VarId>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) result: Ty,
    pub(crate) body: Option<&'s [Stmt]>,
    pub(crate) spec: MethodSpec,
    pub(crate) at: TextRange,
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    /// Its name in the specification of another file, if that differs.
    pub(crate) alias: Option<String>,
    pub(crate) ty: Ty,
    pub(crate) nullable: Option<bool>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Program<'s> {
    pub(crate) classes: Vec<Class<'s>>,
    pub(crate) fields: Vec<Field<'s>>,
    pub(crate) methods: Vec<Method<'s>>,
    /// The names and bounds of type variables.
    pub(crate) vars: Vec<(String, Ty)>,
    /// Anonymous and local classes, by where their declaration begins in the file.
    pub(crate) inner: BTreeMap<(u32, u32), ClassId>,
    /// By full name, as in `java.util.List`.
    pub(crate) names: BTreeMap<String, ClassId>,
    /// The default nullness of references.
    pub(crate) nullness: Nullness,
    /// The imports of each file, and its package.
    pub(crate) imports: Vec<(String, Vec<String>)>,
    /// The number of the first file of the library that is bundled.
    pub(crate) bundled: u32,
}

impl<'s> Program<'s> {
    pub(crate) fn class(&self, id: ClassId) -> &Class<'s> {
        &self.classes[id.0 as usize]
    }

    pub(crate) fn field(&self, id: FieldId) -> &Field<'s> {
        &self.fields[id.0 as usize]
    }

    pub(crate) fn method(&self, id: MethodId) -> &Method<'s> {
        &self.methods[id.0 as usize]
    }

    /// Whether a class is of the library that is bundled.
    pub(crate) fn is_bundled(&self, id: ClassId) -> bool {
        self.class(id).file >= self.bundled
    }

    /// Whether the code of a method is external, and its specification, if it has one, is incomplete.
    pub(crate) fn is_external(&self, method: &Method<'_>) -> bool {
        method.body.is_none()
            && !method.is_constructor
            && (method.spec.cases.is_empty() || self.is_bundled(method.class))
    }

    /// Whether references in a class are not null unless declared nullable.
    pub(crate) fn is_strict(&self, id: ClassId) -> bool {
        let class = self.class(id);
        match self.nullness {
            _ if self.is_bundled(id) => false,
            Nullness::AsSpecified => class.spec.is_jml && !class.spec.nullable_by_default,
            Nullness::Nullable => false,
            Nullness::NonNull => !class.is_library,
        }
    }

    /// All classes, in order.
    pub(crate) fn class_ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.classes.len() as u32).map(ClassId)
    }

    /// The class of the library with this full name.
    pub(crate) fn library(&self, name: &str) -> Option<ClassId> {
        self.names.get(name).copied()
    }

    pub(crate) fn object(&self) -> Option<ClassId> {
        self.library("java.lang.Object")
    }

    /// A class without arguments, `Unknown` if there is none.
    pub(crate) fn library_type(&self, name: &str) -> Ty {
        self.library(name).map_or(Ty::Unknown, |id| Ty::Class(id, Vec::new()))
    }

    /// The type without variables and arguments (JLS §4.6).
    pub(crate) fn erased(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Class(id, _) => Ty::Class(*id, Vec::new()),
            Ty::Var(var) => self.erased(&self.vars[var.0 as usize].1),
            Ty::Array(element) => Ty::Array(Box::new(self.erased(element))),
            other => other.clone(),
        }
    }

    /// The class whose members a value of the type has. Arrays have those of `Object`.
    pub(crate) fn class_of(&self, ty: &Ty) -> Option<ClassId> {
        match ty {
            Ty::Class(id, _) => Some(*id),
            Ty::Var(var) => self.class_of(&self.vars[var.0 as usize].1),
            Ty::Array(_) => self.object(),
            _ => None,
        }
    }

    /// The direct supertypes of a class; `Object` of those that name none.
    pub(crate) fn supertypes(&self, id: ClassId) -> Vec<Ty> {
        let class = self.class(id);
        let own = class.superclass.iter().chain(&class.interfaces).cloned();
        own.collect()
    }

    /// Whether one class is another or extends or implements it.
    pub(crate) fn is_subclass(&self, id: ClassId, of: ClassId) -> bool {
        if id == of || Some(of) == self.object() {
            return true;
        }
        let mut open = vec![id];
        let mut seen = vec![id];
        while let Some(id) = open.pop() {
            for ty in self.supertypes(id) {
                let Some(above) = self.class_of(&ty) else { continue };
                if above == of {
                    return true;
                }
                if !seen.contains(&above) {
                    seen.push(above);
                    open.push(above);
                }
            }
        }
        false
    }

    /// A class and its supertypes, nearest first, each with its type variables as seen from this type.
    pub(crate) fn lineage(&self, ty: &Ty) -> Vec<(ClassId, Vec<Ty>)> {
        let mut lineage: Vec<(ClassId, Vec<Ty>)> = Vec::new();
        let mut open = std::collections::VecDeque::new();
        let start = match ty {
            Ty::Class(..) => ty.clone(),
            Ty::Var(var) => self.vars[var.0 as usize].1.clone(),
            _ => self.object().map_or(Ty::Unknown, |id| Ty::Class(id, Vec::new())),
        };
        open.push_back(start);
        while let Some(next) = open.pop_front() {
            let (id, arguments) = match next {
                Ty::Class(id, arguments) => (id, arguments),
                Ty::Var(var) => {
                    open.push_back(self.vars[var.0 as usize].1.clone());
                    continue;
                }
                _ => continue,
            };
            if lineage.iter().any(|(known, _)| *known == id) {
                continue;
            }
            for above in self.supertypes(id) {
                open.push_back(self.substitute(&above, id, &arguments));
            }
            lineage.push((id, arguments));
        }
        if let Some(object) = self.object()
            && !lineage.iter().any(|(known, _)| *known == object)
        {
            lineage.push((object, Vec::new()));
        }
        lineage
    }

    /// A type in a class's declaration with the class's type variables substituted.
    pub(crate) fn substitute(&self, ty: &Ty, class: ClassId, arguments: &[Ty]) -> Ty {
        match ty {
            Ty::Var(var) => {
                let position = self.class(class).vars.iter().position(|known| known == var);
                match position.and_then(|position| arguments.get(position)) {
                    Some(argument) => argument.clone(),
                    None => ty.clone(),
                }
            }
            Ty::Class(id, inner) => {
                let inner = inner.iter().map(|ty| self.substitute(ty, class, arguments));
                Ty::Class(*id, inner.collect())
            }
            Ty::Array(element) => Ty::Array(Box::new(self.substitute(element, class, arguments))),
            other => other.clone(),
        }
    }

    /// The field of this name that a type has, and its type as seen from there.
    pub(crate) fn find_field(&self, ty: &Ty, name: &str) -> Option<(FieldId, Ty)> {
        self.lineage(ty).into_iter().find_map(|(class, arguments)| {
            let own = &self.class(class).fields;
            let id = own.iter().copied().find(|id| self.field(*id).name == name)?;
            Some((id, self.substitute(&self.field(id).ty, class, &arguments)))
        })
    }

    /// A static field that an import of a file names.
    pub(crate) fn imported_field(&self, name: &str, file: u32) -> Option<(FieldId, Ty)> {
        let imports = &self.imports[file as usize].1;
        imports.iter().find_map(|import| {
            let (class, member) = import.rsplit_once('.')?;
            if member != name && member != "*" {
                return None;
            }
            let class = self.library(class)?;
            let found = self.find_field(&Ty::Class(class, Vec::new()), name)?;
            self.field(found.0).is_static.then_some(found)
        })
    }

    /// How the source writes a type.
    pub(crate) fn show(&self, ty: &Ty) -> String {
        let word = match ty {
            Ty::Boolean => "boolean",
            Ty::Byte => "byte",
            Ty::Short => "short",
            Ty::Char => "char",
            Ty::Int => "int",
            Ty::Long => "long",
            Ty::Float => "float",
            Ty::Double => "double",
            Ty::Void => "void",
            Ty::Null => "null",
            Ty::Unknown => "?",
            Ty::Class(id, _) => &self.class(*id).name,
            Ty::Var(var) => &self.vars[var.0 as usize].0,
            Ty::Array(element) => return format!("{}[]", self.show(element)),
        };
        word.to_owned()
    }

    /// The concrete method that executes if a method is called on an object of a class.
    pub(crate) fn implementation(&self, of: ClassId, method: MethodId) -> MethodId {
        let wanted = self.method(method);
        let concrete = |id: &MethodId| {
            let own = self.method(*id);
            own.name == wanted.name
                && !own.is_static
                && !own.is_constructor
                && self.overrides(own, wanted)
        };
        let lineage = self.lineage(&Ty::Class(of, Vec::new()));
        let candidates = || lineage.iter().flat_map(|(class, _)| &self.class(*class).methods);
        let with_body =
            candidates().copied().find(|id| concrete(id) && self.method(*id).body.is_some());
        with_body.or_else(|| candidates().copied().find(concrete)).unwrap_or(method)
    }

    /// Whether parameters are the same when erased, or where the class above has a variable's type.
    fn overrides(&self, own: &Method<'_>, wanted: &Method<'_>) -> bool {
        own.parameters.len() == wanted.parameters.len()
            && own.parameters.iter().zip(&wanted.parameters).all(|(a, b)| {
                self.erased(&a.ty) == self.erased(&b.ty)
                    || (own.class != wanted.class && self.instantiates(&a.ty, &b.ty))
            })
    }

    /// Whether a type may be an instance of another with type variables of a class.
    fn instantiates(&self, ty: &Ty, general: &Ty) -> bool {
        match (ty, general) {
            (ty, Ty::Var(var)) => {
                ty.is_reference() && self.classes.iter().any(|class| class.vars.contains(var))
            }
            (Ty::Array(ty), Ty::Array(general)) => self.instantiates(ty, general),
            _ => false,
        }
    }

    /// Where a declaration in a body was resolved to.
    pub(crate) fn inner_class(&self, file: u32, decl: &TypeDecl) -> Option<ClassId> {
        self.inner.get(&(file, decl.at.start)).copied()
    }
}

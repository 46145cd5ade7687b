//! Objects and arrays that are made.

use ir::{Allocation, Origin, Place, Projection, StatementKind, Variable};

use super::body::{Body, Val};
use super::heap::Map;
use super::sorts::{Kind, Sorts};
use super::{Form, Key};
use crate::program::{ClassId, MethodId};
use crate::syntax::{At, Expr, ExprKind, TypeDecl, TypeRef};
use crate::types::Ty;

impl<'p> Body<'_, 'p> {
    /// A new object of a class or array type, whose fields are zero or null.
    pub(super) fn make(&mut self, ty: &Ty, at: At) -> Val {
        let program = self.cx.program;
        let Some(kind) = Sorts::kind(program, ty) else {
            return self.unknown("this object", Ty::Unknown, at);
        };
        self.cx.sorts.make(program, kind.clone());
        let vir = self.cx.vir(ty);
        let ir::Type::Sort(sort) = vir else { return self.unknown("this object", ty.clone(), at) };
        let local = self.variable("new", vir, None);
        let place = Place { variable: Variable::Local(local), path: Vec::new() };
        let allocation = Allocation::Individual(sort);
        self.emit(StatementKind::Allocate { place, allocation }, at, Origin::Synthetic);
        let object = self.read(local);
        let group = self.cx.groups[sort.0 as usize].clone();
        if let Some(class) = self.class_of(object, ty) {
            let is_new = self.is_nothing(class);
            self.assume(is_new, at);
            let position = group.classes.iter().position(|known| *known == kind);
            let class = self.class_constant(sort, position);
            let classes = self.cx.map(Map::Class(sort));
            self.set_at(classes, object, class, at);
        }
        if let Kind::Class(class) = kind {
            for (class, _) in program.lineage(&Ty::Class(class, Vec::new())) {
                for &field in &program.class(class).fields {
                    if !program.field(field).is_static {
                        let global = self.cx.field(field);
                        let value = self.cx.vir(&program.field(field).ty);
                        let value = self.default(&value);
                        self.set_at(global, object, value, at);
                    }
                }
            }
        }
        Val { id: object, ty: ty.clone() }
    }

    fn set_at(&mut self, map: ir::GlobalId, key: ir::ExprId, value: ir::ExprId, at: At) {
        let path = vec![Projection::Index(vec![key])];
        let place = Place { variable: Variable::Global(map), path };
        self.emit(StatementKind::Assign(vec![(place, value)]), at, Origin::Synthetic);
    }

    /// `new T(…)`, perhaps with a body.
    pub(super) fn new_object(
        &mut self,
        ty: &'p TypeRef,
        arguments: &'p [Expr],
        body: Option<&'p TypeDecl>,
        outer: Option<&'p Expr>,
        at: At,
    ) -> Val {
        let program = self.cx.program;
        let outer = outer.map(|outer| {
            let value = self.expr(outer);
            let message = self.null_message(outer.at);
            self.not_null(&value, &message, outer.at);
            self.save(&value, outer.at)
        });
        let declared = match body {
            Some(decl) => program.inner_class(self.file, decl).map(|id| self.own_type(id)),
            None => Some(self.written(ty)),
        };
        let class = declared.as_ref().and_then(|ty| program.class_of(ty));
        let (Some(declared), Some(class)) = (declared, class) else {
            return self.unknown("an object of an unknown class", Ty::Unknown, at);
        };
        if program.class(class).is_opaque || program.class(class).is_abstract {
            return self.unknown("an object of an unknown class", declared, at);
        }
        if body.is_some() && !arguments.is_empty() {
            return self.unknown("a class without a name that has arguments", declared, at);
        }
        let values = self.arguments(arguments);
        let Some(constructor) = self.choose_constructor(class, &values) else {
            return self.unknown("a constructor with these arguments", declared, at);
        };
        let mut given = Vec::new();
        if let Some(field) = program.class(class).outer_field {
            let wanted = program.field(field).ty.clone();
            let wanted_class = program.class_of(&wanted);
            let object = outer.or_else(|| {
                let is_wanted = |_: &Self, class: ClassId| {
                    wanted_class.is_some_and(|wanted| program.is_subclass(class, wanted))
                };
                self.enclosing(is_wanted).and_then(|(_, object)| object)
            });
            given.push(match object {
                Some(object) => self.convert(&object, &wanted, at),
                // A class in a static body has no object around it.
                None => self.convert(&Val { id: ir::ExprId(0), ty: Ty::Null }, &wanted, at),
            });
        }
        given.extend(self.converted(constructor, &values, &declared, at));
        let key = Key { method: constructor, form: Form::Whole, throwing: self.wants_exceptions() };
        let made = self.call_procedure(key, given, at);
        made.map_or_else(
            || self.unknown("this object", declared.clone(), at),
            |made| Val { id: made.id, ty: declared.clone() },
        )
    }

    /// The constructor of a class that fits arguments.
    pub(super) fn choose_constructor(&self, class: ClassId, values: &[Val]) -> Option<MethodId> {
        let program = self.cx.program;
        let all = program.class(class).methods.iter().copied();
        let all: Vec<MethodId> = all.filter(|id| program.method(*id).is_constructor).collect();
        self.most_specific(&all, values)
    }

    /// `new T[a][b]` or with elements.
    pub(super) fn new_arrays(
        &mut self,
        element: &'p TypeRef,
        lengths: &'p [Expr],
        open: usize,
        initial: Option<&'p Expr>,
        at: At,
    ) -> Val {
        let base = self.written(element);
        let depth = lengths.len() + open;
        let ty = (0..depth).fold(base, |inner, _| Ty::Array(Box::new(inner)));
        if let Some(initial) = initial {
            return self.elements_of(&ty, initial);
        }
        let [length] = lengths else {
            return self.unknown("an array of several dimensions that is made at once", ty, at);
        };
        let Ty::Array(element) = &ty else { return self.unknown("this array", ty, at) };
        let length_value = self.expr(length);
        let length_value = self.convert_index(&length_value, length.at);
        self.new_array(element, &length_value, at)
    }

    /// `{a, b}` as an array of a type.
    pub(super) fn elements_of(&mut self, ty: &Ty, initial: &'p Expr) -> Val {
        let at = initial.at;
        let (ExprKind::Elements(all), Ty::Array(element)) = (&initial.kind, ty) else {
            let value = self.expr(initial);
            return self.convert(&value, ty, at);
        };
        let count = all.len() as i64;
        let length = Val { id: self.word(32, count), ty: Ty::Int };
        let array = self.new_array(element, &length, at);
        for (index, part) in all.iter().enumerate() {
            let value = self.elements_of(element, part);
            let value = self.convert(&value, element, part.at);
            let index = self.word(32, index as i64);
            let place = self.element_place(&array, index);
            self.assign(place, value.id, part.at);
        }
        array
    }
}

//! Objects and arrays that are made.

use ir::{Allocation, Origin, Place, Projection, StatementKind, Variable};

use super::body::{Body, Val};
use super::heap::HeapMap;
use super::sorts::{Kind, Sorts};
use super::{ConstructorPart, ProcedureKey};
use crate::program::{ClassId, MethodId};
use crate::syntax::{Expr, ExprKind, TextRange, TypeDecl, TypeRef};
use crate::types::Ty;

impl<'p> Body<'_, 'p> {
    /// A new object of a class or array type, whose fields are zero or null.
    pub(super) fn make(&mut self, ty: &Ty, at: TextRange) -> Val {
        let program = self.cx.program;
        let Some(kind) = Sorts::kind(program, ty) else {
            return self.unknown("this object", Ty::Unknown, at);
        };
        self.cx.sorts.make(program, kind.clone());
        let vir = self.cx.vir(ty);
        let ir::Type::Sort(sort) = vir else { return self.unknown("this object", ty.clone(), at) };
        let local = self.variable("new", vir, None);
        let place = Place { variable: Variable::Local(local), path: Vec::new() };
        let allocation = Allocation::Atom(sort);
        self.emit(StatementKind::Allocate { place, allocation }, at, Origin::Synthetic);
        let object = self.read(local);
        let group = self.cx.groups[sort.0 as usize].clone();
        if let Some(class) = self.class_of(object, ty) {
            let is_new = self.is_nothing(class);
            self.assume(is_new, at);
            let position = group.classes.iter().position(|known| *known == kind);
            let class = self.class_constant(sort, position);
            let classes = self.cx.map(HeapMap::Class(sort));
            self.set_at(classes, object, class, at);
        }
        if let Kind::Class(class) = kind {
            for (class, _) in program.lineage(&Ty::Class(class, Vec::new())) {
                for &field in &program.class(class).fields {
                    let declared = program.field(field);
                    if !declared.is_static && !declared.is_model() {
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

    fn set_at(&mut self, map: ir::GlobalId, key: ir::ExprId, value: ir::ExprId, at: TextRange) {
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
        at: TextRange,
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
            self.arguments(arguments);
            return self.external_value("this object creation", Ty::Unknown, at);
        };
        if program.class(class).is_abstract {
            return self.unknown("an object of an abstract class", declared, at);
        }
        let values = self.arguments(arguments);
        if program.class(class).is_opaque {
            return self.make(&declared, at);
        }
        let outer = outer.or_else(|| {
            let field = program.class(class).outer_field?;
            self.find_outer(&program.field(field).ty)
        });
        if body.is_some() && !values.is_empty() {
            return self.new_unnamed(&declared, class, outer, &values, at);
        }
        let Some(constructor) = self.choose_constructor(class, &values) else {
            // Of a class that only signatures are known of, these need not be all.
            return match program.class(class).is_library {
                true => self.make(&declared, at),
                false => self.unknown("a constructor with these arguments", declared, at),
            };
        };
        let mut given = self.surroundings(class, outer, at);
        given.extend(self.converted(constructor, &values, &declared, at));
        let key = ProcedureKey {
            method: constructor,
            form: ConstructorPart::Whole,
            throwing: self.wants_exceptions(),
        };
        let made = self.call_procedure(key, given, at);
        made.map_or_else(
            || self.unknown("this object", declared.clone(), at),
            |made| Val { id: made.id, ty: declared.clone() },
        )
    }

    /// An object of a class without a name, whose arguments are for the class above (JLS §15.9.5.1).
    fn new_unnamed(
        &mut self,
        declared: &Ty,
        class: ClassId,
        outer: Option<Val>,
        values: &[Val],
        at: TextRange,
    ) -> Val {
        let program = self.cx.program;
        let above = program.class(class).superclass.as_ref().and_then(|ty| program.class_of(ty));
        let constructor = above.and_then(|above| self.choose_constructor(above, values));
        let own = self.choose_constructor(class, &[]);
        let (Some(above), Some(constructor), Some(own)) = (above, constructor, own) else {
            return self.unknown("a constructor with these arguments", declared.clone(), at);
        };
        let object = self.make(declared, at);
        let around = program
            .class(above)
            .outer_field
            .and_then(|field| self.find_outer(&program.field(field).ty));
        self.construct_part(
            &object,
            (above, constructor, ConstructorPart::Part),
            around,
            values,
            at,
        );
        self.construct_part(&object, (class, own, ConstructorPart::Rest), outer, &[], at);
        object
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
        at: TextRange,
    ) -> Val {
        let base = self.written(element);
        let depth = lengths.len() + open;
        let ty = (0..depth).fold(base, |inner, _| Ty::Array(Box::new(inner)));
        if let Some(initial) = initial {
            return self.elements_of(&ty, initial);
        }
        let mut values = Vec::with_capacity(lengths.len());
        for length in lengths {
            let value = self.expr(length);
            let value = self.convert_index(&value, length.at);
            values.push(self.save(&value, length.at));
        }
        self.new_nested(&ty, &values, at)
    }

    /// An array with arrays as elements, one dimension for each length (JLS §15.10.2).
    fn new_nested(&mut self, ty: &Ty, lengths: &[Val], at: TextRange) -> Val {
        let (Ty::Array(element), Some((length, inner))) = (ty, lengths.split_first()) else {
            return self.unknown("this array", ty.clone(), at);
        };
        let array = self.new_array(element, length, at);
        if inner.is_empty() {
            return array;
        }
        let index = self.variable("index", ir::Type::Bv(32), None);
        let zero = self.word(32, 0);
        self.set(index, zero, at);
        let (head, inside) = (self.blocks.create("fill"), self.blocks.create("next_row"));
        let after = self.blocks.create("filled");
        self.go(head, at);
        self.blocks.enter(head);
        let here = self.read(index);
        let more = self.op(ir::Op::BvSlt, vec![here, length.id], ir::Type::Bool);
        self.fork(more, inside, after, at);
        self.blocks.enter(inside);
        let row = self.new_nested(element, inner, at);
        let here = self.read(index);
        let place = self.element_place(&array, here);
        self.emit(StatementKind::Assign(vec![(place, row.id)]), at, Origin::Synthetic);
        let one = self.word(32, 1);
        let next = self.op(ir::Op::BvAdd, vec![here, one], ir::Type::Bv(32));
        self.set(index, next, at);
        self.go(head, at);
        self.blocks.enter(after);
        array
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

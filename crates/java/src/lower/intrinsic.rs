//! Methods of the library that say more than a body of ours could: they copy and fill arrays of any type,
//! and objects of any class.

use ir::{AssertKind, ExprId, Op, Origin, Place, StatementKind, Type};

use super::body::{Body, Val, kind_is};
use crate::program::MethodId;
use crate::syntax::TextRange;
use crate::types::Ty;

impl Body<'_, '_> {
    /// The result of a library method, if it is one of these and the arguments are simple enough.
    pub(super) fn intrinsic(
        &mut self,
        method: MethodId,
        object: Option<&Val>,
        values: &[Val],
        at: TextRange,
    ) -> Option<Val> {
        let program = self.cx.program;
        let declared = program.method(method);
        let is_of = |class: &str| program.library(class) == Some(declared.class);
        let name = declared.name.as_str();
        let is_known = program.class(declared.class).is_library;
        match (name, object, values) {
            ("arraycopy", None, [from, start, to, position, count])
                if is_of("java.lang.System") =>
            {
                self.array_copy((from, start), (to, position), count, at)
            }
            (name, Some(object), values) if is_of("java.lang.String") && is_known => {
                self.text_call(name, object, values, at)
            }
            ("clone", Some(object), []) if is_of("java.lang.Object") => self.cloned(object, at),
            ("copyOf", None, [array, length]) if is_of("java.util.Arrays") && is_known => {
                let zero = Val { id: self.word(32, 0), ty: Ty::Int };
                self.copy_of(array, &zero, length, at)
            }
            ("copyOfRange", None, [array, from, to]) if is_of("java.util.Arrays") && is_known => {
                self.copy_of_range(array, from, to, at)
            }
            ("fill", None, [array, value]) if is_of("java.util.Arrays") && is_known => {
                self.check_array(array, at)?;
                self.fill(array, value, at)
            }
            _ => None,
        }
    }

    /// `System.arraycopy`, with its checks.
    fn array_copy(
        &mut self,
        (from, start): (&Val, &Val),
        (to, position): (&Val, &Val),
        count: &Val,
        at: TextRange,
    ) -> Option<Val> {
        let [start, position, count] = [start, position, count].map(|value| {
            let value = self.convert_index(value, at);
            self.save(&value, at)
        });
        let (from, to) = (&self.save(from, at), &self.save(to, at));
        self.cx.unify(&from.ty, &to.ty);
        self.check_array(from, at)?;
        self.check_array(to, at)?;
        for (array, first) in [(from, &start), (to, &position)] {
            let length = self.length(array);
            self.check_range(first.id, count.id, length.id, at);
        }
        self.copy(from, start.id, to, position.id, count.id, at)?;
        Some(Val { id: self.truth(true), ty: Ty::Void })
    }

    /// A copy of an array, or of an object whose class is known.
    fn cloned(&mut self, object: &Val, at: TextRange) -> Option<Val> {
        if let Ty::Array(_) = object.ty {
            let length = self.length(object);
            let zero = Val { id: self.word(32, 0), ty: Ty::Int };
            return self.copy_of(object, &zero, &length, at);
        }
        let program = self.cx.program;
        let class =
            program.class_of(&object.ty).filter(|class| Some(*class) != program.object())?;
        let group = self.cx.group(&object.ty).clone();
        let fitting = group.classes.iter().filter(|kind| kind_is(program, kind, &object.ty));
        if fitting.count() != 1 || program.class(class).is_abstract {
            return None;
        }
        let object = self.save(object, at);
        let copy = self.make(&object.ty, at);
        for (class, _) in program.lineage(&object.ty) {
            for &field in &program.class(class).fields {
                if !program.field(field).is_static {
                    let value = self.field_value(field, object.id);
                    let place = self.field_place(field, Some(copy.id));
                    let kind = StatementKind::Assign(vec![(place, value)]);
                    self.emit(kind, at, Origin::Synthetic);
                }
            }
        }
        Some(copy)
    }

    /// A new array with what another has from an index on, and zeros or null behind that.
    fn copy_of(&mut self, array: &Val, from: &Val, length: &Val, at: TextRange) -> Option<Val> {
        let Ty::Array(element) = &array.ty else { return None };
        let array = self.save(array, at);
        self.check_array(&array, at)?;
        let (from, length) = (self.save(from, at), self.convert_index(length, at));
        let length = self.save(&length, at);
        let copy = self.new_array(element, &length, at);
        let whole = self.length(&array);
        let rest = self.op(Op::BvSub, vec![whole.id, from.id], Type::Bv(32));
        let is_less = self.op(Op::BvSlt, vec![length.id, rest], Type::Bool);
        let count = self.op(Op::Ite, vec![is_less, length.id, rest], Type::Bv(32));
        let count = self.save(&Val { id: count, ty: Ty::Int }, at);
        let zero = self.word(32, 0);
        self.copy(&array, from.id, &copy, zero, count.id, at)?;
        Some(copy)
    }

    fn copy_of_range(&mut self, array: &Val, from: &Val, to: &Val, at: TextRange) -> Option<Val> {
        self.check_array(array, at)?;
        let (from, to) = (self.convert_index(from, at), self.convert_index(to, at));
        let whole = self.length(array);
        let zero = self.word(32, 0);
        let above = self.op(Op::BvSle, vec![zero, from.id], Type::Bool);
        let below = self.op(Op::BvSle, vec![from.id, whole.id], Type::Bool);
        let inside = self.and(above, below);
        self.check_index(inside, at);
        let ordered = self.op(Op::BvSle, vec![from.id, to.id], Type::Bool);
        let exception = "java.lang.IllegalArgumentException";
        let message = "the end of the range is before its beginning";
        self.check(ordered, AssertKind::Exception, exception, message, at);
        let length = self.op(Op::BvSub, vec![to.id, from.id], Type::Bv(32));
        self.copy_of(array, &from, &Val { id: length, ty: Ty::Int }, at)
    }

    /// Sets all elements of an array to a value.
    fn fill(&mut self, array: &Val, value: &Val, at: TextRange) -> Option<Val> {
        let Ty::Array(element) = array.ty.clone() else { return None };
        let value = self.convert(value, &element, at);
        let (array, value) = (self.save(array, at), self.save(&value, at));
        let length = self.length(&array);
        self.each_index(length.id, at, |body, index| (body.element_place(&array, index), value.id));
        Some(Val { id: self.truth(true), ty: Ty::Void })
    }

    /// Copies elements that are known to be there, one by one and from behind if they move up within an array.
    fn copy(
        &mut self,
        from: &Val,
        start: ExprId,
        to: &Val,
        position: ExprId,
        count: ExprId,
        at: TextRange,
    ) -> Option<()> {
        let ((source, _), (target, _)) = (self.elements(&from.ty), self.elements(&to.ty));
        if source != target {
            return None;
        }
        let is_same = self.equal(from.id, to.id);
        let moves_up = self.op(Op::BvSlt, vec![start, position], Type::Bool);
        let is_backwards = self.and(is_same, moves_up);
        self.each_index(count, at, |body, number| {
            let last = body.op(Op::BvSub, vec![count, number], Type::Bv(32));
            let one = body.word(32, 1);
            let last = body.op(Op::BvSub, vec![last, one], Type::Bv(32));
            let offset = body.op(Op::Ite, vec![is_backwards, last, number], Type::Bv(32));
            let [from_index, to_index] =
                [start, position].map(|base| body.op(Op::BvAdd, vec![base, offset], Type::Bv(32)));
            let value = body.element_value(from, from_index);
            (body.element_place(to, to_index), value.id)
        });
        Some(())
    }

    /// Does an assignment for each number from zero to one before the count.
    fn each_index(
        &mut self,
        count: ExprId,
        at: TextRange,
        assignment: impl FnOnce(&mut Self, ExprId) -> (Place, ExprId),
    ) {
        let index = self.variable("index", Type::Bv(32), None);
        let zero = self.word(32, 0);
        self.set(index, zero, at);
        let (head, inside) = (self.blocks.create("copy"), self.blocks.create("element"));
        let after = self.blocks.create("copied");
        self.go(head, at);
        self.blocks.enter(head);
        let here = self.read(index);
        let more = self.op(Op::BvSlt, vec![here, count], Type::Bool);
        self.fork(more, inside, after, at);
        self.blocks.enter(inside);
        let (place, value) = assignment(self, here);
        self.emit(StatementKind::Assign(vec![(place, value)]), at, Origin::Source);
        let one = self.word(32, 1);
        let next = self.op(Op::BvAdd, vec![here, one], Type::Bv(32));
        self.set(index, next, at);
        self.go(head, at);
        self.blocks.enter(after);
    }

    /// An array that is not null; nothing if it is not known to be one.
    fn check_array(&mut self, array: &Val, at: TextRange) -> Option<()> {
        let Ty::Array(_) = array.ty else { return None };
        self.not_null(array, "the array is null here", at);
        Some(())
    }

    /// So many elements from an index on are there.
    fn check_range(&mut self, from: ExprId, count: ExprId, length: ExprId, at: TextRange) {
        let zero = self.word(32, 0);
        let left = self.op(Op::BvSub, vec![length, count], Type::Bv(32));
        let conditions = [(zero, from), (zero, count), (count, length), (from, left)];
        let conditions = conditions.map(|(a, b)| self.op(Op::BvSle, vec![a, b], Type::Bool));
        let condition = self.all_of(conditions);
        self.check_index(condition, at);
    }

    fn check_index(&mut self, condition: ExprId, at: TextRange) {
        let exception = "java.lang.ArrayIndexOutOfBoundsException";
        let message = "the range is out of bounds here";
        self.check(condition, AssertKind::OutOfBounds, exception, message, at);
    }
}

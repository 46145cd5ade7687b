//! Arrays: two maps per sort, and the checks of Java.

use ir::{AssertKind, ExprId, Op, Place, Projection, StatementKind, Type, Variable};

use super::body::{Body, Val};
use super::heap::HeapMap;
use crate::syntax::TextRange;
use crate::types::Ty;

impl Body<'_, '_> {
    pub(super) fn length(&mut self, array: &Val) -> Val {
        let sort = self.cx.group(&array.ty).sort;
        let lengths = self.cx.map(HeapMap::Length(sort));
        let lengths = self.global(lengths);
        Val { id: self.select(lengths, vec![array.id]), ty: Ty::Int }
    }

    pub(super) fn elements(&mut self, array: &Ty) -> (ir::GlobalId, Ty) {
        let element = match array {
            Ty::Array(element) => (**element).clone(),
            _ => Ty::Unknown,
        };
        let sort = self.cx.group(array).sort;
        let ty = self.cx.vir(&element);
        (self.cx.map(HeapMap::Elements(sort, ty)), element)
    }

    pub(super) fn element_value(&mut self, array: &Val, index: ExprId) -> Val {
        let (elements, ty) = self.elements(&array.ty);
        let elements = self.global(elements);
        Val { id: self.select(elements, vec![array.id, index]), ty }
    }

    pub(super) fn element_place(&mut self, array: &Val, index: ExprId) -> Place {
        let (elements, _) = self.elements(&array.ty);
        let path = vec![Projection::Index(vec![array.id, index])];
        Place { variable: Variable::Global(elements), path }
    }

    pub(super) fn convert_index(&mut self, index: &Val, at: TextRange) -> Val {
        let index = self.unbox(index, at);
        self.convert(&index, &Ty::Int, at)
    }

    /// Java's checks before an element is accessed.
    pub(super) fn check_element(
        &mut self,
        array: &Val,
        index: &Val,
        array_at: TextRange,
        at: TextRange,
    ) {
        let message = self.null_message(array_at);
        self.not_null(array, &message, array_at);
        let length = self.length(array);
        let zero = self.word(32, 0);
        let above = self.op(Op::BvSle, vec![zero, index.id], Type::Bool);
        let below = self.op(Op::BvSlt, vec![index.id, length.id], Type::Bool);
        let condition = self.and(above, below);
        let exception = "java.lang.ArrayIndexOutOfBoundsException";
        let message = "the index is out of bounds here";
        self.check(condition, AssertKind::OutOfBounds, exception, message, at);
    }

    /// A new array with elements of a type, all of them zero or null.
    pub(super) fn new_array(&mut self, element: &Ty, length: &Val, at: TextRange) -> Val {
        let ty = Ty::Array(Box::new(element.clone()));
        let zero = self.word(32, 0);
        let condition = self.op(Op::BvSle, vec![zero, length.id], Type::Bool);
        let exception = "java.lang.NegativeArraySizeException";
        let message = "the length of the array is negative";
        self.check(condition, AssertKind::OutOfBounds, exception, message, at);
        let length = self.save(length, at);
        let array = self.make(&ty, at);
        let sort = self.cx.group(&ty).sort;
        let lengths = self.cx.map(HeapMap::Length(sort));
        let path = vec![Projection::Index(vec![array.id])];
        let place = Place { variable: Variable::Global(lengths), path };
        let kind = StatementKind::Assign(vec![(place, length.id)]);
        self.emit(kind, at, ir::Origin::Synthetic);
        self.clear(&array, at);
        array
    }

    /// Nothing has ever been stored in a new array.
    fn clear(&mut self, array: &Val, at: TextRange) {
        let (elements, element) = self.elements(&array.ty);
        let vir = self.cx.vir(&element);
        let binder = self.procedure.exprs.bind("i", Type::Bv(32));
        let index = self.push(ir::Expr::Bound(binder), Type::Bv(32));
        let map = self.global(elements);
        let value = self.select(map, vec![array.id, index]);
        let zero = self.default(&vir);
        let equal = self.equal(value, zero);
        let all = ir::Expr::Quantified(ir::Quantifier::All, vec![binder], equal);
        let condition = self.push(all, Type::Bool);
        self.assume(condition, at);
    }
}

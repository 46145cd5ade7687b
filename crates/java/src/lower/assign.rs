//! Assignments, in Java's order of evaluation (JLS §15.26): the parts of the place, the value, and only then
//! whether the place is there; with an operator that comes before the value.

use ir::{Place, StatementKind, Variable};

use super::body::{Body, Val};
use super::name::Target;
use crate::syntax::{Binary, Expr, TextRange};
use crate::types::Ty;

impl<'p> Body<'_, 'p> {
    pub(super) fn assignment(
        &mut self,
        operator: Option<Binary>,
        left: &'p Expr,
        right: &'p Expr,
        at: TextRange,
    ) -> Val {
        let target = self.target(left);
        let target = match right.has_effects() {
            true => self.fixed(target, left.at),
            false => target,
        };
        let Some(ty) = self.assigned_type(&target) else {
            self.expr(right);
            return self.value_of(&target, left.at);
        };
        let value = match operator {
            None => {
                let value = self.elements_of(&ty, right);
                let value = self.convert(&value, &ty, right.at);
                self.check_target(&target);
                value
            }
            Some(operator) => {
                self.check_target(&target);
                let before = self.value_of(&target, left.at);
                let before = match right.has_effects() {
                    true => self.save(&before, left.at),
                    false => before,
                };
                let value = self.expr(right);
                let computed = self.binary_values(operator, &before, &value, right.at, at);
                self.narrowed(&computed, &ty, at)
            }
        };
        self.store(&target, &value, at)
    }

    /// `++` and `--`.
    pub(super) fn update(
        &mut self,
        up: bool,
        prefix: bool,
        target: &'p Expr,
        at: TextRange,
    ) -> Val {
        let place = self.target(target);
        let Some(ty) = self.assigned_type(&place) else { return self.value_of(&place, at) };
        self.check_target(&place);
        let before = self.value_of(&place, at);
        let before = self.save(&before, at);
        let one = Val { id: self.word(32, 1), ty: Ty::Int };
        let operator = if up { Binary::Add } else { Binary::Sub };
        let number = self.unbox(&before, at);
        let computed = self.binary_values(operator, &number, &one, at, at);
        let value = self.narrowed(&computed, &ty, at);
        let after = self.store(&place, &value, at);
        if prefix { after } else { before }
    }

    /// A computed value as one of the type of the place it goes to.
    fn narrowed(&mut self, value: &Val, ty: &Ty, at: TextRange) -> Val {
        let inner = super::convert::unboxed(self.cx.program, ty);
        let value = match &inner {
            Some(inner) => self.convert(value, inner, at),
            None => value.clone(),
        };
        self.convert(&value, ty, at)
    }

    fn assigned_type(&self, target: &Target) -> Option<Ty> {
        match target {
            Target::Local(_, ty) | Target::Element { ty, .. } => Some(ty.clone()),
            Target::Field { ty, .. } => Some(ty.clone()),
            Target::Length(..) | Target::Unknown(_) => None,
        }
    }

    /// A place whose object and index nothing changes any more.
    fn fixed(&mut self, target: Target, at: TextRange) -> Target {
        match target {
            Target::Field { id, ty, object: Some((object, object_at)) } => {
                let object = Some((self.save(&object, at), object_at));
                Target::Field { id, ty, object }
            }
            Target::Element { array, index, ty, array_at, at: whole } => {
                let (array, index) = (self.save(&array, at), self.save(&index, at));
                Target::Element { array, index, ty, array_at, at: whole }
            }
            other => other,
        }
    }

    /// Assigns a value of the place's type, and returns it.
    pub(super) fn store(&mut self, target: &Target, value: &Val, at: TextRange) -> Val {
        let (place, erased) = match target {
            Target::Local(local, ty) => {
                (Place { variable: Variable::Local(*local), path: Vec::new() }, ty.clone())
            }
            Target::Field { id, object, .. } => {
                let declared = self.cx.program.field(*id).ty.clone();
                (self.field_place(*id, object.as_ref().map(|(object, _)| object.id)), declared)
            }
            Target::Element { array, index, .. } => {
                let Ty::Array(element) = array.ty.clone() else { return value.clone() };
                (self.element_place(array, index.id), *element)
            }
            Target::Length(..) | Target::Unknown(_) => return value.clone(),
        };
        let stored = self.convert(value, &erased, at);
        self.emit(StatementKind::Assign(vec![(place, stored.id)]), at, ir::Origin::Source);
        // The place now holds the value, whatever the value was read from.
        let now = self.value_of(target, at);
        Val { id: now.id, ty: value.ty.clone() }
    }
}

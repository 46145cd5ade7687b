//! Ghost variables and fields, and assignments to them.

use ir::{HavocReason, Origin, Place, StatementKind, Variable};

use super::body::Body;
use crate::program::{SpecKind, SpecType};
use crate::spec::SpecField;
use crate::syntax::{Expr, ExprKind, TextRange};
use crate::types::Ty;

impl Body<'_, '_> {
    /// `ghost T x = e;` between statements.
    pub(super) fn ghost_local(&mut self, field: &SpecField) {
        let at = field.name.at;
        if SpecType::of(&field.ty) != SpecType::Plain {
            return self.unsupported("a set or sequence as a variable", at);
        }
        let ty = self.written(&field.ty);
        let value = field.value.as_ref().map(|value| self.spec_value(value));
        let local = self.declare(&field.name.name, &ty);
        match value {
            None => {}
            Some(Some(value)) => self.set_local(local, &ty, value.id, &value.ty, at),
            Some(None) => self.unsupported("the value of this variable", at),
        }
    }

    /// The values that ghost fields are declared with.
    pub(super) fn initial_ghosts(&mut self) {
        let program = self.cx.program;
        let own = Ty::Class(self.class, Vec::new());
        let Some(this) = self.this_value() else { return };
        for declared in &program.class(self.class).spec.fields {
            let (Some(value), false) = (&declared.value, declared.is_model || declared.is_static)
            else {
                continue;
            };
            let at = declared.name.at;
            let found = program.find_field(&own, &declared.name.name);
            let value = self.spec_value(value);
            let value = value
                .zip(found.clone())
                .and_then(|(value, (_, ty))| self.spec_convert(&value, &ty));
            match (found, value) {
                (Some((field, _)), Some(value)) => {
                    let place = self.field_place(field, Some(this.id));
                    self.assign(place, value, at);
                }
                _ => self.unsupported("the value of this variable", at),
            }
        }
    }

    /// `set x = e;`
    pub(super) fn set_ghost(&mut self, target: &Expr, value: &Expr, at: TextRange) {
        let Some(value) = self.spec_value(value) else {
            return self.unsupported("this assignment", at);
        };
        if let ExprKind::Name(name) = &target.kind
            && let Some((local, ty)) = self.find(name)
        {
            return self.set_local(local, &ty, value.id, &value.ty, at);
        }
        let mut env = self.env(false);
        let Some((field, object)) = self.spec_place(target, &mut env) else {
            return self.fault("not an lvalue in a specification", target.at);
        };
        let declared = self.cx.program.field(field);
        let ghost = SpecKind { is_model: false, shape: SpecType::Plain };
        if declared.spec != Some(ghost) {
            return self.fault("only ghost fields can be assigned in a specification", target.at);
        }
        let ty = declared.ty.clone();
        match self.spec_convert(&value, &ty) {
            Some(value) => {
                let place = self.field_place(field, Some(object.id));
                self.assign(place, value, at);
            }
            None => self.fault("type mismatch in a specification", at),
        }
    }

    /// Assigns a local a value that may be a ghost one.
    fn set_local(
        &mut self,
        local: ir::LocalId,
        ty: &Ty,
        value: ir::ExprId,
        of: &Ty,
        at: TextRange,
    ) {
        let value = super::body::Val { id: value, ty: of.clone() };
        let Some(value) = self.spec_convert(&value, ty) else {
            return self.fault("type mismatch in a specification", at);
        };
        let new = self.variable("ghost", self.procedure.local(local).ty.clone(), None);
        let place = |local| Place { variable: Variable::Local(local), path: Vec::new() };
        let reason = HavocReason::Choice;
        let kind = StatementKind::Havoc { place: place(new), condition: None, reason };
        self.emit(kind, at, Origin::Synthetic);
        let chosen = self.read(new);
        let same = self.equal(chosen, value);
        self.assume(same, at);
        self.emit(StatementKind::Assign(vec![(place(local), chosen)]), at, Origin::Source);
    }
}

//! Reading and changing maps, and the places that assignments change.

use ir::{Expr, ExprId, Op, Place, Projection, Type, Variable};

use super::Lowering;
use super::frame::Frame;
use crate::types::TypeId;

impl Lowering<'_, '_, '_> {
    /// The value of a map at keys.
    pub(super) fn select(
        &mut self,
        frame: &mut Frame,
        ty: TypeId,
        instance: &[TypeId],
        map: ExprId,
        keys: &[ExprId],
    ) -> ExprId {
        let map = self.instance_of(frame, ty, instance, map);
        if keys.is_empty() {
            return map;
        }
        let Type::Map(_, value) = frame.ty(map) else {
            frame.fail("a map");
            return map;
        };
        let mut operands = vec![map];
        operands.extend(keys);
        frame.op(Op::Select, operands, *value)
    }

    /// The map that a polymorphic map is at some types; other maps are themselves.
    fn instance_of(
        &mut self,
        frame: &mut Frame,
        ty: TypeId,
        instance: &[TypeId],
        map: ExprId,
    ) -> ExprId {
        if instance.is_empty() {
            return map;
        }
        match self.map_field(frame, ty, instance) {
            Some((record, field, field_type)) => {
                frame.op(Op::Field(record, field), vec![map], field_type)
            }
            None => {
                frame.fail("a polymorphic map");
                map
            }
        }
    }

    /// A map changed at keys.
    pub(super) fn store(
        &mut self,
        frame: &mut Frame,
        ty: TypeId,
        instance: &[TypeId],
        map: ExprId,
        keys: &[ExprId],
        new: ExprId,
    ) -> ExprId {
        let inner = self.instance_of(frame, ty, instance, map);
        let changed = if keys.is_empty() {
            new
        } else {
            let mut operands = vec![inner];
            operands.extend(keys);
            operands.push(new);
            let ty = frame.ty(inner);
            frame.op(Op::Store, operands, ty)
        };
        if instance.is_empty() {
            return changed;
        }
        match self.map_field(frame, ty, instance) {
            Some((record, field, _)) => {
                let ty = frame.ty(map);
                frame.op(Op::WithField(record, field), vec![map, changed], ty)
            }
            None => map,
        }
    }

    /// The value of a place.
    pub(super) fn read_place(&mut self, frame: &mut Frame, place: &Place) -> ExprId {
        let ty = match place.variable {
            Variable::Global(id) => self.module.global(id).ty.clone(),
            Variable::Local(id) => frame.locals[id.0 as usize].ty.clone(),
        };
        let mut value = frame.push(Expr::Read(place.variable), ty, false);
        for step in &place.path {
            value = match step {
                Projection::Field(record, field) => {
                    let ty =
                        self.module.records[record.0 as usize].fields[*field as usize].1.clone();
                    frame.op(Op::Field(*record, *field), vec![value], ty)
                }
                Projection::Index(keys) => {
                    let Type::Map(_, part) = frame.ty(value) else {
                        frame.fail("a map");
                        return value;
                    };
                    let mut operands = vec![value];
                    operands.extend(keys);
                    frame.op(Op::Select, operands, *part)
                }
                // Boogie has no byte memory.
                Projection::View { .. } => value,
            };
        }
        value
    }
}

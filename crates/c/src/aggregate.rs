//! Structures, arrays and vectors in registers: records of VIR.

use bitcode::{ConstantKind, Value};
use ir::{ExprId, Op, RecordId, Type};

use crate::body::Body;

impl Body<'_, '_> {
    /// The types of the parts if a type is a record; none of them if it is opaque.
    pub(crate) fn lanes(&self, ty: &Type) -> Option<Vec<Type>> {
        match ty {
            Type::Record(id) if Some(*id) == self.context.opaque => Some(Vec::new()),
            Type::Record(id) => Some(self.fields(*id)),
            _ => None,
        }
    }

    /// A part of a record of the given type.
    pub(crate) fn lane(&mut self, record: ExprId, ty: &Type, lane: u32) -> ExprId {
        match ty {
            Type::Record(id) => self.field(record, *id, lane),
            _ => record,
        }
    }

    fn field(&mut self, record: ExprId, id: RecordId, field: u32) -> ExprId {
        // A part of a record that was just constructed needs no lookup.
        if let ir::Expr::Op(Op::Record(_), parts) = self.exprs.get(record) {
            return parts[field as usize];
        }
        let ty = self.fields(id)[field as usize].clone();
        self.op(Op::Field(id, field), &[record], ty)
    }

    /// The record whose parts are computed one by one; none if one of them cannot be.
    pub(crate) fn lanewise(
        &mut self,
        ty: &Type,
        lanes: &[Type],
        mut part: impl FnMut(&mut Self, u32, &Type) -> Option<ExprId>,
    ) -> Option<ExprId> {
        let Type::Record(id) = ty else { return None };
        if lanes.is_empty() {
            return None;
        }
        let mut parts = Vec::with_capacity(lanes.len());
        for (lane, element) in (0..).zip(lanes) {
            parts.push(part(self, lane, element)?);
        }
        Some(self.op(Op::Record(*id), &parts, ty.clone()))
    }

    pub(crate) fn extract_value(&mut self, aggregate: Value, indices: &[u32]) {
        let mut value = self.value(aggregate);
        let result = self.result_type();
        for index in indices {
            match self.part(value, *index) {
                Some(part) => value = part,
                None => return self.give_up("a large value in a register", false),
            }
        }
        if *self.exprs.ty(value) != result {
            return self.give_up("a large value in a register", false);
        }
        self.set(value);
    }

    /// A part of a value; none if it has no such part.
    pub(crate) fn part(&mut self, value: ExprId, index: u32) -> Option<ExprId> {
        let Type::Record(id) = *self.exprs.ty(value) else { return None };
        let lanes = self.lanes(&Type::Record(id))?;
        ((index as usize) < lanes.len()).then(|| self.field(value, id, index))
    }

    pub(crate) fn insert_value(&mut self, aggregate: Value, element: Value, indices: &[u32]) {
        let ty = self.result_type();
        let value = self.value_as(aggregate, &ty);
        let element = self.value(element);
        match self.with_part(value, element, indices) {
            Some(value) => self.set(value),
            None => self.give_up("a large value in a register", false),
        }
    }

    /// A value with a part replaced; none if it has no such part.
    fn with_part(&mut self, value: ExprId, element: ExprId, indices: &[u32]) -> Option<ExprId> {
        let Some((&index, inner)) = indices.split_first() else {
            return (self.exprs.ty(value) == self.exprs.ty(element)).then_some(element);
        };
        let part = self.part(value, index)?;
        let part = self.with_part(part, element, inner)?;
        let Type::Record(id) = *self.exprs.ty(value) else { return None };
        let ty = Type::Record(id);
        if let ir::Expr::Op(Op::Record(_), parts) = self.exprs.get(value) {
            let mut parts = parts.clone();
            parts[index as usize] = part;
            return Some(self.op(Op::Record(id), &parts, ty));
        }
        Some(self.op(Op::WithField(id, index), &[value, part], ty))
    }

    pub(crate) fn extract_element(&mut self, vector: Value, index: Value) {
        let value = self.value(vector);
        let result = self.result_type();
        let part = self.lane_number(index).and_then(|lane| self.part(value, lane));
        match part {
            Some(part) if *self.exprs.ty(part) == result => self.set(part),
            _ => self.give_up("an element of a vector", false),
        }
    }

    pub(crate) fn insert_element(&mut self, vector: Value, element: Value, index: Value) {
        let ty = self.result_type();
        let value = self.value_as(vector, &ty);
        let element = self.value(element);
        let changed =
            self.lane_number(index).and_then(|lane| self.with_part(value, element, &[lane]));
        match changed {
            Some(value) => self.set(value),
            None => self.give_up("an element of a vector", false),
        }
    }

    fn lane_number(&self, index: Value) -> Option<u32> {
        self.source.integer(index).and_then(|index| u32::try_from(index).ok())
    }

    pub(crate) fn shuffle(&mut self, left: Value, right: Value, mask: Value) {
        let ty = self.result_type();
        let a = self.value(left);
        let operand = self.exprs.ty(a).clone();
        let b = self.value_as(right, &operand);
        let count = self.lanes(&operand).map_or(0, |lanes| lanes.len() as u32);
        let Some(lanes) = self.lanes(&ty) else {
            return self.give_up("a shuffle of vectors", false);
        };
        let picked = self.lanewise(&ty, &lanes, |body, lane, element| {
            let from = body.mask_element(mask, lane as usize)?;
            let part = match from.checked_sub(count) {
                None => body.part(a, from)?,
                Some(from) => body.part(b, from)?,
            };
            (body.exprs.ty(part) == element).then_some(part)
        });
        match picked {
            Some(value) => self.set(value),
            None => self.give_up("a shuffle of vectors", false),
        }
    }

    /// Which element a shuffle picks; any will do where the mask does not say.
    fn mask_element(&self, mask: Value, lane: usize) -> Option<u32> {
        let Value::Constant(id) = mask else { return None };
        match &self.source[id].kind {
            ConstantKind::Null | ConstantKind::Undef | ConstantKind::Poison => Some(0),
            ConstantKind::Data(elements) => elements.get(lane).map(|e| *e as u32),
            ConstantKind::Aggregate(values) => {
                let value = values.get(lane)?;
                Some(self.source.integer(*value).map_or(0, |number| number as u32))
            }
            _ => None,
        }
    }
}

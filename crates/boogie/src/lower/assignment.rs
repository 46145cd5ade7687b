//! Assignments. A path goes as far as VIR's places do; behind a field of a datatype the value that is
//! assigned is the old one, changed.

use ir::{AssertKind, ExprId, Origin, Place, Projection, StatementKind};

use super::Lowering;
use super::frame::Use;
use super::statement::{BodyBuilder, place_of};
use crate::diagnostics::TextRange;
use crate::syntax::{ExprSyntax, Name, StepSyntax, TargetSyntax};
use crate::types::TypeId;

impl<'s> Lowering<'_, '_, 's> {
    pub(super) fn assignment(
        &mut self,
        code: &mut BodyBuilder<'_, 's>,
        targets: &[TargetSyntax<'s>],
        values: &[ExprSyntax],
        at: TextRange,
    ) {
        let mut pairs: Vec<(Place, ExprId)> = Vec::new();
        for (target, value) in targets.iter().zip(values) {
            let value = self.expression(&mut code.frame, *value, Use::Code);
            let variable = self.program.meaning.variables.get(&target.variable.at.start);
            let Some(variable) = variable.copied() else { continue };
            let mut place = place_of(variable);
            let value = self.target(code, &mut place, &target.path, value, at);
            pairs.push((place, value));
        }
        self.settle(code, parts(&mut pairs), at);
        if !pairs.is_empty() {
            code.blocks.add(StatementKind::Assign(pairs), at, Origin::Source);
        }
    }

    /// Follows a path as far as places go; the value to assign there.
    fn target(
        &mut self,
        code: &mut BodyBuilder<'_, 's>,
        place: &mut Place,
        path: &[StepSyntax<'s>],
        value: ExprId,
        at: TextRange,
    ) -> ExprId {
        for (index, step) in path.iter().enumerate() {
            let StepSyntax::Index(keys, bracket) = step else {
                let current = self.read_place(&mut code.frame, place);
                return self.updated(code, current, &path[index..], value, at);
            };
            let (ty, instance) = self.step_types(code, *bracket);
            if !instance.is_empty() {
                match self.map_field(&mut code.frame, ty, &instance) {
                    Some((record, field, _)) => {
                        place.path.push(Projection::Field(record, field));
                    }
                    None => code.frame.fail("a polymorphic map"),
                }
            }
            if !keys.is_empty() {
                let keys = keys
                    .iter()
                    .map(|key| self.expression(&mut code.frame, *key, Use::Code))
                    .collect();
                place.path.push(Projection::Index(keys));
            }
        }
        value
    }

    fn step_types(
        &mut self,
        code: &BodyBuilder<'_, 's>,
        bracket: TextRange,
    ) -> (TypeId, Vec<TypeId>) {
        let (ty, instance) = &self.program.meaning.keys[&bracket.start];
        let ty = self.ground(&code.frame, *ty);
        (ty, instance.iter().map(|ty| self.ground(&code.frame, *ty)).collect())
    }

    /// A value with the part changed that a path leads to.
    fn updated(
        &mut self,
        code: &mut BodyBuilder<'_, 's>,
        current: ExprId,
        path: &[StepSyntax<'s>],
        value: ExprId,
        at: TextRange,
    ) -> ExprId {
        let Some((step, rest)) = path.split_first() else { return value };
        match step {
            StepSyntax::Index(keys, bracket) => {
                let (ty, instance) = self.step_types(code, *bracket);
                let keys: Vec<ExprId> = keys
                    .iter()
                    .map(|key| self.expression(&mut code.frame, *key, Use::Code))
                    .collect();
                let inner = self.select(&mut code.frame, ty, &instance, current, &keys);
                let inner = self.updated(code, inner, rest, value, at);
                self.store(&mut code.frame, ty, &instance, current, &keys, inner)
            }
            StepSyntax::Field(name) => {
                let ty = self.program.meaning.fields[&name.at.start];
                let ty = self.ground(&code.frame, ty);
                let inner = self.named_field(&mut code.frame, ty, name.text, current, at);
                let inner = self.updated(code, inner, rest, value, at);
                self.with_field(&mut code.frame, ty, name.text, (current, inner), at)
            }
        }
    }

    /// `C(x, y) := e`, which asserts that `e` was made by `C`: nothing else can be taken apart.
    pub(super) fn unpack(
        &mut self,
        code: &mut BodyBuilder<'_, 's>,
        constructor: Name<'s>,
        names: &[Name<'s>],
        value: ExprSyntax,
        at: TextRange,
    ) {
        let ty = self.node_type(&code.frame, value.root);
        let mut whole = self.expression(&mut code.frame, value, Use::Code);
        self.settle(code, std::iter::once(&mut whole), at);
        let number = self.constructor_number(ty, constructor.text);
        let condition = self.test(&mut code.frame, ty, number, whole, at);
        let mut pairs: Vec<(Place, ExprId)> = Vec::new();
        for (field, place) in self.places(names).into_iter().enumerate() {
            let part = self.select_field(&mut code.frame, ty, (number, field), whole, at);
            pairs.push((place, part));
        }
        self.report_unsupported(code, at);
        let (kind, message) = (AssertKind::Assertion, String::new());
        let kind = StatementKind::Assert { condition, kind, message };
        code.blocks.add(kind, at, Origin::Source);
        if !pairs.is_empty() {
            code.blocks.add(StatementKind::Assign(pairs), at, Origin::Source);
        }
    }
}

/// The values of an assignment and the keys of its places.
fn parts(pairs: &mut [(Place, ExprId)]) -> impl Iterator<Item = &mut ExprId> {
    pairs.iter_mut().flat_map(|(place, value)| {
        let keys = place.path.iter_mut().flat_map(|step| match step {
            Projection::Index(keys) => keys.as_mut_slice(),
            Projection::Field(..) | Projection::View { .. } => &mut [],
        });
        keys.chain([value])
    })
}

//! Datatypes: variants if they do not contain themselves, else sorts whose constructors, tests and
//! selectors are functions nothing is known of, which is trouble.

use ir::{Expr, ExprId, FunctionId, Op, Type};

use super::Lowering;
use super::frame::Frame;
use crate::diagnostics::TextRange;
use crate::program::Constructor;
use crate::types::{Ty, TypeId};

impl<'s> Lowering<'_, '_, 's> {
    fn datatype(&self, ty: TypeId) -> Option<(usize, Box<[TypeId]>)> {
        match self.types.get(ty) {
            Ty::Constructed(declared, arguments) => Some((*declared, arguments.clone())),
            _ => None,
        }
    }

    fn constructors(&self, declared: usize) -> &[Constructor<'s>] {
        self.program.declared[declared].constructors.as_deref().unwrap_or(&[])
    }

    /// A value made by the constructor of this number.
    pub(super) fn construct(
        &mut self,
        frame: &mut Frame,
        ty: TypeId,
        number: usize,
        operands: Vec<ExprId>,
        at: TextRange,
    ) -> ExprId {
        let result = self.ty(ty);
        if let Type::Variant(id) = result {
            return frame.op(Op::Construct(id, number as u32), operands, result);
        }
        let what = self.datatype(ty).and_then(|(declared, _)| {
            self.constructors(declared).get(number).map(|constructor| constructor.name)
        });
        let name = what.unwrap_or("constructor");
        self.unknown_operation(frame, ty, name, operands, result, at)
    }

    /// Whether a value was made by the constructor of this number.
    pub(super) fn test(
        &mut self,
        frame: &mut Frame,
        ty: TypeId,
        number: usize,
        value: ExprId,
        at: TextRange,
    ) -> ExprId {
        if let Type::Variant(id) = self.ty(ty) {
            return frame.op(Op::IsConstructor(id, number as u32), vec![value], Type::Bool);
        }
        let name = self.part_name(ty, number, "is", None);
        self.unknown_operation(frame, ty, &name, vec![value], Type::Bool, at)
    }

    /// A field of a value, by the numbers of its constructor and of the field.
    pub(super) fn select_field(
        &mut self,
        frame: &mut Frame,
        ty: TypeId,
        (number, field): (usize, usize),
        value: ExprId,
        at: TextRange,
    ) -> ExprId {
        let Some((declared, arguments)) = self.datatype(ty) else {
            frame.fail("a datatype");
            return value;
        };
        let field_type = self.constructors(declared)[number].fields[field].1;
        let field_type = self.field_type(declared, &arguments, field_type);
        let result = self.ty(field_type);
        if let Type::Variant(id) = self.ty(ty) {
            let op = Op::Argument(id, number as u32, field as u32);
            return frame.op(op, vec![value], result);
        }
        let name = self.part_name(ty, number, "", Some(field));
        self.unknown_operation(frame, ty, &name, vec![value], result, at)
    }

    fn part_name(&self, ty: TypeId, number: usize, prefix: &str, field: Option<usize>) -> String {
        let Some((declared, _)) = self.datatype(ty) else { return prefix.to_owned() };
        let constructor = &self.constructors(declared)[number];
        match field {
            Some(field) => format!("{}#{}", constructor.fields[field].0, constructor.name),
            None => format!("{prefix}#{}", constructor.name),
        }
    }

    /// A field by its name, which several constructors may have.
    pub(super) fn named_field(
        &mut self,
        frame: &mut Frame,
        ty: TypeId,
        name: &str,
        value: ExprId,
        at: TextRange,
    ) -> ExprId {
        let places = self.field_places(ty, name);
        let mut result: Option<ExprId> = None;
        for place in places.into_iter().rev() {
            let selected = self.select_field(frame, ty, place, value, at);
            result = Some(match result {
                None => selected,
                Some(other) => {
                    let test = self.test(frame, ty, place.0, value, at);
                    let result_type = frame.ty(selected);
                    frame.op(Op::Ite, vec![test, selected, other], result_type)
                }
            });
        }
        result.unwrap_or(value)
    }

    /// A value with the field of this name changed, in whichever constructor it is.
    pub(super) fn with_field(
        &mut self,
        frame: &mut Frame,
        ty: TypeId,
        name: &str,
        (value, new): (ExprId, ExprId),
        at: TextRange,
    ) -> ExprId {
        let Some((declared, _)) = self.datatype(ty) else {
            frame.fail("a datatype");
            return value;
        };
        let several = self.constructors(declared).len() > 1;
        let mut result = value;
        for (number, field) in self.field_places(ty, name).into_iter().rev() {
            let count = self.constructors(declared)[number].fields.len();
            let operands = (0..count)
                .map(|other| {
                    if other == field {
                        new
                    } else {
                        self.select_field(frame, ty, (number, other), value, at)
                    }
                })
                .collect();
            let made = self.construct(frame, ty, number, operands, at);
            result = if several {
                let test = self.test(frame, ty, number, value, at);
                let result_type = frame.ty(made);
                frame.op(Op::Ite, vec![test, made, result], result_type)
            } else {
                made
            };
        }
        result
    }

    /// The numbers of the constructors that have a field, and of the field there.
    fn field_places(&self, ty: TypeId, name: &str) -> Vec<(usize, usize)> {
        let Some((declared, _)) = self.datatype(ty) else { return Vec::new() };
        let constructors = self.constructors(declared).iter().enumerate();
        constructors
            .filter_map(|(number, constructor)| {
                let field = constructor.fields.iter().position(|(field, _)| *field == name)?;
                Some((number, field))
            })
            .collect()
    }

    /// The number of the constructor with this name.
    pub(super) fn constructor_number(&self, ty: TypeId, name: &str) -> usize {
        let Some((declared, _)) = self.datatype(ty) else { return 0 };
        let constructors = self.constructors(declared);
        constructors.iter().position(|constructor| constructor.name == name).unwrap_or(0)
    }

    /// An operation on a datatype that is a sort.
    fn unknown_operation(
        &mut self,
        frame: &mut Frame,
        ty: TypeId,
        name: &str,
        operands: Vec<ExprId>,
        result: Type,
        at: TextRange,
    ) -> ExprId {
        let shown = self.types.show(ty);
        frame.trouble(format!("the recursive datatype `{shown}`"));
        let function =
            self.unknown_function(frame, &format!("{name} of {shown}"), &operands, &result, at);
        let specification = frame.any_specification(&operands);
        frame.push(Expr::Apply(function, operands), result, specification)
    }

    /// A function nothing is known of, on operands of these types.
    pub(super) fn unknown_function(
        &mut self,
        frame: &Frame,
        name: &str,
        operands: &[ExprId],
        result: &Type,
        at: TextRange,
    ) -> FunctionId {
        let parameters: Vec<Type> = operands.iter().map(|id| frame.ty(*id)).collect();
        self.make(name, &parameters, result.clone(), at.span())
    }
}

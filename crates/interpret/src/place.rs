//! Places: computing where they are, and writing there.

use std::sync::Arc;

use ir::{Place, Projection, Type, Variable};

use crate::apply::pointer;
use crate::equal::canonical_key;
use crate::error::EvalError;
use crate::machine::{Context, Machine, Slot};
use crate::trace::{Cause, EventKind, Step, Target};
use crate::value::{Key, Value};
use crate::world::World as _;

impl<'m> Machine<'m, '_> {
    /// Where a place is, its keys and pointers computed in the present state.
    pub(crate) fn locate(
        &mut self,
        cx: Context<'m>,
        place: &'m Place,
    ) -> Result<Target, EvalError> {
        let mut path = Vec::with_capacity(place.path.len());
        for projection in &place.path {
            path.push(match projection {
                Projection::Field(record, field) => Step::Field(*record, *field),
                Projection::Index(keys) => {
                    let keys: Key =
                        keys.iter().map(|key| self.evaluate(cx, *key)).collect::<Result<_, _>>()?;
                    Step::Index(canonical_key(self, keys)?)
                }
                Projection::View { pointer: at, ty, volatile: _ } => {
                    Step::View(pointer(&self.evaluate(cx, *at)?)?, ty.clone())
                }
            });
        }
        Ok(Target { variable: place.variable, path })
    }

    /// The type of what a place holds.
    pub(crate) fn type_of(&self, frame: usize, place: &'m Place) -> Result<&'m Type, EvalError> {
        let mut ty = self.type_of_variable(frame, place.variable);
        for projection in &place.path {
            ty = match (projection, ty) {
                (Projection::Field(record, field), _) => {
                    &self.module.records[record.0 as usize].fields[*field as usize].1
                }
                (Projection::Index(_), Type::Map(_, value)) => value,
                (Projection::View { ty, .. }, _) => ty,
                (Projection::Index(_), _) => {
                    return EvalError::ill_typed("what is indexed is no map");
                }
            };
        }
        Ok(ty)
    }

    fn type_of_variable(&self, frame: usize, variable: Variable) -> &'m Type {
        match variable {
            Variable::Global(id) => &self.module.global(id).ty,
            Variable::Local(id) => &self.frames[frame].procedure.local(id).ty,
        }
    }

    /// Changes what a place holds. Parts of an undefined map, record or memory can be set; the rest
    /// of it stays undefined.
    pub(crate) fn write(
        &mut self,
        frame: usize,
        target: &Target,
        value: Value,
        cause: Cause,
    ) -> Result<(), EvalError> {
        self.note_assigned(target, &value, cause);
        let variable = target.variable;
        if target.path.is_empty() {
            *self.slot(frame, variable) = Slot::Is(value);
            return Ok(());
        }
        let old = match std::mem::replace(self.slot(frame, variable), Slot::Undefined) {
            Slot::Is(value) => Some(value),
            Slot::Undefined => None,
            Slot::Initial => match self.initial(variable) {
                Ok(value) => Some(value),
                Err(EvalError::Undefined(_)) => None,
                Err(fault) => return Err(fault),
            },
        };
        let ty = self.type_of_variable(frame, variable);
        let changed = self.change(old, ty, &target.path, value)?;
        *self.slot(frame, variable) = Slot::Is(changed);
        Ok(())
    }

    /// Makes a place undefined.
    pub(crate) fn forget(&mut self, frame: usize, target: &Target) -> Result<(), EvalError> {
        if !target.path.is_empty() {
            let why = "an undefined result is stored in a part of a variable";
            return Err(crate::error::Undefined::Variable(why.into()).into());
        }
        self.note(|_| EventKind::Assigned(target.clone(), None, Cause::Result));
        *self.slot(frame, target.variable) = Slot::Undefined;
        Ok(())
    }

    pub(crate) fn slot(&mut self, frame: usize, variable: Variable) -> &mut Slot {
        match variable {
            Variable::Global(id) => &mut self.globals[id.0 as usize],
            Variable::Local(id) => &mut self.frames[frame].locals[id.0 as usize],
        }
    }

    fn change(
        &mut self,
        old: Option<Value>,
        ty: &Type,
        path: &[Step],
        value: Value,
    ) -> Result<Value, EvalError> {
        let Some((step, path)) = path.split_first() else { return Ok(value) };
        let old = old.or_else(|| Value::unknown_of(ty, self.module));
        match (step, old) {
            (Step::Field(id, index), Some(Value::Record(_, mut fields))) => {
                let field = &self.module.records[id.0 as usize].fields[*index as usize];
                let inner = Arc::make_mut(&mut fields)[*index as usize].take();
                let inner = self.change(inner, &field.1, path, value)?;
                Arc::make_mut(&mut fields)[*index as usize] = Some(inner);
                Ok(Value::Record(*id, fields))
            }
            (Step::Index(keys), Some(Value::Map(mut map))) => {
                let Type::Map(_, inner_ty) = ty else {
                    return EvalError::ill_typed("what is indexed is no map");
                };
                let changed = Arc::make_mut(&mut map);
                if path.is_empty() {
                    changed.insert(keys.clone(), value);
                } else {
                    changed.update(self, keys.clone(), |machine, inner| {
                        machine.change(inner, inner_ty, path, value)
                    })?;
                }
                Ok(Value::Map(map))
            }
            (Step::View(pointer, ty), Some(Value::Bytes(mut bytes))) if path.is_empty() => {
                let (objects, time) = self.objects();
                bytes.store(objects, time, *pointer, ty, &value)?;
                Ok(Value::Bytes(bytes))
            }
            (Step::Field(..) | Step::Index(_) | Step::View(..), _) => {
                EvalError::ill_typed("a place has a step that its type does not have")
            }
        }
    }
}

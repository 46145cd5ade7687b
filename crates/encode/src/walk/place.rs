//! Places: which part of a value a statement changes, and the value with that part changed.

use std::rc::Rc;

use circuit::{Bits, Gate};
use ir::{Place, Projection, Type, Variable};

use super::Walk;
use crate::escape::Escape;
use crate::sym::Sym;

/// A place whose keys have been evaluated, and the type of what it holds.
pub(super) struct Steps {
    variable: Variable,
    /// Each step with the type of the value it leads into.
    steps: Vec<(Type, Step)>,
    pub(super) ty: Type,
}

enum Step {
    Field(usize),
    Index(Vec<Sym>),
    View(Bits, Type),
}

impl Walk<'_> {
    /// Evaluates the keys on the way to a place.
    pub(super) fn steps(&mut self, place: &Place) -> Steps {
        let mut ty = match place.variable {
            Variable::Global(id) => self.cx.module.global(id).ty.clone(),
            Variable::Local(id) => self.procedure.local(id).ty.clone(),
        };
        let mut steps = Vec::new();
        for projection in &place.path {
            let (step, inner) = match projection {
                Projection::Field(_, field) => {
                    (Step::Field(*field as usize), self.cx.parts(&ty)[*field as usize].clone())
                }
                Projection::Index(keys) => {
                    let keys = keys.iter().map(|&key| self.eval(key)).collect();
                    let Type::Map(_, value) = &ty else { unreachable!("only maps are indexed") };
                    (Step::Index(keys), (**value).clone())
                }
                Projection::View { pointer, ty, .. } => {
                    let pointer = self.eval(*pointer).bits().clone();
                    (Step::View(pointer, ty.clone()), ty.clone())
                }
            };
            steps.push((ty, step));
            ty = inner;
        }
        Steps { variable: place.variable, steps, ty }
    }

    pub(super) fn assign(&mut self, place: &Steps, value: Sym) {
        if self.guards.is_never(&self.here.guard) {
            return;
        }
        let value = match place.steps.is_empty() {
            true => value,
            false => {
                self.note_reached();
                let (ty, _) = &place.steps[0];
                let whole = self.cx.read_variable(&self.here.state, place.variable, ty);
                self.replace(&whole, &place.steps, value)
            }
        };
        self.leave_scope();
        self.here.state.set(place.variable, value);
    }

    /// A value with the part that the steps lead to replaced.
    fn replace(&mut self, whole: &Sym, steps: &[(Type, Step)], value: Sym) -> Sym {
        let Some(((ty, step), rest)) = steps.split_first() else { return value };
        if *whole == Sym::Nothing {
            // In an over-approximation, it was anything and still is.
            if self.cx.under() {
                self.cut(Gate::TRUE, Escape::Type(ty.clone()));
            }
            return Sym::Nothing;
        }
        match step {
            Step::Field(field) => {
                let mut fields = (**whole.tuple()).clone();
                fields[*field] = self.replace(&fields[*field].clone(), rest, value);
                Sym::Tuple(Rc::new(fields))
            }
            Step::Index(keys) => {
                let part = match rest.is_empty() {
                    true => value,
                    false => {
                        let part = self.cx.read(ty, whole, keys);
                        self.replace(&part, rest, value)
                    }
                };
                self.cx.write(ty, whole, Gate::TRUE, keys, &part)
            }
            // Memory has no parts of its own.
            Step::View(pointer, ty) => {
                let whole = whole.contents();
                self.cx.store(whole, pointer, ty, &value)
            }
        }
    }
}

//! From interface objects to those of the caller: paths, conditions and values of a summary at a call (Xie & Aiken
//! 2007, §5.1).

use ir::Type;

use crate::access::size_of;
use crate::call::Call;
use crate::path::{Path, Root};
use crate::space::{Atom, Region, TermId};
use crate::state::State;
use crate::summary::{Condition, Logic, Pointed, Shared, Word};
use crate::value::{Location, Value, pointer};
use crate::walk::Walk;
use circuit::Guard;
use property::ResultTest;

impl Walk<'_> {
    /// The guard of a valuation of conditions.
    pub(crate) fn valuation(&mut self, conditions: &[Guard], bits: u32) -> Guard {
        let mut all = Guard::ALWAYS;
        for (number, condition) in conditions.iter().enumerate() {
            all = match bits >> number & 1 == 1 {
                true => self.space.diagrams.and(all, *condition),
                false => self.space.diagrams.and_not(all, *condition),
            };
        }
        all
    }

    pub(crate) fn conditions(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        all: &[Condition],
    ) -> Vec<Guard> {
        all.iter().map(|condition| self.condition(state, call, condition)).collect()
    }

    fn condition(&mut self, state: &mut State, call: &Call<'_>, condition: &Condition) -> Guard {
        let holds = match condition {
            Condition::NotNull(path) => {
                let value = self.resolve_value(state, call, path);
                value.map(|value| self.outcome(&value, ResultTest::NonZero))
            }
            Condition::NotZero(path, width) => {
                let value = self.resolve_word(state, call, path, *width);
                value.map(|value| self.outcome(&value, ResultTest::NonZero))
            }
            Condition::Negative(path, width) => {
                let value = self.resolve_word(state, call, path, *width);
                value.map(|value| self.outcome(&value, ResultTest::Negative))
            }
            Condition::Compare(comparison, a, b) => {
                match (self.word(state, call, a), self.word(state, call, b)) {
                    (Some(a), Some(b)) => Some(self.space.compare(&comparison.op(), a, b)),
                    _ => None,
                }
            }
        };
        holds.unwrap_or_else(|| {
            self.made += 1;
            self.space.atom(Atom::Made(self.site, 4000 + self.made))
        })
    }

    fn logic(&mut self, state: &mut State, call: &Call<'_>, logic: &Logic) -> Guard {
        match logic {
            Logic::Constant(value) => Guard::constant(*value),
            Logic::If(condition, then, otherwise) => {
                let condition = self.condition(state, call, condition);
                let then = self.logic(state, call, then);
                let otherwise = self.logic(state, call, otherwise);
                self.space.diagrams.ite(condition, then, otherwise)
            }
        }
    }

    /// The value of an expression of a summary; none if it is ill-typed at this call.
    pub(crate) fn shared(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        shared: &Shared,
    ) -> Option<Value> {
        match shared {
            Shared::Truth(logic) => Some(Value::Truth(self.logic(state, call, logic))),
            Shared::Word(word) => Some(Value::Word(self.word(state, call, word)?)),
            Shared::Pointer(targets) => {
                let mut result: Option<Value> = None;
                for (when, pointed) in targets {
                    let when = self.logic(state, call, when);
                    let target = self.pointed(state, call, pointed)?;
                    result = Some(match result {
                        None => target,
                        Some(others) => self.space.select(when, &target, &others),
                    });
                }
                result
            }
        }
    }

    fn pointed(&mut self, state: &mut State, call: &Call<'_>, pointed: &Pointed) -> Option<Value> {
        match pointed {
            Pointed::Null => Some(pointer(Location::Null)),
            Pointed::At(path) => self.resolve(state, call, path),
            Pointed::Number(word) => {
                let address = self.word(state, call, word)?;
                Some(Value::Pointer(self.space.located(address)))
            }
            Pointed::Behind(path, offset) => {
                let Value::Pointer(base) = self.resolve_value(state, call, path)? else {
                    return None;
                };
                let by = self.space.word(ir::ADDRESS_BITS, *offset as u64 as u128);
                Some(Value::Pointer(self.space.moved(&base, by)))
            }
        }
    }

    fn word(&mut self, state: &mut State, call: &Call<'_>, word: &Word) -> Option<TermId> {
        match word {
            Word::Constant(width, value) => Some(self.space.word(*width, *value)),
            Word::Place(path, width) => match self.resolve_word(state, call, path, *width)? {
                Value::Word(term) => Some(term),
                Value::Truth(_) | Value::Pointer(_) | Value::Opaque => None,
            },
            Word::Address(path) => match self.resolve_value(state, call, path)? {
                Value::Pointer(locations) => Some(self.space.addressed(&locations)),
                Value::Truth(_) | Value::Word(_) | Value::Opaque => None,
            },
            Word::Op(op, operands, width) => {
                let mut words = Vec::with_capacity(operands.len());
                for operand in operands {
                    words.push(self.word(state, call, operand)?);
                }
                Some(self.space.compute(op, &words, *width))
            }
            Word::Choice(when, then, otherwise) => {
                let when = self.logic(state, call, when);
                let then = self.word(state, call, then)?;
                let otherwise = self.word(state, call, otherwise)?;
                Some(self.space.choice(when, then, otherwise))
            }
        }
    }

    /// The value of a path's root.
    fn root(&mut self, call: &Call<'_>, root: &Root) -> Option<Value> {
        match root {
            Root::Parameter(number) => call.arguments.get(*number as usize).cloned(),
            Root::Result => call.result.clone(),
            Root::Global(name) => {
                let local = |of: &ir::FunctionId| {
                    self.callees.global(&self.module.function(*of).name) == *name
                };
                let mut declared = self.module.objects.iter().map(|object| object.address);
                let region = match declared.find(local) {
                    Some(of) => self.space.region(Region::Static(of)),
                    None => self.space.external(name),
                };
                Some(pointer(Location::At(region, 0)))
            }
        }
    }

    /// The place of a path.
    pub(crate) fn resolve(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        path: &Path,
    ) -> Option<Value> {
        let mut value = self.root(call, &path.root)?;
        for (position, step) in path.steps.iter().enumerate() {
            if position > 0 {
                value = self.load(state, &value, &Type::Ptr);
            }
            let locations = match position {
                0 => self.named_by(&value)?,
                _ => match &value {
                    Value::Pointer(locations) => locations.clone(),
                    Value::Truth(_) | Value::Word(_) | Value::Opaque => return None,
                },
            };
            let by = self.space.word(ir::ADDRESS_BITS, *step as u64 as u128);
            value = Value::Pointer(self.space.moved(&locations, by));
        }
        Some(value)
    }

    /// The pointer at a path.
    pub(crate) fn resolve_value(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        path: &Path,
    ) -> Option<Value> {
        let place = self.resolve(state, call, path)?;
        match path.steps.is_empty() {
            true => Some(place),
            false => Some(self.load(state, &place, &Type::Ptr)),
        }
    }

    fn resolve_word(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        path: &Path,
        width: u32,
    ) -> Option<Value> {
        let place = self.resolve(state, call, path)?;
        if path.steps.is_empty() {
            return match place {
                Value::Word(term) if self.space.width(term) == width => Some(place),
                Value::Truth(_) | Value::Word(_) | Value::Pointer(_) | Value::Opaque => None,
            };
        }
        let ty = Type::Bv(width);
        size_of(&ty)?;
        match self.load(state, &place, &ty) {
            value @ Value::Word(_) => Some(value),
            Value::Truth(_) | Value::Pointer(_) | Value::Opaque => None,
        }
    }
}

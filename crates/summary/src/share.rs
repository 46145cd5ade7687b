//! Values as expressions over interface objects: the results and writes of a procedure as functions of the state at
//! entry.
//!
//! Many C functions are named expressions: `IS_ERR(p)`, accessors, flags that are cleared when a lock is released.
//! Their callers depend on these values, so a summary contains them where they are small and refer to interface
//! objects only.

use crate::limits::{SHARED_EXPRESSION, SHOWN_CONDITION};
use crate::name::Namer;
use crate::space::{Atom, Input, Region, Seen, Space, Term, TermId};
use crate::summary::{Comparison, Condition, Logic, Pointed, Shared, Word};
use crate::value::{Location, Value};
use circuit::Guard;

/// The translation of values into expressions.
struct Writer<'s> {
    space: &'s Space,
    namer: Namer<'s>,
    left: usize,
}

impl Space {
    /// A value as an expression over interface objects, if it is small.
    pub(crate) fn shared(&self, namer: Namer<'_>, value: &Value) -> Option<Shared> {
        let mut writer = Writer { space: self, namer, left: SHARED_EXPRESSION };
        match value {
            Value::Truth(guard) => Some(Shared::Truth(writer.logic(*guard)?)),
            Value::Word(term) => Some(Shared::Word(writer.word(*term)?)),
            Value::Pointer(locations) => {
                let mut targets = Vec::new();
                for (guard, location) in locations.iter() {
                    targets.push((writer.logic(*guard)?, writer.pointed(*location)?));
                }
                Some(Shared::Pointer(targets))
            }
            Value::Opaque => None,
        }
    }

    /// A guard as a condition on interface objects, if it is small.
    pub(crate) fn shared_logic(&self, namer: Namer<'_>, guard: Guard) -> Option<Logic> {
        Writer { space: self, namer, left: SHARED_EXPRESSION }.logic(guard)
    }

    /// An atomic condition on interface objects, and whether it is negated.
    pub(crate) fn shared_condition(
        &self,
        namer: Namer<'_>,
        number: u32,
    ) -> Option<(Condition, bool)> {
        Writer { space: self, namer, left: SHOWN_CONDITION }.condition(number)
    }
}

impl Writer<'_> {
    fn pay(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    fn logic(&mut self, guard: Guard) -> Option<Logic> {
        self.pay()?;
        let Some(node) = self.space.diagrams.node(guard) else {
            return Some(Logic::Constant(guard == Guard::ALWAYS));
        };
        if self.space.atom_seen(node.condition) == Seen::Hidden {
            return None;
        }
        let (condition, is_negated) = self.condition(node.condition)?;
        let (high, low) = (self.logic(node.high)?, self.logic(node.low)?);
        let (then, otherwise) = if is_negated { (low, high) } else { (high, low) };
        Some(Logic::If(Box::new(condition), Box::new(then), Box::new(otherwise)))
    }

    fn condition(&mut self, number: u32) -> Option<(Condition, bool)> {
        match self.space.atom_of(number) {
            Atom::Null(region) => match self.space.get(*region) {
                Region::Pointee(input) => {
                    let path = self.space.input_path(self.namer, input)?;
                    Some((Condition::NotNull(path), true))
                }
                Region::Static(_)
                | Region::External(_)
                | Region::Stack(_)
                | Region::New(..)
                | Region::Element(..) => None,
            },
            Atom::Compare(op, a, b) => {
                let (a, b) = (self.word(*a)?, self.word(*b)?);
                Some(match (op, a, b) {
                    (ir::Op::Eq, Word::Constant(_, 0), Word::Place(path, width))
                    | (ir::Op::Eq, Word::Place(path, width), Word::Constant(_, 0)) => {
                        (Condition::NotZero(path, width), true)
                    }
                    (ir::Op::BvSlt, Word::Place(path, width), Word::Constant(_, 0)) => {
                        (Condition::Negative(path, width), false)
                    }
                    (op, a, b) => (Condition::Compare(Comparison::of(op)?, a, b), false),
                })
            }
            Atom::Entry(..) | Atom::Made(..) | Atom::Input(_) | Atom::Same(..) => None,
        }
    }

    fn word(&mut self, term: TermId) -> Option<Word> {
        self.pay()?;
        let width = self.space.width(term);
        Some(match self.space.term(term) {
            Term::Constant(value) => Word::Constant(width, *value),
            Term::Input(Input::Address(region)) => match self.space.get(*region) {
                Region::Pointee(input) => Word::Address(self.space.input_path(self.namer, input)?),
                Region::Static(_)
                | Region::External(_)
                | Region::Stack(_)
                | Region::New(..)
                | Region::Element(..) => return None,
            },
            Term::Input(input) => Word::Place(self.space.input_path(self.namer, *input)?, width),
            Term::Op(op, operands) => {
                let mut words = Vec::with_capacity(operands.len());
                for operand in operands {
                    words.push(self.word(*operand)?);
                }
                Word::Op(op.clone(), words, width)
            }
            Term::Choice(guard, then, otherwise) => {
                let guard = self.logic(*guard)?;
                let (then, otherwise) = (self.word(*then)?, self.word(*otherwise)?);
                Word::Choice(Box::new(guard), Box::new(then), Box::new(otherwise))
            }
        })
    }

    fn pointed(&mut self, location: Location) -> Option<Pointed> {
        self.pay()?;
        Some(match location {
            Location::Null => Pointed::Null,
            Location::Number(term) => Pointed::Number(self.word(term)?),
            Location::At(region, offset) => match self.space.get(region) {
                Region::Pointee(input) => {
                    Pointed::Behind(self.space.input_path(self.namer, input)?, offset)
                }
                Region::Static(_) | Region::External(_) => {
                    Pointed::At(self.space.path(self.namer, region, offset)?)
                }
                Region::Stack(_) | Region::New(..) | Region::Element(..) => return None,
            },
        })
    }
}

//! From a walk's own objects to interface objects (paper 001, §5.1: the inverse mapping).

use ir::Module;

use crate::path::{Path, Root};
use crate::space::{Atom, Input, Region, RegionId, Space, Term, TermId};
use crate::summary::{Comparison, Condition, Word};

impl Space {
    /// The path to a place of an object, if the caller has a name for it.
    pub(crate) fn path(&self, module: &Module, region: RegionId, offset: i64) -> Option<Path> {
        match self.get(region) {
            Region::Pointee(input) => Some(self.input_path(module, input)?.then(offset)),
            Region::Static(function) => {
                let name = module.function(function).name.clone();
                Some(Path::root(Root::Global(name)).then(offset))
            }
            Region::Stack(_) | Region::New(..) | Region::Element(..) => None,
        }
    }

    /// The path to an input.
    pub(crate) fn input_path(&self, module: &Module, input: Input) -> Option<Path> {
        match input {
            Input::Parameter(number) => Some(Path::root(Root::Parameter(number))),
            Input::Cell { region, offset, epoch: 0 } => self.path(module, region, offset),
            Input::Cell { .. } | Input::Made { .. } | Input::Address(_) => None,
        }
    }

    /// Where the way to an object begins.
    pub(crate) fn root_of(&self, region: RegionId) -> Origin {
        match self.get(region) {
            Region::Pointee(Input::Parameter(number)) => Origin::Parameter(number),
            Region::Pointee(Input::Cell { region, epoch, .. }) => match self.root_of(region) {
                origin if epoch == 0 => origin,
                Origin::Parameter(_) | Origin::Global | Origin::Own | Origin::Other => Origin::Other,
            },
            Region::Pointee(Input::Made { .. } | Input::Address(_)) => Origin::Other,
            Region::Static(_) => Origin::Global,
            Region::Stack(_) | Region::New(..) => Origin::Own,
            Region::Element(of, _) => self.root_of(of),
        }
    }

    /// A condition in words that the caller knows.
    pub(crate) fn shared_condition(&self, module: &Module, number: u32) -> Option<Condition> {
        match self.atom_of(number) {
            Atom::Null(region) => match self.get(*region) {
                Region::Pointee(input) => Some(Condition::NotNull(self.input_path(module, input)?)),
                Region::Static(_) | Region::Stack(_) | Region::New(..) | Region::Element(..) => None,
            },
            Atom::Compare(op, a, b) => {
                let (a, b) = (self.shared_word(module, *a)?, self.shared_word(module, *b)?);
                Some(match (op, a, b) {
                    (ir::Op::Eq, Word::Constant(_, 0), Word::Place(path, width))
                    | (ir::Op::Eq, Word::Place(path, width), Word::Constant(_, 0)) => {
                        Condition::NotZero(path, width)
                    }
                    (ir::Op::BvSlt, Word::Place(path, width), Word::Constant(_, 0)) => {
                        Condition::Negative(path, width)
                    }
                    (op, a, b) => Condition::Compare(Comparison::of(op)?, a, b),
                })
            }
            Atom::Entry(..) | Atom::Made(..) | Atom::Input(_) => None,
        }
    }

    fn shared_word(&self, module: &Module, term: TermId) -> Option<Word> {
        let width = self.width(term);
        match self.term(term) {
            Term::Constant(value) => Some(Word::Constant(width, *value)),
            Term::Input(input) => Some(Word::Place(self.input_path(module, *input)?, width)),
            Term::Op(ir::Op::BvAnd, operands) => {
                let mask = self.constant(operands[1])?;
                Some(Word::Masked(Box::new(self.shared_word(module, operands[0])?), mask))
            }
            Term::Op(..) | Term::Choice(..) => None,
        }
    }
}

/// Where the way to an object begins (paper 001, Figure 13).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    Parameter(u32),
    Global,
    /// In the procedure itself.
    Own,
    /// In what a callee returned.
    Other,
}

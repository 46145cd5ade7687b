//! From a walk's own objects to interface objects (paper 001, §5.1: the inverse mapping).


use ir::Module;

use crate::path::{Path, Root};
use crate::space::{Atom, Input, Region, RegionId, Space, Term, TermId};
use crate::summary::{Comparison, Condition, Word};
use crate::walk::{Callees, Walk};

/// Who knows the names of global variables.
#[derive(Clone, Copy)]
pub(crate) struct Namer<'n> {
    pub(crate) module: &'n Module,
    pub(crate) callees: &'n dyn Callees,
}

impl<'w> Walk<'w> {
    pub(crate) fn namer(&self) -> Namer<'w> {
        Namer { module: self.module, callees: self.callees }
    }
}

impl Space {
    /// The path to a place of an object, if the caller has a name for it.
    pub(crate) fn path(&self, namer: Namer<'_>, region: RegionId, offset: i64) -> Option<Path> {
        match self.get(region) {
            Region::Pointee(input) => Some(self.input_path(namer, input)?.then(offset)),
            Region::Static(function) => {
                let name = namer.callees.global(&namer.module.function(function).name);
                Some(Path::root(Root::Global(name)).then(offset))
            }
            Region::Foreign(number) => {
                let name = self.foreign_name(number).to_owned();
                Some(Path::root(Root::Global(name)).then(offset))
            }
            Region::Stack(_) | Region::New(..) | Region::Element(..) => None,
        }
    }

    /// The path to an input.
    pub(crate) fn input_path(&self, namer: Namer<'_>, input: Input) -> Option<Path> {
        match input {
            Input::Parameter(number) => Some(Path::root(Root::Parameter(number))),
            Input::Cell { region, offset, epoch: 0 } => self.path(namer, region, offset),
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
            Region::Static(_) | Region::Foreign(_) => Origin::Global,
            Region::Stack(_) | Region::New(..) => Origin::Own,
            Region::Element(of, _) => self.root_of(of),
        }
    }

    /// A condition in words that the caller knows.
    pub(crate) fn shared_condition(&self, namer: Namer<'_>, number: u32) -> Option<Condition> {
        match self.atom_of(number) {
            Atom::Null(region) => match self.get(*region) {
                Region::Pointee(input) => Some(Condition::NotNull(self.input_path(namer, input)?)),
                Region::Static(_)
                | Region::Foreign(_)
                | Region::Stack(_)
                | Region::New(..)
                | Region::Element(..) => None,
            },
            Atom::Compare(op, a, b) => {
                let (a, b) = (self.shared_word(namer, *a)?, self.shared_word(namer, *b)?);
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

    fn shared_word(&self, namer: Namer<'_>, term: TermId) -> Option<Word> {
        let width = self.width(term);
        match self.term(term) {
            Term::Constant(value) => Some(Word::Constant(width, *value)),
            Term::Input(input) => Some(Word::Place(self.input_path(namer, *input)?, width)),
            Term::Op(ir::Op::BvAnd, operands) => {
                let mask = self.constant(operands[1])?;
                Some(Word::Masked(Box::new(self.shared_word(namer, operands[0])?), mask))
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

//! From the objects of an evaluation to interface objects (Xie & Aiken 2007, §5.1: the inverse mapping).

use ir::Module;

use crate::path::{Path, Root};
use crate::space::{Input, Region, RegionId, Space};
use crate::walk::{Callees, Walk};

/// The context of the mapping: the names of global variables.
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
    /// The path to a place of an object, if it is an interface object.
    pub(crate) fn path(&self, namer: Namer<'_>, region: RegionId, offset: i64) -> Option<Path> {
        match self.get(region) {
            Region::Pointee(input) => Some(self.input_path(namer, input)?.then(offset)),
            Region::Static(function) => {
                let name = namer.callees.global(&namer.module.function(function).name);
                Some(Path::root(Root::Global(name)).then(offset))
            }
            Region::External(number) => {
                let name = self.external_name(number).to_owned();
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

    /// The origin of an object.
    pub(crate) fn root_of(&self, region: RegionId) -> Origin {
        match self.get(region) {
            Region::Pointee(Input::Parameter(number)) => Origin::Parameter(number),
            Region::Pointee(Input::Cell { region, epoch, .. }) => match self.root_of(region) {
                origin if epoch == 0 => origin,
                Origin::Parameter(_) | Origin::Global | Origin::Own | Origin::Other => {
                    Origin::Other
                }
            },
            Region::Pointee(Input::Made { .. } | Input::Address(_)) => Origin::Other,
            Region::Static(_) | Region::External(_) => Origin::Global,
            Region::Stack(_) | Region::New(..) => Origin::Own,
            Region::Element(of, _) => self.root_of(of),
        }
    }
}

/// The origin of an object (Xie & Aiken 2007, Figure 13).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    Parameter(u32),
    Global,
    /// The procedure itself.
    Own,
    /// The result of a callee.
    Other,
}

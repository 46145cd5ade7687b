//! What an operator may need beyond its operands.

use std::collections::BTreeMap;
use std::sync::Arc;

use ir::{Module, SortId, Type};

use crate::error::{EvalError, Undefined};
use crate::memory::{Bytes, Objects, Pointer, Time};
use crate::value::{MapType, Value};

/// What an operator may need beyond its operands: declarations, the atoms that exist, the
/// objects of memory, and what is unknown. A run is a world; [`Still`] is one in which nothing
/// happens.
pub trait World {
    /// The declarations.
    fn module(&self) -> &Module;

    /// The atoms of a sort other than `null`, ascending, if it is known which there are.
    fn atoms(&mut self, sort: SortId) -> Option<Arc<Vec<u64>>>;

    /// The value of an unknown map at keys, always the same for the same keys.
    ///
    /// # Errors
    /// If nothing is known of it.
    fn unknown(&mut self, id: u32, ty: &MapType, keys: &[Value]) -> Result<Value, EvalError>;

    /// The objects of memory, and the time at which they are looked at.
    fn objects(&self) -> (&Objects, Time);

    /// Pays for looking at this many cases.
    ///
    /// # Errors
    /// If the budget is used up.
    fn work(&mut self, cases: u64) -> Result<(), EvalError>;

    /// The value of a type at a pointer, if it lies in memory that the run did not make and did not
    /// write, and somebody says what is there.
    ///
    /// # Errors
    /// If what is said cannot be.
    fn found(&mut self, _: &Bytes, _: Pointer, _: &Type) -> Result<Option<Value>, EvalError> {
        Ok(None)
    }

    /// Writes to a memory what [`found`](World::found) says of so many bytes, which are then read as
    /// they are.
    fn settle(&mut self, _: &mut Bytes, _: Pointer, _: u64) {}

    /// Whether somebody says what memory holds that the run did not make and did not write.
    fn is_open(&self, _: Pointer) -> bool {
        false
    }
}

/// A world in which nothing happens: for evaluating operators outside a run.
#[derive(Debug)]
pub struct ConstantWorld<'m> {
    /// The declarations.
    pub module: &'m Module,
    /// The atoms of each sort, ascending.
    pub atoms: BTreeMap<SortId, Arc<Vec<u64>>>,
    /// The objects of memory.
    pub objects: Objects,
}

impl<'m> ConstantWorld<'m> {
    /// A world without atoms and objects.
    pub fn new(module: &'m Module) -> ConstantWorld<'m> {
        ConstantWorld { module, atoms: BTreeMap::new(), objects: Objects::default() }
    }
}

impl World for ConstantWorld<'_> {
    fn module(&self) -> &Module {
        self.module
    }

    fn atoms(&mut self, sort: SortId) -> Option<Arc<Vec<u64>>> {
        self.atoms.get(&sort).cloned()
    }

    fn unknown(&mut self, _: u32, _: &MapType, keys: &[Value]) -> Result<Value, EvalError> {
        Err(Undefined::Entry(format!("{keys:?}")).into())
    }

    fn objects(&self) -> (&Objects, Time) {
        (&self.objects, self.objects.now())
    }

    fn work(&mut self, _: u64) -> Result<(), EvalError> {
        Ok(())
    }
}

//! The context of an operator beyond its operands.

use std::collections::BTreeMap;
use std::sync::Arc;

use ir::{Module, SortId, Type};

use crate::error::{EvalError, Undefined};
use crate::memory::{Bytes, Objects, Pointer, Time};
use crate::value::{MapType, Value};

/// The context of an operator beyond its operands: declarations, the atoms that exist, the objects of memory,
/// and unknown values. An execution is a world; [`ConstantWorld`] is one for evaluation outside an execution.
pub trait World {
    /// The declarations.
    fn module(&self) -> &Module;

    /// The atoms of a sort other than `null`, ascending, if they are known.
    fn atoms(&mut self, sort: SortId) -> Option<Arc<Vec<u64>>>;

    /// The value of an unknown map at keys, always the same for the same keys.
    ///
    /// # Errors
    /// If nothing is known of it.
    fn unknown(&mut self, id: u32, ty: &MapType, keys: &[Value]) -> Result<Value, EvalError>;

    /// The objects of memory, and the moment at which they are read.
    fn objects(&self) -> (&Objects, Time);

    /// Pays for looking at this many cases.
    ///
    /// # Errors
    /// If the budget is used up.
    fn work(&mut self, cases: u64) -> Result<(), EvalError>;

    /// The value of a type at a pointer, if the memory there was neither created nor written by the
    /// execution, and the oracle decides its contents.
    ///
    /// # Errors
    /// If the decision is impossible.
    fn found(&mut self, _: &Bytes, _: Pointer, _: &Type) -> Result<Option<Value>, EvalError> {
        Ok(None)
    }

    /// Writes the completion ([`found`](World::found)) of a number of bytes to memory, from which they are
    /// then read.
    fn settle(&mut self, _: &mut Bytes, _: Pointer, _: u64) {}

    /// Whether the oracle decides the contents of memory at this pointer, which the execution neither created
    /// nor wrote.
    fn is_open(&self, _: Pointer) -> bool {
        false
    }
}

/// A world without an execution, for evaluating operators.
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

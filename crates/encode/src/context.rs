//! The common parts of one evaluation: the circuit, the scope, and the reasons for leaving it.

use circuit::{Array, Arrays, Bits, Circuit, Gate};
use ir::{FunctionId, Module, SortId, Type};
use rustc_hash::FxHashMap;

use crate::cache::Mentioned;
use crate::claims::Claims;
use crate::escape::Escape;
use crate::floats::Numbers;
use crate::integer::{Bigs, Computation, Integer};
use crate::limits::{KEY_BITS, TABLE_KEYS};
use crate::memory::{Addresses, Given, MayAlias, Memories};
use crate::relations::{Closed, Related};
use crate::scope::{Direction, Scope};
use crate::sym::{Sym, bits_for, parts};

/// The state that the evaluation of expressions needs beside the program's own.
pub(crate) struct Context<'m> {
    pub(crate) module: &'m Module,
    pub(crate) scope: &'m Scope,
    pub(crate) circuit: Circuit,
    pub(crate) arrays: Arrays,
    /// The constraints on inputs that follow from their types.
    pub(crate) constraints: Vec<Gate>,
    /// The arrays of which nothing is known, the types of what they hold, and how many atoms of
    /// each sort there were to hold.
    pub(crate) unknowns: Vec<(Array, Type, Vec<u32>)>,
    /// How many atoms besides `null` each sort has, those that are allocated included.
    pub(crate) atoms: Vec<u32>,
    /// How many of them have been allocated so far.
    allocated: Vec<u32>,
    /// Whether the initial state is complete.
    pub(crate) entered: bool,
    /// How many objects of byte memory are allocated.
    pub(crate) objects: u32,
    /// The contents of memory at each time, and the addresses at which it was accessed.
    pub(crate) memories: Memories,
    pub(crate) addresses: Addresses,
    /// The known facts about the environment's objects.
    pub(crate) given: Given,
    /// The pointers of the environment that may alias where others may not.
    pub(crate) aliasing: MayAlias,
    /// Whether the pointers that are created now may.
    pub(crate) may_alias: bool,
    /// The pointers of the environment's that were left open.
    pub(crate) pointers: Vec<Bits>,
    /// The static objects that matter, by position in the module, in order.
    pub(crate) statics: Vec<usize>,
    /// The tables of uninterpreted functions, as far as they have been asked for.
    pub(crate) functions: FxHashMap<FunctionId, Sym>,
    /// The results of relational operators.
    pub(crate) related: Related,
    /// The closures among them.
    pub(crate) closed: Closed,
    /// The bound variables that expressions mention, where that was asked.
    pub(crate) mentioned: Mentioned,
    /// The claims about values that cannot be listed.
    pub(crate) claims: Claims<'m>,
    /// The integers that have been computed, in an over-approximation.
    pub(crate) computed: FxHashMap<Computation, Integer>,
    /// How integers compare that may both be big, in an over-approximation.
    pub(crate) compared: FxHashMap<(Integer, Integer), Bigs>,
    /// The contents of arrays at indices that are too big to be distinguished, where they were read.
    pub(crate) far: FxHashMap<(Array, Bits), Sym>,
    /// The inputs that are read as floating-point numbers.
    pub(crate) numbers: Numbers,
    /// The condition under which the expression at hand matters at all.
    pub(crate) relevant: Gate,
    /// The conditions under which the expressions evaluated since this was last emptied leave the scope.
    pub(crate) escapes: Vec<(Gate, Escape)>,
}

impl<'m> Context<'m> {
    pub(crate) fn new(
        module: &'m Module,
        scope: &'m Scope,
        atoms: Vec<u32>,
        objects: u32,
        statics: Vec<usize>,
    ) -> Self {
        let mut arrays = Arrays::new();
        let mut addresses = Addresses::new(module.objects.len() as u32 + 1);
        for &position in &statics {
            addresses.has_size(position as u32 + 1, module.objects[position].size);
        }
        Context {
            module,
            scope,
            circuit: Circuit::new(),
            given: Given::new(&mut arrays, scope),
            arrays,
            memories: Memories::default(),
            addresses,
            aliasing: MayAlias::default(),
            may_alias: false,
            pointers: Vec::new(),
            constraints: Vec::new(),
            unknowns: Vec::new(),
            allocated: vec![0; atoms.len()],
            atoms,
            entered: false,
            objects,
            statics,
            functions: FxHashMap::default(),
            related: Related::default(),
            closed: Closed::default(),
            mentioned: Mentioned::default(),
            claims: Claims::new(),
            computed: FxHashMap::default(),
            compared: FxHashMap::default(),
            far: FxHashMap::default(),
            numbers: Numbers::default(),
            relevant: Gate::TRUE,
            escapes: Vec::new(),
        }
    }

    pub(crate) fn under(&self) -> bool {
        self.scope.is_under()
    }

    pub(crate) fn atoms(&self, sort: SortId) -> u32 {
        self.atoms[sort.0 as usize]
    }

    /// How many atoms besides `null` a sort has in the initial state.
    pub(crate) fn initial(&self, sort: SortId) -> u32 {
        self.scope.atoms_of(&self.module.sorts[sort.0 as usize])
    }

    /// How many atoms besides `null` a value that is left to chance may be.
    pub(crate) fn existing(&self, sort: SortId) -> u32 {
        let allocated = if self.under() { 0 } else { self.allocated[sort.0 as usize] };
        self.initial(sort) + allocated
    }

    /// How many atoms besides `null` of each sort a value that is left to chance may be.
    pub(crate) fn all_existing(&self) -> Vec<u32> {
        (0..self.allocated.len() as u32).map(|sort| self.existing(SortId(sort))).collect()
    }

    /// A new atom: the initial state does not know those that are still to be allocated.
    pub(crate) fn allocate(&mut self, sort: SortId) -> Sym {
        let number = self.initial(sort) + self.allocated[sort.0 as usize] + 1;
        self.allocated[sort.0 as usize] += 1;
        let width = bits_for(self.atoms(sort) + 1);
        Sym::Bits(Bits::constant(width, u128::from(number)))
    }

    /// Notes that the expression at hand leaves the scope where the gate holds.
    pub(crate) fn escape(&mut self, gate: Gate, why: Escape) {
        let gate = self.circuit.and(gate, self.relevant);
        if gate != Gate::FALSE {
            self.escapes.push((gate, why));
        }
    }

    /// Lets something hold of the inputs.
    pub(crate) fn constrain(&mut self, gate: Gate) {
        if gate != Gate::TRUE {
            self.constraints.push(gate);
        }
    }

    /// Does something that matters only where the gate holds as well.
    pub(crate) fn where_<T>(&mut self, gate: Gate, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.relevant;
        self.relevant = self.circuit.and(outer, gate);
        let result = work(self);
        self.relevant = outer;
        result
    }

    /// How many values of the type there are, if they can be listed.
    pub(crate) fn values(&self, ty: &Type) -> Option<usize> {
        match ty {
            Type::Bool => Some(2),
            Type::Bv(width) if *width <= KEY_BITS => Some(1 << width),
            Type::Sort(sort) if self.under() => Some(self.atoms(*sort) as usize + 1),
            Type::Record(_) => self.parts(ty).iter().try_fold(1_usize, |n, part| {
                n.checked_mul(self.values(part)?).filter(|&n| n <= TABLE_KEYS)
            }),
            Type::Bv(_)
            | Type::Sort(_)
            | Type::Int
            | Type::Ptr
            | Type::Map(..)
            | Type::Seq(_)
            | Type::Variant(_)
            | Type::Bytes => None,
        }
    }

    /// How many keys of these types there are, if they can be listed.
    pub(crate) fn keys(&self, keys: &[Type]) -> Option<usize> {
        keys.iter().try_fold(1_usize, |n, key| {
            n.checked_mul(self.values_of_key(keys, key)?).filter(|&n| n <= TABLE_KEYS)
        })
    }

    /// How many values of one of these keys there are, if they can be listed.
    pub(crate) fn values_of_key(&self, keys: &[Type], key: &Type) -> Option<usize> {
        self.values(key).or_else(|| self.scope.columns_of(keys, key))
    }

    /// How many bits a value of the type takes as a word, if it can be one.
    pub(crate) fn word_width(&self, ty: &Type) -> Option<usize> {
        word_width(self.module, self.scope, &self.atoms, ty)
    }

    /// The widths of the keys and values of a map as an array, if it can be one.
    pub(crate) fn word_widths(&self, keys: &[Type], value: &Type) -> Option<(usize, usize)> {
        let index: Option<usize> = keys.iter().map(|key| self.word_width(key)).sum();
        Some((index?, self.word_width(value)?))
    }
}

/// How many bits a value of the type takes as a word, if it can be one.
pub(crate) fn word_width(
    module: &Module,
    scope: &Scope,
    atoms: &[u32],
    ty: &Type,
) -> Option<usize> {
    match ty {
        Type::Bool => Some(1),
        Type::Bv(width) => Some(*width as usize),
        Type::Int => {
            let width = scope.int_width as usize;
            Some(if scope.direction == Direction::Under { width } else { width + 2 })
        }
        Type::Sort(sort) => Some(bits_for(atoms[sort.0 as usize] + 1)),
        Type::Record(_) | Type::Variant(_) => {
            parts(module, ty).iter().map(|part| word_width(module, scope, atoms, part)).sum()
        }
        Type::Ptr => Some(64),
        Type::Map(..) | Type::Seq(_) | Type::Bytes => None,
    }
}

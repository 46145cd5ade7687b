//! The terms of a procedure: its inputs, the objects that they point to, words computed from them, and the atomic
//! conditions of its guards.
//!
//! Everything is hash-consed: a field that is read twice without a write in between is one input, and a condition
//! that is tested twice is one condition. Inputs are created lazily, when they are first read (Xie & Aiken 2007,
//! §3.2), and two pointers of the environment point to two objects.

use std::collections::BTreeSet;

use ir::{FunctionId, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::stateful::Stateful;
use circuit::{Guard, Guards};

/// A statement of the loop-free procedure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Site {
    pub(crate) block: u32,
    pub(crate) statement: u32,
}

/// A value that is not computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Input {
    /// A parameter, by position.
    Parameter(u32),
    /// The contents of an object at an offset: at entry in epoch zero, else after unknown code may have written it.
    Cell { region: RegionId, offset: i64, epoch: u32 },
    /// A nondeterministic value of a statement: the result of a callee, a havoc, a volatile read.
    Made { site: Site, number: u32 },
    /// The address of an object.
    Address(RegionId),
}

/// An object of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct RegionId(pub(crate) u32);

/// The kind of a memory object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Region {
    /// The pointee of an input; whether that pointer is null is a condition.
    Pointee(Input),
    /// A static object.
    Static(FunctionId),
    /// A static object that is declared in the files of callees only, by number.
    External(u32),
    /// A variable of the procedure itself.
    Stack(Site),
    /// An allocated object; the number distinguishes the objects that one statement allocates.
    New(Site, u32),
    /// The part of an object that begins at a computed offset.
    Element(RegionId, TermId),
}

/// A word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct TermId(pub(crate) u32);

/// How a word is computed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Term {
    Constant(u128),
    Input(Input),
    /// An operator on words; comparisons are atoms instead.
    Op(Op, Vec<TermId>),
    /// The first where the guard holds, else the second.
    Choice(Guard, TermId, TermId),
}

/// A named condition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Atom {
    /// A comparison of words: equality or an order.
    Compare(Op, TermId, TermId),
    /// Whether the pointer to an object is null.
    Null(RegionId),
    /// A bit of the typestate of an object at entry, by the number of the object.
    Entry(u32, u32),
    /// A nondeterministic choice of a statement: whether an allocation succeeds, which branch is taken.
    Made(Site, u32),
    /// A truth value that is an input.
    Input(Input),
    /// Whether two pointers alias, where that is unknown.
    Same(RegionId, RegionId),
}

/// The visibility of a value to the caller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Seen {
    /// The caller passes it.
    Chosen,
    /// The caller can read it from memory.
    Found,
    /// The caller does not see it.
    Hidden,
}

/// All terms, objects and conditions of a procedure.
pub(crate) struct Space {
    pub(crate) diagrams: Guards,
    regions: Vec<Region>,
    region_numbers: FxHashMap<Region, RegionId>,
    terms: Vec<(Term, u32)>,
    term_numbers: FxHashMap<(Term, u32), TermId>,
    term_seen: Vec<Seen>,
    atoms: Vec<Atom>,
    atom_numbers: FxHashMap<Atom, u32>,
    atom_seen: Vec<Seen>,
    guard_seen: FxHashMap<Guard, Seen>,
    epochs: u32,
    pub(crate) stateful: Stateful,
    /// The names of static objects that are declared in the files of callees only.
    external: Vec<String>,
    /// The inputs that are results of operations that VIR does not model.
    pub(crate) unmodelled: FxHashSet<Input>,
    /// Whether pointers of the environment may alias.
    pub(crate) is_must: bool,
    /// The first address that is an error code and never that of an object, if the properties declare any.
    pub(crate) first_error: Option<u64>,
}

impl Space {
    /// An empty space, whose guards may have at most this many nodes.
    pub(crate) fn new(limit: usize, is_must: bool, first_error: Option<u64>) -> Space {
        Space {
            diagrams: Guards::new(limit),
            regions: Vec::new(),
            region_numbers: FxHashMap::default(),
            terms: Vec::new(),
            term_numbers: FxHashMap::default(),
            term_seen: Vec::new(),
            atoms: Vec::new(),
            atom_numbers: FxHashMap::default(),
            atom_seen: Vec::new(),
            guard_seen: FxHashMap::default(),
            epochs: 0,
            stateful: Stateful::default(),
            external: Vec::new(),
            unmodelled: FxHashSet::default(),
            is_must,
            first_error,
        }
    }

    /// Whether an address is an error code.
    pub(crate) fn is_error(&self, address: u64) -> bool {
        self.first_error.is_some_and(|first| address >= first)
    }

    pub(crate) fn region(&mut self, region: Region) -> RegionId {
        let next = RegionId(self.regions.len() as u32);
        let id = *self.region_numbers.entry(region).or_insert(next);
        if id == next {
            self.regions.push(region);
        }
        id
    }

    pub(crate) fn get(&self, id: RegionId) -> Region {
        self.regions[id.0 as usize]
    }

    /// A static object that this module does not declare.
    pub(crate) fn external(&mut self, name: &str) -> RegionId {
        let known = self.external.iter().position(|known| known == name);
        let number = known.unwrap_or_else(|| {
            self.external.push(name.to_owned());
            self.external.len() - 1
        });
        self.region(Region::External(number as u32))
    }

    pub(crate) fn external_name(&self, number: u32) -> &str {
        &self.external[number as usize]
    }

    /// Whether an object belongs to the environment, so that unknown code may reach it.
    pub(crate) fn is_outside(&self, id: RegionId) -> bool {
        match self.get(self.whole(id)) {
            Region::Pointee(_) | Region::Static(_) | Region::External(_) => true,
            Region::Stack(_) | Region::New(..) | Region::Element(..) => false,
        }
    }

    /// The object that a part belongs to.
    pub(crate) fn whole(&self, mut id: RegionId) -> RegionId {
        while let Region::Element(of, _) = self.get(id) {
            id = of;
        }
        id
    }

    pub(crate) fn regions(&self) -> impl Iterator<Item = RegionId> + use<> {
        (0..self.regions.len() as u32).map(RegionId)
    }

    /// An object that exists already.
    pub(crate) fn known_region(&self, region: Region) -> Option<RegionId> {
        self.region_numbers.get(&region).copied()
    }

    /// The inputs that were read, with their widths; pointers have none.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (Input, Option<u32>)> + '_ {
        let words = self.terms.iter().filter_map(|(term, width)| match term {
            Term::Input(input) => Some((*input, Some(*width))),
            Term::Constant(_) | Term::Op(..) | Term::Choice(..) => None,
        });
        let pointers = self.regions.iter().filter_map(|region| match region {
            Region::Pointee(input) => Some((*input, None)),
            Region::Static(_)
            | Region::External(_)
            | Region::Stack(_)
            | Region::New(..)
            | Region::Element(..) => None,
        });
        words.chain(pointers)
    }

    /// The offsets at which the contents of an object at entry were read.
    pub(crate) fn looked_at(&self, object: RegionId) -> BTreeSet<i64> {
        let offsets = self.inputs().filter_map(|(input, _)| match input {
            Input::Cell { region, offset, .. } if region == object => Some(offset),
            Input::Cell { .. } | Input::Parameter(_) | Input::Made { .. } | Input::Address(_) => {
                None
            }
        });
        offsets.collect()
    }

    /// The current epoch of memory.
    pub(crate) fn last_epoch(&self) -> u32 {
        self.epochs
    }

    /// A new epoch, in which memory may have other contents.
    pub(crate) fn new_epoch(&mut self) -> u32 {
        self.epochs += 1;
        self.epochs
    }

    /// Adds a word without simplification.
    pub(crate) fn intern(&mut self, term: Term, width: u32) -> TermId {
        let next = TermId(self.terms.len() as u32);
        let id = *self.term_numbers.entry((term.clone(), width)).or_insert(next);
        if id == next {
            let seen = match &term {
                Term::Constant(_) => Seen::Chosen,
                Term::Input(input) => self.input_seen(*input),
                Term::Op(_, operands) => self.most(operands),
                Term::Choice(guard, a, b) => {
                    let guard = self.guard_seen(*guard);
                    guard.max(self.most(&[*a, *b]))
                }
            };
            self.terms.push((term, width));
            self.term_seen.push(seen);
        }
        id
    }

    fn most(&self, operands: &[TermId]) -> Seen {
        let seen = operands.iter().map(|id| self.term_seen[id.0 as usize]);
        seen.max().unwrap_or(Seen::Chosen)
    }

    pub(crate) fn term(&self, id: TermId) -> &Term {
        &self.terms[id.0 as usize].0
    }

    pub(crate) fn width(&self, id: TermId) -> u32 {
        self.terms[id.0 as usize].1
    }

    pub(crate) fn terms(&self) -> usize {
        self.terms.len()
    }

    /// The guard that holds where a condition does.
    pub(crate) fn atom(&mut self, atom: Atom) -> Guard {
        let next = self.atoms.len() as u32;
        let number = *self.atom_numbers.entry(atom.clone()).or_insert(next);
        if number == next {
            let seen = match &atom {
                Atom::Compare(_, a, b) => self.most(&[*a, *b]),
                Atom::Null(region) => match self.get(*region) {
                    Region::Pointee(input) => self.input_seen(input),
                    Region::Static(_)
                    | Region::External(_)
                    | Region::Stack(_)
                    | Region::New(..)
                    | Region::Element(..) => Seen::Hidden,
                },
                // A caller knows the state that it has put an object into.
                Atom::Entry(..) => Seen::Chosen,
                Atom::Input(input) => self.input_seen(*input),
                Atom::Made(..) | Atom::Same(..) => Seen::Hidden,
            };
            self.atoms.push(atom);
            self.atom_seen.push(seen);
        }
        self.diagrams.literal(number)
    }

    /// The number of a condition that exists already.
    pub(crate) fn atom_number(&self, atom: &Atom) -> Option<u32> {
        self.atom_numbers.get(atom).copied()
    }

    /// The number of conditions.
    pub(crate) fn atoms(&self) -> u32 {
        self.atoms.len() as u32
    }

    /// Whether a condition exists.
    pub(crate) fn has_atom(&self, atom: &Atom) -> bool {
        self.atom_numbers.contains_key(atom)
    }

    pub(crate) fn atom_of(&self, number: u32) -> &Atom {
        &self.atoms[number as usize]
    }

    pub(crate) fn atom_seen(&self, number: u32) -> Seen {
        self.atom_seen[number as usize]
    }

    fn guard_seen(&mut self, guard: Guard) -> Seen {
        if let Some(&known) = self.guard_seen.get(&guard) {
            return known;
        }
        let conditions = self.diagrams.conditions(guard);
        let seen = conditions.into_iter().map(|number| self.atom_seen(number)).max();
        let seen = seen.unwrap_or(Seen::Chosen);
        self.guard_seen.insert(guard, seen);
        seen
    }

    fn input_seen(&self, input: Input) -> Seen {
        match input {
            Input::Parameter(_) => Seen::Chosen,
            Input::Cell { region, epoch: 0, .. } => self.region_seen(region),
            Input::Cell { .. } | Input::Made { .. } => Seen::Hidden,
            Input::Address(region) => self.region_seen(region),
        }
    }

    /// Whether a caller can reach an object.
    pub(crate) fn region_seen(&self, region: RegionId) -> Seen {
        match self.get(region) {
            Region::Pointee(input) => self.input_seen(input).max(Seen::Found),
            Region::Static(_) | Region::External(_) => Seen::Found,
            Region::Stack(_) | Region::New(..) => Seen::Hidden,
            Region::Element(of, offset) => {
                self.region_seen(of).max(self.term_seen[offset.0 as usize])
            }
        }
    }
}

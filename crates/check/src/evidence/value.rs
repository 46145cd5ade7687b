//! Abstract values of the evidence pass: which origins a value may come from.
//!
//! An *origin* names where a value enters the procedure: a parameter, the result of an unknown function, the content of
//! memory at entry, an allocation, a static object. Memory at entry is named by access paths: the content of slot `s`
//! of the object that origin `o` points to is the origin `Loaded(o, s)`. Paths of more than [`DEEPEST`] loads collapse
//! into one origin for all that is reached from there, so that there are finitely many.

use std::rc::Rc;

use interpret::Word;
use ir::FunctionId;
use rustc_hash::FxHashMap;

/// The maximum length of an access path.
const DEEPEST: u8 = 3;

/// The maximum number of origins of one value; a value with more may come from anywhere.
const MOST_ORIGINS: usize = 32;

/// The size of a slot of memory in bytes: the content of an object is distinguished slot by slot.
pub(super) const SLOT: i64 = 8;

/// An origin, by number.
pub(super) type Origin = u32;

/// Any origin.
pub(super) const ANYTHING: Origin = 0;

/// A slot of an object, by its offset in units of [`SLOT`]; none if the offset is not known.
pub(super) type Slot = Option<i64>;

/// Where a value enters the procedure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum OriginKind {
    /// Not known.
    Anything,
    /// A variable at entry.
    Entry(ir::Variable),
    /// An unknown value that this statement yields: block and position.
    Unknown(u32, u32),
    /// The content at entry of a slot of what another origin points to.
    Loaded(Origin, Slot),
    /// Everything that is reached through more loads from another origin.
    Reached(Origin),
    /// An object that this statement allocates: block and position.
    Allocated {
        /// The block and the position of the statement.
        at: (u32, u32),
        /// The size in bytes, if it is constant.
        size: Option<u64>,
        /// Whether the object is on the heap.
        heap: bool,
        /// Whether the allocation may fail.
        may_fail: bool,
    },
    /// A static object.
    Static(FunctionId),
}

/// All origins of a procedure.
#[derive(Debug)]
pub(super) struct Origins {
    kinds: Vec<(OriginKind, u8)>,
    numbers: FxHashMap<OriginKind, Origin>,
}

impl Origins {
    pub(super) fn new() -> Origins {
        let kind = OriginKind::Anything;
        Origins { kinds: vec![(kind, 0)], numbers: FxHashMap::from_iter([(kind, ANYTHING)]) }
    }

    pub(super) fn number(&mut self, kind: OriginKind) -> Origin {
        let depth = match kind {
            OriginKind::Loaded(base, _) => self.kinds[base as usize].1 + 1,
            OriginKind::Reached(base) => self.kinds[base as usize].1,
            OriginKind::Anything
            | OriginKind::Entry(_)
            | OriginKind::Unknown(..)
            | OriginKind::Allocated { .. }
            | OriginKind::Static(_) => 0,
        };
        *self.numbers.entry(kind).or_insert_with(|| {
            self.kinds.push((kind, depth));
            self.kinds.len() as Origin - 1
        })
    }

    /// The content at entry of a slot of what an origin points to.
    pub(super) fn loaded(&mut self, base: Origin, slot: Slot) -> Origin {
        match self.kinds[base as usize] {
            (OriginKind::Anything, _) => ANYTHING,
            (OriginKind::Reached(_), _) => base,
            (_, depth) if depth >= DEEPEST => self.number(OriginKind::Reached(base)),
            _ => self.number(OriginKind::Loaded(base, slot)),
        }
    }

    pub(super) fn kind(&self, origin: Origin) -> OriginKind {
        self.kinds[origin as usize].0
    }
}

/// A set of origins: ascending and shared. [`ANYTHING`] stands for all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Set(Option<Rc<Vec<Origin>>>);

impl Set {
    pub(super) fn one(origin: Origin) -> Set {
        Set(Some(Rc::new(vec![origin])))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Origin> + '_ {
        self.0.iter().flat_map(|members| members.iter().copied())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether the set stands for all origins.
    pub(super) fn is_anything(&self) -> bool {
        self.0.as_ref().is_some_and(|members| members[0] == ANYTHING)
    }

    pub(super) fn union(&self, other: &Set) -> Set {
        let (Some(a), Some(b)) = (&self.0, &other.0) else {
            return if self.is_empty() { other.clone() } else { self.clone() };
        };
        if Rc::ptr_eq(a, b) || a == b {
            return self.clone();
        }
        let mut all: Vec<Origin> = a.iter().chain(b.iter()).copied().collect();
        all.sort_unstable();
        all.dedup();
        if all[0] == ANYTHING || all.len() > MOST_ORIGINS {
            all = vec![ANYTHING];
        }
        Set(Some(Rc::new(all)))
    }
}

/// An abstract value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Value {
    /// What a pointer may point to: the objects that these origins point to.
    pub(super) objects: Set,
    /// What the value depends on.
    pub(super) depends: Set,
    /// Whether it may be null, or zero, because the program says so: a literal may flow here.
    pub(super) zero: bool,
    /// The offset of a pointer in bytes from where its origins point to, if it is the same for all.
    pub(super) offset: Option<i64>,
    /// The value of a word, if it is constant.
    pub(super) constant: Option<Word>,
}

impl Value {
    /// The value of an origin itself.
    pub(super) fn of(origin: Origin) -> Value {
        let (objects, depends) = (Set::one(origin), Set::one(origin));
        Value { objects, depends, offset: Some(0), ..Value::default() }
    }

    pub(super) fn constant(word: Word) -> Value {
        Value { zero: word.is_zero(), constant: Some(word), ..Value::default() }
    }

    pub(super) fn null() -> Value {
        Value { zero: true, offset: Some(0), ..Value::default() }
    }

    /// Everything that the value has to do with.
    pub(super) fn all(&self) -> Set {
        self.objects.union(&self.depends)
    }

    /// What is one of two values.
    pub(super) fn join(&self, other: &Value) -> Value {
        let same_offset = self.offset == other.offset;
        Value {
            objects: self.objects.union(&other.objects),
            depends: self.depends.union(&other.depends),
            zero: self.zero || other.zero,
            offset: self.offset.filter(|_| same_offset),
            constant: self.constant.clone().filter(|_| self.constant == other.constant),
        }
    }
}

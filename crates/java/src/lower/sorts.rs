//! Which reference types share a sort.
//!
//! A sort of VIR is a set of objects to which nothing outside can be equal. Java has one such set, but the
//! cost of a bounded heap is in the product of its parts, so types are kept apart as long as no value flows
//! between them: a class and its superclasses share a sort, and so do two types if somewhere a value of one
//! is used as the other. Lowering finds these: types are *unified* where a value is converted, and lowering
//! starts again with those sorts united, until no more types are unified.
//!
//! In a sort with several classes, or of which objects are allocated, a map holds the class of each object: a
//! union whose constructors are the classes, the first of them that of objects that do not exist yet.

use std::collections::BTreeSet;

use ir::SortId;
use rustc_hash::FxHashMap;

use crate::program::{ClassId, Program};
use crate::types::Ty;

/// The kinds of objects that are distinguished: by class, or by element type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    Class(ClassId),
    /// An array, by the erased type of its elements.
    Array(Ty),
}

/// The known kinds, and which of them share a sort.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sorts {
    kinds: Vec<Kind>,
    numbers: FxHashMap<Kind, usize>,
    parents: Vec<usize>,
    /// The kinds of which objects are made.
    made: BTreeSet<usize>,
}

/// A sort under construction: the kinds in it, and those that its objects can have.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) sort: SortId,
    pub(crate) kinds: Vec<Kind>,
    /// The kinds of objects, in the order of their constructors from one.
    pub(crate) classes: Vec<Kind>,
    /// Whether a class number distinguishes objects.
    pub(crate) is_numbered: bool,
}

impl Sorts {
    /// The sorts of a program of which nothing but the declarations is known.
    pub(crate) fn new(program: &Program<'_>) -> Sorts {
        let mut sorts = Sorts::default();
        for id in program.class_ids() {
            if !program.class(id).is_library {
                sorts.number(program, Kind::Class(id));
            }
        }
        sorts
    }

    /// How much is known, so that it can be seen whether there is more.
    pub(crate) fn size(&self) -> (usize, usize, usize) {
        let roots = (0..self.kinds.len()).filter(|&number| self.root(number) == number).count();
        (self.kinds.len(), roots, self.made.len())
    }

    /// The kind of an erased reference type.
    pub(crate) fn kind(program: &Program<'_>, ty: &Ty) -> Option<Kind> {
        match program.erased(ty) {
            Ty::Class(id, _) => Some(Kind::Class(id)),
            Ty::Array(element) => Some(Kind::Array(*element)),
            Ty::Unknown => program.object().map(Kind::Class),
            _ => None,
        }
    }

    /// The number of a kind. A class comes with what it extends, `Object` aside.
    pub(crate) fn number(&mut self, program: &Program<'_>, kind: Kind) -> usize {
        if let Some(&number) = self.numbers.get(&kind) {
            return number;
        }
        let number = self.kinds.len();
        self.kinds.push(kind.clone());
        self.parents.push(number);
        self.numbers.insert(kind.clone(), number);
        if let Kind::Class(id) = kind {
            for above in program.supertypes(id) {
                let Some(above) = program.class_of(&above) else { continue };
                let class = program.class(above);
                let is_apart = Some(above) == program.object()
                    || (class.is_library && class.kind == crate::syntax::TypeKind::Interface);
                if !is_apart {
                    let above = self.number(program, Kind::Class(above));
                    self.unite(number, above);
                }
            }
        }
        number
    }

    fn root(&self, mut number: usize) -> usize {
        while self.parents[number] != number {
            number = self.parents[number];
        }
        number
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        // The older one stays, so that the order of sorts does not depend on that of meetings.
        self.parents[a.max(b)] = a.min(b);
    }

    /// Unifies two types where a value of one is used as the other.
    pub(crate) fn unify(&mut self, program: &Program<'_>, a: &Ty, b: &Ty) {
        let (Some(kind), Some(other)) = (Sorts::kind(program, a), Sorts::kind(program, b)) else {
            return;
        };
        let numbers = [kind.clone(), other.clone()].map(|kind| self.number(program, kind));
        self.unite(numbers[0], numbers[1]);
        if let (Kind::Array(a), Kind::Array(b)) = (kind, other)
            && a.is_reference()
            && b.is_reference()
        {
            self.unify(program, &a, &b);
        }
    }

    /// An object of a kind is made.
    pub(crate) fn make(&mut self, program: &Program<'_>, kind: Kind) {
        let number = self.number(program, kind);
        self.made.insert(number);
    }

    /// All groups, in the order of their first kinds.
    pub(crate) fn groups(&self, program: &Program<'_>) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut of_root: FxHashMap<usize, usize> = FxHashMap::default();
        for (number, kind) in self.kinds.iter().enumerate() {
            let position = *of_root.entry(self.root(number)).or_insert_with(|| {
                let sort = SortId(groups.len() as u32);
                groups.push(Group {
                    sort,
                    kinds: Vec::new(),
                    classes: Vec::new(),
                    is_numbered: false,
                });
                groups.len() - 1
            });
            groups[position].kinds.push(kind.clone());
            groups[position].is_numbered |= self.made.contains(&number);
        }
        for group in &mut groups {
            let is_concrete = |kind: &Kind| match kind {
                Kind::Array(_) => true,
                Kind::Class(id) => {
                    let class = program.class(*id);
                    !class.is_abstract
                        || !group.kinds.iter().any(|other| match other {
                            Kind::Class(below) => {
                                below != id
                                    && !program.class(*below).is_abstract
                                    && program.is_subclass(*below, *id)
                            }
                            Kind::Array(_) => false,
                        })
                }
            };
            group.classes = group.kinds.iter().filter(|kind| is_concrete(kind)).cloned().collect();
            group.is_numbered |= group.classes.len() > 1;
        }
        groups
    }

    /// The position of the group of a kind among [`groups`](Sorts::groups).
    pub(crate) fn positions(&self) -> FxHashMap<Kind, usize> {
        let mut of_root: FxHashMap<usize, usize> = FxHashMap::default();
        let mut positions = FxHashMap::default();
        for (number, kind) in self.kinds.iter().enumerate() {
            let next = of_root.len();
            let position = *of_root.entry(self.root(number)).or_insert(next);
            positions.insert(kind.clone(), position);
        }
        positions
    }
}

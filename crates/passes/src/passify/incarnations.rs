//! Incarnations: which one each variable is in, and what they are called.

use std::rc::Rc;

use ir::{
    ADDRESS_BITS, Expr, ExprId, GlobalId, Local, LocalId, Memory, Module, Op, Procedure, Type,
    Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::MODE;
use crate::names::Names;

/// The number of each variable's incarnation. Copies share what has not changed since, so that many
/// states of many variables can be kept.
#[derive(Clone)]
pub(super) struct Numbers(Vec<Rc<[u32; Numbers::CHUNK]>>);

impl Numbers {
    const CHUNK: usize = 64;

    /// All variables are in their first incarnation.
    pub(super) fn new(count: usize) -> Numbers {
        let none = Rc::new([0; Numbers::CHUNK]);
        Numbers((0..count.div_ceil(Numbers::CHUNK)).map(|_| none.clone()).collect())
    }

    pub(super) fn get(&self, index: usize) -> u32 {
        self.0[index / Numbers::CHUNK][index % Numbers::CHUNK]
    }

    pub(super) fn set(&mut self, index: usize, number: u32) {
        if self.get(index) != number {
            Rc::make_mut(&mut self.0[index / Numbers::CHUNK])[index % Numbers::CHUNK] = number;
        }
    }

    /// A variable is in its next incarnation.
    pub(super) fn advance(&mut self, index: usize) {
        self.set(index, self.get(index) + 1);
    }

    /// The variables that are not in the same incarnation everywhere, in order.
    pub(super) fn differing(all: &[&Numbers]) -> Vec<usize> {
        let mut differing = Vec::new();
        let first = all[0];
        for chunk in 0..first.0.len() {
            if all.iter().all(|other| Rc::ptr_eq(&other.0[chunk], &first.0[chunk])) {
                continue;
            }
            let indices = (0..Numbers::CHUNK).map(|place| chunk * Numbers::CHUNK + place);
            differing
                .extend(indices.filter(|&i| all.iter().any(|other| other.get(i) != first.get(i))));
        }
        differing
    }
}

/// The operators that depend on the set of objects, as maps.
const FACTS: [Op; 5] = [
    Op::Memory(Memory::ObjectSize),
    Op::Memory(Memory::IsLive),
    Op::Memory(Memory::IsHeap),
    Op::PtrToBv,
    Op::BvToPtr,
];

/// Something that has incarnations.
struct Base {
    /// Its name, which no other has.
    name: String,
    /// Its display name.
    shown: String,
    ty: Type,
}

/// The variables of a procedure, its module's, and the maps of facts about objects; and their
/// incarnations as far as they have been asked for.
pub(super) struct Incarnations {
    globals: usize,
    bases: Vec<Base>,
    /// The variables that hold memory.
    memories: Vec<usize>,
    made: FxHashMap<(usize, u32), ExprId>,
    /// How many incarnations memories have.
    memory_count: u32,
    names: Names,
}

impl Incarnations {
    pub(super) fn new(module: &Module, procedure: &Procedure) -> Incarnations {
        let own: FxHashSet<&str> = procedure.locals.iter().map(|local| &*local.name).collect();
        let globals = module.globals.iter().map(|global| {
            let hidden = if own.contains(&*global.name) { "::" } else { "" };
            let name = format!("{hidden}{}", global.name);
            (name, global.display.clone(), global.ty.clone())
        });
        let locals = procedure.locals.iter();
        let locals =
            locals.map(|local| (local.name.clone(), local.display.clone(), local.ty.clone()));
        let facts = FACTS.iter().map(|op| (op.name().to_owned(), None, fact_type(op)));
        let mut names = Names::default();
        let mut bases: Vec<Base> = globals
            .chain(locals)
            .chain(facts)
            .map(|(name, display, ty)| {
                let name = names.fresh(&name);
                Base { shown: display.unwrap_or_else(|| name.clone()), name, ty }
            })
            .collect();
        // Variables with the same source name are distinguished by their VIR names.
        let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
        for base in &bases {
            *seen.entry(&base.shown).or_default() += 1;
        }
        let twice: FxHashSet<String> =
            seen.into_iter().filter(|(_, count)| *count > 1).map(|(s, _)| s.to_owned()).collect();
        for base in bases.iter_mut().filter(|base| twice.contains(&base.shown)) {
            base.shown.clone_from(&base.name);
        }
        let is_memory = |(index, base): (usize, &Base)| (base.ty == Type::Bytes).then_some(index);
        let memories = bases.iter().enumerate().filter_map(is_memory).collect();
        let (made, memory_count) = (FxHashMap::default(), 0);
        Incarnations { globals: module.globals.len(), bases, memories, made, memory_count, names }
    }

    /// How many variables there are.
    pub(super) fn len(&self) -> usize {
        self.bases.len()
    }

    pub(super) fn index(&self, variable: Variable) -> usize {
        match variable {
            Variable::Global(id) => id.0 as usize,
            Variable::Local(id) => self.globals + id.0 as usize,
        }
    }

    /// The variable with this index, if it is one of the program.
    pub(super) fn variable(&self, index: usize) -> Option<Variable> {
        match index.checked_sub(self.globals) {
            None => Some(Variable::Global(GlobalId(index as u32))),
            Some(_) if self.facts().contains(&index) => None,
            Some(local) => Some(Variable::Local(LocalId(local as u32))),
        }
    }

    pub(super) fn memories(&self) -> &[usize] {
        &self.memories
    }

    /// Which of the memories a variable is, if it is one.
    pub(super) fn memory(&self, index: usize) -> Option<usize> {
        self.memories.iter().position(|&memory| memory == index)
    }

    pub(super) fn facts(&self) -> std::ops::Range<usize> {
        self.bases.len() - FACTS.len()..self.bases.len()
    }

    /// The map in place of an operator that depends on which objects there are.
    pub(super) fn fact(&self, op: &Op) -> Option<usize> {
        let position = FACTS.iter().position(|fact| fact == op)?;
        Some(self.facts().start + position)
    }

    /// Makes the first incarnation of everything that a procedure mentions.
    pub(super) fn make_inputs(&mut self, passive: &mut Procedure, procedure: &Procedure) {
        let mut mentioned: Vec<usize> = Vec::new();
        for id in (0..procedure.exprs.len() as u32).map(ExprId) {
            if let Expr::Read(variable) = procedure.exprs.get(id) {
                mentioned.push(self.index(*variable));
            }
        }
        let statements = procedure.blocks.iter().flatten().flat_map(|block| &block.statements);
        let places = statements.flat_map(|statement| statement.kind.written());
        mentioned.extend(places.map(|place| self.index(place.variable)));
        mentioned.sort_unstable();
        mentioned.dedup();
        for index in mentioned {
            self.read(passive, index, 0);
        }
    }

    /// Reads an incarnation.
    pub(super) fn read(&mut self, passive: &mut Procedure, index: usize, number: u32) -> ExprId {
        if let Some(&read) = self.made.get(&(index, number)) {
            return read;
        }
        let Base { name, shown, ty } = &self.bases[index];
        let read = new(passive, name, shown, number, ty.clone());
        self.made.insert((index, number), read);
        read
    }

    /// A memory that may hold anything.
    pub(super) fn new_memory(&mut self, passive: &mut Procedure, index: usize) -> ExprId {
        self.memory_count += 1;
        self.read(passive, index, self.memory_count)
    }

    /// A value of a part of a variable.
    pub(super) fn new_any(&mut self, passive: &mut Procedure, ty: Type) -> ExprId {
        self.new_base(passive, "any", ty)
    }

    /// A Boolean that records which path was taken.
    pub(super) fn new_edge_flag(&mut self, passive: &mut Procedure) -> ExprId {
        self.new_base(passive, "taken", Type::Bool)
    }

    fn new_base(&mut self, passive: &mut Procedure, name: &str, ty: Type) -> ExprId {
        let name = self.names.fresh(name);
        new(passive, &name, &name, 0, ty)
    }
}

/// A new incarnation, read.
fn new(passive: &mut Procedure, name: &str, shown: &str, number: u32, ty: Type) -> ExprId {
    let id = LocalId(passive.locals.len() as u32);
    let (name, display) = (format!("{name}#{number}"), format!("{shown}{}", subscript(number)));
    passive.locals.push(Local { name, ty: ty.clone(), mode: MODE, display: Some(display) });
    passive.exprs.push(Expr::Read(Variable::Local(id)), ty)
}

/// A number as an index: 12 is `₁₂`.
fn subscript(number: u32) -> String {
    let digit = |digit: char| {
        let value = digit.to_digit(10).unwrap_or(0);
        char::from_u32(u32::from('₀') + value).unwrap_or(digit)
    };
    number.to_string().chars().map(digit).collect()
}

fn fact_type(op: &Op) -> Type {
    let word = Type::Bv(ADDRESS_BITS);
    let (key, value) = match op {
        Op::Memory(Memory::ObjectSize) | Op::PtrToBv => (Type::Ptr, word),
        Op::BvToPtr => (word, Type::Ptr),
        _ => (Type::Ptr, Type::Bool),
    };
    Type::Map(vec![key], Box::new(value))
}

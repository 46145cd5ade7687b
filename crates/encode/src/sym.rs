//! Symbolic values: what a variable may hold, under all inputs at once.
//!
//! The representation follows from the type and the scope, never from who asks. A map over keys
//! that can be listed within the scope is a table with a value per key: fields of bounded heaps,
//! sets and relations are tables. Any other map is an array of words. A sequence is a length and a
//! slot for each position. Two values of one type always have the same shape, so choosing between
//! them is choosing at the leaves.

use std::rc::Rc;

use circuit::{Array, Bits, Gate};
use ir::{Module, Type, VariantId};

use crate::context::Context;
use crate::escape::Escape;
use crate::integer::Integer;
use crate::memory::Contents;

/// A symbolic value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Sym {
    Bool(Gate),
    /// A word, an atom (zero is `null`, the others are numbered from one) or a pointer.
    Bits(Bits),
    Int(Integer),
    /// The values of a map at all its keys, in the order of [`Context::keys`].
    Table(Rc<Vec<Sym>>),
    /// A map whose keys and values are words.
    Array(Array),
    /// The contents of memory.
    Bytes(Contents),
    Seq(Rc<Sequence>),
    /// A value of a type that has no representation. A computation with it leaves the scope.
    Nothing,
    /// A record, or the tag and then all arguments of all constructors of a tagged union.
    Tuple(Rc<Vec<Sym>>),
}

impl Sym {
    /// The bits of a value that is one word; none of others.
    pub(crate) fn word(&self) -> Vec<Gate> {
        match self {
            Sym::Bool(gate) => vec![*gate],
            Sym::Bits(bits) => bits.iter().collect(),
            Sym::Int(integer) => integer.word.iter().collect(),
            Sym::Table(_) | Sym::Array(_) | Sym::Bytes(_) | Sym::Seq(_) => Vec::new(),
            Sym::Nothing | Sym::Tuple(_) => Vec::new(),
        }
    }
}

/// A symbolic sequence. Slots at and beyond the length mean nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sequence {
    pub(crate) length: Bits,
    pub(crate) slots: Vec<Sym>,
    /// If it may have more elements than there are slots, which happens in an over-approximation only.
    pub(crate) long: Option<Long>,
}

/// A sequence that may be longer than the scope allows. Where it is, its slots mean nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Long {
    pub(crate) is: Gate,
    /// How many elements it has, long or not.
    pub(crate) length: Integer,
    /// A free bit of its own, so that two long sequences that are the same gates are the same.
    pub(crate) name: Gate,
}

impl Sym {
    pub(crate) fn gate(&self) -> Gate {
        match self {
            Sym::Bool(gate) => *gate,
            other => unreachable!("a truth value was expected, not {other:?}"),
        }
    }

    pub(crate) fn bits(&self) -> &Bits {
        match self {
            Sym::Bits(bits) => bits,
            other => unreachable!("a word was expected, not {other:?}"),
        }
    }

    pub(crate) fn int(&self) -> &Integer {
        match self {
            Sym::Int(integer) => integer,
            other => unreachable!("an integer was expected, not {other:?}"),
        }
    }

    pub(crate) fn table(&self) -> &Rc<Vec<Sym>> {
        match self {
            Sym::Table(values) => values,
            other => unreachable!("a table was expected, not {other:?}"),
        }
    }

    pub(crate) fn contents(&self) -> Contents {
        match self {
            Sym::Bytes(contents) => *contents,
            other => unreachable!("memory was expected, not {other:?}"),
        }
    }

    pub(crate) fn seq(&self) -> &Rc<Sequence> {
        match self {
            Sym::Seq(sequence) => sequence,
            other => unreachable!("a sequence was expected, not {other:?}"),
        }
    }

    /// Whether it has no part without a representation.
    fn is_known(&self) -> bool {
        match self {
            Sym::Nothing => false,
            Sym::Table(values) | Sym::Tuple(values) => values.iter().all(Sym::is_known),
            Sym::Seq(sequence) => sequence.slots.iter().all(Sym::is_known),
            Sym::Bool(_) | Sym::Bits(_) | Sym::Int(_) | Sym::Array(_) | Sym::Bytes(_) => true,
        }
    }

    pub(crate) fn tuple(&self) -> &Rc<Vec<Sym>> {
        match self {
            Sym::Tuple(values) => values,
            other => unreachable!("a tuple was expected, not {other:?}"),
        }
    }
}

impl Context<'_> {
    /// `a` where the condition holds, `b` elsewhere; both have the same type.
    pub(crate) fn select(&mut self, condition: Gate, a: &Sym, b: &Sym) -> Sym {
        match condition.as_constant() {
            Some(true) => return a.clone(),
            Some(false) => return b.clone(),
            None if a == b => return a.clone(),
            None => {}
        }
        match (a, b) {
            (Sym::Bool(a), Sym::Bool(b)) => Sym::Bool(self.circuit.ite(condition, *a, *b)),
            (Sym::Bits(a), Sym::Bits(b)) => Sym::Bits(self.circuit.select(condition, a, b)),
            (Sym::Int(a), Sym::Int(b)) => {
                Sym::Int(Integer::select(&mut self.circuit, condition, a, b))
            }
            (Sym::Array(a), Sym::Array(b)) => Sym::Array(self.arrays.select(condition, *a, *b)),
            (Sym::Bytes(a), Sym::Bytes(b)) => Sym::Bytes(self.memories.select(condition, *a, *b)),
            (Sym::Table(a), Sym::Table(b)) => Sym::Table(Rc::new(self.select_all(condition, a, b))),
            (Sym::Tuple(a), Sym::Tuple(b)) => Sym::Tuple(Rc::new(self.select_all(condition, a, b))),
            (Sym::Seq(a), Sym::Seq(b)) => Sym::Seq(Rc::new(Sequence {
                length: self.circuit.select(condition, &a.length, &b.length),
                slots: self.select_all(condition, &a.slots, &b.slots),
                long: self.select_long(condition, a, b),
            })),
            _ => unreachable!("values of one type have one shape"),
        }
    }

    fn select_all(&mut self, condition: Gate, a: &[Sym], b: &[Sym]) -> Vec<Sym> {
        a.iter().zip(b).map(|(a, b)| self.select(condition, a, b)).collect()
    }

    /// Whether two values of a type are equal.
    pub(crate) fn equal(&mut self, ty: &Type, a: &Sym, b: &Sym) -> Gate {
        if a == b && a.is_known() {
            return Gate::TRUE;
        }
        match (a, b) {
            (Sym::Bool(a), Sym::Bool(b)) => self.circuit.iff(*a, *b),
            (Sym::Bits(a), Sym::Bits(b)) => self.circuit.equal(a, b),
            (Sym::Int(a), Sym::Int(b)) => self.int_equal(a, b),
            (Sym::Table(a), Sym::Table(b)) => {
                let Type::Map(_, ty) = ty else { unreachable!("{ty:?} is no map type") };
                let parts = a.iter().zip(&**b).map(|(a, b)| self.equal(ty, a, b));
                let parts: Vec<Gate> = parts.collect();
                self.circuit.and_all(parts)
            }
            (Sym::Tuple(a), Sym::Tuple(b)) => {
                let types = self.parts(ty);
                let parts = types.iter().zip(a.iter().zip(&**b));
                let parts: Vec<Gate> = parts.map(|(ty, (a, b))| self.equal(ty, a, b)).collect();
                self.circuit.and_all(parts)
            }
            (Sym::Seq(a), Sym::Seq(b)) => {
                let Type::Seq(ty) = ty else { unreachable!("{ty:?} is no sequence type") };
                let mut parts = vec![self.circuit.equal(&a.length, &b.length)];
                let [a_long, b_long] = [&a.long, &b.long]
                    .map(|long| long.as_ref().map_or(Gate::FALSE, |long| long.is));
                for (position, (x, y)) in a.slots.iter().zip(&b.slots).enumerate() {
                    let here = self.equal(ty, x, y);
                    let used = self.position_used(&a.length, position);
                    parts.push(self.circuit.implies(used, here));
                }
                let short = self.circuit.and_all(parts);
                if (a_long, b_long) == (Gate::FALSE, Gate::FALSE) {
                    return short;
                }
                // Two long ones may be equal if their lengths are.
                let mut both = vec![a_long, b_long];
                if let (Some(a), Some(b)) = (&a.long, &b.long) {
                    both.push(self.int_equal(&a.length, &b.length));
                    both.push(self.circuit.input());
                }
                let both = self.circuit.and_all(both);
                let short = self.circuit.and_all([short, !a_long, !b_long]);
                self.circuit.or(short, both)
            }
            (Sym::Array(_), Sym::Array(_)) => self.equal_maps(ty, a, b),
            (Sym::Bytes(_), Sym::Bytes(_)) | (Sym::Nothing, _) | (_, Sym::Nothing) => {
                self.out_of_scope(Escape::UnboundedMaps, &Type::Bool).gate()
            }
            _ => unreachable!("values of one type have one shape"),
        }
    }

    /// Whether a sequence of this length has an element at a position.
    pub(crate) fn position_used(&mut self, length: &Bits, position: usize) -> Gate {
        let position = Bits::constant(length.width(), position as u128);
        self.circuit.ult(&position, length)
    }

    /// A value of the type of which nothing is known but that it lies within the scope.
    pub(crate) fn fresh(&mut self, ty: &Type) -> Sym {
        match ty {
            Type::Bool => Sym::Bool(self.circuit.input()),
            Type::Bv(width) => Sym::Bits(self.circuit.fresh_bits(*width as usize)),
            Type::Int => Sym::Int(self.fresh_int()),
            Type::Sort(sort) => {
                // No value refers to atoms that are still to be allocated. Atoms that have been allocated are
                // possible values only if no execution may be left out.
                let width = bits_for(self.atoms(*sort) + 1);
                if self.under() {
                    let known = self.fresh_below(self.existing(*sort) + 1);
                    return Sym::Bits(known.zero_extend(width));
                }
                let word = self.circuit.fresh_bits(width);
                let existing = self.is_atom(*sort, &word, self.existing(*sort));
                self.constrain(existing);
                Sym::Bits(word)
            }
            Type::Map(keys, value) => match self.keys(keys) {
                Some(count) => Sym::Table(Rc::new((0..count).map(|_| self.fresh(value)).collect())),
                None => {
                    let widths = self.word_widths(keys, value);
                    match widths {
                        Some((index, width)) => {
                            let array = self.arrays.unknown(index, width);
                            let existing = self.all_existing();
                            self.unknowns.push((array, (**value).clone(), existing));
                            Sym::Array(array)
                        }
                        None => Sym::Nothing,
                    }
                }
            },
            Type::Seq(element) => {
                let slots = self.scope.sequence as usize;
                let length = self.fresh_below(slots as u32 + 1);
                let slots = (0..slots).map(|_| self.fresh(element)).collect();
                let long = (!self.under()).then(|| self.fresh_long(&length));
                Sym::Seq(Rc::new(Sequence { length, slots, long }))
            }
            Type::Record(_) => {
                let parts = self.parts(ty).iter().map(|part| self.fresh(part)).collect();
                Sym::Tuple(Rc::new(parts))
            }
            Type::Variant(variant) => {
                let constructors = self.module.variants[variant.0 as usize].constructors.len();
                let tag = self.fresh_below(constructors as u32);
                let mut parts = vec![Sym::Bits(tag)];
                parts.extend(self.parts(ty)[1..].iter().map(|part| self.fresh(part)));
                self.canonical(*variant, parts)
            }
            Type::Ptr => self.fresh_pointer(),
            Type::Bytes => self.fresh_memory(),
        }
    }

    /// A value of the type of which nothing at all is known, within the scope or not; none if there is no way to
    /// represent all of them. To be asked for in an over-approximation only.
    pub(crate) fn anything(&mut self, ty: &Type) -> Option<Sym> {
        Some(match ty {
            Type::Bool | Type::Bv(_) | Type::Int => self.fresh(ty),
            Type::Seq(element) => {
                let slots = self.scope.sequence as usize;
                let length = self.fresh_below(slots as u32 + 1);
                let slots: Option<_> = (0..slots).map(|_| self.anything(element)).collect();
                let long = Some(self.fresh_long(&length));
                Sym::Seq(Rc::new(Sequence { length, slots: slots?, long }))
            }
            Type::Sort(_) | Type::Ptr => {
                let width = self.word_width(ty)?;
                Sym::Bits(self.circuit.fresh_bits(width))
            }
            Type::Map(keys, value) => match (self.keys(keys), self.word_widths(keys, value)) {
                (Some(count), _) => {
                    let values: Option<_> = (0..count).map(|_| self.anything(value)).collect();
                    Sym::Table(Rc::new(values?))
                }
                (None, Some((index, value))) => Sym::Array(self.arrays.unknown(index, value)),
                (None, None) => Sym::Nothing,
            },
            Type::Record(_) => {
                let parts: Option<_> =
                    self.parts(ty).iter().map(|part| self.anything(part)).collect();
                Sym::Tuple(Rc::new(parts?))
            }
            Type::Variant(variant) => {
                let constructors = self.module.variants[variant.0 as usize].constructors.len();
                let mut parts = vec![Sym::Bits(self.fresh_below(constructors as u32))];
                for part in &self.parts(ty)[1..] {
                    parts.push(self.anything(part)?);
                }
                self.canonical(*variant, parts)
            }
            Type::Bytes => return None,
        })
    }

    fn fresh_int(&mut self) -> Integer {
        let word = self.circuit.fresh_bits(self.scope.int_width as usize);
        if self.under() {
            return Integer::small(word);
        }
        Integer { word, big: self.circuit.input(), negative: self.circuit.input() }
    }

    /// A word that holds any number below `count`.
    pub(crate) fn fresh_below(&mut self, count: u32) -> Bits {
        let width = bits_for(count);
        let word = self.circuit.fresh_bits(width);
        if count < 1 << width {
            let bound = Bits::constant(width, u128::from(count));
            let within = self.circuit.ult(&word, &bound);
            self.constrain(within);
        }
        word
    }

    /// The default value of a type: false, zero, `null`, empty.
    pub(crate) fn default(&mut self, ty: &Type) -> Sym {
        match ty {
            Type::Bool => Sym::Bool(Gate::FALSE),
            Type::Bv(width) => Sym::Bits(Bits::zero(*width as usize)),
            Type::Int => Sym::Int(Integer::small(Bits::zero(self.scope.int_width as usize))),
            Type::Sort(sort) => Sym::Bits(Bits::zero(bits_for(self.atoms(*sort) + 1))),
            Type::Map(_, value) => {
                let value = self.default(value);
                self.constant_map(ty, &value)
            }
            Type::Seq(element) => {
                let slots = self.scope.sequence as usize;
                let length = Bits::zero(bits_for(slots as u32 + 1));
                let slots = (0..slots).map(|_| self.default(element)).collect();
                Sym::Seq(Rc::new(Sequence { length, slots, long: None }))
            }
            Type::Record(_) | Type::Variant(_) => {
                let parts = self.parts(ty).iter().map(|part| self.default(part)).collect();
                Sym::Tuple(Rc::new(parts))
            }
            Type::Ptr => Sym::Bits(Bits::zero(64)),
            Type::Bytes => self.fresh_memory(),
        }
    }

    /// The types of a record's fields, or of a tagged union's tag and arguments.
    pub(crate) fn parts(&self, ty: &Type) -> Vec<Type> {
        parts(self.module, ty)
    }

    /// A value of a tagged union from any tag and arguments: the arguments of all constructors but
    /// its own are made the defaults of their types, so that equal values have equal parts.
    pub(crate) fn canonical(&mut self, variant: VariantId, mut parts: Vec<Sym>) -> Sym {
        let constructors = self.module.variants[variant.0 as usize].constructors.clone();
        let tag = parts[0].bits().clone();
        for (number, (_, types)) in constructors.iter().enumerate() {
            let mine = Bits::constant(tag.width(), number as u128);
            let mine = self.circuit.equal(&tag, &mine);
            let from = self.argument_offset(variant, number as u32);
            for (place, ty) in (from..).zip(types) {
                let default = self.default(ty);
                parts[place] = self.select(mine, &parts[place].clone(), &default);
            }
        }
        Sym::Tuple(Rc::new(parts))
    }

    /// The offset of the arguments of a constructor among the parts of its tagged union.
    pub(crate) fn argument_offset(&self, variant: VariantId, constructor: u32) -> usize {
        let constructors = &self.module.variants[variant.0 as usize].constructors;
        1 + constructors[..constructor as usize].iter().map(|c| c.1.len()).sum::<usize>()
    }
}

/// The number of bits that distinguish `count` values, at least one.
pub(crate) fn bits_for(count: u32) -> usize {
    (32 - count.saturating_sub(1).leading_zeros()).max(1) as usize
}

/// The types of a record's fields, or of a tagged union's tag and arguments.
pub(crate) fn parts(module: &Module, ty: &Type) -> Vec<Type> {
    match ty {
        Type::Record(record) => {
            let fields = &module.records[record.0 as usize].fields;
            fields.iter().map(|field| field.1.clone()).collect()
        }
        Type::Variant(variant) => {
            let constructors = &module.variants[variant.0 as usize].constructors;
            let tag = Type::Bv(bits_for(constructors.len() as u32) as u32);
            let arguments = constructors.iter().flat_map(|constructor| &constructor.1);
            [tag].into_iter().chain(arguments.cloned()).collect()
        }
        other => unreachable!("{other:?} has no parts"),
    }
}

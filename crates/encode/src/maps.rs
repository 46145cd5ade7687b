//! Maps: tables where the keys can be listed, arrays of words where they cannot.

use std::rc::Rc;

use circuit::{Bits, Gate};
use ir::{SortId, Type};

use crate::context::Context;
use crate::escape::Escape;
use crate::integer::Integer;
use crate::sym::{Sym, bits_for};

impl Context<'_> {
    /// The value of a map at keys.
    pub(crate) fn read(&mut self, ty: &Type, map: &Sym, keys: &[Sym]) -> Sym {
        if let (Sym::Array(_), Type::Map(types, _)) = (map, ty) {
            self.note_keys(types, keys);
        }
        self.read_quietly(ty, map, keys)
    }

    /// The value of a map at keys, which are not noted as terms.
    pub(crate) fn read_quietly(&mut self, ty: &Type, map: &Sym, keys: &[Sym]) -> Sym {
        let Type::Map(key_types, value_type) = ty else { unreachable!("{ty:?} is no map type") };
        match map {
            Sym::Table(values) => {
                if let Some(row) = self.row(key_types, keys) {
                    return values[row].clone();
                }
                let hits = self.hits(key_types, Gate::TRUE, keys);
                // The keys are listed in full, so the last value needs no condition.
                let (last, others) = values.split_last().expect("a map has at least one key");
                let mut result = last.clone();
                for (value, hit) in others.iter().zip(&hits) {
                    result = self.select(*hit, value, &result);
                }
                result
            }
            Sym::Array(array) => {
                let (index, beyond) = self.index(key_types, keys);
                let word = self.arrays.read(&mut self.circuit, *array, &index);
                let value = self.unpack(value_type, &word);
                if beyond == Gate::FALSE {
                    return value;
                }
                // The same index is the same key, whatever it is.
                let unknown = match self.far.get(&(*array, index.clone())) {
                    Some(known) => known.clone(),
                    None => self.anything(value_type).expect("what is a word can be anything"),
                };
                self.far.insert((*array, index), unknown.clone());
                self.select(beyond, &unknown, &value)
            }
            other => unreachable!("{other:?} is no map"),
        }
    }

    /// The map with its value at keys replaced where the guard holds.
    pub(crate) fn write(
        &mut self,
        ty: &Type,
        map: &Sym,
        guard: Gate,
        keys: &[Sym],
        value: &Sym,
    ) -> Sym {
        let Type::Map(key_types, _) = ty else { unreachable!("{ty:?} is no map type") };
        match map {
            Sym::Table(values) => {
                if let Some(row) = self.row(key_types, keys) {
                    let mut written = (**values).clone();
                    written[row] = self.select(guard, value, &values[row]);
                    return Sym::Table(Rc::new(written));
                }
                let hits = self.hits(key_types, guard, keys);
                let written = values
                    .iter()
                    .zip(hits)
                    .map(|(old, hit)| {
                        let here = self.circuit.and(guard, hit);
                        self.select(here, value, old)
                    })
                    .collect();
                Sym::Table(Rc::new(written))
            }
            Sym::Array(array) => {
                self.note_keys(key_types, keys);
                // An index that is too big to be distinguished equals no other key.
                let (index, beyond) = self.index(key_types, keys);
                let word = self.pack(value);
                let written = self.arrays.write(*array, guard, &index, &word);
                if beyond != Gate::FALSE && guard == Gate::TRUE {
                    self.far.insert((written, index), value.clone());
                }
                Sym::Array(written)
            }
            other => unreachable!("{other:?} is no map"),
        }
    }

    /// The map that is the same everywhere.
    pub(crate) fn constant_map(&mut self, ty: &Type, value: &Sym) -> Sym {
        let Type::Map(keys, value_type) = ty else { unreachable!("{ty:?} is no map type") };
        if let Some(count) = self.keys(keys) {
            return Sym::Table(Rc::new(vec![value.clone(); count]));
        }
        match self.word_widths(keys, value_type) {
            Some((index, _)) => {
                let word = self.pack(value);
                Sym::Array(self.arrays.constant(index, &word))
            }
            None => Sym::Nothing,
        }
    }

    /// The entry of a table for keys that are constant atoms.
    fn row(&self, types: &[Type], keys: &[Sym]) -> Option<usize> {
        let mut row = 0;
        for (ty, key) in types.iter().zip(keys) {
            let (Type::Sort(_), Sym::Bits(word)) = (ty, key) else { return None };
            let count = self.values(ty)?;
            let number = usize::try_from(word.as_constant()?).ok().filter(|&n| n < count)?;
            row = row * count + number;
        }
        Some(row)
    }

    /// For each key of a table, whether it is the given one, which matters where the guard holds. Exactly
    /// one is, for every input that the constraints admit, or else the scope is left.
    fn hits(&mut self, types: &[Type], guard: Gate, keys: &[Sym]) -> Vec<Gate> {
        let mut hits = vec![Gate::TRUE];
        for (ty, key) in types.iter().zip(keys) {
            let count = self.values_of_key(types, ty).expect("the keys of a table can be listed");
            let here: Vec<Gate> = (0..count)
                .map(|number| {
                    let value = self.value(ty, number);
                    self.equal(ty, key, &value)
                })
                .collect();
            if self.values(ty).is_none() {
                let listed = self.circuit.or_all(here.iter().copied());
                let beyond = self.circuit.and(guard, !listed);
                self.escape(beyond, Escape::Column);
            }
            hits = hits
                .iter()
                .flat_map(|&prefix| here.iter().map(move |&hit| (prefix, hit)))
                .map(|(prefix, hit)| self.circuit.and(prefix, hit))
                .collect();
        }
        hits
    }

    /// The value of a listed type with this number.
    pub(crate) fn value(&mut self, ty: &Type, number: usize) -> Sym {
        match ty {
            Type::Bool => Sym::Bool(Gate::constant(number == 1)),
            Type::Bv(width) => Sym::Bits(Bits::constant(*width as usize, number as u128)),
            Type::Sort(_) => {
                let width = self.word_width(ty).expect("an atom is a word");
                Sym::Bits(Bits::constant(width, number as u128))
            }
            Type::Record(_) => {
                let mut rest = number;
                let parts = self.parts(ty);
                let mut values: Vec<Sym> = Vec::with_capacity(parts.len());
                for part in parts.iter().rev() {
                    let count = self.values(part).expect("the parts of a listed type are listed");
                    values.push(self.value(part, rest % count));
                    rest /= count;
                }
                values.reverse();
                Sym::Tuple(Rc::new(values))
            }
            other => unreachable!("the values of {other:?} cannot be listed"),
        }
    }

    /// The keys of a table in order, each a list of values.
    pub(crate) fn listed(&mut self, types: &[Type]) -> Vec<Vec<Sym>> {
        let mut keys = vec![vec![]];
        for ty in types {
            let count = self.values_of_key(types, ty).expect("the keys of a table can be listed");
            let values: Vec<Sym> = (0..count).map(|number| self.value(ty, number)).collect();
            keys = keys
                .iter()
                .flat_map(|prefix: &Vec<Sym>| {
                    values
                        .iter()
                        .map(move |value| prefix.iter().cloned().chain([value.clone()]).collect())
                })
                .collect();
        }
        keys
    }

    /// Keys as one word, and the condition that one of them is an integer too big to be distinguished.
    fn index(&mut self, types: &[Type], keys: &[Sym]) -> (Bits, Gate) {
        let mut index: Vec<Gate> = Vec::new();
        let mut beyond = Gate::FALSE;
        for (ty, key) in types.iter().zip(keys) {
            if let (Type::Int, Sym::Int(integer)) = (ty, key) {
                beyond = self.circuit.or(beyond, integer.big);
            }
            index.extend(self.pack(key).iter());
        }
        (Bits::from(index), beyond)
    }

    /// A value as a word.
    pub(crate) fn pack(&mut self, value: &Sym) -> Bits {
        match value {
            Sym::Bool(gate) => Bits::from(*gate),
            Sym::Bits(bits) => bits.clone(),
            Sym::Int(integer) if self.under() => integer.word.clone(),
            Sym::Int(integer) => {
                // The sign is that of the word unless it is big.
                let side = self.circuit.and(integer.big, integer.negative);
                integer.word.concat(&Bits::from(integer.big)).concat(&Bits::from(side))
            }
            Sym::Tuple(parts) => {
                let words: Vec<Bits> = parts.iter().map(|part| self.pack(part)).collect();
                words.iter().flat_map(|word| word.iter().collect::<Vec<_>>()).collect()
            }
            Sym::Table(_) | Sym::Array(_) | Sym::Seq(_) | Sym::Bytes(_) | Sym::Nothing => {
                self.escape(Gate::TRUE, Escape::UnboundedMaps);
                Bits::from(Vec::new())
            }
        }
    }

    /// Lets what the cells of unknown arrays hold be values of their types, once all are read.
    pub(crate) fn constrain_cells(&mut self) {
        for (array, ty, existing) in std::mem::take(&mut self.unknowns) {
            let cells: Vec<Bits> =
                self.arrays.cells(array).map(|(_, value)| value.clone()).collect();
            for cell in cells {
                let within = self.is_existing(&ty, &cell, &existing);
                self.constrain(within);
            }
        }
    }

    /// Whether a word stands for a value, of atoms of these numbers.
    fn is_existing(&mut self, ty: &Type, word: &Bits, existing: &[u32]) -> Gate {
        match ty {
            Type::Bool | Type::Bv(_) | Type::Int => Gate::TRUE,
            Type::Sort(sort) => self.is_atom(*sort, word, existing[sort.0 as usize]),
            Type::Ptr if self.under() => self.is_initial_pointer(word),
            Type::Ptr => Gate::TRUE,
            Type::Record(_) | Type::Variant(_) => {
                let mut from = 0;
                let mut within = Vec::new();
                for part in self.parts(ty) {
                    let width = self.word_width(&part).expect("the parts of a word are words");
                    let word = word.extract(from..from + width);
                    within.push(self.is_existing(&part, &word, existing));
                    from += width;
                }
                if let Type::Variant(variant) = ty {
                    let count = self.module.variants[variant.0 as usize].constructors.len() as u32;
                    let tag = word.extract(0..bits_for(count));
                    within.push(self.is_at_most(&tag, count - 1));
                }
                self.circuit.and_all(within)
            }
            Type::Map(..) | Type::Seq(_) | Type::Bytes => unreachable!("{ty:?} is no word"),
        }
    }

    /// Whether a word denotes one of `existing` atoms. In an over-approximation, numbers beyond those that are
    /// still to be allocated denote further atoms.
    pub(crate) fn is_atom(&mut self, sort: SortId, word: &Bits, existing: u32) -> Gate {
        let all = self.atoms(sort);
        let known = self.is_at_most(word, existing);
        if self.under() {
            return known;
        }
        if existing == all {
            return Gate::TRUE;
        }
        let counted = self.is_at_most(word, all);
        self.circuit.or(known, !counted)
    }

    /// Whether a word is at most a number.
    pub(crate) fn is_at_most(&mut self, word: &Bits, most: u32) -> Gate {
        if u64::from(most) >= (1_u64 << word.width().min(32)) - 1 {
            return Gate::TRUE;
        }
        let most = Bits::constant(word.width(), u128::from(most));
        self.circuit.ule(word, &most)
    }

    /// The value that a word stands for.
    fn unpack(&mut self, ty: &Type, word: &Bits) -> Sym {
        match ty {
            Type::Bool => Sym::Bool(word.gates()[0]),
            Type::Bv(_) | Type::Sort(_) | Type::Ptr => Sym::Bits(word.clone()),
            Type::Int => {
                let width = self.scope.int_width as usize;
                if self.under() {
                    return Sym::Int(Integer::small(word.clone()));
                }
                let [big, negative] = [word.gates()[width], word.gates()[width + 1]];
                Sym::Int(Integer { word: word.extract(0..width), big, negative })
            }
            Type::Record(_) | Type::Variant(_) => {
                let mut from = 0;
                let mut values = Vec::new();
                for part in self.parts(ty) {
                    let width = self.word_width(&part).expect("the parts of a word are words");
                    values.push(self.unpack(&part, &word.extract(from..from + width)));
                    from += width;
                }
                match ty {
                    // The arguments of other constructors may be anything in an unknown array.
                    Type::Variant(variant) => self.canonical(*variant, values),
                    _ => Sym::Tuple(Rc::new(values)),
                }
            }
            Type::Map(..) | Type::Seq(_) | Type::Bytes => {
                unreachable!("{ty:?} is no word")
            }
        }
    }
}

//! Static objects: those that a procedure mentions, or that constant ones it mentions point to.
//!
//! They are numbered behind the objects of the environment. A constant object holds its contents; of any
//! other nothing is known at entry but that every byte of it has a value.

use circuit::{Array, Bits};
use ir::{Content, Expr, ExprId, FunctionId, Module, Procedure};

use crate::context::Context;
use crate::memory::OFFSET;
use crate::sym::Sym;

/// Contents of at most this many bytes are known byte by byte.
const KNOWN: u64 = 4096;

/// The static objects that matter to a procedure, by position, in order.
pub(crate) fn mentioned(module: &Module, procedure: &Procedure) -> Vec<usize> {
    if module.objects.is_empty() {
        return Vec::new();
    }
    let mut mentioned = vec![false; module.objects.len()];
    let mut pending: Vec<usize> = Vec::new();
    for id in 0..procedure.exprs.len() as u32 {
        if let Expr::Apply(function, _) = procedure.exprs.get(ExprId(id)) {
            pending.extend(module.object_at(*function));
        }
    }
    while let Some(position) = pending.pop() {
        if std::mem::replace(&mut mentioned[position], true) {
            continue;
        }
        let object = &module.objects[position];
        if !object.constant {
            continue;
        }
        for (_, part) in object.contents.iter().flatten() {
            match part {
                Content::Address(to, _) => pending.extend(module.object_at(*to)),
                Content::Bytes(_) => {}
            }
        }
    }
    (0..mentioned.len()).filter(|&position| mentioned[position]).collect()
}

impl Context<'_> {
    /// The number of the first static object.
    fn first_static(&self) -> u32 {
        self.scope.objects + 1
    }

    /// The static object with this number, by position in the module.
    pub(crate) fn static_numbered(&self, number: u32) -> Option<usize> {
        let index = number.checked_sub(self.first_static())?;
        self.statics.get(index as usize).copied()
    }

    /// The pointer that a constant is, if it is the address of a static object.
    pub(crate) fn static_address(&mut self, address: FunctionId) -> Option<Sym> {
        let position = self.module.object_at(address)?;
        let index = self.statics.binary_search(&position).ok()?;
        Some(self.pointer_to(self.first_static() + index as u32))
    }

    /// Whether every byte of an object has a value, though it is not known which.
    pub(crate) fn is_given(&self, number: u32) -> bool {
        match self.static_numbered(number) {
            Some(position) => !self.has_known_contents(position),
            None => (1..=self.scope.objects).contains(&number),
        }
    }

    fn has_known_contents(&self, position: usize) -> bool {
        let object = &self.module.objects[position];
        object.constant && object.contents.is_some() && object.size <= KNOWN
    }

    /// What an object holds at entry.
    pub(crate) fn initial_contents(&mut self, number: u32) -> Array {
        if self.is_given(number) {
            return self.arrays.unknown(OFFSET, 9);
        }
        let mut array = self.arrays.constant(OFFSET, &Bits::zero(9));
        let Some(position) = self.static_numbered(number) else { return array };
        let module = self.module;
        for (offset, part) in module.objects[position].contents.iter().flatten() {
            let cells: Vec<Bits> = match part {
                Content::Bytes(bytes) => {
                    bytes.iter().map(|byte| Bits::constant(8, u128::from(*byte))).collect()
                }
                Content::Address(to, distance) => {
                    let Some(Sym::Bits(start)) = self.static_address(*to) else { continue };
                    let distance = Bits::constant(OFFSET, u128::from(*distance as u64 & MASK));
                    let moved = self.circuit.add(&start.extract(0..OFFSET), &distance);
                    let word = moved.concat(&start.extract(OFFSET..64));
                    (0..8).map(|byte| word.extract(8 * byte..8 * byte + 8)).collect()
                }
            };
            for (index, byte) in (*offset..).zip(cells) {
                let index = Bits::constant(OFFSET, u128::from(index));
                let cell = byte.concat(&Bits::ones(1));
                array = self.arrays.write(array, circuit::Gate::TRUE, &index, &cell);
            }
        }
        array
    }
}

/// The bits of an offset.
const MASK: u64 = (1 << OFFSET) - 1;

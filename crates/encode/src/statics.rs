//! Static objects: those that a procedure mentions, or that constant ones it mentions point to.
//!
//! A constant object holds its contents; of any other nothing is known at entry but that every byte of it
//! has a value.

use circuit::{Bits, Circuit, Gate};
use ir::address::address;
use ir::{Content, Expr, ExprId, FunctionId, Module, Procedure};

use crate::context::Context;
use crate::limits::KNOWN_BYTES;
use crate::memory::{Address, CELL, Cells, OBJECT, OFFSET, cells, same_object, start};
use crate::sym::Sym;

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
    /// The pointer that a constant is, if it is the address of a static object.
    pub(crate) fn static_address(&mut self, address: FunctionId) -> Option<Sym> {
        let position = self.module.object_at(address)?;
        Some(self.pointer_to(position as u32 + 1))
    }

    /// Whether every byte of an object has a value at entry, though it is not known which.
    pub(crate) fn is_given(&mut self, object: &Bits) -> Gate {
        let given = object.msb();
        let first = self.first_own();
        if let Some(number) = object.as_constant() {
            let is_static = number > 0 && number < u128::from(first);
            let known = is_static && self.has_known_contents(number as usize - 1);
            return Gate::constant(given == Gate::TRUE || is_static && !known);
        }
        if !self.under() {
            let first = Bits::constant(OBJECT, u128::from(first));
            let is_static = self.circuit.ult(object, &first);
            return self.circuit.or(given, is_static);
        }
        let open = self.statics.iter().filter(|&&position| !self.has_known_contents(position));
        let open: Vec<Bits> = open.map(|&position| number(position)).collect();
        open.iter().fold(given, |given, at| {
            let hit = same_object(&mut self.circuit, object, at);
            self.circuit.or(given, hit)
        })
    }

    fn has_known_contents(&self, position: usize) -> bool {
        let object = &self.module.objects[position];
        object.constant && object.contents.is_some() && object.size <= KNOWN_BYTES
    }

    /// The cells at an address, if it is certainly in one constant object.
    pub(crate) fn constant_cells(&mut self, at: &Address, bytes: usize) -> Option<Bits> {
        let position = usize::try_from(at.object.as_constant()?).ok()?.checked_sub(1)?;
        let is_known = position < self.module.objects.len() && self.has_known_contents(position);
        is_known.then(|| self.look_up(position, at, bytes))
    }

    /// The cells at an address, constant objects included.
    pub(crate) fn with_constants(&mut self, mut value: Cells, at: &Address, bytes: usize) -> Cells {
        let known = self.statics.iter().filter(|&&position| self.has_known_contents(position));
        for position in known.copied().collect::<Vec<_>>() {
            let hit = same_object(&mut self.circuit, &at.object, &number(position));
            if hit != Gate::FALSE {
                let held = self.look_up(position, at, bytes);
                value.cells = self.circuit.select(hit, &held, &value.cells);
            }
        }
        value
    }

    /// The cells of a constant object from a place on.
    fn look_up(&mut self, position: usize, at: &Address, bytes: usize) -> Bits {
        let table = self.table(position);
        let place = at.place(&mut self.circuit);
        let c = &mut self.circuit;
        let offset = c.bitxor(&place, &start());
        let mut held = Vec::with_capacity(bytes * CELL);
        for byte in 0..bytes {
            let offset = c.add(&offset, &Bits::constant(OFFSET, byte as u128));
            held.extend(choose(c, offset.gates(), &table).iter());
        }
        Bits::from(held)
    }

    /// The cells of a constant object.
    fn table(&self, position: usize) -> Vec<Bits> {
        let object = &self.module.objects[position];
        let mut table = vec![Bits::zero(CELL); object.size as usize];
        for (offset, part) in object.contents.iter().flatten() {
            let bytes = match part {
                Content::Bytes(bytes) => bytes.clone(),
                Content::Address(to, distance) => {
                    let to = self.module.object_at(*to).map_or(0, |position| position as u64 + 1);
                    address(to, *distance).to_le_bytes().to_vec()
                }
            };
            for (cell, byte) in table.iter_mut().skip(*offset as usize).zip(bytes) {
                *cell = cells(&Bits::constant(8, u128::from(byte)), Gate::TRUE);
            }
        }
        table
    }
}

/// The entry of a table at an index, lowest bit first; none behind its end.
fn choose(c: &mut Circuit, index: &[Gate], table: &[Bits]) -> Bits {
    if table.is_empty() {
        return Bits::zero(CELL);
    }
    if table.len() == 1 {
        return table[0].clone();
    }
    let bits = table.len().next_power_of_two().ilog2() as usize;
    let (low, high) = table.split_at(1 << (bits - 1));
    match index[bits - 1].as_constant() {
        Some(false) => choose(c, index, low),
        Some(true) => choose(c, index, high),
        None => {
            let (low, high) = (choose(c, index, low), choose(c, index, high));
            c.select(index[bits - 1], &high, &low)
        }
    }
}

fn number(position: usize) -> Bits {
    Bits::constant(OBJECT, position as u128 + 1)
}

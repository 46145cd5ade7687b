//! The contents of memory, as a term that is never materialised, and reads from it.
//!
//! Memory is made of writes, block copies, fills and choices on top of a base. A read walks down the term
//! and becomes multiplexers, as reads of [`circuit::Arrays`] do, but it reads all bytes of a value at
//! once, and compares addresses as [`Addresses`](super::address::Addresses) can: a block copy of any
//! length is one term, and a read below it is a read elsewhere.
//!
//! A cell is a byte and whether it was ever written, nine bits. The cells of a base come into being as
//! they are read; a later read of the same place gets the value of the earlier one.

use circuit::{Bits, Circuit, Gate};
use rustc_hash::FxHashMap;

use super::address::{At, Relation, same_object};
use crate::context::Context;

/// Bits of a cell.
pub(crate) const CELL: usize = 9;

/// The contents of memory, identified by an index into [`Memories`]. They never change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Contents(u32);

/// All that memory held at some time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memories {
    terms: Vec<Term>,
    reads: FxHashMap<Read, Cells>,
}

/// A read: from where, at which address, how many bytes.
type Read = (Contents, At, usize);

/// The result of a read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cells {
    pub(crate) cells: Bits,
    /// The condition under which a value was met that lies across the one that is read, and was passed over: then
    /// nothing is known of them.
    pub(crate) torn: Gate,
}

/// How contents are made.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    /// Anything, as far as it has been read: addresses and the cells that came into being there.
    Base { entry: bool, known: Vec<(At, Bits)> },
    /// Cells written at an address.
    Write { below: Contents, at: At, cells: Bits },
    /// So many bytes copied from an address to another.
    Copy { below: Contents, to: At, from: At, count: Bits },
    /// A byte written a number of times.
    Fill { below: Contents, to: At, byte: Bits, count: Bits },
    /// One of two.
    Select { condition: Gate, then: Contents, otherwise: Contents },
    /// External code has written to some objects.
    Forget { below: Contents, base: Contents, touched: Touched },
}

/// The objects to which external code may have written.
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    /// Of our own, by number, for sure.
    pub(crate) own: Vec<u32>,
    /// The objects that were passed.
    pub(crate) passed: Vec<Bits>,
    /// The objects of the environment, where this holds.
    pub(crate) others: Gate,
}

impl Memories {
    pub(crate) fn push(&mut self, term: Term) -> Contents {
        let contents = Contents(u32::try_from(self.terms.len()).expect("fewer than 2^32 terms"));
        self.terms.push(term);
        contents
    }

    /// The addresses at which the initial memory was read, and the cells that came into being there.
    pub(crate) fn read_at_entry(&self) -> impl Iterator<Item = (At, &Bits)> {
        let bases = self.terms.iter().filter_map(|term| match term {
            Term::Base { entry: true, known } => Some(known),
            Term::Base { entry: false, .. }
            | Term::Write { .. }
            | Term::Copy { .. }
            | Term::Fill { .. }
            | Term::Select { .. }
            | Term::Forget { .. } => None,
        });
        bases.flatten().map(|(at, cells)| (*at, cells))
    }

    pub(crate) fn term(&self, contents: Contents) -> &Term {
        &self.terms[contents.0 as usize]
    }

    /// The contents `then` where the condition holds, `otherwise` elsewhere.
    pub(crate) fn select(
        &mut self,
        condition: Gate,
        then: Contents,
        otherwise: Contents,
    ) -> Contents {
        match condition.as_constant() {
            Some(true) => then,
            Some(false) => otherwise,
            None if then == otherwise => then,
            None => self.push(Term::Select { condition, then, otherwise }),
        }
    }

    /// The result of an earlier read, or else the read itself, which has to be done first.
    fn known(&self, contents: Contents, at: At, bytes: usize) -> Result<Cells, Read> {
        let read = (contents, at, bytes);
        self.reads.get(&read).cloned().ok_or(read)
    }
}

impl Context<'_> {
    /// The cells at an address. If they are a pointer's, what is unknown of them is one.
    pub(crate) fn read_cells(
        &mut self,
        contents: Contents,
        at: At,
        bytes: usize,
        is_pointer: bool,
    ) -> Cells {
        let asked = (contents, at, bytes);
        let mut pending = vec![asked];
        while let Some(&read) = pending.last() {
            if self.memories.reads.contains_key(&read) {
                pending.pop();
                continue;
            }
            match self.attempt(read, is_pointer) {
                Ok(cells) => {
                    self.memories.reads.insert(read, cells);
                    pending.pop();
                }
                Err(first) => pending.push(first),
            }
        }
        self.memories.reads[&asked].clone()
    }

    /// Does a read, unless another has to be done first.
    fn attempt(&mut self, (contents, at, bytes): Read, is_pointer: bool) -> Result<Cells, Read> {
        if self.circuit.len() > self.scope.gates {
            return Ok(Cells { cells: Bits::zero(bytes * CELL), torn: Gate::TRUE });
        }
        match self.memories.term(contents).clone() {
            Term::Base { entry, .. } => Ok(self.read_base(contents, at, bytes, entry, is_pointer)),
            Term::Write { below, at: written, cells } => {
                let relation = self.addresses.relation(&mut self.circuit, at, written);
                if covers(&relation, bytes, cells.width() / CELL) {
                    let Relation::Fixed { distance, .. } = relation else { unreachable!() };
                    let from = distance as usize * CELL;
                    let cells = cells.extract(from..from + bytes * CELL);
                    return Ok(Cells { cells, torn: Gate::FALSE });
                }
                let below = self.memories.known(below, at, bytes)?;
                Ok(self.overlay(below, &relation, &cells))
            }
            Term::Copy { below, to, .. } | Term::Fill { below, to, .. }
                if self.is_unknown(at, to) =>
            {
                let below = self.memories.known(below, at, bytes)?;
                Ok(self.maybe_lost(below))
            }
            Term::Copy { below, to, from, count } => {
                let inside = self.inside(at, to, &count, bytes);
                let source = self.addresses.carried(&mut self.circuit, from, to, at);
                self.choose(&inside, (below, source), (below, at), bytes)
            }
            Term::Fill { below, to, byte, count } => {
                let inside = self.inside(at, to, &count, bytes);
                let filled = repeat(&byte.concat(&Bits::ones(1)), bytes);
                let filled = Cells { cells: filled, torn: Gate::FALSE };
                if inside.iter().all(|&gate| gate == Gate::TRUE) {
                    return Ok(filled);
                }
                let below = self.memories.known(below, at, bytes)?;
                Ok(merge(&mut self.circuit, &inside, &filled, &below))
            }
            Term::Select { condition, then, otherwise } => {
                let inside = vec![condition; bytes];
                self.choose(&inside, (then, at), (otherwise, at), bytes)
            }
            Term::Forget { below, base, touched } => {
                let object = self.addresses.get(at).object.clone();
                let inside = vec![self.is_touched(&touched, &object); bytes];
                self.choose(&inside, (base, at), (below, at), bytes)
            }
        }
    }

    fn is_unknown(&mut self, at: At, to: At) -> bool {
        matches!(self.addresses.relation(&mut self.circuit, at, to), Relation::Unknown)
    }

    /// The result of a read if nothing was written above it, or anything if something was.
    fn maybe_lost(&mut self, below: Cells) -> Cells {
        let lost = self.circuit.input();
        Cells { torn: self.circuit.or(below.torn, lost), ..below }
    }

    /// Byte by byte the first read where its gate holds, else the second; what no gate asks for is not
    /// read.
    fn choose(
        &mut self,
        gates: &[Gate],
        (first, first_at): (Contents, At),
        (second, second_at): (Contents, At),
        bytes: usize,
    ) -> Result<Cells, Read> {
        if gates.iter().all(|&gate| gate == Gate::TRUE) {
            return self.memories.known(first, first_at, bytes);
        }
        let second = self.memories.known(second, second_at, bytes)?;
        if gates.iter().all(|&gate| gate == Gate::FALSE) {
            return Ok(second);
        }
        let first = self.memories.known(first, first_at, bytes)?;
        Ok(merge(&mut self.circuit, gates, &first, &second))
    }

    /// For each of a number of bytes at an address, whether it is among those that are counted from another.
    fn inside(&mut self, at: At, from: At, count: &Bits, bytes: usize) -> Vec<Gate> {
        let c = &mut self.circuit;
        let width = count.width();
        let (same, distance) = match self.addresses.relation(c, at, from) {
            Relation::Apart => return vec![Gate::FALSE; bytes],
            Relation::Unknown => unreachable!("nothing is computed of what lies anywhere"),
            Relation::Fixed { same, distance } => {
                (same, Bits::signed_constant(width, i128::from(distance)))
            }
            Relation::Open { same, distance } => (same, distance.sign_extend(width)),
        };
        let byte = |c: &mut Circuit, number: usize| {
            let distance = c.add(&distance, &Bits::constant(width, number as u128));
            let within = c.ult(&distance, count);
            c.and(same, within)
        };
        (0..bytes).map(|number| byte(c, number)).collect()
    }

    /// The result of a read where cells were written above it.
    fn overlay(&mut self, below: Cells, relation: &Relation, written: &Bits) -> Cells {
        if let Relation::Unknown = relation {
            return self.maybe_lost(below);
        }
        let (bytes, count) = (below.cells.width() / CELL, written.width() / CELL);
        let c = &mut self.circuit;
        let mut gates: Vec<Gate> = below.cells.iter().collect();
        let mut torn = below.torn;
        let mut put = |c: &mut Circuit, hit: Gate, distance: i64| {
            for byte in 0..bytes {
                let source = usize::try_from(byte as i64 + distance).ok();
                let Some(source) = source.filter(|&source| source < count) else { continue };
                for bit in 0..CELL {
                    let slot = &mut gates[byte * CELL + bit];
                    *slot = c.ite(hit, written.gates()[source * CELL + bit], *slot);
                }
            }
        };
        match relation {
            Relation::Apart | Relation::Unknown => {}
            Relation::Fixed { same, distance } => {
                put(c, *same, *distance);
            }
            Relation::Open { same, distance } => {
                let hit = *same;
                let width = distance.width();
                let (first, last) = (1 - bytes as i64, count as i64 - 1);
                // Values of one size are equal or disjoint, except in unusual code. In an over-approximation,
                // values of different sizes are not distinguished byte by byte either.
                let is_even = bytes == count;
                let is_under = self.scope.is_under();
                let exact = match (is_even, is_under) {
                    (true, _) => Some(0..=0),
                    (false, true) => Some(first..=last),
                    (false, false) => None,
                };
                for at in exact.into_iter().flatten() {
                    let there = c.equal(distance, &Bits::signed_constant(width, i128::from(at)));
                    let hit = c.and(hit, there);
                    put(c, hit, at);
                }
                if is_even && !is_aligned(distance, bytes) || !is_even && !is_under {
                    let shift = Bits::signed_constant(width, i128::from(-first));
                    let reach = Bits::signed_constant(width, i128::from(last - first));
                    let shifted = c.add(distance, &shift);
                    let near = c.ule(&shifted, &reach);
                    let exact = if is_even { c.is_zero(distance) } else { Gate::FALSE };
                    let across = c.and(near, !exact);
                    let across = c.and(hit, across);
                    torn = c.or(torn, across);
                }
            }
        }
        Cells { cells: Bits::from(gates), torn }
    }

    /// The content of a base, which this read may be the first to request.
    fn read_base(
        &mut self,
        base: Contents,
        at: At,
        bytes: usize,
        entry: bool,
        is_pointer: bool,
    ) -> Cells {
        let address = self.addresses.get(at).clone();
        if entry && let Some(cells) = self.constant_cells(&address, bytes) {
            return Cells { cells, torn: Gate::FALSE };
        }
        let given = if entry { self.is_given(&address.object) } else { Gate::TRUE };
        if given == Gate::FALSE {
            let nothing = Cells { cells: Bits::zero(bytes * CELL), torn: Gate::FALSE };
            return if entry { self.with_constants(nothing, &address, bytes) } else { nothing };
        }
        let fresh = match is_pointer {
            true => self.fresh_pointer().bits().clone(),
            false => self.circuit.fresh_bits(8 * bytes),
        };
        let fresh = cells(&fresh, given);
        let Term::Base { known, .. } = &mut self.memories.terms[base.0 as usize] else {
            unreachable!("only a base is read as one")
        };
        let earlier = known.clone();
        known.push((at, fresh.clone()));
        let mut value = Cells { cells: fresh, torn: Gate::FALSE };
        for (other, held) in earlier.iter().rev() {
            let relation = self.addresses.relation(&mut self.circuit, at, *other);
            match relation {
                Relation::Apart => {}
                // In an over-approximation, what lies at open places may be anything.
                Relation::Open { .. } | Relation::Unknown if !self.scope.is_under() => {}
                Relation::Open { .. } if self.circuit.len() > self.scope.gates => {
                    value.torn = Gate::TRUE;
                    break;
                }
                Relation::Open { .. } | Relation::Fixed { .. } | Relation::Unknown => {
                    value = self.overlay(value, &relation, held);
                }
            }
        }
        if entry {
            value = self.with_constants(value, &address, bytes);
        }
        value
    }

    /// Whether external code may have written to an object; constants are never written.
    fn is_touched(&mut self, touched: &Touched, object: &Bits) -> Gate {
        let position = object.as_constant().and_then(|number| usize::try_from(number).ok());
        let position = position.and_then(|number| number.checked_sub(1));
        let known = position.and_then(|position| self.module.objects.get(position));
        if known.is_some_and(|object| object.constant) {
            return Gate::FALSE;
        }
        let Touched { own, passed, others } = touched;
        let c = &mut self.circuit;
        let own = own.iter().map(|&number| Bits::constant(object.width(), number.into()));
        let named: Vec<Bits> = own.chain(passed.iter().cloned()).collect();
        let mut gate = Gate::FALSE;
        for number in named {
            let same = same_object(c, object, &number);
            gate = c.or(gate, same);
        }
        if *others != Gate::FALSE {
            let foreign = self.is_given(object);
            let foreign = self.circuit.and(*others, foreign);
            gate = self.circuit.or(gate, foreign);
        }
        gate
    }
}

/// Whether a write is certain and holds all that is read.
fn covers(relation: &Relation, bytes: usize, written: usize) -> bool {
    match relation {
        Relation::Fixed { same: Gate::TRUE, distance } => {
            usize::try_from(*distance).is_ok_and(|from| from + bytes <= written)
        }
        Relation::Apart | Relation::Fixed { .. } | Relation::Open { .. } | Relation::Unknown => {
            false
        }
    }
}

/// Whether two values of this size at this distance cannot overlap partially.
fn is_aligned(distance: &Bits, bytes: usize) -> bool {
    let low = bytes.trailing_zeros() as usize;
    bytes.is_power_of_two()
        && low <= distance.width()
        && distance.iter().take(low).all(|bit| bit == Gate::FALSE)
}

fn merge(c: &mut Circuit, gates: &[Gate], first: &Cells, second: &Cells) -> Cells {
    let mut cells = Vec::with_capacity(first.cells.width());
    for (byte, &gate) in gates.iter().enumerate() {
        for bit in byte * CELL..(byte + 1) * CELL {
            cells.push(c.ite(gate, first.cells.gates()[bit], second.cells.gates()[bit]));
        }
    }
    let torn = match gates {
        [only] => c.ite(*only, first.torn, second.torn),
        _ => c.or(first.torn, second.torn),
    };
    Cells { cells: Bits::from(cells), torn }
}

/// The cells of a word, each written where the gate holds.
pub(crate) fn cells(word: &Bits, written: Gate) -> Bits {
    let bytes = word.gates().chunks(8);
    Bits::from(bytes.flat_map(|byte| byte.iter().copied().chain([written])).collect::<Vec<_>>())
}

fn repeat(cell: &Bits, times: usize) -> Bits {
    Bits::from((0..times).flat_map(|_| cell.iter()).collect::<Vec<_>>())
}

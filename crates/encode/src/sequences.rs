//! Sequences up to the scope's length, and what is longer.
//!
//! In an under-approximation, a sequence that outgrows the scope leaves it. In an over-approximation, it becomes
//! *long*: of a long sequence only the length is known, and what is asked of its elements is answered by free
//! inputs.

use std::rc::Rc;

use circuit::{Bits, Gate};
use ir::{Op, Type};

use crate::context::Context;
use crate::escape::Escape;
use crate::integer::Integer;
use crate::sym::{Long, Sequence, Sym, bits_for};

impl Context<'_> {
    fn length_width(&self) -> usize {
        bits_for(self.scope.sequence + 1)
    }

    pub(crate) fn seq_unit(&mut self, ty: &Type, element: &Sym) -> Sym {
        let mut slots = vec![self.default(ty); self.scope.sequence as usize];
        let none = slots.is_empty();
        if let Some(first) = slots.first_mut() {
            *first = element.clone();
        }
        let one = Integer::small(Bits::constant(self.scope.int_width as usize, 1));
        let long = self.outgrown(Gate::constant(none), one);
        let length = Bits::constant(self.length_width(), 1);
        Sym::Seq(Rc::new(Sequence { length, slots, long }))
    }

    /// A sequence of some length that exceeds the scope where the gate holds.
    fn outgrown(&mut self, is: Gate, length: Integer) -> Option<Long> {
        if self.under() {
            self.escape(is, Escape::Sequence);
            return None;
        }
        (is != Gate::FALSE).then(|| Long { is, length, name: self.circuit.input() })
    }

    /// Lets a sequence that has this length otherwise be long.
    pub(crate) fn fresh_long(&mut self, length: &Bits) -> Long {
        let beyond = self.fresh(&Type::Int);
        let most = self.int_of(&Bits::constant(33, u128::from(self.scope.sequence)));
        let is = self.circuit.input();
        let longer = self.int_less(most.int(), beyond.int());
        let follows = self.circuit.implies(is, longer);
        self.constrain(follows);
        let short = self.int_of(&length.zero_extend(length.width() + 1));
        let length = self.select(is, &beyond, &short).int().clone();
        Long { is, length, name: self.circuit.input() }
    }

    /// The one of two sequences that a condition selects, as far as it may be long.
    pub(crate) fn select_long(
        &mut self,
        condition: Gate,
        a: &Sequence,
        b: &Sequence,
    ) -> Option<Long> {
        if a.long.is_none() && b.long.is_none() {
            return None;
        }
        let (a_length, b_length) = (self.seq_length(a), self.seq_length(b));
        let length = self.select(condition, &a_length, &b_length).int().clone();
        let of = |long: &Option<Long>| match long {
            Some(long) => (long.is, long.name),
            None => (Gate::FALSE, Gate::FALSE),
        };
        let ((a_is, a_name), (b_is, b_name)) = (of(&a.long), of(&b.long));
        Some(Long {
            is: self.circuit.ite(condition, a_is, b_is),
            length,
            name: self.circuit.ite(condition, a_name, b_name),
        })
    }

    pub(crate) fn seq_concat(&mut self, a: &Sequence, b: &Sequence) -> Sym {
        let width = self.length_width();
        let total =
            self.circuit.add(&a.length.zero_extend(width + 1), &b.length.zero_extend(width + 1));
        let most = Bits::constant(width + 1, u128::from(self.scope.sequence));
        let too_long = self.circuit.ult(&most, &total);
        let operands = [a, b].map(|s| s.long.as_ref().map_or(Gate::FALSE, |long| long.is));
        let is_long = self.circuit.or_all([too_long, operands[0], operands[1]]);
        let length = match self.under() {
            true => Integer::small(Bits::zero(self.scope.int_width as usize)),
            false => {
                let (a, b) = (self.seq_length(a), self.seq_length(b));
                let sum = self.apply(&Op::IntAdd, &[&Type::Int; 2], &[a, b], &Type::Int);
                sum.int().clone()
            }
        };
        let long = self.outgrown(is_long, length);
        // Behind each possible end of the first sequence comes the second.
        let mut slots = a.slots.clone();
        for end in 0..a.slots.len() {
            let here = self.circuit.equal(&a.length, &Bits::constant(width, end as u128));
            for (slot, behind) in slots[end..].iter_mut().zip(&b.slots) {
                *slot = self.select(here, behind, slot);
            }
        }
        Sym::Seq(Rc::new(Sequence { length: total.extract(0..width), slots, long }))
    }

    /// The length as an integer.
    pub(crate) fn seq_length(&mut self, a: &Sequence) -> Sym {
        match &a.long {
            Some(long) => Sym::Int(long.length.clone()),
            None => self.int_of(&a.length.zero_extend(a.length.width() + 1)),
        }
    }

    /// A value where a sequence is not long, and any value of the type where it is.
    fn unless_long(&mut self, a: &Sequence, ty: &Type, value: Sym) -> Sym {
        let Some(long) = &a.long else { return value };
        match self.anything(ty) {
            Some(any) => self.select(long.is, &any, &value),
            None => {
                self.escape(long.is, Escape::Sequence);
                value
            }
        }
    }

    /// The element at a position, the default of its type outside.
    pub(crate) fn seq_at(&mut self, element: &Type, a: &Sequence, position: &Integer) -> Sym {
        let mut result = self.default(element);
        for (number, slot) in a.slots.iter().enumerate() {
            let here = self.is_number(position, number);
            let used = self.position_used(&a.length, number);
            let hit = self.circuit.and(here, used);
            result = self.select(hit, slot, &result);
        }
        self.unless_long(a, element, result)
    }

    /// Whether an integer is this small number.
    fn is_number(&mut self, integer: &Integer, number: usize) -> Gate {
        let width = integer.word.width();
        if number >= 1 << (width - 1) {
            return Gate::FALSE;
        }
        let same = self.circuit.equal(&integer.word, &Bits::constant(width, number as u128));
        self.circuit.and(same, !integer.big)
    }

    /// A number of elements from a position on, cut to the existing ones.
    pub(crate) fn seq_slice(
        &mut self,
        element: &Type,
        a: &Sequence,
        from: &Integer,
        count: &Integer,
    ) -> Sym {
        let slots = a.slots.len();
        let width = self.length_width();
        let zero = Integer::small(Bits::zero(from.word.width()));
        let mut result = Sequence {
            length: Bits::zero(width),
            slots: vec![self.default(element); slots],
            long: None,
        };
        for start in 0..slots {
            // A negative start is cut to what there is as well: it is read as zero, and what lies
            // before the start is not counted.
            let here =
                if start == 0 { !self.int_less(&zero, from) } else { self.is_number(from, start) };
            let shifted: Vec<Sym> = (start..slots)
                .map(|position| a.slots[position].clone())
                .chain((0..start).map(|_| self.default(element)))
                .collect();
            let start = Bits::constant(width, start as u128);
            let beyond = self.circuit.ult(&a.length, &start);
            let rest = self.circuit.sub(&a.length, &start);
            let left = self.circuit.select(beyond, &Bits::zero(width), &rest);
            let taken = Sequence { length: left, slots: shifted, long: None };
            let chosen =
                self.select(here, &Sym::Seq(Rc::new(taken)), &Sym::Seq(Rc::new(result.clone())));
            result = (**chosen.seq()).clone();
        }
        // Then no more than asked for.
        let negative = self.int_less(count, &zero);
        result.length = self.circuit.select(negative, &Bits::zero(width), &result.length.clone());
        for number in 0..slots {
            let asked = self.is_number(count, number);
            let number = Bits::constant(width, number as u128);
            let fewer = self.circuit.umin(&number, &result.length);
            result.length = self.circuit.select(asked, &fewer, &result.length);
        }
        let ty = Type::Seq(Box::new(element.clone()));
        self.unless_long(a, &ty, Sym::Seq(Rc::new(result)))
    }

    /// At how many positions a sequence has an element.
    pub(crate) fn seq_count(&mut self, element: &Type, a: &Sequence, value: &Sym) -> Sym {
        let width = self.length_width() + 1;
        let mut count = Bits::zero(width);
        for (number, slot) in a.slots.iter().enumerate() {
            let same = self.equal(element, slot, value);
            let used = self.position_used(&a.length, number);
            let hit = self.circuit.and(same, used);
            let one = Bits::constant(width, 1);
            let more = self.circuit.add(&count, &one);
            count = self.circuit.select(hit, &more, &count);
        }
        let count = self.int_of(&count);
        self.unless_long(a, &Type::Int, count)
    }

    pub(crate) fn seq_reverse(&mut self, a: &Sequence) -> Sym {
        let width = self.length_width();
        let mut slots = a.slots.clone();
        for length in 2..=a.slots.len() {
            let here = self.circuit.equal(&a.length, &Bits::constant(width, length as u128));
            for (slot, mirrored) in slots.iter_mut().zip(a.slots[..length].iter().rev()) {
                *slot = self.select(here, mirrored, slot);
            }
        }
        // A long sequence becomes another one of the same length.
        let long = a.long.clone().map(|long| Long { name: self.circuit.input(), ..long });
        Sym::Seq(Rc::new(Sequence { length: a.length.clone(), slots, long }))
    }
}

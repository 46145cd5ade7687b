//! Sequences up to the scope's length.

use std::rc::Rc;

use circuit::{Bits, Gate};
use ir::Type;

use crate::context::Context;
use crate::escape::Escape;
use crate::integer::Integer;
use crate::sym::{Sequence, Sym, bits_for};

impl Context<'_> {
    fn length_width(&self) -> usize {
        bits_for(self.scope.sequence + 1)
    }

    pub(crate) fn seq_unit(&mut self, ty: &Type, element: &Sym) -> Sym {
        let mut slots = vec![self.default(ty); self.scope.sequence as usize];
        match slots.first_mut() {
            Some(first) => *first = element.clone(),
            None => self.escape(Gate::TRUE, Escape::Sequence),
        }
        let length = Bits::constant(self.length_width(), 1);
        Sym::Seq(Rc::new(Sequence { length, slots }))
    }

    pub(crate) fn seq_concat(&mut self, a: &Sequence, b: &Sequence) -> Sym {
        let width = self.length_width();
        let total =
            self.circuit.add(&a.length.zero_extend(width + 1), &b.length.zero_extend(width + 1));
        let most = Bits::constant(width + 1, u128::from(self.scope.sequence));
        let too_long = self.circuit.ult(&most, &total);
        self.escape(too_long, Escape::Sequence);
        // Behind each possible end of the first sequence comes the second.
        let mut slots = a.slots.clone();
        for end in 0..a.slots.len() {
            let here = self.circuit.equal(&a.length, &Bits::constant(width, end as u128));
            for (slot, behind) in slots[end..].iter_mut().zip(&b.slots) {
                *slot = self.select(here, behind, slot);
            }
        }
        Sym::Seq(Rc::new(Sequence { length: total.extract(0..width), slots }))
    }

    /// The length as an integer.
    pub(crate) fn seq_length(&mut self, a: &Sequence) -> Sym {
        let width = self.scope.int_width as usize;
        let wide = a.length.width() + 1;
        let exact = a.length.zero_extend(wide.max(width));
        let fitted = Integer::fit(
            &mut self.circuit,
            &exact,
            width,
            Gate::FALSE,
            Gate::FALSE,
            self.scope.direction == crate::Direction::Under,
        );
        self.escape(fitted.escapes, Escape::Integer);
        Sym::Int(fitted.integer)
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
        result
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

    /// The elements from a position on, so many of them, cut to what there is.
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
        let mut result =
            Sequence { length: Bits::zero(width), slots: vec![self.default(element); slots] };
        for start in 0..slots {
            // A negative start is cut to what there is as well: it is read as zero, and what lies
            // before the start is not counted.
            let here = if start == 0 {
                Integer::less(&mut self.circuit, from, &zero, true)
            } else {
                self.is_number(from, start)
            };
            let shifted: Vec<Sym> = (start..slots)
                .map(|position| a.slots[position].clone())
                .chain((0..start).map(|_| self.default(element)))
                .collect();
            let start = Bits::constant(width, start as u128);
            let beyond = self.circuit.ult(&a.length, &start);
            let rest = self.circuit.sub(&a.length, &start);
            let left = self.circuit.select(beyond, &Bits::zero(width), &rest);
            let taken = Sequence { length: left, slots: shifted };
            let chosen =
                self.select(here, &Sym::Seq(Rc::new(taken)), &Sym::Seq(Rc::new(result.clone())));
            result = (**chosen.seq()).clone();
        }
        // Then no more than asked for.
        let negative = Integer::less(&mut self.circuit, count, &zero, false);
        result.length = self.circuit.select(negative, &Bits::zero(width), &result.length.clone());
        for number in 0..slots {
            let asked = self.is_number(count, number);
            let number = Bits::constant(width, number as u128);
            let fewer = self.circuit.umin(&number, &result.length);
            result.length = self.circuit.select(asked, &fewer, &result.length);
        }
        Sym::Seq(Rc::new(result))
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
        Sym::Seq(Rc::new(Sequence { length: a.length.clone(), slots }))
    }
}

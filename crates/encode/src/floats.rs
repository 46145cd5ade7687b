//! Floating-point numbers: operators on words of gates, and which inputs are read as numbers.
//!
//! Every word of inputs that an operator reads as a number is recorded, and so is every test for NaN. A NaN that the
//! procedure computes itself, as ∞ − ∞, is not recorded. Conversions of numbers that are out of range for the integer
//! type, which C leaves undefined, are recorded too.

use circuit::{Bits, FloatFormat, Gate, Node};
use ir::{Float, Op};
use rustc_hash::FxHashSet;

use crate::apply::of_words;
use crate::context::Context;
use crate::sym::Sym;

/// The words of inputs that are read as numbers.
#[derive(Default)]
pub(crate) struct Numbers {
    /// In the order in which they were first read, and under which condition each is NaN.
    read: Vec<(Bits, Gate)>,
    known: FxHashSet<Bits>,
    /// The inputs that the procedure tests for NaN.
    tested: FxHashSet<Bits>,
    /// Under which conditions the expressions evaluated since this was last emptied convert a number to a
    /// word for which it is too large.
    pub(crate) outside: Vec<Gate>,
}

impl Numbers {
    /// The conditions under which an input is NaN that the procedure does not test for it.
    pub(crate) fn unexpected(self) -> Vec<Gate> {
        let untested = self.read.into_iter().filter(|(word, _)| !self.tested.contains(word));
        untested.map(|(_, nan)| nan).collect()
    }
}

impl Context<'_> {
    /// The result of an operator on floating-point numbers.
    pub(crate) fn float_op(&mut self, float: Float, operands: &[Sym]) -> Sym {
        let a = operands[0].bits();
        let b = operands.get(1).map_or(a, |b| b.bits());
        match float {
            Float::IsNan => self.tests_for_nan(a),
            Float::Equal if a == b => self.tests_for_nan(a),
            Float::FromSigned(_) | Float::FromUnsigned(_) => {}
            Float::Add
            | Float::Sub
            | Float::Mul
            | Float::Equal
            | Float::Less
            | Float::LessEqual
            | Float::ToSigned(_)
            | Float::ToUnsigned(_)
            | Float::Convert(_) => {
                self.reads_number(a);
                self.reads_number(b);
            }
        }
        let c = &mut self.circuit;
        if let Float::ToSigned(to) | Float::ToUnsigned(to) = float {
            let signed = matches!(float, Float::ToSigned(_));
            let (_, outside) = c.float_to_int(format_of(a), a, to as usize, signed);
            if outside.as_constant().is_none() {
                self.numbers.outside.push(c.and(self.relevant, outside));
            }
        }
        of_words(c, &Op::Float(float), a, Some(b))
    }

    fn tests_for_nan(&mut self, word: &Bits) {
        self.numbers.tested.insert(unsigned(word));
    }

    fn reads_number(&mut self, word: &Bits) {
        let is_given = |gate: Gate| {
            gate.as_constant().is_some() || matches!(self.circuit.node(gate.node()), Node::Input(_))
        };
        if word.as_constant().is_some() || !word.iter().all(is_given) {
            return;
        }
        let word = unsigned(word);
        if self.numbers.known.insert(word.clone()) {
            let number = word.concat(&Bits::zero(1));
            let nan = self.circuit.float_is_nan(format_of(&number), &number);
            self.numbers.read.push((word, nan));
        }
    }
}

/// A number without its sign, which says nothing of its being NaN.
fn unsigned(word: &Bits) -> Bits {
    word.extract(0..word.width() - 1)
}

fn format_of(word: &Bits) -> FloatFormat {
    FloatFormat::of_width(word.width()).expect("a floating-point number has 32 or 64 bits")
}

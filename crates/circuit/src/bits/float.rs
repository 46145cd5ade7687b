//! Floating point: IEEE 754 on words, exact.
//!
//! A number is a word: the fraction in the low bits, then the biased exponent, then the sign. An
//! exponent of all ones means infinity, or NaN if the fraction is not zero; an exponent of zero means
//! a subnormal number, which has no hidden bit and the scale of exponent one.
//!
//! Every operation that rounds has the same three steps. It computes the exact result, or one that
//! has the same rounding because what was cut off is remembered in a *sticky* last bit; it
//! [normalises](Circuit::normalised) the significand so that its first bit is one; and it
//! [packs](Circuit::packed) sign, exponent and significand into a word: a result that is too small
//! for the least exponent is shifted back to the right, which makes it subnormal, the bits beyond the
//! fraction decide whether one is added (to nearest, ties to even), and a carry out of the fraction
//! goes into the exponent, where it is just right, up to infinity. Zeros, infinities and NaN are
//! chosen last. Addition orders its operands by magnitude first, so that the difference is never
//! negative; multiplication normalises its operands, so that the first bit of the product is in one
//! of two places (Muller et al., *Handbook of Floating-Point Arithmetic*, 2018, chapters 7 and 8).
//!
//! A NaN that is a result is always the same quiet one, and positive. A comparison of doubles takes
//! about 900 gates, a conversion 1,000 to 2,000, a sum 5,000, a product 29,000, and one by a constant
//! of few digits 3,000; operations on constants fold.
//!
//! ```
//! use circuit::{Bits, Circuit, FloatFormat};
//! let mut c = Circuit::new();
//! let double = |value: f64| Bits::constant(64, u128::from(value.to_bits()));
//! let sum = c.float_add(FloatFormat::DOUBLE, &double(0.1), &double(0.2));
//! assert_eq!(sum, double(0.1 + 0.2));
//! ```

use super::Bits;
use crate::{Circuit, Gate};

/// How many bits of a floating-point number are what. There is a sign besides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FloatFormat {
    /// The bits of the exponent, at least two.
    pub exponent: usize,
    /// The bits of the fraction, without the hidden bit, at least two.
    pub fraction: usize,
}

impl FloatFormat {
    /// `float`: binary32.
    pub const SINGLE: FloatFormat = FloatFormat { exponent: 8, fraction: 23 };
    /// `double`: binary64.
    pub const DOUBLE: FloatFormat = FloatFormat { exponent: 11, fraction: 52 };

    /// The format of words of 32 or 64 bits.
    pub fn of_width(width: usize) -> Option<FloatFormat> {
        [FloatFormat::SINGLE, FloatFormat::DOUBLE].into_iter().find(|it| it.width() == width)
    }

    /// The number of bits of a word in this format.
    pub fn width(self) -> usize {
        1 + self.exponent + self.fraction
    }

    fn bias(self) -> i128 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of infinity.
    fn top(self) -> i128 {
        (1 << self.exponent) - 1
    }

    /// The width of signed exponent computations beside words of `bits` bits.
    fn scale(self, bits: usize) -> usize {
        let count = (usize::BITS - bits.leading_zeros()) as usize;
        self.exponent.max(count) + 3
    }

    fn infinity(self, sign: Gate) -> Bits {
        let magnitude = Bits::zero(self.fraction).concat(&Bits::ones(self.exponent));
        magnitude.concat(&Bits::from(sign))
    }

    fn nan(self) -> Bits {
        let fraction = Bits::zero(self.fraction - 1).concat(&Bits::ones(1));
        fraction.concat(&Bits::ones(self.exponent)).concat(&Bits::zero(1))
    }
}

/// A number taken apart.
struct Parts {
    sign: Gate,
    /// The biased exponent, one for subnormal numbers.
    exponent: Bits,
    /// The fraction and the hidden bit.
    significand: Bits,
    nan: Gate,
    infinite: Gate,
    zero: Gate,
}

impl Circuit {
    /// Whether a number is NaN.
    pub fn float_is_nan(&mut self, format: FloatFormat, a: &Bits) -> Gate {
        let (fraction, exponent) = fields(format, a);
        let (some, all) = (self.any(&fraction), self.all(&exponent));
        self.and(some, all)
    }

    /// Whether two numbers are equal: zeros are, whatever their signs, and NaN is equal to nothing.
    pub fn float_equal(&mut self, format: FloatFormat, a: &Bits, b: &Bits) -> Gate {
        let same = self.equal(a, b);
        let zeros = self.both_zero(a, b);
        let equal = self.or(same, zeros);
        let ordered = self.ordered(format, a, b);
        self.and(ordered, equal)
    }

    /// `a < b`; false if either is NaN.
    pub fn float_less(&mut self, format: FloatFormat, a: &Bits, b: &Bits) -> Gate {
        let less = self.less_number(a, b, false);
        let zeros = self.both_zero(a, b);
        let ordered = self.ordered(format, a, b);
        self.and_all([less, !zeros, ordered])
    }

    /// `a ≤ b`; false if either is NaN.
    pub fn float_less_equal(&mut self, format: FloatFormat, a: &Bits, b: &Bits) -> Gate {
        let less = self.less_number(a, b, true);
        let zeros = self.both_zero(a, b);
        let either = self.or(less, zeros);
        let ordered = self.ordered(format, a, b);
        self.and(ordered, either)
    }

    /// The sum.
    pub fn float_add(&mut self, format: FloatFormat, a: &Bits, b: &Bits) -> Bits {
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let last = format.width() - 1;
        let swap = self.ult(&a.extract(0..last), &b.extract(0..last));
        let sign = self.ite(swap, y.sign, x.sign);
        let exponent = self.select(swap, &y.exponent, &x.exponent);
        let lesser = self.select(swap, &x.exponent, &y.exponent);
        let large = self.select(swap, &y.significand, &x.significand);
        let small = self.select(swap, &x.significand, &y.significand);
        // Three bits behind the last are enough to round the difference.
        let [large, small] = [large, small].map(|it| Bits::zero(3).concat(&it));
        let distance = self.sub(&exponent, &lesser);
        let small = self.shifted_sticky(&small, &distance);
        let differ = self.xor(x.sign, y.sign);
        let width = large.width() + 1;
        let addend: Bits =
            small.zero_extend(width).iter().map(|bit| self.xor(differ, bit)).collect();
        let (sum, _) = self.add_with_carry(&large.zero_extend(width), &addend, differ);
        let scale = format.scale(width);
        let exponent = self.add(&exponent.zero_extend(scale), &Bits::constant(scale, 1));
        let is_zero = self.is_zero(&sum);
        // Exact cancellation yields a positive zero; the sum of two negative zeros is a negative one.
        let negative = self.and(x.sign, y.sign);
        let sign = self.ite(is_zero, negative, sign);
        let (significand, exponent) = self.normalised(&sum, &exponent);
        let result = self.packed(format, sign, &exponent, &significand, true);
        let infinite = self.or(x.infinite, y.infinite);
        let result = self.select(infinite, &format.infinity(sign), &result);
        let opposite = self.and_all([x.infinite, y.infinite, differ]);
        let nan = self.or_all([x.nan, y.nan, opposite]);
        self.select(nan, &format.nan(), &result)
    }

    /// The difference.
    pub fn float_sub(&mut self, format: FloatFormat, a: &Bits, b: &Bits) -> Bits {
        let last = format.width() - 1;
        let negated = b.extract(0..last).concat(&Bits::from(!b[last]));
        self.float_add(format, a, &negated)
    }

    /// The product.
    pub fn float_mul(&mut self, format: FloatFormat, a: &Bits, b: &Bits) -> Bits {
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let sign = self.xor(x.sign, y.sign);
        let width = 2 * (format.fraction + 1);
        let scale = format.scale(width);
        let (first, up) = self.normalised(&x.significand, &x.exponent.zero_extend(scale));
        let (second, down) = self.normalised(&y.significand, &y.exponent.zero_extend(scale));
        let product = self.mul(&first.zero_extend(width), &second.zero_extend(width));
        // One times one is one in the second bit.
        let exponent = self.add(&up, &down);
        let exponent = self.add(&exponent, &Bits::signed_constant(scale, 1 - format.bias()));
        let short = !product.msb();
        let longer = Bits::zero(1).concat(&product.extract(0..width - 1));
        let significand = self.select(short, &longer, &product);
        let exponent = self.sub(&exponent, &Bits::from(short).zero_extend(scale));
        let result = self.packed(format, sign, &exponent, &significand, true);
        let zero = self.or(x.zero, y.zero);
        let nothing = Bits::zero(format.width() - 1).concat(&Bits::from(sign));
        let result = self.select(zero, &nothing, &result);
        let infinite = self.or(x.infinite, y.infinite);
        let result = self.select(infinite, &format.infinity(sign), &result);
        let undefined = self.and(zero, infinite);
        let nan = self.or_all([x.nan, y.nan, undefined]);
        self.select(nan, &format.nan(), &result)
    }

    /// The number in another format, rounded.
    pub fn float_convert(&mut self, from: FloatFormat, to: FloatFormat, a: &Bits) -> Bits {
        let x = self.parts(from, a);
        let width = (from.fraction + 1).max(to.fraction + 3);
        let scale = from.scale(width).max(to.scale(width)) + 1;
        let exponent = x.exponent.zero_extend(scale);
        let exponent = self.add(&exponent, &Bits::signed_constant(scale, to.bias() - from.bias()));
        // Subnormal numbers below half of the least number need no special treatment.
        let vanish = 1 - from.bias() < -to.bias() - to.fraction as i128;
        let (significand, exponent) = match vanish {
            true => (x.significand, exponent),
            false => self.normalised(&x.significand, &exponent),
        };
        let significand = Bits::zero(width - significand.width()).concat(&significand);
        let tiny = 1 - from.bias() - from.fraction as i128 <= -to.bias();
        let result = self.packed(to, x.sign, &exponent, &significand, tiny);
        let nothing = Bits::zero(to.width() - 1).concat(&Bits::from(x.sign));
        let result = self.select(x.zero, &nothing, &result);
        let result = self.select(x.infinite, &to.infinity(x.sign), &result);
        self.select(x.nan, &to.nan(), &result)
    }

    /// The number that an integer is, rounded.
    pub fn float_from_int(&mut self, format: FloatFormat, a: &Bits, signed: bool) -> Bits {
        let sign = if signed { a.msb() } else { Gate::FALSE };
        let magnitude = self.negate_if(sign, a);
        let width = a.width().max(format.fraction + 3);
        let scale = format.scale(width);
        let first = format.bias() + a.width() as i128 - 1;
        let significand = Bits::zero(width - a.width()).concat(&magnitude);
        let (significand, exponent) =
            self.normalised(&significand, &Bits::signed_constant(scale, first));
        self.packed(format, sign, &exponent, &significand, false)
    }

    /// The integer of a number without its fraction, and whether there is none: a value out of range becomes
    /// the least or greatest integer, NaN zero.
    pub fn float_to_int(
        &mut self,
        format: FloatFormat,
        a: &Bits,
        width: usize,
        signed: bool,
    ) -> (Bits, Gate) {
        let x = self.parts(format, a);
        let scale = format.scale(width);
        let exponent = x.exponent.zero_extend(scale);
        let places = self.add(&exponent, &Bits::signed_constant(scale, -format.bias()));
        let (below, far) = (places.msb(), Bits::signed_constant(scale, width as i128));
        let beyond = !self.slt(&places, &far);
        let large = self.or(beyond, x.infinite);
        let mut shifted = x.significand.zero_extend(format.fraction + width);
        for (stage, bit) in places.iter().enumerate().take_while(|(stage, _)| 1 << stage < width) {
            let moved = Bits::zero(1 << stage).concat(&shifted);
            shifted = self.select(bit, &moved.extract(0..shifted.width()), &shifted);
        }
        let whole = shifted.extract(format.fraction..format.fraction + width);
        let whole = self.mask(!below, &whole);
        if !signed {
            let some = self.any(&whole);
            let negative = self.and(x.sign, some);
            let outside = self.or_all([large, negative, x.nan]);
            let whole = self.select(large, &Bits::ones(width), &whole);
            let is_some = self.and(!x.sign, !x.nan);
            return (self.mask(is_some, &whole), outside);
        }
        let rest = self.any(&whole.extract(0..width - 1));
        let fits = self.and(x.sign, !rest);
        let outside = self.and(whole.msb(), !fits);
        let outside = self.or(outside, large);
        let value = self.negate_if(x.sign, &whole);
        let extreme: Bits = (0..width).map(|bit| x.sign.negate_if(bit != width - 1)).collect();
        let value = self.select(outside, &extreme, &value);
        (self.mask(!x.nan, &value), self.or(outside, x.nan))
    }

    fn parts(&mut self, format: FloatFormat, a: &Bits) -> Parts {
        let (fraction, exponent) = fields(format, a);
        let subnormal = self.is_zero(&exponent);
        let (top, empty) = (self.all(&exponent), self.is_zero(&fraction));
        let low = self.or(exponent[0], subnormal);
        Parts {
            sign: a.msb(),
            exponent: Bits::from(low).concat(&exponent.extract(1..format.exponent)),
            significand: fraction.concat(&Bits::from(!subnormal)),
            nan: self.and(top, !empty),
            infinite: self.and(top, empty),
            zero: self.and(subnormal, empty),
        }
    }

    fn ordered(&mut self, format: FloatFormat, a: &Bits, b: &Bits) -> Gate {
        let (a, b) = (self.float_is_nan(format, a), self.float_is_nan(format, b));
        self.and(!a, !b)
    }

    fn both_zero(&mut self, a: &Bits, b: &Bits) -> Gate {
        let last = a.width() - 1;
        let (a, b) = (self.is_zero(&a.extract(0..last)), self.is_zero(&b.extract(0..last)));
        self.and(a, b)
    }

    /// The order of words as signs and magnitudes, in which the zeros differ.
    fn less_number(&mut self, a: &Bits, b: &Bits, or_equal: bool) -> Gate {
        // Below zero the greater magnitude is less.
        let [x, y] = [a, b].map(|it| {
            let (sign, last) = (it.msb(), it.width() - 1);
            let flipped: Bits = it.extract(0..last).iter().map(|bit| self.xor(sign, bit)).collect();
            flipped.concat(&Bits::from(sign))
        });
        if or_equal { self.sle(&x, &y) } else { self.slt(&x, &y) }
    }

    /// A significand shifted to the left until its first bit is one, and the exponent that goes with
    /// it. Of zero, nothing useful.
    fn normalised(&mut self, significand: &Bits, exponent: &Bits) -> (Bits, Bits) {
        let width = significand.width();
        let mut significand = significand.clone();
        let stages = (0..usize::BITS as usize).take_while(|stage| 1 << stage < width).count();
        let mut amount = vec![Gate::FALSE; exponent.width()];
        for stage in (0..stages).rev() {
            let by = 1 << stage;
            let empty = self.is_zero(&significand.extract(width - by..width));
            let moved = Bits::zero(by).concat(&significand.extract(0..width - by));
            significand = self.select(empty, &moved, &significand);
            amount[stage] = empty;
        }
        let exponent = self.sub(exponent, &Bits::from(amount));
        (significand, exponent)
    }

    /// A word shifted to the right; if bits are lost that are not zero, the last bit is one.
    fn shifted_sticky(&mut self, a: &Bits, by: &Bits) -> Bits {
        let width = a.width();
        let (mut shifted, mut lost) = (a.clone(), Gate::FALSE);
        let stages = (0..by.width()).take_while(|stage| 1 << stage < width).count();
        for stage in 0..stages {
            let places = 1 << stage;
            let some = self.any(&shifted.extract(0..places));
            let here = self.and(by[stage], some);
            lost = self.or(lost, here);
            let moved = shifted.extract(places..width).zero_extend(width);
            shifted = self.select(by[stage], &moved, &shifted);
        }
        let far = self.any(&by.extract(stages..by.width()));
        let some = self.any(&shifted);
        let here = self.and(far, some);
        lost = self.or(lost, here);
        shifted = self.mask(!far, &shifted);
        let last = self.or(shifted[0], lost);
        Bits::from(last).concat(&shifted.extract(1..width))
    }

    /// The number with this sign, biased exponent (signed, of the first bit) and normalised significand,
    /// rounded. `tiny` states whether the exponent may be less than one.
    fn packed(
        &mut self,
        format: FloatFormat,
        sign: Gate,
        exponent: &Bits,
        significand: &Bits,
        tiny: bool,
    ) -> Bits {
        let (width, kept, scale) = (significand.width(), format.fraction + 3, exponent.width());
        let rest = self.any(&significand.extract(0..width - kept + 1));
        let mut significand =
            Bits::from(rest).concat(&significand.extract(width - kept + 1..width));
        if tiny {
            let one = Bits::constant(scale, 1);
            let subnormal = self.slt(exponent, &one);
            let distance = self.sub(&one, exponent);
            let distance = self.mask(subnormal, &distance);
            significand = self.shifted_sticky(&significand, &distance);
        }
        let hidden = significand.msb();
        let field = self.mask(hidden, &exponent.extract(0..format.exponent));
        let exact = significand.extract(2..kept - 1).concat(&field);
        let odd = self.or(significand[2], significand[0]);
        let up = self.and(significand[1], odd);
        let (rounded, _) = self.add_with_carry(&exact, &Bits::zero(exact.width()), up);
        let number = rounded.concat(&Bits::from(sign));
        let overflows = !self.slt(exponent, &Bits::signed_constant(scale, format.top()));
        let overflows = self.and(overflows, hidden);
        self.select(overflows, &format.infinity(sign), &number)
    }
}

/// The fraction and the exponent of a number.
fn fields(format: FloatFormat, a: &Bits) -> (Bits, Bits) {
    assert_eq!(a.width(), format.width(), "a number has the width of its format");
    (a.extract(0..format.fraction), a.extract(format.fraction..format.width() - 1))
}

//! Mathematical integers: small ones in a machine word, the rest as big ones.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};

/// A mathematical integer.
///
/// Invariant: one that fits in 64 bits is stored so; hence equal integers are equal as data.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Arc<BigInt>),
}

impl Integer {
    /// The integer as a big one.
    pub fn to_big(&self) -> BigInt {
        match &self.0 {
            Repr::Small(small) => BigInt::from(*small),
            Repr::Big(big) => (**big).clone(),
        }
    }

    /// The integer as a machine word, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(small) => Some(*small),
            Repr::Big(_) => None,
        }
    }

    /// How many machine words it takes.
    pub fn words(&self) -> u64 {
        match &self.0 {
            Repr::Small(_) => 1,
            Repr::Big(big) => big.bits() / 64 + 1,
        }
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(small) => *small < 0,
            Repr::Big(big) => big.is_negative(),
        }
    }

    /// `−a`.
    pub fn neg(&self) -> Integer {
        match &self.0 {
            Repr::Small(small) if *small != i64::MIN => Integer::from(-small),
            Repr::Small(_) | Repr::Big(_) => Integer::from(-self.to_big()),
        }
    }

    /// `a + b`.
    pub fn add(&self, other: &Integer) -> Integer {
        self.combine(other, i64::checked_add, |a, b| a + b)
    }

    /// `a − b`.
    pub fn sub(&self, other: &Integer) -> Integer {
        self.combine(other, i64::checked_sub, |a, b| a - b)
    }

    /// `a · b`.
    pub fn mul(&self, other: &Integer) -> Integer {
        self.combine(other, i64::checked_mul, |a, b| a * b)
    }

    /// The quotient that makes the remainder non-negative; zero if the divisor is.
    pub fn div(&self, other: &Integer) -> Integer {
        self.combine(other, euclidean_quotient, |a, b| {
            let remainder = remainder(&a, &b);
            if b.is_zero() { BigInt::zero() } else { (a - remainder) / b }
        })
    }

    /// The non-negative remainder; the dividend if the divisor is zero.
    pub fn modulo(&self, other: &Integer) -> Integer {
        self.combine(other, euclidean_remainder, |a, b| remainder(&a, &b))
    }

    fn combine(
        &self,
        other: &Integer,
        small: impl Fn(i64, i64) -> Option<i64>,
        big: impl Fn(BigInt, BigInt) -> BigInt,
    ) -> Integer {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(result) = small(*a, *b)
        {
            return Integer(Repr::Small(result));
        }
        Integer::from(big(self.to_big(), other.to_big()))
    }
}

fn euclidean_quotient(a: i64, b: i64) -> Option<i64> {
    if b == 0 { Some(0) } else { a.checked_div_euclid(b) }
}

fn euclidean_remainder(a: i64, b: i64) -> Option<i64> {
    if b == 0 { Some(a) } else { a.checked_rem_euclid(b) }
}

fn remainder(a: &BigInt, b: &BigInt) -> BigInt {
    if b.is_zero() { a.clone() } else { a.mod_floor(&b.abs()) }
}

impl From<i64> for Integer {
    fn from(small: i64) -> Integer {
        Integer(Repr::Small(small))
    }
}

impl From<BigInt> for Integer {
    fn from(big: BigInt) -> Integer {
        match big.to_i64() {
            Some(small) => Integer(Repr::Small(small)),
            None => Integer(Repr::Big(Arc::new(big))),
        }
    }
}

impl From<&BigInt> for Integer {
    fn from(big: &BigInt) -> Integer {
        match big.to_i64() {
            Some(small) => Integer(Repr::Small(small)),
            None => Integer(Repr::Big(Arc::new(big.clone()))),
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Integer) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Integer) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            (Repr::Small(_), Repr::Big(b)) if b.is_negative() => Ordering::Greater,
            (Repr::Small(_), Repr::Big(_)) => Ordering::Less,
            (Repr::Big(a), Repr::Small(_)) if a.is_negative() => Ordering::Less,
            (Repr::Big(_), Repr::Small(_)) => Ordering::Greater,
            (Repr::Big(a), Repr::Big(b)) => a.cmp(b),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(small) => small.fmt(out),
            Repr::Big(big) => big.fmt(out),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [i64; 9] = [i64::MIN, i64::MIN + 1, -7, -1, 0, 1, 3, i64::MAX - 1, i64::MAX];

    #[test]
    fn results_do_not_depend_on_the_representation() {
        for a in EDGES {
            for b in EDGES {
                let (x, y) = (Integer::from(a), Integer::from(b));
                let (wide_a, wide_b) = (i128::from(a), i128::from(b));
                let expect = |wide: i128| Integer::from(BigInt::from(wide));
                assert_eq!(x.add(&y), expect(wide_a + wide_b));
                assert_eq!(x.sub(&y), expect(wide_a - wide_b));
                assert_eq!(x.mul(&y), expect(wide_a * wide_b));
                assert_eq!(x.cmp(&y), a.cmp(&b));
                let (quotient, remainder) = if b == 0 {
                    (0, wide_a)
                } else {
                    (wide_a.div_euclid(wide_b), wide_a.rem_euclid(wide_b))
                };
                assert_eq!(x.div(&y), expect(quotient), "{a} div {b}");
                assert_eq!(x.modulo(&y), expect(remainder), "{a} mod {b}");
            }
            assert_eq!(Integer::from(a).neg(), Integer::from(BigInt::from(-i128::from(a))));
        }
    }

    #[test]
    fn big_quotients_are_euclidean() {
        let big =
            |power: u32, sign: i32| Integer::from(BigInt::from(sign) * BigInt::from(10).pow(power));
        for (a, b) in [(30, 20), (30, 30), (20, 30)] {
            for (s, t) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let a = big(a, s).add(&Integer::from(7));
                let b = big(b, t);
                let (q, r) = (a.div(&b), a.modulo(&b));
                assert_eq!(q.mul(&b).add(&r), a);
                assert!(!r.is_negative());
                assert!(r < Integer::from(b.to_big().abs()));
            }
        }
    }

    #[test]
    fn order_spans_both_representations() {
        let huge = Integer::from(BigInt::from(10).pow(30));
        let mut all = vec![huge.clone(), Integer::from(i64::MIN), huge.neg(), Integer::from(0)];
        all.sort();
        assert_eq!(all, [huge.neg(), Integer::from(i64::MIN), Integer::from(0), huge]);
    }
}

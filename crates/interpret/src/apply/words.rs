//! Operators on words: machine arithmetic up to 64 bits, big numbers above.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer as _;
use num_traits::{One as _, Zero as _};

use crate::integer::Integer;
use crate::word::Word;

/// Two words of one width.
type Pair<'w> = (&'w Word, &'w Word);

pub(super) fn neg(a: &Word) -> Word {
    match a.small() {
        Some(bits) => Word::new(a.width(), bits.wrapping_neg()),
        None => Word::from_int(a.width(), &-a.to_int()),
    }
}

pub(super) fn add((a, b): Pair<'_>) -> Word {
    bitwise((a, b), u64::wrapping_add, |a, b| a + b)
}

pub(super) fn sub((a, b): Pair<'_>) -> Word {
    match (a.small(), b.small()) {
        (Some(x), Some(y)) => Word::new(a.width(), x.wrapping_sub(y)),
        (None, _) | (_, None) => Word::from_int(a.width(), &(a.to_int() - b.to_int())),
    }
}

pub(super) fn mul((a, b): Pair<'_>) -> Word {
    bitwise((a, b), u64::wrapping_mul, |a, b| a * b)
}

/// The lowest bits of a function's result, on machine words or on big numbers.
pub(super) fn bitwise(
    (a, b): Pair<'_>,
    small: impl Fn(u64, u64) -> u64,
    big: impl Fn(BigUint, BigUint) -> BigUint,
) -> Word {
    match (a.small(), b.small()) {
        (Some(x), Some(y)) => Word::new(a.width(), small(x, y)),
        (None, _) | (_, None) => Word::from_nat(a.width(), big(a.to_nat(), b.to_nat())),
    }
}

pub(super) fn udiv((a, b): Pair<'_>) -> Word {
    if b.is_zero() {
        return Word::all_ones(a.width());
    }
    bitwise((a, b), |a, b| a / b, |a, b| a / b)
}

pub(super) fn urem((a, b): Pair<'_>) -> Word {
    if b.is_zero() {
        return a.clone();
    }
    bitwise((a, b), |a, b| a % b, |a, b| a % b)
}

pub(super) fn sdiv((a, b): Pair<'_>) -> Word {
    if b.is_zero() {
        return Word::signed(a.width(), if a.sign() { 1 } else { -1 });
    }
    match (a.small_signed(), b.small_signed()) {
        (Some(x), Some(y)) => Word::signed(a.width(), x.wrapping_div(y)),
        (None, _) | (_, None) => Word::from_int(a.width(), &(a.to_int() / b.to_int())),
    }
}

pub(super) fn srem((a, b): Pair<'_>) -> Word {
    if b.is_zero() {
        return a.clone();
    }
    match (a.small_signed(), b.small_signed()) {
        (Some(x), Some(y)) => Word::signed(a.width(), x.wrapping_rem(y)),
        (None, _) | (_, None) => Word::from_int(a.width(), &(a.to_int() % b.to_int())),
    }
}

pub(super) fn not(a: &Word) -> Word {
    match a.small() {
        Some(bits) => Word::new(a.width(), !bits),
        None => Word::from_int(a.width(), &(-a.to_int() - 1)),
    }
}

/// The amount of a shift, if it is below the width.
fn amount((a, b): Pair<'_>) -> Option<u32> {
    let amount = match b.small() {
        Some(bits) => u32::try_from(bits).ok()?,
        None => u32::try_from(b.to_nat()).ok()?,
    };
    (amount < a.width()).then_some(amount)
}

pub(super) fn shl((a, b): Pair<'_>) -> Word {
    match (amount((a, b)), a.small()) {
        (None, _) => Word::new(a.width(), 0),
        (Some(amount), Some(bits)) => Word::new(a.width(), bits << amount),
        (Some(amount), None) => Word::from_nat(a.width(), a.to_nat() << amount),
    }
}

pub(super) fn lshr((a, b): Pair<'_>) -> Word {
    match (amount((a, b)), a.small()) {
        (None, _) => Word::new(a.width(), 0),
        (Some(amount), Some(bits)) => Word::new(a.width(), bits >> amount),
        (Some(amount), None) => Word::from_nat(a.width(), a.to_nat() >> amount),
    }
}

pub(super) fn ashr((a, b): Pair<'_>) -> Word {
    match (amount((a, b)), a.small_signed()) {
        (None, _) => Word::signed(a.width(), if a.sign() { -1 } else { 0 }),
        (Some(amount), Some(bits)) => Word::signed(a.width(), bits >> amount),
        (Some(amount), None) => {
            let divisor = BigInt::one() << amount;
            Word::from_int(a.width(), &a.to_int().div_floor(&divisor))
        }
    }
}

pub(super) fn concat(a: &Word, b: &Word) -> Word {
    let width = a.width() + b.width();
    match (a.small(), b.small()) {
        (Some(x), Some(y)) if width <= 64 => Word::new(width, x << b.width() | y),
        (Some(_) | None, _) => Word::from_nat(width, (a.to_nat() << b.width()) | b.to_nat()),
    }
}

pub(super) fn extract(a: &Word, low: u32, width: u32) -> Word {
    match a.small() {
        Some(bits) => Word::new(width, bits.checked_shr(low).unwrap_or(0)),
        None => Word::from_nat(width, a.to_nat() >> low),
    }
}

pub(super) fn zero_extend(a: &Word, width: u32) -> Word {
    match a.small() {
        Some(bits) => Word::new(width, bits),
        None => Word::from_nat(width, a.to_nat()),
    }
}

pub(super) fn sign_extend(a: &Word, width: u32) -> Word {
    match a.small_signed() {
        Some(value) => Word::signed(width, value),
        None => Word::from_int(width, &a.to_int()),
    }
}

pub(super) fn popcount(a: &Word) -> Word {
    Word::new(a.width(), a.to_nat().count_ones())
}

pub(super) fn leading_zeros(a: &Word) -> Word {
    Word::new(a.width(), u64::from(a.width()) - a.to_nat().bits())
}

pub(super) fn trailing_zeros(a: &Word) -> Word {
    Word::new(a.width(), a.to_nat().trailing_zeros().unwrap_or(u64::from(a.width())))
}

pub(super) fn leaves_signed((a, b): Pair<'_>, exact: impl Fn(BigInt, BigInt) -> BigInt) -> bool {
    !Word::in_signed_range(a.width(), &exact(a.to_int(), b.to_int()))
}

pub(super) fn leaves_unsigned((a, b): Pair<'_>, exact: impl Fn(BigInt, BigInt) -> BigInt) -> bool {
    let result = exact(a.to_nat().into(), b.to_nat().into());
    result < BigInt::zero() || result.bits() > u64::from(a.width())
}

pub(super) fn to_nat(a: &Word) -> Integer {
    match a.small().and_then(|bits| i64::try_from(bits).ok()) {
        Some(bits) => Integer::from(bits),
        None => Integer::from(BigInt::from(a.to_nat())),
    }
}

pub(super) fn to_int(a: &Word) -> Integer {
    match a.small_signed() {
        Some(value) => Integer::from(value),
        None => Integer::from(a.to_int()),
    }
}

pub(super) fn from_integer(width: u32, value: &Integer) -> Word {
    match value.to_i64() {
        Some(value) => Word::signed(width, value),
        None => Word::from_int(width, &value.to_big()),
    }
}

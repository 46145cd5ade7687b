//! Numbers and truth values of constant expressions.

use super::Constant;
use crate::syntax::{Binary, Unary};
use crate::types::Ty;

/// A number as one of another type (JLS §5.1.2 and §5.1.3).
pub(super) fn convert(value: &Constant, to: &Ty) -> Option<Constant> {
    if value.primitive().as_ref() == Some(to) {
        return Some(value.clone());
    }
    let whole = match value {
        Constant::Byte(value) => i64::from(*value),
        Constant::Short(value) => i64::from(*value),
        Constant::Char(value) => i64::from(*value),
        Constant::Int(value) => i64::from(*value),
        Constant::Long(value) => *value,
        Constant::Float(value) => return of_floating(f64::from(*value), *value, to),
        Constant::Double(value) => return of_floating(*value, *value as f32, to),
        Constant::Boolean(_) | Constant::Text(_) => return None,
    };
    Some(match to {
        Ty::Byte => Constant::Byte(whole as i8),
        Ty::Short => Constant::Short(whole as i16),
        Ty::Char => Constant::Char(whole as u16),
        Ty::Int => Constant::Int(whole as i32),
        Ty::Long => Constant::Long(whole),
        Ty::Float => Constant::Float(whole as f32),
        Ty::Double => Constant::Double(whole as f64),
        _ => return None,
    })
}

/// Rounds towards zero, saturates, and maps NaN to zero; types smaller than `int` are converted through
/// `int`.
fn of_floating(double: f64, single: f32, to: &Ty) -> Option<Constant> {
    Some(match to {
        Ty::Byte => Constant::Byte(double as i32 as i8),
        Ty::Short => Constant::Short(double as i32 as i16),
        Ty::Char => Constant::Char(double as i32 as u16),
        Ty::Int => Constant::Int(double as i32),
        Ty::Long => Constant::Long(double as i64),
        Ty::Float => Constant::Float(single),
        Ty::Double => Constant::Double(double),
        _ => return None,
    })
}

pub(super) fn unary(operator: Unary, value: &Constant) -> Option<Constant> {
    if let Constant::Boolean(value) = value {
        return (operator == Unary::Not).then_some(Constant::Boolean(!value));
    }
    let value = convert(value, &value.primitive()?.promoted(&Ty::Int))?;
    Some(match (operator, value) {
        (Unary::Plus, value) => value,
        (Unary::Minus, Constant::Int(value)) => Constant::Int(value.wrapping_neg()),
        (Unary::Minus, Constant::Long(value)) => Constant::Long(value.wrapping_neg()),
        (Unary::Minus, Constant::Float(value)) => Constant::Float(-value),
        (Unary::Minus, Constant::Double(value)) => Constant::Double(-value),
        (Unary::Complement, Constant::Int(value)) => Constant::Int(!value),
        (Unary::Complement, Constant::Long(value)) => Constant::Long(!value),
        _ => return None,
    })
}

pub(super) fn binary(operator: Binary, a: &Constant, b: &Constant) -> Option<Constant> {
    if let (Constant::Boolean(a), Constant::Boolean(b)) = (a, b) {
        return truth(operator, *a, *b).map(Constant::Boolean);
    }
    let (a_type, b_type) = (a.primitive()?, b.primitive()?);
    if matches!(operator, Binary::Shl | Binary::Shr | Binary::UShr) {
        let value = convert(a, &a_type.promoted(&Ty::Int))?;
        let Constant::Long(by) = convert(b, &Ty::Long).filter(|_| b_type.is_integral())? else {
            return None;
        };
        return shift(operator, &value, by as u32);
    }
    let ty = a_type.promoted(&b_type);
    match (convert(a, &ty)?, convert(b, &ty)?) {
        (Constant::Int(a), Constant::Int(b)) => {
            let whole = whole(operator, i64::from(a), i64::from(b));
            whole.map(|value| Constant::Int(value as i32)).or_else(|| compared(operator, &a, &b))
        }
        (Constant::Long(a), Constant::Long(b)) => {
            whole(operator, a, b).map(Constant::Long).or_else(|| compared(operator, &a, &b))
        }
        (Constant::Float(a), Constant::Float(b)) => {
            let value = match operator {
                Binary::Add => a + b,
                Binary::Sub => a - b,
                Binary::Mul => a * b,
                Binary::Div => a / b,
                Binary::Rem => a % b,
                _ => return compared(operator, &a, &b),
            };
            Some(Constant::Float(value))
        }
        (Constant::Double(a), Constant::Double(b)) => {
            let value = match operator {
                Binary::Add => a + b,
                Binary::Sub => a - b,
                Binary::Mul => a * b,
                Binary::Div => a / b,
                Binary::Rem => a % b,
                _ => return compared(operator, &a, &b),
            };
            Some(Constant::Double(value))
        }
        _ => None,
    }
}

fn truth(operator: Binary, a: bool, b: bool) -> Option<bool> {
    Some(match operator {
        Binary::And | Binary::AndAlso => a && b,
        Binary::Or | Binary::OrElse => a || b,
        Binary::Xor | Binary::Ne => a != b,
        Binary::Eq | Binary::Iff => a == b,
        Binary::Implies => !a || b,
        _ => return None,
    })
}

/// Arithmetic that wraps around. That of `int` is that of `long` cut off. A division by zero has no value.
fn whole(operator: Binary, a: i64, b: i64) -> Option<i64> {
    Some(match operator {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div if b != 0 => a.wrapping_div(b),
        Binary::Rem if b != 0 => a.wrapping_rem(b),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        _ => return None,
    })
}

fn compared<T: PartialOrd>(operator: Binary, a: &T, b: &T) -> Option<Constant> {
    Some(Constant::Boolean(match operator {
        Binary::Eq => a == b,
        Binary::Ne => a != b,
        Binary::Lt => a < b,
        Binary::Le => a <= b,
        Binary::Gt => a > b,
        Binary::Ge => a >= b,
        _ => return None,
    }))
}

/// Of the distance only as many bits count as the width needs.
fn shift(operator: Binary, value: &Constant, by: u32) -> Option<Constant> {
    Some(match (operator, value) {
        (Binary::Shl, Constant::Int(value)) => Constant::Int(value.wrapping_shl(by)),
        (Binary::Shr, Constant::Int(value)) => Constant::Int(value.wrapping_shr(by)),
        (Binary::UShr, Constant::Int(value)) => {
            Constant::Int((*value as u32).wrapping_shr(by) as i32)
        }
        (Binary::Shl, Constant::Long(value)) => Constant::Long(value.wrapping_shl(by)),
        (Binary::Shr, Constant::Long(value)) => Constant::Long(value.wrapping_shr(by)),
        (Binary::UShr, Constant::Long(value)) => {
            Constant::Long((*value as u64).wrapping_shr(by) as i64)
        }
        _ => return None,
    })
}

/// The digits of a floating-point literal, without separators and suffix; and whether they are hexadecimal.
fn digits(text: &str) -> (String, bool) {
    let plain = text.replace('_', "").to_ascii_lowercase();
    let is_hexadecimal = plain.starts_with("0x");
    let end: &[char] = &['f', 'd'];
    // In hexadecimal the suffix stands behind the exponent.
    (plain.trim_end_matches(end).to_owned(), is_hexadecimal)
}

/// The value of a literal of type `float`.
pub(crate) fn single(text: &str) -> Option<f32> {
    match digits(text) {
        (digits, false) => digits.parse().ok(),
        (digits, true) => {
            let (mantissa, exponent) = hexadecimal(&digits)?;
            Some((f64::from(mantissa as f32) * 2f64.powi(exponent)) as f32)
        }
    }
}

/// The value of a literal of type `double`.
pub(crate) fn double(text: &str) -> Option<f64> {
    match digits(text) {
        (digits, false) => digits.parse().ok(),
        (digits, true) => {
            let (mantissa, exponent) = hexadecimal(&digits)?;
            // Half of the exponent at a time, so that no step leaves the range.
            let first = exponent / 2;
            Some(mantissa as f64 * 2f64.powi(first) * 2f64.powi(exponent - first))
        }
    }
}

/// `0xh.hp±d` as a whole number and the power of two that it is multiplied with.
fn hexadecimal(text: &str) -> Option<(u128, i32)> {
    let (mantissa, exponent) = text.strip_prefix("0x")?.split_once('p')?;
    let mut exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value: u128 = 0;
    for (number, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = u128::from(digit.to_digit(16)?);
        let is_fraction = number >= whole.len();
        if value >> 120 == 0 {
            value = value << 4 | digit;
            exponent = exponent.checked_sub(if is_fraction { 4 } else { 0 })?;
        } else {
            // Digits that do not fit only matter for rounding.
            value |= u128::from(digit != 0);
            exponent = exponent.checked_add(if is_fraction { 0 } else { 4 })?;
        }
    }
    Some((value, exponent.clamp(-4_000, 4_000)))
}

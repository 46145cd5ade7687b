//! Names, strings and numbers as LLVM spells them.

use std::fmt::{self, Display, Write};

use super::Printer;
use crate::types::Type;

/// Bytes between quotes: what is not printable becomes a backslash and two digits.
pub(super) fn escaped(bytes: &[u8]) -> impl Display {
    struct Escaped<'a>(&'a [u8]);
    impl Display for Escaped<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for &byte in self.0 {
                match byte {
                    b'\\' => f.write_str("\\\\")?,
                    b'"' => f.write_str("\\22")?,
                    b' '..=b'~' => f.write_char(byte as char)?,
                    _ => write!(f, "\\{byte:02X}")?,
                }
            }
            Ok(())
        }
    }
    Escaped(bytes)
}

impl Printer<'_> {
    /// A name after `@`, `%` or `$`, quoted if it must be.
    pub(super) fn name(&mut self, name: &str) {
        let plain =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'$');
        let starts_with_digit = name.as_bytes().first().is_none_or(u8::is_ascii_digit);
        if !starts_with_digit && name.bytes().all(plain) {
            self.push(name);
        } else {
            self.display(format_args!("\"{}\"", escaped(name.as_bytes())));
        }
    }
}

/// A floating-point number of that type, from its bits.
pub(super) fn float(ty: &Type, bits: u128) -> String {
    match ty {
        Type::Half => format!("0xH{:04X}", bits as u16),
        Type::BFloat => format!("0xR{:04X}", bits as u16),
        Type::X86Fp80 => format!("0xK{bits:020X}"),
        // The low word comes first.
        Type::Fp128 => format!("0xL{:016X}{:016X}", bits as u64, (bits >> 64) as u64),
        Type::PpcFp128 => format!("0xM{:016X}{:016X}", bits as u64, (bits >> 64) as u64),
        Type::Float => {
            let value = f32::from_bits(bits as u32);
            if value.is_nan() {
                format!("0x{:X}", widened_nan(bits as u32))
            } else {
                double(f64::from(value))
            }
        }
        _ => double(f64::from_bits(bits as u64)),
    }
}

/// In decimal if six digits are exact, else the bits.
fn double(value: f64) -> String {
    match six_digits(value) {
        Some(text) if text.parse() == Ok(value) => text,
        _ => format!("0x{:X}", value.to_bits()),
    }
}

/// The number rounded to six digits in LLVM's way, which cuts off most of the exact decimal
/// expansion before it rounds; so it misses numbers such as 0.95 that round up from 0.949999….
fn six_digits(value: f64) -> Option<String> {
    if !value.is_finite() {
        return None;
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value == 0.0 {
        return Some(format!("{sign}0.000000e+00"));
    }
    // No double has more digits than this, so the expansion is exact.
    let exact = format!("{:.780e}", value.abs());
    let (digits, exponent) = exact.split_once('e')?;
    let mut exponent: i32 = exponent.parse().ok()?;
    let mut digits: Vec<u8> =
        digits.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    while digits.len() > 1 && digits.last() == Some(&0) {
        digits.pop();
    }
    // LLVM sees an integer: all digits, or for large numbers also the zeros up to the point.
    let places = digits.len().max(usize::try_from(exponent + 1).unwrap_or(0));
    digits.resize(places, 0);
    let bits = (binary_logarithm(&digits).floor() as usize) + 1;
    const BITS_OF_SIX_DIGITS: usize = 20;
    digits.truncate(places - bits.saturating_sub(BITS_OF_SIX_DIGITS) * 59 / 196);
    if digits.get(6).is_some_and(|&digit| digit >= 5) {
        digits.truncate(6);
        match digits.iter().rposition(|&digit| digit != 9) {
            Some(place) => {
                digits[place] += 1;
                digits.truncate(place + 1);
            }
            None => {
                digits = vec![1];
                exponent += 1;
            }
        }
    }
    digits.resize(7, 0);
    digits[6] = 0;
    let fraction: String = digits[1..].iter().map(|digit| char::from(b'0' + digit)).collect();
    let (direction, size) = (if exponent < 0 { '-' } else { '+' }, exponent.abs());
    Some(format!("{sign}{}.{fraction}e{direction}{size:02}", digits[0]))
}

/// The logarithm of the integer with these decimal digits.
fn binary_logarithm(digits: &[u8]) -> f64 {
    let leading = digits.iter().take(18).fold(0.0, |sum, &digit| sum * 10.0 + f64::from(digit));
    leading.log2() + digits.len().saturating_sub(18) as f64 * std::f64::consts::LOG2_10
}

/// The bits of a single-precision NaN as a double, without making a signalling one quiet.
fn widened_nan(bits: u32) -> u64 {
    let (sign, fraction) = (u64::from(bits >> 31), u64::from(bits & 0x7f_ffff));
    sign << 63 | 0x7ff << 52 | fraction << 29
}

#[cfg(test)]
mod tests {
    use super::{escaped, float};
    use crate::types::Type;

    #[test]
    fn floats_are_decimal_only_when_exact() {
        let of = |value: f64| float(&Type::Double, u128::from(value.to_bits()));
        assert_eq!(of(1.0), "1.000000e+00");
        assert_eq!(of(-2.5e-10), "-2.500000e-10");
        assert_eq!(of(0.1), "1.000000e-01");
        assert_eq!(of(0.95), "0x3FEE666666666666");
        assert_eq!(of(1_048_576.0), "0x4130000000000000");
        assert_eq!(of(100_000_000.0), "1.000000e+08");
        assert_eq!(of(-0.0), "-0.000000e+00");
        assert_eq!(of(1.0 / 3.0), "0x3FD5555555555555");
        assert_eq!(of(1e100), "1.000000e+100");
        assert_eq!(of(f64::INFINITY), "0x7FF0000000000000");
        assert_eq!(float(&Type::Float, 0x3dcc_cccd), "0x3FB99999A0000000");
        assert_eq!(float(&Type::Float, 0x7fa0_0000), "0x7FF4000000000000");
    }

    #[test]
    fn strings() {
        assert_eq!(escaped(b"a\"b\\c\n\xff").to_string(), "a\\22b\\\\c\\0A\\FF");
    }
}

//! Operators on floating-point numbers: those of the machine, which are IEEE 754's, but for NaN, whose
//! bits the machine does not promise.

use ir::Float;
use num_traits::ToPrimitive as _;

use super::word;
use crate::error::EvalError;
use crate::value::Value;
use crate::word::Word;

/// The positive quiet NaN without payload.
const NAN: (u32, u64) = (0x7fc0_0000, 0x7ff8_0000_0000_0000);

/// A number of one of the two formats.
#[derive(Clone, Copy)]
enum Number {
    Single(f32),
    Double(f64),
}

impl Number {
    fn of(word: &Word) -> Result<Number, EvalError> {
        match (word.width(), word.small()) {
            (32, Some(bits)) => Ok(Number::Single(f32::from_bits(bits as u32))),
            (64, Some(bits)) => Ok(Number::Double(f64::from_bits(bits))),
            _ => EvalError::ill_typed("a floating-point number has 32 or 64 bits"),
        }
    }

    fn word(self) -> Word {
        match self {
            Number::Single(a) if a.is_nan() => Word::new(32, u64::from(NAN.0)),
            Number::Single(a) => Word::new(32, u64::from(a.to_bits())),
            Number::Double(a) if a.is_nan() => Word::new(64, NAN.1),
            Number::Double(a) => Word::new(64, a.to_bits()),
        }
    }

    fn is_nan(self) -> bool {
        match self {
            Number::Single(a) => a.is_nan(),
            Number::Double(a) => a.is_nan(),
        }
    }

    /// Without its fraction, as far as 128 bits go; zero if it is NaN.
    fn signed(self) -> i128 {
        match self {
            Number::Single(a) => a as i128,
            Number::Double(a) => a as i128,
        }
    }

    /// Without its fraction, as far as 128 bits go; zero if it is negative or NaN.
    fn unsigned(self) -> u128 {
        match self {
            Number::Single(a) => a as u128,
            Number::Double(a) => a as u128,
        }
    }
}

pub(super) fn apply(float: Float, operands: &[Value]) -> Result<Value, EvalError> {
    let a = word(&operands[0])?;
    let number = || Number::of(a);
    Ok(match float {
        Float::Add => computed(operands, |a, b| a + b, |a, b| a + b)?,
        Float::Sub => computed(operands, |a, b| a - b, |a, b| a - b)?,
        Float::Mul => computed(operands, |a, b| a * b, |a, b| a * b)?,
        Float::Equal => compared(operands, |a, b| a == b, |a, b| a == b)?,
        Float::Less => compared(operands, |a, b| a < b, |a, b| a < b)?,
        Float::LessEqual => compared(operands, |a, b| a <= b, |a, b| a <= b)?,
        Float::IsNan => Value::Bool(number()?.is_nan()),
        Float::FromSigned(width) => match a.to_int().to_i128() {
            Some(a) => converted(width, a as f32, a as f64)?,
            None => return EvalError::ill_typed("a word of at most 128 bits is expected"),
        },
        Float::FromUnsigned(width) => match a.to_nat().to_u128() {
            Some(a) => converted(width, a as f32, a as f64)?,
            None => return EvalError::ill_typed("a word of at most 128 bits is expected"),
        },
        Float::ToSigned(width) => {
            let least = i128::MIN >> (Float::WIDEST - width);
            let value = number()?.signed().clamp(least, !least);
            Word::from_int(width, &value.into()).into()
        }
        Float::ToUnsigned(width) => {
            let value = number()?.unsigned().min(u128::MAX >> (Float::WIDEST - width));
            Word::from_nat(width, value.into()).into()
        }
        Float::Convert(width) => match number()? {
            Number::Single(a) => converted(width, a, f64::from(a))?,
            Number::Double(a) => converted(width, a as f32, a)?,
        },
    })
}

fn computed(
    operands: &[Value],
    single: impl Fn(f32, f32) -> f32,
    double: impl Fn(f64, f64) -> f64,
) -> Result<Value, EvalError> {
    Ok(match pair(operands)? {
        (Number::Single(a), Number::Single(b)) => Number::Single(single(a, b)).word().into(),
        (Number::Double(a), Number::Double(b)) => Number::Double(double(a, b)).word().into(),
        _ => return EvalError::ill_typed("numbers of one width are expected"),
    })
}

fn compared(
    operands: &[Value],
    single: impl Fn(f32, f32) -> bool,
    double: impl Fn(f64, f64) -> bool,
) -> Result<Value, EvalError> {
    Ok(Value::Bool(match pair(operands)? {
        (Number::Single(a), Number::Single(b)) => single(a, b),
        (Number::Double(a), Number::Double(b)) => double(a, b),
        _ => return EvalError::ill_typed("numbers of one width are expected"),
    }))
}

fn converted(width: u32, single: f32, double: f64) -> Result<Value, EvalError> {
    Ok(match width {
        32 => Number::Single(single).word().into(),
        64 => Number::Double(double).word().into(),
        _ => return EvalError::ill_typed("a floating-point number has 32 or 64 bits"),
    })
}

fn pair(operands: &[Value]) -> Result<(Number, Number), EvalError> {
    Ok((Number::of(word(&operands[0])?)?, Number::of(word(&operands[1])?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many pairs of random and special words each operator is tried on.
    const PAIRS: usize = 20_000;

    fn given(float: Float, width: u32, operands: &[u128]) -> Value {
        let operands: Vec<Value> =
            operands.iter().map(|&bits| Word::from_nat(width, bits.into()).into()).collect();
        apply(float, &operands).expect("the operator has a value")
    }

    fn bits(value: &Value) -> u128 {
        match value {
            Value::Bv(word) => word.to_nat().to_u128().expect("at most 128 bits"),
            Value::Bool(truth) => u128::from(*truth),
            other => panic!("{other:?} is no word"),
        }
    }

    /// A random word, often of a small number, an integer, a power of two or their neighbours.
    fn any(random: &mut fastrand::Rng, width: u32) -> u128 {
        let word = random.u128(..) >> (128 - width);
        let whole = i64::from(random.i8(..)) << random.u32(..56);
        let near = |value: u128, random: &mut fastrand::Rng| {
            value.wrapping_add(u128::from(random.u8(..3))).wrapping_sub(1)
                & u128::MAX >> (128 - width)
        };
        match (random.u8(..4), width) {
            (0, 32) => near(u128::from((whole as f32).to_bits()), random),
            (0, 64) => near(u128::from((whole as f64).to_bits()), random),
            (1, _) => near(1 << random.u32(..width), random),
            (2, 32) => word | 0x7f80_0000,
            (2, 64) => word | 0x7ff0_0000_0000_0000,
            _ => word,
        }
    }

    /// A NaN has the bits that the table of operators specifies.
    fn of_single(value: f32) -> u128 {
        if value.is_nan() { 0x7fc0_0000 } else { u128::from(value.to_bits()) }
    }

    fn of_double(value: f64) -> u128 {
        if value.is_nan() { 0x7ff8_0000_0000_0000 } else { u128::from(value.to_bits()) }
    }

    #[test]
    fn operators_are_those_of_the_machine() {
        let mut random = fastrand::Rng::with_seed(754);
        for _ in 0..PAIRS {
            let [a, b] = [(); 2].map(|()| any(&mut random, 32));
            let [x, y] = [a, b].map(|word| f32::from_bits(word as u32));
            let ours = |float| bits(&given(float, 32, &[a, b]));
            assert_eq!(ours(Float::Add), of_single(x + y), "{x:?} + {y:?}");
            assert_eq!(ours(Float::Sub), of_single(x - y), "{x:?} - {y:?}");
            assert_eq!(ours(Float::Mul), of_single(x * y), "{x:?} * {y:?}");
            assert_eq!(ours(Float::Equal), u128::from(x == y), "{x:?} == {y:?}");
            assert_eq!(ours(Float::Less), u128::from(x < y), "{x:?} < {y:?}");
            assert_eq!(ours(Float::LessEqual), u128::from(x <= y), "{x:?} <= {y:?}");
            let ours = |float| bits(&given(float, 32, &[a]));
            assert_eq!(ours(Float::IsNan), u128::from(x.is_nan()));
            assert_eq!(ours(Float::Convert(64)), of_double(f64::from(x)), "{x:?}");
            assert_eq!(ours(Float::Convert(32)), of_single(x), "{x:?}");
            assert_eq!(ours(Float::ToSigned(64)), u128::from(x as i64 as u64), "{x:?}");
            assert_eq!(ours(Float::ToUnsigned(32)), u128::from(x as u32), "{x:?}");
            let [a, b] = [(); 2].map(|()| any(&mut random, 64));
            let [x, y] = [a, b].map(|word| f64::from_bits(word as u64));
            let ours = |float| bits(&given(float, 64, &[a, b]));
            assert_eq!(ours(Float::Add), of_double(x + y), "{x:?} + {y:?}");
            assert_eq!(ours(Float::Sub), of_double(x - y), "{x:?} - {y:?}");
            assert_eq!(ours(Float::Mul), of_double(x * y), "{x:?} * {y:?}");
            assert_eq!(ours(Float::Equal), u128::from(x == y), "{x:?} == {y:?}");
            assert_eq!(ours(Float::Less), u128::from(x < y), "{x:?} < {y:?}");
            assert_eq!(ours(Float::LessEqual), u128::from(x <= y), "{x:?} <= {y:?}");
            let ours = |float| bits(&given(float, 64, &[a]));
            assert_eq!(ours(Float::IsNan), u128::from(x.is_nan()));
            assert_eq!(ours(Float::Convert(32)), of_single(x as f32), "{x:?}");
            assert_eq!(ours(Float::ToSigned(32)), u128::from(x as i32 as u32), "{x:?}");
            assert_eq!(ours(Float::ToSigned(8)), u128::from(x as i8 as u8), "{x:?}");
            assert_eq!(ours(Float::ToUnsigned(64)), u128::from(x as u64), "{x:?}");
            assert_eq!(ours(Float::ToUnsigned(16)), u128::from(x as u16), "{x:?}");
            assert_eq!(ours(Float::ToUnsigned(128)), x as u128, "{x:?}");
            assert_eq!(ours(Float::ToSigned(128)), x as i128 as u128, "{x:?}");
            let ours = |float| bits(&given(float, 64, &[a]));
            let (signed, unsigned) = (a as u64 as i64, a as u64);
            assert_eq!(ours(Float::FromSigned(32)), of_single(signed as f32), "{signed}");
            assert_eq!(ours(Float::FromSigned(64)), of_double(signed as f64), "{signed}");
            assert_eq!(ours(Float::FromUnsigned(32)), of_single(unsigned as f32), "{unsigned}");
            assert_eq!(ours(Float::FromUnsigned(64)), of_double(unsigned as f64), "{unsigned}");
        }
    }

    #[test]
    fn words_of_odd_widths_are_converted_too() {
        let ten = f64::to_bits(10.9).into();
        let minus = f64::to_bits(-3.5).into();
        assert_eq!(bits(&given(Float::ToSigned(5), 64, &[ten])), 10);
        assert_eq!(bits(&given(Float::ToSigned(4), 64, &[ten])), 7);
        assert_eq!(bits(&given(Float::ToUnsigned(3), 64, &[ten])), 7);
        assert_eq!(bits(&given(Float::ToSigned(3), 64, &[minus])), 0b101);
        assert_eq!(bits(&given(Float::ToSigned(2), 64, &[minus])), 0b10);
        assert_eq!(bits(&given(Float::ToUnsigned(2), 64, &[minus])), 0);
        assert_eq!(bits(&given(Float::FromSigned(64), 5, &[0b11110])), of_double(-2.0));
        assert_eq!(bits(&given(Float::FromUnsigned(32), 5, &[0b11110])), of_single(30.0));
        let most = u128::MAX;
        assert_eq!(bits(&given(Float::FromUnsigned(32), 128, &[most])), of_single(f32::INFINITY));
    }
}

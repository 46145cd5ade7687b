//! How string concatenation shows a constant (JLS §5.1.11).

use super::Constant;

/// A constant as a text.
pub(crate) fn display(value: &Constant) -> String {
    match value {
        Constant::Boolean(value) => value.to_string(),
        Constant::Byte(value) => value.to_string(),
        Constant::Short(value) => value.to_string(),
        Constant::Char(value) => String::from_utf16_lossy(&[*value]),
        Constant::Int(value) => value.to_string(),
        Constant::Long(value) => value.to_string(),
        Constant::Float(value) => {
            floating(&format!("{:e}", value.abs()), value.is_sign_negative(), *value)
        }
        Constant::Double(value) => {
            floating(&format!("{:e}", value.abs()), value.is_sign_negative(), *value)
        }
        Constant::Text(text) => text.clone(),
    }
}

/// `Double.toString` of the shortest distinguishing digits of a number: plain from a thousandth to ten
/// million, with an exponent elsewhere.
fn floating(scientific: &str, is_negative: bool, value: impl Into<f64>) -> String {
    let value: f64 = value.into();
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if is_negative { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}Infinity");
    }
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let or_zero = |digits: &str| if digits.is_empty() { "0".to_owned() } else { digits.to_owned() };
    if value == 0.0 {
        return format!("{sign}0.0");
    }
    if (-3..7).contains(&exponent) {
        let (whole, fraction) = if exponent < 0 {
            ("0".to_owned(), format!("{}{digits}", "0".repeat((-exponent - 1) as usize)))
        } else {
            let places = exponent as usize + 1;
            let padded = format!("{digits:0<places$}");
            (padded[..places].to_owned(), padded[places..].to_owned())
        };
        return format!("{sign}{whole}.{}", or_zero(&fraction));
    }
    format!("{sign}{}.{}E{exponent}", &digits[..1], or_zero(&digits[1..]))
}

//! Literals. Those of reals are constants, the same for the same number however it is written.

use ir::{Expr, ExprId, Type};
use num_bigint::BigInt;

use super::Lowering;
use super::frame::Frame;
use crate::diagnostics::TextRange;
use crate::types::{REAL, TypeId};

impl Lowering<'_, '_, '_> {
    pub(super) fn integer(&mut self, frame: &mut Frame, text: &str) -> ExprId {
        let value = text.parse::<BigInt>().unwrap_or_default();
        frame.push(Expr::Int(value), Type::Int, false)
    }

    pub(super) fn word(&mut self, frame: &mut Frame, value: &str, width: &str) -> ExprId {
        let width = width.parse().unwrap_or(0);
        if width == 0 {
            return self.no_bits(frame);
        }
        let value = value.parse::<BigInt>().unwrap_or_default();
        frame.push(Expr::Bv(width, value), Type::Bv(width), false)
    }

    /// The word of no bits.
    pub(super) fn no_bits(&mut self, frame: &mut Frame) -> ExprId {
        let id = self.types.intern(crate::types::Ty::Bv(0));
        let ty = self.ty(id);
        match ty {
            Type::Variant(variant) => frame.op(ir::Op::Construct(variant, 0), Vec::new(), ty),
            _ => frame.bool(false),
        }
    }

    pub(super) fn real(&mut self, frame: &mut Frame, text: &str, at: TextRange) -> ExprId {
        let ty = self.ty(REAL);
        let name = canonical(text);
        let is_new = !self.made.contains_key(&name);
        let function = self.make(&name, &[], ty.clone(), at.span());
        if is_new {
            self.real_literals.push(function);
        }
        frame.push(Expr::Apply(function, Vec::new()), ty, false)
    }

    /// Some value of a type, always the same for the same name.
    pub(super) fn unknown_value(
        &mut self,
        frame: &mut Frame,
        name: &str,
        ty: TypeId,
        at: TextRange,
    ) -> ExprId {
        let ty = self.ty(ty);
        let function = self.make(name, &[], ty.clone(), at.span());
        frame.push(Expr::Apply(function, Vec::new()), ty, false)
    }
}

/// The canonical spelling of a real number: its digits without zeros at either end, and an exponent.
fn canonical(text: &str) -> String {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let Ok(exponent) = exponent.parse::<i64>() else { return text.to_owned() };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return "0.0".to_owned();
    }
    let dropped = all.len() - all.trim_end_matches('0').len();
    let exponent = exponent.saturating_sub(fraction.len() as i64).saturating_add(dropped as i64);
    let digits = significant.len() as i64;
    if (0..=20).contains(&exponent) {
        let zeros = "0".repeat(exponent as usize);
        return format!("{significant}{zeros}.0");
    }
    if exponent < 0 && -exponent < digits {
        let point = (digits + exponent) as usize;
        return format!("{}.{}", &significant[..point], &significant[point..]);
    }
    if (-20..0).contains(&exponent) {
        let zeros = "0".repeat((-exponent - digits) as usize);
        return format!("0.{zeros}{significant}");
    }
    format!("{significant}e{exponent}")
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn the_same_number_is_written_one_way() {
        for (text, expected) in [
            ("1.0", "1.0"),
            ("1.00", "1.0"),
            ("01.50", "1.5"),
            ("10e-1", "1.0"),
            ("1e3", "1000.0"),
            ("0.25", "0.25"),
            ("25e-2", "0.25"),
            ("0.025", "0.025"),
            ("0.0e7", "0.0"),
            ("1e-300", "1e-300"),
        ] {
            assert_eq!(canonical(text), expected, "{text}");
        }
    }
}

//! Readable formulas as text.

use std::fmt;

use super::{BooleanHypothesis, Formula};
use crate::hypothesis::numeral;

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, parts: &[Formula], word: &str, none: &str| {
            if parts.is_empty() {
                return f.write_str(none);
            }
            f.write_str("(")?;
            for (number, part) in parts.iter().enumerate() {
                if number > 0 {
                    write!(f, " {word} ")?;
                }
                write!(f, "{part}")?;
            }
            f.write_str(")")
        };
        match self {
            Formula::Variable(name) => f.write_str(name),
            Formula::Not(inner) => write!(f, "not {inner}"),
            Formula::And(parts) => list(f, parts, "and", "true"),
            Formula::Or(parts) => list(f, parts, "or", "false"),
            Formula::Iff(left, right) => write!(f, "({left} iff {right})"),
        }
    }
}

/// A conjunct on a line of its own.
fn line(formula: &Formula) -> String {
    let text = formula.to_string();
    if text.starts_with('(') { text } else { format!("({text})") }
}

impl fmt::Display for BooleanHypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, group) in (1..).zip(&self.groups) {
            writeln!(f, "{}", numeral(number))?;
            for conjunct in group {
                writeln!(f, "  {}", line(conjunct))?;
            }
        }
        writeln!(f, "Additional Assertions")?;
        for (title, conjuncts) in &self.additional {
            writeln!(f, "{title}")?;
            for conjunct in conjuncts {
                writeln!(f, "  {}", line(conjunct))?;
            }
        }
        Ok(())
    }
}

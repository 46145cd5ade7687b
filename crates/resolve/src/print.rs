//! Terms as mathematics is written: with few parentheses, and a variable's state behind its name.

use std::fmt;

use crate::term::{Quantifier, Term, TermKind, TimePoint};
use crate::theory::Theory;
use crate::types::Type;

/// How tightly things bind; what binds less is put in parentheses within what binds more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Loose,
    Implies,
    Or,
    And,
    Not,
    Compare,
    Sum,
    Product,
    Tight,
}

/// How a function is written.
enum FunctionNotation {
    Between(Precedence, &'static str),
    /// As it was spelt, between operands.
    Spelt(Precedence),
    Around(&'static str, &'static str),
    Before(&'static str),
    Called,
}

fn form(function: Theory) -> FunctionNotation {
    use Theory as T;
    match function {
        T::And => FunctionNotation::Between(Precedence::And, "∧"),
        T::Or => FunctionNotation::Between(Precedence::Or, "∨"),
        T::Implies => FunctionNotation::Between(Precedence::Implies, "⇒"),
        T::Iff => FunctionNotation::Between(Precedence::Implies, "⇔"),
        T::Not => FunctionNotation::Before("¬ "),
        T::Equal => FunctionNotation::Between(Precedence::Compare, "="),
        T::NotEqual => FunctionNotation::Between(Precedence::Compare, "≠"),
        T::Less => FunctionNotation::Between(Precedence::Compare, "<"),
        T::LessOrEqual => FunctionNotation::Between(Precedence::Compare, "≤"),
        T::Greater => FunctionNotation::Between(Precedence::Compare, ">"),
        T::GreaterOrEqual => FunctionNotation::Between(Precedence::Compare, "≥"),
        T::Member | T::NotMember | T::Subset | T::NotSubset => {
            FunctionNotation::Spelt(Precedence::Compare)
        }
        T::Add => FunctionNotation::Between(Precedence::Sum, "+"),
        T::Subtract | T::Difference => FunctionNotation::Between(Precedence::Sum, "-"),
        T::Union => FunctionNotation::Spelt(Precedence::Sum),
        T::Concatenate => FunctionNotation::Spelt(Precedence::Product),
        T::Multiply => FunctionNotation::Between(Precedence::Product, "*"),
        T::Divide | T::Modulo | T::Intersection => FunctionNotation::Spelt(Precedence::Product),
        T::Power => FunctionNotation::Between(Precedence::Tight, "**"),
        T::Negate => FunctionNotation::Before("-"),
        T::StringOf => FunctionNotation::Around("<", ">"),
        T::SetOf => FunctionNotation::Around("{", "}"),
        T::Length | T::Absolute => FunctionNotation::Around("|", "|"),
        T::Cardinality => FunctionNotation::Around("||", "||"),
        T::EmptyString
        | T::EmptySet
        | T::Maximum
        | T::Minimum
        | T::Reverse
        | T::Between
        | T::Entry
        | T::Iterate
        | T::Sum
        | T::Product
        | T::Occurrences
        | T::IsPermutation
        | T::IsPrefix
        | T::IsSuffix
        | T::IsSubstring
        | T::IsNotSubstring
        | T::Choice
        | T::Apply
        | T::Changed
        | T::IsTotalPreordering
        | T::IsConformal
        | T::IsUniversallyRelated => FunctionNotation::Called,
    }
}

/// The name of a variable in a state, as in `P5`.
pub fn in_state(name: &str, state: u32) -> String {
    // A name that ends with a digit would swallow the state.
    let gap = if name.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
    format!("{name}{gap}{state}")
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Precedence::Loose)
    }
}

/// A term as one of several that are joined by *and*.
pub(crate) struct Conjunct<'t>(pub(crate) &'t Term);

impl fmt::Display for Conjunct<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, Precedence::Or)
    }
}

impl Term {
    fn write(&self, f: &mut fmt::Formatter<'_>, around: Precedence) -> fmt::Result {
        match &self.kind {
            TermKind::Truth(truth) => write!(f, "{truth}"),
            TermKind::Number(number) => write!(f, "{number}"),
            TermKind::Variable(name, TimePoint::Now) => f.write_str(name),
            TermKind::Variable(name, TimePoint::Old) => write!(f, "#{name}"),
            TermKind::Variable(name, TimePoint::At(state)) => f.write_str(&in_state(name, *state)),
            TermKind::Bound(name) | TermKind::Constant(name) => f.write_str(name),
            TermKind::Theory(function, spelt, parts) => {
                write_theory(f, *function, spelt, parts, around)
            }
            TermKind::Defined(_, name, parts) if parts.is_empty() => f.write_str(name),
            TermKind::Defined(_, name, parts) => {
                f.write_str(name)?;
                list(f, "(", parts, ")")
            }
            TermKind::Field(part, field) => {
                part.write(f, Precedence::Tight)?;
                let name = match &part.ty {
                    Type::Product(parts) => parts[*field].0.clone(),
                    _ => (field + 1).to_string(),
                };
                write!(f, ".{name}")
            }
            TermKind::Tuple(parts) => list(f, "(", parts, ")"),
            TermKind::Quantified(quantifier, binders, body) => {
                let sign = match quantifier {
                    Quantifier::All => "∀",
                    Quantifier::Some => "∃",
                };
                enclosed(f, around > Precedence::Loose, |f| {
                    write!(f, "{sign} {}, {body}", declared(binders))
                })
            }
            TermKind::Lambda(binders, body) => enclosed(f, around > Precedence::Loose, |f| {
                write!(f, "λ {}, {body}", declared(binders))
            }),
            TermKind::Unsupported(what) => write!(f, "[{what}]"),
        }
    }
}

fn declared(binders: &[(String, Type)]) -> String {
    let mut out = String::new();
    for (number, (name, ty)) in binders.iter().enumerate() {
        let comma = if number > 0 { ", " } else { "" };
        // Variables of one type are declared together.
        match binders.get(number + 1) {
            Some((_, next)) if next == ty => out.push_str(&format!("{comma}{name}")),
            _ => out.push_str(&format!("{comma}{name}: {ty}")),
        }
    }
    out
}

fn enclosed(
    f: &mut fmt::Formatter<'_>,
    is_enclosed: bool,
    write: impl FnOnce(&mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    if !is_enclosed {
        return write(f);
    }
    f.write_str("(")?;
    write(f)?;
    f.write_str(")")
}

fn list(f: &mut fmt::Formatter<'_>, open: &str, parts: &[Term], close: &str) -> fmt::Result {
    f.write_str(open)?;
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            f.write_str(", ")?;
        }
        part.write(f, Precedence::Loose)?;
    }
    f.write_str(close)
}

fn write_theory(
    f: &mut fmt::Formatter<'_>,
    function: Theory,
    spelt: &str,
    parts: &[Term],
    around: Precedence,
) -> fmt::Result {
    let (level, word) = match form(function) {
        FunctionNotation::Between(level, word) => (level, word),
        FunctionNotation::Spelt(level) => (level, spelt),
        FunctionNotation::Around(open, close) => return list(f, open, parts, close),
        FunctionNotation::Before(sign) => {
            return enclosed(f, around > Precedence::Not, |f| {
                f.write_str(sign)?;
                parts[0].write(f, Precedence::Tight)
            });
        }
        FunctionNotation::Called => return write_called(f, function, spelt, parts, around),
    };
    enclosed(f, around >= level, |f| {
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                write!(f, " {word} ")?;
            }
            // An associative operator needs no parentheses on its left.
            let inside =
                if number == 0 || associates(function, part) { before(level) } else { level };
            part.write(f, inside)?;
        }
        Ok(())
    })
}

/// Whether an operator and the one of an operand may stand side by side.
fn associates(function: Theory, part: &Term) -> bool {
    matches!(function, Theory::And | Theory::Or | Theory::Add | Theory::Concatenate | Theory::Union)
        && matches!(&part.kind, TermKind::Theory(other, _, _) if *other == function)
}

/// The level just below one.
fn before(level: Precedence) -> Precedence {
    match level {
        Precedence::Loose | Precedence::Implies => Precedence::Loose,
        Precedence::Or => Precedence::Implies,
        Precedence::And => Precedence::Or,
        Precedence::Not => Precedence::And,
        Precedence::Compare => Precedence::Not,
        Precedence::Sum => Precedence::Compare,
        Precedence::Product => Precedence::Sum,
        Precedence::Tight => Precedence::Product,
    }
}

fn write_called(
    f: &mut fmt::Formatter<'_>,
    function: Theory,
    spelt: &str,
    parts: &[Term],
    around: Precedence,
) -> fmt::Result {
    match (function, parts) {
        (Theory::Choice, [condition, then, otherwise]) => {
            enclosed(f, around > Precedence::Loose, |f| {
                write!(f, "if {condition} then {then} else {otherwise}")
            })
        }
        (Theory::Apply, [function, arguments @ ..]) => {
            function.write(f, Precedence::Tight)?;
            list(f, "(", arguments, ")")
        }
        (Theory::Changed, [function, keys @ .., value]) => {
            function.write(f, Precedence::Tight)?;
            list(f, "[", keys, "")?;
            write!(f, " := {value}]")
        }
        (Theory::Sum | Theory::Product | Theory::Iterate, [low, high, values]) => {
            let TermKind::Lambda(binders, body) = &values.kind else {
                f.write_str(spelt)?;
                return list(f, "(", parts, ")");
            };
            let names: Vec<&str> = binders.iter().map(|(name, _)| name.as_str()).collect();
            enclosed(f, around > Precedence::Loose, |f| {
                write!(f, "{spelt} {} = {low}..{high}, {body}", names.join(", "))
            })
        }
        (_, []) => f.write_str(spelt),
        _ => {
            f.write_str(spelt)?;
            list(f, "(", parts, ")")
        }
    }
}

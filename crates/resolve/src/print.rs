//! Terms as mathematics is written: with few parentheses, and a variable's state behind its name.

use std::fmt;

use crate::term::{Kind, Quantifier, Term, When};
use crate::theory::Theory;
use crate::types::Type;

/// How tightly things bind; what binds less is put in parentheses within what binds more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
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
enum Form {
    Between(Level, &'static str),
    /// As it was spelt, between operands.
    Spelt(Level),
    Around(&'static str, &'static str),
    Before(&'static str),
    Called,
}

fn form(function: Theory) -> Form {
    use Theory as T;
    match function {
        T::And => Form::Between(Level::And, "∧"),
        T::Or => Form::Between(Level::Or, "∨"),
        T::Implies => Form::Between(Level::Implies, "⇒"),
        T::Iff => Form::Between(Level::Implies, "⇔"),
        T::Not => Form::Before("¬ "),
        T::Equal => Form::Between(Level::Compare, "="),
        T::NotEqual => Form::Between(Level::Compare, "≠"),
        T::Less => Form::Between(Level::Compare, "<"),
        T::LessOrEqual => Form::Between(Level::Compare, "≤"),
        T::Greater => Form::Between(Level::Compare, ">"),
        T::GreaterOrEqual => Form::Between(Level::Compare, "≥"),
        T::Member | T::NotMember | T::Subset | T::NotSubset => Form::Spelt(Level::Compare),
        T::Add => Form::Between(Level::Sum, "+"),
        T::Subtract | T::Difference => Form::Between(Level::Sum, "-"),
        T::Union => Form::Spelt(Level::Sum),
        T::Concatenate => Form::Spelt(Level::Product),
        T::Multiply => Form::Between(Level::Product, "*"),
        T::Divide | T::Modulo | T::Intersection => Form::Spelt(Level::Product),
        T::Power => Form::Between(Level::Tight, "**"),
        T::Negate => Form::Before("-"),
        T::StringOf => Form::Around("<", ">"),
        T::SetOf => Form::Around("{", "}"),
        T::Length | T::Absolute => Form::Around("|", "|"),
        T::Cardinality => Form::Around("||", "||"),
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
        | T::IsUniversallyRelated => Form::Called,
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
        self.write(f, Level::Loose)
    }
}

/// A term as one of several that are joined by *and*.
pub(crate) struct Conjunct<'t>(pub(crate) &'t Term);

impl fmt::Display for Conjunct<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, Level::Or)
    }
}

impl Term {
    fn write(&self, f: &mut fmt::Formatter<'_>, around: Level) -> fmt::Result {
        match &self.kind {
            Kind::Truth(truth) => write!(f, "{truth}"),
            Kind::Number(number) => write!(f, "{number}"),
            Kind::Variable(name, When::Now) => f.write_str(name),
            Kind::Variable(name, When::Old) => write!(f, "#{name}"),
            Kind::Variable(name, When::At(state)) => f.write_str(&in_state(name, *state)),
            Kind::Bound(name) | Kind::Constant(name) => f.write_str(name),
            Kind::Theory(function, spelt, parts) => {
                write_theory(f, *function, spelt, parts, around)
            }
            Kind::Defined(_, name, parts) if parts.is_empty() => f.write_str(name),
            Kind::Defined(_, name, parts) => {
                f.write_str(name)?;
                list(f, "(", parts, ")")
            }
            Kind::Field(part, field) => {
                part.write(f, Level::Tight)?;
                let name = match &part.ty {
                    Type::Product(parts) => parts[*field].0.clone(),
                    _ => (field + 1).to_string(),
                };
                write!(f, ".{name}")
            }
            Kind::Tuple(parts) => list(f, "(", parts, ")"),
            Kind::Quantified(quantifier, binders, body) => {
                let sign = match quantifier {
                    Quantifier::All => "∀",
                    Quantifier::Some => "∃",
                };
                enclosed(f, around > Level::Loose, |f| {
                    write!(f, "{sign} {}, {body}", declared(binders))
                })
            }
            Kind::Lambda(binders, body) => {
                enclosed(f, around > Level::Loose, |f| write!(f, "λ {}, {body}", declared(binders)))
            }
            Kind::Unsupported(what) => write!(f, "[{what}]"),
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
        part.write(f, Level::Loose)?;
    }
    f.write_str(close)
}

fn write_theory(
    f: &mut fmt::Formatter<'_>,
    function: Theory,
    spelt: &str,
    parts: &[Term],
    around: Level,
) -> fmt::Result {
    let (level, word) = match form(function) {
        Form::Between(level, word) => (level, word),
        Form::Spelt(level) => (level, spelt),
        Form::Around(open, close) => return list(f, open, parts, close),
        Form::Before(sign) => {
            return enclosed(f, around > Level::Not, |f| {
                f.write_str(sign)?;
                parts[0].write(f, Level::Tight)
            });
        }
        Form::Called => return write_called(f, function, spelt, parts, around),
    };
    enclosed(f, around >= level, |f| {
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                write!(f, " {word} ")?;
            }
            // What is associative needs no parentheses on its left.
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
        && matches!(&part.kind, Kind::Theory(other, _, _) if *other == function)
}

/// The level just below one.
fn before(level: Level) -> Level {
    match level {
        Level::Loose | Level::Implies => Level::Loose,
        Level::Or => Level::Implies,
        Level::And => Level::Or,
        Level::Not => Level::And,
        Level::Compare => Level::Not,
        Level::Sum => Level::Compare,
        Level::Product => Level::Sum,
        Level::Tight => Level::Product,
    }
}

fn write_called(
    f: &mut fmt::Formatter<'_>,
    function: Theory,
    spelt: &str,
    parts: &[Term],
    around: Level,
) -> fmt::Result {
    match (function, parts) {
        (Theory::Choice, [condition, then, otherwise]) => enclosed(f, around > Level::Loose, |f| {
            write!(f, "if {condition} then {then} else {otherwise}")
        }),
        (Theory::Apply, [function, arguments @ ..]) => {
            function.write(f, Level::Tight)?;
            list(f, "(", arguments, ")")
        }
        (Theory::Changed, [function, keys @ .., value]) => {
            function.write(f, Level::Tight)?;
            list(f, "[", keys, "")?;
            write!(f, " := {value}]")
        }
        (Theory::Sum | Theory::Product | Theory::Iterate, [low, high, values]) => {
            let Kind::Lambda(binders, body) = &values.kind else {
                f.write_str(spelt)?;
                return list(f, "(", parts, ")");
            };
            let names: Vec<&str> = binders.iter().map(|(name, _)| name.as_str()).collect();
            enclosed(f, around > Level::Loose, |f| {
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

//! Mathematical types, which programs borrow for their variables.

use std::fmt;

/// The type of a mathematical value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Natural numbers: integers that are not negative.
    Nat,
    /// Values of which nothing is known but whether they are equal: the entries of a type parameter.
    Atom(String),
    /// Strings of entries.
    Str(Box<Type>),
    /// Sets.
    Set(Box<Type>),
    /// Products with named parts.
    Product(Vec<(String, Type)>),
    /// Functions.
    Function(Vec<Type>, Box<Type>),
    /// Something that was reported, or that nothing is known of. It agrees with everything.
    Unknown,
}

impl Type {
    /// Whether values of the two types can be compared.
    pub(crate) fn agrees(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Unknown, _) | (_, Type::Unknown) => true,
            (Type::Int | Type::Nat, Type::Int | Type::Nat) => true,
            (Type::Str(a), Type::Str(b)) | (Type::Set(a), Type::Set(b)) => a.agrees(b),
            (Type::Product(a), Type::Product(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.1.agrees(&b.1))
            }
            (Type::Function(a, to_a), Type::Function(b, to_b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.agrees(b)) && to_a.agrees(to_b)
            }
            _ => self == other,
        }
    }

    /// The more precise of two types that agree.
    pub(crate) fn meet(&self, other: &Type) -> Type {
        match (self, other) {
            (Type::Unknown, known) | (known, Type::Unknown) => known.clone(),
            (Type::Str(a), Type::Str(b)) => Type::Str(Box::new(a.meet(b))),
            (Type::Set(a), Type::Set(b)) => Type::Set(Box::new(a.meet(b))),
            // A value that is spelt out has the names of what it is compared with.
            (Type::Product(own), Type::Product(_))
                if own.first().is_some_and(|part| part.0 == "1") =>
            {
                other.clone()
            }
            _ => self.clone(),
        }
    }

    /// Whether nothing in it is unknown.
    pub(crate) fn is_known(&self) -> bool {
        match self {
            Type::Bool | Type::Int | Type::Nat | Type::Atom(_) => true,
            Type::Str(part) | Type::Set(part) => part.is_known(),
            Type::Product(parts) => parts.iter().all(|(_, part)| part.is_known()),
            Type::Function(from, to) => from.iter().all(Type::is_known) && to.is_known(),
            Type::Unknown => false,
        }
    }

    /// A part of a product, by name.
    pub(crate) fn field(&self, name: &str) -> Option<(usize, &Type)> {
        let Type::Product(parts) = self else { return None };
        let position = parts.iter().position(|(part, _)| part == name)?;
        Some((position, &parts[position].1))
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => f.write_str("B"),
            Type::Int => f.write_str("Z"),
            Type::Nat => f.write_str("N"),
            Type::Atom(name) => f.write_str(name),
            Type::Str(part) => write!(f, "Str({part})"),
            Type::Set(part) => write!(f, "Powerset({part})"),
            Type::Product(parts) => {
                f.write_str("(")?;
                for (number, (name, part)) in parts.iter().enumerate() {
                    let comma = if number == 0 { "" } else { "; " };
                    write!(f, "{comma}{name}: {part}")?;
                }
                f.write_str(")")
            }
            Type::Function(from, to) => {
                let from: Vec<String> = from.iter().map(Type::to_string).collect();
                write!(f, "({} -> {to})", from.join(" * "))
            }
            Type::Unknown => f.write_str("?"),
        }
    }
}

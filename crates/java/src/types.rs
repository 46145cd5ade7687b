//! Java's types, resolved.

use crate::program::{ClassId, VarId};

/// A type. Type variables denote their bounds where their meaning is unknown.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Ty {
    Boolean,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
    Void,
    /// The type of `null`.
    Null,
    /// A class with its type arguments; none if they are not given.
    Class(ClassId, Vec<Ty>),
    Var(VarId),
    Array(Box<Ty>),
    /// Of an expression that could not be made out.
    Unknown,
}

impl Ty {
    /// The type that a word of the language names.
    pub(crate) fn primitive(word: &str) -> Option<Ty> {
        Some(match word {
            "boolean" => Ty::Boolean,
            "byte" => Ty::Byte,
            "short" => Ty::Short,
            "char" => Ty::Char,
            "int" => Ty::Int,
            "long" => Ty::Long,
            "float" => Ty::Float,
            "double" => Ty::Double,
            "void" => Ty::Void,
            _ => return None,
        })
    }

    pub(crate) fn is_reference(&self) -> bool {
        matches!(self, Ty::Null | Ty::Class(..) | Ty::Var(_) | Ty::Array(_))
    }

    /// The class of the values, whatever the type arguments.
    pub(crate) fn class(&self) -> Option<ClassId> {
        match self {
            Ty::Class(class, _) => Some(*class),
            _ => None,
        }
    }

    /// Whether it is a whole number, `char` included.
    pub(crate) fn is_integral(&self) -> bool {
        matches!(self, Ty::Byte | Ty::Short | Ty::Char | Ty::Int | Ty::Long)
    }

    pub(crate) fn is_floating(&self) -> bool {
        matches!(self, Ty::Float | Ty::Double)
    }

    pub(crate) fn is_numeric(&self) -> bool {
        self.is_integral() || self.is_floating()
    }

    /// How many bits a number of this type has.
    pub(crate) fn width(&self) -> Option<u32> {
        Some(match self {
            Ty::Byte => 8,
            Ty::Short | Ty::Char => 16,
            Ty::Int | Ty::Float => 32,
            Ty::Long | Ty::Double => 64,
            _ => return None,
        })
    }

    /// The type that an operator on numbers computes in (JLS §5.6).
    pub(crate) fn promoted(&self, other: &Ty) -> Ty {
        [Ty::Double, Ty::Float, Ty::Long]
            .into_iter()
            .find(|wide| self == wide || other == wide)
            .unwrap_or(Ty::Int)
    }

    /// Whether a number of this type is one of the other without a cast (JLS §5.1.2).
    pub(crate) fn widens_to(&self, other: &Ty) -> bool {
        let rank = |ty: &Ty| match ty {
            Ty::Byte => Some(1),
            Ty::Short => Some(2),
            Ty::Char => Some(2),
            Ty::Int => Some(3),
            Ty::Long => Some(4),
            Ty::Float => Some(5),
            Ty::Double => Some(6),
            _ => None,
        };
        self == other
            || match (rank(self), rank(other)) {
                (Some(from), Some(to)) => from < to && *other != Ty::Char,
                _ => false,
            }
    }
}

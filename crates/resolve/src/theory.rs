//! The theories that are built in: what their functions are called, and what types they have.
//!
//! A function keeps the spelling of its use, so that `Rev` stays `Rev` where a paper has it and `Reverse`
//! stays `Reverse`.

use crate::types::Type;

/// A function of a theory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Theory {
    /// All hold.
    And,
    /// One of them holds.
    Or,
    /// It does not hold.
    Not,
    /// If the first, then the second.
    Implies,
    /// Both or none.
    Iff,
    /// The same.
    Equal,
    /// Not the same.
    NotEqual,
    /// Smaller.
    Less,
    /// Not greater.
    LessOrEqual,
    /// Greater.
    Greater,
    /// Not smaller.
    GreaterOrEqual,
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The opposite number.
    Negate,
    /// The product.
    Multiply,
    /// The quotient, so that the remainder is not negative.
    Divide,
    /// The remainder, which is not negative.
    Modulo,
    /// The distance from zero.
    Absolute,
    /// The greater of two.
    Maximum,
    /// The smaller of two.
    Minimum,
    /// `<x, y>`.
    StringOf,
    /// The string without entries.
    EmptyString,
    /// One string behind another.
    Concatenate,
    /// The number of entries.
    Length,
    /// The entries in the opposite order.
    Reverse,
    /// The entries from one position up to before another.
    Between,
    /// The one entry of a string of length one.
    Entry,
    /// The strings that a function has for the numbers from one to another, joined.
    Iterate,
    /// The values that a function has for the numbers from one to another, added.
    Sum,
    /// These values, multiplied.
    Product,
    /// A number multiplied with itself so often.
    Power,
    /// How often an entry is in a string.
    Occurrences,
    /// Whether two strings have the same entries, each as often.
    IsPermutation,
    /// Whether one string begins another.
    IsPrefix,
    /// Whether one string ends another.
    IsSuffix,
    /// Whether one string is a part of another.
    IsSubstring,
    /// Whether it is not.
    IsNotSubstring,
    /// `{x, y}`.
    SetOf,
    /// The set without members.
    EmptySet,
    /// The union of two sets.
    Union,
    /// The intersection.
    Intersection,
    /// The elements of the first set only.
    Difference,
    /// Whether something is in a set.
    Member,
    /// Whether it is not.
    NotMember,
    /// Whether one set is within another.
    Subset,
    /// Whether it is not.
    NotSubset,
    /// The number of members.
    Cardinality,
    /// If, then, else.
    Choice,
    /// The value of a function.
    Apply,
    /// A function changed at some arguments.
    Changed,
    /// Whether a relation is total and transitive.
    IsTotalPreordering,
    /// Whether a string is in order by a relation.
    IsConformal,
    /// Whether every entry of one string is related to every entry of another.
    IsUniversallyRelated,
}

/// The function of this name that takes this many arguments.
pub(crate) fn function(name: &str, arguments: usize) -> Option<Theory> {
    use Theory::{
        Absolute, Between, Entry, IsConformal, IsPermutation, IsPrefix, IsSubstring, IsSuffix,
        IsTotalPreordering, IsUniversallyRelated, Maximum, Minimum, Occurrences, Reverse, SetOf,
        Subset,
    };
    let function = match (name.to_lowercase().as_str(), arguments) {
        ("rev" | "reverse", 1) => Reverse,
        ("prt_btwn", 3) => Between,
        ("destring" | "de_string", 1) => Entry,
        ("iterated_concatenation", 3) => Theory::Iterate,
        ("occurs_ct" | "occurs_count", 2) => Occurrences,
        ("is_permutation" | "is_perm", 2) => IsPermutation,
        ("is_prefix", 2) => IsPrefix,
        ("is_suffix", 2) => IsSuffix,
        ("is_substring", 2) => IsSubstring,
        ("is_subset", 2) => Subset,
        ("singleton", 1) => SetOf,
        ("stringify" | "str_of", 1) => Theory::StringOf,
        ("abs", 1) => Absolute,
        ("max", 2) => Maximum,
        ("min", 2) => Minimum,
        ("is_total_preordering", 1) => IsTotalPreordering,
        ("is_conformal_with", 2) => IsConformal,
        ("is_universally_related", 3) => IsUniversallyRelated,
        _ => return None,
    };
    Some(function)
}

/// The constant of this name.
pub(crate) fn constant(name: &str) -> Option<Theory> {
    match name.to_lowercase().as_str() {
        "empty_string" | "lambda_string" | "λ" => Some(Theory::EmptyString),
        "empty_set" | "emptyset" => Some(Theory::EmptySet),
        _ => None,
    }
}

/// The operator that is written so between operands of these types.
pub(crate) fn operator(word: &str, left: &Type, right: &Type) -> Option<Theory> {
    let is_string = matches!(left, Type::Str(_)) || matches!(right, Type::Str(_));
    let is_set = matches!(left, Type::Set(_)) || matches!(right, Type::Set(_));
    let function = match word {
        "and" => Theory::And,
        "or" => Theory::Or,
        "implies" => Theory::Implies,
        "iff" => Theory::Iff,
        "=" => Theory::Equal,
        "/=" => Theory::NotEqual,
        "<" => Theory::Less,
        "<=" => Theory::LessOrEqual,
        ">" => Theory::Greater,
        ">=" => Theory::GreaterOrEqual,
        "o" => Theory::Concatenate,
        "*" if is_string => Theory::Concatenate,
        "*" => Theory::Multiply,
        "+" => Theory::Add,
        "-" | "~" | "without" if is_set => Theory::Difference,
        "-" => Theory::Subtract,
        "/" | "div" => Theory::Divide,
        "mod" | "rem" => Theory::Modulo,
        "**" => Theory::Power,
        "union" => Theory::Union,
        "intersect" => Theory::Intersection,
        "is_in" => Theory::Member,
        "is_not_in" => Theory::NotMember,
        "is_subset_of" => Theory::Subset,
        "is_not_subset_of" => Theory::NotSubset,
        "is_substring_of" => Theory::IsSubstring,
        "is_not_substring_of" => Theory::IsNotSubstring,
        _ => return None,
    };
    Some(function)
}

/// The type of a function's value for arguments of these types, or what is wrong with them.
pub(crate) fn result(function: Theory, arguments: &[Type]) -> Result<Type, String> {
    use Theory as T;
    let all = |wanted: &Type| arguments.iter().find(|ty| !ty.agrees(wanted));
    let demand = |wanted: Type, result: Type| match all(&wanted) {
        None => Ok(result),
        Some(other) => Err(format!("expected {wanted}, found {other}")),
    };
    let alike = |result: Type| match arguments {
        [a, b] if !a.agrees(b) => Err(format!("{a} and {b} cannot be combined")),
        _ => Ok(result),
    };
    let string = || Type::Str(Box::new(Type::Unknown));
    let set = || Type::Set(Box::new(Type::Unknown));
    let joined = || arguments.iter().fold(Type::Unknown, |whole, part| whole.meet(part));
    match function {
        T::And | T::Or | T::Not | T::Implies | T::Iff => demand(Type::Bool, Type::Bool),
        T::Equal | T::NotEqual => alike(Type::Bool),
        T::Less | T::LessOrEqual | T::Greater | T::GreaterOrEqual => demand(Type::Int, Type::Bool),
        T::Add | T::Multiply => {
            let natural = arguments.iter().all(|ty| *ty == Type::Nat);
            demand(Type::Int, if natural { Type::Nat } else { Type::Int })
        }
        T::Subtract | T::Negate | T::Divide | T::Modulo | T::Maximum | T::Minimum => {
            demand(Type::Int, Type::Int)
        }
        T::Absolute => demand(Type::Int, Type::Nat),
        T::StringOf => Ok(Type::Str(Box::new(joined()))),
        T::EmptyString => Ok(string()),
        T::Concatenate => match all(&string()) {
            Some(other) => Err(format!("expected a string, found {other}")),
            None => alike(joined()),
        },
        T::Length => demand(string(), Type::Nat),
        T::Reverse => demand(string(), joined()),
        T::Between => match &arguments[2] {
            ty @ (Type::Str(_) | Type::Unknown) => Ok(ty.clone()),
            other => Err(format!("expected a string, found {other}")),
        },
        T::Entry => match &arguments[0] {
            Type::Str(entry) => Ok((**entry).clone()),
            Type::Unknown => Ok(Type::Unknown),
            other => Err(format!("expected a string, found {other}")),
        },
        T::Iterate => match &arguments[2] {
            Type::Function(_, to) => Ok((**to).clone()),
            Type::Unknown => Ok(Type::Str(Box::new(Type::Unknown))),
            other => Err(format!("{other} is no function")),
        },
        T::Sum | T::Product => match &arguments[2] {
            Type::Function(_, to) if to.agrees(&Type::Int) => Ok((**to).meet(&Type::Int)),
            Type::Unknown => Ok(Type::Int),
            other => Err(format!("expected numbers, found {other}")),
        },
        T::Power => demand(Type::Int, arguments[0].meet(&Type::Int)),
        T::Occurrences => Ok(Type::Nat),
        T::IsPermutation | T::IsPrefix | T::IsSuffix | T::IsSubstring | T::IsNotSubstring => {
            demand(string(), Type::Bool).and_then(alike)
        }
        T::SetOf => Ok(Type::Set(Box::new(joined()))),
        T::EmptySet => Ok(set()),
        T::Union | T::Intersection | T::Difference => match all(&set()) {
            Some(other) => Err(format!("expected a set, found {other}")),
            None => alike(joined()),
        },
        T::Member | T::NotMember => match &arguments[1] {
            Type::Set(_) | Type::Unknown => Ok(Type::Bool),
            other => Err(format!("expected a set, found {other}")),
        },
        T::Subset | T::NotSubset => demand(set(), Type::Bool),
        T::Cardinality => demand(set(), Type::Nat),
        T::Choice => Ok(arguments[1].meet(&arguments[2])),
        T::Apply => match &arguments[0] {
            Type::Function(_, to) => Ok((**to).clone()),
            Type::Unknown => Ok(Type::Unknown),
            other => Err(format!("{other} is no function")),
        },
        T::Changed => Ok(arguments[0].clone()),
        T::IsTotalPreordering | T::IsConformal | T::IsUniversallyRelated => Ok(Type::Bool),
    }
}

//! Variables and literals.
//!
//! A literal is a variable or its negation, packed into 32 bits: twice the variable's index, plus
//! one when it is negated. The packing makes negation one exclusive-or and lets a table be indexed
//! by literal, and it is the order in which literals sort: by variable, the positive literal first.

use std::fmt;
use std::ops::Not;

/// A propositional variable, numbered from zero in the order of creation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

/// A variable or its negation.
///
/// Invariant: the variable's index is at most [`Var::MAX_INDEX`], so that every literal has a
/// DIMACS form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Var {
    /// The largest index a variable can have: its DIMACS number, one more, must fit an `i32`.
    pub const MAX_INDEX: usize = i32::MAX as usize - 1;

    /// The variable with this index.
    ///
    /// # Panics
    ///
    /// If the index is larger than [`Var::MAX_INDEX`].
    #[must_use]
    pub fn new(index: usize) -> Var {
        assert!(
            index <= Var::MAX_INDEX,
            "there is no variable number {index}: the index is too large"
        );
        Var(index as u32)
    }

    /// The variable's index, counted from zero.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that is true when the variable is.
    #[must_use]
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The literal that is true when the variable is false.
    #[must_use]
    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }

    /// The literal that is true when the variable has this value.
    #[must_use]
    pub fn lit(self, value: bool) -> Lit {
        if value { self.positive() } else { self.negative() }
    }
}

impl Lit {
    /// The literal's variable.
    #[must_use]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether the literal is its variable, not the negation.
    #[must_use]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// A dense index for tables over literals: twice the variable's index, plus one if negated.
    #[must_use]
    pub fn code(self) -> usize {
        self.0 as usize
    }

    /// The literal whose [`Lit::code`] this is.
    ///
    /// # Panics
    ///
    /// If the code belongs to a variable beyond [`Var::MAX_INDEX`].
    #[must_use]
    pub fn from_code(code: usize) -> Lit {
        Var::new(code >> 1).lit(code & 1 == 0)
    }

    /// The literal with this DIMACS number, whose sign is the literal's and whose magnitude is the
    /// variable's index plus one. There is none for zero, which ends a clause, nor for `i32::MIN`,
    /// which has no negation.
    #[must_use]
    pub fn from_dimacs(number: i32) -> Option<Lit> {
        if number == 0 || number == i32::MIN {
            return None;
        }
        Some(Var(number.unsigned_abs() - 1).lit(number > 0))
    }

    /// The literal's DIMACS number.
    #[must_use]
    pub fn to_dimacs(self) -> i32 {
        let number = (self.0 >> 1) as i32 + 1;
        if self.is_positive() { number } else { -number }
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl From<Var> for Lit {
    fn from(var: Var) -> Lit {
        var.positive()
    }
}

/// Prints the variable's DIMACS number.
impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.positive().to_dimacs().fmt(f)
    }
}

/// Prints the literal's DIMACS number.
impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_dimacs().fmt(f)
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Var({self})")
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lit({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negation_flips_the_sign_and_keeps_the_variable() {
        let var = Var::new(6);
        assert_eq!(!var.positive(), var.negative());
        assert_eq!(!var.negative(), var.positive());
        assert_eq!((!var.positive()).var(), var);
        assert!(var.positive().is_positive() && !var.negative().is_positive());
    }

    #[test]
    fn dimacs_numbers_round_trip() {
        for number in [1, -1, 2, -77, i32::MAX, -i32::MAX] {
            let lit = Lit::from_dimacs(number).expect("the number is neither zero nor i32::MIN");
            assert_eq!(lit.to_dimacs(), number);
            assert_eq!(Lit::from_code(lit.code()), lit);
            assert_eq!(lit.to_string(), number.to_string());
        }
        assert_eq!(Lit::from_dimacs(0), None);
        assert_eq!(Lit::from_dimacs(i32::MIN), None);
    }

    #[test]
    fn literals_sort_by_variable_first() {
        let mut lits: Vec<Lit> = [-2, 3, 1, 2, -1].into_iter().flat_map(Lit::from_dimacs).collect();
        lits.sort();
        let numbers: Vec<i32> = lits.iter().map(|lit| lit.to_dimacs()).collect();
        assert_eq!(numbers, [1, -1, 2, -2, 3]);
    }

    #[test]
    #[should_panic(expected = "the index is too large")]
    fn an_index_beyond_dimacs_is_refused() {
        let _ = Var::new(Var::MAX_INDEX + 1);
    }
}

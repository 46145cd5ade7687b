//! Terms: expressions of mathematics whose names and types are known.

use ir::Span;
use num_bigint::BigInt;

use crate::theory::Theory;
use crate::types::Type;

/// A typed expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    /// The kind of term.
    pub kind: TermKind,
    /// Its type.
    pub ty: Type,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of terms.
#[derive(Clone, PartialEq, Debug)]
pub enum TermKind {
    /// A truth value.
    Truth(bool),
    /// An integer.
    Number(BigInt),
    /// The value of a variable at some time.
    Variable(String, TimePoint),
    /// A variable of an enclosing quantifier or function.
    Bound(String),
    /// A constant that a module is given or declares.
    Constant(String),
    /// A function of a theory, as it was spelt.
    Theory(Theory, String, Vec<Term>),
    /// A function that a module defines, by its number among them.
    Defined(usize, String, Vec<Term>),
    /// A part of a product.
    Field(Box<Term>, usize),
    /// A value of a product.
    Tuple(Vec<Term>),
    /// A quantified formula.
    Quantified(Quantifier, Vec<(String, Type)>, Box<Term>),
    /// A function by its values.
    Lambda(Vec<(String, Type)>, Box<Term>),
    /// Something that has no meaning here, in words.
    Unsupported(String),
}

pub use crate::syntax::Quantifier;

/// The state in which a variable is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TimePoint {
    /// In the state that the specification concerns.
    Now,
    /// When the operation began: `#`.
    Old,
    /// In a state.
    At(u32),
}

impl Term {
    /// A formula that is true.
    pub(crate) fn truth(span: Span) -> Term {
        Term { kind: TermKind::Truth(true), ty: Type::Bool, span }
    }

    /// A variable in a state.
    pub(crate) fn variable(name: &str, when: TimePoint, ty: Type, span: Span) -> Term {
        Term { kind: TermKind::Variable(name.to_owned(), when), ty, span }
    }

    /// A function of a theory with a type that is known.
    pub(crate) fn theory(function: Theory, spelt: &str, arguments: Vec<Term>, ty: Type) -> Term {
        let span = arguments.first().map_or(NOWHERE, |first| {
            let end = arguments.iter().filter(|a| a.span.file == first.span.file);
            let end = end.map(|a| a.span.end).max().unwrap_or(first.span.end);
            Span { end, ..first.span }
        });
        Term { kind: TermKind::Theory(function, spelt.to_owned(), arguments), ty, span }
    }

    /// That two terms are equal.
    pub(crate) fn equal(left: Term, right: Term) -> Term {
        Term::theory(Theory::Equal, "=", vec![left, right], Type::Bool)
    }

    /// An integer.
    pub(crate) fn number(value: i64, span: Span) -> Term {
        Term {
            kind: TermKind::Number(value.into()),
            ty: if value < 0 { Type::Int } else { Type::Nat },
            span,
        }
    }

    /// Conditions that hold together exactly if this one does.
    pub fn conjuncts(&self) -> Vec<&Term> {
        match &self.kind {
            TermKind::Theory(Theory::And, _, parts) => {
                parts.iter().flat_map(Term::conjuncts).collect()
            }
            TermKind::Truth(true) => Vec::new(),
            _ => vec![self],
        }
    }

    /// The terms directly within.
    pub(crate) fn parts(&self) -> Vec<&Term> {
        match &self.kind {
            TermKind::Truth(_)
            | TermKind::Number(_)
            | TermKind::Variable(..)
            | TermKind::Bound(_)
            | TermKind::Constant(_)
            | TermKind::Unsupported(_) => Vec::new(),
            TermKind::Theory(_, _, parts)
            | TermKind::Defined(_, _, parts)
            | TermKind::Tuple(parts) => parts.iter().collect(),
            TermKind::Field(part, _)
            | TermKind::Quantified(_, _, part)
            | TermKind::Lambda(_, part) => {
                vec![part]
            }
        }
    }

    /// Calls a function with every term within, itself first.
    pub(crate) fn each<'t>(&'t self, f: &mut dyn FnMut(&'t Term)) {
        f(self);
        self.parts().into_iter().for_each(|part| part.each(f));
    }

    /// The same term with some of its leaves and subterms replaced, outermost first.
    pub(crate) fn replace(&self, f: &dyn Fn(&Term) -> Option<Term>) -> Term {
        if let Some(other) = f(self) {
            return other;
        }
        let all = |parts: &[Term]| parts.iter().map(|part| part.replace(f)).collect::<Vec<_>>();
        let kind = match &self.kind {
            TermKind::Truth(_)
            | TermKind::Number(_)
            | TermKind::Variable(..)
            | TermKind::Bound(_)
            | TermKind::Constant(_)
            | TermKind::Unsupported(_) => self.kind.clone(),
            TermKind::Theory(function, spelt, parts) => {
                TermKind::Theory(*function, spelt.clone(), all(parts))
            }
            TermKind::Defined(id, name, parts) => TermKind::Defined(*id, name.clone(), all(parts)),
            TermKind::Tuple(parts) => TermKind::Tuple(all(parts)),
            TermKind::Field(part, field) => {
                let part = part.replace(f);
                // A part of a product that is spelt out is that part.
                if let TermKind::Tuple(parts) = &part.kind {
                    return parts[*field].clone();
                }
                TermKind::Field(Box::new(part), *field)
            }
            TermKind::Quantified(quantifier, binders, body) => {
                TermKind::Quantified(*quantifier, binders.clone(), Box::new(body.replace(f)))
            }
            TermKind::Lambda(binders, body) => {
                TermKind::Lambda(binders.clone(), Box::new(body.replace(f)))
            }
        };
        Term { kind, ty: self.ty.clone(), span: self.span }
    }

    /// The variables in states that it mentions.
    pub(crate) fn variables(&self) -> Vec<(String, u32)> {
        let mut found = Vec::new();
        self.each(&mut |term| {
            if let TermKind::Variable(name, TimePoint::At(state)) = &term.kind {
                found.push((name.clone(), *state));
            }
        });
        found
    }

    /// Its negation, simplified for printing.
    pub(crate) fn negated(&self) -> Term {
        let other = |function: Theory, spelt: &str, parts: &[Term]| {
            Term::theory(function, spelt, parts.to_vec(), Type::Bool)
        };
        let TermKind::Theory(function, _, parts) = &self.kind else {
            return other(Theory::Not, "not", std::slice::from_ref(self));
        };
        let is_zero = |term: &Term| term.kind == TermKind::Number(0.into());
        match function {
            Theory::Not => parts[0].clone(),
            Theory::Equal => other(Theory::NotEqual, "/=", parts),
            Theory::NotEqual => other(Theory::Equal, "=", parts),
            // A value that is neither negative nor positive is zero.
            Theory::Greater if parts[0].ty == Type::Nat && is_zero(&parts[1]) => {
                other(Theory::Equal, "=", parts)
            }
            Theory::Less if parts[1].ty == Type::Nat && is_zero(&parts[0]) => {
                other(Theory::Equal, "=", parts)
            }
            Theory::Less => other(Theory::GreaterOrEqual, ">=", parts),
            Theory::LessOrEqual => other(Theory::Greater, ">", parts),
            Theory::Greater => other(Theory::LessOrEqual, "<=", parts),
            Theory::GreaterOrEqual => other(Theory::Less, "<", parts),
            Theory::Member => other(Theory::NotMember, "is_not_in", parts),
            Theory::NotMember => other(Theory::Member, "is_in", parts),
            _ => other(Theory::Not, "not", std::slice::from_ref(self)),
        }
    }
}

/// The location of synthetic terms.
pub(crate) const NOWHERE: Span = Span { file: ir::FileId(0), start: 0, end: 0 };

//! The subset of Java in which Jackson and Vaziri explain their method (ISSTA 2000, Figure 4), with
//! specifications in their subset of Alloy (Figure 3), as plain data.
//!
//! A procedure is a static method over objects whose fields hold objects. Beyond the figure there are numbers
//! that are only compared, as the list procedures of the paper's §4 need them, and `||`, which is expressed
//! by `&&`. Everything has a name, and names are distinct: those of classes, of fields and of variables are
//! also the names of their sets and relations.

mod code;
mod names;
mod spec;

use crate::diagnostics::{Diagnostics, span};
use crate::resolve::resolve;
use crate::sources::Sources;
use crate::syntax::TextRange;

/// The domain of numbers.
pub const NUMBERS: &str = "int";

/// The return value of a procedure.
pub const RESULT: &str = "result";

/// A procedure.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Procedure {
    /// `Class.method`.
    pub name: String,
    /// The classes, and numbers if there are any.
    pub domains: Vec<String>,
    /// The fields of the classes.
    pub fields: Vec<Field>,
    /// Parameters, then local variables.
    pub variables: Vec<Variable>,
    /// How many of the variables are parameters.
    pub parameters: usize,
    /// The domain of what is returned.
    pub result: Option<String>,
    /// The body.
    pub body: Vec<Stmt>,
    /// The preconditions.
    pub requires: Vec<Formula>,
    /// The postconditions.
    pub ensures: Vec<Formula>,
}

/// A field: a partial function from one domain to another, total if that is of numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The class that has it.
    pub from: String,
    /// The domain of its values.
    pub to: String,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The domain of its values.
    pub domain: String,
}

/// A statement and its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stmt {
    /// The kind of statement.
    pub kind: StmtKind,
    /// Where it begins in the file, counted from 1.
    pub line: usize,
}

/// The kinds of statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StmtKind {
    /// `v = e`.
    Assign(String, Expr),
    /// `e.f = t`.
    Store(Expr, String, Expr),
    /// `return e`.
    Return(Option<Expr>),
    /// `while (p) s`.
    While(Pred, Vec<Stmt>),
    /// `if (p) s else t`.
    If(Pred, Vec<Stmt>, Vec<Stmt>),
}

/// An expression of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// `null`.
    Null,
    /// A variable.
    Variable(String),
    /// `e.f`.
    Field(Box<Expr>, String),
}

/// A condition of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pred {
    /// `e == f`.
    Equal(Expr, Expr),
    /// `e < f`, between numbers.
    Less(Expr, Expr),
    /// `!p`.
    Not(Box<Pred>),
    /// `p && q`.
    And(Box<Pred>, Box<Pred>),
}

/// A formula over sets and relations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// It holds.
    True,
    /// A truth value with a name.
    Boolean(String),
    /// `a in b`.
    In(Set, Set),
    /// `a = b`.
    Equal(Set, Set),
    /// `a < b`, between numbers.
    Less(Set, Set),
    /// `no a` and the like; never `all`.
    Count(Quantifier, Set),
    /// `all x: a | f`; without a set it ranges over everything that is no truth value.
    Quantified(Quantifier, String, Option<Set>, Box<Formula>),
    /// `¬ f`.
    Not(Box<Formula>),
    /// `f ∧ g`.
    And(Box<Formula>, Box<Formula>),
    /// `f ∨ g`.
    Or(Box<Formula>, Box<Formula>),
    /// `f ⇒ g`.
    Implies(Box<Formula>, Box<Formula>),
}

/// How many there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// All.
    All,
    /// At least one.
    Some,
    /// None.
    No,
    /// Exactly one.
    One,
    /// At most one.
    Sole,
}

/// A set or relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Set {
    /// `{}`.
    Empty,
    /// A domain, variable, field or bound variable; a prime is part of the name.
    Name(String),
    /// `a + b`.
    Union(Box<Set>, Box<Set>),
    /// `a - b`.
    Difference(Box<Set>, Box<Set>),
    /// `a & b`.
    Intersection(Box<Set>, Box<Set>),
    /// `a.b`.
    Join(Box<Set>, Box<Set>),
    /// `~a`.
    Transpose(Box<Set>),
    /// `+a`.
    Closure(Box<Set>),
    /// `*a`.
    ReflexiveClosure(Box<Set>),
    /// `{x: a | f}`.
    Comprehension(String, Option<Box<Set>>, Box<Formula>),
}

impl Set {
    /// The set of a name.
    pub fn name(name: impl Into<String>) -> Set {
        Set::Name(name.into())
    }

    /// `self.other`.
    #[must_use]
    pub fn join(self, other: Set) -> Set {
        Set::Join(Box::new(self), Box::new(other))
    }
}

/// Why there is no such procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SubsetError {
    /// No method has the name; these are there.
    Unknown(Vec<String>),
    /// Something is wrong with the text, or not in the subset: what, and where.
    Beyond(String, ir::Span),
}

/// Reads a method, named `Class.method`, as a procedure of the subset.
///
/// # Errors
/// If there is no such method or it uses more than the subset has.
pub fn procedure(text: &str, sources: &dyn Sources, name: &str) -> Result<Procedure, SubsetError> {
    let mut diagnostics = Diagnostics::default();
    let (_, files) = crate::gather("", text, sources, &mut diagnostics);
    let program = resolve(&files, sources.nullness(), &mut diagnostics);
    let diagnostics = diagnostics.into_diagnostics();
    if let Some(fault) = diagnostics.iter().find(|fault| fault.severity == ir::Severity::Error) {
        return Err(SubsetError::Beyond(fault.message.clone(), fault.span));
    }
    let own = |class: &crate::program::Class<'_>| class.file == 0 && !class.is_library;
    let methods = program.methods.iter().filter(|method| {
        let class = program.class(method.class);
        own(class) && !method.is_constructor && method.body.is_some()
    });
    let mut names = Vec::new();
    for method in methods {
        let full = format!("{}.{}", program.class(method.class).name, method.name);
        if full == name || method.name == name {
            return code::read(&program, method, full, text)
                .map_err(|OutsideSubset(at, message)| SubsetError::Beyond(message, span(0, at)));
        }
        names.push(full);
    }
    names.dedup();
    Err(SubsetError::Unknown(names))
}

/// A construct outside the subset, and its location.
struct OutsideSubset(TextRange, String);

fn beyond<T>(at: TextRange, what: impl Into<String>) -> Result<T, OutsideSubset> {
    Err(OutsideSubset(at, what.into()))
}

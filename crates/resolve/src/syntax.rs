//! The syntax tree of a RESOLVE text: nothing is resolved, and programs and mathematics share one notion of
//! expression.

use ir::Span;

/// A name where it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// One module: a file has one.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Unit {
    pub(crate) kind: UnitKind,
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Parameter>,
    /// The modules that it belongs to: for a realization of an enhancement first the enhancement, then the
    /// concept.
    pub(crate) of: Vec<Name>,
    pub(crate) uses: Vec<Name>,
    pub(crate) requires: Option<Exp>,
    pub(crate) items: Vec<Item>,
}

/// The kinds of modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnitKind {
    Concept,
    Enhancement,
    Realization,
    Facility,
    /// Mathematics: a precis.
    Theory,
    /// Free-standing client code between assertions, as in the paper's Figure 9.
    Code,
}

/// A parameter of a module.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Parameter {
    Type(Name),
    Constant(Vec<Name>, TypeExp),
    Definition(Box<Definition>),
    Operation(Box<Operation>),
    /// A realization of a concept, or a concept itself: named, and not looked into.
    Module(Name),
}

/// Something that a module declares.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Item {
    Model(Model),
    Representation(Box<Representation>),
    /// An operation that is specified, with its procedure if that follows at once.
    Operation(Operation, Option<Procedure>),
    /// A procedure for an operation that is specified elsewhere.
    Procedure(Operation, Procedure),
    Definition(Definition),
    Facility(FacilityItem),
    /// Variables that all operations share, or those of client code.
    Variables(Vec<Name>, TypeExp),
    /// Names for values of mathematics that do not change.
    Unknowns(Vec<Name>, TypeExp),
    /// A condition on definitions and shared variables.
    Constraint(Exp),
    /// The statements of client code.
    Code(Vec<Statement>),
    /// Something that is read over, named for a note.
    Skipped(Name),
}

/// A type and its mathematical model.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Model {
    pub(crate) name: Name,
    pub(crate) model: TypeExp,
    pub(crate) exemplar: Option<Name>,
    pub(crate) constraint: Option<Exp>,
    pub(crate) initialization: Option<Exp>,
    /// The condition on other variables when a variable is finalized.
    pub(crate) finalization: Option<Exp>,
}

/// A type and its representation.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Representation {
    pub(crate) name: Name,
    pub(crate) ty: TypeExp,
    pub(crate) convention: Option<Exp>,
    pub(crate) correspondence: Option<Exp>,
    /// The declarations and code that execute when a variable is declared.
    pub(crate) initialization: Option<Procedure>,
    /// Those that execute when it is finalized.
    pub(crate) finalization: Option<Procedure>,
}

/// An operation as it is specified.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Operation {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<OperationParameter>,
    pub(crate) result: Option<TypeExp>,
    /// The shared variables that it may change.
    pub(crate) affects: Vec<Name>,
    pub(crate) requires: Option<Exp>,
    pub(crate) ensures: Option<Exp>,
}

/// A parameter of an operation.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct OperationParameter {
    pub(crate) mode: Mode,
    pub(crate) name: Name,
    pub(crate) ty: TypeExp,
}

/// The parameter modes of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Alters,
    Updates,
    Replaces,
    Restores,
    Clears,
    Evaluates,
    Preserves,
}

impl Mode {
    /// Whether the argument may have another value after the call.
    pub(crate) fn changes(self) -> bool {
        match self {
            Mode::Alters | Mode::Updates | Mode::Replaces | Mode::Clears => true,
            Mode::Restores | Mode::Evaluates | Mode::Preserves => false,
        }
    }

    /// The mode with this word, long or short.
    pub(crate) fn named(word: &str) -> Option<Mode> {
        match word.to_lowercase().as_str() {
            "alters" | "alt" => Some(Mode::Alters),
            "updates" | "upd" | "reassigns" => Some(Mode::Updates),
            "replaces" | "rpl" => Some(Mode::Replaces),
            "restores" | "rest" | "rst" => Some(Mode::Restores),
            "clears" | "clr" => Some(Mode::Clears),
            "evaluates" | "eval" => Some(Mode::Evaluates),
            "preserves" | "pres" | "prs" => Some(Mode::Preserves),
            _ => None,
        }
    }
}

/// How an operation is done.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Procedure {
    pub(crate) recursive: bool,
    pub(crate) decreasing: Option<Exp>,
    pub(crate) variables: Vec<(Vec<Name>, TypeExp)>,
    pub(crate) body: Vec<Statement>,
    /// From its first word to its end.
    pub(crate) span: Span,
}

/// A mathematical definition.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Definition {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<(Name, TypeExp)>,
    pub(crate) result: TypeExp,
    pub(crate) body: Body,
}

/// The body of a definition.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Body {
    /// Nothing: any function of the type will do.
    Open,
    /// The value, perhaps in terms of itself.
    Is(Exp),
    /// A condition on the value.
    Implicit(Exp),
    /// Cases by induction, each an equation.
    Inductive(Vec<Exp>),
}

/// An instance of a concept.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct FacilityItem {
    pub(crate) name: Name,
    pub(crate) concept: Name,
    pub(crate) arguments: Vec<Exp>,
    pub(crate) enhancements: Vec<(Name, Vec<Exp>)>,
}

/// A type as it is written.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TypeExp {
    pub(crate) kind: TypeKind,
    pub(crate) span: Span,
}

/// The syntax of a type.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum TypeKind {
    /// A name, perhaps of a facility.
    Name(Option<Name>, Name),
    /// `Str(T)`, `Powerset(T)`.
    Apply(Name, Vec<TypeExp>),
    Function(Vec<TypeExp>, Box<TypeExp>),
    /// A Cartesian product or a record.
    Product(Vec<(Name, TypeExp)>),
    /// `Array 1..n of T`.
    Array(Box<Exp>, Box<Exp>, Box<TypeExp>),
}

/// An expression of mathematics or of a program.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Exp {
    pub(crate) kind: ExpKind,
    pub(crate) span: Span,
}

/// The kinds of expressions.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ExpKind {
    Name(String),
    /// A name of a facility.
    Qualified(Name, Name),
    /// The incoming value.
    Old(Box<Exp>),
    Number(String),
    Text(String),
    Unary(&'static str, Box<Exp>),
    /// An operator between operands, as it is written.
    Binary(String, Box<Exp>, Box<Exp>),
    /// `|x|`.
    Length(Box<Exp>),
    /// `||x||`.
    Norm(Box<Exp>),
    /// `<x, y>`.
    Sequence(Vec<Exp>),
    /// `{x, y}`.
    Set(Vec<Exp>),
    /// `(x, y)`.
    Tuple(Vec<Exp>),
    Call(Box<Exp>, Vec<Exp>),
    Field(Box<Exp>, Name),
    Index(Box<Exp>, Box<Exp>),
    If(Box<Exp>, Box<Exp>, Option<Box<Exp>>),
    /// `{{a if c; b otherwise;}}`.
    Cases(Vec<(Exp, Exp)>, Option<Box<Exp>>),
    Quantified(Quantifier, Vec<(Name, TypeExp)>, Box<Exp>),
    /// There are such values, and no others.
    Unique(Vec<(Name, TypeExp)>, Box<Exp>),
    Lambda(Vec<(Name, TypeExp)>, Box<Exp>),
    /// `{x: T, c}`.
    Comprehension(Vec<(Name, TypeExp)>, Box<Exp>),
    /// `Sum i: Z where c, e` and the like.
    Iterated(String, (Name, TypeExp), Option<Box<Exp>>, Box<Exp>),
}

/// Which quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// For all values.
    All,
    /// For some value.
    Some,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    pub(crate) span: Span,
}

/// The kinds of statements.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum StatementKind {
    Call(Exp),
    Swap(Exp, Exp),
    Assign(Exp, Exp),
    If(Exp, Vec<Statement>, Vec<Statement>),
    While(Box<Loop>),
    Assume(Exp),
    Confirm(Exp),
    /// From here on `#` means the values at this place, or those of the beginning again.
    Remember(bool),
    /// Something that is read over, named for a note.
    Skipped(String),
}

/// A loop with what is known of it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Loop {
    pub(crate) condition: Exp,
    /// The variables that it may change; by default those that its body may change.
    pub(crate) changing: Option<Vec<Name>>,
    pub(crate) maintaining: Option<Exp>,
    pub(crate) decreasing: Option<Exp>,
    pub(crate) body: Vec<Statement>,
    /// Where the `end` is.
    pub(crate) end: Span,
}

//! The syntax of Java, with what JML adds to it, as plain data.
//!
//! Types are written down as they stand in the text; nothing is resolved here. An expression of a
//! specification is an expression of Java that may also be one of [`Spec`]'s.

/// Marks a place in the file behind that of the source: that of the specifications that stand in a file of
/// their own. No file is so long that this is one of its places.
pub(crate) const BEHIND: u32 = 1 << 31;

/// A stretch of the text of a file, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub(crate) struct TextRange {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl TextRange {
    pub(crate) fn new(start: usize, end: usize) -> TextRange {
        TextRange { start: start as u32, end: end as u32 }
    }

    /// From the start of this to the end of another.
    pub(crate) fn to(self, other: TextRange) -> TextRange {
        TextRange { start: self.start, end: other.end.max(self.start) }
    }
}

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ident {
    pub(crate) name: String,
    pub(crate) at: TextRange,
}

/// A comment that is a specification, without its marks; `start` is where the text begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Comment {
    pub(crate) text: String,
    pub(crate) start: u32,
}

/// A file.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Unit {
    pub(crate) package: String,
    /// Full names that are imported; `java.util.*` ends in a star.
    pub(crate) imports: Vec<String>,
    pub(crate) types: Vec<TypeDecl>,
}

/// Modifiers and annotations.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Modifiers {
    pub(crate) words: Vec<String>,
    pub(crate) annotations: Vec<Annotation>,
}

impl Modifiers {
    pub(crate) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == word)
    }
}

/// An annotation; of its values only texts matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Annotation {
    pub(crate) name: String,
    /// The texts among its values, and where each begins.
    pub(crate) texts: Vec<(String, TextRange)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TypeKind {
    Class,
    Interface,
    Enum,
    Record,
    Annotation,
}

/// A class, interface, enumeration or record.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TypeDecl {
    pub(crate) kind: TypeKind,
    pub(crate) name: Ident,
    pub(crate) modifiers: Modifiers,
    pub(crate) variables: Vec<TypeVariable>,
    pub(crate) extends: Vec<TypeRef>,
    pub(crate) implements: Vec<TypeRef>,
    /// Of an enumeration.
    pub(crate) constants: Vec<Constant>,
    /// Of a record.
    pub(crate) components: Vec<Parameter>,
    pub(crate) members: Vec<Member>,
    /// Specifications in front of it and, of no member, within it.
    pub(crate) comments: Vec<Comment>,
    pub(crate) at: TextRange,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TypeVariable {
    pub(crate) name: String,
    pub(crate) bound: Option<TypeRef>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Constant {
    pub(crate) name: Ident,
    pub(crate) arguments: Vec<Expr>,
    pub(crate) has_body: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Member {
    Field(Field),
    Method(Method),
    /// A block that executes when an object is created, or when the class is loaded.
    Initializer {
        is_static: bool,
        body: Vec<Stmt>,
        at: TextRange,
    },
    Type(TypeDecl),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Field {
    pub(crate) modifiers: Modifiers,
    pub(crate) ty: TypeRef,
    pub(crate) name: Ident,
    pub(crate) value: Option<Expr>,
    pub(crate) comments: Vec<Comment>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Method {
    pub(crate) modifiers: Modifiers,
    pub(crate) variables: Vec<TypeVariable>,
    /// None for a constructor.
    pub(crate) result: Option<TypeRef>,
    pub(crate) name: Ident,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Option<Vec<Stmt>>,
    /// Specifications in front of it and between its modifiers.
    pub(crate) comments: Vec<Comment>,
    pub(crate) at: TextRange,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Ident,
    pub(crate) ty: TypeRef,
    pub(crate) is_variadic: bool,
    pub(crate) modifiers: Modifiers,
    /// Its name in the specification of another file, if that differs.
    pub(crate) alias: Option<String>,
}

/// A type as written.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TypeRef {
    pub(crate) kind: TypeRefKind,
    pub(crate) at: TextRange,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum TypeRefKind {
    /// `int`, `void`, `var`, or a name with dots, and what stands in `<>`.
    Named(String, Vec<TypeRef>),
    Array(Box<TypeRef>),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    pub(crate) at: TextRange,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum StmtKind {
    Empty,
    Block(Vec<Stmt>),
    Local(TypeRef, Vec<Declarator>),
    Class(Box<TypeDecl>),
    Expr(Expr),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    Do(Box<Stmt>, Expr),
    For {
        init: Vec<Stmt>,
        condition: Option<Expr>,
        update: Vec<Expr>,
        body: Box<Stmt>,
    },
    ForEach {
        ty: TypeRef,
        name: Ident,
        value: Expr,
        body: Box<Stmt>,
    },
    Labeled(String, Box<Stmt>),
    Switch(Expr, Vec<SwitchCase>),
    Return(Option<Expr>),
    Break(Option<String>),
    Continue(Option<String>),
    Yield(Expr),
    Throw(Expr),
    Try {
        body: Vec<Stmt>,
        catches: Vec<Catch>,
        finally: Option<Vec<Stmt>>,
    },
    Synchronized(Expr, Vec<Stmt>),
    Assert(Expr, Option<Expr>),
    /// `this(…)` or, if so, `super(…)`.
    Constructor {
        is_super: bool,
        arguments: Vec<Expr>,
    },
    /// A specification that stands between statements.
    Spec(Comment),
    /// A construct of Java that this syntax lacks.
    Unknown(String),
}

/// A local variable, with dimensions behind its name made part of `ty`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Declarator {
    pub(crate) name: Ident,
    pub(crate) dimensions: usize,
    pub(crate) value: Option<Expr>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Catch {
    pub(crate) types: Vec<TypeRef>,
    pub(crate) name: Ident,
    pub(crate) body: Vec<Stmt>,
}

/// `T x when condition` in a label.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Pattern {
    pub(crate) ty: TypeRef,
    pub(crate) name: Option<Ident>,
    pub(crate) guard: Option<Expr>,
}

/// A group of labels and what follows them.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SwitchCase {
    pub(crate) labels: Vec<Expr>,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) is_default: bool,
    /// Whether it was written with an arrow, so that nothing falls through.
    pub(crate) is_rule: bool,
    pub(crate) body: Vec<Stmt>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) at: TextRange,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ExprKind {
    Literal(Literal),
    Name(String),
    This,
    /// `Outer.this`.
    OuterThis(String),
    Field(Box<Expr>, Ident),
    Index(Box<Expr>, Box<Expr>),
    Call {
        receiver: Receiver,
        name: Ident,
        arguments: Vec<Expr>,
    },
    New {
        ty: TypeRef,
        arguments: Vec<Expr>,
        body: Option<Box<TypeDecl>>,
        outer: Option<Box<Expr>>,
    },
    /// `new T[a][b][]` with an element type of all dimensions less those given.
    NewArray {
        element: TypeRef,
        lengths: Vec<Expr>,
        open: usize,
        initial: Option<Box<Expr>>,
    },
    /// `{a, b}`.
    Elements(Vec<Expr>),
    Unary(Unary, Box<Expr>),
    /// `++`, or `--` if it goes down; before or behind.
    Update {
        up: bool,
        prefix: bool,
        target: Box<Expr>,
    },
    Binary(Binary, Box<Expr>, Box<Expr>),
    Assign(Option<Binary>, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(TypeRef, Box<Expr>),
    InstanceOf(Box<Expr>, TypeRef, Option<Ident>),
    Switch(Box<Expr>, Vec<SwitchCase>),
    ClassLiteral(TypeRef),
    Spec(Spec),
    /// A construct without a meaning here, by name.
    Unknown(String),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Receiver {
    None,
    Super,
    Expr(Box<Expr>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Literal {
    Null,
    Bool(bool),
    /// The digits as a number; whether it ends in `L`.
    Integer(u64, bool),
    /// The text; whether it ends in `f`.
    Float(String, bool),
    Char(u16),
    String(String),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    Plus,
    Minus,
    Not,
    Complement,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    UShr,
    And,
    Or,
    Xor,
    AndAlso,
    OrElse,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// JML's `==>`.
    Implies,
    /// JML's `<==>`.
    Iff,
}

impl Binary {
    /// The operator that Java or JML writes so.
    pub(crate) fn of(text: &str) -> Option<Binary> {
        Some(match text {
            "+" => Binary::Add,
            "-" => Binary::Sub,
            "*" => Binary::Mul,
            "/" => Binary::Div,
            "%" => Binary::Rem,
            "<<" => Binary::Shl,
            ">>" => Binary::Shr,
            ">>>" => Binary::UShr,
            "&" => Binary::And,
            "|" => Binary::Or,
            "^" => Binary::Xor,
            "&&" => Binary::AndAlso,
            "||" => Binary::OrElse,
            "==" => Binary::Eq,
            "!=" => Binary::Ne,
            "<" => Binary::Lt,
            "<=" => Binary::Le,
            ">" => Binary::Gt,
            ">=" => Binary::Ge,
            "==>" => Binary::Implies,
            "<==>" => Binary::Iff,
            _ => return None,
        })
    }
}

/// Expressions that only specifications have.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Spec {
    Result,
    Old(Box<Expr>),
    Fresh(Vec<Expr>),
    /// `(\forall T x, y; range; body)` and the like.
    Quantified {
        quantifier: Quantifier,
        ty: TypeRef,
        names: Vec<Ident>,
        range: Option<Box<Expr>>,
        body: Box<Expr>,
    },
    /// `\reach(x, T, f, g)`: the objects that the fields lead to, and `x`, `null` left out.
    Reach {
        from: Box<Expr>,
        ty: TypeRef,
        fields: Vec<Ident>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quantifier {
    All,
    Exists,
    NumOf,
    Sum,
}

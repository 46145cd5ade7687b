//! VIR, the intermediate representation of all source languages.
//!
//! There is one notion of state: variables, some of map type. A Java field, a Boogie map, C memory and a
//! ghost attribute are all map variables; they differ in their key type. No statement is specific to a source
//! language. Expressions are total and pure: an `assert` before a partial operation states the obligation
//! under which it may be used.
//!
//! This crate knows no front end, checker, formula or solver. Start reading at [`Module`], then
//! [`Procedure`], [`Statement`] and [`Expr`]. [`parse`] and [`print()`] implement the text form, in which
//! most tests are written; [`mod@validate`] specifies which modules are well-formed.

pub mod address;
mod assert_kind;
mod canonical;
mod circles;
mod diagnostic;
mod expr;
mod form;
#[cfg(feature = "generate")]
pub mod generate;
mod guard;
mod limits;
mod module;
mod names;
mod op;
mod procedure;
mod span;
mod statement;
mod text;
mod types;
mod typing;
pub mod validate;
mod visit;

pub use address::ADDRESS_BITS;
pub use assert_kind::AssertKind;
pub use canonical::canonical;
pub use circles::components;
pub use diagnostic::{Diagnostic, Severity, line_and_column};
pub use expr::{Binder, Expr, ExprId, Exprs, Quantifier};
pub use form::{Form, FormId, FormKind, Member, PlaceText};
pub use guard::{Limit, Order};
pub use module::{
    Axiom, Content, Function, FunctionId, Global, GlobalId, Module, Notation, Object, ProcedureId,
    SortId, Stub,
};
pub use op::{Float, Memory, Op};
pub use procedure::{
    Block, BlockId, Clause, ClauseRole, Contract, ExitClause, Local, LocalId, LoopFacts,
    MissingClause, Mode, Procedure,
};
pub use span::{FileId, Origin, PointId, RULED, SourceFile, Span};
pub use statement::{
    Allocation, AssumeReason, Callee, CutReason, Exit, HavocReason, Place, Projection, Statement,
    StatementKind, Storage, Terminator, TerminatorKind, Variable,
};
pub use text::{parse, print, print_brief};
pub use types::{RecordId, RecordType, Type, VariantId, VariantType};
pub use typing::{result_type, viewable};
pub use validate::{Rule, Violation, debug_validate, validate};

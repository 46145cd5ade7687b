//! The C front end: from LLVM bitcode, as clang makes it of C, to VIR that behaves like the machine.
//!
//! [`lower`] translates a module of bitcode to a module of VIR, and never fails: a construct that VIR cannot
//! express is `unsupported` in the result, and paths through it end as unknown. The state is one variable,
//! `memory`; global variables, strings and functions whose address is taken are static objects. Undefined
//! behaviour of C (Xie & Aiken 2007, §2) is an assertion before the operation, with a message in C's terms.
//!
//! This crate knows no compiler, no file system, no checker, no formula. It reads source texts only
//! to say where things end ([`Sources`]).
//!
//! Start reading at `module.rs`, then `function.rs` (a body), `value.rs` (how values become
//! expressions), and one file per kind of instruction: `arithmetic.rs`, `memory.rs`, `call.rs` …
//! The functions of the C library that are modelled are in `library/`.

mod access;
mod aggregate;
mod arithmetic;
mod assembly;
mod body;
mod call;
mod cast;
mod compare;
mod condition;
mod constant;
mod context;
mod control;
mod debug_types;
mod expanded;
mod expression;
mod floating;
mod form;
mod formatted;
mod function;
mod indirect;
mod initial;
mod intrinsic;
mod library;
mod lifetime;
mod limits;
mod lvalue;
mod macros;
mod memory;
mod module;
mod names;
mod offset;
mod operands;
mod padding;
mod parts;
mod points;
mod promote;
mod source;
mod symbols;
mod types;
mod unset;
mod unwritten;
mod uses;
mod value;

pub use library::Models;
pub use module::lower;

/// The texts of source files, by the path in the debug information; none if one is not available.
pub trait Sources {
    /// The text of a file.
    fn text(&self, path: &str) -> Option<&str>;

    /// Models of functions that are only declared, besides those of the C library, before which they come.
    fn models(&self) -> &[Models] {
        &[]
    }

    /// Whether reading an uninitialized value is a failure. If not, executions that read one are blocked
    /// there.
    fn asserts_set(&self) -> bool {
        false
    }
}

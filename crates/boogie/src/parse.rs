//! Tokens to syntax. Declarations, statements, expressions and types have files of their own.
//!
//! A construct that cannot be read is reported where it goes wrong. Reading goes on behind the next
//! semicolon of a body, or at the next declaration, so that one slip does not hide the others.

mod declaration;
mod expression;
mod procedure;
mod statement;
mod tokens;
mod types;

pub(crate) use declaration::{has, text_of};

use crate::diagnostics::Diagnostics;
use crate::lexer::{Token, lex};
use crate::syntax::ModuleSyntax;

/// Reads a text. What could not be read is in `diagnostics`.
pub(crate) fn parse<'s>(source: &'s str, diagnostics: &mut Diagnostics) -> ModuleSyntax<'s> {
    let tokens = lex(source, diagnostics);
    let mut parser = Parser {
        source,
        tokens,
        position: 0,
        depth: 0,
        diagnostics,
        module: ModuleSyntax::default(),
    };
    while !parser.at_end() {
        parser.declaration();
    }
    parser.module
}

/// Something could not be read, and this has been reported.
struct ParseError;

type ParseResult<T> = Result<T, ParseError>;

struct Parser<'s, 'f> {
    source: &'s str,
    tokens: Vec<Token>,
    position: usize,
    /// How deep what is being read is nested.
    depth: usize,
    diagnostics: &'f mut Diagnostics,
    module: ModuleSyntax<'s>,
}

/// Whether a word is a name only behind a backslash.
pub(crate) fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "assert"
            | "assume"
            | "axiom"
            | "bool"
            | "break"
            | "call"
            | "const"
            | "div"
            | "else"
            | "ensures"
            | "exists"
            | "false"
            | "forall"
            | "free"
            | "function"
            | "goto"
            | "havoc"
            | "if"
            | "implementation"
            | "int"
            | "invariant"
            | "lambda"
            | "mod"
            | "modifies"
            | "old"
            | "procedure"
            | "real"
            | "requires"
            | "return"
            | "returns"
            | "then"
            | "true"
            | "type"
            | "unique"
            | "var"
            | "where"
            | "while"
    )
}

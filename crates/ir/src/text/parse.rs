//! Tokens to syntax: declarations. Statements and expressions have files of their own.
//!
//! A construct that cannot be read is reported where it goes wrong. Reading goes on behind the next
//! semicolon or at the next declaration, so that one slip does not hide the others.

mod expression;
mod procedure;
mod statement;
mod tokens;
mod types;

use std::borrow::Cow;

pub(super) use types::word_width;

use super::diagnostics::{Diagnostics, TextRange};
use super::lexer::{Token, TokenKind, lex, unquote};
use super::syntax::{
    Annotation, ClauseSyntax, ContentSyntax, FunctionSyntax, ModuleSyntax, ObjectSyntax,
    TypeSyntax, VariableSyntax,
};
use crate::span::{FileId, Origin, PointId, Span};

/// Reads a text. What could not be read is in `diagnostics`.
pub(super) fn parse<'s>(source: &'s str, diagnostics: &mut Diagnostics) -> ModuleSyntax<'s> {
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
    /// How deep the expression is nested that is being read.
    depth: usize,
    diagnostics: &'f mut Diagnostics,
    module: ModuleSyntax<'s>,
}

/// Whether a word is a name only if it stands between backticks.
pub(super) fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "all"
            | "alloc"
            | "as"
            | "assert"
            | "assume"
            | "axiom"
            | "branch"
            | "call"
            | "const"
            | "cut"
            | "decreases"
            | "div"
            | "else"
            | "ensures"
            | "exceptional"
            | "exit"
            | "false"
            | "external"
            | "free"
            | "ghost"
            | "goto"
            | "havoc"
            | "if"
            | "inlined"
            | "invariant"
            | "is"
            | "lambda"
            | "macro"
            | "mod"
            | "modifies"
            | "new"
            | "nothing"
            | "null"
            | "old"
            | "requires"
            | "returns"
            | "seq"
            | "some"
            | "synthetic"
            | "then"
            | "true"
            | "unsupported"
            | "var"
            | "volatile"
            | "with"
    )
}

impl<'s> Parser<'s, '_> {
    fn declaration(&mut self) {
        let start = self.position;
        let word = self.word();
        let done = match word {
            "file" => self.file(),
            "sort" => self.sort(),
            "record" => self.record(),
            "variant" => self.variant(),
            "const" | "function" => self.function(),
            "object" => self.object(),
            "axiom" => self.condition().map(|clause| self.module.axioms.push(clause)),
            "invariant" => self.condition().map(|clause| self.module.invariants.push(clause)),
            "var" | "ghost" => self.variable().map(|global| self.module.globals.push(global)),
            "proc" => self.procedure().map(|procedure| self.module.procedures.push(procedure)),
            _ => {
                let message = format!("{} does not begin a declaration", self.describe());
                let note = "expected sort, record, variant, const, function, object, axiom, var, ghost var, \
                            invariant or proc";
                self.diagnostics.add_with(self.at(), message, note);
                Err(ParseError)
            }
        };
        if done.is_err() {
            self.note_broken_name(start);
            if self.position == start {
                self.position += 1;
            }
            self.skip_declaration();
        }
    }

    /// Remembers what a broken declaration would have declared, so that uses are not reported.
    fn note_broken_name(&mut self, start: usize) {
        let after = if self.text(start) == "ghost" { start + 2 } else { start + 1 };
        let Some(token) = self.tokens.get(after) else { return };
        match token.kind {
            TokenKind::Word => self.module.broken.push(Cow::Borrowed(self.slice(token.at))),
            TokenKind::Quoted => {
                self.module.broken.extend(unquote(self.slice(token.at)).map(Cow::Owned));
            }
            _ => {}
        }
    }

    /// Goes to where the next declaration seems to begin.
    fn skip_declaration(&mut self) {
        let mut open = 0_usize;
        while !self.at_end() {
            match self.token_text() {
                "proc" if self.begins_declaration() => return,
                _ if open == 0 && self.begins_declaration() => return,
                "{" => open += 1,
                "}" if open <= 1 => {
                    self.position += 1;
                    return;
                }
                "}" => open -= 1,
                ";" if open == 0 => {
                    self.position += 1;
                    return;
                }
                _ => {}
            }
            self.position += 1;
        }
    }

    /// Whether a declaration seems to begin here: its keyword begins a line, and a name, a text or
    /// another keyword follows.
    fn begins_declaration(&self) -> bool {
        let follows = |word: &str| match word {
            "axiom" | "invariant" => true,
            "const" | "file" | "function" | "ghost" | "object" | "proc" | "record" | "sort"
            | "var" | "variant" => {
                self.tokens.get(self.position + 1).is_some_and(|next| match next.kind {
                    TokenKind::Word | TokenKind::Quoted | TokenKind::Text => true,
                    TokenKind::Number | TokenKind::Label | TokenKind::Symbol | TokenKind::End => {
                        false
                    }
                })
            }
            _ => false,
        };
        self.begins_line() && follows(self.word())
    }

    fn file(&mut self) -> ParseResult<()> {
        self.position += 1;
        let path = self.string()?;
        self.module.files.push(path);
        self.expect(";")
    }

    fn sort(&mut self) -> ParseResult<()> {
        self.position += 1;
        let name = self.name()?;
        self.expect(";")?;
        self.module.sorts.push(name);
        Ok(())
    }

    fn record(&mut self) -> ParseResult<()> {
        self.position += 1;
        let name = self.name()?;
        self.expect("{")?;
        let fields = self.list("}", |parser| {
            let field = parser.name()?;
            parser.expect(":")?;
            Ok((field, parser.ty()?))
        })?;
        self.accept(";");
        self.module.records.push((name, fields));
        Ok(())
    }

    fn variant(&mut self) -> ParseResult<()> {
        self.position += 1;
        let name = self.name()?;
        self.expect("{")?;
        let constructors = self.list("}", |parser| {
            let constructor = parser.name()?;
            let types =
                if parser.accept("(") { parser.list(")", |parser| parser.ty())? } else { vec![] };
            Ok((constructor, types))
        })?;
        self.accept(";");
        self.module.variants.push((name, constructors));
        Ok(())
    }

    fn function(&mut self) -> ParseResult<()> {
        let start = self.at();
        let constant = self.word() == "const";
        self.position += 1;
        let quoted = self.tokens[self.position].kind == TokenKind::Quoted;
        let name = self.name()?;
        if !quoted && crate::Op::called(&name.text).is_some() {
            let message = format!("`{}` is an operator", name.text);
            self.diagnostics.add_with(
                name.at,
                message,
                "put the name in backticks here and in its uses",
            );
        }
        let mut parameters = Vec::new();
        if !constant {
            self.expect("(")?;
            parameters = self.list(")", |parser| parser.binder())?;
        }
        self.expect(":")?;
        let result = self.ty()?;
        let definition = if self.accept("=") { Some(self.expression()?) } else { None };
        let annotation = self.annotation()?;
        self.expect(";")?;
        let at = self.since(start);
        let object = None;
        let function =
            FunctionSyntax { name, parameters, result, definition, object, annotation, at };
        self.module.functions.push(function);
        Ok(())
    }

    /// `object x: 16 constant { 0: "00ff", 8: y + 4 };`
    fn object(&mut self) -> ParseResult<()> {
        let start = self.at();
        self.position += 1;
        let name = self.name()?;
        self.expect(":")?;
        let size = self.long_number()?;
        let constant = self.accept("constant");
        let contents = match self.accept("{") {
            true => Some(self.list("}", |parser| {
                let offset = parser.long_number()?;
                parser.expect(":")?;
                Ok((offset, parser.content()?))
            })?),
            false => None,
        };
        let annotation = self.annotation()?;
        self.expect(";")?;
        self.module.functions.push(FunctionSyntax {
            name,
            parameters: Vec::new(),
            result: TypeSyntax::Ptr,
            definition: None,
            object: Some(ObjectSyntax { size, constant, contents }),
            annotation,
            at: self.since(start),
        });
        Ok(())
    }

    /// Bytes in hexadecimal digits, or an address.
    fn content(&mut self) -> ParseResult<ContentSyntax<'s>> {
        if self.kind() != TokenKind::Text {
            let name = self.name()?;
            let offset = match self.token_text() {
                "+" => self.offset(1)?,
                "-" => self.offset(-1)?,
                _ => 0,
            };
            return Ok(ContentSyntax::Address(name, offset));
        }
        let at = self.at();
        let digits = self.string()?;
        let digit = |byte: &u8| char::from(*byte).to_digit(16).map(|digit| digit as u8);
        let pairs = digits.as_bytes().chunks(2).map(|pair| match pair {
            [high, low] => Some(digit(high)? << 4 | digit(low)?),
            _ => None,
        });
        match pairs.collect() {
            Some(bytes) => Ok(ContentSyntax::Bytes(bytes)),
            None => {
                self.diagnostics
                    .add(at, "bytes are written as pairs of hexadecimal digits".to_owned());
                Err(ParseError)
            }
        }
    }

    fn offset(&mut self, sign: i64) -> ParseResult<i64> {
        self.position += 1;
        let at = self.at();
        let distance = self.long_number()?;
        match i64::try_from(distance) {
            Ok(distance) => Ok(sign * distance),
            Err(_) => {
                self.diagnostics.add(at, "an offset is below 2^63".to_owned());
                Err(ParseError)
            }
        }
    }

    /// A keyword, then a condition with a message and an annotation.
    fn condition(&mut self) -> ParseResult<ClauseSyntax> {
        let start = self.at();
        self.position += 1;
        self.clause(start, false)
    }

    /// The clause after `requires`, `invariant` and the like.
    fn clause(&mut self, start: TextRange, free: bool) -> ParseResult<ClauseSyntax> {
        let condition = self.expression()?;
        let message = self.message()?;
        let annotation = self.annotation()?;
        self.expect(";")?;
        Ok(ClauseSyntax { condition, free, message, annotation, at: self.since(start) })
    }

    /// `var x: T as "…";` or `ghost var x: T;`.
    fn variable(&mut self) -> ParseResult<VariableSyntax<'s>> {
        let start = self.at();
        let ghost = self.accept("ghost");
        self.expect("var")?;
        let mut variable = self.declared(start)?;
        variable.ghost = ghost;
        variable.annotation = self.annotation()?;
        self.expect(";")?;
        variable.at = self.since(start);
        Ok(variable)
    }

    /// `x: T as "…"`.
    fn declared(&mut self, start: TextRange) -> ParseResult<VariableSyntax<'s>> {
        let name = self.name()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let display = self.display()?;
        let annotation = Annotation::default();
        let at = self.since(start);
        Ok(VariableSyntax { name, ty, ghost: false, display, annotation, at })
    }

    fn display(&mut self) -> ParseResult<Option<String>> {
        if self.accept("as") { Ok(Some(self.string()?)) } else { Ok(None) }
    }

    fn message(&mut self) -> ParseResult<String> {
        if self.kind() == TokenKind::Text { self.string() } else { Ok(String::new()) }
    }

    /// `@file:start-end #point origin`, any part of which may be missing.
    fn annotation(&mut self) -> ParseResult<Annotation> {
        let mut annotation = Annotation::default();
        if self.accept("@") {
            annotation.span = Some(self.span()?);
        }
        if self.accept("#") {
            annotation.point = Some(PointId(self.number()?));
        }
        annotation.origin = match self.word() {
            "synthetic" => {
                self.position += 1;
                Some(Origin::Synthetic)
            }
            "macro" => {
                self.position += 1;
                Some(Origin::Macro(self.span()?))
            }
            "inlined" => {
                self.position += 1;
                self.expect("#")?;
                Some(Origin::Inlined(PointId(self.number()?)))
            }
            _ => None,
        };
        Ok(annotation)
    }

    fn span(&mut self) -> ParseResult<Span> {
        let at = self.at();
        let file = FileId(self.number()?);
        self.expect(":")?;
        let start = self.number()?;
        self.expect("-")?;
        let end = self.number()?;
        if file.0 as usize >= self.module.files.len() {
            let message = format!("there is no file {}", file.0);
            let note = "`file \"path\";` declares files, the first one being file 0";
            self.diagnostics.add_with(self.since(at), message, note);
            return Err(ParseError);
        }
        Ok(Span { file, start, end })
    }
}

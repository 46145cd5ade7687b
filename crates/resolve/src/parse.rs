//! From tokens to syntax. What is broken is reported and skipped up to the next statement or
//! declaration, and the rest is read.

mod expression;
mod item;
mod operation;
mod statement;
mod types;
mod unit;

use ir::{FileId, Span};

use crate::diagnostics::Diagnostics;
use crate::lexer::{Token, TokenKind, tokens};
use crate::limits::PARSE_DEPTH;
use crate::syntax::{Name, Unit};

/// Reads a text. There is a unit whenever its first words can be made out.
pub(crate) fn parse(text: &str, file: FileId, diagnostics: &mut Diagnostics) -> Option<Unit> {
    let tokens = tokens(text, file, diagnostics);
    let mut parser = Parser { tokens, position: 0, depth: 0, diagnostics };
    parser.unit().ok()
}

/// Whether a text is RESOLVE, by its first word: other languages have files of the same name.
pub fn is_resolve(text: &str) -> bool {
    let mut diagnostics = Diagnostics::default();
    let head: String = text.chars().take(100_000).collect();
    let tokens = tokens(&head, FileId(0), &mut diagnostics);
    let is_shared = |token: &&Token| matches!(&token.kind, TokenKind::Word(word) if word.eq_ignore_ascii_case("shared"));
    let words: Vec<&str> = tokens
        .iter()
        .skip_while(is_shared)
        .take(2)
        .map(|token| match &token.kind {
            TokenKind::Word(word) => word.as_str(),
            TokenKind::Number(_) | TokenKind::Text(_) | TokenKind::Symbol(_) | TokenKind::End => "",
        })
        .collect();
    let first = words.first().map(|word| word.to_lowercase()).unwrap_or_default();
    let named = words.get(1).is_some_and(|word| !word.is_empty());
    named
        && matches!(
            first.as_str(),
            "concept"
                | "enhancement"
                | "realization"
                | "facility"
                | "precis"
                | "profile"
                | "categorical"
                | "client"
        )
}

/// A syntax error that has been reported; the caller decides how to continue.
struct ParseError;

type ParseResult<T> = Result<T, ParseError>;

struct Parser<'f> {
    tokens: Vec<Token>,
    position: usize,
    depth: usize,
    diagnostics: &'f mut Diagnostics,
}

/// Words that are no names. Those of mathematics that are written between operands are names elsewhere.
const RESERVED: [&str; 30] = [
    "and",
    "or",
    "not",
    "implies",
    "iff",
    "if",
    "then",
    "else",
    "end",
    "do",
    "while",
    "for",
    "requires",
    "ensures",
    "var",
    "procedure",
    "operation",
    "oper",
    "type",
    "definition",
    "facility",
    "uses",
    "maintaining",
    "decreasing",
    "changing",
    "such_that",
    "convention",
    "correspondence",
    "exemplar",
    "constraint",
];

impl Parser<'_> {
    fn token(&self, ahead: usize) -> &Token {
        &self.tokens[(self.position + ahead).min(self.tokens.len() - 1)]
    }

    fn span(&self) -> Span {
        self.token(0).span
    }

    /// From the start of something to the last token that was read.
    fn since(&self, start: Span) -> Span {
        let last = self.position.checked_sub(1).map_or(start, |last| self.tokens[last].span);
        Span { end: last.end.max(start.start), ..start }
    }

    /// The word some steps ahead in small letters, or the symbol; empty for everything else.
    fn word_at(&self, ahead: usize) -> String {
        match &self.token(ahead).kind {
            TokenKind::Word(word) => word.to_lowercase(),
            TokenKind::Symbol(symbol) => (*symbol).to_owned(),
            TokenKind::Number(_) | TokenKind::Text(_) | TokenKind::End => String::new(),
        }
    }

    fn word(&self) -> String {
        self.word_at(0)
    }

    fn is(&self, word: &str) -> bool {
        self.word() == word
    }

    fn at_end(&self) -> bool {
        self.token(0).kind == TokenKind::End
    }

    fn advance(&mut self) {
        self.position = (self.position + 1).min(self.tokens.len() - 1);
    }

    fn accept(&mut self, word: &str) -> bool {
        let is_there = self.is(word);
        if is_there {
            self.advance();
        }
        is_there
    }

    /// Accepts several words in a row, or none of them.
    fn accept_all(&mut self, words: &[&str]) -> bool {
        let are_there = words.iter().enumerate().all(|(ahead, word)| self.word_at(ahead) == *word);
        if are_there {
            words.iter().for_each(|_| self.advance());
        }
        are_there
    }

    fn expect(&mut self, word: &str) -> ParseResult<()> {
        if self.accept(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn expected<T>(&mut self, what: &str) -> ParseResult<T> {
        let found = match &self.token(0).kind {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::Word(text) | TokenKind::Number(text) => format!("`{text}`"),
            TokenKind::Text(text) => format!("\"{text}\""),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
        };
        self.diagnostics.error(self.span(), format!("expected {what}, found {found}"));
        Err(ParseError)
    }

    fn is_name_at(&self, ahead: usize) -> bool {
        match &self.token(ahead).kind {
            TokenKind::Word(word) => !RESERVED.contains(&word.to_lowercase().as_str()),
            TokenKind::Number(_) | TokenKind::Text(_) | TokenKind::Symbol(_) | TokenKind::End => {
                false
            }
        }
    }

    fn name(&mut self) -> ParseResult<Name> {
        let token = self.token(0).clone();
        match token.kind {
            TokenKind::Word(text) if self.is_name_at(0) => {
                self.advance();
                Ok(Name { text, span: token.span })
            }
            TokenKind::Word(_)
            | TokenKind::Number(_)
            | TokenKind::Text(_)
            | TokenKind::Symbol(_)
            | TokenKind::End => self.expected("a name"),
        }
    }

    fn names(&mut self) -> ParseResult<Vec<Name>> {
        let mut names = vec![self.name()?];
        while self.accept(",") {
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// Skips to behind the next semicolon, or to the end of the text.
    fn skip_clause(&mut self) {
        while !self.at_end() && !self.accept(";") {
            self.advance();
        }
    }

    /// Reads something that may contain itself, with enough stack and only so deep.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> ParseResult<T>) -> ParseResult<T> {
        if self.depth >= PARSE_DEPTH {
            self.diagnostics.error(self.span(), format!("this nests more than {PARSE_DEPTH} deep"));
            return Err(ParseError);
        }
        self.depth += 1;
        let result = stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || read(self));
        self.depth -= 1;
        result
    }
}

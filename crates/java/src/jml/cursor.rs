//! The cursor over the tokens of a comment, and its diagnostics.

use super::lexer::Token;
use super::reader::{ParseError, Reader};
use crate::syntax::TextRange;

impl Reader<'_> {
    pub(super) fn peek(&self) -> &Token {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, by: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.position + by).min(last)].0
    }

    pub(super) fn at(&self) -> TextRange {
        self.tokens[self.position.min(self.tokens.len() - 1)].1
    }

    /// The place of the last token that was taken.
    pub(super) fn last(&self) -> TextRange {
        self.tokens[self.position.saturating_sub(1)].1
    }

    pub(super) fn next(&mut self) -> Token {
        let token = self.peek().clone();
        if self.position < self.tokens.len() - 1 {
            self.position += 1;
        }
        token
    }

    pub(super) fn accept(&mut self, symbol: &str) -> bool {
        let is_here = matches!(self.peek(), Token::Symbol(here) if *here == symbol);
        if is_here {
            self.next();
        }
        is_here
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Result<(), ParseError> {
        match self.accept(symbol) {
            true => Ok(()),
            // A clause at the end of a comment may lack its semicolon.
            false if symbol == ";" && *self.peek() == Token::End => Ok(()),
            false => {
                let at = self.at();
                Err(self.fault(at, &format!("expected `{symbol}`")))
            }
        }
    }

    /// Goes on behind the next semicolon that is not between parentheses.
    pub(super) fn skip(&mut self) {
        let mut depth = 0;
        loop {
            match self.next() {
                Token::End => return,
                Token::Symbol(";") if depth <= 0 => return,
                Token::Symbol("(" | "(*" | "{" | "[") => depth += 1,
                Token::Symbol(")" | "*)" | "}" | "]") => depth -= 1,
                _ => {}
            }
        }
    }

    /// Goes on behind a declaration: its semicolon, or its body.
    pub(super) fn skip_declaration(&mut self) {
        let mut depth = 0;
        loop {
            match self.next() {
                Token::End => return,
                Token::Symbol("{") => depth += 1,
                Token::Symbol("}") => {
                    depth -= 1;
                    if depth <= 0 {
                        return;
                    }
                }
                Token::Symbol(";") if depth == 0 => return,
                _ => {}
            }
        }
    }

    /// Something is right and not modelled.
    pub(super) fn lacking(&mut self, at: TextRange, what: &str) -> ParseError {
        self.diagnostics.note(at, format!("{what} is not modelled in a specification"));
        ParseError
    }

    pub(super) fn fault(&mut self, at: TextRange, message: &str) -> ParseError {
        self.diagnostics.error(at, format!("{message} in a specification"));
        ParseError
    }
}

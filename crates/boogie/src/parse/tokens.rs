//! Moving over tokens: looking, accepting, expecting, and skipping what is broken.

use super::{ParseError, ParseResult, Parser, is_reserved};
use crate::diagnostics::TextRange;
use crate::lexer::{Token, TokenKind};
use crate::limits::PARSE_DEPTH;
use crate::syntax::{ExprSyntax, Name, Node, NodeId, NodeKind};

impl<'s> Parser<'s, '_> {
    pub(super) fn at_end(&self) -> bool {
        self.kind() == TokenKind::End
    }

    /// The token some steps ahead; the last one is the end of the source.
    pub(super) fn token(&self, ahead: usize) -> Token {
        self.tokens[(self.position + ahead).min(self.tokens.len() - 1)]
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.token(0).kind
    }

    pub(super) fn at(&self) -> TextRange {
        self.token(0).at
    }

    /// The text of a token as it is written.
    pub(super) fn text(&self, token: Token) -> &'s str {
        &self.source[token.at.start as usize..token.at.end as usize]
    }

    /// The word or symbol some steps ahead; empty for everything else.
    pub(super) fn word_at(&self, ahead: usize) -> &'s str {
        let token = self.token(ahead);
        match token.kind {
            TokenKind::Word => self.text(token),
            TokenKind::Symbol(meaning) => meaning,
            TokenKind::Quoted
            | TokenKind::Number
            | TokenKind::BitVector
            | TokenKind::Real
            | TokenKind::Float
            | TokenKind::Text
            | TokenKind::End => "",
        }
    }

    pub(super) fn word(&self) -> &'s str {
        self.word_at(0)
    }

    pub(super) fn advance(&mut self) {
        self.position = (self.position + 1).min(self.tokens.len() - 1);
    }

    pub(super) fn accept(&mut self, word: &str) -> bool {
        let is_there = self.word() == word;
        if is_there {
            self.advance();
        }
        is_there
    }

    pub(super) fn expect(&mut self, word: &str) -> ParseResult<()> {
        if self.accept(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    /// Reports that something else stands here.
    pub(super) fn expected<T>(&mut self, what: &str) -> ParseResult<T> {
        let message = format!("expected {what}, found {}", self.describe());
        self.diagnostics.add(self.at(), message);
        Err(ParseError)
    }

    fn describe(&self) -> String {
        match self.kind() {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::Word
            | TokenKind::Quoted
            | TokenKind::Number
            | TokenKind::BitVector
            | TokenKind::Real
            | TokenKind::Float
            | TokenKind::Text
            | TokenKind::Symbol(_) => {
                let text: String = self.text(self.token(0)).chars().take(40).collect();
                format!("`{text}`")
            }
        }
    }

    /// From the start of something to the last token that was read.
    pub(super) fn since(&self, start: TextRange) -> TextRange {
        match self.position.checked_sub(1) {
            Some(last) => start.to(self.tokens[last].at),
            None => start,
        }
    }

    /// Whether a name stands some steps ahead.
    pub(super) fn is_name_at(&self, ahead: usize) -> bool {
        let token = self.token(ahead);
        match token.kind {
            TokenKind::Quoted => true,
            TokenKind::Word => !is_reserved(self.text(token)),
            TokenKind::Number
            | TokenKind::BitVector
            | TokenKind::Real
            | TokenKind::Float
            | TokenKind::Text
            | TokenKind::Symbol(_)
            | TokenKind::End => false,
        }
    }

    pub(super) fn name(&mut self) -> ParseResult<Name<'s>> {
        if !self.is_name_at(0) {
            return self.expected("a name");
        }
        let token = self.token(0);
        let text = self.text(token);
        self.advance();
        Ok(Name { text: text.strip_prefix('\\').unwrap_or(text), at: token.at })
    }

    pub(super) fn names(&mut self) -> ParseResult<Vec<Name<'s>>> {
        let mut names = vec![self.name()?];
        while self.accept(",") {
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// Items between commas up to a closing symbol, which is read too; perhaps none.
    pub(super) fn list<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<Vec<T>> {
        let mut items = Vec::new();
        if self.accept(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.accept(close) {
                return Ok(items);
            }
            if !self.accept(",") {
                return self.expected(&format!("`,` or `{close}`"));
            }
        }
    }

    /// Reads something that may contain itself, with enough stack and only so deep.
    pub(super) fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<T> {
        if self.depth >= PARSE_DEPTH {
            self.diagnostics.add(self.at(), format!("this nests more than {PARSE_DEPTH} deep"));
            return Err(ParseError);
        }
        self.depth += 1;
        let result = stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || read(self));
        self.depth -= 1;
        result
    }

    pub(super) fn push(&mut self, kind: NodeKind<'s>, at: TextRange) -> NodeId {
        self.module.nodes.push(Node { kind, at });
        self.module.nodes.len() as NodeId - 1
    }

    /// The expression that began when the arena had this size.
    pub(super) fn whole(&self, first: NodeId, root: NodeId) -> ExprSyntax {
        ExprSyntax { first, root }
    }

    pub(super) fn next_node(&self) -> NodeId {
        self.module.nodes.len() as NodeId
    }
}

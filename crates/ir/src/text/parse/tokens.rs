//! The parser's view of the tokens: names, numbers, texts, lists.

use std::borrow::Cow;
use std::str::FromStr;

use super::{ParseError, ParseResult, Parser, is_reserved};
use crate::text::diagnostics::TextRange;
use crate::text::lexer::{TokenKind, unquote};
use crate::text::syntax::{ExprSyntax, Name, Node, NodeId, NodeKind, TypeSyntax};

impl<'s> Parser<'s, '_> {
    pub(super) fn at_end(&self) -> bool {
        self.kind() == TokenKind::End
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.tokens[self.position].kind
    }

    pub(super) fn at(&self) -> TextRange {
        self.tokens[self.position].at
    }

    pub(super) fn slice(&self, at: TextRange) -> &'s str {
        &self.source[at.start as usize..at.end as usize]
    }

    pub(super) fn text(&self, position: usize) -> &'s str {
        self.tokens.get(position).map_or("", |token| self.slice(token.at))
    }

    /// The text of the current token.
    pub(super) fn token_text(&self) -> &'s str {
        self.slice(self.at())
    }

    /// The current token if it is a word or symbol.
    pub(super) fn word(&self) -> &'s str {
        match self.kind() {
            TokenKind::Word | TokenKind::Symbol => self.token_text(),
            TokenKind::Quoted
            | TokenKind::Number
            | TokenKind::Text
            | TokenKind::Label
            | TokenKind::End => "",
        }
    }

    /// From the start of something to the end of the last token read.
    pub(super) fn since(&self, start: TextRange) -> TextRange {
        match self.position.checked_sub(1) {
            Some(last) => start.to(self.tokens[last].at),
            None => start,
        }
    }

    /// Whether the current token is the first of its line.
    pub(super) fn begins_line(&self) -> bool {
        let Some(before) = self.position.checked_sub(1) else { return true };
        let blank = TextRange { start: self.tokens[before].at.end, end: self.at().start };
        self.slice(blank).contains('\n')
    }

    pub(super) fn accept(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        self.position += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, word: &str) -> ParseResult<()> {
        if self.accept(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    pub(super) fn expected<T>(&mut self, what: &str) -> ParseResult<T> {
        let message = format!("{} is out of place", self.describe());
        self.diagnostics.add_with(self.at(), message, format!("expected {what}"));
        Err(ParseError)
    }

    pub(super) fn describe(&self) -> String {
        match self.kind() {
            TokenKind::End => "the end of the file".to_owned(),
            _ => {
                let text = self.token_text();
                match text.char_indices().nth(40) {
                    Some((end, _)) => format!("`{}…`", &text[..end]),
                    None => format!("`{text}`"),
                }
            }
        }
    }

    pub(super) fn name(&mut self) -> ParseResult<Name<'s>> {
        let at = self.at();
        let token = self.token_text();
        let text = match self.kind() {
            TokenKind::Word if is_reserved(token) => {
                let note = "a name; keywords are names only in backticks";
                return self.expected(note);
            }
            TokenKind::Word => Cow::Borrowed(token),
            TokenKind::Quoted => match unquote(token) {
                Ok(text) => Cow::Owned(text),
                Err(message) => {
                    self.diagnostics.add(at, message);
                    return Err(ParseError);
                }
            },
            TokenKind::Number
            | TokenKind::Text
            | TokenKind::Label
            | TokenKind::Symbol
            | TokenKind::End => return self.expected("a name"),
        };
        self.position += 1;
        Ok(Name { text, mark: 0, at })
    }

    /// The name of a bound variable, which may have a mark.
    pub(super) fn marked_name(&mut self) -> ParseResult<Name<'s>> {
        let mut name = self.name()?;
        if self.accept("'") {
            name.mark = self.number()?;
        }
        Ok(name)
    }

    pub(super) fn binder(&mut self) -> ParseResult<(Name<'s>, TypeSyntax<'s>)> {
        let name = self.marked_name()?;
        self.expect(":")?;
        Ok((name, self.ty()?))
    }

    pub(super) fn string(&mut self) -> ParseResult<String> {
        if self.kind() != TokenKind::Text {
            return self.expected("a text in double quotes");
        }
        let at = self.at();
        self.position += 1;
        unquote(self.slice(at)).map_err(|message| {
            self.diagnostics.add(at, message);
            ParseError
        })
    }

    pub(super) fn long_number(&mut self) -> ParseResult<u64> {
        self.number_of("a number below 2^64")
    }

    pub(super) fn number(&mut self) -> ParseResult<u32> {
        self.number_of("a number below 2^32")
    }

    fn number_of<N: FromStr>(&mut self, what: &str) -> ParseResult<N> {
        let value = match self.kind() {
            TokenKind::Number => self.token_text().parse().ok(),
            _ => None,
        };
        match value {
            Some(value) => {
                self.position += 1;
                Ok(value)
            }
            None => self.expected(what),
        }
    }

    /// Words joined by hyphens, without blanks between them.
    pub(super) fn hyphenated(&self) -> (&'s str, usize) {
        let start = self.at();
        let mut end = start;
        let mut count = 0;
        if self.kind() == TokenKind::Word {
            count = 1;
            while let Some([hyphen, next]) =
                self.tokens.get(self.position + count..self.position + count + 2)
                && self.slice(hyphen.at) == "-"
                && next.kind == TokenKind::Word
                && hyphen.at.start == end.end
                && next.at.start == hyphen.at.end
            {
                end = next.at;
                count += 2;
            }
        }
        (self.slice(start.to(end)), count)
    }

    /// One of a list of hyphenated words.
    pub(super) fn choice<T>(
        &mut self,
        what: &str,
        named: impl Fn(&str) -> Option<T>,
    ) -> ParseResult<T> {
        let (word, tokens) = self.hyphenated();
        match named(word) {
            Some(value) => {
                self.position += tokens;
                Ok(value)
            }
            None => self.expected(what),
        }
    }

    /// Items between commas up to a closing bracket; a comma may follow the last one.
    pub(super) fn list<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<Vec<T>> {
        let mut items = Vec::new();
        while !self.accept(close) {
            items.push(item(self)?);
            if !self.accept(",") {
                self.expect(close)?;
                break;
            }
        }
        Ok(items)
    }

    pub(super) fn push(&mut self, kind: NodeKind<'s>, at: TextRange) -> NodeId {
        self.module.nodes.push(Node { kind, at });
        self.module.nodes.len() as u32 - 1
    }

    pub(super) fn whole(&self, first: NodeId, root: NodeId) -> ExprSyntax {
        ExprSyntax { first, root }
    }
}

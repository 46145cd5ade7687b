//! From text to tokens.
//!
//! Mathematical symbols are read like the words that they abbreviate, so that a paper's text can be typed in.
//! Comments are `--` and `//` to the end of the line and `(* … *)`.

use ir::{FileId, Span};

use crate::diagnostics::Diagnostics;

/// A token and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// The kinds of tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// A name or keyword, as it is written.
    Word(String),
    Number(String),
    /// A text between double quotes, or a character between single ones, without them.
    Text(String),
    Symbol(&'static str),
    End,
}

/// The symbols, longer ones before their beginnings.
const SYMBOLS: [&str; 36] = [
    ":=:", "...", ":=", "::", "<=", ">=", "/=", "->", "**", "||", "..", "{{", "}}", "(", ")", "[",
    "]", "{", "}", "<", ">", "=", "+", "-", "*", "/", "|", "#", ",", ";", ":", ".", "~", "&", "@",
    "%",
];

/// Signs of mathematics, and what they are read as.
const SIGNS: [(char, &str); 22] = [
    ('−', "-"),
    ('⟨', "<"),
    ('⟩', ">"),
    ('≠', "/="),
    ('≤', "<="),
    ('≥', ">="),
    ('→', "->"),
    ('∧', "and"),
    ('∨', "or"),
    ('¬', "not"),
    ('⇒', "implies"),
    ('∃', "exists"),
    ('∀', "forall"),
    ('∋', "such_that"),
    ('∈', "is_in"),
    ('∘', "o"),
    ('∪', "union"),
    ('∩', "intersect"),
    ('⊆', "is_subset_of"),
    ('∉', "is_not_in"),
    ('∅', "Empty_Set"),
    ('⇔', "iff"),
];

/// Splits a text into tokens; the last one is the end.
pub(crate) fn tokens(text: &str, file: FileId, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut lexer = Lexer { text, at: 0, file };
    let mut tokens = Vec::new();
    loop {
        lexer.skip(diagnostics);
        let start = lexer.at;
        let Some(first) = lexer.rest().chars().next() else {
            tokens.push(Token { kind: TokenKind::End, span: lexer.span(start) });
            return tokens;
        };
        if let Some(kind) = lexer.token(first) {
            tokens.push(Token { kind, span: lexer.span(start) });
        } else {
            lexer.at += first.len_utf8();
            diagnostics.error(lexer.span(start), format!("`{first}` means nothing here"));
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    file: FileId,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { file: self.file, start: offset(start), end: offset(self.at) }
    }

    /// Skips white space and comments.
    fn skip(&mut self, diagnostics: &mut Diagnostics) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            if blank > 0 {
                self.at += blank;
            } else if rest.starts_with("--") || rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("(*") {
                let start = self.at;
                let end = rest.find("*)");
                self.at += end.map_or(rest.len(), |end| end + 2);
                if end.is_none() {
                    diagnostics.error(self.span(start), "this comment does not end");
                }
            } else {
                return;
            }
        }
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c: char| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn token(&mut self, first: char) -> Option<TokenKind> {
        if first.is_ascii_digit() {
            return Some(TokenKind::Number(self.take(|c| c.is_ascii_digit()).to_owned()));
        }
        if first.is_alphabetic() || first == '_' {
            return Some(TokenKind::Word(
                self.take(|c| c.is_alphanumeric() || c == '_').to_owned(),
            ));
        }
        if first == '"' || first == '\'' {
            let inside = &self.rest()[1..];
            let end = inside.find([first, '\n']).filter(|&end| inside[end..].starts_with(first))?;
            self.at += end + 2;
            return Some(TokenKind::Text(inside[..end].to_owned()));
        }
        if let Some((sign, meaning)) = SIGNS.iter().find(|(sign, _)| *sign == first) {
            self.at += sign.len_utf8();
            let symbol = SYMBOLS.iter().find(|symbol| *symbol == meaning);
            return Some(match symbol {
                Some(symbol) => TokenKind::Symbol(symbol),
                None => TokenKind::Word((*meaning).to_owned()),
            });
        }
        let symbol = SYMBOLS.iter().find(|symbol| self.rest().starts_with(**symbol))?;
        self.at += symbol.len();
        Some(TokenKind::Symbol(symbol))
    }
}

#[cfg(test)]
mod tests {
    use ir::FileId;

    use super::{TokenKind, tokens};
    use crate::diagnostics::Diagnostics;

    fn written(text: &str) -> Vec<String> {
        let mut diagnostics = Diagnostics::default();
        let all = tokens(text, FileId(0), &mut diagnostics);
        let one = |kind: TokenKind| match kind {
            TokenKind::Word(text) | TokenKind::Number(text) => text,
            TokenKind::Text(text) => format!("{text:?}"),
            TokenKind::Symbol(text) => text.to_owned(),
            TokenKind::End => "end".to_owned(),
        };
        all.into_iter().map(|token| one(token.kind)).collect()
    }

    #[test]
    fn signs_are_read_as_what_they_stand_for() {
        assert_eq!(written("β = ⟨Next⟩ ∧ |β| ≠ 0"), written("β = <Next> and |β| /= 0"));
    }

    #[test]
    fn comments_and_texts_are_no_code() {
        let text = "A -- Var\n (* If *) :=: \"-- no\" 1..4 // end";
        assert_eq!(written(text), ["A", ":=:", "\"-- no\"", "1", "..", "4", "end"]);
    }
}

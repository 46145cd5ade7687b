//! Characters to tokens. Words are not classified here: a keyword is a word in the right place, and a word
//! after a backslash is never one.

mod directive;

use crate::diagnostics::{Diagnostics, TextRange};
use directive::Conditional;

/// The kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// A name or keyword.
    Word,
    /// A name behind a backslash, never a keyword.
    Quoted,
    /// Digits.
    Number,
    /// `5bv32`.
    BitVector,
    /// `1.5`, `2e10`.
    Real,
    /// `0x1.8e5f24e8`, `0NaN24e8`.
    Float,
    /// A text between double quotes.
    Text,
    /// An operator or bracket.
    Symbol(&'static str),
    /// The end of the source.
    End,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) at: TextRange,
}

/// Spellings and their symbols. Longer symbols come before their prefixes.
const SYMBOLS: [(&str, &str); 51] = [
    ("<==>", "<==>"),
    ("==>", "==>"),
    ("<==", "<=="),
    ("<:", "<:"),
    ("<=", "<="),
    (">=", ">="),
    ("==", "=="),
    ("!=", "!="),
    ("&&", "&&"),
    ("||", "||"),
    ("::", "::"),
    (":=", ":="),
    ("++", "++"),
    ("->", "->"),
    ("**", "**"),
    ("|{", "|{"),
    ("}|", "}|"),
    ("<", "<"),
    (">", ">"),
    ("!", "!"),
    (":", ":"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("|", "|"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("{", "{"),
    ("}", "}"),
    (",", ","),
    (";", ";"),
    ("=", "="),
    ("@", "@"),
    ("⇔", "<==>"),
    ("⇒", "==>"),
    ("⇐", "<=="),
    ("∧", "&&"),
    ("∨", "||"),
    ("¬", "!"),
    ("≠", "!="),
    ("≤", "<="),
    ("≥", ">="),
    ("•", "::"),
    ("∀", "forall"),
    ("∃", "exists"),
    ("λ", "lambda"),
    ("⊑", "<:"),
    ("≡", "<==>"),
];

/// All tokens of a source, the end included. What is no token is reported and left out.
pub(crate) fn lex(source: &str, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut lexer = Lexer {
        source,
        bytes: source.as_bytes(),
        position: 0,
        conditionals: Vec::new(),
        diagnostics,
    };
    let mut tokens = Vec::with_capacity(source.len() / 4);
    while let Some(token) = lexer.next() {
        tokens.push(token);
    }
    lexer.close();
    let end = source.len() as u32;
    tokens.push(Token { kind: TokenKind::End, at: TextRange { start: end, end } });
    tokens
}

struct Lexer<'s, 'f> {
    source: &'s str,
    bytes: &'s [u8],
    position: usize,
    conditionals: Vec<Conditional>,
    diagnostics: &'f mut Diagnostics,
}

impl Lexer<'_, '_> {
    fn next(&mut self) -> Option<Token> {
        loop {
            self.skip_blanks();
            let start = self.position;
            let byte = *self.bytes.get(start)?;
            let kind = match byte {
                b'0'..=b'9' => self.number(),
                b'"' => {
                    self.text();
                    TokenKind::Text
                }
                b'\\' if self.bytes.get(start + 1).is_some_and(|byte| starts_name(*byte)) => {
                    self.position += 1;
                    self.skip_while(is_name_byte);
                    TokenKind::Quoted
                }
                _ if starts_name(byte) => {
                    self.skip_while(is_name_byte);
                    TokenKind::Word
                }
                _ => {
                    let rest = &self.bytes[start..];
                    match SYMBOLS.iter().find(|(form, _)| rest.starts_with(form.as_bytes())) {
                        Some((form, meaning)) => {
                            self.position += form.len();
                            TokenKind::Symbol(meaning)
                        }
                        None => {
                            self.unknown();
                            continue;
                        }
                    }
                }
            };
            return Some(Token { kind, at: self.since(start) });
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            self.skip_while(|byte| byte.is_ascii_whitespace());
            let rest = &self.bytes[self.position..];
            if rest.starts_with(b"//") {
                self.skip_while(|byte| byte != b'\n');
            } else if rest.starts_with(b"/*") {
                self.comment();
            } else if rest.starts_with("\u{feff}".as_bytes()) && self.position == 0 {
                self.position += 3;
            } else if self.is_directive() {
                self.directive();
            } else {
                return;
            }
        }
    }

    /// A comment between `/*` and `*/`, which nest.
    fn comment(&mut self) {
        let start = self.position;
        let mut depth = 0_usize;
        while self.position < self.bytes.len() {
            let rest = &self.bytes[self.position..];
            if rest.starts_with(b"/*") {
                depth += 1;
                self.position += 2;
            } else if rest.starts_with(b"*/") {
                depth -= 1;
                self.position += 2;
                if depth == 0 {
                    return;
                }
            } else {
                self.position += 1;
            }
        }
        let at = TextRange { start: start as u32, end: start as u32 + 2 };
        self.diagnostics.add(at, "unterminated comment");
    }

    fn number(&mut self) -> TokenKind {
        let start = self.position;
        let rest = &self.bytes[start..];
        if rest.starts_with(b"0x") && rest.get(2).is_some_and(u8::is_ascii_hexdigit) {
            self.position += 2;
            self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-');
            return TokenKind::Float;
        }
        for special in ["0NaN", "0nan", "0+oo", "0-oo"] {
            if rest.starts_with(special.as_bytes()) {
                self.position += special.len();
                self.skip_while(|byte| byte.is_ascii_alphanumeric());
                return TokenKind::Float;
            }
        }
        self.digits();
        let digit_at = |lexer: &Self, offset: usize| {
            lexer.bytes.get(lexer.position + offset).is_some_and(u8::is_ascii_digit)
        };
        if self.bytes[self.position..].starts_with(b"bv") && digit_at(self, 2) {
            self.position += 2;
            self.digits();
            return TokenKind::BitVector;
        }
        let mut kind = TokenKind::Number;
        if self.peek() == Some(b'.') && digit_at(self, 1) {
            self.position += 1;
            self.digits();
            kind = TokenKind::Real;
        }
        let minus = usize::from(self.bytes.get(self.position + 1) == Some(&b'-'));
        if self.peek() == Some(b'e') && digit_at(self, 1 + minus) {
            self.position += 1 + minus;
            self.digits();
            kind = TokenKind::Real;
            if self.peek() == Some(b'f') && digit_at(self, 1) {
                self.skip_while(|byte| byte.is_ascii_alphanumeric());
                kind = TokenKind::Float;
            }
        }
        kind
    }

    fn digits(&mut self) {
        self.skip_while(|byte| byte.is_ascii_digit());
    }

    /// A text. It ends with its line at the latest, so that a forgotten quote does not swallow the
    /// rest of the file.
    fn text(&mut self) {
        let start = self.position;
        self.position += 1;
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => break,
                b'\\' if self.bytes.get(self.position + 1) == Some(&b'"') => self.position += 2,
                _ => self.position += 1,
            }
            if byte == b'"' {
                return;
            }
        }
        self.fault(start, "unterminated string");
    }

    /// Characters that begin no token, reported once for each sequence of them.
    fn unknown(&mut self) {
        let start = self.position;
        while let Some(c) = self.source[self.position..].chars().next() {
            let begins = SYMBOLS.iter().any(|(form, _)| form.starts_with(c));
            if self.position > start && (begins || c.is_ascii_whitespace() || c.is_ascii_graphic())
            {
                break;
            }
            self.position += c.len_utf8();
        }
        let character = self.source[start..].chars().next().unwrap_or(' ');
        self.fault(start, &format!("unexpected character {character:?}"));
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    fn skip_while(&mut self, keep: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&keep) {
            self.position += 1;
        }
    }

    fn since(&self, start: usize) -> TextRange {
        TextRange { start: start as u32, end: self.position as u32 }
    }

    fn fault(&mut self, start: usize, message: &str) {
        self.diagnostics.add(self.since(start), message);
    }
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || b"'~#$^_.?`".contains(&byte)
}

fn is_name_byte(byte: u8) -> bool {
    starts_name(byte) || byte.is_ascii_digit()
}

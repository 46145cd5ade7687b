//! Characters to tokens. Words are not classified here: a keyword is a word in the right place.

use super::diagnostics::{Diagnostics, TextRange};

/// The kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A name or keyword.
    Word,
    /// A name between backticks, never a keyword.
    Quoted,
    /// A number: decimal or `0x…`, followed by `bvN` if it is a word of N bits.
    Number,
    /// A text between double quotes.
    Text,
    /// `%N`, the label of a shared expression.
    Label,
    /// An operator or bracket.
    Symbol,
    /// The end of the source.
    End,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) at: TextRange,
}

/// Longer symbols stand before their prefixes.
const SYMBOLS: [&str; 37] = [
    "<==>", "==>", ":=", "::", "==", "!=", "<=", ">=", "&&", "||", "++", "(", ")", "[", "]", "{",
    "}", "<", ">", "+", "-", "*", "!", "?", ":", ";", ",", ".", "|", "@", "#", "'", "=", "/", "&",
    "^", "~",
];

/// All tokens of a source, the end included. What is no token is reported and left out.
pub(super) fn lex(source: &str, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut lexer = Lexer { source, bytes: source.as_bytes(), position: 0, diagnostics };
    let mut tokens = Vec::with_capacity(source.len() / 4);
    while let Some(token) = lexer.next() {
        tokens.push(token);
    }
    let end = source.len() as u32;
    tokens.push(Token { kind: TokenKind::End, at: TextRange { start: end, end } });
    tokens
}

struct Lexer<'s, 'f> {
    source: &'s str,
    bytes: &'s [u8],
    position: usize,
    diagnostics: &'f mut Diagnostics,
}

impl Lexer<'_, '_> {
    fn next(&mut self) -> Option<Token> {
        loop {
            self.skip_blanks();
            let start = self.position;
            let byte = *self.bytes.get(start)?;
            let kind = match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                    self.skip_while(is_name_byte);
                    TokenKind::Word
                }
                b'0'..=b'9' => {
                    self.number();
                    TokenKind::Number
                }
                b'%' => {
                    self.position += 1;
                    self.skip_while(|byte| byte.is_ascii_digit());
                    if self.position == start + 1 {
                        self.fault(start, "a label of a shared expression is `%` and a number");
                        continue;
                    }
                    TokenKind::Label
                }
                b'"' | b'`' => {
                    self.quoted(byte);
                    if byte == b'"' { TokenKind::Text } else { TokenKind::Quoted }
                }
                _ => {
                    let rest = &self.bytes[start..];
                    match SYMBOLS.iter().find(|symbol| rest.starts_with(symbol.as_bytes())) {
                        Some(symbol) => self.position += symbol.len(),
                        None => {
                            self.unknown();
                            continue;
                        }
                    }
                    TokenKind::Symbol
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
                match self.source[self.position + 2..].find("*/") {
                    Some(length) => self.position += length + 4,
                    None => {
                        let start = self.position;
                        self.position += 2;
                        self.fault(start, "unterminated comment");
                        self.position = self.bytes.len();
                    }
                }
            } else {
                return;
            }
        }
    }

    /// A number and what directly follows it. In `0xffbv32` the last `b` belongs to the suffix.
    fn number(&mut self) {
        let start = self.position;
        if self.bytes[start..].starts_with(b"0x") {
            self.position += 2;
            self.skip_while(|byte| byte.is_ascii_hexdigit());
            if self.peek() == Some(b'v') && self.bytes[self.position - 1] == b'b' {
                self.position -= 1;
            }
        } else {
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        self.skip_while(is_name_byte);
    }

    /// A text or quoted name. It ends with its line at the latest, so that a forgotten quote does
    /// not swallow the rest of the file.
    fn quoted(&mut self, quote: u8) {
        let start = self.position;
        self.position += 1;
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => break,
                b'\\' => self.position += 2,
                _ => self.position += 1,
            }
            if byte == quote {
                return;
            }
        }
        self.position = self.position.min(self.bytes.len());
        while !self.source.is_char_boundary(self.position) {
            self.position += 1;
        }
        let what = if quote == b'"' { "unterminated string" } else { "unterminated name" };
        self.fault(start, what);
    }

    /// Characters that begin no token, reported once for each sequence of them.
    fn unknown(&mut self) {
        let start = self.position;
        while let Some(c) = self.source[self.position..].chars().next() {
            if c.is_ascii() && (!c.is_ascii_control() || c.is_ascii_whitespace()) && c != '\\' {
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

/// Whether a byte can be part of an unquoted name.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

/// The content of a quoted token, without its quotes and escapes.
pub(super) fn unquote(token: &str) -> Result<String, String> {
    let mut inner = token.chars();
    let quote = inner.next();
    let mut content = String::with_capacity(token.len());
    while let Some(c) = inner.next() {
        if Some(c) == quote {
            break;
        }
        if c != '\\' {
            content.push(c);
            continue;
        }
        match inner.next() {
            Some('n') => content.push('\n'),
            Some('t') => content.push('\t'),
            Some('r') => content.push('\r'),
            Some('u') => {
                let digits: String =
                    inner.by_ref().skip_while(|&c| c == '{').take_while(|&c| c != '}').collect();
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                content.push(code.ok_or_else(|| format!("`\\u{{{digits}}}` is no character"))?);
            }
            Some(c @ ('\\' | '"' | '`')) => content.push(c),
            Some(c) => return Err(format!("`\\{c}` is no escape")),
            None => break,
        }
    }
    Ok(content)
}

/// The content between quotes, with the escapes that [`unquote`] undoes.
pub(super) fn quote(content: &str, quote: char) -> String {
    let mut token = String::with_capacity(content.len() + 2);
    token.push(quote);
    for c in content.chars() {
        match c {
            '\n' => token.push_str("\\n"),
            '\t' => token.push_str("\\t"),
            '\r' => token.push_str("\\r"),
            '\\' => token.push_str("\\\\"),
            c if c == quote => {
                token.push('\\');
                token.push(c);
            }
            c if c.is_control() => token.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => token.push(c),
        }
    }
    token.push(quote);
    token
}

//! The words and symbols of a formula.

use crate::syntax::TextRange;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// A name, and whether it has a prime.
    Word(String, bool),
    Number(i64),
    Symbol(&'static str),
    End,
}

/// Longer ones first.
const SYMBOLS: [&str; 30] = [
    "<=>", "->", "=>", "!=", "<=", ">=", "=<", "&&", "||", "{", "}", "(", ")", "|", ":", ",", ".",
    "+", "-", "&", "*", "^", "~", "=", "!", "<", ">", "#", "[", "]",
];

/// The tokens of a text; the symbol `?` is anything that is none.
pub(super) fn tokens(text: &str, start: u32) -> Vec<(Token, TextRange)> {
    let mut tokens = Vec::new();
    let bytes = text.as_bytes();
    let mut position = 0;
    let is_part = |c: u8| c == b'_' || c == b'$' || c.is_ascii_alphanumeric() || c >= 0x80;
    while position < bytes.len() {
        let (c, from) = (bytes[position], position);
        if c.is_ascii_whitespace() {
            position += 1;
            continue;
        }
        let token = if c.is_ascii_digit() {
            while position < bytes.len() && bytes[position].is_ascii_digit() {
                position += 1;
            }
            text[from..position].parse().map_or(Token::Symbol("?"), Token::Number)
        } else if is_part(c) {
            while position < bytes.len() && is_part(bytes[position]) {
                position += 1;
            }
            let name = text[from..position].to_owned();
            let has_prime = bytes.get(position) == Some(&b'\'');
            position += usize::from(has_prime);
            Token::Word(name, has_prime)
        } else {
            let rest = &text[position..];
            let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
            position += symbol.map_or(1, |symbol| symbol.len());
            Token::Symbol(symbol.copied().unwrap_or("?"))
        };
        tokens.push((token, TextRange::new(start as usize + from, start as usize + position)));
    }
    let end = start as usize + bytes.len();
    tokens.push((Token::End, TextRange::new(end, end)));
    tokens
}

//! The words and symbols of a JML comment.

use crate::syntax::TextRange;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// A name or word; JML's own begin with a backslash.
    Word(String),
    Number(String),
    /// A literal between quotes, quotes included.
    Quoted(String),
    Symbol(&'static str),
    End,
}

/// Longer ones first.
const SYMBOLS: [&str; 53] = [
    "<==>", "<=!=>", ">>>", "==>", "<==", "...", "..", "&&", "||", "==", "!=", "<=", ">=", "<<",
    ">>", "{|", "|}", "<-", "++", "--", "+=", "-=", "(", ")", "[", "]", "{", "}", ";", ",", ".",
    "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "?", ":", "=", "#", "$", "'", "`",
    "@", "(*", "*)",
];

/// The tokens of a text that begins at a place of a file. An `@` at the start of a line is a mark of the
/// comment and no token.
pub(super) fn tokens(text: &str, start: u32) -> Vec<(Token, TextRange)> {
    let mut tokens = Vec::new();
    let bytes = text.as_bytes();
    let mut position = 0;
    let mut at_line_start = true;
    while position < bytes.len() {
        let c = bytes[position];
        let from = position;
        match c {
            b'\n' => {
                at_line_start = true;
                position += 1;
                continue;
            }
            b'@' if at_line_start || text[position..].trim_matches('@').is_empty() => {
                position += 1;
                continue;
            }
            _ if c.is_ascii_whitespace() => {
                position += 1;
                continue;
            }
            b'*' if at_line_start => {
                position += 1;
                continue;
            }
            _ => {}
        }
        at_line_start = false;
        if text[position..].starts_with("//") {
            position = text[position..].find('\n').map_or(bytes.len(), |end| position + end);
            continue;
        }
        let token = if c == b'\\' || c == b'_' || c == b'$' || c.is_ascii_alphabetic() || c >= 0x80
        {
            position += 1;
            let is_part = |c: u8| c == b'_' || c == b'$' || c.is_ascii_alphanumeric() || c >= 0x80;
            while position < bytes.len() && is_part(bytes[position]) {
                position += 1;
            }
            Token::Word(text[from..position].to_owned())
        } else if c.is_ascii_digit() {
            let is_part = |c: u8| c == b'_' || c.is_ascii_alphanumeric();
            while position < bytes.len() && is_part(bytes[position]) {
                position += 1;
            }
            Token::Number(text[from..position].to_owned())
        } else if c == b'"' || c == b'\'' {
            position += 1;
            while position < bytes.len() && bytes[position] != c && bytes[position] != b'\n' {
                position += if bytes[position] == b'\\' { 2 } else { 1 };
            }
            position = (position + 1).min(bytes.len());
            Token::Quoted(text.get(from..position).unwrap_or("").to_owned())
        } else {
            let rest = &text[position..];
            match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
                Some(symbol) => {
                    position += symbol.len();
                    Token::Symbol(symbol)
                }
                None => {
                    position += 1;
                    Token::Symbol("?")
                }
            }
        };
        tokens.push((token, TextRange::new(start as usize + from, start as usize + position)));
    }
    let end = start as usize + bytes.len();
    tokens.push((Token::End, TextRange::new(end, end)));
    tokens
}

//! Whatever the text, there is a valid module.

use std::fs;

use super::golden::sources;

/// Pieces that texts are made of.
const PIECES: &[&str] = &[
    "procedure",
    "p",
    "(",
    ")",
    "{",
    "}",
    "x",
    ":",
    "int",
    "bool",
    ";",
    "var",
    "g",
    ":=",
    "1",
    "+",
    "assert",
    "assume",
    "havoc",
    "call",
    "while",
    "if",
    "else",
    "goto",
    "L",
    "return",
    "break",
    "requires",
    "ensures",
    "modifies",
    "old",
    "forall",
    "exists",
    "lambda",
    "::",
    "<",
    ">",
    "a",
    "[",
    "]",
    ",",
    "type",
    "T",
    "=",
    "function",
    "f",
    "axiom",
    "const",
    "unique",
    "datatype",
    "C",
    "->",
    "is",
    "bv32",
    "5bv8",
    "1.5",
    "==",
    "&&",
    "||",
    "==>",
    "!",
    "-",
    "*",
    "div",
    "{:msg \"m\"}",
    "implementation",
    "invariant",
    "free",
    "where",
    "returns",
    "async",
    "par",
    "yield",
    "|{",
    "}|",
    "++",
    "[7:0]",
    "true",
    "then",
    "\"",
    "/*",
    "//",
    "\\if",
    "∀",
    "•",
    "\u{0}",
    "é",
    "\n",
    "real",
    "float24e8",
    "0x1.0e0f24e8",
    "<:",
    "**",
    "/",
];

#[test]
fn random_pieces_are_lowered() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..4_000 {
        let length = random.usize(0..60);
        let mut text = String::new();
        for _ in 0..length {
            text.push_str(PIECES[random.usize(0..PIECES.len())]);
            text.push(' ');
        }
        super::lower(&text);
    }
}

#[test]
fn changed_goldens_are_lowered() {
    let mut random = fastrand::Rng::with_seed(2);
    let texts: Vec<String> = sources()
        .iter()
        .map(|path| fs::read_to_string(path).expect("a golden file can be read"))
        .collect();
    for round in 0..3_000 {
        let text = &texts[round % texts.len()];
        let mut words: Vec<&str> = text.split_inclusive([' ', '\n', '(', ')', ';', ',']).collect();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(0..words.len());
            match random.u8(0..4) {
                0 => {
                    words.remove(at);
                }
                1 => words.insert(at, PIECES[random.usize(0..PIECES.len())]),
                2 => {
                    let other = random.usize(0..words.len());
                    words.swap(at, other);
                }
                _ => words[at] = words[random.usize(0..words.len())],
            }
            if words.is_empty() {
                break;
            }
        }
        super::lower(&words.concat());
    }
}

#[test]
fn bytes_that_are_no_text_are_lowered() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..500 {
        let bytes: Vec<u8> = (0..random.usize(0..400)).map(|_| random.u8(..)).collect();
        let (_, diagnostics) = super::lower(&String::from_utf8_lossy(&bytes));
        assert!(bytes.len() < 20 || !diagnostics.is_empty());
    }
}

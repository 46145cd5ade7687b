//! Whatever the text, reading it ends soon and does not panic.

use std::time::{Duration, Instant};

use fastrand::Rng;
use ir::generate::{Shape, module};

/// Reads a text, prints what came of it, and reads that.
fn survive(source: &str) {
    let start = Instant::now();
    let (module, diagnostics) = ir::parse("fuzz.vir", source);
    for diagnostic in &diagnostics {
        assert!((diagnostic.span.file.0 as usize) < module.files.len());
        assert!(diagnostic.span.end as usize <= source.len());
        ir::line_and_column(source, diagnostic.span.start);
    }
    let is_valid = ir::validate(&module).is_empty();
    assert!(is_valid || !diagnostics.is_empty(), "an invalid module without diagnostics");
    if is_valid {
        let text = ir::print(&module);
        let (again, diagnostics) = ir::parse("again.vir", &text);
        assert_eq!(diagnostics, [], "{text}");
        assert!(again == ir::canonical(&module), "{text}");
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{source}");
}

#[test]
fn random_bytes() {
    let mut rng = Rng::with_seed(1);
    for _ in 0..500 {
        let bytes: Vec<u8> = (0..rng.usize(..400)).map(|_| rng.u8(..)).collect();
        survive(&String::from_utf8_lossy(&bytes));
        let printable: String = (0..rng.usize(..400)).map(|_| rng.u8(32..127) as char).collect();
        survive(&printable);
    }
}

/// Tokens in any order get further than bytes do.
#[test]
fn random_tokens() {
    const TOKENS: &str = "sort record variant const function axiom var ghost invariant proc file \
        requires ensures modifies decreases free returns { } ( ) [ ] < > <= == != ==> <==> && || \
        + ++ - * ! ? : := :: ; , . | @ # ' % %1 \" ` / /* // a b x T 0 1 5bv8 0xffbv8 null null:T \
        true old all some lambda if then else is with div mod seq const as volatile goto branch \
        exit cut assert assume havoc where because call catch new alloc may fail heap unsupported \
        writes exceptional intended nothing loop int bool bv8 ptr bytes extract zext len union";
    let tokens: Vec<&str> = TOKENS.split_whitespace().collect();
    let mut rng = Rng::with_seed(2);
    for _ in 0..3_000 {
        let mut source = String::from("sort T; var x: int; proc p() { entry: ");
        for _ in 0..rng.usize(..60) {
            source.push_str(tokens[rng.usize(..tokens.len())]);
            source.push_str(if rng.u8(..8) == 0 { "\n" } else { " " });
        }
        survive(&source);
    }
}

/// Valid texts with a few changes get further still.
#[test]
fn changed_texts() {
    let mut rng = Rng::with_seed(3);
    for seed in 0..400 {
        let module = module(seed, &Shape::everything());
        let text = if rng.bool() { ir::print(&module) } else { ir::print_brief(&module) };
        let mut characters: Vec<char> = text.chars().collect();
        for _ in 0..rng.usize(1..4) {
            if characters.is_empty() {
                break;
            }
            let (from, to) = (rng.usize(..characters.len()), rng.usize(..characters.len()));
            let length = rng.usize(1..20);
            let end = |start: usize| (start + length).min(characters.len());
            match rng.u8(..4) {
                0 => {
                    characters.drain(from..end(from));
                }
                1 => {
                    let copied = characters[from..end(from)].to_vec();
                    characters.splice(to..to, copied);
                }
                2 => characters[from] = rng.char(' '..'~'),
                _ => characters.swap(from, to),
            }
        }
        survive(&characters.into_iter().collect::<String>());
    }
}

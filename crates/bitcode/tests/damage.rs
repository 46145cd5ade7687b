//! Damaged files: whatever happens to the bytes, decoding and printing return.
//!
//! Fixtures are damaged in thousands of ways drawn from a fixed seed. A panic fails the test; so
//! does a case that takes longer than any honest file of that size could.

use std::fs;
use std::time::{Duration, Instant};

const ROUNDS: u64 = 1500;
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn damaged_files_never_panic() {
    let files: Vec<Vec<u8>> = fixtures();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut decoded, mut refused) = (0, 0);
    for round in 0..ROUNDS {
        for index in 0..files.len() {
            let bytes = damage(&files, index, &mut random);
            let start = Instant::now();
            match bitcode::decode_all(&bytes) {
                Ok(modules) => {
                    decoded += 1;
                    for module in &modules {
                        use_everything(module);
                        if round % 16 == 0 {
                            assert!(!module.to_string().is_empty());
                        }
                    }
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
            assert!(start.elapsed() < PATIENCE, "file {index} of round {round} took too long");
        }
    }
    // Both outcomes must be common, or the damage is too mild or too heavy to test anything.
    assert!(decoded > 500 && refused > 500, "{decoded} decoded, {refused} refused");
}

#[test]
fn every_truncation_is_refused() {
    for file in fixtures() {
        for length in (0..file.len() - 4).step_by(97) {
            assert!(bitcode::decode(&file[..length]).is_err());
        }
    }
}

#[test]
fn foreign_files_are_not_bitcode() {
    for bytes in [&b""[..], b"BC", b"\x7fELF\x02\x01\x01\0", b"int main(void) { return 0; }"] {
        assert_eq!(bitcode::decode(bytes), Err(bitcode::Error::NotBitcode));
    }
    assert!(bitcode::decode(b"BC\xc0\xde").is_err());
}

fn fixtures() -> Vec<Vec<u8>> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/inputs");
    let entries = fs::read_dir(directory).expect("the fixtures");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "bc"));
    paths.sort();
    assert!(!paths.is_empty());
    paths.iter().map(|path| fs::read(path).expect("a fixture")).collect()
}

/// Touch what a consumer would, so that a dangling number shows.
fn use_everything(module: &bitcode::Module) {
    for function in &module.functions {
        function.subprogram(module);
        for (_, record) in function.variable_records(module) {
            let variable = module.metadata.local_variable(record.variable);
            variable.and_then(|variable| module.metadata.unqualified(variable.ty?));
        }
        for instruction in &function.instructions {
            module.size_of(instruction.ty);
            if let Some(scope) = instruction.location.and_then(|location| location.scope) {
                module.metadata.file_of(scope);
                module.metadata.subprogram_of(scope);
            }
            for block in instruction.kind.successors() {
                function.block(block);
            }
        }
    }
    for ty in &module.types {
        ty.as_struct().map(|body| module.field_offsets(body));
    }
}

fn damage(files: &[Vec<u8>], index: usize, random: &mut Random) -> Vec<u8> {
    let mut bytes = files[index].clone();
    match random.below(8) {
        0..=3 => {
            for _ in 0..=random.below(6) {
                let bit = random.below(bytes.len() * 8);
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
        4 => {
            let length = random.below(bytes.len());
            bytes.truncate(length);
        }
        5 => {
            // Whole words, so that block lengths and aligned fields become extreme.
            let word = random.below(bytes.len() / 4) * 4;
            let value = [0, 1, 0xffff_ffff, 0x7fff_ffff, random.next() as u32][random.below(5)];
            bytes[word..word + 4].copy_from_slice(&value.to_le_bytes());
        }
        6 => {
            let other = &files[random.below(files.len())];
            let length = random.below(256).min(other.len()).min(bytes.len());
            let (from, to) =
                (random.below(other.len() - length + 1), random.below(bytes.len() - length + 1));
            bytes[to..to + length].copy_from_slice(&other[from..from + length]);
        }
        _ => {
            let start = random.below(bytes.len());
            let end = (start + random.below(64)).min(bytes.len());
            bytes.drain(start..end);
        }
    }
    bytes
}

/// A small generator of pseudo-random numbers (xorshift), so that every run is the same.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

//! Damaged bitcode that still decodes is lowered without a panic, and what comes out is valid.

use crate::fixture::{Text, path};

/// A small generator of numbers (SplitMix64), so that the damage is the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

fn damage(name: &str, rounds: u64) -> usize {
    let bytes = std::fs::read(path(&format!("{name}.bc"))).expect("the fixture exists");
    let mut lowered = 0;
    for round in 0..rounds {
        let mut random = Random(round);
        let mut damaged = bytes.clone();
        for _ in 0..=random.next() % 4 {
            let at = random.next() as usize % damaged.len();
            damaged[at] ^= 1 << (random.next() % 8);
        }
        let Ok(module) = bitcode::decode(&damaged) else { continue };
        let (module, _) = c::lower(&module, &Text(String::new()));
        let violations = ir::validate(&module);
        assert!(violations.is_empty(), "{name}, round {round}: {:?}", violations.first());
        lowered += 1;
    }
    lowered
}

#[test]
fn damaged_files_are_lowered() {
    let mut lowered = 0;
    for name in ["arithmetic", "control", "memory", "faults", "golden", "unmodelled"] {
        lowered += damage(name, 300);
    }
    assert!(lowered > 100, "{lowered} damaged files still decoded");
}

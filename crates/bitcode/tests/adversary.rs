//! Files written by hand to do harm: cycles, enormous counts, shared parts that multiply.
//!
//! Each is a bitstream that LLVM would not write but that is well formed as such.

use bitcode::{Error, Module, decode};

const MODULE: u64 = 8;
const CONSTANTS: u64 = 11;
const FUNCTION: u64 = 12;
const IDENTIFICATION: u64 = 13;
const TYPES: u64 = 17;
const STRTAB: u64 = 23;

/// Just enough of a bitstream writer.
#[derive(Default)]
struct Writer {
    bits: Vec<bool>,
}

impl Writer {
    fn fixed(&mut self, value: u64, width: u32) {
        self.bits.extend((0..width).map(|bit| value >> bit & 1 == 1));
    }

    fn vbr(&mut self, mut value: u64, width: u32) {
        let more = 1 << (width - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, width);
            value >>= width - 1;
        }
        self.fixed(value, width);
    }

    fn align(&mut self) {
        self.bits.resize(self.bits.len().next_multiple_of(32), false);
    }

    /// A block whose content is written with abbreviation ids of four bits, inside one of `outer`.
    fn block(&mut self, outer: u32, id: u64, content: impl FnOnce(&mut Writer)) {
        self.fixed(1, outer);
        self.vbr(id, 8);
        self.vbr(4, 4);
        self.align();
        let mut inner = Writer::default();
        content(&mut inner);
        inner.fixed(0, 4);
        inner.align();
        self.fixed(inner.bits.len() as u64 / 32, 32);
        self.bits.extend(inner.bits);
    }

    fn record(&mut self, code: u64, operands: &[u64]) {
        self.fixed(3, 4);
        self.vbr(code, 6);
        self.vbr(operands.len() as u64, 6);
        for &operand in operands {
            self.vbr(operand, 6);
        }
    }
}

/// A file with one module of the given content, and a string table.
fn file(strings: &str, content: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.fixed(0xdec0_4342, 32);
    writer.block(2, IDENTIFICATION, |w| {
        w.record(1, &"adversary".bytes().map(u64::from).collect::<Vec<_>>());
    });
    writer.block(2, MODULE, |w| {
        w.record(1, &[2]);
        content(w);
    });
    writer.block(2, STRTAB, |w| {
        // An abbreviation: the literal code 1, then a blob.
        w.fixed(2, 4);
        w.vbr(2, 5);
        w.fixed(1, 1);
        w.vbr(1, 8);
        w.fixed(0, 1);
        w.fixed(5, 3);
        w.fixed(4, 4);
        w.vbr(strings.len() as u64, 6);
        w.align();
        strings.bytes().for_each(|byte| w.fixed(u64::from(byte), 8));
        w.align();
    });
    writer
        .bits
        .chunks(8)
        .map(|byte| byte.iter().rev().fold(0, |sum, &bit| sum << 1 | u8::from(bit)))
        .collect()
}

fn read(content: impl FnOnce(&mut Writer)) -> Result<Module, Error> {
    decode(&file("name", content))
}

fn refused(result: Result<Module, Error>, words: &str) {
    let message = result.expect_err("a refusal").to_string();
    assert!(message.contains(words), "{message}");
}

#[test]
fn an_empty_module_is_fine() {
    let module = read(|_| {}).expect("a module");
    assert_eq!(module.producer, "adversary");
    assert!(module.functions.is_empty());
}

#[test]
fn types_in_themselves() {
    refused(read(|w| w.block(4, TYPES, |w| w.record(18, &[0, 0]))), "contain themselves");
    refused(read(|w| w.block(4, TYPES, |w| w.record(11, &[2, 0]))), "contain themselves");
    refused(read(|w| w.block(4, TYPES, |w| w.record(21, &[0, 0, 0]))), "contain themselves");
    refused(read(|w| w.block(4, TYPES, |w| w.record(18, &[0, 7]))), "does not exist");
}

#[test]
fn types_nested_without_end() {
    let deep = |depth: u64| {
        read(|w| {
            w.block(4, TYPES, |w| {
                w.record(7, &[32]);
                (0..depth).for_each(|element| w.record(18, &[0, element, element]));
            });
        })
    };
    refused(deep(100_000), "too deeply");
    // Shallow enough to be read, but each level doubles the text and the size.
    let module = deep(500).expect("a module");
    assert!(module.size_of(bitcode::TypeId(500)) > 1 << 60);
    assert!(module.to_string().len() < 100_000_000);
}

#[test]
fn constants_in_themselves() {
    let types = |w: &mut Writer| {
        w.block(4, TYPES, |w| {
            w.record(7, &[32]);
            w.record(11, &[1, 0]);
        });
    };
    refused(
        read(|w| {
            types(w);
            w.block(4, CONSTANTS, |w| {
                w.record(1, &[1]);
                w.record(7, &[0]);
            });
        }),
        "use themselves",
    );
    refused(
        read(|w| {
            types(w);
            w.record(14, &[0, 4, 0, 0, 0, 0]);
        }),
        "use themselves",
    );
}

#[test]
fn constants_that_multiply() {
    let module = read(|w| {
        w.block(4, TYPES, |w| {
            w.record(7, &[32]);
            w.record(18, &[0, 0, 0]);
        });
        // A global whose initial value is the last constant, number 1 + 60.
        w.record(7, &[0, 4, 1, 2, 62, 0, 0, 0]);
        w.block(4, CONSTANTS, |w| {
            w.record(4, &[2]);
            w.record(1, &[1]);
            (1..=60).for_each(|last| w.record(7, &[last, last]));
        });
    })
    .expect("a module");
    assert!(module.to_string().len() < 100_000_000);
}

#[test]
fn names_that_multiply() {
    let bytes = file(&"x".repeat(10_000), |w| {
        w.block(4, TYPES, |w| w.record(7, &[32]));
        (0..1000).for_each(|_| w.record(7, &[0, 10_000, 0, 2, 0, 0, 0, 0]));
    });
    refused(decode(&bytes), "names that overlap");
}

#[test]
fn parameters_that_multiply() {
    let result = read(|w| {
        w.block(4, TYPES, |w| {
            w.record(7, &[32]);
            w.record(21, &[vec![0, 0], vec![0; 5000]].concat());
        });
        (0..5000).for_each(|_| w.record(8, &[0, 0, 1, 0, 1, 0, 0, 0, 0, 0]));
    });
    refused(result, "too many parameters");
}

fn body(content: impl FnOnce(&mut Writer)) -> Result<Module, Error> {
    read(|w| {
        w.block(4, TYPES, |w| {
            w.record(2, &[]);
            w.record(7, &[32]);
            w.record(21, &[0, 0]);
        });
        w.record(8, &[0, 4, 2, 0, 0, 0, 0, 0, 0, 0]);
        w.block(4, FUNCTION, content);
    })
}

#[test]
fn bodies() {
    let module = body(|w| {
        w.record(1, &[1]);
        w.record(10, &[]);
    });
    assert_eq!(module.expect("a module").functions[0].instructions.len(), 1);
    refused(body(|w| w.record(1, &[u64::from(u32::MAX)])), "number of blocks");
    refused(body(|w| w.record(10, &[])), "outside all blocks");
    refused(body(|w| w.record(1, &[1])), "ends within a block");
    refused(
        body(|w| {
            w.record(1, &[1]);
            w.record(11, &[5]);
        }),
        "block that does not exist",
    );
    // `add` of two values that lie five ahead, where there is none.
    let ahead = 0x1_0000_0000 - 5;
    let dangling = body(|w| {
        w.record(1, &[1]);
        w.record(2, &[ahead, 1, ahead, 0]);
        w.record(10, &[]);
    });
    refused(dangling, "value");
}

#[test]
fn unknown_records_name_their_producer() {
    let result = body(|w| {
        w.record(1, &[1]);
        w.record(99, &[]);
    });
    refused(result, "unsupported record 99 in a function block");
    refused(read(|w| w.record(1, &[1])), "adversary");
}

#[test]
fn abbreviations_that_multiply() {
    let result = read(|w| {
        w.fixed(2, 4);
        w.vbr(1_000_000, 5);
        (0..2000).for_each(|_| w.fixed(1, 9));
    });
    refused(result, "too many operands");
}

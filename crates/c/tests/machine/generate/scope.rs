//! What can be named at a place, and the integer types of C.

use super::Writer;

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Scalar {
    /// How C writes it.
    pub(super) name: &'static str,
    pub(super) bits: u32,
    /// Whether it can be the type of a bit-field.
    pub(super) packs: bool,
}

const fn scalar(name: &'static str, bits: u32, packs: bool) -> Scalar {
    Scalar { name, bits, packs }
}

pub(super) const SCALARS: [Scalar; 14] = [
    scalar("_Bool", 1, true),
    scalar("char", 8, false),
    scalar("signed char", 8, true),
    scalar("unsigned char", 8, true),
    scalar("short", 16, true),
    scalar("unsigned short", 16, true),
    scalar("int", 32, true),
    scalar("int", 32, true),
    scalar("unsigned", 32, true),
    scalar("unsigned", 32, true),
    scalar("long", 64, true),
    scalar("unsigned long", 64, true),
    scalar("long long", 64, true),
    scalar("enum e", 32, false),
];

/// An array of as many elements as a power of two.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) name: String,
    pub(super) of: Scalar,
    pub(super) count: u32,
}

/// What can be named.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    /// Integers that can be assigned to.
    pub(super) scalars: Vec<String>,
    pub(super) arrays: Vec<Array>,
    /// Structures and unions, as an expression, with their number.
    pub(super) records: Vec<(String, usize)>,
}

impl Writer {
    pub(super) fn scalar(&mut self) -> Scalar {
        self.pick(&SCALARS)
    }

    /// Declares the global variables, and how they are set and looked at.
    pub(super) fn declare_globals(&mut self) {
        let mut reset = String::new();
        let mut digest = String::new();
        for number in 0..4 {
            let (ty, start) = (self.scalar(), self.rng.u32(..100));
            let name = format!("g{number}");
            self.text += &format!("static {} {name} = {start};\n", ty.name);
            reset += &format!("  {name} = {start};\n");
            digest += &format!("  h = h * 31 + (unsigned long){name};\n");
            self.globals.scalars.push(name);
        }
        for number in 0..2 {
            let (of, count, start) = (self.scalar(), 4 << number, self.rng.u32(..100));
            let name = format!("a{number}");
            self.text += &format!("{} {name}[{count}] = {{ {start}, 1, 2 }};\n", of.name);
            reset += &format!("  for (int i = 0; i < {count}; i++) {name}[i] = {start} + i;\n");
            digest += &format!(
                "  for (int i = 0; i < {count}; i++) h = h * 31 + (unsigned long){name}[i];\n"
            );
            self.globals.arrays.push(Array { name, of, count });
        }
        for number in 0..self.records.len() {
            let name = format!("r{number}");
            self.text += &format!("static {} {name};\n", self.records[number].name);
            let start = self.rng.u64(..);
            reset +=
                &format!("  {name} = make_{number}({start}UL, {}UL);\n", start.rotate_left(17));
            digest += &format!("  h = h * 31 + fold_{number}({name});\n");
            self.globals.records.push((name, number));
        }
        self.text += &format!("static void reset(void)\n{{\n{reset}}}\n");
        self.text += "static unsigned long digest(void)\n{\n  unsigned long h = 1;\n";
        self.text += &format!("{digest}  return h;\n}}\n");
    }
}

//! Expressions that are integers, whatever the values of their parts.

use super::scope::Scalar;
use super::{CALLBACKS, Feature, Writer};

/// Types whose sums and differences fit into an `int`.
const SMALL: [&str; 6] =
    ["signed char", "unsigned char", "short", "unsigned short", "char", "_Bool"];

impl Writer {
    /// An integer of some type.
    pub(super) fn value(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.leaf();
        }
        match self.rng.u32(..100) {
            0..=13 => format!("({})", self.place(depth)),
            14..=33 => self.arithmetic(depth),
            34..=41 => self.bitwise(depth),
            42..=49 => self.shift(depth),
            50..=54 => self.division(depth),
            55..=61 => self.comparison(depth),
            62..=67 => self.cast(depth),
            68..=72 => self.ternary(depth),
            73..=76 => self.short_circuit(depth),
            77..=79 => self.negation(depth),
            80..=83 => self.builtin(depth),
            84 => {
                self.uses(Feature::Comma);
                format!("((void)({}), {})", self.value(0), self.value(depth - 1))
            }
            85..=88 => self.wide(depth),
            89..=92 => self.pointer_call(depth),
            _ => self.call(depth),
        }
    }

    fn leaf(&mut self) -> String {
        match self.rng.u32(..8) {
            0 => format!("({})", self.rng.i32(-100..100)),
            1 => format!("{:#x}u", self.rng.u32(..)),
            2 => format!("({}L)", self.rng.i64(i64::MIN + 1..)),
            3 => {
                self.uses(Feature::Enumeration);
                self.pick(&["low", "zero", "one", "ten", "eleven", "high"]).to_owned()
            }
            4 => {
                self.uses(Feature::Literal);
                let text = self.pick(&["\"a\\0b\"", "\"\\xff\\n~\"", "\"xyz\""]);
                format!("{text}[{}]", self.rng.u32(..4))
            }
            _ => format!("({})", self.variable()),
        }
    }

    /// An integer variable.
    fn variable(&mut self) -> String {
        let is_global = self.scope.scalars.is_empty() || self.chance(25);
        if is_global && self.globals.scalars.is_empty() {
            return "5".to_owned();
        }
        if is_global {
            self.uses(Feature::Global);
        }
        let from = if is_global { &self.globals } else { &self.scope };
        from.scalars[self.rng.usize(..from.scalars.len())].clone()
    }

    /// Something that can be assigned to.
    pub(super) fn place(&mut self, depth: u32) -> String {
        let is_global = self.chance(30);
        let from = if is_global { &self.globals } else { &self.scope };
        let (arrays, records) = (from.arrays.len(), from.records.len());
        match self.rng.u32(..4) {
            0 if arrays > 0 => {
                let array = from.arrays[self.rng.usize(..arrays)].clone();
                self.uses(Feature::Array);
                let index = self.value(depth.saturating_sub(1).min(1));
                format!("{}[({index}) & {}]", array.name, array.count - 1)
            }
            1 | 2 if records > 0 => {
                let (whole, number) = from.records[self.rng.usize(..records)].clone();
                self.field_of(&whole, number, depth.min(2))
            }
            _ => self.variable(),
        }
    }

    fn pair(&mut self, depth: u32) -> (String, String) {
        (self.value(depth - 1), self.value(depth - 1))
    }

    fn arithmetic(&mut self, depth: u32) -> String {
        let (a, b) = self.pair(depth);
        let op = self.pick(&["+", "-", "*"]);
        match self.rng.u32(..4) {
            0 => {
                self.uses(Feature::Promotion);
                let (left, mut right) = (self.pick(&SMALL), self.pick(&SMALL));
                if op == "*" {
                    right = "signed char";
                }
                format!("(({left})({a}) {op} ({right})({b}))")
            }
            1 if self.wraps => {
                self.uses(Feature::Promotion);
                format!("({a} {op} {b})")
            }
            1 | 2 => {
                self.uses(Feature::Signed);
                match (self.wraps, self.rng.bool()) {
                    (true, true) => format!("((int)({a}) {op} (int)({b}))"),
                    (true, false) => format!("((long)({a}) {op} (long)({b}))"),
                    (false, true) => format!("((int)(short)({a}) {op} (short)({b}))"),
                    (false, false) => format!("((long)(int)({a}) {op} (int)({b}))"),
                }
            }
            _ => {
                self.uses(Feature::Unsigned);
                let ty = self.pick(&["unsigned", "unsigned long"]);
                format!("(({ty})({a}) {op} ({ty})({b}))")
            }
        }
    }

    fn bitwise(&mut self, depth: u32) -> String {
        self.uses(Feature::Bitwise);
        let (a, b) = self.pair(depth);
        match self.rng.u32(..4) {
            0 => format!("(~({a}))"),
            _ => format!("({a} {} {b})", self.pick(&["&", "|", "^"])),
        }
    }

    fn shift(&mut self, depth: u32) -> String {
        self.uses(Feature::Shift);
        let (a, b) = self.pair(depth);
        let (ty, op, most) = self.pick(&[
            ("unsigned", "<<", 31),
            ("unsigned long", "<<", 63),
            ("unsigned", ">>", 31),
            ("unsigned long", ">>", 63),
            ("int", ">>", 31),
            ("long", ">>", 63),
            ("short", ">>", 31),
            ("unsigned char", "<<", 22),
        ]);
        format!("(({ty})({a}) {op} (({b}) & {most}))")
    }

    fn division(&mut self, depth: u32) -> String {
        self.uses(Feature::Division);
        let (a, b) = self.pair(depth);
        let op = self.pick(&["/", "%"]);
        match self.rng.u32(..3) {
            0 => format!("({a} {op} ((({b}) & 15) + 1))"),
            1 => format!("((int)({a}) {op} (-(int)(({b}) & 7) - 2))"),
            _ => format!("((unsigned long)({a}) {op} ((unsigned long)({b}) | 1))"),
        }
    }

    fn comparison(&mut self, depth: u32) -> String {
        self.uses(Feature::Comparison);
        let (a, b) = self.pair(depth);
        let op = self.pick(&["==", "!=", "<", ">", "<=", ">="]);
        if self.chance(50) {
            let (left, right) = (self.scalar(), self.scalar());
            return format!("(({})({a}) {op} ({})({b}))", left.name, right.name);
        }
        format!("({a} {op} {b})")
    }

    fn cast(&mut self, depth: u32) -> String {
        self.uses(Feature::Conversion);
        let Scalar { name, .. } = self.scalar();
        format!("(({name})({}))", self.value(depth - 1))
    }

    fn ternary(&mut self, depth: u32) -> String {
        self.uses(Feature::Ternary);
        let (a, b) = self.pair(depth);
        format!("({} ? {a} : {b})", self.value(depth - 1))
    }

    fn short_circuit(&mut self, depth: u32) -> String {
        self.uses(Feature::ShortCircuit);
        let (a, b) = self.pair(depth);
        match self.rng.u32(..3) {
            0 => format!("({a} && {b})"),
            1 => format!("({a} || {b})"),
            _ => format!("(!({a}) || {b} && {a})"),
        }
    }

    fn negation(&mut self, depth: u32) -> String {
        self.uses(Feature::Negation);
        let a = self.value(depth - 1);
        match self.rng.u32(..4) {
            0 => format!("(!({a}))"),
            1 if self.wraps => format!("(-({a}))"),
            1 => format!("(-(unsigned)({a}))"),
            2 => format!("(-(long)(int)({a}))"),
            _ => format!("(-(unsigned long)({a}))"),
        }
    }

    fn builtin(&mut self, depth: u32) -> String {
        self.uses(Feature::Builtin);
        let (a, b) = self.pair(depth);
        match self.rng.u32(..10) {
            0 => format!("__builtin_popcountl({a})"),
            1 => format!("__builtin_clz((unsigned)({a}) | 1)"),
            2 => format!("__builtin_ctzl((unsigned long)({a}) | 1UL << 40)"),
            3 => format!("__builtin_bswap32({a})"),
            4 => format!("__builtin_bswap64({a})"),
            5 => format!("__builtin_bswap16({a})"),
            6 => format!("__builtin_parity({a})"),
            7 => format!("__builtin_ffs({a})"),
            _ => {
                self.uses(Feature::Overflow);
                let op = self.pick(&["add", "sub", "mul"]);
                let ty = self.pick(&["int", "unsigned", "long", "unsigned long", "short"]);
                let result = format!("&({ty}){{0}}");
                format!("__builtin_{op}_overflow(({ty})({a}), ({ty})({b}), {result})")
            }
        }
    }

    fn wide(&mut self, depth: u32) -> String {
        self.uses(Feature::Wide);
        let (a, b) = self.pair(depth);
        let shift = self.rng.u32(1..100);
        match self.rng.u32(..4) {
            0 => format!("((unsigned long)(((unsigned __int128)({a}) * ({b})) >> {shift}))"),
            1 => format!("((long)(((__int128)(long)({a}) * (long)({b})) >> {shift}))"),
            2 => format!("((long)(((__int128)(long)({a}) - (long)({b})) / {shift}))"),
            _ => format!("((unsigned __int128)({a}) << {shift} < (unsigned __int128)({b}))"),
        }
    }

    /// A call through a pointer.
    fn pointer_call(&mut self, depth: u32) -> String {
        if !self.calls {
            return self.leaf();
        }
        self.uses(Feature::FunctionPointer);
        let (a, b) = self.pair(depth.min(2));
        let choice = self.value(0);
        match self.rng.u32(..3) {
            0 => {
                let (one, other) = (self.rng.usize(..CALLBACKS), self.rng.usize(..CALLBACKS));
                format!("(({choice}) ? c{one} : &c{other})({a}, {b})")
            }
            _ => format!("table[({choice}) & {}]({a}, {b})", CALLBACKS - 1),
        }
    }
}

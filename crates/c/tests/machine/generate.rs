//! Random C without undefined behaviour: files of functions from two words to one.
//!
//! Where C leaves something undefined, what is written keeps away from it: indices, shifts and
//! divisors are masked, every variable is set, signed operands are narrowed so that nothing overflows
//! (unless the file is compiled so that signed arithmetic wraps), calls and loops have small bounds.
//! The order in which operands are evaluated is left to the compiler, which is the same on both sides.

mod expression;
mod function;
mod records;
mod scope;
mod statement;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use fastrand::Rng;

use function::Signature;
use records::Record;
use scope::Scope;

macro_rules! features {
    ($($name:ident),* $(,)?) => {
        /// What a function makes use of.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Feature { $($name),* }

        /// All of them.
        pub const FEATURES: &[Feature] = &[$(Feature::$name),*];
    };
}

features!(
    Promotion,
    Signed,
    Unsigned,
    Wide,
    Bitwise,
    Shift,
    Division,
    Comparison,
    Negation,
    Conversion,
    Ternary,
    ShortCircuit,
    Comma,
    Builtin,
    Overflow,
    Global,
    Enumeration,
    Literal,
    Compound,
    Increment,
    AssignmentValue,
    BitField,
    Union,
    Array,
    StructCopy,
    StructParameter,
    StructResult,
    PointerParameter,
    PointerArithmetic,
    PointerToPointer,
    BytesOfObject,
    CompoundLiteral,
    Call,
    NestedCall,
    Recursion,
    FunctionPointer,
    Callback,
    If,
    For,
    While,
    DoWhile,
    BreakContinue,
    Switch,
    Goto,
    ComputedGoto,
    LocalTable,
    VariableLength,
);

/// The words that each function is called with.
pub const VECTORS: [(u64, u64); 5] = [
    (0, 0),
    (1, u64::MAX),
    (0x8000_0000_0000_0000, 0x7fff_ffff_8000_0001),
    (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210),
    (0xffff_ff80_0000_8003, 42),
];

/// A file.
pub struct Unit {
    /// What it was made from.
    pub seed: u64,
    /// Whether signed arithmetic wraps in it.
    pub wraps: bool,
    /// Its functions, those that are called by others first.
    pub functions: Vec<Function>,
    text: String,
}

/// A function of a file.
pub struct Function {
    /// The function from two words to one that calls it.
    pub entry: String,
    /// What it makes use of, not counting what it calls.
    pub features: BTreeSet<Feature>,
}

impl Unit {
    /// The file of a seed, with `functions` functions besides those that they call.
    pub fn generate(seed: u64, functions: usize) -> Unit {
        let mut writer = Writer::new(seed);
        writer.declare();
        let mut all = Vec::new();
        for number in 0..HELPERS {
            all.push(writer.helper(number));
        }
        for number in 0..functions {
            all.push(writer.function(&format!("f{number}"), true).0);
        }
        Unit { seed, wraps: writer.wraps, functions: all, text: writer.text }
    }

    /// The file with a `main` that prints what each function returns for the words, a line each.
    pub fn program(&self) -> String {
        let mut text = self.text.clone();
        text += "int printf(const char *, ...);\nint main(void)\n{\n";
        text += "  static unsigned long (*const all[])(unsigned long, unsigned long) = {\n";
        for function in &self.functions {
            let _ = writeln!(text, "    {},", function.entry);
        }
        text += "  };\n  static const unsigned long words[][2] = {\n";
        for (a, b) in VECTORS {
            let _ = writeln!(text, "    {{ {a}UL, {b}UL }},");
        }
        text += "  };\n  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)\n";
        text += "    for (unsigned j = 0; j < sizeof words / sizeof *words; j++)\n";
        text += "      printf(\"%lu\\n\", all[i](words[j][0], words[j][1]));\n  return 0;\n}\n";
        text
    }
}

/// How many functions of a file are called by others.
const HELPERS: usize = 10;

/// How many functions a pointer chooses from.
const CALLBACKS: usize = 4;

/// A file on its way.
struct Writer {
    rng: Rng,
    wraps: bool,
    text: String,
    records: Vec<Record>,
    /// The global variables.
    globals: Scope,
    /// What can be named where the function under way is.
    scope: Scope,
    /// What can be called.
    helpers: Vec<Signature>,
    features: BTreeSet<Feature>,
    /// The number of names so far.
    names: u32,
    /// Whether the function under way may call others.
    calls: bool,
    /// Whether `break` and `continue` are within a loop.
    in_loop: bool,
}

impl Writer {
    fn new(seed: u64) -> Writer {
        Writer {
            rng: Rng::with_seed(seed),
            wraps: seed % 2 == 1,
            text: String::new(),
            records: Vec::new(),
            globals: Scope::default(),
            scope: Scope::default(),
            helpers: Vec::new(),
            features: BTreeSet::new(),
            names: 0,
            calls: false,
            in_loop: false,
        }
    }

    fn uses(&mut self, feature: Feature) {
        self.features.insert(feature);
    }

    fn name(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.rng.usize(..from.len())]
    }

    /// True in `percent` of a hundred cases.
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(..100) < percent
    }

    /// Types, global variables, and the functions that pointers choose from.
    fn declare(&mut self) {
        self.text += "enum e { low = -7, zero = 0, one, ten = 10, eleven, high = 1000 };\n";
        self.declare_records();
        self.declare_globals();
        for number in 0..CALLBACKS {
            self.scope = Scope::default();
            self.scope.scalars = vec!["x".to_owned(), "y".to_owned()];
            let value = self.value(3);
            let _ = writeln!(
                self.text,
                "static int c{number}(int x, unsigned y) {{ return {value}; }}"
            );
        }
        let names: Vec<String> = (0..CALLBACKS).map(|number| format!("c{number}")).collect();
        let table = "static int (*const table[])(int, unsigned)";
        let _ = writeln!(self.text, "{table} = {{ {} }};", names.join(", "));
    }
}

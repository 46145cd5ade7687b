//! Functions, and calls of them.

use super::scope::{Array, Scalar, Scope};
use super::{CALLBACKS, Feature, Function, HELPERS, Writer};

/// How a function is called.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    name: String,
    parameters: Vec<Kind>,
    result: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Plain(Scalar),
    /// How often a function may still call itself.
    Depth,
    Record(usize),
    RecordPointer(usize),
    /// A pointer to four elements.
    Elements(Scalar),
    Callback,
}

impl Writer {
    fn kind(&mut self) -> Kind {
        match self.rng.u32(..10) {
            0 | 1 => Kind::Record(self.rng.usize(..self.records.len())),
            2 => Kind::RecordPointer(self.rng.usize(..self.records.len())),
            3 => Kind::Elements(self.scalar()),
            4 => Kind::Callback,
            _ => Kind::Plain(self.scalar()),
        }
    }

    /// A declaration of something of this kind.
    fn declared(&self, kind: Kind, name: &str) -> String {
        match kind {
            Kind::Plain(ty) => format!("{} {name}", ty.name),
            Kind::Depth => format!("unsigned {name}"),
            Kind::Record(number) => format!("{} {name}", self.records[number].name),
            Kind::RecordPointer(number) => format!("{} *{name}", self.records[number].name),
            Kind::Elements(ty) => format!("{} *{name}", ty.name),
            Kind::Callback => format!("int (*{name})(int, unsigned)"),
        }
    }

    /// A function that others call; it calls none but itself.
    pub(super) fn helper(&mut self, number: usize) -> Function {
        let (function, signature) = self.function(&format!("h{number}"), false);
        self.helpers.push(signature);
        function
    }

    /// A function, and the function of two words that calls it.
    pub(super) fn function(&mut self, name: &str, calls: bool) -> (Function, Signature) {
        self.features.clear();
        self.calls = calls;
        self.in_loop = false;
        let is_recursive = self.chance(15);
        let mut parameters = Vec::new();
        if is_recursive {
            self.uses(Feature::Recursion);
            parameters.push(Kind::Depth);
        }
        for _ in 0..self.rng.u32(1..5) {
            let kind = self.kind();
            parameters.push(kind);
        }
        let result = match self.rng.u32(..5) {
            0 => Kind::Record(self.rng.usize(..self.records.len())),
            _ => Kind::Plain(self.scalar()),
        };
        let signature = Signature { name: name.to_owned(), parameters, result };
        let text = self.definition(&signature, is_recursive);
        self.text += &text;
        let entry = self.entry(&signature);
        self.text += &entry;
        let features = std::mem::take(&mut self.features);
        (Function { entry: format!("run_{name}"), features }, signature)
    }

    fn definition(&mut self, signature: &Signature, is_recursive: bool) -> String {
        self.scope = Scope::default();
        let mut declared = Vec::new();
        let mut callback = None;
        for (position, kind) in signature.parameters.iter().enumerate() {
            let name = format!("p{position}");
            declared.push(self.declared(*kind, &name));
            match *kind {
                Kind::Plain(_) => self.scope.scalars.push(name),
                Kind::Depth => {}
                Kind::Record(number) => {
                    self.uses(Feature::StructParameter);
                    self.scope.records.push((name, number));
                }
                Kind::RecordPointer(number) => {
                    self.uses(Feature::PointerParameter);
                    self.scope.records.push((format!("(*{name})"), number));
                }
                Kind::Elements(of) => {
                    self.uses(Feature::PointerParameter);
                    self.scope.arrays.push(Array { name, of, count: 4 });
                }
                Kind::Callback => callback = Some(name),
            }
        }
        let head = format!("{}({})", signature.name, declared.join(", "));
        let mut text = format!("static {}\n{{\n", self.declared(signature.result, &head));
        text += &self.locals();
        if let Some(callback) = callback.filter(|_| self.calls) {
            self.uses(Feature::Callback);
            let (a, b) = (self.value(1), self.value(1));
            text += &format!("  g0 = {callback}({a}, {b});\n");
        }
        for _ in 0..self.rng.u32(1..5) {
            text += &self.statement(2);
        }
        if is_recursive {
            let call = self.call_of(signature, 1, "p0 - 1");
            text += &match signature.result {
                Kind::Record(_) => format!("  if (p0) return {call};\n"),
                _ => format!("  if (p0) return {call} ^ {};\n", self.value(1)),
            };
        }
        let result = match signature.result {
            Kind::Record(number) => {
                self.uses(Feature::StructResult);
                self.record(number, 1)
            }
            _ => self.value(3),
        };
        text + &format!("  return {result};\n}}\n")
    }

    /// The function of two words.
    fn entry(&mut self, signature: &Signature) -> String {
        let mut text = format!("unsigned long run_{}", signature.name);
        text += "(unsigned long a, unsigned long b)\n{\n  reset();\n";
        let mut arguments = Vec::new();
        let mut after = String::new();
        for (position, kind) in signature.parameters.iter().enumerate() {
            let (word, other) = if position % 2 == 0 { ("a", "b") } else { ("b", "a") };
            let shift = position * 5;
            arguments.push(match *kind {
                Kind::Plain(ty) => format!("({})({word} >> {shift})", ty.name),
                Kind::Depth => format!("{word} & 7"),
                Kind::Record(number) => format!("make_{number}({word}, {other})"),
                Kind::RecordPointer(number) => {
                    let ty = &self.records[number].name;
                    text += &format!("  {ty} v{position} = make_{number}({word}, {other});\n");
                    after += &format!("  h = h * 31 + fold_{number}(v{position});\n");
                    format!("&v{position}")
                }
                Kind::Elements(ty) => {
                    let start = format!("{word}, {other}, {word} >> 9, {other} >> 9");
                    text += &format!("  {} v{position}[4] = {{ {start} }};\n", ty.name);
                    after += "  for (int i = 0; i < 4; i++)";
                    after += &format!(" h = h * 31 + (unsigned long)v{position}[i];\n");
                    format!("v{position}")
                }
                Kind::Callback => format!("table[{word} & {}]", CALLBACKS - 1),
            });
        }
        let call = format!("{}({})", signature.name, arguments.join(", "));
        let folded = match signature.result {
            Kind::Record(number) => format!("fold_{number}({call})"),
            _ => format!("(unsigned long){call}"),
        };
        text + &format!("  unsigned long h = {folded};\n{after}  return h * 31 + digest();\n}}\n")
    }

    /// A call of a function that is defined before, or something else where there is none.
    pub(super) fn call(&mut self, depth: u32) -> String {
        if !self.calls || self.helpers.len() < HELPERS {
            return format!("({})", self.place(depth));
        }
        self.uses(Feature::Call);
        let signature = self.helpers[self.rng.usize(..self.helpers.len())].clone();
        let call = self.call_of(&signature, depth.min(2) - 1, "");
        match signature.result {
            Kind::Record(number) => self.field_of(&call, number, 0),
            _ => call,
        }
    }

    fn call_of(&mut self, signature: &Signature, depth: u32, rest: &str) -> String {
        let mut arguments = Vec::new();
        for kind in &signature.parameters {
            let argument = match *kind {
                Kind::Plain(_) => self.value(depth),
                Kind::Depth if rest.is_empty() => format!("({}) & 3", self.value(0)),
                Kind::Depth => rest.to_owned(),
                Kind::Record(number) => self.record(number, depth),
                Kind::RecordPointer(number) => {
                    let known = self.known_record(number);
                    known.map(|known| format!("&{known}")).unwrap_or_else(|| {
                        self.uses(Feature::CompoundLiteral);
                        format!("&({}){{0}}", self.records[number].name)
                    })
                }
                Kind::Elements(of) => {
                    let known = self.scope.arrays.iter().find(|array| array.of == of);
                    match known {
                        Some(array) => array.name.clone(),
                        None => {
                            self.uses(Feature::CompoundLiteral);
                            format!("({}[4]){{{}, {}}}", of.name, self.value(0), self.value(0))
                        }
                    }
                }
                Kind::Callback => format!("c{}", self.rng.usize(..CALLBACKS)),
            };
            if self.helpers.iter().any(|helper| argument.contains(&format!("{}(", helper.name))) {
                self.uses(Feature::NestedCall);
            }
            arguments.push(argument);
        }
        format!("{}({})", signature.name, arguments.join(", "))
    }

    fn known_record(&mut self, number: usize) -> Option<String> {
        let known = self.scope.records.iter().chain(&self.globals.records);
        let known: Vec<String> =
            known.filter(|(_, of)| *of == number).map(|(name, _)| name.clone()).collect();
        self.rng.choice(known)
    }

    /// A structure or union.
    pub(super) fn record(&mut self, number: usize, depth: u32) -> String {
        if self.chance(50)
            && let Some(known) = self.known_record(number)
        {
            return known;
        }
        format!("make_{number}({}, {})", self.value(depth), self.value(depth))
    }
}

//! Statements, each a bounded amount of work.

use super::scope::Array;
use super::{Feature, Writer};

impl Writer {
    /// Local variables, which the statements behind may name.
    pub(super) fn locals(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.rng.u32(1..4) {
            let (ty, name, value) = (self.scalar(), self.name("x"), self.value(1));
            text += &format!("  {} {name} = {value};\n", ty.name);
            self.scope.scalars.push(name);
        }
        if self.chance(40) {
            let (of, name) = (self.scalar(), self.name("v"));
            let (first, second) = (self.value(1), self.value(0));
            text += &format!("  {} {name}[4] = {{ {first}, 3, {second} }};\n", of.name);
            self.scope.arrays.push(Array { name, of, count: 4 });
        }
        if self.chance(40) {
            let (number, name) = (self.rng.usize(..self.records.len()), self.name("l"));
            let value = self.record(number, 1);
            text += &format!("  {} {name} = {value};\n", self.records[number].name);
            self.scope.records.push((name, number));
        }
        text
    }

    pub(super) fn statement(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.assignment();
        }
        match self.rng.u32(..100) {
            0..=24 => self.assignment(),
            25..=29 => self.increment(),
            30..=38 => self.condition(depth),
            39..=45 => self.loop_for(depth),
            46..=49 => self.loop_while(depth),
            50..=53 => self.loop_do(depth),
            54..=59 => self.switch(depth),
            60..=63 => self.goto_out(depth),
            64..=66 => self.goto_back(depth),
            67..=69 => self.goto_computed(depth),
            70..=75 => self.pointers(),
            76..=78 => self.pointer_to_pointer(),
            79..=82 => self.bytes(),
            83..=87 => self.struct_copy(),
            88..=91 => self.table(),
            92..=93 => self.variable_length(),
            94..=97 if self.in_loop => self.leave_loop(),
            _ => {
                let outer = self.scope.clone();
                let text = format!("  {{\n{}{}  }}\n", self.locals(), self.statement(depth - 1));
                self.scope = outer;
                text
            }
        }
    }

    fn assignment(&mut self) -> String {
        let (place, value) = (self.place(2), self.value(3));
        if self.chance(50) {
            return format!("  {place} = {value};\n");
        }
        self.uses(Feature::Compound);
        if self.chance(20) {
            let amount = format!("(({value}) & 7)");
            // A negative number must not be shifted to the left.
            let op = self.pick(&[">>=", "/=", "%="]);
            return match op {
                ">>=" => format!("  {place} >>= {amount} & 0;\n"),
                _ => format!("  {place} {op} {amount} + 1;\n"),
            };
        }
        let op = self.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
        // Signed operands become unsigned, where nothing overflows.
        match self.wraps {
            true => format!("  {place} {op} {value};\n"),
            false => format!("  {place} {op} (unsigned long)({value});\n"),
        }
    }

    fn increment(&mut self) -> String {
        self.uses(Feature::Increment);
        let (name, place, value) = (self.name("u"), self.place(1), self.value(1));
        let ty = self.pick(&["unsigned", "unsigned char", "unsigned long", "short", "signed char"]);
        let op = self.pick(&["++", "--"]);
        let used = if self.chance(50) { format!("{op}{name}") } else { format!("{name}{op}") };
        format!("  {{ {ty} {name} = {value}; {place} = {used}; {place} ^= {name}; }}\n")
    }

    fn condition(&mut self, depth: u32) -> String {
        self.uses(Feature::If);
        let value = if self.chance(25) {
            self.uses(Feature::AssignmentValue);
            format!("({} = {}) != 0", self.place(1), self.value(2))
        } else {
            self.value(3)
        };
        let (yes, no) = (self.statement(depth - 1), self.statement(depth - 1));
        match self.rng.bool() {
            true => format!("  if ({value}) {{\n{yes}  }}\n"),
            false => format!("  if ({value}) {{\n{yes}  }} else {{\n{no}  }}\n"),
        }
    }

    /// What is repeated.
    fn repeated(&mut self, depth: u32) -> String {
        let before = std::mem::replace(&mut self.in_loop, true);
        let mut body = self.statement(depth - 1);
        if self.chance(30) {
            body += &self.leave_loop();
        }
        body += &self.statement(0);
        self.in_loop = before;
        body
    }

    fn leave_loop(&mut self) -> String {
        self.uses(Feature::BreakContinue);
        let way = self.pick(&["break", "continue"]);
        format!("  if ({}) {way};\n", self.value(2))
    }

    fn loop_for(&mut self, depth: u32) -> String {
        self.uses(Feature::For);
        let name = self.name("i");
        let body = self.repeated(depth);
        let head = match self.rng.u32(..3) {
            0 => format!("for (int {name} = 0; {name} < {}; {name}++)", self.rng.u32(1..5)),
            1 => format!("for (unsigned char {name} = 253; {name} > 9; {name} += 1)"),
            _ => format!("for (long {name} = 3; {name} >= 0; {name} -= 1)"),
        };
        format!("  {head} {{\n{body}  }}\n")
    }

    fn loop_while(&mut self, depth: u32) -> String {
        self.uses(Feature::While);
        let (name, body, value) = (self.name("n"), self.repeated(depth), self.value(2));
        format!(
            "  {{\n  unsigned {name} = ({value}) & 3;\n  while ({name}-- > 0) {{\n{body}  }}\n  }}\n"
        )
    }

    fn loop_do(&mut self, depth: u32) -> String {
        self.uses(Feature::DoWhile);
        let (name, body, value) = (self.name("n"), self.repeated(depth), self.value(1));
        format!(
            "  {{\n  int {name} = 0;\n  do {{\n{body}  }} while (++{name} < 3 && ({value}));\n  }}\n"
        )
    }

    fn switch(&mut self, depth: u32) -> String {
        self.uses(Feature::Switch);
        let outer = std::mem::replace(&mut self.in_loop, false);
        let (value, parts) = (self.value(2), [0; 4].map(|_| self.statement(depth - 1)));
        self.in_loop = outer;
        let [first, second, third, other] = parts;
        match self.rng.u32(..3) {
            0 => format!(
                "  switch (({value}) & 7) {{\n  case 0:\n{first}  case 1:\n{second}  break;\n  \
                 case 2: case 5:\n{third}  break;\n  default:\n{other}  }}\n"
            ),
            1 => format!(
                "  switch ((enum e)((({value}) & 3) * 10)) {{\n  case zero:\n{first}  break;\n  \
                 case ten:\n{second}  break;\n  case eleven:\n{third}  default:\n{other}  break;\n  }}\n"
            ),
            _ => format!(
                "  switch ((signed char)({value})) {{\n  case -128 ... -1:\n{first}  break;\n  \
                 case 0:\n{second}  case 42 ... 100:\n{third}  break;\n  default:\n{other}  }}\n"
            ),
        }
    }

    fn goto_out(&mut self, depth: u32) -> String {
        self.uses(Feature::Goto);
        let (label, i, j) = (self.name("out"), self.name("i"), self.name("j"));
        let (body, value) = (self.repeated(depth), self.value(2));
        format!(
            "  for (int {i} = 0; {i} < 2; {i}++)\n  for (int {j} = 0; {j} < 2; {j}++) {{\n{body}  \
             if ({value}) goto {label};\n  }}\n  {label}:;\n"
        )
    }

    fn goto_back(&mut self, depth: u32) -> String {
        self.uses(Feature::Goto);
        let (label, count) = (self.name("again"), self.name("n"));
        let (body, value) = (self.statement(depth - 1), self.value(2));
        format!(
            "  {{\n  int {count} = 0;\n  {label}:;\n{body}  if ({count}++ < 3 && ({value})) goto {label};\n  }}\n"
        )
    }

    fn goto_computed(&mut self, depth: u32) -> String {
        self.uses(Feature::ComputedGoto);
        let (one, two, end, ways) =
            (self.name("one"), self.name("two"), self.name("end"), self.name("ways"));
        let (first, second, value) =
            (self.statement(depth - 1), self.statement(depth - 1), self.value(2));
        format!(
            "  {{\n  static const void *const {ways}[] = {{ &&{one}, &&{two}, &&{end}, &&{one} }};\n  \
             goto *{ways}[({value}) & 3];\n  {one}:;\n{first}  {two}:;\n{second}  {end}:;\n  }}\n"
        )
    }

    /// An array, of the function or global.
    fn array(&mut self) -> Array {
        let local = self.scope.arrays.len();
        if local > 0 && self.chance(60) {
            return self.scope.arrays[self.rng.usize(..local)].clone();
        }
        self.globals.arrays[self.rng.usize(..self.globals.arrays.len())].clone()
    }

    fn pointers(&mut self) -> String {
        self.uses(Feature::PointerArithmetic);
        let Array { name, of, count } = self.array();
        let (p, q, place) = (self.name("p"), self.name("q"), self.place(1));
        let (a, b, value) = (self.value(2), self.value(2), self.value(2));
        let (ty, mask) = (of.name, count - 1);
        let use_of = match self.rng.u32(..5) {
            0 => format!("if ({p} < {q}) {place} = {q} - {p}; else *{p} = {value};"),
            1 => format!("{place} = {p}[{q} - {p}]; *{p} = {value};"),
            2 => format!("while ({p} != {q}) {{ *{p} ^= 1; {p} += {p} < {q} ? 1 : -1; }}"),
            3 => format!("{p} += {q} - {p}; *{p} = {value}; {place} = {q}[-({q} - {name})];"),
            _ => format!("{place} = (unsigned long)({p} + 1) - (unsigned long){q};"),
        };
        format!(
            "  {{\n  {ty} *{p} = {name} + (({a}) & {mask}), *{q} = &{name}[({b}) & {mask}];\n  {use_of}\n  }}\n"
        )
    }

    fn pointer_to_pointer(&mut self) -> String {
        self.uses(Feature::PointerToPointer);
        let Array { name, of, count } = self.array();
        let (p, pp, ps) = (self.name("p"), self.name("pp"), self.name("ps"));
        let (a, b, value) = (self.value(2), self.value(1), self.value(2));
        let (ty, mask) = (of.name, count - 1);
        format!(
            "  {{\n  {ty} *{p} = {name}, *{ps}[2] = {{ {name} + 1, {p} }}, **{pp} = ({a}) ? &{p} : {ps};\n  \
             **{pp} = {value};\n  *{pp} = {name} + (({b}) & {mask});\n  (*{pp})[0] ^= *{ps}[1];\n  }}\n"
        )
    }

    /// Looks at an object byte by byte.
    fn bytes(&mut self) -> String {
        self.uses(Feature::BytesOfObject);
        let (word, at, place) = (self.name("w"), self.name("at"), self.place(1));
        let (value, index, byte) = (self.value(2), self.value(1), self.value(1));
        let ty = self.pick(&["unsigned", "long", "short", "unsigned long"]);
        let mask = if ty == "short" { 1 } else { 3 };
        format!(
            "  {{\n  {ty} {word} = {value};\n  unsigned char *{at} = (unsigned char *)&{word};\n  \
             {at}[({index}) & {mask}] = {byte};\n  {place} = {at}[1] ^ {word};\n  }}\n"
        )
    }

    fn struct_copy(&mut self) -> String {
        self.uses(Feature::StructCopy);
        let number = self.rng.usize(..self.records.len());
        let (copy, place) = (self.name("s"), self.place(1));
        let (from, value) = (self.record(number, 1), self.value(1));
        let ty = self.records[number].name.clone();
        let (field, other) = (self.field_of(&copy, number, 1), self.field_of(&copy, number, 1));
        format!(
            "  {{\n  {ty} {copy} = {from};\n  {field} = {value};\n  {place} = {other};\n  \
             r{number} = {copy};\n  }}\n"
        )
    }

    /// A constant table of the function itself.
    fn table(&mut self) -> String {
        self.uses(Feature::LocalTable);
        let (table, place, index) = (self.name("t"), self.place(1), self.value(2));
        let (second, ty) = (self.value(1), self.scalar().name);
        let row = [0; 4].map(|_| self.rng.u32(..128).to_string()).join(", ");
        format!(
            "  {{\n  static const {ty} {table}[2][4] = {{ {{ {row} }}, {{ 1 }} }};\n  \
             {place} = {table}[({second}) & 1][({index}) & 3];\n  }}\n"
        )
    }

    fn variable_length(&mut self) -> String {
        self.uses(Feature::VariableLength);
        let (array, size, place) = (self.name("d"), self.name("n"), self.place(1));
        let (value, ty) = (self.value(1), self.scalar().name);
        format!(
            "  {{\n  unsigned {size} = (({value}) & 3) + 1;\n  {ty} {array}[{size}];\n  \
             for (unsigned i = 0; i < {size}; i++) {array}[i] = i;\n  \
             {place} = {array}[{size} - 1] + sizeof {array};\n  }}\n"
        )
    }
}

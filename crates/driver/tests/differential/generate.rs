//! Random small C programs with locks, heap blocks, loops and calls.
//!
//! A group is a few functions that call each other without recursion, and static variables of their own. All
//! functions have the same parameters: a structure with two mutexes, a number and a pointer, and two
//! numbers. Bodies are plausible more often than not: what is locked is mostly unlocked, what is
//! allocated mostly freed, stored or returned, so that runs get somewhere and some of them are wrong.
//!
//! Numbers that unknown functions return, and what depends on them, are only compared with zero; parameters
//! with constants from 0 to 3. So a few values of each show all that a program can do: a negative parameter does
//! what 0 does, and a great one what 3 does, but for the number of iterations.

use std::fmt::Write as _;

use fastrand::Rng;

/// What every program starts with.
const PRELUDE: &str = "\
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; long tag; };
struct box { pthread_mutex_t a, b; long n; struct node *data; };
int ask(void);
int hand(struct node *p);
";

/// How large programs are.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The functions of a group.
    pub functions: usize,
    /// About how many statements a body has.
    pub statements: usize,
    /// Whether there are loops.
    pub has_loops: bool,
}

/// Functions that may call each other, later ones earlier ones.
#[derive(Clone, Debug)]
pub struct Group {
    /// By this the names of its functions and static variables differ from those of others.
    pub number: usize,
    /// The functions.
    pub functions: Vec<Function>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Whether it returns a pointer; otherwise it returns a number.
    pub is_pointer: bool,
    body: Vec<Statement>,
}

impl Function {
    /// Which of the two numbers among its parameters it looks at or passes on.
    pub fn reads(&self) -> [bool; 2] {
        let mut reads = [false; 2];
        note_reads(&self.body, &mut reads);
        reads
    }
}

fn note_reads(block: &[Statement], reads: &mut [bool; 2]) {
    let mut note = |parameter: &Parameter| match parameter {
        Parameter::A => reads[0] = true,
        Parameter::B => reads[1] = true,
    };
    for statement in block {
        match statement {
            Statement::CallNumber(_, _, arguments) | Statement::CallPointer(_, _, arguments) => {
                for argument in arguments {
                    if let Argument::Parameter(parameter) = argument {
                        note(parameter);
                    }
                }
            }
            Statement::If(Condition::Constant(parameter, ..), ..)
            | Statement::For(Bound::Parameter(parameter), _) => note(parameter),
            Statement::If(..)
            | Statement::For(..)
            | Statement::Lock(_)
            | Statement::LockStatus(..)
            | Statement::TryLock(..)
            | Statement::Unlock(_)
            | Statement::Ask(_)
            | Statement::Allocate(_)
            | Statement::Link(..)
            | Statement::Free(_)
            | Statement::SetNull(_)
            | Statement::Copy(..)
            | Statement::Hand(..)
            | Statement::Return(_) => {}
        }
    }
    for statement in block {
        match statement {
            Statement::If(_, first, second) => {
                note_reads(first, reads);
                note_reads(second, reads);
            }
            Statement::For(_, inner) => note_reads(inner, reads),
            _ => {}
        }
    }
}

/// A mutex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mutex {
    /// The first of the structure.
    A,
    /// The second of the structure.
    B,
    /// The static one.
    Own,
}

const MUTEXES: [Mutex; 3] = [Mutex::A, Mutex::B, Mutex::Own];

/// A place that holds a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pointer {
    P,
    Q,
    /// The field of the structure.
    Data,
    /// The static variable.
    Kept,
}

/// A place that holds a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Number {
    X,
    Y,
    /// The field of the structure.
    N,
    /// The static variable.
    Mode,
}

#[derive(Clone, Copy, Debug)]
enum Parameter {
    A,
    B,
}

#[derive(Clone, Copy, Debug)]
enum Condition {
    /// Compared with zero.
    Sign(Number, &'static str),
    /// Compared with a constant.
    Constant(Parameter, &'static str, u32),
    IsNull(Pointer),
    IsNotNull(Pointer),
}

#[derive(Clone, Copy, Debug)]
enum Argument {
    Parameter(Parameter),
    Constant(u32),
    IsNotZero(Number),
}

#[derive(Clone, Copy, Debug)]
enum Bound {
    Parameter(Parameter),
    Constant(u32),
}

#[derive(Clone, Copy, Debug)]
enum Returned {
    Constant(i32),
    Number(Number),
    Pointer(Pointer),
    Null,
}

#[derive(Clone, Debug)]
enum Statement {
    Lock(Mutex),
    LockStatus(Number, Mutex),
    TryLock(Number, Mutex),
    Unlock(Mutex),
    Ask(Number),
    Allocate(Pointer),
    /// The first block, if there is one, leads to the second.
    Link(Pointer, Pointer),
    Free(Pointer),
    SetNull(Pointer),
    Copy(Pointer, Pointer),
    Hand(Number, Pointer),
    CallNumber(Number, usize, [Argument; 2]),
    CallPointer(Pointer, usize, [Argument; 2]),
    If(Condition, Vec<Statement>, Vec<Statement>),
    For(Bound, Vec<Statement>),
    Return(Returned),
}

/// A group of random functions.
pub fn group(rng: &mut Rng, number: usize, shape: Shape) -> Group {
    let mut group = Group { number, functions: Vec::new() };
    for place in 0..shape.functions {
        let function = if place == 0 && rng.bool() {
            wrapper(rng)
        } else {
            let is_pointer = rng.u8(..5) == 0;
            let mut writer = Writer { rng, group: &group, shape, is_pointer, depth: 0 };
            let body = writer.body();
            Function { name: String::new(), is_pointer, body }
        };
        let name = format!("f{number}_{place}");
        group.functions.push(Function { name, ..function });
    }
    group
}

/// A function that does one thing and says whether it could.
fn wrapper(rng: &mut Rng) -> Function {
    use Statement as S;
    let mutex = MUTEXES[rng.usize(..3)];
    let fail = |condition| S::If(condition, vec![S::Return(Returned::Constant(-1))], Vec::new());
    let not_zero = Condition::Sign(Number::X, "!=");
    let done = S::Return(Returned::Constant(0));
    let (is_pointer, body) = match rng.u8(..6) {
        0 => (false, vec![S::LockStatus(Number::X, mutex), fail(not_zero), done]),
        1 => (false, vec![S::TryLock(Number::X, mutex), fail(not_zero), done]),
        2 => (false, vec![S::Unlock(mutex), done]),
        3 => {
            let is_null = Condition::IsNull(Pointer::Data);
            (false, vec![S::Allocate(Pointer::Data), fail(is_null), done])
        }
        4 => (false, vec![S::Free(Pointer::Data), S::SetNull(Pointer::Data), done]),
        _ => (true, vec![S::Allocate(Pointer::P), S::Return(Returned::Pointer(Pointer::P))]),
    };
    Function { name: String::new(), is_pointer, body }
}

/// What a body that is being written has probably done.
#[derive(Clone, Copy, Debug, Default)]
struct Likely {
    held: [bool; 3],
    full: [bool; 2],
}

struct Writer<'w> {
    rng: &'w mut Rng,
    group: &'w Group,
    shape: Shape,
    is_pointer: bool,
    depth: usize,
}

impl Writer<'_> {
    fn body(&mut self) -> Vec<Statement> {
        let mut likely = Likely::default();
        let count = self.shape.statements / 2 + self.rng.usize(..=self.shape.statements / 2);
        let mut body = self.block(count, &mut likely);
        self.leave(&mut body, likely);
        body
    }

    fn block(&mut self, count: usize, likely: &mut Likely) -> Vec<Statement> {
        let mut block = Vec::new();
        for _ in 0..count {
            self.statement(&mut block, likely);
        }
        block
    }

    /// Releases what is probably held, mostly, and returns.
    fn leave(&mut self, block: &mut Vec<Statement>, likely: Likely) {
        for (mutex, _) in MUTEXES.iter().zip(likely.held).filter(|(_, is_held)| *is_held) {
            if self.rng.u8(..5) > 0 {
                block.push(Statement::Unlock(*mutex));
            }
        }
        for (pointer, _) in [Pointer::P, Pointer::Q].into_iter().zip(likely.full).filter(|f| f.1) {
            match self.rng.u8(..8) {
                0..4 => block.push(Statement::Free(pointer)),
                4 => block.push(Statement::Copy(Pointer::Data, pointer)),
                5 => block.push(Statement::Copy(Pointer::Kept, pointer)),
                6 => block.push(Statement::Hand(Number::Y, pointer)),
                _ => {}
            }
        }
        let returned = if self.is_pointer {
            match self.rng.u8(..4) {
                0 => Returned::Null,
                1 => Returned::Pointer(Pointer::Q),
                _ => Returned::Pointer(Pointer::P),
            }
        } else {
            match self.rng.u8(..6) {
                0 => Returned::Constant(-1),
                1 => Returned::Constant(1),
                2 => Returned::Number(self.local()),
                _ => Returned::Constant(0),
            }
        };
        block.push(Statement::Return(returned));
    }

    fn local(&mut self) -> Number {
        if self.rng.bool() { Number::X } else { Number::Y }
    }

    fn parameter(&mut self) -> Parameter {
        if self.rng.bool() { Parameter::A } else { Parameter::B }
    }

    fn condition(&mut self) -> Condition {
        let sign = ["==", "!=", "<", ">"][self.rng.usize(..4)];
        match self.rng.u8(..10) {
            0..3 => Condition::Sign(self.local(), sign),
            3 => Condition::Sign(Number::N, sign),
            4 => Condition::Sign(Number::Mode, sign),
            5..8 => {
                // Each is true of some values from 0 to 3 and of no others only.
                let (compared, constant) = match self.rng.u8(..4) {
                    0 => ("==", self.rng.u32(..4)),
                    1 => ("!=", self.rng.u32(..4)),
                    2 => (">", self.rng.u32(..3)),
                    _ => ("<", 1 + self.rng.u32(..3)),
                };
                Condition::Constant(self.parameter(), compared, constant)
            }
            8 => {
                let all = [Pointer::P, Pointer::Q, Pointer::Data, Pointer::Kept];
                Condition::IsNotNull(all[self.rng.usize(..4)])
            }
            _ => Condition::IsNull(if self.rng.bool() { Pointer::P } else { Pointer::Data }),
        }
    }

    fn argument(&mut self) -> Argument {
        match self.rng.u8(..4) {
            0 => Argument::Constant(self.rng.u32(..4)),
            1 => Argument::IsNotZero(self.local()),
            _ => Argument::Parameter(self.parameter()),
        }
    }

    /// Returns early, mostly with nothing held.
    fn early(&mut self, likely: Likely) -> Vec<Statement> {
        let mut block = Vec::new();
        self.leave(&mut block, likely);
        block
    }

    fn statement(&mut self, block: &mut Vec<Statement>, likely: &mut Likely) {
        use Statement as S;
        let is_deep = self.depth >= 2;
        match self.rng.u8(..20) {
            0..4 => self.operate(block, likely),
            4..6 => block.push(S::Ask(self.local())),
            6..9 if !is_deep => {
                let condition = self.condition();
                let before = *likely;
                self.depth += 1;
                let count = 1 + self.rng.usize(..2);
                let first = self.block(count, likely);
                let mut other = before;
                let second = if self.rng.bool() { self.block(1, &mut other) } else { Vec::new() };
                self.depth -= 1;
                if self.rng.bool() {
                    *likely = other;
                }
                block.push(S::If(condition, first, second));
            }
            9..11 => {
                let early = self.early(*likely);
                block.push(S::If(self.condition(), early, Vec::new()));
            }
            11 if !is_deep && self.shape.has_loops => {
                let bound = match self.rng.u8(..2) {
                    0 => Bound::Constant(1 + self.rng.u32(..3)),
                    _ => Bound::Parameter(self.parameter()),
                };
                self.depth += 1;
                let count = 1 + self.rng.usize(..2);
                let inner = self.block(count, likely);
                self.depth -= 1;
                block.push(S::For(bound, inner));
            }
            12..16 => self.memory(block, likely),
            _ if !self.group.functions.is_empty() => {
                let callee = self.rng.usize(..self.group.functions.len());
                let arguments = [self.argument(), self.argument()];
                if self.group.functions[callee].is_pointer {
                    let second = likely.full[0] && self.rng.bool();
                    likely.full[usize::from(second)] = true;
                    let pointer = if second { Pointer::Q } else { Pointer::P };
                    block.push(S::CallPointer(pointer, callee, arguments));
                } else {
                    let number = self.local();
                    block.push(S::CallNumber(number, callee, arguments));
                    if self.rng.u8(..3) == 0 {
                        let early = self.early(*likely);
                        block.push(S::If(Condition::Sign(number, "<"), early, Vec::new()));
                    }
                }
            }
            _ => block.push(S::Ask(self.local())),
        }
    }

    /// An operation on a mutex.
    fn operate(&mut self, block: &mut Vec<Statement>, likely: &mut Likely) {
        use Statement as S;
        let number = self.rng.usize(..3);
        let mutex = MUTEXES[number];
        let is_odd = self.rng.u8(..10) == 0;
        if likely.held[number] != is_odd {
            block.push(S::Unlock(mutex));
            likely.held[number] = false;
            return;
        }
        let status = self.local();
        match self.rng.u8(..5) {
            0..3 => block.push(S::Lock(mutex)),
            kind => {
                let lock = if kind == 3 { S::LockStatus } else { S::TryLock };
                block.push(lock(status, mutex));
                if self.rng.u8(..4) > 0 {
                    let early = self.early(*likely);
                    block.push(S::If(Condition::Sign(status, "!="), early, Vec::new()));
                }
            }
        }
        likely.held[number] = true;
    }

    /// An operation on blocks.
    fn memory(&mut self, block: &mut Vec<Statement>, likely: &mut Likely) {
        use Statement as S;
        let number = self.rng.usize(..2);
        let pointer = [Pointer::P, Pointer::Q][number];
        if !likely.full[number] {
            match self.rng.u8(..8) {
                0 => block.extend([S::Free(Pointer::Data), S::SetNull(Pointer::Data)]),
                1 => block.push(S::Copy(pointer, Pointer::Data)),
                2 => block.push(S::Allocate(Pointer::Data)),
                _ => {
                    block.push(S::Allocate(pointer));
                    match self.rng.u8(..4) {
                        0 if number == 0 => block.push(S::Link(pointer, Pointer::Q)),
                        1 => {
                            let early = self.early(*likely);
                            block.push(S::If(Condition::IsNull(pointer), early, Vec::new()));
                        }
                        _ => {}
                    }
                    likely.full[number] = true;
                }
            }
            return;
        }
        match self.rng.u8(..10) {
            0..4 => block.extend([S::Free(pointer), S::SetNull(pointer)]),
            4 => block.push(S::Free(pointer)),
            5..7 => block.push(S::Copy(Pointer::Data, pointer)),
            7 => block.push(S::Copy(Pointer::Kept, pointer)),
            8 => block.push(S::Hand(self.local(), pointer)),
            _ => block.push(S::SetNull(pointer)),
        }
        likely.full[number] = false;
    }
}

/// The text of a program: one statement on a line.
pub fn text(groups: &[Group]) -> String {
    let mut text = PRELUDE.to_owned();
    for group in groups {
        declare(group, &mut text);
        for function in &group.functions {
            define(group, function, &Body::Called, &mut text);
        }
    }
    text
}

/// The text of programs of one function each: the last of each group, with the bodies of those that it calls
/// in place of calls, on the line of the call. The function is on the lines that it has in [`text`].
pub fn expanded(groups: &[Group]) -> String {
    let mut text = PRELUDE.to_owned();
    for group in groups {
        declare(group, &mut text);
        let (last, others) = group.functions.split_last().expect("a group has functions");
        for function in others {
            let mut skipped = String::new();
            define(group, function, &Body::Called, &mut skipped);
            text.extend(skipped.matches('\n'));
        }
        define(group, last, &Body::Expanded, &mut text);
    }
    text
}

fn declare(group: &Group, text: &mut String) {
    let n = group.number;
    let _ = writeln!(text, "static pthread_mutex_t own{n} = PTHREAD_MUTEX_INITIALIZER;");
    let _ = writeln!(text, "static struct node *kept{n};\nlong mode{n};");
}

/// How calls are written.
enum Body {
    Called,
    Expanded,
}

fn define(group: &Group, function: &Function, calls: &Body, text: &mut String) {
    let Function { name, is_pointer, body } = function;
    let ty = if *is_pointer { "struct node *" } else { "int " };
    // With the name in parentheses a macro of that name does not change the definition.
    let _ = writeln!(text, "{ty}({name})(struct box *s, int a, int b)\n{{");
    let _ = writeln!(text, "\tint x = 0, y = 0, i0 = 0, i1 = 0, i2 = 0;");
    let _ = writeln!(text, "\tstruct node *p = 0, *q = 0;");
    let mut labels = 0;
    let mut printer =
        Printer { group, text, labels: &mut labels, prefix: String::new(), calls, depth: 1 };
    printer.block(body, 0);
    text.push_str("}\n");
}

struct Printer<'p> {
    group: &'p Group,
    text: &'p mut String,
    labels: &'p mut usize,
    /// The names of variables begin with it; it is empty unless the function is expanded in another.
    prefix: String,
    calls: &'p Body,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        if self.prefix.is_empty() {
            let indent = "\t".repeat(self.depth);
            let _ = writeln!(self.text, "{indent}{text}");
        } else {
            let _ = write!(self.text, "{text} ");
        }
    }

    fn mutex(&self, mutex: Mutex) -> String {
        match mutex {
            Mutex::A => "&s->a".to_owned(),
            Mutex::B => "&s->b".to_owned(),
            Mutex::Own => format!("&own{}", self.group.number),
        }
    }

    fn pointer(&self, pointer: Pointer) -> String {
        match pointer {
            Pointer::P => format!("{}p", self.prefix),
            Pointer::Q => format!("{}q", self.prefix),
            Pointer::Data => "s->data".to_owned(),
            Pointer::Kept => format!("kept{}", self.group.number),
        }
    }

    fn number(&self, number: Number) -> String {
        match number {
            Number::X => format!("{}x", self.prefix),
            Number::Y => format!("{}y", self.prefix),
            Number::N => "s->n".to_owned(),
            Number::Mode => format!("mode{}", self.group.number),
        }
    }

    fn parameter(&self, parameter: Parameter) -> String {
        match parameter {
            Parameter::A => format!("{}a", self.prefix),
            Parameter::B => format!("{}b", self.prefix),
        }
    }

    fn argument(&self, argument: Argument) -> String {
        match argument {
            Argument::Parameter(parameter) => self.parameter(parameter),
            Argument::Constant(constant) => constant.to_string(),
            Argument::IsNotZero(number) => format!("{} != 0", self.number(number)),
        }
    }

    fn condition(&self, condition: Condition) -> String {
        match condition {
            Condition::Sign(number, sign) => format!("{} {sign} 0", self.number(number)),
            Condition::Constant(parameter, compared, constant) => {
                format!("{} {compared} {constant}", self.parameter(parameter))
            }
            Condition::IsNull(pointer) => format!("!{}", self.pointer(pointer)),
            Condition::IsNotNull(pointer) => self.pointer(pointer),
        }
    }

    fn block(&mut self, block: &[Statement], loops: usize) {
        for statement in block {
            self.statement(statement, loops);
        }
    }

    fn statement(&mut self, statement: &Statement, loops: usize) {
        let simple = match statement {
            Statement::Lock(mutex) => format!("pthread_mutex_lock({});", self.mutex(*mutex)),
            Statement::LockStatus(number, mutex) => {
                format!("{} = pthread_mutex_lock({});", self.number(*number), self.mutex(*mutex))
            }
            Statement::TryLock(number, mutex) => {
                format!("{} = pthread_mutex_trylock({});", self.number(*number), self.mutex(*mutex))
            }
            Statement::Unlock(mutex) => format!("pthread_mutex_unlock({});", self.mutex(*mutex)),
            Statement::Ask(number) => format!("{} = ask();", self.number(*number)),
            Statement::Allocate(pointer) => {
                format!("{} = malloc(sizeof(struct node));", self.pointer(*pointer))
            }
            Statement::Link(from, to) => {
                let from = self.pointer(*from);
                format!("if ({from}) {from}->next = {};", self.pointer(*to))
            }
            Statement::Free(pointer) => format!("free({});", self.pointer(*pointer)),
            Statement::SetNull(pointer) => format!("{} = 0;", self.pointer(*pointer)),
            Statement::Copy(to, from) => {
                format!("{} = {};", self.pointer(*to), self.pointer(*from))
            }
            Statement::Hand(number, pointer) => {
                format!("{} = hand({});", self.number(*number), self.pointer(*pointer))
            }
            Statement::CallNumber(number, callee, arguments) => {
                let to = self.number(*number);
                return self.call(&to, *callee, *arguments);
            }
            Statement::CallPointer(pointer, callee, arguments) => {
                let to = self.pointer(*pointer);
                return self.call(&to, *callee, *arguments);
            }
            Statement::If(condition, first, second) => {
                let condition = self.condition(*condition);
                self.line(&format!("if ({condition}) {{"));
                self.depth += 1;
                self.block(first, loops);
                if !second.is_empty() {
                    self.line("} else {");
                    self.block(second, loops);
                }
                self.depth -= 1;
                "}".to_owned()
            }
            Statement::For(bound, inner) => {
                let i = format!("{}i{loops}", self.prefix);
                let bound = match bound {
                    Bound::Parameter(parameter) => self.parameter(*parameter),
                    Bound::Constant(constant) => constant.to_string(),
                };
                self.line(&format!("for ({i} = 0; {i} < {bound}; {i}++) {{"));
                self.depth += 1;
                self.block(inner, loops + 1);
                self.depth -= 1;
                "}".to_owned()
            }
            Statement::Return(returned) => {
                let value = match returned {
                    Returned::Constant(constant) => constant.to_string(),
                    Returned::Number(number) => self.number(*number),
                    Returned::Pointer(pointer) => self.pointer(*pointer),
                    Returned::Null => "0".to_owned(),
                };
                let prefix = &self.prefix;
                match prefix.is_empty() {
                    true => format!("return {value};"),
                    false => format!("{{ {prefix}r = {value}; goto {prefix}out; }}"),
                }
            }
        };
        self.line(&simple);
    }

    fn call(&mut self, to: &str, callee: usize, arguments: [Argument; 2]) {
        let [a, b] = arguments.map(|argument| self.argument(argument));
        let Function { name, is_pointer, body } = &self.group.functions[callee];
        if let Body::Called = self.calls {
            return self.line(&format!("{to} = {name}(s, {a}, {b});"));
        }
        *self.labels += 1;
        let prefix = format!("c{}_", self.labels);
        let ty = if *is_pointer { "struct node *" } else { "int " };
        let mut inner = format!("{{ int {prefix}a = {a}, {prefix}b = {b}, {prefix}x = 0, ");
        let _ = write!(inner, "{prefix}y = 0, {prefix}i0 = 0, {prefix}i1 = 0, {prefix}i2 = 0; ");
        let _ = write!(inner, "struct node *{prefix}p = 0, *{prefix}q = 0; {ty}{prefix}r = 0; ");
        let mut printer = Printer {
            group: self.group,
            text: &mut inner,
            labels: self.labels,
            prefix: prefix.clone(),
            calls: self.calls,
            depth: 0,
        };
        printer.block(body, 0);
        let _ = write!(inner, "{prefix}out: {to} = {prefix}r; }}");
        self.line(&inner);
    }
}

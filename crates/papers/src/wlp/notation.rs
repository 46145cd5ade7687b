//! Expressions in the notation of papers. The work is kept in a list, so that depth costs no stack.

use std::borrow::Cow;

use ir::{Binder, Expr, ExprId, Exprs, Local, Memory, Module, Op, Quantifier, Type, Variable};

use crate::wlp::shared::Shared;

/// How tightly operators bind.
pub(crate) mod level {
    pub(crate) const ANY: u8 = 0;
    pub(super) const IFF: u8 = 1;
    pub(super) const IMPLIES: u8 = 2;
    pub(super) const OR: u8 = 3;
    pub(crate) const AND: u8 = 4;
    pub(super) const COMPARE: u8 = 5;
    pub(super) const ADD: u8 = 6;
    pub(super) const MULTIPLY: u8 = 7;
    pub(super) const PREFIX: u8 = 8;
    pub(super) const POSTFIX: u8 = 9;
}

/// The expressions of one passive procedure.
pub(crate) struct Notation<'f> {
    module: &'f Module,
    locals: &'f [Local],
    exprs: &'f Exprs,
    pub(crate) shared: Shared,
}

/// A pending printing task, last first.
enum PrintTask {
    Text(Cow<'static, str>),
    /// An expression that must bind this tightly.
    Expr(ExprId, u8),
    /// The bound variables from this number on are out of scope.
    Leave(usize),
}

/// How operands of an infix operator at the same level group.
#[derive(Clone, Copy)]
enum Group {
    /// `a ∧ b ∧ c`, however they are nested.
    Either,
    Left,
    Right,
    Neither,
}

impl<'f> Notation<'f> {
    pub(crate) fn new(
        module: &'f Module,
        locals: &'f [Local],
        exprs: &'f Exprs,
        roots: impl IntoIterator<Item = ExprId>,
    ) -> Notation<'f> {
        Notation { module, locals, exprs, shared: Shared::new(exprs, roots) }
    }

    /// A variable.
    pub(crate) fn local(&self, id: ir::LocalId) -> &'f str {
        let local = &self.locals[id.0 as usize];
        local.display.as_deref().unwrap_or(&local.name)
    }

    /// An expression where something must bind this tightly.
    pub(crate) fn text(&self, root: ExprId, least: u8) -> String {
        let mut writer = Writer { notation: self, out: String::new(), scope: Vec::new() };
        writer.write(vec![PrintTask::Expr(root, least)]);
        writer.out
    }

    /// The definition of an expression's name: `e₁ ≜ …`.
    pub(crate) fn abbreviation(&self, id: ExprId) -> (String, String) {
        let mut writer = Writer { notation: self, out: String::new(), scope: Vec::new() };
        for &binder in self.shared.free(id) {
            writer.declare(binder);
        }
        let name = writer.reference(id).unwrap_or_default();
        let mut parts = Vec::new();
        writer.parts(id, level::ANY, &mut parts);
        parts.reverse();
        writer.write(parts);
        (name, writer.out)
    }
}

struct Writer<'n, 'f> {
    notation: &'n Notation<'f>,
    out: String,
    /// The bound variables that can be named here, and how.
    scope: Vec<(Binder, String)>,
}

impl Writer<'_, '_> {
    fn write(&mut self, mut work: Vec<PrintTask>) {
        while let Some(next) = work.pop() {
            match next {
                PrintTask::Text(text) => self.out.push_str(&text),
                PrintTask::Leave(count) => self.scope.truncate(count),
                PrintTask::Expr(id, least) => {
                    let start = work.len();
                    match self.reference(id) {
                        Some(name) => work.push(text(name)),
                        None => self.parts(id, least, &mut work),
                    }
                    work[start..].reverse();
                }
            }
        }
    }

    /// How an expression that has a name is referred to.
    fn reference(&self, id: ExprId) -> Option<String> {
        let number = self.notation.shared.name(id)?;
        let arguments: Vec<&str> =
            self.notation.shared.free(id).iter().map(|&binder| self.bound(binder)).collect();
        let name = format!("e{number}");
        Some(match arguments.is_empty() {
            true => name,
            false => format!("{name}({})", arguments.join(", ")),
        })
    }

    fn bound(&self, binder: Binder) -> &str {
        let found = self.scope.iter().find(|(declared, _)| *declared == binder);
        found.map_or(self.notation.exprs.binder(binder).0, |(_, name)| name)
    }

    /// Brings a bound variable into scope, with marks if its name is taken.
    fn declare(&mut self, binder: Binder) -> String {
        let (name, ty) = self.notation.exprs.binder(binder);
        let mut name = name.to_owned();
        while self.scope.iter().any(|(_, taken)| *taken == name) {
            name.push('′');
        }
        let declared = format!("{name}: {}", ty.display(self.notation.module));
        self.scope.push((binder, name));
        declared
    }

    /// Puts the parts of an expression behind the work, first part first.
    fn parts(&mut self, id: ExprId, least: u8, work: &mut Vec<PrintTask>) {
        let notation = self.notation;
        match notation.exprs.get(id) {
            Expr::Bool(value) => work.push(text(if *value { "true" } else { "false" })),
            Expr::Int(value) => work.push(text(value.to_string())),
            Expr::Bv(width, value) => work.push(text(format!("{value}bv{width}"))),
            Expr::Null(_) => work.push(text("null")),
            Expr::Read(Variable::Local(id)) => work.push(text(notation.local(*id).to_owned())),
            Expr::Read(Variable::Global(id)) => {
                work.push(text(notation.module.global(*id).name.clone()));
            }
            Expr::Bound(binder) => work.push(text(self.bound(*binder).to_owned())),
            Expr::Op(op, operands) => self.op(op, operands, least, work),
            Expr::Apply(function, arguments) => {
                let name = &notation.module.function(*function).name;
                call(name, arguments, &[], work);
            }
            Expr::Old(operand) => call("old", &[*operand], &[], work),
            Expr::Quantified(quantifier, binders, body) => {
                let sign = match quantifier {
                    Quantifier::All => "(∀",
                    Quantifier::Some => "(∃",
                };
                self.binding([sign, " · ", ")"], binders, *body, work);
            }
            Expr::Lambda(binders, body) => {
                let signs = match notation.exprs.ty(*body) {
                    Type::Bool => ["{", " | ", "}"],
                    _ => ["(λ", " · ", ")"],
                };
                self.binding(signs, binders, *body, work);
            }
        }
    }

    fn binding(
        &mut self,
        [open, middle, close]: [&'static str; 3],
        binders: &[Binder],
        body: ExprId,
        work: &mut Vec<PrintTask>,
    ) {
        let outside = self.scope.len();
        let declared: Vec<String> = binders.iter().map(|&binder| self.declare(binder)).collect();
        work.push(text(format!("{open}{}{middle}", declared.join(", "))));
        work.push(PrintTask::Expr(body, level::ANY));
        work.push(PrintTask::Leave(outside));
        work.push(text(close));
    }

    fn op(&self, op: &Op, operands: &[ExprId], least: u8, work: &mut Vec<PrintTask>) {
        let module = self.notation.module;
        let mut infix = |at: u8, sign: &str, group: Group| {
            let (left, right) = match group {
                Group::Either => (at, at),
                Group::Left => (at, at + 1),
                Group::Right => (at + 1, at),
                Group::Neither => (at + 1, at + 1),
            };
            let sign = text(format!(" {sign} "));
            let parts =
                [PrintTask::Expr(operands[0], left), sign, PrintTask::Expr(operands[1], right)];
            parenthesised(least > at, parts, work);
        };
        match op {
            Op::Not => self.not(operands[0], least, work),
            Op::And => infix(level::AND, "∧", Group::Either),
            Op::Or => infix(level::OR, "∨", Group::Either),
            Op::Implies => infix(level::IMPLIES, "⇒", Group::Right),
            Op::Eq => match self.truth(operands) {
                Some((operand, true)) => work.push(PrintTask::Expr(operand, least)),
                Some((operand, false)) => self.not(operand, least, work),
                None if *self.notation.exprs.ty(operands[0]) == Type::Bool => {
                    infix(level::IFF, "≡", Group::Neither);
                }
                None => infix(level::COMPARE, "=", Group::Neither),
            },
            Op::IntLt => infix(level::COMPARE, "<", Group::Neither),
            Op::IntLe => infix(level::COMPARE, "≤", Group::Neither),
            Op::Subset => infix(level::COMPARE, "⊆", Group::Neither),
            Op::IntAdd | Op::BvAdd => infix(level::ADD, "+", Group::Left),
            Op::IntSub | Op::BvSub => infix(level::ADD, "-", Group::Left),
            Op::SeqConcat => infix(level::ADD, "++", Group::Left),
            Op::Union => infix(level::ADD, "∪", Group::Neither),
            Op::Difference => infix(level::ADD, "∖", Group::Neither),
            Op::Intersection => infix(level::MULTIPLY, "∩", Group::Neither),
            Op::IntMul | Op::BvMul => infix(level::MULTIPLY, "*", Group::Left),
            Op::IntDiv => infix(level::MULTIPLY, "div", Group::Left),
            Op::IntMod => infix(level::MULTIPLY, "mod", Group::Left),
            Op::IntNeg | Op::BvNeg => {
                let parts = [text("-"), PrintTask::Expr(operands[0], level::POSTFIX)];
                parenthesised(least > level::PREFIX, parts, work);
            }
            Op::Ite => {
                let [condition, then, otherwise] =
                    [0, 1, 2].map(|number| PrintTask::Expr(operands[number], level::ANY));
                let (mid, last) = (text(" then "), text(" else "));
                let parts = [text("if "), condition, mid, then, last, otherwise];
                parenthesised(least > level::ANY, parts, work);
            }
            Op::Select | Op::SeqAt => {
                work.push(PrintTask::Expr(operands[0], level::POSTFIX));
                enclosed("[", &operands[1..], "]", work);
            }
            Op::Store => {
                let last = operands.len() - 1;
                work.push(PrintTask::Expr(operands[0], level::POSTFIX));
                enclosed("[", &operands[1..last], " := ", work);
                enclosed("", &operands[last..], "]", work);
            }
            Op::ConstMap(ty) => {
                call(&format!("const<{}>", ty.display(module)), operands, &[], work);
            }
            Op::SeqEmpty(_) | Op::SeqUnit => enclosed("⟨", operands, "⟩", work),
            Op::Record(id) => {
                let record = &module.records[id.0 as usize];
                enclosed(format!("{} {{", record.name), operands, "}", work);
            }
            Op::Field(id, index) => {
                let field = &module.records[id.0 as usize].fields[*index as usize].0;
                work.push(PrintTask::Expr(operands[0], level::POSTFIX));
                work.push(text(format!(".{field}")));
            }
            Op::WithField(id, index) => {
                let field = &module.records[id.0 as usize].fields[*index as usize].0;
                work.push(PrintTask::Expr(operands[0], level::POSTFIX));
                enclosed(format!("[.{field} := "), &operands[1..], "]", work);
            }
            Op::Construct(id, index) => {
                call(constructor(module, *id, *index), operands, &[], work);
            }
            Op::IsConstructor(id, index) => {
                let is = text(format!(" is {}", constructor(module, *id, *index)));
                let parts = [PrintTask::Expr(operands[0], level::POSTFIX), is];
                parenthesised(least > level::COMPARE, parts, work);
            }
            Op::Argument(id, index, argument) => {
                work.push(PrintTask::Expr(operands[0], level::POSTFIX));
                work.push(text(format!("!{}.{argument}", constructor(module, *id, *index))));
            }
            Op::Memory(Memory::Load(ty)) => {
                work.push(PrintTask::Expr(operands[0], level::POSTFIX));
                let end = format!(" as {}}}", ty.display(module));
                enclosed("{", &operands[1..], end, work);
            }
            Op::Memory(Memory::Store(ty)) => {
                work.push(PrintTask::Expr(operands[0], level::POSTFIX));
                let middle = format!(" as {} := ", ty.display(module));
                enclosed("{", &operands[1..2], middle, work);
                enclosed("", &operands[2..], "}", work);
            }
            Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvNot
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr
            | Op::BvUlt
            | Op::BvUle
            | Op::BvSlt
            | Op::BvSle
            | Op::BvConcat
            | Op::BvExtract { .. }
            | Op::BvZeroExtend(_)
            | Op::BvSignExtend(_)
            | Op::BvPopcount
            | Op::BvLeadingZeros
            | Op::BvTrailingZeros
            | Op::BvSaddOverflows
            | Op::BvSsubOverflows
            | Op::BvSmulOverflows
            | Op::BvUaddOverflows
            | Op::BvUsubOverflows
            | Op::BvUmulOverflows
            | Op::BvToNat
            | Op::BvToInt
            | Op::IntToBv(_)
            | Op::Float(_)
            | Op::PtrAdd
            | Op::PtrOffset
            | Op::PtrSameObject
            | Op::PtrToBv
            | Op::BvToPtr
            | Op::Graph
            | Op::Join
            | Op::Product
            | Op::Transpose
            | Op::Closure
            | Op::ReflexiveClosure
            | Op::Singleton
            | Op::Cardinality
            | Op::SeqLength
            | Op::SeqSlice
            | Op::SeqReverse
            | Op::SeqCount
            | Op::Memory(
                Memory::Peek
                | Memory::IsWritten(_)
                | Memory::Copy
                | Memory::Fill
                | Memory::ObjectSize
                | Memory::IsLive
                | Memory::IsHeap,
            ) => {
                call(op.name(), operands, &op.numbers(), work);
            }
        }
    }

    /// The negation of an expression.
    fn not(&self, operand: ExprId, least: u8, work: &mut Vec<PrintTask>) {
        let notation = self.notation;
        if let (Expr::Op(op, operands), None) =
            (notation.exprs.get(operand), notation.shared.name(operand))
        {
            let sign = match op {
                Op::Eq if *notation.exprs.ty(operands[0]) != Type::Bool => Some(" ≠ "),
                Op::IntLt => Some(" ≥ "),
                Op::IntLe => Some(" > "),
                _ => None,
            };
            if let Some(sign) = sign {
                let at = level::COMPARE + 1;
                let parts = [
                    PrintTask::Expr(operands[0], at),
                    text(sign),
                    PrintTask::Expr(operands[1], at),
                ];
                parenthesised(least > level::COMPARE, parts, work);
                return;
            }
        }
        parenthesised(
            least > level::PREFIX,
            [text("¬"), PrintTask::Expr(operand, level::PREFIX)],
            work,
        );
    }

    /// An equation with a Boolean literal: the other operand, and whether it holds.
    fn truth(&self, operands: &[ExprId]) -> Option<(ExprId, bool)> {
        let literal = |id: ExprId| match self.notation.exprs.get(id) {
            Expr::Bool(value) => Some(*value),
            _ => None,
        };
        let [a, b] = [operands[0], operands[1]];
        literal(b).map(|value| (a, value)).or_else(|| literal(a).map(|value| (b, value)))
    }
}

fn constructor(module: &Module, variant: ir::VariantId, index: u32) -> &str {
    &module.variants[variant.0 as usize].constructors[index as usize].0
}

fn text(text: impl Into<Cow<'static, str>>) -> PrintTask {
    PrintTask::Text(text.into())
}

fn parenthesised<const N: usize>(needed: bool, parts: [PrintTask; N], work: &mut Vec<PrintTask>) {
    work.extend(needed.then(|| text("(")));
    work.extend(parts);
    work.extend(needed.then(|| text(")")));
}

fn enclosed(
    open: impl Into<Cow<'static, str>>,
    operands: &[ExprId],
    close: impl Into<Cow<'static, str>>,
    work: &mut Vec<PrintTask>,
) {
    work.push(text(open));
    for (number, &operand) in operands.iter().enumerate() {
        work.extend((number > 0).then(|| text(", ")));
        work.push(PrintTask::Expr(operand, level::ANY));
    }
    work.push(text(close));
}

fn call(name: &str, operands: &[ExprId], numbers: &[u32], work: &mut Vec<PrintTask>) {
    if operands.is_empty() {
        work.push(text(name.to_owned()));
        return;
    }
    let numbers: String = numbers.iter().map(|number| format!(", {number}")).collect();
    enclosed(format!("{name}("), operands, format!("{numbers})"), work);
}

//! Expressions. The work is kept in a list, so that depth costs no stack.
//!
//! An expression with operands that is used more than once is written where it is first used, as
//! `(%1 := e)`, and as `%1` from then on. Brief text does so for large expressions only.
//!
//! `null` and `seq[]` are written without their type where the context determines it. These places must agree
//! with those at which the resolver settles pending expressions.

use std::borrow::Cow;
use std::fmt::Write;

use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Detail, name, types::type_name};
use crate::expr::{Binder, Expr, ExprId, Exprs, Quantifier};
use crate::limits::REPEATED_EXPRESSION;
use crate::module::Module;
use crate::op::{Memory, Op};
use crate::procedure::Local;
use crate::statement::Variable;
use crate::types::Type;

/// How tightly operators bind, as in the parser.
mod level {
    pub(super) const ANY: u8 = 0;
    pub(super) const IFF: u8 = 1;
    pub(super) const IMPLIES: u8 = 2;
    pub(super) const OR: u8 = 3;
    pub(super) const AND: u8 = 4;
    pub(super) const EQUAL: u8 = 5;
    pub(super) const COMPARE: u8 = 6;
    pub(super) const CONCAT: u8 = 7;
    pub(super) const ADD: u8 = 8;
    pub(super) const MULTIPLY: u8 = 9;
    pub(super) const PREFIX: u8 = 10;
    pub(super) const POSTFIX: u8 = 11;
}

/// The expressions of one declaration or procedure while they are printed.
pub(super) struct Expressions<'m> {
    module: &'m Module,
    locals: &'m [Local],
    local_names: FxHashSet<&'m str>,
    exprs: &'m Exprs,
    /// Whether an expression has a label or will get one.
    shared: Vec<bool>,
    /// Whether an expression has no type of its own when it is written.
    open: Vec<bool>,
    labels: FxHashMap<ExprId, usize>,
    marks: FxHashMap<Binder, u32>,
    scope: FxHashSet<(&'m str, u32)>,
}

/// A pending printing task, last first.
enum PrintTask {
    Text(Cow<'static, str>),
    /// An expression that must bind this tightly; whether its context determines its type.
    Expr(ExprId, u8, bool),
    Leave(Binder),
}

impl<'m> Expressions<'m> {
    pub(super) fn new(
        module: &'m Module,
        locals: &'m [Local],
        exprs: &'m Exprs,
        roots: impl IntoIterator<Item = ExprId>,
        detail: Detail,
    ) -> Self {
        let mut uses = vec![0_u32; exprs.len()];
        for root in roots {
            uses[root.0 as usize] += 1;
        }
        for index in (0..exprs.len()).rev() {
            if uses[index] > 0 {
                for operand in exprs.get(ExprId(index as u32)).operands() {
                    uses[operand.0 as usize] += 1;
                }
            }
        }
        let largest = if detail == Detail::Full { 0 } else { REPEATED_EXPRESSION };
        let mut shared = vec![false; exprs.len()];
        let mut open = vec![false; exprs.len()];
        let mut sizes = vec![1_u32; exprs.len()];
        for index in 0..exprs.len() {
            let expr = exprs.get(ExprId(index as u32));
            let operands = expr.operands();
            let parts = operands.iter().map(|operand| sizes[operand.0 as usize]);
            // A binding expression counts as large: written twice, it would bind a labelled variable twice.
            let least = if expr.binders().is_empty() { 1 } else { REPEATED_EXPRESSION + 1 };
            let size = parts.fold(least, u32::saturating_add);
            shared[index] = uses[index] > 1 && !operands.is_empty() && size > largest;
            sizes[index] = if shared[index] { 1 } else { size };
            open[index] = match expr {
                Expr::Null(_) | Expr::Op(Op::SeqEmpty(_), _) => true,
                Expr::Op(Op::Ite, operands) => {
                    !shared[index] && operands[1..].iter().all(|branch| open[branch.0 as usize])
                }
                Expr::Bool(_)
                | Expr::Bv(..)
                | Expr::Int(_)
                | Expr::Read(_)
                | Expr::Bound(_)
                | Expr::Op(..)
                | Expr::Apply(..)
                | Expr::Old(_)
                | Expr::Quantified(..)
                | Expr::Lambda(..) => false,
            };
        }
        Expressions {
            module,
            locals,
            local_names: locals.iter().map(|local| &*local.name).collect(),
            exprs,
            shared,
            open,
            labels: FxHashMap::default(),
            marks: FxHashMap::default(),
            scope: FxHashSet::default(),
        }
    }

    /// Writes an expression; the flag says whether its context determines its type.
    pub(super) fn write(&mut self, out: &mut String, root: ExprId, known: bool) {
        self.write_at(out, root, level::ANY, known);
    }

    fn write_at(&mut self, out: &mut String, root: ExprId, level: u8, known: bool) {
        let mut work = vec![PrintTask::Expr(root, level, known)];
        while let Some(next) = work.pop() {
            match next {
                PrintTask::Text(text) => out.push_str(&text),
                PrintTask::Leave(binder) => {
                    let mark = self.marks[&binder];
                    self.scope.remove(&(self.exprs.binder(binder).0, mark));
                }
                PrintTask::Expr(id, least, known) => {
                    let start = work.len();
                    self.expr(id, least, known, &mut work);
                    work[start..].reverse();
                }
            }
        }
    }

    /// Brings a bound variable into scope: `x: T`, with a mark if its name is taken.
    pub(super) fn declare(&mut self, binder: Binder) -> String {
        let (bound, ty) = self.exprs.binder(binder);
        let mut mark = u32::from(self.local_names.contains(bound));
        while !self.scope.insert((bound, mark)) {
            mark += 1;
        }
        self.marks.insert(binder, mark);
        format!("{}: {}", self.bound(binder), ty.display(self.module))
    }

    fn bound(&self, binder: Binder) -> String {
        let (bound, _) = self.exprs.binder(binder);
        match self.marks.get(&binder) {
            None | Some(0) => name(bound).into_owned(),
            Some(mark) => format!("{}'{mark}", name(bound)),
        }
    }

    /// A variable as the text form writes it here.
    pub(super) fn variable(&self, variable: Variable) -> String {
        match variable {
            Variable::Local(id) => match self.locals.get(id.0 as usize) {
                Some(local) => name(&local.name).into_owned(),
                None => format!("`local {}`", id.0),
            },
            Variable::Global(id) => match self.module.globals.get(id.0 as usize) {
                Some(global) => self.of_module(&global.name),
                None => format!("`global {}`", id.0),
            },
        }
    }

    /// The name of a variable or constant of the module, which a nearer name may hide.
    fn of_module(&self, declared: &str) -> String {
        let is_hidden = self.local_names.contains(declared) || self.scope.contains(&(declared, 0));
        format!("{}{}", if is_hidden { "::" } else { "" }, name(declared))
    }

    /// Puts the parts of an expression behind the work, first part first.
    fn expr(&mut self, id: ExprId, least: u8, known: bool, work: &mut Vec<PrintTask>) {
        if self.shared[id.0 as usize] {
            if let Some(label) = self.labels.get(&id) {
                work.push(text(format!("%{label}")));
                return;
            }
            let label = self.labels.len() + 1;
            self.labels.insert(id, label);
            work.push(text(format!("(%{label} := ")));
            self.parts(id, level::ANY, false, work);
            work.push(text(")"));
            return;
        }
        self.parts(id, least, known, work);
    }

    fn parts(&mut self, id: ExprId, least: u8, known: bool, work: &mut Vec<PrintTask>) {
        match self.exprs.get(id) {
            Expr::Bool(value) => work.push(text(if *value { "true" } else { "false" })),
            Expr::Int(value) => work.push(text(number(value))),
            Expr::Bv(width, value) => work.push(text(format!("{}bv{width}", number(value)))),
            Expr::Null(_) if known => work.push(text("null")),
            Expr::Null(ty) => work.push(text(format!("null:{}", ty.display(self.module)))),
            Expr::Read(variable) => work.push(text(self.variable(*variable))),
            Expr::Bound(binder) => work.push(text(self.bound(*binder))),
            Expr::Op(op, operands) => self.op(op, operands, least, known, work),
            Expr::Apply(function, arguments) => {
                let function = &self.module.function(*function).name;
                if arguments.is_empty() {
                    work.push(text(self.of_module(function)));
                    return;
                }
                work.push(text(format!("{}(", super::function_name(function))));
                list(arguments, true, work);
                work.push(text(")"));
            }
            Expr::Old(operand) => {
                work.push(text("old("));
                work.push(PrintTask::Expr(*operand, level::ANY, false));
                work.push(text(")"));
            }
            Expr::Quantified(quantifier, binders, body) => {
                let word = match quantifier {
                    Quantifier::All => "(all ",
                    Quantifier::Some => "(some ",
                };
                self.binding([word, " :: ", ")"], binders, *body, work);
            }
            Expr::Lambda(binders, body) => {
                let words = match self.exprs.ty(*body) {
                    Type::Bool => ["{ ", " | ", " }"],
                    _ => ["(lambda ", " :: ", ")"],
                };
                self.binding(words, binders, *body, work);
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
        let declared: Vec<String> = binders.iter().map(|binder| self.declare(*binder)).collect();
        work.push(text(format!("{open}{}{middle}", declared.join(", "))));
        work.push(PrintTask::Expr(body, level::ANY, false));
        work.extend(binders.iter().map(|binder| PrintTask::Leave(*binder)));
        work.push(text(close));
    }

    fn op(
        &mut self,
        op: &Op,
        operands: &[ExprId],
        least: u8,
        known: bool,
        work: &mut Vec<PrintTask>,
    ) {
        let infix = |level, symbol: &str, work: &mut Vec<PrintTask>| {
            self.infix(operands, level, symbol, least, work);
        };
        match op {
            Op::Not => self.not(operands[0], least, work),
            Op::IntNeg | Op::BvNeg => {
                let is_literal = matches!(self.exprs.get(operands[0]), Expr::Int(_) | Expr::Bv(..));
                let inner = if is_literal { "(" } else { "" };
                parenthesised(least > level::PREFIX, work, |work| {
                    work.push(text(format!("-{inner}")));
                    work.push(PrintTask::Expr(operands[0], level::PREFIX, false));
                    work.push(text(if is_literal { ")" } else { "" }));
                });
            }
            Op::And => infix(level::AND, "&&", work),
            Op::Or => infix(level::OR, "||", work),
            Op::Implies => infix(level::IMPLIES, "==>", work),
            Op::Eq if *self.exprs.ty(operands[0]) == Type::Bool => {
                infix(level::IFF, "<==>", work);
            }
            Op::Eq => infix(level::EQUAL, "==", work),
            Op::IntLt => infix(level::COMPARE, "<", work),
            Op::IntLe => infix(level::COMPARE, "<=", work),
            Op::SeqConcat => infix(level::CONCAT, "++", work),
            Op::IntAdd | Op::BvAdd => infix(level::ADD, "+", work),
            Op::IntSub | Op::BvSub => infix(level::ADD, "-", work),
            Op::IntMul | Op::BvMul => infix(level::MULTIPLY, "*", work),
            Op::IntDiv => infix(level::MULTIPLY, "div", work),
            Op::IntMod => infix(level::MULTIPLY, "mod", work),
            Op::Ite => {
                let (yes, no) = match known {
                    true => (true, true),
                    false => self.alike(operands[1], operands[2]),
                };
                parenthesised(least > level::ANY, work, |work| {
                    work.push(text("if "));
                    work.push(PrintTask::Expr(operands[0], level::ANY, false));
                    work.push(text(" then "));
                    work.push(PrintTask::Expr(operands[1], level::ANY, yes));
                    work.push(text(" else "));
                    work.push(PrintTask::Expr(operands[2], level::ANY, no));
                });
            }
            Op::Select | Op::SeqAt => {
                work.push(PrintTask::Expr(operands[0], level::POSTFIX, false));
                work.push(text("["));
                list(&operands[1..], true, work);
                work.push(text("]"));
            }
            Op::Store => {
                let last = operands.len() - 1;
                work.push(PrintTask::Expr(operands[0], level::POSTFIX, false));
                work.push(text("["));
                list(&operands[1..last], true, work);
                work.push(text(" := "));
                work.push(PrintTask::Expr(operands[last], level::ANY, true));
                work.push(text("]"));
            }
            Op::ConstMap(ty) => {
                work.push(text(format!("const<{}>(", ty.display(self.module))));
                list(operands, true, work);
                work.push(text(")"));
            }
            Op::SeqEmpty(_) if known => work.push(text("seq[]")),
            Op::SeqEmpty(ty) => {
                work.push(text(format!("seq<{}>[]", ty.display(self.module))));
            }
            Op::SeqUnit => {
                work.push(text("seq["));
                list(operands, false, work);
                work.push(text("]"));
            }
            Op::Record(id) => {
                let record = &self.module.records[id.0 as usize];
                work.push(text(format!("{} {{", type_name(&record.name))));
                for (index, (operand, (field, _))) in
                    operands.iter().zip(&record.fields).enumerate()
                {
                    let comma = if index > 0 { "," } else { "" };
                    work.push(text(format!("{comma} {}: ", name(field))));
                    work.push(PrintTask::Expr(*operand, level::ANY, true));
                }
                work.push(text(" }"));
            }
            Op::Field(id, index) => {
                let field = &self.module.records[id.0 as usize].fields[*index as usize].0;
                work.push(PrintTask::Expr(operands[0], level::POSTFIX, false));
                work.push(text(format!(".{}", name(field))));
            }
            Op::WithField(id, index) => {
                let field = &self.module.records[id.0 as usize].fields[*index as usize].0;
                work.push(PrintTask::Expr(operands[0], level::POSTFIX, false));
                work.push(text(format!(" with {{ {}: ", name(field))));
                work.push(PrintTask::Expr(operands[1], level::ANY, true));
                work.push(text(" }"));
            }
            Op::Construct(id, index) => {
                let variant = &self.module.variants[id.0 as usize];
                let constructor = name(&variant.constructors[*index as usize].0);
                work.push(text(format!("{}::{constructor}", type_name(&variant.name))));
                if !operands.is_empty() {
                    work.push(text("("));
                    list(operands, true, work);
                    work.push(text(")"));
                }
            }
            Op::IsConstructor(id, index) => {
                let variant = &self.module.variants[id.0 as usize];
                let constructor = name(&variant.constructors[*index as usize].0);
                work.push(PrintTask::Expr(operands[0], level::POSTFIX, false));
                work.push(text(format!(" is {constructor}")));
            }
            Op::Argument(id, index, argument) => {
                let variant = &self.module.variants[id.0 as usize];
                let constructor = name(&variant.constructors[*index as usize].0);
                work.push(PrintTask::Expr(operands[0], level::POSTFIX, false));
                work.push(text(format!("!{constructor}.{argument}")));
            }
            Op::Memory(Memory::Load(ty)) => {
                work.push(PrintTask::Expr(operands[0], level::POSTFIX, false));
                work.push(text("{"));
                work.push(PrintTask::Expr(operands[1], level::ANY, true));
                work.push(text(format!(" as {}}}", ty.display(self.module))));
            }
            Op::Memory(Memory::Store(ty)) => {
                work.push(PrintTask::Expr(operands[0], level::POSTFIX, false));
                work.push(text("{"));
                work.push(PrintTask::Expr(operands[1], level::ANY, true));
                work.push(text(format!(" as {} := ", ty.display(self.module))));
                work.push(PrintTask::Expr(operands[2], level::ANY, true));
                work.push(text("}"));
            }
            Op::PtrAdd
            | Op::PtrOffset
            | Op::PtrSameObject
            | Op::PtrToBv
            | Op::Memory(
                Memory::Peek
                | Memory::IsWritten(_)
                | Memory::Copy
                | Memory::Fill
                | Memory::ObjectSize
                | Memory::IsLive
                | Memory::IsHeap,
            ) => {
                called(op, operands, true, work);
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
            | Op::BvToPtr
            | Op::Union
            | Op::Intersection
            | Op::Difference
            | Op::Subset
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
            | Op::SeqCount => called(op, operands, false, work),
        }
    }

    /// A negation; that of an equation is written `!=`.
    fn not(&self, operand: ExprId, least: u8, work: &mut Vec<PrintTask>) {
        match self.exprs.get(operand) {
            Expr::Op(Op::Eq, sides) if !self.shared[operand.0 as usize] => {
                self.infix(sides, level::EQUAL, "!=", least, work);
            }
            _ => parenthesised(least > level::PREFIX, work, |work| {
                work.push(text("!"));
                work.push(PrintTask::Expr(operand, level::PREFIX, false));
            }),
        }
    }

    fn infix(
        &self,
        operands: &[ExprId],
        level: u8,
        symbol: &str,
        least: u8,
        work: &mut Vec<PrintTask>,
    ) {
        let (left, right) = match symbol {
            "==" | "!=" | "++" => self.alike(operands[0], operands[1]),
            _ => (false, false),
        };
        // Implication alone groups to the right.
        let (left_level, right_level) =
            if symbol == "==>" { (level + 1, level) } else { (level, level + 1) };
        parenthesised(least > level, work, |work| {
            work.push(PrintTask::Expr(operands[0], left_level, left));
            work.push(text(format!(" {symbol} ")));
            work.push(PrintTask::Expr(operands[1], right_level, right));
        });
    }

    /// Which of two operands of the same type get theirs from the other.
    fn alike(&self, left: ExprId, right: ExprId) -> (bool, bool) {
        let (left, right) = (self.open[left.0 as usize], self.open[right.0 as usize]);
        (!right, !left || right)
    }
}

fn text(text: impl Into<Cow<'static, str>>) -> PrintTask {
    PrintTask::Text(text.into())
}

fn parenthesised(needed: bool, work: &mut Vec<PrintTask>, inner: impl FnOnce(&mut Vec<PrintTask>)) {
    if needed {
        work.push(text("("));
    }
    inner(work);
    if needed {
        work.push(text(")"));
    }
}

fn list(operands: &[ExprId], known: bool, work: &mut Vec<PrintTask>) {
    for (index, operand) in operands.iter().enumerate() {
        if index > 0 {
            work.push(text(", "));
        }
        work.push(PrintTask::Expr(*operand, level::ANY, known));
    }
}

fn called(op: &Op, operands: &[ExprId], known: bool, work: &mut Vec<PrintTask>) {
    work.push(text(format!("{}(", op.name())));
    list(operands, known, work);
    let mut numbers = String::new();
    for number in op.numbers() {
        let _ = write!(numbers, ", {number}");
    }
    work.push(text(format!("{numbers})")));
}

/// A number. Long ones are hexadecimal, which is read and written in linear time.
fn number(value: &BigInt) -> String {
    if value.bits() <= 256 { value.to_string() } else { format!("{value:#x}") }
}

//! The mistakes that are made in a body, one place at a time.

use super::kinds::{MethodScope, OperandType, OperatorGroup, group};
use super::{Mutant, MutationOperator, change};
use crate::syntax::{Binary, Expr, ExprKind, Stmt, StmtKind, TextRange, Unary};

/// The mutants of a body.
pub(super) fn mutants(text: &str, body: &[Stmt], kinds: &MethodScope) -> Vec<Mutant> {
    let mut making = MutantBuilder { text, kinds, made: Vec::new() };
    for statement in body {
        making.statement(statement);
    }
    making.made
}

/// Mutants under construction.
struct MutantBuilder<'m> {
    text: &'m str,
    kinds: &'m MethodScope,
    made: Vec<Mutant>,
}

impl MutantBuilder<'_> {
    fn add(&mut self, mistake: MutationOperator, at: TextRange, replacement: impl Into<String>) {
        self.made.push(change(mistake, at, replacement));
    }

    fn written(&self, at: TextRange) -> &str {
        self.text.get(at.start as usize..at.end as usize).unwrap_or("")
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Expr(_) => self.add(MutationOperator::Deletion, statement.at, ";"),
            StmtKind::If(..) | StmtKind::While(..) | StmtKind::For { .. } => {
                self.add(MutationOperator::Deletion, statement.at, ";");
            }
            StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(None) => {
                self.add(MutationOperator::Deletion, statement.at, ";");
            }
            // A compiler may require a `return` of a value, and other statements contain what is mutated
            // anyway.
            _ => {}
        }
        let (statements, expressions) = statement.parts();
        for expression in expressions {
            self.expression(expression, ExprContext::Value);
        }
        for part in statements {
            self.statement(part);
        }
    }

    fn expression(&mut self, expr: &Expr, stands: ExprContext) {
        match &expr.kind {
            ExprKind::Binary(op, left, right) => {
                self.operator(*op, expr, left, right);
                self.expression(left, ExprContext::Value);
                self.expression(right, ExprContext::Value);
            }
            ExprKind::Assign(op, target, value) => {
                if let Some(op) = op {
                    self.compound(*op, target, value);
                }
                self.expression(target, ExprContext::Target);
                self.expression(value, ExprContext::Value);
            }
            ExprKind::Update { up, prefix, target } => {
                let sign = if *up { "--" } else { "++" };
                let target_text = self.written(target.at).to_owned();
                let other = match prefix {
                    true => format!("{sign}{target_text}"),
                    false => format!("{target_text}{sign}"),
                };
                self.add(MutationOperator::Arithmetic, expr.at, other);
                self.expression(target, ExprContext::Target);
            }
            ExprKind::Unary(Unary::Not, part) => {
                let inner = format!("({})", self.written(part.at));
                self.add(MutationOperator::Condition, expr.at, inner);
                self.expression(part, ExprContext::Value);
            }
            ExprKind::Name(_) | ExprKind::Field(..) => self.place(expr, stands),
            _ => {
                for part in expr.parts() {
                    self.expression(part, ExprContext::Value);
                }
            }
        }
        if stands == ExprContext::Value && self.kinds.of(expr) == OperandType::Truth {
            let is_negated = matches!(expr.kind, ExprKind::Unary(Unary::Not, _));
            if !is_negated && !matches!(expr.kind, ExprKind::Literal(_)) {
                let negated = format!("(!({}))", self.written(expr.at));
                self.add(MutationOperator::Unary, expr.at, negated);
            }
        }
    }

    /// A binary operator for another of its group.
    fn operator(&mut self, op: Binary, expr: &Expr, left: &Expr, right: &Expr) {
        let between = TextRange { start: left.at.end, end: right.at.start };
        let is_number = self.kinds.of(left) == OperandType::Number
            && self.kinds.of(right) == OperandType::Number;
        let (mistake, others): (MutationOperator, &[Binary]) = match group(op) {
            OperatorGroup::Arithmetic if is_number => (MutationOperator::Arithmetic, &ARITHMETIC),
            OperatorGroup::Shift if is_number => (MutationOperator::Bits, &SHIFTS),
            OperatorGroup::Bits => (MutationOperator::Bits, &BITS),
            OperatorGroup::Relation if is_number => (MutationOperator::Relation, &RELATIONS),
            OperatorGroup::Relation => (MutationOperator::Relation, &EQUALITIES),
            OperatorGroup::Connective => (MutationOperator::Condition, &CONNECTIVES),
            OperatorGroup::Arithmetic | OperatorGroup::Shift | OperatorGroup::Specification => {
                return;
            }
        };
        let is_written = matches!(op, Binary::Eq | Binary::Ne) || is_number;
        if mistake == MutationOperator::Relation && !is_written {
            return;
        }
        let around = self.written(between).to_owned();
        for other in others.iter().filter(|other| **other != op) {
            let replaced = around.replacen(spelled(op), spelled(*other), 1);
            self.add(mistake, between, replaced);
        }
        if mistake == MutationOperator::Relation || mistake == MutationOperator::Condition {
            for truth in ["(true)", "(false)"] {
                self.add(mistake, expr.at, truth);
            }
        }
    }

    /// The operator of an assignment for another.
    fn compound(&mut self, op: Binary, target: &Expr, value: &Expr) {
        let between = TextRange { start: target.at.end, end: value.at.start };
        let (mistake, others): (MutationOperator, &[Binary]) = match group(op) {
            OperatorGroup::Arithmetic if self.kinds.of(value) == OperandType::Number => {
                (MutationOperator::Arithmetic, &ARITHMETIC)
            }
            OperatorGroup::Bits => (MutationOperator::Bits, &BITS),
            _ => return,
        };
        let around = self.written(between).to_owned();
        for other in others.iter().filter(|other| **other != op) {
            let replaced = around.replacen(spelled(op), spelled(*other), 1);
            self.add(mistake, between, replaced);
        }
    }

    /// A variable or field: another one, or something done to its value.
    fn place(&mut self, expr: &Expr, stands: ExprContext) {
        let kind = self.kinds.of(expr);
        match &expr.kind {
            ExprKind::Field(object, field) => {
                if let OperandType::Reference(class) = self.kinds.of(object) {
                    for other in self.kinds.other_fields(&class, &field.name) {
                        self.made.push(change(MutationOperator::Field, field.at, other));
                    }
                }
                self.expression(object, ExprContext::Object);
            }
            ExprKind::Name(name) if matches!(kind, OperandType::Reference(_)) => {
                for other in self.kinds.others(name, &kind, expr.at.start) {
                    self.made.push(change(MutationOperator::Reference, expr.at, other));
                }
            }
            _ => {}
        }
        if stands != ExprContext::Value {
            return;
        }
        let written = self.written(expr.at).to_owned();
        match kind {
            OperandType::Number => {
                for (before, behind) in [("-", ""), ("~", ""), ("++", ""), ("--", "")] {
                    self.add(
                        MutationOperator::Unary,
                        expr.at,
                        format!("({before}{written}{behind})"),
                    );
                }
                for behind in ["++", "--"] {
                    self.add(MutationOperator::Unary, expr.at, format!("({written}{behind})"));
                }
            }
            OperandType::Reference(_) => self.add(MutationOperator::Reference, expr.at, "null"),
            OperandType::Truth | OperandType::Other => {}
        }
    }
}

/// How an expression is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExprContext {
    /// Its value is read.
    Value,
    /// It is assigned.
    Target,
    /// A field of it is meant.
    Object,
}

const ARITHMETIC: [Binary; 5] = [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div, Binary::Rem];
const SHIFTS: [Binary; 3] = [Binary::Shl, Binary::Shr, Binary::UShr];
const BITS: [Binary; 3] = [Binary::And, Binary::Or, Binary::Xor];
const RELATIONS: [Binary; 6] =
    [Binary::Eq, Binary::Ne, Binary::Lt, Binary::Le, Binary::Gt, Binary::Ge];
const EQUALITIES: [Binary; 2] = [Binary::Eq, Binary::Ne];
const CONNECTIVES: [Binary; 2] = [Binary::AndAlso, Binary::OrElse];

/// How Java writes an operator.
fn spelled(op: Binary) -> &'static str {
    match op {
        Binary::Add => "+",
        Binary::Sub => "-",
        Binary::Mul => "*",
        Binary::Div => "/",
        Binary::Rem => "%",
        Binary::Shl => "<<",
        Binary::Shr => ">>",
        Binary::UShr => ">>>",
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "^",
        Binary::AndAlso => "&&",
        Binary::OrElse => "||",
        Binary::Eq => "==",
        Binary::Ne => "!=",
        Binary::Lt => "<",
        Binary::Le => "<=",
        Binary::Gt => ">",
        Binary::Ge => ">=",
        Binary::Implies => "==>",
        Binary::Iff => "<==>",
    }
}

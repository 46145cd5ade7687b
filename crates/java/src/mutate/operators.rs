//! The mistakes that are made in a body, one place at a time.

use super::kinds::{Group, Kind, Kinds, group};
use super::{Mistake, Mutant, change};
use crate::syntax::{At, Binary, Expr, ExprKind, Stmt, StmtKind, Unary};

/// The mutants of a body.
pub(super) fn mutants(text: &str, body: &[Stmt], kinds: &Kinds) -> Vec<Mutant> {
    let mut making = Making { text, kinds, made: Vec::new() };
    for statement in body {
        making.statement(statement);
    }
    making.made
}

/// Mutants in the making.
struct Making<'m> {
    text: &'m str,
    kinds: &'m Kinds,
    made: Vec<Mutant>,
}

impl Making<'_> {
    fn add(&mut self, mistake: Mistake, at: At, replacement: impl Into<String>) {
        self.made.push(change(mistake, at, replacement));
    }

    fn written(&self, at: At) -> &str {
        self.text.get(at.start as usize..at.end as usize).unwrap_or("")
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Expr(_) => self.add(Mistake::Deletion, statement.at, ";"),
            StmtKind::If(..) | StmtKind::While(..) | StmtKind::For { .. } => {
                self.add(Mistake::Deletion, statement.at, ";");
            }
            StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(None) => {
                self.add(Mistake::Deletion, statement.at, ";");
            }
            // A return of a value may be what a compiler asks for, and others hold what is looked at anyway.
            _ => {}
        }
        let (statements, expressions) = statement.parts();
        for expression in expressions {
            self.expression(expression, Stands::Value);
        }
        for part in statements {
            self.statement(part);
        }
    }

    fn expression(&mut self, expr: &Expr, stands: Stands) {
        match &expr.kind {
            ExprKind::Binary(op, left, right) => {
                self.operator(*op, expr, left, right);
                self.expression(left, Stands::Value);
                self.expression(right, Stands::Value);
            }
            ExprKind::Assign(op, target, value) => {
                if let Some(op) = op {
                    self.compound(*op, target, value);
                }
                self.expression(target, Stands::Target);
                self.expression(value, Stands::Value);
            }
            ExprKind::Update { up, prefix, target } => {
                let sign = if *up { "--" } else { "++" };
                let target_text = self.written(target.at).to_owned();
                let other = match prefix {
                    true => format!("{sign}{target_text}"),
                    false => format!("{target_text}{sign}"),
                };
                self.add(Mistake::Arithmetic, expr.at, other);
                self.expression(target, Stands::Target);
            }
            ExprKind::Unary(Unary::Not, part) => {
                let inner = format!("({})", self.written(part.at));
                self.add(Mistake::Condition, expr.at, inner);
                self.expression(part, Stands::Value);
            }
            ExprKind::Name(_) | ExprKind::Field(..) => self.place(expr, stands),
            _ => {
                for part in expr.parts() {
                    self.expression(part, Stands::Value);
                }
            }
        }
        if stands == Stands::Value && self.kinds.of(expr) == Kind::Truth {
            let is_negated = matches!(expr.kind, ExprKind::Unary(Unary::Not, _));
            if !is_negated && !matches!(expr.kind, ExprKind::Literal(_)) {
                let negated = format!("(!({}))", self.written(expr.at));
                self.add(Mistake::Unary, expr.at, negated);
            }
        }
    }

    /// A binary operator for another of its group.
    fn operator(&mut self, op: Binary, expr: &Expr, left: &Expr, right: &Expr) {
        let between = At { start: left.at.end, end: right.at.start };
        let is_number = self.kinds.of(left) == Kind::Number && self.kinds.of(right) == Kind::Number;
        let (mistake, others): (Mistake, &[Binary]) = match group(op) {
            Group::Arithmetic if is_number => (Mistake::Arithmetic, &ARITHMETIC),
            Group::Shift if is_number => (Mistake::Bits, &SHIFTS),
            Group::Bits => (Mistake::Bits, &BITS),
            Group::Relation if is_number => (Mistake::Relation, &RELATIONS),
            Group::Relation => (Mistake::Relation, &EQUALITIES),
            Group::Connective => (Mistake::Condition, &CONNECTIVES),
            Group::Arithmetic | Group::Shift | Group::Specification => return,
        };
        let is_written = matches!(op, Binary::Eq | Binary::Ne) || is_number;
        if mistake == Mistake::Relation && !is_written {
            return;
        }
        let around = self.written(between).to_owned();
        for other in others.iter().filter(|other| **other != op) {
            let replaced = around.replacen(spelled(op), spelled(*other), 1);
            self.add(mistake, between, replaced);
        }
        if mistake == Mistake::Relation || mistake == Mistake::Condition {
            for truth in ["(true)", "(false)"] {
                self.add(mistake, expr.at, truth);
            }
        }
    }

    /// The operator of an assignment for another.
    fn compound(&mut self, op: Binary, target: &Expr, value: &Expr) {
        let between = At { start: target.at.end, end: value.at.start };
        let (mistake, others): (Mistake, &[Binary]) = match group(op) {
            Group::Arithmetic if self.kinds.of(value) == Kind::Number => {
                (Mistake::Arithmetic, &ARITHMETIC)
            }
            Group::Bits => (Mistake::Bits, &BITS),
            _ => return,
        };
        let around = self.written(between).to_owned();
        for other in others.iter().filter(|other| **other != op) {
            let replaced = around.replacen(spelled(op), spelled(*other), 1);
            self.add(mistake, between, replaced);
        }
    }

    /// A variable or field: another one, or something done to its value.
    fn place(&mut self, expr: &Expr, stands: Stands) {
        let kind = self.kinds.of(expr);
        match &expr.kind {
            ExprKind::Field(object, field) => {
                if let Kind::Reference(class) = self.kinds.of(object) {
                    for other in self.kinds.other_fields(&class, &field.name) {
                        self.made.push(change(Mistake::Field, field.at, other));
                    }
                }
                self.expression(object, Stands::Object);
            }
            ExprKind::Name(name) if matches!(kind, Kind::Reference(_)) => {
                for other in self.kinds.others(name, &kind, expr.at.start) {
                    self.made.push(change(Mistake::Reference, expr.at, other));
                }
            }
            _ => {}
        }
        if stands != Stands::Value {
            return;
        }
        let written = self.written(expr.at).to_owned();
        match kind {
            Kind::Number => {
                for (before, behind) in [("-", ""), ("~", ""), ("++", ""), ("--", "")] {
                    self.add(Mistake::Unary, expr.at, format!("({before}{written}{behind})"));
                }
                for behind in ["++", "--"] {
                    self.add(Mistake::Unary, expr.at, format!("({written}{behind})"));
                }
            }
            Kind::Reference(_) => self.add(Mistake::Reference, expr.at, "null"),
            Kind::Truth | Kind::Other => {}
        }
    }
}

/// How an expression is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
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

//! What the compared procedures are made of.

use std::collections::BTreeMap;

use ir::{
    Allocation, Callee, Exit, Expr, ExprId, Memory, Module, Op, Procedure, StatementKind,
    TerminatorKind,
};

/// How often each construct occurs.
#[derive(Debug, Default)]
pub struct Census(pub BTreeMap<String, usize>);

/// The constructs that are no operators.
const CONSTRUCTS: [&str; 25] = [
    "assign",
    "assign several",
    "havoc",
    "havoc where",
    "assume",
    "assert",
    "allocate atom",
    "allocate object",
    "free",
    "call",
    "call through a value",
    "call by contract",
    "call and catch",
    "unsupported",
    "goto",
    "goto several",
    "branch",
    "exit",
    "exit exceptional",
    "exit intended",
    "cut",
    "old",
    "quantifier",
    "lambda",
    "function",
];

/// The operators that the text does not write as calls.
const SYMBOLS: [&str; 33] = [
    "Not",
    "And",
    "Or",
    "Implies",
    "Eq",
    "Ite",
    "IntNeg",
    "IntAdd",
    "IntSub",
    "IntMul",
    "IntDiv",
    "IntMod",
    "IntLt",
    "IntLe",
    "BvNeg",
    "BvAdd",
    "BvSub",
    "BvMul",
    "Select",
    "Store",
    "ConstMap",
    "SeqEmpty",
    "SeqUnit",
    "SeqConcat",
    "SeqAt",
    "Record",
    "Field",
    "WithField",
    "Construct",
    "IsConstructor",
    "Argument",
    "Load",
    "MemoryStore",
];

impl Census {
    /// Counts what a procedure is made of.
    pub fn add(&mut self, module: &Module, procedure: &Procedure) {
        for index in 0..procedure.exprs.len() as u32 {
            match procedure.exprs.get(ExprId(index)) {
                Expr::Bool(_) | Expr::Bv(..) | Expr::Int(_) | Expr::Null(_) => {}
                Expr::Read(_) | Expr::Bound(_) => {}
                Expr::Op(op, _) => self.count(&name(op)),
                Expr::Apply(..) => self.count("function"),
                Expr::Old(_) => self.count("old"),
                Expr::Quantified(..) => self.count("quantifier"),
                Expr::Lambda(..) => self.count("lambda"),
            }
        }
        for block in procedure.blocks.iter().flatten() {
            for statement in &block.statements {
                self.statement(module, &statement.kind);
            }
            self.count(match &block.terminator.kind {
                TerminatorKind::Goto(targets) if targets.len() > 1 => "goto several",
                TerminatorKind::Goto(_) => "goto",
                TerminatorKind::Branch(..) => "branch",
                TerminatorKind::Exit(Exit::Normal) => "exit",
                TerminatorKind::Exit(Exit::Exceptional(_)) => "exit exceptional",
                TerminatorKind::Exit(Exit::Intended(_)) => "exit intended",
                TerminatorKind::Exit(Exit::Cut(_)) => "cut",
            });
        }
    }

    fn statement(&mut self, module: &Module, kind: &StatementKind) {
        self.count(match kind {
            StatementKind::Assign(pairs) if pairs.len() > 1 => "assign several",
            StatementKind::Assign(_) => "assign",
            StatementKind::Havoc { condition: Some(_), .. } => "havoc where",
            StatementKind::Havoc { condition: None, .. } => "havoc",
            StatementKind::Assume { .. } => "assume",
            StatementKind::Assert { .. } => "assert",
            StatementKind::Allocate { allocation: Allocation::Atom(_), .. } => "allocate atom",
            StatementKind::Allocate { allocation: Allocation::Object { .. }, .. } => {
                "allocate object"
            }
            StatementKind::Free(_) => "free",
            StatementKind::Unsupported { .. } => "unsupported",
            StatementKind::Call { caught: Some(_), .. } => "call and catch",
            StatementKind::Call { callee: Callee::Choice(..), .. } => "call through a value",
            StatementKind::Call { callee: Callee::Procedure(id), .. } => {
                match module.procedure(*id).blocks {
                    Some(_) => "call",
                    None => "call by contract",
                }
            }
        });
    }

    fn count(&mut self, what: &str) {
        *self.0.entry(what.to_owned()).or_default() += 1;
    }

    /// Adds another census.
    pub fn add_all(&mut self, other: Census) {
        for (what, count) in other.0 {
            *self.0.entry(what).or_default() += count;
        }
    }

    /// The constructs and operators that occur less often than this.
    pub fn rare(&self, least: usize) -> Vec<(String, usize)> {
        let called = Op::CALLED.iter().map(name);
        let constructs = CONSTRUCTS.iter().chain(&SYMBOLS).map(|&name| name.to_owned());
        called
            .chain(constructs)
            .map(|name| (self.0.get(&name).copied().unwrap_or(0), name))
            .filter(|(count, _)| *count < least)
            .map(|(count, name)| (name, count))
            .collect()
    }
}

/// The name of an operator among the variants of its type.
fn name(op: &Op) -> String {
    let shown = match op {
        Op::Memory(Memory::Load(_)) => "Load".to_owned(),
        Op::Memory(Memory::Store(_)) => "MemoryStore".to_owned(),
        Op::Memory(memory) => format!("{memory:?}"),
        Op::Float(float) => format!("Float{float:?}"),
        op => format!("{op:?}"),
    };
    shown.split(['(', ' ']).next().unwrap_or_default().to_owned()
}

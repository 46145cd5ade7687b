//! Numbers that are only compared.
//!
//! If some numbers are only copied and compared, then only their order matters, and that of the constants among
//! them. Any state is then equivalent to one in which they lie within as many steps below the least constant and
//! above the greatest as there are such numbers. To find these numbers, unite values that flow into each other or
//! are compared, and give up those that are used otherwise. The result is an order matrix, encoded in a few bits,
//! which the interpreter can run.

use ir::{
    Expr, ExprId, Exprs, Module, Op, Place, Procedure, Projection, StatementKind, Type, Variable,
};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::defaults::overwritten;
use super::garbage::is_free;

/// Variables whose numbers are compared with each other and with some constants, and nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The variables: globals, parameters and others.
    pub variables: Vec<Variable>,
    /// The least and the greatest constant, if there is one.
    pub constants: Option<(BigInt, BigInt)>,
}

/// The variables of a procedure whose numbers are only compared, in classes. Unchecked assumptions do not count:
/// they concern absent atoms.
pub fn compared(module: &Module, procedure: &Procedure) -> Vec<Compared> {
    let mut flow = Flow::default();
    let ids = 0..module.globals.len() as u32;
    let globals = ids.map(|id| Variable::Global(ir::GlobalId(id)));
    let locals = (0..procedure.locals.len() as u32).map(|id| Variable::Local(ir::LocalId(id)));
    let variables: Vec<Variable> = globals.chain(locals).collect();
    let type_of = |variable: Variable| match variable {
        Variable::Global(id) => &module.global(id).ty,
        Variable::Local(id) => &procedure.local(id).ty,
    };
    for axiom in module.axioms.iter().chain(&module.invariants) {
        flow.arena(&axiom.exprs, vec![axiom.condition]);
    }
    let defaults = overwritten(procedure);
    let is_free = is_free(procedure);
    let mut statements = Vec::new();
    for (block, body) in procedure.blocks.iter().flatten().enumerate() {
        let kept = body.statements.iter().enumerate();
        let kept = kept.filter(|(position, _)| !defaults.contains(&(block, *position)));
        let kept = kept.map(|(_, statement)| &statement.kind).filter(|kind| !is_free(kind));
        statements.extend(kept);
    }
    flow.arena(&procedure.exprs, roots(procedure, &statements));
    for statement in statements {
        flow.statement(&procedure.exprs, statement, &type_of);
    }
    let mut classes: Vec<(usize, Compared)> = Vec::new();
    for variable in variables.into_iter().filter(|variable| has_numbers(type_of(*variable))) {
        let node = flow.variable(variable);
        let root = flow.root(node);
        let Standing::Compared { constants } = &flow.standing[root] else { continue };
        match classes.iter_mut().find(|(known, _)| *known == root) {
            Some((_, class)) => class.variables.push(variable),
            None => {
                let constants = constants.clone();
                classes.push((root, Compared { variables: vec![variable], constants }));
            }
        }
    }
    classes.into_iter().map(|(_, class)| class).collect()
}

/// The expressions that matter: those of statements, of the ends of blocks, and of what is asked for.
fn roots(procedure: &Procedure, statements: &[&StatementKind]) -> Vec<ExprId> {
    let mut roots = Vec::new();
    let contract = &procedure.contract;
    let ensures = contract.ensures.iter().map(|ensures| &ensures.clause);
    let clauses = contract.requires.iter().chain(ensures).filter(|clause| !clause.free);
    roots.extend(clauses.map(|clause| clause.condition));
    for statement in statements {
        statement.for_each_expr(&mut |id| roots.push(*id));
    }
    for block in procedure.blocks.iter().flatten() {
        block.terminator.kind.for_each_expr(&mut |id| roots.push(*id));
    }
    roots
}

/// Whether the values of a type are numbers, or maps to numbers from what is none.
fn has_numbers(ty: &Type) -> bool {
    match ty {
        Type::Bv(_) | Type::Int => true,
        Type::Map(keys, value) => {
            has_numbers(value) && keys.iter().all(|key| matches!(key, Type::Sort(_) | Type::Bool))
        }
        Type::Bool
        | Type::Sort(_)
        | Type::Ptr
        | Type::Seq(_)
        | Type::Record(_)
        | Type::Variant(_)
        | Type::Bytes => false,
    }
}

/// The known uses of numbers that flow into each other.
#[derive(Clone, Debug)]
enum Standing {
    /// They are copied and compared; the least and greatest constant among them.
    Compared { constants: Option<(BigInt, BigInt)> },
    /// Something else is done with them.
    Computed,
}

/// The flow of numbers: a forest of nodes, one for each variable and expression that has numbers.
#[derive(Default)]
struct Flow {
    parent: Vec<usize>,
    standing: Vec<Standing>,
    variables: FxHashMap<Variable, usize>,
    /// The nodes of the arena at hand.
    exprs: FxHashMap<ExprId, usize>,
}

impl Flow {
    fn node(&mut self) -> usize {
        self.parent.push(self.parent.len());
        self.standing.push(Standing::Compared { constants: None });
        self.parent.len() - 1
    }

    fn variable(&mut self, variable: Variable) -> usize {
        if let Some(&node) = self.variables.get(&variable) {
            return node;
        }
        let node = self.node();
        self.variables.insert(variable, node);
        node
    }

    fn expr(&mut self, id: ExprId) -> usize {
        if let Some(&node) = self.exprs.get(&id) {
            return node;
        }
        let node = self.node();
        self.exprs.insert(id, node);
        node
    }

    fn root(&mut self, node: usize) -> usize {
        let mut root = node;
        while self.parent[root] != root {
            self.parent[root] = self.parent[self.parent[root]];
            root = self.parent[root];
        }
        root
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        self.parent[b] = a;
        let merged = match (&self.standing[a], &self.standing[b]) {
            (Standing::Compared { constants: x }, Standing::Compared { constants: y }) => {
                let both = x.iter().chain(y);
                let least = both.clone().map(|(least, _)| least).min();
                let greatest = both.map(|(_, greatest)| greatest).max();
                Standing::Compared { constants: least.cloned().zip(greatest.cloned()) }
            }
            (Standing::Computed, _) | (_, Standing::Computed) => Standing::Computed,
        };
        self.standing[a] = merged;
    }

    fn give_up(&mut self, node: usize) {
        let root = self.root(node);
        self.standing[root] = Standing::Computed;
    }

    fn constant(&mut self, id: ExprId, value: BigInt) {
        let node = self.expr(id);
        let root = self.root(node);
        self.standing[root] = Standing::Compared { constants: Some((value.clone(), value)) };
    }

    /// Expressions of an arena and their operands; those of another that came before are forgotten.
    fn arena(&mut self, exprs: &Exprs, roots: Vec<ExprId>) {
        self.exprs.clear();
        let mut open = roots;
        let mut used = vec![false; exprs.len()];
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut used[id.0 as usize], true) {
                open.extend(exprs.get(id).operands());
            }
        }
        // Operands come before those that use them.
        for number in (0..exprs.len()).filter(|&number| used[number]) {
            self.flows(exprs, ExprId(number as u32));
        }
    }

    fn flows(&mut self, exprs: &Exprs, id: ExprId) {
        let is_number = |id: ExprId| has_numbers(exprs.ty(id));
        match exprs.get(id) {
            Expr::Bool(_) | Expr::Null(_) => {}
            Expr::Bv(width, value) => {
                let half = BigInt::from(1) << (width - 1);
                let is_negative = *value >= half;
                let value = if is_negative { value - (half << 1_u32) } else { value.clone() };
                self.constant(id, value);
            }
            Expr::Int(value) => self.constant(id, value.clone()),
            Expr::Read(variable) => {
                if is_number(id) {
                    let (a, b) = (self.expr(id), self.variable(*variable));
                    self.unite(a, b);
                }
            }
            Expr::Bound(_) => {
                // A variable that ranges over all numbers is not preserved.
                if is_number(id) {
                    let node = self.expr(id);
                    self.give_up(node);
                }
            }
            Expr::Op(op, operands) => self.operator(exprs, id, op, operands),
            Expr::Old(inner) | Expr::Lambda(_, inner) => {
                if is_number(id) && is_number(*inner) {
                    let (a, b) = (self.expr(id), self.expr(*inner));
                    self.unite(a, b);
                } else if is_number(*inner) {
                    let node = self.expr(*inner);
                    self.give_up(node);
                }
            }
            Expr::Quantified(..) => {}
            Expr::Apply(_, operands) => {
                for part in operands.iter().copied().chain([id]).filter(|part| is_number(*part)) {
                    let node = self.expr(part);
                    self.give_up(node);
                }
            }
        }
    }

    fn operator(&mut self, exprs: &Exprs, id: ExprId, op: &Op, operands: &[ExprId]) {
        let is_number = |id: ExprId| has_numbers(exprs.ty(id));
        // The operands that are in one class, and whether the result is; the others are used otherwise.
        let (same, with_result): (&[ExprId], bool) = match op {
            Op::Eq | Op::BvSlt | Op::BvSle | Op::IntLt | Op::IntLe => (operands, false),
            Op::Ite => (&operands[1..], true),
            Op::Select => (&operands[..1], true),
            Op::ConstMap(_) => (operands, true),
            Op::Not | Op::And | Op::Or | Op::Implies => (&[], false),
            _ => (&[], true),
        };
        let is_one = same.iter().all(|part| is_number(*part)) && (!with_result || !same.is_empty());
        if is_one && (!with_result || is_number(id)) {
            let mut parts = same.iter().copied().chain(with_result.then_some(id));
            if let Some(first) = parts.next() {
                let first = self.expr(first);
                for part in parts {
                    let part = self.expr(part);
                    self.unite(first, part);
                }
            }
            for part in operands.iter().filter(|part| !same.contains(part) && is_number(**part)) {
                let node = self.expr(*part);
                self.give_up(node);
            }
            return;
        }
        for part in operands.iter().copied().chain([id]).filter(|part| is_number(*part)) {
            let node = self.expr(part);
            self.give_up(node);
        }
    }

    fn statement<'t>(
        &mut self,
        exprs: &Exprs,
        statement: &StatementKind,
        type_of: &dyn Fn(Variable) -> &'t Type,
    ) {
        match statement {
            StatementKind::Assign(pairs) => {
                for (place, value) in pairs {
                    self.keys(exprs, place);
                    let (from, to) =
                        (has_numbers(exprs.ty(*value)), has_numbers(type_of(place.variable)));
                    match (from, to) {
                        (true, true) => {
                            let (a, b) = (self.expr(*value), self.variable(place.variable));
                            self.unite(a, b);
                        }
                        (true, false) => {
                            let node = self.expr(*value);
                            self.give_up(node);
                        }
                        (false, true) => self.lose(place),
                        (false, false) => {}
                    }
                }
            }
            StatementKind::Assume { .. }
            | StatementKind::Assert { .. }
            | StatementKind::Free(_) => {}
            StatementKind::Havoc { .. }
            | StatementKind::Allocate { .. }
            | StatementKind::Call { .. }
            | StatementKind::Unsupported { .. } => {
                statement.for_each_expr(&mut |id| {
                    if has_numbers(exprs.ty(*id)) {
                        let node = self.expr(*id);
                        self.give_up(node);
                    }
                });
                for place in statement.written() {
                    if has_numbers(type_of(place.variable)) {
                        self.lose(place);
                    }
                }
            }
        }
    }

    /// Keys are distinguished by more than their order.
    fn keys(&mut self, exprs: &Exprs, place: &Place) {
        for projection in &place.path {
            if let Projection::Index(keys) = projection {
                for key in keys.iter().filter(|key| has_numbers(exprs.ty(**key))) {
                    let node = self.expr(*key);
                    self.give_up(node);
                }
            }
        }
    }

    fn lose(&mut self, place: &Place) {
        let node = self.variable(place.variable);
        self.give_up(node);
    }
}

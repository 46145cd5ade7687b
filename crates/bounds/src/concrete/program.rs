//! Prepared expressions: each distinct one once, with the slots that memoize its value.
//!
//! A contract uses the same reached set many times, in different words of the source and the same of the formula.
//! So equal expressions become one node, bound variables being the same if they are bound equally deep, and
//! expensive values are memoized for as long as the state is the same.

use ir::{
    Allocation, Binder, Expr, ExprId, Limit, Module, Op, Procedure, Quantifier, StatementKind,
    Type, Variable,
};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use crate::limits::BOUND_VARIABLES;

/// The number of a node.
pub(crate) type NodeId = u32;

/// A procedure with prepared expressions, which can be executed from many heaps.
pub struct Program<'p> {
    pub(crate) module: &'p Module,
    pub(crate) procedure: &'p Procedure,
    pub(crate) nodes: Vec<Node>,
    /// The node of each expression that has one.
    pub(crate) node_of: Vec<Option<NodeId>>,
    /// How many values are remembered.
    pub(crate) remembered: usize,
    /// How many atoms of each sort are allocated at most.
    pub(crate) allocated: Vec<u32>,
}

/// An expression.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) what: NodeKind,
    pub(crate) shape: TypeTraits,
    pub(crate) memo: Option<MemoSlot>,
    /// The depths of the bound variables that it mentions, as bits.
    free: u32,
}

/// The kinds of expressions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum NodeKind {
    /// Something that has no representation here.
    Opaque,
    Truth(bool),
    Number(i64),
    Null,
    /// The value of a variable, by slot.
    Read(usize),
    /// The value of a bound variable, by depth.
    Bound(u8),
    Op(Op, Vec<NodeId>),
    Old(NodeId),
    Quantified(Quantifier, Range, NodeId),
    Lambda(Range, NodeId),
}

/// The range of a bound variable: a sort, or a set outside of which nothing matters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Range {
    pub(crate) depth: u8,
    pub(crate) sort: usize,
    pub(crate) within: Option<NodeId>,
}

/// The properties of an expression's type that matter here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct TypeTraits {
    /// The width of a word.
    pub(crate) width: Option<u32>,
    /// The sorts of the keys of a map.
    pub(crate) keys: [Option<usize>; 2],
}

/// The place where the value of an expression is memoized.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MemoSlot {
    /// It mentions no bound variable.
    Once(usize),
    /// It mentions one, of this depth; there is a place for each atom.
    Each(usize, u8),
}

/// Values are memoized separately for at most this many atoms.
const ATOMS: usize = crate::concrete::MOST as usize + 1;

impl<'p> Program<'p> {
    /// Makes the expressions of a procedure ready: those of its contract, and of its body.
    pub fn new(module: &'p Module, procedure: &'p Procedure) -> Program<'p> {
        let mut allocated = vec![0; module.sorts.len()];
        let mut roots = Vec::new();
        let contract = &procedure.contract;
        let ensures = contract.ensures.iter().map(|ensured| &ensured.clause);
        let clauses = contract.requires.iter().chain(ensures);
        roots.extend(clauses.map(|clause| clause.condition));
        for block in procedure.blocks.iter().flatten() {
            for statement in &block.statements {
                statement.kind.for_each_expr(&mut |id| roots.push(*id));
                if let StatementKind::Allocate { allocation: Allocation::Atom(sort), .. } =
                    &statement.kind
                {
                    allocated[sort.0 as usize] += 1;
                }
            }
            block.terminator.kind.for_each_expr(&mut |id| roots.push(*id));
        }
        let program = Program {
            module,
            procedure,
            nodes: Vec::new(),
            node_of: vec![None; procedure.exprs.len()],
            remembered: 0,
            allocated,
        };
        let mut making = ProgramBuilder {
            program,
            known: FxHashMap::default(),
            depths: FxHashMap::default(),
            depth: 0,
        };
        for root in roots {
            making.node(root);
        }
        making.program
    }

    /// The slot of a variable in a state.
    pub(crate) fn slot(&self, variable: Variable) -> usize {
        match variable {
            Variable::Global(id) => id.0 as usize,
            Variable::Local(id) => self.module.globals.len() + id.0 as usize,
        }
    }

    /// The node of an expression.
    pub(crate) fn node(&self, id: ExprId) -> NodeId {
        self.node_of[id.0 as usize].expect("all roots have been made ready")
    }
}

/// Expressions under preparation.
struct ProgramBuilder<'p> {
    program: Program<'p>,
    known: FxHashMap<(NodeKind, TypeTraits), NodeId>,
    /// The binding depth of each bound variable where it first occurs.
    depths: FxHashMap<Binder, u8>,
    depth: u8,
}

impl ProgramBuilder<'_> {
    fn node(&mut self, id: ExprId) -> NodeId {
        if let Some(known) = self.program.node_of[id.0 as usize] {
            return known;
        }
        let procedure = self.program.procedure;
        let exprs = &procedure.exprs;
        let ty = exprs.ty(id);
        let what = match exprs.get(id) {
            Expr::Bool(truth) => NodeKind::Truth(*truth),
            Expr::Bv(width, value) => match value.to_i64() {
                Some(value) if *width < 63 => NodeKind::Number(wrapped(value, *width)),
                _ => NodeKind::Opaque,
            },
            Expr::Int(value) => value.to_i64().map_or(NodeKind::Opaque, NodeKind::Number),
            Expr::Null(Type::Sort(_)) => NodeKind::Null,
            Expr::Null(_) | Expr::Apply(..) => NodeKind::Opaque,
            Expr::Read(variable) => NodeKind::Read(self.program.slot(*variable)),
            Expr::Bound(binder) => {
                self.depths.get(binder).map_or(NodeKind::Opaque, |d| NodeKind::Bound(*d))
            }
            Expr::Op(op, operands) => NodeKind::Op(
                op.clone(),
                operands.iter().map(|operand| self.node(*operand)).collect(),
            ),
            Expr::Old(inner) => NodeKind::Old(self.node(*inner)),
            Expr::Quantified(quantifier, binders, body) => {
                let made = self.quantified(*quantifier, binders, *body);
                self.program.node_of[id.0 as usize] = Some(made);
                return made;
            }
            Expr::Lambda(binders, body) => match binders[..] {
                [binder] if *exprs.ty(*body) == Type::Bool => {
                    let made = self.ranging(Quantifier::Some, binder, &[], *body);
                    made.map_or(NodeKind::Opaque, |(range, body)| NodeKind::Lambda(range, body))
                }
                _ => NodeKind::Opaque,
            },
        };
        let made = self.intern(what, shape(ty));
        self.program.node_of[id.0 as usize] = Some(made);
        made
    }

    /// A quantifier over several variables is one for each.
    fn quantified(&mut self, quantifier: Quantifier, binders: &[Binder], body: ExprId) -> NodeId {
        let Some((&first, rest)) = binders.split_first() else { return self.node(body) };
        let made = self.ranging(quantifier, first, rest, body);
        let what = made.map_or(NodeKind::Opaque, |(range, body)| {
            NodeKind::Quantified(quantifier, range, body)
        });
        self.intern(what, shape(&Type::Bool))
    }

    /// The range of a bound variable, and the body with the variables that are left.
    fn ranging(
        &mut self,
        quantifier: Quantifier,
        binder: Binder,
        rest: &[Binder],
        body: ExprId,
    ) -> Option<(Range, NodeId)> {
        let procedure = self.program.procedure;
        let exprs = &procedure.exprs;
        let Type::Sort(sort) = exprs.binder(binder).1 else { return None };
        if self.depth >= BOUND_VARIABLES {
            return None;
        }
        let guards = exprs.guards(quantifier, body);
        let mut bound: Vec<Binder> = rest.to_vec();
        bound.push(binder);
        let set = guards.iter().find_map(|guard| match exprs.limit(*guard, binder) {
            Some((Limit::Member, set)) if !exprs.mentions(set, &bound) => Some(set),
            _ => None,
        });
        let within = set.map(|set| self.node(set));
        let depth = *self.depths.entry(binder).or_insert(self.depth);
        let outer = self.depth;
        self.depth = depth.max(outer) + 1;
        let body = match rest.is_empty() {
            true => self.node(body),
            false => self.quantified(quantifier, rest, body),
        };
        self.depth = outer;
        Some((Range { depth, sort: sort.0 as usize, within }, body))
    }

    fn intern(&mut self, what: NodeKind, shape: TypeTraits) -> NodeId {
        if let Some(&known) = self.known.get(&(what.clone(), shape)) {
            return known;
        }
        let program = &mut self.program;
        let free_in = |id: &NodeId| program.nodes[*id as usize].free;
        let (free, is_dear) = match &what {
            NodeKind::Opaque
            | NodeKind::Truth(_)
            | NodeKind::Number(_)
            | NodeKind::Null
            | NodeKind::Read(_) => (0, false),
            NodeKind::Bound(depth) => (1 << depth, false),
            NodeKind::Op(op, operands) => {
                (operands.iter().map(free_in).fold(0, |a, b| a | b), op.is_specification())
            }
            NodeKind::Old(inner) => (free_in(inner), false),
            NodeKind::Quantified(_, range, body) | NodeKind::Lambda(range, body) => {
                let within = range.within.as_ref().map_or(0, free_in);
                (free_in(body) & !(1 << range.depth) | within, true)
            }
        };
        let memo = match free.count_ones() {
            0 if is_dear => Some(MemoSlot::Once(program.remembered)),
            1 if is_dear => Some(MemoSlot::Each(program.remembered, free.trailing_zeros() as u8)),
            _ => None,
        };
        program.remembered += match memo {
            Some(MemoSlot::Once(_)) => 1,
            Some(MemoSlot::Each(..)) => ATOMS,
            None => 0,
        };
        let id = program.nodes.len() as NodeId;
        program.nodes.push(Node { what: what.clone(), shape, memo, free });
        self.known.insert((what, shape), id);
        id
    }
}

/// A number read in two's complement at a width.
pub(crate) fn wrapped(value: i64, width: u32) -> i64 {
    let unused = 64 - width;
    value << unused >> unused
}

fn shape(ty: &Type) -> TypeTraits {
    let sort = |ty: &Type| match ty {
        Type::Sort(sort) => Some(sort.0 as usize),
        _ => None,
    };
    match ty {
        Type::Bv(width) => TypeTraits { width: Some(*width), ..TypeTraits::default() },
        Type::Map(keys, _) => TypeTraits {
            keys: [keys.first().and_then(sort), keys.get(1).and_then(sort)],
            ..TypeTraits::default()
        },
        Type::Bool
        | Type::Int
        | Type::Sort(_)
        | Type::Ptr
        | Type::Seq(_)
        | Type::Record(_)
        | Type::Variant(_)
        | Type::Bytes => TypeTraits::default(),
    }
}

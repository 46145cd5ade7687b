//! The arena in which expressions, formulas and integers are built, each distinct one once.
//!
//! Handles ([`Expr`](crate::Expr), [`Formula`](crate::Formula), [`Int`](crate::Int)) are a reference to a
//! [`Logic`] and an index into it. Building never fails: an ill-typed node is stored with its error, every
//! node above it inherits the error, and the translation or evaluation of the node reports it. Operands are
//! older than the node that uses them.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::typing;

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub(crate) struct $name(pub(crate) u32);

        impl $name {
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

index! {
    /// A node of sort expression.
    ExprId,
    /// A node of sort formula.
    FormulaId,
    /// A node of sort integer.
    IntId,
    /// A declared relation.
    RelationId,
    /// A quantified or let-bound variable.
    VariableId
}

/// A relational expression: its value is a set of tuples.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ExprNode {
    Relation(RelationId),
    Variable(VariableId),
    Univ,
    Iden,
    Nothing(usize),
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    Project(ExprId, Box<[usize]>),
    Comprehension(Box<[Decl]>, FormulaId),
    Conditional(FormulaId, ExprId, ExprId),
    Let(VariableId, ExprId, ExprId),
    /// The atom that represents an integer, if the bounds assign it one.
    OfInt(IntId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum UnaryOp {
    Transpose,
    Closure,
    ReflexiveClosure,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum BinaryOp {
    Union,
    Intersection,
    Difference,
    Product,
    Join,
    Override,
    /// The set on the left restricts the domain of the relation on the right.
    RestrictDomain,
    /// The set on the right restricts the range of the relation on the left.
    RestrictRange,
}

/// A formula: its value is a truth value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum FormulaNode {
    Constant(bool),
    Compare(Comparison, ExprId, ExprId),
    Multiplicity(Multiplicity, ExprId),
    Quantified(Quantifier, Box<[Decl]>, FormulaId),
    Not(FormulaId),
    Connective(Connective, FormulaId, FormulaId),
    Let(VariableId, ExprId, FormulaId),
    CompareInt(IntComparison, IntId, IntId),
    TotalOrder(TotalOrder),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Comparison {
    In,
    Equal,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Multiplicity {
    No,
    Some,
    One,
    Lone,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Quantifier {
    All,
    Some,
    No,
    One,
    Lone,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Connective {
    And,
    Or,
    Implies,
    Iff,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum IntComparison {
    Equal,
    Less,
    AtMost,
}

/// `next` orders the atoms of `ordered` from `first` to `last`; all four are relations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TotalOrder {
    pub(crate) next: ExprId,
    pub(crate) ordered: ExprId,
    pub(crate) first: ExprId,
    pub(crate) last: ExprId,
}

/// An integer expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum IntNode {
    Constant(i64),
    Cardinality(ExprId),
    /// The sum of the integers whose atoms are in the set.
    SumOf(ExprId),
    Sum(Box<[Decl]>, IntId),
    Negate(IntId),
    Binary(IntOp, IntId, IntId),
    Conditional(FormulaId, IntId, IntId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum IntOp {
    Add,
    Subtract,
    Multiply,
    /// Truncated towards zero; zero if the divisor is.
    Divide,
    /// The remainder of `Divide`, with the sign of the dividend; the dividend if the divisor is
    /// zero.
    Remainder,
}

/// A variable and the expression its values (single tuples) are drawn from. The variable differs
/// from all variables of the same list named in `distinct_from`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Decl {
    pub(crate) variable: VariableId,
    pub(crate) domain: ExprId,
    pub(crate) distinct_from: Box<[VariableId]>,
}

/// The properties of a node that do not depend on bounds.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// The arity of an expression; zero for formulas, integers and ill-typed expressions.
    pub(crate) arity: usize,
    /// The variables that are free in the node, sorted.
    pub(crate) free: Rc<[VariableId]>,
    /// The length of the longest path below the node.
    pub(crate) depth: usize,
    /// How many nodes have this one as an operand.
    pub(crate) uses: usize,
    /// The type error of the node or of one below it.
    pub(crate) fault: Option<Rc<TypeError>>,
}

/// The smallest ill-typed node below some node, and what is wrong with it.
#[derive(Debug)]
pub(crate) struct TypeError {
    pub(crate) node: AnyNode,
    pub(crate) why: String,
}

/// A node of any sort, for faults and printing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AnyNode {
    Expr(ExprId),
    Formula(FormulaId),
    Int(IntId),
}

/// A relation symbol.
#[derive(Debug)]
pub(crate) struct RelationInfo {
    pub(crate) name: String,
    pub(crate) arity: usize,
}

/// A variable symbol.
#[derive(Debug)]
pub(crate) struct VariableInfo {
    pub(crate) name: String,
    pub(crate) arity: usize,
}

/// The nodes of one sort, interned.
#[derive(Debug)]
pub(crate) struct Table<N> {
    nodes: Vec<(N, Facts)>,
    interned: FxHashMap<N, u32>,
}

impl<N> Default for Table<N> {
    fn default() -> Table<N> {
        Table { nodes: Vec::new(), interned: FxHashMap::default() }
    }
}

impl<N: Clone + Eq + std::hash::Hash> Table<N> {
    pub(crate) fn node(&self, index: usize) -> &N {
        &self.nodes[index].0
    }

    pub(crate) fn facts(&self, index: usize) -> &Facts {
        &self.nodes[index].1
    }
}

/// The contents of a [`Logic`].
#[derive(Debug, Default)]
pub(crate) struct Arena {
    pub(crate) exprs: Table<ExprNode>,
    pub(crate) formulas: Table<FormulaNode>,
    pub(crate) ints: Table<IntNode>,
    pub(crate) relations: Vec<RelationInfo>,
    pub(crate) variables: Vec<VariableInfo>,
}

impl Arena {
    pub(crate) fn facts(&self, node: AnyNode) -> &Facts {
        match node {
            AnyNode::Expr(id) => self.exprs.facts(id.index()),
            AnyNode::Formula(id) => self.formulas.facts(id.index()),
            AnyNode::Int(id) => self.ints.facts(id.index()),
        }
    }

    fn facts_mut(&mut self, node: AnyNode) -> &mut Facts {
        match node {
            AnyNode::Expr(id) => &mut self.exprs.nodes[id.index()].1,
            AnyNode::Formula(id) => &mut self.formulas.nodes[id.index()].1,
            AnyNode::Int(id) => &mut self.ints.nodes[id.index()].1,
        }
    }

    /// The facts of a new node, from its operands' facts and its own typing.
    fn derive(
        &mut self,
        node: AnyNode,
        operands: &[AnyNode],
        bound: &[VariableId],
        typing: Result<usize, String>,
    ) -> Facts {
        let mut free: Vec<VariableId> = Vec::new();
        let mut depth = 0;
        let mut fault = None;
        for &operand in operands {
            let facts = self.facts_mut(operand);
            facts.uses += 1;
            free.extend(facts.free.iter().filter(|variable| !bound.contains(variable)));
            depth = depth.max(facts.depth + 1);
            fault = fault.or_else(|| facts.fault.clone());
        }
        free.sort_unstable();
        free.dedup();
        let arity = match typing {
            Ok(arity) => arity,
            Err(why) => {
                fault = fault.or_else(|| Some(Rc::new(TypeError { node, why })));
                0
            }
        };
        Facts { arity, free: free.into(), depth, uses: 0, fault }
    }

    pub(crate) fn expr(&mut self, node: ExprNode) -> ExprId {
        if let Some(&index) = self.exprs.interned.get(&node) {
            return ExprId(index);
        }
        let id = ExprId(self.exprs.nodes.len() as u32);
        let (operands, bound) = node.operands();
        let typing = typing::of_expr(self, &node);
        let mut facts = self.derive(AnyNode::Expr(id), &operands, &bound, typing);
        if let ExprNode::Variable(variable) = node {
            facts.free = Rc::new([variable]);
        }
        self.exprs.interned.insert(node.clone(), id.0);
        self.exprs.nodes.push((node, facts));
        id
    }

    pub(crate) fn formula(&mut self, node: FormulaNode) -> FormulaId {
        if let Some(&index) = self.formulas.interned.get(&node) {
            return FormulaId(index);
        }
        let id = FormulaId(self.formulas.nodes.len() as u32);
        let (operands, bound) = node.operands();
        let typing = typing::of_formula(self, &node);
        let facts = self.derive(AnyNode::Formula(id), &operands, &bound, typing);
        self.formulas.interned.insert(node.clone(), id.0);
        self.formulas.nodes.push((node, facts));
        id
    }

    pub(crate) fn int(&mut self, node: IntNode) -> IntId {
        if let Some(&index) = self.ints.interned.get(&node) {
            return IntId(index);
        }
        let id = IntId(self.ints.nodes.len() as u32);
        let (operands, bound) = node.operands();
        let typing = typing::of_int(self, &node);
        let facts = self.derive(AnyNode::Int(id), &operands, &bound, typing);
        self.ints.interned.insert(node.clone(), id.0);
        self.ints.nodes.push((node, facts));
        id
    }

    pub(crate) fn variable(&mut self, name: &str, arity: usize) -> VariableId {
        self.variables.push(VariableInfo { name: name.to_owned(), arity });
        VariableId(self.variables.len() as u32 - 1)
    }

    /// The name of a node's relation, if it is one.
    pub(crate) fn as_relation(&self, expr: ExprId) -> Option<RelationId> {
        match self.exprs.node(expr.index()) {
            ExprNode::Relation(relation) => Some(*relation),
            _ => None,
        }
    }
}

/// The operands of a node, and the variables it binds.
type Operands = (Vec<AnyNode>, Vec<VariableId>);

fn under_decls(decls: &[Decl], body: AnyNode) -> Operands {
    let mut operands: Vec<AnyNode> = decls.iter().map(|d| AnyNode::Expr(d.domain)).collect();
    operands.push(body);
    (operands, decls.iter().map(|decl| decl.variable).collect())
}

impl ExprNode {
    pub(crate) fn operands(&self) -> Operands {
        let operands = match *self {
            ExprNode::Relation(_)
            | ExprNode::Variable(_)
            | ExprNode::Univ
            | ExprNode::Iden
            | ExprNode::Nothing(_) => vec![],
            ExprNode::Unary(_, a) | ExprNode::Project(a, _) => vec![AnyNode::Expr(a)],
            ExprNode::Binary(_, a, b) => vec![AnyNode::Expr(a), AnyNode::Expr(b)],
            ExprNode::Comprehension(ref decls, body) => {
                return under_decls(decls, AnyNode::Formula(body));
            }
            ExprNode::Conditional(f, a, b) => {
                vec![AnyNode::Formula(f), AnyNode::Expr(a), AnyNode::Expr(b)]
            }
            ExprNode::Let(variable, a, b) => {
                return (vec![AnyNode::Expr(a), AnyNode::Expr(b)], vec![variable]);
            }
            ExprNode::OfInt(i) => vec![AnyNode::Int(i)],
        };
        (operands, vec![])
    }
}

impl FormulaNode {
    pub(crate) fn operands(&self) -> Operands {
        let operands = match *self {
            FormulaNode::Constant(_) => vec![],
            FormulaNode::Compare(_, a, b) => vec![AnyNode::Expr(a), AnyNode::Expr(b)],
            FormulaNode::Multiplicity(_, a) => vec![AnyNode::Expr(a)],
            FormulaNode::Quantified(_, ref decls, body) => {
                return under_decls(decls, AnyNode::Formula(body));
            }
            FormulaNode::Not(f) => vec![AnyNode::Formula(f)],
            FormulaNode::Connective(_, f, g) => vec![AnyNode::Formula(f), AnyNode::Formula(g)],
            FormulaNode::Let(variable, a, f) => {
                return (vec![AnyNode::Expr(a), AnyNode::Formula(f)], vec![variable]);
            }
            FormulaNode::CompareInt(_, a, b) => vec![AnyNode::Int(a), AnyNode::Int(b)],
            FormulaNode::TotalOrder(TotalOrder { next, ordered, first, last }) => {
                [next, ordered, first, last].map(AnyNode::Expr).to_vec()
            }
        };
        (operands, vec![])
    }
}

impl IntNode {
    pub(crate) fn operands(&self) -> Operands {
        let operands = match *self {
            IntNode::Constant(_) => vec![],
            IntNode::Cardinality(a) | IntNode::SumOf(a) => vec![AnyNode::Expr(a)],
            IntNode::Sum(ref decls, body) => return under_decls(decls, AnyNode::Int(body)),
            IntNode::Negate(a) => vec![AnyNode::Int(a)],
            IntNode::Binary(_, a, b) => vec![AnyNode::Int(a), AnyNode::Int(b)],
            IntNode::Conditional(f, a, b) => {
                vec![AnyNode::Formula(f), AnyNode::Int(a), AnyNode::Int(b)]
            }
        };
        (operands, vec![])
    }
}

/// The place where expressions, formulas and integers live. All handles borrow from one.
///
/// ```
/// use relational::{Logic, all};
/// let logic = Logic::new();
/// let node = logic.relation("Node", 1);
/// let next = logic.relation("next", 2);
/// let acyclic = all([("n", node)], |[n]| !n.is_in(n.join(next.closure())));
/// assert_eq!(acyclic.to_string(), "all n: Node | !(n in n.^next)");
/// ```
#[derive(Debug, Default)]
pub struct Logic {
    pub(crate) arena: RefCell<Arena>,
}

impl Logic {
    /// An empty logic: no relation is declared yet.
    pub fn new() -> Logic {
        Logic::default()
    }
}

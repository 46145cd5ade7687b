//! Computation graphs (§3.4): control flow with loops unrolled.
//!
//! A node is a program point, an edge a test or an elementary statement. There is one entry and one exit, and
//! no cycle: after the last iteration a loop can only be left. Nodes are numbered in the order of a walk that
//! leaves a loop before it enters it and takes `then` before `else`, which yields the numbers of Figure 5.

use java::subset::{Expr, Pred, Procedure, Stmt, StmtKind};

/// A graph. Node 0 is the entry; every node lies on a path from it to the exit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// How many nodes there are.
    pub nodes: usize,
    /// The node where every execution ends.
    pub exit: usize,
    /// The edges, in the order of the walk.
    pub edges: Vec<Edge>,
}

/// A step from one point to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The variable that states whether it is traversed.
    pub name: String,
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// The test or statement.
    pub action: Action,
    /// Of which line, counted from 1.
    pub line: usize,
}

/// The label of an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// `v = e`.
    Assign(String, Expr),
    /// `e.f = t`.
    Store(Expr, String, Expr),
    /// `return e`.
    Return(Option<Expr>),
    /// The condition holds.
    Test(Pred),
    /// Nothing is done.
    Skip,
}

impl Action {
    /// Whether it changes a variable or field.
    pub fn modifies(&self, name: &str) -> bool {
        match self {
            Action::Assign(changed, _) | Action::Store(_, changed, _) => changed == name,
            Action::Return(_) | Action::Test(_) | Action::Skip => false,
        }
    }
}

impl Graph {
    /// The edges that leave a node.
    pub fn leaving(&self, node: usize) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |edge| edge.from == node)
    }

    /// The edges that enter a node.
    pub fn entering(&self, node: usize) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |edge| edge.to == node)
    }
}

/// The graph of a procedure with at most `unroll` iterations of each loop.
pub fn graph(procedure: &Procedure, unroll: u32) -> Graph {
    let mut builder = Builder { nodes: 2, edges: Vec::new(), unroll };
    builder.stmts(&procedure.body, 0, EXIT, 0);
    number(&builder)
}

/// Nodes 0 and 1 of a graph that is being built are its ends.
const EXIT: usize = 1;

struct Builder {
    nodes: usize,
    /// From, to, action, line; those that leave a node in the order in which they are taken.
    edges: Vec<(usize, usize, Action, usize)>,
    unroll: u32,
}

impl Builder {
    fn node(&mut self) -> usize {
        self.nodes += 1;
        self.nodes - 1
    }

    fn edge(&mut self, from: usize, to: usize, action: Action, line: usize) {
        self.edges.push((from, to, action, line));
    }

    /// Statements between two nodes; if there are none, the edge does nothing.
    fn stmts(&mut self, stmts: &[Stmt], mut from: usize, to: usize, line: usize) {
        let Some((last, before)) = stmts.split_last() else {
            return self.edge(from, to, Action::Skip, line);
        };
        for stmt in before {
            let next = self.node();
            self.stmt(stmt, from, next);
            from = next;
        }
        self.stmt(last, from, to);
    }

    fn stmt(&mut self, stmt: &Stmt, from: usize, to: usize) {
        let line = stmt.line;
        match &stmt.kind {
            StmtKind::Assign(name, value) => {
                self.edge(from, to, Action::Assign(name.clone(), value.clone()), line);
            }
            StmtKind::Store(object, field, value) => {
                let action = Action::Store(object.clone(), field.clone(), value.clone());
                self.edge(from, to, action, line);
            }
            StmtKind::Return(value) => self.edge(from, EXIT, Action::Return(value.clone()), line),
            StmtKind::If(pred, then, otherwise) => {
                self.branch(pred.clone(), then, from, to, line);
                self.branch(negation(pred), otherwise, from, to, line);
            }
            StmtKind::While(pred, body) => self.repeat(pred, body, from, to, line),
        }
    }

    /// A test and what is done if it succeeds.
    fn branch(&mut self, pred: Pred, body: &[Stmt], from: usize, to: usize, line: usize) {
        if body.is_empty() {
            return self.edge(from, to, Action::Test(pred), line);
        }
        let inside = self.node();
        self.edge(from, inside, Action::Test(pred), line);
        self.stmts(body, inside, to, line);
    }

    fn repeat(&mut self, pred: &Pred, body: &[Stmt], mut from: usize, to: usize, line: usize) {
        for _ in 0..self.unroll {
            self.edge(from, to, Action::Test(negation(pred)), line);
            let again = self.node();
            self.branch(pred.clone(), body, from, again, line);
            from = again;
        }
        self.edge(from, to, Action::Test(negation(pred)), line);
    }
}

fn negation(pred: &Pred) -> Pred {
    match pred {
        Pred::Not(inner) => (**inner).clone(),
        Pred::Equal(..) | Pred::Less(..) | Pred::And(..) => Pred::Not(Box::new(pred.clone())),
    }
}

/// Numbers the nodes that can be reached, and names the edges after them.
fn number(builder: &Builder) -> Graph {
    let mut numbers: Vec<Option<usize>> = vec![None; builder.nodes];
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); builder.nodes];
    for (position, &(from, ..)) in builder.edges.iter().enumerate() {
        leaving[from].push(position);
    }
    numbers[0] = Some(0);
    let mut count = 1;
    let mut walked = Vec::new();
    let mut open: Vec<usize> = leaving[0].iter().rev().copied().collect();
    while let Some(position) = open.pop() {
        walked.push(position);
        let to = builder.edges[position].1;
        if numbers[to].is_none() {
            numbers[to] = Some(count);
            count += 1;
            open.extend(leaving[to].iter().rev());
        }
    }
    let at = |node: usize| numbers[node].unwrap_or(0);
    let gap = if count > 10 { "_" } else { "" };
    let mut edges: Vec<Edge> = Vec::new();
    for position in walked {
        let (from, to, action, line) = &builder.edges[position];
        let (from, to) = (at(*from), at(*to));
        let mut name = format!("E{from}{gap}{to}");
        // Where nothing is done on either side of a test, both lead to the same node.
        while edges.iter().any(|edge| edge.name == name) {
            name.push('b');
        }
        edges.push(Edge { name, from, to, action: action.clone(), line: *line });
    }
    Graph { nodes: count, exit: at(EXIT), edges }
}

//! Live variables: whose value at a point may still matter.
//!
//! The usual backward analysis, in the strong form (Giegerich, Möncke & Wilhelm 1981): what an
//! assignment reads matters only if what it assigns does. A part of a variable that is assigned
//! leaves the rest, so it ends the life of nothing. `old` reads the state at entry, not the present
//! one.

use ir::{Block, BlockId, Exit, Expr, ExprId, Exprs, LocalId, Mode, Module, Place, Procedure};
use ir::{StatementKind, TerminatorKind, Variable};

use crate::graph::Graph;

/// A set of variables of one procedure and the state variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Variables {
    words: Vec<u64>,
}

impl Variables {
    fn contains(&self, index: usize) -> bool {
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    fn insert(&mut self, index: usize) {
        self.words[index / 64] |= 1 << (index % 64);
    }

    fn remove(&mut self, index: usize) {
        self.words[index / 64] &= !(1 << (index % 64));
    }

    pub(crate) fn add_all(&mut self, other: &Variables) {
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine |= theirs;
        }
    }
}

/// The effect of a procedure's statements on the set of live variables.
pub(crate) struct Liveness<'p> {
    exprs: &'p Exprs,
    globals: usize,
    locals: usize,
    /// The last search that came by an expression.
    seen: Vec<u32>,
    searches: u32,
}

impl<'p> Liveness<'p> {
    pub(crate) fn new(module: &Module, procedure: &'p Procedure) -> Liveness<'p> {
        Liveness {
            exprs: &procedure.exprs,
            globals: module.globals.len(),
            locals: procedure.locals.len(),
            seen: vec![0; procedure.exprs.len()],
            searches: 0,
        }
    }

    /// No variable.
    pub(crate) fn nothing(&self) -> Variables {
        Variables { words: vec![0; (self.globals + self.locals).div_ceil(64)] }
    }

    fn index(&self, variable: Variable) -> usize {
        match variable {
            Variable::Global(id) => id.0 as usize,
            Variable::Local(id) => self.globals + id.0 as usize,
        }
    }

    /// Whether a variable is live.
    pub(crate) fn is_live(&self, live: &Variables, variable: Variable) -> bool {
        live.contains(self.index(variable))
    }

    /// An expression is evaluated.
    pub(crate) fn read(&mut self, live: &mut Variables, root: ExprId) {
        self.searches += 1;
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            if std::mem::replace(&mut self.seen[id.0 as usize], self.searches) == self.searches {
                continue;
            }
            let expr = self.exprs.get(id);
            match expr {
                Expr::Read(variable) => live.insert(self.index(*variable)),
                Expr::Old(_) => {}
                Expr::Bool(_)
                | Expr::Bv(..)
                | Expr::Int(_)
                | Expr::Null(_)
                | Expr::Bound(_)
                | Expr::Op(..)
                | Expr::Apply(..)
                | Expr::Quantified(..)
                | Expr::Lambda(..) => pending.extend(expr.operands()),
            }
        }
    }

    /// The invariants of the module are evaluated.
    pub(crate) fn read_invariants(&mut self, live: &mut Variables, module: &Module) {
        for invariant in &module.invariants {
            let all = (0..invariant.exprs.len() as u32).map(ExprId);
            for id in all {
                if let Expr::Read(variable) = invariant.exprs.get(id) {
                    live.insert(self.index(*variable));
                }
            }
        }
    }

    fn read_all_globals(&self, live: &mut Variables) {
        for index in 0..self.globals {
            live.insert(index);
        }
    }

    /// A variable is live whatever happens to it.
    pub(crate) fn keep(&self, live: &mut Variables, variable: Variable) {
        live.insert(self.index(variable));
    }

    /// A place is assigned.
    pub(crate) fn write(&mut self, live: &mut Variables, place: &Place) {
        if place.path.is_empty() {
            live.remove(self.index(place.variable));
        }
    }

    fn read_keys(&mut self, live: &mut Variables, place: &Place) {
        place.for_each_expr(&mut |&key| self.read(live, key));
    }

    /// Turns what is live after a statement into what is live before it.
    pub(crate) fn before(&mut self, live: &mut Variables, kind: &StatementKind) {
        match kind {
            StatementKind::Assign(pairs) => {
                let matters: Vec<bool> =
                    pairs.iter().map(|(place, _)| self.is_live(live, place.variable)).collect();
                for (place, _) in pairs {
                    self.write(live, place);
                }
                for ((place, value), _) in pairs.iter().zip(matters).filter(|(_, matters)| *matters)
                {
                    self.read_keys(live, place);
                    self.read(live, *value);
                }
            }
            StatementKind::Havoc { place, condition, .. } => {
                if let Some(condition) = condition {
                    self.read(live, *condition);
                }
                let matters = self.is_live(live, place.variable);
                self.write(live, place);
                if matters {
                    self.read_keys(live, place);
                }
            }
            StatementKind::Assume { condition, .. } | StatementKind::Assert { condition, .. } => {
                self.read(live, *condition);
            }
            StatementKind::Allocate { place, .. } => {
                self.write(live, place);
                kind.for_each_expr(&mut |&id| self.read(live, id));
            }
            StatementKind::Free(pointer) => self.read(live, *pointer),
            StatementKind::Call { results, caught, .. } => {
                // After an exception that is caught the results are what they were.
                for place in results.iter().filter(|_| caught.is_none()) {
                    self.write(live, place);
                }
                kind.for_each_expr(&mut |&id| self.read(live, id));
                self.read_all_globals(live);
            }
            StatementKind::Unsupported { .. } => {
                kind.for_each_expr(&mut |&id| self.read(live, id));
            }
        }
    }

    /// The variables that are live at the start of a block, from those at its end.
    fn before_block(&mut self, live: &mut Variables, block: &Block) {
        block.terminator.kind.for_each_expr(&mut |&id| self.read(live, id));
        for statement in block.statements.iter().rev() {
            self.before(live, &statement.kind);
        }
        if let Some(facts) = &block.facts {
            facts.for_each_expr(&mut |&id| self.read(live, id));
        }
    }

    /// The variables that are live at the start of each block, from those that matter at an exit.
    pub(crate) fn solve(
        &mut self,
        blocks: &[Block],
        graph: &Graph,
        mut at_exit: impl FnMut(&mut Self, &mut Variables, &Block, &Exit),
    ) -> Vec<Variables> {
        let mut starts = vec![self.nothing(); blocks.len()];
        let mut pending: Vec<BlockId> = graph.order().to_vec();
        let mut is_pending = vec![true; blocks.len()];
        while let Some(id) = pending.pop() {
            is_pending[id.0 as usize] = false;
            let block = &blocks[id.0 as usize];
            let mut live = self.at_end(&starts, block, &mut at_exit);
            self.before_block(&mut live, block);
            if live != starts[id.0 as usize] {
                starts[id.0 as usize] = live;
                for &from in graph.predecessors(id) {
                    if !std::mem::replace(&mut is_pending[from.0 as usize], true) {
                        pending.push(from);
                    }
                }
            }
        }
        starts
    }

    /// The variables that are live at the end of a block, before the terminator's own reads.
    pub(crate) fn at_end(
        &mut self,
        starts: &[Variables],
        block: &Block,
        at_exit: &mut impl FnMut(&mut Self, &mut Variables, &Block, &Exit),
    ) -> Variables {
        let mut live = self.nothing();
        for target in crate::graph::targets(&block.terminator.kind) {
            live.add_all(&starts[target.0 as usize]);
        }
        if let TerminatorKind::Exit(exit) = &block.terminator.kind {
            at_exit(self, &mut live, block, exit);
        }
        live
    }
}

/// The variables of a procedure, parameters aside, that may be read or returned before they are assigned.
pub(crate) fn unset_at_entry(module: &Module, procedure: &Procedure) -> Vec<LocalId> {
    let Some(blocks) = &procedure.blocks else { return Vec::new() };
    let mut liveness = Liveness::new(module, procedure);
    let results: Vec<LocalId> = procedure.locals_with(Mode::Result).collect();
    let starts =
        liveness.solve(blocks, &Graph::new(blocks), |liveness, live, _, exit| match exit {
            Exit::Normal => {
                liveness.read_all_globals(live);
                for &result in &results {
                    live.insert(liveness.index(Variable::Local(result)));
                }
            }
            Exit::Exceptional(_) => liveness.read_all_globals(live),
            Exit::Intended(_) | Exit::Cut(_) => {}
        });
    let locals = (0..procedure.locals.len() as u32).map(LocalId);
    locals
        .filter(|&id| procedure.local(id).mode != Mode::Parameter)
        .filter(|&id| liveness.is_live(&starts[0], Variable::Local(id)))
        .collect()
}

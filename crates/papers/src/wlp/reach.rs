//! Reachability variables: `R_ℓ` is set where an execution passes `ℓ`, and asserted where it succeeds.
//!
//! Hoenicke et al. 2009, §6. All variables exist at once; a condition sets one of them to *false* initially
//! and leaves the others open, so that only executions through `ℓ` succeed whatever the others are. All
//! copies of a point that passes have made count together: its variable is set in each. An execution that
//! succeeds reaches the end of every block that it enters, so points of the same blocks share a variable, as
//! in the paper, where points are blocks.
//!
//! Success is what the checker of doomed points accepts: every exit, cuts and intended exits included, and an
//! assertion that is literally false, by which a programmer states that failure is intended here.

use std::collections::{BTreeMap, BTreeSet};

use ir::{
    AssertKind, Block, BlockId, Exit, Expr, LocalId, Mode, Origin, Place, PointId, Procedure, Span,
    Statement, StatementKind, Terminator, TerminatorKind, Type, Variable,
};
use passes::graph::{Graph, retarget};
use rustc_hash::FxHashSet;

/// A point of the source, or a side of the branch at a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// Its source text.
    pub span: Span,
    /// The point.
    pub point: PointId,
    /// The side on which the condition of the branch holds, or the other one.
    pub side: Option<bool>,
}

/// The procedure with an exit on purpose in the place of each assertion that is literally false.
pub(crate) fn with_intended_failures(procedure: &Procedure) -> Procedure {
    let mut intended = procedure.clone();
    for block in intended.blocks.iter_mut().flatten() {
        let declared = |statement: &Statement| match statement.kind {
            StatementKind::Assert { condition, .. } => {
                *procedure.exprs.get(condition) == Expr::Bool(false)
            }
            _ => false,
        };
        if let Some(position) = block.statements.iter().position(declared) {
            let Statement { span, point, origin, .. } = block.statements[position];
            let exit = Exit::Intended("an assertion that is literally false".to_owned());
            let kind = TerminatorKind::Exit(exit);
            block.terminator = Terminator { kind, span, point, origin };
            block.statements.truncate(position);
        }
    }
    intended
}

/// A reachability variable.
pub(crate) struct Reached {
    pub(crate) variable: LocalId,
    pub(crate) name: String,
    /// Its points and branch edges, in the order of the source.
    pub(crate) sites: Vec<Site>,
}

/// Sets reachability variables wherever they are reached.
pub(crate) fn set(procedure: &Procedure) -> (Procedure, Vec<Reached>) {
    let mut instrumented = procedure.clone();
    let mut blocks = instrumented.blocks.take().expect("a procedure with formulas has a body");
    let groups = groups(&mut blocks);
    let mut taken: FxHashSet<String> =
        procedure.locals.iter().map(|local| local.name.clone()).collect();
    let yes = instrumented.exprs.push(Expr::Bool(true), Type::Bool);
    let mut all = Vec::with_capacity(groups.len());
    for (sites, held_by) in groups {
        let label = &blocks[held_by[0].0 as usize].label;
        let name = fresh(&format!("R_{label}"), &mut taken);
        let variable = instrumented.new_local(name.clone(), Type::Bool, Mode::Ghost);
        for id in held_by {
            let block = &mut blocks[id.0 as usize];
            let (span, point) = start(block);
            let place = Place { variable: Variable::Local(variable), path: Vec::new() };
            let kind = StatementKind::Assign(vec![(place, yes)]);
            block.statements.insert(0, Statement::synthetic(kind, span, point));
        }
        all.push(Reached { variable, name, sites });
    }
    instrumented.blocks = Some(blocks);
    (instrumented, all)
}

/// Leads all exits to one block, in which reachability variables are asserted.
pub(crate) fn end_in_term(procedure: &mut Procedure, all: &[Reached]) {
    let blocks = procedure.blocks.as_mut().expect("a procedure with formulas has a body");
    let (span, (_, point)) = (procedure.span, start(&blocks[0]));
    let term = BlockId(blocks.len() as u32);
    for block in &mut *blocks {
        if let TerminatorKind::Exit(_) = block.terminator.kind {
            block.terminator.kind = TerminatorKind::Goto(vec![term]);
        }
    }
    let exprs = &mut procedure.exprs;
    let asserted = all.iter().map(|reached| {
        let read = Expr::Read(Variable::Local(reached.variable));
        let (condition, kind) = (exprs.push(read, Type::Bool), AssertKind::Assertion);
        let kind = StatementKind::Assert { condition, kind, message: String::new() };
        Statement::synthetic(kind, span, point)
    });
    let asserted = asserted.collect();
    let kind = TerminatorKind::Exit(Exit::Normal);
    let mut taken = blocks.iter().map(|block| block.label.clone()).collect();
    blocks.push(Block {
        label: fresh("Term", &mut taken),
        statements: asserted,
        terminator: Terminator { kind, span, point, origin: Origin::Synthetic },
        facts: None,
    });
}

/// Where copies of something are.
struct Copies<T> {
    /// The text of the first one that the user wrote, or else of the first one.
    span: Span,
    /// The origin of the first copy that is not synthetic, if there is one.
    origin: Origin,
    held_by: BTreeSet<T>,
}

impl<T> Copies<T> {
    /// Whether the first one that counts is the user's own.
    fn is_written(&self) -> bool {
        match self.origin {
            Origin::Source | Origin::Macro(_) => true,
            Origin::Inlined(_) | Origin::Synthetic => false,
        }
    }
}

/// The reported points and branch edges, and the blocks that an execution passes if it passes them, first of
/// these first. A branch edge gets a block of its own if its target has other predecessors.
fn groups(blocks: &mut Vec<Block>) -> Vec<(Vec<Site>, Vec<BlockId>)> {
    let graph = Graph::new(blocks);
    let mut points: BTreeMap<PointId, Copies<BlockId>> = BTreeMap::new();
    let mut sides: BTreeMap<(PointId, bool), Copies<(BlockId, usize)>> = BTreeMap::new();
    let mut entries = vec![0u32; blocks.len()];
    for &id in graph.order() {
        let block = &blocks[id.0 as usize];
        let end = &block.terminator;
        let statements = block.statements.iter().map(|s| (s.point, s.span, s.origin));
        for (point, span, origin) in statements.chain([(end.point, end.span, end.origin)]) {
            note(&mut points, point, span, origin, id);
        }
        if let TerminatorKind::Branch(..) = end.kind {
            for (slot, taken) in [(0, true), (1, false)] {
                note(&mut sides, (end.point, taken), end.span, end.origin, (id, slot));
            }
        }
        graph.successors(id).iter().for_each(|to| entries[to.0 as usize] += 1);
    }
    let mut groups: BTreeMap<Vec<BlockId>, Vec<Site>> = BTreeMap::new();
    // Inlined statements count as the call. A branch edge in a callee counts as nothing here.
    points.retain(|_, copies| copies.origin != Origin::Synthetic);
    sides.retain(|_, copies| copies.is_written());
    for (point, copies) in points {
        let held_by: Vec<BlockId> = copies.held_by.into_iter().collect();
        groups.entry(held_by).or_default().push(Site { span: copies.span, point, side: None });
    }
    let mut taken = blocks.iter().map(|block| block.label.clone()).collect();
    for ((point, side), copies) in sides {
        let mut held_by: Vec<BlockId> = Vec::with_capacity(copies.held_by.len());
        for (from, slot) in copies.held_by {
            let to = graph.successors(from)[slot];
            held_by.push(match entries[to.0 as usize] {
                1 => to,
                _ => between(blocks, from, slot, to, &mut taken),
            });
        }
        held_by.sort_unstable();
        let site = Site { span: copies.span, point, side: Some(side) };
        groups.entry(held_by).or_default().push(site);
    }
    let mut groups: Vec<_> = groups.into_iter().map(|(held_by, sites)| (sites, held_by)).collect();
    let in_source = |site: &Site| (site.span, site.point, site.side.map(|holds| !holds));
    for (sites, _) in &mut groups {
        sites.sort_unstable_by_key(in_source);
    }
    groups.sort_by_key(|(sites, _)| sites.first().map(in_source));
    groups
}

fn note<K: Ord, T: Ord>(
    all: &mut BTreeMap<K, Copies<T>>,
    what: K,
    span: Span,
    origin: Origin,
    held_by: T,
) {
    let first = || Copies { span, origin, held_by: BTreeSet::new() };
    let copies = all.entry(what).or_insert_with(first);
    copies.held_by.insert(held_by);
    if copies.origin == Origin::Synthetic {
        copies.origin = origin;
        copies.span = if copies.is_written() { span } else { copies.span };
    }
}

/// Puts a block on an edge.
fn between(
    blocks: &mut Vec<Block>,
    from: BlockId,
    slot: usize,
    to: BlockId,
    taken: &mut FxHashSet<String>,
) -> BlockId {
    let between = BlockId(blocks.len() as u32);
    let target = blocks[to.0 as usize].label.clone();
    let leaving = &mut blocks[from.0 as usize];
    let mut number = 0..;
    retarget(&mut leaving.terminator.kind, |target| {
        if number.next() == Some(slot) { between } else { target }
    });
    let Terminator { span, point, .. } = leaving.terminator;
    let label = fresh(&format!("{}→{target}", leaving.label), taken);
    let kind = TerminatorKind::Goto(vec![to]);
    let terminator = Terminator { kind, span, point, origin: Origin::Synthetic };
    blocks.push(Block { label, statements: Vec::new(), terminator, facts: None });
    between
}

/// The source place that a block begins with.
fn start(block: &Block) -> (Span, PointId) {
    match block.statements.first() {
        Some(statement) => (statement.span, statement.point),
        None => (block.terminator.span, block.terminator.point),
    }
}

/// A name that was not taken and now is.
fn fresh(name: &str, taken: &mut FxHashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}.{number}"));
    let mut names = [name.to_owned()].into_iter().chain(numbered);
    let found = names.find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(found.clone());
    found
}

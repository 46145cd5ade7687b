//! Passive form: a loop-free body without assignments, which only describes the set of executions.
//!
//! Every assignment gives its variable a new *incarnation* and becomes an assumption about it: `x := x + 1`
//! is `assume x#2 == x#1 + 1` (Flanagan & Saxe, *Avoiding Exponential Explosion*, POPL 2001; Barnett & Leino,
//! *Weakest-Precondition of Unstructured Programs*, PASTE 2005; Hoenicke et al. 2009, §5). Each incarnation
//! is set at most once on every path; the two sides of a branch share them. Where paths join, the latest
//! incarnation is used, and paths that have an earlier one assume that the two are equal, if the value is
//! live. Conditions of branches are assumed on their two sides. What remains are assumptions, assertions,
//! jumps and exits; all incarnations are parameters, as nothing is ever assigned, and incarnation 0 is the
//! initial value.
//!
//! The form is not exact, and over-approximates, in two cases: an allocation returns any atom or pointer, and
//! an unsupported statement assigns any values to what it writes. Liveness of objects is part of no variable,
//! so the operators that read it become maps, as in `live#1[p]`, of which every allocation and release
//! creates a new unconstrained incarnation.
//!
//! Byte memories cannot be compared, so there is no assumption about their incarnations: stored values are
//! substituted where memory is read, and where paths join, a Boolean records which one was taken.

mod incarnations;
mod joins;
mod rename;

use ir::{
    AssumeReason, Block, BlockId, Contract, Exit, Expr, ExprId, Exprs, Mode, Module, Op, Origin,
    Place, Procedure, Projection, Statement, StatementKind, Terminator, TerminatorKind, Type,
};
use rustc_hash::FxHashMap;

use crate::effects::changes_liveness;
use crate::graph::{Graph, arrange, targets};
use crate::live::{Liveness, Variables};
use crate::names::Names;
use incarnations::{Incarnations, Numbers};

/// The passive form of a procedure without loops, calls and contract ([`spell_out`] takes the latter
/// away).
///
/// [`spell_out`]: crate::spell_out()
pub fn passify(module: &Module, procedure: &Procedure) -> Procedure {
    let Contract { requires, ensures, .. } = &procedure.contract;
    let is_spelled_out = requires.is_empty() && ensures.is_empty();
    assert!(is_spelled_out, "a contract is spelled out before its body is made passive");
    let Some(blocks) = &procedure.blocks else { return procedure.clone() };
    let blocks = joins::narrow(blocks.clone());
    let graph = Graph::new(&blocks);
    let mut passifier = Passifier::new(module, procedure, &blocks, &graph);
    for &id in graph.order() {
        passifier.block(id);
    }
    let passive = passifier.finish();
    if cfg!(debug_assertions) {
        let procedures = vec![passive.clone()];
        let alone = Module { procedures, axioms: Vec::new(), ..module.clone() };
        ir::debug_validate(&alone);
    }
    passive
}

/// The incarnations that variables are in.
#[derive(Clone)]
struct State {
    numbers: Numbers,
    /// The contents of memories, in the order of [`Incarnations::memories`].
    memories: Vec<ExprId>,
}

/// An edge: the block it leaves, and which of its edges it is.
type Edge = (BlockId, usize);

struct Passifier<'p> {
    module: &'p Module,
    procedure: &'p Procedure,
    blocks: &'p [Block],
    graph: &'p Graph,
    passive: Procedure,
    incarnations: Incarnations,
    /// Whether an expression of the original mentions a bound variable.
    open: Vec<bool>,
    liveness: Liveness<'p>,
    /// The variables that are live at the start of each block.
    live: Vec<Variables>,
    incoming: Vec<Vec<Edge>>,
    state: State,
    /// The states at the ends of blocks.
    ends: Vec<Option<State>>,
    /// The assumptions on edges.
    on_edges: FxHashMap<Edge, Vec<Statement>>,
    output: Vec<Option<Block>>,
}

impl<'p> Passifier<'p> {
    fn new(
        module: &'p Module,
        procedure: &'p Procedure,
        blocks: &'p [Block],
        graph: &'p Graph,
    ) -> Passifier<'p> {
        let mut passive = Procedure {
            locals: Vec::new(),
            exprs: Exprs::default(),
            contract: Contract::default(),
            blocks: None,
            ..procedure.clone()
        };
        let mut incarnations = Incarnations::new(module, procedure);
        incarnations.make_inputs(&mut passive, procedure);
        let memories = incarnations.memories().to_vec();
        let memories =
            memories.iter().map(|&index| incarnations.read(&mut passive, index, 0)).collect();
        let mut incoming = vec![Vec::new(); blocks.len()];
        for &from in graph.order() {
            for (slot, to) in graph.successors(from).iter().enumerate() {
                incoming[to.0 as usize].push((from, slot));
            }
        }
        let mut liveness = Liveness::new(module, procedure);
        Passifier {
            module,
            procedure,
            blocks,
            graph,
            passive,
            open: rename::open(&procedure.exprs),
            live: live_at_starts(&mut liveness, blocks, graph),
            liveness,
            incoming,
            state: State { numbers: Numbers::new(incarnations.len()), memories },
            incarnations,
            ends: vec![None; blocks.len()],
            on_edges: FxHashMap::default(),
            output: vec![None; blocks.len()],
        }
    }

    fn block(&mut self, id: BlockId) {
        if id != BlockId(0) {
            self.meet(id);
        }
        let block = &self.blocks[id.0 as usize];
        let mut statements = Vec::with_capacity(block.statements.len());
        for statement in &block.statements {
            let before = statements.len();
            let assumed =
                |condition| StatementKind::Assume { condition, reason: AssumeReason::Model };
            for kind in self.statement(&statement.kind, &assumed) {
                statements.push(Statement { kind, ..statement.clone() });
            }
            // The point stays, even without a statement.
            if statements.len() == before {
                let nothing = assumed(self.passive.exprs.push(Expr::Bool(true), Type::Bool));
                statements.push(Statement { kind: nothing, ..statement.clone() });
            }
        }
        let kind = self.terminator(id, &block.terminator);
        let terminator = Terminator { kind, ..block.terminator.clone() };
        let label = block.label.clone();
        self.output[id.0 as usize] = Some(Block { label, statements, terminator, facts: None });
        self.ends[id.0 as usize] = Some(self.state.clone());
    }

    /// Brings the incarnations together with which edges reach a block.
    fn meet(&mut self, id: BlockId) {
        let edges = std::mem::take(&mut self.incoming[id.0 as usize]);
        let end = |&(from, _): &Edge| {
            let end = self.ends[from.0 as usize].as_ref();
            end.expect("a body that is made passive has no loops")
        };
        let ends: Vec<State> = edges.iter().map(|edge| end(edge).clone()).collect();
        self.state = ends[0].clone();
        if edges.len() > 1 {
            self.meet_numbers(id, &edges, &ends);
            self.meet_memories(&edges, &ends);
        }
        self.incoming[id.0 as usize] = edges;
    }

    fn meet_numbers(&mut self, id: BlockId, edges: &[Edge], ends: &[State]) {
        let numbers: Vec<&Numbers> = ends.iter().map(|end| &end.numbers).collect();
        for index in Numbers::differing(&numbers) {
            let latest = numbers.iter().map(|numbers| numbers.get(index)).max().unwrap_or(0);
            self.state.numbers.set(index, latest);
            let variable = self.incarnations.variable(index);
            let live = &self.live[id.0 as usize];
            if !variable.is_none_or(|variable| self.liveness.is_live(live, variable)) {
                continue;
            }
            for (edge, numbers) in edges.iter().zip(&numbers) {
                let earlier = numbers.get(index);
                if earlier < latest {
                    let new = self.incarnations.read(&mut self.passive, index, latest);
                    let old = self.incarnations.read(&mut self.passive, index, earlier);
                    let equal = self.op(Op::Eq, vec![new, old]);
                    self.assume_on(*edge, equal, AssumeReason::Model);
                }
            }
        }
    }

    /// Where memories differ, a Boolean for each edge but the last records whether it was taken.
    fn meet_memories(&mut self, edges: &[Edge], ends: &[State]) {
        let mut taken: Option<Vec<ExprId>> = None;
        for number in 0..self.state.memories.len() {
            let held: Vec<ExprId> = ends.iter().map(|end| end.memories[number]).collect();
            if held.iter().all(|one| *one == held[0]) {
                continue;
            }
            let taken = taken.get_or_insert_with(|| {
                let taken: Vec<ExprId> = (1..edges.len())
                    .map(|_| self.incarnations.new_edge_flag(&mut self.passive))
                    .collect();
                for (number, edge) in edges.iter().enumerate() {
                    for &flag in &taken[..number] {
                        let not = self.op(Op::Not, vec![flag]);
                        self.assume_on(*edge, not, AssumeReason::Branch);
                    }
                    if let Some(&flag) = taken.get(number) {
                        self.assume_on(*edge, flag, AssumeReason::Branch);
                    }
                }
                taken
            });
            let mut whole = held[held.len() - 1];
            for (flag, held) in taken.clone().into_iter().zip(held).rev() {
                whole = self.op(Op::Ite, vec![flag, held, whole]);
            }
            self.state.memories[number] = whole;
        }
    }

    /// The passive form of a statement: assumptions and assertions about the present incarnations.
    fn statement(
        &mut self,
        kind: &StatementKind,
        assumed: &dyn Fn(ExprId) -> StatementKind,
    ) -> Vec<StatementKind> {
        let mut said = Vec::new();
        match kind {
            StatementKind::Assign(pairs) => {
                let values: Vec<ExprId> =
                    pairs.iter().map(|&(_, value)| self.copy(value)).collect();
                let places: Vec<Place> =
                    pairs.iter().map(|(place, _)| self.copy_place(place)).collect();
                for (place, value) in places.iter().zip(values) {
                    said.extend(self.update(place, value).map(assumed));
                }
            }
            StatementKind::Havoc { place, condition, .. } => {
                said.extend(self.forget(place).map(assumed));
                said.extend(condition.map(|condition| assumed(self.copy(condition))));
            }
            StatementKind::Assume { condition, reason } => {
                let condition = self.copy(*condition);
                said.push(StatementKind::Assume { condition, reason: *reason });
            }
            StatementKind::Assert { condition, kind, message } => {
                let condition = self.copy(*condition);
                let message = message.clone();
                said.push(StatementKind::Assert { condition, kind: *kind, message });
            }
            StatementKind::Allocate { .. }
            | StatementKind::Free(_)
            | StatementKind::Unsupported { .. } => {
                for place in kind.written() {
                    said.extend(self.forget(place).map(assumed));
                }
            }
            StatementKind::Call { .. } => {
                panic!("calls are gone before a body is made passive");
            }
        }
        if changes_liveness(kind) {
            self.forget_objects();
        }
        said
    }

    fn copy_place(&mut self, place: &Place) -> Place {
        let mut copy = place.clone();
        copy.for_each_expr_mut(&mut |key| *key = self.copy(*key));
        copy
    }

    /// Gives a place, whose keys have been copied, a value; what is then to be assumed.
    fn update(&mut self, place: &Place, value: ExprId) -> Option<ExprId> {
        let index = self.incarnations.index(place.variable);
        let whole = self.present(index);
        let value = self.with(whole, &place.path, value);
        self.bind(index, value)
    }

    /// Gives a place any value; what is then to be assumed.
    fn forget(&mut self, place: &Place) -> Option<ExprId> {
        let index = self.incarnations.index(place.variable);
        if !place.path.is_empty() {
            let place = self.copy_place(place);
            let whole = self.present(index);
            let part = self.part(whole, &place.path);
            let ty = self.passive.exprs.ty(part).clone();
            let any = self.incarnations.new_any(&mut self.passive, ty);
            let value = self.with(whole, &place.path, any);
            return self.bind(index, value);
        }
        match self.incarnations.memory(index) {
            Some(memory) => {
                let any = self.incarnations.new_memory(&mut self.passive, index);
                self.state.memories[memory] = any;
                // An unknown function that may have written to memory may also have freed objects.
                self.forget_objects();
            }
            None => self.state.numbers.advance(index),
        }
        None
    }

    /// Which objects there are is no longer known.
    fn forget_objects(&mut self) {
        for index in self.incarnations.facts() {
            self.state.numbers.advance(index);
        }
    }

    /// The next incarnation of a variable is this value; what is to be assumed for that.
    fn bind(&mut self, index: usize, value: ExprId) -> Option<ExprId> {
        if let Some(memory) = self.incarnations.memory(index) {
            self.state.memories[memory] = value;
            return None;
        }
        self.state.numbers.advance(index);
        let variable = self.present(index);
        Some(self.op(Op::Eq, vec![variable, value]))
    }

    /// The present incarnation of a variable.
    fn present(&mut self, index: usize) -> ExprId {
        match self.incarnations.memory(index) {
            Some(memory) => self.state.memories[memory],
            None => {
                let number = self.state.numbers.get(index);
                self.incarnations.read(&mut self.passive, index, number)
            }
        }
    }

    /// The part of a value that a path leads to.
    fn part(&mut self, mut whole: ExprId, path: &[Projection]) -> ExprId {
        for step in path {
            whole = self.step(whole, step);
        }
        whole
    }

    fn step(&mut self, whole: ExprId, step: &Projection) -> ExprId {
        match step {
            Projection::Field(record, field) => self.op(Op::Field(*record, *field), vec![whole]),
            Projection::Index(keys) => {
                let operands = [whole].into_iter().chain(keys.iter().copied()).collect();
                self.op(Op::Select, operands)
            }
            Projection::View { pointer, ty, .. } => {
                let load = Op::Memory(ir::Memory::Load(ty.clone()));
                self.op(load, vec![whole, *pointer])
            }
        }
    }

    /// A value with the part changed that a path leads to.
    fn with(&mut self, whole: ExprId, path: &[Projection], value: ExprId) -> ExprId {
        // From the outermost value to the innermost, then back with each changed.
        let mut around = Vec::with_capacity(path.len());
        let mut inner = whole;
        for (depth, step) in path.iter().enumerate() {
            around.push((inner, step));
            if depth + 1 < path.len() {
                inner = self.step(inner, step);
            }
        }
        around.into_iter().rev().fold(value, |value, (whole, step)| match step {
            Projection::Field(record, field) => {
                self.op(Op::WithField(*record, *field), vec![whole, value])
            }
            Projection::Index(keys) => {
                let operands = [whole].into_iter().chain(keys.iter().copied()).chain([value]);
                self.op(Op::Store, operands.collect())
            }
            Projection::View { pointer, ty, .. } => {
                let store = Op::Memory(ir::Memory::Store(ty.clone()));
                self.op(store, vec![whole, *pointer, value])
            }
        })
    }

    fn op(&mut self, op: Op, operands: Vec<ExprId>) -> ExprId {
        let exprs = &mut self.passive.exprs;
        let types: Vec<&Type> = operands.iter().map(|&operand| exprs.ty(operand)).collect();
        let ty = ir::result_type(&op, &types, self.module);
        let ty = ty.unwrap_or_else(|why| panic!("a place and its value fit: {why}"));
        exprs.push(Expr::Op(op, operands), ty)
    }

    fn terminator(&mut self, id: BlockId, terminator: &Terminator) -> TerminatorKind {
        match &terminator.kind {
            TerminatorKind::Goto(targets) => TerminatorKind::Goto(targets.clone()),
            TerminatorKind::Branch(condition, then, otherwise) => {
                let holds = self.copy(*condition);
                let fails = match self.passive.exprs.get(holds) {
                    Expr::Op(Op::Not, operands) => operands[0],
                    _ => self.op(Op::Not, vec![holds]),
                };
                self.assume_on((id, 0), holds, AssumeReason::Branch);
                self.assume_on((id, 1), fails, AssumeReason::Branch);
                TerminatorKind::Goto(vec![*then, *otherwise])
            }
            TerminatorKind::Exit(Exit::Exceptional(Some(value))) => {
                TerminatorKind::Exit(Exit::Exceptional(Some(self.copy(*value))))
            }
            TerminatorKind::Exit(
                exit @ (Exit::Normal | Exit::Exceptional(None) | Exit::Intended(_) | Exit::Cut(_)),
            ) => TerminatorKind::Exit(exit.clone()),
        }
    }

    fn assume_on(&mut self, edge: Edge, condition: ExprId, reason: AssumeReason) {
        let Terminator { span, point, .. } = self.blocks[edge.0.0 as usize].terminator;
        let kind = StatementKind::Assume { condition, reason };
        let statement = Statement::synthetic(kind, span, point);
        self.on_edges.entry(edge).or_default().push(statement);
    }

    /// Puts what is assumed on edges at the end of the block they leave, at the head of the block they
    /// reach, or into a block between.
    fn finish(mut self) -> Procedure {
        let mut names = Names::new(self.blocks.iter().map(|block| block.label.as_str()));
        for &from in self.graph.order() {
            let successors = self.graph.successors(from);
            for (slot, &to) in successors.iter().enumerate() {
                let Some(assumed) = self.on_edges.remove(&(from, slot)) else { continue };
                if let [_] = successors {
                    self.made(from).statements.extend(assumed);
                } else if let [_] = self.incoming[to.0 as usize][..] {
                    self.made(to).statements.splice(0..0, assumed);
                } else {
                    let between = BlockId(self.output.len() as u32);
                    let block = self.between(from, to, assumed, &mut names);
                    self.output.push(Some(block));
                    if let TerminatorKind::Goto(targets) = &mut self.made(from).terminator.kind {
                        targets[slot] = between;
                    }
                }
            }
        }
        // Blocks that are not reached have not been made; nothing leads to them.
        let mut numbers = Vec::with_capacity(self.output.len());
        let mut count = 0;
        for block in &self.output {
            numbers.push(BlockId(count));
            count += u32::from(block.is_some());
        }
        let mut blocks: Vec<Block> = self.output.into_iter().flatten().collect();
        for block in &mut blocks {
            crate::graph::retarget(&mut block.terminator.kind, |to| numbers[to.0 as usize]);
        }
        self.passive.blocks = Some(arrange(blocks));
        self.passive
    }

    fn made(&mut self, id: BlockId) -> &mut Block {
        self.output[id.0 as usize].as_mut().expect("a block that is reached has been made")
    }

    fn between(
        &self,
        from: BlockId,
        to: BlockId,
        statements: Vec<Statement>,
        names: &mut Names,
    ) -> Block {
        let [from, target] = [from, to].map(|id| &self.blocks[id.0 as usize]);
        let Terminator { span, point, .. } = from.terminator;
        let kind = TerminatorKind::Goto(vec![to]);
        Block {
            label: names.fresh(&format!("{}→{}", from.label, target.label)),
            statements,
            terminator: Terminator { kind, span, point, origin: Origin::Synthetic },
            facts: None,
        }
    }
}

/// The variables that are live at the start of each block of a body without loops, if every statement
/// matters: a reader of a passive form wants to see them all.
fn live_at_starts(liveness: &mut Liveness<'_>, blocks: &[Block], graph: &Graph) -> Vec<Variables> {
    let mut starts = vec![liveness.nothing(); blocks.len()];
    for &id in graph.order().iter().rev() {
        let block = &blocks[id.0 as usize];
        let mut live = liveness.nothing();
        for target in targets(&block.terminator.kind) {
            live.add_all(&starts[target.0 as usize]);
        }
        block.terminator.kind.for_each_expr(&mut |&id| liveness.read(&mut live, id));
        for statement in block.statements.iter().rev() {
            if let StatementKind::Havoc { condition: Some(condition), .. } = &statement.kind {
                liveness.read(&mut live, *condition);
            }
            for place in statement.kind.written() {
                liveness.write(&mut live, place);
            }
            match &statement.kind {
                StatementKind::Havoc { place, .. } => {
                    place.for_each_expr(&mut |&id| liveness.read(&mut live, id));
                }
                kind => kind.for_each_expr(&mut |&id| liveness.read(&mut live, id)),
            }
            // A variable that is partly changed is also read.
            for place in statement.kind.written().iter().filter(|place| !place.path.is_empty()) {
                liveness.keep(&mut live, place.variable);
            }
        }
        starts[id.0 as usize] = live;
    }
    starts
}

/// All incarnations are given from outside.
const MODE: Mode = Mode::Parameter;

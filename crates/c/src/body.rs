//! The body of a function during lowering: its variables, statements and blocks.

use bitcode::{BlockId as Label, Value};
use ir::{
    AssertKind, Block, BlockId, Exit, Expr, ExprId, Exprs, HavocReason, Local, LocalId, Mode,
    Place, Projection, Statement, StatementKind, Terminator, TerminatorKind, Type, Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::{Context, MEMORY};
use crate::names::Names;
use crate::points::{CurrentLocation, Points};
use crate::promote::AllocaKind;
use crate::unset::UninitializedReads;
use crate::uses::Uses;
use crate::value::{InstructionResult, SharedValue};

/// A body under construction.
pub(crate) struct Body<'a, 'm> {
    pub(crate) context: &'a mut Context<'m>,
    pub(crate) source: &'m bitcode::Module,
    pub(crate) function: &'m bitcode::Function,
    pub(crate) exprs: Exprs,
    pub(crate) weights: Vec<u32>,
    pub(crate) constants: FxHashMap<Expr, ExprId>,
    pub(crate) folded: FxHashMap<bitcode::ConstantId, ExprId>,
    pub(crate) locals: Vec<Local>,
    pub(crate) names: Names,
    blocks: Vec<Option<Block>>,
    labels: Names,
    current: (BlockId, String),
    statements: Vec<Statement>,
    pub(crate) uses: Uses,
    pub(crate) homes: Vec<AllocaKind>,
    /// The variables of promoted `alloca`s, and the pointers of the others.
    pub(crate) slots: Vec<InstructionResult>,
    pub(crate) open: Vec<SharedValue>,
    /// The variables that the instruction at hand has read.
    pub(crate) reads: Vec<LocalId>,
    /// The instruction at hand.
    pub(crate) at: u32,
    /// The block of VIR where each block of LLVM begins, by number.
    pub(crate) first_block: u32,
    pub(crate) points: Points,
    pub(crate) here: CurrentLocation,
    /// How the source writes what is accessed at a point.
    pub(crate) places: Vec<(ir::PointId, ir::PlaceText)>,
    /// The forms of variables.
    pub(crate) forms: Vec<(LocalId, ir::FormId)>,
    /// Pointers known not to be null, and known to be live, in this block.
    pub(crate) not_null: FxHashSet<LocalId>,
    pub(crate) live: FxHashSet<LocalId>,
    /// Accesses known to be within bounds in this block: pointer, distance, bytes.
    pub(crate) inside: FxHashSet<(LocalId, i64, u64)>,
    /// The variables of the source that live in an `alloca` or are a parameter.
    pub(crate) variables: FxHashMap<Value, bitcode::MetadataId>,
    /// Variables that hold bit-fields and have been set to zero, by `alloca`.
    pub(crate) cleared: FxHashSet<u32>,
    /// Values that may be read before they are set.
    pub(crate) unset: UninitializedReads,
    /// The variables that live shorter than the call, by `alloca`.
    pub(crate) scoped: FxHashSet<u32>,
    /// The addresses that are only used to read or write there, by instruction.
    pub(crate) accessed: Vec<bool>,
    /// The values that reach phis, by phi and the block they come from.
    pub(crate) incoming: FxHashMap<(u32, u32), Value>,
}

impl<'a, 'm> Body<'a, 'm> {
    pub(crate) fn new(
        context: &'a mut Context<'m>,
        function: &'m bitcode::Function,
        locals: Vec<Local>,
        names: Names,
    ) -> Body<'a, 'm> {
        let uses = Uses::of(function);
        let homes = crate::promote::homes(context, function);
        let (points, here) = Points::new(context, function);
        let context_source = context.source;
        Body {
            source: context.source,
            context,
            function,
            exprs: Exprs::default(),
            weights: Vec::new(),
            constants: FxHashMap::default(),
            folded: FxHashMap::default(),
            locals,
            names,
            blocks: Vec::new(),
            labels: Names::default(),
            current: (BlockId(0), String::new()),
            statements: Vec::new(),
            slots: vec![InstructionResult::Unset; function.instructions.len()],
            uses,
            homes,
            open: Vec::new(),
            reads: Vec::new(),
            at: 0,
            first_block: 0,
            points,
            here,
            places: Vec::new(),
            forms: Vec::new(),
            not_null: FxHashSet::default(),
            live: FxHashSet::default(),
            inside: FxHashSet::default(),
            variables: FxHashMap::default(),
            cleared: FxHashSet::default(),
            unset: UninitializedReads::default(),
            scoped: crate::lifetime::scoped(context_source, function),
            accessed: crate::parts::accessed(function),
            incoming: incoming(function),
        }
    }

    pub(crate) fn new_local(&mut self, name: &str, ty: Type) -> LocalId {
        let name = self.names.plain(name);
        self.locals.push(Local { name, ty, mode: Mode::Local, display: None });
        LocalId(self.locals.len() as u32 - 1)
    }

    pub(crate) fn place(&self, local: LocalId) -> Place {
        Place { variable: Variable::Local(local), path: Vec::new() }
    }

    pub(crate) fn memory_at(&self, pointer: ExprId, ty: Type, volatile: bool) -> Place {
        let path = vec![Projection::View { pointer, ty, volatile }];
        Place { variable: Variable::Global(MEMORY), path }
    }

    pub(crate) fn emit(&mut self, kind: StatementKind) {
        let CurrentLocation { span, point, origin } = self.here;
        self.statements.push(Statement { kind, span, point, origin });
    }

    /// Assigns a variable that no open value reads.
    pub(crate) fn assign(&mut self, local: LocalId, value: ExprId) {
        let place = self.place(local);
        self.emit(StatementKind::Assign(vec![(place, value)]));
    }

    pub(crate) fn assert(&mut self, condition: ExprId, kind: AssertKind, message: String) {
        self.emit(StatementKind::Assert { condition, kind, message });
    }

    /// A new variable with an unknown value.
    pub(crate) fn unknown(&mut self, name: &str, ty: Type, reason: HavocReason) -> ExprId {
        let local = self.new_local(name, ty);
        let place = self.place(local);
        self.emit(StatementKind::Havoc { place, condition: None, reason });
        self.read(local)
    }

    /// A value that is used often: itself, or a variable that holds it.
    pub(crate) fn steady(&mut self, value: ExprId, name: &str) -> ExprId {
        if self.weights[value.0 as usize] == 1 {
            return value;
        }
        let ty = self.exprs.ty(value).clone();
        let local = self.new_local(name, ty);
        self.assign(local, value);
        self.read(local)
    }

    /// Something that VIR has no word for; it may have written memory or not.
    pub(crate) fn unsupported(&mut self, what: impl Into<String>, writes_memory: bool) {
        let memory = Place { variable: Variable::Global(MEMORY), path: Vec::new() };
        let writes = if writes_memory { vec![memory] } else { Vec::new() };
        self.emit(StatementKind::Unsupported { what: what.into(), writes });
        self.forget_objects();
    }

    /// Whatever pointers lead to may have changed or been freed.
    pub(crate) fn forget_objects(&mut self) {
        self.live.clear();
    }

    /// Makes room for the blocks of LLVM, behind as many blocks of our own.
    pub(crate) fn reserve(&mut self, own: u32) {
        self.first_block = own;
        let count = own as usize + self.function.blocks.len();
        self.blocks.resize_with(count, || None);
        self.begin(BlockId(0), "entry");
    }

    pub(crate) fn block_of(&self, label: Label) -> BlockId {
        BlockId(self.first_block + label.0)
    }

    pub(crate) fn new_block(&mut self) -> BlockId {
        self.blocks.push(None);
        BlockId(self.blocks.len() as u32 - 1)
    }

    pub(crate) fn begin(&mut self, block: BlockId, label: &str) {
        let label = self.labels.plain(label);
        self.current = (block, label);
        self.open.clear();
        self.not_null.clear();
        self.live.clear();
        self.inside.clear();
    }

    pub(crate) fn finish(&mut self, kind: TerminatorKind) {
        let here = self.here;
        self.finish_at(kind, here);
    }

    pub(crate) fn finish_at(&mut self, kind: TerminatorKind, here: CurrentLocation) {
        let CurrentLocation { span, point, origin } = here;
        let terminator = Terminator { kind, span, point, origin };
        let id = self.current.0;
        let label = std::mem::take(&mut self.current.1);
        let statements = std::mem::take(&mut self.statements);
        self.blocks[id.0 as usize] = Some(Block { label, statements, terminator, facts: None });
    }

    pub(crate) fn exit(&mut self, exit: Exit) {
        self.finish(TerminatorKind::Exit(exit));
    }

    /// All blocks; any that was never lowered has nothing to say.
    pub(crate) fn into_blocks(self) -> (Vec<Block>, Body<'a, 'm>) {
        let mut body = self;
        let blocks = std::mem::take(&mut body.blocks);
        let CurrentLocation { span, point, .. } = body.here;
        let blocks = blocks.into_iter().map(|block| {
            block.unwrap_or_else(|| {
                let reason = ir::CutReason::Unsupported("a block without an end".to_owned());
                let kind = TerminatorKind::Exit(Exit::Cut(reason));
                let origin = ir::Origin::Synthetic;
                let terminator = Terminator { kind, span, point, origin };
                let label = body.labels.plain("missing");
                Block { label, statements: Vec::new(), terminator, facts: None }
            })
        });
        (blocks.collect::<Vec<Block>>(), body)
    }
}

fn incoming(function: &bitcode::Function) -> FxHashMap<(u32, u32), Value> {
    let mut values = FxHashMap::default();
    for (index, instruction) in (0..).zip(&function.instructions) {
        if let bitcode::InstructionKind::Phi { incoming, .. } = &instruction.kind {
            values.extend(incoming.iter().map(|(value, from)| ((index, from.0), *value)));
        }
    }
    values
}

//! Control flow: terminators, and phis, which are assigned on the edge to the block that has them. Where a
//! block has several successors, such an edge gets a block of its own.

use bitcode::{BlockId as Label, InstructionKind, Value};
use ir::{
    AssertKind, AssumeReason, BlockId, CutReason, Exit, ExprId, LocalId, Mode, Op, Origin, Span,
    StatementKind, TerminatorKind, Type,
};
use rustc_hash::FxHashMap;

use crate::body::Body;
use crate::limits::CASES_PER_BRANCH;
use crate::points::CurrentLocation;
use crate::value::InstructionResult;

/// Ways out of a block that have phis to assign.
#[derive(Default)]
pub(crate) struct Edges {
    blocks: FxHashMap<Label, BlockId>,
    pending: Vec<(BlockId, Label)>,
}

impl Body<'_, '_> {
    pub(crate) fn terminator(&mut self, label: Label, kind: &InstructionKind) {
        match kind {
            InstructionKind::Return(value) => self.leave(*value),
            InstructionKind::Branch(target) => self.jump(label, *target),
            InstructionKind::ConditionalBranch { condition, yes, no } => {
                let of_pointers = self.compares_pointers(*condition);
                let span = self.asked();
                let is_swapped = self.is_swapped(*condition, span);
                let condition = self.value_as(*condition, &Type::Bool);
                let here = self.here;
                self.assert_unless(condition, *yes, *no);
                self.here = here;
                let (condition, yes, no) = match is_swapped {
                    true => (self.not(condition), no, yes),
                    false => (condition, yes, no),
                };
                let origin = match of_pointers && self.is_part_of_value(label, *yes, *no) {
                    true => Origin::Synthetic,
                    false => self.here.origin,
                };
                let mut edges = Edges::default();
                let yes = self.edge(&mut edges, *yes);
                let no = self.edge(&mut edges, *no);
                let here = CurrentLocation { point: self.points.fresh(), origin, span };
                self.finish_at(TerminatorKind::Branch(condition, yes, no), here);
                self.make_edges(label, edges);
            }
            InstructionKind::Switch { condition, default, cases } => {
                self.switch(label, *condition, *default, cases);
            }
            InstructionKind::IndirectBranch { address, targets } => {
                self.indirect_branch(label, *address, targets);
            }
            InstructionKind::Unreachable => self.exit(Exit::Intended("unreachable".to_owned())),
            _ => {
                let reason = CutReason::Unsupported("exception handling".to_owned());
                self.unsupported("exception handling", true);
                self.exit(Exit::Cut(reason));
            }
        }
    }

    /// Whether a compiler has made `if (!x) a; else b;` into `if (x) b; else a;`. A person has not.
    fn is_swapped(&self, condition: Value, asked: Span) -> bool {
        let Value::Instruction(id) = condition else { return false };
        let is_test = matches!(
            self.function.instructions[id.index()].kind,
            InstructionKind::IntegerCompare { .. } | InstructionKind::Cast { .. }
        );
        is_test && self.context.files.is_negation(asked)
    }

    /// The text of the condition that a branch asks here.
    fn asked(&self) -> Span {
        match self.here.origin {
            Origin::Macro(_) => self.here.span,
            Origin::Source | Origin::Inlined(_) | Origin::Synthetic => {
                self.context.files.condition(self.here.span)
            }
        }
    }

    fn compares_pointers(&self, condition: Value) -> bool {
        let Value::Instruction(id) = condition else { return false };
        match self.function.instructions[id.index()].kind {
            InstructionKind::IntegerCompare { left, .. } => self
                .type_of(left)
                .is_some_and(|ty| matches!(self.source[ty], bitcode::Type::Pointer { .. })),
            _ => false,
        }
    }

    /// Whether a branch only computes the value of `a && b` or `a || b`, and `b` does not depend on `a`: then
    /// `a` alone decides no path.
    fn is_part_of_value(&self, from: Label, yes: Label, no: Label) -> bool {
        let joins = |to: Label, second: Label| {
            let [rest @ .., last] = self.function.block(second) else { return false };
            let first = self.function.block_with_ids(to).next();
            let is_known = first.is_some_and(|(id, first)| {
                matches!(first.kind, InstructionKind::Phi { .. })
                    && self.source[first.ty] == bitcode::Type::Integer(1)
                    && matches!(self.incoming.get(&(id.0, from.0)), Some(Value::Constant(_)))
            });
            let is_plain = |kind: &InstructionKind| match kind {
                InstructionKind::IntegerCompare { .. } | InstructionKind::Cast { .. } => true,
                InstructionKind::Load { pointer, .. } => self.is_own(*pointer),
                _ => false,
            };
            is_known
                && matches!(last.kind, InstructionKind::Branch(target) if target == to)
                && rest.iter().all(|instruction| is_plain(&instruction.kind))
        };
        joins(yes, no) || joins(no, yes)
    }

    /// If one side of a branch is where an assertion has failed, the other side is what it asserts.
    fn assert_unless(&mut self, condition: ExprId, yes: Label, no: Label) {
        if let Some(message) = self.failed_assertion(no) {
            self.assert(condition, AssertKind::Assertion, message);
        } else if let Some(message) = self.failed_assertion(yes) {
            let condition = self.not(condition);
            self.assert(condition, AssertKind::Assertion, message);
        }
    }

    fn leave(&mut self, value: Option<Value>) {
        let position = self.locals.iter().position(|local| local.mode == Mode::Result);
        if let Some(position) = position {
            let result = LocalId(position as u32);
            let ty = self.locals[position].ty.clone();
            if let Some(value) = value {
                let value = self.value_as(value, &ty);
                self.assign(result, value);
            }
        }
        self.exit(Exit::Normal);
    }

    /// Goes on with a block.
    pub(crate) fn jump(&mut self, from: Label, to: Label) {
        self.assign_phis(from, to);
        let target = self.block_of(to);
        self.finish(TerminatorKind::Goto(vec![target]));
    }

    /// The target of an edge to a block.
    pub(crate) fn edge(&mut self, edges: &mut Edges, to: Label) -> BlockId {
        if !self.has_phis(to) {
            return self.block_of(to);
        }
        if let Some(block) = edges.blocks.get(&to) {
            return *block;
        }
        let block = self.new_block();
        edges.blocks.insert(to, block);
        edges.pending.push((block, to));
        block
    }

    /// Makes the blocks of edges that have phis to assign.
    pub(crate) fn make_edges(&mut self, from: Label, edges: Edges) {
        let before = self.here;
        for (block, to) in edges.pending {
            self.begin(block, "edge");
            self.here = CurrentLocation { origin: Origin::Synthetic, ..before };
            self.jump(from, to);
        }
    }

    fn has_phis(&self, label: Label) -> bool {
        let first = self.function.block(label).first();
        first.is_some_and(|first| matches!(first.kind, InstructionKind::Phi { .. }))
    }

    fn assign_phis(&mut self, from: Label, to: Label) {
        let mut assignments = Vec::new();
        for (id, instruction) in self.function.block_with_ids(to) {
            let InstructionKind::Phi { .. } = instruction.kind else { break };
            let InstructionResult::Variable(local) = self.slots[id.index()] else { continue };
            let ty = self.locals[local.0 as usize].ty.clone();
            let value = match self.incoming.get(&(id.0, from.0)) {
                Some(value) => self.value_as(*value, &ty),
                None => {
                    self.unsupported("a phi without a value", false);
                    self.default_of(&ty)
                }
            };
            assignments.push((self.place(local), value));
        }
        if !assignments.is_empty() {
            self.emit(StatementKind::Assign(assignments));
        }
    }

    fn switch(&mut self, label: Label, condition: Value, default: Label, cases: &[(Value, Label)]) {
        let value = self.value(condition);
        let ty = self.exprs.ty(value).clone();
        if !matches!(ty, Type::Bv(_) | Type::Bool) {
            self.unsupported("a switch on what is no word", false);
            return self.jump(label, default);
        }
        let value = self.steady(value, "switched");
        // Cases of one target are decided together, in the order in which targets come first.
        let mut order: Vec<Label> = Vec::new();
        let mut groups: FxHashMap<Label, Vec<ExprId>> = FxHashMap::default();
        for (case, target) in cases {
            if *target == default {
                continue;
            }
            let case = self.value_as(*case, &ty);
            let matches = self.test(Op::Eq, &[value, case]);
            groups.entry(*target).or_insert_with(|| {
                order.push(*target);
                Vec::new()
            });
            groups.entry(*target).and_modify(|group| group.push(matches));
        }
        let mut tests = Vec::new();
        for target in order {
            for group in groups[&target].chunks(CASES_PER_BRANCH) {
                let either = |test, case: &ExprId| self.test(Op::Or, &[test, *case]);
                tests.push((group[1..].iter().fold(group[0], either), target));
            }
        }
        let mut edges = Edges::default();
        let otherwise = self.edge(&mut edges, default);
        let Some((last, last_target)) = tests.pop() else {
            self.finish(TerminatorKind::Goto(vec![otherwise]));
            return self.make_edges(label, edges);
        };
        for (test, target) in tests {
            self.decide(&mut edges, test, target);
        }
        let yes = self.edge(&mut edges, last_target);
        self.branch_case(last, yes, otherwise);
        self.make_edges(label, edges);
    }

    /// Goes to a block if a test holds, and on in a new block if not.
    fn decide(&mut self, edges: &mut Edges, test: ExprId, target: Label) {
        let yes = self.edge(edges, target);
        let no = self.new_block();
        self.branch_case(test, yes, no);
        self.begin(no, "case");
    }

    fn branch_case(&mut self, test: ExprId, yes: BlockId, no: BlockId) {
        let here = CurrentLocation { point: self.points.fresh(), ..self.here };
        self.finish_at(TerminatorKind::Branch(test, yes, no), here);
    }

    /// A jump to a label whose address was taken: to one of the targets, and nowhere else.
    fn indirect_branch(&mut self, label: Label, address: Value, targets: &[Label]) {
        let pointer = self.pointer(address);
        let mut edges = Edges::default();
        let Some((last, others)) = targets.split_last() else {
            return self.exit(Exit::Intended("unreachable".to_owned()));
        };
        let is_at = |body: &mut Self, target: &Label| {
            let address = body.label_address((u64::from(target.0) + 1).into());
            body.test(Op::Eq, &[pointer, address])
        };
        for target in others {
            let matches = is_at(self, target);
            self.decide(&mut edges, matches, *target);
        }
        let condition = is_at(self, last);
        let reason = AssumeReason::Model;
        self.emit(StatementKind::Assume { condition, reason });
        self.jump(label, *last);
        self.make_edges(label, edges);
    }

    /// Goes on with any of some blocks.
    pub(crate) fn go_anywhere(&mut self, label: Label, targets: impl Iterator<Item = Label>) {
        let mut edges = Edges::default();
        let mut blocks: Vec<BlockId> =
            targets.map(|target| self.edge(&mut edges, target)).collect();
        blocks.sort_unstable();
        blocks.dedup();
        self.finish(TerminatorKind::Goto(blocks));
        self.make_edges(label, edges);
    }
}

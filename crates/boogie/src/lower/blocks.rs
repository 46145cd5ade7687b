//! Blocks under construction.

use ir::{
    Block, BlockId, Exit, LoopFacts, Origin, PointId, Statement, StatementKind, Terminator,
    TerminatorKind,
};
use rustc_hash::FxHashMap;

use super::names::Names;

use crate::diagnostics::TextRange;

/// A block that may still lack its end.
struct Draft {
    label: String,
    statements: Vec<Statement>,
    end: Option<Terminator>,
    facts: Option<LoopFacts>,
    /// Whether statements have been put into it.
    is_begun: bool,
}

pub(super) struct Blocks<'s> {
    drafts: Vec<Draft>,
    current: usize,
    /// The blocks in the order in which they were begun, which is that of the text.
    order: Vec<usize>,
    /// The blocks of the text's own labels.
    labelled: FxHashMap<&'s str, BlockId>,
    names: Names,
    pub(super) points: u32,
}

impl<'s> Blocks<'s> {
    /// One empty block, to which nothing will lead. The labels of the text are reserved.
    pub(super) fn new(labels: impl Iterator<Item = &'s str>) -> Blocks<'s> {
        let mut names = Names::default();
        labels.for_each(|label| names.reserve(label));
        let mut blocks = Blocks {
            drafts: Vec::new(),
            current: 0,
            order: Vec::new(),
            labelled: FxHashMap::default(),
            names,
            points: 1,
        };
        let entry = blocks.new_block("entry");
        blocks.enter(entry);
        blocks
    }

    pub(super) fn new_block(&mut self, name: &str) -> BlockId {
        let label = self.names.distinct(name);
        self.draft(label)
    }

    fn draft(&mut self, label: String) -> BlockId {
        self.drafts.push(Draft {
            label,
            statements: Vec::new(),
            end: None,
            facts: None,
            is_begun: false,
        });
        BlockId(self.drafts.len() as u32 - 1)
    }

    /// The block that a label of the text means.
    pub(super) fn labelled(&mut self, label: &'s str) -> BlockId {
        match self.labelled.get(label) {
            Some(id) => *id,
            None => {
                let id = self.draft(label.to_owned());
                self.labelled.insert(label, id);
                id
            }
        }
    }

    /// A new source point, for the following statements.
    pub(super) fn next_point(&mut self) {
        self.points += 1;
    }

    pub(super) fn point(&self) -> PointId {
        PointId(self.points - 1)
    }

    /// Adds a statement. If nothing leads here a block is begun that nothing leads to.
    pub(super) fn add(&mut self, kind: StatementKind, at: TextRange, origin: Origin) {
        self.open();
        let statement = Statement { kind, span: at.span(), point: self.point(), origin };
        self.drafts[self.current].statements.push(statement);
    }

    fn open(&mut self) {
        if self.drafts[self.current].end.is_some() {
            let dead = self.new_block("unreachable");
            self.enter(dead);
        }
    }

    /// Ends the current block.
    pub(super) fn end(&mut self, kind: TerminatorKind, at: TextRange, origin: Origin) {
        self.open();
        let end = Terminator { kind, span: at.span(), point: self.point(), origin };
        self.drafts[self.current].end = Some(end);
    }

    /// Leads to another block, if what comes before does not lead elsewhere.
    pub(super) fn lead(&mut self, block: BlockId, at: TextRange) {
        if self.drafts[self.current].end.is_none() {
            self.end(TerminatorKind::Goto(vec![block]), at, Origin::Synthetic);
        }
    }

    /// Leads to another block and goes on there.
    pub(super) fn go_on(&mut self, block: BlockId, at: TextRange) {
        self.lead(block, at);
        self.enter(block);
    }

    /// Goes on in another block, without leading there.
    pub(super) fn enter(&mut self, block: BlockId) {
        self.current = block.0 as usize;
        if !std::mem::replace(&mut self.drafts[self.current].is_begun, true) {
            self.order.push(self.current);
        }
    }

    pub(super) fn set_facts(&mut self, facts: LoopFacts) {
        self.drafts[self.current].facts = Some(facts);
    }

    /// Puts statements before all others.
    pub(super) fn begin_with(&mut self, kinds: Vec<StatementKind>, at: TextRange) {
        let statement = |kind| Statement::synthetic(kind, at.span(), PointId(0));
        self.drafts[0].statements.splice(0..0, kinds.into_iter().map(statement));
    }

    /// The finished blocks. A block without a terminator exits the procedure; unreachable synthetic blocks
    /// are left out.
    pub(super) fn finish(mut self, at: TextRange) -> Vec<Block> {
        for draft in &mut self.drafts {
            draft.end.get_or_insert_with(|| Terminator {
                kind: TerminatorKind::Exit(Exit::Normal),
                span: at.span(),
                point: PointId(self.points - 1),
                origin: Origin::Synthetic,
            });
        }
        let mut kept = vec![false; self.drafts.len()];
        let mut open: Vec<usize> = vec![0];
        for (index, draft) in self.drafts.iter().enumerate() {
            let says = draft.statements.iter().map(|statement| statement.origin);
            let ends = draft.end.iter().map(|end| end.origin);
            if says.chain(ends).any(|origin| origin == Origin::Source) {
                open.push(index);
            }
        }
        while let Some(index) = open.pop() {
            if std::mem::replace(&mut kept[index], true) {
                continue;
            }
            open.extend(targets(&self.drafts[index]).iter().map(|target| target.0 as usize));
        }
        // Every block is begun sooner or later; the others would only lead out.
        let begun = self.order.iter().copied();
        let others = (0..self.drafts.len()).filter(|index| !self.drafts[*index].is_begun);
        let order: Vec<usize> = begun.chain(others).filter(|index| kept[*index]).collect();
        let mut numbers = vec![BlockId(0); self.drafts.len()];
        for (number, index) in order.iter().enumerate() {
            numbers[*index] = BlockId(number as u32);
        }
        let mut drafts: Vec<Option<Draft>> = self.drafts.into_iter().map(Some).collect();
        let mut blocks = Vec::with_capacity(order.len());
        for index in order {
            let Some(draft) = drafts[index].take() else { continue };
            let Some(mut terminator) = draft.end else { continue };
            match &mut terminator.kind {
                TerminatorKind::Goto(targets) => {
                    targets.iter_mut().for_each(|target| *target = numbers[target.0 as usize]);
                }
                TerminatorKind::Branch(_, yes, no) => {
                    *yes = numbers[yes.0 as usize];
                    *no = numbers[no.0 as usize];
                }
                TerminatorKind::Exit(_) => {}
            }
            let Draft { label, statements, facts, .. } = draft;
            blocks.push(Block { label, statements, terminator, facts });
        }
        blocks
    }
}

fn targets(draft: &Draft) -> Vec<BlockId> {
    match draft.end.as_ref().map(|end| &end.kind) {
        Some(TerminatorKind::Goto(targets)) => targets.clone(),
        Some(TerminatorKind::Branch(_, yes, no)) => vec![*yes, *no],
        Some(TerminatorKind::Exit(_)) | None => Vec::new(),
    }
}

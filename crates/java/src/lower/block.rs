//! Blocks under construction.

use ir::{
    Block, BlockId, Exit, LoopFacts, Origin, PointId, Span, Statement, StatementKind, Terminator,
    TerminatorKind,
};

struct Draft {
    label: String,
    statements: Vec<Statement>,
    end: Option<Terminator>,
    facts: Option<LoopFacts>,
}

/// The blocks of a body, one of which is being written.
pub(super) struct Blocks {
    drafts: Vec<Draft>,
    current: usize,
    points: u32,
    /// Whether added statements are synthetic, whatever their own origin.
    is_synthetic: bool,
}

impl Blocks {
    pub(super) fn new(is_synthetic: bool) -> Blocks {
        let mut blocks = Blocks { drafts: Vec::new(), current: 0, points: 1, is_synthetic };
        blocks.create("entry");
        blocks
    }

    pub(super) fn create(&mut self, name: &str) -> BlockId {
        let number = self.drafts.len();
        let label = if number == 0 { name.to_owned() } else { format!("{name}_{number}") };
        self.drafts.push(Draft { label, statements: Vec::new(), end: None, facts: None });
        BlockId(number as u32)
    }

    /// A new source point, for the following statements.
    pub(super) fn next_point(&mut self) {
        self.points += 1;
    }

    pub(super) fn point(&self) -> PointId {
        PointId(self.points - 1)
    }

    pub(super) fn points(&self) -> u32 {
        self.points
    }

    fn origin(&self, origin: Origin) -> Origin {
        if self.is_synthetic { Origin::Synthetic } else { origin }
    }

    /// Whether what is added now could be reached from before.
    pub(super) fn is_open(&self) -> bool {
        self.drafts[self.current].end.is_none()
    }

    fn open(&mut self) {
        if !self.is_open() {
            let dead = self.create("dead");
            self.enter(dead);
        }
    }

    pub(super) fn add(&mut self, kind: StatementKind, span: Span, origin: Origin) {
        self.open();
        let (point, origin) = (self.point(), self.origin(origin));
        self.drafts[self.current].statements.push(Statement { kind, span, point, origin });
    }

    pub(super) fn end(&mut self, kind: TerminatorKind, span: Span, origin: Origin) {
        self.open();
        let (point, origin) = (self.point(), self.origin(origin));
        self.drafts[self.current].end = Some(Terminator { kind, span, point, origin });
    }

    pub(super) fn go(&mut self, target: BlockId, span: Span) {
        if self.is_open() {
            self.end(TerminatorKind::Goto(vec![target]), span, Origin::Synthetic);
        }
    }

    pub(super) fn enter(&mut self, block: BlockId) {
        self.current = block.0 as usize;
    }

    pub(super) fn set_facts(&mut self, block: BlockId, facts: LoopFacts) {
        self.drafts[block.0 as usize].facts = Some(facts);
    }

    /// The blocks that the first leads to, numbered anew.
    pub(super) fn finish(self, span: Span) -> Vec<Block> {
        let mut order = vec![0];
        let mut numbers = vec![None; self.drafts.len()];
        numbers[0] = Some(0_u32);
        let mut next = 0;
        while next < order.len() {
            for target in self.drafts[order[next]].end.iter().flat_map(targets) {
                let target = target.0 as usize;
                if numbers[target].is_none() {
                    numbers[target] = Some(order.len() as u32);
                    order.push(target);
                }
            }
            next += 1;
        }
        let point = PointId(self.points - 1);
        let mut drafts: Vec<Option<Draft>> = self.drafts.into_iter().map(Some).collect();
        let renumber = |id: &mut BlockId| {
            *id = BlockId(numbers[id.0 as usize].expect("what is led to has a number"));
        };
        let block = |number: usize| {
            let draft = drafts[number].take().expect("each block comes once");
            let kind = TerminatorKind::Exit(Exit::Normal);
            let left = Terminator { kind, span, point, origin: Origin::Synthetic };
            let mut terminator = draft.end.unwrap_or(left);
            match &mut terminator.kind {
                TerminatorKind::Goto(targets) => targets.iter_mut().for_each(renumber),
                TerminatorKind::Branch(_, then, otherwise) => {
                    renumber(then);
                    renumber(otherwise);
                }
                TerminatorKind::Exit(_) => {}
            }
            let Draft { label, statements, facts, .. } = draft;
            Block { label, statements, terminator, facts }
        };
        order.into_iter().map(block).collect()
    }
}

fn targets(end: &Terminator) -> Vec<BlockId> {
    match &end.kind {
        TerminatorKind::Goto(targets) => targets.clone(),
        TerminatorKind::Branch(_, then, otherwise) => vec![*then, *otherwise],
        TerminatorKind::Exit(_) => Vec::new(),
    }
}

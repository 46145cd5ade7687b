//! From a loop-free procedure to definitions and error verification conditions.

use ir::{BlockId, Expr, ExprId, LocalId, Module, Procedure, StatementKind, TerminatorKind};
use rustc_hash::FxHashMap;

use crate::wlp::reach::{self, Reached, Site};

/// A procedure as formulas.
///
/// Invariants: `passive` has assumptions, assertions and jumps only, and one exit, in the last of its
/// blocks that has one (*Term*); `definitions` has one entry for each of its blocks, in order.
#[derive(Clone, Debug)]
pub struct Formulas<'m> {
    /// The declarations that the expressions refer to.
    pub module: &'m Module,
    /// The passive form. Its parameters are the incarnations that the formulas mention.
    pub passive: Procedure,
    /// F_Bdef: what the truth value of each block means.
    pub definitions: Vec<Definition>,
    /// The conditions of points.
    pub conditions: Vec<Condition>,
}

/// The meaning of a block's Boolean `B_ℓ`: no execution that starts with the block succeeds.
///
/// The weakest liberal precondition of a passive statement is an implication, whether it assumes or asserts
/// (Table 1). So for a sequence it is *N ⇒ Q*, where *N* states that all conditions hold (Proposition 3).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The block.
    pub block: BlockId,
    /// The conditions that hold in an execution that passes the block.
    pub hypotheses: Vec<ExprId>,
    /// The blocks that it leads to, each once; none for *Term*, where the postcondition is *false*.
    pub then: Vec<BlockId>,
}

/// An error verification condition, for all points that the same blocks hold copies of.
///
/// It is `¬R_ℓ ∧ F_Bdef ⇒ B_start`. The paper prints `F_Bdef ⇒ ¬B_ℓ` in §5 and `⇒ ¬B_start` in §6, which is a
/// misprint: as defined there, `B_ℓ` states that no execution from `ℓ` succeeds, and that is to be proved of
/// a doomed point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// `R_ℓ` when an execution begins.
    pub reached: LocalId,
    /// The points that are doomed if the condition is valid, in the order of the source.
    pub sites: Vec<Site>,
}

/// The formulas of a procedure that has neither loops nor calls.
///
/// # Panics
/// If it has no body.
pub fn formulas<'m>(module: &'m Module, procedure: &Procedure) -> Formulas<'m> {
    let procedure = reach::with_intended_failures(procedure);
    let (procedure, reached) = reach::set(&procedure);
    let mut procedure = passes::spell_out(module, &procedure);
    reach::end_in_term(&mut procedure, &reached);
    let passive = passes::passify(module, &procedure);
    let locals: FxHashMap<&str, LocalId> =
        passive.locals.iter().map(|local| local.name.as_str()).zip((0..).map(LocalId)).collect();
    // An assigned variable has a first incarnation.
    let first = |name: &str| locals[format!("{name}#0").as_str()];
    let conditions = reached
        .into_iter()
        .map(|Reached { name, sites, .. }| Condition { reached: first(&name), sites })
        .collect();
    let blocks = passive.blocks.as_deref().expect("a procedure with formulas has a body");
    let definitions = blocks.iter().enumerate().map(|(number, block)| {
        let conditions = block.statements.iter().map(|statement| match statement.kind {
            StatementKind::Assume { condition, .. } | StatementKind::Assert { condition, .. } => {
                condition
            }
            StatementKind::Assign(_)
            | StatementKind::Havoc { .. }
            | StatementKind::Allocate { .. }
            | StatementKind::Free(_)
            | StatementKind::Call { .. }
            | StatementKind::Unsupported { .. } => unreachable!("the form is passive"),
        });
        let says_something = |id: &ExprId| *passive.exprs.get(*id) != Expr::Bool(true);
        let mut then = match &block.terminator.kind {
            TerminatorKind::Goto(targets) => targets.clone(),
            TerminatorKind::Exit(_) => Vec::new(),
            TerminatorKind::Branch(..) => unreachable!("the form is passive"),
        };
        then.sort_unstable();
        then.dedup();
        let hypotheses = conditions.filter(says_something).collect();
        Definition { block: BlockId(number as u32), hypotheses, then }
    });
    let definitions = definitions.collect();
    Formulas { module, passive, definitions, conditions }
}

impl Formulas<'_> {
    /// The label of a block.
    pub(crate) fn label(&self, id: BlockId) -> &str {
        self.passive.blocks.as_deref().map_or("", |blocks| &blocks[id.0 as usize].label)
    }
}

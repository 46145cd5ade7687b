//! Effects: what a call of each procedure of a module may change and how it may end.
//!
//! A body changes the state variables that its statements assign and those that its callees change; the least
//! solution of these equations is found by iteration over the call graph (Banning 1979). A procedure without
//! a body changes what its contract lists, or everything if the contract has no list. Liveness of memory
//! objects is in no variable: a procedure that allocates or frees counts as changing every variable of type
//! `Bytes`, and a havoc of such a variable also havocs the liveness of objects.

use ir::{
    Allocation, Contract, Exit, GlobalId, Module, Procedure, ProcedureId, StatementKind,
    TerminatorKind, Type, Variable,
};

/// The effects of calls, for every procedure of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effects {
    of: Vec<Effect>,
}

/// The effect of a call of a procedure.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effect {
    globals: Globals,
    /// Whether it may exit exceptionally.
    pub raises: bool,
    /// Whether it may end the whole execution by an intended exit.
    pub stops: bool,
}

impl Effect {
    /// The state variables that it may change, ascending.
    pub fn modifies(&self) -> impl Iterator<Item = GlobalId> + '_ {
        self.globals.iter()
    }
}

impl Effects {
    /// The effects of all procedures of a module.
    pub fn of(module: &Module) -> Effects {
        let mut callers: Vec<Vec<ProcedureId>> = vec![Vec::new(); module.procedures.len()];
        let mut callees: Vec<Vec<(ProcedureId, bool)>> = Vec::new();
        let mut of = Vec::new();
        for (number, procedure) in module.procedures.iter().enumerate() {
            let (effect, called) = own_effect(module, procedure);
            for (callee, _) in &called {
                callers[callee.0 as usize].push(ProcedureId(number as u32));
            }
            of.push(effect);
            callees.push(called);
        }
        let mut pending: Vec<ProcedureId> =
            (0..module.procedures.len() as u32).rev().map(ProcedureId).collect();
        let mut is_pending = vec![true; of.len()];
        while let Some(id) = pending.pop() {
            is_pending[id.0 as usize] = false;
            let mut effect = std::mem::take(&mut of[id.0 as usize]);
            let mut changed = false;
            for &(callee, caught) in callees[id.0 as usize].iter().filter(|(c, _)| *c != id) {
                let theirs = &of[callee.0 as usize];
                changed |= effect.globals.add_all(&theirs.globals);
                changed |= !effect.raises && theirs.raises && !caught;
                changed |= !effect.stops && theirs.stops;
                effect.raises |= theirs.raises && !caught;
                effect.stops |= theirs.stops;
            }
            of[id.0 as usize] = effect;
            if changed {
                for &caller in &callers[id.0 as usize] {
                    if !std::mem::replace(&mut is_pending[caller.0 as usize], true) {
                        pending.push(caller);
                    }
                }
            }
        }
        Effects { of }
    }

    /// No effects, for callers that know the effects of calls from another source.
    pub fn unknown(module: &Module) -> Effects {
        Effects { of: vec![Effect::default(); module.procedures.len()] }
    }

    /// The effect of a call of a procedure.
    pub fn get(&self, procedure: ProcedureId) -> &Effect {
        &self.of[procedure.0 as usize]
    }
}

/// The effect of a procedure's own statements, and its callees, with whether exceptions are caught.
fn own_effect(module: &Module, procedure: &Procedure) -> (Effect, Vec<(ProcedureId, bool)>) {
    let mut effect = Effect { globals: Globals::none(module), ..Effect::default() };
    let mut callees = Vec::new();
    for place in procedure.contract.modifies.iter().flatten() {
        effect.globals.add(place.variable);
    }
    let Some(blocks) = &procedure.blocks else {
        effect.raises = raises_by_contract(&procedure.contract);
        if procedure.contract.modifies.is_none() {
            effect.globals = Globals::all(module);
        }
        return (effect, callees);
    };
    for block in blocks {
        for statement in &block.statements {
            for place in statement.kind.written() {
                effect.globals.add(place.variable);
            }
            if changes_liveness(&statement.kind) {
                effect.globals.add_bytes(module);
            }
            if let StatementKind::Call { callee, caught, .. } = &statement.kind {
                let targets = callee.targets().into_iter();
                callees.extend(targets.map(|target| (target, caught.is_some())));
            }
        }
        match &block.terminator.kind {
            TerminatorKind::Exit(Exit::Exceptional(_)) => effect.raises = true,
            TerminatorKind::Exit(Exit::Intended(_)) => effect.stops = true,
            TerminatorKind::Exit(Exit::Normal | Exit::Cut(_))
            | TerminatorKind::Goto(_)
            | TerminatorKind::Branch(..) => {}
        }
    }
    callees.sort_unstable();
    callees.dedup();
    (effect, callees)
}

/// Whether a contract mentions exceptional exits.
pub(crate) fn raises_by_contract(contract: &Contract) -> bool {
    contract.ensures.iter().any(|ensured| ensured.exceptional)
}

/// Whether a statement itself changes which objects of memory are live.
pub(crate) fn changes_liveness(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Free(_) => true,
        StatementKind::Allocate { allocation, .. } => match allocation {
            Allocation::Atom(_) => false,
            Allocation::Object { .. } => true,
        },
        StatementKind::Assign(_)
        | StatementKind::Havoc { .. }
        | StatementKind::Assume { .. }
        | StatementKind::Assert { .. }
        | StatementKind::Call { .. }
        | StatementKind::Unsupported { .. } => false,
    }
}

/// The state variables that hold memory.
pub(crate) fn memories(module: &Module) -> impl Iterator<Item = GlobalId> + '_ {
    let globals = module.globals.iter().enumerate();
    globals.filter(|(_, global)| global.ty == Type::Bytes).map(|(id, _)| GlobalId(id as u32))
}

/// A set of state variables of one module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Globals {
    words: Vec<u64>,
}

impl Globals {
    fn none(module: &Module) -> Globals {
        Globals { words: vec![0; module.globals.len().div_ceil(64)] }
    }

    fn all(module: &Module) -> Globals {
        let mut all = Globals::none(module);
        for id in 0..module.globals.len() as u32 {
            all.add(Variable::Global(GlobalId(id)));
        }
        all
    }

    fn add(&mut self, variable: Variable) {
        match variable {
            Variable::Global(id) => self.words[id.0 as usize / 64] |= 1 << (id.0 % 64),
            Variable::Local(_) => {}
        }
    }

    fn add_bytes(&mut self, module: &Module) {
        for id in memories(module) {
            self.add(Variable::Global(id));
        }
    }

    /// Adds another set; whether that changed anything.
    fn add_all(&mut self, other: &Globals) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            changed |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }

    fn iter(&self) -> impl Iterator<Item = GlobalId> + '_ {
        let words = self.words.iter().enumerate();
        words.flat_map(|(number, &word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| GlobalId(number as u32 * 64 + bit))
        })
    }
}

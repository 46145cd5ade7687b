//! All executions of a procedure within a scope, by the interpreter.

use std::collections::BTreeSet;
use std::sync::Arc;

use encode::Scope;
use interpret::{
    Bytes, CallResult, Ending, Enumerating, EvalError, EventKind, Execution, Failure, Inputs,
    NewObject, Options, Oracle, Outcome, Pointer, Site, Undefined, UnknownCall, Value,
    ValueRequest, run,
};
use ir::address::ENVIRONMENT;
use ir::{
    Allocation, AssertKind, GlobalId, Module, PointId, Procedure, ProcedureId, SortId,
    StatementKind, Storage, Type,
};

/// What some execution does, as far as it can be compared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Behaviour {
    /// Where obligations of which kind fail.
    pub fails: BTreeSet<(PointId, AssertKind)>,
    /// Whether some execution exits normally, by an exception, on purpose.
    pub exits: [bool; 3],
    /// Which sides of which branches some execution takes.
    pub edges: BTreeSet<(PointId, bool)>,
    /// The points that some execution passes; that some execution passes and does not fail; that some execution
    /// passes and exits.
    pub passed: BTreeSet<PointId>,
    pub survived: BTreeSet<PointId>,
    pub left: BTreeSet<PointId>,
}

/// What is enumerated.
pub struct Enumeration<'e> {
    pub module: &'e Module,
    pub procedure: ProcedureId,
    pub scope: &'e Scope,
    /// The procedure as it was evaluated, which says how many atoms there are.
    pub evaluated: &'e Procedure,
    /// Whether an execution that computes beyond the scope is cut there; otherwise it goes on.
    pub strict: bool,
    /// More runs than this are not enumerated.
    pub most: u64,
}

impl Enumeration<'_> {
    /// What the executions do; nothing if there are too many or one cannot be judged.
    pub fn behaviour(&self) -> Option<Behaviour> {
        let scope = interpret_scope(self.scope);
        let options = Options {
            coverage: true,
            trace: 200,
            scope: self.strict.then(|| scope.clone()),
            ..Options::default()
        };
        let mut oracle = Choices {
            inner: Enumerating::new(scope),
            initial: u64::from(self.scope.atoms),
            atoms: self.atoms(),
        };
        let mut behaviour = Behaviour::default();
        let mut left = self.most;
        for inputs in environments(self.module, self.scope) {
            loop {
                let run = run(self.module, self.procedure, &inputs, &mut oracle, &options);
                self.judge(&run, &mut behaviour)?;
                left = left.checked_sub(1)?;
                if !oracle.inner.advance() {
                    break;
                }
            }
        }
        Some(behaviour)
    }

    /// Adds what an execution does. Nothing if it cannot be judged.
    fn judge(&self, run: &Execution, behaviour: &mut Behaviour) -> Option<()> {
        let (survives, exits) = match &run.outcome {
            Outcome::Failed(failure) => {
                behaviour.fails.insert((self.point(run, failure), failure.kind));
                (false, false)
            }
            Outcome::Exit(ending) => {
                match ending {
                    Ending::Normal(_) => behaviour.exits[0] = true,
                    Ending::Exceptional(_) => behaviour.exits[1] = true,
                    Ending::Intended(_) => behaviour.exits[2] = true,
                    Ending::Cut(_) => {}
                }
                (true, !matches!(ending, Ending::Cut(_)))
            }
            Outcome::Blocked { .. } | Outcome::Error { fault: EvalError::Contract(..), .. } => {
                (false, false)
            }
            Outcome::Error { fault: EvalError::OutOfScope(_), .. } => (true, false),
            Outcome::Error { fault: EvalError::Undefined(Undefined::Byte(_)), .. } => (true, false),
            Outcome::Error { .. } | Outcome::OutOfSteps => return None,
        };
        if !run.unchecked_clauses.is_empty() || run.trace.left_out() > 0 {
            return None;
        }
        for &(_, point) in run.passed.iter().filter(|(id, _)| *id == self.procedure) {
            behaviour.passed.insert(point);
            if survives {
                behaviour.survived.insert(point);
            }
            if exits {
                behaviour.left.insert(point);
            }
        }
        let taken = run.taken.iter().filter(|(id, ..)| *id == self.procedure);
        behaviour.edges.extend(taken.map(|&(_, point, side)| (point, side)));
        Some(())
    }

    /// The point at which a failure is reported: what happens in a callee is reported of the call.
    fn point(&self, run: &Execution, failure: &Failure) -> PointId {
        let mut site = failure.site;
        if site.procedure != self.procedure {
            let calls = run.trace.events().filter(|event| {
                event.depth == 0
                    && matches!(event.kind, EventKind::Called(..) | EventKind::UnknownCall(..))
            });
            site = calls.last().expect("somebody called the callee").site;
        }
        site.point(self.module).expect("a failure is somewhere")
    }

    /// The atoms of each sort: those of the initial state, and one for each allocation.
    fn atoms(&self) -> Vec<Arc<Vec<u64>>> {
        let mut counts = vec![u64::from(self.scope.atoms); self.module.sorts.len()];
        let blocks = self.evaluated.blocks.iter().flatten();
        for statement in blocks.flat_map(|block| &block.statements) {
            if let StatementKind::Allocate { allocation: Allocation::Atom(sort), .. } =
                statement.kind
            {
                counts[sort.0 as usize] += 1;
            }
        }
        counts.into_iter().map(|count| Arc::new((1..=count).collect())).collect()
    }
}

fn interpret_scope(scope: &Scope) -> interpret::Scope {
    let half = 1_i64 << (scope.int_width - 1);
    interpret::Scope {
        integers: -half..=half - 1,
        sort_size: u64::from(scope.atoms),
        length: scope.sequence,
        pointers: (ENVIRONMENT..).map(Pointer::to).take(scope.objects as usize).collect(),
        ..interpret::Scope::default()
    }
}

/// The objects that the environment may have, with all that they may hold.
fn environments(module: &Module, scope: &Scope) -> Vec<Inputs> {
    let memory = module.globals.iter().position(|global| global.ty == Type::Bytes);
    let Some(memory) = memory.filter(|_| scope.objects > 0) else { return vec![Inputs::default()] };
    assert!(scope.objects == 1 && scope.object_size == 1, "only one byte is enumerated");
    let mut environments = Vec::new();
    for storage in [Storage::Environment, Storage::Heap] {
        environments.push(Inputs::default().with_object(NewObject::new(0, storage)));
        for byte in 0..=u8::MAX {
            let mut bytes = Bytes::default();
            bytes.write(ENVIRONMENT, 0, &[byte]);
            let inputs = Inputs::default().with_object(NewObject::new(1, storage));
            environments.push(inputs.with(GlobalId(memory as u32), Value::Bytes(bytes)));
        }
    }
    environments
}

/// All answers in turn, as the evaluator understands the queries: what comes from outside refers to atoms of the
/// initial state only, an allocation gives one beyond them, and a callee without a body may write all that its
/// contract does not forbid.
struct Choices {
    inner: Enumerating,
    initial: u64,
    atoms: Vec<Arc<Vec<u64>>>,
}

impl Oracle for Choices {
    fn value(&mut self, request: &ValueRequest<'_>) -> Option<Value> {
        self.inner.value(request)
    }

    fn choose(&mut self, site: Site, targets: usize) -> Option<usize> {
        self.inner.choose(site, targets)
    }

    /// Nothing tells apart the atoms that are still to be allocated, so the first will do.
    fn atom(&mut self, _: Site, sort: SortId, is_fresh: &dyn Fn(u64) -> bool) -> Option<u64> {
        let known = &self.atoms[sort.0 as usize];
        known.iter().copied().find(|&id| id > self.initial && is_fresh(id))
    }

    fn fails(&mut self, site: Site, size: u64) -> Option<bool> {
        self.inner.fails(site, size)
    }

    fn call(&mut self, call: &UnknownCall<'_>) -> Option<CallResult> {
        self.inner.call(&UnknownCall { has_modifies: true, ..*call })
    }

    fn atoms(&self, sort: SortId) -> Option<Arc<Vec<u64>>> {
        Some(self.atoms[sort.0 as usize].clone())
    }
}

//! Copying expressions from one arena to another, with variables renamed.
//!
//! `old` of a copied procedure means the state at its own entry, which is some intermediate state of the
//! procedure that it is copied into. So the variables that `old` mentions are saved there, and the copies
//! read the saved ones. Whole variables are saved, not values of expressions: saving must not evaluate more
//! than the execution itself would. Only liveness, which is in no variable, is saved as a value.

use ir::{
    Binder, Expr, ExprId, Exprs, LocalId, Memory, Mode, Module, Op, Place, Procedure,
    StatementKind, Type, Variable,
};

use rustc_hash::FxHashMap;

use crate::names::Names;

/// A variable of a procedure that a copied variable becomes.
pub(crate) type Renaming = Vec<LocalId>;

/// Copies of the expressions of one procedure within another.
pub(crate) struct Copies {
    now: Vec<Option<ExprId>>,
    /// The assignments at entry that give copies of `old` their meaning.
    pub(crate) notes: Vec<StatementKind>,
    /// Whether some `old` has no copy: it asks whether the objects of a bound variable were live.
    pub(crate) lost: bool,
}

impl Copies {
    /// The copy of an expression that was among the roots.
    pub(crate) fn of(&self, id: ExprId) -> ExprId {
        self.now[id.0 as usize].expect("what is used has been copied")
    }
}

/// Copies expressions into another procedure, which gets variables for what `old` mentions.
pub(crate) fn copy_exprs(
    module: &Module,
    from: &Exprs,
    roots: impl IntoIterator<Item = ExprId>,
    renaming: &Renaming,
    to: &mut Procedure,
    names: &mut Names,
) -> Copies {
    let mut open = Vec::with_capacity(from.len());
    for number in 0..from.len() as u32 {
        let expr = from.get(ExprId(number));
        let mut operands = expr.operands().iter();
        let is_open = matches!(expr, Expr::Bound(_))
            || operands.any(|operand| open.get(operand.0 as usize) == Some(&true));
        open.push(is_open);
    }
    let mut copier = Copier {
        module,
        from,
        renaming,
        to,
        names,
        old_variables: Vec::new(),
        open,
        scopes: vec![Scope { around: OUTSIDE, binders: Vec::new() }],
        closed: [vec![None; from.len()], vec![None; from.len()]],
        below_binders: FxHashMap::default(),
        notes: Vec::new(),
        lost: false,
    };
    let mut now = vec![None; from.len()];
    for root in roots {
        now[root.0 as usize] = Some(copier.copy(root));
    }
    Copies { now, notes: copier.notes, lost: copier.lost }
}

fn is_liveness(expr: &Expr) -> bool {
    matches!(expr, Expr::Op(Op::Memory(Memory::IsLive), _))
}

/// Below which copies of binders a copy stands. The same expression has a copy for each, as a bound
/// variable has one binder.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ScopeId(u32);

/// Below no binder.
const OUTSIDE: ScopeId = ScopeId(0);

struct Scope {
    around: ScopeId,
    /// Bound variables and their copies.
    binders: Vec<(Binder, Binder)>,
}

/// A copy that is wanted: of which expression, in the state at entry or now, below which binders.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct CopyKey {
    id: ExprId,
    old: bool,
    scope: ScopeId,
}

enum Task {
    Visit(CopyKey),
    /// Its operands have been copied, below these binders.
    Build(CopyKey, ScopeId),
}

struct Copier<'c> {
    module: &'c Module,
    from: &'c Exprs,
    renaming: &'c Renaming,
    to: &'c mut Procedure,
    names: &'c mut Names,
    old_variables: Vec<(Variable, LocalId)>,
    /// Whether an expression mentions a bound variable.
    open: Vec<bool>,
    scopes: Vec<Scope>,
    /// Copies of expressions that mention no bound variable, of now and of the entry.
    closed: [Vec<Option<ExprId>>; 2],
    below_binders: FxHashMap<CopyKey, ExprId>,
    notes: Vec<StatementKind>,
    lost: bool,
}

impl Copier<'_> {
    /// Copies an expression and all below it.
    fn copy(&mut self, root: ExprId) -> ExprId {
        let wanted = CopyKey { id: root, old: false, scope: OUTSIDE };
        let mut tasks = vec![Task::Visit(wanted)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(wanted) => {
                    if self.known(wanted).is_none() {
                        self.visit(wanted, &mut tasks);
                    }
                }
                Task::Build(wanted, inner) => {
                    let copy = self.build(wanted, inner);
                    match self.open[wanted.id.0 as usize] {
                        true => self.below_binders.insert(wanted, copy),
                        false => {
                            self.closed[usize::from(wanted.old)][wanted.id.0 as usize].replace(copy)
                        }
                    };
                }
            }
        }
        self.copied(root, false, OUTSIDE)
    }

    fn known(&self, wanted: CopyKey) -> Option<ExprId> {
        match self.open[wanted.id.0 as usize] {
            true => self.below_binders.get(&wanted).copied(),
            false => self.closed[usize::from(wanted.old)][wanted.id.0 as usize],
        }
    }

    fn copied(&self, id: ExprId, old: bool, scope: ScopeId) -> ExprId {
        self.known(CopyKey { id, old, scope }).expect("operands are copied before their user")
    }

    fn visit(&mut self, wanted: CopyKey, tasks: &mut Vec<Task>) {
        let from = self.from;
        let expr = from.get(wanted.id);
        let CopyKey { id, mut old, mut scope } = wanted;
        if !expr.binders().is_empty() {
            let mut binders = Vec::new();
            for &binder in expr.binders() {
                let (name, ty) = from.binder(binder);
                binders.push((binder, self.to.exprs.bind(name, ty.clone())));
            }
            self.scopes.push(Scope { around: scope, binders });
            scope = ScopeId(self.scopes.len() as u32 - 1);
        }
        tasks.push(Task::Build(wanted, scope));
        old |= matches!(expr, Expr::Old(_));
        let operands = expr.operands().iter();
        tasks.extend(operands.map(|&id| Task::Visit(CopyKey { id, old, scope })));
        if old && is_liveness(expr) {
            tasks.push(Task::Visit(CopyKey { id, old: false, scope }));
        }
    }

    /// Makes a copy whose operands have been copied.
    fn build(&mut self, wanted: CopyKey, inner: ScopeId) -> ExprId {
        let CopyKey { id, old, .. } = wanted;
        let from = self.from;
        let operand = |copier: &Self, id: ExprId| copier.copied(id, old, inner);
        let operands = |copier: &Self, operands: &[ExprId]| {
            operands.iter().map(|&id| operand(copier, id)).collect()
        };
        let copy = match from.get(id) {
            Expr::Old(inside) => return self.copied(*inside, true, inner),
            expr if old && is_liveness(expr) && !self.open[id.0 as usize] => {
                return self.note_liveness(id);
            }
            expr @ (Expr::Bool(_) | Expr::Bv(..) | Expr::Int(_) | Expr::Null(_)) => expr.clone(),
            Expr::Read(variable) => Expr::Read(match old {
                true => self.old_variable(*variable, from.ty(id)),
                false => rename(self.renaming, *variable),
            }),
            Expr::Bound(binder) => Expr::Bound(self.binder(*binder, inner)),
            Expr::Op(op, arguments) => {
                self.lost |= old && is_liveness(from.get(id));
                Expr::Op(op.clone(), operands(self, arguments))
            }
            Expr::Apply(function, arguments) => Expr::Apply(*function, operands(self, arguments)),
            Expr::Quantified(quantifier, _, body) => {
                Expr::Quantified(*quantifier, self.binders(inner), operand(self, *body))
            }
            Expr::Lambda(_, body) => Expr::Lambda(self.binders(inner), operand(self, *body)),
        };
        self.to.exprs.push(copy, from.ty(id).clone())
    }

    fn binders(&self, scope: ScopeId) -> Vec<Binder> {
        self.scopes[scope.0 as usize].binders.iter().map(|&(_, copy)| copy).collect()
    }

    /// The copy of a bound variable.
    fn binder(&self, binder: Binder, mut scope: ScopeId) -> Binder {
        loop {
            let Scope { around, binders } = &self.scopes[scope.0 as usize];
            if let Some((_, copy)) = binders.iter().find(|(bound, _)| *bound == binder) {
                return *copy;
            }
            assert!(scope != OUTSIDE, "a bound variable occurs only below its binder");
            scope = *around;
        }
    }

    /// The variable that has the value of a variable at the entry.
    fn old_variable(&mut self, variable: Variable, ty: &Type) -> Variable {
        let known = self.old_variables.iter().find(|(noted, _)| *noted == variable);
        if let Some((_, noted)) = known {
            return Variable::Local(*noted);
        }
        let renamed = rename(self.renaming, variable);
        let value = self.to.exprs.push(Expr::Read(renamed), ty.clone());
        let (name, mode) = match renamed {
            Variable::Global(id) => {
                let global = self.module.global(id);
                (&global.name, if global.ghost { Mode::Ghost } else { Mode::Local })
            }
            Variable::Local(id) => {
                let local = self.to.local(id);
                (&local.name, if local.mode == Mode::Ghost { Mode::Ghost } else { Mode::Local })
            }
        };
        let name = format!("old {name}");
        let noted = self.note(&name, value, ty.clone(), mode);
        self.old_variables.push((variable, noted));
        Variable::Local(noted)
    }

    /// Reads a ghost variable that has the value of `live(p)` at the entry.
    fn note_liveness(&mut self, id: ExprId) -> ExprId {
        let value = self.copied(id, false, OUTSIDE);
        let ghost = self.note("old live", value, Type::Bool, Mode::Ghost);
        self.to.exprs.push(Expr::Read(Variable::Local(ghost)), Type::Bool)
    }

    fn note(&mut self, name: &str, value: ExprId, ty: Type, mode: Mode) -> LocalId {
        let name = self.names.fresh(name);
        let noted = self.to.new_local(name, ty, mode);
        let place = Place { variable: Variable::Local(noted), path: Vec::new() };
        self.notes.push(StatementKind::Assign(vec![(place, value)]));
        noted
    }
}

/// The variable that replaces a variable of a copied procedure.
pub(crate) fn rename(renaming: &Renaming, variable: Variable) -> Variable {
    match variable {
        Variable::Global(_) => variable,
        Variable::Local(local) => Variable::Local(renaming[local.0 as usize]),
    }
}

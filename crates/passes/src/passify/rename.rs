//! Expressions about the present incarnations.

use ir::{Binder, Expr, ExprId, Exprs, Op};
use rustc_hash::FxHashMap;

use super::Passifier;

/// Below which copies of binders a copy stands. The same expression has a copy for each, as a bound
/// variable has one binder.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ScopeId(u32);

/// Below no binder.
const OUTSIDE: ScopeId = ScopeId(0);

/// A copy that is wanted: of which expression, about the incarnations at entry or those of now, below
/// which binders.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct CopyKey {
    id: ExprId,
    old: bool,
    scope: ScopeId,
}

enum Task {
    Visit(CopyKey),
    /// Its operands have been copied, as they are wanted here.
    Build(CopyKey, CopyKey),
}

/// Copies of the expressions that one statement is made of.
struct Copies {
    made: FxHashMap<CopyKey, ExprId>,
    /// The scope around each, and its bound variables with their copies.
    scopes: Vec<(ScopeId, Vec<(Binder, Binder)>)>,
}

/// Whether each expression mentions a bound variable.
pub(super) fn open(exprs: &Exprs) -> Vec<bool> {
    let mut open: Vec<bool> = Vec::with_capacity(exprs.len());
    for id in (0..exprs.len() as u32).map(ExprId) {
        let expr = exprs.get(id);
        let below = expr.operands().iter().any(|operand| open[operand.0 as usize]);
        open.push(below || matches!(expr, Expr::Bound(_)));
    }
    open
}

impl Passifier<'_> {
    /// An expression about the present incarnations; `old` is about the first ones.
    pub(super) fn copy(&mut self, root: ExprId) -> ExprId {
        let wanted = CopyKey { id: root, old: false, scope: OUTSIDE };
        let mut copies = Copies { made: FxHashMap::default(), scopes: vec![(OUTSIDE, Vec::new())] };
        let mut tasks = vec![Task::Visit(wanted)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(wanted) => {
                    let wanted = self.closed(wanted);
                    if !copies.made.contains_key(&wanted) {
                        self.visit(wanted, &mut copies, &mut tasks);
                    }
                }
                Task::Build(wanted, operand) => {
                    let copy = self.build(wanted, operand, &copies);
                    copies.made.insert(wanted, copy);
                }
            }
        }
        copies.made[&self.closed(wanted)]
    }

    /// An expression without bound variables is the same below all binders.
    fn closed(&self, wanted: CopyKey) -> CopyKey {
        let is_open = self.open[wanted.id.0 as usize];
        CopyKey { scope: if is_open { wanted.scope } else { OUTSIDE }, ..wanted }
    }

    fn visit(&mut self, wanted: CopyKey, copies: &mut Copies, tasks: &mut Vec<Task>) {
        let exprs = &self.procedure.exprs;
        let expr = exprs.get(wanted.id);
        let mut operand = wanted;
        operand.old |= matches!(expr, Expr::Old(_));
        if !expr.binders().is_empty() {
            let mut binders = Vec::with_capacity(expr.binders().len());
            for &binder in expr.binders() {
                let (name, ty) = exprs.binder(binder);
                binders.push((binder, self.passive.exprs.bind(name, ty.clone())));
            }
            copies.scopes.push((wanted.scope, binders));
            operand.scope = ScopeId(copies.scopes.len() as u32 - 1);
        }
        tasks.push(Task::Build(wanted, operand));
        let operands = expr.operands().iter();
        tasks.extend(operands.map(|&id| Task::Visit(CopyKey { id, ..operand })));
    }

    fn build(&mut self, wanted: CopyKey, operand: CopyKey, copies: &Copies) -> ExprId {
        let exprs = &self.procedure.exprs;
        let of = |id: ExprId| copies.made[&self.closed(CopyKey { id, ..operand })];
        let copy = match exprs.get(wanted.id) {
            Expr::Old(inner) => return of(*inner),
            Expr::Read(variable) => {
                let index = self.incarnations.index(*variable);
                return if wanted.old { self.first(index) } else { self.present(index) };
            }
            Expr::Bound(binder) => Expr::Bound(copies.binder(*binder, wanted.scope)),
            Expr::Op(op, operands) => {
                let operands: Vec<ExprId> = operands.iter().map(|&id| of(id)).collect();
                if let Some(fact) = self.incarnations.fact(op) {
                    let map = if wanted.old { self.first(fact) } else { self.present(fact) };
                    return self.op(Op::Select, vec![map, operands[0]]);
                }
                Expr::Op(op.clone(), operands)
            }
            expr @ (Expr::Bool(_)
            | Expr::Bv(..)
            | Expr::Int(_)
            | Expr::Null(_)
            | Expr::Apply(..)
            | Expr::Quantified(..)
            | Expr::Lambda(..)) => {
                let mut copy = expr.clone();
                for operand in copy.operands_mut() {
                    *operand = of(*operand);
                }
                if let Expr::Quantified(_, binders, _) | Expr::Lambda(binders, _) = &mut copy {
                    for binder in binders {
                        *binder = copies.binder(*binder, operand.scope);
                    }
                }
                copy
            }
        };
        self.passive.exprs.push(copy, exprs.ty(wanted.id).clone())
    }

    /// The first incarnation of a variable.
    fn first(&mut self, index: usize) -> ExprId {
        self.incarnations.read(&mut self.passive, index, 0)
    }
}

impl Copies {
    /// The copy of a bound variable.
    fn binder(&self, binder: Binder, mut scope: ScopeId) -> Binder {
        loop {
            let (around, binders) = &self.scopes[scope.0 as usize];
            if let Some((_, copy)) = binders.iter().find(|(bound, _)| *bound == binder) {
                return *copy;
            }
            assert!(scope != OUTSIDE, "a bound variable occurs only below its binder");
            scope = *around;
        }
    }
}

//! Arenas of expressions: references, types, scopes, and what each expression depends on.

use std::ops::BitOr;

use num_bigint::Sign;

use super::declarations::well_formed;
use super::{Rule, Validator};
use crate::expr::{Binder, Expr, ExprId, Exprs};
use crate::op::{Memory, Op};
use crate::procedure::{Local, Mode};
use crate::statement::Variable;
use crate::types::Type;
use crate::typing::result_type;

/// The dependencies of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Traits(u8);

impl Traits {
    /// Globals, and what is known of objects.
    pub(super) const GLOBAL: Traits = Traits(1);
    pub(super) const PARAMETER: Traits = Traits(2);
    pub(super) const RESULT: Traits = Traits(4);
    pub(super) const LOCAL: Traits = Traits(8);
    /// Ghost variables, global or local.
    pub(super) const GHOST: Traits = Traits(16);
    pub(super) const OLD: Traits = Traits(32);
    pub(super) const SPECIFICATION: Traits = Traits(64);
    /// The dependencies that statements may have.
    pub(super) const CODE: Traits = Traits(1 | 2 | 4 | 8);
    /// The dependencies that specifications may have.
    pub(super) const ANY: Traits = Traits(127);

    pub(super) fn has(self, other: Traits) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn without(self, other: Traits) -> Traits {
        Traits(self.0 & !other.0)
    }

    /// Each single trait, with its rule and its description.
    const SINGLE: [(Traits, Rule, &'static str); 7] = [
        (Traits::GLOBAL, Rule::State, "the state of the module"),
        (Traits::PARAMETER, Rule::State, "parameters"),
        (Traits::RESULT, Rule::State, "results"),
        (Traits::LOCAL, Rule::State, "local variables"),
        (Traits::GHOST, Rule::Ghost, "ghost variables"),
        (Traits::OLD, Rule::State, "`old`"),
        (Traits::SPECIFICATION, Rule::Specification, "specification expressions"),
    ];
}

impl BitOr for Traits {
    type Output = Traits;

    fn bitor(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }
}

/// An arena that keeps the rules for arenas.
pub(super) struct Arena<'e> {
    pub(super) exprs: &'e Exprs,
    traits: Vec<Traits>,
}

impl<'e> Arena<'e> {
    /// Checks an arena. The first bound variables may be parameters, which are in scope everywhere.
    pub(super) fn check(
        validator: &mut Validator<'_>,
        exprs: &'e Exprs,
        locals: &[Local],
        roots: &[ExprId],
        parameters: usize,
    ) -> Option<Arena<'e>> {
        let before = validator.violations.len();
        for binder in (0..exprs.binders() as u32).map(Binder) {
            validator.check_type(exprs.binder(binder).1, false);
        }
        for root in roots {
            let exists = (root.0 as usize) < exprs.len();
            validator.require(exists, Rule::Arena, || format!("there is no expression {root:?}"));
        }
        for id in (0..exprs.len() as u32).map(ExprId) {
            if let Err(message) = check_references(validator, exprs, locals, id) {
                validator.add(Rule::Arena, message);
            }
        }
        if validator.violations.len() > before {
            return None;
        }
        for id in (0..exprs.len() as u32).map(ExprId) {
            match type_of(validator, exprs, locals, id) {
                Ok(ty) if ty == *exprs.ty(id) => {}
                Ok(ty) => {
                    let module = validator.module;
                    let (given, right) = (exprs.ty(id).display(module), ty.display(module));
                    let message = format!("an expression of type {right} is said to have {given}");
                    validator.add(Rule::Typing, message);
                }
                Err(message) => validator.add(Rule::Typing, message),
            }
        }
        check_scopes(validator, exprs, roots, parameters);
        if validator.violations.len() > before {
            return None;
        }
        let mut traits: Vec<Traits> = Vec::with_capacity(exprs.len());
        for id in (0..exprs.len() as u32).map(ExprId) {
            let own = own_traits(validator, exprs, locals, id);
            let operands = exprs.get(id).operands().iter();
            let all = operands.fold(own, |all, operand| all | traits[operand.0 as usize]);
            if let Expr::Old(operand) = exprs.get(id)
                && traits[operand.0 as usize].has(Traits::RESULT | Traits::LOCAL)
            {
                let message = "`old` is of variables that have no value when the procedure starts";
                validator.add(Rule::State, message);
            }
            traits.push(all);
        }
        Some(Arena { exprs, traits })
    }

    pub(super) fn traits(&self, id: ExprId) -> Traits {
        self.traits[id.0 as usize]
    }
}

impl Validator<'_> {
    /// An expression that stands somewhere: its type, if one is asked for, and what it may depend
    /// on there.
    pub(super) fn root(
        &mut self,
        arena: &Arena<'_>,
        id: ExprId,
        expected: Option<&Type>,
        allowed: Traits,
        what: &str,
    ) {
        let ty = arena.exprs.ty(id);
        if let Some(expected) = expected
            && ty != expected
        {
            let (ty, expected) = (ty.display(self.module), expected.display(self.module));
            self.add(Rule::Statements, format!("{what} has type {ty}, not {expected}"));
        }
        let excess = arena.traits(id).without(allowed);
        for (single, rule, described) in Traits::SINGLE {
            // `old` is a specification, and there is no need to say both.
            let is_reported = single == Traits::SPECIFICATION && excess.has(Traits::OLD);
            if excess.has(single) && !is_reported {
                self.add(rule, format!("{what} must not depend on {described}"));
            }
        }
    }
}

/// References of an expression exist, and operands are older.
fn check_references(
    validator: &Validator<'_>,
    exprs: &Exprs,
    locals: &[Local],
    id: ExprId,
) -> Result<(), String> {
    let module = validator.module;
    let expr = exprs.get(id);
    if expr.operands().iter().any(|operand| *operand >= id) {
        return Err(format!("{id:?} is not younger than its operands"));
    }
    if expr.binders().iter().any(|binder| binder.0 as usize >= exprs.binders()) {
        return Err(format!("{id:?} binds what is not declared"));
    }
    let exists = match expr {
        Expr::Read(Variable::Global(global)) => (global.0 as usize) < module.globals.len(),
        Expr::Read(Variable::Local(local)) => (local.0 as usize) < locals.len(),
        Expr::Bound(binder) => (binder.0 as usize) < exprs.binders(),
        Expr::Apply(function, _) => (function.0 as usize) < module.functions.len(),
        Expr::Null(ty)
        | Expr::Op(
            Op::ConstMap(ty) | Op::SeqEmpty(ty) | Op::Memory(Memory::Load(ty) | Memory::Store(ty)),
            _,
        ) => return well_formed(ty, module, Type::MAX_DEPTH),
        Expr::Bool(_)
        | Expr::Bv(..)
        | Expr::Int(_)
        | Expr::Op(..)
        | Expr::Old(_)
        | Expr::Quantified(..)
        | Expr::Lambda(..) => true,
    };
    if exists { Ok(()) } else { Err(format!("{id:?} refers to what does not exist")) }
}

/// The type of an expression according to the rules.
fn type_of(
    validator: &Validator<'_>,
    exprs: &Exprs,
    locals: &[Local],
    id: ExprId,
) -> Result<Type, String> {
    let module = validator.module;
    match exprs.get(id) {
        Expr::Bool(_) => Ok(Type::Bool),
        Expr::Int(_) => Ok(Type::Int),
        Expr::Bv(width, value) => {
            let is_width = (1..=Type::MAX_WIDTH).contains(width);
            if !is_width || value.sign() == Sign::Minus || value.bits() > u64::from(*width) {
                return Err(format!("a number does not fit into {width} bits"));
            }
            Ok(Type::Bv(*width))
        }
        Expr::Null(ty) => match ty {
            Type::Sort(_) | Type::Ptr => Ok(ty.clone()),
            other => Err(format!("there is no null of type {}", other.display(module))),
        },
        Expr::Read(Variable::Global(id)) => Ok(module.global(*id).ty.clone()),
        Expr::Read(Variable::Local(id)) => Ok(locals[id.0 as usize].ty.clone()),
        Expr::Bound(binder) => Ok(exprs.binder(*binder).1.clone()),
        Expr::Op(op, operands) => {
            let types: Vec<&Type> = operands.iter().map(|operand| exprs.ty(*operand)).collect();
            result_type(op, &types, module)
        }
        Expr::Apply(id, arguments) => {
            let function = module.function(*id);
            let given = arguments.iter().map(|argument| exprs.ty(*argument));
            if !given.eq(function.parameters.iter().map(|(_, ty)| ty)) {
                return Err(format!("`{}` does not take these arguments", function.name));
            }
            Ok(function.result.clone())
        }
        Expr::Old(operand) => Ok(exprs.ty(*operand).clone()),
        Expr::Quantified(_, _, body) => match exprs.ty(*body) {
            Type::Bool => Ok(Type::Bool),
            other => Err(format!("a quantified formula has type {}", other.display(module))),
        },
        Expr::Lambda(binders, body) => {
            if binders.is_empty() || *exprs.ty(*body) == Type::Bytes {
                return Err("a lambda has keys, and its values are no memory".to_owned());
            }
            let keys = binders.iter().map(|binder| exprs.binder(*binder).1.clone()).collect();
            Ok(Type::Map(keys, Box::new(exprs.ty(*body).clone())))
        }
    }
}

/// Bound variables occur only below what binds them.
///
/// The binding expressions form a tree: above each is the innermost one on every path from a root. That is
/// the lowest common ancestor of those of its users, which are younger, so that one pass from the youngest
/// expression to the oldest finds it.
fn check_scopes(validator: &mut Validator<'_>, exprs: &Exprs, roots: &[ExprId], parameters: usize) {
    /// The scope outside all binders.
    const OUTSIDE: u32 = u32::MAX;
    const UNUSED: u32 = u32::MAX - 1;
    let mut scopes = vec![UNUSED; exprs.len()];
    let mut depths = vec![0_u32; exprs.len()];
    let mut bound_by = vec![OUTSIDE; exprs.binders()];
    for root in roots {
        scopes[root.0 as usize] = OUTSIDE;
    }
    for id in (0..exprs.len() as u32).rev() {
        let scope = scopes[id as usize];
        if scope == UNUSED {
            continue;
        }
        let expr = exprs.get(ExprId(id));
        let mut inner = scope;
        if !expr.binders().is_empty() {
            inner = id;
            depths[id as usize] = if scope == OUTSIDE { 1 } else { depths[scope as usize] + 1 };
            for binder in expr.binders() {
                let is_free =
                    bound_by[binder.0 as usize] == OUTSIDE && binder.0 as usize >= parameters;
                validator.require(is_free, Rule::Binding, || {
                    format!("`{}` is bound twice", exprs.binder(*binder).0)
                });
                bound_by[binder.0 as usize] = id;
            }
        }
        for operand in expr.operands() {
            let (mut a, mut b) = (scopes[operand.0 as usize], inner);
            if a == UNUSED {
                a = b;
            }
            let depth = |scope: u32| if scope == OUTSIDE { 0 } else { depths[scope as usize] };
            let above = |scope: u32| scopes[scope as usize];
            while a != b {
                if depth(a) >= depth(b) {
                    a = above(a);
                } else {
                    b = above(b);
                }
            }
            scopes[operand.0 as usize] = a;
        }
    }
    for (id, scope) in scopes.iter().enumerate() {
        let Expr::Bound(binder) = exprs.get(ExprId(id as u32)) else { continue };
        if *scope == UNUSED || (binder.0 as usize) < parameters {
            continue;
        }
        let mut scope = *scope;
        while scope != OUTSIDE && scope != bound_by[binder.0 as usize] {
            scope = scopes[scope as usize];
        }
        validator.require(scope != OUTSIDE, Rule::Binding, || {
            format!("`{}` occurs outside the scope of its binder", exprs.binder(*binder).0)
        });
    }
}

/// The dependencies of an expression itself, its operands aside.
fn own_traits(validator: &Validator<'_>, exprs: &Exprs, locals: &[Local], id: ExprId) -> Traits {
    match exprs.get(id) {
        Expr::Read(Variable::Global(id)) => {
            let ghost = if validator.module.global(*id).ghost { Traits::GHOST } else { Traits(0) };
            Traits::GLOBAL | ghost
        }
        Expr::Read(Variable::Local(id)) => match locals[id.0 as usize].mode {
            Mode::Parameter => Traits::PARAMETER,
            Mode::Result => Traits::RESULT,
            Mode::Local => Traits::LOCAL,
            Mode::Ghost => Traits::LOCAL | Traits::GHOST,
        },
        Expr::Op(op, _) if op.depends_on_objects() => Traits::GLOBAL,
        Expr::Op(op, _) if op.is_specification() => Traits::SPECIFICATION,
        Expr::Apply(function, _) => {
            let is_specification = validator.specifications[function.0 as usize];
            if is_specification { Traits::SPECIFICATION } else { Traits(0) }
        }
        Expr::Old(_) => Traits::OLD | Traits::SPECIFICATION,
        Expr::Quantified(..) | Expr::Lambda(..) => Traits::SPECIFICATION,
        Expr::Bool(_)
        | Expr::Bv(..)
        | Expr::Int(_)
        | Expr::Null(_)
        | Expr::Bound(_)
        | Expr::Op(..) => Traits(0),
    }
}

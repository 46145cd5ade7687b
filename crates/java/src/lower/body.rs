//! A body under construction: its variables, the targets of jumps, and helpers for frequent expressions.

use ir::{
    AssumeReason, BlockId, ClauseRole, Expr, ExprId, GlobalId, Local, LocalId, MissingClause, Mode,
    Op, Origin, Place, Procedure, Projection, SortId, Span, StatementKind, TerminatorKind, Type,
    Variable,
};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::block::Blocks;
use super::heap::{HeapMap, distinct};
use super::sorts::{Group, Kind};
use super::{Lowering, ProcedureKey};
use crate::diagnostics::span;
use crate::program::{ClassId, FieldId, VarId};
use crate::resolve::Scope;
use crate::syntax::{Stmt, TextRange, TypeRef};
use crate::types::Ty;

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) struct Val {
    pub(super) id: ExprId,
    pub(super) ty: Ty,
}

/// The construct around a statement that a jump out of it has to leave.
#[derive(Clone, Debug)]
pub(super) enum Frame<'s> {
    Loop {
        label: Option<String>,
        after: BlockId,
        again: BlockId,
    },
    /// A statement with a label, or a `switch`, which needs none.
    Breakable {
        label: Option<String>,
        after: BlockId,
    },
    /// A `switch` expression; its values so far are in [`Body::yields`].
    Yield,
    Try {
        handler: BlockId,
        exception: LocalId,
        catches: Vec<Ty>,
    },
    Finally(&'s [Stmt]),
}

pub(super) struct Body<'b, 'p> {
    pub(super) cx: &'b mut Lowering<'p>,
    pub(super) key: ProcedureKey,
    pub(super) class: ClassId,
    pub(super) file: u32,
    pub(super) vars: &'p [VarId],
    pub(super) procedure: Procedure,
    pub(super) blocks: Blocks,
    /// Variables by name, innermost scope last.
    pub(super) scopes: Vec<FxHashMap<String, (LocalId, Ty)>>,
    pub(super) frames: Vec<Frame<'p>>,
    pub(super) this: Option<LocalId>,
    pub(super) result: Option<(LocalId, Ty)>,
    /// Exceptions of the language that the contract allows.
    pub(super) allowed: Vec<Ty>,
    /// The values that each `switch` around this has given, and where they go on from there.
    pub(super) yields: Vec<Vec<(BlockId, Val, TextRange)>>,
    /// The label of the statement that comes next.
    pub(super) label: Option<String>,
    /// The specifications of the next loop.
    pub(super) loop_specs: Vec<crate::spec::SpecStatement>,
    /// The texts that the body has mentioned.
    pub(super) texts: std::collections::BTreeSet<(String, ir::FunctionId)>,
    /// The model fields that the contract relies on and of which only the possible values are specified.
    pub(super) model_fields: Vec<super::spec::Relied>,
    /// The conditions under which the sums in a condition are short enough.
    pub(super) limits: Vec<ExprId>,
    /// Sets whose members are objects of a class, as fields and variables that lead to them are declared.
    pub(super) reached: FxHashMap<ExprId, ClassId>,
    /// Why the last condition of a specification has no meaning here.
    pub(super) unsupported_reason: Option<String>,
}

impl<'p> Body<'_, 'p> {
    pub(super) fn scope(&self) -> Scope<'p> {
        Scope { class: self.class, vars: self.vars }
    }

    pub(super) fn span(&self, at: TextRange) -> Span {
        span(self.file, at)
    }

    /// A type that is written in the body; `Unknown` if it is not declared.
    pub(super) fn written(&mut self, ty: &TypeRef) -> Ty {
        match self.cx.program.find_type(ty, self.scope()) {
            Some(ty) => ty,
            None => Ty::Unknown,
        }
    }

    // Variables.

    pub(super) fn variable(&mut self, name: &str, ty: Type, display: Option<&str>) -> LocalId {
        let taken = |name: &str| self.procedure.locals.iter().any(|local| local.name == name);
        let name = distinct(name, taken);
        let display = display.map(str::to_owned);
        self.procedure.locals.push(Local { name, ty, mode: Mode::Local, display });
        LocalId(self.procedure.locals.len() as u32 - 1)
    }

    pub(super) fn declare(&mut self, name: &str, ty: &Ty) -> LocalId {
        let vir = self.cx.vir(ty);
        let local = self.variable(name, vir, Some(name));
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), (local, ty.clone()));
        }
        local
    }

    pub(super) fn find(&self, name: &str) -> Option<(LocalId, Ty)> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).cloned())
    }

    /// A value in a variable of its own, so that nothing changes it.
    pub(super) fn save(&mut self, value: &Val, at: TextRange) -> Val {
        if self.is_constant(value.id) {
            return value.clone();
        }
        let ty = self.procedure.exprs.ty(value.id).clone();
        let local = self.variable("tmp", ty, None);
        self.set(local, value.id, at);
        Val { id: self.read(local), ty: value.ty.clone() }
    }

    fn is_constant(&self, id: ExprId) -> bool {
        matches!(
            self.procedure.exprs.get(id),
            Expr::Bool(_) | Expr::Bv(..) | Expr::Int(_) | Expr::Null(_)
        )
    }

    // Statements.

    pub(super) fn emit(&mut self, kind: StatementKind, at: TextRange, origin: Origin) {
        let span = self.span(at);
        self.blocks.add(kind, span, origin);
    }

    /// Sets a variable that the source does not have.
    pub(super) fn set(&mut self, local: LocalId, value: ExprId, at: TextRange) {
        let place = Place { variable: Variable::Local(local), path: Vec::new() };
        self.emit(StatementKind::Assign(vec![(place, value)]), at, Origin::Synthetic);
    }

    pub(super) fn assign(&mut self, place: Place, value: ExprId, at: TextRange) {
        self.emit(StatementKind::Assign(vec![(place, value)]), at, Origin::Source);
    }

    pub(super) fn assume(&mut self, condition: ExprId, at: TextRange) {
        let kind = StatementKind::Assume { condition, reason: AssumeReason::Model };
        self.emit(kind, at, Origin::Synthetic);
    }

    /// Something is wrong with the text.
    pub(super) fn fault(&mut self, message: &str, at: TextRange) {
        self.cx.diagnostics.file = self.file;
        self.cx.diagnostics.error(at, message);
        let why = message.strip_prefix("in a specification, ").unwrap_or(message);
        self.unsupported_reason.get_or_insert(why.to_owned());
    }

    /// Records a missing clause of the contract, with the last reported reason.
    pub(super) fn leave_out(&mut self, role: ClauseRole, text: &str, at: TextRange) {
        let why =
            self.unsupported_reason.take().unwrap_or_else(|| "it could not be read".to_owned());
        let what = format!("`{text}` was not read: {why}");
        let missing = MissingClause { role, what, span: self.span(at) };
        let all = &mut self.procedure.contract.missing_clauses;
        if !all.contains(&missing) {
            all.push(missing);
        }
    }

    pub(super) fn branch(
        &mut self,
        condition: ExprId,
        then: BlockId,
        otherwise: BlockId,
        at: TextRange,
    ) {
        self.blocks.next_point();
        let span = self.span(at);
        self.blocks.end(TerminatorKind::Branch(condition, then, otherwise), span, Origin::Source);
    }

    /// A branch that the source does not have.
    pub(super) fn fork(
        &mut self,
        condition: ExprId,
        then: BlockId,
        otherwise: BlockId,
        at: TextRange,
    ) {
        self.blocks.next_point();
        let span = self.span(at);
        let kind = TerminatorKind::Branch(condition, then, otherwise);
        self.blocks.end(kind, span, Origin::Synthetic);
    }

    pub(super) fn go(&mut self, target: BlockId, at: TextRange) {
        let span = self.span(at);
        self.blocks.go(target, span);
    }

    // Expressions.

    pub(super) fn push(&mut self, expr: Expr, ty: Type) -> ExprId {
        self.procedure.exprs.push(expr, ty)
    }

    pub(super) fn op(&mut self, op: Op, operands: Vec<ExprId>, ty: Type) -> ExprId {
        self.push(Expr::Op(op, operands), ty)
    }

    pub(super) fn truth(&mut self, value: bool) -> ExprId {
        self.push(Expr::Bool(value), Type::Bool)
    }

    pub(super) fn word(&mut self, width: u32, value: i64) -> ExprId {
        let modulus = BigInt::from(1) << width;
        let value = ((BigInt::from(value) % &modulus) + &modulus) % &modulus;
        self.push(Expr::Bv(width, value), Type::Bv(width))
    }

    pub(super) fn null(&mut self, ty: Type) -> ExprId {
        self.push(Expr::Null(ty.clone()), ty)
    }

    pub(super) fn read(&mut self, local: LocalId) -> ExprId {
        let ty = self.procedure.local(local).ty.clone();
        self.push(Expr::Read(Variable::Local(local)), ty)
    }

    pub(super) fn global(&mut self, global: GlobalId) -> ExprId {
        let ty = self.cx.module.global(global).ty.clone();
        self.push(Expr::Read(Variable::Global(global)), ty)
    }

    pub(super) fn type_of(&self, id: ExprId) -> Type {
        self.procedure.exprs.ty(id).clone()
    }

    pub(super) fn select(&mut self, map: ExprId, keys: Vec<ExprId>) -> ExprId {
        let ty = match self.type_of(map) {
            Type::Map(_, value) => *value,
            other => other,
        };
        let operands = [map].into_iter().chain(keys).collect();
        self.op(Op::Select, operands, ty)
    }

    pub(super) fn equal(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.op(Op::Eq, vec![a, b], Type::Bool)
    }

    pub(super) fn not(&mut self, a: ExprId) -> ExprId {
        self.op(Op::Not, vec![a], Type::Bool)
    }

    pub(super) fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.op(Op::And, vec![a, b], Type::Bool)
    }

    pub(super) fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.op(Op::Or, vec![a, b], Type::Bool)
    }

    pub(super) fn implies(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.op(Op::Implies, vec![a, b], Type::Bool)
    }

    pub(super) fn any(&mut self, all: impl IntoIterator<Item = ExprId>) -> ExprId {
        let all: Vec<ExprId> = all.into_iter().collect();
        match all.into_iter().reduce(|a, b| self.or(a, b)) {
            Some(any) => any,
            None => self.truth(false),
        }
    }

    pub(super) fn all_of(&mut self, all: impl IntoIterator<Item = ExprId>) -> ExprId {
        let all: Vec<ExprId> = all.into_iter().collect();
        match all.into_iter().reduce(|a, b| self.and(a, b)) {
            Some(all) => all,
            None => self.truth(true),
        }
    }

    pub(super) fn is_null(&mut self, object: ExprId) -> ExprId {
        match self.type_of(object) {
            ty @ Type::Sort(_) => {
                let null = self.null(ty);
                self.equal(object, null)
            }
            // In a faulty text, a number may stand where an object should.
            _ => self.truth(false),
        }
    }

    pub(super) fn default(&mut self, ty: &Type) -> ExprId {
        match ty {
            Type::Bool => self.truth(false),
            Type::Bv(width) => self.word(*width, 0),
            other => self.null(other.clone()),
        }
    }

    // The heap.

    pub(super) fn field_value(&mut self, field: FieldId, object: ExprId) -> ExprId {
        let global = self.cx.field(field);
        let map = self.global(global);
        self.select(map, vec![object])
    }

    pub(super) fn field_place(&mut self, field: FieldId, object: Option<ExprId>) -> Place {
        let variable = Variable::Global(self.cx.field(field));
        let path = object.map(|object| Projection::Index(vec![object])).into_iter().collect();
        Place { variable, path }
    }

    /// The class of an object, if objects of its sort have one.
    pub(super) fn class_of(&mut self, object: ExprId, ty: &Ty) -> Option<ExprId> {
        let group = self.cx.group(ty);
        if !group.is_numbered {
            return None;
        }
        let map = HeapMap::Class(group.sort);
        let global = self.cx.map(map);
        let map = self.global(global);
        Some(self.select(map, vec![object]))
    }

    /// A class of a sort, by position among its classes; none denotes the class of objects that do not exist.
    pub(super) fn class_constant(&mut self, sort: SortId, position: Option<usize>) -> ExprId {
        let variant = self.cx.classes(sort);
        let constructor = position.map_or(0, |position| position as u32 + 1);
        self.op(Op::Construct(variant, constructor), Vec::new(), Type::Variant(variant))
    }

    /// Whether an object that is not null is of a type; what does not exist is of none.
    pub(super) fn is_instance(&mut self, object: ExprId, ty: &Ty, of: &Ty) -> ExprId {
        let program = self.cx.program;
        let group: Group = self.cx.group(ty).clone();
        let fitting: Vec<usize> = group
            .classes
            .iter()
            .enumerate()
            .filter(|(_, kind)| kind_is(program, kind, of))
            .map(|(position, _)| position)
            .collect();
        match self.class_of(object, ty) {
            None => self.truth(!fitting.is_empty()),
            Some(class) => {
                let variant = self.cx.classes(group.sort);
                let all: Vec<ExprId> = fitting
                    .into_iter()
                    .map(|position| {
                        let op = Op::IsConstructor(variant, position as u32 + 1);
                        self.op(op, vec![class], Type::Bool)
                    })
                    .collect();
                self.any(all)
            }
        }
    }

    /// Whether an object does not exist, given its class.
    pub(super) fn is_nothing(&mut self, class: ExprId) -> ExprId {
        match self.type_of(class) {
            Type::Variant(variant) => {
                self.op(Op::IsConstructor(variant, 0), vec![class], Type::Bool)
            }
            _ => self.truth(false),
        }
    }
}

/// Whether objects of a kind are of a type.
pub(super) fn kind_is(program: &crate::program::Program<'_>, kind: &Kind, of: &Ty) -> bool {
    match (kind, program.erased(of)) {
        (Kind::Class(id), Ty::Class(of, _)) => program.is_subclass(*id, of),
        (Kind::Array(_), Ty::Class(of, _)) => Some(of) == program.object(),
        (Kind::Array(element), Ty::Array(of)) => {
            *element == *of
                || (element.is_reference()
                    && of.is_reference()
                    && match element {
                        Ty::Class(id, _) => kind_is(program, &Kind::Class(*id), &of),
                        Ty::Array(inner) => kind_is(program, &Kind::Array((**inner).clone()), &of),
                        _ => false,
                    })
        }
        (_, Ty::Unknown) => true,
        _ => false,
    }
}

//! Expressions: one pass over the postfix program that the parser has written.
//!
//! The type of `null` and of `seq[]` depends on the context. Until it is known their value is *pending*;
//! [`Expressions::settle`] sets the type of a pending expression.

use rustc_hash::FxHashMap;

use super::{Resolver, show, show_type};
use crate::expr::{Binder, Expr, ExprId, Exprs};
use crate::module::GlobalId;
use crate::op::{Memory, Op};
use crate::procedure::{Local, LocalId};
use crate::statement::Variable;
use crate::text::diagnostics::TextRange;
use crate::text::syntax::{ExprSyntax, Name, NodeId, NodeKind};
use crate::types::{Type, VariantId};

/// The value of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    /// Nothing, which has been reported.
    Broken,
    Known(ExprId),
    /// An expression whose type is not yet known.
    Pending(ExprId),
    /// The start of a scope.
    Scope,
}

/// The expressions of one declaration or procedure.
pub(super) struct Expressions<'r, 'a, 's, 'f> {
    pub(super) resolver: &'r mut Resolver<'a, 's, 'f>,
    pub(super) exprs: Exprs,
    pub(super) locals: &'r [Local],
    names: FxHashMap<&'a str, LocalId>,
    /// The bound variables in scope, by name and mark; the innermost is last.
    binders: FxHashMap<(&'a str, u32), Vec<Binder>>,
    labels: FxHashMap<&'a str, ExprId>,
}

impl<'r, 'a, 's, 'f> Expressions<'r, 'a, 's, 'f> {
    pub(super) fn new(
        resolver: &'r mut Resolver<'a, 's, 'f>,
        locals: &'r [Local],
        names: FxHashMap<&'a str, LocalId>,
    ) -> Self {
        let (binders, labels) = (FxHashMap::default(), FxHashMap::default());
        Expressions { resolver, exprs: Exprs::default(), locals, names, binders, labels }
    }

    pub(super) fn finish(self) -> Exprs {
        self.exprs
    }

    pub(super) fn bind(&mut self, name: &'a Name<'s>, ty: Type) -> Binder {
        let binder = self.exprs.bind(&*name.text, ty);
        self.binders.entry((&name.text, name.mark)).or_default().push(binder);
        binder
    }

    /// An expression of this type.
    pub(super) fn value(&mut self, syntax: ExprSyntax, expected: &Type) -> Option<ExprId> {
        self.run(syntax.first, syntax.root + 1);
        self.typed(syntax.root, expected)
    }

    /// An expression of any type.
    pub(super) fn any(&mut self, syntax: ExprSyntax) -> Option<ExprId> {
        self.run(syntax.first, syntax.root + 1);
        self.known(syntax.root)
    }

    /// Gives the nodes from one to before another their meaning.
    pub(super) fn run(&mut self, from: NodeId, to: NodeId) {
        let nodes = &self.resolver.syntax.nodes;
        for id in from..to {
            let node = &nodes[id as usize];
            let value = self.node(&node.kind, node.at);
            self.resolver.values[id as usize] = value.unwrap_or(Value::Broken);
        }
    }

    fn node(&mut self, kind: &'a NodeKind<'s>, at: TextRange) -> Option<Value> {
        let known = match kind {
            NodeKind::Bool(value) => self.exprs.push(Expr::Bool(*value), Type::Bool),
            NodeKind::Number(text, negative) => self.literal(text, *negative, at)?,
            NodeKind::Null(None) => {
                return Some(Value::Pending(self.exprs.push(Expr::Null(Type::Ptr), Type::Ptr)));
            }
            NodeKind::Null(Some(ty)) => {
                let ty = self.resolver.ty(ty)?;
                let null = self.exprs.push(Expr::Null(Type::Ptr), Type::Ptr);
                self.settle(null, &ty, at)?;
                null
            }
            NodeKind::Name(name) => self.name(name)?,
            NodeKind::Global(name) => self.global(name)?,
            NodeKind::Label(label) => match self.labels.get(label) {
                Some(id) => *id,
                None => {
                    self.fault(at, format!("`{label}` is used before it is defined"));
                    return None;
                }
            },
            NodeKind::Define(label, inner) => {
                let id = self.known(*inner)?;
                if self.labels.insert(label, id).is_some() {
                    self.fault(at, format!("`{label}` is defined twice"));
                }
                id
            }
            NodeKind::Unary(op, operand) => self.unary(*op, *operand, at)?,
            NodeKind::Binary(op, left, right) => self.binary(*op, *left, *right, at)?,
            NodeKind::If(condition, yes, no) => return self.conditional(*condition, *yes, *no, at),
            NodeKind::Call(call) => self.call(call, at)?,
            NodeKind::Construct(construct) => {
                let (variant, constructor, arguments) = &**construct;
                let id = self.constructor_of(variant, constructor)?;
                self.construct(id, arguments, at)?
            }
            NodeKind::Index(map, keys) => self.index(*map, keys, at)?,
            NodeKind::Update(map, keys, value) => {
                let map = self.known(*map)?;
                let Type::Map(key_types, value_type) = self.exprs.ty(map).clone() else {
                    return self.mismatch(map, "a map", at);
                };
                let mut operands = vec![map];
                operands.extend(self.keys(keys, &key_types, at)?);
                operands.push(self.typed(*value, &value_type)?);
                self.apply(Op::Store, operands, at)?
            }
            NodeKind::Field(record, name) => {
                let record = self.known(*record)?;
                let (op, _) = self.field(record, name, Op::Field)?;
                self.apply(op, vec![record], at)?
            }
            NodeKind::With(record, fields) => {
                let mut record = self.known(*record)?;
                for (name, value) in fields {
                    let (op, ty) = self.field(record, name, Op::WithField)?;
                    let value = self.typed(*value, &ty)?;
                    record = self.apply(op, vec![record, value], at)?;
                }
                record
            }
            NodeKind::Record(record) => self.record(&record.0, &record.1, at)?,
            NodeKind::Is(operand, constructor) => {
                let operand = self.known(*operand)?;
                let (variant, index) = self.constructor(operand, constructor)?;
                self.apply(Op::IsConstructor(variant, index), vec![operand], at)?
            }
            NodeKind::Argument(operand, constructor, argument) => {
                let operand = self.known(*operand)?;
                let (variant, index) = self.constructor(operand, constructor)?;
                self.apply(Op::Argument(variant, index, *argument), vec![operand], at)?
            }
            NodeKind::Load(memory, pointer, ty, volatile) => {
                if *volatile {
                    let message = "an expression cannot read volatile memory";
                    self.fault(at, format!("{message}; `havoc` the place and read it then"));
                    return None;
                }
                let (memory, ty) = (self.known(*memory), self.resolver.ty(ty));
                let pointer = self.typed(*pointer, &Type::Ptr)?;
                self.apply(Op::Memory(Memory::Load(ty?)), vec![memory?, pointer], at)?
            }
            NodeKind::StoreBytes(memory, pointer, ty, value) => {
                let (memory, ty) = (self.known(*memory), self.resolver.ty(ty)?);
                let pointer = self.typed(*pointer, &Type::Ptr);
                let value = self.typed(*value, &ty)?;
                self.apply(Op::Memory(Memory::Store(ty)), vec![memory?, pointer?, value], at)?
            }
            NodeKind::Seq(ty, elements) => return self.sequence(ty.as_deref(), elements, at),
            NodeKind::ConstMap(ty, value) => {
                let ty = self.resolver.ty(ty)?;
                let Type::Map(_, value_type) = &ty else {
                    let found = show(&ty, &self.resolver.module);
                    self.fault(at, format!("`const` makes maps, and {found} is none"));
                    return None;
                };
                let value = self.typed(*value, value_type)?;
                self.apply(Op::ConstMap(ty), vec![value], at)?
            }
            NodeKind::Old(operand) => {
                let operand = self.known(*operand)?;
                let ty = self.exprs.ty(operand).clone();
                self.exprs.push(Expr::Old(operand), ty)
            }
            NodeKind::Enter(binders) => {
                let mut value = Some(Value::Scope);
                for (name, ty) in binders {
                    // The scope is entered in any case, as it will be left.
                    let ty = self.resolver.ty(ty);
                    value = value.filter(|_| ty.is_some());
                    self.bind(name, ty.unwrap_or(Type::Bool));
                }
                return value;
            }
            NodeKind::Quantified(quantifier, enter, body) => {
                let binders = self.leave(*enter)?;
                let body = self.typed(*body, &Type::Bool)?;
                self.exprs.push(Expr::Quantified(*quantifier, binders, body), Type::Bool)
            }
            NodeKind::Lambda(enter, body) => {
                let binders = self.leave(*enter)?;
                let body = self.known(*body)?;
                let keys = binders.iter().map(|binder| self.exprs.binder(*binder).1.clone());
                let ty = Type::Map(keys.collect(), Box::new(self.exprs.ty(body).clone()));
                self.exprs.push(Expr::Lambda(binders, body), ty)
            }
        };
        Some(Value::Known(known))
    }

    /// Ends a scope. Nothing if it could not be entered as it should.
    fn leave(&mut self, enter: NodeId) -> Option<Vec<Binder>> {
        let NodeKind::Enter(names) = &self.resolver.syntax.nodes[enter as usize].kind else {
            return None;
        };
        let key = |name: &'a Name<'s>| (&*name.text, name.mark);
        let mut binders: Vec<Binder> = names
            .iter()
            .rev()
            .filter_map(|(name, _)| self.binders.get_mut(&key(name))?.pop())
            .collect();
        binders.reverse();
        (self.resolver.values[enter as usize] == Value::Scope).then_some(binders)
    }

    /// The meaning of a name alone: the innermost of a bound variable, a variable of the procedure, a
    /// variable of the module, a constant, a constructor without arguments.
    fn name(&mut self, name: &'a Name<'s>) -> Option<ExprId> {
        let bound = self.binders.get(&(&*name.text, name.mark)).and_then(|scopes| scopes.last());
        if let Some(binder) = bound {
            let ty = self.exprs.binder(*binder).1.clone();
            return Some(self.exprs.push(Expr::Bound(*binder), ty));
        }
        if name.mark > 0 {
            self.resolver.unknown("bound variable", name);
            return None;
        }
        if let Some(local) = self.names.get(&*name.text) {
            let ty = self.locals[local.0 as usize].ty.clone();
            return Some(self.exprs.push(Expr::Read(Variable::Local(*local)), ty));
        }
        self.global(name)
    }

    fn global(&mut self, name: &'a Name<'s>) -> Option<ExprId> {
        if let Some(id) = self.find_global(name) {
            let ty = self.resolver.module.global(id).ty.clone();
            return Some(self.exprs.push(Expr::Read(Variable::Global(id)), ty));
        }
        let function = self.resolver.functions.get(&*name.text).copied();
        if let Some(function) = function {
            return self.application(function, &[], name.at);
        }
        if self.resolver.constructors.contains_key(&*name.text) {
            let id = self.lone_constructor(name)?;
            return self.construct(id, &[], name.at);
        }
        self.resolver.unknown("variable or constant", name);
        None
    }

    pub(super) fn find_global(&self, name: &Name<'_>) -> Option<GlobalId> {
        self.resolver.globals.get(&*name.text).copied()
    }

    pub(super) fn find_local(&self, name: &Name<'_>) -> Option<LocalId> {
        self.names.get(&*name.text).copied()
    }

    /// The constructor with this name, which must be the only one.
    pub(super) fn lone_constructor(&mut self, name: &Name<'_>) -> Option<(VariantId, u32)> {
        match self.resolver.constructors.get(&*name.text).map(Vec::as_slice) {
            Some([id]) => Some(*id),
            Some(several) => {
                let variant = &self.resolver.module.variants[several[0].0.0 as usize].name;
                let note = format!("write `{variant}::{}`", name.text);
                let message = format!("several variants have a constructor `{}`", name.text);
                self.resolver.diagnostics.add_with(name.at, message, note);
                None
            }
            None => {
                self.resolver.unknown("constructor", name);
                None
            }
        }
    }

    /// The expression that a node became, which must have a type by now.
    pub(super) fn known(&mut self, node: NodeId) -> Option<ExprId> {
        match self.resolver.values[node as usize] {
            Value::Broken | Value::Scope => None,
            Value::Known(id) => Some(id),
            Value::Pending(_) => {
                let at = self.resolver.syntax.nodes[node as usize].at;
                let message = "the type is not clear from the context";
                let note = "write `null:T` or `seq<T>[]`";
                self.resolver.diagnostics.add_with(at, message, note);
                None
            }
        }
    }

    /// The expression that a node became, which must have or can be given this type.
    pub(super) fn typed(&mut self, node: NodeId, expected: &Type) -> Option<ExprId> {
        let at = self.resolver.syntax.nodes[node as usize].at;
        match self.resolver.values[node as usize] {
            Value::Broken | Value::Scope => None,
            Value::Pending(id) => self.settle(id, expected, at),
            Value::Known(id) if self.exprs.ty(id) == expected => Some(id),
            Value::Known(id) => {
                let expected = show(expected, &self.resolver.module);
                self.mismatch(id, &expected, at)
            }
        }
    }

    pub(super) fn mismatch<T>(
        &mut self,
        found: ExprId,
        expected: &str,
        at: TextRange,
    ) -> Option<T> {
        let found = show_type(&self.exprs, found, &self.resolver.module);
        let note = format!("expected {expected}");
        self.resolver.diagnostics.add_with(at, format!("this has type {found}"), note);
        None
    }

    /// Gives a pending expression its type.
    pub(super) fn settle(&mut self, pending: ExprId, ty: &Type, at: TextRange) -> Option<ExprId> {
        let mut open = vec![pending];
        while let Some(id) = open.pop() {
            let fits = match (self.exprs.get(id), ty) {
                (Expr::Null(_), Type::Sort(_) | Type::Ptr) => {
                    self.exprs.replace(id, Expr::Null(ty.clone()), ty.clone());
                    true
                }
                (Expr::Op(Op::SeqEmpty(_), _), Type::Seq(element)) => {
                    let empty = Expr::Op(Op::SeqEmpty((**element).clone()), Vec::new());
                    self.exprs.replace(id, empty, ty.clone());
                    true
                }
                (Expr::Op(Op::Ite, operands), _) => {
                    let operands = operands.clone();
                    open.extend(&operands[1..]);
                    self.exprs.replace(id, Expr::Op(Op::Ite, operands), ty.clone());
                    true
                }
                _ => false,
            };
            if !fits {
                let what = match self.exprs.get(id) {
                    Expr::Null(_) => "`null` is of a sort or ptr",
                    _ => "`seq[]` is a sequence",
                };
                let note = format!("expected {}", show(ty, &self.resolver.module));
                self.resolver.diagnostics.add_with(at, what, note);
                return None;
            }
        }
        Some(pending)
    }

    /// An operator applied to operands of known types.
    pub(super) fn apply(&mut self, op: Op, operands: Vec<ExprId>, at: TextRange) -> Option<ExprId> {
        let types: Vec<&Type> = operands.iter().map(|id| self.exprs.ty(*id)).collect();
        match crate::typing::result_type(&op, &types, &self.resolver.module) {
            Ok(ty) => Some(self.exprs.push(Expr::Op(op, operands), ty)),
            Err(message) => {
                self.fault(at, message);
                None
            }
        }
    }

    pub(super) fn fault(&mut self, at: TextRange, message: impl Into<String>) {
        self.resolver.diagnostics.add(at, message);
    }
}

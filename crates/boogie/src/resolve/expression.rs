//! Expressions: one pass over the nodes in postfix order computes their types.
//!
//! A function with type parameters is used at open types, which its arguments and the place where
//! it stands determine. When a statement has been read the open types are closed; one that nothing
//! determines does not matter and becomes `int`.

use rustc_hash::FxHashMap;

use super::{Context, NamedValue, Resolver};
use crate::diagnostics::TextRange;
use crate::program::{Reference, Variable};
use crate::syntax::{ExprSyntax, Name, NodeId, NodeKind, Scope};
use crate::types::{BOOL, BROKEN, INT, REAL, Ty, TypeId};

impl<'s> Resolver<'_, 's, '_> {
    /// Begins something whose expressions share open types.
    pub(super) fn begin(&mut self) {
        self.unifier.clear();
        self.pending.clear();
        self.open_maps.clear();
        self.sums.clear();
    }

    /// Closes the types of all that was visited since it began.
    pub(super) fn finish(&mut self) {
        let sums = std::mem::take(&mut self.sums);
        if let (false, Some(at)) = (self.unifier.add_up(&mut self.types), sums.first()) {
            self.fault(*at, "the widths of these words do not add up");
        }
        self.close_open_maps();
        for (first, root) in std::mem::take(&mut self.pending) {
            let mut is_reported = false;
            for node in first..=root {
                let ty = self.closed(self.meaning.types[node as usize]);
                self.meaning.types[node as usize] = ty;
                self.touched |= self.types.is_broken(ty) && !self.is_marker(node);
                if self.types.is_too_large(ty) && !is_reported {
                    is_reported = true;
                    self.fault(self.at(node), "the type of this is too large");
                }
                if let Some(arguments) = self.meaning.instances.remove(&node) {
                    let arguments = arguments.iter().map(|ty| self.closed(*ty)).collect();
                    self.meaning.instances.insert(node, arguments);
                }
            }
        }
    }

    /// A type without open variables.
    pub(super) fn closed(&mut self, ty: TypeId) -> TypeId {
        if !self.types.has_open(ty) {
            return ty;
        }
        let ty = self.unifier.close(&mut self.types, ty);
        if !self.types.has_open(ty) {
            return ty;
        }
        self.unifier.settle(&mut self.types, INT);
        self.unifier.close(&mut self.types, ty)
    }

    /// A truth value that stands alone.
    pub(super) fn condition(&mut self, expr: ExprSyntax) {
        self.begin();
        self.expression(expr);
        self.expect(expr.root, BOOL);
        self.finish();
    }

    /// Gives the nodes of an expression their types.
    pub(super) fn expression(&mut self, expr: ExprSyntax) {
        for node in expr.first..=expr.root {
            let ty = self.node(node);
            self.touched |= ty == BROKEN && !self.is_marker(node);
            self.meaning.types[node as usize] = ty;
        }
        self.pending.push((expr.first, expr.root));
    }

    fn is_marker(&self, node: NodeId) -> bool {
        matches!(
            self.syntax.nodes[node as usize].kind,
            NodeKind::EnterOld | NodeKind::Enter(_) | NodeKind::EnterLet(_) | NodeKind::Triggers(_)
        )
    }

    pub(super) fn at(&self, node: NodeId) -> TextRange {
        self.syntax.nodes[node as usize].at
    }

    /// The type of a node, as far as its outermost part is known.
    pub(super) fn type_of(&self, node: NodeId) -> TypeId {
        self.unifier.shallow(&self.types, self.meaning.types[node as usize])
    }

    pub(super) fn expect(&mut self, node: NodeId, expected: TypeId) -> bool {
        let found = self.meaning.types[node as usize];
        self.equal(found, expected, self.at(node))
    }

    /// Makes a type equal to what is expected, or reports that it is not.
    pub(super) fn equal(&mut self, found: TypeId, expected: TypeId, at: TextRange) -> bool {
        let done = self.unifier.unify(&mut self.types, found, expected);
        if !done {
            let (found, expected) = (self.shown(found), self.shown(expected));
            self.fault(at, format!("expected {expected}, found {found}"));
        }
        self.touched |= self.types.is_broken(found) || self.types.is_broken(expected);
        done
    }

    pub(super) fn shown(&mut self, ty: TypeId) -> String {
        let ty = self.unifier.close(&mut self.types, ty);
        match self.unifier.described(&self.types, ty) {
            Some(description) => description,
            None => self.types.show(ty),
        }
    }

    fn node(&mut self, id: NodeId) -> TypeId {
        let syntax = self.syntax;
        let node = &syntax.nodes[id as usize];
        match &node.kind {
            NodeKind::Bool(_) => BOOL,
            NodeKind::Int(value) => self.integer_literal(value, node.at),
            NodeKind::Real(_) => REAL,
            NodeKind::Bv(value, width) => self.word_literal(value, width, node.at),
            NodeKind::Float(text) => self.float_type(text),
            NodeKind::Text => self.types.intern(Ty::Text),
            NodeKind::Name(name) => self.name(id, *name),
            NodeKind::Unary(op, operand) => self.unary(*op, *operand),
            NodeKind::Binary(op, left, right) => self.binary(*op, *left, *right),
            NodeKind::If(condition, yes, no) => {
                self.expect(*condition, BOOL);
                let ty = self.meaning.types[*yes as usize];
                self.expect(*no, ty);
                ty
            }
            NodeKind::Call(name, arguments) => self.call(id, *name, arguments),
            NodeKind::Index(map, keys) => match self.select(id, *map, keys, node.at) {
                Some(value) => value,
                None => BROKEN,
            },
            NodeKind::Update(map, keys, new) => match self.select(id, *map, keys, node.at) {
                Some(value) => {
                    self.expect(*new, value);
                    self.meaning.types[*map as usize]
                }
                None => BROKEN,
            },
            NodeKind::Extract(word, end, start) => self.extract(*word, end, start, node.at),
            NodeKind::ToInt(operand) => self.conversion(*operand, REAL, INT),
            NodeKind::ToReal(operand) => self.conversion(*operand, INT, REAL),
            NodeKind::Coerce(operand, ty) => {
                let ty = self.ty(ty);
                self.expect(*operand, ty);
                ty
            }
            NodeKind::Field(operand, name) => match self.field(*operand, *name) {
                Some(ty) => ty,
                None => BROKEN,
            },
            NodeKind::FieldUpdate(operand, name, value) => match self.field(*operand, *name) {
                Some(ty) => {
                    self.expect(*value, ty);
                    self.meaning.types[*operand as usize]
                }
                None => BROKEN,
            },
            NodeKind::Is(operand, name) => self.is(*operand, *name),
            NodeKind::EnterOld => {
                if self.context != Context::TwoStates {
                    self.fault(node.at, "`old` is only for postconditions and bodies");
                }
                BROKEN
            }
            NodeKind::Old(operand) => self.meaning.types[*operand as usize],
            NodeKind::Enter(scope) => {
                self.enter(id, scope);
                BROKEN
            }
            NodeKind::Triggers(_) => BROKEN,
            NodeKind::Quantified(_, enter, body) => {
                self.expect(*body, BOOL);
                self.triggers(*enter);
                self.leave(*enter);
                BOOL
            }
            NodeKind::Lambda(enter, body) => {
                let value = self.meaning.types[*body as usize];
                self.leave(*enter);
                let (rigid, keys) = self.meaning.scopes[enter].clone();
                if let NodeKind::Enter(scope) = &syntax.nodes[*enter as usize].kind {
                    self.must_occur(&scope.parameters, &rigid, &keys, "the bound variables");
                }
                if rigid.is_empty() {
                    self.types.intern(Ty::Map(0, keys.into(), value))
                } else {
                    let value = self.closed(value);
                    self.map_type(&rigid, &keys, value)
                }
            }
            NodeKind::EnterLet(pairs) => {
                for (index, (name, value)) in pairs.iter().enumerate() {
                    let ty = self.meaning.types[*value as usize];
                    self.bound.entry(name.text).or_default().push((id, index as u32, ty));
                }
                let names: Vec<Name<'s>> = pairs.iter().map(|(name, _)| *name).collect();
                self.distinct("bound variables", &names);
                BROKEN
            }
            NodeKind::Let(enter, body) => {
                if let NodeKind::EnterLet(pairs) = &syntax.nodes[*enter as usize].kind {
                    self.unbind(pairs.iter().map(|(name, _)| name.text));
                }
                self.meaning.types[*body as usize]
            }
            NodeKind::Code => BOOL,
        }
    }

    fn enter(&mut self, id: NodeId, scope: &Scope<'s>) {
        let rigid = self.enter_types(&scope.parameters);
        let types: Vec<TypeId> = scope.binders.iter().map(|(_, ty)| self.ty(ty)).collect();
        for (index, ((name, _), ty)) in scope.binders.iter().zip(&types).enumerate() {
            self.bound.entry(name.text).or_default().push((id, index as u32, *ty));
        }
        let names: Vec<Name<'s>> = scope.binders.iter().map(|(name, _)| *name).collect();
        self.distinct("bound variables", &names);
        self.meaning.scopes.insert(id, (rigid, types));
    }

    fn leave(&mut self, enter: NodeId) {
        let syntax = self.syntax;
        if let NodeKind::Enter(scope) = &syntax.nodes[enter as usize].kind {
            self.unbind(scope.binders.iter().map(|(name, _)| name.text));
            self.leave_types(&scope.parameters);
        }
    }

    fn unbind(&mut self, names: impl Iterator<Item = &'s str>) {
        for name in names {
            if let Some(scopes) = self.bound.get_mut(name) {
                scopes.pop();
            }
        }
    }

    /// The meaning of a name alone: the innermost of a bound variable, a variable of the procedure, a
    /// variable of the program, a constant.
    fn name(&mut self, id: NodeId, name: Name<'s>) -> TypeId {
        if let Some((node, index, ty)) = self.bound.get(name.text).and_then(|scopes| scopes.last())
        {
            self.meaning.references[id as usize] = Reference::Bound(*node, *index);
            return *ty;
        }
        if let Some(local) = self.locals.get(name.text) {
            let reference = Reference::Variable(Variable::Local(*local));
            self.meaning.references[id as usize] = reference;
            return self.local_types[*local];
        }
        match self.variable_names.get(name.text) {
            Some(NamedValue::Global(index)) => {
                let index = *index;
                if self.context == Context::Nothing {
                    let message = "axioms and functions cannot mention variables";
                    self.fault(name.at, format!("`{}` is a variable: {message}", name.text));
                }
                let reference = Reference::Variable(Variable::Global(index));
                self.meaning.references[id as usize] = reference;
                self.globals[index].ty
            }
            Some(NamedValue::Constant(index)) => {
                self.meaning.references[id as usize] = Reference::Function(*index);
                self.functions[*index].result
            }
            None if is_rounding_mode(name.text) => self.types.intern(Ty::RoundingMode),
            None => {
                self.unknown_variable(name);
                BROKEN
            }
        }
    }

    pub(super) fn unknown_variable(&mut self, name: Name<'s>) {
        if !self.diagnostics.is_open() {
            self.unknown("variable or constant", name.text, name.at, std::iter::empty());
            return;
        }
        let mut names: Vec<&'s str> = self.locals.keys().copied().collect();
        let bound = self.bound.iter().filter(|(_, scopes)| !scopes.is_empty());
        names.extend(bound.map(|(name, _)| *name));
        names.extend(self.variable_names.keys().copied());
        names.sort_unstable();
        self.unknown("variable or constant", name.text, name.at, names.into_iter());
    }

    fn call(&mut self, id: NodeId, name: Name<'s>, arguments: &[NodeId]) -> TypeId {
        let Some(index) = self.function_names.get(name.text).copied() else {
            let mut names: Vec<String> = Vec::new();
            if self.diagnostics.is_open() {
                names.extend(self.function_names.keys().cloned());
            }
            names.sort_unstable();
            self.unknown("function", name.text, name.at, names.iter().map(String::as_str));
            return BROKEN;
        };
        self.meaning.references[id as usize] = Reference::Function(index);
        let function = &self.functions[index];
        let parameters: Vec<TypeId> = function.parameters.iter().map(|(_, ty)| *ty).collect();
        let (result, rigid) = (function.result, function.rigid.clone());
        if parameters.len() != arguments.len() {
            let message = format!(
                "`{}` takes {} arguments, not {}",
                name.text,
                parameters.len(),
                arguments.len()
            );
            self.fault(self.at(id), message);
            return BROKEN;
        }
        let (new, instance) = self.open(&rigid);
        if !instance.is_empty() {
            self.meaning.instances.insert(id, instance.into());
        }
        for (argument, parameter) in arguments.iter().zip(parameters) {
            let parameter = self.types.substitute(parameter, &new);
            self.expect(*argument, parameter);
        }
        self.types.substitute(result, &new)
    }

    /// Open types for type parameters.
    pub(super) fn open(&mut self, rigid: &[u32]) -> (FxHashMap<u32, TypeId>, Vec<TypeId>) {
        let instance: Vec<TypeId> =
            rigid.iter().map(|_| self.unifier.new_open(&mut self.types)).collect();
        (rigid.iter().copied().zip(instance.iter().copied()).collect(), instance)
    }
}

/// Whether a name is a rounding mode.
pub(crate) fn is_rounding_mode(name: &str) -> bool {
    matches!(
        name,
        "RNE"
            | "RNA"
            | "RTP"
            | "RTN"
            | "RTZ"
            | "roundNearestTiesToEven"
            | "roundNearestTiesToAway"
            | "roundTowardPositive"
            | "roundTowardNegative"
            | "roundTowardZero"
    )
}

//! Expressions: one pass over the nodes in postfix order. Only a formula over types has its nodes
//! visited more than once, once for each choice of types.

use ir::{Expr, ExprId, LocalId, Mode, Op, Quantifier, Type};

use super::Lowering;
use super::frame::{Bound, Frame, Use};
use crate::diagnostics::TextRange;
use crate::program::{Reference, Variable};
use crate::syntax::{ExprSyntax, Name, NodeId, NodeKind};
use crate::types::{BOOL, INT, REAL, TypeId};

/// How the nodes of an expression are read.
#[derive(Clone, Copy)]
struct ExprMode {
    used: Use,
    /// How many `old` are around.
    old: u32,
}

impl Lowering<'_, '_, '_> {
    /// Lowers an expression. What VIR cannot say of it is in the frame's `trouble`.
    pub(super) fn expression(&mut self, frame: &mut Frame, expr: ExprSyntax, used: Use) -> ExprId {
        self.nodes(frame, expr.first, expr.root, ExprMode { used, old: 0 });
        self.values[expr.root as usize]
    }

    /// The type of a node at the frame's types.
    pub(super) fn node_type(&mut self, frame: &Frame, node: NodeId) -> TypeId {
        let ty = self.program.meaning.types[node as usize];
        self.ground(frame, ty)
    }

    /// The type arguments of a node at the frame's types.
    fn arguments(&mut self, frame: &Frame, node: NodeId) -> Vec<TypeId> {
        let program = self.program;
        match program.meaning.instances.get(&node) {
            Some(arguments) => arguments.iter().map(|ty| self.ground(frame, *ty)).collect(),
            None => Vec::new(),
        }
    }

    fn nodes(&mut self, frame: &mut Frame, first: NodeId, last: NodeId, mut mood: ExprMode) {
        let program = self.program;
        let mut node = first;
        while node <= last {
            let kind = &program.syntax.nodes[node as usize].kind;
            match kind {
                NodeKind::EnterOld => mood.old += 1,
                NodeKind::Old(operand) => {
                    mood.old -= 1;
                    self.values[node as usize] = self.values[*operand as usize];
                }
                // Triggers guide a prover and say nothing.
                NodeKind::Triggers(triggers) => {
                    node = triggers.after;
                    continue;
                }
                NodeKind::Enter(scope) if !scope.parameters.is_empty() => {
                    self.values[scope.end as usize] = self.over_types(frame, node, scope.end, mood);
                    node = scope.end;
                }
                _ => self.values[node as usize] = self.node(frame, node, kind, mood),
            }
            node += 1;
        }
    }

    fn node(
        &mut self,
        frame: &mut Frame,
        node: NodeId,
        kind: &NodeKind<'_>,
        mood: ExprMode,
    ) -> ExprId {
        let program = self.program;
        let at = program.syntax.nodes[node as usize].at;
        match kind {
            NodeKind::Bool(value) => frame.bool(*value),
            NodeKind::Int(text) => self.integer(frame, text),
            NodeKind::Bv(value, width) => self.word(frame, value, width),
            NodeKind::Real(text) => self.real(frame, text, at),
            NodeKind::Float(text) => {
                frame.trouble("floating-point arithmetic");
                let ty = self.node_type(frame, node);
                self.unknown_value(frame, &format!("float {text}"), ty, at)
            }
            NodeKind::Text => {
                frame.trouble("a text");
                let ty = self.node_type(frame, node);
                let name = format!("text at {}", at.start);
                self.unknown_value(frame, &name, ty, at)
            }
            NodeKind::Name(name) => self.name(frame, node, *name, mood),
            NodeKind::Unary(op, operand) => self.unary(frame, *op, *operand, at),
            NodeKind::Binary(op, left, right) => {
                let result = self.node_type(frame, node);
                self.binary(frame, *op, (*left, *right), result, at)
            }
            NodeKind::If(condition, yes, no) => {
                let operands = [*condition, *yes, *no].map(|node| self.values[node as usize]);
                let ty = frame.ty(operands[1]);
                frame.op(Op::Ite, operands.to_vec(), ty)
            }
            NodeKind::Call(_, operands) => {
                let operands = operands.iter().map(|node| self.values[*node as usize]).collect();
                let arguments = self.arguments(frame, node);
                match program.meaning.references[node as usize] {
                    Reference::Function(index) => {
                        self.apply(frame, index, &arguments, operands, at)
                    }
                    Reference::None | Reference::Variable(_) | Reference::Bound(..) => {
                        frame.bool(false)
                    }
                }
            }
            NodeKind::Index(map, keys) => {
                let keys: Vec<ExprId> = keys.iter().map(|key| self.values[*key as usize]).collect();
                let instance = self.arguments(frame, node);
                let ty = self.node_type(frame, *map);
                let map = self.values[*map as usize];
                self.select(frame, ty, &instance, map, &keys)
            }
            NodeKind::Update(map, keys, new) => {
                let keys: Vec<ExprId> = keys.iter().map(|key| self.values[*key as usize]).collect();
                let instance = self.arguments(frame, node);
                let ty = self.node_type(frame, *map);
                let (map, new) = (self.values[*map as usize], self.values[*new as usize]);
                self.store(frame, ty, &instance, map, &keys, new)
            }
            NodeKind::Extract(word, end, start) => self.extract(frame, *word, (end, start)),
            NodeKind::ToInt(operand) => self.conversion(frame, *operand, INT, at),
            NodeKind::ToReal(operand) => self.conversion(frame, *operand, REAL, at),
            NodeKind::Coerce(operand, _) => self.values[*operand as usize],
            NodeKind::Field(operand, name) => {
                let ty = self.node_type(frame, *operand);
                let value = self.values[*operand as usize];
                self.named_field(frame, ty, name.text, value, at)
            }
            NodeKind::FieldUpdate(operand, name, new) => {
                let ty = self.node_type(frame, *operand);
                let (value, new) = (self.values[*operand as usize], self.values[*new as usize]);
                self.with_field(frame, ty, name.text, (value, new), at)
            }
            NodeKind::Is(operand, name) => {
                let ty = self.node_type(frame, *operand);
                let value = self.values[*operand as usize];
                let number = self.constructor_number(ty, name.text);
                self.test(frame, ty, number, value, at)
            }
            NodeKind::Enter(_) => {
                self.bind(frame, node);
                ExprId(0)
            }
            NodeKind::Quantified(quantifier, enter, body) => {
                let body = self.values[*body as usize];
                self.quantified(frame, *quantifier, *enter, body)
            }
            NodeKind::Lambda(enter, body) => {
                let body = self.values[*body as usize];
                let binders = binders(frame, *enter);
                let keys =
                    binders.iter().map(|binder| frame.exprs.binder(*binder).1.clone()).collect();
                let ty = Type::Map(keys, Box::new(frame.ty(body)));
                frame.push(Expr::Lambda(binders, body), ty, true)
            }
            NodeKind::EnterLet(pairs) => {
                for (index, (_, value)) in pairs.iter().enumerate() {
                    let value = Bound::Value(self.values[*value as usize]);
                    frame.bound.insert((node, index as u32), value);
                }
                ExprId(0)
            }
            NodeKind::Let(_, body) => self.values[*body as usize],
            NodeKind::Code => {
                frame.trouble("a code expression");
                self.unknown_value(frame, &format!("code at {}", at.start), BOOL, at)
            }
            // These move through the nodes, which is done above.
            NodeKind::EnterOld | NodeKind::Old(_) | NodeKind::Triggers(_) => ExprId(0),
        }
    }

    /// Declares the bound variables of a scope.
    fn bind(&mut self, frame: &mut Frame, enter: NodeId) {
        let program = self.program;
        let NodeKind::Enter(scope) = &program.syntax.nodes[enter as usize].kind else { return };
        let types = &program.meaning.scopes[&enter].1;
        for (index, ((name, _), ty)) in scope.binders.iter().zip(types).enumerate() {
            let ty = self.ground(frame, *ty);
            let ty = self.ty(ty);
            let binder = frame.exprs.bind(name.text, ty);
            frame.bound.insert((enter, index as u32), Bound::Binder(binder));
        }
    }

    fn quantified(
        &mut self,
        frame: &mut Frame,
        quantifier: Quantifier,
        enter: NodeId,
        body: ExprId,
    ) -> ExprId {
        let binders = binders(frame, enter);
        if binders.is_empty() {
            return body;
        }
        frame.push(Expr::Quantified(quantifier, binders, body), Type::Bool, true)
    }

    /// A formula over types: all its instances, or some of them, at the types that are used.
    fn over_types(
        &mut self,
        frame: &mut Frame,
        enter: NodeId,
        end: NodeId,
        mood: ExprMode,
    ) -> ExprId {
        let program = self.program;
        self.ranges_over_types = true;
        let (quantifier, body) = match &program.syntax.nodes[end as usize].kind {
            NodeKind::Quantified(quantifier, _, body) => (*quantifier, *body),
            _ => {
                frame.trouble("a lambda over types");
                let ty = self.node_type(frame, end);
                let at = program.syntax.nodes[end as usize].at;
                return self.unknown_value(frame, &format!("lambda at {}", at.start), ty, at);
            }
        };
        // That some type has a property does not mean that one of those in use has it.
        if quantifier == Quantifier::Some {
            frame.trouble("that some type exists");
        }
        let rigid = &program.meaning.scopes[&enter].0;
        let choices = self.choices(frame, enter).unwrap_or_else(|| {
            frame.trouble("a formula over too many types");
            Vec::new()
        });
        if self.is_last {
            frame.trouble("a formula over ever more types");
        }
        let mut instances = Vec::new();
        for choice in choices {
            for (number, ty) in rigid.iter().zip(choice) {
                frame.types.insert(*number, ty);
            }
            self.bind(frame, enter);
            stacker::maybe_grow(128 * 1024, 1024 * 1024, || {
                self.nodes(frame, enter + 1, body, mood);
            });
            let value = self.values[body as usize];
            instances.push(self.quantified(frame, quantifier, enter, value));
        }
        for number in rigid {
            frame.types.remove(number);
        }
        let op = match quantifier {
            Quantifier::All => Op::And,
            Quantifier::Some => Op::Or,
        };
        frame.all(op, &instances)
    }

    fn name(&mut self, frame: &mut Frame, node: NodeId, name: Name<'_>, mood: ExprMode) -> ExprId {
        let at: TextRange = name.at;
        match self.program.meaning.references[node as usize] {
            Reference::Bound(scope, index) => match frame.bound.get(&(scope, index)).copied() {
                Some(Bound::Binder(binder)) => {
                    let ty = frame.exprs.binder(binder).1.clone();
                    frame.push(Expr::Bound(binder), ty, false)
                }
                Some(Bound::Value(value)) => value,
                None => frame.bool(false),
            },
            Reference::Variable(Variable::Local(index)) => frame.read(LocalId(index as u32)),
            Reference::Variable(Variable::Global(index)) => self.global(frame, index, mood),
            Reference::Function(index) => self.apply(frame, index, &[], Vec::new(), at),
            Reference::None => {
                frame.trouble("floating-point arithmetic");
                let ty = self.node_type(frame, node);
                self.unknown_value(frame, name.text, ty, at)
            }
        }
    }

    /// A global now, or as it was at the start: code reads that from where it was saved.
    fn global(&mut self, frame: &mut Frame, index: usize, mood: ExprMode) -> ExprId {
        let ty = self.module.globals[index].ty.clone();
        if mood.old > 0 && mood.used == Use::Code {
            let saved = match frame.saved.get(&index) {
                Some(saved) => *saved,
                None => {
                    let name = format!("old {}", self.module.globals[index].name);
                    let saved = frame.new_local(name, ty, Mode::Local);
                    frame.saved.insert(index, saved);
                    saved
                }
            };
            return frame.read(saved);
        }
        let variable = ir::Variable::Global(ir::GlobalId(index as u32));
        let now = frame.push(Expr::Read(variable), ty.clone(), false);
        if mood.old == 0 {
            return now;
        }
        frame.push(Expr::Old(now), ty, true)
    }
}

/// The binders that a scope has declared.
fn binders(frame: &Frame, enter: NodeId) -> Vec<ir::Binder> {
    (0..)
        .map_while(|index| match frame.bound.get(&(enter, index)) {
            Some(Bound::Binder(binder)) => Some(*binder),
            Some(Bound::Value(_)) | None => None,
        })
        .collect()
}

//! Stubs: the facts of a procedure as a small body that replaces it where its own is not inlined.
//!
//! A stub asserts what the procedure dereferences, calls an external procedure for its unknown effects, and then
//! applies the facts. Conditions are asked before anything is done, in the order in which the
//! procedure asks them, so that nothing is read that the procedure does not read. There are two: one has all
//! facts, for the under-approximation, the other has those that are proved, for the over-approximation.

use ir::{
    AssertKind, AssumeReason, Block, BlockId, Callee, Exit, Expr, ExprId, Exprs, GlobalId, LocalId,
    Memory, Mode, Module, Op, Origin, Place, PointId, Procedure, ProcedureId, Projection, Span,
    Statement, StatementKind, Stub, Terminator, TerminatorKind, Type, Variable,
};

use crate::fact::{Basis, Effect, Fact};
use crate::path::{Path, Root};
use crate::summary::{Condition, Logic, Pointed, Shared, Word};
use crate::wording::Wording;

/// A stub, and the procedures that are to be added to the module for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubBody {
    /// The stub.
    pub stub: Stub,
    /// The procedures.
    pub procedures: Vec<Procedure>,
}

/// The stub of a procedure, with new procedures numbered from `first` on. Messages use the names of its defining
/// file. None if there are no facts.
pub fn build_stub(
    module: &Module,
    id: ProcedureId,
    facts: &[Fact],
    wording: Wording<'_>,
    first: ProcedureId,
) -> Option<StubBody> {
    let memory = module.globals.iter().position(|global| global.ty == Type::Bytes);
    let (Some(memory), false) = (memory, facts.is_empty()) else { return None };
    let subject = module.procedure(id);
    let contract = &subject.contract;
    let is_promised = !contract.requires.is_empty() || !contract.ensures.is_empty();
    if is_promised || contract.modifies.is_some() {
        return None;
    }
    let mut outside = declared(subject, "outside");
    outside.blocks = None;
    let memory = GlobalId(memory as u32);
    let draw = |name: &str, is_wanted: &dyn Fn(&Fact) -> bool| {
        let facts: Vec<&Fact> = facts.iter().filter(|fact| is_wanted(fact)).collect();
        Draft::new(subject, name, memory, first, wording).drawn(&facts)
    };
    let under = draw("stub", &|_| true)?;
    let over = draw("proved", &|fact| fact.basis == Basis::Proved);
    let stub = Stub {
        under: ProcedureId(first.0 + 1),
        over: over.is_some().then_some(ProcedureId(first.0 + 2)),
        outside: first,
    };
    let procedures = [outside, under].into_iter().chain(over).collect();
    Some(StubBody { stub, procedures })
}

const NOWHERE: Span = Span { file: ir::FileId(0), start: 0, end: 0 };

/// A procedure with the parameters and results of another.
fn declared(subject: &Procedure, what: &str) -> Procedure {
    let mut locals = subject.locals.clone();
    locals.retain(|local| matches!(local.mode, Mode::Parameter | Mode::Result));
    let known_as = subject.display.clone().unwrap_or_else(|| subject.name.clone());
    Procedure {
        name: format!("{}.{what}", subject.name),
        display: Some(known_as),
        span: NOWHERE,
        locals,
        exprs: Exprs::default(),
        contract: ir::Contract::default(),
        blocks: Some(Vec::new()),
        points: 1,
        places: Vec::new(),
        forms: Vec::new(),
    }
}

/// A body under construction.
struct Draft<'d> {
    procedure: Procedure,
    /// The name of the procedure in messages.
    name: String,
    wording: Wording<'d>,
    memory: GlobalId,
    outside: ProcedureId,
    parameters: Vec<LocalId>,
    result: Option<LocalId>,
    blocks: Vec<Block>,
    statements: Vec<Statement>,
}

/// A fact with its conditions and its pointer, both as they are at entry.
struct Noted<'f> {
    effect: &'f Effect,
    holds: LocalId,
    pointer: Option<LocalId>,
}

impl<'d> Draft<'d> {
    fn new(
        subject: &Procedure,
        what: &str,
        memory: GlobalId,
        outside: ProcedureId,
        wording: Wording<'d>,
    ) -> Draft<'d> {
        let procedure = declared(subject, what);
        let name = procedure.display.clone().unwrap_or_default();
        let parameters = procedure.locals_with(Mode::Parameter).collect();
        let result = procedure.locals_with(Mode::Result).next();
        let (blocks, statements) = (Vec::new(), Vec::new());
        Draft { procedure, name, wording, memory, outside, parameters, result, blocks, statements }
    }

    /// The body for these facts; none if none applies.
    fn drawn(mut self, facts: &[&Fact]) -> Option<Procedure> {
        let mut noted = Vec::new();
        for fact in facts {
            let one = self.note(fact);
            match &one {
                Some(Noted {
                    effect: Effect::Dereferences(path),
                    holds,
                    pointer: Some(pointer),
                }) => {
                    self.demand(path, *holds, *pointer);
                }
                Some(Noted { effect: Effect::NeverReturns, holds, .. }) => self.stop(*holds),
                _ => {}
            }
            noted.extend(one);
        }
        if noted.is_empty() {
            return None;
        }
        self.leave_to_the_outside();
        for one in &noted {
            self.happen(one);
        }
        self.end(TerminatorKind::Exit(Exit::Normal));
        self.procedure.blocks = Some(self.blocks);
        Some(self.procedure)
    }

    /// Evaluates the condition of a fact at entry.
    fn note<'f>(&mut self, fact: &'f Fact) -> Option<Noted<'f>> {
        let mut when = fact.when.clone();
        let path = match &fact.effect {
            Effect::Dereferences(path) | Effect::Frees(path) => {
                // The pointers on its access path must not be null.
                if let [_] = path.steps[..] {
                    let root = Box::new(Condition::NotNull(Path::root(path.root.clone())));
                    when = Logic::If(root, Box::new(when), Box::new(Logic::Constant(false)));
                }
                Some(path)
            }
            Effect::Writes(path, ..) => {
                let root = Box::new(Condition::NotNull(Path::root(path.root.clone())));
                when = Logic::If(root, Box::new(when), Box::new(Logic::Constant(false)));
                None
            }
            Effect::NeverReturns
            | Effect::ReturnsNull
            | Effect::ReturnsObject
            | Effect::Returns(_) => None,
        };
        self.can_say(&fact.effect, &when)?;
        let number = self.procedure.locals.len();
        let holds = self.procedure.new_local(format!("holds{number}"), Type::Bool, Mode::Local);
        let never = self.truth(false);
        self.assign(holds, never);
        let pointer = path.map(|_| {
            let pointer = self.procedure.new_local(format!("at{number}"), Type::Ptr, Mode::Local);
            let null = self.null();
            self.assign(pointer, null);
            pointer
        });
        self.decide(&when, &mut |draft| {
            let always = draft.truth(true);
            draft.assign(holds, always);
            if let Some((path, pointer)) = path.zip(pointer)
                && let Some(value) = draft.read(path, &Type::Ptr)
            {
                draft.assign(pointer, value);
            }
        });
        Some(Noted { effect: &fact.effect, holds, pointer })
    }

    /// Whether a fact is well-typed for these parameters, which another file may have declared otherwise.
    fn can_say(&mut self, effect: &Effect, when: &Logic) -> Option<()> {
        self.logic(when)?;
        match effect {
            Effect::Dereferences(path) | Effect::Frees(path) => drop(self.read(path, &Type::Ptr)?),
            Effect::NeverReturns => {}
            Effect::ReturnsNull | Effect::ReturnsObject => {
                let result = self.result?;
                (self.procedure.local(result).ty == Type::Ptr).then_some(())?;
            }
            Effect::Returns(shared) => {
                let ty = self.procedure.local(self.result?).ty.clone();
                self.shared(shared, &ty)?;
            }
            Effect::Writes(path, bytes, shared) => {
                self.place(path)?;
                self.shared(shared, &type_of(shared, *bytes))?;
            }
        }
        Some(())
    }

    /// Emits a statement under a condition, and continues after it.
    fn decide(&mut self, when: &Logic, done: &mut dyn FnMut(&mut Self)) {
        match when {
            Logic::Constant(true) => done(self),
            Logic::Constant(false) => {}
            Logic::If(condition, then, otherwise) => {
                let Some(condition) = self.condition(condition) else { return };
                let from = self.end(TerminatorKind::Goto(Vec::new()));
                let then_starts = self.next();
                self.decide(then, done);
                let then_ends = self.end(TerminatorKind::Goto(Vec::new()));
                let otherwise_starts = self.next();
                self.decide(otherwise, done);
                let behind = BlockId(self.blocks.len() as u32 + 1);
                self.end(TerminatorKind::Goto(vec![behind]));
                let branch = TerminatorKind::Branch(condition, then_starts, otherwise_starts);
                self.blocks[from].terminator.kind = branch;
                self.blocks[then_ends].terminator.kind = TerminatorKind::Goto(vec![behind]);
            }
        }
    }

    /// Asserts that a pointer can be dereferenced.
    fn demand(&mut self, path: &Path, holds: LocalId, pointer: LocalId) {
        let text = self.wording.place(path, Some(ir::ADDRESS_BITS.into()));
        let (holds, pointer, null) = (self.local(holds), self.local(pointer), self.null());
        let idle = self.op(Op::Not, vec![holds], Type::Bool);
        let is_null = self.op(Op::PtrSameObject, vec![pointer, null], Type::Bool);
        let given = self.op(Op::Not, vec![is_null], Type::Bool);
        let given = self.op(Op::Or, vec![idle, given], Type::Bool);
        let message = format!("`{}` dereferences `{text}`, which is null", self.name);
        self.assert(AssertKind::NullDereference, given, message);
        let lives = self.op(Op::Memory(Memory::IsLive), vec![pointer], Type::Bool);
        let lives = self.op(Op::Or, vec![idle, lives], Type::Bool);
        let message =
            format!("`{}` dereferences `{text}`, which points to memory that was freed", self.name);
        self.assert(AssertKind::UseAfterFree, lives, message);
    }

    /// Ends the execution where the procedure does not return.
    fn stop(&mut self, holds: LocalId) {
        let holds = self.local(holds);
        let from = self.end(TerminatorKind::Goto(Vec::new()));
        let starts = self.next();
        let why = format!("{} does not return", self.name);
        self.end(TerminatorKind::Exit(Exit::Intended(why)));
        let behind = self.next();
        self.blocks[from].terminator.kind = TerminatorKind::Branch(holds, starts, behind);
    }

    /// Calls the external procedure for unknown effects.
    fn leave_to_the_outside(&mut self) {
        let arguments: Vec<LocalId> = self.parameters.clone();
        let arguments = arguments.into_iter().map(|parameter| self.local(parameter)).collect();
        let results = self.procedure.locals_with(Mode::Result).map(whole).collect();
        let callee = Callee::Procedure(self.outside);
        self.push(StatementKind::Call { results, callee, arguments, caught: None });
    }

    /// Applies a fact.
    fn happen(&mut self, one: &Noted<'_>) {
        let holds = self.local(one.holds);
        match (one.effect, one.pointer, self.result) {
            (Effect::Frees(path), Some(pointer), _) => {
                let text = self.wording.place(path, Some(ir::ADDRESS_BITS.into()));
                let (pointer, null) = (self.local(pointer), self.null());
                let is_null = self.op(Op::Eq, vec![pointer, null], Type::Bool);
                let some = self.op(Op::Not, vec![is_null], Type::Bool);
                let both = self.op(Op::And, vec![holds, some], Type::Bool);
                self.only_if(both, |draft| draft.free(pointer, &text));
            }
            (Effect::ReturnsNull, _, Some(result)) => self.only_if(holds, |draft| {
                let null = draft.null();
                draft.assign(result, null);
            }),
            (Effect::ReturnsObject, _, Some(result)) => self.only_if(holds, |draft| {
                let (result, null) = (draft.local(result), draft.null());
                let is_null = draft.op(Op::Eq, vec![result, null], Type::Bool);
                let condition = draft.op(Op::Not, vec![is_null], Type::Bool);
                draft.push(StatementKind::Assume { condition, reason: AssumeReason::Contract });
            }),
            (Effect::Returns(shared), _, Some(result)) => {
                let ty = self.procedure.local(result).ty.clone();
                if let Some(value) = self.shared(shared, &ty) {
                    self.only_if(holds, |draft| draft.assign(result, value));
                }
            }
            (Effect::Writes(path, bytes, shared), ..) => {
                let ty = type_of(shared, *bytes);
                if let (Some(pointer), Some(value)) = (self.place(path), self.shared(shared, &ty)) {
                    self.only_if(holds, |draft| {
                        let view = Projection::View { pointer, ty, volatile: false };
                        let variable = Variable::Global(draft.memory);
                        let place = Place { variable, path: vec![view] };
                        draft.push(StatementKind::Assign(vec![(place, value)]));
                    });
                }
            }
            (Effect::Dereferences(_) | Effect::NeverReturns, ..)
            | (Effect::Frees(_), None, _)
            | (Effect::ReturnsNull | Effect::ReturnsObject | Effect::Returns(_), _, None) => {}
        }
    }

    fn free(&mut self, pointer: ExprId, text: &str) {
        let lives = self.op(Op::Memory(Memory::IsLive), vec![pointer], Type::Bool);
        let message = format!(
            "`{}` frees `{text}`, which points to memory that was already freed",
            self.name
        );
        self.assert(AssertKind::DoubleFree, lives, message);
        let heap = self.op(Op::Memory(Memory::IsHeap), vec![pointer], Type::Bool);
        let offset = self.op(Op::PtrOffset, vec![pointer], Type::Bv(ir::ADDRESS_BITS));
        let zero = self.word(ir::ADDRESS_BITS, 0);
        let start = self.op(Op::Eq, vec![offset, zero], Type::Bool);
        let both = self.op(Op::And, vec![heap, start], Type::Bool);
        let message = format!("`{}` frees `{text}`, which no allocation returned", self.name);
        self.assert(AssertKind::InvalidFree, both, message);
        self.push(StatementKind::Free(pointer));
    }

    /// Emits statements under a condition, and continues after them.
    fn only_if(&mut self, condition: ExprId, done: impl FnOnce(&mut Self)) {
        let from = self.end(TerminatorKind::Goto(Vec::new()));
        let starts = self.next();
        done(self);
        let behind = BlockId(self.blocks.len() as u32 + 1);
        self.end(TerminatorKind::Goto(vec![behind]));
        self.blocks[from].terminator.kind = TerminatorKind::Branch(condition, starts, behind);
    }

    // Expressions; none if they have no meaning for these parameters.

    /// The place of a path.
    fn place(&mut self, path: &Path) -> Option<ExprId> {
        let Root::Parameter(number) = path.root else { return None };
        let parameter = *self.parameters.get(number as usize)?;
        let mut pointer = self.local(parameter);
        for (position, step) in path.steps.iter().enumerate() {
            if position > 0 {
                pointer = self.load(pointer, &Type::Ptr);
            }
            if *self.procedure.exprs.ty(pointer) != Type::Ptr {
                return None;
            }
            if *step != 0 {
                let by = self.word(ir::ADDRESS_BITS, *step as u64 as u128);
                pointer = self.op(Op::PtrAdd, vec![pointer, by], Type::Ptr);
            }
        }
        Some(pointer)
    }

    /// The value at a path.
    fn read(&mut self, path: &Path, ty: &Type) -> Option<ExprId> {
        let place = self.place(path)?;
        let value = if path.steps.is_empty() { place } else { self.load(place, ty) };
        (self.procedure.exprs.ty(value) == ty).then_some(value)
    }

    fn load(&mut self, pointer: ExprId, ty: &Type) -> ExprId {
        let memory = self.expr(Expr::Read(Variable::Global(self.memory)), Type::Bytes);
        self.op(Op::Memory(Memory::Load(ty.clone())), vec![memory, pointer], ty.clone())
    }

    fn condition(&mut self, condition: &Condition) -> Option<ExprId> {
        Some(match condition {
            Condition::NotNull(path) => {
                let (pointer, null) = (self.read(path, &Type::Ptr)?, self.null());
                let is_null = self.op(Op::Eq, vec![pointer, null], Type::Bool);
                self.op(Op::Not, vec![is_null], Type::Bool)
            }
            Condition::NotZero(path, width) => {
                let (word, zero) = (self.read(path, &Type::Bv(*width))?, self.word(*width, 0));
                let is_zero = self.op(Op::Eq, vec![word, zero], Type::Bool);
                self.op(Op::Not, vec![is_zero], Type::Bool)
            }
            Condition::Negative(path, width) => {
                let (word, zero) = (self.read(path, &Type::Bv(*width))?, self.word(*width, 0));
                self.op(Op::BvSlt, vec![word, zero], Type::Bool)
            }
            Condition::Compare(comparison, a, b) => {
                let (a, b) = (self.computed(a)?, self.computed(b)?);
                let is_alike = self.procedure.exprs.ty(a) == self.procedure.exprs.ty(b);
                is_alike.then(|| self.op(comparison.op(), vec![a, b], Type::Bool))?
            }
        })
    }

    fn logic(&mut self, logic: &Logic) -> Option<ExprId> {
        Some(match logic {
            Logic::Constant(value) => self.truth(*value),
            Logic::If(condition, then, otherwise) => {
                let condition = self.condition(condition)?;
                let (then, otherwise) = (self.logic(then)?, self.logic(otherwise)?);
                self.op(Op::Ite, vec![condition, then, otherwise], Type::Bool)
            }
        })
    }

    fn computed(&mut self, word: &Word) -> Option<ExprId> {
        Some(match word {
            Word::Constant(width, value) => self.word(*width, *value),
            Word::Place(path, width) => self.read(path, &Type::Bv(*width))?,
            Word::Address(_) => return None,
            Word::Op(op, operands, width) => {
                let operands: Option<Vec<ExprId>> =
                    operands.iter().map(|operand| self.computed(operand)).collect();
                self.op(op.clone(), operands?, Type::Bv(*width))
            }
            Word::Choice(when, then, otherwise) => {
                let when = self.logic(when)?;
                let (then, otherwise) = (self.computed(then)?, self.computed(otherwise)?);
                let ty = self.procedure.exprs.ty(then).clone();
                self.op(Op::Ite, vec![when, then, otherwise], ty)
            }
        })
    }

    /// A value of a type.
    fn shared(&mut self, shared: &Shared, ty: &Type) -> Option<ExprId> {
        let value = match shared {
            Shared::Truth(logic) => self.logic(logic)?,
            Shared::Word(word) => self.computed(word)?,
            Shared::Pointer(targets) => {
                let mut value = None;
                for (when, pointed) in targets {
                    let here = self.pointed(pointed)?;
                    value = Some(match value {
                        None => here,
                        Some(others) => {
                            let when = self.logic(when)?;
                            self.op(Op::Ite, vec![when, here, others], Type::Ptr)
                        }
                    });
                }
                value?
            }
        };
        (self.procedure.exprs.ty(value) == ty).then_some(value)
    }

    fn pointed(&mut self, pointed: &Pointed) -> Option<ExprId> {
        match pointed {
            Pointed::Null => Some(self.null()),
            Pointed::Behind(path, offset) => {
                let pointer = self.read(path, &Type::Ptr)?;
                let by = self.word(ir::ADDRESS_BITS, *offset as u64 as u128);
                Some(self.op(Op::PtrAdd, vec![pointer, by], Type::Ptr))
            }
            Pointed::At(_) | Pointed::Number(_) => None,
        }
    }

    fn expr(&mut self, expr: Expr, ty: Type) -> ExprId {
        self.procedure.exprs.push(expr, ty)
    }

    fn op(&mut self, op: Op, operands: Vec<ExprId>, ty: Type) -> ExprId {
        self.expr(Expr::Op(op, operands), ty)
    }

    fn truth(&mut self, value: bool) -> ExprId {
        self.expr(Expr::Bool(value), Type::Bool)
    }

    fn null(&mut self) -> ExprId {
        self.expr(Expr::Null(Type::Ptr), Type::Ptr)
    }

    fn word(&mut self, width: u32, value: u128) -> ExprId {
        self.expr(Expr::Bv(width, value.into()), Type::Bv(width))
    }

    fn local(&mut self, id: LocalId) -> ExprId {
        let ty = self.procedure.local(id).ty.clone();
        self.expr(Expr::Read(Variable::Local(id)), ty)
    }

    // Statements and blocks.

    fn push(&mut self, kind: StatementKind) {
        self.statements.push(Statement::synthetic(kind, NOWHERE, PointId(0)));
    }

    fn assign(&mut self, local: LocalId, value: ExprId) {
        self.push(StatementKind::Assign(vec![(whole(local), value)]));
    }

    fn assert(&mut self, kind: AssertKind, condition: ExprId, message: String) {
        self.push(StatementKind::Assert { condition, kind, message });
    }

    /// The block that is open.
    fn next(&self) -> BlockId {
        BlockId(self.blocks.len() as u32)
    }

    /// Closes the open block, and says which it was.
    fn end(&mut self, kind: TerminatorKind) -> usize {
        let number = self.blocks.len();
        let (span, point, origin) = (NOWHERE, PointId(0), Origin::Synthetic);
        self.blocks.push(Block {
            label: format!("b{number}"),
            statements: std::mem::take(&mut self.statements),
            terminator: Terminator { kind, span, point, origin },
            facts: None,
        });
        number
    }
}

fn whole(id: LocalId) -> Place {
    Place { variable: Variable::Local(id), path: Vec::new() }
}

/// The type of a value of this size in bytes.
fn type_of(shared: &Shared, bytes: u32) -> Type {
    match shared {
        Shared::Truth(_) => Type::Bool,
        Shared::Word(_) => Type::Bv(8 * bytes),
        Shared::Pointer(_) => Type::Ptr,
    }
}

//! Procedures: one for each implementation, one without a body for a procedure that has none or
//! several, and one for each choice of types at which a polymorphic one is called.

use ir::{
    AssumeReason, Contract, Exit, HavocReason, LocalId, Mode, Origin, ProcedureId, StatementKind,
    TerminatorKind, Variable,
};

use super::Lowering;
use super::blocks::Blocks;
use super::frame::Frame;
use super::names::Names;
use super::statement::BodyBuilder;
use crate::diagnostics::TextRange;
use crate::limits::PROCEDURE_INSTANCES;
use crate::program::{Body, Procedure};
use crate::syntax::{ExprSyntax, StatementKindSyntax};
use crate::types::{Ty, TypeId};

impl<'a, 's> Lowering<'_, 'a, 's> {
    /// Numbers every valid procedure. Type parameters become sorts of their own.
    pub(super) fn declare_procedures(&mut self) {
        let program = self.program;
        for (index, procedure) in program.procedures.iter().enumerate() {
            if procedure.is_broken {
                continue;
            }
            let written = procedure.syntax.signature.name.text;
            let arguments: Box<[TypeId]> = procedure
                .rigid
                .iter()
                .map(|number| {
                    let name = format!("{} of {written}", self.types.rigid[*number as usize]);
                    self.types.names.push(name);
                    let declared = self.types.names.len() - 1;
                    self.types.intern(Ty::Constructed(declared, Box::default()))
                })
                .collect();
            let id = self.new_procedure(written, procedure.syntax.at);
            self.procedures.insert((index, arguments.clone()), id);
            self.open_procedures.push((index, arguments, id));
        }
    }

    fn new_procedure(&mut self, name: &str, at: TextRange) -> ProcedureId {
        let name = self.procedure_names.distinct(name);
        self.module.procedures.push(ir::Procedure {
            name,
            display: None,
            span: at.span(),
            locals: Vec::new(),
            exprs: ir::Exprs::default(),
            contract: Contract::default(),
            blocks: None,
            points: 0,
            places: Vec::new(),
            forms: Vec::new(),
        });
        ProcedureId(self.module.procedures.len() as u32 - 1)
    }

    /// The procedure for a call at some types. None if there are too many.
    pub(super) fn called(&mut self, index: usize, arguments: &[TypeId]) -> Option<ProcedureId> {
        let key = (index, Box::from(arguments));
        if let Some(id) = self.procedures.get(&key) {
            return Some(*id);
        }
        let program = self.program;
        let procedure = &program.procedures[index];
        if self.procedures.len() > program.procedures.len() + PROCEDURE_INSTANCES
            || arguments.iter().any(|ty| self.types.is_too_large(*ty))
        {
            return None;
        }
        let shown: Vec<String> = arguments.iter().map(|ty| self.types.show(*ty)).collect();
        let written = procedure.syntax.signature.name.text;
        let name = format!("{written}<{}>", shown.join(", "));
        let id = self.new_procedure(&name, procedure.syntax.at);
        self.module.procedures[id.0 as usize].display = Some(written.to_owned());
        self.procedures.insert(key.clone(), id);
        self.open_procedures.push((key.0, key.1, id));
        Some(id)
    }

    pub(super) fn lower_procedures(&mut self) {
        let program = self.program;
        let declared = self.open_procedures.len();
        let mut next = 0;
        while next < self.open_procedures.len() {
            let (index, arguments, id) = self.open_procedures[next].clone();
            let procedure = &program.procedures[index];
            // Callers rely on what is promised without a check, which no body shows.
            let promises = procedure.syntax.ensures.iter().any(|clause| clause.free);
            match procedure.bodies.as_slice() {
                [] => self.lower_procedure(procedure, &arguments, id, None),
                [body] if !promises => {
                    self.lower_procedure(procedure, &arguments, id, Some(body));
                }
                several => {
                    self.lower_procedure(procedure, &arguments, id, None);
                    // Instances at other types have no implementations of their own.
                    if next < declared {
                        self.lower_implementations(procedure, &arguments, several);
                    }
                }
            }
            next += 1;
        }
    }

    /// Implementations, which are never called: callers use the contract.
    fn lower_implementations(
        &mut self,
        procedure: &Procedure<'a, 's>,
        arguments: &[TypeId],
        bodies: &[Body<'a, 's>],
    ) {
        let written = procedure.syntax.signature.name.text;
        for (number, body) in bodies.iter().enumerate() {
            let name = format!("{written}#{}", number + 1);
            let id = self.new_procedure(&name, body.at);
            self.module.procedures[id.0 as usize].display = Some(written.to_owned());
            self.lower_procedure(procedure, arguments, id, Some(body));
        }
    }

    fn lower_procedure(
        &mut self,
        procedure: &Procedure<'a, 's>,
        arguments: &[TypeId],
        id: ProcedureId,
        body: Option<&Body<'a, 's>>,
    ) {
        let mut frame = self.frame(procedure, arguments, body);
        let signature_locals = frame.locals.clone();
        let (mut contract, mut trouble) = self.contract(&mut frame, procedure);
        let mut lowered = match (body, &frame.failure) {
            (Some(body), None) => Some(self.body(frame, procedure, body)),
            (Some(_) | None, _) => {
                let points = 0;
                if let Some(why) = frame.failure.take() {
                    trouble = Some(why);
                    frame = Frame { locals: signature_locals, ..Frame::default() };
                    contract = Contract { modifies: contract.modifies, ..Contract::default() };
                }
                let blocks = body.map(|body| without_meaning(body.at));
                Some((frame, blocks, if body.is_some() { 1 } else { points }))
            }
        };
        if let Some((frame, blocks, points)) = lowered.take() {
            let target = &mut self.module.procedures[id.0 as usize];
            if let Some(body) = body {
                target.span = body.at.span();
            }
            target.locals = frame.locals;
            target.exprs = frame.exprs;
            target.contract = contract;
            target.blocks = blocks;
            target.points = points;
        }
        if let Some(trouble) = trouble {
            self.contract_trouble.insert(id, trouble);
        }
    }

    /// A frame with the variables of a procedure; those of an implementation have its names.
    fn frame(
        &mut self,
        procedure: &Procedure<'a, 's>,
        arguments: &[TypeId],
        body: Option<&Body<'a, 's>>,
    ) -> Frame {
        let mut frame = Frame {
            types: procedure.rigid.iter().copied().zip(arguments.iter().copied()).collect(),
            ..Frame::default()
        };
        let signature = body.map_or(&procedure.syntax.signature, |body| body.signature);
        let mut names = Names::default();
        let mut variables: Vec<(&str, TypeId, Mode)> = Vec::new();
        for (variable, ty) in signature.parameters.iter().zip(&procedure.parameters) {
            variables.push((variable.name.text, *ty, Mode::Parameter));
        }
        for (variable, ty) in signature.results.iter().zip(&procedure.results) {
            variables.push((variable.name.text, *ty, Mode::Result));
        }
        if let Some(body) = body {
            for (variable, ty) in body.syntax.locals.iter().zip(&body.locals) {
                variables.push((variable.name.text, *ty, Mode::Local));
            }
        }
        for (name, ty, mode) in variables {
            let ty = self.ground(&frame, ty);
            let ty = self.ty(ty);
            frame.new_local(names.distinct(name), ty, mode);
        }
        frame
    }

    fn body(
        &mut self,
        frame: Frame,
        procedure: &Procedure<'a, 's>,
        body: &Body<'a, 's>,
    ) -> (Frame, Option<Vec<ir::Block>>, u32) {
        let program = self.program;
        let syntax = body.syntax;
        let labels =
            syntax.sequences.iter().flatten().filter_map(|statement| match statement.kind {
                StatementKindSyntax::Label(name) => Some(name.text),
                _ => None,
            });
        let arity = procedure.parameters.len();
        let mut conditions: Vec<Option<ExprSyntax>> = vec![None; arity];
        let results = procedure.syntax.signature.results.iter();
        conditions.extend(
            results.map(|result| result.condition.filter(|_| !procedure.contract_is_broken)),
        );
        conditions.extend(syntax.locals.iter().map(|local| local.condition));
        let declared = frame.locals.len();
        let mut code = BodyBuilder {
            contract_locals: frame.locals.len(),
            frame,
            blocks: Blocks::new(labels),
            syntax,
            modifies: &procedure.modifies,
            changes: self.changes(syntax, &conditions),
            conditions,
            exits: Vec::new(),
        };
        let havocked: Vec<usize> = (arity..declared).collect();
        for local in &havocked {
            let place = Frame::whole(Variable::Local(LocalId(*local as u32)));
            let reason = HavocReason::Choice;
            let kind = StatementKind::Havoc { place, condition: None, reason };
            code.blocks.add(kind, body.at, Origin::Synthetic);
        }
        let variables = havocked.into_iter().map(crate::program::Variable::Local);
        self.assume_conditions(&mut code, variables, body.at);
        let first = arity + procedure.results.len();
        for (index, local) in syntax.locals.iter().enumerate() {
            if local.is_assumption {
                let condition = code.frame.read(LocalId((first + index) as u32));
                let kind = StatementKind::Assume { condition, reason: AssumeReason::Model };
                code.blocks.add(kind, body.at, Origin::Synthetic);
            }
        }
        if !syntax.sequences.is_empty() {
            self.sequence(&mut code, syntax.root);
        }
        let mut saved: Vec<(usize, LocalId)> =
            code.frame.saved.iter().map(|(global, local)| (*global, *local)).collect();
        saved.sort_unstable();
        let kinds: Vec<StatementKind> = saved
            .into_iter()
            .map(|(global, local)| {
                let variable = Variable::Global(ir::GlobalId(global as u32));
                let ty = self.module.globals[global].ty.clone();
                let value = code.frame.push(ir::Expr::Read(variable), ty, false);
                StatementKind::Assign(vec![(Frame::whole(Variable::Local(local)), value)])
            })
            .collect();
        code.blocks.begin_with(kinds, body.at);
        let BodyBuilder { mut frame, blocks, contract_locals, .. } = code;
        if let Some(why) = frame.failure.take() {
            self.note(body.at, &why);
            // The contract is as it was; only what the body added goes.
            frame.locals.truncate(contract_locals);
            let mut blocks = without_meaning(body.at);
            let kind = StatementKind::Unsupported { what: why, writes: Vec::new() };
            let point = ir::PointId(0);
            blocks[0].statements.push(ir::Statement::synthetic(kind, body.at.span(), point));
            let frame = self.again(frame, procedure, body);
            return (frame, Some(blocks), 1);
        }
        let points = blocks.points;
        debug_assert!(program.globals.len() == self.module.globals.len());
        (frame, Some(blocks.finish(syntax.end)), points)
    }

    /// The frame of a procedure's contract alone, when what its body added is not to be used.
    fn again(
        &mut self,
        failed: Frame,
        procedure: &Procedure<'a, 's>,
        body: &Body<'a, 's>,
    ) -> Frame {
        let arguments: Vec<TypeId> =
            procedure.rigid.iter().filter_map(|number| failed.types.get(number).copied()).collect();
        let mut frame = self.frame(procedure, &arguments, Some(body));
        // Lowering the same contract into a new arena yields the same expressions.
        self.contract(&mut frame, procedure);
        frame
    }
}

/// A body that only leaves.
fn without_meaning(at: TextRange) -> Vec<ir::Block> {
    vec![ir::Block {
        label: "entry".to_owned(),
        statements: Vec::new(),
        terminator: ir::Terminator {
            kind: TerminatorKind::Exit(Exit::Normal),
            span: at.span(),
            point: ir::PointId(0),
            origin: Origin::Synthetic,
        },
        facts: None,
    }]
}

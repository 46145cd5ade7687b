//! Giving the body of a model to a procedure that is only declared.

use ir::{
    Callee, Expr, ExprId, Exprs, FileId, FunctionId, Mode, Object, Origin, Place, Procedure,
    ProcedureId, Projection, Span, StatementKind, Type, Variable,
};
use rustc_hash::FxHashSet;

use super::further::VariadicParameters;
use super::{Models, models, sets_errno};
use crate::context::Context;

/// Models, and the number under which their objects are known.
#[derive(Clone, Copy)]
struct ModelSet<'s>(&'s Models, usize);

impl Context<'_> {
    /// Gives bodies to the functions of the library that the module declares.
    pub(crate) fn add_library(&mut self) {
        let own = self.files.models();
        let mut outside = FxHashSet::default();
        // A model may call others, which are then declared too.
        let mut next = 0;
        while let Some(procedure) = self.module.procedures.get(next) {
            let id = ProcedureId(next as u32);
            if procedure.blocks.is_none()
                && !outside.contains(&id)
                && let Some((set, models, model)) = own
                    .iter()
                    .chain([models()])
                    .enumerate()
                    .find_map(|(set, models)| Some((set, models, models.of(procedure)?)))
            {
                // The library's own have a place that does not depend on what others there are.
                let set = ModelSet(models, if set == own.len() { 0 } else { set + 1 });
                outside.extend(self.adopt(id, set, model));
            }
            next += 1;
        }
    }

    /// Adopts the body of a model. It has no location in the user's sources. A model that calls itself calls
    /// the modelled function, which is then declared once more as an unknown function.
    fn adopt(
        &mut self,
        id: ProcedureId,
        set: ModelSet<'_>,
        (model_id, model): (ProcedureId, &Procedure),
    ) -> Option<ProcedureId> {
        let nowhere = Span { file: FileId(0), start: 0, end: 0 };
        let declared = self.module.procedure(id).clone();
        let further = VariadicParameters::of(&declared, model);
        let mut exprs = Exprs::default();
        for index in 0..model.exprs.len() as u32 {
            let expr = match model.exprs.get(ExprId(index)) {
                Expr::Apply(function, arguments) => {
                    Expr::Apply(self.import_object(set, *function), arguments.clone())
                }
                Expr::Read(variable) => Expr::Read(further.moved(*variable)),
                other => other.clone(),
            };
            exprs.push(expr, model.exprs.ty(ExprId(index)).clone());
        }
        let mut outside = None;
        let mut blocks = model.blocks.clone();
        for block in blocks.iter_mut().flatten() {
            for statement in &mut block.statements {
                statement.span = nowhere;
                statement.origin = Origin::Synthetic;
                further.move_places(&mut statement.kind);
                if let StatementKind::Call { callee, arguments, .. } = &mut statement.kind {
                    if *callee == Callee::Procedure(model_id) {
                        arguments.extend(further.arguments(&declared, &mut exprs));
                        let twin = *outside.get_or_insert_with(|| self.declare_outside(&declared));
                        *callee = Callee::Procedure(twin);
                    } else {
                        self.redirect(set.0, callee, arguments, &mut exprs);
                    }
                }
            }
            block.terminator.span = nowhere;
            block.terminator.origin = Origin::Synthetic;
        }
        let locals = further.locals(&declared, model);
        let Procedure { name, display, .. } = declared;
        self.module.procedures[id.0 as usize] =
            Procedure { name, display, span: nowhere, locals, exprs, blocks, ..bare(model) };
        outside
    }

    /// Declares a function a second time, with its original display name.
    fn declare_outside(&mut self, declared: &Procedure) -> ProcedureId {
        let known_as = declared.display.clone().unwrap_or_else(|| declared.name.clone());
        let name = self.procedure_names.distinct(&declared.name);
        let sets_errno = sets_errno(&known_as);
        let mut twin = Procedure { name, display: Some(known_as), ..declared.clone() };
        if sets_errno && let Some(written) = &mut twin.contract.modifies {
            let library = models();
            let errno = library.object("errno").expect("the models declare their objects");
            let errno = self.import_object(ModelSet(library, 0), errno);
            let pointer = twin.exprs.push(Expr::Apply(errno, Vec::new()), Type::Ptr);
            let view = Projection::View { pointer, ty: Type::Bv(32), volatile: false };
            let variable = Variable::Global(crate::context::MEMORY);
            written.push(Place { variable, path: vec![view] });
        }
        self.module.procedures.push(twin);
        ProcedureId(self.module.procedures.len() as u32 - 1)
    }

    /// Redirects a call in a model to a procedure of this module. A model in VIR without a body is the
    /// function that its first argument points to; one in C lists its possible targets.
    fn redirect(
        &mut self,
        models: &Models,
        callee: &mut Callee,
        arguments: &mut Vec<ExprId>,
        exprs: &mut Exprs,
    ) {
        let id = match callee {
            Callee::Procedure(id) => id,
            Callee::Choice(_, table) => {
                for (_, id) in table {
                    *id = self.known_procedure(models.module.procedure(*id));
                }
                return;
            }
        };
        let model = models.module.procedure(*id);
        if model.blocks.is_none() && !models.is_lowered {
            let parameters: Vec<Type> = types(model, Mode::Parameter).skip(1).collect();
            let candidates =
                self.candidates(&parameters, &types(model, Mode::Result).collect::<Vec<_>>());
            if !candidates.is_empty() {
                let pointer = arguments.remove(0);
                let table = candidates.into_iter().map(|(address, procedure)| {
                    (exprs.push(Expr::Apply(address, Vec::new()), Type::Ptr), procedure)
                });
                *callee = Callee::Choice(pointer, table.collect());
                return;
            }
        }
        *callee = Callee::Procedure(self.known_procedure(model));
    }

    /// The procedure of this module that a model calls, which is declared if need be.
    fn known_procedure(&mut self, model: &Procedure) -> ProcedureId {
        let known = self.module.find_procedure(&model.name);
        let known = known.filter(|id| fits(self.module.procedure(*id), model));
        known.unwrap_or_else(|| {
            let name = self.procedure_names.distinct(&model.name);
            let declared = Procedure { name, blocks: None, exprs: Exprs::default(), ..bare(model) };
            self.module.procedures.push(declared);
            ProcedureId(self.module.procedures.len() as u32 - 1)
        })
    }

    /// The functions of the program whose address is taken and whose types are these.
    fn candidates(&self, parameters: &[Type], results: &[Type]) -> Vec<(FunctionId, ProcedureId)> {
        let functions = self.functions.iter().zip(&self.procedures);
        functions
            .filter_map(|(address, procedure)| Some(((*address)?, (*procedure)?)))
            .filter(|(_, id)| {
                let procedure = self.module.procedure(*id);
                types(procedure, Mode::Parameter).eq(parameters.iter().cloned())
                    && types(procedure, Mode::Result).eq(results.iter().cloned())
            })
            .collect()
    }

    /// The static object of a model in this module.
    fn import_object(&mut self, set: ModelSet<'_>, model: FunctionId) -> FunctionId {
        if let Some(known) = self.imported.get(&(set.1, model)) {
            return *known;
        }
        let models = &set.0.module;
        let function = models.function(model);
        if models.object_at(model).is_none() && function.definition.is_none() {
            // An operation that is only known by its name is the same everywhere.
            let parameters: Vec<Type> =
                function.parameters.iter().map(|(_, ty)| ty.clone()).collect();
            let known = self.operation(&function.name, &parameters, &function.result);
            self.imported.insert((set.1, model), known);
            return known;
        }
        let contents = models.object_at(model).map(|position| models.objects[position].clone());
        let contents = contents.map(|object| {
            let inner = object.contents.map(|parts| {
                let part = |(offset, part)| match part {
                    ir::Content::Bytes(_) => (offset, part),
                    ir::Content::Address(to, distance) => {
                        (offset, ir::Content::Address(self.import_object(set, to), distance))
                    }
                };
                parts.into_iter().map(part).collect()
            });
            Object { contents: inner, ..object }
        });
        let function = models.function(model).clone();
        let (name, span) = (self.names.distinct(&function.name), self.nowhere());
        self.module.functions.push(ir::Function { name, span, ..function });
        let address = FunctionId(self.module.functions.len() as u32 - 1);
        self.module.objects.extend(contents.map(|object| Object { address, ..object }));
        self.imported.insert((set.1, model), address);
        address
    }
}

impl Models {
    /// The model of a declared procedure, whichever edition of the standard it is of, and with whichever
    /// further arguments it is called.
    fn of(&self, declared: &Procedure) -> Option<(ProcedureId, &Procedure)> {
        let written = [Some(&declared.name), declared.display.as_ref()];
        written.into_iter().flatten().flat_map(|name| known_as(name)).find_map(|name| {
            let id = *self.by_name.get(name)?;
            let model = self.module.procedure(id);
            (model.blocks.is_some() && extends(declared, model)).then_some((id, model))
        })
    }
}

/// A model without its forms, which its own module numbers.
fn bare(model: &Procedure) -> Procedure {
    Procedure { places: Vec::new(), forms: Vec::new(), ..model.clone() }
}

fn types(procedure: &Procedure, mode: Mode) -> impl Iterator<Item = Type> {
    procedure.locals_with(mode).map(|id| procedure.local(id).ty.clone())
}

fn fits(declared: &Procedure, model: &Procedure) -> bool {
    let same = |mode| types(declared, mode).eq(types(model, mode));
    same(Mode::Parameter) && same(Mode::Result)
}

/// Whether a declared procedure is called as a model is, with further arguments or without.
fn extends(declared: &Procedure, model: &Procedure) -> bool {
    let named = model.locals_with(Mode::Parameter).count();
    let first = types(declared, Mode::Parameter).take(named);
    first.eq(types(model, Mode::Parameter))
        && types(declared, Mode::Result).eq(types(model, Mode::Result))
}

/// The names by which the model of a function may be known: its own, without what compilers and editions of
/// the standard add, and without the mark of a fortified program, for which the size of a room is a further
/// argument.
fn known_as(name: &str) -> [&str; 3] {
    let name = name.split('$').next().unwrap_or(name);
    let added = ["__builtin_", "__isoc99_", "__isoc23_"];
    let plain = added.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let fortified = plain.strip_prefix("__").and_then(|name| name.strip_suffix("_chk"));
    [name, plain, fortified.unwrap_or(plain)]
}

//! Procedures: the signature of a method, and its body.

use ir::{
    Contract, Exit, Exprs, Local, LocalId, Mode, Origin, Procedure, ProcedureId, TerminatorKind,
    Type,
};
use rustc_hash::FxHashMap;

use super::block::Blocks;
use super::body::{Body, Val};
use super::heap::distinct;
use super::{ConstructorPart, Lowering, ProcedureKey};
use crate::diagnostics::span;
use crate::program::{ClassId, FieldId, InitializerStep, Method, MethodId};
use crate::syntax::{Stmt, StmtKind, TextRange, TypeKind};
use crate::types::Ty;

impl<'p> Lowering<'p> {
    /// The text of a place in a file.
    pub(super) fn text(&self, file: u32, at: TextRange) -> &'p str {
        let text = self.sources.get(file as usize).copied().unwrap_or("");
        text.get(at.start as usize..at.end as usize).unwrap_or("")
    }

    /// The procedure of a method, whose body may still be open.
    pub(super) fn procedure(&mut self, key: ProcedureKey) -> ProcedureId {
        if let Some(&known) = self.procedures.get(&key) {
            return known;
        }
        let procedure = self.signature(key);
        let id = ProcedureId(self.module.procedures.len() as u32);
        self.module.procedures.push(procedure);
        self.procedures.insert(key, id);
        self.open.push_back(key);
        id
    }

    fn signature(&mut self, key: ProcedureKey) -> Procedure {
        let program = self.program;
        let method = program.method(key.method);
        let class = program.class(method.class);
        let name = match method.is_constructor {
            true => format!("{}.{}", class.name, class.name.rsplit('.').next().unwrap_or("new")),
            false => format!("{}.{}", class.name, method.name),
        };
        let vir_name = match (key.form, key.throwing) {
            (ConstructorPart::Whole, false) => name.clone(),
            (ConstructorPart::Whole, true) => format!("{name} (throwing)"),
            (ConstructorPart::Part, false) => format!("{name} (part)"),
            (ConstructorPart::Part, true) => format!("{name} (part, throwing)"),
            (ConstructorPart::Rest, false) => format!("{name} (rest)"),
            (ConstructorPart::Rest, true) => format!("{name} (rest, throwing)"),
        };
        let is_taken = |name: &str| self.module.procedures.iter().any(|known| known.name == name);
        let vir_name = distinct(&vir_name, is_taken);
        let own = Ty::Class(method.class, Vec::new());
        let mut locals: Vec<Local> = Vec::new();
        let mut add = |name: &str, ty: Type, mode: Mode| {
            let taken = |name: &str| locals.iter().any(|local| local.name == name);
            let unique = distinct(name, taken);
            locals.push(Local { name: unique, ty, mode, display: Some(name.to_owned()) });
        };
        let has_object = match (method.is_constructor, key.form) {
            (true, ConstructorPart::Whole) => false,
            (true, ConstructorPart::Part | ConstructorPart::Rest) => true,
            (false, _) => !method.is_static,
        };
        if has_object {
            add("this", self.vir(&own), Mode::Parameter);
        }
        if let (true, Some(outer)) = (method.is_constructor, class.outer_field) {
            let ty = program.field(outer).ty.clone();
            add("outer", self.vir(&ty), Mode::Parameter);
        }
        for (_, field) in class.captured.iter().filter(|_| method.is_constructor) {
            let captured = program.field(*field);
            add(&captured.name, self.vir(&captured.ty), Mode::Parameter);
        }
        for parameter in &method.parameters {
            add(&parameter.name, self.vir(&parameter.ty), Mode::Parameter);
        }
        match (method.is_constructor, key.form) {
            (true, ConstructorPart::Whole) => add("this", self.vir(&own), Mode::Result),
            (true, ConstructorPart::Part | ConstructorPart::Rest) => {}
            (false, _) if method.result == Ty::Void => {}
            (false, _) => add("\\result", self.vir(&method.result), Mode::Result),
        }
        let at = match is_synthetic(program, key, method) {
            true => TextRange::default(),
            false => method.at,
        };
        Procedure {
            name: vir_name,
            display: Some(name),
            span: span(class.file, at),
            locals,
            exprs: Exprs::default(),
            contract: Contract::default(),
            blocks: None,
            points: 1,
            places: Vec::new(),
            forms: Vec::new(),
        }
    }

    /// Lowers the contract and the body of a procedure whose signature is known.
    pub(super) fn fill(&mut self, key: ProcedureKey) {
        let program = self.program;
        let method = program.method(key.method);
        let id = self.procedures[&key];
        let procedure = self.module.procedures[id.0 as usize].clone();
        let is_synthetic = is_synthetic(program, key, method);
        let mut body = Body::new(self, key, procedure, is_synthetic);
        body.contract();
        body.procedure.contract.external = program.is_external(method);
        if method.body.is_some() || method.is_constructor {
            body.whole();
            let span = body.procedure.span;
            body.procedure.points = body.blocks.points();
            let blocks = std::mem::replace(&mut body.blocks, Blocks::new(true));
            body.procedure.blocks = Some(blocks.finish(span));
        } else {
            let kept = |local: &Local| matches!(local.mode, Mode::Parameter | Mode::Result);
            body.procedure.locals.retain(kept);
        }
        let procedure = body.procedure;
        self.module.procedures[id.0 as usize] = procedure;
    }
}

/// Whether the procedure is synthetic.
pub(super) fn is_synthetic(
    program: &crate::program::Program<'_>,
    key: ProcedureKey,
    method: &Method<'_>,
) -> bool {
    key.throwing
        || key.form != ConstructorPart::Whole
        || program.class(method.class).is_library
        || method.at.start == method.at.end
}

impl<'b, 'p> Body<'b, 'p> {
    pub(super) fn new(
        cx: &'b mut Lowering<'p>,
        key: ProcedureKey,
        procedure: Procedure,
        is_synthetic: bool,
    ) -> Body<'b, 'p> {
        let program = cx.program;
        let method = program.method(key.method);
        let class = method.class;
        let by_name = |name: &str, mode: Mode| {
            let named =
                |local: &Local| local.display.as_deref() == Some(name) && local.mode == mode;
            procedure.locals.iter().position(named).map(|number| LocalId(number as u32))
        };
        let this = by_name("this", Mode::Parameter).or_else(|| by_name("this", Mode::Result));
        let result = by_name("\\result", Mode::Result).map(|local| (local, method.result.clone()));
        let mut scope = FxHashMap::default();
        let mut aliases = Vec::new();
        for parameter in &method.parameters {
            if let Some(local) = by_name(&parameter.name, Mode::Parameter) {
                scope.insert(parameter.name.clone(), (local, parameter.ty.clone()));
                if let Some(alias) = &parameter.alias {
                    aliases.push((alias.clone(), (local, parameter.ty.clone())));
                }
            }
        }
        for (alias, local) in aliases {
            scope.entry(alias).or_insert(local);
        }
        Body {
            key,
            class,
            file: program.class(class).file,
            vars: &method.vars,
            procedure,
            blocks: Blocks::new(is_synthetic),
            scopes: vec![scope],
            frames: Vec::new(),
            this,
            result,
            allowed: Vec::new(),
            yields: Vec::new(),
            label: None,
            loop_specs: Vec::new(),
            texts: std::collections::BTreeSet::new(),
            model_fields: Vec::new(),
            limits: Vec::new(),
            reached: FxHashMap::default(),
            unsupported_reason: None,
            cx,
        }
    }

    /// The body: what a constructor does first, the statements, and the end.
    fn whole(&mut self) {
        let method = self.cx.program.method(self.key.method);
        let at = method.at;
        // Nothing leads back to the first block.
        let start = self.blocks.create("start");
        self.go(start, at);
        self.blocks.enter(start);
        let guarded = self.begin_signals();
        let statements = method.body.unwrap_or(&[]);
        match method.is_constructor {
            true => self.construct(statements),
            false => self.block(statements),
        }
        let end = TextRange { start: at.end, end: at.end };
        if self.blocks.is_open() {
            self.end_models(end);
            let span = self.span(end);
            self.blocks.end(TerminatorKind::Exit(Exit::Normal), span, Origin::Synthetic);
        }
        if let Some((handler, exception)) = guarded {
            self.end_signals(handler, exception, at);
        }
    }

    /// A constructor: allocates the object unless it receives one, calls the constructor of the superclass or
    /// another of its own, initializes fields, and executes its statements.
    fn construct(&mut self, statements: &'p [Stmt]) {
        let program = self.cx.program;
        let method = program.method(self.key.method);
        let at = method.at;
        let own = Ty::Class(self.class, Vec::new());
        if self.key.form == ConstructorPart::Whole {
            let made = self.make(&own, at);
            if let Some(this) = self.this {
                self.set(this, made.id, at);
            }
        }
        let this = self.this_value();
        if let Some(this) = &this {
            self.keep_surroundings(this, at);
        }
        let (first, rest) = match statements.split_first() {
            Some((first, rest)) => match &first.kind {
                StmtKind::Constructor { is_super, arguments } => {
                    (Some((*is_super, &arguments[..], first.at)), rest)
                }
                _ => (None, statements),
            },
            None => (None, statements),
        };
        let is_delegating = matches!(first, Some((false, ..)));
        let (class, arguments, call_at) = match first {
            Some((false, arguments, at)) => (Some(self.class), arguments, at),
            Some((true, arguments, at)) => (self.above(), arguments, at),
            None => (self.above(), &[][..], at),
        };
        if let Some(class) = class.filter(|_| self.key.form != ConstructorPart::Rest) {
            self.blocks.next_point();
            let values = self.arguments(arguments);
            match self.choose_constructor(class, &values) {
                Some(constructor) => self.construct_above(class, constructor, &values, call_at),
                None => self.unsupported("a constructor with these arguments", call_at),
            }
        }
        if !is_delegating {
            self.initial_ghosts();
            for initial in program.class(self.class).initial.clone() {
                self.blocks.next_point();
                match initial {
                    InitializerStep::Block(statements) => self.block(statements),
                    InitializerStep::Field(field, value) => self.initialize(field, value),
                }
            }
            if program.class(self.class).kind == TypeKind::Record
                && method.at.start == method.at.end
            {
                self.set_components();
            }
        }
        self.block(rest);
    }

    /// A new object knows the one around it, and the variables around its class.
    fn keep_surroundings(&mut self, this: &Val, at: TextRange) {
        let program = self.cx.program;
        let class = program.class(self.class);
        let mut kept: Vec<(FieldId, &str)> = Vec::new();
        kept.extend(class.outer_field.map(|field| (field, "outer")));
        let captured = class.captured.iter();
        kept.extend(captured.map(|(_, field)| (*field, program.field(*field).name.as_str())));
        for (field, name) in kept {
            let given = self.procedure.locals.iter().position(|local| local.name == name);
            if let Some(given) = given {
                let value = self.read(LocalId(given as u32));
                let place = self.field_place(field, Some(this.id));
                let kind = ir::StatementKind::Assign(vec![(place, value)]);
                self.emit(kind, at, Origin::Synthetic);
            }
        }
    }

    /// Calls a constructor on this object: of the class above, or another of its own.
    fn construct_above(
        &mut self,
        class: ClassId,
        constructor: MethodId,
        values: &[Val],
        at: TextRange,
    ) {
        let Some(this) = self.this_value() else { return };
        let outer = self.cx.program.class(class).outer_field;
        let outer = outer.and_then(|field| {
            let wanted = self.cx.program.field(field).ty.clone();
            self.find_outer(&wanted)
        });
        self.construct_part(&this, (class, constructor, ConstructorPart::Part), outer, values, at);
    }

    /// Calls a constructor on an object that has been made already.
    pub(super) fn construct_part(
        &mut self,
        object: &Val,
        (class, constructor, form): (ClassId, MethodId, ConstructorPart),
        outer: Option<Val>,
        values: &[Val],
        at: TextRange,
    ) {
        let seen = Ty::Class(class, Vec::new());
        let mut given = vec![self.convert(object, &seen, at)];
        given.extend(self.surroundings(class, outer, at));
        given.extend(self.converted(constructor, values, &seen, at));
        let throwing = self.wants_exceptions();
        self.call_procedure(ProcedureKey { method: constructor, form, throwing }, given, at);
    }

    /// The parameters of a class's constructor besides its arguments: enclosing objects and captured
    /// variables.
    pub(super) fn surroundings(
        &mut self,
        class: ClassId,
        outer: Option<Val>,
        at: TextRange,
    ) -> Vec<Val> {
        let program = self.cx.program;
        let mut given = Vec::new();
        if let Some(field) = program.class(class).outer_field {
            // A class in a static body has no object around it.
            let outer = outer.unwrap_or(Val { id: ir::ExprId(0), ty: Ty::Null });
            given.push(self.convert(&outer, &program.field(field).ty, at));
        }
        for (name, field) in &program.class(class).captured {
            let target = self.named(name);
            let value = self.value_of(&target, at);
            given.push(self.convert(&value, &program.field(*field).ty, at));
        }
        given
    }

    pub(super) fn find_outer(&mut self, wanted: &Ty) -> Option<Val> {
        let program = self.cx.program;
        let wanted = program.class_of(wanted)?;
        let found = self.enclosing(|_, class| program.is_subclass(class, wanted));
        found.and_then(|(_, object)| object)
    }

    /// The class above, if its constructor does anything.
    fn above(&self) -> Option<ClassId> {
        let program = self.cx.program;
        let above = program.class(self.class).superclass.as_ref()?;
        let above = program.class_of(above)?;
        let is_trivial = Some(above) == program.object()
            || program.class(above).is_opaque
            || program.class(self.class).kind != TypeKind::Class;
        (!is_trivial).then_some(above)
    }

    fn initialize(&mut self, field: FieldId, value: &'p crate::syntax::Expr) {
        let ty = self.cx.program.field(field).ty.clone();
        let given = self.elements_of(&ty, value);
        let given = self.convert(&given, &ty, value.at);
        let given = self.save(&given, value.at);
        if let Some(this) = self.this_value() {
            let place = self.field_place(field, Some(this.id));
            self.assign(place, given.id, value.at);
        }
    }

    /// The constructor of a record that is not written sets its components.
    fn set_components(&mut self) {
        let program = self.cx.program;
        let Some(this) = self.this_value() else { return };
        for parameter in &program.method(self.key.method).parameters {
            let found = program.find_field(&this.ty, &parameter.name);
            if let (Some((field, _)), Some((local, _))) = (found, self.find(&parameter.name)) {
                let value = self.read(local);
                let place = self.field_place(field, Some(this.id));
                self.assign(place, value, TextRange::default());
            }
        }
    }
}

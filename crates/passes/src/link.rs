//! Linking: one module with all bodies that a procedure can reach, whatever file they are in.
//!
//! The judge executes the program as written. Where a file only declares a function that another file
//! defines, the linked module has the definition. The root file keeps its numbering, so that sites, points
//! and objects of its procedures mean the same in the linked module; procedures, constants, records, files
//! and static objects of other files are appended as they are needed.
//!
//! Symbols are matched by name, as a linker does. A static object that two files define is two
//! objects; one that some file only declares is the other file's.

use std::collections::VecDeque;

use ir::{
    Block, Callee, Clause, Content, Contract, ExitClause, Expr, ExprId, Exprs, FileId, FunctionId,
    Memory, Mode, Module, Object, Op, Origin, Place, Procedure, ProcedureId, Projection, RecordId,
    Span, Statement, StatementKind, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::names::Names;

/// A procedure of one of several files.
pub type Symbol = (usize, ProcedureId);

/// A module in which everything that a procedure calls has its body, if some file defines it.
#[derive(Clone, Debug)]
pub struct Linked {
    /// The module; it begins with the root file's.
    pub module: Module,
    /// Where each procedure beyond those of the root file comes from.
    pub imported: Vec<Symbol>,
}

/// Links everything that a procedure of a file can call. `definition` locates the body of a procedure that
/// its own file only declares.
pub fn link(
    units: &[&Module],
    definition: &dyn Fn(usize, ProcedureId) -> Option<Symbol>,
    (unit, root): Symbol,
) -> Linked {
    let module = Module { stubs: Default::default(), ..units[unit].clone() };
    let names = module.functions.iter().map(|function| function.name.clone());
    let names = names.zip((0..).map(FunctionId)).collect();
    let mut linker = Linker {
        units,
        definition,
        unit,
        procedure_names: Names::new(
            module.procedures.iter().map(|procedure| procedure.name.as_str()),
        ),
        function_names: Names::new(module.functions.iter().map(|function| function.name.as_str())),
        module,
        imported: Vec::new(),
        procedures: FxHashMap::default(),
        functions: FxHashMap::default(),
        public: names,
        files: FxHashMap::default(),
        open: VecDeque::from([(unit, root)]),
        seen: FxHashSet::from_iter([(unit, root)]),
        unfilled: Vec::new(),
    };
    linker.run();
    let Linker { module, imported, .. } = linker;
    ir::debug_validate(&module);
    Linked { module, imported }
}

struct Linker<'l> {
    units: &'l [&'l Module],
    definition: &'l dyn Fn(usize, ProcedureId) -> Option<Symbol>,
    /// The root file.
    unit: usize,
    module: Module,
    procedure_names: Names,
    function_names: Names,
    imported: Vec<Symbol>,
    /// The procedures of other files in the linked module.
    procedures: FxHashMap<Symbol, ProcedureId>,
    /// The constants of other files in the linked module.
    functions: FxHashMap<(usize, FunctionId), FunctionId>,
    /// The constants that every file knows by the same name.
    public: FxHashMap<String, FunctionId>,
    files: FxHashMap<(usize, FileId), FileId>,
    /// Bodies whose calls are not linked yet.
    open: VecDeque<Symbol>,
    seen: FxHashSet<Symbol>,
    /// Static objects whose contents come from another file: their position, and where they come from.
    unfilled: Vec<(usize, usize, usize)>,
}

impl Linker<'_> {
    fn run(&mut self) {
        while let Some((unit, id)) = self.open.pop_front() {
            if unit == self.unit {
                self.redirect_calls(id);
            } else {
                let target = self.procedures[&(unit, id)];
                let procedure = self.import(unit, self.units[unit].procedure(id));
                let name = self.module.procedure(target).name.clone();
                self.module.procedures[target.0 as usize] = Procedure { name, ..procedure };
            }
            while let Some((position, unit, source)) = self.unfilled.pop() {
                self.fill(position, unit, source);
            }
        }
    }

    /// Lets the calls of a procedure of the root file lead to definitions.
    fn redirect_calls(&mut self, id: ProcedureId) {
        let Some(mut blocks) = self.module.procedures[id.0 as usize].blocks.take() else { return };
        for statement in blocks.iter_mut().flat_map(|block| &mut block.statements) {
            if let StatementKind::Call { callee, arguments, .. } = &mut statement.kind {
                self.redirect(self.unit, callee, arguments);
            }
        }
        self.module.procedures[id.0 as usize].blocks = Some(blocks);
    }

    /// Lets a call lead to a definition. Arguments beyond the definition's parameters are variable ones, which its body
    /// does not name.
    fn redirect(&mut self, unit: usize, callee: &mut Callee, arguments: &mut Vec<ExprId>) {
        match callee {
            Callee::Procedure(id) => {
                let (symbol, linked) = self.linked(unit, *id);
                let defined = self.units[symbol.0].procedure(symbol.1);
                arguments.truncate(defined.locals_with(Mode::Parameter).count());
                *id = linked;
            }
            Callee::Choice(_, table) => {
                for (_, id) in table {
                    *id = self.procedure(unit, *id);
                }
            }
        }
    }

    /// The linked procedure that a procedure of a file is.
    fn procedure(&mut self, unit: usize, id: ProcedureId) -> ProcedureId {
        self.linked(unit, id).1
    }

    /// Where a procedure of a file is defined, and the linked procedure that it is.
    fn linked(&mut self, unit: usize, id: ProcedureId) -> (Symbol, ProcedureId) {
        let declared = self.units[unit].procedure(id);
        let mut symbol = (unit, id);
        // Calls lead to the definition in their own file, and a model that calls its own name calls the
        // unknown function.
        if declared.blocks.is_none()
            && let Some(found) = (self.definition)(unit, id)
            && found.0 != unit
        {
            let defined = self.units[found.0].procedure(found.1);
            let is_model = defined.span.start == defined.span.end;
            let is_body = defined.blocks.is_some() && !is_model;
            if is_body && self.fits(unit, declared, found.0, defined) {
                symbol = found;
            }
        }
        if self.seen.insert(symbol) {
            self.open.push_back(symbol);
        }
        if symbol.0 == self.unit {
            return (symbol, symbol.1);
        }
        if let Some(known) = self.procedures.get(&symbol) {
            return (symbol, *known);
        }
        let source = self.units[symbol.0].procedure(symbol.1);
        let known_as = source.display.clone().unwrap_or_else(|| source.name.clone());
        let linked = ProcedureId(self.module.procedures.len() as u32);
        self.module.procedures.push(Procedure {
            name: self.procedure_names.fresh(&source.name),
            display: Some(known_as),
            span: source.span,
            locals: Vec::new(),
            exprs: Exprs::default(),
            contract: Contract::default(),
            blocks: None,
            points: 0,
            places: Vec::new(),
            forms: Vec::new(),
        });
        self.imported.push(symbol);
        self.procedures.insert(symbol, linked);
        (symbol, linked)
    }

    /// Whether a definition matches the types of a declaration. A call of a variadic function has further
    /// arguments, which the function only reads.
    fn fits(
        &mut self,
        unit: usize,
        declared: &Procedure,
        other: usize,
        defined: &Procedure,
    ) -> bool {
        [Mode::Parameter, Mode::Result].into_iter().all(|mode| {
            let mut here = declared.locals_with(mode).map(|id| &declared.local(id).ty);
            let mut there = defined.locals_with(mode).map(|id| &defined.local(id).ty);
            loop {
                match (here.next(), there.next()) {
                    (None, None) => return true,
                    (Some(here), Some(there)) => {
                        let same = self.ty(unit, here) == self.ty(other, there);
                        if !same {
                            return false;
                        }
                    }
                    (Some(_), None) => return mode == Mode::Parameter && prints(defined),
                    (None, Some(_)) => return false,
                }
            }
        })
    }

    /// A procedure of another file in terms of the linked module. The display names of its variables are
    /// dropped.
    fn import(&mut self, unit: usize, source: &Procedure) -> Procedure {
        let mut procedure = source.clone();
        procedure.display.get_or_insert_with(|| source.name.clone());
        procedure.places.clear();
        procedure.forms.clear();
        procedure.span = self.span(unit, source.span);
        for local in &mut procedure.locals {
            local.ty = self.ty(unit, &local.ty);
        }
        procedure.exprs = self.exprs(unit, &source.exprs);
        self.contract(unit, &mut procedure.contract);
        for block in procedure.blocks.iter_mut().flatten() {
            self.block(unit, block);
        }
        procedure
    }

    fn exprs(&mut self, unit: usize, source: &Exprs) -> Exprs {
        let mut exprs = Exprs::default();
        for number in 0..source.binders() as u32 {
            let (name, ty) = source.binder(ir::Binder(number));
            let ty = self.ty(unit, ty);
            exprs.bind(name, ty);
        }
        for number in 0..source.len() as u32 {
            let id = ExprId(number);
            let expr = match source.get(id) {
                Expr::Apply(function, arguments) => {
                    Expr::Apply(self.function(unit, *function), arguments.clone())
                }
                Expr::Null(ty) => Expr::Null(self.ty(unit, ty)),
                Expr::Op(op, operands) => Expr::Op(self.op(unit, op), operands.clone()),
                other @ (Expr::Bool(_)
                | Expr::Bv(..)
                | Expr::Int(_)
                | Expr::Read(_)
                | Expr::Bound(_)
                | Expr::Old(_)
                | Expr::Quantified(..)
                | Expr::Lambda(..)) => other.clone(),
            };
            let ty = self.ty(unit, source.ty(id));
            exprs.push(expr, ty);
        }
        exprs
    }

    fn op(&mut self, unit: usize, op: &Op) -> Op {
        match op {
            Op::ConstMap(ty) => Op::ConstMap(self.ty(unit, ty)),
            Op::SeqEmpty(ty) => Op::SeqEmpty(self.ty(unit, ty)),
            Op::Record(id) => Op::Record(self.record(unit, *id)),
            Op::Field(id, field) => Op::Field(self.record(unit, *id), *field),
            Op::WithField(id, field) => Op::WithField(self.record(unit, *id), *field),
            Op::Memory(Memory::Load(ty)) => Op::Memory(Memory::Load(self.ty(unit, ty))),
            Op::Memory(Memory::Store(ty)) => Op::Memory(Memory::Store(self.ty(unit, ty))),
            other => other.clone(),
        }
    }

    fn ty(&mut self, unit: usize, ty: &Type) -> Type {
        match ty {
            Type::Record(id) => Type::Record(self.record(unit, *id)),
            Type::Map(keys, value) => {
                let keys = keys.iter().map(|key| self.ty(unit, key)).collect();
                Type::Map(keys, Box::new(self.ty(unit, value)))
            }
            Type::Seq(element) => Type::Seq(Box::new(self.ty(unit, element))),
            Type::Bool
            | Type::Bv(_)
            | Type::Int
            | Type::Sort(_)
            | Type::Ptr
            | Type::Variant(_)
            | Type::Bytes => ty.clone(),
        }
    }

    /// The linked record with the same fields.
    fn record(&mut self, unit: usize, id: RecordId) -> RecordId {
        if unit == self.unit {
            return id;
        }
        let mut record = self.units[unit].records[id.0 as usize].clone();
        for (_, ty) in &mut record.fields {
            *ty = self.ty(unit, ty);
        }
        let known = self.module.records.iter().position(|known| known.fields == record.fields);
        let position = known.unwrap_or_else(|| {
            let taken = |name: &str| self.module.records.iter().any(|known| known.name == name);
            while taken(&record.name) {
                record.name.push('_');
            }
            self.module.records.push(record);
            self.module.records.len() - 1
        });
        RecordId(position as u32)
    }

    /// The linked constant that a constant of a file is.
    fn function(&mut self, unit: usize, id: FunctionId) -> FunctionId {
        if unit == self.unit {
            return id;
        }
        if let Some(known) = self.functions.get(&(unit, id)) {
            return *known;
        }
        let source = self.units[unit].function(id);
        let object = self.units[unit].object_at(id);
        let public = self.public.get(&source.name).copied();
        let linked = match (public, object) {
            (Some(known), None) if self.module.object_at(known).is_none() => known,
            (Some(known), Some(position)) => {
                let own = &self.units[unit].objects[position];
                match self.module.object_at(known) {
                    Some(linked) if self.is_same(unit, &source.name, own, linked) => {
                        if self.module.objects[linked].contents.is_none() && own.contents.is_some()
                        {
                            self.unfilled.push((linked, unit, position));
                        }
                        known
                    }
                    Some(_) | None => self.new_function(unit, id),
                }
            }
            (Some(_), None) | (None, _) => self.new_function(unit, id),
        };
        self.functions.insert((unit, id), linked);
        linked
    }

    /// Whether an object of another file and a linked one of the same name are one.
    fn is_same(&self, unit: usize, name: &str, own: &Object, linked: usize) -> bool {
        let known = &self.module.objects[linked];
        let is_code = |object: &Object| {
            object.constant && object.contents.as_ref().is_some_and(Vec::is_empty)
        };
        if is_code(own) && is_code(known) {
            let defines = |module: &Module| {
                let found = module.find_procedure(name);
                found.is_some_and(|id| module.procedure(id).blocks.is_some())
            };
            return !defines(self.units[unit]) || !defines(self.units[self.unit]);
        }
        own.contents.is_none() || known.contents.is_none()
    }

    fn new_function(&mut self, unit: usize, id: FunctionId) -> FunctionId {
        let source = self.units[unit].function(id);
        let mut function = source.clone();
        function.span = self.span(unit, source.span);
        function.result = self.ty(unit, &source.result);
        for (_, ty) in &mut function.parameters {
            *ty = self.ty(unit, ty);
        }
        function.name = self.function_names.fresh(&source.name);
        let linked = FunctionId(self.module.functions.len() as u32);
        self.module.functions.push(function);
        self.public.entry(source.name.clone()).or_insert(linked);
        if let Some(position) = self.units[unit].object_at(id) {
            let object = Object {
                address: linked,
                contents: None,
                constant: false,
                ..self.units[unit].objects[position].clone()
            };
            self.module.objects.push(object);
            self.unfilled.push((self.module.objects.len() - 1, unit, position));
        }
        linked
    }

    /// Gives a linked object what it holds in the file that defines it.
    fn fill(&mut self, position: usize, unit: usize, source: usize) {
        let Object { size, constant, contents, .. } = self.units[unit].objects[source].clone();
        let contents = contents.map(|parts| {
            let part = |(offset, part): (u64, Content)| match part {
                Content::Bytes(_) => (offset, part),
                Content::Address(to, distance) => {
                    (offset, Content::Address(self.function(unit, to), distance))
                }
            };
            parts.into_iter().map(part).collect()
        });
        let object = &mut self.module.objects[position];
        *object = Object { address: object.address, size, constant, contents };
    }

    fn contract(&mut self, unit: usize, contract: &mut Contract) {
        for clause in &mut contract.requires {
            self.clause(unit, clause);
        }
        for ExitClause { clause, .. } in &mut contract.ensures {
            self.clause(unit, clause);
        }
        for place in contract.modifies.iter_mut().flatten() {
            self.place(unit, place);
        }
    }

    fn clause(&mut self, unit: usize, clause: &mut Clause) {
        clause.span = self.span(unit, clause.span);
    }

    fn block(&mut self, unit: usize, block: &mut Block) {
        for statement in &mut block.statements {
            let Statement { kind, span, origin, .. } = statement;
            *span = self.span(unit, *span);
            self.origin(unit, origin);
            match kind {
                StatementKind::Assign(pairs) => {
                    for (place, _) in pairs {
                        self.place(unit, place);
                    }
                }
                StatementKind::Havoc { place, .. } | StatementKind::Allocate { place, .. } => {
                    self.place(unit, place);
                }
                StatementKind::Call { results, callee, arguments, caught } => {
                    for place in results {
                        self.place(unit, place);
                    }
                    if let Some((flag, value)) = caught {
                        self.place(unit, flag);
                        if let Some(value) = value {
                            self.place(unit, value);
                        }
                    }
                    self.redirect(unit, callee, arguments);
                }
                StatementKind::Unsupported { writes, .. } => {
                    for place in writes {
                        self.place(unit, place);
                    }
                }
                StatementKind::Assume { .. }
                | StatementKind::Assert { .. }
                | StatementKind::Free(_) => {}
            }
        }
        block.terminator.span = self.span(unit, block.terminator.span);
        self.origin(unit, &mut block.terminator.origin);
        for clause in block.facts.iter_mut().flat_map(|facts| &mut facts.invariants) {
            self.clause(unit, clause);
        }
    }

    fn place(&mut self, unit: usize, place: &mut Place) {
        for step in &mut place.path {
            match step {
                Projection::Field(record, _) => *record = self.record(unit, *record),
                Projection::View { ty, .. } => *ty = self.ty(unit, ty),
                Projection::Index(_) => {}
            }
        }
    }

    fn origin(&mut self, unit: usize, origin: &mut Origin) {
        match origin {
            Origin::Macro(span) => *span = self.span(unit, *span),
            Origin::Source | Origin::Inlined(_) | Origin::Synthetic => {}
        }
    }

    fn span(&mut self, unit: usize, span: Span) -> Span {
        if unit == self.unit {
            return span;
        }
        let units = self.units;
        let module = &mut self.module;
        let file = *self.files.entry((unit, span.file)).or_insert_with(|| {
            let Some(file) = units[unit].files.get(span.file.0 as usize) else { return span.file };
            let known = module.files.iter().position(|known| known.path == file.path);
            let position = known.unwrap_or_else(|| {
                module.files.push(file.clone());
                module.files.len() - 1
            });
            FileId(position as u32)
        });
        Span { file, ..span }
    }
}

/// Whether a function is one of those that print, by its name.
fn prints(procedure: &Procedure) -> bool {
    procedure.display.as_ref().unwrap_or(&procedure.name).contains("printf")
}

//! Conditions on every initial heap, whatever the contract: references refer to objects of their types, no
//! object has fields that its class lacks, lengths are not negative.

use ir::{
    Clause, Expr, ExprId, FunctionId, GlobalId, LocalId, Op, Quantifier, StatementKind, Type,
    Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Body, Val};
use super::heap::HeapMap;
use super::sorts::Kind;
use super::{Lowering, ProcedureKey};
use crate::limits::ENVIRONMENT_ARRAY;
use crate::program::{ClassId, FieldId};
use crate::types::Ty;

/// The role of a state variable.
#[derive(Clone, Debug)]
enum GlobalRole {
    Field(FieldId),
    Map(HeapMap),
}

/// State variables and constants that a procedure may use.
#[derive(Clone, Default)]
struct UsedSymbols {
    globals: FxHashSet<GlobalId>,
    functions: FxHashSet<FunctionId>,
}

impl Lowering<'_> {
    /// Lets all procedures begin in a heap that Java could have made.
    pub(super) fn constrain_entries(&mut self) {
        let used = self.used();
        let called = self.called();
        let mut uses: FxHashMap<GlobalId, GlobalRole> = FxHashMap::default();
        uses.extend(self.fields.iter().map(|(field, global)| (*global, GlobalRole::Field(*field))));
        uses.extend(self.maps.iter().map(|(map, global)| (*global, GlobalRole::Map(map.clone()))));
        let mut keys: Vec<ProcedureKey> = self.procedures.keys().copied().collect();
        keys.sort_unstable();
        let texts = self.texts.iter().map(|(text, function)| (text.clone(), *function));
        let mut texts: Vec<(String, FunctionId)> = texts.collect();
        texts.sort_unstable();
        for key in keys {
            let id = self.procedures[&key];
            let procedure = self.module.procedures[id.0 as usize].clone();
            let method = self.program.method(key.method);
            let is_synthetic = super::procedure::is_synthetic(self.program, key, method);
            if procedure.blocks.is_none() || is_synthetic {
                continue;
            }
            let mut body = Body::new(self, key, procedure, true);
            let UsedSymbols { globals: used, functions } = &used[id.0 as usize];
            let mut globals: Vec<GlobalId> = used.iter().copied().collect();
            globals.sort_unstable();
            let (mut fields, mut arrays) = (Vec::new(), Vec::new());
            let mut conditions = Vec::new();
            for global in globals {
                match &uses[&global] {
                    GlobalRole::Field(field) => fields.push(*field),
                    GlobalRole::Map(HeapMap::Elements(sort, _)) => arrays.push((global, *sort)),
                    GlobalRole::Map(_) => {}
                }
                match &uses[&global] {
                    GlobalRole::Field(field) => {
                        conditions.extend(body.field_holds(*field));
                        conditions.extend(body.lengths_hold(*field));
                    }
                    GlobalRole::Map(map) => conditions.extend(body.map_holds(map)),
                }
            }
            conditions.extend(body.enumerations_hold(&fields));
            let texts: Vec<(String, FunctionId)> =
                texts.iter().filter(|(_, id)| functions.contains(id)).cloned().collect();
            conditions.extend(body.texts_hold(&texts, &|global| used.contains(&global)));
            conditions.extend(body.parameters_hold());
            if !method.spec.is_helper {
                conditions.extend(body.all_invariants(&called[id.0 as usize]));
            }
            let span = body.procedure.span;
            let clauses = conditions.into_iter().map(|condition| {
                let message = "what Java guarantees".to_owned();
                Clause { condition, free: true, message, span }
            });
            let clauses: Vec<Clause> = clauses.collect();
            body.procedure.contract.requires.splice(0..0, clauses);
            body.check_frame(&fields, &arrays);
            let procedure = body.procedure;
            self.module.procedures[id.0 as usize] = procedure;
        }
    }

    /// The classes with invariants whose methods each procedure may call, perhaps on objects that are neither
    /// its own nor its arguments.
    fn called(&self) -> Vec<Vec<ClassId>> {
        let program = self.program;
        let mut classes: Vec<Vec<ClassId>> = vec![Vec::new(); self.module.procedures.len()];
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); self.module.procedures.len()];
        for (number, procedure) in self.module.procedures.iter().enumerate() {
            procedure.callees().for_each(|id| callers[id.0 as usize].push(number));
        }
        for (key, id) in &self.procedures {
            let class = program.method(key.method).class;
            if !program.class(class).spec.restricts_objects() {
                continue;
            }
            let mut open = callers[id.0 as usize].clone();
            while let Some(caller) = open.pop() {
                if !classes[caller].contains(&class) {
                    classes[caller].push(class);
                    open.extend(&callers[caller]);
                }
            }
        }
        classes.iter_mut().for_each(|classes| classes.sort_unstable());
        classes
    }

    /// The symbols that each procedure and its callees may use.
    fn used(&self) -> Vec<UsedSymbols> {
        let mut used: Vec<UsedSymbols> = Vec::new();
        let mut calls: Vec<Vec<usize>> = Vec::new();
        for procedure in &self.module.procedures {
            let mut own = UsedSymbols::default();
            for number in 0..procedure.exprs.len() as u32 {
                match procedure.exprs.get(ExprId(number)) {
                    Expr::Read(Variable::Global(id)) => {
                        own.globals.insert(*id);
                    }
                    Expr::Apply(id, _) => {
                        own.functions.insert(*id);
                    }
                    _ => {}
                }
            }
            let mut callees = Vec::new();
            for statement in procedure.blocks.iter().flatten().flat_map(|block| &block.statements) {
                match &statement.kind {
                    StatementKind::Assign(pairs) => {
                        let globals = pairs.iter().filter_map(|(place, _)| match place.variable {
                            Variable::Global(id) => Some(id),
                            Variable::Local(_) => None,
                        });
                        own.globals.extend(globals);
                    }
                    StatementKind::Call { callee, .. } => {
                        callees.extend(callee.targets().into_iter().map(|id| id.0 as usize));
                    }
                    StatementKind::Havoc { .. }
                    | StatementKind::Assume { .. }
                    | StatementKind::Assert { .. }
                    | StatementKind::Allocate { .. }
                    | StatementKind::Free(_)
                    | StatementKind::Unsupported { .. } => {}
                }
            }
            used.push(own);
            calls.push(callees);
        }
        loop {
            let mut changed = false;
            for (number, callees) in calls.iter().enumerate() {
                for &callee in callees {
                    let UsedSymbols { globals, functions } = used[callee].clone();
                    let own = &mut used[number];
                    let before = own.globals.len() + own.functions.len();
                    own.globals.extend(globals);
                    own.functions.extend(functions);
                    changed |= own.globals.len() + own.functions.len() > before;
                }
            }
            if !changed {
                return used;
            }
        }
    }
}

impl Body<'_, '_> {
    /// Whether a reference is null or of its type; nothing if it always is.
    pub(super) fn is_typed(&mut self, value: ExprId, ty: &Ty) -> Option<ExprId> {
        self.class_of(value, ty)?;
        let is_null = self.is_null(value);
        let fits = self.is_instance(value, ty, ty);
        Some(self.or(is_null, fits))
    }

    pub(super) fn for_all(
        &mut self,
        sort: Type,
        holds: impl FnOnce(&mut Self, ExprId) -> Option<ExprId>,
    ) -> Option<ExprId> {
        let binder = self.procedure.exprs.bind("o", sort.clone());
        let object = self.push(Expr::Bound(binder), sort);
        let condition = holds(self, object)?;
        Some(self.push(Expr::Quantified(Quantifier::All, vec![binder], condition), Type::Bool))
    }

    fn field_holds(&mut self, field: FieldId) -> Vec<ExprId> {
        let program = self.cx.program;
        let declared = program.field(field);
        let ty = declared.ty.clone();
        if declared.is_static {
            return self.static_holds(field);
        }
        let owner = Ty::Class(declared.class, Vec::new());
        let sort = self.cx.vir(&owner);
        let is_reference = ty.is_reference();
        let is_strict = is_reference
            && match declared.nullable {
                Some(nullable) => !nullable,
                None => program.is_strict(declared.class) && declared.name != "this$0",
            };
        let all = self.for_all(sort, |body, object| {
            let value = body.field_value(field, object);
            let exists = body.exists(object, &owner);
            let vir = body.type_of(value);
            let nothing = body.default(&vir);
            let is_nothing = body.equal(value, nothing);
            let absent = body.or(exists, is_nothing);
            let mut conditions = vec![absent];
            if is_reference {
                conditions.extend(body.is_typed(value, &ty));
            }
            if is_strict {
                let has_value = body.not(is_nothing);
                conditions.push(body.implies(exists, has_value));
            }
            for initial in body.initial_holds(field, value).0 {
                conditions.push(body.implies(exists, initial));
            }
            Some(body.all_of(conditions))
        });
        all.into_iter().collect()
    }

    fn static_holds(&mut self, field: FieldId) -> Vec<ExprId> {
        let program = self.cx.program;
        let declared = program.field(field);
        let global = self.cx.field(field);
        let value = self.global(global);
        let (mut conditions, is_known) = self.initial_holds(field, value);
        if !is_known {
            self.cx.leave_unevaluated(global);
        }
        if declared.ty.is_reference() {
            conditions.extend(self.is_typed(value, &declared.ty));
            let is_strict = program.is_strict(declared.class) && declared.constant.is_none();
            if !declared.nullable.unwrap_or(!is_strict) {
                let is_null = self.is_null(value);
                conditions.push(self.not(is_null));
            }
        }
        conditions
    }

    fn map_holds(&mut self, map: &HeapMap) -> Vec<ExprId> {
        let global = self.cx.map(map.clone());
        match map {
            HeapMap::Class(sort) => {
                let null = self.null(Type::Sort(*sort));
                let classes = self.global(global);
                let class = self.select(classes, vec![null]);
                vec![self.is_nothing(class)]
            }
            HeapMap::Length(sort) => {
                let all = self.for_all(Type::Sort(*sort), |body, object| {
                    let lengths = body.global(global);
                    let length = body.select(lengths, vec![object]);
                    let (zero, most) = (body.word(32, 0), body.word(32, ENVIRONMENT_ARRAY));
                    let above = body.op(Op::BvSle, vec![zero, length], Type::Bool);
                    let below = body.op(Op::BvSle, vec![length, most], Type::Bool);
                    Some(body.and(above, below))
                });
                all.into_iter().collect()
            }
            HeapMap::Elements(sort, element) => self.elements_hold(global, *sort, element),
            HeapMap::Count(_) | HeapMap::Item(_) | HeapMap::Members(_) => {
                self.spec_map_holds(map, None)
            }
        }
    }

    /// Elements that are references are of the type that the arrays of the sort have.
    fn elements_hold(&mut self, global: GlobalId, sort: ir::SortId, element: &Type) -> Vec<ExprId> {
        let kinds = self.cx.groups[sort.0 as usize].kinds.clone();
        let found = kinds.iter().find_map(|kind| match kind {
            Kind::Array(ty) if self.cx.vir(ty) == *element && ty.is_reference() => Some(ty.clone()),
            _ => None,
        });
        let Some(ty) = found else { return Vec::new() };
        let binder = self.procedure.exprs.bind("i", Type::Bv(32));
        let index = self.push(Expr::Bound(binder), Type::Bv(32));
        let array = self.procedure.exprs.bind("a", Type::Sort(sort));
        let object = self.push(Expr::Bound(array), Type::Sort(sort));
        let map = self.global(global);
        let value = self.select(map, vec![object, index]);
        let Some(condition) = self.is_typed(value, &ty) else { return Vec::new() };
        let all = Expr::Quantified(Quantifier::All, vec![array, binder], condition);
        vec![self.push(all, Type::Bool)]
    }

    fn parameters_hold(&mut self) -> Vec<ExprId> {
        let program = self.cx.program;
        let method = program.method(self.key.method);
        let mut conditions = Vec::new();
        if let (Some(this), false) = (self.this, method.is_constructor) {
            let own = Ty::Class(self.class, Vec::new());
            let value = self.read(this);
            let is_null = self.is_null(value);
            conditions.push(self.not(is_null));
            // The method executes only for objects of classes that do not override it.
            if let Some(class_of_this) = self.class_of(value, &own) {
                let group = self.cx.group(&own).clone();
                let mut runs = Vec::new();
                for (position, kind) in group.classes.iter().enumerate() {
                    let Kind::Class(class) = kind else { continue };
                    if program.is_subclass(*class, self.class)
                        && program.implementation(*class, self.key.method) == self.key.method
                    {
                        let variant = self.cx.classes(group.sort);
                        let op = Op::IsConstructor(variant, position as u32 + 1);
                        runs.push(self.op(op, vec![class_of_this], Type::Bool));
                    }
                }
                conditions.push(self.any(runs));
            }
        }
        let outer = self.procedure.locals.iter().position(|local| local.name == "outer");
        if let (Some(outer), true) = (outer, method.is_constructor) {
            let value = self.read(LocalId(outer as u32));
            if let Type::Sort(_) = self.type_of(value) {
                let is_null = self.is_null(value);
                conditions.push(self.not(is_null));
            }
        }
        for (_, field) in
            program.class(self.class).captured.iter().filter(|_| method.is_constructor)
        {
            let captured = program.field(*field);
            let local = self.procedure.locals.iter().position(|local| local.name == captured.name);
            if let (Some(local), true) = (local, captured.ty.is_reference()) {
                let value = self.read(LocalId(local as u32));
                conditions.extend(self.is_typed(value, &captured.ty));
            }
        }
        for parameter in &method.parameters {
            if parameter.ty.is_reference()
                && let Some((local, ty)) = self.find(&parameter.name)
            {
                let value = Val { id: self.read(local), ty };
                conditions.extend(self.is_typed(value.id, &value.ty));
            }
        }
        conditions
    }
}

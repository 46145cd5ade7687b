//! Syntax to a module: the resolution of names and overloaded symbols.
//!
//! A declaration that does not resolve is left out, and uses of its name are not reported again. A statement
//! that does not resolve becomes `unsupported`, so that no execution gets past it.

mod body;
mod expression;
mod operator;
mod place;

use rustc_hash::{FxHashMap, FxHashSet};

use super::diagnostics::{Diagnostics, TextRange};
use super::syntax::{
    Annotation, ClauseSyntax, ContentSyntax, FunctionSyntax, ModuleSyntax, Name, ProcedureSyntax,
    TypeSyntax, VariableSyntax,
};
use crate::expr::{ExprId, Exprs};
use crate::module::{
    Axiom, Content, Function, FunctionId, Global, GlobalId, Module, Object, ProcedureId, SortId,
};
use crate::procedure::{Contract, Local, LocalId, Mode, Procedure};
use crate::span::{FileId, SourceFile, Span};
use crate::types::{RecordId, RecordType, Type, VariantId, VariantType};
use expression::{Expressions, Value};

/// Gives a syntax its meaning. The text's own file is the last one of the module, and there only if
/// a span or a diagnostic refers to it.
pub(super) fn resolve(
    path: &str,
    syntax: &ModuleSyntax<'_>,
    diagnostics: &mut Diagnostics,
) -> Module {
    let own = FileId(syntax.files.len() as u32);
    let mut resolver = Resolver {
        syntax,
        diagnostics,
        module: Module::default(),
        types: FxHashMap::default(),
        constructors: FxHashMap::default(),
        functions: FxHashMap::default(),
        globals: FxHashMap::default(),
        procedures: FxHashMap::default(),
        broken: syntax.broken.iter().map(|name| &**name).collect(),
        own,
        uses_own: false,
        values: vec![Value::Broken; syntax.nodes.len()],
    };
    resolver.declare_types();
    let functions = resolver.declare_functions();
    resolver.declare_globals();
    let procedures = resolver.declare_procedures();
    resolver.define(&functions);
    for (procedure, id) in procedures {
        resolver.procedure(procedure, id);
    }
    let mut module = resolver.module;
    module.files = syntax.files.iter().map(|path| SourceFile { path: path.clone() }).collect();
    if resolver.uses_own || !resolver.diagnostics.is_empty() {
        module.files.push(SourceFile { path: path.to_owned() });
    }
    module
}

#[derive(Clone, Copy)]
enum NamedType {
    Sort(SortId),
    Record(RecordId),
    Variant(VariantId),
}

struct Resolver<'a, 's, 'f> {
    syntax: &'a ModuleSyntax<'s>,
    diagnostics: &'f mut Diagnostics,
    module: Module,
    types: FxHashMap<&'a str, NamedType>,
    constructors: FxHashMap<&'a str, Vec<(VariantId, u32)>>,
    functions: FxHashMap<&'a str, FunctionId>,
    globals: FxHashMap<&'a str, GlobalId>,
    procedures: FxHashMap<&'a str, ProcedureId>,
    /// Names whose declarations have been reported.
    broken: FxHashSet<&'a str>,
    /// The file of the text itself.
    own: FileId,
    uses_own: bool,
    /// The values of the nodes of the syntax tree.
    values: Vec<Value>,
}

impl<'a, 's> Resolver<'a, 's, '_> {
    fn declare_types(&mut self) {
        let syntax = self.syntax;
        for name in &syntax.sorts {
            let id = SortId(self.module.sorts.len() as u32);
            if self.declare_type(name, NamedType::Sort(id)) {
                self.module.sorts.push(name.text.to_string());
            }
        }
        let mut records = Vec::new();
        for (name, fields) in &syntax.records {
            let id = RecordId(self.module.records.len() as u32);
            if self.declare_type(name, NamedType::Record(id)) {
                let record = RecordType { name: name.text.to_string(), fields: Vec::new() };
                self.module.records.push(record);
                records.push(fields);
            }
        }
        let mut variants = Vec::new();
        for (name, constructors) in &syntax.variants {
            let id = VariantId(self.module.variants.len() as u32);
            if self.declare_type(name, NamedType::Variant(id)) {
                let variant = VariantType { name: name.text.to_string(), constructors: Vec::new() };
                self.module.variants.push(variant);
                variants.push(constructors);
            }
        }
        for (index, fields) in records.into_iter().enumerate() {
            for (name, ty) in fields {
                if let Some(ty) = self.ty(ty) {
                    self.module.records[index].fields.push((name.text.to_string(), ty));
                }
            }
        }
        for (index, constructors) in variants.into_iter().enumerate() {
            for (name, types) in constructors {
                let Some(types) = types.iter().map(|ty| self.ty(ty)).collect() else {
                    self.broken.insert(&name.text);
                    continue;
                };
                let variant = &mut self.module.variants[index].constructors;
                let id = (VariantId(index as u32), variant.len() as u32);
                variant.push((name.text.to_string(), types));
                self.constructors.entry(&name.text).or_default().push(id);
            }
        }
    }

    fn declare_type(&mut self, name: &'a Name<'s>, named: NamedType) -> bool {
        let taken = self.types.contains_key(&*name.text);
        if taken {
            self.twice(name);
        } else {
            self.types.insert(&name.text, named);
        }
        !taken
    }

    fn twice(&mut self, name: &Name<'_>) {
        self.diagnostics.add(name.at, format!("`{}` is declared twice", name.text));
    }

    fn declare_functions(&mut self) -> Vec<&'a FunctionSyntax<'s>> {
        let mut declared = Vec::new();
        for function in &self.syntax.functions {
            let parameters = function
                .parameters
                .iter()
                .map(|(name, ty)| Some((name.text.to_string(), self.ty(ty)?)))
                .collect::<Vec<_>>();
            let result = self.ty(&function.result);
            if self.functions.contains_key(&*function.name.text) {
                self.twice(&function.name);
                continue;
            }
            let (Some(parameters), Some(result)) = (parameters.into_iter().collect(), result)
            else {
                self.broken.insert(&function.name.text);
                continue;
            };
            let id = FunctionId(self.module.functions.len() as u32);
            self.functions.insert(&function.name.text, id);
            let span = self.span(function.annotation, function.at);
            let name = function.name.text.to_string();
            let definition = None;
            self.module.functions.push(Function { name, parameters, result, definition, span });
            declared.push(function);
        }
        self.declare_objects();
        declared
    }

    fn declare_objects(&mut self) {
        let syntax = self.syntax;
        for function in &syntax.functions {
            let Some(object) = &function.object else { continue };
            let Some(&address) = self.functions.get(&*function.name.text) else { continue };
            let contents = object.contents.as_ref().map(|contents| {
                let parts = contents.iter().filter_map(|(offset, part)| match part {
                    ContentSyntax::Bytes(bytes) => Some((*offset, Content::Bytes(bytes.clone()))),
                    ContentSyntax::Address(name, distance) => {
                        match self.functions.get(&*name.text) {
                            Some(&to) => Some((*offset, Content::Address(to, *distance))),
                            None => {
                                self.unknown("object", name);
                                None
                            }
                        }
                    }
                });
                parts.collect()
            });
            let (size, constant) = (object.size, object.constant);
            let is_known = self.module.object_at(address).is_some();
            if !is_known {
                self.module.objects.push(Object { address, size, constant, contents });
            }
        }
    }

    fn declare_globals(&mut self) {
        for global in &self.syntax.globals {
            let name = &global.name;
            let taken = self.globals.contains_key(&*name.text);
            if taken || self.functions.contains_key(&*name.text) {
                self.twice(name);
                continue;
            }
            let Some(ty) = self.ty(&global.ty) else {
                self.broken.insert(&name.text);
                continue;
            };
            self.globals.insert(&name.text, GlobalId(self.module.globals.len() as u32));
            let span = self.span(global.annotation, global.at);
            self.module.globals.push(Global {
                name: name.text.to_string(),
                ty,
                ghost: global.ghost,
                display: global.display.clone(),
                span,
            });
        }
    }

    fn declare_procedures(&mut self) -> Vec<(&'a ProcedureSyntax<'s>, ProcedureId)> {
        let mut declared = Vec::new();
        for procedure in &self.syntax.procedures {
            let name = &procedure.name;
            if self.procedures.contains_key(&*name.text) {
                self.twice(name);
                continue;
            }
            let mut locals = Vec::new();
            let mut is_broken = false;
            let parameters = procedure.parameters.iter().map(|local| (local, Mode::Parameter));
            let results = procedure.results.iter().map(|local| (local, Mode::Result));
            for (local, mode) in parameters.chain(results) {
                match self.local(local, mode) {
                    Some(local) => locals.push(local),
                    None => is_broken = true,
                }
            }
            if is_broken {
                self.broken.insert(&name.text);
                continue;
            }
            let id = ProcedureId(self.module.procedures.len() as u32);
            self.procedures.insert(&name.text, id);
            let span = self.span(procedure.annotation, procedure.at);
            self.module.procedures.push(Procedure {
                name: name.text.to_string(),
                display: procedure.display.clone(),
                span,
                locals,
                exprs: Exprs::default(),
                contract: Contract::default(),
                blocks: None,
                points: procedure.annotation.point.map_or(0, |points| points.0),
                places: Vec::new(),
                forms: Vec::new(),
            });
            declared.push((procedure, id));
        }
        declared
    }

    fn local(&mut self, local: &VariableSyntax<'_>, mode: Mode) -> Option<Local> {
        let ty = self.ty(&local.ty)?;
        Some(Local { name: local.name.text.to_string(), ty, mode, display: local.display.clone() })
    }

    /// Definitions, axioms and invariants.
    fn define(&mut self, functions: &[&'a FunctionSyntax<'s>]) {
        for (index, function) in functions.iter().enumerate() {
            let Some(definition) = function.definition else { continue };
            let signature = self.module.functions[index].clone();
            let mut expressions = Expressions::new(self, &[], FxHashMap::default());
            for ((name, _), (_, ty)) in function.parameters.iter().zip(&signature.parameters) {
                expressions.bind(name, ty.clone());
            }
            if let Some(root) = expressions.value(definition, &signature.result) {
                let exprs = expressions.finish();
                self.module.functions[index].definition = Some((exprs, root));
            }
        }
        let syntax = self.syntax;
        for axiom in &syntax.axioms {
            let axiom = self.axiom(axiom);
            self.module.axioms.extend(axiom);
        }
        for invariant in &syntax.invariants {
            let invariant = self.axiom(invariant);
            self.module.invariants.extend(invariant);
        }
    }

    fn axiom(&mut self, clause: &'a ClauseSyntax) -> Option<Axiom> {
        let mut expressions = Expressions::new(self, &[], FxHashMap::default());
        let condition = expressions.value(clause.condition, &Type::Bool)?;
        let exprs = expressions.finish();
        Some(Axiom { exprs, condition, span: self.span(clause.annotation, clause.at) })
    }

    fn procedure(&mut self, syntax: &'a ProcedureSyntax<'s>, id: ProcedureId) {
        let mut locals = self.module.procedure(id).locals.clone();
        let mut names = FxHashMap::default();
        for (index, declared) in syntax.parameters.iter().chain(&syntax.results).enumerate() {
            if names.insert(&*declared.name.text, LocalId(index as u32)).is_some() {
                self.twice(&declared.name);
            }
        }
        for declared in syntax.body.iter().flat_map(|body| &body.variables) {
            let mode = if declared.ghost { Mode::Ghost } else { Mode::Local };
            let Some(local) = self.local(declared, mode) else {
                self.broken.insert(&declared.name.text);
                continue;
            };
            if names.insert(&declared.name.text, LocalId(locals.len() as u32)).is_some() {
                self.twice(&declared.name);
            }
            locals.push(local);
        }
        let points = self.module.procedure(id).points;
        let mut expressions = Expressions::new(self, &locals, names);
        let contract = expressions.contract(&syntax.contract);
        let (blocks, points) = match &syntax.body {
            Some(body) if !body.blocks.is_empty() => {
                let (blocks, points) = expressions.body(body, points);
                (Some(blocks), points)
            }
            Some(_) | None => (None, points),
        };
        let exprs = expressions.finish();
        let procedure = &mut self.module.procedures[id.0 as usize];
        procedure.exprs = exprs;
        procedure.contract = contract;
        procedure.blocks = blocks;
        procedure.points = points;
        procedure.locals = locals;
    }

    fn ty(&mut self, syntax: &TypeSyntax<'_>) -> Option<Type> {
        Some(match syntax {
            TypeSyntax::Bool => Type::Bool,
            TypeSyntax::Bv(width) => Type::Bv(*width),
            TypeSyntax::Int => Type::Int,
            TypeSyntax::Ptr => Type::Ptr,
            TypeSyntax::Bytes => Type::Bytes,
            TypeSyntax::Named(name) => match self.types.get(&*name.text) {
                Some(NamedType::Sort(id)) => Type::Sort(*id),
                Some(NamedType::Record(id)) => Type::Record(*id),
                Some(NamedType::Variant(id)) => Type::Variant(*id),
                None => {
                    self.unknown("type", name);
                    return None;
                }
            },
            TypeSyntax::Map(keys, value) => {
                let keys = keys.iter().map(|key| self.ty(key)).collect::<Option<_>>();
                let value = self.ty(value);
                Type::Map(keys?, Box::new(value?))
            }
            TypeSyntax::Seq(element) => Type::Seq(Box::new(self.ty(element)?)),
        })
    }

    /// Reports a name that means nothing, unless its declaration has been reported.
    fn unknown(&mut self, what: &str, name: &Name<'_>) {
        if !self.broken.contains(&*name.text) {
            self.diagnostics.add(name.at, format!("there is no {what} `{}`", name.text));
        }
    }

    /// The annotated place, or else the place in the text itself.
    fn span(&mut self, annotation: Annotation, at: TextRange) -> Span {
        self.uses_own |= annotation.span.is_none();
        annotation.span.unwrap_or(Span { file: self.own, start: at.start, end: at.end })
    }
}

/// A type as the text form writes it, for messages.
fn show(ty: &Type, module: &Module) -> String {
    ty.display(module).to_string()
}

/// The type of an expression of an arena, for messages.
fn show_type(exprs: &Exprs, id: ExprId, module: &Module) -> String {
    show(exprs.ty(id), module)
}

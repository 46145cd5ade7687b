//! Functions, constants, datatypes, axioms and globals.

use super::{Context, NamedValue, Resolver};
use crate::diagnostics::TextRange;
use crate::graph::circles;
use crate::parse::{has, text_of};
use crate::program::{Constructor, Function, FunctionKind, Global, Reference};
use crate::syntax::{ClauseSyntax, FunctionSyntax, Name, NodeId, TypeDeclarationKind};
use crate::types::{BOOL, Ty, TypeId};

impl<'a, 's> Resolver<'a, 's, '_> {
    /// Functions and constants, and what comes with datatypes.
    pub(super) fn declare_functions(&mut self) {
        self.declare_constructors();
        let syntax = self.syntax;
        for function in &syntax.functions {
            self.declare_function(function);
        }
    }

    fn add_function(&mut self, function: Function<'s>) -> bool {
        if self.function_names.contains_key(&function.name) {
            self.twice("functions", &function.name.clone(), function.at);
            return false;
        }
        self.function_names.insert(function.name.clone(), self.functions.len());
        self.functions.push(function);
        true
    }

    fn declare_function(&mut self, syntax: &FunctionSyntax<'s>) {
        let name = syntax.name;
        let rigid = self.enter_types(&syntax.type_parameters);
        let parameters: Vec<(Option<&'s str>, TypeId)> = syntax
            .parameters
            .iter()
            .map(|(name, ty)| (name.map(|name| name.text), self.ty(ty)))
            .collect();
        let result = self.ty(&syntax.result);
        self.leave_types(&syntax.type_parameters);
        let names: Vec<Name<'s>> = syntax.parameters.iter().filter_map(|(name, _)| *name).collect();
        self.distinct("parameters", &names);
        let types: Vec<TypeId> = parameters.iter().map(|(_, ty)| *ty).chain([result]).collect();
        self.must_occur(&syntax.type_parameters, &rigid, &types, "the parameters or the result");
        let builtin =
            text_of(&syntax.attributes, "bvbuiltin").or(text_of(&syntax.attributes, "builtin"));
        let mut function = Function {
            name: name.text.to_owned(),
            rigid,
            parameters,
            result,
            body: None,
            kind: FunctionKind::Plain,
            builtin,
            unique: syntax.constant.as_ref().is_some_and(|constant| constant.unique),
            at: syntax.at,
        };
        if let Some(constant) = &syntax.constant {
            if self.variable_names.contains_key(name.text) {
                self.twice("constants or variables", name.text, name.at);
                return;
            }
            if constant.is_ordered {
                self.diagnostics.note(name.at, "the partial order of constants is not modelled");
            }
            self.variable_names.insert(name.text, NamedValue::Constant(self.functions.len()));
            function.kind = FunctionKind::Constant;
            self.functions.push(function);
            return;
        }
        if has(&syntax.attributes, "constructor")
            && let Ty::Constructed(declared, _) = *self.types.get(result)
            && self.declared[declared].constructors.is_some()
        {
            self.old_constructor(declared, function, name);
            return;
        }
        function.at = TextRange { start: syntax.at.start, end: syntax.at.end };
        self.add_function(function);
    }

    /// The parents of constants: other constants of their type, each once.
    pub(super) fn parents(&mut self) {
        let syntax = self.syntax;
        for function in &syntax.functions {
            let Some(constant) = &function.constant else { continue };
            let own = match self.variable_names.get(function.name.text) {
                Some(NamedValue::Constant(index)) => self.functions[*index].result,
                Some(NamedValue::Global(_)) | None => continue,
            };
            self.distinct("parents", &constant.parents);
            for parent in &constant.parents {
                match self.variable_names.get(parent.text).copied() {
                    _ if parent.text == function.name.text => {
                        self.fault(parent.at, "a constant does not extend itself");
                    }
                    Some(NamedValue::Constant(index)) => {
                        self.begin();
                        self.equal(self.functions[index].result, own, parent.at);
                    }
                    Some(NamedValue::Global(_)) => {
                        self.fault(parent.at, format!("`{}` is no constant", parent.text));
                    }
                    None => self.unknown_variable(*parent),
                }
            }
        }
    }

    /// The attributes of declarations must resolve.
    pub(super) fn attributes(&mut self) {
        let syntax = self.syntax;
        self.context = Context::State;
        for argument in &syntax.attributes {
            self.begin();
            self.expression(*argument);
            self.finish();
        }
        self.context = Context::Nothing;
    }

    /// Functions that are to be expanded wherever they are used do not use themselves.
    pub(super) fn expansions(&mut self) {
        let syntax = self.syntax;
        let mut expanded = vec![None; self.functions.len()];
        for function in &syntax.functions {
            let is_expanded =
                has(&function.attributes, "inline") || has(&function.attributes, "define");
            if let Some(index) = self.function_names.get(function.name.text)
                && is_expanded
            {
                expanded[*index] = Some(function.name);
            }
        }
        let uses: Vec<Vec<usize>> = (0..self.functions.len())
            .map(|index| {
                let body = self.functions[index].body.filter(|_| expanded[index].is_some());
                let nodes = body.into_iter().flat_map(|body| body.first..=body.root);
                nodes
                    .filter_map(|node| match self.meaning.references[node as usize] {
                        Reference::Function(used) if expanded[used].is_some() => Some(used),
                        _ => None,
                    })
                    .collect()
            })
            .collect();
        let (_, circular) = circles(&uses);
        for (name, is_circular) in expanded.into_iter().zip(circular) {
            if let (Some(name), true) = (name, is_circular) {
                let message = format!("expanding `{}` leads back to it", name.text);
                self.fault(name.at, message);
            }
        }
    }

    /// A constructor in the old style, with the functions that it brings.
    fn old_constructor(&mut self, declared: usize, mut function: Function<'s>, name: Name<'s>) {
        // The datatype's own type parameters take the place of the constructor's.
        let arguments = match self.types.get(function.result) {
            Ty::Constructed(_, arguments) => arguments.clone(),
            _ => return,
        };
        let own = self.declared[declared].rigid.clone();
        let mut new = rustc_hash::FxHashMap::default();
        for (argument, own) in arguments.iter().zip(&own) {
            if let Ty::Rigid(number) = *self.types.get(*argument) {
                let own = self.types.intern(Ty::Rigid(*own));
                new.insert(number, own);
            }
        }
        let fields: Vec<(&'s str, TypeId)> = function
            .parameters
            .clone()
            .into_iter()
            .map(|(name, ty)| (name.unwrap_or(""), self.types.substitute(ty, &new)))
            .collect();
        let number = self.declared[declared].constructors.as_ref().map_or(0, Vec::len);
        function.kind = FunctionKind::Constructor(declared, number);
        function.rigid = own;
        function.parameters = fields.iter().map(|(name, ty)| (Some(*name), *ty)).collect();
        function.result = self.types.substitute(function.result, &new);
        let (result, at) = (function.result, name.at);
        if !self.add_function(function) {
            return;
        }
        self.companions(declared, number, name.text, &fields, result, at);
        let constructor = Constructor { name: name.text, fields };
        self.declared[declared].constructors.get_or_insert_default().push(constructor);
    }

    /// The test `is#C` and the selectors `f#C`.
    fn companions(
        &mut self,
        declared: usize,
        number: usize,
        constructor: &str,
        fields: &[(&'s str, TypeId)],
        whole: TypeId,
        at: TextRange,
    ) {
        let rigid = self.declared[declared].rigid.clone();
        let plain = |name: String, result, kind| Function {
            name,
            rigid: rigid.clone(),
            parameters: vec![(None, whole)],
            result,
            body: None,
            kind,
            builtin: None,
            unique: false,
            at,
        };
        let tester = FunctionKind::Tester(declared, number);
        self.add_function(plain(format!("is#{constructor}"), BOOL, tester));
        for (index, (field, ty)) in fields.iter().enumerate() {
            let selector = FunctionKind::Selector(declared, number, index);
            self.add_function(plain(format!("{field}#{constructor}"), *ty, selector));
        }
    }

    /// The constructors of datatypes in the new style.
    fn declare_constructors(&mut self) {
        let syntax = self.syntax;
        for declaration in &syntax.types {
            let TypeDeclarationKind::Datatype(constructors) = &declaration.kind else { continue };
            let Some(super::NamedType::Declared(declared, _)) =
                self.type_names.get(declaration.name.text).copied()
            else {
                continue;
            };
            let already = self.declared[declared].constructors.as_ref().map_or(0, Vec::len);
            if already > 0 {
                continue;
            }
            let rigid = self.declared[declared].rigid.clone();
            if rigid.len() != declaration.parameters.len() {
                continue;
            }
            self.enter_known_types(&declaration.parameters, &rigid);
            let own: Vec<TypeId> =
                rigid.iter().map(|number| self.types.intern(Ty::Rigid(*number))).collect();
            let result = self.types.intern(Ty::Constructed(declared, own.into()));
            for (name, fields) in constructors {
                let number = self.declared[declared].constructors.as_ref().map_or(0, Vec::len);
                let names: Vec<Name<'s>> = fields.iter().map(|field| field.name).collect();
                self.distinct("fields", &names);
                let fields: Vec<(&'s str, TypeId)> =
                    fields.iter().map(|field| (field.name.text, self.ty(&field.ty))).collect();
                if !self.shares_fields(declared, &fields, *name) {
                    self.broken.insert(name.text);
                    continue;
                }
                let is_new = self.add_function(Function {
                    name: name.text.to_owned(),
                    rigid: rigid.clone(),
                    parameters: fields.iter().map(|(name, ty)| (Some(*name), *ty)).collect(),
                    result,
                    body: None,
                    kind: FunctionKind::Constructor(declared, number),
                    builtin: None,
                    unique: false,
                    at: name.at,
                });
                if is_new {
                    let constructor = Constructor { name: name.text, fields };
                    self.declared[declared].constructors.get_or_insert_default().push(constructor);
                }
            }
            self.leave_types(&declaration.parameters);
        }
    }

    /// A field that several constructors have must have one type.
    fn shares_fields(
        &mut self,
        declared: usize,
        fields: &[(&'s str, TypeId)],
        name: Name<'s>,
    ) -> bool {
        let others = self.declared[declared].constructors.iter().flatten();
        let clash = others
            .flat_map(|constructor| &constructor.fields)
            .find(|(other, ty)| fields.iter().any(|(field, own)| field == other && own != ty));
        let Some((field, _)) = clash else { return true };
        let message = format!("the field `{field}` has another type in another constructor");
        self.fault(name.at, message);
        false
    }

    pub(super) fn declare_globals(&mut self) {
        let syntax = self.syntax;
        for global in &syntax.globals {
            let name = global.name;
            let ty = self.ty(&global.ty);
            if self.variable_names.contains_key(name.text) {
                self.twice("constants or variables", name.text, name.at);
                continue;
            }
            self.variable_names.insert(name.text, NamedValue::Global(self.globals.len()));
            if global.is_assumption {
                self.global_assumptions.insert(name.text);
            }
            self.globals.push(Global { name, ty, condition: None });
        }
    }

    /// The conditions of globals may mention all of them, so they come later.
    pub(super) fn global_conditions(&mut self) {
        let syntax = self.syntax;
        self.context = Context::State;
        let mut last: Option<(NodeId, bool)> = None;
        for global in &syntax.globals {
            let Some(condition) = global.condition else { continue };
            // Names that are declared together share their condition.
            let sound = match last {
                Some((root, sound)) if root == condition.root => sound,
                _ => self.soundly(|resolver| resolver.condition(condition)).1,
            };
            last = Some((condition.root, sound));
            if let Some(NamedValue::Global(index)) = self.variable_names.get(global.name.text)
                && sound
            {
                self.globals[*index].condition = Some(condition);
            }
        }
        self.context = Context::Nothing;
    }

    pub(super) fn function_bodies(&mut self) {
        let syntax = self.syntax;
        let mut seen = rustc_hash::FxHashSet::default();
        for function in &syntax.functions {
            let Some(body) = function.body else { continue };
            let Some(index) = self.function_names.get(function.name.text).copied() else {
                continue;
            };
            if !seen.insert(index) {
                continue;
            }
            let rigid = self.functions[index].rigid.clone();
            self.enter_known_types(&function.type_parameters, &rigid);
            // Parameters are bound by the function; its body knows them as its root's variables.
            let parameters = self.functions[index].parameters.clone();
            for (number, (name, ty)) in parameters.iter().enumerate() {
                if let Some(name) = name {
                    let scope = (body.root, number as u32, *ty);
                    self.bound.entry(name).or_default().push(scope);
                }
            }
            let result = self.functions[index].result;
            let (_, sound) = self.soundly(|resolver| {
                resolver.begin();
                resolver.expression(body);
                resolver.expect(body.root, result);
                resolver.finish();
            });
            for name in parameters.iter().filter_map(|(name, _)| *name) {
                if let Some(scopes) = self.bound.get_mut(name) {
                    scopes.pop();
                }
            }
            self.leave_types(&function.type_parameters);
            if sound {
                self.functions[index].body = Some(body);
            }
        }
    }

    pub(super) fn axioms(&mut self) -> Vec<&'a ClauseSyntax> {
        let syntax = self.syntax;
        let mut sound_axioms = Vec::new();
        for axiom in &syntax.axioms {
            let (_, sound) = self.soundly(|resolver| resolver.condition(axiom.condition));
            if sound {
                sound_axioms.push(axiom);
            }
        }
        sound_axioms
    }
}

//! Scopes of modules: what they are for, what they use, what they declare.

use std::rc::Rc;

use ir::Span;

use super::Elaborator;
use crate::library::is_theory;
use crate::scope::{InstanceObligation, Meaning, ProgramType, Scope};
use crate::syntax::{
    Exp, ExpKind, FacilityItem, Item, Name, Parameter, TypeExp, TypeKind, Unit, UnitKind,
};
use crate::term::{Term, TermKind};
use crate::types::Type;

/// The modules that every module imports implicitly.
const STANDARD: [&str; 4] =
    ["Boolean_Template", "Integer_Template", "Character_Template", "Char_Str_Template"];

impl Elaborator<'_> {
    /// The scope that every module imports implicitly.
    pub(crate) fn standard(&mut self) -> Scope {
        if let Some(known) = &self.known {
            return known.clone();
        }
        let mut scope = Scope::default();
        for name in STANDARD {
            let nowhere = crate::term::NOWHERE;
            if let Some(unit) = self.loader.find(name, nowhere, &mut self.diagnostics) {
                self.open.push(name.to_owned());
                self.declare(&unit, &[], &mut scope, None);
                self.open.pop();
            }
        }
        self.known = Some(scope.clone());
        scope
    }

    /// The scope of a module's own code.
    pub(crate) fn scope_of(&mut self, unit: &Unit) -> Scope {
        let mut scope = self.standard();
        self.open.push(unit.name.text.clone());
        for (around, _) in self.around(unit) {
            // Implicit imports are added once.
            if !STANDARD.contains(&around.name.text.as_str()) {
                self.declare(&around, &[], &mut scope, None);
            }
        }
        self.declare(unit, &[], &mut scope, None);
        self.open.pop();
        scope
    }

    /// The modules that a module belongs to, outermost first, with the reference.
    pub(crate) fn around(&mut self, unit: &Unit) -> Vec<(Rc<Unit>, Span)> {
        let mut around: Vec<(Rc<Unit>, Span)> = Vec::new();
        for name in unit.of.iter().rev() {
            let Some(found) = self.loader.find(&name.text, name.span, &mut self.diagnostics) else {
                self.missing(name, "module");
                continue;
            };
            // An enhancement names its concept itself.
            if found.kind == UnitKind::Enhancement
                && around.iter().all(|(other, _)| other.kind != UnitKind::Concept)
            {
                for outer in &found.of {
                    match self.loader.find(&outer.text, name.span, &mut self.diagnostics) {
                        Some(outer) => around.push((outer, name.span)),
                        None => self.missing(&Name { span: name.span, ..outer.clone() }, "concept"),
                    }
                }
            }
            if around.iter().all(|(other, _)| other.name.text != found.name.text) {
                around.push((found, name.span));
            }
        }
        around
    }

    fn missing(&mut self, name: &Name, what: &str) {
        self.diagnostics.error_with(
            name.span,
            format!("there is no {what} `{}`", name.text),
            "it is looked for beside the file, in the directories named with --library, and among what is bundled",
        );
    }

    /// Adds what a module declares to a scope, with arguments in the place of its parameters if there are
    /// some; `caller` is what the arguments mean something in.
    pub(crate) fn declare(
        &mut self,
        unit: &Unit,
        arguments: &[Exp],
        scope: &mut Scope,
        caller: Option<&Scope>,
    ) {
        self.parameters(unit, arguments, scope, caller);
        for name in &unit.uses {
            self.import(name, scope);
        }
        // Types come first, as definitions may mention them before they are declared.
        for item in &unit.items {
            if let Item::Model(item) = item {
                let model = self.math_type(&item.model, scope);
                scope.types.insert(
                    item.name.text.clone(),
                    Rc::new(ProgramType::plain(&item.name.text, model)),
                );
            }
        }
        // So do instances, whose names definitions use before them.
        let (instances, others): (Vec<&Item>, Vec<&Item>) =
            unit.items.iter().partition(|item| matches!(item, Item::Facility(_)));
        for item in instances.into_iter().chain(others) {
            self.item(item, scope);
        }
        if let Some(requires) = &unit.requires {
            let fact = self.formula(requires, scope, &Type::Bool);
            scope.facts.extend(fact.conjuncts().into_iter().cloned());
            if caller.is_some() {
                let module = unit.name.text.clone();
                let owed = InstanceObligation {
                    facility: None,
                    module,
                    condition: fact,
                    open: Vec::new(),
                };
                scope.owed.push(owed);
            }
        }
    }

    fn parameters(
        &mut self,
        unit: &Unit,
        arguments: &[Exp],
        scope: &mut Scope,
        caller: Option<&Scope>,
    ) {
        let mut given = arguments.iter();
        for parameter in &unit.parameters {
            match (parameter, caller) {
                (Parameter::Type(name), None) => {
                    let ty = self.parameter_type(&name.text, name.span);
                    scope.types.insert(name.text.clone(), Rc::new(ty));
                }
                (Parameter::Type(name), Some(caller)) => {
                    let ty = match given.next() {
                        Some(exp) => self.type_argument(exp, caller),
                        None => Rc::new(self.parameter_type(&name.text, name.span)),
                    };
                    scope.types.insert(name.text.clone(), ty);
                }
                (Parameter::Constant(names, written), _) => {
                    let ty = self.math_type(written, scope);
                    let declared = self.declared_type(written, scope);
                    for name in names {
                        let value = caller.and_then(|caller| {
                            let exp = given.next()?;
                            Some(self.formula(exp, caller, &ty))
                        });
                        // A parameter has a value of its type.
                        let own = Term {
                            kind: TermKind::Constant(name.text.clone()),
                            ty: ty.clone(),
                            span: name.span,
                        };
                        let constraints = declared.iter().flat_map(|declared| {
                            declared.constrains(value.as_ref().unwrap_or(&own))
                        });
                        for fact in constraints.collect::<Vec<_>>() {
                            scope.facts.extend(fact.conjuncts().into_iter().cloned());
                        }
                        let meaning =
                            value.map_or_else(|| Meaning::Constant(ty.clone()), Meaning::Is);
                        scope.values.insert(name.text.clone(), meaning);
                    }
                }
                (Parameter::Definition(definition), _) => {
                    let value = caller.and_then(|caller| {
                        let exp = given.next()?;
                        Some(self.term(exp, caller))
                    });
                    let from: Vec<Type> = definition
                        .parameters
                        .iter()
                        .map(|(_, ty)| self.math_type(ty, scope))
                        .collect();
                    let to = self.math_type(&definition.result, scope);
                    let ty = match from.is_empty() {
                        true => to,
                        false => Type::Function(from, Box::new(to)),
                    };
                    let meaning = value.map_or_else(|| Meaning::Constant(ty), Meaning::Is);
                    scope.values.insert(definition.name.text.clone(), meaning);
                }
                (Parameter::Operation(operation), _) => {
                    // An instance relies on what the parameter promises, whatever it is given.
                    given.next();
                    let contract = self.contract(operation, scope);
                    scope.add(contract);
                }
                (Parameter::Module(_), _) => {}
            }
        }
        if caller.is_some()
            && let Some(surplus) = given.next()
        {
            let message = format!("`{}` takes fewer arguments", unit.name.text);
            self.diagnostics.error(surplus.span, message);
        }
    }

    /// An argument that is a type: it is read as an expression first.
    fn type_argument(&mut self, exp: &Exp, scope: &Scope) -> Rc<ProgramType> {
        let name = |text: &str| Name { text: text.to_owned(), span: exp.span };
        let kind = match &exp.kind {
            ExpKind::Name(text) => TypeKind::Name(None, name(text)),
            ExpKind::Qualified(facility, ty) => TypeKind::Name(Some(facility.clone()), ty.clone()),
            ExpKind::Field(inner, ty) => match &inner.kind {
                ExpKind::Name(facility) => TypeKind::Name(Some(name(facility)), ty.clone()),
                _ => TypeKind::Name(None, ty.clone()),
            },
            _ => {
                self.diagnostics.error(exp.span, "expected a type");
                return Rc::new(ProgramType::plain("?", Type::Unknown));
            }
        };
        self.program_type(&TypeExp { kind, span: exp.span }, scope)
    }

    /// Adds what a module that is used has for its clients.
    fn import(&mut self, name: &Name, scope: &mut Scope) {
        if self.open.contains(&name.text) {
            let mut cycle = self.open.clone();
            cycle.push(name.text.clone());
            let from = cycle.iter().position(|other| *other == name.text).unwrap_or(0);
            let cycle = &cycle[from..];
            // Implicit imports may use each other.
            if cycle.iter().all(|other| !STANDARD.contains(&other.as_str())) {
                let message =
                    format!("modules use each other in a circle: {}", cycle.join(" uses "));
                self.diagnostics.error(name.span, message);
            }
            return;
        }
        let Some(unit) = self.loader.find(&name.text, name.span, &mut self.diagnostics) else {
            // It may be mathematics: missing names are reported where they are used.
            if !is_theory(&name.text, None) {
                let message =
                    format!("there is no module `{}`, so nothing is known of it", name.text);
                self.diagnostics.note(name.span, message);
            }
            return;
        };
        if is_theory(&name.text, Some(&unit)) || STANDARD.contains(&name.text.as_str()) {
            return;
        }
        self.open.push(name.text.clone());
        match unit.kind {
            UnitKind::Facility => self.declare(&unit, &[], scope, None),
            // A concept with parameters is named to be made an instance of.
            UnitKind::Concept if unit.parameters.is_empty() => {
                self.declare(&unit, &[], scope, None);
            }
            UnitKind::Concept
            | UnitKind::Enhancement
            | UnitKind::Realization
            | UnitKind::Theory
            | UnitKind::Code => {}
        }
        self.open.pop();
    }

    fn item(&mut self, item: &Item, scope: &mut Scope) {
        match item {
            Item::Model(item) => {
                let ty = self.modeled(item, scope);
                scope.types.insert(item.name.text.clone(), Rc::new(ty));
            }
            Item::Representation(item) => self.represented(item, scope),
            Item::Operation(operation, _) => {
                let contract = self.contract(operation, scope);
                scope.add(contract);
            }
            Item::Procedure(..) | Item::Code(_) => {}
            Item::Definition(definition) => self.define(definition, scope),
            Item::Facility(facility) => self.instantiate(facility, scope),
            Item::Variables(names, ty) => {
                let ty = self.program_type(ty, scope);
                for name in names {
                    scope.values.insert(name.text.clone(), Meaning::Variable(ty.clone()));
                    scope.shared.push(name.text.clone());
                }
            }
            Item::Unknowns(names, ty) => {
                // A name that is declared as a set is a type.
                let is_type = matches!(&ty.kind, TypeKind::Name(None, name) if name.text == "SSet");
                let ty = self.math_type(ty, scope);
                for name in names {
                    if is_type {
                        let ty = self.parameter_type(&name.text, name.span);
                        scope.types.insert(name.text.clone(), Rc::new(ty));
                    } else {
                        scope.values.insert(name.text.clone(), Meaning::Constant(ty.clone()));
                    }
                }
            }
            Item::Constraint(condition) => {
                let fact = self.formula(condition, scope, &Type::Bool);
                scope.facts.extend(fact.conjuncts().into_iter().cloned());
            }
            Item::Skipped(name) => {
                if matches!(name.text.as_str(), "convention" | "conventions" | "correspondence") {
                    scope.unrelated = Some(name.span);
                }
                self.diagnostics.note(name.span, format!("`{}` is read over", name.text));
            }
        }
    }

    /// Makes an instance of a concept and its enhancements.
    fn instantiate(&mut self, facility: &FacilityItem, scope: &mut Scope) {
        let Some(concept) =
            self.loader.find(&facility.concept.text, facility.concept.span, &mut self.diagnostics)
        else {
            return self.missing(&facility.concept, "concept");
        };
        if self.open.contains(&concept.name.text) && !STANDARD.contains(&concept.name.text.as_str())
        {
            let message = format!("`{}` is made of itself", concept.name.text);
            return self.diagnostics.error(facility.concept.span, message);
        }
        let before = self.standard();
        // Implicit imports are added once, under any name.
        if STANDARD.contains(&concept.name.text.as_str()) {
            return scope.adopt(before, &Scope::default(), &facility.name.text);
        }
        self.open.push(concept.name.text.clone());
        let mut inner = before.clone();
        self.declare(&concept, &facility.arguments, &mut inner, Some(scope));
        for (name, arguments) in &facility.enhancements {
            match self.loader.find(&name.text, name.span, &mut self.diagnostics) {
                Some(unit) => self.declare(&unit, arguments, &mut inner, Some(scope)),
                None => self.missing(name, "enhancement"),
            }
        }
        self.open.pop();
        // Requirements on the parameters are obligations once, at the instantiation, and assumptions
        // everywhere.
        for owed in inner.owed.drain(..) {
            let is_open = |one: &&Term| !scope.facts.contains(one);
            let open = owed.condition.conjuncts().into_iter().filter(is_open).cloned().collect();
            scope.owed.push(InstanceObligation {
                facility: Some(facility.name.clone()),
                open,
                ..owed
            });
        }
        scope.adopt(inner, &before, &facility.name.text);
    }
}

//! Operations and types as their clients know them.

use std::rc::Rc;

use super::Elaborator;
use crate::scope::{Contract, Formal, MathDefinition, Meaning, ProgramType, RealizedType, Scope};
use crate::syntax::{Model, Operation, Representation};
use crate::term::{Term, TermKind, TimePoint};
use crate::types::Type;

impl Elaborator<'_> {
    /// The contract of an operation.
    pub(crate) fn contract(&mut self, operation: &Operation, scope: &Scope) -> Contract {
        let mut inner = scope.clone();
        let mut parameters: Vec<Formal> = Vec::new();
        for parameter in &operation.parameters {
            let ty = self.program_type(&parameter.ty, scope);
            let name = parameter.name.text.clone();
            if parameters.iter().any(|other| other.name == name) {
                self.diagnostics
                    .error(parameter.name.span, format!("there are two parameters `{name}`"));
            }
            inner.values.insert(name.clone(), Meaning::Variable(ty.clone()));
            parameters.push(Formal { mode: parameter.mode, name, ty });
        }
        let name = operation.name.text.clone();
        let result = operation.result.as_ref().map(|ty| self.program_type(ty, scope));
        if let Some(ty) = &result {
            inner.values.insert(name.clone(), Meaning::Variable(ty.clone()));
        }
        let mut condition = |exp: &Option<crate::syntax::Exp>| {
            exp.as_ref().map(|exp| self.formula(exp, &inner, &Type::Bool))
        };
        let (requires, ensures) = (condition(&operation.requires), condition(&operation.ensures));
        let affects: Vec<String> = operation.affects.iter().map(|name| name.text.clone()).collect();
        Contract { name, parameters, result, affects, requires, ensures, span: operation.name.span }
    }

    /// The type that a concept declares.
    pub(crate) fn modeled(&mut self, item: &Model, scope: &Scope) -> ProgramType {
        let model = self.math_type(&item.model, scope);
        let name = item.name.text.clone();
        let exemplar = match &item.exemplar {
            Some(exemplar) => exemplar.text.clone(),
            None => name.chars().take(1).collect(),
        };
        let mut inner = scope.clone();
        let plain = Rc::new(ProgramType::plain(&name, model.clone()));
        // Definitions of the concept may mention the type by its name.
        inner.types.insert(name.clone(), plain.clone());
        inner.values.insert(exemplar.clone(), Meaning::Variable(plain));
        let mut condition = |exp: &Option<crate::syntax::Exp>| {
            exp.as_ref().map(|exp| self.formula(exp, &inner, &Type::Bool))
        };
        let (constraint, initial) = (condition(&item.constraint), condition(&item.initialization));
        let finalization = condition(&item.finalization);
        let constraint = constraint.filter(|condition| condition.kind != TermKind::Truth(true));
        let plain = ProgramType::plain(&name, model);
        ProgramType { exemplar, constraint, initial, finalization, ..plain }
    }

    /// A type as a realization represents it. From here on its name means the representation.
    pub(crate) fn represented(&mut self, item: &Representation, scope: &mut Scope) {
        let name = item.name.text.clone();
        let modeled = scope.types.get(&name).cloned();
        let own = self.program_type(&item.ty, scope);
        let exemplar = match &modeled {
            Some(modeled) => modeled.exemplar.clone(),
            None => name.chars().take(1).collect(),
        };
        let represented = Rc::new(ProgramType { name: name.clone(), ..(*own).clone() });
        let mut inner = scope.clone();
        inner.values.insert(exemplar.clone(), Meaning::Variable(represented.clone()));
        if let Some(modeled) = &modeled {
            inner.values.insert(format!("Conc.{exemplar}"), Meaning::Variable(modeled.clone()));
        }
        let mut condition = |exp: &Option<crate::syntax::Exp>| {
            exp.as_ref().map(|exp| self.formula(exp, &inner, &Type::Bool))
        };
        let convention = condition(&item.convention);
        let correspondence = condition(&item.correspondence);
        scope.types.insert(name.clone(), represented.clone());
        scope.realized.push(RealizedType {
            name,
            modeled,
            represented,
            exemplar,
            convention,
            correspondence,
            initialization: item.initialization.clone(),
            finalization: item.finalization.clone(),
            span: item.name.span,
        });
    }

    /// The type of a type parameter: its values have no structure, and its initial values are unknown.
    pub(crate) fn parameter_type(&mut self, name: &str, span: ir::Span) -> ProgramType {
        let model = Type::Atom(name.to_owned());
        let is_initial = format!("{name}.Is_Initial");
        let id = self.definitions.len();
        self.definitions.push(MathDefinition {
            name: is_initial.clone(),
            parameters: vec![("x".to_owned(), model.clone())],
            result: Type::Bool,
            body: None,
            holds: None,
            span,
        });
        let exemplar = Term::variable("x", TimePoint::Now, model.clone(), span);
        let kind = TermKind::Defined(id, is_initial, vec![exemplar]);
        let initial = Some(Term { kind, ty: Type::Bool, span });
        ProgramType { initial, ..ProgramType::plain(name, model) }
    }
}

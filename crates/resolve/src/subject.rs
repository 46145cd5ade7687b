//! The parts of a module to check: procedures, initial values of represented types, client code.

use std::rc::Rc;

use ir::Span;

use crate::elaborate::Elaborator;
use crate::scope::{Contract, Formal, Meaning, RealizedType, Scope};
use crate::syntax::{Item, Mode, Operation, Procedure, Unit, UnitKind};
use crate::term::{Term, TermKind, TimePoint};

/// Something to be checked.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(crate) role: Role,
    /// Its contract, in the names of its own parameters.
    pub(crate) contract: Contract,
    pub(crate) procedure: Procedure,
    pub(crate) span: Span,
}

/// The kinds of subjects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Procedure,
    /// The initial value of a type, by its name.
    Initialization(String),
    /// The finalization of a value of a type.
    Finalization,
    /// The obligations of an instance to its modules, by its name.
    Instance(String),
    Code,
}

/// The subjects of a module, in the order of the text.
pub(crate) fn subjects(
    elaborator: &mut Elaborator<'_>,
    unit: &Unit,
    scope: &Scope,
) -> Vec<Subject> {
    let mut subjects: Vec<Subject> = Vec::new();
    for owed in &scope.owed {
        // The obligations of an instance that another file makes are reported there.
        let Some(facility) =
            owed.facility.as_ref().filter(|name| name.span.file == unit.name.span.file)
        else {
            continue;
        };
        let role = Role::Instance(facility.text.clone());
        if subjects.iter().all(|other| other.role != role) {
            let contract = plain(&facility.text, facility.span);
            subjects.push(Subject {
                role,
                contract,
                procedure: empty(facility.span),
                span: facility.span,
            });
        }
    }
    for realized in scope.realized.iter().filter(|realized| realized.modeled.is_some()) {
        let procedure = realized.initialization.clone().unwrap_or_else(|| empty(realized.span));
        subjects.push(Subject {
            role: Role::Initialization(realized.name.clone()),
            contract: plain(&format!("{} initialization", realized.name), realized.span),
            span: realized.span,
            procedure,
        });
        subjects.extend(finalization(realized));
    }
    let mut done: Vec<String> = Vec::new();
    for item in &unit.items {
        match item {
            Item::Operation(operation, Some(procedure)) => {
                done.push(operation.name.text.clone());
                if let Some(contract) = find(scope, operation) {
                    subjects.push(procedural((*contract).clone(), procedure));
                }
            }
            Item::Procedure(head, procedure) => {
                done.push(head.name.text.clone());
                match find(scope, head) {
                    Some(contract) => {
                        let before = elaborator.diagnostics.errors();
                        let contract = renamed(elaborator, &contract, head, scope);
                        // With another head it is another operation.
                        if elaborator.diagnostics.errors() == before {
                            subjects.push(procedural(contract, procedure));
                        }
                    }
                    None => {
                        let message = format!(
                            "there is no operation `{}` to be done by this",
                            head.name.text
                        );
                        elaborator.diagnostics.error(head.name.span, message);
                    }
                }
            }
            Item::Code(statements) => subjects.push(code(unit, statements)),
            Item::Operation(_, None)
            | Item::Model(_)
            | Item::Representation(_)
            | Item::Definition(_)
            | Item::Facility(_)
            | Item::Variables(..)
            | Item::Unknowns(..)
            | Item::Constraint(_)
            | Item::Skipped(_) => {}
        }
    }
    report_missing(elaborator, unit, &done);
    subjects
}

/// An empty contract.
fn plain(name: &str, span: Span) -> Contract {
    Contract {
        name: name.to_owned(),
        parameters: Vec::new(),
        result: None,
        affects: Vec::new(),
        requires: None,
        ensures: None,
        span,
    }
}

/// The finalization of a type, if it has code or obligations: an operation that may leave any value behind,
/// so that its postcondition concerns the initial value.
fn finalization(realized: &RealizedType) -> Option<Subject> {
    let modeled = realized.modeled.clone()?;
    let promised = modeled.finalization.clone();
    let procedure = match (&realized.finalization, &promised) {
        (None, None) => return None,
        (Some(procedure), _) => procedure.clone(),
        (None, Some(_)) => empty(realized.span),
    };
    let name = realized.exemplar.clone();
    let ensures = promised.map(|term| {
        term.replace(&|term| match &term.kind {
            TermKind::Variable(own, TimePoint::Now) if *own == name => {
                Some(Term::variable(own, TimePoint::Old, term.ty.clone(), term.span))
            }
            _ => None,
        })
    });
    let parameters = vec![Formal { mode: Mode::Alters, name, ty: modeled }];
    let title = format!("{} finalization", realized.name);
    let contract = Contract { parameters, ensures, ..plain(&title, realized.span) };
    Some(Subject { role: Role::Finalization, contract, procedure, span: realized.span })
}

fn empty(span: Span) -> Procedure {
    Procedure { recursive: false, decreasing: None, variables: Vec::new(), body: Vec::new(), span }
}

fn procedural(contract: Contract, procedure: &Procedure) -> Subject {
    let span = Span { end: procedure.span.start + 1, ..procedure.span };
    Subject { role: Role::Procedure, contract, procedure: procedure.clone(), span }
}

fn code(unit: &Unit, statements: &[crate::syntax::Statement]) -> Subject {
    Subject {
        role: Role::Code,
        contract: plain(&unit.name.text, unit.name.span),
        procedure: Procedure { body: statements.to_vec(), ..empty(unit.name.span) },
        span: unit.name.span,
    }
}

/// The operation that a procedure is for.
fn find(scope: &Scope, head: &Operation) -> Option<Rc<Contract>> {
    let candidates = scope.operations.get(&head.name.text)?;
    let fits = |contract: &&Rc<Contract>| {
        contract.parameters.len() == head.parameters.len()
            && contract.parameters.iter().zip(&head.parameters).all(|(formal, own)| {
                let crate::syntax::TypeKind::Name(_, name) = &own.ty.kind else { return true };
                formal.ty.name == name.text
                    || scope.types.get(&name.text).is_some_and(|ty| ty.name == formal.ty.name)
            })
    };
    let exact = candidates.iter().find(fits);
    let same_length =
        || candidates.iter().find(|contract| contract.parameters.len() == head.parameters.len());
    exact.or_else(same_length).cloned()
}

/// A contract in the names of the procedure's own parameters.
fn renamed(
    elaborator: &mut Elaborator<'_>,
    contract: &Contract,
    head: &Operation,
    scope: &Scope,
) -> Contract {
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut parameters = Vec::new();
    for (formal, own) in contract.parameters.iter().zip(&head.parameters) {
        if formal.mode != own.mode && !compatible(formal.mode, own.mode) {
            let message =
                format!("`{}` has another mode where the operation is specified", own.name.text);
            elaborator.diagnostics.error(own.name.span, message);
        }
        let own_type = elaborator.program_type(&own.ty, scope);
        let is_represented = scope.realized.iter().any(|one| *one.represented == *own_type);
        if !is_represented && !own_type.model.agrees(&formal.ty.model) {
            let message =
                format!("`{}` has another type where the operation is specified", own.name.text);
            elaborator.diagnostics.error(own.name.span, message);
        }
        pairs.push((formal.name.clone(), own.name.text.clone()));
        parameters.push(Formal { name: own.name.text.clone(), ..formal.clone() });
    }
    let rename = |term: &Term| {
        term.replace(&|term| match &term.kind {
            TermKind::Variable(name, when) => {
                let (_, own) = pairs.iter().find(|(formal, _)| formal == name)?;
                Some(Term::variable(own, *when, term.ty.clone(), term.span))
            }
            _ => None,
        })
    };
    Contract {
        parameters,
        requires: contract.requires.as_ref().map(rename),
        ensures: contract.ensures.as_ref().map(rename),
        ..contract.clone()
    }
}

/// Whether a procedure may declare a mode for another one: both leave the argument alone.
fn compatible(specified: Mode, own: Mode) -> bool {
    !specified.changes() && !own.changes()
}

/// Notes operations that a realization leaves out.
fn report_missing(elaborator: &mut Elaborator<'_>, unit: &Unit, done: &[String]) {
    if unit.kind != UnitKind::Realization {
        return;
    }
    let Some((specified, at)) = elaborator.around(unit).pop() else { return };
    let mut missing: Vec<&str> = Vec::new();
    for item in &specified.items {
        if let Item::Operation(operation, None) = item
            && !done.contains(&operation.name.text)
        {
            missing.push(&operation.name.text);
        }
    }
    if !missing.is_empty() {
        let message = format!("there is no procedure for `{}`", missing.join("`, `"));
        elaborator.diagnostics.note(at, message);
    }
}

/// The variables that are in scope of a subject's code besides its own.
pub(crate) fn shared(scope: &Scope) -> Vec<(String, Rc<crate::scope::ProgramType>)> {
    let variable = |name: &String| match scope.values.get(name) {
        Some(Meaning::Variable(ty)) => Some((name.clone(), ty.clone())),
        _ => None,
    };
    scope.shared.iter().filter_map(variable).collect()
}

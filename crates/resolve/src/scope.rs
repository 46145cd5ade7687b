//! The meaning of names at some place: program types, values and operations, each with the specification that
//! a client may rely on, and without its realization.

use std::collections::BTreeMap;
use std::rc::Rc;

use ir::Span;

use crate::syntax::Mode;
use crate::term::{Term, TermKind, TimePoint};
use crate::types::Type;

/// A type of programs.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ProgramType {
    pub(crate) name: String,
    pub(crate) model: Type,
    /// The variable that constraint and initial values mention.
    pub(crate) exemplar: String,
    pub(crate) constraint: Option<Term>,
    /// The condition on a variable when it is declared.
    pub(crate) initial: Option<Term>,
    /// The condition on other variables when a variable is finalized.
    pub(crate) finalization: Option<Term>,
    /// The indices of an array, if it is one.
    pub(crate) indices: Option<(Term, Term)>,
    /// The program types of the fields of a record, and of the entries of an array.
    pub(crate) parts: Vec<Rc<ProgramType>>,
}

impl ProgramType {
    /// A type of which nothing is known but its model.
    pub(crate) fn plain(name: &str, model: Type) -> ProgramType {
        ProgramType {
            name: name.to_owned(),
            model,
            exemplar: "x".to_owned(),
            constraint: None,
            initial: None,
            finalization: None,
            indices: None,
            parts: Vec::new(),
        }
    }

    /// A condition on the exemplar, applied to a term.
    fn about(&self, condition: &Term, of: &Term) -> Term {
        condition.replace(&|term| match &term.kind {
            TermKind::Variable(name, TimePoint::Now) if *name == self.exemplar => Some(of.clone()),
            _ => None,
        })
    }

    /// The constraint of every value of the type.
    pub(crate) fn constrains(&self, value: &Term) -> Vec<Term> {
        let own = self.constraint.iter().map(|condition| self.about(condition, value));
        let mut all: Vec<Term> = own.collect();
        if let (Type::Product(fields), true) = (&self.model, self.indices.is_none()) {
            for (number, (part, field)) in self.parts.iter().zip(fields).enumerate() {
                let kind = TermKind::Field(Box::new(value.clone()), number);
                let term = Term { kind, ty: field.1.clone(), span: value.span };
                all.extend(part.constrains(&term));
            }
        }
        all
    }

    /// The condition on a value when its variable is declared.
    pub(crate) fn begins(&self, value: &Term) -> Vec<Term> {
        if let Some(initial) = &self.initial {
            return vec![self.about(initial, value)];
        }
        let mut all = Vec::new();
        if let (Type::Product(fields), true) = (&self.model, self.indices.is_none()) {
            for (number, (part, field)) in self.parts.iter().zip(fields).enumerate() {
                let kind = TermKind::Field(Box::new(value.clone()), number);
                let term = Term { kind, ty: field.1.clone(), span: value.span };
                all.extend(part.begins(&term));
            }
        }
        all
    }
}

/// An operation as its clients know it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Contract {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Formal>,
    pub(crate) result: Option<Rc<ProgramType>>,
    /// The shared variables that it may change.
    pub(crate) affects: Vec<String>,
    pub(crate) requires: Option<Term>,
    pub(crate) ensures: Option<Term>,
    pub(crate) span: Span,
}

/// A parameter of an operation.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Formal {
    pub(crate) mode: Mode,
    pub(crate) name: String,
    pub(crate) ty: Rc<ProgramType>,
}

/// The meaning of a mathematical name.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Meaning {
    /// A constant whose value is open.
    Constant(Type),
    /// A term.
    Is(Term),
    /// A definition, by number.
    Defined(usize),
    /// A variable, of a procedure or shared.
    Variable(Rc<ProgramType>),
    /// The abstract value of a realized type, as in `Conc.S`.
    Bound(Type),
}

/// A mathematical definition.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct MathDefinition {
    pub(crate) name: String,
    pub(crate) parameters: Vec<(String, Type)>,
    pub(crate) result: Type,
    /// Its body, if it is known.
    pub(crate) body: Option<Term>,
    /// The condition on its values, if only that is known.
    pub(crate) holds: Option<Term>,
    pub(crate) span: Span,
}

/// A type that a concept models and a realization represents.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct RealizedType {
    pub(crate) name: String,
    /// As clients know it, if it is the type of a concept.
    pub(crate) modeled: Option<Rc<ProgramType>>,
    pub(crate) represented: Rc<ProgramType>,
    /// The variable that the conditions mention.
    pub(crate) exemplar: String,
    /// The convention (representation invariant).
    pub(crate) convention: Option<Term>,
    /// The correspondence (abstraction relation): a condition on the representation and on `Conc.` with the
    /// exemplar's name.
    pub(crate) correspondence: Option<Term>,
    /// The code that executes when a variable is declared.
    pub(crate) initialization: Option<crate::syntax::Procedure>,
    /// The code that executes when a variable is finalized.
    pub(crate) finalization: Option<crate::syntax::Procedure>,
    pub(crate) span: Span,
}

/// The obligations of an instantiation of a module.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct InstanceObligation {
    /// The instance; none while the module is checked by itself.
    pub(crate) facility: Option<crate::syntax::Name>,
    /// The module whose `requires` it is.
    pub(crate) module: String,
    pub(crate) condition: Term,
    /// The conjuncts that no other fact implies.
    pub(crate) open: Vec<Term>,
}

/// The meaning of names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub(crate) types: BTreeMap<String, Rc<ProgramType>>,
    pub(crate) values: BTreeMap<String, Meaning>,
    pub(crate) operations: BTreeMap<String, Vec<Rc<Contract>>>,
    /// The variables that operations share, in order.
    pub(crate) shared: Vec<String>,
    /// Facts about constants and definitions.
    pub(crate) facts: Vec<Term>,
    /// The obligations of the instances that are made here, in their order. The facts contain them too.
    pub(crate) owed: Vec<InstanceObligation>,
    /// The location of the abstraction of the module as a whole, which is not modelled.
    pub(crate) unrelated: Option<Span>,
    /// The types that this module represents.
    pub(crate) realized: Vec<RealizedType>,
}

impl Scope {
    /// Takes over what another scope declares beyond what was there before, under its own names and with
    /// the name of a facility before them.
    pub(crate) fn adopt(&mut self, other: Scope, before: &Scope, facility: &str) {
        for (name, ty) in other.types {
            if before.types.get(&name) != Some(&ty) {
                self.types.insert(format!("{facility}::{name}"), ty.clone());
                self.types.insert(name, ty);
            }
        }
        for (name, meaning) in other.values {
            if before.values.get(&name) != Some(&meaning) {
                self.values.insert(format!("{facility}::{name}"), meaning.clone());
                self.values.entry(name).or_insert(meaning);
            }
        }
        for (name, contracts) in other.operations {
            for contract in contracts {
                if !before.operations.get(&name).is_some_and(|known| known.contains(&contract)) {
                    let qualified = format!("{facility}::{name}");
                    self.operations.entry(qualified).or_default().push(contract.clone());
                    let all = self.operations.entry(name.clone()).or_default();
                    if !all.contains(&contract) {
                        all.push(contract);
                    }
                }
            }
        }
        for name in other.shared {
            if !self.shared.contains(&name) {
                self.shared.push(name);
            }
        }
        for fact in other.facts {
            if !self.facts.contains(&fact) {
                self.facts.push(fact);
            }
        }
    }

    /// Adds an operation, in place of one with the same name and parameters.
    pub(crate) fn add(&mut self, contract: Contract) {
        let all = self.operations.entry(contract.name.clone()).or_default();
        let models = |contract: &Contract| -> Vec<String> {
            contract.parameters.iter().map(|formal| formal.ty.name.clone()).collect()
        };
        all.retain(|other| models(other) != models(&contract));
        all.insert(0, Rc::new(contract));
    }
}

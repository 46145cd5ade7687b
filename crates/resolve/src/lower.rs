//! From tables to VIR: every row becomes assignments, assumptions and assertions, so that an execution of the
//! procedure is an assignment of values to the variables of all states (Sitaraman et al. 2003, §4.2).
//!
//! Each variable in each state is a variable of VIR. What a row leaves open is havocked; every confirm cell
//! is a side exit of the execution, on which its conjuncts are asserted one after the other, so that one
//! error hypothesis does not depend on another. Mathematics becomes operators and quantifiers of VIR.

mod body;
mod determined;
mod induction;
mod procedure;
mod quantify;
mod range;
mod term;
mod theory;
mod types;
mod uses;

use std::collections::BTreeMap;

use ir::{Axiom, Exprs, Function, FunctionId, Module, Span};

use crate::scope::MathDefinition;
use crate::table::Table;
use crate::term::{Term, TermKind};
use crate::types::Type;

/// Why a term has no meaning in VIR.
pub(crate) type Unsupported = String;

/// The state of lowering.
pub(crate) struct Lowerer {
    pub(crate) module: Module,
    /// The definitions of the modules, and those that are made of them here.
    definitions: Vec<MathDefinition>,
    /// For definitions that use themselves, the condition that a value is determined.
    determined: BTreeMap<usize, usize>,
    /// How many definitions deep it is looked for such conditions.
    depth: u32,
    /// The definitions that are being lowered, to detect cycles.
    defining: Vec<usize>,
    records: BTreeMap<Type, ir::RecordId>,
    functions: BTreeMap<usize, Result<FunctionId, Unsupported>>,
    constants: BTreeMap<String, FunctionId>,
}

/// Lowers tables to a module, and notes in the tables which assertions their obligations have become.
pub(crate) fn lower(
    tables: &mut [Table],
    definitions: &[MathDefinition],
    files: Vec<ir::SourceFile>,
) -> Module {
    let module = Module { files, notation: ir::Notation::Mathematics, ..Module::default() };
    let mut lowerer = Lowerer {
        module,
        definitions: definitions.to_vec(),
        records: BTreeMap::new(),
        functions: BTreeMap::new(),
        constants: BTreeMap::new(),
        determined: BTreeMap::new(),
        depth: 0,
        defining: Vec::new(),
    };
    for table in tables {
        for (row, number, point) in lowerer.procedure(table) {
            table.rows[row].confirm[number].point = Some(point);
        }
    }
    lowerer.module
}

impl Lowerer {
    fn axiom(&mut self, fact: &Term) {
        let mut exprs = Exprs::default();
        let lowered = self.term(fact, &Type::Bool, &mut term::Place::closed(&mut exprs));
        // An unsupported fact is reported at its place; it is not assumed.
        if let Ok(condition) = lowered {
            self.module.axioms.push(Axiom { exprs, condition, span: fact.span });
        }
    }

    /// The function of VIR that a constant is.
    pub(crate) fn constant(
        &mut self,
        name: &str,
        ty: &Type,
        span: Span,
    ) -> Result<FunctionId, Unsupported> {
        let key = format!("{name}: {ty}");
        if let Some(known) = self.constants.get(&key) {
            return Ok(*known);
        }
        let result = self.ty(ty)?;
        let id = self.declare(name, Vec::new(), result, span);
        self.constants.insert(key, id);
        if *ty == Type::Nat {
            let value = Term { kind: TermKind::Constant(name.to_owned()), ty: Type::Nat, span };
            self.axiom(&quantify::natural(&value));
        }
        Ok(id)
    }

    /// Adds a function without a definition, under a name of its own.
    fn declare(
        &mut self,
        name: &str,
        parameters: Vec<(String, ir::Type)>,
        result: ir::Type,
        span: Span,
    ) -> FunctionId {
        let taken = |name: &str| self.module.functions.iter().any(|function| function.name == name);
        let mut own = name.to_owned();
        let mut number = 2;
        while taken(&own) {
            own = format!("{name}#{number}");
            number += 1;
        }
        self.module.functions.push(Function {
            name: own,
            parameters,
            result,
            definition: None,
            span,
        });
        FunctionId(self.module.functions.len() as u32 - 1)
    }

    /// The function of VIR that a definition is.
    pub(crate) fn defined(&mut self, id: usize) -> Result<FunctionId, Unsupported> {
        if let Some(known) = self.functions.get(&id) {
            return known.clone();
        }
        let function = self.define(id);
        self.functions.insert(id, function.clone());
        function
    }

    fn define(&mut self, id: usize) -> Result<FunctionId, Unsupported> {
        if self.defining.contains(&id) {
            return Err(format!("`{}`, which is defined in a circle", self.definitions[id].name));
        }
        self.defining.push(id);
        let function = self.define_once(id);
        self.defining.pop();
        function
    }

    fn define_once(&mut self, id: usize) -> Result<FunctionId, Unsupported> {
        self.unfold(id);
        let defined = self.definitions[id].clone();
        let mut parameters = Vec::new();
        for (name, ty) in &defined.parameters {
            parameters.push((name.clone(), self.ty(ty)?));
        }
        let result = match &defined.result {
            Type::Unknown => return Err(format!("the type of `{}`", defined.name)),
            known => self.ty(known)?,
        };
        let function = self.declare(&defined.name, parameters.clone(), result, defined.span);
        let Some(body) = &defined.body else { return Ok(function) };
        let mut exprs = Exprs::default();
        let mut place = term::Place::closed(&mut exprs);
        for ((name, ty), (_, lowered)) in defined.parameters.iter().zip(&parameters) {
            let binder = place.exprs.bind(name.clone(), lowered.clone());
            place.bound.push((name.clone(), binder, ty.clone()));
        }
        let body = self.term(body, &defined.result, &mut place);
        self.module.functions[function.0 as usize].definition = Some((exprs, body?));
        Ok(function)
    }
}

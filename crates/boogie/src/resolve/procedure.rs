//! Procedures: signatures, contracts, and implementations that must fit them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Context, NamedValue, Resolver};
use crate::diagnostics::TextRange;
use crate::program::{Body, Procedure};
use crate::syntax::{
    BodySyntax, ExprSyntax, Name, ProcedureSyntax, SignatureSyntax, VariableSyntax,
};
use crate::types::{Ty, TypeId};

impl<'a, 's> Resolver<'a, 's, '_> {
    pub(super) fn declare_procedures(&mut self) {
        let syntax = self.syntax;
        for procedure in &syntax.procedures {
            let name = procedure.signature.name;
            if self.procedure_names.contains_key(name.text) {
                self.twice("procedures", name.text, name.at);
                continue;
            }
            let signature = &procedure.signature;
            let ((rigid, parameters, results), sound) = self.soundly(|resolver| {
                let rigid = resolver.enter_types(&signature.type_parameters);
                let (parameters, results) = resolver.formals(signature);
                resolver.leave_types(&signature.type_parameters);
                (rigid, parameters, results)
            });
            let types: Vec<TypeId> = parameters.iter().chain(&results).copied().collect();
            let what = "the parameters or the results";
            self.must_occur(&signature.type_parameters, &rigid, &types, what);
            let modifies = self.modified(procedure);
            self.procedure_names.insert(name.text, self.procedures.len());
            self.procedures.push(Procedure {
                syntax: procedure,
                rigid,
                parameters,
                results,
                modifies,
                bodies: Vec::new(),
                is_broken: !sound,
                contract_is_broken: false,
            });
        }
    }

    fn formals(&mut self, signature: &SignatureSyntax<'s>) -> (Vec<TypeId>, Vec<TypeId>) {
        let mut types = |variables: &[VariableSyntax<'s>]| -> Vec<TypeId> {
            variables.iter().map(|variable| self.ty(&variable.ty)).collect()
        };
        (types(&signature.parameters), types(&signature.results))
    }

    fn modified(&mut self, procedure: &ProcedureSyntax<'s>) -> Vec<usize> {
        let mut modifies = Vec::new();
        let mut seen = FxHashSet::default();
        for name in &procedure.modifies {
            match self.variable_names.get(name.text) {
                Some(NamedValue::Global(index)) => {
                    if seen.insert(*index) {
                        modifies.push(*index);
                    }
                }
                Some(NamedValue::Constant(_)) => {
                    self.fault(name.at, format!("`{}` is a constant", name.text));
                }
                None => self.unknown_variable(*name),
            }
        }
        modifies
    }

    pub(super) fn procedure_bodies(&mut self) {
        let mut declared = FxHashSet::default();
        let syntax = self.syntax;
        for procedure in &syntax.procedures {
            let name = procedure.signature.name.text;
            if !declared.insert(name) {
                continue;
            }
            let index = self.procedure_names[name];
            self.contract(index);
            if let Some(body) = &procedure.body {
                let rigid = self.procedures[index].rigid.clone();
                self.body(index, &procedure.signature, &rigid, body, procedure.at);
            }
        }
        for implementation in &syntax.implementations {
            let signature = &implementation.signature;
            let name = signature.name;
            let Some(index) = self.procedure_names.get(name.text).copied() else {
                let names: Vec<&'s str> = self.procedure_names.keys().copied().collect();
                self.unknown("procedure", name.text, name.at, names.into_iter());
                continue;
            };
            if let Some(rigid) = self.fits(index, signature) {
                self.body(index, signature, &rigid, &implementation.body, implementation.at);
            }
        }
    }

    /// The type parameters of the procedure for those of an implementation, if the implementation has the
    /// types of the procedure. They may be in another order.
    fn fits(&mut self, index: usize, signature: &SignatureSyntax<'s>) -> Option<Vec<u32>> {
        let name = signature.name;
        let rigid = self.procedures[index].rigid.clone();
        if rigid.len() != signature.type_parameters.len() {
            let message = format!("the procedure has {} type parameters", rigid.len());
            self.fault(name.at, message);
            return None;
        }
        self.begin();
        let open: Vec<TypeId> =
            rigid.iter().map(|_| self.unifier.new_open(&mut self.types)).collect();
        for (name, open) in signature.type_parameters.iter().zip(&open) {
            self.type_scope.entry(name.text).or_default().push(*open);
        }
        let (parameters, results) = self.formals(signature);
        self.leave_types(&signature.type_parameters);
        let declared = &self.procedures[index];
        let (wanted_parameters, wanted_results) =
            (declared.parameters.clone(), declared.results.clone());
        let sides = [
            ("parameters", parameters, wanted_parameters, &signature.parameters),
            ("results", results, wanted_results, &signature.results),
        ];
        let mut all = true;
        for (what, found, wanted, variables) in sides {
            if found.len() != wanted.len() {
                let message =
                    format!("the procedure has {} {what}, not {}", wanted.len(), found.len());
                self.fault(name.at, message);
                all = false;
                continue;
            }
            for ((found, wanted), variable) in found.iter().zip(&wanted).zip(variables) {
                all &= self.equal(*found, *wanted, variable.name.at);
            }
        }
        let mut chosen = Vec::new();
        for open in open {
            let ty = self.closed(open);
            match self.types.get(ty) {
                Ty::Rigid(number) if rigid.contains(number) && !chosen.contains(number) => {
                    chosen.push(*number);
                }
                _ => {
                    if all {
                        let message = "the type parameters do not fit those of the procedure";
                        self.fault(name.at, message);
                    }
                    return None;
                }
            }
        }
        all.then_some(chosen)
    }

    /// Makes the variables of a signature known.
    fn enter_formals(&mut self, names: &[Name<'s>], types: &[TypeId]) {
        for (name, ty) in names.iter().zip(types) {
            if self.locals.contains_key(name.text) {
                self.twice("variables", name.text, name.at);
            }
            self.locals.insert(name.text, self.local_types.len());
            self.local_types.push(*ty);
        }
    }

    fn leave_procedure(&mut self) {
        self.locals = FxHashMap::default();
        self.local_types = Vec::new();
        self.local_assumptions = FxHashSet::default();
        self.gathered.retain(|(local, _)| local.is_none());
        self.context = Context::Nothing;
    }

    fn contract(&mut self, index: usize) {
        let procedure = &self.procedures[index];
        let syntax = procedure.syntax;
        let rigid = procedure.rigid.clone();
        let (parameters, results) = (procedure.parameters.clone(), procedure.results.clone());
        self.enter_known_types(&syntax.signature.type_parameters, &rigid);
        let (_, sound) = self.soundly(|resolver| {
            resolver.context = Context::State;
            resolver.enter_formals(&names(&syntax.signature.parameters), &parameters);
            resolver.conditions(&syntax.signature.parameters);
            for clause in &syntax.requires {
                resolver.condition(clause.condition);
            }
            resolver.enter_formals(&names(&syntax.signature.results), &results);
            resolver.conditions(&syntax.signature.results);
            resolver.context = Context::TwoStates;
            for clause in &syntax.ensures {
                resolver.condition(clause.condition);
            }
        });
        self.leave_types(&syntax.signature.type_parameters);
        self.leave_procedure();
        self.procedures[index].contract_is_broken = !sound;
    }

    /// The conditions of variables; those declared together share theirs.
    fn conditions(&mut self, variables: &[VariableSyntax<'s>]) {
        for condition in distinct_conditions(variables) {
            self.condition(condition);
        }
    }

    fn body(
        &mut self,
        index: usize,
        signature: &'a SignatureSyntax<'s>,
        rigid: &[u32],
        syntax: &'a BodySyntax<'s>,
        at: TextRange,
    ) {
        let procedure = &self.procedures[index];
        let (parameters, results) = (procedure.parameters.clone(), procedure.results.clone());
        self.enter_known_types(&signature.type_parameters, rigid);
        let (locals, sound) = self.soundly(|resolver| {
            // Names that are declared twice have been reported with the contract, if these are
            // the same ones.
            resolver.enter_formals(&names(&signature.parameters), &parameters);
            resolver.constants = resolver.local_types.len();
            resolver.enter_formals(&names(&signature.results), &results);
            let locals: Vec<TypeId> =
                syntax.locals.iter().map(|local| resolver.ty(&local.ty)).collect();
            resolver.enter_formals(&names(&syntax.locals), &locals);
            let assumptions = syntax.locals.iter().filter(|local| local.is_assumption);
            resolver.local_assumptions.extend(assumptions.map(|local| local.name.text));
            resolver.context = Context::State;
            resolver.conditions(&syntax.locals);
            resolver.context = Context::TwoStates;
            resolver.statements(index, syntax);
            locals
        });
        self.leave_types(&signature.type_parameters);
        self.leave_procedure();
        if sound && !self.procedures[index].is_broken {
            self.procedures[index].bodies.push(Body { syntax, signature, locals, at });
        }
    }
}

fn names<'s>(variables: &[VariableSyntax<'s>]) -> Vec<Name<'s>> {
    variables.iter().map(|variable| variable.name).collect()
}

/// The conditions of variables, each once.
pub(crate) fn distinct_conditions(variables: &[VariableSyntax<'_>]) -> Vec<ExprSyntax> {
    let mut conditions: Vec<ExprSyntax> =
        variables.iter().filter_map(|variable| variable.condition).collect();
    conditions.dedup_by_key(|condition| condition.root);
    conditions
}

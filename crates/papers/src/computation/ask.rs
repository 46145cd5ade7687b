//! Asking for a model of `Pre ∧ Code ∧ ¬Post` within a scope (§3.9).
//!
//! The scope bounds the number of objects of each class. Numbers are atoms in a fixed order, as many as there
//! are numbers in the initial state, so that comparisons lose nothing. Every model stays one if the edges
//! that its path does not pass are not traversed; models are sought in this form, so that they read as a
//! path.

use std::collections::BTreeMap;
use std::time::Duration;

use java::subset::{NUMBERS, RESULT};
use relational::{Bounds, Error, Expr, Finder, Logic, Options, TupleSet, Universe};

use crate::computation::extract::{Extract, primed};
use crate::computation::model::Model;
use crate::computation::nulls::{NULL_DEREFS, Nulls, VARIABLES, atom};
use crate::computation::translate::Names;

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckResult {
    /// An execution that breaks the specification.
    Model(Box<Model>),
    /// There is none in the scope.
    None,
    /// The solver gave up; why.
    Unknown(String),
}

/// The size of a problem and the time it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProblemSize {
    /// The bits that encode the sets and relations.
    pub bits: usize,
    /// The variables that the solver sees.
    pub variables: usize,
    /// Its clauses.
    pub clauses: usize,
    /// The time from the formula to the result.
    pub time: Duration,
}

/// A name whose value is given: its tuples, by the names of atoms.
pub type FixedValue<'p> = (&'p str, &'p [&'p [&'p str]]);

/// The atom of a truth value that holds.
pub(crate) const TRAVERSED: &str = "traversed";

impl Extract {
    /// Searches for an execution in which the precondition holds and the postcondition does not, within a
    /// number of objects of each class. Values of names can be fixed in advance.
    ///
    /// # Errors
    /// If a formula is ill-typed or too large, or a given value has no place in the scope.
    pub fn ask(
        &self,
        scope: u32,
        pins: &[FixedValue<'_>],
    ) -> Result<(CheckResult, ProblemSize), Error> {
        let logic = Logic::new();
        let atoms = atoms(self, scope as usize);
        let universe = Universe::new(atoms.values().flatten().map(String::as_str))?;
        let bounds = Bounds::new(&logic, &universe);
        let mut setting = Translation {
            extract: self,
            atoms: &atoms,
            bounds,
            formulas: Vec::new(),
            relations: BTreeMap::new(),
            pins,
        };
        let names = setting.declare(&logic)?;
        let Translation { bounds, formulas, relations, .. } = setting;
        let mut finder = Finder::new(&bounds, &formulas, &Options::default())?;
        let answer = match finder.next() {
            relational::Solution::Instance(instance) => {
                CheckResult::Model(Box::new(Model::read(self, &names, &relations, &instance)?))
            }
            relational::Solution::Unsatisfiable { .. } => CheckResult::None,
            relational::Solution::Unknown(reason) => CheckResult::Unknown(reason.to_string()),
        };
        let statistics = finder.statistics();
        let size = ProblemSize {
            bits: statistics.primary,
            variables: statistics.variables,
            clauses: statistics.clauses,
            time: statistics.translate + statistics.solve,
        };
        Ok((answer, size))
    }
}

/// The atoms of each domain, named after it.
fn atoms(extract: &Extract, scope: usize) -> BTreeMap<String, Vec<String>> {
    let procedure = &extract.procedure;
    let mut atoms = BTreeMap::from([(TRAVERSED.to_owned(), vec![TRAVERSED.to_owned()])]);
    let initial = |name: &String| name.chars().next().map(|first| first.to_ascii_uppercase());
    for domain in &procedure.domains {
        if domain == NUMBERS {
            let parameters = procedure.variables[..procedure.parameters].iter();
            let parameters = parameters.filter(|variable| variable.domain == NUMBERS).count();
            let fields = procedure.fields.iter().filter(|field| field.to == NUMBERS).count();
            let count = (parameters + fields * scope).max(1);
            atoms.insert(domain.clone(), (0..count).map(|number| number.to_string()).collect());
            continue;
        }
        let others = procedure.domains.iter().filter(|other| *other != NUMBERS);
        let alike = others.filter(|other| initial(other) == initial(domain)).count();
        let prefix = match initial(domain) {
            Some(first) if alike == 1 => first.to_string(),
            _ => domain.clone(),
        };
        atoms
            .insert(domain.clone(), (0..scope).map(|number| format!("{prefix}{number}")).collect());
    }
    if extract.nulls == Nulls::Recorded {
        let variables = procedure.variables.iter().map(|variable| atom(&variable.name));
        atoms.insert(VARIABLES.to_owned(), variables.collect());
    }
    atoms
}

/// A problem under translation.
struct Translation<'a, 'l> {
    extract: &'a Extract,
    atoms: &'a BTreeMap<String, Vec<String>>,
    bounds: Bounds<'l>,
    formulas: Vec<relational::Formula<'l>>,
    relations: BTreeMap<String, Expr<'l>>,
    pins: &'a [FixedValue<'a>],
}

impl<'l> Translation<'_, 'l> {
    /// Declares every name and states every formula; the names in the order in which they are shown.
    fn declare(&mut self, logic: &'l Logic) -> Result<Vec<String>, Error> {
        let extract = self.extract;
        let procedure = &extract.procedure;
        let mut shown = Vec::new();
        let mut objects = logic.none(1);
        for domain in &procedure.domains {
            let all = self.all(domain)?;
            let relation = match domain == NUMBERS {
                true => self.exactly(logic, domain, &all)?,
                false => self.at_most(logic, domain, &all)?,
            };
            objects = objects + relation;
            shown.push(domain.clone());
        }
        for edge in &extract.graph.edges {
            let traversed = self.all(TRAVERSED)?;
            self.at_most(logic, &edge.name, &traversed)?;
            shown.push(edge.name.clone());
        }
        for variable in &procedure.variables {
            for (label, name) in self.variables(&variable.name).into_iter().enumerate() {
                let set = self.set(logic, &name, &variable.domain)?;
                let is_given = label == 0
                    && procedure.variables[..procedure.parameters].contains(variable)
                    && variable.domain == NUMBERS;
                self.formulas.push(if is_given { set.one() } else { set.lone() });
                shown.push(name);
            }
        }
        if let Some(domain) = &procedure.result {
            let set = self.set(logic, RESULT, domain)?;
            self.formulas.push(set.lone());
            shown.push(RESULT.to_owned());
        }
        self.record(logic, objects, &mut shown)?;
        for field in &procedure.fields {
            let names = self.variables(&field.name).into_iter().chain([primed(&field.name)]);
            for (label, name) in names.enumerate() {
                let pairs = self.all(&field.from)?.product(&self.all(&field.to)?)?;
                let relation = self.at_most(logic, &name, &pairs)?;
                let (from, to) = (self.relations[&field.from], self.relations[&field.to]);
                self.formulas.push(match label == 0 && field.to == NUMBERS {
                    true => relation.is_function(from, to),
                    false => relation.is_partial_function(from, to),
                });
                shown.push(name);
            }
        }
        self.state(logic, objects)?;
        Ok(shown)
    }

    /// The component of §3.10 and what it may hold.
    fn record(
        &mut self,
        logic: &'l Logic,
        objects: Expr<'l>,
        shown: &mut Vec<String>,
    ) -> Result<(), Error> {
        if self.extract.nulls != Nulls::Recorded {
            return Ok(());
        }
        let mut all = self.all(VARIABLES)?;
        let mut variables = logic.none(1);
        for variable in &self.extract.procedure.variables {
            let name = atom(&variable.name);
            let one = self.bounds.universe().set([name.as_str()])?;
            variables = variables + self.exactly(logic, &name, &one)?;
        }
        for domain in &self.extract.procedure.domains {
            all = all.union(&self.all(domain)?)?;
        }
        for name in self.variables(NULL_DEREFS) {
            let set = self.at_most(logic, &name, &all)?;
            self.formulas.push(set.is_in(objects + variables));
            shown.push(name);
        }
        Ok(())
    }

    /// States that the precondition and the code hold, and the postcondition does not.
    fn state(&mut self, logic: &'l Logic, objects: Expr<'l>) -> Result<(), Error> {
        let numbers = self.atoms.get(NUMBERS).map_or(0, Vec::len);
        let mut less = self.bounds.universe().none(2)?;
        if numbers > 0 {
            let positions: Vec<usize> = self.all(NUMBERS)?.iter().map(|tuple| tuple[0]).collect();
            for (place, &small) in positions.iter().enumerate() {
                for &large in &positions[place + 1..] {
                    less.insert(&[small, large])?;
                }
            }
        }
        let less = {
            let relation = logic.relation("<", 2);
            self.bounds.exactly(relation, &less)?;
            relation
        };
        let relations = self.relations.clone();
        let mut names = Names { logic, relations, objects, less, bound: Vec::new() };
        let extract = self.extract;
        for formula in extract.pre.iter().chain(&extract.code) {
            self.formulas.push(names.formula(formula));
        }
        let post = logic.and(extract.post.iter().map(|formula| names.formula(formula)));
        self.formulas.push(!post);
        for edge in extract.graph.edges.iter().filter(|edge| edge.from != 0) {
            let before = extract.graph.entering(edge.from);
            let before = logic.or(before.map(|edge| self.relations[&edge.name].some()));
            self.formulas.push(self.relations[&edge.name].some().implies(before));
        }
        Ok(())
    }

    /// The variables of a component.
    fn variables(&self, component: &str) -> Vec<String> {
        let mut components = self.extract.labels.components.iter();
        let found = components.find(|known| known.name == component);
        found.map_or(Vec::new(), |component| component.variables().collect())
    }

    fn all(&self, domain: &str) -> Result<TupleSet, Error> {
        let atoms = self.atoms.get(domain).map_or(&[][..], Vec::as_slice);
        self.bounds.universe().set(atoms.iter().map(String::as_str))
    }

    /// A set of members of a domain.
    fn set(&mut self, logic: &'l Logic, name: &str, domain: &str) -> Result<Expr<'l>, Error> {
        let all = self.all(domain)?;
        let set = self.at_most(logic, name, &all)?;
        self.formulas.push(set.is_in(self.relations[domain]));
        Ok(set)
    }

    fn exactly(
        &mut self,
        logic: &'l Logic,
        name: &str,
        value: &TupleSet,
    ) -> Result<Expr<'l>, Error> {
        let relation = logic.relation(name, value.arity());
        self.bounds.exactly(relation, value)?;
        self.relations.insert(name.to_owned(), relation);
        Ok(relation)
    }

    /// A relation within bounds, or with the value that is given.
    fn at_most(
        &mut self,
        logic: &'l Logic,
        name: &str,
        upper: &TupleSet,
    ) -> Result<Expr<'l>, Error> {
        if let Some((_, tuples)) = self.pins.iter().find(|(known, _)| *known == name) {
            let universe = self.bounds.universe();
            let value = universe.tuples(upper.arity(), tuples.iter().copied())?;
            return self.exactly(logic, name, &value);
        }
        let relation = logic.relation(name, upper.arity());
        self.bounds.at_most(relation, upper)?;
        self.relations.insert(name.to_owned(), relation);
        Ok(relation)
    }
}

//! A model of the formula: the trace that it is, written as in Figure 2, and its path as statements.

use std::collections::BTreeMap;
use std::fmt;

use relational::{Error, Expr, Instance, TupleSet};

use crate::computation::extract::Extract;
use crate::computation::print;

/// A value: its tuples, by the names of atoms.
pub type Tuples = Vec<Vec<String>>;

/// A counterexample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// The names of the edges on its path, in order.
    pub path: Vec<String>,
    /// The objects of each class.
    pub domains: Vec<(String, Tuples)>,
    /// Edges, with whether they are traversed, and variables.
    pub sets: Vec<(String, Tuples)>,
    /// Fields.
    pub relations: Vec<(String, Tuples)>,
    /// The values of the specification's variables that violate it.
    pub witnesses: Vec<(String, Tuples)>,
    /// Lines and statements of the path.
    statements: Vec<(usize, String)>,
}

impl Model {
    pub(crate) fn read(
        extract: &Extract,
        shown: &[String],
        relations: &BTreeMap<String, Expr<'_>>,
        instance: &Instance,
    ) -> Result<Model, Error> {
        let universe = instance.universe();
        let read = |value: &TupleSet| -> Tuples {
            let name = |atom: usize| universe.name(atom).to_owned();
            value.iter().map(|tuple| tuple.into_iter().map(name).collect()).collect()
        };
        let mut model = Model {
            path: Vec::new(),
            domains: Vec::new(),
            sets: Vec::new(),
            relations: Vec::new(),
            witnesses: Vec::new(),
            statements: Vec::new(),
        };
        for name in shown {
            let relation = relations[name];
            let entry = (name.clone(), read(instance.get(relation)?));
            match relation.arity() {
                1 if extract.procedure.domains.contains(name) => model.domains.push(entry),
                1 => model.sets.push(entry),
                _ => model.relations.push(entry),
            }
        }
        for (name, value) in instance.witnesses() {
            model.witnesses.push((name.clone(), read(value)));
        }
        let mut node = 0;
        while node != extract.graph.exit {
            let traversed = |name: &str| {
                let value = model.sets.iter().find(|(known, _)| known == name);
                value.is_some_and(|(_, value)| !value.is_empty())
            };
            let Some(edge) = extract.graph.leaving(node).find(|edge| traversed(&edge.name)) else {
                break;
            };
            model.path.push(edge.name.clone());
            model.statements.push((edge.line, print::action(&edge.action)));
            node = edge.to;
        }
        Ok(model)
    }

    /// The value of a name.
    pub fn value(&self, name: &str) -> Option<&Tuples> {
        let all = [&self.domains, &self.sets, &self.relations, &self.witnesses];
        all.into_iter().flatten().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let braced = |tuples: &Tuples| {
            let tuples: Vec<String> = tuples.iter().map(|tuple| tuple.join(" -> ")).collect();
            format!("{{{}}}", tuples.join(", "))
        };
        writeln!(f, "Domains:")?;
        for (name, value) in &self.domains {
            writeln!(f, "  {name} = {}", braced(value))?;
        }
        writeln!(f, "Sets:")?;
        for (name, value) in &self.sets {
            match &value[..] {
                [] => writeln!(f, "  {name} = (null)")?,
                [one] => writeln!(f, "  {name} = {}", one.join(" -> "))?,
                _ => writeln!(f, "  {name} = {}", braced(value))?,
            }
        }
        writeln!(f, "Relations:")?;
        for (name, value) in &self.relations {
            writeln!(f, "  {name} = {}", braced(value))?;
        }
        if !self.witnesses.is_empty() {
            writeln!(f, "Skolem constants:")?;
        }
        for (name, value) in &self.witnesses {
            let one = value.first().map_or("(null)".to_owned(), |tuple| tuple.join(" -> "));
            writeln!(f, "  {name} = {one}")?;
        }
        writeln!(f, "Path:")?;
        for (edge, (line, statement)) in self.path.iter().zip(&self.statements) {
            writeln!(f, "  {edge}  line {line}: {statement}")?;
        }
        Ok(())
    }
}

//! Whole programs: procedures of many files, callees before callers (paper 001, §5.6 and §6.8).
//!
//! A name that a file does not define is the one definition that another file has. Procedures that call
//! each other are analysed together, round after round, until their summaries no longer change or the
//! limit is reached; until a procedure has a summary, nothing is known of it. Levels of the call graph are
//! done one after the other and in parallel, so that results do not depend on the number of threads.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Callee, Module, ProcedureId, StatementKind};
use rayon::prelude::*;

use crate::analyse::{Analysed, Budget, analyse};
use crate::call::name_of;
use crate::property::Index;
use crate::summary::Summary;
use crate::walk::{Callees, GaveUp};

/// How often procedures that call each other are analysed.
const ROUNDS: usize = 3;

/// A file of a program.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'p> {
    /// What it says.
    pub module: &'p Module,
    /// Its name, to tell its own variables from those of others.
    pub name: &'p str,
    /// For each procedure, the unit and procedure that is the same, if it is not analysed here.
    pub same: &'p [Option<(usize, ProcedureId)>],
}

/// What is known of a procedure of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The file, by position.
    pub unit: usize,
    /// The procedure.
    pub procedure: ProcedureId,
    /// What came of it.
    pub outcome: Result<Analysed, GaveUp>,
    /// The procedures that it calls, by position in the result.
    pub callees: Vec<usize>,
}

/// Analyses all procedures that have bodies, in the order of the files.
pub fn analyse_program(units: &[Unit<'_>], index: &Index, budget: &Budget) -> Vec<Known> {
    let program = Program::new(units, index);
    let mut summaries: Vec<Option<Summary>> = vec![None; program.nodes.len()];
    let mut outcomes: Vec<Option<Result<Analysed, GaveUp>>> = Vec::new();
    outcomes.resize_with(program.nodes.len(), || None);
    for level in program.levels() {
        let done: Vec<Vec<(usize, Result<Analysed, GaveUp>)>> = level
            .par_iter()
            .map(|component| program.analyse_component(component, &summaries, budget))
            .collect();
        for (node, outcome) in done.into_iter().flatten() {
            summaries[node] = outcome.as_ref().ok().map(|analysed| analysed.summary.clone());
            outcomes[node] = Some(outcome);
        }
    }
    let known = program.nodes.iter().zip(outcomes).zip(program.callees.iter().cloned());
    known
        .map(|((&(unit, procedure), outcome), callees)| Known {
            unit,
            procedure,
            outcome: outcome.expect("every procedure is on a level"),
            callees,
        })
        .collect()
}

struct Program<'p> {
    units: &'p [Unit<'p>],
    index: &'p Index,
    /// The procedures with bodies.
    nodes: Vec<(usize, ProcedureId)>,
    /// By unit, the nodes that names stand for.
    names: Vec<BTreeMap<&'p str, usize>>,
    callees: Vec<Vec<usize>>,
    /// The variables that several files define, each its own.
    own: BTreeSet<&'p str>,
}

impl<'p> Program<'p> {
    fn new(units: &'p [Unit<'p>], index: &'p Index) -> Program<'p> {
        let mut nodes = Vec::new();
        let mut numbers = BTreeMap::new();
        for (unit, of) in units.iter().enumerate() {
            for (number, procedure) in (0..).zip(&of.module.procedures) {
                let id = ProcedureId(number);
                let is_here = of.same.get(number as usize).copied().flatten().is_none();
                if is_here && procedure.blocks.is_some() && !index.knows(name_of(of.module, id)) {
                    numbers.insert((unit, id), nodes.len());
                    nodes.push((unit, id));
                }
            }
        }
        let mut defined: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (node, &(unit, id)) in nodes.iter().enumerate() {
            defined.entry(name_of(units[unit].module, id)).or_default().push(node);
        }
        let names = units.iter().enumerate().map(|(unit, of)| {
            let mut names = BTreeMap::new();
            for number in 0..of.module.procedures.len() as u32 {
                let id = ProcedureId(number);
                let name = name_of(of.module, id);
                let here = of.same.get(number as usize).copied().flatten().unwrap_or((unit, id));
                let node = numbers.get(&here).copied().or_else(|| match defined.get(name)?[..] {
                    [only] => Some(only),
                    _ => None,
                });
                names.extend(node.map(|node| (name, node)));
            }
            names
        });
        let names: Vec<BTreeMap<&str, usize>> = names.collect();
        let callees = nodes.iter().map(|&(unit, id)| {
            let called = called(units[unit].module, id);
            let nodes = called.into_iter().filter_map(|name| names[unit].get(name).copied());
            nodes.collect::<BTreeSet<usize>>().into_iter().collect()
        });
        let callees = callees.collect();
        let own = own_variables(units);
        Program { units, index, nodes, names, callees, own }
    }

    /// The procedures that call each other, level by level: those of a level call only earlier ones.
    fn levels(&self) -> Vec<Vec<Vec<usize>>> {
        let components = ir::components(&self.callees);
        let mut component_of = vec![0; self.nodes.len()];
        for (number, component) in components.iter().enumerate() {
            for node in component {
                component_of[*node] = number;
            }
        }
        let mut level_of = vec![0; components.len()];
        let mut levels: Vec<Vec<Vec<usize>>> = Vec::new();
        // Components come callees first.
        for (number, component) in components.into_iter().enumerate() {
            let callees = component.iter().flat_map(|node| &self.callees[*node]);
            let below = callees.map(|callee| component_of[*callee]).filter(|c| *c != number);
            let level = below.map(|c| level_of[c] + 1).max().unwrap_or(0);
            level_of[number] = level;
            if levels.len() <= level {
                levels.resize_with(level + 1, Vec::new);
            }
            levels[level].push(component);
        }
        levels
    }

    fn analyse_component(
        &self,
        component: &[usize],
        summaries: &[Option<Summary>],
        budget: &Budget,
    ) -> Vec<(usize, Result<Analysed, GaveUp>)> {
        let is_recursive = match component {
            [only] => self.callees[*only].contains(only),
            _ => true,
        };
        let mut among: BTreeMap<usize, Summary> = BTreeMap::new();
        let mut outcomes: Vec<(usize, Result<Analysed, GaveUp>)> = Vec::new();
        for _ in 0..if is_recursive { ROUNDS } else { 1 } {
            outcomes.clear();
            let mut changed = false;
            for &node in component {
                let (unit, id) = self.nodes[node];
                let linked = Linked { program: self, unit, summaries, among: &among };
                let outcome = analyse(self.units[unit].module, id, self.index, &linked, budget);
                if let Ok(analysed) = &outcome {
                    let before = among.insert(node, analysed.summary.clone());
                    changed |= before.as_ref() != Some(&analysed.summary);
                }
                outcomes.push((node, outcome));
            }
            if !changed {
                break;
            }
        }
        outcomes
    }
}

/// The callees of one file.
struct Linked<'l> {
    program: &'l Program<'l>,
    unit: usize,
    summaries: &'l [Option<Summary>],
    among: &'l BTreeMap<usize, Summary>,
}

impl Callees for Linked<'_> {
    fn summary(&self, name: &str) -> Option<&Summary> {
        let node = self.program.names[self.unit].get(name)?;
        self.among.get(node).or(self.summaries[*node].as_ref())
    }

    fn global(&self, name: &str) -> String {
        match self.program.own.contains(name) {
            true => format!("{}:{name}", self.program.units[self.unit].name),
            false => name.to_owned(),
        }
    }
}

/// The names that a procedure calls.
fn called(module: &Module, id: ProcedureId) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for block in module.procedure(id).blocks.iter().flatten() {
        for statement in &block.statements {
            if let StatementKind::Call { callee: Callee::Procedure(id), .. } = &statement.kind {
                names.insert(name_of(module, *id));
            }
        }
    }
    names
}

/// The variables that several files define; each has its own.
fn own_variables<'p>(units: &[Unit<'p>]) -> BTreeSet<&'p str> {
    let mut seen = BTreeSet::new();
    let mut own = BTreeSet::new();
    for unit in units {
        for object in unit.module.objects.iter().filter(|object| object.contents.is_some()) {
            let name = unit.module.function(object.address).name.as_str();
            if !seen.insert(name) {
                own.insert(name);
            }
        }
    }
    own
}

//! Whole programs: procedures of many files, callees before callers (Xie & Aiken 2007, §5.6 and §6.8).
//!
//! A name that a file does not define is linked to the one definition in another file. The procedures of a strongly
//! connected component are analysed repeatedly, until their summaries reach a fixed point or the limit; a procedure
//! without a summary is an unknown function. The levels of the call graph are analysed one after the other, each in
//! parallel, so that results do not depend on the number of threads. Results are cached (`cache.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use ir::{Callee, Module, Procedure, ProcedureId, StatementKind};
use rayon::prelude::*;
use store::Cache;

use crate::analyse::{Analysed, Budget, analyse};
use crate::cache::{self, COMPONENT, Digest, Outcome};
use crate::call::name_of;
use crate::limits::{CACHED_COMPONENTS, FIXED_POINT_ROUNDS};
use crate::summary::Summary;
use crate::walk::{Callees, GaveUp};
use property::Index;

/// A file of a program.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'p> {
    /// Its module.
    pub module: &'p Module,
    /// Its name, which distinguishes its own static variables from those of other files.
    pub name: &'p str,
    /// For each procedure that is a duplicate, the unit and procedure of the first copy.
    pub same: &'p [Option<(usize, ProcedureId)>],
    /// For each procedure, a digest of its body without its callees. The results of one without a digest are
    /// not cached.
    pub bodies: &'p [Option<Digest>],
}

/// The results of a procedure of a program.
#[derive(Clone, Debug)]
pub struct ProcedureResult {
    /// The file, by position.
    pub unit: usize,
    /// The procedure.
    pub procedure: ProcedureId,
    /// Its results.
    pub outcome: Result<Analysed, GaveUp>,
    /// The procedures that it calls, by position in the result.
    pub callees: Vec<usize>,
    /// The time of its component. Unlike the other fields, it differs between runs.
    pub time: Duration,
}

/// The results of a program.
#[derive(Clone, Debug)]
pub struct Summaries {
    /// The results of the procedures that have bodies, in the order of the files.
    pub procedures: Vec<ProcedureResult>,
    /// By file and procedure, the position among these.
    pub links: Vec<Vec<Option<usize>>>,
}

/// Analyses all procedures that have bodies.
pub fn analyse_program(
    units: &[Unit<'_>],
    index: &Index,
    budget: &Budget,
    stored: &dyn Cache,
) -> Summaries {
    let program = Program::new(units, index);
    let frame = program.frame(budget);
    let mut summaries: Vec<Option<Summary>> = vec![None; program.nodes.len()];
    let mut digests: Vec<Option<Digest>> = vec![None; program.nodes.len()];
    let mut outcomes: Vec<Option<Outcome>> = Vec::new();
    outcomes.resize_with(program.nodes.len(), || None);
    let mut times = vec![Duration::ZERO; program.nodes.len()];
    for level in program.levels() {
        for batch in level.chunks(CACHED_COMPONENTS) {
            let done: Vec<Done> = batch
                .par_iter()
                // A few take most of the time, wherever they are.
                .with_max_len(1)
                .map(|component| {
                    let key = program.key(component, &frame, &digests);
                    let before = key.and_then(|key| stored.get(COMPONENT, &key));
                    let before =
                        before.and_then(|bytes| cache::read(&bytes, &program.bodies(component)));
                    if let Some(outcomes) = before {
                        return Done { outcomes, time: Duration::ZERO, new: None };
                    }
                    let begun = Instant::now();
                    let outcomes = program.analyse_component(component, &summaries, budget);
                    let time = begun.elapsed() / component.len() as u32;
                    let bodies = program.bodies(component);
                    let parts = bodies.iter().zip(&outcomes).map(|(of, one)| (of.0, of.1, one));
                    let written = cache::write(&parts.collect::<Vec<_>>());
                    Done { outcomes, time, new: key.zip(written) }
                })
                .collect();
            let mut new: Vec<(Digest, Vec<u8>)> = Vec::new();
            for (component, done) in batch.iter().zip(done) {
                new.extend(done.new);
                for (&node, outcome) in component.iter().zip(done.outcomes) {
                    let summary = outcome.as_ref().ok().map(|analysed| &analysed.summary);
                    digests[node] = summary.and_then(cache::digest);
                    summaries[node] = summary.cloned();
                    outcomes[node] = Some(outcome);
                    times[node] = done.time;
                }
            }
            let entries: Vec<_> = new.iter().map(|(key, bytes)| (*key, &bytes[..])).collect();
            if !entries.is_empty() {
                stored.put_all(COMPONENT, &entries);
            }
        }
    }
    let procedures = program.nodes.iter().zip(outcomes).zip(program.callees.iter().cloned());
    let procedures = procedures
        .zip(times)
        .map(|(((&(unit, procedure), outcome), callees), time)| ProcedureResult {
            unit,
            procedure,
            outcome: outcome.expect("every procedure is on a level"),
            callees,
            time,
        })
        .collect();
    Summaries { procedures, links: program.links() }
}

/// The results of a component.
struct Done {
    outcomes: Vec<Outcome>,
    /// The time of each of its procedures.
    time: Duration,
    /// A new entry of the cache.
    new: Option<(Digest, Vec<u8>)>,
}

struct Program<'p> {
    units: &'p [Unit<'p>],
    index: &'p Index,
    /// The procedures with bodies.
    nodes: Vec<(usize, ProcedureId)>,
    /// By unit, the nodes of names.
    names: Vec<BTreeMap<&'p str, usize>>,
    callees: Vec<Vec<usize>>,
    /// The static variables that several files define, each for itself.
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

    /// By file and procedure, their nodes.
    fn links(&self) -> Vec<Vec<Option<usize>>> {
        let of = |(unit, names): (&Unit<'_>, &BTreeMap<&str, usize>)| {
            let ids = (0..unit.module.procedures.len() as u32).map(ProcedureId);
            ids.map(|id| names.get(name_of(unit.module, id)).copied()).collect()
        };
        self.units.iter().zip(&self.names).map(of).collect()
    }

    /// The strongly connected components, level by level: those of a level call only earlier ones.
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

    /// The modules and bodies of procedures.
    fn bodies(&self, component: &[usize]) -> Vec<(&'p Module, &'p Procedure)> {
        let of = |node: &usize| {
            let (unit, id) = self.nodes[*node];
            let module = self.units[unit].module;
            (module, module.procedure(id))
        };
        component.iter().map(of).collect()
    }

    /// By unit, the inputs that all its procedures share: declarations, and names of variables.
    fn frame(&self, budget: &Budget) -> Vec<Digest> {
        let shared = blake3::hash(format!("{:?} {budget:?}", self.index.properties()).as_bytes());
        let of = |unit: &Unit<'_>| {
            let mut hasher = blake3::Hasher::new();
            hasher.update(shared.as_bytes()).update(unit.name.as_bytes());
            let names = unit.module.objects.iter().filter_map(|object| {
                let name = unit.module.function(object.address).name.as_str();
                // No other file mentions a constant that the compiler has named.
                let is_nameless = object.constant && name.starts_with('.');
                (!is_nameless).then(|| (name, self.own.contains(name)))
            });
            for (name, is_own) in names.collect::<BTreeSet<_>>() {
                hasher.update(&[0, is_own.into()]).update(name.as_bytes());
            }
            *hasher.finalize().as_bytes()
        };
        self.units.iter().map(of).collect()
    }

    /// The key of a component: a digest of everything that its results depend on; none if that is unknown.
    fn key(
        &self,
        component: &[usize],
        frame: &[Digest],
        digests: &[Option<Digest>],
    ) -> Option<Digest> {
        let mut hasher = blake3::Hasher::new();
        for &node in component {
            let (unit, id) = self.nodes[node];
            let body = self.units[unit].bodies.get(id.0 as usize).copied().flatten()?;
            hasher.update(&frame[unit]).update(&body);
            for name in called(self.units[unit].module, id) {
                hasher.update(name.as_bytes());
                let callee = self.names[unit].get(name);
                match callee.map(|callee| (component.binary_search(callee), digests[*callee])) {
                    Some((Ok(position), _)) => hasher.update(&[1]).update(&position.to_le_bytes()),
                    Some((Err(_), Some(digest))) => hasher.update(&[2]).update(&digest),
                    Some((Err(_), None)) | None => hasher.update(&[0]),
                };
            }
        }
        Some(*hasher.finalize().as_bytes())
    }

    fn analyse_component(
        &self,
        component: &[usize],
        summaries: &[Option<Summary>],
        budget: &Budget,
    ) -> Vec<Outcome> {
        let is_recursive = match component {
            [only] => self.callees[*only].contains(only),
            _ => true,
        };
        let mut among: BTreeMap<usize, Summary> = BTreeMap::new();
        let mut outcomes: Vec<Outcome> = Vec::new();
        for _ in 0..if is_recursive { FIXED_POINT_ROUNDS } else { 1 } {
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
                outcomes.push(outcome);
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

/// The static variables that several files define, each for itself.
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

//! Cached bounds and shapes.
//!
//! Initial heaps depend on nothing but preconditions, typing and scope, so bounds and shapes are cached by a hash
//! of these, and serve every method with the same preconditions, in this run and in later ones (Galeotti et
//! al. 2010, the repository of Figure 1).

use std::collections::BTreeMap;

use encode::Scope;
use ir::{Mode, Module, Procedure};
use store::{Cache, Key, Kind};

use crate::preconditions::preconditions;
use crate::shapes::{Shapes, shapes};
use crate::text::{Entry, read, write};
use crate::tighten::{TightBounds, tighten};

/// Bounds and shapes of heaps.
const HEAPS: Kind = Kind::new("heaps");

/// A query about the heaps of a procedure.
#[derive(Clone, Debug)]
pub struct HeapQuery<'q> {
    /// The module.
    pub module: &'q Module,
    /// The procedure with the preconditions.
    pub procedure: &'q Procedure,
    /// Within which scope.
    pub scope: &'q Scope,
    /// How the solver works.
    pub options: sat::Options,
    /// The solver limits of each query.
    pub limits: &'q sat::Limits,
}

impl HeapQuery<'_> {
    /// The [shapes](shapes()), from the cache if they are there.
    ///
    /// # Errors
    /// If the solver cannot be had as asked.
    pub fn shapes(&self, most: usize, cache: Option<&dyn Cache>) -> Result<Shapes, sat::Error> {
        let HeapQuery { module, procedure, scope, options, limits } = self;
        let find = || shapes(module, procedure, scope, most, options.clone(), limits);
        let Some(cache) = cache else { return find() };
        let key = self.key("shapes");
        match look_up(cache, &key) {
            Some(Entry::Shapes(kept)) if kept.len() <= most => return Ok(Shapes::All(kept)),
            // Of those that were too many we know how many were too many then.
            Some(Entry::More(than)) if than >= most => return Ok(Shapes::TooMany(Vec::new())),
            _ => {}
        }
        let found = find()?;
        let entry = match &found {
            Shapes::All(all) => Entry::Shapes(all.clone()),
            Shapes::TooMany(_) => Entry::More(most),
        };
        cache.put(HEAPS, &key, write(&entry).as_bytes());
        Ok(found)
    }

    /// The [tight bounds](tighten()), from the cache if they are there.
    ///
    /// # Errors
    /// If the solver cannot be had as asked.
    pub fn tighten(&self, cache: Option<&dyn Cache>) -> Result<TightBounds, sat::Error> {
        let HeapQuery { module, procedure, scope, options, limits } = self;
        let find = || tighten(module, procedure, scope, options.clone(), limits);
        let Some(cache) = cache else { return find() };
        let key = self.key("bounds");
        if let Some(Entry::Tight(tight)) = look_up(cache, &key) {
            return Ok(tight);
        }
        let found = find()?;
        cache.put(HEAPS, &key, write(&Entry::Tight(found.clone())).as_bytes());
        Ok(found)
    }

    /// The inputs of a result: declarations, preconditions, scope, and solver limits.
    fn key(&self, what: &str) -> Key {
        let module = self.module;
        let asking = Module {
            files: Vec::new(),
            sorts: module.sorts.clone(),
            records: module.records.clone(),
            variants: module.variants.clone(),
            functions: module.functions.clone(),
            objects: Vec::new(),
            axioms: module.axioms.clone(),
            globals: module.globals.clone(),
            invariants: module.invariants.clone(),
            procedures: vec![without_names(&preconditions(self.procedure))],
            stubs: BTreeMap::new(),
            forms: Vec::new(),
            described: Vec::new(),
            least: Vec::new(),
            unevaluated: Vec::new(),
            notation: module.notation,
        };
        let mut hasher = blake3::Hasher::new();
        hasher.update(what.as_bytes()).update(ir::print_brief(&asking).as_bytes());
        hasher.update(format!("{:?} {:?}", self.scope, self.limits).as_bytes());
        *hasher.finalize().as_bytes()
    }
}

/// The same procedure, with numbers for names, and without what only its body knew: neither decides anything.
fn without_names(procedure: &Procedure) -> Procedure {
    let mut procedure = procedure.clone();
    let parameters = procedure.locals_with(Mode::Parameter).map(|id| id.0 as usize + 1).max();
    procedure.locals.truncate(parameters.unwrap_or(0));
    procedure.name = "p".to_owned();
    procedure.display = None;
    for (number, local) in procedure.locals.iter_mut().enumerate() {
        local.name = format!("x{number}");
        local.display = None;
    }
    procedure.contract.requires.iter_mut().for_each(|clause| clause.message.clear());
    procedure
}

fn look_up(cache: &dyn Cache, key: &Key) -> Option<Entry> {
    read(&String::from_utf8(cache.get(HEAPS, key)?).ok()?)
}

//! Keeping bounds and shapes: what is found out once need not be found out again.
//!
//! Initial heaps depend on preconditions, typing and scope only, so results are cached under a hash of these,
//! and serve every method with the same ones, in this run and later ones (Galeotti et al., ISSTA 2010, the
//! repository of Figure 1). A cached text states which version wrote it and ends with a hash of itself; any
//! other text is ignored and recomputed. The [`Store`] decides where texts are kept.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use encode::Scope;
use ir::{Mode, Module, Procedure};

use crate::preconditions::preconditions;
use crate::shapes::{Shapes, shapes};
use crate::text::{StoredValue, read, write};
use crate::tighten::{TightBounds, tighten};

/// Where what is known is kept. Several threads and processes may use one at a time.
pub trait Store: fmt::Debug + Send + Sync {
    /// The text under a key, if there is one.
    fn get(&self, key: &Key) -> Option<String>;

    /// Keeps a text under a key. If that cannot be done, nothing is lost but time.
    fn put(&self, key: &Key, text: &str);

    /// Reports that the text under a key is damaged, or of another version.
    fn distrust(&self, key: &Key);
}

/// A hash of all inputs of a result.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key(String);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A store in memory, for as long as it lives.
#[derive(Debug, Default)]
pub struct MemoryStore(Mutex<BTreeMap<Key, String>>);

impl Store for MemoryStore {
    fn get(&self, key: &Key) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn put(&self, key: &Key, text: &str) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(key.clone(), text.to_owned());
    }

    fn distrust(&self, key: &Key) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }
}

/// A query about the heaps of a procedure.
#[derive(Clone, Debug)]
pub struct HeapQuery<'q> {
    /// The module.
    pub module: &'q Module,
    /// The procedure, whose preconditions are meant.
    pub procedure: &'q Procedure,
    /// Within which scope.
    pub scope: &'q Scope,
    /// How the solver works.
    pub options: sat::Options,
    /// The solver limits of each query.
    pub limits: &'q sat::Limits,
}

impl HeapQuery<'_> {
    /// The [shapes](shapes()), from the store if they are there.
    ///
    /// # Errors
    /// If the solver cannot be had as asked.
    pub fn shapes(&self, most: usize, store: Option<&dyn Store>) -> Result<Shapes, sat::Error> {
        let HeapQuery { module, procedure, scope, options, limits } = self;
        let find = || shapes(module, procedure, scope, most, options.clone(), limits);
        let Some(store) = store else { return find() };
        let key = self.key("shapes");
        match look_up(store, &key) {
            Some(StoredValue::Shapes(kept)) if kept.len() <= most => return Ok(Shapes::All(kept)),
            // Of those that were too many we know how many were too many then.
            Some(StoredValue::More(than)) if than >= most => {
                return Ok(Shapes::TooMany(Vec::new()));
            }
            _ => {}
        }
        let found = find()?;
        let kept = match &found {
            Shapes::All(all) => StoredValue::Shapes(all.clone()),
            Shapes::TooMany(_) => StoredValue::More(most),
        };
        store.put(&key, &write(&kept));
        Ok(found)
    }

    /// The [tight bounds](tighten()), from the store if they are there.
    ///
    /// # Errors
    /// If the solver cannot be had as asked.
    pub fn tighten(&self, store: Option<&dyn Store>) -> Result<TightBounds, sat::Error> {
        let HeapQuery { module, procedure, scope, options, limits } = self;
        let find = || tighten(module, procedure, scope, options.clone(), limits);
        let Some(store) = store else { return find() };
        let key = self.key("bounds");
        if let Some(StoredValue::Tight(tight)) = look_up(store, &key) {
            return Ok(tight);
        }
        let found = find()?;
        store.put(&key, &write(&StoredValue::Tight(found.clone())));
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
        Key(hasher.finalize().to_hex().to_string())
    }
}

/// The same procedure, with numbers for names, and without what only its body knew: neither decides anything.
fn without_names(procedure: &Procedure) -> Procedure {
    let mut procedure = procedure.clone();
    let handed = procedure.locals_with(Mode::Parameter).map(|id| id.0 as usize + 1).max();
    procedure.locals.truncate(handed.unwrap_or(0));
    procedure.name = "p".to_owned();
    procedure.display = None;
    for (number, local) in procedure.locals.iter_mut().enumerate() {
        local.name = format!("x{number}");
        local.display = None;
    }
    procedure.contract.requires.iter_mut().for_each(|clause| clause.message.clear());
    procedure
}

fn look_up(store: &dyn Store, key: &Key) -> Option<StoredValue> {
    let kept = read(&store.get(key)?);
    if kept.is_none() {
        store.distrust(key);
    }
    kept
}

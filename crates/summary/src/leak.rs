//! Reachability of objects at exit: escape and leak conditions (Xie & Aiken 2007, Figures 14 and 16).
//!
//! Xie & Aiken keep a set of excluded origins, so that two objects that point to each other do not escape through
//! each other. A least fixed point is equivalent: an object escapes if it is reachable from outside in finitely many
//! steps.

use std::collections::BTreeSet;

use ir::Mode;
use rustc_hash::FxHashMap;

use crate::limits::ESCAPING_PATHS;
use crate::name::Origin;
use crate::path::Path;
use crate::solve::Solver;
use crate::space::{Region, RegionId};
use crate::state::{State, pointed_to};
use crate::summary::Returned;
use crate::value::{Location, Value};
use crate::walk::Walk;
use circuit::Guard;

/// The guards under which new objects escape, by object.
pub(crate) type Escapes = FxHashMap<RegionId, Guard>;

/// An allocation that may leak.
#[derive(Clone, Debug)]
pub(crate) struct Leak {
    /// By position among the walk's allocations.
    pub(crate) fresh: usize,
    /// Where it leaks.
    pub(crate) guard: Guard,
}

impl Walk<'_> {
    /// The result at exit.
    pub(crate) fn result(&self, exit: &State) -> Option<Value> {
        let id = self.procedure.locals_with(Mode::Result).next()?;
        exit.locals[id.0 as usize].clone()
    }

    /// The points-to relation of objects at exit, with guards.
    fn links(&self, exit: &State) -> Vec<(RegionId, Guard, RegionId)> {
        let mut links = Vec::new();
        for ((holder, _), (_, value)) in &exit.cells {
            for (guard, region) in pointed_to(value) {
                links.push((self.space.whole(*holder), guard, self.space.whole(region)));
            }
        }
        links
    }

    /// Where each object is reachable from outside at exit, with or without the result.
    pub(crate) fn escapes(&mut self, exit: &State, with_result: bool) -> Escapes {
        let links = self.links(exit);
        self.known_outside(exit, &links, with_result, None)
    }

    /// Where each object is reachable from outside, except from one origin.
    fn known_outside(
        &mut self,
        exit: &State,
        links: &[(RegionId, Guard, RegionId)],
        with_result: bool,
        excluded: Option<Origin>,
    ) -> Escapes {
        let mut escapes: Escapes = exit.escaped.iter().map(|(r, g)| (*r, *g)).collect();
        if let (true, Some(value)) = (with_result, self.result(exit)) {
            for (guard, region) in pointed_to(&value) {
                self.add(&mut escapes, self.space.whole(region), guard);
            }
        }
        loop {
            let mut changed = false;
            for &(holder, guard, region) in links {
                let found = match self.space.get(holder) {
                    Region::Pointee(_) | Region::Static(_) | Region::External(_) => {
                        Guard::constant(Some(self.space.root_of(holder)) != excluded)
                    }
                    // A variable whose address is known outside may still be read.
                    Region::New(..) | Region::Stack(_) | Region::Element(..) => {
                        escapes.get(&holder).copied().unwrap_or(Guard::NEVER)
                    }
                };
                let guard = self.space.diagrams.and(guard, found);
                changed |= self.add(&mut escapes, region, guard);
            }
            // Guards that mean nothing do not come to rest.
            if !changed || self.space.diagrams.is_exhausted() {
                return escapes;
            }
        }
    }

    fn add(&mut self, escapes: &mut Escapes, region: RegionId, guard: Guard) -> bool {
        let before = escapes.get(&region).copied().unwrap_or(Guard::NEVER);
        let after = self.space.diagrams.or(before, guard);
        if after == before {
            return false;
        }
        escapes.insert(region, after);
        true
    }

    /// The allocations that may leak.
    pub(crate) fn leaks(&mut self, solver: &mut Solver, exit: &State) -> Vec<Leak> {
        if self.fresh.is_empty() {
            return Vec::new();
        }
        let escapes = self.escapes(exit, true);
        let mut leaks = Vec::new();
        for position in 0..self.fresh.len() {
            let fresh = self.fresh[position].clone();
            let escaped = escapes.get(&fresh.region).copied().unwrap_or(Guard::NEVER);
            let made = self.space.diagrams.and(fresh.guard, fresh.valid);
            let freed = exit.freed.get(&fresh.region).copied().unwrap_or(Guard::NEVER);
            let lost = self.space.diagrams.and_not(made, escaped);
            let lost = self.space.diagrams.and_not(lost, freed);
            let guard = self.space.diagrams.and(exit.guard, lost);
            if solver.ask(&self.space, guard).is_sat() {
                leaks.push(Leak { fresh: position, guard });
            }
        }
        leaks
    }

    /// The possible results.
    pub(crate) fn returned(&mut self, solver: &mut Solver, exit: &State) -> Returned {
        let mut returned = Returned::default();
        let Some(Value::Pointer(locations)) = self.result(exit) else { return returned };
        let others = self.escapes(exit, false);
        for &(guard, location) in locations.iter() {
            let guard = self.space.diagrams.and(guard, exit.guard);
            if !solver.may(&self.space, guard) {
                continue;
            }
            match location {
                Location::Null => returned.null = true,
                Location::Number(_) => returned.number = true,
                Location::At(region, offset) => match self.space.get(region) {
                    Region::New(..) => {
                        let known = others.get(&region).copied().unwrap_or(Guard::NEVER);
                        let freed = exit.freed.get(&region).copied().unwrap_or(Guard::NEVER);
                        let known = self.space.diagrams.or(known, freed);
                        let shared = self.space.diagrams.and(guard, known);
                        match solver.may(&self.space, shared) {
                            true => returned.other = true,
                            false => returned.new = true,
                        }
                    }
                    Region::Pointee(input) if offset == 0 => {
                        match self.space.input_path(self.namer(), input) {
                            Some(path) => returned.known.push(path),
                            None => returned.other = true,
                        }
                    }
                    Region::Pointee(_)
                    | Region::Static(_)
                    | Region::External(_)
                    | Region::Stack(_)
                    | Region::Element(..) => returned.other = true,
                },
            }
        }
        returned.known.sort();
        returned.known.dedup();
        returned
    }

    /// The objects of the caller that escape: the pointers to them. An object that is reachable only from the
    /// parameter through which the caller passed it does not escape.
    pub(crate) fn escapees(&mut self, solver: &mut Solver, exit: &State) -> Vec<Path> {
        let mut found: Vec<(Guard, RegionId)> =
            exit.escaped.iter().map(|(r, g)| (*g, *r)).collect();
        let links = self.links(exit);
        let parameters = self.procedure.locals_with(Mode::Parameter).count() as u32;
        for parameter in 0..parameters {
            let origin = Origin::Parameter(parameter);
            if !links.iter().any(|(_, _, region)| self.space.root_of(*region) == origin) {
                continue;
            }
            let known = self.known_outside(exit, &links, true, Some(origin));
            let known = known.into_iter().filter(|(r, _)| self.space.root_of(*r) == origin);
            let returned = self.result(exit).map_or(Vec::new(), |value| pointed_to(&value));
            // Returned objects are distinguished from stored ones.
            let is_returned = |region: RegionId| returned.iter().any(|(_, r)| *r == region);
            found.extend(known.map(|(r, g)| (g, r)).filter(|(_, r)| !is_returned(*r)));
        }
        found.retain(|(_, region)| matches!(self.space.root_of(*region), Origin::Parameter(_)));
        self.paths_of(solver, exit, found, true)
    }

    /// The objects of the caller that may be freed: the pointers to them.
    pub(crate) fn freed(&mut self, solver: &mut Solver, exit: &State) -> Vec<Path> {
        let found = exit.freed.iter().map(|(region, guard)| (*guard, *region)).collect();
        self.paths_of(solver, exit, found, false)
    }

    /// The pointers to objects, the shortest paths first, up to the limit of a summary. A pointer that implies those
    /// reachable through it replaces them.
    fn paths_of(
        &mut self,
        solver: &mut Solver,
        exit: &State,
        found: Vec<(Guard, RegionId)>,
        stands_for_rest: bool,
    ) -> Vec<Path> {
        let mut all = Vec::new();
        for (guard, region) in found {
            let whole = self.space.whole(region);
            let Region::Pointee(input) = self.space.get(whole) else { continue };
            match self.space.root_of(whole) {
                Origin::Parameter(_) | Origin::Global => {}
                Origin::Own | Origin::Other => continue,
            }
            let Some(path) = self.space.input_path(self.namer(), input) else { continue };
            all.push((path, region, guard));
        }
        all.sort_by(|(one, region, _), (other, of, _)| {
            (one.steps.len(), one, region).cmp(&(other.steps.len(), other, of))
        });
        let mut paths = BTreeSet::new();
        for (path, _, guard) in all {
            let is_known = match stands_for_rest {
                true => (0..=path.steps.len()).any(|length| {
                    let (root, steps) = (path.root.clone(), path.steps[..length].to_vec());
                    paths.contains(&Path { root, steps })
                }),
                false => paths.contains(&path),
            };
            let guard = self.space.diagrams.and(guard, exit.guard);
            if !is_known && solver.may(&self.space, guard) {
                paths.insert(path);
            }
            if paths.len() >= ESCAPING_PATHS {
                break;
            }
        }
        paths.into_iter().collect()
    }
}

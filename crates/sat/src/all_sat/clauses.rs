//! Clauses in one array, and who watches them.

use crate::Lit;
use crate::limits::KEPT_LEVELS;

/// Where a clause lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClauseId(u32);

/// Words before the literals of a clause: their number, and the clause's worth.
const HEADER: usize = 2;
/// The worth of a clause of the formula, which is never given up.
const GIVEN: u32 = 0;

/// Clauses, each watched by its first two literals.
///
/// Invariants: a clause of two or more literals is in the watches of the first two and of no others; those
/// learnt come after those given.
#[derive(Clone, Debug, Default)]
pub(super) struct Clauses {
    words: Vec<u32>,
    /// Where the learnt ones begin, and how many there are.
    learnt: usize,
    count: usize,
    /// By code of the literal whose falsification triggers a visit.
    pub(super) watches: Vec<Vec<Watch>>,
}

/// A clause that is watched, and another of its literals: while that one is true nothing need be done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    pub(super) clause: ClauseId,
    pub(super) other: Lit,
    pub(super) is_binary: bool,
}

impl ClauseId {
    /// Stands for no clause.
    pub(super) const NONE: ClauseId = ClauseId(u32::MAX);
}

impl Clauses {
    pub(super) fn new(num_vars: usize) -> Clauses {
        Clauses { watches: vec![Vec::new(); 2 * num_vars], ..Clauses::default() }
    }

    /// Adds a clause of the formula, before any is learnt.
    pub(super) fn give(&mut self, literals: &[Lit]) -> ClauseId {
        let id = self.push(literals, GIVEN);
        self.learnt = self.words.len();
        id
    }

    /// Adds a learnt clause with its number of levels (LBD).
    pub(super) fn learn(&mut self, literals: &[Lit], levels: u32) -> ClauseId {
        self.count += 1;
        self.push(literals, levels.max(1))
    }

    fn push(&mut self, literals: &[Lit], worth: u32) -> ClauseId {
        let id =
            ClauseId(u32::try_from(self.words.len()).expect("clauses fill less than 2^32 words"));
        self.words.extend([literals.len() as u32, worth]);
        self.words.extend(literals.iter().map(|literal| literal.code() as u32));
        self.watch(id);
        id
    }

    fn watch(&mut self, id: ClauseId) {
        if let [first, second, ref others @ ..] = *self.literals(id) {
            let is_binary = others.is_empty();
            let (a, b) = (literal(first), literal(second));
            self.watches[a.code()].push(Watch { clause: id, other: b, is_binary });
            self.watches[b.code()].push(Watch { clause: id, other: a, is_binary });
        }
    }

    /// The literals of a clause, by code.
    pub(super) fn literals(&self, id: ClauseId) -> &[u32] {
        let at = id.0 as usize;
        &self.words[at + HEADER..at + HEADER + self.words[at] as usize]
    }

    pub(super) fn literals_mut(&mut self, id: ClauseId) -> &mut [u32] {
        let at = id.0 as usize;
        let end = at + HEADER + self.words[at] as usize;
        &mut self.words[at + HEADER..end]
    }

    /// How many clauses have been learnt and not given up.
    pub(super) fn count_learnt(&self) -> usize {
        self.count
    }

    /// Gives up the worse half of the learnt clauses, but none that is needed. Tells what becomes of each.
    pub(super) fn reduce(&mut self, is_needed: &dyn Fn(ClauseId, &[u32]) -> bool) -> Renamed {
        let mut worth: Vec<(u32, u32)> = self.ids().map(|id| self.worth(id)).collect();
        worth.sort_unstable();
        let limit = worth.get(worth.len() / 2).copied().unwrap_or_default();
        let kept: Vec<ClauseId> = self
            .ids()
            .filter(|&id| {
                let worth = self.worth(id);
                worth.0 <= KEPT_LEVELS || worth < limit || is_needed(id, self.literals(id))
            })
            .collect();
        let mut renamed = Renamed::default();
        let mut end = self.learnt;
        for &id in &kept {
            let from = id.0 as usize;
            let length = HEADER + self.words[from] as usize;
            self.words.copy_within(from..from + length, end);
            renamed.0.push((id, ClauseId(end as u32)));
            end += length;
        }
        self.words.truncate(end);
        self.count = kept.len();
        self.watches.iter_mut().for_each(|watches| {
            watches.retain(|watch| (watch.clause.0 as usize) < self.learnt);
        });
        for (_, id) in &renamed.0 {
            self.watch(*id);
        }
        renamed
    }

    /// The learnt clauses, in the order in which they were learnt.
    fn ids(&self) -> impl Iterator<Item = ClauseId> {
        let mut at = self.learnt;
        std::iter::from_fn(move || {
            let id = (at < self.words.len()).then_some(ClauseId(at as u32))?;
            at += HEADER + self.words[at] as usize;
            Some(id)
        })
    }

    /// The less the better.
    fn worth(&self, id: ClauseId) -> (u32, u32) {
        let at = id.0 as usize;
        (self.words[at + 1], self.words[at])
    }
}

/// The literal with this code.
#[inline]
pub(super) fn literal(code: u32) -> Lit {
    Lit::from_code(code as usize)
}

/// Learnt clauses by where they were and where they are, ascending.
#[derive(Debug, Default)]
pub(super) struct Renamed(Vec<(ClauseId, ClauseId)>);

impl Renamed {
    /// Where a clause is now that has not been given up.
    pub(super) fn now(&self, id: ClauseId) -> ClauseId {
        match self.0.binary_search_by_key(&id.0, |(before, _)| before.0) {
            Ok(position) => self.0[position].1,
            // Clauses of the formula stay where they are.
            Err(_) => id,
        }
    }
}

//! A streaming checker for LRAT proofs.
//!
//! A proof is a list of clauses. Each either belongs to the formula or follows from earlier ones by reverse
//! unit propagation (RUP): assume that all its literals are false, and unit propagation ends in a conflict.
//! An LRAT step names the clauses that propagate, in order, so that checking it means reading those clauses
//! once: each must have at most one literal that is not false, which then becomes true, and the last must
//! have none.
//!
//! Luís Cruz-Filipe, Marijn Heule, Warren Hunt, Matt Kaufmann, Peter Schneider-Kamp: *Efficient
//! Certified RAT Verification*, CADE 2017. Florian Pollitt, Mathias Fleury, Armin Biere: *Faster
//! LRAT Checking Than Solving with CaDiCaL*, SAT 2023.
//!
//! The checker admits RUP steps only. The stronger RAT steps of LRAT add clauses that do not follow
//! from the formula; they are refused. That keeps the one invariant on which everything rests:
//! **every clause in the checker is implied by the clauses it was given as axioms**. Deleting a
//! clause then only saves memory and restoring one that was there before adds nothing new, so
//! neither can make a proof unsound, and the invariant survives axioms that are added later,
//! between the steps of an incremental solver.
//!
//! ```
//! use sat::Lit;
//! use sat::lrat::Checker;
//!
//! let lit = |number| Lit::from_dimacs(number).expect("a literal");
//! let mut checker = Checker::new();
//! checker.axiom(1, &[lit(1), lit(2)])?;
//! checker.axiom(2, &[lit(1), lit(-2)])?;
//! checker.axiom(3, &[lit(-1)])?;
//! checker.derive(4, &[lit(1)], &[1, 2])?;
//! assert!(!checker.is_refuted());
//! checker.derive(5, &[], &[4, 3])?;
//! assert!(checker.is_refuted());
//! # Ok::<(), sat::lrat::LratError>(())
//! ```

use std::fmt;

use crate::Lit;
use crate::limits::GARBAGE_WORDS;

/// The number by which a proof names a clause.
pub type ClauseId = i64;

/// A set of clauses, each implied by the axioms among them.
///
/// Clauses lie one after another in one array of words, found through a table indexed by clause
/// number; the space of deleted clauses is reclaimed by moving the others together.
#[derive(Debug, Default)]
pub struct Checker {
    /// Records of clauses: number, length, [`Claim`], literals.
    words: Vec<u32>,
    /// The number of words that belong to records no longer in the table.
    garbage: usize,
    /// One more than the offset of each clause's record, zero if there is none.
    table: Vec<u32>,
    /// `falsified[lit.code()] == epoch` if the literal is false in the step being checked.
    falsified: Vec<u32>,
    epoch: u32,
    /// The literals of the clause at hand, each once.
    lits: Vec<u32>,
    refuted: bool,
    steps: u64,
}

/// Why a step of a proof is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LratError {
    /// The number is not positive, or too large for the table.
    BadNumber(ClauseId),
    /// Two clauses would have the same number.
    NumberTaken(ClauseId),
    /// There is no clause of this number, or not any more.
    NoSuchClause(ClauseId),
    /// A hint names a resolution candidate: the step is RAT, not RUP.
    NotRup(ClauseId),
    /// In the step for the first clause, the second has two literals that are not false.
    NotUnit(ClauseId, ClauseId),
    /// The hints of the step for this clause lead to no conflict.
    NoConflict(ClauseId),
    /// A clause is restored with literals it did not have.
    Altered(ClauseId),
    /// The clauses take more than 2³² words.
    TooLarge,
}

/// The words of a record before its literals.
const HEADER: usize = 3;

/// Who still wants a clause: the number of its additions not yet deleted, shifted left by one, and
/// in the lowest bit whether it has been parked for a later restoration.
#[derive(Clone, Copy)]
struct ReferenceCount(u32);

impl ReferenceCount {
    const ADDED: ReferenceCount = ReferenceCount(2);

    fn park(self) -> ReferenceCount {
        ReferenceCount(self.0 | 1)
    }

    fn delete(self) -> ReferenceCount {
        ReferenceCount(self.0.saturating_sub(2).max(self.0 & 1))
    }

    fn restore(self) -> ReferenceCount {
        ReferenceCount((self.0 & !1).saturating_add(2))
    }

    fn is_void(self) -> bool {
        self.0 == 0
    }
}

impl Checker {
    /// A checker without clauses.
    #[must_use]
    pub fn new() -> Checker {
        Checker::default()
    }

    /// Takes a clause of the formula, without proof.
    ///
    /// # Errors
    ///
    /// If the number is taken or cannot be used.
    pub fn axiom(&mut self, id: ClauseId, clause: &[Lit]) -> Result<(), LratError> {
        let slot = self.free_slot(id)?;
        self.assume_false(clause);
        self.insert(slot)
    }

    /// Checks that a clause follows by reverse unit propagation through the hints, and takes it.
    ///
    /// # Errors
    ///
    /// If it does not, or if the number is taken or cannot be used. The checker is then as before.
    pub fn derive(
        &mut self,
        id: ClauseId,
        clause: &[Lit],
        hints: &[ClauseId],
    ) -> Result<(), LratError> {
        let slot = self.free_slot(id)?;
        self.check(id, clause, hints)?;
        self.insert(slot)
    }

    /// Checks that a clause follows, as [`Checker::derive`] does, without taking it. The number
    /// only serves to name the step in a fault.
    ///
    /// # Errors
    ///
    /// If it does not follow.
    pub fn check(
        &mut self,
        id: ClauseId,
        clause: &[Lit],
        hints: &[ClauseId],
    ) -> Result<(), LratError> {
        self.steps += 1;
        if self.assume_false(clause) {
            return Ok(());
        }
        for &hint in hints {
            if hint < 0 {
                return Err(LratError::NotRup(id));
            }
            let clause = record(&self.words, self.offset(hint)?);
            let mut open = None;
            for &word in clause {
                // The table covers every literal of every clause, so the look-up does not fail.
                if self.falsified.get(word as usize) == Some(&self.epoch) {
                    continue;
                }
                if open.is_some() {
                    return Err(LratError::NotUnit(id, hint));
                }
                open = Some(word);
            }
            match open {
                Some(word) => self.falsified[(word ^ 1) as usize] = self.epoch,
                None => return Ok(()),
            }
        }
        Err(LratError::NoConflict(id))
    }

    /// Lets go of a clause; it stays as long as it is parked.
    ///
    /// # Errors
    ///
    /// If there is no such clause.
    pub fn delete(&mut self, id: ClauseId) -> Result<(), LratError> {
        let claim = self.change_claim(id, ReferenceCount::delete)?;
        if claim.is_void() {
            let offset = self.offset(id)?;
            self.garbage += HEADER + record(&self.words, offset).len();
            self.table[id as usize] = 0;
            if self.garbage > GARBAGE_WORDS && self.garbage > self.words.len() / 2 {
                self.collect_garbage();
            }
        }
        Ok(())
    }

    /// Keeps a clause, even when it is deleted, until it is restored.
    ///
    /// # Errors
    ///
    /// If there is no such clause.
    pub fn park(&mut self, id: ClauseId) -> Result<(), LratError> {
        self.change_claim(id, ReferenceCount::park).map(|_| ())
    }

    /// Takes back a clause that was parked.
    ///
    /// # Errors
    ///
    /// If there is no such clause, or if its literals are not those given.
    pub fn restore(&mut self, id: ClauseId, clause: &[Lit]) -> Result<(), LratError> {
        let offset = self.offset(id)?;
        self.assume_false(clause);
        let known = record(&self.words, offset);
        let listed = |&word: &u32| self.falsified.get(word as usize) == Some(&self.epoch);
        if known.len() != self.lits.len() || !known.iter().all(listed) {
            return Err(LratError::Altered(id));
        }
        self.change_claim(id, ReferenceCount::restore).map(|_| ())
    }

    /// Whether the empty clause has been taken: the axioms are unsatisfiable.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        self.refuted
    }

    /// The number of steps checked.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The literals of a clause, each once, or `None` if there is no such clause.
    #[must_use]
    pub fn clause(&self, id: ClauseId) -> Option<impl Iterator<Item = Lit>> {
        let offset = self.offset(id).ok()?;
        Some(record(&self.words, offset).iter().map(|&word| Lit::from_code(word as usize)))
    }

    /// Starts an assignment in which exactly the literals of a clause are false, and lists them,
    /// each once, in `lits`. Says whether the clause contains a literal and its negation, and so
    /// needs no proof.
    fn assume_false(&mut self, clause: &[Lit]) -> bool {
        self.epoch = match self.epoch.checked_add(1) {
            Some(epoch) => epoch,
            None => {
                self.falsified.fill(0);
                1
            }
        };
        self.lits.clear();
        let mut tautology = false;
        for &lit in clause {
            let code = lit.code();
            if code | 1 >= self.falsified.len() {
                self.falsified.resize((code | 1) + 1, 0);
            }
            if self.falsified[code] != self.epoch {
                self.falsified[code] = self.epoch;
                self.lits.push(code as u32);
                tautology |= self.falsified[code ^ 1] == self.epoch;
            }
        }
        tautology
    }

    /// Stores the clause listed in `lits`.
    fn insert(&mut self, slot: usize) -> Result<(), LratError> {
        let offset = self.words.len();
        if offset + HEADER + self.lits.len() >= u32::MAX as usize {
            return Err(LratError::TooLarge);
        }
        self.words.extend([slot as u32, self.lits.len() as u32, ReferenceCount::ADDED.0]);
        self.words.extend_from_slice(&self.lits);
        self.table[slot] = offset as u32 + 1;
        self.refuted |= self.lits.is_empty();
        Ok(())
    }

    /// The index into the table for a new clause.
    fn free_slot(&mut self, id: ClauseId) -> Result<usize, LratError> {
        // A number of 32 bits fits a record, and zero is no clause in any proof format.
        let slot = u32::try_from(id).map_err(|_| LratError::BadNumber(id))? as usize;
        if slot == 0 {
            return Err(LratError::BadNumber(id));
        }
        if slot >= self.table.len() {
            self.table.resize(slot + 1, 0);
        }
        if self.table[slot] == 0 { Ok(slot) } else { Err(LratError::NumberTaken(id)) }
    }

    /// Where a clause's record starts.
    fn offset(&self, id: ClauseId) -> Result<usize, LratError> {
        let entry = usize::try_from(id).ok().and_then(|slot| self.table.get(slot));
        match entry {
            Some(&mark) if mark != 0 => Ok(mark as usize - 1),
            _ => Err(LratError::NoSuchClause(id)),
        }
    }

    fn change_claim(
        &mut self,
        id: ClauseId,
        change: impl Fn(ReferenceCount) -> ReferenceCount,
    ) -> Result<ReferenceCount, LratError> {
        let word = self.offset(id)? + 2;
        let claim = change(ReferenceCount(self.words[word]));
        self.words[word] = claim.0;
        Ok(claim)
    }

    /// Moves the records that are still in the table to the front, in order.
    fn collect_garbage(&mut self) {
        let (mut from, mut to) = (0, 0);
        while from < self.words.len() {
            let slot = self.words[from] as usize;
            let next = from + HEADER + self.words[from + 1] as usize;
            if self.table[slot] as usize == from + 1 {
                self.words.copy_within(from..next, to);
                self.table[slot] = to as u32 + 1;
                to += next - from;
            }
            from = next;
        }
        self.words.truncate(to);
        self.garbage = 0;
    }
}

/// The literals of the record at an offset.
fn record(words: &[u32], offset: usize) -> &[u32] {
    let start = offset + HEADER;
    &words[start..start + words[offset + 1] as usize]
}

impl fmt::Display for LratError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LratError::BadNumber(id) => write!(f, "{id} cannot be the number of a clause"),
            LratError::NumberTaken(id) => write!(f, "there is already a clause {id}"),
            LratError::NoSuchClause(id) => write!(f, "there is no clause {id}"),
            LratError::NotRup(id) => write!(f, "the step for clause {id} is RAT, not RUP"),
            LratError::NotUnit(id, hint) => {
                write!(f, "in the step for clause {id}, clause {hint} does not propagate")
            }
            LratError::NoConflict(id) => {
                write!(f, "the step for clause {id} ends without conflict")
            }
            LratError::Altered(id) => write!(f, "clause {id} is restored with other literals"),
            LratError::TooLarge => {
                f.write_str("the proof needs more than 16 GB of clauses at once")
            }
        }
    }
}

impl std::error::Error for LratError {}

#[cfg(test)]
mod tests;

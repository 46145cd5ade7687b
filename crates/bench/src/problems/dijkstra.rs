//! Dijkstra's rule against deadlock: mutexes are grabbed in one fixed order.
//!
//! Processes grab mutexes, or wait for them, and release them. If whatever is newly held always
//! comes after something held before, can all processes be waiting? (Dijkstra 1971; in Alloy:
//! `dijkstra.als` of its distribution.)
//!
//! ```text
//! sig Process {}  sig Mutex {}  sig State {holds, waits: Process -> Mutex}
//!                                                     -- states and mutexes totally ordered
//! fact  no first.(holds + waits)
//! fact  all s: State - last | let s' = s.next |
//!         s'.holds = s.holds and s'.waits = s.waits
//!         or some p: Process, m: Mutex | grab[s, s', p, m]
//!         or some p: Process, m: Mutex | release[s, s', p, m]
//! fact  all s: State - last | let had = Process.(s.holds), new = Process.(s'.holds) - had |
//!         some new => new in had.^(Mutex.next)
//! check no s: State | all p: Process | some p.(s.waits)
//! ```

use relational::{Error, Expr, Formula, Logic, all, some};

use super::vocabulary::{Order, Vocabulary};
use super::{Expected, Problem};

/// Can all processes wait though mutexes are grabbed in order? They cannot.
///
/// # Errors
/// If there are no atoms at all.
pub fn dijkstra(
    logic: &Logic,
    states: usize,
    processes: usize,
    mutexes: usize,
) -> Result<Problem<'_>, Error> {
    let sorts = [("State", states), ("Process", processes), ("Mutex", mutexes)];
    let (mut vocabulary, [s, p, m]) = Vocabulary::new(logic, sorts)?;
    let triples = s.product(&p)?.product(&m)?;
    let system = System {
        state: Order::declare(&mut vocabulary, "State", &s)?,
        holds: vocabulary.at_most("holds", &triples)?,
        waits: vocabulary.at_most("waits", &triples)?,
        process: vocabulary.at_most("Process", &p)?,
        mutex: Order::declare(&mut vocabulary, "Mutex", &m)?,
    };
    let typed = system.state.set.product(system.process).product(system.mutex.set);
    let facts = vec![
        system.state.holds(),
        system.mutex.holds(),
        system.holds.is_in(typed),
        system.waits.is_in(typed),
        system.process.some(),
        system.starts_idle(),
        system.runs(),
        system.grabs_in_order(),
    ];
    Ok(Problem {
        name: format!("Dijkstra, {states} states, {processes} processes, {mutexes} mutexes"),
        bounds: vocabulary.bounds(),
        facts,
        goal: system.deadlock(),
        expected: Expected::Unsat,
        symmetry: None,
    })
}

struct System<'a> {
    process: Expr<'a>,
    state: Order<'a>,
    mutex: Order<'a>,
    holds: Expr<'a>,
    waits: Expr<'a>,
}

/// One process deals with one mutex between two states.
#[derive(Clone, Copy)]
struct Action<'a> {
    before: Expr<'a>,
    after: Expr<'a>,
    process: Expr<'a>,
    mutex: Expr<'a>,
}

impl<'a> System<'a> {
    fn starts_idle(&self) -> Formula<'a> {
        let first = self.state.first;
        (first.join(self.holds) + first.join(self.waits)).no()
    }

    /// Each state but the last, with the one after it.
    fn each_step(&self, body: impl FnOnce(Expr<'a>, Expr<'a>) -> Formula<'a>) -> Formula<'a> {
        let domain = self.state.set - self.state.last;
        all([("pre", domain)], |[before]| body(before, before.join(self.state.next)))
    }

    /// Each step changes nothing, grabs a mutex, or releases one.
    fn runs(&self) -> Formula<'a> {
        self.each_step(|before, after| {
            let domains = [("p", self.process), ("m", self.mutex.set)];
            let action = |[process, mutex]: [Expr<'a>; 2]| Action { before, after, process, mutex };
            let idles = after.join(self.holds).equals(before.join(self.holds))
                & after.join(self.waits).equals(before.join(self.waits));
            idles
                | some(domains, |pair| self.grab(action(pair)))
                | some(domains, |pair| self.release(action(pair)))
        })
    }

    /// What the process holds or waits for in a state, by the relation given.
    fn of(&self, process: Expr<'a>, state: Expr<'a>, relation: Expr<'a>) -> Expr<'a> {
        process.join(state.join(relation))
    }

    /// Who holds the mutex or waits for it in a state, by the relation given.
    fn by(&self, mutex: Expr<'a>, state: Expr<'a>, relation: Expr<'a>) -> Expr<'a> {
        mutex.join(state.join(relation).transpose())
    }

    /// The process now holds the mutex if it was free, and waits for it otherwise. Only a process
    /// that does not wait can act.
    fn grab(&self, action: Action<'a>) -> Formula<'a> {
        let Action { before, after, process, mutex } = action;
        let had = self.of(process, before, self.holds);
        let has = self.of(process, after, self.holds);
        let waits = self.of(process, after, self.waits);
        let free = self.by(mutex, before, self.holds).no();
        let others_stay = all([("other", self.process - process)], |[other]| {
            self.of(other, after, self.holds).equals(self.of(other, before, self.holds))
                & self.of(other, after, self.waits).equals(self.of(other, before, self.waits))
        });
        !self.of(process, before, self.waits).some()
            & !mutex.is_in(had)
            & free.implies(has.equals(had + mutex) & waits.no())
            & (!free).implies(has.equals(had) & waits.equals(mutex))
            & others_stay
    }

    /// The process gives up the mutex; one of those who waited for it, if any, gets it.
    fn release(&self, action: Action<'a>) -> Formula<'a> {
        let Action { before, after, process, mutex } = action;
        let had = self.of(process, before, self.holds);
        let waited = self.by(mutex, before, self.waits);
        let waiting = self.by(mutex, after, self.waits);
        let holders = self.by(mutex, after, self.holds);
        let one_gets_it = some([("lucky", waited)], |[lucky]| {
            waiting.equals(waited - lucky) & holders.equals(lucky)
        });
        let others_stay = all([("mu", self.mutex.set - mutex)], |[other]| {
            self.by(other, after, self.waits).equals(self.by(other, before, self.waits))
                & self.by(other, after, self.holds).equals(self.by(other, before, self.holds))
        });
        !self.of(process, before, self.waits).some()
            & mutex.is_in(had)
            & self.of(process, after, self.holds).equals(had - mutex)
            & self.of(process, after, self.waits).no()
            & waited.no().implies(holders.no() & waiting.no())
            & waited.some().implies(one_gets_it)
            & others_stay
    }

    /// What is newly held comes after something held before.
    fn grabs_in_order(&self) -> Formula<'a> {
        self.each_step(|before, after| {
            let had = self.process.join(before.join(self.holds));
            let grabbed = self.process.join(after.join(self.holds)) - had;
            grabbed.some().implies(grabbed.is_in(had.join(self.mutex.next.closure())))
        })
    }

    /// In some state everyone waits.
    fn deadlock(&self) -> Formula<'a> {
        some([("s", self.state.set)], |[s]| {
            all([("p", self.process)], |[p]| self.of(p, s, self.waits).some())
        })
    }
}

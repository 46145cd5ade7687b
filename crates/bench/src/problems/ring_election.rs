//! Leader election in a ring.
//!
//! Processes stand in a ring and are totally ordered. Each starts with its own identifier to send;
//! a step moves one identifier to the next process, which drops it if it is smaller than its own.
//! A process that receives its own identifier is elected. Can two be? (Chang and Roberts 1979;
//! in Alloy: Jackson, *Software Abstractions*, §6.1.)
//!
//! ```text
//! sig Time {}                                         -- totally ordered
//! sig Process {succ: Process, toSend: Process -> Time, elected: set Time}   -- totally ordered
//! fact  all p: Process | Process in p.^succ
//! fact  all p: Process | p.toSend.first = p
//! fact  all t: Time - last, p: Process | step[t, p] or step[t, succ.p] or skip[t, p]
//! fact  elected.t = {p: Process | p in p.toSend.t - p.toSend.(t.prev)}
//! check lone elected.Time
//! ```

use relational::{Error, Expr, Formula, Logic, all, comprehension, some};

use super::vocabulary::{Order, Vocabulary};
use super::{Expected, Problem};

/// Can two processes be elected? They cannot.
///
/// # Errors
/// If there are no atoms at all.
pub fn ring_election(logic: &Logic, processes: usize, times: usize) -> Result<Problem<'_>, Error> {
    let sorts = [("Process", processes), ("Time", times)];
    let (mut vocabulary, [p, t]) = Vocabulary::new(logic, sorts)?;
    let pairs = p.product(&p)?;
    let process = Order::declare(&mut vocabulary, "Process", &p)?;
    let time = Order::declare(&mut vocabulary, "Time", &t)?;
    let ring = Ring {
        succ: vocabulary.at_most("succ", &pairs)?,
        to_send: vocabulary.at_most("toSend", &pairs.product(&t)?)?,
        elected: vocabulary.at_most("elected", &p.product(&t)?)?,
        process,
        time,
    };
    let facts = vec![
        ring.time.holds(),
        ring.process.holds(),
        ring.succ.is_function(ring.process.set, ring.process.set),
        ring.elected.is_in(ring.process.set.product(ring.time.set)),
        ring.is_a_ring(),
        ring.starts_with_own_identifiers(),
        ring.moves(),
        ring.elected.join(ring.time.first).no(),
        ring.defines_elected(),
    ];
    Ok(Problem {
        name: format!("ring election, {processes} processes, {times} times"),
        bounds: vocabulary.bounds(),
        facts,
        goal: !ring.elected.join(ring.time.set).lone(),
        expected: Expected::Unsat,
        symmetry: None,
    })
}

struct Ring<'a> {
    process: Order<'a>,
    time: Order<'a>,
    succ: Expr<'a>,
    to_send: Expr<'a>,
    elected: Expr<'a>,
}

impl<'a> Ring<'a> {
    /// Everyone is reached from anyone.
    fn is_a_ring(&self) -> Formula<'a> {
        let everyone = self.process.set;
        all([("p", everyone)], |[p]| everyone.is_in(p.join(self.succ.closure())))
    }

    /// What a process has to send at a time.
    fn queue(&self, process: Expr<'a>, time: Expr<'a>) -> Expr<'a> {
        process.join(self.to_send).join(time)
    }

    fn starts_with_own_identifiers(&self) -> Formula<'a> {
        all([("p", self.process.set)], |[p]| self.queue(p, self.time.first).equals(p))
    }

    /// Between two times each process sends, receives, or keeps what it has.
    fn moves(&self) -> Formula<'a> {
        all([("t", self.time.set - self.time.last)], |[now]| {
            let then = now.join(self.time.next);
            all([("p", self.process.set)], |[p]| {
                self.step(now, then, p)
                    | self.step(now, then, self.succ.join(p))
                    | self.queue(p, now).equals(self.queue(p, then))
            })
        })
    }

    /// The sender hands on an identifier; its successor keeps it unless its own is greater.
    fn step(&self, now: Expr<'a>, then: Expr<'a>, sender: Expr<'a>) -> Formula<'a> {
        let receiver = sender.join(self.succ);
        let smaller = receiver.join(self.process.next.transpose().closure());
        some([("id", self.queue(sender, now))], |[id]| {
            self.queue(sender, then).equals(self.queue(sender, now) - id)
                & self.queue(receiver, then).equals(self.queue(receiver, now) + (id - smaller))
        })
    }

    /// Elected is who has just received its own identifier.
    fn defines_elected(&self) -> Formula<'a> {
        all([("t", self.time.set - self.time.first)], |[now]| {
            let before = now.join(self.time.next.transpose());
            let receivers = comprehension([("p", self.process.set)], |[p]| {
                p.is_in(self.queue(p, now) - self.queue(p, before))
            });
            self.elected.join(now).equals(receivers)
        })
    }
}

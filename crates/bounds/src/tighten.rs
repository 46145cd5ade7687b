//! Tight bounds: for each field and object, its possible targets in heaps that satisfy the preconditions.
//!
//! Most feasible edges occur in some heap that a short enumeration finds. Two solvers decide the others in
//! parallel, each for every other part of an atom, and exchange results before each query. One query covers
//! all undecided contents of a part, first in heaps with few atoms more than that needs: a heap that is found
//! shows all its edges feasible, and if there is none, all that were left are refuted, so that later queries
//! start from tighter bounds. What cannot be decided within the limits is queried again, edge by edge and
//! after all others, as long as that helps (Galeotti et al., ISSTA 2010, Figure 4).

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};

use circuit::{Circuit, Gate, Queries};
use encode::{Feasible, Part, Scope, evaluate};
use ir::{Module, Procedure};

use crate::edges::{Edge, EdgeTarget, edges, feasible};
use crate::preconditions::preconditions;
use crate::shapes::{View, facts, some_shapes};

/// Heaps with this many atoms more than an edge needs are queried first.
const MORE: [u32; 2] = [1, 3];

/// The results about the parts of initial heaps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TightBounds {
    /// The feasible contents of each part.
    pub feasible: Feasible,
    /// How many edges references could have, if nothing were known but their types and how many
    /// atoms there are.
    pub loose: usize,
    /// How many of them are feasible.
    pub tight: usize,
    /// The number of queries.
    pub queries: u64,
    /// How many could not be decided.
    pub open: usize,
    /// Whether any heap satisfies the preconditions.
    pub is_satisfiable: bool,
}

/// Decides the feasible contents of the parts of initial heaps of a scope, as far as the limits of each query
/// allow.
///
/// # Errors
/// If the solver cannot be had as asked.
pub fn tighten(
    module: &Module,
    procedure: &Procedure,
    scope: &Scope,
    options: sat::Options,
    limits: &sat::Limits,
) -> Result<TightBounds, sat::Error> {
    let mut evaluation = evaluate(module, &preconditions(procedure), &[], scope);
    let parts = evaluation.parts(module);
    let edges = edges(&mut evaluation.circuit, &parts);
    let present = parts.iter().map(|(part, present, _)| (*part, *present)).collect();
    let mut facts = facts(&evaluation);
    let view = View::new(module, procedure, scope, parts);
    facts.extend(view.follows(&mut evaluation.circuit));
    let circuit = &evaluation.circuit;
    let work = |share: usize, peer: PeerChannel| -> Result<WorkerResult, sat::Error> {
        let mut queries = Queries::new(options.clone())?;
        facts.iter().for_each(|&fact| queries.assert(circuit, fact));
        let (circuit, edges) = (circuit.clone(), edges.clone());
        let (news, present) = (Vec::new(), &present);
        let mut hand =
            TightenWorker { share, queries, circuit, edges, present, limits, news, peer };
        hand.see(module, procedure, scope);
        Ok(hand.work())
    };
    let (one, other) = PeerChannel::pair();
    let (one, other) = std::thread::scope(|threads| {
        let other = threads.spawn(|| work(1, other));
        let one = work(0, one);
        (one, other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let (one, other) = (one?, other?);
    let is_edge = |edge: &&Edge| matches!(edge.target, EdgeTarget::Leads(_));
    let edges = one.edges;
    Ok(TightBounds {
        feasible: feasible(&edges),
        loose: edges.iter().filter(is_edge).count(),
        tight: edges.iter().filter(is_edge).filter(|edge| edge.known != Some(false)).count(),
        queries: one.queries + other.queries,
        open: edges.iter().filter(|edge| edge.known.is_none()).count(),
        is_satisfiable: one.is_satisfiable,
    })
}

/// The heaps of a scope with `size` atoms of some sort, and of none more.
fn of_size(scope: &Scope, size: u32) -> Scope {
    let mut scope = scope.clone();
    scope.atoms = size;
    scope.named.iter_mut().for_each(|(_, count)| *count = (*count).min(size));
    scope.heaps.beyond = (size > 1).then(|| size - 1);
    scope
}

/// New results about edges, by position.
type EdgeUpdates = Vec<(usize, bool)>;

/// Takes edges that were not known for feasible if they are seen, which is news.
fn learn(edges: &mut [Edge], news: &mut EdgeUpdates, is_seen: impl Fn(&Edge) -> bool) {
    for (number, edge) in edges.iter_mut().enumerate() {
        if edge.known.is_none() && is_seen(edge) {
            edge.known = Some(true);
            news.push((number, true));
        }
    }
}

/// A channel to the other worker. Each receives as often as it sends, so that the state of knowledge does not
/// depend on which is faster.
struct PeerChannel {
    tell: Sender<EdgeUpdates>,
    hear: Receiver<EdgeUpdates>,
}

impl PeerChannel {
    fn pair() -> (PeerChannel, PeerChannel) {
        let ((tell, heard), (reply, hear)) = (channel(), channel());
        (PeerChannel { tell, hear }, PeerChannel { tell: reply, hear: heard })
    }

    /// A worker that ends early, because of an error, sends nothing more.
    fn exchange(&self, news: EdgeUpdates) -> EdgeUpdates {
        let is_sent = self.tell.send(news).is_ok();
        self.hear.recv().ok().filter(|_| is_sent).unwrap_or_default()
    }
}

/// The final results of a worker.
struct WorkerResult {
    edges: Vec<Edge>,
    queries: u64,
    is_satisfiable: bool,
}

/// One of the two who share the work.
struct TightenWorker<'s> {
    /// Which of two parts it asks about.
    share: usize,
    queries: Queries,
    circuit: Circuit,
    edges: Vec<Edge>,
    /// Where each part is there.
    present: &'s BTreeMap<Part, Gate>,
    limits: &'s sat::Limits,
    /// Its results that are not sent yet.
    news: EdgeUpdates,
    peer: PeerChannel,
}

impl TightenWorker<'_> {
    /// Decides edges of some heaps of every other size, which are found without asking.
    fn see(&mut self, module: &Module, procedure: &Procedure, scope: &Scope) {
        // For numbers that are only compared a shape determines no more than the order.
        let classes = &scope.heaps.compared;
        let is_compared =
            |edge: &Edge| classes.iter().any(|class| class.variables.contains(&edge.part.variable));
        let smallest = scope.heaps.beyond.unwrap_or(0) + 1;
        for size in (smallest..=scope.atoms).skip(self.share).step_by(2) {
            for shape in some_shapes(module, procedure, &of_size(scope, size), self.limits) {
                let is_seen = |edge: &Edge| !is_compared(edge) && edge.is_of(&shape);
                learn(&mut self.edges, &mut self.news, is_seen);
            }
        }
        self.exchange();
    }

    fn work(mut self) -> WorkerResult {
        let is_satisfiable = self.begin();
        if is_satisfiable {
            self.settle();
        }
        let queries = self.queries.tally().asked();
        WorkerResult { edges: self.edges, queries, is_satisfiable }
    }

    /// Looks for any heap, and learns from it. Says whether there may be one.
    fn begin(&mut self) -> bool {
        let answer = self.queries.ask_limited(&self.circuit, &[], self.limits);
        match answer {
            sat::Answer::Sat => self.show(),
            sat::Answer::Unsat => self.edges.iter_mut().for_each(|edge| edge.known = Some(false)),
            sat::Answer::Unknown(_) => {}
        }
        answer != sat::Answer::Unsat
    }

    /// Finds out which edges are feasible.
    fn settle(&mut self) {
        let all: Vec<usize> = (0..self.edges.len()).collect();
        let part = |edge: usize| self.edges[edge].part;
        let atoms = all.chunk_by(|&a, &b| part(a).row == part(b).row);
        let atoms: Vec<Vec<&[usize]>> =
            atoms.map(|edges| edges.chunk_by(|&a, &b| part(a) == part(b)).collect()).collect();
        for parts in atoms {
            for part in parts.into_iter().skip(self.share).step_by(2) {
                // All that it may hold at once.
                while let open = self.open(part)
                    && !open.is_empty()
                    && self.ask(&open)
                {}
            }
            self.exchange();
        }
        let mut before = usize::MAX;
        while let open = self.open(&all)
            && open.len() < before
        {
            before = open.len();
            for pair in open.chunks(2) {
                if let Some(&edge) = pair.get(self.share)
                    && self.edges[edge].known.is_none()
                {
                    self.ask(&[edge]);
                }
                self.exchange();
            }
        }
    }

    /// Those of some edges of which nothing is known.
    fn open(&self, edges: &[usize]) -> Vec<usize> {
        edges.iter().copied().filter(|&edge| self.edges[edge].known.is_none()).collect()
    }

    /// Queries whether one of some edges of a part is feasible; returns whether the query was decided.
    fn ask(&mut self, asked: &[usize]) -> bool {
        let gates: Vec<Gate> = asked.iter().map(|&number| self.edges[number].gate).collect();
        let any = self.circuit.or_all(gates);
        for end in self.ends(asked) {
            let answer = self.queries.ask_limited(&self.circuit, &[any, end], self.limits);
            if answer == sat::Answer::Sat {
                self.show();
                return true;
            }
        }
        match self.queries.ask_limited(&self.circuit, &[any], self.limits) {
            sat::Answer::Sat => self.show(),
            sat::Answer::Unsat => {
                asked.iter().for_each(|&edge| self.refute(edge));
                self.news.extend(asked.iter().map(|&edge| (edge, false)));
            }
            sat::Answer::Unknown(_) => return false,
        }
        true
    }

    /// The condition that there are few more atoms than the nearest one that an edge leads forward to. Heaps that
    /// end there are found sooner.
    fn ends(&self, asked: &[usize]) -> Vec<Gate> {
        let forward = asked.iter().filter_map(|&edge| match self.edges[edge] {
            Edge { part: Part { row: Some(row), .. }, target: EdgeTarget::Leads(to), .. } => {
                (to > row).then_some(to)
            }
            _ => None,
        });
        let (Some(nearest), part) = (forward.min(), self.edges[asked[0]].part) else {
            return Vec::new();
        };
        let ends = MORE.iter().map(|more| Part { row: Some(nearest + more + 1), ..part });
        ends.filter_map(|end| self.present.get(&end)).map(|present| !*present).collect()
    }

    /// The edges of the heap that was found are feasible.
    fn show(&mut self) {
        let queries = &self.queries;
        learn(&mut self.edges, &mut self.news, |edge| queries.value(edge.gate));
    }

    /// An edge is in no heap, and the solver need not look for one.
    fn refute(&mut self, edge: usize) {
        self.edges[edge].known = Some(false);
        self.queries.assert(&self.circuit, !self.edges[edge].gate);
    }

    /// Sends new results to the other worker, and receives its results.
    fn exchange(&mut self) {
        let news = std::mem::take(&mut self.news);
        for (edge, is_feasible) in self.peer.exchange(news) {
            match (self.edges[edge].known, is_feasible) {
                (Some(_), _) => {}
                (None, true) => self.edges[edge].known = Some(true),
                (None, false) => self.refute(edge),
            }
        }
    }
}

//! Tight bounds: for each field and object, what it can lead to in some heap that meets the preconditions.
//!
//! The fields are dealt to solvers that work at the same time, and each learns from all that it is asked. What a
//! field of an object may still hold is asked at once: a heap that is found shows all its edges
//! feasible, and if there is none, all that were left are refuted, and told to the solver, so that later
//! questions start from tighter bounds. What cannot be decided within the limits is asked again, edge by
//! edge and once all others are known, as long as that helps (Galeotti et al., ISSTA 2010, Figure 4).

use circuit::{Bits, Circuit, Gate, Queries};
use encode::{Content, Feasible, Held, Part, Scope, evaluate};
use ir::{Module, Procedure, Variable};
use rayon::prelude::*;

use crate::preconditions::preconditions;
use crate::shapes::View;

/// So many solvers share the work.
const HANDS: usize = 2;

/// What was found out about the parts of initial heaps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tight {
    /// What each part can hold.
    pub feasible: Feasible,
    /// How many edges references could have, if nothing were known but their types and how many
    /// individuals there are.
    pub loose: usize,
    /// How many of them are feasible.
    pub tight: usize,
    /// How many questions it took.
    pub questions: u64,
    /// How many could not be decided.
    pub open: usize,
    /// Whether some heap meets the preconditions at all.
    pub is_satisfiable: bool,
}

/// Finds out what the parts of initial heaps of a scope can hold, as far as the limits of each question
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
) -> Result<Tight, sat::Error> {
    let mut evaluation = evaluate(module, &preconditions(procedure), &[], scope);
    let parts = evaluation.parts(module);
    let all = edges(&mut evaluation.circuit, &parts);
    let mut facts: Vec<Gate> =
        evaluation.constraints.iter().copied().chain([evaluation.begins]).collect();
    let view = View::new(module, procedure, scope, parts);
    facts.extend(view.follows(&mut evaluation.circuit));
    let circuit = &evaluation.circuit;
    let mut hands = deal(all);
    let asked: Result<Vec<(bool, u64)>, sat::Error> = hands
        .par_iter_mut()
        .map(|hand| {
            let mut queries = solver(circuit, &facts, options.clone())?;
            let mut circuit = circuit.clone();
            let is_satisfiable = begin(hand, &circuit, &mut queries, limits);
            settle(hand, &mut circuit, &mut queries, limits);
            Ok((is_satisfiable, queries.tally().asked()))
        })
        .collect();
    let asked = asked?;
    let is_satisfiable = asked.iter().all(|(is_satisfiable, _)| *is_satisfiable);
    let questions = asked.iter().map(|(_, questions)| questions).sum();
    let edges: Vec<Edge> = hands.into_iter().flatten().collect();
    let is_edge = |edge: &&Edge| matches!(edge.says, Says::Leads(_));
    let loose = edges.iter().filter(is_edge).count();
    let tight = edges.iter().filter(is_edge).filter(|edge| edge.known != Some(false)).count();
    let open = edges.iter().filter(|edge| edge.known.is_none()).count();
    let mut feasible = Feasible::default();
    for edge in &edges {
        learn(&mut feasible, edge);
    }
    Ok(Tight { feasible, loose, tight, questions, open, is_satisfiable })
}

/// A solver that knows which heaps there are.
fn solver(circuit: &Circuit, facts: &[Gate], options: sat::Options) -> Result<Queries, sat::Error> {
    let mut queries = Queries::new(options)?;
    facts.iter().for_each(|&fact| queries.assert(circuit, fact));
    Ok(queries)
}

/// Deals edges, field by field. The number of hands does not depend on the machine, so that what cannot be decided
/// does not either.
fn deal(edges: Vec<Edge>) -> Vec<Vec<Edge>> {
    let mut hands: Vec<Vec<Edge>> = vec![Vec::new(); HANDS];
    let mut variables: Vec<Variable> = Vec::new();
    for edge in edges {
        let variable = edge.part.variable;
        let known = variables.iter().position(|known| *known == variable);
        let number = known.unwrap_or_else(|| {
            variables.push(variable);
            variables.len() - 1
        });
        hands[number % HANDS].push(edge);
    }
    hands
}

/// Looks for any heap, and learns from it. Says whether there may be one.
fn begin(
    edges: &mut [Edge],
    circuit: &Circuit,
    queries: &mut Queries,
    limits: &sat::Limits,
) -> bool {
    let answer = queries.ask_limited(circuit, &[], limits);
    for edge in edges {
        edge.known = match answer {
            sat::Answer::Sat => queries.value(edge.gate).then_some(true),
            sat::Answer::Unsat => Some(false),
            sat::Answer::Unknown(_) => None,
        };
    }
    answer != sat::Answer::Unsat
}

/// Finds out which of some edges are feasible.
fn settle(edges: &mut [Edge], circuit: &mut Circuit, queries: &mut Queries, limits: &sat::Limits) {
    let mut from = 0;
    while from < edges.len() {
        let part = edges[from].part;
        let count = edges[from..].iter().take_while(|edge| edge.part == part).count();
        // All that one part may hold at once.
        loop {
            let open: Vec<usize> =
                (from..from + count).filter(|&number| edges[number].known.is_none()).collect();
            if open.is_empty() || !ask(edges, &open, circuit, queries, limits) {
                break;
            }
        }
        from += count;
    }
    let open = |edges: &[Edge]| edges.iter().filter(|edge| edge.known.is_none()).count();
    let mut before = usize::MAX;
    while open(edges) < before {
        before = open(edges);
        for number in 0..edges.len() {
            if edges[number].known.is_none() {
                ask(edges, &[number], circuit, queries, limits);
            }
        }
    }
}

/// Asks whether one of some edges is feasible, and says whether that was answered.
fn ask(
    edges: &mut [Edge],
    asked: &[usize],
    circuit: &mut Circuit,
    queries: &mut Queries,
    limits: &sat::Limits,
) -> bool {
    let gates: Vec<Gate> = asked.iter().map(|&number| edges[number].gate).collect();
    let any = circuit.or_all(gates);
    match queries.ask_limited(circuit, &[any], limits) {
        sat::Answer::Sat => {
            for edge in edges.iter_mut().filter(|edge| edge.known.is_none()) {
                if queries.value(edge.gate) {
                    edge.known = Some(true);
                }
            }
            true
        }
        sat::Answer::Unsat => {
            for &number in asked {
                edges[number].known = Some(false);
                queries.assert(circuit, !edges[number].gate);
            }
            true
        }
        sat::Answer::Unknown(_) => false,
    }
}

/// Something that may be the case of a part.
#[derive(Clone)]
struct Edge {
    part: Part,
    says: Says,
    gate: Gate,
    known: Option<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    /// It leads to this individual.
    Leads(u32),
    /// It is made by this constructor.
    Made(u32),
    /// It is this truth value.
    Is(bool),
    /// It needs more bits than this.
    Exceeds(u32),
}

/// Everything that may be the case of parts that are there.
fn edges(circuit: &mut Circuit, parts: &[(Part, Gate, Held)]) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (part, present, held) in parts {
        let mut add = |circuit: &mut Circuit, says, gate| {
            let gate = circuit.and(*present, gate);
            edges.push(Edge { part: *part, says, gate, known: None });
        };
        match held {
            Held::Individual(is) => {
                for (number, &gate) in is.iter().enumerate() {
                    add(circuit, Says::Leads(number as u32), gate);
                }
            }
            Held::Constructor(is) => {
                for (number, &gate) in is.iter().enumerate() {
                    add(circuit, Says::Made(number as u32), gate);
                }
            }
            Held::Truth(gate) => {
                add(circuit, Says::Is(false), !*gate);
                add(circuit, Says::Is(true), *gate);
            }
            Held::Number(word) => {
                for width in 1..word.width() as u32 {
                    let exceeds = exceeds(circuit, word, width);
                    add(circuit, Says::Exceeds(width), exceeds);
                }
            }
        }
    }
    edges
}

/// Whether a number needs more than so many bits.
fn exceeds(circuit: &mut Circuit, word: &Bits, width: u32) -> Gate {
    let kept = word.extract(0..width as usize).sign_extend(word.width());
    !circuit.equal(word, &kept)
}

fn learn(feasible: &mut Feasible, edge: &Edge) {
    let can = edge.known != Some(false);
    match edge.says {
        Says::Leads(number) => {
            let content = feasible.parts.entry(edge.part);
            let content = content.or_insert_with(|| Content::Individuals(Vec::new()));
            if let (Content::Individuals(numbers), true) = (content, can) {
                numbers.push(number);
            }
        }
        Says::Made(number) => {
            let content = feasible.parts.entry(edge.part);
            let content = content.or_insert_with(|| Content::Constructors(Vec::new()));
            if let (Content::Constructors(numbers), true) = (content, can) {
                numbers.push(number);
            }
        }
        Says::Is(truth) => {
            if !can {
                feasible.parts.insert(edge.part, Content::Truth(!truth));
            }
        }
        Says::Exceeds(width) => {
            if !can && !feasible.parts.contains_key(&edge.part) {
                feasible.parts.insert(edge.part, Content::Width(width));
            }
        }
    }
}

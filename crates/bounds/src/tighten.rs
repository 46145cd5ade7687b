//! Tight bounds: for each field and object, what it can lead to in some heap that meets the preconditions.
//!
//! Each edge is a question on one solver that learns from all of them. A heap that is found shows all
//! its edges feasible at once, and an edge that is refuted is told to the solver, so that later questions
//! start from tighter bounds. What the solver cannot decide within its limits is asked again once all others are
//! known, as long as that helps (Galeotti et al., ISSTA 2010, Figure 4).

use circuit::{Bits, Circuit, Gate, Queries};
use encode::{Content, Feasible, Held, Part, Scope, evaluate};
use ir::{Module, Procedure};

use crate::preconditions::preconditions;

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
    let parts = evaluation.parts();
    let mut queries = Queries::new(options)?;
    for &constraint in &evaluation.constraints {
        queries.assert(&evaluation.circuit, constraint);
    }
    queries.assert(&evaluation.circuit, evaluation.begins);
    let circuit = &mut evaluation.circuit;
    let mut edges = edges(circuit, &parts);
    let is_satisfiable = queries.ask_limited(circuit, &[], limits) != sat::Answer::Unsat;
    loop {
        let before = edges.iter().filter(|edge| edge.known.is_none()).count();
        for number in 0..edges.len() {
            if edges[number].known.is_some() {
                continue;
            }
            let gate = edges[number].gate;
            match queries.ask_limited(circuit, &[gate], limits) {
                sat::Answer::Sat => {
                    for edge in edges.iter_mut().filter(|edge| edge.known.is_none()) {
                        if queries.value(edge.gate) {
                            edge.known = Some(true);
                        }
                    }
                }
                sat::Answer::Unsat => {
                    edges[number].known = Some(false);
                    queries.assert(circuit, !gate);
                }
                sat::Answer::Unknown(_) => {}
            }
        }
        let open = edges.iter().filter(|edge| edge.known.is_none()).count();
        if open == 0 || open == before {
            break;
        }
    }
    let is_edge = |edge: &&Edge| matches!(edge.says, Says::Leads(_));
    let loose = edges.iter().filter(is_edge).count();
    let tight = edges.iter().filter(is_edge).filter(|edge| edge.known != Some(false)).count();
    let open = edges.iter().filter(|edge| edge.known.is_none()).count();
    let mut feasible = Feasible::default();
    for edge in &edges {
        learn(&mut feasible, edge);
    }
    let questions = queries.tally().asked();
    Ok(Tight { feasible, loose, tight, questions, open, is_satisfiable })
}

/// Something that may be the case of a part.
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

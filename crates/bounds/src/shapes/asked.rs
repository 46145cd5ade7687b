//! Shapes one by one, by asking a solver for one that is none of those before.

use circuit::{Bits, Gate, Queries};
use encode::{Content, Evaluation, Feasible, Held, Part};

use super::walked::Settled;
use super::{Shapes, View, facts, spread};

/// Enumerates shapes, each of them an answer of the solver.
pub(super) fn asked(
    view: &View,
    evaluation: &mut Evaluation,
    most: usize,
    options: sat::Options,
    limits: &sat::Limits,
) -> Result<Shapes, sat::Error> {
    asked_for_others(view, evaluation, Found::default(), most, options, limits)
}

/// Shapes that have been found, and the gates that all heaps of each have in common.
#[derive(Default)]
pub(super) struct Found {
    pub(super) shapes: Vec<Feasible>,
    gates: Vec<Vec<Gate>>,
}

impl Found {
    pub(super) fn push(&mut self, shape: Feasible, gates: Vec<Gate>) {
        self.shapes.push(shape);
        self.gates.push(gates);
    }
}

/// Enumerates shapes besides those that have been found.
pub(super) fn asked_for_others(
    view: &View,
    evaluation: &mut Evaluation,
    found: Found,
    most: usize,
    options: sat::Options,
    limits: &sat::Limits,
) -> Result<Shapes, sat::Error> {
    let mut queries = solver(evaluation, options)?;
    let Found { shapes: mut found, gates: known } = found;
    for gates in known {
        let differs = !evaluation.circuit.and_all(gates);
        queries.assert(&evaluation.circuit, differs);
    }
    loop {
        match queries.ask_limited(&evaluation.circuit, &[], limits) {
            sat::Answer::Sat => {}
            sat::Answer::Unsat => return Ok(Shapes::All(found)),
            sat::Answer::Unknown(_) => return Ok(Shapes::TooMany(found)),
        }
        if found.len() == most {
            return Ok(Shapes::TooMany(found));
        }
        let (mut shape, gates) = view.shape(&queries);
        view.settle_numbers(&mut shape, &gates, evaluation, &mut queries);
        let differs = !evaluation.circuit.and_all(gates);
        queries.assert(&evaluation.circuit, differs);
        found.push(shape);
    }
}

/// A solver that knows which heaps there are.
pub(super) fn solver(
    evaluation: &Evaluation,
    options: sat::Options,
) -> Result<Queries, sat::Error> {
    let mut queries = Queries::new(options)?;
    for fact in facts(evaluation) {
        queries.assert(&evaluation.circuit, fact);
    }
    Ok(queries)
}

impl View {
    /// Adds the numbers that a shape settles and that were not seen to be settled.
    pub(super) fn settle_rest(
        &self,
        settled: &mut Settled,
        evaluation: &mut Evaluation,
        queries: &mut Queries,
        limits: &sat::Limits,
    ) {
        let Settled { shape, gates, .. } = settled;
        if queries.ask_limited(&evaluation.circuit, gates, limits) == sat::Answer::Sat {
            self.settle_numbers(shape, gates, evaluation, queries);
        }
    }

    /// The shape of the heap just found, and the gates that all heaps of this shape have in common.
    fn shape(&self, queries: &Queries) -> (Feasible, Vec<Gate>) {
        let mut shape = Feasible::default();
        let mut gates = Vec::new();
        let one = |is: &[Gate], gates: &mut Vec<Gate>| {
            let number = is.iter().position(|gate| queries.value(*gate));
            let number = number.expect("it is one of them");
            gates.push(is[number]);
            vec![number as u32]
        };
        for (part, present, held) in &self.skeleton {
            let content = match held {
                Held::Individual(is) => Content::Individuals(one(is, &mut gates)),
                Held::Constructor(is) => Content::Constructors(one(is, &mut gates)),
                Held::Truth(gate) => {
                    let truth = queries.value(*gate);
                    gates.push(gate.negate_if(!truth));
                    Content::Truth(truth)
                }
                Held::Number(_) => continue,
            };
            if queries.value(*present) {
                shape.parts.insert(*part, content);
            }
        }
        (shape, gates)
    }

    /// Adds the numbers that a shape settles.
    fn settle_numbers(
        &self,
        shape: &mut Feasible,
        gates: &[Gate],
        evaluation: &mut Evaluation,
        queries: &mut Queries,
    ) {
        let valued = |queries: &Queries,
                      numbers: &[(Part, Gate, Bits)]|
         -> Vec<(Part, Bits, i128)> {
            let present = numbers.iter().filter(|(_, present, _)| queries.value(*present));
            present.map(|(part, _, word)| (*part, word.clone(), signed(queries, word))).collect()
        };
        let mut computed = valued(queries, &self.computed);
        let classes: Vec<_> = self
            .compared
            .iter()
            .map(|class| (valued(queries, &class.held), &class.handed))
            .collect();
        loop {
            let same = computed.iter().map(|(_, word, value)| {
                let value = Bits::signed_constant(word.width(), *value);
                evaluation.circuit.equal(word, &value)
            });
            let same: Vec<Gate> = same.collect();
            let differs = !evaluation.circuit.and_all(same);
            if !can(queries, evaluation, gates, differs) {
                break;
            }
            computed.retain(|(_, word, value)| signed(queries, word) == *value);
        }
        let number = |(part, _, value): (Part, Bits, i128)| (part, Content::Number(value));
        shape.parts.extend(computed.into_iter().map(number));
        for (mut held, handed) in classes {
            held.sort_by_key(|(part, _, value)| (*value, *part));
            let ordered = held.windows(2).map(|pair| {
                let [(_, a, x), (_, b, y)] = pair else { unreachable!("windows of two") };
                match x == y {
                    true => evaluation.circuit.equal(a, b),
                    false => evaluation.circuit.slt(a, b),
                }
            });
            let ordered: Vec<Gate> = ordered.collect();
            let differs = !evaluation.circuit.and_all(ordered);
            if !can(queries, evaluation, gates, differs) {
                let held: Vec<(Part, i128)> =
                    held.into_iter().map(|(part, _, value)| (part, value)).collect();
                spread(shape, &held, handed);
            }
        }
    }
}

/// Whether a heap of the shape can have something; unless that is refuted, it can.
fn can(queries: &mut Queries, evaluation: &Evaluation, shape: &[Gate], differs: Gate) -> bool {
    let gates: Vec<Gate> = shape.iter().copied().chain([differs]).collect();
    match queries.ask(&evaluation.circuit, &gates) {
        sat::Answer::Sat => true,
        sat::Answer::Unsat => false,
        sat::Answer::Unknown(_) => true,
    }
}

fn signed(queries: &Queries, word: &Bits) -> i128 {
    let value = queries.word(word) as i128;
    let is_negative = queries.value(word.msb());
    if is_negative { value - (1 << word.width()) } else { value }
}

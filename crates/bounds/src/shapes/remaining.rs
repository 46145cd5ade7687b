//! Shapes one by one, by asking a solver for one that is none of those before.

use circuit::{Bits, Gate, Queries};
use encode::{Content, Evaluation, Feasible, Held, Part};

use super::enumeration::FoundShape;
use super::{Shapes, View, facts, spread};

/// Shapes that have been found, and a solver for the others, which is created when it is needed.
pub(super) struct RemainingShapes {
    options: sat::Options,
    queries: Option<Queries>,
    pub(super) found: Vec<Feasible>,
    /// The gates that all heaps of a shape have in common, of shapes which the solver does not know to be found.
    untold: Vec<Vec<Gate>>,
}

impl RemainingShapes {
    /// No shapes.
    pub(super) fn new(options: sat::Options) -> RemainingShapes {
        RemainingShapes { options, queries: None, found: Vec::new(), untold: Vec::new() }
    }

    /// The solver, which knows which heaps there are.
    fn queries(&mut self, evaluation: &Evaluation) -> Result<&mut Queries, sat::Error> {
        let queries = match self.queries.take() {
            Some(queries) => queries,
            None => {
                let mut queries = Queries::new(self.options.clone())?;
                for fact in facts(evaluation) {
                    queries.assert(&evaluation.circuit, fact);
                }
                queries
            }
        };
        Ok(self.queries.insert(queries))
    }

    /// A shape has been found, with the gates that all its heaps have in common.
    pub(super) fn push(&mut self, shape: Feasible, gates: Vec<Gate>) {
        self.found.push(shape);
        self.untold.push(gates);
    }

    /// Whether there are heaps of other shapes.
    pub(super) fn ask(
        &mut self,
        evaluation: &mut Evaluation,
        limits: &sat::Limits,
    ) -> Result<sat::Answer, sat::Error> {
        let untold = std::mem::take(&mut self.untold);
        let queries = self.queries(evaluation)?;
        for gates in untold {
            let differs = !evaluation.circuit.and_all(gates);
            queries.assert(&evaluation.circuit, differs);
        }
        Ok(queries.ask_limited(&evaluation.circuit, &[], limits))
    }

    /// Enumerates the others, each of them a model of the solver.
    pub(super) fn enumerate(
        mut self,
        view: &View,
        evaluation: &mut Evaluation,
        most: usize,
        limits: &sat::Limits,
    ) -> Result<Shapes, sat::Error> {
        loop {
            match self.ask(evaluation, limits)? {
                sat::Answer::Sat => {}
                sat::Answer::Unsat => return Ok(Shapes::All(self.found)),
                sat::Answer::Unknown(_) => return Ok(Shapes::TooMany(self.found)),
            }
            if self.found.len() == most {
                return Ok(Shapes::TooMany(self.found));
            }
            let queries = self.queries(evaluation)?;
            let (mut shape, gates) = view.shape(queries);
            view.settle_numbers(&mut shape, &gates, evaluation, queries);
            self.push(shape, gates);
        }
    }

    /// Adds the numbers to a shape that it settles but that were not seen to be settled. It is not yet among those found.
    pub(super) fn settle(
        &mut self,
        settled: &mut FoundShape,
        view: &View,
        evaluation: &mut Evaluation,
        limits: &sat::Limits,
    ) -> Result<(), sat::Error> {
        let FoundShape { shape, gates, .. } = settled;
        let queries = self.queries(evaluation)?;
        if queries.ask_limited(&evaluation.circuit, gates, limits) == sat::Answer::Sat {
            view.settle_numbers(shape, gates, evaluation, queries);
        }
        Ok(())
    }
}

impl View {
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
                Held::Atom(is) => Content::Atoms(one(is, &mut gates)),
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
            .map(|class| (valued(queries, &class.held), &class.parameters))
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
        for (mut held, parameters) in classes {
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
                spread(shape, &held, parameters);
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

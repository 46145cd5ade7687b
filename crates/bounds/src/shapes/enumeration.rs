//! Shapes one by one, on one walk: what the parts of a heap are is decided part by part, in the order in which
//! atoms are numbered, and the next shape begins where this one and the last differ.
//!
//! Numbers that a shape settles are mostly seen at once, as what follows from one clause after another, and then
//! all that the preconditions say of the heap is evaluated.
//!
//! A part is first tried with the last atom that it may refer to: large heaps are found before the dead ends
//! of those that end too early.

use circuit::{Circuit, Encoder, Encoding, Gate};
use encode::{Content, Evaluation, Feasible, Held, Part};
use sat::{AllSat, Cnf, Lit, Next, Reason};

use super::order::{Order, two_way};
use super::{View, facts, spread};

/// A walk through all shapes.
pub(super) struct ShapeEnumeration {
    map: ShapeLiterals,
    models: AllSat,
}

/// The result of an enumeration step.
pub(super) enum Step {
    /// Another shape.
    Shape(FoundShape),
    /// The end: there are no more.
    End,
    /// Dead ends, as many as were accepted; the walk can go on.
    DeadEnds,
    /// The limits.
    Stopped,
}

impl ShapeEnumeration {
    /// The walk through the shapes of the heaps of an evaluation.
    pub(super) fn new(view: &View, evaluation: &mut Evaluation) -> ShapeEnumeration {
        let (map, models) = ShapeLiterals::new(view, evaluation);
        ShapeEnumeration { map, models }
    }

    /// Advances to the next shape, within a number of dead ends. `admits` decides whether a heap of a shape
    /// satisfies the preconditions, if the shape determines that.
    pub(super) fn step(
        &mut self,
        admits: &dyn Fn(&Feasible) -> Option<bool>,
        dead_ends: u64,
        limits: &sat::Limits,
    ) -> Step {
        let first = self.models.statistics().conflicts;
        loop {
            let met = self.models.statistics().conflicts - first;
            let left = Some(dead_ends.saturating_sub(met));
            let within = sat::Limits { conflicts: left, ..*limits };
            match self.models.advance(&within) {
                Next::Found => {}
                Next::None => return Step::End,
                Next::Unknown(Reason::ConflictLimit) => return Step::DeadEnds,
                Next::Unknown(_) => return Step::Stopped,
            }
            let settled = self.map.settled(&mut self.models);
            let is_admitted = if settled.is_whole { admits(&settled.shape) } else { None };
            match is_admitted {
                Some(true) => return Step::Shape(settled),
                Some(false) => {}
                None => match self.models.complete(limits) {
                    Next::Found => return Step::Shape(settled),
                    Next::None => {}
                    Next::Unknown(_) => return Step::Stopped,
                },
            }
        }
    }
}

/// A shape, the gates that all its heaps have in common, and whether all numbers that it settles are in it.
pub(super) struct FoundShape {
    pub(super) shape: Feasible,
    pub(super) gates: Vec<Gate>,
    pub(super) is_whole: bool,
}

/// Where the parts of a heap are among the literals of a formula.
struct ShapeLiterals {
    /// Of each part of the skeleton: whether it is there, and the cases that it may be.
    skeleton: Vec<(Part, Lit, Vec<PartCase>)>,
    computed: Vec<(Part, Lit, Vec<Lit>)>,
    compared: Vec<Class>,
}

/// One of the things that a part may hold.
struct PartCase {
    content: Content,
    gate: Gate,
    literal: Lit,
}

struct Class {
    /// The parts that objects hold, and whether each is there.
    held: Vec<(Part, Lit)>,
    order: Order,
    parameters: Vec<Part>,
}

impl ShapeLiterals {
    /// The formula of which shapes are models, and how to read them.
    fn new(view: &View, evaluation: &mut Evaluation) -> (ShapeLiterals, AllSat) {
        let mut facts = facts(evaluation);
        let circuit = &mut evaluation.circuit;
        facts.extend(view.follows(circuit));
        let mut cnf = Cnf::new();
        let mut encoder = Encoder::new(Encoding::Polarity);
        encoder.assert_all(circuit, &facts, &mut cnf);
        let mut literals = |gates: &[Gate], circuit: &Circuit, cnf: &mut Cnf| {
            two_way(gates, circuit, &mut encoder, cnf)
        };
        let mut skeleton = Vec::new();
        for (part, present, held) in &view.skeleton {
            let (contents, gates) = cases(held);
            let is = literals(&gates, circuit, &mut cnf);
            let cases = contents.into_iter().zip(gates).zip(is);
            let cases = cases.map(|((content, gate), literal)| PartCase { content, gate, literal });
            let present = literals(&[*present], circuit, &mut cnf)[0];
            skeleton.push((*part, present, cases.collect()));
        }
        let mut computed = Vec::new();
        for (part, present, word) in &view.computed {
            let present = literals(&[*present], circuit, &mut cnf)[0];
            computed.push((*part, present, literals(word.gates(), circuit, &mut cnf)));
        }
        let mut compared = Vec::new();
        for class in &view.compared {
            let present: Vec<Gate> = class.held.iter().map(|(_, present, _)| *present).collect();
            let present = two_way(&present, circuit, &mut encoder, &mut cnf);
            let words = class.held.iter().map(|(_, present, word)| (*present, word.clone()));
            let words: Vec<_> = words.collect();
            let order = Order::new(&words, circuit, &mut encoder, &mut cnf);
            let held = class.held.iter().map(|(part, _, _)| *part).zip(present).collect();
            compared.push(Class { held, order, parameters: class.parameters.clone() });
        }
        let shown: Vec<Lit> = skeleton
            .iter()
            .flat_map(|(_, _, cases): &(Part, Lit, Vec<PartCase>)| cases.iter().rev())
            .filter(|case| case.gate.as_constant().is_none())
            .map(|case| case.literal)
            .collect();
        let inputs = circuit.inputs().filter_map(|input| encoder.variable(input));
        let inputs: Vec<sat::Var> = inputs.map(|literal| literal.var()).collect();
        let models = AllSat::new(&cnf, &shown, &inputs);
        (ShapeLiterals { skeleton, computed, compared }, models)
    }

    /// The shape at hand, with the numbers that are seen to be settled. Values for others are proposed.
    fn settled(&self, models: &mut AllSat) -> FoundShape {
        let (mut shape, gates) = self.shape(models);
        let is_whole = self.settle_numbers(&mut shape, models);
        FoundShape { shape, gates, is_whole }
    }

    fn shape(&self, models: &AllSat) -> (Feasible, Vec<Gate>) {
        let mut shape = Feasible::default();
        let mut gates = Vec::new();
        for (part, present, cases) in &self.skeleton {
            let mut true_cases =
                cases.iter().filter(|case| models.value(case.literal) == Some(true));
            let case = true_cases.next().expect("a part is one of its cases");
            gates.push(case.gate);
            if models.value(*present) == Some(true) {
                shape.parts.insert(*part, case.content.clone());
            }
        }
        (shape, gates)
    }

    /// Adds the numbers that are seen to be settled, and proposes values for others. Says whether all are settled.
    fn settle_numbers(&self, shape: &mut Feasible, models: &mut AllSat) -> bool {
        let mut is_settled = true;
        for (part, present, word) in &self.computed {
            if models.value(*present) != Some(true) {
                continue;
            }
            let bits: Option<Vec<bool>> = word.iter().map(|bit| models.value(*bit)).collect();
            match bits {
                Some(bits) => {
                    shape.parts.insert(*part, Content::Number(signed(&bits)));
                }
                None => is_settled = false,
            }
        }
        for class in &self.compared {
            let present: Vec<usize> = (0..class.held.len())
                .filter(|word| models.value(class.held[*word].1) == Some(true))
                .collect();
            class.order.propose(&present, models);
            is_settled &= class.settle(&present, shape, models);
        }
        is_settled
    }
}

impl Class {
    /// Gives values to numbers whose order is known. Says whether it is.
    fn settle(&self, present: &[usize], shape: &mut Feasible, models: &AllSat) -> bool {
        let is_less = |a: usize, b: usize| self.order.is_less(a, b, models);
        let below = |word: usize| {
            present.iter().filter(|other| is_less(**other, word) == Some(true)).count() as i128
        };
        let mut numbered: Vec<(i128, Part, usize)> =
            present.iter().map(|&word| (below(word), self.held[word].0, word)).collect();
        numbered.sort_unstable();
        let is_known = numbered.windows(2).all(|pair| {
            let [(x, _, a), (y, _, b)] = pair else { unreachable!("windows of two") };
            match x == y {
                true => is_less(*a, *b) == Some(false) && is_less(*b, *a) == Some(false),
                false => is_less(*a, *b) == Some(true),
            }
        });
        if is_known {
            let numbered: Vec<(Part, i128)> =
                numbered.into_iter().map(|(number, part, _)| (part, number)).collect();
            spread(shape, &numbered, &self.parameters);
        }
        is_known
    }
}

/// The possible contents of a part, with their gates.
fn cases(held: &Held) -> (Vec<Content>, Vec<Gate>) {
    let numbered = |is: &[Gate], content: fn(Vec<u32>) -> Content| {
        let contents = (0..is.len() as u32).map(|number| content(vec![number]));
        (contents.collect(), is.to_vec())
    };
    match held {
        Held::Atom(is) => numbered(is, Content::Atoms),
        Held::Constructor(is) => numbered(is, Content::Constructors),
        Held::Truth(gate) => {
            (vec![Content::Truth(true), Content::Truth(false)], vec![*gate, !*gate])
        }
        Held::Number(_) => (Vec::new(), Vec::new()),
    }
}

/// A number in two's complement, least bit first.
fn signed(bits: &[bool]) -> i128 {
    let sign = bits.last().copied().unwrap_or(false);
    bits.iter().rev().fold(-i128::from(sign), |number, bit| number << 1 | i128::from(*bit))
}

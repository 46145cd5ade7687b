//! Shapes: the heaps of a scope, one by one.
//!
//! Where an invariant is rich there are few heaps that meet it: of binomial heaps one of each size. Then it is
//! better to run a method from each of them, with only numbers left open, than to ask about all at once: what a
//! reference leads to is known, and most of the formula folds away.
//!
//! A shape says which object each reference to objects with fields leads to, of which class it is, and the truth values.
//! Numbers that are the same in all heaps of a shape are part of it; numbers that are only compared,
//! and always in the same order, are given values in that order with room between them.
//!
//! Shapes are met on one walk through all of them (`walked.rs`). Where it meets many dead ends, a solver is asked whether
//! anything is left, and where every answer is to be certified, one that gives proofs is asked for one shape after
//! another instead (`asked.rs`).

mod enumeration;
mod order;
mod remaining;

use crate::concrete::Program;
use circuit::{Bits, Circuit, Gate};
use encode::{Compared, Content, Evaluation, Feasible, Held, Part, Scope, atoms, evaluate};
use ir::{Module, Procedure, SortId, Type, Variable};

use crate::beginning::beginning;
use crate::follows::{in_order, one_of_each};
use crate::preconditions::preconditions;
use enumeration::{ShapeEnumeration, Step};
use remaining::RemainingShapes;

/// So many dead ends in a row are accepted before a solver is asked whether there is anything left, and then twice
/// as many.
const PATIENCE: u64 = 1_000;
/// Who wants some shapes gets no more than these, and none behind more dead ends in a row.
const SOME: usize = 30;
const FEW_DEAD_ENDS: u64 = 100;
/// So often the walk goes on without meeting what there is.
const FRUITLESS: u32 = 6;

/// The shapes of the heaps of a scope.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shapes {
    /// All of them, in no particular order, but always in the same.
    All(Vec<Feasible>),
    /// More than were asked for, or the solver gave up; the first of them.
    TooMany(Vec<Feasible>),
}

/// Enumerates the shapes of the heaps of a scope that meet the preconditions of a procedure, if there are not
/// too many.
///
/// # Errors
/// If the solver cannot be had as asked.
pub fn shapes(
    module: &Module,
    procedure: &Procedure,
    scope: &Scope,
    most: usize,
    options: sat::Options,
    limits: &sat::Limits,
) -> Result<Shapes, sat::Error> {
    let mut heaps = Heaps::new(module, procedure, scope);
    if options.certify {
        let Heaps { view, evaluation, .. } = &mut heaps;
        return RemainingShapes::new(options).enumerate(view, evaluation, most, limits);
    }
    heaps.walked(most, options, limits)
}

/// Some of the shapes, as many as are met without many dead ends.
pub(crate) fn some_shapes(
    module: &Module,
    procedure: &Procedure,
    scope: &Scope,
    limits: &sat::Limits,
) -> Vec<Feasible> {
    let Heaps { asking, atoms, view, mut evaluation, .. } = Heaps::new(module, procedure, scope);
    let program = Program::new(module, &asking);
    let admits = |shape: &Feasible| admits(module, &asking, &program, &atoms, shape);
    let mut walk = ShapeEnumeration::new(&view, &mut evaluation);
    let steps = std::iter::from_fn(|| match walk.step(&admits, FEW_DEAD_ENDS, limits) {
        Step::Shape(settled) => Some(settled.shape),
        Step::End | Step::DeadEnds | Step::Stopped => None,
    });
    steps.take(SOME).collect()
}

/// The heaps of a scope that meet the preconditions of a procedure.
struct Heaps<'h> {
    module: &'h Module,
    /// The procedure without its body.
    asking: Procedure,
    atoms: Vec<u32>,
    view: View,
    evaluation: Evaluation,
}

impl Heaps<'_> {
    fn new<'h>(module: &'h Module, procedure: &Procedure, scope: &Scope) -> Heaps<'h> {
        let asking = preconditions(procedure);
        let mut evaluation = evaluate(module, &asking, &[], scope);
        let parts = evaluation.parts(module);
        let view = View::new(module, procedure, scope, parts);
        let atoms = atoms(module, procedure, scope);
        Heaps { module, asking, atoms, view, evaluation }
    }

    /// Enumerates shapes on one walk through all of them. After many dead ends in a row a solver is asked whether there is
    /// anything left. If there is, but the walk does not meet it, the solver is asked for it, and for all others.
    fn walked(
        &mut self,
        most: usize,
        options: sat::Options,
        limits: &sat::Limits,
    ) -> Result<Shapes, sat::Error> {
        let Heaps { module, asking, atoms, view, evaluation } = self;
        let program = Program::new(module, asking);
        let admits = |shape: &Feasible| admits(module, asking, &program, atoms, shape);
        let mut walk = ShapeEnumeration::new(view, evaluation);
        let mut rest = RemainingShapes::new(options);
        let (mut patience, mut fruitless) = (PATIENCE, 0);
        loop {
            match walk.step(&admits, patience, limits) {
                Step::Shape(_) if rest.found.len() == most => break,
                Step::Shape(mut settled) => {
                    if !settled.is_whole {
                        rest.settle(&mut settled, view, evaluation, limits)?;
                    }
                    rest.push(settled.shape, settled.gates);
                    fruitless = 0;
                }
                Step::End => return Ok(smallest_first(rest.found)),
                Step::Stopped => break,
                Step::DeadEnds => {
                    match rest.ask(evaluation, limits)? {
                        sat::Answer::Unsat => return Ok(smallest_first(rest.found)),
                        sat::Answer::Unknown(_) => break,
                        sat::Answer::Sat if rest.found.is_empty() || fruitless == FRUITLESS => {
                            return rest.enumerate(view, evaluation, most, limits);
                        }
                        sat::Answer::Sat => {}
                    }
                    fruitless += 1;
                    patience *= 2;
                }
            }
        }
        Ok(Shapes::TooMany(rest.found))
    }
}

/// All shapes, met in an order in which those that end later come first: people prefer the others.
fn smallest_first(mut met: Vec<Feasible>) -> Shapes {
    met.reverse();
    Shapes::All(met)
}

/// Whether a heap of a shape meets the preconditions, if what the shape says is enough to know.
fn admits(
    module: &Module,
    asking: &Procedure,
    program: &Program<'_>,
    atoms: &[u32],
    shape: &Feasible,
) -> Option<bool> {
    if !module.axioms.is_empty() || !module.invariants.is_empty() {
        return None;
    }
    beginning(module, asking, program, atoms, shape)?.is_admitted()
}

/// What all heaps of the scope meet.
pub(crate) fn facts(evaluation: &Evaluation) -> Vec<Gate> {
    evaluation.constraints.iter().copied().chain([evaluation.begins]).collect()
}

/// The parts of the initial state by what they are to a shape.
pub(crate) struct View {
    /// References to objects with fields, constructors without arguments, and truth values.
    skeleton: Vec<(Part, Gate, Held)>,
    /// Numbers that are computed with.
    computed: Vec<(Part, Gate, Bits)>,
    /// Numbers that are only compared, by class, if no constants are among them.
    compared: Vec<Class>,
}

/// Numbers that are only compared, with each other.
#[derive(Default)]
struct Class {
    /// Those that objects hold.
    held: Vec<(Part, Gate, Bits)>,
    /// Those that the procedure is handed.
    handed: Vec<Part>,
}

impl View {
    pub(crate) fn new(
        module: &Module,
        procedure: &Procedure,
        scope: &Scope,
        parts: Vec<(Part, Gate, Held)>,
    ) -> View {
        let classes = &scope.heaps.compared;
        let type_of = |variable: Variable| match variable {
            Variable::Global(id) => &module.global(id).ty,
            Variable::Local(id) => &procedure.local(id).ty,
        };
        // Only numbers that are parts can be given values.
        let is_open = |class: &Compared| {
            class.constants.is_some()
                || class.variables.iter().any(|variable| match type_of(*variable) {
                    Type::Bv(_) | Type::Int => false,
                    Type::Map(keys, value) => {
                        !matches!((&keys[..], &**value), ([Type::Sort(_)], Type::Bv(_) | Type::Int))
                    }
                    _ => true,
                })
        };
        let class_of = |variable: Variable| {
            classes.iter().position(|class| class.variables.contains(&variable))
        };
        let mut view = View { skeleton: Vec::new(), computed: Vec::new(), compared: Vec::new() };
        view.compared.extend(classes.iter().map(|_| Class::default()));
        for (part, present, held) in parts {
            let ty = type_of(part.variable);
            match held {
                // An object without fields is as good as another.
                Held::Atom(_) if !has_fields(module, ty) => {}
                Held::Atom(_) | Held::Constructor(_) | Held::Truth(_) => {
                    view.skeleton.push((part, present, held));
                }
                Held::Number(word) => match (class_of(part.variable), part.row) {
                    (Some(class), _) if is_open(&classes[class]) => {}
                    (Some(class), Some(_)) => view.compared[class].held.push((part, present, word)),
                    // What the procedure is handed is left open.
                    (Some(class), None) => view.compared[class].handed.push(part),
                    (None, Some(_)) => view.computed.push((part, present, word)),
                    (None, None) => {}
                },
            }
        }
        view
    }
}

impl View {
    /// What follows, but is found out by trial if it is not said.
    pub(crate) fn follows(&self, circuit: &mut Circuit) -> Vec<Gate> {
        let mut facts = one_of_each(circuit, &self.skeleton);
        for class in &self.compared {
            let words: Vec<&Bits> = class.held.iter().map(|(_, _, word)| word).collect();
            facts.extend(in_order(circuit, &words));
        }
        facts
    }
}

/// Gives numbers whose order is known values in that order, with room between them for all that the procedure
/// is handed, and lets what it is handed be any of these and of those between.
fn spread(shape: &mut Feasible, held: &[(Part, i128)], handed: &[Part]) {
    let room = handed.len() as i128;
    let mut next = room;
    let mut last = None;
    for (part, value) in held {
        if last.is_some_and(|last| last != *value) {
            next += room + 1;
        }
        last = Some(*value);
        shape.parts.insert(*part, Content::Number(next));
    }
    let greatest = u32::try_from(next + room).expect("there are few atoms");
    shape.parts.extend(handed.iter().map(|part| (*part, Content::UpTo(greatest))));
}

/// Whether atoms of the sort that references of a type lead to have fields.
fn has_fields(module: &Module, ty: &Type) -> bool {
    let sort: SortId = match ty {
        Type::Sort(sort) => *sort,
        Type::Map(_, value) => return has_fields(module, value),
        Type::Bool
        | Type::Bv(_)
        | Type::Int
        | Type::Ptr
        | Type::Seq(_)
        | Type::Record(_)
        | Type::Variant(_)
        | Type::Bytes => return false,
    };
    module
        .globals
        .iter()
        .any(|global| matches!(&global.ty, Type::Map(keys, _) if keys[..] == [Type::Sort(sort)]))
}

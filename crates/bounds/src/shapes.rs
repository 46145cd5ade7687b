//! Shapes: the heaps of a scope, one by one.
//!
//! A strong invariant admits few heaps: of binomial heaps one of each size. Then it is better to execute a
//! method from each of them, with only numbers left open, than to query all at once: the targets of
//! references are known, and most of the formula folds away.
//!
//! A shape determines the target of each reference to objects with fields, its class, and the Booleans.
//! Numbers that are the same in all heaps of a shape are part of it; numbers that are only compared, and
//! always in the same order, get values in that order with gaps between them.
//!
//! One all-SAT enumeration visits the shapes (`enumeration.rs`). Where it meets many dead ends, a solver
//! decides whether any shape is left, and where every answer is to be certified, a solver that produces
//! proofs finds one shape after another instead (`remaining.rs`).

mod enumeration;
mod order;
mod remaining;

use crate::concrete::Program;
use crate::limits::{DEAD_ENDS, FRUITLESS_WALKS, SAMPLED_DEAD_ENDS, SAMPLED_SHAPES};
use circuit::{Bits, Circuit, Gate};
use encode::{Compared, Content, Evaluation, Feasible, Held, Part, Scope, atoms, evaluate};
use ir::{Module, Procedure, SortId, Type, Variable};

use crate::beginning::beginning;
use crate::follows::{in_order, one_of_each};
use crate::preconditions::preconditions;
use enumeration::{ShapeEnumeration, Step};
use remaining::RemainingShapes;

/// The shapes of the heaps of a scope.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shapes {
    /// All of them, in no particular order, but always in the same.
    All(Vec<Feasible>),
    /// More than were asked for, or the solver gave up; the first of them.
    TooMany(Vec<Feasible>),
}

/// Enumerates the shapes of the heaps of a scope that satisfy the preconditions of a procedure, if there are
/// not too many.
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

/// Some of the shapes: those that are found before many dead ends.
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
    let steps = std::iter::from_fn(|| match walk.step(&admits, SAMPLED_DEAD_ENDS, limits) {
        Step::Shape(settled) => Some(settled.shape),
        Step::End | Step::DeadEnds | Step::Stopped => None,
    });
    steps.take(SAMPLED_SHAPES).collect()
}

/// The heaps of a scope that satisfy the preconditions of a procedure.
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

    /// Enumerates shapes by all-SAT enumeration. After many consecutive dead ends a solver decides whether
    /// anything is left. If so, and the enumeration does not find it, the solver finds it and all others.
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
        let (mut patience, mut fruitless) = (DEAD_ENDS, 0);
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
                        sat::Answer::Sat
                            if rest.found.is_empty() || fruitless == FRUITLESS_WALKS =>
                        {
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

/// All shapes, smaller ones first; the enumeration finds larger ones first.
fn smallest_first(mut met: Vec<Feasible>) -> Shapes {
    met.reverse();
    Shapes::All(met)
}

/// Whether a heap of a shape satisfies the preconditions, if the shape determines that.
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

/// The facts that hold in all heaps of the scope.
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
    /// The parts of the arguments.
    parameters: Vec<Part>,
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
                    // Arguments are left open.
                    (Some(class), None) => view.compared[class].parameters.push(part),
                    (None, Some(_)) => view.computed.push((part, present, word)),
                    (None, None) => {}
                },
            }
        }
        view
    }
}

impl View {
    /// Lemmas: implied facts that the solver would otherwise find by trial.
    pub(crate) fn follows(&self, circuit: &mut Circuit) -> Vec<Gate> {
        let mut facts = one_of_each(circuit, &self.skeleton);
        for class in &self.compared {
            let words: Vec<&Bits> = class.held.iter().map(|(_, _, word)| word).collect();
            facts.extend(in_order(circuit, &words));
        }
        facts
    }
}

/// Assigns values to numbers of known order, in that order and with gaps for all arguments, and lets
/// arguments be any of these or of those between.
fn spread(shape: &mut Feasible, held: &[(Part, i128)], parameters: &[Part]) {
    let room = parameters.len() as i128;
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
    shape.parts.extend(parameters.iter().map(|part| (*part, Content::UpTo(greatest))));
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

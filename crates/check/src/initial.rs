//! Initial heaps: the heaps that the preconditions of a procedure admit.
//!
//! [`instances`] enumerates them, smallest first and one of each shape, each confirmed by the interpreter; [`chart`] lists
//! the values that each field can have in any of them.

use std::sync::Arc;

use bounds::{HeapQuery, Shapes, TightBounds, preconditions};
use encode::{Content, Feasible, Part, QuerySession, Scope, Witness, evaluate, replay};
use explain::Objects;
use interpret::{Outcome, Value};
use ir::{GlobalId, Module, ProcedureId, SortId, Type, Variable};
use report::Heap;
use report::chart::{Chart, Field, Row};

use crate::context::confirming;
use crate::examine::Program;
use crate::options::{CheckOptions, SearchState};

/// The heaps that meet the preconditions of a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instances {
    /// One of each shape, smallest first.
    pub heaps: Vec<Heap>,
    /// Whether these are all shapes within the limits.
    pub is_all: bool,
    /// The number of heaps that the interpreter did not confirm.
    pub unconfirmed: usize,
}

/// Enumerates the heaps that meet the preconditions of a procedure, up to `most`.
///
/// # Errors
/// If the solver cannot be started.
pub fn instances(
    program: &Program<'_>,
    procedure: ProcedureId,
    options: &CheckOptions,
    most: usize,
) -> Result<Instances, encode::SolverError> {
    let mut found = Instances { heaps: Vec::new(), is_all: true, unconfirmed: 0 };
    for size in 1..=options.bounds.largest_scope() {
        let exhausted = size.checked_sub(1).filter(|before| *before > 0);
        let options = CheckOptions {
            bounds: options.bounds.with_at_most(size),
            state: SearchState { exhausted, ..options.state },
            ..options.clone()
        };
        let scope = scope(program, procedure, &options);
        let costs = options.solver.of_query();
        let query = query(program, procedure, &scope, &options, &costs);
        let room = most - found.heaps.len();
        let (shapes, is_all) = match query.shapes(room, None)? {
            Shapes::All(shapes) => (shapes, true),
            Shapes::TooMany(first) => (first, false),
        };
        let mut round = Vec::new();
        for shape in shapes {
            match instance(program, procedure, &scope, shape, &options)? {
                Some(heap) => round.push(heap),
                None => found.unconfirmed += 1,
            }
        }
        round.sort_by_key(|heap| heap.objects.len());
        for heap in round {
            let when = (found.heaps.len() + 1).to_string();
            found.heaps.push(Heap { when, ..heap });
        }
        if !is_all {
            found.is_all = false;
            break;
        }
    }
    Ok(found)
}

/// A heap of a shape, if the interpreter confirms that it meets the preconditions.
fn instance(
    program: &Program<'_>,
    procedure: ProcedureId,
    scope: &Scope,
    shape: Feasible,
    options: &CheckOptions,
) -> Result<Option<Heap>, encode::SolverError> {
    let module = program.module;
    let mut scope = scope.clone();
    scope.heaps.feasible = Some(Arc::new(shape));
    let evaluation = evaluate(module, &preconditions(module.procedure(procedure)), &[], &scope);
    let solver = &options.solver;
    let mut session = QuerySession::new(module, &evaluation, solver.options(), solver.of_query())?;
    if session.ask(&[evaluation.begins]) != encode::QueryAnswer::Sat {
        return Ok(None);
    }
    let witness = session.witness();
    let run = replay(module, procedure, &witness, &confirming());
    Ok(matches!(run.outcome, Outcome::Exit(_)).then(|| initial_heap(module, procedure, &witness)))
}

/// The initial heap of a witness.
fn initial_heap(module: &Module, procedure: ProcedureId, witness: &Witness) -> Heap {
    let value = |variable: Variable| {
        let found = witness.inputs.iter().find(|(known, _)| *known == variable);
        found.map(|(_, value)| value)
    };
    let globals = (0..module.globals.len() as u32).map(GlobalId);
    let state: Vec<Option<Value>> =
        globals.map(|id| value(Variable::Global(id)).cloned()).collect();
    let objects = Objects::new(module, &state);
    let subject = module.procedure(procedure);
    let variables: Vec<(String, Value)> = witness
        .inputs
        .iter()
        .filter_map(|(variable, value)| match variable {
            Variable::Local(id) => Some((subject.display(*id).to_owned(), value.clone())),
            Variable::Global(_) => None,
        })
        .collect();
    let constants = witness.functions.iter();
    let constants: Vec<(String, Value)> =
        constants.map(|(id, value)| (module.function(*id).name.clone(), value.clone())).collect();
    objects.heap("", &variables, &constants, &|id| state[id.0 as usize].as_ref())
}

/// Computes the values that fields can have in the heaps that meet the preconditions of a procedure: those of a class.
///
/// # Errors
/// If the solver cannot be started.
pub fn chart(
    program: &Program<'_>,
    procedure: ProcedureId,
    class: &str,
    options: &CheckOptions,
) -> Result<Chart, encode::SolverError> {
    let scope = scope(program, procedure, options);
    let costs = options.solver.of_query();
    let query = query(program, procedure, &scope, options, &costs);
    let tight = query.tighten(program.cache)?;
    let module = program.module;
    let fields = (0..module.globals.len() as u32).map(GlobalId);
    let fields = fields.filter_map(|id| field(module, id, &tight, &scope)).collect();
    let TightBounds { loose, tight, open, is_satisfiable, .. } = tight;
    let named = options.bounds.scopes.iter().map(|(sort, count)| format!(", {count} of {sort}"));
    let words = format!("scope {}{}", options.bounds.scope, named.collect::<String>());
    let class = class.to_owned();
    let fields = if is_satisfiable { fields } else { Vec::new() };
    Ok(Chart { class, scope: words, is_satisfiable, loose, tight, open, fields })
}

/// The values that one field can have, if objects that have it can exist.
fn field(module: &Module, id: GlobalId, tight: &TightBounds, scope: &Scope) -> Option<Field> {
    let global = module.global(id);
    let Type::Map(keys, to) = &global.ty else { return None };
    let ([Type::Sort(from)], Some(display)) = (&keys[..], &global.display) else { return None };
    let columns: Vec<String> = match &**to {
        Type::Sort(sort) => {
            let count = rows_of(module, *sort, tight)
                .unwrap_or_else(|| scope.atoms_of(&module.sorts[sort.0 as usize]));
            let null = std::iter::once("null".to_owned());
            null.chain((1..=count).map(|number| object(module, *sort, number))).collect()
        }
        Type::Bool | Type::Bv(_) | Type::Int => Vec::new(),
        _ => return None,
    };
    let rows = (1..=rows_of(module, *from, tight)?).map(|row| {
        let part = Part { variable: Variable::Global(id), row: Some(row) };
        let content = tight.feasible.parts.get(&part);
        let object = object(module, *from, row);
        let (leads, holds) = match content {
            Some(Content::Atoms(numbers)) => {
                let columns = 0..columns.len() as u32;
                (columns.map(|column| numbers.contains(&column)).collect(), None)
            }
            Some(Content::Constructors(_)) => (Vec::new(), None),
            Some(Content::Number(number)) => (Vec::new(), Some(number.to_string())),
            Some(Content::UpTo(greatest)) => (Vec::new(), Some(format!("0 to {greatest}"))),
            Some(Content::Truth(truth)) => (Vec::new(), Some(truth.to_string())),
            Some(Content::Width(width)) => {
                let half = 1_i128 << (width - 1).min(126);
                (Vec::new(), Some(format!("{} to {}", -half, half - 1)))
            }
            None => {
                let anything = if **to == Type::Bool { "true or false" } else { "any number" };
                (Vec::new(), Some(anything.to_owned()))
            }
        };
        Row { object, leads, holds }
    });
    let rows = rows.collect();
    let owner = &module.sorts[from.0 as usize];
    let name =
        if global.name.contains('.') { global.name.clone() } else { format!("{owner}.{display}") };
    Some(Field { name, columns, rows })
}

/// The number of objects of a sort that can exist, if it has fields.
fn rows_of(module: &Module, sort: SortId, tight: &TightBounds) -> Option<u32> {
    let is_field = |variable: Variable| match variable {
        Variable::Global(id) => {
            let ty = &module.global(id).ty;
            matches!(ty, Type::Map(keys, _) if keys[..] == [Type::Sort(sort)])
        }
        Variable::Local(_) => false,
    };
    let rows = tight.feasible.parts.keys().filter(|part| is_field(part.variable));
    rows.filter_map(|part| part.row).max()
}

/// An object by the simple name of its class, which is enough beside the name of a field.
fn object(module: &Module, sort: SortId, number: u32) -> String {
    let name = &module.sorts[sort.0 as usize];
    format!("{}#{number}", name.rsplit('.').next().unwrap_or(name))
}

fn scope(program: &Program<'_>, procedure: ProcedureId, options: &CheckOptions) -> Scope {
    let mut scope =
        options.strategy.scope(program.module, program.module.procedure(procedure), options);
    // The user wants to see whole heaps, not only the fields that a procedure reads.
    scope.heaps.mentioned = None;
    scope
}

fn query<'q>(
    program: &'q Program<'_>,
    procedure: ProcedureId,
    scope: &'q Scope,
    options: &CheckOptions,
    costs: &'q encode::QueryLimits,
) -> HeapQuery<'q> {
    let procedure = program.module.procedure(procedure);
    let options = options.solver.options();
    HeapQuery { module: program.module, procedure, scope, options, limits: costs }
}

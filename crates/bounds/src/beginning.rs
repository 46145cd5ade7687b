//! A shape as the initial state of concrete executions, which need no solver.

use crate::concrete::{Machine, Program, Value};
use encode::{Content, Feasible, Part};
use ir::{Module, Procedure, Type, Variable};

/// A state in which the heap has a shape, and everything that the shape leaves open is unknown. `atoms` is
/// the number of atoms of each sort. None if the shape is not concrete: a part may be one of several atoms.
pub fn beginning<'p>(
    module: &'p Module,
    procedure: &'p Procedure,
    program: &'p Program<'p>,
    atoms: &[u32],
    shape: &Feasible,
) -> Option<Machine<'p>> {
    let mut machine = Machine::new(program, atoms)?;
    for (sort, rows) in present(module, procedure, shape)?.into_iter().enumerate() {
        for row in rows {
            for (number, global) in (0..).zip(&module.globals) {
                if leads_from(&global.ty) == Some(sort) {
                    let variable = Variable::Global(ir::GlobalId(number));
                    machine.begin_with(variable, Some(row), Value::Unknown);
                }
            }
        }
    }
    for (part, content) in &shape.parts {
        machine.begin_with(part.variable, part.row, value(content));
    }
    Some(machine)
}

/// The known value of a part.
pub fn value(content: &Content) -> Value {
    match content {
        Content::Atoms(numbers) => match numbers[..] {
            [number] => u8::try_from(number).map_or(Value::Unknown, Value::Atom),
            _ => Value::Unknown,
        },
        Content::Constructors(numbers) => match numbers[..] {
            [number] => u8::try_from(number).map_or(Value::Unknown, Value::Constructor),
            _ => Value::Unknown,
        },
        Content::Number(number) => match i64::try_from(*number) {
            Ok(number) => Value::Number(number),
            Err(_) => Value::Unknown,
        },
        Content::UpTo(_) | Content::Width(_) => Value::Unknown,
        Content::Truth(truth) => Value::Truth(*truth),
    }
}

/// The atoms of each sort that exist: something refers to them, or the shape describes them.
fn present(module: &Module, procedure: &Procedure, shape: &Feasible) -> Option<Vec<Vec<u32>>> {
    let mut present: Vec<Vec<u32>> = vec![Vec::new(); module.sorts.len()];
    for (Part { variable, row }, content) in &shape.parts {
        let ty = match variable {
            Variable::Global(id) => &module.global(*id).ty,
            Variable::Local(id) => &procedure.local(*id).ty,
        };
        if let (Some(sort), Some(row)) = (leads_from(ty), row) {
            present[sort].push(*row);
        }
        let to = match ty {
            Type::Map(_, to) => to,
            ty => ty,
        };
        if let (Type::Sort(sort), Content::Atoms(numbers)) = (to, content) {
            let [number] = numbers[..] else { return None };
            present[sort.0 as usize].extend((number > 0).then_some(number));
        }
    }
    for rows in &mut present {
        rows.sort_unstable();
        rows.dedup();
    }
    Some(present)
}

/// The sort from whose atoms a map leads.
fn leads_from(ty: &Type) -> Option<usize> {
    match ty {
        Type::Map(keys, _) => match keys[..] {
            [Type::Sort(sort)] => Some(sort.0 as usize),
            _ => None,
        },
        _ => None,
    }
}

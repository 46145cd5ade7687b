//! Which functions and datatypes are defined by themselves, and which definitions are
//! specifications.

use crate::program::{Program, Reference};
use crate::syntax::NodeKind;
use crate::types::{Ty, TypeId, Types};

/// For each function whether its definition uses it, directly or through others, and whether its
/// definition is a specification.
pub(super) fn functions(program: &Program<'_, '_>) -> (Vec<bool>, Vec<bool>) {
    let count = program.functions.len();
    let mut uses: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut specifications = vec![false; count];
    for (index, function) in program.functions.iter().enumerate() {
        specifications[index] = function.builtin.is_some_and(|text| text.starts_with("Map"));
        let Some(body) = function.body else { continue };
        for node in body.first..=body.root {
            if let Reference::Function(used) = program.meaning.references[node as usize] {
                uses[index].push(used);
            }
            specifications[index] |= matches!(
                program.syntax.nodes[node as usize].kind,
                NodeKind::Quantified(..) | NodeKind::Lambda(..)
            );
        }
    }
    let (order, recursive) = components(count, &uses);
    for index in order {
        if !recursive[index] && program.functions[index].body.is_some() {
            let used = uses[index].iter().any(|used| specifications[*used]);
            specifications[index] |= used;
        } else if recursive[index] {
            // It is declared without a definition and described by an axiom.
            specifications[index] = false;
        }
    }
    (recursive, specifications)
}

/// For each declared type whether its values contain others of its own.
pub(super) fn types(program: &Program<'_, '_>, types: &Types) -> Vec<bool> {
    let count = program.declared.len();
    let mut parts: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (index, declared) in program.declared.iter().enumerate() {
        for constructor in declared.constructors.iter().flatten() {
            for (_, ty) in &constructor.fields {
                contained(program, types, *ty, &mut parts[index]);
            }
        }
    }
    components(count, &parts).1
}

/// The datatypes that values of a type contain.
fn contained(program: &Program<'_, '_>, types: &Types, id: TypeId, found: &mut Vec<usize>) {
    match types.get(id) {
        Ty::Constructed(index, arguments) => {
            let declared = &program.declared[*index];
            if declared.constructors.is_some() || declared.is_sequence {
                found.push(*index);
                arguments.iter().for_each(|part| contained(program, types, *part, found));
            }
        }
        Ty::Map(_, keys, value) => {
            keys.iter().for_each(|key| contained(program, types, *key, found));
            contained(program, types, *value, found);
        }
        Ty::Broken
        | Ty::Bool
        | Ty::Int
        | Ty::Real
        | Ty::Bv(_)
        | Ty::Float(..)
        | Ty::RoundingMode
        | Ty::Text
        | Ty::RegularExpression
        | Ty::Rigid(_)
        | Ty::Open(_)
        | Ty::Bound(..) => {}
    }
}

/// The nodes of a graph, each behind those it leads to where that can be, and for each whether it
/// leads back to itself. Tarjan's algorithm, without recursion.
fn components(count: usize, next: &[Vec<usize>]) -> (Vec<usize>, Vec<bool>) {
    const NEW: usize = usize::MAX;
    let mut numbers = vec![NEW; count];
    let mut lowest = vec![0; count];
    let mut is_open = vec![false; count];
    let (mut stack, mut order) = (Vec::new(), Vec::with_capacity(count));
    let mut circular = vec![false; count];
    let mut number = 0;
    for start in 0..count {
        if numbers[start] != NEW {
            continue;
        }
        let mut work = vec![(start, 0)];
        while let Some((node, edge)) = work.pop() {
            if edge == 0 {
                numbers[node] = number;
                lowest[node] = number;
                number += 1;
                stack.push(node);
                is_open[node] = true;
            }
            if let Some(target) = next[node].get(edge).copied() {
                work.push((node, edge + 1));
                if numbers[target] == NEW {
                    work.push((target, 0));
                } else if is_open[target] {
                    lowest[node] = lowest[node].min(numbers[target]);
                    circular[node] |= target == node;
                }
                continue;
            }
            if let Some((above, _)) = work.last() {
                lowest[*above] = lowest[*above].min(lowest[node]);
            }
            if lowest[node] == numbers[node] {
                let position = stack.iter().rposition(|other| *other == node).unwrap_or(0);
                let members = stack.split_off(position);
                for member in &members {
                    is_open[*member] = false;
                    circular[*member] |= members.len() > 1;
                }
                order.extend(members);
            }
        }
    }
    (order, circular)
}

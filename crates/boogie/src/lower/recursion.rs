//! Which functions and datatypes are defined by themselves, and which definitions are
//! specifications.

use crate::graph::circles;
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
    let (order, recursive) = circles(&uses);
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
    circles(&parts).1
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

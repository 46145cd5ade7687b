//! Which method a call means (JLS §15.12.2): those that fit without boxes, then with, then with a variable
//! number of arguments; of several the one whose parameters fit all the others.

use super::body::{Body, Val};
use super::convert::{boxed, unboxed};
use crate::program::{MethodId, Program};
use crate::types::Ty;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Strict,
    Loose,
    Variadic,
}

impl Body<'_, '_> {
    /// All methods of a name that a type has, nearest first; those that are overridden are left out.
    pub(super) fn methods_named(&self, ty: &Ty, name: &str) -> Vec<MethodId> {
        let program = self.cx.program;
        let mut found: Vec<MethodId> = Vec::new();
        for (class, _) in program.lineage(ty) {
            for &id in &program.class(class).methods {
                let method = program.method(id);
                let is_overridden = |known: &MethodId| {
                    let known = program.method(*known);
                    known.parameters.len() == method.parameters.len()
                        && known
                            .parameters
                            .iter()
                            .zip(&method.parameters)
                            .all(|(a, b)| program.erased(&a.ty) == program.erased(&b.ty))
                };
                if method.name == name && !found.iter().any(is_overridden) {
                    found.push(id);
                }
            }
        }
        found
    }

    pub(super) fn most_specific(&self, all: &[MethodId], arguments: &[Val]) -> Option<MethodId> {
        let program = self.cx.program;
        for phase in [Phase::Strict, Phase::Loose, Phase::Variadic] {
            let fitting: Vec<MethodId> = all
                .iter()
                .copied()
                .filter(|id| is_applicable(program, *id, arguments, phase))
                .collect();
            let is_best = |id: &&MethodId| {
                fitting.iter().all(|other| other == *id || is_narrower(program, **id, *other))
            };
            if let Some(best) = fitting.iter().find(is_best).or(fitting.first()) {
                return Some(*best);
            }
        }
        None
    }
}

fn is_applicable(program: &Program<'_>, id: MethodId, arguments: &[Val], phase: Phase) -> bool {
    let method = program.method(id);
    let parameters: Vec<&Ty> = method.parameters.iter().map(|parameter| &parameter.ty).collect();
    let fits = |argument: &Val, parameter: &Ty| {
        is_compatible(program, &argument.ty, parameter, phase != Phase::Strict)
    };
    if phase == Phase::Variadic {
        let Some((Ty::Array(element), fixed)) = parameters.split_last().map(|(a, b)| (*a, b))
        else {
            return false;
        };
        return method.is_variadic
            && arguments.len() >= fixed.len()
            && arguments.iter().zip(fixed).all(|(argument, parameter)| fits(argument, parameter))
            && arguments[fixed.len()..].iter().all(|argument| fits(argument, element));
    }
    parameters.len() == arguments.len()
        && arguments.iter().zip(parameters).all(|(argument, parameter)| fits(argument, parameter))
}

/// Whether a value of one type can be given where another is wanted.
pub(super) fn is_compatible(program: &Program<'_>, from: &Ty, to: &Ty, with_boxes: bool) -> bool {
    if from == to || *from == Ty::Unknown || *to == Ty::Unknown {
        return true;
    }
    if from.is_numeric() && to.is_numeric() {
        return from.widens_to(to);
    }
    match (from, to) {
        (Ty::Null, to) => to.is_reference(),
        (Ty::Array(from), Ty::Array(to)) => {
            from == to || (from.is_reference() && is_compatible(program, from, to, false))
        }
        (Ty::Array(_), to) => {
            program.class_of(to).is_some() && program.class_of(to) == program.object()
        }
        (from, to) if from.is_reference() && to.is_reference() => {
            match (program.class_of(from), program.class_of(to)) {
                (Some(from), Some(above)) => {
                    !matches!(to, Ty::Array(_))
                        && (program.is_subclass(from, above)
                            || program.class(from).is_opaque
                            || program.class(above).is_opaque)
                }
                _ => false,
            }
        }
        (from, to) if with_boxes => {
            let inner =
                unboxed(program, from).map(|inner| is_compatible(program, &inner, to, false));
            let outer = boxed(program, from).map(|outer| is_compatible(program, &outer, to, false));
            inner.unwrap_or(false) || outer.unwrap_or(false)
        }
        _ => false,
    }
}

/// Whether the parameters of one method fit another.
fn is_narrower(program: &Program<'_>, id: MethodId, other: MethodId) -> bool {
    let (own, others) = (&program.method(id).parameters, &program.method(other).parameters);
    own.len() == others.len()
        && own.iter().zip(others).all(|(a, b)| is_compatible(program, &a.ty, &b.ty, false))
}

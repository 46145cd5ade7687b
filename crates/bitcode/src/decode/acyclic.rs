//! Checking that types and constants nest without cycles and not too deeply.
//!
//! Both are graphs of numbered nodes; a depth-first search with its own stack visits each node
//! once, elements before what contains them, and computes its depth. For types the same visit
//! computes layouts.

use super::Decoder;
use crate::MAX_DEPTH;
use crate::error::Error;
use crate::layout::TypeLayout;
use crate::module::Module;
use crate::value::Value;

impl Decoder<'_> {
    pub(super) fn check_types(&mut self) -> Result<(), Error> {
        let module = &mut self.module;
        let unknown = TypeLayout { bits: 0, align: 1 };
        let mut layouts = vec![unknown; module.types.len()];
        visit(
            module.types.len(),
            |index| module.types[index].mentioned().iter().map(|id| id.index()).collect(),
            |index| {
                layouts[index] =
                    module.data_layout.of(&module.types[index], |id| layouts[id.index()]);
            },
            "types that contain themselves or nest too deeply",
        )?;
        module.layouts = layouts;
        Ok(())
    }

    pub(super) fn check_constants(&self) -> Result<(), Error> {
        // Aliases and indirect functions count as constants.
        let Module { constants, aliases, ifuncs, .. } = &self.module;
        let (first_alias, first_ifunc) = (constants.len(), constants.len() + aliases.len());
        let node = |value: &Value| match *value {
            Value::Constant(id) => Some(id.index()),
            Value::Alias(id) => Some(first_alias + id.index()),
            Value::Ifunc(id) => Some(first_ifunc + id.index()),
            _ => None,
        };
        visit(
            first_ifunc + ifuncs.len(),
            |index| {
                if let Some(ifunc) = index.checked_sub(first_ifunc) {
                    node(&ifuncs[ifunc].resolver).into_iter().collect()
                } else if let Some(alias) = index.checked_sub(first_alias) {
                    node(&aliases[alias].aliasee).into_iter().collect()
                } else {
                    constants[index].kind.operands().iter().filter_map(node).collect()
                }
            },
            |_| {},
            "constants that use themselves or nest too deeply",
        )
    }
}

/// Visit the nodes `0..count`, `below` each giving those it contains; call `done` on each after
/// all below it.
fn visit(
    count: usize,
    below: impl Fn(usize) -> Vec<usize>,
    mut done: impl FnMut(usize),
    what: &'static str,
) -> Result<(), Error> {
    const UNSEEN: u32 = u32::MAX;
    const OPEN: u32 = u32::MAX - 1;
    let wrong = Error::Malformed { byte: 0, what };
    let mut depths = vec![UNSEEN; count];
    let mut stack: Vec<(usize, Vec<usize>, u32)> = Vec::new();
    for root in 0..count {
        if depths[root] == UNSEEN {
            depths[root] = OPEN;
            stack.push((root, below(root), 0));
        }
        while let Some((node, pending, depth)) = stack.last_mut() {
            let Some(next) = pending.pop() else {
                depths[*node] = *depth;
                done(*node);
                let above = *depth + 1;
                stack.pop();
                if let Some((_, _, depth)) = stack.last_mut() {
                    *depth = above.max(*depth);
                }
                if above > MAX_DEPTH {
                    return Err(wrong);
                }
                continue;
            };
            match depths[next] {
                UNSEEN => {
                    depths[next] = OPEN;
                    stack.push((next, below(next), 0));
                }
                OPEN => return Err(wrong),
                known => *depth = (known + 1).max(*depth),
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::visit;
    use crate::MAX_DEPTH;

    fn check(edges: &[&[usize]]) -> Option<Vec<usize>> {
        let mut order = Vec::new();
        visit(edges.len(), |n| edges[n].to_vec(), |n| order.push(n), "").ok().map(|()| order)
    }

    #[test]
    fn elements_come_first() {
        assert_eq!(check(&[&[1, 2], &[2], &[]]), Some(vec![2, 1, 0]));
    }

    #[test]
    fn cycles_are_refused() {
        assert_eq!(check(&[&[0]]), None);
        assert_eq!(check(&[&[1], &[2], &[0]]), None);
    }

    #[test]
    fn depth_is_limited_whatever_the_order() {
        let limit = MAX_DEPTH as usize;
        let chain =
            |length: usize| visit(length, |n| if n > 0 { vec![n - 1] } else { vec![] }, |_| {}, "");
        assert!(chain(limit).is_ok());
        assert!(chain(limit + 1).is_err());
        let length = limit + 1;
        assert!(
            visit(length, |n| if n + 1 < length { vec![n + 1] } else { vec![] }, |_| {}, "")
                .is_err()
        );
    }
}

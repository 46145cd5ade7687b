//! Circles in graphs.

/// The nodes of a graph, given where each leads, each behind those it leads to where that can be; and for each
/// whether it leads back to itself.
pub(crate) fn circles(next: &[Vec<usize>]) -> (Vec<usize>, Vec<bool>) {
    let components = ir::components(next);
    let mut circular: Vec<bool> =
        next.iter().enumerate().map(|(node, next)| next.contains(&node)).collect();
    for &node in components.iter().filter(|members| members.len() > 1).flatten() {
        circular[node] = true;
    }
    (components.into_iter().flatten().collect(), circular)
}

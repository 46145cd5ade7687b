//! Circles in graphs.

/// The nodes of a graph, each behind those it leads to where that can be, and for each whether it
/// leads back to itself. Tarjan's algorithm, without recursion.
pub(crate) fn components(count: usize, next: &[Vec<usize>]) -> (Vec<usize>, Vec<bool>) {
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

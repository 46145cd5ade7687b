//! Strongly connected components: cycles of calls and definitions.
//!
//! The algorithm is not recursive: a chain of calls can be longer than the stack is deep.

/// The strongly connected components of a graph, from the successors of each node, each component after those
/// it leads to (Tarjan, *Depth-first search and linear graph algorithms*, 1972). Nodes are in order in each.
pub fn components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut order = vec![NEW; next.len()];
    let mut low = vec![0; next.len()];
    let mut is_open = vec![false; next.len()];
    let mut stack = Vec::new();
    let mut components = Vec::new();
    let mut number = 0;
    for start in 0..next.len() {
        if order[start] != NEW {
            continue;
        }
        let mut work = vec![(start, 0)];
        while let Some((node, position)) = work.pop() {
            if position == 0 {
                order[node] = number;
                low[node] = number;
                number += 1;
                stack.push(node);
                is_open[node] = true;
            }
            if let Some(&target) = next[node].get(position) {
                work.push((node, position + 1));
                if order[target] == NEW {
                    work.push((target, 0));
                } else if is_open[target] {
                    low[node] = low[node].min(order[target]);
                }
                continue;
            }
            if let Some(&(before, _)) = work.last() {
                low[before] = low[before].min(low[node]);
            }
            if low[node] == order[node] {
                let at = stack.iter().rposition(|open| *open == node).expect("it is open");
                let mut component = stack.split_off(at);
                component.iter().for_each(|node| is_open[*node] = false);
                component.sort_unstable();
                components.push(component);
            }
        }
    }
    components
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn components_come_behind_those_they_lead_to() {
        let graph = [vec![1], vec![2], vec![1, 3], vec![], vec![0, 4]];
        assert_eq!(components(&graph), [vec![3], vec![1, 2], vec![0], vec![4]]);
    }
}

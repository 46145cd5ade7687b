//! The places that statements may change.

use ir::{Place, StatementKind};

/// Every place that a statement itself may change. What a callee changes is another matter.
pub(crate) fn written(kind: &StatementKind) -> Vec<&Place> {
    match kind {
        StatementKind::Assign(pairs) => pairs.iter().map(|(place, _)| place).collect(),
        StatementKind::Havoc { place, .. } | StatementKind::Allocate { place, .. } => vec![place],
        StatementKind::Assume { .. } | StatementKind::Assert { .. } | StatementKind::Free(_) => {
            Vec::new()
        }
        StatementKind::Call { results, caught, .. } => {
            let mut places: Vec<&Place> = results.iter().collect();
            if let Some((flag, value)) = caught {
                places.push(flag);
                places.extend(value);
            }
            places
        }
        StatementKind::Unsupported { writes, .. } => writes.iter().collect(),
    }
}

/// Every place that a statement itself may change, to be replaced.
pub(crate) fn written_mut(kind: &mut StatementKind) -> Vec<&mut Place> {
    match kind {
        StatementKind::Assign(pairs) => pairs.iter_mut().map(|(place, _)| place).collect(),
        StatementKind::Havoc { place, .. } | StatementKind::Allocate { place, .. } => vec![place],
        StatementKind::Assume { .. } | StatementKind::Assert { .. } | StatementKind::Free(_) => {
            Vec::new()
        }
        StatementKind::Call { results, caught, .. } => {
            let mut places: Vec<&mut Place> = results.iter_mut().collect();
            if let Some((flag, value)) = caught {
                places.push(flag);
                places.extend(value);
            }
            places
        }
        StatementKind::Unsupported { writes, .. } => writes.iter_mut().collect(),
    }
}

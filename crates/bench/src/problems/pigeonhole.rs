//! The pigeonhole principle: more pigeons than holes do not fit, one in each.
//!
//! Without symmetry breaking, every resolution proof is exponential in the number of holes (Haken
//! 1985); with the lexicographic order on interchangeable pigeons it is easy.
//!
//! ```text
//! sig Hole {}  sig Pigeon {hole: Hole}
//! run {all disj p, q: Pigeon | no p.hole & q.hole} for exactly 30 Pigeon, exactly 29 Hole
//! ```

use relational::{Error, Logic, all};

use super::vocabulary::Vocabulary;
use super::{Expected, Problem};

/// Do the pigeons fit? They do if there are enough holes.
///
/// # Errors
/// If there are no atoms at all.
pub fn pigeonhole(logic: &Logic, pigeons: usize, holes: usize) -> Result<Problem<'_>, Error> {
    let sorts = [("Pigeon", pigeons), ("Hole", holes)];
    let (mut vocabulary, [p, h]) = Vocabulary::new(logic, sorts)?;
    let pigeon = vocabulary.exactly("Pigeon", &p)?;
    let holes_there = vocabulary.exactly("Hole", &h)?;
    let hole = vocabulary.at_most("hole", &p.product(&h)?)?;
    let alone = all([("p1", pigeon), ("p2", pigeon)], |[p1, p2]| {
        (!p1.equals(p2)).implies((p1.join(hole) & p2.join(hole)).no())
    });
    Ok(Problem {
        name: format!("pigeonhole, {pigeons} into {holes}"),
        bounds: vocabulary.bounds(),
        facts: vec![hole.is_function(pigeon, holes_there)],
        goal: alone,
        expected: if pigeons > holes { Expected::Unsat } else { Expected::Sat },
        symmetry: Some(pigeons),
    })
}

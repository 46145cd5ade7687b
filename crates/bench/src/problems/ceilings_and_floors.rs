//! One man's ceiling is another man's floor; is one man's floor another man's ceiling?
//!
//! If no two men share a floor or a ceiling it is. Of the three assertions of the Alloy model
//! (`ceilingsAndFloors.als`, by Jackson after Paul Simon's song) this is the last, which holds.
//!
//! ```text
//! sig Platform {}  sig Man {ceiling, floor: Platform}
//! fact  all m: Man | some n: Man | n.floor = m.ceiling
//! fact  no disj m, n: Man | m.floor = n.floor or m.ceiling = n.ceiling
//! check all m: Man | some n: Man | m.floor = n.ceiling
//! ```

use relational::{Error, Expr, Formula, Logic, all, some};

use super::vocabulary::Vocabulary;
use super::{Expected, Problem};

/// Can a man's floor be nobody's ceiling? It cannot.
///
/// # Errors
/// If there are no atoms at all.
pub fn ceilings_and_floors(
    logic: &Logic,
    platforms: usize,
    men: usize,
) -> Result<Problem<'_>, Error> {
    let sorts = [("Man", men), ("Platform", platforms)];
    let (mut vocabulary, [m, p]) = Vocabulary::new(logic, sorts)?;
    let platform = vocabulary.at_most("Platform", &p)?;
    let man = vocabulary.at_most("Man", &m)?;
    let ceiling = vocabulary.at_most("ceiling", &m.product(&p)?)?;
    let floor = vocabulary.at_most("floor", &m.product(&p)?)?;
    let unshared = all([("m", man), ("n", man)], |[m, n]| {
        let shared = m.join(floor).equals(n.join(floor)) | m.join(ceiling).equals(n.join(ceiling));
        (!m.equals(n)).implies(!shared)
    });
    Ok(Problem {
        name: format!("ceilings and floors, {platforms} platforms, {men} men"),
        bounds: vocabulary.bounds(),
        facts: vec![
            ceiling.is_function(man, platform) & floor.is_function(man, platform),
            all([("m", man)], |[m]| someone_above(m, man, ceiling, floor)),
            unshared,
        ],
        goal: !all([("m", man)], |[m]| someone_below(m, man, ceiling, floor)),
        expected: Expected::Unsat,
        symmetry: None,
    })
}

/// The man's ceiling is someone's floor.
fn someone_above<'a>(
    m: Expr<'a>,
    man: Expr<'a>,
    ceiling: Expr<'a>,
    floor: Expr<'a>,
) -> Formula<'a> {
    some([("n", man)], |[n]| n.join(floor).equals(m.join(ceiling)))
}

/// The man's floor is someone's ceiling.
fn someone_below<'a>(
    m: Expr<'a>,
    man: Expr<'a>,
    ceiling: Expr<'a>,
    floor: Expr<'a>,
) -> Formula<'a> {
    some([("n", man)], |[n]| m.join(floor).equals(n.join(ceiling)))
}

//! Lists as atoms: which are equivalent, and which are prefixes of which.
//!
//! (In Alloy: `lists.als` of its distribution.)
//!
//! ```text
//! sig Thing {}  abstract sig List {equivTo, prefixes: set List}
//! sig EmptyList extends List {}  sig NonEmptyList extends List {car: Thing, cdr: List}
//! fact  Thing in List.car
//! fact  all l: List | some EmptyList & l.*cdr
//! fact  all a, b: List | a in b.equivTo <=> a.car = b.car and b.cdr in a.cdr.equivTo
//! fact  List -> EmptyList in prefixes
//! fact  all a, b: NonEmptyList | a in b.prefixes <=> a.car = b.car and a.cdr in b.cdr.prefixes
//! run   {some disj a, b: NonEmptyList | b in a.prefixes}
//! ```

use relational::{Error, Logic, all, some};

use super::vocabulary::Vocabulary;
use super::{Expected, Problem};

/// Is there a list that is a prefix of another? There is, with at least three lists.
///
/// # Errors
/// If the scope is zero.
pub fn lists(logic: &Logic, scope: usize) -> Result<Problem<'_>, Error> {
    let sorts = [("Thing", scope), ("List", scope)];
    let (mut vocabulary, [things, lists]) = Vocabulary::new(logic, sorts)?;
    let pairs = lists.product(&lists)?;
    let thing = vocabulary.at_most("Thing", &things)?;
    let list = vocabulary.at_most("List", &lists)?;
    let empty = vocabulary.at_most("EmptyList", &lists)?;
    let filled = vocabulary.at_most("NonEmptyList", &lists)?;
    let car = vocabulary.at_most("car", &lists.product(&things)?)?;
    let cdr = vocabulary.at_most("cdr", &pairs)?;
    let equivalent = vocabulary.at_most("equivTo", &pairs)?;
    let prefixes = vocabulary.at_most("prefixes", &pairs)?;

    let finite = all([("l", list)], |[l]| (empty & l.join(cdr.reflexive_closure())).some());
    let define_equivalent = all([("a", list), ("b", list)], |[a, b]| {
        let alike =
            a.join(car).equals(b.join(car)) & b.join(cdr).is_in(a.join(cdr).join(equivalent));
        a.is_in(b.join(equivalent)).iff(alike)
    });
    let define_prefixes = all([("a", filled), ("b", filled)], |[a, b]| {
        let begins =
            a.join(car).equals(b.join(car)) & a.join(cdr).is_in(b.join(cdr).join(prefixes));
        a.is_in(b.join(prefixes)).iff(begins)
    });
    let facts = vec![
        list.equals(empty + filled),
        (empty & filled).no(),
        equivalent.is_in(list.product(list)),
        prefixes.is_in(list.product(list)),
        car.is_function(filled, thing),
        cdr.is_function(filled, list),
        thing.is_in(list.join(car)),
        finite,
        define_equivalent,
        list.product(empty).is_in(prefixes),
        define_prefixes,
    ];
    let show =
        some([("a", filled), ("b", filled)], |[a, b]| !a.equals(b) & b.is_in(a.join(prefixes)));
    Ok(Problem {
        name: format!("lists, {scope} lists"),
        bounds: vocabulary.bounds(),
        facts,
        goal: show,
        expected: if scope < 3 { Expected::Unsat } else { Expected::Sat },
        symmetry: None,
    })
}

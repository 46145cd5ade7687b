//! Halmos's handshake puzzle.
//!
//! Hilary and Jocelyn, married, invite couples. Nobody shakes the own hand or the spouse's. All but
//! Jocelyn have shaken different numbers of hands. An instance is a party; the puzzle's point, that
//! Hilary and Jocelyn shook equally many, is not asked here. (In Alloy: `handshake.als`, model
//! by Jackson.)
//!
//! ```text
//! sig Person {spouse: Person, shaken: set Person}  one sig Jocelyn, Hilary extends Person {}
//! fact  all p: Person | no (p + p.spouse) & p.shaken
//! fact  all p, q: Person | p in q.shaken => q in p.shaken
//! fact  all disj p, q: Person | (p.spouse = q => q.spouse = p) and p.spouse != q.spouse
//! fact  all p: Person | p.spouse.spouse = p and p != p.spouse
//! run   {all disj p, q: Person - Jocelyn | #p.shaken != #q.shaken  and  Hilary.spouse = Jocelyn}
//! ```

use relational::{Error, Expr, Formula, Logic, Universe, all};

use super::vocabulary::Vocabulary;
use super::{Expected, Problem};

/// Is there such a party of this many persons? There is, for any even number of at least two.
///
/// # Errors
/// If there are fewer than two persons.
pub fn handshake(logic: &Logic, persons: usize) -> Result<Problem<'_>, Error> {
    let others = (2..persons).map(|number| format!("Person{number}"));
    let names = ["Hilary", "Jocelyn"].map(str::to_owned).into_iter().chain(others);
    let universe = Universe::new(names)?;
    let everyone = universe.all();
    let pairs = everyone.product(&everyone)?;
    let mut vocabulary = Vocabulary::over(logic, &universe);
    let person = vocabulary.exactly("Person", &everyone)?;
    let hilary = vocabulary.exactly("Hilary", &universe.set(["Hilary"])?)?;
    let jocelyn = vocabulary.exactly("Jocelyn", &universe.set(["Jocelyn"])?)?;
    let spouse = vocabulary.at_most("spouse", &pairs)?;
    let shaken = vocabulary.at_most("shaken", &pairs)?;
    let facts = vec![
        spouse.is_function(person, person),
        shaken.is_in(person.product(person)),
        hilary.one() & jocelyn.one(),
        shaking(person, spouse, shaken),
        marriage(person, spouse),
    ];
    let guests = person - jocelyn;
    let differ = all([("p", guests), ("q", guests)], |[p, q]| {
        (!p.equals(q)).implies(!p.join(shaken).count().equals(q.join(shaken).count()))
    });
    Ok(Problem {
        name: format!("handshake, {persons} persons"),
        bounds: vocabulary.bounds(),
        facts,
        goal: differ & hilary.join(spouse).equals(jocelyn),
        expected: if persons.is_multiple_of(2) { Expected::Sat } else { Expected::Unsat },
        symmetry: None,
    })
}

/// Hands are shaken mutually, and not within a couple.
fn shaking<'a>(person: Expr<'a>, spouse: Expr<'a>, shaken: Expr<'a>) -> Formula<'a> {
    let decently = all([("p", person)], |[p]| ((p + p.join(spouse)) & p.join(shaken)).no());
    let mutually = all([("p", person), ("q", person)], |[p, q]| {
        p.is_in(q.join(shaken)).implies(q.is_in(p.join(shaken)))
    });
    decently & mutually
}

/// Spouses are spouses of each other, and nobody is the own spouse or shares one.
fn marriage<'a>(person: Expr<'a>, spouse: Expr<'a>) -> Formula<'a> {
    let exclusive = all([("p", person), ("q", person)], |[p, q]| {
        let mutual = p.join(spouse).equals(q).implies(q.join(spouse).equals(p));
        let unshared = !p.join(spouse).equals(q.join(spouse));
        (p & q).no().implies(mutual & unshared)
    });
    let proper = all([("p", person)], |[p]| {
        p.join(spouse).join(spouse).equals(p) & !p.equals(p.join(spouse))
    });
    exclusive & proper
}

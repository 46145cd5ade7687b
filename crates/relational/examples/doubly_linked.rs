//! What a model finder is for, in three queries about doubly linked lists.
//!
//! A node may have a next and a previous node. The author believes that if `prev` is the inverse
//! of `next`, then following `next` never leads back to where one started. Run it with
//! `cargo run --release -p relational --example doubly_linked`.

use relational::{Bounds, Error, Expr, Finder, Formula, Logic, Options, Solution, Universe, all};

fn main() -> Result<(), Error> {
    let logic = Logic::new();
    let node = logic.relation("Node", 1);
    let head = logic.relation("head", 1);
    let next = logic.relation("next", 2);
    let prev = logic.relation("prev", 2);

    let fields = next.is_partial_function(node, node) & prev.is_partial_function(node, node);
    let inverse = prev.equals(next.transpose());
    let claim = all([("n", node)], |[n]| !n.is_in(n.join(next.closure())));

    let universe = Universe::new((0..4).map(|i| format!("n{i}")))?;
    let mut bounds = Bounds::new(&logic, &universe);
    let pairs = universe.all().product(&universe.all())?;
    bounds.at_most(node, &universe.all())?;
    bounds.at_most(head, &universe.all())?;
    bounds.at_most(next, &pairs)?;
    bounds.at_most(prev, &pairs)?;

    println!("The claim, within four nodes:\n    {claim}\nif\n    {inverse}\n");
    println!("1. Is there a counterexample?");
    ask(&bounds, &[fields, inverse, !claim])?;

    println!("2. And if there is a head that nothing leads to, from which all nodes are reached?");
    let rooted = head.one() & next.join(head).no() & node.is_in(reachable(head, next));
    ask(&bounds, &[fields, inverse, rooted, !claim])?;

    println!("3. Is it the inverse that makes it so?");
    let finder = Finder::new(&bounds, &[fields, inverse, rooted, !claim], &Options::default())?;
    if let Some(core) = finder.core()? {
        println!("   These facts contradict a counterexample; without any of them there is one:");
        for formula in core.formulas {
            println!("     {formula}");
        }
        println!("   So `prev` has to be a function, and the inverse of `next`.");
    }
    Ok(())
}

fn reachable<'a>(from: Expr<'a>, by: Expr<'a>) -> Expr<'a> {
    from.join(by.reflexive_closure())
}

fn ask<'a>(bounds: &Bounds<'a>, formulas: &[Formula<'a>]) -> Result<(), Error> {
    let mut options = Options::default();
    options.session.certify = true;
    let mut finder = Finder::new(bounds, formulas, &options)?;
    match finder.next() {
        Solution::Instance(instance) => {
            println!("   Yes, and the evaluator agrees:");
            for line in instance.to_string().lines() {
                println!("     {line}");
            }
        }
        Solution::Unsatisfiable { .. } => {
            println!("   No; the solver's proof has been checked.");
        }
        Solution::Unknown(reason) => println!("   Unknown: {reason}"),
    }
    let size = finder.statistics();
    println!("   ({} variables, {} clauses)\n", size.variables, size.clauses);
    Ok(())
}

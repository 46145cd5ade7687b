//! Properties of random modules.

use std::collections::BTreeSet;

use ir::generate::{Shape, module};
use ir::{Expr, ExprId, Module, Op};

use crate::check::read;

#[test]
fn random_modules_are_valid() {
    for seed in 0..2_000 {
        for shape in [Shape::everything(), Shape::runnable()] {
            let module = module(seed, &shape);
            let violations = ir::validate(&module);
            assert!(violations.is_empty(), "seed {seed}: {violations:#?}\n{}", ir::print(&module));
        }
    }
}

#[test]
fn reading_a_printed_module_gives_its_canonical_form() {
    for seed in 0..2_000 {
        let module = module(seed, &Shape::everything());
        let text = ir::print(&module);
        let canonical = ir::canonical(&module);
        assert!(read(&text) == canonical, "seed {seed}:\n{text}");
        assert_eq!(ir::print(&canonical), text, "seed {seed}");
        assert!(ir::canonical(&canonical) == canonical, "seed {seed}");
    }
}

#[test]
fn brief_text_of_random_modules_reads_as_itself() {
    for seed in 0..500 {
        let text = ir::print_brief(&module(seed, &Shape::everything()));
        assert_eq!(ir::print_brief(&read(&text)), text, "seed {seed}");
    }
}

/// A small shared quantifier over a large shared expression was written out twice, the expression
/// once, with a bound variable that the second quantifier did not bind.
#[test]
fn what_binds_is_written_once() {
    let large = Shape {
        procedures: 6,
        blocks: 9,
        statements: 8,
        variables: 6,
        depth: 7,
        ..Shape::everything()
    };
    for seed in [11_620, 18_940] {
        let text = ir::print_brief(&module(seed, &large));
        assert_eq!(ir::print_brief(&read(&text)), text, "seed {seed}");
    }
}

/// A test by random modules is worth as much as what they contain.
#[test]
fn random_modules_have_every_construct() {
    let mut found = BTreeSet::new();
    for seed in 0..1_000 {
        note(&module(seed, &Shape::everything()), &mut found);
    }
    let called = Op::CALLED.iter().map(|op| op.name().to_owned());
    let written = [
        "!",
        "&&",
        "||",
        "==>",
        "==",
        "if",
        "-",
        "+",
        "*",
        "div",
        "mod",
        "<",
        "<=",
        "[]",
        "[:=]",
        "const",
        "seq",
        "++",
        "{}",
        ".",
        "with",
        "::",
        "is",
        "{as}",
        "{as:=}",
        "Bool",
        "Bv",
        "Int",
        "Null",
        "Read",
        "Bound",
        "Apply",
        "Old",
        "Quantified",
        "Lambda",
        "Assign",
        "Havoc",
        "Assume",
        "Assert",
        "Allocate",
        "Free",
        "Call",
        "Unsupported",
        "Goto",
        "Branch",
        "Exit",
    ];
    let wanted: BTreeSet<String> =
        called.chain(written.iter().map(|word| (*word).to_owned())).collect();
    let missing: Vec<&String> = wanted.difference(&found).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn note(module: &Module, found: &mut BTreeSet<String>) {
    let word =
        |text: String| -> String { text.chars().take_while(|c| c.is_alphabetic()).collect() };
    for procedure in &module.procedures {
        for id in (0..procedure.exprs.len() as u32).map(ExprId) {
            found.insert(match procedure.exprs.get(id) {
                Expr::Op(op, _) => op.name().to_owned(),
                other => word(format!("{other:?}")),
            });
        }
        for block in procedure.blocks.iter().flatten() {
            found.extend(block.statements.iter().map(|s| word(format!("{:?}", s.kind))));
            found.insert(word(format!("{:?}", block.terminator.kind)));
        }
    }
}

#[test]
fn modules_depend_on_the_seed_alone() {
    for seed in 0..50 {
        assert!(module(seed, &Shape::everything()) == module(seed, &Shape::everything()));
    }
    assert!(module(1, &Shape::everything()) != module(2, &Shape::everything()));
}

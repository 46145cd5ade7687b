//! Example modules read without diagnostics and survive printing.

use crate::check::read;

const EXAMPLES: [&str; 2] =
    [include_str!("examples/list.vir"), include_str!("examples/memory.vir")];

#[test]
fn printing_and_reading_gives_the_canonical_form() {
    for source in EXAMPLES {
        let module = read(source);
        let text = ir::print(&module);
        let again = read(&text);
        assert_eq!(again, ir::canonical(&module), "{text}");
        assert_eq!(ir::print(&again), text);
    }
}

#[test]
fn brief_text_reads_as_itself() {
    for source in EXAMPLES {
        let text = ir::print_brief(&read(source));
        assert_eq!(ir::print_brief(&read(&text)), text);
    }
}

#[test]
fn hand_written_text_gets_spans_and_points_of_its_own() {
    let source = "proc p() { var x: int; x := 1; goto b; b: x := x + x; exit; }";
    let module = read(source);
    let blocks = module.procedures[0].blocks.as_ref().expect("the procedure has a body");
    let mut texts = Vec::new();
    for block in blocks {
        let statements = block.statements.iter().map(|s| (s.span, s.point));
        for (span, point) in statements.chain([(block.terminator.span, block.terminator.point)]) {
            texts.push((point.0, &source[span.start as usize..span.end as usize]));
        }
    }
    assert_eq!(texts, [(0, "x := 1;"), (1, "goto b;"), (2, "x := x + x;"), (3, "exit;")]);
    assert_eq!(module.procedures[0].points, 4);
    assert_eq!(module.files, [ir::SourceFile { path: "test.vir".to_owned() }]);
}

/// An expression that is used often is written once, or the text would grow without bounds.
#[test]
fn sharing_survives_printing() {
    use ir::{Expr, Op, StatementKind, Type};
    let mut module = read("proc p() { var x: int; x := 0; exit; }");
    let procedure = &mut module.procedures[0];
    let mut root = procedure.exprs.push(Expr::Int(1.into()), Type::Int);
    for _ in 0..100 {
        root = procedure.exprs.push(Expr::Op(Op::IntAdd, vec![root, root]), Type::Int);
    }
    let blocks = procedure.blocks.as_mut().expect("the procedure has a body");
    let StatementKind::Assign(pairs) = &mut blocks[0].statements[0].kind else {
        panic!("the first statement is an assignment")
    };
    pairs[0].1 = root;
    ir::debug_validate(&module);
    let (full, brief) = (ir::print(&module), ir::print_brief(&module));
    assert!(full.len() < 5_000 && brief.len() < 5_000, "{brief}");
    assert_eq!(read(&full), ir::canonical(&module));
    assert_eq!(ir::print_brief(&read(&brief)), brief);
}

#[test]
fn the_examples_of_the_manual_are_valid() {
    let manual = include_str!("../../../../docs/vir.md");
    let examples: Vec<&str> = manual
        .split("```vir\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default())
        .collect();
    assert_eq!(examples.len(), 3);
    examples.into_iter().for_each(|example| drop(read(example)));
}

/// The operators that the manual lists are those that there are.
#[test]
fn the_manual_names_every_operator() {
    let manual = include_str!("../../../../docs/vir.md");
    for op in ir::Op::CALLED {
        let (plain, called) = (format!("`{}`", op.name()), format!("`{}(", op.name()));
        assert!(manual.contains(&plain) || manual.contains(&called), "{}", op.name());
    }
}

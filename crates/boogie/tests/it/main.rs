//! The Boogie front end from the outside: what is lowered to what, what is reported, and that
//! nothing makes it stop.

mod golden;
mod robust;
mod scale;
mod small;

/// Lowers a text, checks that the module is valid, and gives it with its diagnostics.
fn lower(text: &str) -> (ir::Module, Vec<ir::Diagnostic>) {
    let (module, diagnostics) = boogie::lower("test.bpl", text);
    assert_eq!(ir::validate(&module), [], "{text}");
    (module, diagnostics)
}

/// The diagnostics of a text, one a line, as `line:column: message`.
fn messages(text: &str, diagnostics: &[ir::Diagnostic]) -> String {
    let mut lines = String::new();
    for diagnostic in diagnostics {
        let (line, column) = ir::line_and_column(text, diagnostic.span.start);
        let mark = match diagnostic.severity {
            ir::Severity::Error => "",
            ir::Severity::Note => "note: ",
        };
        lines.push_str(&format!("{line}:{column}: {mark}{diagnostic}\n"));
    }
    lines
}

//! What several tests use.

use ir::{Diagnostic, Module};

/// Diagnostics as a compiler would print them: one line each.
pub fn messages(source: &str, diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics
        .iter()
        .map(|diagnostic| {
            let (line, column) = ir::line_and_column(source, diagnostic.span.start);
            format!("{line}:{column}: {diagnostic}")
        })
        .collect()
}

/// Reads a text that must have no faults.
pub fn read(source: &str) -> Module {
    let (module, diagnostics) = ir::parse("test.vir", source);
    let messages = messages(source, &diagnostics);
    assert!(messages.is_empty(), "{}\n{source}", messages.join("\n"));
    module
}

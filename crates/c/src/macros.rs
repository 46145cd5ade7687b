//! Macros: debug information does not mention them, but the expansion of a macro has the location of its use.
//! A location where the text has a name and a parenthesis, and the name is that of no function and no
//! variable, is the use of a macro.

use bitcode::DebugNode;
use rustc_hash::FxHashSet;

/// The names that are called in the source without being macros.
pub(crate) struct Callable<'m> {
    names: FxHashSet<&'m str>,
}

impl<'m> Callable<'m> {
    pub(crate) fn new(source: &'m bitcode::Module) -> Callable<'m> {
        let metadata = &source.metadata;
        let mut names: FxHashSet<&str> = source.functions.iter().map(|f| &*f.name).collect();
        // Words that precede a parenthesis otherwise, and functions that clang knows without a declaration.
        names.extend([
            "if", "while", "for", "switch", "return", "sizeof", "do", "else", "case", "memcpy",
            "memmove", "memset", "alloca", "abs", "labs", "llabs", "fabs",
        ]);
        for (_, node) in metadata.iter() {
            if let DebugNode::LocalVariable(_)
            | DebugNode::GlobalVariable(_)
            | DebugNode::Subprogram(_) = node
            {
                names.insert(metadata.text(node.name()));
            }
        }
        Callable { names }
    }

    /// Whether a stretch of text is the use of a macro with arguments.
    pub(crate) fn is_macro(&self, text: &str) -> bool {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        !name.is_empty()
            && rest.trim_start().starts_with('(')
            && !name.starts_with("__builtin_")
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && !self.names.contains(name)
    }
}

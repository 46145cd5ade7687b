//! From text to syntax, with the grammar of `tree-sitter-java`.
//!
//! The grammar's tree is read node by node. At a syntax error there is a diagnostic, and an unknown construct
//! in the syntax, so that the rest of the file is still read. Comments that begin with `@` are
//! specifications: they are kept with the declaration or statement that follows them.

mod declaration;
mod expression;
mod literal;
mod resource;
mod statement;
mod types;

use tree_sitter::{Node, Parser};

use crate::diagnostics::Diagnostics;
use crate::limits::SYNTAX_ERRORS;
use crate::syntax::{Comment, Ident, TextRange, Unit};

/// Reads a file.
pub(crate) fn read(text: &str, diagnostics: &mut Diagnostics) -> Unit {
    let mut parser = Parser::new();
    if parser.set_language(&tree_sitter_java::LANGUAGE.into()).is_err() {
        diagnostics.error(TextRange::default(), "the grammar of Java does not fit its parser");
        return Unit::default();
    }
    let Some(tree) = parser.parse(text, None) else {
        diagnostics.error(TextRange::default(), "the text could not be parsed");
        return Unit::default();
    };
    let reader = Reader { text };
    let root = tree.root_node();
    if root.has_error() {
        reader.complain(root, diagnostics);
    }
    reader.unit(root)
}

/// The text that nodes are places of.
#[derive(Clone, Copy)]
struct Reader<'t> {
    text: &'t str,
}

impl<'t> Reader<'t> {
    /// Tells where the text is not Java.
    fn complain(self, root: Node<'_>, diagnostics: &mut Diagnostics) {
        let mut open = vec![root];
        let mut messages = 0;
        while let Some(node) = open.pop() {
            if messages == SYNTAX_ERRORS {
                return;
            }
            if node.is_missing() {
                let what = node.kind();
                diagnostics.error(at(node), format!("`{what}` is missing here"));
                messages += 1;
            } else if node.is_error() {
                let at = at(node);
                let first = self.text_of(node).lines().next().unwrap_or("");
                let shown: String = first.chars().take(40).collect();
                let message = match shown.is_empty() {
                    true => "this is not Java".to_owned(),
                    false => format!("`{shown}` is not Java here"),
                };
                diagnostics
                    .error(TextRange { start: at.start, end: at.end.min(at.start + 1) }, message);
                messages += 1;
            } else if node.has_error() {
                let mut cursor = node.walk();
                let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
                open.extend(children.into_iter().rev());
            }
        }
    }

    fn text_of(self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    fn ident(self, node: Node<'_>) -> Ident {
        Ident { name: self.text_of(node).to_owned(), at: at(node) }
    }

    /// The identifier in a field of a node; an empty name if it is missing.
    fn named(self, node: Node<'_>, field: &str) -> Ident {
        match node.child_by_field_name(field) {
            Some(name) => self.ident(name),
            None => Ident { name: String::new(), at: at(node) },
        }
    }

    /// A comment as a specification, if it is one.
    fn comment(self, node: Node<'_>) -> Option<Comment> {
        let text = self.text_of(node);
        let (inner, skipped) = match node.kind() {
            "line_comment" => (text.strip_prefix("//@")?, 3),
            "block_comment" => {
                let inner = text.strip_prefix("/*@")?;
                (inner.strip_suffix("*/").unwrap_or(inner), 3)
            }
            _ => return None,
        };
        let start = node.start_byte() + skipped;
        Some(Comment { text: inner.to_owned(), start: start as u32 })
    }

    /// The specifications directly below a node.
    fn comments(self, node: Node<'_>) -> Vec<Comment> {
        all_children(node).into_iter().filter_map(|child| self.comment(child)).collect()
    }
}

fn at(node: Node<'_>) -> TextRange {
    TextRange::new(node.start_byte(), node.end_byte())
}

fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind(), "line_comment" | "block_comment")
}

/// The children that mean something.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    all_children(node).into_iter().filter(|child| !is_comment(*child)).collect()
}

/// The named children, comments among them.
fn all_children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// The children under a field, of which there may be several.
fn fields<'n>(node: Node<'n>, field: &str) -> Vec<Node<'n>> {
    let mut cursor = node.walk();
    node.children_by_field_name(field, &mut cursor).filter(|child| child.is_named()).collect()
}

/// A whole number as Java spells it.
pub(crate) fn integer(text: &str) -> Option<crate::syntax::Literal> {
    literal::integer(text)
}

/// A literal between quotes of either kind.
pub(crate) fn unquoted(text: &str) -> Option<crate::syntax::Literal> {
    match text.starts_with('"') {
        true => Some(literal::string(text)),
        false => literal::character(text),
    }
}

pub(crate) use expression::dotted;

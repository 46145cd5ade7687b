//! Types as they are written.

use tree_sitter::Node;

use super::{Reader, at, children};
use crate::syntax::{TypeRef, TypeRefKind, TypeVariable};

impl Reader<'_> {
    pub(super) fn type_ref(self, node: Node<'_>) -> TypeRef {
        let at = at(node);
        let parts = children(node);
        let kind = match node.kind() {
            "generic_type" => {
                let name = parts.first().map_or("", |name| self.text_of(*name));
                let arguments = parts.iter().filter(|part| part.kind() == "type_arguments");
                let arguments = arguments.flat_map(|list| children(*list));
                let arguments = arguments.map(|argument| self.type_ref(argument)).collect();
                TypeRefKind::Named(plain(name), arguments)
            }
            "array_type" => {
                let element = node.child_by_field_name("element");
                let dimensions = node.child_by_field_name("dimensions");
                let dimensions = dimensions.map_or(1, |list| self.dimensions(list));
                match element {
                    Some(element) => return array_of(self.type_ref(element), dimensions),
                    None => TypeRefKind::Named("?".to_owned(), Vec::new()),
                }
            }
            "annotated_type" => match parts.last() {
                Some(last) => return self.type_ref(*last),
                None => TypeRefKind::Named("?".to_owned(), Vec::new()),
            },
            // `? extends T` is a `T` as far as reading goes.
            "wildcard" => match parts.last() {
                Some(last) if last.kind() != "annotation" => return self.type_ref(*last),
                _ => TypeRefKind::Named("Object".to_owned(), Vec::new()),
            },
            _ => TypeRefKind::Named(plain(self.text_of(node)), Vec::new()),
        };
        TypeRef { kind, at }
    }

    /// How many pairs of brackets there are.
    pub(super) fn dimensions(self, node: Node<'_>) -> usize {
        self.text_of(node).matches('[').count()
    }

    /// `<T extends A & B, U>`: of several bounds the first.
    pub(super) fn type_variables(self, node: Node<'_>) -> Vec<TypeVariable> {
        let Some(list) = node.child_by_field_name("type_parameters") else { return Vec::new() };
        let parameters = children(list).into_iter().filter(|node| node.kind() == "type_parameter");
        parameters
            .map(|parameter| {
                let parts = children(parameter);
                let name = parts.iter().find(|part| part.kind() == "type_identifier");
                let name = name.map_or("", |name| self.text_of(*name)).to_owned();
                let bound = parts.iter().find(|part| part.kind() == "type_bound");
                let bound = bound.and_then(|bound| children(*bound).first().copied());
                TypeVariable { name, bound: bound.map(|bound| self.type_ref(bound)) }
            })
            .collect()
    }
}

/// A name with dots, without blanks, annotations and what stands in `<>`.
fn plain(name: &str) -> String {
    let mut depth = 0;
    let kept = name.chars().filter(|&c| {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        depth == 0 && c != '>' && !c.is_whitespace()
    });
    kept.collect()
}

/// Arrays of arrays of something.
pub(crate) fn array_of(element: TypeRef, dimensions: usize) -> TypeRef {
    let at = element.at;
    let wrap = |inner: TypeRef, _| TypeRef { kind: TypeRefKind::Array(Box::new(inner)), at };
    (0..dimensions).fold(element, wrap)
}

//! Files, types and their members.

use tree_sitter::Node;

use super::literal::unescape;
use super::types::array_of;
use super::{Reader, all_children, at, children, fields, is_comment};
use crate::syntax::{
    Annotation, Comment, Constant, Field, Ident, Member, Method, Modifiers, Parameter, TextRange,
    TypeDecl, TypeKind, TypeRef, Unit,
};

impl Reader<'_> {
    pub(super) fn unit(self, root: Node<'_>) -> Unit {
        let mut unit = Unit::default();
        let mut pending = Vec::new();
        for node in all_children(root) {
            if is_comment(node) {
                pending.extend(self.comment(node));
                continue;
            }
            match node.kind() {
                "package_declaration" => {
                    let name = children(node).into_iter().next_back();
                    unit.package = name.map_or("", |name| self.text_of(name)).to_owned();
                }
                "import_declaration" => unit.imports.push(self.import(node)),
                _ => {
                    if let Some(decl) = self.type_decl(node, std::mem::take(&mut pending)) {
                        unit.types.push(decl);
                    }
                }
            }
        }
        unit
    }

    /// The full name that is imported, with a star at its end if there is one.
    fn import(self, node: Node<'_>) -> String {
        let text = self.text_of(node).trim_start_matches("import").trim_end_matches(';').trim();
        let text = text.strip_prefix("static ").unwrap_or(text);
        text.chars().filter(|c| !c.is_whitespace()).collect()
    }

    pub(super) fn type_decl(self, node: Node<'_>, mut comments: Vec<Comment>) -> Option<TypeDecl> {
        let kind = match node.kind() {
            "class_declaration" => TypeKind::Class,
            "interface_declaration" => TypeKind::Interface,
            "enum_declaration" => TypeKind::Enum,
            "record_declaration" => TypeKind::Record,
            "annotation_type_declaration" => TypeKind::Annotation,
            _ => return None,
        };
        comments.extend(self.comments(node));
        let types_of = |kinds: &[&str]| -> Vec<TypeRef> {
            let lists = children(node).into_iter().filter(|part| kinds.contains(&part.kind()));
            let lists = lists.flat_map(children);
            let types = lists.flat_map(|part| match part.kind() {
                "type_list" => children(part),
                _ => vec![part],
            });
            types.map(|part| self.type_ref(part)).collect()
        };
        let (extends, implements) = match kind {
            TypeKind::Interface => (Vec::new(), types_of(&["extends_interfaces"])),
            _ => (types_of(&["superclass"]), types_of(&["super_interfaces"])),
        };
        let mut decl = TypeDecl {
            kind,
            name: self.named(node, "name"),
            modifiers: self.modifiers(node),
            variables: self.type_variables(node),
            extends,
            implements,
            constants: Vec::new(),
            components: self.parameters(node),
            members: Vec::new(),
            comments,
            at: at(node),
        };
        if let Some(body) = node.child_by_field_name("body") {
            self.members(body, &mut decl);
        }
        Some(decl)
    }

    /// The body of a class without a name.
    pub(super) fn anonymous(self, body: Node<'_>, of: &TypeRef) -> TypeDecl {
        let mut decl = TypeDecl {
            kind: TypeKind::Class,
            name: Ident { name: String::new(), at: at(body) },
            modifiers: Modifiers::default(),
            variables: Vec::new(),
            extends: vec![of.clone()],
            implements: Vec::new(),
            constants: Vec::new(),
            components: Vec::new(),
            members: Vec::new(),
            comments: Vec::new(),
            at: at(body),
        };
        self.members(body, &mut decl);
        decl
    }

    fn members(self, body: Node<'_>, decl: &mut TypeDecl) {
        let mut pending: Vec<Comment> = Vec::new();
        for node in all_children(body) {
            if is_comment(node) {
                pending.extend(self.comment(node));
                continue;
            }
            let mut comments = || std::mem::take(&mut pending);
            match node.kind() {
                "enum_constant" => decl.constants.push(Constant {
                    name: self.named(node, "name"),
                    arguments: self.arguments(node),
                    has_body: node.child_by_field_name("body").is_some(),
                }),
                "enum_body_declarations" => self.members(node, decl),
                "field_declaration" | "constant_declaration" => {
                    self.fields(node, comments(), &mut decl.members);
                }
                "method_declaration"
                | "constructor_declaration"
                | "compact_constructor_declaration"
                | "annotation_type_element_declaration" => {
                    let method = self.method(node, comments());
                    decl.members.push(Member::Method(method));
                }
                "static_initializer" | "block" => {
                    let is_static = node.kind() == "static_initializer";
                    let block = match is_static {
                        true => children(node).into_iter().find(|part| part.kind() == "block"),
                        false => Some(node),
                    };
                    let body = block.map(|block| self.block(block)).unwrap_or_default();
                    decl.members.push(Member::Initializer { is_static, body, at: at(node) });
                }
                _ => {
                    if let Some(inner) = self.type_decl(node, comments()) {
                        decl.members.push(Member::Type(inner));
                    }
                }
            }
        }
        // A specification that precedes no member specifies the class.
        decl.comments.append(&mut pending);
    }

    fn fields(self, node: Node<'_>, mut comments: Vec<Comment>, members: &mut Vec<Member>) {
        let Some(ty) = node.child_by_field_name("type") else { return };
        comments.extend(self.comments(node));
        comments.extend(self.inner_comments(node));
        let ty = self.type_ref(ty);
        for (number, declarator) in fields(node, "declarator").into_iter().enumerate() {
            let dimensions = declarator.child_by_field_name("dimensions");
            let dimensions = dimensions.map_or(0, |list| self.dimensions(list));
            let value = declarator.child_by_field_name("value");
            // Words count for all that is declared at once, clauses only once.
            if number > 0 {
                comments.retain(|comment| !comment.text.contains(';'));
            }
            members.push(Member::Field(Field {
                modifiers: self.modifiers(node),
                ty: array_of(ty.clone(), dimensions),
                name: self.named(declarator, "name"),
                value: value.map(|value| self.expr(value)),
                comments: comments.clone(),
            }));
        }
    }

    /// Specifications between the modifiers.
    fn inner_comments(self, node: Node<'_>) -> Vec<Comment> {
        let modifiers = children(node).into_iter().find(|part| part.kind() == "modifiers");
        modifiers.map(|modifiers| self.comments(modifiers)).unwrap_or_default()
    }

    fn method(self, node: Node<'_>, mut comments: Vec<Comment>) -> Method {
        comments.extend(self.inner_comments(node));
        comments.extend(self.comments(node));
        let result = node.child_by_field_name("type").map(|ty| {
            let dimensions = node.child_by_field_name("dimensions");
            let dimensions = dimensions.map_or(0, |list| self.dimensions(list));
            array_of(self.type_ref(ty), dimensions)
        });
        let body = node.child_by_field_name("body");
        let end = body.map_or(at(node).end, |body| at(body).start);
        Method {
            modifiers: self.modifiers(node),
            variables: self.type_variables(node),
            result,
            name: self.named(node, "name"),
            parameters: self.parameters(node),
            body: body.map(|body| self.block(body)),
            comments,
            at: TextRange { start: at(node).start, end },
        }
    }

    fn parameters(self, node: Node<'_>) -> Vec<Parameter> {
        let Some(list) = node.child_by_field_name("parameters") else { return Vec::new() };
        let mut pending = Vec::new();
        let mut parameters = Vec::new();
        for parameter in all_children(list) {
            if is_comment(parameter) {
                pending.extend(self.comment(parameter));
                continue;
            }
            let is_variadic = match parameter.kind() {
                "formal_parameter" => false,
                "spread_parameter" => true,
                _ => continue,
            };
            let mut modifiers = self.modifiers(parameter);
            let inner = self.comments(parameter).into_iter().chain(self.inner_comments(parameter));
            for comment in pending.drain(..).chain(inner) {
                modifiers.words.extend(comment.text.split_whitespace().map(str::to_owned));
            }
            let parts = children(parameter);
            let (ty, name) = match is_variadic {
                false => {
                    let ty = parameter.child_by_field_name("type").map(|ty| self.type_ref(ty));
                    (ty, self.named(parameter, "name"))
                }
                true => {
                    let mut parts = parts.iter().filter(|part| part.kind() != "modifiers");
                    let ty = parts.next().map(|ty| array_of(self.type_ref(*ty), 1));
                    let declarator = parts.next().copied().unwrap_or(parameter);
                    (ty, self.named(declarator, "name"))
                }
            };
            let Some(ty) = ty else { continue };
            let dimensions = parameter.child_by_field_name("dimensions");
            let dimensions = dimensions.map_or(0, |list| self.dimensions(list));
            let ty = array_of(ty, dimensions);
            parameters.push(Parameter { name, ty, is_variadic, modifiers, alias: None });
        }
        parameters
    }

    pub(super) fn modifiers(self, node: Node<'_>) -> Modifiers {
        let mut modifiers = Modifiers::default();
        let list = children(node).into_iter().find(|part| part.kind() == "modifiers");
        let Some(list) = list else { return modifiers };
        let mut cursor = list.walk();
        for part in list.children(&mut cursor) {
            match part.kind() {
                "annotation" | "marker_annotation" => {
                    modifiers.annotations.push(self.annotation(part));
                }
                _ if is_comment(part) => {}
                word => modifiers.words.push(word.to_owned()),
            }
        }
        modifiers
    }

    fn annotation(self, node: Node<'_>) -> Annotation {
        let mut texts = Vec::new();
        let mut open: Vec<Node<'_>> = node.child_by_field_name("arguments").into_iter().collect();
        while let Some(part) = open.pop() {
            match part.kind() {
                "string_literal" => texts.push(self.annotated_text(part)),
                _ => open.extend(children(part).into_iter().rev()),
            }
        }
        Annotation { name: self.named(node, "name").name, texts }
    }

    /// The text of a string, and where it stands. Escapes are rare in specifications; behind one, places
    /// are off by its length.
    fn annotated_text(self, node: Node<'_>) -> (String, TextRange) {
        let (text, whole) = (self.text_of(node), at(node));
        let quotes = if text.starts_with("\"\"\"") { 3 } else { 1 };
        let inner = text.get(quotes..text.len().saturating_sub(quotes)).unwrap_or("");
        let start = whole.start + quotes as u32;
        (
            unescape(inner),
            TextRange { start, end: whole.end.saturating_sub(quotes as u32).max(start) },
        )
    }
}

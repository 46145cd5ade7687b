//! Expressions.

use tree_sitter::Node;

use super::{Reader, at, children, fields, literal};
use crate::syntax::{Binary, Expr, ExprKind, Ident, Literal, Receiver, Unary};

impl Reader<'_> {
    pub(super) fn expr(self, node: Node<'_>) -> Expr {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
            let kind = self.expr_kind(node);
            Expr { kind, at: at(node) }
        })
    }

    pub(super) fn field_expr(self, node: Node<'_>, field: &str) -> Expr {
        match node.child_by_field_name(field) {
            Some(inner) => self.expr(inner),
            None => self.missing(node),
        }
    }

    pub(super) fn arguments(self, node: Node<'_>) -> Vec<Expr> {
        let list = node.child_by_field_name("arguments").map(children).unwrap_or_default();
        list.into_iter().map(|argument| self.expr(argument)).collect()
    }

    fn boxed(self, node: Node<'_>, field: &str) -> Box<Expr> {
        Box::new(self.field_expr(node, field))
    }

    fn expr_kind(self, node: Node<'_>) -> ExprKind {
        let text = self.text_of(node);
        let unknown = |what: &str| ExprKind::Unknown(what.to_owned());
        match node.kind() {
            "parenthesized_expression" => match children(node).first() {
                Some(inner) => self.expr_kind(*inner),
                None => unknown("empty parentheses"),
            },
            "identifier" => ExprKind::Name(text.to_owned()),
            "this" => ExprKind::This,
            "null_literal" => ExprKind::Literal(Literal::Null),
            "true" => ExprKind::Literal(Literal::Bool(true)),
            "false" => ExprKind::Literal(Literal::Bool(false)),
            "decimal_integer_literal"
            | "hex_integer_literal"
            | "octal_integer_literal"
            | "binary_integer_literal" => match literal::integer(text) {
                Some(literal) => ExprKind::Literal(literal),
                None => unknown("a number that is too large"),
            },
            "decimal_floating_point_literal" | "hex_floating_point_literal" => {
                let is_single = text.ends_with(['f', 'F']);
                ExprKind::Literal(Literal::Float(text.to_owned(), is_single))
            }
            "character_literal" => match literal::character(text) {
                Some(literal) => ExprKind::Literal(literal),
                None => unknown("a character literal that is none"),
            },
            "string_literal" => ExprKind::Literal(literal::string(text)),
            "field_access" => self.field_access(node),
            "array_access" => ExprKind::Index(self.boxed(node, "array"), self.boxed(node, "index")),
            "method_invocation" => {
                let receiver = match node.child_by_field_name("object") {
                    None => Receiver::None,
                    Some(object) if object.kind() == "super" => Receiver::Super,
                    Some(object) => Receiver::Expr(Box::new(self.expr(object))),
                };
                let name = self.named(node, "name");
                ExprKind::Call { receiver, name, arguments: self.arguments(node) }
            }
            "object_creation_expression" => self.creation(node),
            "array_creation_expression" => self.array_creation(node),
            "array_initializer" => {
                let elements = children(node).into_iter().map(|element| self.expr(element));
                ExprKind::Elements(elements.collect())
            }
            "unary_expression" => {
                let operator = node.child_by_field_name("operator");
                let operator = match operator.map_or("", |operator| self.text_of(operator)) {
                    "-" => Unary::Minus,
                    "!" => Unary::Not,
                    "~" => Unary::Complement,
                    _ => Unary::Plus,
                };
                self.unary(operator, node)
            }
            "update_expression" => {
                let target = children(node).first().map(|target| self.expr(*target));
                let target = Box::new(target.unwrap_or_else(|| self.missing(node)));
                let prefix = text.starts_with("++") || text.starts_with("--");
                let up = if prefix { text.starts_with('+') } else { text.ends_with('+') };
                ExprKind::Update { up, prefix, target }
            }
            "binary_expression" => {
                let operator = node.child_by_field_name("operator");
                let operator = operator.map_or("", |operator| self.text_of(operator));
                match Binary::of(operator) {
                    Some(operator) => ExprKind::Binary(
                        operator,
                        self.boxed(node, "left"),
                        self.boxed(node, "right"),
                    ),
                    None => unknown("an unknown operator"),
                }
            }
            "assignment_expression" => {
                let operator = node.child_by_field_name("operator");
                let operator = operator.map_or("=", |operator| self.text_of(operator));
                let operator = operator.strip_suffix('=').and_then(Binary::of);
                ExprKind::Assign(operator, self.boxed(node, "left"), self.boxed(node, "right"))
            }
            "ternary_expression" => ExprKind::Conditional(
                self.boxed(node, "condition"),
                self.boxed(node, "consequence"),
                self.boxed(node, "alternative"),
            ),
            "cast_expression" => match node.child_by_field_name("type") {
                Some(ty) => ExprKind::Cast(self.type_ref(ty), self.boxed(node, "value")),
                None => unknown("a cast to nothing"),
            },
            "instanceof_expression" => self.instance_of(node),
            "switch_expression" => {
                let (value, cases) = self.switch(node);
                ExprKind::Switch(Box::new(value), cases)
            }
            "class_literal" => match children(node).first() {
                Some(ty) => ExprKind::ClassLiteral(self.type_ref(*ty)),
                None => unknown("a class literal"),
            },
            "lambda_expression" => unknown("a lambda expression"),
            "method_reference" => unknown("a method reference"),
            kind => ExprKind::Unknown(format!("a {}", kind.replace('_', " "))),
        }
    }

    /// A minus is part of the number behind it, so that the smallest number can be written.
    fn unary(self, operator: Unary, node: Node<'_>) -> ExprKind {
        ExprKind::Unary(operator, self.boxed(node, "operand"))
    }

    fn field_access(self, node: Node<'_>) -> ExprKind {
        let Some(field) = node.child_by_field_name("field") else {
            return ExprKind::Unknown("a field without a name".to_owned());
        };
        match (field.kind(), node.child_by_field_name("object")) {
            ("this", Some(object)) => ExprKind::OuterThis(self.text_of(object).to_owned()),
            (_, Some(object)) if object.kind() == "super" => {
                let this = Expr { kind: ExprKind::This, at: at(object) };
                ExprKind::Field(Box::new(this), self.ident(field))
            }
            (_, Some(object)) => ExprKind::Field(Box::new(self.expr(object)), self.ident(field)),
            (_, None) => ExprKind::Name(self.text_of(field).to_owned()),
        }
    }

    fn creation(self, node: Node<'_>) -> ExprKind {
        let Some(ty) = node.child_by_field_name("type") else {
            return ExprKind::Unknown("an object of no class".to_owned());
        };
        let ty = self.type_ref(ty);
        let body = children(node).into_iter().find(|part| part.kind() == "class_body");
        let body = body.map(|body| Box::new(self.anonymous(body, &ty)));
        let first = children(node).into_iter().next();
        let outer = first.filter(|first| first.end_byte() < ty.at.start as usize);
        let outer = outer.filter(|first| !first.kind().ends_with("annotation"));
        let outer = outer.filter(|first| first.kind() != "type_arguments");
        let outer = outer.map(|outer| Box::new(self.expr(outer)));
        ExprKind::New { ty, arguments: self.arguments(node), body, outer }
    }

    fn array_creation(self, node: Node<'_>) -> ExprKind {
        let Some(element) = node.child_by_field_name("type") else {
            return ExprKind::Unknown("an array of nothing".to_owned());
        };
        let mut lengths = Vec::new();
        let mut open = 0;
        for part in fields(node, "dimensions") {
            match part.kind() {
                "dimensions_expr" => {
                    let length = children(part).into_iter().next_back();
                    lengths.extend(length.map(|length| self.expr(length)));
                }
                _ => open += self.dimensions(part),
            }
        }
        let initial = node.child_by_field_name("value").map(|value| Box::new(self.expr(value)));
        ExprKind::NewArray { element: self.type_ref(element), lengths, open, initial }
    }

    fn instance_of(self, node: Node<'_>) -> ExprKind {
        let value = self.boxed(node, "left");
        let name = node.child_by_field_name("name").map(|name| self.ident(name));
        match node.child_by_field_name("right") {
            Some(ty) => ExprKind::InstanceOf(value, self.type_ref(ty), name),
            None => match node.child_by_field_name("pattern").map(children).as_deref() {
                Some(&[ty, name]) => {
                    let name = Ident { name: self.text_of(name).to_owned(), at: at(name) };
                    ExprKind::InstanceOf(value, self.type_ref(ty), Some(name))
                }
                _ => ExprKind::Unknown("a pattern".to_owned()),
            },
        }
    }
}

/// The name of a type that an expression spells, if it could be one: `a.b.C`.
pub(crate) fn dotted(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Field(object, field) => Some(format!("{}.{}", dotted(object)?, field.name)),
        _ => None,
    }
}

//! Statements.

use tree_sitter::Node;

use super::types::array_of;
use super::{Reader, all_children, at, children, fields, is_comment};
use crate::syntax::{
    Catch, Declarator, Expr, ExprKind, Pattern, Stmt, StmtKind, SwitchCase, TypeRef, TypeRefKind,
};

impl Reader<'_> {
    /// The statements of a block, with the specifications between them.
    pub(super) fn block(self, node: Node<'_>) -> Vec<Stmt> {
        all_children(node)
            .into_iter()
            .filter_map(|child| match is_comment(child) {
                true => self
                    .comment(child)
                    .map(|comment| Stmt { kind: StmtKind::Spec(comment), at: at(child) }),
                false => Some(self.stmt(child)),
            })
            .collect()
    }

    fn body(self, node: Node<'_>, field: &str) -> Box<Stmt> {
        Box::new(match node.child_by_field_name(field) {
            Some(body) => self.stmt(body),
            None => Stmt { kind: StmtKind::Empty, at: at(node) },
        })
    }

    fn condition(self, node: Node<'_>) -> Expr {
        self.field_expr(node, "condition")
    }

    fn stmt(self, node: Node<'_>) -> Stmt {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || Stmt {
            kind: self.stmt_kind(node),
            at: at(node),
        })
    }

    fn stmt_kind(self, node: Node<'_>) -> StmtKind {
        let first = || children(node).into_iter().next();
        let label = || first().map(|label| self.text_of(label).to_owned());
        match node.kind() {
            ";" => StmtKind::Empty,
            "block" => StmtKind::Block(self.block(node)),
            "expression_statement" => match first() {
                Some(inner) if inner.kind() == "switch_expression" => {
                    let (value, cases) = self.switch(inner);
                    StmtKind::Switch(value, cases)
                }
                Some(inner) => StmtKind::Expr(self.expr(inner)),
                None => StmtKind::Empty,
            },
            "switch_expression" => {
                let (value, cases) = self.switch(node);
                StmtKind::Switch(value, cases)
            }
            "local_variable_declaration" => self.local(node),
            "if_statement" => {
                let otherwise = node.child_by_field_name("alternative");
                let otherwise = otherwise.map(|otherwise| Box::new(self.stmt(otherwise)));
                StmtKind::If(self.condition(node), self.body(node, "consequence"), otherwise)
            }
            "while_statement" => StmtKind::While(self.condition(node), self.body(node, "body")),
            "do_statement" => StmtKind::Do(self.body(node, "body"), self.condition(node)),
            "for_statement" => StmtKind::For {
                init: fields(node, "init").into_iter().map(|init| self.initial(init)).collect(),
                condition: node.child_by_field_name("condition").map(|node| self.expr(node)),
                update: fields(node, "update").into_iter().map(|node| self.expr(node)).collect(),
                body: self.body(node, "body"),
            },
            "enhanced_for_statement" => {
                let dimensions = node.child_by_field_name("dimensions");
                let dimensions = dimensions.map_or(0, |list| self.dimensions(list));
                StmtKind::ForEach {
                    ty: array_of(self.declared_type(node), dimensions),
                    name: self.named(node, "name"),
                    value: self.field_expr(node, "value"),
                    body: self.body(node, "body"),
                }
            }
            "labeled_statement" => {
                let parts = children(node);
                match parts[..] {
                    [label, .., body] => {
                        StmtKind::Labeled(self.text_of(label).to_owned(), Box::new(self.stmt(body)))
                    }
                    _ => StmtKind::Empty,
                }
            }
            "return_statement" => StmtKind::Return(first().map(|value| self.expr(value))),
            "break_statement" => StmtKind::Break(label()),
            "continue_statement" => StmtKind::Continue(label()),
            "yield_statement" => StmtKind::Yield(self.first_expr(node)),
            "throw_statement" => StmtKind::Throw(self.first_expr(node)),
            "synchronized_statement" => {
                let body = node.child_by_field_name("body").map(|body| self.block(body));
                StmtKind::Synchronized(self.first_expr(node), body.unwrap_or_default())
            }
            "assert_statement" => {
                let parts = children(node);
                let message = parts.get(1).map(|message| self.expr(*message));
                StmtKind::Assert(self.first_expr(node), message)
            }
            "try_statement" | "try_with_resources_statement" => self.try_(node),
            "explicit_constructor_invocation" => {
                let constructor = node.child_by_field_name("constructor");
                let is_super = constructor.is_some_and(|node| self.text_of(node) == "super");
                StmtKind::Constructor { is_super, arguments: self.arguments(node) }
            }
            _ => match self.type_decl(node, Vec::new()) {
                Some(decl) => StmtKind::Class(Box::new(decl)),
                None => StmtKind::Unknown(node.kind().replace('_', " ")),
            },
        }
    }

    fn first_expr(self, node: Node<'_>) -> Expr {
        match children(node).first() {
            Some(first) => self.expr(*first),
            None => self.missing(node),
        }
    }

    /// The initializer of a `for`.
    fn initial(self, node: Node<'_>) -> Stmt {
        match node.kind() {
            "local_variable_declaration" => self.stmt(node),
            _ => Stmt { kind: StmtKind::Expr(self.expr(node)), at: at(node) },
        }
    }

    fn declared_type(self, node: Node<'_>) -> TypeRef {
        match node.child_by_field_name("type") {
            Some(ty) => self.type_ref(ty),
            None => {
                TypeRef { kind: TypeRefKind::Named("var".to_owned(), Vec::new()), at: at(node) }
            }
        }
    }

    fn local(self, node: Node<'_>) -> StmtKind {
        let declarators = fields(node, "declarator").into_iter().map(|declarator| {
            let dimensions = declarator.child_by_field_name("dimensions");
            Declarator {
                name: self.named(declarator, "name"),
                dimensions: dimensions.map_or(0, |list| self.dimensions(list)),
                value: declarator.child_by_field_name("value").map(|value| self.expr(value)),
            }
        });
        StmtKind::Local(self.declared_type(node), declarators.collect())
    }

    fn try_(self, node: Node<'_>) -> StmtKind {
        let mut catches = Vec::new();
        let mut finally = None;
        for part in children(node) {
            match part.kind() {
                "catch_clause" => catches.push(self.catch(part)),
                "finally_clause" => {
                    let block = children(part).into_iter().find(|part| part.kind() == "block");
                    finally = block.map(|block| self.block(block));
                }
                _ => {}
            }
        }
        let body = node.child_by_field_name("body").map(|body| self.block(body));
        let body = body.unwrap_or_default();
        let body = match node.child_by_field_name("resources") {
            Some(list) => self.with_resources(list, body),
            None => body,
        };
        StmtKind::Try { body, catches, finally }
    }

    fn catch(self, node: Node<'_>) -> Catch {
        let parts = children(node);
        let parameter = parts.iter().find(|part| part.kind() == "catch_formal_parameter");
        let types = parameter.map(|parameter| children(*parameter)).unwrap_or_default();
        let types = types.into_iter().filter(|part| part.kind() == "catch_type");
        let types = types.flat_map(children).map(|ty| self.type_ref(ty)).collect();
        let body = node.child_by_field_name("body").map(|body| self.block(body));
        Catch {
            types,
            name: self.named(parameter.copied().unwrap_or(node), "name"),
            body: body.unwrap_or_default(),
        }
    }

    pub(super) fn switch(self, node: Node<'_>) -> (Expr, Vec<SwitchCase>) {
        let body = node.child_by_field_name("body");
        let groups = body.map(children).unwrap_or_default();
        let cases = groups.into_iter().map(|group| self.case(group)).collect();
        (self.condition(node), cases)
    }

    fn case(self, group: Node<'_>) -> SwitchCase {
        let is_rule = group.kind() == "switch_rule";
        let (labels, patterns, body) = (Vec::new(), Vec::new(), Vec::new());
        let mut case = SwitchCase { labels, patterns, is_default: false, is_rule, body };
        for part in all_children(group) {
            match part.kind() {
                "switch_label" => {
                    let labels = children(part);
                    case.is_default |= self.text_of(part).starts_with("default");
                    let guard = labels.iter().find(|label| label.kind() == "guard");
                    let guard = guard.map(|guard| self.first_expr(*guard));
                    for label in labels.into_iter().filter(|label| label.kind() != "guard") {
                        match label.kind() {
                            "pattern" => case.patterns.push(self.pattern(label, guard.clone())),
                            _ => case.labels.push(self.expr(label)),
                        }
                    }
                }
                _ if is_comment(part) => {
                    let spec = self.comment(part).map(StmtKind::Spec);
                    case.body.extend(spec.map(|kind| Stmt { kind, at: at(part) }));
                }
                _ => case.body.push(self.stmt(part)),
            }
        }
        case
    }

    /// `T x`; of a pattern with parts only the type counts, and then whether it matches is not known.
    fn pattern(self, node: Node<'_>, guard: Option<Expr>) -> Pattern {
        let inner = children(node).into_iter().next().unwrap_or(node);
        let parts = children(inner);
        let unknown =
            Expr { kind: ExprKind::Unknown("a pattern with parts".to_owned()), at: at(node) };
        let ty = match parts.first() {
            Some(ty) => self.type_ref(*ty),
            None => TypeRef { kind: TypeRefKind::Named(String::new(), Vec::new()), at: at(node) },
        };
        match (inner.kind(), parts.get(1)) {
            ("type_pattern", Some(name)) => Pattern { ty, name: Some(self.ident(*name)), guard },
            _ => Pattern { ty, name: None, guard: Some(unknown) },
        }
    }

    pub(super) fn missing(self, node: Node<'_>) -> Expr {
        Expr { kind: ExprKind::Unknown("missing expression".to_owned()), at: at(node) }
    }
}

//! `try` with resources, by its translation (JLS §14.20.3): each resource is closed in a `finally` of its
//! own, last opened first. Where both the body and `close` throw, the exception of the latter propagates.

use tree_sitter::Node;

use super::{Reader, at, children};
use crate::syntax::{
    Binary, Declarator, Expr, ExprKind, Ident, Literal, Receiver, Stmt, StmtKind, TextRange,
};

impl Reader<'_> {
    /// A body with resources around it.
    pub(super) fn with_resources(self, list: Node<'_>, body: Vec<Stmt>) -> Vec<Stmt> {
        let resources = children(list).into_iter().filter(|part| part.kind() == "resource");
        let resources: Vec<Node<'_>> = resources.collect();
        resources.into_iter().rev().fold(body, |body, resource| self.with_resource(resource, body))
    }

    fn with_resource(self, resource: Node<'_>, body: Vec<Stmt>) -> Vec<Stmt> {
        let whole = at(resource);
        let mut statements = Vec::new();
        let object = match resource.child_by_field_name("type") {
            Some(ty) => {
                let name = self.named(resource, "name");
                let object = Expr { kind: ExprKind::Name(name.name.clone()), at: name.at };
                let value = Some(self.field_expr(resource, "value"));
                let declarator = Declarator { name, dimensions: 0, value };
                let kind = StmtKind::Local(self.type_ref(ty), vec![declarator]);
                statements.push(Stmt { kind, at: whole });
                object
            }
            None => match children(resource).first() {
                Some(object) => self.expr(*object),
                None => self.missing(resource),
            },
        };
        let finally = Some(vec![close(object, whole)]);
        let kind = StmtKind::Try { body, catches: Vec::new(), finally };
        statements.push(Stmt { kind, at: whole });
        vec![Stmt { kind: StmtKind::Block(statements), at: whole }]
    }
}

/// `if (object != null) object.close();`
fn close(object: Expr, at: TextRange) -> Stmt {
    let null = Expr { kind: ExprKind::Literal(Literal::Null), at };
    let is_there = ExprKind::Binary(Binary::Ne, Box::new(object.clone()), Box::new(null));
    let call = ExprKind::Call {
        receiver: Receiver::Expr(Box::new(object)),
        name: Ident { name: "close".to_owned(), at },
        arguments: Vec::new(),
    };
    let call = Stmt { kind: StmtKind::Expr(Expr { kind: call, at }), at };
    let kind = StmtKind::If(Expr { kind: is_there, at }, Box::new(call), None);
    Stmt { kind, at }
}

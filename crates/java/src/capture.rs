//! Which variables of a body the classes declared in it use (JLS §8.1.3). An object of such a class holds
//! the values that they had when it was made.
//!
//! A variable counts as used if its name occurs in the class, which may be more often than need be and never
//! less often.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::{Expr, ExprKind, Member, Stmt, StmtKind, TypeDecl, TypeRef, TypeRefKind, Unit};

/// A variable and its type as written.
type Variable = (String, TypeRef);

/// The variables that each class in a body captures, by the start of its declaration.
pub(crate) type Captures = BTreeMap<u32, Vec<Variable>>;

/// The captured variables of the classes of a file.
pub(crate) fn captures(unit: &Unit) -> Captures {
    let mut walk = CaptureVisitor { visible: Vec::new(), found: Captures::new() };
    for decl in &unit.types {
        walk.class(decl);
    }
    walk.found
}

struct CaptureVisitor {
    visible: Vec<Variable>,
    found: Captures,
}

impl CaptureVisitor {
    fn class(&mut self, decl: &TypeDecl) {
        for member in &decl.members {
            let outer = self.visible.len();
            match member {
                Member::Field(field) => field.value.iter().for_each(|value| self.expr(value)),
                Member::Method(method) => {
                    for parameter in &method.parameters {
                        self.visible.push((parameter.name.name.clone(), parameter.ty.clone()));
                    }
                    method.body.iter().flatten().for_each(|statement| self.stmt(statement));
                }
                Member::Initializer { body, .. } => {
                    body.iter().for_each(|statement| self.stmt(statement));
                }
                Member::Type(inner) => self.class(inner),
            }
            self.visible.truncate(outer);
        }
    }

    /// A class in a body.
    fn inner(&mut self, decl: &TypeDecl) {
        let mut names = BTreeSet::new();
        mentioned_names(decl, &mut names);
        let own = |name: &str| {
            decl.members
                .iter()
                .any(|member| matches!(member, Member::Field(field) if field.name.name == name))
        };
        let mut captured: Vec<Variable> = Vec::new();
        for (name, ty) in self.visible.iter().rev() {
            let is_new = !captured.iter().any(|(known, _)| known == name);
            if is_new && names.contains(name) && !own(name) {
                captured.push((name.clone(), ty.clone()));
            }
        }
        captured.reverse();
        self.found.insert(decl.at.start, captured);
        self.class(decl);
    }

    fn stmt(&mut self, statement: &Stmt) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.stmt_kind(statement));
    }

    fn stmt_kind(&mut self, statement: &Stmt) {
        let outer = self.visible.len();
        match &statement.kind {
            StmtKind::Class(decl) => return self.inner(decl),
            StmtKind::Local(ty, declarators) => {
                for declarator in declarators {
                    declarator.value.iter().for_each(|value| self.expr(value));
                    let ty = inferred(ty, declarator.value.as_ref());
                    let ty = (0..declarator.dimensions).fold(ty, |ty, _| array_of(ty));
                    self.visible.push((declarator.name.name.clone(), ty));
                }
                return;
            }
            // The variables of a pattern may be in scope after the statement.
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                let inner = self.visible.len();
                self.stmt(then);
                otherwise.iter().for_each(|otherwise| self.stmt(otherwise));
                self.visible.truncate(inner);
                return;
            }
            StmtKind::ForEach { ty, name, value, body } => {
                self.expr(value);
                self.visible.push((name.name.clone(), inferred(ty, None)));
                self.stmt(body);
            }
            StmtKind::Try { body, catches, finally } => {
                body.iter().for_each(|statement| self.stmt(statement));
                self.visible.truncate(outer);
                for catch in catches {
                    let ty = catch.types.first().cloned();
                    self.visible.extend(ty.map(|ty| (catch.name.name.clone(), ty)));
                    catch.body.iter().for_each(|statement| self.stmt(statement));
                    self.visible.truncate(outer);
                }
                finally.iter().flatten().for_each(|statement| self.stmt(statement));
            }
            StmtKind::For { init, condition, update, body } => {
                init.iter().for_each(|statement| self.stmt(statement));
                condition.iter().chain(update).for_each(|part| self.expr(part));
                self.stmt(body);
            }
            StmtKind::Empty
            | StmtKind::Block(_)
            | StmtKind::Expr(_)
            | StmtKind::While(..)
            | StmtKind::Do(..)
            | StmtKind::Labeled(..)
            | StmtKind::Switch(..)
            | StmtKind::Return(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Yield(_)
            | StmtKind::Throw(_)
            | StmtKind::Synchronized(..)
            | StmtKind::Assert(..)
            | StmtKind::Constructor { .. }
            | StmtKind::Spec(_)
            | StmtKind::Unknown(_) => {
                let (statements, expressions) = statement.parts();
                expressions.into_iter().for_each(|part| self.expr(part));
                statements.into_iter().for_each(|part| self.stmt(part));
            }
        }
        self.visible.truncate(outer);
    }

    fn expr(&mut self, expr: &Expr) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
            expr.parts().into_iter().for_each(|part| self.expr(part));
            match &expr.kind {
                ExprKind::New { body: Some(decl), .. } => self.inner(decl),
                ExprKind::InstanceOf(_, ty, Some(name)) => {
                    self.visible.push((name.name.clone(), ty.clone()));
                }
                ExprKind::Switch(_, cases) => {
                    for statement in cases.iter().flat_map(|case| &case.body) {
                        self.stmt(statement);
                    }
                }
                _ => {}
            }
        });
    }
}

/// The type of a variable; where it is left to be inferred, what can be seen of it.
fn inferred(ty: &TypeRef, value: Option<&Expr>) -> TypeRef {
    let is_left = matches!(&ty.kind, TypeRefKind::Named(name, _) if name == "var");
    match value.map(|value| &value.kind) {
        Some(ExprKind::New { ty, .. } | ExprKind::Cast(ty, _)) if is_left => ty.clone(),
        _ => ty.clone(),
    }
}

fn array_of(ty: TypeRef) -> TypeRef {
    let at = ty.at;
    TypeRef { kind: TypeRefKind::Array(Box::new(ty)), at }
}

/// All names that occur in a class.
fn mentioned_names(decl: &TypeDecl, names: &mut BTreeSet<String>) {
    for member in &decl.members {
        match member {
            Member::Field(field) => field.value.iter().for_each(|value| in_expr(value, names)),
            Member::Method(method) => {
                method.body.iter().flatten().for_each(|statement| in_stmt(statement, names));
            }
            Member::Initializer { body, .. } => {
                body.iter().for_each(|statement| in_stmt(statement, names));
            }
            Member::Type(inner) => mentioned_names(inner, names),
        }
    }
}

fn in_stmt(statement: &Stmt, names: &mut BTreeSet<String>) {
    stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
        if let StmtKind::Class(decl) = &statement.kind {
            mentioned_names(decl, names);
        }
        let (statements, expressions) = statement.parts();
        expressions.into_iter().for_each(|part| in_expr(part, names));
        statements.into_iter().for_each(|part| in_stmt(part, names));
    });
}

fn in_expr(expr: &Expr, names: &mut BTreeSet<String>) {
    stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
        match &expr.kind {
            ExprKind::Name(name) => {
                names.insert(name.clone());
            }
            ExprKind::New { body: Some(decl), .. } => mentioned_names(decl, names),
            ExprKind::Switch(_, cases) => {
                for statement in cases.iter().flat_map(|case| &case.body) {
                    in_stmt(statement, names);
                }
            }
            _ => {}
        }
        expr.parts().into_iter().for_each(|part| in_expr(part, names));
    });
}

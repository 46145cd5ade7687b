//! The method itself: its parameters, its statements, and its contract.

use super::names::Names;
use super::{Expr, OutsideSubset, Pred, Procedure, Stmt, StmtKind, beyond, spec};
use crate::program::{Method, Program};
use crate::resolve::Scope;
use crate::syntax::{self, Binary, ExprKind, Literal, TextRange, Unary};
use crate::types::Ty;

pub(super) fn read(
    program: &Program<'_>,
    method: &Method<'_>,
    name: String,
    text: &str,
) -> Result<Procedure, OutsideSubset> {
    if !method.is_static {
        return beyond(method.at, "the paper's subset has static methods only");
    }
    let mut reader = Reader { names: Names::new(program, name), method, text };
    let mut types: Vec<&Ty> = method.parameters.iter().map(|parameter| &parameter.ty).collect();
    types.extend(Some(&method.result).filter(|ty| **ty != Ty::Void));
    // All fields are known before a variable is, since it is the variable that yields.
    for ty in types {
        reader.names.domain(ty, method.at)?;
    }
    for parameter in &method.parameters {
        reader.names.declare(&parameter.name, parameter.ty.clone(), method.at)?;
    }
    reader.names.procedure.parameters = method.parameters.len();
    if method.result != Ty::Void {
        reader.names.procedure.result = Some(reader.names.domain(&method.result, method.at)?);
    }
    for case in &method.spec.cases {
        for condition in &case.requires {
            let formula = spec::condition(&reader.names, condition, false)?;
            reader.names.procedure.requires.push(formula);
        }
        for condition in &case.ensures {
            let formula = spec::condition(&reader.names, condition, true)?;
            reader.names.procedure.ensures.push(formula);
        }
    }
    let body = reader.stmts(method.body.unwrap_or_default())?;
    reader.names.procedure.body = body;
    Ok(reader.names.procedure)
}

struct Reader<'r, 'p, 's> {
    names: Names<'p, 's>,
    method: &'r Method<'s>,
    text: &'r str,
}

impl Reader<'_, '_, '_> {
    fn line(&self, at: TextRange) -> usize {
        ir::line_and_column(self.text, at.start).0
    }

    fn stmts(&mut self, body: &[syntax::Stmt]) -> Result<Vec<Stmt>, OutsideSubset> {
        let outer = self.names.scope.len();
        let mut read = Vec::new();
        for stmt in body {
            self.stmt(stmt, &mut read)?;
        }
        self.names.scope.truncate(outer);
        Ok(read)
    }

    fn stmt(&mut self, stmt: &syntax::Stmt, read: &mut Vec<Stmt>) -> Result<(), OutsideSubset> {
        use syntax::StmtKind as Java;
        let at = stmt.at;
        let kind = match &stmt.kind {
            Java::Empty => return Ok(()),
            Java::Block(body) => {
                read.extend(self.stmts(body)?);
                return Ok(());
            }
            Java::Local(ty, declarators) => return self.local(ty, declarators, at, read),
            Java::Expr(syntax::Expr { kind: ExprKind::Assign(None, target, value), .. }) => {
                self.assign(target, value)?
            }
            Java::If(condition, then, otherwise) => {
                let condition = self.pred(condition)?;
                let then = self.stmts(std::slice::from_ref(&**then))?;
                let otherwise = match otherwise {
                    Some(otherwise) => self.stmts(std::slice::from_ref(&**otherwise))?,
                    None => Vec::new(),
                };
                StmtKind::If(condition, then, otherwise)
            }
            Java::While(condition, body) => {
                let condition = self.pred(condition)?;
                StmtKind::While(condition, self.stmts(std::slice::from_ref(&**body))?)
            }
            Java::Return(None) => StmtKind::Return(None),
            Java::Return(Some(value)) => {
                let (read, ty) = self.expr(value)?;
                self.same_type(&ty, &self.method.result, value.at)?;
                StmtKind::Return(Some(read))
            }
            Java::Class(_)
            | Java::Expr(_)
            | Java::Do(..)
            | Java::For { .. }
            | Java::ForEach { .. }
            | Java::Labeled(..)
            | Java::Switch(..)
            | Java::Break(_)
            | Java::Continue(_)
            | Java::Yield(_)
            | Java::Throw(_)
            | Java::Try { .. }
            | Java::Synchronized(..)
            | Java::Assert(..)
            | Java::Constructor { .. }
            | Java::Spec(_)
            | Java::Unknown(_) => return beyond(at, "this is not in the paper's subset of Java"),
        };
        read.push(Stmt { kind, line: self.line(at) });
        Ok(())
    }

    fn local(
        &mut self,
        ty: &syntax::TypeRef,
        declarators: &[syntax::Declarator],
        at: TextRange,
        read: &mut Vec<Stmt>,
    ) -> Result<(), OutsideSubset> {
        let scope = Scope { class: self.method.class, vars: &[] };
        let Some(ty) = self.names.program.find_type(ty, scope) else {
            return beyond(at, "this type is not known");
        };
        for declarator in declarators {
            if declarator.dimensions > 0 {
                return beyond(declarator.name.at, "arrays are not in the paper's subset");
            }
            // The value is read first: it cannot mention the variable.
            let value = declarator.value.as_ref().map(|value| self.expr(value)).transpose()?;
            let name = self.names.declare(&declarator.name.name, ty.clone(), declarator.name.at)?;
            if let Some((value, of)) = value {
                self.same_type(&of, &ty, declarator.name.at)?;
                let line = self.line(declarator.name.at);
                read.push(Stmt { kind: StmtKind::Assign(name, value), line });
            }
        }
        Ok(())
    }

    fn assign(
        &mut self,
        target: &syntax::Expr,
        value: &syntax::Expr,
    ) -> Result<StmtKind, OutsideSubset> {
        let (value_read, of) = self.expr(value)?;
        let (place, ty) = self.expr(target)?;
        self.same_type(&of, &ty, target.at.to(value.at))?;
        match place {
            Expr::Variable(name) => Ok(StmtKind::Assign(name, value_read)),
            Expr::Field(object, field) => Ok(StmtKind::Store(*object, field, value_read)),
            Expr::Null => beyond(target.at, "nothing can be assigned to this"),
        }
    }

    fn expr(&mut self, expr: &syntax::Expr) -> Result<(Expr, Ty), OutsideSubset> {
        match &expr.kind {
            ExprKind::Literal(Literal::Null) => Ok((Expr::Null, Ty::Null)),
            ExprKind::Name(name) => match self.names.variable(name) {
                Some((name, ty)) => Ok((Expr::Variable(name), ty)),
                None => beyond(expr.at, format!("`{name}` is no variable of the method")),
            },
            ExprKind::Field(object, name) => {
                let (object, of) = self.expr(object)?;
                let (field, ty) = self.names.field(&of, &name.name, name.at)?;
                Ok((Expr::Field(Box::new(object), field), ty))
            }
            _ => beyond(expr.at, "this expression is not in the paper's subset of Java"),
        }
    }

    /// Types that are compared or assigned are the same: there is no inheritance.
    fn same_type(&self, a: &Ty, b: &Ty, at: TextRange) -> Result<(), OutsideSubset> {
        let class = |ty: &Ty| self.names.program.class_of(ty);
        let is_fine = match (a, b) {
            (Ty::Null, other) | (other, Ty::Null) => other.is_reference(),
            (Ty::Int, Ty::Int) => true,
            (a, b) => class(a).is_some() && class(a) == class(b),
        };
        if is_fine { Ok(()) } else { beyond(at, "values of different types do not meet here") }
    }

    fn pred(&mut self, expr: &syntax::Expr) -> Result<Pred, OutsideSubset> {
        let not = |pred: Pred| match pred {
            Pred::Not(inner) => *inner,
            other => Pred::Not(Box::new(other)),
        };
        match &expr.kind {
            ExprKind::Unary(Unary::Not, inner) => Ok(not(self.pred(inner)?)),
            ExprKind::Binary(Binary::AndAlso, a, b) => {
                Ok(Pred::And(Box::new(self.pred(a)?), Box::new(self.pred(b)?)))
            }
            ExprKind::Binary(Binary::OrElse, a, b) => {
                let (a, b) = (not(self.pred(a)?), not(self.pred(b)?));
                Ok(Pred::Not(Box::new(Pred::And(Box::new(a), Box::new(b)))))
            }
            ExprKind::Binary(operator, a, b) => {
                let ((x, t), (y, u)) = (self.expr(a)?, self.expr(b)?);
                self.same_type(&t, &u, expr.at)?;
                let (swap, negate) = match operator {
                    Binary::Eq => return Ok(Pred::Equal(x, y)),
                    Binary::Ne => return Ok(not(Pred::Equal(x, y))),
                    Binary::Lt => (false, false),
                    Binary::Gt => (true, false),
                    Binary::Ge => (false, true),
                    Binary::Le => (true, true),
                    _ => return beyond(expr.at, "this operator is not in the paper's subset"),
                };
                let less = if swap { Pred::Less(y, x) } else { Pred::Less(x, y) };
                Ok(if negate { not(less) } else { less })
            }
            _ => beyond(expr.at, "this condition is not in the paper's subset of Java"),
        }
    }
}

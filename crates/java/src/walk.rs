//! Walking over syntax: the parts of statements and expressions, and predicates on all of them.

use crate::syntax::{Binary, Expr, ExprKind, Receiver, Spec, Stmt, StmtKind, TypeDecl};

impl Expr {
    /// The expressions it is made of, in the order in which they are evaluated.
    pub(crate) fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Literal(_)
            | ExprKind::Name(_)
            | ExprKind::This
            | ExprKind::OuterThis(_)
            | ExprKind::ClassLiteral(_)
            | ExprKind::Unknown(_)
            | ExprKind::Spec(Spec::Result) => Vec::new(),
            ExprKind::Field(a, _)
            | ExprKind::Unary(_, a)
            | ExprKind::Update { target: a, .. }
            | ExprKind::Cast(_, a)
            | ExprKind::InstanceOf(a, ..)
            | ExprKind::Switch(a, _)
            | ExprKind::Spec(Spec::Old(a) | Spec::Reach { from: a, .. }) => vec![&**a],
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
                vec![&**a, &**b]
            }
            ExprKind::Conditional(a, b, c) => vec![&**a, &**b, &**c],
            ExprKind::Call { receiver, arguments, .. } => {
                let receiver = match receiver {
                    Receiver::Expr(receiver) => Some(&**receiver),
                    Receiver::None | Receiver::Super => None,
                };
                receiver.into_iter().chain(arguments).collect()
            }
            ExprKind::New { arguments, outer, .. } => {
                outer.as_deref().into_iter().chain(arguments).collect()
            }
            ExprKind::NewArray { lengths, initial, .. } => {
                lengths.iter().chain(initial.as_deref()).collect()
            }
            ExprKind::Elements(all) | ExprKind::Spec(Spec::Fresh(all)) => all.iter().collect(),
            ExprKind::Spec(Spec::Quantified { range, body, .. }) => {
                range.as_deref().into_iter().chain([&**body]).collect()
            }
        }
    }

    /// Whether this or a part of it is as asked.
    pub(crate) fn any(&self, is: &dyn Fn(&Expr) -> bool) -> bool {
        is(self) || self.parts().into_iter().any(|part| part.any(is))
    }

    /// Whether evaluating it may change the state.
    pub(crate) fn has_effects(&self) -> bool {
        self.any(&|expr| {
            matches!(
                expr.kind,
                ExprKind::Assign(..)
                    | ExprKind::Update { .. }
                    | ExprKind::Call { .. }
                    | ExprKind::New { .. }
                    | ExprKind::NewArray { .. }
                    | ExprKind::Elements(_)
                    | ExprKind::Switch(..)
                    | ExprKind::Unknown(_)
            )
        })
    }

    /// Whether evaluating it only yields a value: it neither changes the state nor fails.
    pub(crate) fn is_plain(&self) -> bool {
        let is_risky = |expr: &Expr| match &expr.kind {
            ExprKind::Literal(_)
            | ExprKind::Name(_)
            | ExprKind::This
            | ExprKind::Unary(..)
            | ExprKind::InstanceOf(_, _, None) => false,
            ExprKind::Binary(op, ..) => matches!(op, Binary::Div | Binary::Rem | Binary::Add),
            _ => true,
        };
        !self.any(&is_risky)
    }
}

impl Stmt {
    /// The statements and expressions it is made of.
    pub(crate) fn parts(&self) -> (Vec<&Stmt>, Vec<&Expr>) {
        match &self.kind {
            StmtKind::Empty
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Spec(_)
            | StmtKind::Unknown(_)
            | StmtKind::Class(_) => (Vec::new(), Vec::new()),
            StmtKind::Block(all) => (all.iter().collect(), Vec::new()),
            StmtKind::Local(_, declarators) => {
                (Vec::new(), declarators.iter().filter_map(|d| d.value.as_ref()).collect())
            }
            StmtKind::Expr(value) | StmtKind::Yield(value) | StmtKind::Throw(value) => {
                (Vec::new(), vec![value])
            }
            StmtKind::If(condition, then, otherwise) => {
                (std::iter::once(&**then).chain(otherwise.as_deref()).collect(), vec![condition])
            }
            StmtKind::While(condition, body) | StmtKind::Do(body, condition) => {
                (vec![&**body], vec![condition])
            }
            StmtKind::For { init, condition, update, body } => {
                let statements = init.iter().chain([&**body]).collect();
                (statements, condition.iter().chain(update).collect())
            }
            StmtKind::ForEach { value, body, .. } => (vec![&**body], vec![value]),
            StmtKind::Labeled(_, body) => (vec![&**body], Vec::new()),
            StmtKind::Switch(value, cases) => {
                let guards = cases.iter().flat_map(|case| &case.patterns);
                let guards = guards.filter_map(|pattern| pattern.guard.as_ref());
                let parts = std::iter::once(value).chain(guards).collect();
                (cases.iter().flat_map(|case| &case.body).collect(), parts)
            }
            StmtKind::Return(value) => (Vec::new(), value.iter().collect()),
            StmtKind::Try { body, catches, finally } => {
                let catches = catches.iter().flat_map(|catch| &catch.body);
                (body.iter().chain(catches).chain(finally.iter().flatten()).collect(), Vec::new())
            }
            StmtKind::Synchronized(lock, body) => (body.iter().collect(), vec![lock]),
            StmtKind::Assert(condition, message) => {
                (Vec::new(), std::iter::once(condition).chain(message).collect())
            }
            StmtKind::Constructor { arguments, .. } => (Vec::new(), arguments.iter().collect()),
        }
    }
}

/// All declarations of types in statements, outermost only.
pub(crate) fn declared<'s>(statements: &'s [Stmt]) -> Vec<&'s TypeDecl> {
    let mut found = Vec::new();
    let mut open: Vec<&'s Stmt> = statements.iter().rev().collect();
    while let Some(statement) = open.pop() {
        if let StmtKind::Class(decl) = &statement.kind {
            found.push(&**decl);
        }
        let (statements, expressions) = statement.parts();
        for expression in expressions {
            declared_in(expression, &mut found);
        }
        open.extend(statements.into_iter().rev());
    }
    found
}

/// The classes without names in an expression.
pub(crate) fn declared_in<'s>(expression: &'s Expr, found: &mut Vec<&'s TypeDecl>) {
    match &expression.kind {
        ExprKind::New { body: Some(decl), .. } => found.push(decl),
        ExprKind::Switch(_, cases) => {
            for case in cases {
                found.extend(declared(&case.body));
            }
        }
        _ => {}
    }
    for part in expression.parts() {
        declared_in(part, found);
    }
}

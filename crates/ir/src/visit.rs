//! The expressions that statements, places and contracts hold, in the order in which the text form
//! writes them.

use crate::expr::{Binder, Expr, ExprId};
use crate::procedure::{Contract, LoopFacts, Procedure};
use crate::statement::{
    Allocation, Callee, Exit, Place, Projection, StatementKind, TerminatorKind,
};

impl Expr {
    /// Its operands, in order.
    pub fn operands(&self) -> &[ExprId] {
        match self {
            Expr::Bool(_)
            | Expr::Bv(..)
            | Expr::Int(_)
            | Expr::Null(_)
            | Expr::Read(_)
            | Expr::Bound(_) => &[],
            Expr::Op(_, operands) | Expr::Apply(_, operands) => operands,
            Expr::Old(operand) | Expr::Quantified(_, _, operand) | Expr::Lambda(_, operand) => {
                std::slice::from_ref(operand)
            }
        }
    }

    /// Its operands, in order, to be changed.
    pub fn operands_mut(&mut self) -> &mut [ExprId] {
        match self {
            Expr::Bool(_)
            | Expr::Bv(..)
            | Expr::Int(_)
            | Expr::Null(_)
            | Expr::Read(_)
            | Expr::Bound(_) => &mut [],
            Expr::Op(_, operands) | Expr::Apply(_, operands) => operands,
            Expr::Old(operand) | Expr::Quantified(_, _, operand) | Expr::Lambda(_, operand) => {
                std::slice::from_mut(operand)
            }
        }
    }

    /// The variables that it binds.
    pub fn binders(&self) -> &[Binder] {
        match self {
            Expr::Quantified(_, binders, _) | Expr::Lambda(binders, _) => binders,
            Expr::Bool(_)
            | Expr::Bv(..)
            | Expr::Int(_)
            | Expr::Null(_)
            | Expr::Read(_)
            | Expr::Bound(_)
            | Expr::Op(..)
            | Expr::Apply(..)
            | Expr::Old(_) => &[],
        }
    }
}

/// All expressions that a procedure holds directly, in the order of its text.
pub(crate) fn roots(procedure: &Procedure) -> Vec<ExprId> {
    let mut roots = Vec::new();
    procedure.for_each_expr(&mut |id| roots.push(*id));
    roots
}

/// The same walk twice, over shared and over exclusive references.
macro_rules! walks {
    ($name:ident, $doc:literal, $iter:ident $(, $mutable:tt)?) => {
        impl Place {
            #[doc = $doc]
            pub fn $name(&$($mutable)? self, visit: &mut dyn FnMut(&$($mutable)? ExprId)) {
                for projection in &$($mutable)? self.path {
                    match projection {
                        Projection::Field(..) => {}
                        Projection::Index(keys) => keys.$iter().for_each(&mut *visit),
                        Projection::View { pointer, .. } => visit(pointer),
                    }
                }
            }
        }

        impl StatementKind {
            #[doc = $doc]
            pub fn $name(&$($mutable)? self, visit: &mut dyn FnMut(&$($mutable)? ExprId)) {
                match self {
                    StatementKind::Assign(pairs) => {
                        for (place, _) in pairs.$iter() {
                            place.$name(visit);
                        }
                        for (_, value) in pairs.$iter() {
                            visit(value);
                        }
                    }
                    StatementKind::Havoc { place, condition, .. } => {
                        place.$name(visit);
                        condition.$iter().for_each(visit);
                    }
                    StatementKind::Assume { condition, .. }
                    | StatementKind::Assert { condition, .. } => visit(condition),
                    StatementKind::Allocate { place, allocation } => {
                        place.$name(visit);
                        match allocation {
                            Allocation::Atom(_) => {}
                            Allocation::Object { size, .. } => visit(size),
                        }
                    }
                    StatementKind::Free(pointer) => visit(pointer),
                    StatementKind::Call { results, callee, arguments, caught } => {
                        for place in results.$iter() {
                            place.$name(visit);
                        }
                        match callee {
                            Callee::Procedure(_) => {}
                            Callee::Choice(chosen_by, table) => {
                                visit(chosen_by);
                                for (value, _) in table.$iter() {
                                    visit(value);
                                }
                            }
                        }
                        for argument in arguments.$iter() {
                            visit(argument);
                        }
                        if let Some((thrown, value)) = caught {
                            thrown.$name(visit);
                            if let Some(value) = value {
                                value.$name(visit);
                            }
                        }
                    }
                    StatementKind::Unsupported { writes, .. } => {
                        for place in writes.$iter() {
                            place.$name(visit);
                        }
                    }
                }
            }
        }

        impl TerminatorKind {
            #[doc = $doc]
            pub fn $name(&$($mutable)? self, visit: &mut dyn FnMut(&$($mutable)? ExprId)) {
                match self {
                    TerminatorKind::Goto(_)
                    | TerminatorKind::Exit(
                        Exit::Normal
                        | Exit::Exceptional(None)
                        | Exit::Intended(_)
                        | Exit::Cut(_),
                    ) => {}
                    TerminatorKind::Branch(condition, _, _) => visit(condition),
                    TerminatorKind::Exit(Exit::Exceptional(Some(value))) => visit(value),
                }
            }
        }

        impl Contract {
            #[doc = $doc]
            pub fn $name(&$($mutable)? self, visit: &mut dyn FnMut(&$($mutable)? ExprId)) {
                for clause in &$($mutable)? self.requires {
                    visit(&$($mutable)? clause.condition);
                }
                for ensures in &$($mutable)? self.ensures {
                    visit(&$($mutable)? ensures.clause.condition);
                }
                for place in self.modifies.$iter().flatten() {
                    place.$name(visit);
                }
                self.decreases.$iter().for_each(visit);
            }
        }

        impl LoopFacts {
            #[doc = $doc]
            pub fn $name(&$($mutable)? self, visit: &mut dyn FnMut(&$($mutable)? ExprId)) {
                for invariant in &$($mutable)? self.invariants {
                    visit(&$($mutable)? invariant.condition);
                }
                self.decreases.$iter().for_each(visit);
            }
        }

        impl Procedure {
            #[doc = $doc]
            pub fn $name(&$($mutable)? self, visit: &mut dyn FnMut(&$($mutable)? ExprId)) {
                self.contract.$name(visit);
                for block in self.blocks.$iter().flatten() {
                    for facts in block.facts.$iter() {
                        facts.$name(visit);
                    }
                    for statement in &$($mutable)? block.statements {
                        statement.kind.$name(visit);
                    }
                    block.terminator.kind.$name(visit);
                }
            }
        }
    };
}

walks!(for_each_expr, "Visits the expressions held directly, in the order of the text.", iter);
walks!(
    for_each_expr_mut,
    "Visits the expressions held directly, in the order of the text, to change them.",
    iter_mut,
    mut
);

/// The places that a statement changes, shared or exclusive: the same walk twice.
macro_rules! written {
    ($doc:literal, $name:ident, $iter:ident, $($mutable:tt)?) => {
        impl StatementKind {
            #[doc = $doc]
            pub fn $name(&$($mutable)? self) -> Vec<&$($mutable)? Place> {
                match self {
                    StatementKind::Assign(pairs) => {
                        pairs.$iter().map(|(place, _)| place).collect()
                    }
                    StatementKind::Havoc { place, .. } | StatementKind::Allocate { place, .. } => {
                        vec![place]
                    }
                    StatementKind::Assume { .. }
                    | StatementKind::Assert { .. }
                    | StatementKind::Free(_) => Vec::new(),
                    StatementKind::Call { results, caught, .. } => {
                        let mut places: Vec<_> = results.$iter().collect();
                        if let Some((flag, value)) = caught {
                            places.push(flag);
                            places.extend(value);
                        }
                        places
                    }
                    StatementKind::Unsupported { writes, .. } => writes.$iter().collect(),
                }
            }
        }
    };
}

written!(
    "Every place that a statement itself may change. What a callee changes is another matter.",
    written,
    iter,
);
written!(
    "Every place that a statement itself may change, to be replaced.",
    written_mut,
    iter_mut,
    mut
);

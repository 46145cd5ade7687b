//! Triggers: terms that mention all that is bound, without operators that no prover looks for.

use super::Resolver;
use crate::program::Reference;
use crate::syntax::{Binary, ExprSyntax, NodeId, NodeKind, Unary};

impl Resolver<'_, '_, '_> {
    /// Checks the triggers of a quantifier, whose terms have their types by now.
    pub(super) fn triggers(&mut self, enter: NodeId) {
        let syntax = self.syntax;
        let NodeKind::Enter(scope) = &syntax.nodes[enter as usize].kind else { return };
        let NodeKind::Triggers(triggers) = &syntax.nodes[enter as usize + 1].kind else { return };
        for term in &triggers.excluded {
            self.no_lone_name(*term);
        }
        let (rigid, types) = self.meaning.scopes[&enter].clone();
        let mut fixed = Vec::new();
        types.iter().for_each(|ty| self.rigid_in(*ty, &mut fixed));
        for (terms, at) in &triggers.list {
            let mut mentioned = vec![false; scope.binders.len()];
            for term in terms {
                self.term(*term);
                for node in term.first..=term.root {
                    if let Reference::Bound(binder, index) = self.meaning.references[node as usize]
                        && binder == enter
                    {
                        mentioned[index as usize] = true;
                    }
                }
            }
            for ((name, _), is_mentioned) in scope.binders.iter().zip(mentioned) {
                if !is_mentioned {
                    self.fault(*at, format!("this trigger does not mention `{}`", name.text));
                }
            }
            // A type parameter that no bound variable fixes, the trigger must fix.
            let mut found = fixed.clone();
            if rigid.iter().any(|number| !fixed.contains(number)) {
                for node in terms.iter().flat_map(|term| term.first..=term.root) {
                    let ty = self.meaning.types[node as usize];
                    let ty = self.unifier.close(&mut self.types, ty);
                    self.rigid_in(ty, &mut found);
                }
            }
            for (name, number) in scope.parameters.iter().zip(&rigid) {
                if !found.contains(number) {
                    let message = format!("this trigger does not mention the type `{}`", name.text);
                    self.fault(*at, message);
                }
            }
        }
    }

    /// Reports a term that is a name and nothing else.
    fn no_lone_name(&mut self, term: ExprSyntax) {
        let root = &self.syntax.nodes[term.root as usize];
        if let NodeKind::Name(name) = &root.kind {
            self.fault(root.at, format!("`{}` alone is no trigger", name.text));
        }
    }

    fn term(&mut self, term: ExprSyntax) {
        let syntax = self.syntax;
        self.no_lone_name(term);
        for node in term.first..=term.root {
            let node = &syntax.nodes[node as usize];
            let is_allowed = match &node.kind {
                NodeKind::Unary(op, _) => *op != Unary::Not,
                NodeKind::Binary(op, ..) => match op {
                    Binary::Iff
                    | Binary::Implies
                    | Binary::Explies
                    | Binary::And
                    | Binary::Or
                    | Binary::Eq
                    | Binary::Lt
                    | Binary::Le
                    | Binary::Gt
                    | Binary::Ge => false,
                    Binary::Ne
                    | Binary::Subtype
                    | Binary::Concat
                    | Binary::Add
                    | Binary::Sub
                    | Binary::Mul
                    | Binary::Div
                    | Binary::Mod
                    | Binary::Divide
                    | Binary::Power => true,
                },
                NodeKind::Quantified(..) | NodeKind::Code => false,
                NodeKind::Bool(_)
                | NodeKind::Int(_)
                | NodeKind::Bv(..)
                | NodeKind::Real(_)
                | NodeKind::Float(_)
                | NodeKind::Text
                | NodeKind::Name(_)
                | NodeKind::If(..)
                | NodeKind::Call(..)
                | NodeKind::Index(..)
                | NodeKind::Update(..)
                | NodeKind::Extract(..)
                | NodeKind::ToInt(_)
                | NodeKind::ToReal(_)
                | NodeKind::Coerce(..)
                | NodeKind::Field(..)
                | NodeKind::FieldUpdate(..)
                | NodeKind::Is(..)
                | NodeKind::EnterOld
                | NodeKind::Old(_)
                | NodeKind::Enter(_)
                | NodeKind::Triggers(_)
                | NodeKind::Lambda(..)
                | NodeKind::EnterLet(_)
                | NodeKind::Let(..) => true,
            };
            if !is_allowed {
                self.fault(node.at, "this operator is not allowed in a trigger");
                return;
            }
        }
    }
}

//! Places: a variable and the path into its value.

use super::expression::Expressions;
use crate::statement::{Place, Projection, Variable};
use crate::text::diagnostics::TextRange;
use crate::text::syntax::{ExprSyntax, Name, NodeId, NodeKind};
use crate::types::Type;

impl<'a, 's> Expressions<'_, 'a, 's, '_> {
    /// A place and its type.
    pub(super) fn place(&mut self, syntax: ExprSyntax) -> Option<(Place, Type)> {
        let nodes = &self.resolver.syntax.nodes;
        let mut steps = Vec::new();
        let mut id = syntax.root;
        let (variable, mut ty) = loop {
            let node = &nodes[id as usize];
            let inner = match &node.kind {
                NodeKind::Name(name) => break self.variable(name, true)?,
                NodeKind::Global(name) => break self.variable(name, false)?,
                NodeKind::Index(inner, _)
                | NodeKind::Field(inner, _)
                | NodeKind::Load(inner, ..) => *inner,
                NodeKind::Bool(_)
                | NodeKind::Number(..)
                | NodeKind::Null(_)
                | NodeKind::Label(_)
                | NodeKind::Define(..)
                | NodeKind::Unary(..)
                | NodeKind::Binary(..)
                | NodeKind::If(..)
                | NodeKind::Call(_)
                | NodeKind::Construct(_)
                | NodeKind::Update(..)
                | NodeKind::With(..)
                | NodeKind::Record(_)
                | NodeKind::Is(..)
                | NodeKind::Argument(..)
                | NodeKind::StoreBytes(..)
                | NodeKind::Seq(..)
                | NodeKind::ConstMap(..)
                | NodeKind::Old(_)
                | NodeKind::Enter(_)
                | NodeKind::Quantified(..)
                | NodeKind::Lambda(..) => {
                    let note = "a variable, then any of `[…]`, `.f`, `{p as T}`";
                    self.resolver.diagnostics.add_with(node.at, "this cannot be assigned", note);
                    return None;
                }
            };
            steps.push(id);
            id = inner;
        };
        let mut path = Vec::with_capacity(steps.len());
        for step in steps.into_iter().rev() {
            let node = &nodes[step as usize];
            // Between the inner place and this step are its keys or its pointer.
            self.run(id + 1, step);
            id = step;
            let projection;
            (projection, ty) = self.step(&node.kind, &ty, node.at)?;
            path.push(projection);
        }
        Some((Place { variable, path }, ty))
    }

    fn variable(&mut self, name: &'a Name<'s>, may_be_local: bool) -> Option<(Variable, Type)> {
        if may_be_local && let Some(local) = self.find_local(name) {
            return Some((Variable::Local(local), self.locals[local.0 as usize].ty.clone()));
        }
        if let Some(global) = self.find_global(name) {
            let ty = self.resolver.module.global(global).ty.clone();
            return Some((Variable::Global(global), ty));
        }
        self.resolver.unknown("variable", name);
        None
    }

    fn step(
        &mut self,
        kind: &NodeKind<'s>,
        ty: &Type,
        at: TextRange,
    ) -> Option<(Projection, Type)> {
        match (kind, ty) {
            (NodeKind::Index(_, keys), Type::Map(types, value)) => {
                let keys = self.keys(keys, types, at)?;
                Some((Projection::Index(keys), (**value).clone()))
            }
            (NodeKind::Field(_, name), Type::Record(id)) => {
                let (index, ty) = self.field_in(*id, name)?;
                Some((Projection::Field(*id, index), ty))
            }
            (NodeKind::Load(_, pointer, viewed, volatile), Type::Bytes) => {
                let viewed = self.resolver.ty(viewed);
                let pointer = self.typed(*pointer, &Type::Ptr)?;
                let viewed = viewed?;
                if let Err(message) = crate::typing::viewable(&viewed, &self.resolver.module) {
                    self.fault(at, message);
                    return None;
                }
                let volatile = *volatile;
                Some((Projection::View { pointer, ty: viewed.clone(), volatile }, viewed))
            }
            _ => {
                let found = self.shown(ty);
                self.fault(at, format!("a place of type {found} has no such part"));
                None
            }
        }
    }

    /// Places with their types; each one that is broken is reported.
    pub(super) fn places(&mut self, syntax: &[ExprSyntax]) -> Option<Vec<(Place, Type)>> {
        let places: Vec<_> = syntax.iter().map(|place| self.place(*place)).collect();
        places.into_iter().collect()
    }

    /// A place of this type.
    pub(super) fn place_of(&mut self, syntax: ExprSyntax, expected: &Type) -> Option<Place> {
        let (place, ty) = self.place(syntax)?;
        self.fits(syntax.root, &ty, expected)?;
        Some(place)
    }

    /// Reports a place that has another type than it should.
    pub(super) fn fits(&mut self, node: NodeId, found: &Type, expected: &Type) -> Option<()> {
        if found == expected {
            return Some(());
        }
        let at = self.resolver.syntax.nodes[node as usize].at;
        let message = format!("this place has type {}", self.shown(found));
        let note = format!("expected {}", self.shown(expected));
        self.resolver.diagnostics.add_with(at, message, note);
        None
    }
}

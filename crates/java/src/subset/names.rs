//! Names: each class, field and variable that matters gets one that nothing else has.

use super::{Field, NUMBERS, OutsideSubset, Procedure, RESULT, Variable, beyond};
use crate::program::{ClassId, FieldId, Program};
use crate::syntax::TextRange;
use crate::types::Ty;

/// The meaning of names, while a procedure is read.
pub(super) struct Names<'p, 's> {
    pub(super) program: &'p Program<'s>,
    pub(super) procedure: Procedure,
    classes: Vec<ClassId>,
    fields: Vec<(FieldId, String)>,
    /// Variables of the scopes that are open: as the source calls them, as they are called here, and
    /// their type.
    pub(super) scope: Vec<(String, String, Ty)>,
}

impl<'p, 's> Names<'p, 's> {
    pub(super) fn new(program: &'p Program<'s>, name: String) -> Names<'p, 's> {
        let procedure = Procedure { name, ..Procedure::default() };
        Names { program, procedure, classes: Vec::new(), fields: Vec::new(), scope: Vec::new() }
    }

    /// The domain of a type. The first use of a class adds its fields.
    pub(super) fn domain(&mut self, ty: &Ty, at: TextRange) -> Result<String, OutsideSubset> {
        let shown = self.program.show(ty);
        let id = match ty {
            Ty::Int => {
                if !self.procedure.domains.iter().any(|known| known == NUMBERS) {
                    self.procedure.domains.push(NUMBERS.to_owned());
                }
                return Ok(NUMBERS.to_owned());
            }
            Ty::Class(id, _) => *id,
            _ => return beyond(at, format!("the type `{shown}` is not in the paper's subset")),
        };
        if self.classes.contains(&id) {
            return Ok(shown);
        }
        let class = self.program.class(id);
        let object = self.program.object();
        let is_plain = class.superclass.as_ref().and_then(|ty| self.program.class_of(ty));
        if is_plain.is_some_and(|above| Some(above) != object) || !class.interfaces.is_empty() {
            return beyond(at, format!("`{shown}` inherits, which the paper's subset does not"));
        }
        if !class.spec.invariants.is_empty() {
            return beyond(at, format!("`{shown}` has an invariant; the paper's subset has none"));
        }
        self.classes.push(id);
        self.procedure.domains.push(shown.clone());
        for &field in &class.fields {
            self.add_field(field, &shown, at)?;
        }
        Ok(shown)
    }

    /// Fields of other types than those of the subset are left out; reading one is an error.
    fn add_field(&mut self, id: FieldId, from: &str, at: TextRange) -> Result<(), OutsideSubset> {
        let field = self.program.field(id);
        if field.is_static || !matches!(field.ty, Ty::Int | Ty::Class(..)) {
            return Ok(());
        }
        let to = self.domain(&field.ty, at)?;
        let name = &field.name;
        if self.procedure.fields.iter().any(|known| known.name == *name)
            || self.procedure.variables.iter().any(|known| known.name == *name)
        {
            let message = format!("`{name}` has two meanings, and a relation is named after one");
            return beyond(at, message);
        }
        let name = field.name.clone();
        self.fields.push((id, name.clone()));
        self.procedure.fields.push(Field { name, from: from.to_owned(), to });
        Ok(())
    }

    /// The field that a value of a type has, and its type.
    pub(super) fn field(
        &self,
        of: &Ty,
        name: &str,
        at: TextRange,
    ) -> Result<(String, Ty), OutsideSubset> {
        if let Some((id, ty)) = self.program.find_field(of, name)
            && let Some((_, name)) = self.fields.iter().find(|(known, _)| *known == id)
        {
            return Ok((name.clone(), ty));
        }
        beyond(at, format!("the field `{name}` is not in the paper's subset"))
    }

    /// A new variable. Where its name is taken by something else it gets another.
    pub(super) fn declare(
        &mut self,
        source: &str,
        ty: Ty,
        at: TextRange,
    ) -> Result<String, OutsideSubset> {
        let domain = self.domain(&ty, at)?;
        let mut name = source.to_owned();
        while self.is_taken(&name, &domain) {
            name.push('_');
        }
        if !self.procedure.variables.iter().any(|known| known.name == name) {
            self.procedure.variables.push(Variable { name: name.clone(), domain });
        }
        self.scope.push((source.to_owned(), name.clone(), ty));
        Ok(name)
    }

    /// Variables of one name and type that never live at the same time may be the same.
    fn is_taken(&self, name: &str, domain: &str) -> bool {
        let procedure = &self.procedure;
        let other = |known: &Variable| known.name == name && known.domain != domain;
        procedure.fields.iter().any(|field| field.name == name)
            || procedure.domains.iter().any(|known| known == name)
            || name == RESULT
            || procedure.variables.iter().any(other)
            || self.scope.iter().any(|(_, known, _)| known == name)
    }

    /// The variable of a name of the source, and its type.
    pub(super) fn variable(&self, source: &str) -> Option<(String, Ty)> {
        let found = self.scope.iter().rev().find(|(known, ..)| known == source);
        found.map(|(_, name, ty)| (name.clone(), ty.clone()))
    }
}

//! Strings: objects that hold what they say, of which nothing is known but whether it is the same and how
//! long it is. Literals say what they say.

use ir::{Expr, ExprId, FunctionId, Op, Origin, Quantifier, StatementKind, Type};

use super::body::{Body, Val};
use super::heap::distinct;
use crate::faults::span;
use crate::program::FieldId;
use crate::syntax::At;
use crate::types::Ty;

impl Body<'_, '_> {
    /// A text is a constant object: not null, a `String`, and another than those of other texts.
    pub(super) fn text(&mut self, text: &str, at: At) -> Val {
        let ty = self.cx.program.library_type("java.lang.String");
        let vir = self.cx.vir(&ty);
        let known = self.cx.texts.get(text).copied();
        let function = known.unwrap_or_else(|| self.new_text(text, vir.clone()));
        let id = self.push(Expr::Apply(function, Vec::new()), vir.clone());
        let is_null = self.is_null(id);
        let mut conditions = vec![self.not(is_null)];
        if self.class_of(id, &ty).is_some() {
            conditions.push(self.is_instance(id, &ty, &ty));
        }
        let mut others: Vec<(String, FunctionId)> = self.texts.iter().cloned().collect();
        others.retain(|(other, _)| other != text);
        for (_, other) in others {
            let other = self.push(Expr::Apply(other, Vec::new()), vir.clone());
            let same = self.equal(id, other);
            conditions.push(self.not(same));
        }
        self.texts.insert((text.to_owned(), function));
        let condition = self.all_of(conditions);
        self.assume(condition, at);
        Val { id, ty }
    }

    fn new_text(&mut self, text: &str, result: Type) -> FunctionId {
        let shown: String = text.chars().take(24).collect();
        let module = &self.cx.module;
        let is_taken = |name: &str| {
            module.functions.iter().any(|function| function.name == name)
                || module.globals.iter().any(|global| global.name == name)
        };
        let name = distinct(&format!("{shown:?}"), is_taken);
        let span = span(self.file, At::default());
        let function =
            ir::Function { name, parameters: Vec::new(), result, definition: None, span };
        self.cx.module.functions.push(function);
        let id = FunctionId(self.cx.module.functions.len() as u32 - 1);
        self.cx.texts.insert(text.to_owned(), id);
        id
    }

    /// A new string that may say anything.
    pub(super) fn new_string(&mut self, ty: &Ty, at: At) -> Val {
        let object = self.make(ty, at);
        if let Some(field) = self.says() {
            let text = self.anything(self.cx.program.field(field).ty.clone(), at);
            let is_null = self.is_null(text.id);
            let exists = self.not(is_null);
            self.assume(exists, at);
            let place = self.field_place(field, Some(object.id));
            let kind = StatementKind::Assign(vec![(place, text.id)]);
            self.emit(kind, at, Origin::Synthetic);
        }
        object
    }

    /// Whether two strings say the same; nothing if they are no strings.
    pub(super) fn same_text(&mut self, a: &Val, b: &Val) -> Option<Val> {
        let string = self.cx.program.library_type("java.lang.String");
        let field = self.says().filter(|_| a.ty == string && b.ty == string)?;
        let (a, b) = (self.field_value(field, a.id), self.field_value(field, b.id));
        Some(Val { id: self.equal(a, b), ty: Ty::Boolean })
    }

    /// The field for what a string says.
    fn says(&self) -> Option<FieldId> {
        let string = self.cx.program.library_type("java.lang.String");
        self.cx.program.find_field(&string, "value").map(|(field, _)| field)
    }

    /// The field for the length of what a string says.
    fn text_length(&self) -> Option<FieldId> {
        let text = self.cx.program.library_type("java.lang.Text");
        self.cx.program.find_field(&text, "length").map(|(field, _)| field)
    }

    /// What holds of all that is said: lengths are not negative, and there is but one way to say nothing.
    pub(super) fn lengths_hold(&mut self, field: FieldId) -> Vec<ExprId> {
        if self.text_length() != Some(field) {
            return Vec::new();
        }
        let ty = self.cx.program.library_type("java.lang.Text");
        let sort = self.cx.vir(&ty);
        let binders = ["s", "t"].map(|name| self.procedure.exprs.bind(name, sort.clone()));
        let [s, t] = binders.map(|binder| self.push(Expr::Bound(binder), sort.clone()));
        let [first, second] = [s, t].map(|text| self.field_value(field, text));
        let zero = self.word(32, 0);
        let some = self.op(Op::BvSlt, vec![zero, first], Type::Bool);
        let other = self.op(Op::BvSlt, vec![zero, second], Type::Bool);
        let same = self.equal(s, t);
        let nothing = [s, t].map(|text| self.is_null(text));
        let unique = self.any([some, other, same].into_iter().chain(nothing));
        let least = self.op(Op::BvSle, vec![zero, first], Type::Bool);
        let condition = self.and(least, unique);
        let all = Expr::Quantified(Quantifier::All, binders.to_vec(), condition);
        vec![self.push(all, Type::Bool)]
    }

    /// What literals say, as far as anybody asks: each something else, and of its length.
    pub(super) fn texts_hold(
        &mut self,
        texts: &[(String, FunctionId)],
        is_used: &dyn Fn(ir::GlobalId) -> bool,
    ) -> Vec<ExprId> {
        let known = |body: &Self, field: Option<FieldId>| {
            let field = field?;
            body.cx.fields.get(&field).filter(|global| is_used(**global)).map(|_| field)
        };
        let Some(says) = known(self, self.says()) else { return Vec::new() };
        let length = known(self, self.text_length());
        let string = self.cx.program.library_type("java.lang.String");
        let vir = self.cx.vir(&string);
        let mut conditions = Vec::new();
        let mut before: Vec<ExprId> = Vec::new();
        for (text, function) in texts {
            let object = self.push(Expr::Apply(*function, Vec::new()), vir.clone());
            let said = self.field_value(says, object);
            let is_null = self.is_null(said);
            conditions.push(self.not(is_null));
            for other in &before {
                let same = self.equal(said, *other);
                conditions.push(self.not(same));
            }
            if let Some(length) = length {
                let length = self.field_value(length, said);
                let count = self.word(32, text.encode_utf16().count() as i64);
                conditions.push(self.equal(length, count));
            }
            before.push(said);
        }
        conditions
    }
}

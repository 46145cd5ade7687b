//! Strings: objects that hold what they say, of which nothing is known but whether it is the same and how
//! long it is. Literals say what they say.

use ir::{Expr, ExprId, FunctionId, Op, Origin, Quantifier, StatementKind, Type};

use super::body::{Body, Val};
use super::heap::distinct;
use crate::diagnostics::span;
use crate::program::FieldId;
use crate::syntax::TextRange;
use crate::types::Ty;

/// How a text asks for the length of a string.
const MEASURES: [&str; 3] = ["length()", "isEmpty()", "charAt("];

impl Body<'_, '_> {
    /// The constant object of a string literal, where nothing can be assumed: [`Body::texts_hold`] states its
    /// facts at the start.
    pub(super) fn text_constant(&mut self, text: &str) -> Val {
        let ty = self.cx.program.library_type("java.lang.String");
        let vir = self.cx.vir(&ty);
        let known = self.cx.texts.get(text).copied();
        let function = known.unwrap_or_else(|| {
            let function = self.new_constant(&quoted(text), vir.clone());
            self.cx.texts.insert(text.to_owned(), function);
            function
        });
        Val { id: self.push(Expr::Apply(function, Vec::new()), vir), ty }
    }

    /// The text that a value is, if it is a constant.
    pub(super) fn text_of(&self, value: &Val) -> Option<String> {
        let Expr::Apply(function, arguments) = self.procedure.exprs.get(value.id) else {
            return None;
        };
        let mut texts = self.cx.texts.iter().filter(|_| arguments.is_empty());
        texts.find(|(_, known)| *known == function).map(|(text, _)| text.clone())
    }

    /// A text is a constant object: not null, a `String`, and another than those of other texts.
    pub(super) fn text(&mut self, text: &str, at: TextRange) -> Val {
        let constant = self.text_constant(text);
        let others: Vec<(String, FunctionId)> = self.texts.iter().cloned().collect();
        let others = others.into_iter().filter(|(other, _)| other != text);
        let others: Vec<FunctionId> = others.map(|(_, function)| function).collect();
        let conditions = self.text_holds(&constant, &others);
        let function = self.cx.texts[text];
        self.texts.insert((text.to_owned(), function));
        let condition = self.all_of(conditions);
        self.assume(condition, at);
        constant
    }

    /// The facts about a constant string as an object.
    fn text_holds(&mut self, constant: &Val, others: &[FunctionId]) -> Vec<ExprId> {
        let Val { id, ty } = constant;
        let vir = self.type_of(*id);
        let is_null = self.is_null(*id);
        let mut conditions = vec![self.not(is_null)];
        if self.class_of(*id, ty).is_some() {
            conditions.push(self.is_instance(*id, ty, ty));
        }
        for other in others {
            let other = self.push(Expr::Apply(*other, Vec::new()), vir.clone());
            let same = self.equal(*id, other);
            conditions.push(self.not(same));
        }
        conditions
    }

    fn new_constant(&mut self, name: &str, result: Type) -> FunctionId {
        let module = &self.cx.module;
        let is_taken = |name: &str| {
            module.functions.iter().any(|function| function.name == name)
                || module.globals.iter().any(|global| global.name == name)
        };
        let name = distinct(name, is_taken);
        let span = span(self.file, TextRange::default());
        let function =
            ir::Function { name, parameters: Vec::new(), result, definition: None, span };
        self.cx.module.functions.push(function);
        FunctionId(self.cx.module.functions.len() as u32 - 1)
    }

    /// The text of a literal, also a constant.
    fn literal_text(&mut self, text: &str, ty: Type) -> ExprId {
        let known = self.cx.reported.get(text).copied();
        let function = known.unwrap_or_else(|| {
            let function = self.new_constant(&format!("{}.value", quoted(text)), ty.clone());
            self.cx.reported.insert(text.to_owned(), function);
            function
        });
        self.push(Expr::Apply(function, Vec::new()), ty)
    }

    /// A new string that may say anything.
    pub(super) fn new_string(&mut self, ty: &Ty, at: TextRange) -> Val {
        let object = self.make(ty, at);
        if let Some(field) = self.content_field() {
            let ty = self.cx.program.field(field).ty.clone();
            let text = match self.measures_texts() {
                true => {
                    let new = self.new_text(&ty, at);
                    let old = self.anything(ty, at);
                    self.one_of(&new, old, at)
                }
                false => self.anything(ty, at),
            };
            let is_null = self.is_null(text.id);
            let exists = self.not(is_null);
            self.assume(exists, at);
            let place = self.field_place(field, Some(object.id));
            let kind = StatementKind::Assign(vec![(place, text.id)]);
            self.emit(kind, at, Origin::Source);
        }
        object
    }

    /// Whether the file or its specification uses the length of strings. Elsewhere it is not needed, and in large
    /// classes it is expensive.
    fn measures_texts(&self) -> bool {
        let is_ours = |text: &&&str| crate::LIBRARY.iter().all(|(_, library)| *library != **text);
        let asks = |text: &&str| MEASURES.iter().any(|word| text.contains(word));
        self.cx.sources.iter().take(2).filter(is_ours).any(asks)
    }

    /// `a + b`, of which the length is known as far as those of its parts are.
    pub(super) fn concatenation(&mut self, a: &Val, b: &Val, at: TextRange) -> Val {
        let string = self.cx.program.library_type("java.lang.String");
        let whole = self.new_string(&string, at);
        if !self.measures_texts() {
            return whole;
        }
        let [(length, _), (first, is_first), (second, is_second)] =
            [&whole, a, b].map(|value| self.text_length_of(value));
        let sum = self.op(Op::BvAdd, vec![first, second], Type::Bv(32));
        let holds = match is_first && is_second {
            true => self.equal(length, sum),
            false => self.op(Op::BvSle, vec![sum, length], Type::Bool),
        };
        let zero = self.word(32, 0);
        let is_possible = self.op(Op::BvSle, vec![zero, sum], Type::Bool);
        let mut conditions = vec![is_possible, holds];
        // Nothing adds nothing.
        for (shown, other) in [(first, b), (second, a)] {
            if let Some(same) = self.same_text(&whole, other) {
                let is_nothing = self.equal(shown, zero);
                let is_null = self.is_null(other.id);
                let is_something = self.not(is_nothing);
                conditions.push(self.any([is_something, is_null, same.id]));
            }
        }
        let holds = self.all_of(conditions);
        self.assume(holds, at);
        whole
    }

    /// The length of a value's text: a minimum, and whether it is exact.
    fn text_length_of(&mut self, value: &Val) -> (ExprId, bool) {
        let of_null = self.word(32, "null".len() as i64);
        match (&value.ty, self.content_field(), self.text_length()) {
            (Ty::Null, ..) => (of_null, true),
            (Ty::Char, ..) => (self.word(32, 1), true),
            (ty, Some(says), Some(length))
                if *ty == self.cx.program.library_type("java.lang.String") =>
            {
                let text = self.field_value(says, value.id);
                let length = self.field_value(length, text);
                let is_null = self.is_null(value.id);
                (self.op(Op::Ite, vec![is_null, of_null, length], Type::Bv(32)), true)
            }
            (ty, ..) => (self.word(32, i64::from(!ty.is_reference())), false),
        }
    }

    /// A new text: it has some length, and is not empty.
    fn new_text(&mut self, ty: &Ty, at: TextRange) -> Val {
        let text = self.make(ty, at);
        if let Some(field) = self.text_length() {
            let length = self.anything(Ty::Int, at);
            let zero = self.word(32, 0);
            let is_some = self.op(Op::BvSlt, vec![zero, length.id], Type::Bool);
            self.assume(is_some, at);
            let place = self.field_place(field, Some(text.id));
            let kind = StatementKind::Assign(vec![(place, length.id)]);
            self.emit(kind, at, Origin::Source);
        }
        text
    }

    /// Whether two strings say the same; nothing if they are no strings.
    pub(super) fn same_text(&mut self, a: &Val, b: &Val) -> Option<Val> {
        let string = self.cx.program.library_type("java.lang.String");
        let field = self.content_field().filter(|_| a.ty == string && b.ty == string)?;
        let (a, b) = (self.field_value(field, a.id), self.field_value(field, b.id));
        Some(Val { id: self.equal(a, b), ty: Ty::Boolean })
    }

    /// The field for the text of a string.
    fn content_field(&self) -> Option<FieldId> {
        let string = self.cx.program.library_type("java.lang.String");
        self.cx.program.find_field(&string, "value").map(|(field, _)| field)
    }

    /// The field for the length of a string's text.
    fn text_length(&self) -> Option<FieldId> {
        self.text_field("length")
    }

    fn text_field(&self, name: &str) -> Option<FieldId> {
        let text = self.cx.program.library_type("java.lang.Text");
        self.cx.program.find_field(&text, name).map(|(field, _)| field)
    }

    /// The facts about all texts: lengths are not negative, and there is one empty text.
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
        // A text that does not exist has no length either.
        let absent = [s, t].map(|text| {
            let exists = self.is_instance(text, &ty, &ty);
            self.not(exists)
        });
        let unique = self.any([some, other, same].into_iter().chain(absent));
        let least = self.op(Op::BvSle, vec![zero, first], Type::Bool);
        let condition = self.and(least, unique);
        let all = Expr::Quantified(Quantifier::All, binders.to_vec(), condition);
        vec![self.push(all, Type::Bool)]
    }

    /// The facts about literals that are used: their texts are distinct, with their lengths.
    pub(super) fn texts_hold(
        &mut self,
        texts: &[(String, FunctionId)],
        is_used: &dyn Fn(ir::GlobalId) -> bool,
    ) -> Vec<ExprId> {
        let known = |body: &Self, field: Option<FieldId>| {
            let field = field?;
            body.cx.fields.get(&field).filter(|global| is_used(**global)).map(|_| field)
        };
        let string = self.cx.program.library_type("java.lang.String");
        let vir = self.cx.vir(&string);
        let mut conditions = Vec::new();
        for (number, (text, _)) in texts.iter().enumerate() {
            let constant = self.text_constant(text);
            let others: Vec<FunctionId> =
                texts[..number].iter().map(|(_, function)| *function).collect();
            conditions.extend(self.text_holds(&constant, &others));
        }
        let Some(says) = known(self, self.content_field()) else { return conditions };
        let length = known(self, self.text_length());
        let hash = known(self, self.text_field("hash"));
        let mut before: Vec<ExprId> = Vec::new();
        for (text, function) in texts {
            let object = self.push(Expr::Apply(*function, Vec::new()), vir.clone());
            let value = self.field_value(says, object);
            let said = self.literal_text(text, self.procedure.exprs.ty(value).clone());
            conditions.push(self.equal(value, said));
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
            if let Some(hash) = hash {
                let units: Vec<u16> = text.encode_utf16().collect();
                let held = self.field_value(hash, said);
                let known = self.word(32, i64::from(super::text_call::hash(&units)));
                conditions.push(self.equal(held, known));
            }
            before.push(said);
        }
        conditions
    }
}

/// A literal as it is shown.
fn quoted(text: &str) -> String {
    let shown: String = text.chars().take(24).collect();
    format!("{shown:?}")
}

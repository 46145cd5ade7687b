//! What the expressions of a method are, as far as the declarations of its file say it.

use std::collections::BTreeMap;

use crate::syntax::{
    Binary, Expr, ExprKind, Ident, Literal, Member, Method, Receiver, Stmt, StmtKind, TypeDecl,
    TypeRef, TypeRefKind, Unary,
};

/// What an expression is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A whole number.
    Number,
    /// A truth value.
    Truth,
    /// A reference to an object of a class, by its simple name.
    Reference(String),
    /// Something else, or unknown.
    Other,
}

/// What is declared where a method stands.
pub(super) struct Kinds {
    /// The class of the method.
    own: String,
    /// The fields of the classes of the file, in the order of their declaration.
    fields: BTreeMap<String, Vec<(String, Kind)>>,
    /// What methods give.
    results: BTreeMap<(String, String), Kind>,
    /// Parameters and local variables, in the order of their declaration.
    variables: Vec<Variable>,
}

/// A parameter or local variable.
struct Variable {
    name: String,
    kind: Kind,
    /// Where it has been declared and given its first value, and the end of the block in which it can be named.
    from: u32,
    to: u32,
}

impl Kinds {
    pub(super) fn new(types: &[TypeDecl], own: &TypeDecl, method: &Method) -> Kinds {
        let mut kinds = Kinds {
            own: own.name.name.clone(),
            fields: BTreeMap::new(),
            results: BTreeMap::new(),
            variables: Vec::new(),
        };
        for decl in types {
            kinds.declare(decl);
        }
        for parameter in &method.parameters {
            kinds.variables.push(Variable {
                name: parameter.name.name.clone(),
                kind: kind_of_type(&parameter.ty),
                from: 0,
                to: u32::MAX,
            });
        }
        for statement in method.body.iter().flatten() {
            kinds.locals(statement, u32::MAX);
        }
        kinds
    }

    fn declare(&mut self, decl: &TypeDecl) {
        let name = &decl.name.name;
        for member in &decl.members {
            match member {
                Member::Field(field) => {
                    let known = self.fields.entry(name.clone()).or_default();
                    known.push((field.name.name.clone(), kind_of_type(&field.ty)));
                }
                Member::Method(method) => {
                    let kind = method.result.as_ref().map_or(Kind::Other, kind_of_type);
                    self.results.insert((name.clone(), method.name.name.clone()), kind);
                }
                Member::Type(inner) => self.declare(inner),
                Member::Initializer { .. } => {}
            }
        }
    }

    fn locals(&mut self, statement: &Stmt, to: u32) {
        let mut add = |name: &Ident, value: Option<&Expr>, kind, to| {
            let from = value.map_or(name.at.end, |value| value.at.end);
            self.variables.push(Variable { name: name.name.clone(), kind, from, to });
        };
        let mut inner = to;
        match &statement.kind {
            StmtKind::Local(ty, declarators) => {
                for declarator in declarators {
                    let kind =
                        if declarator.dimensions > 0 { Kind::Other } else { kind_of_type(ty) };
                    add(&declarator.name, declarator.value.as_ref(), kind, to);
                }
            }
            StmtKind::ForEach { ty, name, .. } => {
                add(name, None, kind_of_type(ty), statement.at.end);
            }
            StmtKind::Block(_) | StmtKind::For { .. } => inner = statement.at.end,
            _ => {}
        }
        for part in statement.parts().0 {
            self.locals(part, inner);
        }
    }

    /// What an expression is.
    pub(super) fn of(&self, expr: &Expr) -> Kind {
        match &expr.kind {
            ExprKind::Literal(Literal::Integer(..) | Literal::Char(_)) => Kind::Number,
            ExprKind::Literal(Literal::Bool(_)) | ExprKind::InstanceOf(..) => Kind::Truth,
            ExprKind::Name(name) => self.named(name, expr.at.start),
            ExprKind::This => Kind::Reference(self.own.clone()),
            ExprKind::Field(object, field) => match self.of(object) {
                Kind::Reference(class) => self.field(&class, &field.name),
                Kind::Number | Kind::Truth | Kind::Other => Kind::Other,
            },
            ExprKind::Call { receiver, name, .. } => {
                let class = match receiver {
                    Receiver::None => Kind::Reference(self.own.clone()),
                    Receiver::Expr(object) => self.of(object),
                    Receiver::Super => Kind::Other,
                };
                let Kind::Reference(class) = class else { return Kind::Other };
                self.results.get(&(class, name.name.clone())).cloned().unwrap_or(Kind::Other)
            }
            ExprKind::New { ty, .. } | ExprKind::Cast(ty, _) => kind_of_type(ty),
            ExprKind::Unary(Unary::Not, _) => Kind::Truth,
            ExprKind::Unary(_, part) | ExprKind::Update { target: part, .. } => self.of(part),
            ExprKind::Binary(op, left, right) => match group(*op) {
                Group::Relation | Group::Connective => Kind::Truth,
                Group::Arithmetic | Group::Bits | Group::Shift => {
                    let (left, right) = (self.of(left), self.of(right));
                    if left == right { left } else { Kind::Other }
                }
                Group::Specification => Kind::Other,
            },
            ExprKind::Assign(_, target, _) => self.of(target),
            ExprKind::Conditional(_, then, _) => self.of(then),
            _ => Kind::Other,
        }
    }

    fn named(&self, name: &str, at: u32) -> Kind {
        let variables = self.variables.iter().rev();
        let mut known = variables.filter(|v| v.name == name && v.from <= at && at <= v.to);
        match known.next() {
            Some(variable) => variable.kind.clone(),
            None => self.field(&self.own, name),
        }
    }

    fn field(&self, class: &str, name: &str) -> Kind {
        let known = self.fields.get(class).into_iter().flatten();
        let mut known = known.filter(|(field, _)| field == name);
        known.next().map_or(Kind::Other, |(_, kind)| kind.clone())
    }

    /// Other variables, and fields of the object at hand, that are of a kind and can be named at a place.
    pub(super) fn others(&self, name: &str, kind: &Kind, at: u32) -> Vec<&str> {
        let variables = self.variables.iter().filter(|v| v.from <= at && at <= v.to);
        let variables = variables.map(|variable| (variable.name.as_str(), &variable.kind));
        let fields = self.fields.get(&self.own).into_iter().flatten();
        let fields = fields.map(|(field, kind)| (field.as_str(), kind));
        let all = variables.chain(fields).filter(|(other, of)| *other != name && *of == kind);
        all.map(|(other, _)| other).collect()
    }

    /// Other fields of the same kind that objects of a class have.
    pub(super) fn other_fields(&self, class: &str, name: &str) -> Vec<&str> {
        let kind = self.field(class, name);
        let fields = self.fields.get(class).into_iter().flatten();
        let others = fields.filter(|(field, of)| field != name && *of == kind);
        others.map(|(field, _)| field.as_str()).collect()
    }
}

fn kind_of_type(ty: &TypeRef) -> Kind {
    match &ty.kind {
        TypeRefKind::Array(_) => Kind::Other,
        TypeRefKind::Named(name, _) => match name.as_str() {
            "int" | "long" | "short" | "byte" | "char" => Kind::Number,
            "boolean" => Kind::Truth,
            "float" | "double" | "void" | "var" => Kind::Other,
            _ => Kind::Reference(name.rsplit('.').next().unwrap_or(name).to_owned()),
        },
    }
}

/// Operators that stand for each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Group {
    Arithmetic,
    Shift,
    Bits,
    Relation,
    Connective,
    Specification,
}

pub(super) fn group(op: Binary) -> Group {
    match op {
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem => Group::Arithmetic,
        Binary::Shl | Binary::Shr | Binary::UShr => Group::Shift,
        Binary::And | Binary::Or | Binary::Xor => Group::Bits,
        Binary::AndAlso | Binary::OrElse => Group::Connective,
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
            Group::Relation
        }
        Binary::Implies | Binary::Iff => Group::Specification,
    }
}

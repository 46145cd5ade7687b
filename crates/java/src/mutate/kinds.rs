//! The types of a method's expressions, as far as the declarations of its file determine them.

use std::collections::BTreeMap;

use crate::syntax::{
    Binary, Expr, ExprKind, Ident, Literal, Member, Method, Receiver, Stmt, StmtKind, TypeDecl,
    TypeRef, TypeRefKind, Unary,
};

/// The type of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum OperandType {
    /// A whole number.
    Number,
    /// A truth value.
    Truth,
    /// A reference to an object of a class, by its simple name.
    Reference(String),
    /// Something else, or unknown.
    Other,
}

/// The declarations in scope of a method.
pub(super) struct MethodScope {
    /// The class of the method.
    own: String,
    /// The fields of the classes of the file, in the order of their declaration.
    fields: BTreeMap<String, Vec<(String, OperandType)>>,
    /// The return types of methods.
    results: BTreeMap<(String, String), OperandType>,
    /// Parameters and local variables, in the order of their declaration.
    variables: Vec<Variable>,
}

/// A parameter or local variable.
struct Variable {
    name: String,
    kind: OperandType,
    /// Where it has been declared and given its first value, and the end of the block in which it can be named.
    from: u32,
    to: u32,
}

impl MethodScope {
    pub(super) fn new(types: &[TypeDecl], own: &TypeDecl, method: &Method) -> MethodScope {
        let mut kinds = MethodScope {
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
                    let kind = method.result.as_ref().map_or(OperandType::Other, kind_of_type);
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
                    let kind = if declarator.dimensions > 0 {
                        OperandType::Other
                    } else {
                        kind_of_type(ty)
                    };
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

    /// The type of an expression.
    pub(super) fn of(&self, expr: &Expr) -> OperandType {
        match &expr.kind {
            ExprKind::Literal(Literal::Integer(..) | Literal::Char(_)) => OperandType::Number,
            ExprKind::Literal(Literal::Bool(_)) | ExprKind::InstanceOf(..) => OperandType::Truth,
            ExprKind::Name(name) => self.named(name, expr.at.start),
            ExprKind::This => OperandType::Reference(self.own.clone()),
            ExprKind::Field(object, field) => match self.of(object) {
                OperandType::Reference(class) => self.field(&class, &field.name),
                OperandType::Number | OperandType::Truth | OperandType::Other => OperandType::Other,
            },
            ExprKind::Call { receiver, name, .. } => {
                let class = match receiver {
                    Receiver::None => OperandType::Reference(self.own.clone()),
                    Receiver::Expr(object) => self.of(object),
                    Receiver::Super => OperandType::Other,
                };
                let OperandType::Reference(class) = class else { return OperandType::Other };
                self.results.get(&(class, name.name.clone())).cloned().unwrap_or(OperandType::Other)
            }
            ExprKind::New { ty, .. } | ExprKind::Cast(ty, _) => kind_of_type(ty),
            ExprKind::Unary(Unary::Not, _) => OperandType::Truth,
            ExprKind::Unary(_, part) | ExprKind::Update { target: part, .. } => self.of(part),
            ExprKind::Binary(op, left, right) => match group(*op) {
                OperatorGroup::Relation | OperatorGroup::Connective => OperandType::Truth,
                OperatorGroup::Arithmetic | OperatorGroup::Bits | OperatorGroup::Shift => {
                    let (left, right) = (self.of(left), self.of(right));
                    if left == right { left } else { OperandType::Other }
                }
                OperatorGroup::Specification => OperandType::Other,
            },
            ExprKind::Assign(_, target, _) => self.of(target),
            ExprKind::Conditional(_, then, _) => self.of(then),
            _ => OperandType::Other,
        }
    }

    fn named(&self, name: &str, at: u32) -> OperandType {
        let variables = self.variables.iter().rev();
        let mut known = variables.filter(|v| v.name == name && v.from <= at && at <= v.to);
        match known.next() {
            Some(variable) => variable.kind.clone(),
            None => self.field(&self.own, name),
        }
    }

    fn field(&self, class: &str, name: &str) -> OperandType {
        let known = self.fields.get(class).into_iter().flatten();
        let mut known = known.filter(|(field, _)| field == name);
        known.next().map_or(OperandType::Other, |(_, kind)| kind.clone())
    }

    /// Other variables, and fields of the object at hand, that are of a kind and can be named at a place.
    pub(super) fn others(&self, name: &str, kind: &OperandType, at: u32) -> Vec<&str> {
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

fn kind_of_type(ty: &TypeRef) -> OperandType {
    match &ty.kind {
        TypeRefKind::Array(_) => OperandType::Other,
        TypeRefKind::Named(name, _) => match name.as_str() {
            "int" | "long" | "short" | "byte" | "char" => OperandType::Number,
            "boolean" => OperandType::Truth,
            "float" | "double" | "void" | "var" => OperandType::Other,
            _ => OperandType::Reference(name.rsplit('.').next().unwrap_or(name).to_owned()),
        },
    }
}

/// Operators that replace each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OperatorGroup {
    Arithmetic,
    Shift,
    Bits,
    Relation,
    Connective,
    Specification,
}

pub(super) fn group(op: Binary) -> OperatorGroup {
    match op {
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem => {
            OperatorGroup::Arithmetic
        }
        Binary::Shl | Binary::Shr | Binary::UShr => OperatorGroup::Shift,
        Binary::And | Binary::Or | Binary::Xor => OperatorGroup::Bits,
        Binary::AndAlso | Binary::OrElse => OperatorGroup::Connective,
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
            OperatorGroup::Relation
        }
        Binary::Implies | Binary::Iff => OperatorGroup::Specification,
    }
}

//! Functions of theories as operators of VIR, or as formulas where VIR has no such operator.

use ir::{Expr, ExprId, Op};

use super::term::Place;
use super::{Lowerer, Unsupported};
use crate::term::{Term, TermKind};
use crate::theory::Theory;
use crate::types::Type;

impl Lowerer {
    pub(super) fn theory(
        &mut self,
        function: Theory,
        arguments: &[Term],
        ty: &Type,
        place: &mut Place<'_>,
    ) -> Result<ExprId, Unsupported> {
        use Theory as T;
        let bool_ty = ir::Type::Bool;
        let int_ty = ir::Type::Int;
        match function {
            T::And | T::Or => {
                let op = if function == T::And { Op::And } else { Op::Or };
                let mut whole: Option<ExprId> = None;
                for argument in arguments {
                    let next = self.term(argument, &Type::Bool, place)?;
                    whole = Some(match whole {
                        None => next,
                        Some(before) => place.op(op.clone(), vec![before, next], ir::Type::Bool),
                    });
                }
                Ok(whole.unwrap_or_else(|| place.truth(function == T::And)))
            }
            T::Not => {
                let inner = self.term(&arguments[0], &Type::Bool, place)?;
                Ok(place.op(Op::Not, vec![inner], bool_ty))
            }
            T::Implies => self.both(Op::Implies, arguments, &Type::Bool, bool_ty, place),
            T::Iff => self.both(Op::Eq, arguments, &Type::Bool, bool_ty, place),
            T::Equal => self.equal(&arguments[0], &arguments[1], place),
            T::NotEqual => {
                let equal = self.equal(&arguments[0], &arguments[1], place)?;
                Ok(place.op(Op::Not, vec![equal], ir::Type::Bool))
            }
            T::Less => self.both(Op::IntLt, arguments, &Type::Int, bool_ty, place),
            T::LessOrEqual => self.both(Op::IntLe, arguments, &Type::Int, bool_ty, place),
            T::Greater => self.turned(Op::IntLt, arguments, place),
            T::GreaterOrEqual => self.turned(Op::IntLe, arguments, place),
            T::Add => self.both(Op::IntAdd, arguments, &Type::Int, int_ty, place),
            T::Subtract => self.both(Op::IntSub, arguments, &Type::Int, int_ty, place),
            T::Multiply => self.both(Op::IntMul, arguments, &Type::Int, int_ty, place),
            T::Divide => self.both(Op::IntDiv, arguments, &Type::Int, int_ty, place),
            T::Modulo => self.both(Op::IntMod, arguments, &Type::Int, int_ty, place),
            T::Negate => {
                let inner = self.term(&arguments[0], &Type::Int, place)?;
                Ok(place.op(Op::IntNeg, vec![inner], int_ty))
            }
            T::Absolute => {
                let inner = self.term(&arguments[0], &Type::Int, place)?;
                let zero = place.int(0);
                let negative = place.op(Op::IntLt, vec![inner, zero], ir::Type::Bool);
                let negated = place.op(Op::IntNeg, vec![inner], ir::Type::Int);
                Ok(place.op(Op::Ite, vec![negative, negated, inner], ir::Type::Int))
            }
            T::Maximum | T::Minimum => {
                let a = self.term(&arguments[0], &Type::Int, place)?;
                let b = self.term(&arguments[1], &Type::Int, place)?;
                let less = place.op(Op::IntLt, vec![a, b], ir::Type::Bool);
                let (then, otherwise) = if function == T::Maximum { (b, a) } else { (a, b) };
                Ok(place.op(Op::Ite, vec![less, then, otherwise], ir::Type::Int))
            }
            T::StringOf | T::EmptyString | T::Concatenate => {
                self.string(function, arguments, ty, place)
            }
            T::Length => {
                // A string that is empty whatever its entries still has a length.
                let any = Type::Str(Box::new(Type::Bool));
                let string = self.term(&arguments[0], &any, place)?;
                Ok(place.op(Op::SeqLength, vec![string], ir::Type::Int))
            }
            T::Reverse => {
                let string = self.term(&arguments[0], ty, place)?;
                let ty = self.ty(&arguments[0].ty.meet(ty))?;
                Ok(place.op(Op::SeqReverse, vec![string], ty))
            }
            T::Between => {
                let from = self.term(&arguments[0], &Type::Int, place)?;
                let to = self.term(&arguments[1], &Type::Int, place)?;
                let string = self.term(&arguments[2], ty, place)?;
                let count = place.op(Op::IntSub, vec![to, from], ir::Type::Int);
                let ty = self.ty(&arguments[2].ty.meet(ty))?;
                Ok(place.op(Op::SeqSlice, vec![string, from, count], ty))
            }
            T::Entry => {
                let string = self.term(&arguments[0], &Type::Unknown, place)?;
                let zero = place.int(0);
                let ty = self.ty(ty)?;
                Ok(place.op(Op::SeqAt, vec![string, zero], ty))
            }
            T::Iterate | T::Sum | T::Product => self.ranged(function, arguments, ty, place),
            T::Power => {
                let product = super::range::power(&arguments[0], &arguments[1]);
                self.term(&product, &Type::Int, place)
            }
            T::Occurrences => {
                // Either order is in use.
                let (entry, string) = match &arguments[0].ty {
                    Type::Str(_) => (&arguments[1], &arguments[0]),
                    _ => (&arguments[0], &arguments[1]),
                };
                let string = self.term(string, &Type::Unknown, place)?;
                let entry = self.term(entry, &Type::Unknown, place)?;
                Ok(place.op(Op::SeqCount, vec![string, entry], ir::Type::Int))
            }
            T::IsPermutation
            | T::IsPrefix
            | T::IsSuffix
            | T::IsSubstring
            | T::IsNotSubstring
            | T::IsTotalPreordering
            | T::IsConformal
            | T::IsUniversallyRelated => {
                let spelt_out = super::quantify::spelt_out(function, arguments);
                self.term(&spelt_out, &Type::Bool, place)
            }
            T::SetOf | T::EmptySet | T::Union | T::Intersection | T::Difference => {
                self.set(function, arguments, ty, place)
            }
            T::Member | T::NotMember if !super::quantify::is_listable(&arguments[0].ty) => {
                let member = member(&arguments[0], &arguments[1])
                    .ok_or_else(|| format!("a set of values of {}", arguments[0].ty))?;
                let member = self.term(&member, &Type::Bool, place)?;
                Ok(match function {
                    T::NotMember => place.op(Op::Not, vec![member], ir::Type::Bool),
                    _ => member,
                })
            }
            T::Member | T::NotMember => {
                let wanted = Type::Set(Box::new(arguments[0].ty.clone()));
                let set = self.term(&arguments[1], &wanted, place)?;
                let entry = self.term(&arguments[0], &Type::Unknown, place)?;
                let member = place.op(Op::Select, vec![set, entry], ir::Type::Bool);
                Ok(match function {
                    T::NotMember => place.op(Op::Not, vec![member], ir::Type::Bool),
                    _ => member,
                })
            }
            T::Subset => self.alike(Op::Subset, arguments, place),
            T::NotSubset => {
                let subset = self.alike(Op::Subset, arguments, place)?;
                Ok(place.op(Op::Not, vec![subset], ir::Type::Bool))
            }
            T::Cardinality => {
                let set = self.term(&arguments[0], &Type::Unknown, place)?;
                Ok(place.op(Op::Cardinality, vec![set], ir::Type::Int))
            }
            T::Choice => {
                let condition = self.term(&arguments[0], &Type::Bool, place)?;
                let then = self.term(&arguments[1], ty, place)?;
                let otherwise = self.term(&arguments[2], ty, place)?;
                let ty = self.ty(ty)?;
                Ok(place.op(Op::Ite, vec![condition, then, otherwise], ty))
            }
            T::Apply => self.apply(arguments, ty, place),
            T::Changed => {
                let (map, rest) = (&arguments[0], &arguments[1..]);
                let Type::Function(from, to) = map.ty.clone() else {
                    return Err("an array".to_owned());
                };
                let mut operands = vec![self.term(map, &Type::Unknown, place)?];
                for (key, ty) in rest.iter().zip(from.iter().chain([&*to])) {
                    operands.push(self.term(key, ty, place)?);
                }
                let ty = self.ty(&map.ty)?;
                Ok(place.op(Op::Store, operands, ty))
            }
        }
    }

    fn both(
        &mut self,
        op: Op,
        arguments: &[Term],
        wanted: &Type,
        result: ir::Type,
        place: &mut Place<'_>,
    ) -> Result<ExprId, Unsupported> {
        let a = self.term(&arguments[0], wanted, place)?;
        let b = self.term(&arguments[1], wanted, place)?;
        Ok(place.op(op, vec![a, b], result))
    }

    /// A comparison with its operands turned around.
    fn turned(
        &mut self,
        op: Op,
        arguments: &[Term],
        place: &mut Place<'_>,
    ) -> Result<ExprId, Unsupported> {
        let a = self.term(&arguments[0], &Type::Int, place)?;
        let b = self.term(&arguments[1], &Type::Int, place)?;
        Ok(place.op(op, vec![b, a], ir::Type::Bool))
    }

    /// That two values are equal: products of other names part by part, and strings that are joined of
    /// those for a range of numbers entry by entry.
    fn equal(
        &mut self,
        left: &Term,
        right: &Term,
        place: &mut Place<'_>,
    ) -> Result<ExprId, Unsupported> {
        if let Some(spelt_out) = super::quantify::iterated(left, right)
            .or_else(|| super::quantify::iterated(right, left))
        {
            return self.term(&spelt_out, &Type::Bool, place);
        }
        let (Type::Product(a), Type::Product(b)) = (&left.ty, &right.ty) else {
            return self.alike(Op::Eq, &[left.clone(), right.clone()], place);
        };
        let is_tuple = |term: &Term| matches!(term.kind, TermKind::Tuple(_));
        if a == b || is_tuple(left) || is_tuple(right) {
            return self.alike(Op::Eq, &[left.clone(), right.clone()], place);
        }
        let part = |term: &Term, number: usize, ty: &Type| {
            let kind = TermKind::Field(Box::new(term.clone()), number);
            Term { kind, ty: ty.clone(), span: term.span }
        };
        let parts = a.iter().zip(b).enumerate().map(|(number, (a, b))| {
            Term::equal(part(left, number, &a.1), part(right, number, &b.1))
        });
        let all = Term::theory(Theory::And, "and", parts.collect(), Type::Bool);
        self.term(&all, &Type::Bool, place)
    }

    /// A condition on two values of one type, which may be known of one of them only.
    fn alike(
        &mut self,
        op: Op,
        arguments: &[Term],
        place: &mut Place<'_>,
    ) -> Result<ExprId, Unsupported> {
        let ty = arguments[0].ty.meet(&arguments[1].ty);
        self.both(op, arguments, &ty, ir::Type::Bool, place)
    }

    fn string(
        &mut self,
        function: Theory,
        arguments: &[Term],
        ty: &Type,
        place: &mut Place<'_>,
    ) -> Result<ExprId, Unsupported> {
        let Type::Str(entry) = ty else { return Err("a string of unknown type".to_owned()) };
        let lowered = self.ty(ty)?;
        let mut whole: Option<ExprId> = None;
        for argument in arguments {
            let part = match function {
                Theory::StringOf => {
                    let entry = self.term(argument, entry, place)?;
                    place.op(Op::SeqUnit, vec![entry], lowered.clone())
                }
                _ => self.term(argument, ty, place)?,
            };
            whole = Some(match whole {
                None => part,
                Some(before) => place.op(Op::SeqConcat, vec![before, part], lowered.clone()),
            });
        }
        match whole {
            Some(whole) => Ok(whole),
            None => {
                let entry = self.ty(entry)?;
                Ok(place.op(Op::SeqEmpty(entry), Vec::new(), lowered))
            }
        }
    }

    fn set(
        &mut self,
        function: Theory,
        arguments: &[Term],
        ty: &Type,
        place: &mut Place<'_>,
    ) -> Result<ExprId, Unsupported> {
        let Type::Set(entry) = ty else { return Err("a set of unknown type".to_owned()) };
        let lowered = self.ty(ty)?;
        let op = match function {
            Theory::Intersection => Op::Intersection,
            Theory::Difference => Op::Difference,
            _ => Op::Union,
        };
        let mut whole: Option<ExprId> = None;
        for argument in arguments {
            let part = match function {
                Theory::SetOf => {
                    let entry = self.term(argument, entry, place)?;
                    place.op(Op::Singleton, vec![entry], lowered.clone())
                }
                _ => self.term(argument, ty, place)?,
            };
            whole = Some(match whole {
                None => part,
                Some(before) => place.op(op.clone(), vec![before, part], lowered.clone()),
            });
        }
        Ok(whole.unwrap_or_else(|| {
            let nothing = place.truth(false);
            place.op(Op::ConstMap(lowered.clone()), vec![nothing], lowered)
        }))
    }

    fn apply(
        &mut self,
        arguments: &[Term],
        ty: &Type,
        place: &mut Place<'_>,
    ) -> Result<ExprId, Unsupported> {
        let (function, keys) = (&arguments[0], &arguments[1..]);
        let Type::Function(from, _) = function.ty.clone() else {
            return Err("the value of what is no function".to_owned());
        };
        let mut values = Vec::new();
        for (key, ty) in keys.iter().zip(&from) {
            values.push(self.term(key, ty, place)?);
        }
        // A definition that is passed by its name.
        if let TermKind::Defined(id, _, given) = &function.kind
            && given.is_empty()
        {
            let id = self.defined(*id)?;
            let ty = self.ty(ty)?;
            return Ok(place.exprs.push(Expr::Apply(id, values), ty));
        }
        let map = self.term(function, &Type::Unknown, place)?;
        let mut operands = vec![map];
        operands.extend(values);
        let ty = self.ty(ty)?;
        Ok(place.op(Op::Select, operands, ty))
    }
}

/// That a value is in a set that is spelt out, without speaking of the set.
fn member(value: &Term, set: &Term) -> Option<Term> {
    let truth = |function: Theory, parts: Vec<Term>| Term::theory(function, "", parts, Type::Bool);
    let both = |function: Theory, parts: &[Term]| {
        let parts: Option<Vec<Term>> = parts.iter().map(|set| member(value, set)).collect();
        Some(truth(function, parts?))
    };
    match &set.kind {
        TermKind::Theory(Theory::EmptySet, _, _) => Some(truth(Theory::Or, Vec::new())),
        TermKind::Theory(Theory::SetOf, _, entries) => {
            let same = entries.iter().map(|entry| Term::equal(value.clone(), entry.clone()));
            Some(truth(Theory::Or, same.collect()))
        }
        TermKind::Theory(Theory::Union, _, parts) => both(Theory::Or, parts),
        TermKind::Theory(Theory::Intersection, _, parts) => both(Theory::And, parts),
        TermKind::Theory(Theory::Difference, _, parts) => {
            let [first, second] = [member(value, &parts[0])?, member(value, &parts[1])?];
            Some(truth(Theory::And, vec![first, second.negated()]))
        }
        TermKind::Lambda(binders, body) if binders.len() == 1 => {
            Some(body.replace(&|term| match &term.kind {
                TermKind::Bound(name) if *name == binders[0].0 => Some(value.clone()),
                _ => None,
            }))
        }
        _ => None,
    }
}

//! Quantifiers, and functions of theories that are spelt out with them.
//!
//! A string that exists as the rest of another one is that rest: `∃ γ, β = <x> * γ ∧ …` is equivalent to `…`
//! with the entries of `β` after the first in place of `γ`, if `β` begins with `x`. So no string has to be
//! searched for, and nothing is lost.

use ir::{Expr, ExprId};

use super::term::Place;
use super::{Lowerer, Unsupported};
use crate::term::{NOWHERE, Quantifier, Term, TermKind};
use crate::theory::Theory;
use crate::types::Type;

impl Lowerer {
    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &[(String, Type)],
        body: &Term,
        place: &mut Place<'_>,
    ) -> Result<ExprId, Unsupported> {
        let (binders, body) = without_rests(quantifier, binders, body);
        if binders.is_empty() {
            return self.term(&body, &Type::Bool, place);
        }
        if let Some((name, ty)) = binders.iter().find(|(_, ty)| !is_listable(ty)) {
            return Err(format!("a quantifier over all values `{name}` of {ty}"));
        }
        let mut body = body;
        for (name, ty) in &binders {
            if *ty == Type::Nat {
                let bound =
                    Term { kind: TermKind::Bound(name.clone()), ty: Type::Nat, span: NOWHERE };
                body = guarded(quantifier, natural(&bound), body);
            }
        }
        let depth = place.bound.len();
        let bound = self.bind(&binders, place)?;
        let body = self.term(&body, &Type::Bool, place);
        place.bound.truncate(depth);
        let quantifier = match quantifier {
            Quantifier::All => ir::Quantifier::All,
            Quantifier::Some => ir::Quantifier::Some,
        };
        Ok(place.exprs.push(Expr::Quantified(quantifier, bound, body?), ir::Type::Bool))
    }
}

/// Whether all values can be enumerated, or the formula's own limits may leave few of them.
pub(super) fn is_listable(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Int | Type::Nat | Type::Atom(_) => true,
        Type::Product(parts) => parts.iter().all(|(_, part)| is_listable(part)),
        Type::Str(_) | Type::Set(_) | Type::Function(..) | Type::Unknown => false,
    }
}

/// A formula under a condition.
fn guarded(quantifier: Quantifier, condition: Term, body: Term) -> Term {
    match quantifier {
        Quantifier::All => {
            Term::theory(Theory::Implies, "implies", vec![condition, body], Type::Bool)
        }
        Quantifier::Some => Term::theory(Theory::And, "and", vec![condition, body], Type::Bool),
    }
}

/// That a number is natural.
pub(crate) fn natural(value: &Term) -> Term {
    let zero = Term::number(0, value.span);
    Term::theory(Theory::LessOrEqual, "<=", vec![zero, value.clone()], Type::Bool)
}

/// Puts in the place of quantified strings what they have to be. Of several strings that are joined to a known
/// one, all but the last are parts of it of any length.
fn without_rests(
    quantifier: Quantifier,
    binders: &[(String, Type)],
    body: &Term,
) -> (Vec<(String, Type)>, Term) {
    let (mut binders, mut body) = merged(quantifier, binders, body);
    while let Some(found) = rest(quantifier, &binders, &body) {
        binders.retain(|(name, _)| *name != found.name);
        body = body.replace(&|term| match &term.kind {
            TermKind::Bound(name) if *name == found.name => Some(found.value.clone()),
            _ => None,
        });
        if let Some((length, limits)) = found.length {
            binders.push((length, Type::Int));
            body = match body.kind {
                TermKind::Theory(Theory::Implies, _, sides) if quantifier == Quantifier::All => {
                    let both = vec![limits, sides[0].clone()];
                    let both = Term::theory(Theory::And, "and", both, Type::Bool);
                    guarded(quantifier, both, sides[1].clone())
                }
                kind => guarded(quantifier, limits, Term { kind, ..body }),
            };
        }
    }
    (binders, body)
}

/// One quantifier in the place of several of a kind.
fn merged(
    quantifier: Quantifier,
    binders: &[(String, Type)],
    body: &Term,
) -> (Vec<(String, Type)>, Term) {
    let (mut binders, mut body) = (binders.to_vec(), body.clone());
    while let TermKind::Quantified(inner, more, within) = &body.kind {
        let is_known = |name: &String| binders.iter().any(|(known, _)| known == name);
        if *inner != quantifier || more.iter().any(|(name, _)| is_known(name)) {
            break;
        }
        binders.extend(more.iter().cloned());
        body = (**within).clone();
    }
    (binders, body)
}

/// The value that determines a quantified string.
struct DeterminedString {
    name: String,
    value: Term,
    /// Its length and what is known of that, if others are open beside it.
    length: Option<(String, Term)>,
}

/// A quantified string that some equation determines, and what it is.
fn rest(
    quantifier: Quantifier,
    binders: &[(String, Type)],
    body: &Term,
) -> Option<DeterminedString> {
    let mut conditions: Vec<&Term> = Vec::new();
    match (quantifier, &body.kind) {
        (Quantifier::Some, _) => conditions.extend(body.conjuncts()),
        (Quantifier::All, TermKind::Theory(Theory::Implies, _, sides)) => {
            conditions.extend(sides[0].conjuncts());
        }
        (Quantifier::All, _) => {}
    }
    // Determined strings come before those that are only part of another.
    for most in [1, usize::MAX] {
        for condition in &conditions {
            let TermKind::Theory(Theory::Equal, _, sides) = &condition.kind else { continue };
            for (whole, parts) in [(&sides[0], &sides[1]), (&sides[1], &sides[0])] {
                if let Some(found) = split(whole, parts, binders, most) {
                    return Some(found);
                }
            }
        }
    }
    None
}

/// The first unknown string of a concatenation that is equal to a known one, if at most `unknown` are
/// unknown.
fn split(
    whole: &Term,
    parts: &Term,
    binders: &[(String, Type)],
    most: usize,
) -> Option<DeterminedString> {
    let unknown = |term: &Term| {
        let mut found = Vec::new();
        term.each(&mut |term| {
            if let TermKind::Bound(name) = &term.kind
                && binders.iter().any(|(known, ty)| known == name && matches!(ty, Type::Str(_)))
            {
                found.push(name.clone());
            }
        });
        found
    };
    if !unknown(whole).is_empty() {
        return None;
    }
    let operands = flattened(parts);
    let open: Vec<usize> =
        (0..operands.len()).filter(|&n| !unknown(operands[n]).is_empty()).collect();
    let position = *open.first().filter(|_| open.len() <= most)?;
    let TermKind::Bound(name) = &operands[position].kind else { return None };
    let total = |operands: &[&Term]| {
        operands.iter().fold(Term::number(0, whole.span), |sum, part| {
            let length = Term::theory(Theory::Length, "| |", vec![(*part).clone()], Type::Nat);
            Term::theory(Theory::Add, "+", vec![sum, length], Type::Nat)
        })
    };
    let from = total(&operands[..position]);
    let length = Term::theory(Theory::Length, "| |", vec![whole.clone()], Type::Nat);
    let part = |from: Term, to: Term| {
        let arguments = vec![from, to, whole.clone()];
        Term::theory(Theory::Between, "Prt_Btwn", arguments, whole.ty.clone())
    };
    let name = name.clone();
    if open.len() == 1 {
        let behind = total(&operands[position + 1..]);
        let to = Term::theory(Theory::Subtract, "-", vec![length, behind], Type::Int);
        return Some(DeterminedString { name, value: part(from, to), length: None });
    }
    let own = format!("|{name}|");
    let bound = Term { kind: TermKind::Bound(own.clone()), ty: Type::Int, span: NOWHERE };
    let to = Term::theory(Theory::Add, "+", vec![from.clone(), bound.clone()], Type::Int);
    let le = |a: Term, b: Term| Term::theory(Theory::LessOrEqual, "<=", vec![a, b], Type::Bool);
    let limits = vec![natural(&bound), le(bound, length)];
    let limits = Term::theory(Theory::And, "and", limits, Type::Bool);
    Some(DeterminedString { name, value: part(from, to), length: Some((own, limits)) })
}

fn flattened(term: &Term) -> Vec<&Term> {
    match &term.kind {
        TermKind::Theory(Theory::Concatenate, _, parts) => {
            parts.iter().flat_map(flattened).collect()
        }
        _ => vec![term],
    }
}

/// That a string is what a function has for a range of numbers, joined, perhaps in reverse: entry by
/// entry, if that function has strings of one entry.
pub(super) fn iterated(string: &Term, joined: &Term) -> Option<Term> {
    let (joined, is_reversed) = match &joined.kind {
        TermKind::Theory(Theory::Reverse, _, parts) => (&parts[0], true),
        _ => (joined, false),
    };
    let TermKind::Theory(Theory::Iterate, _, parts) = &joined.kind else { return None };
    let [low, high, function] = parts.as_slice() else { return None };
    let TermKind::Lambda(binders, body) = &function.kind else { return None };
    let TermKind::Theory(Theory::StringOf, _, entries) = &body.kind else { return None };
    let ([(name, _)], [entry]) = (binders.as_slice(), entries.as_slice()) else { return None };
    let theory = |function: Theory, arguments: Vec<Term>, ty: Type| {
        Term::theory(function, "", arguments, ty)
    };
    let int = |function: Theory, a: Term, b: Term| theory(function, vec![a, b], Type::Int);
    let index = Term { kind: TermKind::Bound("k'".to_owned()), ty: Type::Int, span: NOWHERE };
    let number = |value: i64| Term::number(value, NOWHERE);
    // The numbers of the range in the order of the entries.
    let at = match is_reversed {
        true => int(Theory::Subtract, high.clone(), index.clone()),
        false => int(Theory::Add, low.clone(), index.clone()),
    };
    let wanted = entry.replace(&|term| match &term.kind {
        TermKind::Bound(bound) if bound == name => Some(at.clone()),
        _ => None,
    });
    let next = int(Theory::Add, index.clone(), number(1));
    let part =
        theory(Theory::Between, vec![index.clone(), next, string.clone()], string.ty.clone());
    let found = theory(Theory::Entry, vec![part], entry.ty.clone());
    let length = theory(Theory::Length, vec![string.clone()], Type::Nat);
    let count = int(Theory::Add, int(Theory::Subtract, high.clone(), low.clone()), number(1));
    let count = theory(Theory::Maximum, vec![count, number(0)], Type::Int);
    let within = theory(
        Theory::And,
        vec![
            theory(Theory::LessOrEqual, vec![number(0), index.clone()], Type::Bool),
            theory(Theory::Less, vec![index, length.clone()], Type::Bool),
        ],
        Type::Bool,
    );
    let same = theory(Theory::Implies, vec![within, Term::equal(found, wanted)], Type::Bool);
    let binders = vec![("k'".to_owned(), Type::Int)];
    let all = Term {
        kind: TermKind::Quantified(Quantifier::All, binders, Box::new(same)),
        ty: Type::Bool,
        span: NOWHERE,
    };
    Some(theory(Theory::And, vec![Term::equal(length, count), all], Type::Bool))
}

/// Functions of theories that are formulas.
pub(super) fn spelt_out(function: Theory, arguments: &[Term]) -> Term {
    let theory = |function: Theory, arguments: Vec<Term>, ty: Type| {
        Term::theory(function, "", arguments, ty)
    };
    let length = |string: &Term| theory(Theory::Length, vec![string.clone()], Type::Nat);
    let entry_type = |string: &Term| match &string.ty {
        Type::Str(entry) => (**entry).clone(),
        _ => Type::Unknown,
    };
    let slice = |string: &Term, from: Term, to: Term| {
        theory(Theory::Between, vec![from, to, string.clone()], string.ty.clone())
    };
    let bound =
        |name: &str, ty: Type| Term { kind: TermKind::Bound(name.to_owned()), ty, span: NOWHERE };
    let index = |name: &str| bound(name, Type::Int);
    let zero = || Term::number(0, NOWHERE);
    let add = |a: Term, b: Term| theory(Theory::Add, vec![a, b], Type::Int);
    let sub = |a: Term, b: Term| theory(Theory::Subtract, vec![a, b], Type::Int);
    let at = |string: &Term, position: Term| {
        let next = add(position.clone(), Term::number(1, NOWHERE));
        theory(Theory::Entry, vec![slice(string, position, next)], entry_type(string))
    };
    let le = |a: Term, b: Term| theory(Theory::LessOrEqual, vec![a, b], Type::Bool);
    let lt = |a: Term, b: Term| theory(Theory::Less, vec![a, b], Type::Bool);
    let and = |all: Vec<Term>| theory(Theory::And, all, Type::Bool);
    let implies = |a: Term, b: Term| theory(Theory::Implies, vec![a, b], Type::Bool);
    let quantify = |quantifier: Quantifier, binders: Vec<(String, Type)>, body: Term| {
        let kind = TermKind::Quantified(quantifier, binders, Box::new(body));
        Term { kind, ty: Type::Bool, span: NOWHERE }
    };
    let ints = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), Type::Int)).collect();
    let related = |relation: &Term, a: Term, b: Term| {
        theory(Theory::Apply, vec![relation.clone(), a, b], Type::Bool)
    };
    match (function, arguments) {
        (Theory::IsPermutation, [s, t]) => {
            let entry = at(s, index("i'"));
            let count = |string: &Term| {
                theory(Theory::Occurrences, vec![entry.clone(), string.clone()], Type::Nat)
            };
            let within = and(vec![le(zero(), index("i'")), lt(index("i'"), length(s))]);
            let counts = implies(within, Term::equal(count(s), count(t)));
            let all = quantify(Quantifier::All, ints(&["i'"]), counts);
            and(vec![Term::equal(length(s), length(t)), all])
        }
        (Theory::IsPrefix, [s, t]) => Term::equal(slice(t, zero(), length(s)), s.clone()),
        (Theory::IsSuffix, [s, t]) => {
            Term::equal(slice(t, sub(length(t), length(s)), length(t)), s.clone())
        }
        (Theory::IsSubstring | Theory::IsNotSubstring, [s, t]) => {
            let end = add(index("i'"), length(s));
            let here = Term::equal(slice(t, index("i'"), end), s.clone());
            let within = and(vec![le(zero(), index("i'")), le(index("i'"), length(t)), here]);
            let some = quantify(Quantifier::Some, ints(&["i'"]), within);
            if function == Theory::IsSubstring { some } else { some.negated() }
        }
        (Theory::IsTotalPreordering, [relation]) => {
            let ty = match &relation.ty {
                Type::Function(from, _) => from.first().cloned().unwrap_or(Type::Unknown),
                _ => Type::Unknown,
            };
            let [x, y, z] = ["x'", "y'", "z'"].map(|name| bound(name, ty.clone()));
            let total = theory(
                Theory::Or,
                vec![
                    related(relation, x.clone(), y.clone()),
                    related(relation, y.clone(), x.clone()),
                ],
                Type::Bool,
            );
            let chain = and(vec![
                related(relation, x.clone(), y.clone()),
                related(relation, y.clone(), z.clone()),
            ]);
            let transitive = implies(chain, related(relation, x, z));
            let binders = |names: &[&str]| -> Vec<(String, Type)> {
                names.iter().map(|name| ((*name).to_owned(), ty.clone())).collect()
            };
            and(vec![
                quantify(Quantifier::All, binders(&["x'", "y'"]), total),
                quantify(Quantifier::All, binders(&["x'", "y'", "z'"]), transitive),
            ])
        }
        (Theory::IsConformal, [relation, s]) => {
            let within = and(vec![
                le(zero(), index("i'")),
                lt(index("i'"), index("j'")),
                le(zero(), index("j'")),
                lt(index("j'"), length(s)),
                lt(index("i'"), length(s)),
            ]);
            let ordered = related(relation, at(s, index("i'")), at(s, index("j'")));
            quantify(Quantifier::All, ints(&["i'", "j'"]), implies(within, ordered))
        }
        (Theory::IsUniversallyRelated, [s, t, relation]) => {
            let within = and(vec![
                le(zero(), index("i'")),
                lt(index("i'"), length(s)),
                le(zero(), index("j'")),
                lt(index("j'"), length(t)),
            ]);
            let ordered = related(relation, at(s, index("i'")), at(t, index("j'")));
            quantify(Quantifier::All, ints(&["i'", "j'"]), implies(within, ordered))
        }
        _ => Term {
            kind: TermKind::Unsupported("a function of a theory".to_owned()),
            ty: Type::Bool,
            span: NOWHERE,
        },
    }
}

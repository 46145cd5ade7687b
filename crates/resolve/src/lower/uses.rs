//! Functions that may be any and take values that cannot be listed, such as strings: each use of one is a value of
//! its own, and two uses for the same arguments have the same value (Ackermann's reduction).

use std::collections::BTreeMap;

use ir::{Local, LocalId, Mode};

use super::Lowerer;
use super::quantify::is_listable;
use crate::table::Table;
use crate::term::{Term, TermKind};
use crate::theory::Theory;
use crate::types::Type;

/// The uses of such functions, each with its variable, by how they are written.
pub(crate) type Uses = BTreeMap<String, (Term, LocalId)>;

impl Lowerer {
    /// Gives a variable to every use in a table, a parameter that may have any value.
    pub(super) fn declare_uses(
        &mut self,
        table: &Table,
        facts: &[Term],
        locals: &mut Vec<Local>,
    ) -> Uses {
        let mut found: Vec<&Term> = Vec::new();
        facts.iter().for_each(|fact| fact.each(&mut |term| found.push(term)));
        for row in &table.rows {
            let owed = row.confirm.iter().map(|owed| &owed.term);
            let assumed = row.assume.iter().map(|assumption| &assumption.term);
            for term in row.path.iter().chain(assumed).chain(owed) {
                term.each(&mut |term| found.push(term));
            }
        }
        let mut uses = Uses::new();
        for term in found {
            let key = term.to_string();
            if uses.contains_key(&key) || !self.is_use(term) {
                continue;
            }
            let TermKind::Defined(id, _, _) = &term.kind else { continue };
            let result = self.definitions[*id].result.clone();
            let Ok(ty) = self.ty(&result) else { continue };
            let display = Some(key.clone());
            locals.push(Local { name: key.clone(), ty, mode: Mode::Parameter, display });
            uses.insert(key, (term.clone(), LocalId(locals.len() as u32 - 1)));
        }
        uses
    }

    /// Whether a term is such a use, of values that do not depend on a quantifier.
    fn is_use(&self, term: &Term) -> bool {
        let TermKind::Defined(id, _, arguments) = &term.kind else { return false };
        let defined = &self.definitions[*id];
        let mut is_bound = false;
        term.each(&mut |term| is_bound |= matches!(term.kind, TermKind::Bound(_)));
        defined.body.is_none()
            && !is_bound
            && arguments.len() == defined.parameters.len()
            && defined.parameters.iter().any(|(_, ty)| !is_listable(ty))
    }
}

/// The uses within a term.
pub(super) fn uses_in(term: &Term, uses: &Uses) -> Vec<String> {
    let mut found = Vec::new();
    term.each(&mut |term| {
        if matches!(term.kind, TermKind::Defined(..)) && uses.contains_key(&term.to_string()) {
            found.push(term.to_string());
        }
    });
    found
}

/// That two uses of a function have the same value if their arguments have.
pub(super) fn congruent(a: &Term, b: &Term) -> Option<Term> {
    let (TermKind::Defined(a_id, _, a_arguments), TermKind::Defined(b_id, _, b_arguments)) =
        (&a.kind, &b.kind)
    else {
        return None;
    };
    if a_id != b_id {
        return None;
    }
    let pairs = a_arguments.iter().zip(b_arguments);
    let same = pairs.map(|(a, b)| Term::equal(a.clone(), b.clone())).collect();
    let same = Term::theory(Theory::And, "and", same, Type::Bool);
    let equal = Term::equal(a.clone(), b.clone());
    Some(Term::theory(Theory::Implies, "implies", vec![same, equal], Type::Bool))
}

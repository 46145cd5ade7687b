//! The keywords of clauses and modifiers, and the roles of clauses.

use crate::spec::MissingClauseRole;

/// The clauses that are parts of cases.
pub(super) const OF_CASES: [&str; 11] = [
    "requires",
    "pre",
    "ensures",
    "post",
    "signals",
    "exsures",
    "signals_only",
    "assignable",
    "modifies",
    "modifiable",
    "assigns",
];

/// The modifiers of declarations and clauses, Java's and JML's.
pub(super) const MODIFIERS: [&str; 42] = [
    "public",
    "protected",
    "private",
    "static",
    "final",
    "abstract",
    "native",
    "synchronized",
    "transient",
    "volatile",
    "strictfp",
    "default",
    "spec_public",
    "spec_protected",
    "pure",
    "strictly_pure",
    "helper",
    "nullable",
    "non_null",
    "nullable_by_default",
    "non_null_by_default",
    "instance",
    "uninitialized",
    "code",
    "code_java_math",
    "code_safe_math",
    "code_bigint_math",
    "spec_java_math",
    "spec_safe_math",
    "spec_bigint_math",
    "query",
    "secret",
    "peer",
    "rep",
    "readonly",
    "inline",
    "extract",
    "no_state",
    "two_state",
    "skipesc",
    "skiprac",
    "immutable",
];

/// The role of a clause that begins with this word, for one with errors.
pub(super) fn role(word: &str) -> Option<MissingClauseRole> {
    Some(match word {
        "requires" | "pre" | "when" => MissingClauseRole::Requires,
        "ensures" | "post" | "signals" | "exsures" | "signals_only" | "model_program" => {
            MissingClauseRole::Ensures
        }
        "assignable" | "modifies" | "modifiable" | "assigns" => MissingClauseRole::Assignable,
        "invariant" => MissingClauseRole::Invariant,
        "constraint" => MissingClauseRole::Constraint,
        "initially" => MissingClauseRole::Initially,
        "axiom" => MissingClauseRole::Axiom,
        "in" | "maps" => MissingClauseRole::Group,
        // A clause that mentions such a field, method or variable cannot be read either.
        "represents" | "model" | "ghost" | "forall" | "old" => return None,
        "diverges" | "measured_by" | "accessible" | "working_space" | "duration" | "captures"
        | "callable" | "monitors_for" | "hence_by" => return None,
        _ => MissingClauseRole::Any,
    })
}

/// Whether a clause stands between statements.
pub(super) fn is_statement(word: &str) -> bool {
    matches!(
        word,
        "assert"
            | "assume"
            | "set"
            | "unreachable"
            | "loop_invariant"
            | "maintaining"
            | "decreases"
            | "decreasing"
            | "loop_variant"
            | "loop_modifies"
            | "loop_writes"
            | "loop_assignable"
            | "loop_decreases"
    )
}

/// Whether a clause belongs to the method that it stands before.
pub(super) fn is_of_method(role: MissingClauseRole) -> bool {
    match role {
        MissingClauseRole::Requires
        | MissingClauseRole::Ensures
        | MissingClauseRole::Assignable => true,
        MissingClauseRole::Invariant
        | MissingClauseRole::Constraint
        | MissingClauseRole::Initially
        | MissingClauseRole::Axiom
        | MissingClauseRole::Group
        | MissingClauseRole::Any => false,
    }
}

//! The validator, and the specification of what a well-formed module is.
//!
//! A module is *valid* if it satisfies the following rules. Front ends and passes produce valid modules, and
//! consumers of a module may rely on them.
//!
//! **Names.** Sorts, records and variants have distinct names; so have functions and globals taken
//! together; so have procedures; the fields of a record; the constructors of a variant; the
//! parameters of a function; the variables of a procedure; the labels of a procedure. A variable of
//! a procedure may have the name of a global and then hides it in the text form only.
//!
//! **Types.** A type refers to what is declared, has words of 1 to [`Type::MAX_WIDTH`] bits, maps of
//! at least one key, and nests at most [`Type::MAX_DEPTH`] deep. `bytes` is the whole type of a
//! variable and never part of another type, of a function or of a bound variable. Records and
//! variants are not recursive, and a variant has a constructor.
//!
//! **Sources.** A span lies in a file of the module and does not end before it starts. The point of
//! a statement or terminator, and the point at which it was inlined, is below the procedure's
//! `points`.
//!
//! **Arena.** What an expression refers to exists, and its operands are older than itself.
//!
//! **Typing.** An expression has the type that [`result_type`] computes for its operator, or the type of the
//! variable it reads; arguments have the types of parameters; words fit their width; `null` is of a sort or
//! of `ptr`; quantified bodies are truth values.
//!
//! **Binding.** A bound variable is bound by one expression, or is a parameter of the function that is
//! defined, and occurs only below it, on every path. A definition's arena begins with the function's
//! parameters.
//!
//! **Recursion.** No definition of a function uses the function, directly or through others. A
//! recursive function is declared without a definition and described by axioms.
//!
//! **Objects.** The address of a static object is a constant of type `ptr` without a definition. Objects are
//! in the order of their addresses. What an object holds lies within it, in order and without overlap;
//! addresses that it holds are those of static objects.
//!
//! **State.** Axioms and definitions read no variable and nothing of objects. Invariants of the
//! module read globals only. `requires`, `modifies` and `decreases` of a procedure read globals and
//! parameters; `ensures` also results, but not if it is for exceptional exits. `old` occurs in
//! `ensures`, in facts about loops and in bodies, and below it there are only globals, parameters
//! and bound variables.
//!
//! **Specification.** `old`, quantifiers, lambdas, operators on relations
//! ([`Op::is_specification`]) and functions defined by these occur in contracts, facts about loops,
//! `assert`, `assume`, the condition of `havoc`, values assigned to ghost places and keys of those
//! places, axioms, definitions and invariants, and nowhere else. In particular no other key, and no
//! pointer, size, argument or branch condition has them.
//!
//! **Ghost.** Ghost variables have no influence on others: they are read in those same places, but
//! for the condition of a `havoc` of a variable that is not ghost, and for definitions and axioms.
//!
//! **Places.** A place begins at a variable that exists; each step fits the type that it is applied to; views
//! are of bytes, at a pointer, and of a [viewable] type. `modifies` lists places of globals.
//!
//! **Statements.** Values have the types of the places they go to. An assignment has at least one
//! place. Conditions are truth values, measures integers, sizes words of [`ADDRESS_BITS`] bits. An
//! atom goes to a place of its sort, an object to a pointer; what is freed is a pointer.
//!
//! **Calls.** Arguments and results are as many as the procedure's parameters and results and have
//! their types. All procedures of a choice have the same types of parameters and results; there is
//! at least one; the values that choose are distinct constants, which read no variable, of the type
//! of the expression that chooses. What notes an exception is a place of truth values.
//!
//! **Exceptions.** All values of exceptional exits, and all places that catch them, have one type in
//! the whole module.
//!
//! **Blocks.** A body has at least one block. Targets exist, a `goto` has one at least, and the
//! first block is no target.
//!
//! **Variables.** The variables of a procedure are parameters, then results, then the others;
//! a procedure without a body has no others.

mod arena;
mod declarations;
mod procedure;
mod statement;

use std::fmt;

use rustc_hash::FxHashSet;

#[cfg(doc)]
use crate::address::ADDRESS_BITS;
use crate::module::{Module, ProcedureId};
#[cfg(doc)]
use crate::op::Op;
use crate::span::Span;
use crate::types::Type;
#[cfg(doc)]
use crate::typing::{result_type, viewable};

/// A rule for modules; the comment at the top of `validate.rs` states it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rule {
    /// Distinct names.
    Names,
    /// Well-formed types.
    Types,
    /// Spans and points.
    Sources,
    /// Operands exist and are older than their users.
    Arena,
    /// Types of expressions.
    Typing,
    /// Bound variables.
    Binding,
    /// No recursive definitions.
    Recursion,
    /// Static objects.
    Objects,
    /// Which state may be read where.
    State,
    /// Where specifications may stand.
    Specification,
    /// No influence of ghost variables on others.
    Ghost,
    /// Places.
    Places,
    /// Statements.
    Statements,
    /// Calls.
    Calls,
    /// Values of exceptional exits.
    Exceptions,
    /// Blocks and their targets.
    Blocks,
    /// The order of a procedure's variables.
    Variables,
}

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Which rule.
    pub rule: Rule,
    /// In which procedure, if it is in one.
    pub procedure: Option<ProcedureId>,
    /// The source text of what breaks it, if it has any.
    pub span: Option<Span>,
    /// The message.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// All breaches of the rules. Nothing is assumed of the module, so this does not panic.
pub fn validate(module: &Module) -> Vec<Violation> {
    let mut validator = Validator {
        module,
        violations: Vec::new(),
        procedure: None,
        span: None,
        specifications: Vec::new(),
        thrown: None,
    };
    declarations::check_types(&mut validator);
    // The other checks read types all the time and must not encounter an invalid one.
    if !validator.violations.is_empty() {
        return validator.violations;
    }
    declarations::check_functions(&mut validator);
    declarations::check_conditions(&mut validator);
    for (index, procedure) in module.procedures.iter().enumerate() {
        validator.procedure = Some(ProcedureId(index as u32));
        procedure::check(&mut validator, procedure);
    }
    validator.violations
}

/// Panics if the module is not valid, in builds with debug assertions. Front ends and passes call this on
/// their result.
///
/// # Panics
///
/// If the module is not valid, with all that is wrong with it.
pub fn debug_validate(module: &Module) {
    if cfg!(debug_assertions) {
        let violations = validate(module);
        let messages: Vec<String> = violations
            .iter()
            .map(|violation| {
                let place = violation.procedure.map_or(String::new(), |id| {
                    format!(" in {}", module.procedures[id.0 as usize].name)
                });
                format!("{:?}{place}: {violation}", violation.rule)
            })
            .collect();
        assert!(violations.is_empty(), "the module is not valid:\n{}", messages.join("\n"));
    }
}

struct Validator<'m> {
    module: &'m Module,
    violations: Vec<Violation>,
    /// The procedure and the source text that are being checked.
    procedure: Option<ProcedureId>,
    span: Option<Span>,
    /// Whether a function is defined by a specification.
    specifications: Vec<bool>,
    /// The type of exceptions, once one has been seen.
    thrown: Option<Type>,
}

impl Validator<'_> {
    fn add(&mut self, rule: Rule, message: impl Into<String>) {
        let (procedure, span) = (self.procedure, self.span);
        self.violations.push(Violation { rule, procedure, span, message: message.into() });
    }

    fn require(&mut self, holds: bool, rule: Rule, message: impl FnOnce() -> String) {
        if !holds {
            self.add(rule, message());
        }
    }

    fn distinct<'n>(&mut self, what: &str, names: impl IntoIterator<Item = &'n str>) {
        let mut seen = FxHashSet::default();
        for name in names {
            let is_new = seen.insert(name);
            self.require(is_new, Rule::Names, || format!("two {what} are called `{name}`"));
        }
    }

    /// Makes a span the current one.
    fn enter(&mut self, span: Span) {
        self.span = Some(span);
        self.check_span(span);
    }

    fn check_span(&mut self, span: Span) {
        let is_valid = (span.file.0 as usize) < self.module.files.len() && span.start <= span.end;
        self.require(is_valid, Rule::Sources, || format!("there is no source text {span:?}"));
    }
}

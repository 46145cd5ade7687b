//! Contracts: preconditions and obligations of a method, from clauses, invariants and JML's rule that
//! references are not null.

use ir::{
    AssertKind, BlockId, Clause, ClauseRole, Exit, ExitClause, Expr, ExprId, LocalId, Origin,
    TerminatorKind, Type,
};

use super::body::{Body, Frame, Val};
use super::spec::Env;
use crate::program::ClassId;
use crate::spec::{Behavior, Condition, Formula, MissingClause, MissingClauseRole, SpecCase};
use crate::syntax::{ExprKind, Literal, TextRange};
use crate::types::Ty;

impl Body<'_, '_> {
    fn clause(&self, condition: ExprId, message: String, at: TextRange) -> Clause {
        Clause { condition, free: false, message, span: self.span(at) }
    }

    fn require(&mut self, condition: ExprId, message: String, at: TextRange) {
        let clause = self.clause(condition, message, at);
        self.procedure.contract.requires.push(clause);
    }

    pub(super) fn ensure(
        &mut self,
        exceptional: bool,
        condition: ExprId,
        message: String,
        at: TextRange,
    ) {
        let clause = self.clause(condition, message, at);
        let invariant = false;
        self.procedure.contract.ensures.push(ExitClause { exceptional, invariant, clause });
    }

    /// Adds an invariant that is to hold again at exit.
    fn maintain(&mut self, exceptional: bool, condition: ExprId, message: String, at: TextRange) {
        let clause = self.clause(condition, message, at);
        let invariant = true;
        self.procedure.contract.ensures.push(ExitClause { exceptional, invariant, clause });
    }

    /// Lowers the contract of the method.
    pub(super) fn contract(&mut self) {
        let program = self.cx.program;
        let method = program.method(self.key.method);
        let class = program.class(method.class);
        let is_strict = program.is_strict(method.class);
        self.modified(&method.spec.cases, method.spec.is_pure);
        if super::procedure::is_synthetic(program, self.key, method) && method.body.is_some() {
            return;
        }
        // A helper without a specification is part of its callers, and its arguments are trusted.
        if method.spec.is_helper && !method.spec.is_specified() {
            return;
        }
        self.references_not_null(is_strict);
        self.class_invariants();
        self.invariants();
        for gap in &method.spec.missing {
            self.gap(gap);
        }
        self.cases(&method.spec.cases);
        for condition in self.begin_models() {
            let span = self.span(method.at);
            let message = "model fields have possible values".to_owned();
            let clause = Clause { condition, free: true, message, span };
            self.procedure.contract.requires.push(clause);
        }
        // JML's default precondition: any input counts, and none is trusted.
        if (class.spec.is_jml || method.spec.is_specified()) && !class.is_library {
            let truth = self.truth(true);
            self.require(truth, String::new(), method.at);
        }
    }

    /// References that are declared non-null, and where JML's default applies those without a declaration.
    fn references_not_null(&mut self, is_rule: bool) {
        let program = self.cx.program;
        let method = program.method(self.key.method);
        for parameter in &method.parameters {
            let is_nullable = parameter.nullable.unwrap_or(!is_rule);
            if parameter.ty.is_reference()
                && !is_nullable
                && let Some((local, _)) = self.find(&parameter.name)
            {
                let value = self.read(local);
                let is_null = self.is_null(value);
                let condition = self.not(is_null);
                let message = format!("`{}` is null", parameter.name);
                self.require(condition, message, method.at);
            }
        }
        if let Some((local, ty)) = self.result.clone()
            && ty.is_reference()
            && !method.spec.nullable_result.unwrap_or(!is_rule)
        {
            let value = self.read(local);
            let is_null = self.is_null(value);
            let condition = self.not(is_null);
            self.ensure(false, condition, "null is returned".to_owned(), method.at);
        }
    }

    /// A clause is missing that was not read.
    fn gap(&mut self, gap: &MissingClause) {
        let roles: &[ClauseRole] = match gap.role {
            MissingClauseRole::Requires | MissingClauseRole::Axiom => &[ClauseRole::Assumption],
            MissingClauseRole::Ensures
            | MissingClauseRole::Constraint
            | MissingClauseRole::Initially => &[ClauseRole::Promise],
            MissingClauseRole::Assignable | MissingClauseRole::Group => &[ClauseRole::Frame],
            MissingClauseRole::Invariant => &[ClauseRole::Assumption, ClauseRole::Promise],
            MissingClauseRole::Any => {
                &[ClauseRole::Assumption, ClauseRole::Promise, ClauseRole::Frame]
            }
        };
        for role in roles {
            self.unsupported_reason = None;
            self.leave_out(*role, &gap.text, gap.at);
        }
    }

    /// Evaluates with the file of another class as the current one.
    fn in_file_of<T>(&mut self, class: ClassId, say: impl FnOnce(&mut Self) -> T) -> T {
        let file = std::mem::replace(&mut self.file, self.cx.program.class(class).file);
        let said = say(self);
        self.file = file;
        said
    }

    /// Static invariants of the class, and missing clauses of its specification that concern no object.
    fn class_invariants(&mut self) {
        let program = self.cx.program;
        let method = program.method(self.key.method);
        let spec = &program.class(method.class).spec;
        for gap in &spec.left_out {
            match gap.role {
                MissingClauseRole::Initially if !method.is_constructor => {}
                // Those of objects are reported with the objects.
                MissingClauseRole::Invariant if method.spec.is_helper => {}
                MissingClauseRole::Initially
                | MissingClauseRole::Invariant
                | MissingClauseRole::Constraint
                | MissingClauseRole::Axiom
                | MissingClauseRole::Group
                | MissingClauseRole::Any
                | MissingClauseRole::Requires
                | MissingClauseRole::Ensures
                | MissingClauseRole::Assignable => self.gap(gap),
            }
        }
        if method.spec.is_helper {
            return;
        }
        for invariant in &spec.static_invariants {
            let mut env = Env::of_class(method.class);
            let Some(condition) = self.condition_in(invariant, &mut env) else {
                self.leave_out(ClauseRole::Assumption, &invariant.text, invariant.at);
                self.leave_out(ClauseRole::Promise, &invariant.text, invariant.at);
                continue;
            };
            let text = format!("the invariant `{}`", invariant.text);
            self.require(condition, format!("{text} does not hold"), invariant.at);
            let message = format!("{text} does not hold at exit");
            self.maintain(false, condition, message.clone(), invariant.at);
            self.maintain(true, condition, message, invariant.at);
        }
    }

    /// Invariants of this object and of the arguments.
    fn invariants(&mut self) {
        let program = self.cx.program;
        let method = program.method(self.key.method);
        if method.spec.is_helper {
            return;
        }
        if !method.is_static && self.this.is_some() {
            let this = self.this_value();
            self.object_invariants(this, "this", !method.is_constructor);
        }
        for parameter in &method.parameters {
            let Some((local, ty)) = self.find(&parameter.name) else { continue };
            if program.class_of(&ty).is_some() && !matches!(ty, Ty::Array(_)) {
                let value = Val { id: self.read(local), ty };
                self.object_invariants(Some(value), &parameter.name, true);
            }
        }
    }

    /// Objects that exist when a method is called satisfy their invariants, whether or not the method can
    /// reach them.
    pub(super) fn all_invariants(&mut self, classes: &[ClassId]) -> Vec<ExprId> {
        let program = self.cx.program;
        let mut conditions = Vec::new();
        for &class in classes {
            let ty = Ty::Class(class, Vec::new());
            let spec = &program.class(class).spec;
            for gap in spec.left_out.iter().filter(|gap| concerns_objects(gap.role)) {
                self.unsupported_reason = None;
                self.in_file_of(class, |body| {
                    body.leave_out(ClauseRole::Assumption, &gap.text, gap.at);
                });
            }
            for invariant in &spec.static_invariants {
                let diagnostics = std::mem::take(self.cx.diagnostics);
                let condition = self.condition_in(invariant, &mut Env::of_class(class));
                *self.cx.diagnostics = diagnostics;
                match condition {
                    Some(condition) => conditions.push(condition),
                    None => self.in_file_of(class, |body| {
                        body.leave_out(ClauseRole::Assumption, &invariant.text, invariant.at);
                    }),
                }
            }
            for invariant in &spec.invariants {
                let sort = self.cx.vir(&ty);
                let binder = self.procedure.exprs.bind("o", sort.clone());
                let object = Val { id: self.push(Expr::Bound(binder), sort), ty: ty.clone() };
                let mut env = Env::of_object(object.clone(), class);
                env.is_bound = true;
                let diagnostics = std::mem::take(self.cx.diagnostics);
                let condition = self.condition_in(invariant, &mut env);
                *self.cx.diagnostics = diagnostics;
                let Some(condition) = condition else {
                    self.in_file_of(class, |body| {
                        body.leave_out(ClauseRole::Assumption, &invariant.text, invariant.at);
                    });
                    continue;
                };
                let exists = self.exists(object.id, &ty);
                let holds = self.implies(exists, condition);
                let all = Expr::Quantified(ir::Quantifier::All, vec![binder], holds);
                conditions.push(self.push(all, Type::Bool));
            }
        }
        conditions
    }

    fn object_invariants(&mut self, object: Option<Val>, name: &str, at_entry: bool) {
        let Some(object) = object else { return };
        let program = self.cx.program;
        let classes: Vec<ClassId> =
            program.lineage(&object.ty).into_iter().map(|(class, _)| class).collect();
        for class in classes {
            let spec = &program.class(class).spec;
            if class != self.class {
                for gap in spec.left_out.iter().filter(|gap| concerns_objects(gap.role)) {
                    self.in_file_of(class, |body| body.gap(gap));
                }
            }
            for invariant in &spec.invariants {
                self.in_file_of(class, |body| {
                    body.object_invariant(&object, class, name, at_entry, invariant);
                });
            }
            if program.is_strict(class) && name == "this" {
                self.fields_not_null(&object, class);
            }
        }
    }

    fn object_invariant(
        &mut self,
        object: &Val,
        class: ClassId,
        name: &str,
        at_entry: bool,
        invariant: &Condition,
    ) {
        let mut env = Env::of_object(object.clone(), class);
        let Some(condition) = self.condition_in(invariant, &mut env) else {
            if at_entry {
                let why = self.unsupported_reason.clone();
                self.leave_out(ClauseRole::Assumption, &invariant.text, invariant.at);
                self.unsupported_reason = why;
            }
            self.leave_out(ClauseRole::Promise, &invariant.text, invariant.at);
            return;
        };
        let condition = match name {
            "this" => condition,
            _ => {
                let is_null = self.is_null(object.id);
                self.or(is_null, condition)
            }
        };
        let text = format!("the invariant `{}` of `{name}`", invariant.text);
        if at_entry {
            self.require(condition, format!("{text} does not hold"), invariant.at);
        }
        let message = format!("{text} does not hold at exit");
        self.maintain(false, condition, message.clone(), invariant.at);
        if at_entry {
            self.maintain(true, condition, message, invariant.at);
        }
    }

    /// Fields that are not declared nullable are not null at exit.
    fn fields_not_null(&mut self, object: &Val, class: ClassId) {
        let program = self.cx.program;
        for &field in &program.class(class).fields {
            let declared = program.field(field);
            let may_be_null = declared.is_static
                || !declared.ty.is_reference()
                || declared.nullable.unwrap_or(false)
                || declared.name == "this$0";
            if may_be_null {
                continue;
            }
            let value = self.field_value(field, object.id);
            let is_null = self.is_null(value);
            let condition = self.not(is_null);
            let message = format!("the field `{}` is null at exit", declared.name);
            self.ensure(false, condition, message, declared.at);
        }
    }

    fn cases(&mut self, cases: &[SpecCase]) {
        let is_one = cases.len() == 1;
        let mut alternatives = Vec::new();
        for case in cases {
            let mut conditions = Vec::new();
            let mut is_whole = true;
            for requires in &case.requires {
                let mut env = self.env_before();
                let Some(condition) = self.condition_in(requires, &mut env) else {
                    self.leave_out(ClauseRole::Assumption, &requires.text, requires.at);
                    is_whole = false;
                    continue;
                };
                conditions.push(condition);
                if is_one {
                    let message = format!("the precondition `{}` does not hold", requires.text);
                    self.require(condition, message, requires.at);
                }
            }
            let precondition = self.all_of(conditions);
            alternatives.push(precondition);
            for ensures in &case.ensures {
                let mut env = self.env(true);
                let condition = self.condition_in(ensures, &mut env);
                // It is not known in which states a case counts that lacks a part of its precondition.
                let Some(condition) = condition.filter(|_| is_one || is_whole) else {
                    self.leave_out(ClauseRole::Promise, &ensures.text, ensures.at);
                    continue;
                };
                let condition = self.when(precondition, is_one, condition);
                let message = format!("`{}` does not hold at exit", ensures.text);
                self.ensure(false, condition, message, ensures.at);
            }
            if case.behavior == Behavior::Exceptional {
                let never = self.truth(false);
                let condition = self.when(precondition, is_one, never);
                let at = case.requires.first().map_or(TextRange::default(), |first| first.at);
                let message = "the method returns although it should throw".to_owned();
                self.ensure(false, condition, message, at);
            }
        }
        if cases.len() > 1 {
            let any = self.any(alternatives);
            let at = cases.iter().flat_map(|case| &case.requires).next().map(|first| first.at);
            let message = "no case of the precondition holds".to_owned();
            self.require(any, message, at.unwrap_or_default());
        }
    }

    /// An obligation under a condition that held at the start.
    fn when(&mut self, precondition: ExprId, is_one: bool, owed: ExprId) -> ExprId {
        if is_one {
            return owed;
        }
        let before = self.push(Expr::Old(precondition), Type::Bool);
        self.implies(before, owed)
    }

    /// If the contract mentions exceptions: the place where they are checked before the exit.
    pub(super) fn begin_signals(&mut self) -> Option<(BlockId, LocalId)> {
        let program = self.cx.program;
        let method = program.method(self.key.method);
        let speaks = |case: &SpecCase| {
            !case.signals.is_empty()
                || case.signals_only.is_some()
                || case.behavior == Behavior::Normal
        };
        let is_synthetic = super::procedure::is_synthetic(program, self.key, method);
        if is_synthetic || !method.spec.cases.iter().any(speaks) {
            return None;
        }
        for case in &method.spec.cases {
            for (ty, _, condition) in &case.signals {
                let is_never = matches!(
                    &condition.formula,
                    Formula::Jml(expr) if matches!(expr.kind, ExprKind::Literal(Literal::Bool(false)))
                );
                if !is_never {
                    let ty = self.written(ty);
                    self.allowed.push(ty);
                }
            }
            for ty in case.signals_only.iter().flatten() {
                let ty = self.written(ty);
                self.allowed.push(ty);
            }
        }
        let throwable = self.throwable();
        let sort = self.cx.vir(&throwable);
        let exception = self.variable("leaving", sort, None);
        let handler = self.blocks.create("signals");
        self.frames.push(Frame::Try { handler, exception, catches: Vec::new() });
        Some((handler, exception))
    }

    /// Judges the exceptions that leave the method.
    pub(super) fn end_signals(&mut self, handler: BlockId, exception: LocalId, at: TextRange) {
        self.frames.pop();
        self.blocks.enter(handler);
        self.blocks.next_point();
        let program = self.cx.program;
        let cases = &program.method(self.key.method).spec.cases;
        let throwable = self.throwable();
        let thrown = Val { id: self.read(exception), ty: throwable.clone() };
        let is_one = cases.len() == 1;
        for case in cases {
            let conditions: Vec<&Condition> = case.requires.iter().collect();
            let mut held = Vec::new();
            for condition in conditions {
                let mut env = self.env_before();
                held.extend(self.condition_in(condition, &mut env));
            }
            let precondition = self.all_of(held);
            if case.behavior == Behavior::Normal {
                let never = self.truth(false);
                let owed = self.when(precondition, is_one, never);
                let message = "an exception is thrown where the contract says none is".to_owned();
                self.obligation(owed, AssertKind::Exception, message, at);
            }
            if let Some(types) = &case.signals_only {
                let mut fitting = Vec::new();
                for ty in types {
                    let ty = self.written(ty);
                    self.cx.unify(&ty, &throwable);
                    fitting.push(self.is_instance(thrown.id, &throwable, &ty));
                }
                let fits = self.any(fitting);
                let owed = self.when(precondition, is_one, fits);
                let message = "an exception of another class is thrown than `signals_only` lists";
                self.obligation(owed, AssertKind::Exception, message.to_owned(), at);
            }
            for (ty, name, condition) in &case.signals {
                let ty = self.written(ty);
                self.cx.unify(&ty, &throwable);
                let fits = self.is_instance(thrown.id, &throwable, &ty);
                let mut env = self.env(true);
                if let Some(name) = name {
                    env.names.push((name.clone(), Val { id: thrown.id, ty: ty.clone() }));
                }
                let Some(owed) = self.condition_in(condition, &mut env) else {
                    self.leave_out(ClauseRole::Promise, &condition.text, condition.at);
                    continue;
                };
                let owed = self.implies(fits, owed);
                let owed = self.when(precondition, is_one, owed);
                let message =
                    format!("an exception is thrown and `{}` does not hold", condition.text);
                self.obligation(owed, AssertKind::Exception, message, at);
            }
        }
        let span = self.span(at);
        let exit = Exit::Exceptional(Some(thrown.id));
        self.blocks.end(TerminatorKind::Exit(exit), span, Origin::Source);
    }
}

/// Whether a clause that is missing restricts objects in all states between calls.
fn concerns_objects(role: MissingClauseRole) -> bool {
    match role {
        MissingClauseRole::Invariant | MissingClauseRole::Axiom | MissingClauseRole::Any => true,
        MissingClauseRole::Requires
        | MissingClauseRole::Ensures
        | MissingClauseRole::Assignable
        | MissingClauseRole::Constraint
        | MissingClauseRole::Initially
        | MissingClauseRole::Group => false,
    }
}

//! Statements: variables that may be assigned, labels that can be reached, calls that fit.

use rustc_hash::FxHashSet;

use super::{NamedValue, Resolver};
use crate::diagnostics::TextRange;
use crate::program::{FunctionKind, Variable};
use crate::syntax::{
    Binary, BodySyntax, CallSyntax, ExprSyntax, GuardSyntax, Name, NodeKind, SequenceId,
    StatementKindSyntax, StatementSyntax, StepSyntax, TargetSyntax,
};
use crate::types::{BROKEN, TypeId};

/// Where a statement stands.
struct StatementContext<'b, 's> {
    body: &'b BodySyntax<'s>,
    /// The globals that may change.
    modifies: FxHashSet<usize>,
    /// The labels of the body.
    labels: FxHashSet<&'s str>,
    /// The labels of enclosing statements.
    enclosing: Vec<&'s str>,
    /// How many loops are around.
    loops: usize,
}

impl<'s> Resolver<'_, 's, '_> {
    pub(super) fn statements(&mut self, procedure: usize, body: &BodySyntax<'s>) {
        let modifies = self.procedures[procedure].modifies.iter().copied().collect();
        let mut seen = FxHashSet::default();
        for statement in body.sequences.iter().flatten() {
            if let StatementKindSyntax::Label(name) = statement.kind
                && !seen.insert(name.text)
            {
                self.twice("labels", name.text, name.at);
            }
        }
        let mut place =
            StatementContext { body, modifies, labels: seen, enclosing: Vec::new(), loops: 0 };
        if !body.sequences.is_empty() {
            self.sequence(&mut place, body.root);
        }
    }

    fn sequence(&mut self, place: &mut StatementContext<'_, 's>, id: SequenceId) {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || {
            let statements = &place.body.sequences[id as usize];
            let outside = place.enclosing.len();
            let mut pending = Vec::new();
            for statement in statements {
                match statement.kind {
                    StatementKindSyntax::Label(name) => pending.push(name.text),
                    StatementKindSyntax::If(..) | StatementKindSyntax::While(..) => {
                        place.enclosing.append(&mut pending);
                        self.statement(place, statement);
                        place.enclosing.truncate(outside);
                    }
                    _ => {
                        pending.clear();
                        self.statement(place, statement);
                    }
                }
            }
        });
    }

    fn statement(&mut self, place: &mut StatementContext<'_, 's>, statement: &StatementSyntax<'s>) {
        match &statement.kind {
            StatementKindSyntax::Label(_) | StatementKindSyntax::Return => {}
            StatementKindSyntax::Assert(condition, _, known) => {
                for known in known {
                    self.condition(*known);
                }
                self.condition(*condition);
            }
            StatementKindSyntax::Assume(condition) => self.condition(*condition),
            StatementKindSyntax::Havoc(names) => {
                for name in names {
                    self.assigned(place, *name);
                }
            }
            StatementKindSyntax::Assign(targets, values) => {
                self.assignment(place, targets, values, statement.at);
            }
            StatementKindSyntax::Unpack(constructor, names, value) => {
                self.unpack(place, *constructor, names, *value);
            }
            StatementKindSyntax::Call(call) => self.call_statement(place, call, statement.at),
            StatementKindSyntax::If(guard, yes, no) => {
                self.guard(guard);
                self.sequence(place, *yes);
                if let Some(no) = no {
                    self.sequence(place, *no);
                }
            }
            StatementKindSyntax::While(guard, invariants, body) => {
                self.guard(guard);
                for invariant in invariants {
                    self.condition(invariant.condition);
                }
                place.loops += 1;
                self.sequence(place, *body);
                place.loops -= 1;
            }
            StatementKindSyntax::Break(None) => {
                if place.loops == 0 {
                    self.fault(statement.at, "`break` stands in no loop");
                }
            }
            StatementKindSyntax::Break(Some(label)) => {
                if !place.enclosing.contains(&label.text) {
                    let message = format!("no enclosing statement has the label `{}`", label.text);
                    self.fault(label.at, message);
                }
            }
            StatementKindSyntax::Goto(labels) => {
                for label in labels {
                    if !place.labels.contains(label.text) {
                        self.fault(label.at, format!("there is no label `{}`", label.text));
                    }
                }
            }
            StatementKindSyntax::Unsupported(_, results) => {
                for name in results {
                    self.assigned(place, *name);
                }
            }
        }
    }

    fn guard(&mut self, guard: &GuardSyntax) {
        if let Some(condition) = guard.condition {
            self.condition(condition);
        }
    }

    /// A variable that is changed: its type, if there is one that may be.
    fn assigned(&mut self, place: &StatementContext<'_, 's>, name: Name<'s>) -> TypeId {
        let (variable, ty) = if let Some(local) = self.locals.get(name.text).copied() {
            if local < self.constants {
                let message = format!("`{}` is a parameter, which cannot be assigned", name.text);
                self.fault(name.at, message);
            }
            (Variable::Local(local), self.local_types[local])
        } else {
            match self.variable_names.get(name.text).copied() {
                Some(NamedValue::Global(global)) => {
                    if !place.modifies.contains(&global) {
                        let message = format!(
                            "the procedure changes `{}`, which its `modifies` does not list",
                            name.text
                        );
                        self.fault(name.at, message);
                    }
                    (Variable::Global(global), self.globals[global].ty)
                }
                Some(NamedValue::Constant(_)) => {
                    let message =
                        format!("`{}` is a constant, which cannot be assigned", name.text);
                    self.fault(name.at, message);
                    return BROKEN;
                }
                None => {
                    self.unknown_variable(name);
                    return BROKEN;
                }
            }
        };
        self.meaning.variables.insert(name.at.start, variable);
        ty
    }

    fn assignment(
        &mut self,
        place: &StatementContext<'_, 's>,
        targets: &[TargetSyntax<'s>],
        values: &[ExprSyntax],
        at: TextRange,
    ) {
        self.begin();
        for (target, value) in targets.iter().zip(values) {
            self.gathers(target, *value);
        }
        let mut seen = FxHashSet::default();
        for target in targets {
            if !seen.insert(target.variable.text) {
                let message = format!("`{}` is assigned twice at once", target.variable.text);
                self.fault(target.variable.at, message);
            }
        }
        if targets.len() != values.len() {
            let message = format!("{} places for {} values", targets.len(), values.len());
            self.fault(at, message);
        }
        for value in values {
            self.expression(*value);
        }
        let mut steps = Vec::new();
        for (target, value) in targets.iter().zip(values) {
            let mut ty = self.assigned(place, target.variable);
            for step in &target.path {
                ty = self.step(ty, step, target.variable.at, &mut steps);
            }
            self.expect(value.root, ty);
        }
        self.close_steps(steps);
        self.finish();
    }

    /// A variable that gathers assumptions is assigned once, and only itself and something more.
    fn gathers(&mut self, target: &TargetSyntax<'s>, value: ExprSyntax) {
        let name = target.variable;
        if !self.is_assumption(name.text) {
            return;
        }
        let nodes = &self.syntax.nodes;
        let is_longer = match nodes[value.root as usize].kind {
            NodeKind::Binary(Binary::And, left, _) => {
                matches!(nodes[left as usize].kind, NodeKind::Name(same) if same.text == name.text)
            }
            _ => false,
        };
        if !is_longer {
            let message = format!("expected `{} && …`: it gathers assumptions", name.text);
            self.fault(name.at, message);
        } else if !self.gathered.insert((self.locals.get(name.text).copied(), name.text)) {
            let message = format!("`{}` gathers assumptions, and only once", name.text);
            self.fault(name.at, message);
        }
    }

    fn is_assumption(&self, name: &str) -> bool {
        if self.locals.contains_key(name) {
            return self.local_assumptions.contains(name);
        }
        self.global_assumptions.contains(name)
    }

    /// One step into a target: the type of the part.
    fn step(
        &mut self,
        ty: TypeId,
        step: &StepSyntax<'s>,
        start: TextRange,
        steps: &mut Vec<u32>,
    ) -> TypeId {
        match step {
            StepSyntax::Index(keys, at) => {
                for key in keys {
                    self.expression(*key);
                }
                let Some(entry) = self.map_value(ty, start, keys.len(), *at) else {
                    return BROKEN;
                };
                for (key, ty) in keys.iter().zip(entry.keys) {
                    self.expect(key.root, ty);
                }
                self.meaning.keys.insert(at.start, (ty, entry.instance.into()));
                steps.push(at.start);
                entry.value
            }
            StepSyntax::Field(name) => {
                self.meaning.fields.insert(name.at.start, ty);
                self.field_of(ty, start, *name).unwrap_or(BROKEN)
            }
        }
    }

    fn close_steps(&mut self, steps: Vec<u32>) {
        for step in steps {
            if let Some((ty, instance)) = self.meaning.keys.remove(&step) {
                let ty = self.closed(ty);
                let instance = instance.iter().map(|ty| self.closed(*ty)).collect();
                self.meaning.keys.insert(step, (ty, instance));
            }
        }
    }

    fn unpack(
        &mut self,
        place: &StatementContext<'_, 's>,
        constructor: Name<'s>,
        names: &[Name<'s>],
        value: ExprSyntax,
    ) {
        self.begin();
        self.expression(value);
        let function = self.function_names.get(constructor.text).copied();
        let Some(index) = function
            .filter(|index| matches!(self.functions[*index].kind, FunctionKind::Constructor(..)))
        else {
            let names: Vec<String> = self.function_names.keys().cloned().collect();
            let others = names.iter().map(String::as_str);
            self.unknown("constructor", constructor.text, constructor.at, others);
            self.finish();
            return;
        };
        let function = &self.functions[index];
        let parameters: Vec<TypeId> = function.parameters.iter().map(|(_, ty)| *ty).collect();
        let (result, rigid) = (function.result, function.rigid.clone());
        let (new, _) = self.open(&rigid);
        let whole = self.types.substitute(result, &new);
        self.expect(value.root, whole);
        self.distinct("variables", names);
        if names.len() != parameters.len() {
            let message = format!(
                "`{}` has {} fields, not {}",
                constructor.text,
                parameters.len(),
                names.len()
            );
            self.fault(constructor.at, message);
        }
        for (name, parameter) in names.iter().zip(parameters) {
            let parameter = self.types.substitute(parameter, &new);
            let ty = self.assigned(place, *name);
            self.equal(parameter, ty, name.at);
        }
        self.finish();
    }

    fn call_statement(
        &mut self,
        place: &StatementContext<'_, 's>,
        call: &CallSyntax<'s>,
        at: TextRange,
    ) {
        self.begin();
        for argument in &call.arguments {
            self.expression(*argument);
        }
        self.distinct("results", &call.results);
        let results: Vec<TypeId> =
            call.results.iter().map(|name| self.assigned(place, *name)).collect();
        let callee = call.callee;
        let Some(index) = self.procedure_names.get(callee.text).copied() else {
            let mut names: Vec<&'s str> = self.procedure_names.keys().copied().collect();
            names.sort_unstable();
            self.unknown("procedure", callee.text, callee.at, names.into_iter());
            self.finish();
            return;
        };
        let procedure = &self.procedures[index];
        self.touched |= procedure.is_broken;
        let (parameters, returned) = (procedure.parameters.clone(), procedure.results.clone());
        let rigid = procedure.rigid.clone();
        for global in procedure.modifies.clone() {
            if !place.modifies.contains(&global) {
                let message = format!(
                    "`{}` changes `{}`, which the `modifies` of this procedure does not list",
                    callee.text, self.globals[global].name.text
                );
                self.fault(callee.at, message);
            }
        }
        let counts = [
            ("arguments", parameters.len(), call.arguments.len()),
            ("results", returned.len(), results.len()),
        ];
        for (what, wanted, given) in counts {
            if wanted != given {
                let message = format!("`{}` has {wanted} {what}, not {given}", callee.text);
                self.fault(at, message);
            }
        }
        let (new, instance) = self.open(&rigid);
        for (argument, parameter) in call.arguments.iter().zip(parameters) {
            let parameter = self.types.substitute(parameter, &new);
            self.expect(argument.root, parameter);
        }
        for ((name, ty), result) in call.results.iter().zip(results).zip(returned) {
            let result = self.types.substitute(result, &new);
            self.equal(result, ty, name.at);
        }
        let instance = instance.iter().map(|ty| self.closed(*ty)).collect();
        self.meaning.calls.insert(at.start, (index, instance));
        self.finish();
    }
}

//! An execution on memory as steps: the effect of each line of the source, in its syntax.
//!
//! Synthetic variables of a front end are not shown; the value that was read from memory into one of them, or the
//! result of a call, is. The events of one line are one step.

use interpret::{Cause, Event, EventKind, Execution, Site, Step as PathStep, Value};
use ir::{FormId, FormKind, LocalId, Mode, ProcedureId, Variable};
use report::{Binding, Step, StepKind};

use crate::blocks::Blocks;
use crate::elide::Shown;
use crate::limits::POINTED_TEXT;
use crate::literal::quoted;
use crate::writer::{Remark, Writer};

/// The name of what a call gives back, until it is stored somewhere.
const RESULT: &str = "result";

impl Writer<'_> {
    /// The steps of an execution, with what an observer saw at calls.
    pub(crate) fn steps(
        &self,
        blocks: &Blocks<'_>,
        inputs: &[(Variable, Value)],
        run: &Execution,
        remarks: &[Remark],
    ) -> Vec<Step> {
        let subject = self.module.procedure(self.procedure);
        let mut entry = Step::new(StepKind::Entry, "").at(self.place(subject.span));
        for (variable, value) in inputs {
            if let Variable::Local(id) = variable {
                entry.values.push(blocks.bind(subject.display(*id), value, subject.form(*id)));
            }
        }
        let mut events: Vec<&Event> = run.trace.events().collect();
        let remarked = remarked(&events, run, remarks);
        let failing = remarked.iter().find(|(_, remark)| remark.fails);
        if let Some((at, _)) = failing {
            events.truncate(at + 1);
        }
        let criteria: Vec<usize> = remarked.iter().map(|(at, _)| *at).collect();
        let is_visible = |event: &Event| {
            !self.is_synthetic(event.site) && self.step_in_memory(blocks, event).is_some()
        };
        let mut steps = StepList { steps: vec![entry], only_reads: false };
        let mut called: Option<Site> = None;
        let selection = self.selection(&events, run, &criteria, &is_visible);
        let bind = |event: &Event| {
            let step = self.step_in_memory(blocks, event).filter(|_| !self.only_reads(event));
            // The place `a[i]` changes with `i`; only a variable is the same after the gap.
            let is_variable = |value: &Binding| {
                let is_name = |c: char| c.is_alphanumeric() || c == '_';
                value.name != RESULT && value.name.chars().all(is_name)
            };
            step.and_then(|step| step.values.into_iter().find(is_variable))
        };
        for shown in selection.shown() {
            let at = match shown {
                Shown::Event(at) => at,
                Shown::Gap(gap, elided) => {
                    steps.steps.push(self.gap(gap, elided, &selection, &bind));
                    continue;
                }
            };
            let event = events[at];
            let Some(mut step) = self.step_in_memory(blocks, event) else { continue };
            for (_, remark) in remarked.iter().filter(|(of, _)| *of == at) {
                if let EventKind::Called(callee, arguments)
                | EventKind::UnknownCall(callee, arguments) = &event.kind
                {
                    let call = self.call(blocks, *callee, arguments);
                    step.text = format!("calls {call}, {}", remark.text);
                }
                if remark.fails {
                    step.kind = StepKind::Failure;
                }
            }
            let is_answer = step.kind == StepKind::Return && called == Some(event.site);
            called = match step.kind {
                StepKind::Call => Some(event.site),
                _ => called.filter(|site| *site == event.site),
            };
            // The answer of a call that was not followed has been shown.
            if !is_answer {
                let only_reads = self.only_reads(event);
                steps.push(step, only_reads);
            }
        }
        if let Some(step) = self.outcome(run).filter(|_| failing.is_none()) {
            match step.kind {
                StepKind::Failure => steps.push(step, false),
                _ => steps.steps.push(step),
            }
        }
        steps.steps
    }

    /// Whether an event is that a place of memory was read.
    fn only_reads(&self, event: &Event) -> bool {
        let EventKind::Assigned(target, _, Cause::Assignment) = &event.kind else { return false };
        let Variable::Local(id) = target.variable else { return false };
        self.module.procedure(event.site.procedure).local(id).display.is_none()
    }

    /// The step of an event; none if it is irrelevant.
    fn step_in_memory(&self, blocks: &Blocks<'_>, event: &Event) -> Option<Step> {
        let step = match &event.kind {
            EventKind::Assigned(target, value, cause) => {
                let value = value.as_ref()?;
                let binding = match (target.variable, &target.path[..]) {
                    (Variable::Local(id), []) => self.local(blocks, event, id, value, *cause)?,
                    (Variable::Global(_), [PathStep::View(pointer, _)]) => {
                        let point = event.site.point(self.module)?;
                        let written = self.module.procedure(event.site.procedure).place_at(point);
                        let found = blocks.place(*pointer);
                        let form = written.and_then(|place| place.form);
                        let form = form.or(found.as_ref().and_then(|part| part.form));
                        let text = written.map(|place| place.text.clone());
                        let text = text.or(found.map(|part| part.text))?;
                        blocks.bind(&text, value, form)
                    }
                    (Variable::Local(_) | Variable::Global(_), _) => return None,
                };
                let mut step = Step::new(StepKind::Statement, "");
                step.values.push(binding);
                step
            }
            EventKind::Freed(_) => return None,
            EventKind::Entered(block) => self.side(event.site, *block),
            EventKind::Called(callee, arguments) => Step::new(
                StepKind::Call,
                format!("calls {}", self.call(blocks, *callee, arguments)),
            ),
            EventKind::UnknownCall(callee, arguments) => {
                let call = self.call(blocks, *callee, arguments);
                Step::new(StepKind::Call, format!("calls {call}, whose body is unknown"))
            }
            EventKind::Returned(callee) | EventKind::Threw(callee, _) => {
                Step::new(StepKind::Return, format!("{} returns", self.known_as(*callee)))
            }
        };
        Some(self.at(step.deep(event.depth), event.site))
    }

    /// An assignment of a variable of VIR, in terms of the source.
    fn local(
        &self,
        blocks: &Blocks<'_>,
        event: &Event,
        id: LocalId,
        value: &Value,
        cause: Cause,
    ) -> Option<Binding> {
        let procedure = self.module.procedure(event.site.procedure);
        let local = procedure.local(id);
        match (&local.display, cause) {
            // The allocation of a variable is not shown.
            (Some(_), Cause::Allocation) => None,
            (Some(name), _) => Some(blocks.bind(name, value, procedure.form(id))),
            (None, Cause::Result) => Some(blocks.bind(RESULT, value, None)),
            (None, Cause::Assignment) if local.mode == Mode::Local => {
                let place = procedure.place_at(event.site.point(self.module)?)?;
                let form = place.form?;
                let is_whole = match value {
                    Value::Bv(word) => u64::from(word.width()) == self.module.form(form).bits,
                    Value::Ptr(_) => true,
                    _ => false,
                };
                is_whole.then(|| blocks.bind(&place.text, value, Some(form)))
            }
            (None, _) => None,
        }
    }

    /// A call with its arguments.
    fn call(&self, blocks: &Blocks<'_>, callee: ProcedureId, arguments: &[Value]) -> String {
        let procedure = self.module.procedure(callee);
        let forms = (0..).map(|number| procedure.form(LocalId(number)));
        let shown: Vec<String> = arguments
            .iter()
            .zip(forms)
            .map(|(value, form)| {
                let text = blocks.show(value, form);
                text.strip_prefix("→ ").map_or(text.clone(), str::to_owned)
            })
            .collect();
        let name = self.known_as(callee);
        match name.contains(' ') {
            // The callee is unknown.
            true => format!("through a pointer with ({})", shown.join(", ")),
            false => format!("{name}({})", shown.join(", ")),
        }
    }

    fn known_as(&self, callee: ProcedureId) -> &str {
        let procedure = self.module.procedure(callee);
        procedure.display.as_deref().unwrap_or(&procedure.name)
    }
}

/// The events at which an observer saw something, with what it saw.
fn remarked<'r>(
    events: &[&Event],
    run: &Execution,
    remarks: &'r [Remark],
) -> Vec<(usize, &'r Remark)> {
    let is_call =
        |event: &Event| matches!(event.kind, EventKind::Called(..) | EventKind::UnknownCall(..));
    let kept = match run.trace.left_out() {
        0 => events.len(),
        // Behind the gap the calls cannot be counted.
        _ => run.trace.first().len(),
    };
    let calls: Vec<usize> = (0..kept).filter(|at| is_call(events[*at])).collect();
    remarks.iter().filter_map(|remark| Some((*calls.get(remark.call)?, remark))).collect()
}

impl Blocks<'_> {
    /// A place and its value. The value of the pointer that names an object is its target.
    pub(crate) fn bind(&self, name: &str, value: &Value, form: Option<FormId>) -> Binding {
        let text = self.show(value, form);
        let value = if text == name { format!("→ {}", self.target(value, form)) } else { text };
        Binding { name: name.to_owned(), value }
    }

    /// The target of a pointer.
    fn target(&self, value: &Value, form: Option<FormId>) -> String {
        let to = form.and_then(|form| self.module.pointee(form)).map(|to| self.module.form(to));
        if let (Value::Ptr(pointer), Some(FormKind::Character)) = (value, to.map(|to| &to.kind)) {
            let bytes = (pointer.offset..).map(|at| self.entry.get(&(pointer.object, at)));
            let text: Vec<u8> = bytes.take(POINTED_TEXT).map_while(|byte| byte.copied()).collect();
            if !text.is_empty() {
                return quoted(&text);
            }
        }
        match to.filter(|to| !to.name.is_empty()) {
            Some(to) => to.name.clone(),
            None => "memory".to_owned(),
        }
    }
}

/// The steps so far.
struct StepList {
    steps: Vec<Step>,
    /// Whether the last one shows only values that were read.
    only_reads: bool,
}

impl StepList {
    /// Adds a step. The events of one line are one step: values that are read join the use, and a result joins its
    /// target.
    fn push(&mut self, mut step: Step, only_reads: bool) {
        let only_read = std::mem::replace(&mut self.only_reads, only_reads);
        let Some(last) = self.steps.last_mut() else { return self.steps.push(step) };
        let line = |step: &Step| {
            Some((step.place.as_ref()?.path.clone(), step.place.as_ref()?.start.line))
        };
        let is_together = line(last) == line(&step)
            && (last.depth == step.depth || step.kind.is_failure())
            && line(&step).is_some();
        match (last.kind, step.kind) {
            (StepKind::Statement | StepKind::Call | StepKind::Return, StepKind::Statement)
                if is_together =>
            {
                if last.values.last().is_some_and(|value| value.name == RESULT) {
                    last.values.pop();
                }
                last.values.extend(step.values);
                self.only_reads = only_read && only_reads && last.kind == StepKind::Statement;
            }
            (
                StepKind::Statement,
                StepKind::Call | StepKind::Branch | StepKind::Failure | StepKind::Endless,
            ) if is_together && only_read => {
                // The arguments of a call say what was read for it.
                if step.kind != StepKind::Call {
                    step.values = std::mem::take(&mut last.values);
                }
                *last = step;
            }
            _ => self.steps.push(step),
        }
    }
}

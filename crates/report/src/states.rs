//! The states that an execution passes: the heap that it begins with, changed step by step.
//!
//! A step says what it changes in the words of the source: `x` is a variable, `o.f` a field of the object `o`,
//! `a[i]` an element of the array `a`. That is enough to follow the heap, whatever the language; an object is
//! known by its name. Objects stay, even if nothing leads to them any more.

use crate::limits::STATE_CALLS;
use crate::{Binding, Finding, Heap, Object, Step, StepKind};

/// The known state between two steps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// The variables of the present procedure, and the global ones.
    pub variables: Vec<Binding>,
    /// All objects that have been met so far.
    pub objects: Vec<Object>,
}

impl State {
    /// The object of a name.
    pub fn object(&self, name: &str) -> Option<&Object> {
        self.objects.iter().find(|object| object.name == name)
    }
}

/// The value of a field that is not known yet.
pub(crate) const UNKNOWN: &str = "";

/// The state after each step of a finding's trace; none if it has no heap.
pub fn states(finding: &Finding) -> Vec<State> {
    let Some(first) = finding.heaps.first() else { return Vec::new() };
    let mut run = Run::new(finding, first);
    finding.trace.iter().map(|step| run.step(step)).collect()
}

struct Run<'f> {
    finding: &'f Finding,
    /// The variables of each procedure on the call stack.
    frames: Vec<Vec<Binding>>,
    /// Variables of no procedure.
    statics: Vec<Binding>,
    objects: Vec<Object>,
}

/// The place that a name in a step denotes.
enum Place<'n> {
    Field(&'n str, String),
    Static,
    Variable,
}

impl<'f> Run<'f> {
    fn new(finding: &'f Finding, first: &Heap) -> Run<'f> {
        let is_static = |binding: &&Binding| binding.name.contains('.');
        let statics = first.variables.iter().filter(is_static).cloned().collect();
        let own = first.variables.iter().filter(|binding| !is_static(binding)).cloned();
        let frames = vec![own.collect()];
        Run { finding, frames, statics, objects: first.objects.clone() }
    }

    fn step(&mut self, step: &Step) -> State {
        let depth = step.depth.min(STATE_CALLS) as usize;
        self.frames.truncate(depth + 1);
        self.frames.resize(depth + 1, Vec::new());
        for binding in &step.values {
            self.meet(&binding.value);
            match self.place(&binding.name) {
                Place::Field(object, field) => {
                    let object = object.to_owned();
                    self.meet(&object);
                    let owner = self.objects.iter_mut().find(|known| known.name == object);
                    if let Some(owner) = owner {
                        assign(&mut owner.fields, &field, &binding.value);
                    }
                }
                Place::Static => assign(&mut self.statics, &binding.name, &binding.value),
                Place::Variable => {
                    let frame = &mut self.frames[depth];
                    let is_known = frame.iter().any(|known| known.name == binding.name);
                    // The values of another procedure's variables at a call are ignored.
                    if step.kind != StepKind::Call || is_known {
                        assign(frame, &binding.name, &binding.value);
                    }
                }
            }
        }
        let variables = self.frames[depth].iter().chain(&self.statics).cloned().collect();
        State { variables, objects: self.objects.clone() }
    }

    /// Whether some heap of the finding has an object of this name.
    fn is_object(&self, name: &str) -> bool {
        let all = self.finding.heaps.iter().flat_map(|heap| &heap.objects);
        all.chain(&self.objects).any(|object| object.name == name)
    }

    fn place<'n>(&self, name: &'n str) -> Place<'n> {
        if let Some(open) = name.rfind('[').filter(|_| name.ends_with(']'))
            && self.is_object(&name[..open])
        {
            return Place::Field(&name[..open], name[open..].to_owned());
        }
        match name.rsplit_once('.') {
            Some((object, field)) if self.is_object(object) => {
                Place::Field(object, field.to_owned())
            }
            Some(_) => Place::Static,
            None => Place::Variable,
        }
    }

    /// An object that occurs for the first time is new. Fields that no step changes have their final values; the
    /// others are unknown before.
    fn meet(&mut self, name: &str) {
        if self.objects.iter().any(|known| known.name == name) {
            return;
        }
        let last = self.finding.heaps.last().map_or(&[][..], |heap| &heap.objects);
        let Some(object) = last.iter().find(|object| object.name == name) else { return };
        let mut object = object.clone();
        for field in &mut object.fields {
            let places = [format!("{name}.{}", field.name), format!("{name}{}", field.name)];
            let values = self.finding.trace.iter().flat_map(|step| &step.values);
            if values.into_iter().any(|binding| places.contains(&binding.name)) {
                field.value = UNKNOWN.to_owned();
            }
        }
        self.objects.push(object);
    }
}

fn assign(bindings: &mut Vec<Binding>, name: &str, value: &str) {
    match bindings.iter_mut().find(|known| known.name == name) {
        Some(known) => value.clone_into(&mut known.value),
        None => bindings.push(Binding { name: name.to_owned(), value: value.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::{UNKNOWN, states};
    use crate::{
        Binding, Confirmation, FailureKind, Finding, Heap, LineIndex, Object, Place, Step, StepKind,
    };

    fn binding(name: &str, value: &str) -> Binding {
        Binding { name: name.to_owned(), value: value.to_owned() }
    }

    fn cell(name: &str, next: &str) -> Object {
        let fields = vec![binding("next", next)];
        Object { name: name.to_owned(), kind: "Cell".to_owned(), fields }
    }

    fn finding(trace: Vec<Step>) -> Finding {
        let place = Place::of_offsets("a", &LineIndex::new(""), 0, 0);
        let mut finding = Finding::new(
            "r",
            FailureKind::Assertion,
            "m",
            place,
            Confirmation::ReplayedByInterpreter,
        );
        let before = Heap {
            when: "before".to_owned(),
            variables: vec![binding("l", "Cell#1"), binding("A.count", "0")],
            objects: vec![cell("Cell#1", "null")],
        };
        let mut after = before.clone();
        after.when = "after".to_owned();
        after.objects = vec![cell("Cell#1", "Cell#2"), cell("Cell#2", "null")];
        finding.heaps = vec![before, after];
        finding.trace = trace;
        finding
    }

    #[test]
    fn steps_change_variables_fields_and_statics() {
        let step = || Step::new(StepKind::Statement, "");
        let finding = finding(vec![
            Step::new(StepKind::Entry, "").with("l", "Cell#1"),
            step().with("x", "Cell#2").with("A.count", "1"),
            step().with("Cell#1.next", "Cell#2"),
        ]);
        let states = states(&finding);
        assert_eq!(states[0].objects.len(), 1);
        assert_eq!(states[1].variables.len(), 3);
        assert_eq!(states[1].objects[1], cell("Cell#2", "null"), "nothing changes it later");
        assert_eq!(states[2].objects, finding.heaps[1].objects);
    }

    #[test]
    fn the_fields_of_a_new_object_are_unknown_before_they_are_set() {
        let step = || Step::new(StepKind::Statement, "");
        let finding = finding(vec![step().with("x", "Cell#2"), step().with("Cell#2.next", "null")]);
        let states = states(&finding);
        assert_eq!(states[0].objects[1], cell("Cell#2", UNKNOWN));
        assert_eq!(states[1].objects[1], cell("Cell#2", "null"));
    }

    #[test]
    fn a_callee_has_variables_of_its_own_until_it_returns() {
        let step = || Step::new(StepKind::Statement, "");
        let states = states(&finding(vec![step().deep(1).with("x", "3"), step()]));
        assert_eq!(states[0].variables, [binding("x", "3"), binding("A.count", "0")]);
        assert_eq!(states[1].variables, [binding("l", "Cell#1"), binding("A.count", "0")]);
    }
}

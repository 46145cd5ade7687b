//! An oracle that reads its answers from a list, and one that writes such a list.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use ir::{FunctionId, Module, ProcedureId, SortId};

use crate::run::Site;
use crate::value::{MapValue, Rest, Value};

use super::{CallAnswer, CallQuestion, Oracle, Question, Wanted};

/// An answer to one question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The value of an input that was left out.
    Input(Value),
    /// The value of an unknown map at some keys.
    Entry(Value),
    /// The value of a function at some arguments.
    Function(Value),
    /// The value of a place that is havocked.
    Havoc(Value),
    /// Which way was taken.
    Choice(usize),
    /// Which atom was allocated.
    Atom(u64),
    /// Whether an allocation failed.
    Fails(bool),
    /// What a callee did.
    Call(CallAnswer),
}

/// An oracle that gives the answers of a list in order. A question of another kind than the next
/// answer has none; so a list without answers for inputs leaves what the inputs leave out undefined.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recorded {
    /// The answers that are left.
    pub answers: VecDeque<Answer>,
    /// The functions without definition, as maps from arguments to values; they come before the
    /// list.
    pub functions: BTreeMap<FunctionId, Arc<MapValue>>,
    /// The atoms of each sort, ascending; a sort that is left out has no known ones.
    pub atoms: BTreeMap<SortId, Arc<Vec<u64>>>,
    /// The procedures that are not followed though they have a body.
    pub not_followed: BTreeSet<ProcedureId>,
}

impl Recorded {
    /// An oracle with these answers.
    pub fn new(answers: impl IntoIterator<Item = Answer>) -> Recorded {
        Recorded { answers: answers.into_iter().collect(), ..Recorded::default() }
    }

    /// The next answer if it is of the right kind.
    fn next<T>(&mut self, kind: impl Fn(&Answer) -> Option<T>) -> Option<T> {
        let answer = kind(self.answers.front()?)?;
        self.answers.pop_front();
        Some(answer)
    }
}

impl Oracle for Recorded {
    fn value(&mut self, question: &Question<'_>) -> Option<Value> {
        if let Wanted::Function(function, arguments) = question.wanted
            && let Some(map) = self.functions.get(&function)
        {
            return match (map.entries().get(arguments), map.rest()) {
                (Some(value), _) | (None, Rest::Is(value)) => Some(value.clone()),
                (None, Rest::Unknown(_)) => None,
            };
        }
        self.next(|answer| match (answer, question.wanted) {
            (Answer::Input(value), Wanted::Input(_))
            | (Answer::Entry(value), Wanted::Entry(..))
            | (Answer::Function(value), Wanted::Function(..))
            | (Answer::Havoc(value), Wanted::Havoc(..)) => Some(value.clone()),
            _ => None,
        })
    }

    fn choose(&mut self, _: Site, _: usize) -> Option<usize> {
        self.next(|answer| match answer {
            Answer::Choice(way) => Some(*way),
            _ => None,
        })
    }

    fn atom(&mut self, _: Site, _: SortId, _: &dyn Fn(u64) -> bool) -> Option<u64> {
        self.next(|answer| match answer {
            Answer::Atom(id) => Some(*id),
            _ => None,
        })
    }

    fn fails(&mut self, _: Site, _: u64) -> Option<bool> {
        self.next(|answer| match answer {
            Answer::Fails(fails) => Some(*fails),
            _ => None,
        })
    }

    fn call(&mut self, _: &CallQuestion<'_>) -> Option<CallAnswer> {
        self.next(|answer| match answer {
            Answer::Call(answer) => Some(answer.clone()),
            _ => None,
        })
    }

    fn atoms(&self, sort: SortId) -> Option<Arc<Vec<u64>>> {
        self.atoms.get(&sort).cloned()
    }

    fn table(&self, _: &Module, function: FunctionId) -> Option<Arc<MapValue>> {
        self.functions.get(&function).cloned()
    }

    fn follows(&self, _: Site, _: usize, callee: ProcedureId) -> bool {
        !self.not_followed.contains(&callee)
    }
}

/// An oracle that passes on the answers of another and notes them, so that its runs can be run
/// again by [`Recorded`].
#[derive(Debug)]
pub struct Recording<'o, O: ?Sized> {
    /// Who answers.
    pub oracle: &'o mut O,
    /// The answers so far.
    pub answers: Vec<Answer>,
}

impl<'o, O: Oracle + ?Sized> Recording<'o, O> {
    /// Notes the answers of an oracle.
    pub fn new(oracle: &'o mut O) -> Self {
        Recording { oracle, answers: Vec::new() }
    }

    fn note<T: Clone>(&mut self, answer: Option<T>, kind: impl Fn(T) -> Answer) -> Option<T> {
        self.answers.extend(answer.clone().map(kind));
        answer
    }
}

impl<O: Oracle + ?Sized> Oracle for Recording<'_, O> {
    fn value(&mut self, question: &Question<'_>) -> Option<Value> {
        let answer = self.oracle.value(question);
        self.note(answer, |value| match question.wanted {
            Wanted::Input(_) => Answer::Input(value),
            Wanted::Entry(..) => Answer::Entry(value),
            Wanted::Function(..) => Answer::Function(value),
            Wanted::Havoc(..) => Answer::Havoc(value),
        })
    }

    fn choose(&mut self, site: Site, ways: usize) -> Option<usize> {
        let answer = self.oracle.choose(site, ways);
        self.note(answer, Answer::Choice)
    }

    fn atom(&mut self, site: Site, sort: SortId, is_fresh: &dyn Fn(u64) -> bool) -> Option<u64> {
        let answer = self.oracle.atom(site, sort, is_fresh);
        self.note(answer, Answer::Atom)
    }

    fn fails(&mut self, site: Site, size: u64) -> Option<bool> {
        let answer = self.oracle.fails(site, size);
        self.note(answer, Answer::Fails)
    }

    fn call(&mut self, call: &CallQuestion<'_>) -> Option<CallAnswer> {
        let answer = self.oracle.call(call);
        self.note(answer, Answer::Call)
    }

    fn atoms(&self, sort: SortId) -> Option<Arc<Vec<u64>>> {
        self.oracle.atoms(sort)
    }

    fn stands_in(&mut self, depth: usize, callee: ProcedureId) -> Option<ProcedureId> {
        self.oracle.stands_in(depth, callee)
    }

    fn follows(&self, site: Site, depth: usize, callee: ProcedureId) -> bool {
        self.oracle.follows(site, depth, callee)
    }
}

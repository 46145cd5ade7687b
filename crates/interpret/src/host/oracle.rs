//! The oracle that is the C library's other side.

use std::sync::Arc;

use ir::{SortId, Type};

use crate::host::format::format;
use crate::host::start::{ERROR, OUTPUT};
use crate::host::view::View;
use crate::{
    CallResult, Ending, Oracle, Outcome, Pointer, Site, UnknownCall, Value, ValueRequest, Word,
};

/// Executes the library calls of a program as the C library does. Allocations succeed; there is no input.
#[derive(Clone, Debug, Default)]
pub struct Host {
    /// Standard output.
    pub output: Vec<u8>,
    /// Standard error.
    pub errors: Vec<u8>,
    /// The argument of `exit`.
    pub status: Option<i32>,
    /// How often a random number was asked for, and from which seed.
    random: u32,
}

impl Host {
    /// The exit status as the machine would report it: eight bits of the argument of `exit` or the return
    /// value of `main`; none if the execution ended otherwise.
    pub fn exit_status(&self, outcome: &Outcome) -> Option<i32> {
        match outcome {
            Outcome::Exit(Ending::Intended(_)) => self.status.map(|status| status & 0xff),
            other => exit_status(other),
        }
    }

    fn emit(&mut self, file: u64, text: &[u8]) -> Option<()> {
        match file {
            OUTPUT => self.output.extend(text),
            ERROR => self.errors.extend(text),
            _ => return None,
        }
        Some(())
    }

    fn respond(&mut self, call: &UnknownCall<'_>, name: &str) -> Option<CallResult> {
        let view = View::new(call);
        let view = view.as_ref();
        let pointer = |index: usize| match call.arguments.get(index)? {
            Value::Ptr(pointer) => Some(*pointer),
            _ => None,
        };
        let number = |index: usize| match call.arguments.get(index)? {
            Value::Bv(word) => word.small(),
            _ => None,
        };
        let text = |index: usize| view?.string(pointer(index)?, None);
        let formatted = |index: usize| {
            let rest = call.arguments.get(index + 1..).unwrap_or_default();
            format(view?, &text(index)?, rest)
        };
        let count = |text: &[u8]| Some(text.len() as u64);
        let returned = match name {
            "printf" => {
                let text = formatted(0)?;
                self.emit(OUTPUT, &text)?;
                count(&text)
            }
            "fprintf" => {
                let text = formatted(1)?;
                self.emit(pointer(0)?.object, &text)?;
                count(&text)
            }
            "puts" => {
                let mut text = text(0)?;
                text.push(b'\n');
                self.emit(OUTPUT, &text)?;
                count(&text)
            }
            "putchar" => {
                self.emit(OUTPUT, &[number(0)? as u8])?;
                Some(number(0)? & 0xff)
            }
            "fputs" => {
                self.emit(pointer(1)?.object, &text(0)?)?;
                Some(1)
            }
            "fputc" | "putc" => {
                self.emit(pointer(1)?.object, &[number(0)? as u8])?;
                Some(number(0)? & 0xff)
            }
            "fwrite" => {
                let bytes = view?.bytes(pointer(0)?, number(1)?.checked_mul(number(2)?)?)?;
                self.emit(pointer(3)?.object, &bytes)?;
                number(2)
            }
            "write" => {
                let bytes = view?.bytes(pointer(1)?, number(2)?)?;
                // Unix numbers standard output one and standard error two.
                let file = number(0)?.checked_sub(1)?.checked_add(OUTPUT)?;
                self.emit(file, &bytes)?;
                number(2)
            }
            "fflush" | "setvbuf" | "setbuf" => Some(0),
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                self.status = Some(number(0)? as i32);
                None
            }
            "srand" => {
                self.random = number(0)? as u32;
                None
            }
            "rand" => {
                self.random = self.random.wrapping_mul(1_103_515_245).wrapping_add(12345);
                Some(u64::from(self.random >> 1))
            }
            "sprintf" | "snprintf" => {
                let (most, index) = if name == "sprintf" { (None, 1) } else { (number(1), 2) };
                return write_text(call, view?, pointer(0)?, most, &formatted(index)?);
            }
            _ => return None,
        };
        word_result(call, returned)
    }
}

/// `snprintf`: writes at most `most` bytes, the last of them zero.
fn write_text(
    call: &UnknownCall<'_>,
    view: &View<'_>,
    to: Pointer,
    most: Option<u64>,
    text: &[u8],
) -> Option<CallResult> {
    let mut result = word_result(call, Some(text.len() as u64))?;
    let room = most.map_or(text.len() + 1, |most| usize::try_from(most).unwrap_or(usize::MAX));
    if room > 0 {
        let mut bytes = text[..text.len().min(room - 1)].to_vec();
        bytes.push(0);
        let place = call.places.iter().position(|ty| *ty == Type::Bytes)?;
        result.writes.push((place, view.written(to, &bytes)?));
    }
    Some(result)
}

/// A call result of at most one word, as wide as the callee's return type.
fn word_result(call: &UnknownCall<'_>, returned: Option<u64>) -> Option<CallResult> {
    let results = match (call.results, returned) {
        ([], _) => Vec::new(),
        ([Type::Bv(width)], Some(value)) => vec![Value::Bv(Word::new(*width, value))],
        _ => return None,
    };
    Some(CallResult { results, ..CallResult::default() })
}

/// The exit status of an execution in which `main` returned.
pub fn exit_status(outcome: &Outcome) -> Option<i32> {
    let Outcome::Exit(Ending::Normal(results)) = outcome else { return None };
    match results.first() {
        Some(Some(Value::Bv(word))) => Some((word.small()? & 0xff) as i32),
        _ => None,
    }
}

impl Oracle for Host {
    fn value(&mut self, _request: &ValueRequest<'_>) -> Option<Value> {
        None
    }

    fn choose(&mut self, _site: Site, _ways: usize) -> Option<usize> {
        None
    }

    fn atom(&mut self, _site: Site, _sort: SortId, _is_fresh: &dyn Fn(u64) -> bool) -> Option<u64> {
        None
    }

    fn fails(&mut self, _site: Site, _size: u64) -> Option<bool> {
        Some(false)
    }

    fn call(&mut self, call: &UnknownCall<'_>) -> Option<CallResult> {
        let procedure = call.module.procedure(call.callee);
        self.respond(call, procedure.display.as_deref().unwrap_or(&procedure.name))
    }

    fn atoms(&self, _sort: SortId) -> Option<Arc<Vec<u64>>> {
        None
    }
}

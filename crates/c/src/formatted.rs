//! Format strings: the strings that `printf` and similar functions read are checked, although they are
//! variadic arguments.

use bitcode::{Call, Value};
use ir::{AssertKind, ExprId, Memory, Op, Type};

use crate::body::Body;

impl Body<'_, '_> {
    /// A string that a call prints by `%s` must still be live. Null is accepted too, as by most libraries.
    pub(crate) fn shows_texts(&mut self, name: &str, call: &Call, arguments: &[ExprId]) {
        let Some(position) = format_position(name) else { return };
        let Some(format) = call.arguments.get(position).and_then(|format| self.string(*format))
        else {
            return;
        };
        for number in string_arguments(&format) {
            let place = position + 1 + number;
            if let (Some(argument), Some(pointer)) =
                (call.arguments.get(place), arguments.get(place))
                && *self.exprs.ty(*pointer) == Type::Ptr
            {
                self.shows_text(*argument, *pointer);
            }
        }
    }

    fn shows_text(&mut self, argument: Value, pointer: ExprId) {
        let null = self.null();
        let is_null = self.test(Op::Eq, &[pointer, null]);
        let is_live = self.test(Op::Memory(Memory::IsLive), &[pointer]);
        let is_there = self.test(Op::Or, &[is_null, is_live]);
        let text = self.text(argument);
        let text =
            text.map_or("what is shown here".to_owned(), |text| format!("what `{text}` points to"));
        self.assert(is_there, AssertKind::UseAfterFree, format!("{text} was freed"));
    }
}

/// Which argument of a function is a format, if one is.
fn format_position(name: &str) -> Option<usize> {
    match name {
        "printf" | "printk" | "_printk" => Some(0),
        "fprintf" | "dprintf" | "sprintf" | "asprintf" | "syslog" | "__printf_chk" => Some(1),
        "snprintf" | "__fprintf_chk" => Some(2),
        "__sprintf_chk" => Some(3),
        "__snprintf_chk" => Some(4),
        _ => None,
    }
}

/// The numbers of the arguments that a format shows as texts, from zero. None if it names arguments by number.
fn string_arguments(format: &str) -> Vec<usize> {
    let (mut shown, mut number) = (Vec::new(), 0);
    let mut rest = format.chars();
    while let Some(c) = rest.next() {
        if c != '%' {
            continue;
        }
        // Flags, width, precision and length come before what is converted.
        let conversion = loop {
            match rest.next() {
                Some('*') => number += 1,
                Some('$') => return Vec::new(),
                Some('-' | '+' | ' ' | '#' | '\'' | '.' | '0'..='9') => {}
                Some('h' | 'l' | 'j' | 'z' | 't' | 'L' | 'q') => {}
                other => break other,
            }
        };
        match conversion {
            Some('%') | None => {}
            Some('s') => {
                shown.push(number);
                number += 1;
            }
            // The kernel's `%p` is followed by letters that say how, and shows many things.
            Some(_) => number += 1,
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::string_arguments;

    #[test]
    fn texts_are_counted_among_the_arguments() {
        assert_eq!(string_arguments("%s: %d%% of %-10s\n"), [0, 2]);
        assert_eq!(string_arguments("%*d %.*s %lld %s"), [3, 5]);
        assert_eq!(string_arguments("100%% sure"), Vec::<usize>::new());
        assert_eq!(string_arguments("%2$s %1$s"), Vec::<usize>::new());
        assert_eq!(string_arguments("%"), Vec::<usize>::new());
    }
}

//! Small programs, each of which once did something else in the interpreter than on the machine.

use interpret::{Inputs, Options, run};

use crate::compile::{Source, compiler};
use interpret::host::{Host, exit_status};

/// Runs a program both ways and compares its exit status.
fn check(name: &str, text: &str) {
    let compiler = compiler();
    let source = Source::new(name, text.to_owned(), &[]);
    let (_, status) = source.printed(&compiler, "-O0");
    let module = source.lowered(&compiler);
    let main = module.find_procedure("main").expect("there is a main");
    let options = Options { statics: true, ..Options::default() };
    let outcome = run(&module, main, &Inputs::default(), &mut Host::default(), &options).outcome;
    assert_eq!(exit_status(&outcome), status, "{outcome}");
}

#[test]
fn bit_fields_of_allocated_structures_are_set_one_by_one() {
    let text = "
        #include <stdlib.h>
        struct object { unsigned type : 4; unsigned encoding : 4; int count : 20; };
        static struct object *make(unsigned type, int count)
        {
            struct object *o = malloc(sizeof *o);
            o->type = type;
            o->encoding = 3;
            o->count = count;
            return o;
        }
        int main(void)
        {
            struct object *o = make(9, -5);
            return o->type * 10 + o->encoding + o->count;
        }";
    check("bit_fields_allocated", text);
}

#[test]
fn a_parameter_keeps_its_bit_fields_when_one_is_set() {
    let text = "
        struct pair { int low : 5; int high : 14; };
        static int second(struct pair p)
        {
            p.low *= 2;
            return p.high + p.low;
        }
        int main(void)
        {
            struct pair p = { 3, 40 };
            return second(p);
        }";
    check("bit_fields_parameter", text);
}

//! Closed programs that pass invalid arguments to the C library: the execution ends at the call, and the obligation
//! says why.

use interpret::host::{Host, start};
use interpret::{Options, Outcome, run};
use ir::AssertKind;

use crate::compile::{Source, compiler};

/// Runs the body of a `main`, and says what it failed at.
fn failure(name: &str, body: &str) -> Option<(AssertKind, String)> {
    let text = format!(
        "#define _GNU_SOURCE\n#include <dirent.h>\n#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
         #include <sys/stat.h>\n#include <unistd.h>\nint main(void)\n{{\n{body}\nreturn 0;\n}}\n"
    );
    let module = Source::new(&format!("misuse_{name}"), text, &["-w"]).lowered(&compiler());
    let main = module.find_procedure("main").expect("there is a main");
    let inputs = start(&module, main, &[b"program".to_vec()]).expect("one argument");
    let options = Options { statics: true, ..Options::default() };
    match run(&module, main, &inputs, &mut Host::default(), &options).outcome {
        Outcome::Failed(failure) => Some((failure.kind, failure.message)),
        Outcome::Exit(_) => None,
        other => panic!("{body} {other}"),
    }
}

macro_rules! misuses {
    ($($name:ident: $body:literal => $kind:ident, $message:literal;)*) => {
        $(#[test]
        fn $name() {
            let expected = (AssertKind::$kind, $message.to_owned());
            assert_eq!(failure(stringify!($name), $body), Some(expected));
        })*
    };
}

misuses! {
    a_line_that_was_freed: "char *s = strdup(\"line\"); free(s); puts(s);"
        => UseAfterFree, "what is passed to puts was freed";
    a_tag_without_a_zero: "char tag[4]; memcpy(tag, \"RIFF\", 4); fputs(tag, stdout);"
        => OutOfBounds, "what is passed to fputs ends without a zero";
    no_stream: "FILE *f = NULL; fgetc(f);"
        => NullDereference, "the stream passed to fgetc is null";
    no_stream_to_print_to: "FILE *f = NULL; fprintf(f, \"%d\", 3);"
        => NullDereference, "the stream passed to fprintf is null";
    a_line_longer_than_its_room: "char line[8]; fgets(line, 9, stdin);"
        => OutOfBounds, "fgets may write more than there is room for";
    records_that_overflow: "int all[4]; fread(all, sizeof all, 4, stdin);"
        => OutOfBounds, "fread may write more than there is room for";
    a_read_past_the_end: "char block[8]; read(0, block + 4, 5);"
        => OutOfBounds, "read may write more than there is room for";
    a_write_past_the_end: "char block[8] = {0}; write(1, block, 9);"
        => OutOfBounds, "write reads more than there is";
    no_path: "open(getenv == NULL ? \"a\" : NULL, O_RDONLY);"
        => NullDereference, "what is passed to open is null";
    half_a_pipe: "int end; pipe(&end);"
        => OutOfBounds, "pipe may write more than there is room for";
    a_short_structure: "char few[64]; fstat(0, (struct stat *)few);"
        => OutOfBounds, "fstat may write more than there is room for";
    a_format_with_a_width: "char text[8]; sprintf(text, \"id-%08d\", 5);"
        => OutOfBounds, "sprintf writes more than there is room for";
    a_format_that_is_long_by_itself: "char text[7]; sprintf(text, \"%s, world\", \"\");"
        => OutOfBounds, "sprintf writes more than there is room for";
    a_size_of_something_else: "char text[8]; snprintf(text, 16, \"%d\", 5);"
        => OutOfBounds, "snprintf may write more than there is room for";
    bytes_that_differ_early: "char a[4] = \"abc\", b[8] = \"xyz\"; memcmp(a, b, 8);"
        => OutOfBounds, "memcmp goes out of bounds";
    a_text_to_scan_that_was_freed: "int n; char *s = strdup(\"1\"); free(s); sscanf(s, \"%d\", &n);"
        => UseAfterFree, "what is passed to sscanf was freed";
    no_directory: "readdir(NULL);"
        => NullDereference, "the directory passed to readdir is null";
    no_room_for_a_text: "asprintf((char **)NULL, \"%d\", 3);"
        => NullDereference, "what is passed to asprintf is null";
    half_a_pointer_for_a_line: "int line; size_t n = 0; getdelim((char **)&line, &n, ':', stdin);"
        => OutOfBounds, "getdelim may write more than there is room for";
    a_fortified_copy: "char d[4]; __builtin___memcpy_chk(d, \"abcdefgh\", strlen(\"abcdefgh\"), 4);"
        => OutOfBounds, "memcpy goes out of bounds";
    a_fortified_format: "char d[4]; __builtin___sprintf_chk(d, 1, 4, \"%s, world\", \"\");"
        => OutOfBounds, "sprintf writes more than there is room for";
    a_quotient_by_zero: "div(7, strlen(\"\"));"
        => DivisionByZero, "div divides by zero";
}

#[test]
fn what_just_fits_is_silent() {
    let bodies = [
        ("sprintf", "char text[12]; sprintf(text, \"id-%08d\", 5);"),
        ("literal", "char text[8]; sprintf(text, \"%s, world\", \"\");"),
        ("precision", "char text[4]; sprintf(text, \"%.3s\", \"abcdef\");"),
        ("percent", "char text[3]; sprintf(text, \"%d%%\", 7);"),
        ("snprintf", "char text[4]; snprintf(text, sizeof text, \"%s\", \"abcdef\");"),
        ("memcmp", "char a[4] = \"abc\", b[8] = \"xyz\"; memcmp(a, b, 4);"),
        ("nothing", "memcmp(NULL, NULL, 0); write(1, NULL, 0); fwrite(NULL, 1, 0, stdout);"),
    ];
    for (name, body) in bodies {
        assert_eq!(failure(&format!("fits_{name}"), body), None, "{body}");
    }
}

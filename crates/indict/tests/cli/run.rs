//! `indict run`.

use std::fs;

use super::{directory, indict};

const COPY: &str = "\
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    char room[4];
    printf(\"%d\\n\", argc);
    strcpy(room, argv[1]);
    puts(room);
    return TIMES * 7;
}
";

#[test]
fn a_program_prints_and_ends_as_on_the_machine_or_is_stopped() {
    let directory = directory("run");
    fs::write(directory.join("copy.c"), COPY).unwrap();
    let run = |text: &str, flags: &[&str]| {
        let mut command = indict(&["run", "copy.c", "-a", text]);
        command.args(flags).current_dir(&directory);
        let output = command.env("XDG_CACHE_HOME", directory.join(".cache")).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, printed, message) = run("abc", &["--", "-DTIMES=1"]);
    assert_eq!((code, &*printed, &*message), (Some(7), "2\nabc\n", ""));
    let (code, printed, message) = run("abcd", &["--", "-DTIMES=1"]);
    assert_eq!((code, &*printed), (Some(1), "2\n"));
    let expected = "error: copy.c:7:5: strcpy copies more than there is room for (out-of-bounds)\n";
    assert_eq!(message, expected);
    let (code, _, message) = run("abc", &[]);
    assert_eq!(code, Some(2));
    assert!(message.contains("use of undeclared identifier 'TIMES'"), "{message}");
}

//! C, by way of the clang that is installed.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use super::{directory, indict, printed};

/// Divides by what it has just found to be zero if a macro says so.
const SHARE: &str = "\
int share(int whole, int parts)
{
    if (parts > 0) return 0;
#ifdef DIVIDE
    return whole / parts;
#else
    return whole & parts;
#endif
}
";

/// Runs the command line in a directory, with a cache of its own.
fn within(directory: &Path, arguments: &[&str]) -> Output {
    command(directory, arguments).output().unwrap()
}

fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = indict(arguments);
    command.current_dir(directory).env("XDG_CACHE_HOME", directory.join(".cache"));
    command
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A file with missing directories made.
fn write(directory: &Path, name: impl AsRef<OsStr>, text: impl AsRef<[u8]>) {
    let path = directory.join(Path::new(name.as_ref()));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn flags_decide_what_a_file_means() {
    let directory = directory("c_flags");
    write(&directory, "a.c", SHARE);
    let output = within(&directory, &["check", "a.c", "-v"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert!(printed(&output).contains("share"));
    let output = within(&directory, &["check", "a.c", "--", "-DDIVIDE"]);
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    assert!(printed(&output).starts_with("error[division-by-zero]: "));
    assert!(printed(&output).contains("--> a.c:"), "{}", printed(&output));
}

#[test]
fn a_directory_is_checked_with_the_flags_and_functions_of_headers_once() {
    let directory = directory("c_headers");
    write(&directory, "inc/share.h", format!("static {SHARE}"));
    for name in ["a", "b", "c"] {
        let text = format!("#include <share.h>\nint {name}(int x) {{ return share(x, 3) & 1; }}\n");
        write(&directory, format!("src/{name}.c"), text);
    }
    let arguments = ["check", "src", "-v", "--", "-Iinc"];
    let output = within(&directory, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert_eq!(printed(&output).matches("inc/share.h:1:").count(), 3 + 1, "{}", printed(&output));
    assert!(printed(&output).contains("duplicates of functions in headers"));

    let with = |jobs| {
        let arguments = ["check", "src", "-j", jobs, "--no-cache", "--", "-Iinc", "-DDIVIDE"];
        within(&directory, &arguments)
    };
    let output = with("1");
    assert_eq!(printed(&output), printed(&with("2")));
    assert_eq!(printed(&output).matches("--> inc/share.h:5").count(), 1, "{}", printed(&output));

    let allowed = "whole / parts; // indict: allow(division-by-zero) because it is a test";
    let text = format!("static {SHARE}").replace("whole / parts;", allowed);
    write(&directory, "inc/share.h", text);
    let output = with("2");
    assert!(!printed(&output).contains("suppresses nothing"), "{}", printed(&output));
    assert!(!printed(&output).contains("--> inc/share.h:5"), "{}", printed(&output));
}

#[test]
fn a_database_says_how_files_are_compiled() {
    let directory = directory("c database");
    write(&directory, "src/a b.c", SHARE);
    write(&directory, "src/b.c", SHARE.replace("share", "other"));
    write(&directory, "src/stray.c", SHARE.replace("share", "stray"));
    let here = directory.to_str().unwrap();
    let database = format!(
        r#"[
        {{"directory": "{here}/build", "file": "../src/a b.c", "command": "gcc -DDIVIDE -fconserve-stack -c '../src/a b.c'"}},
        {{"directory": "{here}/build", "file": "../src/b.c", "arguments": ["cc", "-fconserve-stack", "../src/b.c"]}},
        {{"directory": "{here}/build", "file": "missing.c", "arguments": ["cc", "missing.c"]}},
        {{"directory": "{here}/build", "file": "x.cpp", "arguments": ["c++", "x.cpp"]}}
        ]"#
    );
    write(&directory, "build/compile_commands.json", database);
    for path in ["build", "build/compile_commands.json"] {
        let output = within(&directory, &["check", "-v", "-p", path]);
        let text = printed(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("--> src/a b.c:5:"), "{text}");
        assert!(text.contains("src/b.c:1:"), "{text}");
        assert!(text.contains("entry 3 names"), "{text}");
        assert!(text.contains("1 file of C++, which is not C, left out"), "{text}");
        assert_eq!(text.matches("-fconserve-stack").count(), 1, "{text}");
    }
    let output = within(&directory, &["check", "-v", "-p", "build", "src/b.c", "src/stray.c"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("`src/stray.c` is not in build/compile_commands.json"), "{text}");
    let output = within(&directory, &["check", "-p", "build", "src"]);
    assert!(printed(&output).contains("left out, as not in build/compile_commands.json: 1 file"));

    write(&directory, "wrong.json", "{}");
    for (path, why) in [("wrong.json", "is no list of compile commands"), ("src", "cannot read")] {
        let output = within(&directory, &["check", "-p", path]);
        assert_eq!(output.status.code(), Some(2));
        assert!(errors(&output).contains(why), "{}", errors(&output));
    }
}

#[test]
fn a_build_is_captured() {
    let directory = directory("c_capture");
    write(&directory, "src/a b.c", SHARE);
    write(&directory, "src/b.c", SHARE.replace("share", "other"));
    let makefile = "all: a.o b.o\n\tcc --version > version\na.o:\n\tcc -DDIVIDE -O2 -c 'src/a b.c' -o a.o\nb.o:\n\t\
                    cd src && gcc -c b.c -o ../b.o\n";
    write(&directory, "Makefile", makefile);
    let output = within(&directory, &["capture", "--", "make", "-j2"]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert!(errors(&output).contains("2 files captured"), "{}", errors(&output));
    assert!(directory.join("a.o").exists() && directory.join("b.o").exists());
    let version = fs::read_to_string(directory.join("version")).unwrap();
    assert!(!version.is_empty() && !version.contains("indict"), "the compiler answers: {version}");
    let output = within(&directory, &["check", "-v", "-p", "compile_commands.json"]);
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    assert!(printed(&output).contains("--> src/a b.c:5:"), "{}", printed(&output));
    assert!(printed(&output).contains("src/b.c:1:"), "{}", printed(&output));

    // What is up to date is not compiled, and what is known is kept.
    let before = fs::read(directory.join("compile_commands.json")).unwrap();
    let output = within(&directory, &["capture", "--", "make"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(errors(&output).contains("no file was captured"), "{}", errors(&output));
    assert!(errors(&output).contains("CCACHE_DISABLE=1"));
    assert_eq!(fs::read(directory.join("compile_commands.json")).unwrap(), before);

    let output = within(&directory, &["capture", "-o", "x.json", "--", "sh", "-c", "exit 3"]);
    assert_eq!(output.status.code(), Some(3), "the exit code is that of the build");
    let output = within(&directory, &["capture", "--", "there-is-no-such-program"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_clang_refuses_is_reported_and_the_rest_goes_on() {
    let directory = directory("c_errors");
    write(&directory, "broken.c", "#include \"missing.h\"\n");
    write(&directory, "right.c", SHARE);
    let output = within(&directory, &["check", "broken.c", "right.c", "-v"]);
    assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
    let text = printed(&output);
    assert!(text.contains("error: clang refuses `broken.c`: 'missing.h' file not found"), "{text}");
    assert!(text.contains("--> broken.c:1:10"), "{text}");
    assert!(text.contains("right.c:1:"), "{text}");
    let output = within(&directory, &["check", ".", "--", "-DDIVIDE"]);
    assert_eq!(output.status.code(), Some(1), "findings come first: {}", printed(&output));
}

#[test]
fn without_clang_that_is_said_once() {
    let directory = directory("c_no_clang");
    write(&directory, "a.c", SHARE);
    write(&directory, "b.c", SHARE);
    write(&directory, "c.vir", "proc f()\n{\n  entry:\n    exit;\n}\n");
    let output =
        command(&directory, &["check", ".", "-v"]).env("PATH", "/nowhere").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = printed(&output);
    assert_eq!(text.matches("apt-get install clang-19").count(), 1, "{text}");
    assert!(text.contains("c.vir:1:1  f  none within bounds"), "{text}");
    let output = within(&directory, &["check", "a.c", "--clang", "make"]);
    assert!(printed(&output).contains("make is no clang"), "{}", printed(&output));
}

/// The name of the clang that is on the path.
fn clang() -> String {
    let names =
        ["clang".to_owned()].into_iter().chain((15..30).rev().map(|n| format!("clang-{n}")));
    let works = |name: &String| Command::new(name).arg("--version").output().is_ok();
    names.into_iter().find(works).expect("scripts/setup installs clang")
}

#[test]
fn bitcode_is_kept_until_something_changes() {
    let directory = directory("c_cache");
    write(&directory, "a.c", SHARE);
    let wrapper = directory.join("logging-clang");
    fs::write(&wrapper, format!("#!/bin/sh\necho \"$@\" >> log\nexec {} \"$@\"\n", clang()))
        .unwrap();
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
    let compilations = |arguments: &[&str]| {
        let _ = fs::remove_file(directory.join("log"));
        let output = within(
            &directory,
            &[&["check", "a.c", "--clang", "./logging-clang"], arguments].concat(),
        );
        assert_ne!(output.status.code(), Some(2), "{}", printed(&output));
        fs::read_to_string(directory.join("log")).unwrap().matches("-emit-llvm").count()
    };
    assert_eq!(compilations(&[]), 1);
    assert_eq!(compilations(&[]), 0);
    assert_eq!(compilations(&["--no-cache"]), 1);
    assert_eq!(compilations(&["--", "-DDIVIDE"]), 1);
    assert_eq!(compilations(&["--", "-DDIVIDE"]), 0);
    // A comment moves columns, which bitcode has.
    write(&directory, "a.c", SHARE.replace("whole & parts", "/* both */ whole & parts"));
    assert_eq!(compilations(&[]), 1);
}

#[test]
fn the_kernels_build_goes_on() {
    let directory = directory("c_kbuild");
    write(&directory, "a.c", SHARE);
    write(&directory, "inc/config.h", "#define DIVIDE 1\n");
    let flags = ["-D__linux__", "-Wbitwise", "-Wp,-MMD,./.a.o.d", "-nostdinc", "-Iinc", "-include"];
    let flags = [&flags[..], &["config.h", "-O2", "-fconserve-stack", "-c", "-o", "a.o", "a.c"]];
    let flags = flags.concat();
    let output = within(&directory, &[&["kbuild"], &flags[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert!(printed(&output).contains("--> a.c:5:"), "{}", printed(&output));
    let output = within(&directory, &[&["kbuild", "--strict"], &flags[..]].concat());
    assert_eq!(output.status.code(), Some(1));
    let output = within(&directory, &["kbuild", "-nostdinc", "a.c"]);
    assert_eq!((output.status.code(), printed(&output).trim()), (Some(0), ""));
    let output = within(&directory, &["kbuild", "-nostdinc"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(errors(&output).contains("expected one C file after the flags"), "{}", errors(&output));
}

#[test]
fn names_need_not_be_utf_8() {
    let directory = directory("c_names");
    let name = OsStr::from_bytes(b"caf\xe9 au lait.c");
    write(&directory, name, [SHARE.as_bytes(), b"// caf\xe9\n"].concat());
    let mut command = command(&directory, &["check"]);
    let output = command.arg(name).args(["--", "-DDIVIDE"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    assert!(printed(&output).contains("return whole / parts;"), "{}", printed(&output));
}

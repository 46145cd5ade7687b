//! Java: the goldens, the list procedures of paper 000, and all of it confirmed on the JVM.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{expect, folder, report};

/// The Java files of a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "java"));
    files.sort();
    assert!(!files.is_empty(), "there are files in {}", folder.display());
    files
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).expect("names are UTF-8")
}

/// What a line of the list of verdicts says before cuts, bounds and manner.
fn verdict(line: &str) -> &str {
    let line = line.split("; ").next().unwrap_or(line);
    line.split(", some executions are cut off").next().unwrap_or(line)
}

/// Compares the reports on a folder with the goldens in it, and each verdict with the method's name.
fn compare(folder: &Path, arguments: &[&str]) {
    for path in files(folder) {
        let arguments: Vec<&str> = arguments.iter().copied().chain([name(&path), "-v"]).collect();
        let text = report(folder, &arguments);
        for line in text.lines().filter(|line| line.starts_with(name(&path))) {
            let wanted = match line {
                line if line.contains("_bad ") => "findings",
                line if line.contains("_ok ") => "none within bounds",
                _ => continue,
            };
            assert!(verdict(line).ends_with(wanted), "{line}");
        }
        let (report, _) = text.split_once("\nslowest of ").unwrap_or((&text, ""));
        expect(&path.with_extension("txt"), report);
    }
}

#[test]
fn goldens() {
    compare(&folder("golden/java"), &[]);
}

/// Sequences are costly, and two objects of each class tell right from wrong.
#[test]
fn goldens_of_a_small_scope() {
    compare(&folder("golden/java-small"), &["--scope", "2", "--unroll", "2"]);
}

#[test]
fn the_list_procedures_of_paper_000() {
    compare(&folder("figures/jackson"), &["--scope", "3", "--unroll", "4"]);
}

/// Table 3 of paper 003 is about Java: nine functions with an error, five without, and no contracts.
#[test]
fn table_3_of_paper_003_has_nine_errors_and_no_others() {
    let folder = folder("figures/doomed");
    let text = report(&folder, &["NullPointers.java", "-v"]);
    for line in text.lines().filter(|line| line.starts_with("NullPointers.java")) {
        let is_wrong = line.contains(".tp") || line.contains(".itp");
        let wanted = if is_wrong { "findings" } else { "none within bounds" };
        assert!(verdict(line).ends_with(wanted), "{line}");
    }
    let (report, _) = text.split_once("\nslowest of ").unwrap_or((&text, ""));
    expect(&folder.join("NullPointers.txt"), report);
}

#[test]
fn every_finding_is_confirmed_on_the_jvm() {
    let is_there = |program: &str| Command::new(program).arg("-version").output().is_ok();
    if !is_there("javac") || !is_there("java") {
        return;
    }
    let folders = [folder("golden/java"), folder("golden/java-small"), folder("figures/jackson")];
    for path in folders.iter().flat_map(|folder| files(folder)) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_indict"));
        command.args(["check", "--replay", "--format", "json"]).arg(&path).stdin(Stdio::null());
        if path.parent().is_some_and(|folder| folder.ends_with("java-small")) {
            command.args(["--scope", "2", "--unroll", "2"]);
        }
        let output = command.output().expect("the program starts");
        let report: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("the report is JSON");
        let findings = report["findings"].as_array().expect("there are findings");
        assert!(!findings.is_empty(), "{} has findings", path.display());
        for finding in findings {
            // What comments demand on the way is nothing that Java executes.
            let detail = finding["detail"].as_str();
            let is_on_the_way =
                matches!(detail, Some("loop-invariant" | "precondition" | "progress"))
                    || finding["message"].as_str().is_some_and(|message| {
                        message.starts_with("`x > 0`") || message.contains("the loop invariant ")
                    });
            let how = finding["confirmation"]["how"].as_str();
            let is_confirmed = how == Some("confirmed-by-execution");
            assert!(is_confirmed || is_on_the_way, "{} in {finding}", path.display());
        }
        let notes = report["notes"].as_array().expect("there is a list of notes");
        assert!(notes.iter().all(|note| note["severity"] == "note"), "{notes:?}");
    }
}

/// A JUnit of two lines: the annotation, and something that runs a test and tells how it ended.
const JUNIT: [(&str, &str); 2] = [
    (
        "org/junit/jupiter/api/Test.java",
        "package org.junit.jupiter.api;\n\
         @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)\n\
         public @interface Test { }\n",
    ),
    (
        "Tests.java",
        "public class Tests { public static void main(String[] names) throws Exception {\n\
         for (String name : names) for (var test : Class.forName(name).getDeclaredMethods()) {\n\
         if (!test.isAnnotationPresent(org.junit.jupiter.api.Test.class)) continue;\n\
         test.setAccessible(true);\n\
         var made = Class.forName(name).getDeclaredConstructor(); made.setAccessible(true);\n\
         try { test.invoke(made.newInstance()); System.out.println(\"passed\"); }\n\
         catch (java.lang.reflect.InvocationTargetException e) {\n\
         System.out.println(e.getCause()); } } } }\n",
    ),
];

#[test]
fn a_junit_test_fails_until_the_code_is_mended() {
    let is_there = |program: &str| Command::new(program).arg("-version").output().is_ok();
    if !is_there("javac") || !is_there("java") {
        return;
    }
    let tests = std::env::temp_dir().join(format!("indict-junit-{}", std::process::id()));
    let source = |body: &str| {
        format!(
            "class Cell {{ Cell next; }}\nclass P {{\n  static Cell second(Cell l) {{ {body} }}\n}}\n"
        )
    };
    for (name, text) in JUNIT {
        let path = tests.join(name);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
        std::fs::write(path, text).expect("the file can be written");
    }
    let write = |body: &str| std::fs::write(tests.join("P.java"), source(body)).expect("a file");
    write("if (l != null) return l; return l.next;");
    let folder = tests.to_str().expect("the name is text");
    let text = report(&tests, &["P.java", "--emit-test", folder, "--junit"]);
    assert!(text.contains("error["), "{text}");
    let run = || {
        let started =
            |command: &mut Command| command.current_dir(&tests).output().expect("it starts");
        let files = ["P.java", "Replay1Test.java", "Tests.java", "org/junit/jupiter/api/Test.java"];
        let compiled = started(Command::new("javac").args(["-nowarn", "-d", "out"]).args(files));
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let ran = started(Command::new("java").args(["-cp", "out", "Tests", "Replay1Test"]));
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    let broken = run();
    assert!(broken.starts_with("java.lang.AssertionError: "), "{broken}");
    write("if (l == null) return l; return l.next;");
    let mended = run();
    assert!(mended.ends_with("passed\n"), "{mended}");
    std::fs::remove_dir_all(&tests).expect("it can be removed");
}

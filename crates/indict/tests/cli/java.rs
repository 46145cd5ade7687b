//! Java with classes from elsewhere: class files, archives of them, specifications, and paths that do not exist.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{directory, indict, printed};

/// A class of which only the class file is given.
const BOX: &str = "\
package p;
public class Box {
    public int value;
    public Box next;
    public int get() { return value; }
}
";

/// The error in `first` is visible only if the fields of `Box` are known; that in `second` is visible anyway.
const USER: &str = "\
import p.Box;
class User {
    //@ requires box.value == 3;
    //@ ensures \\result == 4;
    static int first(Box box) { return box.value; }
    //@ ensures \\result == x;
    static int second(int x) { if (x == 7) return 8; return x; }
    //@ ensures \\result == box.value;
    static int third(Box box) { return box.get(); }
}
";

fn within(directory: &Path, arguments: &[&str]) -> Output {
    indict(arguments).current_dir(directory).output().unwrap()
}

/// Runs a program of the JDK; nothing if there is none.
fn jdk(directory: &Path, program: &str, arguments: &[&str]) -> Option<()> {
    let output = Command::new(program).args(arguments).current_dir(directory).output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(())
}

/// A directory with `User.java`, and the class that it uses as a class file and in an archive.
fn compiled(name: &str) -> Option<PathBuf> {
    let directory = directory(name);
    fs::create_dir_all(directory.join("elsewhere")).unwrap();
    fs::write(directory.join("elsewhere/Box.java"), BOX).unwrap();
    fs::write(directory.join("User.java"), USER).unwrap();
    jdk(&directory, "javac", &["-d", "classes", "elsewhere/Box.java"])?;
    jdk(&directory, "jar", &["cf", "box.jar", "-C", "classes", "p"])?;
    Some(directory)
}

#[test]
fn signatures_come_from_class_files_and_archives() {
    let Some(directory) = compiled("java_classpath") else { return };
    for place in ["classes", "box.jar"] {
        let text =
            printed(&within(&directory, &["check", "User.java", "--classpath", place, "-v"]));
        assert!(text.contains("`\\result == 4` does not hold at exit"), "{text}");
        assert!(text.contains("Box#1 {value = 3}"), "{text}");
        assert!(!text.contains("not known here"), "{text}");
        // What the methods do is not in signatures: `get` may give anything.
        assert!(text.contains("`\\result == box.value` does not hold at exit"), "{text}");
    }
}

#[test]
fn specifications_say_what_class_files_do_not() {
    let Some(directory) = compiled("java_specs") else { return };
    fs::create_dir_all(directory.join("specs/p")).unwrap();
    let specification = "package p;\npublic class Box {\n    //@ ensures \\result == value;\n    \
                         public /*@ pure @*/ int get();\n}\n";
    fs::write(directory.join("specs/p/Box.jml"), specification).unwrap();
    let arguments = ["check", "User.java", "--classpath", "box.jar", "--specs", "specs", "-v"];
    let text = printed(&within(&directory, &arguments));
    let third = text.lines().find(|line| line.contains("User.third ")).unwrap_or_default();
    assert!(third.contains("none within bounds"), "{text}");
}

#[test]
fn places_that_are_not_there_are_reported_and_the_rest_is_checked() {
    let directory = directory("java_missing");
    fs::write(directory.join("User.java"), USER).unwrap();
    fs::write(directory.join("damaged.jar"), b"PK\x03\x04, and then nothing of use").unwrap();
    let arguments = ["--classpath", "none.jar", "--classpath", "damaged.jar", "--specs", "nowhere"];
    let arguments: Vec<&str> = ["check", "User.java"].into_iter().chain(arguments).collect();
    let output = within(&directory, &arguments);
    let text = printed(&output);
    for expected in [
        "error: there is no file or directory `none.jar`",
        "error: there is no file or directory `nowhere`",
        "error: `damaged.jar` is no archive of class files, or it is damaged",
        "`\\result == x` does not hold at exit",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert_eq!(output.status.code(), Some(1), "{text}");
}

#[test]
fn a_damaged_entry_of_a_sound_archive_is_reported_and_the_rest_is_checked() {
    let Some(directory) = compiled("java_damaged_entry") else { return };
    let mut bytes = fs::read(directory.join("box.jar")).unwrap();
    let name = b"p/Box.class";
    let entry = bytes.windows(name.len()).position(|window| window == name).unwrap();
    bytes[entry + name.len() + 40] ^= 0xff;
    fs::write(directory.join("box.jar"), bytes).unwrap();
    let output = within(&directory, &["check", "User.java", "--classpath", "box.jar"]);
    let text = printed(&output);
    for expected in [
        "error: `p/Box.class` in `box.jar` is damaged: nothing is known of the class",
        "`\\result == x` does not hold at exit",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert_eq!(output.status.code(), Some(1), "{text}");
}

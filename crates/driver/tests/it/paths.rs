//! Which files are checked.

use std::path::{Path, PathBuf};

use driver::{Exclude, MemoryFiles, gather};

use super::{RIGHT, WRONG, findings, notes, run, verdicts};

fn gathered(paths: &[&str], exclude: &Exclude) -> Vec<String> {
    let files =
        ["b.vir", "a/z.vir", "a/b/c.vir", "a.vir", "a/x.txt", "a/.hidden/h.vir", "gen/g.vir"];
    let files = MemoryFiles::new(files.map(|path| (path, "")));
    let paths: Vec<&Path> = paths.iter().map(Path::new).collect();
    let shown = |path: PathBuf| path.to_str().unwrap().to_owned();
    gather(&paths, &files, exclude).files.into_iter().map(shown).collect()
}

#[test]
fn directories_are_walked_in_order_and_files_are_checked_once() {
    let all = ["a/b/c.vir", "a/z.vir", "a.vir", "b.vir", "gen/g.vir"];
    assert_eq!(gathered(&["."], &Exclude::nothing()), all);
    assert_eq!(
        gathered(&["b.vir", "a", "a/z.vir", "./b.vir", "a/../a"], &Exclude::nothing()),
        ["b.vir", "a/b/c.vir", "a/z.vir"]
    );
}

#[test]
fn what_is_excluded_is_left_out_unless_it_is_named() {
    let exclude = |patterns: &[&str], working: &str, root: &str| {
        let patterns: Vec<String> = patterns.iter().map(ToString::to_string).collect();
        Exclude::new(&patterns, Path::new(working), Path::new(root)).unwrap()
    };
    let here = |patterns| exclude(patterns, "/work", "");
    assert_eq!(gathered(&["."], &here(&["gen", "z.vir"])), ["a/b/c.vir", "a.vir", "b.vir"]);
    assert_eq!(gathered(&["."], &here(&["a/b/", "*.vir"])), Vec::<String>::new());
    assert_eq!(gathered(&["a"], &here(&["a/**/*.vir"])), Vec::<String>::new());
    assert_eq!(gathered(&["a"], &here(&["a/*.vir"])), ["a/b/c.vir"]);
    assert_eq!(gathered(&["gen/g.vir"], &here(&["gen"])), ["gen/g.vir"]);
    assert_eq!(gathered(&["a"], &exclude(&["work/a/b"], "/work", "..")), ["a/z.vir"]);
}

#[test]
fn unsupported_files_are_counted_in_one_note() {
    let files = [
        "a.vir",
        "b.cpp",
        "c/d.md",
        "c/e.md",
        "c/f.h",
        "indict.toml",
        "c/Makefile",
        ".g/h.md",
        "i.1",
    ];
    let more = ["j.2", "k.3", "l.4"];
    let files = MemoryFiles::new(files.into_iter().chain(more).map(|path| (path, "")));
    let gathered = gather(&[Path::new("c"), Path::new(".")], &files, &Exclude::nothing());
    assert_eq!(gathered.files, [Path::new("a.vir")]);
    let messages: Vec<&str> = gathered.notes.iter().map(|note| &*note.message).collect();
    assert!(messages[0].starts_with("no supported files in `c`"), "{messages:?}");
    assert_eq!(
        messages[1],
        "skipped 8 unsupported files: .md (2), .1 (1), .2 (1), .3 (1), .4 (1) and 2 more types"
    );
}

#[test]
fn caches_and_installed_code_are_skipped_unless_they_are_named() {
    let files = ["a.vir", "target/CACHEDIR.TAG", "target/b.vir", "c/target/d.vir"];
    let files = files.into_iter().chain(["node_modules/e.vir"]);
    let files = MemoryFiles::new(files.map(|path| (path, "")));
    let gathered = |path: &str| gather(&[Path::new(path)], &files, &Exclude::nothing()).files;
    assert_eq!(gathered("."), [Path::new("a.vir"), Path::new("c/target/d.vir")]);
    assert_eq!(gathered("target"), [Path::new("target/b.vir")]);
    assert_eq!(gathered("node_modules"), [Path::new("node_modules/e.vir")]);
}

#[test]
fn one_bad_path_does_not_keep_others_from_being_checked() {
    let files = [("src/wrong.vir", WRONG), ("src/right.vir", RIGHT), ("notes/a.txt", "hello")];
    let outcome = run(files, &["missing.vir", "notes", "notes/a.txt", "src"]);
    assert_eq!(findings(&outcome), ["src/wrong.vir:4:5: assertion: x is seven"]);
    assert_eq!(verdicts(&outcome), ["right: none within bounds", "wrong: findings"]);
    assert_eq!(
        notes(&outcome),
        [
            "error: no supported files in `notes`; supported: .bpl, .c, .i, .java, .rb, .fa, .en, .co or \
             .vir",
            "note: skipped 1 unsupported file: .txt (1)",
            "error: there is no file or directory `missing.vir`",
            "error: unsupported file type `notes/a.txt`; supported: .bpl, .c, .i, .java, .bc, .rb, .fa, \
             .en, .co or .vir",
        ]
    );
}

//! `indict.toml`.

use std::path::Path;
use std::time::Duration;

use driver::{Config, MemoryFiles, NAME, Options, Registry, find};

fn parse(text: &str) -> (Config, Vec<String>) {
    let config = Config::parse(Path::new(NAME), text, &Registry::default());
    let tell = |note: &report::Note| {
        let place = note.place.as_ref().unwrap();
        format!("{}:{}: {}", place.start.line, place.start.column, note.message)
    };
    let notes = config.notes.iter().map(tell).collect();
    (config, notes)
}

#[test]
fn every_key_has_its_effect() {
    let text = "unroll = 6\ninline = 0\nscope = 5\nint-bits = 0x10\nsequence = 7\nbudget = 9\n\
                time-limit = 1.5\njobs = 2\ncertify = true\nexclude = [\"gen\"]\n\
                library = [\"concepts\"]\nmodels = [\"m\"]\nproperty = [\"p.txt\"]\n\
                sourcepath = [\"s\"]\nclasspath = [\"c.jar\"]\nspecs = [\"jml\"]\nall = true\n\
                null = \"allowed\"\nstrategy = [\"symmetry\", \"order\"]\nno-cache = true\nno-store = true\n\
                assume = [\"-tag\"]\n[rules]\nunreachable = true\ndoomed = false\n";
    let (config, notes) = parse(text);
    assert_eq!(notes, Vec::<String>::new());
    let mut options = Options::default();
    config.apply(Path::new("/"), &mut options);
    let check = options.check;
    assert_eq!((check.bounds.unroll, check.bounds.inline, check.bounds.scope), (6, 0, 5));
    assert_eq!((check.bounds.int_width, check.bounds.sequence, check.solver.conflicts), (16, 7, 9));
    assert_eq!(
        (check.solver.time, check.solver.certify),
        (Some(Duration::from_millis(1500)), true)
    );
    assert_eq!(options.jobs.map(usize::from), Some(2));
    assert_eq!(options.libraries, [Path::new("concepts")]);
    assert_eq!((options.models, config.properties()), (vec!["m".into()], vec!["p.txt".into()]));
    let classes = options.classes;
    assert_eq!((classes.sources, classes.class_files), (vec!["s".into()], vec!["c.jar".into()]));
    assert_eq!(classes.specifications, [Path::new("jml")]);
    assert_eq!((check.policy.others, classes.nullness), (100, driver::Nullness::Nullable));
    assert_eq!(check.strategy, driver::Strategy::named(&["symmetry", "order"]));
    assert!(config.no_cache);
    let tag = driver::ASSUMPTIONS.iter().find(|one| one.name == "tag").unwrap();
    assert!(!check.policy.assumptions.has(tag));
    assert!(Options::default().check.policy.assumptions.has(tag));
    let given = text.lines().filter_map(|line| line.split_once(" = ")).map(|(key, _)| key);
    let given: Vec<&str> = given.collect();
    let missing = driver::KEYS.iter().filter(|key| **key != "rules" && !given.contains(key));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&&str>::new(), "every key is tested");
    assert!(options.rules.has("unreachable") && !options.rules.has("doomed"));
    assert!(options.rules.has("assertion"));
}

#[test]
fn paths_are_relative_to_the_file_and_scopes_may_differ() {
    let text = "models = [\"m\"]\nproperty = [\"p.txt\"]\nscope = \"2,Node=5\"\n";
    let config = Config::parse(Path::new("../indict.toml"), text, &Registry::default());
    assert_eq!(config.notes, []);
    let mut options = Options::default();
    options.check.bounds.scopes.push(("Node".to_owned(), 7));
    config.apply(Path::new("/a/b"), &mut options);
    assert_eq!(options.models, [Path::new("../m")]);
    assert_eq!(config.properties(), [Path::new("../p.txt")]);
    assert_eq!(
        (options.check.bounds.scope, options.check.bounds.scopes),
        (2, vec![("Node".to_owned(), 5)])
    );
}

#[test]
fn what_is_not_said_is_left_alone() {
    let mut options = Options::default();
    parse("unroll = 6").0.apply(Path::new("/"), &mut options);
    let mut expected = Options::default().check;
    expected.bounds.unroll = 6;
    assert_eq!((options.check, options.rules), (expected, driver::Rules::default()));
}

#[test]
fn all_faults_are_reported_with_place_and_nearest_name_and_the_rest_holds() {
    let text = "unrol = 3\nscope = 100\ninline = \"x\"\nsequence = 2\ntime-limit = 0\ncolour = 1\n\
                exclude = [\"a\", 3, \"b[\"]\n[rules]\nnull-deref = true\ndoomed = 1\n";
    let (config, notes) = parse(text);
    assert_eq!(
        notes,
        [
            "1:1: unknown key `unrol`; did you mean `unroll`?",
            "2:9: expected a whole number from 0 to 64",
            "3:10: expected a whole number from 0 to 100",
            "5:14: expected a number of seconds from 0.001 to 1000000000",
            "6:1: unknown key `colour`",
            "7:17: expected a string",
            "7:20: invalid pattern `b[`: unclosed character class; missing ']'",
            "9:1: there is no rule `null-deref`; did you mean `null-dereference`?",
            "10:10: expected true or false",
        ]
    );
    assert_eq!(config.settings.sequence, Some(2));
    assert_eq!(config.exclude, ["a"]);
}

#[test]
fn what_is_no_toml_sets_nothing() {
    let (config, notes) = parse("sequence = 2\nunroll = = 3\n");
    assert!(notes[0].starts_with("2:10: "), "{notes:?}");
    assert_eq!(config.settings, driver::Settings::default());
}

#[test]
fn the_nearest_configuration_above_is_found() {
    let found = |path: &str, working: &str| {
        find(&MemoryFiles::new([(path, "")]), Path::new(working))
            .map(|path| path.display().to_string())
    };
    assert_eq!(found("indict.toml", "/a/b"), Some("indict.toml".to_owned()));
    assert_eq!(found("../../indict.toml", "/a/b"), Some("../../indict.toml".to_owned()));
    assert_eq!(found("../../indict.toml", "/a"), None);
}

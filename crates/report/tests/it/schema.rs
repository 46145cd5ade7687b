//! SARIF output against the official schema.
//!
//! The schema is OASIS's, and we keep no copy. The crate `serde-sarif` ships one. `Cargo.toml` names it
//! as a dependency that no platform builds: cargo fetches it with the others and knows where it is.

mod validate;

use std::path::PathBuf;
use std::process::Command;

use report::{Report, Sources, sarif};
use serde_json::Value;

use crate::{properties, sample};

fn official_schema() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let metadata = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--quiet"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&metadata.stdout)
        .expect("cargo knows the packages; without a network, run `cargo fetch` first");
    let packages = metadata["packages"].as_array().expect("packages are a list");
    let package = packages.iter().find(|p| p["name"] == "serde-sarif").expect("it is a dependency");
    let manifest = PathBuf::from(package["manifest_path"].as_str().expect("a path is a string"));
    let schema = std::fs::read(manifest.with_file_name("src").join("schema.json"));
    serde_json::from_slice(&schema.expect("the crate ships the schema")).expect("a schema is JSON")
}

fn log(report: &Report, sources: &dyn Sources) -> Value {
    let mut out = Vec::new();
    sarif::render(report, &sample::tool(), sources, &mut out).expect("memory is enough");
    serde_json::from_slice(&out).expect("SARIF is JSON")
}

#[test]
fn sarif_is_valid() {
    let schema = official_schema();
    let check = |log: &Value| {
        assert_eq!(validate::validate(&schema, log), [""; 0], "{log:#}");
    };
    check(&log(&sample::report(), &sample::sources()));
    let mut random = fastrand::Rng::with_seed(21);
    for _ in 0..500 {
        let sources = properties::sources(&mut random);
        check(&log(&properties::report(&mut random), &sources));
    }
}

#[test]
fn the_validator_finds_faults() {
    let schema = official_schema();
    let log = log(&sample::report(), &sample::sources());
    for (pointer, wrong) in [
        ("/version", Value::from("2.0")),
        ("/runs/0/results/0/message", Value::Object(serde_json::Map::new())),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", Value::from(0)),
        ("/runs/0/results/0/level", Value::from("fatal")),
        ("/runs/0/artifacts/0/location/uri", Value::from("a b")),
        ("/runs/0/tool/driver/rules/1", log["runs"][0]["tool"]["driver"]["rules"][0].clone()),
        ("/runs/0/columnKind", Value::Null),
    ] {
        let mut broken = log.clone();
        *broken.pointer_mut(pointer).expect("the log has this") = wrong;
        assert_ne!(validate::validate(&schema, &broken), [""; 0], "{pointer}");
    }
}

/// What the schema cannot say: indices point at what they should, columns are in UTF-16.
#[test]
fn indices_and_columns_are_right() {
    let log = log(&sample::report(), &sample::sources());
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules are a list");
    for result in run["results"].as_array().expect("results are a list") {
        let rule = result["ruleIndex"].as_u64().map(|i| &rules[usize::try_from(i).expect("small")]);
        let id = rule.map_or("division-by-zero", |rule| rule["id"].as_str().expect("a name"));
        assert_eq!(result["ruleId"], id);
        let artifact = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        let index = artifact["index"].as_u64().expect("an artifact has an index");
        let listed = &run["artifacts"][usize::try_from(index).expect("small")]["location"];
        assert_eq!(listed["uri"], artifact["uri"]);
    }
    let negative = &run["results"][0]["relatedLocations"][0]["physicalLocation"]["region"];
    assert_eq!(negative["startColumn"], 39, "the wide characters before it are one unit each");
}

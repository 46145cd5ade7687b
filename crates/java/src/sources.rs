//! Other files: whoever lowers a file says where the classes it mentions may be found.

use std::collections::BTreeSet;

use crate::faults::Faults;
use crate::read;
use crate::resolve::File;
use crate::syntax::{TypeDecl, TypeRef, TypeRefKind, Unit};

/// Where the sources of classes come from.
pub trait Sources {
    /// The path and the text of the file that declares a class, by its full name, if it can be had.
    fn find(&self, name: &str) -> Option<(String, String)>;
}

/// There are no other files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSources;

impl Sources for NoSources {
    fn find(&self, _: &str) -> Option<(String, String)> {
        None
    }
}

/// So many other files are read at most.
const MOST: usize = 64;

/// A file that another mentions.
pub(crate) struct Other {
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) file: File,
}

/// The files of the classes that a file mentions, and of those that these descend from.
pub(crate) fn mentioned(text: &str, unit: &Unit, sources: &dyn Sources) -> Vec<Other> {
    let mut asked = BTreeSet::new();
    let mut found: Vec<Other> = Vec::new();
    let mut open: Vec<(Vec<String>, String, Vec<String>)> =
        vec![(words(text), unit.package.clone(), unit.imports.clone())];
    while let Some((names, package, imports)) = open.pop() {
        for name in names {
            if found.len() == MOST {
                return found;
            }
            for full in candidates(&name, &package, &imports) {
                if !asked.insert(full.clone()) {
                    continue;
                }
                let Some((path, text)) = sources.find(&full) else { continue };
                let unit = read::read(&text, &mut Faults::default());
                let above = unit.types.iter().flat_map(descends_from).collect();
                open.push((above, unit.package.clone(), unit.imports.clone()));
                found.push(Other { path, text, file: File { unit, is_library: true } });
                break;
            }
        }
    }
    found
}

/// The words that may be names of classes, each once.
fn words(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let words = text.split(|c: char| !is_part(c));
    let words = words.filter(|word| word.starts_with(|c: char| c.is_uppercase()));
    let words: BTreeSet<String> = words.map(str::to_owned).collect();
    words.into_iter().collect()
}

/// The classes that a class and those within it extend and implement.
fn descends_from(decl: &TypeDecl) -> Vec<String> {
    let name = |ty: &TypeRef| match &ty.kind {
        TypeRefKind::Named(name, _) => Some(name.split('.').next().unwrap_or("").to_owned()),
        TypeRefKind::Array(_) => None,
    };
    decl.extends.iter().chain(&decl.implements).filter_map(name).collect()
}

/// The full names that a simple name may stand for, in the order in which Java tries them.
fn candidates(name: &str, package: &str, imports: &[String]) -> Vec<String> {
    let qualified = |package: &str| match package {
        "" => name.to_owned(),
        package => format!("{package}.{name}"),
    };
    let imported = imports.iter().filter(|import| import.rsplit('.').next() == Some(name));
    let stars = imports.iter().filter_map(|import| import.strip_suffix(".*")).map(qualified);
    imported.cloned().chain([qualified(package)]).chain(stars).collect()
}

#[cfg(test)]
mod tests {
    use super::{Sources, mentioned};
    use crate::faults::Faults;

    struct Two;

    impl Sources for Two {
        fn find(&self, name: &str) -> Option<(String, String)> {
            let text = match name {
                "p.Node" => "package p; class Node extends Base { }",
                "p.Base" => "package p; class Base { int x; }",
                _ => return None,
            };
            Some((format!("{name}.java"), text.to_owned()))
        }
    }

    #[test]
    fn classes_are_found_with_what_they_descend_from() {
        let text = "package p; class A { Node n; }";
        let unit = crate::read::read(text, &mut Faults::default());
        let found = mentioned(text, &unit, &Two);
        let paths: Vec<&str> = found.iter().map(|other| other.path.as_str()).collect();
        assert_eq!(paths, ["p.Node.java", "p.Base.java"]);
    }
}

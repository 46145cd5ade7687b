//! Other files: the caller of lowering provides the files of the classes that a file mentions.

use std::collections::BTreeSet;

use crate::diagnostics::Diagnostics;
use crate::limits::READ_SOURCES;
use crate::merge;
use crate::read;
use crate::syntax::{TypeDecl, TypeRef, TypeRefKind, Unit};

/// Where the sources of classes come from.
pub trait Sources {
    /// The path and the text of the file that declares a class, by its full name, if it can be had.
    fn find(&self, name: &str) -> Option<(String, String)>;

    /// The path and the text of a file with the specification of a class, by its full name, if there is one.
    fn specification(&self, name: &str) -> Option<(String, String)> {
        let _ = name;
        None
    }

    /// The default nullness of references.
    fn nullness(&self) -> Nullness {
        Nullness::AsSpecified
    }
}

/// The default nullness of references.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Nullness {
    /// As JML has it: not null in classes with JML, unless these say so; null elsewhere.
    #[default]
    AsSpecified,
    /// Null, whatever a class has.
    Nullable,
    /// Not null, whatever a class has.
    NonNull,
}

/// There are no other files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSources;

impl Sources for NoSources {
    fn find(&self, _: &str) -> Option<(String, String)> {
        None
    }
}

/// A file that another mentions, and that of its specification.
pub(crate) struct ReferencedFile {
    pub(crate) source: PathAndText,
    pub(crate) specification: Option<PathAndText>,
    pub(crate) unit: Unit,
}

/// A path and what is in the file.
pub(crate) type PathAndText = (String, String);

/// The files of the classes that a file mentions, and of those that these descend from. Some classes are
/// better known without their source.
pub(crate) fn mentioned_files(
    text: &str,
    unit: &Unit,
    is_known: &dyn Fn(&str) -> bool,
    sources: &dyn Sources,
) -> Vec<ReferencedFile> {
    let mut asked: BTreeSet<String> = full_names(unit).collect();
    let mut found: Vec<ReferencedFile> = Vec::new();
    let mut open: Vec<(Vec<String>, String, Vec<String>)> =
        vec![(words(text), unit.package.clone(), unit.imports.clone())];
    while let Some((names, package, imports)) = open.pop() {
        for name in names {
            if found.len() == READ_SOURCES {
                return found;
            }
            for full in candidates(&name, &package, &imports) {
                if !asked.insert(full.clone()) {
                    continue;
                }
                let source = sources.find(&full).filter(|_| !is_known(&full));
                let specification = sources.specification(&full);
                let (source, specification) = match (source, specification) {
                    (Some(source), specification) => (source, specification),
                    // Without its source, a class is described by its specification alone.
                    (None, Some(specification)) => (specification, None),
                    (None, None) => continue,
                };
                let mut unit = read::read(&source.1, &mut Diagnostics::default());
                specify(&mut unit, specification.as_ref(), &mut Diagnostics::default());
                let above = unit.types.iter().flat_map(descends_from).collect();
                open.push((above, unit.package.clone(), unit.imports.clone()));
                found.push(ReferencedFile { source, specification, unit });
                break;
            }
        }
    }
    found
}

/// The specification of the classes of a file that stands in another.
pub(crate) fn specification(unit: &Unit, sources: &dyn Sources) -> Option<PathAndText> {
    full_names(unit).find_map(|full| sources.specification(&full))
}

/// The names of what a file declares, with that of its package.
fn full_names(unit: &Unit) -> impl Iterator<Item = String> {
    unit.types.iter().map(|decl| match unit.package.as_str() {
        "" => decl.name.name.clone(),
        package => format!("{package}.{}", decl.name.name),
    })
}

/// Adds a specification to the declarations that it specifies.
pub(crate) fn specify(
    unit: &mut Unit,
    specification: Option<&PathAndText>,
    diagnostics: &mut Diagnostics,
) {
    if let Some((_, text)) = specification {
        let was = std::mem::replace(&mut diagnostics.is_behind, true);
        let specification = read::read(text, diagnostics);
        diagnostics.is_behind = was;
        unit.imports.extend(specification.imports.iter().cloned());
        merge::merge(unit, specification, diagnostics);
    }
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

/// The full names that a simple name may denote, in Java's order.
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
    use super::{Sources, mentioned_files};
    use crate::diagnostics::Diagnostics;

    struct Two;

    impl Sources for Two {
        fn find(&self, name: &str) -> Option<(String, String)> {
            let text = match name {
                "p.A" => "package p; class A { }",
                "p.Node" => "package p; class Node extends Base { }",
                "p.Base" => "package p; class Base { int x; }",
                _ => return None,
            };
            Some((format!("{name}.java"), text.to_owned()))
        }
    }

    #[test]
    fn other_classes_are_found_with_what_they_descend_from() {
        let text = "package p; class A { Node n; }";
        let unit = crate::read::read(text, &mut Diagnostics::default());
        let found = mentioned_files(text, &unit, &|_| false, &Two);
        let paths: Vec<&str> = found.iter().map(|other| other.source.0.as_str()).collect();
        assert_eq!(paths, ["p.Node.java", "p.Base.java"]);
    }
}

//! Places as SARIF locations: artifacts by index, percent-encoded URIs, columns in UTF-16.

use std::collections::BTreeMap;

use super::schema::{Artifact, ArtifactLocation, Location, PhysicalLocation, Region};
use crate::sources::Library;
use crate::{LineIndex, Place, Position};

/// The base of relative URIs, by the name that services know.
pub(super) const BASE: &str = "%SRCROOT%";

/// The files of a run, numbered by path.
pub(super) struct Artifacts<'a> {
    library: &'a Library<'a>,
    /// The base directory of relative paths.
    root: Option<&'a str>,
    indices: BTreeMap<&'a str, usize>,
}

impl<'a> Artifacts<'a> {
    /// Numbers the files that the places mention.
    pub(super) fn new(
        library: &'a Library<'a>,
        root: Option<&'a str>,
        places: impl Iterator<Item = &'a Place>,
    ) -> Self {
        let mut indices: BTreeMap<&str, usize> =
            places.map(|place| (place.path.as_str(), 0)).collect();
        for (i, index) in indices.values_mut().enumerate() {
            *index = i;
        }
        Self { library, root, indices }
    }

    /// The list of all files.
    pub(super) fn list(&self) -> Vec<Artifact> {
        self.indices.keys().map(|path| Artifact { location: self.artifact(path) }).collect()
    }

    /// A place as a location without a message.
    pub(super) fn locate(&self, place: &Place) -> Location {
        let region = region(place, self.library.file(&place.path));
        let artifact_location = self.artifact(&place.path);
        Location {
            id: None,
            physical_location: PhysicalLocation { artifact_location, region },
            logical_locations: Vec::new(),
            message: None,
        }
    }

    fn artifact(&self, path: &str) -> ArtifactLocation {
        let uri = uri(within(self.root, path));
        let uri_base_id = Some(BASE).filter(|_| !uri.starts_with("file://"));
        ArtifactLocation { uri, uri_base_id, index: self.indices[path] }
    }
}

/// A region in UTF-16 columns. They can only be computed from the text; without it the region is the
/// whole line, which is what the absence of columns means.
fn region(place: &Place, file: Option<&LineIndex<'_>>) -> Region {
    let start_line = place.start.line.max(1);
    let column = |position: Position| {
        let line = file?.line(position.line)?;
        let before = (position.column as usize).saturating_sub(1);
        Some(line.chars().take(before).map(char::len_utf16).sum::<usize>() + 1)
    };
    let whole_line = Region { start_line, start_column: None, end_line: None, end_column: None };
    let Some(start_column) = column(place.start) else { return whole_line };
    match column(place.end) {
        Some(end_column) if (place.end.line, end_column) >= (start_line, start_column) => Region {
            start_line,
            start_column: Some(start_column),
            end_line: Some(place.end.line),
            end_column: Some(end_column),
        },
        // An end before the start, or beyond the file, is ignored.
        Some(_) | None => Region { start_column: Some(start_column), ..whole_line },
    }
}

/// A path as it is seen from a directory, if it is below.
fn within<'p>(root: Option<&str>, path: &'p str) -> &'p str {
    let below = |root: &str| path.strip_prefix(root.trim_end_matches('/'))?.strip_prefix('/');
    root.and_then(below).unwrap_or(path)
}

/// A path as a URI reference: relative stays relative, absolute becomes `file://`.
pub(super) fn uri(path: &str) -> String {
    let relative = path.trim_start_matches("./");
    let path = if relative.starts_with('/') { path } else { relative };
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::{region, uri, within};
    use crate::{LineIndex, Place, Position};

    #[test]
    fn uris_are_percent_encoded_and_stay_relative() {
        assert_eq!(uri("src/list.c"), "src/list.c");
        assert_eq!(uri("./a b/ü%.c"), "a%20b/%C3%BC%25.c");
        assert_eq!(uri("c:odd.c"), "c%3Aodd.c", "no scheme");
        assert_eq!(uri("/usr/include/a.h"), "file:///usr/include/a.h");
        assert_eq!(uri("..//x"), "..//x");
    }

    #[test]
    fn paths_below_the_root_are_relative() {
        assert_eq!(within(Some("/home/user"), "/home/user/src/a.c"), "src/a.c");
        assert_eq!(within(Some("/home/user/"), "/home/user/a.c"), "a.c");
        assert_eq!(within(Some("/home/user"), "/home/users/a.c"), "/home/users/a.c");
        assert_eq!(within(Some("/home/user"), "src/a.c"), "src/a.c");
        assert_eq!(within(None, "/a.c"), "/a.c");
    }

    #[test]
    fn columns_count_utf16_units() {
        let index = LineIndex::new("x\n/* 😀é */ *p;\n");
        let place = Place::of_offsets("a.c", &index, 15, 17);
        assert_eq!((place.start.column, place.end.column), (10, 12));
        let region = region(&place, Some(&index));
        assert_eq!(
            (region.start_line, region.start_column, region.end_column),
            (2, Some(11), Some(13))
        );
    }

    #[test]
    fn a_place_without_text_is_a_whole_line() {
        let position = Position { line: 0, column: 0, offset: 0 };
        let place = Place { path: "gone.c".into(), start: position, end: position };
        let region = region(&place, None);
        assert_eq!((region.start_line, region.start_column, region.end_line), (1, None, None));
    }
}

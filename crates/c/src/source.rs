//! Source locations: from the line and column in the debug information to bytes of a file.
//!
//! Debug information says where something begins. Its end is found in the text, if that is available: a name
//! with its call or index, a keyword with its condition or up to the semicolon, or an operator. Without the
//! text the range is empty, and lines are ruled ([`ir::RULED`]).

use bitcode::{DebugNode, MetadataId};
use ir::{FileId, SourceFile, Span};
use rustc_hash::FxHashMap;

use crate::Sources;
use crate::condition;
use crate::limits::TOKEN_SEARCH;
use crate::macros::Callable;

/// The source files of a module.
pub(crate) struct Files<'m> {
    source: &'m bitcode::Module,
    sources: &'m dyn Sources,
    files: Vec<SourceFile>,
    texts: Vec<Option<SourceText<'m>>>,
    by_path: FxHashMap<String, FileId>,
    /// The file and the subprogram of a scope.
    scopes: FxHashMap<MetadataId, (FileId, Option<MetadataId>)>,
    /// Made when it is first needed.
    callable: Option<Callable<'m>>,
}

struct SourceText<'m> {
    text: &'m str,
    /// Where each line begins.
    lines: Vec<u32>,
}

impl<'m> Files<'m> {
    pub(crate) fn new(source: &'m bitcode::Module, sources: &'m dyn Sources) -> Files<'m> {
        let mut files = Files {
            source,
            sources,
            files: Vec::new(),
            texts: Vec::new(),
            by_path: FxHashMap::default(),
            scopes: FxHashMap::default(),
            callable: None,
        };
        let unit = source.metadata.iter().find_map(|(id, node)| match node {
            DebugNode::CompileUnit(_) => Some(id),
            _ => None,
        });
        match unit.and_then(|unit| source.metadata.file_of(unit)) {
            Some(file) => files.add_node(file),
            None => files.add(source.source_file.clone(), None),
        };
        files
    }

    /// The models that the provider of the sources adds.
    pub(crate) fn models(&self) -> &'m [crate::Models] {
        self.sources.models()
    }

    /// Whether values must be set before they are read.
    pub(crate) fn asserts_set(&self) -> bool {
        self.sources.asserts_set()
    }

    pub(crate) fn into_files(self) -> Vec<SourceFile> {
        self.files
    }

    /// The file of that path, whose text may be found under another.
    fn add(&mut self, path: String, whole: Option<String>) -> FileId {
        if let Some(id) = self.by_path.get(&path) {
            return *id;
        }
        let sources = self.sources;
        let mut shown = path.clone();
        let text = sources.text(&path).or_else(|| {
            let whole = whole?;
            let text = sources.text(&whole)?;
            shown = whole;
            Some(text)
        });
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile { path: shown });
        // Spans count bytes in 32 bits.
        self.texts.push(text.filter(|text| u32::try_from(text.len()).is_ok()).map(|text| {
            let ends = text.bytes().zip(1..).filter(|(byte, _)| *byte == b'\n');
            let lines = std::iter::once(0).chain(ends.map(|(_, next)| next)).collect();
            SourceText { text, lines }
        }));
        self.by_path.insert(path, id);
        id
    }

    fn add_node(&mut self, file: &bitcode::File) -> FileId {
        let metadata = &self.source.metadata;
        let name = metadata.text(file.name).to_owned();
        self.add(name, Some(metadata.path(file)))
    }

    /// The file of a scope, and the subprogram it is in.
    pub(crate) fn scope(&mut self, scope: MetadataId) -> (FileId, Option<MetadataId>) {
        if let Some(found) = self.scopes.get(&scope) {
            return *found;
        }
        let metadata = &self.source.metadata;
        let file = metadata.file_of(scope).map_or(FileId(0), |file| self.add_node(file));
        let found = (file, metadata.subprogram_of(scope));
        self.scopes.insert(scope, found);
        found
    }

    /// The stretch of text that begins at a line and column, both from one.
    pub(crate) fn span(&self, file: FileId, line: u32, column: u32) -> Span {
        let Some(text) = &self.texts[file.0 as usize] else { return ruled(file, line, column) };
        let start = text.start(line, column);
        let end = start + extent(&text.text.as_bytes()[start..]);
        Span { file, start: start as u32, end: end as u32 }
    }

    /// Whether the text of a file can be read.
    pub(crate) fn has_text(&self, file: FileId) -> bool {
        self.texts[file.0 as usize].is_some()
    }

    /// Whether a stretch of text is the use of a macro.
    pub(crate) fn is_macro(&mut self, span: Span) -> bool {
        let Some(text) = &self.texts[span.file.0 as usize] else { return false };
        let written = text.text.get(span.start as usize..span.end as usize).unwrap_or("");
        let source = self.source;
        self.callable.get_or_insert_with(|| Callable::new(source)).is_macro(written)
    }

    /// The condition of a branch at this location.
    pub(crate) fn condition(&self, span: Span) -> Span {
        let text = self.texts.get(span.file.0 as usize).and_then(Option::as_ref);
        let found = text.and_then(|text| condition::asked(text.text, span.start as usize));
        found.map_or(span, |part| Span { start: part.start as u32, end: part.end as u32, ..span })
    }

    /// Whether a stretch of text is one negation.
    pub(crate) fn is_negation(&self, span: Span) -> bool {
        let text = self.texts.get(span.file.0 as usize).and_then(Option::as_ref);
        let text = text.and_then(|text| text.text.get(span.start as usize..span.end as usize));
        text.is_some_and(condition::is_negation)
    }

    /// The name where it first stands on a line, or the start of the line.
    pub(crate) fn name_on(&self, file: FileId, line: u32, name: &str) -> Span {
        let Some(text) = &self.texts[file.0 as usize] else { return ruled(file, line, 1) };
        let start = text.start(line, 1);
        let rest = &text.text[start..];
        let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let found = rest.find(name).map_or(start, |at| start + at);
        let end = if found > start || rest.starts_with(name) { found + name.len() } else { found };
        Span { file, start: found as u32, end: end as u32 }
    }
}

/// A line and column, both from one, of a file without text. It is one byte long: an empty range at the very
/// beginning means no location at all.
fn ruled(file: FileId, line: u32, column: u32) -> Span {
    let (bytes, columns) = (ir::RULED.get(), ir::RULED.get() - 2);
    let column = column.saturating_sub(1).min(columns);
    // The last line that has an offset represents all below.
    let start = line.saturating_sub(1).min(u32::MAX / bytes - 1) * bytes + column;
    Span { file, start, end: start + 1 }
}

impl SourceText<'_> {
    fn start(&self, line: u32, column: u32) -> usize {
        let line = (line as usize).saturating_sub(1);
        let Some(&begin) = self.lines.get(line) else { return self.text.len() };
        let end = self.lines.get(line + 1).map_or(self.text.len(), |&next| next as usize - 1);
        let mut start = (begin as usize + (column as usize).saturating_sub(1)).min(end);
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        start
    }
}

/// How many bytes belong to what begins a text.
fn extent(text: &[u8]) -> usize {
    let text = &text[..text.len().min(TOKEN_SEARCH)];
    let name = text.iter().take_while(|byte| is_name(**byte)).count();
    match &text[..name] {
        b"return" | b"goto" | b"break" | b"continue" => {
            text.iter().position(|byte| *byte == b';').unwrap_or(name)
        }
        b"" => operator(text),
        _ => {
            let mut end = name;
            loop {
                let space = text[end..].iter().take_while(|byte| **byte == b' ').count();
                match text.get(end + space) {
                    Some(b'(' | b'[') => match closing(&text[end + space..]) {
                        Some(length) => end += space + length,
                        None => return end,
                    },
                    Some(b'.' | b'-') => match member(&text[end..]) {
                        0 => return end,
                        length => end += length,
                    },
                    _ => return end,
                }
            }
        }
    }
}

/// How many bytes belong to `.name` or `->name`.
fn member(text: &[u8]) -> usize {
    let dot = if text.starts_with(b"->") { 2 } else { 1 };
    let is_member = text.starts_with(b"->") || text.starts_with(b".");
    let name = text.iter().skip(dot).take_while(|byte| is_name(**byte)).count();
    if is_member && name > 0 { dot + name } else { 0 }
}

fn operator(text: &[u8]) -> usize {
    match text.first() {
        Some(b'"') => {
            let end = text[1..].iter().position(|byte| *byte == b'"' || *byte == b'\n');
            end.map_or(1, |end| end + 2)
        }
        Some(b'(' | b'[' | b'{') => closing(text).unwrap_or(1),
        Some(first) if first.is_ascii_punctuation() => {
            let more = text[1..].iter().take(2);
            1 + more.take_while(|byte| b"=<>&|+-".contains(byte)).count()
        }
        _ => 0,
    }
}

/// How far it is to behind the bracket that closes the first.
fn closing(text: &[u8]) -> Option<usize> {
    let mut depth = 0;
    for (position, byte) in text.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b';' if depth == 0 => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(position + 1);
        }
    }
    None
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::extent;

    #[track_caller]
    fn check(text: &str, extends_to: &str) {
        assert_eq!(&text[..extent(text.as_bytes())], extends_to);
    }

    #[test]
    fn where_things_end() {
        check("p->next->value + 1;", "p->next->value");
        check("f(a, (b))[1] = 3;", "f(a, (b))[1]");
        check("return a + f(b);\n}", "return a + f(b)");
        check("if (x > 3) y();", "if (x > 3)");
        check("+ b;", "+");
        check("<<= 3;", "<<=");
        check("->x;", "->");
        check("f(a;", "f");
        check("\"text\", x", "\"text\"");
        check("", "");
    }
}

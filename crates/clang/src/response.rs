//! Response files: an argument `@path` is replaced by the words of a file, as gcc and clang read it.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;

use crate::limits::RESPONSE_FILES;

/// The arguments with those of response files in their places. One that cannot be read is left as it is,
/// as the compilers do.
pub(crate) fn expand(arguments: &[OsString], directory: &Path) -> Vec<OsString> {
    let mut all = Vec::with_capacity(arguments.len());
    add(arguments, directory, RESPONSE_FILES, &mut all);
    all
}

fn add(arguments: &[OsString], directory: &Path, depth: u32, all: &mut Vec<OsString>) {
    for argument in arguments {
        let path = argument.as_bytes().strip_prefix(b"@").filter(|_| depth > 0);
        let text = path.map(|path| OsString::from_vec(path.to_vec()));
        match text.and_then(|path| std::fs::read(directory.join(path)).ok()) {
            Some(text) => add(&words(&text), directory, depth - 1, all),
            None => all.push(argument.clone()),
        }
    }
}

/// The words of a response file: between blanks, with quotes of both kinds and backslashes.
fn words(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', _) => word.get_or_insert_default().extend(bytes.next()),
            (byte, Some(open)) if byte == open => quote = None,
            (b'"' | b'\'', None) => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (byte, None) if byte.is_ascii_whitespace() => words.extend(word.take()),
            (byte, _) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stand_for_their_words() {
        let directory =
            std::env::temp_dir().join(format!("indict-response-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join("inner"), "-DB='x y'\n").unwrap();
        std::fs::write(directory.join("outer"), "-DA=\\\"q\\\" @inner \"-I a\"\t@itself").unwrap();
        std::fs::write(directory.join("itself"), "@itself").unwrap();
        let arguments = ["-c", "@outer", "@missing"].map(OsString::from);
        let expanded = expand(&arguments, &directory);
        assert_eq!(expanded, ["-c", "-DA=\"q\"", "-DB=x y", "-I a", "@itself", "@missing"]);
        std::fs::remove_dir_all(&directory).unwrap();
    }
}

//! Why a file could not be decoded, in a sentence a user can act on.

use std::fmt;

/// The reason a file could not be decoded.
///
/// Offsets count bytes from the start of the bitcode proper, after any wrapper header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The bytes do not begin with a bitcode magic number.
    NotBitcode,
    /// The file ends, or one of its blocks ends, in the middle of an item.
    Truncated {
        /// Where the missing bytes were expected.
        byte: usize,
    },
    /// The bitstream is well formed so far but its content contradicts itself.
    Malformed {
        /// Where the contradiction was noticed.
        byte: usize,
        /// The error, as a noun phrase.
        what: &'static str,
    },
    /// A record that this decoder does not know, from an older or newer LLVM.
    Unsupported {
        /// Where the record ends.
        byte: usize,
        /// The kind of block that holds the record.
        block: &'static str,
        /// The record's code.
        code: u32,
        /// Who wrote the file, such as `LLVM19.1.7`; empty if it does not say.
        producer: String,
    },
    /// The container holds no module.
    NoModule,
    /// The container holds several modules; [`decode_all`](crate::decode_all) reads them.
    SeveralModules {
        /// How many there are.
        count: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotBitcode => {
                f.write_str("not LLVM bitcode: the file does not begin with BC C0 DE")
            }
            Error::Truncated { byte } => write!(f, "bitcode truncated at byte {byte}"),
            Error::Malformed { byte, what } => {
                write!(f, "malformed bitcode near byte {byte}: {what}")
            }
            Error::Unsupported { byte, block, code, producer } => {
                write!(f, "unsupported record {code} in a {block} block near byte {byte}")?;
                if producer.is_empty() {
                    Ok(())
                } else {
                    write!(f, " (written by {producer}; clang 15 to 19 are supported)")
                }
            }
            Error::NoModule => f.write_str("the bitcode file contains no module"),
            Error::SeveralModules { count } => {
                write!(f, "the bitcode file contains {count} modules where one was expected")
            }
        }
    }
}

impl std::error::Error for Error {}

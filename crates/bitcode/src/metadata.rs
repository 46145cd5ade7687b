//! Metadata: a graph of nodes, most of which describe the source program to a debugger.
//!
//! The graph is cyclic (a structure's field points to the structure) and, in a corrupt file, may
//! have dangling edges. So nodes are looked up one at a time by [`Metadata::get`], and the walks
//! offered here are bounded.

pub(crate) mod node;

use crate::id::{MetadataId, TextId};
use crate::limits::METADATA_CHAIN;
use crate::value::Value;
use node::types::{ATOMIC, CONST, RESTRICT, TYPEDEF, VOLATILE};
use node::{DebugNode, DerivedType, File, LocalVariable, Location, Subprogram, Tuple};

/// All nodes of a module.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Metadata {
    pub(crate) nodes: Vec<DebugNode>,
}

impl Metadata {
    /// The node with that id.
    pub fn get(&self, id: MetadataId) -> Option<&DebugNode> {
        self.nodes.get(id.index())
    }

    /// All nodes with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (MetadataId, &DebugNode)> {
        self.nodes
            .iter()
            .enumerate()
            .filter_map(|(index, node)| Some((MetadataId::from_index(index)?, node)))
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A string; empty if absent.
    pub fn text(&self, id: Option<TextId>) -> &str {
        match id.and_then(|id| self.get(id.0)) {
            Some(DebugNode::String(text)) => text,
            _ => "",
        }
    }

    /// The elements of a tuple: the fields of a structure, the enumerators of an enumeration, the
    /// parameters of a subroutine type. Empty if absent.
    pub fn tuple(&self, id: Option<MetadataId>) -> &[Option<MetadataId>] {
        match id.and_then(|id| self.get(id)) {
            Some(DebugNode::Tuple(Tuple { operands, .. })) => operands,
            _ => &[],
        }
    }

    /// The subprogram, if the node is one.
    pub fn subprogram(&self, id: MetadataId) -> Option<&Subprogram> {
        if let Some(DebugNode::Subprogram(node)) = self.get(id) { Some(node) } else { None }
    }

    /// The local variable, if the node is one.
    pub fn local_variable(&self, id: MetadataId) -> Option<&LocalVariable> {
        if let Some(DebugNode::LocalVariable(node)) = self.get(id) { Some(node) } else { None }
    }

    /// The location, if the node is one.
    pub fn location(&self, id: MetadataId) -> Option<&Location> {
        if let Some(DebugNode::Location(node)) = self.get(id) { Some(node) } else { None }
    }

    /// The value a node wraps: where a variable lives, or a constant.
    pub fn value(&self, id: MetadataId) -> Option<Value> {
        if let Some(DebugNode::Value(value)) = self.get(id) { Some(*value) } else { None }
    }

    /// The path of a file, joined with its directory unless absolute.
    pub fn path(&self, file: &File) -> String {
        let (directory, name) = (self.text(file.directory), self.text(file.name));
        if directory.is_empty() || name.starts_with('/') {
            name.to_owned()
        } else {
            format!("{}/{name}", directory.trim_end_matches('/'))
        }
    }

    /// The file a scope, type, variable or subprogram is in.
    pub fn file_of(&self, mut id: MetadataId) -> Option<&File> {
        for _ in 0..METADATA_CHAIN {
            let node = self.get(id)?;
            if let DebugNode::File(file) = node {
                return Some(file);
            }
            id = node.file().or(node.scope())?;
        }
        None
    }

    /// The subprogram that encloses a scope.
    pub fn subprogram_of(&self, mut id: MetadataId) -> Option<MetadataId> {
        for _ in 0..METADATA_CHAIN {
            let node = self.get(id)?;
            if let DebugNode::Subprogram(_) = node {
                return Some(id);
            }
            id = node.scope()?;
        }
        None
    }

    /// A type with typedefs and qualifiers (`const`, `volatile`, `restrict`, `_Atomic`) removed.
    pub fn unqualified(&self, mut id: MetadataId) -> Option<MetadataId> {
        for _ in 0..METADATA_CHAIN {
            match self.get(id)? {
                DebugNode::DerivedType(DerivedType {
                    tag: TYPEDEF | CONST | VOLATILE | RESTRICT | ATOMIC,
                    base,
                    ..
                }) => id = (*base)?,
                _ => return Some(id),
            }
        }
        None
    }
}

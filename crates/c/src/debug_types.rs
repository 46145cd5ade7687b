//! The types of the source, as far as they determine how to write a part of a variable.

use bitcode::{CompositeType, DebugNode, DerivedType, Metadata, MetadataId};

use crate::limits::{ANONYMOUS_DEPTH, TYPE_MEMBERS};

const MEMBER: u16 = 0x0d;
const POINTER: u16 = 0x0f;
const ARRAY: u16 = 0x01;
const STRUCTURE: u16 = 0x13;
const CLASS: u16 = 0x02;
const UNION: u16 = 0x17;

/// The type a pointer points to.
pub(crate) fn pointee(metadata: &Metadata, id: MetadataId) -> Option<MetadataId> {
    match metadata.get(metadata.unqualified(id)?)? {
        DebugNode::DerivedType(DerivedType { tag: POINTER, base, .. }) => *base,
        DebugNode::CompositeType(node) if node.tag == ARRAY => node.base,
        _ => None,
    }
}

/// The type of an array's elements, if the type is an array.
pub(crate) fn element(metadata: &Metadata, id: MetadataId) -> Option<MetadataId> {
    match metadata.get(metadata.unqualified(id)?)? {
        DebugNode::CompositeType(node) if node.tag == ARRAY => node.base,
        _ => None,
    }
}

/// Whether the type is an array of arrays, whose elements are arrays again.
pub(crate) fn dimensions(metadata: &Metadata, id: MetadataId) -> usize {
    match metadata.unqualified(id).and_then(|id| metadata.get(id)) {
        Some(DebugNode::CompositeType(node)) if node.tag == ARRAY => {
            metadata.tuple(node.elements).len()
        }
        _ => 0,
    }
}

/// The member of a structure that begins at an offset in bytes: its name, through unnamed ones, and its type.
/// None for a union unless it is unnamed.
pub(crate) fn member(
    metadata: &Metadata,
    id: MetadataId,
    offset: u64,
) -> Option<(String, Option<MetadataId>)> {
    let (mut ty, mut offset) = (id, offset.checked_mul(8)?);
    for _ in 0..ANONYMOUS_DEPTH {
        let node = structure(metadata, ty)?;
        let member = members(metadata, node)
            .filter(|member| member.offset <= offset)
            .filter(|member| node.tag != UNION || member.offset == offset)
            .max_by_key(|member| member.offset)?;
        let name = metadata.text(member.name);
        if !name.is_empty() {
            return (member.offset == offset).then(|| (name.to_owned(), member.base));
        }
        offset -= member.offset;
        ty = member.base?;
    }
    None
}

fn structure(metadata: &Metadata, id: MetadataId) -> Option<&CompositeType> {
    match metadata.get(metadata.unqualified(id)?)? {
        DebugNode::CompositeType(node) if matches!(node.tag, STRUCTURE | CLASS | UNION) => {
            Some(node)
        }
        _ => None,
    }
}

fn members<'m>(
    metadata: &'m Metadata,
    node: &CompositeType,
) -> impl Iterator<Item = &'m DerivedType> + use<'m> {
    let elements = metadata.tuple(node.elements).iter().take(TYPE_MEMBERS);
    elements.filter_map(|id| match metadata.get((*id)?) {
        Some(DebugNode::DerivedType(member)) if member.tag == MEMBER => Some(member),
        _ => None,
    })
}

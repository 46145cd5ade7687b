//! Points: which statement of the source an instruction belongs to.
//!
//! Instructions at the same line and column share a point; every branch has one of its own, as each
//! of its sides is a thing to talk about.

use bitcode::DebugLocation;
use ir::{Origin, PointId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::Context;
use crate::expanded::{self, SourcePosition};

/// Where the instruction at hand is in the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurrentLocation {
    pub(crate) span: Span,
    pub(crate) point: PointId,
    pub(crate) origin: Origin,
}

/// The points of a function.
pub(crate) struct Points {
    subprogram: Option<bitcode::MetadataId>,
    by_place: FxHashMap<(u32, u32, u32), PointId>,
    pub(crate) count: u32,
    /// The span of the function's name.
    pub(crate) name: Span,
    last: Option<(DebugLocation, CurrentLocation)>,
    /// Where macros are used, in files without text.
    expanded: FxHashSet<SourcePosition>,
}

impl Points {
    /// The points of a function, and where it begins.
    pub(crate) fn new(
        context: &mut Context<'_>,
        function: &bitcode::Function,
    ) -> (Points, CurrentLocation) {
        let source = context.source;
        let subprogram = function.subprogram(source);
        let name = match subprogram.and_then(|id| source.metadata.subprogram(id).zip(Some(id))) {
            Some((node, id)) => {
                let (file, _) = context.files.scope(id);
                context.files.name_on(file, node.line, source.metadata.text(node.name))
            }
            None => context.nowhere(),
        };
        let by_place = FxHashMap::default();
        let expanded = expanded::used(context, function);
        let points = Points { subprogram, by_place, count: 1, name, last: None, expanded };
        (points, CurrentLocation { span: name, point: PointId(0), origin: Origin::Synthetic })
    }

    pub(crate) fn fresh(&mut self) -> PointId {
        self.count += 1;
        PointId(self.count - 1)
    }

    /// Where an instruction is; one without a place is somewhere behind the one before.
    pub(crate) fn locate(
        &mut self,
        context: &mut Context<'_>,
        location: Option<DebugLocation>,
        before: CurrentLocation,
    ) -> CurrentLocation {
        let made_up = CurrentLocation { origin: Origin::Synthetic, ..before };
        let Some(location) = location else { return made_up };
        if let Some((last, here)) = self.last
            && last == location
        {
            return here;
        }
        let Some(scope) = location.scope else { return made_up };
        if location.line == 0 {
            return made_up;
        }
        let (file, subprogram) = context.files.scope(scope);
        let span = context.files.span(file, location.line, location.column);
        let key = (file.0, location.line, location.column);
        let fresh = PointId(self.count);
        let point = *self.by_place.entry(key).or_insert(fresh);
        if point == fresh {
            self.count += 1;
        }
        let origin = match location.inlined_at {
            Some(call) => Origin::Inlined(self.outermost(context, call).unwrap_or(point)),
            None if location.implicit || subprogram != self.subprogram => Origin::Synthetic,
            None if context.files.is_macro(span) => Origin::Macro(span),
            None if self.expanded.contains(&(file, location.line, location.column)) => {
                Origin::Macro(span)
            }
            None => Origin::Source,
        };
        let here = CurrentLocation { span, point, origin };
        self.last = Some((location, here));
        here
    }

    /// The point of the call through which something was inlined into the function itself.
    fn outermost(
        &mut self,
        context: &mut Context<'_>,
        mut call: bitcode::MetadataId,
    ) -> Option<PointId> {
        // A chain of more calls than this comes from a corrupt file.
        for _ in 0..64 {
            let location = context.source.metadata.location(call)?;
            if let Some(outer) = location.inlined_at {
                call = outer;
                continue;
            }
            let (file, _) = context.files.scope(location.scope?);
            let fresh = PointId(self.count);
            let key = (file.0, location.line, location.column);
            let point = *self.by_place.entry(key).or_insert(fresh);
            if point == fresh {
                self.count += 1;
            }
            return Some(point);
        }
        None
    }
}

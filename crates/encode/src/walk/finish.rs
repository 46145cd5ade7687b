//! The end of the walk: guards become gates, and the results are gathered in an [`Evaluation`].

use std::collections::BTreeMap;

use circuit::{Circuit, Gate};
use ir::Variable;

use super::{Passed, Walk, targets};
use crate::evaluation::{Edge, Evaluation, Obligation, ObligationGroup, Point, Unusual};

impl Walk<'_> {
    pub(super) fn finish(mut self) -> Evaluation {
        let elsewhere = self.cx.instantiate();
        self.cx.constrain_cells();
        let c = &mut self.cx.circuit;
        let mut points: Vec<Point> = Vec::with_capacity(self.points.len());
        for (id, Passed { span, origin, blocks, guard }) in self.points {
            let gate = self.guards.gate(c, &guard);
            points.push(Point { id, span, origin, blocks, gate });
        }
        points.sort_unstable_by_key(|point| point.id);
        let mut edges: Vec<Edge> = Vec::with_capacity(self.edges.len());
        for ((point, taken), (passed, boundary)) in self.edges {
            let Passed { span, origin, blocks, guard } = passed;
            let gate = self.guards.gate(c, &guard);
            let at_boundary = self.guards.gate(c, &boundary);
            edges.push(Edge { point, span, origin, blocks, taken, gate, at_boundary });
        }
        edges.sort_unstable_by_key(|edge| (edge.point, !edge.taken));
        let [normal, exceptional, intended] =
            self.exits.each_ref().map(|guard| self.guards.gate(c, guard));
        let ends = c.or_all([normal, exceptional, intended]);
        let fails = c.or_all(self.obligations.iter().map(|one| one.fails).collect::<Vec<_>>());
        let further = self.cuts.iter().filter(|cut| cut.why.is_bound()).map(|cut| cut.gate);
        let goes_on = c.or_all(further.collect::<Vec<_>>());
        let cuts = self.cuts.iter().map(|cut| cut.gate);
        let survives = c.or_all(cuts.chain([ends]));
        let declared = self.guards.gate(c, &self.declared);
        let admissible = c.or(survives, declared);
        let begins = self.guards.gate(c, &self.begins);
        // Where values are few, a word consists of other inputs than its bits.
        let external: Vec<Gate> = circuit::cone(c, &self.external).inputs().collect();
        let groups = match self.cx.scope.records_tests {
            true => groups(c, &self.obligations),
            false => Vec::new(),
        };
        let globals = (0..self.cx.module.globals.len() as u32).map(ir::GlobalId);
        let heaps = &self.cx.scope.heaps;
        let mentioned = heaps.mentioned(self.cx.module);
        let is_mentioned = |id: &ir::GlobalId| !heaps.canonical || mentioned.globals.contains(id);
        let parameters = self.procedure.locals_with(ir::Mode::Parameter).map(Variable::Local);
        let entry = globals
            .filter(is_mentioned)
            .map(Variable::Global)
            .chain(parameters)
            .filter_map(|variable| Some((variable, self.entry.get(variable)?.clone())))
            .collect();
        let mut functions: Vec<_> = self.cx.functions.into_iter().collect();
        functions.sort_unstable_by_key(|(id, _)| *id);
        Evaluation {
            circuit: self.cx.circuit,
            constraints: self.cx.constraints,
            scope: self.cx.scope.clone(),
            points,
            edges,
            sides: self.sides,
            masked: self.masked,
            allocations: self.allocations,
            pointers: self.cx.pointers,
            obligations: self.obligations,
            groups,
            fails,
            normal,
            exceptional,
            intended,
            ends,
            cuts: self.cuts,
            goes_on,
            begins,
            survives,
            admissible,
            graph: self.blocks.iter().map(targets).collect(),
            arrays: self.cx.arrays,
            elsewhere,
            entry,
            initial: self.initial,
            functions,
            blocks: self.records,
            memories: self.cx.memories,
            addresses: self.cx.addresses,
            given: self.cx.given,
            unusual: Unusual { nan_inputs: self.cx.numbers.unexpected(), ..self.unusual },
            answers: self.answers,
            external,
            unmodelled: self.unmodelled,
            atoms: self.cx.atoms,
            statics: self.cx.statics,
            calls: self.calls.to_vec(),
            parameter_types: self
                .procedure
                .locals_with(ir::Mode::Parameter)
                .map(|id| (id, self.procedure.local(id).ty.clone()))
                .collect(),
        }
    }
}

/// Obligations by what the source says.
fn groups(c: &mut Circuit, obligations: &[Obligation]) -> Vec<ObligationGroup> {
    let mut copies: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (number, obligation) in obligations.iter().enumerate() {
        let Obligation { point, kind, span, message, .. } = obligation;
        copies.entry((*point, *kind, *span, message)).or_default().push(number);
    }
    let group = |copies: Vec<usize>| {
        let reached = c.or_all(copies.iter().map(|&copy| obligations[copy].reached));
        let fails = c.or_all(copies.iter().map(|&copy| obligations[copy].fails));
        ObligationGroup { copies, reached, fails }
    };
    copies.into_values().map(group).collect()
}

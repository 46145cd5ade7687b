//! Terminators: where an execution continues, and under which guard.

use circuit::{Bits, Gate};
use ir::{Block, BlockId, CutReason, TerminatorKind};

use super::Walk;
use crate::escape::Escape;
use crate::evaluation::{Cut, Event, Side};

impl Walk<'_> {
    pub(super) fn terminator(&mut self, block: &Block) {
        let terminator = &block.terminator;
        match &terminator.kind {
            TerminatorKind::Goto(targets) => match targets[..] {
                [target] => self.go(target, Gate::TRUE),
                _ => {
                    let choice = self.cx.fresh_below(targets.len() as u32);
                    self.record(Event::Goto(choice.clone()));
                    for (number, &target) in targets.iter().enumerate() {
                        let number = Bits::constant(choice.width(), number as u128);
                        let chosen = self.cx.circuit.equal(&choice, &number);
                        self.go(target, chosen);
                    }
                }
            },
            TerminatorKind::Branch(test, then, otherwise) => {
                let test = *test;
                self.record_masks(test, terminator.origin);
                let condition = self.eval(test).gate();
                for (taken, target) in [(true, *then), (false, *otherwise)] {
                    let gate = condition.negate_if(!taken);
                    let side = self.guards.and(&mut self.cx.circuit, &self.here.guard, gate);
                    let key = (terminator.point, taken);
                    let (known, boundary) = self.edges.remove(&key).unzip();
                    let (here, compared) = self.boundary(test, taken);
                    let here = self.guards.and(&mut self.cx.circuit, &side, here);
                    if self.cx.scope.records_tests {
                        let at_boundary = self.guards.gate(&mut self.cx.circuit, &here);
                        let reached = self.guards.gate(&mut self.cx.circuit, &side);
                        self.record_sizes(reached, &compared);
                        self.sides.push(Side {
                            point: terminator.point,
                            span: terminator.span,
                            origin: terminator.origin,
                            block: self.here.block,
                            taken,
                            gate: reached,
                            condition,
                            at_boundary,
                            compared,
                        });
                    }
                    let boundary = match boundary {
                        Some(known) => self.guards.or(&mut self.cx.circuit, &known, &here),
                        None => here,
                    };
                    let passed = self.united(known, terminator.span, terminator.origin, side);
                    self.edges.insert(key, (passed, boundary));
                    self.go(target, gate);
                }
            }
            TerminatorKind::Exit(exit) => self.exit(block, exit),
        }
    }

    fn go(&mut self, target: BlockId, condition: Gate) {
        let guard = self.guards.and(&mut self.cx.circuit, &self.here.guard, condition);
        if self.guards.is_never(&guard) {
            return;
        }
        let gate = self.guards.gate(&mut self.cx.circuit, &guard);
        if self.walked[target.0 as usize] {
            // Back to where the walk has been: a loop that no pass has removed.
            let why = Escape::Cut(CutReason::Unrolling(1));
            let (block, origin) = (self.here.block, self.origin_of(self.here.block));
            self.cuts.push(Cut { why, block, origin, gate });
            return;
        }
        self.records[self.here.block.0 as usize].successors.push((target, gate));
        self.arrivals[target.0 as usize].push((guard, self.here.state.clone()));
    }
}

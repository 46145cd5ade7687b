//! Conditions made at random, as they are evaluated on a heap and as the formula says: they are the same, and what is not
//! known on the one side is not claimed.

use std::sync::Arc;

use bounds::concrete::Program;
use circuit::Gate;
use encode::{Content, Part, evaluate};
use ir::{GlobalId, Variable};

use super::brute::heaps;
use super::runs::{LISTS, shape};
use super::scope;

/// Makes conditions, always the same from the same seed (Marsaglia, *Xorshift RNGs*, 2003).
struct Maker {
    state: u64,
    /// How many variables are bound.
    bound: usize,
}

impl Maker {
    fn pick(&mut self, among: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state % among
    }

    fn node(&mut self, depth: u32) -> String {
        match self.pick(if depth == 0 { 3 } else { 5 }) {
            0 => "root[this]".to_owned(),
            1 if self.bound == 0 => "null:Node".to_owned(),
            1 | 2 if self.bound > 0 => format!("n{}", self.pick(self.bound as u64)),
            2 => "root[this]".to_owned(),
            _ => format!("next[{}]", self.node(depth - 1)),
        }
    }

    fn graph(&mut self, depth: u32) -> String {
        match self.pick(if depth == 0 { 1 } else { 4 }) {
            0 => "graph(next)".to_owned(),
            1 => format!("transpose({})", self.graph(depth - 1)),
            2 => format!("rclosure({})", self.graph(depth - 1)),
            _ => format!("union({}, {})", self.graph(depth - 1), self.graph(depth - 1)),
        }
    }

    fn set(&mut self, depth: u32) -> String {
        match self.pick(if depth == 0 { 2 } else { 6 }) {
            0 => format!("single({})", self.node(depth)),
            1 => "marked".to_owned(),
            2 => format!("join({}, {})", self.set(depth - 1), self.graph(depth - 1)),
            3 => format!("union({}, {})", self.set(depth - 1), self.set(depth - 1)),
            4 => format!("diff({}, {})", self.set(depth - 1), self.set(depth - 1)),
            _ => {
                let name = format!("n{}", self.bound);
                format!("{{ {name}: Node | {} }}", self.within(depth - 1))
            }
        }
    }

    fn number(&mut self, depth: u32) -> String {
        match self.pick(4) {
            0 => format!("{}bv8", self.pick(4)),
            1 if depth > 0 => format!("({} + 1bv8)", self.number(depth - 1)),
            2 if depth > 0 => format!("bv(card({}), 8)", self.set(depth - 1)),
            _ => format!("rank[{}]", self.node(depth)),
        }
    }

    /// A condition on one more bound variable.
    fn within(&mut self, depth: u32) -> String {
        self.bound += 1;
        let condition = self.condition(depth);
        self.bound -= 1;
        condition
    }

    fn condition(&mut self, depth: u32) -> String {
        let less = depth.saturating_sub(1);
        match self.pick(if depth == 0 { 4 } else { 10 }) {
            0 => format!("({} == {})", self.node(depth), self.node(depth)),
            1 => format!("marked[{}]", self.node(depth)),
            2 => format!("slt({}, {})", self.number(less), self.number(less)),
            3 => format!("({} == {})", self.number(less), self.number(less)),
            4 => format!("!{}", self.condition(less)),
            5 => format!("({} && {})", self.condition(less), self.condition(less)),
            6 => format!("({} ==> {})", self.condition(less), self.condition(less)),
            7 => format!("{}[{}]", self.set(less), self.node(less)),
            8 => format!("subset({}, {})", self.set(less), self.set(less)),
            _ => {
                let (all, name) = (["all", "some"][self.pick(2) as usize], self.bound);
                format!("({all} n{name}: Node :: {})", self.within(less))
            }
        }
    }
}

#[test]
fn conditions_hold_as_the_formula_says() {
    let heaps = heaps(3, 1, |_| true);
    let (mut holding, mut failing) = (0, 0);
    for seed in 1..=1_000 {
        let mut maker = Maker { state: 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed), bound: 0 };
        let condition = maker.condition(4);
        let text = format!(
            "{LISTS}proc p(this: List)\n  free requires this != null;\n  requires {condition};\n\
             {{\n  entry:\n    exit;\n}}\n"
        );
        let (module, faults) = ir::parse("random.vir", &text);
        assert!(faults.is_empty(), "{condition}: {faults:?}");
        let procedure = &module.procedures[0];
        let program = Program::new(&module, procedure);
        for (number, heap) in heaps.iter().enumerate() {
            let mut shape = shape(heap);
            for node in 1..=heap.fields.len() as u32 {
                let at = |id| Part { variable: Variable::Global(GlobalId(id)), row: Some(node) };
                let is_marked = (number as u32 + node).is_multiple_of(3);
                shape.parts.insert(at(2), Content::Truth(is_marked));
                shape.parts.insert(at(3), Content::Number(i128::from(node % 3)));
            }
            let machine = bounds::beginning(&module, procedure, &program, &[1, 3], &shape);
            let admitted = machine.expect("it is settled").is_admitted();
            let mut scope = scope(3);
            scope.heaps.feasible = Some(Arc::new(shape));
            let evaluation = evaluate(&module, procedure, &[], &scope);
            let expected = match evaluation.begins {
                Gate::TRUE => true,
                Gate::FALSE => false,
                _ => panic!("all is known of {condition} in {heap:?}"),
            };
            assert_eq!(admitted, Some(expected), "{condition} in {heap:?}");
            match expected {
                true => holding += 1,
                false => failing += 1,
            }
        }
    }
    assert!(holding > 1_000 && failing > 1_000, "{holding} hold, {failing} do not");
}

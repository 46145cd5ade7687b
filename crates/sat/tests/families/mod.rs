//! Families of formulas for tests and measurements, all made from small integers.

use sat::{Cnf, Lit};

/// A reproducible source of numbers: SplitMix64.
pub struct Rng(pub u64);

impl Rng {
    /// The next number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ (word >> 31)) % bound as u64) as usize
    }

    /// The next truth value.
    pub fn coin(&mut self) -> bool {
        self.below(2) == 1
    }
}

/// Each of `holes + 1` pigeons sits in one of the holes, no two in the same: unsatisfiable.
pub fn pigeons(holes: usize) -> Cnf {
    let mut cnf = Cnf::new();
    let sits: Vec<Vec<Lit>> = (0..=holes).map(|_| lits(&mut cnf, holes)).collect();
    for (pigeon, places) in sits.iter().enumerate() {
        cnf.add_clause(places);
        for other in &sits[..pigeon] {
            for hole in 0..holes {
                cnf.add_clause(&[!places[hole], !other[hole]]);
            }
        }
    }
    cnf
}

/// Clauses of three different variables with random signs.
pub fn random_3sat(vars: usize, clauses: usize, seed: u64) -> Cnf {
    let mut rng = Rng(seed);
    let mut cnf = Cnf::new();
    let lits = lits(&mut cnf, vars);
    for _ in 0..clauses {
        let first = rng.below(vars);
        let second = (first + 1 + rng.below(vars - 1)) % vars;
        let mut third = rng.below(vars);
        while third == first || third == second {
            third = rng.below(vars);
        }
        let clause = [first, second, third].map(|v| if rng.coin() { lits[v] } else { !lits[v] });
        cnf.add_clause(&clause);
    }
    cnf
}

/// Two numbers of `bits` bits have products that differ with the order of the factors: unsatisfiable, and hard.
pub fn commutativity(bits: usize) -> Cnf {
    let mut gates = Gates::new();
    let (a, b) = (lits(&mut gates.cnf, bits), lits(&mut gates.cnf, bits));
    let (left, right) = (gates.product(&a, &b), gates.product(&b, &a));
    let differ: Vec<Lit> = left.iter().zip(&right).map(|(&x, &y)| gates.xor(x, y)).collect();
    gates.cnf.add_clause(&differ);
    gates.cnf
}

/// The formula of a straight-line program of random operations on words of eight bits, and the
/// conditions it could branch on, to be assumed.
pub fn program(operations: usize, seed: u64) -> (Cnf, Vec<Lit>) {
    let mut rng = Rng(seed);
    let mut gates = Gates::new();
    let mut words: Vec<Vec<Lit>> = (0..8).map(|_| lits(&mut gates.cnf, 8)).collect();
    let mut conditions = Vec::new();
    for _ in 0..operations {
        let recent = words.len() - 8;
        let a = words[recent + rng.below(8)].clone();
        let b = words[rng.below(words.len())].clone();
        let word = match rng.below(4) {
            0 => gates.sum(&a, &b),
            1 => a.iter().zip(&b).map(|(&x, &y)| gates.xor(x, y)).collect(),
            2 => a.iter().zip(&b).map(|(&x, &y)| gates.and(x, y)).collect(),
            _ => {
                let differ: Vec<Lit> = a.iter().zip(&b).map(|(&x, &y)| gates.xor(x, y)).collect();
                let condition = gates.or(&differ);
                conditions.push(condition);
                a.iter().zip(&b).map(|(&x, &y)| gates.choose(condition, x, y)).collect()
            }
        };
        words.push(word);
    }
    for bit in words[operations].clone() {
        conditions.push(bit);
    }
    (gates.cnf, conditions)
}

fn lits(cnf: &mut Cnf, count: usize) -> Vec<Lit> {
    (0..count).map(|_| cnf.new_var().positive()).collect()
}

/// Gates in the encoding of Tseitin.
struct Gates {
    cnf: Cnf,
    constant: Lit,
}

impl Gates {
    fn new() -> Gates {
        let mut cnf = Cnf::new();
        let constant = cnf.new_var().negative();
        cnf.add_clause(&[!constant]);
        Gates { cnf, constant }
    }

    fn and(&mut self, x: Lit, y: Lit) -> Lit {
        !self.or(&[!x, !y])
    }

    fn or(&mut self, inputs: &[Lit]) -> Lit {
        let output = self.cnf.new_var().positive();
        let mut long = vec![!output];
        for &input in inputs {
            self.cnf.add_clause(&[output, !input]);
            long.push(input);
        }
        self.cnf.add_clause(&long);
        output
    }

    fn xor(&mut self, x: Lit, y: Lit) -> Lit {
        let output = self.cnf.new_var().positive();
        for clause in [[!output, x, y], [!output, !x, !y], [output, !x, y], [output, x, !y]] {
            self.cnf.add_clause(&clause);
        }
        output
    }

    fn choose(&mut self, condition: Lit, x: Lit, y: Lit) -> Lit {
        let (then, otherwise) = (self.and(condition, x), self.and(!condition, y));
        self.or(&[then, otherwise])
    }

    fn sum(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let mut carry = self.constant;
        let mut sum = Vec::new();
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            let (both, chained) = (self.and(x, y), self.and(half, carry));
            carry = self.or(&[both, chained]);
        }
        sum
    }

    fn product(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let mut total = vec![self.constant; 2 * a.len()];
        for (shift, &factor) in b.iter().enumerate() {
            let mut row = vec![self.constant; 2 * a.len()];
            for (place, &bit) in a.iter().enumerate() {
                row[shift + place] = self.and(factor, bit);
            }
            total = self.sum(&total, &row);
        }
        total
    }
}

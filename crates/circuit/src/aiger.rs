//! Circuits as files: AIGER, ASCII and binary, and DIMACS.
//!
//! AIGER is the format of the hardware model checking competitions (Biere, Heljanko and Wieringa,
//! *AIGER 1.9 and Beyond*, 2011). We write combinational circuits: inputs, outputs with names, no
//! latches. Only what the outputs depend on is written, renumbered without gaps; inputs keep their
//! order and are called `i` and their number in the circuit. Names must not contain line breaks.
//!
//! ```
//! use circuit::{Circuit, aiger};
//! let mut c = Circuit::new();
//! let (x, y) = (c.input(), c.input());
//! let gate = c.and(x, !y);
//! let mut text = Vec::new();
//! aiger::write_ascii(&c, &[("difference", gate)], &mut text)?;
//! assert_eq!(
//!     String::from_utf8_lossy(&text),
//!     "aag 3 2 0 1 1\n2\n4\n6\n6 5 2\ni0 i0\ni1 i1\no0 difference\n",
//! );
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io::{self, Write};

use crate::{Circuit, Encoder, Encoding, Gate, Node, cone};

/// Writes named outputs in the ASCII format (`.aag`).
///
/// # Errors
///
/// Those of the writer.
pub fn write_ascii(
    circuit: &Circuit,
    outputs: &[(&str, Gate)],
    mut to: impl Write,
) -> io::Result<()> {
    let numbering = Numbering::new(circuit, outputs);
    numbering.header("aag", outputs.len(), &mut to)?;
    for input in 0..numbering.inputs.len() {
        writeln!(to, "{}", 2 * (input + 1))?;
    }
    for &(_, gate) in outputs {
        writeln!(to, "{}", numbering.literal(gate))?;
    }
    for &[gate, a, b] in &numbering.conjunctions {
        writeln!(to, "{gate} {a} {b}")?;
    }
    numbering.symbols(outputs, &mut to)
}

/// Writes named outputs in the binary format (`.aig`).
///
/// # Errors
///
/// Those of the writer.
pub fn write_binary(
    circuit: &Circuit,
    outputs: &[(&str, Gate)],
    mut to: impl Write,
) -> io::Result<()> {
    let numbering = Numbering::new(circuit, outputs);
    numbering.header("aig", outputs.len(), &mut to)?;
    for &(_, gate) in outputs {
        writeln!(to, "{}", numbering.literal(gate))?;
    }
    for &[gate, a, b] in &numbering.conjunctions {
        write_delta(gate - a, &mut to)?;
        write_delta(a - b, &mut to)?;
    }
    numbering.symbols(outputs, &mut to)
}

/// Writes the clauses that make all the gates hold, in DIMACS format. The first variables are the
/// inputs the gates depend on, in order of creation.
///
/// # Errors
///
/// Those of the writer.
pub fn write_dimacs(
    circuit: &Circuit,
    gates: &[Gate],
    encoding: Encoding,
    to: impl Write,
) -> io::Result<()> {
    sat::dimacs::write(&clauses(circuit, gates, encoding), to)
}

/// The clauses that make all the gates hold. The first variables are the inputs the gates depend on, in
/// order of creation.
pub fn clauses(circuit: &Circuit, gates: &[Gate], encoding: Encoding) -> sat::Cnf {
    let mut cnf = sat::Cnf::new();
    let mut encoder = Encoder::new(encoding);
    for input in cone(circuit, gates).inputs() {
        encoder.input_literal(circuit, input, &mut cnf);
    }
    encoder.assert_all(circuit, gates, &mut cnf);
    cnf
}

/// AIGER literals for the nodes that matter: inputs first, then conjunctions, operands before users.
struct Numbering {
    /// By node; zero for the constant and for nodes that are not written.
    literals: Vec<u32>,
    /// The numbers of the inputs in the circuit.
    inputs: Vec<usize>,
    /// Literals of a conjunction and its operands, the greater operand first.
    conjunctions: Vec<[u32; 3]>,
}

impl Numbering {
    fn new(circuit: &Circuit, outputs: &[(&str, Gate)]) -> Numbering {
        let roots: Vec<Gate> = outputs.iter().map(|&(_, gate)| gate).collect();
        let cone = cone(circuit, &roots);
        let mut numbering = Numbering {
            literals: vec![0; circuit.len()],
            inputs: Vec::new(),
            conjunctions: Vec::new(),
        };
        let mut next = 2;
        let mut conjunctions = Vec::new();
        for (index, node) in cone.nodes() {
            match node {
                Node::False => {}
                Node::Input(number) => {
                    numbering.inputs.push(number);
                    numbering.literals[index] = next;
                    next += 2;
                }
                Node::And(a, b) => conjunctions.push((index, a, b)),
            }
        }
        for (index, a, b) in conjunctions {
            numbering.literals[index] = next;
            let (a, b) = (numbering.literal(a), numbering.literal(b));
            numbering.conjunctions.push([next, a.max(b), a.min(b)]);
            next += 2;
        }
        numbering
    }

    fn literal(&self, gate: Gate) -> u32 {
        self.literals[gate.node()] | u32::from(gate.is_negated())
    }

    fn header(&self, format: &str, outputs: usize, to: &mut impl Write) -> io::Result<()> {
        let (inputs, conjunctions) = (self.inputs.len(), self.conjunctions.len());
        writeln!(to, "{format} {} {inputs} 0 {outputs} {conjunctions}", inputs + conjunctions)
    }

    fn symbols(&self, outputs: &[(&str, Gate)], to: &mut impl Write) -> io::Result<()> {
        for (place, number) in self.inputs.iter().enumerate() {
            writeln!(to, "i{place} i{number}")?;
        }
        for (place, (name, _)) in outputs.iter().enumerate() {
            writeln!(to, "o{place} {name}")?;
        }
        Ok(())
    }
}

/// Seven bits a byte, least significant first; the high bit marks that more follow.
fn write_delta(mut delta: u32, to: &mut impl Write) -> io::Result<()> {
    while delta > 0x7f {
        to.write_all(&[delta as u8 | 0x80])?;
        delta >>= 7;
    }
    to.write_all(&[delta as u8])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Valuation;

    /// Inputs and conjunctions of a file, and the literals of its outputs.
    struct File {
        inputs: usize,
        outputs: Vec<u32>,
        conjunctions: Vec<[u32; 3]>,
    }

    fn read_ascii(text: &[u8]) -> File {
        let text = std::str::from_utf8(text).unwrap();
        let mut lines = text
            .lines()
            .map(|line| line.split(' ').filter_map(|word| word.parse().ok()).collect::<Vec<u32>>());
        let header = lines.next().unwrap();
        let (inputs, outputs, ands) = (header[1] as usize, header[3] as usize, header[4] as usize);
        let mut lines = lines.skip(inputs);
        let outputs = lines.by_ref().take(outputs).map(|line| line[0]).collect();
        let conjunctions = lines.take(ands).map(|line| [line[0], line[1], line[2]]).collect();
        File { inputs, outputs, conjunctions }
    }

    fn read_binary(bytes: &[u8]) -> File {
        let mut bytes = bytes.iter().copied();
        let mut line = || -> Vec<u32> {
            let line: Vec<u8> = bytes.by_ref().take_while(|&byte| byte != b'\n').collect();
            let line = String::from_utf8(line).unwrap();
            line.split(' ').filter_map(|word| word.parse().ok()).collect()
        };
        let header = line();
        let outputs = (0..header[3]).map(|_| line()[0]).collect();
        let mut delta = || -> u32 {
            let mut value = 0;
            for shift in 0.. {
                let byte = u32::from(bytes.next().unwrap());
                value |= (byte & 0x7f) << (7 * shift);
                if byte & 0x80 == 0 {
                    break;
                }
            }
            value
        };
        let conjunction = |at: u32| {
            let gate = 2 * (header[1] + at + 1);
            let a = gate - delta();
            [gate, a, a - delta()]
        };
        let conjunctions = (0..header[4]).map(conjunction).collect();
        File { inputs: header[1] as usize, outputs, conjunctions }
    }

    fn evaluate(file: &File, inputs: &[bool]) -> Vec<bool> {
        assert_eq!(file.inputs, inputs.len());
        let mut values = vec![false];
        values.extend(inputs);
        let value = |values: &[bool], lit: u32| values[lit as usize / 2] != (lit % 2 == 1);
        for &[gate, a, b] in &file.conjunctions {
            assert_eq!(gate as usize, 2 * values.len());
            values.push(value(&values, a) && value(&values, b));
        }
        file.outputs.iter().map(|&lit| value(&values, lit)).collect()
    }

    #[test]
    fn both_formats_say_what_the_circuit_says() {
        let mut c = Circuit::new();
        let (a, b) = (c.fresh_bits(5), c.fresh_bits(5));
        let product = c.mul(&a, &b);
        let mut outputs = vec![("no", Gate::FALSE), ("yes", Gate::TRUE), ("input", !a[0])];
        outputs.extend(product.iter().map(|gate| ("product", gate)));
        let (mut ascii, mut binary) = (Vec::new(), Vec::new());
        write_ascii(&c, &outputs, &mut ascii).unwrap();
        write_binary(&c, &outputs, &mut binary).unwrap();
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..100 {
            let inputs: Vec<bool> = c.inputs().map(|_| random.bool()).collect();
            let mut values = Valuation::new(inputs.clone());
            let expected: Vec<bool> =
                outputs.iter().map(|&(_, gate)| values.value(&c, gate)).collect();
            assert_eq!(evaluate(&read_ascii(&ascii), &inputs), expected);
            assert_eq!(evaluate(&read_binary(&binary), &inputs), expected);
        }
    }

    #[test]
    fn dimacs_numbers_inputs_first() {
        let mut c = Circuit::new();
        let (_, x, y) = (c.input(), c.input(), c.input());
        let gate = c.xor(x, y);
        let mut text = Vec::new();
        write_dimacs(&c, &[gate], Encoding::Polarity, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("p cnf 2 2") && text.contains("1 2 0"), "{text}");
    }
}

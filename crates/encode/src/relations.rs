//! Relational operators: sets and relations are tables of truth values, and become matrices.
//!
//! The model finder's matrices know one universe; here every sort, and every other type whose
//! values are listed, has a stretch of it.

use std::rc::Rc;

use circuit::{Bits, Gate};
use ir::{Op, Type};
use relational::Matrix;
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::escape::Escape;
use crate::limits::STEPPED_SETS;
use crate::sym::Sym;

/// The result of a relational operator. A quantifier asks for the same closure once for each atom,
/// and each clause of a contract asks for it again, so results are kept.
pub(crate) fn apply(
    cx: &mut Context<'_>,
    op: &Op,
    types: &[&Type],
    operands: &[Sym],
    ty: &Type,
) -> Sym {
    let Some(names) = operands.iter().map(name).collect::<Option<Vec<Name>>>() else {
        return compute(cx, op, types, operands, ty);
    };
    let key = (op.clone(), names);
    if let Some((_, known)) = cx.related.get(&key) {
        return known.clone();
    }
    let before = cx.escapes.len();
    let result = match followed(cx, op, &key.1) {
        Some(graph) => {
            let graph_type = types[1];
            let operands = [operands[0].clone(), graph];
            stepped(cx, [types[0], graph_type], &operands, ty)
        }
        None => compute(cx, op, types, operands, ty),
    };
    if let (Sym::Table(table), true) = (&result, before == cx.escapes.len()) {
        if *op == Op::ReflexiveClosure {
            cx.closed.insert(Rc::as_ptr(table) as usize, (operands[0].clone(), 0));
        }
        cx.related.insert(key, (operands.to_vec(), result.clone()));
    }
    result
}

/// Reflexive closures by where their tables are: the relation that each is of, and from how many sets it has been
/// followed.
pub(crate) type Closed = FxHashMap<usize, (Sym, usize)>;

/// The relation that is to be followed step by step, if a join is of a set and the closure of one: of what few sets
/// lead to, most of the closure is not needed.
fn followed(cx: &mut Context<'_>, op: &Op, names: &[Name]) -> Option<Sym> {
    let (Op::Join, [Name::Table(_), Name::Table(closure)]) = (op, names) else { return None };
    let (graph, sets) = cx.closed.get_mut(closure)?;
    *sets += 1;
    (*sets <= STEPPED_SETS).then(|| graph.clone())
}

/// The atoms that a relation reaches from a set, in any number of steps.
fn stepped(cx: &mut Context<'_>, types: [&Type; 2], operands: &[Sym; 2], ty: &Type) -> Sym {
    let universe = Universe::of(cx, types.into_iter().chain([ty]));
    let universe = universe.expect("the closure has been listed");
    let [mut reached, graph] = [0, 1].map(|at| universe.matrix(types[at], &operands[at]));
    let circuit = &mut cx.circuit;
    // No path that does not come back is longer than there are atoms.
    for _ in 1..universe.size {
        let next = reached.join(&graph, circuit).union(&reached, circuit);
        if next == reached {
            break;
        }
        reached = next;
    }
    universe.table(ty, &reached)
}

/// Results of relational operators. The operands are kept so that their tables stay where they are.
pub(crate) type Related = FxHashMap<(Op, Vec<Name>), (Vec<Sym>, Sym)>;

/// The identity of an operand, without its content.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Name {
    /// The number of a table.
    Table(usize),
    Word(Bits),
}

fn name(operand: &Sym) -> Option<Name> {
    match operand {
        Sym::Table(table) => Some(Name::Table(Rc::as_ptr(table) as usize)),
        Sym::Bits(word) => Some(Name::Word(word.clone())),
        Sym::Bool(_)
        | Sym::Int(_)
        | Sym::Array(_)
        | Sym::Bytes(_)
        | Sym::Seq(_)
        | Sym::Nothing
        | Sym::Tuple(_) => None,
    }
}

fn compute(cx: &mut Context<'_>, op: &Op, types: &[&Type], operands: &[Sym], ty: &Type) -> Sym {
    let universe = Universe::of(cx, types.iter().copied().chain([ty]));
    let Some(universe) = universe else {
        return cx.out_of_scope(Escape::UnboundedMaps, ty);
    };
    if let (Op::Graph, Type::Map(keys, value)) = (op, types[0]) {
        return graph(cx, keys, value, &operands[0]);
    }
    if let Op::Singleton = op {
        let empty = cx.default(ty);
        let keys: Vec<Sym> = operands.to_vec();
        return cx.write(ty, &empty, Gate::TRUE, &keys, &Sym::Bool(Gate::TRUE));
    }
    let matrices: Vec<Matrix> =
        types.iter().zip(operands).map(|(ty, sym)| universe.matrix(ty, sym)).collect();
    let circuit = &mut cx.circuit;
    let result = match (op, &matrices[..]) {
        (Op::Union, [a, b]) => a.union(b, circuit),
        (Op::Intersection, [a, b]) => a.intersection(b, circuit),
        (Op::Difference, [a, b]) => a.difference(b, circuit),
        (Op::Join, [a, b]) => a.join(b, circuit),
        (Op::Product, [a, b]) => a.product(b, circuit),
        (Op::Transpose, [a]) => a.transpose(),
        (Op::Closure, [a]) => a.closure(circuit),
        (Op::ReflexiveClosure, [a]) => {
            let closure = a.closure(circuit);
            let diagonal = universe.diagonal(ty);
            closure.union(&diagonal, circuit)
        }
        (Op::Subset, [a, b]) => return Sym::Bool(a.subset(b, circuit)),
        (Op::Cardinality, [a]) => {
            let members: Vec<Gate> = a.iter().map(|(_, gate)| gate).collect();
            let count = circuit.popcount(&Bits::from(members));
            let width = count.width() + 1;
            return cx.int_of(&count.zero_extend(width));
        }
        (op, _) => unreachable!("{op:?} is no relational operator"),
    };
    universe.table(ty, &result)
}

/// From `[K]V` to `[K, V]bool`, without the keys that lead to `null`.
fn graph(cx: &mut Context<'_>, keys: &[Type], value: &Type, map: &Sym) -> Sym {
    let count = cx.values(value).expect("the universe lists the values");
    let is_sort = matches!(value, Type::Sort(_));
    let cells: Vec<Sym> = map
        .table()
        .clone()
        .iter()
        .flat_map(|to| (0..count).map(move |number| (to, number)))
        .map(|(to, number)| {
            if is_sort && number == 0 {
                return Sym::Bool(Gate::FALSE);
            }
            if let (true, Sym::Bits(word)) = (is_sort, to)
                && let Some(certain) = word.as_constant()
            {
                return Sym::Bool(Gate::constant(certain == number as u128));
            }
            let candidate = cx.value(value, number);
            Sym::Bool(cx.equal(value, to, &candidate))
        })
        .collect();
    debug_assert_eq!(Some(cells.len()), cx.keys(keys).map(|keys| keys * count));
    Sym::Table(Rc::new(cells))
}

/// The positions of the values of each type in the common universe.
struct Universe {
    stretches: Vec<(Type, usize, usize)>,
    size: usize,
}

impl Universe {
    /// The universe of all types that occur as columns; nothing if one cannot be listed.
    fn of<'t>(cx: &Context<'_>, types: impl Iterator<Item = &'t Type>) -> Option<Universe> {
        let mut universe = Universe { stretches: Vec::new(), size: 0 };
        for ty in types {
            if let Type::Map(keys, value) = ty {
                cx.keys(keys)?;
                for key in keys {
                    universe.add(cx, key)?;
                }
                if **value != Type::Bool {
                    universe.add(cx, value)?;
                }
            }
        }
        Some(universe)
    }

    fn add(&mut self, cx: &Context<'_>, ty: &Type) -> Option<()> {
        let count = cx.values(ty)?;
        if !self.stretches.iter().any(|(known, ..)| known == ty) {
            self.stretches.push((ty.clone(), self.size, count));
            self.size += count;
        }
        Some(())
    }

    /// The first atom of a type, and how many it has.
    fn stretch(&self, ty: &Type) -> (usize, usize) {
        let (_, first, count) = self
            .stretches
            .iter()
            .find(|(known, ..)| known == ty)
            .expect("the universe was made from these types");
        (*first, *count)
    }

    /// Shows the atoms of every key of a table, in order: the last changes fastest.
    fn each_tuple(&self, keys: &[Type], mut show: impl FnMut(usize, &[usize])) {
        let stretches: Vec<(usize, usize)> = keys.iter().map(|key| self.stretch(key)).collect();
        let count = stretches.iter().map(|(_, count)| count).product();
        let mut tuple: Vec<usize> = stretches.iter().map(|(first, _)| *first).collect();
        for position in 0..count {
            show(position, &tuple);
            for (atom, (first, count)) in tuple.iter_mut().zip(&stretches).rev() {
                *atom += 1;
                if *atom < first + count {
                    break;
                }
                *atom = *first;
            }
        }
    }

    fn matrix(&self, ty: &Type, table: &Sym) -> Matrix {
        let keys = ty.as_set().expect("relational operators take relations");
        let mut matrix = Matrix::new(self.size, keys.len());
        let table = table.table();
        self.each_tuple(keys, |position, tuple| {
            let gate = table[position].gate();
            if gate != Gate::FALSE {
                matrix.set(tuple, gate);
            }
        });
        matrix
    }

    fn table(&self, ty: &Type, matrix: &Matrix) -> Sym {
        let keys = ty.as_set().expect("relational operators give relations");
        let mut cells = Vec::new();
        self.each_tuple(keys, |_, tuple| cells.push(Sym::Bool(matrix.get(tuple))));
        Sym::Table(Rc::new(cells))
    }

    /// The identity on the type that a binary relation relates to itself.
    fn diagonal(&self, ty: &Type) -> Matrix {
        let keys = ty.as_set().expect("a closure is a relation");
        let (first, count) = self.stretch(&keys[0]);
        let mut matrix = Matrix::new(self.size, 2);
        for atom in first..first + count {
            matrix.set(&[atom, atom], Gate::TRUE);
        }
        matrix
    }
}

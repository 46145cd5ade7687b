//! Canonical heaps: each initial heap in one numbering.
//!
//! Atoms are numbered in the order in which they are reached: constants, parameters and variables first, then the
//! maps of the first atom in the order of their declaration, those of the second, and so on, sorts before those
//! that they lead to. An object that is passed beside a structure whose maps lead to such objects comes after all
//! that the structure leads to, so that the structure is numbered alike, whichever of its objects is passed
//! (`late.rs`). An atom that has not been reached when its turn comes is absent, and its maps hold defaults.
//! Isomorphic heaps are then equal (Galeotti et al., ISSTA 2010, Theorem 3.2), and every heap has such a numbering
//! (Theorem 3.1). For sorts that lead to each other only the order of atoms is required, so that some heaps remain
//! several times.

use std::rc::Rc;

use circuit::{Bits, Gate};
use ir::{Mode, Procedure, SortId, Type, Variable};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::feasible::{Content, Part};
use super::late::{Late, is_late};
use crate::context::Context;
use crate::integer::Integer;
use crate::sym::{Sym, bits_for};

/// A part of the initial state, and when it is there.
pub(crate) type Initial = (Variable, Option<u32>, Gate, Type, Sym);

impl<'m> Context<'m> {
    /// The initial values of all globals and parameters, each heap once.
    pub(crate) fn canonical_state(
        &mut self,
        procedure: &Procedure,
    ) -> (Vec<(Variable, Sym)>, Vec<Initial>) {
        let module = self.module;
        let mentioned = self.scope.heaps.mentioned(module).into_owned();
        let globals = (0..module.globals.len() as u32).map(ir::GlobalId);
        let (globals, others): (Vec<_>, Vec<_>) =
            globals.partition(|global| mentioned.globals.contains(global));
        let typed = |id: ir::GlobalId| (Variable::Global(id), &module.global(id).ty);
        let globals = globals.into_iter().map(typed);
        let parameters = procedure.locals_with(Mode::Parameter);
        let parameters = parameters.map(|id| (Variable::Local(id), &procedure.local(id).ty));
        let variables: Vec<(Variable, &Type)> = parameters.chain(globals).collect();
        let widths = self.widths(&variables);
        let mut state = State { met: self.none_met(), widths, parts: Vec::new() };
        let others = others.into_iter().map(typed);
        let mut values: Vec<(Variable, Sym)> =
            others.map(|(variable, ty)| (variable, self.default(ty))).collect();
        let mut fields: Vec<Field<'_>> = Vec::new();
        let mut late: Vec<Late> = Vec::new();
        for constant in mentioned.constants {
            let ty = &module.function(constant).result;
            let value = self.cell(None, None, ty, Gate::TRUE, &mut state.met);
            self.functions.insert(constant, value);
        }
        let sorts = self.sorts_in_order(&variables);
        for (variable, ty) in variables {
            match ty {
                Type::Map(keys, value) if matches!(keys[..], [Type::Sort(_)]) => {
                    let Type::Sort(from) = keys[0] else { unreachable!("it is a sort") };
                    fields.push(Field {
                        variable,
                        from,
                        ty: value,
                        columns: None,
                        rows: Vec::new(),
                    });
                }
                Type::Map(keys, value) if self.scope.has_columns(keys) => {
                    let Type::Sort(from) = keys[0] else { unreachable!("it is a sort") };
                    let columns = self.scope.columns;
                    fields.push(Field { variable, from, ty: value, columns, rows: Vec::new() });
                }
                Type::Sort(sort) if is_late(variable, *sort, &sorts) => {
                    let value = self.late_part(variable, *sort, &mut state);
                    late.push(Late { sort: *sort, word: value.bits().clone() });
                    values.push((variable, value));
                }
                _ => {
                    let part = Part { variable, row: None };
                    let value = self.part(part, ty, Gate::TRUE, &mut state);
                    values.push((variable, value));
                }
            }
        }
        for Standing { sort, is_alone, .. } in sorts {
            for row in 0..=self.atoms(sort) {
                self.meet_late(&late, sort, row, &mut state.met);
                let present = match row {
                    0 => Gate::FALSE,
                    _ if row > self.initial(sort) => Gate::FALSE,
                    _ if is_alone => state.met[sort.0 as usize][row as usize],
                    _ => Gate::TRUE,
                };
                state.met[sort.0 as usize][row as usize] = present;
                for field in fields.iter_mut().filter(|field| field.from == sort) {
                    let part = Part { variable: field.variable, row: Some(row) };
                    match field.columns {
                        None => field.rows.push(self.part(part, field.ty, present, &mut state)),
                        Some(columns) => field.rows.extend((0..columns).map(|_| {
                            let width = state.widths.get(&field.variable).copied();
                            self.cell(None, width, field.ty, present, &mut state.met)
                        })),
                    }
                }
            }
        }
        self.only_beyond(&state.met);
        let fields = fields.into_iter();
        values.extend(fields.map(|field| (field.variable, Sym::Table(Rc::new(field.rows)))));
        (values, state.parts)
    }

    /// For each sort, whether each atom has been met: `null` always has.
    fn none_met(&self) -> Vec<Vec<Gate>> {
        let sorts = (0..self.module.sorts.len() as u32).map(SortId);
        let one = |sort| {
            let mut met = vec![Gate::FALSE; self.atoms(sort) as usize + 1];
            met[0] = Gate::TRUE;
            met
        };
        sorts.map(one).collect()
    }

    /// The content of a part of the initial state: any feasible value.
    fn part(&mut self, part: Part, ty: &Type, present: Gate, state: &mut State) -> Sym {
        let feasible = self.scope.heaps.feasible.as_ref();
        let content = feasible.and_then(|feasible| feasible.parts.get(&part)).cloned();
        let width = state.widths.get(&part.variable).copied();
        let value = self.cell(content, width, ty, present, &mut state.met);
        if present != Gate::FALSE {
            let held = (part.variable, part.row, present, ty.clone(), value.clone());
            state.parts.push(held);
        }
        value
    }

    /// A value of which nothing is known but its content or its width, where it is present.
    fn cell(
        &mut self,
        content: Option<Content>,
        width: Option<u32>,
        ty: &Type,
        present: Gate,
        met: &mut [Vec<Gate>],
    ) -> Sym {
        let value = self.unmet(content, width, ty, present);
        if present != Gate::FALSE {
            self.meet_all(met, ty, &value);
        }
        value
    }

    /// The same, if whom it holds is not met here.
    pub(super) fn unmet(
        &mut self,
        content: Option<Content>,
        width: Option<u32>,
        ty: &Type,
        present: Gate,
    ) -> Sym {
        let default = self.default(ty);
        if present == Gate::FALSE {
            return default;
        }
        let value = match (ty, content, width) {
            (Type::Sort(sort), Some(Content::Atoms(numbers)), _) => {
                let width = bits_for(self.atoms(*sort) + 1);
                Sym::Bits(self.one_of(width, &numbers))
            }
            (Type::Variant(_), Some(Content::Constructors(numbers)), _) => {
                let mut parts = (**default.tuple()).clone();
                parts[0] = Sym::Bits(self.one_of(parts[0].bits().width(), &numbers));
                Sym::Tuple(Rc::new(parts))
            }
            (Type::Bool, Some(Content::Truth(truth)), _) => Sym::Bool(Gate::constant(truth)),
            (Type::Bv(_) | Type::Int, Some(Content::Number(number)), _) => {
                self.number_of(ty, number)
            }
            (Type::Bv(_) | Type::Int, Some(Content::UpTo(greatest)), _) => {
                self.narrow_number(ty, bits_for(greatest + 1) as u32 + 1)
            }
            (Type::Bv(_) | Type::Int, Some(Content::Width(width)), _)
            | (Type::Bv(_) | Type::Int, None, Some(width)) => self.narrow_number(ty, width),
            _ => self.fresh(ty),
        };
        self.select(present, &value, &default)
    }

    /// All atoms that a value holds are read, in order.
    fn meet_all(&mut self, met: &mut [Vec<Gate>], ty: &Type, value: &Sym) {
        match (ty, value) {
            (Type::Sort(sort), Sym::Bits(word)) => {
                self.meet_in_order(&mut met[sort.0 as usize], word);
            }
            (Type::Map(_, part), Sym::Table(values)) => {
                values.iter().for_each(|value| self.meet_all(met, part, value));
            }
            (Type::Seq(part), Sym::Seq(sequence)) => {
                sequence.slots.iter().for_each(|value| self.meet_all(met, part, value));
            }
            (Type::Record(_) | Type::Variant(_), Sym::Tuple(values)) => {
                let types = self.parts(ty);
                types.iter().zip(&**values).for_each(|(ty, value)| self.meet_all(met, ty, value));
            }
            (_, _) => {}
        }
    }

    /// An atom is read: it has been met, or is the next.
    fn meet_in_order(&mut self, met: &mut [Gate], word: &Bits) {
        let before = met.to_vec();
        for number in 1..met.len() {
            let constant = Bits::constant(word.width(), number as u128);
            let is = self.circuit.equal(word, &constant);
            if number > 1 {
                let in_order = self.circuit.implies(is, before[number - 1]);
                self.constrain(in_order);
            }
            met[number] = self.circuit.or(before[number], is);
        }
    }

    /// One of these numbers.
    fn one_of(&mut self, width: usize, numbers: &[u32]) -> Bits {
        let mut value = Bits::constant(width, u128::from(numbers.last().copied().unwrap_or(0)));
        if numbers.len() > 1 {
            let choice = self.fresh_below(numbers.len() as u32);
            for (position, &number) in numbers.iter().enumerate().rev().skip(1) {
                let position = Bits::constant(choice.width(), position as u128);
                let is = self.circuit.equal(&choice, &position);
                let number = Bits::constant(width, u128::from(number));
                value = self.circuit.select(is, &number, &value);
            }
        }
        value
    }

    /// This number.
    fn number_of(&self, ty: &Type, number: i128) -> Sym {
        match ty {
            Type::Bv(width) => Sym::Bits(Bits::signed_constant(*width as usize, number)),
            _ => {
                let width = self.scope.int_width as usize;
                Sym::Int(Integer::small(Bits::signed_constant(width, number)))
            }
        }
    }

    /// A number of this width, in two's complement.
    fn narrow_number(&mut self, ty: &Type, width: u32) -> Sym {
        let full = match ty {
            Type::Bv(full) => *full,
            _ => self.scope.int_width,
        };
        let word = self.circuit.fresh_bits(width.min(full) as usize);
        let word = word.sign_extend(full as usize);
        match ty {
            Type::Bv(_) => Sym::Bits(word),
            _ => Sym::Int(Integer::small(word)),
        }
    }

    /// How many bits the numbers of variables need that are only compared.
    fn widths(&self, variables: &[(Variable, &Type)]) -> FxHashMap<Variable, u32> {
        let mut widths = FxHashMap::default();
        for class in self.scope.heaps.compared.iter() {
            let rows = |ty: &Type| match ty {
                Type::Map(keys, _) => self.keys(keys),
                _ => Some(1),
            };
            let counts = class.variables.iter().map(|variable| {
                match variables.iter().find(|(known, _)| known == variable) {
                    Some((_, ty)) => rows(ty),
                    None => Some(1),
                }
            });
            let Some(count) = counts.sum::<Option<usize>>() else { continue };
            let (least, greatest) = class.constants.clone().unwrap_or_default();
            let greatest = greatest + BigInt::from(count);
            let least = match class.constants {
                Some(_) => least - BigInt::from(count),
                // Without anything to be less than, being non-negative is enough.
                None => least,
            };
            // A negative number needs as many bits as the one that is its complement.
            let complement: BigInt = -least - 1;
            let bits = greatest.bits().max(complement.bits()) + 1;
            let Ok(bits) = u32::try_from(bits) else { continue };
            widths.extend(class.variables.iter().map(|variable| (*variable, bits)));
        }
        widths
    }

    /// The sorts, each before those that it leads to.
    fn sorts_in_order(&self, variables: &[(Variable, &Type)]) -> Vec<Standing> {
        let count = self.module.sorts.len();
        let mut leads: Vec<Vec<bool>> = vec![vec![false; count]; count];
        for (_, ty) in variables {
            let Type::Map(keys, value) = ty else { continue };
            let is_field = matches!(keys[..], [Type::Sort(_)]) || self.scope.has_columns(keys);
            let (Some(Type::Sort(from)), true) = (keys.first(), is_field) else { continue };
            for (to, leads) in leads[from.0 as usize].iter_mut().enumerate() {
                *leads |= super::holds(self.module, value, SortId(to as u32));
            }
        }
        for via in 0..count {
            let further = leads[via].clone();
            for from in leads.iter_mut().filter(|from| from[via]) {
                from.iter_mut().zip(&further).for_each(|(leads, further)| *leads |= further);
            }
        }
        let mut sorts: Vec<usize> = (0..count).collect();
        let others = |sort: usize| (0..count).filter(move |&other| other != sort);
        // Sorts with more others behind them come first, so that a sort that leads to itself comes after those that
        // lead to it; equals keep the order of their declaration.
        let behind = |sort: usize| others(sort).filter(|&to| leads[sort][to]).count();
        sorts.sort_by_key(|&sort| std::cmp::Reverse(behind(sort)));
        let standing = |sort: usize| Standing {
            sort: SortId(sort as u32),
            is_alone: !others(sort).any(|to| leads[sort][to] && leads[to][sort]),
            is_led_to: others(sort).any(|from| leads[from][sort]),
        };
        sorts.into_iter().map(standing).collect()
    }

    /// Leaves out the heaps that were checked before.
    fn only_beyond(&mut self, met: &[Vec<Gate>]) {
        let Some(most) = self.scope.heaps.beyond else { return };
        let next = met.iter().filter_map(|met| met.get(most as usize + 1).copied());
        let next: Vec<Gate> = next.collect();
        let is_beyond = self.circuit.or_all(next);
        self.constraints.push(is_beyond);
    }
}

/// The data gathered while the initial state is built.
pub(super) struct State {
    pub(super) met: Vec<Vec<Gate>>,
    widths: FxHashMap<Variable, u32>,
    pub(super) parts: Vec<Initial>,
}

/// A sort among those that lead to each other.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    pub(super) sort: SortId,
    /// Whether it leads to no other that leads back.
    pub(super) is_alone: bool,
    /// Whether another leads to it.
    pub(super) is_led_to: bool,
}

/// A map from atoms, and what it holds at those before the one at hand.
struct Field<'f> {
    variable: Variable,
    from: SortId,
    ty: &'f Type,
    /// How many values it holds at each, if it is an array.
    columns: Option<u32>,
    rows: Vec<Sym>,
}

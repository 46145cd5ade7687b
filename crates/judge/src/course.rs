//! Directed search: what is open becomes what the run compares it with.
//!
//! To enumerate a few values of each type finds no run that needs a particular value in many places, such as a
//! list whose nodes have the numbers that a loop looks for. So a run notes the operands of its comparisons. An
//! operand that is the value of a decision is likely to come from it (input-to-state correspondence: Aschermann et al.
//! 2019), and setting that decision to the other operand, or next to it, makes the comparison come out otherwise. The
//! runs so obtained are tried depth first. A run is only varied further if it has taken a branch more often than
//! any run before (Zalewski's novelty of edges, with exact counts): that is what leads through loops.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use interpret::Site;
use ir::Op;

use crate::limits::{BRANCH_COUNT, COMPARISONS, DIRECTED_RUNS, START_STEPS};
use crate::oracle::Decision;
use crate::search::Attempt;
use crate::witness::Scalar;

/// What a run compared, and where it went.
#[derive(Default)]
pub(crate) struct Course {
    /// The values that decisions led to, by number.
    values: BTreeMap<usize, Scalar>,
    compared: Vec<Compared>,
    /// What the last obligation or promise compared.
    obligation: Option<Compared>,
    /// How often each side of a branch was taken.
    branches: BTreeMap<(Site, bool), u32>,
    /// Whether the run returned.
    pub(crate) has_returned: bool,
}

/// Two values that were compared, and the number of decisions before that.
struct Compared {
    after: usize,
    order: Order,
    left: Scalar,
    right: Scalar,
}

/// How values are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Equal,
    Mask,
    Less { or_equal: bool, is_signed: bool },
}

impl Course {
    pub(crate) fn chose(&mut self, number: usize, value: Scalar) {
        self.values.insert(number, value);
    }

    pub(crate) fn branched(&mut self, site: Site, taken: bool) {
        *self.branches.entry((site, taken)).or_insert(0) += 1;
    }

    pub(crate) fn compared(
        &mut self,
        after: usize,
        op: &Op,
        (left, right): (Scalar, Scalar),
        is_obligation: bool,
    ) {
        let less = |or_equal, is_signed| Order::Less { or_equal, is_signed };
        let order = match op {
            Op::Eq => Order::Equal,
            Op::BvAnd => Order::Mask,
            Op::BvUlt => less(false, false),
            Op::BvUle => less(true, false),
            Op::BvSlt => less(false, true),
            Op::BvSle => less(true, true),
            _ => return,
        };
        let compared = Compared { after, order, left, right };
        if is_obligation {
            self.obligation = Some(compared);
            return;
        }
        if self.compared.len() == 2 * COMPARISONS {
            self.compared.drain(..COMPARISONS);
        }
        self.compared.push(compared);
    }

    /// Values for decisions with which comparisons come out otherwise, in the order of the comparisons; none for
    /// a pointer that is to be another option than null.
    fn changes(&self) -> Vec<(usize, Option<Scalar>)> {
        let mut changes = Vec::new();
        // A run that did not return may have failed the last obligation.
        let failed = self.obligation.iter().filter(|_| !self.has_returned);
        for compared in self.compared.iter().chain(failed) {
            let Compared { after, order, left, right } = *compared;
            for (open, other, is_left) in [(left, right, true), (right, left, false)] {
                for number in self.sources(after, open) {
                    let value = self.values[&number];
                    let null = Scalar::Pointer(0, 0);
                    let wanted = changed(order, open, other, is_left);
                    let change = match wanted.and_then(|wanted| resized(value, open, wanted)) {
                        Some(changed) if changed != value => Some(changed),
                        Some(changed) if changed == null && order == Order::Equal => None,
                        Some(_) | None => continue,
                    };
                    if !changes.contains(&(number, change)) {
                        changes.push((number, change));
                    }
                }
            }
        }
        changes
    }

    /// The decisions that an operand is likely to come from: the last one with this value, and the last one whose
    /// value has another width, as a byte that is compared as an `int`.
    fn sources(&self, after: usize, open: Scalar) -> impl Iterator<Item = usize> {
        let last = |is_one: &dyn Fn(Scalar) -> bool| {
            let made = self.values.range(..after).rev();
            made.into_iter().find(|(_, value)| is_one(**value)).map(|(number, _)| *number)
        };
        let same = last(&|value| value == open);
        let other = last(&|value| value != open && resized(value, open, open) == Some(value));
        same.into_iter().chain(other)
    }
}

/// The value of the width of a decision's value that becomes a wanted one as the decision's value becomes an operand: by
/// zero extension, sign extension or truncation.
fn resized(value: Scalar, operand: Scalar, wanted: Scalar) -> Option<Scalar> {
    let (Scalar::Word(width, bits), Scalar::Word(of, open), Scalar::Word(_, wanted)) =
        (value, operand, wanted)
    else {
        return (value == operand).then_some(wanted);
    };
    if width >= of {
        let is_low = bits & ones(of) == open;
        return is_low.then_some(Scalar::Word(width, bits & !ones(of) | wanted));
    }
    let sign_extended = |bits: u128| match bits >> (width - 1) & 1 {
        1 => bits | ones(of) & !ones(width),
        _ => bits,
    };
    let low = wanted & ones(width);
    let is_zero_extended = bits == open && low == wanted;
    let is_sign_extended = sign_extended(bits) == open && sign_extended(low) == wanted;
    (is_zero_extended || is_sign_extended).then_some(Scalar::Word(width, low))
}

/// A value instead of one of two that are compared, with which the comparison comes out otherwise.
fn changed(order: Order, open: Scalar, other: Scalar, is_left: bool) -> Option<Scalar> {
    match (order, open, other) {
        // A caller's object that has no address yet is one of the options.
        (Order::Equal, Scalar::Pointer(..), Scalar::Pointer(..)) => Some(other),
        (Order::Equal, Scalar::Word(width, bits), Scalar::Word(_, wanted)) => {
            let next = wanted.wrapping_add(1) & ones(width);
            Some(Scalar::Word(width, if bits == wanted { next } else { wanted }))
        }
        (Order::Mask, Scalar::Word(width, bits), Scalar::Word(_, mask)) => {
            let masked = if bits & mask == 0 { bits | mask } else { bits & !mask };
            Some(Scalar::Word(width, masked))
        }
        (Order::Less { or_equal, is_signed }, Scalar::Word(width, bits), Scalar::Word(_, with)) => {
            // Signed words are compared as unsigned ones above their least.
            let least = if is_signed { 1 << (width - 1) } else { 0 };
            let (value, bound) = ((bits ^ least) & ones(width), (with ^ least) & ones(width));
            let is_below = match is_left {
                true => value < bound || or_equal && value == bound,
                false => bound < value || or_equal && value == bound,
            };
            let changed = match (is_below == is_left, or_equal == is_left) {
                // It is to be at least the bound, or above it.
                (true, false) => bound,
                (true, true) => bound.checked_add(1).filter(|value| *value <= ones(width))?,
                // It is to be at most the bound, or below it.
                (false, true) => bound,
                (false, false) => bound.checked_sub(1)?,
            };
            Some(Scalar::Word(width, changed ^ least))
        }
        (Order::Equal | Order::Mask | Order::Less { .. }, ..) => None,
    }
}

fn ones(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The first of several runs that shows something, each of them led by what others compared.
pub(crate) fn first_directed<T>(
    left: &Cell<u64>,
    mut run: impl FnMut(Vec<Decision>) -> Attempt<T>,
) -> Option<T> {
    let mut open = vec![Vec::new()];
    let mut known: BTreeSet<Vec<(usize, Option<Scalar>)>> = BTreeSet::new();
    let mut branches: BTreeMap<(Site, bool), u32> = BTreeMap::new();
    for _ in 0..DIRECTED_RUNS {
        let decisions: Vec<Decision> = open.pop()?;
        let from = decisions.len();
        let attempt = run(decisions);
        if attempt.shown.is_some() {
            return attempt.shown;
        }
        left.set(left.get().saturating_sub(attempt.steps + START_STEPS));
        if left.get() == 0 {
            return None;
        }
        let course = attempt.course?;
        let mut is_new = false;
        for (branch, times) in &course.branches {
            let most = branches.entry(*branch).or_insert(0);
            is_new |= *times > *most && *most < BRANCH_COUNT;
            *most = (*most).max(*times);
        }
        let variants = variants(&course, &attempt.decisions, from, is_new).into_iter();
        let is_unknown = |decisions: &Vec<Decision>| {
            known.insert(decisions.iter().map(|one| (one.chosen, one.instead)).collect())
        };
        open.extend(variants.filter(is_unknown));
    }
    None
}

/// Other decisions than those of a run, the most promising last. Of a run that took no new branch only the last
/// decision is made otherwise.
fn variants(
    course: &Course,
    decisions: &[Decision],
    from: usize,
    is_new: bool,
) -> Vec<Vec<Decision>> {
    let Some(last) = decisions.len().checked_sub(1) else { return Vec::new() };
    let mut variants = Vec::new();
    let mut change = |number: usize, value: Option<Scalar>| {
        let Decision { options, chosen, .. } = decisions[number];
        let changed = match value {
            Some(_) => Decision { options, chosen, instead: value },
            None if chosen + 1 < options => Decision::among(options, chosen + 1),
            None => return,
        };
        variants.push(decisions[..number].iter().copied().chain([changed]).collect());
    };
    let is_open = |number: &usize| decisions[*number].instead.is_none();
    // A run that did not return was likely stopped by what was decided last.
    let is_varied = is_open(&last) && (is_new || !course.has_returned);
    if !is_new {
        if is_varied {
            change(last, None);
        }
        return variants;
    }
    for number in (0..last).filter(is_open).filter(|number| decisions[*number].options == 2) {
        match course.values.get(&number) {
            // What the witness or the program says of memory may be something simple as well.
            Some(Scalar::Word(width, bits)) => {
                let simple = [ones(*width), 1, 0].into_iter().filter(|value| value != bits);
                simple.for_each(|value| change(number, Some(Scalar::Word(*width, value))));
            }
            Some(Scalar::Bool(_) | Scalar::Pointer(..)) | None => change(number, None),
        }
    }
    if is_varied {
        change(last, None);
    }
    let mut changes = course.changes();
    changes.retain(|(number, value)| value.is_some() || is_open(number));
    // The first comparison of what was not settled before leads on; what was settled is left for later.
    let (later, first): (Vec<_>, Vec<_>) =
        changes.into_iter().rev().partition(|(number, _)| *number < from);
    later.into_iter().chain(first).for_each(|(number, value)| change(number, value));
    variants
}

//! Directed search: an open value is set to the value that the execution compares it with.
//!
//! An enumeration of a few values of each type finds no execution that needs a particular value in many places,
//! such as a list whose nodes have the numbers that a loop looks for. So an execution records the operands of its
//! comparisons. An operand that is the value of a decision is likely to come from it (input-to-state
//! correspondence: Aschermann et al. 2019), and setting that decision to the other operand, or next to it, changes
//! the result of the comparison. The executions so obtained are tried depth first. An execution is only varied
//! further if it has taken a branch more often than any execution before (Zalewski's novelty of edges, with exact
//! counts), which leads through loops, or failed where none failed before.
//!
//! The order matters more than the number of executions. The comparison that ended an execution is changed first:
//! the operand of the obligation that it failed, the branch at which it left the path, the bound of a loop that did
//! not end. Then follow comparisons of values that are still open; values that were set before are changed when
//! nothing else is left.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use interpret::Site;
use ir::Op;

use crate::limits::{BARREN_RUNS, BRANCH_COUNT, COMPARISONS, DIRECTED_RUNS, START_STEPS};
use crate::oracle::Choice;
use crate::search::Attempt;
use crate::witness::Scalar;

/// The comparisons and branches of an execution.
#[derive(Default)]
pub(crate) struct Course {
    /// The values that decisions led to, by number.
    values: BTreeMap<usize, Scalar>,
    compared: Vec<Compared>,
    /// The comparison of the last obligation or assumption.
    obligation: Option<Compared>,
    /// How often each side of a branch was taken.
    branches: BTreeMap<(Site, bool), u32>,
    /// How the execution ended.
    pub(crate) end: End,
}

/// How an execution ended.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum End {
    /// It returned.
    Returned,
    /// It failed an obligation at a place, perhaps that a pointer leads to an object.
    Failed {
        /// The place.
        site: Site,
        /// Whether it is about a pointer.
        is_access: bool,
    },
    /// It left the path of the witness.
    #[default]
    Stopped,
    /// It went on for too long.
    Endless,
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

impl Compared {
    /// Whether it found two values equal.
    fn is_of_equal(&self) -> bool {
        self.order == Order::Equal && self.left == self.right
    }

    /// Whether its operands are zero or one, as many values are: where they come from is not known then.
    fn is_common(&self) -> bool {
        [self.left, self.right].iter().all(|operand| match operand {
            Scalar::Word(_, bits) => *bits <= 1,
            Scalar::Bool(_) => true,
            Scalar::Pointer(object, _) => *object == 0,
        })
    }
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

    /// The comparison that ended an execution which did not return: of the obligation that it failed, or of the
    /// branch at which it left the path.
    fn obstacle(&self) -> Option<&Compared> {
        match self.end {
            End::Returned | End::Endless => None,
            End::Failed { is_access, .. } => self.obligation.as_ref().filter(|_| !is_access),
            End::Stopped => self.compared.last(),
        }
    }

    /// Whether the next comparison after a decision found its value equal to another.
    fn is_held(&self, number: usize) -> bool {
        let next = self.compared.iter().find(|compared| compared.after == number + 1);
        let value = self.values.get(&number);
        next.is_some_and(|next| next.is_of_equal() && Some(&next.left) == value)
    }

    /// The decision that a non-terminating execution compared most often: likely the bound of a loop.
    fn bound(&self) -> Option<usize> {
        let mut times: BTreeMap<usize, usize> = BTreeMap::new();
        for Compared { after, left, right, .. } in &self.compared {
            let sources = self.sources(*after, *left).chain(self.sources(*after, *right));
            sources.for_each(|number| *times.entry(number).or_insert(0) += 1);
        }
        let most = times.into_iter().max_by_key(|(_, count)| *count);
        most.map(|(number, _)| number).filter(|_| self.end == End::Endless)
    }

    /// Values for decisions with which comparisons come out otherwise, in the order of the comparisons; none for
    /// a pointer that is to be another option than null.
    fn changes<'c>(
        &self,
        compared: impl IntoIterator<Item = &'c Compared>,
    ) -> Vec<(usize, Option<Scalar>)> {
        let mut changes = Vec::new();
        for compared in compared {
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

/// The first of several executions that shows something, each of them led by what others compared.
pub(crate) fn first_directed<T>(
    left: &Cell<u64>,
    mut run: impl FnMut(Vec<Choice>) -> Attempt<T>,
) -> Option<T> {
    // The lists of choices to try, each with the number of executions on the way to it that were nothing new.
    let mut open: Vec<(Vec<Choice>, u32)> = vec![(Vec::new(), 0)];
    let mut later = Vec::new();
    let mut known: BTreeSet<Vec<(usize, Option<Scalar>)>> = BTreeSet::new();
    let mut branches: BTreeMap<(Site, bool), u32> = BTreeMap::new();
    let mut failures: BTreeSet<Site> = BTreeSet::new();
    let mut runs = 0;
    while let Some((decisions, barren)) =
        open.pop().or_else(|| later.pop()).filter(|_| runs < DIRECTED_RUNS)
    {
        // A variant of several executions is tried when it is most promising, and then no more.
        if !known.insert(decisions.iter().map(|one| (one.chosen, one.instead)).collect()) {
            continue;
        }
        runs += 1;
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
        let mut is_new = match course.end {
            End::Failed { site, .. } => failures.insert(site),
            End::Returned | End::Stopped | End::Endless => false,
        };
        for (branch, times) in &course.branches {
            let most = branches.entry(*branch).or_insert(0);
            is_new |= *times > *most && *most < BRANCH_COUNT;
            *most = (*most).max(*times);
        }
        let barren = if is_new { 0 } else { barren + 1 };
        if barren <= BARREN_RUNS {
            let Variants { promising, settled } =
                variants(&course, &attempt.decisions, from, is_new);
            open.extend(promising.into_iter().map(|decisions| (decisions, barren)));
            later.extend(settled.into_iter().map(|decisions| (decisions, barren)));
        }
    }
    None
}

/// Other decisions than those of an execution, the most promising last.
#[derive(Default)]
struct Variants {
    /// They lead on from where the execution ended.
    promising: Vec<Vec<Choice>>,
    /// They change what was settled before, and are left for when nothing leads on.
    settled: Vec<Vec<Choice>>,
}

/// The variants of an execution. The comparison that ended it is the most promising one. Of an execution that was
/// nothing new only this is changed.
fn variants(course: &Course, decisions: &[Choice], from: usize, is_new: bool) -> Variants {
    let mut variants = Variants::default();
    let Some(last) = decisions.len().checked_sub(1) else { return variants };
    let changed = |&(number, value): &(usize, Option<Scalar>)| -> Option<Vec<Choice>> {
        let Choice { options, chosen, .. } = decisions[number];
        let changed = match value {
            Some(_) => Choice { options, chosen, instead: value },
            None if chosen + 1 < options => Choice::among(options, chosen + 1),
            None => return None,
        };
        Some(decisions[..number].iter().copied().chain([changed]).collect())
    };
    let is_open = |number: &usize| decisions[*number].instead.is_none();
    let is_possible =
        |(number, value): &(usize, Option<Scalar>)| value.is_some() || is_open(number);
    let simple = |number: usize| -> Vec<(usize, Option<Scalar>)> {
        match course.values.get(&number) {
            Some(Scalar::Word(width, bits)) => {
                let simple = [ones(*width), 1, 0].into_iter().filter(|value| value != bits);
                simple.map(|value| (number, Some(Scalar::Word(*width, value)))).collect()
            }
            Some(Scalar::Bool(_) | Scalar::Pointer(..)) | None => vec![(number, None)],
        }
    };
    let mut obstacles = course.changes(course.obstacle());
    obstacles.retain(is_possible);
    obstacles.reverse();
    let bound = course.bound().map(simple).unwrap_or_default();
    if !is_new {
        obstacles.retain(|_| !course.obstacle().is_some_and(Compared::is_common));
        // Without a comparison it was likely what was decided last that stopped the execution.
        let is_varied = obstacles.is_empty() && course.end != End::Returned && is_open(&last);
        let last = is_varied.then_some((last, None));
        let all = last.into_iter().chain(bound).chain(obstacles);
        variants.promising.extend(all.filter_map(|change| changed(&change)));
        return variants;
    }
    // Memory described by the witness or the program may also have simple contents.
    let described = (0..last).filter(is_open).filter(|number| decisions[*number].options == 2);
    let described = described.flat_map(simple);
    // The first comparison of what was not settled before leads on, above all one that found two values different: equality
    // is rare.
    let changes = |of_equal: bool| {
        let compared = course.compared.iter().filter(|compared| compared.is_of_equal() == of_equal);
        let mut changes = course.changes(compared);
        changes.retain(is_possible);
        changes.reverse();
        changes.into_iter().partition::<Vec<_>, _>(|(number, _)| *number < from)
    };
    let ((settled, first), (settled_equal, equal)) = (changes(false), changes(true));
    // A value that was equal as soon as it was decided counts as set, even if by chance.
    let (held, first): (Vec<_>, Vec<_>) =
        first.into_iter().partition(|change| course.is_held(change.0));
    // The value that was set last may satisfy one bound and, through values computed from it, violate another.
    let set = from.checked_sub(1).filter(|number| !is_open(number));
    let set = set.filter(|_| course.obstacle().is_some_and(Compared::is_common));
    let last = is_open(&last).then_some((last, None));
    let promising = equal.into_iter().chain(last).chain(first).chain(bound).chain(obstacles);
    let promising = promising.chain(set.into_iter().flat_map(simple));
    let settled = described.chain(settled_equal).chain(settled).chain(held);
    variants.settled.extend(settled.filter_map(|change| changed(&change)));
    variants.promising.extend(promising.filter_map(|change| changed(&change)));
    variants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_that_is_compared_as_an_int_is_set_as_a_byte() {
        let byte = Scalar::Word(8, 97);
        let wanted = |open: u128, wanted: u128| {
            resized(byte, Scalar::Word(32, open), Scalar::Word(32, wanted))
        };
        assert_eq!(wanted(97, 31), Some(Scalar::Word(8, 31)));
        assert_eq!(wanted(97, 256), None, "it does not fit");
        assert_eq!(wanted(98, 31), None, "it is not the operand");
        let negative = Scalar::Word(8, 0xff);
        let minus_one = Scalar::Word(32, 0xffff_ffff);
        let minus_two = Scalar::Word(32, 0xffff_fffe);
        assert_eq!(resized(negative, minus_one, minus_two), Some(Scalar::Word(8, 0xfe)));
    }

    #[test]
    fn the_low_part_of_a_word_is_set_within_it() {
        let word = Scalar::Word(32, 0x1234);
        let low = resized(word, Scalar::Word(8, 0x34), Scalar::Word(8, 0x35));
        assert_eq!(low, Some(Scalar::Word(32, 0x1235)));
    }
}

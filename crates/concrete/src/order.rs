//! Numbers that are only compared: what is known of their order.
//!
//! A matrix, closed under what follows: if one is at most another, and that is less than a third, then the first is less than
//! the third. All that can be said of such numbers in one heap is whether each of two is less.

/// How a number compares with another, as far as that is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Known {
    Nothing,
    /// It is at most the other.
    AtMost,
    /// It is less than the other.
    Less,
}

/// What is known of the order of some numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Order {
    count: usize,
    known: Vec<Known>,
}

impl Order {
    /// So many numbers of which nothing is known.
    pub(crate) fn new(count: usize) -> Order {
        let mut known = vec![Known::Nothing; count * count];
        (0..count).for_each(|a| known[a * count + a] = Known::AtMost);
        Order { count, known }
    }

    fn known(&self, a: u8, b: u8) -> Known {
        self.known[usize::from(a) * self.count + usize::from(b)]
    }

    /// Whether one is less than another.
    pub(crate) fn less(&self, a: u8, b: u8) -> Option<bool> {
        match (self.known(a, b), self.known(b, a)) {
            (Known::Less, _) => Some(true),
            (_, Known::AtMost | Known::Less) => Some(false),
            _ => None,
        }
    }

    /// Whether they are equal.
    pub(crate) fn equal(&self, a: u8, b: u8) -> Option<bool> {
        match (self.known(a, b), self.known(b, a)) {
            (Known::AtMost, Known::AtMost) => Some(true),
            (Known::Less, _) | (_, Known::Less) => Some(false),
            _ => None,
        }
    }

    /// One is at most another, or less if `strict`; whether that can be.
    pub(crate) fn learn(&mut self, a: u8, b: u8, strict: bool) -> bool {
        let more = if strict { Known::Less } else { Known::AtMost };
        if self.known(a, b) >= more {
            return true;
        }
        if self.known(b, a) == Known::Less || strict && self.known(b, a) == Known::AtMost {
            return false;
        }
        let keys = || 0..self.count as u8;
        let before: Vec<u8> = keys().filter(|&key| self.known(key, a) != Known::Nothing).collect();
        let after: Vec<u8> = keys().filter(|&key| self.known(b, key) != Known::Nothing).collect();
        for &i in &before {
            for &j in &after {
                let known = more.max(self.known(i, a)).max(self.known(b, j));
                let cell = &mut self.known[usize::from(i) * self.count + usize::from(j)];
                *cell = (*cell).max(known);
            }
        }
        true
    }

    /// They differ; whether that can be. Where nothing is known of them, this is not remembered.
    pub(crate) fn differ(&mut self, a: u8, b: u8) -> bool {
        match (self.known(a, b), self.known(b, a)) {
            (Known::AtMost, Known::AtMost) => false,
            (Known::AtMost, Known::Nothing) => self.learn(a, b, true),
            (Known::Nothing, Known::AtMost) => self.learn(b, a, true),
            _ => true,
        }
    }

    /// The numbers in groups of equals, ascending, if the order of all of them is known.
    pub(crate) fn sorted(&self, keys: &[u8]) -> Option<Vec<Vec<u8>>> {
        let mut groups: Vec<Vec<u8>> = Vec::new();
        for &key in keys {
            let mut place = 0;
            let mut same = None;
            for (number, group) in groups.iter().enumerate() {
                if self.equal(group[0], key)? {
                    same = Some(number);
                } else if self.less(group[0], key)? {
                    place = number + 1;
                }
            }
            match same {
                Some(number) => groups[number].push(key),
                None => groups.insert(place, vec![key]),
            }
        }
        Some(groups)
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn what_follows_is_known() {
        let mut order = Order::new(4);
        assert!(order.learn(0, 1, false) && order.learn(2, 3, false));
        assert_eq!(order.less(0, 3), None);
        assert!(order.learn(1, 2, true));
        assert_eq!((order.less(0, 3), order.less(3, 0)), (Some(true), Some(false)));
        assert_eq!((order.less(0, 1), order.less(1, 0)), (None, Some(false)));
        assert!(!order.learn(3, 0, false));
    }

    #[test]
    fn numbers_are_sorted_once_all_is_known() {
        let mut order = Order::new(3);
        assert!(order.learn(2, 0, true));
        assert_eq!(order.sorted(&[0, 1, 2]), None);
        assert!(order.learn(0, 1, false) && order.learn(1, 0, false));
        assert_eq!(order.sorted(&[0, 1, 2]), Some(vec![vec![2], vec![0, 1]]));
        assert!(!order.differ(0, 1));
    }

    #[test]
    fn what_differs_and_is_at_most_is_less() {
        let mut order = Order::new(2);
        assert!(order.learn(0, 1, false) && order.differ(0, 1));
        assert_eq!(order.less(0, 1), Some(true));
    }
}

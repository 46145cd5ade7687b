//! Locks of a hotel that learn new keys from cards.
//!
//! A card carries two keys. A lock whose key is the card's first is recoded to its second; a lock
//! whose key is the second just opens. The desk hands out, at each check-in, a card from the key it
//! last issued for the room to a fresh one, and a guest enters right after checking in. Can
//! somebody enter a room occupied by others? Each step has one event, but events beside the steps
//! are not forbidden, and in one of those a former guest slips in before the lock is recoded. (In
//! Alloy: Jackson, *Software Abstractions*, §E.1.)
//!
//! ```text
//! sig Time {}                                                      -- totally ordered
//! sig Key {}  sig Card {k1, k2: Key}
//! sig Room {key: Key one -> Time, prev: Key lone -> Time, occ: Guest -> Time}
//! sig Guest {holds: Card -> Time}
//! abstract sig Event {pre, post: Time, guest: Guest}
//! abstract sig RoomCardEvent extends Event {room: Room, card: Card}
//! sig Checkin, Enter extends RoomCardEvent {}  sig NormalEnter, RecodeEnter extends Enter {}
//! sig Checkout extends Event {}
//! fact  all t: Time - last | one e: Event | e.pre = t and e.post = t.next
//! check all e: Enter | let occs = occ.(e.pre)[e.room] | some occs => e.guest in occs
//! ```
//!
//! The methods below state what each kind of event requires and changes.

use relational::{Error, Expr, Formula, Logic, TupleSet, all, comprehension, some};

use super::vocabulary::{Order, Vocabulary};
use super::{Expected, Problem};

/// Can somebody enter a room that others occupy? Not with five atoms of each sort; with six, yes.
///
/// # Errors
/// If the scope is zero.
pub fn hotel(logic: &Logic, scope: usize) -> Result<Problem<'_>, Error> {
    let sorts = ["Time", "Event", "Room", "Card", "Key", "Guest"].map(|sort| (sort, scope));
    let (mut vocabulary, sets) = Vocabulary::new(logic, sorts)?;
    let hotel = Hotel::declare(&mut vocabulary, &sets)?;
    let mut facts = hotel.time();
    facts.extend(hotel.declarations());
    facts.extend(hotel.begins());
    facts.extend(hotel.kinds());
    facts.extend(hotel.events());
    facts.extend(hotel.desk());
    let no_bad_entry = all([("e", hotel.enter)], |[e]| {
        let occupants = e.join(hotel.room_of).join(hotel.occupied.join(e.join(hotel.pre)));
        occupants.some().implies(e.join(hotel.guest_of).is_in(occupants))
    });
    Ok(Problem {
        name: format!("hotel, {scope} of each"),
        bounds: vocabulary.bounds(),
        facts,
        goal: !no_bad_entry,
        expected: if scope < 6 { Expected::Unsat } else { Expected::Sat },
        symmetry: None,
    })
}

struct Hotel<'a> {
    time: Order<'a>,
    event: Expr<'a>,
    room: Expr<'a>,
    card: Expr<'a>,
    key: Expr<'a>,
    guest: Expr<'a>,
    pre: Expr<'a>,
    post: Expr<'a>,
    hotel_event: Expr<'a>,
    room_card_event: Expr<'a>,
    enter: Expr<'a>,
    normal_enter: Expr<'a>,
    recode_enter: Expr<'a>,
    checkin: Expr<'a>,
    checkout: Expr<'a>,
    first_key: Expr<'a>,
    second_key: Expr<'a>,
    /// The key in a room's lock, at a time.
    lock: Expr<'a>,
    /// The key last issued for a room, at a time.
    issued: Expr<'a>,
    /// The guests checked in to a room, at a time.
    occupied: Expr<'a>,
    /// The cards a guest holds, at a time.
    holds: Expr<'a>,
    guest_of: Expr<'a>,
    room_of: Expr<'a>,
    card_of: Expr<'a>,
}

impl<'a> Hotel<'a> {
    fn declare(
        vocabulary: &mut Vocabulary<'a>,
        [time, event, room, card, key, guest]: &[TupleSet; 6],
    ) -> Result<Hotel<'a>, Error> {
        let room_keys = room.product(key)?.product(time)?;
        Ok(Hotel {
            time: Order::declare(vocabulary, "Time", time)?,
            event: vocabulary.at_most("Event", event)?,
            room: vocabulary.at_most("Room", room)?,
            card: vocabulary.at_most("Card", card)?,
            key: vocabulary.at_most("Key", key)?,
            guest: vocabulary.at_most("Guest", guest)?,
            pre: vocabulary.at_most("pre", &event.product(time)?)?,
            post: vocabulary.at_most("post", &event.product(time)?)?,
            hotel_event: vocabulary.at_most("HotelEvent", event)?,
            room_card_event: vocabulary.at_most("RoomCardEvent", event)?,
            enter: vocabulary.at_most("Enter", event)?,
            normal_enter: vocabulary.at_most("NormalEnter", event)?,
            recode_enter: vocabulary.at_most("RecodeEnter", event)?,
            checkin: vocabulary.at_most("Checkin", event)?,
            checkout: vocabulary.at_most("Checkout", event)?,
            first_key: vocabulary.at_most("k1", &card.product(key)?)?,
            second_key: vocabulary.at_most("k2", &card.product(key)?)?,
            lock: vocabulary.at_most("key", &room_keys)?,
            issued: vocabulary.at_most("prev", &room_keys)?,
            occupied: vocabulary.at_most("occ", &room.product(guest)?.product(time)?)?,
            holds: vocabulary.at_most("holds", &guest.product(card)?.product(time)?)?,
            guest_of: vocabulary.at_most("guest", &event.product(guest)?)?,
            room_of: vocabulary.at_most("room", &event.product(room)?)?,
            card_of: vocabulary.at_most("card", &event.product(card)?)?,
        })
    }

    /// Times are ordered, and exactly one event leads from each to the next.
    fn time(&self) -> Vec<Formula<'a>> {
        let leads = all([("t", self.time.set - self.time.last)], |[t]| {
            comprehension([("e", self.event)], |[e]| {
                e.join(self.pre).equals(t) & e.join(self.post).equals(t.join(self.time.next))
            })
            .one()
        });
        vec![
            self.time.holds(),
            self.pre.is_function(self.event, self.time.set),
            self.post.is_function(self.event, self.time.set),
            leads,
        ]
    }

    /// The fields of cards, rooms and guests.
    fn declarations(&self) -> Vec<Formula<'a>> {
        let room_keys = self.room.product(self.key).product(self.time.set);
        let room_times = [("r", self.room), ("t", self.time.set)];
        vec![
            self.first_key.is_function(self.card, self.key),
            self.second_key.is_function(self.card, self.key),
            self.lock.is_in(room_keys),
            self.issued.is_in(room_keys),
            self.occupied.is_in(self.room.product(self.guest).product(self.time.set)),
            all(room_times, |[r, t]| r.join(self.lock).join(t).one()),
            all(room_times, |[r, t]| r.join(self.issued).join(t).lone()),
            self.holds.is_in(self.guest.product(self.card).product(self.time.set)),
        ]
    }

    /// At first the desk knows what is in the locks, no two have the same key, and nobody is there.
    fn begins(&self) -> Vec<Formula<'a>> {
        let first = self.time.first;
        let keys = self.lock.join(first);
        vec![
            self.issued.join(first).equals(keys),
            keys.is_in(self.room.product(self.key)),
            all([("k", self.key)], |[k]| keys.join(k).lone()),
            self.holds.join(first).no(),
            self.occupied.join(first).no(),
        ]
    }

    /// Which events there are, and the fields they have.
    fn kinds(&self) -> Vec<Formula<'a>> {
        vec![
            self.hotel_event.equals(self.event),
            self.hotel_event.equals(self.room_card_event + self.checkout),
            (self.room_card_event & self.checkout).no(),
            self.guest_of.is_function(self.hotel_event, self.guest),
            self.room_card_event.is_in(self.hotel_event),
            self.room_card_event.equals(self.checkin + self.enter),
            (self.checkin & self.enter).no(),
            self.room_of.is_function(self.room_card_event, self.room),
            self.card_of.is_function(self.room_card_event, self.card),
            self.checkin.is_in(self.room_card_event),
            self.enter.is_in(self.room_card_event),
            self.enter.equals(self.normal_enter + self.recode_enter),
            (self.normal_enter & self.recode_enter).no(),
            self.normal_enter.is_in(self.enter),
            self.recode_enter.is_in(self.enter),
            self.checkout.is_in(self.hotel_event),
        ]
    }

    /// What each kind of event requires and changes.
    fn events(&self) -> Vec<Formula<'a>> {
        let mut facts = self.each(self.checkin, |e| self.check_in(e));
        facts.extend(self.each(self.enter, |e| {
            let held = e.join(self.guest_of).join(self.holds).join(e.join(self.pre));
            [e.join(self.card_of).is_in(held)]
        }));
        facts.extend(self.each(self.normal_enter, |e| self.enter_normally(e)));
        facts.extend(self.each(self.recode_enter, |e| self.enter_and_recode(e)));
        facts.extend(self.each(self.checkout, |e| self.check_out(e)));
        facts
    }

    /// Each of the formulas holds of every event of the kind.
    fn each<const N: usize>(
        &self,
        kind: Expr<'a>,
        body: impl Fn(Expr<'a>) -> [Formula<'a>; N],
    ) -> Vec<Formula<'a>> {
        (0..N).map(|part| all([("e", kind)], |[e]| body(e)[part])).collect()
    }

    fn before(&self, field: Expr<'a>, event: Expr<'a>) -> Expr<'a> {
        field.join(event.join(self.pre))
    }

    fn after(&self, field: Expr<'a>, event: Expr<'a>) -> Expr<'a> {
        field.join(event.join(self.post))
    }

    fn unchanged(&self, field: Expr<'a>, event: Expr<'a>) -> Formula<'a> {
        self.before(field, event).equals(self.after(field, event))
    }

    /// The guest gets a free room and a card from the key last issued to a new one.
    fn check_in(&self, e: Expr<'a>) -> [Formula<'a>; 6] {
        let (guest, room, card) =
            (e.join(self.guest_of), e.join(self.room_of), e.join(self.card_of));
        let now = e.join(self.pre);
        let issue = room.product(card.join(self.second_key));
        let issued = self.before(self.holds, e) + guest.product(card);
        let moved_in = self.before(self.occupied, e) + room.product(guest);
        [
            room.join(self.occupied).join(now).no(),
            card.join(self.first_key).equals(room.join(self.issued).join(now)),
            self.after(self.holds, e).equals(issued),
            self.after(self.issued, e).equals(self.before(self.issued, e).override_with(issue)),
            self.after(self.occupied, e).equals(moved_in),
            self.unchanged(self.lock, e),
        ]
    }

    /// The card's second key opens the lock.
    fn enter_normally(&self, e: Expr<'a>) -> [Formula<'a>; 5] {
        let in_lock = e.join(self.room_of).join(self.lock).join(e.join(self.pre));
        [
            e.join(self.card_of).join(self.second_key).equals(in_lock),
            self.unchanged(self.issued, e),
            self.unchanged(self.holds, e),
            self.unchanged(self.occupied, e),
            self.unchanged(self.lock, e),
        ]
    }

    /// The card's first key is in the lock and gives way to the second.
    fn enter_and_recode(&self, e: Expr<'a>) -> [Formula<'a>; 5] {
        let (room, card) = (e.join(self.room_of), e.join(self.card_of));
        let in_lock = room.join(self.lock).join(e.join(self.pre));
        let recode = room.product(card.join(self.second_key));
        [
            card.join(self.first_key).equals(in_lock),
            self.after(self.lock, e).equals(self.before(self.lock, e).override_with(recode)),
            self.unchanged(self.issued, e),
            self.unchanged(self.holds, e),
            self.unchanged(self.occupied, e),
        ]
    }

    /// The guest leaves all rooms, having occupied one.
    fn check_out(&self, e: Expr<'a>) -> [Formula<'a>; 5] {
        let guest = e.join(self.guest_of);
        let occupied = self.before(self.occupied, e);
        [
            occupied.join(guest).some(),
            self.after(self.occupied, e).equals(occupied - self.room.product(guest)),
            self.unchanged(self.issued, e),
            self.unchanged(self.holds, e),
            self.unchanged(self.lock, e),
        ]
    }

    /// The desk issues each key once and none that a lock had at first; and who checks in enters
    /// next, unless time is over.
    fn desk(&self) -> Vec<Formula<'a>> {
        let issue = |e: Expr<'a>| e.join(self.card_of).join(self.second_key);
        let at_first = self.room.join(self.lock).join(self.time.first);
        let once = all([("e1", self.checkin), ("e2", self.checkin)], |[e1, e2]| {
            (!e1.equals(e2)).implies(!issue(e1).equals(issue(e2)))
        });
        let new = all([("e", self.checkin)], |[e]| !issue(e).is_in(at_first));
        let enters_next = all([("c", self.checkin - self.pre.join(self.time.last))], |[c]| {
            some([("e", self.enter)], |[e]| {
                e.join(self.pre).equals(c.join(self.post))
                    & e.join(self.room_of).equals(c.join(self.room_of))
                    & e.join(self.guest_of).equals(c.join(self.guest_of))
            })
        });
        vec![once, new, enters_next]
    }
}

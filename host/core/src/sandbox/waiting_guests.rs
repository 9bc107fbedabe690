//! Guests that wait for a person or sleep, counted apart from those that compute.
//!
//! A guest that waits keeps its memory, possibly for days, but not its computing slots: others run in
//! the meantime. How many can wait is limited for each session, for each person and for the host, so
//! that nobody can use up the room of others. A guest over a limit is stopped at once with
//! [`Fault::TooManyWaiting`]; it does not queue, because nothing bounds how long people take.
//!
//! A guest that sleeps gives its computing slots away too, as long as no more than half of the places are
//! taken: sleeping guests never keep others from asking a person. Over that it keeps its slots, which its
//! time limit bounds.

use crate::call::fault::Fault;
use crate::call::stage::Stage;
use crate::sandbox::instance_slots::{ComputingPermit, InstanceSlots, SlotsNeeded};
use crate::sync::lock;
use footlight_vocabulary::item::SessionId;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

/// How many calls can wait for a person at once. Each keeps the memory that its plugin uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaitingLimits {
    /// The most calls of one session.
    pub per_session: u32,
    /// The most calls of one [person](field@crate::Settings::person), in all their sessions together.
    /// Calls without a session are those of [`LOCAL_PERSON`](crate::LOCAL_PERSON).
    pub per_person: u32,
    /// The most calls of the host. A plugin with several memories counts several times. Address space
    /// is reserved for each.
    pub total: u32,
}

impl Default for WaitingLimits {
    fn default() -> Self {
        Self {
            per_session: 64,
            per_person: 128,
            total: 256,
        }
    }
}

/// Whose limit of waiting calls is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WaitingScope {
    /// The limit of the call's session.
    Session,
    /// The limit of the call's person.
    Person,
    /// The limit of the host.
    Host,
}

/// The waiting guests of a host.
#[derive(Debug)]
pub(crate) struct WaitingGuests {
    limits: WaitingLimits,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    by_session: HashMap<SessionId, u32>,
    by_person: HashMap<String, u32>,
    /// Counted in slots.
    total: u32,
}

impl WaitingGuests {
    pub(crate) fn new(limits: WaitingLimits) -> Self {
        Self {
            limits,
            counts: Mutex::default(),
        }
    }

    /// Counts a guest that is about to wait, unless `limits` are reached.
    fn add(
        &self,
        limits: WaitingLimits,
        session: &SessionId,
        person: &str,
        slots: u32,
    ) -> Result<(), Fault> {
        let mut counts = lock(&self.counts);
        let of_session = counts.by_session.get(session).copied().unwrap_or(0);
        let of_person = counts.by_person.get(person).copied().unwrap_or(0);
        for (scope, used, limit) in [
            (WaitingScope::Session, of_session + 1, limits.per_session),
            (WaitingScope::Person, of_person + 1, limits.per_person),
            (WaitingScope::Host, counts.total + slots, limits.total),
        ] {
            if used > limit {
                return Err(Fault::TooManyWaiting { scope, limit });
            }
        }
        *counts.by_session.entry(session.clone()).or_default() += 1;
        *counts.by_person.entry(person.to_owned()).or_default() += 1;
        counts.total += slots;
        Ok(())
    }

    fn remove(&self, session: &SessionId, person: &str, slots: u32) {
        let mut counts = lock(&self.counts);
        subtract_one(&mut counts.by_session, session);
        subtract_one(&mut counts.by_person, person);
        counts.total -= slots;
    }
}

fn subtract_one<K: Hash + Eq + std::borrow::Borrow<Q>, Q: Hash + Eq + ?Sized>(
    counts: &mut HashMap<K, u32>,
    key: &Q,
) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

/// What an admitted guest holds: its computing slots, or a place among the waiting guests. It must
/// outlive the instance, whose memory the slots stand for.
pub(crate) struct Admission {
    slots: Arc<InstanceSlots>,
    needed: SlotsNeeded,
    held: Mutex<Held>,
}

struct Held {
    computing: Option<ComputingPermit>,
    waiting: Option<WaitingPlace>,
}

struct WaitingPlace {
    slots: Arc<InstanceSlots>,
    session: SessionId,
    person: String,
    count: u32,
}

impl Drop for WaitingPlace {
    fn drop(&mut self) {
        let waiting = &self.slots.waiting;
        waiting.remove(&self.session, &self.person, self.count);
    }
}

impl Admission {
    pub(crate) fn new(
        slots: Arc<InstanceSlots>,
        needed: SlotsNeeded,
        permit: ComputingPermit,
    ) -> Self {
        let held = Held {
            computing: Some(permit),
            waiting: None,
        };
        Self {
            slots,
            needed,
            held: Mutex::new(held),
        }
    }

    /// Takes a place among the waiting guests. The guest computes on until [`Waiting::begin`].
    pub(crate) fn reserve(&self, stage: &Stage) -> Result<Waiting<'_>, Fault> {
        self.take_place(stage, self.slots.waiting.limits)
    }

    /// Takes a place for a guest that is about to sleep, if fewer than half of them are taken.
    pub(crate) fn reserve_to_sleep(&self, stage: &Stage) -> Option<Waiting<'_>> {
        let limits = self.slots.waiting.limits;
        let half = WaitingLimits {
            per_session: limits.per_session / 2,
            per_person: limits.per_person / 2,
            total: limits.total / 2,
        };
        self.take_place(stage, half).ok()
    }

    fn take_place(&self, stage: &Stage, limits: WaitingLimits) -> Result<Waiting<'_>, Fault> {
        let waiting = &self.slots.waiting;
        let (session, person) = (stage.session.clone(), stage.person.clone().into_owned());
        // The largest guest can always wait alone.
        let count = self.needed.waiting.min(waiting.limits.total).max(1);
        waiting.add(limits, &session, &person, count)?;
        lock(&self.held).waiting = Some(WaitingPlace {
            slots: Arc::clone(&self.slots),
            session,
            person,
            count,
        });
        Ok(Waiting(self))
    }
}

/// A place among the waiting guests.
pub(crate) struct Waiting<'a>(&'a Admission);

impl Waiting<'_> {
    /// Gives the computing slots to others.
    pub(crate) fn begin(&self) {
        let computing = lock(&self.0.held).computing.take();
        drop(computing);
    }

    /// Waits until the guest can compute again. New calls queue for a bounded time; a guest whose wait
    /// has ended does not give up.
    pub(crate) async fn end(self) {
        let permit = self.0.slots.reacquire(self.0.needed.computing).await;
        lock(&self.0.held).computing = permit;
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut held = lock(&self.0.held);
        // A guest that is dropped while it waits keeps its place until its memory is free.
        if held.computing.is_some() {
            held.waiting = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guests(per_session: u32, per_person: u32, total: u32) -> WaitingGuests {
        WaitingGuests::new(WaitingLimits {
            per_session,
            per_person,
            total,
        })
    }

    #[test]
    fn each_limit_counts_its_own_and_is_free_again_afterwards() {
        let guests = guests(2, 3, 5);
        let [a, b, c, d] = ["a", "b", "c", "d"].map(SessionId::from);
        let refused = |scope, limit| Err(Fault::TooManyWaiting { scope, limit });
        let add = |session: &SessionId, person: &str, slots| {
            guests.add(guests.limits, session, person, slots)
        };
        for _ in 0..3 {
            add(&a, "ada", 1).expect("the first of a session");
            add(&a, "ada", 1).expect("the second");
            assert_eq!(add(&a, "ada", 1), refused(WaitingScope::Session, 2));
            add(&b, "ada", 1).expect("the third of a person");
            assert_eq!(add(&c, "ada", 1), refused(WaitingScope::Person, 3));
            add(&c, "bob", 1).expect("another person");
            assert_eq!(add(&d, "eve", 2), refused(WaitingScope::Host, 5));
            add(&d, "eve", 1).expect("the fifth");
            assert_eq!(add(&d, "eve", 1), refused(WaitingScope::Host, 5));
            for (session, person) in [(&a, "ada"), (&a, "ada"), (&b, "ada"), (&c, "bob")] {
                guests.remove(session, person, 1);
            }
            guests.remove(&d, "eve", 1);
            let counts = lock(&guests.counts);
            assert_eq!(
                (
                    counts.by_session.len(),
                    counts.by_person.len(),
                    counts.total
                ),
                (0, 0, 0),
                "nothing is kept of those that have left"
            );
        }
    }

    #[test]
    fn a_limit_of_zero_admits_nobody() {
        for guests in [guests(0, 9, 9), guests(9, 0, 9), guests(9, 9, 0)] {
            let added = guests.add(guests.limits, &"a".into(), "ada", 1);
            assert!(added.is_err(), "{guests:?}");
        }
    }
}

//! Who may write to a session.

use super::{HOUR, batch, commit, session, text};
use crate::store::{Batch, Store, StoreError};
use footlight_vocabulary::event::EventBody;
use std::sync::Arc;
use std::time::Duration;

pub(super) async fn an_owner_excludes_others_until_it_releases_the_session(store: Arc<dyn Store>) {
    let mine = session(&*store, "a").await;
    let refused = store.claim(&mine.session, "you", HOUR).await;
    assert!(
        matches!(&refused, Err(StoreError::Owned { owner, .. }) if owner == "me"),
        "{refused:?}"
    );
    store.renew(&mine, HOUR).await.expect("still mine");
    // The owner may claim it again, which increments the epoch as well.
    let again = store.claim(&mine.session, "me", HOUR).await.expect("mine");
    assert!(again.epoch > mine.epoch);
    // An old lease cannot release it.
    store.release(&mine).await.expect("no error");
    assert!(store.claim(&mine.session, "you", HOUR).await.is_err());
    store.release(&again).await.expect("released");
    let yours = store.claim(&mine.session, "you", HOUR).await.expect("free");
    assert!(yours.epoch > again.epoch);
    assert_eq!(
        (yours.owner.as_str(), &yours.session),
        ("you", &mine.session)
    );
}

pub(super) async fn an_expired_lease_can_be_claimed_by_another_owner(store: Arc<dyn Store>) {
    let mine = session(&*store, "a").await;
    store.renew(&mine, Duration::ZERO).await.expect("mine");
    // Expired, but nobody else has claimed it.
    commit(&*store, &mine, Batch::default()).await;
    let yours = store.claim(&mine.session, "you", HOUR).await.expect("late");
    assert!(yours.epoch > mine.epoch);
    assert_eq!(store.renew(&mine, HOUR).await, Err(StoreError::LeaseLost));
}

pub(super) async fn an_old_lease_writes_nothing(store: Arc<dyn Store>) {
    let old = session(&*store, "a").await;
    store.renew(&old, Duration::ZERO).await.expect("mine");
    let new = store.claim(&old.session, "you", HOUR).await.expect("late");
    let before = store.open(&old.session).await;
    let put = || batch(vec![EventBody::put(text("t", 1, 1))]);
    assert_eq!(store.commit(&old, put()).await, Err(StoreError::LeaseLost));
    assert_eq!(store.open(&old.session).await, before);
    commit(&*store, &new, put()).await;
    store.release(&new).await.expect("released");
    // A released lease writes nothing either.
    assert_eq!(store.commit(&new, put()).await, Err(StoreError::LeaseLost));
}

pub(super) async fn an_owned_session_is_not_deleted(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let refused = store.delete(&lease.session).await;
    assert!(
        matches!(refused, Err(StoreError::Owned { .. })),
        "{refused:?}"
    );
    assert!(store.open(&lease.session).await.is_ok());
    store.renew(&lease, Duration::ZERO).await.expect("mine");
    store.delete(&lease.session).await.expect("nobody has it");
    let gone = store.commit(&lease, Batch::default()).await;
    assert_eq!(gone, Err(StoreError::NoSession("a".into())));
}

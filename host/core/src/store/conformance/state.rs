//! Plugins' state.

use super::{at, session};
use crate::store::{Bucket, BucketFullError, BucketLimits, Expected, Store};
use std::sync::Arc;

const ROOM: BucketLimits = BucketLimits {
    bytes: 100,
    values: 10,
};

async fn set(
    store: &dyn Store,
    key: &str,
    value: &str,
    expected: Expected,
) -> Result<bool, BucketFullError> {
    let bucket = Bucket::of_person("ada", "todo");
    let set = store.set_state(&bucket, key, Some(value.to_owned()), expected, ROOM);
    set.await.expect("stored")
}

pub(super) async fn a_bucket_is_only_its_owners(store: Arc<dyn Store>) {
    for (key, value) in [("b/2", "2"), ("b/10", "10"), ("a", "\"x\""), ("c", "[]")] {
        let done = set(&*store, key, value, Expected::Absent).await;
        assert_eq!(done, Ok(true));
    }
    let mine = Bucket::of_person("ada", "todo");
    assert_eq!(store.state(&mine, "a").await, Ok(Some("\"x\"".to_owned())));
    assert_eq!(store.state(&mine, "b").await, Ok(None));
    let keys = |prefix: &'static str| store.state_keys(&mine, prefix);
    assert_eq!(keys("b/").await.expect("listed"), ["b/10", "b/2"]);
    assert_eq!(keys("").await.expect("listed"), ["a", "b/10", "b/2", "c"]);
    assert_eq!(keys("x").await, Ok(Vec::new()));
    let session = "a".into();
    for other in [
        Bucket::of_person("bob", "todo"),
        Bucket::of_person("ada", "other"),
        Bucket::of_session("ada", "todo", &session),
        Bucket::of_session("bob", "todo", &session),
    ] {
        assert_eq!(store.state(&other, "a").await, Ok(None));
        assert_eq!(store.state_keys(&other, "").await, Ok(Vec::new()));
        // Each has room of its own, and what one writes changes nothing for the others.
        let value = format!("\"of {}\"", other.person);
        let set = store.set_state(&other, "a", Some(value.clone()), Expected::Absent, ROOM);
        assert_eq!(set.await, Ok(Ok(true)));
        assert_eq!(store.state(&other, "a").await, Ok(Some(value)));
        let remove = store.set_state(&other, "c", None, Expected::Anything, ROOM);
        assert_eq!(remove.await, Ok(Ok(true)));
    }
    assert_eq!(keys("").await.expect("listed"), ["a", "b/10", "b/2", "c"]);
    assert_eq!(store.state(&mine, "a").await, Ok(Some("\"x\"".to_owned())));
}

pub(super) async fn a_value_is_replaced_if_it_is_as_expected(store: Arc<dyn Store>) {
    let value = |json: &str| Expected::Value(json.to_owned());
    let mine = Bucket::of_person("ada", "todo");
    assert_eq!(set(&*store, "k", "0", value("0")).await, Ok(false));
    let first = "{\"a\":1, \"b\":2}";
    assert_eq!(set(&*store, "k", first, Expected::Absent).await, Ok(true));
    assert_eq!(set(&*store, "k", "0", Expected::Absent).await, Ok(false));
    for wrong in ["{}", "{\"a\":1}", "", "{", "{\"a\":1,\"b\":2,\"b\":2}"] {
        let done = set(&*store, "k", "0", value(wrong)).await;
        assert_eq!(done, Ok(false), "{wrong}");
    }
    assert_eq!(store.state(&mine, "k").await, Ok(Some(first.to_owned())));
    // The same value, formatted differently.
    let same = value("{ \"b\": 2, \"a\": 1 }");
    assert_eq!(set(&*store, "k", "3", same).await, Ok(true));
    assert_eq!(set(&*store, "k", "4", Expected::Anything).await, Ok(true));
    let remove = |expected| store.set_state(&mine, "k", None, expected, ROOM);
    assert_eq!(remove(value("3")).await, Ok(Ok(false)));
    assert_eq!(remove(value("4")).await, Ok(Ok(true)));
    assert_eq!(store.state(&mine, "k").await, Ok(None));
    assert_eq!(remove(Expected::Anything).await, Ok(Ok(true)));
}

pub(super) async fn a_full_bucket_takes_no_more(store: Arc<dyn Store>) {
    let large = format!("\"{}\"", "é".repeat(40));
    let done = set(&*store, "k", &large, Expected::Anything).await;
    assert_eq!(done, Ok(true));
    // Counted in bytes, not in characters.
    let more = set(&*store, "l", "\"1234567890123456\"", Expected::Anything).await;
    assert_eq!(more, Err(BucketFullError(ROOM)));
    let fits = set(&*store, "l", "\"12345678901234\"", Expected::Anything).await;
    assert_eq!(fits, Ok(true));
    // An existing value can be replaced, which frees its space.
    for n in 0..8 {
        let done = set(&*store, "k", "1", Expected::Anything).await;
        assert_eq!(done, Ok(true));
        let done = set(&*store, &n.to_string(), "1", Expected::Anything).await;
        assert_eq!(done, Ok(true), "{n}");
    }
    let done = set(&*store, "one more", "1", Expected::Anything).await;
    assert_eq!(done, Err(BucketFullError(ROOM)));
    let mine = Bucket::of_person("ada", "todo");
    let keys = store.state_keys(&mine, "").await.expect("listed");
    assert_eq!(keys.len(), 10);
}

pub(super) async fn the_state_of_a_session_goes_with_it(store: Arc<dyn Store>) {
    let (lease, other) = (session(&*store, "a").await, session(&*store, "b").await);
    let buckets = [("ada", "todo"), ("ada", "notes"), ("bob", "todo")]
        .map(|(person, plugin)| Bucket::of_session(person, plugin, &lease.session));
    let stay = [
        Bucket::of_session("ada", "todo", &other.session),
        Bucket::of_person("ada", "todo"),
        Bucket::of_person("bob", "todo"),
    ];
    let value = || Some("1".to_owned());
    for bucket in buckets.iter().chain(&stay) {
        let set = store.set_state(bucket, "k", value(), Expected::Anything, ROOM);
        assert_eq!(set.await, Ok(Ok(true)));
    }
    store.release(&lease).await.expect("released");
    store.delete(&lease.session).await.expect("deleted");
    for bucket in &buckets {
        assert_eq!(store.state_keys(bucket, "").await, Ok(Vec::new()));
    }
    for bucket in &stay {
        assert_eq!(store.state(bucket, "k").await, Ok(value()));
    }
}

pub(super) async fn a_sweep_deletes_the_state_of_sessions_that_do_not_exist(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let lost = Bucket::of_session("ada", "todo", &"nobody".into());
    let stay = [
        Bucket::of_session("ada", "todo", &lease.session),
        Bucket::of_session("ada", "notes", &lease.session),
        Bucket::of_person("ada", "todo"),
        Bucket::of_person("bob", "todo"),
    ];
    let value = || Some("1".to_owned());
    for bucket in stay.iter().chain([&lost]) {
        let set = store.set_state(bucket, "k", value(), Expected::Anything, ROOM);
        assert_eq!(set.await, Ok(Ok(true)));
    }
    store.sweep(at(0)).await.expect("swept");
    assert_eq!(store.state(&lost, "k").await, Ok(None));
    for bucket in &stay {
        assert_eq!(store.state(bucket, "k").await, Ok(value()));
    }
}

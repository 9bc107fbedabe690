//! The store in memory and the one on disk return the same for every sequence of operations.

use crate::store::conformance::{
    answer, at, batch, call, output, request, row, session, text, turn,
};
use crate::store::*;
use footlight_vocabulary::event::{EventBody, Status};
use footlight_vocabulary::item::Record;
use proptest::prelude::*;
use serde_json::json;

#[derive(Debug, Clone)]
enum Op {
    Create(u8),
    Delete(u8),
    /// Of the session, by this owner, for no time or for long.
    Claim(u8, u8, bool),
    Release(u8),
    /// To the session, with its last lease or the one before.
    Commit(u8, bool, Vec<Write>),
    Settle(u8, i64),
    Output(u8, u8, u8, u8),
    Sweep(i64),
    /// Of the person, or of a session, which may not exist.
    State(Option<u8>, u8, Option<u8>, u8),
}

#[derive(Debug, Clone)]
enum Write {
    Put(u8, u32, u64),
    Remove(u8),
    Turn(u32, bool),
    Call(u8, u32),
    Request(u8, u8, bool, Option<i64>, bool),
    Keep(u8),
    Drop(u8),
    Summary(u32),
    Taint,
}

fn write() -> impl Strategy<Value = Write> {
    prop_oneof![
        4 => (0..4u8, 0..3u32, 0..5u64).prop_map(|(id, n, rev)| Write::Put(id, n, rev)),
        2 => (0..4u8).prop_map(Write::Remove),
        2 => (1..4u32, any::<bool>()).prop_map(|(n, ended)| Write::Turn(n, ended)),
        1 => (0..3u8, 0..3u32).prop_map(|(id, n)| Write::Call(id, n)),
        3 => (0..5u8, 0..3u8, any::<bool>(), prop::option::of(0..20i64), any::<bool>())
            .prop_map(|(id, call, open, until, settled)| Write::Request(id, call, open, until, settled)),
        1 => (0..3u8).prop_map(Write::Keep),
        1 => (0..3u8).prop_map(Write::Drop),
        1 => (0..9u32).prop_map(Write::Summary),
        1 => Just(Write::Taint),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    let writes = prop::collection::vec(write(), 0..5);
    prop_oneof![
        2 => (0..2u8).prop_map(Op::Create),
        1 => (0..2u8).prop_map(Op::Delete),
        3 => (0..2u8, 0..2u8, any::<bool>()).prop_map(|(session, owner, long)| Op::Claim(session, owner, long)),
        1 => (0..2u8).prop_map(Op::Release),
        8 => (0..2u8, prop::bool::weighted(0.9), writes)
            .prop_map(|(session, last, writes)| Op::Commit(session, last, writes)),
        4 => (0..5u8, 0..30i64).prop_map(|(id, at)| Op::Settle(id, at)),
        2 => (0..2u8, 0..3u8, 0..3u8, 1..4u8)
            .prop_map(|(session, n, call, size)| Op::Output(session, n, call, size)),
        1 => (0..40i64).prop_map(Op::Sweep),
        2 => (prop::option::of(0..3u8), 0..3u8, prop::option::of(0..3u8), 0..4u8)
            .prop_map(|(session, key, value, expected)| Op::State(session, key, value, expected)),
    ]
}

fn batch_of(session: u8, writes: &[Write]) -> Batch {
    let session = session.to_string().as_str().into();
    let mut batch = batch(Vec::new());
    for write in writes {
        match *write {
            Write::Put(id, n, rev) => {
                let item = text(&id.to_string(), n, rev);
                batch.events.push(EventBody::put(item));
            }
            Write::Remove(id) => batch.events.push(EventBody::Remove {
                id: id.to_string().into(),
            }),
            Write::Turn(n, ended) => {
                let mut turn = turn(n);
                turn.status = ended.then_some(Status::Done);
                batch.turns.push(turn);
            }
            Write::Call(id, n) => batch.calls.push(call(&id.to_string(), n)),
            Write::Request(id, call, recordable, until, settled) => {
                let mut request = request(&session, &id.to_string(), &call.to_string());
                request.recordable = recordable;
                request.expires = until.map(at);
                request.reply = settled.then(|| answer(json!("in a batch"), 1));
                batch.pending.push(request);
            }
            Write::Keep(call) => batch.keep_outputs.push(call.to_string().into()),
            Write::Drop(call) => batch.drop_calls.push(call.to_string().into()),
            Write::Taint => batch.tainted = true,
            Write::Summary(turn) => {
                batch.summary = Some(Summary {
                    turn,
                    step: 1,
                    text: "short".to_owned(),
                });
            }
        }
    }
    batch
}

/// A store and its leases.
struct Tried<S> {
    store: S,
    leases: Vec<Lease>,
}

impl<S: Store> Tried<S> {
    /// With two sessions that are owned and have a turn, or hardly anything could be done.
    async fn begun(store: S) -> Self {
        let leases = vec![session(&store, "0").await, session(&store, "1").await];
        Self { store, leases }
    }

    fn lease(&self, session: u8, last: bool) -> Option<Lease> {
        let session = session.to_string();
        let mut its = self.leases.iter().rev();
        its.by_ref()
            .filter(|lease| lease.session.as_str() == session)
            .nth(usize::from(!last))
            .cloned()
    }

    /// Applies an operation and returns its result, without the end of a lease, which depends on the clock.
    async fn apply(&mut self, op: &Op) -> String {
        let store = &self.store;
        match op {
            Op::Create(session) => {
                let row = row(&session.to_string());
                format!("{:?}", store.create(row).await)
            }
            Op::Delete(session) => said(store.delete(&session.to_string().into()).await),
            Op::Claim(session, owner, long) => {
                let time = Duration::from_secs(if *long { 3600 } else { 0 });
                let session = session.to_string().into();
                let owner = ["me", "you"][usize::from(*owner)];
                let claimed = store.claim(&session, owner, time).await;
                self.leases.extend(claimed.iter().cloned());
                said(claimed)
            }
            Op::Release(session) => match self.lease(*session, true) {
                Some(lease) => said(store.release(&lease).await),
                None => String::new(),
            },
            Op::Commit(session, last, writes) => match self.lease(*session, *last) {
                Some(lease) => said(store.commit(&lease, batch_of(*session, writes)).await),
                None => String::new(),
            },
            Op::Settle(id, seconds) => {
                let reply = answer(json!("settled"), *seconds);
                said(store.settle(&id.to_string().into(), reply).await)
            }
            Op::Output(session, n, call, size) => {
                let session = session.to_string().as_str().into();
                let size = usize::from(*size) * 30_000;
                let mut row = output(&session, (*n).into(), &call.to_string(), size);
                row.expires = at(i64::from(*n) * 15);
                said(store.put_output(row, vec![*call; size]).await)
            }
            // What is shared on disk is not in memory, so the bytes may differ.
            Op::Sweep(now) => format!("{:?}", store.sweep(at(*now)).await.is_ok()),
            Op::State(session, key, value, expected) => {
                let bucket = bucket(*session);
                let expected = match expected {
                    0 => Expected::Anything,
                    1 => Expected::Absent,
                    n => Expected::Value(format!(" {}", n - 2)),
                };
                let room = BucketLimits {
                    bytes: 5,
                    values: 2,
                };
                let value = value.map(|value| value.to_string());
                let set = store.set_state(&bucket, &key.to_string(), value, expected, room);
                said(set.await)
            }
        }
    }

    /// Returns everything that can be read.
    async fn all(&self) -> Vec<String> {
        let store = &self.store;
        let mut all = vec![
            said(store.sessions(9).await),
            said(store.pending().await),
            said(store.sessions_of("ada", None, 1).await),
            said(store.sessions_of("bob", None, 9).await),
            said(store.pending_of("ada").await),
            said(store.pending_of("bob").await),
            said(store.outputs(None, at(0)).await),
        ];
        for session in [None, Some(0), Some(1), Some(2)] {
            all.push(said(store.state_keys(&bucket(session), "").await));
        }
        for session in ["0", "1"] {
            let session = session.into();
            all.push(said(store.session(&session).await));
            let opened = store.open(&session).await;
            let log = store.log(&session, 0, 999).await;
            if let (Ok(opened), Ok(log)) = (&opened, &log) {
                let record: Record = log.iter().map(|event| &event.what).collect();
                assert_eq!(
                    record.items(),
                    opened.items,
                    "the record is what the log says"
                );
            }
            all.push(said(opened));
            all.push(said(log));
            for n in 0..3 {
                let id = output(&session, n, "", 0).id;
                let read = store.read_output(&session, &id, 29_999, 2, at(0));
                all.push(said(read.await));
            }
        }
        all
    }
}

fn bucket(session: Option<u8>) -> Bucket {
    match session {
        None => Bucket::of_person("ada", "todo"),
        // Session 2 is that of another person.
        Some(session) => {
            let person = if session == 2 { "bob" } else { "ada" };
            Bucket::of_session(person, "todo", &session.to_string().as_str().into())
        }
    }
}

fn said<T: std::fmt::Debug>(result: Result<T, StoreError>) -> String {
    match result {
        Err(StoreError::Owned { owner, .. }) => format!("owned by {owner}"),
        result => format!("{result:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]
    #[test]
    fn both_stores_do_the_same(ops in prop::collection::vec(op(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let folder = tempfile::tempdir().expect("a folder");
            let mut memory = Tried::begun(MemoryStore::new()).await;
            let disk = SqliteStore::open(folder.path()).expect("opens");
            let mut disk = Tried::begun(disk).await;
            for op in &ops {
                prop_assert_eq!(memory.apply(op).await, disk.apply(op).await, "{:?}", op);
            }
            let before = memory.all().await;
            prop_assert_eq!(&before, &disk.all().await);
            // Everything is there after opening the store again.
            drop(disk);
            let store = SqliteStore::open(folder.path()).expect("opens");
            let disk = Tried { store, leases: Vec::new() };
            prop_assert_eq!(&before, &disk.all().await);
            Ok(())
        })?;
    }
}

//! Measures commits per second of the store on disk, with one and with several committers.
//!
//! `cargo run --release --example store_commits -- <folder>`: the folder should be on the disk to
//! measure, and is not deleted.

use footlight::store::{Batch, SessionRow, SqliteStore, Store, StoreError, TurnRow};
use footlight_vocabulary::event::{EventBody, Origin};
use footlight_vocabulary::item::{
    Content, Item, ItemId, Position, SessionId, Text, Timestamp, TurnId,
};
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

const TIME: Duration = Duration::from_secs(5);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).ok_or("name a folder")?;
    let store = Arc::new(SqliteStore::open(folder)?);
    for committers in [1, 4, 16, 64] {
        let tasks: Vec<_> = (0..committers)
            .map(|n| tokio::spawn(commits(Arc::clone(&store), format!("{committers}-{n}"))))
            .collect();
        let mut total = 0;
        for task in tasks {
            total += task.await??;
        }
        let rate = total / TIME.as_secs();
        writeln!(
            std::io::stdout(),
            "{committers:>3} committers: {rate} commits/s"
        )?;
    }
    Ok(())
}

async fn commits(store: Arc<SqliteStore>, name: String) -> Result<u64, StoreError> {
    let session = SessionId::from(name);
    store.create(row(&session)).await?;
    let lease = store
        .claim(&session, "bench", Duration::from_secs(3600))
        .await?;
    let begun = Instant::now();
    let mut done = 0;
    while begun.elapsed() < TIME {
        done += 1;
        let mut batch = Batch::default();
        batch.events = vec![EventBody::put(item(done))];
        if done == 1 {
            batch.turns = vec![turn()];
        }
        store.commit(&lease, batch).await?;
    }
    Ok(done)
}

fn row(id: &SessionId) -> SessionRow {
    SessionRow::new(id.clone(), Timestamp::default())
}

fn turn() -> TurnRow {
    let (id, start) = (TurnId::from("turn"), Timestamp::default());
    TurnRow::new(1, id, "How is the weather?", Origin::Person, start)
}

/// Returns an item of about the size of a widget.
fn item(rev: u64) -> Item {
    Item {
        content: Content::Text(Text {
            text: "x".repeat(500),
            extra: serde_json::Map::new(),
        }),
        id: ItemId::from("text"),
        position: Position::default(),
        rev,
        start: Timestamp::default(),
        end: None,
    }
}

//! Many sessions with several clients each, as `cargo run -p footlight-serve --example load` measures them.

#[path = "../../host/serve/examples/load/clients.rs"]
#[expect(dead_code, reason = "latencies and idle streams are measured by hand")]
mod clients;
#[path = "../../host/serve/examples/load/server.rs"]
mod server;

use clients::{Plan, drive};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_client_of_twenty_sessions_sees_every_event_once_and_in_order() {
    let (sessions, clients) = (20, 4);
    let address = server::start(sessions, 256).await;
    let plan = Plan {
        clients,
        duration: Duration::from_secs(3),
        pause: Duration::from_millis(200),
    };
    let seen = drive(&address, &plan).await;
    assert_eq!(seen.violations, Vec::<String>::new());
    assert!(seen.turns >= sessions as u64, "{}", seen.turns);
    // A turn begins, says something and ends.
    assert!(seen.latencies.len() as u64 >= 3 * seen.turns * clients as u64);
}

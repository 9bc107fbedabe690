//! Accepts connections: how many, how slowly they may send their headers, and how they end.

use crate::App;
use crate::tls::TlsIdentity;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

/// How long a client may take to send the headers of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

/// The most headers of a request, and the most bytes of them together.
const MAX_HEADERS: usize = 64;
const MAX_HEADER_BYTES: usize = 32 << 10;

/// How long open connections have to end when the server shuts down.
const SHUTDOWN: Duration = Duration::from_secs(5);

/// How long to wait after the system refused to accept a connection, for example because too many
/// files are open.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// How long a client may take for the handshake of TLS.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// Where connections come from.
pub(crate) struct Listening {
    pub(crate) listener: TcpListener,
    pub(crate) tls: Option<TlsIdentity>,
    pub(crate) max_connections: usize,
}

/// Serves connections until `closing` turns true, then ends them.
pub(crate) async fn serve(
    listening: Listening,
    router: Router,
    app: Arc<App>,
    mut closing: watch::Receiver<bool>,
) {
    let Listening {
        listener,
        tls,
        max_connections,
    } = listening;
    let slots = Arc::new(Semaphore::new(max_connections));
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = closing.wait_for(|is| *is) => break,
            // Ended ones are forgotten as they end.
            Some(_) = connections.join_next() => continue,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(ACCEPT_RETRY).await;
            continue;
        };
        // Over the limit, a connection is closed at once, and those that are open are served on.
        let Ok(slot) = Arc::clone(&slots).try_acquire_owned() else {
            continue;
        };
        let held = (slot, app.metrics.count_connection());
        let (router, closing) = (router.clone(), closing.clone());
        let acceptor = tls.as_ref().map(TlsIdentity::acceptor);
        connections.spawn(async move {
            let _held = held;
            match acceptor {
                None => serve_one(stream, router, closing).await,
                Some(acceptor) => {
                    let accepted = tokio::time::timeout(HANDSHAKE_TIMEOUT, acceptor.accept(stream));
                    if let Ok(Ok(stream)) = accepted.await {
                        serve_one(stream, router, closing).await;
                    }
                }
            }
        });
    }
    drop(listener);
    let ended = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(SHUTDOWN, ended).await.is_err() {
        connections.abort_all();
    }
}

/// Serves one connection until it ends, or `closing` turns true and its last response is sent.
async fn serve_one<S>(stream: S, router: Router, mut closing: watch::Receiver<bool>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_headers(MAX_HEADERS)
        .max_buf_size(MAX_HEADER_BYTES)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = closing.wait_for(|is| *is) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

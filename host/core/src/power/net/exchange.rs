//! One exchange over one connection: a request, a complete response, and the end of the connection.
//!
//! HTTP/1.1 only, with `connection: close` and without a pool: nothing outlives the request that was
//! authorized. The exchange runs inside the call's future, so that dropping the call closes the
//! connection.

use super::address::AddressKind;
use super::body::Body;
use super::dial::Connection;
use super::headers;
use crate::sandbox::limits::Caps;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Why an exchange has no response. No case holds text of the server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ExchangeError {
    #[error("the host stands for {0}, which cannot be reached by name")]
    Address(AddressKind),
    #[error("the host has no address that can be used")]
    NoAddress,
    #[error("no connection can be made to the host")]
    Unreachable,
    #[error("the certificate of the host {0}")]
    Certificate(&'static str),
    #[error("the host offers no encryption that can be used")]
    Tls,
    #[error("{0}")]
    Setup(String),
    #[error("the host does not answer in time")]
    TimedOut,
    #[error("the response has more than {0} bytes")]
    TooLarge(u64),
    #[error("the response is encoded in a way that was not asked for")]
    Encoding,
    #[error("the connection was closed before the response was complete")]
    Closed,
    #[error("the response is not valid HTTP")]
    Malformed,
}

/// A complete response.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// What has gone over a connection, without what TLS adds.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    sent: AtomicU64,
    received: AtomicU64,
}

impl Traffic {
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    pub(crate) fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    /// Counts what did not go over a connection.
    pub(super) fn count(&self, sent: u64, received: u64) {
        self.sent.fetch_add(sent, Ordering::Relaxed);
        self.received.fetch_add(received, Ordering::Relaxed);
    }
}

/// Sends a request and waits for the complete response.
pub(super) async fn exchange(
    connection: Box<dyn Connection>,
    request: http::Request<Full<Bytes>>,
    traffic: &Arc<Traffic>,
    idle: Duration,
) -> Result<Received, ExchangeError> {
    let counted = Counted {
        connection,
        traffic: Arc::clone(traffic),
    };
    let handshake = http1::Builder::new()
        .max_headers(Caps::RESPONSE_HEADERS)
        .max_header_size(Caps::RESPONSE_HEADER_BYTES)
        .max_buf_size(Caps::RESPONSE_HEADER_BYTES)
        .handshake(TokioIo::new(counted));
    let failed = |error: hyper::Error| classify(&error, traffic);
    let (mut sender, connection) = handshake.await.map_err(failed)?;
    let mut connection = pin!(connection);
    let mut is_closed = false;
    let mut receiving = pin!(async {
        let response = sender.send_request(request).await.map_err(failed)?;
        receive(response, traffic).await
    });
    let mut step = pin!(poll_fn(|context| {
        // The connection moves the bytes of both directions while it is polled.
        if !is_closed && connection.as_mut().poll(context).is_ready() {
            is_closed = true;
        }
        receiving.as_mut().poll(context)
    }));
    loop {
        let before = (traffic.sent(), traffic.received());
        match tokio::time::timeout(idle, step.as_mut()).await {
            Ok(received) => return received,
            Err(_) if (traffic.sent(), traffic.received()) == before => {
                return Err(ExchangeError::TimedOut);
            }
            Err(_) => {}
        }
    }
}

async fn receive(
    response: http::Response<hyper::body::Incoming>,
    traffic: &Traffic,
) -> Result<Received, ExchangeError> {
    let (head, mut incoming) = response.into_parts();
    // No other protocol was asked for.
    if head.status.is_informational() {
        return Err(ExchangeError::Malformed);
    }
    let mut body = Body::new(&head.headers)?;
    while let Some(frame) = incoming.frame().await {
        let frame = frame.map_err(|error| classify(&error, traffic))?;
        // Trailers are not headers: nobody expects them.
        if let Some(piece) = frame.data_ref() {
            body.push(piece)?;
        }
    }
    let mut headers = headers::received(&head.headers);
    if body.is_decoded() {
        headers.retain(|(name, _)| name != "content-encoding" && name != "content-length");
    }
    Ok(Received {
        status: head.status.as_u16(),
        headers,
        body: body.finish()?,
    })
}

fn classify(error: &hyper::Error, traffic: &Traffic) -> ExchangeError {
    if traffic.received() > Caps::RESPONSE_WIRE {
        ExchangeError::TooLarge(Caps::RESPONSE_BODY as u64)
    } else if !error.is_parse() {
        ExchangeError::Closed
    } else if traffic.received() >= Caps::RESPONSE_HEADER_BYTES as u64 {
        // Only the head is parsed.
        ExchangeError::TooLarge(Caps::RESPONSE_HEADER_BYTES as u64)
    } else {
        ExchangeError::Malformed
    }
}

/// A connection that counts, and ends when the server has sent too much.
struct Counted {
    connection: Box<dyn Connection>,
    traffic: Arc<Traffic>,
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.connection).poll_read(context, buffer);
        let added = (buffer.filled().len() - before) as u64;
        let total = self.traffic.received.fetch_add(added, Ordering::Relaxed) + added;
        match total > Caps::RESPONSE_WIRE {
            true => Poll::Ready(Err(io::ErrorKind::FileTooLarge.into())),
            false => read,
        }
    }
}

impl AsyncWrite for Counted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.connection).poll_write(context, bytes);
        if let Poll::Ready(Ok(count)) = written {
            self.traffic.sent.fetch_add(count as u64, Ordering::Relaxed);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_shutdown(context)
    }
}

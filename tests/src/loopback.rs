//! A server on loopback that sends what it is told to, and remembers what it was sent. The tests of
//! `host/core` include this file.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

/// A server, which ends with the test.
pub struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    task: AbortHandle,
}

/// What a server does after it has read a request.
pub enum Then {
    /// It sends these bytes and closes.
    Send(Vec<u8>),
    /// It sends the first bytes, then the second again and again until nobody reads them.
    Repeat(Vec<u8>, Vec<u8>, Duration),
    /// It sends these bytes and then nothing, without closing.
    Hang(Vec<u8>),
    /// It sends these bytes and resets the connection.
    Reset(Vec<u8>),
}

impl Server {
    /// Starts a server that sends these bytes and closes.
    pub async fn sending(bytes: impl Into<Vec<u8>>) -> Self {
        Self::start(Then::Send(bytes.into())).await
    }

    /// Starts a server that does the same on each connection.
    pub async fn start(then: Then) -> Self {
        let then = Arc::new(then);
        Self::serving(move |stream, requests| {
            let then = Arc::clone(&then);
            async move { serve(stream, &then, &requests).await }
        })
        .await
    }

    /// Starts a server that hands each connection to a function.
    ///
    /// # Panics
    /// If there is no free port.
    pub async fn serving<F: Future<Output = ()> + Send + 'static>(
        serve: impl Fn(TcpStream, Arc<Mutex<Vec<String>>>) -> F + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .await
            .expect("a port");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let known = Arc::clone(&requests);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&known)));
            }
        });
        Self {
            address,
            requests,
            task: task.abort_handle(),
        }
    }

    /// Returns its address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Returns what it was sent, one text for each connection.
    pub fn requests(&self) -> Vec<String> {
        lock(&self.requests).clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn lock(requests: &Mutex<Vec<String>>) -> std::sync::MutexGuard<'_, Vec<String>> {
    requests.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(mut stream: TcpStream, then: &Then, requests: &Mutex<Vec<String>>) {
    let request = read_request(&mut stream).await;
    lock(requests).push(request);
    match then {
        Then::Send(bytes) => {
            let _ = stream.write_all(bytes).await;
            let _ = stream.shutdown().await;
        }
        Then::Repeat(first, again, pause) => {
            let _ = stream.write_all(first).await;
            while stream.write_all(again).await.is_ok() {
                if !pause.is_zero() {
                    tokio::time::sleep(*pause).await;
                }
            }
        }
        Then::Hang(bytes) => {
            let _ = stream.write_all(bytes).await;
            // Until the other side closes.
            let _ = stream.read(&mut [0; 64]).await;
        }
        Then::Reset(bytes) => {
            let _ = stream.write_all(bytes).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
            let _ = stream.set_zero_linger();
        }
    }
}

/// Reads the head of a request, and its body if it has a length.
pub async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> String {
    let (mut read, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let count = stream.read(&mut buffer).await.unwrap_or(0);
        read.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&read).into_owned();
        let is_whole = text.split_once("\r\n\r\n").is_some_and(|(head, body)| {
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            body.len() >= length.map_or(0, |length| length.parse().unwrap_or(0))
        });
        if is_whole || count == 0 {
            return text;
        }
    }
}

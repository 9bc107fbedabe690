//! Checks of a running server.

use super::CheckResult;
use crate::conversation::remote::Client;
use crate::data::{self, Data};
use anyhow::{Result, bail};
use serde::Deserialize;
use std::path::PathBuf;
use std::time::Duration;

/// How often the server is asked, to see how long it takes.
const TRIES: usize = 5;

/// What a server says of itself.
#[derive(Deserialize)]
struct ServerInfo {
    version: String,
    model: ModelInfo,
    person: String,
    may: String,
}

#[derive(Deserialize)]
struct ModelInfo {
    name: String,
}

/// Checks a server: whether it runs, is ready, has this version and accepts the token.
pub(super) fn checks(
    url: &str,
    token_file: Option<PathBuf>,
    data: &Data,
) -> Result<Vec<(&'static str, CheckResult)>> {
    let client = Client::new(url, token_file, data)?;
    let runtime = data::runtime()?;
    runtime.block_on(async {
        let health = match latency(&client).await {
            Ok(took) => Ok(format!(
                "{} answers in {:.1} ms",
                client.url(),
                millis(took)
            )),
            Err(error) => return Ok(vec![("server", Err(error))]),
        };
        let ready = client.time("/readyz").await;
        let ready = ready.map(|_| "its store works".to_owned());
        let info = client.get::<ServerInfo>("/api/server").await;
        let (version, token) = match info {
            Ok(info) => {
                let token = format!("that of `{}`, who may {}", info.person, info.may);
                (version(&info), Ok(token))
            }
            Err(error) => {
                let unknown = anyhow::anyhow!("it is told to those with a token only");
                (Err(unknown), Err(error.into()))
            }
        };
        Ok(vec![
            ("server", health),
            ("readiness", ready.map_err(Into::into)),
            ("version", version),
            ("token", token),
        ])
    })
}

/// Returns the median of some round trips.
async fn latency(client: &Client) -> Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..TRIES {
        times.push(client.time("/healthz").await?);
    }
    times.sort();
    Ok(times[TRIES / 2])
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn version(info: &ServerInfo) -> CheckResult {
    let own = env!("CARGO_PKG_VERSION");
    if info.version != own {
        bail!(
            "the server is version {}, and this command {own}; install the same for both",
            info.version
        );
    }
    Ok(format!("{own}, with the model {}", info.model.name))
}

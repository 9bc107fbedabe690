//! `http`: one exchange with a granted host. No host can be granted yet, so every request is
//! denied.

use crate::sandbox::Sandbox;
use crate::sandbox::bindings::footlight::plugin::http::{self, HttpError, Request, Response};
use crate::sandbox::imports::{CancelledError, StageHandle};
use crate::sandbox::journal::{Class, Hashed};
use wasmtime::component::Resource;

impl CancelledError for HttpError {
    fn cancelled() -> Self {
        Self::Cancelled
    }
}

impl http::Host for Sandbox {
    async fn fetch(
        &mut self,
        _: Resource<StageHandle>,
        request: Request,
    ) -> wasmtime::Result<Result<Response, HttpError>> {
        let stage = self.stage()?;
        // Headers and bodies may be confidential, so the journal has only their digests.
        let headers = serde_json::to_vec(&request.headers)?;
        let op = (
            &request.method,
            &request.url,
            Hashed(&headers),
            Hashed(&request.body),
        );
        let effect = async {
            let asked: Vec<String> = stage
                .manifest
                .net
                .iter()
                .map(|rule| rule.host.to_string())
                .collect();
            let asked = if asked.is_empty() {
                "no host at all".to_owned()
            } else {
                asked.join(", ")
            };
            Err(HttpError::Denied(format!(
                "no network was granted to `{}`, whose manifest asks for {asked}; this host cannot grant it yet",
                stage.manifest.id
            )))
        };
        self.act(Class::Read, "http.fetch", &op, effect).await
    }
}

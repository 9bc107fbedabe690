//! `http`: one exchange with a granted host. Waiting for the network is not metered as computing.

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
        let class = match request.method.as_str() {
            "GET" | "HEAD" => Class::Read,
            _ => Class::Write,
        };
        // Headers and bodies may be confidential, so the journal has only their digests.
        let headers = serde_json::to_vec(&request.headers)?;
        let sent = (
            &request.method,
            &request.url,
            Hashed(&headers),
            Hashed(&request.body),
        );
        #[cfg(feature = "http")]
        let effect = {
            let (network, stage) = (self.network()?, self.stage()?);
            let (approval, admission) = (self.approval()?, self.admission()?);
            let request = &request;
            async move { network.fetch(&stage, &approval, &admission, request).await }
        };
        #[cfg(not(feature = "http"))]
        let effect = async {
            let why = "this host was built without a network for plugins; the program that contains it can be built with one";
            Ok(Err(HttpError::Denied(why.to_owned())))
        };
        // A query may be confidential as well.
        let url = request.url.split(['?', '#']).next().unwrap_or_default();
        let op = class.op("http.fetch").about_both(&request.method, url);
        let op = op.sending(request.body.len());
        self.meter.sample();
        let answer = self.act_unless_stopped(op, &sent, effect).await;
        self.meter.resume();
        answer
    }
}

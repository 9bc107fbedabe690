//! A client of registries: the part of the OCI distribution API that fetches and pushes one artifact.
//!
//! `layout` is what an artifact consists of, `auth` answers a registry that wants a login, and
//! `credentials` reads the logins that `docker login` keeps.
//!
//! Invariant: whatever a registry sends is bounded, and counts only if it has the digest that was asked
//! for. A login goes to its own registry, or to the server for tokens of the same site.

mod auth;
mod credentials;
mod layout;

pub(crate) use credentials::Credentials;
pub(crate) use layout::Published;

use super::digest::Sha256;
use super::source::Reference;
use super::transfer::{self, TransferError, authority, checked, is_same_origin, read};
use auth::{Authorization, Challenge};
use layout::{Artifact, MANIFEST_TYPE, MAX_CONFIG, MAX_MANIFEST};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url, header};

/// The header with the digest of a manifest.
const CONTENT_DIGEST: &str = "docker-content-digest";

/// What was fetched.
#[derive(Debug)]
pub(crate) struct Pulled {
    /// The digest of the manifest.
    pub(crate) manifest: Sha256,
    pub(crate) component: Vec<u8>,
    /// The text of a `.minisig` file.
    pub(crate) signature: Option<String>,
}

/// A connection to one repository of a registry.
pub(crate) struct Registry {
    base: Url,
    repository: String,
    http: Client,
    credentials: Option<Credentials>,
    authorization: Authorization,
}

impl Registry {
    /// Creates a client. Nothing is sent yet.
    pub(crate) fn new(
        reference: &Reference,
        credentials: Option<Credentials>,
    ) -> Result<Self, TransferError> {
        let base = reference.base();
        let base = base.ok_or_else(|| TransferError::Unreachable(reference.host.clone()))?;
        Ok(Self {
            http: transfer::client(&base)?,
            repository: reference.repository.clone(),
            base,
            credentials,
            authorization: Authorization::None,
        })
    }

    /// Fetches an artifact.
    pub(crate) async fn pull(&mut self, reference: &Reference) -> Result<Pulled, TransferError> {
        let expected = reference.digest.as_ref();
        let (artifact, manifest) = self.artifact(&reference.wanted(), expected).await?;
        // It is not used, and a registry that cannot keep it keeps nothing else either.
        let (config, size) = &artifact.config;
        self.blob("the configuration", config, *size, MAX_CONFIG)
            .await?;
        let (component, size) = &artifact.component;
        let most = footlight::MAX_BYTES;
        let component = self.blob("the component", component, *size, most).await?;
        Ok(Pulled {
            manifest,
            component,
            signature: artifact.signature,
        })
    }

    /// Returns the digest of the component that a tag has; none if there is no such tag, or only a login that may
    /// push sees it.
    pub(crate) async fn component_of(
        &mut self,
        tag: &str,
    ) -> Result<Option<Sha256>, TransferError> {
        match self.artifact(tag, None).await {
            Ok((artifact, _)) => Ok(Some(artifact.component.0)),
            Err(TransferError::NotFound(_) | TransferError::Unauthorized(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Fetches a manifest by tag or digest, and returns it with its digest.
    async fn artifact(
        &mut self,
        wanted: &str,
        expected: Option<&Sha256>,
    ) -> Result<(Artifact, Sha256), TransferError> {
        let url = self.url(&format!("manifests/{wanted}"))?;
        let request = self.http.get(url.clone());
        let request = request.header(header::ACCEPT, MANIFEST_TYPE);
        let response = checked(self.send(request, &url).await?, &url).await?;
        let content_type = response.headers().get(header::CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok());
        let content_type = content_type.unwrap_or_default().to_owned();
        let said = response.headers().get(CONTENT_DIGEST).cloned();
        let bytes = read(response, &url, "the manifest", MAX_MANIFEST).await?;
        let manifest = Sha256::of(&bytes);
        // A registry that knows the digest of a tag notices what its storage has lost.
        let said = said.and_then(|value| Sha256::parse(value.to_str().ok()?));
        for expected in said.iter().chain(expected) {
            same("the manifest", expected, &manifest)?;
        }
        let artifact = Artifact::read(&bytes, &content_type);
        let artifact = artifact.map_err(|reason| TransferError::Layout {
            host: authority(&self.base),
            reason,
        })?;
        Ok((artifact, manifest))
    }

    /// Fetches a blob of this digest and size.
    async fn blob(
        &mut self,
        what: &'static str,
        digest: &Sha256,
        size: u64,
        most: usize,
    ) -> Result<Vec<u8>, TransferError> {
        let host = authority(&self.base);
        if size > most as u64 {
            return Err(TransferError::TooLarge { what, host, most });
        }
        let url = self.url(&format!("blobs/{digest}"))?;
        let response = self.send(self.http.get(url.clone()), &url).await?;
        let (response, url) = transfer::follow(response, url).await?;
        let size = usize::try_from(size).unwrap_or(most);
        let bytes = read(checked(response, &url).await?, &url, what, size).await?;
        same(what, digest, &Sha256::of(&bytes))?;
        Ok(bytes)
    }

    /// Pushes an artifact under these tags, and returns the digest of its manifest.
    pub(crate) async fn push(
        &mut self,
        published: &Published,
        tags: &[String],
    ) -> Result<Sha256, TransferError> {
        for bytes in [&published.config, &published.component] {
            self.upload(bytes).await?;
        }
        for tag in tags {
            let url = self.url(&format!("manifests/{tag}"))?;
            let request = self.http.put(url.clone());
            let request = request.header(header::CONTENT_TYPE, MANIFEST_TYPE);
            let request = request.body(published.manifest.clone());
            checked(self.send(request, &url).await?, &url).await?;
        }
        Ok(Sha256::of(&published.manifest))
    }

    /// Uploads a blob, unless the registry has it.
    async fn upload(&mut self, bytes: &[u8]) -> Result<(), TransferError> {
        let digest = Sha256::of(bytes);
        let url = self.url(&format!("blobs/{digest}"))?;
        let there = self.send(self.http.head(url.clone()), &url).await?;
        if there.status() == StatusCode::OK {
            return Ok(());
        }
        let url = self.url("blobs/uploads/")?;
        let request = self.http.post(url.clone());
        let request = request.header(header::CONTENT_LENGTH, 0);
        let begun = checked(self.send(request, &url).await?, &url).await?;
        let location = begun.headers().get(header::LOCATION);
        let location = location.and_then(|value| value.to_str().ok());
        let location =
            location.ok_or_else(|| TransferError::NoUploadPlace(authority(&self.base)))?;
        let place = self.base.join(location).ok();
        let place = place.filter(|place| is_same_origin(place, &self.base));
        let mut place = place.ok_or_else(|| TransferError::Redirected {
            from: authority(&self.base),
            to: footlight_render::filter::line(location, 200),
        })?;
        place
            .query_pairs_mut()
            .append_pair("digest", &digest.to_string());
        let request = self.http.put(place.clone());
        let request = request.header(header::CONTENT_TYPE, "application/octet-stream");
        let request = request.body(bytes.to_vec());
        checked(self.send(request, &place).await?, &place).await?;
        Ok(())
    }

    /// Sends a request, once more with a login if the registry wants one.
    async fn send(
        &mut self,
        request: RequestBuilder,
        url: &Url,
    ) -> Result<Response, TransferError> {
        let again = request.try_clone();
        let request = self
            .authorization
            .add_to(request, self.credentials.as_ref());
        let response = transfer::send(request, url).await?;
        let (StatusCode::UNAUTHORIZED, Some(again)) = (response.status(), again) else {
            return Ok(response);
        };
        let Some(challenge) = Challenge::find(response.headers()) else {
            return Ok(response);
        };
        let credentials = self.credentials.as_ref();
        let scope = format!("repository:{}:pull", self.repository);
        let answer = challenge.answer(&self.base, &scope, credentials);
        self.authorization = answer.await?;
        let again = self.authorization.add_to(again, self.credentials.as_ref());
        transfer::send(again, url).await
    }

    fn url(&self, path: &str) -> Result<Url, TransferError> {
        let url = self.base.join(&format!("v2/{}/{path}", self.repository));
        url.map_err(|_| TransferError::Unreachable(authority(&self.base)))
    }
}

/// Checks that what came has the digest that was asked for.
fn same(what: &'static str, expected: &Sha256, found: &Sha256) -> Result<(), TransferError> {
    match expected == found {
        true => Ok(()),
        false => Err(TransferError::Digest {
            what,
            expected: expected.clone(),
            found: found.clone(),
        }),
    }
}

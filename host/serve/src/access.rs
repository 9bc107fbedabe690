//! Who a client is: tokens, login codes, and what each person may do.
//!
//! A token is 256 random bits. The server keeps its SHA-256 alone, in memory and on disk, so that a
//! restart keeps pages signed in and a copy of the file signs nobody in. A page gets its token for a
//! [login code](Tokens::mint_code), which works once and for five minutes.

use crate::App;
use crate::problem::Problem;
use footlight::bounded_file;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use subtle::ConstantTimeEq as _;
use tokio::sync::watch;

/// How long a login code works.
const CODE_LIFETIME: Duration = Duration::from_secs(5 * 60);

/// How many login codes work at once.
const MAX_CODES: usize = 64;

/// How long a token from a login works.
const TOKEN_LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How many tokens from logins are kept. A further login ends the oldest.
const MAX_ISSUED: usize = 256;

/// How often an open stream looks whether its token has expired, so that a clock that was set, and a
/// machine that slept, end no token late.
const EXPIRY_CHECK: Duration = Duration::from_secs(60);

/// The most bytes of a file with tokens.
const MAX_FILE: usize = 1 << 20;

/// What a person may do.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// Read their own sessions and outputs.
    View,
    /// Also start sessions and turns, press buttons, and answer questions.
    Use,
    /// Also decide approvals, and revoke grants.
    Approve,
}

/// A person who has shown a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The name, which sessions and everything else belong to.
    pub person: String,
    /// What the person may do.
    pub may: Permission,
}

impl Identity {
    /// Refuses what this person may not do.
    pub(crate) fn require(&self, needed: Permission) -> Result<(), Problem> {
        match self.may >= needed {
            true => Ok(()),
            false => Err(Problem::forbidden("this token does not permit that")),
        }
    }
}

/// The SHA-256 of a token, a code or the secret of a link.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct SecretHash([u8; 32]);

impl SecretHash {
    pub(crate) fn of(secret: &str) -> Self {
        Self(Sha256::digest(secret.as_bytes()).into())
    }

    pub(crate) fn matches(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl From<SecretHash> for String {
    fn from(hash: SecretHash) -> Self {
        hex(&hash.0)
    }
}

impl TryFrom<String> for SecretHash {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        const INVALID: &str = "a hash is 64 hexadecimal digits: the SHA-256 of the token";
        let is_hex = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex {
            return Err(INVALID);
        }
        let mut hash = [0; 32];
        for (at, byte) in hash.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).map_err(|_| INVALID)?;
        }
        Ok(Self(hash))
    }
}

/// A token that a person can show.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Token {
    hash: SecretHash,
    person: String,
    may: Permission,
    /// When it ends, in milliseconds since 1970; none for one that is configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires: Option<i64>,
}

impl Token {
    fn new(token: &str, identity: Identity, expires: Option<i64>) -> Self {
        Self {
            hash: SecretHash::of(token),
            person: identity.person,
            may: identity.may,
            expires,
        }
    }

    fn identity(self) -> Identity {
        Identity {
            person: self.person,
            may: self.may,
        }
    }
}

/// The tokens of a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenFile {
    #[serde(default)]
    token: Vec<Token>,
}

struct Code {
    hash: SecretHash,
    identity: Identity,
    until: Instant,
}

#[derive(Default)]
struct Issued {
    tokens: Vec<Token>,
    codes: Vec<Code>,
}

/// The tokens of a server.
pub struct Tokens {
    configured: Vec<Token>,
    issued: Mutex<Issued>,
    /// Where tokens from logins are kept.
    file: Option<PathBuf>,
    /// Tells open streams that a token has ended.
    ended: watch::Sender<()>,
}

/// What signing out has done to a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignOut {
    /// It does not work, be it now or already before.
    Ended,
    /// It is configured, and works until whoever runs the server removes it.
    Configured,
}

/// A token that a client has shown, for as long as a stream or a connection is open: it works, or has ended.
#[derive(Clone)]
pub(crate) struct Credential {
    app: Arc<App>,
    hash: SecretHash,
}

impl Credential {
    /// Returns the credential of a token that works, and whose it is.
    pub(crate) fn of(app: &Arc<App>, token: &str) -> Option<(Self, Identity)> {
        let hash = SecretHash::of(token);
        let token = app.tokens.find(&hash)?;
        let app = Arc::clone(app);
        Some((Self { app, hash }, token.identity()))
    }

    /// Reports whether the token still works.
    pub(crate) fn is_live(&self) -> bool {
        self.app.tokens.find(&self.hash).is_some()
    }

    /// Waits until the token works no more: it was signed out, or has expired, or made room for another.
    pub(crate) async fn ended(self) {
        let mut changes = self.app.tokens.ended.subscribe();
        while let Some(token) = self.app.tokens.find(&self.hash) {
            let left = token.expires.map(|expires| expires.saturating_sub(now()));
            let left = left.map(|left| Duration::from_millis(u64::try_from(left).unwrap_or(0)));
            tokio::select! {
                _ = changes.changed() => {}
                () = tokio::time::sleep(left.map_or(EXPIRY_CHECK, |left| left.min(EXPIRY_CHECK))) => {}
            }
        }
    }
}

/// Why tokens cannot be read or kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// The file cannot be read or written.
    #[error("the file with tokens cannot be used")]
    File(#[source] std::io::Error),
    /// The file is not what a file with tokens is.
    #[error("the file with tokens is invalid: {0}")]
    Invalid(String),
    /// The system has no randomness.
    #[error("there is no randomness here")]
    Randomness,
}

impl Tokens {
    /// Creates the tokens of a server that keeps those from logins in a file, or in memory.
    ///
    /// # Errors
    /// When the file exists and cannot be read.
    pub fn new(file: Option<PathBuf>) -> Result<Self, TokenError> {
        let mut tokens = Vec::new();
        if let Some(file) = file.as_deref().filter(|file| file.exists()) {
            tokens = read(file)?;
        }
        let issued = Issued {
            tokens,
            codes: Vec::new(),
        };
        Ok(Self {
            configured: Vec::new(),
            issued: Mutex::new(issued),
            file,
            ended: watch::Sender::default(),
        })
    }

    /// Adds the tokens of a file: a table `[[token]]` for each, with `hash` (the SHA-256 of the token in
    /// hexadecimal digits), `person`, and `may`, which is `view`, `use` or `approve`.
    ///
    /// # Errors
    /// When the file cannot be read, belongs to another user or can be changed by every user, or holds
    /// anything else.
    pub fn configure(&mut self, file: &Path) -> Result<(), TokenError> {
        self.configured.extend(read(file)?);
        Ok(())
    }

    /// Makes a token that works for as long as the server runs, and returns it.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn mint(&mut self, identity: Identity) -> Result<String, TokenError> {
        let token = secret()?;
        self.add(&token, identity);
        Ok(token)
    }

    /// Accepts a token that was made elsewhere.
    pub fn add(&mut self, token: &str, identity: Identity) {
        self.configured.push(Token::new(token, identity, None));
    }

    /// Makes a login code, which works once and for five minutes, and returns it.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn mint_code(&self, identity: Identity) -> Result<String, TokenError> {
        let code = secret()?;
        let mut issued = self.issued();
        let now = Instant::now();
        issued.codes.retain(|code| code.until > now);
        if issued.codes.len() >= MAX_CODES {
            issued.codes.remove(0);
        }
        issued.codes.push(Code {
            hash: SecretHash::of(&code),
            identity,
            until: now + CODE_LIFETIME,
        });
        Ok(code)
    }

    /// Exchanges a login code for a token. The code is used up. Returns none if it does not work.
    ///
    /// # Errors
    /// When the token cannot be kept, or there is no randomness.
    pub fn login(&self, code: &str) -> Result<Option<(String, Identity)>, TokenError> {
        let hash = SecretHash::of(code);
        let mut issued = self.issued();
        let found = issued
            .codes
            .iter()
            .position(|code| code.hash.matches(&hash));
        let Some(code) = found.map(|at| issued.codes.remove(at)) else {
            return Ok(None);
        };
        if code.until <= Instant::now() {
            return Ok(None);
        }
        let token = secret()?;
        let expires = now().saturating_add(TOKEN_LIFETIME.as_millis() as i64);
        let identity = code.identity.clone();
        issued
            .tokens
            .push(Token::new(&token, identity, Some(expires)));
        let surplus = issued.tokens.len().saturating_sub(MAX_ISSUED);
        issued.tokens.drain(..surplus);
        self.ended.send_replace(());
        self.keep(&issued)?;
        Ok(Some((token, code.identity)))
    }

    /// Ends a token from a login. Streams that were opened with it end, too.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub fn logout(&self, token: &str) -> Result<SignOut, TokenError> {
        let hash = SecretHash::of(token);
        let mut issued = self.issued();
        let before = issued.tokens.len();
        issued.tokens.retain(|token| !token.hash.matches(&hash));
        if issued.tokens.len() < before {
            self.ended.send_replace(());
            self.keep(&issued)?;
        }
        drop(issued);
        Ok(match self.find(&hash) {
            Some(_) => SignOut::Configured,
            None => SignOut::Ended,
        })
    }

    /// Returns the token with a hash, if it works. Every known token is compared, in constant time each.
    fn find(&self, hash: &SecretHash) -> Option<Token> {
        let now = now();
        let issued = self.issued();
        let mut found = None;
        for token in self.configured.iter().chain(&issued.tokens) {
            let is_valid = token.expires.is_none_or(|expires| expires > now);
            if token.hash.matches(hash) && is_valid {
                found = Some(token);
            }
        }
        found.cloned()
    }

    /// Returns everybody who has a token.
    pub(crate) fn people(&self) -> BTreeSet<String> {
        let issued = self.issued();
        let tokens = self.configured.iter().chain(&issued.tokens);
        tokens.map(|token| token.person.clone()).collect()
    }

    fn issued(&self) -> MutexGuard<'_, Issued> {
        self.issued.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, issued: &Issued) -> Result<(), TokenError> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let now = now();
        let live = |token: &&Token| token.expires.is_none_or(|expires| expires > now);
        let token = issued.tokens.iter().filter(live).cloned().collect();
        let text = serde_json::to_vec(&TokenFile { token });
        let text = text.map_err(|error| TokenError::Invalid(error.to_string()))?;
        footlight::private_file::replace(file, &[&text]).map_err(TokenError::File)
    }
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokens").finish_non_exhaustive()
    }
}

/// Reads tokens from a file of JSON, which the server writes, or of TOML, which a person does.
fn read(file: &Path) -> Result<Vec<Token>, TokenError> {
    let text = bounded_file::read_trusted(file, MAX_FILE).map_err(TokenError::File)?;
    let read = match text.trim_start().starts_with('{') {
        true => serde_json::from_str::<TokenFile>(&text).map_err(|error| error.to_string()),
        false => toml::from_str::<TokenFile>(&text).map_err(|error| error.to_string()),
    };
    Ok(read.map_err(TokenError::Invalid)?.token)
}

/// Returns 256 random bits in hexadecimal digits.
pub(crate) fn secret() -> Result<String, TokenError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|_| TokenError::Randomness)?;
    Ok(hex(&bytes))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the current time in milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let millis = since.unwrap_or_default().as_millis();
    i64::try_from(millis).unwrap_or(i64::MAX)
}

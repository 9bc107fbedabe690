//! Secret keys in minisign's format: made, opened and used.
//!
//! Invariant: a secret key or its password is printed nowhere and is no argument of a command.

use super::signature::PublicKey;
use crate::data;
use crate::exit::ExitError;
use crate::terminal::keyboard::{Dismissal, HiddenInput, Keyboard};
use crate::terminal::ui::Ui;
use anyhow::{Context, Result, anyhow, bail};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use minisign::{KeyPair, SecretKeyBox};
use std::io::Cursor;
use std::ops::Range;
use std::path::Path;

/// The environment variable with the password of a secret key.
pub(crate) const PASSWORD_VARIABLE: &str = "FOOTLIGHT_KEY_PASSWORD";

/// The most bytes of a file with a secret key or a password.
const MAX_FILE: usize = 4 << 10;

/// The bytes that tell how a secret key is encrypted.
const KDF: Range<usize> = 2..4;

/// The bytes of a secret key, and where its checksum begins.
const LENGTH: usize = 158;
const CHECKSUM: usize = LENGTH - 32;

/// A secret key that can sign.
pub(crate) struct SigningKey {
    secret: minisign::SecretKey,
    /// Its public part, which each signature is checked with.
    pair: minisign::PublicKey,
    public: PublicKey,
}

impl SigningKey {
    /// Reads a secret key from a file that only its owner can read. The password of an encrypted one
    /// comes from a file, the environment or the terminal.
    pub(crate) fn open(path: &Path, password_file: Option<&Path>, ui: &Ui) -> Result<Self> {
        let name = data::display_path(path);
        let text = data::read_private(path, MAX_FILE)?;
        let text = text.ok_or_else(|| {
            ExitError::usage(format!(
                "there is no secret key `{name}`; make one with `footlight publish --new-key {name}`"
            ))
        })?;
        let malformed = || anyhow!("`{name}` is not a secret key in minisign's format");
        let bytes = decoded(&text).ok_or_else(malformed)?;
        let sealed = || SecretKeyBox::from_string(&text).map_err(|_| malformed());
        let secret = match is_encrypted(&bytes).ok_or_else(malformed)? {
            true => {
                let password = password(password_file, &format!("the key `{name}`"), ui)?;
                sealed()?.into_secret_key(Some(password)).map_err(|_| {
                    anyhow!("the key `{name}` cannot be opened: the password is wrong, or the file is damaged")
                })?
            }
            // `minisign -W` writes no checksum.
            false if bytes[CHECKSUM..].iter().all(|byte| *byte == 0) => {
                minisign::SecretKey::from_bytes(&bytes).map_err(|_| malformed())?
            }
            false => sealed()?
                .into_unencrypted_secret_key()
                .map_err(|_| malformed())?,
        };
        Self::of(secret).with_context(|| format!("`{name}`"))
    }

    fn of(secret: minisign::SecretKey) -> Result<Self> {
        let pair = minisign::PublicKey::from_secret_key(&secret);
        let pair = pair.ok().context("the key has no public part")?;
        let public = PublicKey::parse(&pair.to_base64());
        Ok(Self {
            public: public.context("the key has no public part")?,
            secret,
            pair,
        })
    }

    pub(crate) fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Signs bytes, and returns the text of a `.minisig` file that names the public key.
    pub(crate) fn sign(&self, bytes: &[u8], comment: &str) -> Result<String> {
        let untrusted = format!(
            "signature from minisign public key {}",
            self.public.as_str()
        );
        let signed = minisign::sign(
            Some(&self.pair),
            &self.secret,
            Cursor::new(bytes),
            Some(comment),
            Some(&untrusted),
        );
        let signed = signed.map_err(|error| anyhow!("cannot sign: {error}"))?;
        Ok(signed.to_string())
    }
}

/// Makes a key pair: the secret key in `path`, which must be new, the public one beside it with the
/// ending `.pub`. An empty password leaves the secret key unencrypted.
pub(crate) fn make_key(path: &Path, password_file: Option<&Path>, ui: &Ui) -> Result<PublicKey> {
    let public_path = path.with_extension("pub");
    for path in [path, &public_path] {
        if path.symlink_metadata().is_ok() {
            let name = data::display_path(path);
            return Err(ExitError::usage(format!(
                "`{name}` already exists; a key that is lost cannot be made again, so choose another name"
            )));
        }
    }
    let password = new_password(password_file, ui)?;
    let failed = |_| anyhow!("the system gives no random bytes for a key");
    let KeyPair { pk, sk } = match password.is_empty() {
        true => KeyPair::generate_unencrypted_keypair().map_err(failed)?,
        false => KeyPair::generate_encrypted_keypair(Some(password)).map_err(failed)?,
    };
    let public = PublicKey::parse(&pk.to_base64()).context("the key has no public part")?;
    let comment = format!("minisign secret key {}", public.id());
    let secret = sk.to_box(Some(&comment));
    let secret = secret.map_err(|_| anyhow!("the key cannot be written"))?;
    let text = format!(
        "untrusted comment: minisign public key {}\n{}\n",
        public.id(),
        public.as_str()
    );
    // The public key first: alone it is of no use, but also no loss.
    data::write(&public_path, text.as_bytes(), false)?;
    if let Err(error) = data::write(path, secret.to_string().as_bytes(), false) {
        let _ = std::fs::remove_file(&public_path);
        return Err(error);
    }
    Ok(public)
}

/// Decodes the text of a secret key; none if it is not of the right length.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let bytes = BASE64_STANDARD.decode(text.lines().nth(1)?.trim()).ok()?;
    (bytes.len() == LENGTH).then_some(bytes)
}

/// Reports whether a secret key is encrypted; none if it says neither.
fn is_encrypted(bytes: &[u8]) -> Option<bool> {
    match bytes.get(KDF)? {
        b"Sc" => Some(true),
        [0, 0] => Some(false),
        _ => None,
    }
}

/// Finds the password of an encrypted key.
fn password(file: Option<&Path>, what: &str, ui: &Ui) -> Result<String> {
    if let Some(password) = given_password(file)? {
        return Ok(password);
    }
    let typed = typed_password(
        &format!("the password of {what} (not shown as you type):"),
        ui,
    )?;
    typed.ok_or_else(|| missing_password(what))
}

fn missing_password(what: &str) -> anyhow::Error {
    ExitError::needs_person(format!(
        "{what} needs a password; name a file with `--password-file`, or set {PASSWORD_VARIABLE}"
    ))
}

/// Finds the password of a new key, which is typed twice.
fn new_password(file: Option<&Path>, ui: &Ui) -> Result<String> {
    if let Some(password) = given_password(file)? {
        return Ok(password);
    }
    let ask = |prompt: &str| -> Result<String> {
        typed_password(prompt, ui)?.ok_or_else(|| missing_password("a new key"))
    };
    let first = ask("a password for the new key (not shown as you type; empty for none):")?;
    if !first.is_empty() && ask("the same password again:")? != first {
        bail!("the two passwords differ; nothing was written");
    }
    Ok(first)
}

/// Reads the password that a file or the environment gives.
fn given_password(file: Option<&Path>) -> Result<Option<String>> {
    if let Some(file) = file {
        let text = data::read_text(file, MAX_FILE)?;
        let line = text.strip_suffix('\n').unwrap_or(&text);
        return Ok(Some(line.strip_suffix('\r').unwrap_or(line).to_owned()));
    }
    match std::env::var(PASSWORD_VARIABLE) {
        Ok(password) => Ok(Some(password)),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => bail!("{PASSWORD_VARIABLE} is not text"),
    }
}

/// Prompts for a password; none if nobody can be asked.
fn typed_password(prompt: &str, ui: &Ui) -> Result<Option<String>> {
    if !ui.can_ask {
        return Ok(None);
    }
    ui.end_partial_line();
    let _hidden = HiddenInput::begin().context("cannot read from the terminal")?;
    ui.note(prompt);
    let typed = Keyboard::new(Dismissal::default()).read_hidden_line();
    Ok(Some(typed.context("cannot read from the terminal")?))
}

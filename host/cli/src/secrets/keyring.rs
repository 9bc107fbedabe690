//! The keyring of the operating system, behind the feature `keyring`.
//!
//! On Linux it is a service on D-Bus, which may be absent, locked, or not answer. Each use runs on a
//! thread of its own and is given up after [`TIMEOUT`].

use anyhow::Result;

#[cfg(feature = "keyring")]
mod system {
    use anyhow::{Result, bail};
    use keyring_core::{CredentialStore, Entry, Error};
    use std::sync::Arc;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    /// How long the keyring may take. A person may have to unlock it.
    const TIMEOUT: Duration = Duration::from_secs(30);

    /// The name under which the keyring lists our secrets.
    const SERVICE: &str = "footlight";

    #[cfg(target_os = "macos")]
    fn store() -> Result<Arc<CredentialStore>, Error> {
        Ok(apple_native_keyring_store::keychain::Store::new()?)
    }

    #[cfg(windows)]
    fn store() -> Result<Arc<CredentialStore>, Error> {
        Ok(windows_native_keyring_store::Store::new()?)
    }

    #[cfg(not(any(target_os = "macos", windows)))]
    fn store() -> Result<Arc<CredentialStore>, Error> {
        Ok(zbus_secret_service_keyring_store::Store::new()?)
    }

    /// Does something with the entry of a secret, on another thread.
    pub(super) fn with_entry<T: Send + 'static>(
        plugin: &str,
        name: &str,
        act: impl FnOnce(&Entry) -> Result<T, Error> + Send + 'static,
    ) -> Result<T> {
        let user = format!("{plugin}.{name}");
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let done = store()
                .and_then(|store| store.build(SERVICE, &user, None))
                .and_then(|entry| act(&entry));
            // Nobody waits any more if it took too long.
            let _ = sender.send(done);
        });
        match receiver.recv_timeout(TIMEOUT) {
            Ok(Ok(done)) => Ok(done),
            // Other errors may contain the value.
            Ok(Err(Error::NoEntry)) => bail!("the keyring has no such secret; set it again"),
            Ok(Err(Error::BadEncoding(_) | Error::BadDataFormat(..))) => {
                bail!("the keyring has no text under this name; set the secret again")
            }
            Ok(Err(error)) => {
                bail!("the keyring cannot be used: {error}; `--store file` needs none")
            }
            Err(_) => bail!(
                "the keyring did not answer within {} seconds; `--store file` needs none",
                TIMEOUT.as_secs()
            ),
        }
    }
}

#[cfg(feature = "keyring")]
pub(super) fn get(plugin: &str, name: &str) -> Result<String> {
    system::with_entry(plugin, name, keyring_core::Entry::get_password)
}

#[cfg(feature = "keyring")]
pub(super) fn set(plugin: &str, name: &str, value: String) -> Result<()> {
    system::with_entry(plugin, name, move |entry| entry.set_password(&value))
}

/// Removes a value. One that is not there is removed already.
#[cfg(feature = "keyring")]
pub(super) fn remove(plugin: &str, name: &str) -> Result<()> {
    system::with_entry(plugin, name, |entry| match entry.delete_credential() {
        Err(keyring_core::Error::NoEntry) => Ok(()),
        removed => removed,
    })
}

#[cfg(not(feature = "keyring"))]
fn absent<T>() -> Result<T> {
    Err(crate::exit::ExitError::usage(
        "this build of footlight does not use the keyring; install it with `--features keyring`, or choose `--store file`",
    ))
}

#[cfg(not(feature = "keyring"))]
pub(super) fn get(_: &str, _: &str) -> Result<String> {
    absent()
}

#[cfg(not(feature = "keyring"))]
pub(super) fn set(_: &str, _: &str, _: String) -> Result<()> {
    absent()
}

#[cfg(not(feature = "keyring"))]
pub(super) fn remove(_: &str, _: &str) -> Result<()> {
    absent()
}

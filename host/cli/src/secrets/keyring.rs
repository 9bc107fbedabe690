//! The keyring of the operating system, behind the feature `keyring`.
//!
//! On Linux it is a service on D-Bus, which may be absent, locked, or not answer. Each use runs on a
//! thread of its own and is given up after some time.

use anyhow::Result;

#[cfg(any(feature = "keyring", test))]
mod bounded {
    use anyhow::{Result, bail};
    use std::sync::mpsc::channel;
    use std::time::Duration;

    /// Does something on another thread, and gives it up after this time.
    ///
    /// # Errors
    /// When it takes longer. The thread then ends whenever what it waits for does.
    pub(super) fn within<T: Send + 'static>(
        limit: Duration,
        act: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            // Nobody waits any more if it took too long.
            let _ = sender.send(act());
        });
        let Ok(done) = receiver.recv_timeout(limit) else {
            bail!(
                "the keyring did not answer within {limit:?}; unlock it and try again, or keep the \
                 secret in a file with `footlight secrets set PLUGIN NAME --store file`"
            );
        };
        Ok(done)
    }
}

#[cfg(feature = "keyring")]
mod system {
    use super::bounded::within;
    use anyhow::{Result, bail};
    use keyring_core::{CredentialStore, Entry, Error};
    use std::sync::Arc;
    use std::time::Duration;

    /// How long a value can take while a call waits for it: as long as the host waits.
    pub(super) const WHILE_CALLING: Duration = Duration::from_secs(5);

    /// How long it can take otherwise. A person may have to unlock the keyring.
    pub(super) const AT_LEISURE: Duration = Duration::from_secs(30);

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

    /// Does something with the entry of a secret.
    pub(super) fn with_entry<T: Send + 'static>(
        plugin: &str,
        name: &str,
        limit: Duration,
        act: impl FnOnce(&Entry) -> Result<T, Error> + Send + 'static,
    ) -> Result<T> {
        let user = format!("{plugin}.{name}");
        let done = within(limit, move || {
            let store = store()?;
            act(&store.build(SERVICE, &user, None)?)
        });
        match done? {
            Ok(done) => Ok(done),
            // Other errors may contain the value.
            Err(Error::NoEntry) => bail!("the keyring has no such secret; set it again"),
            Err(Error::BadEncoding(_) | Error::BadDataFormat(..)) => {
                bail!("the keyring has no text under this name; set the secret again")
            }
            Err(error) => bail!("the keyring cannot be used: {error}; `--store file` needs none"),
        }
    }
}

#[cfg(feature = "keyring")]
pub(super) fn get(plugin: &str, name: &str) -> Result<String> {
    let limit = system::WHILE_CALLING;
    system::with_entry(plugin, name, limit, keyring_core::Entry::get_password)
}

#[cfg(feature = "keyring")]
pub(super) fn set(plugin: &str, name: &str, value: String) -> Result<()> {
    let limit = system::AT_LEISURE;
    system::with_entry(plugin, name, limit, move |entry| entry.set_password(&value))
}

/// Removes a value. One that is not there is removed already.
#[cfg(feature = "keyring")]
pub(super) fn remove(plugin: &str, name: &str) -> Result<()> {
    let limit = system::AT_LEISURE;
    system::with_entry(plugin, name, limit, |entry| {
        match entry.delete_credential() {
            Err(keyring_core::Error::NoEntry) => Ok(()),
            removed => removed,
        }
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

#[cfg(test)]
mod tests {
    use super::bounded::within;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    #[test]
    fn a_keyring_that_hangs_is_given_up_with_a_remedy() {
        // It hangs until the test has ended.
        let (_alive, hangs) = channel::<()>();
        let error = within(Duration::from_millis(20), move || hangs.recv().is_ok());
        let error = error.expect_err("takes too long").to_string();
        for said in [
            "did not answer within 20ms",
            "unlock it",
            "footlight secrets set PLUGIN NAME --store file",
        ] {
            assert!(error.contains(said), "{error}");
        }
        let quick = within(Duration::from_secs(60), || "value");
        assert_eq!(quick.expect("answers"), "value");
    }
}

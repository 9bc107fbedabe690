//! Sweeps the store while a host is in use, so that what has expired does not stay on disk.

use super::{Host, HostInner};
use crate::call::stage::now;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// The time between two sweeps.
const INTERVAL: Duration = Duration::from_secs(60);

impl Host {
    /// Starts sweeping, at once and then periodically until the host is dropped. Does nothing from
    /// the second time on.
    pub(crate) fn start_sweeping(&self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if self.0.sweeping.swap(true, Ordering::Relaxed) {
            return;
        }
        let sweeper = Sweeper(Arc::downgrade(&self.0));
        runtime.spawn(async move {
            loop {
                let Some(host) = sweeper.0.upgrade() else {
                    return;
                };
                let (store, sweep) = (Arc::clone(&host.store), Arc::clone(&host.sweep));
                let sweeping = sweep.lock().await;
                if host.shut_down.load(Ordering::SeqCst) {
                    return;
                }
                // A sweep does not keep its host.
                drop(host);
                if let Err(error) = store.sweep(now()).await {
                    tracing::warn!(%error, "the store could not be swept");
                }
                drop(sweeping);
                drop(store);
                tokio::time::sleep(INTERVAL).await;
            }
        });
    }
}

/// Marks that a host is being swept. A runtime may end before its host: then another one can start.
struct Sweeper(Weak<HostInner>);

impl Drop for Sweeper {
    fn drop(&mut self) {
        if let Some(host) = self.0.upgrade() {
            host.sweeping.store(false, Ordering::Relaxed);
        }
    }
}

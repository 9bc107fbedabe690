//! Suspending turns: what runs is dropped, what waits for a person stays pending in the store, and any
//! host can resume at once.

use super::driver::Signal;
use super::{FollowError, Session, SessionInner};
use crate::host::Host;
use crate::store::StoreError;
use crate::sync::lock;
use futures_util::future::join_all;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long suspending waits for a turn to stop. A guest stops within milliseconds; a native tool that
/// blocks its thread, or a store that does not answer, may not.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Why a turn could not be suspended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SuspendError {
    /// The turn did not stop in ten seconds. Its session stays locked until it does, or its lease expires.
    #[error("the turn of `{0}` has not stopped in time; its session stays locked until it does")]
    TimedOut(footlight_vocabulary::item::SessionId),
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
}

impl Session {
    /// Suspends the running turn, and returns when it has stopped and another process can resume the
    /// session. Does nothing if no turn is running.
    ///
    /// A turn that is suspended is not cancelled: questions of the model and approval requests stay
    /// pending and can be answered meanwhile, and [`resume`](Self::resume) continues, here or elsewhere,
    /// as it does after a crash. A call that had begun is dropped: it is run again if it only reads, and
    /// ends as interrupted otherwise. Whoever follows the session gets [`FollowError::Suspended`].
    ///
    /// # Errors
    /// When the turn does not stop within ten seconds, or the store fails. Then the session can be resumed
    /// elsewhere once its lease has expired.
    pub async fn suspend(&self) -> Result<(), SuspendError> {
        self.inner.suspend().await
    }
}

impl Host {
    /// Shuts the host down: suspends the running turns of all sessions, and returns when they have
    /// stopped and every session can be resumed by another host.
    ///
    /// From now on, turns are refused with [`TurnError::ShutDown`](super::TurnError::ShutDown) and calls
    /// fail with [`FailureCode::Unavailable`]. Calls outside of sessions that run already are their
    /// caller's, to drop or to await. The record can still be read, and requests can still be settled.
    ///
    /// # Errors
    /// When a turn does not stop within ten seconds, or the store fails. The other turns have been suspended
    /// nevertheless.
    ///
    /// [`FailureCode::Unavailable`]: footlight_vocabulary::failure::FailureCode::Unavailable
    pub async fn shutdown(&self) -> Result<(), SuspendError> {
        self.0.shut_down.store(true, Ordering::SeqCst);
        let sessions = self.0.sessions.all();
        let suspended = join_all(sessions.iter().map(|session| session.suspend())).await;
        // A sweep that had begun is the last; it works in small steps, and what is left is left to others.
        let _ = tokio::time::timeout(MAX_WAIT, self.0.sweep.lock()).await;
        suspended.into_iter().collect()
    }

    pub(crate) fn is_shut_down(&self) -> bool {
        self.0.shut_down.load(Ordering::SeqCst)
    }
}

impl SessionInner {
    async fn suspend(&self) -> Result<(), SuspendError> {
        let mut end = {
            let running = lock(&self.running);
            let Some(running) = &*running else {
                return Ok(());
            };
            // A cancelled turn ends anyway, and each of its calls gets a result.
            running.signal.send_if_modified(|signal| {
                let runs = *signal == Signal::Run;
                if runs {
                    *signal = Signal::Suspend;
                }
                runs
            });
            running.end.clone()
        };
        let ended = tokio::time::timeout(MAX_WAIT, end.wait_for(Option::is_some)).await;
        match ended {
            Err(_) => Err(SuspendError::TimedOut(self.id.clone())),
            Ok(Ok(ended)) => match &*ended {
                Some(Err(FollowError::Store(error))) => Err(SuspendError::Store(error.clone())),
                _ => Ok(()),
            },
            // The runtime has dropped the turn.
            Ok(Err(_)) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Finished, Model, Request, Step};
    use crate::session::{RunningTurn, Settings};
    use tokio::sync::watch;

    struct Silent;

    impl Model for Silent {
        fn name(&self) -> &str {
            "silent"
        }

        fn step(&self, _: Request) -> Step {
            Step::finished(Finished::default())
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_that_does_not_stop_is_not_awaited_for_ever() {
        let host = Host::builder().build().expect("builds");
        let session = host.session(Settings::new(Silent)).await;
        let session = session.expect("a session");
        let (signal, told) = watch::channel(Signal::Run);
        let (_ended, end) = watch::channel(None);
        *lock(&session.inner.running) = Some(RunningTurn { signal, end });
        let late = Err(SuspendError::TimedOut(session.id().clone()));
        assert_eq!(session.suspend().await, late);
        assert_eq!(*told.borrow(), Signal::Suspend);
        assert_eq!(host.shutdown().await, late);
        *lock(&session.inner.running) = None;
        assert_eq!(host.shutdown().await, Ok(()));
    }
}

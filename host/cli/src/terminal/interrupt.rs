//! Ctrl-C: the first ends what goes on, the second ends us. And Ctrl-Z, once we go on after it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Whether we were stopped, and nobody asked yet.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Whether we were stopped, and go on, since this was asked last.
pub(crate) fn was_stopped() -> bool {
    STOPPED.swap(false, Ordering::Relaxed)
}

/// Who hears of Ctrl-C.
#[derive(Clone, Default)]
pub(crate) struct Interrupts(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// Ends what goes on; nothing once it was told to.
    end: Option<Box<dyn FnOnce() + Send>>,
    /// Whether another program hears of it, and we do not.
    held: bool,
}

/// While it lives, Ctrl-C is another program's.
pub(crate) struct Held(Interrupts);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.state().held = false;
    }
}

impl Interrupts {
    /// Listens from now on.
    pub(crate) fn watch() -> Self {
        static WATCH: OnceLock<Interrupts> = OnceLock::new();
        WATCH.get_or_init(Self::start).clone()
    }

    fn start() -> Self {
        let interrupts = Self::default();
        let heard = interrupts.clone();
        // On a thread of its own: all others may be busy.
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_io()
                .build();
            let Ok(runtime) = runtime else { return };
            runtime.block_on(async {
                #[cfg(unix)]
                tokio::spawn(hear_of_stops());
                while tokio::signal::ctrl_c().await.is_ok() {
                    if !heard.end() {
                        std::process::exit(130);
                    }
                }
            });
        });
        interrupts
    }

    /// What the next Ctrl-C does. The one after it quits.
    pub(crate) fn during(&self, end: impl FnOnce() + Send + 'static) {
        self.state().end = Some(Box::new(end));
    }

    /// Leaves Ctrl-C to another program for a while.
    pub(crate) fn held(&self) -> Held {
        self.state().held = true;
        Held(self.clone())
    }

    fn end(&self) -> bool {
        if self.state().held {
            return true;
        }
        let end = self.state().end.take();
        end.map(|end| end()).is_some()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // What is behind the lock is put down whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notes every time that we go on.
#[cfg(unix)]
async fn hear_of_stops() {
    use tokio::signal::unix::{SignalKind, signal};
    let goes_on = SignalKind::from_raw(rustix::process::Signal::CONT.as_raw());
    // Where it cannot be heard of, lines of others may be drawn over: no more than that.
    let Ok(mut goes_on) = signal(goes_on) else {
        return;
    };
    while goes_on.recv().await.is_some() {
        STOPPED.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn the_first_ends_what_goes_on_and_the_second_finds_nothing_to_end() {
        let (interrupts, ended) = (Interrupts::default(), Arc::new(AtomicU32::new(0)));
        assert!(!interrupts.end());
        let counted = Arc::clone(&ended);
        interrupts.during(move || {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        assert!(interrupts.end());
        assert!(!interrupts.end());
        assert_eq!(ended.load(Ordering::Relaxed), 1);
        let held = interrupts.held();
        assert!(interrupts.end());
        drop(held);
        assert!(!interrupts.end());
    }
}

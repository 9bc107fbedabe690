//! Signals: the first Ctrl-C cancels the current operation, the second quits. Also notes when the
//! process continues after Ctrl-Z.
//!
//! Where the mode of the terminal is changed, [`guard_terminal`] sets it back before any signal ends the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Whether the process was suspended since [`was_suspended`] was last called.
static SUSPENDED: AtomicBool = AtomicBool::new(false);

/// Returns true once after the process was suspended (SIGTSTP) and continued.
pub(crate) fn was_suspended() -> bool {
    SUSPENDED.swap(false, Ordering::Relaxed)
}

/// Sets the terminal back to how it is now before a signal ends the process: Ctrl-C, Ctrl-\\, SIGTERM or SIGHUP.
/// Until this is called, the last three end it as they do any program, so that one under `nohup` goes on.
#[cfg(unix)]
pub(crate) fn guard_terminal() {
    use std::sync::Once;
    static GUARD: Once = Once::new();
    super::keyboard::remember_mode();
    Interrupts::watch();
    GUARD.call_once(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build();
        let Ok(runtime) = runtime else { return };
        // On this thread, so that the handlers are installed when this returns.
        let installed = {
            let _context = runtime.enter();
            ending_signals()
        };
        let Ok([terminate, hangup, quit]) = installed else {
            return;
        };
        std::thread::spawn(move || {
            let signal = runtime.block_on(first_of(terminate, hangup, quit));
            super::keyboard::reset_mode();
            std::process::exit(128 + signal);
        });
    });
}

#[cfg(not(unix))]
pub(crate) fn guard_terminal() {
    Interrupts::watch();
}

/// Installs the handlers of the signals that end a process, apart from Ctrl-C.
#[cfg(unix)]
fn ending_signals() -> std::io::Result<[tokio::signal::unix::Signal; 3]> {
    use tokio::signal::unix::{SignalKind, signal};
    Ok([
        signal(SignalKind::terminate())?,
        signal(SignalKind::hangup())?,
        signal(SignalKind::quit())?,
    ])
}

/// Waits for one of the signals and returns its number.
#[cfg(unix)]
async fn first_of(
    mut terminate: tokio::signal::unix::Signal,
    mut hangup: tokio::signal::unix::Signal,
    mut quit: tokio::signal::unix::Signal,
) -> i32 {
    use rustix::process::Signal;
    let signal = tokio::select! {
        _ = terminate.recv() => Signal::TERM,
        _ = hangup.recv() => Signal::HUP,
        _ = quit.recv() => Signal::QUIT,
    };
    signal.as_raw()
}

/// The handler of Ctrl-C.
#[derive(Clone, Default)]
pub(crate) struct Interrupts(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// Cancels the current operation; `None` once it was called.
    end: Option<Box<dyn FnOnce() + Send>>,
    /// Whether Ctrl-C is left to another program.
    suspended: bool,
}

/// Leaves Ctrl-C to another program until it is dropped.
pub(crate) struct SuspendGuard(Interrupts);

impl Drop for SuspendGuard {
    fn drop(&mut self) {
        self.0.state().suspended = false;
    }
}

impl Interrupts {
    /// Starts listening, once per process.
    pub(crate) fn watch() -> Self {
        static WATCH: OnceLock<Interrupts> = OnceLock::new();
        WATCH.get_or_init(Self::start).clone()
    }

    fn start() -> Self {
        let interrupts = Self::default();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build();
        let Ok(runtime) = runtime else {
            return interrupts;
        };
        // On this thread: a signal that comes before the handler is installed ends the process.
        let installed = {
            let _context = runtime.enter();
            ctrl_c()
        };
        let Ok(mut ctrl_c) = installed else {
            return interrupts;
        };
        let listener = interrupts.clone();
        // A thread of its own, because all others may be busy.
        std::thread::spawn(move || {
            runtime.block_on(async {
                #[cfg(unix)]
                tokio::spawn(watch_for_continue());
                while ctrl_c.recv().await.is_some() {
                    if !listener.end() {
                        super::keyboard::reset_mode();
                        std::process::exit(130);
                    }
                }
            });
        });
        interrupts
    }

    /// Sets what the next Ctrl-C does. The one after it quits.
    pub(crate) fn on_interrupt(&self, end: impl FnOnce() + Send + 'static) {
        self.state().end = Some(Box::new(end));
    }

    /// Leaves Ctrl-C to another program until the guard is dropped.
    pub(crate) fn suspend(&self) -> SuspendGuard {
        self.state().suspended = true;
        SuspendGuard(self.clone())
    }

    fn end(&self) -> bool {
        if self.state().suspended {
            return true;
        }
        let end = self.state().end.take();
        end.map(|end| end()).is_some()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // Every update is a single assignment, so a panic leaves the state valid.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Installs the handler of Ctrl-C.
#[cfg(unix)]
fn ctrl_c() -> std::io::Result<tokio::signal::unix::Signal> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())
}

#[cfg(not(unix))]
use tokio::signal::windows::ctrl_c;

/// Records each time the process continues.
#[cfg(unix)]
async fn watch_for_continue() {
    use tokio::signal::unix::{SignalKind, signal};
    let continued = SignalKind::from_raw(rustix::process::Signal::CONT.as_raw());
    // Without the signal, output of other programs may be overwritten, which is harmless.
    let Ok(mut continued) = signal(continued) else {
        return;
    };
    while continued.recv().await.is_some() {
        SUSPENDED.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn the_first_interrupt_cancels_and_the_second_finds_nothing_to_cancel() {
        let (interrupts, ended) = (Interrupts::default(), Arc::new(AtomicU32::new(0)));
        assert!(!interrupts.end());
        let counted = Arc::clone(&ended);
        interrupts.on_interrupt(move || {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        assert!(interrupts.end());
        assert!(!interrupts.end());
        assert_eq!(ended.load(Ordering::Relaxed), 1);
        let suspended = interrupts.suspend();
        assert!(interrupts.end());
        drop(suspended);
        assert!(!interrupts.end());
    }
}

//! What a host reports about itself while it works, for whoever counts, measures or notifies.
//!
//! An [`Observer`] is called synchronously, on the task that does the work, after the fact: what it is
//! told about has been stored. It cannot change what happens and gets no text of a plugin, except in the
//! rows of requests, which a person is shown anyway. One that [watches guests](Observer::watches_guests)
//! is told what they log and which host calls they make, too: a tool for their authors.

mod guest;
mod store;

pub(crate) use guest::{Begun, CallTrace};
pub use guest::{HostCallOutcome, LogLevel, LogLevelError, LogSource};
pub(crate) use store::ObservedStore;

use crate::call::stage::Stage;
use crate::model::Tokens;
use crate::plugin::digest::Digest;
use crate::sandbox::journal::Class;
use crate::store::{Reply, RequestRow};
use crate::sync;
use footlight_vocabulary::event::Status;
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::item::{CallId, Item, SessionId, Timestamp, TurnId};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, RwLock};
use std::time::Duration;

/// Somebody who is told what a host does, see [`HostBuilder::observer`](crate::HostBuilder::observer).
///
/// ```
/// use footlight::{Host, Observed, Observer};
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// /// Counts calls that failed.
/// #[derive(Default)]
/// struct Failures(AtomicU64);
///
/// impl Observer for Failures {
///     fn observe(&self, event: &Observed<'_>) {
///         if let Observed::CallEnded { failure: Some(_), .. } = event {
///             self.0.fetch_add(1, Ordering::Relaxed);
///         }
///     }
/// }
///
/// let failures = Arc::new(Failures::default());
/// let host = Host::builder().observer(failures.clone()).build()?;
/// # Ok::<(), footlight::BuildError>(())
/// ```
pub trait Observer: Send + Sync {
    /// Takes notice of an event.
    ///
    /// It runs on a task of the host, sometimes while the host holds a lock: it must not block, and must
    /// not call the host. Count, or put what is needed into a bounded channel with `try_send`. A panic is
    /// caught and logged.
    fn observe(&self, event: &Observed<'_>);

    /// Reports whether it is told [`Observed::GuestLogged`], [`Observed::HostCall`] and
    /// [`Observed::GuestTraceCut`] as well, which are text of plugins and many. Asked once, when it is
    /// added. While no observer says so, guests run without the cost of it.
    fn watches_guests(&self) -> bool {
        false
    }

    /// Reports whether it is told [`Observed::GuestLogged`] and [`Observed::GuestTraceCut`]. Asked once, when it
    /// is added. Whoever watches guests is; who needs the log alone spares them the cost of telling each host
    /// call.
    fn watches_logs(&self) -> bool {
        self.watches_guests()
    }
}

/// An event that an [`Observer`] is told about.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Observed<'a> {
    /// A turn has been claimed and runs.
    #[non_exhaustive]
    TurnStarted {
        /// The session.
        session: &'a SessionId,
        /// The turn.
        turn: &'a TurnId,
        /// The person whose session it is.
        person: &'a str,
        /// Whether it is continued after an interruption.
        resumed: bool,
    },
    /// A turn no longer runs on this host. Reported once for each [`TurnStarted`](Self::TurnStarted).
    #[non_exhaustive]
    TurnEnded {
        /// The session.
        session: &'a SessionId,
        /// The turn.
        turn: &'a TurnId,
        /// The person whose session it is.
        person: &'a str,
        /// How it ended. `None` if it has not: it was suspended or the store failed, and it can be
        /// resumed.
        status: Option<&'a Status>,
    },
    /// An answer of the model was stored.
    #[non_exhaustive]
    Step {
        /// The session.
        session: &'a SessionId,
        /// The turn.
        turn: &'a TurnId,
        /// The person whose session it is.
        person: &'a str,
        /// The model.
        model: &'a str,
        /// The tokens that the model charged.
        tokens: Tokens,
    },
    /// A call has ended: of a session, once its result is stored, or of [`Host::call`](crate::Host::call).
    #[non_exhaustive]
    CallEnded {
        /// The session.
        session: &'a SessionId,
        /// The person it was made for.
        person: &'a str,
        /// The call.
        call: &'a CallId,
        /// Plugin and tool, as in the record. A model can make up any name: it is no label for a counter
        /// unless the host [has](crate::Host::tools) such a tool.
        function: &'a str,
        /// Why it failed; `None` if it succeeded.
        failure: Option<&'a FailureCode>,
        /// The time from its start to its end, waits for a person included.
        took: Duration,
    },
    /// A call of a session waits for a person from now on.
    ///
    /// Reported once on each host that waits for the request. Whoever notifies people goes by `is_new`,
    /// which is true once for each request. Calls outside of sessions hand their requests to their caller
    /// instead.
    #[non_exhaustive]
    RequestOpened {
        /// The person who is asked.
        person: &'a str,
        /// The request as stored.
        request: &'a RequestRow,
        /// Whether it is a new request. False if the same one was stored before an interruption and is
        /// pending again under its id; true again if what is asked for has changed since.
        is_new: bool,
    },
    /// A call of a session no longer waits: a reply was found, from whatever process, the request
    /// expired, or the call ended without a reply.
    #[non_exhaustive]
    RequestSettled {
        /// The person who was asked.
        person: &'a str,
        /// The request as it was filed.
        request: &'a RequestRow,
        /// The reply.
        reply: &'a Reply,
    },
    /// The store has answered.
    #[non_exhaustive]
    Stored {
        /// The method of [`Store`](crate::store::Store), such as `commit`.
        operation: &'static str,
        /// The time until the answer.
        took: Duration,
        /// Whether it was an error.
        failed: bool,
    },
    /// A plugin has logged a message or printed a line. Only for observers that
    /// [watch logs](Observer::watches_logs).
    ///
    /// The text is the plugin's, as it was written: whoever shows it filters it. A call that was told a
    /// secret writes nothing more.
    #[non_exhaustive]
    GuestLogged {
        /// The session.
        session: &'a SessionId,
        /// The person the call was made for.
        person: &'a str,
        /// The call.
        call: &'a CallId,
        /// Plugin and tool.
        function: &'a str,
        /// Where the line was written.
        source: LogSource,
        /// The message, or the line without its line feed.
        text: &'a str,
        /// When it was written.
        at: Timestamp,
    },
    /// A running guest has called the host, and has its answer. Only for observers that
    /// [watch guests](Observer::watches_guests).
    ///
    /// It has sizes in place of bodies, and neither texts nor sizes once the call was told a secret.
    #[non_exhaustive]
    HostCall {
        /// The session.
        session: &'a SessionId,
        /// The person the call was made for.
        person: &'a str,
        /// The call.
        call: &'a CallId,
        /// Plugin and tool.
        function: &'a str,
        /// The number of the host call, in the order in which they began, from 1.
        number: u64,
        /// What repeating it would mean.
        class: Class,
        /// The interface and the function, such as `http.fetch`.
        operation: &'static str,
        /// What it was about, such as a key or a URL without its query: text of the plugin, shortened.
        subject: &'a str,
        /// The bytes that the guest sent, where they have a size.
        sent: Option<u64>,
        /// How it ended.
        outcome: HostCallOutcome<'a>,
        /// When it began.
        at: Timestamp,
        /// The time until the answer.
        took: Duration,
    },
    /// A call has ended of which not everything was told. Only for observers that
    /// [watch logs](Observer::watches_logs).
    #[non_exhaustive]
    GuestTraceCut {
        /// The session.
        session: &'a SessionId,
        /// The person the call was made for.
        person: &'a str,
        /// The call.
        call: &'a CallId,
        /// Plugin and tool.
        function: &'a str,
        /// How many host calls were left out, because there were too many.
        host_calls: u64,
        /// How many messages were left out, because there were too many.
        log_lines: u64,
        /// How many printed bytes were left out, because there were too many.
        printed_bytes: u64,
        /// Whether texts and sizes were left out, because the call was told a secret.
        told_secret: bool,
    },
    /// The last call of a plugin that was unloaded or replaced has ended, or its host was dropped. Its
    /// compiled code is released.
    #[non_exhaustive]
    PluginReleased {
        /// The id of the plugin.
        plugin: &'a str,
        /// The digest of the component.
        digest: &'a Digest,
    },
}

/// Returns the time from the start of an item to its end.
pub(crate) fn duration(item: &Item) -> Duration {
    let end = item.end.unwrap_or(item.start);
    let millis = end.millis().saturating_sub(item.start.millis());
    Duration::from_millis(u64::try_from(millis).unwrap_or_default())
}

/// The observers of a host.
#[derive(Default)]
pub(crate) struct Observers(RwLock<ObserverLists>);

#[derive(Default)]
struct ObserverLists {
    all: ObserverList,
    /// Those that watch guests; none if there are none.
    of_guests: Option<ObserverList>,
    /// Those that watch logs; none if there are none.
    of_logs: Option<ObserverList>,
}

/// Observers that are told the same.
type ObserverList = Arc<[Arc<dyn Observer>]>;

impl ObserverLists {
    fn new(all: ObserverList) -> Self {
        let chosen = |is_one: fn(&dyn Observer) -> bool| {
            let some = all.iter().filter(|observer| is_one(&***observer));
            let some: ObserverList = some.cloned().collect();
            (!some.is_empty()).then_some(some)
        };
        Self {
            of_guests: chosen(|observer| observer.watches_guests()),
            of_logs: chosen(|observer| observer.watches_logs() || observer.watches_guests()),
            all,
        }
    }
}

impl Observers {
    pub(crate) fn new(observers: Vec<Arc<dyn Observer>>) -> Self {
        Self(RwLock::new(ObserverLists::new(observers.into())))
    }

    pub(crate) fn add(&self, observer: Arc<dyn Observer>) {
        let lists = &mut *sync::write(&self.0);
        let known = lists.all.iter().cloned();
        *lists = ObserverLists::new(known.chain([observer]).collect());
    }

    pub(crate) fn is_empty(&self) -> bool {
        sync::read(&self.0).all.is_empty()
    }

    pub(crate) fn observe(&self, event: &Observed<'_>) {
        let observers = Arc::clone(&sync::read(&self.0).all);
        tell(&observers, event);
    }

    /// Returns what tells about a call, if an observer watches guests or their logs.
    pub(crate) fn trace(
        &self,
        stage: &Arc<Stage>,
        function: impl FnOnce() -> String,
    ) -> Option<Arc<CallTrace>> {
        let (of_logs, of_guests) = {
            let lists = sync::read(&self.0);
            (lists.of_logs.clone()?, lists.of_guests.clone())
        };
        let trace = CallTrace::new(of_logs, of_guests, Arc::clone(stage), function());
        Some(Arc::new(trace))
    }
}

fn tell(observers: &[Arc<dyn Observer>], event: &Observed<'_>) {
    for observer in observers {
        let told = AssertUnwindSafe(|| observer.observe(event));
        if std::panic::catch_unwind(told).is_err() {
            tracing::error!("an observer of the host panicked");
        }
    }
}

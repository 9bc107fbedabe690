//! Who a call is for, as its plugin sees it: aliases that no other plugin knows, language and time zone.

use crate::host::HostInner;
use crate::session::{LOCAL_PERSON_KEY, SessionScope};
use crate::store::alias;

/// The identity of a call, as its plugin sees it.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    pub(crate) session: String,
    pub(crate) person: String,
    pub(crate) locale: String,
    pub(crate) timezone: String,
}

/// Returns the identity that a plugin sees in calls of a session, by default the host's own.
pub(crate) fn identity(host: &HostInner, session: Option<&SessionScope>, plugin: &str) -> Identity {
    let (id, person_key) = match session {
        Some(session) => (&session.id, &*session.person_key),
        None => (&host.session, LOCAL_PERSON_KEY),
    };
    let settings = session.map(|session| &*session.settings);
    let locale = settings.and_then(|settings| settings.locale.as_ref());
    let timezone = settings.and_then(|settings| settings.timezone.as_ref());
    Identity {
        session: alias(id.as_str(), plugin),
        person: alias(person_key, plugin),
        locale: locale.unwrap_or(&host.locale).clone(),
        timezone: timezone.unwrap_or(&host.timezone).clone(),
    }
}

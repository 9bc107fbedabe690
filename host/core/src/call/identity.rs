//! Who a call is for, as its plugin sees it: aliases that no other plugin knows, language and time zone.

use crate::host::HostInner;
use crate::session::{LOCAL_PERSON_KEY, PersonScope, SessionScope};
use crate::store::alias;

/// The identity of a call, as its plugin sees it.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    pub(crate) session: String,
    pub(crate) person: String,
    pub(crate) locale: String,
    pub(crate) timezone: String,
}

/// Returns the identity that a plugin sees in calls of a session, or of a person outside of sessions, by
/// default the local one.
pub(crate) fn identity(
    host: &HostInner,
    session: Option<&SessionScope>,
    person: Option<&PersonScope>,
    plugin: &str,
) -> Identity {
    let (id, person_key) = match (session, person) {
        (Some(session), _) => (&session.id, &*session.person_key),
        (None, Some(person)) => (&person.session, &*person.key),
        (None, None) => (&host.session, LOCAL_PERSON_KEY),
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

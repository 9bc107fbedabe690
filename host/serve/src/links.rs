//! Links for one decision: a URL that opens one pending request on another device, and nothing else.
//!
//! The secret of a link is a credential of its own kind. It reads the card of its request and settles it;
//! the [table of routes](crate::route) says on which routes. The server keeps its SHA-256 alone, in memory.
//! A link ends with the first reply that is accepted, when its time is over, when a further link is made
//! for the same request, and with the server.

use crate::access::{Identity, SecretHash, TokenError, secret};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What the secret of a link begins with, and no token does.
pub(crate) const PREFIX: &str = "link-";

/// How long a link works, by default.
pub(crate) const LIFETIME: Duration = Duration::from_secs(10 * 60);

/// The path of the page that a link opens. What follows `#` is sent to nobody.
const PAGE: &str = "/reply#";

/// How many links of a person work at once. A further one ends the oldest.
const MAX_LINKS: usize = 32;

/// What a link is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinkTarget {
    /// Whoever made the link, in whose name it replies.
    pub(crate) identity: Identity,
    /// The id of the request.
    pub(crate) request: String,
}

struct Link {
    hash: SecretHash,
    target: LinkTarget,
    until: Instant,
}

/// The links of a server.
pub(crate) struct Links {
    lifetime: Duration,
    open: Mutex<Vec<Link>>,
}

impl Links {
    pub(crate) fn new(lifetime: Duration) -> Self {
        Self {
            lifetime,
            open: Mutex::default(),
        }
    }

    /// Returns how long a link works.
    pub(crate) fn lifetime(&self) -> Duration {
        self.lifetime
    }

    /// Makes a link below this origin.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub(crate) fn mint(&self, origin: &str, target: LinkTarget) -> Result<String, TokenError> {
        let secret = format!("{PREFIX}{}", secret()?);
        let url = format!("{origin}{PAGE}{}/{secret}", target.request);
        let mut open = self.open();
        let now = Instant::now();
        open.retain(|link| link.until > now && link.target.request != target.request);
        let person = &target.identity.person;
        let own = |link: &&Link| link.target.identity.person == *person;
        if open.iter().filter(own).count() >= MAX_LINKS {
            let oldest = open.iter().position(|link| own(&link));
            oldest.map(|oldest| open.remove(oldest));
        }
        open.push(Link {
            hash: SecretHash::of(&secret),
            target,
            until: now + self.lifetime,
        });
        Ok(url)
    }

    /// Returns what a secret is for; none if its link has ended. Every link is compared, in constant time
    /// each.
    pub(crate) fn identify(&self, secret: &str) -> Option<LinkTarget> {
        let (hash, now) = (SecretHash::of(secret), Instant::now());
        let mut found = None;
        for link in self.open().iter() {
            if link.hash.matches(&hash) && link.until > now {
                found = Some(link.target.clone());
            }
        }
        found
    }

    /// Ends the link of a request.
    pub(crate) fn end(&self, request: &str) {
        self.open().retain(|link| link.target.request != request);
    }

    fn open(&self) -> MutexGuard<'_, Vec<Link>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Permission;

    fn target(person: &str, request: &str) -> LinkTarget {
        LinkTarget {
            identity: Identity {
                person: person.to_owned(),
                may: Permission::Approve,
            },
            request: request.to_owned(),
        }
    }

    fn secret_of(url: &str) -> &str {
        url.rsplit('/').next().expect("a secret")
    }

    fn mint(links: &Links, person: &str, request: &str) -> String {
        let url = links.mint("https://a.example", target(person, request));
        secret_of(&url.expect("randomness")).to_owned()
    }

    #[test]
    fn a_link_is_for_its_request_until_it_ends() {
        let links = Links::new(LIFETIME);
        let secret = mint(&links, "ada", "call_1_v0");
        assert_eq!(links.identify(&secret), Some(target("ada", "call_1_v0")));
        for other in ["", PREFIX, "link-0", &secret[PREFIX.len()..]] {
            assert_eq!(links.identify(other), None, "{other}");
        }
        let further = mint(&links, "ada", "call_1_v0");
        assert_eq!(links.identify(&secret), None, "the further one replaces it");
        links.end("call_1_v0");
        assert_eq!(links.identify(&further), None);
    }

    #[test]
    fn a_link_whose_time_is_over_is_none() {
        let links = Links::new(Duration::ZERO);
        let secret = mint(&links, "ada", "call_1_v0");
        assert_eq!(links.identify(&secret), None);
    }

    #[test]
    fn a_person_has_so_many_links_and_ends_only_their_own() {
        let links = Links::new(LIFETIME);
        let other = mint(&links, "bob", "call_b_v0");
        let first = mint(&links, "ada", "call_first_v0");
        for n in 0..MAX_LINKS {
            mint(&links, "ada", &format!("call_{n}_v0"));
        }
        assert_eq!(links.identify(&first), None);
        assert!(links.identify(&other).is_some());
        assert_eq!(links.open().len(), MAX_LINKS + 1);
    }

    #[test]
    fn a_secret_is_in_the_fragment_and_is_not_kept() {
        let links = Links::new(LIFETIME);
        let url = links.mint("https://a.example", target("ada", "call_1_v0"));
        let url = url.expect("randomness");
        let (address, fragment) = url.split_once('#').expect("a fragment");
        assert_eq!(address, "https://a.example/reply");
        let hash = String::from(links.open()[0].hash);
        assert!(!fragment.contains(&hash) && fragment.len() > 64);
    }
}

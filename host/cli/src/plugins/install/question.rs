//! What the person is asked before a plugin is installed or updated.

use super::Candidate;
use crate::consent::KnownPlugin;
use crate::conversation::identity;
use crate::plugin_source::format_size;
use crate::plugins::lock::Entry;
use crate::plugins::signature::PublicKey;
use crate::plugins::trust::Standing;
use footlight_render::filter;
use footlight_render::terminal::{ConsentCard, ConsentGroup};
use std::collections::BTreeSet;

/// A candidate beside what the person knows.
pub(super) struct Question<'a> {
    pub(super) candidate: &'a Candidate,
    /// What is installed under its name.
    pub(super) previous: Option<&'a Entry>,
    /// What is known under its id without being installed.
    pub(super) known: Option<&'a KnownPlugin>,
    /// The powers that were accepted before.
    pub(super) powers: Option<&'a BTreeSet<String>>,
    pub(super) is_downgrade: bool,
}

impl Question<'_> {
    /// Reports whether an update with a trusted key needs the person all the same: it asks for more, is
    /// older, or says that it is the same version.
    pub(super) fn needs_attention(&self) -> bool {
        let version = &self.candidate.manifest.version;
        let is_same_version = self.previous.is_some_and(|entry| entry.version == *version);
        self.is_downgrade || is_same_version || !self.new_powers().is_empty()
    }

    fn new_powers(&self) -> Vec<String> {
        let none = BTreeSet::new();
        let old = self.powers.unwrap_or(&none);
        self.candidate.powers.difference(old).cloned().collect()
    }

    /// Says what to type where nobody can be asked.
    pub(super) fn headless(&self) -> String {
        let candidate = self.candidate;
        let (id, source) = (&candidate.manifest.id, &candidate.source);
        let asks = match &self.new_powers()[..] {
            [] => String::new(),
            powers => {
                let powers = powers.iter().take(20).map(|power| filter::line(power, 600));
                let powers: Vec<String> = powers.collect();
                format!(", and asks to {}", powers.join(", "))
            }
        };
        let key = candidate.signer.key.as_ref().map(PublicKey::id);
        let key = key.unwrap_or_default();
        match &candidate.signer.standing {
            Standing::Trusted | Standing::Given => format!(
                "`{source}` is `{id}` {}, signed with the key `{key}`{asks}; accept it with `--yes`",
                candidate.manifest.version
            ),
            Standing::New => format!(
                "`{source}` is `{id}`, signed with the key `{key}`, which you do not trust yet{asks}; accept it with `--yes` and the author's public key in `--key`, or the digest that you expect in `--digest`"
            ),
            Standing::Unsigned { trusted: None } => format!(
                "`{source}` is `{id}`, and it is not signed{asks}; accept it with `--yes` and the digest that you expect in `--digest`"
            ),
            Standing::Unsigned {
                trusted: Some(trusted),
            } => format!(
                "`{source}` is not signed, and you trust the key `{}` for `{id}`; one without a signature is accepted at a terminal alone",
                trusted.id()
            ),
            Standing::Changed { trusted } => format!(
                "`{source}` is signed with the key `{key}`, and you trust the key `{}` for `{id}`; another key is accepted at a terminal alone",
                trusted.id()
            ),
        }
    }

    /// Returns the question with everything that it is about, the gravest last.
    pub(super) fn card(&self) -> ConsentCard {
        let candidate = self.candidate;
        let (id, version) = (&candidate.manifest.id, &candidate.manifest.version);
        let head = match self.previous {
            Some(old) if self.is_downgrade => {
                format!(
                    "`{id}` {version} would replace {}, which is NEWER.",
                    old.version
                )
            }
            Some(old) => format!("`{id}` {version} would replace {}.", old.version),
            None => format!("`{id}` {version} would be installed."),
        };
        let size = format_size(candidate.component.len() as u64);
        let mut groups = vec![
            group(
                "what it says of itself",
                vec![candidate.manifest.description.clone()],
            ),
            group("from", vec![candidate.source.to_string()]),
            group("component", vec![format!("{} ({size})", candidate.digest)]),
        ];
        if let Some(known) = self.known {
            groups.push(group(
                "known to you already, with state, settings and rules that this one would use",
                identity::origins(known),
            ));
        }
        let (signature, is_grave) = self.signature();
        let (powers, signature) = (self.powers(), vec![signature]);
        groups.extend(match is_grave {
            true => [powers, signature].concat(),
            false => [signature, powers].concat(),
        });
        ConsentCard {
            head,
            groups,
            question: self.question(),
        }
    }

    /// Says who signed it, and whether that is more of a warning than the powers are.
    fn signature(&self) -> (ConsentGroup, bool) {
        let signer = &self.candidate.signer;
        let id = signer.key.as_ref().map(PublicKey::id).unwrap_or_default();
        let signed = match signer.comment.is_empty() {
            true => id,
            false => format!("{id} ({})", signer.comment),
        };
        match &signer.standing {
            Standing::Trusted => (
                group("signed with the key that you trust for it", vec![signed]),
                false,
            ),
            Standing::Given => (
                group("signed with the key that you named", vec![signed]),
                false,
            ),
            Standing::New => (
                group(
                    "signed with a key that is new to you; compare it with the one that the author publishes",
                    vec![signed],
                ),
                true,
            ),
            Standing::Changed { trusted } => (
                group(
                    "signed with ANOTHER KEY than the one that you trust for it; ask the author why",
                    vec![
                        format!("trusted: {}", trusted.id()),
                        format!("now: {signed}"),
                    ],
                ),
                true,
            ),
            Standing::Unsigned { trusted: None } => (
                group("NOT SIGNED: nothing says who made it", Vec::new()),
                true,
            ),
            Standing::Unsigned {
                trusted: Some(trusted),
            } => (
                group(
                    "NOT SIGNED, although you trust a key for it; ask the author why",
                    vec![format!("trusted: {}", trusted.id())],
                ),
                true,
            ),
        }
    }

    /// Says what it may do: all of it, or how it differs from what was accepted before.
    fn powers(&self) -> Vec<ConsentGroup> {
        let new = &self.candidate.powers;
        let all = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>();
        let Some(old) = self.powers else {
            return vec![match new.is_empty() {
                true => whole(
                    "it asks for no powers: it can only compute, show output and ask questions",
                    Vec::new(),
                ),
                false => whole("with your approval it may", all(new)),
            }];
        };
        let kept: BTreeSet<String> = old.intersection(new).cloned().collect();
        let dropped: Vec<String> = old.difference(new).cloned().collect();
        let added = self.new_powers();
        let groups = [
            ("it no longer asks to", dropped),
            ("as before, with your approval it may", all(&kept)),
            ("NEW: with your approval it may", added),
        ];
        let groups = groups.into_iter().filter(|(_, items)| !items.is_empty());
        let groups: Vec<ConsentGroup> = groups.map(|(title, items)| whole(title, items)).collect();
        match groups.is_empty() {
            true => vec![whole("it asks for no powers, as before", Vec::new())],
            false => groups,
        }
    }

    fn question(&self) -> String {
        let does = match self.previous {
            Some(_) => "replace it",
            None => "install it",
        };
        let id = &self.candidate.manifest.id;
        match &self.candidate.signer.standing {
            Standing::Trusted | Standing::Given => match self.previous {
                Some(_) => "Replace it?".to_owned(),
                None => "Install it?".to_owned(),
            },
            Standing::New => format!("Trust this key for `{id}` and {does}?"),
            Standing::Changed { .. } => format!("Trust the new key for `{id}` and {does}?"),
            Standing::Unsigned { .. } => format!("Without a signature, {does} all the same?"),
        }
    }
}

fn group(title: &str, items: Vec<String>) -> ConsentGroup {
    ConsentGroup {
        title: title.to_owned(),
        items,
        is_whole: false,
    }
}

/// A group whose items matter to their end: the methods of a power stand there.
fn whole(title: &str, items: Vec<String>) -> ConsentGroup {
    ConsentGroup {
        is_whole: true,
        ..group(title, items)
    }
}

//! The flags that would grant the folders, hosts and secrets that calls were denied.

use crate::plugin_source::shell_quoted;
use crate::power::{PowerKind, flag_name};
use footlight::policy::{ApprovalRequest, AskReason};
use footlight_render::filter;
use footlight_vocabulary::event::{Event, EventBody};
use footlight_vocabulary::item::{Content, Denial, Power, PowerUse};
use footlight_vocabulary::manifest::Manifest;

/// What calls were denied because nobody granted it and nobody could be asked.
#[derive(Debug, Default)]
pub(crate) struct PowerRemedies(Vec<(String, Need)>);

#[derive(Debug, PartialEq)]
enum Need {
    Folder {
        path: String,
        offered: Option<String>,
    },
    /// A request, with what of it was not granted.
    Network {
        host: String,
        is_host_new: bool,
        secrets: Vec<String>,
        action: Option<String>,
    },
    /// The value of a secret.
    Value { secret: String },
}

impl Need {
    /// Reports whether another need is about the same folder, host or secret.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Folder { path, .. }, Self::Folder { path: other, .. }) => path == other,
            (Self::Network { host, .. }, Self::Network { host: other, .. }) => host == other,
            (Self::Value { secret }, Self::Value { secret: other }) => secret == other,
            _ => false,
        }
    }
}

impl PowerRemedies {
    /// Adds a request that nobody could be asked about.
    pub(crate) fn add(&mut self, plugin: &str, request: &ApprovalRequest) {
        if let Some(folder) = &request.folder {
            let need = Need::Folder {
                path: folder.path.clone(),
                offered: folder.offered.clone(),
            };
            self.insert(plugin, need);
        }
        if let Some(network) = &request.network {
            let need = Need::Network {
                host: network.host.clone(),
                is_host_new: request.reasons.contains(&AskReason::NotGranted),
                secrets: network.secrets.clone(),
                action: request.binding.action.clone(),
            };
            self.insert(plugin, need);
        }
    }

    /// Adds what the record of a call says that it was denied.
    pub(crate) fn learn(&mut self, event: &Event) {
        let EventBody::Put { item, .. } = &event.what else {
            return;
        };
        let Content::Tool(tool) = &item.content else {
            return;
        };
        let plugin = tool.function.split('.').next().unwrap_or_default();
        for used in &tool.powers {
            for need in needs(used) {
                self.insert(plugin, need);
            }
        }
    }

    fn insert(&mut self, plugin: &str, need: Need) {
        let mut known = self.0.iter();
        if !known.any(|(id, known)| id == plugin && known.is_like(&need)) {
            self.0.push((plugin.to_owned(), need));
        }
    }

    /// Says which flags would grant it, a line for each; none if nothing was denied for want of a grant.
    pub(crate) fn describe(&self, plugins: &[&Manifest]) -> Option<String> {
        let lines = self.0.iter().map(|(id, need)| sentence(id, need, plugins));
        let lines = lines.map(|line| filter::line(&line, 600));
        let lines: Vec<String> = lines.collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// Returns what would have been needed for a use that was denied.
fn needs(used: &PowerUse) -> Vec<Need> {
    match (&used.denied, &used.power) {
        (Some(Denial::NoPerson | Denial::NotGranted), Power::Folder) => vec![Need::Folder {
            path: used.target.clone(),
            offered: None,
        }],
        (Some(Denial::NoPerson | Denial::NotGranted), Power::Network) => {
            let host = used.target.split_once("://");
            vec![Need::Network {
                host: host
                    .map_or(used.target.as_str(), |(_, host)| host)
                    .to_owned(),
                is_host_new: true,
                secrets: used.secrets.clone(),
                action: None,
            }]
        }
        (Some(Denial::NoValue), Power::Secret) => vec![Need::Value {
            secret: used.target.clone(),
        }],
        (Some(Denial::NoValue), Power::Network) => {
            let secrets = used.secrets.iter();
            let value = |secret: &String| Need::Value {
                secret: secret.clone(),
            };
            secrets.map(value).collect()
        }
        _ => Vec::new(),
    }
}

fn sentence(plugin: &str, need: &Need, plugins: &[&Manifest]) -> String {
    match need {
        Need::Folder { path, offered } => {
            let name = flag_name(PowerKind::Folder, plugin, path, plugins);
            let folder = offered.as_deref().map(shell_quoted);
            let folder = folder.unwrap_or_else(|| "FOLDER".to_owned());
            format!(
                "`{plugin}` needs a folder as {path}, and nobody granted one; add --dir {name}={folder}"
            )
        }
        Need::Network {
            host,
            is_host_new,
            secrets,
            action,
        } => {
            let mut flags = Vec::new();
            if *is_host_new {
                let name = flag_name(PowerKind::Host, plugin, host, plugins);
                flags.push(format!("--allow-net {name}"));
            }
            for secret in secrets {
                let name = flag_name(PowerKind::Secret, plugin, secret, plugins);
                flags.push(format!("--secret {name}"));
            }
            flags.extend(action.as_ref().map(|action| format!("--allow {action}")));
            let flags = flags.join(" ");
            format!("`{plugin}` needs to reach {host}, and nobody granted it; add {flags}")
        }
        Need::Value { secret } => format!(
            "the secret `{secret}` of `{plugin}` has no value; set it with `footlight secrets set {plugin} {secret}`"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn manifest(id: &str) -> Manifest {
        let text = format!(
            "[plugin]\nid = \"{id}\"\nversion = \"0.1.0\"\napi = \"0.1\"\ndescription = \"A\"\n[[fs]]\npath = \"/data\"\nmode = \"ro\"\n[[net]]\nhost = \"api.example.com:8443\"\n[[secret]]\nname = \"token\"\nhost = \"api.example.com:8443\"\nheader = \"authorization\"\n"
        );
        Manifest::parse(&text).expect("is valid")
    }

    fn learned(powers: Value) -> PowerRemedies {
        let event = json!({ "type": "put", "rev": 1, "session": "s", "turn": "t", "at": "2026-11-16T12:00:00Z",
            "item": { "type": "tool", "id": "i", "rev": 1, "function": "mail.send", "input": {}, "start": "2026-11-16T12:00:00Z",
                      "result": { "type": "pending", "reason": "running" }, "powers": powers,
                      "position": { "turn": 1, "step": 1, "call": 1, "n": 0 } } });
        let event: Event = serde_json::from_value(event).expect("an event");
        let mut remedies = PowerRemedies::default();
        // Every revision of the item says it again.
        remedies.learn(&event);
        remedies.learn(&event);
        remedies
    }

    #[test]
    fn what_nobody_granted_is_answered_with_the_exact_flag() {
        let (mail, other) = (manifest("mail"), manifest("other"));
        for (used, alone, beside) in [
            (
                json!({ "power": "folder", "target": "/data", "denied": "no_person" }),
                "`mail` needs a folder as /data, and nobody granted one; add --dir /data=FOLDER",
                "--dir mail./data=FOLDER",
            ),
            (
                json!({ "power": "network", "target": "https://api.example.com:8443", "access": "GET", "denied": "not_granted" }),
                "`mail` needs to reach api.example.com:8443, and nobody granted it; add --allow-net api.example.com:8443",
                "--allow-net mail.api.example.com:8443",
            ),
            (
                json!({ "power": "network", "target": "https://api.example.com:8443", "secrets": ["token"], "denied": "no_person" }),
                "`mail` needs to reach api.example.com:8443, and nobody granted it; add --allow-net api.example.com:8443 --secret token",
                "--secret mail.token",
            ),
            (
                json!({ "power": "secret", "target": "token", "denied": "no_value" }),
                "the secret `token` of `mail` has no value; set it with `footlight secrets set mail token`",
                "footlight secrets set mail token",
            ),
        ] {
            let remedies = learned(json!([used]));
            assert_eq!(remedies.describe(&[&mail]).as_deref(), Some(alone));
            let both = remedies.describe(&[&mail, &other]).expect("one line");
            assert!(both.contains(beside), "{both}");
        }
    }

    #[test]
    fn other_denials_have_no_flag() {
        for denied in [
            "undeclared",
            "rule",
            "person",
            "read_only",
            "address",
            "malformed",
            "limit",
        ] {
            let used =
                json!([{ "power": "network", "target": "https://a.example", "denied": denied }]);
            assert_eq!(learned(used).describe(&[]), None, "{denied}");
        }
        assert_eq!(
            learned(json!([{ "power": "folder", "target": "/data" }])).describe(&[]),
            None
        );
    }

    #[test]
    fn only_what_a_request_lacks_is_named() {
        let request = |needs: Value, secrets: Value, action: Option<&str>| {
            let request = json!({
                "binding": { "session": "s", "call": "c", "inputHash": "", "digest": "", "tool": "send", "action": action },
                "network": { "method": "POST", "host": "a.example", "url": "https://a.example/", "bytes": 1, "secrets": secrets },
                "facts": [], "needs": needs, "quotes": [], "offers": [] });
            let request: ApprovalRequest = serde_json::from_value(request).expect("a request");
            let mut remedies = PowerRemedies::default();
            remedies.add("mail", &request);
            remedies.describe(&[]).expect("a line")
        };
        for (needs, secrets, action, flags) in [
            (
                json!(["not-granted"]),
                json!([]),
                None,
                "add --allow-net a.example",
            ),
            (
                json!(["requested"]),
                json!([]),
                Some("mail.send"),
                "add --allow mail.send",
            ),
            (json!([]), json!(["token"]), None, "add --secret token"),
            (
                json!(["not-granted", "requested"]),
                json!(["token"]),
                Some("mail.send"),
                "add --allow-net a.example --secret token --allow mail.send",
            ),
        ] {
            let line = request(needs, secrets, action);
            assert!(line.ends_with(flags), "{line}");
        }
    }
}

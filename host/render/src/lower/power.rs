//! Uses of folders, hosts and secrets in a line each.

use super::cut;
use crate::format;
use footlight_vocabulary::item::{Denial, Power, PowerUse};

/// How many files and secrets a line names.
const NAMED: usize = 5;

/// Describes uses of a power that are alike, or denied uses, in one line. The texts of the plugin in it
/// are cut, and a surface filters them.
#[must_use]
pub fn power_line(used: &PowerUse) -> String {
    let target = cut::name(&used.target);
    let access = used.access.as_deref().map(|access| cut::short(access, 16));
    let what = match used.power {
        Power::Network => {
            let path = used.path.as_deref().map(cut::name).unwrap_or_default();
            let method = access.map(|access| format!("{access} "));
            format!("{}{target}{path}", method.unwrap_or_default())
        }
        Power::Folder => {
            let mode = access.map(|access| format!(" ({access})"));
            format!("folder {target}{}", mode.unwrap_or_default())
        }
        Power::Secret => format!("secret {target}"),
        Power::Other(_) => target,
    };
    if let Some(denied) = &used.denied {
        let times = match used.count {
            0 | 1 => String::new(),
            count => format!(" ({count} times)"),
        };
        return format!("denied {what}: {}{times}", reason(denied));
    }
    let mut parts = Vec::new();
    match used.power {
        Power::Network => {
            parts.push(counted(used.count, "request"));
            parts.push(format!("sent {}", format::size(used.sent)));
            parts.push(format!("received {}", format::size(used.received)));
            let statuses = used.statuses.iter().take(NAMED);
            let statuses = statuses.map(|(status, count)| match count {
                1 => cut::short(status, 16),
                count => format!("{} ({count} times)", cut::short(status, 16)),
            });
            let statuses = statuses.collect::<Vec<_>>().join(", ");
            if !statuses.is_empty() {
                parts.push(format!("status {statuses}"));
            }
        }
        Power::Folder if used.files.is_empty() && used.sent == 0 => {
            parts.push("nothing written".to_owned());
        }
        Power::Folder => {
            let files = match named(&used.files) {
                files if files.is_empty() => String::new(),
                files => format!(" to {files}"),
            };
            parts.push(format!("wrote {}{files}", format::size(used.sent)));
        }
        Power::Secret | Power::Other(_) => parts.push(counted(used.count, "use")),
    }
    if !used.secrets.is_empty() {
        parts.push(format!("with your secret {}", named(&used.secrets)));
    }
    format!("{what}: {}", parts.join(", "))
}

/// Reports whether a person should see the use beside its call: it was denied, or it wrote files.
#[must_use]
pub fn is_notable_use(used: &PowerUse) -> bool {
    let has_written = used.power == Power::Folder && (used.sent > 0 || !used.files.is_empty());
    used.denied.is_some() || has_written
}

fn counted(count: u64, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {one}s"),
    }
}

fn named(names: &[String]) -> String {
    let mut shown: Vec<String> = names.iter().take(NAMED).map(|n| cut::name(n)).collect();
    if names.len() > NAMED {
        shown.push(format!("and {} more", names.len() - NAMED));
    }
    shown.join(", ")
}

fn reason(denied: &Denial) -> String {
    let words = match denied {
        Denial::Undeclared => "the manifest does not declare it",
        Denial::Rule => "a rule denies it",
        Denial::NotGranted => "nobody granted it",
        Denial::NoPerson => "nobody could be asked",
        Denial::Person => "a person said no",
        Denial::ReadOnly => "the tool says that it only reads",
        Denial::ReadOnlyFolder => "the folder can only be read",
        Denial::Outside => "the path leads out of the folder",
        Denial::Special => "it is a device, a pipe or a socket",
        Denial::Unavailable => "what was granted is not there any more",
        Denial::Address => "its address cannot be reached by name",
        Denial::Malformed => "the request is malformed",
        Denial::NoValue => "the secret has no value",
        Denial::Limit => "a limit was reached",
        Denial::Other(word) => return cut::short(word, 40),
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_use_is_one_line_with_what_the_host_knows() {
        let mut request = PowerUse::new(Power::Network, "https://api.example.com");
        request = request.access("GET").path("/v1");
        (request.count, request.sent, request.received) = (3, 12, 3400);
        request.statuses = [("200".to_owned(), 2), ("503".to_owned(), 1)].into();
        request.secrets = vec!["token".to_owned()];
        let mut written = PowerUse::new(Power::Folder, "/data").access("rw");
        (written.sent, written.files) = (5, (0..7).map(|n| format!("{n}.txt")).collect());
        let read = PowerUse::new(Power::Folder, "/data").access("ro");
        for (used, expected, notable) in [
            (
                request.clone(),
                "GET https://api.example.com/v1: 3 requests, sent 12 bytes, received 3.4 KB, status 200 (2 times), 503, with your secret token",
                false,
            ),
            (
                request.denied(Denial::NoPerson),
                "denied GET https://api.example.com/v1: nobody could be asked (3 times)",
                true,
            ),
            (
                written,
                "folder /data (rw): wrote 5 bytes to 0.txt, 1.txt, 2.txt, 3.txt, 4.txt, and 2 more",
                true,
            ),
            (read, "folder /data (ro): nothing written", false),
            (
                PowerUse::new(Power::Secret, "token").denied(Denial::NoValue),
                "denied secret token: the secret has no value",
                true,
            ),
        ] {
            assert_eq!(power_line(&used), expected);
            assert_eq!(is_notable_use(&used), notable, "{expected}");
        }
    }

    #[test]
    fn whatever_a_plugin_requests_the_line_is_short() {
        let long = "x".repeat(100_000);
        let mut used = PowerUse::new(Power::Network, &long)
            .access(&long)
            .path(&long);
        used.secrets = vec![long.clone(); 50];
        used.statuses = (0..1000).map(|n| (format!("{n}{long}"), 1)).collect();
        assert!(power_line(&used).len() < 5_000);
    }
}

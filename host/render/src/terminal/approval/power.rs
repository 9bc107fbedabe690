//! What a card says of a folder, or of a request to a host.

use super::rows::Section;
use crate::filter::visible;
use crate::format;

/// A folder or a request to a host that a plugin needs. All of its texts can be hostile.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum CardPower {
    /// A folder of the person's.
    Folder {
        /// The path that the plugin knows it by.
        guest_path: String,
        /// Whether the plugin can change files.
        writable: bool,
        /// Whether it can do so only after another approval.
        asks_to_write: bool,
        /// The folder that somebody other than the person proposes.
        offered: Option<String>,
        /// The folder that the person has named.
        named: Option<String>,
    },
    /// A request, as it will be sent.
    Network {
        /// The HTTP method.
        method: String,
        /// The host, perhaps with a port.
        host: String,
        /// The whole URL.
        url: String,
        /// The size of the body in bytes.
        bytes: u64,
        /// The secrets that it carries and that were not granted before.
        secrets: Vec<String>,
    },
}

impl CardPower {
    /// Returns what will happen and to what.
    pub(super) fn sections(&self, plugin: &str) -> Vec<Section> {
        match self {
            Self::Folder {
                guest_path,
                writable,
                asks_to_write,
                offered,
                named,
            } => {
                let what = match (writable, asks_to_write) {
                    (true, false) => "read, change and delete files in a folder of yours",
                    (true, true) => "read files in a folder of yours; asks before changes",
                    (false, _) => "read files in a folder of yours",
                };
                let whose = format!("{}, as {}", visible(plugin), visible(guest_path));
                let mut all = vec![
                    Section::fact("what", what.to_owned()).uncut().in_bold(),
                    Section::fact("for", whose).of_at_least(2),
                ];
                all.extend(match (named, offered) {
                    (Some(named), _) => {
                        let named = Section::fact("folder", visible(named));
                        Some(named.of_at_least(3).in_bold())
                    }
                    (None, Some(offered)) => {
                        let offered = Section::fact("offered", visible(offered));
                        Some(offered.of_at_least(2).in_bold())
                    }
                    (None, None) => None,
                });
                all
            }
            Self::Network {
                method,
                host,
                url,
                bytes,
                secrets,
            } => {
                let what = format!("{} request to {}", visible(method), visible(host));
                let mut all = vec![
                    Section::fact("what", what).of_at_least(3).in_bold(),
                    Section::fact("url", visible(url)),
                    Section::fact("sends", format::size(*bytes))
                        .with_full(vec![format!("{bytes} bytes")]),
                ];
                if !secrets.is_empty() {
                    let secrets = format!("your {}", visible(&secrets.join(", ")));
                    all.push(Section::fact("secret", secrets).in_bold());
                }
                all
            }
        }
    }
}

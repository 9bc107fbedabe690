//! The request that policy decides about: one operation, and the circumstances.
//!
//! Invariant: the host established everything here but the quoted words (`subject`, `reason`,
//! `action`, `input`). The caller and the plugin come from the sandbox, never from what a guest
//! wrote.

use super::approval_request::Binding;
use super::traits::Traits;
use footlight_vocabulary::item::{CallId, SessionId};
use footlight_vocabulary::manifest::{Method, Mode, Scheme, authority};
use serde_json::Value;

/// One operation to decide about, and its circumstances.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The session of the call.
    pub session: &'a SessionId,
    /// The person of that session.
    pub person: &'a str,
    /// The call that requests the operation.
    pub call: &'a CallId,
    /// The digest of the plugin's bytes.
    pub digest: &'a str,
    /// The called tool, without the plugin's id.
    pub tool: &'a str,
    /// The call's input as canonical JSON: the exact bytes that the tool will read.
    pub input: &'a str,
    /// Who made the call.
    pub caller: Caller,
    /// What the plugin was granted.
    pub powers: Powers,
    /// Whether untrusted content has entered the model's context.
    pub tainted: bool,
    /// Whether a person can be asked.
    pub reachable: bool,
    /// What a person has just approved, when the request is decided again after their verdict. A rule
    /// that denies still denies.
    pub approved: Option<&'a Binding>,
    /// The operation.
    pub operation: Operation<'a>,
}

impl<'a> Request<'a> {
    /// Returns the request of a model's call with an empty input, by a plugin without powers and with a person
    /// who can be asked. What differs is set in the fields.
    #[must_use]
    pub fn new(
        (session, person): (&'a SessionId, &'a str),
        (call, digest): (&'a CallId, &'a str),
        tool: &'a str,
        operation: Operation<'a>,
    ) -> Self {
        Self {
            session,
            person,
            call,
            digest,
            tool,
            input: "{}",
            caller: Caller::Model,
            powers: Powers::default(),
            tainted: false,
            reachable: true,
            approved: None,
            operation,
        }
    }
}

/// Something that a plugin does only if policy allows it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Operation<'a> {
    /// Running the tool.
    Call {
        /// The plugin's statements about the tool.
        traits: &'a Traits,
        /// The plugin's assessment of this input.
        assessment: Assessment<'a>,
    },
    /// An action of a running call, which requests approval.
    Approval {
        /// The action, as the manifest names it.
        action: &'a str,
        /// What a remembered approval covers, in the plugin's words.
        subject: &'a str,
        /// The reason, in the plugin's words.
        reason: &'a str,
        /// Further information for the decision, from the plugin.
        details: Option<&'a Value>,
    },
    /// A request to a host.
    Net(NetRequest<'a>),
    /// Access to a folder, which must be bound before the guest starts.
    Folder {
        /// The guest's path.
        path: &'a str,
        /// The access that the manifest asks for.
        mode: Mode,
        /// A folder of the machine that somebody other than the person proposes.
        offered: Option<&'a str>,
    },
    /// A secret that the host adds to a request.
    Secret {
        /// The secret's name.
        name: &'a str,
        /// The URL scheme.
        scheme: Scheme,
        /// The host name.
        host: &'a str,
        /// The port.
        port: u16,
    },
}

/// A request to a host: what the host itself knows of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NetRequest<'a> {
    /// The HTTP method.
    pub method: Method,
    /// The URL scheme.
    pub scheme: Scheme,
    /// The host name or address, as a URL writes it.
    pub host: &'a str,
    /// The port.
    pub port: u16,
    /// The path and the query.
    pub path: &'a str,
    /// The size of the body in bytes.
    pub bytes: usize,
    /// The secrets that it would carry and that nobody has granted yet.
    pub secrets: &'a [&'a str],
    /// Whether the tool says that it only reads.
    pub read_only: bool,
    /// The action that the manifest requires for each such request, unless the running call has
    /// already got an approval of it.
    pub action: Option<&'a str>,
}

impl<'a> NetRequest<'a> {
    /// Returns a request for `/` without a body, a secret or a required action.
    #[must_use]
    pub fn new(method: Method, scheme: Scheme, host: &'a str, port: u16) -> Self {
        Self {
            method,
            scheme,
            host,
            port,
            path: "/",
            bytes: 0,
            secrets: &[],
            read_only: false,
            action: None,
        }
    }

    /// Returns the host as a grant names it: with its port, unless that is the default one of `https`.
    #[must_use]
    pub fn authority(&self) -> String {
        authority(&self.host, self.port, self.scheme)
    }

    /// Returns the origin, such as `https://api.example.com`.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("{}://{}", self.scheme.as_str(), self.authority())
    }

    /// Reports whether the method only reads.
    #[must_use]
    pub fn reads(&self) -> bool {
        matches!(self.method, Method::Get | Method::Head)
    }
}

/// What a plugin says about one input before the call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assessment<'a> {
    /// No concern, or the plugin was not asked.
    None,
    /// A person should decide.
    Concern {
        /// What a remembered approval covers, in the plugin's words.
        subject: &'a str,
        /// The reason, in the plugin's words.
        reason: &'a str,
    },
    /// The assessment failed, trapped or timed out, which counts as a concern about everything.
    Failed,
}

/// Who made a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Caller {
    /// A language model.
    Model,
    /// A person, through an action of a widget. That is not consent: the plugin wrote the widget.
    Person,
    /// The embedding program, or its user directly.
    Direct,
}

/// What a plugin was granted. By default a plugin has only the stage and its own state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Powers {
    /// A folder, readable or writable.
    pub folder: bool,
    /// A writable folder.
    pub writable_folder: bool,
    /// A host, by any method.
    pub network: bool,
    /// A host, by a method other than GET.
    pub non_get_network: bool,
    /// A secret, which the host sends on the plugin's behalf.
    pub secrets: bool,
}

impl Powers {
    /// Reports whether the plugin can change something outside itself, or act in the person's name.
    #[must_use]
    pub fn effectful(&self) -> bool {
        self.writable_folder || self.non_get_network || self.secrets
    }

    /// Reports whether the plugin can read private data.
    #[must_use]
    pub fn sensitive(&self) -> bool {
        self.folder || self.writable_folder || self.secrets
    }

    /// Whether it can send something away. A GET does: it has a path and a query.
    #[must_use]
    pub fn egress(&self) -> bool {
        self.network || self.non_get_network || self.secrets
    }

    /// Returns the powers in words for a person.
    pub(super) fn summary(self) -> String {
        let words = [
            (self.writable_folder, "change files in a folder"),
            (
                self.folder && !self.writable_folder,
                "read files in a folder",
            ),
            (self.non_get_network, "send to the network"),
            (
                self.network && !self.non_get_network,
                "read from the network",
            ),
            (self.secrets, "use your secrets"),
        ];
        let held: Vec<_> = words
            .into_iter()
            .filter_map(|(held, word)| held.then_some(word))
            .collect();
        match held.as_slice() {
            [] => "nothing beyond showing, asking and its own state".to_owned(),
            held => held.join(", "),
        }
    }
}

impl<'a> Request<'a> {
    /// Returns the subject, if the plugin named one.
    pub(super) fn subject(&self) -> Option<&'a str> {
        match self.operation {
            Operation::Call {
                assessment: Assessment::Concern { subject, .. },
                ..
            }
            | Operation::Approval { subject, .. } => Some(subject),
            _ => None,
        }
    }

    /// Returns the action that needs approval.
    pub(super) fn action(&self) -> Option<&'a str> {
        match self.operation {
            Operation::Approval { action, .. } => Some(action),
            Operation::Net(net) => net.action,
            _ => None,
        }
    }

    /// Reports whether the plugin raises a concern beyond the tool and its input.
    pub(super) fn raises_concern(&self) -> bool {
        match self.operation {
            Operation::Call { assessment, .. } => assessment != Assessment::None,
            Operation::Approval { .. } => true,
            Operation::Net(_) | Operation::Folder { .. } | Operation::Secret { .. } => false,
        }
    }

    /// Reports whether the operation uses a folder, a host or a secret.
    pub(super) fn is_power(&self) -> bool {
        match self.operation {
            Operation::Call { .. } | Operation::Approval { .. } => false,
            Operation::Net(_) | Operation::Folder { .. } | Operation::Secret { .. } => true,
        }
    }
}

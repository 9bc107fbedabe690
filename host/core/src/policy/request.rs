//! What policy is asked about: one thing that is about to happen.
//!
//! Invariant: everything here but the quoted words (`subject`, `reason`, `action`, `input`) was
//! established by the host. Who calls and which plugin it is come from the sandbox, never from
//! what a guest wrote.

use super::approval_request::Binding;
use super::traits::Traits;
use footlight_vocabulary::item::{CallId, SessionId};
use footlight_vocabulary::manifest::{Method, Mode, Scheme};

/// One thing that is about to happen, and what surrounds it.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The session in which it happens.
    pub session: &'a SessionId,
    /// The call that wants it.
    pub call: &'a CallId,
    /// The digest of the plugin's bytes.
    pub digest: &'a str,
    /// The tool that is called, without the plugin's id.
    pub tool: &'a str,
    /// The call's input as canonical JSON: byte for byte what the tool will read.
    pub input: &'a str,
    /// Who made the call.
    pub caller: Caller,
    /// What the plugin was granted.
    pub powers: Powers,
    /// Whether content that nobody vouches for has entered the model's context.
    pub tainted: bool,
    /// Whether a person can be asked at all.
    pub reachable: bool,
    /// What a person has just said yes to, when this request is decided again after their
    /// verdict. It lifts the question and nothing else: a rule that denies still denies.
    pub approved: Option<&'a Binding>,
    /// What is to happen.
    pub operation: Operation<'a>,
}

/// What is to happen.
#[derive(Debug, Clone)]
pub enum Operation<'a> {
    /// Run the tool.
    Call {
        /// What the plugin says of the tool.
        traits: &'a Traits,
        /// What the plugin says of this input.
        assessment: Assessment<'a>,
    },
    /// A running call requests leave.
    Approval {
        /// What for, as the manifest names it.
        action: &'a str,
        /// What a standing yes will cover, in the plugin's words.
        subject: &'a str,
        /// Why, in the plugin's words.
        reason: &'a str,
    },
    /// Send a request to a host. Nothing of this kind can be granted yet.
    Net {
        /// How.
        method: Method,
        /// Over what.
        scheme: Scheme,
        /// Where to.
        host: &'a str,
        /// On which port.
        port: u16,
    },
    /// Open a folder. Nothing of this kind can be granted yet.
    Folder {
        /// The guest's path.
        path: &'a str,
        /// To do what.
        mode: Mode,
    },
    /// Have a secret sent along. Nothing of this kind can be granted yet.
    Secret {
        /// The secret's name.
        name: &'a str,
        /// Over what.
        scheme: Scheme,
        /// Where to.
        host: &'a str,
        /// On which port.
        port: u16,
    },
}

/// What the plugin says about one input before it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assessment<'a> {
    /// No concern, or none was asked for.
    None,
    /// A person should weigh this.
    Concern {
        /// What a standing yes will cover, in the plugin's words.
        subject: &'a str,
        /// Why, in the plugin's words.
        reason: &'a str,
    },
    /// It failed, trapped or took too long, which counts as a concern about everything.
    Failed,
}

/// Who made a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Caller {
    /// A language model.
    Model,
    /// A person, by an action of a widget. Not a consent: the plugin wrote the widget.
    Person,
    /// The embedder's program, or a person at the command line.
    Direct,
}

/// What a plugin was granted, as far as it matters here. All false is a plugin that has nothing
/// beyond the stage and its own state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Powers {
    /// A folder, of whichever mode.
    pub folder: bool,
    /// A folder that it may change.
    pub writable_folder: bool,
    /// A host, by whichever method.
    pub network: bool,
    /// A host, by another method than GET.
    pub non_get_network: bool,
    /// A secret, which the host sends for it.
    pub secrets: bool,
}

impl Powers {
    /// Whether it can change something outside itself, or act in the person's name.
    #[must_use]
    pub fn effectful(&self) -> bool {
        self.writable_folder || self.non_get_network || self.secrets
    }

    /// Whether it can read what is not everyone's.
    #[must_use]
    pub fn sensitive(&self) -> bool {
        self.folder || self.writable_folder || self.secrets
    }

    /// Whether it can send something away. A GET does: it has a path and a query.
    #[must_use]
    pub fn egress(&self) -> bool {
        self.network || self.non_get_network || self.secrets
    }

    /// What it holds, in words for a person.
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
    /// What a standing yes would be about, where the plugin named it.
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

    /// The action that leave is requested for.
    pub(super) fn action(&self) -> Option<&'a str> {
        match self.operation {
            Operation::Approval { action, .. } => Some(action),
            _ => None,
        }
    }

    /// Whether the plugin wants more weighed than the tool and its input.
    pub(super) fn raises_concern(&self) -> bool {
        match self.operation {
            Operation::Call { assessment, .. } => assessment != Assessment::None,
            Operation::Approval { .. } => true,
            Operation::Net { .. } | Operation::Folder { .. } | Operation::Secret { .. } => false,
        }
    }
}

//! The flags that name a server, and those that a server decides itself.

use crate::conversation::session::ConversationFlags;
use crate::exit::ExitError;
use anyhow::Result;
use clap::Args;
use footlight_render::filter;
use std::path::PathBuf;

/// Flags of the commands that can talk to a server.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ServerFlags {
    /// Talk to a running `footlight serve` instead, such as http://127.0.0.1:7390; its plugins, model and
    /// powers apply, and a PLUGIN is the id of one of them
    #[arg(long, value_name = "URL", help_heading = "Server")]
    pub(crate) server: Option<String>,
    /// The file with the token of the server; by default that of a server on this machine, or else the
    /// token in FOOTLIGHT_TOKEN
    #[arg(
        long,
        value_name = "FILE",
        requires = "server",
        help_heading = "Server"
    )]
    pub(crate) token_file: Option<PathBuf>,
    /// Continue this session of the server
    #[arg(long, value_name = "ID", requires = "server", help_heading = "Server")]
    pub(crate) session: Option<String>,
}

impl ServerFlags {
    /// Checks that nothing on the command line is up to the server. Returns the ids of the plugins.
    ///
    /// # Errors
    /// When a flag or a path is given that the server decides.
    pub(crate) fn check(
        &self,
        flags: &ConversationFlags,
        plugins: &[PathBuf],
    ) -> Result<Vec<String>> {
        if let Some(flag) = flags.for_a_host() {
            return Err(ExitError::usage(format!(
                "`{flag}` is up to the server: give it to `footlight serve`, or leave out `--server`"
            )));
        }
        if let Some(session) = self.session.as_deref().filter(|id| !is_id(id)) {
            return Err(ExitError::usage(format!(
                "`--session {}` is not the id of a session, such as ses_4f1c",
                filter::line(session, 60)
            )));
        }
        let id = |path: &PathBuf| {
            let word = path.to_string_lossy();
            match is_id(&word) {
                true => Ok(word.into_owned()),
                false => Err(ExitError::usage(format!(
                    "`{}` is a path, and plugins are loaded by the server: give it to `footlight serve`, or name a plugin of the server by its id",
                    filter::line(&word, 120)
                ))),
            }
        };
        let ids = plugins.iter().map(id).collect::<Result<Vec<_>>>()?;
        if self.session.is_some() && !ids.is_empty() {
            return Err(ExitError::usage(
                "a session keeps the plugins it was started with; leave out the plugin, or `--session`",
            ));
        }
        Ok(ids)
    }
}

/// Reports whether a word is spelled like an id, and so is no path.
fn is_id(word: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !word.is_empty() && word.bytes().all(is_plain)
}

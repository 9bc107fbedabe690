//! `footlight grants explain`: why something would be allowed, asked about or denied.

use crate::config::Config;
use crate::conversation::host::PluginHost;
use crate::data::Data;
use crate::exit::ExitError;
use crate::plugin_source::{BuildCause, PluginArgument};
use crate::power::split_port;
use crate::secrets::LOCAL;
use crate::suggest::quoted_list;
use crate::terminal::ui::Ui;
use anyhow::Result;
use clap::Args;
use footlight::Plugin;
use footlight::policy::{
    Assessment, Decision, Explanation, Grants as Given, NetRequest, Operation, Request, RulesFile,
    Traits, explain,
};
use footlight_render::filter;
use footlight_vocabulary::item::{CallId, SessionId};
use footlight_vocabulary::manifest::{Manifest, Method, Mode, NetRule, Scheme};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// An installed plugin, a component file, or a crate folder to build
    plugin: PathBuf,
    /// The tool name
    #[arg(required_unless_present_any = ["dir", "net", "secret"])]
    #[arg(conflicts_with_all = ["dir", "net", "secret"])]
    tool: Option<String>,
    /// An action that the tool would request approval for
    #[arg(long, requires = "tool")]
    action: Option<String>,
    /// The subject of the request
    #[arg(long, default_value = "", requires = "tool")]
    subject: String,
    /// A folder, by the path that the plugin knows it by
    #[arg(long, value_name = "GUEST", conflicts_with_all = ["net", "secret"])]
    dir: Option<String>,
    /// A host that the plugin would send a request to
    #[arg(long, value_name = "HOST[:PORT]", conflicts_with = "secret")]
    net: Option<String>,
    /// The method of the request; by default the first that the manifest declares for the host
    #[arg(long, requires = "net")]
    method: Option<String>,
    /// A secret that the host would add to requests
    #[arg(long, value_name = "NAME")]
    secret: Option<String>,
}

impl ExplainArgs {
    pub(super) fn explain(&self, file: &RulesFile, data: &Data, ui: &Ui) -> Result<()> {
        let argument = PluginArgument::typed(&self.plugin);
        let plugin = PluginHost::bare(data)?.load(&argument, BuildCause::Named, ui)?;
        for explained in self.explanations(&plugin, file)? {
            let text = explained.to_string();
            if ui.json {
                let decision = match explained.decision {
                    Decision::Allow { .. } => "allow",
                    Decision::Ask { .. } => "ask",
                    Decision::Deny { .. } => "deny",
                };
                let what = &explained.what;
                ui.print_json(&json!({ "what": what, "decision": decision, "text": text }))?;
            } else {
                ui.print(&filter::clean(&text))?;
            }
        }
        let standing = Config::load_unasked(ui)?.tighten(file.rules().clone());
        if (standing.level, standing.ask) != (file.rules().level, file.rules().ask) {
            ui.note("footlight.toml sets a different level or ask mode, which also applies");
        }
        Ok(())
    }

    /// Explains what was named: one operation, or a secret for each host that it goes to.
    fn explanations(&self, plugin: &Plugin, file: &RulesFile) -> Result<Vec<Explanation>> {
        let manifest = plugin.manifest();
        let about = |operation: Operation<'_>| self.of(plugin, file, operation);
        if let Some(path) = &self.dir {
            let declared = manifest.fs.iter().find(|folder| folder.path == *path);
            let mode = declared.map_or(Mode::ReadOnly, |folder| folder.mode);
            return Ok(vec![about(Operation::Folder {
                path,
                mode,
                offered: None,
            })]);
        }
        if let Some(typed) = &self.net {
            return Ok(vec![about(Operation::Net(self.request(typed, manifest)?))]);
        }
        if let Some(name) = &self.secret {
            let declared = manifest
                .secrets
                .iter()
                .filter(|secret| secret.name == *name);
            let hosts = declared.map(|s| (s.scheme, s.host.to_string(), s.port));
            let mut hosts: Vec<_> = hosts.collect();
            if hosts.is_empty() {
                hosts.push((Scheme::Https, String::new(), 443));
            }
            let secrets = hosts.iter().map(|(scheme, host, port)| {
                about(Operation::Secret {
                    name,
                    scheme: *scheme,
                    host,
                    port: *port,
                })
            });
            return Ok(secrets.collect());
        }
        let tool = self.tool.as_deref().unwrap_or_default();
        let described = plugin.tool(tool).ok_or_else(|| {
            let names = plugin.tools().iter().map(|tool| tool.name.as_str());
            let names = filter::line(&quoted_list(names), 300);
            ExitError::usage(format!(
                "no tool `{}`; the plugin has {names}",
                filter::line(tool, 60)
            ))
        })?;
        let traits = Traits::read(&Value::Object(described.traits.clone()));
        Ok(vec![about(match &self.action {
            Some(action) => Operation::Approval {
                action,
                subject: &self.subject,
                reason: "",
                details: None,
            },
            None => Operation::Call {
                traits: &traits,
                assessment: Assessment::None,
            },
        })])
    }

    fn of(&self, plugin: &Plugin, file: &RulesFile, operation: Operation<'_>) -> Explanation {
        let (session, call) = (SessionId::from("explain"), CallId::from("explain"));
        let digest = plugin.digest().to_string();
        let tool = self.tool.as_deref().unwrap_or_default();
        let request = Request::new((&session, LOCAL), (&call, &digest), tool, operation);
        explain(plugin.manifest(), file, &Given::default(), &request)
    }

    /// Returns the request to a host, as the manifest would have it.
    fn request<'a>(&self, typed: &'a str, manifest: &'a Manifest) -> Result<NetRequest<'a>> {
        let (host, port) = split_port(typed);
        let port: Option<u16> = match port.map(str::parse) {
            Some(Err(_)) => {
                let typed = filter::line(typed, 120);
                return Err(ExitError::usage(format!("`{typed}` has no valid port")));
            }
            port => port.and_then(Result::ok),
        };
        let method = match &self.method {
            None => None,
            Some(word) => Some(Method::parse(word).ok_or_else(|| {
                let word = filter::line(word, 40);
                ExitError::usage(format!("`{word}` is not a method; write one such as GET"))
            })?),
        };
        let is_meant = |rule: &&NetRule| {
            let port = port.unwrap_or(rule.scheme.default_port());
            rule.matches(rule.scheme, host, port)
                && method.is_none_or(|method| rule.methods.contains(&method))
        };
        let rule = manifest.net.iter().find(is_meant);
        let scheme = rule.map_or(Scheme::Https, |rule| rule.scheme);
        let first = rule.and_then(|rule| rule.methods.first().copied());
        let method = method.or(first).unwrap_or(Method::Get);
        let port = port.unwrap_or(scheme.default_port());
        let mut request = NetRequest::new(method, scheme, host, port);
        request.action = rule.and_then(|rule| rule.approval.as_deref());
        Ok(request)
    }
}

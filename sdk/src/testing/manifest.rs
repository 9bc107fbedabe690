//! What a plugin uses without having declared it, and the lines of `plugin.toml` that declare it.

use super::declared::Declared;
use footlight_vocabulary::manifest::{
    CONTRACT, Folder, Manifest, Method, NetRule, Scheme, is_action,
};
use std::fmt::Write as _;

/// Where a request goes, as far as the manifest is asked about it.
pub(super) struct Destination<'a> {
    method: Method,
    scheme: Scheme,
    host: &'a str,
    port: u16,
}

impl<'a> Destination<'a> {
    /// Splits a method and an absolute URL, less strictly than a host.
    ///
    /// # Errors
    /// If a host could not grant such a request.
    pub(super) fn parse(method: &str, url: &'a str) -> Result<Self, String> {
        let relative =
            || "the URL is not absolute; begin it with `https://` and the host".to_owned();
        let method = Method::parse(method)
            .ok_or_else(|| format!("the method `{method}` cannot be granted"))?;
        let (scheme, rest) = url.split_once("://").ok_or_else(relative)?;
        let scheme = Scheme::parse(scheme).ok_or_else(relative)?;
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let is_port = |port: &str| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if is_port(port) => (host, port.parse().map_err(|_| relative())?),
            _ => (authority, scheme.default_port()),
        };
        if host.is_empty() || host.contains('@') {
            return Err(relative());
        }
        Ok(Self {
            method,
            scheme,
            host,
            port,
        })
    }

    /// Returns the lines that declare the host.
    fn lines(&self) -> String {
        let authority = self.authority();
        let mut lines = format!("[[net]]\nhost = {authority:?}\n");
        // Writing to a string cannot fail.
        if self.method != Method::Get {
            let _ = writeln!(lines, "methods = [{:?}]", self.method.as_str());
        }
        if self.scheme != Scheme::default() {
            let _ = writeln!(lines, "scheme = {:?}", self.scheme.as_str());
        }
        lines
    }

    fn authority(&self) -> String {
        match self.port == self.scheme.default_port() {
            true => self.host.to_owned(),
            false => format!("{}:{}", self.host, self.port),
        }
    }
}

/// What a request meets in the manifest.
pub(super) struct Admitted {
    /// The action that a person must approve for each request.
    pub(super) approval: Option<String>,
    /// The names of the secrets that the host adds.
    pub(super) secrets: Vec<String>,
}

impl Declared {
    /// Checks that an action is declared.
    ///
    /// # Panics
    /// If it is not.
    pub(super) fn check_approval(&self, action: &str) {
        if self
            .manifest()
            .is_some_and(|manifest| manifest.approval(action).is_some())
        {
            return;
        }
        assert!(
            is_action(action),
            "`{action}` cannot be the action of an approval: write lower-case words joined by dots, such as \"mail.send\""
        );
        let lines = format!(
            "[[approval]]\naction = {action:?}\ndescription = \"What happens once it is approved\"\n"
        );
        let scripted = format!("`stage.undeclared({action:?})`");
        self.refuse(
            &format!("the tool requests the approval `{action}`"),
            &lines,
            &scripted,
        );
    }

    /// Returns what the manifest says of a request.
    ///
    /// # Panics
    /// If no rule admits it.
    pub(super) fn admit(&self, to: &Destination<'_>) -> Admitted {
        let Destination {
            method,
            scheme,
            host,
            port,
        } = *to;
        let rule = |manifest: &Manifest| {
            let rule = manifest.net_rule(method, scheme, host, port)?;
            let secrets = manifest.secrets_for(scheme, host, port);
            Some(Admitted {
                approval: rule.approval.clone(),
                secrets: secrets.map(|secret| secret.name.clone()).collect(),
            })
        };
        if let Some(admitted) = self.manifest().and_then(rule) {
            return admitted;
        }
        let what = format!("the tool sends {} to {}", method.as_str(), to.authority());
        let scripted = "`stage.fails(…, HttpError::Denied(…))` or `stage.without_network()`";
        let matches = |rule: &&NetRule| rule.matches(scheme, host, port);
        match self
            .manifest()
            .and_then(|manifest| manifest.net.iter().find(matches))
        {
            Some(rule) => {
                let methods = rule.methods.iter().chain([&method]);
                let methods: Vec<&str> = methods.map(|method| method.as_str()).collect();
                let lines = format!("methods = {methods:?}\n");
                let place = format!(
                    "In the [[net]] of `{}`, plugin.toml needs",
                    rule.authority()
                );
                panic!("{}", message(&what, &place, &lines, scripted));
            }
            None => self.refuse(&what, &to.lines(), scripted),
        }
    }

    /// Checks that a secret is declared.
    ///
    /// # Panics
    /// If it is not. `host` is where it should have gone, if that is known.
    pub(super) fn check_secret(&self, name: &str, host: Option<&str>) {
        let secrets = self
            .manifest()
            .map_or(&[][..], |manifest| &manifest.secrets);
        if secrets.iter().any(|secret| secret.name == name) {
            return;
        }
        let exact = |rule: &&NetRule| rule.host.is_exact();
        let listed = self
            .manifest()
            .and_then(|manifest| manifest.net.iter().find(exact));
        let listed = listed.map(NetRule::authority);
        let host = host.or(listed.as_deref()).unwrap_or("api.example.com");
        let mut lines = String::new();
        if self
            .manifest()
            .is_none_or(|manifest| manifest.net.is_empty())
        {
            lines = format!("[[net]]\nhost = {host:?}\n\n");
        }
        lines.push_str(&format!(
            "[[secret]]\nname = {name:?}\nhost = {host:?}\nheader = \"authorization\"\nprefix = \"Bearer \"\n"
        ));
        self.refuse(
            &format!("the test names the secret `{name}`"),
            &lines,
            "`stage.unchecked()`",
        );
    }

    /// Returns the folder that is declared for a path.
    ///
    /// # Panics
    /// If none is.
    pub(super) fn folder(&self, path: &str) -> &Folder {
        let folders = self.manifest().map_or(&[][..], |manifest| &manifest.fs);
        folders.iter().find(|folder| folder.path == path).unwrap_or_else(|| {
            let lines = format!("[[fs]]\npath = {path:?}\nmode = \"ro\"\ndescription = \"What the folder is for\"\n");
            self.refuse(&format!("the tool uses the folder `{path}`"), &lines, "`stage.unchecked()`")
        })
    }

    fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// Fails the test with the lines that the manifest lacks.
    fn refuse(&self, what: &str, lines: &str, scripted: &str) -> ! {
        if self.manifest.is_some() {
            panic!("{}", message(what, "plugin.toml needs", lines, scripted));
        }
        let lines = format!(
            "[plugin]\nid = \"my_plugin\"\nversion = \"0.1.0\"\napi = {CONTRACT:?}\ndescription = \"What it does\"\n\n{lines}"
        );
        let place = "In place of `manifest: none` in `plugin!`, a plugin.toml is needed with";
        panic!("{}", message(what, place, &lines, scripted));
    }
}

fn message(what: &str, place: &str, lines: &str, scripted: &str) -> String {
    format!(
        "{what}, which is not declared, so a host refuses it. {place}:\n\n{lines}\n\
         (A test of the refusal itself scripts it: {scripted}.)"
    )
}

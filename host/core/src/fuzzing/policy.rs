//! What must hold for any rules and any request.

use super::line;
use crate::policy::{
    AskMode, Binding, Build, Caller, Decision, Effect, Grants, Level, MAIL_MANIFEST, NetRequest,
    Operation, Powers, Request, Rule, Rules, Subject, Target, decide, parse_rules,
};
use footlight_vocabulary::item::{CallId, SessionId};
use footlight_vocabulary::manifest::{Manifest, Method, Mode, Scheme};

/// The build that makes the requests.
const DIGEST: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/// A request on the first line (a method, a name, a port, a secret and a subject) and a rules file after
/// it. The name is that of a host, a folder, a secret and an action in turn. Whatever the rules say, what
/// the manifest does not declare is denied; a rule that denies wins, also over a person's yes; a power
/// needs a rule that grants it; a rule that denies never loosens and one that allows never tightens; and
/// nobody is asked who is not there.
///
/// # Panics
/// When a promise is broken.
pub fn policy(text: &str) {
    let (request, rules) = line(text);
    let Ok(rules) = parse_rules(rules) else {
        return;
    };
    let manifest = Manifest::parse(MAIL_MANIFEST).expect("the manifest is valid");
    let mut words = request.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let (method, name, port, secret, subject) = (word(), word(), word(), word(), word());
    let port = port.parse().unwrap_or(443);
    let (session, call) = (SessionId::from("s"), CallId::from("c"));
    let secrets = [secret];
    let net = NetRequest {
        method: Method::parse(method).unwrap_or(Method::Get),
        scheme: Scheme::Https,
        host: name,
        port,
        path: "/",
        bytes: 0,
        secrets: if secret.is_empty() { &[] } else { &secrets },
        read_only: false,
        action: (!subject.is_empty()).then_some(subject),
    };
    let mode = match method {
        "GET" => Mode::ReadOnly,
        _ => Mode::ReadWrite,
    };
    let operations = [
        Operation::Net(net),
        Operation::Folder {
            path: name,
            mode,
            offered: None,
        },
        Operation::Secret {
            name,
            scheme: Scheme::Https,
            host: "api.mail.example",
            port,
        },
        Operation::Approval {
            action: name,
            subject,
            reason: "",
            details: None,
        },
    ];
    for operation in operations {
        for reachable in [false, true] {
            let request = Request {
                session: &session,
                person: "ada",
                call: &call,
                digest: DIGEST,
                tool: "draft",
                input: "{}",
                caller: Caller::Model,
                powers: Powers::default(),
                tainted: false,
                reachable,
                approved: None,
                operation: operation.clone(),
            };
            check(&manifest, &rules, &request);
        }
    }
}

/// Returns 0 for what is allowed, 1 for what is asked, 2 for what is denied.
fn strictness(manifest: &Manifest, rules: &Rules, request: &Request<'_>) -> u8 {
    match decide(manifest, rules, &Grants::default(), request) {
        Decision::Allow { .. } => 0,
        Decision::Ask { .. } => 1,
        Decision::Deny { .. } => 2,
    }
}

fn check(manifest: &Manifest, rules: &Rules, request: &Request<'_>) {
    let binding = Binding::of(request);
    let after_yes = Request {
        approved: Some(&binding),
        ..request.clone()
    };
    let decided = strictness(manifest, rules, request);
    let decided_after_yes = strictness(manifest, rules, &after_yes);
    assert!(request.reachable || decided != 1, "nobody can be asked");

    let denials = || {
        let rules = rules.rules.iter();
        rules.filter(|rule| rule.effect == Effect::Deny && covers(rule, request))
    };
    if !is_declared(manifest, request) || denials().next().is_some() {
        assert_eq!(decided, 2, "undeclared or denied: {request:?}");
        assert_eq!(decided_after_yes, 2, "and not to be approved: {request:?}");
    }
    assert!(decided_after_yes <= decided, "a yes never tightens");

    let is_power = !matches!(request.operation, Operation::Approval { .. });
    if is_power && decided == 0 {
        let grants =
            |rule: &Rule| rule.effect == Effect::Allow && rule.is_power() && covers(rule, request);
        assert!(rules.rules.iter().any(grants), "not granted: {request:?}");
        let carries_new_secret =
            matches!(request.operation, Operation::Net(net) if !net.secrets.is_empty());
        assert!(!carries_new_secret, "a secret nobody granted: {request:?}");
    }
    let is_strict = rules.level == Level::Deny || rules.ask == AskMode::Always;
    assert!(!(is_strict && decided == 0), "allowed without a person");

    for index in 0..rules.rules.len() {
        let mut fewer = rules.clone();
        let removed = fewer.rules.remove(index);
        let without = strictness(manifest, &fewer, request);
        match removed.effect {
            Effect::Deny => assert!(decided >= without, "{removed} loosens {request:?}"),
            Effect::Allow => assert!(decided <= without, "{removed} tightens {request:?}"),
        }
    }
}

fn is_declared(manifest: &Manifest, request: &Request<'_>) -> bool {
    match request.operation {
        Operation::Net(net) => manifest
            .net_rule(net.method, net.scheme, net.host, net.port)
            .is_some(),
        Operation::Folder { path, mode, .. } => {
            path == "/outbox" || (path == "/data" && mode == Mode::ReadOnly)
        }
        Operation::Secret { name, port, .. } => name == "token" && port == 443,
        Operation::Approval { action, .. } => manifest.approval(action).is_some(),
        Operation::Call { .. } => true,
    }
}

/// Reports whether a rule is about a request, as the documentation of rules says it.
fn covers(rule: &Rule, request: &Request<'_>) -> bool {
    let is_denial = rule.effect == Effect::Deny;
    let build = match &rule.build {
        Build::Any => true,
        Build::Digest(digest) => digest == DIGEST,
    };
    let (target, subject) = match (&rule.target, &request.operation) {
        (Target::Host(own), Operation::Net(net)) => {
            let with_port = own.matches(&net.authority());
            (with_port || (is_denial && own.matches(net.host)), None)
        }
        (Target::Action(own), Operation::Net(net)) => {
            (net.action.is_some_and(|action| own.matches(action)), None)
        }
        (
            Target::Action(own),
            Operation::Approval {
                action, subject, ..
            },
        ) => (own.matches(action), Some(*subject)),
        (Target::Folder(own), Operation::Folder { path, .. }) => {
            let is_bound = is_denial || rule.folder.is_some();
            (own.matches(path) && is_bound, None)
        }
        (Target::Secret(own), Operation::Secret { name, .. }) => (own.matches(name), None),
        _ => (false, None),
    };
    let of_subject = match &rule.subject {
        Subject::Any => true,
        // An action always has a subject, if only an empty one.
        Subject::None => is_denial || subject.is_none(),
        Subject::Exactly(own) => subject == Some(own.as_str()),
    };
    rule.plugin == "mail" && build && target && of_subject
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::select;

    /// Requests that are declared in part.
    fn requests() -> impl Strategy<Value = String> {
        const NAMES: &[&str] = &[
            "api.mail.example",
            "x.cdn.example",
            "evil.example",
            "/data",
            "/outbox",
            "/etc",
            "token",
            "key",
            "mail.send",
            "mail.pay",
            "mail.forge",
        ];
        (
            select(&["GET", "POST", "DELETE"][..]),
            select(NAMES),
            select(&["443", "8443"][..]),
            select(&["", "token"][..]),
            select(&["", "mail.send", "bob"][..]),
        )
            .prop_map(|(method, name, port, secret, subject)| {
                format!("{method} {name} {port} {secret} {subject}\n")
            })
    }

    /// Rules files, most of them valid.
    fn rules_files() -> impl Strategy<Value = String> {
        const TARGETS: &[&str] = &[
            "host = \"api.mail.example\"",
            "host = \"api.mail.example:8443\"",
            "host = \"x.cdn.example\"",
            "host = \"*\"",
            "tool = \"*\"",
            "secret = \"token\"",
            "secret = \"*\"",
            "action = \"mail.send\"",
            "action = \"*\"",
            "folder = \"/data\"",
            "folder = \"*\"",
        ];
        const BUILDS: &[&str] = &[
            "any",
            DIGEST,
            "0000000000000000000000000000000000000000000000000000000000000000",
        ];
        let rule = (
            any::<bool>(),
            select(&["mail", "mail", "mail", "todo"][..]),
            select(BUILDS),
            select(TARGETS),
            select(&["\"any\"", "\"any\"", "\"none\"", "{ exactly = \"bob\" }"][..]),
        );
        let rule = rule.prop_map(|(allows, plugin, build, target, subject)| {
            let effect = if allows { "allow" } else { "deny" };
            let bound = match allows && target.starts_with("folder") {
                true => "path = \"/srv/ada\"\nmode = \"rw\"\n",
                false => "",
            };
            format!(
                "[[{effect}]]\nplugin = \"{plugin}\"\nbuild = \"{build}\"\n{target}\n{bound}subject = {subject}\n"
            )
        });
        let head = (
            select(&["deny", "allowlist", "allowlist", "full"][..]),
            select(&["off", "on-miss", "on-miss", "always"][..]),
        );
        let rules = proptest::collection::vec(rule, 0..5);
        (head, rules).prop_map(|((level, ask), rules)| {
            format!("level = \"{level}\"\nask = \"{ask}\"\n{}", rules.concat())
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn no_rules_allow_what_is_undeclared_or_denied(
            request in requests(),
            rules in rules_files(),
        ) {
            policy(&(request + &rules));
        }

        #[test]
        fn any_text_is_rules_or_refused(text in "(?s).{0,200}") {
            policy(&text);
        }
    }

    #[test]
    fn most_generated_rules_files_are_valid() {
        use proptest::strategy::ValueTree as _;
        use proptest::test_runner::TestRunner;
        let mut runner = TestRunner::deterministic();
        let valid = (0..100).filter(|_| {
            let file = rules_files().new_tree(&mut runner).expect("a tree");
            parse_rules(&file.current()).is_ok()
        });
        assert!(valid.count() > 50);
    }
}

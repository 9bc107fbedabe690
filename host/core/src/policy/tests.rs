//! The table: one row per situation, and what is decided.
//!
//! A row starts from `scene()`: a model calls the harmless tool `mail.draft` at the default level,
//! and a person is there. Requirements are cited by their number.

use super::*;
use footlight_vocabulary::item::{CallId, SessionId, Verdict};
use footlight_vocabulary::manifest::{Method, Scheme};
use std::sync::LazyLock;

mod properties;

mod verdicts;

const MANIFEST: &str = r#"
[plugin]
id = "mail"
version = "0.1.0"
api = "0.1"
description = "Mail"
[[net]]
host = "api.mail.example"
methods = ["GET", "POST"]
[[fs]]
path = "/data"
mode = "ro"
[[secret]]
name = "token"
host = "api.mail.example"
header = "authorization"
[[approval]]
action = "mail.send"
description = "Send mail in your name"
[[approval]]
action = "mail.purge"
description = "Delete every mail"
severity = "critical"
remember = ["once", "session", "always"]
[[approval]]
action = "mail.pay"
description = "Pay"
remember = ["once"]
"#;

static MAIL: LazyLock<Manifest> =
    LazyLock::new(|| Manifest::parse(MANIFEST).expect("the tests' manifest is valid"));

/// Everything that goes into a decision, easily varied.
#[derive(Debug, Clone)]
struct Scene {
    session: SessionId,
    person: &'static str,
    call: CallId,
    digest: &'static str,
    tool: &'static str,
    input: &'static str,
    caller: Caller,
    powers: Powers,
    tainted: bool,
    reachable: bool,
    traits: Traits,
    assessment: Assessment<'static>,
    /// What is wanted, where it is not the call itself.
    operation: Option<Operation<'static>>,
    rules: Rules,
    grants: Grants,
    approved: Option<Binding>,
}

fn scene() -> Scene {
    Scene {
        session: "s1".into(),
        person: "ada",
        call: "c1".into(),
        digest: "d1",
        tool: "draft",
        input: r#"{"to":"bob"}"#,
        caller: Caller::Model,
        powers: Powers::default(),
        tainted: false,
        reachable: true,
        traits: Traits::default(),
        assessment: Assessment::None,
        operation: None,
        rules: Rules::default(),
        grants: Grants::default(),
        approved: None,
    }
}

impl Scene {
    fn decide(&self) -> Decision {
        decide(&MAIL, &self.rules, &self.grants, &self.request())
    }

    fn request(&self) -> Request<'_> {
        Request {
            session: &self.session,
            person: self.person,
            call: &self.call,
            digest: self.digest,
            tool: self.tool,
            input: self.input,
            caller: self.caller,
            powers: self.powers,
            tainted: self.tainted,
            reachable: self.reachable,
            approved: self.approved.as_ref(),
            operation: self.operation.clone().unwrap_or(Operation::Call {
                traits: &self.traits,
                assessment: self.assessment,
            }),
        }
    }

    fn ask(&self) -> ApprovalRequest {
        match self.decide() {
            Decision::Ask { request: ask, .. } => *ask,
            other => panic!("expected an ask, got {other:?}"),
        }
    }

    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// The same at another time, after a person said this.
    fn after(self, verdict: Verdict) -> Self {
        let ask = self.ask();
        self.with(|s| {
            s.grants.record(&ask, verdict, Some(&notes()));
            s.call = "c2".into();
        })
    }

    fn level(self, level: Level, ask: AskMode) -> Self {
        self.with(|s| {
            s.rules.level = level;
            s.rules.ask = ask;
        })
    }

    fn rule(self, effect: Effect, target: Target, subject: Subject) -> Self {
        self.with(|s| {
            s.rules.rules.push(Rule {
                effect,
                plugin: "mail".into(),
                build: Build::Any,
                folder: matches!((effect, &target), (Effect::Allow, Target::Folder(_))).then(notes),
                target,
                subject,
            });
        })
    }

    fn effectful(self) -> Self {
        self.with(|s| s.powers.writable_folder = true)
    }

    fn destructive(self) -> Self {
        self.with(|s| s.traits.destructive = true)
    }

    fn own(self, actions: &[&str]) -> Self {
        let actions = actions.iter().map(|action| (*action).to_owned());
        self.with(|s| s.traits.requests = actions.collect())
    }

    fn requires_approval(self) -> Self {
        self.with(|s| s.traits.approval = RequiresApproval::Always)
    }

    fn concern(self, subject: &'static str) -> Self {
        let reason = "it goes outside";
        self.with(|s| s.assessment = Assessment::Concern { subject, reason })
    }

    fn unassessed(self) -> Self {
        self.with(|s| s.assessment = Assessment::Failed)
    }

    /// After untrusted content; holds a folder to read and a host to reach.
    fn tainted(self) -> Self {
        self.with(|s| {
            s.tainted = true;
            s.powers.folder = true;
            s.powers.network = true;
        })
    }

    fn alone(self) -> Self {
        self.with(|s| s.reachable = false)
    }

    fn by(self, caller: Caller) -> Self {
        self.with(|s| s.caller = caller)
    }

    fn for_only(self, model: bool, user: bool) -> Self {
        self.with(|s| s.traits.audience = Audience { model, user })
    }

    fn operation(self, operation: Operation<'static>) -> Self {
        self.with(|s| s.operation = Some(operation))
    }

    fn requests(self, action: &'static str) -> Self {
        self.operation(Operation::Approval {
            action,
            subject: "bob@example.com",
            reason: "you told me to",
            details: None,
        })
    }
}

fn net(method: Method, host: &'static str) -> Operation<'static> {
    Operation::Net(NetRequest {
        method,
        scheme: Scheme::Https,
        host,
        port: 443,
        path: "/v1?q=x",
        bytes: 3,
        secrets: &[],
        read_only: false,
        action: None,
    })
}

/// The same with other circumstances.
fn net_with(method: Method, change: impl FnOnce(&mut NetRequest<'static>)) -> Operation<'static> {
    let Operation::Net(mut request) = net(method, "api.mail.example") else {
        unreachable!("it is a request");
    };
    change(&mut request);
    Operation::Net(request)
}

fn notes() -> FolderBinding {
    FolderBinding {
        path: "/home/ada/notes".into(),
        writable: false,
    }
}

fn host(name: &str) -> Target {
    Target::Host(Pattern::parse(name).expect("a pattern"))
}

fn folder_at(path: &str) -> Target {
    Target::Folder(Pattern::parse(path).expect("a pattern"))
}

fn secret(name: &'static str) -> Operation<'static> {
    Operation::Secret {
        name,
        scheme: Scheme::Https,
        host: "api.mail.example",
        port: 443,
    }
}

fn folder(path: &'static str, mode: Mode) -> Operation<'static> {
    Operation::Folder {
        path,
        mode,
        offered: None,
    }
}

fn tool(name: &str) -> Target {
    Target::Tool(Pattern::parse(name).expect("a pattern"))
}

fn action(name: &str) -> Target {
    Target::Action(Pattern::parse(name).expect("a pattern"))
}

/// A decision in a word or two: by what right, on what ground, or the verdicts on offer.
fn short(decision: &Decision) -> String {
    match decision {
        Decision::Allow { reason, .. } => match reason {
            AllowReason::Harmless => "allow: harmless".into(),
            AllowReason::OwnApproval => "allow: own approval".into(),
            AllowReason::Level => "allow: level".into(),
            AllowReason::Rule(_) => "allow: rule".into(),
            AllowReason::Verdict => "allow: verdict".into(),
            AllowReason::Grant(_) => "allow: grant".into(),
        },
        Decision::Ask { request: ask, .. } => {
            let offers: Vec<_> = ask.options.iter().map(|o| o.verdict).collect();
            format!("ask: {offers:?}").to_lowercase()
        }
        Decision::Deny { reason, .. } => format!("deny: {reason:?}").to_lowercase(),
    }
}

const HARMLESS: &str = "allow: harmless";
const OWN: &str = "allow: own approval";
const LEVEL: &str = "allow: level";
const RULE: &str = "allow: rule";
const GRANT: &str = "allow: grant";
const ASK: &str = "ask: [deny, once, session, always]";
const ASK_SESSION: &str = "ask: [deny, once, session]";
const ASK_ONCE: &str = "ask: [deny, once]";
const UNDECLARED: &str = "deny: undeclared";
const DENIED: &str = "deny: rule";
const AUDIENCE: &str = "deny: audience";
const NOT_GRANTED: &str = "deny: notgranted";
const READ_ONLY: &str = "deny: readonly";
const NEVER_ASK: &str = "deny: neverask";
const NOBODY: &str = "deny: noperson";

#[test]
#[rustfmt::skip]
fn each_situation_has_its_decision() {
    use AskMode::{Always, Off, OnMiss};
    use Effect::{Allow, Deny};
    use Level::Full;
    use Subject::Any;
    let exactly = |subject: &str| Subject::Exactly(subject.into());
    let rows: Vec<(&str, Scene, &str)> = vec![
        // What a tool can do comes from what was granted.
        ("nothing granted", scene(), HARMLESS),
        ("nothing granted, nobody there", scene().alone(), HARMLESS),
        ("reads a folder", scene().with(|s| s.powers.folder = true), HARMLESS),
        ("only GETs", scene().with(|s| s.powers.network = true), HARMLESS),
        ("may change a folder", scene().effectful(), ASK),
        ("may POST", scene().with(|s| s.powers.non_get_network = true), ASK),
        ("holds a secret", scene().with(|s| s.powers.secrets = true), ASK),
        ("effectful, nobody there", scene().effectful().alone(), NOBODY),
        ("a person's action is policed too", scene().effectful().by(Caller::Person), ASK),
        ("so is the command line", scene().effectful().by(Caller::Direct), ASK),
        // Traits only tighten.
        ("readOnly loosens nothing", scene().effectful().with(|s| s.traits.read_only = true), ASK),
        ("approval=never loosens nothing", scene().effectful().with(|s| s.traits.approval = RequiresApproval::Never), ASK),
        ("never, yet a concern", scene().concern("x"), ASK),
        ("asks and idempotent say nothing", scene().with(|s| { s.traits.asks = true; s.traits.idempotent = true; }), HARMLESS),
        ("destructive", scene().destructive(), ASK_SESSION),
        ("approval=always", scene().requires_approval(), ASK_ONCE),
        ("approval=assess without a concern", scene().with(|s| s.traits.approval = RequiresApproval::Assess), HARMLESS),
        ("assess failed", scene().unassessed(), ASK_ONCE),
        ("assess failed, nobody there", scene().unassessed().alone(), NOBODY),
        // A tool that requests approval itself is not asked about for its own statements alone.
        ("destructive, requests itself", scene().destructive().own(&["mail.purge"]), OWN),
        ("a concern, requests itself", scene().concern("x").own(&["mail.purge", "mail.send"]), OWN),
        ("both, requests itself", scene().destructive().concern("x").own(&["mail.send"]), OWN),
        ("requests itself, nobody there", scene().destructive().own(&["mail.send"]).alone(), OWN),
        ("requests itself, harmless anyway", scene().own(&["mail.send"]), HARMLESS),
        ("requests nothing", scene().destructive().own(&[]), ASK_SESSION),
        ("requests something undeclared", scene().destructive().own(&["mail.forge"]), ASK_SESSION),
        ("requests one declared, one not", scene().destructive().own(&["mail.send", "mail.forge"]), ASK_SESSION),
        ("requests itself, but effectful", scene().effectful().own(&["mail.send"]), ASK),
        ("requests itself, destructive and effectful", scene().effectful().destructive().own(&["mail.send"]), ASK_SESSION),
        ("requests itself, but tainted", scene().tainted().destructive().own(&["mail.send"]), ASK_ONCE),
        ("requests itself, but approval=always", scene().requires_approval().own(&["mail.send"]), ASK_ONCE),
        ("requests itself, but assess failed", scene().unassessed().own(&["mail.send"]), ASK_ONCE),
        ("requests itself, level deny", scene().destructive().own(&["mail.send"]).level(Level::Deny, OnMiss), ASK_ONCE),
        ("requests itself, mode always", scene().destructive().own(&["mail.send"]).level(Level::Allowlist, Always), ASK_ONCE),
        ("requests itself, mode off", scene().destructive().own(&["mail.send"]).level(Level::Allowlist, Off), OWN),
        ("requests itself, denied by rule", scene().destructive().own(&["mail.send"]).rule(Deny, tool("*"), Any), DENIED),
        ("requests itself, not for this caller", scene().destructive().own(&["mail.send"]).for_only(false, true), AUDIENCE),
        // A subject that cannot be read whole is agreed to once at most.
        ("subject of two lines", scene().concern("a\nb"), ASK_ONCE),
        ("subject written backwards", scene().concern("a\u{202e}b"), ASK_ONCE),
        ("empty subject", scene().concern(" "), ASK_ONCE),
        // Audience.
        ("user's tool, model calls", scene().for_only(false, true), AUDIENCE),
        ("user's tool, action calls", scene().for_only(false, true).by(Caller::Person), HARMLESS),
        ("user's tool, command line calls", scene().for_only(false, true).by(Caller::Direct), HARMLESS),
        ("model's tool, action calls", scene().for_only(true, false).by(Caller::Person), AUDIENCE),
        ("no level opens it", scene().for_only(false, true).level(Full, OnMiss), AUDIENCE),
        ("no rule opens it", scene().for_only(false, true).rule(Allow, tool("draft"), Any), AUDIENCE),
        // After untrusted content.
        ("tainted, but holds nothing", scene().with(|s| s.tainted = true), HARMLESS),
        ("tainted, only reads", scene().tainted().with(|s| s.powers.network = false), HARMLESS),
        ("tainted, only sends", scene().tainted().with(|s| s.powers.folder = false), HARMLESS),
        ("tainted, reads and sends", scene().tainted(), ASK_ONCE),
        ("tainted, reads and says openWorld", scene().tainted().with(|s| { s.powers.network = false; s.traits.open_world = true; }), ASK_ONCE),
        ("tainted, in spite of a rule", scene().tainted().rule(Allow, tool("draft"), Any), ASK_ONCE),
        ("tainted, in spite of a grant", scene().effectful().after(Verdict::Session).tainted(), ASK_ONCE),
        // Verdicts.
        ("once: asks again", scene().effectful().after(Verdict::Once), ASK),
        ("deny leaves nothing", scene().effectful().after(Verdict::Deny), ASK),
        ("cancelled while waiting: the caller records a no", scene().effectful().after(Verdict::Deny).alone(), NOBODY),
        ("session: no longer asks", scene().effectful().after(Verdict::Session), GRANT),
        ("after a restart", scene().effectful().after(Verdict::Always).with(|s| s.grants = Grants::default()), ASK),
        ("always: no longer asks", scene().effectful().after(Verdict::Always), GRANT),
        ("also where nobody is there", scene().effectful().after(Verdict::Session).alone(), GRANT),
        ("also with another input", scene().effectful().after(Verdict::Session).with(|s| s.input = "{}"), GRANT),
        ("another tool", scene().effectful().after(Verdict::Session).with(|s| s.tool = "reset"), ASK),
        ("another build", scene().effectful().after(Verdict::Session).with(|s| s.digest = "d2"), ASK),
        ("another session", scene().effectful().after(Verdict::Session).with(|s| s.session = "s2".into()), ASK),
        ("a concern after a plain yes", scene().effectful().after(Verdict::Session).concern("x; y"), ASK),
        ("a failed assess after a plain yes", scene().effectful().after(Verdict::Session).unassessed(), ASK_ONCE),
        ("the same subject", scene().concern("push x").after(Verdict::Session), GRANT),
        ("another subject", scene().concern("push x").after(Verdict::Session).concern("reset"), ASK),
        ("always where each time is wanted", scene().requires_approval().after(Verdict::Always), ASK_ONCE),
        ("approval=always, after an earlier yes", scene().effectful().after(Verdict::Session).requires_approval(), ASK_ONCE),
        // Rules.
        ("allowed", scene().effectful().rule(Allow, tool("draft"), Any), RULE),
        ("allowed, nobody there", scene().effectful().alone().rule(Allow, tool("*"), Any), RULE),
        ("another tool allowed", scene().effectful().rule(Allow, tool("reset"), Any), ASK),
        ("an action of that name allowed", scene().effectful().rule(Allow, action("draft"), Any), ASK),
        ("allowed without a subject, yet a concern", scene().concern("x").rule(Allow, tool("draft"), Subject::None), ASK),
        ("allowed with this subject", scene().concern("x").rule(Allow, tool("draft"), exactly("x")), RULE),
        ("allowed with another subject", scene().concern("x").rule(Allow, tool("draft"), exactly("y")), ASK),
        ("the subject `any` is no wildcard", scene().concern("x").rule(Allow, tool("draft"), exactly("any")), ASK),
        ("allowed with any, assess failed", scene().unassessed().rule(Allow, tool("draft"), Any), RULE),
        ("approval=always, allowed by name", scene().requires_approval().rule(Allow, tool("draft"), Any), RULE),
        ("approval=always, allowed by `*`", scene().requires_approval().rule(Allow, tool("*"), Any), ASK_ONCE),
        ("denied", scene().rule(Deny, tool("draft"), Any), DENIED),
        ("denied with this subject", scene().concern("x").rule(Deny, tool("*"), exactly("x")), DENIED),
        ("denied with another subject", scene().concern("x").rule(Deny, tool("*"), exactly("y")), ASK),
        ("a concern does not evade a denial", scene().concern("x").rule(Deny, tool("*"), Subject::None), DENIED),
        ("denied and allowed", scene().rule(Allow, tool("draft"), Any).rule(Deny, tool("*"), Any), DENIED),
        ("denied after a yes", scene().effectful().after(Verdict::Always).rule(Deny, tool("*"), Any), DENIED),
        ("denied at full", scene().level(Full, OnMiss).rule(Deny, tool("*"), Any), DENIED),
        // Levels and modes.
        ("full never asks", scene().effectful().destructive().requires_approval().level(Full, OnMiss), LEVEL),
        ("full, nobody there", scene().unassessed().alone().level(Full, OnMiss), LEVEL),
        ("full and off", scene().effectful().level(Full, Off), LEVEL),
        ("full and always: the careful one", scene().level(Full, Always), ASK_ONCE),
        ("deny asks about the harmless", scene().level(Level::Deny, OnMiss), ASK_ONCE),
        ("deny asks in spite of a rule", scene().level(Level::Deny, OnMiss).rule(Allow, tool("draft"), Any), ASK_ONCE),
        ("deny asks in spite of a grant", scene().effectful().after(Verdict::Session).level(Level::Deny, OnMiss), ASK_ONCE),
        ("deny, nobody there", scene().level(Level::Deny, OnMiss).alone(), NOBODY),
        ("deny and off", scene().level(Level::Deny, Off), NEVER_ASK),
        ("always asks about the safe", scene().level(Level::Allowlist, Always), ASK_ONCE),
        ("always asks in spite of a rule", scene().level(Level::Allowlist, Always).rule(Allow, tool("draft"), Any), ASK_ONCE),
        ("off and harmless", scene().level(Level::Allowlist, Off), HARMLESS),
        ("off and a miss", scene().effectful().level(Level::Allowlist, Off), NEVER_ASK),
        ("off and allowed", scene().effectful().level(Level::Allowlist, Off).rule(Allow, tool("draft"), Any), RULE),
        ("off and granted", scene().effectful().after(Verdict::Session).level(Level::Allowlist, Off), GRANT),
        // A running call requests approval.
        ("undeclared action", scene().requests("mail.forge"), UNDECLARED),
        ("undeclared at full", scene().requests("mail.forge").level(Full, Off), UNDECLARED),
        ("undeclared, yet allowed", scene().requests("mail.forge").rule(Allow, action("*"), Any), UNDECLARED),
        ("declared action", scene().requests("mail.send"), ASK),
        ("declared, nobody there", scene().requests("mail.send").alone(), NOBODY),
        ("critical is not for all time", scene().requests("mail.purge"), ASK_SESSION),
        ("each time, says the manifest", scene().requests("mail.pay"), ASK_ONCE),
        ("each time, also after always", scene().requests("mail.pay").after(Verdict::Always), ASK_ONCE),
        ("each time, allowed by name", scene().requests("mail.pay").rule(Allow, action("mail.pay"), Any), RULE),
        ("critical, always becomes session", scene().requests("mail.purge").after(Verdict::Always), GRANT),
        ("action granted", scene().requests("mail.send").after(Verdict::Session), GRANT),
        ("another action", scene().requests("mail.send").after(Verdict::Session).requests("mail.purge"), ASK_SESSION),
        ("granted action, now the call itself", scene().effectful().requests("mail.send").after(Verdict::Session).with(|s| s.operation = None), ASK),
        ("granted call, now an action", scene().effectful().after(Verdict::Session).requests("mail.send"), ASK),
        ("action allowed", scene().requests("mail.send").rule(Allow, action("mail.send"), exactly("bob@example.com")), RULE),
        ("action denied", scene().requests("mail.send").after(Verdict::Session).rule(Deny, action("mail.send"), Any), DENIED),
        ("action at full", scene().requests("mail.purge").level(Full, OnMiss), LEVEL),
        ("action and off", scene().requests("mail.send").level(Level::Allowlist, Off), NEVER_ASK),
        // Hosts, folders, secrets: they need a rule or a grant, whatever the level.
        ("undeclared host", scene().operation(net(Method::Get, "evil.example")), UNDECLARED),
        ("undeclared method", scene().operation(net(Method::Delete, "api.mail.example")), UNDECLARED),
        ("declared host", scene().operation(net(Method::Get, "api.mail.example")), ASK),
        ("declared host, nobody there", scene().operation(net(Method::Get, "api.mail.example")).alone(), NOBODY),
        ("declared host and off", scene().operation(net(Method::Get, "api.mail.example")).level(Level::Allowlist, Off), NEVER_ASK),
        ("declared host, granted", scene().operation(net(Method::Get, "api.mail.example")).after(Verdict::Session), GRANT),
        ("declared host, granted to somebody else", scene().operation(net(Method::Get, "api.mail.example")).after(Verdict::Session).with(|s| s.person = "eve"), ASK),
        ("declared host, granted in another session", scene().operation(net(Method::Get, "api.mail.example")).after(Verdict::Session).with(|s| s.session = "s2".into()), ASK),
        ("declared host, granted once", scene().operation(net(Method::Get, "api.mail.example")).after(Verdict::Once), ASK),
        ("declared host, granted, denied by rule", scene().operation(net(Method::Get, "api.mail.example")).after(Verdict::Session).rule(Deny, host("api.mail.example"), Any), DENIED),
        ("declared host, granted, at full", scene().operation(net(Method::Get, "api.mail.example")).rule(Allow, host("api.mail.example"), Any).level(Full, OnMiss), LEVEL),
        ("declared host, another allowed", scene().operation(net(Method::Get, "api.mail.example")).rule(Allow, host("mail.example"), Any), ASK),
        ("declared host, another port allowed", scene().operation(net(Method::Get, "api.mail.example")).rule(Allow, host("api.mail.example:8443"), Any), ASK),
        ("declared host, a tool allowed", scene().operation(net(Method::Get, "api.mail.example")).rule(Allow, tool("*"), Any), ASK),
        ("POST from a tool that only reads", scene().operation(net_with(Method::Post, |n| n.read_only = true)).rule(Allow, host("*"), Any), READ_ONLY),
        ("GET from a tool that only reads", scene().operation(net_with(Method::Get, |n| n.read_only = true)).rule(Allow, host("*"), Any), RULE),
        ("a secret nobody granted, to an allowed host", scene().operation(net_with(Method::Get, |n| n.secrets = &["token"])).rule(Allow, host("*"), Any), ASK),
        ("a secret nobody granted, to a granted host", scene().operation(net(Method::Get, "api.mail.example")).after(Verdict::Session).operation(net_with(Method::Get, |n| n.secrets = &["token"])), ASK),
        ("a secret nobody granted, to an allowed host at full", scene().operation(net_with(Method::Get, |n| n.secrets = &["token"])).rule(Allow, host("*"), Any).level(Full, OnMiss), NOT_GRANTED),
        ("each request needs approval", scene().operation(net_with(Method::Post, |n| n.action = Some("mail.send"))).rule(Allow, host("*"), Any), ASK_ONCE),
        ("each request needs approval, allowed by name", scene().operation(net_with(Method::Post, |n| n.action = Some("mail.send"))).rule(Allow, host("*"), Any).rule(Allow, action("mail.send"), Any), RULE),
        ("each request needs approval, host not granted", scene().operation(net_with(Method::Post, |n| n.action = Some("mail.send"))).rule(Allow, action("mail.send"), Any), ASK_ONCE),
        ("each request needs approval, denied", scene().operation(net_with(Method::Post, |n| n.action = Some("mail.send"))).rule(Allow, host("*"), Any).rule(Deny, action("mail.send"), Any), DENIED),
        ("tainted, a host nobody granted", scene().tainted().operation(net(Method::Get, "api.mail.example")), ASK_ONCE),
        ("declared host at full", scene().operation(net(Method::Get, "api.mail.example")).level(Full, OnMiss), NOT_GRANTED),
        ("declared host, allowed by rule", scene().operation(net(Method::Get, "api.mail.example")).rule(Allow, Target::Host(Pattern::ANY), Any), RULE),
        ("declared host, denied", scene().operation(net(Method::Get, "api.mail.example")).rule(Deny, Target::Host(Pattern::ANY), Any), DENIED),
        ("undeclared host, denied", scene().operation(net(Method::Get, "evil.example")).rule(Deny, Target::Host(Pattern::ANY), Any), UNDECLARED),
        ("undeclared folder", scene().operation(folder("/etc", Mode::ReadOnly)), UNDECLARED),
        ("folder to write, declared to read", scene().operation(folder("/data", Mode::ReadWrite)), UNDECLARED),
        ("declared folder", scene().operation(folder("/data", Mode::ReadOnly)), ASK),
        ("declared folder, nobody there", scene().operation(folder("/data", Mode::ReadOnly)).alone(), NOBODY),
        ("declared folder at full", scene().operation(folder("/data", Mode::ReadOnly)).level(Full, OnMiss), NOT_GRANTED),
        ("declared folder, bound by rule", scene().operation(folder("/data", Mode::ReadOnly)).rule(Allow, folder_at("/data"), Any), RULE),
        ("declared folder, bound for the session", scene().operation(folder("/data", Mode::ReadOnly)).after(Verdict::Session), GRANT),
        ("declared folder, denied", scene().operation(folder("/data", Mode::ReadOnly)).after(Verdict::Session).rule(Deny, folder_at("*"), Any), DENIED),
        ("undeclared secret", scene().operation(secret("key")), UNDECLARED),
        ("declared secret", scene().operation(secret("token")), ASK),
        ("declared secret at full", scene().operation(secret("token")).level(Full, OnMiss), NOT_GRANTED),
        ("declared secret, allowed", scene().operation(secret("token")).rule(Allow, Target::Secret(Pattern::ANY), Any), RULE),
        ("declared secret, denied", scene().operation(secret("token")).rule(Deny, Target::Secret(Pattern::ANY), Any), DENIED),
    ];
    let wrong: Vec<_> = rows
        .iter()
        .map(|(row, scene, expected)| (row, short(&scene.decide()), expected))
        .filter(|(_, decided, expected)| decided != *expected)
        .collect();
    assert!(wrong.is_empty(), "row, decided, expected: {wrong:#?}");
    assert!(rows.len() > 100, "rows went missing: {}", rows.len());
}

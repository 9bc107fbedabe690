//! Situations for the tests of policy. Each starts from `scene()`: a model calls the harmless tool
//! `mail.draft` at the default level, and a person is there.

use super::*;
use footlight_vocabulary::item::{CallId, SessionId, Verdict};
use footlight_vocabulary::manifest::{Method, Scheme};
use std::sync::LazyLock;

mod properties;

mod situations;

mod verdicts;

static MAIL: LazyLock<Manifest> =
    LazyLock::new(|| Manifest::parse(MAIL_MANIFEST).expect("the tests' manifest is valid"));

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
        path: "/srv/ada/notes".into(),
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

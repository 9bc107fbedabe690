//! What holds in every situation, however it came about.

use super::*;
use proptest::prelude::*;
use proptest::sample::select;

/// Subjects that grants and rules may name. `NEW` is one that they never do.
const SUBJECTS: &[&str] = &["x", "y", "*", "any"];
const NEW: &str = "never agreed to";

fn rank(scene: &Scene) -> u8 {
    match scene.decide() {
        Decision::Allow { .. } => 0,
        Decision::Ask { .. } => 1,
        Decision::Deny { .. } => 2,
    }
}

fn assessments() -> impl Strategy<Value = Assessment<'static>> {
    prop_oneof![
        Just(Assessment::None),
        Just(Assessment::Failed),
        select(SUBJECTS).prop_map(|subject| Assessment::Concern {
            subject,
            reason: "r"
        }),
    ]
}

fn operations() -> impl Strategy<Value = Option<Operation<'static>>> {
    let actions = select(&["mail.send", "mail.purge", "mail.pay", "mail.forge", "*"][..]);
    let approval = (actions, select(SUBJECTS)).prop_map(|(action, subject)| {
        Some(Operation::Approval {
            action,
            subject,
            reason: "r",
            details: None,
        })
    });
    let hosts = select(&["api.mail.example", "evil.example"][..]);
    prop_oneof![
        4 => Just(None),
        3 => approval,
        1 => hosts.prop_map(|host| Some(net(Method::Get, host))),
        1 => Just(Some(folder("/data", Mode::ReadOnly))),
        1 => select(&["token", "key"][..]).prop_map(|name| Some(secret(name))),
    ]
}

fn traits() -> impl Strategy<Value = Traits> {
    let leaves = select(
        &[
            RequiresApproval::Never,
            RequiresApproval::Assess,
            RequiresApproval::Always,
        ][..],
    );
    let requests = select(vec![
        vec![],
        vec!["mail.send".to_owned()],
        vec!["mail.forge".to_owned()],
    ]);
    (any::<[bool; 7]>(), leaves, requests).prop_map(|(b, approval, requests)| Traits {
        read_only: b[0],
        destructive: b[1],
        idempotent: b[2],
        open_world: b[3],
        asks: b[4],
        approval,
        requests,
        audience: Audience {
            model: b[5],
            user: b[6],
        },
    })
}

fn rules(effect: impl Strategy<Value = Effect>) -> impl Strategy<Value = Rule> {
    let names = select(&["draft", "reset", "mail.send", "mail.pay", "mail.forge", "*"][..]);
    let kinds: &[fn(Pattern) -> Target] = &[Target::Tool, Target::Action, Target::Host];
    let subjects = prop_oneof![
        Just(Subject::Any),
        Just(Subject::None),
        select(SUBJECTS).prop_map(|subject| Subject::Exactly(subject.into())),
    ];
    let builds = select(vec![Build::Any, Build::Digest("d1".into())]);
    (effect, names, select(kinds), subjects, builds).prop_map(
        |(effect, name, kind, subject, build)| Rule {
            effect,
            plugin: "mail".into(),
            build,
            target: kind(Pattern::parse(name).expect("a pattern")),
            subject,
            folder: None,
        },
    )
}

/// Any situation, with grants that came about as they would: by verdicts on real asks.
fn scenes() -> impl Strategy<Value = Scene> {
    let effects = select(&[Effect::Allow, Effect::Allow, Effect::Deny][..]);
    let verdicts = select(&[Verdict::Once, Verdict::Session, Verdict::Always][..]);
    let asked = (operations(), assessments(), verdicts);
    (
        (operations(), assessments(), traits(), any::<[bool; 7]>()),
        select(&[Level::Deny, Level::Allowlist, Level::Full][..]),
        select(&[AskMode::Off, AskMode::OnMiss, AskMode::Always][..]),
        select(&[Caller::Model, Caller::Person, Caller::Direct][..]),
        proptest::collection::vec(rules(effects), 0..3),
        proptest::collection::vec(asked, 0..4),
    )
        .prop_map(
            |((operation, assessment, traits, b), level, ask, caller, rules, asked)| {
                let mut grants = Grants::default();
                for (operation, assessment, verdict) in asked {
                    let earlier = scene().effectful().with(|s| {
                        s.operation = operation;
                        s.assessment = assessment;
                    });
                    if let Decision::Ask { request: ask, .. } = earlier.decide() {
                        grants.record(&ask, verdict, Some(&notes()));
                    }
                }
                scene().with(|s| {
                    s.operation = operation;
                    s.assessment = assessment;
                    s.traits = traits;
                    s.powers = Powers {
                        folder: b[0],
                        writable_folder: b[1],
                        network: b[2],
                        non_get_network: b[3],
                        secrets: b[4],
                    };
                    s.tainted = b[5];
                    s.reachable = b[6];
                    s.caller = caller;
                    s.rules = Rules { level, ask, rules };
                    s.grants = grants;
                })
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_undeclared_is_never_allowed(scene in scenes(), action in "[a-z*.]{0,12}") {
        prop_assume!(MAIL.approval(&action).is_none());
        let operation = Operation::Approval { action: &action, subject: "x", reason: "r", details: None };
        let yes = Binding::of(&Request { operation: operation.clone(), ..scene.request() });
        let request = Request { operation, approved: Some(&yes), ..scene.request() };
        let decision = decide(&MAIL, &scene.rules, &scene.grants, &request);
        prop_assert_eq!(short(&decision), UNDECLARED);
    }

    #[test]
    fn one_more_denial_never_loosens(scene in scenes(), rule in rules(Just(Effect::Deny))) {
        let more = scene.clone().with(|s| s.rules.rules.push(rule));
        prop_assert!(rank(&more) >= rank(&scene));
    }

    #[test]
    fn traits_powers_and_taint_never_loosen(scene in scenes()) {
        let tighter = [
            scene.clone().destructive(),
            scene.clone().requires_approval(),
            scene.clone().effectful(),
            scene.clone().with(|s| s.tainted = true),
            scene.clone().with(|s| s.traits.open_world = true),
            scene.clone().with(|s| s.powers.secrets = true),
            scene.clone().with(|s| s.traits.audience.model = false),
            scene.clone().alone(),
        ];
        for tighter in tighter {
            prop_assert!(rank(&tighter) >= rank(&scene), "{:?}", tighter);
        }
        let claims = scene.clone().with(|s| s.traits.read_only = !s.traits.read_only);
        prop_assert_eq!(rank(&claims), rank(&scene));
    }

    #[test]
    fn own_approval_loosens_no_more_than_saying_nothing(scene in scenes()) {
        // A concern about a subject that was agreed to loosens by itself.
        let scene = match scene.assessment {
            Assessment::Concern { .. } => scene.concern(NEW),
            _ => scene,
        };
        let silent = scene.clone().with(|s| {
            s.traits.destructive = false;
            s.traits.requests.clear();
            s.assessment = Assessment::None;
        });
        for requests in [&[][..], &["mail.send"], &["mail.forge"]] {
            prop_assert!(rank(&scene.clone().own(requests)) >= rank(&silent), "{:?}", scene);
        }
    }

    // With a subject that was agreed to it is another matter: then a person said yes to just that.
    #[test]
    fn a_concern_nobody_agreed_to_never_loosens(scene in scenes()) {
        let scene = scene.with(|s| s.assessment = Assessment::None);
        prop_assert!(rank(&scene.clone().concern(NEW)) >= rank(&scene));
        prop_assert!(rank(&scene.clone().unassessed()) >= rank(&scene));
    }

    #[test]
    fn nobody_is_asked_where_nobody_is(scene in scenes()) {
        prop_assert_ne!(rank(&scene.alone()), 1);
    }

    #[test]
    fn grant_for_one_subject_says_nothing_of_another(
        scene in scenes(),
        one in ".{1,8}",
        other in ".{1,8}",
        approval in any::<bool>(),
    ) {
        prop_assume!(one != other);
        let traits = Traits::default();
        let operation = |subject| match approval {
            true => Operation::Approval { action: "mail.send", subject, reason: "r", details: None },
            false => Operation::Call {
                traits: &traits,
                assessment: Assessment::Concern { subject, reason: "r" },
            },
        };
        let rules = Rules::default();
        let first = Request { operation: operation(&one), reachable: true, tainted: false, ..scene.request() };
        let mut grants = Grants::default();
        match decide(&MAIL, &rules, &grants, &first) {
            Decision::Ask { request: ask, .. } => grants.record(&ask, Verdict::Session, None),
            other => panic!("expected an ask, got {other:?}"),
        };
        let second = Request { operation: operation(&other), ..first };
        let decision = decide(&MAIL, &rules, &grants, &second);
        let asked = matches!(decision, Decision::Ask { .. });
        prop_assert!(asked, "{:?}", decision);
    }

    #[test]
    fn the_same_situation_is_decided_the_same(scene in scenes()) {
        prop_assert_eq!(scene.decide(), scene.clone().decide());
    }

    #[test]
    fn a_yes_allows_what_was_asked_and_never_what_was_denied(scene in scenes()) {
        let again = scene.clone().with(|s| s.approved = Some(Binding::of(&s.request())));
        match scene.decide() {
            Decision::Ask { .. } => prop_assert_eq!(short(&again.decide()), "allow: verdict"),
            Decision::Allow { .. } => prop_assert_eq!(rank(&again), 0),
            Decision::Deny { reason, .. } => {
                let waited = matches!(reason, DenyReason::NoPerson | DenyReason::NeverAsk);
                prop_assert_eq!(rank(&again), if waited { 0 } else { 2 });
            }
        }
    }
}

//! Actions that call nothing, and actions that show several widgets.

use super::*;
use crate::attackers::{Answer as Returns, Attacker, Tool};

/// Returns a session with a card of the plugin `p`, whose buttons call these tools. The tool `think` is
/// only for the model.
async fn with_buttons(tools: &[&str]) -> Session {
    let button =
        |tool: &&str| json!({ "type": "Button", "label": tool, "onClickAction": { "type": tool } });
    let buttons: Vec<Value> = tools.iter().map(button).collect();
    let card = json!({ "type": "Card", "children": buttons });
    let think = Tool {
        traits: json!({ "audience": ["model"] }).to_string(),
        ..Tool::named("think")
    };
    let component = Attacker {
        tools: vec![Tool::named("show"), think],
        answer: Returns::Outcome("structured".into(), card.to_string(), None, None),
        ..Attacker::default()
    };
    let host = host(&[]).await;
    let loaded = host.load_bytes(&component.component(), "p").await;
    loaded.expect("it is well formed");
    let model = Scripted::new([calls([("p__show", json!({}))]), says("There.")]);
    let settings = Settings::new(model).attended();
    let session = host.session(settings).await.expect("a session");
    turn(&session, "Show it", Person::default()).await;
    session
}

#[tokio::test]
async fn an_action_that_names_no_tool_or_one_for_the_model_alone_runs_nothing_and_says_so() {
    let session = with_buttons(&["missing", "think"]).await;
    let card = widgets(&session.items())[0].0.clone();
    for (tool, code, words) in [
        ("missing", FailureCode::InvalidInput, "no tool"),
        ("think", FailureCode::Denied, "only for the model"),
    ] {
        let press = scripted_session::press(&card, tool, json!({}));
        let followed = pressed(&session, press, Person::default()).await;
        assert_eq!(followed.status, Status::Error, "{tool}");
        let CallResult::Error {
            error, code: found, ..
        } = last_result(&followed.items)
        else {
            panic!("{tool} failed: {:?}", followed.items);
        };
        assert_eq!(found.as_ref(), Some(&code), "{error}");
        assert!(error.contains(words), "{error}");
        assert_eq!(
            widgets(&followed.items),
            [(&card, widgets(&session.items())[0].1)]
        );
    }
}

#[tokio::test]
async fn a_place_without_an_action_cannot_be_pressed() {
    let session = with_buttons(&["show"]).await;
    let items = session.items();
    let (card, _) = widgets(&items)[0];
    let good = scripted_session::press(card, "show", json!({}));
    for path in [
        "children[0]",
        "children[1].onClickAction",
        "children[0].onClickAction.type",
        "..",
    ] {
        let press = Press {
            path: path.to_owned(),
            ..good.clone()
        };
        assert_eq!(
            session.press(press).err(),
            Some(PressError::NoAction),
            "{path}"
        );
    }
    assert_eq!(session.items(), items);
}

/// Returns a session with a card that the guest of many operations has returned.
async fn with_op_card(card: &Value) -> Session {
    let returns = json!([{ "op": "return", "text": card.to_string() }]).to_string();
    let model = Scripted::new([
        calls([("op__play", json!({ "operations": returns }))]),
        says("There."),
    ]);
    let host = host(&[plugins::OP]).await;
    let session = host.session(Settings::new(model)).await.expect("a session");
    turn(&session, "Show it", Person::default()).await;
    session
}

#[tokio::test]
async fn further_widgets_of_an_action_are_new_items() {
    let shows = json!([{ "op": "show", "text": "a" }, { "op": "show", "text": "b" }]).to_string();
    let card = json!({ "type": "Card", "children": [{ "type": "Button", "label": "Go",
        "onClickAction": { "type": "play", "payload": { "operations": shows } } }] });
    let session = with_op_card(&card).await;
    let before = widgets(&session.items())[0].0.clone();
    let play = press(&session, "play", json!({}));
    let followed = pressed(&session, play, Person::default()).await;
    assert_eq!(
        followed.types(),
        ["tool", "widget", "text", "tool", "widget"]
    );
    let shown = widgets(&followed.items);
    assert_eq!((&shown[0].0.id, &*shown[0].1.fallback), (&before.id, "a"));
    assert_eq!(&*shown[1].1.fallback, "b");
    assert_ne!(shown[1].0.id, before.id);
}

#[tokio::test]
async fn values_that_would_make_the_card_too_large_are_not_kept() {
    let card = json!({ "type": "Card", "children": [{ "type": "Form",
        "onSubmitAction": { "type": "play", "payload": {} },
        "children": [{ "type": "Textarea", "name": "operations" }] }] });
    let session = with_op_card(&card).await;
    for (spaces, is_kept) in [(55_000, false), (100, true)] {
        let before = session.items();
        let operations = format!("[{}]", " ".repeat(spaces));
        let play = press(&session, "play", json!({ "operations": operations }));
        let followed = pressed(&session, play, Person::default()).await;
        assert_eq!(followed.status, Status::Done);
        let is_same = widgets(&followed.items) == widgets(&before);
        assert_eq!(is_same, !is_kept, "{spaces}");
    }
}

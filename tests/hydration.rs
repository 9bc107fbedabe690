//! Results that are component trees become widgets, and the model reads a line in their place.

use crate::attackers::{Answer as Returns, Attacker, Tool};
use crate::network::Log;
use footlight::Host;
use footlight::model::{Message, Part, Request};
use footlight::session::{Session, Settings};
use footlight::store::{SqliteStore, Store};
use footlight::vocabulary::component::check;
use footlight::vocabulary::event::{EventBody, Status};
use footlight::vocabulary::item::{CallResult, Content, Item, Level, Record, Widget};
use footlight::vocabulary::widget::MAX_VIEW;
use footlight_render::lower::Lower;
use footlight_render::terminal::Terminal;
use footlight_tests::plugins;
use footlight_tests::scripted_call::builder;
use footlight_tests::scripted_session::{
    self, Answer, Followed, Person, Scripted, calls, follow, press, says, turn,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// Returns what a tool returns as plain data.
fn data(value: &Value) -> Returns {
    Returns::Outcome("structured".into(), value.to_string(), None, None)
}

fn text(content: &str) -> Returns {
    let data = json!({ "content": content }).to_string();
    Returns::Outcome("text".into(), data, None, None)
}

fn card(words: &str) -> Value {
    json!({ "type": "Card", "children": [
        { "type": "Text", "value": words },
        { "type": "Button", "label": "Again", "onClickAction": { "type": "attack", "payload": {} } },
    ] })
}

/// Returns a card of exactly this many bytes.
fn card_of(size: usize) -> Value {
    let empty = card("").to_string().len();
    let card = card(&"é".repeat((size - empty) / 2));
    assert!(size - card.to_string().len() < 2);
    let mut card = card;
    if card.to_string().len() < size {
        let text = card["children"][0]["value"].as_str().expect("a text");
        card["children"][0]["value"] = format!("{text}x").into();
    }
    assert_eq!(card.to_string().len(), size);
    card
}

/// Returns a host with one plugin for each answer: `p0`, `p1` and so on.
async fn host_with(store: Option<&Arc<dyn Store>>, answers: &[Returns]) -> Host {
    let mut builder = builder();
    if let Some(store) = store {
        builder = builder.store(Arc::clone(store));
    }
    let host = builder.build().expect("builds");
    for (n, answer) in answers.iter().enumerate() {
        let component = Attacker {
            tools: vec![Tool::named("attack")],
            answer: answer.clone(),
            ..Attacker::default()
        };
        let loaded = host
            .load_bytes(&component.component(), &format!("p{n}"))
            .await;
        loaded.expect("it is well formed");
    }
    host
}

/// Returns an answer of the model that calls the tool of each plugin.
fn call_all(count: usize) -> Answer {
    let names: Vec<String> = (0..count).map(|n| format!("p{n}__attack")).collect();
    match &names[..] {
        [a] => calls([(a, json!({}))]),
        [a, b] => calls([(a, json!({})), (b, json!({}))]),
        [a, b, c] => calls([(a, json!({})), (b, json!({})), (c, json!({}))]),
        _ => panic!("up to three"),
    }
}

/// Runs one turn in which the model calls each tool once.
async fn play(answers: &[Returns]) -> (Session, Followed, Request) {
    let host = host_with(None, answers).await;
    let model = Scripted::new([call_all(answers.len()), says("Done.")]);
    let settings = Settings::new(model.clone()).attended();
    let session = host.session(settings).await.expect("a session");
    let followed = turn(&session, "Go", Person::default()).await;
    assert_eq!(followed.status, Status::Done);
    let request = model.sent().pop().expect("it was asked");
    (session, followed, request)
}

fn widgets(items: &[Item]) -> Vec<(&Item, &Widget)> {
    let widget = |item| match item {
        &Item {
            content: Content::Widget(ref widget),
            ..
        } => Some((item, widget)),
        _ => None,
    };
    items.iter().filter_map(widget).collect()
}

fn notices(items: &[Item]) -> Vec<&str> {
    let notices = items.iter().filter_map(|item| match &item.content {
        Content::Notice(notice) => {
            assert_eq!(notice.level, Level::Warning);
            Some(&*notice.text)
        }
        _ => None,
    });
    notices.collect()
}

/// Returns what the model reads of the results of its last calls.
fn results(request: &Request) -> Vec<String> {
    let Some(Message::Results { results }) = request.messages.last() else {
        panic!("results: {:?}", request.messages);
    };
    let text = |part: &Part| match part {
        Part::Text { text } => text.clone(),
        other => panic!("a text: {other:?}"),
    };
    let all = results.iter().flat_map(|result| &result.content);
    all.map(text).collect()
}

#[tokio::test]
async fn a_result_that_is_a_tree_is_a_widget_and_the_model_reads_one_line() {
    let list = json!({ "type": "ListView", "children": [
        { "type": "ListViewItem", "children": [{ "type": "Text", "value": "Bread" }] },
    ] });
    let (_, followed, request) =
        play(&[data(&card("Rain in Oslo")), text(&list.to_string())]).await;
    assert_eq!(
        followed.types(),
        ["tool", "widget", "tool", "widget", "text"]
    );
    let shown: Vec<Value> = widgets(&followed.items)
        .iter()
        .map(|(_, widget)| widget.view.clone().expect("a view"))
        .collect();
    assert_eq!(shown, [card("Rain in Oslo"), list]);
    assert_eq!(
        results(&request),
        [
            "shown to the person as a `Card`: Rain in Oslo [Again]",
            "shown to the person as a `ListView`: Bread",
        ]
    );
    let sent = serde_json::to_string(&*request.messages).expect("JSON");
    assert!(!sent.contains("children"), "{sent}");
    // The person sees the widget, and not the same tree as data.
    let drawn: String = followed.items[..2]
        .iter()
        .map(|item| Terminal::new(80).draw(&Lower::default().item(item)).text)
        .collect();
    assert_eq!(drawn.matches("Rain in Oslo").count(), 1, "{drawn}");
    assert!(!drawn.contains("children"), "{drawn}");
}

#[tokio::test]
async fn structured_content_comes_first_with_its_copy_text_and_the_models_words() {
    let tree = card("from the content");
    let in_artifact = json!({
        "artifact": { "structured_content": tree, "copy_text": "Copied" },
        "content": "Three flights were found.",
    });
    let beside = Returns::Outcome(
        "text".into(),
        json!({ "content": card("from the text").to_string() }).to_string(),
        None,
        Some(
            json!({ "structured_content": tree, "copy_text": 7, "model": "own words" }).to_string(),
        ),
    );
    let (_, followed, request) = play(&[data(&in_artifact), beside]).await;
    let shown: Vec<_> = widgets(&followed.items)
        .into_iter()
        .map(|(_, widget)| (widget.view.clone(), widget.copy_text.clone()))
        .collect();
    let copied = Some("Copied".to_owned());
    assert_eq!(shown, [(Some(tree.clone()), copied), (Some(tree), None)]);
    assert_eq!(
        results(&request),
        [
            "Three flights were found.\n(shown to the person as a `Card`)",
            "own words",
        ]
    );
}

#[tokio::test]
async fn a_tree_that_cannot_be_shown_costs_a_notice_and_nothing_else() {
    let bad = json!({ "type": "Card", "children": "none" });
    assert!(check(&bad).is_err());
    let (_, followed, request) = play(&[data(&bad), data(&card("good"))]).await;
    // The notice comes first, the good widget is shown, and the model goes on.
    assert_eq!(
        followed.types(),
        ["tool", "notice", "tool", "widget", "text"]
    );
    let [notice] = notices(&followed.items)[..] else {
        panic!("one notice: {:?}", followed.items);
    };
    assert!(
        notice.starts_with("a widget that `p0` returned is not shown: `children`"),
        "{notice}"
    );
    let read = results(&request);
    assert_eq!(read[0], "a `Card` that cannot be shown to the person");
    // What was returned is in the record all the same.
    let Content::Tool(tool) = &followed.items[0].content else {
        panic!("a call");
    };
    assert!(matches!(&tool.result, CallResult::Success { output } if output["data"] == bad));
}

#[tokio::test]
async fn a_tree_may_have_fifty_thousand_bytes_and_not_one_more() {
    let (fits, too_large) = (card_of(MAX_VIEW), card_of(MAX_VIEW + 1));
    let answers = [data(&fits), data(&too_large), text(&too_large.to_string())];
    let (_, followed, request) = play(&answers).await;
    let [(_, widget)] = widgets(&followed.items)[..] else {
        panic!("one widget: {:?}", followed.types());
    };
    assert_eq!(widget.view, Some(fits));
    let notices = notices(&followed.items);
    assert_eq!(notices.len(), 2);
    for notice in notices {
        assert!(notice.contains("too large: 50001 bytes"), "{notice}");
    }
    for read in &results(&request)[1..] {
        assert_eq!(read, "a `Card` that cannot be shown to the person");
    }
}

#[tokio::test]
async fn content_without_a_type_is_said_and_plain_data_is_not() {
    let untyped = json!({
        "structured_content": { "children": [] },
        "content": card("in the text").to_string(),
    });
    let plain = json!({ "children": [], "city": "Oslo" });
    let other = json!({ "structured_content": { "type": "Chart" }, "content": "Words." });
    let (_, followed, request) = play(&[data(&untyped), data(&plain), data(&other)]).await;
    assert_eq!(followed.types(), ["tool", "notice", "tool", "tool", "text"]);
    let notices = notices(&followed.items);
    assert!(notices[0].contains("no `type`"), "{notices:?}");
    assert_eq!(
        results(&request)[1..],
        [plain.to_string(), other.to_string()]
    );
}

#[tokio::test]
async fn the_notice_of_a_call_stands_before_the_widgets_that_it_has_shown() {
    let host = scripted_session::host(&[plugins::OP]).await;
    let bad = json!({ "type": "Card", "children": 1 }).to_string();
    let operations = json!([
        { "op": "show", "text": "first" },
        { "op": "show", "text": "second" },
        { "op": "return", "text": bad },
    ]);
    let input = json!({ "operations": operations.to_string() });
    let model = Scripted::new([calls([("op__play", input)]), says("Done.")]);
    let session = host.session(Settings::new(model)).await.expect("a session");
    let followed = turn(&session, "Go", Person::default()).await;
    assert_eq!(
        followed.types(),
        ["tool", "notice", "widget", "widget", "text"]
    );
    let shown: Vec<&str> = widgets(&followed.items)
        .iter()
        .map(|(_, widget)| &*widget.fallback)
        .collect();
    assert_eq!(shown, ["first", "second"]);
}

#[tokio::test]
async fn a_tree_that_a_call_returns_comes_after_the_widgets_that_it_has_shown() {
    let host = scripted_session::host(&[plugins::OP]).await;
    let operations = json!([
        { "op": "show", "text": "first" },
        { "op": "return", "text": card("last").to_string() },
    ]);
    let input = json!({ "operations": operations.to_string() });
    let model = Scripted::new([calls([("op__play", input)]), says("Done.")]);
    let session = host.session(Settings::new(model)).await.expect("a session");
    let followed = turn(&session, "Go", Person::default()).await;
    let shown: Vec<&str> = widgets(&followed.items)
        .iter()
        .map(|(_, widget)| widget.fallback.lines().next().unwrap_or(""))
        .collect();
    assert_eq!(shown, ["first", "last"]);
}

#[tokio::test]
async fn neither_words_of_the_model_nor_of_the_person_become_widgets() {
    let tree = card("not a result").to_string();
    let host = host_with(None, &[]).await;
    let model = Scripted::new([says(&tree)]);
    let session = host.session(Settings::new(model)).await.expect("a session");
    let followed = turn(&session, &tree, Person::default()).await;
    assert_eq!(followed.types(), ["text"]);
}

#[tokio::test]
async fn a_call_without_a_session_shows_its_tree_too() {
    let host = host_with(None, &[data(&card("direct"))]).await;
    let outcome = host.call("p0.attack", json!({})).finish().await;
    let types: Vec<&str> = outcome
        .items
        .iter()
        .map(|item| item.content.type_name())
        .collect();
    assert_eq!(types, ["tool", "widget"]);
    assert!(
        outcome
            .model
            .as_str()
            .is_some_and(|line| line.contains("direct"))
    );
}

#[tokio::test]
async fn the_session_decides_which_components_are_roots() {
    let basic = json!({ "type": "Basic", "children": [{ "type": "Text", "value": "bare" }] });
    let host = host_with(None, &[data(&basic), data(&card("framed"))]).await;
    for (roots, shown) in [
        (&["Card", "ListView"][..], ["framed"].as_slice()),
        (&["Basic"], &["bare"]),
        (&[], &[]),
    ] {
        let mut settings = Settings::new(Scripted::new([call_all(2)]));
        if roots.len() < 2 {
            settings.roots = roots.iter().map(|root| (*root).to_owned()).collect();
        }
        let session = host.session(settings).await.expect("a session");
        let followed = turn(&session, "Go", Person::default()).await;
        let seen: Vec<&str> = widgets(&followed.items)
            .iter()
            .map(|(_, widget)| widget.fallback.lines().next().unwrap_or(""))
            .collect();
        assert_eq!(seen, shown, "{roots:?}");
    }
}

#[tokio::test]
async fn a_hydrated_card_can_be_pressed_and_is_replaced_in_place() {
    let (session, followed, _) = play(&[data(&card("again"))]).await;
    let (before, _) = widgets(&followed.items)[0];
    let again = session.press(press(before, "attack", json!({})));
    let again = again.expect("it can be pressed");
    let followed = follow(&session, again, Person::default()).await;
    let followed = followed.expect("the store works");
    assert_eq!(followed.types(), ["tool", "widget", "text", "tool"]);
    let (after, _) = widgets(&followed.items)[0];
    assert_eq!(
        (&after.id, after.position, after.start),
        (&before.id, before.position, before.start)
    );
    assert!(after.rev > before.rev);
}

#[tokio::test]
async fn what_a_restarted_host_shows_is_what_was_shown_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || -> Arc<dyn Store> { Arc::new(SqliteStore::open(folder.path()).expect("opens")) };
    let answers = [
        data(&card("once")),
        text(&json!({ "type": "Card", "children": 1 }).to_string()),
    ];
    let store = open();
    let host = host_with(Some(&store), &answers).await;
    let model = Scripted::new([call_all(2), says("Done.")]);
    let session = host.session(Settings::new(model)).await.expect("a session");
    let id = session.id().clone();
    let followed = turn(&session, "Go", Person::default()).await;
    drop((session, host, store));
    let host = host_with(Some(&open()), &answers).await;
    let model = Scripted::new([says("And more.")]);
    let session = host.resume(&id, Settings::new(model)).await.expect("opens");
    assert_eq!(session.items(), followed.items);
    turn(&session, "More", Person::default()).await;
    assert_eq!(session.items()[..followed.items.len()], followed.items[..]);
    let log = host.store().log(&id, 0, usize::MAX).await.expect("a log");
    let puts = log.iter().filter(|event| {
        matches!(&event.what, EventBody::Put { item, .. }
            if matches!(item.content, Content::Widget(_) | Content::Notice(_)))
    });
    assert_eq!(puts.count(), 2);
    let record: Record = log.iter().map(|event| &event.what).collect();
    assert_eq!(record.items(), session.items());
}

#[tokio::test]
async fn a_tree_that_is_not_shown_is_logged_with_its_session_call_reason_and_size() {
    let log = Log::default();
    let _logging = tracing::subscriber::set_default(log.clone());
    let bad = json!({ "type": "Card", "children": 1 });
    let (session, followed, _) = play(&[data(&bad)]).await;
    let call = followed.items[0].id.as_str();
    let size = bad.to_string().len();
    let log = log.text();
    for field in [
        format!("session={}", session.id()),
        format!("call={call}"),
        format!("size={size}"),
        "plugin=p0".to_owned(),
        "reason=`children`".to_owned(),
    ] {
        assert!(log.contains(&field), "{field}: {log}");
    }
}

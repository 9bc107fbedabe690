//! Outputs that the model reads on purpose.

use super::{newest, *};
use footlight::session::Session;
use footlight::vocabulary::item::CallResult;
use footlight_tests::plugins;
use footlight_tests::scripted_session::{host, second_host};

fn store(content: &str) -> Answer {
    let operations = json!([{ "op": "output", "content": content }]).to_string();
    calls([("op__play", json!({ "operations": operations }))])
}

fn read(id: &str, how: Value) -> Answer {
    let mut input = how;
    input["id"] = id.into();
    calls([("footlight__output", input)])
}

fn output_of(session: &Session) -> String {
    let items = session.items();
    let output = items
        .iter()
        .rfind(|item| matches!(item.content, Content::Output(_)));
    output.expect("an output").id.as_str().to_owned()
}

/// Returns a session with one output, and its id.
async fn session_with(content: &str) -> (Session, String) {
    let host = host(&[plugins::OP]).await;
    let model = Scripted::new([store(content), says("Stored.")]);
    let session = host.session(Settings::new(model)).await.expect("a session");
    turn(&session, "Store it", Person::default()).await;
    let id = output_of(&session);
    (session, id)
}

/// Returns what the model reads of an output in a turn of its own.
async fn reads(session: &Session, id: &str, how: Value) -> String {
    let model = Scripted::new([read(id, how), says("Read.")]);
    let host = session.host();
    let resumed = host
        .resume(session.id(), Settings::new(model.clone()))
        .await;
    let resumed = resumed.expect("opens");
    turn(&resumed, "Read it", Person::default()).await;
    newest(&model.sent()[1])
}

#[tokio::test]
async fn the_model_reads_lines_bytes_and_what_it_searches_for_of_an_output() {
    let content = "first\nsecond\nthird\n";
    let (session, id) = session_with(content).await;
    assert_eq!(reads(&session, &id, json!({})).await, content);
    let part = reads(&session, &id, json!({ "line": 2, "lines": 1 })).await;
    assert_eq!(part, "second\n");
    let part = reads(&session, &id, json!({ "offset": 6, "length": 3 })).await;
    assert_eq!(part, "sec");
    let part = reads(&session, &id, json!({ "find": "ir" })).await;
    assert_eq!(part, "1: first\n3: third\n");
}

#[tokio::test]
async fn the_model_reads_64_kib_at_once_and_reads_on() {
    let content: String = (1..=30_000).map(|n| format!("line {n}\n")).collect();
    let (session, id) = session_with(&content).await;
    let first = reads(&session, &id, json!({})).await;
    assert!(first.len() <= (64 << 10) + 100, "{}", first.len());
    let (part, mark) = first
        .split_once("\n[cut here: read on from line ")
        .expect("a mark");
    assert!(content.starts_with(part));
    let next: usize = mark.trim_end_matches(']').parse().expect("a number");
    let second = reads(&session, &id, json!({ "line": next })).await;
    assert!(second.starts_with(&format!("line {next}\n")), "{next}");
}

#[tokio::test]
async fn the_tool_is_offered_once_there_is_an_output() {
    let host = host(&[plugins::OP]).await;
    let model = Scripted::new([says("Hi."), store("x"), says("Stored.")]);
    let session = host.session(Settings::new(model.clone())).await;
    let session = session.expect("a session");
    for prompt in ["Hi", "Store it"] {
        turn(&session, prompt, Person::default()).await;
    }
    let offered: Vec<bool> = model
        .sent()
        .iter()
        .map(|request| {
            request
                .tools
                .iter()
                .any(|tool| tool.name == "footlight__output")
        })
        .collect();
    assert_eq!(offered, [false, false, true]);
}

#[tokio::test]
async fn unknown_expired_and_foreign_outputs_are_answered_alike() {
    let (session, id) = session_with("private").await;
    let other = session.host().session(Settings::new(Scripted::new([
        store("mine"),
        says("Stored."),
    ])));
    let other = other.await.expect("a session");
    turn(&other, "Store it", Person::default()).await;
    for id in [&*id, "out_1700000000000_abcdef", "../../etc/passwd", ""] {
        let read = reads(&other, id, json!({})).await;
        assert_eq!(read, "this output has expired", "{id}");
    }
    // The store has no content any more, and the record still has the item.
    let store = session.host().store();
    let never = Timestamp::from_millis(i64::MAX);
    store.sweep(never).await.expect("swept");
    assert_eq!(
        reads(&session, &id, json!({})).await,
        "this output has expired"
    );
    let items = session.items();
    let last = items.iter().rev().find_map(|item| match &item.content {
        Content::Tool(tool) => Some(&tool.result),
        _ => None,
    });
    assert!(matches!(last, Some(CallResult::Error { .. })));
}

#[tokio::test]
async fn what_is_not_text_is_not_read_and_hostile_text_is_filtered() {
    let (session, id) = session_with("PNG\0\u{1}").await;
    for how in [json!({}), json!({ "offset": 0 }), json!({ "find": "P" })] {
        assert_eq!(reads(&session, &id, how).await, "this output is not text");
    }
    let (session, id) = session_with(&hostile().replace('\0', "")).await;
    let read = reads(&session, &id, json!({})).await;
    assert!(!read.contains(is_forbidden), "{read:?}");
}

#[tokio::test]
async fn an_output_can_be_read_after_a_restart() {
    let (session, id) = session_with("kept").await;
    let second = second_host(session.host(), &[plugins::OP]).await;
    let resumed = second
        .resume(session.id(), Settings::new(Scripted::new([])))
        .await;
    let resumed = resumed.expect("opens");
    assert_eq!(reads(&resumed, &id, json!({})).await, "kept\n");
}

//! Any prefix of a session is a valid request on every wire and contains nothing that the model must
//! not read.
//!
//! A session in which everything happens (`eventful`) is cut at every row and every state of a call; then
//! rows are removed at random. `rules` checks what a server would accept.

mod eventful;
mod rules;

use eventful::SESSION;
use footlight::model::{Message, ModelPart, Part, Request, ToolSpec, encode, profiles};
use footlight::session::project;
use footlight::store::{CallRow, CallState, Snapshot, StepRow, Summary, TurnRow};
use footlight::vocabulary::event::Origin;
use footlight::vocabulary::failure::FailureCode;
use footlight::vocabulary::item::{CallResult, Content};
use footlight::vocabulary::question::Field;
use proptest::prelude::*;
use serde_json::{Value, json};

/// One committed change, in order.
#[derive(Clone)]
enum Put {
    Turn(TurnRow),
    Step(StepRow, Vec<CallRow>),
    Call(CallRow),
    Summary(Summary),
}

/// Replays the session row by row and state by state.
fn history(whole: &Snapshot) -> Vec<Put> {
    let mut puts = Vec::new();
    for turn in &whole.turns {
        let mut open = turn.clone();
        open.status = None;
        puts.push(Put::Turn(open));
        if let Some(summary) = &whole.summary
            && turn.n == whole.turns.len() as u32
        {
            puts.push(Put::Summary(summary.clone()));
        }
        for step in whole.steps.iter().filter(|step| step.turn == turn.n) {
            let own = |call: &&CallRow| (call.turn, call.step) == (turn.n, step.step);
            let own: Vec<&CallRow> = whole.calls.iter().filter(own).collect();
            let proposed = own.iter().map(|call| in_state(call, CallState::Proposed));
            puts.push(Put::Step(step.clone(), proposed.collect()));
            for call in own {
                for state in [CallState::Approval, CallState::Running, CallState::Settled] {
                    puts.push(Put::Call(in_state(call, state)));
                }
            }
        }
        puts.push(Put::Turn(turn.clone()));
    }
    puts
}

fn in_state(call: &CallRow, state: CallState) -> CallRow {
    let mut call = call.clone();
    call.state = state;
    if state != CallState::Settled {
        call.reply = None;
    }
    call
}

/// Returns what the store would hold after these changes.
fn replayed(whole: &Snapshot, puts: &[Put]) -> Snapshot {
    let mut snapshot = whole.clone();
    snapshot.turns.clear();
    snapshot.steps.clear();
    snapshot.calls.clear();
    snapshot.summary = None;
    for put in puts.iter().cloned() {
        match put {
            Put::Turn(row) => {
                snapshot.turns.retain(|turn| turn.n != row.n);
                snapshot.turns.push(row);
            }
            Put::Step(step, calls) => {
                snapshot.steps.push(step);
                snapshot.calls.extend(calls);
            }
            Put::Call(row) => {
                let known = snapshot.calls.iter_mut().find(|call| call.id == row.id);
                *known.expect("it was proposed") = row;
            }
            Put::Summary(summary) => snapshot.summary = Some(summary),
        }
    }
    snapshot
}

/// Returns the request made from a session, with its tools.
fn request(snapshot: Snapshot) -> Request {
    let mut names: Vec<String> = Vec::new();
    for step in &snapshot.steps {
        for part in &step.finished.parts {
            if let ModelPart::Call(call) = part
                && !names.contains(&call.name)
            {
                names.push(call.name.clone());
            }
        }
    }
    let tool = |name| ToolSpec::new(name, "a tool", json!({ "type": "object" }));
    let mut request = Request::new(project(snapshot));
    request.system = "be brief".to_owned();
    request.tools = names.into_iter().map(tool).collect();
    request.may_call = true;
    request
}

/// Checks that every call of a message is answered in the next one, in order and with text.
pub(crate) fn answered(messages: &[Message]) -> Result<(), String> {
    for (n, message) in messages.iter().enumerate() {
        let said = match message {
            Message::Model { parts } => parts.iter().filter_map(|part| match part {
                ModelPart::Call(call) => Some((&call.id, &call.name)),
                _ => None,
            }),
            Message::Results { .. } if n == 0 => return Err("results come first".to_owned()),
            _ => continue,
        };
        let said: Vec<_> = said.collect();
        let results = match messages.get(n + 1) {
            Some(Message::Results { results }) => results.as_slice(),
            _ => &[],
        };
        let told: Vec<_> = results.iter().map(|one| (&one.call, &one.name)).collect();
        if told != said {
            return Err(format!("{said:?} are answered by {told:?}"));
        }
        if results.iter().any(|result| result.content.is_empty()) {
            return Err(format!("a result without words: {results:?}"));
        }
    }
    Ok(())
}

/// Returns the texts in the record that the model must not read.
fn private(snapshot: &Snapshot) -> Vec<String> {
    let mut private = Vec::new();
    for item in &snapshot.items {
        match &item.content {
            Content::Widget(widget) => {
                private.extend([widget.widget.clone(), widget.fallback.clone()]);
            }
            Content::Output(output) => {
                // The content repeats the title; plain letters survive any escaping.
                assert!(output.title.contains("nigol"), "{}", output.title);
                private.extend(["nigol".to_owned(), item.id.to_string()]);
            }
            Content::Reasoning(reasoning) => {
                assert!(reasoning.text.contains("gniht suolucidir"));
                private.push("gniht suolucidir".to_owned());
            }
            Content::Ask(ask) => {
                let is_own = |call: &&CallRow| {
                    call.id == ask.call && call.function.starts_with("footlight.")
                };
                // The model knows its own questions.
                if !snapshot.calls.iter().any(|call| is_own(&call)) {
                    private.push(ask.prompt.clone());
                    let labels = ask.widgets.iter().flat_map(Field::choices);
                    private.extend(labels.map(|option| option.value.clone()));
                }
            }
            _ => {}
        }
    }
    private
}

/// Checks that every wire would accept the request and that it contains nothing private.
fn check(snapshot: Snapshot, private: &[String]) -> Result<(), String> {
    let request = request(snapshot);
    answered(&request.messages)?;
    for profile in profiles() {
        let body = encode(&request, profile, "m").body;
        let body: Value = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
        let broken = |why| format!("{}: {why}", profile.name);
        rules::takes(profile.wire, &body).map_err(broken)?;
        let body = body.to_string();
        for words in private {
            let written = json!(words).to_string();
            if body.contains(written.trim_matches('"')) {
                return Err(format!("{}: {words:?} is in {body}", profile.name));
            }
        }
    }
    Ok(())
}

#[test]
fn the_session_holds_everything_that_can_happen() {
    // Otherwise the tests below would cover less than they claim.
    let whole = &SESSION.whole;
    let of = |name: &str| {
        let own = |item: &&footlight::vocabulary::item::Item| item.content.type_name() == name;
        whole.items.iter().filter(own).count()
    };
    assert_eq!(
        of("reasoning"),
        3,
        "of an answer, of calls, and of what was stopped"
    );
    assert!(of("widget") >= 5 && of("output") == 1 && of("ask") >= 4 && of("notice") >= 2);
    let codes = whole.items.iter().filter_map(|item| match &item.content {
        Content::Tool(tool) => match &tool.result {
            CallResult::Error { code, .. } => code.as_ref().map(FailureCode::as_str),
            _ => None,
        },
        _ => None,
    });
    let codes: Vec<&str> = codes.collect();
    for code in ["invalid-input", "other", "denied", "cancelled"] {
        assert!(codes.contains(&code), "{code}: {codes:?}");
    }
    assert!(whole.summary.is_some(), "it was summed up");
    let pressed = |turn: &TurnRow| turn.origin == Origin::Action;
    assert!(whole.turns.iter().any(pressed), "something was pressed");
    let answered = |turn: &TurnRow| turn.asks_model;
    assert!(whole.turns.iter().any(answered), "and answered");
    let retracted = whole.turns.iter().find(|turn| turn.retracted);
    let retracted = retracted.expect("a turn was retracted").n;
    let gone = |step: &&StepRow| step.turn == retracted;
    assert_eq!(whole.steps.iter().filter(gone).count(), 2);
    let mut unsummed = whole.clone();
    unsummed.summary = None;
    let sent = format!("{:?}", project(unsummed));
    assert!(sent.contains("Sense.") && !sent.contains("Nonsense.") && !sent.contains("Nobody"));
    let wires: Vec<&str> = profiles()
        .iter()
        .map(|profile| profile.wire.name())
        .collect();
    assert!(
        ["openai", "chat", "anthropic"]
            .iter()
            .all(|wire| wires.contains(wire))
    );
    assert!(private(whole).len() > 10, "there is much to leak");
    let leaked = check(whole.clone(), &["What do I like?".to_owned()]);
    assert!(leaked.is_err(), "and a leak would be seen");
}

#[test]
fn every_prefix_is_a_valid_request_on_every_wire() {
    let private = private(&SESSION.whole);
    let puts = history(&SESSION.whole);
    for end in 0..=puts.len() {
        let prefix = replayed(&SESSION.whole, &puts[..end]);
        check(prefix, &private).unwrap_or_else(|why| panic!("after {end} rows: {why}"));
    }
    let whole = replayed(&SESSION.whole, &puts);
    assert_eq!(
        project(whole),
        project(SESSION.whole.clone()),
        "it is the same session"
    );
}

#[test]
fn whatever_the_store_ever_held_is_a_valid_request_on_every_wire() {
    let private = private(&SESSION.whole);
    for moment in &SESSION.moments {
        check(moment.clone(), &private).unwrap_or_else(|why| panic!("at {}: {why}", moment.seq));
    }
}

#[test]
fn a_call_that_has_not_finished_is_sent_as_pending() {
    let puts = history(&SESSION.whole);
    let proposed = puts.iter().position(|put| matches!(put, Put::Step(..)));
    let prefix = replayed(&SESSION.whole, &puts[..=proposed.expect("a step")]);
    let messages = project(prefix);
    let Some(Message::Results { results }) = messages.last() else {
        panic!("the calls are answered: {messages:?}");
    };
    for result in results {
        let [Part::Text { text }] = result.content.as_slice() else {
            panic!("one text: {result:?}");
        };
        assert_eq!(text, "this call has no result yet (pending: queued)");
        assert!(result.is_error);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_rows_at_all_are_a_valid_request_on_every_wire(
        turns in prop::collection::vec(any::<bool>(), 16),
        steps in prop::collection::vec(any::<bool>(), 32),
        calls in prop::collection::vec(0..5_u8, 48),
        summary in prop::option::of((0..9_u32, 0..4_u32)),
    ) {
        let mut some = SESSION.whole.clone();
        let mut picks = turns.iter().cycle();
        some.turns.retain(|_| picks.next().is_some_and(|pick| *pick));
        let mut picks = steps.iter().cycle();
        some.steps.retain(|_| picks.next().is_some_and(|pick| *pick));
        let mut picks = calls.iter().cycle().copied();
        some.calls = some.calls.iter().filter_map(|call| match picks.next()? {
            0 => None,
            1 => Some(in_state(call, CallState::Proposed)),
            2 => Some(in_state(call, CallState::Running)),
            _ => Some(call.clone()),
        }).collect();
        some.summary = summary.map(|(turn, step)| Summary::new(turn, step, "In short."));
        let told = check(some, &private(&SESSION.whole));
        prop_assert_eq!(told, Ok(()));
    }
}

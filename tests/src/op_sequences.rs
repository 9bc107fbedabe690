//! Sequences of host calls by one guest, compared with a model of the host.
//!
//! The guest of `tests/op-guest` performs operations in any order and returns the host's answer to each.
//! [`Model`] says what each answer must be, what is on the record afterwards, and what of it the next
//! call finds. [`check`] is the body of the property test and of the fuzz target `op_sequences`.

use crate::plugins;
use crate::random::Random;
use crate::scripted_call::{Script, builder, follow};
use footlight::vocabulary::item::{Content, Verdict};
use footlight::{CallEvent, Host};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// How many questions one call can ask.
const ASKS: usize = 5;
/// How many approvals one call can request of a person.
const APPROVALS: usize = 20;

/// Lets the guest perform a random sequence of operations, in one to three calls, and compares each call
/// with the model.
///
/// # Panics
/// If the host answers anything but what the contract says, or if a call that is replayed from its journal
/// ends differently.
pub async fn check(random: &mut Random) {
    // A new host does not suspend the guest for earlier panics, and has no state of an earlier sequence.
    let host = builder().replay_check(true).build().expect("builds");
    host.load(plugins::OP).await.expect("loads");
    let mut model = Model::default();
    for _ in 0..=random.below(3) {
        play(&host, &mut model, random).await;
    }
}

/// How a call ends.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    Returns,
    Fails,
    Panics,
}

/// The part of the host's state that a guest can see, and what the person will do.
#[derive(Debug, Default)]
struct Model {
    /// The buckets of the session and of the person.
    buckets: [BTreeMap<String, String>; 2],
    /// Actions and subjects that the person approved for the session.
    granted: BTreeSet<(String, String)>,
    call: CallModel,
}

/// What one call has done.
#[derive(Debug, Default)]
struct CallModel {
    /// Fallback and text of each widget; none if it was removed.
    widgets: Vec<Option<(String, String)>>,
    outputs: Vec<String>,
    asks: usize,
    approvals: usize,
    denied: BTreeSet<(String, String)>,
    answers: Vec<Value>,
    verdicts: Vec<Verdict>,
}

impl Model {
    /// Performs an operation and returns the answer that the host must give.
    fn perform(&mut self, random: &mut Random, operation: &Value) -> String {
        let text = |name: &str| operation[name].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| operation[name].as_u64().unwrap_or_default() as usize;
        let scope = usize::from(operation["person"] == true);
        match operation["op"].as_str().unwrap_or_default() {
            "show" => {
                let shown = (text("text"), text("text"));
                self.call.widgets.push(Some(shown));
                "Ok(())".to_owned()
            }
            "update" => self.change(number("widget"), |widget| {
                *widget = Some((text("text"), text("text")));
            }),
            "append" => self.change(number("widget"), |widget| {
                if let Some((_, shown)) = widget {
                    shown.push_str(&text("text"));
                }
            }),
            "remove" => self.change(number("widget"), |widget| *widget = None),
            "get" => {
                let found = self.buckets[scope].get(&text("key"));
                format!("Ok({found:?})")
            }
            "set" => match self.write(scope, text("key"), operation["value"].as_str()) {
                Ok(()) => "Ok(())".to_owned(),
                Err(error) => error,
            },
            "swap" => {
                let (key, value) = (text("key"), operation["value"].as_str());
                let current = self.buckets[scope].get(&key).map(|json| parse(json));
                let expected = operation["expected"].as_str().map(parse);
                // A value that is not JSON cannot be stored, so it never matches.
                if expected == Some(None) {
                    return "Ok(false)".to_owned();
                }
                if value.is_some_and(|value| parse(value).is_none()) {
                    return INVALID_VALUE.to_owned();
                }
                if current != expected {
                    return "Ok(false)".to_owned();
                }
                match self.write(scope, key, value) {
                    Ok(()) => "Ok(true)".to_owned(),
                    Err(error) => error,
                }
            }
            "keys" => {
                let prefix = text("prefix");
                let keys = self.buckets[scope].keys();
                let keys: Vec<_> = keys.filter(|key| key.starts_with(&prefix)).collect();
                format!("Ok({keys:?})")
            }
            "ask" => self.ask(random, &text("prompt")),
            "approve" => self.approve(random, (text("action"), text("subject"))),
            "output" => {
                self.call.outputs.push(text("content"));
                "Ok(())".to_owned()
            }
            "read" => match self.call.outputs.get(number("output")) {
                None => "none".to_owned(),
                Some(content) => {
                    let from = number("offset").min(content.len());
                    let to = (from + number("length")).min(content.len());
                    format!("Ok({:?})", &content[from..to])
                }
            },
            // No host and no folder is in the manifest.
            "fetch" | "open" => "denied".to_owned(),
            "progress" => "Ok(())".to_owned(),
            other => panic!("the model does not know `{other}`"),
        }
    }

    fn change(
        &mut self,
        widget: usize,
        change: impl FnOnce(&mut Option<(String, String)>),
    ) -> String {
        match self.call.widgets.get_mut(widget) {
            None => "none".to_owned(),
            Some(None) => "Err(DisplayError::Gone)".to_owned(),
            Some(shown) => {
                change(shown);
                "Ok(())".to_owned()
            }
        }
    }

    fn write(&mut self, scope: usize, key: String, value: Option<&str>) -> Result<(), String> {
        match value {
            Some(value) if parse(value).is_none() => return Err(INVALID_VALUE.to_owned()),
            Some(value) => self.buckets[scope].insert(key, value.to_owned()),
            None => self.buckets[scope].remove(&key),
        };
        Ok(())
    }

    fn ask(&mut self, random: &mut Random, prompt: &str) -> String {
        if prompt.trim().is_empty() {
            return "Err(AskError::Invalid(".to_owned();
        }
        if self.call.asks == ASKS {
            return "Err(AskError::Other(\"this call has asked too often\"))".to_owned();
        }
        self.call.asks += 1;
        // The scripted person answers some questions and skips the rest.
        if self.call.answers.len() + 1 < self.call.asks || random.below(3) == 0 {
            return "Err(AskError::Skipped)".to_owned();
        }
        let answer = pick(random, &["Yes", "No"]);
        self.call.answers.push(json!(answer));
        format!("Ok({:?})", json!({ "answer": answer }).to_string())
    }

    fn approve(&mut self, random: &mut Random, request: (String, String)) -> String {
        const DENIED: &str = "Err(Refusal::Denied(";
        if request.0 != "op.first" && request.0 != "op.second" {
            return "Err(Refusal::Undeclared)".to_owned();
        }
        if self.call.denied.contains(&request) {
            return format!("{DENIED}Some(\"the person has denied this already\")))");
        }
        if self.granted.contains(&request) {
            return "Ok(())".to_owned();
        }
        if self.call.approvals == APPROVALS {
            return format!("{DENIED}Some(\"this call has requested approval too often\")))");
        }
        self.call.approvals += 1;
        // What has no subject is not remembered.
        let offered = if request.1.is_empty() { 2 } else { 3 };
        let verdicts = [Verdict::Deny, Verdict::Once, Verdict::Session];
        let verdict = verdicts[random.below(offered) as usize];
        self.call.verdicts.push(verdict);
        match verdict {
            Verdict::Deny => {
                self.call.denied.insert(request);
                return format!("{DENIED}None))");
            }
            Verdict::Session => drop(self.granted.insert(request)),
            _ => {}
        }
        "Ok(())".to_owned()
    }
}

/// The beginning of the answer to a value that is not JSON.
const INVALID_VALUE: &str = "Err(StateError::Other(\"the value: ";

fn parse(json: &str) -> Option<Value> {
    serde_json::from_str(json).ok()
}

fn pick<'a>(random: &mut Random, of: &[&'a str]) -> &'a str {
    of[random.below(of.len() as u64) as usize]
}

/// Returns a random operation.
fn operation(random: &mut Random) -> Value {
    let key = pick(random, &["", "a", "ab", "b", "é\n"]);
    let value = |random: &mut Random| match random.below(4) {
        0 => Value::Null,
        _ => json!(pick(
            random,
            &["1", "1.0", "\"x\"", "[1, 2]", "{\"a\":1}", "{", ""]
        )),
    };
    let text = pick(random, &["one", "", "two\nlines", "\u{1b}[2J", "<b>é</b>"]);
    let (n, person) = (random.below(4), random.below(2) == 0);
    match random.below(15) {
        0 | 1 => json!({ "op": "show", "text": text }),
        2 => json!({ "op": "update", "widget": n, "text": text }),
        3 => json!({ "op": "append", "widget": n, "text": text }),
        4 => json!({ "op": "remove", "widget": n }),
        5 => json!({ "op": "get", "person": person, "key": key }),
        6 | 7 => json!({ "op": "set", "person": person, "key": key, "value": value(random) }),
        8 => {
            let (expected, value) = (value(random), value(random));
            json!({ "op": "swap", "person": person, "key": key, "expected": expected, "value": value })
        }
        9 => json!({ "op": "keys", "person": person, "prefix": key }),
        10 => json!({ "op": "ask", "prompt": pick(random, &["Really?", " "]) }),
        11 => {
            let action = pick(random, &["op.first", "op.second", "op.third"]);
            json!({ "op": "approve", "action": action, "subject": pick(random, &["x", "y", ""]) })
        }
        12 => json!({ "op": "output", "content": pick(random, &["", "hello", "more text"]) }),
        13 => {
            json!({ "op": "read", "output": n, "offset": random.below(8), "length": random.below(8) })
        }
        _ => match random.below(3) {
            0 => json!({ "op": "fetch", "url": "http://127.0.0.1/" }),
            1 => json!({ "op": "open", "path": pick(random, &["/etc/passwd", "..", "/"]) }),
            _ => json!({ "op": "progress" }),
        },
    }
}

/// Plays one call and compares it with the model.
async fn play(host: &Host, model: &mut Model, random: &mut Random) {
    model.call = CallModel::default();
    let count = random.below(40);
    let mut operations: Vec<Value> = (0..count).map(|_| operation(random)).collect();
    let mut expected = Vec::new();
    for operation in &operations {
        expected.push(model.perform(random, operation));
    }
    let end = [End::Returns, End::Returns, End::Fails, End::Panics][random.below(4) as usize];
    match end {
        End::Returns => {}
        End::Fails => operations.push(json!({ "op": "fail" })),
        End::Panics => operations.push(json!({ "op": "panic" })),
    }
    let played = json!(operations).to_string();
    let call = host.call("op.play", json!({ "operations": played }));
    let script = Script {
        answers: model.call.answers.clone(),
        verdicts: model.call.verdicts.clone(),
        ..Script::default()
    };
    let followed = follow(host, call, script).await;
    let asked = |event: &&CallEvent| matches!(event, CallEvent::Asked { .. });
    let approval = |event: &&CallEvent| matches!(event, CallEvent::Approval { .. });
    assert_eq!(
        followed.events.iter().filter(asked).count(),
        model.call.asks
    );
    assert_eq!(
        followed.events.iter().filter(approval).count(),
        model.call.approvals
    );

    let items = &followed.ended.items;
    let widgets: Vec<_> = items
        .iter()
        .filter_map(|item| match &item.content {
            Content::Widget(widget) => {
                let view = widget.view.as_ref().expect("each has a view");
                let text = view["children"][0]["value"].as_str().expect("text");
                Some((widget.fallback.clone(), text.to_owned()))
            }
            _ => None,
        })
        .collect();
    let is_output = |content: &Content| matches!(content, Content::Output(_));
    let outputs = items.iter().filter(|item| is_output(&item.content)).count();
    match (&followed.ended.result, end) {
        (Ok(result), End::Returns) => {
            let text = result.data["content"].as_str().expect("text");
            let answers: Vec<String> = serde_json::from_str(text).expect("answers");
            for ((answer, expected), operation) in answers.iter().zip(&expected).zip(&operations) {
                // An error with a sentence is compared up to the sentence.
                let same = match expected.ends_with(['(', ' ']) {
                    true => answer.starts_with(expected),
                    false => answer == expected,
                };
                assert!(same, "{operation}: {answer}, not {expected}; of {played}");
            }
            assert_eq!(answers.len(), expected.len());
            let shown: Vec<_> = model.call.widgets.iter().flatten().cloned().collect();
            assert_eq!(widgets, shown, "{played}");
            assert_eq!(outputs, model.call.outputs.len(), "{played}");
        }
        // What a failed call showed and stored is withdrawn; its state stays.
        (Err(failure), End::Fails | End::Panics) => {
            assert_eq!(failure.fault.is_some(), end == End::Panics, "{failure:?}");
            assert_eq!((widgets.len(), outputs), (0, 0), "{played}");
        }
        (result, end) => panic!("{result:?} where the guest {end:?}: {played}"),
    }
}

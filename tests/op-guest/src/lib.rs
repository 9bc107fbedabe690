//! A guest that performs a list of operations and returns the host's answer to each.
//!
//! The answers are the contract's own types as text, so that a test compares exactly what the host
//! returned.

#![forbid(unsafe_code)]

use footlight_sdk::prelude::*;

/// Performs operations in order and returns the answers.
#[tool(asks)]
fn play(
    stage: &Stage,
    /// The operations, as a JSON array.
    operations: String,
) -> Result<Text> {
    imports::play(stage, &operations)
}

plugin!(tools: [play]);

#[cfg(target_family = "wasm")]
mod imports {
    use footlight_sdk::bindings::footlight::plugin as host;
    use footlight_sdk::prelude::*;
    use footlight_sdk::{Failure, FailureCode};
    use host::display_widget::{DisplayError, Shown, Widget};
    use host::output::Writer;
    use host::state::Bucket;
    use serde::Deserialize;

    /// One operation. Numbers select one of the widgets or outputs made so far.
    #[derive(Deserialize)]
    #[serde(tag = "op", rename_all = "snake_case")]
    enum Operation {
        Show {
            text: String,
        },
        Update {
            widget: usize,
            text: String,
        },
        Append {
            widget: usize,
            text: String,
        },
        Remove {
            widget: usize,
        },
        Get {
            person: bool,
            key: String,
        },
        Set {
            person: bool,
            key: String,
            value: Option<String>,
        },
        Swap {
            person: bool,
            key: String,
            expected: Option<String>,
            value: Option<String>,
        },
        Keys {
            person: bool,
            prefix: String,
        },
        Ask {
            prompt: String,
        },
        Approve {
            action: String,
            subject: String,
        },
        Output {
            content: String,
        },
        Read {
            output: usize,
            offset: u64,
            length: u32,
        },
        Fetch {
            url: String,
        },
        Open {
            path: String,
        },
        Progress,
        /// Returns this text in place of the answers.
        Return {
            text: String,
        },
        Fail,
        Panic,
    }

    fn widget(text: &str) -> Widget {
        let value = serde_json::json!({
            "type": "Card",
            "children": [{ "type": "Text", "id": "text", "value": text }],
        });
        Widget {
            widget: "op".to_owned(),
            data: "null".to_owned(),
            fallback: text.to_owned(),
            view: Some(value.to_string()),
        }
    }

    /// What one call has made.
    #[derive(Default)]
    struct Made {
        widgets: Vec<Shown>,
        outputs: Vec<String>,
        returns: Option<String>,
    }

    impl Made {
        fn change(
            &self,
            widget: usize,
            change: impl FnOnce(&Shown) -> Result<(), DisplayError>,
        ) -> String {
            match self.widgets.get(widget) {
                None => "none".to_owned(),
                Some(shown) => format!("{:?}", change(shown)),
            }
        }
    }

    fn bucket(stage: &Stage, person: bool) -> Bucket {
        match person {
            true => host::state::person(stage),
            false => host::state::session(stage),
        }
    }

    pub(super) fn play(stage: &Stage, operations: &str) -> Result<Text> {
        let operations: Vec<Operation> = serde_json::from_str(operations)
            .map_err(|error| Failure::new(FailureCode::InvalidInput, error.to_string()))?;
        let mut made = Made::default();
        let mut answers = Vec::new();
        for operation in operations {
            answers.push(perform(stage, &mut made, operation)?);
        }
        if let Some(text) = made.returns {
            return Ok(Text::new(text));
        }
        Ok(Text::new(serde_json::to_string(&answers)?))
    }

    fn perform(stage: &Stage, made: &mut Made, operation: Operation) -> Result<String> {
        Ok(match operation {
            Operation::Show { text } => match host::display_widget::show(stage, &widget(&text)) {
                Ok(shown) => {
                    made.widgets.push(shown);
                    "Ok(())".to_owned()
                }
                Err(error) => format!("Err({error:?})"),
            },
            Operation::Update { widget: n, text } => {
                made.change(n, |shown| shown.update(&widget(&text)))
            }
            Operation::Append { widget: n, text } => {
                made.change(n, |shown| shown.append_text("text", &text))
            }
            Operation::Remove { widget: n } => made.change(n, Shown::remove),
            Operation::Get { person, key } => format!("{:?}", bucket(stage, person).get(&key)),
            Operation::Set { person, key, value } => {
                format!("{:?}", bucket(stage, person).set(&key, value.as_deref()))
            }
            Operation::Swap {
                person,
                key,
                expected,
                value,
            } => {
                let bucket = bucket(stage, person);
                let swapped = bucket.swap(&key, expected.as_deref(), value.as_deref());
                format!("{swapped:?}")
            }
            Operation::Keys { person, prefix } => {
                format!("{:?}", bucket(stage, person).keys(&prefix))
            }
            Operation::Ask { prompt } => format!("{:?}", host::ask::ask(stage, &prompt, "[]")),
            Operation::Approve { action, subject } => {
                let request = host::approval::request(stage, &action, &subject, "a test", None);
                format!("{request:?}")
            }
            Operation::Output { content } => {
                let writer = host::output::create(stage, "test", "text", "text/plain", None);
                let finished = writer.and_then(|writer| {
                    writer.write(content.as_bytes())?;
                    Writer::finish(writer)
                });
                match finished {
                    Ok(id) => {
                        made.outputs.push(id);
                        "Ok(())".to_owned()
                    }
                    Err(error) => format!("Err({error:?})"),
                }
            }
            Operation::Read {
                output,
                offset,
                length,
            } => match made.outputs.get(output) {
                None => "none".to_owned(),
                Some(id) => match host::output::read(stage, id, offset, length) {
                    Ok(bytes) => format!("Ok({:?})", String::from_utf8_lossy(&bytes)),
                    Err(error) => format!("Err({error:?})"),
                },
            },
            Operation::Fetch { url } => {
                let request = host::http::Request {
                    method: "GET".to_owned(),
                    url,
                    headers: Vec::new(),
                    body: Vec::new(),
                };
                match host::http::fetch(stage, &request) {
                    Err(host::http::HttpError::Denied(_)) => "denied".to_owned(),
                    other => format!("{other:?}"),
                }
            }
            Operation::Open { path } => match std::fs::read(path) {
                Ok(bytes) => format!("{} bytes", bytes.len()),
                Err(_) => "denied".to_owned(),
            },
            Operation::Return { text } => {
                made.returns = Some(text);
                "Ok(())".to_owned()
            }
            Operation::Progress => {
                host::progress::report(stage, "busy", None, None);
                "Ok(())".to_owned()
            }
            Operation::Fail => return Err(Failure::new(FailureCode::Other, "as told")),
            Operation::Panic => panic!("as told"),
        })
    }
}

#[cfg(not(target_family = "wasm"))]
mod imports {
    use footlight_sdk::prelude::*;
    use footlight_sdk::{Failure, FailureCode};

    pub(super) fn play(_: &Stage, _: &str) -> Result<Text> {
        let message = "the operations need a component";
        Err(Failure::new(FailureCode::Other, message))
    }
}

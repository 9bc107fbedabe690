//! Attacks with each function of the contract after a cancellation.

use crate::raw;
use footlight_sdk::prelude::*;

/// Waits until it is cancelled, calls one function of the contract, logs the answer, and returns as
/// if nothing had happened. The host must refuse every function that acts, and must end the call as
/// cancelled.
#[tool(asks)]
pub(crate) fn act_when_cancelled(
    stage: &Stage,
    /// The function, as the contract names it.
    function: String,
) -> Result<String> {
    let answer = imports::call(stage, &function)?;
    raw::log(&format!("{function} = {answer}"));
    Ok(answer)
}

fn other(message: impl Into<String>) -> Failure {
    Failure::new(FailureCode::Other, message)
}

#[cfg(target_family = "wasm")]
mod imports {
    use footlight_sdk::bindings::footlight::plugin as host;
    use footlight_sdk::prelude::*;
    use host::output::Writer;
    use std::fmt::Debug;
    use std::time::Duration;

    const VIEW: &str =
        r#"{"type":"Card","children":[{"type":"Text","id":"text","value":"before"}]}"#;

    fn widget(words: &str) -> host::display_widget::Widget {
        host::display_widget::Widget {
            widget: "cancelled".to_owned(),
            data: "null".to_owned(),
            fallback: words.to_owned(),
            view: Some(VIEW.to_owned()),
        }
    }

    fn text(answer: impl Debug) -> String {
        format!("{answer:?}")
    }

    /// Prepares every handle, waits for the cancellation, and calls a function.
    pub(super) fn call(stage: &Stage, function: &str) -> Result<String> {
        let failed = |error: &dyn Debug| super::other(format!("{error:?}"));
        let create = || host::output::create(stage, "before", "text", "text/plain", None);
        let shown = host::display_widget::show(stage, &widget("before"));
        let shown = shown.map_err(|error| failed(&error))?;
        let kept = create().map_err(|error| failed(&error))?;
        let kept = Writer::finish(kept).map_err(|error| failed(&error))?;
        let writer = create().map_err(|error| failed(&error))?;
        let bucket = host::state::session(stage);
        let set = bucket.set("left", Some("\"before\""));
        set.map_err(|error| failed(&error))?;
        host::progress::report(stage, "ready", None, None);
        while !stage.is_cancelled() {
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(match function {
            "stage.[method]stage.call-id" => text(stage.call_id()),
            "stage.[method]stage.session" => text(stage.session()),
            "stage.[method]stage.person" => text(stage.person()),
            "stage.[method]stage.locale" => text(stage.locale()),
            "stage.[method]stage.timezone" => text(stage.timezone()),
            "stage.[method]stage.is-cancelled" => text(stage.is_cancelled()),
            "display-widget.[method]shown.id" => text(shown.id()),
            "display-widget.[method]shown.update" => text(shown.update(&widget("late"))),
            "display-widget.[method]shown.append-text" => text(shown.append_text("text", "late")),
            "display-widget.[method]shown.remove" => text(shown.remove()),
            "display-widget.show" => text(host::display_widget::show(stage, &widget("late"))),
            "ask.ask" => text(host::ask::ask(stage, "Late?", "[]")),
            "approval.request" => {
                let (action, words) = ("rogue.declared", "late");
                text(host::approval::request(stage, action, words, words, None))
            }
            "output.[method]writer.write" => text(writer.write(b"late")),
            "output.[static]writer.finish" => text(Writer::finish(writer)),
            "output.create" => text(create()),
            "output.read" => text(host::output::read(stage, &kept, 0, 1)),
            "state.[method]bucket.get" => text(bucket.get("left")),
            "state.[method]bucket.set" => text(bucket.set("left", Some("\"late\""))),
            "state.[method]bucket.swap" => {
                text(bucket.swap("left", Some("\"before\""), Some("\"late\"")))
            }
            "state.[method]bucket.keys" => text(bucket.keys("")),
            "state.session" => text(host::state::session(stage)),
            "state.person" => text(host::state::person(stage)),
            "http.fetch" => {
                let request = host::http::Request {
                    method: "GET".to_owned(),
                    url: "https://api.example.com/".to_owned(),
                    headers: Vec::new(),
                    body: Vec::new(),
                };
                text(host::http::fetch(stage, &request))
            }
            "progress.report" => text(host::progress::report(stage, "late", None, None)),
            "log.write" => text(host::log::write(host::log::Level::Info, "late")),
            "config.settings" => text(host::config::settings()),
            unknown => return Err(super::other(format!("there is no attack for `{unknown}`"))),
        })
    }
}

#[cfg(not(target_family = "wasm"))]
mod imports {
    use footlight_sdk::prelude::*;

    pub(super) fn call(_: &Stage, _: &str) -> Result<String> {
        Err(super::other("this attack needs a component"))
    }
}

//! The example plugins that work with powers: in a folder, on the network, and in a sandbox that gives
//! nothing away.

mod csv;
mod embed;
mod files;
mod network;
mod routing;
mod services;
mod steal;
mod weather;

use footlight::vocabulary::item::{Content, Item, Verdict};
use footlight::vocabulary::manifest::Mode;
use footlight::{CallEvent, CallOutcome, Host};
use footlight_tests::scripted_call::builder;
use serde_json::Value;
use std::path::Path;

async fn host(plugin: &str, attended: bool) -> Host {
    let host = builder().attended(attended).build().expect("builds");
    host.load(plugin).await.expect("loads");
    host
}

/// Calls a tool. The person names `folder` when a folder is asked for, and decides each other request as
/// `verdict` says.
async fn call_in(
    host: &Host,
    folder: &Path,
    verdict: Verdict,
    tool: &str,
    input: Value,
) -> CallOutcome {
    let mut call = host.call(tool, input);
    loop {
        match call.next().await.expect("a call ends with how it ended") {
            CallEvent::Approval { id, ask, .. } if ask.folder.is_some() => {
                let bound = host.bind(&id, Verdict::Once, folder, Mode::ReadWrite);
                bound.expect("the folder can be granted");
            }
            CallEvent::Approval { id, .. } => {
                let taken = host.decide(&id, verdict, None);
                taken.expect("the verdict is on offer");
            }
            CallEvent::Finished(ended) => return *ended,
            _ => {}
        }
    }
}

/// The code of a failure, which is the plugin's or the host's own and no fault.
fn code(ended: &CallOutcome) -> &str {
    let failure = ended.result.as_ref().expect_err("a failure");
    assert!(failure.fault.is_none(), "{failure:?}");
    failure.code.as_str()
}

/// The outputs of a call.
fn outputs(ended: &CallOutcome) -> Vec<&Item> {
    let is_output = |item: &&Item| matches!(item.content, Content::Output(_));
    ended.items.iter().filter(is_output).collect()
}

fn model_text(ended: &CallOutcome) -> &str {
    ended.model.as_str().expect("text for the model")
}

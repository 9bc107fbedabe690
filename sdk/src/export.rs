//! The component's export: passes the host's calls of `tools` to the plugin.

use crate::backend::write_log;
use crate::bindings::exports::footlight::plugin::tools as wire;
use crate::bindings::footlight::plugin::types;
use crate::{Failure, Level, Plugin, Stage, plugin};
use std::panic::PanicHookInfo;

impl<P: Plugin> wire::Guest for P {
    fn describe() -> wire::Description {
        log_panics();
        let plugin::Description { tools, more } = plugin::describe::<P>();
        let tools = tools.into_iter().map(|tool| wire::Tool {
            name: tool.name,
            description: tool.description,
            input_schema: tool.input_schema,
            traits: tool.traits,
        });
        wire::Description {
            tools: tools.collect(),
            more,
        }
    }

    fn assess(tool: String, input: String) -> Result<Option<wire::Concern>, wire::Failure> {
        log_panics();
        let concern = plugin::assess::<P>(&tool, &input).map_err(failure)?;
        Ok(concern.map(|concern| wire::Concern {
            subject: concern.subject,
            reason: concern.reason,
        }))
    }

    fn run(stage: &Stage, tool: String, input: String) -> Result<wire::Outcome, wire::Failure> {
        log_panics();
        let outcome = plugin::run::<P>(stage, &tool, &input).map_err(failure)?;
        Ok(wire::Outcome {
            kind: outcome.kind,
            data: outcome.data,
            summary: outcome.summary,
            more: outcome.more,
        })
    }
}

fn failure(failure: Failure) -> wire::Failure {
    let (code, message, details) = failure.into_parts();
    types::Failure {
        code: code.to_owned(),
        message,
        details,
    }
}

/// Installs a hook that logs the message and location of a panic before it ends the instance.
fn log_panics() {
    std::panic::set_hook(Box::new(|panic: &PanicHookInfo<'_>| {
        write_log(Level::Error, &panic.to_string())
    }));
}

//! A model without a language model: a router that matches the words of a prompt to tools.
//!
//! It calls the tool that a prompt names (`/forecast city=Oslo`) or describes, asks the person for
//! missing input with the session's own tool for questions, and otherwise calls nothing and lists
//! the nearest tools. It writes no prose: surfaces draw the results of tools.
//!
//! Invariant: it is a pure function of the request and today's date. It uses no network, keeps
//! nothing between steps, and knows no word of any plugin.
//!
//! Read `rank` for how a tool is chosen and `fill` for how its input is found.

#![forbid(unsafe_code)]

mod ask;
mod day;
mod explicit;
mod fill;
mod plan;
mod prompt;
mod rank;
mod say;
mod slot;
mod tool;
mod words;

#[cfg(test)]
mod tests;

use day::Day;
use footlight::model::{
    Finished, Message, Model, ModelPart, Part, Request, Step, ToolCall, ToolResult,
};
use plan::{How, Plan, Planned};
use rank::Meaning;
use slot::Slot;
use std::time::{SystemTime, UNIX_EPOCH};
use tool::Tool;

/// The name of the model.
pub const NAME: &str = "offline";

/// The longest prompt that is matched by its words, in bytes.
const LONGEST: usize = 2000;
/// The most tools that are considered.
const MAX_TOOLS: usize = 256;
/// The prefix of the host's own tools, which are never matched by words.
const OWN: &str = "footlight__";

/// The router.
pub struct Offline {
    clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
}

impl Offline {
    /// Creates a router that takes today's date, in UTC, from a clock. A caller who knows the
    /// person's time zone can shift the clock.
    pub fn new(clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self {
            clock: Box::new(clock),
        }
    }

    fn today(&self) -> Day {
        let since = (self.clock)().duration_since(UNIX_EPOCH);
        let days = i64::try_from(since.unwrap_or_default().as_secs() / 86_400).ok();
        days.and_then(Day::new).unwrap_or_default()
    }
}

impl Default for Offline {
    fn default() -> Self {
        Self::new(SystemTime::now)
    }
}

impl std::fmt::Debug for Offline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Offline")
    }
}

impl Model for Offline {
    fn name(&self) -> &str {
        NAME
    }

    fn step(&self, request: Request) -> Step {
        Step::finished(Finished::new(answer(&request, self.today())))
    }
}

/// Returns the router's answer to a request.
fn answer(request: &Request, today: Day) -> Vec<ModelPart> {
    let router = Router { request, today };
    match request.messages.as_slice() {
        // The parts before are prompts that had no answer.
        [.., Message::Person { content }] => {
            router.prompted(&words_of(&content[content.len().saturating_sub(1)..]))
        }
        [.., Message::Model { parts }, Message::Results { results }] => {
            router.returned(parts, results)
        }
        _ => Vec::new(),
    }
}

struct Router<'a> {
    request: &'a Request,
    today: Day,
}

impl Router<'_> {
    /// Answers a prompt.
    fn prompted(&self, text: &str) -> Vec<ModelPart> {
        let specs = self.request.tools.iter().take(MAX_TOOLS);
        let tools: Vec<Tool<'_>> = specs.map(Tool::new).collect();
        if !text.trim_start().starts_with('/') {
            return self.matched(&tools, text);
        }
        match explicit::read(&tools, text, self.today) {
            Ok(calls) => self.proceed(Plan::new(How::Typed, calls)),
            Err(error) => nothing(error.near.iter().map(|at| &tools[*at]), &error.message),
        }
    }

    /// Answers a prompt that is not typed as calls.
    fn matched(&self, tools: &[Tool<'_>], text: &str) -> Vec<ModelPart> {
        let is_offered = |tool: &&Tool<'_>| !tool.spec.name.starts_with(OWN);
        let offered: Vec<&Tool<'_>> = tools.iter().filter(is_offered).collect();
        if offered.is_empty() {
            return nothing([], "there is no tool to call");
        }
        let tokens = prompt::tokens(tool::start(text, LONGEST));
        if text.len() > LONGEST || tokens.len() > prompt::MAX_TOKENS {
            return nothing([], "this is too long to be matched by words");
        }
        match rank::meaning(&offered, text, &tokens, self.today) {
            Meaning::One(at, filled) => {
                let call = Planned {
                    tool: offered[at].spec.name.clone(),
                    input: filled.input,
                    misfits: filled.misfits,
                };
                self.proceed(Plan::new(How::Matched, vec![call]))
            }
            Meaning::Several(near) => {
                let near = near.iter().map(|at| offered[*at]);
                nothing(near, "this could mean several tools")
            }
            Meaning::None(near) => {
                // Where few tools are near, others show what is possible.
                let others = (0..offered.len()).filter(|at| !near.contains(at));
                let near = near.iter().copied().chain(others).take(3);
                nothing(near.map(|at| offered[at]), "no tool matches these words")
            }
        }
    }

    /// Answers the results of calls.
    fn returned(&self, parts: &[ModelPart], results: &[ToolResult]) -> Vec<ModelPart> {
        let waiting = parts.iter().find_map(|part| match part {
            ModelPart::Opaque { wire, part } if wire == plan::WIRE => {
                serde_json::from_str(part).ok()
            }
            _ => None,
        });
        let answered = results.iter().find(|result| result.name == ask::TOOL);
        if let (Some(plan), Some(answered)) = (waiting, answered) {
            return self.resume(plan, answered);
        }
        let failed = results.iter().filter(|result| result.is_error);
        let failures = failed.map(|one| say::failure(&one.name, &words_of(&one.content)));
        text(failures.collect::<Vec<_>>().join("\n"))
    }

    /// Continues a plan with the person's answer to a question.
    fn resume(&self, mut plan: Plan, answered: &ToolResult) -> Vec<ModelPart> {
        let said = words_of(&answered.content);
        if answered.is_error {
            return text(say::failure(ask::TOOL, &said));
        }
        if let Some((at, wanted)) = self.lacking(&plan)
            && let Err(problem) = ask::answer(&mut plan.calls[at], &wanted, &said, self.today)
        {
            return text(format!("Nothing was called: {problem}."));
        }
        plan.asked.clear();
        self.proceed(plan)
    }

    /// Makes the calls of a plan, or asks for the input that its first incomplete call lacks.
    fn proceed(&self, mut plan: Plan) -> Vec<ModelPart> {
        if !self.request.may_call {
            return text("No tool may be called now.".to_owned());
        }
        if let Some((at, wanted)) = self.lacking(&plan) {
            let call = &plan.calls[at];
            let offered = self.request.tools.iter().any(|tool| tool.name == ask::TOOL);
            let question = ask::question(call, &wanted).filter(|_| offered);
            let Some(question) = question else {
                return text(say::missing(call, &wanted));
            };
            plan.asked = wanted.into_iter().map(|slot| slot.name).collect();
            let said = say::asking(call, &plan.asked, plan.how);
            let part = serde_json::to_string(&plan).expect("a plan is plain data");
            return vec![
                ModelPart::Text { text: said },
                ModelPart::Opaque {
                    wire: plan::WIRE.to_owned(),
                    part,
                },
                self.call(0, ask::TOOL, question.to_string()),
            ];
        }
        for call in &mut plan.calls {
            call.arrange(&self.slots(call));
        }
        let said = plan.calls.iter();
        let said = said.map(|call| say::call(call, &self.slots(call), plan.how));
        let said: Vec<String> = said.collect();
        let calls = plan.calls.iter().enumerate().map(|(at, call)| {
            let input = serde_json::to_string(&call.input).expect("an input is plain data");
            self.call(at, &call.tool, input)
        });
        let mut parts = text(said.join("\n"));
        parts.extend(calls);
        parts
    }

    /// Builds a call with an id that is unique in the conversation.
    fn call(&self, at: usize, name: &str, arguments: String) -> ModelPart {
        let id = format!("offline-{}-{}", self.request.messages.len(), at + 1);
        ModelPart::Call(ToolCall::new(id, name, arguments))
    }

    fn slots(&self, call: &Planned) -> Vec<Slot> {
        let mut tools = self.request.tools.iter();
        let spec = tools.find(|tool| tool.name == call.tool);
        spec.map_or_else(Vec::new, |spec| slot::slots(&spec.input_schema))
    }

    /// Returns the index of the first incomplete call, and the slots that the person has to fill.
    fn lacking(&self, plan: &Plan) -> Option<(usize, Vec<Slot>)> {
        let wanted = plan.calls.iter().map(|call| call.wanted(self.slots(call)));
        wanted.enumerate().find(|(_, slots)| !slots.is_empty())
    }
}

fn nothing<'t>(near: impl IntoIterator<Item = &'t Tool<'t>>, why: &str) -> Vec<ModelPart> {
    let near: Vec<&Tool<'_>> = near.into_iter().collect();
    text(say::nothing(&near, why))
}

/// Returns an answer of this text; empty if the text is.
fn text(said: String) -> Vec<ModelPart> {
    if said.is_empty() {
        return Vec::new();
    }
    vec![ModelPart::Text { text: said }]
}

fn words_of(content: &[Part]) -> String {
    let texts = content.iter().filter_map(|part| match part {
        Part::Text { text } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

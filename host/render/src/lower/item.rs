//! Session items.

use super::{Lower, WidgetRef, cut, power};
use crate::format;
use crate::view::{
    Ask, Call, CallState, Cut, Image, Inline, Output, Source, Span, Thought, Tone, Unit, View,
    Widget,
};
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::item::{
    self, CallResult, Content, Item, Level, PendingReason, Power, Receipt, Verdict,
};
use footlight_vocabulary::normalise::normalise;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The maximum number of characters of a call's arguments on its line.
const MAX_INPUT: usize = 200;

impl Lower<'_> {
    /// Lowers a single item. The plugin that shows a widget is known only from its call: see
    /// [`items`](Self::items).
    pub fn item(&self, item: &Item) -> View {
        self.item_from(item, None)
    }

    /// Lowers items in order; widgets and questions name their plugin.
    #[must_use]
    pub fn items(&self, items: &[Item]) -> Vec<View> {
        let mut plugins: HashMap<&str, &str> = HashMap::new();
        for item in items {
            if let Content::Tool(tool) = &item.content {
                let plugin = tool.function.split('.').next().unwrap_or("");
                plugins.insert(item.id.as_str(), plugin);
            }
        }
        let from = |item: &Item| plugins.get(item.content.call()?.as_str()).copied();
        let views = items.iter().map(|item| self.item_from(item, from(item)));
        views.collect()
    }

    /// Lowers an item of a known plugin.
    pub fn item_from(&self, item: &Item, from: Option<&str>) -> View {
        let id = item.id.as_str();
        match &item.content {
            Content::Text(text) => View::column(self.markdown(&text.text)),
            Content::Reasoning(reasoning) => {
                let mut thought = self.thought(&reasoning.text, Some(millis(item).unwrap_or(0)));
                let omitted = usize::try_from(reasoning.omitted_bytes).unwrap_or(usize::MAX);
                let cut = Cut::of(omitted, Unit::Bytes);
                thought.body.extend(cut.map(View::Cut));
                View::Thought(thought)
            }
            Content::Tool(tool) => View::Call(self.call(item, tool)),
            Content::Widget(widget) => View::Widget(Widget {
                id: Some(id.to_owned()),
                rev: item.rev,
                widget: cut::name(&widget.widget),
                from: from.map(str::to_owned),
                body: Box::new(self.widget_body(WidgetRef {
                    from,
                    widget: &widget.widget,
                    data: &widget.data,
                    fallback: &widget.fallback,
                    view: widget.view.as_ref(),
                    invalid_data: widget.invalid_data,
                })),
            }),
            Content::Ask(ask) => View::Ask(Ask {
                id: Some(id.to_owned()),
                from: from.map(str::to_owned),
                state: ask.state.clone(),
                response: response(ask).map(|text| cut::short(&text, self.limits.cell)),
                ..self.ask(&ask.prompt, &ask.widgets)
            }),
            Content::Output(output) => View::Output(output_view(id, output)),
            Content::Notice(notice) => {
                let tone = match notice.level {
                    Level::Info | Level::Other(_) => Tone::Info,
                    Level::Warning => Tone::Warning,
                    Level::Danger => Tone::Danger,
                    Level::Success => Tone::Success,
                };
                View::notice(tone, cut::short(&notice.text, self.limits.cell))
            }
            Content::Other(members) => self.other(members),
        }
    }

    /// Lowers the reasoning of a model, which took this long; none while it reasons.
    #[must_use]
    pub fn thought(&self, text: &str, millis: Option<u64>) -> Thought {
        Thought {
            millis,
            folded: true,
            body: self.markdown(text),
        }
    }

    /// Lowers an item of a type that this version does not know. It never draws blank space.
    fn other(&self, members: &Map<String, Value>) -> View {
        let mut readable = ["fallback", "text", "summary"].into_iter();
        let text = readable.find_map(|name| members.get(name)?.as_str());
        if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
            return self.plain_text(text);
        }
        let kind = members.get("type").and_then(Value::as_str).unwrap_or("");
        let kind = cut::short(kind, 60);
        let line = format!("({kind}, which this version does not know)");
        let tree = self.tree(&Value::Object(members.clone()), None);
        View::column(vec![View::caption(line), tree])
    }

    fn call(&self, item: &Item, tool: &item::Tool) -> Call {
        let (state, body) = match &tool.result {
            CallResult::Success { output } => match normalise(output.clone()) {
                Ok(result) => (CallState::Done, self.result(&result)),
                Err(failed) => (CallState::Failed, self.failure(&failed.message)),
            },
            CallResult::Error { error, code, .. } => {
                let state = match code {
                    Some(FailureCode::Denied) => CallState::Denied,
                    Some(FailureCode::Cancelled | FailureCode::Interrupted) => {
                        CallState::Interrupted
                    }
                    _ => CallState::Failed,
                };
                (state, self.failure(error))
            }
            CallResult::Pending { reason } => {
                let state = match reason {
                    PendingReason::Queued => CallState::Queued,
                    PendingReason::Approval | PendingReason::Waiting => CallState::AwaitingPerson,
                    PendingReason::Running | PendingReason::Other(_) => CallState::Running,
                };
                (state, View::Hidden)
            }
        };
        let verdicts = tool.verdict.iter().chain(&tool.verdicts);
        let uses = tool
            .powers
            .iter()
            .filter(|used| power::is_notable_use(used));
        let uses = uses.map(power::power_line);
        Call {
            id: item.id.as_str().to_owned(),
            function: cut::name(&tool.function),
            input: input(&tool.input),
            state,
            notes: verdicts.map(receipt).chain(uses).collect(),
            millis: millis(item),
            body: Box::new(body),
        }
    }

    fn failure(&self, message: &str) -> View {
        let message = match message.trim() {
            "" => "it did not say why",
            message => message,
        };
        View::notice(Tone::Danger, cut::short(message, self.limits.cell))
    }
}

/// Returns how long an item took; none if it has not ended.
fn millis(item: &Item) -> Option<u64> {
    let took = item.end?.millis() - item.start.millis();
    u64::try_from(took).ok()
}

/// Returns the answer, with the labels of the chosen options.
fn response(ask: &item::Ask) -> Option<String> {
    let text = ask.response.as_ref()?;
    let [field] = ask.widgets.as_slice() else {
        return Some(text.clone());
    };
    let choices = field.options.as_deref().unwrap_or_default();
    let label = |value: &str| {
        let chosen = choices.iter().find(|choice| choice.value == value);
        let label = chosen.and_then(|choice| choice.label.as_deref());
        label.unwrap_or(value).to_owned()
    };
    let values = ask.values.as_ref();
    match values.and_then(|values| values.get(&field.name)) {
        Some(Value::Array(values)) => {
            let labels = values.iter().filter_map(Value::as_str).map(label);
            Some(labels.collect::<Vec<_>>().join(", "))
        }
        _ => Some(label(text)),
    }
}

/// Formats the arguments of a call on one line.
fn input(input: &Value) -> Inline {
    let members = match input {
        Value::Object(members) => members,
        Value::Null => return Inline::default(),
        other => return Inline::plain(cut::compact(other, MAX_INPUT)),
    };
    let mut spans: Vec<Span> = Vec::new();
    let mut room = MAX_INPUT;
    for (n, (name, value)) in members.iter().enumerate() {
        if room == 0 {
            let left = Cut::of(members.len() - n, Unit::Values);
            spans.extend(left.map(|left| Span::muted(format!(" … ({left})"))));
            break;
        }
        let gap = if n == 0 { "" } else { " " };
        let value = cut::compact(value, room.max(20));
        room = room.saturating_sub(value.chars().count() + name.len());
        spans.push(Span::muted(format!("{gap}{}=", cut::short(name, 60))));
        spans.push(Span::plain(value));
    }
    Inline { spans }
}

/// Describes an approval or denial in a line.
fn receipt(receipt: &Receipt) -> String {
    let decision = match receipt.decision {
        Verdict::Deny => "denied",
        Verdict::Once => "allowed once",
        Verdict::Session => "allowed for this session",
        Verdict::Always => "always allowed",
    };
    let short = |text: &String| cut::short(text, 60);
    let subject = receipt.subject.as_ref();
    let reason = receipt.reason.as_deref();
    let reason = reason.filter(|reason| !reason.trim().is_empty());
    // What was granted is the host's to say, not the plugin's.
    let power = receipt.power.as_ref().map(|power| match power {
        Power::Folder => "folder ",
        Power::Network => "requests ",
        Power::Secret => "secret ",
        Power::Other(_) => "power ",
    });
    let parts = [
        power.map(str::to_owned),
        receipt.action.as_ref().map(|action| short(action) + " "),
        Some(decision.to_owned()),
        subject.map(|subject| format!(" ({})", short(subject))),
        receipt.by.as_ref().map(|by| format!(" by {}", short(by))),
        format::date(&receipt.at.to_string()).map(|at| format!(", {at}")),
        reason.map(|reason| format!(": {}", cut::name(reason))),
    ];
    parts.into_iter().flatten().collect()
}

fn output_view(id: &str, output: &item::Output) -> Output {
    let mime = output.mime_type.as_str();
    let raster = ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&mime);
    let expires = output.expires.to_string();
    // Set by whoever knows the time.
    let is_expired = output.extra.get("expired") == Some(&true.into());
    Output {
        id: id.to_owned(),
        title: cut::name(&output.title),
        kind: cut::short(output.kind.as_str(), 40),
        mime_type: cut::short(&output.mime_type, 100),
        size: output.size,
        expires: format::date(&expires).unwrap_or(expires),
        is_expired,
        image: (output.kind == item::OutputKind::Image && raster && !is_expired).then(|| Image {
            alt: cut::name(&output.title),
            source: Source::Output { id: id.to_owned() },
        }),
    }
}

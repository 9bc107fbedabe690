//! Makes a plugin's component tree one that the official types accept, and that a page can show safely.
//!
//! The vocabulary is open and ChatKit's is closed, so a tree is rebuilt from the table of components:
//!
//! * A prop that ChatKit's types do not have, or whose value they refuse, is left out. A number with a
//!   fraction is rounded where they want an integer. An unknown icon becomes one of Lucide.
//! * A component that ChatKit does not have is drawn with one that it has: `Progress` as text, an
//!   unknown one as its children or its fallback.
//! * Nothing is loaded from elsewhere. A picture is shown if it is in the tree itself, and described
//!   otherwise; a style that could name an address is left out; Markdown is written anew without
//!   pictures and HTML. A pattern is left out, because a stranger's expression can stall the page.
//! * An action becomes a [token](super::press): what it calls and with what stays on the server.
//! * Each `Text` and `Markdown` has an `id`, without which a client would lose what is appended.
//!
//! Invariant: the input has passed `component::check`, which bounds its size and depth.

mod chart;
mod prop;

use super::press::{Pressed, wire_name};
use footlight_render::filter::clean;
use footlight_render::lower::Lower;
use footlight_render::markdown::markdown_all;
use footlight_render::view::Picture;
use footlight_vocabulary::component::{
    self, Children, ComponentSpec, Handler, PlacedAction, PropSpec, PropType, spec, text_of,
};
use footlight_vocabulary::item::ItemId;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// The props of the vocabulary that ChatKit's Python types do not have.
const NOT_IN_CHATKIT: &[(&str, &str)] = &[("Card", "border")];

/// The props that are never passed on.
const NEVER: &[&str] = &["pattern"];

/// What stands before an id that is made here. A plugin's id that begins alike is replaced.
const OWN_ID: char = '~';

/// A widget, whose actions are named by its id and revision.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) item: &'a ItemId,
    pub(super) rev: u64,
}

/// Returns the tree for a client.
pub(super) fn chatkit_tree(view: &Value, source: Source<'_>) -> Value {
    let actions = component::find_actions(view).into_iter();
    let actions = actions.filter(|placed| placed.action.heard_by() == Handler::Server);
    let writer = TreeWriter {
        source,
        actions: actions
            .map(|placed| (placed.path.clone(), placed))
            .collect(),
        root: view.get("type").and_then(Value::as_str).unwrap_or_default(),
    };
    writer.component(view, "").unwrap_or_else(empty_card)
}

fn empty_card() -> Value {
    json!({ "type": "Card", "children": [] })
}

/// Returns Markdown without pictures and HTML.
pub(super) fn safe_markdown(text: &str) -> String {
    markdown_all(&Lower::default().markdown(text))
}

struct TreeWriter<'a> {
    source: Source<'a>,
    /// The actions that can be pressed, by their place.
    actions: HashMap<String, PlacedAction>,
    root: &'a str,
}

impl TreeWriter<'_> {
    /// Returns a component; none if there is nothing to draw.
    fn component(&self, node: &Value, path: &str) -> Option<Value> {
        let members = node.as_object()?;
        let kind = members.get("type").and_then(Value::as_str)?;
        let Some(spec) = spec(kind) else {
            return self.unknown(members, path);
        };
        // A root inside another root than `Basic` is drawn without its frame.
        if spec.is_root() && !path.is_empty() && self.root != "Basic" {
            return self.unknown(members, path);
        }
        if spec.name == "Progress" {
            let text = text_of(node);
            return (!text.is_empty()).then(|| plain_text(&text, path));
        }
        if spec.name == "Image" && !is_shown(members) {
            return Some(described(members, path));
        }
        let mut out = Map::new();
        out.insert("type".to_owned(), spec.name.into());
        self.name_node(&mut out, members, path);
        if spec.name == "Chart" {
            chart::props(members, &mut out);
        }
        for prop in spec.props {
            let is_left_out = NEVER.contains(&prop.name)
                || NOT_IN_CHATKIT.contains(&(spec.name, prop.name))
                || out.contains_key(prop.name);
            let Some(value) = members.get(prop.name).filter(|_| !is_left_out) else {
                continue;
            };
            let value = match (spec.name, prop.name) {
                ("Markdown", "value") => value.as_str().map(safe_markdown).map(Value::from),
                ("Image", "src") => Some(value.clone()),
                ("DatePicker", "defaultValue" | "min" | "max") => prop::date(value),
                ("RadioGroup", "options") => prop::choices(value, false),
                ("Select", "options") => prop::choices(value, true),
                ("Icon", "name") => self.prop(prop.takes, value, path),
                (_, "name" | "fieldName") => value.as_str().map(|it| wire_name(it).into()),
                _ => self.prop(prop.takes, value, &member(path, prop.name)),
            };
            if let Some(value) = value {
                out.insert(prop.name.to_owned(), value);
            }
        }
        if out.get("editable").is_some_and(Value::is_object) {
            prop::rename_editable(&mut out);
        }
        let is_missing = |prop: &PropSpec| prop.required && !out.contains_key(prop.name);
        if spec.props.iter().any(is_missing) {
            return None;
        }
        self.children(spec, members, path, &mut out);
        Some(Value::Object(out))
    }

    fn name_node(&self, out: &mut Map<String, Value>, members: &Map<String, Value>, path: &str) {
        for name in ["id", "key"] {
            let given = members.get(name).and_then(Value::as_str);
            if let Some(given) = given.filter(|given| !given.starts_with(OWN_ID)) {
                out.insert(name.to_owned(), clean(given).into());
            }
        }
        let is_text = matches!(out["type"].as_str(), Some("Text" | "Markdown"));
        if is_text && !out.contains_key("id") {
            out.insert("id".to_owned(), own_id(path));
        }
    }

    fn children(
        &self,
        spec: &ComponentSpec,
        members: &Map<String, Value>,
        path: &str,
        out: &mut Map<String, Value>,
    ) {
        let single = members.get("children").is_some_and(Value::is_object);
        let below = component::children(members).iter().enumerate();
        let below = below.filter_map(|(index, child)| {
            let list = member(path, "children");
            let path = match single {
                true => list,
                false => format!("{list}[{index}]"),
            };
            self.component(child, &path)
        });
        let below: Vec<Value> = below.collect();
        let children = match spec.children {
            Children::None => return,
            Children::One => below.into_iter().next().unwrap_or_default(),
            Children::Many { .. } => below.into(),
        };
        out.insert("children".to_owned(), children);
    }

    /// Returns what is drawn for a component of a later version: its children, else its fallback.
    fn unknown(&self, members: &Map<String, Value>, path: &str) -> Option<Value> {
        let mut drawn = Map::from_iter([("type".to_owned(), Value::from("Col"))]);
        self.children(&component::Col::SPEC, members, path, &mut drawn);
        if component::children(members).is_empty() {
            let fallback = members.get("fallback").and_then(Value::as_str)?;
            return Some(plain_text(fallback, path));
        }
        Some(Value::Object(drawn))
    }

    /// Returns the value of a prop; none if ChatKit's types refuse it.
    fn prop(&self, takes: PropType, value: &Value, path: &str) -> Option<Value> {
        match takes {
            PropType::Action => self.action(value, path),
            PropType::Object(shape) => {
                let members = value.as_object()?;
                let mut out = Map::new();
                for prop in shape {
                    // The icon of a site would be loaded from it.
                    if matches!(prop.name, "favicon" | "frame") || NEVER.contains(&prop.name) {
                        continue;
                    }
                    let value = members.get(prop.name);
                    let value =
                        value.and_then(|it| self.prop(prop.takes, it, &member(path, prop.name)));
                    match value {
                        Some(value) => drop(out.insert(prop.name.to_owned(), value)),
                        None if prop.required => return None,
                        None => {}
                    }
                }
                let is_border = shape.iter().any(|prop| prop.name == "style");
                match is_border {
                    true => prop::one_border(out),
                    false => Some(Value::Object(out)),
                }
            }
            PropType::OneOf(types) => {
                let mut values = types.iter().map(|takes| match takes {
                    PropType::Str => prop::style(value),
                    takes => self.prop(*takes, value, path),
                });
                values.find_map(|value| value)
            }
            takes => prop::scalar(takes, value, path),
        }
    }

    /// Returns an action of ours for one that can be pressed.
    fn action(&self, action: &Value, path: &str) -> Option<Value> {
        self.actions.get(path)?;
        let pressed = Pressed::Widget {
            item: self.source.item.clone(),
            rev: self.source.rev,
            path: path.to_owned(),
        };
        let mut out = pressed.action();
        for (name, known) in [
            ("loadingBehavior", component::LoadingBehavior::KNOWN),
            ("streaming", &[]),
        ] {
            let value = action.get(name).filter(|value| match value {
                Value::String(word) => known.contains(&word.as_str()),
                value => name == "streaming" && value.is_boolean(),
            });
            if let Some(value) = value {
                out[name] = value.clone();
            }
        }
        Some(out)
    }
}

fn member(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

fn own_id(path: &str) -> Value {
    format!("{OWN_ID}{path}").into()
}

/// Returns a text of ours.
pub(super) fn plain_text(text: &str, path: &str) -> Value {
    json!({ "type": "Text", "id": own_id(path), "value": clean(text) })
}

/// Reports whether a picture is in the tree itself.
fn is_shown(image: &Map<String, Value>) -> bool {
    let source = image.get("src").and_then(Value::as_str).unwrap_or_default();
    let data = source
        .strip_prefix("data:image/")
        .and_then(|data| data.split_once(";base64,"));
    data.is_some_and(|(_, data)| Picture::from_base64(data).is_ok())
}

fn described(image: &Map<String, Value>, path: &str) -> Value {
    let alt = image.get("alt").and_then(Value::as_str).map(str::trim);
    let alt = alt.filter(|alt| !alt.is_empty());
    let text = match alt {
        Some(alt) => format!("[picture: {alt}]"),
        None => "[picture]".to_owned(),
    };
    plain_text(&text, path)
}

#[cfg(test)]
mod tests;

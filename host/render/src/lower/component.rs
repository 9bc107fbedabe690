//! Lowers component trees.
//!
//! Invariant: a tree is validated first (see `component::check`), so that its size and depth are
//! bounded and recursion is safe. An unknown component draws its children or its fallback.

mod fields;
mod table;
mod text;

use super::data::table_view;
use super::{Lower, cut, image};
use crate::view::{
    Button, Cut, Frame, Group, Justify, Layout, Press, Role, Status, Tone, Unit, View,
};
use footlight_vocabulary::component::{Children, check, children, find_actions, spec};
use footlight_vocabulary::json::canonical;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use text::{level, progress, tone, words};

impl Lower<'_> {
    /// Lowers a component tree. A tree that is not valid becomes a notice that says why.
    pub fn component(&self, tree: &Value) -> View {
        match check(tree) {
            Ok(()) => self.checked_component(tree),
            Err(problems) => {
                let message = format!("This view cannot be shown: {problems}");
                View::notice(Tone::Danger, message)
            }
        }
    }

    /// Lowers a tree that [`check`] has accepted.
    pub(super) fn checked_component(&self, tree: &Value) -> View {
        let presses = (1..).zip(find_actions(tree)).map(|(number, placed)| {
            let press = Press {
                number,
                path: placed.path.clone(),
                tool: digest(placed.action.tool()),
                digest: digest((placed.action.tool(), canonical(placed.action.input()))),
                form: placed.form,
            };
            (placed.path, press)
        });
        let builder = ComponentBuilder {
            lower: self,
            presses: presses.collect(),
            labels: labels(tree),
        };
        builder.node(tree, "").unwrap_or(View::Hidden)
    }
}

/// Returns a hash that tells actions apart without saying what they are.
fn digest(action: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    action.hash(&mut hasher);
    hasher.finish()
}

/// Lowers one component tree.
pub(super) struct ComponentBuilder<'a> {
    pub(super) lower: &'a Lower<'a>,
    /// The actions, by their paths.
    presses: HashMap<String, Press>,
    /// The labels of fields that have none of their own. They are attached to the fields, so that
    /// every surface and assistive technology can associate them.
    pub(super) labels: HashMap<String, String>,
}

/// The properties of a component and its path in the tree.
pub(super) struct Props<'a> {
    pub(super) value: &'a Value,
    pub(super) path: &'a str,
}

impl<'a> Props<'a> {
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        super::text(self.value, name)
    }

    pub(super) fn is(&self, name: &str) -> bool {
        super::is(self.value, name)
    }

    pub(super) fn member(&self, name: &str) -> String {
        match self.path {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        }
    }

    pub(super) fn tone(&self) -> Tone {
        self.text("color").map_or(Tone::Plain, tone)
    }
}

impl ComponentBuilder<'_> {
    /// Lowers a component; `None` if there is nothing to see.
    fn node(&self, value: &Value, path: &str) -> Option<View> {
        let props = Props { value, path };
        let kind = props.text("type")?;
        Some(match kind {
            "Card" => self.card(&props),
            "ListView" => self.list_view(&props),
            "ListViewItem" => View::Group(self.group(&props, Layout::Item, "onClickAction")),
            "Row" | "Col" | "Basic" | "Box" => {
                let layout = match (kind, props.text("direction")) {
                    ("Row", _) | ("Basic" | "Box", Some("row")) => Layout::Row,
                    _ => Layout::Column,
                };
                View::Group(self.group(&props, layout, ""))
            }
            "Form" => View::Group(Group {
                form: Some(path.to_owned()),
                ..self.group(&props, Layout::Form, "onSubmitAction")
            }),
            "Transition" => View::column(self.children(&props)),
            "Text" if value["editable"].is_object() => View::Field(self.editable(&props)),
            "Text" => words(&props, Role::Body),
            "Title" => {
                let level = level(props.text("size").unwrap_or(""));
                words(&props, Role::Heading(level))
            }
            "Caption" => words(&props, Role::Caption),
            "Label" => {
                let field = props.text("fieldName").unwrap_or("").to_owned();
                if self.labels.contains_key(&field) {
                    return None;
                }
                words(&props, Role::Label { field })
            }
            "Markdown" => View::column(self.lower.markdown(props.text("value")?)),
            "Badge" => View::Badge {
                label: cut::name(props.text("label")?),
                tone: props.tone(),
            },
            "Icon" => View::Icon {
                name: cut::short(props.text("name")?, 60),
                tone: props.tone(),
            },
            "Image" => {
                let source = image::source(props.text("src").unwrap_or(""));
                View::Image(image::image(props.text("alt").unwrap_or(""), source))
            }
            "Chart" => self.lower.chart_component(value),
            "Table" => table_view(self.table(&props)),
            "Progress" => View::Progress(progress(&props)),
            "Divider" => View::Divider,
            "Spacer" => View::Space,
            "Button" => View::Button(self.button(&props)),
            "Input" | "Textarea" | "Select" | "RadioGroup" | "Checkbox" | "DatePicker" => {
                View::Field(self.field(kind, &props))
            }
            _ => return self.unknown(&props),
        })
    }

    fn unknown(&self, props: &Props<'_>) -> Option<View> {
        let children = self.children(props);
        if !children.is_empty() {
            return Some(View::column(children));
        }
        let fallback = props.text("fallback")?;
        (!fallback.trim().is_empty()).then(|| View::text(fallback))
    }

    fn children(&self, props: &Props<'_>) -> Vec<View> {
        let children = self.children_with_paths(props).into_iter();
        let views = children.filter_map(|(child, path)| self.node(child, &path));
        views.collect()
    }

    /// Returns the children with their paths, in the notation of `find_actions`.
    fn children_with_paths<'v>(&self, props: &Props<'v>) -> Vec<(&'v Value, String)> {
        let kind = props.text("type").and_then(spec);
        if kind.is_some_and(|spec| spec.children == Children::None) {
            return Vec::new();
        }
        let single = props.value["children"].is_object();
        let list = props.member("children");
        let path = |n: usize| match single {
            true => list.clone(),
            false => format!("{list}[{n}]"),
        };
        let children = props.value.as_object().map_or(&[][..], children);
        let children = children.iter().enumerate();
        children.map(|(n, child)| (child, path(n))).collect()
    }

    pub(super) fn press(&self, props: &Props<'_>, name: &str) -> Option<Press> {
        self.presses.get(&props.member(name)).cloned()
    }

    fn group(&self, props: &Props<'_>, layout: Layout, action: &str) -> Group {
        let justify = match props.text("justify") {
            Some("center") => Justify::Center,
            Some("end") => Justify::End,
            Some("between" | "around" | "evenly") => Justify::Between,
            _ => Justify::Start,
        };
        Group {
            justify,
            status: status(props),
            press: self.press(props, action),
            ..Group::new(layout, self.children(props))
        }
    }

    fn card(&self, props: &Props<'_>) -> View {
        let mut footer = Vec::new();
        for (name, primary) in [("confirm", true), ("cancel", false)] {
            let Some(label) = props.value[name]["label"].as_str() else {
                continue;
            };
            footer.push(Button {
                label: cut::name(label),
                primary,
                submit: primary && props.is("asForm"),
                press: self.press(props, &format!("{name}.action")),
                ..Button::default()
            });
        }
        View::Group(Group {
            status: status(props),
            footer,
            form: props.is("asForm").then(|| props.path.to_owned()),
            ..Group::new(Layout::Card, self.children(props))
        })
    }

    /// Lowers a list. Items beyond its `limit` are folded, not dropped.
    fn list_view(&self, props: &Props<'_>) -> View {
        let mut items = self.children(props);
        let limit = props.value["limit"].as_u64();
        let limit = limit.and_then(|limit| usize::try_from(limit).ok());
        if let Some(limit) = limit.filter(|limit| (1..items.len()).contains(limit)) {
            let rest = items.split_off(limit);
            let cut = Cut::of(rest.len(), Unit::Items);
            items.push(View::Frame(Frame {
                caption: cut.map(|cut| cut.to_string()),
                collapsed: true,
                body: Box::new(View::Group(Group::new(Layout::List, rest))),
                ..Frame::default()
            }));
        }
        View::Group(Group {
            status: status(props),
            ..Group::new(Layout::List, items)
        })
    }

    fn button(&self, props: &Props<'_>) -> Button {
        let label = props.text("label").unwrap_or("");
        let icon = props.text("iconStart").or_else(|| props.text("iconEnd"));
        Button {
            label: cut::name(label),
            icon: icon.map(|icon| cut::short(icon, 60)),
            tone: match props.tone() {
                Tone::Muted => Tone::Plain,
                tone => tone,
            },
            primary: ["style", "color"]
                .map(|name| props.text(name))
                .contains(&Some("primary")),
            disabled: props.is("disabled"),
            submit: props.is("submit"),
            press: self.press(props, "onClickAction"),
        }
    }
}

/// Collects the text of `Label` components by field, for fields without a label of their own.
fn labels(tree: &Value) -> HashMap<String, String> {
    let mut called = HashMap::new();
    let mut nameless = HashSet::new();
    let mut ahead = vec![tree];
    while let Some(value) = ahead.pop() {
        let text = |name| super::text(value, name);
        match (text("type"), text("fieldName"), text("name")) {
            (Some("Label"), Some(field), _) => {
                let words = cut::name(text("value").unwrap_or(""));
                called.insert(field.to_owned(), words);
            }
            (_, _, Some(name)) if text("label").is_none() => {
                nameless.insert(name.to_owned());
            }
            _ => {}
        }
        ahead.extend(value.as_object().map_or(&[][..], children));
    }
    called.retain(|field, words| nameless.contains(field) && !words.trim().is_empty());
    called
}

fn status(props: &Props<'_>) -> Option<Status> {
    let status = props.value.get("status")?;
    Some(Status {
        text: cut::name(super::text(status, "text")?),
        icon: super::text(status, "icon").map(|icon| cut::short(icon, 60)),
    })
}

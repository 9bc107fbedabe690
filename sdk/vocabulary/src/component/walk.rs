//! Iteration over untrusted trees, without recursion and with a limit of depth.

use super::spec::{Children, ComponentSpec, spec};
use super::{MAX_DEPTH, children};
use serde_json::{Map, Value};
use std::rc::Rc;

/// A position in a tree where a component is expected.
pub(crate) struct Place<'a> {
    pub(crate) value: &'a Value,
    /// The type, if present.
    pub(crate) kind: Option<&'a str>,
    /// The description of the type, if known.
    pub(crate) spec: Option<&'static ComponentSpec>,
    /// The path, such as `children[2].children`; empty for the root.
    pub(crate) path: String,
    /// The only type that the parent allows.
    pub(crate) only: Option<&'static str>,
    /// The path of the enclosing form, or of the component itself if it is a form.
    pub(crate) form: Option<Rc<str>>,
    /// Whether its children exceed the depth limit and are not visited.
    pub(crate) cut: bool,
    depth: usize,
}

/// Iterates over a tree in reading order.
///
/// Children of a known component that cannot have children are skipped: renderers do not draw
/// them, so nothing in them can be read or pressed.
pub(crate) struct Walk<'a> {
    ahead: Vec<Place<'a>>,
}

pub(crate) fn walk(tree: &Value) -> Walk<'_> {
    Walk {
        ahead: vec![Place::new(tree, String::new(), 1)],
    }
}

impl<'a> Place<'a> {
    fn new(value: &'a Value, path: String, depth: usize) -> Self {
        let kind = value.get("type").and_then(Value::as_str);
        Self {
            value,
            kind,
            spec: kind.and_then(spec),
            path,
            only: None,
            form: None,
            cut: false,
            depth,
        }
    }

    /// Returns the path of a member.
    pub(crate) fn member(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }

    fn is_form(&self, members: &Map<String, Value>) -> bool {
        match self.kind {
            Some("Form") => true,
            Some("Card") => members.get("asForm") == Some(&Value::Bool(true)),
            _ => false,
        }
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = Place<'a>;

    fn next(&mut self) -> Option<Place<'a>> {
        let mut place = self.ahead.pop()?;
        let Some(members) = place.value.as_object() else {
            return Some(place);
        };
        if place.is_form(members) {
            place.form = Some(place.path.as_str().into());
        }
        let only = match place.spec.map(|spec| spec.children) {
            Some(Children::None) => return Some(place),
            Some(Children::Many { only, .. }) => only,
            Some(Children::One) | None => None,
        };
        let below = children(members);
        if place.depth == MAX_DEPTH {
            place.cut = !below.is_empty();
            return Some(place);
        }
        let single = members.get("children").is_some_and(Value::is_object);
        let list = place.member("children");
        for (index, child) in below.iter().enumerate().rev() {
            let path = if single {
                list.clone()
            } else {
                format!("{list}[{index}]")
            };
            self.ahead.push(Place {
                only,
                form: place.form.clone(),
                ..Place::new(child, path, place.depth + 1)
            });
        }
        Some(place)
    }
}

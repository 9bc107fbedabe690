//! Going through a tree that may be hostile: iteratively, and no deeper than allowed.

use super::spec::{Children, ComponentSpec, spec};
use super::{MAX_DEPTH, children};
use serde_json::{Map, Value};
use std::rc::Rc;

/// One place in a tree where a component should stand.
pub(crate) struct Place<'a> {
    pub(crate) value: &'a Value,
    /// The type, where there is one.
    pub(crate) kind: Option<&'a str>,
    /// What is known of the type.
    pub(crate) spec: Option<&'static ComponentSpec>,
    /// Such as `children[2].children`; empty at the root.
    pub(crate) path: String,
    /// The type that the parent insists on.
    pub(crate) only: Option<&'static str>,
    /// The path of the form around it, or that it is itself.
    pub(crate) form: Option<Rc<str>>,
    /// Whether it has children that lie too deep to be visited.
    pub(crate) cut: bool,
    depth: usize,
}

/// The places of a tree in reading order.
///
/// The children of a known component that has none by the table are not visited: nobody draws
/// them, so that nothing in them can be read or pressed.
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

    /// The path of one of its members.
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

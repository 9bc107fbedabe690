//! Component trees: the views of widgets, in ChatKit's format.
//!
//! Each component is a JSON object, `{type, id?, key?, ...props, children?, fallback?}`. A plugin
//! writes it with one builder per component, each a wrapper of a [`Node`]:
//!
//! ```
//! use footlight_vocabulary::component::{Badge, BadgeColor, Card, Row, Text, Title};
//!
//! let card = Card::new()
//!     .child(Title::new("Oslo"))
//!     .child(Row::new().child(Text::new("Mon")).child(Badge::new("rain").color(BadgeColor::Info)));
//! assert_eq!(card.node().text(), "Oslo\nMon rain");
//! ```
//!
//! `layout`, `text`, `input` and `data` declare components and their props. The same declarations
//! make the builders and, on the host, the table `COMPONENTS`, on which `check` and `schema` rely.
//! To add a component: declare it there and name it in `spec`.
//!
//! Invariant: nothing here draws, and nothing unknown is refused. Components and props of a later
//! version pass through unchanged.

mod action;
#[cfg(feature = "host")]
mod check;
mod data;
mod declare;
mod fallback;
#[cfg(feature = "host")]
mod form;
mod input;
mod layout;
mod prop;
#[cfg(feature = "schema")]
mod schema;
mod shape;
#[cfg(feature = "host")]
mod spec;
mod text;
mod token;
#[cfg(feature = "host")]
mod walk;

pub use action::{Action, CardAction, ToolName};
pub use data::{
    Badge, Chart, ChartRows, Icon, Image, Labels, Progress, Series, SeriesLabel, SeriesList, Table,
    TableCell, TableRow, XAxis,
};
pub use fallback::{text_of, text_value_mut};
pub use input::{
    Button, Checkbox, Choice, Choices, DatePicker, Form, Input, Label, RadioGroup, Select, Textarea,
};
pub use layout::{Basic, Box, Card, Col, Divider, ListView, ListViewItem, Row, Spacer, Transition};
pub use prop::Prop;
pub use shape::{
    Border, Borders, Color, Dimension, Edge, IconName, Inset, Limit, Outline, Spacing, Status,
    ThemeColor, Thickness,
};
pub use text::{Caption, Editable, Markdown, Text, Title};
pub use token::*;

#[cfg(feature = "host")]
pub use check::{Problem, Problems, check, check_with};
#[cfg(feature = "host")]
pub use form::{PlacedAction, PlacedField, apply_form, fields_of, filled_in, find_actions};
#[cfg(feature = "host")]
pub use spec::{COMPONENTS, Children, ComponentSpec, PropSpec, PropType, spec};

#[cfg(feature = "schema")]
pub use schema::schema;

use crate::builder::from_each;
use prop::Object;
use serde::{Deserialize, Serialize, de, ser};
use serde_json::{Map, Value};

/// The components that can be the root of a tree.
pub const ROOTS: &[&str] = &["Card", "ListView", "Basic"];

/// The greatest depth of a tree, the root included.
pub const MAX_DEPTH: usize = 64;

/// The most components of a tree.
pub const MAX_NODES: usize = 2_000;

/// A component with its props and children, known or not.
///
/// [`Node::new`] and [`Node::with`] make components that have no builder. Setting a value that does
/// not serialize, such as a payload whose keys are not strings, does not panic: the first error is
/// kept and reported when the node is serialized.
#[derive(Debug, Clone, PartialEq)]
pub struct Node(Object);

impl Node {
    /// The only type allowed in a list of these children: any.
    #[cfg(feature = "host")]
    pub(crate) const ONLY: Option<&'static str> = None;

    /// Creates a component without props.
    pub fn new(kind: impl Into<String>) -> Self {
        let mut object = Object::default();
        object.put("type", kind.into().into());
        Self(object)
    }

    /// Sets a prop, known or not, by its name in JSON.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Prop>) -> Self {
        self.put(name, value.into());
        self
    }

    /// Adds a child.
    #[must_use]
    pub fn child(mut self, child: impl Into<Node>) -> Self {
        self.push(child.into());
        self
    }

    /// Returns the type, such as `Card`.
    #[must_use]
    pub fn kind(&self) -> &str {
        self.prop("type").and_then(Value::as_str).unwrap_or("")
    }

    /// Returns a prop by its name in JSON.
    #[must_use]
    pub fn prop(&self, name: &str) -> Option<&Value> {
        self.0.members.get(name)
    }

    /// Returns the children, as JSON.
    #[must_use]
    pub fn children(&self) -> &[Value] {
        children(&self.0.members)
    }

    /// Returns the text of the tree, see [`text_of`].
    #[must_use]
    pub fn text(&self) -> String {
        fallback::text(&self.0.members)
    }

    pub(crate) fn put(&mut self, name: &str, value: Prop) {
        self.0.put(name, value);
    }

    pub(crate) fn push(&mut self, child: Node) {
        self.0.push("children", child.into());
    }
}

impl From<Node> for Prop {
    fn from(node: Node) -> Self {
        node.0.into()
    }
}

impl Serialize for Node {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.broken {
            Some(why) => Err(ser::Error::custom(why)),
            None => self.0.members.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members = Map::deserialize(deserializer)?;
        match members.get("type") {
            Some(Value::String(_)) => Ok(Self(members.into())),
            _ => Err(de::Error::custom("a component needs a `type`, a string")),
        }
    }
}

/// The root of a tree: a [`Card`], a [`ListView`] or a [`Basic`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Root(Node);

impl Root {
    /// Converts a node, for instance from a template, if its type can be a root.
    #[must_use]
    pub fn from_node(node: Node) -> Option<Self> {
        ROOTS.contains(&node.kind()).then_some(Self(node))
    }

    /// Returns the root as a node.
    #[must_use]
    pub fn node(&self) -> &Node {
        &self.0
    }
}

from_each!(Root: Card, ListView, Basic; root => Self(root.into()));

impl From<Root> for Node {
    fn from(root: Root) -> Self {
        root.0
    }
}

/// Returns the children of a component in JSON. ChatKit also writes a single child without a list.
#[must_use]
pub fn children(members: &Map<String, Value>) -> &[Value] {
    match members.get("children") {
        Some(Value::Array(list)) => list,
        Some(one @ Value::Object(_)) => std::slice::from_ref(one),
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unknown_components_and_props_survive_a_round_trip() {
        let sent = json!({
            "type": "Acme.Map", "id": "m", "zoom": 3, "fallback": "Oslo",
            "children": { "type": "Text", "value": "pin", "glow": [1, { "a": null }] }
        });
        let node: Node = serde_json::from_value(sent.clone()).expect("a component");
        assert_eq!(node.kind(), "Acme.Map");
        assert_eq!(node.children().len(), 1);
        assert_eq!(serde_json::to_value(&node).expect("serialises"), sent);
    }

    #[test]
    fn node_without_a_type_is_not_read() {
        assert!(serde_json::from_value::<Node>(json!({ "value": "x" })).is_err());
        assert!(serde_json::from_value::<Node>(json!({ "type": 1 })).is_err());
    }

    #[test]
    fn a_component_no_builder_knows_can_be_written() {
        let node = Node::new("Acme.Map")
            .with("zoom", 3)
            .child(Text::new("pin"));
        assert_eq!(
            serde_json::to_value(&node).expect("serialises"),
            json!({ "type": "Acme.Map", "zoom": 3, "children": [{ "type": "Text", "value": "pin" }] })
        );
    }

    #[test]
    fn a_child_on_a_single_child_joins_it_in_a_list() {
        let sent = json!({ "type": "Acme", "children": { "type": "Spacer" } });
        let node: Node = serde_json::from_value(sent).expect("a component");
        assert_eq!(node.child(Spacer::new()).children().len(), 2);
    }

    #[test]
    fn only_a_root_becomes_a_root() {
        assert!(Root::from_node(Node::new("Basic")).is_some());
        assert!(Root::from_node(Node::new("Text")).is_none());
    }

    #[test]
    fn serialization_error_is_reported_when_the_tree_is_serialized() {
        let unwritable = std::collections::BTreeMap::from([(vec![1], 2)]);
        let card = Card::new().child(
            Row::new()
                .child(Button::new().on_click_action(Action::new("press").payload(&unwritable))),
        );
        let error = serde_json::to_string(card.node()).expect_err("keys are not strings");
        assert!(
            error.to_string().contains("key must be a string"),
            "{error}"
        );
    }
}

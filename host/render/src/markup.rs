//! Markup as a tree: allow-listed elements and attributes, and text.
//!
//! A [`Node`] is text or an [`Element`], or elements that are made when they are written. A tree is serialised to HTML ([`to_html`]), or to JSON
//! that a page instantiates with `createElement` and `textContent` ([`to_json`]).
//!
//! Invariant: no string becomes markup. Element and attribute names are enums; an address is an
//! [`Address`], an image source a validated [`Source`], and a class a literal of ours. A string of
//! a plugin can only be text, or the value of an attribute that browsers neither follow nor execute
//! ([`TextAttr`]); both pass through [`clean`](crate::filter::clean) and a single escaping function.
//! There is no attribute for styles or scripts.

mod generated;
mod names;
mod write;

pub(crate) use generated::Generate;
pub use generated::Generated;
pub use names::{Flag, Keyword, Number, Tag, TextAttr};
pub(crate) use write::{escape, write_html};
pub use write::{to_html, to_json};

use crate::format::decimals;
use crate::view::{Address, Source};
use std::borrow::Cow;

/// A text or element node.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Node {
    /// Text; it never contains markup.
    Text(String),
    /// An element with its children.
    Element(Element),
    /// Elements that are made when they are written.
    Generated(Generated),
}

impl From<Element> for Node {
    fn from(element: Element) -> Self {
        Self::Element(element)
    }
}

/// An allow-listed element.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Element {
    tag: Tag,
    attributes: Vec<(&'static str, Cow<'static, str>)>,
    children: Vec<Node>,
}

impl Element {
    /// Creates an empty element.
    pub fn new(tag: Tag) -> Self {
        Self {
            tag,
            attributes: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Creates an element with a class.
    pub fn of(tag: Tag, class: &'static str) -> Self {
        Self::new(tag).class(class)
    }

    /// Adds a class of our own style sheet, if one is given.
    pub fn class(self, class: impl Into<Option<&'static str>>) -> Self {
        match class.into() {
            Some(class) => self.add_class(class.into()),
            None => self,
        }
    }

    fn add_class(mut self, class: Cow<'static, str>) -> Self {
        let mut attributes = self.attributes.iter_mut();
        match attributes.find(|(name, _)| *name == "class") {
            Some((_, classes)) => classes.to_mut().push_str(&format!(" {class}")),
            None => push(&mut self.attributes, ("class", class)),
        }
        self
    }

    /// Sets an attribute whose value is one of our own keywords.
    pub fn keyword(self, name: Keyword, keyword: &'static str) -> Self {
        self.set_value(name.name(), keyword.into())
    }

    /// Sets an attribute that holds text, if there is one: read to a person, or submitted as a
    /// form's value.
    pub fn text_attr<'t>(self, name: TextAttr, text: impl Into<Option<&'t str>>) -> Self {
        self.set(name.name(), text.into().map(str::to_owned))
    }

    /// Sets a boolean attribute.
    pub fn flag(self, name: Flag, on: bool) -> Self {
        self.set(name.name(), on.then(String::new))
    }

    /// Sets a numeric attribute; an absent value or one that is not finite is left out.
    pub fn number(self, name: Number, number: impl Into<Option<f64>>) -> Self {
        let number = number.into().filter(|number| number.is_finite());
        self.set(name.name(), number.map(|number| decimals(number, 2)))
    }

    /// Sets the name of a form field. The prefix keeps a plugin's name from shadowing a property of
    /// the form: browsers expose fields as properties such as `form.action`.
    pub fn field(self, name: &str) -> Self {
        self.set("name", format!("f:{name}"))
    }

    /// Sets the geometry of an SVG path or polyline.
    pub fn outline(self, outline: &Outline) -> Self {
        let name = if self.tag == Tag::Path { "d" } else { "points" };
        self.set(name, outline.0.trim().to_owned())
    }

    /// Sets the geometry of an SVG path to a drawing of our own.
    pub(crate) fn drawing(self, outline: &'static str) -> Self {
        self.set_value("d", outline.into())
    }

    /// Sets the view box of an SVG drawing, from the origin.
    pub fn view_box(self, width: u32, height: u32) -> Self {
        self.set("viewBox", format!("0 0 {width} {height}"))
    }

    /// Makes the element a link that sends no referrer.
    pub fn href(self, address: &Address) -> Self {
        self.set("href", address.as_str().to_owned())
            .set("rel", "noopener noreferrer nofollow".to_owned())
            .set("target", "_blank".to_owned())
    }

    /// Makes the element a link to stored content on our own origin.
    pub fn href_output(self, id: &str) -> Self {
        self.set("href", output_path(id))
    }

    /// Sets the source of an image. An image that must not be loaded gets none.
    pub fn src(self, source: &Source) -> Self {
        let src = match source {
            Source::Output { id } => output_path(id),
            Source::Inline(picture) => {
                let mime = picture.format().mime_type();
                Some(format!("data:{mime};base64,{}", picture.base64()))
            }
            Source::Remote(_) | Source::Refused(_) => None,
        };
        self.set("src", src)
    }

    /// Adds a text node.
    pub fn text(mut self, text: impl Into<String>) -> Self {
        push(&mut self.children, Node::Text(text.into()));
        self
    }

    /// Applies `change` if there is a value.
    pub fn with<T>(self, value: Option<T>, change: impl FnOnce(Self, T) -> Self) -> Self {
        match value {
            Some(value) => change(self, value),
            None => self,
        }
    }

    /// Adds a class with a number, such as `fl-s3`.
    pub fn numbered_class(self, prefix: &'static str, number: usize) -> Self {
        self.add_class(format!("{prefix}{number}").into())
    }

    /// Adds a child.
    pub fn child(mut self, child: impl Into<Node>) -> Self {
        push(&mut self.children, child.into());
        self
    }

    /// Adds children.
    pub fn children(mut self, children: impl IntoIterator<Item: Into<Node>>) -> Self {
        self.children.extend(children.into_iter().map(Into::into));
        self
    }

    /// Returns the element's tag.
    pub fn tag(&self) -> Tag {
        self.tag
    }

    fn set(self, name: &'static str, value: impl Into<Option<String>>) -> Self {
        match value.into() {
            Some(value) => self.set_value(name, value.into()),
            None => self,
        }
    }

    fn set_value(mut self, name: &'static str, value: Cow<'static, str>) -> Self {
        match self.attributes.iter_mut().find(|(known, _)| *known == name) {
            Some(attribute) => attribute.1 = value,
            None => push(&mut self.attributes, (name, value)),
        }
        self
    }
}

/// Adds an entry. Most lists have one, and there are as many lists as cells of a table.
fn push<T>(list: &mut Vec<T>, entry: T) {
    if list.is_empty() {
        list.reserve_exact(1);
    }
    list.push(entry);
}

/// Returns the path of stored content; `None` if `id` is not an output id.
fn output_path(id: &str) -> Option<String> {
    footlight_vocabulary::item::is_output_id(id).then(|| format!("/api/outputs/{id}"))
}

/// The geometry of an SVG shape.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline(String);

impl Outline {
    /// Appends a command such as `M` with its arguments, or a point if `command` is empty.
    pub fn to(&mut self, command: &'static str, numbers: &[f64]) -> &mut Self {
        self.0.push_str(command);
        for (n, number) in numbers.iter().enumerate() {
            if n > 0 || command.is_empty() {
                self.0.push(' ');
            }
            // Two decimals are finer than a pixel.
            self.0.push_str(&decimals(*number, 2));
        }
        self
    }
}

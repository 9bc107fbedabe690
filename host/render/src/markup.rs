//! Markup as a tree: an allow-list of elements and attributes, and text.
//!
//! A [`Node`] is text or an [`Element`]; it becomes an HTML string ([`to_html`]) or JSON that a
//! page instantiates with `createElement` and `textContent` ([`to_json`]).
//!
//! Invariant: no string becomes markup. Elements and the names of attributes are enums; an address
//! is an [`Address`], a picture's source a checked [`Source`]; a class is a word of ours. A string
//! of a plugin can be text, or the value of an attribute that is only ever read ([`Words`]), and
//! both pass [`clean`](crate::filter::clean) and one escaping function. There is no attribute for a style or a script.

mod names;
mod write;

pub use names::{Flag, Number, Tag, Word, Words};
pub(crate) use write::escape;
pub use write::{to_html, to_json};

use crate::view::{Address, Source};

/// Text, or an element.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// Text; nothing in it is markup.
    Text(String),
    /// An element with what is in it.
    Element(Element),
}

impl From<Element> for Node {
    fn from(element: Element) -> Self {
        Self::Element(element)
    }
}

/// One element of the allow-list.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    tag: Tag,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Node>,
}

impl Element {
    /// An empty element.
    #[must_use]
    pub fn new(tag: Tag) -> Self {
        Self {
            tag,
            attributes: Vec::new(),
            children: Vec::new(),
        }
    }

    /// An element of this class.
    #[must_use]
    pub fn of(tag: Tag, class: &'static str) -> Self {
        Self::new(tag).class(class)
    }

    /// Adds a class, a word of our own style sheet.
    #[must_use]
    pub fn class(mut self, class: &'static str) -> Self {
        match self
            .attributes
            .iter_mut()
            .find(|(name, _)| *name == "class")
        {
            Some((_, classes)) => {
                classes.push(' ');
                classes.push_str(class);
            }
            None => self.attributes.push(("class", class.to_owned())),
        }
        self
    }

    /// Sets an attribute that takes one of our own words.
    #[must_use]
    pub fn word(self, name: Word, word: &'static str) -> Self {
        self.set(name.name(), word.to_owned())
    }

    /// Sets an attribute that is only ever read: to a person, or as a form's value.
    #[must_use]
    pub fn words(self, name: Words, text: impl Into<String>) -> Self {
        self.set(name.name(), text.into())
    }

    /// Sets an attribute that is there or not.
    #[must_use]
    pub fn flag(self, name: Flag, on: bool) -> Self {
        if on {
            self.set(name.name(), String::new())
        } else {
            self
        }
    }

    /// Sets an attribute that takes a number. What is not finite is left out.
    #[must_use]
    pub fn number(self, name: Number, number: f64) -> Self {
        if number.is_finite() {
            self.set(name.name(), rounded(number))
        } else {
            self
        }
    }

    /// Names a form's field. The prefix keeps a plugin's word from standing in for a property of
    /// the form (`form.action`), which is what a browser makes of a name.
    #[must_use]
    pub fn field(self, name: &str) -> Self {
        self.set("name", format!("f:{name}"))
    }

    /// Sets the outline of an SVG path or polygon: letters of ours and numbers.
    #[must_use]
    pub fn outline(self, outline: &Outline) -> Self {
        let name = if self.tag == Tag::Path { "d" } else { "points" };
        self.set(name, outline.0.trim().to_owned())
    }

    /// Sets the visible part of an SVG drawing, from its origin.
    #[must_use]
    pub fn view_box(self, width: u32, height: u32) -> Self {
        self.set("viewBox", format!("0 0 {width} {height}"))
    }

    /// Makes it a link. Who follows it leaves no trace of us.
    #[must_use]
    pub fn href(self, address: &Address) -> Self {
        self.set("href", address.as_str().to_owned())
            .set("rel", "noopener noreferrer nofollow".to_owned())
            .set("target", "_blank".to_owned())
    }

    /// Makes it a link to stored content of our own origin.
    #[must_use]
    pub fn href_output(self, id: &str) -> Self {
        match own(id) {
            Some(path) => self.set("href", path),
            None => self,
        }
    }

    /// Sets the source of a picture. Nothing is set for one that is not ours to load.
    #[must_use]
    pub fn src(self, source: &Source) -> Self {
        match source {
            Source::Own { id } => match own(id) {
                Some(path) => self.set("src", path),
                None => self,
            },
            Source::Inline(picture) => {
                let mime = picture.raster().mime_type();
                self.set("src", format!("data:{mime};base64,{}", picture.base64()))
            }
            Source::Remote(_) | Source::Refused(_) => self,
        }
    }

    /// Adds text.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.children.push(Node::Text(text.into()));
        self
    }

    /// Adds an element.
    #[must_use]
    pub fn child(mut self, child: impl Into<Node>) -> Self {
        self.children.push(child.into());
        self
    }

    /// Adds elements and text.
    #[must_use]
    pub fn children(mut self, children: impl IntoIterator<Item = Node>) -> Self {
        self.children.extend(children);
        self
    }

    /// The element's name.
    #[must_use]
    pub fn tag(&self) -> Tag {
        self.tag
    }

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.children.is_empty()
    }

    fn set(mut self, name: &'static str, value: String) -> Self {
        match self.attributes.iter_mut().find(|(known, _)| *known == name) {
            Some(attribute) => attribute.1 = value,
            None => self.attributes.push((name, value)),
        }
        self
    }
}

/// The path of stored content; `None` for what is not an output's id.
fn own(id: &str) -> Option<String> {
    footlight_vocabulary::item::is_output_id(id).then(|| format!("/api/outputs/{id}"))
}

/// The outline of a shape in SVG.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline(String);

impl Outline {
    /// Adds a command such as `M` with its numbers, or a point where there are no commands.
    pub fn to(&mut self, command: &'static str, numbers: &[f64]) -> &mut Self {
        self.0.push_str(command);
        for (n, number) in numbers.iter().enumerate() {
            if n > 0 || command.is_empty() {
                self.0.push(' ');
            }
            self.0.push_str(&rounded(*number));
        }
        self
    }
}

/// Two digits behind the point are finer than a pixel.
fn rounded(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

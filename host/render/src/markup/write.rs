//! Serialises markup to HTML, and to JSON from which a page builds it.

use super::{Element, Node, Tag};
use crate::filter::clean;
use serde_json::{Map, Value};

/// Serialises nodes to HTML.
#[must_use]
pub fn to_html(nodes: &[Node]) -> String {
    let mut out = String::new();
    write_html(nodes, &mut out);
    out
}

/// Serialises nodes to the end of an HTML document.
pub(crate) fn write_html(nodes: &[Node], out: &mut String) {
    for node in nodes {
        write(node, out);
    }
}

fn write(node: &Node, out: &mut String) {
    match node {
        Node::Text(text) => escape(text, out),
        Node::Element(element) => write_element(element, out),
        Node::Generated(elements) => elements.for_each(&mut |element| write_element(&element, out)),
    }
}

fn write_element(element: &Element, out: &mut String) {
    let name = element.tag.name();
    out.push('<');
    out.push_str(name);
    for (name, value) in &element.attributes {
        out.push(' ');
        out.push_str(name);
        if !value.is_empty() || *name == "alt" || *name == "value" {
            out.push_str("=\"");
            escape(value, out);
            out.push('"');
        }
    }
    out.push('>');
    if element.tag.is_void() {
        return;
    }
    if swallows_first_line(element) {
        out.push('\n');
    }
    for child in &element.children {
        write(child, out);
    }
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

/// Reports whether a parser would drop the first line feed of the element's text. An additional
/// line feed preserves it.
fn swallows_first_line(element: &Element) -> bool {
    matches!(element.tag, Tag::Pre | Tag::Textarea)
        && matches!(element.children.first(), Some(Node::Text(text)) if clean(text).starts_with('\n'))
}

/// Cleans and escapes a string. This is the only place where strings are written into HTML: every
/// character with a meaning in text or in a quoted attribute becomes a character reference.
pub(crate) fn escape(text: &str, out: &mut String) {
    let text = clean(text);
    let mut rest = text.as_ref();
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
        out.push_str(&rest[..at]);
        out.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => "&#39;",
        });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

/// Serialises nodes to JSON: text is a string, an element is `{"tag", "attrs"?, "children"?}`. An
/// `svg` element and its descendants belong to the SVG namespace, those of `math` to that of MathML.
#[must_use]
pub fn to_json(nodes: &[Node]) -> Value {
    let mut all = Vec::with_capacity(nodes.len());
    for node in nodes {
        match node {
            Node::Text(text) => all.push(clean(text).into()),
            Node::Element(element) => all.push(element_json(element)),
            Node::Generated(elements) => {
                elements.for_each(&mut |element| all.push(element_json(&element)));
            }
        }
    }
    Value::Array(all)
}

fn element_json(element: &Element) -> Value {
    let mut object = Map::new();
    object.insert("tag".to_owned(), element.tag.name().into());
    if !element.attributes.is_empty() {
        let attributes = element.attributes.iter();
        let attributes = attributes.map(|(name, value)| ((*name).to_owned(), clean(value).into()));
        object.insert("attrs".to_owned(), Value::Object(attributes.collect()));
    }
    if !element.children.is_empty() {
        object.insert("children".to_owned(), to_json(&element.children));
    }
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::{Flag, Number, TextAttr};

    #[test]
    fn a_string_is_text_and_a_value_and_never_markup() {
        let hostile = "<script>alert('x')</script>\" onload=\"&amp;\u{202e}\u{1b}[2J";
        let nodes = [Element::of(Tag::P, "fl-text")
            .text_attr(TextAttr::Title, hostile)
            .text(hostile)
            .into()];
        assert_eq!(
            to_html(&nodes),
            "<p class=\"fl-text\" title=\"&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot; onload=&quot;&amp;amp;\">\
             &lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot; onload=&quot;&amp;amp;</p>"
        );
        assert_eq!(
            to_json(&nodes),
            serde_json::json!([{
                "tag": "p",
                "attrs": { "class": "fl-text", "title": "<script>alert('x')</script>\" onload=\"&amp;" },
                "children": ["<script>alert('x')</script>\" onload=\"&amp;"],
            }])
        );
    }

    #[test]
    fn flags_numbers_and_void_elements_are_short() {
        let input = Element::new(Tag::Input)
            .flag(Flag::Checked, true)
            .flag(Flag::Disabled, false);
        let input = input
            .number(Number::Width, 1.50)
            .number(Number::Height, f64::NAN);
        assert_eq!(to_html(&[input.into()]), "<input checked width=\"1.5\">");
        let pre = Element::new(Tag::Pre).text("\nfirst");
        assert_eq!(to_html(&[pre.into()]), "<pre>\n\nfirst</pre>");
    }

    #[test]
    fn the_allow_list_has_nothing_that_runs_frames_or_styles() {
        for tag in Tag::ALL {
            let name = tag.name();
            let unwanted = [
                "script",
                "style",
                "iframe",
                "object",
                "embed",
                "link",
                "meta",
                "base",
                "foreignObject",
                "use",
                "image",
                "animate",
            ];
            assert!(!unwanted.contains(&name), "{name}");
        }
        let names = TextAttr::ALL
            .iter()
            .map(|name| name.name())
            .chain(Flag::ALL.iter().map(|name| name.name()));
        for name in names.chain(super::super::Keyword::ALL.iter().map(|name| name.name())) {
            assert!(!name.starts_with("on"), "{name}");
            assert!(
                ![
                    "style",
                    "src",
                    "href",
                    "srcdoc",
                    "action",
                    "formaction",
                    "srcset",
                    "id"
                ]
                .contains(&name),
                "{name}"
            );
        }
    }
}

//! Checks HTML against the allow-list of elements, attributes and addresses. It depends on no other
//! module of these tests, so that another test crate can include this file.

use footlight_render::filter::clean;
use footlight_render::markup::{Flag, Keyword, Number, Tag, TextAttr};
use footlight_render::view::Address;
use scraper::{Html as Parsed, Node};

/// Returns the violations of the allow-list in some HTML; empty if it is safe.
pub(crate) fn violations(html: &str) -> Vec<String> {
    let mut names: Vec<&str> = vec![
        "class", "name", "href", "rel", "target", "src", "d", "points", "viewBox",
    ];
    names.extend(Keyword::ALL.iter().map(|name| name.name()));
    names.extend(TextAttr::ALL.iter().map(|name| name.name()));
    names.extend(Flag::ALL.iter().map(|name| name.name()));
    names.extend(Number::ALL.iter().map(|name| name.name()));
    let mut found = Vec::new();
    let mut say = |what: String| found.push(what);
    let parsed = Parsed::parse_fragment(html);
    for node in parsed.tree.nodes() {
        match node.value() {
            Node::Element(element) => {
                let name = element.name();
                if !["html", "body"].contains(&name)
                    && !Tag::ALL.iter().any(|tag| tag.name() == name)
                {
                    say(format!("element {name}"));
                }
                for (attribute, value) in element.attrs() {
                    if !names.contains(&attribute) {
                        say(format!("attribute {attribute} of {name}"));
                    }
                    let own = value
                        .strip_prefix("/api/outputs/")
                        .is_some_and(footlight_vocabulary::item::is_output_id);
                    let safe = match attribute {
                        "href" => own || Address::parse(value).is_some(),
                        "src" => own || value.starts_with("data:image/png;base64,"),
                        "class" => value.split(' ').all(|class| {
                            let ours = class.starts_with("fl-") || class.starts_with("hl-");
                            ours && class
                                .bytes()
                                .all(|b| b.is_ascii_alphanumeric() || b == b'-')
                        }),
                        "name" => value.starts_with("f:"),
                        _ => true,
                    };
                    if !safe {
                        say(format!("{attribute}={value:?}"));
                    }
                    if clean(value) != value {
                        say(format!("{attribute} is not clean: {value:?}"));
                    }
                }
            }
            Node::Text(text) if clean(text) != **text => {
                say(format!("text is not clean: {text:?}"))
            }
            Node::Comment(_) | Node::Doctype(_) | Node::ProcessingInstruction(_) => {
                say("a comment".to_owned())
            }
            _ => {}
        }
    }
    found
}

//! Pictures of the page: an SVG whose `foreignObject` holds the HTML of a drawing and the style that it needs.
//!
//! Such a picture is text, is the same on every machine, shows in an `<img>` without a script or a network, and follows
//! the theme of the reader's system. Its height alone is not known without a browser: whoever writes a picture measures
//! it, and whoever checks one takes it from the file.

use footlight_render::html::Html;
use footlight_render::markup::to_json;
use footlight_render::style::sheet;
use footlight_render::view::View;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The width of every picture, which fits the column of text of a Git host, of rustdoc and of the book.
pub(super) const WIDTH: u32 = 640;

/// Returns the picture of a view.
pub(super) fn picture(title: &str, view: &View, height: u32) -> String {
    let nodes = to_json(&Html::default().draw(view));
    let mut content = String::new();
    for node in nodes.as_array().expect("nodes") {
        write_xhtml(node, &mut content);
    }
    let style = style_of(&content);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\">\n\
         <title>{title}</title>\n<style>\n{style}</style>\n<foreignObject width=\"100%\" height=\"100%\">\n\
         <div xmlns=\"http://www.w3.org/1999/xhtml\" class=\"fl-page\">\n{content}\n</div>\n</foreignObject>\n</svg>\n"
    )
}

/// Returns the height that a picture states.
pub(super) fn height_of(picture: &str) -> Option<u32> {
    let rest = picture.split_once("height=\"")?.1;
    rest.split_once('"')?.0.parse().ok()
}

/// Writes a node as XML, without the attributes that only a script reads.
fn write_xhtml(node: &Value, out: &mut String) {
    let escaped = |text: &str| {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
    };
    let Some(tag) = node["tag"].as_str() else {
        out.push_str(&escaped(node.as_str().unwrap_or_default()));
        return;
    };
    let _ = write!(out, "<{tag}");
    if tag == "svg" {
        out.push_str(" xmlns=\"http://www.w3.org/2000/svg\"");
    }
    for (name, value) in node["attrs"].as_object().into_iter().flatten() {
        if !name.starts_with("data-") && !name.starts_with("aria-") {
            let value = escaped(value.as_str().unwrap_or_default()).replace('"', "&quot;");
            let _ = write!(out, " {name}=\"{value}\"");
        }
    }
    let Some(children) = node["children"].as_array() else {
        out.push_str("/>");
        return;
    };
    out.push('>');
    for child in children {
        write_xhtml(child, out);
    }
    let _ = write!(out, "</{tag}>");
}

/// Returns the rules of the style sheet that apply to some of the content, and the colours that they use.
fn style_of(content: &str) -> String {
    let mut names: BTreeSet<String> = content.split('<').filter_map(tag).collect();
    let classes = content
        .split("class=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    names.extend(
        classes
            .flat_map(str::split_whitespace)
            .map(|class| format!(".{class}")),
    );
    names.insert(".fl-page".to_owned());
    let (light, rest) = theme(sheet(), ":root{");
    let (dark, rest) = theme(rest, ":root[data-theme=dark]{");
    let mut rules = String::new();
    for (selectors, body) in flat_rules(rest) {
        let applies = |selector: &&str| parts(selector).iter().all(|part| names.contains(part));
        let kept: Vec<&str> = selectors.split(',').filter(applies).collect();
        if !kept.is_empty() {
            let _ = writeln!(rules, "{}{{{body}}}", kept.join(","));
        }
    }
    rules.push_str(
        ".fl-page{max-width:none;margin:0;padding:16px;border:1px solid var(--fl-rule);border-radius:10px;\
         box-sizing:border-box;height:100%}\n",
    );
    let used = |variables: &str| -> String {
        let declarations = variables.split_inclusive(';');
        let used = declarations.filter(|one| {
            let name = one.split(':').next().unwrap_or_default();
            name == "color-scheme" || rules.contains(&format!("var({name})"))
        });
        used.collect()
    };
    format!(
        ":root{{{}}}\n@media (prefers-color-scheme:dark){{:root{{{}}}}}\n{rules}",
        used(light),
        used(dark)
    )
}

/// Returns the name of the tag that opens here.
fn tag(opened: &str) -> Option<String> {
    let end = opened.find(|c: char| !c.is_ascii_alphanumeric())?;
    (end > 0).then(|| opened[..end].to_owned())
}

/// Returns the declarations of the first rule, which has this selector, and what follows it.
fn theme<'s>(sheet: &'s str, selector: &str) -> (&'s str, &'s str) {
    let (_, rest) = sheet
        .split_once(selector)
        .expect("the sheet begins with the themes");
    rest.split_once('}').expect("a rule ends")
}

/// Returns the rules outside of `@` rules, which are for other themes, narrow windows and paper.
fn flat_rules(sheet: &str) -> Vec<(&str, &str)> {
    let mut rules = Vec::new();
    let mut rest = sheet;
    while let Some((selectors, after)) = rest.split_once('{') {
        let selectors = selectors.trim();
        let end = match selectors.starts_with('@') {
            true => "}}",
            false => "}",
        };
        let (body, after) = after.split_once(end).expect("a rule ends");
        if !selectors.starts_with('@') {
            rules.push((selectors, body));
        }
        rest = after;
    }
    rules
}

/// Returns the classes and tags that a selector names; one for what does not show in a picture names none that is there.
fn parts(selector: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for step in selector.split([' ', '>', '+']) {
        let (step, state) = step.split_once(':').unwrap_or((step, ""));
        if state.starts_with("focus") || state.starts_with("dir") {
            parts.push(state.to_owned());
        }
        let mut names = step.split('.');
        parts.extend(
            names
                .next()
                .filter(|tag| !tag.is_empty() && *tag != "*")
                .map(str::to_owned),
        );
        parts.extend(names.map(|class| format!(".{class}")));
    }
    parts
}

//! Static HTML files for exports.
//!
//! Invariant: a file loads nothing, executes nothing and sends nothing. Its content security policy
//! allows one style sheet, by hash, and images that are embedded in the file.

use crate::html::Html;
use crate::markup::{self, Element, Keyword, Tag};
use crate::style;
use crate::view::View;
use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// An HTML file under construction.
#[derive(Debug, Clone)]
#[must_use]
pub struct Page {
    /// The document so far. It is written as it is added, because markup takes several times the memory of its
    /// text.
    html: String,
}

impl Page {
    /// Creates an empty page with a title.
    pub fn new(title: impl Into<String>) -> Self {
        let text = title.into();
        let heading = Element::new(Tag::H1).keyword(Keyword::Dir, "auto");
        let mut title = String::new();
        markup::escape(&text, &mut title);
        let html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>{}</style>\n</head>\n<body>\n\
             <main class=\"fl-page\">",
            policy(),
            style(),
        );
        let mut page = Self { html };
        page.add(heading.text(text));
        page
    }

    /// Adds a message of the person.
    pub fn said(mut self, text: impl Into<String>) -> Self {
        self.add_said(text);
        self
    }

    pub(crate) fn add_said(&mut self, text: impl Into<String>) {
        let said = Element::of(Tag::Div, "fl-said")
            .class("fl-lines")
            .keyword(Keyword::Dir, "auto");
        self.add(said.text(text));
    }

    /// Adds a heading.
    pub fn heading(mut self, text: impl Into<String>) -> Self {
        self.add(Element::new(Tag::H2).text(text));
        self
    }

    fn add(&mut self, element: Element) {
        markup::write_html(&[element.into()], &mut self.html);
    }

    /// Adds views below each other.
    pub fn views<'a>(mut self, views: impl IntoIterator<Item = &'a View>) -> Self {
        self.add_views(views);
        self
    }

    pub(crate) fn add_views<'a>(&mut self, views: impl IntoIterator<Item = &'a View>) {
        let nodes = Html::default().inert().draw_all(views);
        markup::write_html(&nodes, &mut self.html);
    }

    /// Takes what was written since the last time.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.html)
    }

    /// Returns the HTML document.
    #[must_use]
    pub fn into_html(mut self) -> String {
        self.html.push_str("</main>\n</body>\n</html>\n");
        self.html
    }
}

/// Returns the style sheet, including the rules for the body of the file.
fn style() -> &'static str {
    static STYLE: LazyLock<String> = LazyLock::new(|| {
        let sheet = style::sheet();
        format!("html,body{{margin:0;background:var(--fl-bg)}}\n{sheet}")
    });
    &STYLE
}

fn policy() -> &'static str {
    static POLICY: LazyLock<String> = LazyLock::new(|| {
        let hash = BASE64_STANDARD.encode(Sha256::digest(style().as_bytes()));
        format!(
            "default-src 'none'; style-src 'sha256-{hash}'; img-src data:; base-uri 'none'; form-action 'none'"
        )
    });
    &POLICY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_allows_the_one_style_sheet_by_its_hash() {
        let html = Page::new("A <b>title</b>")
            .views([&View::text("hello")])
            .into_html();
        let start = html.find("<style>").expect("a style sheet") + "<style>".len();
        let end = html.find("</style>").expect("its end");
        let hash = BASE64_STANDARD.encode(Sha256::digest(&html.as_bytes()[start..end]));
        assert!(html.contains(&format!("style-src 'sha256-{hash}'")));
        assert!(html.contains("<title>A &lt;b&gt;title&lt;/b&gt;</title>"));
        assert!(!html.contains("<script") && !html.contains("<b>"));
    }
}

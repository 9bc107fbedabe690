//! Requests for approval, as a page shows them.
//!
//! The host's facts come first, then the plugin's words as quotes. A person decides by them, so that
//! characters that cannot be seen, or pass for others, are shown by their number.

use super::{Lower, cut};
use crate::filter::{visible, visible_json, visible_line};
use crate::format::short_digest;
use crate::view::{Content, Fact, Facts, Frame, View};
use serde_json::Value;

/// A request for approval. All of its texts can be hostile.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Approval<'a> {
    /// What the host knows, in display order: names and values.
    pub facts: Vec<(&'a str, &'a str)>,
    /// The digest of the plugin's bytes: the last of the facts, folded to its first digits.
    pub build: Option<&'a str>,
    /// What the action applies to, in the plugin's words.
    pub subject: Option<&'a str>,
    /// The input of the call.
    pub input: Option<&'a Value>,
    /// Statements of the plugin and its author, each with its source.
    pub quotes: Vec<(&'a str, &'a str)>,
    /// Further information from the plugin.
    pub details: Option<&'a Value>,
}

impl Lower<'_> {
    /// Lowers a request for approval, without the verdicts.
    pub fn approval(&self, asked: &Approval<'_>) -> View {
        let fact = |label: &str, value: String| Fact {
            label: cut::name(&visible(label)),
            value: Content::plain(cut::short(&value, self.limits.cell)),
        };
        let facts = asked.facts.iter();
        let mut facts: Vec<Fact> = facts
            .take(self.limits.rows)
            .map(|(name, value)| fact(name, visible(value)))
            .collect();
        // The quotes show where the subject begins and ends.
        let subject = asked.subject.map(|subject| format!("{subject:?}"));
        let subject = subject.map(|subject| fact("to", visible(&subject)));
        // It stands beside what is done to it.
        let action = asked.facts.iter().position(|(name, _)| *name == "action");
        let after = action.map_or(facts.len(), |at| at + 1).min(facts.len());
        facts.splice(after..after, subject);
        facts.extend(asked.build.map(build));
        let mut views = vec![View::Facts(Facts { facts, cut: None })];
        if let Some(input) = asked.input {
            views.push(View::caption("input"));
            views.push(self.lines(&visible_json(input), Some("json")));
        }
        for (by, text) in asked.quotes.iter().take(self.limits.rows) {
            let text: Vec<String> = text.lines().map(visible).collect();
            let said = self.plain_text(&text.join("\n"));
            let by = View::caption(format!("{} says", cut::name(&visible(by))));
            views.push(View::Quote(vec![by, said]));
        }
        if let Some(details) = asked.details {
            let by = View::caption("the plugin's details");
            views.push(View::Quote(vec![by, self.approval_details(details)]));
        }
        View::column(views)
    }

    /// Lowers a list of lines, such as a change of a file, line by line, and anything else as JSON.
    fn approval_details(&self, details: &Value) -> View {
        let lines = details.as_array().filter(|lines| !lines.is_empty());
        let listed = |line: &Value| line.as_str().map(visible_line);
        let lines: Option<Vec<String>> = lines.and_then(|lines| lines.iter().map(listed).collect());
        match lines {
            Some(lines) => self.lines(&lines, Some("diff")),
            None => self.lines(&visible_json(details), Some("json")),
        }
    }

    fn lines(&self, lines: &[String], language: Option<&str>) -> View {
        self.code(&lines.join("\n"), language.map(str::to_owned), None)
    }
}

/// Returns the digest as a fact that shows its first digits, and all of them once it is opened.
fn build(digest: &str) -> Fact {
    let digest = visible(digest);
    let short = short_digest(&digest);
    let value = match short.len() < digest.len() {
        true => Content::Block(vec![View::Frame(Frame {
            caption: Some(format!("{short}…")),
            collapsed: true,
            body: Box::new(View::text(digest)),
            ..Frame::default()
        })]),
        false => Content::plain(digest),
    };
    Fact {
        label: "build".to_owned(),
        value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::Html;
    use crate::markup::to_html;
    use serde_json::json;

    #[test]
    fn a_request_shows_facts_before_words_and_hides_no_character() {
        let input = json!({ "path": "a\u{202e}b" });
        let details = json!(["-old\u{200b}", "+new"]);
        let view = Lower::default().approval(&Approval {
            facts: vec![("plugin", "notes"), ("tool", "wr\u{430}te")],
            build: None,
            subject: Some("all \"of\" it"),
            input: Some(&input),
            quotes: vec![("the plugin", "harmless\n<b>really</b>")],
            details: Some(&details),
        });
        let html = to_html(&Html::default().draw(&view));
        let at = |text: &str| {
            html.find(text)
                .unwrap_or_else(|| panic!("{text} in {html}"))
        };
        assert!(at("notes") < at("harmless"), "{html}");
        assert!(at("harmless") < at("+new"), "{html}");
        assert!(!html.contains("<b>really") && !html.contains('\u{202e}'));
        assert!(!html.contains('\u{430}') && !html.contains('\u{200b}'));
    }

    #[test]
    fn a_digest_is_folded_to_its_first_digits() {
        let html = |digest| {
            to_html(&Html::default().draw(&Lower::default().approval(&Approval {
                facts: vec![("plugin", "notes")],
                build: Some(digest),
                ..Approval::default()
            })))
        };
        let digest = "0123456789abcdef".repeat(4);
        let long = html(&digest);
        let summary = "<summary class=\"fl-summary\" dir=\"auto\">0123456789ab…</summary>";
        assert!(long.contains(summary), "{long}");
        assert_eq!(long.matches(&digest).count(), 1, "{long}");
        let short = html("none");
        assert!(
            short.contains("none") && !short.contains("details"),
            "{short}"
        );
    }
}

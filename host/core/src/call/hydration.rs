//! Hydration: a result that is itself a component tree becomes a widget of the call.
//!
//! The tree is what a plugin sends as `structured_content`: beside its result, in it, or in its `artifact`.
//! Else it is the result itself, or its text if that is JSON. It counts as a tree only if its `type` is one
//! of the session's roots. A tree that cannot be shown costs a notice, not the call.
//!
//! Invariant: of a tree that is found, whether it is shown or cannot be, the model reads a line, unless the
//! plugin says what it reads.

use super::outcome::Returned;
use super::stage::{Stage, WidgetLimitError};
use crate::sandbox::limits::{Caps, exceeds_footprint};
use footlight_vocabulary::component::{self, MAX_DEPTH};
use footlight_vocabulary::item::Widget;
use footlight_vocabulary::json::{self, Limits};
use footlight_vocabulary::result::SemanticResult;
use footlight_vocabulary::widget::{MAX_VIEW, VIEW};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The components that are roots of trees in results, unless the session has others.
const ROOTS: [&str; 2] = ["Card", "ListView"];

/// [`ROOTS`], made once: every call looks at them.
static DEFAULT_ROOTS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| ROOTS.map(str::to_owned).into());

/// Returns [`ROOTS`].
pub(crate) fn roots() -> &'static BTreeSet<String> {
    &DEFAULT_ROOTS
}

/// The limits of a tree as text: those of a result, but as deep as a tree can be.
const MAX_TEXT: Limits = Limits {
    bytes: 4 << 20,
    depth: 2 * MAX_DEPTH + 64,
};

/// The most bytes of a tree's own text that the model reads.
const MAX_WORDS: usize = 500;

/// What a result holds.
#[derive(Debug, PartialEq)]
enum Found<'a> {
    Nothing,
    /// The plugin sent structured content that is not a tree.
    NoType(&'a Value),
    Root {
        tree: Cow<'a, Value>,
        copy_text: Option<&'a str>,
        /// What the plugin returned beside the tree.
        words: Option<&'a str>,
    },
}

/// Shows the tree in a result as a widget, after those that the call has shown itself.
pub(super) fn hydrate(stage: &Stage, returned: &mut Returned, roots: &BTreeSet<String>) {
    let (tree, copy_text, words) = match find(&returned.result, roots) {
        Found::Nothing => return,
        Found::NoType(content) => {
            let size = content.to_string().len();
            return refuse(stage, "its structured content has no `type`", size);
        }
        Found::Root {
            tree,
            copy_text,
            words,
        } => (tree, copy_text, words),
    };
    let kind = kind_of(&tree).unwrap_or_default();
    let shown = show(stage, &tree, copy_text, roots);
    let line = match &shown {
        Ok(()) => shown_line(kind, &tree, words),
        Err(_) => format!("a `{kind}` that cannot be shown to the person"),
    };
    if let Err(why) = &shown {
        refuse(stage, why, tree.to_string().len());
    }
    let model = words.map_or_else(|| line.clone(), |words| format!("{words}\n({line})"));
    returned.model.get_or_insert(Value::String(model));
    if shown.is_ok() {
        // The person sees the tree as a widget.
        let display = returned.result.display.take().unwrap_or_default();
        returned.result.display = Some(display.hidden());
    }
}

/// Tells the person, and the log, that a tree is not shown.
fn refuse(stage: &Stage, why: &str, size: usize) {
    let plugin = &stage.manifest.id;
    tracing::warn!(
        session = %stage.session,
        call = %stage.call,
        %plugin,
        size,
        reason = %why,
        "a widget that a tool returned is not shown"
    );
    stage.put_first_notice(&format!(
        "a widget that `{plugin}` returned is not shown: {why}"
    ));
}

/// Returns the line that the model reads of a tree.
fn shown_line(kind: &str, tree: &Value, words: Option<&str>) -> String {
    let text = component::text_of(tree);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_some() || text.is_empty() || text.len() > MAX_WORDS {
        return format!("shown to the person as a `{kind}`");
    }
    format!("shown to the person as a `{kind}`: {text}")
}

fn show(
    stage: &Stage,
    tree: &Value,
    copy_text: Option<&str>,
    roots: &BTreeSet<String>,
) -> Result<(), String> {
    let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
    component::check_with(tree, &roots).map_err(|problems| problems.to_string())?;
    let mut fallback = component::text_of(tree);
    if fallback.is_empty() {
        fallback.push_str(VIEW);
    }
    let copy_text = copy_text.filter(|text| text.len() <= MAX_VIEW);
    let bytes = tree.to_string().len() + fallback.len() + copy_text.map_or(0, str::len);
    let widget = Widget {
        call: stage.call.clone(),
        widget: VIEW.to_owned(),
        data: Value::Null,
        invalid_data: false,
        fallback,
        view: Some(tree.clone()),
        copy_text: copy_text.map(str::to_owned),
        extra: Map::new(),
    };
    let shown = stage.show(widget, bytes);
    shown.map(|_| ()).map_err(|error| match error {
        WidgetLimitError::TooMany(most) => format!("the call has shown {most} widgets already"),
        WidgetLimitError::TooLarge(most) => {
            format!("the widgets of the call are too large: {most} bytes are allowed")
        }
    })
}

/// Finds the tree in a result.
fn find<'a>(result: &'a SemanticResult, roots: &BTreeSet<String>) -> Found<'a> {
    if roots.is_empty() {
        return Found::Nothing;
    }
    let is_root = |tree: &Value| kind_of(tree).is_some_and(|kind| roots.contains(kind));
    let kind = result.kind.as_str();
    let data = result.data.as_object().filter(|_| kind == "structured");
    let text = match kind {
        "text" | "structured" => result.data.get("content").and_then(Value::as_str),
        _ => None,
    };
    let explicit = structured_content(result, data);
    let beside = explicit.map_or(&result.extra, |(_, beside)| beside);
    let copy_text = beside.get("copy_text").and_then(Value::as_str);
    let (tree, words) = match explicit {
        Some((content, _)) if kind_of(content).is_none() => return Found::NoType(content),
        Some((content, _)) if is_root(content) => (Some(content), text),
        None if data.is_some() && is_root(&result.data) => (Some(&result.data), None),
        _ => (None, None),
    };
    let in_text = text.and_then(parse).filter(is_root);
    if let Some(tree) = tree {
        // A text that is a tree as well is not words.
        let words = words.filter(|words| in_text.is_none() && !words.trim().is_empty());
        return Found::Root {
            tree: Cow::Borrowed(tree),
            copy_text,
            words,
        };
    }
    match in_text {
        Some(tree) => Found::Root {
            tree: Cow::Owned(tree),
            copy_text,
            words: None,
        },
        None => Found::Nothing,
    }
}

/// Returns what a plugin explicitly sent as `structured_content`, and the members beside it.
fn structured_content<'a>(
    result: &'a SemanticResult,
    data: Option<&'a Map<String, Value>>,
) -> Option<(&'a Value, &'a Map<String, Value>)> {
    let artifact = data.and_then(|data| data.get("artifact")?.as_object());
    let places = [Some(&result.extra), artifact, data].into_iter().flatten();
    let content = |members: &'a Map<String, Value>| {
        let content = members.get("structured_content")?;
        (!content.is_null()).then_some((content, members))
    };
    places.into_iter().find_map(content)
}

/// Parses a text that is JSON. Text that would take too much memory is left as it is.
fn parse(text: &str) -> Option<Value> {
    let text = text.trim();
    let is_json = text.starts_with('{') && !exceeds_footprint([text], Caps::RESULT);
    is_json.then(|| json::parse(text, MAX_TEXT).ok())?
}

fn kind_of(tree: &Value) -> Option<&str> {
    tree.get("type")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use footlight_vocabulary::normalise::normalise;
    use serde_json::json;

    fn card(text: &str) -> Value {
        json!({ "type": "Card", "children": [{ "type": "Text", "value": text }] })
    }

    /// Asserts what is found in a plain value that a tool returns: the tree, its copy text and its words.
    #[track_caller]
    fn finds(value: Value, expected: Option<(Value, Option<&str>, Option<&str>)>) {
        let result = normalise(value).expect("no failure");
        let found = match find(&result, roots()) {
            Found::Root {
                tree,
                copy_text,
                words,
            } => Some((tree.into_owned(), copy_text, words)),
            Found::Nothing => None,
            Found::NoType(content) => panic!("no type: {content}"),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn structured_content_comes_before_text() {
        let (a, b) = (card("a"), card("b"));
        let text = b.to_string();
        finds(a.clone(), Some((a.clone(), None, None)));
        finds(json!(text), Some((b.clone(), None, None)));
        for explicit in [
            json!({ "structured_content": a, "copy_text": "A", "content": text }),
            json!({ "artifact": { "structured_content": a, "copy_text": "A" }, "content": text }),
        ] {
            finds(explicit, Some((a.clone(), Some("A"), None)));
        }
        let told = json!({ "structured_content": a, "content": "Rain" });
        finds(told, Some((a.clone(), None, Some("Rain"))));
        let mut beside = normalise(json!({ "content": text })).expect("no failure");
        beside.extra.insert("structured_content".into(), a.clone());
        let found = find(&beside, roots());
        assert!(matches!(found, Found::Root { tree, .. } if *tree == a));
    }

    #[test]
    fn text_counts_only_if_it_is_json_of_a_root() {
        for text in [
            "Card",
            "{",
            "[1]",
            r#"[{"type":"Card"}]"#,
            r#"{"type":"Text","value":"a"}"#,
            r#"{"type":5}"#,
            r#"{"kind":"Card"}"#,
        ] {
            finds(json!(text), None);
        }
        let list = json!({ "type": "ListView", "children": [] });
        finds(json!(format!("\n {list} ")), Some((list, None, None)));
        finds(json!([card("a")]), None);
        finds(
            json!({ "kind": "file_content", "data": { "content": card("a").to_string() } }),
            None,
        );
        let heavy = format!(
            r#"{{"type":"Card","children":[{}]}}"#,
            "[],".repeat(1_000_000)
        );
        finds(json!(heavy), None);
    }

    #[test]
    fn content_of_another_type_leaves_it_to_the_text_and_content_without_a_type_does_not() {
        let (other, root) = (json!({ "type": "Basic" }), card("a"));
        let both =
            |content: &Value| json!({ "structured_content": content, "content": root.to_string() });
        finds(both(&other), Some((root.clone(), None, None)));
        finds(both(&Value::Null), Some((root.clone(), None, None)));
        finds(json!({ "structured_content": other }), None);
        for untyped in [
            json!({ "children": [] }),
            json!({ "type": 1 }),
            json!([1]),
            json!("a"),
        ] {
            let result = normalise(both(&untyped)).expect("no failure");
            assert_eq!(find(&result, roots()), Found::NoType(&untyped));
        }
        // Data that is not called structured content is data, whatever it looks like.
        finds(json!({ "children": [] }), None);
    }

    #[test]
    fn a_copy_text_that_is_no_text_is_absent() {
        for copy_text in [json!(1), json!(["a"]), Value::Null] {
            let value = json!({ "structured_content": card("a"), "copy_text": copy_text });
            finds(value, Some((card("a"), None, None)));
        }
    }

    #[test]
    fn the_roots_are_the_sessions() {
        let basic = json!({ "type": "Basic", "children": [] });
        let result = normalise(basic.clone()).expect("no failure");
        assert_eq!(find(&result, roots()), Found::Nothing);
        let found = find(&result, &["Basic".to_owned()].into());
        assert!(matches!(found, Found::Root { tree, .. } if *tree == basic));
        let none = normalise(card("a")).expect("no failure");
        assert_eq!(find(&none, &BTreeSet::new()), Found::Nothing);
        let untyped = normalise(json!({ "structured_content": {} })).expect("no failure");
        assert_eq!(find(&untyped, &BTreeSet::new()), Found::Nothing);
    }

    #[test]
    fn the_model_reads_a_line_with_little_text() {
        let line = |text: &str| shown_line("Card", &card(text), None);
        assert_eq!(
            line("Rain\nin Oslo"),
            "shown to the person as a `Card`: Rain in Oslo"
        );
        assert_eq!(line(&"x".repeat(501)), "shown to the person as a `Card`");
        assert_eq!(line(""), "shown to the person as a `Card`");
    }
}

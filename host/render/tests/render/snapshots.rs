//! Snapshots of a representative of each view as HTML and Markdown, for review by a person. The
//! other fixtures are covered by the table in `visible.rs`.

use super::fixtures;
use footlight_render::html::Html;
use footlight_render::markdown::markdown;
use footlight_render::markup::to_html;

/// The fixtures that have snapshots: at least one for each view.
pub(crate) const REVIEWED: [&str; 20] = [
    "card",
    "chart_bar",
    "code",
    "collapsed",
    "component_progress",
    "diff",
    "facts",
    "form",
    "image",
    "item_notice",
    "item_output",
    "item_tool",
    "item_widget",
    "list",
    "list_view",
    "log",
    "markdown",
    "question_fields",
    "structured",
    "table",
];

fn settings(folder: &str) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("../snapshots/{folder}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

#[test]
fn representative_views_as_html() {
    settings("html").bind(|| {
        for name in REVIEWED {
            // One element per line makes changes readable.
            let html = to_html(&Html::default().draw(&fixtures::named(name).view()));
            insta::assert_snapshot!(name, html.replace("><", ">\n<"));
        }
    });
}

#[test]
fn representative_views_as_markdown() {
    settings("markdown").bind(|| {
        for name in REVIEWED {
            insta::assert_snapshot!(name, markdown(&fixtures::named(name).view()));
        }
    });
}

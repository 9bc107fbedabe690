//! Snapshots of HTML and Markdown, for review by a person.

use super::fixtures::{self, Given};
use footlight_render::html::Html;
use footlight_render::markdown::markdown;
use footlight_render::markup::to_html;

/// Puts each element on its own line, for readable changes.
fn html(given: &Given) -> String {
    to_html(&Html::default().draw(&given.view())).replace("><", ">\n<")
}

fn settings(folder: &str) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("../snapshots/{folder}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

#[test]
fn everything_as_html() {
    settings("html").bind(|| {
        for (name, given) in fixtures::all() {
            insta::assert_snapshot!(name, html(&given));
        }
    });
}

#[test]
fn everything_as_markdown() {
    settings("markdown").bind(|| {
        for (name, given) in fixtures::all() {
            insta::assert_snapshot!(name, markdown(&given.view()));
        }
    });
}

#[test]
fn hostile_data_in_one_of_each_shape() {
    let shown = [
        "table",
        "card",
        "form",
        "chart_bar",
        "code",
        "log",
        "question_fields",
        "item_tool",
    ];
    for (name, given) in fixtures::all()
        .into_iter()
        .filter(|(name, _)| shown.contains(name))
    {
        settings("html")
            .bind(|| insta::assert_snapshot!(format!("hostile_{name}"), html(&given.hostile())));
        settings("markdown").bind(|| {
            insta::assert_snapshot!(format!("hostile_{name}"), markdown(&given.hostile().view()));
        });
    }
}

#[test]
fn a_diff_in_two_columns() {
    let (_, given) = fixtures::all()
        .into_iter()
        .find(|(name, _)| *name == "diff")
        .expect("a diff");
    let html = to_html(&Html::default().split().draw(&given.view())).replace("><", ">\n<");
    settings("html").bind(|| insta::assert_snapshot!("diff_split", html));
}

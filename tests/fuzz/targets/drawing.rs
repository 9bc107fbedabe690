//! Any text as Markdown, and any JSON as a result, an item, a question and a component tree: every surface
//! draws it without forbidden characters and within a size limit.

#![no_main]

use footlight_render::filter::is_forbidden;
use footlight_render::html::Html;
use footlight_render::lower::Lower;
use footlight_render::markdown::markdown;
use footlight_render::markup::to_html;
use footlight_render::terminal::{Colour, Terminal};
use footlight_render::view::View;
use footlight_vocabulary::item::Item;
use footlight_vocabulary::normalise::normalise;
use footlight_vocabulary::question::Question;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

/// Limit on the size of a drawing, whatever the input.
const MOST: usize = 4_000_000;

fuzz_target!(|text: &str| {
    let lower = Lower::default();
    check(&View::column(lower.markdown(text)));
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return;
    };
    if let Ok(item) = serde_json::from_value::<Item>(value.clone()) {
        check(&lower.item(&item));
    }
    if let Ok(question) = serde_json::from_value::<Question>(value.clone()) {
        check(&lower.question(&question));
    }
    check(&lower.component(&value));
    if let Ok(result) = normalise(value) {
        check(&lower.result(&result));
    }
});

fn check(view: &View) {
    for width in [20, 47, 80, 200] {
        let mut terminal = Terminal::new(width);
        terminal.pictures = true;
        let drawing = terminal.draw(view);
        // The renderer itself puts isolates around right-to-left text.
        let text = drawing.text.replace(['\u{2068}', '\u{2069}'], "");
        assert!(!text.contains(is_forbidden) && text.len() < MOST);
        assert_eq!(drawing.rows(width), text.lines().count());
        terminal.colour = Colour::True;
        terminal.links = true;
        assert_eq!(terminal.draw(view).actions, drawing.actions);
    }
    let html = to_html(&Html::default().draw(view));
    assert!(!html.contains(is_forbidden) && html.len() < MOST);
    let written = markdown(view);
    assert!(!written.contains(is_forbidden) && written.len() < MOST);
}

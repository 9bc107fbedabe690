//! Conversations: text, widgets, tools for data, and turns that do not simply end.

use super::Stage;
use serde_json::json;

/// Text is drawn as it comes, what follows leaves earlier blocks alone, and a reload finds everything.
pub(super) fn text_streams_and_widgets_stay(stage: &mut Stage) {
    stage.begin("stream me a forecast");
    stage.sees("That is all.");
    stage.ends();
    for expected in ["A title", "First paragraph.", "Forecast", "Oslo, Norway"] {
        stage.sees(expected);
    }
    assert_eq!(
        stage.read("document.querySelector('.text pre .gutter').textContent"),
        "1\n2\n3"
    );
    let icons = "[...document.querySelectorAll('.fl-card svg.fl-icon')].map(icon => icon.getAttribute('aria-label'))";
    let icons = stage.read(icons);
    assert_eq!(icons.as_array().map(Vec::len), Some(2), "{icons}");
    let before = stage.log();
    stage.browser.reload();
    stage.sees("That is all.");
    assert_eq!(stage.log(), before, "a reload finds everything");
    // Drawing a longer text touches only its end.
    let kept = stage.read(
        "import('/page/draw.js').then(({ draw }) => {
             const place = document.createElement('div');
             const block = (text) => ({ tag: 'p', children: [text] });
             draw(place, [block('one'), block('tw')]);
             const [first, second] = place.children;
             draw(place, [block('one'), block('two'), block('three')]);
             return [place.children[0] === first, place.children[1] === second, place.textContent];
         })",
    );
    assert_eq!(kept, json!([true, true, "onetwothree"]));
}

pub(super) fn a_live_widget_changes_in_place(stage: &mut Stage) {
    stage.begin("a live widget");
    stage.until("document.querySelector('.fl-widget progress')");
    stage.run("window.widget = document.querySelector('.item.widget')");
    stage.sees("Rehearsed: Hamlet. The Seagull.");
    stage.ends();
    assert_eq!(
        stage.read("window.widget === document.querySelector('.item.widget')"),
        true,
        "the widget was changed, not drawn anew"
    );
}

pub(super) fn tables_diffs_and_code_have_their_tools(stage: &mut Stage) {
    stage.begin("show data");
    stage.ends();
    stage.sees("That is all.");
    let first = "document.querySelector('.table-scroll tbody td').textContent";
    let unsorted = stage.read(first);
    let rows = stage.read("document.querySelectorAll('.table-scroll tbody')[0].rows.length");
    assert!(
        rows.as_u64().is_some_and(|rows| rows <= 50),
        "a page of {rows}"
    );
    stage.click(".table-scroll th .sort");
    stage.until("document.querySelector('.table-scroll th').ariaSort === 'ascending'");
    stage.click(".table-scroll th .sort");
    stage.until("document.querySelector('.table-scroll th').ariaSort === 'descending'");
    stage.click(".table-scroll th .sort");
    // A third click restores the order.
    stage.until(&format!("{first} === {unsorted}"));
    stage.run(
        "const filter = document.querySelector('.table-tools .filter'); filter.value = 'no such cell'; \
         filter.dispatchEvent(new Event('input'))",
    );
    stage.until("document.querySelector('.count').textContent.startsWith('0 of')");
    stage.press("Split");
    stage.until("document.querySelector('.fl-diff table.fl-split')");
    stage.press("Unified");
    stage.until("document.querySelector('.fl-diff table.fl-unified')");
    stage.click(".enlarge");
    stage.until("document.querySelector('dialog.zoom[open] img')");
    stage.browser.key("Escape", false);
    stage.until("!document.querySelector('dialog.zoom')");
    stage.until("document.querySelector('.fl-chart svg') && document.querySelector('.fl-chart details table')");

    stage.say("many calls");
    stage.until("document.querySelector('details.calls summary')");
    assert_eq!(
        stage.read("document.querySelectorAll('details.calls fl-call').length"),
        6
    );
    stage.ends();
    stage.click(".call-head summary");
    stage.until("document.querySelector('.call-exact .raw pre')");
}

pub(super) fn a_turn_is_stopped_and_one_that_fails_is_tried_again(stage: &mut Stage) {
    stage.begin("slow");
    stage.until("document.querySelector('.send.stop')");
    stage.browser.key("Escape", false);
    stage.sees("You stopped this.");
    stage.until("!document.querySelector('.send.stop')");
    stage.say("broken");
    stage.sees("Something went wrong.");
    stage.press("Try again");
    stage.until("document.querySelectorAll('.said').length === 3");
    stage.ends();
}

/// Reasoning is a folded line with the time while it goes on, and with the whole time afterwards.
pub(super) fn reasoning_is_folded_with_its_time(stage: &mut Stage) {
    // Whoever comes while the model reasons has missed its beginning.
    stage.begin("a formula");
    stage.ends();
    stage.say("think about it");
    stage
        .until("/^[12]\\.\\d s$/.test(document.querySelector('.fl-thinking')?.dataset.time ?? '')");
    assert_eq!(
        stage.read("document.querySelector('.fl-thinking').textContent"),
        "Thinking"
    );
    assert_eq!(
        stage.read("document.querySelector('.fl-thought').open"),
        false
    );
    stage.run("document.querySelector('.fl-thought summary').click()");
    stage.ends();
    stage.sees("Thought about.");
    let line = "document.querySelector('.fl-thought summary')";
    stage.until(&format!(
        "{line}.textContent === 'Thought for 2 s' && !{line}.dataset.time"
    ));
    // The person has opened it, and it stays open. It stands above the answer.
    assert_eq!(
        stage.read("document.querySelector('.fl-thought').open"),
        true
    );
    stage.sees("The person wants an answer.");
    let order = stage.read(
        "[...document.querySelectorAll('.turn:last-child .items > *')].map(node => node.className)",
    );
    assert_eq!(order, json!(["item reasoning", "text"]));
    let before = stage.log();
    stage.browser.reload();
    stage.sees("Thought for 2 s");
    stage.run("document.querySelector('.fl-thought summary').click()");
    assert_eq!(stage.log(), before, "a reload finds everything");
}

/// Formulas are MathML, prices are text, and what is not understood is code.
pub(super) fn formulas_are_drawn(stage: &mut Stage) {
    stage.begin("a formula");
    stage.sees("costs $5 and $6:");
    stage.ends();
    let spaces = "[...new Set([...document.querySelectorAll('.text math, .text math *')].map(node => node.namespaceURI))]";
    assert_eq!(
        stage.read(spaces),
        json!(["http://www.w3.org/1998/Math/MathML"])
    );
    assert_eq!(
        stage.read(
            "[...document.querySelectorAll('.text math')].map(node => node.getAttribute('display'))"
        ),
        json!([null, "block"])
    );
    let tall = "(() => { const high = (tag) => document.querySelector(`.text ${tag}`).getBoundingClientRect().height; \
                return high('mfrac') > 1.3 * high('mi'); })()";
    assert_eq!(stage.read(tall), true, "the browser lays out the fraction");
    assert_eq!(
        stage.read("document.querySelector('.text code').textContent"),
        "\\href{a}{b}"
    );
}

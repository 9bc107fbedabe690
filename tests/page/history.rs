//! Long conversations, of which the page has the end until somebody wants more, and what running calls log.

use super::Stage;
use serde_json::json;

/// How many turns the conversation of these scenarios has, and how many of them are shown first.
const TURNS: u64 = 30;
const SHOWN: u64 = 12;

/// Prompts one turn after the other in a session of its own, and opens it. Returns its id.
pub(super) fn fill(stage: &mut Stage, first: &str) -> String {
    let id = stage.read(&format!(
        "import('/page/api.js').then(async ({{ get, post }}) => {{
             const {{ id }} = await post('/api/sessions');
             for (let n = 1; n <= {TURNS}; n += 1) {{
                 const prompt = n === 1 ? '{first}' : `again ${{n}}`;
                 while (!await post(`/api/sessions/${{id}}/prompts`, {{ prompt }}).catch(() => null)) {{
                     await new Promise((done) => setTimeout(done, 10));
                 }}
             }}
             while ((await get(`/api/sessions/${{id}}`)).running) await new Promise((done) => setTimeout(done, 20));
             location.hash = `#/s/${{id}}`;
             return id;
         }})"
    ));
    stage.until(&shown(SHOWN));
    id.as_str().expect("an id").to_owned()
}

fn shown(turns: u64) -> String {
    format!("document.querySelectorAll('.turn').length === {turns}")
}

pub(super) fn earlier_turns_come_when_they_are_wanted_and_nothing_jumps(stage: &mut Stage) {
    fill(stage, "again, first");
    stage.until(
        "document.querySelector('.earlier').innerText.startsWith('18 earlier turns not shown')",
    );
    stage.sees(&format!("again {TURNS}"));
    assert!(!stage.log().contains("again 18\n"), "{}", stage.log());
    // Scrolling up brings earlier ones, and what is on the screen stays where it is.
    stage.run(
        "const scroller = document.querySelector('.scroller'); scroller.scrollTop = 200; \
         window.seen = document.querySelector('.turn'); window.place = seen.getBoundingClientRect().top",
    );
    stage.until(&shown(2 * SHOWN));
    stage.until("Math.abs(seen.getBoundingClientRect().top - place) <= 2");
    assert_eq!(
        stage.read("document.querySelector('.turn') === seen"),
        false,
        "earlier turns stand before it"
    );
    let numbers =
        "[...document.querySelectorAll('.turn h2')].map(head => Number(head.textContent.slice(5)))";
    let expected: Vec<u64> = (TURNS - 2 * SHOWN + 1..=TURNS).collect();
    assert_eq!(stage.read(numbers), json!(expected));
    // The keyboard is enough, and the focus does not get lost with the button.
    stage.run("document.querySelector('.earlier button').focus()");
    stage.browser.key("Enter", false);
    stage.until(&shown(TURNS));
    stage.until(
        "document.querySelector('.earlier').hidden && document.activeElement.matches('.log')",
    );
    stage.sees("again, first");
    // What streams in is at the end, and the place stays.
    stage.run("document.querySelector('.scroller').scrollTop = 0");
    stage.say("again, at last");
    stage.until(&shown(TURNS + 1));
    stage.ends();
}

/// A print has all turns, or says how many it lacks.
pub(super) fn a_print_of_a_long_conversation_has_all_of_it_or_says_so(stage: &mut Stage) {
    let id = fill(stage, "again, to be printed");
    stage.browser.set_print(true);
    let seen = |selector: &str| format!("document.querySelector('{selector}').checkVisibility()");
    assert_eq!(stage.read(&seen(".earlier span")), true);
    assert_eq!(stage.read(&seen(".earlier button")), false);
    stage.browser.set_print(false);
    stage.run(
        "window.print = () => { window.printed = document.querySelectorAll('.turn').length; }",
    );
    stage.browser.key("p", true);
    stage.until(&format!("window.printed === {TURNS}"));
    stage.until("document.querySelector('.earlier').hidden");
    // The file has all of it, whatever the page shows.
    let export = format!(
        "import('/page/api.js').then(async ({{ send }}) => \
         (await (await send('GET', '/api/sessions/{id}/export?format=html')).text()).includes('again, to be printed'))"
    );
    assert_eq!(stage.read(&export), true);
}

/// A frame can be about a turn that the page does not show.
pub(super) fn what_changes_in_an_earlier_turn_is_there_when_it_is_shown(stage: &mut Stage) {
    let id = fill(stage, "a card");
    assert_eq!(
        stage.read("document.querySelectorAll('.fl-card').length"),
        0
    );
    stage.read(&format!(
        "import('/page/api.js').then(async ({{ get, post }}) => {{
             const {{ record }} = await get('/api/sessions/{id}?markup=true');
             const card = record.items.find((item) => item.type === 'widget');
             const find = (node) => node.attrs?.['data-press'] && JSON.stringify(node).includes('Go on')
                 ? node.attrs['data-press'] : (node.children ?? []).map(find).find(Boolean);
             const path = card.markup.map(find).find(Boolean);
             await post('/api/actions', {{ session: '{id}', item: card.id, rev: card.rev, path }});
         }})"
    ));
    stage.sees("Pressed “Go on”");
    stage.ends();
    stage.press("All");
    stage.until(&shown(TURNS + 1));
    // A turn that is scrolled out of the window has no inner text.
    stage.run("document.querySelector('.scroller').scrollTop = 0");
    stage.sees("Act 2 of 5");
    assert!(!stage.log().contains("Act 1 of 5"), "{}", stage.log());
}

/// What the page has is the same in whatever order a page of turns and the frames about it arrive.
pub(super) fn turns_and_frames_that_cross_agree(stage: &mut Stage) {
    let found = stage.read(
        "import('/page/record.js').then(({ Session }) => {
             const session = new Session(() => {});
             const item = (id, turn, rev) => ({ id, type: 'text', rev, text: `${id}.${rev}`, position: { turn, step: 1, call: 0, n: 0 } });
             const turn = (n) => ({ id: `t${n}`, n, status: 'done' });
             const texts = () => session.turns.map(({ n }) => session.itemsOf(n).map(({ text }) => text).join());
             session.apply({ type: 'snapshot', seq: 9, earlier: 2, turns: [turn(3)], items: [item('c', 3, 1)] });
             session.apply({ type: 'put', seq: 10, item: item('a', 1, 2) });
             session.apply({ type: 'remove', seq: 11, id: 'b' });
             session.prepend({ earlier: 0, turns: [turn(1), turn(2)], items: [item('a', 1, 1), item('b', 2, 1), item('d', 2, 1)] });
             const before = texts();
             session.apply({ type: 'turn_started', seq: 12, turn: 't4', prompt: 'again', retries: 't2' });
             return [before, session.turns.map(({ id, n }) => `${id} ${n}`), session.seq];
         })",
    );
    assert_eq!(found, json!([["a.2", "d.1", "c.1"], ["t1 1", "t4 4"], 12]));
}

pub(super) fn a_running_call_shows_what_it_logs_and_folds_it_in_the_end(stage: &mut Stage) {
    stage.begin("a live widget that logs");
    stage.until("document.querySelector('.call-log[open]')?.checkVisibility()");
    stage.until("document.querySelector('.call-log pre').innerText.includes('info: rehearsing The Seagull')");
    stage.ends();
    stage.until("document.querySelector('.call-log').open === false");
    assert_eq!(
        stage.read("document.querySelector('.call-log pre').textContent.split('\\n').length <= 8"),
        true
    );
    // Nothing of it is stored.
    stage.browser.reload();
    stage.sees("That is all.");
    stage.until("document.querySelector('.call-log').hidden");
}

//! Links for one decision: opened where nobody is signed in, and good for one reply.

use super::{Stage, WIDE};
use footlight_tests::browser::Look;

/// Waits for a link on the screen, closes its dialog, and returns it.
fn link(stage: &mut Stage) -> String {
    let shown = "document.querySelector('dialog.sheet[open] .share input')";
    stage.until(shown);
    let url = stage.read(&format!("{shown}.value"));
    stage.click("dialog.sheet [aria-label=Close]");
    stage.until("!document.querySelector('dialog.sheet')");
    url.as_str().expect("a URL").to_owned()
}

/// Returns the heading of the page that a link opens.
fn heading(text: &str) -> String {
    format!("document.querySelector('fl-reply h1')?.textContent.includes('{text}')")
}

/// The link's origin is not the one where somebody is signed in: nothing is shared, as on another device.
pub(super) fn a_link_decides_one_request_once(stage: &mut Stage) {
    stage.begin("strike by link");
    stage.until("document.querySelector('dialog.approval[open]')");
    stage.press("Link for another device");
    let url = link(stage);
    let first = stage.browser.open_tab();
    let narrow = Look {
        width: 400,
        dark: true,
    };
    stage.browser.open(&url, narrow);
    stage.until(&heading("gallery wants to run"));
    assert_eq!(stage.read("location.pathname + location.hash"), "/reply");
    assert_eq!(stage.read(super::looks::BEYOND), "");
    let verdicts =
        "[...document.querySelectorAll('[data-verdict]')].map(one => one.dataset.verdict).join()";
    assert_eq!(stage.read(verdicts), "deny,once");
    assert_eq!(
        stage.read("document.querySelectorAll('fl-app, .sidebar, .said').length"),
        0
    );
    // The secret survives a reload in this tab, and opens nothing else.
    stage.browser.reload();
    stage.until(&heading("gallery wants to run"));
    let status = "fetch('/api/sessions', { headers: { Authorization: 'Bearer ' + \
                  sessionStorage.getItem('footlight.link') } }).then(answer => answer.status)";
    assert_eq!(stage.read(status), 403);
    stage.until("document.activeElement.dataset.verdict === 'deny'");
    stage.click("[data-verdict=once]");
    stage.until(&heading("Decided"));
    assert_eq!(stage.read("JSON.stringify({ ...sessionStorage })"), "{}");
    stage.browser.open("about:blank", narrow);
    stage.browser.open(&url, narrow);
    stage.until(&heading("does not work any more"));
    stage.browser.look_at(first);
    stage.browser.set_look(WIDE);
    stage.sees("The set is gone.");
    stage.until("!document.querySelector('dialog.approval[open]')");
    stage.ends();
}

pub(super) fn a_link_answers_one_question_and_the_record_says_who(stage: &mut Stage) {
    stage.begin("ask_text by link");
    stage.until("document.querySelector('form.fl-ask')");
    let session = stage.session();
    stage.run("location.hash = '#/inbox'");
    stage.click(".pending-line [aria-label='Link for another device']");
    let url = link(stage);
    stage.run(&format!("location.hash = '#/s/{session}'"));
    let first = stage.browser.open_tab();
    stage.browser.open(&url, WIDE);
    stage.until("document.querySelector('fl-reply form.fl-ask [name=\"f:name\"]')");
    stage.run("document.querySelector('form.fl-ask [name=\"f:name\"]').value = 'Radia'");
    stage.press("Answer");
    stage.until(&heading("Answered"));
    // In the same tab, this changes the fragment alone.
    let url = serde_json::to_string(&url).expect("JSON");
    stage.run(&format!("location.href = {url}"));
    stage.until(&heading("does not work any more"));
    stage.browser.look_at(first);
    stage.sees("Told: \"Radia\"");
    stage.ends();
    stage.sees("by ada via link");
    stage.browser.reload();
    stage.sees("by ada via link");
}

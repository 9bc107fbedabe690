//! Reloads, tabs, restarts, and what outlives them.

use super::{Stage, WIDE};
use footlight::vocabulary::item::Timestamp;

pub(super) fn a_draft_survives_a_reload_and_a_secret_does_not(stage: &mut Stage) {
    let typed = |name: &str| format!("document.querySelector('form.fl-ask [name=\"f:{name}\"]')");
    let write = |stage: &mut Stage, name: &str, text: &str| {
        let field = typed(name);
        stage.until(&field);
        stage.run(&format!(
            "{field}.value = '{text}'; {field}.dispatchEvent(new Event('input', {{ bubbles: true }}))"
        ));
    };
    stage.begin("ask_text and reload");
    write(stage, "name", "Grace Hopper");
    stage.browser.reload();
    stage.until(&format!("{}?.value === 'Grace Hopper'", typed("name")));
    stage.press("Answer");
    stage.sees("Told: \"Grace Hopper\"");
    stage.ends();
    stage.say("ask_secret and reload");
    write(stage, "password", "hunter2");
    stage.browser.reload();
    stage.until(&format!("{}?.value === ''", typed("password")));
    assert_eq!(
        stage.read("JSON.stringify({ ...sessionStorage, ...localStorage }).includes('hunter2')"),
        false
    );
    stage.press("Skip");
    stage.ends();
}

/// A proxy may let no WebSocket pass.
pub(super) fn where_sockets_fail_events_do(stage: &mut Stage) {
    stage.run(
        "window.WebSocket = class { constructor() { setTimeout(() => this.onclose?.()); } close() {} }",
    );
    stage.begin("ask_text over events");
    stage.until("document.querySelector('form.fl-ask [name=\"f:name\"]')");
    stage.run("document.querySelector('form.fl-ask [name=\"f:name\"]').value = 'Joan'");
    stage.press("Answer");
    stage.sees("Told: \"Joan\"");
    stage.ends();
    stage.browser.reload();
    stage.sees("Told: \"Joan\"");
}

pub(super) fn two_tabs_stay_in_step(stage: &mut Stage) {
    stage.begin("ask_text in two tabs");
    stage.until("document.querySelector('form.fl-ask')");
    let session = stage.session();
    let url = format!("http://{}/#/s/{session}", stage.address);
    let first = stage.browser.open_tab();
    // The other tab hands over its token.
    stage.browser.open(&url, WIDE);
    stage.until("document.querySelector('form.fl-ask [name=\"f:name\"]')");
    stage.run("document.querySelector('form.fl-ask [name=\"f:name\"]').value = 'Lin'");
    stage.press("Answer");
    stage.sees("Told: \"Lin\"");
    let second = stage.browser.look_at(first);
    stage.sees("Told: \"Lin\"");
    stage.until("!document.querySelector('form.fl-ask')");
    let first = stage.browser.look_at(second);
    stage.say("again, from the second");
    let _second = stage.browser.look_at(first);
    stage.sees("Here I am again.");
}

pub(super) async fn an_output_that_has_expired_says_so(stage: &mut Stage) {
    stage.begin("outputs");
    stage.ends();
    stage.press("Show");
    stage.until("document.querySelector('.output pre')?.innerText.includes('curtain')");
    stage.press("Hide");
    let later = Timestamp::from_millis(i64::MAX / 2);
    stage.store.sweep(later).await.expect("sweeps");
    stage.press("Show");
    stage.until("document.querySelector('.output.expired')?.innerText.includes('has expired')");
}

pub(super) fn sessions_are_renamed_found_and_deleted(stage: &mut Stage) {
    stage.begin("again, to be renamed");
    stage.ends();
    stage.click("[aria-label=Rename]");
    stage.run(
        "const input = document.querySelector('.title input'); input.value = 'A fine name'; \
         input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))",
    );
    stage.until("document.querySelector('.sessions').innerText.includes('A fine name')");
    stage.until("document.title.startsWith('A fine name')");
    stage.run(
        "const search = document.querySelector('.search input'); search.value = 'fine n'; \
         search.dispatchEvent(new Event('input'))",
    );
    stage.until("document.querySelectorAll('.sessions li').length === 1");
    stage.run(
        "const search = document.querySelector('.search input'); search.value = ''; \
         search.dispatchEvent(new Event('input')); window.confirm = () => true",
    );
    stage.click("[aria-label=Delete]");
    stage.until("document.querySelector('.home')");
    stage.until("!document.querySelector('.sessions').innerText.includes('A fine name')");
}

/// The server ends while the page shows a dialog, starts again, and somebody else decides.
pub(super) async fn a_decision_elsewhere_after_a_restart_reaches_the_page(stage: &mut Stage) {
    stage.begin("strike over a restart");
    stage.until("document.querySelector('dialog.approval[open]')");
    let request = "document.querySelector('fl-app').approvals.shown.id";
    let request = stage.read(request).as_str().expect("an id").to_owned();
    let token = stage.token.clone();
    // Tokens of logins are kept in a file, which this server does not have.
    stage.run(&format!(
        "sessionStorage.setItem('footlight.token', '{token}')"
    ));
    stage.browser.reload();
    stage.until("document.querySelector('dialog.approval[open]')");
    stage.stop().await;
    stage.until("document.querySelector('.banner')?.hidden === false");
    // For the scenario after this one.
    stage.renderers = Some(super::looks::documented_renderer());
    stage.serve().await;
    stage.until("document.querySelector('.banner').hidden");
    let body = r#"{"approved":true}"#;
    let path = format!("/api/approvals/{request}");
    let decided = crate::serve::client(stage.address, &token)
        .post(&path, body)
        .await;
    assert_eq!(decided.status, 204, "{}", decided.body);
    stage.sees("The set is gone.");
    stage.until("!document.querySelector('dialog.approval[open]')");
    stage.ends();
}

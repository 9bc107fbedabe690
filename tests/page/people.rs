//! What a person is asked, approves, presses and types.

use super::Stage;

/// Fills in a field of the open question.
fn fill(stage: &mut Stage, name: &str, value: &str) {
    stage.until(&format!(
        "document.querySelector('form.fl-ask [name=\"f:{name}\"]')"
    ));
    stage.run(&format!(
        "const field = document.querySelector('form.fl-ask [name=\"f:{name}\"]'); field.value = '{value}'; \
         field.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    ));
}

pub(super) fn every_control_takes_an_answer(stage: &mut Stage) {
    stage.begin("ask_buttons");
    stage.click("form.fl-ask [data-control=option][value=play1]");
    stage.sees("Told: \"play1\"");
    stage.sees("by ada");
    stage.ends();
    stage.say("ask_confirm");
    stage.click("form.fl-ask [data-control=option][value=Yes]");
    stage.sees("Told: \"Yes\"");
    stage.ends();
    stage.say("ask_select");
    fill(stage, "play", "play3");
    stage.press("Answer");
    stage.sees("Told: \"play3\"");
    stage.ends();
    stage.say("ask_radio");
    stage.until("document.querySelector('form.fl-ask [data-other]')");
    stage.run("document.querySelector('form.fl-ask [data-other]').value = 'Faust'");
    stage.press("Answer");
    stage.sees("Told: \"Faust\"");
    stage.ends();
    stage.say("ask_checkbox");
    for value in ["play0", "play3"] {
        stage.click(&format!("form.fl-ask [value={value}]"));
    }
    stage.press("Answer");
    stage.sees("Told: [\"play0\",\"play3\"]");
    stage.ends();
    stage.say("ask_text");
    stage.until("document.querySelector('form.fl-ask')");
    stage.press("Answer");
    stage.until("document.querySelector('form.fl-ask .form-problem').textContent !== ''");
    fill(stage, "name", "Grace");
    stage.press("Answer");
    stage.sees("Told: \"Grace\"");
    stage.ends();
    stage.say("ask_textarea");
    fill(stage, "review", "Two words");
    stage.press("Answer");
    stage.sees("Told: \"Two words\"");
    stage.ends();
    stage.say("ask_number");
    fill(stage, "seats", "4");
    stage.press("Answer");
    stage.sees("Told: 4");
    stage.ends();
    stage.say("ask_date");
    fill(stage, "day", "2026-05-01");
    stage.press("Answer");
    stage.sees("Told: \"2026-05-01\"");
    stage.ends();
    stage.say("ask_secret");
    fill(stage, "password", "hunter2");
    stage.press("Answer");
    stage.sees("Told 7 characters.");
    stage.ends();
    assert!(!stage.log().contains("hunter2"), "a secret is not shown");
    stage.say("ask_text");
    stage.press("Skip");
    stage.sees("skipped");
    stage.ends();
}

/// Waits for the dialog, and decides once its buttons work.
pub(super) fn decide(stage: &mut Stage, verdict: &str) {
    let button = format!("dialog.approval[open] [data-verdict={verdict}]");
    stage.until(&format!(
        "document.querySelector('{button}')?.disabled === false"
    ));
    stage.click(&button);
    stage.until("!document.querySelector('dialog.approval[open]')");
}

pub(super) fn approvals_are_given_once_for_the_session_and_denied_with_words(stage: &mut Stage) {
    stage.begin("strike the set");
    stage.until("document.querySelector('dialog.approval[open]')");
    let dialog = "document.querySelector('dialog.approval').innerText";
    let text = stage.read(dialog);
    let text = text.as_str().expect("text");
    assert!(text.starts_with("gallery wants to run"), "{text}");
    assert_eq!(
        stage.read("document.querySelector('[data-verdict=once]').disabled"),
        true,
        "nothing is decided in the first moment"
    );
    stage.until("document.activeElement.dataset.verdict === 'deny'");
    assert_eq!(stage.read("document.title.startsWith('(1) ')"), true);
    stage.run("document.querySelector('dialog .reason').value = 'Not before the last act'");
    decide(stage, "deny");
    stage.sees("denied");
    stage.sees("Not before the last act");
    stage.ends();

    stage.say("dim once");
    decide(stage, "once");
    stage.sees("The house is dark.");
    stage.ends();
    stage.say("dim for the session");
    decide(stage, "session");
    stage.ends();
    // Covered now: it is not asked again.
    stage.say("dim a third time");
    stage.until("document.querySelectorAll('.said').length === 4");
    stage.ends();
    assert_eq!(stage.log().matches("The house is dark.").count(), 3);

    stage.run("location.hash = '#/permissions'");
    stage.until("document.querySelector('.grants li:not(.empty)')");
    let granted = stage.read("document.querySelector('.grants li').innerText");
    let granted = granted.as_str().expect("text");
    assert!(
        granted.contains("for the rest of this session"),
        "{granted}"
    );
    assert!(
        granted.contains("A person is needed: the running call requests your approval"),
        "{granted}"
    );
    assert!(!granted.contains("footlight grants revoke"), "{granted}");
    stage.press("Revoke");
    stage.until("document.querySelector('.grants .empty')");
}

/// The server of this test keeps the rules of its person, so that an approval can outlast a session.
pub(super) fn an_approval_for_ever_is_not_asked_again(stage: &mut Stage) {
    stage.begin("dim always");
    stage.until("document.querySelector('dialog.approval[open]')");
    decide(stage, "always");
    stage.sees("The house is dark.");
    stage.ends();
    stage.sees("always allowed (Hamlet) by ada via http");
    stage.say("dim again");
    stage.until("document.querySelectorAll('.said').length === 2");
    stage.ends();
    assert_eq!(stage.log().matches("The house is dark.").count(), 2);
    stage.run("location.hash = '#/permissions'");
    stage.until("document.querySelector('.grants li:not(.empty)')?.innerText.includes('footlight grants revoke ')");
}

pub(super) fn cards_and_forms_are_pressed(stage: &mut Stage) {
    stage.begin("a card");
    stage.sees("Act 1 of 5");
    stage.ends();
    stage.press("Go on");
    stage.sees("Act 2 of 5");
    stage.sees("Pressed “Go on”");
    stage.ends();
    assert!(!stage.log().contains("[action"), "{}", stage.log());
    stage.run(
        "document.querySelector('.fl-widget [name=\"f:words\"]').value = 'More light'; \
         document.querySelector('.fl-widget [name=\"f:mail\"]').checked = true",
    );
    stage.press("Take a note");
    stage.sees("\"More light\" is noted and sent.");
    stage.ends();
    // The tool fails, and the card is what it was.
    stage.press("Fall");
    stage.sees("somebody fell off the stage");
    stage.ends();
    stage.sees("Act 2 of 5");
}

pub(super) fn the_keyboard_is_enough(stage: &mut Stage) {
    stage.run("location.hash = '#/'");
    stage.until("document.activeElement.matches('.home textarea')");
    stage.browser.write("dim by keyboard");
    stage.browser.key("Enter", false);
    stage.until("document.activeElement.dataset.verdict === 'deny'");
    stage.browser.key("1", false);
    stage.until("document.activeElement.dataset.verdict === 'once'");
    stage.browser.key("Enter", false);
    stage.sees("The house is dark.");
    stage.ends();
    stage.until("document.activeElement.matches('textarea')");
    stage.browser.key("/", true);
    stage.until("document.querySelector('dialog.sheet[open]')");
    stage.browser.key("Escape", false);
    stage.until(
        "!document.querySelector('dialog.sheet') && document.activeElement.matches('textarea')",
    );
    stage.browser.key("k", true);
    stage.until("document.activeElement.matches('.search input')");
}

pub(super) fn what_waits_is_in_the_inbox_and_can_be_declined(stage: &mut Stage) {
    stage.begin("ask_text to wait");
    stage.until("document.querySelector('form.fl-ask')");
    stage.begin("dim to wait");
    stage.press("Decide later");
    stage.run("location.hash = '#/inbox'; window.confirm = () => true");
    stage.until("document.querySelectorAll('.pending-row').length === 2");
    // A row leads to the dialog of its request.
    stage.run(
        "[...document.querySelectorAll('.pending-row')].find(row => row.innerText.includes('decide')).click()",
    );
    stage.press("Decide later");
    stage.run("location.hash = '#/inbox'");
    stage.press("Decline all");
    stage.until("document.querySelector('.empty')");
    stage.until("!document.title.startsWith('(')");
}

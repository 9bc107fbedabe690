//! What leaves the page: notifications, prints, files, and the players of other sites.

use super::Stage;
use serde_json::json;

/// A person who looks elsewhere is told once for each request, after they have asked for it.
pub(super) fn a_person_who_looks_elsewhere_is_notified(stage: &mut Stage) {
    stage.run(
        "window.told = []; window.Notification = class { static permission = 'default'; \
         static async requestPermission() { this.permission = 'granted'; } \
         constructor(title, { body }) { window.told.push(body); } }; \
         const app = document.querySelector('fl-app'); app.build(); app.route()",
    );
    stage.click("[aria-label='Notify me when I am needed']");
    stage.until("Notification.permission === 'granted' && !document.querySelector('[aria-label^=\"Notify\"]')");
    stage.begin("ask_text and look elsewhere");
    stage.until("document.querySelector('form.fl-ask')");
    assert_eq!(stage.read("told"), json!([]), "the person sees the page");
    stage.press("Skip");
    stage.ends();
    stage.run("Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })");
    stage.say("ask_text again");
    stage.until("told.length === 1");
    assert_eq!(stage.read("told"), json!(["A question waits for you"]));
    stage.run("delete document.hidden");
    stage.until("document.querySelector('form.fl-ask')");
    stage.press("Skip");
    stage.ends();
}

/// A print is the conversation: without what only a screen has, and with all of it.
pub(super) fn a_print_is_the_whole_conversation(stage: &mut Stage) {
    stage.begin("show data");
    stage.ends();
    stage.sees("That is all.");
    stage.browser.set_print(true);
    let seen = |selector: &str| {
        format!("[...document.querySelectorAll('{selector}')].some(one => one.checkVisibility())")
    };
    for hidden in [
        ".sidebar",
        ".top",
        "fl-composer",
        ".table-tools",
        ".code-tools",
    ] {
        assert_eq!(stage.read(&seen(hidden)), false, "{hidden}");
    }
    assert_eq!(stage.read(&seen(".fl-table")), true);
    let cut = "[...document.querySelectorAll('.scroller, .page, #main, .table-scroll')]\
               .filter(one => getComputedStyle(one).overflowY !== 'visible').length";
    assert_eq!(stage.read(cut), 0, "nothing is scrolled out of the paper");
    stage.browser.set_print(false);
}

pub(super) fn a_conversation_is_exported_as_a_file(stage: &mut Stage) {
    stage.begin("again, to be exported");
    stage.ends();
    stage.run(
        "window.make = URL.createObjectURL; \
         URL.createObjectURL = (blob) => { window.file = blob; return make.call(URL, blob); }; \
         HTMLAnchorElement.prototype.click = function () { window.named = this.download; }",
    );
    stage.click("[aria-label='Export as a file']");
    stage.until("window.named");
    assert_eq!(stage.read("named"), "again, to be exported.html");
    let text = stage.read("file.text()");
    let text = text.as_str().expect("text");
    assert!(text.to_lowercase().starts_with("<!doctype html>"), "{text}");
    assert!(text.contains("Here I am again."), "{text}");
    stage.run("delete HTMLAnchorElement.prototype.click; URL.createObjectURL = make");
}

/// Nothing is asked of another site until the person asks for its player, which gets a frame of its own.
pub(super) fn a_player_is_loaded_on_a_click_in_a_frame_of_its_own(stage: &mut Stage) {
    let item = json!({
        "id": "out_1_aaaaaa", "type": "output", "kind": "embed", "title": "Me at the zoo",
        "mimeType": "text/html", "size": 10,
        "meta": { "url": "https://youtu.be/jNQXAC9IVRw", "html": "<script>alert(1)</script>" },
        "player": { "name": "YouTube", "src": "https://www.youtube-nocookie.com/embed/jNQXAC9IVRw", "isWide": true },
    });
    stage.browser.events();
    stage.read(&format!(
        "import('/page/output.js').then(({{ outputCard }}) => {{ \
         document.querySelector('.log').append(outputCard({item})); }})"
    ));
    let asked = |stage: &mut Stage| {
        let events = stage.browser.events();
        let urls = events.iter().filter_map(|event| {
            let is_request = event["method"] == "Network.requestWillBeSent";
            is_request.then(|| event["params"]["request"]["url"].to_string())
        });
        urls.filter(|url| url.contains("youtube")).count()
    };
    assert_eq!(asked(stage), 0);
    stage.click(".output .play");
    stage.until("document.querySelector('.output iframe')");
    let frame = "(({ src, sandbox, referrerPolicy }) => [src, sandbox.value, referrerPolicy])\
                 (document.querySelector('.output iframe'))";
    assert_eq!(
        stage.read(frame),
        json!([
            "https://www.youtube-nocookie.com/embed/jNQXAC9IVRw",
            "allow-scripts allow-same-origin allow-presentation",
            "strict-origin",
        ])
    );
    stage.run("document.querySelector('.output iframe').remove()");
}

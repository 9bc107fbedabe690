//! What is seen: at every width, by everybody, and whatever a plugin sends.

use super::history::fill;
use super::people::decide;
use super::{Stage, WIDE};
use footlight_tests::browser::Look;
use footlight_tests::programs;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

const AXE: &str = "axe-core@4.11.0";

/// Returns what makes the page wider than its window.
pub(super) const BEYOND: &str = "document.documentElement.scrollWidth <= innerWidth ? '' : \
    [...document.querySelectorAll('body *')].filter(element => \
        element.getBoundingClientRect().right > innerWidth).slice(0, 5) \
        .map(element => element.outerHTML.slice(0, 200)).join('\\n')";

/// Opens the screens, one after the other.
fn each_screen(stage: &mut Stage, mut look: impl FnMut(&mut Stage, &str)) {
    stage.run("location.hash = '#/'");
    stage.until("document.querySelector('.home')");
    look(stage, "the first screen");
    stage.begin("show data");
    stage.ends();
    stage.sees("That is all.");
    look(stage, "a conversation with data");
    stage.begin("stream me a forecast");
    stage.ends();
    look(stage, "a conversation with a card");
    stage.begin("ask_all");
    stage.until("document.querySelector('form.fl-ask')");
    look(stage, "a question");
    stage.press("Skip");
    stage.ends();
    stage.begin("dim");
    stage.until("document.activeElement.dataset.verdict === 'deny'");
    look(stage, "an approval");
    stage.press("Decide later");
    stage.run("location.hash = '#/inbox'");
    stage.until("document.querySelector('.pending-row')");
    look(stage, "the inbox");
    stage.run("document.querySelector('.pending-row').click()");
    stage.until("document.activeElement.dataset.verdict === 'deny'");
    stage.click("dialog.approval[open] [data-verdict=deny]");
    stage.ends();
    stage.begin("dim for the session");
    decide(stage, "session");
    stage.ends();
    stage.run("location.hash = '#/permissions'");
    stage.until("document.querySelector('.grants li:not(.empty)')");
    look(stage, "the permissions");
    stage.press("Revoke");
    stage.until("document.querySelector('.grants .empty')");
    fill(stage, "again and again");
    look(stage, "a long conversation");
}

/// Writes a picture of the window to `target/page`, for review.
fn keep(stage: &mut Stage, screen: &str, look: Look) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/page");
    std::fs::create_dir_all(&folder).expect("a folder");
    let theme = if look.dark { "dark" } else { "light" };
    let name = format!("{}-{theme}-{}.png", screen.replace(' ', "-"), look.width);
    std::fs::write(folder.join(name), stage.browser.picture()).expect("writes");
}

pub(super) fn nothing_is_wider_than_the_window(stage: &mut Stage) {
    stage.browser.set_look(Look {
        width: 400,
        dark: true,
    });
    each_screen(stage, |stage, screen| {
        for dark in [false, true] {
            let look = Look { width: 400, dark };
            stage.browser.set_look(look);
            assert_eq!(stage.read(BEYOND), "", "{screen}");
            keep(stage, screen, look);
        }
    });
    stage.click("[aria-label=Sessions].narrow");
    stage.until("document.querySelector('fl-app').classList.contains('shows-list')");
    stage.click(".sessions a");
    stage.until("document.querySelector('.said') && !document.querySelector('.shows-list')");
    stage.browser.set_look(WIDE);
}

/// Every kind of result and widget with hostile data, a hostile question and a hostile request: nothing
/// of it runs, no other site is reached, and the browser finds nothing to complain about.
pub(super) fn hostile_plugins_run_nothing_and_reach_nobody(stage: &mut Stage) {
    stage.browser.events();
    stage.begin("hostile");
    stage.until("document.querySelector('form.fl-ask')");
    stage.press("Skip");
    stage.until("document.activeElement.dataset.verdict === 'deny'");
    assert_eq!(stage.read(BEYOND), "");
    stage.click("dialog.approval[open] [data-verdict=deny]");
    stage.ends();
    let own = format!("http://{}/", stage.address);
    let mut found = Vec::new();
    for event in stage.browser.events() {
        let params = &event["params"];
        match event["method"].as_str().unwrap_or_default() {
            "Network.requestWillBeSent" => {
                let url = params["request"]["url"].as_str().unwrap_or_default();
                if !["data:", "blob:", &own]
                    .iter()
                    .any(|start| url.starts_with(start))
                {
                    found.push(format!("asked for {url}"));
                }
            }
            "Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Log.entryAdded" => {
                found.push(format!("said {params}"));
            }
            "Page.javascriptDialogOpening" | "Page.windowOpen" | "Page.downloadWillBegin" => {
                found.push(event.to_string());
            }
            _ => {}
        }
    }
    assert_eq!(found, [""; 0]);
    let strange = "document.querySelectorAll('.log script, .log iframe, .log object, .log style, .log [style]').length";
    assert_eq!(stage.read(strange), 0);
}

/// Returns the script of axe, installed once; none where it cannot be.
fn axe() -> Option<PathBuf> {
    let npm = programs::program("npm", "install it with Node.js")?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("axe");
    let script = folder.join("node_modules/axe-core/axe.min.js");
    if !script.is_file() {
        std::fs::create_dir_all(&folder).expect("the build's folder is ours");
        let mut install = Command::new(npm);
        install.args(["install", "--no-audit", "--no-fund", "--ignore-scripts"]);
        let install = install.arg("--prefix").arg(&folder).arg(AXE).output();
        if !install.expect("npm starts").status.success() {
            return programs::program(AXE, "npm cannot reach its registry");
        }
    }
    Some(script)
}

/// The rules of axe, which are those of WCAG 2.2 AA and some of its own, hold on every screen.
pub(super) fn axe_finds_nothing(stage: &mut Stage) {
    let Some(axe) = axe() else { return };
    let script = std::fs::read_to_string(axe).expect("the script");
    each_screen(stage, |stage, screen| {
        stage.browser.evaluate(&format!("{script}; 0"));
        for dark in [true, false] {
            let look = Look { dark, ..WIDE };
            stage.browser.set_look(look);
            keep(stage, screen, look);
            let found = stage.read(
                "axe.run(document).then(({ violations }) => \
                 violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(node => \
                 node.html.slice(0, 200) + ' ' + node.failureSummary)]))",
            );
            assert_eq!(found, json!([]), "{screen}, dark: {dark}");
        }
    });
}

/// Returns a folder with the module that `docs/page.md` shows.
pub(super) fn documented_renderer() -> tempfile::TempDir {
    let guide = include_str!("../../docs/page.md");
    let (_, rest) = guide.split_once("```js\n").expect("an example");
    let (module, _) = rest.split_once("```").expect("its end");
    assert!(module.lines().count() <= 41, "an example is short");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("weather-card.js"), module).expect("writes");
    folder
}

pub(super) fn the_documented_renderer_draws_the_weather(stage: &mut Stage) {
    stage.browser.reload();
    stage.until("document.querySelector('.log')");
    stage.begin("stream me a forecast");
    stage.ends();
    stage.until(
        "document.querySelector('my-weather-card')?.shadowRoot?.textContent.includes('Oslo, Norway')",
    );
    // A kind of result is drawn by its element, below the line of the call.
    stage.read(
        "import('/page/renderers.js').then(({ registerRenderer }) => {
             customElements.define('my-table', class extends HTMLElement {
                 set data({ rows }) { this.textContent = `${rows.length > 0 ? 'some' : 'no'} rows`; }
             });
             registerRenderer('table', 'my-table');
         })",
    );
    stage.say("show data");
    stage.until("document.querySelector('fl-call my-table')?.textContent === 'some rows'");
    stage.ends();
    assert_eq!(
        stage.read(
            "document.querySelector('my-table').closest('fl-call').querySelectorAll('.table-tools').length"
        ),
        0
    );
}

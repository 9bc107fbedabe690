//! The gallery in a real browser: exported pages load nothing, run nothing, and fit their window.
//!
//! The pages and their screenshots are written to `target/gallery` for review.

use crate::gallery::Gallery;
use footlight_render::page::Page;
use footlight_tests::browser::{Browser, Look};
use footlight_tests::programs::program;
use serde_json::Value;
use std::path::{Path, PathBuf};

const REMEDY: &str = "install Debian's package `chromium`";

/// Exports the whole gallery with one kind of data as a page.
async fn page(with: &str) -> String {
    let gallery = Gallery::open().await;
    let mut page = Page::new(format!("The gallery, {with}"));
    for tool in gallery.tools() {
        let views = gallery.views(&gallery.play(&tool, with).await);
        page = page.heading(tool).views(&views);
    }
    page.into_html()
}

/// Returns what a page did that it must not do.
fn misdeeds(events: &[Value], page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for event in events {
        let params = &event["params"];
        match event["method"].as_str().unwrap_or_default() {
            "Network.requestWillBeSent" => {
                let url = params["request"]["url"].as_str().unwrap_or_default();
                // A data URL loads nothing from outside; the browser uses some for its own date fields.
                if url != page && !url.starts_with("data:") {
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
    found
}

#[tokio::test]
async fn exported_pages_load_and_run_nothing_and_fit_their_window() {
    let Some(chromium) = program("chromium", REMEDY) else {
        return;
    };
    let profile = tempfile::tempdir().expect("a folder");
    let mut browser = Browser::start(&chromium, profile.path());
    for with in ["ordinary", "wide", "rtl", "hostile"] {
        let file = keep(&format!("{with}.html"), page(with).await.as_bytes());
        let url = format!("file://{}", file.display());
        for (dark, width) in [(false, 400), (false, 1200), (true, 400), (true, 1200)] {
            let look = Look { width, dark };
            let events = browser.open(&url, look);
            assert_eq!(misdeeds(&events, &url), [""; 0], "{with} {look:?}");
            check(&mut browser, with, look);
            // The other kinds of data look alike.
            if ["ordinary", "hostile"].contains(&with) {
                let theme = if dark { "dark" } else { "light" };
                let picture = browser.picture();
                keep(&format!("{with}-{theme}-{width}.png"), &picture);
            }
        }
    }
}

#[test]
fn a_page_that_loads_and_runs_something_is_caught() {
    let Some(chromium) = program("chromium", REMEDY) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let mut browser = Browser::start(&chromium, &folder.path().join("profile"));
    let file = folder.path().join("loud.html");
    let loud = "<title>x</title><img src=https://theatre.invalid/x.png><p>\
                <script>console.log(1); document.title = 'owned'</script>";
    std::fs::write(&file, loud).expect("writes");
    let url = format!("file://{}", file.display());
    let look = Look {
        width: 400,
        dark: false,
    };
    let found = misdeeds(&browser.open(&url, look), &url).join("\n");
    assert!(
        found.contains("asked for https://theatre.invalid/x.png"),
        "{found}"
    );
    assert!(found.contains("\"value\":1"), "{found}");
    assert_eq!(browser.evaluate("document.title"), "owned");
}

/// Checks an open page: nothing changed it, its images are loaded, its colours are those of the
/// theme, and nothing is cut off.
fn check(browser: &mut Browser, with: &str, look: Look) {
    let mut expect = |expression: &str, value: Value| {
        assert_eq!(
            browser.evaluate(expression),
            value,
            "{with} {look:?}: {expression}"
        );
    };
    expect("document.title", format!("The gallery, {with}").into());
    expect("document.scripts.length", 0.into());
    // Images below the window would be loaded later. An SVG is not shown as an image: a hostile gallery
    // has only one left.
    let decoded = "Promise.all([...document.images].map(image => \
                   (image.loading = 'eager', image.decode()))).then(all => all.length)";
    expect(decoded, if with == "hostile" { 1 } else { 2 }.into());
    let ground = match look.dark {
        true => "rgb(20, 22, 26)",
        false => "rgb(255, 255, 255)",
    };
    expect(
        "getComputedStyle(document.body).backgroundColor",
        ground.into(),
    );
    expect(BEYOND, "".into());
}

/// Returns what makes the page wider than its window, apart from the content of boxes that scroll by
/// themselves.
const BEYOND: &str = "
    document.documentElement.scrollWidth <= innerWidth ? '' :
    [...document.querySelectorAll('main *')].filter(element => {
        const {left, right} = element.getBoundingClientRect();
        if (right <= innerWidth && left >= 0) return false;
        for (let above = element.parentElement; above; above = above.parentElement)
            if (getComputedStyle(above).overflowX != 'visible') return false;
        return true;
    }).slice(0, 5).map(element => element.outerHTML.slice(0, 200)).join('\\n') || 'the mark of a list'";

/// Writes a file for review.
fn keep(name: &str, content: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/gallery");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.canonicalize().expect("is there").join(name);
    std::fs::write(&file, content).expect("writes");
    file
}

//! The page at `/`, and that of a link at `/reply`: files that are part of the program, and the policy under which a browser runs them.
//!
//! Beside them stand the renderers of the site's owner: modules in a folder, which draw widgets in their own
//! way.
//!
//! Invariant: no byte of them comes from a plugin, a model or a client. What those say reaches the page as
//! data of the API.

use crate::App;
use crate::player;
use crate::problem::Problem;
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path as UrlPath, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use footlight::bounded_file;
use sha2::{Digest as _, Sha256};
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// A file of the page.
pub(crate) struct PageFile {
    pub(crate) path: &'static str,
    pub(crate) media_type: &'static str,
    pub(crate) content: &'static [u8],
    /// Changes with the content, so that a browser asks for a file and is told that it has it.
    etag: String,
}

impl PageFile {
    pub(crate) fn new(
        path: &'static str,
        media_type: &'static str,
        content: &'static [u8],
    ) -> Self {
        let etag = crate::access::hex(&Sha256::digest(content)[..16]);
        Self {
            path,
            media_type,
            content,
            etag: format!("\"{etag}\""),
        }
    }
}

macro_rules! files {
    ($($name:literal: $media_type:ident),+ $(,)?) => {
        [$((concat!("/page/", $name), $media_type, include_bytes!(concat!("../page/", $name)).as_slice())),+]
    };
}

pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const SCRIPT: &str = "text/javascript; charset=utf-8";
pub(crate) const STYLE: &str = "text/css; charset=utf-8";
const ICON: &str = "image/svg+xml";

/// Every file of the page.
static FILES: LazyLock<Vec<PageFile>> = LazyLock::new(|| {
    let files = files![
        "api.js": SCRIPT, "app.js": SCRIPT, "approval.js": SCRIPT, "call.js": SCRIPT, "code.js": SCRIPT,
        "composer.js": SCRIPT, "conversation.js": SCRIPT, "dom.js": SCRIPT, "draw.js": SCRIPT,
        "enhance.js": SCRIPT, "form.js": SCRIPT, "live.js": SCRIPT, "output.js": SCRIPT,
        "pending.js": SCRIPT, "record.js": SCRIPT, "renderers.js": SCRIPT, "reply.js": SCRIPT,
        "screens.js": SCRIPT, "shell.js": SCRIPT, "table.js": SCRIPT, "theme.js": SCRIPT, "style.css": STYLE, "icon.svg": ICON,
        "icons.svg": ICON,
    ];
    let sheet = footlight_render::style::sheet().as_bytes();
    let index = include_bytes!("../page/index.html").as_slice();
    let reply = include_bytes!("../page/reply.html").as_slice();
    let made = [
        ("/", HTML, index),
        ("/reply", HTML, reply),
        ("/page/markup.css", STYLE, sheet),
    ];
    let file = |(path, media_type, content)| PageFile::new(path, media_type, content);
    files.into_iter().chain(made).map(file).collect()
});

/// The most bytes of a renderer, and the most renderers.
const MAX_RENDERER: usize = 1 << 20;
const MAX_RENDERERS: usize = 64;

/// Returns the file names of the renderers of the site's owner, sorted.
pub(crate) fn renderers(folder: Option<&Path>) -> Vec<String> {
    let entries = folder.and_then(|folder| std::fs::read_dir(folder).ok());
    let entries = entries.into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| is_renderer(name)).collect();
    names.sort();
    names.truncate(MAX_RENDERERS);
    names
}

/// Reports whether a file name is that of a module: letters, digits, `-`, `_`, and `.js`.
fn is_renderer(name: &str) -> bool {
    name.strip_suffix(".js").is_some_and(crate::route::is_id)
}

/// `GET /renderers/{name}`
async fn renderer(
    State(app): State<Arc<App>>,
    name: Result<UrlPath<String>, PathRejection>,
) -> Result<Response, Problem> {
    let name = name.ok().map(|UrlPath(name)| name);
    let name = name.filter(|name| is_renderer(name));
    let file = name.and_then(|name| Some(app.renderers.as_ref()?.join(name)));
    let file = file.ok_or_else(Problem::not_found)?;
    let text = bounded_file::read_to_string(&file, MAX_RENDERER);
    let text = text.map_err(|_| Problem::not_found())?;
    let headers = [
        (header::CONTENT_TYPE, SCRIPT),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    Ok((headers, text).into_response())
}

/// Adds the page to the routes of the API. It needs no token: it holds nothing that is anybody's.
pub(crate) fn add(mut router: Router<Arc<App>>) -> Router<Arc<App>> {
    for file in FILES.iter() {
        let serve = async move |State(app): State<Arc<App>>, headers: HeaderMap| {
            respond(file, &app, &headers)
        };
        router = router.route(file.path, get(serve));
    }
    router.route("/renderers/{name}", get(renderer))
}

pub(crate) fn respond(file: &'static PageFile, app: &App, request: &HeaderMap) -> Response {
    let known = request.get(header::IF_NONE_MATCH);
    let is_known = known.is_some_and(|known| known.as_bytes() == file.etag.as_bytes());
    let mut response = match is_known {
        true => Response::new(Body::empty()),
        false => Response::new(Body::from(file.content)),
    };
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    let mut set = |name, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    set(header::CONTENT_TYPE, file.media_type);
    set(header::ETAG, &file.etag);
    // The next version of the program has other files under the same names.
    set(header::CACHE_CONTROL, "no-cache");
    if file.media_type == HTML {
        // The guard has checked that this is a name of the server.
        let host = request.get(header::HOST);
        let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
        set(
            header::CONTENT_SECURITY_POLICY,
            &policy(app.scheme_of(host), host),
        );
    }
    response
}

/// Returns what a browser lets the page do: run its own scripts, talk to its own server, show images that
/// it has made, and frame the four players.
fn policy(scheme: &str, host: &str) -> String {
    let socket = if scheme == "https" { "wss" } else { "ws" };
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
         connect-src 'self' {socket}://{host}; frame-src {}; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        player::SITES.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn bytes_of(media_type: &str) -> usize {
        let files = FILES.iter().filter(|file| file.media_type == media_type);
        files.map(|file| file.content.len()).sum()
    }

    #[test]
    fn the_page_is_small() {
        assert!(bytes_of(SCRIPT) <= 120 << 10, "{}", bytes_of(SCRIPT));
        assert!(bytes_of(STYLE) <= 40 << 10, "{}", bytes_of(STYLE));
    }

    #[test]
    fn every_file_of_the_page_is_served_and_every_import_exists() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let entries = std::fs::read_dir(folder).expect("the folder of the page");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let served: BTreeSet<&str> = FILES.iter().map(|file| file.path).collect();
        for name in names.map(|name| name.into_string().expect("a name")) {
            let is_source = [".js", ".css", ".svg"]
                .iter()
                .any(|end| name.ends_with(end));
            let path = format!("/page/{name}");
            assert!(!is_source || served.contains(path.as_str()), "{name}");
        }
        for file in FILES.iter().filter(|file| file.media_type == SCRIPT) {
            let text = std::str::from_utf8(file.content).expect("UTF-8");
            for import in text.split(" from './").skip(1) {
                let name = import.split('\'').next().expect("a name");
                let path = format!("/page/{name}");
                assert!(
                    served.contains(path.as_str()),
                    "{} imports {name}",
                    file.path
                );
            }
        }
    }

    #[test]
    fn only_modules_of_the_folder_are_renderers() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["b.js", "a-card.js", "a.txt", ".js", "x.y.js", "\u{e9}.js"] {
            std::fs::write(folder.path().join(name), "").expect("writes");
        }
        assert_eq!(renderers(Some(folder.path())), ["a-card.js", "b.js"]);
        assert_eq!(renderers(None), [""; 0]);
    }

    /// What would make markup, styles or code of a string.
    #[test]
    fn the_scripts_have_no_way_to_make_markup_of_a_string() {
        let files = FILES.iter().chain(crate::dev::files::FILES.iter());
        for file in files.filter(|file| file.media_type == SCRIPT) {
            let text = std::str::from_utf8(file.content).expect("UTF-8");
            for sink in [
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "srcdoc",
                "DOMParser",
                "createContextualFragment",
                "setHTML",
                "eval(",
                "new Function",
                ".style.",
                "'style'",
                "cssText",
            ] {
                assert!(!text.contains(sink), "{} has {sink}", file.path);
            }
            assert!(text.starts_with("// @ts-check"), "{}", file.path);
        }
    }

    #[test]
    fn the_policy_names_the_players_and_nothing_else_of_other_sites() {
        let policy = policy("http", "127.0.0.1:7390");
        let others: Vec<&str> = policy
            .split([' ', ';'])
            .filter(|word| word.contains("://"))
            .collect();
        assert_eq!(others[0], "ws://127.0.0.1:7390");
        assert_eq!(others[1..], player::SITES);
        for unsafe_word in ["unsafe-inline", "unsafe-eval", "*", "http:", "https: "] {
            assert!(!policy.contains(unsafe_word), "{unsafe_word}");
        }
    }
}

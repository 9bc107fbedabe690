//! The files of the screens at `/dev`. They import modules of the [page](crate::page), and run under its
//! policy.

use crate::App;
use crate::page::{HTML, PageFile, SCRIPT, STYLE, respond};
use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::get;
use std::sync::{Arc, LazyLock};

/// Every file of the screens.
pub(crate) static FILES: LazyLock<Vec<PageFile>> = LazyLock::new(|| {
    let themes = footlight_render::style::themes().as_bytes();
    [
        (
            "/dev",
            HTML,
            include_bytes!("../../page/dev/index.html").as_slice(),
        ),
        (
            "/page/dev/dev.js",
            SCRIPT,
            include_bytes!("../../page/dev/dev.js"),
        ),
        (
            "/page/dev/input.js",
            SCRIPT,
            include_bytes!("../../page/dev/input.js"),
        ),
        (
            "/page/dev/preview.js",
            SCRIPT,
            include_bytes!("../../page/dev/preview.js"),
        ),
        (
            "/page/dev/dev.css",
            STYLE,
            include_bytes!("../../page/dev/dev.css"),
        ),
        ("/page/dev/themes.css", STYLE, themes),
    ]
    .into_iter()
    .map(|(path, media_type, content)| PageFile::new(path, media_type, content))
    .collect()
});

/// Adds the files to a router. They need no token: they hold nothing that is anybody's.
pub(crate) fn add(mut router: Router<Arc<App>>) -> Router<Arc<App>> {
    for file in FILES.iter() {
        let serve = async move |State(app): State<Arc<App>>, headers: HeaderMap| {
            respond(file, &app, &headers)
        };
        router = router.route(file.path, get(serve));
    }
    router
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_screens_are_small() {
        let scripts = FILES.iter().filter(|file| file.media_type == SCRIPT);
        let bytes: usize = scripts.map(|file| file.content.len()).sum();
        assert!(bytes <= 48 << 10, "{bytes}");
    }

    #[test]
    fn every_file_of_the_screens_is_served_and_every_import_exists() {
        let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let served: BTreeSet<&str> = FILES.iter().map(|file| file.path).collect();
        for entry in std::fs::read_dir(page.join("dev")).expect("the folder of the screens") {
            let name = entry.expect("an entry").file_name();
            let name = name.into_string().expect("a name");
            let path = format!("/page/dev/{name}");
            let is_other = ["index.html", "types.d.ts"].contains(&name.as_str());
            assert!(is_other || served.contains(path.as_str()), "{name}");
        }
        for file in FILES.iter().filter(|file| file.media_type == SCRIPT) {
            let text = std::str::from_utf8(file.content).expect("UTF-8");
            for import in text.split(" from '").skip(1) {
                let name = import.split('\'').next().expect("a name");
                let own = name
                    .strip_prefix("./")
                    .map(|name| format!("/page/dev/{name}"));
                let is_there = match own {
                    Some(path) => served.contains(path.as_str()),
                    None => name
                        .strip_prefix("../")
                        .is_some_and(|name| page.join(name).is_file()),
                };
                assert!(is_there, "{} imports {name}", file.path);
            }
        }
    }
}

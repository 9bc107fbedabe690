//! The published document against the server, with requests that schemathesis makes up.
//!
//! Needs `schemathesis` from PyPI. Live streams, the socket and ChatKit, which answer with streams that
//! the document cannot describe, are left out: other tests are about them.

use super::*;
use footlight_tests::programs;
use std::process::{Command, Output};

/// How many requests each operation is sent in each phase. The limit on requests of a person would
/// answer more than this many a second.
const EXAMPLES: &str = "8";
const RATE: &str = "45/s";

async fn run(running: &Running, token: Option<&str>, phases: &str) -> Option<Output> {
    let remedy = "`pip install 'schemathesis>=4,<5'`";
    let program = programs::program("schemathesis", remedy)?;
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(program);
    command
        .args(["--no-color", "run"])
        .arg(format!("http://{}/api/openapi.json", running.address))
        .args(["--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance"])
        .args(["--exclude-path-regex", "(/events|/socket|chatkit)$"])
        .args(["--phases", phases, "--max-examples", EXAMPLES])
        .args(["--rate-limit", RATE, "--workers", "1", "--seed", "1"])
        .args(["--request-timeout", "30", "--continue-on-failure", "--warnings", "off"])
        .current_dir(folder.path());
    if let Some(token) = token {
        command
            .arg("--header")
            .arg(format!("Authorization: Bearer {token}"));
    }
    let ran = tokio::task::spawn_blocking(move || command.output()).await;
    drop(folder);
    Some(ran.expect("runs").expect("is started"))
}

fn check(ran: &Output) {
    let (out, err) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    assert!(ran.status.success(), "{out}\n{err}");
    // It has tried something.
    assert!(out.contains("passed"), "{out}\n{err}");
}

#[tokio::test]
async fn no_request_is_answered_by_an_error_of_the_server_or_an_undocumented_answer() {
    let running = Running::start([]).await;
    for _ in 0..3 {
        running.session(&running.ada).await;
    }
    if let Some(ran) = run(&running, Some(&running.ada), "coverage,fuzzing,stateful").await {
        check(&ran);
        let signed_out = run(&running, None, "fuzzing").await;
        check(&signed_out.expect("it is installed"));
    }
    let healthy = Client::new(running.address, None).get("/readyz").await;
    assert_eq!(healthy.status, 200);
    running.stop().await;
}

//! A real registry on loopback: Debian's `docker-registry`.

use crate::programs;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A registry that stops when it is dropped.
pub(crate) struct Registry {
    child: Child,
    pub(crate) port: u16,
    folder: tempfile::TempDir,
}

impl Registry {
    /// Starts a registry for everybody; none where the program is missing.
    pub(crate) fn start() -> Option<Self> {
        Self::with("")
    }

    /// Starts a registry for `ada`, whose password is `opensesame`.
    pub(crate) fn with_login() -> Option<Self> {
        Self::with("auth: {htpasswd: {realm: test, path: FOLDER/htpasswd}}\n")
    }

    fn with(more: &str) -> Option<Self> {
        let program = programs::program("docker-registry", "`apt-get install docker-registry`")?;
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().to_str().expect("is text");
        let hash = "$2b$04$abcdefghijklmnopqrstuuFuhxWRTXIsURoluSTZ1N4tYaWGn9oOi";
        fs::write(folder.path().join("htpasswd"), format!("ada:{hash}\n")).expect("is written");
        let config = format!(
            "version: 0.1\nlog: {{level: info, accesslog: {{disabled: true}}}}\n\
             storage: {{filesystem: {{rootdirectory: FOLDER/data}}}}\n\
             http: {{addr: \"127.0.0.1:0\", secret: test}}\n{more}"
        );
        let file = folder.path().join("config.yml");
        fs::write(&file, config.replace("FOLDER", path)).expect("is written");
        let mut child = Command::new(program)
            .arg("serve")
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the registry starts");
        let mut lines = BufReader::new(child.stderr.take().expect("is piped")).lines();
        let port = lines.by_ref().find_map(|line| {
            let line = line.expect("is text");
            let (_, rest) = line.split_once("listening on 127.0.0.1:")?;
            rest.split('"').next()?.parse().ok()
        });
        // It keeps writing and must not block on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self {
            child,
            port: port.expect("it says where it listens"),
            folder,
        })
    }

    pub(crate) fn reference(&self, rest: &str) -> String {
        format!("127.0.0.1:{}/{rest}", self.port)
    }

    /// The files with the blobs and manifests that it keeps.
    pub(crate) fn blobs(&self) -> Vec<PathBuf> {
        let folder = "data/docker/registry/v2/blobs/sha256";
        let folders = |path: PathBuf| -> Vec<PathBuf> {
            let entries = fs::read_dir(path).expect("is there");
            entries
                .map(|entry| entry.expect("is there").path())
                .collect()
        };
        let prefixes = folders(self.folder.path().join(folder));
        let digests = prefixes.into_iter().flat_map(folders);
        digests.map(|digest| digest.join("data")).collect()
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
